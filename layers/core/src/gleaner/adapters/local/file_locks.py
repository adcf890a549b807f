"""File locks, which the system releases when their holder dies."""

import sys
from pathlib import Path
from typing import IO, Self


class FileLock:
    """An exclusive lock on a file, held by this process until released or dead; as a context manager it waits."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle: IO[bytes] | None = None

    def try_acquire(self) -> bool:
        """Take the lock if it is free, without waiting."""
        return self._acquire(wait=False)

    def release(self) -> None:
        """Give the lock back; harmless when not held."""
        handle, self._handle = self._handle, None
        if handle:
            handle.close()

    def __enter__(self) -> Self:
        self._acquire(wait=True)
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def _acquire(self, *, wait: bool) -> bool:
        handle = self.path.open("a+b")
        try:
            _lock(handle, wait=wait)
        except OSError:
            handle.close()
            if wait:
                raise
            return False
        self._handle = handle
        return True


def _lock(handle: IO[bytes], *, wait: bool) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(handle.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
