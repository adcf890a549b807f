"""Tell a wall from a page: what a bot protection answers in place of what was asked for (AC-6).

The vendors' signs are data, ``data/walls.json``: the headers and the pieces of HTML by which the answers of each are
known. A sign stands only in an answer that blocks or challenges; scripts that vendors put into pages they let through
are none. Sources: the vendors' documentation where there is one (``cf-mitigated`` of Cloudflare, ``x-amzn-waf-action``
of AWS, ``x-vercel-mitigated`` of Vercel), else what their pages hold.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from html import unescape
from typing import Any

from gleaner.contracts.errors import Walled
from gleaner.contracts.json_text import packaged

LARGEST_WALL = 300_000
"""Characters of HTML that a wall has at the most; challenges carry their script, of up to 200,000."""

MOST_WORDS = 150
"""Words that a wall shows at the most, where its status is that of a page. A text about walls has more."""

_TITLE = re.compile(r"<title[^>]{0,200}>([^<]{1,300})", re.IGNORECASE)


def wall_of(url: str, status: int, headers: Mapping[str, str], html: str) -> Walled | None:
    """Give the error for an answer that is a wall, None for any other; headers go by lower-case names.

    >>> print(wall_of("https://a.example/", 403, {"cf-mitigated": "challenge"}, "<title>Just a moment...</title>"))
    https://a.example/ answered 403 with a wall of Cloudflare: header cf-mitigated: challenge, title "Just a moment..."
    """
    seen = next(_signs_in_headers(headers), None)
    if seen is None and len(html) <= LARGEST_WALL:
        seen = next(_signs_in_html(html), None)
        if seen is not None and status < 400 and _words(html) > MOST_WORDS:
            return None
    if seen is None:
        return None
    vendor, sign = seen
    found = _TITLE.search(html[:20_000])
    title = f', title "{" ".join(unescape(found[1]).split())[:100]}"' if found else ""
    return Walled(f"{url} answered {status} with a wall of {vendor}: {sign}{title}")


@cache
def _vendors() -> Mapping[str, Mapping[str, Any]]:
    return packaged("walls")


def _signs_in_headers(headers: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for vendor, signs in _vendors().items():
        for name, values in signs.get("headers", {}).items():
            given = headers.get(name)
            if given is not None and (given.strip().lower() in values or values == ["*"]):
                yield vendor, f"header {name}: {given.strip()[:80]}"


def _signs_in_html(html: str) -> Iterator[tuple[str, str]]:
    for vendor, signs in _vendors().items():
        yield from ((vendor, f"its page holds {mark}") for mark in signs.get("html", ()) if mark in html)


def _words(html: str) -> int:
    from gleaner.html.statistics import scrape_extract_content  # loads the parser: for pages with a sign alone

    return int(str(scrape_extract_content(html).get("word_count", 0)))
