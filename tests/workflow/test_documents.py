"""Documents that are no plain HTML pages, by the whole way of a job without a browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from gleaner import Gleaner
from gleaner.html.documents import refresh_target, with_frames, xhtml_as_html
from gleaner.html.typed.typed_data import kind_of_data
from gleaner.markdown import extract_clean_markdown
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer

GUIDE = b"# Guide\n\n| step | tool |\n|---|---|\n| one | saw |\n\n- See [more](more.md)\n"
GUIDE_IN_MARKDOWN = "# Guide\n\n| step | tool |\n| --- | --- |\n| one | saw |\n\n- See more"
BODIES = {
    "/guide": ("text/markdown; charset=utf-8", GUIDE),
    "/repo/README.md": ("text/plain", GUIDE),
    "/repo/README": ("text/plain", GUIDE),
    "/bytes": ("application/octet-stream", b"<!doctype html><title>T</title><h1>Sawmill</h1>"),
    "/odd": ("application/x-httpd-php", b"<html><body><h1>Sawmill</h1></body></html>"),
    "/zip": ("application/octet-stream", b"PK\x03\x04\x00\x00"),
    "/saws.csv": ("application/vnd.ms-excel", b"saw,teeth\nrip,24\nfret,60\n"),
    "/sums.json": ("binary/octet-stream", b'[{"saw": "rip", "teeth": 24}, {"saw": "fret", "teeth": 60}]'),
    "/data": ("application/vnd.mill.v2+json", b'[{"saw": "rip", "teeth": 24}, {"saw": "fret", "teeth": 60}]'),
    "/xhtml": (
        "application/xhtml+xml",
        b"<html xmlns='http://www.w3.org/1999/xhtml'><head><title/><script src='/x.js'/></head>"
        b"<body><div class='a'/><h1>Sawmill</h1><p>1 <![CDATA[< 2]]></p></body></html>",
    ),
    "/moved": ("text/html", b"<meta http-equiv=refresh content='0; url=/moved-on'><p>Moved</p>"),
    "/moved-on": ("text/html", b'<META HTTP-EQUIV="Refresh" CONTENT="1;URL=\'/odd\'"><p>Moved once more</p>'),
    "/round": ("text/html", b"<meta http-equiv=refresh content='0; url=/about'><p>Round</p>"),
    "/about": ("text/html", b"<meta http-equiv=refresh content='0; url=/round'><p>About</p>"),
    "/inside": ("text/html", b"<meta http-equiv=refresh content='0; url=http://10.0.0.1/'><p>Inside</p>"),
    "/frames": (
        "text/html",
        b"<html><head><title>F</title></head><frameset cols='20%,80%'><frame src='/odd'><frame src='/gone'>"
        b"<frame src='http://10.0.0.1/'><frameset rows='*'><frame src='/low'></frameset></frameset></html>",
    ),
    "/low": ("text/html", b"<html><body class=b><p>The lower frame</p></body></html>"),
}


class Site(LoopbackHandler):
    """Serves the bodies."""

    def do_GET(self) -> None:
        kind, body = BODIES.get(self.path, ("text/html", b""))
        self.answer(200 if self.path in BODIES else 404, kind, body)


@pytest.fixture
def scrape(tmp_path: Path) -> Iterator[object]:
    with LoopbackServer(Site) as server, Gleaner(home=tmp_path, allow_hosts=[server.host]) as gleaner:
        yield lambda path: gleaner.scrape(server.url + path, enable_javascript=False)


@pytest.mark.req("MD-1", "ME-1", "MD-2")
@pytest.mark.parametrize(
    ("path", "markdown"),
    [
        ("/guide", GUIDE_IN_MARKDOWN),
        ("/repo/README.md", GUIDE_IN_MARKDOWN),
        ("/repo/README", GUIDE_IN_MARKDOWN),
        ("/bytes", "# Sawmill"),
        ("/odd", "# Sawmill"),
        ("/data", "| saw | teeth |\n| --- | --- |\n| rip | 24 |\n| fret | 60 |"),
        ("/saws.csv", "| saw | teeth |\n| --- | --- |\n| rip | 24 |\n| fret | 60 |"),
        ("/sums.json", "| saw | teeth |\n| --- | --- |\n| rip | 24 |\n| fret | 60 |"),
        ("/xhtml", "# Sawmill\n\n1 < 2"),
        ("/moved", "# Sawmill"),
        ("/round", "About"),
        ("/frames", "# Sawmill\n\nThe lower frame"),
    ],
)
def test_a_document_is_read_as_what_it_is(scrape, path: str, markdown: str) -> None:
    result = scrape(path)
    assert (result.error, result.markdown) == (None, markdown)


@pytest.mark.req("ME-1")
def test_bytes_that_are_no_text_are_refused(scrape) -> None:
    assert scrape("/zip").error.error_type == "unsupported_content"


@pytest.mark.req("SS-1")
def test_a_page_leads_to_no_internal_address(scrape) -> None:
    assert scrape("/inside").error.error_type == "blocked_address"


@pytest.mark.req("MD-1")
@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0;url=next", "https://mill.example/a/next"),
        (" 3 , URL = '/next' ", "https://mill.example/next"),
        ("0; https://saw.example/", "https://saw.example/"),
        ("300; url=/next", ""),
        ("0; url=#low", ""),
        ("5", ""),
        ("0; url=javascript:alert(1)", ""),
    ],
)
def test_a_page_sends_on_at_once_or_is_read(content: str, target: str) -> None:
    html = f'<head><meta http-equiv="refresh" content="{content}"></head>'
    assert refresh_target(html, "https://mill.example/a/b") == target
    assert refresh_target(f"<noscript>{html}</noscript>", "https://mill.example/a/b") == ""


@pytest.mark.req("MD-1")
def test_a_frameset_of_frames_that_fail_stays_as_it_is() -> None:
    html = "<frameset><frame src=/a></frameset>"
    assert with_frames(html, "https://mill.example/", lambda _: "") == html


@pytest.mark.req("MD-1")
@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<a id='x'/><br/><img src='a'/>", "<a id='x'></a><br/><img src='a'/>"),
        ("<script>if (a</b>1/) {}</script>", "<script>if (a</b>1/) {}</script>"),
        ("<script src='x' /><p/>", "<script src='x'></script><p></p>"),
        ("<style><![CDATA[p{}]]></style><![CDATA[a & b]]>", "<style>p{}</style>a &amp; b"),
    ],
)
def test_xhtml_reads_as_html(text: str, html: str) -> None:
    assert xhtml_as_html(text) == html


@pytest.mark.req("MD-1")
@pytest.mark.parametrize(
    ("content_type", "url", "kind"),
    [
        ("application/hal+json", "/a", "json"),
        ("application/geo+json; charset=utf-8", "/a", "json"),
        ("text/plain", "/NOTES.MD", "markdown"),
        ("text/plain", "/readme.txt", ""),
        ("text/html", "/README.md", ""),
    ],
)
def test_the_kind_of_a_text_is_told_by_its_type_or_its_name(content_type: str, url: str, kind: str) -> None:
    assert kind_of_data(content_type, url) == kind


@pytest.mark.req("MD-1")
@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>", "- a\n  - b\n- c"),
        ("<ol><li>a</li><ol><li>b</li><ul><li>c</li></ul></ol></ol>", "1. a\n   1. b\n      - c"),
        ("<ul><li>a</li>\n<ul><li>b</li></ul>\n<ul><li>c</li></ul></ul>", "- a\n  - b\n  - c"),
    ],
)
def test_a_list_between_the_items_of_another_belongs_to_the_item_before_it(html: str, markdown: str) -> None:
    assert extract_clean_markdown(html)[0] == markdown
