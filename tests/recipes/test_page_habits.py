"""Habits of real pages about one thing: labels behind values, words beside numbers, facts that come and go."""

import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

import pytest
from gleaner.page.opening import open_page
from gleaner.wrappers import Example, Recipe, learn_from, replay, same_data

Fact = dict[str, Any]
URL = "https://habits.example/items"
_TYPES = {str: "string", int: "number", list: "array"}


def _css(one: Fact, role: str) -> str:
    """Give a class that is another one on each page, as some build tools make them."""
    return "css-" + sha256(f"{one}/{role}".encode()).hexdigest()[:4] + "1x9"


def room(one: Fact) -> str:
    facts = [
        (f"{one['size']} m²", "Zimmergröße"),
        (one["bed"], "Schlafplätze"),
        *([(one["floor"], "Lage im Haus")] if one["floor"] else []),
    ]
    listed = "".join(f"<li class='{_css(one, 'i')}'><strong>{a}</strong><span>{b}</span></li>" for a, b in facts)
    extras = "".join(f"<li>{each}</li>" for each in one["extras"])
    return (
        f"<h1>{one['name']}</h1><ul>{listed}</ul><p>{one['text']}</p><h3>Ausstattung</h3><ul>{extras}</ul>"
        f"<div><b>{one['price']} €</b> <small>pro Nacht</small></div>"
    )


def train(one: Fact) -> str:
    late = f"<i>In ritardo di {one['late']} minuti</i><br>" if one["late"] else "<i>In orario</i><br>"
    return (
        f"<h1>{one['name']}</h1><div>Partenza da <b>{one['start']}</b><br>Arrivo a <b>{one['end']}</b><br>{late}</div>"
        f"<p>Da <b>{one['price']} €</b> a persona</p>"
    )


def exhibit(one: Fact) -> str:
    made = "".join(f"<dd>{each}</dd>" for each in one["materials"])
    author = f"<div><dt>Autor</dt><dd>{one['author']}</dd></div>" if one["author"] else ""
    return (
        f"<h1>{one['name']}</h1><dl>{author}<div><dt>Materiał</dt>{made}</div>"
        f"<div><dt>Wysokość</dt><dd>{one['height']} cm</dd></div></dl><div class='opis'><p>{one['text']}</p></div>"
    )


def dish(one: Fact) -> str:
    cooked = f"<li>Cuisson : {one['cook']} min</li>" if one["cook"] else ""
    return (
        f"<h1>{one['name']}</h1><p>Proposée par <a href='/chef'>{one['author']}</a></p><ul class='infos'>"
        f"<li>Préparation : {one['prep']} min</li>{cooked}<li>Pour {one['serves']} personnes</li></ul>"
    )


_WORDS = (
    "Am See liegt alles ruhig.",
    "Hinter dem Garten beginnt Wald.",
    "Drei Wege gehen zur Bahn.",
    "Hell und still.",
)
_CITIES = ("Lecce", "Prato", "Udine", "Asti", "Matera", "Trani")
_PEOPLE = ("Ana Ferri", "Marek Lis", "Rita Sousa", "Nils Berg", "Eva Hora", "Tom Klein")

PAGES: Mapping[str, tuple[Callable[[Fact], str], list[Fact]]] = {
    "a room with its labels behind the values": (
        room,
        [
            {
                "name": f"Zimmer {'ABCDEF'[n]}",
                "size": 18 + 7 * n,
                "bed": ("1 Doppelbett", "2 Einzelbetten", "1 Sofa")[n % 3],
                "floor": f"{n + 1}. Etage" if n % 2 else None,
                "extras": ["Balkon", "Safe", "Föhn", "Minibar"][n % 2 : 2 + n % 3],
                "text": f"{_WORDS[n % 4]} {_WORDS[(n + 1) % 4]}",
                "price": 99 + 31 * n,
            }
            for n in range(6)
        ],
    ),
    "a train whose delay is a sentence": (
        train,
        [
            {
                "name": f"FR {9100 + 37 * n}",
                "start": _CITIES[n],
                "end": _CITIES[(n + 2) % 6],
                "late": 4 + 9 * n if n % 3 else None,
                "price": 19 + 6 * n,
            }
            for n in range(6)
        ],
    ),
    "an exhibit with several materials behind one label": (
        exhibit,
        [
            {
                "name": f"Kielich {'ABCDEF'[n]}",
                "author": _PEOPLE[n] if n % 2 else None,
                "materials": ["drewno", "srebro", "len"][n % 2 : 2 + n % 2],
                "height": 12 + 5 * n,
                "text": f"Dar rodziny {_PEOPLE[(n + 3) % 6]} przekazany po wojnie do muzeum.",
            }
            for n in range(6)
        ],
    ),
    "a dish that serves so many": (
        dish,
        [
            {
                "name": f"Tarte {'ABCDEF'[n]}",
                "author": _PEOPLE[n],
                "prep": 11 + 4 * n,
                "cook": 25 + 6 * n if n % 2 else None,
                "serves": 2 + n,
            }
            for n in range(6)
        ],
    ),
}


