"""The account of a chunk's units."""

import pytest
from gleaner.completeness.ledger import NumberedUnit, balance, batches, number_units, units_between
from gleaner.units import PlacedUnit
from gleaner.units.markdown_units import find_markdown_units
from hypothesis import given
from hypothesis import strategies as st


def unit(number: int, group: int = 0, score: float = 0.9) -> NumberedUnit:
    return NumberedUnit(number, number * 10, number * 10 + 9, group, score, "row")


ROWS = [unit(number) for number in range(4)]
TWO_GROUPS = [unit(0), unit(1), unit(2, 1, 0.8), unit(3, 1, 0.8)]


@pytest.mark.req("EX-6")
@given(
    st.lists(st.tuples(st.integers(0, 2), st.sampled_from([0.5, 0.8, 0.9])), max_size=12),
    st.sets(st.integers(0, 11)),
    st.sets(st.integers(0, 11)),
)
def test_every_unit_is_in_exactly_one_place(
    groups: list[tuple[int, float]], answered: set[int], skipped: set[int]
) -> None:
    units = [unit(number, group, score) for number, (group, score) in enumerate(groups)]
    ledger = balance(units, answered, skipped)
    listed = [*ledger.answered, *ledger.skipped, *ledger.missing, *ledger.doubtful]
    assert sorted(listed) == list(range(len(units)))
    assert set(ledger.answered) == answered & set(listed)


@pytest.mark.req("EX-6")
def test_a_unit_of_a_listing_without_a_record_is_missing() -> None:
    assert balance(ROWS, {0, 2}, {3}).missing == (1,)


@pytest.mark.req("EX-6")
def test_without_any_record_the_likeliest_group_is_missing_and_others_are_doubtful() -> None:
    ledger = balance(TWO_GROUPS, (), ())
    assert ledger.missing == (0, 1)
    assert ledger.doubtful == (2, 3)


@pytest.mark.req("EX-6")
def test_a_less_likely_group_without_records_is_doubtful_beside_one_with_records() -> None:
    ledger = balance(TWO_GROUPS, {0, 1}, ())
    assert ledger.missing == ()
    assert ledger.doubtful == (2, 3)


@pytest.mark.req("EX-6")
def test_the_likeliest_group_is_missing_though_another_gave_records() -> None:
    assert balance(TWO_GROUPS, {2, 3}, ()).missing == (0, 1)
    weak = [unit(0, 0, 0.6), unit(1, 1, 0.55)]
    assert balance(weak, {1}, ()).doubtful == (0,)


@pytest.mark.req("EX-6")
def test_records_from_elsewhere_make_a_likely_group_doubtful_but_not_a_sure_one() -> None:
    assert balance([unit(0, 0, 0.6)], (), (), has_others=True).doubtful == (0,)
    assert balance([unit(0, 0, 0.9)], (), (), has_others=True).missing == (0,)


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
