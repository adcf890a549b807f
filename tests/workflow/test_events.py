"""Starts by events, over the samples of events/: the same one twice starts one job, and a bad one says why."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gleaner.contracts.errors import InvalidRequest, NotFound, UnsupportedFormat
from gleaner.contracts.ports import JsonObject
from gleaner.contracts.settings import load_settings
from gleaner.jobs.batches import Politeness, parse_list
from gleaner.jobs.jobs import JobRef, Jobs
from gleaner.jobs.tokens import Tokens
from gleaner.local.runner import LocalContext, LocalRunner, load_handler
from gleaner.service.events import start_batch
from gleaner.service.gateway import Gateway
from gleaner.steps.batch import batches_of
from gleaner.wiring import WiredServices

EVENTS = Path(__file__).parents[2] / "events"
LIST = b"url,format\nhttps://127.0.0.1:9/1,links\nhttps://127.0.0.1:9/2,\nno url,\n"


def sample(name: str) -> dict[str, Any]:
    return json.loads((EVENTS / name).read_text("utf-8"))


@pytest.fixture
def services(tmp_path: Path) -> Iterator[WiredServices]:
    services = WiredServices(load_settings({}, home=tmp_path, block_hosts=["shop.example"]))
    yield services
    services.close()


@pytest.fixture
def runner(services: WiredServices) -> Iterator[LocalRunner]:
    runner = LocalRunner(services)
    yield runner
    runner.close()


def call(function: str, event: JsonObject, runner: LocalRunner) -> Any:
    return load_handler(function)(event, LocalContext(function, runner.services, runner))


def job_count(runner: LocalRunner, tenant: str = "default") -> int:
    return len(Jobs(runner.services.table, runner.services.blobs).list(tenant).items)


@pytest.mark.req("EV-1")
@pytest.mark.parametrize("name", ["scrape_requested", "schedule"])
def test_the_same_event_twice_starts_one_job(
    runner: LocalRunner, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    event = sample(f"start_scrape/{name}.json")
    first = call("start_scrape", event, runner)
    assert call("start_scrape", event, runner) == first
    assert job_count(runner) == 1
    runner.close()
    later = LocalRunner(runner.services)
    assert call("start_scrape", event, later) == first
    later.close()
    assert job_count(runner) == 1
    assert Jobs(runner.services.table, runner.services.blobs).status(JobRef.read(first))["status"] == "failed"
    assert capsys.readouterr().err == ""  # the job's result says what failed; faults of Gleaner alone are written here


@pytest.mark.req("EV-1")
def test_another_event_starts_another_job(runner: LocalRunner) -> None:
    event = sample("start_scrape/scrape_requested.json")
    jobs = {call("start_scrape", {**event, "id": number}, runner)["job_id"] for number in ("1", "2")}
    assert len(jobs) == 2


@pytest.mark.req("EV-1")
def test_a_request_by_itself_starts_a_job_each_time(runner: LocalRunner) -> None:
    event = sample("start_scrape/direct.json")
    assert call("start_scrape", event, runner) != call("start_scrape", event, runner)


@pytest.mark.req("EV-1")
def test_an_execution_may_be_started_with_a_request_alone(runner: LocalRunner) -> None:
    request = sample("start_scrape/direct.json")
    runner.run_machine("scrape_page", request, "by-hand")
    job = Jobs(runner.services.table, runner.services.blobs).status(JobRef("by-hand"))
    assert (job["url"], job["status"]) == (request["url"], "failed")  # the host is one that is blocked here


@pytest.mark.req("EV-1", "AU-1")
def test_a_call_may_name_its_tenant(runner: LocalRunner) -> None:
    event = {**sample("start_scrape/schedule.json"), "tenant": "acme"}
    assert call("start_scrape", event, runner)["tenant"] == "acme"
    assert job_count(runner, "acme") == 1


@pytest.mark.req("EV-1", "AU-1")
@pytest.mark.parametrize("tenant", ["", 0, False, [], {"name": "acme"}, 7, "a#b"])
def test_a_tenant_that_is_no_name_is_refused_and_not_taken_for_the_default_one(
    runner: LocalRunner, tenant: object
) -> None:
    with pytest.raises(InvalidRequest, match="is not a valid name"):
        call("start_scrape", {**sample("start_scrape/schedule.json"), "tenant": tenant}, runner)
    with pytest.raises(InvalidRequest, match="is not a valid name"):
        JobRef.read({"job_id": "one", "tenant": tenant})
    assert job_count(runner, "default") == 0


@pytest.mark.req("EV-1")
@pytest.mark.parametrize(
    ("event", "error"),
    [
        ({"detail-type": "OrderPlaced", "id": "1", "detail": {}}, InvalidRequest),
        ({"detail-type": "ScrapeRequested", "detail": {"url": "https://a.example"}}, InvalidRequest),
        ({"detail-type": "ScrapeRequested", "id": "1", "detail": "https://a.example"}, InvalidRequest),
        ({"detail-type": "ScrapeRequested", "id": "1", "detail": {"url": "ftp://a.example"}}, InvalidRequest),
        ({"detail-type": "ScrapeRequested", "id": "1", "detail": {"url": "https://a.example", "format": "html"}},
         UnsupportedFormat),
        ({"request": {"url": "https://a.example"}, "colour": "red"}, InvalidRequest),
        ({"request": {"url": "https://a.example"}, "tenant": "a/b"}, InvalidRequest),
        ({"request": {"url": "https://a.example"}, "idempotency_key": 1}, InvalidRequest),
        ({}, InvalidRequest),
    ],
)  # fmt: skip
def test_an_event_that_starts_nothing_says_why(runner: LocalRunner, event: JsonObject, error: type[Exception]) -> None:
    with pytest.raises(error):
        call("start_scrape", event, runner)
    assert job_count(runner) == 0


@pytest.mark.req("EV-1", "WF-2")
def test_a_list_under_the_inbox_starts_one_batch(runner: LocalRunner) -> None:
    runner.services.blobs.write("inbox/shops.csv", LIST)
    event = sample("start_batch/object_created.json")
    started = call("start_batch", event, runner)
    assert (started["total"], started["bad_line_count"]) == (2, 1)
    runner.close()
    later = LocalRunner(runner.services)
    again = call("start_batch", event, later)
    later.close()
    assert again["batch_id"] == started["batch_id"]
    assert again["counts"]["done"] == 2
    assert len(batches_of(runner.services, "default").list().items) == 1


@pytest.mark.req("EV-1", "AU-1")
def test_a_tenants_folder_of_the_inbox_is_that_tenants(runner: LocalRunner) -> None:
    runner.services.blobs.write("inbox/acme/shops.csv", LIST)
    event = sample("start_batch/object_created.json")
    event["detail"]["object"]["key"] = "inbox/acme/shops.csv"
    batch_id = call("start_batch", event, runner)["batch_id"]
    assert batches_of(runner.services, "acme").record(batch_id)["total"] == 2
    with pytest.raises(NotFound):
        batches_of(runner.services, "default").record(batch_id)


@pytest.mark.req("EV-1", "WF-2")
def test_a_direct_call_starts_a_batch(runner: LocalRunner) -> None:
    event = sample("start_batch/direct.json")
    first = call("start_batch", event, runner)
    assert first["politeness"]["delay_ms"] == 500
    assert call("start_batch", event, runner)["batch_id"] == first["batch_id"]


def upload(**changes: Any) -> dict[str, Any]:
    event = sample("start_batch/object_created.json")
    event["detail"]["object"].update(changes)
    return event


@pytest.mark.req("EV-1")
@pytest.mark.parametrize(
    "event",
    [
        {"detail-type": "Object Deleted", "detail": {}},
        {"detail-type": "Object Created", "detail": {}},
        upload(key="outbox/shops.csv"),
        upload(key=""),
        upload(key="inbox/gone.csv"),
        upload(key="inbox/empty.csv"),
        {"requests": []},
        {"requests": ["https://a.example"], "colour": "red"},
        {"requests": ["https://a.example"], "politeness": {"per_host": 0}},
        {"requests": ["https://a.example"], "defaults": 1},
        {},
    ],
)
def test_an_upload_that_is_no_list_says_why(runner: LocalRunner, event: JsonObject) -> None:
    runner.services.blobs.write("inbox/empty.csv", b"\n")
    with pytest.raises((InvalidRequest, NotFound)):
        call("start_batch", event, runner)
    assert batches_of(runner.services, "default").list().items == ()


@pytest.mark.req("EV-1")
def test_a_list_that_is_put_there_again_is_another_batch_and_its_event_told_again_is_not(
    runner: LocalRunner,
) -> None:
    events = [upload(**{"version-id": version}) for version in ("v1", "v2", "v2")]
    batches: list[str] = []
    for number, event in enumerate(events):
        runner.services.blobs.write("inbox/shops.csv", LIST + f"https://127.0.0.1:9/{number > 0}\n".encode())
        batches.append(call("start_batch", {**event, "id": str(number)}, runner)["batch_id"])
    assert batches[0] != batches[1] == batches[2]


@pytest.mark.req("EV-1")
def test_an_upload_to_another_bucket_is_not_looked_for_in_ones_own(tmp_path: Path) -> None:
    services = WiredServices(load_settings({}, home=tmp_path, bucket_name="own"))
    services.blobs.write("inbox/shops.csv", LIST)
    with pytest.raises(InvalidRequest, match="not in 'own'"):
        start_batch(upload(), services, LocalRunner(services))
    services.close()


@pytest.mark.req("EV-1")
def test_the_canarys_sample_starts_a_job_of_the_canarys_tenant(runner: LocalRunner) -> None:
    assert call("start_scrape", sample("start_scrape/canary.json"), runner)["tenant"] == "canary"


@pytest.mark.req("EV-1")
def test_a_folders_own_object_is_passed_over(runner: LocalRunner) -> None:
    assert call("start_batch", upload(key="inbox/acme/"), runner) == {"ignored": "inbox/acme/"}


@pytest.mark.req("EV-1", "WF-2")
def test_the_samples_of_a_batchs_states_are_answered(runner: LocalRunner) -> None:
    batches_of(runner.services, "default").prepare("monday", parse_list(b"https://shop.example/1"), Politeness())
    assert call("admit_page", sample("admit_page/page.json"), runner) == {"admitted": True}
    summary = call("summarize_batch", sample("summarize_batch/batch.json"), runner)
    assert summary == {"status": "partial", "counts": {"done": 0, "not_run": 1}}


@pytest.mark.req("AP-1")
@pytest.mark.parametrize(
    ("name", "status"),
    [("list_jobs", 200), ("find_batch", 200), ("content", 200), ("unknown_job", 404), ("scrape", 202)],
)
def test_the_api_answers_events_of_api_gateway(runner: LocalRunner, name: str, status: int) -> None:
    answer = in_the_cloud(runner).resolve(sample(f"http_api/{name}.json"), LocalContext("http_api", runner.services))
    assert answer["statusCode"] == status, answer
    if status >= 400:
        assert answer["headers"]["Content-Type"] == "application/problem+json"
    if name == "scrape":
        assert job_count(runner, "acme") == 1


@pytest.mark.req("AU-1", "AP-1")
@pytest.mark.parametrize(
    ("name", "path"),
    [("list_jobs", ""), ("scrape", ""), ("unknown_job", ""), ("content", ""), ("content", "/v1/similarity")],
)
def test_the_api_answers_nobody_who_came_past_the_authorizer(runner: LocalRunner, name: str, path: str) -> None:
    event = sample(f"http_api/{name}.json")
    del event["requestContext"]["authorizer"]
    if path:
        event |= {"rawPath": path, "body": json.dumps({"text_a": "a", "text_b": "b"})}
        event["requestContext"]["http"]["path"] = path
    answer = in_the_cloud(runner).resolve(event, LocalContext("http_api", runner.services))
    assert answer["statusCode"] == 401


@pytest.mark.req("AU-1")
def test_the_authorizers_sample_is_answered(runner: LocalRunner) -> None:
    event = sample("authorize/request.json")
    assert call("authorize", event, runner) == {"isAuthorized": False, "context": {}}
    token_id, token = Tokens(runner.services.table).create("acme")
    event["headers"]["authorization"] = f"Bearer {token}"
    expected = {"isAuthorized": True, "context": {"tenant": "acme", "token_id": token_id}}
    assert call("authorize", event, runner) == expected


def in_the_cloud(runner: LocalRunner) -> Any:
    from gleaner.api.lambda_app import lambda_app

    return lambda_app(runner.services, starter=runner)


@pytest.mark.req("EV-1", "AU-1")
def test_gateways_name_jobs_by_the_key_of_their_tenant(runner: LocalRunner) -> None:
    request = {"url": "https://shop.example/", "enable_javascript": False}
    names = {Gateway(runner.services, runner, t).start_scrape(request, idempotency_key="k").job_id for t in ("a", "b")}
    assert len(names) == 2
