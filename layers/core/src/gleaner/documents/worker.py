"""The process that reads a PDF: ``python -m gleaner.documents.worker FILE FIRST LAST BYTES [SKIPPED …]``.

It writes one JSON object a line: that it has started, what the document is, then each page. Before each page it says
that this is being read, so that whoever listens knows which page ended the process. It has no secrets, and limits on
its memory.
"""

import json
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gleaner.documents.blocks import TableBlock
from gleaner.documents.layout import blocks_of
from gleaner.documents.page import PageContents
from gleaner.documents.pdfium import Document, NotOpened
from gleaner.documents.running_lines import keep_running, without_running_lines

AROUND = 2
"""Pages before and after that a page's running heads are looked for: those of left and right pages differ."""


def read(path: str, first: int, last: int, skipped: frozenset[int]) -> Iterator[dict[str, Any]]:
    """Give what ``read_document`` is to be told, for the pages from ``first`` to ``last``, counted from 1."""
    yield {"started": True}
    try:
        document = Document(Path(path).read_bytes())
    except NotOpened as error:
        yield {"error": error.code}
        return
    yield {"pages": document.page_count, "title": document.title, "language": document.language}
    before: deque[PageContents] = deque(maxlen=AROUND)
    ahead: deque[PageContents] = deque()
    for number in range(first, min(last, document.page_count) + 1):
        yield {"reading": number}
        page = None if number in skipped else document.read_page(number - 1)
        if page is None:
            yield {"unread": number}
            continue
        keep_running(page)
        ahead.append(page)
        if len(ahead) > AROUND:
            yield _finish(ahead.popleft(), before, ahead)
    while ahead:
        yield _finish(ahead.popleft(), before, ahead)


def _finish(page: PageContents, before: deque[PageContents], ahead: deque[PageContents]) -> dict[str, Any]:
    said = {"page": page.number, "hidden": page.hidden, "is_scan": page.is_scan, "is_blank": not page.words}
    without_running_lines(page, before, ahead)
    blocks = [{"table": asdict(one)} if isinstance(one, TableBlock) else asdict(one) for one in blocks_of(page)]
    page.words, page.rules = [], []
    before.append(page)
    return {**said, "blocks": blocks}


def _limit_memory(most: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    _limit_memory(int(sys.argv[4]))
    for line in read(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), frozenset(map(int, sys.argv[5:]))):
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()
