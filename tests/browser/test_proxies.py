"""Named proxies, HTTP and SOCKS5, for the browser and the plain fetcher (AC-5)."""

import json
import logging
from pathlib import Path

import pytest
from gleaner import Gleaner
from gleaner.adapters.browser.renderer import PlaywrightRenderer
from gleaner.adapters.http.fetch import HttpFetcher
from gleaner.adapters.local.secret_file import SecretFile
from gleaner.contracts.errors import BlockedAddress, GleanerError, InvalidRequest, InvalidSettings, UnreachableHost
from gleaner.contracts.ports import RenderOrder
from gleaner.contracts.settings import load_settings

from tests.browser.conftest import reply
from tests.support.proxies import ABROAD, LoopbackProxy, closed_port, loopback_proxy

pytestmark = pytest.mark.req("AC-5")

USER = "ada:open sesame"


def stored(value: str, host: str = "127.0.0.1") -> dict:
    return {"proxy-de": {"value": value, "hosts": [host]}}


SECRETS = stored(USER)


@pytest.fixture(scope="module", params=["http", "socks5"])
def proxy(request):
    with loopback_proxy(request.param, credentials=USER) as found:
        yield found


@pytest.fixture
def country(site) -> str:
    """Give the URL of a page that is another one for visitors from abroad."""

    def answer(handler) -> None:
        where = "Germany" if handler.client_address[0] == ABROAD else "here"
        reply(handler, f"<!doctype html><h1>Prices</h1><p>for visitors from {where}</p>".encode())

    site.routes["/prices"] = answer
    return site.url("/prices")


def entry(proxy: LoopbackProxy | str, **more: object) -> dict:
    server = proxy if isinstance(proxy, str) else proxy.url
    return {"name": "de", "server": server, "country": "DE", **more}


def settings_for(site, *proxies: dict, **more: object):
    return load_settings({}, proxies=list(proxies), allow_hosts=[f"127.0.0.1:{site.port}"], **more)


def fetcher_for(site, *proxies: dict, secrets: dict = SECRETS, **more: object) -> HttpFetcher:
    store = SecretFile(Path("/no/such/file"), secrets)
    return HttpFetcher(settings_for(site, *proxies, **more), secrets=lambda: store)


