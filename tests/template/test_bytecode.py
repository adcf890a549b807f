"""A layer is built with bytecode, or not at all: without it a cold start imports for half as long again."""

import os
import re
import subprocess
from pathlib import Path

import pytest

LAYERS = Path(__file__).parents[2] / "layers"
BUILDS = sorted(path.parent.name for path in LAYERS.glob("*/Makefile") if "compileall" in path.read_text("utf-8"))


@pytest.mark.parametrize("layer", BUILDS)
@pytest.mark.parametrize(("given", "code"), [({}, 2), ({"NO_BYTECODE": "1"}, 0)])
def test_without_the_interpreter_the_build_fails_and_says_so(
    tmp_path: Path, layer: str, given: dict[str, str], code: int
) -> None:
    """The last step of the build alone, where python3.13 is a command that fails."""
    text = (LAYERS / layer / "Makefile").read_text("utf-8")
    last = re.search(r"^\t@if python3\.13 .*\Z", text, re.MULTILINE | re.DOTALL)
    assert last is not None
    (tmp_path / "Makefile").write_text(f"build:\n{last[0]}")
    (tmp_path / "python3.13").write_text("#!/bin/sh\nexit 127\n")
    (tmp_path / "python3.13").chmod(0o755)
    paths = {name: value for name, value in os.environ.items() if name != "NO_BYTECODE"}
    paths |= {"PATH": f"{tmp_path}:{os.environ['PATH']}", "ARTIFACTS_DIR": str(tmp_path), **given}
    done = subprocess.run(["make"], cwd=tmp_path, env=paths, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert ("python3.13 is needed" in done.stderr) == (code != 0)
