"""``gleaner scrape``: each option is a field of the request, each way to end an exit code of its own."""

import json
from pathlib import Path
from typing import Any

import pytest
from gleaner.cli import run, scrape
from gleaner.contracts.models import JobError, ScrapeResult, parse_request
from gleaner.contracts.ports import Services
from gleaner.jobs.batches import ParsedList, Politeness
from gleaner.service.gateway import Gateway

Captured = pytest.CaptureFixture[str]
PAGE = "https://e.example/"
SCHEMA = {"type": "array", "items": {"type": "object"}}


class Installation:
    """Stands in for the machine: takes requests, and ends each with the result it is given."""

    def __init__(self, result: ScrapeResult) -> None:
        self.result = result
        self.requests: list[dict[str, Any]] = []
        self.settings: list[dict[str, Any]] = []

    def __call__(self, request: dict[str, Any], **settings: Any) -> ScrapeResult:
        parse_request(request)
        self.requests.append(request)
        self.settings.append(settings)
        return self.result


@pytest.fixture
def installation(monkeypatch: pytest.MonkeyPatch) -> Installation:
    made = Installation(ScrapeResult(status="complete", job_id="j", url=PAGE, markdown="Text"))
    monkeypatch.setattr(scrape, "run_request", made)
    return made


OPTIONS: list[tuple[list[str], dict[str, Any]]] = [
    (["--query", "all mugs"], {"query": "all mugs"}),
    (["--schema", json.dumps(SCHEMA)], {"output_schema": SCHEMA}),
    (["--schema", "FOLDER/schema.json"], {"output_schema": SCHEMA}),
    (["--format", "links"], {"format": "links"}),
    (["--selector", "#main"], {"css_selector": "#main"}),
    (["--extraction-id", "mugs"], {"extraction_id": "mugs"}),
    (["--extract-links"], {"extract_links": True}),
    (["--start-from-char", "7"], {"start_from_char": 7}),
    (["--wait-for", "250"], {"wait_for": 250}),
    (["--profile", "master"], {"profile": "master"}),
    (["--no-javascript"], {"enable_javascript": False}),
    (["--parser", "default"], {"parser": "default"}),
    (["--config", '{"overlap_lines": 1}'], {"config": {"overlap_lines": 1}}),
    (
        ["--max-tokens", "9", "--max-usd", "0.5", "--deadline", "3"],
        {"budget": {"max_tokens": 9, "max_usd": 0.5, "deadline_s": 3.0}},
    ),
]


@pytest.mark.req("CL-1")
@pytest.mark.parametrize(("options", "fields"), OPTIONS)
def test_an_option_is_a_field_of_the_request(
    installation: Installation, tmp_path: Path, options: list[str], fields: dict[str, Any]
) -> None:
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA))
    assert run(["scrape", PAGE, *(option.replace("FOLDER", str(tmp_path)) for option in options)]) == 0
    assert installation.requests == [{"url": PAGE, "format": "markdown", **fields}]


@pytest.mark.req("CL-1")
def test_a_page_that_is_known_is_named_in_place_of_a_url(installation: Installation) -> None:
    assert run(["scrape", "--page-id", "abcdefgh", "--model", "none", "--allow-host", "127.0.0.1:1"]) == 0
    assert installation.requests == [{"page_id": "abcdefgh", "format": "markdown"}]
    (settings,) = installation.settings
    assert settings == {"silent": False, "model": "none", "home": None, "allow_hosts": ["127.0.0.1:1"]}


@pytest.mark.req("CL-1")
@pytest.mark.parametrize(
    ("status", "error_type", "code"),
    [
        ("complete", None, 0),
        ("partial", None, 3),
        ("failed", "invalid_selector", 2),
        ("failed", "http_status_error", 69),
        ("failed", "blocked_address", 77),
        ("failed", "browser_crashed", 75),
        ("failed", "internal_error", 70),
    ],
)
def test_a_script_can_tell_by_the_exit_code_how_a_scrape_ended(
    installation: Installation, capsys: Captured, status: Any, error_type: str | None, code: int
) -> None:
    error = JobError(error_type=error_type, message="why") if error_type else None
    installation.result = ScrapeResult(status=status, job_id="j", url=PAGE, markdown="Text", error=error)
    assert run(["scrape", PAGE]) == code
    shown = capsys.readouterr()
    assert "why" in shown.err if error else "Text" in shown.out


