"""Where a listing goes on and where it does not, and what says that it does and can't be followed (FP-1, FP-3)."""

from dataclasses import replace

import pytest
from gleaner.html.dom import parse_html
from gleaner.sites.addresses import same_page
from gleaner.sites.overlaps import overlaps
from gleaner.sites.page_numbers import MOST_PAGES
from gleaner.sites.pagination import Pager, Shown, find_pager

pytestmark = pytest.mark.req("FP-1", "FP-3")

URL = "https://a.example/list"
PAGER = '<p><span>1</span> <a href="?page=2">2</a> <a href="?page=3">3</a></p>'
SIZES = '<p>Show <b>10</b> <a href="?per=25">25</a> <a href="?per=50">50</a> <a href="?per=100">100</a></p>'


def pager(html: str, url: str = URL, shown: Shown | None = None) -> Pager:
    """Read the pager of a page whose table states a price: that is no page number."""
    table = "<h1>Lamps</h1><table><tr><td>Larch lamp</td><td>3.50</td></tr></table>"
    return find_pager(parse_html(f"<html><body>{table}{html}</body></html>"), url, shown)


def choices(name: str, values: "range | tuple[int, ...]", path: str = "") -> str:
    return "".join(f'<li><a href="{path}?{name}={value}">{value}</a></li>' for value in values)


