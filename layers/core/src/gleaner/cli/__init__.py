"""The ``gleaner`` command: the same requests and results, at a terminal (CL-1).

Exit codes: 0 complete, 3 partial, 2 the request is wrong, 69 the page can't be had, 75 try again later, 77 not
allowed, 78 a setting is wrong, 70 a fault of Gleaner, 130 interrupted.
"""

import sys
from collections.abc import Sequence

import click
import typer

from gleaner.cli import demo, doctor, scrape
from gleaner.cli.display import say_error
from gleaner.errors import GleanerError

app = typer.Typer(
    name="gleaner",
    help="Web pages to clean Markdown and to proven, schema-valid JSON records.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("scrape")(scrape.scrape)
app.command("doctor")(doctor.doctor)
app.command("demo", hidden=True)(demo.demo)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and leave with its exit code; every error is one line that says what would be right."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command and give its exit code."""
    command = typer.main.get_command(app)
    try:
        outcome = command.main(args=arguments, prog_name="gleaner", standalone_mode=False)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else error.format_message())
        return 2
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        where = context.command_path if context else "gleaner"
        say_error(f"{error.format_message().rstrip('.')}; see `{where} --help`")
        return 2
    except click.exceptions.Abort:
        say_error("interrupted")
        return 130
    except GleanerError as error:
        say_error(error.message)
        return error.exit_code
    return outcome if isinstance(outcome, int) else 0
