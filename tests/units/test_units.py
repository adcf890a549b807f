"""The detector of repeated units: which pieces of a page can each hold a record (CM-1, EX-6)."""

# ruff: noqa: E501 (a page of markup a line is easier to read than one that is folded)
import pytest
from generated_pages import KINDS, GeneratedPage, PageKind, generate_page
from gleaner.page.model import Nodes, PageOptions
from gleaner.page.opening import open_page
from gleaner.units import UnitGroup, find_unit_groups, primary_groups
from hypothesis import given
from hypothesis import strategies as st


def nodes_of(markup: str) -> Nodes:
    return open_page(f"<html><body>{markup}</body></html>", options=PageOptions(keeps_chrome=True)).nodes


def groups_of(markup: str) -> tuple[UnitGroup, ...]:
    return primary_groups(find_unit_groups(nodes_of(markup)))


def texts_of(group: UnitGroup, nodes: Nodes) -> list[str]:
    return [" ".join(" ".join(text for node in run for text in nodes.pieces(node)).split()) for run in group.runs]


def names_of(markup: str) -> list[str]:
    """Give the first word of each unit of the best group; none without a group."""
    groups, nodes = groups_of(markup), nodes_of(markup)
    return [text.split()[0] for text in texts_of(groups[0], nodes)] if groups else []


def table(*rows: str, head: str = "") -> str:
    return f"<table>{head}{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def cells(*texts: object, tag: str = "td") -> str:
    return "".join(f"<{tag}>{text}</{tag}>" for text in texts)


HEAD = f"<thead><tr>{cells('Name', 'Price', 'Made', tag='th')}</tr></thead>"
ROWS = [cells(name, f"${at + 3}.50", f"{2010 + at}") for at, name in enumerate(["Ant", "Bee", "Cow", "Dog", "Elk"])]
NAMES = ["Ant", "Bee", "Cow", "Dog", "Elk"]

NAVIGATION = (
    "<nav><ul>" + "".join(f"<li><a href='/{at}'>Section {at}</a></li>" for at in range(12)) + "</ul></nav>"
    "<ol class='breadcrumb'><li><a>Home</a></li><li><a>Shop</a></li><li><a>All</a></li></ol>"
)
FOOTER = (
    "<ul class='pagination'>" + "".join(f"<li><a href='?p={at}'>{at}</a></li>" for at in range(9)) + "</ul>"
    "<footer><div><h5>Help</h5><ul><li><a>Returns</a></li><li><a>Contact</a></li></ul></div>"
    "<div><h5>Legal</h5><ul><li><a>Terms</a></li><li><a>Privacy</a></li></ul></div></footer>"
)


def card(name: str, at: int, tag: str = "div", classes: str = "", extra: str = "") -> str:
    price = f"<span>${at + 1}.99</span>" if at != 2 else ""
    rating = f"<em>{at}/5</em>" if at % 2 else ""
    attribute = f' class="{classes}"' if classes else ""
    return f'<{tag}{attribute}><img src="{at}.jpg"><h3><a href="/{name}">{name} thing</a></h3>{price}{rating}{extra}</{tag}>'


CARDS = [card(name, at) for at, name in enumerate(NAMES)]


