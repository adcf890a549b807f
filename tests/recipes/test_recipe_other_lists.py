"""Things that a page writes like its records, or like their parts, and that are none (RC-2)."""

from collections.abc import Sequence
from typing import Any

import pytest
from gleaner.recipes import learn, refine, replay
from gleaner.recipes.learning import same_data

URL = "https://staff.example/{}"
Data = dict[str, Any]
NAMES = ("Ada Maple", "Bo Fir", "Cy Ash", "Di Oak", "Eli Elm", "Flo Yew", "Gus Ivy", "Hal Bay", "Ida Rowan")


def schema_of(**kinds: Data) -> Data:
    return {"type": "array", "items": {"type": "object", "properties": kinds, "required": [*kinds]}}


PEOPLE = schema_of(name={"type": "string"}, office={"type": "string"}, since={"type": "integer"})


def people(names: Sequence[str], first: int) -> Any:
    return [
        {"name": name, "office": f"{name.split()[1]} House", "since": first + 3 * at} for at, name in enumerate(names)
    ]


def cells(rows: Sequence[Data]) -> str:
    return "".join(
        f"<div class='c first'>{one['name']}</div><div class=c>{one['office']}</div><div class=c>{one['since']}</div>"
        for one in rows
    )


def grid(rows: Sequence[Data], above: Sequence[Data] = ()) -> str:
    promo = f"<section class=promo><h2>Try this instead</h2>{cells(above)}</section>" if above else ""
    heads = "<div class=h>Name</div><div class=h>Office</div><div class=h>Since</div>"
    return f"<main><h1>Staff</h1>{promo}<div class=staff>{heads}{cells(rows)}</div></main>"


@pytest.mark.req("RC-2")
def test_flat_records_in_several_parts_are_doubted_where_all_stood_in_one() -> None:
    known, rows, other = people(NAMES, 1990), people(NAMES[::-1], 1991), people(["Zed Hazel"], 2020)
    recipe = learn(grid(known), URL.format(1), PEOPLE, known)
    assert recipe is not None
    assert same_data(replay(recipe, grid(rows), URL.format(2), PEOPLE).data, rows)
    assert not replay(recipe, grid(rows), URL.format(2), PEOPLE).doubts
    page = grid(rows, above=other)
    assert replay(recipe, page, URL.format(2), PEOPLE).doubts
    known_apart = refine(recipe, page, URL.format(2), [*other, *rows])
    assert known_apart is not None
    assert not replay(known_apart, page, URL.format(2), PEOPLE).doubts


JOBS = schema_of(title={"type": "string"}, points={"type": "array", "items": {"type": "string"}})


def job(at: int) -> Data:
    return {"title": f"{NAMES[at].split()[1]} keeper", "points": [f"Water {NAMES[at]}", f"Prune {NAMES[at]} in June"]}


def jobs(numbers: Sequence[int]) -> Any:
    return [job(at) for at in numbers]


def jobs_page(rows: Sequence[Data], more: str = "") -> str:
    def listed(one: Data) -> str:
        items = "".join(f"<li>{point}</li>" for point in one["points"])
        return f"<li class=job><h2>{one['title']}</h2><div class=snippet><ul>{items}</ul>{more}</div></li>"

    return f"<main><ul class=jobs>{''.join(map(listed, rows))}</ul></main>"


@pytest.mark.req("RC-2")
def test_a_second_list_in_the_place_of_one_is_doubted() -> None:
    known, rows = jobs(range(5)), jobs(range(3, 9))
    recipe = learn(jobs_page(known), URL.format(1), JOBS, known)
    assert recipe is not None
    assert not replay(recipe, jobs_page(rows), URL.format(2), JOBS).doubts
    assert replay(recipe, jobs_page(rows, "<ul><li>Own tools</li></ul>"), URL.format(2), JOBS).doubts


LOTS = schema_of(lot={"type": "integer"}, title={"type": "string"})
TITLES = ("Oak chest", "Silent clock (vintage)", "Lamp 15 W, brass", "Three prints", "Map of Kyoto, 1890")


def lots_page(rows: Sequence[Data], *, is_swapped: bool = False) -> str:
    def listed(one: Data) -> str:
        said = [f"Lot {one['lot']}", one["title"]]
        first, second = reversed(said) if is_swapped else said
        link = f"<a class=lot-link href='/lots/{one['lot']}'><span>{first}</span> <b class=lot-title>{second}</b></a>"
        return f"<div class=lot-item>{link}</div>"

    return f"<main>{''.join(map(listed, rows))}</main>"


@pytest.mark.req("RC-2")
def test_texts_that_are_all_written_alike_in_a_new_way_are_doubted() -> None:
    known: Any = [
        {"lot": 100 + 7 * at, "title": f"{TITLES[at % 5]} no. {at}" if at > 4 else TITLES[at]} for at in range(12)
    ]
    rows = [{"lot": 300 + 7 * at, "title": TITLES[at]} for at in range(5)]
    recipe = learn(lots_page(known), URL.format(1), LOTS, known)
    assert recipe is not None
    assert not replay(recipe, lots_page(rows), URL.format(2), LOTS).doubts
    assert replay(recipe, lots_page(rows, is_swapped=True), URL.format(2), LOTS).doubts
