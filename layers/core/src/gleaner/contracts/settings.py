"""Every setting of an installation, validated at start; the only module that reads the environment.

An environment variable is ``GLEANER_`` and the name: ``GLEANER_MODEL``, ``GLEANER_HOME``; a setting of a group carries
the group: ``GLEANER_BROWSER_LOCALE``, ``GLEANER_SCRAPE_NAVIGATE_TIMEOUT_MS``, ``GLEANER_LIMITS_MAX_PAGE_SIZE``.
Lists are written with commas, objects as JSON. The browser and scrape groups are those of seed 004, section 4.
"""

import json
import os
import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_origin
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails

from gleaner.contracts.errors import InvalidRequest, InvalidSettings
from gleaner.contracts.guides import guide
from gleaner.contracts.model_servers import model_servers, server_at, server_named

PREFIX = "GLEANER_"
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE = re.compile(r"(?:[^\x00-\x20\x7f](?:[^\x00-\x08\x0a-\x1f\x7f]*[^\x00-\x20\x7f])?)?")
_LOCALE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*")
_JSON_LIST = re.compile(r"""\s*\[\s*(?:["'\]{\[]|$)""")
"""A list that is written as JSON; ``[::1]:8000`` is not."""
_ORIGIN = re.compile(r"https?://(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?|\*")
"""What a browser's Origin header may be (RFC 6454): compared letter by letter."""
_CREDENTIALS = re.compile(r"(?<=//)[^/?#@]*@")


