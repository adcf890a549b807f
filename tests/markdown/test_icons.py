"""What icons say reaches the Markdown, and the tree that recipes read; what they do not say surely does not."""

import re

import pytest
from gleaner.markdown import extract_clean_markdown
from gleaner.page.opening import open_page
from gleaner.structured import extract_structured
from gleaner.values.flags import parse_boolean
from gleaner.wrappers.opening import tree_of
from gleaner.wrappers.trees import text_of

from tests.support.schemas import FLAG, TEXT, records_of

pytestmark = pytest.mark.req("MD-1")

TICKS = [
    "<i class='fa fa-check text-success'></i>",
    "<span class='glyphicon glyphicon-ok'></span>",
    "<svg class=icon><use href='/sprite.svg#icon-check'></use></svg>",
    "<svg><title>Yes</title><path d=''></path></svg>",
    "<span class='material-icons-outlined'>check_circle</span>",
    "<img src='/img/green-check.png?v=2' alt=''>",
    "<iconify-icon icon='mdi:check-circle'></iconify-icon>",
    "<i data-lucide=check></i>",
    "<div><span class=tick></span></div>",
]
CROSSES = [
    "<i class='fas fa-times'></i>",
    "<i class='bi bi-x-lg'></i>",
    "<svg><use xlink:href='#cross'></use></svg>",
    "<svg><title>No</title></svg>",
    "<span class=material-icons>close</span>",
    "<img src=red_x.svg>",
]


def markdown(html: str) -> str:
    return (
        extract_clean_markdown(f"<body><h1>A</h1>{html}</body>", "https://example.com/")[0].removeprefix("# A").strip()
    )


def table(*cells: str) -> str:
    return f"<table><tr><th>Plan<th>SSO{''.join(f'<tr><td>P<td>{cell}' for cell in cells)}</table>"


def cells_of(html: str) -> list[str]:
    read = [row.strip("|").split("|")[1].strip() for row in markdown(html).splitlines()[2:]]
    assert read == [text_of(cell) for cell in tree_of(open_page(html)).root.iter("td")][1::2], "recipes read the same"
    return read


@pytest.mark.parametrize("cross", CROSSES)
@pytest.mark.parametrize("tick", TICKS)
def test_ticks_and_crosses_that_fill_cells_are_written(tick: str, cross: str) -> None:
    assert [parse_boolean(cell) for cell in cells_of(table(tick, cross))] == [True, False]


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("<a href=/delete><i class='fa fa-times'></i></a>", ""),
        ("<button><i class='fa fa-check'></i></button>", ""),
        ("<i class='fa fa-check'></i> from 3 May", "from 3 May"),
        ("<i class='fa fa-checkout'></i>", ""),
        ("<i class='no-wrap'></i>", ""),
        ("<i class='fa fa-check fa-times'></i>", ""),
    ],
    ids=["link", "button", "words", "other name", "style", "both"],
)
def test_icons_that_say_nothing_of_a_cell_are_left(cell: str, said: str) -> None:
    assert cells_of(table("<i class='fa fa-check'></i>", cell)) == ["✓", said]


def test_crosses_without_a_tick_remove_rows() -> None:
    assert cells_of(table("<i class='fa fa-times'></i>", "x")) == ["", "x"]


def test_items_of_lists_have_their_signs_where_these_differ() -> None:
    tick, cross = "<i class='fa fa-check'></i>", "<i class='fa fa-times'></i>"
    assert markdown(f"<ul><li>{tick} 10 GB<li>{cross} SSL</ul>") == "- ✓ 10 GB\n- ✗ SSL"
    assert markdown(f"<ul><li>{tick} 10 GB<li>{tick} SSL</ul>") == "- 10 GB\n- SSL"


def test_boxes_that_nobody_can_tick_are_data() -> None:
    tasks = "<li><input type=checkbox checked disabled> Tea<li><input type=checkbox disabled> Milk"
    assert markdown(f"<ul>{tasks}<li><input type=checkbox name=b> Brand</ul>") == "- ☑ Tea\n- ☐ Milk\n- Brand"


def test_names_that_a_font_draws_are_no_text() -> None:
    assert markdown("<p><span class=material-icons>shopping_cart</span> Lamp</p>") == "Lamp"


FILLED = [
    ("<i class='fa fa-star'></i>", "<i class='fa fa-star-half-o'></i>", "<i class='fa fa-star-o'></i>"),
    (
        "<i class='fas fa-star gold'></i>",
        "<i class='fas fa-star-half-alt gold'></i>",
        "<i class='far fa-star gold'></i>",
    ),
    ("<i class='bi bi-star-fill'></i>", "<i class='bi bi-star-half'></i>", "<i class='bi bi-star'></i>"),
    (
        "<b class=material-icons>star</b>",
        "<b class=material-icons>star_half</b>",
        "<b class=material-icons>star_border</b>",
    ),
    (
        "<svg><use href='#star-full'/></svg>",
        "<svg><use href='#star-half'/></svg>",
        "<svg><use href='#star-empty'/></svg>",
    ),
    ("<img src=star_on.png>", "<img src=star_half.png>", "<img src=star_off.png>"),
    ("<li><i class='star'></i></li>", "<li><i class='star half'></i></li>", "<li><i class='star grey'></i></li>"),
]


