"""Read the listings of real programs, each filled with 300 invented records: ``make sites-check`` installs them first.

    python -m tests.programs [NAME ...]

Each program runs on a port of its own and is ended when it was read. A model that is right stands in where a page's own
data does not answer. A listing has to come whole, or the result has to say that it did not: what came short or wrong in
silence fails the check, and so does a program that is no longer read whole.
"""

import json
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gleaner import Gleaner

from tests.programs.lamps import lamps
from tests.programs.programs import CACHE, PROGRAMS, Program

COUNT = 300
READY_S = 60
READING_S = 240


@dataclass(frozen=True, slots=True)
class Read:
    """What came of a listing: how many records are as they should be, which are not, and what was said of it."""

    status: str
    good: int
    wrong: int
    pages: int
    calls: int
    said: tuple[str, ...]

    @property
    def outcome(self) -> str:
        """Give "whole", "loud" or "silent"."""
        if self.good == COUNT and not self.wrong:
            return "whole" if self.status == "complete" else "loud"
        return "loud" if self.status != "complete" and not self.wrong else "silent"


@contextmanager
def running(program: Program, folder: Path) -> Iterator[str]:
    """Fill a program and serve it; give its host and port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = program.prepare(lamps(COUNT), folder, port)
    with (folder / "log").open("wb") as log, subprocess.Popen(command, cwd=folder, stdout=log, stderr=log) as process:
        try:
            _wait(process, port, folder / "log")
            yield f"127.0.0.1:{port}"
        finally:
            process.kill()


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    end = time.monotonic() + READY_S
    while time.monotonic() < end and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise SystemExit(f"{process.args} does not answer:\n{log.read_text('utf-8', 'replace')[-2000:]}")


def read(program: Program, host: str, home: Path) -> Read:
    """Read a program's listing and compare it with what the program was filled with."""
    truth = program.records(lamps(COUNT))
    key = next(iter(program.shows))
    prompts: list[str] = []

    def answer(prompt: str) -> str:
        prompts.append(prompt)
        return json.dumps([one for one in truth if one[key] in prompt])

    with Gleaner(answer, home=home, allow_hosts=[host]) as gleaner:
        result = gleaner.scrape(
            f"http://{host}{program.path}",
            output_schema=program.schema(),
            enable_javascript=False,
            follow={"max_pages": 60},
            budget={"deadline_s": READING_S},
        )
    extraction = result.extraction
    came = extraction.data if extraction is not None and isinstance(extraction.data, list) else []
    wanted, found = Counter(map(_frozen, truth)), Counter(map(_frozen, came))
    good = sum((wanted & found).values())
    said = (*extraction.warnings, *(one.message for one in extraction.errors)) if extraction is not None else ()
    pages = len(result.pages or ())
    return Read(result.status, good, found.total() - good, pages, len(prompts), said or (result.error or "",))


def _frozen(record: Any) -> str:
    return json.dumps(record, sort_keys=True)


def main(names: Sequence[str]) -> int:
    """Read all programs, or those named; print a line for each; give the exit code."""
    if not (CACHE / ".ready").exists():
        print("sites-check needs the programs: run make sites-check", file=sys.stderr)
        return 2
    failed: list[str] = []
    for program in (one for one in PROGRAMS if not names or one.name in names):
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, running(program, Path(folder)) as host:
            found = read(program, host, Path(folder) / "home")
        print(
            f"{program.name:14} {found.outcome:6} {found.good:3} of {COUNT} records right, {found.wrong} wrong, "
            f"{found.calls} model calls, {time.monotonic() - begun:.0f} s",
            flush=True,
        )
        if found.outcome != "whole":
            failed.append(program.name)
            print("".join(f"    {line[:400]}\n" for line in found.said), end="")
    print(f"not whole: {', '.join(failed)}" if failed else "all listings came whole")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
