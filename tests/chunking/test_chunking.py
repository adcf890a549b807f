"""Chunks: lossless, cut at the best border, never inside a piece that fits (CH-1 to CH-6)."""

import inspect
import re
from typing import SupportsIndex

import pytest
from gleaner.chunking import MarkdownChunk, chunk_markdown_by_structure

ROWS = 200
HEADER = "| name | price |\n| --- | --- |\n"
TABLE = HEADER + "".join(f"| item {number} | {number}.00 |\n" for number in range(1, ROWS + 1))


def chunks_of(content: str, limit: int, overlap_lines: int = 3) -> list[MarkdownChunk]:
    """Chunks whose text, offsets, numbers and sizes have been checked."""
    chunks = chunk_markdown_by_structure(content, limit, overlap_lines)
    assert "".join(chunk.content for chunk in chunks) == content
    assert [chunk.chunk_index for chunk in chunks] == list(range(len(chunks)))
    for chunk in chunks:
        assert content[chunk.start_char : chunk.end_char] == chunk.content
        assert len(chunk.content) <= limit
        assert len(chunk.overlap_prefix) <= limit
        assert chunk.total_chunks == len(chunks)
        assert chunk.has_more == (chunk is not chunks[-1])
    return chunks


def starts(content: str, limit: int) -> list[str]:
    return [chunk.content.split("\n")[0] for chunk in chunks_of(content, limit)]


@pytest.mark.req("CH-1")
@pytest.mark.parametrize(
    "content",
    [
        "a\r\nb\r\n\r\n| x |\r\n| - |\r\n| 1 |\r\n",
        "one\x0btwo\x0cthree\u2028four\u2029five\x85six\rseven\n" * 9,
        "\tcode\n\t\tmore\n\u200b\ufeff\n" * 9,
        "\n\n\n   \n\t\n" * 20,
        "\ud800 lone \udfff\n" * 20,
        "no line break at all " * 20,
    ],
)
def test_odd_line_ends_and_characters_keep_their_offsets(content: str) -> None:
    for limit in (1, 2, 7, 50, 100_000):
        chunks_of(content, limit)


@pytest.mark.req("CH-2")
def test_a_top_level_section_is_preferred_to_a_fuller_chunk() -> None:
    content = "# One\n\n" + "a" * 60 + "\n\n# Two\n\n" + "b" * 12 + "\n\n## Two and a half\n\n" + "c" * 60 + "\n"
    assert starts(content, 120) == ["# One", "# Two"]


@pytest.mark.req("CH-2")
def test_the_last_chunk_is_not_a_mere_line_break() -> None:
    assert starts("a" * 50 + "\n\n" + "b" * 48 + "\n", 100) == ["a" * 50, "b" * 48]


@pytest.mark.req("CH-2")
def test_each_kind_of_border_is_used_when_no_better_one_is_there() -> None:
    paragraph = "Some words here.\n\n"
    assert starts("## A\n\n" + paragraph * 3 + "## B\n\n" + paragraph * 3, 70)[1] == "## B"
    assert all(chunk.content.endswith("\n\n") for chunk in chunks_of(paragraph * 20, 100))
    assert all(chunk.content.endswith("\n\n\n") for chunk in chunks_of(f"{paragraph}\n" * 20, 100))
    assert all(chunk.content.endswith("|\n") for chunk in chunks_of(TABLE, 300))
    assert all(start.startswith("- ") for start in starts("- an item\n" * 50, 64))
    sentences = chunks_of("This is one sentence. " * 40, 100)
    assert all(chunk.content.endswith(". ") for chunk in sentences)
    assert all(chunk.content.endswith("。") for chunk in chunks_of("这是一个句子。" * 60, 100))
    assert all(chunk.content.endswith(" ") for chunk in chunks_of("word " * 100, 64))


@pytest.mark.req("CH-2")
def test_a_full_stop_before_a_small_letter_ends_no_sentence() -> None:
    first = chunks_of("Aa bb. Cc dd e.g. ff gg hh. Ii jj kk ll mm nn oo pp qq rr", 24)[0]
    assert first.content == "Aa bb. Cc dd e.g. ff gg "


@pytest.mark.req("CH-2")
def test_a_header_stays_with_the_start_of_a_fence_above_the_limit() -> None:
    content = "words " * 7 + "\n\n# Header\n\n```\n" + "a line of code\n" * 20 + "```\n"
    assert starts(content, 100)[1] == "# Header"


