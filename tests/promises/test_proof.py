"""Proven or null: what a record's own place does not state is not served, and what is served shows where it stands."""

from typing import Any

import pytest

from tests.promises.lamps import FORTY, LAMPS, MODEL_ALONE, URL, giving, page_of, read
from tests.support.asking import Make
from tests.support.schemas import TEXT, list_of, object_of

LIES = {
    "the price of another lamp": (3, "price", FORTY[9]["price"]),
    "the maker of another lamp": (4, "maker", FORTY[9]["maker"]),
    "a price that no lamp has": (5, "price", 4999.5),
    "a digit that was changed": (7, "price", FORTY[7]["price"] + 10),
    "a maker that nobody has heard of": (8, "maker", "Zorbquandle"),
}


@pytest.mark.req("PR-2", "PR-5")
@pytest.mark.parametrize("lie", LIES)
def test_a_value_that_its_record_does_not_state_is_null_and_named(make: Make, lie: str) -> None:
    at, field, value = LIES[lie]
    given = [{**one, field: value} if number == at else one for number, one in enumerate(FORTY)]
    _, extraction = read(make(giving(given)), page_of(FORTY))
    assert extraction.data == [{**one, field: None} if n == at else one for n, one in enumerate(FORTY)]
    [refused] = [entry for entry in extraction.provenance if entry.status == "ungrounded"]
    assert (refused.pointer, refused.value) == (f"/{at}/{field}", value)
    assert any(f"/{at}/{field}" in warning and str(value) in warning for warning in extraction.warnings)


@pytest.mark.req("PR-2")
def test_what_a_record_does_not_say_is_not_taken_from_the_one_beside_it(make: Make) -> None:
    makers = ["" if n == 4 else f"<p>{one['maker']}</p>" for n, one in enumerate(FORTY)]
    cards = "".join(
        f"<article><h3>{one['name']}</h3>{maker}<p>${one['price']:.2f}</p></article>"
        for one, maker in zip(FORTY, makers, strict=True)
    )
    given = [{**one, "maker": FORTY[5]["maker"]} if n == 4 else one for n, one in enumerate(FORTY)]
    _, extraction = read(make(giving(given)), f"<h1>Lamps</h1>{cards}")
    assert extraction.data == [{**one, "maker": None} if n == 4 else one for n, one in enumerate(FORTY)]


@pytest.mark.req("PR-1")
def test_a_proof_points_at_the_text_of_its_value(make: Make) -> None:
    result = make(giving(FORTY)).extract_html(page_of(FORTY), URL, output_schema=LAMPS, config=MODEL_ALONE)
    assert result.extraction is not None
    shown = {
        entry.pointer: (result.markdown or "")[entry.start : entry.end].strip("$")
        for entry in result.extraction.provenance
    }
    texts = ({**one, "price": f"{one['price']:.2f}"} for one in FORTY)
    assert shown == {f"/{n}/{field}": text for n, one in enumerate(texts) for field, text in one.items()}


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize("mode", ["null", "flag", "keep"])
def test_a_value_that_stands_nowhere_is_called_ungrounded_whatever_is_done_about_it(make: Make, mode: str) -> None:
    given = [{**FORTY[0], "price": 4999.5}, *FORTY[1:]]
    _, extraction = read(make(giving(given)), page_of(FORTY), config={**MODEL_ALONE, "ungrounded": mode})
    assert {entry.pointer for entry in extraction.provenance if entry.status == "ungrounded"} == {"/0/price"}
    assert extraction.data[0]["price"] == (None if mode == "null" else 4999.5)


LINKED: dict[str, Any] = list_of(object_of("name", name=TEXT, url={"type": ["string", "null"], "format": "uri"}))
SHOP = "https://shop.example"
ADDRESSES = {
    # on the page, in the answer, what of it is served
    "as it stands": ("/p/12/reviews", "/p/12/reviews", True),
    "another spelling of it": ("/p/13/?a=1&b=2", "/p/13?a=1&b=2", True),
    "a step too few": ("/p/14/reviews", "/p/14", False),
    "two steps too few": ("/p/15/reviews/7", "/p/15", False),
    "a step too many": ("/p/16", "/p/16/invented", False),
    "a step too many before the query": ("/p/17?a=1", "/p/17/invented?a=1", False),
    "without the query": ("/p/18/list?id=5", "/p/18/list", False),
    "with an invented query": ("/p/19/list", "/p/19/list?id=5", False),
    "cut within a step": ("/p/20/larch-lamp", "/p/20/larch", False),
    "grown within a step": ("/p/21/larch", "/p/21/larch-lamp", False),
    "another host": ("/p/22", "https://shop.example.com/p/22", False),
}


@pytest.mark.req("PR-4")
def test_an_address_is_proven_as_a_whole_and_by_no_shorter_or_longer_one(make: Make) -> None:
    items = "".join(
        f'<li><a href="{SHOP}{shown}">Lamp {n:02}</a>, a lamp</li>' for n, (shown, *_) in enumerate(ADDRESSES.values())
    )
    given = [
        {"name": f"Lamp {n:02}", "url": told if told.startswith("http") else SHOP + told}
        for n, (_, told, _) in enumerate(ADDRESSES.values())
    ]
    _, extraction = read(make(giving(given)), f"<h1>Lamps</h1><ul>{items}</ul>", output_schema=LINKED)
    served = {case: one["url"] is not None for case, one in zip(ADDRESSES, extraction.data, strict=True)}
    assert served == {case: is_true for case, (_, _, is_true) in ADDRESSES.items()}