class SettingsGroup(BaseModel):
    """A frozen group of settings that refuses names it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class BrowserSettings(SettingsGroup):
    """The browser's runtime and profiles (seed 004, section 4.1). Times are in milliseconds."""

    default_profile_id: str = Field(default="master", description="Name of the master profile")
    master_user_data_root: Path | None = Field(
        default=None, description="Folder of the profiles; by default profiles/ in the data folder"
    )
    profile_id_regex: str = Field(default=r"^[A-Za-z0-9_-]{1,64}$", description="Pattern that profile ids must match")
    worker_pool_min_size_per_process: int = Field(
        default=0, ge=0, le=64, description="Minimum number of browser workers"
    )
    worker_pool_max_size_per_process: int = Field(
        default=2, ge=1, le=64, description="Maximum number of browser workers"
    )
    queue_offer_timeout_ms: int = Field(default=30_000, ge=0, description="How long a page waits for a free worker")
    slave_headless: bool = Field(default=True, description="Run browser workers without a window")
    master_login_args: list[str] = Field(
        default_factory=list[str], description="Extra browser arguments for open-browser"
    )
    master_login_initial_page_url: str = Field(default="about:blank", description="First page that open-browser shows")
    master_login_navigate_timeout_ms: int = Field(default=30_000, ge=0, description="Time limit for loading that page")
    master_login_refresh_interval_ms: int = Field(
        default=2_000, ge=100, description="How often open-browser saves the login state"
    )
    master_login_timeout_ms: int = Field(
        default=600_000, ge=1_000, description="Time after which open-browser closes by itself"
    )
    master_profile_lock_timeout_ms: int = Field(
        default=30_000, ge=0, description="How long a page waits for the master profile"
    )
    master_profile_tenants: list[str] = Field(
        default_factory=lambda: ["default"], description="Tenants that may use the master profile; * allows all"
    )
    browser_channel: str | None = Field(default=None, description="Playwright channel: chrome, msedge, …")
    executable_path: Path | None = Field(default=None, description="Browser to start instead of the one found")
    launch_args: list[str] = Field(default_factory=list[str], description="Extra browser arguments")
    ignore_default_args: list[str] = Field(
        default_factory=list[str], description="Playwright's own arguments to leave out"
    )
    ignore_all_default_args: bool = Field(default=False, description="Leave out all of Playwright's own arguments")
    user_agent: str | None = Field(default=None, description="User agent of every page")
    user_agents: list[str] = Field(default_factory=list[str], description="User agents to rotate through")
    accept_language: str | None = Field(default=None, description="Accept-Language header")
    locale: str | None = Field(default=None, description="Locale of pages, such as de-DE")
    timezone_id: str | None = Field(default=None, description="Time zone of pages, as named in the tz database")
    extra_headers: dict[str, str] = Field(
        default_factory=dict[str, str], description="Headers sent with every request", repr=False
    )
    proxy_server: str | None = Field(default=None, description="Upstream proxy, such as http://host:port", repr=False)
    proxy_username: str | None = Field(default=None, description="User name for the proxy", repr=False)
    proxy_password: str | None = Field(default=None, description="Password for the proxy", repr=False)
    proxy_bypass: str | None = Field(default=None, description="Hosts that bypass the proxy, separated by commas")
    stealth_enabled: bool = Field(default=False, description="Run stealth_script before each page's own scripts")
    stealth_script: str | None = Field(default=None, description="JavaScript of stealth_enabled")
    single_process: bool = Field(default=False, description="Run Chromium as one process")

    @model_validator(mode="after")
    def _pool_has_room(self) -> "BrowserSettings":
        least, most = self.worker_pool_min_size_per_process, self.worker_pool_max_size_per_process
        if least > most:
            raise ValueError(
                f"worker_pool_min_size_per_process is {least}, above worker_pool_max_size_per_process, {most}"
            )
        return self

    @model_validator(mode="after")
    def _profile_is_named(self) -> "BrowserSettings":
        try:
            fits = re.fullmatch(self.profile_id_regex, self.default_profile_id)
        except re.error as error:
            raise ValueError(
                f"profile_id_regex {self.profile_id_regex!r} is not a regular expression: {error}"
            ) from None
        if not fits:
            raise ValueError(f"default_profile_id {self.default_profile_id!r} does not match {self.profile_id_regex}")
        return self

    @model_validator(mode="after")
    def _place_is_known(self) -> "BrowserSettings":
        if self.locale and not _LOCALE.fullmatch(self.locale):
            raise ValueError(f"locale {self.locale[:100]!r} is not a language tag such as de-DE")
        if self.timezone_id and not _is_time_zone(self.timezone_id):
            raise ValueError(
                f"timezone_id {self.timezone_id[:100]!r} is not in the tz database; use a name such as Europe/Berlin"
            )
        return self

    @model_validator(mode="after")
    def _headers_can_be_sent(self) -> "BrowserSettings":
        wrong = [name for name in self.extra_headers if not _HEADER_NAME.fullmatch(name)]
        if wrong:
            raise ValueError(f"extra_headers: {wrong[0]!r} is not a header name")
        values = [*self.extra_headers.items(), ("accept_language", self.accept_language or "")]
        values += [("user_agent", agent) for agent in (self.user_agent or "", *self.user_agents)]
        for name, value in values:
            if not _HEADER_VALUE.fullmatch(value):
                raise ValueError(f"{name}: a header value must not have control characters or surrounding spaces")
        return self


