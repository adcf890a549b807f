"""Records of one sentence each: learned from one page, read by their marks, doubted when the marks change (RC-1)."""

import random
from collections.abc import Callable
from typing import Any, get_args

import pytest
from gleaner.recipes.description import selector_in_words
from gleaner.recipes.learning import learn, replay
from gleaner.recipes.model import FieldSelector, LocatorKind
from gleaner.recipes.selectors.templates import find_templates, part_by_template

Record = dict[str, Any]
SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "maker": {"type": "string"},
            "year": {"type": "integer"},
            "price": {"type": "number"},
        },
        "required": ["title"],
    },
}
FORMS: dict[str, Callable[[Record], str]] = {
    "a bold name": lambda one: f"<li><b>{one['title']}</b> – {one['maker']} ({one['year']}), ${one['price']:,.2f}</li>",
    "words": lambda one: f"<li>{one['title']}, made by {one['maker']} in {one['year']}: ${one['price']:,.2f}</li>",
    "dots": lambda one: (
        f"<p><a href='/x'>{one['title']}</a> · {one['maker']} · {one['year']} · {one['price']:.2f} EUR</p>"
    ),
}


def records(count: int, seed: int) -> list[Record]:
    chance = random.Random(seed)
    return [
        {
            "title": f"{chance.choice(['Iron', 'Tin', 'Opal'])} {chance.choice(['lamp', 'bowl', 'bell'])} {number}",
            "maker": chance.choice(["Ostrom", "Hale and Sons", "Vaal"]),
            "year": chance.randint(1890, 2020),
            "price": round(chance.uniform(2, 1900), 2),
        }
        for number in range(count)
    ]


def page(form: Callable[[Record], str], listed: list[Record]) -> str:
    return f"<h1>Things</h1><ul>{''.join(map(form, listed))}</ul>"


@pytest.mark.req("RC-1")
@pytest.mark.parametrize("name", FORMS)
def test_sentences_are_learned_from_one_page_and_read_on_others(name: str) -> None:
    form, known = FORMS[name], records(12, 1)
    recipe = learn(page(form, known), "https://x.example/1", SCHEMA, known)
    assert recipe is not None
    for count, seed in ((30, 2), (4, 3)):
        other = records(count, seed)
        found = replay(recipe, page(form, other), "https://x.example/2", SCHEMA)
        assert (found.data, found.doubts) == (other, ())


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("name", FORMS)
def test_a_sentence_of_another_form_is_doubted(name: str) -> None:
    form, known, other = FORMS[name], records(12, 1), records(12, 4)
    recipe = learn(page(form, known), "https://x.example/1", SCHEMA, known)
    assert recipe is not None
    swapped = [{**one, "title": one["maker"], "maker": one["title"]} for one in other]
    html = page(form, other)
    changed = html.replace(" (", " [").replace(" in ", " since ").replace(" · ", " / ")
    for each in (page(form, swapped), changed):
        assert replay(recipe, each, "https://x.example/2", SCHEMA).doubts


@pytest.mark.req("RC-1")
@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Emma by Jane Austen (1815)", ("Emma", "Jane Austen", "1815")),
        ("Emma by Jane Austen (about 1815)", None),
        ("Emma by Jane Austen (1815).", None),
        ("Stand by Me by Ann Roe (1990)", None),
        ("", None),
    ],
)
def test_a_text_is_parted_in_one_way_or_not_at_all(text: str, parts: tuple[str, ...] | None) -> None:
    ((template, slots), *_) = find_templates("Dune by Frank Herbert (1965)", ["Dune", "Frank Herbert", 1965])
    assert slots == [0, 1, 2]
    assert part_by_template(template, text) == parts


@pytest.mark.req("RC-1")
def test_values_with_nothing_but_blanks_between_them_have_no_template() -> None:
    assert list(find_templates("Ada Lum Oslo", ["Ada Lum", "Oslo"])) == []


@pytest.mark.parametrize("kind", get_args(LocatorKind))
def test_each_kind_of_selector_is_said_in_words(kind: Any) -> None:
    assert len(selector_in_words(FieldSelector(kind=kind, tag="li", value='[["", "."], ["text"]]'))) > 5
