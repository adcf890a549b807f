"""Choices and flags that the page says in words of its own: the same words mean the same on all records of a list."""

import pytest
from gleaner.proof import prove

NAMES = ("kettle", "ladle", "whisk", "apron", "jug", "basket", "bowl", "tray", "comb", "mat", "rug", "sheet")
COUNTRIES = {"DE": "Germany", "FR": "France", "JP": "Japan"}
SCHEMA = {"type": "array", "items": {"type": "object", "properties": {"made_in": {"enum": [*COUNTRIES, "IT"]}}}}
CODES = ["DE", "FR", "DE", "JP", "FR", "JP", "DE", "FR", "JP", "DE", "FR", "DE"]
LINES = (
    "- {name}\n\n  No. {at}\n\n  Made in {said}",
    "- {name}\n\n  {said} · from {at} €",
    "| {name} | {at} | {said} |",
)


def statuses(codes: list[str], line: str, says: dict[str, str] = COUNTRIES) -> list[str]:
    text = "\n".join(
        line.format(name=name, at=at, said=says[code]) for at, (name, code) in enumerate(zip(NAMES, CODES, strict=True))
    )
    data = [{"name": name, "made_in": code} for name, code in zip(NAMES, codes, strict=True)]
    return [one.status for one in prove(data, text, schema=SCHEMA) if one.pointer.endswith("made_in")]


@pytest.mark.req("PR-2")
@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize(("at", "code"), [(0, "FR"), (4, "JP"), (8, "DE")])
def test_a_choice_that_the_same_words_do_not_mean_elsewhere_is_no_data(line: str, at: int, code: str) -> None:
    wrong = [*CODES[:at], code, *CODES[at + 1 :]]
    assert statuses(wrong, line) == ["ungrounded" if row == at else "inferred" for row in range(12)]


@pytest.mark.parametrize("line", LINES)
def test_choices_in_words_that_mean_the_same_everywhere_are_kept(line: str) -> None:
    assert statuses(CODES, line) == ["inferred"] * 12


def test_a_choice_that_one_record_has_alone_is_kept() -> None:
    assert statuses(["IT", *CODES[1:]], LINES[0]) == ["inferred"] * 12


def test_a_choice_that_no_words_go_with_is_kept() -> None:
    assert statuses(CODES, LINES[0], dict.fromkeys(COUNTRIES, "Europe")) == ["inferred"] * 12


@pytest.mark.req("PR-2")
def test_a_no_is_no_data_where_words_say_yes_on_all_other_records() -> None:
    flags = [code == "DE" for code in CODES]
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
