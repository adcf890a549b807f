"""What is read from one page of a document, before its layout is understood.

Coordinates are in points from the upper left corner of the page as it is shown: x to the right, y downwards.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
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
    def x(self) -> float:
        """The middle from left to right."""
        return (self.x0 + self.x1) / 2

    @property
    def y(self) -> float:
        """The middle from top to bottom."""
        return (self.top + self.bottom) / 2

    def holds(self, other: "Box") -> bool:
        """Tell whether the middle of another box is inside."""
        return self.x0 <= other.x <= self.x1 and self.top <= other.y <= self.bottom

    def covers(self, other: "Box", slack: float = 1.0) -> bool:
        """Tell whether all of another box is inside, but for some points."""
        return (
            other.x0 >= self.x0 - slack
            and other.x1 <= self.x1 + slack
            and other.top >= self.top - slack
            and other.bottom <= self.bottom + slack
        )


def around(boxes: Iterable[Box]) -> Box:
    """Give the smallest box around others, of which there is at least one."""
    rest = iter(boxes)
    first = next(rest)
    x0, top, x1, bottom = first.x0, first.top, first.x1, first.bottom
    for box in rest:  # min() and max() over generators take 2.4 times as long, for each piece of each line
        x0 = box.x0 if box.x0 < x0 else x0
        top = box.top if box.top < top else top
        x1 = box.x1 if box.x1 > x1 else x1
        bottom = box.bottom if box.bottom > bottom else bottom
    return Box(x0, top, x1, bottom)


@dataclass(frozen=True, slots=True)
class Word(Box):
    """A word as it is drawn. Its box reaches from the ascenders to the descenders of letters of its size.

    ``is_broken``: a hyphen ends it because the line does. ``is_glued``: no blank parts it from the word before.
    ``heading``: the level that the document's structure gives it, 0 for none. ``is_led``: dots lead on from it.
    """

    text: str = ""
    size: float = 10.0
    base: float = 0.0
    is_bold: bool = False
    is_fixed: bool = False
    url: str = ""
    is_broken: bool = False
    is_glued: bool = False
    is_struck: bool = False
    heading: int = 0
    is_led: bool = False


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a table: the places that part them, from the left edge to the right one, and those of figures."""

    edges: tuple[float, ...]
    figures: frozenset[int]


@dataclass(slots=True)
class PageContents:
    """The words of a page and what is drawn around them.

    ``rules`` are straight horizontal and vertical lines, ``frames`` drawn rectangles of some size, ``fills`` coloured
    ones, ``figures`` drawings with slopes and curves. ``aside`` are the lines of text that run in another direction
    than the rest. ``unreadable`` counts characters whose font does not say what they are, ``doubtful`` those whose
    font says so by their codes alone, and ``hidden`` the words that nobody can see. ``running`` are the words at the
    upper and lower edge, where heads run, and ``usual_size`` is the size of most words. ``outline`` are the headings
    that the document's outline names on this page, with their level. ``starts`` are the places at which columns begin
    on this page and others. ``goes_on`` are the columns of the table that ends the page before, ``ends_in`` those of
    the one that ends this page.
    """

    number: int
    width: float
    height: float
    words: list[Word] = field(default_factory=list[Word])
    rules: list[Box] = field(default_factory=list[Box])
    fills: list[Box] = field(default_factory=list[Box])
    frames: list[Box] = field(default_factory=list[Box])
    figures: list[Box] = field(default_factory=list[Box])
    aside: list[str] = field(default_factory=list[str])
    picture_share: float = 0.0
    unreadable: int = 0
    doubtful: int = 0
    hidden: int = 0
    running: list[Word] = field(default_factory=list[Word])
    usual_size: float = 0.0
    outline: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    starts: tuple[int, ...] = ()
    goes_on: Columns | None = None
    ends_in: Columns | None = None

    @property
    def is_scan(self) -> bool:
        """Whether there is no text to read: a picture covers most of it, or most is in fonts that say nothing."""
        characters = sum(len(word.text) for word in self.words)
        is_picture = not characters and self.picture_share >= MOSTLY
        return is_picture or self.unreadable > max(_FEW_CHARACTERS, characters)


_FEW_CHARACTERS = 20
MOSTLY = 0.5
"""Share of a page that a picture of the whole page covers: scanners cut margins, letters have a small logo."""


class WordsByHeight:
    """Words of a page, found by where they stand. ``words`` keeps the order in which they were given."""

    def __init__(self, words: Iterable[Word]) -> None:
        self.words = list(words)
        self._sorted = sorted(self.words, key=lambda word: word.y)
        self._heights = [word.y for word in self._sorted]

    def inside(self, box: Box) -> list[Word]:
        """Give the words whose middle is in a box, from top to bottom."""
        low, high = bisect_left(self._heights, box.top), bisect_right(self._heights, box.bottom)
        return [word for word in self._sorted[low:high] if box.x0 <= word.x <= box.x1]

    def without(self, words: Iterable[Word]) -> "WordsByHeight":
        """Give all but some of these words."""
        gone = set(map(id, words))
        return WordsByHeight(word for word in self.words if id(word) not in gone)
