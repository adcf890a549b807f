"""Lists beside and inside the records, counted as siblings on the page (CM-1)."""

import operator
from itertools import pairwise
from typing import Any

import pytest
from gleaner.completeness import inner_items
from gleaner.completeness.inner_lists import ShortList, find_short_lists
from gleaner.completeness.stated_values import StatedValues
from gleaner.contracts.json_pointers import pointer_of
from gleaner.contracts.models import ProvenanceEntry
from gleaner.judging.judge import judge as prove
from gleaner.page.model import Page
from gleaner.page.opening import PageOptions, open_page
from gleaner.values.texts.text_index import TextIndex

RECIPE = (
    "<ul class=menu><li>Recipes</li><li>Comments (2)</li><li>About</li></ul><h1>Pesto</h1>"
    "<ul class=i><li>1 cup basil</li><li>2 cloves garlic</li><li>50 g pine nuts</li><li>½ tsp salt</li></ul>"
    "<ol><li><h4>For the sauce</h4></li><li>Crush the garlic.</li><li>Add the basil.</li><li>Stir well.</li></ol>"
    "<ul class=menu><li>Print</li><li>Share</li></ul>"
)
INGREDIENTS = ["1 cup basil", "2 cloves garlic", "50 g pine nuts", "½ tsp salt"]
STEPS = ["Crush the garlic.", "Add the basil.", "Stir well."]
ORDERS = "".join(
    f"<article><h3>Order {at}</h3><table>"
    + "".join(f"<tr><td>{name}</td><td>{count}</td></tr>" for name, count in rows)
    + "</table></article>"
    for at, rows in enumerate(
        ([("Larch jug", 2), ("Alder bowl", 1)], [("Hazel lamp", 3), ("Larch jug", 9), ("Gorse vase", 4)], [("Oak", 5)])
    )
)
TRUTH = [
    {"order": "Order 0", "rows": [{"name": "Larch jug", "count": 2}, {"name": "Alder bowl", "count": 1}]},
    {
        "order": "Order 1",
        "rows": [{"name": name, "count": n} for name, n in (("Hazel lamp", 3), ("Larch jug", 9), ("Gorse vase", 4))],
    },
    {"order": "Order 2", "rows": [{"name": "Oak", "count": 5}]},
]


def short_lists(data: Any, page: str | Page, *, schema: Any = None, removed: Any = (), **more: Any) -> list[ShortList]:
    """Give the short lists of an answer that has been proven; records begin with their names."""
    page = open_page(page) if isinstance(page, str) else page
    at, spans = None, []
    if "records" in more:
        at = pointer_of(more["records"])
        starts = [page.text.find(str(next(iter(one.values())))) for one in data]
        spans = [*pairwise([*starts, len(page.text)])]
    entries = prove(data, TextIndex(page.text), schema=schema, spans=spans or None, page=page, records_at=at)
    more["spans"] = spans
    refused = [ProvenanceEntry(pointer=pointer, status="ungrounded", value=value) for pointer, value in removed]
    start = more.pop("start", 0)
    return find_short_lists(StatedValues(data, [*entries, *refused], schema=schema, **more), page, start=start)


def lacks(data: Any, page: str | Page, **more: Any) -> dict[str, tuple[str, ...]]:
    return {one.pointer: one.texts for one in short_lists(data, page, **more)}


@pytest.mark.req("CM-2")
def test_a_recipe_s_menu_comments_and_headings_are_no_ingredients_and_no_steps() -> None:
    assert lacks({"title": "Pesto", "ingredients": INGREDIENTS, "steps": STEPS}, RECIPE) == {}


@pytest.mark.req("CM-2")
@pytest.mark.parametrize("left_out", INGREDIENTS)
def test_an_ingredient_that_is_left_out_is_named(left_out: str) -> None:
    data = {"ingredients": [one for one in INGREDIENTS if one != left_out], "steps": STEPS}
    assert lacks(data, RECIPE) == {"/ingredients": (left_out,)}


