"""Models that repeat themselves until their limit: what was said before is kept, and little is asked again (EX-4)."""

import json
import re
from collections.abc import Callable

import pytest
from gleaner.chunking import chunk_markdown_by_structure
from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.ports import ModelAnswer, ModelRequest
from gleaner.extraction import ChunkExtractionResult, chunk_tasks, extract_chunk
from gleaner.extraction.loops import find_loop, without_loop
from gleaner.units.markdown_units import find_markdown_units

from tests.support.schemas import INTEGER, TEXT, list_of, object_of

BOATS = [{"boat": f"Heron {number:02}", "berth": 40 + number} for number in range(24)]
HARBOUR = "# Harbour\n\n| Boat | Berth |\n| --- | --- |\n"
LIST = HARBOUR + "".join(f"| {boat['boat']} | {boat['berth']} |\n" for boat in BOATS)
LIST_SCHEMA = list_of(object_of(boat=TEXT, berth=INTEGER))
ABOUT = "# Heron 07\n\nHull: larch. Deck: teak, cedar. Berth: 47.\n\n" + "She was built for this sound. " * 12
SCHEMA = object_of(boat=TEXT, berth=INTEGER, deck=list_of(TEXT))
LIMIT = 2_000
Looping = Callable[[str], str]


class _Looper:
    """A model whose answers go on until the limit."""

    name = "own:looper"

    def __init__(self, says: Looping, stop: str) -> None:
        self.says, self.stop, self.prompts = says, stop, list[str]()

    def answer(self, request: ModelRequest) -> ModelAnswer:
        self.prompts.append(request.prompt)
        return ModelAnswer(self.says(request.prompt)[:LIMIT], 100, 500, self.stop)  # type: ignore[arg-type]


def shown(prompt: str) -> list[str]:
    """Give the records of the page text that a prompt shows, as JSON."""
    page = prompt[prompt.index("<<<PAGE") :]
    return [json.dumps(boat) for boat in BOATS if f"| {boat['boat']} |" in page]


def listing(records: list[str], loop: str) -> str:
    return '{"data": [' + ", ".join(records) + loop * LIMIT


def ask(page: str, schema: object, says: Looping, stop: str) -> tuple[ChunkExtractionResult, _Looper]:
    model = _Looper(says, stop)
    [chunk] = chunk_markdown_by_structure(page)
    [task] = chunk_tasks([chunk], find_markdown_units(page), query="the boats", schema=schema)  # type: ignore[arg-type]
    return extract_chunk(task, model), model


FRUITLESS: dict[str, Looping] = {
    "one token": lambda _: "boat " * LIMIT,
    "one letter": lambda _: "a" * LIMIT,
    "blank lines in the list": lambda _: '{"data": [' + "\n" * LIMIT,
    "inside the first value": lambda _: '{"data": [{"boat": "' + "Heron " * LIMIT,
    "nested openers": lambda _: '{"data": ' + "[" * LIMIT,
    "prose": lambda _: "I will now list the boats of the harbour. " * LIMIT,
}


@pytest.mark.req("EX-4")
@pytest.mark.parametrize("stop", ["length", "end"])
@pytest.mark.parametrize("kind", FRUITLESS)
def test_a_model_that_says_nothing_but_a_loop_is_asked_twice(kind: str, stop: str) -> None:
    result, model = ask(LIST, LIST_SCHEMA, FRUITLESS[kind], stop)
    assert len(model.prompts) == 2
    assert "repeated itself" in model.prompts[1]
    assert "repeated itself" not in model.prompts[0]
    assert result.errors[0].error_type is ErrorType.OUTPUT_CUT
    assert len(result.missing) == len(BOATS)


