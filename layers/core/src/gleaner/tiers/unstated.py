"""What a layout does not state: asked of a model on two of its pages, and then only where a label is (RC-6)."""

from collections.abc import Collection
from typing import Any

from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.models import ExtractionResult
from gleaner.jobs.aggregates import records_of
from gleaner.schemas import declared_properties, declared_types
from gleaner.schemas.fields import fields_of
from gleaner.structured import labelled
from gleaner.tiers.work import Work, strategies_of
from gleaner.wrappers import PAGES_TO_BELIEVE, RecipeBook


def fields_to_ask(work: Work, unread: Collection[str], unseen: Collection[str] = ()) -> list[str]:
    """Give those of the fields, by dotted name, that the page may state as far as is known of its layout.

    Of the ``unseen`` a recipe has looked for labels, and for whatever else is new, and found nothing.
    """
    if not unread and not unseen:
        return []
    book = RecipeBook(work.services.table, work.plan.ref.tenant)
    pages: dict[str, set[str]] = {name: set() for name in (*unread, *unseen)}
    for strategy_id in strategies_of(work):
        for name, known in book.unstated(strategy_id).items():
            pages.setdefault(name, set()).update(known)
    silent = {name for name, known in pages.items() if len(known) >= PAGES_TO_BELIEVE}
    said = labelled(silent.intersection(unread), fields_of(work.schema, unread), work.markdown)
    return [name for name in (*unread, *unseen) if name not in silent or name in said]


def note_unstated(work: Work, found: ExtractionResult, strategy_id: str) -> None:
    """Remember for which fields a model that read the page gave no value: in none of its records.

    A field is believed to be stated by the layout, and asked about for ever, where a page states it without a label.
    """
    if found.tier != "model" or found.errors:
        return
    records = records_of(found)[0]
    names = _names_of(work)
    fields = [one for one in fields_of(work.schema, names) if one.may_be_absent or one.key in names]
    asked = [one.key for one in fields if found.field_tiers.get("/".join(one.path), "model") == "model"]
    refused = {_name(work, entry.pointer) for entry in found.provenance if entry.status == "ungrounded"}
    empty = [name for name in asked if not any(_value_at(one, name) for one in records)]
    given = [name for name in asked if name not in empty]
    stated = {*given} - labelled(given, fields_of(work.schema, given), work.markdown)
    if records and (empty or stated):
        book = RecipeBook(work.services.table, work.plan.ref.tenant)
        book.note_unstated(strategy_id, work.stored.page_id, {*empty} - refused, stated)


def _names_of(work: Work) -> list[str]:
    """Give the fields of the records that take null, as far as they are none of an object inside."""
    path = work.records_at
    declared = declared_properties(path.item_schema if path else work.schema) if work.schema is not None else {}
    return [name for name, own in declared.items() if "null" in declared_types(own)]


def _name(work: Work, pointer: str) -> str:
    """Give the dotted name of the field that a pointer into the data leads to."""
    path = work.records_at
    steps = read_pointer(pointer)
    return ".".join(steps if path is None else steps[len(read_pointer(path.pointer)) + 1 :])


def _value_at(record: Any, name: str) -> bool:
    """Tell whether a record has a value of the field."""
    for step in name.split("."):
        record = record.get(step) if isinstance(record, dict) else None
    return record not in (None, "", [])
