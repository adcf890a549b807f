"""Where a list in JSON, or one that a header describes, says that it goes on."""

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from gleaner.contracts.word_lists import listed
from gleaner.values.names import name_words

_LINKS = re.compile(r"<([^<>]*)>((?:[^<>,\"]|\"[^\"]*\")*)")
_RELATION = re.compile(r";\s*rel\s*=\s*\"?([^\";]*)", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?://|/|\?)\S*")
_NUMBER = re.compile(r"[0-9]{1,9}")
_OF_PAGES = listed("page link url href uri cursor token offset start number no index id key marker")
_MORE = (("has", "more"), ("has", "next"), ("has", "next", "page"))
_PLACES = (("page",), ("current", "page"), ("page", "number"), ("page", "no"))
_PAGES = (("total", "pages"), ("pages",), ("last", "page"), ("page", "count"), ("num", "pages"))
_TOTALS = (("total", "count"), ("total", "results"), ("total", "items"), ("total", "records"), ("count",))
_OFFSETS = (("offset",), ("skip",), ("start",), ("limit",), ("per", "page"), ("page", "size"))
"""Names beside which a mere "total" counts records: of an order it is what that costs."""

_DEEPEST = 3
NEXT_CONTROL = '<nav class="pagination"><button>Next page</button></nav>'
"""What a list gets that says that it goes on, and not by which address."""


def next_by_header(links: str) -> str:
    """Give the address of the next page by the header Link of an answer (RFC 8288); "" where that names none.

    >>> next_by_header('</lamps?page=1>; rel=first, </lamps?page=2&n=5>; title="a, b"; rel="next last"')
    '/lamps?page=2&n=5'
    """
    for address, parameters in _LINKS.findall(links):
        if (said := _RELATION.search(parameters)) and "next" in said[1].lower().split():
            return address
    return ""


def next_by_body(value: Any, url: str) -> tuple[str, bool]:
    """Give the address of the next page by a document's own words, and whether it says that there is one at all.

    Read are the objects around the lists, as common interfaces write them: an address, one inside of an object, a
    page's number, the open page's and the last one's, a sign that stands for the rest. A number is an address where
    ``url`` has the one before it. Where nothing of this is said, a total of more records than are shown tells.

    >>> next_by_body({"next": "/lamps?page=2", "results": []}, "https://a.example/lamps")
    ('/lamps?page=2', True)
    >>> next_by_body({"next": "2", "data": []}, "https://a.example/lamps?_page=1&n=5")
    ('?_page=2&n=5', True)
    >>> next_by_body({"meta": {"next_cursor": "dXNlcjpV"}}, ""), next_by_body({"hasMore": False, "next": None}, "")
    (('', True), ('', False))
    """
    found = [*_signs(value, 0)] or _rest(value, url)
    addresses = [sign for sign in found if _ADDRESS.fullmatch(sign)]
    numbered = [_numbered(sign, url) for sign in found if _NUMBER.fullmatch(sign)]
    return next(filter(None, [*addresses, *numbered]), ""), bool(found)


def _signs(value: Any, depth: int) -> Iterator[str]:
    if not isinstance(value, dict) or depth > _DEEPEST:
        return
    place, pages = (_number_called(names, value) for names in (_PLACES, _PAGES))
    if 0 < place < pages:
        yield str(place + 1)
    for key, inner in value.items():
        words = tuple(word for word in name_words(key) if word != "odata")
        if words in _MORE:
            yield from ["more"] * (inner is True)
        elif words[:1] != ("next",) or not _OF_PAGES.issuperset(words[1:]):
            yield from _signs(inner, depth + 1)
        elif isinstance(inner, str):
            yield from [inner.strip()] * bool(inner.strip(" 0"))
        elif isinstance(inner, dict):
            yield from (one for name in ("href", "url") if isinstance(one := inner.get(name), str))


def _rest(value: Any, url: str) -> list[str]:
    """Give a sign of more where an object states more records than its list has, and than stand before it.

    How many do is told by its page or offset, or by a number in ``url``.
    """
    if not isinstance(value, dict) or any(name_words(key)[:1] == ("next",) for key in value):
        return []
    shown = max((len(inner) for inner in value.values() if isinstance(inner, list)), default=0)
    page, pages = (_number_called(names, value) for names in (_PLACES, _PAGES))
    is_counted = page or any(name_words(key) in _OFFSETS for key in value)
    total = _number_called([*_TOTALS, *([("total",)] if is_counted else [])], value)
    said = [page] if page else [int(one) for _, one in parse_qsl(urlsplit(url).query) if _NUMBER.fullmatch(one)]
    before = [_number_called(_OFFSETS[:3], value), *([] if page else said), *((one - 1) * shown for one in said)]
    goes_on = shown > 0 and not pages and all(max(0, one) + shown < total for one in before)
    return [str(page + 1) if page else "more"] if goes_on else []


def _number_called(names: Sequence[tuple[str, ...]], value: dict[str, Any]) -> int:
    """Give the first number that has one of these names; 0 for none."""
    said = (str(inner) for key, inner in value.items() if name_words(key) in names)
    return next((int(one) for one in said if _NUMBER.fullmatch(one)), 0)


def _numbered(number: str, url: str) -> str:
    """Give this address with the next page's number; "" unless one parameter has the number before it.

    Of several it is that called "page": the other one may say how many a page holds.
    """
    query = parse_qsl(urlsplit(url).query, keep_blank_values=True)
    at = [place for place, (_, said) in enumerate(query) if _NUMBER.fullmatch(said) and int(said) + 1 == int(number)]
    at = [place for place in at if name_words(query[place][0]) == ("page",)] if len(at) > 1 else at
    if len(at) != 1:
        return ""
    return urlunsplit(("", "", "", urlencode([*query[: at[0]], (query[at[0]][0], number), *query[at[0] + 1 :]]), ""))


def head_of(address: str) -> str:
    """Give a page's head that names the next page; "" for none.

    >>> head_of("/lamps?page=2&n=5")
    '<head><link rel="next" href="/lamps?page=2&amp;n=5"></head>'
    """
    return f'<head><link rel="next" href="{escape(address)}"></head>' if address else ""
