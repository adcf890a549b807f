"""The fault mix: each fault changes what it says and nothing else."""

import sys
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from measure.faults import FAULTS, KINDS, MIX, Change, Fault, Truth, kind_of, weighted

from tests.support.schemas import FLAG, INTEGER, NUMBER, TEXT, list_of, object_of

RECORD = object_of(
    "title",
    "price",
    title=TEXT,
    maker=TEXT,
    shade=TEXT,
    price=NUMBER,
    list_price=NUMBER,
    min_age=INTEGER,
    max_age=INTEGER,
    stock_until={"type": ["string", "null"], "format": "date"},
    made_on={"type": "string", "format": "date"},
    is_new=FLAG,
    size={"type": "string", "enum": ["S", "M", "L"]},
    tags=list_of(TEXT),
)


def records(first: int, count: int = 8) -> list[dict[str, object]]:
    return [
        {
            "title": f"Walnut tray number {at} with handles",
            "maker": f"Atelier {at} Brothers",
            "shade": f"Deep moss {at}",
            "price": 10.5 + at,
            "list_price": 20.25 + at,
            "min_age": 3 + at,
            "max_age": 40 + at,
            "stock_until": None if at % 2 else f"2026-04-{10 + at}",
            "made_on": f"2025-01-{10 + at}",
            "is_new": at % 3 == 0,
            "size": "SML"[at % 3],
            "tags": ["wood"],
        }
        for at in range(first, first + count)
    ]


TRUTH = Truth(records(0), RECORD, records(50))
NAMED = {one.name: one for one in FAULTS}


def change_by(fault: Fault, seed: int = 1, at: int = 3) -> Change:
    change = fault.spoil(TRUTH, at, Random(seed))
    assert change is not None, fault.name
    return change


def test_the_weights_of_each_kind_sum_to_one_and_the_implausible_weigh_next_to_nothing() -> None:
    for kind in MIX:
        assert sum(one.weight for one in FAULTS if one.kind == kind) == pytest.approx(1)
    assert NAMED["exchanged"].weight + NAMED["turned_range"].weight <= 0.05
    assert len(KINDS) == len(FAULTS)
    assert sum(MIX.values()) == 25


@pytest.mark.parametrize("fault", FAULTS, ids=lambda one: one.name)
@pytest.mark.parametrize("seed", range(6))
def test_a_fault_changes_values_that_are_other_ones_and_leaves_all_others(fault: Fault, seed: int) -> None:
    change = change_by(fault, seed)
    spoilt = change.applied(TRUTH.records)
    assert TRUTH.records == records(0), "the truth itself was changed"
    assert change.values
    for at, (true, given) in enumerate(zip(TRUTH.records, spoilt, strict=True)):
        differing = {name for name in true if given[name] != true[name]}
        assert differing == {name for place, name in change.values if place == at}
        assert given.keys() == true.keys()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda one: one.name)
def test_a_fault_of_values_touches_one_record_and_one_of_columns_all(fault: Fault) -> None:
    change = change_by(fault)
    touched = {at for at, _ in change.values}
    if fault.spoils == "values":
        assert touched == {3}
    if fault.spoils == "column":
        assert touched == set(range(len(TRUTH.records)))
        assert len({name for _, name in change.values}) == 1


@pytest.mark.parametrize("fault", FAULTS, ids=lambda one: one.name)
def test_a_fault_is_the_same_each_time_for_a_seed(fault: Fault) -> None:
    assert change_by(fault, 5) == change_by(fault, 5)


def value_by(name: str, seed: int = 1, at: int = 3) -> tuple[str, object]:
    (((_, field), value),) = change_by(NAMED[name], seed, at).values.items()
    return field, value


@pytest.mark.parametrize("seed", range(8))
def test_each_fault_of_one_value_does_what_its_name_says(seed: int) -> None:
    true = TRUTH.records[3]
    field, value = value_by("neighbours_value", seed)
    assert value == TRUTH.records[4][field]
    field, value = value_by("other_of_the_kind", seed)
    assert value in [true[other] for other in true if other != field] and kind_of(value) == kind_of(true[field])
    field, value = value_by("filled_null", seed)
    assert field == "stock_until" and kind_of(value) == "day"
    field, value = value_by("cut_text", seed)
    assert str(true[field]).startswith(f"{value} ")
    field, value = value_by("guessed_flag", seed)
    assert field == "is_new" and value is not true["is_new"]
    field, value = value_by("invented_value", seed)
    assert all(value != one[field] for one in TRUTH.records)
    assert value_by("empty_text", seed) == ("title", "")
    field, value = value_by("wrong_choice", seed)
    assert field == "size" and value in "SML"
    field, value = value_by("wrong_unit", seed)
    assert isinstance(value, int | float) and not isinstance(true[field], bool)
    ratio = float(value) / float(true[field])
    assert min(abs(ratio - one) for one in (60, 100, 1000, 1 / 60, 0.01, 0.001)) < 0.001


def test_a_length_of_time_in_a_wrong_unit_is_sixty_times_as_long_or_as_short() -> None:
    schema = {"properties": {"cook_minutes": {"type": "integer"}}}
    change = NAMED["wrong_unit"].spoil(Truth([{"cook_minutes": 45}], schema), 0, Random(1))
    assert change == Change({(0, "cook_minutes"): 2700})


def test_one_text_stands_in_all_plain_text_fields_of_a_record() -> None:
    change = change_by(NAMED["one_text_in_many"])
    spoilt = change.applied(TRUTH.records)[3]
    assert len({spoilt[name] for name in ("title", "maker", "shade")}) == 1


def test_a_glued_text_ends_with_a_word_of_another_field() -> None:
    for seed in range(8):
        field, value = value_by("glued_pieces", seed)
        true = TRUTH.records[3]
        kept, _, end = str(value).rpartition(" ")
        assert str(true[field]).startswith(kept) and value != true[field]
        assert end in {str(other).split()[-1] for name, other in true.items() if name != field}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda one: one.name)
def test_a_fault_that_a_record_offers_no_room_for_changes_nothing(fault: Fault) -> None:
    bare = Truth([{"x": None}], {"properties": {"x": {"type": ["array", "null"]}}})
    assert fault.spoil(bare, 0, Random(1)) is None


def test_a_figure_over_all_faults_is_weighted_by_them_among_those_tried() -> None:
    assert weighted({"cut_text": (1, 1), "glued_pieces": (0, 4)}) == pytest.approx(75)
    assert weighted({"exchanged": (0, 0)}) is None
