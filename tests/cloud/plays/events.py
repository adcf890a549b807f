"""Starts by events: each sample of events/, the bus, and an upload."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tests.cloud.stack import ROOT, Cloud, client, eventually

EVENTS = ROOT / "events"
ANSWERS: dict[str, Any] = {
    "http_api/list_jobs": 200,
    "http_api/content": 200,
    "http_api/unknown_job": 404,
    "http_api/scrape": 202,
    "http_api/find_batch": 200,
    "mcp_server/call_tool": 200,
    "authorize/request": False,
}
"""What these samples are answered with: a status, or whether the token is let in. The others give an object."""


def samples_are_taken_by_their_functions(cloud: Cloud) -> str:
    """Call each function with each of its samples; those of bus/ are compared where events are told."""
    jobs: list[tuple[str, str]] = []
    paths = [path for path in sorted(EVENTS.glob("*/*.json")) if path.parent.name != "bus"]
    for path in sorted(paths, key=lambda path: not path.parent.name.startswith("start")):
        answer = cloud.invoke(path.parent.name, adapted(cloud, path))
        name = f"{path.parent.name}/{path.stem}"
        if name in ANSWERS:
            found = answer.get("statusCode", answer.get("isAuthorized"))
            assert found == ANSWERS[name], (name, answer)
        else:
            assert isinstance(answer, dict), (name, answer)
        if path.parent.name == "start_scrape":
            jobs.append((answer["tenant"], answer["job_id"]))
        elif name == "start_batch/direct":
            cloud.known["monday"] = answer["batch_id"]
    ends = {job: state_of(cloud, *job) for job in jobs}
    assert set(ends.values()) == {"complete"}, ends
    return f"{len(paths)} samples"


def adapted(cloud: Cloud, path: Path) -> Any:
    """Give a sample as this stack would get it: its bucket, its machines, and pages of the sites at hand."""
    text = path.read_text("utf-8").replace("https://shop.example", "http://shop.example")
    text = text.replace("gleaner-data", cloud.outputs["BucketName"])
    for name in ("01d2f8a6c3b4e5f60719", "monday") if not path.parent.name.startswith("start") else ():
        text = text.replace(name, cloud.known["monday"])  # they speak of the batch of start_batch/direct.json
    event = json.loads(text)
    if path.stem == "object_created":
        put = client("s3").put_object(
            Bucket=cloud.outputs["BucketName"],
            Key=event["detail"]["object"]["key"],
            Body=b"url\nhttp://shop.example/listed\n",
        )
        event["detail"]["object"]["version-id"] = put.get("VersionId", "none")
    if path.parent.name == "close_stopped":
        machine = cloud.outputs["BatchStateMachine" if "batch" in path.stem else "StateMachine"]
        event["detail"]["stateMachineArn"] = machine
    return event


def state_of(cloud: Cloud, tenant: str, job_id: str) -> str:
    """Give how a job of any tenant has ended, from the table."""

    def status() -> str:
        key = {"pk": {"S": f"JOB#{tenant}"}, "sk": {"S": job_id}}
        item = client("dynamodb").get_item(TableName=cloud.outputs["TableName"], Key=key).get("Item") or {}
        found = json.loads(item["data"]["S"])["status"] if item else ""
        return "" if found in ("queued", "running") else found

    return eventually(f"the end of job {job_id} of {tenant}", status, 90)


def an_event_on_the_bus_starts_a_job_and_its_end_is_told(cloud: Cloud) -> str:
    """Send ScrapeRequested; read what the bus tells, and compare it with the samples of events/bus."""
    queue = listen(cloud)
    detail = json.loads((EVENTS / "start_scrape/scrape_requested.json").read_text("utf-8"))["detail"]
    for path in ("/asked-by-event", "/lost"):
        event = {**detail, "url": f"http://shop.example{path}", "query": None}
        entry = {
            "EventBusName": cloud.outputs["EventBusName"],
            "Source": "shop.orders",
            "DetailType": "ScrapeRequested",
        }
        sent = client("events").put_events(Entries=[{**entry, "Detail": json.dumps(event)}])
        assert sent["FailedEntryCount"] == 0, sent
    for sample, path in (("scrape_completed", "/asked-by-event"), ("scrape_failed", "/lost")):
        told = heard(queue, partial(is_of, path))
        like = json.loads((EVENTS / f"bus/{sample}.json").read_text("utf-8"))
        assert told["detail-type"] == like["detail-type"], told
        assert set(told["detail"]) == set(like["detail"]), told
    return "ScrapeCompleted and ScrapeFailed"


def is_of(path: str, event: Any) -> bool:
    """Tell whether an event of the bus is of the page at this path."""
    return str(event["detail"].get("url", "")).endswith(path)


def listen(cloud: Cloud) -> str:
    """Let a queue of the check's own hear the stack's bus; give its URL."""
    if "ears" not in cloud.known:
        cloud.known["ears"] = client("sqs").create_queue(QueueName="cloud-check-ears")["QueueUrl"]
        arn = client("sqs").get_queue_attributes(QueueUrl=cloud.known["ears"], AttributeNames=["QueueArn"])
        bus = cloud.outputs["EventBusName"]
        client("events").put_rule(Name="ears", EventBusName=bus, EventPattern=json.dumps({"source": ["gleaner"]}))
        client("events").put_targets(
            Rule="ears", EventBusName=bus, Targets=[{"Id": "ears", "Arn": arn["Attributes"]["QueueArn"]}]
        )
    return cloud.known["ears"]


def heard(queue: str, is_it: Callable[[Any], bool], seconds: float = 90) -> Any:
    """Give the first event that is the one; others are taken off the queue."""

    def read() -> Any:
        messages = client("sqs").receive_message(QueueUrl=queue, MaxNumberOfMessages=1, WaitTimeSeconds=1)
        for message in messages.get("Messages", []):
            client("sqs").delete_message(QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])
            event = json.loads(message["Body"])
            if is_it(event):
                return event
        return None

    return eventually("an event on the bus", read, seconds, pause_s=0)


def an_upload_starts_a_batch(cloud: Cloud) -> str:
    """Upload a list for a tenant; find its batch by the upload's name, and hear its end."""
    queue = listen(cloud)
    key = "inbox/default/monday.csv"
    body = b"url,format,enable_javascript\nhttp://shop.example/a,links,false\nhttp://shop.example/b,,false\n"
    client("s3").put_object(Bucket=cloud.outputs["BucketName"], Key=key, Body=body)
    found = eventually(
        "the batch of an upload",
        lambda: cloud.ask("GET", f"/v1/batches?source={key}").json()["batches"], 60,
    )  # fmt: skip
    told = heard(queue, lambda one: one["detail"].get("job_id") == found[0]["batch_id"])
    assert (told["detail-type"], told["detail"]["status"]) == ("BatchCompleted", "complete"), told
    return f"batch {found[0]['batch_id']}: {told['detail']['counts']}"
