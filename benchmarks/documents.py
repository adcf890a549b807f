"""Tables of PDFs by Gleaner and by other tools: the F1 of the ICDAR 2013 measure, and processor seconds.

Usage: ``python benchmarks/documents.py FOLDER [PYTHON_OF_THE_OTHER_TOOLS]``; the folder holds PDFs and their
``-str.xml``. The other tools have an environment of their own: ``make document-peers`` makes it. Each is given a
document at a time, and what it says is a table of cells or Markdown; a tool that fails on a document found nothing.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import mean
from time import process_time
from typing import Any

HERE = Path(__file__).resolve()


def _pdfplumber(path: str) -> list[list[list[str]]]:
    import pdfplumber

    with pdfplumber.open(path) as document:
        return [
            [[cell or "" for cell in row] for row in one] for page in document.pages for one in page.extract_tables()
        ]


def _camelot(path: str, flavor: str) -> list[list[list[str]]]:
    import camelot

    return [one.df.values.tolist() for one in camelot.read_pdf(path, pages="all", flavor=flavor)]


def _markitdown(path: str) -> str:
    from markitdown import MarkItDown

    return MarkItDown().convert(path).text_content


TOOLS: dict[str, Callable[[str], Any]] = {
    "pdfplumber": _pdfplumber,
    "camelot lattice": lambda path: _camelot(path, "lattice"),
    "camelot stream": lambda path: _camelot(path, "stream"),
    "markitdown": _markitdown,
}


def answer(tool: str, paths: list[str]) -> None:
    """Write what a tool finds in each document and the seconds that it took; this runs in the tools' environment."""
    started, found = process_time(), dict[str, Any]()
    for path in paths:
        try:
            found[path] = TOOLS[tool](path)
        except Exception as error:  # noqa: BLE001 - a peer may fail in any way: it found nothing
            print(f"{path}: {type(error).__name__}: {error}", file=sys.stderr)
    sys.stdout.write("\n" + json.dumps({"found": found, "seconds": process_time() - started}))


def compare(folder: Path, python: str | None) -> None:
    """Print the F1 of each tool and its processor seconds."""
    from gleaner.documents.reading import read_document
    from gleaner.markdown import extract_clean_markdown
    from measure.documents import recall_and_precision, tables_in_html, tables_in_markdown, true_tables

    truths = {one.with_name(one.name.replace("-str.xml", ".pdf")): true_tables(one) for one in folder.glob("*-str.xml")}

    def tell(tool: str, found: dict[Path, Any], seconds: float | None) -> None:
        scores = [recall_and_precision(truth, found.get(path, [])) for path, truth in truths.items()]
        recall, precision = (mean(score[at] for score in scores) for at in (0, 1))
        f1 = 2 * recall * precision / (recall + precision) if recall + precision else 0.0
        took = "" if seconds is None else f"{seconds:8.1f} s"
        print(f"{tool:24} recall {recall:.3f}  precision {precision:.3f}  F1 {f1:.3f} {took}")

    started = sum(_spent())
    pages = {path: read_document(path.read_bytes(), path.name).html for path in truths}
    seconds = sum(_spent()) - started
    tell("Gleaner", {path: tables_in_html(page) for path, page in pages.items()}, seconds)
    said = {path: tables_in_markdown(extract_clean_markdown(page)[0]) for path, page in pages.items()}
    tell("Gleaner, in Markdown", said, None)
    for tool in TOOLS if python else ():
        command = [str(python), str(HERE), "--tool", tool, *map(str, truths)]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.rpartition("\n")[2]
        given = json.loads(told)
        tables = {Path(path): _tables(found, tables_in_markdown) for path, found in given["found"].items()}
        tell(tool, tables, given["seconds"])


def _tables(found: Any, in_markdown: Callable[[str], Any]) -> Any:
    if isinstance(found, str):
        return in_markdown(found)
    return [[(y, x, y, x, cell) for y, row in enumerate(rows) for x, cell in enumerate(row)] for rows in found]


def _spent() -> tuple[float, float]:
    """Give the processor seconds of this process and of those that it started."""
    import resource

    mine, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return mine.ru_utime + mine.ru_stime, others.ru_utime + others.ru_stime


if __name__ == "__main__":
    if sys.argv[1] == "--tool":
        answer(sys.argv[2], sys.argv[3:])
    else:
        compare(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
