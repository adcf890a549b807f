"""Recorded answers of a small model, SmolLM2-135M, replayed: what of its many faults does Gleaner serve as complete?

Each line of ``small_model_answers.jsonl`` holds a page's Markdown, schema, truth and what the model answered. Gleaner
gets the Markdown as a page (``markdown_page``), and from its model the recorded answer, cut off where it was cut off.
Only the tier of the model runs: what tables and embedded data answer without one is measured elsewhere.

The naive way beside it is what most scripts do: the same answer, parsed as JSON and served as complete when it parses.
"""

import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from gleaner import Gleaner
from gleaner.contracts.errors import GleanerError
from gleaner.contracts.ports import ModelAnswer, ModelRequest
from gleaner.results.answer_json import UnreadableAnswer, read_answer

from measure.answering import Prompt
from measure.claims import Claims, score
from measure.comparing import leaves
from measure.markdown_page import page_of_markdown
from measure.page_text import words_of
from measure.rows import Context, Row, share

FILE = "small_model_answers.jsonl"
QUICK = 6
"""Answers of the quick subset: each takes up to half a second."""

_ENVELOPE = re.compile(r'^\s*\{\s*"records"')
_TASK = re.compile(r"(?:Extract from this web page|Task): (.+?)\.?\n")


@dataclass(frozen=True, slots=True)
class Recorded:
    """One recorded answer. ``text`` is the model's, in the envelope that Gleaner asks for."""

    id: str
    markdown: str
    schema: dict[str, Any]
    truth: Any
    query: str
    raw: str
    text: str
    was_cut: bool

    @property
    def is_list(self) -> bool:
        """Whether the answer is a list of records."""
        return self.schema.get("type") == "array"


def read_recorded(line: str) -> Recorded:
    """Read a line of the file; ValueError, LookupError or TypeError for a broken one."""
    stored = json.loads(line)
    exchange = stored["raw"][0]
    raw, schema = exchange["text"], stored["schema"]
    kinds = {"md": str, "schema": dict, "truth": dict | list}
    if wrong := [name for name, kind in kinds.items() if not isinstance(stored[name], kind)]:
        raise TypeError(f"{', '.join(wrong)}: not of the type that it should be")
    task = _TASK.match(exchange["tail"])
    return Recorded(
        id=f"{stored['id']} ({stored['way']})",
        markdown=stored["md"],
        schema=schema,
        truth=stored["truth"],
        query=task[1] if task else "all records",
        raw=raw,
        text=in_envelope(raw, is_list=schema.get("type") == "array", is_bare=stored["way"] == "naive"),
        was_cut=exchange["stop"] == "length",
    )


def in_envelope(raw: str, *, is_list: bool, is_bare: bool) -> str:
    """Give an answer in the form that Gleaner asks for.

    >>> in_envelope('{"records": [1', is_list=True, is_bare=True), in_envelope("{}", is_list=False, is_bare=True)
    ('{"data": [1', '{"data": {}}')
    """
    if not is_bare:
        return raw
    return _ENVELOPE.sub('{"data"', raw, count=1) if is_list else f'{{"data": {raw}}}'


