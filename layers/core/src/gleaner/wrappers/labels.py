"""Labels: short texts that name what stands behind them, in the next element or in the rest of their line."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lxml.html import HtmlElement

from gleaner.html.dom import raw_text
from gleaner.wrappers.trees import INLINE, LINE_END, Spot, is_small, label_form, lined_text, squeeze

if TYPE_CHECKING:
    from gleaner.wrappers.container import Container

_LONGEST_LABEL = 60
_SHORTEST_START = 2
_UP = 2
"""A text may be the first of a label that ends so many levels further up."""


class Hint(NamedTuple):
    """What a text has to do with the labels that are asked for.

    It may begin one that goes on in other elements, be a ``label`` itself, or hold ``lines``: labels with their values.
    """

    is_start: bool
    label: str
    lines: tuple[tuple[str, str], ...]


class AskedLabels(dict[str, Hint | None]):
    """What each text has to do with the labels that a recipe goes by: a hint, None for most; worked out once for each.

    ``heading`` is the page's, which may stand in a label and is no part of it.

    >>> asked = AskedLabels(("price (usd)",))
    >>> [asked[text] for text in ("Price", "Price (USD):", "5")]
    [Hint(is_start=True, label='', lines=()), Hint(is_start=False, label='price (usd)', lines=()), None]
    >>> asked["Price (USD): 5"].lines
    (('price (usd)', '5'),)
    """

    def __init__(self, labels: Iterable[str], heading: str = "") -> None:
        super().__init__()
        self.labels = frozenset(labels)
        self._heading = heading
        self._any = re.compile("|".join(map(re.escape, sorted(self.labels))) or r"(?!)")
        self._starts = {one[:length] for one in self.labels for length in range(_SHORTEST_START, len(one))}
        self._words = [one.split()[0] for one in self.labels if one]
        self._leads = frozenset(one[:_SHORTEST_START] for one in self.labels)
        self._is_plain = not any(":" in one for one in self.labels)
        self._names: dict[str, Hint | None] = {}

    def __missing__(self, said: str) -> Hint | None:
        folded = said.casefold()
        hint = None
        if folded.lstrip()[:_SHORTEST_START] in self._leads or any(word in folded for word in self._words):
            hint = self._of_line(said) if self._is_line(said, folded) else self._of(said)
        self[said] = hint
        return hint

    def _is_line(self, said: str, folded: str) -> bool:
        """Tell whether a text is one line, without the page's heading, that may be a name, a colon and a value."""
        return (
            self._is_plain
            and ":" in said
            and LINE_END not in said
            and not (self._heading and self._heading.split()[0] in folded)
        )

    def _of_line(self, said: str) -> Hint | None:
        """Give the hint of a label with its value: what the label is worth is worked out once."""
        name, _, rest = said.partition(":")
        if name not in self._names:
            known = self._of(f"{name}: x")
            self._names[name] = known if known is not None and known.lines and not known.is_start else None
        known, value = self._names[name], squeeze(rest)
        if known is None or not value:
            return self._of(said)
        return Hint(False, "", ((known.lines[0][0], value),))

    def _of(self, said: str) -> Hint | None:
        text = label_form(said)
        if self._any.search(text):
            lines = tuple(line for line in lines_in(said) if line[0] in self.labels)
            has_heading = bool(self._heading) and self._heading in text
            return Hint(has_heading or text in self._starts, text if text in self.labels else "", lines)
        return Hint(True, "", ()) if text in self._starts else None


def labelled_in(box: "Container") -> dict[str, list[Spot]]:
    """Give what stands behind each label in a container: of the labels that the page is asked for, or of all texts."""
    found: dict[str, list[Spot]] = {}
    asked = box.page.labels
    near = dict.fromkeys(box.nodes) if asked is None else _near(asked, box)
    for node, hint in near.items():
        if hint is not None:
            label, lines = hint.label, hint.lines
        elif text := box.text(node):
            is_short = len(text) <= _LONGEST_LABEL and ":" not in text[:-1]
            label = box.page.label_of(text) if is_short else ""
            label = label if (asked is None or label in asked.labels) and is_small(node) else ""
            lines = lines_in(lined_text(node)) if (":" in text or "：" in text) and _has_text(node) else ()
        else:
            continue
        if label and (spot := _behind(node, box)) is not None and (node not in box.elements or spot in box.elements):
            known = found.setdefault(label, [])
            if not (known and known[-1] == spot):
                known.append(spot)
        lead = _lead(node, box.elements) if hint is None and node.tag in INLINE else ""
        if lead and (asked is None or lead in asked.labels):
            found.setdefault(lead, []).append(node)
        for name, rest in lines:
            if asked is None or name in asked.labels:
                found.setdefault(name, []).append(rest)
    return found


def _near(asked: AskedLabels, box: "Container") -> dict[HtmlElement, Hint | None]:
    """Give the elements of a container that one of the labels may concern: around a text that begins one, or behind.

    With an element that has no others inside goes what its text says about labels. Around a text that is no mere start
    only elements with a text of their own may make it part of a line.
    """
    near: dict[HtmlElement, Hint | None] = {}
    passed: set[HtmlElement] = set()
    elements = box.elements
    for node in box.nodes:
        said = node.text
        if said and (hint := asked[said]):
            if len(node) or hint.is_start:
                near[node] = None
                near.update((child, None) for child in node[:1])
            else:
                near.setdefault(node, hint)
            if node not in elements:
                _add_above(node.getparent(), hint, elements, near, passed)
        said = node.tail
        if said and (hint := asked[said]) and node not in elements:
            after = node.getnext()
            if after is not None:
                near[after] = None
            _add_above(node.getparent(), hint, elements, near, passed)
    return {node: near[node] for node in box.nodes if node in near} if len(near) > 1 else near


def _add_above(
    node: HtmlElement | None,
    hint: Hint,
    limits: Sequence[HtmlElement],
    near: dict[HtmlElement, Hint | None],
    passed: set[HtmlElement],
) -> None:
    """Add elements around a text, up to a record's own; each is asked once whether it has a text of its own."""
    for _ in range(_UP):
        if node is None:
            return
        if hint.is_start or (node not in passed and _has_text(node)):
            near[node] = None
        passed.add(node)
        if node in limits:
            return
        node = node.getparent()


def _has_text(node: HtmlElement) -> bool:
    """Tell whether an element has a text of its own, outside the elements inside it."""
    said = node.text
    if said and not said.isspace():
        return True
    return any(said and not said.isspace() for child in node if (said := child.tail))


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
