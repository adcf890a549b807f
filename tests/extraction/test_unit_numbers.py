"""Records name their unit (EX-10): the number is asked for, checked against the text, and never served."""

import asyncio
import json
import re
from collections.abc import Callable

import pytest
from gleaner.contracts.models import ExtractionConfig, ExtractionResult
from gleaner.extraction import ExtractionSubAgent
from gleaner.extraction.prompts import name_of_number, with_number
from gleaner.page.opening import open_page
from gleaner.schemas import record_path, relax
from gleaner.testing import FunctionModel

NAMES = [f"Lamp {letter}{number:02}" for number, letter in enumerate("ABCDEFGHIJKL")]
PRICES = {name: 20.5 + 3 * number for number, name in enumerate(NAMES)}
ITEM = {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "number"}}, "required": ["name"]}
SCHEMA = {"type": "array", "items": ITEM}
CARDS = "".join(f"<article><h3>{name}</h3><p>Now {PRICES[name]:.2f} €</p></article>" for name in NAMES)
MENU = "".join(f"<li><a href=/{n}>Up to {n}.50 €, {n} models</a></li>" for n in range(10, 90, 10))
PAGE = f"<main><h1>Lamps</h1><ul class=facets>{MENU}</ul><div>{CARDS}</div></main>"

Record = dict[str, object]
Answer = Callable[[list[Record], int], object]


def shown(prompt: str) -> list[Record]:
    """Read the numbered cards of a prompt as a good model does."""
    page = prompt[prompt.index("<<<PAGE") :]
    found = re.findall(r"\[#(\d+)\]\n### (Lamp \w+)\n\nNow ([\d.]+) €", page)
    return [{"unit": int(number), "name": name, "price": float(price)} for number, name, price in found]


def extract(answer: Answer, html: str = PAGE, schema: object = SCHEMA) -> tuple[ExtractionResult, FunctionModel]:
    calls: list[str] = []

    def fn(prompt: str) -> str:
        calls.append(prompt)
        given = answer(shown(prompt), len(calls))
        return given if isinstance(given, str) else json.dumps(given)

    page, model = open_page(html, "https://shop.test/"), FunctionModel(fn)
    agent = ExtractionSubAgent(model, sleep=lambda _: None)
    work = agent.extract(page.text, "all lamps", schema, units=page.units, config=ExtractionConfig())  # type: ignore[arg-type]
    return asyncio.run(work), model


def names(result: ExtractionResult) -> list[str]:
    return [record["name"] for record in result.data]


@pytest.mark.req("EX-10")
def test_the_number_is_asked_for_first_and_is_in_no_record() -> None:
    result, model = extract(lambda rows, _: {"data": rows, "skipped": []})
    assert '"unit": N' in model.prompts[0]
    assert [list(record) for record in result.data] == [["name", "price"]] * 12
    assert (names(result), result.is_partial, len(model.prompts)) == (NAMES, False, 1)
    assert (result.completeness.expected, result.completeness.method) == (12, "units")


@pytest.mark.req("EX-10")
def test_a_field_of_the_caller_s_keeps_its_name_and_its_value() -> None:
    item = {"type": "object", "properties": {"unit": {"type": "string"}, "unit_number": {"type": "integer"}}}
    assert name_of_number(item) == "number_of_unit"
    assert name_of_number({"type": "string"}) == ""
    path = record_path({"type": "array", "items": item})
    assert path is not None
    asked = with_number(relax({"type": "array", "items": item}), path, "number_of_unit")
    assert list(asked["items"]["properties"]) == ["number_of_unit", "unit", "unit_number"]  # type: ignore[index,call-overload]


@pytest.mark.req("EX-10")
@pytest.mark.parametrize(
    "renumbered",
    [
        lambda row: {**row, "unit": (row["unit"] + 1) % 12},
        lambda row: {**row, "unit": 0},
        lambda row: {**row, "unit": 999},
        lambda row: {**row, "unit": None},
        lambda row: {**row, "unit": f"#{row['unit']}"},
        lambda row: {key: value for key, value in row.items() if key != "unit"},
    ],
    ids=["the next one", "the first", "none there is", "null", "as a mark", "not given"],
)
def test_a_number_that_the_text_does_not_bear_out_is_no_evidence(renumbered: Callable[[Record], Record]) -> None:
    result, model = extract(lambda rows, _: [renumbered(row) for row in rows])
    assert (names(result), result.is_partial, len(model.prompts)) == (NAMES, False, 1)
    assert [record["price"] for record in result.data] == [PRICES[name] for name in NAMES]


@pytest.mark.req("EX-6", "EX-10")
def test_menus_and_facets_are_never_asked_about() -> None:
    _, model = extract(lambda rows, call: rows[:-2] if call == 1 else rows)
    assert len(model.prompts) == 2
    asked = model.prompts[1][model.prompts[1].index("<<<PAGE") :]
    assert ("Up to" in asked, [row["name"] for row in shown(model.prompts[1])]) == (False, NAMES[-2:])


