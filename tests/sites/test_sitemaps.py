"""Sitemaps, indexes, text sitemaps and feeds as sites write them, and what is said of what is none (MP-1)."""

import gzip

import pytest
from gleaner.contracts.errors import DecompressedTooLarge, UnsupportedContent
from gleaner.sites.addresses import same_page, site_of
from gleaner.sites.sitemaps import LARGEST, is_sitemap, iso_date, read_sitemap

pytestmark = pytest.mark.req("MP-1")
HERE = "https://a.example/maps/sitemap.xml"
NAMED = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:i="images" xmlns:news="news">{}</urlset>'


def listed(body: bytes) -> list[str]:
    return [one.url for one in read_sitemap(body, HERE).urls]


GOOD = [
    (b"<urlset><url><loc>https://a.example/1</loc></url></urlset>", ["https://a.example/1"]),
    (b"\xef\xbb\xbf <?xml version='1.0'?><!-- made today --><urlset><url><loc>/1</loc></url></urlset>",
     ["https://a.example/1"]),
    (b"<urlset><url><loc>\n https://a.example/1 </loc></url></urlset>", ["https://a.example/1"]),
    (b"<urlset><url><loc><![CDATA[https://a.example/?a=1&b=2]]></loc></url></urlset>", ["https://a.example/?a=1&b=2"]),
    (b"<urlset><url><loc>https://a.example/?a=1&b=2&copy=3</loc></url></urlset>", ["https://a.example/?a=1&b=2&copy=3"]),
    (b"<urlset><url><loc>https://a.example/?a=1&amp;b=2</loc></url></urlset>", ["https://a.example/?a=1&b=2"]),
    (NAMED.format("<url><i:image><i:loc>/x.png</i:loc></i:image><loc>/1</loc></url>").encode(), ["https://a.example/1"]),
    ("<?xml version='1.0' encoding='utf-16'?><urlset><url><loc>/é</loc></url></urlset>".encode("utf-16"),
     ["https://a.example/é"]),
    ("<?xml version='1.0' encoding='windows-1251'?><urlset><url><loc>/д</loc></url></urlset>".encode("cp1251"),
     ["https://a.example/д"]),
    (gzip.compress(b"<urlset><url><loc>/1</loc></url></urlset>", mtime=0), ["https://a.example/1"]),
    (b"https://a.example/1\r\nhttps://a.example/2\r\n", ["https://a.example/1", "https://a.example/2"]),
    (b"<rss><channel><link>/home</link><item><link>/1</link></item></channel></rss>", ["https://a.example/1"]),
    (b"<rss><channel><item><guid>https://a.example/g</guid></item></channel></rss>", ["https://a.example/g"]),
    (b"<rss><channel><item><guid isPermaLink='false'>https://a.example/g</guid></item></channel></rss>", []),
    (b"<rdf:RDF xmlns:rdf='r'><item><link>/1</link></item></rdf:RDF>", ["https://a.example/1"]),
    (b"<feed><entry><link rel='self' href='/s'/><link href='/1'/></entry></feed>", ["https://a.example/1"]),
    (b"".join(gzip.compress(part, mtime=0) for part in (b"<urlset><url><loc>/1</loc>", b"</url></urlset>")),
     ["https://a.example/1"]),
    (b"<br />\n<b>Warning</b>: old in <b>/x/map.php</b><br /><?xml?><urlset><url><loc>/1</loc></url></urlset>",
     ["https://a.example/1"]),
    (b"<urlset><url><loc>www.a.example/d</loc></url><url><loc>a.example/e</loc></url></urlset>",
     ["https://www.a.example/d", "https://a.example/e"]),
    (b"<urlset><url><loc>a.b/f</loc></url></urlset>", ["https://a.example/maps/a.b/f"]),
    (b"<rss><channel><image><url>/logo.png</url></image><item><link>/1</link></item></channel></rss>",
     ["https://a.example/1"]),
]  # fmt: skip


@pytest.mark.parametrize(("body", "urls"), GOOD)
def test_a_sitemap_or_feed_gives_the_addresses_of_its_pages(body: bytes, urls: list[str]) -> None:
    assert listed(body) == urls
    assert read_sitemap(body, HERE).fault == ""


