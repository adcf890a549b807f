"""What is wrong in a command is told in one line that names it, before any work is done."""

import errno
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from gleaner.cli import main, run
from gleaner.cli.doctor import Finding, _browser
from gleaner.cli.options import read_json_option, write_output
from gleaner.cli.pipes import CLOSED_PIPE, take_any_text
from gleaner.contracts.errors import InvalidRequest
from gleaner.contracts.settings import Settings, load_settings

MonkeyPatch = pytest.MonkeyPatch
Captured = pytest.CaptureFixture[str]
PAGE = "https://e.example/"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "taken").mkdir()
    (tmp_path / "file").write_text("not a folder")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/gleaner.db").write_text("no database at all, but some text that is long enough")
    (tmp_path / "list.txt").write_text(f"{PAGE}\n")
    (tmp_path / "columns.csv").write_text(f"url,colour\n{PAGE},red\n")
    (tmp_path / "bytes").write_bytes(b"\xff\x00\x9c" * 50)
    (tmp_path / "empty").write_text("\n")
    return tmp_path


@pytest.mark.req("CL-1")
@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["scrape"], 2, "a URL or --page-id"),
        (["scrape", PAGE, "--page-id", "abcdefgh"], 2, "a URL or --page-id"),
        (["scrape", "--page-id", "zz"], 2, "page_id.*'zz'"),
        (["scrape", "nowhere"], 2, "'nowhere'"),
        (["scrape", "http://[::1"], 2, r"'http://\[::1'"),
        (["scrape", PAGE, "--colour", "red"], 2, "--colour"),
        (["scrape", PAGE, "--wait-for", "abc"], 2, "--wait-for.*, not 'abc'; see `gleaner scrape --help`"),
        (["scrape", ""], 2, "url: .*, not ''"),
        (["scrape", PAGE, "--schema", "FOLDER/empty"], 2, "--schema: .*empty is empty; it must hold JSON"),
        (["scrape", PAGE, "--wait-for", "-5"], 2, "wait_for.*-5"),
        (["scrape", PAGE, "--max-usd", "-1"], 2, "max_usd.*-1"),
        (["scrape", PAGE, "--profile", "root"], 2, "profile.*'root'"),
        (["scrape", PAGE, "--schema", "FOLDER/none.json"], 2, "--schema.*none.json: No such file"),
        (["scrape", PAGE, "--schema", "{bad"], 2, "--schema.*{bad"),
        (["scrape", PAGE, "--schema", "FOLDER/bytes"], 2, "--schema.*not UTF-8"),
        (["scrape", PAGE, "--config", "[1]"], 2, "config"),
        (["scrape", PAGE, "--output", "FOLDER/none/x.json"], 2, "--output.*none"),
        (["scrape", PAGE, "--output", "FOLDER/taken"], 2, "--output.*taken is a folder"),
        (["scrape", PAGE, "--home", "FOLDER/file"], 78, "home: .*file can't be the data folder: it is a file"),
        (["scrape", PAGE, "--home", "FOLDER/file/in"], 78, "home: .*in can't be the data folder: not a directory"),
        (["scrape", PAGE, "--home", "FOLDER/broken"], 78, "gleaner.db can't be used"),
        (["scrape", PAGE, "--model", "foo:bar"], 78, "'foo:bar'"),
        (["batch", "FOLDER/none"], 2, "none: No such file"),
        (["batch", "FOLDER/taken"], 2, "taken"),
        (["batch", "FOLDER/bytes"], 2, "UTF-8"),
        (["batch", "FOLDER/empty"], 2, "no request"),
        (["batch", "FOLDER/columns.csv"], 2, "'colour'"),
        (["batch", "FOLDER/list.txt", "--per-host", "0"], 2, "per_host.*0"),
        (["batch", "FOLDER/list.txt", "--out", "FOLDER/taken"], 2, "--out.*taken"),
        (["extraction", "show", "x", "--output", "FOLDER/none/x"], 2, "--output.*none"),
        (["extraction", "show", "x", "--format", "xml"], 2, "'--format' / '-f': 'xml' is not one of"),
        (["serve", "--port", "99999"], 2, "--port.*, not '99999'"),
        (["serve", "--host", "256.1.1.1", "--require-token"], 78, "256.1.1.1:8080: (?!Unknown)"),
        (["serve", "--host", "0.0.0.0", "--port", "0"], 2, "add --require-token"),
        (["scrape", PAGE, "--allow-host", "zzz"], 78, "allow_hosts.*'zzz'.*host:port"),
        (["serve", "--allow-host", "127.0.0.1"], 78, "allow_hosts.*'127.0.0.1'.*host:port"),
        (["mcp", "--model", "zzz"], 78, "'zzz'"),
        (["mcp", "--allow-host", "zzz"], 78, "allow_hosts.*'zzz'.*host:port"),
        (["nothing"], 2, "'nothing'.*; see `gleaner --help`"),
        (["scrap"], 2, r"Did you mean 'scrape', 'crawl'\? See `gleaner --help`"),
    ],
)
def test_what_is_wrong_is_told_in_one_line_that_names_it(
    folder: Path, capsys: Captured, arguments: list[str], code: int, told: str
) -> None:
    filled = [argument.replace("FOLDER", str(folder)) for argument in arguments]
    if not {"--home", "nothing"} & set(filled):
        filled += ["--home", str(folder / "home")]
    assert run(filled) == code
    error = capsys.readouterr().err
    lines = [line for line in error.splitlines() if line.startswith("error: ")]
    assert len(lines) == 1
    assert "Traceback" not in error
    assert re.search(told, lines[0]), lines[0]


