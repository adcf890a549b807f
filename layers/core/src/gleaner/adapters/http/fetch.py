"""Plain HTTP with every hop checked: pages, ranged probes and media downloads (SS-1, SS-2, ME-1).

No proxy of the environment is used, only that of the settings; no redirect is followed unchecked; and each fetch ends
in a page, or in one error that says which limit it ran into.
"""

import contextlib
import ssl
from collections.abc import Callable, Generator, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from functools import partial
from urllib.parse import quote, urljoin, urlsplit

from gleaner.adapters.http.decompression import ACCEPT_ENCODING, Decoder
from gleaner.adapters.http.exchange import Answer, Deadline, HttpExchange
from gleaner.adapters.http.upstream_proxy import Route, Routes, UpstreamProxy
from gleaner.addresses import Policy, Resolve, ResolvedUrl, check_url, resolve_host
from gleaner.contracts.errors import (
    DecompressedTooLarge,
    FetchTimeout,
    GleanerError,
    MediaTooLarge,
    PageTooLarge,
    TooManyRedirects,
    UnsupportedContent,
    raise_for_status,
)
from gleaner.contracts.media import MediaProbe, classify, total_size
from gleaner.contracts.ports import DownloadedMedia, FetchedPage, SecretStore
from gleaner.contracts.settings import LimitSettings, Settings, load_settings
from gleaner.contracts.text_types import is_text, looks_like_text
from gleaner.html.decoding.decode import decode_html

__all__ = ["FetchedPage", "HttpFetcher", "decode_html"]

REDIRECTS = frozenset((301, 302, 303, 307, 308))
PROBE_BYTES = 4_096
MOST_PACKED = 2
"""Times the limit that a body may have as it is sent: some gain by being packed, endless ones unpack to nothing."""

UNNEEDED_BYTES_S = 0.5
"""How long first bytes are waited for that decide nothing."""

RANGE_REFUSALS = frozenset((400, 403, 405, 406, 412, 416, 500, 501))
"""Statuses after which a probe asks again without a range."""

USER_AGENT = "Mozilla/5.0 (compatible; Gleaner/0.1)"
ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
ORIGIN_BOUND_HEADERS = frozenset(("authorization", "cookie", "proxy-authorization"))
"""Headers that a redirect to another origin does not take along."""

HOP_HEADERS = frozenset(("host", "connection", "content-length", "transfer-encoding", "accept-encoding", "upgrade"))
"""Headers that this client writes by itself, whatever ``extra_headers`` says."""


@dataclass(frozen=True, slots=True)
class Hop:
    """The last answer of a chain of redirects, its connection still open."""

    target: ResolvedUrl
    answer: Answer
    exchange: HttpExchange

    def unpacked(self) -> Iterator[bytes]:
        """Give the body in pieces, unpacked; pieces stay small however well they were packed, and may be empty."""
        decoder = Decoder(self.answer.headers.get("content-encoding") or "")
        for data in self.exchange.body():
            yield b""  # a body that unpacks to nothing can be given up, too
            yield from decoder.decode(data)
        if left := decoder.finish():
            yield left

    @property
    def is_packed(self) -> bool:
        """Tell whether the body unpacks to more than is sent."""
        return Decoder(self.answer.headers.get("content-encoding") or "").is_packed

    @property
    def stated_size(self) -> int:
        """Give Content-Length of an unpacked body, 0 when not stated."""
        text = self.answer.headers.get("content-length") or ""
        return int(text) if text.isdigit() and not self.is_packed else 0


