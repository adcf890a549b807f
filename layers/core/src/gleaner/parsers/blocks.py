"""The visible text of a page as blocks, each with its landmark, heading and share of links."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree
from lxml.html import HtmlElement

from gleaner.contracts.word_lists import listed
from gleaner.html.elements import HEADINGS

BLOCKS = listed(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol optgroup option p pre search section "
    "select summary table tbody td textarea tfoot th thead tr ul"
)
"""Elements that part the text around them; the text of all others runs on."""

LANDMARKS = listed("main article header footer nav aside section")
ROLES = {
    "main": "main",
    "article": "article",
    "banner": "header",
    "contentinfo": "footer",
    "navigation": "nav",
    "complementary": "aside",
    "region": "section",
}
CELL_BORDER = " | "


@dataclass(slots=True)
class Landmark:
    """A landmark element on the way down to a block, and the last heading seen in it."""

    name: str
    number: int
    depth: int
    heading: str = ""


@dataclass(slots=True)
class Block:
    """A run of text: its element, the landmarks around it from the outside in, its heading, its characters in links."""

    text: str
    tag: str
    landmarks: tuple[str, ...]
    group: tuple[int, str]
    link_characters: int


@dataclass(slots=True)
class _Walk:
    """The state of a walk over the tree."""

    stack: list[tuple[str, bool]] = field(default_factory=list[tuple[str, bool]])
    landmarks: list[Landmark] = field(default_factory=list[Landmark])
    parts: list[str] = field(default_factory=list[str])
    link_characters: int = 0
    links: int = 0
    rows: int = 0
    seen: int = 0


def find_blocks(root: HtmlElement, longest_row: int) -> Iterator[Block]:
    """Give the blocks of a tree in page order; a table row of at most ``longest_row`` characters is one block."""
    walk = _Walk()
    for event, element in etree.iterwalk(root, events=("start", "end")):
        tag = str(element.tag)
        if event == "start":
            if tag in BLOCKS:
                yield from _open(walk, element, tag, longest_row)
            elif tag == "a":
                walk.links += 1
            elif tag == "br":
                walk.parts.append("\n")
            _add(walk, element.text)
        else:
            if tag in BLOCKS:
                yield from _close(walk)
            elif tag == "a":
                walk.links -= 1
            _add(walk, element.tail)


def _add(walk: _Walk, text: str | None) -> None:
    if text:
        walk.parts.append(text)
        if walk.links:
            walk.link_characters += len(" ".join(text.split()))


def _open(walk: _Walk, element: HtmlElement, tag: str, longest_row: int) -> Iterator[Block]:
    is_row = tag == "tr" and not walk.rows and _is_record(element, longest_row)
    if not walk.rows:
        yield from _flush(walk)
    elif tag in ("td", "th") and any(part.strip() for part in walk.parts):
        walk.parts.append(CELL_BORDER)
    else:
        walk.parts.append(" ")
    walk.rows += is_row
    walk.stack.append((tag, is_row))
    name = ROLES.get(element.get("role", ""), tag)
    if name in LANDMARKS:
        walk.seen += 1
        walk.landmarks.append(Landmark(name, walk.seen, len(walk.stack)))


def _close(walk: _Walk) -> Iterator[Block]:
    if walk.rows and not walk.stack[-1][1]:
        walk.parts.append(" ")
    else:
        yield from _flush(walk)
    if walk.landmarks and walk.landmarks[-1].depth == len(walk.stack):
        _leave(walk.landmarks)
    walk.rows -= walk.stack.pop()[1]


def _leave(landmarks: list[Landmark]) -> None:
    """Step out of a landmark; the heading in the header of an article heads the article."""
    left = landmarks.pop()
    if left.name == "header" and left.heading and landmarks:
        landmarks[-1].heading = left.heading


def _is_record(row: HtmlElement, longest_row: int) -> bool:
    """Tell a row of data from a row that lays out the page."""
    if next(row.iterdescendants("table"), None) is not None:
        return False
    length = 0
    for text in row.itertext():
        length += len(text.strip()) + len(CELL_BORDER)
        if length > longest_row:
            return False
    return True


def _flush(walk: _Walk) -> Iterator[Block]:
    """End the block that is open, if it holds any text."""
    tag = walk.stack[-1][0] if walk.stack else "body"
    text = _joined(walk.parts, keep_lines=any(name == "pre" for name, _ in walk.stack[-1:]))
    links = walk.link_characters
    walk.parts.clear()
    walk.link_characters = 0
    if not text:
        return
    landmarks = walk.landmarks
    if tag in HEADINGS and landmarks:
        landmarks[-1].heading = text
    elif tag in HEADINGS:
        landmarks.append(Landmark("", 0, 0, text))
    names = tuple(landmark.name for landmark in landmarks if landmark.name)
    number = landmarks[-1].number if landmarks else 0
    yield Block(text, tag, names, (number, _heading(landmarks)), links)


def _heading(landmarks: list[Landmark]) -> str:
    """Give the heading that a block stands under; what stands beside the content is under none of the content's."""
    for landmark in reversed(landmarks):
        if landmark.heading or landmark.name in ("nav", "aside", "footer", "header"):
            return landmark.heading
    return ""


def _joined(parts: list[str], *, keep_lines: bool) -> str:
    text = "".join(parts)
    if keep_lines:
        return text.strip("\r\n").rstrip()
    return " ".join(text.split())
