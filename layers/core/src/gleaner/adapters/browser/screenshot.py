"""Take screenshots of the visible part and the whole page (BR-2)."""

from collections.abc import Sequence
from typing import Literal

from playwright.async_api import CDPSession, FloatRect, Locator, Page

from gleaner.adapters.browser.snapshot import evaluate
from gleaner.contracts.ports import RenderOrder

VIEWPORT = {"width": 1280, "height": 800}
MAX_SCREENSHOT_HEIGHT = 16_384
STEP_TIMEOUT_S = 20.0


async def take_screenshots(
    page: Page, session: CDPSession, order: RenderOrder, warnings: list[str], masked: Sequence[Locator] = ()
) -> dict[Literal["viewport", "full"], bytes]:
    """Give the PNGs that the order asks for; ``masked`` elements are painted over."""
    return {part: await _take(page, session, part, warnings, masked) for part in order.screenshots}


async def _take(
    page: Page, session: CDPSession, part: Literal["viewport", "full"], warnings: list[str], masked: Sequence[Locator]
) -> bytes:
    """Give the PNG of a part of the page; one of a page that is too high is cut, and says so."""
    if part == "viewport":
        return await page.screenshot(type="png", timeout=STEP_TIMEOUT_S * 1000, mask=masked)
    height = await page_height(session)
    if height <= MAX_SCREENSHOT_HEIGHT:
        return await page.screenshot(type="png", full_page=True, timeout=STEP_TIMEOUT_S * 1000, mask=masked)
    warnings.append(f"the page is {height} px high; the screenshot shows the first {MAX_SCREENSHOT_HEIGHT}")
    clip: FloatRect = {"x": 0, "y": 0, "width": VIEWPORT["width"], "height": MAX_SCREENSHOT_HEIGHT}
    return await page.screenshot(type="png", full_page=True, clip=clip, timeout=STEP_TIMEOUT_S * 1000, mask=masked)


async def page_height(session: CDPSession) -> int:
    """Give the height of the whole page in pixels."""
    return int(await evaluate(session, "document.documentElement.scrollHeight"))


async def shown_height(session: CDPSession, order: RenderOrder) -> int:
    """Give how much of the page, from its top, the screenshots show."""
    whole = "full" in order.screenshots
    return min(await page_height(session), MAX_SCREENSHOT_HEIGHT) if whole else VIEWPORT["height"]
