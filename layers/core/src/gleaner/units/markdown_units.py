"""Units of Markdown without a DOM: table rows and list items."""

import re
from collections.abc import Iterator

from gleaner.page.tables import is_rule
from gleaner.units import PlacedUnit, line_units

ROW_SCORE = 0.9
ITEM_SCORE = 0.6
LINKS_SCORE = 0.3
"""How likely rows, list items, and list items that are nothing but links, are records."""

_ITEM = re.compile(r"^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(?=\S)")
_LINK_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[^\]\n]*\](?:\([^)\n]*\))?[ \t]*$")
_FENCE = re.compile(r"^[ \t]*(```+|~~~+)")

Span = tuple[int, int]


def find_markdown_units(markdown: str) -> tuple[PlacedUnit, ...]:
    """Give the units of a Markdown text, in page order: for pages whose DOM is not at hand.

    >>> [(unit.kind, unit.index) for unit in find_markdown_units("|A|\\n|-|\\n|1|\\n|2|\\n")]
    [('row', 0), ('row', 1)]
    """
    placed: list[PlacedUnit] = []
    for group, (kind, score, spans) in enumerate(_groups(_lines(markdown))):
        placed += [
            PlacedUnit(group, index, start, end, score, "row" if kind == "row" else "item")
            for index, (start, end) in enumerate(spans)
        ]
    return tuple(placed)


def place_markdown_units(markdown: str) -> tuple[PlacedUnit, ...]:
    """Give the units of a Markdown text, and behind them what only its lines and sentences set apart."""
    units = find_markdown_units(markdown)
    return (*units, *line_units(markdown, units[-1].group + 1 if units else 0, units))


def _lines(markdown: str) -> list[tuple[int, str]]:
    """Give the lines with their offsets; those of fenced code as blanks."""
    lines: list[tuple[int, str]] = []
    position, fence = 0, ""
    for line in markdown.splitlines(keepends=True):
        mark = _FENCE.match(line)
        inside = bool(fence)
        if mark and not fence:
            fence, inside = mark.group(1), True
        elif mark and mark.group(1).startswith(fence):
            fence = ""
        lines.append((position, "" if inside else line.rstrip("\r\n")))
        position += len(line)
    return lines


def _groups(lines: list[tuple[int, str]]) -> Iterator[tuple[str, float, list[Span]]]:
    number = 0
    while number < len(lines):
        if _is_table_at(lines, number):
            end = _end_of_table(lines, number + 2)
            yield "row", ROW_SCORE, [(at, at + len(text)) for at, text in lines[number + 2 : end]]
            number = end
        elif _ITEM.match(lines[number][1]):
            end = _end_of_list(lines, number)
            items = lines[number:end]
            score = LINKS_SCORE if all(_LINK_ITEM.match(text) for _, text in items if text.strip()) else ITEM_SCORE
            spans = _items(items)
            if len(spans) > 1:
                yield "item", score, spans
            number = end
        else:
            number += 1


def _is_table_at(lines: list[tuple[int, str]], number: int) -> bool:
    rule = lines[number + 1][1] if number + 1 < len(lines) else ""
    return "|" in lines[number][1] and is_rule(rule)


def _end_of_table(lines: list[tuple[int, str]], number: int) -> int:
    while number < len(lines) and "|" in lines[number][1]:
        number += 1
    return number


def _end_of_list(lines: list[tuple[int, str]], number: int) -> int:
    """Give the line after the list: blank and indented lines belong to it while an item or more of those follow."""
    last = number
    for position in range(number, len(lines)):
        text = lines[position][1]
        if _ITEM.match(text) or (text.strip() and text[0] in " \t") or (text.strip() and position == last + 1):
            last = position
        elif text.strip():
            break
    return last + 1


def _items(lines: list[tuple[int, str]]) -> list[Span]:
    """Give the places of the outermost items."""
    indents = [len(match.group(1)) for _, text in lines if (match := _ITEM.match(text))]
    outer = min(indents)
    spans: list[Span] = []
    for at, text in lines:
        match = _ITEM.match(text)
        if match and len(match.group(1)) == outer:
            spans.append((at, at + len(text)))
        elif text.strip() and spans:
            spans[-1] = (spans[-1][0], at + len(text))
    return spans
