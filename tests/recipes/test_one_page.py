"""Pages about one thing: what one page is enough to learn, and what only a second one can tell."""

from typing import Any

import pytest
from gleaner.page.opening import open_page
from gleaner.wrappers import Example, Recipe, Replay, learn_from, replay

URL = "https://a.example/items/1"
TEXT = {"type": "string"}
MAYBE = {"type": ["string", "null"]}
LIST = {"type": "array", "items": TEXT}


def schema_of(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields}


def page_of(*parts: str) -> str:
    return f"<html><body><main>{''.join(parts)}</main></body></html>"


def learned(html: str, data: dict[str, Any], **fields: Any) -> Recipe:
    made = learn_from([Example(open_page(html, URL), data)], schema_of(**fields))
    assert made.recipe is not None, made.reason
    return made.recipe


def read(recipe: Recipe, html: str, **fields: Any) -> Replay:
    return replay(recipe, open_page(html, URL), schema_of(**fields))


@pytest.mark.req("RC-1")
def test_one_page_is_enough_for_all_that_a_part_with_a_name_says() -> None:
    fields = {"title": TEXT, "maker": TEXT}
    recipe = learned(
        page_of("<h1>Larch lamp</h1>", "<p class='by-line'>Ashton</p>"),
        {"title": "Larch lamp", "maker": "Ashton"},
        **fields,
    )
    found = read(recipe, page_of("<h1>Oak stool</h1>", "<p class='by-line'>Birch &amp; Sons</p>"), **fields)
    assert found.holds
    assert found.data == {"title": "Oak stool", "maker": "Birch & Sons"}
    doubled = page_of("<h1>Oak stool</h1>", "<p class='by-line'>Birch</p><p class='by-line'>Dow</p>")
    assert "/maker" in read(recipe, doubled, **fields).unread


@pytest.mark.req("RC-2")
def test_a_count_behind_a_heading_is_no_other_field_that_has_its_number_by_chance() -> None:
    fields = {"number": {"type": "integer"}, "title": TEXT}
    html = "<h2><a class='ticket-id'>#{}</a></h2>", "<h1>{}</h1>", "<h3>Change history <span>({})</span></h3>"
    recipe = learned(page_of(*html).format(2, "Tides are off", 2), {"number": 2, "title": "Tides are off"}, **fields)
    assert read(recipe, page_of(*html).format(1, "Map is cut", 2), **fields).data.get("number") != 2


@pytest.mark.req("RC-2")
def test_one_page_shows_one_side_of_a_flag() -> None:
    fields = {"title": TEXT, "handmade": {"type": "boolean"}}
    html = page_of("<h1>Larch lamp</h1>", "<p class='sort'>Yes</p>")
    recipe = learned(html, {"title": "Larch lamp", "handmade": True}, **fields)
    assert [one.name for one in recipe.fields if one.unread] == ["handmade"]


@pytest.mark.req("RC-2")
def test_what_one_page_has_last_of_several_parts_may_have_others_behind_it() -> None:
    fields = {"title": TEXT, "terminal": TEXT}
    html = page_of("<h1>Flight 7</h1>", "<div class='way'><b>Oslo</b> <i>Terminal</i> <u>3 A</u></div>")
    recipe = learned(html, {"title": "Flight 7", "terminal": "3 A"}, **fields)
    other = html.replace("</u>", "</u> <i>Gate</i> <u>B12</u>")
    assert read(recipe, other, **fields).data in ({"title": "Flight 7"}, {"title": "Flight 7", "terminal": "3 A"})


