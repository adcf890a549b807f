"""Where a value stands in a text: whole words and whole numerals, in any locale, in any common notation."""

import pytest
from gleaner.values.texts.folding import fold
from gleaner.values.texts.text_index import TextIndex
from hypothesis import given
from hypothesis import strategies as st


def stated(text: str, value: object) -> list[str]:
    return [text[match.start : match.end] for match in TextIndex(text).find(value)]


@pytest.mark.req("PR-1")
def test_a_verbatim_match_is_the_value_itself():
    text = "x 😀 **Blue** `Mug` 1299 2,50 Straße"
    for value in ("Blue", "Mug", 1299, "Straße"):
        (match,) = TextIndex(text).find(value)
        assert match.status == "verbatim"
        assert text[match.start : match.end] == str(value)
    (match,) = TextIndex(text).find(2.5)
    assert (match.status, match.transform) == ("normalized", "number")


@pytest.mark.req("PR-1")
@given(st.text(max_size=80))
def test_folding_maps_every_character_back_into_the_text(text):
    folded = fold(text)
    for position in range(len(folded.text)):
        start, end = folded.start_of(position), folded.end_of(position + 1)
        assert 0 <= start <= end <= len(text)


@given(st.text(max_size=40), st.text(alphabet="abcdefgh 0123456789éß東", min_size=1, max_size=12), st.text(max_size=40))
def test_a_value_that_stands_between_blanks_is_found_where_it_stands(before, value, after):
    value = value.strip() or "x"
    text = f"{before.replace('[', '')} \n{value}\n {after}"
    place = len(before.replace("[", "")) + 2
    assert any(match.start <= place < match.end for match in TextIndex(text).find(value))


@pytest.mark.req("PR-1")
@given(st.text(max_size=60), st.one_of(st.text(max_size=20), st.floats(allow_nan=False), st.integers()))
def test_any_text_and_any_value_give_places_inside_the_text(text, value):
    for match in TextIndex(text).find(value):
        assert 0 <= match.start < match.end <= len(text)
        assert match.status in ("verbatim", "normalized")


@pytest.mark.req("PR-1")
@given(st.integers(0, 10**9), st.sampled_from(["{:,}", "{:,}.00", "{}"]))
def test_an_integer_is_found_however_it_is_grouped(number, form):
    english = form.format(number)
    german = english.translate(str.maketrans(",.", ".,"))
    for written in (english, german):
        assert [written] == stated(f"only {written} left", number)


@pytest.mark.req("PR-1")
def test_the_number_of_a_version_is_stated_behind_its_v() -> None:
    index = TextIndex("v3.16.23\n\nMSRV: v1.57.0, not rev2.5.1")
    assert [index.text[m.start : m.end] for m in index.find("3.16.23") + index.find("1.57.0")] == ["3.16.23", "1.57.0"]
    assert index.find("2.5.1") == index.find("3.16.2") == ()


@pytest.mark.parametrize("text", ["Posted 2 Jan 2026, 10:40 by Ann", "Final, 10 Oct in Oslo"])
def test_the_numbers_of_dates_and_of_times_beside_them_are_parts_of_dates(text: str):
    assert {match.transform for match in TextIndex(text).find(10)} == {"date_part"}


@pytest.mark.req("PR-1")
def test_an_english_ago_is_no_month_of_august() -> None:
    assert [match.transform for match in TextIndex("2 hours ago · 3 replies").find(3)] == [None]
    assert [match.transform for match in TextIndex("Roma, 3 ago 2026").find(3)] == ["date_part"]


@pytest.mark.req("PR-1")
def test_a_yes_is_not_stated_by_a_one_whichever_was_asked_first():
    index = TextIndex("1 lamp, 0 chairs")
    assert [bool(index.find(value)) for value in (1, True, 0, False, 1.0)] == [True, False, True, False, True]
