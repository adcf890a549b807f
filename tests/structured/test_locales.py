"""Tables as ten locales write them: tier 0 reads their amounts, figures and days, or leaves them alone (RC-4)."""

from datetime import date
from typing import Any

import pytest
from babel.dates import format_date
from babel.numbers import format_currency, format_decimal
from gleaner.contracts.models import ExtractionConfig
from gleaner.page.opening import open_page
from gleaner.structured import Seen, certify, find_answer

URL = "https://shop.example/list"
ROWS = [("Oslo", 1299.5, 1234.5, date(2026, 3, 12)), ("Voss", 8.25, 3.125, date(2026, 11, 28)),
        ("Bergen", 450.75, 12.5, date(2026, 7, 4))]  # fmt: skip


@pytest.mark.req("RC-4", "SC-4")
@pytest.mark.parametrize(
    ("locale", "currency"),
    [("en_US", "USD"), ("en_GB", "GBP"), ("de_DE", "EUR"), ("de_CH", "CHF"), ("fr_FR", "EUR"), ("es_ES", "EUR"),
     ("pl_PL", "PLN"), ("sv_SE", "SEK"), ("pt_BR", "BRL"), ("th_TH", "THB")],
)  # fmt: skip
def test_a_table_is_read_as_its_locale_writes_it(locale: str, currency: str) -> None:
    cells = "".join(
        f"<tr><td>{name}</td><td>{format_currency(price, currency, locale=locale)}</td>"
        f"<td>{format_decimal(weight, locale=locale)}</td><td>{format_date(day, 'medium', locale=locale)}</td></tr>"
        for name, price, weight, day in ROWS
    )
    head = "<tr><th>Name</th><th>Price</th><th>Weight</th><th>Date</th></tr>"
    html = f'<html lang="{locale.replace("_", "-")}"><body><h1>Lamps</h1><table>{head}{cells}</table></body></html>'
    number, day = {"type": "number"}, {"type": "string", "format": "date"}
    fields: dict[str, Any] = {"name": {"type": "string"}, "price": number, "weight": number, "date": day}
    schema: Any = {"type": "array", "items": {"type": "object", "properties": fields, "required": list(fields)}}
    page = open_page(html, URL)
    seen = Seen(page, page.units)
    found = certify(find_answer(page, schema), seen, ExtractionConfig()).told()
    assert found.data == [
        {"name": name, "price": price, "weight": weight, "date": day.isoformat()} for name, price, weight, day in ROWS
    ]
