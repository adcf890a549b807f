"""The blob stores under one contract: files here, S3 against moto."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from gleaner.adapters.aws.s3 import S3Blobs
from gleaner.adapters.local.files import FileBlobs
from gleaner.contracts.ports import BlobStore
from moto import mock_aws

from tests.adapters.atomic import OneCallAtATime

REGION = "eu-central-1"


@pytest.fixture
def fake_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")


@pytest.fixture(params=["files", "s3"])
def clients(request: pytest.FixtureRequest, tmp_path: Path, fake_credentials: None) -> Iterator[tuple[BlobStore, ...]]:
    """Two clients of one store, as two machines have them."""
    if request.param == "files":
        yield tuple(FileBlobs(tmp_path / "blobs") for _ in range(2))
        return
    with mock_aws():
        sessions = [boto3.Session(region_name=REGION).client("s3") for _ in range(2)]
        sessions[0].create_bucket(Bucket="gleaner", CreateBucketConfiguration={"LocationConstraint": REGION})
        lock = threading.Lock()
        calls: list[Any] = [OneCallAtATime(client, lock) for client in sessions]
        yield tuple(S3Blobs(each, "gleaner") for each in calls)


@pytest.fixture
def blobs(clients: tuple[BlobStore, ...]) -> BlobStore:
    return clients[0]
