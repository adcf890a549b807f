"""What images and releases are made by: the files agree with the package, the settings and the Makefile (GT-1)."""

import json
import re
import runpy
import shlex
import tomllib
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
import yaml
from gleaner.contracts.settings import load_settings

from tests.project.test_docs import MAKE_TARGETS, problem_of

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
EXTRAS = set(
    tomllib.loads((ROOT / "layers/core/pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
)


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


@pytest.mark.req("GT-1")
def test_the_image_has_all_extras_and_its_command_can_be_run() -> None:
    text = (ROOT / "Dockerfile").read_text("utf-8")
    frameworks = {"langchain", "llama-index"}  # which programs bring, and no command needs
    assert set(re.findall(r"\.whl\)\[([a-z,]+)\]", text)[0].split(",")) == EXTRAS - frameworks
    command = yaml.safe_load(re.findall(r"^CMD (\[.*\])$", text, re.MULTILINE)[0])
    assert problem_of(["gleaner", *command]) is None
    assert re.search(r"^USER (?!0$)\d+$", text, re.MULTILINE)


@pytest.mark.req("GT-1")
def test_the_compose_file_sets_what_gleaner_knows_and_reaches_the_model_beside_it() -> None:
    services = read(ROOT / "compose.yaml")["services"]
    given = {
        name: re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value) for name, value in services["gleaner"]["environment"].items()
    }
    settings = load_settings(given)
    assert settings.model.startswith("ollama:")
    assert re.findall(r"//(\w+):", str(settings.llm.openai_base_url)) == ["ollama"]
    assert "ollama" in services
    assert services["gleaner"]["depends_on"].keys() == {"ollama"}


@pytest.mark.req("GT-1")
@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_runs_commands_that_there_are(path: Path) -> None:
    jobs = read(path)["jobs"]
    runs = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    lines = [line for run in runs for line in run.splitlines() if line.startswith(("make ", "gleaner "))]
    assert lines
    assert [problem for line in lines if (problem := problem_of(shlex.split(line)))] == []
    assert all(job["timeout-minutes"] for job in jobs.values())


def test_the_tests_of_the_workflow_are_the_readmes() -> None:
    assert {"make test", "make docs"} <= {
        step.get("run") for job in read(WORKFLOWS[-1])["jobs"].values() for step in job["steps"]
    }
    assert "`make test`" in (ROOT / "README.md").read_text("utf-8")
    assert {"test", "docs", "wheel"} <= MAKE_TARGETS


@pytest.mark.parametrize(
    ("licence", "said"), [("License: ISC, of old", None), ("Summary: x", "no licence is stated by lamp")]
)
def test_what_the_layers_hold_is_told_and_what_states_no_licence_stops_a_release(
    licence: str, said: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = tmp_path / "built/CoreLayer/python/lamp-1.0.dist-info"
    built.mkdir(parents=True)
    (built / "METADATA").write_text(f"Metadata-Version: 2.1\nName: lamp\nVersion: 1.0\n{licence}\n")
    tool = tmp_path / "cyclonedx-py"
    tool.write_text('#!/bin/sh\necho \'{"components": [{"name": "lamp", "version": "1.0"}]}\'\n')
    tool.chmod(0o700)
    main = runpy.run_path(str(ROOT / "scripts/sbom.py"))["main"]
    monkeypatch.setitem(main.__globals__, "BUILT", tmp_path / "built")
    with pytest.raises(SystemExit, match=said) if said else nullcontext():
        main(tool, tmp_path / "out")
    rows = (tmp_path / "out/licences.md").read_text().splitlines()
    assert rows[2] == f"| CoreLayer | lamp | 1.0 | {'' if said else 'ISC, of old'} |"
    assert any("@sparticuz/chromium" in row for row in rows)
    assert json.loads((tmp_path / "out/ChromiumLayer.cdx.json").read_text())["bomFormat"] == "CycloneDX"
