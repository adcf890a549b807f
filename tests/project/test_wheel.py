"""What an installation that is no checkout holds, and that the tutorial works with it (LB-1, GT-1)."""

import csv
import inspect
import os
import re
import socket
import subprocess
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import chdir, closing, contextmanager
from email.message import Message
from pathlib import Path

import hatch_build
import pytest
from gleaner.cli.demo import demo
from gleaner.contracts import guides
from gleaner.local import runner
from hatchling.build import build_editable, build_wheel

from tests.project.test_docs import ROOT, Block, blocks

CORE = tomllib.loads((ROOT / "layers/core/pyproject.toml").read_text("utf-8"))["project"]
TUTORIAL = blocks(ROOT / "docs/tutorial.md")
SAVED_AS = re.compile(r"[Ss]ave (?:it|this) as `([a-z.]+)`")
SHOP = str(inspect.signature(demo).parameters["port"].default)
ONLY_LOCAL = ("rich", "typer", "uvicorn")
PYTHON = os.environ.get("GLEANER_WHEEL_PYTHON") or str(ROOT / ".venv/bin/python")
"""What the wheel is installed for: another Python than that of the checkout is named by hand."""


def _unpacked(file: Path, folder: Path) -> Path:
    with zipfile.ZipFile(file) as wheel:
        wheel.extractall(folder)
    return folder / "gleaner"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    with chdir(ROOT / "layers/core"):
        return folder / build_wheel(str(folder))


@pytest.mark.req("LB-1", "WF-1")
def test_a_wheel_holds_the_functions_and_the_machines_that_the_library_runs(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = _unpacked(wheel, tmp_path)
    monkeypatch.setattr(runner, "__file__", str(package / "local/runner.py"))
    root = runner.project_root.__wrapped__()  # past its cache
    assert root == package / "deployed"
    assert (package / "adapters/browser/consent/autoconsent.zip").is_file()
    for given in [*ROOT.glob("functions/*/handler.py"), *ROOT.glob("statemachine/*.json")]:
        assert (root / given.relative_to(ROOT)).read_bytes() == given.read_bytes()


@pytest.mark.req("LB-1")
def test_an_editable_installation_copies_none_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "layers/core")
    assert not _unpacked(tmp_path / build_editable(str(tmp_path)), tmp_path).exists()


@pytest.mark.req("GT-1")
def test_the_functions_import_what_the_package_needs_but_for_its_command() -> None:
    listed = (ROOT / "layers/core/requirements.in").read_text("utf-8").splitlines()
    local = [need for need in CORE["dependencies"] if need.startswith(ONLY_LOCAL)]
    assert [line for line in listed if not line.startswith("#")] + local == CORE["dependencies"]
    assert {"browser", "mcp", "documents", "models"} <= set(CORE["optional-dependencies"])


@pytest.mark.req("GT-1")
def test_the_first_page_leads_to_the_release_or_to_nothing() -> None:
    text = "![A](docs/a.png) [b](docs/b.md#c) [d](https://d.example)"
    assert hatch_build.with_urls(text, "", "1.0").split() == ["b", "[d](https://d.example)"]
    at = "https://git.example/gleaner"
    assert hatch_build.with_urls(text, at, "1.0").split() == [
        f"![A]({at}/raw/v1.0/docs/a.png)",
        f"[b]({at}/blob/v1.0/docs/b.md#c)",
        "[d](https://d.example)",
    ]


@pytest.mark.req("GT-1")
def test_a_message_names_a_guide_where_its_reader_finds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    about = Message()
    about["Version"] = "1.0"
    monkeypatch.setattr("importlib.metadata.metadata", lambda _: about)
    find = guides.guide.__wrapped__
    assert find("models") == "docs/models.md"
    about["Project-URL"] = "Source, https://git.example/gleaner"
    assert find("models") == "https://git.example/gleaner/blob/v1.0/docs/models.md"


