"""What is not proven is null, gone, or flagged; the result stays valid, and invented records are not served."""

import copy

import pytest
from gleaner.contracts.models import ProvenanceEntry
from gleaner.judging.rejection import reject_ungrounded
from gleaner.schemas import is_valid
from hypothesis import given
from hypothesis import strategies as st

from tests.support.told import told as prove


def ungrounded(pointer, value=None):
    return ProvenanceEntry(pointer=pointer, status="ungrounded", value=value)


def proven(pointer):
    return ProvenanceEntry(pointer=pointer, status="verbatim", start=0, end=1)


def array_of(properties, required=()):
    return {"type": "array", "items": {"type": "object", "properties": properties, "required": list(required)}}


NULLABLE = [{"type": ["number", "null"]}, {"anyOf": [{"type": "number"}, {"type": "null"}]}, {"$ref": "#/$defs/n"}, {}]


@pytest.mark.req("PR-2")
@pytest.mark.parametrize("price", NULLABLE)
def test_an_ungrounded_leaf_becomes_null_where_the_schema_allows_it(price):
    schema = {**array_of({"price": price}, ["price"]), "$defs": {"n": {"type": ["number", "null"]}}}
    data = [{"name": "Red", "price": 5}]
    outcome = reject_ungrounded(data, [proven("/0/name"), ungrounded("/0/price", 5)], schema)
    assert outcome.data == [{"name": "Red", "price": None}]
    assert outcome.entries[1].value == 5
    assert (outcome.dropped, outcome.flagged) == ((), ())
    assert data == [{"name": "Red", "price": 5}]


@pytest.mark.req("PR-2")
def test_an_ungrounded_property_of_which_the_schema_knows_nothing_is_left_out():
    data, entries = [{"name": "Red", "price": 5}], [proven("/0/name"), ungrounded("/0/price", 5)]
    outcome = reject_ungrounded(data, entries, array_of({"name": {"type": "string"}}))
    assert outcome.data == [{"name": "Red"}]


@pytest.mark.req("PR-2")
def test_an_optional_property_without_null_is_left_out():
    outcome = reject_ungrounded(
        [{"name": "Red", "price": 5}],
        [proven("/0/name"), ungrounded("/0/price")],
        array_of({"price": {"type": "number"}}),
    )
    assert outcome.data == [{"name": "Red"}]


def withheld_of(outcome):
    return [(one.pointer, one.value, one.leaf, one.reason) for one in outcome.withheld]


@pytest.mark.req("PR-7")
def test_a_required_leaf_without_null_withholds_its_record_and_keeps_the_refused_value():
    schema = array_of({"price": {"type": "number"}}, ["price"])
    data = [{"name": "Red", "price": 5}, {"name": "Blue", "price": 6}]
    entries = [proven("/0/name"), ungrounded("/0/price", 5), proven("/1/name"), proven("/1/price")]
    outcome = reject_ungrounded(data, entries, schema)
    assert outcome.data == data[1:]
    assert withheld_of(outcome) == [("/0", data[0], "/-/price", "")]
    assert [(one.pointer, one.value) for one in outcome.withheld[0].entries] == [("/-/price", 5)]
    assert ([entry.pointer for entry in outcome.entries], outcome.flagged) == (["/0/name", "/0/price"], ())


@pytest.mark.req("PR-7")
@pytest.mark.parametrize("size", [{"cm": None}, {}])
def test_the_smallest_item_is_withheld_that_lacks_a_required_value(size):
    item = {"type": "object", "properties": {"cm": {"type": "integer"}}, "required": ["cm"]}
    schema = array_of({"sizes": {"type": "array", "items": item}, "name": {"type": "string"}}, ["name"])
    data = [{"name": "Red", "sizes": [size, {"cm": 4}]}, {"name": "Blue", "sizes": [{"cm": 5}]}]
    outcome = reject_ungrounded(data, [proven("/0/name"), proven("/0/sizes/1/cm")], schema)
    assert outcome.data == [{"name": "Red", "sizes": [{"cm": 4}]}, data[1]]
    assert withheld_of(outcome) == [("/0/sizes/0", size, "/0/sizes/-/cm", "the model gave no value")]
    assert [entry.pointer for entry in outcome.entries] == ["/0/name", "/0/sizes/0/cm"]


@pytest.mark.req("PR-7")
def test_a_list_that_may_not_be_shorter_is_shorter_all_the_same_for_what_is_withheld():
    schema = {**array_of({"price": {"type": "number"}}, ["price"]), "minItems": 2}
    data = [{"name": "Red", "price": 5}, {"name": "Blue", "price": 6}]
    outcome = reject_ungrounded(data, [proven("/0/name"), ungrounded("/0/price", 5), proven("/1/price")], schema)
    assert (outcome.data, len(outcome.withheld)) == (data[1:], 1)


@pytest.mark.req("PR-7")
def test_of_a_single_object_nothing_is_withheld():
    schema = {"type": "object", "properties": {"price": {"type": "number"}}, "required": ["price"]}
    outcome = reject_ungrounded({"price": 5}, [ungrounded("/price", 5)], schema)
    assert (outcome.data, outcome.flagged, outcome.withheld) == ({"price": 5}, ("/price",), ())


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(
    "price",
    [
        {"allOf": [{"type": "number"}]},
        {"enum": [5, 6]},
        {"const": 5},
        {"$ref": "#/$defs/n"},
        {"anyOf": [{"type": "number"}, {"type": "string"}]},
        {"oneOf": [{"type": "number"}, {"enum": ["free"]}]},
        {"type": ["number", "null"], "enum": [5, 6]},
    ],
)
@pytest.mark.parametrize("is_required", [False, True])
def test_a_value_that_may_not_be_null_costs_the_others_of_its_record_nothing(price, is_required):
    properties = {"price": price, "size": {"type": ["number", "null"]}}
    schema = {**array_of(properties, ["price"] * is_required), "$defs": {"n": {"type": "number"}}}
    entries = [proven("/0/name"), ungrounded("/0/price", 5), ungrounded("/0/size", 7)]
    outcome = reject_ungrounded([{"name": "Red", "price": 5, "size": 7}], entries, schema)
    assert outcome.data == ([] if is_required else [{"name": "Red", "size": None}])
    assert [one.leaf for one in outcome.withheld] == (["/-/price"] if is_required else [])


