"""Report the list items that are withheld for want of a required value (PR-7)."""

from collections.abc import Iterable, Sequence

from gleaner.contracts.json_text import canonical
from gleaner.contracts.models import Withheld
from gleaner.judging.rejection import Rejection, WithheldItem
from gleaner.results.tasks import count

_MOST_NAMED = 5
_LONGEST_ITEM, _LONGEST_VALUE = 100, 60


def as_withheld(one: WithheldItem) -> Withheld:
    """Give a withheld item as a result has it."""
    return Withheld(item=one.value, pointer=one.leaf, reason=one.reason)


def warnings_of(withheld: Sequence[WithheldItem]) -> list[str]:
    """Name each withheld item, those beyond the first five by their number alone."""
    named = [f"Withheld {canonical(one.value)[:_LONGEST_ITEM]}: {_why(one)}" for one in withheld[:_MOST_NAMED]]
    more = len(withheld) - _MOST_NAMED
    return [*named, f"{more} more withheld: see withheld"] if more > 0 else named


def _why(one: WithheldItem) -> str:
    value = f" ({canonical(one.entries[0].value)[:_LONGEST_VALUE]})" if one.entries else ""
    return f"{one.leaf}{value}: {one.reason}"


def message_of(withheld: Sequence[WithheldItem]) -> str:
    """Say in one sentence how many items are withheld, and why."""
    return f"{count(withheld, 'item')} withheld for want of a required value: {_reasons(withheld)}"


def _reasons(withheld: Iterable[WithheldItem]) -> str:
    said = list(dict.fromkeys(f"{one.leaf}: {one.reason}" for one in withheld))
    return "; ".join(said[:_MOST_NAMED]) + ("; …" if len(said) > _MOST_NAMED else "")


def lost_records(proven: Rejection) -> list[str]:
    """Give the pointers, in the data as it came, of the records that are in no answer: invented or withheld."""
    return [one.pointer for one in (*proven.dropped, *proven.withheld)]
