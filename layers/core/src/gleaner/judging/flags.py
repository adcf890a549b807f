"""What a page says about a boolean in the words of its name: "Lift: yes", "Not suitable for freezing"."""

import re
from collections.abc import Iterator
from functools import lru_cache

from gleaner.contracts.word_lists import words_in
from gleaner.judging.origins.regions import Span, line_at
from gleaner.judging.table_heads import TableHeads
from gleaner.page.blocks import CELL
from gleaner.schemas.leaves import Leaf
from gleaner.values import locales
from gleaner.values.names import name_words
from gleaner.values.texts.text_index import Match, TextIndex

_PREFIX = re.compile(r"^(?:is|has|are|was|can|does)\b\s*")
_YES, _NO = (words_in("answer_words", answer, f"{answer}_states") for answer in ("yes", "no"))
_ANSWERED = words_in("answer_words", "yes", "no")
"""What answers the line above; another may say a thing of its own: "Free" above "Sold out"."""

_EITHER = _YES | _NO
_DENIALS, _FAR_DENIALS = (words_in("answer_words", name) for name in ("denials", "far_denials"))
"""What denies a name right behind it, or also from three words away: "Not suitable for children", "No se admiten"."""

_STATES = words_in("answer_words", "states")
"""What the name of a flag says of a thing: "Sin desayuno" and "No breakfast" say no to ``breakfast_included``."""

_WORD = re.compile(r"[^\W_]+|[✓✔☑✅✗✘❌☐]")
_WORDS_BEFORE = re.compile(r"((?:[^\W_]+\s+){0,3})[*_]*$")
_DENIED_RIGHT_BEFORE = re.compile(r"(?<![^\W_])(?:non|not|nicht)[-\u2010\u2011]\Z|(?<![\d.,])0\s+\Z", re.IGNORECASE)
_LEADS_TO = re.compile(r"[*_`]*[ \t]*(?:[:：|–—=]|\n[ \t]*:)[*_` \t]*")
_ANSWERS = re.compile(
    r"(?:[ \t\u00a0]+|[*_]{0,2}[ \t]{0,9}\n[ \t]{0,9}\n?[ \t]{0,9})([*_]{0,2})([^\W_]+|[✓✔☑✅✗✘❌☐]\ufe0f?)\1"
    r"(?=[ \t]*(?:[|\n;,)·•]|\.(?:\s|\Z)|\Z))"
)
"""What ends a cell, a line or a part of one right behind a name, or is all of the line below: "Balcony **no**"."""

_CHOSEN = re.compile(r"(?:☐[ \t]*[^\W_]+[ \t]+){0,3}[☑☒][ \t]*([^\W_]+)")
"""Choices of which one is ticked: "☐ yes ☑ no"."""

_BOXES = ("☐", "☑", "☒")
_NAMED = re.compile(r"[ \t]*[^\W_]")
_UNTICKED, _TICKED = re.compile(r"☐[ \t*_]{0,3}\Z"), re.compile(r"[☑☒][ \t]*[^\W_]")
_CROSSED = re.compile(r"[✗✘❌☐]\ufe0f?[ \t*_]{0,3}\Z")
_LONGEST_GAP = 3
_REACH = 40
_LEAST = 2
_LEAST_NEGATED = 4
_NEAR = 2
_OPENS, _CLOSES = frozenset("|\n:：;,(·•–—"), frozenset("|\n;,).·•–—")


def name_of(leaf: Leaf) -> str:
    """Give a field's name as words: ``isOnSale`` and ``is_on_sale`` as "on sale"."""
    return _PREFIX.sub("", " ".join(name_words(leaf.field[-1])))


def is_flag_denied(leaf: Leaf, index: TextIndex, own: Span) -> bool:
    """Tell whether a place says in the words of a flag's name the opposite of the flag, and nowhere the same."""
    if not isinstance(leaf.value, bool) or not leaf.field:
        return False
    said = set(_said(name_of(leaf), index.text, own))
    return (not leaf.value) in said and leaf.value not in said


def denies(text: str, match: Match, heads: TableHeads) -> bool:
    """Tell whether what stands around a name, or a yes, says no: "not available", "Lift: no".

    Not the next cell of a row, where that is another column's: below "Stock" and "Rating" stands "In stock", "none".
    """
    if _is_denied_before(text, match.start) or _CROSSED.search(text, max(0, match.start - _NEAR * 2), match.start):
        return True
    return _value_behind(text, match.end) is False and not _is_beside_a_column(text, match, heads)


def marks_a_choice(text: str, match: Match) -> bool:
    """Tell whether a place is the box of a choice that is named behind it: "☑ no"."""
    return text[match.start : match.end] in _BOXES and _NAMED.match(text, match.end) is not None


def is_left_unticked(text: str, match: Match) -> bool:
    """Tell whether a place is a choice with an empty box, in a line in which another one is ticked."""
    if not _UNTICKED.search(text, max(0, match.start - _NEAR * 2), match.start):
        return False
    return _TICKED.search(text, *line_at(text, match.start, match.end)) is not None