def read_file(path: Path, context: Context) -> Iterator[Recorded]:
    """Give the recorded answers; a broken line is named in the notes."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            yield read_recorded(line)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            context.note(f"{path.name}, line {number}", error)


def answered(recorded: Recorded) -> Any:
    """Give the data of the answer: the whole records where it was cut. None where there is no JSON in it."""
    try:
        value = read_answer(recorded.text).value
    except UnreadableAnswer:
        return None
    return value.get("data") if isinstance(value, dict) else value


def naively(recorded: Recorded) -> tuple[bool, Any]:
    """Give whether the answer is JSON, and its data."""
    try:
        value = json.loads(recorded.raw)
    except ValueError:
        return False, None
    envelope = next((name for name in ("data", "records") if isinstance(value, dict) and set(value) == {name}), None)
    return True, value[envelope] if envelope else value


class RecordedModel:
    """Gives a recorded answer for whatever prompt.

    A prompt that shows a part of the page gets the records of that part, and those that the model made up. One about
    the whole page gets the answer letter by letter.
    """

    def __init__(self, recorded: Recorded) -> None:
        self.recorded = recorded
        self.name = f"recorded:{recorded.id}"
        self._page = words_of(recorded.markdown)

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """Answer one request."""
        text, stop = self._for_prompt(request.prompt)
        return ModelAnswer(text, (len(request.system) + len(request.prompt) + 3) // 4, (len(text) + 3) // 4, stop)

    def _for_prompt(self, prompt: str) -> tuple[str, Literal["end", "length"]]:
        part = words_of(Prompt(prompt).page)
        data = answered(self.recorded)
        records: list[Any] = data if isinstance(data, list) else []
        own = [one for one in records if (key := _key(one)) in part or key not in self._page]
        if len(own) == len(records):
            return self.recorded.text, "length" if self.recorded.was_cut else "end"
        return json.dumps({"data": own}, ensure_ascii=False), "end"


def _key(record: Any) -> str:
    """Give what a record is found by: its longest text."""
    return max((words_of(str(leaf)) for _, leaf in leaves(record)), key=len, default="")


@dataclass(slots=True)
class Outcome:
    """What Gleaner and the naive way made of the answers, and what the answers held."""

    gleaner: Claims
    naive: Claims
    answers: Claims


def measure_answers(recorded: Sequence[Recorded], context: Context) -> Outcome:
    """Replay the answers; what Gleaner refuses is named in the notes and counted nowhere."""
    outcome = Outcome(Claims(), Claims(), Claims())
    for number, one in enumerate(recorded):
        with tempfile.TemporaryDirectory() as home, Gleaner(RecordedModel(one), home) as gleaner:
            try:
                result = gleaner.extract_html(
                    page_of_markdown(one.markdown),
                    f"https://recorded.example/{number}",
                    query=one.query,
                    output_schema=one.schema,
                    config={"tiers": ["model"]},
                )
            except GleanerError as error:
                context.note(one.id, error)
                continue
        served = result.extraction.data if result.extraction else None
        outcome.gleaner.add(score(one.truth, served), is_complete=result.status == "complete")
        parses, data = naively(one)
        outcome.answers.add(score(one.truth, answered(one)), is_complete=False)
        outcome.naive.add(score(one.truth, data), is_complete=parses)
    return outcome


def measure(context: Context) -> list[Row]:
    """Give the suite's rows."""
    path = context.corpus / FILE if context.corpus else None
    if path is None or not path.is_file():
        return rows_of(None, f"no {FILE}: the corpus is not here")
    recorded = list(read_file(path, context))
    return rows_of(measure_answers(recorded[:QUICK] if context.quick else recorded, context))


def rows_of(outcome: Outcome | None, note: str = "") -> list[Row]:
    """Give the rows of an outcome; without a figure where nothing could be measured."""
    if outcome is None or not outcome.gleaner.answers:
        none = Outcome(Claims(), Claims(), Claims())
        return [_without_figure(row, note or "no recorded answer could be replayed") for row in _rows(none)]
    return _rows(outcome)


def _rows(outcome: Outcome) -> list[Row]:
    ours, naive, answers = outcome.gleaner, outcome.naive, outcome.answers
    broken = naive.answers - naive.claims
    claims = f"claims, {ours.answers} answers"
    naively_claimed = f"naive: {{}} of {naive.claims} claims; {broken} answers were cut off and do not parse"
    return [
        Row(
            "small_answers.false_claims",
            "Small model's answers: claimed complete with a wrong value or a missing record",
            ours.false_claims, "count", "lower", 0,
            of=f"{ours.false_claims} of {ours.claims} {claims}",
            note=naively_claimed.format(naive.false_claims),
        ),
        Row(
            "small_answers.claims_with_losses",
            "Small model's answers: claimed complete with a missing record",
            ours.claims_with_losses, "count", "lower", 0,
            of=f"{ours.claims_with_losses} of {ours.claims} {claims}",
            note=naively_claimed.format(naive.claims_with_losses),
        ),
        Row(
            "small_answers.claims_with_wrong_values",
            "Small model's answers: claimed complete with a wrong value",
            ours.claims_with_wrong_values, "count", "lower", 0,
            of=f"{ours.claims_with_wrong_values} of {ours.claims} {claims}",
            note=naively_claimed.format(naive.claims_with_wrong_values),
        ),
        Row(
            "small_answers.wrong_served",
            "Small model's answers: wrong values served",
            share(ours.wrong, answers.wrong), "%", "lower", 0.5,
            of=f"{ours.wrong} of {answers.wrong} wrong values, {ours.wrong_in_claims} of them as complete",
            note=f"naive: {naive.wrong}, all as complete",
        ),
        Row(
            "small_answers.right_kept",
            "Small model's answers: right values kept",
            share(ours.right, answers.right), "%", "higher", 2,
            of=f"{ours.right} of {answers.right} right values",
            note=f"naive: {naive.right}",
        ),
    ]  # fmt: skip


def _without_figure(row: Row, note: str) -> Row:
    return Row(row.id, row.title, None, row.unit, row.better, row.tolerance, note=note)
