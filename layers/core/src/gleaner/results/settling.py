"""Settle a result: what makes it partial, what is only told, and in which words (PR-2, PR-3, PR-6, CM-1).

``CONDITIONS`` is the whole of it: what is not in this table makes no answer partial and is told to nobody.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.json_pointers import read_pointer, value_at
from gleaner.contracts.models import ExtractionConfig, ExtractionError, ExtractionResult, ProvenanceEntry
from gleaner.contracts.ports import JsonValue
from gleaner.judging.judge import OUTSIDE
from gleaner.judging.rejection import Rejection
from gleaner.results.counting import Counted
from gleaner.results.naive_times import lacks_offset
from gleaner.results.refused import REFUSED, dropped, message_of, named, warnings_of
from gleaner.results.tasks import count
from gleaner.schemas import violations
from gleaner.schemas.leaves import SchemaViews
from gleaner.values.conventions import date_of_two_readings, day_comes_first, day_first_by_language

NO_OFFSET = "the schema's format needs a UTC offset, and the page states none"
MOST_NAMED = 5
MOST_VALUES = 100
"""Values that warnings name one by one; the provenance has all of them."""

_LEAST_MIXED_UP = 3
_LONGEST_RIVAL = 60
_Field: TypeAlias = tuple[str, ...]


@dataclass(frozen=True)
class Case:
    """All that a result is settled by.

    ``proven`` is what the proof left, ``counted`` what the count found, ``data`` what is served. ``twins`` are equal
    records that went, ``beyond`` those that the schema has no room for after ``most``. ``naive`` are the times that
    went for want of an offset, by pointer. ``text`` and ``html`` are the page's.
    """

    proven: Rejection
    counted: Counted
    data: JsonValue
    schema: dict[str, Any] | bool
    config: ExtractionConfig
    text: str = ""
    html: str | None = None
    twins: int = 0
    beyond: int = 0
    most: int | None = None
    naive: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    has_errors: bool = False


class Condition(NamedTuple):
    """One thing that a caller is told: in a warning, or in an error of ``kind``, which makes the result partial."""

    says: str
    told: Callable[[Case], Iterable[str]]
    kind: ErrorType | None = None


def settle(result: ExtractionResult, case: Case) -> ExtractionResult:
    """Give the result with all that ``CONDITIONS`` say of it; partial with any error, or short of records."""
    result.completeness = case.counted.completeness
    for condition in CONDITIONS:
        for message in condition.told(case):
            if condition.kind is None:
                result.warnings.append(message)
            else:
                error = ExtractionError(error_type=condition.kind, message=message, retries_exhausted=True)
                result.errors.append(error)
    result.is_partial = result.is_partial or case.counted.is_short or bool(result.errors)
    return result


# What the proof refused


def _invented(case: Case) -> Iterator[str]:
    if records := case.proven.dropped:
        yield f"Dropped {dropped([one.value for one in records])}: not found on the page"


def _refused(case: Case) -> Iterator[str]:
    """Name each refused value: pointer, value, and why. Empty texts whose place may be empty are not worth a word."""
    groups: dict[tuple[str, str], list[ProvenanceEntry]] = defaultdict(list)
    flagged, mode = set(case.proven.flagged), case.config.ungrounded
    for entry in _without_proof(case.proven.entries) if mode != "keep" else ():
        is_kept = mode == "flag" or entry.pointer in flagged
        if is_kept or entry.value != "":
            groups["Kept without proof" if is_kept else "Dropped", entry.reason or ""].append(entry)
    for (what, reason), entries in groups.items():
        where = " (see provenance)" if len(entries) > MOST_VALUES else ""
        yield f"{what}: {named(entries, MOST_VALUES)}{where}: {reason}"


def _without_proof(entries: Iterable[ProvenanceEntry]) -> list[ProvenanceEntry]:
    return [one for one in entries if one.status == "ungrounded" and one.transform != REFUSED]


def _required_refused(case: Case) -> Iterator[str]:
    if required := _required(case):
        yield f"{count(required, 'required value')} without proof: {_listed(required)}"


def _mostly_refused(case: Case) -> Iterator[str]:
    """Name the objects of which more than half of the values were refused, and the fields that are one record off."""
    if case.config.ungrounded == "keep" or not _without_proof(case.proven.entries) or _required(case):
        return
    objects, fields = defaultdict[str, list[bool]](list), defaultdict[_Field, list[bool]](list)
    for entry in case.proven.entries:
        if entry.transform != REFUSED:
            is_refused = entry.status == "ungrounded"
            objects[_object_of(entry.pointer)].append(is_refused and entry.value != "")
            fields[_field_of(entry.pointer)].append(is_refused and entry.reason == OUTSIDE)
    mostly = [pointer for pointer, own in objects.items() if sum(own) * 2 > len(own)]
    off = [one for one, own in fields.items() if len(own) >= _LEAST_MIXED_UP and sum(own) * 2 > len(own)]
    mostly += ["/" + "/".join(one) for one in off]
    if mostly:
        yield f"most of the model's values have no proof: {_listed(mostly)}"


def _required(case: Case) -> list[str]:
    """Give the required values that were refused, and the required lists of which each item was."""
    views, refused = SchemaViews(case.schema), _without_proof(case.proven.entries)
    if case.config.ungrounded == "keep" or not refused:
        return []
    items = [one for one in case.proven.entries if _field_of(one.pointer)[-1:] == ("*",)]
    lists = {one.pointer.rpartition("/")[0] for one in _without_proof(items)}
    lists -= {one.pointer.rpartition("/")[0] for one in items if one.status != "ungrounded"}
    own = [one.pointer for one in refused if _is_required(_field_of(one.pointer), views)]
    return own + sorted(one for one in lists if not one or views.is_required(_field_of(one)))


def _is_required(field_of: _Field, views: SchemaViews) -> bool:
    return not field_of or (field_of[-1] != "*" and views.is_required(field_of))


def _object_of(pointer: str) -> str:
    """Give the object that a leaf belongs to: the items of a list of texts are values of the object around the list."""
    above, _, name = pointer.rpartition("/")
    while above and (name.isdigit() or name == "-"):
        above, _, name = above.rpartition("/")
    return above


def _field_of(pointer: str) -> _Field:
    """Give a pointer's field: ``*`` for the numbers of records and items."""
    return tuple("*" if step.isdigit() or step == "-" else step for step in read_pointer(pointer))