def _schema(facts: list[Fact]) -> Fact:
    properties: Fact = {}
    for name in facts[0]:
        value = next(one[name] for one in facts if one[name] is not None)
        kind: Any = _TYPES[type(value)]
        may_lack = any(one[name] is None for one in facts)
        properties[name] = {"type": [kind, "null"] if may_lack else kind}
        if kind == "array":
            properties[name]["items"] = {"type": "string"}
    return {"type": "object", "properties": properties, "required": [*properties]}


def _html(write: Callable[[Fact], str], one: Fact) -> str:
    more = "".join(f"<li><a href='/more/{n}'>More like this {n}</a></li>" for n in range(1, 4))
    return f"<html><body><main>{write(one)}</main><aside><ul>{more}</ul></aside></body></html>"


def _learned(case: str) -> Recipe:
    write, facts = PAGES[case]
    known = [Example(open_page(_html(write, one), f"{URL}/{at}"), one) for at, one in enumerate(facts[:4])]
    recipe = learn_from(known, _schema(facts)).recipe
    assert recipe is not None
    return recipe


@pytest.mark.req("RC-1")
@pytest.mark.parametrize("case", PAGES)
def test_four_pages_of_a_layout_are_enough_to_read_the_next_ones_whole(case: str) -> None:
    write, facts = PAGES[case]
    recipe = _learned(case)
    for at, one in enumerate(facts[4:], 4):
        read = replay(recipe, open_page(_html(write, one), f"{URL}/{at}"), _schema(facts))
        assert (read.doubts, dict(read.unread), read.data) == ((), {}, one)


def _labels_renamed(html: str) -> str:
    words = "Zimmergröße|Schlafplätze|Lage im Haus|Ausstattung|pro Nacht|Autor|Materiał|Wysokość|Cuisson|Préparation"
    return re.sub(rf"\b({words}|Pour|In ritardo di|Partenza da)\b", lambda found: f"The {found[0].lower()}", html)


def _unit_changed(html: str) -> str:
    return re.sub(r"(\d+) (min|minuti|cm|m²)(?!\w)", lambda found: f"{int(found[1]) * 60} x{found[2]}", html)


def _texts_exchanged(html: str) -> str:
    """Let the first list, or the parts of a definition, stand where the text did, and the text there."""
    lists = re.search(r"(?s)<(ul|dl).*?</\1>", html)
    text = re.search(r"<p>(?!Da <|Propos)(.*?)</p>", html)
    if lists is None or text is None:
        return html
    inner = re.sub(r"^<\w+[^>]*>|</\w+>$", "", lists[0])
    return html.replace(lists[0], f"<ul>{text[1]}</ul>").replace(text[0], f"<p>{inner}</p>")


def _another_amount(html: str) -> str:
    return html.replace("</main>", "<div><b>61 €</b> <small>Kurtaxe</small></div><p>9 cm, 12 min, 7 m²</p></main>")


CHANGES: Mapping[str, Callable[[str], str]] = {
    "labels renamed": _labels_renamed,
    "another unit": _unit_changed,
    "text and facts exchanged": _texts_exchanged,
    "another amount": _another_amount,
    "classes renamed": lambda html: re.sub(r"class='[\w-]+'", "class='k12ab34'", html),
}


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("case", PAGES)
def test_nothing_wrong_is_read_from_a_page_after_a_change(case: str, change: str) -> None:
    write, facts = PAGES[case]
    recipe = _learned(case)
    for at, one in enumerate(facts[4:], 4):
        html = CHANGES[change](_html(write, one))
        read = replay(recipe, open_page(html, f"{URL}/{at}"), _schema(facts))
        served = read.data if isinstance(read.data, dict) and not read.doubts else {}
        left = {pointer.strip("/") for pointer in read.unread}
        wrong = {name: value for name, value in served.items() if name not in left and not same_data(value, one[name])}
        said = {name: value for name, value in wrong.items() if change != "another unit" or value in one.values()}
        assert not said


