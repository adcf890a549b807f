"""One entry of ``data/units.json`` is read by coercion, the proof and tier 0 alike: European and British shoe sizes."""

from typing import Any

import pytest
from gleaner.coercion import coerce
from gleaner.contracts.models import ExtractionConfig
from gleaner.page.opening import open_page
from gleaner.structured import Seen, certify, find_answer

from tests.support.told import told as prove

URL = "https://shoes.example/list"
SIZES = [
    ("EU 42", "shoe_size_eu", 42),
    ("UK 8½", "shoe_size_uk", 8.5),
    ("42 EU", "size_eu", 42),
    ("EU 42 / UK 8", "eu_size", 42),
    ("EU 42 / UK 8", "uk_size", 8),
    ("EU 42 / UK 8", "shoe_size_uk", 8),
]


@pytest.mark.req("SC-4")
@pytest.mark.parametrize(("text", "name", "size"), SIZES)
def test_coercion_and_proof_read_a_size_in_the_system_that_the_field_names(text: str, name: str, size: float) -> None:
    schema: Any = {"type": "object", "properties": {name: {"type": "number"}}}
    assert coerce(schema, {name: text}).value == {name: size}
    assert prove({name: size}, f"# Kubo\n\nSize: {text}", schema=schema)[0].status != "ungrounded"


@pytest.mark.req("SC-4", "PR-1")
@pytest.mark.parametrize(("text", "name", "size"), [("UK 8", "size_eu", 8), ("EU 42 / UK 8", "size_eu", 8)])
def test_a_size_of_another_system_is_none_of_the_field_s(text: str, name: str, size: float) -> None:
    schema: Any = {"type": "object", "properties": {name: {"type": "number"}}}
    assert coerce(schema, {name: text}).value != {name: size}
    assert prove({name: size}, f"# Kubo\n\nSize: {text}", schema=schema)[0].status == "ungrounded"


@pytest.mark.req("SC-4", "RC-4")
@pytest.mark.parametrize(
    ("heads", "cells"), [(("EU size", "UK size"), ("EU {eu}", "UK {uk}")), (("EU size", "UK size"), ("{eu}", "{uk}"))]
)
def test_tier_0_reads_a_column_of_sizes(heads: tuple[str, str], cells: tuple[str, str]) -> None:
    shoes = [("Fjord", 42, 8), ("Brekka", 39, 6), ("Vik", 44.5, 10)]
    rows = "".join(
        f"<tr><td>{name}</td><td>{cells[0].format(eu=eu)}</td><td>{cells[1].format(uk=uk)}</td></tr>"
        for name, eu, uk in shoes
    )
    html = f"<table><tr><th>Name</th><th>{heads[0]}</th><th>{heads[1]}</th></tr>{rows}</table>"
    number = {"type": "number"}
    fields = {"name": {"type": "string"}, "size_eu": number, "size_uk": number}
    schema = {"type": "array", "items": {"type": "object", "properties": fields, "required": list(fields)}}
    page = open_page(html, URL)
    seen = Seen(page, page.units)
    found = certify(find_answer(page, schema), seen, ExtractionConfig()).told()
    assert found.data == [{"name": name, "size_eu": eu, "size_uk": uk} for name, eu, uk in shoes]
