"""Where a page goes on by a header of its answer, and not by its markup."""

import re
from html import escape
from urllib.parse import urljoin

from gleaner.html.typed.next_page import next_by_header

_HEAD = re.compile(r"<head\b[^>]*>|<!doctype\b[^>]*>|\A", re.IGNORECASE)
_OWN = re.compile(r"<link\b[^>]*\brel\s*=\s*[\"']?(?:[\w-]+ )*next\b", re.IGNORECASE)


def with_next_page(html: str, url: str, links: str) -> str:
    """Give a page that names its next one where the header Link does (RFC 8288) and no link of its own.

    >>> with_next_page("<head></head><p>Lamps</p>", "https://a.example/lamps", '</lamps?page=2>; rel="next"')
    '<head><link rel="next" href="https://a.example/lamps?page=2"></head><p>Lamps</p>'
    """
    address = next_by_header(links)
    if not address or _OWN.search(html):
        return html
    places = {found[0][:5].lower(): found.end() for found in reversed(list(_HEAD.finditer(html[:10_000])))}
    at = places.get("<head", places.get("<!doc", 0))
    return f'{html[:at]}<link rel="next" href="{escape(urljoin(url, address))}">{html[at:]}'
