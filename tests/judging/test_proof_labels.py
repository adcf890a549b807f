"""What stands over or before a value tells which field it is of: swapped and shifted values are not served."""

import itertools
import random
import re

import pytest
from gleaner.judging.judge import judge as prove

ROWS = [("Larch", 12, 40), ("Alder", 31, 7), ("Rowan", 8, 19), ("Birch", 27, 33), ("Hazel", 14, 52)]
TABLE = "| Tree | Fixes | Features |\n| --- | --- | --- |\n" + "\n".join(f"| {n} | {a} | {b} |" for n, a, b in ROWS)
SCHEMA = {
    "type": "array",
    "items": {
        "properties": {"name": {"type": "string"}, "fixes": {"type": "integer"}, "features": {"type": "integer"}}
    },
}
TRUTH = [{"name": n, "fixes": a, "features": b} for n, a, b in ROWS]
SWAPPED = [{"name": n, "fixes": b, "features": a} for n, a, b in ROWS]


def refused(data: object, text: str) -> set[str]:
    entries = prove(data, text, schema=SCHEMA)  # type: ignore[arg-type]
    return {entry.pointer for entry in entries if entry.status == "ungrounded"}


PAGES = {
    "table": TABLE,
    "list": "\n".join(f"- {n}; Fixes: {a}; Features: {b}" for n, a, b in ROWS),
    "cards": "\n\n".join(f"### {n}\n\n- Features: {b}\n- Fixes: {a}" for n, a, b in ROWS),
    "terms": "\n\n".join(f"### {n}\n\nFixes\n:   {a}\n\nFeatures\n:   {b}" for n, a, b in ROWS),
    "sentences": "\n\n".join(f"{n} stands here. Its fixes are {a}. Its features are {b}." for n, a, b in ROWS),
    "lines": "\n".join(f"- {n} Fixes: {a} Features: ${b} more" for n, a, b in ROWS),
    "cells": "| | |\n|---|---|\n" + "\n".join(f"| {n} | **Fixes:** {a} Features: **US$ {b}** |" for n, a, b in ROWS),
}


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize("page", PAGES)
def test_two_fields_that_a_model_swapped_in_all_records_are_refused_by_their_labels(page: str) -> None:
    assert refused(TRUTH, PAGES[page]) == set()
    assert refused(SWAPPED, PAGES[page]) == {f"/{n}/{name}" for n in range(5) for name in ("fixes", "features")}


@pytest.mark.req("PR-1")
@pytest.mark.parametrize("sign", ["$", "US$ ", "Rs. ", "kr. ", "≈", "approx. ", "约 ", "**€**"])
def test_a_label_behind_another_number_leads_to_its_value_whatever_stands_between(sign: str) -> None:
    text = "\n".join(f"- {n}\n\n  Since: 1999 Fixes: {sign}{a} Features: {sign}{b}" for n, a, b in ROWS)
    assert refused(TRUTH, text) == set()
    assert len(refused(SWAPPED, text)) == 2 * len(ROWS)


@pytest.mark.req("PR-2")
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_value_of_another_fields_label_is_refused_in_few_records(page: str, count: int) -> None:
    blocks = {"table": TABLE.split("\n")[: 2 + count], "list": PAGES["list"].split("\n")[:count]}
    text = "\n".join(blocks[page]) if page in blocks else PAGES[page].split("\n\n" + ROWS[count][0])[0]
    data = [{**record, "features": record["fixes"]} for record in TRUTH[:count]]
    assert refused(data, text) == {f"/{n}/features" for n in range(count)}


@pytest.mark.req("PR-2")
def test_labels_in_a_foreign_language_belong_to_the_field_of_most_records() -> None:
    rows = [(f"Baum {chr(65 + n)}", 11 + n, 70 + 3 * n) for n in range(12)]
    text = "\n\n".join(f"### {n}\n\nHöhe {a} m. Alter {b} Jahre." for n, a, b in rows)
    data = [{"name": n, "fixes": a, "features": b} for n, a, b in rows]
    data[4] |= {"fixes": rows[4][2], "features": rows[4][1]}
    assert refused(data, text) == {"/4/fixes", "/4/features"}