@pytest.mark.parametrize(("full", "half", "empty"), FILLED)
def test_rows_of_stars_say_the_rating(full: str, half: str, empty: str) -> None:
    page = f"<p>Lamp <b>{3 * full + half + empty}</b></p><p>Vase <b>{2 * full + 3 * empty}</b> (12) $4.90</p>"
    assert re.findall(r"Rating: ([\d.]+)", markdown(page)) == ["3.5", "2"]


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ("<i class='fa fa-inr'></i> 1,499", "₹ 1,499"),
        ("<i><i class='fas fa-euro-sign'></i></i>12", "€12"),
        ("12 <svg><use href='#currency-gbp'></use></svg>", "12 £"),
        ("<i class='fas fa-dollar-sign'></i> Pricing", "Pricing"),
        ("9 <i class='fas fa-dollar-sign'></i> Pricing", "9 Pricing"),
        ("<i class='fa fa-caret-down'></i> 1.2%", "▼ 1.2%"),
        ("<i class='bi bi-arrow-up'></i>0.4%", "▲ 0.4%"),
        ("<i class='fa fa-arrow-down'></i> 1.25 (0.8%)", "▼ 1.25 (0.8%)"),
        ("3 <i class='bi bi-arrow-up'></i>", "3"),
        ("<i class='fa fa-arrow-down'></i> 1,204 downloads", "1,204 downloads"),
        ("<button><i class='bi bi-arrow-up'></i> 120</button>", "120"),
        ("<i class='bi bi-arrow-right'></i> 120", "120"),
    ],
)
def test_money_and_arrows_are_written_at_figures(html: str, said: str) -> None:
    assert markdown(f"<p>{html}</p>").replace("*", "").replace(" ", "") == said.replace(" ", "")


FULL, NONE = "<i class='fa fa-star'></i>", "<i class='fa fa-star-o'></i>"
UNSURE = {
    "all alike": f"<p>Lamp <b>{5 * FULL}</b></p><p>Vase <b>{5 * FULL}</b></p>",
    "said beside them": f"<p>Lamp <b>{5 * FULL}</b> 4.7</p><p>Vase <b>{4 * FULL + NONE}</b> 4.2</p>",
    "drawn over each other": f"<p><b class=w80>{5 * FULL}</b><b>{5 * NONE}</b></p>",
    "cut by a width": f"<p><b style='width:70%'>{5 * FULL}</b><b>{NONE}</b></p>",
    "nobody rated": f"<p>Lamp <b>{5 * NONE}</b></p>",
    "out of order": f"<p>Lamp <b>{NONE + FULL}</b></p>",
    "to rate with": "<form>" + "".join(f"<label>{star}</label>" for star in (FULL, FULL, NONE)) + "</form>",
    "a favourite": f"<p>{NONE} Lamp</p><p>{FULL} Vase</p>",
    "of unknown kinds": "<p>" + "".join(f"<i class='star {kind}'></i>" for kind in ("a", "b", "c")) + "</p>",
}


@pytest.mark.parametrize("page", UNSURE.values(), ids=UNSURE)
def test_stars_that_may_mean_something_else_are_left(page: str) -> None:
    assert "Rating" not in markdown(page)


def test_stars_of_one_kind_count_where_their_number_differs() -> None:
    assert markdown(f"<p>A {4 * FULL}</p><p>B {3 * FULL}</p>") == "A Rating: 4\n\nB Rating: 3"


def test_readings_of_words_stand_in_brackets() -> None:
    assert (
        markdown("<p>天<ruby>気<rt>き</rt></ruby>、<ruby>晴<rp>(</rp><rt>は</rt><rp>)</rp></ruby>れ</p>")
        == "天気(き)、晴(は)れ"
    )


@pytest.mark.req("RC-4")
def test_a_table_of_ticks_and_crosses_answers_without_a_model() -> None:
    tick, cross = TICKS[0], CROSSES[0]
    rows = f"<tr><td>Free<td>{cross}<td>{tick}<tr><td>Team<td>{tick}<td>{tick}"
    schema = records_of(plan=TEXT, sso=FLAG, audit=FLAG)
    page = f"<body><h1>Plans</h1><table><tr><th>Plan<th>SSO<th>Audit{rows}</table></body>"
    assert extract_structured(page, "https://example.com/", schema) == [
        {"plan": "Free", "sso": False, "audit": True},
        {"plan": "Team", "sso": True, "audit": True},
    ]
