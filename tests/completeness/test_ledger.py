"""The account of a chunk's units."""

import pytest
from gleaner.completeness.ledger import balance, batches, number_units, units_between
from gleaner.page.model import NumberedUnit
from gleaner.units import PlacedUnit
from gleaner.units.markdown_units import find_markdown_units
from hypothesis import given
from hypothesis import strategies as st


def unit(number: int, group: int = 0, score: float = 0.9) -> NumberedUnit:
    return NumberedUnit(number, number * 10, number * 10 + 9, group, score, "row")


ROWS = [unit(number) for number in range(4)]
TWO_GROUPS = [unit(0), unit(1), unit(2, 1, 0.8), unit(3, 1, 0.8)]


@pytest.mark.req("EX-6", "EX-10")
@given(st.lists(st.integers(0, 2), max_size=12), st.sets(st.integers(0, 11)), st.sets(st.integers(0, 11)))
def test_every_unit_of_a_group_that_gave_a_record_is_in_exactly_one_place(
    groups: list[int], answered: set[int], skipped: set[int]
) -> None:
    units = [unit(number, group) for number, group in enumerate(groups)]
    ledger = balance(units, answered, skipped, has_others=True)
    giving = {one.group for one in units if one.number in answered}
    listed = [*ledger.answered, *ledger.skipped, *ledger.missing]
    own = {one.number for one in units if one.group in giving}
    assert len(listed) == len(set(listed))
    assert own <= set(listed) <= own | skipped
    assert set(ledger.answered) == answered & {one.number for one in units}


@pytest.mark.req("EX-10")
def test_units_of_a_group_that_gave_no_record_are_never_missing_beside_one_that_did() -> None:
    assert balance(TWO_GROUPS, {0, 1}, set()).missing == ()
    assert balance(TWO_GROUPS, {2}, set()).missing == (3,)
    assert balance(TWO_GROUPS, set(), set(), has_others=True).missing == ()


@pytest.mark.req("EX-6")
def test_without_any_record_the_likeliest_group_is_missing() -> None:
    assert balance(TWO_GROUPS, (), ()).missing == (0, 1)


@pytest.mark.req("EX-6")
def test_boxes_that_were_never_closed_have_the_text_behind_the_box_inside() -> None:
    boxes = [PlacedUnit(0, n, 100, 400 - n * 100, 0.9, "card") for n in range(3)]
    assert [(one.start, one.end) for one in number_units(boxes)] == [(300, 400), (200, 300), (100, 200)]


@pytest.mark.req("EX-6")
def test_of_groups_in_one_another_the_better_one_is_numbered() -> None:
    cards = [PlacedUnit(0, n, n * 100, n * 100 + 90, 0.9, "card") for n in range(3)]
    lines = [PlacedUnit(1, n, n * 50, n * 50 + 40, 0.6, "item") for n in range(6)]
    others = [PlacedUnit(2, n, 500 + n * 10, 509 + n * 10, 0.6, "card") for n in range(2)]
    assert [one.number for one in number_units([*cards, *lines, *others])] == [0, 1, 2, 9, 10]


@pytest.mark.req("EX-6")
def test_a_unit_of_a_listing_without_a_record_is_missing() -> None:
    assert balance(ROWS, {0, 2}, {3}).missing == (1,)


@pytest.mark.req("EX-6")
def test_a_short_list_is_numbered_where_nothing_likelier_is_there() -> None:
    items = [PlacedUnit(0, n, n * 5, n * 5 + 4, 0.36, "item") for n in range(3)]
    links = [PlacedUnit(1, n, 50 + n, 51 + n, 0.1, "item") for n in range(3)]
    assert [one.number for one in number_units([*items, *links])] == [0, 1, 2]


@pytest.mark.req("EX-6")
def test_a_record_counts_more_than_the_word_that_there_is_none() -> None:
    assert balance(ROWS, {1}, {1}).answered == (1,)


@pytest.mark.req("EX-6")
def test_numbers_are_positions_on_the_page_and_unlikely_groups_have_none() -> None:
    rows = [PlacedUnit(0, n, n * 5, n * 5 + 4, 0.9, "row") for n in range(2)]
    links = [PlacedUnit(1, n, 50 + n, 51 + n, 0.1, "item") for n in range(2)]
    assert [one.number for one in number_units([links[0], *rows, links[1]])] == [1, 2]


@pytest.mark.req("EX-6")
def test_a_unit_belongs_to_the_chunk_that_it_begins_in() -> None:
    first, second = units_between(ROWS, 0, 15), units_between(ROWS, 15, 40)
    assert [one.number for one in first] == [0, 1]
    assert first[1].end == 15
    assert [one.number for one in second] == [2, 3]


@pytest.mark.req("EX-6")
def test_batches_hold_at_most_so_many_units_and_characters() -> None:
    sizes = {0: 10, 1: 10, 2: 95, 3: 10, 4: 10, 5: 10}
    assert batches(list(sizes), sizes, most_units=2, most_chars=100) == [(0, 1), (2,), (3, 4), (5,)]


MARKDOWN = """Intro | with a bar

| A | B |
| --- | --- |
| 1 | x |
| 2 | y |

1. one
   more of one

   still one
2. two
- [link](http://x.test)

```
| no | row |
| --- | --- |
| 9 | 9 |
```
- a
  - inner
- b
plain
"""


def test_markdown_without_a_dom_gives_rows_and_outer_list_items() -> None:
    found = [(unit.kind, MARKDOWN[unit.start : unit.end]) for unit in find_markdown_units(MARKDOWN)]
    assert found[:2] == [("row", "| 1 | x |"), ("row", "| 2 | y |")]
    assert ("item", "1. one\n   more of one\n\n   still one") in found
    assert ("item", "- a\n  - inner") in found
    assert not any("9" in text for _, text in found)


@given(st.text(alphabet="-*1. |:\n`ab\t", max_size=80))
def test_units_of_any_markdown_lie_in_it_in_order(text: str) -> None:
    places = [(unit.start, unit.end) for unit in find_markdown_units(text)]
    assert all(0 <= start <= end <= len(text) for start, end in places)
    assert places == sorted(places)
