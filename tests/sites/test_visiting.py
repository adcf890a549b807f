"""What a map and a crawl do not ask for: addresses that change something, or only sort or track (MP-3)."""

import pytest
from gleaner.sites.links import read_page
from gleaner.sites.visiting import changes_something, without_views

pytestmark = pytest.mark.req("MP-3")

CHANGES = """
    /logout /accounts/logout/ /user/sign-out /log_out.php /items/1/delete /items/2/edit /items/2/destroy /delete/5
    /edit?id=5 /vote?id=12&how=up /cart/add?item=1 /cart/add/5 /basket/remove/3 /shop/?add-to-cart=5 /checkout
    /unsubscribe?u=1 /index.php?title=Lamps&action=edit /wiki/lamps?do=edit /node?op=delete /posts/7/like
    /comments/12/flag /x?action=logout /wishlist/add?id=4 /lamps/5/buy
"""
PLAIN = """
    / /docs/commands/delete /docs/edit /blog/how-to-delete-files /archive/2020 /archive?year=2020 /report/2024
    /orders/5 /lists/add /items/1 /edition/3 /editor /products?like=lamp /news/2024/update /movie/5 /remove-stains
    /docs/2.0/api /follow-up /w/index.php?title=Lamps&action=history /cart /search?q=delete /star-wars/4 /like-new/3
    /new?page=2 /v2/delete-records/overview /category/buy /editorial/2024/lamps /deleted-scenes/4 /hide-and-seek/2
"""


@pytest.mark.parametrize("path", CHANGES.split())
def test_an_address_that_changes_something_is_known(path: str) -> None:
    assert changes_something(f"https://a.example{path}")


@pytest.mark.parametrize("path", PLAIN.split())
def test_a_page_is_no_change(path: str) -> None:
    assert not changes_something(f"https://a.example{path}")


@pytest.mark.parametrize(
    ("path", "plain"),
    [
        ("/list?sort=price", "/list"),
        ("/list?page=2&sort_by=price&order=asc", "/list?page=2"),
        ("/p?utm_source=a&utm_medium=b", "/p"),
        ("/p?gclid=x&id=4", "/p?id=4"),
        ("/items/3?sid=abc", "/items/3"),
        ("/shop;jsessionid=0AB/lamps?x=1", "/shop/lamps?x=1"),
        ("/files/?C=M;O=D", "/files/"),
        ("/order?order=4711", "/order?order=4711"),
        ("/list?page=2&&size=4", "/list?page=2&size=4"),
        ("/list?", "/list"),
        ("/list", "/list"),
    ],
)
def test_what_only_sorts_tracks_or_names_a_session_is_no_other_page(path: str, plain: str) -> None:
    assert without_views(f"https://a.example{path}") == f"https://a.example{plain}"


LINKS = """<html><head><title> Lamps </title><link rel="canonical" href="/lamps"><meta name="ROBOTS" content="NoIndex">
<link rel="sitemap" href="/s.xml"><link rel="alternate" type="application/rss+xml" href="/feed"></head><body>
<a href="/1#part">One</a> <a href="/2" rel="nofollow ugc"><img alt="Two"></a> <div style="display:none"><p><a href="/3">
Trap</a></p></div> <a data-method="delete" href="/4">x</a> <a href="#top">Top</a> <a href="mailto:a@a.example">Mail</a>
<map><area href="/5" title="Five"></map></body></html>"""


def test_a_page_says_what_may_be_followed() -> None:
    page = read_page(LINKS, "https://a.example/x/", {})
    assert [(one.url.removeprefix("https://a.example"), one.title, one.left_out) for one in page.links] == [
        ("/1", "One", ""), ("/2", "Two", "nofollow"), ("/3", "Trap", "hidden"), ("/4", "x", "actions"),
        ("/5", "Five", ""),
    ]  # fmt: skip
    assert (page.title, page.canonical, page.is_indexed) == ("Lamps", "https://a.example/lamps", False)
    assert page.feeds == (("https://a.example/s.xml", True), ("https://a.example/feed", False))


@pytest.mark.parametrize("rules", ["nofollow", "index, nofollow", "none"])
def test_robots_rules_of_a_header_count_as_those_of_the_page(rules: str) -> None:
    page = read_page("<a href='/1'>One</a>", "https://a.example/", {"x-robots-tag": rules})
    assert [one.left_out for one in page.links] == ["nofollow"]
    assert page.is_indexed is ("none" not in rules)
