"""The blocks of a text: what a line is, by its signs and by those around it, and what stands over it."""

import pytest
from gleaner.page.blocks import TABLE_HEAD, blocks_of


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("# Tea\n\nGreen", "heading text"),
        ("#Tea", "text"),
        ("1. ## Early\n2. ## Late", "item item"),
        ("> - Oak\n> - Elm", "item item"),
        ("- Oak\n  tall\n\nElm", "item text text"),
        ("| A | B |\n|---|---|\n| 1 | 2 |", "row rule row"),
        ("A | B\n--- | ---\n1 | 2", "row rule row"),
        ("Oak | Elm", "text"),
        ("Oak\n\n---\n\nElm", "text rule text"),
        ("```\n# no heading\n- no item\n```\n- Oak", "code code code code item"),
    ],
)
def test_what_a_line_is(text: str, kinds: str) -> None:
    assert " ".join(block.kind for block in blocks_of(text).all) == kinds


def test_what_stands_over_a_line() -> None:
    text = "# Shop\n## Lamps\n- Oak\n  - small\n    12 €\n## Chairs\n| A | B |\n|---|---|\n| 1 | 2 |"
    over = [(block.kind, block.over) for block in blocks_of(text).all]
    assert over == [
        ("heading", -1),
        ("heading", 0),
        ("item", 1),
        ("item", 2),
        ("text", 3),
        ("heading", 0),
        ("row", 5),
        ("rule", 6),
        ("row", 6),
    ]


def test_tables_end_at_a_blank_line_and_say_whether_their_first_row_names_the_columns() -> None:
    text = "| A | B |\n|---|---|\n| 1 | 2 |\n\n| 3 | |\n| | 4 |"
    blocks = blocks_of(text)
    assert [(len(table.rows), table.is_headed) for table in blocks.tables] == [(2, True), (2, False)]
    cells = [
        {column: text[slice(*span)] for column, span in blocks.cells(row).items()} for row in blocks.tables[1].rows
    ]
    assert cells == [{1: "3"}, {2: "4"}]


def test_what_a_head_heads_ends_before_the_next_of_its_weight() -> None:
    text = "# Shop\n\n**Lamps**\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n**Chairs**\n\nnone\n\n# Us\n"
    sections = blocks_of(text).sections
    named = [(text[one.start : one.end], text[one.stop :].strip().split("\n")[0], one.level) for one in sections]
    assert named == [
        ("# Shop", "# Us", 1),
        ("**Lamps**", "**Chairs**", 7),
        ("| A | B |", "**Chairs**", TABLE_HEAD),
        ("**Chairs**", "# Us", 7),
        ("# Us", "", 1),
    ]


def test_an_item_ends_with_all_that_it_holds() -> None:
    text = "- Oak\n\n  tall\n  - old\n- Elm\n\nText\n\n- Ash"
    blocks = blocks_of(text)
    items = [[text[blocks.all[item].start : blocks.stops[item]] for item in one] for one in blocks.lists]
    assert items == [["- Oak\n\n  tall\n  - old", "- Elm"], ["- Ash"]]
