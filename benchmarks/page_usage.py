"""What one page uses of AWS: calls of the table and the bucket, bytes stored, Lambda calls, model tokens.

    python benchmarks/page_usage.py

Runs the functions as a stack would, on moto, over pages of twelve records of the demo's shop: the first with a scripted
model, the next of the same layout by the recipe, and that one again. The cost table takes the second for most pages
(scripts/write_cost_table.py); table units are of up to 1 KB written and 4 KB read.
"""

import argparse
import os
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import boto3
import botocore
from gleaner.cli.demo import PRODUCTS, scripted_shopkeeper
from gleaner.contracts.settings import load_settings
from gleaner.jobs.jobs import JobRef
from gleaner.local.runner import LocalRunner
from gleaner.testing import ScriptedModelServer, Site
from gleaner.wiring import WiredServices
from moto import mock_aws

ROOT = Path(__file__).parents[1]
MODEL = "bedrock:eu.anthropic.claude-haiku-4-5-v1:0"
MODELLED, REPLAYED, KNOWN = "first page, by the model", "next page, by its recipe", "a page whose records are known"
READS, WRITES = ("GetItem", "Query"), ("PutItem", "DeleteItem", "UpdateItem")


class Meter:
    """Counts the AWS calls of this process by what they are paid for."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def watch(self, session: Any) -> None:
        """Follow all clients of a session."""
        session.register("provide-client-params", self._note)

    def _note(self, params: dict[str, Any], model: Any, **_: Any) -> None:
        service, name = model.service_model.service_name, model.name
        if service == "dynamodb":
            self.counts["table_reads" if name in READS else "table_writes"] += 1
        if service == "s3" and name == "PutObject":
            self.counts["puts"] += 1
            self.counts["stored_bytes"] += len(params["Body"])
        elif service == "s3":
            self.counts["gets"] += 1


def make_data() -> None:
    """Make an empty table and an empty bucket."""
    key = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]
    names = ("pk", "sk", "host")
    index = [{"AttributeName": "host", "KeyType": "HASH"}, {"AttributeName": "pk", "KeyType": "RANGE"}]
    boto3.client("dynamodb").create_table(
        TableName="t", BillingMode="PAY_PER_REQUEST", KeySchema=key,
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in names],
        GlobalSecondaryIndexes=[{"IndexName": "by_host", "KeySchema": index, "Projection": {"ProjectionType": "ALL"}}],
    )  # fmt: skip
    boto3.client("s3").create_bucket(Bucket="pages", CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
    boto3.client("events").create_event_bus(Name="e")


def measure() -> dict[str, dict[str, float]]:
    """Give what each of the three pages uses, by what it is paid for."""
    meter = Meter()
    with ExitStack() as after:
        os.environ |= {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_DEFAULT_REGION": "eu-central-1"}
        after.enter_context(mock_aws())
        site = after.enter_context(Site(ROOT / "tests/fixtures/site"))
        model = after.enter_context(ScriptedModelServer(scripted_shopkeeper(site)))
        botocore.register_initializer(meter.watch)
        after.callback(botocore.unregister_initializer, meter.watch)
        make_data()
        names = {"table_name": "t", "bucket_name": "pages", "event_bus_name": "e", "model": MODEL}
        settings = load_settings({}, cloud=True, daily_usd_cap=5.0, **names)
        llm = settings.llm.model_copy(update={"bedrock_endpoint_url": model.bedrock_endpoint_url})
        services = WiredServices(settings.model_copy(update={"allow_hosts": [site.host], "llm": llm}))
        steps: Counter[str] = Counter()
        runner = LocalRunner(services, lambda name, phase, _: steps.update([name] if phase == "started" else []))
        after.callback(services.close)
        after.callback(runner.close)
        found: dict[str, dict[str, float]] = {}
        for what, number in ((MODELLED, 1), (REPLAYED, 2), (KNOWN, 2)):
            meter.counts.clear()
            steps.clear()
            request = {"url": f"{site.url}/products?page={number}", "output_schema": PRODUCTS, "query": "all products"}
            result = runner.run_scrape(request, JobRef(f"page-{len(found)}"))
            assert result.status == "complete", result
            assert result.extraction is not None
            usage = result.extraction.usage
            tokens = {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
            found[what] = {**meter.counts, "invocations": steps.total(), **tokens}
    return found


def main() -> None:
    """Print the table."""
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    found = measure()
    names = list(dict.fromkeys(name for column in found.values() for name in column))
    print("| what a page uses | " + " | ".join(found) + " |\n| --- |" + " ---: |" * len(found))
    for name in names:
        print(
            f"| {name.replace('_', ' ')} | "
            + " | ".join(f"{column.get(name, 0):,}" for column in found.values())
            + " |"
        )


if __name__ == "__main__":
    main()
