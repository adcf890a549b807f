"""Results as texts with metadata: what LangChain and LlamaIndex both call documents."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from gleaner.contracts.json_pointers import pointer_of
from gleaner.contracts.models import ScrapeResult
from gleaner.results.records import place_of_records, records_of


def documents_of(results: Iterable[ScrapeResult[Any]], *, raises: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give a text and its metadata for each record, with its proof; of a page without records its Markdown.

    Metadata hold plain values alone. A page that failed raises its error, or is passed over where ``raises`` is False.
    """
    for result in results:
        if raises:
            result.raise_for_status()
        about = {"source": result.source_url or result.url or "", "title": result.title or "", "status": result.status}
        extraction = result.extraction
        if extraction is None:
            if result.markdown:
                yield result.markdown, {**about, "page_id": result.page_id or ""}
            continue
        if isinstance(extraction.data, str):
            yield extraction.data, about
            continue
        place = place_of_records(extraction)
        for number, record in enumerate(records_of(extraction)[0]):
            root = pointer_of([*place, number]) if place is not None else ""
            proof = [
                {
                    "field": entry.pointer.removeprefix(root),
                    "status": entry.status,
                    "start": entry.start,
                    "end": entry.end,
                }
                for entry in extraction.provenance
                if entry.pointer.startswith(f"{root}/")
            ]
            yield json.dumps(record, ensure_ascii=False), {**about, "record": number, "provenance": json.dumps(proof)}
