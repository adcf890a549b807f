"""Whether a value is the right one, and what became of the right values of an answer: the yardstick's one comparison.

It is lenient where no reader would mind: case, blanks, Markdown's marks, 1 for 1.0, "15.90" for 15.9, an address with
its signs encoded. A field that the truth does not name is not judged; ``None``, "" and [] are no values.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any
from urllib.parse import unquote

Json = Any
_MARKS = re.compile(r"\\(?=[!-/:-@\[-`{-~])|[*_`~]+(?=\W|$)|(?<!\w)[*_`~]+")
_AFTER_OPENING = re.compile(r"(?<=[(\[{]) ")
_BEFORE_CLOSING = re.compile(r" (?=[)\]},.;:!?])")
_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")
"""What is a number and no code: "007" is none."""


def squeezed(text: str) -> str:
    """Give a text in compatibility form, with single blanks, and none inside brackets or before punctuation.

    Texts gathered element by element have those: "(by an <a>ISP</a>)" becomes "(by an ISP )".
    """
    single = " ".join(unicodedata.normalize("NFKC", text).split())
    return _BEFORE_CLOSING.sub("", _AFTER_OPENING.sub("", single))


def is_nothing(value: Json) -> bool:
    """Tell whether something is no value."""
    return value is None or value in ("", [], {})


def choices(value: Json) -> list[Json]:
    """Give the values that an entry of a truth takes: ``{"$any": [...]}`` takes any of them."""
    return list(value["$any"]) if isinstance(value, dict) and set(value) == {"$any"} else [value]


def key_of(value: Json) -> Hashable:
    """Give what a single value is compared by.

    >>> key_of("**Oak**  Table"), key_of("15.90"), key_of(True)
    (('text', 'oak table'), ('number', 15.9), ('flag', True))
    """
    if isinstance(value, bool):
        return "flag", value
    if isinstance(value, int | float):
        return "number", float(f"{value:.10g}")
    text = squeezed(_MARKS.sub("", str(value)))
    if _PLAIN_NUMBER.fullmatch(text):
        return "number", float(f"{float(text):.10g}")
    is_address = "://" in text or text.startswith("/")
    return "text", unquote(unquote(text)).rstrip("/") if is_address else text.casefold()


def same(given: Json, wanted: Json) -> bool:
    """Tell whether a value is the wanted one, in objects and lists through and through; nothing is like nothing.

    >>> same("OAK ( old )", "Oak (old)"), same(1, True), same({"a": 1, "b": None}, {"a": "1.0"})
    (True, False, True)
    """
    if len(wanted_ones := choices(wanted)) > 1 or wanted_ones[0] is not wanted:
        return any(same(given, one) for one in wanted_ones)
    if is_nothing(given) or is_nothing(wanted):
        return is_nothing(given) and is_nothing(wanted)
    if isinstance(given, dict) and isinstance(wanted, dict):
        return all(same(given.get(name), wanted.get(name)) for name in {*given, *wanted})
    if isinstance(given, list) and isinstance(wanted, list):
        return len(given) == len(wanted) and all(map(same, given, wanted))
    if isinstance(given, dict | list) or isinstance(wanted, dict | list):
        return False
    return key_of(given) == key_of(wanted)


def escaped(name: str) -> str:
    """Give a name as a step of a JSON Pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def leaves(value: Json, pointer: str = "") -> Iterator[tuple[str, Json]]:
    """Give the single values of data but nulls, by JSON Pointer."""
    if isinstance(value, dict) and choices(value) == [value]:
        for name, one in value.items():
            yield from leaves(one, f"{pointer}/{escaped(name)}")
    elif isinstance(value, list):
        for at, one in enumerate(value):
            yield from leaves(one, f"{pointer}/{at}")
    elif not is_nothing(value):
        yield pointer, value