class Stranger:
    """A folder with nothing in it and an environment with nothing but the wheel; free ports stand for those shown."""

    def __init__(self, folder: Path, environment: Path) -> None:
        self.here = folder / "here"
        self.here.mkdir()
        home = folder / "home"
        home.mkdir()
        if (ROOT / ".chromium").is_dir():  # what `gleaner install-browser` would fetch, without fetching it again
            (home / "chromium").symlink_to(ROOT / ".chromium")
        shop = _free_ports(2)
        self.ports = {"8100": shop, "8101": shop + 1, "8080": _free_ports(1)}
        kept = {name: os.environ[name] for name in ("LANG", "TMPDIR") if name in os.environ}
        path = f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"
        self.environment = {**kept, "PATH": path, "HOME": str(folder), "GLEANER_HOME": str(home)}
        self.known = ""

    def run(self, lines: str) -> str:
        """Run lines as a shell does, the last extraction id seen in place of the one shown; give what they print."""
        lines = re.sub(r"\bex_[0-9a-f]{20}\b", self.known, self.placed(lines))
        shell = ["bash", "-euo", "pipefail", "-c", lines]
        done = subprocess.run(shell, cwd=self.here, env=self.environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{lines}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        told = done.stdout + done.stderr
        self.known = next(iter(re.findall(r"ex_[0-9a-f]{20}", told)), self.known)
        return told

    @contextmanager
    def running(self, line: str, at: str) -> Iterator[subprocess.Popen[str]]:
        """Run a command that serves until it is told to end; go on when the port that is shown as ``at`` is taken."""
        with subprocess.Popen(
            ["bash", "-c", f"exec {self.placed(line)}"], cwd=self.here, env=self.environment, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
        ) as process:  # fmt: skip
            try:
                assert process.stderr is not None
                said = process.stderr.readline()
                assert f":{self.ports[at]}" in said
                yield process
            finally:
                process.terminate()

    def placed(self, text: str) -> str:
        """Give a text with the ports that are used here."""
        return re.sub(r"(?<=127\.0\.0\.1:)\d{4}|(?<=--port )\d{4}", lambda found: str(self.ports[found[0]]), text)


def _free_ports(count: int) -> int:
    """Give the first of so many free ports in a row."""
    for _ in range(100):
        with closing(socket.create_server(("127.0.0.1", 0))) as first:
            port = first.getsockname()[1]
            try:
                for more in range(1, count):
                    socket.create_server(("127.0.0.1", port + more)).close()
            except OSError:
                continue
            return port
    raise AssertionError("no free ports in a row")


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel, with the extras that the tutorial names, into an empty environment."""
    folder = tmp_path_factory.mktemp("installed")
    extras = re.search(r'pip install "gleaner-extract(\[[a-z,]+\])"', TUTORIAL[0].text)
    assert extras
    target, uv = folder / "environment", ROOT / ".venv/bin/uv"
    python = ("--python", str(target / "bin/python"), "-c", str(ROOT / "requirements.lock"))
    for command in (
        ["venv", "--quiet", "--python", PYTHON, str(target)],
        ["pip", "install", "--quiet", *python, f"{wheel}{extras[1]}"],
    ):
        subprocess.run([str(uv), *command], check=True)
    return target


def _shown(block: Block) -> list[str]:
    return [line for line in block.text.splitlines() if line.strip()]


@pytest.mark.req("GT-1", "CL-1")
@pytest.mark.timeout(600)
def test_an_empty_folder_the_wheel_and_the_tutorial_give_proven_records(environment: Path, tmp_path: Path) -> None:
    stranger = Stranger(tmp_path, environment)
    shell = [block for block in TUTORIAL if block.language == "sh"]
    serves = next(block for block in shell if "demo --serve" in block.text)
    settings = next(block for block in shell if block.text.startswith("export "))
    text = (ROOT / "docs/tutorial.md").read_text("utf-8").splitlines()
    with stranger.running(f"{serves.text.strip()} --port {SHOP}", SHOP) as shop:
        assert shop.stdout is not None
        printed = [shop.stdout.readline().strip() for _ in _shown(settings)]
        assert printed == _shown(
            Block(settings.document, settings.line, "sh", stranger.placed(settings.text), runs=False)
        )
        stranger.environment |= dict(line.removeprefix("export ").split("=", 1) for line in printed)
        program = ""
        for block in TUTORIAL:
            if block.language == "json":
                name = SAVED_AS.findall(" ".join(text[max(0, block.line - 6) : block.line]))[-1]
                (stranger.here / name).write_text(block.text, "utf-8")
            elif block.runs:
                program += block.text
            elif "gleaner serve" in block.text:
                with stranger.running(block.text.strip(), "8080"):
                    address = f"http://127.0.0.1:{stranger.ports['8080']}/"
                    with urllib.request.urlopen(address) as answer:
                        assert b"Gleaner" in answer.read()
            elif block not in (serves, settings):
                stranger.run("\n".join(line for line in _shown(block) if line.startswith("gleaner ")))
        (stranger.here / "program.py").write_text(program, "utf-8")
        stranger.run("python program.py")
    assert len(_rows(stranger.here / "stations.csv")) == 200
    products = _rows(stranger.here / "products.csv")
    assert len(products) == len({row["name"] for row in products}) == 48
    assert (stranger.here / "kiln.png").read_bytes().startswith(b"\x89PNG")


def _rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8-sig", newline="") as rows:
        return list(csv.DictReader(rows))
