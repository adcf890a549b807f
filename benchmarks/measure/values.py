"""Values of records: which stand on a page, which are equal, and what became of them in a result."""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Json = Any
_MARKUP = re.compile(r"[\s\\*_`|#\[\]()<>~-]+")
_NUMBER = re.compile(r"[+-]?\d[\d.,' ]*\d|\d")


def folded(text: str) -> str:
    """Give a text as it is compared: compatibility forms, without case, Markdown's signs and repeated blanks.

    >>> folded("**Café**  Noir ")
    'café noir'
    """
    return _MARKUP.sub(" ", unicodedata.normalize("NFKC", text)).casefold().strip()


def leaves(value: Json, pointer: str = "") -> Iterator[tuple[str, Json]]:
    """Give the scalar leaves but nulls, by JSON Pointer."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from leaves(one, f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list):
        for at, one in enumerate(value):
            yield from leaves(one, f"{pointer}/{at}")
    elif value is not None:
        yield pointer, value


def same(one: Json, other: Json) -> bool:
    """Tell whether two scalars are equal: numbers by value, texts when folded."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= 1e-9 * max(1.0, abs(one))
    return isinstance(one, str) and isinstance(other, str) and folded(one) == folded(other)


@dataclass(frozen=True, slots=True)
class PageText:
    """A page's Markdown, folded once, to ask whether a value stands in it. Deliberately simple: texts as a run of whole
    words, numbers digit for digit after marks of thousands and decimals are unified; nothing is converted."""

    words: str
    numbers: frozenset[str]

    @classmethod
    def of(cls, markdown: str) -> "PageText":
        """Make the text ready."""
        numbers = {form for found in _NUMBER.findall(markdown) for form in _forms(found)}
        return cls(f" {folded(markdown)} ", frozenset(numbers))

    def states(self, value: Json) -> bool:
        """Tell whether a text or a number stands on the page; flags and empty texts never do."""
        if isinstance(value, bool) or value in (None, ""):
            return False
        if isinstance(value, int | float):
            return f"{value:.10g}" in self.numbers
        text = folded(value)
        if _NUMBER.fullmatch(value.strip()):
            return any(form in self.numbers for form in _forms(value.strip()))
        found = re.search(rf"(?<!\w){re.escape(text)}(?!\w)", self.words) if text else None
        return found is not None


def _forms(text: str) -> Iterator[str]:
    """Give what a written number may mean, as plain decimals."""
    plain = re.sub(r"[' ]", "", text)
    for decimal, thousands in ((".", ","), (",", ".")):
        candidate = plain.replace(thousands, "").replace(decimal, ".")
        if re.fullmatch(r"[+-]?\d+(\.\d+)?", candidate):
            yield f"{float(candidate):.10g}"


def accepted(expected: Json) -> list[Json]:
    """Give the values that an entry of a truth file takes: ``{"$any": [...]}`` takes any of them."""
    if isinstance(expected, dict) and set(expected) == {"$any"}:
        return list(expected["$any"])
    return [expected]


def first_choice(expected: Json, page: PageText | None = None) -> Json:
    """Give a truth without choices: of several, the first that stands on the page."""
    if isinstance(expected, dict):
        choices = accepted(expected)
        if choices != [expected]:
            stated = (one for one in choices if page is not None and page.states(one))
            return next(stated, choices[0])
        return {name: first_choice(one, page) for name, one in expected.items()}
    if isinstance(expected, list):
        return [first_choice(one, page) for one in expected]
    return expected


def records_of(data: Json) -> list[dict[str, Json]]:
    """Give the records of a result: of a list, of the longest list of objects in an object, else the object itself."""
    if isinstance(data, list):
        return [one for one in data if isinstance(one, dict)]
    if isinstance(data, dict):
        lists = [one for one in data.values() if isinstance(one, list) and one and isinstance(one[0], dict)]
        return max(lists, key=len, default=[data])
    return []


def key_of(record: Mapping[str, Json]) -> str:
    """Give the text that a record is known by: its longest one that is no address; of numbers alone the longest."""
    values = [one for _, one in leaves(dict(record)) if not str(one).startswith(("http://", "https://", "/"))]
    texts = [one for one in values if isinstance(one, str)] or [f"{one:g}" for one in values]
    return max((folded(one) for one in texts), key=len, default="")


@dataclass(slots=True)
class Fate:
    """What became of the right values of an answer: how many there were, which are gone, which are other ones now."""

    right: int = 0
    stated: int = 0
    nulled: list[str] = field(default_factory=list[str])
    wrong: list[str] = field(default_factory=list[str])
    records: int = 0
    lost: int = 0

    def add(self, other: "Fate") -> None:
        """Count another answer's too."""
        self.right += other.right
        self.stated += other.stated
        self.nulled += other.nulled
        self.wrong += other.wrong
        self.records += other.records
        self.lost += other.lost


def fate_of(answer: Json, result: Json, page: PageText) -> Fate:
    """Compare a result with the right answer that it was made from.

    A value of the answer that stands on the page and is missing in the result was nulled; one of the result that is not
    the answer's is wrong. Records are paired by the text they are known by, in order.
    """
    given, got = records_of(answer), records_of(result)
    fate = Fate(records=len(given))
    for number, (right, found) in enumerate(_paired(given, got)):
        values = dict(leaves(right))
        fate.right += len(values)
        stated = {pointer for pointer, value in values.items() if page.states(value)}
        fate.stated += len(stated)
        if found is None:
            fate.lost += 1
            fate.nulled += [f"/{number}{pointer}" for pointer in stated]
            continue
        kept = dict(leaves(found))
        loose = [str(one) for one in kept.values()]
        for pointer, value in values.items():
            if pointer in kept and same(value, kept[pointer]):
                continue
            is_of_list = bool(re.search(r"/\d+(/|$)", pointer))
            if is_of_list and any(folded(str(value)) == folded(one) for one in loose):
                continue
            if pointer not in kept or is_of_list:
                fate.nulled += [f"/{number}{pointer}"] if pointer in stated else []
            elif not _is_written_otherwise(value, kept[pointer]):
                fate.wrong.append(f"/{number}{pointer}: {json.dumps(kept[pointer], ensure_ascii=False)[:60]}")
    return fate


def _is_written_otherwise(one: Json, other: Json) -> bool:
    """Tell whether two values say the same in other forms: a number as text, a relative address resolved."""
    texts = folded(str(one)), folded(str(other))
    return texts[0] == texts[1] or (bool(texts[0]) and texts[1].endswith(texts[0]))


def _paired(given: Sequence[dict[str, Json]], got: Sequence[dict[str, Json]]) -> Iterator[tuple[dict[str, Json], Any]]:
    """Give each record of the answer with the one of the result that has most of its values, each once; else None.

    Of two single objects one is the other's.
    """
    if len(given) == len(got) == 1:
        yield given[0], got[0]
        return
    left = [(one, {(pointer, folded(str(value))) for pointer, value in leaves(one)}) for one in got]
    for record in given:
        wanted = {(pointer, folded(str(value))) for pointer, value in leaves(record)}
        best = max(left, key=lambda one: len(wanted & one[1]), default=None)
        if best is None or not wanted & best[1]:
            yield record, None
            continue
        left.remove(best)
        yield record, best[0]