@pytest.mark.req("CH-2")
def test_a_table_header_stays_with_its_first_row() -> None:
    for limit in range(100, 140):
        for chunk in chunks_of("word " * 14 + "\n\n" + TABLE, limit)[:-1]:
            assert not chunk.content.endswith("| --- |\n")


@pytest.mark.req("CH-2")
def test_an_underlined_title_is_a_header() -> None:
    content = "intro " * 10 + "\n\nTitle\n=====\n\n" + "text " * 12
    assert starts(content, 90)[1] == "Title"
    assert chunks_of(content, 90)[1].structural_context == "Title"


@pytest.mark.req("CH-2")
@pytest.mark.parametrize(
    "follower", ["a | b\n--- | ---\n1 | 2\n", "Title\n---\n", "| a |\n| - |\n| 1 |\n", "> quote\n"]
)
def test_a_header_stays_with_a_follower_that_shows_itself_late(follower: str) -> None:
    for filler in range(30, 100, 3):
        content = "w" * filler + f"\n\n# Header\n\n{follower}\n" + "text. " * 12
        together = "# Header\n\n" + follower.partition("\n")[0]
        assert any(together in chunk.content for chunk in chunks_of(content, 100))


@pytest.mark.req("CH-3", "CH-4")
def test_a_table_without_outer_pipes_is_a_table() -> None:
    content = "intro\nname | price\n--- | ---\n" + "".join(f"item {n} | {n}\n" for n in range(50))
    for chunk in chunks_of(content, 100)[1:]:
        assert chunk.overlap_prefix.startswith("name | price\n--- | ---\n")
        assert re.match(r"item \d+ \| \d+\n", chunk.content)


@pytest.mark.req("CH-2")
def test_a_hash_tag_is_no_header() -> None:
    content = "#tag one\n#tag two\n\n" * 3
    assert [chunk.structural_context for chunk in chunks_of(content, 1_000)] == [""]
    assert chunks_of("text\n#tag\n" * 5, 1_000)[0].structural_context == ""
    assert chunks_of("# Real\n\n####### seven\n", 1_000)[0].structural_context == "Real"


@pytest.mark.req("CH-2")
def test_chunks_are_at_least_half_full_where_borders_allow() -> None:
    content = "".join(f"# H{number}\n\nshort\n\n" for number in range(500))
    chunks = chunks_of(content, 1_000)
    assert min(len(chunk.content) for chunk in chunks[:-1]) > 500


@pytest.mark.req("CH-3")
@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("```", "```"),
        ("~~~", "~~~"),
        ("```py", "`````"),
        ("~~~~ x ` y", "~~~~"),
        ("````\n```\ninner\n```\n", "````"),
        ("```", ""),
    ],
)
def test_a_fence_that_fits_is_never_split(opening: str, closing: str) -> None:
    fence = f"{opening}\n# no header\n\n| no | row |\n- no item\n~~\n``\n{closing}".rstrip("\n")
    for limit in (len(fence), 100):
        for filler in range(1, 120, 7):
            content = "w" * filler + "\n\n" + fence + ("\n\nafter that. " * 5 if closing else "")
            assert sum(fence in chunk.content for chunk in chunks_of(content, limit)) == 1


@pytest.mark.req("CH-3")
def test_a_list_item_keeps_its_continuation_lines() -> None:
    item = "- first line\n  second line\n\n  | a | b |\n  | - | - |\n\n  ```\n  code\n\n  ```\n  - nested\n"
    for chunk in chunks_of(item * 20, 150):
        assert chunk.content.startswith("- first line") and chunk.content.count("nested") >= 1
    numbered = "".join(f"{number}. an item\nwith a lazy line\n" for number in range(1, 60))
    for start in starts(numbered, 100):
        assert re.match(r"\d+\. ", start)


@pytest.mark.req("CH-3")
def test_a_piece_above_the_limit_is_split_at_its_best_inner_border() -> None:
    row = "| " + " | ".join(f"cell number {number}" for number in range(30)) + " |\n"
    assert all(chunk.content.startswith("|") for chunk in chunks_of(row, 100))
    fence = "```\n" + "a line of code\n" * 40 + "```\n"
    assert all(chunk.content.endswith("\n") for chunk in chunks_of(fence, 100))
    comments = "```\n" + "x = 1  # It is one. Then it is not.\n" * 20 + "```\n"
    assert all(chunk.content.endswith("\n") for chunk in chunks_of(comments, 100))
    item = "- outer\n" + "".join(f"  - nested item {number}\n" for number in range(40))
    assert all(start.lstrip().startswith("- ") for start in starts(item, 100))


