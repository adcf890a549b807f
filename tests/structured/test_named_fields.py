"""Single fields that a label of the page names, where a recipe reads the others."""

from typing import Any

import pytest
from gleaner.page.opening import open_page
from gleaner.structured import read_named_fields
from gleaner.values.plurals import is_same_word

from tests.support.schemas import MAYBE_NUMBER, MAYBE_TEXT, TEXT, list_of, object_of

SCHEMA: Any = object_of(
    "name",
    "medium",
    "tags",
    name=TEXT,
    medium=TEXT,
    culture=MAYBE_TEXT,
    height_cm=MAYBE_NUMBER,
    list_price=MAYBE_NUMBER,
    tags=list_of(TEXT),
)
KNOWN = {"name": "Bowl", "medium": "Clay"}
LEFT = ("culture", "height_cm", "list_price", "tags")


def _page(facts: str, behind: str = "") -> str:
    return f"<main><h1>Bowl</h1><h2>Details</h2><dl><dt>Medium</dt><dd>Clay</dd>{facts}</dl>{behind}</main>"


def _read(html: str) -> dict[str, Any]:
    found = read_named_fields(open_page(html, "https://museum.example/1"), SCHEMA, LEFT, KNOWN)
    return {name: value for name, (value, _) in found.items()}


@pytest.mark.req("RC-5")
@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ("<dt>Culture</dt><dd>Ghanaian</dd>", {"culture": "Ghanaian"}),
        (
            "<dt>Culture:</dt><dd>Ghanaian</dd><dt>Height</dt><dd>12,5 cm</dd>",
            {"culture": "Ghanaian", "height_cm": 12.5},
        ),
        ("<dt>List price</dt><dd>$1,299.00</dd>", {"list_price": 1299.0}),
        ("<dt>Culture</dt><dd>&ndash;</dd>", {"culture": None}),
    ],
)
def test_a_field_is_read_behind_the_one_label_that_names_it(facts: str, expected: dict[str, Any]) -> None:
    assert _read(_page(facts)) == expected


@pytest.mark.req("RC-5")
@pytest.mark.parametrize(
    "html",
    [
        _page("<dt>Culture</dt><dd>Ghanaian</dd><dt>Culture</dt><dd>Akan</dd>"),
        _page("<dt>Culture</dt><dd>Ghanaian, in Clay</dd>"),
        _page("<dt>Height</dt><dd>tall</dd>"),
        _page("<dt>Tags</dt><dd>old, round</dd>"),
        _page("<dt>Cultural notes</dt><dd>Ghanaian</dd>"),
        _page("", "<h2>Related</h2><dl><dt>Culture</dt><dd>Roman</dd></dl>"),
    ],
    ids=["two values", "says another field's value", "no number", "a list", "another label", "another heading"],
)
def test_in_doubt_a_label_gives_nothing(html: str) -> None:
    assert _read(html) == {}


@pytest.mark.req("RC-5")
@pytest.mark.parametrize(
    "fact",
    ["<li><p class=l>{}</p><div>{}</div></li>", "<p><strong><bdi>{}</bdi></strong> {}</p>"],
    ids=["pairs of elements", "a marked word before a text"],
)
def test_several_parts_alike_show_what_labels_look_like(fact: str) -> None:
    rows = [("Medium", "Clay"), ("Found", "1902"), ("Culture", "Ghanaian")]
    page = f"<main><h1>Bowl</h1><ul>{''.join(fact.format(*row) for row in rows)}</ul></main>"
    assert _read(page) == {"culture": "Ghanaian"}


@pytest.mark.req("RC-2")
@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("review", "reviews", True),
        ("Gast", "Gäste", True),
        ("bagno", "bagni", True),
        ("bed", "bedrooms", False),
        ("km", "kg", False),
        ("minuti", "minori", False),
    ],
)
def test_words_in_another_number_are_the_same(one: str, other: str, is_same: bool) -> None:
    assert is_same_word(one, other) is is_same
