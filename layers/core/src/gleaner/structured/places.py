"""Where the page shows records: the units of its Markdown that hold their texts, one unit each."""

import re
from collections.abc import Sequence

from gleaner.units import PlacedUnit

_SIGNS = re.compile(r"[\W_]+")


def plain(text: str) -> str:
    """Give letters and digits alone, in lower case: Markdown escapes and spaces differ from the page's own text."""
    return _SIGNS.sub("", text.casefold())


def units_showing(texts: Sequence[Sequence[str]], markdown: str, units: Sequence[PlacedUnit]) -> list[int] | None:
    """Give for each record the position of the unit that shows its texts; None when no group shows all of them.

    Records stand on the page in their order. Of several groups the one with fewest other units counts.
    """
    groups: dict[int, list[int]] = {}
    for position, unit in enumerate(units):
        if unit.kind != "attribute":
            groups.setdefault(unit.group, []).append(position)
    wanted = [[plain(each) for each in record] for record in texts]
    for positions in sorted(groups.values(), key=len):
        if len(positions) >= len(texts) and (found := _in_order(wanted, positions, markdown, units)) is not None:
            return found
    return None


def _in_order(
    wanted: Sequence[Sequence[str]], positions: Sequence[int], markdown: str, units: Sequence[PlacedUnit]
) -> list[int] | None:
    found: list[int] = []
    left = iter(positions)
    for record in wanted:
        for at in left:
            shown = plain(markdown[units[at].start : units[at].end])
            if all(text in shown for text in record):
                found.append(at)
                break
        else:
            return None
    return found


def lines_showing(texts: Sequence[Sequence[str]], markdown: str) -> list[tuple[int, int]] | None:
    """Give the place of the line that shows each record, in their order; None when one has none."""
    wanted = [[plain(each) for each in record] for record in texts]
    found: list[tuple[int, int]] = []
    start = 0
    for line in markdown.splitlines(keepends=True):
        if len(found) == len(wanted):
            break
        shown = plain(line)
        if wanted[len(found)] and all(text in shown for text in wanted[len(found)]):
            found.append((start, start + len(line.rstrip("\n"))))
        start += len(line)
    return found if len(found) == len(wanted) else None
