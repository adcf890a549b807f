"""The output stream of the command: characters it can't encode, and readers that have left."""

import io
import os
import re
import sys
from collections.abc import Iterable
from typing import Any, NoReturn, TextIO, cast

CLOSED_PIPE = 141
"""What a shell gives for a program that SIGPIPE ended. The signal itself would end servers when a client goes away."""


def take_any_text(stream: TextIO | None) -> None:
    """Have a file or a program get UTF-8 whatever the locale says, and a terminal marks for letters that it lacks.

    Half a surrogate pair is written as ``\\ud800``, which is how JSON writes it.
    """
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")


NEVER_DRAWN = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters that Gleaner itself sends to no terminal, and JSON writes as they are: U+009B begins a command."""


def end_quietly_when_closed(stream: TextIO | None) -> TextIO | None:
    """Give the stream, such that a write to a closed pipe leaves with CLOSED_PIPE and says nothing.

    A terminal gets no control characters beyond ASCII, from whatever page they come.
    """
    return None if stream is None else cast(TextIO, _Ending(stream))


class _Ending:
    def __init__(self, stream: TextIO) -> None:
        self._stream, self._is_terminal = stream, stream.isatty()

    def write(self, text: str) -> int:
        """Write the text."""
        try:
            return self._stream.write(NEVER_DRAWN.sub("\ufffd", text) if self._is_terminal else text)
        except BrokenPipeError:
            self._leave()

    def writelines(self, lines: Iterable[str]) -> None:
        """Write the lines."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Write what is kept back."""
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._leave()

    def _leave(self) -> NoReturn:
        # What is kept back would be written at the very end, and complained about.
        os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())
        sys.exit(CLOSED_PIPE)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
