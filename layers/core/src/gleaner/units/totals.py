"""Totals that a listing states: "1–20 of 240", "240 results", "20 Treffer", "全240件" (CM-1)."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal, TypeAlias

from gleaner.contracts.word_lists import any_word
from gleaner.units import PlacedUnit
from gleaner.units.listing_words import (
    ALL_TOLD,
    ANOTHER,
    BEFORE,
    BEHIND,
    FOUND,
    FOUND_BEFORE_A_BARE_COUNT,
    LEADING_ON,
    LOOKED_FOR,
    NOUN,
    OTHER_COUNT,
    OTHERS,
    OUT_OF,
    PAGE,
    PLACE,
    SEARCH_NOUN,
    SHOWING,
    UP_TO,
)

_NUMBER = r"(?<!\d[ \u00a0])\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3}){1,3}(?!\d)|\d{1,7}"
_DASH = r"(?:[-–—−~～〜]|\.\.)"
_UP_TO = rf"\s*(?:{_DASH}|{UP_TO})\s*"
_OF = rf"\s*{OUT_OF}"
_ABOUT = r"(?:over |about |approx\.? |circa |ca\.? |etwa |~)?"
_OUT_OF = rf"{_OF}\s*(?:the |der |den |de |les |los |las )?(?:{ALL_TOLD}\s?)?{_ABOUT}"
_NEXT = any_word("paging_words", "next")
_CJK_COUNTER = r"(?:件|条|條|个|個|项|項|款|筆|笔|건|개)"
_FREE = r"(?<![\d.,/$€£#-])"
"""No part of a number, an amount or a date."""

_A_SHARE, _A_NOUN, _A_LABEL, _A_WORD = rf"\d{_OF}|\d\s+\w+{_OF}\s*\d", r"\d\s+\w", r"[^\W\d_]\s*[:=(]\s*\d", r"\w\s+\d"
_A_TOTAL_FIRST = r"\d\s+(?:\w+\s+)?\w+(?:tan|ten|dan|den|ból|ből|nın|nin|nun|nün|ün)\s+\d"
_A_COUNTER, _A_LINE, _A_RANGE = _CJK_COUNTER, r"\d [^\W\d_]{3}", rf"{ALL_TOLD}[^\w\n]{{0,3}}\d"
_A_SUM, _A_SHOWING = rf"\d\s+{ALL_TOLD}", rf"{SHOWING}:?\s+\d"
"""What a line must have in it to hold a statement of one sort or another: nearly all lines have none of them."""

Strength: TypeAlias = Literal["range", "shown", "listing", "loose"]

_RANGE = rf"(?P<first>{_NUMBER})\s*{_DASH}\s*(?P<last>{_NUMBER})"
_FROM_TO = rf"(?P<first>{_NUMBER}){_UP_TO}(?P<last>{_NUMBER})"
_TOTAL = rf"(?P<total>{_NUMBER})"
_ENDS = r"(?![\d.,%]|[-–/:]\d)"
"""What ends a total behind its label: "Record: 220-130" are a team's victories and defeats."""

