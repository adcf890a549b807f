"""One reader of values: numbers, money, dates, times, durations, measures, yes and no.

``parse(text, field)`` gives the one value that a text has for a field, or raises ValueError. ``scan(text)`` gives all
values that a text states, each with its place and every reading. ``conventions(texts)`` tells how a page writes
numbers and dates.

To read something new, add

- an entry to ``data/units.json`` or ``data/value_words.json``, under its language: a unit, a scale,
  a currency, a word for a number, or for yes and no. Coercion, the proof and tier 0 all read it then;
  ``docs/where-to-change.md`` shows it for EU and UK shoe sizes;
- or a function to ``readers.py`` if it is a new way to write a number or a date: it takes the text and the field and
  gives a value, or raises ValueError, and stands in ``READERS`` under a name of its own. Add a row to
  ``tests/values/tables/readings.jsonl`` for each text that it reads, and for each that it must leave alone.

``names`` takes names and labels apart into words; ``fields.Field`` is what a schema says of one value, and
``Field.likeness`` how like a label is to it. What a word of a name says, in any language, stands in
``data/field_roles.json``.

``mentions`` holds what finds values among other words, for the proof and for ``scan``.

CLDR's data comes from ``scripts/write_locale_data.py``.
"""
