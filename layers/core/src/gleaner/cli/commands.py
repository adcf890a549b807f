"""The command's subcommands, and how errors become exit codes."""

import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import metadata
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from gleaner.cli import (
    batch,
    browsers,
    credentials,
    demo,
    doctor,
    extraction,
    mcp,
    scrape,
    serve,
    sites,
    strategies,
    watch,
)
from gleaner.cli.display import say_error
from gleaner.cli.exit_codes import INTERRUPTED, IO_ERROR, Said
from gleaner.contracts.errors import GleanerError
from gleaner.contracts.guides import DISTRIBUTION

USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]
"""What typer raises for arguments that it can't take; it has no public name of its own."""

EXIT_CODES = (
    "Exit codes: 0 complete, 3 partial, 2 invalid request, 69 page unavailable, 74 file can't be read or "
    "written, 75 try again later, 77 not allowed, 78 invalid setting, 70 bug in Gleaner, 130 interrupted, "
    "141 the reader closed the output."
)
app = typer.Typer(
    name="gleaner",
    no_args_is_help=True,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback(epilog=EXIT_CODES)
def gleaner(
    version: Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True)] = False,
) -> None:
    """Web pages to clean Markdown and to proven, schema-valid JSON records."""
    if version:
        typer.echo(f"gleaner {metadata.version(DISTRIBUTION)}")
        raise typer.Exit


app.command("scrape")(scrape.scrape)
app.command("suggest")(scrape.suggest)
app.command("batch")(batch.batch)
app.command("map")(sites.map_site)
app.command("crawl")(sites.crawl)
app.command("watch")(watch.watch)
app.command("serve")(serve.serve)
app.command("mcp")(mcp.mcp)
app.command("open-browser")(browsers.open_browser)
app.add_typer(extraction.app, name="extraction")
app.add_typer(strategies.app, name="strategies")
app.add_typer(credentials.tokens, name="tokens")
app.add_typer(credentials.secrets, name="secrets")
app.add_typer(browsers.sessions, name="sessions")
app.command("erase")(extraction.erase)
app.command("doctor")(doctor.doctor)
app.command("install-browser")(browsers.install)
app.command("demo")(demo.demo)


def run_command(arguments: Sequence[str] | None = None) -> int:
    """Run the command and give its exit code."""
    command = typer.main.get_command(app)
    try:
        outcome = command.main(args=arguments, prog_name="gleaner", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except typer.Abort:
        outcome = INTERRUPTED
    except USAGE_ERROR as error:
        if told := _explained_usage(error):
            _say("invalid_request", told, arguments)
        return 2
    except GleanerError as error:
        _say(error.error_type, error.message, arguments)
        return error.exit_code
    except OSError as error:
        _say("io_error", f"{error.filename or 'input or output'}: {error.strerror or error}", arguments)
        return IO_ERROR
    if outcome == INTERRUPTED and not isinstance(outcome, Said):
        say_error("interrupted; if you run the same command again, answered parts are not paid for twice")
    return int(outcome) if isinstance(outcome, int) else 0


def _say(error_type: str, message: str, arguments: Sequence[str] | None) -> None:
    """Say what went wrong on stderr; with ``--json`` on stdout, too, as a result that failed."""
    say_error(message)
    if "--json" in (sys.argv[1:] if arguments is None else arguments):
        with suppress(OSError):  # stdout may be what could not be written to
            typer.echo(json.dumps({"status": "failed", "error": {"error_type": error_type, "message": message}}))


def _explained_usage(error: Exception) -> str | None:
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError" and context is not None:
        typer.echo(context.get_help())
        return None
    where = context.command_path if context is not None else "gleaner"
    says: Any = getattr(error, "format_message", error.__str__)  # with what was probably meant
    told = str(says())
    told = told.replace("Value error, ", "")
    if isinstance(error.__cause__, ValidationError):
        given = repr(error.__cause__.errors()[0]["input"])
        told = told if given in told else f"{told.rstrip('.')}, not {given}"
    told = f"{told} See" if told.endswith("?") else f"{told.rstrip('.')}; see"
    return f"{told} `{where} --help`"
