"""A site of 300 pages is mapped: by sitemaps, feeds and links; each page once, and what is missing is said (MP-1)."""

import asyncio
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gleaner import AsyncGleaner, Gleaner
from gleaner.contracts.errors import GleanerError, InvalidRequest
from gleaner.contracts.settings import load_settings
from gleaner.jobs.site_maps import MapOrder, SiteMap
from gleaner.local.runner import LocalRunner
from gleaner.service.gateway import Gateway
from gleaner.steps.site import walk as walk_module
from gleaner.steps.site.mapping import map_site, site_maps_of
from gleaner.steps.site.walk import SiteWalk
from gleaner.wiring import WiredServices

from tests.support.mapped_site import IN_SITEMAPS, NAMESPACE, PAGES, MappedSite, SiteTrouble, page_path

pytestmark = pytest.mark.req("MP-1")
FORBIDDEN = {n for n in range(1, PAGES + 1) if str(n).startswith("13")}
"""Pages that robots.txt disallows: "Disallow: /parts/13"."""


@pytest.fixture
def site() -> Iterator[MappedSite]:
    with MappedSite() as made:
        yield made


@pytest.fixture
def services(site: MappedSite, tmp_path: Path) -> Iterator[WiredServices]:
    made = WiredServices(load_settings({}, home=tmp_path / "home", allow_hosts=[site.host]))
    yield made
    made.close()


def mapped(site: MappedSite, services: WiredServices, **order: Any) -> SiteMap:
    walk = SiteWalk(MapOrder.read({"url": site.url, **order}), services, sleep=lambda _: None)
    assert walk.run()
    return walk.result()


def numbers(site: MappedSite, found: SiteMap) -> list[int]:
    """Give which pages are in a map, once for each time that they are."""
    paths = {site.url + page_path(n): n for n in range(1, PAGES + 1)}
    return sorted(paths[one.url] for one in found if one.url in paths)


def test_sitemaps_feeds_and_links_give_each_page_of_the_site_once(site: MappedSite, services: WiredServices) -> None:
    found = mapped(site, services, depth=12)
    assert found.status == "complete"
    assert numbers(site, found) == [n for n in range(1, PAGES + 1) if n not in FORBIDDEN]
    assert len(found) == PAGES - len(FORBIDDEN) + 2, "the first page and the manual, besides"
    assert found.read == {"sitemaps": 6, "feeds": 1, "pages": 101}
    assert found.left_out["robots"] == len(FORBIDDEN) + 1
    assert (found.left_out["other_hosts"], found.left_out["broken"]) == (2, 1)
    assert found.warnings == ["robots.txt disallows 12 URLs; ignore_robots lists them"]
    assert not any("/parts/13" in path for path in site.asked), "what is disallowed is not read either"
    indexes = ("/sitemap-index.xml", "/nested-index.xml")
    assert [site.asked[path] for path in indexes] == [1, 1], "though each leads to the other"


def test_titles_and_times_of_change_are_kept_from_wherever_they_are_known(
    site: MappedSite, services: WiredServices
) -> None:
    urls = {one.url.removeprefix(site.url): one for one in mapped(site, services, depth=2)}
    assert urls["/parts/1"].to_json() == {
        "url": f"{site.url}/parts/1", "title": "Part 1 is new", "last_modified": "2026-03-01", "source": "sitemap",
    }  # fmt: skip
    assert (urls[page_path(300)].source, urls[page_path(300)].last_modified) == ("feed", "2026-03-03T10:00:00+00:00")
    assert (urls["/"].title, urls["/"].source) == ("Parts", "start")
    assert (urls["/parts/202"].title, urls["/parts/202"].source) == ("Part 202", "link")


@pytest.mark.parametrize(("depth", "links"), [(0, 0), (1, 10), (2, 20), (3, 30)])
def test_links_are_followed_to_the_depth_that_was_asked_for(
    site: MappedSite, services: WiredServices, depth: int, links: int
) -> None:
    found = numbers(site, mapped(site, services, depth=depth))
    assert len([n for n in found if n > IN_SITEMAPS and n != 300]) == links


