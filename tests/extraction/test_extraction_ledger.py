"""Unkind models: what they drop, invent, repeat, corrupt or shift is found by counting and by looking."""

import asyncio
import json
import random
import re
from collections.abc import Callable

import pytest
from gleaner.chunking import chunk_at, chunk_markdown_by_structure
from gleaner.extraction import (
    CallLimits,
    ChunkEnds,
    ExtractionConfig,
    ExtractionResult,
    ExtractionSubAgent,
    chunk_tasks,
)
from gleaner.page.opening import open_page
from gleaner.testing import FunctionModel
from gleaner.units import primary_units
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.schemas import NUMBER, TEXT, list_of, object_of

SCHEMA = list_of(
    {
        "type": "object",
        "properties": {"name": {"type": "string"}, "price": {"type": ["number", "null"]}},
        "required": ["name"],
        "additionalProperties": False,
    }
)
ROWS = [(f"Mug {number:03}", f"${10 + number * 3}.50") for number in range(40)]
HEAD = "# Mugs\n\n| Name | Price |\n| --- | --- |\n"
PAGE = HEAD + "".join(f"| {name} | {price} |\n" for name, price in ROWS)
TRUTH = [{"name": name, "price": float(price[1:])} for name, price in ROWS]

Record = dict[str, object]
Unkindness = Callable[[list[Record]], list[Record]]


def read_rows(prompt: str) -> list[Record]:
    """Read rows as unseen test models do: from the whole prompt, context and all."""
    return [{"name": name, "price": price} for name, price in re.findall(r"^\| (Mug \w+) \| (\S+) \|", prompt, re.M)]


def extract(unkind: Unkindness, page: str = PAGE, **options: object) -> tuple[ExtractionResult, FunctionModel]:
    model = FunctionModel(lambda prompt: json.dumps(unkind(read_rows(prompt))))
    agent = ExtractionSubAgent(model, sleep=lambda _: None)
    result = asyncio.run(agent.extract(page, "all mugs", SCHEMA, **options))  # type: ignore[arg-type]
    return result, model


def dropping(*names: str, once: bool = False) -> Unkindness:
    seen: set[object] = set()

    def unkind(rows: list[Record]) -> list[Record]:
        kept = [row for row in rows if row["name"] not in names or (once and row["name"] in seen)]
        seen.update(row["name"] for row in rows)
        return kept

    return unkind


@pytest.mark.req("EX-6")
def test_a_dropped_row_is_asked_for_again_alone() -> None:
    result, model = extract(dropping("Mug 007", "Mug 020", once=True))
    assert result.data == TRUTH
    assert not result.is_partial
    page = model.prompts[1][model.prompts[1].index("<<<PAGE") :]
    assert [row["name"] for row in read_rows(page)] == ["Mug 007", "Mug 020"]
    assert len(model.prompts) == 2
    context = model.prompts[1].partition("<<<CONTEXT")[2].partition("<<<END CONTEXT")[0]
    there = re.search("already: (.*)", context)
    assert there
    assert there[1].split("; ") == [row["name"] for row in TRUTH if row["name"] not in ("Mug 007", "Mug 020")]


@pytest.mark.req("EX-6")
def test_a_question_about_the_rest_names_a_thousand_records_in_few_words() -> None:
    rows = "".join(f"| Mug {number:04} | ${number}.50 |\n" for number in range(1_000))
    _, model = extract(dropping("Mug 0500"), HEAD + rows, limits=CallLimits(max_output_tokens=60_000))
    context = model.prompts[-1].partition("<<<CONTEXT")[2].partition("<<<END CONTEXT")[0]
    assert len(context) < 1_400
    assert re.search(r"Mug 0001; .* and \d+ more\n", context)


@pytest.mark.req("EX-6")
def test_a_row_dropped_each_time_makes_the_result_partial_and_is_named() -> None:
    result, model = extract(dropping("Mug 007"))
    assert result.is_partial
    assert [unit.text for unit in result.completeness.missing] == ["| Mug 007 | $31.50 |"]
    assert result.completeness.expected == 40
    assert [error.error_type for error in result.errors] == ["missing_units"]
    assert "Mug 007" in result.errors[0].message
    assert len(model.prompts) == 2