@pytest.mark.req("CM-2")
def test_a_value_that_the_proof_took_out_is_not_missing() -> None:
    assert lacks({"ingredients": INGREDIENTS[:3]}, RECIPE, removed=[("/ingredients/3", INGREDIENTS[3])]) == {}


@pytest.mark.req("CM-2")
def test_the_rows_of_orders_are_counted_order_by_order() -> None:
    assert lacks(TRUTH, ORDERS, records=()) == {}
    short = [TRUTH[0], {**TRUTH[1], "rows": TRUTH[1]["rows"][:2]}, TRUTH[2]]
    assert lacks(short, ORDERS, records=()) == {"/1/rows": ("Gorse vase 4",)}


@pytest.mark.req("CM-2")
def test_a_full_list_takes_no_more_and_an_empty_page_has_nothing() -> None:
    schema = {"properties": {"ingredients": {"type": "array", "maxItems": 2, "items": {"type": "string"}}}}
    assert lacks({"ingredients": INGREDIENTS[:2]}, RECIPE, schema=schema) == {}
    assert lacks({"ingredients": INGREDIENTS}, "") == {}


@pytest.mark.req("CM-2")
def test_items_of_one_class_are_siblings_where_the_known_ones_differ_in_what_is_in_them() -> None:
    inside = ["<svg></svg>2 hares", "<img src=a>150 g bacon", "<a href=b>1 carrot</a>"]
    page = "".join(f"<li class=part>{one}</li>" for one in inside)
    assert lacks({"parts": ["150 g bacon", "1 carrot"]}, f"<ul>{page}</ul>") == {"/parts": ("2 hares",)}
    assert lacks({"parts": ["150 g bacon", "1 carrot"]}, f"<ul>{page.replace(' class=part', '')}</ul>") == {}


@pytest.mark.req("CM-2")
def test_a_definition_behind_terms_that_no_element_states_is_missed() -> None:
    pairs = [("Flour", "500 g"), ("Milk", "250 ml"), ("Yeast", "7 g"), ("Salt", "10 g")]
    page = "<dl>" + "".join(f"<dt>{amount}</dt><dd>{name}</dd>" for name, amount in pairs) + "</dl>"
    needs = [{"name": name, "amount": amount} for name, amount in pairs]
    assert lacks({"needs": needs[:2]}, page) == {"/needs": ("Yeast", "Salt")}


EVENINGS = [("Owls", (0, 1)), ("Moths", (2, 3)), ("Bats", (4, 5))]
BRANCHES = "".join(
    f"<section><h2>{town}</h2><p>Open</p><ul class=tags>{''.join(f'<li>{one}</li>' for one in tags)}</ul></section>"
    for town, tags in (("Graz", ["parking", "café"]), ("Linz", ["garden", "lift"]), ("Wels", ["terrace", "bar"]))
)
TOWNS = [
    {"town": "Graz", "tags": ["parking", "café"]},
    {"town": "Linz", "tags": ["garden", "lift"]},
    {"town": "Wels", "tags": ["terrace", "bar"]},
]


@pytest.mark.req("CM-2")
def test_a_list_left_empty_lacks_what_stands_as_the_other_records_lists_do() -> None:
    assert lacks(TOWNS, BRANCHES, records=()) == {}
    emptied = [TOWNS[0], {"town": "Linz", "tags": []}, TOWNS[2]]
    assert lacks(emptied, BRANCHES, records=()) == {"/1/tags": ("garden", "lift")}


def staff(*people: tuple[str, tuple[str, ...]]) -> str:
    """Give people's works under headings: nothing wraps a person."""
    return "".join(f"<h2>{name}</h2>{''.join(f'<p class=work>{work}</p>' for work in works)}" for name, works in people)


STAFF = (("Ann", ("On tides", "On looms")), ("Bo", ("On ferns", "On kilns")), ("Cy", ("On dunes", "On bees")))


