"""Write docs/errors.md from gleaner.errors and the state machine: python scripts/write_error_reference.py [--check]."""

import json
import sys
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

from gleaner.contracts.error_types import OF_HTTP, OF_RESULTS
from gleaner.contracts.errors import GleanerError, error_type_of
from gleaner.steps.failure import STATES_ERRORS

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "docs/errors.md"
HEAD = """# Errors

Every error has an `error_type` for programs and a `message` for people, which names the value and what would be right.
They are the same on every way in:

- A result that failed has them in `error`; a chunk that failed, in `extraction.errors`.
- HTTP: a problem document (RFC 9457) with the status below. A page that can't be had is no error of the API: the job
  failed, and its result says why.
- MCP: a tool error (`isError`) with both.
- The command: one line, and the exit code below.
- Python: the library raises the class, from `gleaner.errors`; all are a `GleanerError`. What happens to a page later is in its
  result, and `result.raise_for_status()` raises it.
- Step Functions: the class is the name in `ErrorEquals`, and the execution's error when the job fails.

This page is made from the code by `python scripts/write_error_reference.py`.
"""
WHO = {
    "CallerError": "The caller can mend the request. Never tried again by itself.",
    "PageError": "The page can't be had as it is. Nobody but the site can mend that; never tried again by itself.",
    "BudgetExceeded": "A cap of the request was reached. What was found is kept; ask again with a higher one.",
    "TransientError": "The same call may go through later. The state machine tries again, with growing waits.",
    "ModelError": "One model call gave nothing usable. It is asked otherwise or in halves, chunk by chunk.",
    "NoData": "The library's alone: `result.data` of one object that was not found. The result itself says more.",
    "InternalError": "Ours to mend: please report it.",
}
GATEWAY = """## From API Gateway alone

On AWS these come before any function runs, and in API Gateway's own words: `{"message": "…"}`, without an `error_type`.

| HTTP | when |
| ---: | --- |
| 401 | there is no `Authorization` header |
| 403 | the token is unknown or revoked (`gleaner serve` says 401, `unauthorized`) |
| 404 | a method that no HTTP client of an API uses, such as TRACE |
| 413 | the request is larger than Lambda takes: 6 MB, in which a quotation mark of the body counts twice |
| 429 | more requests a second than `DefaultRouteSettings` of the template lets in |
| 503, 504 | the function had no place to run in, or did not answer within 30 s: ask again |"""
COLUMNS = "| `error_type` | class | meaning | HTTP | exit | tried again |\n| --- | --- | --- | ---: | ---: | --- |"


def reference() -> str:
    """Give the page."""
    missing = {branch.__name__ for branch in GleanerError.__subclasses__()} - set(WHO)
    if missing:
        sys.exit(f"say who can act: {', '.join(sorted(missing))}")
    retries = retried()
    parts = [HEAD, *(section(branch, retries) for branch in GleanerError.__subclasses__()), states_section()]
    return "\n".join(parts)


def section(branch: type[GleanerError], retries: dict[str, int]) -> str:
    """Give one branch of the tree: who can act, and its errors."""
    rows = [row(error, retries) for error in tree(branch)]
    return "\n".join([f"## {branch.__name__}", "", WHO[branch.__name__], "", COLUMNS, *rows, ""])


def tree(branch: type[GleanerError]) -> Iterator[type[GleanerError]]:
    """Give the errors that are raised: leaves, and classes between that mean something by themselves."""
    if branch.__name__ not in WHO or not branch.__subclasses__():
        yield branch
    for error in branch.__subclasses__():
        yield from tree(error)


def row(error: type[GleanerError], retries: dict[str, int]) -> str:
    """Give an error's row."""
    times = retries.get(error.__name__)
    meaning = " ".join((error.__doc__ or "").split()).replace("``", "`")
    cells = [f"`{error_type_of(error.__name__)}`", f"`{error.__name__}`", meaning, error.http_status, error.exit_code]
    return "| " + " | ".join(str(cell) for cell in [*cells, f"{times} times" if times else "no"]) + " |"


def retried() -> dict[str, int]:
    """Give how often the state machine tries again, by the error's name."""
    machine = json.loads((ROOT / "statemachine/scrape_page.asl.json").read_text("utf-8"))
    found: dict[str, int] = {}
    for state in states(machine):
        for retry in state.get("Retry", []):
            found |= dict.fromkeys(retry["ErrorEquals"], retry["MaxAttempts"])
    return found


def states(machine: Any) -> Iterator[Any]:
    """Give all states, those of a Map too."""
    for state in machine["States"].values():
        yield state
        if "ItemProcessor" in state:
            yield from states(state["ItemProcessor"])


def states_section() -> str:
    """Give what AWS says of a function or an execution that ended otherwise, and what chunks may say besides."""
    lines = ["## From AWS", "", "What ended a step or an execution from outside, as results name it.", ""]
    lines += ["| `error_type` | AWS calls it | meaning |", "| --- | --- | --- |"]
    lines += [f"| `{kind}` | `{name}` | {text} |" for name, (kind, text) in STATES_ERRORS.items()]
    lines += ["", "## Of results alone", "", "In `extraction.errors` also, though nothing was raised.", ""]
    lines += ["| `error_type` | meaning |", "| --- | --- |"]
    lines += [f"| `{kind}` | {text} |" for kind, text in OF_RESULTS.items()]
    lines += ["", "## Of HTTP alone", "", "A request that is refused before it is read.", ""]
    lines += ["| `error_type` | HTTP | meaning |", "| --- | ---: | --- |"]
    lines += [f"| `{kind}` | {status} | {HTTPStatus(status).phrase} |" for status, kind in OF_HTTP.items()]
    lines += ["", GATEWAY]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    from generated import keep

    keep(TARGET, reference())
