"""From what the chunks gave to the result: counted, proven, joined, whatever the chunks themselves have noticed."""

from typing import Any

import pytest
from gleaner.extraction import ChunkExtractionResult, ExtractionConfig, ExtractionResult, assemble
from gleaner.page.model import Page
from gleaner.results.records import marked_records
from gleaner.units.markdown_units import find_markdown_units

from tests.support.schemas import MAYBE_NUMBER, MAYBE_TEXT, TEXT, list_of, object_of

NAMES = ["Alder", "Beech", "Cedar", "Dogwood", "Elm", "Fir"]
HEAD = "# Trees\n\n| Name | Price |\n| --- | --- |\n"
ITEM: dict[str, Any] = object_of(name=MAYBE_TEXT, price=MAYBE_NUMBER)
LIST: dict[str, Any] = {"type": "array", "items": ITEM}


def row(name: str, price: float) -> str:
    return f"| {name} | ${price} |\n"


TREES = [(name, 11.5 + number * 7) for number, name in enumerate(NAMES)]
PAGE = HEAD + "".join(row(*tree) for tree in TREES)
RECORDS: list[Any] = [{"name": name, "price": price} for name, price in TREES]


def assembled(
    data: Any, page: str = PAGE, schema: Any = LIST, answered: list[int] | None = None, **more: Any
) -> ExtractionResult:
    """Assemble the answer of one chunk that holds a record for each of the first units, and complains of nothing."""
    units = find_markdown_units(page)
    numbers = list(range(len(data))) if answered is None else answered
    outcome = ChunkExtractionResult(
        data=data,
        record_spans=[(units[number].start, units[number].end) for number in numbers],
        answered=numbers,
        skipped=more.pop("skipped", []),
    )
    return put_together([outcome], page, schema, **more)


def put_together(
    outcomes: list[ChunkExtractionResult], page: str, schema: Any, chunk_starts: tuple[int, ...] = (0,), **config: Any
) -> ExtractionResult:
    return assemble(
        outcomes,
        page=Page.from_markdown(page, "https://trees.example/"),
        units=find_markdown_units(page),
        schema=schema,
        query=None,
        config=ExtractionConfig(**config),
        chunk_starts=chunk_starts,
    )


@pytest.mark.req("CM-1", "PR-1")
def test_a_whole_list_is_complete_and_proven() -> None:
    result = assembled(RECORDS)
    assert not result.is_partial
    assert (result.completeness.expected, result.completeness.returned, result.completeness.method) == (6, 6, "units")
    assert (result.warnings, result.errors) == ([], [])
    assert {entry.status for entry in result.provenance} == {"verbatim"}


@pytest.mark.req("CM-1")
def test_a_unit_without_a_record_makes_the_result_partial_though_no_chunk_says_so() -> None:
    result = assembled(RECORDS[:5])
    assert result.is_partial
    assert [unit.text for unit in result.completeness.missing] == ["| Fir | $46.5 |"]
    assert any(warning.startswith("5 of 6 records") for warning in result.warnings)


@pytest.mark.req("CM-1", "PR-2")
def test_a_record_of_another_place_given_twice_leaves_its_own_place_missing() -> None:
    result = assembled([*RECORDS[:5], RECORDS[0]])
    assert result.is_partial
    assert (result.completeness.expected, result.completeness.returned) == (6, 5)
    assert [unit.text for unit in result.completeness.missing] == ["| Fir | $46.5 |"]


@pytest.mark.req("CM-1")
def test_a_unit_that_only_ends_with_the_next_records_name_has_no_record() -> None:
    pairs = zip(TREES, [*NAMES[1:], "none"], strict=True)
    page = HEAD + "".join(f"| {name} | ${price} then: {after} |\n" for (name, price), after in pairs)
    spans = [(unit.start, unit.end) for unit in find_markdown_units(page)]
    left = [0, 1, 2, 3, 5]
    outcome = ChunkExtractionResult(
        data=[RECORDS[at] for at in left], record_spans=[spans[at] for at in left], answered=[*range(6)]
    )
    result = put_together([outcome], page, LIST)
    assert (result.is_partial, result.completeness.returned) == (True, 5)
    assert [unit.text for unit in result.completeness.missing] == ["| Elm | $39.5 then: Fir |"]


