"""Globs over URLs, which say which pages a strategy fits (ST-1).

Glob and URL are compared as RFC 3986 (6.2) says that URLs are: scheme and host in lower case, international names in
their ASCII form, without the scheme's own port, user names and passwords; a URL without a path is that of ``/``.
"""

import fnmatch
import re
from functools import lru_cache
from urllib.parse import quote

from gleaner.addresses import ascii_host
from gleaner.contracts.errors import BlockedAddress

_URL = re.compile(r"([^:/?#]*)://([^/?#]*)(.*)", re.DOTALL)
_GLOB = re.compile(r"([^:/#]*)://([^/#]*)(.*)", re.DOTALL)
"""As ``_URL``, but a ``?`` may stand for a letter of the host."""
_IPV6 = re.compile(r"\[[0-9a-f.]*:[0-9a-f:.]*\](:\d+)?")
_ESCAPE = re.compile("%[0-9a-fA-F]{2}")
_MARK = re.compile(r"[*?\[]")
_PORTS = {"http": ":80", "https": ":443"}
_ASCII = "".join(map(chr, range(33, 127)))
ANY_HOST = "*"


def matches(pattern: str, url: str) -> bool:
    """Tell whether the glob matches the URL, with or without its fragment.

    ``*`` stands for anything, slashes too; ``?`` for one character; ``[0-9]`` for one of these, ``[!0-9]`` for one of
    the others; brackets also match themselves, since URLs have them.

    >>> matches("https://shop.example/p/*", "https://SHOP.example:443/p/12?from=home")
    True
    """
    forms, wanted = _forms(url), _spelled(_GLOB, pattern)
    beginning = _MARK.split(wanted, maxsplit=1)[0]
    if not any(form.startswith(beginning) for form in forms):
        return False
    return pattern == url or any(form == wanted or _fits(wanted, form) for form in forms)


def path_matches(pattern: str, path: str) -> bool:
    """Tell whether a glob of paths matches a path, with or without its query; escapes and letters are one spelling.

    >>> path_matches("/bücher/*", "/b%c3%bccher/1?page=2"), path_matches("/b%C3%BCcher", "/bücher/")
    (True, True)
    """
    wanted, form = _escaped(pattern), _escaped(path)
    plain = form.partition("?")[0]
    return any(fnmatch.fnmatchcase(one, wanted) for one in (form, plain, plain.rstrip("/") or "/"))


def host_of(url: str) -> str:
    """Give the host of a URL; ``*`` when it has none. What is no URL is its own glob, and has the host of that."""
    return _host(_URL if _URL.fullmatch(url) else _GLOB, url)


def host_of_pattern(pattern: str) -> str:
    """Give the host whose URLs a glob can match; ``*`` when they may be on several.

    >>> host_of_pattern("http*://Shop.example:8080/*"), host_of_pattern("https://*.example/p/*")
    ('shop.example', '*')
    """
    host = _host(_GLOB, pattern)
    return host if _IPV6.fullmatch(host) or not _MARK.search(host) else ANY_HOST


def url_pattern_of(url: str) -> str:
    """Give the glob of pages like this one: the query is left open, and so are the parts of a path that name one page.

    Those are the parts with a digit, and the last one where it is a phrase or stands below another.

    >>> url_pattern_of("https://shop.example/list?page=2")
    'https://shop.example/list*'
    >>> url_pattern_of("https://shop.example/item/4711"), url_pattern_of("https://shop.example/item/red-lamp")
    ('https://shop.example/item/*', 'https://shop.example/item/*')
    """
    parts = _URL.fullmatch(_spelled(_URL, url))
    if parts is None:
        return url + "*"
    path, *query = re.split(r"[?#]", parts[3], maxsplit=1)
    segments = ["*" if re.search(r"\d", segment) else segment for segment in path[1:].rstrip("/").split("/")]
    is_name = re.search(r"[-_~+%]", segments[-1]) or ("." in segments[-1] and not query)
    if is_name or len(segments) > 1:
        segments[-1] = "*"
    return f"{parts[1]}://{parts[2]}/" + "/".join(segments).removesuffix("*") + "*"


@lru_cache(maxsize=16)
def _forms(url: str) -> frozenset[str]:
    spelled = _spelled(_URL, url)
    return frozenset((url, spelled, spelled.partition("#")[0]))


def _fits(pattern: str, url: str) -> bool:
    literal = pattern.replace("[", "[[]")
    return fnmatch.fnmatchcase(url, pattern) or (literal != pattern and fnmatch.fnmatchcase(url, literal))


def _host(shape: re.Pattern[str], text: str) -> str:
    parts = shape.fullmatch(_spelled(shape, text))
    if parts is None or not parts[2]:
        return ANY_HOST
    return parts[2] if parts[2].startswith("[") else parts[2].partition(":")[0]


def _spelled(shape: re.Pattern[str], text: str) -> str:
    parts = shape.fullmatch(text)
    if parts is None:
        return text
    scheme = parts[1].lower()
    authority = _ascii(parts[2].rpartition("@")[2].lower())
    if not _MARK.search(authority) or _IPV6.fullmatch(authority):
        rest = parts[3] if parts[3].startswith("/") else "/" + parts[3]
    else:
        rest = parts[3]
    return f"{scheme}://{authority.removesuffix(_PORTS.get(scheme, '/'))}{_escaped(rest)}"


def _escaped(path: str) -> str:
    """Give a path with all that is not ASCII as escapes, and escapes in capitals (RFC 3986, 6.2.2.1)."""
    return _ESCAPE.sub(lambda match: match[0].upper(), quote(path, safe=_ASCII, errors="replace"))


def _ascii(authority: str) -> str:
    """Give the ASCII form of the labels that have one (IDNA); wildcards and other labels stay."""
    return authority if authority.isascii() else ".".join(map(_ascii_label, authority.split(".")))


def _ascii_label(label: str) -> str:
    try:
        return ascii_host(label)
    except BlockedAddress:
        return label
