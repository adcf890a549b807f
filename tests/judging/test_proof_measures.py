"""Units and currencies that a field's name says: what stands in others is no proof."""

from typing import Any

import pytest
from gleaner.judging.judge import judge as prove


def statuses(data: dict[str, Any], text: str) -> list[str]:
    return [entry.status for entry in prove(data, text)]


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(
    ("field", "value", "text", "is_stated"),
    [
        ("rating", 5, "4.5/5", False),
        ("rating", 5, "**4.5** out of 5 stars", False),
        ("stars", 5, "4 of 5", False),
        ("review_score", 10, "8,5/10", False),
        ("rating", 4.5, "4.5/5", True),
        ("rating", 5, "5/5", True),
        ("best_rating", 5, "4.5/5", True),
        ("rating_count", 31, "4 of 31 ratings", True),
        ("away_score", 3, "2/3", True),
        ("rating", 5, "Rating of 5", True),
    ],
)
def test_what_a_rating_is_given_out_of_is_no_rating(field: str, value: float, text: str, is_stated: bool) -> None:
    for data, page in (({field: value}, text), ([{field: value, "name": "Oak"}] * 2, f"- Oak {text}\n- Oak {text}\n")):
        found = [one.status for one in prove(data, page) if one.pointer.endswith(field)]
        assert [one != "ungrounded" for one in found] == [is_stated] * len(found)


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        ("min", "max", "$5 – $30"),
        ("min", "max", "5 kg – 30 kg"),
        ("age_min", "age_max", "5 years to 30 years"),
        ("temp_min", "temp_max", "5 °C to 30 °C"),
        ("Min", "Max", "5 € – 30 €"),
    ],
)
def test_the_lower_end_of_a_range_is_no_number_of_minutes(low: str, high: str, text: str) -> None:
    assert statuses({"of": {low: 5, high: 30}}, text) == ["verbatim", "verbatim"]
    assert statuses({"of": {low: 5}}, "5 min") == ["verbatim"]
    number = {"type": ["number", "null"]}
    schema = {"properties": {"of": {"properties": {low: number, high: number}}}}
    assert [one.status for one in prove({"of": {low: 5, high: None}}, text, schema=schema)] == ["verbatim"]


@pytest.mark.req("PR-1")
def test_the_lower_end_of_a_range_is_scaled_as_the_upper_one() -> None:
    assert statuses({"min": 5, "max": 30}, "$5m – $30m") == ["ungrounded", "ungrounded"]
    assert statuses({"min": 5_000_000, "max": 30_000_000}, "$5m – $30m") == ["normalized", "normalized"]


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("value", "highest", "text", "status"),
    [
        (4, 10, "Mug 8.7/10, elsewhere 4/5", "ungrounded"),
        (8.7, 10, "Mug 8.7/10, elsewhere 4/5", "verbatim"),
        (4, 5, "Mug 4/5", "verbatim"),
        (4, 10, "Mug ★★★★", "ungrounded"),
        (4, 5, "Mug ★★★★", "normalized"),
        (4, 10, "Mug rated 4", "verbatim"),
    ],
)
def test_a_rating_out_of_another_number_than_the_highest_is_no_proof(
    value: float, highest: int, text: str, status: str
) -> None:
    schema = {"properties": {"rating": {"type": "number", "maximum": highest}}}
    assert [entry.status for entry in prove({"rating": value}, text, schema=schema)] == [status]


@pytest.mark.req("PR-1")
@pytest.mark.parametrize("said", ["-$6.20", "−6,20 €", "$-6.20"])
def test_money_without_its_minus_sign_is_what_is_taken_off(said: str) -> None:
    text = f"Order. Shipping $5.50. Reduced by {said}. Total $66.20"
    for field, status in (("discount", "normalized"), ("price", "ungrounded"), ("balance", "ungrounded")):
        assert statuses({field: 6.2}, text) == [status], field
    assert statuses({"balance": -6.2}, text) != ["ungrounded"]
