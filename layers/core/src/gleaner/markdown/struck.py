"""Text that style strikes out, such as what a thing cost before."""

import re

from lxml.html import HtmlElement

from gleaner.html.dom import Words

_STRUCK = re.compile(r"text-decoration(?:-line)?\s*:[^;]*line-through", re.IGNORECASE)


def mark_struck(root: HtmlElement, words: Words) -> None:
    """Make ``<s>`` of each span that its own style strikes out; ``words`` are the page's (`words_of`)."""
    if b"line-through" not in words:
        return
    for span in root.iter("span"):
        if _STRUCK.search(span.get("style") or ""):
            span.tag = "s"
