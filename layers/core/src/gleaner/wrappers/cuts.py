"""The part of a text that is a value: between marks, with several ways for texts of several kinds.

Marks are what stands right beside the value (the left and right delimiters of wrapper induction), with 9 for any
number. Where texts are of several kinds ("…, Appellant. A22-0316", "…, Respondent. A21-1101") the ways are a decision
list: the first whose marks a text has reads it. What no rule explains is kept as an odd text with its value.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from gleaner.contracts.ports import JsonValue
from gleaner.values.readings import OF_DATES
from gleaner.wrappers.readings import UNREAD, Reader, Readers, has_figure, mask, same, spans_of

_LONGEST_MARK = 24
_MOST_BOUNDARIES = 5
_ENOUGH_FOR_BLANKS = 4
"""Marks of nothing but blanks count only if so many different texts show them."""

_SAMPLE = 24
"""Marks are taken from so many texts, spread over all."""
_MOST_CANDIDATES = 60
MOST_WAYS = 3
_LEAST_SHARE = 0.1
_TELLING = 8
_TEXTS_FOR_A_WAY = 4
"""Of several ways each must stand for so many texts, and read two of them and a tenth; two where its marks have so many
letters that they can't be chance: " (Separate Included)"."""

READER_SLIPS = 50
"""A model that read a page is wrong once in so many values (court lists and real pages): so many a rule may overrule
one, which is kept as the model gave it."""

_SIGNS = ("|", "·", "•", "–", "—", "-", "/", ";", ",")
"""What may part a text: each with blanks around it, the last two with one behind."""

_FEW_LETTERS = 2
_DAY = re.compile(r"\d{4}-(\d\d)-(\d\d)")
_FIGURES = re.compile(r"\b(\d{1,2})[./-](\d{1,2})[./-]\d{2,4}\b")
_BOUNDARY = re.compile(r"(?<=\W)|(?=\W)")
_NUMBER = r"\d{1,30}+(?:[.,'’]\d{1,30}+){0,6}+"
"""As much of a number as takes linear time to look for."""


def shared_start(texts: Sequence[str]) -> str:
    """Give what all texts begin with.

    >>> shared_start(["$ 12", "$ 7"])
    '$ '
    """
    first, last = min(texts, default=""), max(texts, default="")
    count = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), None)
    return first[: min(len(first), len(last))] if count is None else first[:count]


class Cut(NamedTuple):
    """The text between two marks: ``nth`` says which ``before`` is meant, or without it which ``after``.

    With a ``sign`` the only part between such signs that begins and ends with the marks; without marks the nth part.

    >>> Cut(" of ", "").of("3 of 12"), Cut("(", ")", 1).of("(a) (b)"), Cut("", " beds").of("3 rooms")
    ('12', 'b', None)
    >>> Cut("", ", 9 Tex.").of("May v. INEOS, 2026 Tex. Bus. 20"), Cut().of(" all ")
    ('May v. INEOS', 'all')
    >>> Cut("Beds ", "", 0, "|").of("5 m | Beds 2 | Ann"), Cut("", "", -1, ",").of("1,5 m, Ann")
    ('2', 'Ann')
    """

    before: str = ""
    after: str = ""
    nth: int = 0
    sign: str = ""

    def of(self, text: str) -> str | None:
        """Give the part of a text; None where the marks are not there."""
        found = self.find(text)
        return None if found is None else text[found[1] : found[2]].strip()

    def is_begun_in(self, text: str) -> bool:
        """Tell whether a text has the words before the part, though it may go on otherwise.

        >>> Cut(", W. ", " cm").is_begun_in("H. 80 mm, W. 25 mm"), Cut(", ", " cm").is_begun_in("9 m, 2 kg")
        (True, False)
        """
        return any(map(str.isalpha, self.before)) and bool(places_of_mark(self.before, text))

    def with_marks(self, text: str) -> str:
        """Give the part of a text with the marks around it; all of it where the marks are not there."""
        found = self.find(text)
        return text if found is None else text[found[0] : found[3]]

    def find(self, text: str) -> tuple[int, int, int, int] | None:
        """Give where the mark before begins and ends, and the one behind; None where they are not there."""
        if self.sign:
            return self._find_part(text)
        if self.before:
            left = _nth(places_of_mark(self.before, text), self.nth)
            if left is None:
                return None
            right = (
                next(iter(places_of_mark(self.after, text, left[1])), None) if self.after else (len(text), len(text))
            )
        else:
            left = 0, 0
            right = _nth(places_of_mark(self.after, text), self.nth) if self.after else (len(text), len(text))
        return None if right is None else (left[0], left[1], right[0], right[1])

    def _find_part(self, text: str) -> tuple[int, int, int, int] | None:
        parts = parts_between(self.sign, text)
        if not self.before and not self.after:
            part = _nth(parts, self.nth) if len(parts) > 1 else None
            return part and (part[0], *part, part[1])
        found: list[tuple[int, int, int, int]] = []
        for start, end in parts:
            begun, ended = _behind(self.before, text, start, end), _ahead(self.after, text, start, end)
            if begun is not None and ended is not None and begun < ended:
                found.append((start, begun, ended, end))
        return found[0] if len(found) == 1 else None


