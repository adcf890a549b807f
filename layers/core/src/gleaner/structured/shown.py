"""Whether the page's own text says what its embedded data says: where it says something else, the data is stale."""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

from gleaner.coercion.numbers import COUNT_NOUNS
from gleaner.coercion.words import NOTHING
from gleaner.emptiness import says_it_is_empty
from gleaner.models import ProvenanceEntry
from gleaner.proof.dates import MONTHS
from gleaner.proof.leaves import read_pointer
from gleaner.structured.amounts import NEAR, RANGE, Span, amounts_in, currencies, currency_agrees
from gleaner.structured.fields import Field, Wanted
from gleaner.structured.labels import words_of
from gleaner.structured.measures import SCALES, listed
from gleaner.structured.nodes import must_show
from gleaner.structured.roles import SCALE_BEFORE, is_counted_once, is_in_its_role, leads_elsewhere
from gleaner.structured.silence import IN, OUT, is_called, is_silent_on, may_be_unseen, own_words
from gleaner.structured.visible import plain
from gleaner.units.vocabulary import RELATED_TEXT

NOTHING_WORDS = frozenset(word for text in NOTHING for word in words_of(text))
_RANGE_BEFORE = re.compile(r"(?<![\d/.,])(?<!/ )\d[\d.,]*\s*(?:[-–—−~]|to|bis|à|til|tot)\s*$", re.IGNORECASE)
_DATE = (
    r"(?P<date>\d{1,2}(?:st|nd|rd|th|\.)?\s+[^\W\d_]{3,12}|[^\W\d_]{3,12}\s+\d{1,2}|\d{4}-\d\d-\d\d"
    r"|\d{1,2}[./]\d{1,2}[./]\d{2,4})"
)
_NEXT_DATE = re.compile(rf"\s*(?:,|;|and|&|or|und|oder|et|y|e)\s*(?:and )?{_DATE}", re.IGNORECASE)
_DATE_BEFORE = re.compile(rf"{_DATE}(?:,? \d{{4}})?\s*(?:,|;|and|&|or|und|oder|et|y|e)\s*$", re.IGNORECASE)
"""Another date before or after one in a list: the thing has several."""
_DATE_GROUPS = tuple(
    frozenset(words_of(line))
    for line in (
        "publish published publication posted release released issued",
        "updated update modified modification revised changed edited",
        "created creation added registered founded built opened",
        "start starts from begin begins beginning",
        "end ends until till through expire expires deadline closes closing closed due apply",
        "born birth",
        "died death",
        "tickets sale sales booking bookings registration enrolment enrollment presale",
        "delivery shipped ships shipping",
    )
)
_DENYING = listed(
    "not no instead formerly previously originally was were cancelled canceled postponed moved nicht statt kein pas "
    "non rescheduled verschoben abgesagt reporté annulé aplazado cancelado rinviato annullato uitgesteld afgelast"
)
_DATES_OF_ANYTHING = frozenset[str]().union(*_DATE_GROUPS)
_PERSONS = listed("author writer director artist composer editor illustrator translator photographer creator")
_CAPITAL = r"[*_\[]{0,3}[A-ZÀ-Þ]"
_SECOND_PERSON = re.compile(
    rf"[*_\])]{{0,4}}(?:\([^)\s]*\))?(?:\s+(?:and|&|und|et|y|e|og|och|en)\s+{_CAPITAL}|,\s+{_CAPITAL}[\w'’-]+\s+[A-ZÀ-Þ])"
)
"""After a name: "and Bo", or a comma and another name of two words."""
_CODE = re.compile(r"[^\s,;|()]+")
_SHORTEST_CODE = 6
_SCALED = re.compile(r"[ \u00a0]?([^\W\d_]+'?)")
_NOUN = re.compile(r"[ \u00a0]([^\W\d_]+)")
_OR_ANOTHER = re.compile(rf"\s+(?:or|oder|ou|o|eller|lub|или)\s+{_CAPITAL}")
_COUNTED = re.compile(r"(\d[\d.,]*)\s+([^\W\d_]+)")
_LINKED = re.compile(r"!?\[[^\]]*\]\([^)]*\)")
_BULLET = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(.*)")
_ORDINAL = re.compile(r"\s*\d+[.)]\s")
_SCALE = re.compile(
    r"\s*(?:/|out of|of|von|sur|de|su|van|av|af)\s*\d|\s*[★⭐]"
    r"|\s*\(\d[\d.,]*\s?k?\s*(?:reviews?|ratings?|votes?|Bewertungen|avis|reseñas|opiniones|recensioni)\)",
    re.IGNORECASE,
)
"""What follows a rating: its scale, a star, or how many gave it."""
_RATED = re.compile(rf"(?<![\d.,])(\d(?:[.,]\d{{1,2}})?)(?={_SCALE.pattern})", re.IGNORECASE)
_GIVEN = ("rating", "review_count", "rating_count")
_LINE_OF_HEADING = re.compile(r"(?m)^#{1,6} +(.*)$")