GLOBS = [
    ({"include": ["/parts/1?"]}, [n for n in range(10, 20) if n != 13]),
    ({"include": ["/parts/7", "*/parts/8"]}, [7, 8]),
    ({"include": ["http*://*/parts/2[0-4]"]}, [20, 22, 23]),
    ({"include": ["/parts/*"], "exclude": ["/parts/[!5]*"]}, [5, *range(50, 60)]),
    ({"exclude": ["*view=list*", "/parts/1*"]}, [n for n in range(2, 201) if n % 3 and not str(n).startswith("1")]),
]


@pytest.mark.parametrize(("order", "wanted"), GLOBS)
def test_globs_say_what_is_listed(
    site: MappedSite, services: WiredServices, order: dict[str, Any], wanted: list[int]
) -> None:
    assert numbers(site, mapped(site, services, depth=0, **order)) == wanted


def test_pages_that_no_glob_lists_are_followed_and_excluded_ones_are_not(
    site: MappedSite, services: WiredServices
) -> None:
    through = mapped(site, services, depth=5, include=["/parts/24[0-9]"])
    assert len(numbers(site, through)) == 10
    closed = mapped(site, services, depth=5, include=["/parts/24[0-9]*"], exclude=["/parts/21[0-9]*"])
    assert numbers(site, closed) == []


def test_other_hosts_are_listed_when_asked_for_and_never_read(site: MappedSite, services: WiredServices) -> None:
    found = mapped(site, services, depth=3, other_hosts=True)
    assert {one.url for one in found if "elsewhere" in one.url} == {
        "https://elsewhere.example/parts/1", "https://elsewhere.example/",
    }  # fmt: skip
    assert found.status == "complete"


def test_robots_rules_can_be_ignored(site: MappedSite, services: WiredServices) -> None:
    site.trouble.crawl_delay = 3
    waits: list[float] = []
    walk = SiteWalk(MapOrder(url=site.url, ignore_robots=True), services, sleep=waits.append)
    walk.run()
    assert set(numbers(site, walk.result())) > FORBIDDEN
    assert waits == []


def test_a_pause_between_requests_is_kept(site: MappedSite, services: WiredServices) -> None:
    site.trouble.crawl_delay = 3
    waits: list[float] = []
    walk = SiteWalk(MapOrder(url=site.url, depth=2), services, sleep=waits.append)
    walk.run()
    assert waits == [3.0] * (sum(walk.site_map.found.values()) - 1 + 1), "one for /gone, too"


def sitemap_of(*urls: str) -> bytes:
    return f"<urlset xmlns='{NAMESPACE}'>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>".encode()


HTML = b"<!doctype html><title>Shop</title><p>Welcome"
LOGIN = b"<!doctype html><title>Sign in</title><form><input type=password></form>"
BOMB = gzip.compress(b"<urlset>" + b" " * 60_000_000, compresslevel=1)
TROUBLES = [
    ((404, "text/html", b"no"), "answered 404 Not Found", 5),
    ((503, "text/html", b"no"), "answered 503 Service Unavailable", 5),
    ((200, "text/html", HTML), "it is an HTML page, not a sitemap", 5),
    ((200, "text/html", LOGIN), "it asks for a login", 5),
    ((200, "application/xml", b"<urlset><url><loc>/parts/1</loc></url><url><loc>/par"), "it breaks off before", 5),
    ((200, "application/xml", b"<!DOCTYPE a [<!ENTITY b 'c'>]><urlset/>"), "it declares entities", 5),
    ((200, "application/gzip", BOMB), "unpacks to more than 52428800 bytes", 5),
    ((200, "application/json", b"{}"), "no line of it is an address", 5),
]


@pytest.mark.parametrize(("answer", "said", "read"), TROUBLES, ids=[said for _, said, _ in TROUBLES])
def test_a_sitemap_that_is_none_is_said_and_the_others_are_read(
    site: MappedSite, services: WiredServices, answer: tuple[int, str, bytes], said: str, read: int
) -> None:
    site.trouble.files["/sitemap-1.xml"] = answer
    found = mapped(site, services, depth=0)
    assert (found.status, found.read["sitemaps"]) == ("partial", read)
    assert found.warnings[0] == "5 of 6 sitemaps were read"
    assert said in found.warnings[1]
    assert set(numbers(site, found)) >= set(range(51, 201)) - FORBIDDEN


