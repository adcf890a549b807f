"""Choose the groups of units that a query is about."""

import re
from collections.abc import Sequence

from gleaner.contracts.ports import JsonObject
from gleaner.units.groups import CLOSE_SCORE, PRIMARY_SCORE

_LEAST_SCORE = 0.15
_WORD = re.compile(r"[^\W\d_]+", re.UNICODE)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_STOP = frozenset(
    ("and", "all", "each", "every", "extract", "find", "for", "from", "get", "give", "list", "the", "with")
)


def relevant_groups(
    texts: Sequence[str], scores: Sequence[float], query: str | None = None, item_schema: JsonObject | None = None
) -> tuple[int, ...]:
    """Give the positions of the groups that the query and the schema's fields speak of, the likeliest first.

    ``texts`` hold what can be told of each group: its label, its column names, a unit or two. Without a query and a
    schema, or when no group stands out, the groups with the best scores are given.

    >>> relevant_groups(["Team name role", "Price list product price stock"], [0.8, 0.7], "prices of products")
    (1,)
    """
    usual = _by_score(scores)
    wanted = _stems(query or "") | _field_words(item_schema)
    if not wanted or len(texts) < 2:
        return usual
    matches = [len(wanted & _stems(text)) for text in texts]
    able = [at for at, score in enumerate(scores) if score >= _LEAST_SCORE]
    best = max((matches[at] for at in able), default=0)
    among_usual = max((matches[at] for at in usual), default=0)
    needed = max(2, best * 0.75) if best > among_usual else max(1, best * 0.75)
    if best == 0 or (best > among_usual and best < max(2, among_usual + 2)):
        return usual
    chosen = [at for at in able if matches[at] >= needed and (best > among_usual or at in usual)]
    return tuple(sorted(chosen, key=lambda at: (-matches[at], -scores[at]))) or usual


def _by_score(scores: Sequence[float]) -> tuple[int, ...]:
    best = max(scores, default=0.0)
    if best < PRIMARY_SCORE:
        return ()
    close = [at for at, score in enumerate(scores) if score >= max(PRIMARY_SCORE, best * CLOSE_SCORE)]
    return tuple(sorted(close, key=lambda at: -scores[at]))


def _field_words(item_schema: JsonObject | None) -> set[str]:
    properties = (item_schema or {}).get("properties")
    return _stems(" ".join(properties)) if isinstance(properties, dict) else set()


def _stems(text: str) -> set[str]:
    """Give the words of a text without their plural endings; ``unit_price`` and ``unitPrice`` are two words."""
    words = _WORD.findall(_CAMEL.sub(" ", text[:20_000]))
    stems = {re.sub(r"(?:ies|es|s|en|e|y)$", "", word.lower()) for word in words if len(word) > 1}
    return {stem for stem in stems if stem} - _STOP
