"""The ``gleaner`` command: the same requests and results, at a terminal (CL-1)."""

import atexit
import gc
import os
import signal
import sys
import time
from collections.abc import Sequence

from gleaner.cli.exit_codes import INTERRUPTED
from gleaner.cli.pipes import end_quietly_when_closed, take_any_text

_SAME_STOP_S = 1.0
"""Signals so soon after the first are one stop: ``timeout`` sends two, and keys bounce."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and leave with its exit code; every error is one line that says what would be right."""
    take_any_text(sys.stdout)
    sys.stdout = end_quietly_when_closed(sys.stdout)
    signal.signal(signal.SIGTERM, _stop)  # a stop keeps what was found, as Ctrl-C does
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a shell's background jobs ignore it
        signal.signal(signal.SIGINT, _stop)
    atexit.register(_heed_no_signal)
    gc.disable()  # what is imported stays to the end: looking through it for rubbish takes a fifth of a command's time
    code = run(arguments)
    if sys.stdout is not None:
        sys.stdout.flush()
    sys.exit(code)


def _heed_no_signal() -> None:
    """Let no signal change the exit code that is settled: the interpreter gives up our handlers before it ends."""
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, signal.SIG_IGN)


def _stop(number: int, _: object) -> None:
    """Stop the command, which then writes what it found; whoever asks again, not at once, ends it as a kill would."""
    begun = time.monotonic()

    def again(*_: object) -> None:
        if time.monotonic() - begun > _SAME_STOP_S:
            os._exit(INTERRUPTED)

    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, again)
    raise KeyboardInterrupt(number)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command and give its exit code."""
    try:
        from gleaner.cli.commands import run_command  # takes a second, in which Ctrl-C is no fault either

        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        return run_command(arguments)
    except KeyboardInterrupt:
        sys.stderr.write("error: interrupted\n")
        return INTERRUPTED
