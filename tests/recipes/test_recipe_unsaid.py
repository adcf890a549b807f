"""What a page about one thing does not say: words for no value, a flag without its mark, a label in other words."""

from typing import Any

import pytest
from gleaner.recipes import Example, Recipe, learn, replay
from gleaner.recipes.learning import same_data

URL = "https://people.example/players/{}"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "club": {"type": "string"},
        "title": {"type": ["string", "null"]},
        "born": {"type": ["integer", "null"]},
        "is_active": {"type": "boolean"},
    },
}
NAMES = ["Ada Roe", "Bo Larch", "Cy Fir", "Di Oak", "Ed Ash"]
Facts = dict[str, Any]


def facts(at: int, title: str | None = "Master", born: int | None = 1970, *, active: bool = False) -> Facts:
    name, club = NAMES[at], f"{NAMES[at].split()[1]} Club"
    return {"name": name, "club": club, "title": title, "born": born and born + at, "is_active": active}


def page(one: Facts, badge: str = "Inactive player", labels: str = "Club Title Born", none: str = "None") -> str:
    state = "" if one["is_active"] else f"<p class=state>{badge}</p>"
    pairs = zip(labels.split(), ("club", "title", "born"), strict=True)
    rows = "".join(f"<div><h5>{label}</h5><p>{one[field] or none}</p></div>" for label, field in pairs)
    return f"<html><body><main><h1>{one['name']}</h1>{state}<section>{rows}</section></main></body></html>"


def learned(html: str, one: Facts, at: int, *earlier: Example) -> Recipe:
    recipe = learn(html, URL.format(at), SCHEMA, one, earlier=earlier)
    assert recipe is not None
    return recipe


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("badge", ["Inactive player", "Retired"])
def test_a_flag_that_was_never_true_is_doubted_where_what_may_have_said_so_is_gone(badge: str) -> None:
    first, second = facts(0), facts(1, active=True)
    recipe = learned(page(first, badge), first, 0)
    other = facts(2)
    assert same_data(replay(recipe, page(other, badge), URL.format(2), SCHEMA).data, other)
    assert not replay(recipe, page(other, badge), URL.format(2), SCHEMA).doubts
    assert replay(recipe, page(second, badge), URL.format(1), SCHEMA).doubts


@pytest.mark.req("RC-1")
def test_a_text_with_the_flags_name_in_it_that_stands_where_it_is_false_says_so() -> None:
    first, second = facts(0), facts(1, active=True)
    recipe = learned(page(second), second, 1, Example(page(first), URL.format(0), first))
    for other in (facts(2), facts(3, active=True)):
        read = replay(recipe, page(other), URL.format(4), SCHEMA)
        assert same_data(read.data, other)
        assert not read.doubts


@pytest.mark.req("RC-2")
def test_words_for_nothing_are_no_text_until_a_page_has_shown_that_they_are_one() -> None:
    first, second, third = facts(0), facts(1, title=None), facts(2, title=None)
    recipe = learned(page(first), first, 0)
    assert replay(recipe, page(second), URL.format(1), SCHEMA).doubts
    recipe = learned(page(second), second, 1, Example(page(first), URL.format(0), first))
    read = replay(recipe, page(third), URL.format(2), SCHEMA)
    assert same_data(read.data, third)
    assert not read.doubts
    spoken = facts(1, title="None")
    recipe = learned(page(spoken), spoken, 1, Example(page(first), URL.format(0), first))
    assert not replay(recipe, page(facts(2, title="None")), URL.format(2), SCHEMA).doubts


@pytest.mark.req("RC-1", "RC-2")
def test_a_number_that_is_said_to_be_not_available_is_none_and_says_no_flag() -> None:
    first = facts(0)
    recipe = learned(page(first), first, 0)
    second = facts(1, born=None)
    read = replay(recipe, page(second, none="Not available"), URL.format(1), SCHEMA)
    assert same_data(read.data, second)
    recipe = learned(page(second, none="Not available"), second, 1)
    assert not next(one for one in recipe.fields if one.steps == ("is_active",)).selectors


@pytest.mark.req("RC-2")
def test_labels_of_another_language_are_no_beginnings_of_sentences() -> None:
    english, german = "Club Title Born", "Verein Rang Jahr"
    first, second = facts(0, born=None), facts(1, born=None)

    def without_born(one: Facts, labels: str) -> str:
        return page(one, labels=labels).replace(f"<div><h5>{labels.split()[2]}</h5><p>None</p></div>", "")

    example = Example(without_born(first, english), URL.format(0), first)
    recipe = learned(without_born(second, german), second, 1, example)
    assert not replay(recipe, without_born(facts(3, born=None), german), URL.format(3), SCHEMA).doubts
    assert replay(recipe, page(facts(2), labels=german), URL.format(2), SCHEMA).doubts


LISTED: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "parts": {"type": "array", "items": {"type": "string"}},
        "assignee": {"type": ["string", "null"]},
    },
}


def ticket(name: str, parts: str, assignee: str) -> str:
    return f"<main><h1>{name}</h1><dl><dt>Parts</dt><dd>{parts}</dd><dt>Assignee</dt><dd>{assignee}</dd></dl></main>"


@pytest.mark.req("RC-2")
def test_words_for_nothing_are_no_item_and_no_text_that_denies_the_fields_name() -> None:
    many = ticket("A", "Web, Core", "Bo Larch")
    first: Facts = {"name": "A", "parts": ["Web", "Core"], "assignee": "Bo Larch"}
    empty: Facts = {"name": "B", "parts": [], "assignee": None}
    recipe = learn(many, URL, LISTED, first)
    assert recipe is not None
    for page_without in (ticket("B", "None", "Cy Fir"), ticket("B", "Core", "Unassigned")):
        assert replay(recipe, page_without, URL, LISTED).doubts
    recipe = learn(ticket("B", "None", "Unassigned"), URL, LISTED, empty, earlier=[Example(many, URL, first)])
    assert recipe is not None
    read = replay(recipe, ticket("C", "None", "Unassigned"), URL, LISTED)
    assert (read.data, read.doubts) == ({**empty, "name": "C"}, ())


@pytest.mark.req("RC-2")
def test_a_record_of_a_list_that_says_that_there_is_no_value_is_doubted_until_one_was_known_to() -> None:
    schema = {
        "type": "array",
        "items": SCHEMA | {"properties": {"name": {"type": "string"}, "club": {"type": "string"}}},
    }

    def rows(*clubs: str) -> str:
        pairs = zip(NAMES, clubs, strict=False)
        return f"<ul>{''.join(f'<li><b>{name}</b><i class=club>{club}</i></li>' for name, club in pairs)}</ul>"

    def records(*clubs: str) -> list[Any]:
        return [{"name": name, "club": club} for name, club in zip(NAMES, clubs, strict=False)]

    recipe = learn(rows("Elm", "Fir", "Yew"), URL, schema, records("Elm", "Fir", "Yew"))
    assert recipe is not None
    assert replay(recipe, rows("Ash", "Elm", "Oak"), URL, schema).holds
    assert not replay(recipe, rows("Ash", "Unknown", "Oak"), URL, schema).holds
    recipe = learn(rows("Elm", "Unknown", "Yew"), URL, schema, records("Elm", "Unknown", "Yew"))
    assert recipe is not None
    assert replay(recipe, rows("Ash", "Unknown", "Oak"), URL, schema).holds
