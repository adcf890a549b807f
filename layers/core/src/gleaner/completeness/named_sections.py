"""Pieces in sections that a question does not name, where it names those that all records come from (EX-6). Pure.

A curriculum vitae has jobs under "Experience" and schools under "Education", both built alike. Who asks for the
education wants the pieces of that section, and the others are no loss.
"""

from bisect import bisect_right
from collections.abc import Collection, Sequence

from gleaner.completeness.query_restriction import HEADING, words_asked_for
from gleaner.contracts.json_pointers import read_pointer
from gleaner.judging.amounts.nearby_words import is_same_word
from gleaner.judging.origins.regions import Span, Stretches
from gleaner.schemas import RecordPath

_LOWEST_LEVEL = 7
_LEAST_SHORTENED = 4
"""Letters of a word that stands for a longer one: "specs"."""


def words_for(query: str | None, path: RecordPath | None) -> frozenset[str]:
    """Give the words that name what is listed: those of the question, and of the list's name in the schema."""
    name = read_pointer(path.pointer)[-1:] if path is not None else []
    return words_asked_for(" ".join([query or "", *map(str, name)]))


def find_outside(text: str, names: Collection[str], given: Sequence[Span], pieces: Sequence[Span]) -> set[int]:
    """Give the positions of the ``pieces`` outside of all sections that ``names`` name, if ``given`` all lie in such.

    A section is named if each word of its heading is one of them. Headings within the pieces are theirs.

    >>> text = "# Ines\\n\\n## Work\\n\\nCook\\n\\n## Schools\\n\\nKade"
    >>> find_outside(text, {"school"}, [(40, 44)], [(17, 21)]), find_outside(text, {"work"}, [(40, 44)], [(17, 21)])
    ({0}, set())
    """
    if not (names and given and pieces):
        return set()
    inside = Stretches([*given, *pieces])
    starts, named = [-1], [False]
    path: list[tuple[int, bool]] = []
    for match in HEADING.finditer(text):
        if inside.hold(match.start()):
            continue
        level = len(match[0]) - len(match[0].lstrip("#")) or _LOWEST_LEVEL
        path = [one for one in path if one[0] < level] + [(level, _is_named(match[0], names))]
        starts.append(match.start())
        named.append(any(one for _, one in path))

    def is_named(place: Span) -> bool:
        return named[bisect_right(starts, place[0]) - 1]

    return {at for at, place in enumerate(pieces) if not is_named(place)} if all(map(is_named, given)) else set()


def _is_named(heading: str, names: Collection[str]) -> bool:
    words = words_asked_for(heading)
    return bool(words) and all(any(_stands_for(name, word) for name in names) for word in words)


def _stands_for(name: str, word: str) -> bool:
    return is_same_word(name, word) or (len(name) >= _LEAST_SHORTENED and word.startswith(name))
