"""What is read from one page of a document, before its layout is understood.

Coordinates are in points from the upper left corner of the page as it is shown: x to the right, y downwards.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page."""

    x0: float
    top: float
    x1: float
    bottom: float

    @property
    def width(self) -> float:
        """The extent from left to right."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """The extent from top to bottom."""
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        """The height at which it stands."""
        return (self.top + self.bottom) / 2

    def holds(self, x: float, y: float) -> bool:
        """Tell whether a point is inside."""
        return self.x0 <= x <= self.x1 and self.top <= y <= self.bottom


def around(boxes: "list[Box]") -> Box:
    """Give the smallest box around others, of which there is at least one."""
    return Box(
        min(box.x0 for box in boxes),
        min(box.top for box in boxes),
        max(box.x1 for box in boxes),
        max(box.bottom for box in boxes),
    )


@dataclass(frozen=True, slots=True)
class Word(Box):
    """A word as it is drawn. ``is_broken``: a hyphen ends it because the line does."""

    text: str = ""
    size: float = 10.0
    is_bold: bool = False
    url: str = ""
    is_broken: bool = False


@dataclass(slots=True)
class PageContents:
    """The words of a page and what is drawn around them.

    ``rules`` are straight horizontal and vertical lines, ``frames`` drawn rectangles of some size; ``aside`` are the
    lines of text that run in another direction than the rest. ``unreadable`` counts characters whose font does not say
    what they are, ``hidden`` the words that nobody can see. ``running`` are the words at the upper and lower edge,
    where heads run, and ``usual_size`` is the size of most words.
    """

    number: int
    width: float
    height: float
    words: list[Word] = field(default_factory=list[Word])
    rules: list[Box] = field(default_factory=list[Box])
    frames: list[Box] = field(default_factory=list[Box])
    aside: list[str] = field(default_factory=list[str])
    picture_share: float = 0.0
    unreadable: int = 0
    hidden: int = 0
    running: list[Word] = field(default_factory=list[Word])
    usual_size: float = 0.0

    @property
    def is_scan(self) -> bool:
        """Whether the page is a picture: one that covers most of it, without text that can be read."""
        characters = sum(len(word.text) for word in self.words)
        return (not characters and self.picture_share >= MOSTLY) or self.unreadable > max(20, characters)


MOSTLY = 0.5
"""Share of a page that a picture of the whole page covers: scanners cut margins, letters have a small logo."""
