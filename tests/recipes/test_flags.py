"""Flags of pages about one thing: which marks tell yes from no, and when a page is to be asked about."""

from collections.abc import Sequence
from typing import Any

import pytest
from gleaner.page.opening import open_page
from gleaner.wrappers import Example, Recipe, learn_from, replay

URL = "https://a.example/items"
NAMES = ("Larch lamp", "Oak stool", "Elm shelf", "Ash bench")


def schema_of(name: str, *, may_lack: bool = False) -> dict[str, Any]:
    kind = ["boolean", "null"] if may_lack else "boolean"
    return {"type": "object", "properties": {"title": {"type": "string"}, name: {"type": kind}}}


def page_of(title: str, *parts: str) -> str:
    return f"<html><body><main><h1>{title}</h1>{''.join(parts)}</main></body></html>"


def learned(name: str, pages: Sequence[tuple[str, bool | None]], *, may_lack: bool = False) -> Recipe:
    """Give the recipe of pages that show a part each, with the answers that these go with."""
    examples = [
        Example(open_page(page_of(title, part), f"{URL}/{title}"), {"title": title, name: value})
        for title, (part, value) in zip(NAMES, pages, strict=False)
    ]
    made = learn_from(examples, schema_of(name, may_lack=may_lack))
    assert made.recipe is not None, made.reason
    return made.recipe


def answer(recipe: Recipe, name: str, *parts: str, may_lack: bool = False) -> object:
    """Give what a recipe reads on a page with other parts; "asked" where a model is to be asked."""
    found = replay(recipe, open_page(page_of("Fir chest", *parts), f"{URL}/9"), schema_of(name, may_lack=may_lack))
    assert isinstance(found.data, dict)
    return "asked" if found.doubts or found.unread else found.data.get(name)


GALLERY, STORE = "<p class='place'>On view in Gallery 227</p>", "<p class='place'>Not on view</p>"


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize(
    ("part", "wanted"),
    [
        ("<p class='place'>On view in Gallery 3</p>", True),
        (STORE, False),
        ("<p class='place'>On view from May</p>", "asked"),
        ("", "asked"),
    ],
)
def test_a_page_with_each_answer_is_enough_where_the_words_name_the_flag(part: str, wanted: object) -> None:
    assert answer(learned("on_view", [(GALLERY, True), (STORE, False)]), "on_view", part) == wanted


@pytest.mark.req("RC-2")
@pytest.mark.parametrize(
    ("part", "wanted"), [("<i>Wi-Fi</i>", True), ("<i>No Wi-Fi</i>", "asked"), ("<b>Wi-Fi</b>", "asked"), ("", "asked")]
)
def test_where_all_pages_had_one_answer_only_what_names_the_flag_as_it_stood_says_it_again(
    part: str, wanted: object
) -> None:
    recipe = learned("wifi", [("<i>Wi-Fi</i>", True), ("<i>Wi-Fi</i>", True)])
    assert answer(recipe, "wifi", part) == wanted


def amenity(text: str, icon: str) -> str:
    return f"<div class='amenity'><span class='dot dot-{icon}'></span>{text}</div>"


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize(("icon", "wanted"), [("on", True), ("off", False), ("half", "asked")])
def test_of_a_text_with_icons_the_icon_says_yes_or_no(icon: str, wanted: object) -> None:
    recipe = learned("wifi", [(amenity("Wi-Fi", "on"), True), (amenity("Wi-Fi", "off"), False)])
    assert answer(recipe, "wifi", amenity("Wi-Fi", icon)) == wanted


@pytest.mark.req("RC-2")
def test_what_stood_behind_a_label_and_stands_elsewhere_is_asked_about() -> None:
    def size(label: str, kind: str) -> str:
        return f"<dl><dt>{label}</dt><dd>120 ({kind})</dd></dl>"

    known = [(size("Enrollment", "actual"), True), (size("Enrollment", "estimated"), False)]
    recipe = learned("enrollment_is_actual", known, may_lack=True)
    assert answer(recipe, "enrollment_is_actual", size("Enrollment", "actual"), may_lack=True) is True
    assert answer(recipe, "enrollment_is_actual", size("Participants", "actual"), may_lack=True) == "asked"


@pytest.mark.req("RC-2")
def test_a_yes_behind_the_label_of_something_else_is_no_answer() -> None:
    def row(said: str) -> str:
        return f"<dl><dt>Accepts Healthy Volunteers</dt><dd>{said}</dd></dl>"

    recipe = learned("dogs_allowed", [(row("Yes"), True)])
    assert [one.name for one in recipe.fields if one.unread] == ["dogs_allowed"]
    assert answer(learned("healthy_volunteers", [(row("Yes"), True)]), "healthy_volunteers", row("No")) is False


@pytest.mark.req("RC-2")
def test_marks_that_name_no_flag_need_two_pages_with_each_answer() -> None:
    yes, no = "<p class='tag'>Lieferbar</p>", "<p class='tag'>Vergriffen</p>"
    known = [(yes, True), (no, False), (yes, True), (no, False)]
    assert answer(learned("in_stock", known[:3]), "in_stock", yes) == "asked"
    recipe = learned("in_stock", known)
    assert (answer(recipe, "in_stock", yes), answer(recipe, "in_stock", no)) == (True, False)
    assert answer(recipe, "in_stock", yes, no) == "asked"


@pytest.mark.req("RC-1")
def test_a_sign_that_only_an_attribute_gives_is_looked_for_in_each_record() -> None:
    def row(name: str, colour: str) -> str:
        return f"<li class='grant'><b class='name'>{name}</b><font color='{colour}'>{name[0]}</font></li>"

    names = ["Atlas Fund", "Birch Fund", "Comet Fund", "Delta Fund", "Ember Fund", "Fjord Fund"]
    records: list[Any] = [{"name": name, "open": at % 2 == 0} for at, name in enumerate(names)]
    fields = {"name": {"type": "string"}, "open": {"type": "boolean"}}
    schema = {"type": "array", "items": {"type": "object", "properties": fields}}
    html = f"<ul>{''.join(row(one['name'], 'green' if one['open'] else 'red') for one in records)}</ul>"
    page = open_page(html, URL)
    recipe = learn_from([Example(page, records)], schema).recipe
    assert recipe is not None
    assert replay(recipe, page, schema).records == records
