"""Find absolute URLs among the links of a text."""

import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

_BARE = re.compile(r"(?:https?:\\?/\\?/|www\.)[^\s<>\"'`|)\]]{1,4000}", re.IGNORECASE)
_HOST = re.compile(
    r"(?<![\w@/.\\:-])[a-z0-9][a-z0-9-]{0,62}(?:\.[a-z0-9-]{1,63}){0,4}\.[a-z]{2,24}(?:/[^\s<>\"'`|)\]]{0,1000})?(?![\w@])",
    re.IGNORECASE,
)
"""A host in plain sight, without a scheme: "example.com"; what stands behind an @ is no site."""

_SCHEME = re.compile(r"^(?:https?:)?//", re.IGNORECASE)
_ABSOLUTE = re.compile(r"(?:https?:)?//[^\s/]|www\.", re.IGNORECASE)
_LOOKS_LIKE = re.compile(r"^(?:[a-z][a-z0-9+.-]{1,20}:|//|/|\./|\.\./|www\.|[\w.-]+/)\S*$", re.IGNORECASE)


def looks_like_address(value: str) -> bool:
    """Tell whether a value may be a URL: a scheme, a host or a path, without spaces."""
    return len(value) < 4_000 and _LOOKS_LIKE.match(value) is not None


def is_absolute_address(value: str) -> bool:
    """Tell whether a value is a URL with a host: it is proven as a whole, never by a longer one."""
    return _ABSOLUTE.match(value.strip()) is not None and " " not in value.strip()


def hosts_of(*urls: str | None) -> frozenset[str]:
    """Give the hosts of addresses, as they are compared."""
    return frozenset(host for url in urls if url and (host := _parts(url)[0]))


def scan_addresses(text: str, targets: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, str]]:
    """Give each link target and each address in plain sight: start, end, text."""
    for start, end in targets:
        if text[start : start + 1] == "<":
            yield start + 1, end - 1, text[start + 1 : end - 1]
        elif start < end:
            yield start, end, text[start:end]
    for match in _BARE.finditer(text):
        found = match[0].rstrip(".,;:!?*_")
        yield match.start(), match.start() + len(found), found
    for match in _HOST.finditer(text):
        found = match[0].rstrip(".,;:!?*_")
        yield match.start(), match.start() + len(found), f"//{found}"


def address_keys(address: str) -> list[str]:
    """Give the keys under which an address of a text is kept: whole, and by its path for values without a host.

    >>> address_keys("https://Example.com/p/1/?a=b#top"), address_keys("../p/2")
    (['example.com/p/1?a=b', '=/p/1?a=b'], ['p/2'])
    """
    host, rest = _parts(address)
    if host:
        return [host + rest, "=" + rest]
    return [key for key in (re.sub(r"^(?:\.{1,2}/)+", "", rest),) if key]


def lookup_keys(value: str, hosts: frozenset[str] = frozenset()) -> Iterator[str]:
    """Give the keys that prove a value, the surest first: whole, path from the root, then relative paths.

    Relative addresses of a page prove those of the page's ``hosts`` alone, where these are known.
    """
    host, path = _parts(value)
    yield host + path
    if host and hosts and host not in hosts:
        return
    yield path if host else "=" + path
    steps = path.split("/")
    for first in range(1, min(len(steps), 12) if host else 0):
        relative = "/".join(steps[first:])
        if relative:
            yield relative


def _parts(address: str) -> tuple[str, str]:
    """Give the host, empty for a relative address, and the path with its query."""
    plain = _plain(address)
    if plain.lower().startswith("www."):
        plain = "//" + plain
    if not _SCHEME.match(plain):
        return "", _trim(plain)
    host, slash, path = _SCHEME.sub("", plain).partition("/")
    return _host(host), _trim(slash + path)


def _plain(address: str) -> str:
    text = address.strip().replace("\\/", "/").replace("\\", "").replace("&amp;", "&")
    return unquote(text.partition("#")[0] or text)


def _host(host: str) -> str:
    return re.sub(r"^www\.|:(?:80|443)$", "", host.rpartition("@")[2].lower())


def _trim(path: str) -> str:
    before, mark, query = path.partition("?")
    return before.rstrip("/") + mark + query
