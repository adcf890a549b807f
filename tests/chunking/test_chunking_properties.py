"""CH-1 to CH-5 over generated Markdown: real constructs mixed with garbage."""

import re
from pathlib import Path

import pytest
from gleaner.chunking import chunk_markdown_by_structure
from gleaner.chunking.lines import stretches
from gleaner.markdown import extract_clean_markdown
from hypothesis import given
from hypothesis import strategies as st

words = st.text("abcXYZ .é。字", min_size=1, max_size=30).map(str.strip).filter(bool)
noise = st.text("ab#|-*`~> \t\r\n\x0b\x0c\u2028\u200b:=\\1.)\u0301👍", max_size=60)


@st.composite
def tables(draw: st.DrawFn) -> str:
    name = draw(st.integers(0, 10**9))
    rows = draw(st.lists(words, min_size=1, max_size=20))
    return f"| head{name} | b |\n| --- | --- |\n" + "".join(f"| {row} | r{name} |\n" for row in rows) + "\n"


@st.composite
def fences(draw: st.DrawFn) -> str:
    mark = draw(st.sampled_from(["```", "~~~", "````"]))
    lines = draw(st.lists(words, max_size=8))
    return f"{mark}\n" + "".join(f"{line}\n\n" for line in lines) + f"{mark}\n\n"


@st.composite
def lists(draw: st.DrawFn) -> str:
    marker = draw(st.sampled_from(["- ", "* ", "1. "]))
    items = draw(st.lists(st.tuples(words, st.lists(words, max_size=3)), min_size=1, max_size=10))
    return "".join(f"{marker}{first}\n" + "".join(f"   {line}\n" for line in rest) for first, rest in items) + "\n"


headers = st.builds(lambda level, text: "#" * level + f" {text}\n\n", st.integers(1, 6), words)
paragraphs = st.lists(words, min_size=1, max_size=12).map(lambda parts: ". ".join(parts) + ".\n\n")
well_formed = st.lists(st.one_of(tables(), fences(), lists(), headers, paragraphs), max_size=12).map("".join)
anything = st.lists(st.one_of(tables(), fences(), lists(), headers, paragraphs, noise), max_size=12).map("".join)
limits = st.one_of(st.integers(1, 40), st.integers(40, 400))


@pytest.mark.req("CH-1", "CH-3")
@given(anything, limits, st.integers(0, 5))
def test_chunks_join_to_the_input_and_keep_the_limit(content: str, limit: int, lines: int) -> None:
    chunks = chunk_markdown_by_structure(content, limit, lines)
    assert "".join(chunk.content for chunk in chunks) == content
    for chunk in chunks:
        assert content[chunk.start_char : chunk.end_char] == chunk.content
        assert len(chunk.content) <= limit and len(chunk.overlap_prefix) <= limit
        assert chunk.content or not content


@pytest.mark.req("CH-2", "CH-3")
@given(well_formed, st.integers(20, 400))
def test_no_piece_that_fits_is_split(content: str, limit: int) -> None:
    inner = {chunk.start_char for chunk in chunk_markdown_by_structure(content, limit)} - {0}
    pieces = r"^\|.*\|$|^(?P<mark>```+|~~~)\n(?:.*\n)*?(?P=mark)$|^(?:[-*]|\d+\.) .*(?:\n +.*)*"
    for piece in re.finditer(pieces, content, re.MULTILINE):
        if len(piece[0]) <= limit:
            assert not any(piece.start() < offset < piece.end() for offset in inner)


@pytest.mark.req("CH-4")
@given(st.lists(paragraphs, max_size=30).map("".join), st.integers(100, 400), st.integers(0, 6))
def test_the_overlap_is_the_end_of_what_stands_before(content: str, limit: int, lines: int) -> None:
    for chunk in chunk_markdown_by_structure(content, limit, lines):
        assert content[: chunk.start_char].endswith(chunk.overlap_prefix)
        assert chunk.overlap_prefix.count("\n") <= lines


@pytest.mark.req("CH-5")
@given(anything, limits, st.integers(0, 2_000))
def test_start_from_char_only_leaves_chunks_out(content: str, limit: int, start: int) -> None:
    everything = chunk_markdown_by_structure(content, limit)
    expected = [chunk for chunk in everything if chunk.end_char > start]
    if content:
        assert chunk_markdown_by_structure(content, limit, start_from_char=start) == expected


@pytest.mark.req("CH-2")
@given(well_formed, st.integers(50, 400))
def test_the_number_of_chunks_stays_near_the_least_possible(content: str, limit: int) -> None:
    assert len(chunk_markdown_by_structure(content, limit)) <= 4 * len(content) / limit + 2


SITE = Path(__file__).parents[1] / "fixtures/site"


@pytest.mark.req("CH-1", "CH-3")
@pytest.mark.parametrize("page", sorted(path.name for path in SITE.glob("*.html")))
@pytest.mark.parametrize("limit", [200, 1_500])
def test_the_pages_of_the_site_are_cut_between_rows_items_and_fences(page: str, limit: int) -> None:
    content, _ = extract_clean_markdown((SITE / page).read_text("utf-8"))
    chunks = chunk_markdown_by_structure(content, limit)
    assert "".join(chunk.content for chunk in chunks) == content
    inner = {chunk.start_char for chunk in chunks} - {0}
    for line in re.finditer(r"^(?:\||[-*+] |\d+\. |#).*$", content, re.MULTILINE):
        if len(line[0]) <= limit:
            assert not any(line.start() < offset < line.end() for offset in inner)


@pytest.mark.req("CH-1", "CH-6")
@given(st.lists(st.one_of(anything, st.integers(10, 40).map("\n".__mul__)), max_size=6).map("".join))
def test_lines_that_are_left_out_of_the_reading_are_blank(content: str) -> None:
    lines = {at: line for start, stretch in stretches(content, 50) for at, line in lines_of(stretch, start)}
    for at, line in lines_of(content, 0):
        assert lines.pop(at, "") == line
    assert not lines


def lines_of(text: str, start: int) -> list[tuple[int, str]]:
    parts = text.split("\n")
    return [(start + sum(map(len, parts[:at])) + at, part) for at, part in enumerate(parts)]
