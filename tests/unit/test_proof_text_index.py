"""Where a value stands in a text: whole words and whole numerals, in any locale, in any common notation."""

import pytest
from gleaner.grounding import TextIndex
from gleaner.grounding.text.folding import fold
from hypothesis import given
from hypothesis import strategies as st


def stated(text: str, value: object) -> list[str]:
    return [text[match.start : match.end] for match in TextIndex(text).find(value)]


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("text", "value", "found"),
    [
        ("Price: $1,299.00", 1299, ["1,299.00"]),
        ("Preis: 1.299,00 €", 1299.0, ["1.299,00"]),
        ("Prix : 1 299,00 €", 1299, ["1 299,00"]),
        ("Prix : 1\u202f299,00 €", 1299, ["1\u202f299,00"]),
        ("Fr. 1'299.50", 1299.5, ["1'299.50"]),
        ("₹ 12,34,567", 1234567, ["12,34,567"]),
        ("٣٫٥ نجوم", 3.5, ["٣٫٥"]),
        ("１２３円", 123, ["１２３"]),
        ("up 15% today", 0.15, ["15%"]),
        ("up 15 % today", 15, ["15"]),
        ("1.2M views", 1200000, ["1.2M"]),
        ("3,5 Mio. Euro", 3500000, ["3,5 Mio"]),
        ("-20% off", 20, ["20"]),
        ("it is -5 °C", -5, ["-5"]),
        ("it is −5 °C", -5, ["5"]),
        ("loss (5.00)", -5, ["(5.00)"]),
        ("10–20 people", 20, ["20"]),
        ("½ cup, 1½ spoons", 1.5, ["1½"]),
        ("rated ★★★★☆", 4, ["★★★★"]),
        ("a 15 256 b", 256, ["256"]),
        ("| 0.125 |", 0.125, ["0.125"]),
        ("v1.2.3", 3, ["3"]),
        ("6.02e23 atoms", 6.02e23, ["6.02e23"]),
        ("radius 8.414 × 10^-16 m", 8.414e-16, ["8.414 × 10^-16"]),
        ("1,5×10⁻³ mol", 0.0015, ["1,5×10⁻³"]),
        ("总价320万元", 3200000, ["320万"]),
        ("1億2,000万円", 120000000, ["1億2,000万"]),
        ("closed down 29.62 points", -29.62, ["29.62"]),
        ("Entrée libre", 0, ["Entrée libre"]),
        ("入場無料", 0, ["無料"]),
        ("2 hours ago · 3 replies", 3, ["3"]),
    ],
)
def test_a_number_is_found_in_any_notation(text, value, found):
    assert stated(text, value) == found


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("15", 5), ("2.5", 5), ("2.5", 2), ("$1,299.00", 299), ("$1,299.00", 1), ("it is -5", 5), ("1299", 1298),
        ("Alabama", "Al"), ("category", "cat"), ("AB123", "AB"), ("AB123", "123x"), ("2.5", "5"), ("1,299", "299"),
        ("C++ and C#", "C"), ("Tired Mug Deluxe", "red Mug Deluxe"), ("RED MUGSHOT", "RED MUGS"),
        ("$5", "€5"), ("5 €", "5 USD"), ("-5", "+7"), ("", "x"), ("text", "—"), ("12.50", 12.05),
        ("snow ball", "snowball"), ("4,68", 4.7), ("1億2,000万円", 100000000), ("285 000 EUR", 285),
        ("9" * 5000, 9), ("https://e.com/p/12", "https://e.com/p/1"), ("code 007", "7"), ("room 7", "007"),
        ("| 30 | Nov 2025 |", "2025-11-30"), ("it is 5", "-5"), ("it is 1.2", "1 2"), ("10-20", "10.20"),
        ("[a](https://e.com/p?x=1)", "https://e.com/p?x=2"),
    ],
)  # fmt: skip
def test_a_part_of_a_word_or_of_a_numeral_proves_nothing(text, value):
    assert stated(text, value) == []


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("text", "value", "found"),
    [
        ("**Blue** Mug", "Blue Mug", "Blue** Mug"),
        ('the [Blue Mug](/p/1 "x") here', "the Blue Mug here", 'the [Blue Mug](/p/1 "x") here'),
        ("snake\\_case", "snake_case", "snake\\_case"),
        ("caf&eacute; noir", "Café Noir", "caf&eacute; noir"),
        ("cafe\u0301", "café", "cafe\u0301"),
        ("Ｆｕｌｌ ｗｉｄｔｈ", "full width", "Ｆｕｌｌ ｗｉｄｔｈ"),
        ("“Don’t” – he said", '"Don\'t" - he said', "Don’t” – he said"),
        ("wrapped |\n| text", "wrapped text", "wrapped |\n| text"),
        ("a\u00a0b", "a b", "a\u00a0b"),
        ("soft\u00adhyphen", "softhyphen", "soft\u00adhyphen"),
        ("STRASSE", "Straße", "STRASSE"),
        ("weighs 5kg", "5 kg", "5kg"),
        ("SaleRed Mug Deluxe", "Red Mug Deluxe", "Red Mug Deluxe"),
        ("Red Mug DeluxeNew", "Red Mug Deluxe", "Red Mug Deluxe"),
        ("価格は東京都で", "東京", "東京"),
        ("😀 Blue 😀 Mug", "Mug", "Mug"),
        ("Tom &amp; Jerry", "Tom & Jerry", "Tom &amp; Jerry"),
        ("H<sub>2</sub>O<br>x", "O x", "O<br>x"),
    ],
)
def test_a_text_is_found_through_markup_case_and_unicode(text, value, found):
    assert stated(text, value) == [found]


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    "text",
    [
        "12 Mar 2026", "March 12, 2026", "12.03.2026", "12. 3. 2026", "2026/03/12", "12th of March 2026",
        "12 mars 2026", "12 de marzo de 2026", "12. März 2026", "2026年3月12日", "12-Mar-26",
        "Thu, 12 March 2026", "20260312", "12/03/26", "12 марта 2026", "Mar. 12 2026", "12 marca 2026",
        "2026-3-12", "2026-03-12T08:00:00Z",
    ],
)  # fmt: skip
def test_a_date_is_found_in_any_common_form(text):
    assert len(stated(f"on {text}.", "2026-03-12")) >= 1
    assert stated(f"on {text}.", "2026-03-13") == []
    assert stated(f"on {text}.", "2025-03-12") == []


