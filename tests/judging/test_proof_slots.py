"""Values of the right record in the wrong field: where the other records have their fields tells them."""

import pytest
from gleaner.contracts.ports import JsonValue
from gleaner.judging.judge import judge as prove
from hypothesis import given
from hypothesis import strategies as st

TEMPLATES = [
    "- **{name}** – {price}, {city}, {year}",
    "{name} / {city} / {year} / {price}",
    "### {name}\n\n{price}\n\n{city}, {year}",
    "{name}\n{city}\n{price}\n{year}",
    "{name} ({year}), {city}: {price}",
]
NAMES = ["Larch", "Alder", "Gorse", "Briar", "Rowan", "Hazel", "Aspen", "Elder"]
CITIES = ["Graz", "Oslo", "Cork", "Turin", "Ghent", "Porto", "Basel", "Leeds"]
TRUTH: list[dict[str, JsonValue]] = [
    {"name": name, "price": 111.5 + 10 * at, "city": city, "year": 1981 + 3 * at}
    for at, (name, city) in enumerate(zip(NAMES, CITIES, strict=True))
]


def page_of(template: str, records: list[dict[str, JsonValue]] = TRUTH) -> tuple[str, list[tuple[int, int]]]:
    text, spans = "", list[tuple[int, int]]()
    for record in records:
        piece = template.format(**{**record, "price": f"${record['price']:.2f}"})
        spans.append((len(text), len(text) + len(piece)))
        text += piece + "\n\n"
    return text, spans


def unproven(template: str, data: list[dict[str, JsonValue]]) -> set[str]:
    text, spans = page_of(template)
    entries = prove(data, text, spans=spans, units=spans, records_at="")  # type: ignore[arg-type]
    return {entry.pointer for entry in entries if entry.status == "ungrounded"}


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize("template", TEMPLATES)
@given(wrong=st.sets(st.integers(0, 7), max_size=2))
def test_swapped_texts_of_a_record_are_not_proven_and_all_others_are(template: str, wrong: set[int]) -> None:
    data = [{**one, "name": one["city"], "city": one["name"]} if at in wrong else one for at, one in enumerate(TRUTH)]
    assert unproven(template, data) == {f"/{at}/{field}" for at in wrong for field in ("name", "city")}


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize("template", TEMPLATES)
@given(wrong=st.sets(st.integers(0, 7)))
def test_a_year_given_for_a_price_is_not_proven_where_amounts_are_marked(template: str, wrong: set[int]) -> None:
    data = [{**one, "price": one["year"]} if at in wrong else one for at, one in enumerate(TRUTH)]
    assert unproven(template, data) == {f"/{at}/price" for at in wrong}


@pytest.mark.req("PR-1")
@given(lacking=st.sets(st.integers(0, 7), max_size=3))
def test_a_field_may_move_up_to_the_place_of_one_that_its_record_lacks(lacking: set[int]) -> None:
    records = [{**one, "year": None} if at in lacking else one for at, one in enumerate(TRUTH)]
    pieces = [
        f"- {one['name']}, {one['city']}" + (f", {one['year']}" if one["year"] is not None else "") for one in records
    ]
    text = "\n".join(pieces)
    starts = [text.index(piece) for piece in pieces]
    spans = [(start, start + len(piece)) for start, piece in zip(starts, pieces, strict=True)]
    data = [{name: value for name, value in one.items() if name != "price"} for one in records]
    entries = prove(data, text, spans=spans, units=spans, records_at="")  # type: ignore[arg-type]
    assert not [entry for entry in entries if entry.status == "ungrounded"]


@pytest.mark.req("PR-1")
@given(other=st.sets(st.integers(0, 7)))
def test_records_may_be_told_in_two_ways_in_any_mixture(other: set[int]) -> None:
    ways = "The {name} is of {city}, {year}, and costs {price}.", "In {city} since {year}: the {name} at {price}."
    text, spans = "", list[tuple[int, int]]()
    for at, record in enumerate(TRUTH):
        piece = ways[at in other].format(**{**record, "price": f"${record['price']:.2f}"})
        spans.append((len(text), len(text) + len(piece)))
        text += piece + " "
    entries = prove(TRUTH, text, spans=spans, units=spans, records_at="")  # type: ignore[arg-type]
    assert not [entry for entry in entries if entry.status == "ungrounded"]


