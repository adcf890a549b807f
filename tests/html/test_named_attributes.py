"""What a page does not name is not looked for: which must miss nothing that its tree has."""

import pytest
from gleaner.html.dom import class_values, find_attributes, parse_html, words_of
from gleaner.html.non_text.graphics import replace_graphics_with_text
from gleaner.html.visibility import possibly_hidden_elements

pytestmark = pytest.mark.req("MD-4")

SPELLINGS = [
    "<p title=x>a</p>",
    "<p TITLE='x'>a</p>",
    '<p class="a"title="x">a</p>',
    "<p/title=x>a</p>",
    "<p\ntitle\n=\n'x'>a</p>",
    "<p title>a</p>",
    "<p title/>a",
    "<p \x00title=x>a</p>",
    "<p\x0ctitle=x>a</p>",
    "<title>title</title><p class=title data-title=1>title</p>",
]
STARS = ["star-rating Three", "stars-4", "stars STARS4_5", "stars rated_3", "rating5", "icon three\tstar", "star three"]


@pytest.mark.parametrize("page", SPELLINGS)
def test_an_attribute_is_found_however_it_is_written(page: str) -> None:
    root, find = parse_html(page), find_attributes("title")
    assert list(find(root, words_of(page, root))) == list(find(root))


@pytest.mark.parametrize("page", ["<p hidden>a", "<INPUT type=hidden>", "<dialog>a</dialog>", "<p style='color:red'>a"])
def test_what_may_be_hidden_is_found_with_the_words_of_the_page(page: str) -> None:
    root = parse_html(page)
    assert possibly_hidden_elements(root, words_of(page, root)) == possibly_hidden_elements(root) != []


@pytest.mark.parametrize("quote", ['"', "'"])
@pytest.mark.parametrize("classes", STARS)
def test_stars_are_found_with_the_words_of_the_page(classes: str, quote: str) -> None:
    page = f"<p>Lamp <i class={quote}{classes}{quote}></i></p>"
    root = parse_html(page)
    replace_graphics_with_text(root, words_of(page, root), class_values(root))
    assert "Rating: " in (root.findtext(".//span") or "")


def test_stars_in_a_class_without_quotes_are_found() -> None:
    page = "<p>Lamp <i class=stars-4></i></p>"
    root = parse_html(page)
    replace_graphics_with_text(root, words_of(page, root), class_values(root))
    assert root.findtext(".//span") == " Rating: 4 "


@pytest.mark.parametrize("drawn", ["★★★★☆", "<i>★</i><i>★</i> <i>☆</i>", "⭐⭐⭐⭐½"])
def test_drawn_stars_say_what_they_are_named(drawn: str) -> None:
    page = f"<p>Lamp <span role='img' aria-label='4.6 out of 5'>{drawn}</span> <b title='10 new'>★ Sale</b></p>"
    root = parse_html(page)
    replace_graphics_with_text(root, words_of(page, root), class_values(root))
    assert (root.findtext(".//span") or "").strip() == "4.6 out of 5"
    assert root.findtext(".//b") == "★ Sale"


def test_stars_that_are_drawn_are_not_counted_by_their_class() -> None:
    page = '<p><span class="rating rated-4"> ★★ </span> by Ann</p>'
    root = parse_html(page)
    replace_graphics_with_text(root, words_of(page, root), class_values(root))
    assert root.findtext(".//span") == " ★★ "


@pytest.mark.parametrize("code", ["var a = '<p title=x>';" * 50, "a\x00b\r\n" * 200], ids=["markup in it", "cleaned"])
def test_scripts_name_no_attributes_and_hide_none(code: str) -> None:
    page = f"<p lang=en>a</p><script data-key=1>{code}</script><b hidden>b</b><script>{code}</script><i dir=rtl>c</i>"
    root = parse_html(page)
    words = words_of(page, root)
    found = {
        name: [value for _, value in find_attributes(name)(root, words)]
        for name in ("lang", "data-key", "hidden", "dir")
    }
    assert found == {"lang": ["en"], "data-key": ["1"], "hidden": [""], "dir": ["rtl"]}
    assert b"title" not in words


def test_stars_in_a_heading_that_has_the_title_beside_them_say_the_rating_of_its_class() -> None:
    stars = "<i class='fa fa-star'></i>" * 5
    page = f"<h3 class='star-rating Three'><span>{stars}</span> <a href=/r/2>Not for me</a></h3>"
    root = parse_html(page)
    replace_graphics_with_text(root, words_of(page, root), class_values(root))
    assert root.findtext(".//span") == " Rating: 3 "
    assert root.findtext(".//a") == "Not for me"
