"""Choices and flags that the page says in words of its own: the same words mean the same on all records of a list."""

import pytest
from gleaner.judging.judge import judge as prove

NAMES = ("kettle", "ladle", "whisk", "apron", "jug", "basket", "bowl", "tray", "comb", "mat", "rug", "sheet")
FLOORS = {"WD": "Oak boards", "ST": "Granite", "TX": "Carpet"}
SCHEMA = {"type": "array", "items": {"type": "object", "properties": {"floor_kind": {"enum": [*FLOORS, "RB"]}}}}
CODES = ["WD", "ST", "WD", "TX", "ST", "TX", "WD", "ST", "TX", "WD", "ST", "WD"]
LINES = (
    "- {name}\n\n  No. {at}\n\n  Floor: {said}",
    "- {name}\n\n  {said} · from {at} €",
    "| {name} | {at} | {said} |",
)


def statuses(codes: list[str], line: str, says: dict[str, str] = FLOORS) -> list[str]:
    text = "\n".join(
        line.format(name=name, at=at, said=says[code]) for at, (name, code) in enumerate(zip(NAMES, CODES, strict=True))
    )
    data = [{"name": name, "floor_kind": code} for name, code in zip(NAMES, codes, strict=True)]
    return [one.status for one in prove(data, text, schema=SCHEMA) if one.pointer.endswith("floor_kind")]


@pytest.mark.req("PR-2")
@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize(("at", "code"), [(0, "ST"), (4, "TX"), (8, "WD")])
def test_a_choice_that_the_same_words_do_not_mean_elsewhere_is_no_data(line: str, at: int, code: str) -> None:
    wrong = [*CODES[:at], code, *CODES[at + 1 :]]
    assert statuses(wrong, line) == ["ungrounded" if row == at else "inferred" for row in range(12)]


@pytest.mark.parametrize("line", LINES)
def test_choices_in_words_that_mean_the_same_everywhere_are_kept(line: str) -> None:
    assert statuses(CODES, line) == ["inferred"] * 12


def test_a_choice_that_one_record_has_alone_is_kept() -> None:
    assert statuses(["RB", *CODES[1:]], LINES[0]) == ["inferred"] * 12


def test_a_choice_that_no_words_go_with_is_kept() -> None:
    assert statuses(CODES, LINES[0], dict.fromkeys(FLOORS, "New")) == ["inferred"] * 12


@pytest.mark.req("PR-2")
def test_a_no_is_no_data_where_words_say_yes_on_all_other_records() -> None:
    flags = [code == "WD" for code in CODES]
    lines = [
        f"- {name}\n\n  No. {at}\n\n{'  Ships today' * flag}"
        for at, (name, flag) in enumerate(zip(NAMES, flags, strict=True))
    ]
    for wrong in ({}, {0}, {6}):
        data = [
            {"name": name, "express": flag and at not in wrong}
            for at, (name, flag) in enumerate(zip(NAMES, flags, strict=True))
        ]
        told = [one.status for one in prove(data, "\n".join(lines)) if one.pointer.endswith("express")]
        assert told == ["ungrounded" if at in wrong else "inferred" for at in range(12)]