@pytest.mark.req("PR-2")
def test_a_column_that_two_fields_were_filled_from_is_the_one_that_has_no_other() -> None:
    rows = [(f"Item {chr(65 + n)}", 11 + n, 1970 + 3 * n) for n in range(10)]
    text = "| Ding | Preis | Jahr |\n| --- | --- | --- |\n" + "\n".join(f"| {n} | {a} | {b} |" for n, a, b in rows)
    wrong = random.Random(3).sample(range(10), 6)
    data = [{"name": n, "fixes": b if at in wrong else a, "features": b} for at, (n, a, b) in enumerate(rows)]
    assert refused(data, text) == {f"/{at}/fixes" for at in wrong}


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("- Living room 7.5 m2\n- Bath 4.5 m2", [{"room": "Living room", "area": 7.5}, {"room": "Bath", "area": 4.5}]),
        (
            "- Mug\n\n  Regular price $5.50\n- Lamp\n\n  Regular price ~~$9.50 USD~~ Sale price $7.50 USD",
            [{"name": "Mug", "price": 5.5}, {"name": "Lamp", "price": 7.5, "before": 9.5}],
        ),
        ("- Lin\n\n  **Likes:** 24\n\n  April 30, 2023\n\n- Ada", [{"by": "Lin", "likes": 24}, {"by": "Ada"}]),
        ("- Lamp, 100 points by ann\n- Mug, 200 points by ben", [{"name": "Lamp", "points": 100, "by": "ann"}]),
        ("| Name | Price | Sale price |\n|---|---|---|\n| Lamp | 9 | 7 |", [{"name": "Lamp", "price": 7}]),
        ("| Team | Wins | Win % |\n|---|---|---|\n| A | 30 | 0.366 |", [{"team": "A", "wins": 30, "win_pct": 0.366}]),
        ("| Team | Wins | Win % |\n|---|---|---|\n| A | 30 | 0.366 |", [{"team": "A", "wins": 30, "ratio": 0.366}]),
        ("| No | Price | Price (gross) |\n|---|---|---|\n| 7 | 5 | 6 |", [{"no": 7, "price": 5, "price_gross": 6}]),
        ("| No | Goals (home) | Goals (away) |\n|---|---|---|\n| 7 | 5 | 6 |", [{"goals": 5, "goals_away": 6}]),
        ("| No | Unit | Price per unit |\n|---|---|---|\n| 7 | kg | 6 |", [{"no": 7, "unit": "kg", "unit_price": 6}]),
        ("## Lamp\n\nPrice: 5\nPrice (incl. VAT): 6\nVAT: 1", [{"price": 5, "vat": 1, "price_incl_vat": 6}]),
        ("## Lamp\n\nPrice: 5\nPrice (incl. VAT): 6\nVAT: 1", [{"price": 5, "vat": 1, "gross": 6}]),
        ("| Title |\n|---|\n| Lamp |\n| Mug |", [{"title": "Lamp", "name": "Lamp"}]),
        ("| Lamp | Lamp | 65 |\n|---|---|---|\n|  | Basel | 1982 |", [{"name": "Lamp", "price": 65, "year": 1982}]),
    ],
    ids=[
        "a value that ends with a name",
        "a former price that is struck out",
        "a number above a date",
        "a count before a word",
        "a longer label",
        "a label with a sign",
        "a label with a sign that no field is named for",
        "a label with brackets",
        "labels told apart by brackets",
        "a label that ends with another",
        "a line with brackets",
        "a line with brackets that no field is named for",
        "two fields of one column",
        "a head that is a row",
    ],
)
def test_what_only_looks_like_a_label_refuses_nothing(text: str, data: list[object]) -> None:
    assert {entry.status for entry in prove(data, text)} <= {"verbatim", "normalized"}  # type: ignore[arg-type]


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize(
    "one",
    [
        "### {name}\n\nFixes\n:   {fixes}, {features}",
        "### {name}\n\n:   {fixes} Fixes\n:   {features} Features\n:   Last post by somebody",
        "- {name} Fixes: {fixes} {features}",
    ],
)
def test_what_stands_behind_another_fields_own_value_is_not_refused_for_its_label(one: str) -> None:
    text = "\n\n".join(one.format(**record) for record in TRUTH)
    assert refused(TRUTH, text) == set()


