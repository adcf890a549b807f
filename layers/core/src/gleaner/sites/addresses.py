"""Which addresses lead to one page, and which belong to one site."""

import re
from functools import lru_cache
from urllib.parse import SplitResult, urljoin, urlsplit

from gleaner.addresses import ascii_host, without_dot_segments
from gleaner.contracts.errors import BlockedAddress

_ESCAPE = re.compile("%[0-9A-Fa-f]{2}")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_INDEX_FILE = re.compile(r"(?:index|default)\.\w{1,5}", re.IGNORECASE)
"""What servers give for a folder: DirectoryIndex of Apache, index of nginx, the default documents of IIS."""

_PORTS = {"http": ":80", "https": ":443"}


def same_page(url: str) -> str:
    """Give an address in the form by which pages are told apart.

    Fragment, final slash, the order of parameters, the scheme's own port and needless escapes (RFC 3986, 6.2.2) make no
    other page, and neither does http instead of https.

    >>> same_page("http://Shop.example:80/p/?b=2&a=%41#top") == same_page("https://shop.example/p?a=A&b=2")
    True
    """
    parts = urlsplit(url)
    path = without_dot_segments(_plain(parts.path)).rstrip("/") or "/"
    query = "&".join(sorted(filter(None, _plain(parts.query).split("&"))))
    return f"//{_host(parts)}{path}{'?' if query else ''}{query}"


def index_folder(url: str) -> str:
    """Give the folder that an address is of, by itself or by its index file; "" for any other page.

    >>> index_folder("https://a.example/docs/index.html"), index_folder("https://a.example/docs/")
    ('https://a.example/docs/', 'https://a.example/docs/')
    >>> index_folder("https://a.example/docs/lamps.html"), index_folder("https://a.example/docs/?page=2")
    ('', '')
    """
    parts = urlsplit(url)
    name = parts.path.rpartition("/")[2]
    return "" if parts.query or (name and not _INDEX_FILE.fullmatch(name)) else urljoin(url, ".")


def site_of(url: str) -> str:
    """Give the host, and port if it is another than the scheme's own, that a site goes by; ``www.`` makes no other.

    >>> site_of("https://www.Shop.example/p"), site_of("http://127.0.0.1:8000/"), site_of("https://bücher.example/p")
    ('shop.example', '127.0.0.1:8000', 'xn--bcher-kva.example')
    """
    return _host(urlsplit(url)).removeprefix("www.")


def path_of(url: str) -> str:
    """Give what robots.txt and globs have rules for: an address's path with its query.

    >>> path_of("https://shop.example?page=2"), path_of("https://shop.example/open/../private/x")
    ('/?page=2', '/private/x')
    """
    parts = urlsplit(url)
    return without_dot_segments(parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _host(parts: SplitResult) -> str:
    host = parts.netloc.rpartition("@")[2].lower().removesuffix(_PORTS.get(parts.scheme.lower(), "/"))
    return host if host.isascii() else _ascii(host)


@lru_cache(maxsize=1024)
def _ascii(host: str) -> str:
    """Give a host with its port as it is asked for; as it is written where nobody could ask for it."""
    name, colon, port = host.partition(":")
    try:
        return ascii_host(name) + colon + port
    except BlockedAddress:
        return host


def _plain(text: str) -> str:
    """Give a text with escapes in one spelling, and none of characters that need no escape."""
    return _ESCAPE.sub(_unescaped, text) if "%" in text else text


def _unescaped(escape: re.Match[str]) -> str:
    character = chr(int(escape[0][1:], 16))
    return character if character in _UNRESERVED else escape[0].upper()
