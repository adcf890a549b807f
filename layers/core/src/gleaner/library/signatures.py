"""Signatures that show each keyword by its name, where the code takes them together as ``**options``."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from functools import wraps
from typing import Any, TypeVar, cast, get_args, get_origin

from typing_extensions import Unpack

from gleaner.contracts.errors import InvalidRequest

F = TypeVar("F", bound=Callable[..., Any])


def shows_its_keywords(function: F) -> F:
    """Give the function the signature that ``help()`` and notebooks show: each field of ``**options`` by its name.

    A keyword that is nearly one of them is refused with what was probably meant; others are for the function to refuse.
    """
    shown: list[inspect.Parameter] = []
    for parameter in inspect.signature(function).parameters.values():
        hint = parameter.annotation
        if parameter.kind is inspect.Parameter.VAR_KEYWORD and get_origin(hint) is Unpack:
            fields: dict[str, Any] = get_args(hint)[0].__annotations__
            shown += [
                inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)
                for name, kind in fields.items()
                if name not in inspect.signature(function).parameters
            ]
        else:
            shown.append(parameter)
    names = [parameter.name for parameter in shown]
    checked = function if function.__name__ == "__init__" else _checking(function, names)
    checked.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    return checked


def _checking(function: F, names: Sequence[str]) -> F:
    @wraps(function)
    def checked(*arguments: Any, **keywords: Any) -> Any:
        _refuse_misspelt(keywords, names)
        return function(*arguments, **keywords)

    return cast("F", checked)


def _refuse_misspelt(keywords: Iterable[str], names: Sequence[str]) -> None:
    for name in keywords:
        if name not in names and (close := get_close_matches(name, names, n=1, cutoff=0.7)):
            raise InvalidRequest(f"{name}: unknown field; did you mean {close[0]}?")
