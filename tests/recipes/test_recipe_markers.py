"""Values that only an icon, or a label without a colon beside them, tells apart; and links told by their scheme."""

from collections.abc import Callable

import pytest
from gleaner.contracts.ports import JsonObject, JsonValue
from gleaner.recipes import Example, learn, replay
from gleaner.recipes.learning import same_data

URL = "https://homes.example/"
OPTIONAL = {"type": ["integer", "null"]}
HOME = {
    "type": "object",
    "required": ["title", "beds", "baths", "area"],
    "properties": {"title": {"type": "string"}, "beds": OPTIONAL, "baths": OPTIONAL, "area": OPTIONAL},
}
HOMES = {"type": "array", "items": HOME}
ICONS = {"beds": "bed", "baths": "bath", "area": "ruler"}
Feature = Callable[[str, str], str]
STYLES: dict[str, Feature] = {
    "class": lambda icon, text: f'<li><i class="fa fa-{icon}"></i> {text}</li>',
    "span": lambda icon, text: f'<li><i class="fa fa-{icon}"></i><span>{text}</span></li>',
    "inline": lambda icon, text: f'<i class="ico fa-{icon}"></i>{text} ',
    "image": lambda icon, text: f'<span><img src="/img/{icon}.svg" alt=""> {text}</span>',
    "sprite": lambda icon, text: f'<div><svg><use xlink:href="#i-{icon}"></use></svg><p>{text}</p></div>',
    "component": lambda icon, text: f'<span><ion-icon name="{icon}"></ion-icon> {text}</span>',
    "wrapped": lambda icon, text: f'<div><div><svg data-icon="{icon}"></svg></div><div>{text}</div></div>',
}


def home(title: str, beds: int | None, baths: int | None, area: int | None) -> JsonObject:
    return {"title": title, "beds": beds, "baths": baths, "area": area}


FIRST = [
    home("Larch lane", 3, 1, 120),
    home("Oak road", None, 2, 96),
    home("Ash court", 4, None, 210),
    home("Elm view", 1, 3, None),
    home("Yew walk", 2, 2, 75),
]
NEXT = [home("Fir hill", None, 4, 88), home("Alder mews", 5, None, None), home("Hazel end", 2, 1, 143)]


def features(one: JsonObject, style: str) -> str:
    said = {name: f"{one[name]} m²" if name == "area" else str(one[name]) for name in ICONS}
    return "".join(STYLES[style](ICONS[name], said[name]) for name in ICONS if one[name] is not None)


def listing(homes: list[JsonObject], style: str) -> str:
    cards = (f"<article><h3>{one['title']}</h3><div class=f>{features(one, style)}</div></article>" for one in homes)
    return f"<main>{''.join(cards)}</main>"


def page(one: JsonObject, style: str) -> str:
    return f"<main><h1>{one['title']}</h1><div class=f>{features(one, style)}</div><p>Near the sea.</p></main>"


def as_json(homes: list[JsonObject]) -> JsonValue:
    return [*homes]


@pytest.mark.req("RC-1")
@pytest.mark.parametrize("style", STYLES)
def test_icons_tell_the_fields_of_records_that_lack_some(style: str) -> None:
    recipe = learn(listing(FIRST, style), URL, HOMES, as_json(FIRST))
    assert recipe is not None
    found = replay(recipe, listing(NEXT, style), URL, HOMES)
    assert found.holds, found.doubts
    assert same_data(found.data, as_json(NEXT))


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("style", STYLES)
def test_an_icon_that_no_record_had_is_doubted_where_a_value_is_absent(style: str) -> None:
    recipe = learn(listing(FIRST, style), URL, HOMES, as_json(FIRST))
    assert recipe is not None
    renamed = listing(NEXT, style).replace(ICONS["beds"], "sofa", 1)
    assert not replay(recipe, renamed, URL, HOMES).holds


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize("style", STYLES)
def test_icons_tell_the_facts_of_one_thing_and_new_ones_are_noticed(style: str) -> None:
    known = [home("Larch lane", 3, 1, 120), home("Oak road", 6, 2, 96)]
    first, last = ([page(one, style), f"{URL}{at}", HOME, one] for at, one in enumerate(known))
    recipe = learn(last[0], last[1], HOME, known[1], earlier=[Example(first[0], first[1], known[0])])  # type: ignore[arg-type]
    assert recipe is not None
    other = home("Fir hill", 5, 4, 88)
    found = replay(recipe, page(other, style), f"{URL}9", HOME)
    assert found.holds, found.doubts
    assert found.data == other
    assert not replay(recipe, page(other, style).replace(ICONS["beds"], "sofa"), f"{URL}9", HOME).holds


@pytest.mark.req("RC-1")
def test_a_value_behind_two_icons_of_one_page_is_nobodys_yet() -> None:
    one = home("Larch lane", 2, 2, 120)
    html = page(one, "class").replace("fa-bed", "fa-moon").replace("fa-bath", "fa-drop")
    assert learn(html, URL, HOME, one) is None


