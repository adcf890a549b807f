"""The ports: what the core needs from outside, as small Protocols that adapters implement."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias
from urllib.parse import urlsplit

from gleaner.contracts.actions import Action, ActionOutcome, ConsentOutcome, ConsentWish
from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.media import MediaProbe
from gleaner.contracts.settings import Settings

JsonValue: TypeAlias = "str | int | float | bool | None | list[JsonValue] | dict[str, JsonValue]"
"""Any value that JSON can write."""

JsonObject: TypeAlias = dict[str, JsonValue]
"""A JSON object."""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One question to a model: texts, the relaxed schema of the answer (or none), and its limits (LB-2).

    The first ``shared_chars`` characters of the prompt are the same for every page that is asked the same.
    """

    system: str
    prompt: str
    schema: JsonObject | None = None
    max_output_tokens: int = 4096
    timeout_s: float = 60.0
    shared_chars: int = 0


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """A model's answer: its text, the tokens it cost, and whether it ended or was cut by the output limit."""

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    stop_reason: Literal["end", "length"] = "end"


class Writing(Protocol):
    """An answer that a model is writing: its tokens and records so far."""

    is_going: bool
    tokens: int

    @property
    def records(self) -> int:
        """How many records of a list have begun."""
        ...


class Model(Protocol):
    """Anything that answers; may raise RateLimited, ModelUnavailable, ModelTimeout, ModelRefused, ModelMisconfigured.

    An optional attribute ``name`` ("bedrock:…", "openai:…") is what prices and cache keys go by.
    """

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """Answer one request."""
        ...


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """An HTTP answer: the final URL, status, headers (lower-case names), body in bytes, decoded text."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    text: str


@dataclass(frozen=True, slots=True)
class DownloadedMedia:
    """A media file: the final URL, its bytes, type, and file name if the answer or the path gives one."""

    url: str
    body: bytes
    mime: str
    filename: str | None


class Fetcher(Protocol):
    """Plain HTTP, address-checked on every hop; PageError or BlockedAddress when it can't be."""

    def fetch(self, url: str, *, ends_at: float | None = None, known: Mapping[str, str] | None = None) -> FetchedPage:
        """Fetch a page within the limits of the settings, and until ``ends_at`` in epoch seconds.

        ``known`` are the ``etag`` and ``last-modified`` of the page as it is known: unchanged, it answers 304.
        """
        ...

    def probe(self, url: str, *, ends_at: float | None = None, known: Mapping[str, str] | None = None) -> MediaProbe:
        """Look at the headers and the first bytes: media, or a page; ``known`` as in ``fetch``."""
        ...

    def download(self, url: str, *, ends_at: float | None = None) -> DownloadedMedia:
        """Fetch media within the limits of the settings."""
        ...

    def through(self, proxy: str | None) -> "Fetcher":
        """Give what fetches through a named proxy; itself for None. InvalidRequest names the proxies that there are."""
        ...

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """Send a body to a checked address, following no redirect; give the answer's status."""
        ...


@dataclass(frozen=True, slots=True)
class Secret:
    """A named secret of a tenant. ``hosts`` may see it: ``shop.example`` and ``*.shop.example`` over https, or an
    origin, ``http://127.0.0.1:8000``."""

    name: str
    value: str = field(repr=False)
    hosts: tuple[str, ...]

    def may_be_seen_at(self, url: str) -> bool:
        """Tell whether a page of this address may see it.

        >>> secret = Secret("pin", "12345678", ("*.shop.example",))
        >>> [secret.may_be_seen_at(f"{at}/login") for at in ("https://www.shop.example", "http://www.shop.example")]
        [True, False]
        """
        parts = urlsplit(url)
        origin, place = f"{parts.scheme}://{parts.netloc}".lower(), parts.netloc.lower()
        for host in self.hosts:
            is_below = host.startswith("*.") and place.endswith(host[1:])
            if host == origin or (parts.scheme == "https" and (host == place or is_below)):
                return True
        return False


class Sealer(Protocol):
    """Encrypts what is kept (on this machine; the bucket does it by itself)."""

    def seal(self, body: bytes) -> bytes:
        """Give the bytes as they may be stored."""
        ...

    def open(self, body: bytes) -> bytes:
        """Give what was sealed; NotFound where the key is another one."""
        ...


