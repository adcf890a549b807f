"""What the command shows of pages: whole at any width, and nothing that a terminal would obey."""

import io
import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from gleaner.adapters.models.streaming import StreamedAnswer
from gleaner.cli.batch import _show
from gleaner.cli.display import Progress, plain, records_shown, show_result, shown
from gleaner.cli.options import write_output
from gleaner.cli.pipes import end_quietly_when_closed
from gleaner.cli.scrape import with_advice
from gleaner.contracts.models import (
    Completeness,
    ExtractionError,
    ExtractionResult,
    JobError,
    MediaPayload,
    ScrapeResult,
    Usage,
)
from gleaner.contracts.ports import ModelAnswer
from gleaner.results.exports import to_csv
from gleaner.testing.server import chat_stream
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

WIDE: list[dict[str, Any]] = [
    {f"field {column}": f"value {row}-{column}" for column in range(12)} | {"note": "word " * 40} for row in range(5)
]


def drawn(records: list[dict[str, Any]], width: int, limit: int = 20) -> str:
    out = io.StringIO()
    Console(file=out, width=width, force_terminal=True, color_system=None).print(records_shown(records, width, limit))
    return out.getvalue()


@pytest.mark.req("CL-1")
@pytest.mark.parametrize("width", [60, 80, 200])
def test_records_with_many_fields_stay_readable_at_any_width(width: int) -> None:
    text = drawn(WIDE, width, 3)
    assert all(f"value {row}-{column}" in text for row in range(3) for column in range(12))
    assert "value 3-0" not in text
    assert "3 of 5 records shown" in text
    assert max(map(len, text.splitlines())) <= width


@pytest.mark.req("CL-1")
def test_a_page_can_not_command_the_terminal() -> None:
    evil = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egnp.exe"
    for text in (drawn([{"name": evil, evil: 1}], 100), plain(evil)):
        assert not set(text) & set("\x1b\x07\x9b\u202e")


@pytest.mark.req("CL-1")
def test_no_way_of_writing_commands_the_terminal() -> None:
    evil = "\x9b31m\u202egnp.exe"
    master, terminal = os.openpty()
    try:
        with open(terminal, "w", encoding="utf-8", closefd=False) as file:
            stream = end_quietly_when_closed(file)
            assert stream is not None
            stream.writelines([json.dumps({"title": evil}, ensure_ascii=False), "\n"])
            stream.flush()
        write_output(Path(os.ttyname(terminal)), to_csv([{"title": f"\x1b[2J{evil}"}]))
        got = ""
        while got.count("\n") < 3:  # JSON's line, the head and the row of the CSV: what is there may come in pieces
            got += os.read(master, 1000).decode()
    finally:
        os.close(terminal)
        os.close(master)
    assert got.count("31m") == 2
    assert not set(got) & set("\x1b\x9b\u202e")


@pytest.mark.req("CL-1")
def test_a_program_gets_what_the_page_says() -> None:
    with tempfile.TemporaryFile("w+", encoding="utf-8") as file:
        stream = end_quietly_when_closed(file)
        assert stream is not None
        stream.write("\x9b31m")
        file.seek(0)
        assert file.read() == "\x9b31m"


@pytest.mark.req("CL-1")
@given(st.text())
def test_only_control_characters_are_changed(text: str) -> None:
    assert len(shown(text)) == len(text)
    assert all(one == was or one == "\ufffd" for one, was in zip(shown(text), text, strict=True))
    assert shown("naïve 名前\t🌳\n") == "naïve 名前\t🌳\n"


@pytest.mark.req("CL-1")
@pytest.mark.parametrize(
    ("error_type", "said", "advice"),
    [
        ("http_status_error", "https://e.example/500 answered 404 Not Found", "require a login"),
        ("http_status_error", "https://e.example/ answered 503 Service Unavailable", "try again later"),
        ("http_status_error", "https://e.example/ answered 429 Too Many Requests", "try again later"),
        ("blocked_address", "http://127.1/ is refused: 127.1 is an unusual spelling of 127.0.0.1", None),
        ("browser_crashed", "the browser did not start", "gleaner doctor"),
        ("too_many_redirects", "more than 10 redirects", None),
    ],
)
def test_what_to_do_about_a_failure_depends_on_who_can_mend_it(
    capsys: pytest.CaptureFixture[str], error_type: str, said: str, advice: str | None
) -> None:
    show_result(ScrapeResult(status="failed", job_id="j", error=JobError(error_type=error_type, message=said)))
    told = capsys.readouterr().err
    assert said in told
    assert advice in told if advice else "→" not in told


