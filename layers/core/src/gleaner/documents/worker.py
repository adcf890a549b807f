"""The process that reads a PDF: ``python -m gleaner.documents.worker FILE FIRST LAST BYTES SECONDS [SKIPPED …]``.

It writes one JSON object a line: that it has started, what the document is, then each page. Before each page it says
that this is being read, so that whoever listens knows which page ended the process. It has no secrets, and before
PDFium sees the document it gives up all but computing (``confinement``).
"""

import importlib
import json
import os
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gleaner.documents.blocks import TableBlock
from gleaner.documents.confinement import NO_MEMORY, confine
from gleaner.documents.layout import blocks_of
from gleaner.documents.page import PageContents
from gleaner.documents.pdf.pdfium import Document, NotOpened
from gleaner.documents.running_lines import keep_running, without_running_lines
from gleaner.documents.tables.carried_on import columns_of
from gleaner.documents.tables.shared_starts import Starts, count_starts, shared_starts

_LATE = ("encodings.cp1252", "encodings.utf_16_be", "encodings.utf_16_le", "heapq")
"""What Python loads from files when it is first used."""
AROUND = 2
"""Pages before and after that a page's running heads are looked for: those of left and right pages differ."""


def read(body: bytes, first: int, last: int, skipped: frozenset[int]) -> Iterator[dict[str, Any]]:
    """Give what ``read_document`` is to be told, for the pages from ``first`` to ``last``, counted from 1."""
    yield {"started": True}
    try:
        document = Document(body)
    except NotOpened as error:
        yield {"error": error.code}
        return
    yield {"pages": document.page_count, "title": document.title, "language": document.language}
    before: deque[PageContents] = deque(maxlen=AROUND)
    ahead: deque[PageContents] = deque()
    starts: deque[Starts] = deque(maxlen=2 * AROUND + 1)
    for number in range(first, min(last, document.page_count) + 1):
        yield {"reading": number}
        page = None if number in skipped else document.read_page(number - 1)
        if page is None:
            yield {"unread": number}
            continue
        keep_running(page)
        ahead.append(page)
        starts.append(count_starts(page))
        if len(ahead) > AROUND:
            yield _finish(ahead.popleft(), before, ahead, starts)
    while ahead:
        yield _finish(ahead.popleft(), before, ahead, starts)


def _finish(
    page: PageContents, before: deque[PageContents], ahead: deque[PageContents], starts: deque[Starts]
) -> dict[str, Any]:
    counts = {name: getattr(page, name) for name in ("number", "is_scan", "hidden", "unreadable", "doubtful")}
    without_running_lines(page, before, ahead)
    page.starts = shared_starts(starts)
    page.goes_on = before[-1].ends_in if before and before[-1].number == page.number - 1 else None
    found = blocks_of(page)
    page.ends_in = columns_of(found[-1]) if found and isinstance(found[-1], TableBlock) else None
    blocks = [{"table": asdict(one)} if isinstance(one, TableBlock) else asdict(one) for one in found]
    page.words, page.rules = [], []
    before.append(page)
    return {"page": counts, "blocks": blocks}


def _main(path: str, first: str, last: str, memory: str, seconds: str, *skipped: str) -> None:
    body = Path(path).read_bytes()
    for name in _LATE:
        importlib.import_module(name)
    confine(int(memory), int(seconds))
    try:
        for line in read(body, int(first), int(last), frozenset(map(int, skipped))):
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()
    except MemoryError:
        os._exit(NO_MEMORY)


if __name__ == "__main__":
    _main(*sys.argv[1:])
