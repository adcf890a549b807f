"""Values become what the schema declares by declared transforms, and only without doubt (SC-4)."""

from decimal import Decimal
from typing import Any

import pytest
from gleaner.coercion import TRANSFORMS, Coerced, coerce, transforms_for
from gleaner.schemas import is_valid
from gleaner.values.dates import parse_date
from gleaner.values.locales import month_numbers
from gleaner.values.numbers import parse_number
from hypothesis import given
from hypothesis import strategies as st

NUMBER = {"type": "number"}
INTEGER = {"type": "integer"}
BOOLEAN = {"type": "boolean"}
DATE = {"type": "string", "format": "date"}
DATE_TIME = {"type": "string", "format": "date-time"}


def outcome(schema: Any, value: Any, **hints: Any) -> tuple[Any, str]:
    coerced = coerce(schema, value, **hints)
    return coerced.value, ",".join(coerced.transforms.values())


@pytest.mark.req("SC-4")
@pytest.mark.parametrize(
    ("text", "value", "transform"),
    [
        ("$1,299.00", 1299.0, "money"),
        ("1.299,00 €", 1299.0, "money"),
        ("1 299,00 kr", 1299.0, "money"),
        ("1\u202f299,00\xa0€", 1299.0, "money"),
        ("1'299.-", 1299, "money"),
        ("CHF 1’299.50", 1299.5, "money"),
        ("5,-", 5, "money"),
        ("5,– €", 5, "money"),
        ("€1,299", 1299, "money"),
        ("US$ 12", 12, "money"),
        ("$12 USD", 12, "money"),
        ("R$ 1.234,56", 1234.56, "money"),
        ("1234,56 zł", 1234.56, "money"),
        ("₹1,23,456.78", 123456.78, "money"),
        ("¥1,299", 1299, "money"),
        ("1299円", 1299, "money"),
        ("Rp 12.500", 12500, "money"),
        ("1.299.000 ₫", 1299000, "money"),
        ("-$5", -5, "money"),
        ("−5,50 €", -5.5, "money"),
        ("($1,234.50)", -1234.5, "money"),
        ("1,299", 1299, "number"),
        ("1.299", 1.299, "number"),
        ("1,299.5", 1299.5, "number"),
        ("1.299.000", 1299000, "number"),
        ("0,5", 0.5, "number"),
        ("0,125", 0.125, "number"),
        ("12,5", 12.5, "number"),
        ("1 299", 1299, "number"),
        ("−5", -5, "number"),
        ("+5", 5, "number"),
        ("1e5", 100000.0, "number"),
        ("３００", 300, "number"),
        ("١٬٢٩٩٫٥", 1299.5, "number"),
        ("12 %", 12, "percent"),
        ("12,5%", 12.5, "percent"),
        ("1,024 reviews", 1024, "count"),
        ("(312 ratings)", 312, "count"),
        ("1.024 Bewertungen", 1024, "count"),
        ("£5m", 5_000_000, "money"),
        ("1.2k", 1_200, "scale"),
        ("1 1/2", 1.5, "number"),
    ],
)
def test_a_text_with_one_reading_becomes_its_number(text: str, value: float, transform: str) -> None:
    assert outcome(NUMBER, text) == (value, transform)
    assert type(coerce(NUMBER, text).value) is type(value)
    assert TRANSFORMS[transform](text) == value


@pytest.mark.req("SC-4")
@pytest.mark.parametrize(
    "text",
    [
        "5m", "5-10", "$5 - $10", "5–10", "from $10", "ab 10 €", "~5", "<5", "4.5 out of 5", "12 kg",
        "007", "⅓", "½ kg", "1/2",
        "5²", "1 2", "12 34", "1,2,3", "1.2.3", "..5", "1.", "", " ", "NaN", "Infinity", "1_000", "(1,234)", "(312)",
        "1,299 €", "1.299 €", "$1.299", "€1.299", "99¢", "0.12345678901234567890", "9" * 200, "1e999", "abc",
        "— 5", "- 5",
        "1,23,45", "1.23.456,7", "5 €/kg", "2 for $5", "$5 €6", "4,5 Sterne", "12:30", "2026-03-12", "1,,299",
        "--5", "5%%",
    ],
)  # fmt: skip
def test_a_text_in_doubt_stays_as_it_is(text: str) -> None:
    assert outcome(NUMBER, text) == (text, "")


