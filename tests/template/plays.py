"""Each way that the functions of a stack can go, gone once."""

import json
from contextlib import closing
from typing import Any

import boto3
from gleaner.cli.demo import PRODUCTS
from gleaner.jobs import JobRef
from gleaner.ports import Item, JsonObject, JsonValue
from gleaner.settings import load_settings
from gleaner.steps.places import jobs_of
from gleaner.tokens import Tokens

from tests.template.cloud import FUNCTION, Cloud
from tests.template.stack import SECRET


def play(cloud: Cloud) -> None:
    """Go every way that a function can go as far as AWS is concerned."""
    play_pages(cloud)
    play_failures(cloud)
    play_stops(cloud)
    play_model_server(cloud)
    play_starts(cloud)
    play_batch(cloud)
    play_api(cloud)


def play_pages(cloud: Cloud) -> None:
    question = {"output_schema": PRODUCTS, "query": "all products"}
    first = cloud.scrape("/products", "listing", **question)
    assert first["status"] == "complete", first.get("error") or {**first["extraction"], "data": 0, "provenance": 0}
    assert cloud.scrape("/products?page=2", "next", **question)["status"] == "complete"
    spoil_recipes(cloud)
    assert cloud.scrape("/products?page=3", "again", **question)["status"] == "complete"
    cloud.scrape("/", "work-again", page_id=first["page_id"])
    assert cloud.scrape("/journal/kiln", "plain", enable_javascript=False)["status"] == "complete"
    assert cloud.scrape("/forum/glaze", "picture", format="screenshot")["status"] == "complete"
    assert cloud.scrape("/files/price-list.pdf", "media")["format"] == "media"
    assert cloud.scrape("/journal/kiln", "as-me", profile="master")["status"] == "complete"


def spoil_recipes(cloud: Cloud) -> None:
    """Put recipes of another version in the place of those that were learned: the next page learns, and clears up."""
    table = boto3.resource("dynamodb").Table(cloud.stack.name("Table"))
    for item in table.scan()["Items"]:
        if str(item["pk"]).startswith("RECIPE#default#"):
            store = cloud.services("aggregate_results").table
            store.delete(str(item["pk"]), str(item["sk"]))
            store.put(Item(str(item["pk"]), "0099", {"recipe": {"format": 0}}))


def play_failures(cloud: Cloud) -> None:
    assert cloud.scrape("/nowhere", "lost")["status"] == "failed"
    failure: JsonObject = {"Error": "RateLimited", "Cause": "{}"}
    chunk: JsonObject = {"index": 7}
    job: JsonObject = {"job_id": "listing", "tenant": "default"}
    cloud.invoke("record_failure", {"job": job, "chunk": chunk, "failure": failure})


def play_stops(cloud: Cloud) -> None:
    """Let executions be stopped where it hurts most: with every piece there, and no result."""
    spoil_recipes(cloud)
    for name, path, request in (
        ("stopped", "/products?page=4", {"output_schema": PRODUCTS, "query": "all products"}),
        ("stopped-picture", "/forum/glaze", {"format": "screenshot"}),
        ("stopped-media", "/files/price-list.pdf", {}),
        ("stopped-early", "/nowhere", {}),
    ):
        cloud.scrape(path, name, **request)
        forget_result(cloud, name)
        payload = {"job": {"job_id": name, "tenant": "default"}, "request": {"url": cloud.site.url + path, **request}}
        detail: JsonObject = {"status": "TIMED_OUT", "name": name, "input": json.dumps(payload)}
        closed: Any = cloud.invoke("close_stopped", {"detail": detail})
        assert closed["status"] == ("failed" if name == "stopped-early" else "complete"), (name, closed)


def forget_result(cloud: Cloud, name: str) -> None:
    """Put a job back to where it was before its last state, its strategy and recipe too."""
    services, ref = cloud.services("aggregate_results"), JobRef(name)
    jobs_of(services).update(ref, status="running")
    boto3.client("s3").delete_object(Bucket=cloud.stack.name("Bucket"), Key=ref.key("result.json"))
    spoil_recipes(cloud)


def play_model_server(cloud: Cloud) -> None:
    from gleaner.adapters.openai_compatible import OpenAICompatibleModel
    from gleaner.ports import ModelRequest

    settings = load_settings({**cloud.stack.environment("extract_chunk"), "GLEANER_MODEL": "openai:scripted"})
    llm = settings.llm.model_copy(update={"openai_base_url": cloud._model.openai_base_url})
    arn = boto3.client("secretsmanager").describe_secret(SecretId="key")["ARN"]
    assert settings.llm.api_key_secret_arn == SECRET
    llm = llm.model_copy(update={"api_key_secret_arn": arn})
    before = FUNCTION.set("extract_chunk")
    with closing(OpenAICompatibleModel("scripted", settings.model_copy(update={"llm": llm}))) as model:
        model.answer(ModelRequest("", "", None))
    FUNCTION.reset(before)