@pytest.mark.req("CM-2")
@pytest.mark.parametrize("wrap", ["<div>{}</div>", "<table><tr><td>{}</td></tr></table>"])
def test_headings_part_records_that_nothing_wraps(wrap: str) -> None:
    html, truth = wrap.format(staff(*STAFF)), [{"name": name, "works": [*works]} for name, works in STAFF]
    assert lacks(truth, html, records=()) == {}
    short = [truth[0], {"name": "Bo", "works": ["On ferns"]}, truth[2]]
    assert lacks(short, html, records=()) == {"/1/works": ("On kilns",)}
    joined = [{"name": "Ann", "works": [*STAFF[0][1], *STAFF[1][1]]}, truth[2]]
    assert lacks(joined, html, records=()) == {"": ("Bo",)}


@pytest.mark.req("CM-2")
def test_lists_left_empty_in_all_records_lack_what_is_most_of_these_or_has_the_fields_name() -> None:
    emptied = [{"town": one["town"], "tags": []} for one in TOWNS]
    found = lacks(emptied, BRANCHES, records=())
    assert found == {f"/{at}/tags": tuple(one["tags"]) for at, one in enumerate(TOWNS)}
    others = BRANCHES.replace("class=tags", "class=links").replace("<p>Open</p>", f"<p>{'Open all day. ' * 9}</p>")
    assert lacks(emptied, others, records=()) == {}


@pytest.mark.req("CM-2")
def test_a_list_of_one_object_left_empty_lacks_what_has_its_name() -> None:
    html = RECIPE.replace("class=i", "class=recipe-ingredients")
    assert lacks({"title": "Pesto", "ingredients": []}, html) == {"/ingredients": tuple(INGREDIENTS)}
    assert lacks({"title": "Pesto", "ingredients": []}, RECIPE) == {}


@pytest.mark.req("CM-2")
def test_siblings_that_hold_other_fields_are_no_elements() -> None:
    html = "<ul><li>Ann Roe</li><li>Ben Foe</li><li>12 March 2020</li><li>320 pages</li><li>Hardback</li></ul>"
    assert lacks({"writers": ["Ann Roe", "Ben Foe"], "dated": "12 March 2020", "pages": 320}, html) == {}


@pytest.mark.req("CM-2")
def test_paragraphs_that_name_topics_are_no_list_of_them() -> None:
    said = (
        "The ferry to Nord had not left the harbour for three days when the council of Larchfield met again.",
        "Nobody in the hall spoke for the bridge, which had been planned for two decades and never paid for.",
        "The mayor asked Ann Roe to speak first, and the oldest captain of the line after her, for an hour.",
        "Most of those who came in spite of the storm left before the vote, and heard of it on the next day.",
    )
    html = f"<article><h1>Storm</h1>{''.join(f'<p>{one}</p>' for one in said)}</article>"
    assert lacks({"topics": ["council of Larchfield", "Ann Roe"]}, html) == {}
    names = "".join(f"<p>{name}: {one}</p>" for name, one in zip(("Elm", "Oak", "Ash", "Fir"), said, strict=True))
    assert list(lacks({"trees": ["Elm", "Oak", "Fir"]}, f"<div>{names}</div>")) == ["/trees"]


@pytest.mark.req("CM-2")
@pytest.mark.parametrize(("alt", "said"), [("PDF", "PDF"), ("", "/f/4.pdf")], ids=["said", "mute"])
def test_a_link_behind_a_picture_that_is_left_out_is_named(alt: str, said: str) -> None:
    links = [f"<a href=/f/{at}.pdf><img src=/p.svg alt='{alt}'></a>" for at in range(6)]
    evenings = [{"title": name, "files": [f"https://birds.example/f/{at}.pdf" for at in own]} for name, own in EVENINGS]
    html = "".join(f"<h3>{name}</h3><p>{' '.join(links[at] for at in own)}</p>" for name, own in EVENINGS)
    page = open_page(html, "https://birds.example/", PageOptions(extract_links=True))
    assert lacks(evenings, page, records=()) == {}
    evenings[2]["files"].pop(0)
    assert lacks(evenings, page, records=()) == {"/2/files": (said,)}


