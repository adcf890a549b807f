"""Parse and rewrite the heads of HTTP messages for the address proxy (RFC 9112; RFC 9110, section 7.6)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from gleaner.addresses import ResolvedUrl, split_url
from gleaner.contracts.errors import BlockedAddress

HOP_HEADERS = frozenset(
    (
        b"connection", b"keep-alive", b"proxy-connection", b"proxy-authorization", b"proxy-authenticate", b"te",
        b"trailer", b"upgrade", b"expect", b"http2-settings",
    )
)  # fmt: skip
"""Headers that concern one connection only, and are never passed on."""

BLOCKED_MARK = b"x-gleaner-blocked"
"""Header of the proxy's refusals. It is taken off what servers send, so that no page can feign one."""

ERROR_MARK = b"x-gleaner-error"
"""Header of the proxy's other failures, with their ``error_type``; taken off what servers send, too."""

_REQUEST_LINE = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}) ([\x21-\x7e]+) HTTP/1\.[01]")
_STATUS_LINE = re.compile(rb"HTTP/1\.[0-9] ([1-9][0-9]{2})(?: [^\x00\r\n]*)?")
_HEADER_LINE = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:([^\x00\r\n]*)")
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:@/?#\[\]\\]+):([0-9]{1,5})")

HeaderLines = tuple[tuple[bytes, bytes], ...]


class MalformedMessage(Exception):
    """What came is no HTTP message that may be passed on; ``status`` is the answer to it."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class ProxyRequest:
    """A request to the proxy: ``url`` is the absolute URL of a plain request, or https://host:port/ of a tunnel."""

    method: str
    url: str
    headers: HeaderLines

    @property
    def is_tunnel(self) -> bool:
        """Tell whether this is a CONNECT."""
        return self.method == "CONNECT"

    @property
    def body_size(self) -> int:
        """Give the size of the body that follows; MalformedMessage when it can't be known from the start."""
        if header_values(self.headers, b"transfer-encoding"):
            raise MalformedMessage("a request through this proxy needs a Content-Length", 411)
        sizes = set(header_values(self.headers, b"content-length"))
        if not sizes:
            return 0
        text = sizes.pop()
        if sizes or not re.fullmatch(rb"[0-9]{1,15}", text):
            raise MalformedMessage("Content-Length is not a number")
        return int(text)

    def rewritten(self, target: ResolvedUrl) -> bytes:
        """Give the head as the server gets it: origin form, the checked host, one request on this connection."""
        request_line = f"{self.method} {target.request_target} HTTP/1.1\r\nHost: {target.authority}\r\n"
        kept = _format_lines(passed_on(self.headers, dropped=(b"host",)))
        return request_line.encode("ascii") + kept + b"Connection: close\r\n\r\n"


def parse_request(head: bytes) -> ProxyRequest:
    """Parse a request head; MalformedMessage when it is none that a proxy takes."""
    line, headers = _split_head(head)
    match = _REQUEST_LINE.fullmatch(line)
    if not match:
        raise MalformedMessage("no HTTP/1.1 request line")
    method, target = match[1].decode("ascii"), match[2].decode("ascii")
    if method == "CONNECT":
        if not _AUTHORITY.fullmatch(target):
            raise MalformedMessage("CONNECT needs host:port")
        return ProxyRequest(method, f"https://{target}/", headers)
    if not target.lower().startswith("http://"):
        raise MalformedMessage("this is a forward proxy; the request line needs an absolute http: URL")
    return ProxyRequest(method, target, headers)


@dataclass(frozen=True, slots=True)
class ProxiedAnswer:
    """The head of a server's answer to a plain request."""

    status: int
    line: bytes
    headers: HeaderLines

    def rewritten(self) -> bytes:
        """Give the head as the browser gets it: the connection ends with this answer."""
        kept = _format_lines(passed_on(self.headers, dropped=(BLOCKED_MARK, ERROR_MARK)))
        return self.line + b"\r\n" + kept + b"Connection: close\r\n\r\n"


def parse_answer(head: bytes) -> ProxiedAnswer:
    """Parse an answer's head; MalformedMessage (502) when it is no HTTP."""
    line, headers = _split_head(head, status=502)
    match = _STATUS_LINE.fullmatch(line)
    if not match:
        raise MalformedMessage("it has no status line", 502)
    return ProxiedAnswer(int(match[1]), line, headers)


def _split_head(head: bytes, status: int = 400) -> tuple[bytes, HeaderLines]:
    line, *rest = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    matches = [_HEADER_LINE.fullmatch(text) for text in rest]
    if not all(matches):
        raise MalformedMessage("a header line is malformed", status)
    return line, tuple((match[1], match[2].strip()) for match in matches if match)


def header_values(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> list[bytes]:
    """Give the values of a header, by its lower-case name."""
    return [value for key, value in headers if key.lower() == name]


def passed_on(headers: HeaderLines, dropped: Iterable[bytes] = ()) -> HeaderLines:
    """Give the headers without those of this hop, those that Connection names, and ``dropped``."""
    named = b",".join(header_values(headers, b"connection")).lower().split(b",")
    # Content-Length frames the body: no Connection header may take it off.
    gone = (HOP_HEADERS | {name.strip() for name in named} | set(dropped)) - {b"content-length"}
    return tuple((name, value) for name, value in headers if name.lower() not in gone)


def _format_lines(headers: HeaderLines) -> bytes:
    return b"".join(name + b": " + value + b"\r\n" for name, value in headers)


def host_and_port(url: str) -> tuple[str, int]:
    """Give the pair that a URL names, as far as it can be told, for the record of a refusal."""
    try:
        _, host, port, _ = split_url(url)
    except BlockedAddress:
        authority = url.partition("://")[2].partition("/")[0].rpartition("@")[2]
        host, _, digits = authority.rpartition(":")
        return (host, int(digits)) if host and digits.isdigit() else (authority, 0)
    return host, port


def refusal_message(status: int, phrase: str, text: str, *headers: str) -> bytes:
    """Give an answer of the proxy itself; ``text`` says why, where no frame of a page shows it as text of the page."""
    body = f'<!doctype html><meta name="gleaner-refusal" content="{escape(text)}">\n'.encode("utf-8", "replace")
    lines = (
        f"HTTP/1.1 {status} {phrase}",
        *headers,
        "Content-Type: text/html; charset=utf-8",
        f"Content-Length: {len(body)}",
        "Cache-Control: no-store",
        "Connection: close",
    )
    return "\r\n".join(lines).encode("ascii") + b"\r\n\r\n" + body
