"""Labels: short texts that name what stands behind them, in the next element or in the rest of their line."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lxml.html import HtmlElement

from gleaner.html.dom import raw_text
from gleaner.wrappers.trees import (
    INLINE,
    LINE_END,
    Spot,
    is_small,
    label_form,
    label_name,
    lined_text,
    squeeze,
    text_of,
)

if TYPE_CHECKING:
    from gleaner.wrappers.container import Container

_LONGEST_LABEL = 60
NAMING = ("dt", "th", "label")
"""Tags of elements that are there to name others, even if they are made of several parts: of others these are pairs."""
BEHIND = "\u2190 "
"""Begins the names of labels that stand behind what they name."""


def labelled_in(box: "Container") -> dict[str, list[Spot]]:
    """Give what stands behind each label in a container: of the labels that the page is asked for, or of all texts."""
    found: dict[str, list[Spot]] = {}
    asked = box.page.labels

    def is_asked(label: str) -> bool:
        return asked is None or label in asked or label_name(label) in asked

    for node in box.nodes:
        may_be_label, is_inline = is_small(node), node.tag in INLINE
        # The text of a large element that says nothing itself is never looked at: gathering it is most of the time.
        if not (may_be_label or is_inline or has_text(node)) or not (text := box.text(node)):
            continue
        is_short = may_be_label and len(text) <= _LONGEST_LABEL and ":" not in text[:-1]
        is_pair = len(node) > 1 and node.tag not in NAMING and is_made_of_parts(node)
        label = box.page.label_of(text) if is_short and not is_pair and any(map(str.isalpha, text)) else ""
        if label and is_asked(BEHIND + label) and (before := _before(node, box)) is not None:
            found.setdefault(BEHIND + label, []).append(before)
        is_label = bool(label) and is_asked(label)
        if is_label and (spot := _behind(node, box)) is not None and (node not in box.elements or spot in box.elements):
            known = found.setdefault(label, [])
            if not (known and known[-1] == spot):
                known.append(spot)
        lead = _lead(node, box.elements) if is_inline else ""
        if lead and is_asked(lead):
            found.setdefault(lead, []).append(node)
        for name, rest in lines_in(lined_text(node)) if (":" in text or "：" in text) and has_text(node) else ():
            if is_asked(name):
                found.setdefault(name, []).append(rest)
    return found


def _before(node: HtmlElement, box: "Container") -> Spot | None:
    """Give what stands before an element that is the last of its line, and may be the label of that."""
    above, before = node.getparent(), node.getprevious()
    is_last = above is not None and node.getnext() is None and not (node.tail or "").strip()
    return before if is_last and node not in box.elements and before is not None and box.text(before) else None


def has_text(node: HtmlElement) -> bool:
    """Tell whether an element has a text of its own, outside the elements inside it."""
    said = node.text
    if said and not said.isspace():
        return True
    return any(said and not said.isspace() for child in node if (said := child.tail))


def is_made_of_parts(node: HtmlElement) -> bool:
    """Tell whether all that an element says stands in several elements inside it."""
    while not has_text(node):
        inner = [child for child in node if text_of(child)]
        if len(inner) != 1:
            return len(inner) > 1
        node = inner[0]
    return False


def _behind(node: HtmlElement, box: "Container") -> Spot | None:
    """Give what follows an element that may be a label: the next element, or the text up to the end of the line."""
    for _ in range(3):
        tail = (node.tail or "").split(LINE_END)[0].strip(" \t\r\n:：")
        if tail:
            return _line_behind(node, box)
        after = node.getnext()
        if after is not None and isinstance(after.tag, str) and after.tag != "br" and after not in box.stops:
            return after
        above = node.getparent()
        if above is None or node in box.elements or box.text(above) != box.text(node):
            return None
        node = above
    return None


def _lead(node: HtmlElement, limits: Sequence[HtmlElement]) -> str:
    """Give the text right before an inline element in its parent, as a label: "Offered by <a>…</a>"."""
    above = node.getparent()
    if node in limits or above is None:
        return ""
    before = node.getprevious()
    said = ((above.text if before is None else before.tail) or "").split(LINE_END)[-1]
    is_label = 2 < len(said) <= _LONGEST_LABEL and any(map(str.isalpha, said))
    return label_form(said) if is_label else ""


def _line_behind(node: HtmlElement, box: "Container") -> str | None:
    said = [node.tail or ""]
    after = node.getnext()
    while after is not None and LINE_END not in said[-1]:
        if after.tag not in INLINE or after in box.stops:
            break
        said += [raw_text(after), after.tail or ""]
        after = after.getnext()
    line = squeeze("".join(said).split(LINE_END)[0]).lstrip(":： ")
    return line or None


def lines_in(text: str) -> Iterator[tuple[str, str]]:
    """Give the labels and values of the lines of a text that begin with a label and a colon.

    >>> [*lines_in("Price: 5\u2028 8:\u2028Time： 8:30")]
    [('price', '5'), ('time', '8:30')]
    """
    for line in text.split(LINE_END):
        name, colon, rest = line.replace("：", ":", 1).partition(":")
        if colon and 0 < len(name) <= _LONGEST_LABEL and (rest := squeeze(rest)):
            yield label_form(name), rest