_STATEMENTS: tuple[tuple[Strength, str, str], ...] = (
    ("range", _A_SHARE, rf"(?<![\d.,/-]){_FROM_TO}{_OUT_OF}{_TOTAL}(?![\d%/])"),
    (
        "range",
        _A_RANGE,
        rf"(?<![\d.,/-]){_FROM_TO}[^\w\n]{{0,6}}(?:\w{{1,12}}\W{{1,5}})?{ALL_TOLD}[^\w\n]{{0,3}}{_TOTAL}",
    ),
    (
        "range",
        _A_SHOWING,
        rf"{_FREE}{_TOTAL}\s+(?:[^\W\d_]+ )?{NOUN}\b[^\d\n]{{1,16}}\b{SHOWING}:?\s+{_FROM_TO}(?![\d%/])",
    ),
    ("range", _A_COUNTER, rf"{_TOTAL}\s*{_CJK_COUNTER}\s*中\s*{_FROM_TO}"),
    ("range", _A_COUNTER, rf"{_FROM_TO}\s*{_CJK_COUNTER}?\s*[（(/]\s*{_TOTAL}\s*{_CJK_COUNTER}\s*中"),
    (
        "range",
        _A_TOTAL_FIRST,
        rf"{_TOTAL}\s+(?:\w+\s+)?\w{{1,20}}(?:tan|ten|dan|den|ból|ből|nın|nin|nun|nün|ün)\s+{_RANGE}",
    ),
    (
        "range",
        _A_COUNTER,
        rf"(?:第\s*)?{_FROM_TO}\s*{_CJK_COUNTER}?[^\d]{{0,8}}?(?:共|全|总共|總共)\s*{_TOTAL}\s*{_CJK_COUNTER}",
    ),
    ("range", _A_COUNTER, rf"총?\s*{_TOTAL}\s*{_CJK_COUNTER}\s*중(?:에서)?\s*{_RANGE}"),
    ("range", _A_COUNTER, rf"[共全总總計]\s*{_TOTAL}\s*{_CJK_COUNTER}[^\d]{{0,12}}?{_RANGE}"),
    ("shown", _A_SHARE, rf"\b{SHOWING}:?\s+(?P<last>{_NUMBER}){_OUT_OF}{_TOTAL}(?![\d%/])"),
    ("shown", _A_SHARE, rf"{_FREE}(?P<last>{_NUMBER}){_OUT_OF}{_TOTAL}\s+(?:{NOUN}|shown|displayed)\b"),
    ("shown", _A_SHARE, rf"{_FREE}(?P<last>{_NUMBER})\s+{NOUN}{_OUT_OF}{_TOTAL}(?![\d%/])"),
    ("shown", _A_SUM, rf"{_FREE}(?P<last>{_NUMBER})\s[^\d\n.]{{1,60}},?\s{OUT_OF}\s+{_TOTAL}\s+(?P<sum>{ALL_TOLD})"),
    ("listing", _A_NOUN, rf"{_FREE}{_TOTAL}\s+(?P<kind>(?!{NOUN}\b)[^\W\d_]+ )?(?P<noun>{NOUN})\b"),
    ("listing", _A_LABEL, rf"\b(?P<noun>{NOUN}|{SEARCH_NOUN} [^\W\d_]+)\s*(?::|=|\()\s*{_TOTAL}{_ENDS}"),
    ("listing", _A_LABEL, rf"\b(?P<noun>{FOUND})\s*(?::|=|\()\s*{_TOTAL}{_ENDS}"),
    ("listing", _A_WORD, rf"{FOUND_BEFORE_A_BARE_COUNT}\s+{_TOTAL}\b"),
    (
        "listing",
        _A_COUNTER,
        rf"(?:全|共|总共|總共|合計|총|전체|(?:検索)?結果|該当件数|ヒット件数|找到约?|검색\s?결과)\s*[:：（(]?\s*{_TOTAL}\s*{_CJK_COUNTER}",
    ),
    (
        "listing",
        _A_COUNTER,
        rf"{_TOTAL}\s*{_CJK_COUNTER}(?:の(?:結果|商品|検索結果)|が?(?:見つかり|ヒット)|结果|商品|의 (?:상품|결과))",
    ),
    ("loose", _A_LABEL, rf"^\W{{0,12}}[^\W\d_]{{3,20}}(?: [^\W\d_]{{1,20}}){{0,2}} ?\({_TOTAL}\)\W{{0,12}}$"),
    ("loose", _A_LABEL, rf"\b(?:total|all|gesamt)\s*(?::|\()\s*{_TOTAL}{_ENDS}"),
    (
        "loose",
        _A_LINE,
        rf"^\W{{0,12}}{_TOTAL} (?!{_NEXT}\b)[^\W\d_]{{3,20}}(?: (?:found|available|in total|gefunden))?\W{{0,12}}$",
    ),
)
_LABELLED = re.compile(rf"\b(?!(?:{PAGE}|{SHOWING})\b)[^\W\d_]+\s*[:=]\s*(?:{_NUMBER}){_ENDS}", re.IGNORECASE)
_NEEDED = {needed: re.compile(needed, re.IGNORECASE) for _, needed, _ in _STATEMENTS}
_SHORT_LINE = re.compile(r"(?m)^(?!\|)[^\n]{1,300}$")
_DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d.,])")
"""What "2026 Agendas" and "Agendas (2026)" are of, and no count."""
_POSTCODE = re.compile(r"\d{4,6} [^\W\d_]")
"""What a line of an address begins with, under the street: "1010 Wien"."""
_SHOWS = re.compile(rf"{SHOWING}\b", re.IGNORECASE)
_NOT_SHOWN = re.compile(rf"\d\s+{OTHERS}\b", re.IGNORECASE)
_BEFORE_MORE = re.compile(rf"\b{ANOTHER}\s+$", re.IGNORECASE)
_MOST_LINES = 3_000
NO_LISTING = re.compile(OTHER_COUNT, re.IGNORECASE)
_PARTING = re.compile(r"[|·•⋅;\n]|\s[-–—]\s|(?<=\w{4})[.!?]\s|\d[^,(]{0,200},")
_BREATH_ENDS = re.compile(r"[|·•⋅;,()（）\[\]]|\s[-–—]\s|[.!?](?:\s|$)")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_TITLED = re.compile(r"^#{1,6} .*(?:[(（]|:\s)\s*$")
_SEARCH = re.compile(SEARCH_NOUN, re.IGNORECASE)
_COMPLEMENT = re.compile(r"\s*(?:(?:de|di|of|von|van)\s|d['’])\s?[^\W\d_]+", re.IGNORECASE)
_SAID = re.compile(r"[^\W_]")
_AT_A_PLACE = re.compile(rf"(?i:{PLACE})\s+[“„«\"‘']?[A-ZÀ-ÞА-ЯΑ-Ω]|[“„«\"‘']")
_LOOKED_FOR = re.compile(rf"(?:{LOOKED_FOR})\w*\s+(?![$€£\d]|free\b)", re.IGNORECASE)
_LEADS_ON = re.compile(rf"{LEADING_ON}\s+\S", re.IGNORECASE)
_MARKS = str.maketrans("*_\\", "   ")
"""Signs of Markdown, which may stand around a figure."""

