"""Match runs of words in a folded text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gleaner.values.mentions.words import WORD, Words
from gleaner.values.texts.folding import Folded

_SOFT = re.compile(r"""[\s.,;:!?"'()\[\]{}<>|/\-·•…#=~^\u3001\u3002\uff0c\u30fb]+""")
_QUIET = re.compile(r"""[\s"'()\[\]{}<>|]+""")
_LONGEST_GAP = 400


@dataclass(frozen=True, slots=True)
class Phrase:
    """A value as words, with what stands between, before and after them; ``offset`` is where the first one starts.

    ``whole`` is the folded text from the first word to the last.
    """

    whole: str
    forms: tuple[str, ...]
    gaps: tuple[str, ...]
    lead: str
    trail: str
    offset: int
    end: int


def read_phrase(folded: Folded) -> Phrase | None:
    """Give a folded value as a phrase; None when it has no words ("—", "★★")."""
    words = list(WORD.finditer(folded.text))
    if not words:
        return None
    text = folded.text
    gaps = tuple(text[left.end() : right.start()] for left, right in pairwise(words))
    lead = text[: words[0].start()]
    hard_lead = _SOFT.sub("", lead) or ("-" if lead.endswith("-") and words[0][0].isdecimal() else "")
    return Phrase(
        whole=text[words[0].start() : words[-1].end()],
        forms=tuple(word[0] for word in words),
        gaps=gaps,
        lead=hard_lead,
        trail=_SOFT.sub("", text[words[-1].end() :]),
        offset=folded.start_of(words[0].start()),
        end=folded.end_of(words[-1].end()),
    )


def find_phrase(phrase: Phrase, text: str, words: Words, places: dict[str, list[int]]) -> Iterator[int]:
    """Give the number of the first word of each place where the phrase stands, in order."""
    posting, shift = _rarest(phrase.forms, places)
    forms = list(phrase.forms)
    size, length = len(forms), len(phrase.whole)
    for number in posting:
        first = number - shift
        if first < 0 or words.forms[first : first + size] != forms:
            continue
        start = words.starts[first]
        is_same = words.ends[first + size - 1] - start == length and text.startswith(phrase.whole, start)
        if (is_same or _gaps_agree(phrase, text, words, first)) and _edges_agree(phrase, text, words, first):
            yield first


def _rarest(forms: Sequence[str], places: dict[str, list[int]]) -> tuple[list[int], int]:
    best: list[int] | None = None
    shift = 0
    for offset, form in enumerate(forms):
        posting = places.get(form)
        if posting is None:
            return [], 0
        if best is None or len(posting) < len(best):
            best, shift = posting, offset
    return best or [], shift


def _gaps_agree(phrase: Phrase, text: str, words: Words, first: int) -> bool:
    for offset, gap in enumerate(phrase.gaps):
        number = first + offset
        found = text[words.ends[number] : words.starts[number + 1]]
        if found != gap and not _same_gap(gap, found, phrase.forms[offset], phrase.forms[offset + 1]):
            return False
    return True


def _same_gap(wanted: str, found: str, left: str, right: str) -> bool:
    if len(found) > _LONGEST_GAP:
        return False
    both_digits = left.isdecimal() and right.isdecimal()
    ignored = _QUIET if both_digits else _SOFT
    if both_digits and (not wanted.strip()) != (not found.strip()):
        return False
    return ignored.sub("", wanted) == ignored.sub("", found)


def _edges_agree(phrase: Phrase, text: str, words: Words, first: int) -> bool:
    last = first + len(phrase.forms) - 1
    start, end = words.starts[first], words.ends[last]
    before = text[words.ends[first - 1] if first else 0 : start]
    after = text[end : words.starts[last + 1] if last + 1 < len(words.starts) else len(text)]
    if not before and not _may_touch(words.forms[first - 1] if first else "", phrase.forms[0], phrase.lead):
        return False
    following = words.forms[last + 1] if last + 1 < len(words.forms) else ""
    if not after and following and (_is_cut_code(phrase, following) or not _may_touch(phrase.forms[-1], following, "")):
        return False
    return _lead_agrees(phrase.lead, before) and _trail_agrees(phrase, after)


def _is_cut_code(phrase: Phrase, following: str) -> bool:
    """Tell whether a code that ends in figures goes on in letters: A1 does not stand in A1B, as 5 does in 5kg."""
    *before, last = phrase.forms
    code = f"{before[-1]}{following}" if before and not phrase.gaps[-1] else ""
    return last.isdecimal() and code.isascii() and code.isalpha()


def _may_touch(left: str, right: str, lead: str) -> bool:
    """Tell whether two words that stand together may be told apart: "5kg" is 5 and kg, "AB12" is one code."""
    if not left or lead:
        return not lead
    unspaced = len(left) == 1 and len(right) == 1 and not (left.isascii() or right.isascii())
    measured = left.isdecimal() and not right.isdecimal() and len(right) <= 4
    foreign = left.isascii() != right.isascii()
    return unspaced or measured or foreign


def _lead_agrees(lead: str, before: str) -> bool:
    if lead == "-":
        return before.rstrip().rstrip("$€£¥").endswith("-")
    return not lead or (_SOFT.sub("", before[-40:])).endswith(lead)


def _trail_agrees(phrase: Phrase, after: str) -> bool:
    if phrase.trail:
        return _SOFT.sub("", after[:40]).startswith(phrase.trail)
    # "C" does not stand in "C++" or "C#".
    return not (after[:1] in ("+", "#") and after[:1] and not phrase.forms[-1].isdecimal())
