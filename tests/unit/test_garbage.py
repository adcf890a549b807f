"""While we work, Python looks for garbage seldom; whoever imports us keeps their ways."""

import gc
from collections.abc import Iterator

import pytest
from gleaner.service.gc_tuning import seldom_collected
from gleaner.service.telemetry import observed


@pytest.fixture(autouse=True)
def as_a_process_starts() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)


def test_a_function_at_work_has_garbage_looked_for_seldom_and_still_does():
    during = observed(lambda event, context: {"threshold": gc.get_threshold()})({}, None)["threshold"]
    assert 10_000 < during[0] < 1_000_000
    assert during[1:] == (10, 10)
    assert gc.get_threshold() == (700, 10, 10)


def test_the_last_of_several_at_work_puts_the_threshold_back_after_a_fault_too():
    with seldom_collected:
        with pytest.raises(KeyError), seldom_collected:
            raise KeyError("x")
        assert gc.get_threshold()[0] > 700
    assert gc.get_threshold()[0] == 700


@pytest.mark.parametrize("own", [0, 1_000_000])
def test_who_never_looks_or_looks_more_seldom_is_left_alone(own: int):
    gc.set_threshold(own)
    with seldom_collected:
        assert gc.get_threshold()[0] == own
    assert gc.get_threshold()[0] == own


def test_a_threshold_set_meanwhile_stays():
    with seldom_collected:
        gc.set_threshold(1234)
    assert gc.get_threshold()[0] == 1234
