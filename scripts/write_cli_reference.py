"""Write docs/cli.md from the command itself: python scripts/write_cli_reference.py [--check]."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from gleaner.cli.commands import app

TARGET = Path(__file__).parent.parent / "docs/cli.md"
HEAD = """# The command

`gleaner` takes the same requests as the HTTP API and runs the same state machine in its own process. Results go to
standard output (add `--json` for programs), progress and errors to standard error. The [settings](settings.md) are
environment variables here too.

| exit code | meaning |
| --- | --- |
| 0 | complete |
| 3 | partial: something is missing, and the result says what |
| 2 | the request is invalid |
| 69 | the page can't be fetched |
| 70 | there is a bug in Gleaner |
| 74 | a file can't be read or written, or the disk is full |
| 75 | a limit was reached, or the same command may succeed later |
| 77 | not allowed |
| 78 | a setting is invalid |
| 130 | interrupted |
| 141 | the reader closed the output |
| 1 | `gleaner doctor` found something that does not work |

[errors.md](errors.md) lists the errors behind them.

This page is generated from the code by `python scripts/write_cli_reference.py`.
"""


def reference() -> str:
    """Give the page."""
    root: Any = typer.main.get_command(app)
    return "\n".join([HEAD, *(section(words, command) for words, command in commands(root, "gleaner"))])


def commands(group: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Give each command that does something, by its words."""
    for word, command in group.commands.items():
        if command.hidden:
            continue
        if hasattr(command, "commands"):
            yield from commands(command, f"{name} {word}")
        else:
            yield f"{name} {word}", command


def section(words: str, command: Any) -> str:
    """Give one command's section."""
    context = command.context_class(command, info_name=words)
    usage = " ".join([words, *command.collect_usage_pieces(context)])
    lines = [f"## {words.removeprefix('gleaner ')}", "", flat(command.help), "", f"`{usage}`", ""]
    rows = [row for row in (parameter.get_help_record(context) for parameter in command.params) if row]
    if rows:
        lines += [
            "| argument | meaning |",
            "| --- | --- |",
            *(f"| `{cell(name)}` | {cell(text)} |" for name, text in rows),
        ]
    return "\n".join(lines).rstrip() + "\n"


def flat(text: str | None) -> str:
    """Give a help text in one line."""
    return re.sub(r"\s+", " ", text or "").strip()


def cell(text: str) -> str:
    """Give a text that may stand in a table."""
    return flat(text).replace("|", "\\|")


if __name__ == "__main__":
    from generated import keep

    keep(TARGET, reference())
