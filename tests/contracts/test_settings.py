"""Settings: named as in seed 004, validated at start, documented in one table."""

import re
import struct
import sys
import zoneinfo
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from gleaner.contracts.errors import InvalidSettings
from gleaner.contracts.settings import BrowserSettings, ScrapeSettings, load_settings

SEED_BROWSER = """default-profile-id master-user-data-root profile-id-regex worker-pool-min-size-per-process
worker-pool-max-size-per-process queue-offer-timeout-ms slave-headless master-login-args master-login-initial-page-url
master-login-navigate-timeout-ms master-login-refresh-interval-ms master-login-timeout-ms master-profile-lock-timeout-ms
browser-channel executable-path launch-args ignore-default-args ignore-all-default-args user-agent user-agents
accept-language locale timezone-id extra-headers stealth-enabled stealth-script"""
SEED_SCRAPE = """navigate-timeout-ms smart-wait-enabled stability-check-interval-ms stability-max-wait-ms
stability-threshold stability-length-change-threshold strip-chrome-tags remove-base64-images"""


@pytest.mark.req("BR-6")
@pytest.mark.parametrize(("names", "group"), [(SEED_BROWSER, BrowserSettings), (SEED_SCRAPE, ScrapeSettings)])
def test_the_seeds_settings_exist_under_their_names(names: str, group: type) -> None:
    assert {name.replace("-", "_") for name in names.split()} <= set(group.model_fields)


@pytest.mark.req("BR-6")
@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("GLEANER_BROWSER_LOCAL", "de", "GLEANER_BROWSER_LOCAL"),
        ("GLEANER_COLOUR", "red", "GLEANER_COLOUR"),
        ("GLEANER_SCRAPE_NAVIGATE_TIMEOUT_MS", "-1", "navigate_timeout_ms"),
        ("GLEANER_SCRAPE_SMART_WAIT_ENABLED", "perhaps", "smart_wait_enabled"),
        ("GLEANER_BROWSER_EXTRA_HEADERS", "{not json", "extra_headers"),
        ("GLEANER_LIMITS_MAX_PAGE_SIZE", "big", "max_page_size"),
        ("GLEANER_MODEL", "magic:x", "use none, or PROVIDER:MODEL with one of bedrock, "),
        ("GLEANER_MODEL", "gpt-4o", "did you mean openai:gpt-4o?"),
        ("GLEANER_MODEL", "olama:llama3.2", "did you mean ollama:llama3.2?"),
        ("GLEANER_LLM_OPENAI_BASE_URL", "http://[bad", "is not an http or https URL"),
        ("GLEANER_LIMITS_MAX_PAGE_SIZE", "-7", "max_page_size: .*, not '-7'"),
        ("GLEANER_BROWSER_PROFILE_ID_REGEX", "(", r"profile_id_regex '\(' is not a regular expression"),
        ("GLEANER_BROWSER_DEFAULT_PROFILE_ID", "../../x", "default_profile_id '../../x' does not match"),
        ("GLEANER_BROWSER_WORKER_POOL_MIN_SIZE_PER_PROCESS", "9", "is 9, above worker_pool_max_size_per_process, 2"),
        ("GLEANER_BROWSER_EXTRA_HEADERS", '{"Bad Name": "x"}', "'Bad Name' is not a header name"),
        ("GLEANER_BROWSER_EXTRA_HEADERS", '{"X-A": "a\\r\\nX-B: c"}', "X-A: a header value"),
        ("GLEANER_BROWSER_ACCEPT_LANGUAGE", "de\r\nX: y", "accept_language: a header value"),
        ("GLEANER_BROWSER_USER_AGENT", "a\nb", "user_agent: a header value"),
        ("GLEANER_BROWSER_LOCALE", "german", "locale 'german' is not a language tag such as de-DE"),
        ("GLEANER_BROWSER_USER_AGENTS", "one, t\x00wo", "user_agent: a header value"),
    ],
)
def test_a_wrong_setting_is_an_error_at_start_that_names_it(variable: str, value: str, said: str) -> None:
    with pytest.raises(InvalidSettings, match=said):
        load_settings({variable: value})


