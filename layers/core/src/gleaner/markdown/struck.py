"""Text that style strikes out, such as what a thing cost before."""

import re

from lxml.html import HtmlElement

_STRUCK = re.compile(r"text-decoration(?:-line)?\s*:[^;]*line-through", re.IGNORECASE)


def mark_struck(root: HtmlElement) -> None:
    """Make ``<s>`` of each span that its own style strikes out."""
    for span in root.iter("span"):
        if (style := span.get("style")) and _STRUCK.search(style):
            span.tag = "s"