FACTS = "# Oakland\n\nPopulation: 97,000\n\nArea: 675.7 km2\n\nSKU: K-77\n\nOut of stock"
FACT_SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "sku": {"type": "string"},
        "population": {"type": ["integer", "null"]},
        "area": {"type": "number"},
        "in_stock": {"type": "boolean"},
    },
}
OAKLAND = {"name": "Oakland", "sku": "K-77", "population": 97000, "area": 675.7, "in_stock": False}


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(
    ("changed", "refused"),
    [
        ({}, set[str]()),
        ({"name": "K-77", "sku": "Oakland"}, {"/name", "/sku"}),
        ({"area": 97000, "population": None}, {"/area"}),
        ({"in_stock": True}, {"/in_stock"}),
    ],
)
def test_the_labels_of_a_page_about_one_thing_count_too(changed: dict[str, object], refused: set[str]) -> None:
    entries = prove({**OAKLAND, **changed}, FACTS, schema=FACT_SCHEMA)  # type: ignore[arg-type]
    assert {entry.pointer for entry in entries if entry.status == "ungrounded"} == refused


@pytest.mark.req("PR-1")
def test_a_currency_between_a_label_and_its_value_is_no_part_of_the_label() -> None:
    text = "# Beech\n\nFixes: USD 597\n\n**Features:** 3 of them"
    assert refused([{"name": "Beech", "fixes": 597, "features": 3}], text) == set()


@pytest.mark.req("PR-1", "PR-2")
def test_a_second_fact_of_a_cell_is_proven_where_the_first_is_wrong() -> None:
    text = "| Item | Price |\n| --- | --- |\n" + "\n".join(f"| Mug {chr(65 + n)} | €{n + 7}.50 |" for n in range(10))
    data = [{"item": f"Mug {chr(65 + n)}", "price": n + 7.5, "currency": "EUR"} for n in range(10)]
    data[4]["price"] = 99.5
    assert {e.pointer for e in prove(data, text) if e.status == "ungrounded"} == {"/4/price"}  # type: ignore[arg-type]


@pytest.mark.req("PR-1")
def test_a_number_in_the_cell_before_a_date_is_no_day_of_it() -> None:
    text = "| Item | Stock | Added |\n|---|---|---|\n" + "\n".join(
        f"| Mug {chr(65 + n)} | {n + 20} | Nov {n + 2}, 2025 |" for n in range(6)
    )
    data = [{"item": f"Mug {chr(65 + n)}", "stock": n + 20, "added": f"2025-11-{n + 2:02}"} for n in range(6)]
    assert {entry.status for entry in prove(data, text)} <= {"verbatim", "normalized"}  # type: ignore[arg-type]
    assert prove([{"added": "2025-11-22"}], text)[0].status == "ungrounded"


@pytest.mark.req("MD-6", "PR-1")
@pytest.mark.parametrize("line", ["|", "| a ", "| --- ", " ", "-|", "(", "a: ", "**"])
def test_lines_of_countless_signs_are_gone_through_once(line: str) -> None:
    text = f"# Page\n\n{line * (200_000 // len(line))}|\n\n- Lamp; Price: 5\n- Mug; Price: 6\n"
    data = [{"name": "Lamp", "price": 5}, {"name": "Mug", "price": 6}]
    assert {entry.status for entry in prove(data, text)} == {"verbatim"}  # type: ignore[arg-type]