@pytest.mark.req("CL-1")
def test_json_is_all_that_is_printed_and_is_what_is_written(
    installation: Installation, capsys: Captured, tmp_path: Path
) -> None:
    written = tmp_path / "result.json"
    assert run(["scrape", PAGE, "--json", "--output", str(written)]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out) == json.loads(written.read_text()) == installation.result.to_json()
    assert shown.err == ""
    assert installation.settings[0]["silent"] is True


BATCH_OPTIONS: list[tuple[list[str], dict[str, Any], dict[str, Any]]] = [
    ([], {}, {}),
    (["--query", "all mugs"], {"query": "all mugs"}, {}),
    (["--schema", json.dumps(SCHEMA)], {"output_schema": SCHEMA}, {}),
    (["--extraction-id", "mugs"], {"extraction_id": "mugs"}, {}),
    (["--no-javascript"], {"enable_javascript": False}, {}),
    (["--concurrency", "3", "--per-host", "1"], {}, {"concurrency": 3, "per_host": 1}),
    (["--delay-ms", "40", "--ignore-robots"], {}, {"delay_ms": 40, "ignore_robots": True}),
]


@pytest.mark.req("CL-1", "WF-2")
def test_a_batchs_options_are_fields_of_its_requests_or_its_politeness(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "list.txt").write_text(PAGE)
    seen: list[Any] = []
    pages = {None: ([{"n": 1}], "further"), "further": ([{"n": 2}], None)}

    class Started:
        def start(self, parsed: ParsedList, politeness: Politeness, name: str) -> dict[str, Any]:
            seen.append((parsed.requests[0][1], politeness, name))
            return {}

    def keep(_: Services, begin: Any, *_out: Any, silent: bool) -> dict[str, Any]:
        begin(Started())
        counts = {"batch_id": "b", "status": "complete", "counts": {"complete": 1}, "total": 1}
        return {**counts, "bad_lines": [], "bad_line_count": 0}

    def read(_: Gateway, batch_id: str, *, limit: int, after: str | None = None) -> Any:
        return pages[after]

    monkeypatch.setattr("gleaner.cli.batch.run_to_end", keep)
    monkeypatch.setattr(Gateway, "batch_results", read)
    for options, fields, polite in BATCH_OPTIONS:
        assert run(["batch", str(tmp_path / "list.txt"), "--home", str(tmp_path), *options]) == 0
        assert seen[-1][:2] == ({"url": PAGE, **fields}, Politeness(**polite))
    assert len({name for *_, name in seen}) == len(BATCH_OPTIONS)  # asked otherwise, it is another batch
    out = tmp_path / "results.ndjson"
    assert run(["batch", str(tmp_path / "list.txt"), "--home", str(tmp_path), "--out", str(out)]) == 0
    assert out.read_text() == '{"n": 1}\n{"n": 2}\n'


@pytest.mark.req("CL-1", "BR-5")
@pytest.mark.parametrize(("ended", "how"), [("closed", "the window was closed"), ("timeout", "the time was up")])
def test_how_a_login_ended_is_told_to_people_and_to_programs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Captured, ended: str, how: str
) -> None:
    session = {"ended": ended, "cookies": 3, "origins": 1, "profile_id": "mine"}
    opened: list[str | None] = []

    def open_at(_: Services, url: str | None) -> dict[str, Any]:
        opened.append(url)
        return session

    monkeypatch.setattr("gleaner.wiring.open_master_browser", open_at)
    assert run(["open-browser", PAGE, "--home", str(tmp_path)]) == 0
    assert f"{how}; 3 cookies and the storage of 1 sites are saved for profile mine" in capsys.readouterr().err
    assert run(["open-browser", "--json", "--home", str(tmp_path)]) == 0
    told = capsys.readouterr()
    assert (json.loads(told.out), told.err) == (session, "")
    assert opened == [PAGE, None]