GOES_ON = {
    # Link relations and words
    "a link relation in the head": ('<link rel="next" href="/list?p=2">', URL, ["?p=2"]),
    "a link relation among others": ('<a rel="nofollow next" href="?p=2">x</a>', URL, ["?p=2"]),
    "a word in German": ('<a href="?after=k3J">Weiter ›</a>', URL, ["?after=k3J"]),
    "a word in Japanese": ('<a href="?after=k3J">次へ</a>', URL, ["?after=k3J"]),
    "a word in brackets": ('<a href="?ofs=50">[next]</a>', URL, ["?ofs=50"]),
    "next and how many": ('<a href="?start=25">Next 25 items »</a>', URL, ["?start=25"]),
    "a label for screen readers": ('<a aria-label="Next page" href="?after=k3J"><svg></svg></a>', URL, ["?after=k3J"]),
    "the like address of two": ('<a href="/blog/x">Next</a><a href="/list/b">Next</a>', f"{URL}/a", ["/list/b"]),
    "load more that is a link": ('<a href="?page=2">Load more lamps</a>', URL, ["?page=2"]),
    "more and how many": ('<a href="?start=10">Show 10 more</a>', URL, ["?start=10"]),
    "more alone, of this path": ('<nav><a href="/more">More</a></nav><a href="?next=7">More</a>', URL, ["?next=7"]),
    "an arrow to another path beside the page's number": (
        '<ul><li>Page 1 / 30</li><li><a href="/list2.html">⟩</a></li><li><a href="/list30.html">⟫</a></li></ul>',
        "https://a.example/list.html", ["https://a.example/list2.html"]),
    "an arrow of a pager to another path": (
        '<div class="pagination"><a href="/list/tree/main/?page=1">»»</a></div>', URL, ["/list/tree/main/?page=1"]),
    # Numbers
    "numbered pages, with those that are left out": (
        '<nav><span>1</span><a href="?page=2">2</a><a href="?page=3">3</a> … <a href="?page=5">5</a></nav>',
        URL, ["?page=2", "?page=3", "?page=4", "?page=5"]),
    "numbered pages from the middle": (
        '<nav><a href="?page=1">1</a><b>2</b><a href="?page=3">3</a></nav>', f"{URL}?page=2", ["?page=3"]),
    "numbers of records in the address": (
        '<p><a href="?from=0">1</a> <strong>2</strong> <a href="?from=24">3</a> <a href="?from=36">4</a></p>',
        f"{URL}?from=12", ["?from=24", "?from=36"]),
    "a first page without a number": (
        '<a href="/list">1</a> <b>2</b> <a href="?page=3">3</a> … <a href="?page=5">5</a>', f"{URL}?page=2",
        ["?page=3", "?page=4", "?page=5"]),
    "pages in the path": (
        '<ul><li><a href="/list/page/2">2</a><li><a href="/list/page/3">3</a></ul>', URL, ["/page/2", "/page/3"]),
    "pages that count from 0 and leave out the open one": (
        '<p class="pager"><a href="?page=0">0</a> <a href="?page=1">1</a> <a href="?page=3">»»</a></p>',
        f"{URL}?page=2", ["?page=3"]),
    "leading zeros": (
        '<p><b>1</b><a href="/list-02.html">2</a><a href="/list-03.html">3</a></p>',
        "https://a.example/list-01.html", ["https://a.example/list-02.html", "https://a.example/list-03.html"]),
    "numbers that go down": (
        '<p><b>6</b> <a href="?page=5">5</a> <a href="?page=4">4</a> … <a href="?page=1">1</a></p>',
        URL, ["?page=5", "?page=4", "?page=3", "?page=2", "?page=1"]),
    "two pages that go down": ('<p><b>6</b> <a href="?page=5">5</a></p>', URL, ["?page=5"]),
    "the highest number without one in its address": (
        '<p><a href="?page=1">1</a> <a href="?page=2">2</a> <a href="?page=3">3</a> <b>4</b></p>',
        URL, ["?page=3", "?page=2", "?page=1"]),
    "two pages": ('<p><b>1</b> <a href="?page=2">2</a></p>', URL, ["?page=2"]),
    "numbers that a screen reader is told": (
        '<a aria-label="Go to page 2" href="?page=2">2</a><a aria-label="Go to page 3" href="?page=3">3</a>',
        URL, ["?page=2", "?page=3"]),
    "the open page is a link that is marked": (
        '<ul><li class="page-item active"><a href="?page=1">1</a></li><li><a href="?page=2">2</a></li></ul>',
        URL, ["?page=2"]),
    "the open page is a link like all others": (
        '<a href="?page=1">1</a> <a href="?page=2">2</a> <a href="?page=3">3</a>', URL, ["?page=2", "?page=3"]),
    "how links look while they are pressed marks none": (
        '<a class="active:red" href="?page=1">1</a> <a class="active:red" href="?page=2">2</a>'
        '<a class="active:red" href="?page=3">3</a>', f"{URL}?page=2", ["?page=3"]),
    "a window of numbers": (
        '<a href="?page=6">6</a> <b>7</b> <a href="?page=8">8</a>', f"{URL}?page=7", ["?page=8"]),
    "the paginator of a program's admin": (
        '<p><span>1</span> <a href="?p=2">2</a> <a href="?p=3">3</a> … <a href="?p=5">5</a> 300 lamps</p>',
        URL, ["?p=2", "?p=3", "?p=4", "?p=5"]),
    # Pictures and arrows
    "a sign": ('<a href="?after=k3J">›</a>', URL, ["?after=k3J"]),
    "a class": ('<a class="btn pager-next" href="?after=k3J"><svg></svg></a>', URL, ["?after=k3J"]),
    "a picture's text": ('<a href="?after=x"><img src="a.gif" alt="Next"></a>', URL, ["?after=x"]),
    "a picture's name": ('<a href="?after=x"><img src="/img/next.gif" alt=""></a>', URL, ["?after=x"]),
    "an arrow of an icon font, and one back": (
        '<a href="?c=a"><i class="fa fa-chevron-left"></i></a><a href="?c=b"><i class="fa fa-chevron-right"></i></a>',
        URL, ["?c=b"]),
    "a drawing from a file": ('<a href="?c=b"><svg><use href="#icon-arrow-right"></use></svg></a>', URL, ["?c=b"]),
    "drawings alone, by the next number": (
        '<a href="?page=1"><svg></svg></a><a href="?page=3"><svg></svg></a>', f"{URL}?page=2", ["?page=3"]),
    "a word that no list has, by the next number": (
        '<a href="?page=3">Vidare mot toppen</a>', f"{URL}?page=2", ["?page=3"]),
    # Forms, buttons, selects
    "a select of addresses": (
        '<select onchange="location=this.value"><option value="/list?page=1" selected>Page 1 of 3</option><option '
        'value="/list?page=2">Page 2 of 3</option><option value="/list?page=3">Page 3 of 3</option></select>',
        URL, ["?page=2", "?page=3"]),
    "a select of a form": (
        '<form action="/list"><input type="hidden" name="q" value="lamp"><select name="page"><option selected>1'
        "<option>2</select></form>", URL, ["/list?q=lamp&page=2"]),
    "a button of a form": (
        '<form action="/list"><input type="hidden" name="page" value="2"><button>Next</button></form>',
        URL, ["/list?page=2"]),
    "a button with its own value": (
        '<form><button name="page" value="0">Previous</button><button name="page" value="2">Next</button></form>',
        URL, ["/list?page=2"]),
    "a button that sets the location": (
        """<button onclick="location.href='/list?page=2'">Next</button>""", URL, ["/list?page=2"]),
    "a button with an address": ('<button data-href="/list?page=2">Next</button>', URL, ["/list?page=2"]),
    # Numbers beside the pager that are no pages
    "beside years": (f"<ul>{choices('year', range(2018, 2026))}</ul>{PAGER}", URL, ["?page=2", "?page=3"]),
    "beside sizes of pages": (f"{SIZES}{PAGER}", URL, ["?page=2", "?page=3"]),
    "next beside sizes of pages": (f'{SIZES}<p><a href="?page=2">Next</a></p>', URL, ["?page=2"]),
    "beside days": (f"<div>{choices('day', range(2, 29))}</div>{PAGER}", URL, ["?page=2", "?page=3"]),
    "beside chapters": (
        f"<nav>{''.join(f'<a href=/ch/{n}>{n}</a>' for n in range(1, 6))}</nav>{PAGER}", URL, ["?page=2", "?page=3"]),
    "older posts beside an archive of years": (
        f'<p>{"".join(f"<a href=/{y}/>{y}</a> " for y in range(2018, 2026))}</p><a href="/page/2/">Older posts</a>',
        "https://a.example/", ["/page/2/"]),
    "older things of any name, by a cursor": (
        '<p><a href="?cursor=c1z">Older lamps</a></p>', URL, ["?cursor=c1z"]),
}  # fmt: skip
ENDS = {
    "stars that go down": (
        '<p><a href="?stars=5">5</a> <b>4</b> <a href="?stars=3">3</a></p>', URL),
    "the last page by its number": (
        '<p><a href="?page=1">1</a> <a href="?page=2">2</a> <b>3</b></p>', f"{URL}?page=3"),
    "nothing": ("<p>All there is</p>", URL),
    "a link to the page itself": ('<a rel="next" href="?p=2#top">Next</a>', f"{URL}?p=2"),
    "a control that is off": ('<a class="next disabled" href="?p=3">Next</a>', f"{URL}?p=2"),
    "a control whose item is off": ('<li class="disabled"><a href="?p=3">Next</a></li>', f"{URL}?p=2"),
    "a control that is hidden": ('<div style="display:none"><a href="?p=3">Next</a></div>', f"{URL}?p=2"),
    "a link back, where pages are numbered from the oldest": (
        '<a rel="prev" href="index-3.html">Newer</a>', "https://a.example/index-2.html",
    ),
    "a sentence that begins with next": ('<p><a href="?view=map">Next market days</a></p>', URL),
    "another site": ('<a rel="next" href="https://b.example/list?p=2">Next</a>', URL),
    "the last of numbered pages": ('<nav><a href="?page=1">1</a><a href="?page=2">2</a><b>3</b></nav>',
                                   f"{URL}?page=3"),
    "a calendar": (f"<table><tr>{choices('day', range(1, 8))}</tr><tr>{choices('day', range(8, 10))}<li><b>10</b></li>"
                   f"{choices('day', (11,))}</tr></table>", URL),
    "a calendar of roles": (
        "".join(f"<div role=row>{choices('day', days)}{more}</div>"
                for days, more in ((range(1, 8), ""), (range(8, 10), "<li><b>10</b></li>"))), URL),
    "products that are called by numbers": ('<a href="/p/77-x">1984</a><a href="/p/5-y">2001</a>', URL),
    "rows with numbers": ("".join(f'<tr><td>{n}<td><a href="/issue/{n + 1}">{n + 1}</a></tr>' for n in range(9)), URL),
    "pages of each thread": ("".join(
        f'<p><a href="/t{n}">Thread</a> <a href="/t{n}?page=1">1</a> <a href="/t{n}?page=2">2</a></p>'
        for n in range(5)), URL),
    "sizes of pages": (SIZES, URL),
    "ratings": (choices("stars", range(1, 6)), URL),
    "a chosen rating": (choices("stars", range(1, 6)), f"{URL}?stars=3"),
    "a chosen year": (choices("year", range(2018, 2026)), f"{URL}?year=2019"),
    "a chosen year that is no link": (
        f"{choices('y', (2017, 2018))}<b>2019</b>{choices('y', (2020, 2021))}", f"{URL}?y=2019"),
    "changes of the last days": (
        '<p><b>50</b> | <a href="?limit=100">100</a> in <a href="?days=1">1</a> | <a href="?days=3">3</a> | <b>7</b> | '
        '<a href="?days=14">14</a> days</p>', URL),
    "a select of years": (
        '<select><option value="?year=2024">2024<option value="?year=2025" selected>2025<option value="?year=2026">2026'
        "</select>", URL),
    "a quantity": ('<form><select name="qty"><option selected>1<option>2</select></form>', URL),
    "the next month": ('<a href="?m=2" aria-label="Next month">Next</a>', URL),
    "an arrow to a thing that is listed": ('<p>2-3 days <a href="/lamp/7">›</a></p>', URL),
    "the next thing, by its title": (
        '<div class="item-pagination"><a class="item-pagination-link next" href="/shop/x">Next '
        f"<b>{'A lamp of larch and brass ' * 2}</b></a></div>", URL),
    "more in a menu": ('<nav><a href="/more">More</a></nav>', URL),
    "slides": ('<div class="carousel"><button>1</button><button class="active">2</button><button>3</button>'
               '<a href="#c" role="button">Next</a></div>', URL),
    "a next button of no pager": ("<form method=post><h2>Your name</h2><input><button>Next</button></form>", URL),
}  # fmt: skip
UNFOLLOWED = {
    "a button of a pager": ('<div class="pagination"><button>Next</button></div>', "Next"),
    "a link for a script": ('<nav class="pager"><a href="javascript:go()">Next</a></nav>', "Next"),
    "icon buttons beside a range": (
        '<div>1-5 of 10 <button disabled><i>chevron_left</i></button><button><i>chevron_right</i></button></div>',
        "chevron_right"),
    "labelled icon buttons beside a range": (
        '<p>1 – 5 of 25</p><button aria-label="Next page"><svg></svg></button>', "Next page"),
    "an arrow beside the table of a page that says of the others": (
        "<div><p>3 lamps, of brass and of wood, for floors and for walls, in white and in black, with and without a "
        "switch, for all who read at night and for all who do not, with the cord that you know from our other lamps, "
        "and with a shade of linen or of paper that can be washed, as all our shades can</p>"
        "<button disabled>&lt;&lt;</button><button disabled>&lt;</button><button>&gt;</button><button>&gt;&gt;</button>"
        "<p>Page <b>1 of 6</b></p></div>", ">"),
    "a route of the page's script": ('<p><a href="#/lamps/2">Next</a></p>', "Next"),
    "numbered buttons": ('<button class="active">1</button><button>2</button><button>3</button>', "2"),
    "numbers of a script": (
        """<table><tr><td><span>1</span><td><a href="javascript:post('Page$2')">2</a></tr></table>""", "2"),
    "the number of the page alone": ("<footer><small>Page 2 of 3</small></footer>", "page 2 of 3"),
    "a form that posts": (
        '<form method="post" class="paging"><input type="hidden" name="page" value="2"><button>Next</button></form>',
        "Next"),
    "a select without addresses": (
        '<select onchange="go(this)"><option selected>Page 1 of 3<option>Page 2 of 3</select>', "Page 2 of 3"),
}  # fmt: skip


