"""A reading process that somebody has taken over: it says what it reaches, and does not start."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from gleaner.documents.confinement import confine


def attempts() -> dict[str, Callable[[], object]]:
    """Give what it tries: each raises OSError where it is refused."""
    parent = os.getppid()
    return {
        "variables of its parent": Path(f"/proc/{parent}/environ").read_bytes,
        "memory of its parent": Path(f"/proc/{parent}/mem").open,
        "a file": Path(__file__).read_bytes,
        "a new file": lambda: Path(f"/dev/shm/{os.getpid()}").write_bytes(b"x"),
        "the network": socket.socket,
        "a child": os.fork,
        "a program": lambda: subprocess.run(["/bin/true"], check=False),
        "a signal": lambda: os.kill(parent, 0),
    }


if __name__ == "__main__":
    tries, reached = attempts(), list[str]()
    confine(1_500_000_000, 60)
    for name, attempt in tries.items():
        try:
            attempt()
            reached.append(name)
        except OSError:
            continue
    sys.exit(f"it reaches: {', '.join(reached) or 'nothing'}")
