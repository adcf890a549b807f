"""The examples in docstrings give what they say."""

import doctest
import importlib
from pathlib import Path

import gleaner
import pytest

SOURCE = Path(gleaner.__path__[0]).parent
MODULES = sorted(
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
    for path in SOURCE.rglob("*.py")
    if ">>>" in path.read_text("utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_give_what_they_say(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
