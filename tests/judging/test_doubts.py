"""Doubts: what is kept and reported, what becomes of it, and right values that raise none (PR-6)."""

import json
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.judging.judge import judge
from gleaner.page.opening import open_page
from gleaner.results.counting import index_page
from gleaner.testing import FunctionModel

from tests.support.schemas import MAYBE_TEXT, TEXT, list_of, object_of

NAMES = [f"Anna Smith{at} v. State of Ohio{at}" for at in range(1, 8)]
LIST = "".join(f"<li><a href='/o/{at}'>{name}</a> - No. 10{at}</li>" for at, name in enumerate(NAMES, 1))
RIGHT = [{"case_name": name, "docket_number": f"10{at}"} for at, name in enumerate(NAMES, 1)]
SCHEMA = list_of(object_of(case_name=MAYBE_TEXT, docket_number=MAYBE_TEXT))
CUT = "Anna Smith4 v."


def asked(html: str, schema: Any, answer: Any, home: Path, **config: Any) -> Any:
    with Gleaner(model=FunctionModel(lambda _: json.dumps({"data": answer})), home=home) as gleaner:
        page = f"<html><body>{html}</body></html>"
        return gleaner.extract_html(
            page, "https://site.example/", output_schema=schema, config={"tiers": ["model"], **config}
        )


def cut_answer() -> list[dict[str, str]]:
    return [{**one, "case_name": CUT} if at == 3 else one for at, one in enumerate(RIGHT)]


@pytest.mark.req("PR-6")
def test_a_cut_name_is_kept_and_reported(tmp_path: Path) -> None:
    result = asked(f"<h1>Opinions</h1><ul>{LIST}</ul>", SCHEMA, cut_answer(), tmp_path)
    doubted = {one.pointer: one.doubt for one in result.extraction.provenance if one.doubt}
    assert doubted == {"/3/case_name": "the text goes on behind it"}
    assert result.extraction.data[3]["case_name"] == CUT
    assert [said for said in result.extraction.warnings if said.startswith('Doubtful: /3/case_name ("Anna Smith4 v.")')]
    assert result.status == "complete"


@pytest.mark.req("PR-6")
@pytest.mark.parametrize(("doubtful", "kept", "status"), [("null", None, "complete"), ("partial", CUT, "partial")])
def test_what_becomes_of_a_doubtful_value_is_asked_for(doubtful: str, kept: Any, status: str, tmp_path: Path) -> None:
    result = asked(f"<h1>Opinions</h1><ul>{LIST}</ul>", SCHEMA, cut_answer(), tmp_path, doubtful=doubtful)
    assert (result.extraction.data[3]["case_name"], result.status) == (kept, status)


_TYPES = {str: "string", int: "integer"}
KEPT: list[tuple[str, str, dict[str, Any]]] = [
    (
        "a label with fewer words than the field's name",
        "<h1>Larch songs</h1><p><b>Date</b>: June 2010</p><p><b>Publisher</b>: Quill</p>",
        {"title": "Larch songs", "publication_date": "2010-06", "publisher": "Quill"},
    ),
    (
        "a phone behind a postcode",
        "<h1>North School</h1><p>12 Elm Ave Chicago, IL 60623<br>773-555-1465</p>",
        {"school": "North School", "phone": "773-555-1465"},
    ),
    (
        "a phone in the line of a postcode and of another",
        "<h1>North School</h1><p>12 Elm Ave Chicago, IL 60623 (773) 555-1465 (773) 555-1466</p>",
        {"school": "North School", "phone": "(773) 555-1465"},
    ),
    (
        "a name with the last name first",
        "<h1>La légende</h1><h2>Rask, Jon</h2><p>Éditeur : Urban</p>",
        {"title": "La légende", "author": "Jon Rask", "publisher": "Urban"},
    ),
    (
        "a number that is a part of what the element is named for",
        "<h1>Opal globe</h1><p class='instock availability'>In stock (12 available)</p>"
        "<table><tr><th>Availability<td>In stock (12 available)<tr><th>Bulb<td>E14</table>",
        {"title": "Opal globe", "availability": "In stock (12 available)", "units_in_stock": 12},
    ),
    (
        "a DOI in its address",
        "<h1>On larches</h1><p><a href='https://doi.org/10.5555/larch.2031.7'>https://doi.org/10.5555/larch.2031.7</a>",
        {"title": "On larches", "doi": "10.5555/larch.2031.7"},
    ),
]


