"""The ``gleaner`` command: the same requests and results, at a terminal (CL-1)."""

import signal
import sys
from collections.abc import Sequence

from gleaner.cli.exit_codes import INTERRUPTED
from gleaner.cli.pipes import end_quietly_when_closed, take_any_text


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and leave with its exit code; every error is one line that says what would be right."""
    take_any_text(sys.stdout)
    sys.stdout = end_quietly_when_closed(sys.stdout)
    signal.signal(signal.SIGTERM, _interrupt)  # a stop keeps what was found, as Ctrl-C does
    code = run(arguments)
    if sys.stdout is not None:
        sys.stdout.flush()
    sys.exit(code)


def _interrupt(number: int, _: object) -> None:
    raise KeyboardInterrupt(number)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command and give its exit code."""
    try:
        from gleaner.cli.commands import run_command  # takes a second, in which Ctrl-C is no fault either

        return run_command(arguments)
    except KeyboardInterrupt:
        sys.stderr.write("error: interrupted\n")
        return INTERRUPTED