def _has_host(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme.lower() in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False


def _is_time_zone(name: str) -> bool:
    """Tell whether the tz database has the name; where there is no database, the browser says it later."""
    return _has_zone(name) or not _has_zone("UTC")


def _has_zone(name: str) -> bool:
    try:
        return ZoneInfo(name).key == name
    except (LookupError, ValueError, OSError):  # absent, no relative path, a folder of zones
        return False


class ScrapeSettings(SettingsGroup):
    """How a page becomes content (seed 004, section 4.2). Times are in milliseconds."""

    navigate_timeout_ms: int = Field(default=30_000, ge=100, le=300_000, description="Time limit for the navigation")
    smart_wait_enabled: bool = Field(default=True, description="Wait until the page's text stops changing")
    stability_check_interval_ms: int = Field(
        default=100, ge=10, le=10_000, description="Interval between two looks at the text"
    )
    stability_max_wait_ms: int = Field(default=10_000, ge=0, le=120_000, description="Time limit for this wait")
    stability_threshold: int = Field(
        default=3, ge=1, le=100, description="Looks in a row without a change that end the wait"
    )
    stability_length_change_threshold: float = Field(
        default=0.01, ge=0, le=1, description="Relative change of text length that counts as none"
    )
    scroll_enabled: bool = Field(
        default=True, description="Then scroll as long as lists grow, within the same time limit"
    )
    strip_chrome_tags: bool = Field(default=True, description="Remove navigation, footers, cookie banners and ads")
    remove_base64_images: bool = Field(default=True, description="Remove data: images from the Markdown")


class LimitSettings(SettingsGroup):
    """Hard limits (SS-2). Sizes are in bytes, times in seconds."""

    max_page_size: int = Field(default=10_000_000, ge=1_000, description="Maximum size of a page")
    max_page_memory: int = Field(
        default=4_000_000_000, ge=300_000_000, description="Maximum memory of the browser for one page (Linux only)"
    )
    max_media_size: int = Field(default=50_000_000, ge=1_000, description="Maximum size of media")
    max_inline_media: int = Field(default=4_000_000, ge=0, description="Maximum size of media returned as a data URI")
    max_document_pages: int = Field(default=2_000, ge=1, description="Maximum number of pages of a PDF that are read")
    document_timeout_s: float = Field(
        default=240.0, gt=0, le=840, description="Time limit for reading a PDF; pages read by then are kept"
    )
    max_document_memory: int = Field(
        default=1_500_000_000, ge=200_000_000, description="Maximum memory of the process that reads a PDF"
    )
    max_header_bytes: int = Field(default=65_536, ge=1_024, description="Maximum size of an answer's headers")
    max_redirects: int = Field(default=10, ge=0, le=50, description="Maximum number of redirects")
    max_chunks: int = Field(default=500, ge=1, description="Maximum number of chunks per page")
    fetch_timeout_s: float = Field(
        default=30.0, gt=0, le=300, description="Time limit for one HTTP fetch, from start to last byte"
    )
    connect_timeout_s: float = Field(default=10.0, gt=0, le=60, description="Time limit for connecting")


class ModelSettings(SettingsGroup):
    """How the model is called."""

    timeout_s: float = Field(default=120.0, gt=0, description="Time limit for one answer")
    max_output_tokens: int = Field(default=8_192, ge=64, description="Maximum tokens of one answer")
    openai_base_url: str | None = Field(default=None, description="Endpoint of an OpenAI-compatible server")
    api_key: str | None = Field(
        default=None,
        description="API key of that endpoint; by default the server's own variable, such as OPENAI_API_KEY",
        repr=False,
    )
    api_key_secret_arn: str | None = Field(default=None, description="Secrets Manager secret that holds the key")
    api_version: str | None = Field(default=None, description="The api-version that Azure requires")
    headers: dict[str, str] = Field(
        default_factory=dict[str, str], description="Additional headers for the endpoint, as JSON", repr=False
    )
    context_tokens: int | None = Field(
        default=None, ge=512, description="Context size (prompt and answer) in tokens, if the server does not tell"
    )
    bedrock_endpoint_url: str | None = Field(default=None, description="Bedrock endpoint, if not the region's default")
    input_usd_per_million: float | None = Field(default=None, ge=0, description="Price of input tokens")
    output_usd_per_million: float | None = Field(default=None, ge=0, description="Price of output tokens")

    @field_validator("openai_base_url", "bedrock_endpoint_url")
    @classmethod
    def _is_an_address(cls, value: str | None) -> str | None:
        if value and not _has_host(value):
            raise ValueError(f"{shown_address(value)!r} is not an http or https URL such as http://localhost:11434/v1")
        return value


class ProxySettings(SettingsGroup):
    """One of the named proxies (AC-5).

    ``secret`` names the secret of tenant default that holds ``user:password``; its hosts name the proxy's. ``hosts``
    are those that are reached through it without being asked for: hosts, ``*.suffixes``.
    """

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")
    server: str
    country: str | None = Field(default=None, pattern=r"^[A-Z]{2}$")
    secret: str | None = Field(default=None, pattern=r"^proxy-[a-z0-9-]{1,57}$")
    hosts: list[str] = Field(default_factory=list[str])

    @field_validator("server")
    @classmethod
    def _is_a_proxy(cls, value: str) -> str:
        if "@" in value:
            raise ValueError(
                f"{shown_address(value)!r} holds credentials: name the secret that holds them in its secret"
            )
        read_proxy_server(value)
        return value

    @property
    def label(self) -> str:
        """What messages call it."""
        return f"proxy {self.name}" + (f" ({self.country})" if self.country else "")


def read_proxy_server(server: str) -> tuple[str, str, int]:
    """Give scheme, host and port of a proxy; ValueError when it is neither HTTP nor SOCKS5.

    >>> read_proxy_server("socks5://proxy.example")
    ('socks5', 'proxy.example', 1080)
    """
    ports = {"http": 8080, "socks5": 1080}
    try:
        parts = urlsplit(server)
        scheme, host, port = parts.scheme.lower(), parts.hostname, parts.port
    except ValueError:
        scheme, host, port = "", None, None
    if scheme not in ports or not host or port == 0:
        said = shown_address(server)[:100]
        raise ValueError(f"{said!r} is not a proxy such as http://host:8080 or socks5://host:1080")
    return scheme, host, port or ports[scheme]


class Settings(SettingsGroup):
    """All settings of one installation."""

    cloud: bool = Field(
        default=False, description="Run on AWS: use DynamoDB, S3 and EventBridge instead of the data folder"
    )
    home: Path = Field(default_factory=lambda: default_home({}), description="Data folder of a local installation")
    model: str = Field(
        default="none",
        description="none, bedrock:MODEL_ID, openai:MODEL, ollama:MODEL, … (docs/models.md lists the servers)",
    )
    table_name: str | None = Field(default=None, description="DynamoDB table")
    bucket_name: str | None = Field(default=None, description="S3 bucket")
    event_bus_name: str | None = Field(default=None, description="EventBridge bus for completion events")
    scrape_state_machine_arn: str | None = Field(default=None, description="ARN of the state machine scrape_page")
    batch_state_machine_arn: str | None = Field(default=None, description="ARN of the state machine scrape_batch")
    watch_state_machine_arn: str | None = Field(default=None, description="ARN of the state machine watch_run")
    crawl_state_machine_arn: str | None = Field(default=None, description="ARN of the state machine crawl_site")
    schedule_group: str | None = Field(default=None, description="EventBridge Scheduler group of the watches")
    schedule_role_arn: str | None = Field(default=None, description="Role in which a schedule starts a watch's run")
    schedule_dead_letter_arn: str | None = Field(default=None, description="Queue for runs that could not be started")
    allow_hosts: list[str] = Field(
        default_factory=list[str], description="Local host:port pairs that Gleaner may reach"
    )
    block_hosts: list[str] = Field(
        default_factory=list[str], description="Additional hosts, *.suffixes or networks to refuse"
    )
    secrets: dict[str, Any] = Field(
        default_factory=dict[str, Any],
        repr=False,
        description='Secrets that actions fill in by name: {"NAME": {"value": "…", "hosts": ["shop.example"]}}',
    )
    proxies: list[ProxySettings] = Field(
        default_factory=list[ProxySettings],
        description='Proxies by name, as JSON: [{"name": "de", "server": "http://host:port", "country": "DE", '
        '"secret": "proxy-de", "hosts": ["*.shop.example"]}]',
    )
    secrets_prefix: str | None = Field(
        default=None, description="In the cloud: what the names of the tenants' secrets in Secrets Manager begin with"
    )
    cors_origin: str | None = Field(default=None, description="Web origin that may call the HTTP API")
    daily_usd_cap: float | None = Field(default=None, ge=0, description="US dollars that models may cost per day")
    cache_ttl_days: int = Field(default=30, ge=0, le=3650, description="How long model answers are kept")
    job_ttl_days: int = Field(default=30, ge=1, le=3650, description="How long jobs and results are kept")
    session_ttl_days: int = Field(
        default=7, ge=1, le=365, description="How long a named session is kept after its last use"
    )
    batch_max_concurrency: int = Field(
        default=200, ge=1, description="Maximum number of pages that a batch works on at a time"
    )
    render_concurrency: int = Field(default=0, ge=0, description="Maximum number of browsers at a time; 0 for no limit")
    browser: BrowserSettings = Field(default_factory=BrowserSettings)
    scrape: ScrapeSettings = Field(default_factory=ScrapeSettings)
    limits: LimitSettings = Field(default_factory=LimitSettings)
    llm: ModelSettings = Field(default_factory=ModelSettings)

    def proxy_named(self, name: str) -> ProxySettings:
        """Give a proxy; InvalidRequest names those that there are."""
        for proxy in self.proxies:
            if proxy.name == name:
                return proxy
        names = ", ".join(proxy.name for proxy in self.proxies)
        has = f"has {names}" if names else "names none"
        raise InvalidRequest(f"proxy {name!r} is not configured: GLEANER_PROXIES {has}")

    @property
    def batch_concurrency(self) -> int:
        """Pages that a batch may work on at a time: no more than there may be browsers."""
        return min(self.batch_max_concurrency, self.render_concurrency or self.batch_max_concurrency)

    @model_validator(mode="after")
    def _model_is_named(self) -> "Settings":
        provider, _, name = self.model.partition(":")
        if self.model != "none" and (provider not in model_providers() or not name):
            raise ValueError(f"model {self.model!r} is not known; {_model_meant(self.model)}")
        return self

    @field_validator("proxies", mode="before")
    @classmethod
    def _proxies_are_objects(cls, value: Any) -> Any:
        if isinstance(value, str) or any(isinstance(one, str) for one in value):
            raise ValueError('proxies is a list of objects: [{"name": "de", "server": "http://host:8080"}]')
        return value

    @model_validator(mode="after")
    def _proxies_have_names_of_their_own(self) -> "Settings":
        names = [proxy.name for proxy in self.proxies]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"proxies: {twice[0]} is there twice")
        return self

    @model_validator(mode="after")
    def _origin_is_one(self) -> "Settings":
        if self.cors_origin and not _ORIGIN.fullmatch(self.cors_origin):
            raise ValueError(
                f"cors_origin {self.cors_origin[:100]!r} is not an origin as browsers send it: scheme and host in "
                "small letters, without a path, such as https://app.example"
            )
        return self

    @model_validator(mode="after")
    def _cloud_is_closed(self) -> "Settings":
        if self.cloud and self.allow_hosts:
            raise ValueError("allow_hosts is for local use; it is refused in the cloud")
        if self.cloud and not (self.table_name and self.bucket_name):
            raise ValueError("in the cloud table_name and bucket_name are needed")
        return self


