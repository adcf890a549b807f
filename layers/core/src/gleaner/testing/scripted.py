"""A scripted model that knows the truth and makes chosen mistakes, by a seed.

It reads the prompt as a model would: the fenced page text, the numbered pieces, the schema's shape. It gives the
records whose evidence stands in that text, then does to them what its faults say.
"""

import json
import random
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from gleaner.contracts.errors import ModelTimeout, ModelUnavailable, RateLimited
from gleaner.contracts.ports import JsonValue, ModelAnswer, ModelRequest

_FENCE = re.compile(r"<<<PAGE (\w+)>>>\n(.*?)\n?<<<END \1>>>", re.DOTALL)
_MARK = re.compile(r"A line (.+?) stands before each piece")
_NUMBER = re.compile(r'Begin each record with "(\w+)": N')
_UNNUMBERED = 10
"""One record of so many names no piece, and one of twice as many names a wrong one: models do that."""


@dataclass(frozen=True, slots=True)
class Faults:
    """How often a scripted model goes wrong; shares between 0 and 1, each drawn with the model's seed.

    Of records: ``drop``, ``invent`` (records that the page does not hold), ``corrupt`` (one value of a record changed),
    ``repeat``, ``mistype`` (a number as text and the like). Of answers: ``cut`` (broken off in the middle, with stop
    reason length), ``break_json``, ``empty``, ``chatter`` (prose and a code fence around it). Of calls, over HTTP:
    ``rate_limit`` (429 with Retry-After), ``fail`` (500), ``stall`` (no answer for ``stall_s``).
    """

    drop: float = 0.0
    invent: float = 0.0
    corrupt: float = 0.0
    repeat: float = 0.0
    mistype: float = 0.0
    cut: float = 0.0
    break_json: float = 0.0
    empty: float = 0.0
    chatter: float = 0.0
    rate_limit: float = 0.0
    fail: float = 0.0
    stall: float = 0.0
    retry_after_s: int = 0
    stall_s: float = 30.0


@dataclass(frozen=True, slots=True)
class TrueRecord:
    """One record of the truth, and the texts that stand on the page where it does (all of them, near each other)."""

    data: JsonValue
    evidence: tuple[str, ...]


NO_ANSWER = ModelAnswer("")


@dataclass(frozen=True, slots=True)
class ScriptedReply:
    """What a scripted model does with one call."""

    kind: Literal["answer", "rate_limit", "fail", "stall"]
    answer: ModelAnswer = NO_ANSWER


