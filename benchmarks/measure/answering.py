"""A model that read the page: whatever part of it a prompt shows, it gives the records that stand there.

The yardstick's one replaying model. It knows the right answer of a page and gives it, or a wrong one in its place, as a
careful reader would: a record stands in the numbered piece that states most of it, equal records take their pieces in
turn, lists inside an object go by what a part shows of them, pieces without a record are named as skipped. It does no
harm of its own: ``measure.recorded`` compares what it says to recorded prompts with what a capable model said.
"""

import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from gleaner.contracts.ports import ModelAnswer, ModelRequest

from measure.cases import Case
from measure.comparing import Json, is_nothing, leaves, with_records
from measure.page_text import Text, words_of
from measure.shown_links import ShownLinks, with_numbers

_PAGE = re.compile(r"<<<PAGE (\w+)>>>\n(.*?)\n?<<<END \1>>>", re.DOTALL)
_SCHEMA = re.compile(r"JSON Schema of the data:\n(.*)\n")
_MARK = re.compile(r"A line (.+?) stands before each piece")
_NUMBER = re.compile(r'Begin each record with "(\w+)": N')
_PART = "This is one part of a longer page"
_ENOUGH = 0.5
"""Share of what is told of a record anywhere on the page that a piece must state to be the record's: the heads that
stand over its run of records state the rest."""

_RARE = 0.5
"""Weight of a value that at most two records have."""

Answer = Sequence[Json | None]
"""What is given for each true record: a record, or None for nothing."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of the page's text under one line of marks; ``numbers`` are those of the line."""

    numbers: tuple[int, ...]
    text: Text


@dataclass(frozen=True)
class Prompt:
    """What a prompt asks: the text it shows, its numbered pieces, the schema, the name of a record's number."""

    text: str

    @cached_property
    def page(self) -> str:
        """The page's text behind its fence."""
        found = _PAGE.search(self.text)
        return found[2] if found else self.text

    @cached_property
    def shown(self) -> Text:
        """The page's text without its marks, made ready for questions."""
        parts = [self.before, *(self.page[start:end] for _, start, end in self._runs)]
        return Text("".join(parts))

    @property
    def before(self) -> str:
        """The page's text before its first piece; all of it where there are no pieces."""
        first = self._marks[0].start() if self._marks else len(self.page)
        return self.page[:first]

    @cached_property
    def schema(self) -> Json:
        """The schema of the data; None for an answer in words."""
        found = _SCHEMA.search(self.text)
        return json.loads(found[1]) if found else None

    @property
    def is_part(self) -> bool:
        """Whether it shows a part of the page only."""
        return _PART in self.text

    @property
    def number_name(self) -> str:
        """What a record's number is called; "" where records carry none."""
        found = _NUMBER.search(self.text)
        return found[1] if found else ""

    @property
    def is_numbered(self) -> bool:
        """Whether its pieces are numbered, so that those without a record are to be named."""
        return _MARK.search(self.text) is not None

    @cached_property
    def pieces(self) -> list[Piece]:
        """The numbered pieces in order."""
        return [Piece(numbers, Text(self.page[start:end])) for numbers, start, end in self._runs]

    @cached_property
    def _marks(self) -> list[re.Match[str]]:
        """The lines of marks."""
        named = _MARK.search(self.text)
        head, _, tail = (re.escape(part) for part in named[1].partition("N")) if named else ("", "", "")
        return [*re.finditer(rf"^(?:{head}\d+{tail} ?)+$", self.page, re.MULTILINE)] if named else []

    @property
    def _runs(self) -> list[tuple[tuple[int, ...], int, int]]:
        """The numbers of each line of marks, and where the text under it begins and ends."""
        ends = [line.start() for line in self._marks[1:]] + [len(self.page)]
        return [
            (tuple(map(int, re.findall(r"\d+", line[0]))), line.end(), end)
            for line, end in zip(self._marks, ends, strict=False)
        ]