def test_a_rating_that_stands_where_the_page_marks_money_is_swapped_with_the_price_in_all_records():
    rows = [("Larch", 34.5, 4.6), ("Alder", 89.0, 4.2), ("Gorse", 22.0, 3.9), ("Briar", 48.75, 4.8)]
    text = "\n".join(f"- {name} {rating} ${price:.2f}" for name, price, rating in rows)
    data: list[JsonValue] = [{"name": name, "price": price, "rating": rating} for name, price, rating in rows]
    assert "ungrounded" not in {entry.status for entry in prove(data, text)}
    swapped: list[JsonValue] = [{"name": name, "price": rating, "rating": price} for name, price, rating in rows]
    assert {e.pointer for e in prove(swapped, text) if e.status == "ungrounded"} >= {f"/{n}/price" for n in range(4)}
    saved: list[JsonValue] = [{"name": name, "price": price, "discount": rating} for name, price, rating in rows]
    text = "\n".join(f"- {name} {price:.2f} (save ${rating})" for name, price, rating in rows)
    assert "ungrounded" not in {entry.status for entry in prove(saved, text)}


def test_a_currency_of_the_choices_that_the_page_does_not_name_is_no_data():
    schema = {"type": "object", "properties": {"currency": {"enum": ["EUR", "USD", "GBP", None]}}}
    found = {
        money: prove({"name": "Mug", "currency": money}, "# Mug\n\n\u20ac9.50", schema=schema)[1].status
        for money in ("EUR", "USD")
    }
    assert found["EUR"] != "ungrounded"
    assert found["USD"] == "ungrounded"


FIGURES = [
    ("Larch", 64, 8.5, "2026-03-02"),
    ("Alder", 22, 9.25, "2026-04-11"),
    ("Gorse", 40, 7.75, "2026-05-23"),
    ("Briar", 18, 8.25, "2026-06-04"),
    ("Rowan", 55, 7.5, "2026-07-15"),
]
LINES = ["- **{}** {} {:.2f} {}", "- {} / {} / {:.2f} / {}", "### {}\n\n{} beds\n\nRated {:.2f}\n\nFrom {}"]


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize(
    ("wrong", "refused"),
    [
        ({"rating": 18, "beds": None}, {"/3/rating"}),
        ({"rating": 18, "beds": 8.25}, {"/3/rating", "/3/beds"}),
        ({"name": "2026-06-04", "day": None}, {"/3/name"}),
        ({"rating": None}, set[str]()),
    ],
)
def test_a_value_in_another_fields_slot_is_refused_though_the_others_value_was_lost(
    line: str, wrong: dict[str, JsonValue], refused: set[str]
) -> None:
    pieces = [line.format(*row) for row in FIGURES]
    text = "\n\n".join(pieces)
    spans = [(text.index(piece), text.index(piece) + len(piece)) for piece in pieces]
    data: list[JsonValue] = [dict(zip(("name", "beds", "rating", "day"), row, strict=True)) for row in FIGURES]
    assert "ungrounded" not in {entry.status for entry in prove(data, text, spans=spans)}
    data[3] |= wrong  # type: ignore[operator]
    assert {entry.pointer for entry in prove(data, text, spans=spans) if entry.status == "ungrounded"} == refused