@pytest.mark.req("PR-1")
def test_an_ambiguous_date_grounds_both_of_its_readings_as_normalized():
    index = TextIndex("on 03/04/2026")
    for value in ("2026-04-03", "2026-03-04"):
        assert [match.status for match in index.find(value)] == ["normalized"]
    assert index.find("2026-04-04") == ()


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("text", "value", "is_found"),
    [
        ("12 Mar 2026, 2:30 pm", "2026-03-12T14:30:00", True),
        ("12 Mar 2026, 2:30 pm", "2026-03-12T14:30:00Z", False),
        ("12 Mar 2026, 2:30 pm", "2026-03-12T15:30:00", False),
        ("12 Mar 2026", "2026-03-12T00:00:00", True),
        ("12 Mar 2026", "2026-03-12T09:00:00", False),
        ("doors 14:30", "2:30 PM", True),
        ("doors 14:30", "14:31", False),
        ("in March 2026", "2026-03", True),
        ("in March 2026", "2026-03-01", False),
        ("12.03.2026", "March 12, 2026", True),
        ("in 2026", 2026, True),
        ("2026-03-12T14:30:00+01:00", "2026-03-12T14:30:00+01:00", True),
        ("2026-03-12T14:30:00.000+01:00", "2026-03-12T14:30:00Z", False),
        ("2026-03-12T14:30:00-0500", "2026-03-12T14:30:00+05:00", False),
        ("12 March 2026, 14:30 UTC", "2026-03-12T14:30:00+05:00", False),
        ("12 March 2026, 14:30 GMT+1", "2026-03-12T14:30:00+01:00", True),
        ("12 March 2026, 14:30 UTC+5:30", "2026-03-12T14:30:00+05:30", True),
        ("12 March 2026, 14:30 GMT", "2026-03-12T14:30:00", True),
        ("12 March 2026, 14:30", "2026-03-12T14:30:00+05:00", False),
        ("12 March 2026, 14:30-16:00", "2026-03-12T14:30:00", True),
        ("All times are UTC. 12 March 2026, 14:30-16:00", "2026-03-12T14:30:00Z", True),
        ("12 March 2026, 14:30. Times in CEST", "2026-03-12T14:30:00+02:00", True),
        ("12 March 2026, 14:30. Times in CEST", "2026-03-12T14:30:00Z", False),
        ("12 March 2026, 14:30 CET", "2026-03-12T14:30:00+01:00", True),
    ],
)
def test_a_moment_is_found_with_its_time(text, value, is_found):
    assert bool(stated(text, value)) is is_found


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("text", "value", "is_found"),
    [
        ("[a](/p/1)", "https://e.com/p/1", True),
        ("[a](/p/1)", "https://e.com/p/2", False),
        ("[a](https://e.com/p/1)", "https://e.com/p/1/", True),
        ("[a](https://other.com/p/1)", "https://e.com/p/1", False),
        ("[a](../p/1?x=1&amp;y=2)", "https://e.com/shop/p/1?x=1&y=2", True),
        ("see https://e.com/p/1.", "https://e.com/p/1", True),
        ("[a](</p/a b>)", "https://e.com/p/a%20b", True),
        ("[mail](mailto:a@b.example)", "a@b.example", True),
    ],
)
def test_an_address_is_found_from_its_absolute_form(text, value, is_found):
    assert bool(stated(text, value)) is is_found