_PAGE_OF = re.compile(
    rf"\b{PAGE}\s+(?P<page>{_NUMBER})(?:{_OUT_OF})(?P<pages>{_NUMBER})",
    re.IGNORECASE,
)
_NEXT_PAGE = re.compile(
    r"(?mi)^[^\w\n]{0,12}(?:\d{1,4}[^\w\n]{1,4}){0,12}"
    rf"{_NEXT}[^\w\n]{{0,12}}(?:\(|$)|"
    r"(?<!\d)1\W{1,4}2\W{1,4}3\W{1,4}(?:4|…)"
)


@dataclass(frozen=True, slots=True)
class StatedTotal:
    """A total that the page states at ``markdown[start:end]``; ``text`` is what stands there, without Markdown's signs.

    ``total`` counts the whole listing; ``first`` and ``last`` are the range that this page shows, when it says so
    ("20 of 240 results" counts as 1 to 20). ``strength``: range · shown · listing ("240 results") · loose: a line of
    a number and any noun ("5 Events"), which may be about something else.
    """

    total: int
    first: int | None
    last: int | None
    start: int
    end: int
    text: str
    strength: Strength = "listing"

    @property
    def shown(self) -> int:
        """How many records this page should show."""
        if self.first is None or self.last is None:
            return self.total
        return self.last - self.first + 1


def stated_total(markdown: str, units: Sequence[PlacedUnit] = ()) -> StatedTotal | None:
    """Give the total that a listing states about itself, or None. Statements inside ``units`` are about something else.

    A range is believed before a count, a count with a listing's noun before a bare one, an earlier before a later one.

    >>> stated_total("Showing 21–40 of 1,240 results").shown
    20
    >>> stated_total("Rated 4 of 5 stars. 12 of 13 people found this helpful.") is None
    True
    """
    inside = _spans(units)
    found = _statements(markdown, inside)
    order = ("range", "shown", "listing", "loose")
    return min(found, key=lambda total: (order.index(total.strength), total.start), default=None)


def possible_totals(markdown: str, units: Sequence[PlacedUnit] = ()) -> set[int]:
    """Give all numbers that may be a listing's total, for who knows more of the listing than its text."""
    return {stated.total for stated in _statements(markdown, _spans(units))}


def stated_page(markdown: str) -> tuple[int, int] | None:
    """Give the page's number and the number of pages ("Page 1 of 12"), or None, as where a choice names several.

    >>> stated_page("Seite 2 von 12"), stated_page("Page 1 of 2 | Page 2 of 2")
    ((2, 12), None)
    """
    found = {(_count(match["page"]), _count(match["pages"])) for match in _PAGE_OF.finditer(markdown)}
    return found.pop() if len(found) == 1 else None


def has_next_page(markdown: str) -> bool:
    """Tell whether the text has signs of further pages: "Next", "1 2 3 4 …", "Page 1 of 12"."""
    page = stated_page(markdown)
    return (page is not None and page[0] < page[1]) or _NEXT_PAGE.search(markdown) is not None