@pytest.mark.req("CH-3")
def test_an_escaped_pipe_ends_no_cell() -> None:
    row = "| " + "a \\| b " * 40 + "|\n"
    for chunk in chunks_of(row, 50)[1:]:
        assert not chunk.content.startswith("|") or chunk.content == "|\n"


@pytest.mark.req("CH-3")
def test_a_hard_cut_parts_no_combining_sequence() -> None:
    for text in ("e\u0301" * 100, "👨\u200d👩\u200d👧" * 30, "👍🏽" * 40, "\r\n" * 50):
        for chunk in chunks_of(text, 11)[1:]:
            assert chunk.content[0] not in "\u0301\u200d🏽\n"


@pytest.mark.req("CH-4")
def test_a_table_that_goes_on_has_its_header_and_the_last_rows_before_it() -> None:
    for chunk in chunks_of(f"# Shop\n\n## Products\n\n{TABLE}", 600)[1:]:
        first = int(re.findall(r"item (\d+)", chunk.content)[0])
        rows = "".join(f"| item {number} | {number}.00 |\n" for number in range(first - 3, first))
        assert chunk.overlap_prefix == HEADER + rows
        assert chunk.structural_context.startswith(f"Shop > Products (rows {first}-")
        assert chunk.structural_context.endswith(" of 200)")


@pytest.mark.req("CH-4")
def test_without_overlap_lines_a_table_still_has_its_header() -> None:
    for chunk in chunks_of(TABLE, 600, overlap_lines=0)[1:]:
        assert chunk.overlap_prefix == HEADER
    assert {chunk.overlap_prefix for chunk in chunks_of("a line\n\n" * 90, 100, overlap_lines=0)} == {""}


@pytest.mark.req("CH-4")
def test_the_header_comes_once_when_the_lines_before_reach_it() -> None:
    content = HEADER + "| a | 1 |\n" + "| b " + "x" * 80 + "| 2 |\n"
    assert chunks_of(content, 100, overlap_lines=9)[1].overlap_prefix == HEADER + "| a | 1 |\n"
    assert chunks_of(content, 100, overlap_lines=2)[1].overlap_prefix == HEADER + "| a | 1 |\n"


@pytest.mark.req("CH-4")
def test_a_header_never_leaks_into_a_different_table() -> None:
    first = "| old | stale |\n| --- | --- |\n| 1 | 2 |\n"
    second = "| new | fresh |\n| --- | --- |\n" + "".join(f"| n{number} | {number} |\n" for number in range(40))
    for between in ("\n", "\ntext\n\n", "text\n", ""):
        for limit in range(70, 140, 3):
            for lines in (0, 1, 3, 9):
                for chunk in chunks_of(first + between + second, limit, lines):
                    if chunk.content.startswith(("| new", "| n")):
                        assert "stale" not in chunk.overlap_prefix
                    if re.match(r"\| n\d", chunk.content):
                        assert chunk.overlap_prefix.count("| new | fresh |\n| --- | --- |\n") == 1


@pytest.mark.req("CH-4")
def test_equal_rows_stay_in_the_overlap() -> None:
    content = HEADER + "| same | 1 |\n" * 100
    assert chunks_of(content, 300)[1].overlap_prefix == HEADER + "| same | 1 |\n" * 3


@pytest.mark.req("CH-4")
def test_the_lines_before_are_the_lines_before() -> None:
    content = "".join(f"line {number}\n\n" for number in range(100))
    for chunk in chunks_of(content, 100)[1:]:
        lines = content[: chunk.start_char].splitlines(keepends=True)
        assert chunk.overlap_prefix == "".join(lines[-3:])


@pytest.mark.req("CH-4")
def test_a_giant_row_is_not_copied_into_the_overlap() -> None:
    content = HEADER + "| " + "long text " * 50_000 + "| 1 |\n| next | 2 |\n"
    chunks = chunks_of(content, 20_000)
    assert all(chunk.overlap_prefix.startswith(HEADER) for chunk in chunks[1:])
    assert max(len(chunk.overlap_prefix) for chunk in chunks) < 3_000