@pytest.mark.req("EX-10")
def test_a_unit_like_the_others_that_was_passed_over_is_not_asked_about_but_named() -> None:
    result, model = extract(lambda rows, _: {"data": rows[:9], "skipped": [row["unit"] for row in rows[9:]]})
    assert (len(model.prompts), result.is_partial) == (1, True)
    assert [NAMES[9 + at] in unit.text for at, unit in enumerate(result.completeness.missing)] == [True] * 3
    assert "Lamp J09" in result.errors[0].message


@pytest.mark.req("EX-6", "EX-10")
@pytest.mark.parametrize(
    ("answer", "calls", "found", "is_partial"),
    [
        (lambda rows, call: [row for row in rows if call > 1 or row["name"] != NAMES[5]], 2, 12, False),
        (lambda rows, _: [row for row in rows if row["name"] != NAMES[5]], 2, 11, True),
        (lambda rows, _: rows[:3], 4, 12, False),
        (lambda rows, call: rows[:3] if call == 1 else [], 2, 3, True),
        (lambda rows, _: {"data": [], "skipped": [row["unit"] for row in rows]}, 1, 0, True),
        (lambda rows, _: "", 3, 0, True),
        (lambda rows, _: [], 2, 0, True),
        (lambda rows, call: json.dumps(rows[:4])[:-1] + f", {json.dumps(rows[:4][-1])}" * 200, 4, 12, False),
    ],
    ids=["slips once", "leaves one out", "stops early", "says no more", "skips all", "says nothing", "empty", "loops"],
)
def test_whatever_a_model_does_no_loss_is_silent_and_no_question_is_asked_twice(
    answer: Answer, calls: int, found: int, is_partial: bool
) -> None:
    result, model = extract(answer)
    assert (len(result.data), result.is_partial) == (found, is_partial)
    assert len(model.prompts) <= calls
    assert len({*model.prompts}) == len(model.prompts)
    if is_partial:
        assert result.errors[0].message


@pytest.mark.req("CM-1")
def test_where_nothing_is_convincing_nothing_is_numbered_and_the_sentences_are_counted_once_they_gave_records() -> None:
    page = "<p>" + " ".join(f"The {name} costs {PRICES[name]:.2f} €." for name in NAMES) + "</p>"
    truth = [{"name": name, "price": PRICES[name]} for name in NAMES]
    whole, model = extract(lambda *_: truth, page)
    assert (whole.is_partial, whole.completeness.method, whole.completeness.expected) == (False, "units", 12)
    assert '"unit"' not in model.prompts[0]
    short, _ = extract(lambda *_: truth[:5] + truth[6:], page)
    assert (short.is_partial, len(short.completeness.missing)) == (True, 1)


@pytest.mark.req("EX-10")
def test_the_cells_of_a_grid_without_rows_belong_to_the_record_before_them() -> None:
    cells = "".join(
        f"<div>{name}</div><div>{PRICES[name]:.2f}</div><div>Hall {n}</div>" for n, name in enumerate(NAMES)
    )
    item = {"properties": {"name": {"type": "string"}, "price": {"type": "number"}, "hall": {"type": "string"}}}
    rows = [{"name": name, "price": PRICES[name], "hall": f"Hall {n}"} for n, name in enumerate(NAMES)]
    result, model = extract(lambda *_: rows, f"<section>{cells}</section>", {"type": "array", "items": item})
    assert (result.data, result.is_partial, len(model.prompts)) == (rows, False, 1)


@pytest.mark.req("EX-7")
def test_the_questions_about_a_chunk_share_the_word_of_their_fence() -> None:
    _, model = extract(lambda rows, call: rows[:-2] if call == 1 else rows)
    first, second = (re.search(r"<<<PAGE (\w+)>>>", prompt) for prompt in model.prompts)
    assert first is not None
    assert second is not None
    assert first[1] == second[1]


@pytest.mark.req("EX-13")
def test_a_question_about_the_rest_shows_what_heads_its_pieces() -> None:
    days = {"Monday 9 March": ["Choir", "Market"], "Friday 13 March": ["Dance", "Fair", "Debate"]}
    items = {day: "".join(f"<li><b>{name}</b>, Hall 4, from £7</li>" for name in names) for day, names in days.items()}
    lists = "".join(f"<h3>{day}</h3><p>Doors open at six</p><ul>{said}</ul>" for day, said in items.items())
    page = open_page(f"<html><body><h1>What is on</h1>{lists}</body></html>", "https://site.example/list")
    prompts: list[str] = []

    def answer(prompt: str) -> str:
        prompts.append(prompt)
        rows = [name for names in days.values() for name in names if name in prompt[prompt.index("<<<PAGE") :]]
        return json.dumps({"data": [{"name": name} for name in (rows[:-2] if len(prompts) == 1 else rows)]})

    schema = {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}
    agent = ExtractionSubAgent(FunctionModel(answer), sleep=lambda _: None)
    asyncio.run(agent.extract(page.text, None, schema, units=page.units))
    shown_again = prompts[1][prompts[1].index("<<<PAGE") :]
    heads = ("What is on", "Monday 9 March", "Friday 13 March", "Doors open at six", "Dance", "Fair")
    assert [said for said in heads if said in shown_again] == [
        "What is on",
        "Friday 13 March",
        "Doors open at six",
        "Fair",
    ]
