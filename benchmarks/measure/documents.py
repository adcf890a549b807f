"""Tables of PDFs against the truth of the ICDAR 2013 table competition (``pdf_tables``): adjacency relations of cells.

A relation is a pair of neighbouring cells with text, across or down: both texts without blanks, in capitals, other
signs as "_"; the direction; how many empty cells lie between (Göbel, Hassan, Oro and Orsi, ICDAR 2013). Each true table
is paired with the table of the result that shares most with it; what is left over counts against precision. Recall and
precision are means over documents, F1 is made of these.
"""

import html as entities
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import mean
from xml.etree import ElementTree

from gleaner.documents.reading import read_document
from gleaner.markdown import extract_clean_markdown
from lxml import html as parser

from measure.cases import attempt
from measure.rows import Context, Row

Cell = tuple[int, int, int, int, str]
"""First row and column, last row and column, and the text."""

Relations = Counter[tuple[str, str, str, int]]
QUICK = 4
_CELL_MARKUP = re.compile(r"\*\*|__|~~|<br\s*/?>")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def _norm(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_]", "_", re.sub(r"\s", "", text)).upper()


def relations_of(cells: Sequence[Cell]) -> Relations:
    """Give the relations of a table's cells.

    >>> sorted(relations_of([(0, 0, 0, 1, "Sum"), (1, 0, 1, 0, "a"), (1, 1, 1, 1, "b")]))
    [('A', 'B', 'across', 0), ('SUM', 'A', 'down', 0), ('SUM', 'B', 'down', 0)]
    """
    at = {
        (row, column): number
        for number, (top, left, bottom, right, text) in enumerate(cells)
        if _norm(text)
        for row in range(top, bottom + 1)
        for column in range(left, right + 1)
    }
    rows, columns = sorted(at), sorted(at, key=lambda place: place[::-1])
    seen: dict[tuple[int, int, str], int] = {}
    for direction, places, line, step in (("across", rows, 0, 1), ("down", columns, 1, 0)):
        for before, after in pairwise(places):
            if before[line] == after[line] and at[before] != at[after]:
                seen.setdefault((at[before], at[after], direction), after[step] - before[step] - 1)
    return Counter((_norm(cells[a][4]), _norm(cells[b][4]), way, gap) for (a, b, way), gap in seen.items())


def true_tables(path: Path) -> list[list[Cell]]:
    """Read the tables of a truth file."""
    return [list(_true_cells(table)) for table in ElementTree.parse(path).getroot().iter("table")]


def _true_cells(table: ElementTree.Element) -> Iterator[Cell]:
    for region in table.iter("region"):
        across, down = (int(region.get(f"{name}-increment") or 0) for name in ("col", "row"))
        for cell in region.iter("cell"):
            top, left = int(cell.get("start-row", "0")), int(cell.get("start-col", "0"))
            bottom, right = int(cell.get("end-row") or top), int(cell.get("end-col") or left)
            content = cell.find("content")
            text = "" if content is None else "".join(content.itertext())
            yield top + down, left + across, bottom + down, right + across, text


def tables_in_html(text: str) -> list[list[Cell]]:
    """Give the cells of a page's tables, with their spans."""
    return [list(_cells_of(table)) for table in parser.fromstring(text).iter("table")] if text.strip() else []


def _cells_of(table: parser.HtmlElement) -> Iterator[Cell]:
    taken: set[tuple[int, int]] = set()
    for row, line in enumerate(table.iter("tr")):
        column = 0
        for cell in (one for one in line if one.tag in ("td", "th")):
            while (row, column) in taken:
                column += 1
            down, across = (int(cell.get(name) or 1) for name in ("rowspan", "colspan"))
            taken |= {(y, x) for y in range(row, row + down) for x in range(column, column + across)}
            yield row, column, row + down - 1, column + across - 1, " ".join(cell.itertext())
            column += across


def tables_in_markdown(text: str) -> list[list[Cell]]:
    """Give the cells of the pipe tables of a Markdown text."""
    tables: list[list[Cell]] = []
    row = 0
    for line in [*text.splitlines(), ""]:
        is_row = line.strip().startswith("|") and line.strip().endswith("|")
        texts = re.split(r"(?<!\\)\|", line.strip().strip("|")) if is_row else []
        if not is_row:
            row = 0
        elif not all(re.fullmatch(r"\s*:?-+:?\s*", one) for one in texts):
            tables += [[]] if row == 0 else []
            tables[-1] += [(row, column, row, column, _plain(one)) for column, one in enumerate(texts)]
            row += 1
    return tables


def _plain(cell: str) -> str:
    return entities.unescape(re.sub(r"\\(.)", r"\1", _CELL_MARKUP.sub(" ", _LINK.sub(r"\1", cell))))


def recall_and_precision(true: Sequence[Sequence[Cell]], found: Sequence[Sequence[Cell]]) -> tuple[float, float]:
    """Give the share of true relations that are found, and of found ones that are true."""
    wanted, given = [relations_of(one) for one in true], [relations_of(one) for one in found]
    whole, every = sum(one.total() for one in wanted), sum(one.total() for one in given)
    left, right = list(given), 0
    for one in wanted:
        best = max(left, key=lambda other: (one & other).total(), default=None)
        if best is not None and (one & best).total():
            right += (one & best).total()
            left.remove(best)
    return right / whole if whole else 0.0, right / every if every else 0.0


def documents(context: Context) -> Iterator[tuple[Path, Path]]:
    """Give the documents with their truths; in a quick run some."""
    folder = context.corpus / "pdf_tables" if context.corpus else None
    if folder is None:
        return
    if not folder.is_dir():
        context.note("pdf_tables", "this folder is missing in the corpus")
        return
    found = [(one.with_name(one.name.replace("-str.xml", ".pdf")), one) for one in sorted(folder.glob("*-str.xml"))]
    yield from found[:: max(1, len(found) // QUICK)][:QUICK] if context.quick else found


def measure(context: Context) -> Sequence[Row]:
    """Give the F1 of the tables with their spans, and of those of the Markdown."""
    scores: dict[str, list[tuple[float, float]]] = {"tables": [], "markdown": []}
    for path, truth in documents(context):
        found = attempt(context, f"pdf_tables/{path.stem}", lambda path=path, truth=truth: _scores(path, truth))
        for name, score in (found or {}).items():
            scores[name].append(score)
    titles = {"tables": "tables of PDFs, ICDAR 2013, F1", "markdown": "the same tables in the Markdown, F1"}
    note = "" if scores["tables"] else "the corpus is not there"
    return [
        Row(
            f"documents.{name}",
            title,
            _f1(scores[name]),
            "F1",
            "higher",
            0.01,
            f"{len(scores[name])} documents",
            note=note,
        )
        for name, title in titles.items()
    ]


def _scores(path: Path, truth: Path) -> dict[str, tuple[float, float]]:
    true, page = true_tables(truth), read_document(path.read_bytes(), path.name).html
    in_markdown = tables_in_markdown(extract_clean_markdown(page, path.as_uri())[0])
    return {
        "tables": recall_and_precision(true, tables_in_html(page)),
        "markdown": recall_and_precision(true, in_markdown),
    }


def _f1(scores: Sequence[tuple[float, float]]) -> float | None:
    if not scores:
        return None
    recall, precision = (mean(one[at] for one in scores) for at in (0, 1))
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0
