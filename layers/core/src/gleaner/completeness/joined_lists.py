"""Check lists written within one line, by the separators between their elements (CM-1).

"Ann Roe, Bo Lund, Cy Ash" has no pieces that could be counted. But where most elements of such lists are joined by a
comma, a comma before the first one, behind the last one, or twice between two of them shows that one more stands there.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from gleaner.completeness.certificate import kinds_stated
from gleaner.completeness.named_lists import NamedList
from gleaner.completeness.query_restriction import restricts
from gleaner.completeness.stated_places import Span, StatedPlaces
from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.json_pointers import pointer_of
from gleaner.contracts.models import ExtractionError, ExtractionResult, ProvenanceEntry
from gleaner.contracts.ports import JsonValue
from gleaner.grounding.leaves import Schema, SchemaViews, Steps, field_at

_LABEL = re.compile("[:：]")
_SENTENCE_END = re.compile(r"\.(?:\s|$)")
_AND_SO_ON = re.compile(r"\b(?:et al|etc|usw|more|others?|mehr|weitere|autres|otros|altri)\b|…|\.\.\.", re.IGNORECASE)
_BETWEEN_FIGURES = re.compile(r" {1,4}| \| ")
_LONGEST_JOINT = 12
_LONGEST_ELEMENT = 60
_FEWEST_JOINTS = 3
_MOST_ALIKE = 0.6
_FEW = 1 / 3
_FARTHEST = 200
_MOST_TIMES_AS_LONG = 3


@dataclass(frozen=True, slots=True)
class _Line:
    """The elements of a list, in the order of the line that they stand in."""

    steps: Steps
    elements: tuple[Span, ...]


def report_joined_lists(result: ExtractionResult, text: str, query: str | None, records: Steps | None) -> None:
    """Say what lists within lines lack, where the question asks for all there is; such a result is partial."""
    schema = result.schema_used
    said = {error.message.split(":")[0] for error in result.errors if error.error_type is ErrorType.MISSING_UNITS}
    found = find_joined_lists(result.data, result.provenance, text, schema, records)
    for short in found if found and not restricts(query, schema, text) else ():
        if pointer_of(short.steps) not in said:
            message = short.describe(text)
            result.errors.append(
                ExtractionError(error_type=ErrorType.MISSING_UNITS, message=message, retries_exhausted=True)
            )


def find_joined_lists(
    data: JsonValue, entries: Sequence[ProvenanceEntry], text: str, schema: Schema | None, records: Steps | None
) -> list[NamedList]:
    """Give the lists within lines that lack an element which stands joined to those they have.

    ``entries`` prove the data, ``records`` is the path of the list of records: that has an account of its own.
    """
    views = SchemaViews(schema)
    lists = {
        steps: size for steps, size in _lists(data) if steps != records and not views.is_full(field_at(steps), size)
    }
    stated = StatedPlaces(entries, data, {steps: {at: at for at in range(size)} for steps, size in lists.items()})
    lines: dict[tuple[str, ...], list[_Line]] = {}
    for steps, size in lists.items():
        if size and (line := _line_of(steps, size, stated, text)):
            lines.setdefault(field_at(steps), []).append(line)
    found: list[NamedList] = []
    for each in lines.values():
        joint = _joint(each, text)
        lacking = {line.steps: list(_unsaid(line, joint, stated, text)) for line in each} if joint else {}
        found += [
            NamedList(steps, lists[steps], tuple(missing))
            for steps, missing in _but_for_templates(lacking, text).items()
        ]
    return found


def _lists(data: JsonValue) -> Iterator[tuple[Steps, int]]:
    stack: list[tuple[Steps, JsonValue]] = [((), data)]
    while stack:
        steps, value = stack.pop()
        if isinstance(value, list):
            yield steps, len(value)
            stack.extend(((*steps, at), one) for at, one in enumerate(value) if isinstance(one, dict | list))
        elif isinstance(value, dict):
            stack.extend(((*steps, name), one) for name, one in value.items() if isinstance(one, dict | list))


def _line_of(steps: Steps, size: int, stated: StatedPlaces, text: str) -> _Line | None:
    """Give the places of a list's elements if all stand in one line, apart from one another and not too long."""
    known = stated.of_elements.get(steps, {})
    places = sorted((min(known[at])[0], max(end for _, end in known[at])) for at in range(size) if at in known)
    whole = len(places) == size and "\n" not in text[places[0][0] : places[-1][1]]
    apart = all(one[1] <= other[0] for one, other in pairwise(places))
    short = whole and median(end - start for start, end in places) <= _LONGEST_ELEMENT
    return _Line(steps, tuple(places)) if short and apart else None