@pytest.mark.req("SC-4")
@pytest.mark.parametrize(("text", "value"), [("½", 0.5), ("2¾", 2.75), ("1 ½", 1.5), ("450:-", 450), ("1⅓", "1⅓")])
def test_fractions_that_a_float_holds_and_swedish_prices_are_numbers(text: str, value: Any) -> None:
    assert coerce(NUMBER, text).value == value


@pytest.mark.req("SC-4")
@pytest.mark.parametrize(
    ("text", "value"), [("45%", 0.45), ("100 %", 1), ("0.5%", "0.5%"), ("1%", "1%"), ("120%", "120%")]
)
def test_a_percentage_is_a_share_where_the_field_ends_at_one(text: str, value: Any) -> None:
    assert coerce({"type": "number", "minimum": 0, "maximum": 1}, text).value == value


def spelled(listed: list[str], text: str) -> Any:
    schema: Any = {"enum": listed}
    return coerce(schema, text).value


@pytest.mark.req("SC-4")
def test_listed_values_may_be_joined_otherwise_in_code_but_not_be_ambiguous() -> None:
    assert spelled(["in_stock", "sold-out"], "In-Stock") == "in_stock"
    assert spelled(["in_stock", "sold-out"], "Sold out") == "sold-out"
    assert spelled(["in_stock", "in-stock"], "In stock") == "In stock"
    assert spelled(["a-1", "a1"], "a 1") == "a 1"


@pytest.mark.req("SC-4")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("1,299", 1299), ("1.299", 1299), ("5.0", 5), ("$1,299.00", 1299), ("5.5", "5.5"), ("0.299", "0.299")),
        *(("1st", 1), ("22nd", 22), ("13th", 13), ("1nd", "1nd"), ("12st", "12st"), ("11st", "11st"), ("0th", "0th")),
    ],
)
def test_an_integer_has_no_decimals_and_an_english_ordinal_its_right_ending(text: str, value: Any) -> None:
    assert coerce(INTEGER, text).value == value


