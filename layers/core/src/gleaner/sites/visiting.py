"""Which addresses of a site are not visited: those that change something, and those that only sort or track (MP-3).

An address says what it does by a word of its path or query: ``/items/1/delete``, ``?action=edit``, ``/logout``. A page
about deleting, ``/docs/commands/delete``, has neither an id beside that word nor a query.
"""

import re
from functools import cache
from urllib.parse import parse_qsl, urlsplit

from gleaner.contracts.word_lists import words_in

_SESSION_IN_PATH = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?#]*", re.IGNORECASE)
_APACHE_SORT = re.compile(r"C=[NMSD];O=[AD]")
_NO_LETTER = re.compile(r"[^a-z]")


@cache
def _words(*names: str) -> frozenset[str]:
    return words_in("site_words", *names)


def _plain(name: str) -> str:
    return _NO_LETTER.sub("", name.lower())


def changes_something(url: str) -> bool:
    """Tell whether asking for an address may log out, delete, edit, buy or the like.

    >>> changes_something("https://a.example/items/1/delete"), changes_something("https://a.example/docs/delete")
    (True, False)
    """
    parts = urlsplit(url)
    segments = [segment for segment in parts.path.split("/") if segment]
    words = ["", *(_plain(segment.partition(".")[0]) for segment in segments)]
    if not _words("always").isdisjoint(words):
        return True
    is_id = [False, *(any(map(str.isdigit, segment)) for segment in segments), bool(parts.query)]
    for at, word in enumerate(words):
        is_last = at == len(words) - 1
        if word in _words("edits", "acts") and is_id[at - 1] and is_last:
            return True
        if word in _words("edits") and is_id[at + 1] and at >= len(words) - 2:
            return True
        if word in _words("holding") and words[at - 1] in _words("holders"):
            return True
    return any(_commands(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True))


def _commands(name: str, value: str) -> bool:
    """Tell whether a parameter names what is to be done: ``action=edit``, ``add-to-cart=5``."""
    if not _words("always").isdisjoint((_plain(name), _plain(value))):
        return True
    return name.lower() in _words("commands") and _plain(value) in _words("edits", "acts", "holding")


def without_views(url: str) -> str:
    """Give an address without what only sorts its list, tracks its visitor or names a session; often the same.

    >>> without_views("https://a.example/list?page=2&sort=price&utm_source=x")
    'https://a.example/list?page=2'
    """
    base, mark, query = url.partition("?")
    base = _SESSION_IN_PATH.sub("", base)
    kept = [part for part in query.split("&") if part and not _is_view(*part.partition("=")[::2])]
    if not mark or not kept or _APACHE_SORT.fullmatch(query):
        return base
    return f"{base}?{'&'.join(kept)}"


def _is_view(name: str, value: str) -> bool:
    is_sort = _plain(name) in _words("sorts") and not value.isdecimal()
    return is_sort or name.lower().startswith("utm_") or _plain(name) in _words("tracks")
