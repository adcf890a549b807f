"""On AWS each log line names its job, what was counted is sent as EMF, and no page's content is logged."""

import json
import logging
import os
import socket
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from gleaner.contracts.errors import InvalidRequest
from gleaner.contracts.models import ExtractionResult, JobError, ScrapeResult, Usage
from gleaner.service import telemetry
from gleaner.steps.closing import measures_of

CONTEXT = SimpleNamespace(
    function_name="f", memory_limit_in_mb=512, invoked_function_arn="arn:f", aws_request_id="r", function_version="1"
)
JOB = {"job_id": "a1", "tenant": "acme"}


@pytest.fixture
def on_lambda(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_LAMBDA_FUNCTION_NAME", "aggregate_results")
    monkeypatch.setenv("POWERTOOLS_TRACE_DISABLED", "true")
    logger = logging.getLogger("gleaner")
    logger.handlers.clear()  # an earlier test's handler writes to that test's output
    for mark in ("init", "powertools_handler"):
        monkeypatch.delattr(logger, mark, raising=False)


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def test_every_line_names_its_job_and_none_holds_the_answers_content(
    on_lambda: None, capsys: pytest.CaptureFixture[str]
) -> None:
    handler = telemetry.observed(lambda event, context: {"status": "complete", "body": "a page's text"})
    assert handler({"job": JOB}, CONTEXT) == {"status": "complete", "body": "a page's text"}
    told = lines(capsys.readouterr().out)
    assert [(line["job_id"], line["function"], line["status"]) for line in told] == [
        ("a1", "aggregate_results", "complete")
    ]
    assert "text" not in json.dumps(told)


def test_what_a_step_counts_is_sent_as_metrics_and_goes_no_further(
    on_lambda: None, capsys: pytest.CaptureFixture[str]
) -> None:
    handler = telemetry.observed(lambda event, context: {"status": "partial", "measures": {"Pages": 1, "Records": 7}})
    assert handler({"job": JOB}, CONTEXT) == {"status": "partial"}
    (sent,) = [line for line in lines(capsys.readouterr().out) if "_aws" in line]
    assert (sent["Pages"], sent["Records"]) == ([1.0], [7.0])
    assert sent["_aws"]["CloudWatchMetrics"][0]["Namespace"] == "Gleaner"


def test_on_this_machine_the_answer_has_no_measures_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_LAMBDA_FUNCTION_NAME", raising=False)
    handler = telemetry.observed(lambda event, context: {"status": "partial", "measures": {"Pages": 1}})
    assert handler({}, None) == {"status": "partial"}


@pytest.mark.parametrize("error", [InvalidRequest("url: missing"), ZeroDivisionError("no")])
def test_an_error_is_logged_with_its_job_and_goes_on_to_the_state_machine(
    on_lambda: None, capsys: pytest.CaptureFixture[str], error: Exception
) -> None:
    def fail(event: Any, context: Any) -> Any:
        raise error

    with pytest.raises(type(error)):
        telemetry.observed(fail)({"input": {"job": JOB}, "execution": "x"}, CONTEXT)
    (line,) = lines(capsys.readouterr().out)
    assert line["job_id"] == "a1"
    assert (line["level"], "exception" in line) == (
        ("WARNING", False) if isinstance(error, InvalidRequest) else ("ERROR", True)
    )


@pytest.mark.parametrize(
    ("event", "job_id"),
    [
        ({"job": JOB}, "a1"),
        ({"input": {"job": JOB}, "execution": "other"}, "a1"),
        ({"input": "no request at all", "execution": "by-hand"}, "by-hand"),
        ({"input": ["no", "request"], "execution": "by-hand"}, "by-hand"),
        ({"input": None, "execution": "by.hand"}, telemetry.job_id_of("by.hand")),
        ({"batch": {"job_id": "b1"}, "item": {"job": JOB}}, "a1"),
        ({"batch": {"job_id": "b1"}}, "b1"),
        ({"detail": {"name": "a1", "executionArn": "arn"}}, "a1"),
        ({"name": "list.csv", "list": "https://a.example"}, None),
        ({"job": 5}, None),
        (None, None),
        ("text", None),
    ],
)
def test_the_job_is_found_in_whatever_event_names_it(event: Any, job_id: str | None) -> None:
    assert telemetry.job_id_in(event) == job_id


def test_what_is_counted_of_a_result() -> None:
    usage = Usage(calls=2, input_tokens=30, output_tokens=4, cache_hits=1, usd=0.5)
    extracted = ExtractionResult(is_partial=True, usage=usage)
    partial = measures_of(ScrapeResult(status="partial", job_id="a", extraction=extracted))
    assert partial == {
        "Pages": 1, "PagesPartial": 1, "PagesFailed": 0, "Records": 0, "ModelCalls": 2, "InputTokens": 30,
        "OutputTokens": 4, "CacheHits": 1, "UsDollars": 0.5, "ModelUnusable": 0, "PagesByRecipe": 0,
    }  # fmt: skip
    failed = ScrapeResult(status="failed", job_id="a", error=JobError(error_type="internal_error", message="no"))
    assert measures_of(failed) == {"Pages": 1, "PagesPartial": 0, "PagesFailed": 1, "ModelUnusable": 0}


def test_what_a_trace_is_found_by_goes_no_further_than_the_trace(
    on_lambda: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    from aws_lambda_powertools import Tracer

    put: dict[str, Any] = {}
    monkeypatch.setattr(Tracer, "put_annotation", lambda _, key, value: put.update({key: value}))
    handler = telemetry.observed(lambda event, context: {"chunks": [], "annotations": {"tier": "recipe"}})
    assert handler({"job": JOB}, CONTEXT) == {"chunks": []}
    assert put["tier"] == "recipe"


SENDS_A_TRACE = """
import botocore.session, sys
made = []
botocore.session.Session.create_client = lambda *_, **__: made.append(1)
from gleaner.service.telemetry import observed
@observed
def handler(event, context):
    return {"annotations": {"tier": "recipe"}}
class Context:
    function_name = function_version = invoked_function_arn = aws_request_id = "f"
    memory_limit_in_mb = 128
handler({}, Context())
assert not made, "a client was made"
assert not {"httpx", "requests"} & set(sys.modules), "what nobody traces was imported"
"""


def test_a_sampled_call_is_traced_and_no_client_is_made_for_it() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as daemon:
        daemon.bind(("127.0.0.1", 0))
        daemon.settimeout(60)
        header = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1"
        on_lambda = {
            **os.environ, "AWS_LAMBDA_FUNCTION_NAME": "f", "LAMBDA_TASK_ROOT": "/var/task",
            "AWS_DEFAULT_REGION": "eu-central-1", "_X_AMZN_TRACE_ID": header,
            "AWS_XRAY_DAEMON_ADDRESS": f"127.0.0.1:{daemon.getsockname()[1]}",
        }  # fmt: skip
        on_lambda.pop("POWERTOOLS_TRACE_DISABLED", None)
        done = subprocess.run(
            [sys.executable, "-c", SENDS_A_TRACE],
            env=on_lambda,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        told = json.loads(daemon.recv(65_536).decode().partition("\n")[2])
    assert (told["name"], told["annotations"]["tier"]) == ("## handler", "recipe")
    assert told["trace_id"] == "1-5759e988-bd862e3fe1be46a994272793"
