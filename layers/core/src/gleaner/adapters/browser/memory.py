"""Limit the memory that the browser uses for one page (SS-2).

The processes are looked at, not limited: of the limits that Linux has for a process, Chromium's reservations count
against each that could serve, and V8 does not start below some of them.
"""

import asyncio
import os
import re
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from gleaner.contracts.errors import PageTooLarge

Answer = TypeVar("Answer")

LOOK_S = 0.1
"""How often the memory is looked at; a script fills some hundred megabytes in this time."""

PROCESSES = Path("/proc")
HELD = re.compile(r"^Rss(?:Anon|Shmem):\s*(\d+) kB$", re.MULTILINE)


async def within_memory(
    work: Coroutine[Any, Any, Answer], url: str, group: int, most_bytes: int, end: Callable[[], object]
) -> Answer:
    """Await what a browser, whose process group it is, does for a page; one that takes more than it may is ended.

    PageTooLarge says so then. Where the system has no /proc, nothing is looked at.
    """
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            await asyncio.wait([task], timeout=LOOK_S)
            if not task.done() and memory_of(group) > most_bytes:
                end()
                raise PageTooLarge(f"{url} used more than {most_bytes // 1_000_000} MB of memory (max_page_memory)")
        return task.result()
    finally:
        task.cancel()


def memory_of(group: int) -> int:
    """Give the bytes that the processes of a group have for themselves; 0 where the system does not tell.

    >>> memory_of(0)
    0
    """
    if not group or not PROCESSES.is_dir():
        return 0
    return sum(_own_memory(process) for process in PROCESSES.glob("[0-9]*") if _group_of(int(process.name)) == group)


def _group_of(process_id: int) -> int:
    try:
        return os.getpgid(process_id)
    except ProcessLookupError:
        return 0


def _own_memory(process: Path) -> int:
    """Give what a process has in memory besides files: its own, and what it shares with others (proc_pid_status(5))."""
    try:
        status = (process / "status").read_text("utf-8", "replace")
    except OSError:  # it has ended
        return 0
    return sum(1024 * int(size) for size in HELD.findall(status))
