"""Nobody gets in through a URL: neither the page, nor a redirect, nor what a page loads, nor a webhook (SS-1)."""

import gzip
import json
from collections.abc import Iterator
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.errors import BlockedAddress

from tests.promises.lamps import FORTY, LAMPS, page_of
from tests.promises.servers import Answer, Pages, sent_to
from tests.support.asking import Make

pytestmark = pytest.mark.req("SS-1")


@pytest.fixture
def site() -> Iterator[Pages]:
    """A server that the settings allow."""
    with Pages() as server:
        yield server


@pytest.fixture
def inside() -> Iterator[Pages]:
    """A server of this machine that no list names: nothing may come here."""
    with Pages() as server:
        server.page("/", "SECRET")
        yield server


WAYS = ("at once", "by a redirect", "by its other name", "mapped into IPv6", "blocked", "blocked by name")


@pytest.mark.parametrize("browser", [False, True], ids=["plain HTTP", "browser"])
@pytest.mark.parametrize("way", WAYS)
def test_no_request_leads_to_an_address_that_is_not_allowed(
    make: Make, site: Pages, inside: Pages, way: str, browser: bool
) -> None:
    """What is on both lists is blocked."""
    port = inside.url.rpartition(":")[2]
    site.answers["/away"] = sent_to(f"{inside.url}/")
    url = {
        "by a redirect": f"{site.url}/away",
        "by its other name": f"http://localhost:{port}/",
        "mapped into IPv6": f"http://[::ffff:127.0.0.1]:{port}/",
        "blocked by name": f"http://localhost:{port}/",
    }.get(way, f"{inside.url}/")
    lists = {
        "blocked": {"allow_hosts": [inside.host], "block_hosts": ["127.0.0.1"]},
        "blocked by name": {"allow_hosts": [f"localhost:{port}"], "block_hosts": ["localhost"]},
    }.get(way, {"allow_hosts": [site.host]})
    result = make(**lists).scrape(url, enable_javascript=browser)
    assert result.error is not None
    assert (result.status, result.error.error_type) == ("failed", "blocked_address")
    assert inside.asked == []


@pytest.mark.req("SS-2")
def test_a_page_that_unpacks_to_more_than_the_limit_is_refused_by_that_limit(make: Make, site: Pages) -> None:
    bomb = gzip.compress(b"<p>" + b"x" * 300_000)
    site.answers["/bomb"] = Answer(bomb, headers={"Content-Encoding": "gzip"})
    gleaner = make(allow_hosts=[site.host], max_page_size=100_000)
    result = gleaner.scrape(f"{site.url}/bomb", enable_javascript=False)
    assert result.error is not None
    assert (result.error.error_type, "max_page_size" in result.error.message) == ("decompressed_too_large", True)


def test_headers_that_belong_to_one_origin_do_not_go_along_to_another(make: Make, site: Pages, inside: Pages) -> None:
    site.answers["/away"] = sent_to(f"{site.url}/further")
    site.answers["/further"] = sent_to(f"{inside.url}/")
    secret = {"Authorization": "Bearer of-the-first", "Cookie": "session=of-the-first", "X-Own": "for all"}
    gleaner = make(allow_hosts=[site.host, inside.host], extra_headers=secret)
    assert gleaner.scrape(f"{site.url}/away", enable_javascript=False).status == "complete"
    assert {one.headers.get("Authorization") for one in site.asked} == {secret["Authorization"]}
    assert {one.headers.get("X-Own") for one in inside.asked} == {"for all"}
    assert not [one for one in inside.asked if {"Authorization", "Cookie"} & set(one.headers)]


STARTS: dict[str, tuple[dict[str, Any], str]] = {
    "as it comes": ({}, "default"),
    "without Playwright's arguments": ({"ignore_all_default_args": True}, "default"),
    "in one process": ({"single_process": True}, "default"),
    "the master profile": ({}, "master"),
    "the master profile without Playwright's arguments": ({"ignore_all_default_args": True}, "master"),
}
LOADS = """<h1>The page</h1><p id=tried></p><script>
const base = "{base}", tries = [];
const element = (name) => new Promise((ended) => {
  const made = Object.assign(document.createElement(name), {src: base + "/" + name, onload: ended, onerror: ended});
  document.body.append(made);
});
tries.push(element("img"), element("iframe"), element("script"));
for (const mode of ["cors", "no-cors"]) tries.push(fetch(base + "/" + mode, {mode}).catch(() => 0));
tries.push(new Promise((ended) => {
  Object.assign(new WebSocket(base.replace("http", "ws") + "/socket"), {onerror: ended, onclose: ended, onopen: ended});
}));
Promise.all(tries).then(() => document.querySelector("#tried").textContent = tries.length + " loads have ended");
</script>"""


