"""Texts of several values between the same marks, as addresses are: "2 Elm Road, Oslo, 0150"."""

import pytest
from gleaner.contracts.ports import JsonValue
from gleaner.recipes import Recipe, learn, replay

URL = "https://places.example/"
ADDRESS = {"type": "object", "properties": {key: {"type": "string"} for key in ("street", "town", "code")}}
PLACES = {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}, "at": ADDRESS}}}
KNOWN = ("2 Elm Road, Oslo, 0150", "14 Oak Lane, Turin, 10121", "7 Larch Street, Saint-Malo, 35400")


def page(*addresses: str) -> str:
    rows = (
        f"<li><h3>Place {name}</h3><p class=adr>{one}</p></li>" for name, one in zip("ABCDEF", addresses, strict=False)
    )
    return f"<main><ul>{''.join(rows)}</ul></main>"


def truth(*addresses: str) -> JsonValue:
    keys = ("street", "town", "code")
    parts = (dict[str, JsonValue](zip(keys, one.split(", "), strict=True)) for one in addresses)
    return [{"name": f"Place {name}", "at": at} for name, at in zip("ABCDEF", parts, strict=False)]


def learned() -> Recipe:
    recipe = learn(page(*KNOWN), URL, PLACES, truth(*KNOWN))
    assert recipe is not None
    return recipe


@pytest.mark.req("RC-1")
def test_a_part_is_known_by_its_number_among_as_many() -> None:
    others = ("1 Ash Court, Porto, 4000", "9 Yew Walk, Leeds, LS1 4AP")
    found = replay(learned(), page(*others), URL, PLACES)
    assert (found.holds, found.data) == (True, truth(*others))


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("other", ["Flat 3, 1 Ash Court, Porto, 4000", "Porto, 4000", "1 Ash Court · Porto · 4000"])
def test_more_or_fewer_parts_are_a_doubt(other: str) -> None:
    assert not replay(learned(), page(KNOWN[0], other, KNOWN[1]), URL, PLACES).holds
