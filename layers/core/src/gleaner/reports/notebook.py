"""A result in a notebook's cell: records, status and what is missing; the proof of a value shows on hover.

Jupyter and Colab put this into a page of theirs: so there is no script, no style that reaches beyond it, nothing is
loaded, and all that is of the page is escaped.
"""

from collections.abc import Iterator
from typing import Any

from gleaner.contracts.models import ScrapeResult
from gleaner.reports.page_text import shown
from gleaner.reports.values import (
    STATUS_WORDS,
    ShownTable,
    ShownValue,
    doubts_of,
    excerpt_of,
    facts_of,
    notices_of,
    quote_of,
    tables_of,
)

_MOST_ROWS, _MOST_COLUMNS, _MOST_LINES = 50, 20, 8
_LONGEST_CELL, _LONGEST_TEXT = 120, 2_000
_CELL = "text-align:left;vertical-align:top;padding:2px 8px;max-width:24em;overflow-wrap:anywhere"
_LOOKS = {
    "verbatim": "border-bottom:2px solid #3d8b4b",
    "normalized": "border-bottom:2px solid #4a90b8",
    "inferred": "border-bottom:2px dotted #b8860b",
    "ungrounded": "color:#c0392b",
}


def result_html(result: ScrapeResult[Any]) -> str:
    """Give a result as HTML that stands in another page."""
    extraction = result.extraction
    facts = " · ".join(f"{name} {fact}" for name, fact in facts_of(result))
    title = shown((result.title or result.source_url or result.url or result.job_id)[:_LONGEST_TEXT])
    lines = [f"<p><strong>{result.status}</strong> · {title}{f' · {shown(facts)}' if facts else ''}</p>"]
    lines += _notices(result)
    if extraction is not None:
        text = result.markdown or ""
        lines += (line for table in tables_of(extraction) for line in _table(table, text))
    plain = extraction.data if extraction is not None else result.markdown
    if isinstance(plain, str):
        more = "…" if len(plain) > _LONGEST_TEXT else ""
        lines.append(f'<pre style="white-space:pre-wrap">{shown(plain[:_LONGEST_TEXT])}{more}</pre>')
    return '<div class="gleaner-result" style="overflow-x:auto">' + "".join(lines) + "</div>"


def _notices(result: ScrapeResult[Any]) -> Iterator[str]:
    missing = result.extraction.completeness.missing if result.extraction is not None else []
    told = [
        *([("Missing records", [excerpt_of(unit.text) for unit in missing])] if missing else []),
        *notices_of(result),
    ]
    for title, lines in told:
        listed = "".join(f"<li>{shown(' '.join(line.split())[:_LONGEST_TEXT])}</li>" for line in lines[:_MOST_LINES])
        more = f"<li>and {len(lines) - _MOST_LINES} more</li>" if len(lines) > _MOST_LINES else ""
        yield f"<details><summary>{title}: {len(lines)}</summary><ul>{listed}{more}</ul></details>"


def _table(table: ShownTable, text: str) -> Iterator[str]:
    names = "".join(f'<th style="{_CELL}">{shown(name)}</th>' for name in table.columns[:_MOST_COLUMNS])
    yield f'<table><thead><tr><th style="{_CELL}">#</th>{names}</tr></thead><tbody>'
    for number, row in enumerate(table.rows[:_MOST_ROWS], start=1):
        cells = "".join(_cell(value, text) for value in row[:_MOST_COLUMNS])
        yield f'<tr><th style="{_CELL}">{number}</th>{cells}</tr>'
    yield "</tbody></table>"
    left = [
        *([f"{len(table.rows) - _MOST_ROWS} more rows"] if len(table.rows) > _MOST_ROWS else []),
        *([f"{len(table.columns) - _MOST_COLUMNS} more columns"] if len(table.columns) > _MOST_COLUMNS else []),
    ]
    if left:
        yield f"<p>and {', '.join(left)}</p>"


def _cell(value: ShownValue, text: str) -> str:
    words = value.words
    if not words:
        return f'<td style="{_CELL}"></td>'
    quotes = dict.fromkeys(quote for proof in value.proofs if (quote := quote_of(proof, text)))
    doubts = [line for proof in value.proofs for line in doubts_of(proof)]
    quoted = [f"“{' '.join(quote.split())[:_LONGEST_CELL]}”" for quote in list(quotes)[:_MOST_LINES]]
    told = " · ".join([STATUS_WORDS[value.status], *quoted, *doubts[:_MOST_LINES]])
    cut = shown(words[:_LONGEST_CELL]) + ("…" if len(words) > _LONGEST_CELL else "")
    inner = f"<del>{cut}</del>" if value.is_gone else cut
    mark = " ⚠" if doubts else ""
    look = _LOOKS.get(value.status, "")
    return f'<td style="{_CELL}" title="{shown(told)}"><span style="{look}">{inner}</span>{mark}</td>'