@pytest.mark.parametrize("case", GOES_ON)
def test_the_next_pages_are_found_by(case: str) -> None:
    html, url, wanted = GOES_ON[case]
    found = pager(html, url)
    assert len(found.urls) == len(wanted), found
    assert [one.endswith(end) for one, end in zip(found.urls, wanted, strict=True)] == [True] * len(wanted), found.urls
    assert not found.unfollowed


@pytest.mark.parametrize("case", ENDS)
def test_a_listing_ends_where_there_is(case: str) -> None:
    assert replace(pager(*ENDS[case]), last=0) == Pager()


def test_a_control_is_named_by_its_place_in_a_browser_whatever_stands_for_a_frame() -> None:
    frame = '<div data-gleaner-frame="https://ads.example/"><button>Buy</button></div>'
    beside = pager(f'{frame}<div class="pagination"><button class="next">Next</button></div>')
    assert beside.turned_by == "css=body > div:nth-of-type(1) > button.next:nth-of-type(1)"
    inside = pager('<div data-gleaner-frame=""><p class="pagination"><button class="next">Next</button></p></div>')
    assert inside.turned_by == "css=body > p:nth-of-type(1) > button.next:nth-of-type(1)"


NOT_PRESSED = ("a form that posts", "the number of the page alone", "a select without addresses")


