"""What follows an element that can hold nothing does not stand in it."""

import pytest
from gleaner.html.dom import parse_html
from gleaner.markdown import extract_clean_markdown
from lxml import etree


@pytest.mark.req("MD-1")
@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<picture><source srcset=a><img src=i></picture>x", '<picture><source srcset="a"/><img src="i"/></picture>x'),
        ("<video> <source src=a> 1 <track> 2</video>3", '<video> <source src="a"/> 1 <track/> 2</video>3'),
        ("<p>super<wbr>cali<wbr><b>fragi</b>listic</p>", "<p>super<wbr/>cali<wbr/><b>fragi</b>listic</p>"),
        ("<picture><source><source/><img>a<i>b</i></picture>", "<picture><source/><source/><img/>a<i>b</i></picture>"),
    ],
)
def test_what_follows_a_void_element_stands_beside_it(written: str, read: str) -> None:
    body = parse_html(f"<body><main>{written}</main>").find("body/main")
    assert body is not None
    assert etree.tostring(body, encoding="unicode") == f"<main>{read}</main>"


@pytest.mark.req("MD-1", "MD-3")
def test_the_image_of_a_picture_reaches_the_markdown() -> None:
    html = (
        "<h1>Shop</h1><picture>\n<source srcset='/w.webp' type='image/webp'>\n<img src='/p.jpg' alt='A mug'></picture>"
    )
    assert extract_clean_markdown(html, "https://e.example/")[0] == "# Shop\n\nA mug"
    linked, _ = extract_clean_markdown(html, "https://e.example/", extract_links=True)
    assert linked == "# Shop\n\n![A mug](https://e.example/p.jpg)"


@pytest.mark.req("MD-1")
def test_of_an_object_that_may_load_what_stands_in_it_is_no_text() -> None:
    assert extract_clean_markdown("<p>Map</p><object data=map.html><p>Get a browser</p></object>")[0] == "Map"
