"""What happens to one chunk when a call goes wrong: every branch, with a model that reads the prompt's page text."""

import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from gleaner.budget.guard import BudgetGuard, Cap, MemoryLedger
from gleaner.budget.prices import Price
from gleaner.chunking import chunk_markdown_by_structure
from gleaner.completeness.ledger import number_units
from gleaner.contracts.errors import BudgetExceeded, ModelMisconfigured, ModelRefused, ModelTimeout, RateLimited
from gleaner.contracts.models import ExtractionConfig, ExtractionRetryConfig
from gleaner.contracts.ports import ModelAnswer, ModelRequest
from gleaner.extraction import CallLimits, ChunkExtractionResult, chunk_tasks, extract_chunk, shapes
from gleaner.extraction.agent import MemoryCache
from gleaner.page.model import Part
from gleaner.schemas import Violation, violations
from gleaner.testing import FunctionModel
from gleaner.units.markdown_units import find_markdown_units

from tests.support.schemas import TEXT, object_of

ROWS = [(f"Lamp {number:02}", round(3 + number * 1.37, 2)) for number in range(30)]
PAGE = (
    "# Shop\n\n| Name | Price |\n| --- | --- |\n" + "\n".join(f"| {name} | ${price} |" for name, price in ROWS) + "\n"
)
ITEM = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "price": {"type": "number"}},
    "required": ["name", "price"],
    "additionalProperties": False,
}
SCHEMA = {"type": "array", "items": ITEM}
EXPECTED = [{"name": name, "price": price} for name, price in ROWS]

TOWNS = "".join(f"In {1900 + n} the town of Alder{n} was founded by its people.\n\n" for n in range(30))
TOWN = {"type": "array", "items": {"type": "object", "properties": {"town": {"type": "string"}}}}

Script = Callable[[int, str], str]


def table_task(page: str = PAGE, schema: object = SCHEMA, **fields: object) -> Part:
    [chunk] = chunk_markdown_by_structure(page)
    [task] = chunk_tasks([chunk], find_markdown_units(page), query="all products", schema=schema)  # type: ignore[arg-type]
    return task


def rows_shown(prompt: str) -> list[dict[str, str]]:
    """Read the rows of the page text, as a model would: with prices as the page writes them."""
    page = prompt[prompt.index("<<<PAGE") :]
    return [{"name": name, "price": price} for name, price in re.findall(r"^\| (Lamp \d+) \| (\S+) \|$", page, re.M)]


class Scripted:
    """A model that answers by its script: ``fn(call number from 0, prompt)``."""

    name = "function:scripted"

    def __init__(self, fn: Script, stop: Callable[[int], str] = lambda _: "end") -> None:
        self.fn, self.stop, self.prompts = fn, stop, list[str]()

    def answer(self, request: ModelRequest) -> ModelAnswer:
        self.prompts.append(request.prompt)
        number = len(self.prompts) - 1
        text = self.fn(number, request.prompt)
        return ModelAnswer(text, 100, 10, self.stop(number))  # type: ignore[arg-type]


def fair(prompt: str) -> str:
    return json.dumps({"data": rows_shown(prompt), "skipped": []})


def run(fn: Script, task: Part | None = None, **options: object) -> tuple[ChunkExtractionResult, Scripted]:
    stop = options.pop("stop", lambda _: "end")
    model = Scripted(fn, stop)  # type: ignore[arg-type]
    return extract_chunk(task or table_task(), model, **options), model  # type: ignore[arg-type]


def raising(error: Exception) -> str:
    raise error


def kinds(result: ChunkExtractionResult) -> list[str]:
    return [error.error_type for error in result.errors]


@pytest.mark.req("EX-3")
def test_a_sound_answer_takes_one_call() -> None:
    result, model = run(lambda _, prompt: fair(prompt))
    assert result.data == EXPECTED
    assert result.is_complete
    assert (len(model.prompts), result.retries, result.usage.calls) == (1, 0, 1)
    assert [PAGE[start:end] for start, end in result.record_spans[:1]] == ["| Lamp 00 | $3.0 |"]  # type: ignore[misc]