@pytest.mark.req("CM-1")
@pytest.mark.parametrize(
    ("what", "markup"),
    [
        ("a table with a head", table(*ROWS, head=HEAD)),
        ("a table whose first row is th", table(cells("Name", "Price", "Made", tag="th"), *ROWS)),
        ("a table whose names are plain cells", table(cells("Name", "Price", "Made"), *ROWS)),
        ("a total row", table(*ROWS, cells("Total", "$27.50", ""), head=HEAD)),
        ("a foot", table(*ROWS, head=HEAD + f"<tfoot><tr>{cells('All', '5', '')}</tr></tfoot>")),
        ("section titles over all columns", table("<td colspan=3>Small</td>", *ROWS, "<td colspan=3>End</td>", head=HEAD)),
        ("spacer rows", table(*ROWS[:2], "<td colspan=3>&nbsp;</td>", *ROWS[2:], head=HEAD)),
        ("two tables with the same columns", "<h2>A</h2>" + table(*ROWS[:2], head=HEAD) + table(*ROWS[2:], head=HEAD)),
        ("cards", f"<div>{''.join(CARDS)}</div>"),
        ("cards with an advertisement", f"<div>{''.join(CARDS[:2])}<div class='ad-box'><a>Buy</a></div>{''.join(CARDS[2:])}</div>"),
        (
            "cards with a labelled advertisement of another shape",
            f"<div>{''.join(CARDS[:2])}<div><small>Sponsored</small><a><img src=x>Buy now</a></div>{''.join(CARDS[2:])}</div>",
        ),
        ("a grid in rows", f"<div><div>{''.join(CARDS[:2])}</div><div>{''.join(CARDS[2:4])}</div><div>{CARDS[4]}</div></div>"),
        ("cards in categories", f"<section><h2>A</h2><div>{''.join(CARDS[:3])}</div></section><section><h2>B</h2><div>{''.join(CARDS[3:])}</div></section>"),
        (
            "a layout table of cards",
            "<table>" + "".join(f"<tr><td>{one}</td><td>{two}</td></tr>" for one, two in [(CARDS[0], CARDS[1]), (CARDS[2], CARDS[3])]) + f"<tr><td>{CARDS[4]}</td><td></td></tr></table>",
        ),
        ("list items of one line", "<ul>" + "".join(f"<li>{name} – ${at}.50 – {2010 + at}</li>" for at, name in enumerate(NAMES)) + "</ul>"),
        ("linked list items", "<ul>" + "".join(f"<li><a href='/{name}'>{name}</a> <span>${at}.50</span> <i>{at} left</i></li>" for at, name in enumerate(NAMES)) + "</ul>"),
        ("terms with descriptions", "<dl>" + "".join(f"<dt>{name}</dt><dd>${at}.50</dd><dd>Since {2010 + at}</dd>" for at, name in enumerate(NAMES)) + "</dl>"),
        ("terms in boxes", "<dl>" + "".join(f"<div><dt>{name}</dt><dd>${at}.50</dd><dd>Since {2010 + at}</dd></div>" for at, name in enumerate(NAMES)) + "</dl>"),
        ("a flat run", "<h1>All</h1>" + "".join(f"<h3>{name}</h3><p>Price: ${at}.50</p><p>Made: {2010 + at}</p>" for at, name in enumerate(NAMES))),
        ("a flat run with rules", "".join(f"<h3>{name}</h3><p>Price: ${at}.50</p><hr>" for at, name in enumerate(NAMES))),
        ("articles of a feed", "".join(f"<article><h2><a href='/{name}'>{name}</a></h2><time>2026-01-0{at + 1}</time><p>What it says.</p></article>" for at, name in enumerate(NAMES))),
        ("rows made of boxes", "<div>" + "".join(f"<div><div>{name}</div><div>${at}.50</div><div>{2010 + at}</div></div>" for at, name in enumerate(NAMES)) + "</div>"),
        ("one record in two rows", "<table>" + "".join(f"<tr><td>1.</td><td>{name}</td><td>x</td></tr><tr><td></td><td>{at} points</td></tr>" for at, name in enumerate(NAMES)) + "</table>"),
    ],
)  # fmt: skip
def test_each_record_is_one_unit(what: str, markup: str) -> None:
    page = NAVIGATION + "<main><h1>Things</h1>" + markup + "</main>" + FOOTER
    groups = groups_of(page)
    assert groups, what
    texts = texts_of(groups[0], nodes_of(page))
    assert len(texts) == len(NAMES), (what, texts)
    assert all(name in text for name, text in zip(NAMES, texts, strict=True)), (what, texts)


