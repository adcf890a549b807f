"""A numeral or a date that could be read in two ways is read as the page's others are."""

import pytest
from gleaner.page.opening import open_page
from gleaner.values.texts.text_index import TextIndex

from tests.support.told import told as prove

GERMAN = "Kupon 4,50 %, Kupon 0,75 %, Kurs 101,25, Rendite 5,406 %, Volumen 1.250"
ENGLISH = "Coupon 4.50 %, coupon 0.75 %, price 1,101.25, yield 5.406 %, volume 1,250"
UNCLEAR = "Coupon 5,406 and volume 1.250; rooms 1,2 and 3,4 and 5,6"


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize(
    ("text", "stated", "refused"),
    [
        (GERMAN, [5.406, 1250, 4.5, 101.25], [5406, 1.25]),
        (ENGLISH, [5.406, 1250, 1101.25], [5406, 1.25]),
        (UNCLEAR, [5.406, 5406, 1.25, 1250], []),
        ("1.234.567 und 2.345.678 und 3.456.789 oder 5.406", [5406, 1234567], [5.406]),
    ],
)
def test_a_numeral_of_two_readings_is_read_by_the_pages_custom(
    text: str, stated: list[float], refused: list[float]
) -> None:
    index = TextIndex(text)
    assert [value for value in stated if not index.find(value)] == []
    assert [value for value in refused if index.find(value)] == []


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize(
    ("text", "stated", "refused"),
    [
        ("03/04/2026 and 28/04/2026", ["2026-04-03"], ["2026-03-04"]),
        ("03/04/2026 and 04/28/2026", ["2026-03-04"], ["2026-04-03"]),
        ("03/04/2026", ["2026-04-03", "2026-03-04"], []),
        ("03/04/2026, 28/04/2026 and 04/28/2026", ["2026-04-03", "2026-03-04"], []),
        ("03.04.2026, 2026-05-06 and 28/04/2026", ["2026-04-03", "2026-05-06"], ["2026-06-05"]),
    ],
)
def test_a_date_of_two_readings_is_read_in_the_order_of_the_others(
    text: str, stated: list[str], refused: list[str]
) -> None:
    index = TextIndex(text)
    assert [value for value in stated if not index.find(value)] == []
    assert [value for value in refused if index.find(value)] == []


@pytest.mark.req("PR-1")
def test_a_mark_out_of_ten_is_no_day_of_october() -> None:
    assert TextIndex("Rated 7.8 out of 10").find(7.8)
    assert TextIndex("Scored 8 out of 10").find(8)
    assert TextIndex("Lisboa, 8 out 2020").find("2020-10-08")


@pytest.mark.req("PR-1")
def test_a_number_before_a_date_is_no_day_of_it() -> None:
    assert TextIndex("Likes: 18 January 17, 2021").find(18)
    assert TextIndex("Likes: 18 January 17, 2021").find("2021-01-17")
    assert TextIndex("Likes: 7 22 Mar 2024").find(7)
    assert TextIndex("Likes: 7 22 Mar 2024").find("2024-03-22")
    assert not TextIndex("Likes: 7 22 Mar 2024").find("2024-03-07")
    assert TextIndex("March 3 12 likes").find(12)
    for text in ("7-22 March 2024", "7 to 22 March 2024", "March 7–22, 2024"):
        assert all(TextIndex(text).find(day) for day in ("2024-03-07", "2024-03-22"))


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize("text", ["€ 285.000", "$285,000", "285.000 €", "CHF 285'000"])
def test_a_round_sum_of_money_is_not_read_as_one_with_three_decimals(text: str) -> None:
    assert TextIndex(text).find(285000)
    assert not TextIndex(text).find(285)


@pytest.mark.req("PR-1")
def test_money_that_may_have_three_decimals_keeps_both_readings() -> None:
    assert all(TextIndex("€ 1.799").find(value) for value in (1.799, 1799))
    assert all(TextIndex("$45,125").find(value) for value in (45.125, 45125))


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize(
    ("language", "text", "refused"),
    [
        ("nl", "Opgericht 2-11-2004", {"2004-02-11"}),
        ("en-GB", "Founded 2/11/2004", {"2004-02-11"}),
        ("en-US", "Founded 2/11/2004", set[str]()),
        ("de", "2/11/2004, 12/28/2004", {"2004-11-02"}),
        ("de", "2/11/2004, 12/28/2004, 28/12/2004", set[str]()),
    ],
)
def test_the_language_of_a_page_says_which_part_of_a_date_comes_first(
    language: str, text: str, refused: set[str]
) -> None:
    html = f'<html lang="{language}"><body>{text}</body></html>'
    days = ["2004-11-02", "2004-02-11"]
    found = {day: prove({"day": day}, text, page=open_page(html))[0].status for day in days}
    assert {day for day, status in found.items() if status == "ungrounded"} == refused


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("Ώρα 5:30 μ.μ.", "17:30", "05:30"),
        ("Ώρα 9:00 π.μ.", "09:00", "21:00"),
        ("الساعة 5:30 م", "17:30", "05:30"),
        ("lúc 7:15 tối", "19:15", "07:15"),
        ("a las 8:00 de la tarde", "20:00", "08:00"),
        ("a las 8:00 de la mañana", "08:00", "20:00"),
    ],
)
def test_words_for_the_halves_of_the_day_tell_which_one_is_meant(text: str, right: str, wrong: str) -> None:
    assert [prove({"starts": time}, text)[0].status for time in (right, wrong)] == ["normalized", "ungrounded"]


@pytest.mark.req("PR-1")
def test_a_month_in_figures_may_end_a_sentence() -> None:
    assert prove({"expires": "2027-09"}, "Batch K, expires 09/2027.")[0].status == "normalized"
