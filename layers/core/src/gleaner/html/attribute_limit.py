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

_NAME = r"<[a-zA-Z][^\s/>]*+"
_ATTRIBUTE = r"""(?:[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?+)?+)"""
_REST = rf"(?=[\s/>]){_ATTRIBUTE}*+[\s/]*+>?"
_IN_COMMENT = r"[^<-]++|(?!-->|</script[\s/>])."
_QUOTED_SCRIPT = rf"<script[\s/>](?:{_IN_COMMENT})*+(?:</script)?"
_COMMENT_OF_SCRIPT = rf"<!--(?:-?>|(?:{_QUOTED_SCRIPT}|{_IN_COMMENT})*+(?:-->)?)"
_LAST_NAME = r"<[a-zA-Z][^\s/><]*+(?:<(?![a-zA-Z])[^\s/><]*+)*+(?=[\s/])"
"""The last of names that run into each other ("<a<b "): each of them has the same attributes, and is looked at once."""
_CROWDED = re.compile(f"{_LAST_NAME}{_ATTRIBUTE}{{{MOST_ATTRIBUTES + 1}}}")
_TOKEN = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))"
    f"|({_NAME}{_ATTRIBUTE}{{{MOST_ATTRIBUTES}}}){_ATTRIBUTE}++"
    rf"|<script{_REST}(?:[^<]++|{_COMMENT_OF_SCRIPT}|(?!</script[\s/>]).)*+"
    rf"|<(style|textarea|title|xmp|iframe|noembed|noframes){_REST}.*?(?:</\2(?=[\s/>])|\Z)"
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
