"""Two texts that a record has exchanged are told where only the order of a line, or of lines, tells them."""

import re
from itertools import pairwise
from typing import Any

import pytest
from gleaner.grounding import prove

BOOKS = [
    {"title": "Salt", "author": "Ada Lund", "publisher": "Fjord Press", "city": "Oslo"},
    {"title": "Roofs", "author": "Bo Tran", "publisher": "Tern Books", "city": "Turin"},
    {"title": "Kiln", "author": "Cy Orr", "publisher": "Velia", "city": "Halle"},
    {"title": "Tower", "author": "Di Brix", "publisher": "Selo", "city": "Gent"},
    {"title": "Ferry", "author": "Eli Ek", "publisher": "Wren", "city": "Brno"},
]
COMMAS = ["- {title}, {author}, {publisher}, {city}"] * 5
DOTS = ["### {title}\n\n{author} · {publisher} · {city}"] * 5
BADGE, LAST = "### {title}\n\nSold out\n\n{author}\n\n{publisher}\n\n{city}", "### {title}\n\n{author}\n\n{publisher}"
LINES = [
    BADGE,
    LAST,
    BADGE.replace("Sold out\n\n", ""),
    LAST + "\n\nBound\n\n{city}",
    LAST + "\n\n{city}\n\nNew\n\nBound",
]


def unproven(records: list[dict[str, Any]], looks: list[str], shown: list[dict[str, Any]] | None = None) -> set[str]:
    pieces = [look.format(**record) for look, record in zip(looks, shown or BOOKS, strict=True)]
    text = "\n\n".join(pieces) if looks is not COMMAS else "\n".join(pieces)
    starts = [found.start() for found in re.finditer(r"^(?:###|-) ", text, re.MULTILINE)]
    spans = list(pairwise([*starts, len(text)]))
    return {one.pointer for one in prove(records, text, spans=spans) if one.status == "ungrounded"}


@pytest.mark.req("PR-2")
@pytest.mark.parametrize("looks", [COMMAS, DOTS, LINES], ids=["commas", "dots", "lines that come and go"])
@pytest.mark.parametrize("pair", [("author", "publisher"), ("publisher", "author")])
def test_two_texts_that_one_record_exchanged_are_refused(looks: list[str], pair: tuple[str, str]) -> None:
    said = [{key: record[key] for key in ("title", "author", "publisher")} for record in BOOKS]
    assert unproven(said, looks) == set()
    one, other = pair
    for number, record in enumerate(said):
        swapped = [*said[:number], {**record, one: record[other], other: record[one]}, *said[number + 1 :]]
        assert unproven(swapped, looks) == {f"/{number}/{one}", f"/{number}/{other}"}


@pytest.mark.req("PR-1")
@pytest.mark.parametrize("looks", [COMMAS, DOTS], ids=["commas", "dots"])
@pytest.mark.parametrize("title", ["Salt, and more", "Salt · 2", "Ada Lund"])
def test_a_sign_more_in_a_text_before_them_exchanges_nothing(looks: list[str], title: str) -> None:
    books = [{**BOOKS[0], "title": title}, *BOOKS[1:]]
    assert unproven(books, looks, books) == set()


@pytest.mark.req("PR-1")
def test_an_order_that_two_records_have_the_other_way_round_tells_nothing() -> None:
    other = LAST.replace("{author}\n\n{publisher}", "{publisher}\n\n{author}")
    said = [{key: record[key] for key in ("title", "author", "publisher")} for record in BOOKS]
    assert unproven(said, [LAST + "\n\nNew", other, LAST + "\n\nNew\n\nBound", other + "\n\nSold", BADGE]) == set()
    assert (
        unproven(said[:4], [LINES[0], LINES[1], LINES[2], "### {title}\n\nby {publisher}, {author}"], BOOKS[:4])
        == set()
    )
