"""Render: show the page in a browser and store a snapshot."""

from typing import Literal

from gleaner.contracts.ports import JsonObject, RenderedPage, RenderOrder, Services
from gleaner.jobs.jobs import Plan
from gleaner.jobs.pages import StoredPage
from gleaner.jobs.places import pages_of, plan_of
from gleaner.steps.deadline import before_deadline

SCREENSHOTS: dict[str, Literal["viewport", "full"]] = {"screenshot": "viewport", "fullscreenshot": "full"}


def render_page(event: JsonObject, services: Services) -> JsonObject:
    """Take ``{job}``; store snapshot, links and screenshot; give ``{page_id}``. A stored page is not fetched again."""
    plan = plan_of(event, services)
    pages = pages_of(plan, services)
    if not pages.exists(plan.page_id):
        request = plan.request
        with before_deadline(plan) as ends_at:
            order = RenderOrder(
                url=str(request.url),
                screenshot=SCREENSHOTS.get(request.format, "none"),
                wait_for_ms=request.wait_for,
                profile=request.profile,
                ends_at=ends_at,
                batches=plan.presses,
            )
            rendered = services.renderer.render(order)
        pages.store(_page(plan, rendered, _store_screenshot(plan, rendered, services)), rendered.html)
    return {"page_id": plan.page_id}


def _store_screenshot(plan: Plan, rendered: RenderedPage, services: Services) -> str | None:
    if rendered.screenshot is None:
        return None
    key = f"screenshots/{plan.ref.tenant}/{plan.page_id}.png"
    services.blobs.write(key, rendered.screenshot, "image/png")
    return key


def _page(plan: Plan, rendered: RenderedPage, screenshot_key: str | None) -> StoredPage:
    return StoredPage(
        page_id=plan.page_id,
        url=str(plan.request.url),
        source_url=rendered.url,
        status=rendered.status,
        title=rendered.title,
        links=rendered.links,
        screenshot_key=screenshot_key,
        screenshot_format=plan.request.format if screenshot_key else None,
        console_errors=rendered.console_errors,
        warnings=rendered.warnings,
        timings_ms=dict(rendered.timings),
        cut_short=rendered.cut_short,
    )
