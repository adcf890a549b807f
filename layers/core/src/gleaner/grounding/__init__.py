"""Proof (PR-1, PR-2): each value of a result points at the text that states it, or is null. Pure code, no tokens.

``TextIndex`` makes a text ready once; ``prove`` gives a provenance entry for each leaf; ``reject_ungrounded`` takes
out what nothing states.
"""

from gleaner.grounding.proving import prove
from gleaner.grounding.rejection import DroppedRecord, Rejection, reject_ungrounded
from gleaner.grounding.text.text_index import Match, TextIndex

__all__ = ["DroppedRecord", "Match", "Rejection", "TextIndex", "prove", "reject_ungrounded"]
