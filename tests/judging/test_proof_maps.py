"""The entries of a map are proven like records, and their keys like names."""

from typing import Any

import pytest
from gleaner.judging.judge import judge as prove

TABLE = (
    "# Teas\n\n| name | price | stock |\n| --- | --- | --- |\n| Green tea | 3.50 | 12 |\n| Black tea | 4.20 | 0 |\n"
    "| Oolong | 6.00 | 7 |\n"
)
NUMBER = {"type": "number"}
RECORD = {"type": "object", "properties": {"price": NUMBER, "stock": NUMBER}}
OF_RECORDS = {"type": "object", "additionalProperties": RECORD}
OF_NUMBERS = {"type": "object", "patternProperties": {"^[A-Z]": NUMBER}}


def unproven(data: Any, schema: dict[str, Any], text: str = TABLE) -> set[str]:
    return {entry.pointer for entry in prove(data, text, schema=schema) if entry.status == "ungrounded"}


@pytest.mark.req("PR-1", "PR-2")
def test_a_value_is_proven_where_the_page_says_the_key_of_its_entry() -> None:
    right = {"Green tea": 3.5, "Black tea": 4.2, "Oolong": 6.0}
    swapped = {"Green tea": 4.2, "Black tea": 3.5, "Oolong": 6.0}
    assert unproven(right, OF_NUMBERS) == set()
    assert unproven(swapped, OF_NUMBERS) == {"/Green tea", "/Black tea"}
    inner = {"properties": {"teas": {"$ref": "#/$defs/map"}}, "$defs": {"map": OF_RECORDS}}
    for prices, lost in ((right, set[str]()), (swapped, {"/teas/Green tea/price", "/teas/Black tea/price"})):
        data = {"teas": {name: {"price": price} for name, price in prices.items()}}
        assert unproven(data, inner) == lost


@pytest.mark.req("PR-2")
def test_nothing_under_a_name_that_the_page_does_not_say_is_proven() -> None:
    data = {"Green tea": {"price": 3.5}, "White tea": {"price": 4.2, "stock": 0}, "Oolong": {"price": 6.0}}
    assert unproven(data, OF_RECORDS) == {"/White tea/price", "/White tea/stock"}
    derived = {"type": "object", "additionalProperties": {**RECORD, "x-derived": True}}
    assert unproven(data, derived) == set()


@pytest.mark.req("PR-1")
def test_keys_in_words_that_the_schema_or_the_model_chose_are_asked_for_nothing() -> None:
    facts, text = {"founded": 1998, "location": "Bergen"}, "Open since 1998 in Bergen."
    assert unproven(facts, {"type": "object", "additionalProperties": True}, text) == set()
    assert unproven(facts, {"type": "object", "additionalProperties": {"type": ["string", "number"]}}, text) == set()
    named = {**OF_NUMBERS, "propertyNames": {"enum": ["Green tea", "Black tea", "White tea"]}}
    assert unproven({"Green tea": 3.5, "Black tea": 4.2, "White tea": 6.0}, named) == set()


@pytest.mark.req("PR-1")
def test_a_key_may_be_written_as_programs_write_names() -> None:
    sheet = "| What | How much |\n| --- | --- |\n| Screen size | 6.7 |\n| Battery life | 21 |\n| Refresh rate | 120 |\n"
    data = {"screen_size": 6.7, "batteryLife": 21, "refresh_rate": 120}
    schema = {"type": "object", "additionalProperties": NUMBER}
    assert unproven(data, schema, sheet) == set()
    assert "/batteryLife" in unproven({**data, "batteryLife": 120}, schema, sheet)


@pytest.mark.req("PR-1")
def test_lists_and_fields_beside_a_map_are_proven_as_before() -> None:
    text = f"{TABLE}\nOpen since 1998.\n\n- Ana, founder\n- Rui, taster\n"
    data = {"since": 1998, "teas": {"Green tea": 3.5, "Oolong": 6.0}, "people": [{"name": "Ana"}, {"name": "Rui"}]}
    schema = {"properties": {"teas": OF_NUMBERS, "people": {"items": {"properties": {"name": {"type": "string"}}}}}}
    assert unproven(data, schema, text) == set()
    assert unproven({**data, "since": 1997, "people": [{"name": "Zoe"}, {"name": "Rui"}]}, schema, text) == {
        "/since",
        "/people/0/name",
    }
    lists = {"Starters": [{"name": "Ana"}], "Mains": [{"name": "Rui"}, {"name": "Ana"}]}
    assert unproven(lists, {"additionalProperties": {"type": "array"}}, text) == set()
