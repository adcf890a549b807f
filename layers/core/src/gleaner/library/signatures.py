"""Signatures that show each keyword by its name, where the code takes them together as ``**options``."""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, get_args, get_origin

from typing_extensions import Unpack

F = TypeVar("F", bound=Callable[..., Any])


def shows_its_keywords(function: F) -> F:
    """Give the function the signature that ``help()`` and notebooks show: each field of ``**options`` by its name."""
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
    function.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    return function