@pytest.mark.req("CM-2")
def test_elements_are_counted_where_all_of_them_stand_side_by_side() -> None:
    said, tags = (
        "What the court ruled on Monday was read aloud in both houses. " * 4,
        ("Courts", "USA", "Politics", "Law"),
    )
    html = (
        "<ul class=menu><li>USA</li><li>World</li><li>Politics</li></ul>"
        f"<article><h1>Ruling</h1><p>{said}</p></article><ul>{''.join(f'<li>{tag}</li>' for tag in tags)}</ul>"
    )
    assert lacks({"topics": [*tags]}, html) == {}
    assert lacks({"topics": [*tags[:3]]}, html) == {"/topics": ("Law",)}


@pytest.mark.req("CM-2")
def test_what_stands_beside_a_labelled_value_is_no_element_of_its_list() -> None:
    html = "<ul><li><b>Author</b> Ann Roe</li><li><b>Date</b> 28.04.2026</li><li><b>Print</b> this page</li></ul>"
    assert lacks({"authors": ["Ann Roe"]}, html) == {}


@pytest.mark.req("CM-2")
def test_an_entry_left_out_of_a_map_is_named() -> None:
    schema = {"type": "object", "additionalProperties": {"type": "number"}}
    html = (
        "<dl><div><dt>Oak</dt><dd>4</dd></div><div><dt>Elm</dt><dd>7</dd></div><div><dt>Ash</dt><dd>9</dd></div></dl>"
    )
    assert lacks({"Oak": 4, "Elm": 7, "Ash": 9}, html, schema=schema) == {}
    assert lacks({"Oak": 4, "Ash": 9}, html, schema=schema) == {"": ("Elm 7",)}


@pytest.mark.req("CM-2")
@pytest.mark.parametrize("open_names", [{"additionalProperties": {}}, {"patternProperties": {"^[A-Z]": {}}}])
@pytest.mark.parametrize(
    ("entry", "around"),
    [
        ("<tr><td>{}</td><td>{} m</td></tr>", "<table><tr><th>Tree</th><th>Height</th></tr>{}</table>"),
        ("<dt>{}</dt><dd>{} m</dd>", "<dl>{}</dl>"),
        ("<article><h2>{}</h2><p>Height {} m</p><p>A tree of our woods, and of many others.</p></article>", "{}"),
    ],
)
def test_the_names_of_a_map_are_its_elements(entry: str, around: str, open_names: dict[str, Any]) -> None:
    sizes = {"Oak": 4, "Elm": 7, "Ash": 9, "Fir": 12}
    html = around.format("".join(entry.format(*one) for one in sizes.items()))
    schema = {"type": "object", **open_names}
    assert lacks(sizes, html, schema=schema) == {}
    for left_out, size in sizes.items():
        (said,) = lacks({tree: one for tree, one in sizes.items() if tree != left_out}, html, schema=schema)[""]
        assert left_out in said or str(size) in said


@pytest.mark.req("CM-2")
def test_two_lists_of_one_object_may_have_a_column_of_one_table_each() -> None:
    rows = (("Oak", "4 m"), ("Elm", "7 m"), ("Ash", "9 m"), ("Fir", "12 m"))
    cells = "".join(
        f"<tr><td>{tree}</td><td>Zone {at}</td><td>{size}</td></tr>" for at, (tree, size) in enumerate(rows)
    )
    html = f"<table><tr><th>Tree</th><th>Zone</th><th>Height</th></tr>{cells}</table>"
    trees, sizes = [tree for tree, _ in rows], [size for _, size in rows]
    assert lacks({"trees": trees, "sizes": sizes}, html) == {}
    assert lacks({"trees": [*trees[:2], "Fir"], "sizes": sizes}, html) == {"/trees": ("Ash",)}
    assert lacks({"trees": trees, "sizes": sizes[1:]}, html) == {"/sizes": ("4 m",)}