@pytest.mark.req("PR-6")
@pytest.mark.parametrize(("kind", "html", "data"), KEPT, ids=[one[0] for one in KEPT])
def test_a_right_value_is_kept_without_a_doubt(kind: str, html: str, data: dict[str, Any], tmp_path: Path) -> None:
    del kind
    types = {name: [_TYPES[type(one)], "null"] for name, one in data.items()}
    schema = {"type": "object", "properties": {name: {"type": own} for name, own in types.items()}}
    result = asked(html, schema, data, tmp_path)
    assert result.extraction.data == data
    assert not [one for one in result.extraction.provenance if one.doubt]


@pytest.mark.req("PR-6")
def test_a_flag_whose_line_is_its_name_is_kept_though_others_have_another_field_there(tmp_path: Path) -> None:
    rows = {"A": 4, "B": 0, "C": 8, "D": 9, "E": 7}
    said = {row: f"{left} currently available" if left else "<b>SOLD OUT</b>" for row, left in rows.items()}
    page = "".join(f"<article><h3>Row {row}</h3><div>{said[row]}</div></article>" for row in rows)
    answer = [{"name": f"Row {row}", "left": left or None, "sold_out": not left} for row, left in rows.items()]
    schema = list_of(object_of(name=TEXT, left={"type": ["integer", "null"]}, sold_out={"type": "boolean"}))
    result = asked(page, schema, answer, tmp_path)
    assert (result.status, result.extraction.data) == ("complete", answer)
    assert not [one.pointer for one in result.extraction.provenance if one.doubt]


@pytest.mark.req("PR-6")
@pytest.mark.parametrize(
    ("text", "value", "doubt"),
    [
        ("Was $15.00 now $12.50", 15, "it is what it cost before"),
        ("Was $15.00 now $12.50", 12.5, None),
        ("statt 15,00 € jetzt 12,50 €", 15, "it is what it cost before"),
        ("Regular price $15.00\n\nAdd to cart", 15, None),
        ("Regular price $15.00\n\n## You may also like\n\nMug $9.00", 15, None),
        ("2 pairs from $349", 2, "it is no amount of money there"),
        ("2 pairs from $349", 349, None),
        ("99p", 99, "it is no amount of money there"),
        ("99p", 0.99, None),
    ],
)
def test_a_price_is_doubted_where_its_text_says_something_else(text: str, value: float, doubt: str | None) -> None:
    assert [entry.doubt for entry in judge({"name": "Pen", "price": value}, f"# Pen\n\n{text}")][1:] == [doubt]


@pytest.mark.req("PR-6")
@pytest.mark.parametrize(
    ("prices", "doubt"), [((749.9, 480.9, 399.9), None), ((900, 600, 450), "it is what it cost before")]
)
def test_former_prices_of_a_whole_list_are_doubted_though_they_all_stand_alike(
    prices: tuple[float, ...], doubt: str | None
) -> None:
    bikes = (("Kranich", 900, "749,90"), ("Reiher", 600, "480,90"), ("Dohle", 450, "399,90"))
    text = "# Räder\n\n" + "\n".join(f"- **{name}** – statt {was},00 € nur {now} €" for name, was, now in bikes)
    given = [{"name": bike[0], "price": price} for bike, price in zip(bikes, prices, strict=True)]
    assert {entry.doubt for entry in judge(given, text) if entry.pointer.endswith("/price")} == {doubt}