def record_steps(data: Json) -> tuple[str, ...] | None:
    """Give where the records stand in data: () for a list of objects, (name,) for the longest one in an object.

    None for data about one thing.
    """
    if isinstance(data, list):
        return ()
    if not isinstance(data, dict):
        return None
    lists = {name: one for name, one in data.items() if isinstance(one, list) and one and isinstance(one[0], dict)}
    return (max(lists, key=lambda name: len(lists[name])),) if lists else None


def records_of(data: Json) -> list[dict[str, Json]]:
    """Give the records of data; of data about one thing that thing, of no data none."""
    steps = record_steps(data)
    found = [data] if steps is None else data[steps[0]] if steps else data
    return [one for one in found if isinstance(one, dict)]


def with_records(data: Json, records: Sequence[Json], steps: tuple[str, ...] | None = ()) -> Json:
    """Give data with other records at ``steps``, as ``record_steps`` gives them: ``records_of`` the other way round."""
    if steps is None:
        return records[0] if records else {}
    return {**data, steps[0]: list(records)} if steps else list(records)


def paired(wanted: Sequence[Json], given: Sequence[Json]) -> list[tuple[int, int]]:
    """Pair the items of two lists: equal ones in order first, then those that share most, each once.

    Two records are never paired that share no value, or that contradict each other in more values than they share,
    unless they share the first one, which is their name.
    """
    own, others = [_shape(one) for one in wanted], [_shape(one) for one in given]
    pairs: list[tuple[int, int]] = []
    for block in SequenceMatcher(None, own, others, autojunk=False).get_matching_blocks():
        pairs += [(block.a + step, block.b + step) for step in range(block.size)]
    left = [at for at in range(len(own)) if at not in {a for a, _ in pairs}]
    free = [at for at in range(len(others)) if at not in {b for _, b in pairs}]
    likely = [
        (shared, -abs(a - b), -a, -b)
        for a in left
        for b in free
        if (shared := _likeness(wanted[a], given[b], own[a], others[b])) > 0
    ]
    taken_a, taken_b = set[int](), set[int]()
    for _, _, a, b in sorted(likely, reverse=True):
        if -a not in taken_a and -b not in taken_b:
            taken_a.add(-a)
            taken_b.add(-b)
            pairs.append((-a, -b))
    return sorted(pairs)


Shape = frozenset[tuple[Hashable, int]]


def _shape(item: Json) -> Shape:
    """Give the values of an item with the fields that they stand in, the places in its lists left out."""
    counted = Counter((re.sub(r"/\d+", "/*", pointer), _hashed(value)) for pointer, value in leaves(item))
    return frozenset(counted.items())


def _hashed(value: Json) -> Hashable:
    return tuple(map(key_of, choices(value)))


def _likeness(wanted: Json, given: Json, own: Shape, other: Shape) -> int:
    if not isinstance(wanted, dict) or choices(wanted) != [wanted]:
        return int(same(given, wanted))
    if not isinstance(given, dict):
        return 0
    stated = [name for name, value in wanted.items() if not is_nothing(value) and not is_nothing(given.get(name))]
    agreeing = sum(same(given[name], wanted[name]) for name in stated)
    clashing = sum(not isinstance(wanted[name], list | dict) for name in stated) - agreeing
    shared = len({pair for pair, _ in own} & {pair for pair, _ in other})
    name = next((name for name, value in wanted.items() if not is_nothing(value)), "")
    is_named = bool(name) and same(given.get(name), wanted[name])
    return 2 * shared + is_named if shared and (is_named or shared >= clashing) else 0