def _listed(pointers: Sequence[str]) -> str:
    said = ", ".join(pointer or "the data itself" for pointer in pointers[:MOST_NAMED])
    return said + (f" and {len(pointers) - MOST_NAMED} more" if len(pointers) > MOST_NAMED else "")


def _withheld(case: Case) -> Iterable[str]:
    return warnings_of(case.proven.withheld)


def _items_withheld(case: Case) -> Iterator[str]:
    if case.proven.withheld:
        yield message_of(case.proven.withheld)


# What is doubted


def refuse_doubtful(
    entries: Sequence[ProvenanceEntry], data: JsonValue, config: ExtractionConfig
) -> tuple[ProvenanceEntry, ...]:
    """Give the entries with the doubtful values refused, where ``doubtful`` is "null"; else as they are."""
    if config.doubtful != "null":
        return tuple(entries)
    return tuple(
        entry
        if entry.doubt is None
        else ProvenanceEntry(
            pointer=entry.pointer,
            status="ungrounded",
            value=value_at(data, entry.pointer),
            reason=entry.doubt,
            rival=entry.rival,
        )
        for entry in entries
    )


def _doubted(case: Case) -> Iterator[str]:
    """Name the doubtful values, those of one doubt together: pointer, value, doubt, and a rival's value."""
    groups: dict[str, list[ProvenanceEntry]] = defaultdict(list)
    for entry in case.proven.entries:
        if entry.doubt is not None:
            value = value_at(case.proven.data, entry.pointer)
            groups[entry.doubt].append(entry.model_copy(update={"value": value}))
    for doubt, own in groups.items():
        rival = own[0].rival if len(own) == 1 else None
        more = "" if rival is None else f' ("{_excerpt(str(rival.value), str(own[0].value))}")'
        yield f"Doubtful: {named(own, MOST_VALUES)}: {doubt}{more}"


