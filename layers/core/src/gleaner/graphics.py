"""Drawings and formulas: the words in a drawing stay, its descriptions go; a formula becomes its TeX source.

A group of texts in a drawing is a line: the bar of a chart with its name and its value.
"""

from lxml.html import HtmlElement

from gleaner.dom import clean_text, mark_dropped, raw_text, remove_dropped
from gleaner.writing import collapse


def settle_graphics(root: HtmlElement) -> None:
    """Reduce each ``<svg>`` to the text that it shows, and each ``<math>`` to ``$TeX$`` when that comes with it."""
    for drawing in root.iter("svg"):
        for part in drawing.iter("title", "desc", "defs", "metadata", "style"):
            mark_dropped(part)
        for text in drawing.iter("text"):
            text.tail = " " + (text.tail or "")
        for group in list(drawing.iter("g")):
            group.tag = "g" if group.find("text") is not None else "span"
    for formula in list(root.iter("math")):
        source = next((note for note in formula.iter("annotation") if "tex" in (note.get("encoding") or "")), None)
        if source is not None and (tex := collapse(raw_text(source))):
            tail = formula.tail
            formula.clear()
            formula.text, formula.tail = f"${clean_text(tex)}$", tail
        for note in formula.iter("annotation", "annotation-xml"):
            mark_dropped(note)
    remove_dropped(root)
