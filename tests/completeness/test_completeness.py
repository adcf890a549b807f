"""The certificate: totals that pages state, and results held against the page's units (CM-1, EX-6)."""

import pytest
from gleaner.completeness.certificate import Certificate, StatedTotal, certify, stated_total
from gleaner.completeness.likeness import is_unlike
from gleaner.units import PlacedUnit
from gleaner.units.totals import has_next_page, stated_page
from hypothesis import given
from hypothesis import strategies as st


def units_of(count: int, *, group: int = 0, start: int = 100, score: float = 0.9) -> list[PlacedUnit]:
    return [PlacedUnit(group, at, start + at * 10, start + at * 10 + 9, score, "row") for at in range(count)]


def certified(units: list[PlacedUnit], answered: set[int], **more: object) -> Certificate:
    settings: dict[str, object] = {"returned": len(answered), "markdown": "x" * 2000, **more}
    return certify(units=units, answered=answered, **settings)  # type: ignore[arg-type]


@pytest.mark.req("CM-1")
def test_a_number_inside_a_unit_is_no_total() -> None:
    text = "# Cars\n\nBundle of 3 products\n\n2 results"
    unit = PlacedUnit(0, 0, 8, 28, 0.9, "card")
    stated = stated_total(text, [unit])
    assert stated is not None
    assert stated.total == 2


@pytest.mark.req("CM-1")
def test_pages_are_read_apart_from_records() -> None:
    assert stated_page("Seite 2 von 12") == (2, 12)
    assert has_next_page("Page 1 of 12")
    assert has_next_page("1 2 3 4 … 12")
    assert has_next_page("1 2 3 Next")
    assert not has_next_page("Page 12 of 12")
    assert not has_next_page("Next to the river")


@pytest.mark.req("CM-1", "EX-6")
def test_a_unit_that_nothing_answers_makes_the_result_short() -> None:
    certificate = certified(units_of(20), set(range(20)) - {4}, chunk_starts=[0, 120])
    assert certificate.is_short
    assert certificate.completeness.method == "units"
    assert (certificate.completeness.expected, certificate.completeness.returned) == (20, 19)
    [missing] = certificate.completeness.missing
    assert (missing.unit, missing.chunk, missing.start, missing.end) == (4, 1, 140, 149)
    assert certificate.warnings[0].startswith("19 of 20 records")


@pytest.mark.req("EX-6")
def test_a_unit_that_was_skipped_on_purpose_is_not_missing() -> None:
    certificate = certified(units_of(20), set(range(19)), skipped={19})
    assert not certificate.is_short
    assert (certificate.completeness.expected, certificate.completeness.skipped) == (19, 1)


@pytest.mark.req("CM-1")
def test_all_units_answered_is_complete_and_silent() -> None:
    certificate = certified(units_of(20), set(range(20)))
    assert not certificate.is_short
    assert certificate.warnings == ()


@pytest.mark.req("CM-1")
def test_an_empty_list_from_a_page_of_units_is_short() -> None:
    assert len(certified(units_of(20), set()).completeness.missing) == 20


@pytest.mark.req("CM-1")
def test_the_groups_that_were_answered_are_the_records() -> None:
    units = units_of(10) + units_of(5, group=1, start=500, score=0.2)
    certificate = certified(units, set(range(10, 15)))
    assert not certificate.is_short
    assert certificate.completeness.expected == 5


@pytest.mark.req("CM-1")
def test_one_chance_match_elsewhere_does_not_ask_for_the_whole_navigation() -> None:
    units = units_of(10) + units_of(30, group=1, start=500, score=0.2)
    assert not certified(units, set(range(11)), returned=10).is_short


@pytest.mark.req("CM-1")
def test_a_box_around_an_answered_unit_is_not_missing() -> None:
    cards = units_of(6)
    rows = [PlacedUnit(1, at, 100 + at * 30, 129 + at * 30, 0.85, "card") for at in range(2)]
    assert not certified(cards + rows, {0, 1, 2, 3, 4, 5, 6}, returned=6).is_short


@pytest.mark.req("CM-1")
def test_an_object_that_the_page_gave_nothing_for_is_short_and_says_so() -> None:
    certificate = certify(returned=0, is_list=False)
    assert (certificate.is_short, certificate.completeness.returned) == (True, 0)
    assert certificate.warnings == ("The page gave no value for the object that the schema describes.",)


@pytest.mark.req("CM-1")
def test_a_single_object_never_raises_a_false_alarm() -> None:
    certificate = certify(returned=1, units=units_of(8), is_list=False)
    assert not certificate.is_short
    assert (certificate.completeness.expected, certificate.completeness.method) == (1, "single")
    assert certify(returned=0, is_list=False).is_short


