"""Proxies that connections are made through: the network's own (seed 004, ``proxy-*``), and named ones (AC-5)."""

import base64
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol
from urllib.parse import urlsplit

from gleaner.adapters.http.proxy_messages import MalformedMessage, parse_answer
from gleaner.adapters.http.socks import SocksRefusal, handshake
from gleaner.addresses import HostList, format_authority
from gleaner.contracts.errors import GleanerError, InvalidSettings, NotFound, UnreachableHost
from gleaner.contracts.items import DEFAULT_TENANT
from gleaner.contracts.ports import SecretStore
from gleaner.contracts.settings import ProxySettings, Settings, read_proxy_server, shown_address

HEAD_END = b"\r\n\r\n"
LONGEST_HEAD = 8_192


@dataclass(frozen=True, slots=True)
class UpstreamProxy:
    """A proxy that connections are made through, after the check. It gets the checked address, not the name.

    So it can't be sent to another address by its own DNS; a proxy that filters by name can't do so here.
    """

    host: str
    port: int
    credentials: str = ""
    bypass: HostList | None = None
    label: str = "the upstream proxy"
    scheme: str = "http"

    @classmethod
    def from_settings(cls, settings: Settings) -> "UpstreamProxy | None":
        """Give the proxy of ``browser_proxy_server``, None when not set; InvalidSettings when it is no HTTP proxy."""
        browser = settings.browser
        if not browser.proxy_server:
            return None
        server = browser.proxy_server if "://" in browser.proxy_server else f"http://{browser.proxy_server}"
        try:
            parts = urlsplit(server)
            port = parts.port or 80
        except ValueError:  # whose message may repeat the password
            shown = shown_address(browser.proxy_server)
            raise InvalidSettings(f"proxy_server: {shown!r} is not an HTTP proxy such as http://host:8080") from None
        if parts.scheme != "http" or not parts.hostname:
            shown = shown_address(browser.proxy_server)
            raise InvalidSettings(f"proxy_server: {shown!r} is not an HTTP proxy such as http://host:8080")
        user = browser.proxy_username or parts.username or ""
        credentials = f"{user}:{browser.proxy_password or parts.password or ''}" if user else ""
        return cls(parts.hostname, port, credentials, bypass_of(browser.proxy_bypass or ""))

    def serves(self, host: str) -> bool:
        """Tell whether connections to the host go through this proxy."""
        return self.bypass is None or not (self.bypass.names_host(host) or self.bypass.holds(host))

    def for_host(self, host: str) -> "UpstreamProxy | None":
        """Give the proxy itself where it serves the host."""
        return self if self.serves(host) else None

    @property
    def place(self) -> str:
        """Its name with its host and port, as messages say it."""
        return f"{self.label} {self.host}:{self.port}"

    def opening(self, target: str, address: str, port: int) -> Generator[tuple[bytes, int | bytes], bytes, None]:
        """Give bytes to send and what to read then, a number of bytes or up to a mark, until the way is open.

        ``address`` is the checked one of the host ``target``. UnreachableHost says why there is none.
        """
        try:
            if self.scheme == "socks5":
                yield from handshake(address, port, self.credentials)
                return
            answer = parse_answer((yield self.connect_message(address, port), HEAD_END))
        except SocksRefusal as refusal:
            raise UnreachableHost(f"{self.place} refused {target}: {refusal}") from None
        except MalformedMessage:
            raise UnreachableHost(f"{self.place} did not answer") from None
        if answer.status == 407:
            why = "its credentials are not right" if self.credentials else "it asks for credentials"
            raise UnreachableHost(f"{self.place} refused {target} with status 407: {why}")
        if answer.status != 200:
            raise UnreachableHost(f"{self.place} refused {target} with status {answer.status}")

    def unreachable(self, error: OSError) -> UnreachableHost:
        """Give the error of a proxy that can't be connected to."""
        return UnreachableHost(
            f"{self.place} can't be reached: {error.strerror or error or 'it did not answer in time'}"
        )

    def connect_message(self, address: str, port: int) -> bytes:
        """Give the CONNECT request for a checked address."""
        authority = format_authority("", address, port)
        lines = [f"CONNECT {authority} HTTP/1.1", f"Host: {authority}"]
        if self.credentials:
            lines.append(f"Proxy-Authorization: {basic(self.credentials)}")
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


class Route(Protocol):
    """What tells through which proxy a host is reached."""

    def for_host(self, host: str) -> UpstreamProxy | None:
        """Give the proxy; None for a connection without one. May read a secret, so it may block."""
        ...


@dataclass(frozen=True)
class Routes:
    """The ways out that the settings know: named proxies, those of some hosts, and the network's own for the rest."""

    settings: Settings
    secrets: Callable[[], SecretStore] | None = None

    def named(self, name: str) -> UpstreamProxy:
        """Give a proxy by its name; InvalidRequest names those that there are, InvalidSettings a secret that is not."""
        return self._opened(self.settings.proxy_named(name))

    def for_host(self, host: str) -> UpstreamProxy | None:
        """Give the first proxy whose hosts name this one, else the network's own where it serves the host."""
        for names, proxy in self._by_host:
            if names.names_host(host) or names.holds(host):
                return self._opened(proxy)
        return self._own.for_host(host) if self._own is not None else None

    @cached_property
    def _own(self) -> UpstreamProxy | None:
        return UpstreamProxy.from_settings(self.settings)

    @cached_property
    def _by_host(self) -> list[tuple[HostList, ProxySettings]]:
        proxies = [proxy for proxy in self.settings.proxies if proxy.hosts]
        return [(HostList.read(f"proxies, hosts of {proxy.name}", tuple(proxy.hosts)), proxy) for proxy in proxies]

    def check(self) -> None:
        """Raise InvalidSettings for what can't be a way."""
        _ = self._own, self._by_host

    def _opened(self, proxy: ProxySettings) -> UpstreamProxy:
        scheme, host, port = read_proxy_server(proxy.server)
        return UpstreamProxy(host, port, self._credentials(proxy, host), None, proxy.label, scheme)

    def _credentials(self, proxy: ProxySettings, host: str) -> str:
        if proxy.secret is None:
            return ""
        try:
            if self.secrets is None:
                raise NotFound("no secrets can be read here")
            secret = self.secrets().get(DEFAULT_TENANT, proxy.secret)
        except GleanerError as error:
            raise InvalidSettings(f"{proxy.label}: {error.message}") from None
        if not secret.may_be_seen_at(f"https://{host}"):
            raise InvalidSettings(
                f"{proxy.label}: the secret {secret.name} is for {', '.join(secret.hosts)}, not {host}"
            )
        if not secret.value.partition(":")[2] or not secret.value.isprintable():
            raise InvalidSettings(f"{proxy.label}: the secret {secret.name} is not user:password")
        return secret.value


def bypass_of(listed: str) -> HostList:
    """Read ``proxy_bypass``; ".near.example" is "*.near.example", as Chromium has it.

    >>> bypass_of("direct.example, .Near.example").names
    ('direct.example', '*.near.example')
    """
    entries = (part.strip() for part in listed.split(",") if part.strip())
    return HostList.read("proxy_bypass", tuple(f"*{one}" if one.startswith(".") else one for one in entries))


def basic(credentials: str) -> str:
    """Give the value of an authorization header for ``user:password`` (RFC 7617)."""
    return "Basic " + base64.b64encode(credentials.encode("utf-8")).decode("ascii")
