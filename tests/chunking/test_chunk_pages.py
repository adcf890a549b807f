"""Pages of generated Markdown are cut where a reader would cut them, at any limit (CH-1 to CH-4)."""

import random
import re
from bisect import bisect_right

import pytest
from gleaner.chunking import chunk_markdown_by_structure

WORDS = ("ash", "birch", "cedar", "elm", "hazel", "larch", "maple", "rowan")
HEADING = re.compile(r"#{1,6} ")
SEPARATOR = re.compile(r"\|(?: --- \|)+")


def said(chance: random.Random, most: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(chance.randint(1, most)))


def table(chance: random.Random) -> str:
    """A table of 1 to 20 columns, often with a head of empty cells."""
    width, is_named = chance.choice((1, 2, 3, 20)), chance.random() < 0.5
    head = "| " + " | ".join(said(chance, 1) if is_named else "" for _ in range(width)) + " |"
    rows = ["| " + " | ".join(said(chance, 2) for _ in range(width)) + " |" for _ in range(chance.randint(0, 9))]
    return "\n".join([head, "|" + " --- |" * width, *rows])


def page(seed: int) -> str:
    chance = random.Random(seed)
    blocks: list[str] = []
    for _ in range(chance.randint(4, 24)):
        kind = chance.randint(0, 4)
        items = [f"- {said(chance, 7)}" for _ in range(chance.randint(1, 8))]
        code = [said(chance, 5) for _ in range(chance.randint(1, 6))]
        sentences = [said(chance, 9).capitalize() + "." for _ in range(chance.randint(1, 5))]
        blocks.append(
            (
                "#" * chance.randint(1, 4) + " " + said(chance, 4),
                table(chance),
                "\n".join(items),
                "\n".join(["```", *code, "```"]),
                " ".join(sentences),
            )[kind]
        )
    return "\n\n".join(blocks) + "\n"


CASES = [(seed, limit) for seed in range(150) for limit in (150, 400, 1_200)]


@pytest.mark.req("CH-1", "CH-3")
def test_no_row_item_heading_or_line_of_code_that_fits_is_cut() -> None:
    for seed, limit in CASES:
        content = page(seed)
        ends = {chunk.end_char for chunk in chunk_markdown_by_structure(content, limit)}
        for line in re.finditer(r"^(?:[|#-]|[a-z]).*\n", content, re.MULTILINE):
            cut = [end for end in ends if line.start() < end < line.end()]
            assert not cut or len(line[0]) > limit, (seed, limit, line[0])


@pytest.mark.req("CH-2")
def test_a_header_stays_with_what_follows_it_where_both_fit() -> None:
    for seed, limit in CASES:
        content = page(seed)
        for chunk in chunk_markdown_by_structure(content, limit)[:-1]:
            body = chunk.content.rstrip()
            last = body.rpartition("\n")[2]
            rest = content[chunk.start_char + len(body) :].lstrip()
            if not HEADING.match(last) or HEADING.match(rest):  # a header without a text of its own
                continue
            following = re.match(r"```(?:.*\n)+?```\n|\|.*\n\|.*\n(?:\|.*\n)?|.*\n", rest)
            assert following is not None
            assert len(last) + 2 + len(following[0]) > limit, (seed, limit, last, following[0])


@pytest.mark.req("CH-4")
def test_a_table_that_goes_on_has_its_own_head_and_separator_and_no_others() -> None:
    for seed, limit in CASES:
        content = page(seed)
        lines = content.split("\n")
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line) + 1)
        heads = [at for at, line in enumerate(lines) if SEPARATOR.fullmatch(line)]
        for chunk in chunk_markdown_by_structure(content, limit)[1:]:
            at = bisect_right(starts, chunk.start_char) - 1
            own = next((head for head in reversed(heads) if head < at and _is_one_table(lines[head : at + 1])), None)
            if own is not None:
                header = f"{lines[own - 1]}\n{lines[own]}\n"
                ahead, found, _ = chunk.overlap_prefix.partition(header)
                assert (found and not ahead.startswith("\n")) or len(header) > limit, (seed, limit, header)
                assert not found or " --- |" not in ahead, (seed, limit, ahead)


def _is_one_table(lines: list[str]) -> bool:
    return all(line.startswith("|") for line in lines)


@pytest.mark.req("CH-2", "CH-3")
@pytest.mark.parametrize(
    ("content", "limit", "chunks"),
    [
        ("# One\n\nAsh. Elm.\n\n# Two\n\nOak.\n", 24, ["# One\n\nAsh. Elm.\n\n", "# Two\n\nOak.\n"]),
        ("One two.\n\n" + "|  |  |\n| --- | --- |\n| a | b |\n", 18, None),
        (
            "## A\n\n### B\n\nAsh and elm. Oak and fir. Yew.\n",
            40,
            ["## A\n\n### B\n\nAsh and elm. Oak and fir. ", "Yew.\n"],
        ),
        (
            "ash birch elm\n\n# Oak\n\n- larch\n  maple\n  rowan\n  cedar\n",
            26,
            ["ash birch elm\n\n", "# Oak\n\n- larch\n  maple\n", "  rowan\n  cedar\n"],
        ),
    ],
    ids=["sections", "a head that fits alone", "headers above a text", "a header above an item that is too large"],
)
def test_a_page_is_cut_like_this(content: str, limit: int, chunks: list[str] | None) -> None:
    found = [chunk.content for chunk in chunk_markdown_by_structure(content, limit)]
    assert "".join(found) == content
    assert found == chunks if chunks else all(part.endswith("\n") or len(part) == limit for part in found)
