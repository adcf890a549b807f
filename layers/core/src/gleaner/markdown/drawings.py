"""Keep the words of SVG drawings, and drop their descriptions.

A group of texts in a drawing is a line: the bar of a chart with its name and its value.
"""

from lxml.html import HtmlElement

from gleaner.html.dom import mark_dropped, remove_dropped


def reduce_drawings_to_text(root: HtmlElement) -> None:
    """Reduce each ``<svg>`` to the text that it shows."""
    for drawing in root.iter("svg"):
        for part in drawing.iter("title", "desc", "defs", "metadata", "style"):
            mark_dropped(part)
        for text in drawing.iter("text"):
            text.tail = " " + (text.tail or "")
        for group in list(drawing.iter("g")):
            group.tag = "g" if group.find("text") is not None else "span"
    remove_dropped(root)
