"""A record that a model makes of a sentence beside the list; featured ones are records of the list (CM-1, PR-3)."""

from pathlib import Path

import pytest

from tests.support.asking import answered, bullets, table
from tests.support.schemas import NUMBER, TEXT, records_of

ROWS = [("Kiwi lamp", 550), ("Lime lamp", 625), ("Date lamp", 775), ("Nut lamp", 810), ("Plum lamp", 920)]
LISTED = bullets(*(f"{name}, Rs {price}" for name, price in ROWS))
TABLE = table((), *((name, f"Rs {price}") for name, price in ROWS))
CARDS = "".join(f"<div class=card><h3>{name}</h3><em>Rs {price}</em></div>" for name, price in ROWS)
SCHEMA = records_of(name=TEXT, price=NUMBER)


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
def test_a_record_from_a_sentence_beside_the_list_makes_it_partial(tmp_path: Path, html: str, status: str) -> None:
    six = [{"name": name, "price": price} for name, price in [*ROWS, ("Box 9", 990)]]
    result, _ = answered(tmp_path, html, SCHEMA, {"data": six, "skipped": []})
    said = "1 record stands in no entry of the list that the others stand in: /5"
    assert result.status == status
    assert result.extraction is not None
    assert [error.message for error in result.extraction.errors] == [said] * (status == "partial")