@pytest.mark.req("PR-1", "PR-2")
def test_a_label_that_is_all_of_the_line_above_is_the_values() -> None:
    text = "# Larch pie\n\nAll Reviews:\n\nMixed (40,787)\n\nDeveloper:\n\nHolline Group\n\nServings:\n\n6"
    text += "\n\nPublisher:\n\nFenix"
    said = {"reviews": 40787, "developer": "Holline Group", "servings": 6, "publisher": "Fenix", "verdict": "Mixed"}
    assert refused(said, text) == set()
    assert refused(said | {"developer": "Fenix", "publisher": "Holline Group"}, text) == {"/developer", "/publisher"}


@pytest.mark.req("PR-1", "PR-2")
def test_a_label_that_ends_the_line_before_is_the_values() -> None:
    text = "# CVE-1\n\n**Published Date:**\n06/14/2017\n**NVD Last Modified:**\n03/07/2024\n"
    text += "**Source:**\nLumen\n**Owner:**\nOak"
    said = {"published": "2017-06-14", "modified": "2024-03-07", "source": "Lumen", "owner": "Oak"}
    assert refused(said, text) == set()
    assert refused(said | {"source": "Oak", "owner": "Lumen"}, text) == {"/source", "/owner"}
    assert "/modified" in refused(said | {"published": "2024-03-07", "modified": "2017-06-14"}, text)


@pytest.mark.req("PR-1", "PR-2")
def test_another_fields_label_that_ends_with_a_fields_name_is_not_the_fields() -> None:
    text = "# Aldix router\n\nBrand: Marmark\n\n$662.74\n\nList Price: $828.42\n\nCurrently unavailable."
    said = {"brand": "Marmark", "price": 662.74, "list_price": 828.42}
    assert refused(said, text) == set()
    assert refused({"price": 662.74, "brand": "Marmark"}, text.replace("List Price", "Price")) == {"/price"}


@pytest.mark.req("PR-1", "PR-2")
def test_a_label_that_only_ends_with_a_fields_name_is_not_that_of_a_name_in_the_heading() -> None:
    plants = [("Sea holly", "Eryngium", 70), ("Yarrow", "Achillea", 60)]
    one = "## {}\n\nBotanical name\n:   {}\n\nHeight\n:   {} cm"
    text = "\n\n".join(one.format(*plant) for plant in plants)
    assert refused([{"name": name, "latin": latin, "height": height} for name, latin, height in plants], text) == set()


@pytest.mark.req("PR-1", "PR-2")
def test_values_behind_each_others_qualified_labels_are_refused() -> None:
    text = "## 1\n\nBook title: Glass hills\nMain author: Ada Larch\n\n## 2\n\nBook title: Salt\nMain author: Lin Gorse"
    books = [("Glass hills", "Ada Larch"), ("Salt", "Lin Gorse")]
    assert refused([{"title": title, "author": author} for title, author in books], text) == set()
    swapped = [{"title": author, "author": title} for title, author in books]
    assert refused(swapped, text) == {"/0/title", "/0/author", "/1/title", "/1/author"}


def test_a_label_without_the_unit_that_a_fields_name_ends_in_is_the_fields_own() -> None:
    text = "# Soup\n\nServes 4 · Prep 15 min · Cook 40 min\n\n- Warranty: 24 months\n- Delivery in 3-5 days"
    data = {"title": "Soup", "prep_minutes": 15, "cook_minutes": 40, "warranty_months": 24}
    assert "ungrounded" not in {entry.status for entry in prove(data, text)}
    wrong = {**data, "prep_minutes": 40, "warranty_months": 5}
    refused = {entry.pointer for entry in prove(wrong, text) if entry.status == "ungrounded"}
    assert refused == {"/prep_minutes", "/warranty_months"}


def test_a_row_of_a_label_and_a_value_says_which_value_is_an_objects_own() -> None:
    text = (
        "# Norrland\n\n| Founded | 1921 |\n|---|---|\n| Employees | 3,482 |\n| Chair | Ann |\n\n"
        "Rivals: Holmgren (2,900 employees).\n\n"
        "| Item | Qty | Sum |\n|---|---|---|\n| Paper | 2 | 9.50 |\n| Total | Total | 12.50 |\n| VAT | VAT | 3.00 |"
    )
    data = {"name": "Norrland", "employees": 3482, "total": 12.5, "vat": 3.0}
    assert "ungrounded" not in {entry.status for entry in prove(data, text)}
    wrong = {"name": "Norrland", "employees": 2900, "total": 9.5, "vat": 12.5}
    refused = {entry.pointer for entry in prove(wrong, text) if entry.status == "ungrounded"}
    assert refused == {"/employees", "/total", "/vat"}


