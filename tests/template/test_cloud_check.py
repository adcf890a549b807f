"""What can be said of `make cloud-check` without running it."""

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.cloud.plays.api import BODIES, samples
from tests.template.asked import values

ROOT = Path(__file__).parents[2]


def test_what_the_check_of_the_deployment_needs_is_named_and_nothing_else_is_done(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.cloud.needs", "--python"]
    environment = {"PATH": str(tmp_path), "HOME": str(tmp_path)}
    said = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert said.returncode == 1
    assert said.stdout == ""
    lines = said.stderr.splitlines()
    assert all(line.startswith("cloud-check needs ") for line in lines)
    assert sys.platform != "linux" or any("python3.13" in line for line in lines)


@pytest.mark.parametrize("name", ["requirements", "runtime"])
def test_every_package_of_the_emulator_is_pinned_by_hash(name: str) -> None:
    lines = (ROOT / f"tests/cloud/emulator/{name}.txt").read_text("utf-8").splitlines()
    packages = [at for at, line in enumerate(lines) if re.match(r"[a-z]", line)]
    assert packages
    assert all("==" in lines[at] and "--hash=sha256:" in lines[at + 1] for at in packages)


def test_the_documents_say_when_the_check_last_passed() -> None:
    program = ROOT / "scripts/write_cloud_check.py"
    assert subprocess.run([sys.executable, program, "--check"], check=False).returncode == 0


def test_the_check_has_a_body_for_each_route_that_takes_one() -> None:
    paths = json.loads((ROOT / "docs/openapi.json").read_text("utf-8"))["paths"]
    assert {path for path, methods in paths.items() if "post" in methods} == set(BODIES)


def test_the_check_has_a_value_for_each_parameter_of_a_route() -> None:
    paths = json.loads((ROOT / "docs/openapi.json").read_text("utf-8"))["paths"]
    cloud: Any = SimpleNamespace(known=defaultdict(lambda: "known"))
    for operation in (one for methods in paths.values() for one in methods.values()):
        for parameter in operation.get("parameters", []):
            assert values(parameter["name"], parameter["schema"], samples(cloud)), parameter["name"]
