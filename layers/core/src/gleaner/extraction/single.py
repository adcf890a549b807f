"""The readers of chunks that hold no list of records: one object (or scalar), and answers in words."""

from typing import Any

from gleaner.contracts.json_text import canonical
from gleaner.contracts.ports import JsonValue, ModelAnswer
from gleaner.extraction.loops import without_loop
from gleaner.extraction.own_words import in_own_words
from gleaner.extraction.pieces import Piece, links_of, show
from gleaner.extraction.prompts import Question, echoes_fence
from gleaner.extraction.recovery import Verdict
from gleaner.extraction.shapes import (
    ECHO,
    EMPTY_TEXT,
    LOSSY,
    NO_SOUND_JSON,
    Checked,
    check,
    empty_required,
    mend,
    read_sound_answer,
    says_nothing,
    unwrap,
)
from gleaner.page.model import Part
from gleaner.placing import Placing
from gleaner.results.answer_json import UnreadableAnswer
from gleaner.results.merging import ChunkOutcome, merge
from gleaner.results.refused import Refusals, left_out
from gleaner.schemas import declared_types, relax
from gleaner.values.texts.text_index import TextIndex

SEVERAL = "the answer is a list of {} different objects: give the one object that the task asks for"
"""What the model is told of a list where the schema describes one object."""

FIRST_OF_SEVERAL = (
    "chunk {}: the model gave {} different objects where the schema describes one, and the first was kept; "
    "for all of them, give the schema of a list"
)
"""What the caller is told where the model keeps to it."""


class TextReader:
    """Keeps answers in words, piece by piece (EX-1)."""

    def __init__(self, task: Part) -> None:
        self.task = task
        self.links = links_of(task)
        self.texts: list[str] = []
        self.was_cut = False

    def question(self, piece: Piece, complaints: tuple[str, ...], *, was_empty: bool) -> Question:
        """Give the question about a piece."""
        text, _ = show(self.task, piece)
        return Question(
            page=text,
            query=self.task.query,
            before=piece.before,
            place=piece.place,
            is_part=self.task.total_chunks > 1,
            links=self.links,
            complaints=complaints,
            was_empty=was_empty,
        )

    def read(self, piece: Piece, answer: ModelAnswer) -> Verdict:
        """Keep the text; one that was cut, or ends in a loop, is kept as far as it goes."""
        del piece
        text = answer.text.strip()
        if not text:
            return Verdict("empty")
        if echoes_fence(text):
            return Verdict("invalid", (ECHO,))
        kept = without_loop(text)
        self.was_cut = self.was_cut or answer.stop_reason == "length" or kept != text
        self.texts.append(kept)
        return Verdict()

    def settle(self, piece: Piece) -> bool:
        """An empty answer settles nothing."""
        del piece
        return False

    @property
    def data(self) -> str | None:
        """The answers, in page order."""
        return "\n\n".join(self.texts) if self.texts else None


