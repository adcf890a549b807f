"""Chunk results as one: page order, overlaps by position, twins by choice, and the same bytes whatever the order."""

import json
from itertools import pairwise

import pytest
from gleaner.results.merging import ChunkOutcome, Merged, merge
from hypothesis import given
from hypothesis import strategies as st

ARRAY = {"type": "array", "items": {"type": "object"}}
SHOP = {"type": "object", "properties": {"shop": {"type": "string"}, "products": ARRAY}}


@pytest.mark.req("MG-1")
@pytest.mark.parametrize(
    ("dedupe", "names"), [("none", ["a", "b", "a", "c"]), ("exact", ["a", "b", "c"]), ("keys", ["a", "b", "c"])]
)
def test_an_overlap_goes_by_position_and_twins_stay_or_go_by_choice(dedupe, names):
    first = ChunkOutcome(0, [{"n": "a"}, {"n": "b"}], spans=((0, 5), (6, 9)))
    second = ChunkOutcome(1, [{"n": "b"}, {"n": "a"}, {"n": "c"}], spans=((6, 9), (20, 25), (26, 29)))
    merged = merge([second, first], ARRAY, dedupe, ["n"])
    assert [record["n"] for record in merged.data] == names
    assert len(merged.spans) == len(names)
    assert merged.duplicates_removed == 5 - len(names)


def placed(names: str, places: list[tuple[int, int] | None]) -> ChunkOutcome:
    """Give an outcome with one record for each letter, each at a place of its own, with the lists of these places."""
    spans = tuple((at * 10, at * 10 + 5) for at in range(len(names)))
    return ChunkOutcome(0, [{"n": name} for name in names], spans=spans, lists=tuple(places))


@pytest.mark.req("CM-3", "MG-1")
@pytest.mark.parametrize(
    ("names", "places", "exact"),
    [
        ("abacb", [(0, 0)] * 5, "abacb"),
        ("abacb", [None] * 5, "abc"),
        ("ababc", [(1, 0)] * 2 + [(0, 0)] * 3, "abc"),
        ("abaca", [(1, 0)] * 2 + [(0, 0)] * 3, "baca"),
        ("abacd", [(0, 0)] * 2 + [(0, 1)] * 3, "abacd"),
        ("ababc", [(0, 0)] * 2 + [(0, 1)] * 3, "abc"),
        ("ababcc", [(0, 0)] * 2 + [(0, 1)] * 4, "ababcc"),
        ("ababab", [(0, 0)] * 2 + [(0, 1)] * 2 + [(0, 2)] * 2, "ab"),
        ("aab", [(0, 0), None, (0, 0)], "ab"),
    ],
    ids=[
        "one list",
        "without places",
        "another list shows some again",
        "another list, and twins in this one",
        "two stretches of a list",
        "a stretch that shows another one again",
        "stretches of a list that has twins",
        "a list three times",
        "a record without a place is no other",
    ],
)
def test_equal_records_of_one_list_are_records_of_their_own(names: str, places: list, exact: str) -> None:
    outcome = placed(names, places)
    assert "".join(record["n"] for record in merge([outcome], ARRAY).data) == exact
    assert "".join(record["n"] for record in merge([outcome], ARRAY, "none").data) == names
    by_keys = [record["n"] for record in merge([outcome], ARRAY, "keys", ["n"]).data]
    assert by_keys == list(dict.fromkeys(names))


@pytest.mark.req("MG-1")
def test_records_come_in_page_order_even_when_a_unit_was_asked_for_again():
    outcomes = [
        ChunkOutcome(0, [{"n": 1}, {"n": 3}], spans=((0, 5), (20, 25))),
        ChunkOutcome(0, [{"n": 2}], part=(9,), spans=((10, 15),)),
        ChunkOutcome(1, [{"n": 4}, {"n": 5}], spans=(None, (40, 45))),
    ]
    assert [record["n"] for record in merge(outcomes, ARRAY).data] == [1, 2, 3, 4, 5]


