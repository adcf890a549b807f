"""Models that leave out, stop, skip and number at random: nothing is lost in silence, and calls stay few (EX-4)."""

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from gleaner.extraction import ExtractionSubAgent
from gleaner.page.opening import open_page
from gleaner.testing import FunctionModel

from tests.support.schemas import MAYBE_INTEGER, MAYBE_NUMBER, TEXT, list_of, object_of

TOWNS = ("Alta", "Bergen", "Cesena", "Dover", "Evora", "Fano", "Gent", "Halle", "Ieper", "Jena", "Kassel", "Lund")
DAYS = [{"town": town, "stars": 3 + at, "fee": 20.5 + 3 * at} for at, town in enumerate(TOWNS)]
SCHEMA = list_of(object_of("town", town=TEXT, stars=MAYBE_INTEGER, fee=MAYBE_NUMBER))
CARDS = "".join(
    f"<article><h3>Stay in {day['town']}</h3><p>{day['stars']} stars</p><p>{day['fee']:.2f} €</p></article>"
    for day in DAYS
)
ROWS = "".join(f"<tr><td>{day['town']}</td><td>{day['stars']}</td><td>{day['fee']:.2f}</td></tr>" for day in DAYS)
PAGES = {
    "cards": f"<main><h1>Stays</h1>{CARDS}</main>",
    "table": f"<h1>Stays</h1><table><tr><th>Town</th><th>Stars</th><th>Fee</th></tr>{ROWS}</table>",
}
Record = dict[str, Any]
Answer = Callable[[list[Record]], tuple[list[Record], list[int]]]


def shown(prompt: str) -> list[Record]:
    """Give the numbered records of a prompt, as a good model does."""
    parts = re.split(r"^\[#(\d+)\]\n", prompt[prompt.index("<<<PAGE") :], flags=re.MULTILINE)
    pieces = dict(zip(map(int, parts[1::2]), parts[2::2], strict=True))
    return [{"unit": n, **day} for n, text in pieces.items() for day in DAYS if re.search(rf"\b{day['town']}\b", text)]


def numbers(rows: list[Record]) -> list[int]:
    return [row["unit"] for row in rows]


def renumbered(rows: list[Record], number: Callable[[int], int]) -> list[Record]:
    return [{**row, "unit": number(row["unit"])} for row in rows]


def without(rows: list[Record], town: str) -> list[Record]:
    return [row for row in rows if row["town"] != town]


FORGETTING: dict[str, Answer] = {
    "one in the middle": lambda rows: (without(rows, "Gent"), []),
    "one in the middle, and says that its piece holds none": lambda rows: (
        without(rows, "Gent"),
        [row["unit"] for row in rows if row["town"] == "Gent"],
    ),
    "the first": lambda rows: (without(rows, "Alta"), []),
    "the last, and numbers the others anew": lambda rows: (
        [{**row, "unit": at} for at, row in enumerate(without(rows, "Lund"))],
        [],
    ),
    "all after the third": lambda rows: (rows[:3], numbers(rows[3:])),
    "all but the first of what it is shown": lambda rows: (rows[:1], []),
    "the others for the first, again and again": lambda rows: ([{**rows[0], "unit": n} for n in numbers(rows)], []),
    "every value": lambda rows: ([{"unit": n, "town": "", "stars": 0, "fee": 0} for n in numbers(rows)], []),
    "everything": lambda rows: ([], numbers(rows)),
    "everything, numbers too": lambda _: ([], []),
}
MISNUMBERING: dict[str, Answer] = {
    "all with one number": lambda rows: (renumbered(rows, lambda _: 1), []),
    "with numbers that no piece has": lambda rows: (renumbered(rows, lambda n: n + 9_000), []),
    "backwards": lambda rows: (renumbered(rows, lambda n: 11 - n), []),
    "with no number": lambda rows: ([{key: row[key] for key in ("town", "stars", "fee")} for row in rows], []),
    "twice": lambda rows: (rows + rows, []),
}


def ask(html: str, answer: Answer) -> tuple[Any, list[str]]:
    prompts: list[str] = []

    def fn(prompt: str) -> str:
        prompts.append(prompt)
        rows, skipped = answer(shown(prompt))
        return json.dumps({"data": rows, "skipped": skipped})

    clean = open_page(html, "https://stays.example/")
    agent = ExtractionSubAgent(FunctionModel(fn), sleep=lambda _: None)
    return asyncio.run(agent.extract(clean.text, "all stays", SCHEMA, units=clean.units)), prompts