BARE = {
    "a bare list": json.dumps,
    "a fenced list": lambda rows: f"Here you are:\n```json\n{json.dumps(rows)}\n```\nDone.",
    "Python": repr,
    "JSON lines": lambda rows: "\n".join(json.dumps(row) for row in rows),
    "an object around it": lambda rows: json.dumps({"products": rows}),
    "an envelope around that": lambda rows: json.dumps({"data": {"items": rows}}),
    "another name for the data beside what was skipped": lambda rows: json.dumps({"records": rows, "skipped": []}),
    "a list in prose with brackets": lambda rows: f"In {{the text}} there is: {json.dumps(rows)} {{end}}",
    "more fields than asked for": lambda rows: json.dumps([{**row, "extra": 1} for row in rows]),
    "trailing commas": lambda rows: json.dumps(rows).replace("}]", "},]"),
    "names in capitals": lambda rows: json.dumps(
        [{name.upper(): value for name, value in row.items()} for row in rows]
    ),
    "JSON in quotes": lambda rows: json.dumps({"data": json.dumps(rows)}),
    "records in quotes": lambda rows: json.dumps([json.dumps(row) for row in rows]),
}


@pytest.mark.req("LB-2")
@pytest.mark.parametrize("name", BARE)
def test_answers_of_any_form_are_taken_without_asking_again(name: str) -> None:
    result, model = run(lambda _, prompt: BARE[name](rows_shown(prompt)))
    assert result.data == EXPECTED
    assert len(model.prompts) == 1


@pytest.mark.req("LB-2")
def test_a_bare_list_is_taken_where_the_schema_wraps_it() -> None:
    wrapped = object_of("products", products=SCHEMA, shop=TEXT)
    result, _ = run(lambda _, prompt: json.dumps(rows_shown(prompt)), table_task(schema=wrapped))
    assert result.data == {"products": EXPECTED}
    for written in (list, json.dumps, lambda rows: {str(number): row for number, row in enumerate(rows)}):  # type: ignore[var-annotated]
        result, model = run(
            lambda _, prompt, written=written: json.dumps({"shop": "Shop", "products": written(rows_shown(prompt))}),
            table_task(schema=wrapped),
        )
        assert (result.data, len(model.prompts)) == ({"shop": "Shop", "products": EXPECTED}, 1)


@pytest.mark.req("LB-2")
def test_a_schema_with_a_property_named_data_is_told_from_the_envelope() -> None:
    schema = {"type": "object", "properties": {"data": {"type": "string"}}, "required": ["data"]}
    task = Part("The code is A7.", schema=schema)
    for answer in ({"data": "A7"}, {"data": {"data": "A7"}}, {"data": {"data": "A7"}, "skipped": []}):
        result, _ = run(lambda _, __, answer=answer: json.dumps(answer), task)
        assert result.data == {"data": "A7"}


# Validation


@pytest.mark.req("EX-4")
def test_only_the_record_that_the_schema_refuses_is_asked_for_again_with_its_errors() -> None:
    def script(number: int, prompt: str) -> str:
        rows = rows_shown(prompt)
        return json.dumps(
            [{**row, "price": "on request"} if number == 0 and row["name"] == "Lamp 07" else row for row in rows]
        )

    result, model = run(script)
    assert result.data == EXPECTED
    assert result.is_complete
    assert result.retries == 1
    assert [row["name"] for row in rows_shown(model.prompts[1])] == ["Lamp 07"]
    assert "/price" in model.prompts[1]
    assert "refused" in model.prompts[1]


@pytest.mark.req("EX-4")
def test_a_record_refused_each_time_is_an_error_and_the_others_stay() -> None:
    def script(_: int, prompt: str) -> str:
        return json.dumps([{**row, "price": "ask"} if row["name"] == "Lamp 07" else row for row in rows_shown(prompt)])

    result, model = run(script, config=ExtractionConfig(max_retries_per_chunk=2))
    assert len(model.prompts) == 2
    assert len(result.data) == 29
    assert kinds(result) == ["validation_error", "missing_units"]
    assert [unit.text for unit in result.missing] == ["| Lamp 07 | $12.59 |"]


