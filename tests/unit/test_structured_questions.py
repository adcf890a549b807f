"""RC-4: which questions ask for all that a page's own data says, and which may want less or something else."""

import json
from typing import Any

import pytest
from gleaner.structured import answer_from_structure

URL = "https://shop.example/list"
TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "number"}


def listing(**fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "object", "properties": fields}}


def table(heading: str, *lines: str, lang: str = "en") -> str:
    head, *rows = [line.split(" | ") for line in lines]
    cells = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    labels = "".join(f"<th>{cell}</th>" for cell in head)
    return f"<html lang={lang}><h1>{heading}</h1><table><tr>{labels}</tr>{cells}</table></html>"


def is_answered(page: str, schema: dict[str, Any], query: str) -> bool:
    assert answer_from_structure(page, URL, schema) is not None
    return answer_from_structure(page, URL, schema, query=query) is not None


LIGHTS = table(
    "Lighthouses of Scotland", "Lighthouse | Height (m) | Keeper", "Bell Rock | 35 | Reid", "Skerryvore | 48 | Hay"
)
LIGHT = listing(lighthouse=TEXT, height=NUMBER, keeper=TEXT)


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    "query",
    [
        "all lighthouses",
        "all",
        "Extract all on this page, please",
        "the lighthouses",
        "list every lighthouse with height",
        "Could you give me all the lighthouses, please?",
        "What are the heights of the lighthouses?",
        "which lighthouses are listed?",
        "lighthouse names and heights",
        "For each lighthouse, extract the height and the keeper",
        "Extract the lighthouse table",
        "all lighthouses in Scotland and their keepers",
        "Return every lighthouse as a record. Include the height.",
        "lighthouse, height, keeper",
        "a full list of the lighthouses on this page",
        "What are the lighthouses of Scotland?",
        "All lighthouse names, and the height of each",
        "The lighthouse, its height and its keeper",
    ],
)
def test_questions_for_all_records_are_answered_however_they_are_put(query: str) -> None:
    assert is_answered(LIGHTS, LIGHT, query)


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    "query",
    [
        "lighthouses taller than 40 m",
        "a lighthouse",
        "the lighthouse",
        "the first lighthouse",
        "lighthouses by height",
        "Bell Rock",
        "lighthouses of Wales",
        "heights in feet",
        "lighthouses with a keeper",
        "lighthouses and bridges",
        "how many lighthouses?",
        "names of keepers",
        "only lighthouses",
        "any lighthouse",
        "lighthouses, but no heights",
        "all keepers' wages",
    ],
)
def test_questions_for_less_or_for_something_else_are_left_to_the_model(query: str) -> None:
    assert not is_answered(LIGHTS, LIGHT, query)


@pytest.mark.req("RC-4")
def test_to_name_one_field_narrows_only_where_a_record_has_no_value_for_it() -> None:
    schema = listing(lighthouse=TEXT, height=NUMBER, keeper={"type": ["string", "null"]})
    gap = table("Lighthouses", "Lighthouse | Height (m) | Keeper", "Bell Rock | 35 | Reid", "Skerryvore | 48 | –")
    assert is_answered(LIGHTS, schema, "lighthouses with keeper")
    assert is_answered(gap, schema, "lighthouses with their keepers")
    assert not is_answered(gap, schema, "lighthouses with keeper")


@pytest.mark.req("RC-4")
@pytest.mark.parametrize("query", ["Fox mug", "mugs", "Elk mugs"])
def test_the_name_of_one_record_is_no_word_for_all(query: str) -> None:
    names = ("Fox mug", "Owl mug", "Elk mug")
    items = [
        {"@type": "ListItem", "item": {"@type": "Product", "name": name, "offers": {"price": f"1{at}.00"}}}
        for at, name in enumerate(names)
    ]
    cards = "".join(f"<article><h2>{name}</h2><p>$1{at}.00</p></article>" for at, name in enumerate(names))
    data = json.dumps({"@type": "ItemList", "itemListElement": items})
    page = f"<h1>Mugs</h1>{cards}<script type='application/ld+json'>{data}</script>"
    assert is_answered(page, listing(name=TEXT, price=NUMBER), query) is (query == "mugs")


