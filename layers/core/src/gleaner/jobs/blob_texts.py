"""Texts and JSON in the blob store; half surrogate pairs, which pages have, are kept."""

import json
from typing import Any

from gleaner.contracts.ports import BlobStore

JSON = "application/json"


def write_text(blobs: BlobStore, key: str, text: str, content_type: str = JSON) -> None:
    """Store a text."""
    blobs.write(key, text.encode("utf-8", "surrogatepass"), content_type)


def read_text(blobs: BlobStore, key: str) -> str:
    """Give a stored text; NotFound when there is none."""
    return blobs.read(key).decode("utf-8", "surrogatepass")


def find_text(blobs: BlobStore, key: str) -> str:
    """Give a stored text; "" when there is none."""
    return read_text(blobs, key) if blobs.exists(key) else ""


def write_json(blobs: BlobStore, key: str, value: Any) -> None:
    """Store a JSON value, in one way only, so that the same value gives the same bytes."""
    write_text(blobs, key, json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def read_json(blobs: BlobStore, key: str) -> Any:
    """Give a stored JSON value; NotFound when there is none."""
    return json.loads(blobs.read(key))
