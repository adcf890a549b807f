"""Images in Markdown are where the picture is, however it is loaded, and never a placeholder (MD-3)."""

import pytest
from gleaner.html.non_text.image_sources import choose, parse_srcset
from gleaner.markdown import extract_clean_markdown

BASE = "https://yard.example/list"
FOUND = "![boat](https://yard.example/boat.jpg)"
GIF = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
LAZY = {
    "no src": "<img data-src=/boat.jpg alt=boat>",
    "an image written into the page": f"<img src='{GIF}' data-hero-image=/boat.jpg alt=boat>",
    "a spacer and a name of the shop's own": "<img src=/i/spacer.gif data-zoomed=/boat.jpg alt=boat>",
    "original": "<img src=/grey.png data-original=/boat.jpg alt=boat>",
    "a blurred preview": "<img src=/boat-20px.jpg data-lazy-src=/boat.jpg alt=boat>",
    "a set of sizes": f"<img src='{GIF}' data-srcset='/boat-s.jpg 300w, /boat.jpg 1300w' alt=boat>",
    "a set in another attribute": f"<img src='{GIF}' data-set='/boat-s.jpg 300w, /boat.jpg 1300w' alt=boat>",
    "a picture": f"<picture><source srcset='/boat.jpg 2x'><img src='{GIF}' alt=boat></picture>",
    "a lazy picture": "<picture><source data-srcset='/boat.jpg'><img src=/blank.gif alt=boat></picture>",
    "noscript": f"<figure><img src='{GIF}' class=lazy alt=boat><noscript><img src=/boat.jpg></noscript></figure>",
    "noscript before it": "<span><noscript><img src=/boat.jpg></noscript><img src=/loading.gif alt=boat></span>",
    "data in JSON": "<img src=/placeholder.svg data-images='{\"/boat.jpg\": [9, 9]}' alt=boat>",
    "a blank around it": "<img src=' \n/boat.jpg\t' alt=boat>",
    "a plain one with more sizes": "<img src=/boat.jpg srcset='/boat-l.jpg 2x' data-title=/x.jpg alt=boat>",
}


@pytest.mark.req("MD-3")
@pytest.mark.parametrize("html", LAZY.values(), ids=LAZY.keys())
def test_an_image_is_where_its_picture_is(html: str) -> None:
    content, _ = extract_clean_markdown(f"<p>One:</p>{html}<p>afloat</p>", BASE, extract_links=True)
    assert content == f"One:\n\n{FOUND}\n\nafloat"


@pytest.mark.req("MD-3")
def test_one_src_for_different_pictures_is_a_placeholder_whatever_its_name() -> None:
    html = "".join(f"<p><img src=/mark.png data-large=/n{n}.jpg alt=n{n}></p>" for n in (1, 2, 3))
    content, _ = extract_clean_markdown(html, BASE, extract_links=True)
    assert content == "\n\n".join(f"![n{n}](https://yard.example/n{n}.jpg)" for n in (1, 2, 3))


@pytest.mark.req("MD-3")
@pytest.mark.parametrize("source", [GIF, "/spacer.gif", "/img/placeholder-300x200.png", "about:blank", "/1x1.gif"])
def test_a_placeholder_without_its_picture_leaves_only_its_words(source: str) -> None:
    content, _ = extract_clean_markdown(f"<p>a <img src='{source}' alt=boat> b</p>", BASE, extract_links=True)
    assert content == "a boat b"


@pytest.mark.req("MD-3")
@pytest.mark.parametrize(
    ("text", "candidates"),
    [
        ("a.jpg", [("a.jpg", "")]),
        ("a.jpg, b.jpg 2x", [("a.jpg", ""), ("b.jpg", "2x")]),
        ("/c_1,w_2/a.jpg 100w,/b.jpg 200w", [("/c_1,w_2/a.jpg", "100w"), ("/b.jpg", "200w")]),
        (" ,, a.jpg 1x ,\n b.jpg\t3x", [("a.jpg", "1x"), ("b.jpg", "3x")]),
        ("a.jpg (x, y) 2x, b.jpg", [("a.jpg", "(x, y) 2x"), ("b.jpg", "")]),
        ("a.jpg,b.jpg", [("a.jpg,b.jpg", "")]),
        ("", []),
    ],
)
def test_a_srcset_is_parsed_as_the_standard_says(text: str, candidates: list[tuple[str, str]]) -> None:
    assert parse_srcset(text) == candidates


@pytest.mark.req("MD-3")
@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("s.jpg 400w, m.jpg 1400w, l.jpg 2800w", "m.jpg"),
        ("s.jpg 400w, m.jpg 800w", "m.jpg"),
        ("a.jpg, b.jpg 2x", "a.jpg"),
        (f"{GIF} 1x, b.jpg 2x", "b.jpg"),
    ],
)
def test_the_image_of_a_set_is_the_one_that_a_browser_shows(text: str, chosen: str) -> None:
    assert choose(parse_srcset(text)) == chosen
