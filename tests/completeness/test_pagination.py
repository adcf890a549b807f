"""Where a listing goes on, by link relations, numbered pages, controls and addresses; and where it does not (FP-1)."""

import pytest
from gleaner.page.opening import open_page
from gleaner.sites.addresses import same_page
from gleaner.sites.overlaps import overlaps
from gleaner.sites.pagination import Shown, find_next

pytestmark = pytest.mark.req("FP-1")

URL = "https://a.example/list"
NUMBERS = '<nav><span>1</span><a href="?page=2">2</a><a href="?page=3">3</a> … <a href="?page=5">5</a></nav>'

GOES_ON = {
    "a link relation in the head": ('<link rel="next" href="/list?p=2">', URL, ["?p=2"]),
    "a link relation among others": ('<a rel="nofollow next" href="?p=2">x</a>', URL, ["?p=2"]),
    "numbered pages, with those that are left out": (NUMBERS, URL, ["?page=2", "?page=3", "?page=4", "?page=5"]),
    "numbered pages from the middle": (
        '<nav><a href="?page=1">1</a><b>2</b><a href="?page=3">3</a></nav>', f"{URL}?page=2", ["?page=3"]),
    "numbers of records in the address": (
        '<p><a href="?from=0">1</a> <strong>2</strong> <a href="?from=24">3</a> <a href="?from=36">4</a></p>',
        f"{URL}?from=12", ["?from=24", "?from=36"]),
    "pages in the path": (
        '<ul><li><a href="/list/page/2">2</a><li><a href="/list/page/3">3</a></ul>', URL, ["/page/2", "/page/3"]),
    "leading zeros": (
        '<p><b>1</b><a href="/list-02.html">2</a><a href="/list-03.html">3</a></p>',
        "https://a.example/list-01.html", ["https://a.example/list-02.html", "https://a.example/list-03.html"]),
    "two pages": ('<p><b>1</b> <a href="?page=2">2</a></p>', URL, ["?page=2"]),
    "numbers that a screen reader is told": (
        '<a aria-label="Go to page 2" href="?page=2">2</a><a aria-label="Go to page 3" href="?page=3">3</a>',
        URL, ["?page=2", "?page=3"]),
    "a word in German": ('<a href="?after=k3J">Weiter ›</a>', URL, ["?after=k3J"]),
    "a word in Japanese": ('<a href="?after=k3J">次へ</a>', URL, ["?after=k3J"]),
    "a sign": ('<a href="?after=k3J">›</a>', URL, ["?after=k3J"]),
    "a label for screen readers": ('<a aria-label="Next page" href="?after=k3J"><svg></svg></a>', URL, ["?after=k3J"]),
    "a class": ('<a class="btn pager-next" href="?after=k3J"><svg></svg></a>', URL, ["?after=k3J"]),
    "a link for browsers without scripts": (
        '<p>Lamps of all kinds</p><noscript><a href="?p=2">Next</a></noscript>', URL, ["?p=2"]),
    "load more that is a link": ('<a href="?page=2">Load more lamps</a>', URL, ["?page=2"]),
    "the like address of two": ('<a href="/blog/x">Next</a><a href="/list/b">Next</a>', f"{URL}/a", ["/list/b"]),
}  # fmt: skip
ENDS = {
    "nothing": ("<p>All there is</p>", URL),
    "a link to the page itself": ('<a rel="next" href="?p=2#top">Next</a>', f"{URL}?p=2"),
    "a control that is off": ('<a class="next disabled" href="?p=3">Next</a>', f"{URL}?p=2"),
    "a control that is hidden": ('<div style="display:none"><a href="?p=3">Next</a></div>', f"{URL}?p=2"),
    "another site": ('<a rel="next" href="https://b.example/list?p=2">Next</a>', URL),
    "the last of numbered pages": ('<nav><a href="?page=1">1</a><a href="?page=2">2</a><b>3</b></nav>',
                                   f"{URL}?page=3"),
    "days of a calendar": (
        '<table><tr><td><a href="/list/d/2">2</a><td><a href="/list/d/3">3</a></tr><tr><td><a href="/list/d/9">9</a>'
        "</tr></table>", URL),
    "products that are called by numbers": ('<a href="/p/77-x">1984</a><a href="/p/5-y">2001</a>', URL),
    "a button": ("<button>Next</button>", URL),
    "no http address": ('<a rel="next" href="javascript:go()">Next</a>', URL),
}  # fmt: skip


@pytest.mark.parametrize("case", GOES_ON)
def test_the_next_pages_are_found_by(case: str) -> None:
    html, url, wanted = GOES_ON[case]
    found = find_next(open_page(html, url))
    assert found is not None
    assert [one.endswith(end) for one, end in zip(found.urls, wanted, strict=True)] == [True] * len(wanted), found.urls


@pytest.mark.parametrize("case", ENDS)
def test_a_listing_ends_where_there_is(case: str) -> None:
    html, url = ENDS[case]
    assert find_next(open_page(html, url)) is None


@pytest.mark.parametrize(
    ("query", "shown", "following"),
    [
        ("start=0", Shown(1, 12, 48), "start=12 start=24 start=36"),
        ("page=1", Shown(1, 12, 30), "page=2 page=3"),
        ("from=13", Shown(13, 24, 30), "from=25"),
        ("page=0&id=7", Shown(1, 12, 24), "page=1&id=7"),
        ("id=7", Shown(1, 12, 24), ""),
        ("page=2", Shown(13, 24, 24), ""),
        ("page=1", Shown(), ""),
    ],
)
def test_a_number_of_the_address_counts_on_where_it_is_the_place_in_the_listing(
    query: str, shown: Shown, following: str
) -> None:
    found = find_next(open_page("<p>no links</p>", f"{URL}?{query}"), shown)
    assert [url.partition("?")[2] for url in (found.urls if found else ())] == following.split()


def test_the_total_says_how_far_numbered_pages_go() -> None:
    links = '<p><b>1</b> <a href="?page=2">2</a> <a href="?page=3">3</a></p>'
    found = find_next(open_page(links, URL), Shown(1, 12, 70))
    assert found is not None
    assert found.urls[-1].endswith("page=6")


def test_addresses_are_one_page_whatever_their_fragment_and_final_slash() -> None:
    assert same_page("https://A.example/x/#top") == same_page("https://a.example/x")


@pytest.mark.parametrize(
    ("pages", "total", "expected"),
    [
        ([["a", "b"], ["b", "c"]], 3, [0, 1]),  # the total has no room for both
        ([["a", "b"], ["b", "c"]], 4, [0, 0]),  # real twins
        ([["a", "b"], ["b", "c"]], 0, [0, 0]),  # nobody says: a twin
        ([["a", "b", "c"], ["b", "c", "d"]], 0, [0, 2]),  # two in a row are no chance
        ([["a", "b"], ["b", "c"], ["c", "d"]], 0, [0, 1, 1]),  # windows that overlap everywhere
        ([["a", "a"], ["a", "b"]], 3, [0, 1]),
        ([[], ["a"]], 0, [0, 0]),
    ],
)
def test_overlaps_go_by_position_and_twins_stay(pages: list[list[str]], total: int, expected: list[int]) -> None:
    assert overlaps(pages, [Shown()] * len(pages), total) == expected


def test_ranges_of_the_pages_say_what_overlaps() -> None:
    assert overlaps([["a", "b"], ["b", "c"]], [Shown(1, 2), Shown(2, 3)], 0) == [0, 1]
    assert overlaps([["a", "b"], ["b", "c"]], [Shown(1, 2), Shown(3, 4)], 0) == [0, 0]
