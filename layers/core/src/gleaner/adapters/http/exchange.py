"""One request over one connection to a checked address: dial, TLS, request, answer, each within limits (SS-1, SS-2).

The connection goes to the addresses that ``check_url`` gave, never to a name, so DNS can't be asked twice. The Host
header, SNI and the certificate check keep the name.
"""

import contextlib
import socket
import ssl
import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import certifi
import h11

from gleaner.adapters.http.upstream_proxy import LONGEST_HEAD, UpstreamProxy
from gleaner.addresses import ResolvedUrl, resolve_host
from gleaner.contracts.errors import FetchTimeout, HeadersTooLarge, UnreachableHost, UnsupportedContent
from gleaner.contracts.settings import LimitSettings

MAX_INTERIM_ANSWERS = 20
RECEIVE_SIZE = 65_536
HEADER_RECEIVE_SIZE = 8_192


class HeaderMap(dict[str, str]):
    """Headers under lower-case names, found under any spelling. Repeated ones are joined with commas."""

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> "HeaderMap":
        """Join the pairs."""
        found = cls()
        for name, value in pairs:
            key = name.lower()
            found[key] = f"{found[key]}, {value}" if key in found else value
        return found

    def __getitem__(self, name: str) -> str:
        return super().__getitem__(name.lower())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and super().__contains__(name.lower())

    def get(self, name: str, default: str | None = None) -> str | None:  # type: ignore[override]
        """Give the value, or the default."""
        return super().get(name.lower(), default)


class Deadline:
    """The end of something that the setting ``limit`` bounds, counted from now."""

    def __init__(self, seconds: float, limit: str = "fetch_timeout_s") -> None:
        self._text = f"it took longer than {seconds:.3g} s ({limit})"
        self._end = time.monotonic() + seconds

    @classmethod
    def until(cls, ends_at: float | None, most_s: float) -> "Deadline":
        """Give the end of a fetch: ``fetch_timeout_s``, or a request's ``deadline_s`` when that comes first."""
        left = most_s if ends_at is None else ends_at - time.time()
        return cls(left, "deadline_s") if left < most_s else cls(most_s)

    def remaining(self) -> float:
        """Give the seconds left; FetchTimeout when there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise self.passed()
        return left

    def passed(self) -> FetchTimeout:
        """Give the error that says so."""
        return FetchTimeout(self._text)


@dataclass(frozen=True, slots=True)
class Answer:
    """Status and headers of an answer; ``cookies`` are the values of Set-Cookie."""

    status: int
    headers: HeaderMap
    cookies: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def shared_tls_context() -> ssl.SSLContext:
    """Give a client context, made once, that trusts the system's roots, or certifi's where there are none."""
    context = ssl.create_default_context()
    paths = ssl.get_default_verify_paths()
    if not (paths.cafile or paths.capath):
        context.load_verify_locations(certifi.where())
    context.set_alpn_protocols(["http/1.1"])
    return context


class HttpExchange:
    """One request and its answer; a context manager that owns the connection.

    PageError leaves: UnreachableHost (no connection, TLS refused, connection lost), FetchTimeout, HeadersTooLarge,
    UnsupportedContent (what came is not HTTP, or broke off).
    """

    def __init__(
        self,
        target: ResolvedUrl,
        limits: LimitSettings,
        deadline: Deadline,
        tls: ssl.SSLContext | None = None,
        upstream: UpstreamProxy | None = None,
    ) -> None:
        self._target = target
        self._limits = limits
        self._deadline = deadline
        self._wire = h11.Connection(h11.CLIENT, max_incomplete_event_size=limits.max_header_bytes)
        self._has_answered = False
        self.received = 0
        """Bytes of the body so far, as they were sent."""
        self._connecting: Deadline | None = Deadline(
            min(limits.connect_timeout_s, deadline.remaining()), "connect_timeout_s"
        )
        with self._naming_errors():
            if upstream is not None:
                self._socket = connect_through(upstream, target, self._connecting)
            else:
                self._socket = connect(target.host, target.addresses, target.port, self._connecting)
            if target.scheme == "https":
                self._socket = self._secure(tls or shared_tls_context(), self._connecting)
        self._connecting = None

    def __enter__(self) -> "HttpExchange":
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def _secure(self, tls: ssl.SSLContext, connecting: Deadline) -> socket.socket:
        plain = self._socket
        try:
            plain.settimeout(connecting.remaining())
            return tls.wrap_socket(plain, server_hostname=self._target.host)
        except (OSError, FetchTimeout):
            plain.close()
            raise

    def get(self, headers: Mapping[str, str]) -> Answer:
        """Send the GET and read the answer up to its headers."""
        return self._send("GET", headers, b"")

    def post(self, headers: Mapping[str, str], body: bytes) -> Answer:
        """Send a POST with its body and read the answer up to its headers."""
        return self._send("POST", {**headers, "Content-Length": str(len(body))}, body)

    def _send(self, method: str, headers: Mapping[str, str], body: bytes) -> Answer:
        pairs = [("Host", self._target.authority), *headers.items(), ("Connection", "close")]
        lines = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in pairs]  # as answers are read
        request = h11.Request(method=method, target=self._target.request_target, headers=lines)
        with self._naming_errors():
            self._socket.settimeout(self._deadline.remaining())
            sent = self._wire.send(request) or b""
            if body:
                sent += self._wire.send(h11.Data(body)) or b""
            self._socket.sendall(sent + (self._wire.send(h11.EndOfMessage()) or b""))
            return self._read_answer()

    def _read_answer(self) -> Answer:
        for _ in range(MAX_INTERIM_ANSWERS):
            event = self._next_event(HEADER_RECEIVE_SIZE)
            if isinstance(event, h11.Response):
                return self._as_answer(event)
            if not isinstance(event, h11.InformationalResponse):
                break
        raise UnsupportedContent(f"{self._target.host} did not answer in HTTP")

    def _as_answer(self, response: h11.Response) -> Answer:
        pairs = [(name.decode("ascii"), value.decode("latin-1")) for name, value in response.headers]
        if sum(len(name) + len(value) + 4 for name, value in pairs) > self._limits.max_header_bytes:
            raise self._too_many_headers()
        cookies = tuple(value for name, value in pairs if name == "set-cookie")
        return Answer(response.status_code, HeaderMap.of(pairs), cookies)

    def hurry(self, seconds: float) -> None:
        """Let the rest take no longer than that."""
        with contextlib.suppress(FetchTimeout):
            self._deadline = Deadline(min(seconds, self._deadline.remaining()))

    def body(self) -> Iterator[bytes]:
        """Give the body as it comes, still packed."""
        with self._naming_errors():
            while isinstance(event := self._next_event(RECEIVE_SIZE), h11.Data):
                self.received += len(event.data)
                yield bytes(event.data)

    def _next_event(self, receive_size: int) -> object:
        while True:
            left = self._deadline.remaining()
            event = self._wire.next_event()
            if event is not h11.NEED_DATA:
                return event
            self._socket.settimeout(left)
            data = self._socket.recv(receive_size)
            if not data and not self._has_answered:
                raise UnreachableHost(f"{self._target.host} closed the connection without an answer")
            self._has_answered = True
            self._wire.receive_data(data)

    @contextlib.contextmanager
    def _naming_errors(self) -> Generator[None]:
        host = self._target.host
        try:
            yield
        except TimeoutError:
            raise (self._connecting or self._deadline).passed() from None
        except ssl.SSLCertVerificationError as error:
            raise UnreachableHost(f"the certificate of {host} is not valid: {error.verify_message}") from None
        except ssl.SSLError as error:
            raise UnreachableHost(f"no TLS connection to {host}: {error.reason or error}") from None
        except OSError as error:
            raise UnreachableHost(f"the connection to {host} failed: {error.strerror or error}") from None
        except h11.RemoteProtocolError as error:
            if error.error_status_hint == 431:
                raise self._too_many_headers() from None
            if "without sending complete" in str(error):
                raise UnsupportedContent(f"the answer of {host} ended early") from None
            said = str(error).partition(": bytearray(")[0]  # which h11 ends with what was sent, as Python writes it
            raise UnsupportedContent(f"the answer of {host} is not valid HTTP: {said}") from None

    def _too_many_headers(self) -> HeadersTooLarge:
        limit = self._limits.max_header_bytes
        return HeadersTooLarge(f"{self._target.host} sent more than {limit} bytes of headers (max_header_bytes)")


def connect(host: str, addresses: Sequence[str], port: int, connecting: Deadline) -> socket.socket:
    """Connect to the first of the addresses that answers; the last one's error otherwise."""
    failure: OSError = OSError(f"{host} has no address")
    for index, address in enumerate(addresses):
        share = connecting.remaining() / (len(addresses) - index)
        try:
            return dial(address, port, share)
        except OSError as error:
            failure = error
    raise failure


