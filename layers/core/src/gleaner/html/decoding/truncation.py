"""Decide whether a page's HTML is truncated.

Many pages leave out ``</body>`` and ``</html>``, as they may, and many forget an end tag. A page that does the first,
and ends inside a tag or with several elements open whose end tags nobody may leave out, was cut.
"""

import re
from collections import Counter

from gleaner.contracts.word_lists import listed
from gleaner.html.dom import MARKUP
from gleaner.html.elements import VOID

_ENDS = re.compile(r"</(?:body|html|frameset)\b", re.IGNORECASE)
_BEGINS = re.compile(r"\s*+(?:<!doctype\s+html|<\?xml|<!--|<html|<head|<body)", re.IGNORECASE)
_MAY_STAY_OPEN = VOID | listed(
    "html head body p li dt dd tr td th tbody thead tfoot colgroup option optgroup rb rt rtc rp font center b i u "
    "basefont frame keygen nobr form"
)
_LEAST_OPEN = 2
BREAKS_OFF = "the page's HTML breaks off before its end"
"""What a result says of such a page, before how it does."""


def cut_off(html: str) -> str:
    """Say how a whole page breaks off; "" for one that does not, and for a fragment of a page.

    >>> cut_off("<!doctype html><main><ul><li>Elm"), cut_off("<!doctype html><ul><li>Elm</ul>"), cut_off("<ul><li>Elm")
    ('<ul> is not closed', '', '')
    >>> cut_off("<!doctype html><ul><li>Elm</ul><a href='/p")
    'it ends inside a tag'
    """
    if not _BEGINS.match(html) or _ENDS.search(html):
        return ""
    last, open_elements, counts = 0, list[str](), Counter[str]()
    for match in MARKUP.finditer(html):
        last = match.end()
        is_end, name = match[2], (match[3] or "").lower()
        if is_end and counts[name]:
            while (closed := open_elements.pop()) != name:
                counts[closed] -= 1
            counts[name] -= 1
        elif name and not is_end and name not in _MAY_STAY_OPEN and not match[0].endswith("/>"):
            open_elements.append(name)
            counts[name] += 1
    if last == len(html.rstrip()) and not html.rstrip().endswith(">"):
        return "it ends inside a tag"
    return f"<{open_elements[-1]}> is not closed" if len(open_elements) >= _LEAST_OPEN else ""
