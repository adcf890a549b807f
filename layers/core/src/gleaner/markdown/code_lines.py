"""The lines of a code block without line numbers, gutters and buttons.

Furniture is told by what it is: a control, an element that class or attribute name a gutter, a first piece of each
line that counts 1, 2, 3, or a short text that stands beside the one ``<code>`` of a block.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from lxml import etree
from lxml.html import HtmlElement

from gleaner.contracts.word_lists import listed
from gleaner.html.dom import raw_text
from gleaner.html.invisible_characters import drop_invisible

PREFORMATTED = frozenset({"pre", "listing", "xmp", "plaintext"})
GUTTER = re.compile(
    r"(?:^|[\s_-])(?:line-?(?:numbers?|nos?)(?:-rows)?|linenos?|lnt?|gutters?|gutter-?(?:cell|elements?|wrapper)|"
    r"blob-num|nums)(?=$|[\s_-])",
    re.IGNORECASE,
)
LINE = re.compile(r"(?:^|[\s_-])line(?=$|\s)", re.IGNORECASE)
"""A class of one line of code: ``line``, ``cm-line``, ``ace_line``, ``view-line``."""

CONTROL_TAGS = listed("button select input textarea clipboard-copy svg script style")
_LINE_BLOCKS = listed("div p li tr pre section article figure")
_TOPS = re.compile(r"(?:^|;)\s*top\s*:\s*(-?\d+(?:\.\d+)?)px")
_LEFT_OUT_STYLE = re.compile(r"user-select\s*:\s*none", re.IGNORECASE)
_COPYING = re.compile(r"(?:^|[\s_-])(?:copy|copied|clipboard)(?=$|[\s_-])", re.IGNORECASE)
_DROPPED = re.compile("[\x00-\x08\x0b-\x1f\x7f\ue9a0-\ue9ab\ud800-\udfff]")
_LINE_END = re.compile(r"\A[ \t]*\n")
"""The end of a line behind an element that ends it by itself: between them they end one line."""

_BLANKS = re.compile(r"[ \t\r\n\f]+")
_LONGEST_LABEL = 40
_FEWEST_NUMBERS = 2


@dataclass(slots=True)
class _Line:
    """The texts of a line, each with the element that it is in."""

    pieces: list[tuple[str, HtmlElement]] = field(default_factory=list[tuple[str, HtmlElement]])

    def text(self) -> str:
        return "".join(text for text, _ in self.pieces)


def read_code(block: HtmlElement) -> str:
    """Give the text of a block of code, line by line, without its furniture.

    In ``<pre>`` white space counts as it stands; elsewhere a text that goes over several lines of the markup was
    indented for the markup's sake, and a text on one line was not.
    """
    inner = block[0] if len(block) == 1 and block[0].tag == "code" else block
    if block.tag in PREFORMATTED and not len(inner):
        return _trim(_tidy(raw_text(block)).split("\n"))
    lines = list(_lines(block))
    _take_out_numbers(lines)
    return _trim([line.text() for line in lines])


def is_control(node: HtmlElement) -> bool:
    """Tell whether an element is there to be clicked, or tells that it was."""
    if node.tag in CONTROL_TAGS or node.get("role") in ("button", "tooltip", "toolbar"):
        return True
    speaks_of_copying = _COPYING.search(node.get("class") or "") or any("clipboard" in name for name in node.attrib)
    return bool(speaks_of_copying) and _is_label(node)


def is_gutter(node: HtmlElement) -> bool:
    """Tell whether an element holds line numbers, by its class or an attribute that states one."""
    is_named = GUTTER.search(node.get("class") or "") is not None
    is_numbered = is_named or any(name.startswith("data-") and "line-number" in name for name in node.attrib)
    return is_numbered and not any(map(str.isalpha, raw_text(node)))


def _is_label(node: HtmlElement) -> bool:
    is_short = len(raw_text(node).strip()) <= _LONGEST_LABEL
    return is_short and node.tag not in ("code", "pre") and next(node.iter("code", "pre"), None) is None


def _lines(block: HtmlElement) -> Iterator[_Line]:
    line, has_ended = _Line(), False
    is_typed = block.tag == "code" and next(block.iterdescendants(*_LINE_BLOCKS, "br"), None) is None
    kept_depth = 1 if block.tag in PREFORMATTED or is_typed or _keeps_spaces(block) else 0
    beside = beside_code(block)
    walker: Any = etree.iterwalk(_in_order(block), events=("start", "end"))
    for event, node in walker:
        is_line = node is not block and (node.tag in _LINE_BLOCKS or LINE.search(node.get("class") or "") is not None)
        is_kept = node.tag in PREFORMATTED or (node is not block and _keeps_spaces(node))
        if event == "start":
            if node is not block and (node in beside or _is_furniture(node)):
                walker.skip_subtree()
                continue
            if (is_line or node.tag == "br") and (line.pieces or node.tag == "br"):
                if node.tag == "br" or line.text().strip():  # what indents the markup of a block is no line
                    yield line
                line = _Line()
            kept_depth += is_kept and node is not block
            text = node.text
        else:
            if node in beside or (node is not block and _is_furniture(node)):
                is_line, is_kept = False, False
            if (is_line or _touches_code(node)) and line.pieces:
                yield line
                line, has_ended = _Line(), True
            kept_depth -= is_kept and node is not block
            text = node.tail if node is not block else None
        if not text:
            continue
        owner = node if event == "start" else node.getparent()
        settled = _settled(text, kept=kept_depth > 0, is_line=event == "start" and node.tag == "code")
        rest = _LINE_END.sub("", settled) if has_ended else settled
        has_ended = has_ended and not settled
        first, *others = rest.split("\n")
        if first:
            line.pieces.append((first, owner))
        for other in others:
            yield line
            line = _Line([(other, owner)] if other else [])
    if line.pieces:
        yield line


def _settled(text: str, *, kept: bool, is_line: bool) -> str:
    """Give a text as code has it; ``is_line``: it is what a ``<code>`` says, which may be one line with its end."""
    if kept:
        return _tidy(text)
    if is_line and text.endswith("\n") and "\n" not in text[:-1]:
        text = text.rstrip("\r\n")
    text = _DROPPED.sub("", text).replace("\xa0", " ")
    if "\n" not in text and "\r" not in text:
        return text
    return "" if text.isspace() else _BLANKS.sub(" ", text).strip(" ")


def _keeps_spaces(node: HtmlElement) -> bool:
    style = node.get("style")
    return bool(style) and "white-space" in style and re.search(r"white-space\s*:\s*(?:pre|break)", style) is not None


def _in_order(block: HtmlElement) -> HtmlElement:
    """Put lines that style places one under the other in the order in which they are seen."""
    for parent in {node.getparent() for node in block.iterdescendants() if _TOPS.search(node.get("style") or "")}:
        if parent is None:
            continue
        tops = [_TOPS.search(child.get("style") or "") for child in parent]
        if len(tops) > 1 and all(tops):
            parent[:] = sorted(parent, key=lambda child: float(_TOPS.search(child.get("style"))[1]))  # pyright: ignore
    return block


def _is_furniture(node: HtmlElement) -> bool:
    cannot_be_chosen = _LEFT_OUT_STYLE.search(node.get("style") or "") is not None
    return is_control(node) or is_gutter(node) or (cannot_be_chosen and _is_label(node))


def beside_code(block: HtmlElement) -> set[HtmlElement]:
    """Give what stands beside the one ``<code>`` of a block, in elements of their own: bars, labels, notices.

    Nothing where the block itself has text: then ``<code>`` only marks a part of it.
    """
    code = next(block.iter("code"), None)
    if code is None or code is block or sum(1 for _ in block.iter("code")) > 1:
        return set()
    beside: set[HtmlElement] = set()
    node = code
    while node is not block:
        parent = node.getparent()
        if parent is None:
            return set()
        others = [child for child in parent if child is not node]
        if any((text or "").strip() for text in (parent.text, *(child.tail for child in parent))):
            return set()
        beside.update(others)
        node = parent
    return beside if all(len(raw_text(one).strip()) <= _LONGEST_LABEL for one in beside) else set()


def _touches_code(node: HtmlElement) -> bool:
    """Tell whether another ``<code>`` follows at once: a block's lines, or the same program in two ways."""
    after = node.getnext() if node.tag == "code" and not node.tail else None
    parent = node.getparent()
    is_on_a_line = parent is not None and LINE.search(parent.get("class") or "") is not None
    return after is not None and after.tag == "code" and not is_on_a_line


def _take_out_numbers(lines: Sequence[_Line]) -> None:
    """Take the numbers out that begin each line, in an element of their own, and count on by one."""
    numbered = [line for line in lines if line.text().strip()]
    if len(numbered) < _FEWEST_NUMBERS:
        return
    firsts = [next(at for at, (text, _) in enumerate(line.pieces) if text.strip()) for line in numbered]
    pieces = [line.pieces[at] for line, at in zip(numbered, firsts, strict=True)]
    texts = [text.strip() for text, _ in pieces]
    if not all(text.isascii() and text.isdigit() and len(text) < 7 for text in texts):
        return
    start = int(texts[0])
    if any(int(text) != start + at for at, text in enumerate(texts)):
        return
    if len({owner for _, owner in pieces}) < len(pieces) or any(
        raw_text(owner).strip() != text for text, owner in pieces
    ):
        return
    for line, at in zip(numbered, firsts, strict=True):
        del line.pieces[: at + 1]


def _tidy(text: str) -> str:
    return drop_invisible(_DROPPED.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))


def _trim(lines: Sequence[str]) -> str:
    start, end = 0, len(lines)
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    return "\n".join(lines[start:end])