MUGS = [
    ("Elk mug", "Norvik", 12.5),
    ("Fox mug", "Tál", 8.75),
    ("Owl mug", "Kōdo & Sons", 31.0),
    ("Bat mug", "Pem", 9.25),
]
MUG = {"name": {"type": "string"}, "brand": {"type": "string"}, "price": {"type": "number"}}


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    "line",
    ["**Brand:** {brand} Price: £{price}", "{brand} Price: £{price}", "Brand: {brand} **Price:** £{price}"],
)
def test_a_label_behind_another_value_in_its_line_is_the_fields_own(line: str) -> None:
    """On some records a date stands between, so that the label begins its line there."""
    text = "Sort by\n\nPrice: low to high\n\n" + "\n\n".join(
        f"- {name}\n\n  {line.format(brand=brand, price=price)}" for name, brand, price in MUGS
    )
    text += "\n\n- Emu mug\n\n  Brand: Ulf\n\n  Price: £7"
    truth = [{"name": name, "brand": brand, "price": price} for name, brand, price in MUGS]
    truth.append({"name": "Emu mug", "brand": "Ulf", "price": 7})
    entries = prove(truth, text, schema={"type": "array", "items": {"properties": MUG}})  # type: ignore[arg-type]
    assert [entry.pointer for entry in entries if entry.status == "ungrounded"] == []


@pytest.mark.req("PR-1")
def test_an_answer_before_a_label_is_no_part_of_it() -> None:
    text = "Price: low to high\n\n" + "\n\n".join(f"- {name}\n\n  Yes Price: £{price}" for name, _, price in MUGS)
    truth = [{"name": name, "price": price} for name, _, price in MUGS]
    assert refused(truth, text) == set()


@pytest.mark.req("PR-2")
def test_a_label_that_holds_anothers_name_is_not_the_others() -> None:
    text = "\n\n".join(f"- {name}\n\n  Unit price: £{price}\n\n  Price: £{price + 40}" for name, _, price in MUGS)
    truth = [{"name": name, "price": price + 40} for name, _, price in MUGS]
    assert refused(truth, text) == set()
    assert refused([{**truth[0], "price": 12.5}, *truth[1:]], text) == {"/0/price"}


def test_what_all_records_share_is_no_value_of_one_whose_own_column_or_label_says_otherwise() -> None:
    rows = [("ICE 571", "Hamburg", "08:14"), ("RE 4", "Celle", "08:22"), ("IC 2073", "Dresden", "08:31")]
    rows += [("S 21", "Peine", "08:33"), ("RB 81", "", "08:41")]
    lines = [f"| {train} | {city} | {time} |" for train, city, time in rows]
    text = "\n".join(
        ["# Departures from Hannover\n\nAs of 08:10\n", "| Train | City | Time |", "|---|---|---|", *lines]
    )
    data = [{"train": train, "city": city or None, "time": time} for train, city, time in rows]
    assert "ungrounded" not in {entry.status for entry in prove(data, text)}
    data[0]["city"], data[1]["time"], data[4]["city"] = "Hannover", "08:10", "Hannover"
    refused = {entry.pointer for entry in prove(data, text) if entry.status == "ungrounded"}
    assert refused == {"/0/city", "/1/time"}