@pytest.mark.req("RC-1")
@pytest.mark.parametrize(
    ("known", "shown", "value", "wanted"),
    [
        ("1.259,00 €", "71,90 €", "1259", "71.9"),
        ("1.259,00 €", "71,90 €", "1259.00", "71.90"),
        ("EUR 110.50", "EUR 95.00", "110.50", "95.00"),
    ],
)
def test_an_amount_is_written_as_the_answer_wrote_it(known: str, shown: str, value: str, wanted: str) -> None:
    fields = {"title": TEXT, "price": TEXT, "currency": TEXT}
    sign = "€" if "€" in known else "EUR"
    data = {"title": "Larch lamp", "price": value, "currency": sign}
    recipe = learned(page_of("<h1>Larch lamp</h1>", f"<p class='price'>{known}</p>"), data, **fields)
    found = read(recipe, page_of("<h1>Oak stool</h1>", f"<p class='price'>{shown}</p>"), **fields)
    assert found.data == {"title": "Oak stool", "price": wanted, "currency": sign}


@pytest.mark.req("RC-1")
def test_the_lines_of_one_paragraph_are_the_items_of_a_list() -> None:
    fields = {"title": TEXT, "ingredients": LIST}
    lines = ["500 g flour", "1 onion", "200 ml water"]
    html = page_of("<h1>Bread</h1>", f"<p class='ingredients'>{'<br>'.join(lines)}</p>")
    recipe = learned(html, {"title": "Bread", "ingredients": lines}, **fields)
    found = read(recipe, page_of("<h1>Soup</h1>", "<p class='ingredients'>2 leeks<br>salt, pepper</p>"), **fields)
    assert found.data == {"title": "Soup", "ingredients": ["2 leeks", "salt, pepper"]}


@pytest.mark.req("RC-2")
def test_a_text_that_says_that_there_is_nothing_is_no_value_that_seems_absent() -> None:
    fields = {"title": TEXT, "maker": TEXT, "affects": MAYBE}
    html = page_of("<h1>Larch lamp</h1>", "<p class='maker'>Ashton</p>", "<dl><dt>Version</dt><dd>None</dd></dl>")
    data = {"title": "Larch lamp", "maker": "Ashton", "affects": None}
    assert read(learned(html, data, **fields), html, **fields).holds


@pytest.mark.req("RC-1")
def test_the_signs_before_all_items_of_a_list_are_cut_off_whatever_they_are() -> None:
    fields = {"title": TEXT, "facilities": LIST}

    def facilities(*names: str) -> str:
        return "".join(f"<li><span>✓</span> <span>{name}</span></li>" for name in names)

    html = page_of("<h1>Hotel Larch</h1>", f"<ul class='facilities'>{facilities('Lift', 'Pool', 'Bar')}</ul>")
    recipe = learned(html, {"title": "Hotel Larch", "facilities": ["Lift", "Pool", "Bar"]}, **fields)
    found = read(recipe, page_of("<h1>Hotel Oak</h1>", f"<ul class='facilities'>{facilities('Spa')}</ul>"), **fields)
    assert found.data == {"title": "Hotel Oak", "facilities": ["Spa"]}


@pytest.mark.req("RC-1")
def test_a_sign_that_names_a_flag_is_learned_from_the_one_page_of_three_that_has_it() -> None:
    fields = {"title": TEXT, "in_production": {"type": "boolean"}}
    badge = "<p class='oop'>Out of production</p>"
    examples = [
        Example(
            open_page(page_of(f"<h1>{name}</h1>", badge if name == "Stout" else ""), f"{URL}{name}"),
            {"title": name, "in_production": name != "Stout"},
        )
        for name in ("Larch ale", "Stout", "Lager")
    ]
    recipe = learn_from(examples, schema_of(**fields)).recipe
    assert recipe is not None
    found = read(recipe, page_of("<h1>Porter</h1>", badge), **fields)
    assert found.data == {"title": "Porter", "in_production": False}


@pytest.mark.req("RC-1")
def test_a_label_names_one_value_and_several() -> None:
    def page(label: str, *names: str) -> str:
        return page_of("<h1>Jug</h1>", f"<dl><dt>{label}</dt>{''.join(f'<dd>{one}</dd>' for one in names)}</dl>")

    fields = {"title": TEXT, "makers": LIST}
    three = ["Ash", "Bay", "Cole"]
    recipe = learned(page("Makers", *three), {"title": "Jug", "makers": three}, **fields)
    replayed = read(recipe, page("Maker", "Dow"), **fields)
    assert replayed.holds
    assert replayed.data == {"title": "Jug", "makers": ["Dow"]}


