"""Which unit each record comes from: by rare values first, one unit a record, twins in page order."""

from typing import Any

import pytest
from gleaner.placing import align_records, find_text_units, is_convincing
from gleaner.values.texts.text_index import TextIndex


def aligned(records, lines, **options):
    text = "\n".join(f"- {line}" for line in lines)
    return align_records(records, text, find_text_units(text), **options)


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("records", "lines", "units"),
    [
        ([{"n": "red"}, {"n": "blue"}], ["red", "blue"], [0, 1]),
        ([{"n": "blue"}, {"n": "red"}], ["red", "blue"], [1, 0]),
        ([{"n": "red"}, {"n": "red"}], ["red", "red"], [0, 1]),
        ([{"n": "red"}], ["red", "red"], [0]),
        ([{"n": "red"}, {"n": "red"}, {"n": "red"}], ["red", "red"], [0, 1, None]),
        ([{"n": "red"}, {"n": "blue"}, {"n": "red"}], ["red", "blue", "red"], [0, 1, 2]),
        ([{"n": "ghost", "p": 5}], ["red 7", "blue 8"], [None]),
        ([{"n": "red", "p": 8}, {"n": "blue", "p": 7}], ["red 7", "blue 8"], [0, 1]),
        ([{"n": "red", "p": 7}, {"n": "ghost", "p": 7}], ["red 7", "blue 8"], [0, None]),
        ([{"d": "math", "c": "sets"}, {"d": "math", "c": "groups"}], ["math: sets, groups", "art: oils"], [0, 0]),
        ([{"ok": True}, {"ok": False}], ["yes", "no"], [0, 1]),
        ([{"ok": True}], ["yes", "no"], [None]),
        ([{"n": "red"}, {"ok": True}, {"n": "blue"}], ["red", "x", "blue"], [0, 1, 2]),
        ([], ["red"], []),
        ([{"n": "red"}], [], [None]),
    ],
)
def test_records_go_to_the_units_that_state_them(records, lines, units):
    assert aligned(records, lines) == units


@pytest.mark.req("PR-1")
def test_enums_and_derived_values_are_no_evidence():
    schema = {"properties": {"k": {"enum": ["x", "y"]}, "s": {"x-derived": True}}}
    assert aligned([{"k": "y", "s": "blue"}, {"k": "x", "s": "red"}], ["red x", "blue y"], schema=schema) == [0, 1]


def test_common_values_together_tell_the_unit():
    colours, sizes, prices = ("red", "blue", "green"), ("small", "large"), range(100, 170)
    lines = [f"{colour} {size} {price}" for colour in colours for size in sizes for price in prices]
    records = [dict(zip(("c", "s", "p"), line.split(), strict=True)) for line in lines]
    assert aligned(records, lines) == list(range(len(lines)))


def test_shifted_prices_do_not_shift_the_units():
    lines = [f"mug {chr(97 + n)}{chr(97 + n)} {100 + n}" for n in range(20)]
    for shift in (1, -1, 5):
        records = [{"n": f"mug {chr(97 + n)}{chr(97 + n)}", "p": 100 + (n + shift) % 20} for n in range(20)]
        assert aligned(records, lines) == list(range(20))


def test_five_thousand_twins_are_aligned_in_page_order():
    assert aligned([{"n": "red", "p": 5}] * 5000, ["red 5"] * 5000) == list(range(5000))


def test_units_of_a_text_are_its_rows_and_items_without_heads_and_rules():
    text = "| A | B |\n|---|:-:|\n| 1 | 2 |\n| 3 | 4 |\n\ntext\n\n1. one\n   more\n2. two\n   - inner\n"
    assert [text[start:end] for start, end in find_text_units(text)] == [
        "| 1 | 2 |", "| 3 | 4 |", "1. one\n   more", "2. two\n   - inner",
    ]  # fmt: skip


def test_an_alignment_convinces_when_nearly_all_records_have_a_unit_of_their_own():
    assert is_convincing([0, 1, 2, 3, None])
    assert not is_convincing([0, 1, None])
    assert not is_convincing([0, 0, 0])
    assert not is_convincing([])


class CountingIndex(TextIndex):
    """An index that counts how often it is asked."""

    asked = 0

    def find(self, value):
        self.asked += 1
        return super().find(value)


@pytest.mark.req("PR-1")
def test_countless_records_of_one_line_are_aligned_in_steps_that_grow_as_they_do():
    steps = []
    for count in (150, 600):
        records = [{"name": f"Item {number}", "points": number % 97} for number in range(count)]
        index = CountingIndex("- " + ". ".join(f"{one['name']} has {one['points']} points" for one in records))
        align_records(records, index, [(0, len(index.text))])
        steps.append(index.asked)
    assert steps[1] < 6 * steps[0]


def test_a_record_belongs_where_its_own_values_stand_and_not_where_its_replies_do() -> None:
    text = "- zed\n  Works.\n  - pavo\n    It certainly does now.\n"
    replies = [{"author": "pavo", "text": "It certainly does now."}]
    records: list[Any] = [{"author": "zed", "text": "Works.", "replies": replies}]
    assert align_records(records, text, [(0, len(text)), (text.index("- pavo"), len(text))]) == [0]
