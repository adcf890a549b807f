"""The links of a page that no browser opened: those that a browser would give."""

import pytest
from gleaner.html.links import page_links


@pytest.mark.req("BR-2")
@pytest.mark.parametrize(
    ("html", "links"),
    [
        ("<a href=/a#x>A</a><a href=/a#y>B</a><a href=/a>C</a>", ["/a#x", "/a#y", "/a"]),
        ("<a href=/a>A</a><map><area href=/a><area href=b></map>", ["/a", "/shop/b"]),
        ("<base href=/other/><a href=b>A</a>", ["/other/b"]),
        ("<a href=b>A</a><base target=_top><base href=/other/><base href=/late/>", ["/other/b"]),
        ("<base href=javascript:1><a href=b>A</a>", ["/shop/b"]),
        ("<a href='my page.html'>A</a>", ["/shop/my%20page.html"]),
        ("<a href=mailto:a@b.example>A</a><a href='http://['>B</a><a>C</a><a name=d>D</a>", []),
    ],
)
def test_links_are_absolute_and_kept_with_their_fragments(html: str, links: list[str]) -> None:
    assert page_links(html, "https://e.example/shop/") == [f"https://e.example{link}" for link in links]
