"""Turn the place that states a value into its provenance entry."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gleaner.contracts.models import ProvenanceEntry
from gleaner.schemas.leaves import CONTEXT, Leaf
from gleaner.values.texts.text_index import Match


def as_context(match: Match) -> Match:
    """Give a match marked as shared by several records."""
    return replace(match, transform=f"{CONTEXT}+{match.transform}" if match.transform else CONTEXT)


def entry_of(
    leaf: Leaf, match: Match | None, status: Any, chunk_starts: Sequence[int] | None, reason: str | None = None
) -> ProvenanceEntry:
    """Give the entry of a leaf with its match, None for one that nothing states; ``reason`` says why it is rejected."""
    if match is None:
        is_refused = status == "ungrounded"
        value, why = (leaf.value, reason) if is_refused else (None, None)
        return ProvenanceEntry(pointer=leaf.pointer, status=status, value=value, reason=why)
    in_text = match.source == "markdown"
    chunk = max(bisect_right(chunk_starts, match.start) - 1, 0) if chunk_starts and in_text else None
    return ProvenanceEntry(
        pointer=leaf.pointer,
        status=status,
        chunk=chunk,
        start=match.start,
        end=match.end,
        transform=match.transform,
        source=match.source,
    )