@pytest.mark.req("PR-1")
def test_a_value_by_its_own_label_may_stand_where_another_field_usually_does() -> None:
    rows = [(f"Casa {at}", 11 + at, 31 + at, 51 + at) for at in range(6)]
    pieces = [f"## {name}\n\nSuites: {a}\n\nVagas: {b}\n\nBanhos: {c}" for name, a, b, c in rows[:5]]
    pieces.append("## Casa 5\n\nVagas: 36\n\nBanhos: 56\n\nAndar: 16")
    text = "\n\n".join(pieces)
    spans = [(text.index(piece), text.index(piece) + len(piece)) for piece in pieces]
    data: list[JsonValue] = [{"name": name, "suites": a, "vagas": b, "banhos": c} for name, a, b, c in rows]
    data[5] = {"name": "Casa 5", "suites": None, "vagas": 36, "banhos": 56}
    assert "ungrounded" not in {entry.status for entry in prove(data, text, spans=spans)}


@pytest.mark.req("PR-1", "PR-2")
def test_a_code_in_another_fields_slot_is_no_title_where_the_titles_are_words() -> None:
    books = [
        ("The Salt Road", "978-1-40"),
        ("Night Ferry", "978-0-30"),
        ("Glass Orchard", "978-3-16"),
        ("Slow Tide", "978-0-15"),
        ("1984", "978-0-14"),
    ]
    pieces = [f"*{title}*. Harrow, ISBN {isbn}." for title, isbn in books]
    text = "\n\n".join(pieces)
    spans = [(text.index(piece), text.index(piece) + len(piece)) for piece in pieces]
    data: list[JsonValue] = [{"title": title, "isbn": isbn} for title, isbn in books]
    assert "ungrounded" not in {entry.status for entry in prove(data, text, spans=spans)}
    data[1] = {"title": "978-0-30", "isbn": None}
    assert [entry.pointer for entry in prove(data, text, spans=spans) if entry.status == "ungrounded"] == ["/1/title"]


@pytest.mark.req("PR-1")
def test_a_word_among_codes_may_stand_where_another_field_usually_does() -> None:
    films = [("Alpha", "PG", "96 min"), ("Bravo", "12A", "88 min"), ("Delta", "R", "120 min"), ("Echo", "U", "75 min")]
    pieces = ["\n".join(film) for film in films] + ["Golf\n1990\nApproved"]
    text = "\n\n".join(pieces)
    spans = [(text.index(piece), text.index(piece) + len(piece)) for piece in pieces]
    data: list[JsonValue] = [{"film": film, "certificate": code, "length": time} for film, code, time in films]
    data.append({"film": "Golf", "certificate": "Approved", "length": None})
    assert "ungrounded" not in {entry.status for entry in prove(data, text, spans=spans)}


@pytest.mark.req("PR-1")
def test_a_price_before_a_day_is_proven_where_a_count_is_a_figure_of_that_day() -> None:
    rows = [("Oak", 1072.95, "01.04.2024", 1), ("Elm", 1733.5, "23.04.2025", 5), ("Fir", 559.5, "24.02.2021", 3)]
    price = "{:,.2f}".format
    texts = [f"- {n}\n\n  {price(p).translate({44: 46, 46: 44})} € {d}\n\n  Rating {r}.0" for n, p, d, r in rows]
    data: list[JsonValue] = [{"name": n, "price": p, "rating": r} for n, p, _, r in rows]
    assert {entry.status for entry in prove(data, "\n".join(texts))} <= {"verbatim", "normalized"}


@pytest.mark.req("PR-1", "PR-2")
def test_texts_of_two_kinds_keep_their_fields_where_others_of_their_line_come_and_go() -> None:
    ends = ["", "", "", "", "", "", " 16.7 main", " 16.8 main", " 17.1 main", " 15.4"]
    authors = [f"{first} {last}" for first, last in zip(NAMES + CITIES[:2], CITIES[2:] + NAMES[4:], strict=True)]
    texts = (f"- Fix {at * 37}\n\n  by {name}{end}" for at, (name, end) in enumerate(zip(authors, ends, strict=True)))
    data: list[JsonValue] = [
        {"title": f"Fix {at * 37}", "author": name, "milestone": end.split()[0] if end else None}
        for at, (name, end) in enumerate(zip(authors, ends, strict=True))
    ]
    assert {entry.status for entry in prove(data, "\n".join(texts))} <= {"verbatim", "normalized"}
