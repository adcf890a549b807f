"""A report of one file: records, what is missing, and the page's text with each proof marked, both ways.

It works offline and holds no script: values and places are linked by anchors. What is of the page is escaped text; a
content security policy lets nothing be loaded or run should that ever fail (SS-1).
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from gleaner.contracts.models import ExtractionResult, ScrapeResult
from gleaner.reports.page_text import Mark, marked_text, shown
from gleaner.reports.values import (
    STATUS_WORDS,
    ShownTable,
    ShownValue,
    doubts_of,
    excerpt_of,
    facts_of,
    notices_of,
    place_of,
    quote_of,
    tables_of,
    web_address,
)

_LONGEST_QUOTE = 200
_STYLE = (Path(__file__).parent / "report.css").read_text("utf-8")
_DIGEST = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{_DIGEST}'; base-uri 'none'; form-action 'none'"
"""The content security policy of a report: nothing but its own style."""
STATES = {"complete": "Complete", "partial": "Partial", "failed": "Failed"}


def report_html(result: ScrapeResult[Any], text: str = "") -> str:
    """Give a result as an HTML page of its own. ``text`` is the Markdown that its provenance points into."""
    extraction = result.extraction
    tables = tables_of(extraction) if extraction is not None else []
    ids = {value.pointer: f"v{at}" for at, value in enumerate(_values(tables))}
    marked, places = marked_text(text, _marks(extraction, tables, ids))
    title = shown(result.title or result.source_url or result.url or "Result")
    body = [
        *_head(result, title),
        '<main><section class="records" aria-label="Records">',
        *_notices(result),
        *_missing(extraction, places),
        *_answer(extraction),
        *(line for table in tables for line in _table(table, ids, places, text)),
        "</section>",
        *(
            [f'<section class="page" aria-label="Text of the page"><h2>The page</h2><pre>{marked}</pre></section>']
            if text
            else []
        ),
        "</main>",
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f'<meta name="color-scheme" content="light dark"><title>{title}</title><style>{_STYLE}</style></head>\n<body>'
        + "\n".join(body)
        + "</body></html>\n"
    )


def _values(tables: Iterable[ShownTable]) -> Iterator[ShownValue]:
    return (value for table in tables for row in table.rows for value in row)


def _marks(extraction: ExtractionResult | None, tables: Iterable[ShownTable], ids: dict[str, str]) -> Iterator[Mark]:
    if extraction is None:
        return
    for passage in extraction.passages:
        yield Mark(passage.start, passage.end, "passage", "answer", "a passage that supports the answer")
    for at, unit in enumerate(extraction.completeness.missing):
        if unit.start is not None and unit.end is not None:
            yield Mark(unit.start, unit.end, "missing", f"m{at}", "a record that is missing from the answer")
    for value in _values(tables):
        for proof in value.proofs:
            is_here = proof.source == "markdown" and proof.status != "ungrounded"
            if is_here and proof.start is not None and proof.end is not None:
                yield Mark(proof.start, proof.end, proof.status, ids[value.pointer], f"{proof.pointer}: {value.words}")


def _head(result: ScrapeResult[Any], title: str) -> Iterator[str]:
    address = web_address(result.source_url or result.url)
    yield f'<header><h1>{title}</h1><p class="chip {result.status}">{STATES[result.status]}</p>'
    yield (
        "<dl>"
        + "".join(f"<div><dt>{name}</dt><dd>{shown(fact)}</dd></div>" for name, fact in facts_of(result))
        + "</dl>"
    )
    if address:
        yield f'<p class="address"><a href="{shown(address)}" rel="noopener noreferrer">{shown(address)}</a></p>'
    yield "</header>"


def _notices(result: ScrapeResult[Any]) -> Iterator[str]:
    for title, lines in notices_of(result):
        kind = "bad" if title == "Errors" else "mild"
        yield f'<div class="notice {kind}"><h2>{title}</h2><ul>'
        yield "".join(f"<li>{shown(line)}</li>" for line in lines) + "</ul></div>"


def _missing(extraction: ExtractionResult | None, places: Any) -> Iterator[str]:
    missing = extraction.completeness.missing if extraction is not None else []
    if not missing:
        return
    yield f'<div class="notice bad"><h2>{len(missing)} missing record{"" if len(missing) == 1 else "s"}</h2><ul>'
    for at, unit in enumerate(missing):
        said = shown(excerpt_of(unit.text)[:_LONGEST_QUOTE] or f"unit {unit.unit + 1}")
        place = places.get((unit.start, unit.end))
        yield f'<li id="m{at}">' + (f'<a href="#{place}">{said}</a>' if place else said) + "</li>"
    yield "</ul></div>"


def _answer(extraction: ExtractionResult | None) -> Iterator[str]:
    if extraction is not None and isinstance(extraction.data, str):
        yield f'<h2>Answer</h2><p class="answer" id="answer">{shown(extraction.data)}</p>'


def _table(table: ShownTable, ids: dict[str, str], places: Any, text: str) -> Iterator[str]:
    yield f'<h2>{table.title}</h2><div class="scroll"><table><thead><tr><th scope="col">#</th>'
    yield "".join(f'<th scope="col">{shown(name)}</th>' for name in table.columns) + "</tr></thead><tbody>"
    for number, row in enumerate(table.rows, start=1):
        cells = (_cell(value, ids[value.pointer], places, text) for value in row)
        yield f'<tr><th scope="row">{number}</th>{"".join(cells)}</tr>'
    yield "</tbody></table></div>"


def _cell(value: ShownValue, own_id: str, places: Any, text: str) -> str:
    status = value.status
    place = next((found for proof in value.proofs if (found := places.get((proof.start, proof.end)))), None)
    quotes = dict.fromkeys(
        f" · “{quote[:_LONGEST_QUOTE]}”" + (f", {place_of(proof)}" if proof.page else "")
        for proof in value.proofs
        if (quote := quote_of(proof, text))
    )
    said = STATUS_WORDS[status] + "".join(list(quotes)[:3])
    words = shown(value.words)
    if value.is_gone:
        inner = f"<del>{words}</del>"
    elif place is not None:
        inner = f'<a href="#{place}">{words or "(empty)"}</a>'
    else:
        inner = words
    address = web_address(value.value)
    opens = f' <a class="open" href="{shown(address)}" rel="noopener noreferrer">open</a>' if address else ""
    doubts = "".join(f"<small>{shown(line)}</small>" for proof in value.proofs for line in doubts_of(proof))
    kind = status if value.words else "none"
    return f'<td id="{own_id}" class="{kind}" title="{shown(said if value.words else "")}">{inner}{opens}{doubts}</td>'
