"""Read a document in a process of its own, within limits, and give it as a page in HTML."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import DamagedDocument, InternalError, LockedDocument, NoTextLayer, PageTooLarge
from gleaner.documents.as_html import ReadPage, document_as_html
from gleaner.documents.blocks import Block, Cell, TableBlock, TextBlock
from gleaner.documents.confinement import NO_MEMORY

WORKER = "gleaner.documents.worker"
"""The program of the reading process."""
_INHERITED = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PATH", "SYSTEMROOT", "TMPDIR")
"""Where programs and shared libraries are: in Lambda, Python itself does not start without ``LD_LIBRARY_PATH``."""
_NEEDS_PASSWORD, _NEEDS_OTHER_SECURITY = 4, 5
_OUT_OF_MEMORY = (NO_MEMORY, -signal.SIGABRT)
_OUT_OF_TIME = (-signal.SIGKILL, -signal.SIGXCPU)
"""Exit codes of a process that gets no more memory, the worker's own and PDFium's, or no more time."""
_LONGEST_LINE = 100_000_000
"""Bytes of what is told of one page."""
_MOST_CRASHES = 5
_MOST_NAMED = 10


@dataclass(frozen=True, slots=True)
class DocumentLimits:
    """How many pages are read, for how many seconds, in how many bytes of memory, and into how much HTML."""

    pages: int = 2_000
    seconds: float = 240.0
    memory: int = 1_500_000_000
    bytes_of_html: int = 10_000_000


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document as a page in HTML. ``cut_short`` says what of it was not read: an ``error_type`` and a message."""

    html: str
    pages: int
    cut_short: tuple[ErrorType, str] | None = None
    warnings: tuple[str, ...] = ()


@dataclass(slots=True)
class _Progress:
    """What the reading processes have told. ``lost`` are the pages that are damaged, ``heavy`` those that need memory.

    ``code`` is the exit code of the last process.
    """

    started: bool = False
    count: int = 0
    title: str = ""
    language: str = ""
    error: int | None = None
    reading: int = 0
    code: int = 0
    lost: set[int] = field(default_factory=set[int])
    heavy: set[int] = field(default_factory=set[int])
    pages: dict[int, ReadPage] = field(default_factory=dict[int, ReadPage])

    @property
    def is_out_of_memory(self) -> bool:
        """Whether the last process ended because it got no more memory."""
        return self.code in _OUT_OF_MEMORY

    def take(self, told: dict[str, Any]) -> None:
        if "started" in told:
            self.started = True
        elif "pages" in told:
            self.count, self.title, self.language = told["pages"], told["title"], told["language"]
        elif "error" in told:
            self.error = told["error"]
        elif "reading" in told:
            self.reading = told["reading"]
        elif "unread" in told:
            self.lost.add(told["unread"])
        elif "page" in told:
            page = ReadPage(blocks=tuple(map(_block, told["blocks"])), **told["page"])
            self.pages[page.number] = page


def _block(stored: dict[str, Any]) -> Block:
    if "table" not in stored:
        return TextBlock(**stored)
    table = stored["table"]
    rows = [[Cell(**cell) for cell in row] for row in table["rows"]]
    return TableBlock(rows, table["head"], table["edges"], table["size"])


def read_document(body: bytes, name: str, limits: DocumentLimits | None = None) -> ReadDocument:
    """Give a PDF as a page in HTML; ``name`` is what errors call it.

    LockedDocument, DamagedDocument or NoTextLayer say why there is nothing to give. Pages beyond the limits, pages
    that end the reading process, and scanned pages among others are named in ``cut_short``.
    """
    limits = limits or DocumentLimits()
    ends_at = time.monotonic() + limits.seconds
    progress, crashes = _Progress(), 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "document.pdf"
        path.write_bytes(body)
        while crashes <= _MOST_CRASHES:
            progress.reading = 0
            _run(path, limits, progress, ends_at)
            if not progress.code or time.monotonic() >= ends_at or not progress.reading:
                break
            (progress.heavy if progress.is_out_of_memory else progress.lost).add(progress.reading)
            crashes += 1
    if progress.error is not None or not progress.count:
        raise _refusal(name, progress, limits)
    return _result(name, progress, limits)


