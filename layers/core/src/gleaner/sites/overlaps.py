"""Which records of a listing's pages are one and the same, seen on two pages, and which are twins (FP-1).

Records go by position: what the end of a page and the beginning of the next have in common is an overlap where the
listing's own count or the pages' own ranges leave no room for both. Equal records elsewhere are twins, and stay.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page says of its place: it shows records ``first`` to ``last`` of ``total``, and is ``page`` of ``pages``.

    0 is unknown.
    """

    first: int = 0
    last: int = 0
    total: int = 0
    page: int = 0
    pages: int = 0

    @property
    def size(self) -> int:
        """How many records the page shows; 0 when it does not say."""
        return self.last - self.first + 1 if self.last else 0


def overlaps(pages: Sequence[Sequence[str]], shown: Sequence[Shown], total: int) -> list[int]:
    """Give for each page how many of its first records the page before it has shown already.

    ``pages`` hold the records of each page in canonical form, ``total`` is the listing's own count, 0 if unknown.

    >>> overlaps([["a", "b"], ["b", "c"]], [Shown(), Shown()], 3)
    [0, 1]
    >>> overlaps([["a", "b"], ["b", "c"]], [Shown(), Shown()], 4)
    [0, 0]
    """
    common = [0, *(_common(before, after) for before, after in pairwise(pages))]
    surplus = sum(map(len, pages)) - total
    are_windows = _is_usual(common)
    kept = [0] * len(pages)
    for at in sorted(range(1, len(pages)), key=lambda at: -common[at]):
        room = _by_ranges(shown[at - 1], shown[at])
        if not common[at]:
            continue
        if room is not None and not total:
            kept[at] = min(common[at], max(0, room))
        elif total:
            kept[at] = min(common[at], max(0, surplus))
            surplus -= kept[at]
        elif common[at] > 1 or are_windows:
            kept[at] = common[at]
    return kept


def _common(before: Sequence[str], after: Sequence[str]) -> int:
    """Give how many records the end of a page and the beginning of the next have in common."""
    for count in range(min(len(before), len(after)), 0, -1):
        if list(before[-count:]) == list(after[:count]):
            return count
    return 0


def _by_ranges(before: Shown, after: Shown) -> int | None:
    """Give how many places two pages share by their own ranges ("1-12", "12-23"); None when they have none."""
    return before.last - after.first + 1 if before.last and after.first else None


def _is_usual(common: Sequence[int]) -> bool:
    """Tell whether most pages begin with what the one before ended with, as windows that overlap do."""
    return len(common) > 2 and sum(count > 0 for count in common[1:]) * 2 >= len(common) - 1
