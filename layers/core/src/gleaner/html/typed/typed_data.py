"""Turn CSV, TSV, JSON, JSON lines, calendars, cards and Markdown into a page: a table, or one article per record.

Shown as it is typed, "Jug,19.5,3" may say 19.5 or 3, and no line of it is a piece that could be missed.
"""

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from html import escape
from itertools import groupby, pairwise
from typing import Any
from urllib.parse import urlsplit

from gleaner.contracts.text_types import essence_of, is_text
from gleaner.contracts.word_lists import listed
from gleaner.html.typed.content_lines import records_of
from gleaner.html.typed.next_page import NEXT_CONTROL, head_of, next_by_body, next_by_header

_SIGNS = {"csv": ",;\t|", "tsv": "\t"}
_LINES = frozenset({"jsonl", "ndjson"})
_CONTENT_LINES = frozenset({"ics", "ical", "ifb", "vcs", "vcf", "vcard"})
MAILS = frozenset({"eml", "mht", "mhtml"})
_NAMES = _SIGNS.keys() | _LINES | _CONTENT_LINES | MAILS | {"json"}
_KINDS = {
    **dict.fromkeys(listed("text/csv text/x-csv application/csv text/comma-separated-values"), "csv"),
    **dict.fromkeys(listed("text/tsv text/tab-separated-values"), "tsv"),
    **dict.fromkeys(listed("application/jsonl application/ndjson application/x-ndjson application/json-seq"), "jsonl"),
    **dict.fromkeys(listed("text/markdown text/x-markdown text/vnd.daringfireball.markdown"), "markdown"),
    **dict.fromkeys(listed("text/calendar text/x-calendar application/ics text/x-vcalendar"), "ics"),
    **dict.fromkeys(listed("text/vcard text/x-vcard text/directory"), "vcf"),
    **dict.fromkeys(listed("message/rfc822 message/global multipart/related application/x-mimearchive"), "eml"),
    "application/json": "json",
}
_MARKDOWN_FILE = re.compile(r"README|.+\.(?:md|mkdn?|mdown|markdown)", re.IGNORECASE)
_FIGURE = re.compile(r"\W*\d[\d\W]*[%\w]?")
_SEPARATOR_LINE = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)
_FRONT_MATTER = re.compile(r"---[ \t]*\n((?:[^\n]*\n){1,200}?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_NEARLY_ALL = 0.9
_LEAST_ROWS, _LEAST_COLUMNS = 2, 2
_LOOKED_AT = 200
_MOST_COLUMNS = 40
_DEEPEST = 6
_Pairs = list[tuple[str, str]]


def kind_of_data(content_type: str, url: str) -> str:
    """Give the kind of data that a text is by its type, or by its name where the type may be any's; "" for none.

    >>> kind_of_data("text/csv", "/x"), kind_of_data("text/plain", "/x.tsv"), kind_of_data("text/html", "/x.csv")
    ('csv', 'tsv', '')
    >>> kind_of_data("application/vnd.ms-excel", "/x.csv"), kind_of_data("application/octet-stream", "/x.json")
    ('csv', 'json')
    """
    essence = essence_of(content_type)
    file = urlsplit(url).path.rpartition("/")[2]
    name = file.rpartition(".")[2].lower()
    if essence == "text/plain" or not essence or not is_text(essence):
        return name if name in _NAMES else "markdown" if _MARKDOWN_FILE.fullmatch(file) else ""
    return _KINDS.get(essence, "json" if essence.endswith("+json") else "")


def data_as_html(text: str, content_type: str, url: str, links: str = "") -> str | None:
    """Give the data of a text as a page; None for what is no data, or not as regular as its kind has it.

    ``links`` is the header Link of the answer, in which an API names the next page of a list, if not in its body.

    >>> page = data_as_html("name;price\\nJug;3", "text/csv", "")
    >>> page[page.index("<table>"):page.index("</main>")].replace("\\n", "")
    '<table><thead><tr><th>name</th><th>price</th></tr></thead><tbody><tr><td>Jug</td><td>3</td></tr></tbody></table>'
    """
    kind, text = kind_of_data(content_type, url), text.lstrip("\ufeff")
    if kind == "markdown":
        return _markdown_as_html(text)
    address = next_by_header(links)
    body = _table_of(text, _SIGNS[kind]) if kind in _SIGNS else ""
    if kind in _CONTENT_LINES:
        body = "".join(_write(records_of(text), 1))
    elif kind == "json" or kind in _LINES:
        body, address = _json_as_html(text, kind, url, address)
    return f"<!doctype html><html>{head_of(address)}<body><main>{body}</main></body></html>" if body else None


def _markdown_as_html(text: str) -> str:
    """Give a document in Markdown as a page; what its front matter says of it stands above as it is."""
    from markdown_it import MarkdownIt  # which every step that fetches would load, for few documents

    matter = _FRONT_MATTER.match(text)
    body = (
        MarkdownIt("commonmark", {"html": True})
        .enable(["table", "strikethrough"])
        .render(text[matter.end() :] if matter else text)
    )
    head = f"<pre>{escape(matter[1], quote=False)}</pre>" if matter else ""
    return f"<!doctype html><html><body><main>{head}{body}</main></body></html>"


def _table_of(text: str, signs: str) -> str:
    """Give delimited lines as a table, or several; "" where they are not of one width. What stands above is text."""
    if named := _SEPARATOR_LINE.match(text):
        text, signs = text[named.end() :], named[1]
    lines = [_lines(text, sign) for sign in signs]
    if several := next((found for one in lines if len(found := _several_tables(one)) > 1), []):
        return "".join(map(_titled, several))
    found = [rows for one in lines if (rows := [row for row in one if not _is_blank(row)])]
    rows = max(found, key=lambda rows: (_share_of_width(rows[:_LOOKED_AT]), _width(rows)), default=[])
    width = _width(rows) if rows else 0
    above = next((at for at, row in enumerate(rows) if len(row) == width), 0)
    rows, remarks = rows[above:], rows[:above]
    if len(rows) < _LEAST_ROWS or width < _LEAST_COLUMNS or _share_of_width(rows) < _NEARLY_ALL:
        return ""
    said = "".join(f"<p>{escape(' '.join(row), quote=False)}</p>" for row in remarks)
    return said + _table(rows[0] if _is_head(rows[0]) else [], rows[_is_head(rows[0]) :])


def _lines(text: str, sign: str) -> list[list[str]]:
    """Give the rows of delimited lines, the blank ones too; [] for what is none."""
    with suppress(csv.Error):
        return list(csv.reader(text.splitlines(keepends=True), delimiter=sign, skipinitialspace=True))
    return []


def _is_blank(row: Sequence[str]) -> bool:
    return not any(map(str.strip, row))


Titled = tuple[list[str], list[list[str]]]
"""The lines over a table, and its rows, the head first."""


def _several_tables(lines: Sequence[list[str]]) -> list[Titled]:
    """Give the tables that blank rows set apart; [] where what follows one may be more of the same table.

    Each has a head and a row below it. The next one has another number of columns, a column of the same name, or a line
    over it and figures below its head; a row of words behind a blank one may be a row as any other.
    """
    tables = [_of_one_width(list(rows)) for is_blank, rows in groupby(lines, key=_is_blank) if not is_blank]
    for _, rows in tables:
        if len(rows) < _LEAST_ROWS or len(rows[0]) < _LEAST_COLUMNS or len({*map(len, rows)}) > 1:
            return []
        if not _is_head(rows[0]):
            return []
    for (_, before), (title, rows) in pairwise(tables):
        is_named_anew = title and any(all(map(_FIGURE.fullmatch, column)) for column in zip(*rows[1:], strict=True))
        if len(rows[0]) == len(before[0]) and not is_named_anew and {*rows[0]}.isdisjoint(before[0]):
            return []
    return tables


def _of_one_width(rows: list[list[str]]) -> Titled:
    """Part the lines over a table from its rows; columns at the right that are blank in all of them are none."""
    above = next((at for at, row in enumerate(rows) if sum(map(bool, map(str.strip, row))) > 1), len(rows))
    most = max((at + 1 for row in rows[above:] for at, cell in enumerate(row) if cell.strip()), default=0)
    titles = [" ".join(filter(str.strip, row)) for row in rows[:above]]
    return titles, [row[:most] for row in rows[above:]]


def _titled(table: Titled) -> str:
    titles, (head, *rows) = table
    return "".join(f"<p>{escape(title, quote=False)}</p>" for title in titles) + _table(head, rows)


def _width(rows: Sequence[Sequence[str]]) -> int:
    return Counter(map(len, rows)).most_common(1)[0][0]


def _share_of_width(rows: Sequence[Sequence[str]]) -> float:
    """Give how many rows have the usual number of cells; none where that is one."""
    width = _width(rows)
    return sum(len(row) == width for row in rows) / len(rows) if width > 1 else 0.0


def _is_head(row: Sequence[str]) -> bool:
    """Tell whether a first row names the columns: each by another word, and none by a figure."""
    return len(set(row)) == len(row) and all(cell.strip() and not _FIGURE.fullmatch(cell.strip()) for cell in row)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    named = f"<thead>{_row(head, 'th')}</thead>" if head else ""
    return f"<table>{named}<tbody>{''.join(_row(row, 'td') for row in rows)}</tbody></table>"


def _row(cells: Sequence[str], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{_cell(cell)}</{tag}>' for cell in cells)}</tr>\n"


def _cell(text: str) -> str:
    """Give a text of data as HTML: an address as a link, ends of lines as they are."""
    said = escape(text.strip(), quote=False)
    if text.startswith(("http://", "https://")) and not any(map(str.isspace, text)):
        return f'<a href="{escape(text)}">{said}</a>'
    return "<br>".join(said.splitlines())


def _json_as_html(text: str, kind: str, url: str, following: str) -> tuple[str, str]:
    """Give a document of JSON, or one a line, as tables and articles, and where it goes on.

    "" where no list of objects is in it. ``following`` is where a header says that it goes on.
    """
    parts = [line for line in map(str.strip, re.split("[\n\x1e]", text)) if line] if kind in _LINES else [text]
    try:
        values = [json.loads(part, parse_int=str, parse_float=str, parse_constant=str) for part in parts]
        value = values if kind in _LINES else values[0]
        if not _holds_objects(value):
            return "", ""
        address, goes_on = (following, True) if following else next_by_body(value, url)
        return "".join(_write(value, 1)) + NEXT_CONTROL * (goes_on and not address), address
    except (ValueError, RecursionError):
        return "", ""


def _holds_objects(value: Any) -> bool:
    """Tell whether a document is a list with objects, or an object that holds a list of more than plain values."""
    if isinstance(value, dict):
        return any(_parts(value, ""))
    return isinstance(value, list) and any(isinstance(one, dict) for one in value)


def _write(value: Any, level: int) -> Iterator[str]:
    """Give an object as its values, then its lists under their names; a list of objects as a table or articles."""
    if isinstance(value, list):
        yield from _write_list(value, level)
        return
    pairs = _pairs(value)
    yield _definitions(pairs)
    for name, inner in _parts(value, ""):
        yield f"<h{min(level, _DEEPEST)}>{escape(name, quote=False)}</h{min(level, _DEEPEST)}>"
        yield _matrix(inner, value) or "".join(_write_list(inner, level + 1))


def _matrix(rows: Sequence[Any], beside: dict[str, Any]) -> str:
    """Give lists of plain values of one length as a table, under a list of as many texts beside them; "" for others."""
    widths = {len(row) if isinstance(row, list) and not _is_part(row) else 0 for row in rows}
    if len(rows) < _LEAST_ROWS or len(widths) > 1 or min(widths) < _LEAST_COLUMNS:
        return ""
    heads = (one for one in beside.values() if isinstance(one, list) and len(one) in widths)
    head = next((one for one in heads if all(isinstance(name, str) for name in one)), [])
    return _table(head, [[_said(value) for value in row] for row in rows])


def _write_list(values: list[Any], level: int) -> Iterator[str]:
    columns = _columns(values)
    if columns:
        rows = [dict(_pairs(value)) for value in values]
        yield _table(columns, [[row.get(name, "") for name in columns] for row in rows])
        return
    for value in values:
        inner = "".join(_write(value, level)) if isinstance(value, dict | list) else f"<p>{_cell(_said(value))}</p>"
        yield f"<article>{inner}</article>\n"


def _columns(values: Sequence[Any]) -> list[str]:
    """Give the names of the values of objects that a table holds.

    [] for those that hold lists of objects, or have one name twice: {"a b": 1, "a": {"b": 2}}.
    """
    if len(values) < _LEAST_ROWS or not all(isinstance(value, dict) and not any(_parts(value, "")) for value in values):
        return []
    rows = [[name for name, _ in _pairs(value)] for value in values]
    names = list(dict.fromkeys(name for row in rows for name in row))
    is_told_apart = all(len(set(row)) == len(row) for row in rows)
    return names if is_told_apart and len(names) <= _MOST_COLUMNS else []


def _definitions(pairs: _Pairs) -> str:
    entries = "".join(f"<dt>{escape(name, quote=False)}</dt><dd>{_cell(said)}</dd>" for name, said in pairs)
    return f"<dl>{entries}</dl>" if entries else ""


def _pairs(value: dict[str, Any], prefix: str = "") -> _Pairs:
    """Give the values of an object and of the objects in it, each by its names: "price amount"."""
    pairs: _Pairs = []
    for key, inner in value.items():
        name = f"{prefix} {key}".strip()
        if isinstance(inner, dict):
            pairs += _pairs(inner, name)
        elif not _is_part(inner):
            pairs.append((name, _said(inner)))
    return pairs


def _parts(value: dict[str, Any], prefix: str) -> Iterator[tuple[str, list[Any]]]:
    """Give the lists of an object, and of the objects in it, that hold more than plain values."""
    for key, inner in value.items():
        name = f"{prefix} {key}".strip()
        if isinstance(inner, dict):
            yield from _parts(inner, name)
        elif _is_part(inner):
            yield name, inner


def _is_part(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(one, dict | list) for one in value)


def _said(value: Any) -> str:
    """Give a plain value, or a list of them, as text."""
    if isinstance(value, list):
        return ", ".join(map(_said, value))
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)