def _run(path: Path, limits: DocumentLimits, progress: _Progress, ends_at: float) -> None:
    """Read the pages that are left in one process."""
    first = max(progress.pages, default=0) + 1
    left = max(0.0, ends_at - time.monotonic())
    numbers = (first, limits.pages, limits.memory, int(left) + 2, *sorted(progress.lost | progress.heavy))
    arguments = [str(path), *map(str, numbers)]
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", WORKER, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_environment(),
    )
    said = bytearray()
    drain = threading.Thread(target=_drain, args=(process, said), daemon=True)
    drain.start()
    timer = threading.Timer(left, process.kill)
    timer.start()
    try:
        for told in _lines(process):
            progress.take(told)
    finally:
        timer.cancel()
        process.kill()
        progress.code = process.wait()
        drain.join()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()
    if b"ModuleNotFoundError" in said:
        raise InternalError("PDFs need pypdfium2: pip install 'gleaner-extract[documents]'")
    if not progress.started and time.monotonic() < ends_at:
        reason = said.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise InternalError(
            f"the process that reads PDFs did not start (exit code {progress.code}): {reason or 'no message'}"
        )


def _environment() -> dict[str, str]:
    """Give the reading process what Python needs to start, and none of the secrets of this one."""
    inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    return {**inherited, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONUTF8": "1"}


def _drain(process: "subprocess.Popen[bytes]", said: bytearray) -> None:
    if process.stderr is not None:
        while chunk := process.stderr.read(65_536):
            said[:] = (said + chunk)[-65_536:]


def _lines(process: "subprocess.Popen[bytes]") -> Iterator[dict[str, Any]]:
    if process.stdout is not None:
        while (line := process.stdout.readline(_LONGEST_LINE)).endswith(b"\n"):  # of the last, half may be missing
            yield json.loads(line)


def _refusal(name: str, progress: _Progress, limits: DocumentLimits) -> Exception:
    if progress.error in (_NEEDS_PASSWORD, _NEEDS_OTHER_SECURITY):
        return LockedDocument(f"{name} is protected by a password: remove the protection and try again")
    if progress.is_out_of_memory:
        return PageTooLarge(f"{name} can't be opened: it needs {_too_much(limits)}")
    if progress.error is None and progress.code in _OUT_OF_TIME:
        return PageTooLarge(f"{name} can't be opened: {_too_long(limits)}")
    return DamagedDocument(f"{name} is damaged or no PDF: it can't be opened")


def _too_much(limits: DocumentLimits) -> str:
    return f"more than the {limits.memory // 1_000_000} MB of memory (max_document_memory) that it gets"


def _too_long(limits: DocumentLimits) -> str:
    return f"the time limit of {limits.seconds:.0f} s (document_timeout_s) was reached"


def _result(name: str, progress: _Progress, limits: DocumentLimits) -> ReadDocument:
    pages = [progress.pages[number] for number in sorted(progress.pages)]
    _check_text(name, progress, pages, limits)
    kept = _within(pages, limits.bytes_of_html)
    html = document_as_html(kept, progress.title, progress.language)
    return ReadDocument(html, progress.count, _cut_short(progress, kept, len(pages), limits), tuple(_warnings(kept)))


def _warnings(pages: list[ReadPage]) -> Iterator[str]:
    hidden = [page for page in pages if page.hidden]
    if hidden:
        count = sum(page.hidden for page in hidden)
        yield f"{count} words that nobody can see were left out ({_named([page.number for page in hidden])})"
    unsaid = [page for page in pages if page.unreadable or page.doubtful]
    if unsaid:
        left, kept = sum(page.unreadable for page in unsaid), sum(page.doubtful for page in unsaid)
        what = " and ".join([f"{left} were left out"] * bool(left) + [f"{kept} may be wrong"] * bool(kept))
        yield f"fonts do not say which characters they draw: {what} ({_named([page.number for page in unsaid])})"


def _check_text(name: str, progress: _Progress, pages: list[ReadPage], limits: DocumentLimits) -> None:
    """Raise what is to be said of a document without text."""
    if any(page.blocks for page in pages):
        return
    count = f"{progress.count} page{'s' if progress.count != 1 else ''}"
    if any(page.unreadable for page in pages):
        raise NoTextLayer(f"{name} has fonts that do not say which characters they draw: run OCR on it first")
    if any(page.is_scan for page in pages):
        hold = "hold" if progress.count != 1 else "holds"
        raise NoTextLayer(f"{name} is a scan: its {count} {hold} pictures and no text; run OCR on it first")
    if not pages and progress.heavy:
        raise PageTooLarge(f"none of the {count} of {name} can be read: they need {_too_much(limits)}")
    if not pages and progress.code in _OUT_OF_TIME:
        raise PageTooLarge(f"none of the {count} of {name} was read: {_too_long(limits)}")
    if not pages:
        raise DamagedDocument(f"{name} is damaged: none of its {count} can be read")
    raise NoTextLayer(f"{name} has {count} without any text")


def _within(pages: list[ReadPage], most: int) -> list[ReadPage]:
    """Give the pages whose HTML is within a limit, from the first on."""
    left, kept = most - 10_000, list[ReadPage]()
    for page in pages:
        left -= len(document_as_html([page]).encode())
        if left < 0 and kept:
            break
        kept.append(page)
    return kept


def _cut_short(
    progress: _Progress, kept: list[ReadPage], read: int, limits: DocumentLimits
) -> tuple[ErrorType, str] | None:
    """Say what of a document is missing, the largest part first."""
    gaps: list[tuple[ErrorType, str]] = []
    last = kept[-1].number
    if last < progress.count:
        left = set(range(last + 1, progress.count + 1))
        why = _too_long(limits)
        if len(kept) < read:
            why = f"more text would be over {limits.bytes_of_html} bytes (max_page_size)"
        elif last >= limits.pages:
            why = f"{limits.pages} pages are the limit (max_document_pages)"
        elif left <= progress.heavy:
            why = f"the others need {_too_much(limits)}"
        elif progress.code not in _OUT_OF_TIME:
            why = "the others can't be read: they are damaged"
        gaps.append((ErrorType.PAGE_TOO_LARGE, f"{last} of {progress.count} pages were read: {why}"))
    missing = [number for number in range(1, last) if number not in progress.pages]
    heavy = [number for number in missing if number in progress.heavy]
    if heavy:
        gaps.append((ErrorType.PAGE_TOO_LARGE, f"{_named(heavy)} can't be read: {_too_much(limits)} would be needed"))
    damaged = [number for number in missing if number not in progress.heavy]
    if damaged:
        gaps.append((ErrorType.DAMAGED_DOCUMENT, f"{_named(damaged)} can't be read: damaged"))
    mute = [page.number for page in kept if page.is_scan and page.unreadable]
    if mute:
        gaps.append((ErrorType.NO_TEXT_LAYER, f"fonts do not say which characters they draw on {_named(mute)}"))
    scans = [page.number for page in kept if page.is_scan and not page.unreadable]
    if scans:
        many = "is a picture" if len(scans) == 1 else "are pictures"
        gaps.append((ErrorType.NO_TEXT_LAYER, f"{_named(scans)} {many} without text"))
    return (gaps[0][0], "; ".join(said for _, said in gaps)) if gaps else None


def _named(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:_MOST_NAMED]))
    more = f" and {len(numbers) - _MOST_NAMED} more" if len(numbers) > _MOST_NAMED else ""
    return f"page{'s' if len(numbers) > 1 else ''} {shown}{more}"
