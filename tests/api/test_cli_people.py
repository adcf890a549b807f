"""The command as people expect it: files by their endings, addresses as they are typed, and what was probably meant."""

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gleaner.cli import run
from gleaner.cli.doctor import install_command
from gleaner.cli.outputs import ENDINGS, check_fits, write_result
from gleaner.contracts.errors import InvalidRequest
from gleaner.contracts.models import ScrapeResult
from gleaner.contracts.web_addresses import with_scheme
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer

from tests.support.schemas import NUMBER, TEXT, list_of, object_of

Captured = pytest.CaptureFixture[str]
BOOKS = [("Rain", 5.25), ('Salt; and "sand"', 7.5), ("Öl", 12.0)]
SCHEMA = json.dumps(list_of(object_of(title=TEXT, price=NUMBER)))  # fmt: skip


class Library(LoopbackServer):
    """Pages with a table of books, and one that is broken; counts its visitors."""

    def __init__(self) -> None:
        self.visits: list[str] = []
        super().__init__(_LibraryHandler)


class _LibraryHandler(LoopbackHandler):
    owner: Library

    def do_GET(self) -> None:
        self.owner.visits.append(self.path)
        if not self.path.startswith("/books"):
            self.answer(404, "text/html", b"<h1>Gone</h1>")
            return
        rows = "".join(f"<tr><td>{title}</td><td>{price}</td></tr>" for title, price in BOOKS)
        table = f"<h1>Books</h1><table><tr><th>Title</th><th>Price</th></tr>{rows}</table>"
        self.answer(200, "text/html; charset=utf-8", f"<!doctype html><title>Books</title>{table}".encode())


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Library]:
    monkeypatch.setenv("GLEANER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GLEANER_MODEL", "none")
    with Library() as served:
        monkeypatch.setenv("GLEANER_ALLOW_HOSTS", served.host)
        yield served


def scrape(library: Library, *options: str) -> int:
    return run(["scrape", f"{library.url}/books", "--no-javascript", *options])


@pytest.mark.req("CL-1")
def test_records_go_into_a_table_of_cells_by_one_command(library: Library, tmp_path: Path) -> None:
    target = tmp_path / "books.csv"
    assert scrape(library, "--schema", SCHEMA, "-o", str(target)) == 0
    with target.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows == [["title", "price"], *([title, str(price)] for title, price in BOOKS)]


@pytest.mark.req("CL-1")
def test_a_table_of_cells_has_the_schemas_columns_whatever_the_page_leaves_out(
    library: Library, tmp_path: Path
) -> None:
    target = tmp_path / "books.csv"
    unread = json.dumps({"type": "array", "items": {"type": "object", "properties": {"isbn": {}, "author": {}}}})
    assert scrape(library, "--schema", unread, "-o", str(target)) == 3
    assert target.read_text("utf-8").splitlines() == ["isbn,author"]
    listed = tmp_path / "pages.txt"
    listed.write_text(f"{library.url}/books\n{library.url}/gone\n")
    assert run(["batch", str(listed), "--no-javascript", "--schema", unread, "--out", str(target)]) == 3
    assert target.read_text("utf-8").splitlines() == ["source_url,isbn,author"]


@pytest.mark.req("CL-1")
def test_a_file_is_written_as_its_ending_says(library: Library, tmp_path: Path) -> None:
    for name in ("books.ndjson", "books.json", "books.md"):
        assert scrape(library, "--schema", SCHEMA, "-o", str(tmp_path / name)) == 0
    lines = (tmp_path / "books.ndjson").read_text("utf-8").splitlines()
    assert [json.loads(line)["title"] for line in lines] == [title for title, _ in BOOKS]
    assert json.loads((tmp_path / "books.json").read_text("utf-8"))["status"] == "complete"
    assert (tmp_path / "books.md").read_text("utf-8").startswith("# Books\n")


@pytest.mark.req("CL-1", "BR-2")
def test_a_picture_is_asked_for_by_the_ending_of_its_file(tmp_path: Path) -> None:
    target = tmp_path / "page.png"
    assert check_fits(target, {"url": "u", "format": "markdown"})["format"] == "fullscreenshot"
    assert check_fits(target, {"url": "u", "format": "screenshot"})["format"] == "screenshot"
    stored = tmp_path / "stored.png"
    stored.write_bytes(b"\x89PNG")
    for inline in ("data:image/png;base64,iVBORw==", None):
        media = {
            "screenshotMime": "image/png",
            "key": "k",
            "url": stored.as_uri(),
            "size": 4,
            "screenshotBase64": inline,
        }
        result = ScrapeResult[Any].model_validate({"status": "complete", "job_id": "j", "media": media})
        target.unlink(missing_ok=True)
        assert write_result(target, result) is None
        assert target.read_bytes() == b"\x89PNG"
    assert "no screenshot" in str(write_result(target, ScrapeResult(status="complete", job_id="j")))


