"""What leads to a text, or stands around it, tells a field that was never seen, or that only its type told."""

from collections.abc import Sequence
from typing import Any

import pytest
from gleaner.recipes import Example, Recipe, learn, replay
from gleaner.recipes.learning import same_data

URL = "https://films.example/{}"
Data = dict[str, Any]
Rows = Sequence[tuple[str, str]]


def schema_of(**kinds: str) -> Data:
    return {"type": "object", "properties": {name: {"type": [kind, "null"]} for name, kind in kinds.items()}}


def film(name: str, budget: int | None, revenue: int | None) -> Data:
    return {"name": name, "status": "Released", "budget": budget, "revenue": revenue}


def film_page(one: Data) -> str:
    said = {label: f"${one[label]:,}" if one[label] else "-" for label in ("budget", "revenue")}
    rows = "".join(f"<p><b><bdi>{label.title()}</bdi></b> {text}</p>" for label, text in said.items())
    return f"<main><h1>{one['name']}</h1><section><p><b><bdi>Status</bdi></b> Released</p>{rows}</section></main>"


FILMS = schema_of(name="string", status="string", budget="integer", revenue="integer")
KNOWN = [film("Elm", 13_400_000, None), film("Oak", 18_800_000, None)]


def film_recipe() -> Recipe:
    first, second = KNOWN
    recipe = learn(
        film_page(second), URL.format(1), FILMS, second, earlier=[Example(film_page(first), URL.format(0), first)]
    )
    assert recipe is not None
    return recipe


@pytest.mark.req("RC-2")
@pytest.mark.parametrize(
    "other", [film("Fir", None, 3_800_000), film("Ash", 3_300_000, 55_100_000)], ids=["instead", "beside"]
)
def test_a_number_after_another_label_is_no_value_and_not_absent(other: Data) -> None:
    assert replay(film_recipe(), film_page(other), URL.format(2), FILMS).doubts


@pytest.mark.req("RC-3")
def test_a_sign_for_none_after_a_values_own_words_says_that_it_is_absent() -> None:
    first, second = film("Elm", 13_400_000, 5_100_000), film("Oak", 18_800_000, 6_200_000)
    recipe = learn(
        film_page(second), URL.format(1), FILMS, second, earlier=[Example(film_page(first), URL.format(0), first)]
    )
    assert recipe is not None
    other = film("Fir", None, 8_300_000)
    read = replay(recipe, film_page(other), URL.format(2), FILMS)
    assert not read.doubts
    assert same_data(read.data, other)


def channel(name: str, views: int, likes: int, shares: int | None = None) -> Data:
    return {"name": name, "views": views, "likes": likes, "shares": shares}


def channel_page(one: Data) -> str:
    tiles = [f"<div class=tile><div>{one[key]}</div><div>{key.title()}</div></div>" for key in one if key != "name"]
    shown = "".join(tile for tile, value in zip(tiles, [*one.values()][1:], strict=True) if value)
    return f"<main><h1>{one['name']}</h1><div class=tiles>{shown}</div></main>"


@pytest.mark.req("RC-2")
def test_a_number_before_a_label_that_is_new_may_be_the_field_that_was_never_seen() -> None:
    schema = schema_of(name="string", views="integer", likes="integer", shares="integer")
    first, second, other = channel("Elm", 912, 85), channel("Oak", 733, 41), channel("Fir", 622, 57, 75)
    recipe = learn(
        channel_page(second),
        URL.format(1),
        schema,
        second,
        earlier=[Example(channel_page(first), URL.format(0), first)],
    )
    assert recipe is not None
    assert not replay(recipe, channel_page(channel("Ash", 540, 39)), URL.format(2), schema).doubts
    assert replay(recipe, channel_page(other), URL.format(2), schema).doubts


def article(name: str, author: str, text: str, subtitle: str | None = None) -> tuple[str, Data]:
    line = f"<p>{subtitle}</p>" if subtitle else ""
    body = f"<article><h1>{name}</h1>{line}<p><a class=author href=/a>{author}</a></p><p>{text}</p></article>"
    return f"<main>{body}</main>", {"name": name, "author": author, "subtitle": subtitle}


@pytest.mark.req("RC-2")
def test_a_line_where_none_stood_may_be_the_text_that_was_never_seen() -> None:
    schema = schema_of(name="string", author="string", subtitle="string")
    pages = [article("Elm", "Ada Roe", "Elms are tall."), article("Oak", "Bo Larch", "Oaks are old.")]
    earlier = [Example(pages[0][0], URL.format(0), pages[0][1])]
    recipe = learn(pages[1][0], URL.format(1), schema, pages[1][1], earlier=earlier)
    assert recipe is not None
    plain, told = article("Fir", "Cy Roe", "Firs are green."), article("Ash", "Di Roe", "Ashes burn.", "On a tree")
    assert same_data(replay(recipe, plain[0], URL.format(2), schema).data, plain[1])
    assert not replay(recipe, plain[0], URL.format(2), schema).doubts
    assert replay(recipe, told[0], URL.format(3), schema).doubts