@pytest.mark.req("RC-2")
def test_two_labels_of_a_page_that_differ_in_number_are_two() -> None:
    def page(*pairs: tuple[str, str]) -> str:
        return page_of("<h1>Jug</h1>", f"<dl>{''.join(f'<dt>{one}</dt><dd>{said}</dd>' for one, said in pairs)}</dl>")

    fields = {"title": TEXT, "brand": MAYBE}
    recipe = learned(page(("Brand", "Ash"), ("Brands", "See all")), {"title": "Jug", "brand": "Ash"}, **fields)
    both = read(recipe, page(("Brand", "Bay"), ("Brands", "See all")), **fields)
    assert both.holds
    assert both.data == {"title": "Jug", "brand": "Bay"}
    assert "brand" not in read(recipe, page(("Brands", "See all")), **fields).data


@pytest.mark.req("RC-1", "RC-2")
def test_an_icon_names_the_text_beside_it() -> None:
    def page(*lines: tuple[str, str]) -> str:
        return page_of("<h1>Ash</h1>", *(f"<p><i class='fa ic-{sign}'></i> {text}</p>" for sign, text in lines))

    fields = {"name": TEXT, "phone": MAYBE, "office": MAYBE}
    recipe = learned(
        page(("phone", "555 0101"), ("door", "Room 4")),
        {"name": "Ash", "phone": "555 0101", "office": "Room 4"},
        **fields,
    )
    other = read(recipe, page(("door", "Room 9"), ("phone", "555 0222")), **fields)
    assert other.holds
    assert other.data == {"name": "Ash", "phone": "555 0222", "office": "Room 9"}
    assert not read(recipe, page(("door", "Room 9"), ("mobile", "555 0222")), **fields).holds


@pytest.mark.req("RC-1")
def test_the_only_item_of_a_list_is_not_the_list() -> None:
    def page(*names: str) -> str:
        return page_of("<h1>Ash</h1>", f"<ul class='skills'>{''.join(f'<li>{one}</li>' for one in names)}</ul>")

    fields = {"name": TEXT, "skills": LIST}
    recipe = learned(page("Ploughing"), {"name": "Ash", "skills": ["Ploughing"]}, **fields)
    several = read(recipe, page("Grafting", "Weaving"), **fields)
    assert several.data == {"name": "Ash", "skills": ["Grafting", "Weaving"]}


@pytest.mark.req("RC-2")
def test_words_that_say_the_value_tell_nothing_where_they_are_missing() -> None:
    fields = {"title": TEXT, "grade": MAYBE}
    first = page_of("<h1>Flat</h1>", "<ul><li>80 m²</li><li>Energy class B</li></ul>")
    second = page_of("<h1>Loft</h1>", "<ul><li>95 m²</li></ul>")
    examples = [
        Example(open_page(first, URL), {"title": "Flat", "grade": "B"}),
        Example(open_page(second, URL), {"title": "Loft", "grade": None}),
    ]
    made = learn_from(examples, schema_of(**fields))
    grade = [one for one in made.recipe.fields if one.name == "grade"] if made.recipe else []
    assert all(each.place.kind != "says" for one in grade for each in one.selectors)


@pytest.mark.req("RC-2")
def test_a_part_that_a_text_begins_but_ends_otherwise_is_not_taken_to_be_absent() -> None:
    fields = {"title": TEXT, "width": {"type": ["number", "null"]}}
    sizes = {
        "Ewer": ("H. 9 cm, W. 7 cm", 7),
        "Sundial": ("H. 12 cm", None),
        "Bell": ("H. 4 cm, W. 3 cm", 3),
        "Harp": ("H. 88 cm, W. 51 cm", 51),
    }

    def page(title: str, size: str) -> str:
        return page_of(f"<h1>{title}</h1>", f"<dl><dt>Dimensions</dt><dd>{size}</dd><dt>Kind</dt><dd>Old</dd></dl>")

    examples = [
        Example(open_page(page(title, size), f"{URL}{title}"), {"title": title, "width": width})
        for title, (size, width) in sizes.items()
    ]
    recipe = learn_from(examples, schema_of(**fields)).recipe
    assert recipe is not None
    assert read(recipe, page("Jar", "H. 30 cm"), **fields).data == {"title": "Jar", "width": None}
    assert "/width" in read(recipe, page("Jar", "H. 300 mm, W. 250 mm"), **fields).unread