@pytest.mark.req("PR-2")
def test_a_cell_that_may_not_be_null_is_taken_out_of_its_array():
    schema = {"properties": {"tags": {"type": "array", "items": {"type": "string"}}}}
    data = {"tags": ["a", "b", "c", "d"]}
    entries = [proven("/tags/0"), ungrounded("/tags/1", "b"), proven("/tags/2"), proven("/tags/3")]
    outcome = reject_ungrounded(data, entries, schema)
    assert outcome.data == {"tags": ["a", "c", "d"]}
    assert [entry.pointer for entry in outcome.entries] == ["/tags/0", "/tags/-", "/tags/1", "/tags/2"]


@pytest.mark.req("PR-2")
def test_an_invented_record_is_dropped_and_told():
    data = {"mugs": [{"name": "Red", "kind": "Mug"}, {"name": "Ghost", "kind": "Mug"}, {"name": "Blue", "kind": "Mug"}]}
    context = ProvenanceEntry(pointer="/mugs/1/kind", status="verbatim", start=0, end=1, transform="context")
    entries = [proven("/mugs/0/name"), ungrounded("/mugs/1/name", "Ghost"), context, proven("/mugs/2/name")]
    outcome = reject_ungrounded(data, entries, None)
    assert outcome.data == {"mugs": [data["mugs"][0], data["mugs"][2]]}
    assert [(record.pointer, record.value) for record in outcome.dropped] == [("/mugs/1", data["mugs"][1])]
    assert [entry.pointer for entry in outcome.entries] == ["/mugs/0/name", "/mugs/1/name"]


@pytest.mark.req("PR-2")
def test_a_record_is_kept_when_its_list_may_not_be_shorter():
    schema = {**array_of({"name": {"type": ["string", "null"]}}), "minItems": 2}
    outcome = reject_ungrounded(
        [{"name": "Red"}, {"name": "Ghost"}], [proven("/0/name"), ungrounded("/1/name")], schema
    )
    assert len(outcome.data) == 2
    assert outcome.flagged == ("/1/name",)
    data = [{"name": "Red", "price": 5}, {"name": "Ghost"}]
    outcome = reject_ungrounded(data, [proven("/0/name"), ungrounded("/0/price"), ungrounded("/1/name")], schema)
    assert outcome.data == [{"name": "Red"}, {"name": "Ghost"}]


@pytest.mark.req("PR-2")
def test_a_record_is_withheld_that_would_break_a_rule_across_properties():
    schema = array_of({"price": {"type": ["number", "null"]}, "name": {}})
    schema["items"]["if"] = {"properties": {"name": {"const": "Red"}}}
    schema["items"]["then"] = {"properties": {"price": {"type": "number"}}}
    data = [{"name": "Red", "price": 5}, {"name": "Blue", "price": 6}]
    entries = [proven("/0/name"), ungrounded("/0/price"), proven("/1/name"), ungrounded("/1/price")]
    outcome = reject_ungrounded(data, entries, schema)
    assert outcome.data == [{"name": "Blue", "price": None}]
    assert [one.leaf for one in outcome.withheld] == ["/-/price"]


@pytest.mark.req("PR-2")
@pytest.mark.parametrize("mode", ["flag", "keep"])
def test_the_other_modes_change_nothing(mode):
    data, entries = [{"name": "Ghost"}], [ungrounded("/0/name")]
    outcome = reject_ungrounded(data, entries, None, mode)
    assert (outcome.data, outcome.entries, outcome.dropped) == (data, tuple(entries), ())
    assert outcome.flagged == (("/0/name",) if mode == "flag" else ())


@pytest.mark.req("PR-2")
def test_a_lone_scalar_becomes_null_when_it_may():
    assert reject_ungrounded("plum", [ungrounded("")], {"type": ["string", "null"]}).data is None
    assert reject_ungrounded("plum", [ungrounded("")], {"type": "string"}).data == "plum"


fields = st.dictionaries(st.sampled_from(["a", "b", "c"]), st.sampled_from(["red", "blue", "ghost"]), max_size=3)
field_schemas = st.dictionaries(
    st.sampled_from(["a", "b", "c"]),
    st.sampled_from([{"type": "string"}, {"type": ["string", "null"]}, {}]),
    max_size=3,
)


@pytest.mark.req("PR-2")
@given(st.lists(fields, max_size=5), field_schemas, st.sets(st.sampled_from(["a", "b", "c"])), st.integers(0, 3))
def test_a_valid_result_stays_valid_and_entries_point_at_what_is_there(data, properties, required, fewest):
    schema = {**array_of(properties, sorted(required)), "minItems": fewest}
    before = copy.deepcopy(data)
    outcome = reject_ungrounded(data, prove(data, "red, red, red and blue, blue, blue"), schema)
    assert data == before
    assert is_valid(schema, outcome.data) or outcome.withheld or not is_valid(schema, before)
    for entry in outcome.entries:
        _, number, name = entry.pointer.split("/")
        value = outcome.data[int(number)].get(name)
        if entry.status == "verbatim":
            assert value in ("red", "blue")
        elif entry.pointer not in outcome.flagged:
            assert value in (None, "ghost")
