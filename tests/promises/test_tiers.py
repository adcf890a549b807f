"""A layout is paid for once, and what answers without a model is right or asks one: data in the page, and recipes."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from gleaner.testing import FunctionModel

from tests.promises.lamps import FORTY, LAMPS, giving, page_of
from tests.support.asking import Make
from tests.support.schemas import MAYBE_TEXT, NUMBER, TEXT, object_of

WITHOUT_DATA = {"tiers": ["recipe", "model"]}
CARD = '<li class="card"><b>{name}</b> <i class="by">{maker}</i> <span class="cost">${price:.2f}</span></li>'


def cards(lamps: list[dict[str, Any]], card: str = CARD) -> str:
    """Give a page of cards."""
    return f"<h1>Lamps</h1><ul>{''.join(card.format_map(one) for one in lamps)}</ul>"


def ask(gleaner: Any, html: str, page: int) -> tuple[str, str, Any]:
    """Extract from a page of the shop; give the result's status, its tier and its data."""
    url = f"https://shop.example/lamps/{page}"
    extraction = gleaner.extract_html(html, url, output_schema=LAMPS, config=WITHOUT_DATA)
    assert extraction.extraction is not None
    return extraction.status, extraction.extraction.tier, extraction.extraction.data


PARTS = [FORTY[start : start + 10] for start in range(0, 40, 10)]
CHANGED_PLACES = CARD.replace("{maker}", "{-}").replace("${price:.2f}", "{maker}").replace("{-}", "${price:.2f}")
DRIFT = {
    "fields that changed places": cards(PARTS[3], CHANGED_PLACES),
    "a field that is gone": cards(PARTS[3], CARD.replace('<i class="by">{maker}</i>', "")),
    "a record of another class": cards(PARTS[3]).replace("card", "offer", 1),
    "another design": cards(PARTS[3], CARD.replace("li", "div").replace("by", "brand").replace("b>", "h3>")),
}


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize("change", DRIFT)
def test_a_layout_is_read_without_a_model_until_it_changes_and_nothing_wrong_is_served(make: Make, change: str) -> None:
    model = giving(FORTY)
    gleaner = make(model)
    tiers = [ask(gleaner, cards(lamps), at)[1] for at, lamps in enumerate(PARTS[:3])]
    assert (tiers, len(model.prompts)) == (["model", "recipe", "recipe"], 1)
    without_maker = [{**one, "maker": None} for one in PARTS[3]]
    truth = without_maker if change == "a field that is gone" else PARTS[3]
    model.fn = giving(truth).fn
    status, _, data = ask(gleaner, DRIFT[change], 3)
    assert (status, data) == ("complete", truth)


@pytest.mark.req("RC-2", "EX-6")
def test_of_two_pages_of_a_layout_that_come_at_once_one_is_paid_for(make: Make) -> None:
    """The model answers the first page only once the second one waits for it, or has asked as well."""
    is_second_there = threading.Event()

    def answer(prompt: str) -> str:
        if len(model.prompts) > 1:
            is_second_there.set()
        is_second_there.wait(30)
        return str(giving(FORTY).fn(prompt))

    def listen(_function: str, phase: str, _payload: Any) -> None:
        if phase == "waiting":
            is_second_there.set()

    model = FunctionModel(answer)
    gleaner = make(model, on_step=listen)
    with ThreadPoolExecutor(2) as threads:
        pages = [threads.submit(ask, gleaner, cards(PARTS[at]), at) for at in range(2)]
        found = [page.result() for page in pages]
    assert [data for _, _, data in found] == PARTS[:2]
    assert sorted(tier for _, tier, _ in found) == ["model", "recipe"]
    assert len(model.prompts) == 1


PRODUCT = object_of("name", "price", name=TEXT, price=NUMBER, sku=MAYBE_TEXT)


def product(price: str = "59.90", beside: str = "") -> str:
    node = {
        "@type": "Product",
        "name": "Oslo lamp",
        "sku": "NV-100",
        "offers": {"price": price, "priceCurrency": "EUR"},
    }
    data = f'<script type="application/ld+json">{json.dumps(node)}</script>'
    return f"<title>Oslo lamp</title>{data}<main><h1>Oslo lamp</h1><p>59,90 €</p>{beside}</main>"


OTHER_SKU = (
    '<div itemscope itemtype="https://schema.org/Product"><span itemprop="name">Oslo lamp</span>'
    '<meta itemprop="sku" content="NV-200"><span itemprop="price" content="59.90">59,90 €</span></div>'
)
NAMED = page_of(FORTY[:8]).replace("What", "Name").replace("By whom", "Maker").replace("How much", "Price")
TOO_FEW = NAMED.replace("<table", "<p>Showing all 9 results</p><table")
DATA: dict[str, tuple[str, Any, Any]] = {
    # the page, the schema, what tier 0 may answer (None: nothing)
    "data that the page shows": (product(), PRODUCT, {"name": "Oslo lamp", "price": 59.9, "sku": "NV-100"}),
    "data that the page contradicts": (product("49.90"), PRODUCT, None),
    "data that other data contradict": (product(beside=OTHER_SKU), PRODUCT, None),
    "a table": (NAMED, LAMPS, FORTY[:8]),
    "a table with less than the page states": (TOO_FEW, LAMPS, None),
}  # fmt: skip


@pytest.mark.req("RC-4", "CM-1")
@pytest.mark.parametrize("case", DATA)
def test_data_in_the_page_answer_where_they_are_whole_and_uncontradicted(make: Make, case: str) -> None:
    html, schema, expected = DATA[case]
    result = make().extract_html(html, "https://shop.example/lamps/oslo", output_schema=schema)
    assert result.extraction is not None
    if expected is not None:
        assert (result.status, result.extraction.tier, result.extraction.data) == ("complete", "structured", expected)
    else:
        assert (result.status, result.extraction.data) == ("partial", None)
        assert "structured" in (result.extraction.declined or {})