@pytest.mark.req("EX-1", "EX-4")
def test_a_bad_optional_field_does_not_cost_its_record() -> None:
    schema = {"type": "array", "items": {**ITEM, "required": ["name"]}}

    def script(_: int, prompt: str) -> str:
        return json.dumps([{**row, "price": "ask"} if row["name"] == "Lamp 07" else row for row in rows_shown(prompt)])

    result, _ = run(script, table_task(schema=schema))
    assert {"name": "Lamp 07"} in result.data
    assert result.is_complete
    assert any("/price" in warning for warning in result.warnings)


@pytest.mark.req("EX-4")
@pytest.mark.parametrize(
    "rule", [{"dependentRequired": {"price": ["currency"]}}, {"not": {"required": ["price"]}}, {"maxProperties": 1}]
)
def test_a_rule_about_a_whole_record_costs_the_optional_field_that_breaks_it(rule: dict[str, object]) -> None:
    item = {**ITEM, "required": ["name"], "additionalProperties": True, **rule}
    result, _ = run(lambda _, prompt: fair(prompt), table_task(schema={"type": "array", "items": item}))
    assert result.data == [{"name": row["name"]} for row in EXPECTED]
    assert any("dropped" in warning for warning in result.warnings)


@pytest.mark.req("EX-4")
def test_prose_in_place_of_json_is_asked_for_again_more_strictly() -> None:
    result, model = run(lambda number, prompt: "I would say lamps." if number == 0 else fair(prompt))
    assert result.data == EXPECTED
    assert "one JSON value" in model.prompts[1]


@pytest.mark.req("EX-4")
def test_a_model_that_never_gives_json_is_an_error_after_bounded_calls() -> None:
    result, model = run(lambda *_: "I would say lamps.", config=ExtractionConfig(max_retries_per_chunk=3))
    assert len(model.prompts) == 4
    assert result.data == []
    assert "validation_error" in kinds(result)
    assert result.errors[0].retries_exhausted
    assert len(result.missing) == 30


CUT_OFF = '[{"town": "Ald'


@pytest.mark.req("EX-4")
@pytest.mark.parametrize(
    ("setting", "answer", "stop"),
    [
        ("on_validation_error", lambda *_: "prose", "end"),
        ("on_empty", lambda *_: "", "end"),
        ("split_on_timeout", lambda *_: raising(ModelTimeout("slow")), "end"),
        ("split_on_length", lambda *_: CUT_OFF, "length"),
    ],
)
def test_each_way_to_ask_again_can_be_switched_off(setting: str, answer: Script, stop: str) -> None:
    calls: list[int] = []
    for is_on in (True, False):
        config = ExtractionConfig(retry=ExtractionRetryConfig(**{setting: is_on}))
        task = Part(TOWNS, schema=TOWN)
        result, model = run(answer, task, config=config, stop=lambda _: stop)
        calls.append(len(model.prompts))
        assert result.errors
    assert calls[0] > calls[1] == 1


@pytest.mark.req("EX-4")
def test_a_chunk_whose_answer_is_cut_before_its_first_record_is_split_in_half() -> None:
    def script(_: int, prompt: str) -> str:
        towns = re.findall(r"town of (Alder\d+)", prompt[prompt.index("<<<PAGE") :])
        return CUT_OFF if len(towns) > 20 else json.dumps([{"town": town} for town in towns])

    result, model = run(script, Part(TOWNS, schema=TOWN), stop=lambda number: "length" if number == 0 else "end")
    assert [record["town"] for record in result.data] == [f"Alder{n}" for n in range(30)]
    assert len(model.prompts) == 3
    assert not result.errors


# Empty answers


@pytest.mark.req("EX-4")
@pytest.mark.parametrize("empty", ["[]", "", '{"data": []}', '{"data": null}', "{}"])
def test_an_empty_answer_is_asked_for_again_with_a_hint(empty: str) -> None:
    result, model = run(lambda number, prompt: empty if number == 0 else fair(prompt))
    assert result.data == EXPECTED
    assert result.retries == 1
    assert "empty" in model.prompts[1]