@pytest.mark.req("EX-6")
def test_a_model_that_stops_early_gives_all_rows_in_the_end() -> None:
    result, model = extract(lambda rows: rows[:7])
    assert result.data == TRUTH
    assert not result.is_partial
    assert len(model.prompts) < 12


@pytest.mark.req("EX-6")
def test_an_invented_row_does_not_stand_in_for_a_dropped_one() -> None:
    def unkind(rows: list[Record]) -> list[Record]:
        return [{"name": "Phantom", "price": "$31.50"} if row["name"] == "Mug 007" else row for row in rows]

    result, _ = extract(unkind)
    assert result.is_partial
    assert all(record["name"] != "Phantom" for record in result.data)
    assert [unit.text for unit in result.completeness.missing] == ["| Mug 007 | $31.50 |"]


@pytest.mark.req("PR-2")
def test_invented_rows_are_left_out_and_said() -> None:
    result, model = extract(lambda rows: [*rows, {"name": "Phantom", "price": "$77777"}])
    assert result.data == TRUTH
    assert not result.is_partial
    assert any("Phantom" in warning and "dropped" in warning for warning in result.warnings)
    assert len(model.prompts) == 1


@pytest.mark.req("PR-2")
def test_a_row_made_of_two_others_is_left_out() -> None:
    result, _ = extract(lambda rows: [*rows, {"name": rows[0]["name"], "price": rows[-1]["price"]}])
    assert result.data == TRUTH


@pytest.mark.req("MG-1")
def test_repeated_rows_are_given_once_even_without_deduplication() -> None:
    result, _ = extract(lambda rows: rows + rows[:5], config=ExtractionConfig(dedupe="none"))
    assert result.data == TRUTH


@pytest.mark.req("CM-3")
@pytest.mark.parametrize("dedupe", ["none", "exact"])
def test_real_twins_stay(dedupe: str) -> None:
    page = PAGE + f"| {ROWS[3][0]} | {ROWS[3][1]} |\n"
    result, model = extract(lambda rows: rows, page, config=ExtractionConfig.model_validate({"dedupe": dedupe}))
    assert len(result.data) == 41
    assert not result.is_partial
    assert len(model.prompts) == 1


@pytest.mark.req("EX-6")
def test_a_twin_that_the_model_took_for_a_repetition_is_asked_for() -> None:
    page = PAGE + f"| {ROWS[3][0]} | {ROWS[3][1]} |\n"

    def unkind(rows: list[Record]) -> list[Record]:
        return list({row["name"]: row for row in rows}.values())

    result, _ = extract(unkind, page, config=ExtractionConfig(dedupe="none"))
    assert len(result.data) == 41


@pytest.mark.req("PR-2")
def test_a_value_corrupted_each_time_is_null() -> None:
    result, _ = extract(lambda rows: [{**row, "price": "$999.99"} if row["name"] == "Mug 011" else row for row in rows])
    assert result.data[11] == {"name": "Mug 011", "price": None}
    assert [entry.value for entry in result.provenance if entry.status == "ungrounded"] == [999.99]


def test_rows_of_the_overlap_are_not_taken_for_rows_of_the_chunk() -> None:
    result, model = extract(lambda rows: rows, config=ExtractionConfig(max_chunk_chars=300, dedupe="none"))
    assert result.data == TRUTH
    assert len(model.prompts) > 3


@pytest.mark.req("EX-6", "CM-1")
def test_a_row_of_the_overlap_does_not_stand_in_for_a_dropped_one() -> None:
    flat = HEAD + "".join(f"| {name} | $5.00 |\n" for name, _ in ROWS)
    result, _ = extract(dropping("Mug 009", "Mug 010", "Mug 011"), flat, config=ExtractionConfig(max_chunk_chars=300))
    assert result.is_partial
    assert [unit.text.split()[2] for unit in result.completeness.missing] == ["009", "010", "011"]


