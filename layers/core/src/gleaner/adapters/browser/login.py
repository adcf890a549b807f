"""``gleaner open-browser``: the master profile in a window, for a person to log in (BR-5; seed 004, section 2.3)."""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, cast

from playwright.async_api import BrowserContext, StorageState, async_playwright
from playwright.async_api import Error as PlaywrightError

from gleaner.adapters.browser.master_profile import MasterProfile
from gleaner.adapters.browser.page import context_options
from gleaner.adapters.http.address_proxy import AddressProxy
from gleaner.contracts.ports import BlobStore
from gleaner.contracts.settings import Settings


@dataclass(frozen=True, slots=True)
class LoginSession:
    """How a visit of the master profile went: why it ended, and how many cookies and origins were saved."""

    profile_id: str
    ended: Literal["closed", "timeout"]
    cookies: int
    origins: int


def open_master_browser(
    settings: Settings,
    *,
    url: str | None = None,
    blobs: BlobStore | None = None,
    headless: bool = False,
) -> LoginSession:
    """Open the master profile in a window, wait until it is closed or ``master_login_timeout_ms`` is over.

    The login state is saved every ``master_login_refresh_interval_ms`` to where the functions read it. ``url`` stands
    in for ``master_login_initial_page_url``. ProfileLocked when the profile is in use; InvalidSettings when there is
    no browser that can open a window.
    """
    with AddressProxy.from_settings(settings) as proxy:
        profile = MasterProfile(settings, blobs)
        return asyncio.run(_hold_open(profile, url, proxy.url, headless=headless))


async def _hold_open(profile: MasterProfile, url: str | None, proxy_url: str, *, headless: bool) -> LoginSession:
    settings = profile.settings
    options = context_options(settings, settings.browser.user_agent)
    if not headless:
        del options["viewport"]
        options["no_viewport"] = True
    async with (
        profile.held(),
        async_playwright() as playwright,
        profile.opened(playwright, options, headless=headless, proxy_url=proxy_url) as context,
    ):
        await _show_first_page(context, settings, url)
        return await _save_until_closed(profile, context)


async def _show_first_page(context: BrowserContext, settings: Settings, url: str | None) -> None:
    page = context.pages[0] if context.pages else await context.new_page()
    with suppress(PlaywrightError):  # the person sees what went wrong, and can go elsewhere
        await page.goto(
            url or settings.browser.master_login_initial_page_url,
            timeout=settings.browser.master_login_navigate_timeout_ms,
            wait_until="domcontentloaded",
        )


async def _save_until_closed(profile: MasterProfile, context: BrowserContext) -> LoginSession:
    browser = profile.settings.browser
    deadline = time.monotonic() + browser.master_login_timeout_ms / 1000
    closed = asyncio.Event()
    context.on("close", lambda _context: closed.set())
    saved = cast("StorageState | None", profile.lease.state)
    while not closed.is_set() and context.pages and time.monotonic() < deadline:
        with suppress(PlaywrightError):  # the window is closing
            saved = await _save(profile, context)
        interval_s = min(browser.master_login_refresh_interval_ms / 1000, deadline - time.monotonic())
        with suppress(TimeoutError):
            async with asyncio.timeout(interval_s):
                await closed.wait()
    with suppress(PlaywrightError):
        saved = await _save(profile, context)
    ended = "closed" if closed.is_set() or not context.pages else "timeout"
    cookies, origins = (len(saved.get("cookies", [])), len(saved.get("origins", []))) if saved else (0, 0)
    return LoginSession(profile.profile_id, ended, cookies, origins)


async def _save(profile: MasterProfile, context: BrowserContext) -> StorageState:
    state = await context.storage_state(indexed_db=True)
    await asyncio.to_thread(profile.save_state, state)
    return state