def _behind(mark: str, text: str, start: int, end: int) -> int | None:
    """Give where the mark ends that a part of a text begins with."""
    if "9" in mark:
        found = _pattern(mark).match(text, start, end)
        return found and found.end()
    return start + len(mark) if text.startswith(mark, start, end) else None


def _ahead(mark: str, text: str, start: int, end: int) -> int | None:
    """Give where the mark begins that a part of a text ends with."""
    if "9" in mark:
        return next((one.start() for one in _pattern(mark).finditer(text, start, end) if one.end() == end), None)
    return end - len(mark) if text.endswith(mark, start, end) else None


def parts_between(sign: str, text: str) -> list[tuple[int, int]]:
    """Give where the parts of a text between signs begin and end, without the blanks around them."""
    spans: list[tuple[int, int]] = []
    start = 0
    for match in [*_sign_pattern(sign).finditer(text), None]:
        end = match.start() if match else len(text)
        said = text[start:end]
        begin = start + len(said) - len(said.lstrip())
        spans.append((begin, max(begin, start + len(said.rstrip()))))
        start = match.end() if match else end
    return spans


@lru_cache(64)
def _sign_pattern(sign: str) -> re.Pattern[str]:
    return re.compile(rf"{re.escape(sign)}(?=\s|$)" if sign in ",;" else rf"(?<!\S){re.escape(sign)}(?!\S)")


def _nth(places: Sequence[tuple[int, int]], nth: int) -> tuple[int, int] | None:
    return places[nth] if -len(places) <= nth < len(places) else None


@lru_cache(4096)
def _pattern(mark: str) -> re.Pattern[str]:
    return re.compile(re.escape(mark).replace("9", _NUMBER))


def places_of_mark(mark: str, text: str, start: int = 0) -> list[tuple[int, int]]:
    """Give where a mark stands in a text; a 9 in it is any number."""
    if "9" in mark:
        return [match.span() for match in _pattern(mark).finditer(text, start)]
    places: list[tuple[int, int]] = []
    at = text.find(mark, start)
    while at >= 0:
        places.append((at, at + len(mark)))
        at = text.find(mark, at + len(mark))
    return places


def part_of_text(cuts: Sequence[Cut], text: str) -> str | None:
    """Give the part of a text that the first fitting cut gives; all of it without cuts, None where none fits."""
    if not cuts:
        return text
    return next((part for cut in cuts if (part := cut.of(text)) is not None), None)


class Way(NamedTuple):
    """How a text becomes a value: by the value of an odd text, or cut, then read."""

    cuts: tuple[Cut, ...]
    reading: str
    odd: Mapping[str, JsonValue]


def fit(
    pairs: Sequence[tuple[str, JsonValue]],
    readings: Sequence[str],
    readers: Readers,
    *,
    ways: int = 0,
    is_tolerant: bool = False,
    empty: Sequence[str] = (),
) -> Way | None:
    """Give a way by which each text has its value, as it stands if that will do; None when there is none.

    ``ways`` is how many cuts there may be. With ``is_tolerant`` a few texts may be odd. Of cuts that do equally well,
    those that find nothing in the texts that have no value (``empty``) go first, of these the parts between signs: of
    such a text all is known, and a part that is written otherwise is noticed.
    """
    wanted: dict[str, JsonValue] = {}
    if any(not same(wanted.setdefault(text, value), value) for text, value in pairs):
        return None
    way = _way(wanted, readings, readers, ways, empty, is_tolerant=is_tolerant)
    figures = {text: value for text, value in wanted.items() if not _is_zero_in_words(text, value)}
    if way is None and 0 < len(figures) < len(wanted):
        way = _way(figures, readings, readers, ways, empty, is_tolerant=is_tolerant)
        way = way and way._replace(odd={**way.odd, **{text: 0 for text in wanted if text not in figures}})
    return None if way is None else way._replace(reading=_settled(way, wanted))


def _is_zero_in_words(text: str, value: JsonValue) -> bool:
    """Tell whether a text without a figure stands for 0, as "Entrée libre" does: those words, and no others, say it."""
    return value == 0 and not isinstance(value, bool) and not has_figure(text)


