"""Tell the lines that repeat on every page, above and below its text, from the text."""

import re
from collections.abc import Sequence
from statistics import median

from gleaner.documents.lines import Row, Walls, rows_of
from gleaner.documents.page import PageContents, Word

AT_THE_EDGE = 0.14
"""Share of a page's height, above and below, in which running heads stand: margins have 0.05 to 0.1."""
_MOST_LINES = 4
_SAME_HEIGHT = 4.0
_LARGER = 1.1
_ANY_SIZE = 10.0
"""Of a page all of whose text runs in other directions."""
_NUMBER = re.compile(r"\d+")
_MARKED = re.compile(r"(?P<dash>[-–—]) ?\d+ ?(?P=dash)|[(\[]\d+[)\]]")
"""The number of a page between dashes or in brackets, as heads print it beside other words."""


def without_running_lines(page: PageContents, before: Sequence[PageContents], after: Sequence[PageContents]) -> None:
    """Take the lines off a page that another page near it has at the same height: running heads, page numbers.

    A head stays where it stands first and a foot where it stands last, so that neither parts what goes on over the
    end of a page; what numbers the pages goes from all. Only lines with nothing but such lines beyond them are looked
    at, so that rows of a table never go.
    """
    rows = rows_of(page.running, Walls())
    upper = [row for row in rows if row[0].y < page.height / 2]
    lower = [row for row in reversed(rows) if row[0].y >= page.height / 2]
    gone: set[int] = set()
    for edge, kept_on in ((upper[:_MOST_LINES], before), (lower[:_MOST_LINES], after)):
        for row in edge:
            if not any(_recurs(row, page, other) for other in (*before, *after)):
                break
            if any(_recurs(row, page, other) for other in kept_on) or _numbers_page(row, page, (*before, *after)):
                gone |= {id(word) for word in _words(row)}
    page.words = [word for word in page.words if id(word) not in gone]


def _words(row: Row) -> list[Word]:
    return [word for piece in row for word in piece.words]


def _recurs(row: Row, page: PageContents, other: PageContents) -> bool:
    """Tell whether another page has the same line at the same height, but for the number of the page."""
    return _same_line(row, page, other) is not None


def _numbers_page(row: Row, page: PageContents, after: Sequence[PageContents]) -> bool:
    text = _text(_words(row))
    return any(found not in (None, text) for found in (_same_line(row, page, other) for other in after))


def _text(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in sorted(words, key=lambda word: word.x0))


def _same_line(row: Row, page: PageContents, other: PageContents) -> str | None:
    """Give the same line of another page; None if it has none.

    A number may differ that counts the pages, but not one of a heading, nor "Invoice 1002" on one and "Invoice 1003"
    on the next page: it is the page's own number, stands between dashes or in brackets, or below the text
    without words beside it.
    """
    height, distance = row[0].y, other.number - page.number
    one = _text(_words(row))
    two = _text([word for word in other.running if abs(word.y - height) <= _SAME_HEIGHT])
    if one == two:
        return two
    is_marked = any(_MARKED.fullmatch(piece.text) for piece in row)
    is_alone = row[0].top > page.height / 2 and any(not re.search(r"[^\W\d_]", piece.text) for piece in row)
    is_heading = row[0].size > _LARGER * page.usual_size and not (is_marked or is_alone)
    if _NUMBER.sub("0", one) != _NUMBER.sub("0", two) or is_heading:
        return None
    for first, second in zip(_NUMBER.findall(one), _NUMBER.findall(two), strict=True):
        counts = len(first) < 6 and int(second) - int(first) == distance
        if first != second and not (counts and (int(first) == page.number or is_alone or is_marked)):
            return None
    return two


def keep_running(page: PageContents) -> None:
    """Remember the words at the edges of a page, which others are compared with after some of them are gone."""
    edge = AT_THE_EDGE * page.height
    page.running = [word for word in page.words if word.bottom <= edge or word.top >= page.height - edge]
    page.usual_size = median(word.size for word in page.words) if page.words else _ANY_SIZE