@pytest.mark.req("MG-1")
def test_without_places_records_come_in_the_order_of_chunks_and_their_parts():
    outcomes = [
        ChunkOutcome(1, [{"n": 4}]),
        ChunkOutcome(0, [{"n": 2}], part=(1,)),
        ChunkOutcome(0, [{"n": 1}], part=(0,)),
    ]
    assert [record["n"] for record in merge(outcomes, ARRAY).data] == [1, 2, 4]


@pytest.mark.req("MG-1")
def test_two_records_of_one_place_in_one_chunk_both_stay():
    outcome = ChunkOutcome(0, [{"n": 1}, {"n": 2}], spans=((0, 9), (0, 9)))
    again = ChunkOutcome(1, [{"n": 1}, {"n": 2}], spans=((0, 9), (0, 9)))
    assert merge([outcome, again], ARRAY, "none").data == [{"n": 1}, {"n": 2}]


@pytest.mark.req("MG-1")
def test_a_record_cut_by_the_overlap_is_filled_and_what_disagrees_is_listed():
    whole = ChunkOutcome(0, [{"n": "a", "p": None}], spans=((5, 9),))
    other = ChunkOutcome(1, [{"n": "A", "p": 7}], spans=((5, 9),))
    merged = merge([whole, other], ARRAY, "none")
    assert merged.data == [{"n": "a", "p": 7}]
    assert len(merged.conflicts) == 1
    assert all(part in merged.conflicts[0] for part in ("/n", '"a"', '"A"'))


@pytest.mark.req("MG-1")
def test_keys_make_records_equal_and_the_first_is_filled_from_the_later():
    outcomes = [
        ChunkOutcome(0, [{"id": 1, "a": 2}, {"id": None, "a": 3}]),
        ChunkOutcome(1, [{"id": 1.0, "a": 5, "b": 4}, {"a": 3}]),
    ]
    merged = merge(outcomes, ARRAY, "keys", ["id"])
    assert merged.data == [{"id": 1, "a": 2, "b": 4}, {"id": None, "a": 3}, {"a": 3}]
    assert len(merged.conflicts) == 1


@pytest.mark.req("MG-1")
def test_exact_does_not_take_true_for_one_nor_a_text_for_a_number():
    data = [{"a": 1}, {"a": True}, {"a": "1"}, {"a": 1.0}]
    assert merge([ChunkOutcome(0, data)], ARRAY).data == [{"a": 1}, {"a": True}, {"a": "1"}]


@pytest.mark.req("MG-1")
def test_objects_merge_deeply_and_null_never_overwrites():
    outcomes = [
        ChunkOutcome(0, {"a": 1, "b": {"c": 1, "d": [1, 1]}, "e": 5, "f": "x"}),
        ChunkOutcome(1, {"a": None, "b": {"c": 2, "d": [1, 1, 2]}, "e": 5.0, "g": [3], "f": None}),
    ]
    merged = merge(outcomes, {"type": "object"})
    assert merged.data == {"a": 1, "b": {"c": 2, "d": [1, 1, 2]}, "e": 5.0, "f": "x", "g": [3]}
    assert merged.conflicts == ("/b/c: 1 then 2",)


@pytest.mark.req("MG-1")
def test_a_list_of_records_under_a_property_is_merged_as_records():
    outcomes = [
        ChunkOutcome(0, {"shop": "S", "products": [{"n": 1}, {"n": 2}]}, spans=((0, 4), (5, 9))),
        ChunkOutcome(1, {"shop": "S", "products": [{"n": 2}, {"n": 3}]}, spans=((5, 9), (10, 14))),
        ChunkOutcome(2, {"shop": None, "products": None}),
    ]
    merged = merge(outcomes, SHOP, "none")
    assert merged.data == {"shop": "S", "products": [{"n": 1}, {"n": 2}, {"n": 3}]}
    assert merged.spans == ((0, 4), (5, 9), (10, 14))


@pytest.mark.req("MG-1")
def test_free_texts_are_joined_with_a_rule_and_their_context():
    outcomes = [ChunkOutcome(1, "second", context="## B (2 of 2)"), ChunkOutcome(0, "first", context="## A")]
    assert merge(outcomes).data == "## A\n\nfirst\n\n---\n\n## B (2 of 2)\n\nsecond"
    assert merge(outcomes[:1]).data == "second"


