"""What is too large for a function's answer is read at a URL of its own, by every way in (AP-1, ME-2)."""

import base64
import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from gleaner.api import large_answers
from gleaner.api.lambda_app import answer_event, lambda_app
from gleaner.contracts.models import ExtractionResult, MediaPayload, ScrapeResult
from gleaner.contracts.settings import load_settings
from gleaner.jobs.batches import Politeness, parse_list
from gleaner.jobs.jobs import JobRef
from gleaner.jobs.places import jobs_of
from gleaner.local.runner import LocalRunner
from gleaner.mcp.results import show_result
from gleaner.service.gateway import Gateway
from gleaner.wiring import WiredServices

QUOTA = 6_291_556
"""Bytes that Lambda takes of a function's answer: AWS Lambda quotas, "invocation payload", as its runtime counts."""
WORDS = 'Glaze "tenmoku" \\ 1.280 °C\n'
pytestmark = pytest.mark.req("AP-1", "ME-2")


@pytest.fixture
def runner(tmp_path: Path):
    services = WiredServices(load_settings({}, home=tmp_path))
    runner = LocalRunner(services)
    yield runner
    runner.close()
    services.close()


def get(runner: LocalRunner, path: str, method: str = "GET", body: Any = None) -> dict[str, Any]:
    """Ask as API Gateway does; the answer must be one that Lambda takes."""
    path, _, query = path.partition("?")
    event: Any = {
        "version": "2.0", "routeKey": "$default", "rawPath": path, "rawQueryString": query,
        "headers": {"content-type": "application/json"}, "isBase64Encoded": False,
        "queryStringParameters": dict(pair.split("=") for pair in query.split("&")) if query else {},
        "body": None if body is None else json.dumps(body),
        "requestContext": {"http": {"method": method, "path": path}, "stage": "$default",
                           "authorizer": {"lambda": {"tenant": "acme"}}},
    }  # fmt: skip
    app = lambda_app(runner.services, starter=runner)
    answer: Any = answer_event(app, event, None, runner.services)
    assert len(json.dumps(answer, ensure_ascii=False).encode()) <= QUOTA
    return answer


def read(answer: dict[str, Any]) -> bytes:
    """Give the whole body, wherever it is."""
    if answer["statusCode"] == 303:
        said = json.loads(answer["body"])
        assert said["location"] == answer["headers"]["Location"]
        body = Path(unquote(urlsplit(said["location"]).path)).read_bytes()
        assert said["bytes"] == len(body)
        return body
    assert answer["statusCode"] == 200
    return base64.b64decode(answer["body"]) if answer["isBase64Encoded"] else answer["body"].encode()


def close(runner: LocalRunner, name: str = "j", **fields: Any) -> ScrapeResult:
    """Store a job's result, as its last step does."""
    ref = JobRef(name, "acme")
    jobs_of(runner.services).open(ref, "https://a.example/")
    result = ScrapeResult(status="complete", job_id=name, url="https://a.example/", **fields)
    jobs_of(runner.services).close(ref, result)
    return result


def stored_media(runner: LocalRunner, size: int, name: str = "j") -> bytes:
    body = bytes(range(256)) * (size // 256)
    key = f"media/acme/page/{name}.pdf"
    runner.services.blobs.write(key, body, "application/pdf")
    payload = MediaPayload(screenshot_mime="application/pdf", key=key, url="file:///x", size=len(body))
    close(runner, name, format="media", media=payload)
    return body


@pytest.mark.parametrize("times", [10, 150_000, 400_000])
def test_a_result_is_read_whole_whatever_its_size(runner: LocalRunner, times: int) -> None:
    result = close(runner, markdown=WORDS * times)
    answer = get(runner, "/v1/jobs/j/result")
    assert json.loads(read(answer)) == result.to_json()
    assert answer["statusCode"] == (200 if times < 150_000 else 303)


@pytest.mark.parametrize("times", [100, 220_000])
def test_a_pages_text_is_read_whole_whatever_its_size(runner: LocalRunner, times: int) -> None:
    close(runner)
    runner.services.blobs.write(JobRef("j", "acme").key("content.md"), (WORDS * times).encode())
    answer = get(runner, "/v1/jobs/j/markdown")
    assert read(answer).decode() == WORDS * times
    if times > 100:
        assert json.loads(answer["body"])["content_type"].startswith("text/markdown")
        assert answer["headers"]["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("size", [1_000, large_answers.MAX_BINARY - 256, large_answers.MAX_BINARY + 256, 9_000_000])
def test_media_are_read_whole_whatever_their_size(runner: LocalRunner, size: int) -> None:
    body = stored_media(runner, size)
    answer = get(runner, "/v1/jobs/j/screenshot")
    assert read(answer) == body
    assert answer["statusCode"] == (200 if size <= large_answers.MAX_BINARY else 303)


def test_the_same_large_answer_is_stored_once(runner: LocalRunner) -> None:
    close(runner, markdown=WORDS * 400_000)
    first, second = (get(runner, "/v1/jobs/j/result")["headers"]["Location"] for _ in range(2))
    assert first == second


def test_a_page_of_results_is_read_on_from_where_the_one_before_ended(runner: LocalRunner) -> None:
    """One result is larger than an answer; what is beside it is read as before."""
    batches = Gateway(runner.services, runner, "acme").batches
    batches.open("b", parse_list(b"https://a.example\nhttps://b.example"), Politeness(), {})
    for number, times in ((1, 10), (2, 400_000), (3, 10)):
        close(runner, f"b-{number:06}", markdown=WORDS * times)
    path, found = "/v1/batches/b/results?limit=1", list[str]()
    while path:
        page = json.loads(read(get(runner, path)))
        found += [result["job_id"] for result in page["results"]]
        path = f"/v1/batches/b/results?limit=1&after={page['next']}" if page["next"] else ""
    assert found == ["b-000001", "b-000002", "b-000003"]


def test_an_mcp_client_is_told_the_url_of_a_file_that_is_too_large_whole(runner: LocalRunner) -> None:
    stored_media(runner, 9_000_000)
    long = "https://bucket.example/" + "x" * 1_800
    gateway = Gateway(runner.services, runner, "acme", media_url=lambda _: long)
    answer = show_result(gateway, gateway.result("j"))
    links = [block for block in answer.content if block.type == "resource_link"]
    assert [str(link.uri) for link in links] == [long]


def test_an_mcp_answer_holds_no_picture_that_lambda_would_not_take(runner: LocalRunner) -> None:
    data = "data:image/png;base64," + "A" * 6_400_000
    payload = MediaPayload(
        format="screenshot",
        screenshot_mime="image/png",
        screenshot_base64=data,
        key="k",
        url="file:///x",
        size=4_800_000,
    )
    for fields in ({}, {"extraction": ExtractionResult(data={"a": 1})}):
        close(runner, "j", format="screenshot", media=payload, **fields)
        gateway = Gateway(runner.services, runner, "acme")
        answer = show_result(gateway, gateway.result("j"))
        assert len(answer.model_dump_json()) < QUOTA
        assert [block.type for block in answer.content] == ["text", "resource_link"]


def test_the_playground_may_read_what_is_in_the_bucket_and_nothing_else() -> None:
    from gleaner.api.playground import WEB, file_headers

    policy = file_headers(WEB / "index.html", "https://b.s3.eu-central-1.amazonaws.com")["content-security-policy"]
    parts = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert parts["connect-src"] == "'self' https://b.s3.eu-central-1.amazonaws.com"
    assert parts["script-src"] == "'self'"
