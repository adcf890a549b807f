"""What real sites state beside their lists, in two dozen languages: totals of the list, and figures of other things."""

import pytest
from gleaner.completeness.certificate import Certificate, certify
from gleaner.units import PlacedUnit
from gleaner.units.totals import possible_totals, stated_page, stated_total

SHOWN_OF_240 = """
    Results 1 - 20 of about 240
    Showing 1 to 20 of 240 entries
    You're viewing 20 of 240 products
    Listing 1-20 of 240
    1–20 of over 240 results for “lamp”
    Now showing 20 of 240 properties
    Page 1 of 12, showing 20 records out of 240 total
    Zeige 1 bis 20 von 240 Einträgen
    1 bis 20 von 240 Einträgen
    Zeige 1 bis 20 von 240 (12 Seite(n))
    Affichage 1-20 de 240 article(s)
    Résultats 1 à 20 sur 240
    20 produits sur 240
    Articles 1-20 sur 240
    Annonces 1 à 20 sur 240
    Mostrando 1-20 de 240 artículo(s)
    Artículos 1-20 de 240
    Mostrando del 1 al 20 de 240
    Visualizzazione di 1-20 di 240 risultati
    Articoli 1-20 di 240
    Mostrando de 1 até 20 de 240 registros
    Exibindo 20 de 240 produtos
    Itens 1 a 20 de 240
    1-20 van 240 resultaten
    Resultaat 1–20 van de 240 resultaten wordt getoond
    Toont 1 tot 20 van 240
    1-20 z 240
    Pokazano 20 z 240 produktów
    Visar 20 av 240 produkter
    1–20 / 240 tuotetta
    Показано 1–20 из 240
    Találatok: 1 - 20 Összesen: 240
    1–20 / 240 termék
    240 件中 1 から 20 まで表示
    240件中1～20件
    1～20件を表示 / 全240件
    1～20件（全240件）
    Menampilkan 1 sampai 20 dari 240 entri
    1-20 of 240 件
    1 – 20 of 240
    Articles 1 to 20 of 240
    Mostrando **1 - 20** de **240** productos
    Displaying 20 of 240 matches
    显示 1-20 / 240
    1..20 out of 240
    The following 20 pages are in this category, out of 240 total.
    Showing 20 of 240 lamps
    Trefferliste: 1 – 20 von 240
    240 sonuçtan 1-20 arası
    240 találatból 1–20
    عرض 1–20 من 240
    1–20 από 240
    총 240개 중 1-20
    显示第 1-20 条，共 240 条
    1–20 trong 240 kết quả
    1–20 ze 240 položek
    แสดง 1-20 จาก 240
    **240** results - showing **1** to **20**.
    240 products found. Showing 1 – 20
    240 Treffer – Anzeige 1 bis 20
"""
"""Twenty of 240 are on this page."""

ALL_240 = """
    240 items
    240 homes for sale
    Page 1 of 12 · 240 results
    Sort by: Relevance | 240 items
    240 item(s)
    Results: 240
    About 240 results
    Lamps – 240 products
    Es wurden 240 Produkte gefunden
    240 Immobilien
    Anzahl Treffer: 240
    Ihre Suche ergab 240 Treffer
    240 Artikel gefunden
    Suchergebnisse (240)
    Es gibt 240 Artikel.
    Page 1 sur 12 - 240 résultats
    Nombre de résultats : 240
    Votre recherche a donné 240 résultats
    240 articles trouvés pour « lampe »
    Il y a 240 résultats pour votre recherche
    240 resultados
    Se han encontrado 240 resultados
    Total de registros: 240
    240 productos encontrados
    Número de resultados: 240
    Total de resultados: 240
    Trovati 240 prodotti
    Total de 240 itens
    240 vagas de emprego
    240 resultaten
    240 producten
    Er zijn 240 producten.
    240 resultaten gevonden
    Zoekresultaten (240)
    240 wyników
    Znaleziono 240 ofert
    240 träffar
    Antal träffar: 240
    240 tulosta
    Viser alle 240 resultater
    240 artiklar
    240 объявлений
    240 товаров
    240 položek
    240 de produse
    240 rezultate
    240 προϊόντα
    240 termék
    検索結果：240件
    전체 240개
    240개의 상품
    240 תוצאות
    พบ 240 รายการ
    240 Produkte in Lampen
    Hittade 240 träffar
    240 offene Stellen in Bern
    240 offres d’emploi à Lille
    240 produtos
    Er zijn 240 resultaten gevonden
    240 open positions
    全240件
    共 240 条
    240 sonuç
"""

