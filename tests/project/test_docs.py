"""The documents hold true: Python blocks compile or run, commands parse, JSON reads, links lead somewhere.

A Python block after ``<!-- run -->`` is executed, in an empty folder and after the blocks of its document that ran
before it. Others are compiled only.
"""

import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from gleaner.cli.commands import app
from gleaner.contracts.errors import InvalidSettings
from gleaner.contracts.settings import load_settings

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
NOT_OURS = frozenset({"spec.md"})
BLOCK = re.compile(r"^(<!-- run -->\n+)?```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
PACKAGE = ROOT / "layers/core/src/gleaner"
ABOUT_CODE = ("decisions.md", "how-it-works.md", "where-to-change.md")
PATH_IN_CODE = re.compile(r"`([a-z_]+(?:/[a-z_]+)*/(?:[a-z_.]+\.(?:py|json|js|toml))?)`")
MAKE_TARGETS = frozenset(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


@dataclass(frozen=True)
class Block:
    """A fenced block of a document."""

    document: Path
    line: int
    language: str
    text: str
    runs: bool

    def __str__(self) -> str:
        return f"{self.document.name}:{self.line}"


def blocks(document: Path) -> list[Block]:
    text = document.read_text("utf-8")
    return [
        Block(document, text[: found.start(3)].count("\n"), found[2], found[3], bool(found[1]))
        for found in BLOCK.finditer(text)
    ]


ALL = [block for document in DOCUMENTS if document.name not in NOT_OURS for block in blocks(document)]
RUNNING = sorted({block.document for block in ALL if block.runs})


def commands(block: Block) -> list[list[str]]:
    """Give the commands of a shell block as words, without comments, prompts and assignments before them."""
    lines = block.text.replace("\\\n", " ").splitlines()
    return [words for line in lines for words in commands_of(re.sub(r"^\$ ", "", line.strip()))]


def commands_of(line: str) -> list[list[str]]:
    """Give a line's commands, parted at the shell's operators; what stands after ``>`` is a file."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    found: list[list[str]] = [[]]
    for word in lexer:
        if set(word) <= set("&|;><()"):
            found.append(["to a file"] if ">" in word else [])
        else:
            found[-1].append(word)
    return [stripped for words in found if (stripped := without_assignments(words))]


def without_assignments(words: list[str]) -> list[str]:
    while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
        words = words[1:]
    return words


def parse(words: list[str]) -> None:
    """Parse a command of ours as the command line itself would; unknown subcommands and options raise."""
    command: Any = typer.main.get_command(app)
    rest = words[1:]
    while hasattr(command, "commands"):
        if not rest or rest[0].startswith("-"):
            break
        assert rest[0] in command.commands, f"there is no command {' '.join(words)}"
        command, rest = command.commands[rest[0]], rest[1:]
    command.make_context(" ".join(words), list(rest), resilient_parsing="--help" in rest)


def problem_of(words: list[str]) -> str | None:
    """Say what is wrong with a command; None when it could be run."""
    if words[0] == "make":
        unknown = {word for word in words[1:] if "=" not in word} - MAKE_TARGETS
        return f"make has no {sorted(unknown)}" if unknown else None
    if words[0] == "export":
        return problem_of_settings(words[1:])
    if words[0] == "python" and len(words) > 1 and not words[1].startswith("-"):
        return None if (ROOT / words[1]).is_file() else f"there is no {words[1]}"
    if words[:2] in (["docker", "run"], ["docker", "compose"]) and "gleaner" in words:
        words = words[len(words) - 1 - words[::-1].index("gleaner") :]  # past the image's or the service's name
    if words[0] != "gleaner":
        return None
    try:
        parse(words)
    except (typer.BadParameter.__mro__[1], AssertionError) as error:
        return str(error) or repr(error)
    return None


def problem_of_settings(assignments: list[str]) -> str | None:
    given = dict(assignment.partition("=")[::2] for assignment in assignments)
    try:
        load_settings(given)
    except InvalidSettings as error:
        return error.message
    return None


@pytest.mark.req("CL-1")
@pytest.mark.parametrize("block", [block for block in ALL if block.language in ("sh", "bash", "console")], ids=str)
def test_every_command_in_the_documents_is_one_that_can_be_run(block: Block) -> None:
    problems = {" ".join(words): problem for words in commands(block) if (problem := problem_of(words))}
    assert not problems


@pytest.mark.parametrize("block", [block for block in ALL if block.language == "python"], ids=str)
def test_every_python_block_in_the_documents_compiles(block: Block) -> None:
    compile(block.text, str(block), "exec")


@pytest.mark.req("LB-1")
@pytest.mark.parametrize("document", RUNNING, ids=lambda path: path.name)
def test_the_python_blocks_that_are_to_run_do(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": f"document_{document.stem.replace('-', '_')}"}
    for block in blocks(document):
        if block.runs:
            lines = "\n" * block.line
            exec(compile(lines + block.text, str(document), "exec"), namespace)


@pytest.mark.parametrize("block", [block for block in ALL if block.language in ("json", "yaml")], ids=str)
def test_every_json_and_yaml_block_in_the_documents_reads(block: Block) -> None:
    json.loads(block.text) if block.language == "json" else list(yaml.compose_all(block.text))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_to_a_file_leads_to_one(document: Path) -> None:
    targets = [link for link in LINK.findall(document.read_text("utf-8")) if "://" not in link]
    missing = [link for link in targets if not (document.parent / link).exists()]
    assert not missing


@pytest.mark.parametrize("name", ABOUT_CODE)
def test_every_path_that_a_page_about_the_code_names_is_there(name: str) -> None:
    named = PATH_IN_CODE.findall((ROOT / "docs" / name).read_text("utf-8"))
    missing = [path for path in named if not (PACKAGE / path).exists() and not (ROOT / path).exists()]
    assert named
    assert not missing


@pytest.mark.parametrize(
    "line",
    [
        "gleaner scrape https://a.example --colour red",
        "gleaner scrap https://a.example",
        "gleaner tokens make",
        "gleaner scrape https://a.example --wait-for soon",
        "docker compose exec gleaner gleaner tokens make",
        "make everything",
        "export GLEANER_COLOUR=red",
    ],
)
def test_a_command_that_could_not_be_run_is_noticed(line: str) -> None:
    assert problem_of(shlex.split(line))


def test_commands_are_read_as_a_shell_would() -> None:
    line = "GLEANER_MODEL=none gleaner serve --port 0 & gleaner tokens list --json | jq . > out.json  # and so on"
    assert commands_of(line) == [
        ["gleaner", "serve", "--port", "0"],
        ["gleaner", "tokens", "list", "--json"],
        ["jq", "."],
        ["to a file", "out.json"],
    ]


def test_a_command_that_can_be_run_is_let_pass() -> None:
    assert problem_of(shlex.split("gleaner scrape https://a.example -f links --allow-host 127.0.0.1:8000")) is None
    assert problem_of(["make", "demo"]) is None
