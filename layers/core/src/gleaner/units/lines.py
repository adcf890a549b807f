"""Records that only the text sets apart: lines of one paragraph, paragraphs in a row, sections under like headings."""

import re
from collections.abc import Iterator

_BLOCK = re.compile(r"(?:^[^\n]*\S[^\n]*(?:\n|\Z))+", re.MULTILINE)
_LINE = re.compile(r"^[^\n]*\S[^\n]*$", re.MULTILINE)
_HEADING = re.compile(r"(#{1,6})\s")
_LISTED = re.compile(r"[ \t]*(?:\||[-*+]\s|\d{1,9}[.)]\s)")
_FENCE = re.compile(r"[ \t]*(```+|~~~+)")
_FEWEST = 3
_MOST_GROUPS = 200

Spans = list[tuple[int, int]]


def line_groups(markdown: str) -> list[Spans]:
    """Give runs of the Markdown that could each hold a record though no element does, as lists of places.

    Such are poems and addresses too: a group counts only once records are seen to come from it, one from each place.

    >>> line_groups("Ann, Director\\nBen, Porter\\nCy, Chef")
    [[(0, 13), (14, 25), (26, 34)]]
    """
    found: list[Spans] = []
    run: Spans = []
    for start, end, is_text in [*_blocks(markdown), (len(markdown), len(markdown), False)]:
        if is_text:
            run.append((start, end))
            lines = [(start + m.start(), start + m.end()) for m in _LINE.finditer(markdown[start:end])]
            found.append([place for place in lines if not _FENCE.match(markdown, place[0])])
        else:
            found.append(run)
            run = []
    found += _sections(markdown)
    return [group for group in found if len(group) >= _FEWEST][:_MOST_GROUPS]


def _blocks(markdown: str) -> Iterator[tuple[int, int, bool]]:
    """Give the runs of lines between blank lines, and whether they are text (no heading, table or list)."""
    for match in _BLOCK.finditer(markdown):
        text = match[0]
        yield match.start(), match.end() - text.endswith("\n"), not (_HEADING.match(text) or _LISTED.match(text))


def _sections(markdown: str) -> list[Spans]:
    """Give, for each level of headings, the stretches from one heading to the next of this level or a higher one."""
    open_at: dict[int, int] = {}
    sections: dict[int, Spans] = {}

    def close(level: int, end: int) -> None:
        for known in [one for one in open_at if one >= level]:
            start = open_at.pop(known)
            sections.setdefault(known, []).append((start, start + len(markdown[start:end].rstrip())))

    for start, _, is_text in _blocks(markdown):
        heading = None if is_text else _HEADING.match(markdown, start)
        if heading:
            close(len(heading[1]), start)
            open_at[len(heading[1])] = start
    close(1, len(markdown))
    return [sections[level] for level in sorted(sections)]
