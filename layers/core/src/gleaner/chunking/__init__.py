"""Cut Markdown into chunks along its structure, losing nothing (CH-1 to CH-6, seed 001, PR 2).

One pass over the lines finds the borders (``borders``), a greedy packer cuts at the best ones (``packing``), and each
chunk is told what stands before it and where it is (``places``). Chunks are slices of the input, so that nothing can
be lost or changed.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from gleaner.chunking.borders import find_borders
from gleaner.chunking.packing import Move, cut_points
from gleaner.chunking.places import Places
from gleaner.contracts.arguments import check_whole_number

__all__ = ["MarkdownChunk", "Move", "chunk_at", "chunk_markdown_by_structure"]


@dataclass(frozen=True, slots=True)
class MarkdownChunk:
    """One run of the text: ``content == text[start_char:end_char]``, ``overlap_prefix`` not included.

    ``overlap_prefix`` repeats what a reader of this chunk needs from before it; ``structural_context`` names the
    place, as in ``Products (rows 51-100 of 200)``; ``has_more`` tells whether a chunk follows.
    """

    content: str
    chunk_index: int
    total_chunks: int
    start_char: int
    end_char: int
    overlap_prefix: str
    structural_context: str
    has_more: bool


def chunk_markdown_by_structure(
    content: str, max_chunk_chars: int = 100_000, overlap_lines: int = 3, start_from_char: int = 0
) -> list[MarkdownChunk]:
    """Cut a Markdown text into chunks of at most ``max_chunk_chars`` characters, at the best borders (CH-2).

    Table rows, fenced code and list items stay whole unless one alone is larger than the limit. ``overlap_prefix``
    holds the last ``overlap_lines`` lines before the chunk, and for a table that goes on its header rows, even with
    ``overlap_lines=0``; it is not counted in the limit, and is never longer than it. ``start_from_char`` leaves out the
    chunks that end at or before it; those that stay keep their numbers. ValueError names an argument out of range.

    >>> [chunk.content for chunk in chunk_markdown_by_structure("# A\\n\\none\\n\\n# B\\n\\ntwo\\n", 12)]
    ['# A\\n\\none\\n\\n', '# B\\n\\ntwo\\n']
    """
    return chunk_at(content, (), max_chunk_chars, overlap_lines, start_from_char)


def chunk_at(
    content: str,
    cuts: Sequence[int],
    max_chunk_chars: int = 100_000,
    overlap_lines: int = 3,
    start_from_char: int = 0,
    *,
    move: Move | None = None,
) -> list[MarkdownChunk]:
    """Cut as ``chunk_markdown_by_structure`` does, and besides at ``cuts``, such as around a sample (RC-3).

    A cut lies inside the text, at a place where a record begins; ValueError otherwise. ``move`` may end other chunks
    earlier, where a record begins that no border of the text tells.

    >>> [chunk.content for chunk in chunk_at("- a\\n- b\\n- c\\n", [4], 100)]
    ['- a\\n', '- b\\n- c\\n']
    """
    check_whole_number("max_chunk_chars", max_chunk_chars, 1)
    check_whole_number("overlap_lines", overlap_lines, 0)
    check_whole_number("start_from_char", start_from_char, 0)
    if not all(0 < cut < len(content) for cut in cuts):
        raise ValueError(f"cuts are {list(cuts)!r}; they must lie inside the text")
    if not content:
        return [] if start_from_char else [MarkdownChunk("", 0, 1, 0, 0, "", "", False)]
    borders = find_borders(content)
    ends = list(cut_points(content, borders, max_chunk_chars, cuts, move))
    places = Places(content, borders, max_chunk_chars, overlap_lines)
    return [_chunk(content, index, ends, places) for index in range(bisect_right(ends, start_from_char), len(ends))]


def _chunk(content: str, index: int, ends: list[int], places: Places) -> MarkdownChunk:
    start = ends[index - 1] if index else 0
    end = ends[index]
    overlap, context = places.describe(start, end)
    return MarkdownChunk(content[start:end], index, len(ends), start, end, overlap, context, index + 1 < len(ends))
