"""Drawings and formulas: the words in a drawing stay, its descriptions go; a formula becomes its TeX source.

A group of texts in a drawing is a line: the bar of a chart with its name and its value.
"""

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

from gleaner.dom import clean_text, mark_dropped, raw_text, remove_dropped
from gleaner.writing import collapse

_SIGNS = {"mfrac": "/", "msup": "^", "msub": "_"}
"""What stands between the two parts of an element of MathML, in one line."""

_WRAPPERS = frozenset(("span", "mjx-container", "mjx-assistive-mml"))
_MOST_STEPS = 2
_TEX_COMMAND = re.compile(r"\\(?:begin|end|operatorname\*?|mathrm|mathbb|label|ref)\s*\{[^{}]*\}|\\[a-zA-Z]+|\\.")
_TEX_WORD = re.compile(r"[^\W\d_]{3,}")


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
        _settle_formula(formula)
    remove_dropped(root)


def _settle_formula(formula: HtmlElement) -> None:
    source = next((note for note in formula.iter("annotation") if "tex" in (note.get("encoding") or "")), None)
    if source is not None and (tex := collapse(raw_text(source))) and _says_what_is_drawn(tex, formula):
        tail = formula.tail
        formula.clear()
        formula.text, formula.tail = f"${clean_text(tex)}$", tail
    for note in formula.iter("annotation", "annotation-xml"):
        mark_dropped(note)
    for part in formula.iter(*_SIGNS):
        if len(part):
            part[0].tail = _SIGNS[str(part.tag)]
    for drawn in _drawn(formula):
        mark_dropped(drawn)


def _says_what_is_drawn(tex: str, formula: HtmlElement) -> bool:
    """Tell whether the source writes what the formula shows: annotations are seen by nobody.

    Its words, commands left out, stand in the formula's own text.
    """
    notes = {part for note in formula.iter("annotation", "annotation-xml") for part in note.iter()}
    shown = "".join("".join((one.text or "") for one in formula.iter() if one not in notes).split()).casefold()
    words = _TEX_WORD.findall(_TEX_COMMAND.sub(" ", tex).casefold())
    return not shown or all(word in shown for word in words)


def _drawn(formula: HtmlElement) -> Iterator[HtmlElement]:
    """Give what stands beside a formula for the eye alone: KaTeX and MathJax write each a second time, in spans."""
    node = formula
    for _ in range(_MOST_STEPS):
        parent = node.getparent()
        if parent is None or parent.tag not in _WRAPPERS:
            return
        for sibling in parent:
            if sibling is not node and sibling.get("aria-hidden") == "true" and raw_text(sibling).strip():
                yield sibling
        node = parent
