"""The master profile: one holder at a time, and a login state that outlives the browser (BR-4, BR-5).

Who uses it holds ``browser.lock`` in its folder, between the processes of one machine (the system frees it when the
holder dies), and the lease in the blob store, between machines. The lease's blob is the login state, too: only the
holder can write it, and the next one reads it when it takes the lease.
"""

import asyncio
import time
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from playwright.async_api import BrowserContext, Playwright, StorageState
from playwright.async_api import Error as PlaywrightError

from gleaner.adapters.browser.chromium import BrowserBuild, find_browser, launch_options
from gleaner.adapters.browser.leases import ProfileLease
from gleaner.adapters.browser.pool import browser_process_id, explain_failed_start, kill_browser
from gleaner.adapters.browser.profiles import LOCK_NAME, profile_folder
from gleaner.adapters.local.file_locks import FileLock
from gleaner.adapters.local.files import FileBlobs
from gleaner.contracts.errors import ProfileLocked, StoreThrottled
from gleaner.contracts.ports import BlobStore, JsonValue
from gleaner.contracts.settings import Settings

PLACE_NAME = "holder"
PROCESS_NAME = "browser.pid"
FIRST_RETRY_S = 0.1
LONGEST_RETRY_S = 1.0
RENEWALS = 3
CLOSE_S = 5.0


@dataclass
class MasterProfile:
    """The configured profile, to be held while a browser uses it. ``blobs`` are shared by all who may compete."""

    settings: Settings
    blobs: BlobStore | None = None
    lease: ProfileLease = field(init=False)
    folder: Path = field(init=False)
    lock: FileLock = field(init=False)
    process_id: int = field(default=0, init=False)
    """The main process of the browser that has it open."""

    def __post_init__(self) -> None:
        self.profile_id = self.settings.browser.default_profile_id
        self.folder = profile_folder(self.settings, self.profile_id)
        self.lock = FileLock(self.folder / LOCK_NAME)
        self.lease = ProfileLease(self.blobs or FileBlobs(self.settings.home / "blobs"), self.profile_id)

    @asynccontextmanager
    async def held(self) -> AsyncGenerator[None]:
        """Hold the profile; ProfileLocked when others keep it for ``master_profile_lock_timeout_ms``."""
        await self._acquire()
        renewing = asyncio.create_task(self._renew())
        try:
            self.end_left_browser()
            yield
        finally:
            renewing.cancel()
            with suppress(StoreThrottled):  # then it is free when its time is over
                await asyncio.to_thread(self.lease.release)
            self.lock.release()

    async def _acquire(self) -> None:
        timeout_ms = self.settings.browser.master_profile_lock_timeout_ms
        deadline = time.monotonic() + timeout_ms / 1000
        pause_s = FIRST_RETRY_S
        while not await self._try_acquire():
            if time.monotonic() >= deadline:
                raise ProfileLocked(
                    f"profile {self.profile_id!r} is in use by another process and was not free in {timeout_ms} ms; "
                    "close its browser (gleaner open-browser), or raise browser_master_profile_lock_timeout_ms"
                )
            await asyncio.sleep(min(pause_s, max(0.0, deadline - time.monotonic())))
            pause_s = min(2 * pause_s, LONGEST_RETRY_S)

    async def _try_acquire(self) -> bool:
        if not self.lock.try_acquire():
            return False
        taken = False
        try:
            # Under one name for one folder: who has the folder's lock knows that the name's last holder is gone.
            self.lease.holder = self._place()
            taken = await asyncio.to_thread(self.lease.try_acquire)
        finally:
            if not taken:
                self.lock.release()
        return taken

    def _place(self) -> str:
        note = self.folder / PLACE_NAME
        if not note.exists():
            note.write_text(uuid.uuid4().hex, "ascii")
        return note.read_text("ascii")

    async def _renew(self) -> None:
        while self.lease.token:
            await asyncio.sleep(self.lease.lasts_s / RENEWALS)
            with suppress(StoreThrottled, ProfileLocked):  # a lost lease has no token, and says so on saving
                await asyncio.to_thread(self.lease.renew)

    def end_left_browser(self) -> None:
        """End the browser of a holder that died: two on one folder would spoil it."""
        note = self.folder / PROCESS_NAME
        with suppress(OSError, ValueError):
            process_id = int(note.read_text("ascii"))
            if str(self.folder).encode() in Path(f"/proc/{process_id}/cmdline").read_bytes():
                kill_browser(process_id)
        note.unlink(missing_ok=True)

    def save_state(self, state: StorageState) -> None:
        """Save the login state; ProfileLocked, and nothing changed for readers, when the lease is lost."""
        if state != self.lease.state:
            self.lease.save(cast(JsonValue, state))

    @asynccontextmanager
    async def opened(
        self, playwright: Playwright, options: dict[str, Any], *, headless: bool, proxy_url: str | None
    ) -> AsyncGenerator[BrowserContext]:
        """Open the profile in a browser, logged in as it was saved; it must be held."""
        build = find_browser(self.settings, headed=not headless)
        context = await self._launch(playwright, build, options, headless=headless, proxy_url=proxy_url)
        try:
            if self.lease.state:
                await context.set_storage_state(cast(StorageState, self.lease.state))
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
            self.process_id = await browser_process_id(context.browser)
            (self.folder / PROCESS_NAME).write_text(str(self.process_id), "ascii")
        return context

    async def _close(self, context: BrowserContext) -> None:
        try:
            async with asyncio.timeout(CLOSE_S):
                await context.close()
        except (PlaywrightError, TimeoutError):
            self.end_left_browser()
        (self.folder / PROCESS_NAME).unlink(missing_ok=True)