@pytest.mark.req("CL-1")
def test_a_server_that_can_not_start_leaves_the_signals_as_they_are(folder: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    assert run(["mcp", "--model", "zzz", "--home", str(folder / "home")]) == 78
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.req("CL-1")
@pytest.mark.parametrize(
    ("arguments", "error_type"),
    [
        (["scrape", "--json"], "invalid_request"),
        (["scrape", PAGE, "--json", "--colour", "red"], "invalid_request"),
        (["scrape", PAGE, "--json", "--max-usd", "-1"], "invalid_request"),
        (["scrape", PAGE, "--model", "foo:bar", "--json"], "invalid_settings"),
        (["scrape", PAGE, "--home", "FOLDER/file", "--json"], "invalid_settings"),
    ],
)
def test_with_json_what_is_wrong_is_one_result_that_failed(
    folder: Path, capsys: Captured, arguments: list[str], error_type: str
) -> None:
    assert run([argument.replace("FOLDER", str(folder)) for argument in arguments]) != 0
    told = capsys.readouterr()
    result = json.loads(told.out)
    assert (result["status"], result["error"]["error_type"]) == ("failed", error_type)
    assert result["error"]["message"] in told.err


@pytest.mark.req("CL-1")
def test_the_command_says_its_version_and_its_exit_codes(capsys: Captured) -> None:
    assert run(["--version"]) == 0
    assert re.fullmatch(r"gleaner \d+\.\d+\.\d+\n", capsys.readouterr().out)
    assert run(["--help"]) == 0
    assert "3 partial" in capsys.readouterr().out


@pytest.mark.req("CL-1")
@pytest.mark.parametrize("arguments", [["nowhere"], [PAGE, "--max-usd", "nan"], [PAGE, "--format", "html"]])
def test_a_request_that_is_wrong_in_itself_is_told_before_anything_is_made(
    arguments: list[str], tmp_path: Path, capsys: Captured
) -> None:
    assert run(["scrape", *arguments, "--home", str(tmp_path / "home")]) == 2
    assert "error:" in capsys.readouterr().err
    assert not (tmp_path / "home").exists()


@pytest.mark.req("CL-1")
def test_ctrl_c_while_the_command_is_loaded_leaves_no_traceback() -> None:
    code = (
        "import sys, gleaner.cli\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'gleaner.cli.commands':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "gleaner.cli.main(['--version'])\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert (ended.returncode, ended.stderr) == (130, "error: interrupted\n")


@pytest.mark.req("CL-1")
@pytest.mark.parametrize(
    ("home", "said"), [("file", "file is a file, not a folder"), ("broken", "file is not a database; move it away")]
)
def test_the_doctor_looks_at_all_even_where_the_data_folder_is_none(
    folder: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, home: str, said: str
) -> None:

    def is_missing(_: Settings) -> str:
        raise ModuleNotFoundError(name="playwright")

    monkeypatch.setattr("gleaner.cli.doctor.browser_version", is_missing)
    monkeypatch.setenv("GLEANER_LLM_OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert run(["doctor", "--json", "--home", str(folder / home), "--model", "openai:m"]) == 1
    found = {finding["name"]: finding for finding in json.loads(capsys.readouterr().out)}
    assert list(found) == ["python", "data folder", "browser", "state machine", "model"]
    assert said in found["data folder"]["found"]
    works = [finding["works"] for finding in found.values()]
    assert works == [True, False, False, True, False]
    assert found["browser"]["found"] == "playwright is not installed"
    assert "check the model's name" in found["model"]["advice"]


@pytest.mark.req("CL-1")
@pytest.mark.parametrize(
    ("where", "advice"), [("profiles", "make the folder writable"), ("../lib", "run `make setup`")]
)
def test_the_doctor_tells_a_folder_that_the_browser_may_not_write_from_a_browser_that_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, advice: str
) -> None:

    def is_refused(settings: Settings) -> str:
        raise PermissionError(13, "Permission denied", str((settings.home / where).resolve()))

    monkeypatch.setattr("gleaner.cli.doctor.browser_version", is_refused)
    finding = _browser(load_settings({}, home=tmp_path / "home"))
    assert finding.found.endswith(f"{Path(where).name}: Permission denied")
    assert finding.advice.startswith(advice)


@pytest.mark.req("CL-1")
@pytest.mark.parametrize(("works", "code"), [(True, 0), (False, 1)])
def test_the_doctor_says_what_to_do_and_whether_all_is_well(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, works: bool, code: int
) -> None:
    def look(_: Settings) -> Finding:
        return Finding("it", works, "as [found]", "mend it")

    for check in ("_browser", "_state_machine"):
        monkeypatch.setattr(f"gleaner.cli.doctor.{check}", look)
    assert run(["doctor", "--home", str(tmp_path)]) == code
    told = capsys.readouterr().out
    assert f"{'✓' if works else '✗'} it             as [found]" in told
    assert "→ mend it" in told


@pytest.mark.req("CL-1")
@pytest.mark.parametrize("said", ["short", "long" * 100_000])
def test_output_that_nobody_reads_any_more_ends_the_command_quietly(monkeypatch: MonkeyPatch, said: str) -> None:
    read, write = os.pipe()
    os.close(read)

    def work(_: object) -> int:
        sys.stdout.write(said)
        return 0

    monkeypatch.setattr("gleaner.cli.run", work)
    with os.fdopen(write, "w", encoding="utf-8") as closed:
        monkeypatch.setattr(sys, "stdout", closed)
        with pytest.raises(SystemExit) as left:
            main([])
        assert left.value.code == CLOSED_PIPE
        assert sys.stdout.fileno() == write
        sys.stdout.write("what a library still says at its end")
        sys.stdout.flush()


@pytest.mark.req("CL-1")
def test_a_command_without_an_output_ends_with_its_own_code(monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr("gleaner.cli.run", lambda _: 3)
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(SystemExit) as left:
        main([])
    assert left.value.code == 3


class FullDisk(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.req("CL-1")
@pytest.mark.parametrize(("arguments", "code"), [(["--version"], 74), (["scrape", "nowhere", "--json"], 2)])
def test_an_output_on_a_full_disk_is_told_in_one_line(
    arguments: list[str], code: int, monkeypatch: MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(sys, "stdout", FullDisk())
    assert run(arguments) == code
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.req("CL-1")
def test_what_a_program_reads_is_utf_8_in_every_locale_and_json_whatever_a_page_holds(tmp_path: Path) -> None:
    name = "Köln \ud800 \U0001f600"
    text = json.dumps(name, ensure_ascii=False)
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii", write_through=True)
    take_any_text(stream)
    stream.write(text)
    write_output(tmp_path / "out.json", [text])
    for written in (raw.getvalue(), (tmp_path / "out.json").read_bytes()):
        assert json.loads(written.decode()) == name


@pytest.mark.req("CL-1")
def test_a_schema_in_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_bytes(b'\xef\xbb\xbf{"type": "object"}')
    assert read_json_option("--schema", str(tmp_path / "schema.json")) == {"type": "object"}


@pytest.mark.req("CL-1")
def test_a_dash_is_the_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"type": "object"}')))
    assert read_json_option("--schema", "-") == {"type": "object"}


@pytest.mark.req("CL-1")
def test_what_is_wrong_with_the_standard_input_is_said_of_the_standard_input(monkeypatch: MonkeyPatch) -> None:
    for given, said in ((b"", "is empty"), (b"{", "is not valid JSON")):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given)))
        with pytest.raises(InvalidRequest, match=f"--schema: the standard input {said}"):
            read_json_option("--schema", "-")


@pytest.mark.req("CL-1")
def test_an_output_that_fails_leaves_what_was_there_and_touches_no_other_file(tmp_path: Path) -> None:
    """Not even a file of the name that a part of it might have had."""

    def lines() -> Iterator[str]:
        yield "half of it"
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    kept = {"out.json": "before", "out.json.part": "somebody's"}
    for name, text in kept.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(OSError, match=r"No space left.*out\.json'"):
        write_output(tmp_path / "out.json", lines())
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == kept
    os.link(tmp_path / "out.json", tmp_path / "link")
    write_output(tmp_path / "out.json", ["after"])
    assert (tmp_path / "link").read_text() == "before"  # a file in place of the other, and not its bytes
    (tmp_path / "link").unlink()
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == kept | {"out.json": "after"}
