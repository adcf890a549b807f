"""Values of a few records, and of lists within records, that stand where another field or object has its own."""

from typing import Any

import pytest
from gleaner.grounding import prove

CHEESE = """# Cheese

### Bergkäse 12 Monate

4,99 €

Herkunft: Allgäu

Bio

### Ziegenkäse

2,79 €

Herkunft: Eifel

### Räucherkäse

3,49 €

Herkunft: Tirol
"""
TRAINS = """| Train | From | Seats |
| --- | --- | --- |
| はやかぜ3号 | 07:12 | 24 |
| しらなみ11号 | 08:05 | 5 |
| はやかぜ7号 | 09:30 | 56 |
"""
ORDER = """# Order A-1

| Item | Qty | Each |
| --- | --- | --- |
| Beeswax candle | 3 | £9.50 |
| Linen napkin | 5 | £5.00 |
| Oak board | 1 | £31.00 |
| Birch mug | 2 | £7.25 |
"""


def refused(data: Any, text: str, **more: Any) -> set[str]:
    return {entry.pointer for entry in prove(data, text, **more) if entry.status == "ungrounded"}


def cheeses() -> list[dict[str, Any]]:
    rows = [("Bergkäse 12 Monate", 4.99, "Allgäu"), ("Ziegenkäse", 2.79, "Eifel"), ("Räucherkäse", 3.49, "Tirol")]
    return [{"name": name, "price": price, "origin": origin} for name, price, origin in rows]


def spans_of(text: str, starts: list[str]) -> list[tuple[int, int]]:
    places = [text.index(start) for start in starts]
    return list(zip(places, [*places[1:], len(text)], strict=True))


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize(("field", "lie"), [("name", "Allgäu"), ("origin", "Bergkäse 12 Monate"), ("price", 12)])
def test_a_value_of_another_field_is_refused_where_two_other_records_show_its_place(field: str, lie: Any) -> None:
    spans = spans_of(CHEESE, ["### Berg", "### Zieg", "### Räu"])
    truth, told = cheeses(), cheeses()
    told[0][field] = lie
    assert refused(truth, CHEESE, spans=spans, units=spans) == set()
    assert refused(told, CHEESE, spans=spans, units=spans) == {f"/0/{field}"}
    more: dict[str, Any] = {"spans": spans, "units": spans, "records_at": "/cheeses"}
    assert refused({"cheeses": told}, CHEESE, **more) == {f"/cheeses/0/{field}"}


@pytest.mark.req("PR-1", "PR-2")
def test_a_figure_of_another_cell_s_text_is_refused_where_its_own_cell_says_another() -> None:
    truth = [{"train": "はやかぜ3号", "seats": 24}, {"train": "しらなみ11号", "seats": 5}]
    truth.append({"train": "はやかぜ7号", "seats": 56})
    told = [truth[0] | {"seats": 3}, *truth[1:]]
    assert refused(truth, TRAINS) == set()
    assert refused(told, TRAINS) == {"/0/seats"}


@pytest.mark.req("PR-1", "PR-2")
def test_a_value_of_another_line_is_refused_in_lists_whose_objects_have_a_line_each() -> None:
    rows = [("Beeswax candle", 3, 9.5), ("Linen napkin", 5, 5.0), ("Oak board", 1, 31.0), ("Birch mug", 2, 7.25)]
    items = [{"name": name, "qty": count, "each": each} for name, count, each in rows]
    assert refused({"order": "A-1", "items": items}, ORDER) == set()
    for field, lie in (("name", "Linen napkin"), ("qty", 5), ("each", 31.0)):
        told = [items[0] | {field: lie}, *items[1:]]
        assert refused({"order": "A-1", "items": told}, ORDER) == {f"/items/0/{field}"}


@pytest.mark.req("PR-1", "PR-2")
def test_an_item_that_a_page_says_once_is_no_two_items() -> None:
    text = "# Walk\n\nTags: lake, family, shade\n\nScores: 3, 5, 3"
    assert refused({"tags": ["lake", "family"], "scores": [3, 5, 3]}, text) == set()
    assert refused({"tags": ["lake", "lake"], "scores": [3, 5, 5]}, text) == {"/tags/1", "/scores/2"}


@pytest.mark.req("PR-1", "PR-2")
def test_a_number_of_an_address_is_no_price_and_no_count() -> None:
    html = "<h1>Boots</h1><a href='/p/hj-4471?v=8821'>Halden</a><span data-stock-quantity=1234>"
    text = "# Boots\n\nHalden"
    assert refused({"name": "Halden", "price": 4471}, text, snapshot=html) == {"/price"}
    assert refused({"name": "Halden", "id": 4471, "quantity": 1234}, text, snapshot=html) == set()
