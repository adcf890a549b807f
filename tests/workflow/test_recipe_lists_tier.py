"""Records with lists of objects are paid for once, too, and what their certificate does not cover is not served."""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from generated_pages.nests import NESTED, NestedPage
from gleaner import Gleaner
from gleaner.contracts.models import ExtractionResult
from gleaner.testing import FunctionModel
from gleaner.tiers import recipe_tier
from gleaner.wrappers import Replay, same_data

from tests.support.asking import Pages
from tests.support.schemas import INTEGER, NUMBER, TEXT, list_of, object_of

TIERS = {"tiers": ["recipe", "model"]}


def ask(pages: Pages, page: NestedPage, tiers: dict[str, Any] = TIERS) -> tuple[ExtractionResult, int]:
    pages.model.wrap = None if isinstance(page.truth, list) else lambda records: records[0] if records else None
    return pages.ask(page.html, page.url, page.schema, page.records, config=tiers)


PAID_ONCE = [
    "ingredients in lists",
    "ingredients in pairs",
    "one profile",
    "publications in lists",
    "publications under headings",
    "showings in cinemas",
    "time slots",
]


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize("name", PAID_ONCE)
def test_pages_whose_records_hold_lists_are_paid_for_once(pages: Pages, name: str) -> None:
    calls: list[int] = []
    for number in range(3):
        page = NESTED[name].page(number)
        found, asked = ask(pages, page)
        calls.append(asked)
        assert same_data(found.data, page.truth)
        assert not found.is_partial
        assert "ungrounded" not in {entry.status for entry in found.provenance}
    assert calls == [1, 0, 0]


SIDE_LINKS = "".join(f"<li><a href='/{name}'>{name.title()}</a></li>" for name in ("press", "jobs", "story"))


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("name", PAID_ONCE)
def test_what_stands_below_the_last_record_does_not_bring_the_model_back(pages: Pages, name: str) -> None:
    below = f"</main><aside><h4>Related</h4><ul>{SIDE_LINKS}</ul></aside>"
    nested = [NESTED[name].page(number, change=lambda html: html.replace("</main>", below)) for number in range(2)]
    answers = [ask(pages, page) for page in nested]
    assert [asked for _, asked in answers] == [1, 0]
    assert all(same_data(found.data, page.truth) for (found, _), page in zip(answers, nested, strict=True))


