"""What ``main_content`` leaves out of pages whose class names say nothing, and what it never does."""

import pytest
from gleaner.markdown.pages import main_content

PROSE = "The harbour was quiet that morning, and the boats lay still under a grey sky until the wind rose again. "
MENU = "".join(f"<li><a href='/m/{n}'>Section {n}</a></li>" for n in range(12))
CARD = (
    "<div class='q{n}'><h3>Mug {n}</h3><p>{n}.50 €</p><a href='/buy/{n}'>Add to cart</a><a href='/c'>Kitchen</a></div>"
)
LINKS = "".join(f"<div><a href='/n/{n}'>A headline of another story, number {n}</a></div>" for n in range(20))


def article(paragraphs: int = 6) -> str:
    return "<div><h1>Harbour</h1>" + f"<p>{PROSE}</p>" * paragraphs + "</div>"


def page(*blocks: str) -> str:
    return f"<html><body><div class='x1'>{''.join(f'<div>{block}</div>' for block in blocks)}</div></body></html>"


@pytest.mark.req("MD-1")
@pytest.mark.parametrize(
    ("noise", "telling"),
    [
        (f"<ul>{MENU}</ul>", "Section 3"),
        (
            "<p>We use cookies to improve this site.</p><a href='/c'>Cookie settings</a><button>Accept</button>",
            "cookies",
        ),
        (f"<div>Latest</div>{LINKS}", "headline"),
        ("<h3>Related articles</h3><div><a href='/r'>Boats</a><p>" + PROSE + "</p></div>", "Boats"),
        ("<span>Advertisement</span><a href='/ad'>Save 30 % today</a>", "Save 30"),
    ],
)
def test_a_block_beside_an_article_is_left_out_whatever_its_classes(noise: str, telling: str) -> None:
    for html in (page(noise, article()), page(article(), noise)):
        text = main_content(html)
        assert text.count(PROSE.strip()) == 6
        assert telling not in text


@pytest.mark.req("MD-1")
def test_comments_below_a_long_article_are_left_out_and_below_a_short_post_they_stay() -> None:
    comments = "<h3>12 comments</h3>" + "".join(
        f"<div><b>user{n}</b><p>Remark {n}. {PROSE}</p></div>" for n in range(3)
    )
    assert "Remark" not in main_content(page(article(12), comments))
    assert main_content(page(article(1), comments)).count("Remark") == 3


@pytest.mark.req("MD-1")
def test_what_each_piece_repeats_to_be_clicked_is_left_out_and_shared_values_stay() -> None:
    text = main_content(page("<h1>Mugs</h1>" + "".join(CARD.replace("{n}", str(n)) for n in range(8))))
    assert "Add to cart" not in text
    assert text.count("Kitchen") == 8
    assert "Mug 7" in text and "7.50 €" in text


@pytest.mark.req("MD-1")
def test_links_with_digits_and_links_to_one_place_are_values() -> None:
    rows = "".join(f"<tr><td>Day {n}</td><td><a href='/book/{n}'>09:00</a></td></tr>" for n in range(5))
    assert main_content(page(f"<h1>Times</h1><table>{rows}</table>")).count("09:00") == 5


@pytest.mark.req("MD-1")
def test_the_numbers_of_pages_are_left_out() -> None:
    cards = "".join(CARD.replace("{n}", str(n)) for n in range(8))
    pager = "<div><a href='?p=1'>1</a> <a href='?p=2'>2</a> <a href='?p=3'>3</a> <a href='?p=2'>Next »</a></div>"
    assert "Next" not in main_content(page(f"<h1>Mugs</h1>{cards}{pager}"))


@pytest.mark.req("MD-1")
def test_paragraphs_keep_their_place_whatever_their_class_says() -> None:
    body = "".join(f"<p class='paywall newsletter'>{PROSE}</p>" for _ in range(5))
    assert main_content(f"<article><h1>Harbour</h1>{body}</article>").count(PROSE.strip()) == 5


@pytest.mark.req("MD-1")
def test_teasers_that_are_links_from_title_to_text_are_a_front_page_and_no_menu() -> None:
    teaser = "<div><a href='/t/{n}'><h3>Story {n} of the harbour</h3><p>" + PROSE + "</p></a></div>"
    parts = [f"<h2>Part {at}</h2>" + "".join(teaser.replace("{n}", f"{at}{n}") for n in range(5)) for at in range(4)]
    assert main_content(page(f"<ul>{MENU}</ul>", *parts)).count("Story") == 20


@pytest.mark.req("MD-1")
def test_a_small_product_is_not_lost_between_a_menu_and_its_neighbours() -> None:
    points = "<ul><li>Stoneware from the north</li><li>Holds 0.3 l of tea</li></ul>"
    product = f"<div><h1>Fern mug</h1><div>19.50 €</div>{points}</div>"
    others = "<h2>You might also like</h2>" + "".join(
        f"<div><a href='/o/{n}'>Pot {n}</a> 12 €</div>" for n in range(12)
    )
    text = main_content(page(f"<ul>{MENU}</ul>", product, others))
    assert text == "# Fern mug\n\n19.50 €\n\n- Stoneware from the north\n- Holds 0.3 l of tea"


@pytest.mark.req("MD-1")
def test_results_with_a_box_to_tick_each_are_no_form() -> None:
    row = (
        "<div><a href='/p/{n}'>Jug {n}</a><p>"
        + PROSE
        + "</p><b>{n}.00 €</b><label><input type=checkbox>Compare</label></div>"
    )
    rows = "".join(row.replace("{n}", str(n)) for n in range(8))
    facets = "".join(f"<label><input type=checkbox>Colour {n}</label>" for n in range(8))
    text = main_content(page("<h1>Jugs</h1>", rows, facets))
    assert text.count("Jug ") == 8 and "Colour" not in text


@pytest.mark.req("MD-1")
def test_comments_inside_the_posts_of_a_thread_belong_to_them() -> None:
    answer = f"<div class=answer><p>{PROSE * 3}</p><div class=comments><p>Remark. {PROSE}</p></div></div>"
    assert main_content(f"<body><h1>How?</h1>{answer * 4}</body>").count("Remark") == 4


@pytest.mark.req("MD-1")
def test_the_heading_is_the_one_that_the_title_names_and_not_the_sites_name() -> None:
    top = f"<h1>Fernway</h1><ul>{MENU}</ul><h3>Trending</h3>{LINKS}"
    html = f"<title>Harbour - Fernway</title>{page(top, article(8))}"
    text = main_content(html)
    assert text.startswith("# Harbour") and "headline" not in text


@pytest.mark.req("MD-1")
@pytest.mark.parametrize("title", ["<span class=item-title>{}</span>", "<div><h3>{}</h3></div>"])
def test_the_linked_title_of_an_entry_stays_with_its_text(title: str) -> None:
    link = "<a href='/a'>Best cameras at any price</a>"
    text = main_content(page(f"{title.format(link)}<p>{PROSE * 6}</p><div><a href='/a'>Read more</a></div>"))
    assert "Best cameras" in text
    assert "Read more" not in text
