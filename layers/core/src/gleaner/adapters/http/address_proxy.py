"""A forward proxy in this process that checks and pins the address of every browser connection (SS-1).

The browser resolves no name and opens no connection but to this proxy: navigations, redirect hops, frames, fetches,
images, web sockets and service workers all pass here, one check each. Request interception inside the browser does
not see redirect hops and workers' sockets; this does.

Plain requests come in absolute form, one a connection, so that a kept-alive connection can't carry a request to
another server than the checked one. Everything else is a CONNECT tunnel.
"""

import asyncio
import contextlib
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial
from typing import Self

from gleaner.adapters.http.proxy_messages import host_and_port
from gleaner.adapters.http.proxy_server import HOST, ProxyLimits, ProxyServer, Streams
from gleaner.adapters.http.upstream_proxy import Route, Routes, UpstreamProxy
from gleaner.addresses import Policy, Resolve, ResolvedUrl, check_url, resolve_host
from gleaner.contracts.errors import BlockedAddress, GleanerError, UnreachableHost
from gleaner.contracts.ports import SecretStore
from gleaner.contracts.settings import Settings

__all__ = ["AddressProxy", "BlockedTarget", "ProxyLimits", "UpstreamProxy"]

MAX_RECORDS = 1_000


@dataclass(frozen=True, slots=True)
class BlockedTarget:
    """A host and port that a page was kept from, and why."""

    host: str
    port: int
    reason: str


def _again(addresses: tuple[str, ...], host: str, port: int) -> tuple[str, ...]:  # noqa: ARG001 - a Resolve
    return addresses


class AddressProxy:
    """The proxy, on a port of its own on 127.0.0.1; start and stop it, or use it as a context manager.

    All public names may be used from any thread.
    """

    def __init__(
        self,
        policy: Policy,
        resolve: Resolve | None = None,
        limits: ProxyLimits | None = None,
        *,
        upstream: Route | None = None,
    ) -> None:
        self._policy = policy
        self._resolve = resolve or resolve_host
        self._limits = limits or ProxyLimits()
        self._upstream = upstream
        self._errors: OrderedDict[tuple[str, int], GleanerError] = OrderedDict()
        self._lock = threading.Lock()
        self._server: ProxyServer | None = None
        self._inherited: list[ProxyServer] = []

    @classmethod
    def from_settings(
        cls,
        settings: Settings,
        resolve: Resolve | None = None,
        secrets: Callable[[], SecretStore] | None = None,
    ) -> "AddressProxy":
        """Give the proxy that an installation's settings describe; ``secrets`` hold the named proxies' credentials."""
        limits = settings.limits
        proxy_limits = ProxyLimits(
            limits.max_header_bytes,
            limits.connect_timeout_s,
            max_received_bytes=max(limits.max_page_size, limits.max_media_size),
        )
        routes = Routes(settings, secrets)
        routes.check()
        return cls(Policy.from_settings(settings), resolve, proxy_limits, upstream=routes)

    def through(self, upstream: UpstreamProxy) -> "AddressProxy":
        """Give a proxy of its own that checks alike, and connects through another one."""
        return AddressProxy(self._policy, self._resolve, self._limits, upstream=upstream)

    def start(self) -> Self:
        """Listen and serve, in a thread of its own. A forked child that calls this gets a server of its own."""
        if self._server is not None and self._server.process_id != os.getpid():
            self._server.abandon()
            self._inherited.append(self._server)
            self._server = None
        if self._server is None:
            self._server = ProxyServer(self._limits, self)
        return self

    def stop(self) -> None:
        """End all connections and the thread; a stopped proxy can be started again, on another port."""
        if self._server is not None and self._server.process_id == os.getpid():
            self._server.stop()
        self._server = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """Where the proxy listens: http://127.0.0.1:port."""
        return f"http://{HOST}:{self.port}"

    @property
    def port(self) -> int:
        """Its port; UnreachableHost before it is started."""
        if self._server is None:
            raise UnreachableHost("the address proxy is not started")
        return self._server.port

    @property
    def blocked(self) -> tuple[BlockedTarget, ...]:
        """What was refused since the start, or since ``clear``; each host and port once."""
        with self._lock:
            errors = tuple(self._errors.items())
        return tuple(
            BlockedTarget(host, port, error.message)
            for (host, port), error in errors
            if isinstance(error, BlockedAddress)
        )

    def error_for(self, url: str) -> GleanerError | None:
        """Give the error that the last connection to the URL's host and port ended in; None when it was made.

        A browser reports every refusal as a failed tunnel; this says which it was.
        """
        with self._lock:
            return self._errors.get(host_and_port(url))

    def clear(self) -> None:
        """Forget all refusals and errors."""
        with self._lock:
            self._errors.clear()

    def record(self, url: str, error: GleanerError | None) -> None:
        """Keep the outcome of a connection."""
        pair = host_and_port(url)
        with self._lock:
            if error is None:
                self._errors.pop(pair, None)
                return
            self._errors[pair] = error
            if len(self._errors) > MAX_RECORDS:
                self._errors.popitem(last=False)

    def check(self, url: str, addresses: tuple[str, ...] | None = None) -> ResolvedUrl:
        """Check a URL, with addresses that were found before or by asking the resolver."""
        resolve = self._resolve if addresses is None else partial(_again, addresses)
        return check_url(url, resolve=resolve, policy=self._policy)

    async def dial(self, target: ResolvedUrl) -> Streams:
        """Connect to the first checked address that answers, through the upstream proxy if there is one."""
        failure = f"{target.host} has no address"
        upstream = await self._upstream_of(target.host)
        through = f" through {upstream.place}" if upstream is not None else ""
        share = self._limits.connect_timeout_s / max(1, len(target.addresses))
        for address in target.addresses:
            try:
                async with asyncio.timeout(share):
                    return await self._connect(target, address, upstream)
            except TimeoutError:
                failure = f"no connection to {target.host}{through} within {share:g} s"
            except OSError as error:
                failure = f"the connection to {target.host} failed: {error.strerror or error}"
        raise UnreachableHost(failure)

    async def _upstream_of(self, host: str) -> UpstreamProxy | None:
        route = self._upstream
        if isinstance(route, Routes) and route.settings.proxies:  # whose secrets take a while to read
            return await asyncio.to_thread(route.for_host, host)
        return route.for_host(host) if route is not None else None

    async def _connect(self, target: ResolvedUrl, address: str, upstream: UpstreamProxy | None) -> Streams:
        limit = self._limits.max_header_bytes
        if upstream is None:
            return await asyncio.open_connection(address, target.port, limit=limit)
        try:
            reader, writer = await asyncio.open_connection(upstream.host, upstream.port, limit=limit)
        except OSError as error:
            raise upstream.unreachable(error) from None
        is_open = False
        try:
            await _open_way(upstream.opening(target.host, address, target.port), reader, writer)
            is_open = True
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            raise UnreachableHost(f"{upstream.place} did not answer") from None
        finally:
            if not is_open:
                writer.close()
        return reader, writer


async def _open_way(
    steps: Generator[tuple[bytes, int | bytes], bytes, None], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Do what a proxy asks for, step by step."""
    with contextlib.suppress(StopIteration):
        sent, wanted = next(steps)
        while True:
            writer.write(sent)
            got = await (reader.readexactly(wanted) if isinstance(wanted, int) else reader.readuntil(wanted))
            sent, wanted = steps.send(got)
