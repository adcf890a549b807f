"""The stand-in model that Gleaner and other tools are measured with: it reads any prompt, and its faults are faults."""

import json
import re
from typing import Any

import httpx
import pytest
from llm_peers.__main__ import count, find_cases, with_invented
from llm_peers.stand_in import FAULT_NAMES, INVENTED, StandIn, given_by, reply
from measure.cases import Case

RECORDS: list[dict[str, Any]] = [
    {"boat": f"{name} Heron", "berths": berths}
    for name, berths in zip(("Grey", "White", "Night", "Little", "Great"), range(2, 7), strict=True)
]
ROWS = [f"<tr><td>{one['boat']}</td><td>{one['berths']}</td></tr>" for one in RECORDS]
FIELDS: dict[str, Any] = {"boat": {"type": "string"}, "berths": {"type": "integer"}}
SCHEMA: dict[str, Any] = {"type": "array", "items": {"type": "object", "properties": FIELDS}}
CASE = with_invented(
    Case("own", "boats", "boats", f"<table>{''.join(ROWS)}</table>", "https://boats.example", SCHEMA, None, RECORDS)
)
TEXT = "\n".join(f"{one['boat']} | {one['berths']}" for one in RECORDS)
PROMPTS = {
    "crawl4ai": "<url>u</url>\n<url_content>\n{}\n</url_content>\n<schema_block>{{}}</schema_block>",
    "scrapegraphai": "USER QUESTION: all\nWEBSITE CONTENT: ['{}']",
    "langextract": "Extract.\n\nExamples\nQ: Great Heron; 6\nA: {{}}\n\nQ: {}\nA: ",
    "plain": "Extract.\n\nPage:\n{}",
}


def records_in(said: str) -> list[dict[str, Any]]:
    found = re.search(r"[\[{].*[\]}]", said, re.DOTALL)
    assert found, said
    data = json.loads(found[0])
    if isinstance(data, list):
        return data
    return data.get("records") or [one["record_attributes"] for one in data["extractions"]]


@pytest.mark.parametrize("form", PROMPTS)
def test_the_stand_in_reads_the_part_of_the_page_that_a_prompt_shows(form: str) -> None:
    first_two = "\n".join(TEXT.splitlines()[:2])
    said = reply(CASE, "right", PROMPTS[form].format(first_two)).text
    assert [(one["boat"], one["berths"]) for one in records_in(said)] == [("Grey Heron", 2), ("White Heron", 3)]


@pytest.mark.parametrize(
    ("fault", "missing", "wrong"),
    [
        ("right", 0, 0),
        ("one left out", 1, 0),
        ("last three left out", 3, 0),
        ("a neighbour's value", 0, 1),
        ("an invented field", 0, len(RECORDS)),
        ("prose around", 0, 0),
    ],
)
def test_a_fault_is_counted_as_what_it_is(fault: str, missing: int, wrong: int) -> None:
    data = records_in(reply(CASE, fault, PROMPTS["plain"].format(TEXT)).text)
    assert len(data) == len(RECORDS) - missing
    answer: dict[str, Any] = {"data": data, "said": [], "logged": [], "told": [], "seconds": 0.1}
    counted = count(CASE, answer, answer)
    assert (counted["lacking"], counted["wrong"], counted["silent"]) == (missing > 0, wrong, wrong)
    assert counted["whole"] == (missing == wrong == 0)
    warned = count(CASE, {**answer, "logged": ["tool: a chunk was left out"]}, answer)
    assert (warned["noticed"], warned["silent"]) == (missing > 0, 0)


def test_a_cut_answer_breaks_off_and_says_so() -> None:
    made = reply(CASE, "cut off", PROMPTS["plain"].format(TEXT))
    assert made.stop_reason == "length"
    with pytest.raises(ValueError):
        json.loads(made.text)
    short = reply(CASE, "cut off", PROMPTS["plain"].format(TEXT.splitlines()[0]))
    assert (short.stop_reason, len(records_in(short.text))) == ("end", 1)


def test_the_server_counts_calls_by_tool_page_and_fault() -> None:
    with StandIn([CASE]) as server:
        body = {"messages": [{"role": "user", "content": PROMPTS["plain"].format(TEXT)}]}
        address = f"{server.base_url('tool', 0, FAULT_NAMES.index('right'))}/chat/completions"
        answer = httpx.post(address, json=body, trust_env=False).json()
        assert len(records_in(answer["choices"][0]["message"]["content"])) == len(RECORDS)
        assert server.counts["tool", 0, 0, "calls"] == 1


def test_no_page_of_the_measurement_states_the_invented_field() -> None:
    for case in find_cases("layouts")[::5]:
        made = given_by(case, "an invented field")
        assert not any(case.text.states(one[INVENTED]) for one in made if one)
