"""Texts that are looked up by what they say are those that say it when each of them is asked."""

import pytest
from gleaner.contracts.ports import JsonValue
from gleaner.wrappers.induction.mentions import Wanted, says
from gleaner.wrappers.readings import Readers

BASE = "https://shop.example/list/"
TEXTS = (
    "1,299", "1299.0", " 1299", "1.299", "1,299 kg", "1", "true", "yes", "one", "n/a", "none", "-", "", "90 min",
    "Blue  mug ( large )", "Blue mug (large)", "blue mug (large)", "/d?e=1", "https://shop.example/d?e=1", "1:30",
    "12 March 2026", "2026-03-12", "03/12/2026", "$12.50", "12,50 €", "4.5 out of 5", "In stock", "EUR", "12.5 cm",
)  # fmt: skip
FIELDS: list[tuple[str, dict[str, object], list[JsonValue]]] = [
    ("price", {"type": "number"}, [1299, 1299.0, 1.299, 12.5, 1]),
    ("minutes", {"type": "integer"}, [90, 1, 1299]),
    ("is_new", {"type": "boolean"}, [True, False]),
    ("name", {"type": "string"}, ["Blue mug (large)", "12.50", "none", "-", "EUR", "https://shop.example/d?e=1"]),
    ("day", {"type": "string", "format": "date"}, ["2026-03-12"]),
    ("link", {"type": "string", "format": "uri"}, ["https://shop.example/d?e=1"]),
    ("size", {"type": "object", "properties": {"value": {"type": "number"}}}, [{"value": 12.5, "unit": "cm"}]),
]


@pytest.mark.parametrize(("name", "schema", "values"), FIELDS, ids=[name for name, _, _ in FIELDS])
def test_texts_are_found_by_value_as_if_each_had_been_asked(
    name: str, schema: dict[str, object], values: list[JsonValue]
) -> None:
    readers = Readers(BASE)
    wanted = Wanted((name,), schema, values)
    for value in values:
        asked = {text for text in TEXTS if says(value, text, wanted, Readers(BASE))}
        assert readers.said("page", lambda: TEXTS).saying(value, wanted.readings) == asked