def test_caps_end_a_map_with_what_it_has_and_say_so(site: MappedSite, services: WiredServices) -> None:
    found = mapped(site, services, max_urls=20)
    assert (len(found), found.status) == (20, "partial")
    assert "the cap of 20 URLs is reached: the site has more" in found.warnings
    exact = mapped(site, services, max_urls=203)
    assert (len(exact), exact.status) == (203, "complete")
    found = mapped(site, services, max_sitemaps=3, depth=0)
    assert found.status == "partial"
    assert "max_sitemaps is 3: the site has more sitemaps" in found.warnings


def test_an_index_of_endless_sitemaps_ends(site: MappedSite, services: WiredServices) -> None:
    listed = "".join(f"<sitemap><loc>{site.url}/sitemap-{n}.xml</loc></sitemap>" for n in range(60_000))
    site.trouble.files["/sitemap-index.xml"] = (
        200,
        "application/xml",
        f"<sitemapindex>{listed}</sitemapindex>".encode(),
    )
    found = mapped(site, services, max_sitemaps=5, depth=0)
    assert sum(count for path, count in site.asked.items() if path.startswith("/sitemap-")) == 4
    assert found.status == "partial"


@pytest.mark.parametrize("path", ["/sitemap.xml", "/sitemap_index.xml"])
def test_the_usual_places_are_tried_where_robots_names_no_sitemap(
    site: MappedSite, services: WiredServices, path: str
) -> None:
    site.trouble.names_sitemap = False
    site.trouble.files[path] = (200, "application/xml", sitemap_of("/parts/7", "/parts/8"))
    found = mapped(site, services, depth=0)
    assert (numbers(site, found), found.read["sitemaps"]) == ([1, 2, 7, 8, 300], 1)
    assert found.status == "complete"


def test_a_site_without_sitemaps_is_mapped_by_its_links_and_says_how_to_find_more(
    site: MappedSite, services: WiredServices
) -> None:
    site.trouble.names_sitemap = False
    site.trouble.files["/"] = (200, "text/html", b"<title>Home</title><a href='/parts/1'>One</a>")
    site.trouble.files["/sitemap.xml"] = (200, "text/html", HTML)  # a site that answers everything with its own page
    found = mapped(site, services)
    assert (numbers(site, found), found.status) == ([1], "complete")
    said = "the site names no sitemap and no feed, and 1 page was not opened for links (depth is 1)"
    assert found.warnings == [f"{said}: a larger depth may find more"]
    assert found.summary()["unopened"] == 1


def test_a_page_whose_links_scripts_make_is_said_to_have_none(site: MappedSite, services: WiredServices) -> None:
    site.trouble.names_sitemap = False
    site.trouble.files["/"] = (200, "text/html", b"<title>App</title><div id=root></div><script src=/app.js></script>")
    found = mapped(site, services)
    assert (len(found), found.status) == (1, "complete")
    assert found.warnings == ["the first page has no link in its HTML: if scripts make them, give a page that has"]


HOSTILE = """<title>Home</title><a href="/parts/1#reviews">1</a> <a href="/parts/1?utm_source=a">1</a> <a
href="/parts/2?sort=price">2</a> <a href="/logout">Log out</a> <a href="/parts/4/delete">x</a> <a href="/cart/add?id=4"
rel="nofollow">Buy</a> <a data-method="delete" href="/parts/5">x</a> <a href="/parts/7" style="display:none">trap</a>
<a href="/parts/8">8</a> <a href="/parts/10">10</a> <a href="/parts/11">11</a>
<a href="/parts/14" rel="nofollow">14</a>"""


@pytest.mark.req("MP-3")
def test_what_changes_data_or_must_not_be_visited_is_left_out_and_counted(
    site: MappedSite, services: WiredServices
) -> None:
    site.trouble.names_sitemap = False
    page = "<title>{}</title><link rel=canonical href='{}'><meta name=robots content='{}'><a href='/parts/16'>16</a>"
    site.trouble.files |= {
        "/": (200, "text/html", HOSTILE.encode()),
        "/parts/8": (200, "text/html", page.format("Eight", "/parts/17", "").encode()),
        "/parts/10": (200, "text/html", page.format("Ten", "", "noindex, nofollow").replace("16", "19").encode()),
        "/parts/11": (200, "text/html", page.format("Eleven", "/", "").encode()),
    }
    found = mapped(site, services, depth=2)
    assert numbers(site, found) == [1, 2, 11, 16, 17], "11 names the first page as its own, as every page of a site may"
    assert found.status == "complete"
    assert found.left_out == {"views": 2, "actions": 3, "nofollow": 3, "hidden": 1, "noindex": 1}
    visited = {path for path in site.asked if path.startswith(("/parts", "/logout", "/cart"))}
    assert visited == {"/parts/1", "/parts/2", "/parts/8", "/parts/10", "/parts/11"}