@pytest.mark.req("CM-1", "PR-3")
@pytest.mark.parametrize(
    ("more", "is_outside"),
    [("Soon to come: a gorse, as low as $99.25.\n", True), ("| gorse | $99.25 |\n", False)],
)
def test_a_record_that_stands_in_no_unit_of_the_list_makes_it_partial_and_is_named(more: str, is_outside: bool) -> None:
    page = PAGE + "\n" * is_outside + more
    spans = [(unit.start, unit.end) for unit in find_markdown_units(page)][: 7 - is_outside]
    outcome = ChunkExtractionResult(
        data=[*RECORDS, {"name": "gorse", "price": 99.25}],
        record_spans=[*spans, *[(page.index("gorse"), len(page))] * is_outside],
        answered=[*range(len(spans))],
    )
    result = put_together([outcome], page, LIST)
    said = "1 record stands in no entry of the list that the others stand in: /6"
    assert [error.message for error in result.errors] == [said] * is_outside
    assert result.is_partial is is_outside


@pytest.mark.req("CM-1", "PR-2")
def test_a_record_that_the_page_does_not_state_is_left_out_and_its_place_is_missing() -> None:
    result = assembled([*RECORDS[:5], {"name": "Ginkgo", "price": 99.25}])
    assert result.data == RECORDS[:5]
    assert result.is_partial
    assert [unit.text for unit in result.completeness.missing] == ["| Fir | $46.5 |"]
    assert 'Dropped 1 record ({"name":"Ginkgo","price":99.25}): not found on the page' in result.warnings


STRICT = {"type": "array", "items": {**ITEM, "required": ["price"], "properties": {"price": {"type": "number"}}}}


@pytest.mark.req("PR-7")
def test_a_record_without_proof_of_a_required_value_is_withheld_and_missing() -> None:
    wrong = {"name": "Alder", "price": 99.25}
    result = assembled([wrong, *RECORDS[1:]], schema=STRICT)
    assert (result.data, result.is_partial) == (RECORDS[1:], True)
    assert [(one.item, one.pointer, one.reason) for one in result.withheld] == [
        (wrong, "/-/price", "not found on the page")
    ]
    assert [(one.pointer, one.value) for one in result.provenance if one.status == "ungrounded"] == [
        ("/-/price", 99.25)
    ]
    assert [error.error_type for error in result.errors] == ["ungrounded"]
    said = 'Withheld {"name":"Alder","price":99.25}: /-/price (99.25): not found on the page'
    assert said in result.warnings
    counted = result.completeness
    assert (counted.expected, counted.returned, [one.text for one in counted.missing]) == (6, 5, ["| Alder | $11.5 |"])


@pytest.mark.req("PR-7")
@pytest.mark.parametrize("ungrounded", ["flag", "keep"])
def test_a_record_is_served_where_the_request_wants_what_has_no_proof(ungrounded: str) -> None:
    wrong = [{"name": "Alder", "price": 99.25}, *RECORDS[1:]]
    result = assembled(wrong, schema=STRICT, ungrounded=ungrounded)
    assert (result.data, result.withheld) == (wrong, [])
    assert marked_records(result)[0] == {**wrong[0], "_unproven": ["/price"]}


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    "said", ["XX-9{}", "978-3-16-14841{}", "A broad tree of some 3{} years", "a wood that rots", ""]
)
@pytest.mark.parametrize("is_required", [True, False])
def test_a_column_that_the_page_states_nowhere_makes_a_list_partial_where_it_is_required(
    said: str, is_required: bool
) -> None:
    names = ["more"] if is_required else []
    added = {"type": "object", "required": names, "properties": {**ITEM["properties"], "more": {"type": "string"}}}
    data = [{**record, "more": said.format(number)} for number, record in enumerate(RECORDS)]
    result = assembled(data, schema={"type": "array", "items": added})
    assert result.is_partial is is_required
    said = ["6 items withheld for want of a required value"] * is_required
    assert [error.message.split(":")[0] for error in result.errors] == said
    assert result.data == ([] if is_required else RECORDS)


@pytest.mark.req("PR-3")
def test_a_field_marked_as_derived_needs_no_proof_and_no_word() -> None:
    derived = {"type": "string", "x-derived": True}
    item = {"type": "object", "required": ["sort"], "properties": {**ITEM["properties"], "sort": derived}}
    result = assembled([{**one, "sort": "a tree"} for one in RECORDS], schema={"type": "array", "items": item})
    assert (result.is_partial, result.warnings) == (False, [])