@pytest.mark.req("CM-1")
@pytest.mark.parametrize(
    ("what", "markup"),
    [
        ("a product with th/td attributes", "<h1>Kettle</h1><p>$30</p>" + table(*[f"<th>{a}</th><td>{b}</td>" for a, b in [("Weight", "1 kg"), ("Colour", "Red"), ("Power", "850 W"), ("Made", "2020")]])),
        ("a product with td/td attributes", "<h1>Kettle</h1><p>$30</p>" + table(*[cells(a, b) for a, b in [("Weight", "1 kg"), ("Colour", "Red"), ("Power", "850 W"), ("Made", "2020")]])),
        ("a product with a dl of attributes", "<h1>Kettle</h1><p>$30</p><dl><dt>Weight</dt><dd>1 kg</dd><dt>Colour</dt><dd>Red</dd><dt>Power</dt><dd>850 W</dd></dl>"),
        ("an article", "<article><h1>Rain</h1>" + "".join(f"<p>{'It rained for days and nobody minded it much. ' * 4}</p>" for _ in range(8)) + "</article>"),
        ("an article in sections", "<article><h1>Rain</h1>" + "".join(f"<h2>Part</h2><p>{'It rained for days and nobody minded it much. ' * 4}</p><p>{'Then it stopped, and they all went home again. ' * 4}</p>" for _ in range(4)) + "</article>"),
        ("a calendar", "<table>" + f"<tr>{cells('Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su', tag='th')}</tr>" + "".join(f"<tr>{cells(*range(week * 7 + 1, week * 7 + 8))}</tr>" for week in range(4)) + "</table>"),
        ("nothing but navigation", "<p>Welcome to the shop, have a look around, take your time.</p>"),
        ("an empty page", ""),
        ("select options", "<form><select>" + "".join(f"<option>Country number {at}</option>" for at in range(50)) + "</select></form>"),
    ],
)  # fmt: skip
def test_a_page_about_one_thing_has_no_primary_units(what: str, markup: str) -> None:
    groups = groups_of(NAVIGATION + markup + FOOTER)
    assert not groups, (what, groups[0])


@pytest.mark.req("CM-1", "PR-2")
@pytest.mark.parametrize("line", ["<h6>{}</h6>", "<h4>{}</h4>", "<p class=place>{}</p>", "<p>{}</p>"])
def test_the_line_above_each_heading_is_of_the_record_below(line: str) -> None:
    towns = ["Oslo", "Bergen", "Molde", "Narvik", "Bryne"]
    rows = [
        f"{line.format(town)}<h3>{name}</h3><p>Seats at ${at}.50</p>"
        for at, (town, name) in enumerate(zip(towns, NAMES, strict=True))
    ]
    assert names_of(f"<main><h2>All</h2>{''.join(rows)}</main>") == towns


@pytest.mark.req("CM-1")
def test_what_the_last_record_lacks_is_not_the_text_above_the_first() -> None:
    rows = "".join(
        f"<h3>{name}</h3><p>{at} of them since {2010 + at}</p><p>Seats at ${at}.50</p>"
        for at, name in enumerate(NAMES[:-1])
    )
    assert (
        names_of(f"<main><p>What we have on 3 March.</p>{rows}<h3>Elk</h3><p>9 of them since 2020</p></main>") == NAMES
    )


def test_a_league_of_seven_columns_of_small_numbers_is_no_calendar() -> None:
    heads = cells("Pos", "Team", "Played", "Won", "Drawn", "Lost", "Points", tag="th")
    teams = [(1, "Harrow", 14, 11, 1, 2, 34), (2, "Kelby", 14, 9, 2, 3, 29), (3, "Dunmore", 14, 2, 1, 11, 7)]
    rows = "".join(f"<tr>{cells(*team)}</tr>" for team in teams)
    (group,) = groups_of(f"<h1>League</h1><table><tr>{heads}</tr>{rows}</table>")
    assert len(group.runs) == len(teams)


def test_a_comparison_whose_records_are_columns_is_no_list_of_rows() -> None:
    rows = [
        cells("Price", "$5", "$10", "$25"),
        cells("Storage", "5 GB", "50 GB", "500 GB"),
        cells("Support", "no", "yes", "yes"),
    ]
    head = f"<tr>{cells('', 'Basic', 'Plus', 'Pro', tag='th')}</tr>"
    assert groups_of(f"<h1>Plans</h1>{table(*rows, head=head)}") == ()


def test_replies_are_units_beside_the_posts_that_they_answer() -> None:
    def post(name: str, replies: str = "") -> str:
        return f"<li><b>{name}</b> <time>2026-01-02</time><p>Some words, not many of them.</p>{f'<ul>{replies}</ul>' if replies else ''}</li>"

    thread = post("Ant", post("Bee", post("Cow")) + post("Dog")) + post("Elk")
    assert names_of(f"<h1>Thread</h1><ul>{thread}</ul>") == NAMES