OF_OTHER_THINGS = """
    Total posts: **60** • Total topics: **23**
    Topics: 61, Posts: 240, Members: 12
    Results per page: 50
    Over 5,000 customers
    Free delivery on 30 items or more
    Cart (30 items)
    Compare (40 items)
    30 items selected
    You've saved 40 jobs
    Recently viewed (50 items)
    2 of 50 steps
    4 of 5 stars
    1 of 30 colours
    Maximum 100 items per order
    Related articles (50)
    We ship 2,000 products to 40 countries
    Get 20 results more with a free account
    Comparing 30 products
    Pack of 50 items
    Show: 24 48 96
    Orders over 50 items ship free
    A database of 24,000 records
    Last updated 240 days ago
    Post 50 ads for free
    Produkte pro Seite 12 24 48
    Über 5.000 Artikel auf Lager
    Wählen Sie aus 2.000 Produkten
    Warenkorb (30 Artikel)
    30 Artikel ausgewählt
    Mehr als 300 Objekte verwaltet
    Zeige 100 Einträge
    Unser Sortiment umfasst 2.400 Artikel
    240 Artikel sofort lieferbar
    Sie haben 30 Artikel im Warenkorb
    Rund 2.400 Produkte aus 30 Ländern
    Bild 1 von 120
    Anzahl pro Seite: 48 Artikel
    Afficher 100 éléments
    240 articles dans notre gamme
    Choisissez parmi 2 000 produits
    Déjà 240 produits vendus
    Ma liste : 50 produits
    Favoris (50 annonces)
    Photo 1 sur 120
    Maximum 100 articles par commande
    À partir de 30 articles, remise de 10 %
    20 resultados por página
    Más de 5.000 productos en stock
    Más de 12.000 clientes
    120 nuevos productos esta semana
    Paso 1 de 30
    Foto 1 de 120
    20 risultati per pagina
    Prodotti per pagina: 20
    Visualizza 100 elementi
    Oltre 5.000 prodotti disponibili a magazzino
    Mais de 5.000 produtos em estoque
    30 itens selecionados
    Compre 30 produtos e leve 40
    Favoritos (50 itens)
    Itens por página: 20
    Toon 100 resultaten
    Winkelwagen (30 artikelen)
    Ponad 5000 produktów w magazynie
    Porównaj (20 produktów)
    240 produktów w ofercie
    240 artiklar i sortimentet
    Over 5.000 varer på lager
    Ostoskori (30 tuotetta)
    Favoritter (50 annonser)
    Показать 100 записей
    Более 5 000 товаров в наличии
    Корзина (30 товаров)
    240 товаров в ассортименте
    Избранное (50 объявлений)
    Zobraz záznamů 100
    Košík (30 produktů)
    Strana 1 z 12
    Sayfada 100 kayıt göster
    Sepet (30 ürün)
    Coș (30 produse)
    20件ずつ表示
    5,000件以上の商品を取り扱い
    페이지당 20개
    お気に入り（50件）
    See all 240 photos
    Last 24 items in stock
    In stock: 24 items
    Sold: 240 items
    My lists: 50 items
    Set of 24 items
    Top 50 results
    Prices from 240 offers compared
    Open 9-17, Mon 1 to 5 of June 2026
    1-2 of 30 days delivery
    Choose 30 of 240 recipes
    Lesson 2 of 40
    Week 1 of 12
    Day 1 of 30
    Round 1 of 16
    Season 1 of 40
    Track 1 of 14
    Item 3 of 240
    Auf Lager: 24 Artikel
    24 Artikel auf Lager
    Ihre Bestellung: 30 Artikel
    Autor von 24 Büchern und 240 Artikeln
    Mindestens 30 Produkte
    Wir führen 2.400 Artikel
    Les 100 meilleurs produits
    Dès 30 produits achetés
    Nous avons 2 400 articles en magasin
    Pedido: 30 artículos
    Tenemos 2.400 productos en tienda
    I 100 migliori prodotti
    Domanda 3 di 25
    Tot 50 producten
    Fråga 3 av 25
    100 лучших товаров
    Вопрос 3 из 25
    Až 50 položek
    2026 Agendas
    Agendas (2026)
    100 nejlepších produktů
"""
"""Sizes of pages, carts, ranges of goods, advertising, ranks, sets."""


NO_COUNTS = """
    4 of 5 stars
    Page 1 of 12
    Rated 4.5 out of 5
    1 of 3 remaining
    12 of 13 people found this helpful
    35 reviews
    2 of 7 reviews
    30 minutes
    Ready in 20 minutes for 4 people
    5 items left in stock
    18 artikelen in uw winkelwagen
    15 ürün sepetinizde
    全48件のレビュー
    共 56 条评论
    24 produkter i varukorgen
    12 Angry Men
    | Lamp | 3 of 10 items |
"""
"""What is no count at all."""


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