STOOL = (
    "<title>Oak stool | Shop</title><h1>Oak stool</h1><p>$89.00</p><script type='application/ld+json'>"
    '{"@type": "Product", "name": "Oak stool", "offers": {"price": "89.00", "priceCurrency": "USD"}}</script>'
)


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    ("query", "is_plain"),
    [
        ("the product's name and price", True),
        ("What is the price of this product?", True),
        ("price of the Oak stool", True),
        ("product details", True),
        ("name of the store", False),
        ("name of this company", False),
        ("list price", False),
        ("price of this other size", False),
        ("the price of the cheapest stool", False),
    ],
)
def test_a_question_about_one_thing_names_that_thing(query: str, is_plain: bool) -> None:
    schema = {"type": "object", "properties": {"name": TEXT, "price": NUMBER}}
    assert is_answered(STOOL, schema, query) is is_plain


ABROAD = {
    "de": (
        ("Leuchttürme an der Ostsee", "Leuchtturm | Höhe (m)", "Bülk | 25,6", "Dornbusch | 28,2"),
        ("leuchtturm", "hoehe"),
        ("alle Leuchttürme", "Zeig mir jeden Leuchtturm mit seiner Höhe", "Welche Leuchttürme gibt es?"),
        ("Leuchttürme über 26 m", "der höchste Leuchtturm", "nur Bülk", "alle Leuchttürme außer Bülk"),
    ),
    "fr": (
        ("Nos fromages", "Fromage | Prix (€)", "Comté | 18,50", "Brie | 12,90"),
        ("fromage", "prix"),
        ("tous les fromages", "la liste complète des fromages", "Donne-moi chaque fromage avec son prix"),
        ("les fromages à moins de 15 euros", "le premier fromage", "tous les fromages sauf le Brie"),
    ),
    "es": (
        ("Libros", "Título | Precio (€)", "Niebla | 11,20", "El viento | 9,90"),
        ("titulo", "precio"),
        ("todos los libros", "Dame todos los libros con su precio", "¿Cuáles son los libros?"),
        ("solo los libros nuevos", "el libro más barato", "libros de menos de 10 euros"),
    ),
    "it": (
        ("Musei di Torino", "Museo | Biglietto (€)", "Egizio | 15,00", "Cinema | 11,50"),
        ("museo", "biglietto"),
        ("tutti i musei", "ogni museo con il suo biglietto", "elenco dei musei"),
        ("i musei gratis", "il museo più economico", "i primi due musei"),
    ),
    "nl": (
        ("Vuurtorens", "Vuurtoren | Hoogte (m)", "Brandaris | 52,5", "Eierland | 34,7"),
        ("vuurtoren", "hoogte"),
        ("alle vuurtorens", "Geef me elke vuurtoren met de hoogte", "lijst van vuurtorens"),
        ("alleen Brandaris", "de hoogste vuurtoren", "vuurtorens op Texel"),
    ),
    "pt": (
        ("Praias do Algarve", "Praia | Extensão (m)", "Marinha | 250", "Rocha | 1500"),
        ("praia", "extensao"),
        ("todas as praias", "Quero todas as praias com a extensão", "lista de praias"),
        ("só a praia Marinha", "a maior praia", "praias com mais de 1000 m"),
    ),
}


@pytest.mark.req("RC-4")
@pytest.mark.parametrize("language", ABROAD)
def test_questions_are_understood_in_the_languages_of_the_pages(language: str) -> None:
    lines, (name, number), plain, narrow = ABROAD[language]
    page, schema = table(*lines, lang=language), listing(**{name: TEXT, number: NUMBER})
    assert [query for query in plain if not is_answered(page, schema, query)] == []
    assert [query for query in narrow if is_answered(page, schema, query)] == []


@pytest.mark.req("RC-4")
def test_a_heading_of_two_things_is_no_word_for_one_of_them() -> None:
    page = table("Rakes, spades", "Name | Price", "Big rake | $5", "Flat spade | $7")
    assert is_answered(page, listing(name=TEXT, price=NUMBER), "all products")
    assert not is_answered(page, listing(name=TEXT, price=NUMBER), "spades")