@pytest.mark.req("CM-1", "EX-6")
def test_replies_beside_one_body_each_are_units_of_the_posts_group() -> None:
    def post(name: str, replies: str = "") -> str:
        body = f"<article><p><b>{name}</b> <time>3 hours ago</time></p><div><p>Some words of it.</p></div><a>Reply</a></article>"
        return f"<li class='comment'>{body}{f'<ol>{replies}</ol>' if replies else ''}</li>"

    posts = post("Ant", post("Bee", post("Cow")) + post("Dog")) + post("Elk", post("Fox")) + post("Gnu")
    assert names_of(f"<ol>{posts}</ol>") == ["Ant", "Bee", "Cow", "Dog", "Elk", "Fox", "Gnu"]


def test_a_chain_of_replies_is_one_group() -> None:
    chain = ""
    for name in reversed(NAMES):
        chain = f"<div class='post'><h4>{name}</h4><p>Said at 10:30 that it is so.</p><div class='replies'>{chain}</div></div>"
    assert names_of(f"<h1>Thread</h1>{chain}") == NAMES


def test_orders_with_their_own_lines_are_the_records() -> None:
    orders = "".join(
        f"<section class='order'><h3>{name}-{at}</h3><p>Placed 2026-02-0{at + 1} by somebody</p><p>Status: sent to the address</p>"
        f"<p>Total ${at}0.00 paid by card</p><ul><li>Pen</li><li>Ink</li></ul></section>"
        for at, name in enumerate(NAMES)
    )
    groups = groups_of(f"<h1>Orders</h1>{orders}")
    assert len(groups[0].runs) == 5


def test_columns_and_caption_describe_a_table() -> None:
    group = groups_of(table(*ROWS, head="<caption>Animals</caption>" + HEAD))[0]
    assert (group.kind, group.columns, group.label) == ("row", ("name", "price", "made"), "Animals")


def test_different_tables_are_different_groups() -> None:
    other = table(
        *[cells(f"City {at}", at * 1000, "North") for at in range(5)],
        head=f"<tr>{cells('City', 'People', 'Part', tag='th')}</tr>",
    )
    assert [len(group.runs) for group in groups_of(table(*ROWS, head=HEAD) + other)] == [5, 5]


def test_a_record_over_spanned_rows_is_one_unit() -> None:
    rows = "".join(
        f"<tr><td rowspan=2>{name}</td><td rowspan=2>${at}</td><td>early</td></tr><tr><td>late</td></tr>"
        for at, name in enumerate(NAMES)
    )
    group = groups_of(f"<table>{HEAD}{rows}</table>")[0]
    assert [len(run) for run in group.runs] == [2] * 5


def test_few_rows_under_merged_cells_are_records_each() -> None:
    plain = "".join(f"<tr>{cells(name, 'Trial', 'Pool', at)}</tr>" for at, name in enumerate(NAMES))
    merged = (
        "<tr><td rowspan=2>Fox</td><td rowspan=2>Final</td><td>Pool</td><td>7</td></tr><tr><td>Lake</td><td>8</td></tr>"
    )
    head = f"<tr>{cells('Name', 'Round', 'Place', 'Rank', tag='th')}</tr>"
    assert [len(run) for run in groups_of(f"<table>{head}{plain}{merged}</table>")[0].runs] == [1] * 7


@pytest.mark.parametrize("name", ["Deaths[42]", "Area (km²)"])
def test_a_note_or_a_raised_figure_in_a_head_makes_no_row_of_it(name: str) -> None:
    assert len(groups_of(table(cells("Name", "Price", name), *ROWS))[0].runs) == len(ROWS)


def test_a_year_in_bold_type_among_bold_names_heads_a_column() -> None:
    bold = [f"<span><b>{name}</b></span>" for name in ("2026", "Agenda", "Minutes")]
    rows = [cells(f"{at} May 2026", f"<a href=/a{at}>Agenda</a>", f"<a href=/m{at}>Minutes</a>") for at in range(1, 6)]
    assert len(groups_of(table(cells(*bold), *rows))[0].runs) == len(rows)