def page_agrees(
    wanted: Wanted,
    records: Sequence[Mapping[str, Any]],
    places: Sequence[Span] | None,
    markdown: str,
    entries: Sequence[ProvenanceEntry],
    *,
    may_be_silent: bool = False,
) -> bool:
    """Tell whether all that people can see of the records stands in the page's text, and nothing there denies it.

    ``places`` are the records' units; None for the one object that the page is about. ``may_be_silent``: a value of
    that object counts, too, where the page has no words at all that might be another one.
    """
    unseen = _unseen(wanted, entries)
    if unseen and not (may_be_silent and places is None):
        return False
    spans = list(places) if places is not None else [main_part(markdown)]
    texts = [markdown[start:end] for start, end in spans]
    if not all(_agrees(wanted, record, text) for record, text in zip(records, texts, strict=True)):
        return False
    if places and places[0][0] >= main_part(markdown)[1]:
        return False
    if any(
        _is_written_otherwise(field, record.get(field.name), text)
        for field in _opaque(wanted, entries)
        for record, text in zip(records, texts, strict=True)
    ):
        return False
    if places is not None and not _stand_in_their_units(wanted, entries, places, markdown):
        return False
    if places is None:
        rest = _unproven(spans[0], _known(entries), markdown)
        above = _LINKED.sub("", _unproven((0, spans[0][0]), _known(entries), markdown))
        return (
            _mentions_are_meant(wanted, entries, markdown)
            and all(is_silent_on(field, rest) for field in wanted.fields if records[0].get(field.name) is None)
            and all(may_be_unseen(field, records[0][field.name], f"{above}\n{rest}") for field in unseen)
        )
    return _gaps_are_empty(wanted, records, places, markdown, entries)


def _stand_in_their_units(
    wanted: Wanted, entries: Sequence[ProvenanceEntry], places: Sequence[Span], markdown: str
) -> bool:
    """Tell whether each value that people see stands in its own record's unit, in its role: a twin's proves nothing."""
    fields = {field.name: field for field in wanted.fields if must_show(field)}
    known = _known(entries)
    for entry in entries:
        field = fields.get(wanted.property_at(entry.pointer))
        if field is None or entry.start is None or entry.end is None:
            continue
        place = places[int(read_pointer(entry.pointer)[len(wanted.steps)])]
        if not place[0] <= entry.start < place[1] or _counts_something_else(field, entry, markdown):
            return False
        mention = (entry.start, entry.end)
        if field.kind in ("date", "text") and not _words_are_meant(field, markdown, mention, known, place):
            return False
        is_plain_number = field.kind == "number" and not is_called(field, "price")
        if is_plain_number and (
            _is_scaled(markdown, mention) or leads_elsewhere(field, markdown, mention, place, known)
        ):
            return False
    return True


def _counts_something_else(field: Field, entry: ProvenanceEntry, markdown: str) -> bool:
    """Tell whether a number stands before the noun of another field: a rating that is proven by "120 reviews"."""
    noun = _NOUN.match(markdown, entry.end or 0)
    if field.kind != "number" or noun is None or noun[1].casefold() not in COUNT_NOUNS:
        return False
    return own_words(field).isdisjoint((*words_of(noun[1]), "count"))


def _gaps_are_empty(
    wanted: Wanted,
    records: Sequence[Mapping[str, Any]],
    places: Sequence[Span],
    markdown: str,
    entries: Sequence[ProvenanceEntry],
) -> bool:
    """Tell whether the units of records that lack a field say nothing more than those of whole records do.

    What is left of a unit without the record's own values is what its site writes in every unit, or a lost value.
    """
    lacking = [any(record.get(field.name) is None for field in wanted.fields) for record in records]
    if not any(lacking):
        return True
    known = _known(entries)
    left = [_left_over(place, known, markdown) for place in places]
    usual = set(NOTHING_WORDS).union(*(words for words, lacks in zip(left, lacking, strict=True) if not lacks))
    return not all(lacking) and all(words <= usual for words in left)


def _left_over(place: Span, known: Sequence[Span], markdown: str) -> set[str]:
    ordinal = _ORDINAL.match(markdown, place[0])
    return set(words_of(_unproven((ordinal.end() if ordinal else place[0], place[1]), known, markdown)))


def _unproven(place: Span, known: Sequence[Span], markdown: str, gap: str = " ") -> str:
    """Give the text of a place with a ``gap`` for each part that proves a value."""
    parts: list[str] = []
    position = place[0]
    for start, end in known[bisect_left(known, place[:1]) :]:
        if start >= place[1]:
            break
        parts.append(markdown[position : max(start, position)])
        position = max(position, end)
    return gap.join([*parts, markdown[position : place[1]]])