@pytest.mark.req("CL-1")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-o", "books.xls"], "nothing is written as .xls; use .json, .csv"),
        (["-o", "books.csv"], "is for records: say which with --schema"),
        (["-o", "page.md", "--format", "links"], "is for Markdown"),
        (["--shema", "{}"], "--schema"),
        (["--schema", '{"type": "object", "propertys": {}}'], "properties"),
        (["--model", "gpt-4o"], "did you mean openai:gpt-4o?"),
        (["--config", '{"max_chunk_char": 500}'], "did you mean config.max_chunk_chars?"),
    ],
)
def test_what_cannot_be_meant_is_told_with_what_probably_was(
    library: Library, capsys: Captured, options: list[str], said: str
) -> None:
    assert scrape(library, *options) in (2, 78)
    assert said in capsys.readouterr().err
    assert library.visits == []


@pytest.mark.req("CL-1")
def test_an_address_is_taken_as_people_type_it(library: Library) -> None:
    assert run(["scrape", f"{library.host}/books", "--no-javascript"]) == 0
    typed = {
        "example.com": "https://example.com", " example.com/a?b=c ": "https://example.com/a?b=c",
        "localhost:8000/x": "http://localhost:8000/x", "[::1]:80": "http://[::1]:80",
        "https://a.example": "https://a.example", "ftp://a.example": "ftp://a.example",
        "books": "books", "a b.c": "a b.c",
    }  # fmt: skip
    assert {text: with_scheme(text) for text in typed} == typed


@pytest.mark.req("CL-1", "SS-1")
@pytest.mark.parametrize("as_json", [True, False])
def test_a_server_of_ones_own_is_refused_with_the_option_that_allows_it(
    library: Library, capsys: Captured, monkeypatch: pytest.MonkeyPatch, as_json: bool
) -> None:
    monkeypatch.delenv("GLEANER_ALLOW_HOSTS")
    assert scrape(library, *(["--json"] if as_json else [])) == 77
    told = capsys.readouterr()
    assert f"--allow-host {library.host}" in (told.out if as_json else told.err)


@pytest.mark.req("CL-1", "WF-2")
def test_a_batch_tells_every_failure_in_a_file_and_fetches_no_duplicate_twice(
    library: Library, tmp_path: Path, capsys: Captured
) -> None:
    pages = ["/books", "/books?b", "/books", *(f"/gone-{number}" for number in range(8))]
    listed = tmp_path / "list.txt"
    listed.write_text("\n".join([*(library.url + page for page in pages), "no url"]))
    out = tmp_path / "results.ndjson"
    options = ["--no-javascript", "--ignore-robots", "--schema", SCHEMA, "--out", str(out)]
    assert run(["batch", str(listed), *options]) == 3
    told = capsys.readouterr().err
    assert "1, each fetched once" in told
    assert str(tmp_path / "results.failures.csv") in told
    with (tmp_path / "results.failures.csv").open(newline="") as file:
        failures = list(csv.DictReader(file))
    assert [row["url"].rpartition("/")[2] for row in failures[:-1]] == [f"gone-{number}" for number in range(8)]
    assert {row["error_type"] for row in failures[:-1]} == {"http_status_error"}
    assert failures[-1]["url"] == "line 12"
    assert [json.loads(line)["url"].removeprefix(library.url) for line in out.read_text().splitlines()] == [
        "/books", "/books?b", *(f"/gone-{number}" for number in range(8)),
    ]  # fmt: skip
    assert library.visits.count("/books") == 1
    assert run(["batch", str(listed), *options[:-1], str(tmp_path / "all.csv")]) == 3
    with (tmp_path / "all.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["title"] for row in rows] == [title for title, _ in BOOKS] * 2
    assert rows[0]["source_url"] == f"{library.url}/books"


@pytest.mark.req("CL-1", "WF-2")
def test_a_batchs_results_are_in_their_file_as_soon_as_they_are_there(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, seen = tmp_path / "results.ndjson", list[int]()

    def look(_path: Path, _lines: Any) -> None:
        seen.append(len(out.read_text().splitlines()))

    monkeypatch.setattr("gleaner.cli.batch.write_output", look)
    listed = tmp_path / "list.txt"
    listed.write_text(f"{library.url}/books\n{library.url}/books?2")
    assert run(["batch", str(listed), "--no-javascript", "--ignore-robots", "--out", str(out)]) == 0
    assert seen == [2]


@pytest.mark.req("CL-1")
def test_advice_on_what_to_install_fits_how_gleaner_was_installed() -> None:
    assert install_command("gleaner-extract") == "make setup"
    places = {
        "/home/a/.local/pipx/venvs/gleaner": "pipx install --force 'gleaner-extract'",
        "/home/a/.local/share/uv/tools/gleaner": "uv tool install 'gleaner-extract'",
        "/srv/app/.venv": f"{sys.executable} -m pip install 'gleaner-extract'",
    }
    assert {prefix: install_command("gleaner-extract", prefix) for prefix in places} == places


def test_every_ending_says_what_it_holds() -> None:
    assert all(ENDINGS.values())
    with pytest.raises(InvalidRequest, match=r"use \.json"):
        check_fits(Path("a.docx"), {})
