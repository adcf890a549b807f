"""Records without anything around them: runs of paragraphs, lines, rows and items are counted, too."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.contracts.models import ScrapeResult
from gleaner.contracts.ports import JsonValue
from gleaner.extraction import ExtractionSubAgent
from gleaner.page.opening import open_page
from gleaner.testing import ScriptedModel, TrueRecord

from tests.support.schemas import NUMBER, TEXT, list_of, object_of

NAMES = ["Oak stool", "Elm shelf", "Ash frame", "Fir board", "Yew lamp", "Bay table", "Fig rack"]
CITIES = ["Oslo", "Graz", "Cork"]
RECORDS: list[dict[str, Any]] = [
    {"name": name, "price": 11.5 + 7 * at, "city": CITIES[at % 3], "since": f"2026-0{at + 1}-1{at}"}
    for at, name in enumerate(NAMES)
]
SCHEMA: dict[str, Any] = list_of(object_of("name", name=TEXT, price=NUMBER, city=TEXT, since=TEXT, keeper=TEXT))


def _each(form: str, between: str = "") -> Callable[[], str]:
    return lambda: between.join(form.format(**one, money=f"${one['price']:.2f}") for one in RECORDS)


def _typed(head: str, form: str, between: str = "", end: str = "") -> Callable[[], str]:
    return lambda: f"<pre>{head}{_each(form, between)()}{end}</pre>"


def _with_a_remark_now_and_then() -> str:
    return "".join(
        f"<p>{one['name']}</p>{'<p>Our choice of the month</p>' if at % 3 == 1 else ''}"
        f"<p>${one['price']:.2f}, {one['city']}</p><p>{one['since']}</p>"
        for at, one in enumerate(RECORDS)
    )


def _in_pairs(head: str) -> str:
    cells = [f"<td>{one['name']}</td><td>${one['price']:.2f}</td><td>{one['city']}</td>" for one in RECORDS]
    return f"{head}<tr>{'</tr><tr>'.join(map(''.join, batched(cells)))}</tr></table>"


def batched(cells: list[str]) -> list[list[str]]:
    return [cells[at : at + 2] for at in range(0, len(cells), 2)]


def _by_city(head: str, line: str, end: str) -> str:
    groups = ((city, [one for one in RECORDS if one["city"] == city]) for city in CITIES)
    return "".join(
        head.format(city=city) + "".join(line.format(**one, money=f"${one['price']:.2f}") for one in group) + end
        for city, group in groups
    )


def _row_of(field: str) -> str:
    return f"<tr><th>{field.title()}</th>{''.join(f'<td>{one[field]}</td>' for one in RECORDS)}</tr>"


PAGES: dict[str, Callable[[], str]] = {
    "paragraphs, the first one bold": _each("<p><b>{name}</b></p><p>{money}, {city}</p><p>{since}</p>"),
    "plain paragraphs": _each("<p>{name}</p><p>{money}, {city}</p><p>{since}</p>"),
    "paragraphs between rules": _each("<p>{name}</p><p>{money}, {city}</p><p>{since}</p>", "<hr>"),
    "some with a remark": _with_a_remark_now_and_then,
    "lines of one paragraph": lambda: f"<p>{_each('{name}<br>{money}, {city}<br>{since}<br>')()}</p>",
    "labelled lines of one paragraph": lambda: (
        f"<p>{_each('Name: {name}<br>Price: {money}<br>City: {city}<br>Since: {since}<br>')()}</p>"
    ),
    "bold words within a line": lambda: f"<p>{_each('<b>{name}</b> {money}, {city}, {since} ')()}</p>",
    "two rows each, of other spans": lambda: (
        "<table>"
        + _each(
            "<tr><td colspan=2><b>{name}</b></td><td>{money}</td></tr>"
            "<tr><td>{city}</td><td colspan=2>{since}</td></tr>"
        )()
        + "</table>"
    ),
    "two rows each": lambda: (
        f"<table>{_each('<tr><td>{name}</td><td>{money}</td></tr><tr><td>{city}</td><td>{since}</td></tr>')()}</table>"
    ),
    "rows with blank ones between": lambda: (
        "<table>"
        + _each(
            "<tr><td>Name</td><td>{name}</td></tr><tr><td>Price</td><td>{money}</td></tr>"
            "<tr><td>City</td><td>{city}</td></tr><tr><td>Since</td><td>{since}</td></tr>",
            "<tr><td colspan=2></td></tr>",
        )()
        + "</table>"
    ),
    "items of one list": lambda: (
        f"<ul>{_each('<li>{name}</li><li>{money}</li><li>{city}</li><li>{since}</li>')()}</ul>"
    ),
    "two records in each row": lambda: _in_pairs(
        "<table><tr><th>Name</th><th>Price</th><th>City</th><th>Name</th><th>Price</th><th>City</th></tr>"
    ),
    "lines of a paragraph for each": lambda: _by_city("<p><b>{city}</b><br>", "{name}, {money}, {since}<br>", "</p>"),
    "loose text between elements": _each(
        "<font><b>{name}</b></font> <font>{money}</font> {city} <i>{since}</i><br><br>"
    ),
    "columns of a table": lambda: "<table>" + "".join(map(_row_of, ("name", "price", "city", "since"))) + "</table>",
    "cells of a grid": _each("<div>{name}</div><div>{money}</div><div>{city}</div><div>{since}</div>"),
    "breaks of an old page": lambda: (
        f"<center>{_each('<b>{name}</b><br>{money} - {city}<br><i>{since}</i><p>')()}</center>"
    ),
    "boxes in boxes": _each(
        "<div><div>{name}</div><div><div>{money}</div><div>{city}</div></div><div>{since}</div></div>"
    ),
    "dashes typed before paragraphs": _each("<p>- {name}, {money}, {city}, {since}</p>"),
    "a typed list": _typed("Our stools\n\n", "* {name}, {money}, {city}\n  since {since}\n"),
    "a typed table between rules": _typed(
        "========= ===== =====\nName      Price City\n========= ===== =====\n",
        "{name:<9} {price:>5} {city} {since}\n",
        end="========= ===== =====\n",
    ),
    "a typed table and what counts its rows": _typed(
        "+------+\n| name | price | city | since |\n+------+\n",
        "| {name} | {price} | {city} | {since} |\n",
        end=f"+------+\n{len(RECORDS)} rows in set (0.00 sec)\n",
    ),
    "typed lines and their sum": _typed(
        "Name       Price  City  Since\n-----------------------------\n",
        "{name:<10} {price:>5}  {city}  {since}\n",
        end="-----------------------------\nTotal      227\n",
    ),
    "typed records between rules": _typed("", "{name}\n{money}, {city}\nsince {since}\n", "--------\n"),
    "prices led to by dots": lambda: (
        "<p>All prices in pounds.</p>" + _each("<p>{name} since {since} in {city} ......... {price}</p>")()
    ),
}


def _in_a_table_and_a_list() -> str:
    rows = "".join(f"<tr><td>{one['name']}</td><td>${one['price']:.2f}</td></tr>" for one in RECORDS[:2])
    items = "".join(f"<li>{one['name']}, ${one['price']:.2f}, {one['city']}</li>" for one in RECORDS[2:])
    head = "<tr><th>Name</th><th>Price</th></tr>"
    return f"<h2>New</h2><table>{head}{rows}</table><h2>Used</h2><ul>{items}</ul>"


class Forgetful(ScriptedModel):
    """Never gives the records of some names, and calls none of their places empty."""

    forgotten: frozenset[str] = frozenset()

    def _spoil(self, records: Sequence[JsonValue], draw: Any) -> list[JsonValue]:
        return [one for one in records if isinstance(one, dict) and one["name"] not in self.forgotten]


class Site:
    def __init__(self, home: Path, records: Sequence[dict[str, Any]] = RECORDS) -> None:
        self.model = Forgetful([TrueRecord({**one}, (one["name"],)) for one in records])
        self.gleaner = Gleaner(model=self.model, home=home)

    def ask_for(self, page: str, body: str, *forgotten: str, tiers: Sequence[str] = ("model",)) -> ScrapeResult:
        self.model.forgotten = frozenset(forgotten)
        without = "-".join(["without", *forgotten]).replace(" ", "-")  # no answer that is kept serves another page
        html = f"<main><h1>Stock {without}</h1><p>All that we have in store, and where it is.</p>{body}</main>"
        url = f"https://stock.example/{page.replace(' ', '-')}/{without}"
        return self.gleaner.extract_html(html, url, output_schema=SCHEMA, config={"tiers": [*tiers]})


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    made = Site(tmp_path_factory.mktemp("home"))
    yield made
    made.gleaner.close()


@pytest.mark.req("CM-1", "EX-6")
@pytest.mark.parametrize("page", PAGES)
def test_unwrapped_records_are_complete_when_all_are_given_and_partial_when_some_are_missing(page: str) -> None:
    head = "<h1>Stock</h1><p>All that we have in store, and where it is.</p>"
    shown = open_page(f"<main>{head}{PAGES[page]()}</main>", "https://stock.example/")
    model = Forgetful([TrueRecord({**one}, (one["name"],)) for one in RECORDS])
    for forgotten in ([], NAMES[2:4], [NAMES[1], NAMES[-1]]):
        model.forgotten = frozenset(forgotten)
        agent = ExtractionSubAgent(model, sleep=lambda _: None)
        result = asyncio.run(agent.extract(shown.text, None, SCHEMA, units=shown.units))
        completeness = result.completeness
        assert (result.is_partial, len(result.data)) == (bool(forgotten), len(RECORDS) - len(forgotten))
        assert completeness.returned + bool(forgotten) <= (completeness.expected or 0) <= len(RECORDS)
        assert all(name in " ".join(one.text for one in completeness.missing) for name in forgotten)


@pytest.mark.req("CM-1", "EX-6")
def test_a_model_that_stops_after_the_lines_of_the_first_paragraph_leaves_those_of_the_others_missing(
    site: Site,
) -> None:
    forgotten = [one["name"] for one in RECORDS if one["city"] != CITIES[0]]
    page = "lines of a paragraph for each"
    result = site.ask_for(page, PAGES[page](), *forgotten)
    assert result.extraction is not None and result.extraction.completeness is not None
    missing = " ".join(one.text for one in result.extraction.completeness.missing)
    assert result.status == "partial" and all(name in missing for name in forgotten)


@pytest.mark.req("CM-1", "EX-6")
def test_a_longer_list_below_a_table_does_not_take_the_place_of_its_rows(tmp_path: Path) -> None:
    site = Site(tmp_path)
    try:
        result = site.ask_for("both", _in_a_table_and_a_list())
    finally:
        site.gleaner.close()
    assert result.extraction is not None and result.extraction.completeness is not None
    completeness = result.extraction.completeness
    assert (result.status, completeness.expected, completeness.missing) == ("complete", len(RECORDS), [])


KEEPERS = ["Ada Moor", "Ben Vance", "Cy Tull"]
STAFF: list[dict[str, Any]] = [
    {"name": name, "keeper": KEEPERS[at % 2], "city": CITIES[at % 3]} for at, name in enumerate(NAMES)
]


def _of_staff(form: str) -> str:
    return "".join(form.format(**one) for one in STAFF)


def _staff_by_city(head: str, line: str, end: str) -> str:
    groups = ((city, [one for one in STAFF if one["city"] == city]) for city in CITIES)
    return "".join(
        head.format(city=city) + "".join(line.format(**one) for one in group) + end for city, group in groups
    )


WORDS_ALONE: dict[str, str] = {
    "paragraphs": _of_staff("<p>{name}</p><p>{keeper}</p><p>{city}</p>"),
    "lines": f"<p>{_of_staff('{name}<br>{keeper}<br>{city}<br>')}</p>",
    "rows": "<table>"
    + _of_staff("<tr><td>{name}</td><td>{keeper}</td></tr><tr><td>{city}</td><td>open</td></tr>")
    + "</table>",
    "columns": "<table>"
    + "".join(
        f"<tr><th>{field}</th>{''.join(f'<td>{one[field]}</td>' for one in STAFF)}</tr>"
        for field in ("name", "keeper", "city")
    )
    + "</table>",
    "terms": _staff_by_city("<dl><dt>{city}</dt>", "<dd>{name}, {keeper}</dd>", "</dl>"),
    "headed lines": _staff_by_city("<p><b>{city}</b></p>", "<p>{name}, {keeper}</p>", ""),
}


@pytest.fixture(scope="module")
def staff_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    made = Site(tmp_path_factory.mktemp("staff"), STAFF)
    yield made
    made.gleaner.close()


@pytest.mark.req("CM-1", "EX-6")
@pytest.mark.parametrize("page", WORDS_ALONE)
@pytest.mark.parametrize("forgotten", [[], NAMES[3:4]])
def test_records_of_words_alone_are_counted_where_nothing_wraps_them(
    staff_site: Site, page: str, forgotten: list[str]
) -> None:
    result = staff_site.ask_for(page, WORDS_ALONE[page], *forgotten)
    assert result.extraction is not None and result.extraction.completeness is not None
    completeness = result.extraction.completeness
    wanted = ("partial", len(NAMES) - 1) if forgotten else ("complete", len(NAMES))
    assert (result.status, completeness.returned) == wanted
    assert all(name in " ".join(one.text for one in completeness.missing) for name in forgotten)


MANY: list[dict[str, Any]] = [
    {
        "name": f"{NAMES[at % 7]} {at:03}",
        "city": CITIES[at % 3],
        "price": 5.5 + at,
        "since": f"2026-01-{at % 28 + 1:02}",
    }
    for at in range(32)
]


@pytest.mark.req("RC-3", "CM-1")
@pytest.mark.parametrize("lost", [[], [0, 11, 31]])
def test_the_sample_of_many_unwrapped_records_parts_none_and_each_is_counted_once(
    tmp_path: Path, lost: list[int]
) -> None:
    site = Site(tmp_path, MANY)
    forgotten = [MANY[at]["name"] for at in lost]
    body = "".join(
        f"<p><b>{one['name']}</b></p><p>{one['city']} {one['since']}</p>"
        f"{'<p><i>Our choice</i></p>' if at % 3 else ''}<p>${one['price']:.2f}</p>"
        for at, one in enumerate(MANY)
    )
    try:
        result = site.ask_for("many", body, *forgotten, tiers=["recipe", "model"])
    finally:
        site.gleaner.close()
    assert result.extraction is not None and result.extraction.completeness is not None
    assert result.extraction.data == [one for one in MANY if one["name"] not in forgotten]
    completeness = result.extraction.completeness
    assert (completeness.expected, len(completeness.missing)) == (len(MANY), len(lost))


def _stock(page: int, count: int) -> list[dict[str, Any]]:
    names = (f"{name} {'ABC'[page]}{chr(97 + at // 7)}" for at, name in enumerate(NAMES * (count // 7 + 1)))
    return [
        {"name": name, "price": 11.5 + 3 * at, "city": CITIES[at % 3], "since": f"2026-0{1 + at % 9}-1{at % 8}"}
        for at, name in zip(range(count), names, strict=False)
    ]


def _paragraphs(records: Sequence[dict[str, Any]]) -> str:
    pieces = (
        [one["name"], one["city"], *([f"Since {one['since']}"] if at % 3 else []), f"${one['price']:.2f}"]
        for at, one in enumerate(records)
    )
    return f"<div>{''.join(f'<p>{said}</p>' for each in pieces for said in each)}</div>"


def _shown(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The records without what their paragraphs leave out."""
    return [{name: one[name] for name in one if at % 3 or name != "since"} for at, one in enumerate(records)]


@pytest.mark.req("RC-2", "RC-3")
@pytest.mark.parametrize(("count", "most"), [(24, 1), (120, 4)])
def test_a_list_of_plain_paragraphs_is_whole_at_few_calls(tmp_path: Path, count: int, most: int) -> None:
    """Nothing tells where a record begins, so no recipe is kept, and the second page costs a call, too."""
    tiers = ("recipe", "model")
    first, second = _stock(1, count), _stock(2, 24)
    for records, calls in ((first, range(1, most + 1)), (second, range(1, 2))):
        site = Site(tmp_path, _shown(records))
        result = site.ask_for("paragraphs", _paragraphs(records), tiers=tiers)
        site.gleaner.close()
        assert result.extraction is not None and isinstance(result.extraction.data, list)
        assert (result.status, len(result.extraction.data)) == ("complete", len(records))
        assert len(site.model.requests) in calls
