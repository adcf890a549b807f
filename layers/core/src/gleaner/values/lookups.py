"""Look-ups: values by key, and what is worked out once for each key."""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


def grouped(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """Give the values of each key, in the order in which they come.

    >>> grouped([("a", 1), ("b", 2), ("a", 3)])
    {'a': [1, 3], 'b': [2]}
    """
    found: dict[Key, list[Value]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


class Remembered(dict[Key, Value]):
    """What a function gives for keys, worked out once for each that is asked for.

    >>> lengths = Remembered(len)
    >>> lengths["lamp"], lengths
    (4, {'lamp': 4})
    """

    def __init__(self, work: Callable[[Key], Value]) -> None:
        super().__init__()
        self._work = work

    def __missing__(self, key: Key) -> Value:
        self[key] = made = self._work(key)
        return made