@dataclass(slots=True)
class Reader:
    """The model of one page. ``given`` is what it gives for each true record, by default the record.

    ``given_first`` is what the first call gives in its place. ``slips`` makes it number records as models do: one in
    ten not at all, one in twenty wrong. ``prompts`` holds what was asked, ``seconds`` its own processor time, ``found``
    the records that any prompt showed.
    """

    case: Case
    given: Answer | None = None
    given_first: Answer | None = None
    slips: bool = False
    name: str = "local:reader"
    prompts: list[str] = field(default_factory=list[str])
    seconds: float = 0.0
    found: set[int] = field(default_factory=set[int])
    _places: "dict[frozenset[str], Places]" = field(default_factory=dict[frozenset[str], "Places"])
    _links: ShownLinks | None = None

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """Answer in process."""
        start = time.thread_time()
        self.prompts.append(request.prompt)
        said = self.say(request.prompt)
        self.seconds += time.thread_time() - start
        return ModelAnswer(said, (len(request.system) + len(request.prompt)) // 4, len(said) // 4)

    def say(self, text: str) -> str:
        """Give the answer to a prompt."""
        self._links = self._links or ShownLinks(self.case.html, self.case.url)
        expanded, numbers = self._links.read(text)
        prompt = Prompt(expanded)
        if prompt.schema is None:
            return str(self.case.truth)
        is_first = self.given_first is not None and len(self.prompts) <= 1
        given = (self.given_first if is_first else self.given) or self.case.records
        data, skipped = self._list(prompt, given) if self.case.is_list else self._thing(prompt, given[0])
        told = {"data": _restricted(data, prompt.schema), **({"skipped": skipped} if prompt.is_numbered else {})}
        told = with_numbers(_with_numbers_first(told, prompt.number_name), numbers)
        return json.dumps(told, ensure_ascii=False)

    def _list(self, prompt: Prompt, given: Answer) -> tuple[Json, list[int]]:
        """Give the records that the prompt shows, in its order, and the pieces without any."""
        names = self._names_in(prompt.schema)
        places = self._places.get(names) or self._places.setdefault(names, Places(self.case, names))
        homes = places.find(prompt)
        self.found |= set(homes)
        records: list[Json] = []
        for at, home in sorted(homes.items(), key=lambda item: (-1 if item[1] is None else item[1], item[0])):
            if (record := given[at]) is not None:
                number = None if home is None else prompt.pieces[home].numbers[0]
                records.append({_OWN_NUMBER: self._slipped(number, len(records)), **record})
        used = {home for home in homes.values() if home is not None}
        partly = places.inner(prompt, [at for at in homes if given[at] is not None])
        skipped = [
            number
            for at, piece in enumerate(prompt.pieces)
            for number in (piece.numbers[1:] if at in used else () if at in partly else piece.numbers)
        ]
        return with_records(_around(self.case, prompt), records, self.case.steps), skipped

    def _names_in(self, schema: Json) -> frozenset[str]:
        """Give the fields of a record that a prompt asks for: what else a record has may not be shown."""
        for step in self.case.steps or ():
            schema = schema.get("properties", {}).get(step, {})
        return frozenset(schema.get("items", {}).get("properties", {}))

    def _slipped(self, number: int | None, at: int) -> int | None:
        if not self.slips or number is None:
            return number
        return None if at % 10 == 7 else number + 1 if at % 20 == 12 else number

    def _thing(self, prompt: Prompt, given: Json) -> tuple[Json, list[int]]:
        """Give an object; of a part of the page, or of its pieces, only what they state."""
        self.found.add(0)
        if given is None:
            return {}, [number for piece in prompt.pieces for number in piece.numbers]
        if not (prompt.is_part or prompt.pieces):
            return given, []
        stated = [prompt.shown.states(one) for _, one in leaves(given)]
        shown = {name: shown_of(value, self.case, prompt) for name, value in given.items()} if any(stated) else {}
        data = {name: value for name, value in shown.items() if not is_nothing(value)}
        values = [one for _, one in leaves(data)]
        skipped = [n for piece in prompt.pieces if not any(map(piece.text.states, values)) for n in piece.numbers]
        return data, skipped


_OWN_NUMBER = "\0number"


def _with_numbers_first(told: Json, name: str) -> Json:
    """Call the records' numbers what the prompt calls them; leave them out where it does not ask."""
    if isinstance(told, dict):
        renamed = {(name if key == _OWN_NUMBER else key): value for key, value in told.items()}
        renamed.pop("", None)
        return {key: _with_numbers_first(value, name) for key, value in renamed.items()}
    return [_with_numbers_first(one, name) for one in told] if isinstance(told, list) else told


def _restricted(data: Json, schema: Json) -> Json:
    """Give the data without the fields that the prompt's schema does not have: follow-ups may ask for some only."""
    if not isinstance(schema, dict):
        return data
    if isinstance(data, list) and isinstance(schema.get("items"), dict):
        return [_restricted(one, schema["items"]) for one in data]
    properties = schema.get("properties")
    if not isinstance(data, dict) or not isinstance(properties, dict):
        return data
    return {
        name: _restricted(value, properties.get(name))
        for name, value in data.items()
        if name in properties or name == _OWN_NUMBER
    }


def _around(case: Case, prompt: Prompt) -> dict[str, Json]:
    """Give what an object holds around its list of records; of a part of the page what that part shows."""
    around = {name: value for name, value in case.truth.items() if name not in case.steps} if case.steps else {}
    return {name: shown_of(value, case, prompt) if prompt.is_part else value for name, value in around.items()}


def shown_of(value: Json, case: Case, prompt: Prompt) -> Json:
    """Give a value, or those items of a list, that the prompt shows, and what stands nowhere on the page: flags."""
    if isinstance(value, list):
        return [one for one in value if _is_shown(one, case, prompt)]
    return value if _is_shown(value, case, prompt) else None


def _is_shown(value: Json, case: Case, prompt: Prompt) -> bool:
    values = [one for _, one in leaves(value)]
    stated = [one for one in values if case.text.states(one)]
    return not stated or any(map(prompt.shown.states, stated))


class Places:
    """Where the true records of a page stand, told by what the page states of them.

    ``names`` are the fields that count, by default all. A value weighs less the more records have it, and nothing when
    the page states it nowhere. The most certain pairs of
    record and piece come first; a piece holds as many records of one name as it says the name.
    """

    def __init__(self, case: Case, names: Collection[str] = ()) -> None:
        records = [{name: one for name, one in record.items() if name in names} or record for record in case.records]
        own = [_values(record, of_inner=False) for record in records]
        inner = [_values(record, of_inner=True) for record in records]
        every = [first | second for first, second in zip(own, inner, strict=True)]
        self.values: Mapping[str, Json] = {key: one for values in every for key, one in values.items()}
        times = Counter(key for values in every for key in values)
        stated = {key for key, one in self.values.items() if case.text.states(one)}
        weights = {key: 1 / times[key] for key in stated}
        self.weights, self._inner = (
            [{key: weights[key] for key in values if key in stated} for values in several] for several in (own, inner)
        )
        self.names = [_name_of([self.values[key] for key in some], some) for some in self.weights]

    def find(self, prompt: Prompt) -> dict[int, int | None]:
        """Give the place in ``prompt.pieces`` of each record that the prompt shows; None beside all of them."""
        texts = [piece.text for piece in prompt.pieces]
        homes: dict[int, int | None] = dict(self._assigned(texts))
        for record in self._assigned([Text(prompt.before)]):
            homes.setdefault(record, None)
        spread = [record for record in self._assigned([prompt.shown]) if record not in homes]
        return dict.fromkeys(spread) | homes | self._first_parts(texts, spread)

    def _first_parts(self, texts: Sequence[Text], records: Sequence[int]) -> dict[int, int]:
        """Give, for records that lie in several pieces, the first piece that states what hardly another record has."""
        found: dict[int, int] = {}
        for record in records:
            values = [self.values[key] for key, weight in self.weights[record].items() if weight >= _RARE]
            first = next((at for at, text in enumerate(texts) if any(map(text.states, values))), None)
            found |= {} if first is None else {record: first}
        return found

    def inner(self, prompt: Prompt, records: Sequence[int]) -> set[int]:
        """Give the pieces that state something of the objects inside these records which few others have."""
        rare = {key for at in records for key, weight in self._inner[at].items() if weight >= _RARE}
        values = [self.values[key] for key in rare]
        return {at for at, piece in enumerate(prompt.pieces) if any(map(piece.text.states, values))}

    def _assigned(self, texts: Sequence[Text]) -> dict[int, int]:
        """Give for each record the text that is its own, the surest first, each text as often as it has room."""
        homes: dict[int, int] = {}
        room: defaultdict[tuple[int, str], int] = defaultdict(int)
        for _, _, record, at in sorted(self._pairs(texts)):
            place = at, self.names[record]
            if record not in homes and room[place] < max(1, texts[at].count(self.names[record])):
                homes[record] = at
                room[place] += 1
        return homes

    def _pairs(self, texts: Sequence[Text]) -> Iterator[tuple[float, int, int, int]]:
        stating = {key: [at for at, text in enumerate(texts) if text.states(one)] for key, one in self.values.items()}
        for record, weights in enumerate(self.weights):
            found: defaultdict[int, float] = defaultdict(float)
            for key, weight in weights.items():
                for at in stating[key]:
                    found[at] += weight
            total = sum(weights.values())
            for at, weight in found.items():
                if weight >= _ENOUGH * total:
                    yield -weight / total, abs(record - at), record, at


def _values(record: Mapping[str, Json], *, of_inner: bool) -> dict[str, Json]:
    """Give the values of a record by what tells them apart: its own, or those of the objects in its lists.

    Objects inside a record may stand in pieces of their own, so that they do not tell where the record stands.
    """
    chosen = [value for value in record.values() if _is_inner(value) == of_inner]
    return {repr(one): one for value in chosen for _, one in leaves(value)}


def _is_inner(value: Json) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _name_of(values: Sequence[Json], weights: Mapping[str, float]) -> str:
    """Give the words that a record is known by: of what fewest records have, the longest text that is no address."""
    stated = [one for one in values if repr(one) in weights]
    texts = [one for one in stated if isinstance(one, str) and "://" not in one and not one.startswith("/")]
    words = [(weights[repr(one)], len(said), said) for one in texts or stated if (said := words_of(str(one))).strip()]
    return max(words, default=(0.0, 0, ""))[2]
