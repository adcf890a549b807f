"""Which piece of the page each record comes from; see ``gleaner.proof.alignment``."""

from gleaner.proof.alignment import align_records, find_text_units, is_convincing

__all__ = ["align_records", "find_text_units", "is_convincing"]
