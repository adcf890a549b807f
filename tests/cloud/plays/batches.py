"""A batch by the API."""

import json

from tests.cloud.stack import Cloud, eventually

PAGES = 40


def a_batch_of_pages_ends_counted(cloud: Cloud) -> str:
    """Pages of two hosts, one that is lost, one that robots.txt forbids, one for the browser, a line that is none."""
    lines = [f"http://shop.example/batch/{number}" for number in range(PAGES)]
    lines += ["http://shop.example/lost", "http://shop.example/forbidden", "no address"]
    requests = [*lines, {"url": "http://kiln.example/journal/kiln", "enable_javascript": True}]
    body = {"requests": requests, "defaults": {"enable_javascript": False}, "per_host": 4, "concurrency": 6}
    begun = cloud.ask("POST", "/v1/batches", body, **{"idempotency-key": "cloud-check"})
    assert begun.status_code == 202, begun.text
    batch = begun.json()["batch_id"]
    cloud.known["batch"] = batch

    def ended() -> object:
        record = cloud.ask("GET", f"/v1/batches/{batch}").json()
        return record["status"] not in ("queued", "running") and record

    record = eventually("the end of a batch", ended, 240, pause_s=2)
    statuses, path = [], f"/v1/batches/{batch}/results?format=ndjson&limit=30"
    while path:
        answer = cloud.ask("GET", path)
        statuses += [json.loads(line)["status"] for line in answer.text.splitlines()]
        path = answer.links.get("next", {}).get("url", "").partition("://")[2].partition("/")[2]
        path = f"/{path}" if path else answer.links.get("next", {}).get("url", "")
    assert (statuses.count("complete"), statuses.count("failed")) == (PAGES + 1, 2), (record, statuses)
    assert len(record["bad_lines"]) == 1, record
    return f"{len(statuses)} results, {record['status']}"
