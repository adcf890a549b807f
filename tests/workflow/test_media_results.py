"""Media over the state machine: handed on whatever was asked, stored always, inline only within the limit (ME-2)."""

import base64
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from gleaner import Gleaner
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer

Make = Callable[..., Gleaner]
PDF = b"%PDF-1.7\n" + b"x" * 1_500


class _Handler(LoopbackHandler):
    def do_GET(self) -> None:
        self.answer(200, "image/png" if self.path.endswith(".png") else "application/pdf", PDF)


@pytest.fixture(scope="module")
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer(_Handler) as running:
        yield running


def media_of(make: Make, server: LoopbackServer, request: dict[str, Any], **settings: Any) -> Any:
    gleaner = make(allow_hosts=[server.host], **settings)
    result = gleaner.scrape(f"{server.url}/plans/house.pdf", **request)
    assert (result.status, result.format) == ("complete", "media"), result.error
    assert result.media is not None
    stored = Path(unquote(urlsplit(result.media.url).path)).read_bytes()
    assert stored == gleaner.services.blobs.read(result.media.key) == PDF
    assert result.media.key == f"media/default/{result.page_id}/house.pdf"
    assert (result.media.size, result.media.filename) == (len(PDF), "house.pdf")
    return result.media


@pytest.mark.req("ME-2", "WF-1")
@pytest.mark.parametrize("request_", [{}, {"format": "links"}, {"format": "screenshot"}, {"enable_javascript": False}])
def test_media_is_handed_on_and_stored_whatever_was_asked(
    make: Make, server: LoopbackServer, request_: dict[str, Any]
) -> None:
    media = media_of(make, server, request_)
    assert media.screenshot_mime == "application/pdf"
    assert media.screenshot_base64 == "data:application/pdf;base64," + base64.b64encode(PDF).decode()


@pytest.mark.req("ME-2")
def test_media_has_the_names_that_callers_know_it_by(make: Make, server: LoopbackServer) -> None:
    result = make(allow_hosts=[server.host], max_inline_media=len(PDF)).scrape(f"{server.url}/plans/house.pdf")
    told = result.to_json()
    assert (told["format"], told["media"]["format"], told["media"]["screenshotMime"]) == (
        *("media", "media"),
        "application/pdf",
    )
    assert told["media"]["screenshotBase64"].startswith("data:application/pdf;base64,")


@pytest.mark.req("ME-2", "CM-1")
def test_media_in_place_of_a_page_with_records_is_handed_on_and_no_complete_answer(
    make: Make, server: LoopbackServer
) -> None:
    result = make(allow_hosts=[server.host]).scrape(f"{server.url}/plans/house.png", output_schema={"type": "array"})
    assert result.media is not None
    assert result.extraction is not None
    assert (result.status, result.extraction.is_partial, result.extraction.data) == ("partial", True, None)
    assert [(error.error_type, error.message.partition(" is ")[2]) for error in result.extraction.errors] == [
        ("unsupported_content", "a file of type image/png, not a page: nothing was extracted")
    ]


@pytest.mark.req("ME-2")
def test_media_over_the_inline_limit_is_stored_all_the_same(make: Make, server: LoopbackServer) -> None:
    assert media_of(make, server, {}, max_inline_media=len(PDF) - 1).screenshot_base64 is None


@pytest.mark.req("ME-2", "SS-2")
def test_media_over_the_size_limit_is_a_clear_error(make: Make, server: LoopbackServer) -> None:
    result = make(allow_hosts=[server.host], max_media_size=1_000).scrape(f"{server.url}/plans/house.pdf")
    assert result.status == "failed"
    assert result.error is not None
    assert (result.error.error_type, "max_media_size" in result.error.message) == ("media_too_large", True)


PACKED = b"PK\x03\x04\x14\x00\x00\x00\x00\x00" + b"a.txthello hello " * 200


class _OfficeHandler(LoopbackHandler):
    def do_GET(self) -> None:
        body = b"{\\rtf1\\ansi Larch jug}" if "rtf" in self.path else b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 99
        self.answer(200, "text/rtf" if "rtf" in self.path else "application/msword", body)


@pytest.mark.req("ME-1")
def test_files_of_office_programs_are_refused_by_their_names(make: Make) -> None:
    with LoopbackServer(_OfficeHandler) as server:
        gleaner = make(allow_hosts=[server.host])
        for path, kind in (("/a.rtf", "RTF"), ("/a.doc", "an Office file of before 2007")):
            error = gleaner.scrape(server.url + path, documents=True).error
            assert error is not None
            assert (error.error_type, f"its bytes are {kind}; of files, PDFs and texts are read" in error.message) == (
                "unsupported_content",
                True,
            )


class _MistakenHandler(LoopbackHandler):
    def do_GET(self) -> None:
        body = PACKED if self.path.startswith("/zip") else b"\r\n\n" + PDF
        self.answer(200, "text/html; charset=utf-8" if self.path.endswith("html") else "text/plain", body)


@pytest.mark.req("ME-1", "ME-2")
@pytest.mark.parametrize("javascript", [True, False])
@pytest.mark.parametrize("kind", ["html", "plain"])
def test_the_bytes_of_a_file_that_a_server_calls_a_text_are_no_page(make: Make, kind: str, javascript: bool) -> None:
    with LoopbackServer(_MistakenHandler) as server:
        gleaner = make(allow_hosts=[server.host])
        packed = gleaner.scrape(f"{server.url}/zip/{kind}", enable_javascript=javascript)
        document = gleaner.scrape(f"{server.url}/pdf/{kind}", enable_javascript=javascript)
    assert (packed.status, document.format) == ("failed", "media")
    assert packed.error is not None
    assert "its bytes are ZIP" in packed.error.message