def _known(entries: Sequence[ProvenanceEntry]) -> list[Span]:
    """Give the places of the Markdown that prove values, in order."""
    places = ((entry.start, entry.end) for entry in entries if entry.source == "markdown")
    return sorted((start, end) for start, end in places if start is not None and end is not None)


def _agrees(wanted: Wanted, record: Mapping[str, Any], text: str) -> bool:
    said = [field for field in wanted.fields if record.get(field.name) is not None]
    return all(_field_agrees(field, record[field.name], text) for field in said) and all(
        currency_agrees(code, text) for field in said for code in currencies(field, record[field.name])
    )


def _opaque(wanted: Wanted, entries: Sequence[ProvenanceEntry]) -> list[Field]:
    """Give the text fields that people need not see, where they don't."""
    names = {wanted.property_at(entry.pointer) for entry in entries if entry.source != "markdown"}
    return [field for field in wanted.fields if field.kind == "text" and field.name in names and not must_show(field)]


def _is_written_otherwise(field: Field, value: Any, text: str) -> bool:
    """Tell whether the page states a field that its data has another value of, or a code of the same form."""
    if len(str(value)) >= _SHORTEST_CODE and any(_form(code) == _form(str(value)) for code in _CODE.findall(text)):
        return True
    own = "|".join(re.escape(word) for word in own_words(field) if len(word) > 1)
    return (
        bool(own) and re.search(rf"\b(?:{own})\b[^\w\n]{{0,6}}(?:\w+ )?[^\n]{{0,8}}\d", text, re.IGNORECASE) is not None
    )


def _form(code: str) -> str:
    return re.sub(r"\d", "0", re.sub(r"[^\W\d_]", "a", code)) if any(map(str.isdigit, code)) else code


def _unseen(wanted: Wanted, entries: Sequence[ProvenanceEntry]) -> list[Field]:
    """Give the fields that people should see on the page, and that its embedded data alone states."""
    names = {wanted.property_at(entry.pointer) for entry in entries if entry.source != "markdown"}
    return [field for field in wanted.fields if must_show(field) and field.name in names]


def _field_agrees(field: Field, value: Any, text: str) -> bool:
    if field.kind == "boolean" and is_called(field, "in_stock"):
        return _stock_agrees(value, text)
    if field.kind == "texts":
        return _are_a_list(value, text)
    if any(is_called(field, name) for name in _GIVEN) and says_it_is_empty(text):
        return False
    if field.kind == "number" and is_called(field, "price"):
        amounts = list(amounts_in(text))
        return not amounts or (
            any(amount == value and not (beside and value == 0) for amount, beside in amounts)
            and all(beside or amount == value for amount, beside in amounts)
        )
    return True


def _are_a_list(items: Sequence[str], text: str) -> bool:
    """Tell whether the page lists the items line by line, one after the other, with none before, between or after."""
    lines = [line for line in text.splitlines() if line.strip()]
    bullets = [match[1] if (match := _BULLET.match(line)) else None for line in lines]
    found = [None if bullet is None else plain(bullet) for bullet in bullets]
    wanted = [plain(item) for item in items]
    starts = [at for at in range(len(found)) if found[at : at + len(wanted)] == wanted]
    return len(starts) == 1 and all(
        not 0 <= at < len(found) or found[at] is None for at in (starts[0] - 1, starts[0] + len(wanted))
    )


def _stock_agrees(value: bool, text: str) -> bool:
    folded = text.casefold()
    gone = OUT.search(folded) is not None
    there = IN.search(OUT.sub(" ", folded)) is not None
    return not (gone and there) and not (there if not value else gone)


def main_part(markdown: str) -> Span:
    """Give the stretch from the first heading to the one that leads to other things."""
    headings = list(_LINE_OF_HEADING.finditer(markdown))
    start = headings[0].start() if headings else 0
    end = next((each.start() for each in headings[1:] if RELATED_TEXT.search(each[1])), len(markdown))
    return start, end


def _mentions_are_meant(wanted: Wanted, entries: Sequence[ProvenanceEntry], markdown: str) -> bool:
    """Tell whether the places that prove values speak of the fields: "3" is on every page, and so are dates."""
    fields = {field.name: field for field in wanted.fields}
    known = _known(entries)
    return all(
        _is_meant(fields[name], markdown, (entry.start, entry.end), known)
        for entry in entries
        if entry.start is not None
        and entry.end is not None
        and entry.source == "markdown"
        and (name := wanted.property_at(entry.pointer)) in fields
    )


def _is_within_another(mention: Span, known: Sequence[Span]) -> bool:
    return any(start <= mention[0] and mention[1] <= end and (start, end) != mention for start, end in known)


