"""Tier 0 with inner objects, labels beside data, last rows and labels of other languages (RC-4)."""

import json
from typing import Any

import pytest
from gleaner.structured import extract_structured
from gleaner.structured.fields import read_wanted
from hypothesis import given
from hypothesis import strategies as st

TEXT, NUMBER = {"type": "string"}, {"type": "number"}
URL = "https://shop.example/p/spade"


def record(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def listing(**properties: Any) -> dict[str, Any]:
    return {"type": "array", "items": record(**properties)}


def table(*rows: str) -> str:
    head, *body = [row.split(" | ") for row in rows]
    lines = [f"<tr>{''.join(f'<th>{each}</th>' for each in head)}</tr>"]
    lines += [f"<tr>{''.join(f'<td>{each}</td>' for each in row)}</tr>" for row in body]
    return f"<html lang=en><h1>Things</h1><table>{''.join(lines)}</table></html>"


def product(*labels: tuple[str, str], heading: str = "Details", **data: Any) -> str:
    embedded = json.dumps({"@type": "Product", "name": "Spade", **data})
    rows = "".join(f"<tr><th>{label}</th><td>{value}</td></tr>" for label, value in labels)
    return (
        f"<html lang=en><title>Spade</title><script type='application/ld+json'>{embedded}</script><h1>Spade</h1>"
        f"<p>£48.00</p><h2>{heading}</h2><table>{rows}</table></html>"
    )


OFFER = {"@type": "Offer", "price": "48.00", "priceCurrency": "GBP"}


@pytest.mark.req("RC-4")
@given(
    st.recursive(st.just(TEXT), lambda inner: st.dictionaries(st.sampled_from("abcd"), inner, min_size=1), max_leaves=6)
)
def test_records_are_the_same_out_of_their_inner_objects_and_back(tree: Any) -> None:
    schema = listing(x=nested(tree), y=TEXT)
    wanted = read_wanted(schema)
    if wanted is None:  # deeper than three
        return
    flat = {field.name: str(number) for number, field in enumerate(wanted.fields)}
    data = wanted.wrap([dict(flat)])
    assert wanted.unwrap(data) == [flat]
    assert all(wanted.property_at("/0/" + "/".join(field.path)) == field.name for field in wanted.fields)


def nested(tree: Any) -> Any:
    return tree if tree is TEXT else record(**{name: nested(inner) for name, inner in tree.items()})


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    ("head", "inner", "is_answered"),
    [
        ("Club | Contact | Phone", {"contact": record(name=TEXT, phone=TEXT)}, True),
        ("Club | Street | City", {"address": record(street=TEXT, city=TEXT)}, True),
        ("Club | Name | City", {"seller": record(name=TEXT, city=TEXT)}, False),
        ("Club | Street | City", {"billing_address": record(street=TEXT, city=TEXT)}, False),
        ("Club | Summer fee | Winter fee", {"summer": record(fee=TEXT), "winter": record(fee=TEXT)}, True),
        ("Club | Fee | Members", {"winter": record(fee=TEXT)}, False),
    ],
)
def test_a_field_of_an_inner_object_is_called_by_it_unless_it_is_the_records_own(
    head: str, inner: dict[str, Any], is_answered: bool
) -> None:
    page = table(head, "Rowers | Ann Lo | Hale", "Chess | Bo Ek | Kirk", "Bees | Cy Oh | Dunn")
    assert (extract_structured(page, "", listing(club=TEXT, **inner)) is not None) is is_answered


@pytest.mark.req("RC-4")
def test_labels_and_data_make_one_answer() -> None:
    page = product(("Weight", "2.1 kg"), ("Handle", "Ash"), offers=OFFER)
    schema = record(name=TEXT, price=NUMBER, weight_kg=NUMBER, handle=TEXT)
    assert extract_structured(page, URL, schema) == {"name": "Spade", "price": 48, "weight_kg": 2.1, "handle": "Ash"}


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    "page",
    [
        product(("Weight", "2.1 kg"), heading="Gift box", offers=OFFER),
        product(("Weight", "2.1 lb"), offers=OFFER),
        product(("Weight", "2.1 kg"), weight=3.4, offers=OFFER),
        product(("Weight", "2.1–2.4 kg"), offers=OFFER),
    ],
)
def test_labels_of_something_else_in_another_unit_or_against_the_data_are_doubt(page: str) -> None:
    assert extract_structured(page, URL, record(name=TEXT, price=NUMBER, weight_kg=NUMBER)) is None


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    ("page", "is_answered"),
    [
        (product(("Brand", "Tarn"), ("Handle", "Ash"), offers=OFFER), True),
        (product(("Brand", "Tarn"), ("Handle", "Ash"), brand="Tarn", offers=OFFER), True),
        (product(("Brand", "Tarn"), ("Handle", "Ash"), brand="Fold", offers=OFFER), False),
        (product(("Brand", "Tarn"), ("Handle", "Ash"), heading="Spare sheath", offers=OFFER), False),
    ],
)
def test_a_label_that_the_data_denies_or_that_stands_under_another_heading_is_doubt(
    page: str, is_answered: bool
) -> None:
    found = extract_structured(page, URL, record(name=TEXT, price=NUMBER, brand=TEXT, handle=TEXT))
    assert (found is not None) is is_answered


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    "last",
    ["<b>Dale</b> | <b>390</b>", "Late members | 4", "Vacancy | 2", "Members in May | 30", "England | 999999"],
)
def test_a_last_row_that_may_speak_of_the_others_is_doubt(last: str) -> None:
    rows = ("Club | Members", "Hawes | 40", "Reeth | 61", "Muker | 22")
    assert extract_structured(table(*rows), "", listing(club=TEXT, members=NUMBER)) is not None
    assert extract_structured(table(*rows, last), "", listing(club=TEXT, members=NUMBER)) is None


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(("language", "is_answered"), [("es", True), ("fr", False), ("en", False)])
def test_a_label_is_known_in_the_pages_own_language_only(language: str, is_answered: bool) -> None:
    page = table("Nombre | Precio", "Clavo | 1,20 €", "Tornillo | 0,90 €", "Tuerca | 0,40 €")
    found = extract_structured(page.replace("lang=en", f"lang={language}"), "", listing(name=TEXT, price=NUMBER))
    assert (found is not None) is is_answered
