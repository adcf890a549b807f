"""The chunks of a page become one result: in the page's order, whichever ends first, and nothing is lost or hidden."""

import json
import threading
from typing import Any

import pytest
from gleaner.testing import FunctionModel

from tests.promises.lamps import FORTY, IN_CHUNKS, MODEL_ALONE, giving, lamp, page_of, read
from tests.support.asking import Make


class LastFirst:
    """Lets calls through from the last that came to the first, once so many are there; later ones at once."""

    def __init__(self, count: int) -> None:
        self.count, self.came, self.ended = count, 0, 0
        self.turn = threading.Condition()

    def wait(self) -> None:
        with self.turn:
            number = self.came
            self.came += 1
            self.turn.notify_all()
            self.turn.wait_for(lambda: self.came >= self.count and self.ended >= self.count - 1 - number, 60)

    def leave(self) -> None:
        with self.turn:
            self.ended += 1
            self.turn.notify_all()


def ending_backwards(model: FunctionModel, chunks: int) -> FunctionModel:
    """Give the model as one whose first calls end in the opposite order of their coming."""
    order = LastFirst(chunks)

    def answer(prompt: str) -> str:
        order.wait()
        try:
            return model.fn(prompt)  # type: ignore[return-value]
        finally:
            order.leave()

    return FunctionModel(answer)


@pytest.mark.req("MG-1", "MG-2")
def test_the_order_in_which_chunks_end_changes_nothing(make: Make) -> None:
    html = page_of(FORTY)
    by_one = giving(FORTY)
    expected = read(make(by_one), html, config={**IN_CHUNKS, "max_concurrent_chunks": 1})[1]
    chunks = len(by_one.prompts)
    assert chunks >= 6
    found = read(make(ending_backwards(giving(FORTY), chunks)), html, config=IN_CHUNKS)[1]
    assert found.data == expected.data == FORTY
    assert found.provenance == expected.provenance


@pytest.mark.req("MG-1")
def test_equal_records_of_different_rows_stay_when_none_are_to_go(make: Make) -> None:
    twins = [lamp(number // 2) for number in range(20)]
    status, extraction = read(make(giving(twins)), page_of(twins), config={**IN_CHUNKS, "dedupe": "none"})
    assert (status, extraction.data) == ("complete", twins)


@pytest.mark.req("MG-1")
@pytest.mark.parametrize(("dedupe", "count"), [("none", 24), ("exact", 20)])
def test_a_record_that_two_lists_show_goes_only_where_equal_ones_are_to_go(make: Make, dedupe: str, count: int) -> None:
    """A shop's favourites stand in a list of their own, and again among all."""
    lamps = [lamp(number) for number in range(20)]
    favourites = page_of(lamps[5:9]).partition("<h1>Lamps</h1>")[2] + "<h2>All lamps</h2>"
    asked = {**IN_CHUNKS, "dedupe": dedupe}
    _, extraction = read(make(giving(lamps)), page_of(lamps, favourites), config=asked)
    assert len(extraction.data) == count


@pytest.mark.req("MG-1")
def test_records_of_one_key_become_one_that_knows_what_each_of_them_knew(make: Make) -> None:
    first, second = {**FORTY[0], "price": None}, FORTY[0]
    rows = "".join(
        f"<tr><td>{one['name']}</td><td>{one['maker']}</td><td>{one['price'] or ''}</td></tr>"
        for one in (first, FORTY[1], second)
    )
    html = f"<h1>Lamps</h1><table><tr><th>What</th><th>By whom</th><th>How much</th></tr>{rows}</table>"
    config = {**MODEL_ALONE, "dedupe": "keys", "dedupe_keys": ["name"], "ungrounded": "keep"}
    model = FunctionModel(lambda _: json.dumps([first, FORTY[1], second]))
    _, extraction = read(make(model), html, config=config)
    assert extraction.data == [FORTY[0], FORTY[1]]


SHOP: dict[str, Any] = {
    "type": "object",
    "properties": {name: {"type": ["string", "null"]} for name in ("phone", "street")},
}
STORY = "".join(
    f"<h2>Part {n}</h2><p>Part {n} of the story of a shop, which is as long as such stories are, and which says little "
    "about lamps, or about anything else that somebody could want to know about a shop.</p>"
    for n in range(8)
)


@pytest.mark.req("MG-1", "MG-2")
def test_what_two_chunks_say_differently_of_one_object_is_listed(make: Make) -> None:
    html = f"<h1>The shop</h1><p>Phone: 0123 4567</p>{STORY}<p>Phone: 0987 6543</p><p>Street: Kiln Lane</p>"

    def answer(prompt: str) -> str:
        page = prompt[prompt.index("<<<PAGE") :]
        phone = next((number for number in ("0123 4567", "0987 6543") if number in page), None)
        return json.dumps({"phone": phone, "street": "Kiln Lane" if "Kiln Lane" in page else None})

    model = FunctionModel(answer)
    _, extraction = read(make(model), html, output_schema=SHOP, config=IN_CHUNKS)
    assert extraction.data == {"phone": "0987 6543", "street": "Kiln Lane"}
    assert extraction.conflicts == ['/phone: "0123 4567" then "0987 6543"']
