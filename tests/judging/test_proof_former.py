"""Former prices are no proof of what a thing costs now."""

from typing import Any

import pytest
from gleaner.judging.judge import judge as prove
from gleaner.markdown import extract_clean_markdown


def is_proven(field: str, value: float | str, text: str, schema: dict[str, Any] | None = None) -> bool:
    return prove({field: value}, text, schema=schema)[0].status != "ungrounded"


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(
    ("former", "present", "text"),
    [
        (30, 25, "~~$30~~ now $25"),
        (30, 25, "$25 ~~$30~~"),
        (30, 25, "~~$30~~\n\n**$25**"),
        (30, 25, "| Mug | ~~30~~ 25 |"),
        (49.99, 39.99, "Was £49.99 Now £39.99"),
        (35, 28, "Kettle Was £35 Now £28"),
        (35, 28, "£28 (was £35)"),
        (35, 28, "RRP £35.00, our price £28"),
        (30, 25, "Original price: $30 / Current price: $25"),
        (30, 25, "Regular price $30 Sale price $25"),
        (59.95, 39.95, "39,95 € statt 59,95 €"),
        (199.9, 149.9, "De R$ 199,90 por R$ 149,90"),
        (1500, 1250, "вместо 1 500 руб. 1 250 руб."),
        (30, 25, "原价：¥30 现价：¥25"),
        (12800, 9980, "通常価格：￥12,800（税込）　特別価格：￥9,980（税込）"),
        (2000, 1500, "通常価格 2,000円 セール 1,500円"),
    ],
)
def test_a_former_price_beside_the_present_one_proves_only_what_asks_for_it(
    former: float, present: float, text: str
) -> None:
    assert not is_proven("price", former, text)
    assert not is_proven("sale_price", former, text)
    assert is_proven("old_price", former, text)
    assert is_proven("price", present, text)
    cards = "\n".join(f"- Mug {letter}: {text}" for letter in "abc")
    if "\n" not in text and "|" not in text:
        records = [{"name": f"Mug {letter}", "price": former} for letter in "abc"]
        assert [one.status for one in prove(records, cards) if one.pointer.endswith("price")] == ["ungrounded"] * 3


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("price", 30, "~~$30~~"),
        ("price", 30, "~~$30~~ sold out\n\nPlate $25"),
        ("price", 30, "| ~~$30~~ | $25 |"),
        ("price", 30, "The price was $30, shipping $5"),
        ("price", 30, "Regular price $30"),
        ("price", 45, "Original Penguin shirt $45, socks $12"),
        ("shipping_cost", 5, "Was $30, shipping $5"),
        ("reviews", 30, "~~30~~ 25"),
    ],
)
def test_a_price_without_a_present_one_beside_it_is_proven(field: str, value: float, text: str) -> None:
    assert is_proven(field, value, text)


@pytest.mark.req("PR-1")
def test_a_plain_price_may_be_the_regular_one_where_another_field_asks_for_the_present_one() -> None:
    number = {"type": ["number", "null"]}
    for other, is_open in (("sale_price", True), ("old_price", False)):
        schema = {"type": "object", "properties": {"price": number, other: number}}
        assert is_proven("price", 30, "~~$30~~ now $25", schema) is is_open


@pytest.mark.req("MD-1")
def test_a_span_that_its_style_strikes_out_is_struck_in_the_markdown() -> None:
    html = '<p><span style="color:red; text-decoration: line-through">$30</span> <span style="color:red">$25</span></p>'
    assert extract_clean_markdown(html)[0] == "~~$30~~ $25"
