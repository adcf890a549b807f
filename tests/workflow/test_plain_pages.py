"""Pages that need no browser: one request tells what a URL gives, and gives it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from gleaner import Gleaner
from gleaner.steps.plan import plan_scrape
from gleaner.steps.probe import probe_media
from gleaner.steps.render import render_page
from gleaner.testing import FunctionModel
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer

BODIES = {
    "/page": ("text/html", b"<h1>Lamps</h1><p>Warm light.</p>" * 400 + b"<a href=/more>More</a>"),
    "/unnamed": ("", b"%PDF-1.7 " + b"x" * 500),
    "/report": ("application/pdf", b"%PDF-1.7 " + b"x" * 60_000),
    "/feed": ("application/rss+xml", b"<rss><channel><item><title>Ferry</title><link>/f</link></item></channel></rss>"),
    "/live": ("application/vnd.apple.mpegurl", b"#EXTM3U\n#EXTINF:9,\nlarch.ts\n"),
    "/stock": ("text/csv; charset=utf-8", "name,price\nLärche,3\n".encode()),
    "/lines": ("application/x-ndjson", b'{"name": "Larch"}\n'),
    "/notes": ("", b"1 < 2\nLarch <b>jug</b>"),
    "/jugs.csv": (
        "text/plain",
        b"sku,name,price\nAX1,Larch jug,19.5\nAX2,Ash bowl,24\nAX3,Elm cup,8\nAX4,Oak tray,35\n",
    ),
    "/jugs": (
        "application/json",
        b'{"jugs": [{"name": "Larch jug", "price": 19.50}, {"name": "Ash bowl", "price": 24}]}',
    ),
    "/framed": (
        "text/html",
        b"<h1>Jugs</h1><iframe src=/page></iframe><div style='display:none'><iframe src=/ads></iframe></div>",
    ),
    "/nothing": ("text/html", b""),
    "/nowhere": ("text/html", b""),
    "/part": ("text/html", b"<h1>Jugs</h1><p>Larch"),
    "/huge": ("text/html", b"<p>Text.</p>" * 9_000),
}


class Site(LoopbackHandler):
    """Serves the bodies and keeps what it was asked."""

    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        kind, body = BODIES[self.path]
        status = {"/nothing": 204, "/nowhere": 302, "/part": 206}.get(self.path, 200)
        self.answer(status, kind, body, {"Content-Range": "bytes 0-20/400"} if status == 206 else None)


@pytest.fixture
def site() -> Iterator[LoopbackServer]:
    Site.asked = []
    with LoopbackServer(Site) as server:
        yield server


@pytest.fixture
def gleaner(tmp_path: Path, site: LoopbackServer) -> Iterator[Gleaner]:
    limits = {"max_page_size": 50_000, "max_media_size": 100_000}
    with Gleaner(home=tmp_path / "home", allow_hosts=[site.host], limits=limits) as made:
        yield made


def test_a_page_without_a_browser_takes_one_request(gleaner: Gleaner, site: LoopbackServer) -> None:
    result = gleaner.scrape(f"{site.url}/page", enable_javascript=False)
    assert result.markdown is not None
    assert "Warm light." in result.markdown
    assert Site.asked == ["/page"]


def test_frames_that_need_a_browser_are_told(gleaner: Gleaner, site: LoopbackServer) -> None:
    result = gleaner.scrape(f"{site.url}/framed", enable_javascript=False)
    assert (result.status, result.warnings) == (
        "complete",
        [f"without a browser 1 frame was not read: {site.url}/page"],
    )
    assert gleaner.scrape(f"{site.url}/page", enable_javascript=False).warnings == []


@pytest.mark.req("BR-2", "BR-4")
@pytest.mark.parametrize("wanted", [{"format": "screenshot"}, {"format": "fullscreenshot"}, {"profile": "master"}])
def test_what_only_a_browser_can_do_is_refused_without_one(
    gleaner: Gleaner, site: LoopbackServer, wanted: dict[str, str]
) -> None:
    result = gleaner.scrape(f"{site.url}/page", enable_javascript=False, **wanted)
    assert result.error is not None and result.error.error_type == "invalid_request"
    named = " ".join(map(" ".join, wanted.items()))
    assert result.error.message == f"{named} needs the browser: leave enable_javascript true"
    assert Site.asked == []


@pytest.mark.req("WF-1")
@pytest.mark.parametrize(("path", "kind"), [("/page", "snapshot"), ("/report", "media")])
def test_what_a_step_has_stored_is_asked_for_by_none_again(
    gleaner: Gleaner, site: LoopbackServer, path: str, kind: str
) -> None:
    result = gleaner.scrape(site.url + path, enable_javascript=False)
    asked, event = [*Site.asked], {"job": {"job_id": result.job_id, "tenant": "default"}}
    assert probe_media(event, gleaner.services) == {"kind": kind}
    if kind == "snapshot":
        assert render_page(event, gleaner.services) == {"page_id": result.page_id}
    assert Site.asked == asked


@pytest.mark.req("WF-1", "BR-2")
def test_a_result_holds_what_its_format_asks_for_and_nothing_else(gleaner: Gleaner, site: LoopbackServer) -> None:
    links = gleaner.scrape(f"{site.url}/page", enable_javascript=False, format="links")
    page = gleaner.scrape(page_id=links.page_id)
    assert (links.markdown, links.links, links.media) == (None, [f"{site.url}/more"], None)
    assert (page.markdown is not None, page.links, page.media) == (True, None, None)


@pytest.mark.req("ME-1")
@pytest.mark.parametrize("path", ["/unnamed", "/report"])
def test_media_is_media_without_a_browser_too_even_when_too_large_for_a_page(
    gleaner: Gleaner, site: LoopbackServer, path: str
) -> None:
    result = gleaner.scrape(f"{site.url}{path}", enable_javascript=False)
    assert result.media is not None
    assert (result.media.screenshot_mime, result.media.size) == ("application/pdf", len(BODIES[path][1]))


@pytest.mark.req("SS-2")
def test_a_page_that_is_too_large_says_so(gleaner: Gleaner, site: LoopbackServer) -> None:
    result = gleaner.scrape(f"{site.url}/huge", enable_javascript=False)
    assert result.error is not None
    assert result.error.error_type == "page_too_large"
    assert "max_page_size" in result.error.message


@pytest.mark.req("PA-1")
def test_a_parser_that_nobody_knows_is_refused_by_name(gleaner: Gleaner, site: LoopbackServer) -> None:
    result = gleaner.scrape(f"{site.url}/page", enable_javascript=False, parser="recipes")
    assert result.error is not None
    assert result.error.error_type == "invalid_request"
    assert "'recipes'" in result.error.message
    assert Site.asked == []
    assert gleaner.scrape(f"{site.url}/page", enable_javascript=False, parser="default").status == "complete"


@pytest.mark.req("WF-1", "MD-1")
def test_a_feed_is_read_without_a_browser_whatever_was_asked(gleaner: Gleaner, site: LoopbackServer) -> None:
    result = gleaner.scrape(f"{site.url}/feed", extract_links=True)
    assert result.markdown == f"# Ferry\n\nlink\n:   [/f]({site.url}/f)"
    assert Site.asked == ["/feed", "/feed"]


@pytest.mark.req("ME-1", "MD-1", "WF-1")
@pytest.mark.parametrize("javascript", [True, False])
@pytest.mark.parametrize(
    ("path", "text"),
    [("/live", "larch.ts"), ("/stock", "| Lärche | 3 |"), ("/lines", "name\n:   Larch")],
)
def test_a_text_that_browsers_download_or_play_is_read_without_one(
    gleaner: Gleaner, site: LoopbackServer, path: str, text: str, javascript: bool
) -> None:
    result = gleaner.scrape(site.url + path, enable_javascript=javascript)
    assert result.status == "complete"
    assert text in str(result.markdown)


@pytest.mark.req("CM-1", "EX-6", "PR-1")
def test_a_row_of_typed_data_that_a_model_leaves_out_is_named(tmp_path: Path, site: LoopbackServer) -> None:
    schema = {"type": "array", "items": {"properties": {"name": {"type": "string"}, "price": {"type": "number"}}}}
    records = [
        {"name": "Larch jug", "price": 19.5},
        {"name": "Ash bowl", "price": 24},
        {"name": "Oak tray", "price": 35},
    ]
    model = FunctionModel(lambda prompt: json.dumps(records))
    with Gleaner(model, home=tmp_path / "home", allow_hosts=[site.host]) as gleaner:
        result = gleaner.scrape(f"{site.url}/jugs.csv", output_schema=schema, config={"tiers": ["model"]})
    assert result.extraction is not None and result.extraction.data == records
    assert result.status == "partial"
    assert [one.text for one in result.extraction.completeness.missing] == ["| AX3 | Elm cup | 8 |"]


@pytest.mark.req("RC-4", "MD-1")
@pytest.mark.parametrize("path", ["/jugs", "/jugs.csv"])
def test_typed_data_whose_names_are_the_schemas_needs_no_model(
    gleaner: Gleaner, site: LoopbackServer, path: str
) -> None:
    schema = {"type": "array", "items": {"properties": {"name": {"type": "string"}, "price": {"type": "number"}}}}
    result = gleaner.scrape(site.url + path, output_schema=schema)
    assert result.extraction is not None and isinstance(result.extraction.data, list)
    assert (result.status, result.extraction.tier) == ("complete", "structured")
    assert result.extraction.data[:2] == [{"name": "Larch jug", "price": 19.5}, {"name": "Ash bowl", "price": 24}]


@pytest.mark.req("MD-6")
def test_a_text_without_a_type_is_a_page_only_if_it_begins_like_one(gleaner: Gleaner, site: LoopbackServer) -> None:
    result = gleaner.scrape(f"{site.url}/notes", enable_javascript=False)
    assert "1 < 2\nLarch <b>jug</b>" in str(result.markdown)


@pytest.mark.req("BR-2", "WF-1")
def test_a_picture_of_data_is_left_to_the_browser(gleaner: Gleaner, site: LoopbackServer) -> None:
    request = {"url": f"{site.url}/feed", "format": "screenshot"}
    plan_scrape({"execution": "picture", "input": request}, gleaner.services)
    assert probe_media({"job": {"job_id": "picture", "tenant": "default"}}, gleaner.services) == {"kind": "page"}


@pytest.mark.req("ME-1")
def test_an_answer_without_a_page_is_a_failure_as_it_is_in_a_browser(gleaner: Gleaner, site: LoopbackServer) -> None:
    result = gleaner.scrape(f"{site.url}/nothing", enable_javascript=False)
    assert result.error is not None
    assert (result.error.error_type, result.error.message) == (
        "unsupported_content",
        f"{site.url}/nothing answered 204 No Content",
    )


@pytest.mark.req("ME-1", "CM-1")
def test_no_answer_without_the_whole_page_is_complete(gleaner: Gleaner, site: LoopbackServer) -> None:
    nowhere = gleaner.scrape(f"{site.url}/nowhere", enable_javascript=False)
    assert nowhere.error is not None
    assert nowhere.error.message == f"{site.url}/nowhere answered 302 Found"
    part = gleaner.scrape(f"{site.url}/part", enable_javascript=False)
    assert (part.status, part.warnings) == ("partial", [f"{site.url}/part was sent in part: 21 of 400 bytes"])
    assert "# Jugs" in str(part.markdown)
