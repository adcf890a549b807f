"""Each function may do what its code does, and nothing else (SS-3). Calls are watched, not listed by hand."""

import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.req("SS-3"), pytest.mark.timeout(600)]


def covers(right: tuple[str, str], need: Any) -> bool:
    return right[0] == need.action and fnmatchcase(need.resource, right[1])


def listed(rights: set[tuple[str, str, str]]) -> str:
    return "\n".join(" ".join(right) for right in sorted(rights))


def test_no_function_lacks_a_right_that_its_code_makes_use_of(stack: Any, used: Any) -> None:
    missing = {
        (need.function, need.action, need.resource)
        for need in used
        if not any(covers(right, need) for right in stack.rights(need.function))
    }
    assert not missing, listed(missing)


def test_no_function_has_a_right_that_its_code_makes_no_use_of(stack: Any, used: Any) -> None:
    superfluous = {
        (function, *right)
        for function in stack.functions()
        for right in stack.rights(function)
        if not any(need.function == function and covers(right, need) for need in used)
    }
    assert not superfluous, listed(superfluous)


def test_the_watch_sees_every_function_that_has_rights(stack: Any, used: Any) -> None:
    assert {need.function for need in used} == {name for name in stack.functions() if stack.rights(name)}


def test_the_table_of_rights_in_the_documents_is_the_templates() -> None:
    program = Path(__file__).parents[2] / "scripts/write_rights_table.py"
    assert subprocess.run([sys.executable, program, "--check"], check=False).returncode == 0