@pytest.mark.req("RC-1", "RC-2")
def test_a_text_beside_its_label_without_a_colon_is_read() -> None:
    schema = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "low": {"type": "number"}, "high": {"type": "number"}},
    }

    def plant(name: str, low: float, high: float, label: str = "Height") -> str:
        facts = f"<div class=p><h6>{label}</h6>{low}–{high} metres</div><div class=p><h6>Soil</h6>Clay</div>"
        return f"<main><h1>{name}</h1><section class=facts>{facts}</section></main>"

    one, two = {"name": "Larch", "low": 0.7, "high": 3.2}, {"name": "Gorse", "low": 6.1, "high": 6.7}
    first = Example(plant("Larch", 0.7, 3.2), f"{URL}1", one)  # type: ignore[arg-type]
    recipe = learn(plant("Gorse", 6.1, 6.7), f"{URL}2", schema, two, earlier=[first])  # type: ignore[arg-type]
    assert recipe is not None
    found = replay(recipe, plant("Sedge", 2.5, 4.6), f"{URL}3", schema)
    assert (found.holds, found.data) == (True, {"name": "Sedge", "low": 2.5, "high": 4.6})
    assert not replay(recipe, plant("Sedge", 2.5, 4.6, "Spread"), f"{URL}3", schema).holds


@pytest.mark.req("RC-1", "RC-2")
def test_a_link_is_known_by_a_scheme_that_leads_to_no_page() -> None:
    schema = {"type": "object", "properties": {"name": {"type": "string"}, "phone": {"type": ["string", "null"]}}}

    def place(name: str, phone: str, links: str = "") -> str:
        call = f'<li><a href="tel:{phone.replace(" ", "")}">{phone}</a></li>' if phone else ""
        return f'<main><h1>{name}</h1><ul>{links}{call}<li><a href="/menu">Menu</a></li></ul></main>'

    recipe = learn(place("Larch inn", "+34 990 873"), f"{URL}1", schema, {"name": "Larch inn", "phone": "+34 990 873"})
    assert recipe is not None
    found = replay(recipe, place("Oak bar", "+34 968 653", "<li><a href='/map'>Map</a></li>"), f"{URL}2", schema)
    assert found.data == {"name": "Oak bar", "phone": "+34 968 653"}
    twice = place("Oak bar", "+34 968 653", "<li><a href='tel:+34111222'>+34 111 222</a></li>")
    assert not replay(recipe, twice, f"{URL}2", schema).holds


@pytest.mark.req("RC-1", "RC-2")
def test_a_label_that_two_parts_have_is_told_by_the_part() -> None:
    names = ("seller", "seller_city", "buyer", "buyer_city")
    text = {"type": ["string", "null"]}
    schema = {"type": "object", "required": [*names], "properties": dict.fromkeys(names, text)}

    def part(kind: str, name: JsonValue, city: JsonValue) -> str:
        facts = "".join(
            f"<p><i>{label}</i><b>{value}</b></p>" for label, value in (("Name", name), ("City", city)) if value
        )
        return f"<div class={kind}>{facts}</div>"

    def deal(one: JsonObject, kinds: tuple[str, str] = ("seller", "buyer")) -> str:
        sides = [part(kinds[0], one["seller"], one["seller_city"]), part(kinds[1], one["buyer"], one["buyer_city"])]
        return f"<main><h1>Deal</h1>{''.join(sides)}</main>"

    def made(*values: str | None) -> JsonObject:
        return dict(zip(names, values, strict=True))

    known = [made("Ada", None, "Bo", "Oslo"), made("Cy", "Turin", "Di", None)]
    recipe = learn(deal(known[1]), f"{URL}2", schema, known[1], earlier=[Example(deal(known[0]), f"{URL}1", known[0])])
    assert recipe is not None
    for other in (
        made("Ed", "Leeds", "Flo", "Porto"),
        made("Ed", None, "Flo", "Porto"),
        made("Ed", "Lyon", "Flo", None),
    ):
        found = replay(recipe, deal(other), f"{URL}3", schema)
        assert (found.holds, found.data) == (True, other)
    assert not replay(recipe, deal(other, ("first", "second")), f"{URL}3", schema).holds


@pytest.mark.req("RC-1", "RC-2")
def test_what_another_record_says_is_no_label_of_the_text_behind_it() -> None:
    homes = [("Oak lane", "3 beds"), ("Ash court", ""), ("Elm view", ""), ("Fir hill", "")]
    truth: JsonValue = [{"title": title, "beds": said or None} for title, said in homes]
    schema = {"type": "array", "items": {"type": "object", "properties": {"title": {}, "beds": {}}}}
    html = "".join(f"<li><p><b>{title}</b> {said}</p></li>" for title, said in homes)
    recipe = learn(f"<ul>{html}</ul>", URL, schema, truth)
    named = [one.value for field in recipe.fields for one in field.selectors] if recipe else []
    assert "=Oak lane" not in named


@pytest.mark.req("RC-1")
def test_a_part_that_another_page_has_twice_tells_no_label() -> None:
    def page_of(*names: str) -> str:
        return "".join(
            f"<section class=team><i>Lead</i><b>{name}</b><i>Since</i><b>2019</b></section>" for name in names
        )

    schema = {"type": "object", "properties": {"lead": {"type": "string"}}}
    first = Example(page_of("Ada", "Bo"), f"{URL}1", {"lead": "Ada"})
    recipe = learn(page_of("Cy"), f"{URL}2", schema, {"lead": "Cy"}, earlier=[first])
    assert recipe is None or not replay(recipe, page_of("Di", "Ed"), f"{URL}3", schema).holds
