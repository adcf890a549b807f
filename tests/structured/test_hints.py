"""What embedded data says beyond the page's text is a hint for the model: small, never against the text, and proven."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.page.opening import open_page
from gleaner.structured.hints import find_hint
from gleaner.testing import FunctionModel

from tests.support.schemas import MAYBE_TEXT

FIELDS: dict[str, Any] = {
    "name": {"type": "string"},
    "price": {"type": ["number", "null"]},
    "currency": MAYBE_TEXT,
    "gtin": MAYBE_TEXT,
    "weight": MAYBE_TEXT,
    "published": {"type": ["string", "null"], "format": "date"},
    "in_stock": {"type": ["boolean", "null"]},
}
SCHEMA = {"type": "object", "properties": FIELDS, "required": ["name"]}
DATA = {
    "@type": "Product",
    "name": "Larch jug",
    "gtin": "4022664223553",
    "weight": "1200g",
    "datePublished": "2026-03-05",
    "offers": {
        "@type": "Offer",
        "price": "25.00",
        "priceCurrency": "CAD",
        "availability": "https://schema.org/InStock",
    },
}
SHOWN = "<h1>Larch jug</h1><p>Made of one piece. $20.50</p>"


def page(data: Any = DATA, shown: str = SHOWN) -> str:
    return f'<html><head><title>Larch jug</title><script type="application/ld+json">{json.dumps(data)}</script></head><body><main>{shown}</main></body></html>'  # noqa: E501


def hint_of(html: str, schema: Any, text: str) -> str:
    """Give the hint for a page of which no more was read than a text."""
    return find_hint(replace(open_page(html, "https://shop.example/jug"), known=text), schema)


@pytest.mark.parametrize(
    ("data", "shown", "markdown", "expected"),
    [
        (DATA, SHOWN, "# Larch jug\n\nMade of one piece. $20.50", {"currency", "gtin", "published"}),
        (DATA, SHOWN, "# Larch jug\n\n$20.50. GTIN 4022664223553", {"currency", "published"}),
        (DATA, SHOWN, "# Larch jug\n\nFrom 7 March 2026", {"gtin"}),
        (DATA, SHOWN, "# Larch jug\n\nUpdated 5 March 2026. €20.50", {"gtin"}),
        ({**DATA, "name": "Oak lid"}, SHOWN, "# Larch jug", set()),
        ({"@type": "WebSite", "name": "Larch jug"}, SHOWN, "# Larch jug", set()),
        ([DATA, {**DATA, "gtin": "4022664999999"}], SHOWN, "# Larch jug", {"published"}),
    ],
)  # fmt: skip
def test_a_hint_holds_what_the_text_lacks_and_does_not_deny(
    data: Any, shown: str, markdown: str, expected: set[str]
) -> None:
    hint = hint_of(page(data, shown), SCHEMA, markdown)
    assert set(json.loads(hint or "{}")) == expected


def test_a_label_of_the_page_that_says_otherwise_beats_the_data() -> None:
    shown = f"{SHOWN}<dl><dt>GTIN</dt><dd>4022664111111</dd></dl>"
    hint = hint_of(page(shown=shown), SCHEMA, "# Larch jug\n\nGTIN: 4022664111111")
    assert "gtin" not in json.loads(hint)


def test_a_list_and_a_large_object_have_no_hint() -> None:
    listed = {"type": "array", "items": SCHEMA}
    assert hint_of(page(), listed, "# Larch jug") == ""
    names = {f"part_number_{n}": f"AB-{n:030}" for n in range(60)}
    schema = {"type": "object", "properties": dict.fromkeys(names, MAYBE_TEXT)}
    assert hint_of(page({"name": "Larch jug", **names}), schema, "# Larch jug") == ""


@pytest.mark.req("EX-7")
def test_the_hint_is_shown_as_data_and_what_is_taken_from_it_is_proven_by_the_embedded_data(tmp_path: Path) -> None:
    prompts: list[str] = []

    def fn(prompt: str) -> str:
        prompts.append(prompt)
        found = re.search(r"<<<EMBEDDED (\w+)>>>\n(.*)\n<<<END EMBEDDED \1>>>", prompt)
        hint = json.loads(found[2]) if found else {}
        return json.dumps({"data": {"name": "Larch jug", "price": 20.5, "in_stock": None, "weight": None, **hint}})

    with Gleaner(model=FunctionModel(fn), home=tmp_path) as gleaner:
        result = gleaner.extract_html(
            page(), "https://shop.example/jug", output_schema=SCHEMA, config={"tiers": ["model"]}
        )
    found = result.extraction
    assert found is not None
    assert (result.status, len(prompts), found.warnings) == ("complete", 1, [])
    assert found.data == {
        "name": "Larch jug",
        "price": 20.5,
        "currency": "CAD",
        "gtin": "4022664223553",
        "weight": None,
        "published": "2026-03-05",
        "in_stock": None,
    }
    sources = {entry.pointer: (entry.status, entry.source) for entry in found.provenance}
    assert sources["/gtin"] == sources["/published"] == ("verbatim", "snapshot")
    assert sources["/price"][1] == "markdown"
    assert "25.00" not in prompts[0]