@pytest.mark.req("CM-1")
def test_a_page_without_units_is_unknown_and_not_short() -> None:
    certificate = certify(returned=3)
    assert certificate.completeness.method == "unknown"
    assert certificate.completeness.expected is None
    assert not certificate.is_short


@pytest.mark.req("CM-1")
def test_without_units_the_stated_total_is_expected() -> None:
    text = "12 results"
    assert certify(returned=9, stated=stated_total(text), markdown=text).is_short
    assert not certify(returned=12, stated=stated_total(text), markdown=text).is_short
    assert certify(returned=15, stated=stated_total(text), markdown=text).completeness.method == "unknown"


@pytest.mark.req("CM-1")
def test_a_range_expects_what_this_page_shows_and_tells_of_the_rest() -> None:
    text = "1–20 of 240".ljust(2000, "x")
    certificate = certified(units_of(20), set(range(20)), stated=stated_total("1–20 of 240"), markdown=text)
    assert not certificate.is_short
    assert certificate.completeness.expected == 20
    assert "240" in certificate.warnings[0]


@pytest.mark.req("CM-1")
def test_a_stated_total_above_the_units_makes_the_result_short() -> None:
    certificate = certified(units_of(20), set(range(20)), stated=stated_total("24 results"))
    assert certificate.is_short
    assert (certificate.completeness.expected, certificate.completeness.method) == (24, "stated_total")


@pytest.mark.req("CM-1")
def test_a_stated_total_on_a_page_of_several_only_warns() -> None:
    text = "240 results" + "\n" * 400 + "Page 1 of 12"
    certificate = certified(units_of(20), set(range(20)), stated=stated_total(text), markdown=text)
    assert not certificate.is_short
    assert certificate.completeness.expected == 20
    assert any("12" in warning for warning in certificate.warnings)


@pytest.mark.req("CM-1")
def test_a_loose_number_only_warns() -> None:
    stated = StatedTotal(50, None, None, 0, 9, "50 Sheep", "loose")
    assert not certified(units_of(20), set(range(20)), stated=stated).is_short


@pytest.mark.req("CM-1")
def test_a_total_far_from_the_listing_is_about_something_else() -> None:
    stated = StatedTotal(500, None, None, 90_000, 90_011, "500 results")
    assert not certified(units_of(20), set(range(20)), stated=stated).is_short


@pytest.mark.req("CM-1")
def test_more_records_than_units_is_warned_of() -> None:
    certificate = certified(units_of(5), set(range(5)), returned=7)
    assert not certificate.is_short
    assert "7 records" in certificate.warnings[0]


@pytest.mark.req("CM-1")
def test_units_answered_by_fewer_records_are_told() -> None:
    certificate = certified(units_of(5), set(range(5)), returned=4)
    assert not certificate.is_short
    assert "may cover several" in certificate.warnings[0]


@pytest.mark.req("CM-1")
@given(st.integers(1, 60), st.data())
def test_no_result_is_complete_while_a_unit_is_neither_answered_nor_skipped(count: int, data: st.DataObject) -> None:
    marks = data.draw(st.lists(st.sampled_from("ask"), min_size=count, max_size=count))
    answered = {at for at, mark in enumerate(marks) if mark == "a"}
    skipped = {at for at, mark in enumerate(marks) if mark == "s"}
    certificate = certified(units_of(count), answered, skipped=skipped)
    open_units = count - len(answered) - len(skipped)
    assert certificate.is_short == (open_units > 0)
    assert len(certificate.completeness.missing) == open_units


@pytest.mark.req("CM-1")
@given(st.text(alphabet="0123456789 ofvon-–,.件全results\n|", max_size=200))
def test_any_text_gives_a_total_within_it_or_none(text: str) -> None:
    stated = stated_total(text)
    if stated is not None:
        assert text[stated.start : stated.end].strip() == stated.text
        assert 0 < stated.shown <= stated.total


@pytest.mark.req("CM-1")
def test_running_text_among_pieces_of_running_text_is_no_remark() -> None:
    terms = [f"{name}\n:   This is what people call it by the sea." for name in ("Jib", "Keel", "Luff")]
    assert not is_unlike(terms[1], [terms[0], terms[2]])
    assert is_unlike("All of these words are used by sailors every day.", ["Jib, a sail", "Keel, a beam"])


