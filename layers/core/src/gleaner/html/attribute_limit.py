"""Limit the attributes of a tag: both parsers take quadratic time over them.

Whether a page has a tag of too many is asked from each ``<`` on, so that no quote, comment or script can hide one.
Which of those that look so are tags, and not text of a script, is told as HTML's tokeniser tells it.
"""

import re
from functools import lru_cache

MOST_ATTRIBUTES = 256
"""Many times what tags of real pages have."""

_HARMLESS = 20_000
"""Characters of a page in which no tag can hold so many attributes that they take a noticeable time."""

_SPACE = r" \t\n\r\f"
"""HTML's white space; as a plain set of characters, which is matched faster than ``\\s``."""

_NAME = rf"<[a-zA-Z][^{_SPACE}/>]*+"
_VALUE = rf"""(?:"[^"]*+"|'[^']*+'|[^{_SPACE}>"'][^{_SPACE}>]*+)"""
_ATTRIBUTE = rf"(?:[{_SPACE}/]*+[^{_SPACE}/>][^{_SPACE}/>=]*+(?:[{_SPACE}]*+=[{_SPACE}]*+{_VALUE}?+)?+)"
_REST = rf"(?=[{_SPACE}/>]){_ATTRIBUTE}*+[{_SPACE}/]*+>?"
_IN_COMMENT = rf"[^<-]++|(?!-->|</script[{_SPACE}/>])."
_QUOTED_SCRIPT = rf"<script[{_SPACE}/>](?:{_IN_COMMENT})*+(?:</script)?"
_COMMENT_OF_SCRIPT = rf"<!--(?:-?>|(?:{_QUOTED_SCRIPT}|{_IN_COMMENT})*+(?:-->)?)"
_LAST_NAME = rf"<[a-zA-Z][^{_SPACE}/><]*+(?:<(?![a-zA-Z])[^{_SPACE}/><]*+)*+(?=[{_SPACE}/])"
"""The last of names that run into each other ("<a<b "): each of them has the same attributes, and is looked at once."""
_CROWDED = re.compile(f"{_LAST_NAME}{_ATTRIBUTE}{{{MOST_ATTRIBUTES + 1}}}")
_TOKEN = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))"
    f"|({_NAME}{_ATTRIBUTE}{{{MOST_ATTRIBUTES}}}){_ATTRIBUTE}++"
    rf"|<script{_REST}(?:[^<]++|{_COMMENT_OF_SCRIPT}|(?!</script[{_SPACE}/>]).)*+"
    rf"|<(style|textarea|title|xmp|iframe|noembed|noframes){_REST}.*?(?:</\2(?=[{_SPACE}/>])|\Z)"
    rf"|<plaintext{_REST}.*"
    f"|{_NAME}{_ATTRIBUTE}*+",
    re.DOTALL | re.IGNORECASE,
)


@lru_cache(1)
def limit_attributes(html: str) -> str:
    """Give the HTML without the attributes past the first MOST_ATTRIBUTES of a tag; nothing else is changed.

    What it gave for the last page is kept: it is asked for before each of two parses.

    >>> few = limit_attributes("<p " + " ".join(f"a{number}=1" for number in range(10_000)) + ">text")
    >>> few.count("=1"), few[-5:]
    (256, '>text')
    """
    if len(html) < _HARMLESS or not _CROWDED.search(html):
        return html
    return _TOKEN.sub(lambda token: token[1] or token[0], html)
