"""The blob store as files below the data folder."""

import errno
import hashlib
import os
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from gleaner.adapters.local.file_locks import FileLock
from gleaner.contracts.errors import InternalError, NotFound, StorageFull
from gleaner.contracts.ports import StoredBlob

EXPIRING = ("jobs", "pages", "screenshots", "media", "batches", "inbox")
"""What the rules of the bucket in template.yaml delete after RetentionDays."""


NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})


def said_of_full_disk(path: Path) -> str:
    """Say which disk is full, and what to do."""
    return f"{path}: no space is left on its disk; make room, and run the same again: what was stored is kept"


class FileBlobs:
    """BlobStore over a folder: a key is a relative path; a file appears whole or not at all."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, key: str, body: bytes, content_type: str = "application/octet-stream") -> None:  # noqa: ARG002
        """Write to a neighbour, then rename over the old file."""
        path = self._path(key)
        try:
            replace_file(path, body)
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, body)

    def read(self, key: str) -> bytes:
        """Read the file; NotFound when there is none."""
        try:
            return self._path(key).read_bytes()
        except (FileNotFoundError, IsADirectoryError):
            raise NotFound(f"nothing is stored under {key!r}") from None

    def exists(self, key: str) -> bool:
        """Tell whether the file is there."""
        return self._path(key).is_file()

    def find(self, key: str) -> StoredBlob | None:
        """Read the file with its tag; None when there is none."""
        try:
            with self._path(key).open("rb") as file:
                return StoredBlob(body := file.read(), _tag(body), time.time() - os.fstat(file.fileno()).st_mtime)
        except (FileNotFoundError, IsADirectoryError):
            return None

    def write_if(self, key: str, body: bytes, tag: str | None) -> str | None:
        """Write the file if it is still the one of the tag, under a lock beside it."""
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_name(f".{path.name}.lock")):
            found = self.find(key)
            if (found.tag if found else None) != tag:
                return None
            replace_file(path, body, mode=0o600)
        return _tag(body)

    def url(self, key: str, expires_s: int = 3600) -> str:  # noqa: ARG002
        """Give the file's URL, which does not expire."""
        return self._path(key).resolve().as_uri()

    def keys(self, folder: str) -> Iterator[str]:
        """Give the keys below a folder, without what is being written."""
        for at, _, names in os.walk(self._path(folder)):
            inner = Path(at).relative_to(self.root).as_posix()
            yield from (f"{inner}/{name}" for name in names if not name.startswith("."))

    def delete(self, keys: Sequence[str]) -> None:
        """Delete the files, their locks, and the folders that are empty then."""
        for path in map(self._path, keys):
            path.unlink(missing_ok=True)
            path.with_name(f".{path.name}.lock").unlink(missing_ok=True)
            with suppress(OSError):  # it is not empty, or gone already
                for parent in path.parents[: len(path.relative_to(self.root).parts) - 1]:
                    parent.rmdir()

    def expire(self, age_s: float) -> None:
        """Delete the files of jobs, pages and the like that are older; profiles stay. In the cloud the bucket does."""
        limit = time.time() - age_s
        steps = (step for name in EXPIRING for step in os.walk(self.root / name, topdown=False))
        for folder, names in ((Path(folder), names) for folder, _, names in steps):
            with suppress(OSError):  # another process deletes, too; and only an empty folder goes
                was_left = folder.stat().st_mtime < limit
                for path in (folder / name for name in names):
                    if path.stat().st_mtime < limit:
                        path.unlink(missing_ok=True)
                if was_left:
                    folder.rmdir()

    def _path(self, key: str) -> Path:
        parts = key.split("/")
        if key.startswith("/") or any(part in ("", ".", "..") or os.sep in part or "\0" in part for part in parts):
            raise InternalError(f"{key!r} is not a blob key")
        return self.root.joinpath(*parts)


def replace_file(path: Path, body: bytes, mode: int = 0o666) -> None:
    """Write a file, whole or not at all; its folder is there."""
    part = path.with_name(f".{path.name[:100]}.{uuid.uuid4().hex}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(body)
        part.replace(path)
    except BaseException as error:
        part.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            raise StorageFull(said_of_full_disk(path)) from None
        if isinstance(error, OSError):
            error.filename = error.filename or str(path)  # what is full or broken is told by its name
        raise


def _tag(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()
