"""How long a busy host is waited for, and how often."""

import pytest
from gleaner.contracts.errors import HttpStatusError, status_error
from gleaner.sites.busy_hosts import LONGEST_WAIT_S, MOST_RETRIES, Patience, asked_wait_s

pytestmark = pytest.mark.req("AC-6")


@pytest.mark.parametrize(
    ("status", "said", "wait_s"),
    [
        (429, "7", 7.0), (503, "0", 0.0), (503, "Thu, 01 Jan 1970 00:02:00 GMT", 20.0),
        (503, "Thu, 01 Jan 1970 00:00:00 GMT", 0.0), (429, "soon", None), (429, "", None), (429, "-1", None),
        (404, "7", None), (200, "7", None), (429, "9" * 5_000, 999_999_999.0),
    ],
)  # fmt: skip
def test_the_wait_is_the_one_that_a_busy_host_asks_for(status: int, said: str, wait_s: float | None) -> None:
    assert asked_wait_s(status, {"retry-after": said}, 100.0) == wait_s


def test_a_host_is_waited_for_a_few_times_and_not_too_long() -> None:
    slept: list[float] = []
    assert [Patience(sleep=slept.append).waits(asked) for asked in (None, LONGEST_WAIT_S + 1)] == [False, False]
    patience = Patience(sleep=slept.append)
    assert [patience.waits(1) for _ in range(MOST_RETRIES + 1)] == [True] * MOST_RETRIES + [False]
    assert Patience(ends_at=1.0, sleep=slept.append).waits(0) is False
    two = Patience(sleep=slept.append)
    assert [two.waits(40), two.waits(40)] == [True, False]
    assert slept == [1] * MOST_RETRIES + [40]


def test_what_fails_for_a_busy_host_is_tried_again_and_nothing_else() -> None:
    errors = [status_error("u", 429, 2.0), status_error("u", 404)]
    slept: list[float] = []

    def ask() -> None:
        raise errors.pop(0)

    with pytest.raises(HttpStatusError, match="404"):
        Patience(sleep=slept.append).shown(ask)
    assert slept == [2.0]
    assert str(status_error("u", 429, 90.0)).endswith("it asks to be left alone for 90 s")