def test_a_site_whose_pages_ask_robots_to_pass_over_them_is_no_empty_site(
    site: MappedSite, services: WiredServices
) -> None:
    site.trouble.names_sitemap = False
    head = b"<title>Shy</title><meta name=robots content='noindex, nofollow'>"
    page = head + b"<a href='/parts/1'>1</a><a href='/parts/2'>2</a>"
    site.trouble.files["/"] = (200, "text/html", page)
    found = mapped(site, services)
    assert (found.urls, found.status) == ([], "failed")
    assert found.error is not None
    assert found.error.message.endswith("to pass over all that was found (1 by noindex, 2 by nofollow)")


@pytest.mark.req("MP-3")
def test_addresses_with_a_password_are_left_out_and_told_to_nobody(site: MappedSite, services: WiredServices) -> None:
    site.trouble.names_sitemap = False
    secret = site.url.replace("://", "://ada:sesame@")
    page = f'<a href="{secret}/parts/8">8</a><a href="{secret}/parts/2">2</a><a href="/parts/8">8</a>'
    site.trouble.files |= {
        "/": (200, "text/html", page.encode()),
        "/robots.txt": (200, "text/plain", f"Sitemap: {secret}/parts.xml".encode()),
        "/parts/8": (200, "text/html", b'<a href="/parts/16">16</a>'),
    }
    found = mapped(site, services, depth=2)
    assert (numbers(site, found), found.left_out) == ([8, 16], {"credentials": 2})
    told = json.dumps([found.summary(), *found.to_ndjson()])
    assert "sesame" not in told
    assert "a user name in front of the host" in told


@pytest.mark.req("MP-1")
def test_globs_and_hosts_are_the_same_in_letters_and_in_escapes() -> None:
    order = MapOrder(url="https://straße.example", include=["/bücher/*"], exclude=["https://straße.example/*/entwurf"])
    assert order.wants("https://xn--strae-oqa.example/b%C3%BCcher/1?a=1")
    assert not order.wants("https://xn--strae-oqa.example/b%C3%BCcher/entwurf")


def test_a_sitemap_beside_the_first_page_is_found(site: MappedSite, services: WiredServices) -> None:
    site.trouble.files |= {
        "/project/": (200, "text/html", b"<title>Project</title>"),
        "/project/sitemap.xml": (200, "application/xml", sitemap_of("/parts/7")),
    }
    assert 7 in numbers(site, mapped(site, services, url=f"{site.url}/project/", depth=0, include=["/parts/7"]))
    assert site.asked["/project/sitemap.xml"] == 1


@pytest.mark.parametrize("first", ["/", "/index.html"])
def test_a_folder_and_its_index_file_are_one_page_where_both_are_equal(
    site: MappedSite, services: WiredServices, first: str
) -> None:
    home = b'<title>Lamps</title><p><a href="/">Home</a> <a href="/index.html">Start</a> <a href="/more/">More</a></p>'
    more = b'<title>More</title><a href="/more/index.html">Index</a>'
    site.trouble.files |= {
        "/": (200, "text/html", home),
        "/index.html": (200, "text/html", home),
        "/more/": (200, "text/html", more),
        "/more/index.html": (200, "text/html", more + b"<p>of another text</p>"),
    }
    site.trouble.files["/robots.txt"] = (200, "text/plain", b"")
    site.trouble.files["/sitemap.xml"] = site.trouble.files["/sitemap_index.xml"] = (404, "text/html", b"")
    found = mapped(site, services, url=site.url + first, depth=3)
    assert sorted(one.url.removeprefix(site.url) for one in found) == [first, "/more/", "/more/index.html"]
    assert found.left_out["duplicates"] == 1


def test_a_source_that_fails_once_is_read_again(site: MappedSite, services: WiredServices) -> None:
    paths = ("/", "/sitemap-1.xml", "/feed.xml", "/parts/202")
    site.trouble.fails_once = frozenset(paths)
    found = mapped(site, services, depth=12)
    assert (found.status, [site.asked[path] for path in paths]) == ("complete", [2] * 4)
    assert numbers(site, found) == [n for n in range(1, PAGES + 1) if n not in FORBIDDEN]


