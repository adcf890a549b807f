"""What stands behind a number tells which field it is of: "193 replies" are no views."""

from typing import Any

import pytest
from gleaner.grounding import prove

ROWS = [("Larch", 12, 431), ("Alder", 31, 702), ("Rowan", 8, 190), ("Birch", 27, 333), ("Hazel", 14, 520)]


def refused(data: Any, text: str, names: tuple[str, ...]) -> set[str]:
    item = {"properties": {name: {"type": "string" if name == "name" else "number"} for name in names}}
    starts = [text.index(one["name"]) - 2 for one in data]
    spans = [(start, end - 1) for start, end in zip(starts, [*starts[1:], len(text) + 1], strict=True)]
    entries = prove(data, text, schema={"type": "array", "items": item}, spans=spans, units=spans)
    return {entry.pointer for entry in entries if entry.status == "ungrounded"}


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize(
    ("line", "first", "second"),
    [
        ("- {} \n  {} Replies\n  {} Views", "replies", "views"),
        ("- {}: {} points by somebody | {} comments", "points", "comments"),
        ("- {} with {} beds and {} baths", "bedrooms", "bathrooms"),
        ("- {} lasts {} min, {} m", "minutes", "distance_m"),
        ("- {} {} mAh, **{} g**", "battery_mah", "weight_g"),
        ("- {} {} % of {}", "share_percent", "votes"),
    ],
)
def test_two_numbers_swapped_in_all_records_are_refused_by_what_they_count(line: str, first: str, second: str) -> None:
    text = "\n".join(line.format(*row) for row in ROWS)
    truth = [{"name": name, first: one, second: other} for name, one, other in ROWS]
    swapped = [{"name": name, first: other, second: one} for name, one, other in ROWS]
    assert refused(truth, text, ("name", first, second)) == set()
    said = refused(swapped, text, ("name", first, second))
    assert {f"/{n}/{second}" for n in range(5)} <= said
    assert second == "votes" or len(said) == 10


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("line", "first", "second"),
    [
        ("- {}, {} years old, with {} years of work", "age", "years_of_experience"),
        ("- {} in sacks of {} kg at {} € a kg", "weight", "price_per_kg"),
        ("- {} {} pieces, rated by {} people", "count", "ratings"),
        ("- {} goals: {} at home, {} goals abroad", "home_goals", "away_goals"),
    ],
)
def test_a_unit_that_two_fields_share_refuses_no_right_answer(line: str, first: str, second: str) -> None:
    text = "\n".join(line.format(*row) for row in ROWS)
    truth = [{"name": name, first: one, second: other} for name, one, other in ROWS]
    assert refused(truth, text, ("name", first, second)) == set()


@pytest.mark.req("PR-1")
@pytest.mark.parametrize("line", ["£{} Pages: {} Year 1988", "£{} **Pages:** {} Year 1988"])
def test_the_label_of_what_follows_a_number_does_not_count_it(line: str) -> None:
    text = "\n".join(f"- {name} {line.format(price, pages)}" for name, price, pages in ROWS)
    truth = [{"name": name, "price": price, "pages": pages, "year": 1988} for name, price, pages in ROWS]
    assert refused(truth, text, ("name", "price", "pages", "year")) == set()


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
def test_a_shortened_label_behind_a_number_does_not_count_it() -> None:
    names = ("name", "ja", "nein", "enthaltungen")
    rows = [("Larch", 12, 4, 3), ("Alder", 31, 8, 8), ("Rowan", 8, 19, 2), ("Birch", 27, 3, 5), ("Hazel", 14, 5, 5)]
    data = [dict(zip(names, row, strict=True)) for row in rows]
    text = "\n".join(f"- {name}\n  Ja: {yes} Nein: {no} Enth.: {none} — voted" for name, yes, no, none in rows)
    assert refused(data, text, names) == set()
    data[1] |= {"enthaltungen": 31}
    assert refused(data, text, names) == {"/1/enthaltungen"}


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


@pytest.mark.req("PR-1")
def test_a_number_behind_its_own_label_is_not_counted_by_the_label_behind_it() -> None:
    text = "\n".join(f"- {name}\n  Beds **{price}** Baths **{pages}** Cost {pages}3" for name, price, pages in ROWS)
    truth = [{"name": name, "beds": one, "baths": two, "cost": two * 10 + 3} for name, one, two in ROWS]
    assert refused(truth, text, ("name", "beds", "baths", "cost")) == set()
