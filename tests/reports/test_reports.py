"""Reports, notebooks and workbooks: each value with its proof, both ways; nothing of a page is ever run (GT-2)."""

import io
import re
import zipfile
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.models import (
    Completeness,
    ExtractionError,
    ExtractionResult,
    MissingUnit,
    ProvenanceEntry,
    ScrapeResult,
    Withheld,
)
from gleaner.reports.document import report_html
from gleaner.reports.notebook import result_html
from gleaner.reports.page_text import Mark, marked_text
from gleaner.reports.workbook import workbook_of
from hypothesis import given
from hypothesis import strategies as st

pytestmark = pytest.mark.req("GT-2")

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</pre></style><svg onload=alert(1)>",
    "javascript:alert(1)",
    "' onmouseover='alert(1)",
    "<!-- -->&lt;&#x3c;\x00\x1b\ud800",
    '=HYPERLINK("http://e.example","x")',
    "@SUM(1+1)*cmd|' /C calc'!A0",
]


def result_of(words: str) -> tuple[ScrapeResult[Any], str]:
    """Give a result all of whose texts are these words, and the text of its page."""
    text = f"{words}\nprice 5\n{words}"
    place = {"start": 0, "end": len(words), "chunk": 0}
    proofs = [
        ProvenanceEntry(pointer="/0/name", status="verbatim", transform=words, **place),
        ProvenanceEntry(pointer="/0/price", status="normalized", start=len(words) + 1, end=len(words) + 8),
        ProvenanceEntry(pointer="/1/name", status="ungrounded", value=words, reason=words),
        ProvenanceEntry(pointer="/1/page", status="verbatim", source="snapshot", start=3, end=9),
    ]
    data = [
        {"name": words, words: words, "price": 5.5, "on": "2024-05-03"},
        {"name": None, "page": f"https://a.example/{words}"},
    ]
    missing = MissingUnit(unit=2, start=len(words) + 9, end=len(text), text=words)
    extraction = ExtractionResult(
        data=data,
        schema_used={"type": "array"},
        provenance=proofs,
        tier="model",
        warnings=[words],
        conflicts=[words],
        errors=[ExtractionError(error_type=ErrorType.MISSING_UNITS, message=words)],
        declined={"structured": words},
        completeness=Completeness(expected=3, returned=2, missing=[missing]),
    )
    result = ScrapeResult[Any](
        status="partial", job_id="j", url=words, source_url=words, title=words, extraction=extraction, warnings=[words]
    )
    return result, text


