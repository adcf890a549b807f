"""What the library takes by name: the fields of a request, and the settings; editors and type checkers read them.

Tests compare them with the models that check them at run time.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, Required, TypedDict


class RetryOptions(TypedDict, total=False):
    """Which failures of a chunk are tried again."""

    on_validation_error: bool
    on_empty: bool
    split_on_timeout: bool
    split_on_length: bool
    rate_limit_initial_s: float
    rate_limit_max_s: float


class ConfigOptions(TypedDict, total=False):
    """How a page is extracted."""

    max_concurrent_chunks: int
    max_retries_per_chunk: int
    max_chunk_chars: int
    overlap_lines: int
    dedupe: Literal["exact", "keys", "none"]
    dedupe_keys: list[str]
    retry: RetryOptions
    ungrounded: Literal["null", "flag", "keep"]
    doubtful: Literal["flag", "null", "partial"]
    tiers: list[Literal["structured", "recipe", "model"]]


class BudgetOptions(TypedDict, total=False):
    """Hard caps of one request."""

    max_tokens: int
    max_usd: float
    deadline_s: float


class FollowOptions(TypedDict, total=False):
    """How far a listing is followed over its next pages."""

    max_pages: int
    max_records: int | None
    ignore_robots: bool


class SecretOption(TypedDict):
    """Names a secret in place of a value."""

    secret: str


class ActionOptions(TypedDict, total=False):
    """One action on the page, before it is read."""

    do: Required[Literal["click", "fill", "select", "check", "press", "hover", "wait_for", "scroll"]]
    target: str
    value: str | bool | SecretOption
    ms: int


class RequestOptions(TypedDict, total=False):
    """The fields of a ScrapeRequest, but for the page and the schema."""

    page_id: str | None
    format: Literal["markdown", "links", "screenshot", "fullscreenshot"]
    formats: Sequence[Literal["markdown", "links", "screenshot", "fullscreenshot"]] | None
    query: str | None
    extract_links: bool
    start_from_char: int
    css_selector: str | None
    extraction_id: str | None
    wait_for: int | None
    actions: Sequence[ActionOptions | str] | str
    follow: FollowOptions | int | bool | None
    session: str | None
    consent: Literal["reject", "accept", "leave"] | None
    proxy: str | None
    profile: Literal["default", "master"]
    enable_javascript: bool
    documents: bool
    parser: str | None
    config: ConfigOptions
    budget: BudgetOptions


class SiteOptions(TypedDict, total=False):
    """Where a site's URLs are looked for, and which of them count."""

    include: Sequence[str]
    exclude: Sequence[str]
    depth: int
    max_sitemaps: int
    other_hosts: bool
    ignore_robots: bool


class MapOptions(SiteOptions, total=False):
    """The fields of a map, but for the page that it begins at."""

    max_urls: int
    deadline_s: float | None


class CrawlOrderOptions(SiteOptions, total=False):
    """The fields of a crawl itself: which pages, how many, and how politely."""

    max_pages: int
    concurrency: int
    per_host: int
    delay_ms: int


class CrawlOptions(CrawlOrderOptions, RequestOptions, total=False):
    """The fields of a crawl, and of the request for each of its pages."""


class BrowserOptions(TypedDict, total=False):
    """The browser's runtime and profiles."""

    default_profile_id: str
    master_user_data_root: str | Path
    profile_id_regex: str
    worker_pool_min_size_per_process: int
    worker_pool_max_size_per_process: int
    queue_offer_timeout_ms: int
    slave_headless: bool
    master_login_args: Sequence[str]
    master_login_initial_page_url: str
    master_login_navigate_timeout_ms: int
    master_login_refresh_interval_ms: int
    master_login_timeout_ms: int
    master_profile_lock_timeout_ms: int
    master_profile_tenants: Sequence[str]
    browser_channel: str
    executable_path: str | Path
    launch_args: Sequence[str]
    ignore_default_args: Sequence[str]
    ignore_all_default_args: bool
    user_agent: str
    user_agents: Sequence[str]
    accept_language: str
    locale: str
    timezone_id: str
    extra_headers: Mapping[str, str]
    proxy_server: str
    proxy_username: str
    proxy_password: str
    proxy_bypass: str
    stealth_enabled: bool
    stealth_script: str
    single_process: bool


class ScrapeOptions(TypedDict, total=False):
    """How a page becomes content."""

    navigate_timeout_ms: int
    smart_wait_enabled: bool
    stability_check_interval_ms: int
    stability_max_wait_ms: int
    stability_threshold: int
    stability_length_change_threshold: float
    scroll_enabled: bool
    strip_chrome_tags: bool
    remove_base64_images: bool


class LimitOptions(TypedDict, total=False):
    """Hard limits."""

    max_page_size: int
    max_page_memory: int
    max_media_size: int
    max_inline_media: int
    max_header_bytes: int
    max_redirects: int
    max_chunks: int
    max_document_pages: int
    document_timeout_s: float
    max_document_memory: int
    fetch_timeout_s: float
    connect_timeout_s: float


class ModelOptions(TypedDict, total=False):
    """How the model is called."""

    timeout_s: float
    max_output_tokens: int
    openai_base_url: str
    api_key: str
    api_key_secret_arn: str
    api_version: str
    headers: Mapping[str, str]
    context_tokens: int
    bedrock_endpoint_url: str
    input_usd_per_million: float
    output_usd_per_million: float


class SettingOptions(BrowserOptions, ScrapeOptions, LimitOptions, ModelOptions, total=False):
    """Every setting by its name; those of a group also by their bare names."""

    cloud: bool
    table_name: str
    bucket_name: str
    event_bus_name: str
    scrape_state_machine_arn: str
    batch_state_machine_arn: str
    watch_state_machine_arn: str
    crawl_state_machine_arn: str
    schedule_group: str
    schedule_role_arn: str
    schedule_dead_letter_arn: str
    allow_hosts: Sequence[str]
    block_hosts: Sequence[str]
    proxies: Sequence[Mapping[str, object]]
    secrets: Mapping[str, object]
    secrets_prefix: str
    cors_origin: str
    daily_usd_cap: float
    cache_ttl_days: int
    job_ttl_days: int
    session_ttl_days: int
    batch_max_concurrency: int
    render_concurrency: int
    browser: BrowserOptions
    scrape: ScrapeOptions
    limits: LimitOptions
    llm: ModelOptions