@pytest.mark.req("PR-3")
@pytest.mark.parametrize("field", ["vendor", "currency", "category", "summary"])
def test_a_required_value_without_proof_makes_the_one_thing_partial_and_is_named(field: str) -> None:
    schema = {"type": "object", "properties": {"name": {"type": "string"}, field: {"type": "string"}}}
    result = assembled({"name": "Dogwood", field: "Zorbital"}, schema={**schema, "required": ["name", field]})
    assert (result.data[field], result.is_partial) == ("Zorbital", True)
    assert result.warnings == [f'Kept without proof: /{field} ("Zorbital"): not found on the page']
    assert [(one.pointer, one.reason) for one in result.provenance if one.status == "ungrounded"] == [
        (f"/{field}", "not found on the page")
    ]


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(("invented", "is_partial"), [(1, False), (2, True), (3, True)])
def test_an_object_of_which_most_values_were_refused_is_partial(invented: int, is_partial: bool) -> None:
    names = ["maker", "place", "colour"][:invented]
    fields = {name: {"type": ["string", "null"]} for name in ["name", *names]}
    answer = {"name": "Dogwood", **dict.fromkeys(names, "Zorbital")}
    result = assembled(answer, schema={"type": "object", "properties": fields})
    assert result.is_partial is is_partial
    assert result.data == {"name": "Dogwood", **dict.fromkeys(names)}


@pytest.mark.req("PR-3")
def test_a_required_list_of_which_every_item_was_refused_makes_the_result_partial() -> None:
    schema = object_of("name", "uses", name=TEXT, uses=list_of(TEXT))
    kept = assembled({"name": "Dogwood", "uses": ["Fir", "rafts"]}, schema=schema)
    assert (kept.data["uses"], kept.is_partial) == (["Fir"], False)
    lost = assembled({"name": "Dogwood", "uses": ["rafts"]}, schema=schema)
    assert (lost.data["uses"], lost.is_partial) == ([], True)


@pytest.mark.req("PR-1", "MG-1")
def test_chunks_are_named_in_the_proof_and_joined_in_page_order() -> None:
    border = PAGE.index("| Dogwood")
    spans = [(unit.start, unit.end) for unit in find_markdown_units(PAGE)]
    outcomes = [
        ChunkExtractionResult(chunk_index=1, data=RECORDS[3:], record_spans=[*spans[3:]], answered=[3, 4, 5]),
        ChunkExtractionResult(chunk_index=0, data=RECORDS[:3], record_spans=[*spans[:3]], answered=[0, 1, 2]),
    ]
    result = put_together(outcomes, PAGE, LIST, chunk_starts=(0, border))
    assert result.data == RECORDS
    assert [entry.chunk for entry in result.provenance] == [0] * 6 + [1] * 6
    for entry in result.provenance:
        start, end = spans[int(entry.pointer.split("/")[1])]
        assert entry.start is not None
        assert start <= entry.start < end


@pytest.mark.req("MG-1")
def test_what_two_chunks_say_otherwise_of_one_thing_is_listed() -> None:
    thing = {"type": "object", "properties": {"name": {"type": "string"}, "tags": {"type": "array"}}}
    outcomes = [
        ChunkExtractionResult(chunk_index=0, data={"name": "Alder", "tags": ["wood", "wet"]}),
        ChunkExtractionResult(chunk_index=1, data={"name": "Birch", "tags": ["wet", "white"]}),
    ]
    result = put_together(outcomes, "Alder: wood, wet. Birch: wet, white.", thing)
    assert result.data == {"name": "Birch", "tags": ["wood", "wet", "white"]}
    assert result.conflicts == ['/name: "Alder" then "Birch"']


@pytest.mark.req("SC-1", "CM-1")
def test_data_that_breaks_the_schema_as_a_whole_is_partial_and_says_where() -> None:
    result = assembled(RECORDS, schema={**LIST, "minItems": 7})
    assert result.is_partial
    assert result.errors[0].error_type == "validation_error"
    assert result.data == RECORDS


@pytest.mark.req("PR-1", "SC-4")
@pytest.mark.parametrize(
    ("said", "is_told"),
    [("03/04/2026", False), ("04/04/2026", True), ("03/04/2026, last 28/04/2026", True), ("3 April 2026", True)],
)
def test_a_day_that_the_page_writes_in_two_ways_is_warned_of(said: str, is_told: bool) -> None:
    schema = {"type": "object", "properties": {"day": {"type": "string", "format": "date"}}}
    day = "2026-04-04" if said.startswith("04") else "2026-04-03"
    outcome = ChunkExtractionResult(data={"day": day})
    result = put_together([outcome], f"# Match\n\nPlayed on {said}.\n", schema)
    assert (result.data, result.is_partial) == ({"day": day}, False)
    assert any("/day" in warning and "03/04/2026" in warning for warning in result.warnings) is not is_told