GAINING: dict[str, tuple[Looping, int]] = {
    "half, then its first record": (lambda p: listing(shown(p)[: (len(shown(p)) + 1) // 2], f", {shown(p)[0]}"), 24),
    "half, then a cycle of three": (
        lambda p: listing(shown(p)[: (len(shown(p)) + 1) // 2], ", " + ", ".join(shown(p)[:3])),
        24,
    ),
    "half, then a token": (lambda p: listing(shown(p)[: (len(shown(p)) + 1) // 2], ', {"boat": "x'), 24),
    "one record": (lambda p: listing(shown(p)[:1], f", {shown(p)[0]}"), 8),
}


@pytest.mark.req("EX-4", "EX-6")
@pytest.mark.parametrize("stop", ["length", "end"])
@pytest.mark.parametrize("kind", GAINING)
def test_what_a_looping_list_gave_is_kept_once_and_the_rest_is_named(kind: str, stop: str) -> None:
    says, count = GAINING[kind]
    result, model = ask(LIST, LIST_SCHEMA, says, stop)
    assert len(model.prompts) <= 8
    assert result.data == [boat for boat in BOATS if boat in result.data]
    assert len(result.data) >= min(count, len(BOATS) - 2)
    assert len(result.data) + len(result.missing) == len(BOATS)


@pytest.mark.req("EX-4")
def test_a_record_of_elsewhere_said_without_end_is_kept_once() -> None:
    """The same first record, whatever piece of the page is asked about."""
    result, model = ask(
        LIST, LIST_SCHEMA, lambda _: listing([json.dumps(BOATS[0])], f", {json.dumps(BOATS[0])}"), "end"
    )
    assert len(model.prompts) <= 4
    assert result.data == BOATS[:1]


@pytest.mark.req("EX-4")
def test_a_loop_that_is_closed_is_an_answer_with_twins() -> None:
    def says(prompt: str) -> str:
        return json.dumps({"data": BOATS[:3] * 5 + BOATS[3:], "skipped": []}) if len(prompt) else ""

    result, model = ask(LIST, LIST_SCHEMA, says, "end")
    assert len(model.prompts) == 1
    assert result.data == BOATS


@pytest.mark.req("EX-4", "MG-1")
def test_twins_that_the_page_shows_are_no_loop() -> None:
    page = HARBOUR + "| Heron | 7 |\n" * 40
    twin = {"boat": "Heron", "berth": 7}

    def says(prompt: str) -> str:
        rows = prompt[prompt.index("<<<PAGE") :].count("| Heron | 7 |")
        return json.dumps({"data": [twin] * rows, "skipped": []})

    result, model = ask(page, LIST_SCHEMA, says, "length")
    assert result.data == [twin] * 40
    assert len(model.prompts) == 1


OBJECTS: dict[str, tuple[str, object, int]] = {
    "the object again": ('{"data": {"boat": "Heron 07", "berth": 47}}\n' * 90, {"boat": "Heron 07", "berth": 47}, 1),
    "inside an inner list": (
        '{"data": {"boat": "Heron 07", "deck": ["teak", "cedar"' + ', "teak", "cedar"' * 200,
        {"boat": "Heron 07", "deck": ["teak", "cedar"]},
        2,
    ),
    "a last field": (
        '{"data": {"boat": "Heron 07", "berth": 47' + ', "note": null' * 300,
        {"boat": "Heron 07", "berth": 47},
        2,
    ),
    "a token": ('{"data": {"boat": "Heron' + " Heron" * 400, None, 2),
}


@pytest.mark.req("EX-4")
@pytest.mark.parametrize("kind", OBJECTS)
def test_of_one_thing_what_stands_before_the_loop_is_kept(kind: str) -> None:
    text, data, calls = OBJECTS[kind]
    result, model = ask(ABOUT, SCHEMA, lambda _: text, "length")
    assert len(model.prompts) == calls
    kept = {name: value for name, value in (result.data or {}).items() if value is not None} or None
    assert kept == data
    assert bool(result.errors) == (calls > 1)


@pytest.mark.req("EX-4")
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("She lies at berth 47. " * 100, "She lies at berth 47."),
        ("Her hull is of larch. " + "She lies at berth 47. " * 100, "Her hull is of larch. She lies at berth 47."),
        ("Her deck is " + "very " * 400, "Her deck is very"),
    ],
)
@pytest.mark.parametrize("stop", ["length", "end"])
def test_an_answer_in_words_says_what_it_repeats_once_and_is_told_to_be_cut(text: str, kept: str, stop: str) -> None:
    result, model = ask(ABOUT, None, lambda _: text, stop)
    assert result.data == kept
    assert [error.error_type for error in result.errors] == [ErrorType.OUTPUT_CUT]
    assert len(model.prompts) == 1


@pytest.mark.req("EX-4")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "x" * 150,
        LIST,
        "".join(f"Berth {number} is free. " for number in range(400)),
        "All is well. " * 300 + "The end.",
        json.dumps([{"n": number % 7, "m": number} for number in range(500)]),
        "ab" * 40 + "cd" * 40,
    ],
)
def test_what_goes_on_or_ends_is_no_loop(text: str) -> None:
    assert find_loop(text) is None
    assert without_loop(text) == text


@pytest.mark.req("EX-4")
@pytest.mark.parametrize("unit", ["a", "ab ", "one two one two three ", ", ".join(map(str, range(40))) + "; "])
@pytest.mark.parametrize("lead", ["", "Before it: ", "one two one "])
@pytest.mark.parametrize("rest", [0, 1])
def test_the_shortest_repetition_is_found_wherever_it_is_cut(lead: str, unit: str, rest: int) -> None:
    text = lead + unit * (600 // len(unit) + 3) + unit[: len(unit) * rest // 2]
    found = find_loop(text)
    assert found is not None
    assert found[1] == len(unit)
    assert found[0] <= len(lead)
    assert re.fullmatch(re.escape(text[found[0] :][: found[1]]) + r".*", text[found[0] :], re.DOTALL)


@pytest.mark.req("EX-4", "SS-2")
def test_an_answer_of_any_length_is_looked_at_in_linear_time() -> None:
    """Half a million letters; comparing each place with all others would take hours."""
    assert find_loop("ab" * 100_000 + "c" + "ab" * 200_000) == (200_001, 2)
    assert find_loop(("a" * 60 + "b") * 4_000 + "a" * 100) is None