class SecretStore(Protocol):
    """The secrets of tenants (Secrets Manager, or a file of the data folder)."""

    def get(self, tenant: str, name: str) -> Secret:
        """Give a secret; NotFound where the tenant has none of that name, InvalidSettings for one that is no secret."""
        ...


@dataclass(frozen=True, slots=True)
class RenderOrder:
    """What one rendering is to give. Times are in milliseconds.

    At ``ends_at``, in epoch seconds, what is there by then is given. ``batches`` is how many more batches of a list may
    be loaded, by a "load more" control or as one scrolls; 0: as one scrolls for as long as a page may take, and no
    control is pressed. ``actions`` are done once the page has settled, before it is read; ``secrets`` are those that
    they name. ``state`` are the cookies and storage that the browser begins with; with ``keeps_state`` the page carries
    those that it ends with. ``consent`` is how a consent dialog is answered, before the actions; ``proxy`` names the
    proxy that all is reached through.
    """

    url: str
    screenshots: tuple[Literal["viewport", "full"], ...] = ()
    wait_for_ms: int | None = None
    profile: Literal["default", "master"] = "default"
    ends_at: float | None = None
    batches: int = 0
    actions: tuple[Action, ...] = ()
    secrets: Mapping[str, Secret] = field(default_factory=dict[str, Secret])
    state: JsonObject | None = None
    keeps_state: bool = False
    consent: ConsentWish = "leave"
    proxy: str | None = None


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page as the browser showed it.

    ``html`` is the serialised DOM after the wait; elements that a person can't see carry the attribute
    ``data-gleaner-hidden``. ``links`` are absolute and deduplicated, in page order. ``timings`` are in milliseconds.
    ``cut_short`` is an ``error_type`` and its message when the page was still loading and may not be whole.
    ``undrawn`` are the characters that the screenshots lack, since no font here has them. ``actions`` says what came of
    each action. ``validators`` are the document's ``etag`` and ``last-modified``, where all that the page shows came
    with it.
    """

    url: str
    status: int
    title: str
    html: str
    links: tuple[str, ...] = ()
    screenshots: Mapping[Literal["viewport", "full"], bytes] = field(
        default_factory=dict[Literal["viewport", "full"], bytes]
    )
    undrawn: str = ""
    console_errors: tuple[str, ...] = ()
    timings: Mapping[str, float] = field(default_factory=dict[str, float])
    warnings: tuple[str, ...] = ()
    cut_short: tuple[ErrorType, str] | None = None
    actions: tuple[ActionOutcome, ...] = ()
    validators: Mapping[str, str] = field(default_factory=dict[str, str])
    state: JsonObject | None = None
    consent: ConsentOutcome | None = None


class Schedules(Protocol):
    """What runs watches in their time: EventBridge Scheduler, or the process that serves."""

    def put(self, watch_id: str, tenant: str, every_s: int) -> None:
        """Run a watch every so many seconds, whole minutes; in place of its schedule before."""
        ...

    def delete(self, watch_id: str, tenant: str) -> None:
        """Run it no more."""
        ...


class Renderer(Protocol):
    """A real browser."""

    def render(self, order: RenderOrder) -> RenderedPage:
        """Render one page.

        Otherwise PageError, BlockedAddress, ActionFailed, BrowserCrashed, QueueTimeout or ProfileLocked.
        """
        ...


@dataclass(frozen=True, slots=True)
class StoredBlob:
    """A blob as it was found: its bytes, the tag of this version, and its age in seconds by the store's own clock."""

    body: bytes
    tag: str
    age_s: float


class BlobStore(Protocol):
    """Bytes under keys (S3, or files below the data folder). Writing is atomic: a reader sees all or nothing."""

    def write(self, key: str, body: bytes, content_type: str = "application/octet-stream") -> None:
        """Store the bytes under the key, replacing what was there."""
        ...

    def read(self, key: str) -> bytes:
        """Give the bytes; NotFound when there are none under this key."""
        ...

    def exists(self, key: str) -> bool:
        """Tell whether the key holds anything."""
        ...

    def find(self, key: str) -> StoredBlob | None:
        """Give the bytes with the tag of their version; None when there are none."""
        ...

    def write_if(self, key: str, body: bytes, tag: str | None) -> str | None:
        """Write private bytes in place of the version of this tag (None: of nothing); give the new tag.

        None, and nothing changed, when another version is there.
        """
        ...

    def url(self, key: str, expires_s: int = 3600) -> str:
        """Give a URL that reads the blob: presigned on S3, file: locally."""
        ...

    def keys(self, folder: str) -> Iterator[str]:
        """Give the keys below a folder ("jobs/acme"), in no order; one that is deleted meanwhile may be among them."""
        ...

    def delete(self, keys: Sequence[str]) -> None:
        """Delete what is under the keys; where nothing is, nothing happens."""
        ...