@pytest.mark.req("PR-1", "PR-2")
def test_a_label_that_names_two_fields_is_that_of_the_values_own_object() -> None:
    rows = [("Rope", 8.5, 25.5), ("Cleat", 6.25, 25.0), ("Tarp", 31.9, 63.8)]
    text = "| Item | Each | Total |\n|---|---|---|\n" + "\n".join(f"| {n} | £{a:.2f} | £{b:.2f} |" for n, a, b in rows)
    lines = [{"item": name, "each": each, "total": total} for name, each, total in rows]
    data = {"lines": lines, "each": None, "total": 114.3}
    assert "ungrounded" not in {entry.status for entry in prove(data, text + "\n\nTotal £114.30")}  # type: ignore[arg-type]
    lines[0]["each"] = 25.5
    found = {entry.pointer for entry in prove(data, text + "\n\nTotal £114.30") if entry.status == "ungrounded"}  # type: ignore[arg-type]
    assert found == {"/lines/0/each"}


@pytest.mark.req("PR-2")
@pytest.mark.parametrize("heads", ["Ort | Wysłano | Ważne", "Город | Вес нетто, кг | Вес брутто, кг", "A | B | C"])
def test_three_records_of_one_mind_tell_a_column_from_the_other(heads: str) -> None:
    rows = [("Ulm", 12.5, 31.0), ("Bonn", 18.0, 45.5), ("Jena", 24.0, 62.5), ("Hof", 15.5, 18.5)]
    text = f"| {heads} |\n|---|---|---|\n" + "\n".join(f"| {n} | {a} | {b} |" for n, a, b in rows)
    data: list[dict[str, str | float | None]] = [{"ort": n, "wyslano": one, "wazne": other} for n, one, other in rows]
    assert refused(data, text) == set()
    data[1] |= {"wyslano": 45.5, "wazne": None}
    assert refused(data, text) == {"/1/wyslano"}


@pytest.mark.req("PR-1")
def test_a_label_of_a_quiet_word_behind_a_number_is_one() -> None:
    text = "\n\n".join(f"- Fair {n}\n\n  £{n}.99 **Date:** 1{n}.03.2021" for n in range(4))
    text += "".join(f"\n\n- Fair {n}\n\n  **Date:** 1{n}.04.2021" for n in range(4, 9))
    truth = [{"name": f"Fair {n}", "date": f"2021-0{3 + (n > 3)}-1{n}"} for n in range(9)]
    assert refused(truth, text) == set()


@pytest.mark.req("PR-2")
def test_a_number_is_not_taken_from_beside_the_column_of_its_fields_name() -> None:
    rows = [("Salt", 58.44, 500), ("Acid", 98.08, 250), ("Ethanol", 46.07, 120)]
    text = "| Reagent | Molar mass | Stock |\n|---|---|---|\n" + "\n".join(
        f"| {a} | {b} g/mol | {c} g |" for a, b, c in rows
    )
    data = [{"reagent": a, "molar_mass": b, "grams": c} for a, b, c in rows]
    assert not refused(data, text)
    data[0] = {"reagent": "Salt", "molar_mass": 500, "grams": None}
    assert refused(data, text) == {"/0/molar_mass"}


@pytest.mark.req("PR-1")
@pytest.mark.parametrize("sign", ["USD ", "Rs. ", "ca. ", "≥"])
def test_a_currency_before_an_amount_is_no_label_in_a_table_of_few_amounts(sign: str) -> None:
    rows = [(name, f"{sign}{at}.50" if at in (2, 3) else "n/a") for at, name in enumerate("ABCDE")]
    text = "| Name | City | Fee |\n| --- | --- | --- |\n" + "\n".join(f"| Fair {n} | Oslo | {f} |" for n, f in rows)
    data = [{"name": f"Fair {n}", "fee": at + 0.5 if at in (2, 3) else None} for at, (n, _) in enumerate(rows)]
    assert refused(data, text) == set()


@pytest.mark.req("PR-1")
def test_a_word_before_an_amount_is_no_label_of_a_day() -> None:
    days = ["2025-03-04", "2025-05-16", "2025-06-07", "2025-08-09"]
    text = "\n\n".join(f"### Fair {n}\n\n{day}\n\nFrom {n + 12}.50 €" for n, day in enumerate(days))
    data = [{"name": f"Fair {n}", "from": day, "price": n + 12.5} for n, day in enumerate(days)]
    assert refused(data, text) == set()