def _settled(way: Way, wanted: Mapping[str, JsonValue]) -> str:
    """Give the reading, with the order of day and month where the texts show one: another page may show none."""
    orders: set[str] = set()
    for text, value in wanted.items() if way.reading in OF_DATES else ():
        day = _DAY.match(str(value))
        figures = _FIGURES.search(part_of_text(way.cuts, text) or "")
        if day is None or figures is None or day[1] == day[2]:
            continue
        shown, stated = (int(figures[1]), int(figures[2])), (int(day[1]), int(day[2]))
        orders |= {"md"} if shown == stated else {"dm"} if shown == stated[::-1] else set[str]()
    return f"{way.reading}:{orders.pop()}" if len(orders) == 1 else way.reading


def _way(
    wanted: Mapping[str, JsonValue],
    readings: Sequence[str],
    readers: Readers,
    ways: int,
    empty: Sequence[str],
    *,
    is_tolerant: bool,
) -> Way | None:
    slips = slips_in(len(wanted)) if is_tolerant else 0
    found = (_whole(wanted, reading, readers.of(reading), slips) for reading in readings)
    way = next(filter(None, found), None)
    signs = _signs_in(wanted) if ways or (way and way.reading.startswith("only ")) else []
    is_vague = way is not None and way.reading.startswith("only ") and bool(signs)
    if not ways or (way is not None and not is_vague):
        return None if is_vague else way
    candidates = [one for one in _candidates(wanted, readings, readers, signs) if one.sign or not is_vague]
    nothings = empty[:: max(1, len(empty) // _SAMPLE)]
    candidates.sort(key=lambda cut: (any(cut.of(text) is not None for text in nothings), bool(empty) and not cut.sign))
    most_left = len(wanted) // 10 if is_tolerant else 0
    for reading in readings if candidates else ():
        cuts, odd = _decided(wanted, candidates, readers.of(reading), slips, ways)
        if cuts and len(odd) <= slips + most_left and sum(_is_uncut(cuts, text) for text in odd) <= most_left:
            return Way(cuts, reading, odd)
    return way


def _signs_in(texts: Collection[str]) -> list[str]:
    """Give the signs that part each of enough texts: which part a value is says more than that it is the only date."""
    are_enough = len(texts) >= _ENOUGH_FOR_BLANKS
    return [sign for sign in _SIGNS if are_enough and all(map(_sign_pattern(sign).search, texts))]


def _is_uncut(cuts: Sequence[Cut], text: str) -> bool:
    return part_of_text(cuts, text) is None


def slips_in(count: int) -> int:
    """Give how many of so many values may be slips of a reader."""
    return max(count // READER_SLIPS, int(2 * count >= READER_SLIPS))


def _whole(wanted: Mapping[str, JsonValue], reading: str, reader: Reader, slips: int) -> Way | None:
    odd: dict[str, JsonValue] = {}
    for text, value in wanted.items():
        if not _reads(reader, text, value):
            odd[text] = value
            if len(odd) > slips:
                return None
    return Way((), reading, odd)


def _reads(reader: Reader, text: str, value: JsonValue) -> bool:
    read = reader[text]
    return read is not UNREAD and same(read, value)


def _decided(
    wanted: Mapping[str, JsonValue], candidates: Sequence[Cut], reader: Reader, slips: int, ways: int
) -> tuple[tuple[Cut, ...], dict[str, JsonValue]]:
    """Give a decision list of cuts, and the odd texts with their values; no cuts where a list would be a guess.

    Each time the cut that reads most of the texts that are left, and none wrong but for slips.
    """
    left, odd, cuts = dict(wanted), dict[str, JsonValue](), list[Cut]()
    most = min(len(wanted), max(2, int(_LEAST_SHARE * len(wanted))))
    while left and len(cuts) < ways:
        right, cut, wrong = 0, Cut(), list[str]()
        for offered in (*candidates, Cut()) if cuts else candidates:
            count, others = _count(offered, left, reader, slips - len(odd))
            is_telling = sum(map(str.isalpha, offered.before + offered.after)) >= _TELLING
            if ways > 1 and not _tells(offered.before) and not _tells(offered.after) and offered != Cut():
                continue
            if count > right and count >= min(most, 2 if is_telling else most):
                right, cut, wrong = count, offered, others
            if right == len(left):
                break
        if not right:
            break
        cuts.append(cut)
        odd |= {text: wanted[text] for text in wrong}
        left = {text: value for text, value in left.items() if cut.of(text) is None}
    is_sure = len(cuts) < 2 or len(wanted) >= _TEXTS_FOR_A_WAY * len(cuts)
    return (tuple(cuts) if is_sure else ()), odd | left


def _count(cut: Cut, left: Mapping[str, JsonValue], reader: Reader, slips: int) -> tuple[int, list[str]]:
    """Give how many texts a cut reads right, and those that it reads wrong; none right where these are too many."""
    right, wrong = 0, list[str]()
    for text, value in left.items():
        said = cut.of(text)
        if said is not None and _reads(reader, said, value):
            right += 1
        elif said is not None:
            wrong.append(text)
            if len(wrong) > slips:
                return 0, wrong
    return right, wrong


def _candidates(
    wanted: Mapping[str, JsonValue], readings: Sequence[str], readers: Readers, signs: Sequence[str]
) -> Iterator[Cut]:
    """Give the marks that may stand around the values, those of most texts first, the longest of these."""
    texts = [text for text, value in wanted.items() if not (isinstance(value, str) and same(text, value))]
    step = max(1, len(texts) // _SAMPLE)
    counts: Counter[Cut] = Counter()
    are_few = len(wanted) < _ENOUGH_FOR_BLANKS
    for text in texts[::step]:
        spans = [*spans_of(wanted[text], text, readings, readers)]
        counts.update({cut for span in {*spans[:1], *spans[-1:]} for cut in _cuts_around(text, *span, are_few=are_few)})
        for sign in signs:
            counts.update({cut for span in {*spans[:1], *spans[-1:]} for cut in _cuts_of_part(sign, text, *span)})
    if len(texts) > 1:
        counts.update(dict.fromkeys(_fixed_ends(texts), len(texts)))

    def rank(cut: Cut) -> tuple[object, ...]:
        """Order cuts; the numbers beside the value are a single text's own."""
        has_numbers = len(texts) == 1 and "9" in cut.before + cut.after
        return -counts[cut], has_numbers, -len(cut.before) - len(cut.after), abs(cut.nth), cut

    ranked = sorted(counts, key=rank)
    yield from ranked[:_MOST_CANDIDATES]


def _cuts_around(text: str, start: int, end: int, *, are_few: bool) -> Iterator[Cut]:
    befores = [*_marks(text[:start], at_end=True)] if start else [""]
    afters = [*_marks(text[end:], at_end=False)] if end < len(text) else [""]
    for before in befores:
        for after in afters:
            if (not before and not after) or (are_few and not _tells(before) and not _tells(after)):
                continue
            ends = [place[1] for place in places_of_mark(before, text)] if before else []
            starts = [place[0] for place in places_of_mark(after, text)] if not before else []
            at, among = (start, ends) if before else (end, starts)
            if at in among:
                yield Cut(before, after, among.index(at))
                yield Cut(before, after, among.index(at) - len(among))


def _cuts_of_part(sign: str, text: str, start: int, end: int) -> Iterator[Cut]:
    """Give the part between signs that a value is, by its number, or that holds it, by what stands beside it there."""
    parts = parts_between(sign, text)
    at = next((at for at, (begin, stop) in enumerate(parts) if begin <= start and end <= stop), None)
    if at is None:
        return
    before, after = text[parts[at][0] : start], text[end : parts[at][1]]
    if not before and not after:
        yield Cut("", "", at, sign)
        yield Cut("", "", at - len(parts), sign)
    elif max(len(before), len(after)) <= _LONGEST_MARK:
        yield Cut(mask(before), mask(after), 0, sign)


def _tells(mark: str) -> bool:
    """Tell whether a mark is more than blanks and a letter or two: those may stand anywhere."""
    return any(not one.isalpha() and not one.isspace() for one in mark) or sum(map(str.isalpha, mark)) > _FEW_LETTERS


def _fixed_ends(texts: Sequence[str]) -> Iterator[Cut]:
    """Give the words that all texts begin and end with, shorter ones after longer ones."""
    start = shared_start([*texts])
    end = shared_start([text[len(start) :][::-1] for text in texts])[::-1]
    starts = [*[start[: one.start()] for one in _BOUNDARY.finditer(start)][::-1], ""]
    ends = [*[end[one.start() :] for one in _BOUNDARY.finditer(end)], ""]
    for before in dict.fromkeys([start, *starts[:_MOST_BOUNDARIES], ""]):
        for after in dict.fromkeys([end, *ends[:_MOST_BOUNDARIES], ""]):
            if before or after:
                yield Cut(mask(before), mask(after), 0 if before else -1)


def _marks(beside: str, *, at_end: bool) -> Iterator[str]:
    """Give the text right beside a value, with 9 for each number, and shorter ones."""
    near = beside[-_LONGEST_MARK:] if at_end else beside[:_LONGEST_MARK]
    places: Iterable[int] = sorted({one.start() for one in _BOUNDARY.finditer(near)} - {0, len(near)}, reverse=at_end)
    shorter = [near[at:] if at_end else near[:at] for at in places][:_MOST_BOUNDARIES]
    yield from dict.fromkeys(mask(one) for one in (*shorter, *([near] if len(near) == len(beside) else [])))
