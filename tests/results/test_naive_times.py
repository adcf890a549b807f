"""Times without an offset: null where the schema takes it, in the time of a few validations (SC-4)."""

from typing import Any

import pytest
from gleaner.results import naive_times
from gleaner.results.naive_times import settle_naive_times

from tests.support.schemas import object_of

TIME = {"type": ["string", "null"], "format": "date-time"}
MUST = {"type": "string", "format": "date-time"}


@pytest.mark.req("SC-4")
def test_only_what_may_be_null_and_lacks_nothing_but_an_offset_is_taken_out() -> None:
    rows = [{"at": "2026-03-05T19:30", "on": "2026-03-05T19:30"}, {"at": "2026-03-05T19:30Z", "on": "soon"}]
    schema = {"type": "array", "items": object_of("at", "on", at=TIME, on=MUST)}
    left, taken = settle_naive_times(schema, rows)  # type: ignore[arg-type]
    assert taken == {"/0/at": "2026-03-05T19:30"}
    assert left == [{"at": None, "on": "2026-03-05T19:30"}, rows[1]]
    assert rows[0]["at"] == "2026-03-05T19:30"
    assert settle_naive_times({"type": ["string", "null"], "format": "time"}, "19:30") == (None, {"": "19:30"})


def test_a_long_list_of_times_is_validated_a_few_times_and_not_once_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    real = naive_times.violations
    monkeypatch.setattr(naive_times, "violations", lambda *given: asked.append(given) or real(*given))
    rows = [{"at": f"2026-03-05T19:{n:02}"} for n in range(60)]
    left, taken = settle_naive_times({"type": "array", "items": object_of(at=TIME)}, rows)  # type: ignore[arg-type]
    assert (len(taken), left) == (60, [{"at": None}] * 60)
    assert len(asked) <= 3
