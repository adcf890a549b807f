"""The yardstick's one comparison: which values are the same, and what became of those of an answer."""

from typing import Any

import pytest
from measure.claims import Claims, Score, score
from measure.comparing import compare, is_right, paired, same, with_records

BOATS: list[dict[str, Any]] = [{"name": "Gull", "year": 1931}, {"name": "Tern", "year": 1948}]


@pytest.mark.parametrize(
    ("given", "wanted", "is_same"),
    [
        ("a  b\n", "a b", True),
        ("(by an ISP), at 5", "(by an ISP ) , at 5", True),
        ("BIRCH & Co", "Birch & Co", True),
        ("**Gull** boat", "Gull boat", True),
        (1, 1.0, True),
        ("78.50", 78.5, True),
        ("0031", 31, False),
        (1, 1.01, False),
        (True, 1, False),
        (0, False, False),
        (0, None, False),
        ("", None, True),
        ({"a": 1, "b": None}, {"a": 1}, True),
        ({"a": 1, "b": 2}, {"a": 1}, False),
        (["x"], ["x", "y"], False),
        ("y", {"$any": ["x", "y"]}, True),
        ("z", {"$any": ["x", "y"]}, False),
        ("https://a.example/b%20c/", "https://a.example/b c", True),
        ("https://a.example/b", "https://a.example/c", False),
    ],
)
def test_values_are_the_same_by_what_a_reader_sees(given: Any, wanted: Any, is_same: bool) -> None:
    assert same(given, wanted) is is_same


def test_records_are_paired_by_what_they_share_and_never_against_their_names() -> None:
    assert paired(BOATS, BOATS[::-1]) == [(0, 1), (1, 0)]
    assert paired(BOATS, [{"name": "Gull", "year": 1999}]) == [(0, 0)]
    assert paired(BOATS, [{"name": "Ghost", "year": 1931}]) == [(0, 0)]
    assert paired([{"name": "Gull", "year": 1931, "sail": 2}], [{"name": "Ghost", "year": 1999, "sail": 2}]) == []
    assert paired(["a", "b", "b"], ["b", "c", "b"]) == [(1, 0), (2, 2)]


def test_a_value_is_kept_lost_or_wrong_and_a_record_missing_or_extra() -> None:
    fate = compare(BOATS, [{"name": "Tern", "year": None}, {"name": "Skua", "year": 1900}])
    assert fate.kept == {"/1/name": "/0/name"}
    assert sorted(fate.lost) == ["/0/name", "/0/year", "/1/year"]
    assert sorted(fate.wrong) == ["/1/name", "/1/year"]
    assert (fate.records, fate.missing, fate.extra, fate.values) == (2, 1, 1, 4)


def test_what_stands_where_the_truth_has_nothing_is_wrong_and_a_field_that_it_does_not_name_is_not_judged() -> None:
    fate = compare({"title": "Soup", "author": None}, {"title": "Soup", "author": "Sam", "yields": 4})
    assert (fate.kept, fate.lost, fate.wrong) == ({"/title": "/title"}, [], ["/author"])


def test_items_of_lists_inside_records_are_counted_apart_from_records() -> None:
    truth = {"crew": [{"ship": "Gull", "hands": ["Ada", "Bo", "Cy"]}, {"ship": "Tern", "hands": ["Di"]}]}
    served = {"crew": [{"ship": "Gull", "hands": ["Ada", "Cy"]}, {"ship": "Tern", "hands": ["Di"]}]}
    fate = compare(truth, served)
    assert (fate.records, fate.missing, fate.items, fate.items_missing) == (2, 0, 4, 1)
    assert fate.lost == ["/crew/0/hands/1"]
    assert fate.kept["/crew/0/hands/2"] == "/crew/0/hands/1"


def test_a_result_is_right_with_equal_records_given_once_or_each_time() -> None:
    assert is_right([*BOATS, BOATS[0]], BOATS)
    assert is_right([*BOATS, BOATS[0]], [*BOATS, BOATS[0]])
    assert not is_right(BOATS, [*BOATS, BOATS[0]])
    assert not is_right(BOATS, BOATS[:1])
    assert is_right(None, []) and not is_right(None, BOATS)


def test_records_are_put_where_they_stood() -> None:
    assert with_records({"total": 2, "boats": BOATS}, BOATS[:1], ("boats",)) == {"total": 2, "boats": BOATS[:1]}
    assert with_records(BOATS, [], ()) == []
    assert with_records({}, [BOATS[0]], None) == BOATS[0]


@pytest.mark.parametrize(
    ("served", "expected"),
    [
        (BOATS, Score(right=4)),
        (BOATS[:1], Score(right=2, missing=1)),
        ([BOATS[0], {"name": "Tern", "year": 1931}], Score(right=3, wrong=1)),
        ([*BOATS, {"name": "Ghost", "year": 9}], Score(right=4, wrong=2)),
        ([], Score(missing=2)),
        (None, Score(missing=2)),
        ("Gull", Score(missing=2)),
    ],
)
def test_an_answer_is_scored_by_values_and_missing_records(served: Any, expected: Score) -> None:
    assert score(BOATS, served) == expected


def test_only_what_claims_to_be_complete_can_be_a_false_claim() -> None:
    claims = Claims()
    for one, is_complete in [
        (Score(right=4), True), (Score(right=3, wrong=1), True), (Score(right=2, missing=1), True),
        (Score(wrong=2, missing=1), True), (Score(wrong=9, missing=1), False),
    ]:  # fmt: skip
        claims.add(one, is_complete=is_complete)
    assert claims == Claims(
        answers=5, claims=4, claims_with_losses=2, claims_with_wrong_values=2, false_claims=3,
        right=9, wrong=12, wrong_in_claims=3,
    )  # fmt: skip


def test_a_field_that_a_result_names_as_not_read_makes_it_not_wrong() -> None:
    from gleaner.contracts.models import Completeness, ExtractionResult, ScrapeResult
    from measure.asking import Asked

    def asked(data: Any, *unread: str) -> Asked:
        found = ExtractionResult(data=data, completeness=Completeness(unread=[*unread]))
        return Asked(ScrapeResult.model_construct(status="complete", extraction=found), (), 0.0)

    assert not asked(BOATS).is_wrong(BOATS)
    assert asked([{"name": "Gull"}, {"name": "Tern"}]).is_wrong(BOATS)
    assert not asked([{"name": "Gull"}, {"name": "Tern"}], "year").is_wrong(BOATS)
    assert asked([{"name": "Gull"}, {"name": "Skua"}], "year").is_wrong(BOATS)