@pytest.mark.req("SC-4")
@pytest.mark.parametrize(
    ("transform", "text"),
    [
        ("money", "-$-5.00"),
        ("money", "($-5.20)"),
        ("url", "ftp://files.example/a"),
        ("url", "mailto:a@e.example"),
        ("url", "https:///nowhere"),
        ("integer", "5.5"),
    ],
)
def test_a_text_that_says_two_things_or_another_is_no_value(transform: str, text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        TRANSFORMS[transform](text)


@pytest.mark.req("SC-4")
def test_the_pages_decimal_mark_settles_what_is_in_doubt() -> None:
    assert outcome(NUMBER, "1.299 €", decimal=",") == (1299, "money")
    assert outcome(NUMBER, "1.299 €", decimal=".") == (1.299, "money")
    assert outcome(NUMBER, "1,299", decimal=",") == (1.299, "number")


@pytest.mark.req("SC-4")
@pytest.mark.parametrize(
    "text",
    [
        "12 Mar 2026", "12 March 2026", "March 12, 2026", "Mar. 12, 2026", "12th of March, 2026",
        "Thursday, March 12, 2026",
        "Thu 12 Mar 2026", "2026 March 12", "12-Mar-2026", "12/Mar/2026", "2026/03/12", "2026.3.12", "20260312",
        "12.03.2026",
        "Do., 12.03.2026",
        "12. 3. 2026", "12. März 2026", "Donnerstag, 12. März 2026", "12. Mrz. 2026", "le 12 mars 2026",
        "jeudi 12 mars 2026",
        "12 de marzo de 2026", "jueves, 12 de marzo de 2026", "12 marzo 2026", "12 de março de 2026", "12 maart 2026",
        "12 mars 2026", "12. marts 2026", "12. maaliskuuta 2026", "12 marca 2026", "12. března 2026",
        "12 марта 2026 г.", "12 मार्च 2026", "১২ মার্চ ২০২৬", "١٢ مارس ٢٠٢٦",
        "12 березня 2026", "12 Mart 2026", "12 martie 2026", "2026. március 12.", "12 Maret 2026", "2026年3月12日",
        "2026년 3월 12일", "２０２６/０３/１２", "2026-3-12", " 2026-03-12 ", "2026-03-12T10:00:00Z", "MARCH 12 2026",
    ],
)  # fmt: skip
def test_a_date_in_any_of_many_languages_becomes_its_day(text: str) -> None:
    assert outcome(DATE, text)[0] == "2026-03-12"
    assert is_valid(DATE, coerce(DATE, text).value)


@pytest.mark.req("SC-4")
@pytest.mark.parametrize(
    "text",
    [
        "03/04/2026", "3-4-2026", "12.3.26", "Mar 2026", "2026", "2026-13-01", "31.02.2026", "30 Feb 2026",
        "yesterday", "today",
        "12 2026 March", "March 2026 12", "12 Foo 2026", "12 Mar 26", "12 Mar", "5 May 2026 7",
        "12 Mar - 14 Mar 2026", "",
        "Week 12, 2026", "Q1 2026", "1773273600", "12 Mar 20261", "before 12 Mar 2026", "M" * 500,
    ],
)  # fmt: skip
def test_a_date_in_doubt_stays_as_it_is(text: str) -> None:
    assert outcome(DATE, text) == (text, "")


@pytest.mark.req("SC-4")
def test_the_order_of_day_and_month_is_known_or_given() -> None:
    assert outcome(DATE, "13/04/2026") == ("2026-04-13", "date")
    assert outcome(DATE, "04/13/2026") == ("2026-04-13", "date")
    assert outcome(DATE, "04/04/2026") == ("2026-04-04", "date")
    assert outcome(DATE, "03/04/2026", day_first=True) == ("2026-04-03", "date")
    assert outcome(DATE, "03/04/2026", day_first=False) == ("2026-03-04", "date")


@pytest.mark.req("SC-4")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2026-03-12 14:30:00Z", "2026-03-12T14:30:00Z"),
        ("2026-03-12T14:30Z", "2026-03-12T14:30:00Z"),
        ("2026-03-12T14:30:00.5+0200", "2026-03-12T14:30:00.5+02:00"),
        ("Thu, 12 Mar 2026 14:30:00 +0100", "2026-03-12T14:30:00+01:00"),
        ("Thu, 12 Mar 2026 14:30:00 GMT", "2026-03-12T14:30:00Z"),
        ("12 March 2026 at 2:30 pm UTC", "2026-03-12T14:30:00Z"),
        ("12 Mar 2026, 12:05 AM UTC+1", "2026-03-12T00:05:00+01:00"),
        ("2026-03-12 14:30:00", None),
        ("12 Mar 2026", None),
        ("2026-03-12 25:00Z", None),
        ("2026-03-12 13:00 pm UTC", None),
        ("2026-03-12 14:30 CET", None),
    ],
)
def test_a_time_needs_the_offset_that_the_text_gives(text: str, value: str | None) -> None:
    assert coerce(DATE_TIME, text).value == (value or text)
    assert (value is None) or is_valid(DATE_TIME, value)


@pytest.mark.req("SC-4")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("in stock", True), (" In Stock ", True), ("available", True), ("yes", True), ("✓", True), ("true", True),
        ("Ja", True),
        ("auf Lager", True), ("en stock", True), ("https://schema.org/InStock", True), ("out of stock", False),
        ("Sold out!", False), ("no", False), ("✗", False), ("ausverkauft", False), ("agotado", False),
        ("在庫なし", False),
        ("http://schema.org/OutOfStock", False), ("limited availability", None), ("only 3 left", None),
        ("1", None), ("", None),
        ("pre-order", None), ("not", None), ("maybe", None), ("in stock soon", None),
    ],
)  # fmt: skip
def test_words_that_say_yes_or_no_become_booleans(text: str, value: bool | None) -> None:
    assert coerce(BOOLEAN, text).value == (text if value is None else value)


