"""Tables that compare records in columns, and numbers that a heading says of all records below it."""

from typing import Any

import pytest
from gleaner.judging.judge import judge as prove


@pytest.mark.req("PR-2")
def test_records_side_by_side_are_told_by_their_units_too() -> None:
    rows = ["| | Larch | Alder | Rowan |", "| --- | --- | --- | --- |"]
    rows += ["| Battery | 3,800 mAh | 5,100 mAh | 4,200 mAh |", "| Weight | 150 g | 199 g | 176 g |"]
    truth = [("Larch", 3800, 150), ("Alder", 5100, 199), ("Rowan", 4200, 176)]
    schema = {"type": "array", "items": {"type": "object"}}

    def ungrounded(data: Any) -> int:
        return sum(entry.status == "ungrounded" for entry in prove(data, "\n".join(rows), schema=schema))

    assert ungrounded([{"name": name, "battery_mah": one, "weight_g": other} for name, one, other in truth]) == 0
    assert ungrounded([{"name": name, "battery_mah": other, "weight_g": one} for name, one, other in truth]) == 6


@pytest.mark.req("PR-2")
@pytest.mark.parametrize("heads", [("Monthly", "Yearly"), ("Prix", "Tarif")])
def test_a_value_in_another_fields_row_of_a_comparison_is_refused(heads: tuple[str, str]) -> None:
    truth = [("Solo", 9, 90), ("Duo", 15, 150), ("Team", 39, 390), ("Org", 99, 990)]
    names, ones, others = (" | ".join(map(str, values)) for values in zip(*truth, strict=True))
    text = f"| | {names} |\n|---|---|---|---|---|\n| {heads[0]} | {ones} |\n| {heads[1]} | {others} |"
    data = [{"plan": name, "monthly": one, "yearly": other} for name, one, other in truth]
    assert "ungrounded" not in {entry.status for entry in prove(data, text)}  # type: ignore[arg-type]
    data[2] |= {"monthly": 390, "yearly": 39}
    found = {entry.pointer for entry in prove(data, text) if entry.status == "ungrounded"}  # type: ignore[arg-type]
    assert found == {"/2/monthly", "/2/yearly"}


@pytest.mark.req("PR-1", "PR-2")
def test_a_number_of_a_heading_is_proven_though_another_field_says_the_same_in_a_record() -> None:
    names = ("name", "round", "home", "away")
    rows = [("Larch", 7, 7, 4), ("Alder", 7, 7, 0), ("Rowan", 7, 7, 8), ("Tulip", 7, 1, 2), ("Birch", 5, 0, 6)]
    rows += [("Aspen", 5, 8, 4), ("Maple", 5, 9, 2), ("Hazel", 5, 1, 5)]
    data = [dict(zip(names, row, strict=True)) for row in rows]
    text = "".join(
        (f"### Round {nth}\n\n" if name in ("Larch", "Birch") else "") + f"- {name} **{home}** - **{away}** in town\n\n"
        for name, nth, home, away in rows
    )
    starts = [text.index(f"- {name}") for name, *_ in rows]
    spans = [(start, text.index("town", start) + 4) for start in starts]
    schema = {"items": {"properties": {name: {"type": "string" if name == "name" else "integer"} for name in names}}}

    def unproven() -> set[str]:
        entries = prove(data, text, schema=schema, spans=spans, units=spans)
        return {entry.pointer for entry in entries if entry.status == "ungrounded"}

    assert unproven() == set()
    data[4]["home"] = 6
    data[3] |= {"home": 7}
    assert unproven() == {"/4/home", "/3/home"}