class HttpFetcher:
    """Fetches over plain HTTP within ``settings.limits``; safe to share between threads.

    ``resolve`` replaces the system's resolver, ``tls`` the client's TLS context; ``secrets`` hold the credentials of
    named proxies. Errors are BlockedAddress and the leaves of PageError. An error status is an answer like any other:
    see ``raise_for_status``.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        resolve: Resolve | None = None,
        *,
        tls: ssl.SSLContext | None = None,
        secrets: Callable[[], SecretStore] | None = None,
    ) -> None:
        self._settings = load_settings() if settings is None else settings
        self._resolve = resolve
        self._tls = tls
        self._policy = Policy.from_settings(self._settings)
        self._routes = Routes(self._settings, secrets)
        self._routes.check()
        self._route: Route = self._routes

    def through(self, proxy: str | None) -> "HttpFetcher":
        """Give a fetcher that reaches every host through the named proxy; itself for None.

        InvalidRequest when no proxy has that name, InvalidSettings when its credentials can't be read.
        """
        if proxy is None:
            return self
        other = copy(self)
        other._route = self._routes.named(proxy)
        return other

    @property
    def _limits(self) -> LimitSettings:
        return self._settings.limits

    def fetch(self, url: str, *, ends_at: float | None = None, known: Mapping[str, str] | None = None) -> FetchedPage:
        """Fetch a page of at most ``max_page_size`` bytes, unpacked; its text is "" when it is none.

        ``ends_at`` (here and below) is when it must be over, in epoch seconds, if that is before the settings' limit.
        ``known`` are the validators of the page as it is known: 304 says that it is unchanged.
        """
        with self._open(url, {"Accept-Encoding": ACCEPT_ENCODING, **_unless(known)}, ends_at) as hop:
            body = _read(hop, self._limits.max_page_size, "max_page_size", PageTooLarge)
        content_type = hop.answer.headers.get("content-type") or ""
        text = decode_html(body, content_type) if is_text(content_type) or looks_like_text(body) else ""
        return FetchedPage(hop.target.url, hop.answer.status, hop.answer.headers, body, text)

    def probe(
        self,
        url: str,
        cap: int = PROBE_BYTES,
        *,
        ends_at: float | None = None,
        known: Mapping[str, str] | None = None,
    ) -> MediaProbe:
        """Look at the headers and the first bytes of what the URL gives: media, or a page (ME-1)?

        Asks by GET for a range, since servers lie to HEAD, and hangs up after ``cap`` bytes, since servers ignore
        ranges.
        """
        probed = self._probe_once(url, cap, {"Range": f"bytes=0-{cap - 1}", **_unless(known)}, ends_at)
        return self._probe_once(url, cap, {}, ends_at) if probed.status in RANGE_REFUSALS else probed

    def _probe_once(self, url: str, cap: int, headers: Mapping[str, str], ends_at: float | None) -> MediaProbe:
        with self._open(url, {"Accept-Encoding": "identity", **headers}, ends_at) as hop:
            told = bool(hop.answer.headers.get("content-type")) and not hop.answer.headers.get("content-disposition")
            prefix = _read_prefix(hop, cap, hurry=told)
        answer, final_url = hop.answer, hop.target.url
        verdict = classify(final_url, answer.status, answer.headers, prefix)
        return MediaProbe(final_url, answer.status, answer.headers, verdict, prefix, total_size(answer.headers))

    def download(self, url: str, *, ends_at: float | None = None) -> DownloadedMedia:
        """Fetch media of at most ``max_media_size`` bytes; MediaTooLarge, or HttpStatusError for an error status."""
        with self._open(url, {"Accept-Encoding": "identity", "Accept": "*/*"}, ends_at) as hop:
            raise_for_status(hop.target.url, hop.answer.status)
            body = _read(hop, self._limits.max_media_size, "max_media_size", MediaTooLarge)
        verdict = classify(hop.target.url, hop.answer.status, hop.answer.headers, body[:PROBE_BYTES])
        return DownloadedMedia(hop.target.url, body, verdict.mime or "application/octet-stream", verdict.filename)

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """Send a body to a checked address and give the answer's status; a redirect is an answer, and not followed.

        None of the headers that the settings keep for pages goes along.
        """
        deadline = Deadline.until(None, self._limits.fetch_timeout_s)
        target = self._check(url, deadline)
        with HttpExchange(target, self._limits, deadline, self._tls, self._way_to(target)) as exchange:
            return exchange.post({"User-Agent": USER_AGENT, **headers}, body).status

    @contextlib.contextmanager
    def _open(self, url: str, headers: Mapping[str, str], ends_at: float | None) -> Generator[Hop]:
        deadline = Deadline.until(ends_at, self._limits.fetch_timeout_s)
        chain = RedirectChain(self._limits.max_redirects)
        wanted = {**self._own_headers(), **headers}
        while True:
            target = self._check(url, deadline)
            with HttpExchange(target, self._limits, deadline, self._tls, self._way_to(target)) as exchange:
                answer = exchange.get({**wanted, **chain.cookie_header(target)})
                location = redirect_location(target.url, answer)
                if location is None:
                    yield Hop(target, answer, exchange)
                    return
            url = chain.follow(target, answer, location)
            wanted = headers_for(target, url, wanted)

    def _way_to(self, target: ResolvedUrl) -> UpstreamProxy | None:
        return self._route.for_host(target.host)

    def _check(self, url: str, deadline: Deadline) -> ResolvedUrl:
        resolve = self._resolve or partial(
            resolve_host, timeout_s=min(self._limits.connect_timeout_s, deadline.remaining())
        )
        return check_url(url, resolve=resolve, policy=self._policy)

    def _own_headers(self) -> dict[str, str]:
        """Give the settings' headers as a browser sends them: in UTF-8, each byte a character here."""
        browser = self._settings.browser
        own = {
            "User-Agent": browser.user_agent or (browser.user_agents or [USER_AGENT])[0],
            "Accept": ACCEPT,
            "Accept-Language": browser.accept_language or "en;q=0.9, *;q=0.5",
        }
        extra = {name: value for name, value in browser.extra_headers.items() if name.lower() not in HOP_HEADERS}
        replaced = {name.lower() for name in extra}
        sent = {name: value for name, value in own.items() if name.lower() not in replaced} | extra
        return {name: value.encode("utf-8", "replace").decode("latin-1") for name, value in sent.items()}


