"""The largest batch and many watches of one tenant, on simulated S3 and DynamoDB (docs/costs.md has these limits)."""

import json
from collections import Counter

import pytest
from gleaner.adapters.aws.dynamodb import DynamoTable
from gleaner.adapters.aws.s3 import S3Blobs
from gleaner.contracts.errors import InvalidRequest
from gleaner.contracts.ports import JsonObject
from gleaner.jobs.batches import MAX_REQUESTS, Batches, Politeness, parse_list
from gleaner.jobs.watches import Watches, WatchOrder

from tests.adapters.conftest import SimulatedAws

MOST_INPUT_BYTES = 256 * 1024
"""What Step Functions takes as an execution's input."""

MOST_ITEM_BYTES = 400 * 1024
"""What DynamoDB takes as an item."""


@pytest.fixture
def stores(aws: SimulatedAws) -> tuple[DynamoTable, S3Blobs]:
    return DynamoTable(aws.make_table()), S3Blobs(aws.s3[0], aws.make_bucket())


def addresses(count: int) -> bytes:
    return "".join(f"https://host-{number % 1_000}.example/p/{number}\n" for number in range(count)).encode()


@pytest.mark.req("WF-2", "MP-2")
def test_the_largest_batch_fits_into_what_step_functions_takes(stores: tuple[DynamoTable, S3Blobs]) -> None:
    batches = Batches(*stores, "t" * 32)
    listed = parse_list(addresses(MAX_REQUESTS))
    begun = batches.prepare("b" * 64, listed, Politeness(concurrency=200, per_host=1))
    assert len(json.dumps(begun)) < MOST_INPUT_BYTES
    lanes: list[list[JsonObject]] = [json.loads(stores[1].read(lane["key"])) for lane in begun["lanes"]]  # type: ignore[index,union-attr]
    assert len(lanes) == begun["max_lanes"] == 200
    asked = Counter(item["request"]["url"] for lane in lanes for item in lane)  # type: ignore[index]
    assert (len(asked), set(asked.values())) == (MAX_REQUESTS, {1})
    assert max(map(len, lanes)) - min(map(len, lanes)) <= MAX_REQUESTS // 1_000
    assert len(json.dumps(batches.record("b" * 64))) < MOST_ITEM_BYTES


@pytest.mark.req("WF-2")
def test_one_request_more_is_refused_before_anything_is_stored() -> None:
    with pytest.raises(InvalidRequest, match=f"more than {MAX_REQUESTS} requests; split it"):
        parse_list(addresses(MAX_REQUESTS + 1))


@pytest.mark.req("WA-1")
def test_all_watches_of_a_tenant_are_listed_page_by_page(stores: tuple[DynamoTable, S3Blobs]) -> None:
    watches = Watches(*stores, "default")
    request = {"url": "https://a.example/lamps", "output_schema": {"type": "array", "items": {"type": "object"}}}
    for number in range(250):
        watches.create(WatchOrder.read({"request": request, "name": f"lamps-{number}", "every": "1d"}))
    names, after = list[str](), None
    while True:
        page = watches.list(limit=100, after=after)
        names += [str(item.data["watch_id"]) for item in page.items]
        if (after := page.next) is None:
            break
    assert sorted(names) == sorted(f"lamps-{number}" for number in range(250))