def words(prompts: list[str]) -> set[str]:
    """Give what was asked, without the words of the fences."""
    return {re.sub(r"<<<.*?>>>", "", prompt) for prompt in prompts}


@pytest.mark.req("EX-4", "EX-6", "CM-1")
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("answer", FORGETTING.values(), ids=FORGETTING)
def test_a_model_that_forgets_is_told_on_and_never_asked_without_end(page: str, answer: Answer) -> None:
    result, prompts = ask(PAGES[page], answer)
    assert result.is_partial
    assert len(result.completeness.missing) == len(DAYS) - len(result.data) > 0
    assert all(record in DAYS for record in result.data)
    assert len(prompts) <= 9
    assert len(words(prompts)) == len(prompts)


@pytest.mark.req("EX-4", "EX-6")
@pytest.mark.parametrize("gives", [1, 0])
def test_a_model_that_gives_little_each_time_is_not_asked_for_all_of_a_long_list(gives: int) -> None:
    rows = "".join(f"<tr><td>Cabin {n}</td><td>{n % 5}</td><td>{n}.50</td></tr>" for n in range(10, 160))
    table = f"<h1>Stays</h1><table><tr><th>Town</th><th>Stars</th><th>Fee</th></tr>{rows}</table>"
    prompts: list[str] = []

    def fn(prompt: str) -> str:
        prompts.append(prompt)
        found = re.findall(r"\[#(\d+)\]\n\| Cabin (\d+) ", prompt)
        given = [
            {"unit": int(unit), "town": f"Cabin {n}", "stars": int(n) % 5, "fee": int(n) + 0.5} for unit, n in found
        ]
        kept = given[: gives or len(prompts) == 1]
        return json.dumps({"data": kept, "skipped": [] if gives else [int(found[-1][0])]})

    clean = open_page(table, "https://stays.example/")
    agent = ExtractionSubAgent(FunctionModel(fn), sleep=lambda _: None)
    result = asyncio.run(agent.extract(clean.text, "all stays", SCHEMA, units=clean.units))
    assert result.is_partial
    assert len(prompts) <= 9


@pytest.mark.req("EX-6")
def test_a_first_answer_that_stops_early_does_not_keep_later_questions_small() -> None:
    rows = "".join(f"<tr><td>Cabin {n}</td><td>{n % 5}</td><td>{n}.50</td></tr>" for n in range(10, 90))
    table = f"<h1>Stays</h1><table><tr><th>Town</th><th>Stars</th><th>Fee</th></tr>{rows}</table>"
    asked: list[int] = []

    def fn(prompt: str) -> str:
        found = re.findall(r"\[#(\d+)\]\n\| Cabin (\d+) ", prompt)
        asked.append(len(found))
        given = [
            {"unit": int(unit), "town": f"Cabin {n}", "stars": int(n) % 5, "fee": int(n) + 0.5} for unit, n in found
        ]
        return json.dumps({"data": given if asked[1:] else given[:5], "skipped": []})

    clean = open_page(table, "https://stays.example/")
    agent = ExtractionSubAgent(FunctionModel(fn), sleep=lambda _: None)
    result = asyncio.run(agent.extract(clean.text, "all stays", SCHEMA, units=clean.units))
    assert (result.is_partial, len(result.data)) == (False, 80)
    assert asked == [80, 5, 10, 20, 40]


@pytest.mark.req("EX-10")
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("answer", MISNUMBERING.values(), ids=MISNUMBERING)
def test_wrong_numbers_of_units_cost_no_record_and_no_call(page: str, answer: Answer) -> None:
    result, prompts = ask(PAGES[page], answer)
    assert (result.data, result.is_partial, len(prompts)) == (DAYS, False, 1)


@pytest.mark.req("EX-4")
def test_a_model_that_keeps_to_a_refused_value_is_never_asked_twice_in_the_same_words() -> None:
    asked: list[int] = []

    def spoil(rows: list[Record]) -> tuple[list[Record], list[int]]:
        asked.append(len(rows))
        spoilt = [{**row, "stars": "lots"} for row in rows]
        return (spoilt if len(asked) == 1 else [{**row, "unit": None, "town": "Nowhere"} for row in spoilt]), []

    _, prompts = ask(PAGES["cards"], spoil)
    assert 2 < len(prompts) == len(words(prompts))


def test_an_answer_without_records_that_passes_over_all_pieces_says_so() -> None:
    result, _ = ask(PAGES["cards"], lambda rows: ([], numbers(rows)))
    assert any("no record for any of the 12 items" in warning for warning in result.warnings)
