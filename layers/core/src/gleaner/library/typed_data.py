"""The data of a result as instances of what was asked for: Pydantic models, dataclasses, TypedDicts, lists."""

import json
from typing import Any, get_args, get_origin

from pydantic import TypeAdapter, ValidationError

from gleaner.schemas.classes import is_class, readable

_LONGEST_SHOWN = 80


def instances_of(kind: Any, data: Any) -> tuple[Any, list[str]]:
    """Give ``data`` as instances of ``kind``, and what is left out because the class refuses it.

    A list keeps the records that fit. One object that does not fit is None; so is anything where ``kind`` is no class.

    >>> instances_of(list[int], [1, [], 3])
    ([1, 3], ['record 1 of the data is left out: []: Input should be a valid integer'])
    """
    if not is_class(kind):
        return data, []
    if get_origin(kind) is list and isinstance(data, list):
        return _list_of(get_args(kind)[0] if get_args(kind) else Any, data)
    if data is None:
        return ([] if get_origin(kind) is list else None), []
    made, problem = _made(TypeAdapter(readable(kind)), data)
    return made, [f"the data is left out: {problem}"] if problem else []


def _list_of(inner: Any, data: list[Any]) -> tuple[list[Any], list[str]]:
    adapter = TypeAdapter[Any](readable(inner))
    made = [_made(adapter, one) for one in data]
    problems = [
        f"record {at} of the data is left out: {problem}" for at, (_, problem) in enumerate(made) if problem is not None
    ]
    return [one for one, problem in made if problem is None], problems


def _made(adapter: "TypeAdapter[Any]", value: Any) -> tuple[Any, str | None]:
    try:
        return adapter.validate_python(value), None
    except ValidationError as error:
        first = error.errors()[0]
        given = json.dumps(first["input"], ensure_ascii=False, default=str)
        shown = given if len(given) <= _LONGEST_SHOWN else f"{given[:_LONGEST_SHOWN]}…"
        where = "".join(f"/{part}" for part in first["loc"])
        return None, f"{where} ({shown}): {first['msg']}" if where else f"{shown}: {first['msg']}"
