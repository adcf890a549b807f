"""What is secret stays here: in no message, and in no process that reads what strangers wrote."""

import json
import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.cli import run
from gleaner.errors import InvalidSettings

from tests.promises.lamps import FORTY, LAMPS, MODEL_ALONE, URL, page_of
from tests.promises.servers import Answer, Pages
from tests.support.asking import Make

SECRET = "hunter-2-and-3"
NUMBER = 87654321


@pytest.mark.req("BR-6")
@pytest.mark.parametrize(
    "settings",
    [
        {"api_key": NUMBER},
        {"proxy_password": NUMBER, "proxy_username": NUMBER},
        {"llm": {"headers": {"X-Key": NUMBER}}},
        {"extra_headers": {"Cookie": NUMBER}},
    ],
    ids=str,
)
def test_a_setting_that_is_wrong_is_named_and_its_secret_is_not_repeated(
    tmp_path: Path, settings: dict[str, Any]
) -> None:
    with pytest.raises(InvalidSettings) as refused:
        Gleaner(home=tmp_path, **settings)
    assert next(iter(settings)).partition("_")[0] in str(refused.value)
    assert str(NUMBER) not in str(refused.value)


@pytest.mark.req("BR-6", "CL-1")
@pytest.mark.parametrize("name", ["GLEANER_LLM_HEADERS", "GLEANER_BROWSER_EXTRA_HEADERS", "GLEANER_LLM"])
def test_the_command_does_not_repeat_a_secret_that_is_not_valid_json(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.setenv(name, f'{{"Authorization": "{SECRET}"')
    assert run(["scrape", URL, "--home", str(tmp_path)]) == 78
    said = capsys.readouterr()
    assert "is not valid JSON" in said.err
    assert SECRET not in said.err + said.out


@pytest.mark.req("EX-12")
@pytest.mark.parametrize("status", [400, 401, 500])
@pytest.mark.parametrize("setting", [{"api_key": SECRET}, {"llm": {"headers": {"X-Key": f"Bearer {SECRET}"}}}])
def test_what_a_model_server_says_of_the_key_is_told_without_the_key(
    make: Make, status: int, setting: dict[str, Any]
) -> None:
    said = json.dumps({"error": {"message": f"the key {SECRET} is of no use here"}}).encode()
    answer = Answer(said, "application/json", status)
    with Pages(answers=dict.fromkeys(("/v1/models", "/v1/chat/completions"), answer)) as server:
        gleaner = make("openai:lamp-reader", openai_base_url=f"{server.url}/v1", **setting)
        html = page_of(FORTY[:3])
        result = gleaner.extract_html(html, URL, output_schema=LAMPS, config=MODEL_ALONE)
    assert server.asked
    told = json.dumps(result.to_json())
    assert "is of no use here" in told
    assert SECRET not in told


def small_document() -> bytes:
    """Give a PDF of one page with a line of text."""
    from io import BytesIO

    from reportlab.pdfgen.canvas import Canvas

    out = BytesIO()
    canvas = Canvas(out)
    canvas.drawString(72, 720, "Lamp 00 by Arden costs 3.40")
    canvas.save()
    return out.getvalue()


@pytest.mark.req("DO-1", "SS-1")
def test_the_process_that_reads_documents_knows_no_secret(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told, python = tmp_path / "environment", tmp_path / "python"
    python.write_text(f'#!/bin/sh\nenv >> {shlex.quote(str(told))}\nexec {shlex.quote(sys.executable)} "$@"\n')
    python.chmod(0o755)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setattr(sys, "executable", str(python))
    result = make().extract_document(small_document())
    assert "Lamp 00" in (result.markdown or "")
    assert "PATH=" in told.read_text()
    assert SECRET not in told.read_text()


def descendants() -> Iterator[Path]:
    """Give the folders in /proc of the processes that this one has started, and that these have started."""
    parents: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        parents.setdefault(parent, []).append(int(folder.name))
    left = [os.getpid()]
    while left:
        begun = parents.get(left.pop(), [])
        left += begun
        yield from (Path("/proc", str(number)) for number in begun)


@pytest.mark.req("SS-1", "BR-1")
@pytest.mark.skipif(sys.platform != "linux", reason="what a process was given is read from /proc")
def test_no_process_of_the_browser_knows_a_secret(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    with Pages() as site:
        gleaner = make(allow_hosts=[site.host])
        assert gleaner.scrape(site.page("/", "<h1>Lamps</h1>")).status == "complete"
        started = [one for one in descendants() if b"--user-data-dir" in (one / "cmdline").read_bytes()]
        assert started
        assert not [one for one in started if SECRET.encode() in (one / "environ").read_bytes()]
