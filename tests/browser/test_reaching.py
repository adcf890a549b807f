"""Walls, busy hosts and unchanged pages, over real HTTP, with the browser and without."""

import pytest
from gleaner import Gleaner

from tests.browser.conftest import reply
from tests.support.acting_site import LAMPS, table
from tests.support.schemas import INTEGER, TEXT, list_of, object_of

pytestmark = pytest.mark.req("AC-6")

SCHEMA = list_of(object_of(name=TEXT, price=INTEGER))
WALL = "<title>Just a moment...</title><script>window._cf_chl_opt={}</script><p>Checking your browser"


@pytest.fixture(scope="module")
def gleaner(site, tmp_path_factory):
    with Gleaner("none", tmp_path_factory.mktemp("home"), allow_hosts=[f"127.0.0.1:{site.port}"]) as made:
        yield made


@pytest.mark.parametrize("with_browser", [True, False])
def test_a_wall_is_a_failure_of_its_own_and_never_content(site, gleaner, with_browser):
    refused = site.page("/refused", WALL, status=403, cf_mitigated="challenge")
    for url, sign in ((refused, "header cf-mitigated"), (site.page("/passed", WALL), "its page holds _cf_chl_opt")):
        result = gleaner.scrape(url, enable_javascript=with_browser)
        assert (result.status, result.error.error_type, result.markdown) == ("failed", "walled", None)
        assert f"with a wall of Cloudflare: {sign}" in result.error.message
        assert 'title "Just a moment..."' in result.error.message


@pytest.mark.parametrize("with_browser", [True, False])
def test_a_busy_host_is_asked_again_when_it_says_so(site, gleaner, with_browser):
    answers = [429, 503, 200] if not with_browser else [200, 429, 503, 200]  # the browser is asked after a probe

    def answer(handler):
        status = answers.pop(0)
        reply(handler, b"<h1>Lamps</h1>" if status == 200 else b"busy", status=status, Retry_After="0")

    site.routes["/busy"] = answer
    result = gleaner.scrape(site.url("/busy"), enable_javascript=with_browser)
    assert (result.status, result.markdown, answers) == ("complete", "# Lamps", [])
    site.page("/long", "busy", status=429, Retry_After="3600")
    late = gleaner.scrape(site.url("/long"), enable_javascript=with_browser)
    assert late.error.message.endswith("429 Too Many Requests; it asks to be left alone for 3600 s")


def _versions(site, html, path="/priced"):
    """Serve a page with a validator, and answer 304 to who knows it."""

    def answer(handler):
        if handler.headers.get("If-None-Match") == '"v1"':
            reply(handler, b"", status=304, ETag='"v1"')
        else:
            reply(handler, html.encode(), ETag='"v1"')

    site.routes[path] = answer
    return site.url(path)


def _runs(gleaner, name, url, **request):
    gleaner.gateway.create_watch({"request": {"url": url, "output_schema": SCHEMA, **request}, "name": name})
    return [gleaner.run_watch(name).status for _ in range(3)]


@pytest.mark.parametrize("with_browser", [True, False])
def test_an_unchanged_page_of_a_watch_is_asked_for_and_not_read_again(site, gleaner, with_browser):
    url = _versions(site, f"<h1>12 lamps</h1>{table(LAMPS)}<script>document.title = 'Lamps'</script>")
    assert _runs(gleaner, f"drawn-{with_browser}".lower(), url, enable_javascript=with_browser) == [
        "baseline",
        "unchanged",
        "unchanged",
    ]
    asked = [headers.get("If-None-Match") for path, headers in site.requests if path == "/priced"]
    assert asked == [*([None, None] if with_browser else [None]), '"v1"', '"v1"']
    gleaner.scrape(url, enable_javascript=with_browser)
    assert [headers.get("If-None-Match") for path, headers in site.requests if path == "/priced"][len(asked)] is None


def test_a_page_whose_scripts_fetch_its_data_is_read_anew(site, gleaner):
    site.page("/data", table(LAMPS))
    script = "fetch('/data').then(a => a.text()).then(t => { list.innerHTML = t })"
    url = _versions(site, f"<h1>12 lamps</h1><div id=list></div><script>{script}</script>", "/drawn")
    assert _runs(gleaner, "fetched", url)[0] == "baseline"
    site.page("/data", table(LAMPS[:6]))
    assert gleaner.run_watch("fetched").status == "changed"
    assert {headers.get("If-None-Match") for path, headers in site.requests if path == "/drawn"} == {None}
