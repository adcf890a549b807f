"""Render: show the page in a browser and store a snapshot; by plain HTTP on a machine without a browser."""

from typing import Literal, cast

from gleaner.contracts.actions import SecretName
from gleaner.contracts.errors import ActionFailed, GleanerError, InvalidSettings, NotFound
from gleaner.contracts.models import Picture
from gleaner.contracts.ports import JsonObject, RenderedPage, RenderOrder, Secret, Services
from gleaner.jobs.blob_texts import write_json
from gleaner.jobs.jobs import Plan
from gleaner.jobs.pages import StoredPage
from gleaner.jobs.places import actions_key, pages_of, plan_of, reached_through, states_of
from gleaner.jobs.secrets import Scrubber
from gleaner.sites.busy_hosts import Patience
from gleaner.steps.deadline import before_deadline

SCREENSHOTS: dict[Picture, Literal["viewport", "full"]] = {"screenshot": "viewport", "fullscreenshot": "full"}
NO_BROWSER = "run `gleaner install-browser`, or name one in GLEANER_BROWSER_EXECUTABLE_PATH"
WITHOUT_BROWSER = (
    f"No browser is installed: the page was fetched by plain HTTP and its JavaScript was not run; {NO_BROWSER}"
)


def render_page(event: JsonObject, services: Services) -> JsonObject:
    """Take ``{job}``; store snapshot, links and screenshot; give ``{page_id}``. A stored page is not fetched again."""
    plan = plan_of(event, services)
    services = reached_through(plan.request.proxy, services)
    pages = pages_of(plan, services)
    if not pages.exists(plan.page_id):
        request = plan.request
        renderer = services.renderer
        with before_deadline(plan) as ends_at:
            if renderer is None:
                _fetch_plainly(plan, services, ends_at)
                return {"page_id": plan.page_id}
            order = RenderOrder(
                url=str(request.url),
                screenshots=tuple(SCREENSHOTS[picture] for picture in request.pictures),
                wait_for_ms=request.wait_for,
                profile=request.profile,
                ends_at=ends_at,
                batches=plan.presses,
                actions=plan.actions,
                secrets=_secrets(plan, services),
                state=_state(plan, services),
                keeps_state=plan.session is not None,
                consent=request.consent_wish,
                proxy=request.proxy,
            )
            scrubber = Scrubber(order.secrets)
            try:
                rendered = scrubber.page(Patience(ends_at).shown(lambda: renderer.render(order)))
            except ActionFailed as failed:
                _keep_failed_actions(plan, cast("ActionFailed", scrubber.error(failed)), services)
                raise
            except GleanerError as error:
                raise scrubber.error(error) from None
            if plan.session is not None and rendered.state is not None:
                states_of(plan, services).save(plan.session, order.state, rendered.state)
        pages.store(_page(plan, rendered, _store_screenshots(plan, rendered, services)), rendered.html)
        if plan.page_name is not None and rendered.validators and rendered.cut_short is None:
            pages.remember(plan.page_name, plan.page_id)
    return {"page_id": plan.page_id}


def _state(plan: Plan, services: Services) -> JsonObject | None:
    """Give what the browser begins with; NotFound for a named session that is not there, and that nothing begins."""
    if plan.session is None:
        return None
    state = states_of(plan, services).find(plan.session)
    if state is None and plan.request.session is not None and not plan.actions:
        raise NotFound(
            f"there is no session {plan.session}, or it has expired: give the actions that log in, and the session"
        )
    return state


def _secrets(plan: Plan, services: Services) -> dict[str, Secret]:
    """Give the secrets that the actions name; ActionFailed names the step of one that is not there."""
    found: dict[str, Secret] = {}
    for step, action in enumerate(plan.actions, start=1):
        if isinstance(action.value, SecretName):
            try:
                found[action.value.secret] = services.secrets.get(plan.ref.tenant, action.value.secret)
            except (NotFound, InvalidSettings) as error:
                raise ActionFailed(f"step {step}, {action}: {error.message}") from None
    return found


def _fetch_plainly(plan: Plan, services: Services, ends_at: float | None) -> None:
    """Store the page as plain HTTP gives it, with a warning; InvalidSettings for what only a browser can give."""
    from gleaner.steps.probe import store_page  # on Lambda the step has a browser, and loads no more than it needs

    request, url = plan.request, str(plan.request.url)
    shown = {
        "a request with actions": bool(plan.actions),
        "a screenshot": bool(request.pictures),
        "the master profile": request.profile == "master",
        "a session": request.session is not None,
        f"consent: {request.consent}": request.consent in ("reject", "accept"),
    }
    if any(shown.values()):
        wanted = next(name for name, is_wanted in shown.items() if is_wanted)
        raise InvalidSettings(f"{wanted} needs a browser, and none is installed: {NO_BROWSER}")
    fetched = Patience(ends_at).fetched(lambda: services.fetcher.fetch(url, ends_at=ends_at))
    store_page(plan.ref, url, fetched, services, ends_at, warnings=(WITHOUT_BROWSER,))


def _store_screenshots(plan: Plan, rendered: RenderedPage, services: Services) -> dict[str, str]:
    taken = {name: rendered.screenshots[part] for name, part in SCREENSHOTS.items() if part in rendered.screenshots}
    return {name: _store_picture(plan, name, picture, services) for name, picture in taken.items()}


def _store_picture(plan: Plan, name: str, picture: bytes, services: Services) -> str:
    key = f"screenshots/{plan.ref.tenant}/{plan.page_id}.{name}.png"
    services.blobs.write(key, picture, "image/png")
    return key


def _keep_failed_actions(plan: Plan, failed: ActionFailed, services: Services) -> None:
    """Store what came of the actions, with a picture of the page at the one that could not be done."""
    outcomes = [outcome.model_dump(mode="json") for outcome in failed.outcomes]
    if outcomes and failed.screenshot is not None:
        outcomes[-1]["screenshot"] = _store_picture(plan, "failed", failed.screenshot, services)
    write_json(services.blobs, actions_key(plan.ref), outcomes)


def _page(plan: Plan, rendered: RenderedPage, screenshots: dict[str, str]) -> StoredPage:
    return StoredPage(
        page_id=plan.page_id,
        url=str(plan.request.url),
        source_url=rendered.url,
        status=rendered.status,
        title=rendered.title,
        links=rendered.links,
        screenshots=screenshots,
        console_errors=rendered.console_errors,
        warnings=rendered.warnings,
        timings_ms=dict(rendered.timings),
        cut_short=rendered.cut_short,
        actions=rendered.actions,
        consent=rendered.consent,
        validators=dict(rendered.validators),
    )