def model_providers() -> tuple[str, ...]:
    """Give what may stand before the colon of a model's name."""
    return ("bedrock", *(server.id for server in model_servers() if server.base_url))


def _model_meant(model: str) -> str:
    """Say what somebody may have meant by a model's name that is none.

    >>> _model_meant("gpt-4o"), _model_meant("olama:llama3.2")
    ('did you mean openai:gpt-4o?', 'did you mean ollama:llama3.2?')
    """
    provider, colon, name = model.partition(":")
    close = get_close_matches(provider.casefold(), model_providers(), n=1) if colon and name else []
    if close:
        return f"did you mean {close[0]}:{name}?"
    families = {"openai": r"gpt-|o\d|chatgpt", "bedrock": r"(?:\w+\.)?(?:anthropic|amazon|meta|mistral|cohere)\."}
    family = next((known for known, begin in families.items() if re.match(begin, model)), None)
    if family is not None:
        return f"did you mean {family}:{model}?"
    return f"use none, or PROVIDER:MODEL with one of {', '.join(model_providers())}"


def default_home(environ: Mapping[str, str]) -> Path:
    """Give the data folder: GLEANER_HOME, else gleaner/ in the XDG data folder."""
    if environ.get("GLEANER_HOME"):
        return Path(environ["GLEANER_HOME"])
    return Path(environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "gleaner"


def usual_homes() -> tuple[Path, ...]:
    """Give the data folders of commands that name none: the one of GLEANER_HOME, and the one without it."""
    return default_home(os.environ), default_home({**os.environ, f"{PREFIX}HOME": ""})


def desktop_variables() -> dict[str, str]:
    """Give what a browser with a window needs of the environment: the display and the right to draw on it."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")
    return {name: os.environ[name] for name in names if name in os.environ}


GROUPS: Mapping[str, type[SettingsGroup]] = {
    "browser": BrowserSettings,
    "scrape": ScrapeSettings,
    "limits": LimitSettings,
    "llm": ModelSettings,
}


OF_COMMANDS = frozenset({"GLEANER_WEBHOOK_SECRET"})
"""Variables that options of the command are read from: no settings."""

SECRETS = frozenset(
    name for group in GROUPS.values() for name, field in group.model_fields.items() if not field.repr
) | {"secrets"}
"""Settings that may hold a secret (declared with ``repr=False``): no message repeats their values."""


MAY_HOLD_SECRETS = frozenset({"launch_args", "master_login_args", "proxies"})
"""Settings that may be shown, but are not repeated where they can't be read."""


def shown_address(address: str) -> str:
    """Give a setting that should have been an address as an error may repeat it: it may be one with a password.

    >>> shown_address("ada:sec/ret@llm.example/v1"), shown_address("htps://llm.example/v1?key=1")
    ('…@llm.example/v1', 'htps://llm.example/v1?…')
    """
    _, is_told, rest = address.rpartition("@")
    place, query, _ = rest.partition("?")
    return f"{'…@' if is_told else ''}{place}{'?…' if query else ''}"


def without_credentials(address: str) -> str:
    """Give an address without the user name and the password in it.

    >>> without_credentials("https://ada:secret@proxy.example:8080")
    'https://…@proxy.example:8080'
    """
    return _CREDENTIALS.sub("…@", address)


def on_lambda() -> str | None:
    """Give the name of the Lambda function that this process is, None elsewhere."""
    return os.environ.get("AWS_LAMBDA_FUNCTION_NAME")


def load_settings(environ: Mapping[str, str] | None = None, **overrides: Any) -> Settings:
    """Read the settings from the environment, then apply the overrides.

    Overrides are fields of Settings, fields of a group by their bare name (``max_page_size=…``), or whole groups as
    dicts. InvalidSettings names the setting and what it must be.
    """
    source = os.environ if environ is None else environ
    values: dict[str, Any] = {"home": default_home(source)}
    for name, text in source.items():
        if name.startswith(PREFIX) and name not in OF_COMMANDS and text != "":
            _place(values, name.removeprefix(PREFIX).lower(), text, name)
    for name, value in overrides.items():
        if value is not None:
            _place(values, name, value, name)
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        raise InvalidSettings(_explain(error)) from None
    return _with_servers_own(settings, source)


def _with_servers_own(settings: Settings, environ: Mapping[str, str]) -> Settings:
    """Take the model's address and key from the variables that every client of its server reads, as OPENAI_API_KEY.

    A key goes to the server that its variable names, and OpenAI's to servers that are not in the table, too.
    """
    provider, llm = settings.model.partition(":")[0], settings.llm
    named = server_named(provider)
    if named is None:
        return settings
    base = llm.openai_base_url or (environ.get("OPENAI_BASE_URL") if provider == "openai" else None) or named.base_url
    found = {"openai_base_url": base}
    if not llm.api_key and not llm.api_key_secret_arn:
        keys = (environ.get(variable) for variable in server_at(str(base)).key_variables)
        found["api_key"] = next((key for key in keys if key), None)
    return settings.model_copy(update={"llm": llm.model_copy(update=found)})


def _place(values: dict[str, Any], name: str, value: Any, shown: str) -> None:
    group, field_name = _locate(name, shown)
    owner = GROUPS[group] if group else Settings
    parsed = _parse(owner, field_name, value) if isinstance(value, str) else value
    target = values.setdefault(group, {}) if group else values
    if isinstance(parsed, Mapping) and field_name in GROUPS and not group:
        target.setdefault(field_name, {}).update(parsed)
    else:
        target[field_name] = parsed


def _locate(name: str, shown: str) -> tuple[str, str]:
    if name in Settings.model_fields:
        return "", name
    for group, model in GROUPS.items():
        if name.startswith(group + "_") and name.removeprefix(group + "_") in model.model_fields:
            return group, name.removeprefix(group + "_")
    owners = [group for group, model in GROUPS.items() if name in model.model_fields]
    if len(owners) == 1:
        return owners[0], name
    raise InvalidSettings(f"{shown} is not a setting of Gleaner; {_setting_meant(name, shown)}")


def _setting_meant(name: str, shown: str) -> str:
    """Say which setting somebody may have meant by a name that is none, in the spelling of a variable or a keyword.

    >>> _setting_meant("tabel_name", "GLEANER_TABEL_NAME"), _setting_meant("max_pagesize", "max_pagesize")
    ('did you mean GLEANER_TABLE_NAME?', 'did you mean max_page_size?')
    """
    is_variable = shown.startswith(PREFIX)
    prefix = {group: f"{group}_" if is_variable else "" for group in GROUPS}
    names = [
        *Settings.model_fields,
        *(prefix[group] + field for group, model in GROUPS.items() for field in model.model_fields),
    ]
    names += [one.removeprefix(PREFIX).lower() for one in OF_COMMANDS] if is_variable else []
    close = get_close_matches(name, names, n=1, cutoff=0.75)
    if not close:
        return f"{guide('settings')} lists them"
    return f"did you mean {PREFIX + close[0].upper() if is_variable else close[0]}?"


def _parse(owner: type[SettingsGroup], field_name: str, text: str) -> Any:
    annotation = owner.model_fields[field_name].annotation
    if get_origin(annotation) is list and not _JSON_LIST.match(text):
        return [part.strip() for part in text.split(",") if part.strip()]
    if get_origin(annotation) in (list, dict) or field_name in GROUPS:
        try:
            return json.loads(text)
        except ValueError as error:
            may_be_told = field_name not in SECRETS | GROUPS.keys() | MAY_HOLD_SECRETS
            raise InvalidSettings(
                f"{field_name} is not valid JSON: {repr(text[:80]) if may_be_told else error}"
            ) from None
    return text


def _explain(error: ValidationError) -> str:
    return "; ".join(_line(item) for item in error.errors())


def _line(item: ErrorDetails) -> str:
    path = [str(part) for part in item["loc"]]
    where, message = ".".join(path), item["msg"].removeprefix("Value error, ")
    if item["type"] == "extra_forbidden":  # its value may be that of a secret whose name was written wrong
        return f"{where} is not a setting of Gleaner; {_setting_meant(path[-1], path[-1])}"
    given = item["input"]
    is_told = isinstance(given, str | int | float) and item["type"] != "value_error"  # which says it itself
    is_told = is_told and SECRETS.isdisjoint(path) and path[-1] not in GROUPS
    return f"{where or 'settings'}: {message}" + (f", not {shown_address(str(given))[:100]!r}" if is_told else "")