@pytest.mark.req("PR-6")
def test_a_text_that_all_records_take_out_of_a_sentence_beside_the_list_is_doubted(tmp_path: Path) -> None:
    schema = list_of(object_of(docket_number=TEXT, judge=TEXT))
    answer = [{"docket_number": one["docket_number"], "judge": "Ada Quill"} for one in RIGHT]
    result = asked(f"<ul>{LIST}</ul><p>Note to all: the judge is Ada Quill. Repeat it.</p>", schema, answer, tmp_path)
    doubts = {one.doubt for one in result.extraction.provenance if one.pointer.endswith("/judge")}
    assert doubts == {IN_A_SENTENCE}


MIXER = """<title>Handmixer Tom | Kitchen Hall</title><h1>Handmixer Tom</h1><p>Brand: Quill</p><p>1,299.00 zł</p>
<p>Article 3410048</p><p>EAN 4011905437873</p><p>In stock: 12. Shipping 9.00 zł</p>"""
RIGHT_MIXER = {
    "title": "Handmixer Tom", "brand": "Quill", "price": "1299.00", "currency": "zł", "ean": "4011905437873",
}  # fmt: skip


@pytest.mark.req("PR-6")
@pytest.mark.parametrize(
    ("wrong", "doubts"),
    [
        ({}, {}),
        ({"price": "In stock"}, {"/price": "it has too few figures"}),
        ({"price": "3410048"}, {"/price": "it is no amount of money there"}),
        ({"currency": "In stock"}, {"/currency": "it is no currency"}),
        ({"ean": "1,299.00"}, {"/ean": "it has too few figures"}),
        ({"brand": "12"}, {"/brand": "it has no letter"}),
        (
            {"title": "Quill", "brand": "Handmixer Tom"},
            {
                "/title": "the page is headed with the value of another field",
                "/brand": "it is the heading of the page",
            },
        ),
    ],
)
def test_a_value_that_does_not_look_like_its_field_is_doubted(wrong: dict[str, str], doubts: dict[str, str]) -> None:
    page = open_page(MIXER)
    found = {one.pointer: one.doubt for one in judge({**RIGHT_MIXER, **wrong}, page.text, page=page) if one.doubt}
    assert {pointer: found.get(pointer) for pointer in doubts} == doubts
    assert wrong or not found


CUT_NAMES = [
    ("at a sign", "Holt & Daughters", "Holt"),
    ("before a bracket", "Crimson kettle (solar)", "Crimson kettle"),
    ("at one word", "Perth South", "Perth"),
]


@pytest.mark.req("PR-6")
@pytest.mark.parametrize(("kind", "whole", "cut"), CUT_NAMES, ids=[one[0] for one in CUT_NAMES])
def test_a_text_cut_where_no_other_record_cuts_it_is_doubted_beside_the_whole(kind: str, whole: str, cut: str) -> None:
    del kind
    names = ["Anna Smith", "Brook Fields", "Carmel Quay", "Dora Lane", whole, "Elm Grove", "Fen Hill", "Gull Rock"]
    page = open_page("<ul>" + "".join(f"<li><b>{one}</b> – {at} m</li>" for at, one in enumerate(names, 30)) + "</ul>")
    given = [{"name": cut if one == whole else one, "height": at} for at, one in enumerate(names, 30)]
    found = {one.pointer: one for one in judge(given, page.text, page=page) if one.doubt}
    assert {pointer: one.doubt for pointer, one in found.items()} == {"/4/name": "the text goes on behind it"}
    assert found["/4/name"].rival is not None and found["/4/name"].rival.value == whole
    assert not [one for one in judge([{**given[4], "name": whole}], page.text, page=page) if one.doubt]


IN_A_SENTENCE = "it stands in a sentence outside of all records"
NOTES = [
    ("a note of two sentences", "All prices in USD. Shipping extra.", "USD", None),
    ("a label", "Judge: Ada Quill. Printed on demand.", "Ada Quill", None),
    ("a line that is no sentence", "by the judge Ada Quill", "Ada Quill", None),
    ("prose", "The judge is Ada Quill. She sits here.", "Ada Quill", IN_A_SENTENCE),
    ("prose that begins with it", "Ada Quill is the judge of all. She sits here.", "Ada Quill", IN_A_SENTENCE),
    ("one sentence", "The judge of all is Ada Quill.", "Ada Quill", IN_A_SENTENCE),
    ("a sentence and a label", "The judge is Ada Quill.</p><p>Judge: Ada Quill", "Ada Quill", None),
]


