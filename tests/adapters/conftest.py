"""The blob stores under one contract: files here, S3 against moto."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import boto3
import pytest
from gleaner.adapters.aws.dynamodb import HOST_INDEX
from gleaner.adapters.aws.s3 import S3Blobs
from gleaner.adapters.local.files import FileBlobs
from gleaner.contracts.ports import BlobStore
from moto import mock_aws

from tests.adapters.atomic import OneCallAtATime

REGION = "eu-central-1"
KINDS = ("HASH", "RANGE")


@dataclass(frozen=True)
class SimulatedAws:
    """Clients of moto, made once as that takes a while; each test has a table or a bucket of its own."""

    dynamodb: Any
    s3: tuple[Any, Any]
    numbers: Iterator[int] = field(default_factory=count)

    def make_table(self) -> Any:
        def key(*names: str) -> Any:
            return [
                {"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ("HASH", "RANGE"), strict=True)
            ]

        return self.dynamodb.create_table(
            TableName=f"gleaner-{next(self.numbers)}",
            BillingMode="PAY_PER_REQUEST",
            KeySchema=key("pk", "sk"),
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "host")],
            GlobalSecondaryIndexes=[
                {"IndexName": HOST_INDEX, "KeySchema": key("host", "pk"), "Projection": {"ProjectionType": "ALL"}}
            ],
        )

    def make_bucket(self) -> str:
        name = f"gleaner-{next(self.numbers)}"
        self.s3[0].create_bucket(Bucket=name, CreateBucketConfiguration={"LocationConstraint": REGION})
        return name


@pytest.fixture(scope="module")
def aws() -> Iterator[SimulatedAws]:
    with mock_aws():
        made = boto3.Session(aws_access_key_id="testing", aws_secret_access_key="testing", region_name=REGION)
        yield SimulatedAws(made.resource("dynamodb"), (made.client("s3"), made.client("s3")))


@pytest.fixture(params=["files", "s3"])
def clients(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[BlobStore, ...]]:
    """Two clients of one store, as two machines have them."""
    if request.param == "files":
        yield tuple(FileBlobs(tmp_path / "blobs") for _ in range(2))
        return
    aws: SimulatedAws = request.getfixturevalue("aws")
    bucket, lock = aws.make_bucket(), threading.Lock()
    calls: list[Any] = [OneCallAtATime(client, lock) for client in aws.s3]
    yield tuple(S3Blobs(each, bucket) for each in calls)


@pytest.fixture
def blobs(clients: tuple[BlobStore, ...]) -> BlobStore:
    return clients[0]