@pytest.mark.req("SC-4")
def test_a_field_that_asks_the_opposite_is_not_answered_by_words_about_stock() -> None:
    schema = {"properties": {"sold_out": BOOLEAN, "outOfStock": BOOLEAN, "in_stock": BOOLEAN}}
    assert coerce(schema, {"sold_out": "in stock", "outOfStock": "available"}).transforms == {}
    assert coerce(schema, {"sold_out": "Sold out", "outOfStock": "no", "in_stock": "sold out"}).value == {
        "sold_out": True,
        "outOfStock": False,
        "in_stock": False,
    }


@pytest.mark.req("SC-4")
def test_units_and_scales_are_dropped_only_where_the_field_states_them() -> None:
    schema = {
        "properties": {
            "weight_kg": NUMBER,
            "weight": NUMBER,
            "screen": {"type": "number", "description": "Size in inches"},
            "rating": NUMBER,
            "points": {"type": "number", "maximum": 10},
            "value": NUMBER,
        }
    }
    given_texts = {
        "weight_kg": "12.5 kg", "weight": "12.5 kg", "screen": "27 inches", "rating": "4.5 out of 5",
        "points": "7/10", "value": "7/10",
    }  # fmt: skip
    assert coerce(schema, given_texts).value == {
        "weight_kg": 12.5, "weight": "12.5 kg", "screen": 27, "rating": 4.5, "points": 7, "value": "7/10",
    }  # fmt: skip
    assert coerce(schema, {"weight_kg": "500 g"}).value == {"weight_kg": 0.5}
    assert coerce(schema, {"weight_kg": "500 ml"}).transforms == {}
    assert coerce(schema, {"rating": "7 out of 5"}).transforms == {}


@pytest.mark.req("SC-4")
@pytest.mark.parametrize("text", ["N/A", "n/a", "-", "–", "—", "", " ", "None", "null"])
def test_placeholders_are_null_only_where_null_is_allowed_and_text_is_not(text: str) -> None:
    assert outcome({"type": ["number", "null"]}, text) == (None, "null")
    assert outcome({"anyOf": [{"type": "integer"}, {"type": "null"}]}, text) == (None, "null")
    assert outcome(NUMBER, text) == (text, "")
    assert outcome({"type": ["string", "null"]}, text) == (text, "")


