"""The API answers on AWS as the documents say, and here as there (AP-1)."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from gleaner.api.lambda_app import answer_event, lambda_app
from gleaner.contracts.settings import load_settings
from gleaner.jobs.batches import Politeness, parse_list
from gleaner.jobs.jobs import JobRef
from gleaner.jobs.places import jobs_of
from gleaner.local.runner import LocalRunner
from gleaner.service.events import start_batch
from gleaner.service.gateway import PATIENCE, Gateway, pauses_within
from gleaner.steps.failure import record_failure
from gleaner.wiring import WiredServices

pytestmark = pytest.mark.req("AP-1")


@pytest.fixture
def runner(tmp_path: Path) -> Iterator[LocalRunner]:
    services = WiredServices(load_settings({}, home=tmp_path))
    runner = LocalRunner(services)
    yield runner
    runner.close()
    services.close()


def send(runner: LocalRunner, method: str, path: str) -> Any:
    """Ask as API Gateway does, on a route with its authorizer."""
    event: Any = {
        "version": "2.0", "routeKey": "$default", "rawPath": path, "rawQueryString": "", "headers": {},
        "requestContext": {"http": {"method": method, "path": path}, "stage": "$default",
                           "authorizer": {"lambda": {"tenant": "acme"}}},
    }  # fmt: skip
    return answer_event(lambda_app(runner.services, starter=runner), event, None, runner.services)


@pytest.mark.parametrize(
    ("method", "path", "status", "allowed"),
    [
        ("GET", "/mcp", 405, "POST"), ("DELETE", "/mcp", 405, "POST"), ("PUT", "/v1/jobs", 405, "GET"),
        ("PATCH", "/v1/jobs/one", 405, "DELETE, GET"), ("POST", "/docs", 405, "GET"),
        ("PUT", "/v1/nothing", 404, None), ("GET", "/nothing", 404, None),
    ],
)  # fmt: skip
def test_a_method_that_a_path_does_not_take_is_told_what_it_takes(
    runner: LocalRunner, method: str, path: str, status: int, allowed: str | None
) -> None:
    answer = send(runner, method, path)
    assert answer["statusCode"] == status
    assert json.loads(answer["body"])["status"] == status
    assert answer["headers"].get("Allow") == allowed


def test_head_is_get_without_a_body(runner: LocalRunner) -> None:
    answer = send(runner, "HEAD", "/v1/jobs")
    assert (answer["statusCode"], answer["body"]) == (200, "")
    assert send(runner, "HEAD", "/v1/jobs/none")["statusCode"] == 404


@pytest.mark.parametrize("wait_s", [0.2, 6.0, 25.0])
def test_a_wait_looks_often_at_first_and_seldom_later(wait_s: float) -> None:
    clock = [0.0]
    looks = 0
    for pause in pauses_within(wait_s, lambda: clock[0]):
        assert pause <= max(0.05, PATIENCE * clock[0])
        clock[0] += pause
        looks += 1
    assert clock[0] == pytest.approx(wait_s)
    assert looks <= 45


def test_a_job_that_is_refused_in_planning_ends_no_earlier_than_it_begins(runner: LocalRunner) -> None:
    failure: Any = {"Error": "InvalidRequest", "Cause": '{"errorMessage": "colour: unknown field"}'}
    record_failure({"input": {"colour": "red"}, "execution": "refused", "failure": failure}, runner.services)
    record: Any = jobs_of(runner.services).status(JobRef("refused"))
    assert record["status"] == "failed"
    assert record["finished_at"] >= record["created_at"]


def test_batches_are_listed_and_the_one_of_an_upload_is_found(runner: LocalRunner) -> None:
    services = runner.services
    for key in ("inbox/acme/one.txt", "inbox/acme/two.txt"):
        services.blobs.write(key, b"http://10.0.0.1/\n")
        detail: Any = {"bucket": {"name": "b"}, "object": {"key": key, "version-id": "v"}}
        start_batch({"detail-type": "Object Created", "id": key, "detail": detail}, services, runner)
    Gateway(services, runner, "acme").batches.prepare("by-hand", parse_list(b"https://a.example"), Politeness())
    everything = json.loads(send(runner, "GET", "/v1/batches")["body"])
    assert len(everything["batches"]) == 3
    event_path = "/v1/batches"
    app = lambda_app(services, starter=runner)
    event: Any = {
        "version": "2.0", "routeKey": "$default", "rawPath": event_path,
        "rawQueryString": "",
        "queryStringParameters": {"source": "inbox/acme/two.txt", "limit": "1"},
        "headers": {},
        "requestContext": {"http": {"method": "GET", "path": event_path}, "stage": "$default",
                           "authorizer": {"lambda": {"tenant": "acme"}}},
    }  # fmt: skip
    answer: Any = answer_event(app, event, None, services)
    (found,) = json.loads(answer["body"])["batches"]
    assert found["source"] == "inbox/acme/two.txt"
    assert found["batch_id"] in {one["batch_id"] for one in everything["batches"]}
    assert "request_digest" not in found


def test_a_list_of_batches_of_one_upload_is_read_page_by_page(runner: LocalRunner) -> None:
    batches = Gateway(runner.services, runner, "acme").batches
    for number in range(5):
        source = "inbox/acme/list" if number % 2 == 0 else "inbox/acme/other"
        batches.prepare(f"b{number}", parse_list(b"https://a.example"), Politeness(), source=source)
    found, after = [], None
    while True:
        page = batches.of_upload("inbox/acme/list", limit=1, after=after)
        found += [item.data["batch_id"] for item in page.items]
        after = page.next
        if after is None:
            break
    assert found == ["b0", "b2", "b4"]


@pytest.mark.parametrize(
    ("text", "status"), [("x" * 5_900_000, 200), ('"' * 3_100_000, 413), ("é" * 2_900_000, 200), ("é" * 3_100_000, 413)]
)
def test_a_body_that_lambda_would_not_take_is_not_taken_here(http: httpx.Client, text: str, status: int) -> None:
    """In the body ``"`` is two characters, in what a function is handed four."""
    body = json.dumps({"text_a": text if '"' not in text else text[: len(text) // 2], "text_b": ""}, ensure_ascii=False)
    assert http.post("/v1/similarity", content=body.encode()).status_code == status


@pytest.mark.parametrize(
    ("region", "host"),
    [("eu-central-1", "bucket.s3.eu-central-1.amazonaws.com"), ("us-east-1", "bucket.s3.us-east-1.amazonaws.com")],
)
def test_a_presigned_url_is_of_the_region_and_signed_as_every_region_takes_it(
    monkeypatch: pytest.MonkeyPatch, region: str, host: str
) -> None:
    import boto3

    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    for name, value in {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_DEFAULT_REGION": region}.items():
        monkeypatch.setenv(name, value)
    services = WiredServices(load_settings({}, cloud=True, table_name="t", bucket_name="bucket"))
    url = urlsplit(services.blobs.url("media/acme/x.pdf"))
    assert (url.scheme, url.netloc, url.path) == ("https", host, "/media/acme/x.pdf")
    assert parse_qs(url.query)["X-Amz-Algorithm"] == ["AWS4-HMAC-SHA256"]


@pytest.mark.req("ME-2", "AU-1")
def test_a_caller_of_the_server_is_given_no_path_of_its_files(server: Any, http: httpx.Client) -> None:
    from gleaner.contracts.models import MediaPayload, ScrapeResult

    ref = JobRef("with-media")
    server.services.blobs.write("media/default/p/plan.pdf", b"%PDF-1.7")
    media = MediaPayload(
        screenshot_mime="application/pdf", key="media/default/p/plan.pdf", size=8,
        url=server.services.blobs.url("media/default/p/plan.pdf"),
    )  # fmt: skip
    jobs_of(server.services).open(ref, "https://a.example/plan.pdf")
    jobs_of(server.services).close(ref, ScrapeResult(status="complete", job_id=ref.job_id, format="media", media=media))
    answer = http.get("/v1/jobs/with-media/result")
    assert "file:" not in answer.text
    assert str(server.services.settings.home) not in answer.text
    assert http.get(answer.json()["media"]["url"]).content == b"%PDF-1.7"