def _spans(units: Sequence[PlacedUnit]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for start, end in sorted((unit.start, unit.end) for unit in units):
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


def _lies_in(spans: list[tuple[int, int]], place: int) -> bool:
    at = bisect_right(spans, (place, 10**12)) - 1
    return at >= 0 and spans[at][0] <= place < spans[at][1]


def _statements(markdown: str, inside: list[tuple[int, int]]) -> Iterator[StatedTotal]:
    for begin, line in _short_lines(markdown, inside):
        is_amid_lines = begin > 1 and not markdown[begin - 2].isspace()
        for total in _stated_in(line):
            if is_amid_lines and total.strength == "loose" and _POSTCODE.match(total.text):
                continue
            yield replace(total, start=begin + total.start, end=begin + total.end)


@lru_cache(maxsize=2 * _MOST_LINES)
def _stated_in(line: str) -> tuple[StatedTotal, ...]:
    """Give the totals that a line states, by their places in it; kept, as the lines of a page are read again."""
    plain = line.translate(_MARKS)
    there = {needed for needed, sign in _NEEDED.items() if sign.search(plain)}
    found = (
        _read(plain, match, strength)
        for strength, needed, statement in _STATEMENTS
        if needed in there
        for match in _pattern(statement).finditer(plain)
    )
    return tuple(one for one in found if one is not None)


@cache
def _pattern(statement: str) -> re.Pattern[str]:
    """Compile a statement when a line has what it needs: all of them take 20 ms, and a page seldom needs half."""
    return re.compile(statement, re.IGNORECASE)


def _short_lines(markdown: str, inside: list[tuple[int, int]]) -> Iterator[tuple[int, str]]:
    """Give the lines that may state a total, with their offsets: short ones outside of units, at the page's ends."""
    places = [
        match.span()
        for match in _SHORT_LINE.finditer(markdown)
        if _DIGIT.search(markdown, *match.span()) and not _lies_in(inside, match.start())
    ]
    chosen = places if len(places) <= 2 * _MOST_LINES else places[:_MOST_LINES] + places[-_MOST_LINES:]
    yield from ((start, markdown[start:end]) for start, end in chosen)


def _read(line: str, match: re.Match[str], strength: Strength) -> StatedTotal | None:
    groups = match.groupdict()
    total = _count(groups["total"])
    last = _count(groups["last"]) if groups.get("last") else None
    first = _count(groups["first"]) if groups.get("first") else 1 if last is not None else None
    if total == 0 or (first is not None and last is not None and not 0 < first <= last <= total):
        return None
    if _is_about_else(line, match, strength):
        return None
    is_plain = strength == "shown" and (groups.get("sum") or _SHOWS.match(match[0]))
    if strength in ("listing", "shown") and not is_plain and not _is_its_own(line, match):
        strength = "loose"
    if strength == "loose" and _YEAR.search(match[0]):
        return None
    return StatedTotal(total, first, last, match.start(), match.end(), " ".join(match[0].split()), strength)


def _is_about_else(line: str, match: re.Match[str], strength: Strength) -> bool:
    """Tell statements about stars, pages, reviews, stock or what is not shown from a listing's own."""
    before, behind = _breath_before(line, match.start()), _breath_behind(line, match.end())
    around = f"{before[-24:]}{match[0]}{behind[:24]}"
    if match.groupdict().get("sum") or (strength == "range" and re.search(NOUN, around, re.IGNORECASE)):
        return False
    is_not_shown = _NOT_SHOWN.search(match[0]) or _BEFORE_MORE.search(line[: match.start()])
    return is_not_shown is not None or NO_LISTING.search(around) is not None


def _breath_before(line: str, start: int) -> str:
    """Give what leads to a statement on its line, without the number of the page and what is parted from it."""
    return _PARTING.split(_PAGE_OF.sub("", line[:start]))[-1]


def _breath_behind(line: str, end: int) -> str:
    found = _BREATH_ENDS.search(line, end)
    return line[end : found.start() if found else len(line)]


def _is_its_own(line: str, match: re.Match[str]) -> bool:
    """Tell whether a count is stated as listings state theirs: "We found 240 lamps", "240 jobs in Oslo", no more.

    All words before it must be of those that find, show or sum up, unless a heading names what it counts; what
    follows may say where, or what was looked for. "Our 240 products in stock" may be about anything, and so may each of
    several labelled counts in a line: "Posts: 60 • Topics: 23".
    """
    before, behind = _breath_before(line, match.start()), _breath_behind(line, match.end())
    said = match.groupdict()
    if _DIGIT.search(before):
        return False
    words = [*(_WORD.findall(before) if not _TITLED.match(before) else ()), *_WORD.findall(said.get("kind") or "")]
    if any(word.casefold() not in BEFORE for word in words):
        return False
    noun = said.get("noun") or ""
    if not match[0].endswith(noun) and not all(map(match[0].endswith, _LABELLED.findall(line))):
        return False
    return not match[0].endswith(noun) or _tells_where(behind, is_search=_SEARCH.fullmatch(noun) is not None)


def _tells_where(behind: str, *, is_search: bool) -> bool:
    """Tell whether what follows a count of records says that they were found, where, or what was looked for."""
    complement = _COMPLEMENT.match(behind)
    rest = (behind[complement.end() :] if complement else behind).strip()
    while (word := _WORD.match(rest)) and word[0].casefold() in BEHIND:
        rest = rest[word.end() :].strip()
    leading = (_AT_A_PLACE, _LOOKED_FOR, *((_LEADS_ON,) if is_search else ()))
    return not _SAID.search(rest) or any(sign.match(rest) for sign in leading)


def _count(text: str) -> int:
    return int(re.sub(r"\D", "", text))