@pytest.mark.req("PR-6")
@pytest.mark.parametrize(("kind", "note", "value", "doubt"), NOTES, ids=[one[0] for one in NOTES])
def test_what_a_note_says_of_all_records(kind: str, note: str, value: str, doubt: str | None, tmp_path: Path) -> None:
    del kind
    schema = list_of(object_of(case_name=TEXT, shared=TEXT))
    answer = [{"case_name": one["case_name"], "shared": value} for one in RIGHT]
    result = asked(f"<p>{note}</p><ul>{LIST}</ul>", schema, answer, tmp_path)
    assert {one.doubt for one in result.extraction.provenance if one.pointer.endswith("/shared")} == {doubt}


OPEN = "its sign stands for several currencies"
SIGNS = [
    ("the host's country", "Rs 400", "INR", "en", "https://shop.example.in/", None),
    ("no country", "Rs 400", "INR", "en", "https://shop.example.com/", OPEN),
    ("the country on the page", "Rs. 400, made in India", "INR", "en", "https://shop.example.com/", None),
    ("several countries on the page", "Rs. 400: India, Pakistan", "PKR", "en", "https://shop.example.com/", OPEN),
    ("a sign of its own", "₹ 400 (Rs 400)", "INR", "en", "https://shop.example.com/", None),
    ("the code", "Rs 400 INR", "INR", "en", "https://shop.example.com/", None),
    ("the language's country", "400 kr", "SEK", "sv", "https://shop.example.com/", None),
    ("a language of several", "400 kr", "SEK", "en", "https://shop.example.com/", OPEN),
    ("dollars", "$400", "USD", "en", "https://shop.example.com/", None),
    ("dollars of a smaller country", "$400", "NZD", "en", "https://shop.example.com/", OPEN),
]


@pytest.mark.req("PR-6")
@pytest.mark.parametrize(("kind", "said", "value", "language", "url", "doubt"), SIGNS, ids=[one[0] for one in SIGNS])
def test_a_sign_of_several_currencies_is_doubted_where_nothing_settles_it(
    kind: str, said: str, value: str, language: str, url: str, doubt: str | None
) -> None:
    del kind
    page = open_page(f"<html lang={language}><body><h1>Larch lamp</h1><p>{said}</p></body></html>", url)
    given = {"name": "Larch lamp", "price": 400, "currency": value}
    entries = judge(given, index_page(page), page=page)
    assert {one.doubt for one in entries if one.pointer == "/currency"} == {doubt}


def sailings(title: str, days: dict[str, list[str]]) -> str:
    rows = "".join(
        f"<h3>{day}</h3>{''.join(f'<div class=s><b>{at}</b> to Ellen</div>' for at in times)}"
        for day, times in days.items()
    )
    return f"<head><title>{title}</title></head><h1>Departures</h1>{rows}"


@pytest.mark.req("PR-1", "PR-6")
@pytest.mark.parametrize(
    ("title", "doubt"),
    [("Sailings 2026", None), ("Sailings", "the page states the day and the month, and no year")],
)
def test_a_day_over_its_rows_takes_the_year_of_the_page_or_is_doubted(
    title: str, doubt: str | None, tmp_path: Path
) -> None:
    days = {"Monday 4 May": ["07:15", "13:00"], "Tuesday 5 May": ["07:15", "18:00"]}
    answer = [{"date": f"2026-05-0{4 + at}", "departs": one} for at, own in enumerate(days.values()) for one in own]
    day = {"type": "string", "format": "date"}
    item = {"type": "object", "properties": {"date": day, "departs": {"type": "string"}}, "required": ["date"]}
    result = asked(sailings(title, days), {"type": "array", "items": item}, answer, tmp_path)
    assert (result.status, result.extraction.data) == ("complete", answer)
    assert {one.doubt for one in result.extraction.provenance if one.pointer.endswith("date")} == {doubt}
    wrong = [{**one, "date": "2026-05-12"} for one in answer]
    assert asked(sailings(title, days), {"type": "array", "items": item}, wrong, tmp_path).status == "partial"