def play_starts(cloud: Cloud) -> None:
    detail: JsonObject = {"url": cloud.site.url + "/"}
    cloud.invoke("start_scrape", {"detail-type": "ScrapeRequested", "id": "e-1", "detail": detail})
    bucket = cloud.stack.name("Bucket")
    boto3.client("s3").put_object(Bucket=bucket, Key="inbox/list.txt", Body=f"{cloud.site.url}/\n".encode())
    uploaded: JsonObject = {"bucket": {"name": bucket}, "object": {"key": "inbox/list.txt", "version-id": "v"}}
    cloud.invoke("start_batch", {"detail-type": "Object Created", "id": "e-2", "detail": uploaded})


def play_batch(cloud: Cloud) -> None:
    pages: JsonValue = [{"url": f"{cloud.site.url}/{name}"} for name in ("open", "closed")]
    record: Any = cloud.invoke("start_batch", {"requests": pages})
    batch: JsonObject = {"job_id": str(record["batch_id"]), "tenant": "default"}
    admitted = [admit(cloud, batch, "/open"), admit(cloud, batch, "/open", delay_ms=1)]
    rules: JsonObject = {"rules": [[False, "/closed"]], "crawl_delay_s": 0}
    cloud.services("admit_page").table.put(Item("ROBOTS", cloud.site.url, rules))
    assert [*admitted, admit(cloud, batch, "/closed")] == [True, True, False]
    assert cloud.invoke("summarize_batch", {"batch": batch})


def admit(cloud: Cloud, batch: JsonObject, path: str, **politeness: Any) -> bool:
    job: JsonObject = {"job_id": f"page{path.replace('/', '-')}", "tenant": "default"}
    item: JsonObject = {"job": job, "request": {"url": cloud.site.url + path}}
    answer: Any = cloud.invoke("admit_page", {"batch": batch, "item": item, "politeness": politeness})
    return answer["admitted"]


def play_api(cloud: Cloud) -> None:
    cloud.starting()
    _, token = Tokens(cloud.services("http_api").table).create("default")
    authorized: Any = cloud.invoke("authorize", {"headers": {"authorization": f"Bearer {token}"}})
    assert authorized["isAuthorized"]
    request = {"url": cloud.site.url + "/"}
    assert cloud.call_api("POST", "/v1/scrape?wait=0", request)["statusCode"] in (200, 202)
    strategies = json.loads(cloud.call_api("GET", "/v1/strategies")["body"])["strategies"]
    extraction = strategies[0]["id"]
    for path in (
        "/v1/jobs", "/v1/jobs/listing", "/v1/jobs/listing/result", "/v1/jobs/listing/markdown", "/v1/parsers",
        f"/v1/strategies/{extraction}",
        f"/v1/extractions/{extraction}", f"/v1/extractions/{extraction}?format=csv", "/health",
    ):  # fmt: skip
        answer = cloud.call_api("GET", path)
        assert answer["statusCode"] == 200, (path, answer)
    for name in ("picture", "media"):
        assert cloud.call_api("GET", f"/v1/jobs/{name}/screenshot")["statusCode"] == 200
    for path, body in (
        ("/v1/content", {"html": "<p>x"}),
        ("/v1/similarity", {"text_a": "a", "text_b": "b"}),
        ("/v1/browse", {**request, "enable_javascript": False}),
    ):
        assert cloud.call_api("POST", path, body)["statusCode"] == 200, path
    batch = cloud.call_api("POST", "/v1/batches", {"requests": [request]})
    assert batch["statusCode"] in (200, 201, 202), batch
    batch_id = json.loads(batch["body"])["batch_id"]
    assert cloud.call_api("GET", f"/v1/batches/{batch_id}")["statusCode"] == 200
    assert cloud.call_api("DELETE", "/v1/jobs/listing")["statusCode"] == 200
    play_mcp(cloud)
    assert cloud.call_api("DELETE", f"/v1/strategies/{extraction}")["statusCode"] == 204


def play_mcp(cloud: Cloud) -> None:
    for tool, arguments in (
        ("get_result", {"job_id": "next"}),
        ("get_result", {"job_id": "next", "part": "markdown"}),
        ("get_result", {"job_id": "picture"}),
        ("get_result", {"job_id": "media"}),
        ("scrape", {"url": cloud.site.url}),
        ("browse_url", {"url": cloud.site.url}),
    ):
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        answer = cloud.call_api("POST", "/mcp", call, "mcp_server", **{"mcp-protocol-version": "2025-06-18"})
        assert answer["statusCode"] == 200, answer
        assert not json.loads(answer["body"])["result"].get("isError"), answer