@pytest.mark.req("EX-6")
def test_a_row_of_the_overlap_does_not_take_a_row_that_says_almost_the_same() -> None:
    names = [f"M{number}" for number in range(40)]
    page = "| Name | Color | Size |\n| --- | --- | --- |\n" + "".join(f"| {n} | scarlet | large |\n" for n in names)
    fields = {"name": {"type": "string"}, "color": {"type": "string"}, "size": {"type": "string"}}
    schema = {"type": "array", "items": {"type": "object", "properties": fields}}
    first = chunk_markdown_by_structure(page, 300)[0].content
    dropped = names[first.count("scarlet")]

    def answer(prompt: str) -> str:
        rows = re.findall(r"^\| (M\d+) \| (\w+) \| (\w+) \|", prompt, re.M)
        return json.dumps([{"name": n, "color": c, "size": s} for n, c, s in rows if n != dropped])

    agent = ExtractionSubAgent(FunctionModel(answer))
    result = asyncio.run(agent.extract(page, "mugs", schema, config=ExtractionConfig(max_chunk_chars=300)))
    assert result.is_partial
    assert [unit.text for unit in result.completeness.missing] == [f"| {dropped} | scarlet | large |"]


def test_a_record_may_take_in_several_rows() -> None:
    page = "# League\n\n" + "".join(
        f"## Team {team}\n\n| Player | Goals |\n| --- | --- |\n"
        + "".join(f"| {team}-player-{n} | {n * 7 + 20} |\n" for n in range(4))
        + "\n"
        for team in "ABC"
    )
    player = {"type": "object", "properties": {"name": {"type": "string"}, "goals": {"type": "integer"}}}
    team = {"type": "object", "properties": {"team": {"type": "string"}, "players": {"type": "array", "items": player}}}
    schema = {"type": "object", "properties": {"teams": {"type": "array", "items": team}}}
    data = {
        "teams": [
            {"team": f"Team {t}", "players": [{"name": f"{t}-player-{n}", "goals": n * 7 + 20} for n in range(4)]}
            for t in "ABC"
        ]
    }
    model = FunctionModel(lambda _: json.dumps(data))
    result = asyncio.run(ExtractionSubAgent(model).extract(page, "teams", schema))
    assert result.data == data
    assert not result.is_partial
    assert len(model.prompts) == 1


def test_two_records_of_one_unit_are_both_kept() -> None:
    page = "".join(f"- Shirt {n}: S for ${n}1, M for ${n}2\n" for n in range(1, 6))
    item = object_of(name=TEXT, size=TEXT, price=NUMBER)

    def answer(prompt: str) -> str:
        found = re.findall(r"(Shirt \d): S for \$(\d+), M for \$(\d+)", prompt)
        return json.dumps([{"name": n, "size": s, "price": p} for n, a, b in found for s, p in (("S", a), ("M", b))])

    result = asyncio.run(
        ExtractionSubAgent(FunctionModel(answer)).extract(page, "offers", {"type": "array", "items": item})
    )
    assert len(result.data) == 10
    assert not result.is_partial


@pytest.mark.req("EX-6")
def test_the_words_that_all_units_were_skipped_are_not_asked_about_again() -> None:
    model = FunctionModel(lambda _: json.dumps({"data": [], "skipped": list(range(40))}))
    result = asyncio.run(ExtractionSubAgent(model).extract(PAGE, "cars", SCHEMA))
    assert (len(model.prompts), result.completeness.skipped, result.data) == (1, 40, [])


@pytest.mark.req("EX-6", "EX-9")
def test_hopeless_questions_end_soon() -> None:
    big = HEAD + "".join(f"| Mug {number:04} | $5 |\n" for number in range(2_000))
    result, model = extract(lambda _: [], big)
    assert result.is_partial
    assert len(result.completeness.missing) == 2_000
    assert len(model.prompts) < 8


# Pages with a DOM, and models that are unkind at random

