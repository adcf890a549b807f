"""Each condition that a result is settled by: what it says, and whether it makes the result partial."""

from dataclasses import replace
from typing import Any

import pytest
from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.models import Completeness, ExtractionConfig, ExtractionResult, ProvenanceEntry, Rival
from gleaner.judging.judge import OUTSIDE
from gleaner.judging.rejection import DroppedRecord, Rejection, WithheldItem
from gleaner.results.counting import Counted
from gleaner.results.settling import CONDITIONS, Case, settle

ITEM = {"type": "object", "properties": {"name": {"type": "string"}, "day": {}, "size": {}}, "required": ["name"]}
SCHEMA: Any = {"type": "array", "items": ITEM}
DATA: Any = [{"name": "Oak", "day": "2024-03-04", "size": None}]
PROVEN = [ProvenanceEntry(pointer=f"/0/{name}", status="verbatim") for name in ("name", "day")]
PLAIN = Case(
    Rejection(DATA, tuple(PROVEN)), Counted(Completeness(expected=1, returned=1)), DATA, SCHEMA, ExtractionConfig()
)


def refused(pointer: str, value: Any = 7, reason: str = "not found on the page") -> ProvenanceEntry:
    return ProvenanceEntry(pointer=pointer, status="ungrounded", value=value, reason=reason)


def doubted(**config: Any) -> Case:
    doubt = PROVEN[1].model_copy(update={"doubt": "another one fits better", "rival": Rival(value="2024-05-06")})
    return with_entries(PROVEN[0], doubt, config=ExtractionConfig(**config))


def with_entries(*entries: ProvenanceEntry, **more: Any) -> Case:
    return replace(PLAIN, proven=Rejection(DATA, entries), **more)


def counted(**found: Any) -> Case:
    return replace(PLAIN, counted=replace(PLAIN.counted, **found))


DAY = ProvenanceEntry(pointer="/0/day", status="normalized", transform="date", start=4, end=14)
FEW = [refused(f"/{at}/size", reason=OUTSIDE) for at in range(3)]
TWO = [ProvenanceEntry(pointer=f"/{at}/{name}", status="verbatim") for at in range(3) for name in ("name", "day")]
HELD = replace(PLAIN, proven=PLAIN.proven._replace(withheld=(WithheldItem("/1", {"day": 4}, "/-/name", "not given"),)))
ROWS: tuple[tuple[Case, str], ...] = (
    (replace(PLAIN, proven=Rejection(DATA, tuple(PROVEN), (DroppedRecord("/1", {"name": "Elf"}),))), "Elf"),
    (with_entries(*PROVEN, refused("/0/size")), "Dropped: /0/size (7): not found on the page"),
    (doubted(), 'Doubtful: /0/day ("2024-03-04"): another one fits better ("2024-05-06")'),
    (with_entries(DAY, text="on, 04/03/2024."), "begins with the day or with the month"),
    (HELD, 'Withheld {"day":4}: /-/name: not given'),
    (replace(PLAIN, twins=2), '2 records equal to another one dropped: dedupe "none" keeps them'),
    (counted(warnings=("1 of 2 records were extracted.",)), "1 of 2 records"),
    (replace(PLAIN, naive={"/0/day": "2024-03-04T10:00"}), "needs a UTC offset"),
    (replace(PLAIN, beyond=3, most=1), "at most 1 records (maxItems); 3 were dropped"),
    (counted(losses=["/0/tags: 1 of 2"]), "/0/tags: 1 of 2"),
    (counted(outside=("/5",)), "1 record stands in no entry of the list that the others stand in: /5"),
    (counted(why_empty=(ErrorType.UNAUTHORIZED, "the page asks for a login")), "asks for a login"),
    (counted(why_empty=(ErrorType.EMPTY_ANSWER, 'the page says "Maintenance"')), "Maintenance"),
    (HELD, "1 item withheld for want of a required value: /-/name: not given"),
    (with_entries(*PROVEN, refused("/0/name")), "1 required value without proof: /0/name"),
    (with_entries(*FEW, *TWO), "most of the model's values have no proof: /*/size"),
    (doubted(doubtful="partial"), "1 doubtful value: /0/day"),
    (replace(PLAIN, data=[{"day": None}]), "the data does not match the schema: /0"),
)
"""One case for each condition, in their order, with a part of what it tells."""


@pytest.mark.req("PR-2", "PR-3", "PR-6", "CM-1")
@pytest.mark.parametrize("at", range(len(CONDITIONS)), ids=[one.says for one in CONDITIONS])
def test_each_condition_is_told_and_makes_the_result_partial_if_it_is_an_error(at: int) -> None:
    case, said = ROWS[at]
    result = settle(ExtractionResult(), case)
    told = [one.message for one in result.errors if one.error_type is CONDITIONS[at].kind]
    assert any(said in one for one in (told if CONDITIONS[at].kind else result.warnings))
    assert [one.told for one in CONDITIONS[at:] if [*one.told(case)]][:1] == [CONDITIONS[at].told]
    assert result.is_partial is bool(result.errors)


def test_what_no_condition_speaks_of_is_complete() -> None:
    result = settle(ExtractionResult(), PLAIN)
    assert (result.is_partial, result.errors, result.warnings) == (False, [], [])
    assert (len(ROWS), len({one.says for one in CONDITIONS})) == (len(CONDITIONS), len(CONDITIONS))


@pytest.mark.req("CM-1")
def test_a_result_short_of_records_is_partial_without_an_error() -> None:
    result = settle(ExtractionResult(), counted(is_short=True))
    assert (result.is_partial, result.errors) == (True, [])


@pytest.mark.req("PR-2")
def test_who_keeps_unproven_values_is_told_of_none_and_who_wants_flags_of_all() -> None:
    entries = (*PROVEN, refused("/0/name"))
    for mode, said in (("keep", []), ("flag", ["Kept without proof: /0/name (7): not found on the page"])):
        result = settle(ExtractionResult(), with_entries(*entries, config=ExtractionConfig(ungrounded=mode)))  # type: ignore[arg-type]
        assert (result.warnings, result.is_partial) == (said, mode == "flag")
