"""A record that a model makes of a sentence beside the list; featured ones are records of the list (CM-1, PR-3)."""

import json
from collections.abc import Callable

import pytest
from gleaner import Gleaner
from gleaner.testing import FunctionModel

ROWS = [("Kiwi lamp", 550), ("Lime lamp", 625), ("Date lamp", 775), ("Nut lamp", 810), ("Plum lamp", 920)]
LISTED = "<ul>" + "".join(f"<li>{name}, Rs {price}</li>" for name, price in ROWS) + "</ul>"
TABLE = "<table>" + "".join(f"<tr><td>{name}</td><td>Rs {price}</td></tr>" for name, price in ROWS) + "</table>"
CARDS = "".join(f"<div class=card><h3>{name}</h3><em>Rs {price}</em></div>" for name, price in ROWS)
SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"name": {"type": "string"}, "price": {"type": "number"}},
        "required": ["name", "price"],
    },
}


@pytest.mark.req("CM-1", "PR-3")
@pytest.mark.parametrize(
    ("html", "status"),
    [
        (f"{LISTED}<p>Visitors also ask for Box 9 at Rs 990, sold at the counter alone.</p>", "partial"),
        (f"{TABLE}<p>Visitors also ask for Box 9.</p><p>It costs Rs 990 at the counter.</p>", "partial"),
        (f"{CARDS}<div class=c><b>Bob</b><p>My Box 9 at Rs 990 was better.</p></div>", "partial"),
        (f"{CARDS}<div class=hero><h2>Box 9</h2><p>Rs 990</p></div>", "complete"),
        (f"<p><strong>Box 9</strong> Rs 990</p>{LISTED}", "complete"),
    ],
)
def test_a_record_from_a_sentence_beside_the_list_makes_it_partial(
    make: Callable[..., Gleaner], html: str, status: str
) -> None:
    six = [{"name": name, "price": price} for name, price in [*ROWS, ("Box 9", 990)]]
    model = FunctionModel(lambda _: json.dumps({"data": six, "skipped": []}))
    result = make(model=model).extract_html(html, "https://lamps.example/", output_schema=SCHEMA)
    said = "1 record stands in no entry of the list that the others stand in: /5"
    assert result.status == status
    assert result.extraction is not None
    assert [error.message for error in result.extraction.errors] == [said] * (status == "partial")