@pytest.mark.req("CL-1", "SS-1")
@pytest.mark.parametrize(
    ("url", "said", "allowed"),
    [
        ("http://e.example/", "e.example leads to 10.0.0.1, which is private", "e.example:80"),
        ("http://127.0.0.1:8000/x", "127.0.0.1 is loopback", "127.0.0.1:8000"),
        ("https://[::1]/", "::1 is loopback", "[::1]:443"),
        ("http://db.local/", "db.local is a name for internal use", "db.local:80"),
        ("http://169.254.169.254/", "169.254.169.254 is a cloud metadata service", None),
        ("http://127.1/", "127.1 is an unusual spelling of 127.0.0.1; write the address plainly", None),
    ],
)
def test_the_refusal_of_a_server_of_ones_own_names_the_option_that_allows_it(
    url: str, said: str, allowed: str | None
) -> None:
    error = JobError(error_type="blocked_address", message=f"{url} is refused: {said}")
    told = with_advice(ScrapeResult(status="failed", job_id="j", url=url, error=error)).error
    assert told is not None
    assert told.message.endswith(f"--allow-host {allowed}" if allowed else said)


@pytest.mark.req("CL-1", "SS-1")
def test_the_refusal_of_an_address_that_a_page_leads_to_names_that_address() -> None:
    error = JobError(error_type="blocked_address", message="http://10.0.0.1:81/x is refused: 10.0.0.1 is private")
    told = with_advice(ScrapeResult(status="failed", job_id="j", url="http://e.example/", error=error)).error
    assert told is not None
    assert told.message.endswith("--allow-host 10.0.0.1:81")


