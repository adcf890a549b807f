"""What a job's steps have stored tells how far it is, where nobody has watched them: on AWS, and after a restart."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.contracts.errors import ModelUnavailable
from gleaner.contracts.ports import JsonObject
from gleaner.jobs.jobs import JobRef
from gleaner.local.engine import scaled_retry_waits
from gleaner.local.runner import LocalRunner
from gleaner.service.gateway import Gateway
from gleaner.service.progress import stored_progress
from gleaner.testing import FunctionModel
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer

PAGE = "<title>Walks</title><h1>Walks</h1>" + "".join(
    f"<h2>Walk {number}</h2><p>{'A path along the shore, over a stile and back. ' * 8}</p>" for number in range(9)
)
SCHEMA = {"type": "object", "properties": {"mood": {"type": ["string", "null"]}}}
SMALL = {"max_chunk_chars": 800, "max_concurrent_chunks": 1}


class Site(LoopbackHandler):
    def do_GET(self) -> None:
        is_media = self.path == "/picture"
        body = b"\x89PNG\r\n\x1a\n" if is_media else PAGE.encode()
        self.answer(200, "image/png" if is_media else "text/html", body)


@pytest.fixture
def site() -> Iterator[LoopbackServer]:
    with LoopbackServer(Site) as server:
        yield server


@pytest.mark.req("AP-1", "UI-1")
@pytest.mark.parametrize(
    ("path", "request_fields"),
    [
        ("/walks", {"output_schema": SCHEMA, "config": SMALL, "enable_javascript": False}),
        ("/walks", {"output_schema": SCHEMA, "config": SMALL}),
        ("/walks", {"enable_javascript": False}),
        ("/walks", {"format": "links"}),
        ("/picture", {}),
    ],
)
def test_each_step_is_told_while_it_runs_and_when_it_is_done(
    tmp_path: Path, site: LoopbackServer, path: str, request_fields: dict[str, Any]
) -> None:
    done: list[str] = []
    chunks: list[tuple[int, int]] = []
    told: list[tuple[str, list[str], list[tuple[str, str]]]] = []

    def on_step(function: str, phase: str, payload: JsonObject) -> None:
        if phase == "succeeded" and function not in done:
            done.append(function)
        if phase != "started" or function == "plan_scrape":
            return
        progress = stored_progress(JobRef.read(payload["job"]), "running", gleaner.services.blobs)
        told.append((function, list(done), [(str(step["name"]), str(step["status"])) for step in progress.steps]))
        if function == "extract_chunk":
            chunks.append((progress.chunks_done, progress.chunks_total))

    model = FunctionModel(lambda _: json.dumps({"mood": None}))
    with Gleaner(model=model, home=tmp_path, allow_hosts=[site.host], on_step=on_step) as gleaner:
        result = gleaner.scrape(f"{site.url}{path}", **request_fields)
        runner = LocalRunner(gleaner.services)
        job = Gateway(gleaner.services, runner).job(str(result.job_id))
        runner.close()
    assert result.status != "failed", result.error
    for function, before, steps in told:
        if function != "render_page":  # until the page is there, nothing tells it from the probe before it
            done_before = [(name, "succeeded") for name in before if name != function]
            assert steps == [*done_before, (function, "running")]
    assert [(step["name"], step["status"]) for step in job["steps"]] == [(name, "succeeded") for name in done]  # pyright: ignore
    if "output_schema" in request_fields:
        total = len(chunks)
        assert total > 3
        assert chunks == [(number, total) for number in range(total)]
        assert (job["chunks_done"], job["chunks_total"]) == (total, total)


@pytest.mark.req("AP-1")
def test_a_job_that_failed_tells_the_steps_that_it_did(tmp_path: Path, site: LoopbackServer) -> None:
    with Gleaner(home=tmp_path, allow_hosts=[site.host]) as gleaner:
        result = gleaner.scrape(f"{site.url}/walks", enable_javascript=False, css_selector="#none")
        runner = LocalRunner(gleaner.services)
        job = Gateway(gleaner.services, runner).job(str(result.job_id))
        runner.close()
    assert job["status"] == "failed"
    assert [step["name"] for step in job["steps"]] == ["plan_scrape", "probe_media"]  # pyright: ignore


@pytest.mark.req("AP-1", "UI-1")
def test_a_chunk_that_is_tried_again_is_one_chunk(tmp_path: Path, site: LoopbackServer) -> None:
    tries: list[str] = []

    def answer(prompt: str) -> str:
        tries.append(prompt)
        if len(tries) < 3:
            raise ModelUnavailable("down")
        return "They are all by the sea."

    with Gleaner(model=FunctionModel(answer), home=tmp_path, allow_hosts=[site.host]) as gleaner:
        runner = LocalRunner(gleaner.services)
        gateway = Gateway(gleaner.services, runner)
        with scaled_retry_waits(0.01):
            ref, result = gateway.scrape(
                {"url": f"{site.url}/walks", "enable_javascript": False, "query": "where?"}, wait_s=20
            )
        job = gateway.job(ref.job_id)
        runner.close()
    assert result is not None and result.status == "complete", result
    assert len(tries) == 3
    assert (job["chunks_done"], job["chunks_total"]) == (1, 1)
    asked = [step for step in job["steps"] if step["name"] == "extract_chunk"]  # pyright: ignore
    assert [step["status"] for step in asked] == ["succeeded"]  # pyright: ignore