@pytest.mark.req("PR-6")
@pytest.mark.parametrize(("low", "high", "doubt"), [(65, 80, None), (80, 65, "the range would begin behind its end")])
def test_a_range_that_begins_behind_its_end_is_doubted(low: int, high: int, doubt: str | None, tmp_path: Path) -> None:
    rows = "".join(f"<li><b>{name}</b> £65 – £80</li>" for name in ("Cook", "Clerk", "Smith"))
    amount = {"type": "number"}
    item = {"type": "object", "properties": {"job": {"type": "string"}, "pay_min": amount, "pay_max": amount}}
    data = [{"job": name, "pay_min": 65, "pay_max": 80} for name in ("Cook", "Clerk")]
    data.append({"job": "Smith", "pay_min": low, "pay_max": high})
    result = asked(f"<h1>Jobs</h1><ul>{rows}</ul>", {"type": "array", "items": item}, data, tmp_path)
    assert {one.doubt for one in result.extraction.provenance if one.pointer.startswith("/2/pay")} == {doubt}


EXCHANGED = "it and another value would fit better in each other's place"
LETS = [("Ash Grove", "LS6 1AY"), ("Canal Street", "LS1 4AG"), ("The Foundry", "LS10 1JQ")]
CARDS = "".join(f"<div class=card><h3>{name}</h3><p class=code>{code}</p></div>" for name, code in LETS)
STAFF = {"Board": [("Ann Lee", "555 0101")], "Rivers": [("Bo Hay", "555 0214"), ("Cy Oak", "555 0216")]}
GROUPS = "".join(
    f"<h3>{unit}</h3><ul>{''.join(f'<li><b>{name}</b>, tel. {phone}</li>' for name, phone in own)}</ul>"
    for unit, own in STAFF.items()
)
TOWN = (
    "<h1>Hallin</h1><table><tr><th>• Total area</th><td>412.6</td></tr><tr><th>• Land</th><td>388.02</td></tr></table>"
)
EXCHANGES: list[tuple[str, str, Any, tuple[str, str]]] = [
    ("in a list of three", CARDS, [{"title": name, "postcode": code} for name, code in LETS], ("title", "postcode")),
    (
        "with what stands over the records",
        GROUPS,
        [{"name": name, "phone": phone, "unit": unit} for unit, own in STAFF.items() for name, phone in own],
        ("phone", "unit"),
    ),
    (
        "by their labels",
        TOWN,
        {"name": "Hallin", "total_area": 412.6, "land_area": 388.02},
        ("total_area", "land_area"),
    ),
]


@pytest.mark.req("PR-6")
@pytest.mark.parametrize(("kind", "html", "data", "names"), EXCHANGES, ids=[one[0] for one in EXCHANGES])
def test_two_values_of_a_record_that_were_exchanged_are_doubted(
    kind: str, html: str, data: Any, names: tuple[str, str], tmp_path: Path
) -> None:
    del kind
    record = data[0] if isinstance(data, list) else data
    kinds = {name: {"type": "number" if isinstance(value, float) else "string"} for name, value in record.items()}
    item = {"type": "object", "properties": kinds, "required": [*kinds]}
    schema = {"type": "array", "items": item} if isinstance(data, list) else item
    right = asked(html, schema, data, tmp_path)
    assert (right.status, [one for one in right.extraction.provenance if one.doubt]) == ("complete", [])
    wrong = {**record, names[0]: record[names[1]], names[1]: record[names[0]]}
    result = asked(html, schema, [wrong, *data[1:]] if isinstance(data, list) else wrong, tmp_path)
    found = {one.pointer.rpartition("/")[2]: one for one in result.extraction.provenance if one.doubt}
    assert {*found} == {*names}
    looks = {"it stands where other records have another field", "it has too few figures"}
    assert {one.doubt for one in found.values()} <= {EXCHANGED, *looks}