@pytest.mark.req("CL-1")
def test_the_steps_of_long_work_are_told_as_they_end(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress() as progress:
        progress.step("probe_media", "started", {})
        assert capsys.readouterr().err == ""
        progress.step("probe_media", "succeeded", {})
        assert re.fullmatch(r" *✓ probe +0\.\d\d s\n", capsys.readouterr().err)
        for chunk in (3, 7):
            progress.step("extract_chunk", "started", {"chunk": chunk})
            progress.step("extract_chunk", "failed", {"chunk": chunk})
        progress.step("extract_chunk", "started", {"chunk": 3})
        progress.step("extract_chunk", "succeeded", {"chunk": 3})
        progress.step("chunk_page", "waiting", {})
        progress.step("chunk_page", "waiting", {})
    first, second, again, waits = capsys.readouterr().err.splitlines()
    assert "✗ extract chunk 1" in first
    assert "✗ extract chunk 2" in second
    assert "✓ extract chunk 1" in again
    assert "waiting for the recipe of a similar page" in waits
    with Progress(silent=True) as progress:
        progress.step("probe_media", "succeeded", {})
    assert capsys.readouterr().err == ""


@pytest.mark.req("CL-1")
def test_a_terminal_shows_the_step_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr("gleaner.cli.display.stderr", Console(file=terminal, force_terminal=True, width=100))
    answers = [StreamedAnswer() for _ in range(3)]
    for answer in answers:
        answer.feed(chat_stream(ModelAnswer('[{"name": "Tidal mug"}, {"name": "Slate bowl"}]')))
    answers[0].is_going = False
    with Progress() as progress:
        progress.step("render_page", "started", {})
        for answer in answers:
            progress.written.add(answer)
    assert "render, 24 tokens, 4 records so far  0 s" in terminal.getvalue()


RESULT = ScrapeResult(
    status="partial",
    job_id="j",
    media=MediaPayload(
        format="screenshot",
        screenshot_mime="image/png",
        screenshot_base64=None,
        key="k",
        url="file:///k.png",
        size=1234,
    ),
    warnings=["Twice said.", "Twice said."],
    extraction=ExtractionResult(
        data=[{"name": "Larch jug"}],
        tier="model",
        completeness=Completeness(expected=2, returned=1, method="units"),
        usage=Usage(calls=1, input_tokens=1200, output_tokens=34, cache_hits=2, usd=0.01),
        extraction_id="ex_1",
        aggregate_summary="1 unique record from 1 page",
        errors=[ExtractionError(error_type="missing_units", message="Gorse jug is missing")],
        declined={"structured": "two tables have these columns"},
    ),
)


@pytest.mark.req("CL-1")
def test_all_that_is_to_be_known_of_a_result_is_told_beside_it(capsys: pytest.CaptureFixture[str]) -> None:
    show_result(RESULT, ["jugs.json"])
    told = capsys.readouterr()
    assert json.loads(told.out) == [{"name": "Larch jug"}]
    for said in (
        "partial", "1 of 2 records", "answered by a model",
        "tier 0      gave no answer: two tables have these columns", "1 model call, 1,200 tokens in, 34 out, $0.0100",
        "2 from the cache",
        "--extraction-id ex_1", "1 unique record from 1 page", "image/png, 1,234 bytes", "file:///k.png",
        "error       missing_units: Gorse jug is missing", "jugs.json",
    ):  # fmt: skip
        assert said in told.err
    assert told.err.count("Twice said.") == 1


@pytest.mark.req("CL-1")
def test_links_are_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    show_result(ScrapeResult(status="complete", job_id="j", title="Jugs", links=["https://e.example/a"] * 3), limit=2)
    told = capsys.readouterr()
    assert told.out == "https://e.example/a\nhttps://e.example/a\n… 1 more line\n"
    assert "complete    Jugs" in told.err


@pytest.mark.req("CL-1")
def test_what_a_program_reads_is_the_pages_text_to_the_letter(capsys: pytest.CaptureFixture[str]) -> None:
    text = "Lap 12:100:30, :x: and [red]red[/red]\t| a\tb"
    show_result(ScrapeResult(status="complete", job_id="j", title=":x: [red]red[/red]", markdown=text))
    told = capsys.readouterr()
    assert told.out == text + "\n"
    assert ":x: [red]red[/red]" in told.err
    show_result(ScrapeResult(status="complete", job_id="j", extraction=ExtractionResult(data=[{"name": text}])))
    assert json.loads(capsys.readouterr().out) == [{"name": text}]


@pytest.mark.req("CL-1")
def test_a_narrow_terminal_breaks_no_name_that_is_to_be_copied(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = io.StringIO()
    narrow = Console(file=terminal, force_terminal=True, color_system=None, width=20)
    monkeypatch.setattr("gleaner.cli.display.stderr", narrow)
    monkeypatch.setattr("gleaner.cli.batch.stderr", narrow)
    show_result(RESULT)
    summary = {"status": "complete", "total": 1, "counts": {"complete": 1}, "bad_lines": [], "bad_line_count": 0}
    _show({**summary, "batch_id": "k" * 41}, None, None, as_json=False)
    lines = terminal.getvalue().splitlines()
    assert "  reuse       --extraction-id ex_1" in lines
    assert f"  done: 1 complete of 1 pages, batch {'k' * 41}" in lines
    assert any("--out FILE" in line for line in lines), "where its results are"
    assert capsys.readouterr().err == ""


@pytest.mark.req("GT-4")
def test_a_long_step_shows_for_how_long_it_goes_on_and_how_much_has_been_read(monkeypatch: pytest.MonkeyPatch) -> None:
    out, now = io.StringIO(), [100.0]
    monkeypatch.setattr("gleaner.cli.display.stderr", Console(file=out, force_terminal=True, color_system=None))
    monkeypatch.setattr("gleaner.cli.display.time.monotonic", lambda: now[0])
    progress = Progress()
    for chunk in (0, 1, 2):
        progress.step("extract_chunk", "started", {"job": {"job_id": "j"}, "chunk": chunk})
    now[0] = 142.0
    progress.step("extract_chunk", "succeeded", {"job": {"job_id": "j"}, "chunk": 1})
    assert progress._status is not None
    drawn = io.StringIO()
    Console(file=drawn, width=80, color_system=None).print(progress._status)
    assert "extract, 1 of 3 parts read  42 s" in drawn.getvalue()