@pytest.mark.req("EX-4")
def test_prose_without_units_may_hold_nothing() -> None:
    result, model = run(lambda *_: "[]", Part("Nothing is for sale today.", schema=SCHEMA))
    assert result.data == []
    assert result.is_complete
    assert len(model.prompts) == 1


TWO_DESKS = PAGE.replace("| Lamp 01 |", "| Desk 01 |").replace("| Lamp 02 |", "| Desk 02 |")


@pytest.mark.req("EX-6")
def test_units_skipped_on_purpose_are_not_asked_for_again() -> None:
    def script(_: int, prompt: str) -> str:
        return json.dumps({"data": rows_shown(prompt)[:10], "skipped": list(range(10, 30))})

    result, model = run(script, replace(table_task(), query="the ten cheapest lamps"))
    assert (len(model.prompts), len(result.answered), result.skipped) == (1, 10, list(range(10, 30)))
    assert result.is_complete


@pytest.mark.req("EX-6", "CM-1")
def test_rows_like_the_others_that_are_passed_over_are_named_and_not_asked_about_again() -> None:
    def script(_: int, prompt: str) -> str:
        numbers = re.findall(r"^\[#(\d+)\]$", prompt, re.M)
        return json.dumps({"data": rows_shown(prompt)[:10] if len(numbers) == 30 else [], "skipped": numbers[-20:]})

    result, model = run(script)
    assert (len(model.prompts), [unit.unit for unit in result.missing]) == (1, list(range(10, 30)))


@pytest.mark.req("EX-6", "CM-1")
@pytest.mark.parametrize(
    ("query", "is_complete"),
    [
        ("all lighthouses with their year", False),
        ("alle Leuchttürme", False),
        ("lighthouses on the coast", True),
        ("red lighthouses", True),
        ("the newest", True),
        ("lamps", False),
        ("desks", False),
    ],
)
def test_a_word_for_what_is_asked_for_leaves_out_no_row_like_those_that_came(query: str, is_complete: bool) -> None:
    def script(_: int, prompt: str) -> str:
        shown = re.findall(r"^\| (\w+ \d+) \| (\S+) \|$", prompt, re.M)
        return json.dumps({"data": [{"name": n, "price": p} for n, p in shown if n != "Lamp 04"], "skipped": [4]})

    result, _ = run(script, replace(table_task(TWO_DESKS), query=query))
    assert result.is_complete == is_complete


@pytest.mark.req("EX-6", "CM-1")
def test_a_word_that_stands_in_all_rows_that_came_and_in_no_other_may_leave_these_out() -> None:
    def script(_: int, prompt: str) -> str:
        shown = re.findall(r"^\| (\w+ \d+) \| (\S+) \|$", prompt, re.M)
        desks = [{"name": n, "price": p} for n, p in shown if n.startswith("Desk")]
        return json.dumps({"data": desks, "skipped": [0, *range(3, 30)]})

    result, _ = run(script, replace(table_task(TWO_DESKS), query="desks"))
    assert (result.is_complete, len(result.answered)) == (True, 2)


@pytest.mark.req("CM-1")
@pytest.mark.parametrize(
    ("row", "is_complete"),
    [
        ("| Total | $612.40 |", True),
        ("| Sponsored | $3.10 |", True),
        ("| New in | |", True),
        ("| Lamp 99 | $9.10 |", False),
    ],
)
def test_rows_that_are_no_records_by_their_looks_may_be_passed_over(row: str, is_complete: bool) -> None:
    def script(_: int, prompt: str) -> str:
        rows = [record for record in rows_shown(prompt) if record["name"] != "Lamp 99"]
        return json.dumps({"data": rows, "skipped": [30]})

    result, _ = run(script, table_task(PAGE + row + "\n"))
    assert result.is_complete == is_complete


@pytest.mark.req("CM-1")
@pytest.mark.parametrize(("query", "is_complete"), [("all lamps", False), (None, False), ("all the chairs", True)])
def test_that_no_row_holds_a_record_is_believed_only_where_something_else_was_asked_for(
    query: str | None, is_complete: bool
) -> None:
    page = PAGE.replace("# Shop", "# Lamps")
    result, model = run(
        lambda *_: json.dumps({"data": [], "skipped": list(range(30))}), replace(table_task(page), query=query)
    )
    assert (result.is_complete, len(model.prompts)) == (is_complete, 1)


