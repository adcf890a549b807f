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

Every error has an `error_type` for programs and a `message` for people. The message names the value and what would be
right. You get both in the same form everywhere:

- A failed result has them in `error`, a failed chunk in `extraction.errors`.
- HTTP returns a problem document (RFC 9457) with the status below. A page that can't be fetched is not an error of the
  API: the job failed, and its result says why.
- MCP returns a tool error (`isError`) with both.
- The command prints one line and ends with the exit code below.
- Python raises the class, from `gleaner.errors`; all are a `GleanerError`. Errors of a page are in its result, and
  `result.raise_for_status()` raises them.
- In Step Functions, the class is the name in `ErrorEquals`, and the error of the execution if the job fails.

This page is generated from the code by `python scripts/write_error_reference.py`.
"""
WHO = {
    "CallerError": "The caller can correct the request. Never retried automatically.",
    "PageError": "The page can't be fetched as it is. Only the site can change that. Never retried automatically.",
    "BudgetExceeded": "A limit of the request was reached. What was found is kept. Ask again with a higher limit.",
    "TransientError": "The same call may succeed later. The state machine retries it, with growing waits.",
    "ModelError": "One model call gave no usable answer. Gleaner asks again in another way, or splits the chunk.",
    "StorageFull": "A disk is full. Nothing is half written; make room, and the same call goes through.",
    "NoData": "Only in Python: `result.data` of one object that was not found. The result itself says more.",
    "InternalError": "A bug in Gleaner: please report it.",
}
GATEWAY = """## From API Gateway alone

On AWS, API Gateway gives these answers before any function runs: `{"message": "…"}`, without an `error_type`.

| HTTP | when |
| ---: | --- |
| 401 | there is no `Authorization` header |
| 403 | the token is unknown or revoked (`gleaner serve` says 401, `unauthorized`) |
| 404 | a method that no HTTP client of an API uses, such as TRACE |
| 413 | the request is larger than Lambda takes: 6 MB, in which a quotation mark of the body counts twice |
| 429 | more requests a second than `DefaultRouteSettings` of the template lets in |
| 503, 504 | the function had no place to run in, or did not answer within 30 s: ask again |"""
COLUMNS = "| `error_type` | class | meaning | HTTP | exit | retried |\n| --- | --- | --- | ---: | ---: | --- |"


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
    lines = [
        "## From AWS",
        "",
        "What ended a step or an execution from outside, and the name that results give it.",
        "",
    ]
    lines += ["| `error_type` | AWS calls it | meaning |", "| --- | --- | --- |"]
    lines += [f"| `{kind}` | `{name}` | {text} |" for name, (kind, text) in STATES_ERRORS.items()]
    lines += ["", "## Of results alone", "", "These appear in `extraction.errors` without an exception.", ""]
    lines += ["| `error_type` | meaning |", "| --- | --- |"]
    lines += [f"| `{kind}` | {text} |" for kind, text in OF_RESULTS.items()]
    lines += ["", "## Of HTTP alone", "", "The request was refused before it was read.", ""]
    lines += ["| `error_type` | HTTP | meaning |", "| --- | ---: | --- |"]
    lines += [f"| `{kind}` | {status} | {HTTPStatus(status).phrase} |" for status, kind in OF_HTTP.items()]
    lines += ["", GATEWAY]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    from generated import keep

    keep(TARGET, reference())
