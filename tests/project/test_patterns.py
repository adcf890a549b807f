"""Patterns that meet text from outside take time that grows with the text, not with its square (SS-2).

Every compiled pattern of the package is given what it repeats, 1,000 and 4,000 characters of it: four times the text
may take about four times the time. How fast the machine is does not matter: a pattern is compared with itself.
"""

import ast
import importlib
import pkgutil
import re
import signal
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from re import _constants as op  # pyright: ignore[reportAttributeAccessIssue]
from re import _parser  # pyright: ignore[reportAttributeAccessIssue]
from typing import Any

import gleaner
import pytest

BOUNDED = {
    "gleaner.html.stylesheets._COMBINATOR": "the last 1,000 characters of a selector",
    "gleaner.judging.flags._WORDS_BEFORE": "what is within reach of a value on its line",
    "gleaner.judging.surroundings._BEFORE": "what is within reach of a value",
    "gleaner.judging.surroundings._LINE_END": "as many characters as a value may have",
    "gleaner.results.answer_json_syntax._NUMBER": "words of 300 characters",
    "gleaner.testing.scripted._MARK": "prompts that tests are given",
    "gleaner.values.dates._OF_ANOTHER_CALENDAR": "texts of MAX_CHARS",
    "gleaner.values.measures._MEASURE": "texts of MAX_CHARS",
    "gleaner.values.measures._PIECE": "texts of MAX_CHARS",
    "gleaner.values.mentions.money._AMOUNT": "texts of MAX_CHARS",
    "gleaner.values.money._AMOUNT": "texts of MAX_CHARS",
    "gleaner.values.numbers._LABELLED": "texts of MAX_CHARS",
    "gleaner.values.readings.TO": "texts of 80 characters",
    "gleaner.values.texts.notations._ANY_DOT": "domains, of at most six parts of 63 characters",
    "gleaner.values.texts.cutting._LAST": "24 characters before a value",
    "gleaner.wrappers.places._MADE": "names of 200 characters",
}
"""Patterns whose time grows with the square, and what bounds the text that they are given."""

SHORT, LONG = 1_000, 4_000
NOISE_S = 0.03
"""What is faster than this on the longer text is linear: a square of 4,000 steps takes longer on any machine."""
MOST = 9
"""Times the time for four times the text, the least of three tries: linear patterns take 3 to 6, squares 14 to 20."""

MOST_INPUTS = 40
MOST_IN_A_TABLE = 300
ENDLESS_S = 5.0
"""After which a pattern is broken off: its time grows by more than the square, or the machine stands still."""

SEARCHES = frozenset({"search", "finditer", "findall", "sub", "subn", "split"})
HELD = frozenset({"match", "fullmatch"})
REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
CHARACTERS = "a7 -.,<(:;/\"'=[|#\tÄ☃"


@cache
def uses() -> dict[str, frozenset[str]]:
    """Give the methods by which the package looks for each pattern that has a name."""
    found: dict[str, set[str]] = {}
    root = Path(gleaner.__file__).parent
    for file in root.rglob("*.py"):
        module = ".".join(file.relative_to(root.parent).with_suffix("").parts).removesuffix(".__init__")
        nodes = list(ast.walk(ast.parse(file.read_text("utf-8"))))
        origins = {
            name.asname or name.name: f"{node.module}.{name.name}"
            for node in nodes
            if isinstance(node, ast.ImportFrom)
            for name in node.names
        }
        for node in nodes:
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                found.setdefault(origins.get(node.value.id, f"{module}.{node.value.id}"), set()).add(node.attr)
    return {name: frozenset(methods) for name, methods in found.items()}


def patterns() -> dict[re.Pattern[str], list[str]]:
    """Give all compiled patterns of texts with the names that they have."""
    found: dict[re.Pattern[str], list[str]] = {}
    for module in pkgutil.walk_packages(gleaner.__path__, "gleaner."):
        try:
            names = vars(importlib.import_module(module.name))
        except ImportError:  # of an extra that is not installed here
            continue
        for name, value in list(names.items()):
            for pattern in _patterns_in(value):
                found.setdefault(pattern, []).append(f"{module.name}.{name}")
    return found


def _patterns_in(value: Any) -> Iterator[re.Pattern[str]]:
    """Give a pattern, or those that a table of the module holds."""
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif isinstance(value, (tuple, list, frozenset)) and len(value) <= MOST_IN_A_TABLE:
        for one in value:
            yield from _patterns_in(one)
    elif isinstance(value, dict):
        yield from _patterns_in(tuple(value.values()))


def uses_of(names: list[str]) -> frozenset[str]:
    """Give how a pattern is looked for; one that is handed on is taken to be held against a text's beginning."""
    return frozenset().union(*(uses().get(name, ()) for name in names)) & (SEARCHES | HELD) or HELD - {"fullmatch"}


def fits(items: list[Any], character: str) -> bool:
    """Tell whether a set of a pattern has the character."""
    is_other = bool(items) and items[0][0] is op.NEGATE
    return any(_has(item, character) for item in items[is_other:]) != is_other