def every_fourth(before: str, addition: str) -> Callable[[str], str]:
    """Put a piece, with a number in place of N, before each fourth record."""

    def change(html: str) -> str:
        head, *records = html.split(before)
        pieces = [addition.replace("N", str(at // 4 + 1)) if at % 4 == 0 else "" for at in range(len(records))]
        return head + "".join(f"{piece}{before}{one}" for piece, one in zip(pieces, records, strict=True))

    return change


EVENT, DISH = "<article class='event'>", "<section class='dish'>"
AROUND: dict[str, tuple[str, Callable[[str], str]]] = {
    "titles of groups": ("time slots", every_fourth(EVENT, "<h2>Day N</h2>")),
    "advertisements": ("time slots", every_fourth(EVENT, "<div class='ad'><p>Sponsored: our newsletter</p></div>")),
    "images": ("ingredients in lists", lambda html: html.replace(DISH, DISH + "<img src='/i.jpg' alt='A dish'>")),
    "links": (
        "ingredients in lists",
        lambda html: html.replace("<span class='what'>", "<a class='what' href='/f/9'>").replace(
            "</span></li>", "</a></li>"
        ),
    ),
}


@pytest.mark.req("RC-2", "CM-1")
@pytest.mark.parametrize("around", sorted(AROUND))
def test_what_stands_among_records_with_lists_does_not_bring_the_model_back(pages: Pages, around: str) -> None:
    name, change = AROUND[around]
    tiers: list[str] = []
    for number in range(3):
        page = NESTED[name].page(number, change=change)
        found, _ = ask(pages, page)
        tiers.append(found.tier)
        assert same_data(found.data, page.truth)
        assert not found.is_partial
    assert tiers == ["model", "recipe", "recipe"]


@pytest.mark.req("RC-2", "CM-1")
def test_a_section_beside_records_with_lists_does_not_bring_the_model_back(tmp_path: Path) -> None:
    draw = random.Random(7)
    truth: Any = None
    tiers: list[str] = []
    with Gleaner(model=FunctionModel(lambda _: json.dumps(truth)), home=tmp_path) as gleaner:
        for number, title in enumerate(("Nearby", "Nearby", "Further inns", "You may also like")):
            truth = inns_of(draw, NAMES[:5])
            cards = "".join(f"<div class='inn'><h3>{one['name']}</h3>{table_of_rooms(one)}</div>" for one in truth)
            beside = f"<aside class='more'><h3>{title}</h3><ul><li>{draw.choice(NAMES)}'s museum</li></ul></aside>"
            html = f"<html><body><main><h1>Inns</h1><div>{cards}</div></main>{beside}</body></html>"
            url = f"https://inns.example/all?page={number}"
            found = gleaner.extract_html(html, url, output_schema=INNS, config=TIERS).extraction
            assert found is not None
            assert same_data(found.data, truth)
            tiers.append(found.tier)
    assert tiers == ["model", "recipe", "recipe", "recipe"]


@pytest.mark.req("RC-3")
def test_a_section_about_other_things_below_a_long_list_brings_no_second_sample(pages: Pages) -> None:
    truth = inns_of(random.Random(8), [f"{name} {number}" for number in range(100, 110) for name in NAMES])
    cards = "".join(f"<div class='inn'><h3>{one['name']}</h3>{table_of_rooms(one)}</div>" for one in truth)
    beside = "<aside><h3>You may also like</h3><ul><li>Ada's museum</li></ul></aside>"
    html = f"<html><body><main><h1>Inns</h1><div>{cards}</div></main>{beside}</body></html>"
    found, calls = pages.ask(html, "https://inns.example/long", INNS, truth)
    assert same_data(found.data, truth)
    assert not found.is_partial
    assert calls == 1


@pytest.mark.req("RC-3")
def test_a_long_page_of_records_with_lists_is_read_by_a_sample(pages: Pages) -> None:
    layout = NESTED["ingredients in lists"]
    records: list[Any] = []
    for number in range(60):
        drawn = layout.draw(random.Random(f"long/{number}"))
        assert isinstance(drawn, list)
        records += [one for one in drawn if isinstance(one, dict)]
    for number, record in enumerate(records):
        record["dish"] = f"Dish {number + 1000}"
    page = NestedPage(layout.whole(records), "https://site.example/long", layout.schema, records)
    found, calls = ask(pages, page)
    assert calls == 1
    assert same_data(found.data, records)
    assert not found.is_partial
    assert found.usage.output_tokens < 2_000


@pytest.mark.req("RC-2", "CM-1")
def test_an_answer_that_lacks_an_item_or_a_record_is_not_certified(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout = NESTED["publications in lists"]
    ask(pages, layout.page(0))
    whole = recipe_tier.replay

    def without_an_item(*given: Any) -> Replay:
        answer = whole(*given)
        longest = max(answer.records, key=lambda one: len(one["publications"]) if isinstance(one, dict) else 0)  # type: ignore[arg-type]
        assert isinstance(longest, dict)
        del longest["publications"][0]  # type: ignore[union-attr,arg-type]
        return answer

    def without_a_record(*given: Any) -> Replay:
        answer = whole(*given)
        records = answer.records[1:]
        return replace(answer, records=records, data=[*records], boxes=answer.boxes[1:])

    assert ask(pages, layout.page(1))[0].tier == "recipe"
    for broken in (without_an_item, without_a_record):
        with monkeypatch.context() as patched:
            patched.setattr(recipe_tier, "replay", broken)
            assert ask(pages, layout.page(2), {"tiers": ["recipe"]})[0].tier == "none"


@pytest.mark.req("RC-2")
def test_one_record_of_another_class_sends_the_page_to_the_model(pages: Pages) -> None:
    layout = NESTED["publications in lists"]
    ask(pages, layout.page(0))
    page = layout.page(1, change=lambda html: html.replace("class='person'", "class='guest'", 1))
    assert ask(pages, page, {"tiers": ["recipe"]})[0].tier == "none"


NAMES = ("Ada", "Bo", "Cleo", "Dov", "Esa", "Finn", "Gil", "Hana", "Ivo", "Jun", "Kai", "Lena")


ROOMS = list_of(object_of(kind=TEXT, beds=INTEGER, price=NUMBER))
SIGHTS = list_of(object_of(place=TEXT, away=TEXT))
FAQS = list_of(object_of(question=TEXT, answer=TEXT))
INN = object_of(
    name=TEXT, stars=INTEGER, rooms=ROOMS, sights=SIGHTS, faqs=list_of(object_of(question=TEXT, answer=TEXT))
)
INNS = list_of(object_of(name=TEXT, rooms=ROOMS))


def inns_of(draw: random.Random, names: Sequence[str]) -> list[Any]:
    return [{"name": f"{name} {draw.choice('KLMN')}. Roe", "rooms": rooms_of(draw)} for name in names]


def rooms_of(draw: random.Random) -> list[Any]:
    kinds = draw.sample(("Single", "Double", "Twin", "Suite", "Loft"), draw.randint(2, 4))
    return [{"kind": kind, "beds": draw.randint(1, 4), "price": draw.randint(5000, 9999) / 100} for kind in kinds]


def table_of_rooms(one: Any) -> str:
    cells = (f"<td>{room['kind']}</td><td>{room['beds']}</td><td>€{room['price']:.2f}</td>" for room in one["rooms"])
    rows = "".join(f"<tr>{row}</tr>" for row in cells)
    return f"<table class='rooms'><tr><th>Kind</th><th>Beds</th><th>Price</th></tr>{rows}</table>"


def inn(draw: random.Random, rooms: int, sights: int, faqs: int) -> tuple[str, dict[str, Any]]:
    kinds, places = draw.sample(("Single", "Double", "Twin", "Suite", "Loft"), rooms), draw.sample(NAMES, sights)
    truth: dict[str, Any] = {
        "name": f"{draw.choice(NAMES)}'s inn",
        "stars": draw.randint(2, 5),
        "rooms": [
            {"kind": kind, "beds": draw.randint(1, 4), "price": draw.randint(5000, 9999) / 100} for kind in kinds
        ],
        "sights": [{"place": f"{name} Bay museum", "away": f"{draw.randint(11, 99) / 10} km"} for name in places],
        "faqs": [
            {"question": f"May I bring a {thing}?", "answer": f"Yes, ask the desk {draw.randint(2, 9)} days before."}
            for thing in draw.sample(("lamp", "mirror", "boat", "kite", "signal"), faqs)
        ],
    }
    cells = [f"<td>{one['kind']}</td><td>{one['beds']}</td><td>€{one['price']:.2f}</td>" for one in truth["rooms"]]
    rows = "".join(f"<tr>{row}</tr>" for row in cells)
    items = "".join(f"<li>{one['place']} <span>{one['away']}</span></li>" for one in truth["sights"])
    head = f"<h1>{truth['name']}</h1><p class='stars'>{truth['stars']} stars</p>"
    table = f"<h2>Rooms</h2><table class='rooms'><tr><th>Kind</th><th>Beds</th><th>Price</th></tr>{rows}</table>"
    asked = "".join(
        f"<details><summary>{one['question']}</summary><p>{one['answer']}</p></details>" for one in truth["faqs"]
    )
    nearby = f"<h2>Nearby</h2><ul class='near'>{items}</ul><h2>Questions</h2><div class='faq'>{asked}</div>"
    return f"<html><body>{head}{table}{nearby}</body></html>", truth


@pytest.mark.req("RC-2")
def test_lists_beside_the_records_that_are_as_long_as_theirs_are_not_taken_for_the_records(tmp_path: Path) -> None:
    draw = random.Random(6)
    truth: Any = None
    tiers: list[str] = []
    with Gleaner(model=FunctionModel(lambda _: json.dumps(truth)), home=tmp_path) as gleaner:
        for number, counts in enumerate(((5, 2, 2), (3, 3, 3), (2, 5, 3), (4, 2, 3), (4, 5, 4), (3, 5, 4))):
            html, truth = inn(draw, *counts)
            url = f"https://inns.example/inn?page={number}"
            found = gleaner.extract_html(html, url, output_schema=INN, config=TIERS).extraction
            assert found is not None
            assert found.is_partial or same_data(found.data, truth)
            tiers.append(found.tier)
    assert "recipe" in tiers