class ObjectReader:
    """Keeps the instances of a schema that describes one thing, a piece's each."""

    def __init__(self, task: Part) -> None:
        self.task = task
        self.links = links_of(task)
        self.schema: Any = task.schema
        self.is_part = task.total_chunks > 1
        self.values: list[JsonValue] = []
        self.warnings: list[str] = []
        self.refused = Refusals()
        self.best: dict[Piece, Checked] = {}
        self.emptied: dict[Piece, JsonValue] = {}
        self.readable: set[Piece] = set()
        self.broken: dict[Piece, ModelAnswer] = {}
        self.placing = Placing(TextIndex(task.content), {}, self.schema)

    def question(self, piece: Piece, complaints: tuple[str, ...], *, was_empty: bool) -> Question:
        """Give the question about a piece."""
        text, _ = show(self.task, piece)
        return Question(
            page=text,
            query=self.task.query,
            schema=self.schema,
            answer_schema=relax(self.schema),
            before=piece.before,
            place=piece.place,
            hint="" if piece.ranges[0][0] else self.task.hint,
            is_part=self._is_part(piece),
            links=self.links,
            complaints=complaints,
            was_empty=was_empty,
        )

    def read(self, piece: Piece, answer: ModelAnswer) -> Verdict:
        """Keep a value that the schema accepts; else say what is wrong."""
        value, cut, complaint = self._value(piece, answer)
        if complaint:
            return Verdict("cut") if cut else Verdict("invalid" if answer.text.strip() else "empty", (complaint,))
        self.readable.add(piece)
        value = in_own_words(value, self.task.content)
        checked = check(self.schema, value, is_part=self._is_part(piece), base_url=self.task.base_url)
        if cut:
            self._note(piece, checked)
            return Verdict("cut")
        if says_nothing(checked.value):
            return Verdict() if self._is_part(piece) else Verdict("empty")
        if checked.faults:
            self._note(piece, checked)
            return Verdict("invalid", tuple(f"{fault.pointer or '/'}: {fault.message}" for fault in checked.faults))
        return self._keep(piece, checked.value)

    def _keep(self, piece: Piece, value: JsonValue) -> Verdict:
        """Keep a sound value; once, ask again where it leaves a required text empty."""
        empty = [f"{pointer}: {EMPTY_TEXT}" for pointer in empty_required(value, self.placing.views)]
        if empty and piece not in self.emptied:
            self.emptied[piece] = value
            return Verdict("invalid", tuple(empty))
        self.emptied.pop(piece, None)
        self.best.pop(piece, None)
        self.values.append(value)
        return Verdict()

    def settle(self, piece: Piece) -> bool:
        """Take the best answer so far without its faults; a part of a page may well hold nothing."""
        before = len(self.values)
        if piece in self.broken and piece not in self.readable:
            self.read(piece, self.broken[piece])
        if piece in self.emptied:
            self.values.append(self.emptied.pop(piece))
        if len(self.values) > before:
            return True
        checked = self.best.pop(piece, None)
        mended = None if checked is None else mend(self.schema, checked, is_part=self._is_part(piece))
        if checked is not None and mended is None:
            return self._keep_incomplete(checked)
        if mended is not None and not says_nothing(mended[0]):
            self._keep_mended(*mended)
            return True
        return checked is None and piece in self.readable and self._is_part(piece)

    def _keep_incomplete(self, checked: Checked) -> bool:
        """Keep what an answer holds although a required field is not there; its faults are told all the same."""
        mended = mend(self.schema, checked, is_part=True)
        if mended is not None and not says_nothing(mended[0]):
            self._keep_mended(*mended)
        return False

    def _keep_mended(self, value: JsonValue, refused: Refusals) -> None:
        """Keep an answer without what the schema refuses in it, and say what that was."""
        self.values.append(value)
        self.refused += refused
        self.warnings += left_out(refused, self.task.chunk_index)

    @property
    def data(self) -> JsonValue:
        """The values of all pieces as one."""
        outcomes = [ChunkOutcome(self.task.chunk_index, value, (part,)) for part, value in enumerate(self.values)]
        if len(outcomes) < 2:
            return self.values[0] if self.values else None
        return self._ordered(merge(outcomes, self.schema).data)

    def _ordered(self, value: JsonValue) -> JsonValue:
        if isinstance(value, list):
            return self.placing.in_page_order(value)
        return {name: self._ordered(inner) for name, inner in value.items()} if isinstance(value, dict) else value

    def _is_part(self, piece: Piece) -> bool:
        return self.is_part or piece.length < len(self.task.content)

    def _note(self, piece: Piece, checked: Checked) -> None:
        known = self.best.get(piece)
        if known is None or len(checked.faults) < len(known.faults):
            self.best[piece] = checked

    def _value(self, piece: Piece, answer: ModelAnswer) -> tuple[JsonValue, bool, str]:
        """Give the value, whether it was cut, and what is wrong if there is none."""
        types, text = declared_types(self.schema), without_loop(answer.text)
        was_cut = answer.stop_reason == "length" and text == answer.text  # once without its loop it may be whole
        try:
            read = read_sound_answer(text, self.schema)
        except UnreadableAnswer as error:
            said = text.strip()
            is_plain = bool(said) and types.isdisjoint(("object", "array")) and not echoes_fence(text)
            if is_plain and (types == frozenset({"string"}) or not check(self.schema, said).faults):
                return said, False, ""
            return None, was_cut, str(error)
        if read.lossy and not was_cut and not read.cut and piece not in self.broken:
            self.broken[piece] = answer
            return None, False, NO_SOUND_JSON
        if read.lossy:
            self.warnings.append(LOSSY.format(self.task.chunk_index))
        unwrapped = unwrap(read.value, self.schema)
        value = unwrapped.data
        if isinstance(value, list) and "array" not in types and value and isinstance(value[0], dict):
            given = _several(value)
            if len(given) > 1:
                if not (was_cut or read.cut or piece in self.broken):
                    self.broken[piece] = answer
                    return None, False, SEVERAL.format(len(given))
                if (warning := FIRST_OF_SEVERAL.format(self.task.chunk_index, len(given))) not in self.warnings:
                    self.warnings.append(warning)
            value = given[0]
        return value, was_cut or read.cut, ""


def _several(values: list[JsonValue]) -> list[JsonValue]:
    """Give the different objects of a list, without those that say nothing; the first value where none is left.

    >>> _several([{"name": None}, {"name": "Jug"}, {"name": "Jug"}, {"name": "Cup"}])
    [{'name': 'Jug'}, {'name': 'Cup'}]
    """
    told = {canonical(one): one for one in reversed(values) if isinstance(one, dict) and not says_nothing(one)}
    return [*reversed(told.values())] if told else values[:1]