@pytest.mark.req("SC-4")
@pytest.mark.parametrize(
    ("schema", "value", "coerced", "transform"),
    [
        ({"type": "string"}, 5, "5", "string"),
        ({"type": "string"}, 4.5, "4.5", "string"),
        ({"type": "string"}, True, True, ""),
        ({"type": "boolean"}, 1, True, "boolean"),
        ({"type": ["boolean", "null"]}, 0, False, "boolean"),
        ({"type": "boolean"}, 2, 2, ""),
        ({"type": "boolean"}, "1", "1", ""),
        ({"type": ["boolean", "integer"]}, 1, 1, ""),
        ({"type": "string"}, "  kept as it is ", "  kept as it is ", ""),
        ({"type": "string", "pattern": "^[A-Z]+$"}, " AB\n", "AB", "trim"),
        ({"type": "string", "format": "email"}, " a@example.com ", "a@example.com", "trim"),
        ({"enum": ["In stock", "Sold out"]}, " in  STOCK", "In stock", "enum"),
        ({"enum": ["a", "A"]}, " a ", "a", "trim"),
        ({"enum": ["ab", "AB"]}, "Ab", "Ab", ""),
        ({"enum": ["new", "used"]}, "newish", "newish", ""),
        ({"enum": [1, 2, 3]}, "2", 2, "enum"),
        ({"const": "EUR"}, "eur", "EUR", "enum"),
        ({"type": "array", "items": INTEGER}, "5", [5], "integer,array"),
        ({"type": "array", "items": {"type": "string"}}, "a, b", ["a, b"], "array"),
        ({"type": "array", "items": {"type": "string"}}, "", "", ""),
        ({"type": "array", "items": {"type": "object"}}, {"a": 1}, [{"a": 1}], "array"),
        (NUMBER, ["$5"], 5, "money"),
        (NUMBER, [5], 5, "first"),
        (NUMBER, [{"a": "$5"}], [{"a": "$5"}], ""),
        (NUMBER, ["$5", "$6"], ["$5", "$6"], ""),
        (INTEGER, {"a": 1}, {"a": 1}, ""),
        ({"type": "object"}, [{"a": 1}], {"a": 1}, "first"),
        ({"type": ["number", "boolean"]}, "yes", True, "boolean"),
        ({"type": ["string", "number"]}, "5", "5", ""),
        ({"anyOf": [DATE, NUMBER]}, "12.03.2026", "2026-03-12", "date"),
        ({"properties": {"a": {"type": "string"}}}, {"a": None}, {}, "absent"),
        ({"properties": {"a": {"type": "string"}}, "required": ["a"]}, {"a": None}, {"a": None}, ""),
        ({"properties": {"a": {"type": ["string", "null"]}}, "required": ["a"]}, {}, {"a": None}, "null"),
        ({"properties": {"a": {"type": ["string", "null"]}}}, {}, {}, ""),
        ({"additionalProperties": NUMBER}, {"x": "$5"}, {"x": 5}, "money"),
        ({"prefixItems": [NUMBER], "items": DATE}, ["5", "1.3.2026"], [5, "2026-03-01"], "number,date"),
        (True, "5", "5", ""),
        ({"type": "nonsense"}, "5", "5", ""),
    ],
)  # fmt: skip
def test_a_value_is_brought_into_the_declared_shape(schema: Any, value: Any, coerced: Any, transform: str) -> None:
    assert outcome(schema, value) == (coerced, transform)


@pytest.mark.req("SC-4")
def test_relative_urls_become_absolute_where_the_format_asks_for_it() -> None:
    schema = {"properties": {"link": {"type": "string", "format": "uri"}, "text": {"type": "string"}}}
    relative = {"link": "../a?b=c", "text": "../a"}
    base = "https://example.com/x/y/"
    assert coerce(schema, relative, base_url=base).value == {"link": "https://example.com/x/a?b=c", "text": "../a"}
    assert coerce(schema, relative).transforms == {}
    assert coerce(schema, {"link": "no url at all"}, base_url=base).transforms == {}
    assert coerce(schema, {"link": "javascript:alert(1)"}, base_url=base).transforms == {}
    for link in ("/d/May 1, 6.00 PM.pdf", "https://example.com/d/May 1, 6.00 PM.pdf"):
        coerced = coerce(schema, {"link": link}, base_url=base).value
        assert coerced == {"link": "https://example.com/d/May%201,%206.00%20PM.pdf"}


@pytest.mark.req("SC-4")
def test_each_changed_place_is_named_with_its_transform() -> None:
    schema = {
        "type": "array",
        "items": {"$ref": "#/$defs/P"},
        "$defs": {"P": {"properties": {"a/b": NUMBER, "on": DATE}}},
    }
    records: Any = [{"a/b": "$5", "on": "2026-03-12"}, {"a/b": 6, "on": "12 Mar 2026", "other": "$7"}]
    assert coerce(schema, records) == Coerced(
        value=[{"a/b": 5, "on": "2026-03-12"}, {"a/b": 6, "on": "2026-03-12", "other": "$7"}],
        transforms={"/0/a~1b": "money", "/1/on": "date"},
    )