def test_titles_and_dates_come_from_news_sitemaps_and_feeds() -> None:
    news = (
        "<url><loc>/1</loc><news:news><news:publication><news:name>Post</news:name></news:publication>"
        "<news:publication_date>2026-01-02</news:publication_date><news:title>A &amp; B</news:title></news:news></url>"
    )
    feed = (
        b"<feed><title>Posts</title><entry><title>Caf&eacute;</title><link href='/2'/>"
        b"<published>2025-12-31</published><updated>2026-02-03T10:00:00Z</updated></entry></feed>"
    )
    found = [*read_sitemap(NAMED.format(news).encode(), HERE).urls, *read_sitemap(feed, HERE).urls]
    assert [(one.title, one.last_modified, one.source) for one in found] == [
        ("A & B", "2026-01-02", "sitemap"), ("Café", "2026-02-03T10:00:00Z", "feed"),
    ]  # fmt: skip


@pytest.mark.parametrize("entry", ["<loc>one.xml</loc>", "\n one.xml\n", "one.xml<lastmod>2026-01-02</lastmod>"])
def test_an_index_gives_sitemaps_and_no_pages(entry: str) -> None:
    found = read_sitemap(f"<sitemapindex><sitemap>{entry}</sitemap></sitemapindex>".encode(), HERE)
    assert (found.kind, found.sitemaps, found.urls) == ("index", ["https://a.example/maps/one.xml"], [])
    assert found.fault == ""


BOMB = b'<!DOCTYPE u [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><urlset><url><loc>/&b;</loc></url></urlset>'
BAD = [
    (b"", "it is empty", 0),
    (b"<!doctype html><html><body>Not here</body></html>", "it is an HTML page, not a sitemap", 0),
    (b"<catalogue><url><loc>/1</loc></url></catalogue>", "its root element is <catalogue>", 0),
    (b"Not found", "no line of it is an address", 0),
    (b"\x89PNG\r\n\x1a\n", "no line of it is an address", 0),
    (b"https://a.example/1\nand so on\n", "1 of its 2 lines are no addresses", 1),
    (BOMB, "it declares entities", 1),
    (b"<urlset><url><loc>javascript:alert(1)</loc></url><url><loc></loc></url><url/></urlset>", "3 of its entries", 0),
    (
        b"<urlset><url><loc>/1</loc></url><url><lastmod>2026</lastmod></url></urlset>",
        "1 of its entries has no address",
        1,
    ),
    (b"<urlset><url><loc>/1</loc></url><url><loc>/2</loc></url><url><loc>/3", "it breaks off before </urlset>", 2),
    (b"<urlset><url><loc>/1</loc><url><loc>/2</loc></url></urlset>", "", 2),
    (
        b"<urlset><url><loc>/1</loc></url><url><loc>/2</lok></url><url><loc>/3</loc></url></urlset>",
        "damaged at line 1",
        3,
    ),
    (b"<urlset>" + b"<a>" * 500, "it is damaged", 0),
]


@pytest.mark.parametrize(("body", "fault", "count"), BAD)
def test_what_is_wrong_with_a_sitemap_is_said_and_what_is_whole_is_kept(body: bytes, fault: str, count: int) -> None:
    found = read_sitemap(body, HERE)
    assert fault in found.fault
    assert len(found.urls) == count


def test_an_address_that_breaks_off_is_no_address() -> None:
    assert listed(b"<urlset><url><loc>/1</loc></url><url><loc>/pro") == ["https://a.example/1"]


@pytest.mark.parametrize("cut", range(0, 200, 7))
def test_references_and_data_on_the_border_of_two_pieces_are_read(cut: int) -> None:
    filler = b"<!--" + b"x" * (65_536 - 100 + cut) + b"-->"
    page = b"<url><loc>https://a.example/?a=1&b=2&amp;c=3&#38;d=4</loc></url>"
    data = b"<url><loc><![CDATA[https://a.example/?e=1&f=2]]></loc></url>"
    for both in (page + data, data + page):
        body = b"<urlset>" + filler + both + b"</urlset>"
        assert sorted(listed(body)) == ["https://a.example/?a=1&b=2&c=3&d=4", "https://a.example/?e=1&f=2"]


