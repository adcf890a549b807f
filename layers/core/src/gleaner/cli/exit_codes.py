"""The command's exit codes besides those of the errors (gleaner.errors)."""

PARTIAL = 3
IO_ERROR = 74
"""EX_IOERR of sysexits.h."""
INTERRUPTED = 130
"""What typer gives for Ctrl-C."""


class Said(int):
    """The exit code of a command that has said why it ends."""