@pytest.mark.req("MP-3")
@pytest.mark.parametrize("path", ["/sitemap-1.xml", "/feed.xml", "/parts/202"])
def test_a_fault_that_nobody_knows_is_that_of_its_source(
    site: MappedSite, services: WiredServices, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("read_sitemap", "read_page"):
        known = getattr(walk_module, name)

        def read(body: Any, url: str, *more: Any, known: Any = known) -> Any:
            if url.endswith(path):
                raise RecursionError("too deep")
            return known(body, url, *more)

        monkeypatch.setattr(walk_module, name, read)
    found = mapped(site, services, depth=12)
    assert found.status == "partial"
    assert [one.url for one in found.problems] == [site.url + path]
    assert f"{site.url}{path} could not be read: RecursionError: too deep" in found.warnings
    assert len(numbers(site, found)) > 200


def test_a_sitemap_or_feed_itself_can_be_mapped(site: MappedSite, services: WiredServices) -> None:
    one = mapped(site, services, url=f"{site.url}/sitemap-2.xml.gz")
    assert numbers(site, one) == list(range(51, 101))
    assert one.found == {"sitemaps": 1, "feeds": 0, "pages": 0}
    assert len(mapped(site, services, url=f"{site.url}/feed.xml")) == 3
    site.trouble.files["/urls.txt"] = (200, "text/plain", f"{site.url}/parts/4\n{site.url}/parts/5\n".encode())
    assert numbers(site, mapped(site, services, url=f"{site.url}/urls.txt")) == [4, 5]


def test_pages_that_moved_fail_or_ask_for_a_login_are_told_apart(site: MappedSite, services: WiredServices) -> None:
    site.trouble.login = frozenset({"/parts/202"})
    site.trouble.files["/parts/203"] = (500, "text/html", b"no")
    found = mapped(site, services, depth=2)
    assert found.status == "partial"
    assert f"{site.url}/parts/202 leads to {site.url}/login, which asks for a login" in found.warnings
    assert any("/parts/203 answered 500" in warning for warning in found.warnings)
    assert found.warnings[0] == f"{found.read['pages']} of {found.read['pages'] + 2} pages were read"


FAILURES = [
    ({"/": (404, "text/html", b"no")}, "http_status_error", "answered 404 Not Found"),
    ({"/": (200, "text/plain", b"Hello")}, "unsupported_content", "it is no sitemap"),
    ({"/robots.txt": (503, "text/plain", b"no")}, "disallowed_by_robots", "disallows all that was found"),
]


@pytest.mark.parametrize(("files", "error_type", "said"), FAILURES)
def test_a_map_without_one_url_fails_and_says_why(
    site: MappedSite, services: WiredServices, files: dict[str, Any], error_type: str, said: str
) -> None:
    site.trouble = SiteTrouble(files=files, names_sitemap=False)
    found = mapped(site, services)
    assert found.status == "failed"
    assert found.error is not None
    assert (found.error.error_type, said in found.error.message) == (error_type, True), found.error
    with pytest.raises(GleanerError, match=said):
        found.raise_for_status()


def test_addresses_inside_are_never_asked(site: MappedSite, services: WiredServices) -> None:
    inside = "http://169.254.169.254/latest"
    robots = f"User-agent: *\nDisallow:\nSitemap: {inside}/sitemap.xml\nSitemap: {site.url}/s.xml\n"
    site.trouble.files |= {
        "/robots.txt": (200, "text/plain", robots.encode()),
        "/s.xml": (200, "application/xml", sitemap_of(f"{site.url}/parts/1", f"{inside}/meta-data")),
    }
    found = mapped(site, services, depth=2)
    assert [one.error_type for one in found.problems] == ["blocked_address"]
    assert numbers(site, found)[0] == 1
    blocked = mapped(site, services, url=inside)
    assert blocked.error is not None
    assert blocked.error.error_type == "blocked_address"


BAD_ORDERS: list[tuple[dict[str, Any], str]] = [
    ({"url": "ftp://a.example"}, "url: must be an http or https URL with a host"),
    ({"include": ["blog/*"]}, "a glob begins with /, * or http"),
    ({"depth": 21}, "depth"), ({"max_urls": 0}, "max_urls"), ({"deep": 1}, "deep: unknown field"),
]  # fmt: skip


@pytest.mark.parametrize(("order", "said"), BAD_ORDERS)
def test_an_order_that_is_wrong_names_its_field(order: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        MapOrder.read({"url": "https://a.example", **order})
    assert said in caught.value.message


# The library


def test_the_library_maps_with_progress_and_in_a_running_loop(site: MappedSite, tmp_path: Path) -> None:
    seen: list[int] = []
    with Gleaner(home=tmp_path / "home", allow_hosts=[site.host]) as gleaner:
        found = gleaner.map(site.url, include=["/parts/*"], on_progress=lambda one: seen.append(one.found["sitemaps"]))
    assert len(found) == 201 - 0 - 1
    assert seen[-1] == 6

    async def in_a_loop() -> int:
        async with AsyncGleaner(home=tmp_path / "home", allow_hosts=[site.host]) as gleaner:
            return len(await gleaner.map(site.url, max_urls=5))

    assert asyncio.run(in_a_loop()) == 5


# The state machine


def start(gateway: Gateway, site: MappedSite, **order: Any) -> str:
    return str(gateway.sites.start_map({"url": site.url, **order})["map_id"])


def test_the_state_machine_maps_in_slices_and_gives_the_same(site: MappedSite, services: WiredServices) -> None:
    whole = [one.to_json() for one in mapped(site, services, depth=12)]
    maps = site_maps_of(services, "default")
    maps.open("sliced", MapOrder(url=site.url, depth=12))
    event: Any = {"site": {"job_id": "sliced", "tenant": "default"}}
    calls = 1
    while map_site(event, services, slice_s=0)["status"] == "running":
        calls += 1
    assert calls > 2
    assert [json.loads(line) for line in maps.urls("sliced")] == whole
    assert maps.record("sliced")["url_count"] == len(whole)


def test_a_map_is_made_by_the_machine_and_found_again_by_its_key(site: MappedSite, services: WiredServices) -> None:
    runner = LocalRunner(services)
    gateway = Gateway(services, runner)
    order = {"url": site.url, "include": ["/parts/1?"]}
    first = gateway.sites.map(order, wait_s=20, idempotency_key="parts")
    again = gateway.sites.map(order, wait_s=20, idempotency_key="parts")
    with pytest.raises(InvalidRequest, match="used for another order"):
        gateway.sites.start_map({"url": site.url}, idempotency_key="parts")
    runner.close()
    assert (first["status"], first["url_count"], again) == ("complete", 9, first)
    assert "request_digest" not in first
    lines, following = gateway.sites.urls(str(first["map_id"]), limit=4)
    rest, end = gateway.sites.urls(str(first["map_id"]), limit=4, after=following)
    assert (len(lines), following, len(rest), end) == (4, "4", 4, "8")


def test_cancelling_keeps_what_was_found(site: MappedSite, services: WiredServices) -> None:
    maps = site_maps_of(services, "default")
    maps.open("cut", MapOrder(url=site.url, depth=12))
    event: Any = {"site": {"job_id": "cut", "tenant": "default"}}
    assert map_site(event, services, slice_s=0)["status"] == "running"
    Gateway(services, LocalRunner(services)).sites.cancel_map("cut")
    assert map_site(event, services) == {"status": "cancelled"}
    record = maps.record("cut")
    assert record["status"] == "cancelled"
    assert record["url_count"] == len(maps.urls("cut")) > 0
    assert "the map was cancelled: these URLs were found by then" in record["warnings"]


def test_an_execution_that_is_stopped_leaves_its_map_and_goes_on_when_it_is_run_again(
    site: MappedSite, services: WiredServices
) -> None:
    maps = site_maps_of(services, "default")
    maps.open("stop", MapOrder(url=site.url, depth=12))
    event: Any = {"site": {"job_id": "stop", "tenant": "default"}}
    assert map_site(event, services, slice_s=0)["status"] == "running"
    assert map_site({**event, "failure": "ABORTED"}, services)["status"] == "partial"
    assert "the map was stopped: these URLs were found by then" in maps.record("stop")["warnings"]
    assert map_site(event, services)["status"] == "complete"
    assert len(maps.urls("stop")) == PAGES - len(FORBIDDEN) + 2
