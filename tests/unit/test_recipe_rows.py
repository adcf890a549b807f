"""Containers read column by column give what each of them gives alone."""

from itertools import cycle

import pytest
from gleaner.recipes.boxes import Box, open_page
from gleaner.recipes.decoding import UNREAD
from gleaner.recipes.model import FieldSelector
from gleaner.recipes.readers import Reader
from gleaner.recipes.rows import Rows

pytestmark = pytest.mark.req("RC-2")

SAID = {
    "the same in each": ["Price", "Weight"],
    "the label before another one in some": ["Price", "Weight", "Weight", "Price"],
    "the label twice in some": ["Price", "Weight", "Price", "Price"],
    "the label in some": ["Price", "Weight", "Cost", "Weight"],
    "the label in none": ["Cost", "Weight"],
    "the label written otherwise in some": ["Price", "Weight", " Price : ", "Weight"],
}


@pytest.mark.parametrize("said", SAID.values(), ids=SAID)
@pytest.mark.parametrize("first", ["", "<b>New</b>"], ids=["alone", "after another element"])
def test_what_stands_after_a_label_is_the_same_for_many_containers_as_for_one(said: list[str], first: str) -> None:
    labels = cycle(said)
    rows = "".join(
        f"<li>{first}<i>{next(labels)}</i><b>{at}</b><i>{next(labels)}</i><b>{at + 100}</b></li>" for at in range(8)
    )
    boxes = [Box([one]) for one in open_page(f"<ul>{rows}</ul>").iter("li")]
    selector = FieldSelector(kind="beside", tag="b", value="Price", transforms=("integer",))
    reader = Reader(selector)
    assert Rows(boxes, [selector]).column(reader) == reader.column(boxes)


def test_a_piece_by_its_type_is_looked_for_only_where_nothing_else_gave_a_value():
    page = "<p><i>5 EUR</i></p><p><i>6 EUR</i></p><p><b>7 EUR</b></p><p><b>none</b></p>"
    boxes = [Box([element]) for element in open_page(f"<main>{page}</main>").iter("p")]
    reader = Reader(FieldSelector(kind="typed", transforms=("money",)))
    assert Rows(boxes, [reader.selector]).completed([50, UNREAD, None, None], reader) == [50, 6, 7, None]
    assert not {"5 EUR"} & set(reader.decoded)
