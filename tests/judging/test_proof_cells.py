"""Figures of a column, as pages write them: what a model misreads of a cell is refused, what is right is proven."""

from typing import Any

import pytest
from gleaner.judging.judge import judge as prove

COLUMNS = [
    ("price", ["2 pairs from $349", "4 options from $439.34", "$15.00"], [349, 439.34, 15], [2, 4, None]),
    ("preis", ["3 Stück ab 12,50 €", "2 Stück 9,00 €", "15,00 €"], [12.5, 9, 15], [3, 2, None]),
    ("price", ["$349 for 2 pairs", "$439.34 (4 options)", "$15.00"], [349, 439.34, 15], [2, 4, None]),
    ("price", ["¥1,200 (2個)", "¥900 / 3個", "¥1,500"], [1200, 900, 1500], [2, 3, None]),
    ("price", ["10 to 12 €", "5 or 6 €", "15 €"], [10, 5, 15], [None, None, None]),
    ("price", ["99p", "£1.20", "50p", "£3.00"], [0.99, 1.2, 0.5, 3], [99, None, 50, None]),
    ("preis", ["99 ct", "1,20 €", "50 Cent", "3,00 €"], [0.99, 1.2, 0.5, 3], [99, None, 50, None]),
    ("prix", ["99 centimes", "1,20 €", "3,00 €"], [0.99, 1.2, 3], [99, None, None]),
    ("price_pence", ["99p", "120p", "50p"], [99, 120, 50], [None] * 3),
    ("weight_kg", ["1.234", "5.67", "2.3", "3.456"], [1.234, 5.67, 2.3, 3.456], [1234, None, None, 3456]),
    ("gewicht", ["1,234", "5,67", "2,3", "3,456"], [1.234, 5.67, 2.3, 3.456], [1234, None, None, 3456]),
    ("einwohner", ["1.234", "12.345.678", "3.456"], [1234, 12345678, 3456], [1.234, None, 3.456]),
    ("price", ["From £12.50", "From £10.00", "£15.00", "£20.00"], [12.5, 10, 15, 20], [None] * 4),
    ("preis", ["ab 12,50 €", "15,00 €", "20,00 €"], [12.5, 15, 20], [None] * 3),
    ("prix", ["à partir de 12,50 €", "dès 10,00 €", "15,00 €"], [12.5, 10, 15], [None] * 3),
    ("year", ["'98", "2001", "’05", "'71"], [1998, 2001, 2005, 1971], [98, None, 5, 71]),
    ("founded", ["since '98", "2001", "est. '05"], [1998, 2001, 2005], [98, None, 5]),
]


def statuses(field: str, cells: list[str], values: list[Any]) -> list[str]:
    head = f"| Name | {field.replace('_', ' ').title()} |\n| --- | --- |\n"
    rows = [f"| Lamp {'ABCD'[at]} | {cell} |\n" for at, cell in enumerate(cells)]
    starts = [len(head) + sum(map(len, rows[:at])) for at in range(len(rows))]
    spans = [(start, start + len(row) - 1) for start, row in zip(starts, rows, strict=True)]
    data = [{"name": f"Lamp {'ABCD'[at]}", field: value} for at, value in enumerate(values)]
    properties = {"name": {"type": "string"}, field: {"type": ["number", "null"]}}
    schema = {"type": "array", "items": {"type": "object", "properties": properties}}
    entries = prove(data, head + "".join(rows), schema=schema, spans=spans, units=spans)
    return [entry.status for entry in entries if entry.pointer.endswith(field)]


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(("field", "cells", "right", "wrong"), COLUMNS)
def test_what_a_cell_states_is_proven_and_what_it_does_not_is_refused(
    field: str, cells: list[str], right: list[Any], wrong: list[Any]
) -> None:
    assert "ungrounded" not in statuses(field, cells, right)
    mixed = [one if other is None else other for one, other in zip(right, wrong, strict=True)]
    refused = [status == "ungrounded" for status in statuses(field, cells, mixed)]
    assert refused == [other is not None for other in wrong]