def _excerpt(text: str, value: str) -> str:
    """Give what is quoted of a rival: its beginning, or from the value on where that stands further behind."""
    at = text.find(value)
    return text[:_LONGEST_RIVAL] if at + len(value) < _LONGEST_RIVAL else f"…{text[at:][:_LONGEST_RIVAL]}"


def _unwanted_doubts(case: Case) -> Iterator[str]:
    pointers = [entry.pointer for entry in case.proven.entries if entry.doubt is not None]
    if case.config.doubtful == "partial" and pointers:
        yield f"{count(pointers, 'doubtful value')}: {_listed(pointers)}"


def _days_of_two_readings(case: Case) -> Iterator[str]:
    dates = [
        (entry.pointer, said)
        for entry in case.proven.entries
        if (entry.transform or "").endswith("date") and entry.source == "markdown" and entry.start is not None
        if (said := date_of_two_readings(case.text[entry.start : entry.end]))
    ]
    if dates and (day_comes_first(case.text), day_first_by_language(case.html or "")) == (None, None):
        taken = ", ".join(pointer for pointer, _ in dates[:MOST_NAMED])
        yield (
            f'The page does not tell whether "{dates[0][1]}" begins with the day or with the month: '
            f"{count(dates, 'date')} taken as answered: {taken}"
        )


# What the schema, the count and the caller's wishes leave out


def _twins(case: Case) -> Iterator[str]:
    alike = "equal to" if case.config.dedupe == "exact" else "with the keys of"
    if case.twins:
        yield f'{count(range(case.twins), "record")} {alike} another one dropped: dedupe "none" keeps them'


def _beyond(case: Case) -> Iterator[str]:
    if case.beyond:
        yield f"the schema allows at most {case.most} records (maxItems); {case.beyond} were dropped"


def _without_offset(case: Case) -> Iterator[str]:
    if case.naive:
        entries = [ProvenanceEntry(pointer=one, status="ungrounded", value=value) for one, value in case.naive.items()]
        yield f"Dropped: {named(entries, MOST_VALUES)}: {NO_OFFSET}"


def _empty_with(*kinds: ErrorType) -> Callable[[Case], Iterator[str]]:
    def told(case: Case) -> Iterator[str]:
        if case.counted.why_empty is not None and case.counted.why_empty[0] in kinds:
            yield case.counted.why_empty[1]

    return told


def _count_says(case: Case) -> Iterable[str]:
    return case.counted.warnings


def _losses(case: Case) -> Iterable[str]:
    return case.counted.losses


def _outside(case: Case) -> Iterator[str]:
    if outside := case.counted.outside:
        stand = "stands" if len(outside) == 1 else "stand"
        yield f"{count(outside, 'record')} {stand} in no entry of the list that the others stand in: {_listed(outside)}"


def _broken(case: Case) -> Iterator[str]:
    found = violations(case.schema, case.data) if case.data is not None or not case.has_errors else []
    if found:
        said = "; ".join(
            f"{one.pointer or '/'}: {f'{one.message}: {NO_OFFSET}' if lacks_offset(one, case.data) else one.message}"
            for one in found[:MOST_NAMED]
        )
        yield f"the data does not match the schema: {said}"


