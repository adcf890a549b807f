"""The sockets of the address proxy: an event loop in a thread that asks a gate about each connection."""

import asyncio
import contextlib
import os
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gleaner.adapters.http.proxy_messages import (
    BLOCKED_MARK,
    ERROR_MARK,
    MalformedMessage,
    ProxiedAnswer,
    ProxyRequest,
    host_and_port,
    parse_answer,
    parse_request,
    refusal_message,
)
from gleaner.addresses import ResolvedUrl
from gleaner.contracts.errors import BlockedAddress, GleanerError, HeadersTooLarge, UnreachableHost, UnsupportedContent

if TYPE_CHECKING:
    from gleaner.adapters.http.address_proxy import AddressProxy

HOST = "127.0.0.1"
STEP = 65_536
MAX_INTERIM_ANSWERS = 20
LINGER_S = 1.0
LOOK_UP_LIFE_S = 30.0
"""How long checked addresses are used again: a page opens many connections to few hosts."""

MAX_LOOK_UPS = 10_000
RESOLVER_THREADS = 8

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True, slots=True)
class ProxyLimits:
    """Limits of one proxy. ``max_received_bytes`` is what a server may send on one connection; None is no limit."""

    max_header_bytes: int = 65_536
    connect_timeout_s: float = 10.0
    idle_timeout_s: float = 120.0
    max_connections: int = 512
    max_received_bytes: int | None = None