class Elements(HTMLParser):
    """Notes all elements of a document with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("words", HOSTILE)
@pytest.mark.parametrize("form", [report_html, lambda result, _: result_html(result)])
def test_nothing_of_a_page_is_markup_in_a_report_or_a_notebook(form: Callable[..., str], words: str) -> None:
    plain, hostile = (Elements(form(*result_of(one))).found for one in ("z" * len(words), words))
    assert len(plain) - 1 <= len(hostile) <= len(plain)  # what is no web address has no link to open
    assert {tag for tag, _ in hostile} == {tag for tag, _ in plain}
    assert {name for _, one in hostile for name in one} <= {name for _, one in plain for name in one}
    for tag, attributes in hostile:
        assert tag not in ("script", "iframe", "object", "img", "svg", "form", "link")
        assert not any(name.startswith("on") or name in ("src", "srcset", "background") for name in attributes)
        assert re.match(r"#|https?://", attributes.get("href") or "#")
    form(*result_of(words)).encode("utf-8")


def test_a_report_loads_and_runs_nothing_but_its_own_style() -> None:
    found = Elements(report_html(*result_of("Mug"))).found
    policy = next(one["content"] for tag, one in found if one.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert re.fullmatch(r"default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'", policy)


def test_a_proof_from_a_document_names_its_page() -> None:
    result, text = result_of("Mug")
    assert result.extraction is not None
    result.extraction.provenance[0].page = 3
    titles = [one.get("title") for _, one in Elements(report_html(result, text)).found]
    assert "word for word · “Mug”, page 3" in titles
    with zipfile.ZipFile(io.BytesIO(workbook_of(result, text))) as book:
        assert "<t>page 3</t>" in book.read("xl/sharedStrings.xml").decode()


def test_a_value_leads_to_its_place_and_the_place_back_to_the_value() -> None:
    html = report_html(*result_of("Mug"))
    (value, place), (back, words) = (
        re.findall(r'<td id="(v0)" class="verbatim"[^>]*><a href="#(p\d+)">Mug</a>', html)[0],
        re.findall(r'<i id="p0"></i><a class="verbatim" href="#(v\d+)"[^>]*>(\w+)</a>', html)[0],
    )
    assert (place, back, words) == ("p0", value, "Mug")
    assert '<li id="m0"><a href="#p2">Mug</a></li>' in html
    assert 'class="missing" href="#m0"' in html
    assert "<del>Mug</del>" in html


def test_what_speaks_against_a_value_stands_beside_it() -> None:
    result, text = result_of("Mug")
    assert result.extraction is not None
    proof = result.extraction.provenance[0]
    object.__setattr__(
        proof, "__dict__", {**proof.__dict__, "doubt": "the label is another one", "rival": {"value": 7}}
    )
    html = report_html(result, text)
    assert "<small>the label is another one</small><small>the page also says 7</small>" in html
    assert "the label is another one · the page also says 7" in result_html(result)


def test_what_was_withheld_is_told_once_and_in_words_in_all_three() -> None:
    result, text = result_of("Mug")
    assert result.extraction is not None
    item = {"name": "Bench", "price": 455.0, "on": None}
    result.extraction.withheld.append(Withheld(item=item, pointer="/-/on", reason="not found on the page"))
    result.extraction.warnings.append('Withheld {"name":"Bench"}: /-/on: not found on the page')
    result.extraction.errors.append(ExtractionError(error_type=ErrorType.UNGROUNDED, message="1 item withheld"))
    with zipfile.ZipFile(io.BytesIO(workbook_of(result, text))) as book:
        about = "".join(book.read(name).decode() for name in book.namelist() if name.endswith(".xml"))
    for told in (report_html(result, text), result_html(result), about):
        assert told.count("name: Bench · price: 455 (on: not found on the page)") == 1
        assert "1 item withheld" not in told
        assert "Withheld {" not in told


@given(st.text("ab<\n", max_size=40), st.lists(st.tuples(st.integers(-2, 42), st.integers(-2, 42)), max_size=12))
def test_marks_leave_the_text_as_it_is(text: str, spans: list[tuple[int, int]]) -> None:
    html, places = marked_text(text, [Mark(start, end, "verbatim", "v") for start, end in spans])
    read = re.sub(r"<[ia/][^>]*>", "", html).replace("&lt;", "<")
    assert read == text
    assert set(places) == {span for span in spans if 0 <= span[0] < span[1] <= len(text)}
    assert all(f'<i id="{place}">' in html for place in places.values())


@pytest.mark.parametrize("words", HOSTILE)
def test_a_workbook_has_types_links_and_proofs_and_no_formula(words: str) -> None:
    result, text = result_of(words)
    with zipfile.ZipFile(io.BytesIO(workbook_of(result, text))) as book:
        sheets = {name: book.read(name).decode() for name in book.namelist() if name.endswith(".xml")}
    records, proofs, about = (sheets[f"xl/worksheets/sheet{number}.xml"] for number in (1, 2, 3))
    assert all("<f>" not in sheet for sheet in (records, proofs, about))
    assert "<v>5.5</v>" in records
    assert "<v>45415</v>" in records  # 3 May 2024 as Excel counts days
    assert proofs.count("<row ") == 5
    assert sheets["xl/workbook.xml"].count("<sheet ") == 3


def test_a_notebook_shows_a_result_of_the_library(tmp_path: Path) -> None:
    rows = "".join(f"<tr><td>Lamp {at}<td>{at}.50</tr>" for at in range(9))
    record = {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "number"}}}
    with Gleaner("none", tmp_path) as gleaner:
        html = f"<table><tr><th>Name<th>Price</tr>{rows}</table>"
        result = gleaner.extract_html(html, "https://a.example/", output_schema={"type": "array", "items": record})
        report, workbook = gleaner.report(result), gleaner.workbook(result)
    assert "word for word" in result._repr_html_()
    assert "Records 9 of 9" in result._repr_html_()
    assert report.count('class="verbatim" href=') == report.count('class="normalized" href=') == 9
    assert workbook.startswith(b"PK")
