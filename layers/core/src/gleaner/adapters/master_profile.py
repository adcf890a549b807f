"""The master profile: one holder at a time, and a login state that outlives the browser (BR-4, BR-5).

Who uses it holds ``browser.lock`` in its folder (between the processes of one machine; the system frees it when the
holder dies) and, where a table is given, a lease (between machines). The login state is written by the holder alone:
to the folder, and where blobs are given, under ``profiles/`` for the functions to read.
"""

import asyncio
import json
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from playwright.async_api import BrowserContext, Playwright, StorageState
from playwright.async_api import Error as PlaywrightError

from gleaner.adapters.browser_pool import browser_process_id, explain_failed_start, kill_browser
from gleaner.adapters.chromium import BrowserBuild, find_browser, launch_options
from gleaner.adapters.profiles import LOCK_NAME, FileLock, profile_folder
from gleaner.errors import NotFound, ProfileLocked
from gleaner.leases import PROFILE_LOCK, ProfileLease, state_of
from gleaner.ports import BlobStore, TableStore
from gleaner.settings import Settings

STATE_NAME = "storage_state.json"
PROCESS_NAME = "browser.pid"
RETRY_S = 0.1
CLOSE_S = 5.0


@dataclass
class MasterProfile:
    """The configured profile, to be held while a browser uses it."""

    settings: Settings
    table: TableStore | None = None
    blobs: BlobStore | None = None
    lease: ProfileLease | None = field(init=False, default=None)
    folder: Path = field(init=False)
    lock: FileLock = field(init=False)

    def __post_init__(self) -> None:
        self.profile_id = self.settings.browser.default_profile_id
        self.folder = profile_folder(self.settings, self.profile_id)
        self.lock = FileLock(self.folder / LOCK_NAME)
        if self.table:
            self.lease = ProfileLease(self.table, self.profile_id)

    @asynccontextmanager
    async def held(self) -> AsyncGenerator[None]:
        """Hold the profile; ProfileLocked when others keep it for ``master_profile_lock_timeout_ms``."""
        await self._acquire()
        try:
            self.end_left_browser()
            yield
        finally:
            if self.lease:
                await asyncio.to_thread(self.lease.release)
            self.lock.release()

    async def _acquire(self) -> None:
        timeout_ms = self.settings.browser.master_profile_lock_timeout_ms
        deadline = time.monotonic() + timeout_ms / 1000
        while True:
            if self.lock.try_acquire():
                if self.lease is None or await asyncio.to_thread(self.lease.try_acquire):
                    return
                self.lock.release()
            if time.monotonic() >= deadline:
                raise ProfileLocked(
                    f"profile {self.profile_id!r} is in use by another process and was not free in {timeout_ms} ms; "
                    "close its browser (gleaner open-browser), or raise browser_master_profile_lock_timeout_ms"
                )
            await asyncio.sleep(RETRY_S)

    def end_left_browser(self) -> None:
        """End the browser of a holder that died: two on one folder would spoil it."""
        note = self.folder / PROCESS_NAME
        with suppress(OSError, ValueError):
            process_id = int(note.read_text("ascii"))
            if str(self.folder).encode() in Path(f"/proc/{process_id}/cmdline").read_bytes():
                kill_browser(process_id)
        note.unlink(missing_ok=True)

    def read_state(self) -> StorageState | None:
        """Give the saved login state: what the lease names, else the blob, else the folder's file."""
        body = self._read_blob() or self._read_file()
        return cast(StorageState, json.loads(body)) if body else None

    def _read_blob(self) -> bytes | None:
        if self.blobs is None:
            return None
        key = state_of(self.table.get(PROFILE_LOCK, self.profile_id)) if self.table else None
        try:
            return self.blobs.read(key or self.state_key)
        except NotFound:
            return None

    def _read_file(self) -> bytes | None:
        try:
            return (self.folder / STATE_NAME).read_bytes()
        except FileNotFoundError:
            return None

    @property
    def may_save(self) -> bool:
        """Tell whether this holder is the only writer: locally the lock says so, elsewhere the lease."""
        return self.lease is not None or not self.settings.cloud

    @property
    def state_key(self) -> str:
        """The blob that holds the login state for readers that have no table."""
        return f"profiles/{self.profile_id}/{STATE_NAME}"

    def save_state(self, state: StorageState) -> None:
        """Save the login state; ProfileLocked, and nothing changed for readers, when the lease is lost."""
        body = json.dumps(state).encode()
        if self.lease:
            key = f"profiles/{self.profile_id}/{self.lease.token:08d}-{self.lease.holder}.json"
            if self.blobs:
                self.blobs.write(key, body, "application/json")
            self.lease.write_state(key if self.blobs else None)
        if self.blobs:
            self.blobs.write(self.state_key, body, "application/json")
        part = self.folder / f"{STATE_NAME}.part"
        part.write_bytes(body)
        part.chmod(0o600)
        part.replace(self.folder / STATE_NAME)

    @asynccontextmanager
    async def opened(
        self, playwright: Playwright, options: dict[str, Any], *, headless: bool, proxy_url: str | None
    ) -> AsyncGenerator[BrowserContext]:
        """Open the profile in a browser, logged in as it was saved; it must be held."""
        build = find_browser(self.settings, headed=not headless)
        context = await self._launch(playwright, build, options, headless=headless, proxy_url=proxy_url)
        try:
            state = await asyncio.to_thread(self.read_state)
            if state:
                await context.set_storage_state(state)
            yield context
        finally:
            await self._close(context)

    async def _launch(
        self,
        playwright: Playwright,
        build: BrowserBuild,
        options: dict[str, Any],
        *,
        headless: bool,
        proxy_url: str | None,
    ) -> BrowserContext:
        scratch = self.folder / "scratch"
        scratch.mkdir(exist_ok=True)
        options = {**options, **launch_options(self.settings, build, scratch, headless=headless, proxy_url=proxy_url)}
        if not headless:
            options["args"] = [*options["args"], *self.settings.browser.master_login_args]
        try:
            context = await playwright.chromium.launch_persistent_context(self.folder, **options)
        except PlaywrightError as error:
            raise explain_failed_start(error.message) from None
        if context.browser:
            process_id = await browser_process_id(context.browser)
            (self.folder / PROCESS_NAME).write_text(str(process_id), "ascii")
        return context

    async def _close(self, context: BrowserContext) -> None:
        try:
            async with asyncio.timeout(CLOSE_S):
                await context.close()
        except (PlaywrightError, TimeoutError):
            self.end_left_browser()
        (self.folder / PROCESS_NAME).unlink(missing_ok=True)