def items(rows: Sequence[tuple[str, str | None, str | None]]) -> tuple[str, Any]:
    parts = [(name, "".join(f"<p>{text}</p>" for text in texts if text)) for name, *texts in rows]
    html = "".join(f"<div class=item><h4>{name}</h4>{part}</div>" for name, part in parts)
    return f"<main>{html}</main>", [dict(zip(("name", "title_fr", "note"), row, strict=True)) for row in rows]


@pytest.mark.req("RC-2")
@pytest.mark.parametrize(("lacking", "is_learned"), [(4, False), (24, True)])
def test_the_first_of_two_optional_lines_is_learned_if_records_enough_lack_both(
    lacking: int, *, is_learned: bool
) -> None:
    with_both = [(f"Oak {at}", f"Le chêne {at}", f"A long note about oak {at} and its age.") for at in range(4)]
    with_one = [(f"Elm {at}", f"L'orme {at}", None) for at in range(4)]
    bare: list[tuple[str, str | None, str | None]] = [(f"Fir {at}", None, None) for at in range(lacking)]
    html, data = items([*with_both, *with_one, *bare])
    schema = {"type": "array", "items": schema_of(name="string", title_fr="string", note="string")}
    recipe = learn(html, URL.format(0), schema, data)
    assert recipe is not None
    assert recipe.transferable == is_learned


ENDS = ("sender", "recipient")
PARTS = [f"{end}_{part}" for end in ENDS for part in ("name", "city", "phone")]


def parcel(number: str, *ends: str | None) -> tuple[str, Data]:
    one = {"number": number, **dict(zip(PARTS, ends, strict=True))}
    said = {end: [name for name in PARTS if name.startswith(end) and one[name]] for end in ENDS}
    rows = {end: "".join(f"<dt>{name.split('_')[1]}</dt><dd>{one[name]}</dd>" for name in said[end]) for end in ENDS}
    html = "".join(f"<section><h2>{end}</h2><dl>{rows[end]}</dl></section>" for end in ENDS)
    return f"<main><h1>Parcel <span>{number}</span></h1>{html}</main>", one


PARCELS = schema_of(number="string", **dict.fromkeys(PARTS, "string"))
FIRST = parcel("PK-1", "Ada Roe", "Oslo", "0749 8716", "Bo Fir", "Quito", None)
SECOND = parcel("PK-2", "Cy Elm", "Lima", "0334 5819", "Di Ash", "Austin", None)
THIRD = parcel("PK-3", "Ed Oak", "Kyoto", None, "Flo Yew", None, "0318 8067")
OTHER = parcel("PK-4", "Gus Box", "Tampa", None, "Hal Lime", "Nantes", "0956 9391")


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("known", [(FIRST, SECOND), (SECOND, THIRD)], ids=["one label", "another field's value"])
def test_a_label_that_stands_in_two_sections_is_no_field_of_the_other(known: Sequence[tuple[str, Data]]) -> None:
    (before, first), (html, second) = known
    recipe = learn(html, URL.format(1), PARCELS, second, earlier=[Example(before, URL.format(0), first)])
    read = replay(recipe, OTHER[0], URL.format(2), PARCELS) if recipe else None
    assert read is None or read.doubts or same_data(read.data, OTHER[1])


CRAFTS: Data = {"type": "array", "items": schema_of(title="string", materials="string")}
TITLES = ("Woven basket", "Oak bowl (small)", "Tin lamp: a study", "Quilt", "Two hooks", "Felt hat, green")


def crafts_page(rows: Sequence[Data], *, is_swapped: bool = False) -> str:
    said = [(one["title"], f"Materials: {one['materials']}") for one in rows]
    pairs = [pair[::-1] if is_swapped else pair for pair in said]
    return f"<main>{''.join(f'<article><h3>{first}</h3><p>{second}</p></article>' for first, second in pairs)}</main>"


@pytest.mark.req("RC-2")
def test_texts_that_begin_with_another_fields_label_are_no_titles() -> None:
    known: Any = [{"title": title, "materials": f"{title[-3:].title()}s, Glue"} for title in TITLES]
    rows: Any = [{"title": f"New {title}", "materials": f"Wool, {title[:3]}"} for title in TITLES[:4]]
    recipe = learn(crafts_page(known), URL.format(1), CRAFTS, known)
    assert recipe is not None
    assert same_data(replay(recipe, crafts_page(rows), URL.format(2), CRAFTS).data, rows)
    assert not replay(recipe, crafts_page(rows), URL.format(2), CRAFTS).doubts
    assert replay(recipe, crafts_page(rows, is_swapped=True), URL.format(2), CRAFTS).doubts
