"""The examples in docstrings give what they say."""

import doctest
import importlib
import pkgutil

import gleaner
import pytest

MODULES = [one.name for one in pkgutil.walk_packages(gleaner.__path__, "gleaner.") if "__main__" not in one.name]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_give_what_they_say(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
