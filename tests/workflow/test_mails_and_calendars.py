"""Mails, saved pages and calendars, by the whole way of a job without a browser."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner, ScrapeResult
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer

MAIL = b"""From: =?utf-8?q?J=C3=B6rn_Mill?= <joern@mill.example>\r
To: all@mill.example\r
Date: Mon, 1 Mar 2027 10:00:00 +0100\r
Subject: =?iso-8859-1?q?S=E4gen?= and prices\r
MIME-Version: 1.0\r
Content-Type: multipart/mixed; boundary="outer"\r
\r
--outer\r
Content-Type: multipart/alternative; boundary=inner\r
\r
--inner\r
Content-Type: text/plain\r
\r
The same as a text\r
--inner\r
Content-Type: text/html; charset=windows-1252\r
Content-Transfer-Encoding: quoted-printable\r
\r
<table><tr><th>saw<th>price</tr><tr><td>Gestells=E4ge<td>19,50 =80<tr><td>Fret saw<td>8,00 =80</ta=\r
ble>\r
--inner--\r
--outer\r
Content-Type: application/pdf; name="list.pdf"\r
Content-Disposition: attachment; filename="list.pdf"\r
Content-Transfer-Encoding: base64\r
\r
JVBERi0xLjQ=\r
--outer--\r
"""
SAVED = b"""From: <Saved by Blink>\r
Snapshot-Content-Location: https://mill.example/saws/\r
Subject: Saws\r
MIME-Version: 1.0\r
Content-Type: multipart/related; type="text/html"; boundary="--b--"\r
\r
----b--\r
Content-Type: text/html\r
Content-ID: <frame-1@mhtml.blink>\r
Content-Transfer-Encoding: quoted-printable\r
Content-Location: https://mill.example/saws/\r
\r
<!doctype html><html><head><title>Saws</title></head><body><h1>Saws</h1><p><a href=3D"rip">Rip saw</a> \r
<img src=3D"cid:pic@mill"></p><iframe src=3D"cid:frame-2@mhtml.blink"></iframe></body></html>\r
----b--\r
Content-Type: text/html\r
Content-ID: <frame-2@mhtml.blink>\r
\r
<p>In stock: 7\r
----b--\r
Content-Type: image/png\r
Content-ID: <pic@mill>\r
Content-Location: https://mill.example/img/rip%20saw.png\r
\r
x\r
----b----\r
"""
CALENDAR = b"""BEGIN:VCALENDAR\r
X-WR-CALNAME:Mill\r
BEGIN:VEVENT\r
SUMMARY:Open day\\, with tea\r
DTSTART;TZID=Europe/Berlin:20270301T190000\r
LOCATION:The old saw\r
  mill\r
END:VEVENT\r
BEGIN:VEVENT\r
SUMMARY:Talk\r
DTSTART:20270705T180000Z\r
LOCATION:Yard\r
END:VEVENT\r
END:VCALENDAR\r
"""
SEALED = b"From: a@mill.example\r\nContent-Type: application/pkcs7-mime; name=smime.p7m\r\n\r\nMIAGCS"
BODIES = {
    "/mail": ("message/rfc822", MAIL),
    "/mail.eml": ("application/octet-stream", MAIL),
    "/cut.eml": ("text/plain", MAIL[: MAIL.index(b"Fret saw")]),
    "/sealed": ("message/rfc822", SEALED),
    "/saved": ("multipart/related; boundary=other", SAVED),
    "/saved.mhtml": ("application/octet-stream", SAVED),
    "/dates": ("text/calendar; charset=utf-8", CALENDAR),
    "/dates.ics": ("application/octet-stream", CALENDAR),
}


class Site(LoopbackHandler):
    """Serves the bodies."""

    def do_GET(self) -> None:
        kind, body = BODIES.get(self.path, ("text/html", b""))
        self.answer(200 if self.path in BODIES else 404, kind, body)


Scrape = Callable[..., ScrapeResult[object]]


@pytest.fixture
def scrape(tmp_path: Path) -> Iterator[Scrape]:
    with LoopbackServer(Site) as server, Gleaner(home=tmp_path, allow_hosts=[server.host]) as gleaner:

        def scraped(path: str, **options: Any) -> ScrapeResult[object]:
            return gleaner.scrape(server.url + path, enable_javascript=False, **options)

        yield scraped


SAW = {"type": "object", "properties": {"saw": {"type": "string"}, "price": {"type": "string"}}}
EVENT = {
    "type": "object",
    "properties": {"summary": {"type": "string"}, "start": {"type": "string", "format": "date-time"}},
}


@pytest.mark.req("MD-1")
@pytest.mark.parametrize("path", ["/mail", "/mail.eml"])
def test_a_mail_is_read_as_a_page_with_its_head_and_its_attachments_are_named(scrape: Scrape, path: str) -> None:
    result = scrape(path)
    assert result.markdown is not None
    assert "From\n:   Jörn Mill \\<joern@mill.example>" in result.markdown
    assert "Subject\n:   Sägen and prices" in result.markdown
    assert "| Gestellsäge | 19,50 € |\n| Fret saw | 8,00 € |" in result.markdown
    assert "The same as a text" not in result.markdown
    assert (result.status, result.warnings) == (
        "complete",
        ["parts of the mail that were not read: list.pdf (application/pdf)"],
    )


@pytest.mark.req("MD-1", "PR-1")
def test_the_records_of_a_mail_are_proven_in_it(scrape: Scrape) -> None:
    result = scrape("/mail", output_schema={"type": "array", "items": SAW})
    assert result.data == [{"saw": "Gestellsäge", "price": "19,50 €"}, {"saw": "Fret saw", "price": "8,00 €"}]


@pytest.mark.req("MD-1")
def test_a_mail_that_ends_in_the_middle_is_partial(scrape: Scrape) -> None:
    result = scrape("/cut.eml")
    assert result.status == "partial"
    assert "Gestellsäge" in str(result.markdown)
    assert any("ends within a part of the mail" in warning for warning in result.warnings)


@pytest.mark.req("MD-1")
def test_a_mail_without_a_text_is_refused_and_says_of_what_it_is(scrape: Scrape) -> None:
    error = scrape("/sealed").error
    assert error is not None
    assert error.error_type == "unsupported_content"
    assert "smime.p7m (application/pkcs7-mime)" in error.message


@pytest.mark.req("MD-1", "MD-3")
@pytest.mark.parametrize("path", ["/saved", "/saved.mhtml"])
def test_a_saved_page_is_that_page_with_its_frames_at_the_address_that_it_had(scrape: Scrape, path: str) -> None:
    result = scrape(path, extract_links=True)
    assert result.markdown == "# Saws\n\n[Rip saw](https://mill.example/saws/rip) rip saw.png\n\nIn stock: 7"
    assert (result.status, result.warnings) == ("complete", [])


@pytest.mark.req("MD-1")
@pytest.mark.parametrize("path", ["/dates", "/dates.ics"])
def test_a_calendar_is_a_table_of_its_events(scrape: Scrape, path: str) -> None:
    result = scrape(path, output_schema={"type": "array", "items": EVENT})
    assert (result.status, result.data) == (
        "complete",
        [
            {"summary": "Open day, with tea", "start": "2027-03-01T19:00:00+01:00"},
            {"summary": "Talk", "start": "2027-07-05T18:00:00Z"},
        ],
    )
    assert "| Open day, with tea |" in str(scrape(path).markdown)
    assert "The old saw mill" in str(scrape(path).markdown)