@dataclass(slots=True)
class ScriptedModel:
    """Answers from the truth, with faults. A Model in itself, and what the scripted server serves.

    ``wrap`` makes an instance of the schema from a list of records (default: the list itself). ``latency_s`` is slept
    by the server, not here. ``name`` is what prices go by. ``requests`` holds what was asked, in order.
    """

    truth: Sequence[TrueRecord]
    faults: Faults = Faults()
    seed: int = 0
    wrap: Callable[[list[JsonValue]], JsonValue] | None = None
    text: str = "The page answers."
    name: str = "local:scripted"
    requests: list[ModelRequest] = field(default_factory=list[ModelRequest])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """Answer in process: the faults of calls become the errors that an adapter would raise."""
        reply = self.reply(request)
        if reply.kind == "rate_limit":
            raise RateLimited("scripted: slow down", float(self.faults.retry_after_s))
        if reply.kind == "fail":
            raise ModelUnavailable("scripted: server error")
        if reply.kind == "stall":
            raise ModelTimeout("scripted: no answer")
        return reply.answer

    def reply(self, request: ModelRequest) -> ScriptedReply:
        """Decide what becomes of one call; the draw depends on the seed and on how many calls came before."""
        with self._lock:
            self.requests.append(request)
            draw = random.Random(f"{self.seed}/{len(self.requests)}")
        for kind in ("rate_limit", "fail", "stall"):
            if draw.random() < getattr(self.faults, kind):
                return ScriptedReply(kind)
        return ScriptedReply("answer", self._answer(request, draw))

    def _answer(self, request: ModelRequest, draw: random.Random) -> ModelAnswer:
        if request.schema is None:
            return _counted(request, self.text)
        if draw.random() < self.faults.empty:
            return _counted(request, "")
        page = page_text(request.prompt)
        found = [record.data for record in records_in(page, self.truth)]
        records = numbered_records(request.prompt, page, self._spoil(found, draw), self.truth)
        data = self.wrap(records) if self.wrap else records
        skipped = skipped_pieces(request.prompt, page, self.truth)
        text = json.dumps({"data": data, "skipped": skipped} if skipped is not None else {"data": data})
        return self._deliver(request, text, draw)

    def _spoil(self, records: Sequence[JsonValue], draw: random.Random) -> list[JsonValue]:
        faults = self.faults
        spoilt: list[JsonValue] = []
        for record in records:
            if draw.random() < faults.drop:
                continue
            changed = corrupt(record, draw) if draw.random() < faults.corrupt else record
            changed = mistype(changed, draw) if draw.random() < faults.mistype else changed
            spoilt.append(changed)
            if draw.random() < faults.repeat:
                spoilt.append(changed)
            if draw.random() < faults.invent:
                spoilt.append(invent(record, draw))
        return spoilt

    def _deliver(self, request: ModelRequest, text: str, draw: random.Random) -> ModelAnswer:
        faults = self.faults
        limit = request.max_output_tokens * 4
        if draw.random() < faults.cut or len(text) > limit:
            cut = min(limit, len(text) * 2 // 3)
            return _counted(request, text[:cut], "length")
        if draw.random() < faults.break_json:
            text = text.replace("}, {", "} {", 1).replace("[{", "[{,", 1)
        if draw.random() < faults.chatter:
            text = f"Here is the data that you asked for:\n```json\n{text}\n```\nTell me if you need more."
        return _counted(request, text)


def _counted(request: ModelRequest, text: str, stop_reason: Literal["end", "length"] = "end") -> ModelAnswer:
    return ModelAnswer(text, (len(request.system) + len(request.prompt)) // 4, len(text) // 4, stop_reason)


def truth_of(records: Sequence[JsonValue], *fields: str) -> list[TrueRecord]:
    """Make the truth from records whose named fields stand on the page as they are (default: the first text field)."""
    return [TrueRecord(record, _evidence(record, fields)) for record in records]


def _evidence(record: JsonValue, fields: Sequence[str]) -> tuple[str, ...]:
    if not isinstance(record, dict):
        return (str(record),)
    named = [record.get(name) for name in fields] or [value for value in record.values() if isinstance(value, str)][:1]
    return tuple(str(value) for value in named if value is not None)


def page_text(prompt: str) -> str:
    """Give the fenced page text of a prompt; all of it when there is no fence."""
    found = _FENCE.search(prompt)
    return found[2] if found else prompt


def records_in(text: str, truth: Sequence[TrueRecord]) -> list[TrueRecord]:
    """Give the records whose evidence stands in the text, in its order; equal evidence takes its mentions in turn."""
    taken: dict[str, int] = {}
    placed: list[tuple[int, int, TrueRecord]] = []
    for number, record in enumerate(truth):
        first = record.evidence[0] if record.evidence else ""
        place = _find_whole(text, first, taken.get(first, 0)) if first else -1
        if place < 0 or not all(other in text for other in record.evidence[1:]):
            continue
        taken[first] = place + len(first)
        placed.append((place, number, record))
    return [record for _, _, record in sorted(placed, key=lambda entry: entry[:2])]


def _find_whole(text: str, wanted: str, start: int) -> int:
    place = text.find(wanted, start)
    while place >= 0:
        before, after = text[place - 1 : place], text[place + len(wanted) : place + len(wanted) + 1]
        if not (before.isalnum() and wanted[0].isalnum()) and not (after.isalnum() and wanted[-1].isalnum()):
            return place
        place = text.find(wanted, place + 1)
    return -1


def skipped_pieces(prompt: str, page: str, truth: Sequence[TrueRecord]) -> list[JsonValue] | None:
    """Give the numbers of the pieces that hold no record of the truth; None when the prompt numbers none."""
    pieces = _pieces(prompt, page)
    if pieces is None:
        return None
    return [number for number, text in pieces.items() if text.strip() and not records_in(text, truth)]


def numbered_records(
    prompt: str, page: str, records: Sequence[JsonValue], truth: Sequence[TrueRecord]
) -> list[JsonValue]:
    """Give the records with the number of their piece, where the prompt asks for it: mostly, and mostly right."""
    named, pieces = _NUMBER.search(prompt), _pieces(prompt, page)
    if named is None or not pieces:
        return list(records)
    homes: dict[str, list[int]] = {}
    for number, text in pieces.items():
        for one in records_in(text, truth):
            homes.setdefault(json.dumps(one.data), []).append(number)
    given: list[JsonValue] = []
    for at, record in enumerate(records):
        own = homes.get(json.dumps(record), [])
        home = own.pop(0) if len(own) > 1 else own[0] if own else None
        if not isinstance(record, dict) or at % _UNNUMBERED == _UNNUMBERED - 1:
            given.append(record)
        else:
            wrong = home is not None and at % (2 * _UNNUMBERED) == 2
            given.append({named[1]: home + 1 if wrong and home is not None else home, **record})
    return given


def _pieces(prompt: str, page: str) -> dict[int, str] | None:
    """Give the text of each numbered piece; None when the prompt numbers none."""
    named = _MARK.search(prompt)
    if not named:
        return None
    head, _, tail = named[1].partition("N")
    marks = list(re.compile(re.escape(head) + r"(\d+)" + re.escape(tail)).finditer(page))
    return {
        int(found[1]): page[found.end() : after.start() if after else len(page)]
        for found, after in zip(marks, [*marks[1:], None], strict=True)
    }


def corrupt(record: JsonValue, draw: random.Random) -> JsonValue:
    """Change one value of a record to something that the page does not say there."""
    if not isinstance(record, dict) or not record:
        return record
    name = draw.choice(sorted(name for name, value in record.items() if value is not None) or sorted(record))
    return {**record, name: _other(record[name], draw)}


def _other(value: JsonValue, draw: random.Random) -> JsonValue:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + draw.randint(100_001, 900_001)
    if isinstance(value, float):
        return round(value + draw.randint(100_001, 900_001) / 100, 2)
    if isinstance(value, str):
        return f"{value[: len(value) // 2]}{draw.choice(['zorb', 'quandle', 'vexil'])}{draw.randint(1000, 9999)}"
    return value


def mistype(record: JsonValue, draw: random.Random) -> JsonValue:
    """Give one number of a record as text, as models do."""
    if not isinstance(record, dict):
        return record
    numbers = sorted(name for name, value in record.items() if isinstance(value, int | float))
    if not numbers:
        return record
    name = draw.choice(numbers)
    return {**record, name: str(record[name])}


def invent(record: JsonValue, draw: random.Random) -> JsonValue:
    """Give a record like this one that is nowhere on the page."""
    if not isinstance(record, dict):
        return _other(record, draw)
    return {name: _other(value, draw) for name, value in record.items()}
