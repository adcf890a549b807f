"""Dates in numbers: the order of day and month that a field has shown is kept, and another one is noticed."""

import pytest
from gleaner.contracts.ports import JsonValue
from gleaner.recipes import learn, replay
from gleaner.recipes.model import Recipe

SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["name", "built"],
        "properties": {"name": {"type": "string"}, "built": {"type": "string", "format": "date"}},
    },
}
NAMES = ("Larch mill", "Oak weir", "Ash lock", "Elm bridge", "Yew tower")


def page(days: tuple[str, ...]) -> str:
    rows = zip(NAMES, days, strict=False)
    return "<main>" + "".join(f"<li class=work><b>{name}</b> <i>{day}</i></li>" for name, day in rows) + "</main>"


def learned() -> Recipe:
    days = ("06/14/2017", "07/28/2018", "01/30/2019", "12/25/2020")
    truth = ("2017-06-14", "2018-07-28", "2019-01-30", "2020-12-25")
    data: JsonValue = [{"name": name, "built": day} for name, day in zip(NAMES, truth, strict=False)]
    recipe = learn(page(days), "https://a.example/1", SCHEMA, data)
    assert recipe is not None
    return recipe


@pytest.mark.req("RC-1", "RC-2")
def test_the_order_that_dates_have_shown_reads_those_that_show_none() -> None:
    found = replay(learned(), page(("03/04/2021", "02/05/2022", "11/30/2019")), "https://a.example/2", SCHEMA)
    assert found.holds
    assert [record["built"] for record in found.records] == ["2021-03-04", "2022-02-05", "2019-11-30"]  # type: ignore[index]


@pytest.mark.req("RC-2")
def test_a_page_that_shows_the_other_order_is_in_doubt() -> None:
    found = replay(learned(), page(("03/04/2021", "28/05/2022", "02/11/2019")), "https://a.example/2", SCHEMA)
    assert not found.holds