# Timeouts and cuts


@pytest.mark.req("EX-4", "EX-9")
def test_a_chunk_that_times_out_is_split_in_half() -> None:
    result, model = run(lambda number, prompt: raising(ModelTimeout("slow")) if number == 0 else fair(prompt))
    assert result.data == EXPECTED
    assert result.is_complete
    sizes = [len(rows_shown(prompt)) for prompt in model.prompts]
    assert sizes[0] == sum(sizes[1:]) == 30
    assert max(sizes[1:]) < 20
    assert result.usage.calls == 3  # the one that timed out was read, and is paid for
    assert all("| --- |" in prompt for prompt in model.prompts)


@pytest.mark.req("EX-9", "EX-4", "EX-5")
@pytest.mark.parametrize("schema", [TOWN["items"], TOWN], ids=["object", "list"])
@pytest.mark.parametrize("stop", [BudgetExceeded("max_tokens"), ModelRefused("no"), RateLimited("slow down")])
def test_what_an_answer_gave_is_kept_when_asking_again_is_not_allowed(schema: object, stop: Exception) -> None:
    fields = {"town": {"type": "string"}, "founded": {"type": "integer"}}
    schema = json.loads(json.dumps(schema).replace(json.dumps(TOWN["items"]["properties"]), json.dumps(fields)))
    found = {"town": "Alder1", "founded": "long ago"}
    answer = json.dumps([found] if schema["type"] == "array" else found)
    result, model = run(
        lambda number, _: raising(stop) if number else answer,
        Part("In 1901 the town of Alder1 was founded.", schema=schema),
        raises_transient=False,
    )
    assert len(model.prompts) == 2
    kept = {"town": "Alder1"}
    assert result.data == ([kept] if schema["type"] == "array" else kept)
    assert [error.fallback_used for error in result.errors] == [True]


@pytest.mark.req("EX-4")
def test_splitting_is_bounded_and_ends_in_an_error() -> None:
    result, model = run(lambda *_: raising(TimeoutError("socket")), config=ExtractionConfig(max_retries_per_chunk=1))
    assert len(model.prompts) == 3
    assert "model_timeout" in kinds(result)
    assert result.data == []


@pytest.mark.req("EX-5")
def test_the_half_that_answers_is_kept_when_the_other_does_not() -> None:
    def script(_: int, prompt: str) -> str:
        return raising(ModelTimeout("slow")) if "Lamp 03" in prompt else fair(prompt)

    result, _ = run(script)
    assert 0 < len(result.data) < 30
    assert "model_timeout" in kinds(result)
    assert {unit.text.split()[2] for unit in result.missing} >= {"03"}


@pytest.mark.req("EX-4")
def test_a_cut_answer_keeps_its_complete_records_and_only_the_rest_is_asked_for() -> None:
    def script(number: int, prompt: str) -> str:
        return fair(prompt)[:500] if number == 0 else fair(prompt)

    result, model = run(script, stop=lambda number: "length" if number == 0 else "end")
    assert result.data == EXPECTED
    assert result.is_complete
    rest = [row["name"] for prompt in model.prompts[1:] for row in rows_shown(prompt)]
    assert 0 < len(rest) < 30
    assert rest == [name for name, _ in ROWS][-len(rest) :]


@pytest.mark.req("EX-4")
def test_an_output_limit_of_a_few_records_still_gives_all_of_them() -> None:
    result, model = run(lambda _, prompt: fair(prompt)[:200], stop=lambda _: "length")
    assert result.data == EXPECTED
    assert len(model.prompts) < 20


@pytest.mark.req("EX-4")
def test_a_cut_answer_about_prose_goes_on_behind_its_last_record() -> None:
    text = "".join(f"In {1900 + n} the town of Alder{n} was founded by its people.\n\n" for n in range(40))
    schema = {"type": "array", "items": {"type": "object", "properties": {"town": {"type": "string"}}}}

    def script(_: int, prompt: str) -> str:
        page = prompt[prompt.index("<<<PAGE") :]
        return json.dumps([{"town": town} for town in re.findall(r"town of (Alder\d+)", page)])[:300]

    result, model = run(script, Part(text, schema=schema), stop=lambda _: "length")
    assert [record["town"] for record in result.data] == [f"Alder{n}" for n in range(40)]
    assert len(model.prompts) < 12