PAGES: dict[str, Callable[[list[tuple[str, str]]], str]] = {
    "table": lambda rows: (
        "<table><tr><th>Name</th><th>Price</th></tr>"
        + "".join(f"<tr><td>{n}</td><td>{p}</td></tr>" for n, p in rows)
        + "</table>"
    ),
    "cards": lambda rows: "".join(f"<div class=c><h3>{n}</h3><p>Only <b>{p}</b> today</p></div>" for n, p in rows),
    "list": lambda rows: "<ul>" + "".join(f"<li>{n} for {p}</li>" for n, p in rows) + "</ul>",
    "definitions": lambda rows: "<dl>" + "".join(f"<dt>{n}</dt><dd>costs {p}</dd>" for n, p in rows) + "</dl>",
}


@pytest.mark.req("EX-6")
@settings(max_examples=40)
@given(
    kind=st.sampled_from(sorted(PAGES)),
    size=st.integers(3, 40),
    chance=st.randoms(use_true_random=True),
    chunk=st.sampled_from([400, 5_000]),
)
def test_no_result_is_complete_with_a_record_missing_and_none_holds_a_wrong_value(
    kind: str, size: int, chance: random.Random, chunk: int
) -> None:
    rows = [(f"Mug {number:03}", f"${chance.randrange(3, 900)}.{chance.randrange(10, 99)}") for number in range(size)]
    truth = {name: float(price[1:]) for name, price in rows}
    page = open_page(f"<main><h1>Mugs</h1><p>All of our mugs.</p>{PAGES[kind](rows)}</main>", "http://x.test/")

    def answer(prompt: str) -> str:
        shown = prompt[prompt.index("<<<PAGE") :]
        records: list[Record] = []
        for name in re.findall(r"Mug \d+", shown):
            price: object = truth[name]
            if chance.random() < 0.15:
                continue
            if chance.random() < 0.1:
                price = round(chance.uniform(3, 900), 2)
            records.append({"name": name, "price": price})
            if chance.random() < 0.1:
                phantom: Record = {"name": f"Phantom {chance.randrange(999)}"}
                records.append({**phantom, "price": chance.choice(list(truth.values()))})
            if chance.random() < 0.1:
                records.append(records[-1])
        return json.dumps(records)

    agent = ExtractionSubAgent(FunctionModel(answer), max_concurrent_chunks=1)
    config = ExtractionConfig(max_chunk_chars=chunk)
    result = asyncio.run(agent.extract(page.text, "mugs", SCHEMA, units=page.units, config=config))
    names = [record["name"] for record in result.data]
    assert result.is_partial or sorted(names) == sorted(truth)
    assert len(names) == len(set(names))
    assert set(names) <= set(truth)
    assert all(record.get("price") in (None, truth[record["name"]]) for record in result.data)


@pytest.mark.req("EX-6", "RC-3")
def test_a_border_after_a_record_stays_there_though_a_piece_across_it_is_cut() -> None:
    rows = "".join(
        f"<tr class=head><td>Z{n}56130</td><td>Tampa {n}</td></tr>"
        f"<tr class=more><td colspan=2>From Fengate {n} <b>Weight</b> {n}.1 kg</td></tr>"
        for n in range(60)
    )
    page = open_page(f"<table><tr><th>No.</th><th>To</th></tr>{rows}</table>", "http://x.test/")
    border = primary_units(page.units)[25].start
    move = ChunkEnds(page.text, page.units)
    tasks = chunk_tasks(chunk_at(page.text, [border], move=move), page.units)
    assert tasks[0].end_char == tasks[1].start_char == border
    assert "Z2456130" in tasks[0].content
    assert "Fengate 24 " in tasks[0].content


@pytest.mark.req("EX-13")
def test_a_follow_up_that_says_less_of_a_known_record_does_not_double_it() -> None:
    answers = iter([[{"name": "Mug 001", "price": 13.5}], [{"name": "Mug 001", "price": None}]])
    model = FunctionModel(lambda _: json.dumps(next(answers, [])))
    page = f"{HEAD}| Mug 001 | $13.50 |\n| Mug 001 |  |\n"
    result = asyncio.run(ExtractionSubAgent(model, sleep=lambda _: None).extract(page, "all mugs", SCHEMA))
    assert (result.data, result.is_partial) == ([{"name": "Mug 001", "price": 13.5}], True)
    assert len(result.completeness.missing) == 1
