"""Fields that an answer has swapped in all records, told by what the markup calls their places."""

import pytest
from gleaner.contracts.ports import JsonValue
from gleaner.judging.judge import judge as prove
from gleaner.page.opening import open_page

ROWS = [("Arc lamp", 40.0, 55.0), ("Bell lamp", 61.5, 80.0), ("Cone lamp", 22.0, 31.0)]
CARDS = {
    "classes": "<li><b>{}</b> <i class='card__price--x1'>{:.2f}</i> <s class=list-price>{:.2f}</s></li>",
    "itemprop": "<li><b>{}</b> <i itemprop=price>{:.2f}</i> <s itemprop=listPrice>{:.2f}</s></li>",
    "nested": "<li><b>{}</b> <p class=prices><i class=price>{:.2f}</i> <s class=list_price>{:.2f}</s></p></li>",
}
OTHERS = {
    "one name": "<li><b>{}</b> <i class=now>{:.2f}</i> <s class=list-price>{:.2f}</s></li>",
    "crossed in part": "<li><b>{}</b> <i class=sale-price>{:.2f}</i> <s class=price>{:.2f}</s></li>",
}


def refused(card: str, data: JsonValue) -> set[str]:
    html = f"<ul>{''.join(card.format(*row) for row in ROWS)}</ul>"
    entries = prove(data, open_page(html).text, page=open_page(html))
    return {entry.pointer for entry in entries if entry.status == "ungrounded"}


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize("card", CARDS)
def test_fields_swapped_in_all_records_are_refused_where_the_markup_names_both(card: str) -> None:
    assert refused(CARDS[card], [{"name": n, "price": a, "list_price": b} for n, a, b in ROWS]) == set()
    swapped: JsonValue = [{"name": n, "price": b, "list_price": a} for n, a, b in ROWS]
    assert refused(CARDS[card], swapped) == {f"/{at}/{name}" for at in range(3) for name in ("price", "list_price")}


@pytest.mark.req("PR-1")
@pytest.mark.parametrize("card", OTHERS)
def test_a_class_alone_refuses_no_value(card: str) -> None:
    assert refused(OTHERS[card], [{"name": n, "price": a, "list_price": b} for n, a, b in ROWS]) == set()


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize("sku", ["<i itemprop=sku>{}</i>", "<meta itemprop=sku content='{}'>"])
def test_a_text_that_is_all_of_another_fields_place_is_refused_where_the_others_value_was_lost(sku: str) -> None:
    rows = [("Tin kettle", "TK-01"), ("Copper pan", "CP-22"), ("Oak board", "OB-07"), ("Whisk", "WH-13")]
    html = "".join(f"<p><b itemprop=name>{name}</b> {sku.format(code)} {code}</p>" for name, code in rows)
    data: list[JsonValue] = [{"name": name, "sku": code} for name, code in rows]

    def unproven() -> list[str]:
        entries = prove(data, open_page(html).text, page=open_page(html))
        return [entry.pointer for entry in entries if entry.status == "ungrounded"]

    assert not unproven()
    data[2] = {"name": "OB-07", "sku": None}
    assert unproven() == ["/2/name"]


QUAKES = [("9 km S of Tampa", "2022-09-21"), ("88 km E of Haifa", "2025-01-06"), ("3 km N of Turin", "2022-03-18")]
QUAKES += [("61 km S of Quito", "2024-11-15"), ("7 km W of Leeds", "2021-08-13")]


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize("felt", [(), (1,), (0, 3)])
def test_texts_that_some_records_exchange_are_refused_where_others_have_them_in_elements_of_their_own(
    felt: tuple[int, ...],
) -> None:
    more = ["<p>12 felt it</p>" * (at in felt) for at in range(len(QUAKES))]
    texts = (f"<li><h6>{a}</h6><p><i class=t>{b}</i></p>{c}</li>" for (a, b), c in zip(QUAKES, more, strict=True))
    html = f"<ul>{''.join(texts)}</ul>"
    data: list[JsonValue] = [{"place": place, "since": day} for place, day in QUAKES]

    def unproven() -> set[str]:
        entries = prove(data, open_page(html).text, page=open_page(html))
        return {entry.pointer for entry in entries if entry.status == "ungrounded"}

    assert unproven() == set()
    data[1] = {"place": QUAKES[1][1], "since": QUAKES[1][0]}
    assert unproven() == {"/1/place", "/1/since"}
    data[1] = {"place": QUAKES[1][0], "since": QUAKES[1][0]}
    assert "/1/place" not in unproven()


@pytest.mark.req("PR-1", "PR-2")
def test_a_text_exchanged_with_what_an_attribute_says_is_refused() -> None:
    rows = [("Tin kettle", "B0K1"), ("Copper pan", "B0C2"), ("Oak board", "B0F7"), ("Whisk", "B0W9")]
    html = "".join(f"<div data-asin={code}><h2>{name}</h2><img alt='{name}'></div>" for name, code in rows)
    data: list[JsonValue] = [{"name": name, "code": code} for name, code in rows]
    data[2] = {"name": rows[2][1], "code": rows[2][0]}
    entries = prove(data, open_page(html).text, page=open_page(html))
    assert {entry.pointer for entry in entries if entry.status == "ungrounded"} == {"/2/name", "/2/code"}