class ClientConnection:
    """One connection of the browser, and the one to the server that it led to."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.server_writer: asyncio.StreamWriter | None = None
        self.last_active = time.monotonic()

    def close(self) -> None:
        """Close both sides."""
        self.writer.close()
        if self.server_writer is not None:
            self.server_writer.close()

    def abort(self) -> None:
        """Drop both sides with all that is still to be sent."""
        self.writer.transport.abort()
        if self.server_writer is not None:
            self.server_writer.transport.abort()


class ProxyServer:
    """Accepts connections from its making until ``stop``."""

    def __init__(self, limits: ProxyLimits, gate: "AddressProxy") -> None:
        self._limits = limits
        self._gate = gate
        self.process_id = os.getpid()
        self._open: dict[asyncio.Task[None], ClientConnection] = {}
        self._look_ups: dict[tuple[str, int], tuple[float, asyncio.Future[ResolvedUrl]]] = {}
        self._pool = ThreadPoolExecutor(RESOLVER_THREADS, thread_name_prefix="address-proxy-resolver")
        self._listener = socket.create_server((HOST, 0))
        self.port: int = self._listener.getsockname()[1]
        self._loop = asyncio.new_event_loop()
        self._stopping = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="address-proxy", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End all connections, then the thread."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: stopped before
            self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(self._limits.connect_timeout_s)

    def abandon(self) -> None:
        """Let go of the port in a forked child, where the thread does not run; the parent's server goes on."""
        self._listener.close()

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._loop.close()

    async def _serve(self) -> None:
        limit, backlog = self._limits.max_header_bytes, self._limits.max_connections
        server = await asyncio.start_server(self._accept, sock=self._listener, limit=limit, backlog=backlog)
        watching = asyncio.create_task(self._drop_idle())
        await self._stopping.wait()
        server.close()
        for connection in self._open.values():
            connection.abort()
        tasks = [watching, *self._open]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0)  # one round for the transports to let go of their sockets

    async def _drop_idle(self) -> None:
        while True:
            await asyncio.sleep(min(5.0, self._limits.idle_timeout_s / 4))
            oldest = time.monotonic() - self._limits.idle_timeout_s
            for connection in [one for one in self._open.values() if one.last_active < oldest]:
                connection.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        connection = ClientConnection(reader, writer)
        if task is None or len(self._open) >= self._limits.max_connections:
            writer.transport.abort()
            return
        self._open[task] = connection
        try:
            await self._handle(connection)
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            connection.abort()  # one side hung up, or the proxy is stopped: so does the other
        finally:
            connection.close()
            del self._open[task]

    async def _handle(self, connection: ClientConnection) -> None:
        try:
            await self._serve_request(connection, parse_request(await self._read_head(connection.reader)))
        except MalformedMessage as error:
            await self._refuse(connection, error.status, "Refused", str(error))

    async def _serve_request(self, connection: ClientConnection, request: ProxyRequest) -> None:
        _ = request.is_tunnel or request.body_size  # a body without an end is refused before anything is dialled
        try:
            target = await self._look_up(request.url)
            reader, connection.server_writer = await self._gate.dial(target)
            self._gate.record(request.url, None)
            connection.last_active = time.monotonic()
            if request.is_tunnel:
                await self._tunnel(connection, reader, connection.server_writer)
            else:
                await self._exchange(connection, reader, connection.server_writer, request, target)
        except BlockedAddress as error:
            self._gate.record(request.url, error)
            await self._refuse(connection, 403, "Blocked", str(error), f"{BLOCKED_MARK.decode()}: 1")
        except GleanerError as error:
            self._gate.record(request.url, error)
            await self._refuse(connection, 502, "Bad Gateway", str(error), f"{ERROR_MARK.decode()}: {error.error_type}")

    async def _look_up(self, url: str) -> ResolvedUrl:
        pair = host_and_port(url)
        known = self._look_ups.get(pair)
        if known is None or known[0] < time.monotonic():
            if len(self._look_ups) >= MAX_LOOK_UPS:
                self._look_ups.clear()
            known = (
                time.monotonic() + LOOK_UP_LIFE_S,
                self._loop.run_in_executor(self._pool, self._gate.check, url),
            )
            self._look_ups[pair] = known
        try:
            found = await asyncio.shield(known[1])
        except GleanerError:
            self._look_ups.pop(pair, None)
            raise
        return self._gate.check(url, found.addresses)

    async def _read_head(self, reader: asyncio.StreamReader) -> bytes:
        try:
            return await reader.readuntil(b"\r\n\r\n")
        except asyncio.LimitOverrunError:
            raise MalformedMessage(self._too_many_headers, 431) from None

    @property
    def _too_many_headers(self) -> str:
        return f"more than {self._limits.max_header_bytes} bytes of headers (max_header_bytes)"

    async def _tunnel(
        self, connection: ClientConnection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        connection.writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await asyncio.gather(self._send_on(connection, writer), self._receive(connection, reader))

    async def _send_on(self, connection: ClientConnection, writer: asyncio.StreamWriter) -> None:
        while data := await connection.reader.read(STEP):
            connection.last_active = time.monotonic()
            writer.write(data)
            await writer.drain()
        _end(writer)

    async def _receive(self, connection: ClientConnection, reader: asyncio.StreamReader) -> None:
        received, limit = 0, self._limits.max_received_bytes
        while data := await reader.read(STEP):
            connection.last_active = time.monotonic()
            received += len(data)
            if limit is not None and received > limit:
                connection.abort()
                return
            connection.writer.write(data)
            await connection.writer.drain()
        _end(connection.writer)

    async def _exchange(
        self,
        connection: ClientConnection,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        request: ProxyRequest,
        target: ResolvedUrl,
    ) -> None:
        writer.write(request.rewritten(target))
        sending = asyncio.create_task(self._send_body(connection, writer, request.body_size))
        try:
            answer = await self._read_answer(reader, target.authority)
            connection.writer.write(answer.rewritten())
            await self._receive(connection, reader)
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    async def _send_body(self, connection: ClientConnection, writer: asyncio.StreamWriter, size: int) -> None:
        while size and (data := await connection.reader.read(min(STEP, size))):
            connection.last_active = time.monotonic()
            size -= len(data)
            writer.write(data)
            await writer.drain()
        # What follows the body goes nowhere. When the browser hangs up, so does this side: servers that keep a
        # connection open whatever they are asked would hold it for minutes.
        while await connection.reader.read(STEP):
            pass
        connection.abort()

    async def _read_answer(self, reader: asyncio.StreamReader, server: str) -> ProxiedAnswer:
        try:
            for _ in range(MAX_INTERIM_ANSWERS):
                answer = parse_answer(await reader.readuntil(b"\r\n\r\n"))
                if answer.status >= 200:
                    return answer
                if answer.status == 101:
                    break
        except asyncio.LimitOverrunError:
            raise HeadersTooLarge(f"{server} sent {self._too_many_headers}") from None
        except asyncio.IncompleteReadError as error:
            if error.partial:
                raise UnsupportedContent(f"the answer of {server} is not HTTP") from None
            raise UnreachableHost(f"{server} closed the connection without an answer") from None
        except MalformedMessage as error:
            raise UnsupportedContent(f"the answer of {server} is not HTTP: {error}") from None
        raise UnsupportedContent(f"{server} gave no final answer")

    async def _refuse(self, connection: ClientConnection, status: int, phrase: str, text: str, *headers: str) -> None:
        connection.writer.write(refusal_message(status, phrase, text, *headers))
        await connection.writer.drain()
        _end(connection.writer)
        with contextlib.suppress(TimeoutError):
            # A close with unread bytes would reset the connection before the client has read the refusal.
            async with asyncio.timeout(LINGER_S):
                while await connection.reader.read(STEP):
                    pass


def _end(writer: asyncio.StreamWriter) -> None:
    if writer.can_write_eof() and not writer.is_closing():
        writer.write_eof()