@pytest.mark.req("CH-4")
def test_list_parts_and_heading_paths_are_named() -> None:
    content = "# Guide\n\n## *Links* to [here](https://a.example/b)\n\n" + "".join(f"- item {n}\n" for n in range(200))
    contexts = [chunk.structural_context for chunk in chunks_of(content, 600)]
    assert contexts[0].startswith("Guide > Links to here (items 1-")
    assert contexts[-1].startswith("Guide > Links to here (items ")
    assert contexts[-1].endswith("-200 of 200)")


@pytest.mark.req("CH-4")
def test_a_chunk_with_the_ends_of_two_tables_names_both() -> None:
    content = f"# A\n\n{TABLE}\n# B\n\n{TABLE}"
    contexts = [chunk.structural_context for chunk in chunks_of(content, 5_000)]
    assert contexts == ["A (rows 1-200 of 200)", "B (rows 1-200 of 200)"]
    wide = [chunk.structural_context for chunk in chunk_markdown_by_structure(TABLE + "\nand\n\n" + TABLE, 6_000)]
    assert wide == ["rows 1-200 of 200; rows 1-50 of 200", "rows 51-200 of 200"] or len(wide) == 2


@pytest.mark.req("CH-5")
def test_empty_content_is_one_empty_chunk() -> None:
    assert chunk_markdown_by_structure("") == [MarkdownChunk("", 0, 1, 0, 0, "", "", False)]
    assert chunk_markdown_by_structure("", start_from_char=1) == []


@pytest.mark.req("CH-4", "CH-5")
def test_the_limits_are_the_seed_s_where_none_are_given() -> None:
    parameters = inspect.signature(chunk_markdown_by_structure).parameters
    given = {name: one.default for name, one in parameters.items() if one.default is not one.empty}
    assert given == {"max_chunk_chars": 100_000, "overlap_lines": 3, "start_from_char": 0}


@pytest.mark.req("CH-3")
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"max_chunk_chars": 0}, "max_chunk_chars is 0"),
        ({"max_chunk_chars": 2.5}, "max_chunk_chars is 2.5"),
        ({"overlap_lines": -1}, "overlap_lines is -1"),
        ({"start_from_char": -5}, "start_from_char is -5"),
    ],
)
def test_an_argument_out_of_range_is_named_with_its_value(arguments: dict[str, int], named: str) -> None:
    with pytest.raises(ValueError, match=re.escape(named)):
        chunk_markdown_by_structure("text", **arguments)


MEGABYTE = 1_000_000
SHAPES = {
    "one line": "x" * MEGABYTE,
    "one line of words": "word " * (MEGABYTE // 5),
    "one list": "- item of a list\n" * (MEGABYTE // 17),
    "one list item": "- a\n" + "  more of it\n" * (MEGABYTE // 13),
    "one table": HEADER + "| cell | 12 |\n" * (MEGABYTE // 14),
    "one row": HEADER + "| cell " * (MEGABYTE // 7) + "|\n",
    "only headers": "# a\n" * (MEGABYTE // 4),
    "deeper headers": "".join("#" * (n % 6 + 1) + " a\n" for n in range(MEGABYTE // 6)),
    "blank lines": "\n" * MEGABYTE,
    "spaces": " " * MEGABYTE,
    "nested items": "".join("  " * (n % 300) + "- x\n" for n in range(MEGABYTE // 304)),
    "open fences": "```\n~~~\n" * (MEGABYTE // 8),
    "growing fences": "".join("`" * n + "\n" for n in range(3, 1_400)),
    "pipes": "|" * MEGABYTE,
    "separators": "| --- |\n" * (MEGABYTE // 8),
    "quotes": "> q\n>\n" * (MEGABYTE // 6),
    "combining marks": "\u0301" * MEGABYTE,
}


@pytest.mark.req("CH-6")
@pytest.mark.timeout(90)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_megabyte_of_any_shape_is_no_trouble(shape: str) -> None:
    chunks_of(SHAPES[shape], 1_000)
    chunks_of(SHAPES[shape][: MEGABYTE // 4], 100_000)


@pytest.mark.req("CH-6")
def test_a_long_table_is_not_copied_for_each_of_its_chunks() -> None:
    class Counting(str):
        copied = 0

        def __getitem__(self, key: SupportsIndex | slice) -> str:
            found = super().__getitem__(key)
            Counting.copied += len(found)
            return found

    content = Counting("| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 4_000)
    chunk_markdown_by_structure(content, max_chunk_chars=200)
    assert Counting.copied < 20 * len(content)