@pytest.mark.req("SC-4")
def test_a_deep_instance_is_coerced_without_a_traceback() -> None:
    schema: Any = {"type": "object", "properties": {"child": {"$ref": "#"}, "n": NUMBER}}
    value: Any = {"n": "1"}
    for _ in range(5_000):
        value = {"child": value, "n": "1"}
    coerced: Any = coerce(schema, value).value
    assert coerced["child"]["child"]["n"] == 1


@pytest.mark.req("SC-4")
def test_the_transforms_of_a_schema_are_all_declared() -> None:
    for schema in (NUMBER, INTEGER, BOOLEAN, DATE, DATE_TIME, {"type": ["number", "null"]}, {"type": "string"}, {}):
        assert set(transforms_for(schema)) <= TRANSFORMS.keys()
    assert transforms_for(DATE)[0] == "date"
    assert transforms_for(INTEGER)[0] == "integer"


@pytest.mark.req("SC-4")
@pytest.mark.parametrize("name", TRANSFORMS)
@given(text=st.text(alphabet=st.sampled_from("0123456789.,-+ '€$%()/abeMarch:TZ年月日\u2212\u00a0½²\n"), max_size=30))
def test_a_transform_gives_a_value_or_a_value_error_for_any_text(name: str, text: str) -> None:
    try:
        TRANSFORMS[name](text)
    except ValueError as error:
        assert str(error)


@pytest.mark.req("SC-4")
@given(
    st.integers(-(10**15), 10**15),
    st.integers(0, 4),
    st.sampled_from([(",", "."), (".", ","), (" ", ","), ("'", "."), ("\u202f", ",")]),
)
def test_a_number_written_in_any_locale_is_read_back(whole: int, decimals: int, marks: tuple[str, str]) -> None:
    amount = Decimal(whole).scaleb(-decimals)
    group, mark = marks
    text = f"{amount:,.{decimals}f}".replace(",", "\0").replace(".", mark).replace("\0", group)
    written = f"{abs(amount):,.{decimals}f}"
    if written.count(",") == 1 and "." not in written and group == ".":
        return  # "1.299" alone is read as JSON has it
    if written.partition(".")[0].isdigit() and len(written.partition(".")[2]) == 3 and mark == ",":
        return  # "1,299" alone is read as English has it
    try:
        assert parse_number(text) == float(amount)
    except ValueError as error:
        assert "more digits than a float holds" in str(error)


@pytest.mark.req("SC-4")
@given(st.dates(), st.sampled_from(sorted(name for name in month_numbers() if " " not in name)))
def test_a_day_with_a_months_name_is_read_back(day: Any, name: str) -> None:
    number = month_numbers()[name]
    try:
        expected = day.replace(month=number)
    except ValueError:
        return
    assert parse_date(f"{expected.day}. {name.title()} {expected.year:04d}") == expected.isoformat()


@pytest.mark.parametrize("text", ["99991231", "11111111", "04511201"])
def test_digits_without_signs_are_a_day_only_of_a_year_that_pages_speak_of(text: str) -> None:
    assert parse_date("20230405") == "2023-04-05"
    with pytest.raises(ValueError, match="not a date"):
        parse_date(text)


@pytest.mark.req("SC-4")
def test_a_text_with_two_readings_stays_as_it_is() -> None:
    assert outcome({"anyOf": [NUMBER, DATE]}, "20260312") == ("20260312", "")
    assert outcome({"anyOf": [NUMBER, DATE]}, "12 Mar 2026") == ("2026-03-12", "date")


@pytest.mark.req("SC-4")
@pytest.mark.parametrize("text", ["Not available", "not in stock", "unavailable", "nicht verfügbar"])
def test_what_is_not_to_be_had_is_not_in_stock(text: str) -> None:
    assert outcome(BOOLEAN, text) == (False, "boolean")


@pytest.mark.req("SC-4")
@pytest.mark.parametrize("text", ["31 Feb 2026", "2026-02-30", "31.04.2026", "February 29, 2025", "2026年13月1日"])
def test_a_day_that_no_calendar_has_is_no_date(text: str) -> None:
    with pytest.raises(ValueError, match="no such day"):
        parse_date(text)
