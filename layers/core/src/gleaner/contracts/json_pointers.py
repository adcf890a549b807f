"""JSON Pointers (RFC 6901), which name places in schemas, proofs and errors."""

from collections.abc import Iterable

from gleaner.contracts.ports import JsonValue


def escape_step(step: str | int) -> str:
    """Give a step as a JSON Pointer writes it.

    >>> escape_step("a/b~c")
    'a~1b~0c'
    """
    return str(step).replace("~", "~0").replace("/", "~1")


def pointer_of(steps: Iterable[str | int]) -> str:
    """Give the JSON Pointer of a path of keys and indexes.

    >>> pointer_of(["a/b", 0])
    '/a~1b/0'
    """
    return "".join("/" + escape_step(step) for step in steps)


def read_pointer(pointer: str) -> list[str]:
    """Give the steps of a JSON Pointer, unescaped.

    >>> read_pointer("/0/a~1b")
    ['0', 'a/b']
    """
    steps = pointer.split("/")[1:]
    return [step.replace("~1", "/").replace("~0", "~") for step in steps] if "~" in pointer else steps


def value_at(value: JsonValue, pointer: str) -> JsonValue:
    """Give what stands at a JSON Pointer; None when nothing does."""
    for step in read_pointer(pointer):
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value