# Providers


@pytest.mark.req("EX-4")
def test_a_rate_limit_goes_to_the_state_machine_and_what_was_paid_for_is_not_asked_again() -> None:
    paid, task = MemoryCache(), table_task()
    prompts: list[str] = []

    def script(number: int, prompt: str) -> str:
        prompts.append(prompt)
        return json.dumps(rows_shown(prompt)[:25]) if number == 0 else raising(RateLimited("slow down"))

    with pytest.raises(RateLimited):
        run(script, task, resume=paid)
    result, model = run(lambda _, prompt: fair(prompt), task, resume=paid)
    assert result.data == EXPECTED
    assert len(model.prompts) == 1
    assert len(rows_shown(model.prompts[0])) == 5
    assert result.usage.calls == 2


@pytest.mark.req("EX-5")
@pytest.mark.parametrize("error", [ModelRefused("no"), ModelMisconfigured("no such model")])
def test_a_refusal_is_an_error_of_the_chunk_and_not_tried_again(error: Exception) -> None:
    result, model = run(lambda *_: raising(error))
    assert len(model.prompts) == 1
    assert kinds(result)[0] in ("model_refused", "model_misconfigured")


# Budget


@pytest.mark.req("EX-9")
def test_no_tokens_means_no_call() -> None:
    guard = BudgetGuard((Cap(MemoryLedger(), max_tokens=0),))
    result, model = run(lambda _, prompt: fair(prompt), guard=guard)
    assert model.prompts == []
    assert kinds(result)[0] == "budget_exceeded"


@pytest.mark.req("EX-9")
def test_a_spent_budget_keeps_what_was_found() -> None:
    price, first_20 = Price(1_000, 1_000), lambda prompt: json.dumps(rows_shown(prompt)[:20])
    once = extract_chunk(table_task(), FunctionModel(first_20), config=ExtractionConfig(max_retries_per_chunk=0))
    enough = price.cost(once.usage.input_tokens, once.usage.output_tokens) + 0.05
    guard = BudgetGuard((Cap(MemoryLedger(), max_usd=enough),), price)
    model = FunctionModel(first_20)
    result = extract_chunk(table_task(), model, guard=guard)
    assert len(model.prompts) == 1
    assert len(result.data) == 20
    assert kinds(result) == ["budget_exceeded", "missing_units"]
    assert result.usage.usd == pytest.approx(price.cost(result.usage.input_tokens, result.usage.output_tokens))


@pytest.mark.req("EX-9")
def test_usage_counts_calls_tokens_and_dollars() -> None:
    result, _ = run(lambda number, prompt: "" if number == 0 else fair(prompt), guard=BudgetGuard(price=Price(10, 100)))
    assert (result.usage.calls, result.usage.input_tokens, result.usage.output_tokens) == (2, 200, 20)
    assert result.usage.usd == pytest.approx(0.004)


def test_the_limits_of_a_call_reach_the_model() -> None:
    seen: list[ModelRequest] = []

    class Watching:
        def answer(self, request: ModelRequest) -> ModelAnswer:
            seen.append(request)
            return ModelAnswer(fair(request.prompt))

    result = extract_chunk(table_task(), Watching(), limits=CallLimits(max_output_tokens=77, timeout_s=3))
    assert (seen[0].max_output_tokens, seen[0].timeout_s) == (77, 3)
    assert result.usage.usd is None


# Cache