@pytest.mark.req("CM-1")
def test_units_that_were_skipped_are_no_part_of_a_stated_total() -> None:
    stated = StatedTotal(10, None, None, 95, 98, "10 results")
    short = certified(units_of(6), set(range(5)), skipped={5}, stated=stated)
    assert (short.is_short, short.completeness.expected, short.completeness.skipped) == (True, 9, 1)


@pytest.mark.req("CM-1")
def test_the_last_page_of_a_listing_is_no_reason_to_warn() -> None:
    said = [certified(units_of(3), {0, 1, 2}, markdown=f"Page {page} of 5\n" + "x" * 300).warnings for page in (5, 4)]
    assert said == [(), ("This is page 4 of 5; the listing continues.",)]


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("text", ["40–21 of 240", "21–40 of 30", "0–20 of 240", "1–20 of 0"])
def test_a_range_that_can_not_be_is_no_total(text: str) -> None:
    assert stated_total(text) is None


@pytest.mark.req("CM-1")
def test_the_listing_below_a_few_deals_of_its_kind_is_missing_when_only_these_came_back() -> None:
    deals, listing = units_of(3, score=0.3), units_of(8, group=1, start=300)
    markdown = " " * 100 + "Lamp $5. " * 3 + "\n" * 173 + "Lamp $7. \n" * 20
    found = certified([*deals, *listing], {0, 1, 2}, markdown=markdown)
    assert (found.is_short, len(found.completeness.missing)) == (True, 8)
    other = certified([*deals, *listing], {0, 1, 2}, markdown=markdown.replace("Lamp $7", "Contact"))
    assert not other.is_short


@pytest.mark.req("CM-1")
def test_what_one_chunk_passed_over_is_settled_though_another_chunk_took_other_pieces_for_units() -> None:
    units = [*units_of(4, score=0.01), *units_of(4, group=1, score=0.01)]
    assert not certified(units, {1, 6, 7}, skipped={0}, returned=3).is_short
    assert certified(units, {1, 6}, skipped={0}, returned=2).is_short


@pytest.mark.req("CM-1")
def test_two_messages_in_a_row_that_were_passed_over_are_no_record_though_they_read_like_one() -> None:
    markdown = " " * 100 + "Lamp is there. It is $5. \n" * 3 + "\n" * 122 + "Lamp $7. \n" * 20
    messages = [PlacedUnit(0, at, at, at + 14, 0.3, "card") for at in (100, 126, 152)]
    messages += [PlacedUnit(0, at, at + 15, at + 24, 0.3, "card") for at in (100, 126, 152)]
    pairs = [PlacedUnit(1, at, at, at + 24, 0.9, "card") for at in (100, 126, 152)]
    units = [*messages, *pairs, *units_of(8, group=2, start=300)]
    assert not certified(units, {*range(9, 17)}, skipped={*range(6)}, markdown=markdown).is_short
    assert certified(units, {*range(9, 17)}, skipped={0, 1, 2}, markdown=markdown).is_short


@pytest.mark.req("CM-1")
@pytest.mark.parametrize(
    ("text", "is_remark"),
    [
        ("Counted by five people between 6 and 10.", True),
        ("(hard to count before 9)", True),
        ("Heron: 3, counted twice at the lake.", False),
        ("Heron 3 Lake", False),
        ("Heron: 3, Lake", False),
        ("Grey heron 3.", False),
    ],
)
def test_a_sentence_among_records_that_are_none_is_a_remark_if_it_parts_no_values(text: str, is_remark: bool) -> None:
    given = ["Mallard: 14, Lake", "Mute swan: 3, Bay", "Lapwing: 8, Fen"]
    assert is_unlike(text, given) is is_remark
    assert not is_unlike(text, [f"{one}, and there were more of them." for one in given])


@pytest.mark.req("CM-2")
def test_a_note_with_a_house_number_is_unlike_records_that_state_a_day_and_a_time() -> None:
    given = ["Tuesday, March 23, 2026 @ 8:30 a.m.", "Monday, July 12, 2026 @ 8:00 a.m."]
    assert is_unlike(
        "All meetings are held at The Old Mill, 10437 S. Western Ave. We post a link ten days before.", given
    )
    assert not is_unlike("Friday, May 1, 2026, in the hall", given)


@pytest.mark.req("CM-1")
def test_a_section_with_the_label_of_the_others_is_no_remark_though_it_lacks_their_list() -> None:
    others = [f"## {name}\n\nDecision: It is put off to May.\n\n- Ann Lee: call them" for name in ("Roof", "Garden")]
    assert not is_unlike("## Accounts\n\nDecision: The accounts are approved.", others)
    assert is_unlike("## How to come\n\nTake the bus to the last stop, and walk.", others)