def _is_meant(field: Field, markdown: str, mention: Span, known: Sequence[Span]) -> bool:
    if field.kind == "number":
        return not _is_scaled(markdown, mention) and (
            is_called(field, "price") or _number_is_meant(field, markdown, mention, known)
        )
    return _words_are_meant(field, markdown, mention, known, main_part(markdown))


def _words_are_meant(field: Field, markdown: str, mention: Span, known: Sequence[Span], part: Span) -> bool:
    """Tell whether a date or a text of one ``part`` of the page stands there in its role."""
    if field.kind == "date":
        is_led = leads_elsewhere(field, markdown, mention, part, known)
        return not is_led and _date_is_meant(field, markdown, mention) and not _is_within_another(mention, known)
    after = markdown[mention[1] : mention[1] + NEAR]
    if _is_a_person(field) and _SECOND_PERSON.match(after):
        return False
    if not must_show(field):
        return True
    if field.kind == "text" and _OR_ANOTHER.match(after):
        return False
    near = known[bisect_left(known, part[:1]) : bisect_left(known, part[1:])]
    others = [span for span in near if span[1] <= mention[0] or span[0] >= mention[1]]
    return is_in_its_role(field, _unproven(part, others, markdown, gap=", "), markdown[slice(*mention)])


def _is_scaled(markdown: str, mention: Span) -> bool:
    """Tell whether a number is a part of what the page says: "1.2 million"."""
    scale = _SCALED.match(markdown, mention[1])
    return scale is not None and scale[1].casefold().rstrip(".") in SCALES


def _number_is_meant(field: Field, markdown: str, mention: Span, known: Sequence[Span]) -> bool:
    own, said = {word for words in field.all_names for word in words}, markdown[slice(*mention)]
    before, after = markdown[max(0, mention[0] - NEAR) : mention[0]], markdown[mention[1] : mention[1] + NEAR]
    if is_called(field, "rating") and _another_is_rated(markdown, mention):
        return False
    if "count" in own and _another_is_counted(own, markdown, said):
        return False
    if not is_counted_once(field, markdown[slice(*main_part(markdown))], said):
        return False
    if RANGE.match(after) or _RANGE_BEFORE.search(before):
        return False
    if leads_elsewhere(field, markdown, mention, main_part(markdown), known):
        return False
    is_led = not own_words(field).isdisjoint(words_of(before)[-1:])
    return is_led or not own.isdisjoint(words_of(before + said + after)) or _SCALE.match(after) is not None


def _date_is_meant(field: Field, markdown: str, mention: Span) -> bool:
    before, after = markdown[max(0, mention[0] - NEAR) : mention[0]], markdown[mention[1] : mention[1] + NEAR]
    said = set(words_of(re.split(r"[\n.;|·]|\d", before)[-1]))
    if not _DENYING.isdisjoint(said | set(words_of(re.split(r"[\n.;|·]", after)[0]))):
        return False
    is_one = not _is_a_date(_NEXT_DATE.match(after)) and not _is_a_date(_DATE_BEFORE.search(before))
    return is_one and said.isdisjoint(_DATES_OF_ANYTHING - _date_words(field))


def _is_a_date(match: re.Match[str] | None) -> bool:
    """Tell whether what a list of dates would go on with is one: its word, if it has one, is a month's."""
    words = [] if match is None else words_of(match["date"])
    return bool(words) and all(word.isdecimal() or word in MONTHS for word in words)


def _another_is_counted(own: set[str], markdown: str, stated: str) -> bool:
    """Tell whether the page counts the field's things with another number: "87 ratings, 12 reviews"."""
    start, end = main_part(markdown)
    counted = _COUNTED.findall(markdown, start, end)
    return any(number != stated and not own.isdisjoint(words_of(noun)) for number, noun in counted)


def _another_is_rated(markdown: str, mention: Span) -> bool:
    """Tell whether another rating stands under the same heading: the critics' and the customers'."""
    start = markdown.rfind("\n#", 0, mention[0]) + 1
    end = markdown.find("\n#", mention[1])
    found = _RATED.finditer(markdown, start, end if end >= 0 else len(markdown))
    return any(
        match[1] != markdown[slice(*mention)]
        and not SCALE_BEFORE.search(markdown[max(0, match.start() - NEAR) : match.start()])
        for match in found
    )


def _date_words(field: Field) -> set[str]:
    """Give the words that lead to the field's date, and those that lead to any."""
    own = own_words(field) | (_DATE_GROUPS[0] if field.names[0] == ("date",) else frozenset[str]())
    return own.union(*(group for group in _DATE_GROUPS if not group.isdisjoint(own)))


def _is_a_person(field: Field) -> bool:
    return any(words[-1] in _PERSONS for words in field.names)