@pytest.mark.req("PR-1", "PR-2")
def test_a_fields_name_behind_another_fields_text_leads_to_its_value() -> None:
    days = ["2025-03-04", "2025-05-16", "2025-06-27", "2025-08-19"]
    cities = ["Graz", "Oslo", "Cork", "Turin"]
    lines = zip("ABCD", cities, days, strict=True)
    text = "\n\n".join(f"### Fair {n}\n\nCity: {city} Date: {'.'.join(reversed(d.split('-')))}" for n, city, d in lines)
    data = [{"name": f"Fair {n}", "city": c, "date": d} for n, c, d in zip("ABCD", cities, days, strict=True)]
    assert refused(data, text) == set()
    assert refused([{**data[0], "date": days[1]}, *data[1:]], text) == {"/0/date"}


@pytest.mark.req("PR-1")
def test_the_first_record_of_a_table_without_heads_heads_no_column() -> None:
    rows = [f"| {name} | {fixes} fixes |" for name, fixes, _ in ROWS]
    text = "\n".join([rows[0], "| --- | --- |", *rows[1:]])
    starts = [text.index(row) for row in rows]
    spans = [(start, start + len(row)) for start, row in zip(starts, rows, strict=True)]
    data = [{"name": name, "fixes": fixes} for name, fixes, _ in ROWS]
    entries = prove(data, text, schema=SCHEMA, spans=spans)  # type: ignore[arg-type]
    assert {entry.status for entry in entries} == {"verbatim"}


@pytest.mark.req("PR-1")
def test_a_label_behind_a_name_with_capitals_in_it_is_the_fields_own() -> None:
    makers = ["Acme Labs", "Oscorp GmbH", "Hooli", "Stark", "Vandelay"]
    rows = [(name, maker, 2010 + at) for at, ((name, *_), maker) in enumerate(zip(ROWS, makers, strict=True))]
    text = "\n".join(f"- {name} {maker} Year: {year}" for name, maker, year in rows)
    assert refused([{"name": name, "maker": maker, "year": year} for name, maker, year in rows], text) == set()


@pytest.mark.req("PR-1")
def test_the_label_of_an_object_is_that_of_its_parts() -> None:
    sellers = ["Ada Roe", "Bo Lund", "Cleo Marsh", "Dov Katz", "Esa Nurmi"]
    pairs = list(zip([row[0] for row in ROWS], sellers, strict=True))
    text = "\n\n".join(f"Name\n:   {name}\n\nSeller\n:   {seller} Oslo" for name, seller in pairs)
    starts = [*(match.start() for match in re.finditer("Name", text)), len(text)]
    spans = [*itertools.pairwise(starts)]
    told = [{"name": name, "seller": {"name": seller}} for name, seller in pairs]
    seller = {"type": "object", "properties": {"name": {"type": "string"}}}
    schema = {"type": "array", "items": {"properties": {"name": {"type": "string"}, "seller": seller}}}
    entries = prove(told, text, schema=schema, spans=spans)  # type: ignore[arg-type]
    assert {entry.status for entry in entries} == {"verbatim"}


@pytest.mark.req("PR-1")
def test_the_label_of_a_record_is_none_of_the_elements_of_its_list() -> None:
    sizes = [{"size": "S", "price": 10.57}, {"size": "XL", "price": 287.11}]
    data = [{"name": name, "price": 400 + at, "sizes": sizes} for at, (name, *_) in enumerate(ROWS)]
    items = "".join(f"- {one['size']} {one['price']}\n" for one in sizes)
    pieces = [f"### {one['name']}\n\nPrice: £{one['price']}\n\nSizes:\n\n{items}" for one in data]
    text = "\n\n".join(pieces)
    spans = [(text.index(piece), text.index(piece) + len(piece)) for piece in pieces]
    entries = prove(data, text, spans=spans)  # type: ignore[arg-type]
    assert {entry.pointer for entry in entries if entry.status == "ungrounded"} == set()