ZONE = b"TZif" + struct.pack(">16x6l", 0, 0, 0, 0, 1, 4) + struct.pack(">lbb4s", 0, 0, 0, b"UTC")
"""A time zone file of RFC 9636 that says UTC at all times."""


@pytest.fixture
def tz_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A tz database in place of the machine's, empty as long as nothing is written into it."""
    monkeypatch.setitem(sys.modules, "tzdata", None)  # the package that stands in where there is none
    ZoneInfo.clear_cache()
    zoneinfo.reset_tzpath([tmp_path])
    yield tmp_path
    zoneinfo.reset_tzpath()
    ZoneInfo.clear_cache()


@pytest.mark.req("BR-6")
@pytest.mark.parametrize("name", ["Europe/Berln", "../../etc/passwd", "Europe", "/etc/passwd", "a\0b", " "])
def test_a_time_zone_that_the_database_lacks_is_an_error_that_names_it(tz_database: Path, name: str) -> None:
    (tz_database / "Europe").mkdir()
    for known in ("UTC", "Europe/Berlin"):
        (tz_database / known).write_bytes(ZONE)
    assert load_settings({}, timezone_id="Europe/Berlin").browser.timezone_id == "Europe/Berlin"
    with pytest.raises(InvalidSettings, match=re.escape(f"timezone_id {name!r} is not in the tz database")):
        load_settings({}, timezone_id=name)


@pytest.mark.req("BR-6")
@pytest.mark.usefixtures("tz_database")
def test_without_a_tz_database_the_browser_is_left_to_judge_time_zones() -> None:
    assert load_settings({}, timezone_id="Europe/Berln").browser.timezone_id == "Europe/Berln"


@pytest.mark.req("BR-6")
@pytest.mark.parametrize("locale", ["de-DE", "de_DE", "zh-Hant-TW", "fr", ""])
def test_the_tags_of_languages_are_taken(locale: str) -> None:
    assert load_settings({}, locale=locale).browser.locale == locale


@pytest.mark.req("BR-6")
def test_settings_come_from_the_environment_and_keywords_go_before() -> None:
    environ = {
        "GLEANER_BROWSER_USER_AGENTS": "one, two",
        "GLEANER_BROWSER_EXTRA_HEADERS": '{"X-A": "b"}',
        "GLEANER_LIMITS_MAX_PAGE_SIZE": "5000",
        "GLEANER_ALLOW_HOSTS": "127.0.0.1:8000,localhost:9000",
        "UNRELATED": "x",
    }
    settings = load_settings(environ, max_page_size=6000)
    assert settings.browser.user_agents == ["one", "two"]
    assert settings.browser.extra_headers == {"X-A": "b"}
    assert settings.limits.max_page_size == 6000
    assert settings.allow_hosts == ["127.0.0.1:8000", "localhost:9000"]
    assert load_settings({"GLEANER_ALLOW_HOSTS": "[::1]:8000,a:1"}).allow_hosts == ["[::1]:8000", "a:1"]
    assert load_settings({"GLEANER_ALLOW_HOSTS": '["[::1]:8000"]'}).allow_hosts == ["[::1]:8000"]


@pytest.mark.req("SS-1")
def test_the_local_allow_list_is_refused_in_the_cloud() -> None:
    environ = {"GLEANER_CLOUD": "true", "GLEANER_TABLE_NAME": "t", "GLEANER_BUCKET_NAME": "b"}
    assert load_settings(environ).cloud
    with pytest.raises(InvalidSettings, match="allow_hosts"):
        load_settings({**environ, "GLEANER_ALLOW_HOSTS": "127.0.0.1:80"})


def test_secrets_are_not_shown() -> None:
    headers = '{"Cookie": "hunter2"}'
    environ = {"LLM_API_KEY": "hunter2", "LLM_HEADERS": headers, "BROWSER_EXTRA_HEADERS": headers}
    environ |= {"BROWSER_PROXY_SERVER": "http://ada:hunter2@proxy.example:8080"}
    assert "hunter2" not in repr(load_settings({f"GLEANER_{name}": text for name, text in environ.items()}))