def ends_a_label(text: str, match: Match) -> bool:
    """Tell whether a place is the end of a longer label at the beginning of its line: "Date First Available | May"."""
    before = text[text.rfind("\n", 0, match.start) + 1 : match.start].lstrip("| \t*_")
    return bool(before) and "|" not in before and _leads(text, match.end)


def _is_beside_a_column(text: str, match: Match, heads: TableHeads) -> bool:
    """Tell whether a place in a row of a table is a value, and the cell behind it that of another column."""
    line = text.rfind("\n", 0, match.start) + 1
    head = heads.over(line)
    if head is None or line == head.start:
        return False
    column = len(CELL.findall(text, line, match.start))
    beside = head.labels[column + 1 : column + 2]
    is_answer = text[match.start : match.end].casefold() in locales.words("yes")
    is_named = bool(beside and beside[0]) and _EITHER.isdisjoint(beside[0])
    return is_answer or (column > 1 and is_named)


def fills_a_part(text: str, start: int, end: int) -> bool:
    """Tell whether a place is all of a cell, a line, or a part of one."""
    before = text[max(0, start - 20) : start].rstrip(" \t*_`-")
    after = text[end : end + 20].lstrip(" \t*_`")
    return (not before or before[-1] in _OPENS) and (not after or after[0] in _CLOSES)


def _is_a_sentence(text: str, start: int, end: int) -> bool:
    """Tell whether a place is all of a sentence in a line: "Serves 6. Vegetarian." """
    before, after = text[max(0, start - 20) : start].rstrip(" \t*_`-"), text[end : end + 20].lstrip("*_`")
    return (not before or before[-1] in "|\n.!") and after[:1] in (".", "!", "") and text[start : start + 1].isupper()


def _is_said_alone(text: str, start: int, end: int) -> bool:
    return fills_a_part(text, start, end) or _is_a_sentence(text, start, end)


def _said(name: str, text: str, own: Span) -> Iterator[bool]:
    """Give what each mention of a name says: that it is so, or not; nothing where a mention may be of other things."""
    pattern = _pattern(name)
    for match in pattern.finditer(text, *own) if pattern else ():
        gaps = [word.casefold() for gap in match.groups() if gap for word in _WORD.findall(gap)]
        value = _value_behind(text, match.end())
        if value is not None:
            yield value
        elif _DENIALS.intersection(gaps) or _is_denied_before(text, match.start()):
            yield False
        elif not gaps and _is_said_alone(text, match.start(), match.end()) and not _leads(text, match.end()):
            yield True
    opposite = _pattern(f"un{name}") if name.isalpha() and len(name) >= _LEAST_NEGATED else None
    yield from (False for _ in (opposite.finditer(text, *own) if opposite else ()))
    thing = " ".join(word for word in name.split() if word not in _STATES)
    core = _pattern(thing) if thing != name else None
    for match in core.finditer(text, *own) if core else ():
        if _is_denied_before(text, match.start()):
            yield False


@lru_cache(maxsize=512)
def _pattern(name: str) -> re.Pattern[str] | None:
    """Give the pattern of a name whose words may have a few words between them: "Pets are not allowed"."""
    words = name.split()
    if len(name) <= _LEAST:
        return None
    gap = rf"((?:[ \t:*_,–-]{{1,6}}[^\W_]{{1,30}}){{0,{_LONGEST_GAP}}}?)[ \t\u00a0:*_,–-]{{1,6}}"
    return re.compile(rf"(?<!\w){gap.join(map(re.escape, words))}(?!\w)", re.IGNORECASE)


def _is_denied_before(text: str, start: int) -> bool:
    if _DENIED_RIGHT_BEFORE.search(text, max(0, start - _REACH), start):
        return True  # "non-smoking", "0 in stock"
    line = text.rfind("\n", max(0, start - _REACH), start) + 1
    found = _WORDS_BEFORE.search(text[max(line, start - _REACH) : start])
    words = found[1].casefold().split() if found else []
    far = words[:-_NEAR]
    return bool(_DENIALS.intersection(words[-_NEAR:])) or bool(_FAR_DENIALS.intersection((*far, " ".join(words[:2]))))


def _leads(text: str, end: int) -> bool:
    """Tell whether what ends there is a label: a colon, or a further cell of its row, stands behind it."""
    found = _LEADS_TO.match(text, end)
    return found is not None and _WORD.match(text, found.end()) is not None


def _value_behind(text: str, end: int) -> bool | None:
    """Give the yes or no that a name leads to as a label, or that ends a part behind it; else None."""
    if found := _LEADS_TO.match(text, end):
        word = _CHOSEN.match(text, found.end()) or _WORD.match(text, found.end())
        said = word[word.lastindex or 0].casefold() if word else ""
    else:
        answer = _ANSWERS.match(text, end)
        said = answer[2].casefold().rstrip("\ufe0f") if answer else ""
        said = said if answer and (said in _ANSWERED or "\n" not in text[end : answer.start(2)]) else ""
    return True if said in _YES else False if said in _NO else None
