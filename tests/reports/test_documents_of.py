"""What other frameworks get of a result: a text and plain metadata for each record, with its proof."""

import json
from typing import Any

import pytest
from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import HttpStatusError
from gleaner.contracts.models import ExtractionResult, JobError, ProvenanceEntry, ScrapeResult
from gleaner.integrations.documents import documents_of

pytestmark = pytest.mark.req("GT-2")


def result(**fields: Any) -> ScrapeResult[Any]:
    return ScrapeResult[Any](**{"status": "complete", "job_id": "j", "source_url": "https://a.example/", **fields})


def test_each_record_is_a_document_with_its_own_proof() -> None:
    proofs = [ProvenanceEntry(pointer=f"/{at}/name", status="verbatim", start=at, end=at + 1) for at in (1, 10, 0)]
    data = [{"name": str(at)} for at in range(11)]
    extraction = ExtractionResult(data=data, schema_used={"type": "array"}, provenance=proofs)
    found = list(documents_of([result(extraction=extraction)], raises=True))
    assert [json.loads(text) for text, _ in found] == data
    assert json.loads(found[1][1]["provenance"]) == [{"field": "/name", "status": "verbatim", "start": 1, "end": 2}]
    assert all(isinstance(value, str | int) for _, metadata in found for value in metadata.values())


def test_a_page_without_records_is_its_markdown_and_one_that_failed_raises_or_is_passed_over() -> None:
    error = JobError(error_type=ErrorType.HTTP_STATUS_ERROR, message="https://a.example/ answered 404")
    failed, read = result(status="failed", error=error), result(markdown="# Mugs", page_id="p")
    assert [text for text, _ in documents_of([failed, read], raises=False)] == ["# Mugs"]
    with pytest.raises(HttpStatusError):
        list(documents_of([failed], raises=True))