@dataclass(frozen=True, slots=True)
class Item:
    """One table item. ``host`` puts it in the index by host; ``ttl`` is the epoch second at which it may vanish.

    ``version`` counts the writes; the store keeps it.
    """

    pk: str
    sk: str
    data: JsonObject
    host: str | None = None
    ttl: int | None = None
    version: int = 0


@dataclass(frozen=True, slots=True)
class ItemPage:
    """A page of a query, in the order of ``sk``; ``next`` continues after it, None at the end."""

    items: tuple[Item, ...]
    next: str | None = None


class TableStore(Protocol):
    """Items under (pk, sk), with conditional writes and atomic counters (DynamoDB, or SQLite)."""

    def get(self, pk: str, sk: str) -> Item | None:
        """Give the item, strongly consistent; None when absent or past its ttl."""
        ...

    def put(self, item: Item, *, if_version: int | None = None) -> bool:
        """Write the item; with ``if_version`` only when the stored version is that (0: absent). False if not."""
        ...

    def get_many(self, pk: str, sks: Sequence[str]) -> list[Item | None]:
        """Give each item of a partition as ``get`` does, in the order asked for."""
        ...

    def put_new(self, items: Sequence[Item]) -> list[bool]:
        """Write each item that is absent, each for itself; tell which were. Broken off, some are written."""
        ...

    def add(
        self,
        pk: str,
        sk: str,
        amounts: Mapping[str, int],
        *,
        ceilings: Mapping[str, int] | None = None,
        ttl: int | None = None,
    ) -> JsonObject | None:
        """Add to integer fields atomically, making the item if absent; give the new data.

        None, and nothing changed, when a field's new value would pass its ceiling. ``ttl`` is the item's from then on.
        """
        ...

    def query(self, pk: str, *, prefix: str = "", limit: int = 100, after: str | None = None) -> ItemPage:
        """Give the items of a partition whose sk starts with the prefix, in sk order, ``limit`` at a time."""
        ...

    def query_host(self, host: str, *, limit: int = 100, after: str | None = None) -> ItemPage:
        """Give the items indexed under the host."""
        ...

    def delete(self, pk: str, sk: str) -> bool:
        """Delete the item; False when there was none."""
        ...

    def every_key(self) -> Iterator[tuple[str, str]]:
        """Give the keys of all items, in no order; of those that are past their ttl, too."""
        ...


class EventSink(Protocol):
    """Where completion events go (EventBridge, or the local engine's listeners)."""

    def send(self, detail_type: str, detail: JsonObject) -> None:
        """Send one event: ScrapeCompleted or ScrapeFailed."""
        ...


class Starter(Protocol):
    """What starts an execution of a state machine: Step Functions, or the local engine in a thread."""

    def start(self, machine: str, payload: JsonObject, name: str) -> None:
        """Start ``scrape_page`` or ``scrape_batch`` under a name; a name that was used before starts nothing."""
        ...

    def steps(self, name: str) -> list[JsonObject]:
        """Give the steps of an execution as far as known: name, status, started_at, ended_at (epoch seconds)."""
        ...


class Services(Protocol):
    """All ports of one installation; each is made at its first use."""

    @property
    def settings(self) -> Settings:
        """The validated settings."""
        ...

    @property
    def blobs(self) -> BlobStore:
        """The blob store."""
        ...

    @property
    def table(self) -> TableStore:
        """The table."""
        ...

    @property
    def fetcher(self) -> Fetcher:
        """Plain HTTP."""
        ...

    @property
    def renderer(self) -> Renderer | None:
        """The browser; None on a machine that has none."""
        ...

    @property
    def model(self) -> Model | None:
        """The configured model; None when it is ``none``."""
        ...

    @property
    def events(self) -> EventSink:
        """The event sink."""
        ...

    @property
    def secrets(self) -> SecretStore:
        """The tenants' secrets."""
        ...

    @property
    def sealer(self) -> Sealer:
        """What seals sessions."""
        ...

    @property
    def schedules(self) -> Schedules:
        """What runs watches in their time."""
        ...
