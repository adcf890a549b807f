"""Options that subcommands share: names, help, and the files they read and write."""

import json
import os
import secrets
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from gleaner.cli.display import shown, stderr
from gleaner.contracts.actions import action_lines
from gleaner.contracts.errors import InvalidRequest
from gleaner.contracts.guides import guide
from gleaner.contracts.json_text import parse_json
from gleaner.contracts.ports import JsonObject

Model = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help=f"none, ollama:MODEL, openai:MODEL, bedrock:MODEL_ID, …; {guide('models')} lists them."
    ),
]
Home = Annotated[Path | None, typer.Option(metavar="FOLDER", help="Data folder.")]
AllowHost = Annotated[
    list[str] | None, typer.Option(metavar="HOST:PORT", help="Allow this local host:port (repeatable).")
]
Action = Annotated[
    list[str] | None,
    typer.Option(
        "--action",
        metavar="STEP|@FILE",
        help="Do this on the page before it is read, such as 'click: text=Show all' (repeatable); docs/actions.md.",
    ),
]
Session = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Named session: cookies and storage to begin with, kept for the next command."),
]
Consent = Annotated[
    str | None,
    typer.Option(metavar="ANSWER", help="Answer consent dialogs: reject (the default), accept, or leave them."),
]
Proxy = Annotated[
    str | None, typer.Option(metavar="NAME", help="Reach the page through this proxy of GLEANER_PROXIES.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print only JSON.")]


def check_name(value: str) -> str:
    """Give an id or a tenant's name as it is; InvalidRequest when it holds what no id can, such as broken UTF-8."""
    if not value.isprintable():
        raise InvalidRequest(f"{value!r} is not a valid id: it has unprintable characters")
    return value


def read_input(name: str) -> bytes:
    """Read a file; "-" is the standard input. InvalidRequest when it can't be read."""
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise InvalidRequest(f"can't read {name}: {error.strerror}") from None


def _text_of(option: str, name: str) -> str:
    try:
        return read_input(name).decode("utf-8-sig")
    except InvalidRequest as error:
        raise InvalidRequest(f"{option}: {error.message}") from None
    except ValueError:
        raise InvalidRequest(f"{option}: {name} is not UTF-8 text") from None


def read_json_option(option: str, value: str | None) -> Any:
    """Read JSON given as text or as the name of a file; an error names the option and the place."""
    if value is None:
        return None
    text, named = value, value[:80]
    if not value.lstrip().startswith(("{", "[")):
        text, named = _text_of(option, value), "the standard input" if value == "-" else value
        if not text.strip():
            raise InvalidRequest(f"{option}: {named} is empty; it must hold JSON")
    try:
        return parse_json(text)
    except ValueError as error:
        raise InvalidRequest(f"{option}: {named} is not valid JSON: {error}") from None


def read_action_options(steps: Sequence[str] | None) -> list[Any] | None:
    """Read the steps of ``--action``, each a line of text or ``@`` and the name of a file of such lines or of JSON."""
    if not steps:
        return None
    read: list[Any] = []
    for step in steps:
        if not step.startswith("@"):
            read.append(step)
            continue
        text = _text_of("--action", step[1:])
        is_json = text.lstrip().startswith(("[", "{"))
        try:
            found: Any = parse_json(text) if is_json else [*action_lines(text)]
        except ValueError as error:
            raise InvalidRequest(f"--action: {step[1:]} is not valid JSON: {error}") from None
        read += cast("list[Any]", found) if isinstance(found, list) else [found]
    return read


def given(**fields: Any) -> dict[str, Any]:
    """Give the fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}


def say_outcome(told: JsonObject, text: str, *, as_json: bool) -> int:
    """Print an outcome as JSON, or say it to a person; give the exit code."""
    if as_json:
        typer.echo(json.dumps(told))
    else:
        stderr.print(text)
    return 0


def write_bytes(path: Path, body: bytes) -> None:
    """Write bytes; OSError names the file."""
    try:
        path.write_bytes(body)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def write_output(path: Path, lines: Iterable[str]) -> None:
    """Write the lines; a file is there whole, or as it was before. OSError names the file."""
    try:
        if path.exists() and not path.is_file():  # a pipe or a device
            _write(path, lines, "w")
        else:
            _replace(path.resolve(), lines)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _replace(path: Path, lines: Iterable[str]) -> None:
    part = path.with_name(f".gleaner-{secrets.token_hex(8)}.part")  # a file of nobody else
    try:
        _write(part, lines, "x")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _write(path: Path, lines: Iterable[str], mode: str) -> None:
    with path.open(mode, encoding="utf-8", errors="backslashreplace", newline="") as file:
        file.writelines(map(shown, lines) if file.isatty() else lines)


def check_output(option: str, path: Path | None) -> None:
    """Raise InvalidRequest when a file can't be written there: before the work is done, not after it."""
    if path is None:
        return
    folder = path.resolve().parent
    if path.is_dir():
        raise InvalidRequest(f"{option}: {path} is a folder; name a file")
    if not folder.is_dir():
        raise InvalidRequest(f"{option}: there is no folder {folder}")
    is_replaced = path.is_file() or not path.exists()  # by a file that is written beside it
    written = [*([path] if path.exists() else []), *([folder] if is_replaced else [])]
    if not all(os.access(one, os.W_OK) for one in written):
        raise InvalidRequest(f"{option}: {path} is not writable")