def test_the_head_of_a_table_with_several_links_in_each_cell_is_no_record() -> None:
    kinds = ("soft", "hard", "old", "new")
    rows = [
        cells(
            name,
            *(
                ", ".join(f"<a href='/{kind}/{tree}'>{kind} {tree}</a>" for tree in ("oak", "ash", "elm", "fir"))
                for kind in kinds
            ),
        )
        for name in NAMES
    ]
    head = cells("<b>Name</b>", *(f"<b>{kind.title()}</b>" for kind in kinds))
    found = groups_of(table(head, *rows))
    assert not any(texts_of(group, nodes_of(table(head, *rows)))[0].startswith("Name") for group in found)
    assert len(found[0].runs) == len(NAMES)


def test_each_row_is_a_piece_where_the_rows_under_merged_cells_are_joined() -> None:
    rows = "".join(
        f"<tr><td rowspan=2>{name}</td><td rowspan=2>{at}</td><td>a</td></tr><tr><td>b</td></tr>"
        for at, name in enumerate(NAMES)
    )
    page = open_page(f"<table><tr>{cells('Name', 'Rank', 'Part', tag='th')}</tr>{rows}</table>")
    sizes = [
        sum(other.group == one.group for other in page.units)
        for one in page.units
        if page.text[one.start : one.end].count("|") == 4
    ]
    assert max(sizes) == 2 * len(NAMES)


def test_cells_of_tables_of_one_width_are_pieces_of_one_group() -> None:
    days = [["6 May", "3 June"], ["1 July", "5 August"]]
    page = open_page(
        "".join(
            f"<h2>{year}</h2><table><tr>{cells(*row)}</tr><tr>{cells(*row)}</tr></table>"
            for year, row in zip((2025, 2026), days, strict=True)
        )
    )
    sizes = {one.group: sum(other.group == one.group for other in page.units) for one in page.units}
    assert max(sizes.values()) == 8


def test_a_cell_without_a_letter_or_figure_is_no_unit() -> None:
    page = open_page(
        "<table><tr><td>May</td><td>6</td><td>**</td></tr><tr><td>June</td><td>3</td><td>17</td></tr></table>"
    )
    assert "**" in page.text
    assert all(any(map(str.isalnum, page.text[one.start : one.end])) for one in page.units)


def test_rows_under_one_spanning_category_are_units_each() -> None:
    rows = f"<tr><td rowspan=3>Small</td>{ROWS[0]}</tr><tr>{ROWS[1]}</tr><tr>{ROWS[2]}</tr><tr><td rowspan=2>Big</td>{ROWS[3]}</tr><tr>{ROWS[4]}</tr>"
    group = groups_of(f"<table><tr>{cells('Size', 'Name', 'Price', 'Made', tag='th')}</tr>{rows}</table>")[0]
    assert len(group.runs) == 5


def test_a_table_with_one_row_is_a_group_of_one() -> None:
    found = find_unit_groups(nodes_of(table(ROWS[0], head=HEAD)))
    assert [len(group.runs) for group in found if group.kind == "row"] == [1]


def test_related_products_score_lower_than_the_listing() -> None:
    related = (
        "<h2>You may also like</h2><div class='strip'>" + "".join(card(f"Rel{at}", at) for at in range(5)) + "</div>"
    )
    markup = "<h1>Shop</h1><ul>" + "".join(card(name, at, "li") for at, name in enumerate(NAMES)) + "</ul>" + related
    groups = groups_of(markup)
    assert "Ant" in texts_of(groups[0], nodes_of(markup))[0]
    assert len(groups) == 1


def test_comments_and_hidden_parts_are_passed_over() -> None:
    hidden = "".join(f"<div data-gleaner-hidden=''><h3>No {at}</h3><p>$5</p></div>" for at in range(9))
    markup = "<!-- a --><?pi x?>" + hidden + "<div>" + "<!-- c -->".join(CARDS) + "</div>"
    assert names_of(markup) == NAMES


