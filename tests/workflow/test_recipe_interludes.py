"""Titles of groups and the like among the records: skipped where they look as before, asked about where they do not."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from gleaner.contracts.models import ExtractionResult
from gleaner.page.opening import open_page
from gleaner.wrappers import Example, learn_from, replay

from tests.support.asking import Pages
from tests.support.schemas import NUMBER, TEXT, records_of

Ware = dict[str, Any]
Ask = Callable[[str, Sequence[Ware]], tuple[ExtractionResult, int]]
SCHEMA: dict[str, Any] = records_of(name=TEXT, town=TEXT, price=NUMBER)
URL = "https://shop.example/jugs"
WOODS = ["Larch", "Gorse", "Fir", "Oak", "Elm", "Ash", "Yew", "Box", "Bay", "Hop"]
TOWNS = ["Leeds", "Utrecht", "Graz"]


def wares(page: int, without: int | None = None) -> list[Any]:
    return [
        {"name": f"{wood} jug {page}", "town": TOWNS[(at + page) % 3], "price": 3.95 + (7 * at + 3 * page) % 17}
        for at, wood in enumerate(WOODS)
        if at != without
    ]


@pytest.fixture
def ask(pages: Pages) -> Ask:
    return lambda html, truth: pages.ask(html, URL, SCHEMA, truth)


def row(one: Ware) -> str:
    return f"<tr><td>{one['name']}</td><td>{one['town']}</td><td>${one['price']:.2f}</td></tr>"


def title_row(text: str) -> str:
    return f'<tr class="group"><td>{text}</td><td colspan="2">See all</td></tr>'


def item(one: Ware) -> str:
    town, price = f'<i class="town">{one["town"]}</i>', f'<span class="price">${one["price"]:.2f}</span>'
    return f'<li class="ware"><b>{one["name"]}</b> {town} {price}</li>'


def title_item(text: str) -> str:
    return f'<li class="ware group"><em>{text}</em> <span class="more">See all</span></li>'


def table(rows: Sequence[str]) -> str:
    return f"<h1>Jugs</h1><table><tr><th>Item</th><th>Town</th><th>Price</th></tr>{''.join(rows)}</table>"


def items(rows: Sequence[str]) -> str:
    return f"<h1>Jugs</h1><ul>{''.join(rows)}</ul>"


KINDS = {"table": (table, row, title_row), "list": (items, item, title_item)}


def page(kind: str, number: int, titles: dict[int, str], odd: dict[int, str] | None = None) -> str:
    """Give a page with titles before the records of these numbers, and other rows in place of some records."""
    around, write, title = KINDS[kind]
    rows: list[str] = []
    for at, one in enumerate(wares(number)):
        rows += [title(titles[at])] if at in titles else []
        rows.append((odd or {}).get(at) or write(one))
    return around(rows)


@pytest.mark.req("RC-2", "CM-1")
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_titles_of_groups_cost_no_calls_on_the_next_pages(ask: Ask, kind: str) -> None:
    first, _ = ask(page(kind, 1, {2: "Garden", 7: "Kitchen"}), wares(1))
    assert first.tier == "model"
    for number, titles in ((2, {3: "Cellar"}), (3, {1: "Attic", 4: "Old barn", 8: "Hall"})):
        found, calls = ask(page(kind, number, titles), wares(number))
        assert (found.tier, calls, found.is_partial) == ("recipe", 0, False)
        assert found.data == wares(number)
        assert found.completeness.skipped == (len(titles) if kind == "table" else 0)


ODD = {
    "of another class": '<tr class="offer"><td>Cedar jug</td><td colspan="2">See all</td></tr>',
    "with a number": '<tr class="group"><td>Cedar jug, 12 pieces</td><td colspan="2">See all</td></tr>',
    "with another element": '<tr class="group"><td><b>Cedar jug</b></td><td colspan="2">See all</td></tr>',
    "much longer": f'<tr class="group"><td>Cedar jug {"of fine wood " * 4}</td><td colspan="2">See all</td></tr>',
    "in the cells of a record": '<tr class="group"><td>Cedar jug</td><td></td><td>See all</td></tr>',
}


@pytest.mark.req("RC-2", "CM-1")
@pytest.mark.parametrize("odd", sorted(ODD))
def test_a_row_that_gives_no_record_and_looks_otherwise_is_asked_about(ask: Ask, odd: str) -> None:
    ask(page("table", 1, {2: "Garden", 7: "Kitchen"}), wares(1))
    found, calls = ask(page("table", 2, {3: "Cellar"}, {5: ODD[odd]}), wares(2, without=5))
    assert calls > 0
    assert found.tier == "model"


@pytest.mark.req("RC-2")
def test_what_was_asked_about_once_is_known_then(ask: Ask) -> None:
    ask(page("table", 1, {2: "Garden", 7: "Kitchen"}), wares(1))
    advert = '<tr class="advert"><td><i>Visit us</i></td><td colspan="2">See all</td></tr>'
    odd = {4: f"{advert}{row(wares(2)[4])}"}
    assert ask(page("table", 2, {3: "Cellar"}, odd), wares(2))[1] > 0
    odd = {6: f"{advert}{row(wares(3)[6])}"}
    found, calls = ask(page("table", 3, {3: "Cellar"}, odd), wares(3))
    assert (found.tier, calls, found.completeness.skipped) == ("recipe", 0, 2)


@pytest.mark.req("RC-2")
def test_more_titles_than_records_are_none() -> None:
    shown = open_page(page("table", 1, {2: "Garden", 7: "Kitchen"}), URL)
    recipe = learn_from([Example(shown, wares(1))], SCHEMA).recipe
    assert recipe is not None
    lost = {at: title_row(WOODS[at]) for at in range(3, 10)}
    assert not replay(recipe, open_page(page("table", 2, {}, lost), URL), SCHEMA).interludes
    found = replay(recipe, open_page(page("table", 2, {4: "Cellar"}), URL), SCHEMA).interludes
    assert [one.text for one in found if one.after] == ["Cellar See all"]