@pytest.mark.req("MG-1")
def test_nothing_merged_is_an_empty_list_or_null():
    assert merge([], ARRAY).data == []
    assert merge([], {"type": "object"}).data is None
    assert merge([ChunkOutcome(0, None), ChunkOutcome(1, [{"a": 1}])], ARRAY).data == [{"a": 1}]


@pytest.mark.req("MG-1")
def test_a_text_among_data_is_left_out_and_told():
    merged = merge([ChunkOutcome(0, "sorry"), ChunkOutcome(1, [{"a": 1}])], ARRAY)
    assert merged.data == [{"a": 1}]
    assert "chunk 0" in merged.conflicts[0]


scalars = st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["x", "y"])
records = st.dictionaries(st.sampled_from(["a", "b"]), scalars | st.lists(scalars, max_size=2), max_size=2)
places = st.none() | st.integers(0, 4).map(lambda n: (n * 10, n * 10 + 9))
homes = st.none() | st.tuples(st.integers(0, 1), st.integers(0, 1))


@st.composite
def outcomes_of(draw):
    kind = draw(st.sampled_from(["array", "object", "text", "shop"]))
    outcomes = []
    for _ in range(draw(st.integers(0, 5))):
        rows = draw(st.lists(records, max_size=4))
        data = {"array": rows, "object": draw(records), "text": draw(st.text(max_size=3)), "shop": {"products": rows}}[
            kind
        ]
        spans = draw(st.none() | st.tuples(*[places] * len(rows))) if kind in ("array", "shop") else None
        lists = draw(st.none() | st.tuples(*[homes] * len(rows))) if spans else None
        part = draw(st.sampled_from([(), (0,), (1,)]))
        outcomes.append(ChunkOutcome(draw(st.integers(0, 2)), data, part, spans, lists=lists))
    schema = {"array": ARRAY, "object": {"type": "object"}, "shop": SHOP}.get(kind)
    return outcomes, schema, draw(st.sampled_from(["exact", "keys", "none"]))


def bytes_of(merged: Merged) -> bytes:
    return json.dumps([merged.data, merged.spans, merged.conflicts, merged.duplicates_removed]).encode()


@pytest.mark.req("MG-2")
@given(outcomes_of(), st.randoms(use_true_random=False))
def test_any_order_repetition_and_grouping_give_the_same_bytes(drawn, random):
    outcomes, schema, dedupe = drawn
    expected = bytes_of(merge(outcomes, schema, dedupe, ["a"]))
    mixed = outcomes + random.choices(outcomes, k=3) if outcomes else []
    random.shuffle(mixed)
    cut = random.randint(0, len(mixed))
    left, right = (merge(part, schema, dedupe, ["a"]) for part in (mixed[:cut], mixed[cut:]))
    assert bytes_of(merge(mixed, schema, dedupe, ["a"])) == expected
    assert bytes_of(merge([left, right], schema, dedupe, ["a"])) == expected
    assert bytes_of(merge([right, left, left], schema, dedupe, ["a"])) == expected


@pytest.mark.req("MG-2")
def test_the_same_object_with_its_names_in_another_order_is_merged_the_same_way_round():
    one, other = ChunkOutcome(0, {"a": 1, "b": 2}), ChunkOutcome(0, {"b": 2, "a": 1})
    assert bytes_of(merge([one, other])) == bytes_of(merge([other, one]))


@pytest.mark.req("MG-2")
@given(st.lists(records, max_size=8), st.lists(st.integers(0, 8), max_size=3), st.integers(0, 2), st.data())
def test_any_chunking_of_placed_records_gives_the_same_records(rows, cuts, overlap, data):
    placed = [(row, (n * 10, n * 10 + 9)) for n, row in enumerate(rows)]
    edges = sorted({0, len(rows), *(min(cut, len(rows)) for cut in cuts)})
    chunks = [placed[max(0, low - overlap) : high] for low, high in pairwise(edges)]
    outcomes = [
        ChunkOutcome(n, [row for row, _ in chunk], spans=tuple(span for _, span in chunk))
        for n, chunk in enumerate(chunks)
    ]
    merged = merge(data.draw(st.permutations(outcomes)), ARRAY, "none")
    assert merged.data == rows
    assert list(merged.spans) == [span for _, span in placed]