@pytest.mark.req("CM-2")
def test_what_stands_before_the_part_that_was_read_is_not_missing() -> None:
    start = open_page(RECIPE).text.index("- 50 g")
    assert lacks({"ingredients": [INGREDIENTS[0], INGREDIENTS[3]]}, RECIPE, start=start) == {
        "/ingredients": ("50 g pine nuts",)
    }


@pytest.mark.req("CM-2")
def test_siblings_far_longer_than_the_elements_are_none() -> None:
    html = f"<div><p>Oak</p><p>Elm</p><p>Ash</p><p>{'A story of trees. ' * 9}</p></div>"
    assert lacks({"trees": ["Oak", "Elm", "Ash"]}, html) == {}


@pytest.mark.req("CM-1", "LB-2")
def test_items_and_rows_of_markdown_are_counted_as_those_of_a_page() -> None:
    page = Page.from_markdown("# Pesto\n- 1 cup basil\n- 2 cloves [garlic](/g)\n  - peeled\n- ½ tsp salt\n\nDone.")
    assert lacks({"ingredients": ["1 cup basil", "½ tsp salt"]}, page) == {"/ingredients": ("2 cloves [garlic]",)}
    table = Page.from_markdown("|Name|Price|\n|---|---|\n|Oak|4|\n|Elm|7|\n|Ash|9|\n")
    assert lacks({"rows": [{"name": "Oak", "price": 4}, {"name": "Ash", "price": 9}]}, table) == {"/rows": ("Elm 7",)}


@pytest.mark.req("CM-2")
def test_words_of_the_template_are_no_elements_but_what_another_list_has_is_one() -> None:
    sizes = "".join(
        f"<article><h3>{name}</h3><ul><li>{small}</li><li>{large}</li><li>XL</li><li>More</li></ul></article>"
        for name, small, large in (("Jug", "S", "L"), ("Vase", "M", "K"), ("Lamp", "U", "V"))
    )
    data = [
        {"name": "Jug", "sizes": ["S", "L"]},
        {"name": "Vase", "sizes": ["M", "K"]},
        {"name": "Lamp", "sizes": ["U", "V", "XL"]},
    ]
    assert lacks(data, sizes, records=()) == {"/0/sizes": ("XL",), "/1/sizes": ("XL",)}


def guides(count: int) -> tuple[list[dict[str, Any]], Page, dict[str, Any]]:
    names = [f"Guide number {at}" for at in range(count)]
    items = [f'<li><a href="/read/g{at}">{name}</a></li>' for at, name in enumerate(names)]
    page = open_page(f"<ul>{''.join(items)}</ul>")
    return [{"title": name, "links": [name]} for name in names], page, {"records": ()}


def files(count: int) -> tuple[dict[str, Any], Page, dict[str, Any]]:
    items = "".join(f"<li><code>path{at}</code> The file number {at}</li>" for at in range(2 * count))
    given = [{"path": f"path{at}", "text": f"The file number {at}"} for at in range(0, 2 * count, 2)]
    return {"files": given}, open_page(f"<ul>{items}</ul>"), {}


@pytest.mark.req("CM-2")
@pytest.mark.parametrize(
    ("made", "name"),
    [(guides, "ItemCounter._folder"), (guides, "ItemCounter._said"), (files, "_make_up")],
    ids=["links", "repeated links", "items of several texts"],
)
def test_the_count_looks_twice_as_often_at_twice_as_many(made: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = [0]
    real = operator.attrgetter(name)(inner_items)

    def counting(*arguments: Any) -> Any:
        looks[0] += 1
        return real(*arguments)

    monkeypatch.setattr(f"{inner_items.__name__}.{name}", counting)
    counts: list[int] = []
    for count in (50, 100):
        looks[0] = 0
        data, page, more = made(count)
        short_lists(data, page, **more)
        counts.append(looks[0])
    assert counts[1] <= 3 * counts[0]
