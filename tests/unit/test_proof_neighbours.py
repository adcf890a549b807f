"""Records that only lines or sentences part: a value beside another record's name proves nothing of this one."""

import pytest
from gleaner.contracts.ports import JsonValue
from gleaner.grounding import prove

NAMES = ["Red Mug", "Blue Lamp", "Oak Desk", "Tin Vase"]
PRICES = [454.22, 55.1, 777.0, 8.5]
TEXTS = {
    "lines": "\n".join(f"{name} - ${price:.2f}" for name, price in zip(NAMES, PRICES, strict=True)),
    "sentences": " ".join(f"We sell the {name} for ${price:.2f}." for name, price in zip(NAMES, PRICES, strict=True)),
}
SHOWN = [f"${price:.2f}" for price in PRICES]
ROWS = f"| Item | {' | '.join(NAMES)} |\n{'|---' * 5}|\n| Price | {' | '.join(SHOWN)} |"


def refused(text: str, prices: list[float], *, in_one_unit: bool = False) -> set[str]:
    data = [{"name": name, "price": price} for name, price in zip(NAMES, prices, strict=True)]
    whole = f"Home About us\n\n{text}"
    units = [(0, 13), (15, len(whole))] if in_one_unit else None
    entries = prove(data, whole, spans=units and [units[1]] * len(data), units=units)  # type: ignore[arg-type]
    return {entry.pointer for entry in entries if entry.status == "ungrounded"}


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize("in_one_unit", [False, True])
@pytest.mark.parametrize("text", TEXTS)
def test_values_of_the_next_record_are_refused_in_lines_and_sentences(text: str, in_one_unit: bool) -> None:
    assert refused(TEXTS[text], PRICES, in_one_unit=in_one_unit) == set()
    shifted = [*PRICES[1:], PRICES[0]]
    assert refused(TEXTS[text], shifted, in_one_unit=in_one_unit) == {f"/{number}/price" for number in range(4)}


@pytest.mark.req("PR-1")
def test_values_apart_from_all_names_are_nobodys_neighbours() -> None:
    assert refused(ROWS, PRICES) == set()


@pytest.mark.req("PR-1", "PR-2")
def test_a_value_in_the_sentence_of_another_lists_record_proves_nothing() -> None:
    text = (
        "The Alba makes 18 knots. The Borea makes 16 knots. Pilot Moor served 31 years. Pilot Strand served 12 years."
    )
    ships: list[JsonValue] = [{"name": "Alba", "knots": 18}, {"name": "Borea", "knots": 16}]
    pilots: list[JsonValue] = [{"name": "Moor", "years": 31}, {"name": "Strand", "years": 12}]
    assert "ungrounded" not in {one.status for one in prove({"ships": ships, "pilots": pilots}, text)}
    false: list[JsonValue] = [{"name": "Alba", "knots": 31}, {"name": "Borea", "knots": 16}]
    entries = prove({"ships": false, "pilots": pilots}, text)
    assert [one.pointer for one in entries if one.status == "ungrounded"] == ["/ships/0/knots"]