def connect_through(upstream: UpstreamProxy, target: ResolvedUrl, connecting: Deadline) -> socket.socket:
    """Have the upstream proxy connect to the first checked address; UnreachableHost when it does not."""
    try:
        addresses = resolve_host(upstream.host, upstream.port, connecting.remaining())
        tunnel = connect(upstream.host, addresses, upstream.port, connecting)
    except OSError as error:
        raise upstream.unreachable(error) from None
    with contextlib.ExitStack() as closing:
        closing.callback(tunnel.close)
        steps = upstream.opening(target.host, target.addresses[0], target.port)
        try:
            sent, wanted = next(steps)
            while True:
                tunnel.settimeout(connecting.remaining())
                tunnel.sendall(sent)
                sent, wanted = steps.send(_read(tunnel, wanted))
        except StopIteration:
            closing.pop_all()
        except OSError:
            raise UnreachableHost(f"{upstream.place} did not answer") from None
    return tunnel


def _read(tunnel: socket.socket, wanted: int | bytes) -> bytes:
    """Read so many bytes, or up to a mark; OSError where the proxy hangs up before.

    Byte by byte, so that nothing of what follows is taken from TLS.
    """
    got = b""
    while not (len(got) == wanted if isinstance(wanted, int) else got.endswith(wanted)) and len(got) < LONGEST_HEAD:
        if not (byte := tunnel.recv(1)):
            raise ConnectionResetError("it hung up")
        got += byte
    return got


def dial(address: str, port: int, timeout_s: float) -> socket.socket:
    """Open a TCP connection to an IP address, without the resolver."""
    opened = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
    try:
        opened.settimeout(timeout_s)
        opened.connect((address, port))
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except OSError:
        opened.close()
        raise
    return opened