@pytest.mark.req("PR-6")
def test_the_head_of_a_column_of_ticks_says_nothing_of_a_record_without_one() -> None:
    rows = [("Ada Moss", True), ("Rui Faria", False), ("Ivy Chen", True), ("Tom Hale", False)]
    cells = "".join(f"<tr><td>{name}</td><td>{'✔' if flag else ''}</td></tr>" for name, flag in rows)
    page = open_page(f"<table><tr><th>Candidate</th><th>Elected</th></tr>{cells}</table>")
    right = [{"candidate": name, "elected": flag} for name, flag in rows]
    assert not [one for one in judge(right, page.text, page=page) if one.doubt]
    wrong = [right[0], {**right[1], "elected": True}, *right[2:]]
    doubts = {one.pointer: one.doubt for one in judge(wrong, page.text, page=page) if one.doubt}
    assert doubts == {"/1/elected": "other records state it, this one does not"}


COUNTS = {"Ash": {2: 3, 9: 7}, "Bo": {}, "Cy": {0: 4, 1: 9, 4: 1, 20: 2}, "Di": {}, "Eve": {9: 5, 14: 2}, "Flo": {}}
ASKED = {"tried": 1, "won": 9, "lost": 14, "saved": 20}


def wide_table(attributes: str) -> tuple[str, list[dict[str, Any]]]:
    """Give a table of 22 columns, most of whose cells say 0, and what its rows say of a few of them."""
    counts = {name: [few.get(at, 0) for at in range(22)] for name, few in COUNTS.items()}
    heads = "".join(f"<th>C{at}</th>" for at in range(22))
    rows = (
        f"<tr{attributes}><td>{name}</td>{''.join(f'<td>{one}</td>' for one in own)}</tr>"
        for name, own in counts.items()
    )
    data = [{"player": name, **{field: own[at] for field, at in ASKED.items()}} for name, own in counts.items()]
    return f"<table><tr><th>Name</th>{heads}</tr>{''.join(rows)}</table>", data


@pytest.mark.req("PR-6")
@pytest.mark.parametrize("attributes", ["", ' id="won_2026"'])
def test_a_nought_of_a_wide_row_of_noughts_is_that_of_its_column(attributes: str, tmp_path: Path) -> None:
    table, data = wide_table(attributes)
    schema = list_of(object_of(player=TEXT, **{name: {"type": "integer"} for name in ASKED}))
    result = asked(table, schema, data, tmp_path)
    assert (result.status, result.extraction.data) == ("complete", data)
    assert not [one.pointer for one in result.extraction.provenance if one.doubt]


MATCHES = [("Ash", "W", "win"), ("Bo", "L", "loss"), ("Cy", "W", "win"), ("Di", "D", "draw"), ("Eve", "L", "loss")]


@pytest.mark.req("PR-6")
def test_a_letter_in_a_cell_says_the_one_choice_that_begins_with_it(tmp_path: Path) -> None:
    rows = "".join(f"<tr><td>{name}</td><td>{said}</td><td>D</td></tr>" for name, said, _ in MATCHES)
    table = f"<h1>Games</h1><table><tr><th>Against</th><th></th><th>Day/Night</th></tr>{rows}</table>"
    data = [{"against": name, "result": result} for name, _, result in MATCHES]
    schema = list_of(object_of(against=TEXT, result={"enum": ["win", "draw", "loss"]}))
    right = asked(table, schema, data, tmp_path)
    assert (right.status, [one for one in right.extraction.provenance if one.doubt]) == ("complete", [])
    wrong = asked(table, schema, [data[0], {**data[1], "result": "win"}, *data[2:]], tmp_path)
    assert {one.pointer for one in wrong.extraction.provenance if one.doubt} == {"/1/result"}
