"""The decisions of the smart wait, on samples made by hand."""

import pytest
from gleaner.adapters.browser.waiting import CHATTER_AFTER_MS, Sample, Watch, advance
from gleaner.contracts.settings import ScrapeSettings
from hypothesis import given
from hypothesis import strategies as st

SETTINGS = ScrapeSettings()


def watch_all(samples, settings=SETTINGS):
    """Feed samples until the verdict; give it and how many were looked at."""
    watch = Watch()
    for count, sample in enumerate(samples, 1):
        watch = advance(watch, sample, settings)
        if watch.verdict != "waiting":
            return watch.verdict, count
    return watch.verdict, len(samples)


def rounds(count, start=0, **fields):
    return [Sample(elapsed_ms=start + 100 * at, length=1000, **fields) for at in range(count)]


@pytest.mark.req("BR-3")
def test_a_page_that_cannot_change_ends_at_the_first_look():
    assert watch_all(rounds(5, inert=True)) == ("inert", 1)


@pytest.mark.req("BR-3")
def test_a_still_page_ends_after_the_threshold_of_rounds():
    assert watch_all(rounds(9)) == ("still", 4)
    assert watch_all(rounds(9), ScrapeSettings(stability_threshold=6)) == ("still", 7)


@pytest.mark.req("BR-3")
def test_rounds_are_counted_anew_after_something_was_under_way():
    busy = Sample(elapsed_ms=300, length=1000, requests=1)
    assert watch_all([*rounds(3), busy, *rounds(5, start=400)]) == ("still", 7)


@pytest.mark.req("BR-3")
def test_quiet_before_the_first_look_counts_but_one_round_is_always_seen():
    assert watch_all(rounds(9, quiet_ms=5000)) == ("still", 2)


BUSY = {"loading": True, "requests": 1, "timers": 1, "veiled": True, "feed_silence_ms": 100.0}


@pytest.mark.req("BR-3")
@pytest.mark.parametrize("reason", BUSY)
def test_what_is_under_way_is_waited_for_even_when_the_page_looks_inert(reason):
    assert watch_all(rounds(10, inert=True, **{reason: BUSY[reason]})) == ("waiting", 10)


@pytest.mark.req("BR-3")
def test_text_may_follow_a_moment_after_a_request_has_ended():
    samples = [*rounds(10, requests=1), *rounds(2, start=1000)]
    assert watch_all(samples) == ("waiting", 12)


@pytest.mark.req("BR-3")
def test_a_small_change_is_a_change_early_and_rest_later():
    def growing(start):
        return [Sample(elapsed_ms=start + 100 * at, length=10_000 + at, changes=at) for at in range(20)]

    assert watch_all(growing(0)) == ("waiting", 20)
    assert watch_all(growing(CHATTER_AFTER_MS + 1))[0] == "still"


@pytest.mark.req("BR-3")
def test_a_change_above_the_threshold_is_never_rest():
    samples = [Sample(elapsed_ms=5000 + 100 * at, length=1000 + 20 * at, changes=at) for at in range(20)]
    assert watch_all(samples)[0] == "waiting"
    assert watch_all(samples, ScrapeSettings(stability_length_change_threshold=0.5))[0] == "still"


@pytest.mark.req("BR-3")
@pytest.mark.parametrize("ticking", [{"timers": 3}, {"feed_silence_ms": 50.0}])
def test_ticking_without_new_text_is_not_waited_for_late(ticking):
    assert watch_all(rounds(9, start=CHATTER_AFTER_MS + 1, quiet_ms=4000, **ticking))[0] == "still"


@given(
    st.lists(
        st.builds(
            Sample,
            elapsed_ms=st.floats(0, 20_000),
            length=st.integers(0, 10**7),
            changes=st.integers(0, 1000),
            quiet_ms=st.floats(0, 20_000),
            loading=st.booleans(),
            requests=st.integers(0, 9),
            timers=st.integers(0, 9),
            feed_silence_ms=st.none() | st.floats(0, 9_000),
            inert=st.booleans(),
            veiled=st.booleans(),
        ),
        min_size=1,
    ),
    st.integers(0, 15_000),
)
@pytest.mark.req("BR-3")
def test_nothing_is_waited_for_longer_than_the_longest_wait(samples, longest):
    settings = ScrapeSettings(stability_max_wait_ms=longest)
    watch = Watch()
    for sample in sorted(samples, key=lambda one: one.elapsed_ms):
        watch = advance(watch, sample, settings)
        assert watch.verdict != "waiting" or sample.elapsed_ms < longest
        if watch.verdict != "waiting":
            break
