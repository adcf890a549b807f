"""Chunks of real Markdown at drawn limits: what must hold of each, and how often it does not.

    PYTHONPATH=benchmarks python benchmarks/chunk_invariants.py [--tries 200000] [--show 20]

A try is one page of the corpus, cut at one limit of 200 to 5,000 characters. Held against it: the chunks join to the
text and keep the limit; no row, item, heading or line of code that fits is cut, and no line at all that fits, but for a
paragraph that cannot stand with its heading, and for a sentence's end in wrapped prose; a table that goes on has its
own head ahead of it, once, and no other.
"""

import argparse
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from gleaner.chunking import MarkdownChunk, chunk_markdown_by_structure
from gleaner.chunking.packing import SENTENCE_END
from gleaner.markdown import extract_clean_markdown
from measure.rows import find_corpus

LIMITS = (200, 5_000)
HEADING = re.compile(r"#{1,6} ")
SEPARATOR = re.compile(r"\|(?: --- \|)+")


class Lines:
    """The lines of a text with their offsets, and the head of the table that each row belongs to."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.heads: list[int] = []
        head, in_code = -1, False
        for at, line in enumerate(self.lines):
            in_code ^= line.lstrip().startswith("```")
            if in_code or not line.startswith("|"):
                head = -1
            elif SEPARATOR.fullmatch(line) and at and self.lines[at - 1].startswith("|"):
                head = at
            self.heads.append(head)

    def at(self, offset: int) -> int:
        """Give the number of the line that an offset lies in."""
        return bisect_right(self.starts, offset) - 1


def broken(text: str, lines: Lines, limit: int, chunks: Sequence[MarkdownChunk]) -> Iterator[tuple[str, int]]:
    """Give what does not hold of the chunks of a text, each with an offset."""
    if "".join(chunk.content for chunk in chunks) != text:
        yield "lossless", 0
    for chunk in chunks:
        if len(chunk.content) > limit or len(chunk.overlap_prefix) > limit:
            yield "limit", chunk.start_char
        at = lines.at(chunk.start_char + text.startswith("\n", chunk.start_char))  # a line break belongs to its line
        line = lines.lines[at]
        is_inside = lines.starts[at] < chunk.start_char < lines.starts[at] + len(line) and len(line) < limit
        if is_inside and not _under_heading(lines, at, limit) and not _ends_sentence(text, lines, chunk.start_char):
            yield "middle of a line", chunk.start_char
        own = lines.heads[at]
        if chunk.chunk_index and own >= 0 and at > own:
            header = f"{lines.lines[own - 1]}\n{lines.lines[own]}\n"
            ahead, found, _ = chunk.overlap_prefix.partition(header)
            if (not found or ahead.startswith("\n")) and len(header) <= limit and chunk.content.strip():
                yield "own head", chunk.start_char
            if any(SEPARATOR.fullmatch(one) for one in (ahead if found else "").split("\n")):
                yield "another head", chunk.start_char


def _ends_sentence(text: str, lines: Lines, offset: int) -> bool:
    """Tell whether a sentence ends there, in prose that is wrapped: a line of it goes on with a small letter."""
    at = lines.at(offset)
    is_wrapped = any(line.lstrip(" >")[:1].islower() for line in lines.lines[at : at + 2])
    return is_wrapped and bool(SENTENCE_END.search(text, max(0, offset - 4), offset))


def _under_heading(lines: Lines, at: int, limit: int) -> bool:
    """Tell whether a line and the headings right over it are more than fits."""
    size, above = len(lines.lines[at]), at - 1
    while above >= 0 and (not lines.lines[above] or HEADING.match(lines.lines[above])):
        size += len(lines.lines[above]) + 1
        above -= 1
    return above < at - 1 and size >= limit


def texts() -> list[tuple[str, str]]:
    """Give the Markdown of all pages of the corpus."""
    corpus = find_corpus()
    found = sorted(corpus.rglob("*.html")) if corpus else []
    return [(str(path.relative_to(corpus or Path())), _text(path)) for path in found]


def _text(path: Path) -> str:
    return extract_clean_markdown(path.read_bytes().decode("utf-8", "replace"))[0]


def main() -> None:
    """Draw, count, and show."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tries", type=int, default=20_000)
    parser.add_argument("--show", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance, count, shown = Random(options.seed), Counter[str](), 0
    pages = [(name, text, Lines(text)) for name, text in texts() if len(text) > LIMITS[0]]
    for number in range(options.tries):
        name, text, lines = pages[number % len(pages)]
        limit, overlap = chance.randint(*LIMITS), chance.choice((0, 1, 3, 10))
        for rule, offset in set(broken(text, lines, limit, chunk_markdown_by_structure(text, limit, overlap))):
            count[rule] += 1
            if shown < options.show:
                shown += 1
                print(f"{rule}: {name}, limit {limit}, overlap {overlap}, at {offset}")
    print(f"{options.tries} tries over {len(pages)} pages; broken: {dict(count) or 'none'}")


if __name__ == "__main__":
    main()