CONDITIONS: tuple[Condition, ...] = (
    Condition("A record of which nothing is proven is dropped, and named.", _invented),
    Condition("A value without proof is null or gone, kept where it must be, and named with its reason.", _refused),
    Condition("A doubtful value is kept, and named with its doubt and its rival.", _doubted),
    Condition("Days that read in two ways, on a page that never tells which, are named.", _days_of_two_readings),
    Condition("An item that is withheld for want of a required value is named (PR-7).", _withheld),
    Condition("Equal records that dedupe takes out are counted.", _twins),
    Condition(
        "A listing that is short of records is partial; that, and where it goes on elsewhere, is told in numbers.",
        _count_says,
    ),
    Condition("A time without an offset is null where the schema wants one, and named.", _without_offset),
    Condition("Records beyond maxItems are dropped; the result is partial.", _beyond, ErrorType.VALIDATION_ERROR),
    Condition(
        "Columns, cells and items of lists that the page shows and no record has make the result partial.",
        _losses,
        ErrorType.MISSING_UNITS,
    ),
    Condition(
        "A record that a sentence beside the list states, and nothing else, makes the result partial.",
        _outside,
        ErrorType.UNGROUNDED,
    ),
    Condition(
        "No records from a page that asks for a login are no empty list.",
        _empty_with(ErrorType.UNAUTHORIZED),
        ErrorType.UNAUTHORIZED,
    ),
    Condition(
        "No records from a page that shows an error, or values like the schema's, are no empty list.",
        _empty_with(ErrorType.EMPTY_ANSWER),
        ErrorType.EMPTY_ANSWER,
    ),
    Condition("Withheld items make the result partial.", _items_withheld, ErrorType.UNGROUNDED),
    Condition("A required value without proof makes the result partial.", _required_refused, ErrorType.UNGROUNDED),
    Condition(
        "An object of which most values are refused is no answer, nor a field that is one record off.",
        _mostly_refused,
        ErrorType.UNGROUNDED,
    ),
    Condition("Doubtful values make the result partial for who asks that.", _unwanted_doubts, ErrorType.UNGROUNDED),
    Condition("Data that breaks the schema is partial.", _broken, ErrorType.VALIDATION_ERROR),
)


def warn_of_unenforced_schema(result: ExtractionResult, reason: str) -> None:
    """Say in the result that its answer is in words, and for what ``reason`` its schema can't be enforced."""
    message = f"the output_schema can't be enforced ({reason}): the answer is free text"
    result.is_partial = True
    result.warnings.insert(0, message)
    result.errors.append(ExtractionError(error_type=ErrorType.INVALID_SCHEMA, message=message, retries_exhausted=True))


MOST_SHOWN: Final = 0.8
"""Of a listing that states more, a page shows at most this share: a few more could be records that were overlooked."""


def shows_less_than_it_states(result: ExtractionResult) -> bool:
    """Tell whether all that a result is short of is records that the page counts and does not show.

    Each piece of the page has its record, and the page states many more.
    """
    found = result.completeness
    is_by_total = found.method == "stated_total" and not found.missing and not result.errors
    return is_by_total and found.expected is not None and 0 < found.returned <= MOST_SHOWN * found.expected


def is_first_page(result: ExtractionResult) -> bool:
    """Tell whether all that is missing is on other pages of a listing: a model that reads this one would find no more.

    Where the page states a range, its records should all be here; so may be a second half, as cards or in a table.
    """
    found = result.completeness
    is_of_listing = found.expected is not None and found.expected == found.listing_total
    return is_of_listing and shows_less_than_it_states(result) and 2 * found.returned <= (found.expected or 0)


def tell_unread(result: ExtractionResult, unread: Mapping[str, str], labelled: Collection[str] = ()) -> None:
    """Name the fields that were not read, by name with the reason; partial where the page has ``labelled`` some.

    >>> result = ExtractionResult(data={"name": "Mug"})
    >>> tell_unread(result, {"gtin": "the page's own data has no value"}, ["gtin"])
    >>> result.completeness.unread, result.is_partial
    (['gtin'], True)
    """
    if not unread:
        return
    result.completeness.unread = [*unread]
    reasons: dict[str, list[str]] = {}
    for name, why in unread.items():
        reasons.setdefault(why, []).append(name)
    said = "; ".join(f"{', '.join(names)} ({why})" for why, names in reasons.items())
    result.warnings.append(f"Not read: {said}.")
    if labelled:
        named = ", ".join(name for name in unread if name in labelled)
        message = f"the page seems to state {named}, which only a model could read: none was asked"
        error = ExtractionError(error_type=ErrorType.NO_MODEL, message=message, retries_exhausted=True)
        result.errors.append(error)
        result.is_partial = True