def test_a_page_of_one_element_has_none() -> None:
    assert find_unit_groups(nodes_of("<p>x</p>")) == ()


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("kind", KINDS)
def test_generated_pages_give_their_records_and_no_others(kind: PageKind) -> None:
    wrong = [
        seed for seed in range(7000, 7012) if not is_right(generate_page(seed, kind, 3 + seed % 20, twins=seed % 2))
    ]
    assert wrong == []


def is_right(page: GeneratedPage) -> bool:
    nodes = open_page(page.html, options=PageOptions(keeps_chrome=True)).nodes
    groups = primary_groups(find_unit_groups(nodes))
    if not page.is_list:
        return not groups
    name = page.layout.domain.fields[0].name
    texts = texts_of(groups[0], nodes) if groups else []
    return len(texts) == len(page.records) and all(
        str(record[name]) in text for record, text in zip(page.records, texts, strict=True)
    )


@given(
    st.lists(
        st.sampled_from(
            [
                "<div>",
                "</div>",
                "<ul>",
                "<li>",
                "</ul>",
                "<table>",
                "<tr>",
                "<td>",
                "<td_rowspan=3>",
                "</table>",
                "<dl>",
                "<dt>",
                "<dd>",
                "<h3>",
                "<p>",
                "<hr>",
                "<a>",
                "$5",
                "word",
                "<img>",
            ]
        ),
        max_size=60,
    )
)
def test_any_markup_gives_units_in_page_order_with_scores_from_0_to_1(pieces: list[str]) -> None:
    nodes = nodes_of(" ".join(pieces).replace("_", " "))
    groups = find_unit_groups(nodes)
    assert [group.score for group in groups] == sorted((group.score for group in groups), reverse=True)
    for group in groups:
        starts = [run[0] for run in group.runs]
        assert starts == sorted(set(starts))
        assert 0 <= group.score <= 1
        for run in group.runs:
            assert len({nodes.parents[node] for node in run}) == 1


def test_a_labelled_advertisement_built_like_a_card_is_no_unit() -> None:
    advertisement = "<div><small>Advertisement</small><img src=x><h3><a href='/buy'>Buy this thing</a></h3></div>"
    assert names_of(f"<div>{''.join(CARDS[:3])}{advertisement}{''.join(CARDS[3:])}</div>") == NAMES


@pytest.mark.req("CM-1")
@pytest.mark.parametrize(
    "label",
    [
        "Total", "Sous-total", "Subtotaal", "Totaal", "Delsumma", "Summa", "Mezisoučet", "Celkem", "Ara toplam", "Genel toplam",
        "Részösszeg", "Razem:", "Suma częściowa", "Промежуточный итог", "Всего (EUR)", "Yhteensä", "小计", "合計", "Median",
    ],
)  # fmt: skip
def test_a_row_of_totals_is_no_record_in_any_language(label: str) -> None:
    assert names_of(table(*ROWS, cells(label, "$27.50", "1990"), head=HEAD)) == NAMES


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("name", ["Total Recall", "Mean Girls", "Sum 41", "Average Joe", "Summa Health"])
def test_a_record_whose_name_begins_like_a_total_is_one(name: str) -> None:
    assert names_of(table(*ROWS, cells(name, "$27.50", "1990"), head=HEAD)) == [*NAMES, name.split(maxsplit=1)[0]]


@pytest.mark.req("CM-1")
def test_a_wall_of_pictures_that_are_links_lists_what_they_stand_for() -> None:
    names = ("Iversoft", "Cobalwave", "Gransoft", "Iverix")
    tiles = "".join(f"<div class=tile><a href=/{name}><img src=/{name}.svg alt={name}></a></div>" for name in names)
    markup = f"<main><h2>Brands</h2><div class=wall>{tiles}</div></main>"
    groups = find_unit_groups(nodes_of(markup))
    assert [len(group.runs) for group in groups[:1]] == [4]


@pytest.mark.req("CM-1")
def test_a_table_of_one_row_without_heads_goes_with_others_of_its_columns_and_is_none_alone() -> None:
    pages = [table(*ROWS[:3]), table(ROWS[3]), table(*ROWS[4:], ROWS[0])]
    assert [len(group.runs) for group in groups_of("<h2>Court 1</h2>".join(pages))][:1] == [6]
    assert groups_of(f"<h2>Court 1</h2>{pages[1]}") == ()