@pytest.mark.parametrize("case", UNFOLLOWED)
def test_what_leads_on_and_has_no_address_is_named(case: str) -> None:
    html, name = UNFOLLOWED[case]
    found = pager(html)
    assert replace(found, last=0, turned_by="", stated_behind=None) == Pager(unfollowed=name)
    assert bool(found.turned_by) == (case not in NOT_PRESSED)


def test_a_page_that_says_it_is_not_the_last_is_named() -> None:
    assert pager("", shown=Shown(page=2, pages=6)) == Pager(unfollowed="page 2 of 6", stated_behind=4)
    assert pager("", shown=Shown(page=6, pages=6)) == Pager(stated_behind=0)
    assert find_pager(parse_html("<p>"), URL, Shown(page=2, pages=6), descends=True).stated_behind == 1


def test_pages_that_nothing_links_to_are_known_as_such() -> None:
    found = pager('<b>1</b> <a href="?page=2">2</a> <a href="?page=3">3</a> … <a href="?page=6">6</a>')
    assert found.last == 6
    assert sorted(found.made_up) == [f"{URL}?page=4", f"{URL}?page=5"]


def test_a_pager_of_any_length_gives_as_many_pages_as_can_be_followed() -> None:
    found = pager('<b>1</b> <a href="?page=2">2</a> <a href="?page=3">3</a> … <a href="?page=99999">99999</a>')
    assert found.urls[-1] == f"{URL}?page={MOST_PAGES + 1}"
    found = pager(f"<b>1</b> {''.join(f'<a href=?page={n}>{n}</a> ' for n in range(2, 3000))}")
    assert len(found.urls) == MOST_PAGES


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
    found = pager("<p>no links</p>", f"{URL}?{query}", shown)
    assert [url.partition("?")[2] for url in found.urls] == following.split()
    assert found.made_up == set(found.urls)


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
