"""Boxes that are drawn to be ticked, as the signs for empty and ticked boxes."""

from collections.abc import Iterator, Sequence

from gleaner.documents.page import Box, PageContents, Word

SMALLEST_BOX, LARGEST_BOX = 6.0, 16.0
"""Points of the side of a box to be ticked."""
_SQUARE = 1.5
_APART = 2.0
"""Points between two boxes, at least: cells touch."""
_FARTHEST_LABEL = 1.5
"""Sizes of the text between a box and what it stands for."""
_LEAST_TICK = 0.3
"""Share of the side of a box that a tick, cross or dot in it has."""
_TICKS = frozenset("xX×✓✔✗✘☓⨯●■•")
_MOST_BOXES = 300


def is_square(box: Box) -> bool:
    """Tell whether a rectangle has the form and size of a box to be ticked."""
    narrow, wide = sorted((box.width, box.height))
    return narrow >= SMALLEST_BOX and wide <= LARGEST_BOX and wide - narrow <= _SQUARE


def read_tick_boxes(contents: PageContents, squares: Sequence[Box], drawings: Sequence[Box]) -> None:
    """Put a sign for each of some squares that is a box to be ticked among the words of a page.

    ``drawings`` are the small ones that may be ticks. What ticks a box, and its sides, are no words and no rules.
    """
    if len(squares) > _MOST_BOXES:
        return
    gone: set[int] = set()
    signs: list[Word] = []
    boxes = list(_boxes(contents.words, squares))
    for square, label, inside in boxes:
        is_ticked = bool(inside) or any(_ticks(drawing, square) for drawing in drawings)
        base, size = label.base, label.size
        box = (square.x0, base - 0.78 * size, square.x1, base + 0.22 * size)
        signs.append(Word(*box, "☑" if is_ticked else "☐", size, base))
        gone |= set(map(id, inside))
    contents.words = [word for word in contents.words if id(word) not in gone] + signs
    contents.rules = [rule for rule in contents.rules if not any(square.covers(rule) for square, _, _ in boxes)]


def _boxes(words: Sequence[Word], squares: Sequence[Box]) -> Iterator[tuple[Box, Word, list[Word]]]:
    """Give the squares beside a word that hold none but a tick and touch no other, with both."""
    alone = [one for one in squares if not any(other is not one and _touch(one, other) for other in squares)]
    for square in alone:
        inside = [word for word in words if square.holds(word)]
        line = [word for word in words if word.top <= square.y <= word.bottom and not square.holds(word)]
        near = [
            (gap, word)
            for word in line
            if -1 <= (gap := max(word.x0 - square.x1, square.x0 - word.x1)) <= _FARTHEST_LABEL * word.size
        ]
        if near and all(word.text in _TICKS for word in inside):
            yield square, min(near, key=lambda found: found[0])[1], inside


def _touch(one: Box, other: Box) -> bool:
    apart = max(other.x0 - one.x1, one.x0 - other.x1, other.top - one.bottom, one.top - other.bottom)
    return apart <= _APART


def _ticks(drawing: Box, square: Box) -> bool:
    """Tell whether a drawing is a tick in a square: within it, of some size, and not a second square around it."""
    side = max(drawing.width, drawing.height)
    return square.holds(drawing) and square.covers(drawing, 2.5) and side >= _LEAST_TICK * square.width
