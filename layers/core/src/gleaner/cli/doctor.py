"""``gleaner doctor``: check what works on this machine, and say how to fix the rest."""

import json
import platform
import sys
import time
import uuid
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from gleaner.cli.display import plain, stdout
from gleaner.cli.options import Home, Model
from gleaner.contracts.errors import GleanerError
from gleaner.contracts.guides import guide
from gleaner.contracts.ports import JsonObject, JsonValue, ModelRequest
from gleaner.contracts.settings import Settings, load_settings
from gleaner.wiring import WiredServices, browser_version

FOLDER_ADVICE = "make the folder writable, or choose another with --home or GLEANER_HOME"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: whether it works, what was found, and what to do if it does not."""

    name: str
    works: bool
    found: str
    advice: str = ""


def doctor(
    home: Home = None,
    model: Model = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> int:
    """Check what works on this machine, and say how to fix the rest.

    It tests Python, the data folder, the browser, the state machine and the model. The exit code is 1 if one fails.
    """
    settings = load_settings(home=home, model=model)
    findings = [check(settings) for check in (_python, _data_folder, _browser, _state_machine, _model)]
    if as_json:
        typer.echo(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        for finding in findings:
            mark = "[green]✓[/]" if finding.works else "[red]✗[/]"
            stdout.print(f"{mark} {finding.name:<14} {plain(finding.found)}", soft_wrap=True)
            if finding.advice:
                stdout.print(f"  {'':<14} [dim]→ {plain(finding.advice)}[/]", soft_wrap=True)
    return 0 if all(finding.works for finding in findings) else 1


def is_checkout() -> bool:
    """Tell whether this is a checkout of the project, with its Makefile, and no installed package."""
    return any((folder / "Makefile").is_file() for folder in Path(__file__).resolve().parents[4:6])


def install_command(what: str, prefix: str = sys.prefix) -> str:
    """Give the command that installs something the way Gleaner itself was installed.

    >>> install_command("gleaner-extract", "/home/a/.local/share/uv/tools/gleaner")
    "uv tool install 'gleaner-extract'"
    """
    if is_checkout() and prefix == sys.prefix:
        return "make setup"
    parts = Path(prefix).parts
    if "pipx" in parts:
        return f"pipx install --force '{what}'"
    if {"uv", "tools"} <= set(parts):
        return f"uv tool install '{what}'"
    return f"{sys.executable} -m pip install '{what}'"


def _python(_: Settings) -> Finding:
    works = sys.version_info >= (3, 11)
    return Finding("python", works, platform.python_version(), "" if works else "Python 3.11 or newer is needed")


def _data_folder(settings: Settings) -> Finding:
    probe = settings.home / f".doctor-{uuid.uuid4().hex}"
    try:
        settings.home.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"")
        probe.unlink()
        with closing(WiredServices(settings)) as services:
            _ = settings.cloud or services.table  # opens the database
    except FileExistsError:
        return Finding("data folder", False, f"{settings.home} is a file, not a folder", FOLDER_ADVICE)
    except OSError as error:
        return Finding("data folder", False, f"{settings.home}: {error.strerror}", FOLDER_ADVICE)
    except GleanerError as error:
        return Finding("data folder", False, error.message)
    return Finding("data folder", True, str(settings.home))


def _browser(settings: Settings) -> Finding:
    def start() -> str:
        return browser_version(settings)

    mend = "run `make setup`" if is_checkout() else "run `gleaner install-browser`"
    advice = f"{mend}, or set GLEANER_BROWSER_EXECUTABLE_PATH to a Chrome or Chromium"
    return _timed("browser", start, advice, settings.home)


def _no_function(function: str, payload: JsonObject) -> JsonValue:
    return {"function": function, **payload}


def _state_machine(_: Settings) -> Finding:
    def run() -> str:
        from gleaner.local.engine import LocalEngine

        engine = LocalEngine(_no_function)
        outcome = engine.load("doctor", '{"StartAt": "Done", "States": {"Done": {"Type": "Succeed"}}}').run(
            {}, "doctor"
        )
        return outcome.status.lower()

    return _timed("state machine", run, f"reinstall Gleaner: {install_command('gleaner-extract')}")


def _model(settings: Settings) -> Finding:
    if settings.model == "none":
        advice = f"set GLEANER_MODEL, as ollama:qwen3, openai:gpt-5-mini or bedrock:MODEL_ID; see {guide('models')}"
        return Finding("model", True, "none: only the page's own data and recipes can answer", advice)

    def ask() -> str:
        with closing(WiredServices(settings)) as services:
            if services.model is None:
                return "none"
            question = ModelRequest("Answer with one word.", "Say: ready", max_output_tokens=64, timeout_s=20)
            answer = services.model.answer(question)
        return f"{settings.model}: {answer.text.strip()[:40]!r}"

    return _timed("model", ask, "check the model's name, its key and its endpoint")


def _timed(name: str, check: Callable[[], str], advice: str, folder: Path | None = None) -> Finding:
    """Look at one thing; ``folder`` is where it writes, which has an advice of its own."""
    started = time.monotonic()
    try:
        found = check()
    except GleanerError as error:
        return Finding(name, False, error.message, advice)
    except OSError as error:
        place = Path(str(error.filename or name))
        is_folder = folder is not None and (place.is_relative_to(folder) or folder.is_relative_to(place))
        return Finding(name, False, f"{place}: {error.strerror or error}", FOLDER_ADVICE if is_folder else advice)
    except ImportError as error:
        return Finding(name, False, f"{error.name} is not installed", advice)
    return Finding(name, True, f"{found} ({time.monotonic() - started:.2f} s)")
