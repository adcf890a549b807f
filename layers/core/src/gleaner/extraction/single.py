"""The readers of chunks that hold no list of records: one object (or scalar), and answers in words."""

from typing import Any

from gleaner.answers import UnreadableAnswer, read_answer
from gleaner.extraction.pieces import Piece, show
from gleaner.extraction.recovery import Verdict
from gleaner.extraction.shapes import Checked, check, mend, unwrap
from gleaner.extraction.tasks import ChunkTask
from gleaner.merging import ChunkOutcome, merge
from gleaner.ports import JsonValue, ModelAnswer
from gleaner.prompts import Question
from gleaner.schemas import declared_types, relax


class TextReader:
    """Keeps answers in words, piece by piece (EX-1)."""

    def __init__(self, task: ChunkTask) -> None:
        self.task = task
        self.texts: list[str] = []
        self.warnings: list[str] = []

    def question(self, piece: Piece, complaints: tuple[str, ...], *, was_empty: bool) -> Question:
        """Give the question about a piece."""
        text, _ = show(self.task, piece)
        return Question(
            page=text,
            query=self.task.query,
            before=piece.before,
            place=piece.place,
            is_part=self.task.total_chunks > 1,
            complaints=complaints,
            was_empty=was_empty,
        )

    def read(self, piece: Piece, answer: ModelAnswer) -> Verdict:
        """Keep the text; one that was cut is kept as far as it goes, with a warning."""
        del piece
        text = answer.text.strip()
        if not text:
            return Verdict("empty")
        if answer.stop_reason == "length":
            self.warnings.append(f"chunk {self.task.chunk_index}: the answer in words was cut by the output limit")
        self.texts.append(text)
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

    def __init__(self, task: ChunkTask) -> None:
        self.task = task
        self.schema: Any = task.schema
        self.is_part = task.total_chunks > 1
        self.values: list[JsonValue] = []
        self.warnings: list[str] = []
        self.best: dict[Piece, Checked] = {}

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
            is_part=self._is_part(piece),
            complaints=complaints,
            was_empty=was_empty,
        )

    def read(self, piece: Piece, answer: ModelAnswer) -> Verdict:
        """Keep a value that the schema accepts; else say what is wrong."""
        value, cut, complaint = self._value(answer)
        if complaint:
            return Verdict("cut") if cut else Verdict("invalid" if answer.text.strip() else "empty", (complaint,))
        checked = check(self.schema, value, is_part=self._is_part(piece))
        if cut:
            self._note(piece, checked)
            return Verdict("cut")
        if _is_empty(checked.value):
            return Verdict() if self._is_part(piece) else Verdict("empty")
        if checked.faults:
            self._note(piece, checked)
            return Verdict("invalid", tuple(f"{fault.pointer or '/'}: {fault.message}" for fault in checked.faults))
        self.best.pop(piece, None)
        self.values.append(checked.value)
        return Verdict()

    def settle(self, piece: Piece) -> bool:
        """Take the best answer so far without its faults; a part of a page may well hold nothing."""
        checked = self.best.pop(piece, None)
        mended = None if checked is None else mend(self.schema, checked)
        if mended is not None and not _is_empty(mended[0]):
            self.values.append(mended[0])
            self.warnings.append(
                f"chunk {self.task.chunk_index}: {', '.join(mended[1]) or 'an answer'} left out: the schema refuses it"
            )
            return True
        return checked is None and self._is_part(piece)

    @property
    def data(self) -> JsonValue:
        """The values of all pieces as one."""
        outcomes = [ChunkOutcome(self.task.chunk_index, value, (part,)) for part, value in enumerate(self.values)]
        return merge(outcomes, self.schema).data if outcomes else None

    def _is_part(self, piece: Piece) -> bool:
        return self.is_part or piece.length < len(self.task.content)

    def _note(self, piece: Piece, checked: Checked) -> None:
        known = self.best.get(piece)
        if known is None or len(checked.faults) < len(known.faults):
            self.best[piece] = checked

    def _value(self, answer: ModelAnswer) -> tuple[JsonValue, bool, str]:
        """Give the value, whether it was cut, and what is wrong if there is none."""
        types = declared_types(self.schema)
        try:
            read = read_answer(answer.text)
        except UnreadableAnswer as error:
            if types == frozenset({"string"}) and answer.text.strip():
                return answer.text.strip(), False, ""
            return None, answer.stop_reason == "length", str(error)
        value = unwrap(read.value, self.schema).data
        if isinstance(value, list) and "array" not in types and value and isinstance(value[0], dict):
            value = value[0]
        return value, answer.stop_reason == "length", ""


def _is_empty(value: JsonValue) -> bool:
    """Tell whether nothing is said: null, or an object or list of nothing but nulls and empties.

    >>> _is_empty({"name": None, "tags": []}), _is_empty({"stock": False})
    (True, False)
    """
    if isinstance(value, dict):
        return all(_is_empty(inner) for inner in value.values())
    if isinstance(value, list):
        return all(_is_empty(inner) for inner in value)
    return value is None or value == ""