LOADED = ["/cors", "/iframe", "/img", "/no-cors", "/script", "/socket"]


@pytest.mark.parametrize("start", [*STARTS, "allowed"])
def test_nothing_that_a_page_loads_comes_from_inside_however_the_browser_is_started(
    make: Make, site: Pages, inside: Pages, start: str
) -> None:
    """Where the list names the server, all of it comes: so these ways would lead there."""
    settings, profile = STARTS.get(start, ({"allow_hosts": [site.host, inside.host]}, "default"))
    url = site.page("/", LOADS.replace("{base}", inside.url))
    result = make(**{"allow_hosts": [site.host], **settings}).scrape(url, profile=profile)
    assert "6 loads have ended" in (result.markdown or "")
    assert sorted({*inside.paths}) == (LOADED if start == "allowed" else [])


@pytest.fixture
def hook() -> Iterator[Pages]:
    """Takes webhooks."""
    with Pages(answers={"/hook": Answer()}) as server:
        yield server


def watch_of(gleaner: Gleaner, site: Pages, hook: str) -> None:
    """Watch a page of lamps, and call the hook when it has changed."""
    site.page("/lamps", named(page_of(FORTY[:5])))
    request = {"url": f"{site.url}/lamps", "output_schema": LAMPS, "enable_javascript": False}
    gleaner.gateway.create_watch({"request": request, "name": "lamps", "webhook": {"url": hook}})


def named(html: str) -> str:
    """Give the page with the columns named as the fields are, so that no model is needed."""
    return html.replace("What", "Name").replace("By whom", "Maker").replace("How much", "Price")


def run_changed(gleaner: Gleaner, site: Pages) -> Any:
    """Run the watch, change the page, run it again; give what became of the delivery."""
    assert gleaner.run_watch("lamps").status == "baseline"
    site.page("/lamps", named(page_of(FORTY[:6])))
    run = gleaner.run_watch("lamps")
    assert run.status == "changed"
    return gleaner.gateway.watches.run("lamps", run.run_id).delivery


@pytest.mark.req("WA-1")
def test_a_webhook_that_is_allowed_is_called(make: Make, site: Pages, hook: Pages) -> None:
    gleaner = make(allow_hosts=[site.host, hook.host])
    watch_of(gleaner, site, f"{hook.url}/hook")
    assert run_changed(gleaner, site)["status"] == "delivered"
    [call] = hook.asked
    assert json.loads(call.body)["counts"] == {"new": 1, "changed": 0, "removed": 0}


@pytest.mark.req("WA-1")
@pytest.mark.parametrize("url", ["http://169.254.169.254/latest", "http://10.255.255.1/", "http://[::1]/", "http://0/"])
def test_a_webhook_to_an_address_inside_is_refused_at_once(make: Make, site: Pages, url: str) -> None:
    with pytest.raises(BlockedAddress):
        watch_of(make(allow_hosts=[site.host]), site, url)


@pytest.mark.req("WA-1")
def test_a_webhook_that_leads_inside_by_the_time_it_is_called_is_not_called(
    make: Make, site: Pages, hook: Pages
) -> None:
    """What was allowed when the watch was made is so no more: as with a name that has got another address."""
    watch_of(make(allow_hosts=[site.host, hook.host]), site, f"{hook.url}/hook")
    delivery = run_changed(make(allow_hosts=[site.host]), site)
    assert delivery["status"] == "dead"
    assert "BlockedAddress" in delivery["said"]
    assert hook.asked == []


@pytest.mark.req("WA-1")
def test_a_webhook_is_not_led_inside_by_a_redirect(make: Make, site: Pages, hook: Pages, inside: Pages) -> None:
    hook.answers["/hook"] = sent_to(f"{inside.url}/")
    gleaner = make(allow_hosts=[site.host, hook.host])
    watch_of(gleaner, site, f"{hook.url}/hook")
    assert run_changed(gleaner, site)["status"] == "dead"
    assert hook.asked
    assert inside.asked == []
