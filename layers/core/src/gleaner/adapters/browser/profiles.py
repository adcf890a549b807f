"""Browser profiles: their folders, and the locks that show which are in use (BR-4)."""

import itertools
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from gleaner.adapters.local.file_locks import FileLock
from gleaner.contracts.errors import InvalidSettings
from gleaner.contracts.settings import Settings

LOCK_NAME = "browser.lock"
CLOUD_ROOT = Path("/tmp/gleaner-profiles")  # noqa: S108 - the only folder that a Lambda function may write to


def profile_root(settings: Settings) -> Path:
    """Give the folder of all profiles."""
    if settings.browser.master_user_data_root:
        return settings.browser.master_user_data_root
    return CLOUD_ROOT if settings.cloud else settings.home / "profiles"


def profile_folder(settings: Settings, profile_id: str) -> Path:
    """Give a profile's folder, made if need be; InvalidSettings when the id does not match ``profile_id_regex``."""
    pattern = settings.browser.profile_id_regex
    if not re.fullmatch(pattern, profile_id) or profile_id in {".", ".."} or Path(profile_id).name != profile_id:
        raise InvalidSettings(f"profile id {profile_id!r} does not match {pattern}")
    folder = profile_root(settings) / profile_id
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@dataclass(frozen=True, slots=True)
class WorkerFolder:
    """The profile folder of an isolated worker, ``slave_{pid}_{n}``, with the lock that shows that it is in use."""

    path: Path
    lock: FileLock

    @property
    def user_data(self) -> Path:
        """Where the browser keeps its profile."""
        return self.path / "data"

    def remove(self) -> None:
        """Delete the folder."""
        shutil.rmtree(self.path, ignore_errors=True)
        self.lock.release()
        self.lock.path.unlink(missing_ok=True)


def open_worker_folder(settings: Settings) -> WorkerFolder:
    """Make a profile folder with the first number that no worker of this process has."""
    root = profile_root(settings)
    root.mkdir(parents=True, exist_ok=True)
    paths = (root / f"slave_{os.getpid()}_{number}" for number in itertools.count())
    folders = (WorkerFolder(path, FileLock(path.with_suffix(".lock"))) for path in paths)
    folder = next(folder for folder in folders if folder.lock.try_acquire())
    shutil.rmtree(folder.path, ignore_errors=True)
    folder.user_data.mkdir(parents=True)
    return folder


def remove_stale_folders(settings: Settings) -> None:
    """Delete worker folders whose process has died; nobody holds their locks."""
    for lock_path in profile_root(settings).glob("slave_*_*.lock"):
        folder = WorkerFolder(lock_path.with_suffix(""), FileLock(lock_path))
        if folder.lock.try_acquire():
            folder.remove()