@pytest.mark.req("PR-1")
def test_a_currency_is_found_by_its_sign_and_an_amount_by_its_number():
    assert stated("for $5.00", "USD") == ["$"]
    assert stated("for $5.00", "EUR") == []
    assert stated("for $1,299.00", "1299 USD") == ["1,299.00"]
    assert stated("for 1.299,00 €", "$1,299.00") == []


@pytest.mark.req("PR-1")
def test_a_true_is_not_read_out_of_a_refusal():
    index = TextIndex("not available")
    assert index.find(True) == ()
    assert len(index.find(False)) == 1


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


def test_a_unit_is_stated_whole_and_a_currency_beside_it_counts():
    index = TextIndex("Pay: £12.40 per hour. Revenue SEK 7.9 billion. Posted 2 hours ago.")
    assert index.find("£12.40 per hour") and index.find("SEK 7.9 billion") and index.find("2 hours ago")
    assert not (index.find("$12.40 per hour") or index.find("EUR 7.9 billion") or index.find("2 hours a"))


def test_a_part_of_a_code_is_another_code():
    index = TextIndex("Article no. FK-0900-B, see also AB-12.")
    assert index.find("FK-0900-B") and index.find("AB-12")
    assert not index.find("FK-0900")


@pytest.mark.parametrize("text", ["Posted 2 Jan 2026, 10:40 by Ann", "Final, 10 Oct in Oslo"])
def test_the_numbers_of_dates_and_of_times_beside_them_are_parts_of_dates(text: str):
    assert {match.transform for match in TextIndex(text).find(10)} == {"date_part"}


@pytest.mark.req("PR-1")
def test_an_english_ago_is_no_month_of_august() -> None:
    assert [match.transform for match in TextIndex("2 hours ago · 3 replies").find(3)] == [None]
    assert [match.transform for match in TextIndex("Roma, 3 ago 2026").find(3)] == ["date_part"]


@pytest.mark.req("PR-1")
def test_a_name_between_escaped_angles_is_no_tag() -> None:
    assert stated(r"[09:01] \<ada> hi <b>all</b>", "ada") == ["ada"]


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("page", "value", "is_stated"),
    [
        (r"### impl Vec\<String> now", "impl Vec<String> now", True),
        (r"type Item = \<I as Iterator>::Item", "type Item = <I as Iterator>::Item", True),
        (r"The \<div> element", "The <div> element", True),
        ("a `Vec<u8>` of bytes", "Vec<String>", False),
        ("Vec", "Vec<String>", False),
        ("the price is 5", "<b>5</b>", True),
    ],
)
def test_names_between_angles_are_words_and_tags_are_none(page: str, value: str, is_stated: bool) -> None:
    assert bool(TextIndex(page).find(value)) is is_stated


@pytest.mark.parametrize("text", ["12 مارس 2026", "12 במרץ 2026 12 מרץ 2026", "12 Μαρτίου 2026"])
def test_months_are_known_in_other_alphabets(text: str):
    assert TextIndex(text).find("2026-03-12")
    assert not TextIndex(text).find("2026-12-03")


@pytest.mark.req("PR-1")
def test_a_yes_is_not_stated_by_a_one_whichever_was_asked_first():
    index = TextIndex("1 lamp, 0 chairs")
    assert [bool(index.find(value)) for value in (1, True, 0, False, 1.0)] == [True, False, True, False, True]
