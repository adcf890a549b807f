"""Lists that the page names, and that an answer leaves empty or short, make a result partial."""

import pytest
from gleaner.completeness.named_lists import find_named_lists, unsaid_lists
from gleaner.contracts.models import ProvenanceEntry
from gleaner.contracts.ports import JsonValue

from tests.support.schemas import TEXT, object_of

TEXTS = {"type": "array", "items": {"type": "string"}}
LINES = {"type": "array", "items": {"properties": {"item": {}, "qty": {}, "each": {}}}}
PRODUCT = object_of(name=TEXT, sizes=TEXTS, colours=TEXTS, lines=LINES)
PAGE = """# Tern

Sizes: S, M, L

## Colours

- Moss
- Slate

| Item | Qty | Each |
| --- | --- | --- |
| Rope | 3 | $8 |
"""


def missing(data: JsonValue, text: str = PAGE) -> dict[str, list[str]]:
    found = find_named_lists(data, text, schema=PRODUCT)
    return {str(one.steps[-1]): [text[slice(*place)] for place in one.missing] for one in found}


@pytest.mark.req("CM-1")
def test_a_list_left_empty_lacks_what_stands_by_its_name() -> None:
    assert missing({"name": "Tern", "sizes": [], "lines": []}) == {
        "sizes": ["S", "M", "L"],
        "colours": ["Moss", "Slate"],
        "lines": ["| Rope | 3 | $8 |"],
    }


@pytest.mark.req("CM-1")
@pytest.mark.parametrize(
    ("line", "sizes", "lacking"),
    [
        ("Sizes: S, M, L", ["S", "L"], ["M"]),
        ("Sizes: S, M, L", ["S", "M", "L"], []),
        ("**Sizes:** S | M and L", ["S", "M", "L"], []),
        ("Sizes: on request, ask", ["S"], []),
        ("Sizes: none", [], []),
        ("Sizes: S, M, and 3 more", ["S", "M"], []),
        ("All sizes: S, M", [], []),
        ("Sizes: S, M Tags: wool, blue", ["S", "M"], []),
    ],
)
def test_a_line_behind_the_name_of_a_list_holds_its_elements(
    line: str, sizes: list[JsonValue], lacking: list[str]
) -> None:
    assert missing({"sizes": sizes}, line).get("sizes", []) == lacking


@pytest.mark.req("CM-1")
@pytest.mark.parametrize(
    ("heading", "lacking"),
    [
        ("## Colours (2)\n\nAll of wool.\n\n### Dark\n\n- Moss\n- Slate", ["Moss", "Slate"]),
        ("**Colours for the winter**\n\n- Moss\n- Slate", ["Moss", "Slate"]),
        ("## Colours\n\nOn request.\n\n## Shops\n\n- Leeds\n- York", []),
        ("## Colours\n\n- Tern\n- Slate", []),
        ("## Care of colours\n\n- Wash cold\n- Dry flat", []),
    ],
)
def test_items_below_a_heading_that_begins_with_the_name_of_an_empty_list_are_its_elements(
    heading: str, lacking: list[str]
) -> None:
    assert missing({"name": "Tern", "colours": []}, f"# Tern\n\n{heading}\n").get("colours", []) == lacking


def test_items_and_rows_that_another_field_holds_are_not_missing() -> None:
    rows: JsonValue = [{"item": "Rope", "qty": 3, "each": 8}]
    assert missing({"sizes": ["S", "M", "L"], "note": ["Moss"], "parts": rows}) == {}


@pytest.mark.req("CM-1")
def test_a_records_own_list_is_looked_for_in_its_own_place() -> None:
    text = "- Tern\n  Sizes: S, M\n- Gull\n  Sizes: L\n"
    spans = [(0, text.index("- Gull")), (text.index("- Gull"), len(text))]
    data: JsonValue = [{"sizes": ["S"]}, {"sizes": ["L"]}]
    found = find_named_lists(data, text, schema={"type": "array", "items": PRODUCT}, records=(), spans=spans)
    assert [one.describe(text) for one in found] == ['/0/sizes: 1 of 2; the page also shows "M"']


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("pointer", ["/lines/0", "/lines/0/item"])
def test_a_list_whose_elements_the_proof_took_out_lacks_none(pointer: str) -> None:
    removed = [ProvenanceEntry(pointer=one, status="ungrounded") for one in (pointer, "/sizes/0", "/colours/0")]
    data: JsonValue = {"name": "Tern", "sizes": [], "colours": [], "lines": []}
    assert unsaid_lists(data, PAGE, removed, None, said=(), schema=PRODUCT, records=None, spans=()) == []
