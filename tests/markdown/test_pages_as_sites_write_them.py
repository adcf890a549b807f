"""Pages in the markup that well-known kinds of sites write: right answers are complete, and losses are seen."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from gleaner.extraction import ExtractionResult, ExtractionSubAgent
from gleaner.page.opening import open_page
from gleaner.testing import ScriptedModel, TrueRecord

from tests.support.schemas import INTEGER, TEXT

LINE = "People trade stories near the quiet station while rain comes again"


@dataclass(frozen=True)
class Kind:
    """A kind of page: its markup, the schema of a record, and the records, each beginning with a text of its own."""

    html: str
    properties: dict[str, Any]
    records: Sequence[dict[str, Any]]
    required: Sequence[str] = field(default=())


def comments() -> Kind:
    names = ["ant_4", "bee_9", "cow_2", "dog_7", "elk_1", "fox_3"]
    records = [{"author": name, "text": f"{LINE} {at + 101}.", "hours_ago": at + 2} for at, name in enumerate(names)]

    def comment(at: int, replies: str = "") -> str:
        author, text, hours = records[at].values()
        return (
            f"<div class='comment'><div class='entry'><p class='tagline'><a>{author}</a> <time>{hours} hours ago</time>"
            f"</p><div class='usertext'><p>{text}</p></div><ul class='buttons'><li><a>reply</a></li></ul>"
            f"</div>{f'<div class=child>{replies}</div>' if replies else ''}</div>"
        )

    thread = comment(0, comment(1, comment(2)) + comment(3)) + comment(4, comment(5))
    html = f"<h1>A thread</h1><div>all 6 comments</div><div class='listing'>{thread}</div>"
    return Kind(html, {"author": TEXT, "text": TEXT, "hours_ago": INTEGER}, records, ["author", "text"])


def glossary() -> Kind:
    terms = ["Boom", "Cleat", "Fender", "Halyard", "Jib", "Keel"]
    records = [{"term": term, "definition": f"{LINE} by the {term.lower()} of a boat."} for term in terms]
    html = "".join(f"<dt><dfn>{one['term']}</dfn></dt><dd>{one['definition']}</dd>" for one in records)
    return Kind(f"<h1>Glossary</h1><dl>{html}</dl>", {"term": TEXT, "definition": TEXT}, records, ["term"])


def calendar() -> Kind:
    events = {2: ["Anchor Tour"], 6: ["Basket Market", "Candle Concert"], 11: ["Drum Workshop"], 13: ["Easel Tour"]}
    titles = [(day, title) for day, named in events.items() for title in named]
    records = [{"title": title, "day": day, "time": f"{9 + at}:30"} for at, (day, title) in enumerate(titles)]

    def cell(day: int) -> str:
        named = "".join(
            f"<div class=event><i>{one['time']}</i> {one['title']}</div>" for one in records if one["day"] == day
        )
        return f"<td><span>{day}</span>{named}</td>"

    rows = "".join(f"<tr>{''.join(cell(day) for day in range(at, at + 7))}</tr>" for at in (1, 8))
    head = "".join(f"<th>{name}</th>" for name in ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"))
    html = f"<h1>Events</h1><table><caption>May</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return Kind(html, {"title": TEXT, "day": INTEGER, "time": TEXT}, records, ["title", "day"])


def grid() -> Kind:
    names = ["Amber Lamp", "Brisk Kettle", "Copper Vase", "Dusty Mirror"]
    records = [{"title": name, "vendor": f"Nord {at % 2}", "price": 20 + 7 * at} for at, name in enumerate(names)]
    html = "".join(
        f"<li><h3><a href='/{one['price']}'>{one['title']}</a></h3><span class='visually-hidden'>Vendor:</span>"
        f"<div>{one['vendor']}</div><div><span>Regular price</span><span>€{one['price']}</span></div></li>"
        for one in records
    )
    return Kind(
        f"<h1>Collection</h1><ul class='grid'>{html}</ul>", {"title": TEXT, "vendor": TEXT, "price": INTEGER}, records
    )


TALKS = [("Scaling parsers", "Ann Lee, Bo Mi"), ("A tour", "Cy Orr"), ("Debugging queues", "Di Fox, Ed Ray, Flo Sun")]
MORE_TALKS = [("A walk", "Cy Orr"), ("Scaling up", "Gus Ito, Ann Lee"), ("Old tools", "Bo Mi"), ("New tools", "Di Fox")]


def programme(talks: Sequence[tuple[str, str]] = TALKS) -> Kind:
    rooms = ["Auditorium", "Hall A", "Room 101", "Hall A"]
    records = [
        {
            "title": title,
            "start": f"{9 + at}:00",
            "end": f"{9 + at}:45",
            "speakers": names.split(", "),
            "room": rooms[at],
        }
        for at, (title, names) in enumerate(talks)
    ]
    html = ""
    for title, start, end, names, room in (one.values() for one in records):
        html += f"<div class='session'><div class='time'><span>{start}</span>–<span>{end}</span></div><div>"
        html += f"<h4><a href=/s>{title}</a></h4><p>{', '.join(f'<a href=#>{name}</a>' for name in names)}</p>"
        html += f"<span>{room}</span></div></div>"
        if start == "10:00":
            html += "<div class='session break'><div class='time'><span>10:50</span></div><div>Coffee break</div></div>"
    properties = {"title": TEXT, "start": TEXT, "end": TEXT, "speakers": {"type": "array", "items": TEXT}, "room": TEXT}
    return Kind(f"<h1>Programme</h1><section><h2>Day 1</h2>{html}</section>", properties, records, ["title", "start"])


def longer_programme() -> Kind:
    return programme(MORE_TALKS)


KINDS = {
    "comments": comments,
    "glossary": glossary,
    "calendar": calendar,
    "grid": grid,
    "programme": programme,
    "longer programme": longer_programme,
}


def extract(kind: Kind, told: Sequence[dict[str, Any]] | None = None) -> ExtractionResult:
    """Extract with a model that tells ``told``, and passes over no piece that holds a record of the page."""
    evidence = [next(value for value in one.values() if isinstance(value, str)) for one in kind.records]
    records = {name: one for one, name in zip(kind.records, evidence, strict=True)}
    given = list(records.values()) if told is None else told
    by_name = {next(value for value in one.values() if isinstance(value, str)): one for one in given}
    truth = [TrueRecord(by_name.get(name), (name,)) for name in evidence]
    model = ScriptedModel(truth, wrap=lambda found: [one for one in found if one is not None])
    page = open_page(f"<html><body>{kind.html}</body></html>", "https://site.example/list")
    item = {"type": "object", "properties": kind.properties, "required": list(kind.required)}
    agent = ExtractionSubAgent(model, sleep=lambda _: None)
    schema = {"type": "array", "items": item}
    return asyncio.run(agent.extract(page.text, None, schema, units=page.units, snapshot=kind.html))


@pytest.mark.req("CM-1", "PR-1", "PR-2")
@pytest.mark.parametrize("name", KINDS)
def test_a_right_answer_is_complete_and_proven(name: str) -> None:
    kind = KINDS[name]()
    result = extract(kind)
    assert result.data == list(kind.records)
    assert not result.is_partial, (result.errors, result.warnings)
    assert not [entry.pointer for entry in result.provenance if entry.status == "ungrounded"]


@pytest.mark.req("CM-1", "EX-6")
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("at", [0, 2, -1])
def test_a_record_that_the_model_never_gives_makes_the_result_partial(name: str, at: int) -> None:
    kind = KINDS[name]()
    kept = [one for one in kind.records if one is not kind.records[at]]
    result = extract(kind, kept)
    assert result.is_partial
    assert result.data == kept


@pytest.mark.req("CM-1", "PR-2")
@pytest.mark.parametrize("name", ["programme", "longer programme"])
def test_a_record_that_takes_in_the_next_one_with_its_list_makes_the_result_partial(name: str) -> None:
    kind = KINDS[name]()
    first, second, *rest = kind.records
    mixed = {**first, "end": second["end"], "speakers": [*first["speakers"], *second["speakers"]]}
    assert extract(kind, [mixed, *rest]).is_partial


TEAMS = ["Ashford FC", "Dunmore Town", "Jarrow", "Kelso United", "Ludlow", "Malton FC"]
DAYS = {"2026-10-17": "Saturday 17 October 2026", "2026-10-24": "Saturday 24 October 2026"}


def league(told: Sequence[int] = range(6), **changed: str) -> tuple[ExtractionResult, dict[str, Any]]:
    """Extract a league's table and its fixtures by day; ``told`` are the fixtures that the model gives."""
    table: list[dict[str, Any]] = [
        {"team": team, "played": 12 + at, "points": 31 - 4 * at} for at, team in enumerate(TEAMS)
    ]
    pairs = [(TEAMS[at % 6], TEAMS[(at + 2 + at // 3) % 6]) for at in range(6)]
    fixtures: list[dict[str, Any]] = [
        {"date": list(DAYS)[at // 3], "kickoff": f"{13 + at}:15", "home": home, "away": away}
        for at, (home, away) in enumerate(pairs)
    ]
    rows = "".join(f"<tr>{''.join(f'<td>{value}</td>' for value in one.values())}</tr>" for one in table)
    html = f"<h2>Table</h2><table><tr><th>Team</th><th>P</th><th>Pts</th></tr>{rows}</table><h2>Fixtures</h2>"
    for day, name in DAYS.items():
        items = "".join(
            f"<li><span>{one['kickoff']}</span> <span>{one['home']}</span> v <span>{one['away']}</span></li>"
            for one in fixtures
            if one["date"] == day
        )
        html += f"<h3>{name}</h3><ul>{items}</ul>"
    given = [one if at else {**one, **changed} for at, one in enumerate(fixtures)]
    truth = [TrueRecord(one, (f"| {one['team']} |",)) for one in table]
    truth += [
        TrueRecord(given[at] if at in told else None, (f"{one['kickoff']} {one['home']} v {one['away']}",))
        for at, one in enumerate(fixtures)
    ]

    def split(found: list[Any]) -> dict[str, Any]:
        known = [one for one in found if one is not None]
        return {name: [one for one in known if key in one] for name, key in (("table", "team"), ("fixtures", "home"))}

    properties = {
        "table": {"team": TEXT, "played": INTEGER, "points": INTEGER},
        "fixtures": {"date": {**TEXT, "format": "date"}, "kickoff": TEXT, "home": TEXT, "away": TEXT},
    }
    lists = {name: {"type": "array", "items": {"type": "object", "properties": p}} for name, p in properties.items()}
    page = open_page(f"<html><body>{html}</body></html>", "https://site.example/league")
    agent = ExtractionSubAgent(ScriptedModel(truth, wrap=split), sleep=lambda _: None)
    schema = {"type": "object", "properties": lists}
    result = asyncio.run(agent.extract(page.text, None, schema, units=page.units, snapshot=html))
    return result, {"table": table, "fixtures": fixtures}


@pytest.mark.req("CM-1", "PR-1")
def test_two_lists_of_one_page_are_complete_together() -> None:
    result, truth = league()
    assert result.data == truth
    assert not result.is_partial, (result.errors, result.warnings)


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("lost", [0, 3, 5])
def test_a_record_lost_from_a_list_by_sections_beside_another_is_missed(lost: int) -> None:
    result, _ = league([at for at in range(6) if at != lost])
    assert result.is_partial


@pytest.mark.req("PR-2")
def test_values_of_a_list_beside_the_records_are_proven_by_their_own_pieces() -> None:
    result, _ = league(home="Kelso United")
    statuses = {entry.pointer: entry.status for entry in result.provenance}
    assert statuses["/fixtures/0/home"] == "ungrounded"
    places = [entry.start for entry in result.provenance if entry.pointer == "/fixtures/1/home"]
    assert places[0] and places[0] > 150