def _joint(lines: Sequence[_Line], text: str) -> str:
    """Give what stands between nearly all elements; "" where that is nothing but blanks, or of all sorts."""
    gaps = Counter(text[one[1] : other[0]] for line in lines for one, other in pairwise(line.elements))
    joint, count = max(gaps.items(), key=lambda gap: gap[1], default=("", 0))
    is_sure = count >= max(_FEWEST_JOINTS, _MOST_ALIKE * gaps.total())
    is_mark = bool(joint.strip()) and len(joint) <= _LONGEST_JOINT and not any(map(str.isdigit, joint))
    is_mark = is_mark and "\n" not in joint and "|" not in joint
    is_between_figures = bool(joint) and _BETWEEN_FIGURES.fullmatch(joint) and _are_figures(lines, text)
    return joint if is_sure and (is_mark or is_between_figures) else ""


def _are_figures(lines: Sequence[_Line], text: str) -> bool:
    """Tell whether the elements are figures without blanks, such as times: blanks and cells keep these apart."""
    said = (text[start:end] for line in lines for start, end in line.elements)
    return all(any(map(str.isdigit, one)) and not any(map(str.isalpha, one)) and " " not in one for one in said)


def _unsaid(line: _Line, joint: str, stated: StatedPlaces, text: str) -> Iterator[Span]:
    """Give the pieces that are joined to a list's elements and are none, if they say what elements say."""
    said = [text[start:end] for start, end in line.elements]
    by_most, by_any = kinds_stated(said)
    shortest, longest = min(map(len, said)) / 2, max(map(len, said)) * _MOST_TIMES_AS_LONG
    for run in _runs(line, joint, text):
        for start, end in run:
            piece = text[start:end]
            is_like = by_most <= kinds_stated([piece])[0] <= by_any and shortest <= len(piece) <= longest
            if not is_like or piece in said or _AND_SO_ON.search(piece) or next(stated.near(start, end), None):
                break
            yield start, end


def _runs(line: _Line, joint: str, text: str) -> Iterator[list[Span]]:
    """Give the pieces that joints set apart before the elements, between two of them and behind, the nearest first."""
    first, last = line.elements[0][0], line.elements[-1][1]
    border = _border_of([text[start:end] for start, end in line.elements], joint)
    if text.endswith(joint, 0, first):
        end = first - len(joint)
        farthest = max(0, end - _FARTHEST)
        begin = max((found.end() for found in border.finditer(text, farthest, end)), default=farthest)
        yield list(_parts(text, begin, end, joint))[::-1]
    for (_, end), (start, _) in pairwise(line.elements):
        inner = end + len(joint), start - len(joint)
        if inner[0] < inner[1] and text.startswith(joint, end) and text.endswith(joint, 0, start):
            yield list(_parts(text, *inner, joint))
    if text.startswith(joint, last):
        behind = border.search(text, last + len(joint))
        yield list(_parts(text, last + len(joint), behind.start() if behind else len(text), joint))


def _border_of(said: Sequence[str], joint: str) -> re.Pattern[str]:
    """Give what no element reaches over: a cell's edge, a line's end; a label or a sentence's end if none holds one."""
    signs = [one.pattern for one in (_LABEL, _SENTENCE_END) if not any(map(one.search, [joint, *said]))]
    return re.compile("|".join([r"\n" if "|" in joint else r"[|\n]", *signs]))


def _parts(text: str, start: int, end: int, joint: str) -> Iterator[Span]:
    for part in text[start:end].split(joint):
        if part.strip():
            yield start + len(part) - len(part.lstrip()), start + len(part.rstrip())
        start += len(part) + len(joint)


def _but_for_templates(lacking: Mapping[Steps, Sequence[Span]], text: str) -> dict[Steps, Sequence[Span]]:
    """Leave out what several lists have alike, and all where many lists have something: a template's."""
    counts = Counter(text[slice(*piece)] for pieces in lacking.values() for piece in pieces)
    kept = {steps: [one for one in pieces if counts[text[slice(*one)]] == 1] for steps, pieces in lacking.items()}
    kept = {steps: pieces for steps, pieces in kept.items() if pieces}
    return dict(kept) if len(kept) <= max(1, _FEW * len(lacking)) else {}
