"""A plain function as a model (LB-2, LB-4)."""

import asyncio
import inspect
import uuid
from collections.abc import Awaitable, Callable
from weakref import WeakKeyDictionary

from gleaner.contracts.ports import ModelAnswer, ModelRequest

_NAMES: WeakKeyDictionary[Callable[..., object], str] = WeakKeyDictionary()


class FunctionModel:
    """A model that answers with what ``fn(prompt)`` gives; ``fn`` may be a coroutine function.

    Tokens are counted as a quarter of the characters. What ``fn`` raises goes on to the caller, so errors of
    ``gleaner.errors`` play a provider's. ``prompts`` holds every prompt it was given, in order. Safe in threads if
    ``fn`` is. Without a ``name`` it goes by the function, so that two functions never share cached answers.

    >>> FunctionModel(lambda prompt: "[]").answer(ModelRequest(system="", prompt="Names?")).text
    '[]'
    """

    def __init__(self, fn: Callable[[str], str | Awaitable[str]], name: str | None = None) -> None:
        self.fn = fn
        self.name = name or f"function:{_name_of(fn)}"
        self.prompts: list[str] = []

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """Give the function's text for the request's prompt."""
        self.prompts.append(request.prompt)
        said = self.fn(request.prompt)
        text = asyncio.run(_awaited(said)) if inspect.isawaitable(said) else said
        if not isinstance(text, str):
            raise TypeError(f"a model that is a function gives a str, and not {type(text).__name__}")
        return ModelAnswer(text, (len(request.system) + len(request.prompt) + 3) // 4, (len(text) + 3) // 4)


async def _awaited(said: Awaitable[str]) -> str:
    return await said


def _name_of(fn: Callable[..., object]) -> str:
    fresh = uuid.uuid4().hex[:12]
    try:
        return _NAMES.setdefault(fn, fresh)
    except TypeError:  # a callable that can't be a key
        return fresh