def _has(item: Any, character: str) -> bool:
    kind, value = item
    if kind is op.LITERAL:
        return chr(value) == character
    if kind is op.RANGE:
        return value[0] <= ord(character) <= value[1]
    name = str(value)
    is_in = (
        character.isdigit() if "DIGIT" in name
        else character.isspace() if "SPACE" in name
        else character.isalnum() or character == "_"
    )  # fmt: skip
    return is_in != ("NOT" in name)


def examples_of(items: list[Any]) -> list[str]:
    """Give characters of a set: those of the list, else its own first one."""
    known = [one for one in CHARACTERS if fits(items, one)][:3]
    own = [chr(value if kind is op.LITERAL else value[0]) for kind, value in items if kind in (op.LITERAL, op.RANGE)]
    return known + own[: 3 - len(known)] or ["a"]


def example(parsed: Any) -> str:
    """Give a short text that a parsed pattern fits, as far as it is told by its parts."""
    text = ""
    for kind, value in parsed:
        if kind is op.LITERAL:
            text += chr(value)
        elif kind is op.IN:
            text += examples_of(value)[0]
        elif kind in (op.ANY, op.NOT_LITERAL):
            text += "b" if kind is op.NOT_LITERAL and value == ord("a") else "a"
        elif kind is op.BRANCH:
            text += example(value[1][0])
        elif kind in REPEATS:
            text += example(value[2]) * min(value[0], 9)
        elif kind in (op.SUBPATTERN, op.ATOMIC_GROUP):
            text += example(value[3] if kind is op.SUBPATTERN else value)
    return text


def loops(parsed: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """Give each part that may repeat without an end, behind what stands before it."""
    for kind, value in parsed:
        if kind in REPEATS:
            body = value[2]
            if value[1] >= 64:
                sets = examples_of(body[0][1]) if len(body) == 1 and body[0][0] is op.IN else [example(body)]
                yield from ((before, one) for one in sets if one)
            yield from loops(body, before)
        elif kind is op.BRANCH:
            for branch in value[1]:
                yield from loops(branch, before)
        elif kind in (op.SUBPATTERN, op.ATOMIC_GROUP):
            yield from loops(value[3] if kind is op.SUBPATTERN else value, before)
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            yield from loops(value[1], before)
        before += example([(kind, value)])


def seconds(pattern: re.Pattern[str], text: str, methods: frozenset[str]) -> float:
    """Give the processor time that a pattern takes for a text; ENDLESS_S where it takes more than that."""
    began = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, ENDLESS_S)
    try:
        if methods & SEARCHES:
            for _ in pattern.finditer(text):
                pass
        if "match" in methods:
            pattern.match(text)
        if "fullmatch" in methods:
            pattern.fullmatch(text)
    except TimeoutError:
        return ENDLESS_S
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.process_time() - began


def _ring(*_: object) -> None:
    raise TimeoutError


def grows_too_fast(pattern: re.Pattern[str], methods: frozenset[str] = SEARCHES) -> str | None:
    """Give the text for which the time grows with the square of its length; None where there is none."""
    inputs = {
        (first, pump, last)
        for before, pump in loops(_parser.parse(pattern.pattern, pattern.flags))
        for first, last in ((before[:99], ""), (before[:99], "\0"), ("", "\0"))
        for pump in (pump, f"{before[:40]}{pump}")
    }
    for first, pump, last in sorted(inputs, key=len)[:MOST_INPUTS]:
        short, long = (f"{first}{pump * (size // len(pump))}{last}" for size in (SHORT, LONG))
        first_try = seconds(pattern, long, methods)
        if first_try >= ENDLESS_S:
            return f"{first[:20]!r} + {pump[:20]!r} … + {last!r}"
        if first_try > NOISE_S:
            times = [[seconds(pattern, text, methods) for _ in range(3)] for text in (short, long)]
            if min(times[1]) > NOISE_S and min(times[1]) > MOST * min(times[0]):
                return f"{first[:20]!r} + {pump[:20]!r} … + {last!r}"
    return None


@pytest.fixture(autouse=True)
def timer() -> Iterator[None]:
    """Ring when a pattern has used up its processor time."""
    before = signal.signal(signal.SIGVTALRM, _ring)
    yield
    signal.signal(signal.SIGVTALRM, before)


@pytest.mark.req("SS-2")
def test_no_pattern_takes_time_by_the_square_of_its_text() -> None:
    judged = {pattern: names for pattern, names in patterns().items() if BOUNDED.keys().isdisjoint(names)}
    slow = {names[-1]: text for pattern, names in judged.items() if (text := grows_too_fast(pattern, uses_of(names)))}
    assert slow == {}


@pytest.mark.req("SS-2")
def test_what_is_known_to_be_slow_is_there() -> None:
    assert BOUNDED.keys() <= {name for names in patterns().values() for name in names}


@pytest.mark.req("SS-2")
def test_a_pattern_that_is_slow_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "ENDLESS_S", 0.5)
    assert grows_too_fast(re.compile(r"\s+$"))
    assert grows_too_fast(re.compile(r"(?:a|a)+b"), HELD) is not None
    assert grows_too_fast(re.compile(r"(?<!\s)\s+$")) is None
