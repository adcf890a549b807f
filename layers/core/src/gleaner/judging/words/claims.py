"""What an answer in words claims (EX-11): its numbers, dates, times, names, codes, addresses and quotations.

Pure. A claim has its place in the answer; claims do not overlap. What surely claims nothing is left out: the markers of
lists, headings, footnotes, ordinal words, the words for zero and one.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from gleaner.chunking.relevance import IN_UNSPACED, UNSPACED
from gleaner.contracts.json_text import packaged
from gleaner.values import locales
from gleaner.values.lookups import grouped
from gleaner.values.mentions.dates import MONTHS
from gleaner.values.mentions.number_words import words_of_number
from gleaner.values.mentions.numerals import Numeral, scan_numbers
from gleaner.values.numbers import Number
from gleaner.values.scales import doubtful
from gleaner.values.texts.text_index import TextIndex

ClaimKind = Literal["number", "date", "time", "name", "code", "address", "quotation"]
Day = tuple[int, int, int]

VOWEL = "[aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýаеёиоуыэюяіїєαεηιουω]"
"""What any word of an alphabet has: "Dr", "St" and "Mrs" are none."""

LEAST_QUOTED = 3
"""Words of the shortest quotation: one or two words in quotation marks are a title, or irony."""
_LEAST_QUOTED_SIGNS = 6
_LONGEST_QUOTATION = 2_000
_PAIRS = ('""', "“”", "„“", "„”", "””", "«»", "»«", "‹›", "「」", "『』", "《》", "``", "＂＂")
_QUOTED = re.compile(
    "|".join(
        rf"(?<![\w{re.escape(left)}]){re.escape(left)}"
        rf"(?P<q{at}>[^{re.escape(left + right)}\n]{{1,{_LONGEST_QUOTATION}}}){re.escape(right)}(?!\w)"
        if left == right
        else rf"{re.escape(left)}(?P<q{at}>[^{re.escape(left + right)}\n]{{1,{_LONGEST_QUOTATION}}}){re.escape(right)}"
        for at, (left, right) in enumerate(_PAIRS)
    )
)
_ADDRESS = re.compile(
    r"https?://[^\s<>\"'`|)\]]{1,2000}|www\.[^\s<>\"'`|)\]]{1,2000}|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}",
    re.I,
)
_PHONE = re.compile(
    r"(?<![\w.,/-])(?:(?:\+|\(?0)[\d()\s./-]{5,24}\d|\(\d{2,4}\)\s?\d[\d\s-]{4,12}\d"
    r"|\d{3}[-. ]\d{3}[-. ]\d{4}|\d{3}-\d{4})(?![\w-])"
)
_LEAST_PHONE = 6
_CODE = re.compile(r"(?<![\w,./-])(?=[\w./-]*\d)(?=[\w./-]*[^\W\d_])[^\W_]+(?:[-./_][^\W_]+)*(?![\w])")
_MEASURED = re.compile(r"[\d.,]+(?:[^\W\d_]{1,4}|-[a-z][\w-]*)?|[a-z]+-\d+|'?\d+s|[\d.,]+/[^\W\d_]+")
"""A number with its unit or ending, "30km", "3rd", "5-year", "mid-2024": no code."""

_LIST_MARKER = re.compile(r"^[ \t]*(?:[-*+•][ \t]+)?(?:\d{1,3}[.)．、][ \t]+)?", re.MULTILINE)
_NUMBERED = re.compile(r"^[ \t]*(?:[-*+•][ \t]+)?\*{0,2}(\d{1,3})[.)．、](?=[ \t])", re.MULTILINE)
_FOOTNOTE = re.compile(r"\[\^?\d{1,3}\]")
_DECIMAL_OR_DAY = re.compile(r"\d{1,2}\.\d{2}(?:\.\d{2})?")
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t].*$", re.MULTILINE)
_LABEL = re.compile(r"[ \t]*(?:[-*+•][ \t]+|\d{1,3}[.)][ \t]+)?[*_]{0,3}[^\n:：*|]{1,60}[*_]{0,3}[:：]")
_WORD = re.compile(rf"(?<!\d)[^\W\d_{UNSPACED}]+(?:['’][^\W\d_]+)*")
_JOINT = re.compile(r"[-‐\u00a0 ]|[ \u00a0]?&[ \u00a0]?|\.[ \u00a0]?")
_OPENING = re.compile(r"(?<![\s\"'“„«‹「『(\[*_>#|•–—-])[\s\"'“„«‹「『(\[*_>#|•–—-]*\Z")
_SENTENCE_ENDS = frozenset(".!?:;…。！？：；|")
_ABBREVIATED = re.compile(rf"(?<![\w'’])(?!\d)(?:[^\W\d_]|(?!\w*{VOWEL})\w{{2,3}})\.[\s*_]*\Z", re.I)
"""A letter, or a few without a vowel, before a point: "J. K.", "Dr.", "St."; no sentence ends there."""

_LOOK_BACK = 24
_MOST_OF_A_NAME = 6
_LARGEST_WORD = 99
_GERMAN_SHARE = 0.12


@dataclass(frozen=True, slots=True)
class Reading:
    """What a number of an answer may mean: its values, whether it is a percentage, and how it stands in words."""

    values: tuple[Number, ...]
    percent: Number | None = None
    is_word: bool = False
    is_scaled: bool = False


@dataclass(frozen=True, slots=True)
class AnswerClaim:
    """A claim of an answer, ``answer[start:end]``, with what was read of it.

    ``days`` are the days of a date: all of them are claimed, or one of them where ``is_ambiguous`` (03/04/2026).
    ``opens`` tells that a name begins its sentence, ``is_label`` that it stands before a colon at a line's start.
    """

    kind: ClaimKind
    text: str
    start: int
    end: int
    number: Reading | None = None
    days: tuple[Day, ...] = ()
    is_ambiguous: bool = False
    seconds: int = 0
    opens: bool = False
    is_label: bool = False


class _Reader:
    """The claims found so far, and the places of the answer that they take."""

    def __init__(self, answer: str) -> None:
        self.answer = answer
        self.claims: list[AnswerClaim] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        for pattern, group in ((_NUMBERED, 1), (_FOOTNOTE, 0)):
            for match in pattern.finditer(answer):
                self.take(*match.span(group))

    def take(self, start: int, end: int) -> None:
        """Mark a place as read."""
        at = bisect_left(self._starts, start)
        self._starts.insert(at, start)
        self._ends.insert(at, end)

    def is_free(self, start: int, end: int) -> bool:
        """Tell whether nothing of a place was read."""
        at = bisect_left(self._starts, end)
        return at == 0 or self._ends[at - 1] <= start

    def add(self, claim: AnswerClaim) -> None:
        """Keep a claim whose place is free."""
        if claim.start < claim.end and self.is_free(claim.start, claim.end):
            self.take(claim.start, claim.end)
            self.claims.append(claim)


def find_claims(answer: str) -> list[AnswerClaim]:
    """Give the claims of an answer in the order of the text.

    >>> [(claim.kind, claim.text) for claim in find_claims("It closes at nine on 3 May 2026; ask for Bob (XJ-900).")]
    [('number', 'nine'), ('date', '3 May 2026'), ('name', 'Bob'), ('code', 'XJ-900')]
    """
    reader = _Reader(answer)
    index = TextIndex(answer)
    for found in (_addresses, _quotations):
        for claim in found(answer):
            reader.add(claim)
    for claim in (*_dates(index), *_times(index), *_codes(answer)):
        reader.add(claim)
    for claim in (*_numbers(answer, reader), *_number_words(answer)):
        reader.add(claim)
    for claim in _names(answer, reader):
        reader.add(claim)
    return sorted(reader.claims, key=lambda claim: claim.start)


def _addresses(answer: str) -> Iterator[AnswerClaim]:
    for match in _ADDRESS.finditer(answer):
        text = match[0].rstrip(".,;:!?*_")
        yield AnswerClaim("address", text, match.start(), match.start() + len(text))


def _quotations(answer: str) -> Iterator[AnswerClaim]:
    for match in _QUOTED.finditer(answer):
        group = match.lastgroup or "q0"
        text = match[group].strip()
        start = match.start(group) + match[group].index(text)
        is_code = match[0][0] == "`"
        is_long = len(text.split()) >= LEAST_QUOTED or len(re.findall(rf"[{UNSPACED}]", text)) >= _LEAST_QUOTED_SIGNS
        if is_code or is_long:
            yield AnswerClaim("quotation", text, start, start + len(text))


def _dates(index: TextIndex) -> Iterator[AnswerClaim]:
    """Give the dates; of readings that overlap the longest, with all the days that its place states."""
    places = grouped((span, day) for day, spans in index.days.items() for span in spans)
    group: list[tuple[int, int]] = []
    for span in (*sorted(places, key=lambda span: (span[0], -span[1])), None):
        if group and (span is None or span[0] >= group[0][1]):
            start, end = group[0]
            text = index.text[start:end]
            inner = [day for place in group for day in places[place]]
            most = max(sum(map(bool, day)) for day in inner)
            days = tuple(dict.fromkeys(day for day in inner if sum(map(bool, day)) == most))
            yield AnswerClaim("date", text, start, end, days=days, is_ambiguous=not any(map(str.isalpha, text)))
            group = []
        if span is not None:
            group.append(span)


def _times(index: TextIndex) -> Iterator[AnswerClaim]:
    for seconds, spans in index.times.items():
        for start, end in spans:
            text = index.text[start:end]
            if text.endswith(".") and not text.endswith(".m."):
                text = text[:-1]  # "at 5 pm." ends a sentence
            if not _DECIMAL_OR_DAY.fullmatch(text.strip()):
                yield AnswerClaim("time", text, start, start + len(text), seconds=seconds)


def _codes(answer: str) -> Iterator[AnswerClaim]:
    for match in _PHONE.finditer(answer):
        if sum(map(str.isdecimal, match[0])) > _LEAST_PHONE:
            yield AnswerClaim("code", match[0], *match.span())
    for match in _CODE.finditer(answer):
        if not _MEASURED.fullmatch(match[0]) and not IN_UNSPACED.search(match[0]):
            yield AnswerClaim("code", match[0], *match.span())


def _numbers(answer: str, reader: _Reader) -> Iterator[AnswerClaim]:
    """Give the numbers: the readings of one place, or of places that overlap, are one claim."""
    cluster: list[Numeral] = []
    reached = 0
    numerals = [one for one in scan_numbers(answer) if one.transform != "stars" and reader.is_free(one.start, one.end)]
    for numeral in sorted(numerals, key=lambda one: (one.start, one.end)):
        if cluster and numeral.start >= reached:
            yield _number_claim(answer, cluster)
            cluster = []
        cluster.append(numeral)
        reached = max(reached, numeral.end)
    if cluster:
        yield _number_claim(answer, cluster)


def _number_claim(answer: str, cluster: Sequence[Numeral]) -> AnswerClaim:
    start, end = min(one.start for one in cluster), max(one.end for one in cluster)
    text = answer[start:end]
    share = next((one for one in cluster if one.transform == "percent"), None)
    scaled = [one for one in cluster if one.transform == "scale"]
    if share:
        plain = [one.value for one in cluster if one.transform == "number"]
        reading = Reading(tuple(dict.fromkeys(plain)), percent=share.value)
    elif scaled:
        scale = re.sub(r"[\d.,\s]", "", text).casefold()
        kept = cluster if scale in doubtful() else scaled
        reading = Reading(tuple(dict.fromkeys(one.value for one in kept)), is_scaled=True)
    else:
        reading = Reading(tuple(dict.fromkeys(one.value for one in cluster)))
    return AnswerClaim("number", text, start, end, number=reading)


@cache
def _spoken() -> dict[str, int]:
    """Give the words that say a number from two up and nothing else in any language."""
    return {word: value for value in range(2, _LARGEST_WORD) for word in words_of_number(value) if len(word) > 2}


def _number_words(answer: str) -> Iterator[AnswerClaim]:
    spoken = _spoken()
    words = list(_WORD.finditer(answer))
    at = 0
    while at < len(words):
        first = last = words[at]
        value = spoken.get(first[0].casefold(), 0)
        at += 1
        if not value:
            continue
        unit = words[at] if at < len(words) and answer[first.end() : words[at].start()] in (" ", "-") else None
        lower = unit[0].casefold() if unit else ""
        power = locales.scales().get(lower, 0) if len(lower) > 2 else 0
        is_scaled = power > 0
        if unit and is_scaled:
            value, last = value * 10**power, unit
        elif unit and value % 10 == 0 and value > 10 and (lower == "one" or spoken.get(lower, 10) < 10):
            value, last = value + spoken.get(lower, 1), unit
        at += last is not first
        reading = Reading((value,), is_word=True, is_scaled=is_scaled)
        yield AnswerClaim("number", answer[first.start() : last.end()], first.start(), last.end(), number=reading)


# Names


@cache
def _words_of_german() -> frozenset[str]:
    """Give frequent words of the languages that write all nouns with a capital (``data/capitalised_nouns.json``)."""
    return frozenset(word for words in packaged("capitalised_nouns").values() for word in words)


def capitalises_nouns(text: str) -> bool:
    """Tell whether a text is in a language that writes all nouns with a capital, so that a capital is no name.

    >>> capitalises_nouns("Der Preis liegt bei 5 Euro und ist fest."), capitalises_nouns("The price is 5 euros.")
    (True, False)
    """
    words = [word[0] for word in _WORD.finditer(text)]
    known = sum(word.lower() in _words_of_german() for word in words)
    return known >= 2 and known > _GERMAN_SHARE * len(words)


def _names(answer: str, reader: _Reader) -> Iterator[AnswerClaim]:
    headings = [match.span() for match in _HEADING.finditer(answer)]
    heads = [start for start, _ in headings]
    nouns_too = capitalises_nouns(answer)
    run: list[re.Match[str]] = []
    for word in (*_WORD.finditer(answer), None):
        goes_on = bool(run and word and _JOINT.fullmatch(answer, run[-1].end(), word.start()))
        is_capital = word is not None and _is_capital(word[0]) and reader.is_free(*word.span())
        ends_here = goes_on and word is not None and _begins_sentence(answer, word.start())
        if run and not (goes_on and is_capital and not ends_here and len(run) < _MOST_OF_A_NAME):
            yield from _name_claims(answer, run, nouns_too=nouns_too)
            run = []
        at = bisect_right(heads, word.start()) - 1 if word else -1
        in_heading = word is not None and at >= 0 and word.start() < headings[at][1]
        if word is not None and is_capital and not in_heading:
            run.append(word)


def _is_capital(word: str) -> bool:
    return word[0].isupper() or word[0].istitle() or _has_inner_capital(word)


def _has_inner_capital(word: str) -> bool:
    return not word.isupper() and len(word) > 2 and any(map(str.isupper, word[1:]))


def _name_claims(answer: str, run: Sequence[re.Match[str]], *, nouns_too: bool) -> Iterator[AnswerClaim]:
    opens = _begins_sentence(answer, run[0].start())
    if opens and nouns_too:
        run, opens = run[1:], False  # "Der Preis"
    is_lone = len(run) == 1
    if not run or (is_lone and (len(run[0][0]) == 1 or nouns_too or (opens and not _has_inner_capital(run[0][0])))):
        return
    start, end = run[0].start(), run[-1].end()
    text = answer[start:end]
    if is_lone and text.casefold() in MONTHS and len(text) > 3:
        yield AnswerClaim("date", text, start, end, days=((0, MONTHS[text.casefold()], 0),))
        return
    line = answer.rfind("\n", 0, start) + 1
    label = _LABEL.match(answer, line, line + 100)
    yield AnswerClaim("name", text, start, end, opens=opens, is_label=label is not None and end < label.end())


def _begins_sentence(answer: str, start: int) -> bool:
    """Tell whether a place is the first word of a sentence, of a line, or of a list item."""
    line = answer.rfind("\n", 0, start) + 1
    marker = _LIST_MARKER.match(answer, line)
    if marker and not answer[marker.end() : start].strip("*_\"'“„«‹([ \t>|"):
        return True
    before = answer[max(line, start - _LOOK_BACK) : start]
    opening = _OPENING.search(before)
    head = before[: opening.start()] if opening else before
    return head[-1:] in _SENTENCE_ENDS and not _ABBREVIATED.search(before)
