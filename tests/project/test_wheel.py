"""What an installation that is no checkout holds (LB-1)."""

import zipfile
from pathlib import Path

import pytest
from gleaner.local import runner
from hatchling.build import build_editable, build_wheel

ROOT = Path(__file__).parents[2]


def _built(build: object, folder: Path) -> Path:
    name = build(str(folder))  # type: ignore[operator]
    with zipfile.ZipFile(folder / name) as wheel:
        wheel.extractall(folder)
    return folder / "gleaner"


@pytest.mark.req("LB-1", "WF-1")
def test_a_wheel_holds_the_functions_and_the_machines_that_the_library_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT / "layers/core")
    package = _built(build_wheel, tmp_path)
    monkeypatch.setattr(runner, "__file__", str(package / "local/runner.py"))
    root = runner.project_root.__wrapped__()  # past its cache
    assert root == package / "deployed"
    for given in [*ROOT.glob("functions/*/handler.py"), *ROOT.glob("statemachine/*.json")]:
        assert (root / given.relative_to(ROOT)).read_bytes() == given.read_bytes()


@pytest.mark.req("LB-1")
def test_an_editable_installation_copies_none_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "layers/core")
    assert not _built(build_editable, tmp_path).exists()