WRONG_SECRETS: list[tuple[dict[str, str], dict[str, Any]]] = [
    ({}, {"api_key": 12345678}),
    ({}, {"llm": {"api_key": 12345678}}),
    ({}, {"proxy_username": 12345678, "proxy_password": 12345678.0}),
    ({}, {"headers": {"X-Key": 12345678}}),
    ({}, {"headers": "12345678"}),
    ({}, {"extra_headers": {"Cookie": 12345678}}),
    ({"GLEANER_LLM_HEADERS": '{"X-Key": 12345678}'}, {}),
    ({"GLEANER_LLM_HEADERS": '{"X-Key": "12345678"'}, {}),
    ({"GLEANER_LLM": '{"api_key": "12345678"'}, {}),
    ({"GLEANER_BROWSER_EXTRA_HEADERS": "Authorization: 12345678"}, {}),
    ({"GLEANER_LLM_OPENAI_BASE_URL": "htps://ada:12345678@llm.example/v1"}, {}),
    ({"GLEANER_LLM_OPENAI_BASE_URL": "ada:12345678@llm.example/v1"}, {}),
    ({"GLEANER_LLM_OPENAI_BASE_URL": "htps://ada:1/12345678@llm.example/v1"}, {}),
    ({"GLEANER_LLM_OPENAI_BASE_URL": "htps://llm.example/v1?key=12345678"}, {}),
    ({"GLEANER_LLM": '{"api_kee": "12345678"}'}, {}),
    ({"GLEANER_LLM": '"12345678"'}, {}),
    ({"GLEANER_BROWSER": '{"proxy_passwort": "12345678"}'}, {}),
    ({"GLEANER_BROWSER_LAUNCH_ARGS": '["--proxy-server=ada:12345678@a.example"'}, {}),
]


@pytest.mark.req("BR-6")
@pytest.mark.parametrize(("environ", "overrides"), WRONG_SECRETS, ids=str)
def test_no_error_repeats_a_secret(environ: dict[str, str], overrides: dict[str, Any]) -> None:
    with pytest.raises(InvalidSettings) as refused:
        load_settings(environ, **overrides)
    assert "12345678" not in str(refused.value)


@pytest.mark.req("BR-6")
def test_headers_of_all_kinds_of_letters_are_taken() -> None:
    browser = load_settings({}, extra_headers={"X-Name": "Löwe, 5 %\t(a)"}, user_agent="").browser
    assert browser.extra_headers == {"X-Name": "Löwe, 5 %\t(a)"}


@pytest.mark.parametrize("name", ["GLEANER_LLM_OPENAI_BASE_URL", "GLEANER_LLM_BEDROCK_ENDPOINT_URL"])
@pytest.mark.parametrize("value", ["localhost:11434/v1", "ftp://e.example/", "https://"])
def test_a_models_address_without_its_scheme_is_told_at_start(name: str, value: str) -> None:
    with pytest.raises(InvalidSettings, match=f"'{value}' is not an http or https URL"):
        load_settings({name: value})


@pytest.mark.req("BR-6")
@pytest.mark.parametrize(
    "origin", ["app.example", "https://app.example/", "https://App.example", "https://a, https://b"]
)
def test_an_origin_that_no_browser_sends_is_told_at_start(origin: str) -> None:
    with pytest.raises(InvalidSettings, match=r"cors_origin .* is not an origin as browsers send it"):
        load_settings({}, cors_origin=origin)
    assert load_settings({}, cors_origin="https://app.example:8443").cors_origin


@pytest.mark.req("BR-6")
@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("GLEANER_TABEL_NAME", "did you mean GLEANER_TABLE_NAME"),
        ("GLEANER_BLOCKED_HOSTS", "did you mean GLEANER_BLOCK_HOSTS"),
        ("GLEANER_BROWSER_PROXY_SEVER", "did you mean GLEANER_BROWSER_PROXY_SERVER"),
        ("GLEANER_WEBHOOK_SECRETS", "did you mean GLEANER_WEBHOOK_SECRET"),
        ("GLEANER_NOTHING_LIKE_IT", "docs/settings.md lists them"),
    ],
)
def test_an_unknown_variable_is_an_error_that_names_the_nearest_setting(name: str, meant: str) -> None:
    with pytest.raises(InvalidSettings, match=f"^{name} is not a setting of Gleaner; {meant}"):
        load_settings({name: "1"})