@dataclass(slots=True)
class Fate:
    """What became of the right values of an answer, by JSON Pointers.

    ``kept`` leads from each right value that is there to where it is; ``lost`` names those that are not, ``wrong`` what
    is there in their place, or where the truth has nothing. ``marked`` are those of ``lost`` that stand in the data,
    marked as not proven; who reads the provenance fills it in. ``records`` are those of the truth and ``missing`` how
    many of them have no counterpart; ``items`` and ``items_missing`` are the same for lists inside records.
    """

    kept: dict[str, str] = field(default_factory=dict[str, str])
    lost: list[str] = field(default_factory=list[str])
    wrong: list[str] = field(default_factory=list[str])
    marked: frozenset[str] | set[str] = frozenset()
    records: int = 0
    missing: int = 0
    extra: int = 0
    items: int = 0
    items_missing: int = 0

    @property
    def values(self) -> int:
        """How many single values the truth has."""
        return len(self.kept) + len(self.lost)

    @property
    def is_right(self) -> bool:
        """Whether all is there and nothing else."""
        return not (self.lost or self.wrong or self.missing or self.extra or self.items_missing)


def compare(wanted: Json, given: Json) -> Fate:
    """Say what a result makes of the truth, or of the answer that it was made from."""
    fate = Fate()
    steps = record_steps(wanted)
    _walk(fate, wanted, given, "", "", records_at=None if steps is None else "".join(f"/{step}" for step in steps))
    return fate


def is_right(wanted: Json, given: Json) -> bool:
    """Tell whether a result is the truth and nothing else; records that are equal may be given once or each time."""
    if is_nothing(wanted):
        return is_nothing(given)
    if compare(wanted, given).is_right:
        return True
    steps = record_steps(wanted)
    once = without_doubles(records_of(wanted)) if steps is not None else []
    return 0 < len(once) < len(records_of(wanted)) and compare(with_records(wanted, once, steps), given).is_right


def without_fields(value: Json, names: Collection[str]) -> Json:
    """Give a value without the fields of these names, at any depth.

    >>> without_fields({"a": 1, "b": [{"c": 2, "d": 3}]}, {"a", "d"})
    {'b': [{'c': 2}]}
    """
    if isinstance(value, dict):
        return {name: without_fields(one, names) for name, one in value.items() if name not in names}
    return [without_fields(one, names) for one in value] if isinstance(value, list) else value


def _walk(fate: Fate, wanted: Json, given: Json, own: str, there: str, *, records_at: str | None) -> None:
    is_open = isinstance(wanted, dict | list) and choices(wanted) == [wanted] and not is_nothing(wanted)
    if is_open and isinstance(wanted, dict):
        found = given if isinstance(given, dict) else {}
        for name, value in wanted.items():
            step = f"/{escaped(name)}"
            _walk(fate, value, found.get(name), own + step, there + step, records_at=records_at)
    elif is_open:
        _walk_list(fate, wanted, given if isinstance(given, list) else [], own, there, records_at=records_at)
    elif same(given, wanted):
        fate.kept |= {} if is_nothing(wanted) else {own: there}
    else:
        fate.lost += [] if is_nothing(wanted) else [own]
        fate.wrong += [pointer for pointer, _ in leaves(given, there)]


def _walk_list(fate: Fate, wanted: Json, given: list[Json], own: str, there: str, *, records_at: str | None) -> None:
    pairs = paired(wanted, given)
    matched, found = {a for a, _ in pairs}, {b for _, b in pairs}
    if own == records_at:
        fate.records += len(wanted)
        fate.missing += len(wanted) - len(pairs)
        fate.extra += len(given) - len(pairs)
    else:
        fate.items += len(wanted)
        fate.items_missing += len(wanted) - len(pairs)
    for a, b in pairs:
        _walk(fate, wanted[a], given[b], f"{own}/{a}", f"{there}/{b}", records_at=records_at)
    for at in set(range(len(wanted))) - matched:
        fate.lost += [pointer for pointer, _ in leaves(wanted[at], f"{own}/{at}")]
    for at in set(range(len(given))) - found:
        fate.wrong += [pointer for pointer, _ in leaves(given[at], f"{there}/{at}")]


def without_doubles(records: Sequence[Json]) -> list[Json]:
    """Give the records without those that are equal to one before: by default the product joins them."""
    seen: set[Shape] = set()
    kept: list[Json] = []
    for one in records:
        if (shape := _shape(one)) not in seen:
            seen.add(shape)
            kept.append(one)
    return kept