def certified_beside(said: str) -> Certificate:
    rows = [f"**Item {letter}**\n\nof oak" for letter in "ABCDEFGHIJKLMNOPQRST"]
    markdown = "\n\n".join(["# Things", said, *rows, "All rights kept."])
    places = [markdown.index(row) for row in rows]
    units = [PlacedUnit(0, at, place, place + 20, 0.9, "item") for at, place in enumerate(places)]
    stated = stated_total(markdown, units[:-1])
    return certify(returned=20, units=units, answered=set(range(20)), stated=stated, markdown=markdown)


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("said", lines(SHOWN_OF_240))
def test_a_page_that_shows_a_part_is_whole_and_says_of_how_many(said: str) -> None:
    stated = stated_total(said)
    assert stated is not None
    assert (stated.total, stated.shown) == (240, 20)
    certificate = certified_beside(said)
    assert not certificate.is_short
    assert "240 records in all" in certificate.warnings[0]


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("said", lines(ALL_240))
def test_a_count_of_the_list_makes_fewer_records_too_few(said: str) -> None:
    stated = stated_total(said)
    assert stated is not None
    assert (stated.total, stated.shown) == (240, 240)
    assert said[stated.start : stated.end].strip() == stated.text
    assert certified_beside(said).is_short == ("1 of 12" not in said and "1 sur 12" not in said)


@pytest.mark.req("CM-1")
@pytest.mark.parametrize(
    ("said", "total", "shown"),
    [
        ("Showing 221-240 of 1,240 products", 1240, 20),
        ("1 bis 20 von 1.240 Artikeln", 1240, 20),
        ("1,240 Products", 1240, 1240),
        ("# Shop\n\nShowing all 12 results\n\n- a\n- b", 12, 12),
    ],
)
def test_a_total_may_be_grouped_and_stand_between_lines(said: str, total: int, shown: int) -> None:
    stated = stated_total(said)
    assert stated is not None
    assert (stated.total, stated.shown) == (total, shown)


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("said", ["", *lines(NO_COUNTS)])
def test_other_numbers_are_no_totals(said: str) -> None:
    assert stated_total(said) is None


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("said", lines(OF_OTHER_THINGS))
def test_a_figure_of_something_else_is_no_count_of_the_list(said: str) -> None:
    assert not certified_beside(said).is_short


@pytest.mark.req("CM-1")
def test_a_count_of_unknown_things_is_told_but_not_expected() -> None:
    certificate = certified_beside("Unser Sortiment umfasst 2.400 Artikel")
    assert certificate.completeness.method == "units"
    assert "2.400 Artikel" in certificate.warnings[0]
    text = "Unser Sortiment umfasst 2.400 Artikel"
    uncounted = certify(returned=20, stated=stated_total(text), markdown=text)
    assert (uncounted.is_short, uncounted.completeness.expected) == (False, None)
    assert uncounted.warnings


@pytest.mark.req("CM-1")
def test_a_share_with_unknown_words_before_it_is_the_lists_where_it_counts_what_is_shown() -> None:
    assert "240 records in all" in certified_beside("Stai visualizzando 20 di 240 prodotti").warnings[0]
    assert not any("in all" in warning for warning in certified_beside("Ranked 4 of 240 courses").warnings)


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("text", ["1000 Next", "12 Weiter »", "240 Next page"])
def test_the_number_of_a_page_before_the_link_to_the_next_is_no_total(text: str) -> None:
    assert stated_total(f"# Lamps\n\n{text}\n") is None


@pytest.mark.req("FP-1")
def test_what_may_be_a_total_beside_a_pager_is_given_whatever_its_words() -> None:
    assert possible_totals("# Lamps\n\nList (300)\n\nRed (12)\n\n299 lamps") == {300, 12, 299}


@pytest.mark.req("FP-3")
@pytest.mark.parametrize(("text", "page"), [("Page 1 / 6", (1, 6)), ("Page 2 of 6", (2, 6)), ("1 of 6", None)])
def test_the_page_and_how_many_there_are_is_read(text: str, page: tuple[int, int] | None) -> None:
    assert stated_page(text) == page


def test_the_postcode_of_an_address_and_what_a_team_won_and_lost_count_nothing() -> None:
    assert stated_total("Zimmerei Osterloh\nAm Deich 14\n26789 Leer\n") is None
    assert stated_total("# Larchfield\n\n**Record**: 220-130, .629\n") is None
    assert stated_total("# Lamps\n\n1240 lamps\n") is not None
