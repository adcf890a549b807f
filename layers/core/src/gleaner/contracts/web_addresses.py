"""Parse addresses as browsers do (WHATWG URL), as far as pages need it."""

import re
from urllib.parse import urljoin

_ENDS = "".join(map(chr, range(0x21)))
_IGNORED = re.compile("[\t\n\r]")
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_SPECIAL = {"http": "80", "https": "443", "ftp": "21", "ws": "80", "wss": "443"}
_PARTS = re.compile(r"([^?#]*)(.*)", re.DOTALL)
_AUTHORITY = re.compile(r"\A([a-z][a-z0-9+.-]*)://([^/?#]*)", re.IGNORECASE)
_DOT_SEGMENT = re.compile(r"(?<=/)(?:%2e|\.){1,2}(?=/|$)", re.IGNORECASE)


def resolve_reference(base: str, reference: str) -> str:
    r"""Give the address that a reference leads to from a base, as a browser reads both; "" for an empty reference.

    Blanks around it go, tabs and line ends within; backslashes are slashes, and "https:b" on a page of https is "b".

    >>> resolve_reference("https://a.example/x/y", " ..\\b\n.html ")
    'https://a.example/b.html'
    >>> resolve_reference("https://a.example/x/", "http:/B.example:80/b/../c")
    'http://b.example/c'
    """
    plain = clean_reference(reference)
    named = _SCHEME.match(plain)
    scheme = (named[1] if named else (_SCHEME.match(base) or ("", ""))[1]).lower()
    if scheme in _SPECIAL or not scheme:
        plain = _with_slashes(plain, scheme, base) if plain else plain
    if not plain:
        return ""
    try:
        joined = _without_dot_segments(urljoin(base, plain) if base else plain)
    except ValueError:
        return plain
    return _AUTHORITY.sub(_tidy_authority, joined, count=1)


def _without_dot_segments(address: str) -> str:
    """Give an absolute address without "." and ".." in its path, which ``urljoin`` leaves where nothing is joined."""
    origin = _AUTHORITY.match(address)
    return urljoin(f"{origin[0]}/", address[origin.end() :]) if origin and "/." in address[origin.end() :] else address


def clean_reference(reference: str) -> str:
    """Give an address without blanks and controls around it, and without tabs and line ends in it.

    >>> clean_reference(" https://a.example/long\\n   ")
    'https://a.example/long'
    """
    return _IGNORED.sub("", reference.strip(_ENDS))


def _with_slashes(plain: str, scheme: str, base: str) -> str:
    """Give an address of a web scheme with slashes for backslashes, and two of them before its host."""
    found = _PARTS.fullmatch(plain)
    assert found is not None
    path, rest = found[1].replace("\\", "/"), found[2]
    named = _SCHEME.match(path)
    if named:
        inner = path[named.end() :]
        if not inner.startswith("//") and base.lower().startswith(f"{scheme}:"):
            path = inner
        else:
            path = f"{scheme}://{inner.lstrip('/')}"
    elif path.startswith("//"):
        path = f"//{path.lstrip('/')}"
    return _DOT_SEGMENT.sub(lambda match: re.sub("%2e", ".", match[0], flags=re.IGNORECASE), path) + rest


def _tidy_authority(match: re.Match[str]) -> str:
    """Give scheme and host in small letters, without a port that goes without saying."""
    scheme = match[1].lower()
    user, at, host = match[2].rpartition("@")
    name, colon, port = host.rpartition(":")
    if colon and port in ("", _SPECIAL.get(scheme)) and not name.endswith(":"):
        host = name
    return f"{scheme}://{user}{at}{host.lower()}"


_BARE = re.compile(r"(?:localhost|[\w-]+(?:\.[\w-]+)+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?(?:[/?#].*)?", re.DOTALL)
_LOCAL = re.compile(r"localhost|127\.|\[::1\]|\d+\.\d+\.\d+\.\d+")


def with_scheme(text: str) -> str:
    """Give an address as people type it with its scheme: https, or http for a machine that is named by its number.

    >>> with_scheme("example.com/books"), with_scheme("localhost:8000"), with_scheme("http://a.example")
    ('https://example.com/books', 'http://localhost:8000', 'http://a.example')
    """
    bare = text.strip()
    if not _BARE.fullmatch(bare):
        return text
    return f"{'http' if _LOCAL.match(bare) else 'https'}://{bare}"