@pytest.mark.req("EX-8", "EX-9")
def test_an_unchanged_chunk_costs_no_call_wherever_it_stands_now() -> None:
    cache, intro = MemoryCache(), "Some more words that stand before it now.\n\n"
    run(lambda _, prompt: fair(prompt), cache=cache)
    moved = Part(
        PAGE,
        structural_context="Shop (rows 1-30 of 99)",
        start_char=len(intro),
        schema=SCHEMA,
        query="all products",
        units=number_units(find_markdown_units(intro + PAGE)),
    )
    result, model = run(lambda *_: raising(AssertionError("asked")), moved, cache=cache)
    assert model.prompts == []
    assert result.data == EXPECTED
    assert (result.usage.calls, result.usage.cache_hits, result.cached) == (0, 1, True)
    start, end = result.record_spans[3]  # type: ignore[misc]
    assert (intro + PAGE)[start:end] == "| Lamp 03 | $7.11 |"


@pytest.mark.req("EX-8")
@pytest.mark.parametrize(
    "change",
    ["content", "query", "schema", "model", "prompt version", "ungrounded", "overlap_prefix", "total_chunks", "units"],
)
def test_whatever_changes_the_answer_misses_the_cache(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = MemoryCache()
    run(lambda _, prompt: fair(prompt), cache=cache)
    page = PAGE.replace("Lamp 29", "Lamp 98") if change == "content" else PAGE
    schema = {**SCHEMA, "minItems": 1} if change == "schema" else SCHEMA
    task = table_task(page, schema)
    others = {"query": "cheap ones", "overlap_prefix": "| Name | Price |", "total_chunks": 2, "units": task.units[1:]}
    if change in others:
        task = replace(task, **{change: others[change]})  # type: ignore[arg-type]
    if change == "prompt version":
        monkeypatch.setattr("gleaner.extraction.chunk_cache.PROMPT_VERSION", "another")
    model = Scripted(lambda _, prompt: fair(prompt))
    model.name = "function:other" if change == "model" else model.name
    config = ExtractionConfig(ungrounded="flag") if change == "ungrounded" else None
    extract_chunk(task, model, cache=cache, config=config)
    assert len(model.prompts) == 1


@pytest.mark.req("EX-8")
def test_an_incomplete_result_is_not_cached() -> None:
    cache = MemoryCache()
    run(lambda *_: "[]", cache=cache)
    result, _ = run(lambda _, prompt: fair(prompt), cache=cache)
    assert result.data == EXPECTED


@pytest.mark.req("MG-2")
def test_the_same_inputs_give_the_same_bytes() -> None:
    def script(_: int, prompt: str) -> str:
        return json.dumps([row for row in rows_shown(prompt) if row["name"] != "Lamp 04" or "Lamp 05" not in prompt])

    first, second = run(script)[0], run(script)[0]
    assert first.model_dump_json() == second.model_dump_json()
    assert ChunkExtractionResult.model_validate_json(first.model_dump_json()) == first


@pytest.mark.req("EX-4")
def test_one_thing_whose_json_breaks_off_is_asked_about_again_and_never_complete() -> None:
    thing = {"type": "object", "properties": {"shop": {"type": "string"}, "price": {"type": "number"}}}
    whole = '{"shop": "Shop", "price": 4.37}'
    task = table_task(schema=thing)
    model = Scripted(lambda number, _: whole if number else whole[:-8])
    mended = extract_chunk(task, model)
    assert (mended.data, mended.errors) == (json.loads(whole), [])
    assert len(model.prompts) > 1
    stubborn = extract_chunk(task, Scripted(lambda _, __: whole[:-8]))
    assert stubborn.data == {"shop": "Shop"}
    assert {error.error_type for error in stubborn.errors} == {"output_cut"}


@pytest.mark.req("EX-4")
def test_a_list_of_thousands_of_nulls_costs_no_record_and_is_looked_at_a_few_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[object] = []

    def look(schema: object, value: object) -> list[Violation]:
        looked.append(value)
        assert len(looked) < 100
        return violations(schema, value)  # type: ignore[arg-type]

    monkeypatch.setattr(shapes, "violations", look)
    tags = {"type": "array", "items": TEXT}
    item = {**ITEM, "properties": {"name": TEXT, "price": {"type": "number"}, "tags": tags}}
    rows = [{"name": name, "price": price, "tags": [None] * 1_200} for name, price in ROWS[:2]]
    result, _ = run(lambda _, prompt: json.dumps(rows), table_task(schema={"type": "array", "items": item}))
    assert result.data == [{**one, "tags": []} for one in EXPECTED[:2]]