@pytest.mark.req("RC-2")
def test_a_point_parts_thousands_where_the_page_writes_decimals_with_a_comma() -> None:
    fields = {"title": TEXT, "hours": {"type": "number"}}

    def page(title: str, hours: str) -> str:
        return page_of(f"<h1>{title}</h1>", f"<dl><dt>Hours</dt><dd>{hours} h</dd><dt>Rent</dt><dd>89,50 €</dd></dl>")

    made = learn_from(
        [Example(open_page(page("Crane", "412"), URL), {"title": "Crane", "hours": 412})], schema_of(**fields)
    )
    assert made.recipe is not None
    assert read(made.recipe, page("Digger", "6.097"), **fields).data == {"title": "Digger", "hours": 6097}


@pytest.mark.req("RC-1")
def test_a_value_is_learned_from_where_it_was_proven() -> None:
    fields = {"number": {"type": "integer"}, "summary": TEXT}

    def page(number: int, summary: str, changes: int) -> str:
        title = f"<h1><a class='number'>#{number}</a> <span class='summary'>{summary}</span></h1>"
        return page_of(title, f"<h2>Change number <span class='count'>{changes}</span></h2>")

    first = open_page(page(2, "Crash", 2), URL)
    start = first.text.index("#2") + 1
    proven = Example(first, {"number": 2, "summary": "Crash"}, proofs={"/number": (start, start + 1)})
    made = learn_from([proven], schema_of(**fields))
    assert made.recipe is not None
    assert read(made.recipe, page(3, "Slow", 5), **fields).data == {"number": 3, "summary": "Slow"}


@pytest.mark.req("RC-2")
def test_a_list_whose_items_have_another_class_now_is_not_served_as_empty() -> None:
    stage = {"type": "object", "properties": {"name": TEXT, "day": TEXT}}
    facts = {"court": "Ayr", "lot": "L5", "area": "Big", "owner": "Ann", "state": "Fair", "use": "Farm", "clerk": "Bo"}
    fields = {"title": TEXT, **dict.fromkeys(facts, TEXT), "stages": {"type": "array", "items": stage}}

    def page(title: str, name: str) -> str:
        stages = (f"<div class='{name}'><b>{at}. round</b><i>{at} May</i></div>" for at in (1, 2))
        listed = "".join(f"<dt>{label.title()}</dt><dd>{said}</dd>" for label, said in facts.items())
        return page_of(f"<h1>{title}</h1><dl>{listed}</dl>", *stages)

    stages = [{"name": f"{at}. round", "day": f"{at} May"} for at in (1, 2)]
    recipe = learned(page("Barn", "x4k2"), {"title": "Barn", **facts, "stages": stages}, **fields)
    assert read(recipe, page("Mill", "x4k2"), **fields).data == {"title": "Mill", **facts, "stages": stages}
    assert "/stages" in read(recipe, page("Mill", "q9z7"), **fields).unread


@pytest.mark.req("RC-2")
def test_the_label_of_a_yes_or_no_is_no_sign_of_either() -> None:
    fields = {"title": TEXT, "lots": {"type": "boolean"}}

    def page(title: str, said: str) -> str:
        return page_of(f"<h1>{title}</h1>", f"<ul><li>División en lotes</li><li>{said}</li></ul>")

    known = [Example(open_page(page(one, "No"), URL), {"title": one, "lots": False}) for one in ("Road", "Quay")]
    recipe = learn_from(known, schema_of(**fields)).recipe
    assert recipe is not None
    assert read(recipe, page("Pier", "Sí (7 lotes)"), **fields).data.get("lots") is not False