def test_a_gzip_bomb_is_not_unpacked_and_a_damaged_file_is_said_to_be_one() -> None:
    bomb = gzip.compress(b"<urlset>" + b" " * (LARGEST + 1))
    with pytest.raises(DecompressedTooLarge, match="unpacks to more than 52428800 bytes"):
        read_sitemap(bomb, HERE)
    whole = gzip.compress(b"<urlset><url><loc>/1</loc></url></urlset>")
    for damaged in (whole[:-9], whole[:20] + b"\xff\xff\xff" + whole[23:]):
        with pytest.raises(UnsupportedContent, match="gzip file"):
            read_sitemap(damaged, HERE)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"<?xml version='1.0'?><urlset/>", True),
        (b"<!-- a -->\n<rss version='2.0'>", True),
        (b"<atom:feed xmlns:atom='x'>", True),
        (b"\x1f\x8b\x08", True),
        (b"<html><urlset>", False),
        (b"<svg xmlns='x'>", False),
        (b"urlset", False),
        (b"<!--" + b"-" * 60_000, False),
    ],
)
def test_a_page_is_told_from_a_sitemap_by_its_root(body: bytes, told: bool) -> None:
    assert is_sitemap(body) is told


SAME = [
    ("https://a.example/p", "https://a.example/p/"),
    ("https://a.example/p", "http://a.example/p#part"),
    ("https://a.example/p?b=2&a=1", "https://a.example/p?a=1&b=2"),
    ("https://a.example/p?a=1&&b=2&", "https://a.example/p?a=1&b=2"),
    ("https://A.example:443/%7euser", "https://a.example/~user"),
    ("https://a.example", "https://a.example/?"),
]
OTHERS = [
    ("https://a.example/p?a=1", "https://a.example/p?a=2"),
    ("https://a.example/p?a=1&a=2", "https://a.example/p?a=1"),
    ("https://a.example/p", "https://a.example/P"),
    ("https://a.example/a%2Fb", "https://a.example/a/b"),
    ("https://a.example:8080/p", "https://a.example/p"),
    ("https://a.example/p", "https://b.example/p"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spellings_of_one_address_are_one_page(one: str, other: str) -> None:
    assert same_page(one) == same_page(other)


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_addresses_of_two_pages_stay_two(one: str, other: str) -> None:
    assert same_page(one) != same_page(other)


def test_www_and_the_usual_port_make_no_other_site() -> None:
    assert site_of("https://www.a.example:443/x") == site_of("http://a.example") != site_of("https://shop.a.example")


SHAPES = {
    "comments that do not end": b"<urlset>" + b"<!--" * 300_000,
    "data that does not end": b"<urlset>" + b"<![CDATA[" * 200_000,
    "tags that do not end": b"<urlset>" + b"<url " * 300_000,
    "elements in elements": b"<urlset><url>" + b"<a>" * 400_000,
    "ends of nothing": b"<urlset><url>" + b"<a>" * 200_000 + b"</b>" * 200_000,
    "records in records": b"<urlset><url><a>" + b"<url>" * 200_000 + b"</url>" * 200_000,
    "declarations that do not end": b"<?xml " * 200_000,
    "references": b"<urlset><url><loc>" + b"&amp" * 300_000 + b"</loc></url></urlset>",
    "attributes": b"<feed><entry><link " + b"href=' " * 200_000 + b"/></entry></feed>",
    "a date": b"<urlset><url><loc>/1</loc><lastmod>" + b"9999999999 " * 100_000 + b"</lastmod></url></urlset>",
    "gzip members": gzip.compress(b"<urlset>") * 20_000,
}


@pytest.mark.req("MP-3")
@pytest.mark.parametrize("shape", SHAPES)
def test_a_file_of_any_shape_is_read_in_one_pass(shape: str) -> None:
    found = read_sitemap(SHAPES[shape], HERE)
    assert len(found.urls) <= 1


@pytest.mark.parametrize(
    "text", ["", "soon", "99/99/2026", "Tue, 99 Feb 2026", "Mon, 01 Jan 99999999999 00:00:00 +9999"]
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert iso_date(text) is None