def test_a_job_reaches_its_page_through_the_proxy_that_it_names(site, country, proxy, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    proxies = [entry(proxy, secret="proxy-de")]
    options = {"home": tmp_path, "allow_hosts": [f"127.0.0.1:{site.port}"], "proxies": proxies, "secrets": SECRETS}
    with Gleaner("none", **options) as gleaner:
        results = {
            name: gleaner.scrape(country, **asked)
            for name, asked in {
                "direct": {}, "browser": {"proxy": "de"}, "plain": {"proxy": "de", "enable_javascript": False},
            }.items()
        }  # fmt: skip
        unknown = gleaner.scrape(country, proxy="fr")
    said = {name: (result.markdown or str(result.error)).splitlines()[-1] for name, result in results.items()}
    abroad = "for visitors from Germany"
    assert said == {"direct": "for visitors from here", "browser": abroad, "plain": abroad}
    assert (unknown.error.error_type, unknown.error.message) == (
        "invalid_request", "proxy 'fr' is not configured: GLEANER_PROXIES has de",
    )  # fmt: skip
    kept = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
    assert b"sesame" not in b"".join(kept)
    assert "sesame" not in caplog.text


def test_a_host_is_reached_through_the_proxy_whose_hosts_name_it(site, country, proxy):
    by_host = entry(proxy, secret="proxy-de", hosts=["127.0.0.1"])
    assert "Germany" in fetcher_for(site, by_host).fetch(country).text
    other = entry(proxy, secret="proxy-de", hosts=["*.shop.example"])
    assert "here" in fetcher_for(site, other).fetch(country).text


def test_the_browser_goes_through_the_proxy_of_the_host_too(site, country, proxy, make_settings):
    by_host = entry(proxy, secret="proxy-de", hosts=["127.0.0.1"])
    store = SecretFile(Path("/no/such/file"), SECRETS)
    renderer = PlaywrightRenderer(make_settings(proxies=[by_host]), secrets=lambda: store)
    assert "Germany" in renderer.render(RenderOrder(country)).html
    renderer.close()


def test_the_address_rules_hold_behind_a_proxy(site, proxy):
    fetcher = fetcher_for(site, entry(proxy, secret="proxy-de")).through("de")
    asked = len(proxy.targets)
    for refused in ("http://10.0.0.1/", "http://169.254.169.254/latest/", f"http://127.0.0.1:{site.port + 1}/"):
        with pytest.raises(BlockedAddress):
            fetcher.fetch(refused)
    assert proxy.targets[asked:] == []


@pytest.mark.parametrize("scheme", ["http", "socks5"])
def test_the_proxy_is_handed_the_checked_address_and_not_the_name(scheme, tmp_path):
    with loopback_proxy(scheme, refuses=True) as proxy:
        settings = load_settings({}, proxies=[entry(proxy)])
        fetcher = HttpFetcher(settings, lambda host, port: ("2606:2800:21f:cb07::1", "93.184.215.14")).through("de")
        with pytest.raises(UnreachableHost, match=r"^proxy de \(DE\) 127.0.0.1:\d+ refused shop.example"):
            fetcher.fetch("http://shop.example/")
    assert proxy.targets == ["2606:2800:21f:cb07::1:80" if scheme == "socks5" else "[2606:2800:21f:cb07::1]:80"]


@pytest.mark.parametrize(
    ("secrets", "secret", "error", "why"),
    [
        (stored("ada:not sesame"), "proxy-de", UnreachableHost, "credentials are not right"),
        (SECRETS, None, UnreachableHost, "it asks for credentials"),
        ({}, "proxy-de", InvalidSettings, "proxy de (DE): tenant default has no secret proxy-de"),
        (stored(USER, "b.example"), "proxy-de", InvalidSettings, "the secret proxy-de is for b.example, not 127"),
        (stored("sesame-only"), "proxy-de", InvalidSettings, "is not user:password"),
    ],
)  # fmt: skip
def test_credentials_that_are_wrong_are_said_without_being_told(site, country, proxy, secrets, secret, error, why):
    with pytest.raises(error) as refused:
        fetcher_for(site, entry(proxy, secret=secret), secrets=secrets).through("de").fetch(country)
    assert why in str(refused.value)
    assert "sesame" not in str(refused.value)


@pytest.mark.parametrize("scheme", ["http", "socks5"])
def test_a_proxy_that_is_not_there_is_named(site, country, scheme, make_settings):
    gone = entry(f"{scheme}://127.0.0.1:{closed_port()}")
    said = r"^proxy de \(DE\) 127.0.0.1:\d+ can't be reached: Connect"
    with pytest.raises(UnreachableHost, match=said):
        fetcher_for(site, gone).through("de").fetch(country)
    renderer = PlaywrightRenderer(make_settings(proxies=[gone]))
    with pytest.raises(UnreachableHost, match=said):
        renderer.render(RenderOrder(country, proxy="de"))
    renderer.close()


@pytest.mark.parametrize("scheme", ["http", "socks5"])
def test_a_server_that_is_no_proxy_is_named(site, country, scheme):
    with loopback_proxy("http" if scheme == "socks5" else "socks5") as other:
        wrong = entry(other.url.replace(other.scheme, scheme))
        with pytest.raises(UnreachableHost, match=r"^proxy de \(DE\) 127.0.0.1:\d+ did not answer"):
            fetcher_for(site, wrong, connect_timeout_s=0.5).through("de").fetch(country)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"server": "ftp://a.example"}, "'ftp://a.example' is not a proxy such as http://host:8080 or socks5://host:1080"),
        ({"server": "http://a.example:99999"}, "is not a proxy such as"),
        ({"server": "http://ada:sesame@a.example"}, "holds credentials: name the secret"),
        ({"server": "http://a.example", "name": "D E"}, "proxies.0.name"),
        ({"server": "http://a.example", "country": "Germany"}, "proxies.0.country"),
        ({"server": "http://a.example", "secret": "shop-password"}, "proxies.0.secret"),
        ({"server": "http://a.example", "port": 1}, "port"),
    ],
)  # fmt: skip
def test_a_proxy_that_is_none_is_a_setting_to_mend(given, said):
    with pytest.raises(InvalidSettings) as refused:
        load_settings({"GLEANER_PROXIES": json.dumps([{"name": "de", **given}])})
    assert said in str(refused.value)
    assert "sesame" not in str(refused.value)


@pytest.mark.parametrize("text", ["http://ada:sesame@a.example", '["a"]', '[{"name": "sesame"'])
def test_proxies_that_are_no_list_of_objects_are_a_setting_to_mend(text):
    with pytest.raises(InvalidSettings, match=r"proxies is (a list of objects|not valid JSON)") as refused:
        load_settings({"GLEANER_PROXIES": text})
    assert "sesame" not in str(refused.value)


def test_proxies_have_names_of_their_own():
    two = [entry("http://a.example"), entry("http://b.example")]
    with pytest.raises(InvalidSettings, match="proxies: de is there twice"):
        load_settings({}, proxies=two)
    with pytest.raises(InvalidRequest, match="proxy 'de' is not configured: GLEANER_PROXIES names none"):
        HttpFetcher(load_settings({})).through("de")


def test_hosts_that_name_nothing_are_a_setting_to_mend():
    with pytest.raises(GleanerError, match="proxies, hosts of de: '<local>'"):
        HttpFetcher(load_settings({}, proxies=[entry("http://a.example", hosts=["<local>"])]))
