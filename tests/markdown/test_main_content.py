"""What ``main_content`` leaves out of pages whose class names say nothing, and what it never does."""

import pytest
from gleaner.markdown import main_content

PROSE = "The harbour was quiet that morning, and the boats lay still under a grey sky until the wind rose again. "
MENU = "".join(f"<li><a href='/m/{n}'>Section {n}</a></li>" for n in range(12))
CARD = (
    "<div class='q{n}'><h3>Mug {n}</h3><p>{n}.50 €</p><a href='/buy/{n}'>Add to cart</a><a href='/c'>Kitchen</a></div>"
)


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
        ("<span>Advertisement</span><a href='/ad'>Save 30 % today</a>", "Save 30"),
    ],
)
def test_a_block_beside_an_article_is_left_out_whatever_its_classes(noise: str, telling: str) -> None:
    for html in (page(noise, article()), page(article(), noise)):
        text = main_content(html)
        assert text.count(PROSE.strip()) == 6
        assert telling not in text


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
def test_comments_inside_the_posts_of_a_thread_belong_to_them() -> None:
    answer = f"<div class=answer><p>{PROSE * 3}</p><div class=comments><p>Remark. {PROSE}</p></div></div>"
    assert main_content(f"<body><h1>How?</h1>{answer * 4}</body>").count("Remark") == 4


@pytest.mark.req("MD-1")
@pytest.mark.parametrize("title", ["<span class=item-title>{}</span>", "<div><h3>{}</h3></div>"])
def test_the_linked_title_of_an_entry_stays_with_its_text(title: str) -> None:
    link = "<a href='/a'>Best cameras at any price</a>"
    text = main_content(page(f"{title.format(link)}<p>{PROSE * 6}</p><div><a href='/a'>Read more</a></div>"))
    assert "Best cameras" in text
    assert "Read more" not in text


@pytest.mark.req("MD-1")
def test_the_heading_that_the_title_names_stays_even_where_it_looks_like_nothing() -> None:
    html = f"<title>Harbour - Fernway</title>{page(f'<ul>{MENU}</ul>', article(8))}"
    assert main_content(html).startswith("# Harbour")


@pytest.mark.req("MD-1")
def test_a_question_in_a_button_is_content_where_its_answer_follows() -> None:
    questions = "".join(
        f"<h3><button>How deep is harbour {n}?</button></h3><div><p>{PROSE * 2}</p></div>" for n in range(6)
    )
    assert main_content(page("<h1>Questions</h1>", questions)).count("How deep") == 6


@pytest.mark.req("MD-1")
def test_a_table_of_data_is_kept_or_left_out_whole() -> None:
    rows = "".join(
        f"<tr><td>Boat {n}</td><td>{n * 7} m</td><td><a href='/b/{n}'>more</a></td></tr>" for n in range(300)
    )
    text = main_content(page(article(2), f"<table>{rows}</table>"))
    assert text.count("| Boat ") in (0, 300)


def test_the_page_without_a_body_or_without_text_has_no_main_content() -> None:
    assert main_content("") == main_content("<html><body><div></div></body></html>") == ""


@pytest.mark.req("MD-1")
@pytest.mark.parametrize("after", ["", f"<p>{PROSE}</p>"])
@pytest.mark.parametrize("paragraphs", [3, 6, 12])
@pytest.mark.parametrize("box", ["ul", "ol"])
def test_a_list_beside_paragraphs_goes_with_them_and_a_menu_does_not(box: str, paragraphs: int, after: str) -> None:
    items = ["Power: back by noon", "Schools: closed", "Trains: every hour"]
    told = "".join(f"<li>{item}</li>" for item in items)
    story = f"<h1>Harbour</h1>{f'<p>{PROSE}</p>' * paragraphs}<{box}>{told}</{box}>{after}<{box}>{MENU}</{box}>"
    text = main_content(page(f"<main>{story}</main>"))
    assert [item for item in items if item not in text] == []
    assert "Section 3" not in text
