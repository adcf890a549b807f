"""PDFs over the whole state machine: Markdown, records with proof, and clear answers (DO-1)."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner, ModelAnswer, ModelRequest
from gleaner.cli import run
from gleaner.contracts.errors import LockedDocument, PageTooLarge, UnsupportedContent
from gleaner.contracts.models import ScrapeResult
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer

from tests.documents import made

pytestmark = pytest.mark.req("DO-1")

Make = Callable[..., Gleaner]
FILES = {name: make() for name, make in made.MADE.items()}
FILES["broken"] = b"%PDF-1.7\n" + b"x" * 2_000
FILES["log"] = made.plain_pages(5)


class _Handler(LoopbackHandler):
    def do_GET(self) -> None:
        if self.path.startswith("/saved/"):
            self.answer(200, "text/csv", b"stop,tram\nPier,5\nMill,9\n", {"Content-Disposition": "attachment"})
            return
        path, _, kind = self.path.strip("/").partition("?")
        self.answer(200, kind or "application/pdf", FILES[path.partition(".")[0]])


@pytest.fixture(scope="module")
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer(_Handler) as running:
        yield running


def scraped(make: Make, server: LoopbackServer, name: str, model: Any = None, **request: Any) -> ScrapeResult[Any]:
    settings = {name: request.pop(name) for name in ("max_document_pages", "max_media_size") if name in request}
    return make(model, allow_hosts=[server.host], **settings).scrape(f"{server.url}/{name}.pdf", **request)


def list_of(**fields: str) -> dict[str, Any]:
    item = {"type": "object", "properties": {name: {"type": kind} for name, kind in fields.items()}}
    return {"type": "array", "items": item}


def check_proof(result: ScrapeResult[Any]) -> None:
    assert result.extraction is not None
    assert result.markdown is not None
    assert result.extraction.provenance
    for entry in result.extraction.provenance:
        assert entry.status in ("verbatim", "normalized"), entry
        assert entry.start is not None
        assert result.markdown[entry.start : entry.end].strip()


def test_a_document_becomes_markdown_where_that_is_asked_for(make: Make, server: LoopbackServer) -> None:
    result = scraped(make, server, "manual", documents=True)
    assert (result.status, result.format, result.media) == ("complete", "markdown", None)
    assert (result.title, (result.markdown or "").splitlines()[0]) == (
        *("Care of wooden boards",),
        "# Care of wooden boards",
    )


def test_a_document_is_handed_on_as_a_file_where_nothing_is_asked_of_its_text(
    make: Make, server: LoopbackServer
) -> None:
    for request in ({}, {"format": "links"}, {"documents": True, "format": "screenshot"}):
        result = scraped(make, server, "manual", **request)
        assert (result.status, result.format) == ("complete", "media")


@pytest.mark.req("ME-1", "ME-2")
@pytest.mark.parametrize("kind", ["application/octet-stream", "application/force-download", "application/zip"])
def test_a_document_is_told_by_its_bytes(make: Make, server: LoopbackServer, kind: str) -> None:
    gleaner = make(allow_hosts=[server.host])
    for javascript in (True, False):
        read = gleaner.scrape(f"{server.url}/manual?{kind}", documents=True, enable_javascript=javascript)
        assert (read.title, read.status) == ("Care of wooden boards", "complete")
    handed = gleaner.scrape(f"{server.url}/manual?{kind}", enable_javascript=False)
    assert handed.media is not None
    assert handed.media.screenshot_mime == "application/pdf"


@pytest.mark.req("ME-1", "RC-4")
@pytest.mark.parametrize("javascript", [True, False])
def test_a_table_that_is_sent_to_be_saved_is_read_where_records_are_asked_for(
    make: Make, server: LoopbackServer, javascript: bool
) -> None:
    gleaner, url = make(allow_hosts=[server.host]), f"{server.url}/saved/trams.csv"
    assert gleaner.scrape(url, enable_javascript=javascript).format == "media"
    read = gleaner.scrape(url, output_schema=list_of(stop="string", tram="integer"), enable_javascript=javascript)
    assert read.data == [{"stop": "Pier", "tram": 5}, {"stop": "Mill", "tram": 9}]


def test_the_links_of_a_document_are_listed(make: Make, server: LoopbackServer) -> None:
    result = scraped(make, server, "manual", documents=True, format="links")
    assert result.links == ["https://harbour-timber.example/care"]


def test_the_records_of_a_price_list_over_pages_need_no_model_and_are_proven(
    make: Make, server: LoopbackServer
) -> None:
    schema = list_of(code="string", article="string", unit="string", price="number")
    result = scraped(make, server, "price-list", output_schema=schema)
    truth = [
        {"code": code, "article": article, "unit": unit, "price": float(price.replace(",", ""))}
        for code, article, unit, price in made.price_rows()
    ]
    assert result.extraction is not None
    assert (result.status, result.extraction.tier, result.extraction.data) == ("complete", "structured", truth)
    assert (result.extraction.completeness.expected, result.extraction.completeness.returned) == (96, 96)
    check_proof(result)
    pages = {entry.pointer.split("/")[1]: entry.page for entry in result.extraction.provenance}
    assert list(pages.values()) == [1] * 32 + [2] * 32 + [3] * 32


@pytest.mark.req("DO-2")
def test_a_proof_has_the_number_of_its_page_where_there_is_one_alone(make: Make, server: LoopbackServer) -> None:
    result = scraped(make, server, "invoice", Scribe(TRUE_INVOICE), output_schema=INVOICE)
    assert result.extraction is not None
    assert {entry.page for entry in result.extraction.provenance} == {1}


def test_the_records_of_a_timetable_are_proven(make: Make, server: LoopbackServer) -> None:
    schema = list_of(stop="string", tram_1="string", tram_3="string", tram_5="string")
    result = scraped(make, server, "timetable", output_schema=schema)
    assert result.extraction is not None
    found = [(row["stop"], row["tram_1"], row["tram_5"]) for row in result.extraction.data]
    assert found == [(row[0], row[1], row[5]) for row in made.departures()]
    assert [row.get("tram_3") for row in result.extraction.data][1:4] == ["08:15", None, None]


INVOICE = {
    "type": "object",
    "properties": {
        "number": {"type": "string"}, "date": {"type": "string", "format": "date"}, "total": {"type": "number"},
        "lines": {"type": "array", "items": {"type": "object", "properties": {
            "description": {"type": "string"}, "quantity": {"type": "integer"}, "amount": {"type": "number"}}}},
    },
}  # fmt: skip
TRUE_INVOICE = {
    "number": "HT-2026-0117", "date": "2026-03-12", "total": 396.0,
    "lines": [{"description": what, "quantity": int(count), "amount": float(amount)}
              for what, count, _, amount in made.INVOICE_LINES],
}  # fmt: skip


class Scribe:
    """A model that gives one answer."""

    def __init__(self, answer: Any) -> None:
        self.answer_text, self.prompts = json.dumps(answer), list[str]()

    def answer(self, request: ModelRequest) -> ModelAnswer:
        self.prompts.append(request.prompt)
        return ModelAnswer(self.answer_text, 1_000, 100, "end")


def test_an_invoice_is_proven_value_by_value(make: Make, server: LoopbackServer) -> None:
    result = scraped(make, server, "invoice", Scribe(TRUE_INVOICE), output_schema=INVOICE)
    assert result.extraction is not None
    assert (result.status, result.extraction.data) == ("complete", TRUE_INVOICE)
    check_proof(result)


def test_a_value_that_the_document_does_not_hold_is_refused(make: Make, server: LoopbackServer) -> None:
    result = scraped(make, server, "invoice", Scribe({**TRUE_INVOICE, "number": "HT-2026-0118"}), output_schema=INVOICE)
    assert result.extraction is not None
    assert result.extraction.data.get("number") is None
    refused = [entry for entry in result.extraction.provenance if entry.status == "ungrounded"]
    assert [(entry.pointer, entry.value) for entry in refused] == [("/number", "HT-2026-0118")]


@pytest.mark.parametrize(
    ("name", "error_type", "said"),
    [
        ("protected", "locked_document", "is protected by a password"),
        ("broken", "damaged_document", "is damaged or no PDF"),
        ("scan", "no_text_layer", "is a scan: its 2 pages hold pictures and no text"),
    ],
)
def test_what_can_not_be_read_ends_in_a_clear_error(
    make: Make, server: LoopbackServer, name: str, error_type: str, said: str
) -> None:
    result = scraped(make, server, name, documents=True)
    assert result.error is not None
    assert (result.status, result.error.error_type) == ("failed", error_type)
    assert f"/{name}.pdf {said}" in result.error.message


@pytest.mark.req("SS-2")
def test_a_document_over_a_limit_is_partial_or_refused(make: Make, server: LoopbackServer) -> None:
    cut = scraped(make, server, "log", documents=True, max_document_pages=2)
    assert cut.status == "partial"
    assert any("2 of 5 pages were read" in warning for warning in cut.warnings)
    refused = scraped(make, server, "log", documents=True, max_media_size=1_000)
    assert refused.error is not None
    assert refused.error.error_type == "media_too_large"


def test_a_part_of_a_document_makes_its_records_partial(make: Make, server: LoopbackServer) -> None:
    schema = list_of(code="string", price="number")
    result = scraped(make, server, "price-list", output_schema=schema, max_document_pages=2)
    assert result.extraction is not None
    assert (result.status, len(result.extraction.data)) == ("partial", 64)
    assert [error.message for error in result.extraction.errors] == [
        "2 of 3 pages were read: 2 pages are the limit (max_document_pages)"
    ]


@pytest.mark.req("CL-1")
def test_the_command_reads_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("manual", "protected"):
        (tmp_path / f"{name}.pdf").write_bytes(FILES[name])
    written = tmp_path / "manual.md"
    assert run(["scrape", str(tmp_path / "manual.pdf"), "--home", str(tmp_path / "home"), "-o", str(written)]) == 0
    assert written.read_text("utf-8").startswith("# Care of wooden boards")
    assert run(["scrape", str(tmp_path / "protected.pdf"), "--home", str(tmp_path / "home")]) == 69
    assert "protected by a password" in capsys.readouterr().err


@pytest.mark.req("CL-1")
def test_the_command_says_which_file_it_cannot_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unnamed, packed = tmp_path / "manual", tmp_path / "jugs.xlsx"
    unnamed.write_bytes(FILES["manual"])
    packed.write_bytes(b"PK\x03\x04 a workbook")
    assert run(["scrape", str(unnamed), "--home", str(tmp_path / "home")]) == 0
    assert run(["scrape", str(packed), "--home", str(tmp_path / "home")]) == UnsupportedContent.exit_code
    said = capsys.readouterr().err
    assert "jugs.xlsx is" in said
    assert "of files, PDFs and texts are read" in said
    for name in ("gone.pdf", f"{tmp_path}/gone.PDF"):
        assert run(["scrape", name, "--home", str(tmp_path / "home")]) == 2
        assert f"there is no file {name}" in capsys.readouterr().err


def test_a_document_at_hand_is_read_from_its_bytes_or_its_file(make: Make, tmp_path: Path) -> None:
    gleaner, schema = make(), list_of(stop="string", tram_1="string")
    from_bytes = gleaner.extract_document(FILES["timetable"], "https://trams.example/7.pdf", output_schema=schema)
    file = tmp_path / "tram 7.pdf"
    file.write_bytes(FILES["timetable"])
    from_file = gleaner.extract_document(file, output_schema=schema)
    assert (from_bytes.status, from_bytes.url) == ("complete", "https://trams.example/7.pdf")
    assert len(from_bytes.data) == len(made.STATIONS)
    assert from_file.data == from_bytes.data
    with pytest.raises(LockedDocument, match="protected by a password"):
        gleaner.extract_document(FILES["protected"])


MAIL = b"From: potter@jugs.example\r\nSubject: Order 17\r\nContent-Type: text/html\r\n\r\n<p>Total: 12.50 EUR</p>\r\n"


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("jugs.html", '<meta charset="latin-1"><h1>Krüge</h1><p>Of clay.'.encode("latin-1"), "# Krüge\n\nOf clay."),
        ("jugs.csv", b"name,price\nJug,3\nMug,2\n", "| Jug | 3 |"),
        ("jugs.json", b'[{"name": "Jug"}, {"name": "Mug"}]', "name"),
        ("jugs.xml", b"<jugs><jug><name>Jug</name></jug><jug><name>Mug</name></jug></jugs>", "Mug"),
        ("order.eml", MAIL, "Order 17"),
        ("notes.txt", b"A jug of clay.", "A jug of clay."),
    ],
)
def test_a_file_at_hand_is_read_as_if_a_server_sent_it(
    name: str, body: bytes, said: str, make: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / name
    file.write_bytes(body)
    assert said in (make().extract_document(file).markdown or "")
    assert said in (make().extract_document(body, f"https://jugs.example/{name}").markdown or "")
    assert run(["scrape", str(file), "--home", str(tmp_path / "home")]) == 0
    assert said in capsys.readouterr().out


def test_a_file_at_hand_that_is_no_page_is_named(make: Make) -> None:
    gleaner = make(max_page_size=1_000)
    for body, why in ((b"\x89PNG\r\n\x1a\n\0\0", "image/png"), (b" \n", "is empty"), (b"\0\1\2", "of no known type")):
        with pytest.raises(UnsupportedContent, match=why):
            gleaner.extract_document(body)
    with pytest.raises(PageTooLarge, match="1,003 bytes; max_page_size is 1,000"):
        gleaner.extract_document(b"<p>" + b"a" * 1_000)
