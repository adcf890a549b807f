"""Switch a mechanism off, in tests and measurements only: what it is patched with, and how that is put back.

The product knows nothing of this. A mechanism names functions of the product, and what each returns when the mechanism
is off: nothing, or one of its arguments. A function is replaced in every module of ``gleaner`` that has imported it.
"""

import functools
import importlib
import inspect
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol


class Off(Protocol):
    """What a switched-off function does; it is given the function, too."""

    def __call__(self, original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Give what stands in for the function's answer."""
        ...


@dataclass(frozen=True, slots=True)
class Gives:
    """Gives a value of its own whatever it is asked: nothing, mostly."""

    make: Callable[[], Any]

    def __call__(self, original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        del original, args, kwargs
        return self.make()


@dataclass(frozen=True, slots=True)
class GivesBack:
    """Gives one of its arguments as it is: candidates are not filtered, a recipe is not added to."""

    argument: str

    def __call__(self, original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return _signature(original).bind(*args, **kwargs).arguments[self.argument]


@dataclass(frozen=True, slots=True)
class Calls:
    """Gives what a simpler function gives for the same arguments."""

    simpler: Callable[..., Any]

    def __call__(self, original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        del original
        return self.simpler(*args, **kwargs)


@dataclass(frozen=True, slots=True)
class GivesNoneOfKind:
    """Gives None for a selector of one kind, and what the function gives for all others."""

    kind: str

    def __call__(self, original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        selector = next(one for one in (*args, *kwargs.values()) if hasattr(one, "kind"))
        return None if selector.kind == self.kind else original(*args, **kwargs)


@dataclass(frozen=True, slots=True)
class Switch:
    """A function of the product, as "module:name" or "module:Class.name", and what it does when off.

    ``changes_in_place`` for one that gives nothing but changes what it is given.
    """

    target: str
    off: Off
    changes_in_place: bool = False


@dataclass(frozen=True, slots=True)
class Mechanism:
    """What can be switched off as one, by its dotted name."""

    name: str
    switches: tuple[Switch, ...]


@functools.cache
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(function)


def resolved(target: str) -> tuple[Any, str, Callable[..., Any]]:
    """Give the owner, the attribute's name and the function of a target; AttributeError where it no longer exists."""
    module_name, _, path = target.partition(":")
    owner: Any = importlib.import_module(module_name)
    *classes, name = path.split(".")
    for each in classes:
        owner = getattr(owner, each)
    found = owner.__dict__[name] if isinstance(owner, type) and name in owner.__dict__ else getattr(owner, name)
    return owner, name, found


def _modules() -> list[ModuleType]:
    return [module for name, module in list(sys.modules.items()) if name.partition(".")[0] == "gleaner"]


def _homes_of(function: Any) -> Iterator[tuple[Any, str, Any]]:
    """Give each module that has a function, the name it has there, and what stands there: it, or a tuple with it."""
    for module in _modules():
        for name, value in list(vars(module).items()):
            if value is function or (isinstance(value, tuple) and any(one is function for one in value)):
                yield module, name, value


def _put(function: Callable[..., Any], target: str, new: Callable[..., Any]) -> list[tuple[Any, str, Any]]:
    """Put a function in another one's place wherever it is; give what stood where."""
    owner, name, _ = resolved(target)
    homes = [(owner, name, function)] if isinstance(owner, type) else [*_homes_of(function)]
    for home, attribute, value in homes:
        replacement = tuple(new if one is function else one for one in value) if isinstance(value, tuple) else new
        setattr(home, attribute, replacement)
    return homes


def forget_what_was_cached() -> None:
    """Clear the caches of the product's functions: they may hold what a mechanism, or its absence, made of a text."""
    for module in _modules():
        for value in list(vars(module).values()):
            clear = getattr(value, "cache_clear", None)
            if callable(clear) and not isinstance(value, type):
                clear()


@contextmanager
def _replaced(
    replacements: Sequence[tuple[Switch, Callable[[Callable[..., Any], Switch], Callable[..., Any]]]],
) -> Generator[None]:
    undo: list[tuple[Any, str, Any]] = []
    try:
        for switch, make in replacements:
            _, _, function = resolved(switch.target)
            undo += _put(function, switch.target, make(function, switch))
        forget_what_was_cached()
        yield
    finally:
        for home, attribute, value in reversed(undo):
            setattr(home, attribute, value)
        forget_what_was_cached()


def _switched(function: Callable[..., Any], switch: Switch) -> Callable[..., Any]:
    @functools.wraps(function)
    def off(*args: Any, **kwargs: Any) -> Any:
        return switch.off(function, *args, **kwargs)

    return off


@contextmanager
def switched_off(*mechanisms: Mechanism) -> Generator[None]:
    """Switch mechanisms off for the time of a block."""
    with _replaced([(switch, _switched) for one in mechanisms for switch in one.switches]):
        yield


@contextmanager
def traced(mechanisms: Sequence[Mechanism]) -> Generator[set[str]]:
    """Give a set that fills with the names of mechanisms that did something: gave other than they would when off.

    A page on which a mechanism did nothing need not be measured without it.
    """
    fired: set[str] = set()

    def tracing(name: str) -> Callable[[Callable[..., Any], Switch], Callable[..., Any]]:
        return lambda function, switch: _tracing(function, switch, name, fired)

    with _replaced([(switch, tracing(one.name)) for one in mechanisms for switch in one.switches]):
        yield fired


def _tracing(function: Callable[..., Any], switch: Switch, name: str, fired: set[str]) -> Callable[..., Any]:
    @functools.wraps(function)
    def watched(*args: Any, **kwargs: Any) -> Any:
        try:
            answer = function(*args, **kwargs)
        except Exception:
            fired.add(name)  # a refusal: off, the function would have given something
            raise
        if name in fired:
            return answer
        if switch.changes_in_place:
            fired.add(name)
        elif inspect.isgenerator(answer):
            return _watched_items(answer, name, fired)
        elif _does_something(switch.off, function, answer, args, kwargs):
            fired.add(name)
        return answer

    return watched


def _does_something(off: Off, function: Callable[..., Any], answer: Any, args: Any, kwargs: Any) -> bool:
    if isinstance(off, GivesNoneOfKind):
        selector = next(one for one in (*args, *kwargs.values()) if hasattr(one, "kind"))
        return selector.kind == off.kind and answer is not None
    return not _is_same(answer, off(function, *args, **kwargs))


def _watched_items(items: Generator[Any, Any, Any], name: str, fired: set[str]) -> Iterator[Any]:
    for item in items:
        fired.add(name)
        yield item


def _is_same(one: Any, other: Any) -> bool:
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return list(one) == list(other)
    return one is other or (type(one) is type(other) and one == other) or (not one and not other and one == other)
