"""Containers read column by column give what each of them gives alone."""

from itertools import cycle

import pytest
from gleaner.contracts.ports import JsonValue
from gleaner.recipes import learn, replay
from gleaner.recipes.model import FieldSelector
from gleaner.recipes.page.boxes import Box, open_page, text_of
from gleaner.recipes.page.headers import table_headers
from gleaner.recipes.page.rows import Rows
from gleaner.recipes.selectors.readers import Reader
from gleaner.recipes.texts.decoding import UNREAD

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


@pytest.mark.req("RC-1")
@pytest.mark.parametrize("end", ["<br>", " <br> "])
def test_texts_of_several_lines_are_not_glued(end: str) -> None:
    cell = f"<td class=d><span>12 March</span>{end}<span>2025</span></td>"
    page = open_page(f"<table>{''.join(f'<tr><td>{at}</td>{cell}</tr>' for at in range(5))}</table>")
    assert {text_of(one) for one in page.iter("td") if one.get("class")} == {"12 March 2025"}
    assert text_of(open_page(f"<p>Elm Road 4{end}Oslo</p>").find(".//p")) == "Elm Road 4 Oslo"


@pytest.mark.req("RC-1")
def test_rows_below_two_rows_of_heads_are_given_the_cells_that_span_them() -> None:
    """As encyclopedias write them: without a part of its own for heads, of which some span both rows."""
    heads = (
        "<tr><th rowspan=2>Title</th><th rowspan=2>Year</th><th colspan=2>Peak</th></tr><tr><th>US</th><th>UK</th></tr>"
    )
    rows = "<tr><th>One</th><td rowspan=2>2025</td><td>4</td><td>7</td></tr><tr><th>Two</th><td>9</td><td>12</td></tr>"
    page = open_page(f"<table><tbody>{heads}{rows}</tbody></table>")
    last = list(page.iter("tr"))[-1]
    assert [text_of(cell) for cell in last] == ["Two", "2025", "9", "12"]
    assert table_headers(last) == ["Title", "Year", "Peak US", "Peak UK"]


@pytest.mark.req("RC-1")
def test_the_heads_of_a_grid_without_table_cells_are_no_record() -> None:
    cell = "<span role=gridcell>{}</span>"

    def grid(count: int) -> tuple[str, list[JsonValue]]:
        records: list[JsonValue] = [{"name": f"Lamp {at * 7}", "price": at * 3.5} for at in range(1, count)]
        rows = "".join(
            f"<div role=row>{cell.format(f'Lamp {n * 7}')}{cell.format(n * 3.5)}</div>" for n in range(1, count)
        )
        heads = "<div role=row><span role=columnheader>Name</span><span role=columnheader>Price</span></div>"
        return f"<main><div role=grid>{heads}{rows}</div></main>", records

    item = {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "number"}}}
    schema = {"type": "array", "items": item}
    (html, records), (other, others) = grid(9), grid(30)
    recipe = learn(html, "https://shop.example/lamps", schema, records)
    assert recipe is not None
    assert replay(recipe, other, "https://shop.example/lamps", schema).data == others