def _rated(price: str, reviews: str) -> str:
    return f"<main><h1>Clinic {len(price)}</h1><p class='fee'>{price}</p><span class='n'>{reviews}</span></main>"


@pytest.mark.req("RC-1", "RC-2")
def test_currencies_and_words_in_another_number_need_no_second_look() -> None:
    names = {"name": "string", "fee": "number", "currency": "string", "reviews": "integer"}
    schema = {"type": "object", "properties": {name: {"type": kind} for name, kind in names.items()}}
    known = [
        Example(
            open_page(_rated(f"€ {fee}", f"{reviews} reviews"), f"{URL}/{fee}"),
            {"name": f"Clinic {len(f'€ {fee}')}", "fee": fee, "currency": "EUR", "reviews": reviews},
        )
        for fee, reviews in ((60, 17), (140, 230), (1150, 12))
    ]
    recipe = learn_from(known, schema).recipe
    assert recipe is not None
    read = replay(recipe, open_page(_rated("€ 75", "1 review"), URL), schema)
    assert (read.data, read.holds) == ({"name": "Clinic 4", "fee": 75, "currency": "EUR", "reviews": 1}, True)
    read = replay(recipe, open_page(_rated("£ 75", "1 review"), URL), schema)
    assert {*read.unread} == {"/fee", "/currency"}, "another currency is another layout until a model has said so"


def _links(*addresses: str) -> str:
    items = "".join(
        f"<li><a href='{one}'>Story {at}</a> <i>{at + 3} points</i></li>" for at, one in enumerate(addresses)
    )
    return f"<main><h1>News</h1><ol>{items}</ol></main>"


@pytest.mark.req("RC-1", "RC-2")
def test_a_relative_address_is_resolved_though_no_page_before_had_one() -> None:
    fields = {"title": {"type": "string"}, "url": {"type": "string"}, "points": {"type": "integer"}}
    schema = {"type": "array", "items": {"type": "object", "properties": fields}}
    first = [f"https://site-{at}.example/story" for at in range(6)]
    told = [{"title": f"Story {at}", "url": one, "points": at + 3} for at, one in enumerate(first)]
    recipe = learn_from([Example(open_page(_links(*first), URL), told)], schema).recipe
    assert recipe is not None
    read = replay(recipe, open_page(_links(*first[:4], "item?id=7", first[4]), URL), schema)
    assert isinstance(read.data, list)
    assert [one["url"] for one in read.data if isinstance(one, dict)][4] == "https://habits.example/item?id=7"


def _films(*facts: tuple[str, str]) -> str:
    items = "".join(
        f"<li><h3>Film {at}</h3><span class='length'>{length}</span><em class='votes'>({votes})</em></li>"
        for at, (length, votes) in enumerate(facts)
    )
    return f"<main><h1>Films</h1><ul>{items}</ul></main>"


@pytest.mark.req("RC-1", "RC-2")
def test_durations_and_abbreviated_counts_are_read_on_pages_with_others() -> None:
    fields = {"title": {"type": "string"}, "minutes": {"type": "integer"}, "votes": {"type": "integer"}}
    schema = {"type": "array", "items": {"type": "object", "properties": fields}}
    told = [(171, 803_000), (65, 2_100_000), (100, 1_400_000), (95, 76_000), (122, 12_000), (143, 3_300_000)]
    shown = [("2h 51m", "803K"), ("1h 5m", "2.1M"), ("1h 40m", "1.4M"), ("1h 35m", "76K"), ("2h 2m", "12K")]
    known = [{"title": f"Film {at}", "minutes": one, "votes": votes} for at, (one, votes) in enumerate(told)]
    recipe = learn_from([Example(open_page(_films(*shown, ("2h 23m", "3.3M")), URL), known)], schema).recipe
    assert recipe is not None
    read = replay(recipe, open_page(_films(("3h 2m", "1.1M"), ("1h 9m", "95K"), *shown), URL), schema)
    assert isinstance(read.data, list)
    assert read.data[:2] == [
        {"title": "Film 0", "minutes": 182, "votes": 1_100_000},
        {"title": "Film 1", "minutes": 69, "votes": 95_000},
    ]