def _unless(known: Mapping[str, str] | None) -> dict[str, str]:
    """Give the headers that ask for a page only if it is not the one that is known (RFC 9110, 13.1)."""
    names = {"etag": "If-None-Match", "last-modified": "If-Modified-Since"}
    return {names[name]: value for name, value in (known or {}).items() if name in names}


class RedirectChain:
    """What a chain of redirects remembers: how long it is, where it has been, and the cookies set on the way."""

    def __init__(self, max_redirects: int) -> None:
        self._max_redirects = max_redirects
        self._count = 0
        self._seen: set[tuple[str, str]] = set()
        self._cookies: dict[tuple[str, bool], dict[str, str]] = {}

    def cookie_header(self, target: ResolvedUrl) -> dict[str, str]:
        """Give the Cookie header for the host: only what this very host has set, Secure ones over TLS only."""
        kept = dict(self._cookies.get((target.host, False), {}))
        if target.scheme == "https":
            kept |= self._cookies.get((target.host, True), {})
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in kept.items())} if kept else {}

    def follow(self, target: ResolvedUrl, answer: Answer, location: str) -> str:
        """Take note of a redirect and give its URL; TooManyRedirects when it is one too many, or a circle."""
        for cookie in answer.cookies:
            self._keep(target, cookie)
        self._count += 1
        if self._count > self._max_redirects:
            raise TooManyRedirects(f"{target.url} redirects once more after {self._max_redirects} (max_redirects)")
        step = (location, repr(self._cookies))
        if step in self._seen:
            raise TooManyRedirects(f"{target.url} redirects in a circle, to {location}")
        self._seen.add(step)
        return location

    def _keep(self, target: ResolvedUrl, cookie: str) -> None:
        pair, _, attributes = cookie.partition(";")
        name, _, value = pair.partition("=")
        is_secure = any(attribute.strip().lower() == "secure" for attribute in attributes.split(";"))
        jar = self._cookies.setdefault((target.host, is_secure), {})
        if name.strip() and len(jar) < 50 and len(pair) <= 4_096:
            jar[name.strip()] = value.strip()


def redirect_location(url: str, answer: Answer) -> str | None:
    """Give the absolute URL that an answer redirects to, or None."""
    location = answer.headers.get("location")
    if answer.status not in REDIRECTS or not location:
        return None
    with contextlib.suppress(UnicodeError):
        location = location.encode("latin-1").decode("utf-8")  # headers are bytes; browsers read UTF-8 in them
    try:
        return urljoin(url, quote(location.strip(), safe="!#$%&'()*+,-./:;=?@[]_~\\"))
    except ValueError:
        raise UnsupportedContent(f"{url} redirects to {location[:200]!r}, which is not a URL") from None


def headers_for(target: ResolvedUrl, url: str, headers: Mapping[str, str]) -> dict[str, str]:
    """Give the headers that a redirect from ``target`` to ``url`` takes along."""
    parts = urlsplit(url)
    if f"{parts.scheme}://{parts.netloc}".lower() == f"{target.scheme}://{target.authority}":
        return dict(headers)
    return {name: value for name, value in headers.items() if name.lower() not in ORIGIN_BOUND_HEADERS}


def _read(hop: Hop, limit: int, setting: str, too_large: type[GleanerError]) -> bytes:
    if hop.stated_size > limit:
        raise too_large(f"{hop.target.url} has {hop.stated_size} bytes; the limit is {limit} ({setting})")
    body = bytearray()
    for piece in hop.unpacked():
        body += piece
        if len(body) > limit or hop.exchange.received > MOST_PACKED * limit:
            if hop.is_packed and len(body) > limit:
                raise DecompressedTooLarge(f"{hop.target.url} unpacks to more than {limit} bytes ({setting})")
            raise too_large(f"{hop.target.url} has more than {limit} bytes ({setting})")
    return bytes(body)


def _read_prefix(hop: Hop, cap: int, *, hurry: bool) -> bytes:
    """Give the first bytes; where the headers have told already what it is, a slow server is not waited for."""
    prefix = bytearray()
    if hurry:
        hop.exchange.hurry(UNNEEDED_BYTES_S)
    try:
        for piece in hop.unpacked():
            prefix += piece
            if len(prefix) >= cap:
                break
    except FetchTimeout:
        if not hurry:
            raise
    except UnsupportedContent:
        pass  # the first bytes of a range of a packed body, or of one that breaks off: what came is enough
    return bytes(prefix[:cap])
