"""An index over a text, so that finding a value is a lookup."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property
from operator import attrgetter
from typing import Literal

from gleaner.contracts.ports import JsonValue
from gleaner.values.conventions import (
    countries_of,
    country_of_language,
    day_first_by_language,
    decimal_mark,
    in_order,
    is_possible,
    losses,
    marks_of_columns,
)
from gleaner.values.lookups import grouped
from gleaner.values.mentions.dates import (
    Day,
    Moment,
    offset_behind,
    offset_of_time,
    read_moment,
    read_spoken_moment,
    read_time,
    scan_asian_times,
    scan_named_dates,
    scan_numeric_dates,
    scan_times,
    times_beside,
    with_begun_ranges,
)
from gleaner.values.mentions.money import currency_signs, read_amount
from gleaner.values.mentions.number_words import compound_of, is_a_part, phrases_of_zero, roman, words_of_number
from gleaner.values.mentions.numerals import UNSIGNED, VERSION_PART, Numeral, may_part_a_numeral, scan_numbers
from gleaner.values.mentions.words import WORD, place_words, tokenize
from gleaner.values.mentions.zones import is_of_zone, offsets_stated
from gleaner.values.names import singular
from gleaner.values.numbers import as_number
from gleaner.values.texts.cutting import is_cut, stands_apart
from gleaner.values.texts.folding import fold
from gleaner.values.texts.letters import Letters
from gleaner.values.texts.notations import Notations
from gleaner.values.texts.partial_days import PartialDays
from gleaner.values.texts.phrases import Phrase, find_phrase, read_phrase
from gleaner.values.texts.targets import (
    address_keys,
    is_absolute_address,
    looks_like_address,
    lookup_keys,
    scan_addresses,
)
from gleaner.values.texts.yes_no import LETTERS_OF, PHRASES_OF, counts, last_two, letters_alone, read_known

_NEAR_A_DATE = 48
_NO_TIME = -1, -1, -1
_LONGEST_LINE, _FEWEST_OF_A_SENTENCE = 2000, 6
"""Characters of a line in which a time for all that follows is looked for, and words of one that says a sentence: on 8
lists of meetings such lines had 12 and more, and the lines of one record with its time at most 5."""
_DAY = 86_400
_LEAST_GLUED = 8
_VERSION = re.compile(r"\d+(?:\.\d+)+\S*")
FOOTNOTE_MARK = re.compile(r"(?<=[^\W_]|[.,;:!?\"'”’)\]。])\\?\[(?:\d{1,3}|[a-z]|note \d{1,3})\\?\](?!\()")
"""A mark right behind what it is about; of figures, of a letter, or of the word with a number."""

_MOST_OF_A_DATE = 59
DATE_PART = "date_part"
"""The transform of a number that is a part of a date or of the time beside it: no count of anything else."""

_MOST_WORDS_TRIED = 3
_MOST_BEFORE_A_NOUN, _SHORTEST_NOUN = 2, 4
start_of = attrgetter("start")
"""Where a match begins: the key by which matches are sorted."""


@dataclass(frozen=True, slots=True)
class Match:
    """A place of the text that states a value: offsets in the original text, and how it was recognised."""

    start: int
    end: int
    status: Literal["verbatim", "normalized"]
    transform: str | None = None
    weak: bool = False
    source: Literal["markdown", "snapshot"] = "markdown"


def within(matches: Sequence[Match], region: tuple[int, int]) -> Sequence[Match]:
    """Give the matches that start in a region, of matches sorted by place."""
    return matches[bisect_left(matches, region[0], key=start_of) : bisect_left(matches, region[1], key=start_of)]


class TextIndex:
    """The words, numbers, dates and addresses of one text; ``find`` gives where a value stands, in page order. Building
    takes time in proportion to the text; what was asked once is remembered. ``html`` says what language it is in,
    ``hosts`` which hosts a relative address may be of (any, where none is known), ``title`` what the page calls
    itself."""

    def __init__(
        self,
        text: str,
        *,
        targets: Sequence[tuple[int, int]] = (),
        html: str | None = None,
        hosts: frozenset[str] = frozenset(),
        title: str = "",
    ) -> None:
        self.text = text
        self.title = title
        self.hosts = hosts
        self._day_first = day_first_by_language(html or "")
        self.html = html or ""
        self._countries = countries_of(html or "", hosts)
        self.countries = self._countries | country_of_language(html or "")
        self._targets = targets
        self._folded = fold(text)
        self._words = tokenize(self._folded.text)
        self._places = place_words(self._words)
        self._found: dict[tuple[type, JsonValue], tuple[Match, ...]] = {}

    @cached_property
    def link_targets(self) -> Sequence[tuple[int, int]]:
        """The places of the targets of links and images, in order."""
        return sorted(self._folded.targets)

    def find(self, value: JsonValue) -> tuple[Match, ...]:
        """Give the places that state a scalar value, sorted by start; none for null and for texts without content.

        A weak match (a number as a word, a yes for a true) proves the value only near the rest of its record.

        >>> index = TextIndex("Mug **Blue** $1,299.00 on 12 Mar 2026")
        >>> [match.status for match in index.find("Blue") + index.find(1299) + index.find("2026-03-12")]
        ['verbatim', 'normalized', 'normalized']
        """
        if value is None or isinstance(value, list | dict):
            return ()
        key = (type(value), value)
        if key not in self._found:
            self._found[key] = tuple(_sorted(self._search(value)))
        return self._found[key]

    def find_letters(self, value: str) -> tuple[Match, ...]:
        """Give the words that have a value's letters and figures, whatever else stands in them or between two.

        >>> index = TextIndex("Wi-Fi, Café, step-free access")
        >>> [index.text[one.start : one.end] for code in ("wifi", "stepFreeAccess") for one in index.find_letters(code)]
        ['Wi-Fi', 'step-free access']
        """
        places = self._letters.find(value)
        starts, ends = self._words.starts, self._words.ends
        found = ((self._folded.start_of(starts[first]), self._folded.end_of(ends[last])) for first, last in places)
        return tuple(Match(*place, "normalized", "text") for place in found)

    def find_initial(self, value: str) -> tuple[Match, ...]:
        """Give where a text's first letter, as a capital, is all of a cell, a line or what a label leads to.

        >>> [one.start for one in TextIndex("| Ada | W |\\n| Bob | L |").find_initial("win")]
        [8]
        """
        places = self._single.get(value[:1].upper(), ())
        return tuple(Match(at, at + 1, "normalized", "initial", weak=True) for at in places)

    @cached_property
    def _single(self) -> dict[str, list[int]]:
        return letters_alone(self.text)

    @cached_property
    def _letters(self) -> Letters:
        return Letters(self._words, self._places)

    def _search(self, value: str | int | float | bool) -> Iterable[Match]:
        if isinstance(value, bool):
            return self._booleans[value]
        if isinstance(value, int | float):
            return self._find_number(value)
        return [match for match in self._find_text(value) if not self._is_other_code(match, value)]

    def _is_other_code(self, match: Match, value: str) -> bool:
        """Tell whether a place holds other digits for a text of digits: 007 is a code, and "7" is not that code.

        Or the sign of a number for a "no".
        """
        if value.casefold() == "no" and counts(self.text, match.start):
            return True
        stated = self.text[match.start : match.end].strip()
        if not value.isdigit():
            return False
        figures = "".join(filter(str.isdigit, stated))
        return figures != value if value[:-1].startswith("0") else stated.isdigit() and len(stated) != len(value)

    # Numbers

    @cached_property
    def numbers(self) -> dict[int | float, list[Numeral]]:
        """The places of the numbers, by what they may mean."""
        found: dict[int | float, list[Numeral]] = {}
        mark, lost, columns = decimal_mark(self.text), losses(self.text), marks_of_columns(self.text)
        for numeral in scan_numbers(self.text):
            own = columns.get(numeral.start, mark)
            if not is_possible(numeral, self.text, own) or (numeral.start in lost and numeral.value > 0):
                continue
            found.setdefault(as_number(numeral.value), []).append(numeral)
        return found

    @cached_property
    def _whole_numerals(self) -> tuple[list[int], list[int]]:
        places = sorted({(item.start, item.end) for items in self.numbers.values() for item in items if item.whole})
        return [start for start, _ in places], [end for _, end in places]

    def figures(self, region: tuple[int, int]) -> Iterable[Match]:
        """Give the places of the numbers in a region."""
        first, past = (bisect_left(self._figures, (place, -1)) for place in region)
        return (Match(start, end, "verbatim") for start, end in self._figures[first:past])

    @cached_property
    def _figures(self) -> list[tuple[int, int]]:
        return sorted({(item.start, item.end) for items in self.numbers.values() for item in items})

    def _find_number(self, value: int | float) -> list[Match]:
        matches = [self._number_match(numeral, value) for numeral in self.numbers.get(value, ())]
        part = DATE_PART if abs(value) <= _MOST_OF_A_DATE else None  # "2026" may stand for more than a date's year
        is_part = [(part or one.transform == VERSION_PART) and self._is_in_a_date(one) for one in matches]
        matches = [replace(one, transform=part) if isin else one for one, isin in zip(matches, is_part, strict=True)]
        words = (place for word in words_of_number(value) for place in self._places.get(word, ()))
        matches.extend(self._word_match(place) for place in words if not is_a_part(self._words, place))
        free = phrases_of_zero() if value == 0 else ()
        phrases = [*free, *filter(None, [compound_of(value), numeral := roman(value)])]
        for match in (one for phrase in phrases for one in self._find_phrase(phrase)):
            if match.status == "verbatim" or not numeral:  # "xi" in small letters is a word
                matches.append(replace(match, status="normalized", transform="number_word", weak=True))
        return matches

    def _number_match(self, numeral: Numeral, value: int | float) -> Match:
        stated = self.text[numeral.start : numeral.end]
        written = str(as_number(value)), str(value)
        if stated in written and numeral.transform not in UNSIGNED:
            part = VERSION_PART if numeral.transform == VERSION_PART else None
            return Match(numeral.start, numeral.end, "verbatim", part)
        signed = self.text[numeral.start - 1 : numeral.end]
        if value < 0 and signed in written:
            return Match(numeral.start - 1, numeral.end, "verbatim")
        return Match(numeral.start, numeral.end, "normalized", numeral.transform)

    def _word_match(self, place: int) -> Match:
        start = self._folded.start_of(self._words.starts[place])
        return Match(start, self._folded.end_of(self._words.ends[place]), "normalized", "number_word", weak=True)

    # Booleans

    @cached_property
    def _booleans(self) -> dict[bool, list[Match]]:
        found: dict[bool, list[Match]] = {}
        for truth, phrases in PHRASES_OF.items():
            literal = self._find_phrase("true" if truth else "false")
            matches = {match.start: match for match in literal}
            for phrase in phrases:
                for match in self._find_read(phrase, read_known(phrase)):
                    known = matches.get(match.start)
                    if known is None or known.end < match.end:
                        matches[match.start] = Match(match.start, match.end, "normalized", "boolean", weak=True)
            letters = (at for letter in LETTERS_OF[truth] for at in self._single.get(letter, ()))
            matches |= {at: Match(at, at + 1, "normalized", "boolean", weak=True) for at in letters}
            found[truth] = [match for start, match in matches.items() if not counts(self.text, start)]
        refused = [(match.start, match.end) for match in found[False]]
        found[True] = [
            match for match in found[True] if not any(s <= match.start < e for s, e in last_two(refused, match.start))
        ]
        return found

    # Texts

    def _find_text(self, value: str) -> list[Match]:
        if is_absolute_address(value):
            return self._find_address(value)
        if (matches := self._find_phrase(value)) or not value.strip():
            return [*matches, *self._find_quantity(value)] if value.isdecimal() else matches
        return (
            self._find_address(value)
            or self._find_moment(value)
            or [one for one in self._find_quantity(value) if not is_cut(value, self.text, one.start, one.end)]
            or [
                Match(one.start, one.end, "normalized", "currency")
                for sign in currency_signs(value, self._countries)
                for one in self._find_phrase(sign)
            ]
            or self._find_glued(value)
            or [Match(*place, "normalized", transform) for place, transform in self.notations.find(value)]
            or self._find_without_marks(value)
            or self._find_in_other_number(value)
        )

    def _find_in_other_number(self, value: str) -> list[Match]:
        """Find the name of a kind where the text has its plural, or its singular: "Goalkeeper" under "Goalkeepers"."""
        *before, last = value.casefold().split() or [""]
        if (
            len(before) > _MOST_BEFORE_A_NOUN
            or not all(map(str.isalpha, (*before, last)))
            or len(last) < _SHORTEST_NOUN
        ):
            return []
        others = {singular(last), f"{last}s", f"{last}es", f"{last[:-1]}ies" if last.endswith("y") else last} - {last}
        known = [other for other in sorted(others) if other in self._places and singular(other) == singular(last)]
        found = (match for other in known for match in self._find_phrase(" ".join((*before, other))))
        return [replace(match, status="normalized", transform="text") for match in found]

    def _find_without_marks(self, value: str) -> list[Match]:
        """Find a text of several words with marks of footnotes between them: "Oak[1] is hard.[2] It lasts"."""
        if self._unmarked is None or not any(map(str.isspace, value.strip())):
            return []
        return [replace(one, status="normalized", transform="text") for one in self._unmarked._find_phrase(value)]

    @cached_property
    def _unmarked(self) -> "TextIndex | None":
        """The text with blanks in the places of the marks of footnotes; None where it has none."""
        text = FOOTNOTE_MARK.sub(lambda mark: " " * len(mark[0]), self.text)
        return TextIndex(text) if text != self.text else None

    @cached_property
    def notations(self) -> Notations:
        """What the text says in other notations."""
        return Notations(self.text)

    def _find_phrase(self, value: str) -> list[Match]:
        """Find a text as it is written in Markdown, "the \\<b> tag", or else without the tags in it."""
        if "<" in value and (found := self._find_read(value, read_phrase(fold(value.replace("<", "\\<"))))):
            return found
        return self._find_read(value, read_phrase(fold(value)))

    def _find_read(self, value: str, phrase: Phrase | None) -> list[Match]:
        if phrase is None:
            return list(self._find_literal(value.strip()))
        places = find_phrase(phrase, self._folded.text, self._words, self._places)
        matches = (self._phrase_match(value, phrase, first) for first in places)
        return [match for match in matches if match is not None]

    def _find_glued(self, value: str) -> list[Match]:
        """Find a text of several words that is joined to its neighbours: "SaleRed Mug", "v1.57.0"."""
        wanted = value.strip()
        words = list(WORD.finditer(wanted))
        if len(words) < 2 or (len(wanted) < _LEAST_GLUED and not _VERSION.fullmatch(wanted)):
            return []
        stated = [(self._places[form], word.start()) for word in words if (form := word[0].lower()) in self._places]
        for places, offset in sorted(stated, key=lambda pair: len(pair[0]))[:_MOST_WORDS_TRIED]:
            starts = (self._folded.start_of(self._words.starts[place]) - offset for place in places)
            found = [
                Match(start, start + len(wanted), "verbatim") for start in starts if self._stands_at(wanted, start)
            ]
            if found:
                return found
        return []

    def _stands_at(self, wanted: str, start: int) -> bool:
        end = start + len(wanted)
        is_there = start >= 0 and self.text.startswith(wanted, start) and stands_apart(self.text, start, end)
        return is_there and not is_cut(wanted, self.text, start, end)

    def _find_literal(self, value: str) -> Iterable[Match]:
        start = self.text.find(value) if value else -1
        while start >= 0:
            yield Match(start, start + len(value), "verbatim")
            start = self.text.find(value, start + len(value))

    def _phrase_match(self, value: str, phrase: Phrase, first: int) -> Match | None:
        last = first + len(phrase.forms) - 1
        start = self._folded.start_of(self._words.starts[first])
        end = self._folded.end_of(self._words.ends[last])
        full_start, full_end = start - phrase.offset, end + len(value) - phrase.end
        exact = full_start >= 0 and self.text[full_start:full_end] == value
        start, end = (full_start, full_end) if exact else (start, end)
        if self._cuts_a_numeral(start, end) or is_cut(value, self.text, start, end):
            return None
        if exact:
            return Match(start, end, "verbatim")
        return Match(start, end, "normalized", self._what_differs(value, start, end))

    def _cuts_a_numeral(self, start: int, end: int) -> bool:
        edges = [edge for edge in (start, end) if may_part_a_numeral(self.text, edge)]
        starts, ends = self._whole_numerals if edges else ((), ())
        for edge in edges:
            number = bisect_left(starts, edge) - 1
            if number >= 0 and starts[number] < edge < ends[number]:
                return True
        return False

    def _what_differs(self, value: str, start: int, end: int) -> str:
        stated, wanted = self.text[start:end], value.strip()
        if stated.casefold() == wanted.casefold():
            return "case"
        return "whitespace" if "".join(stated.split()) == "".join(wanted.split()) else "text"

    # Addresses

    @cached_property
    def _addresses(self) -> dict[str, list[tuple[int, int]]]:
        found = scan_addresses(self.text, [*self._folded.targets, *self._targets])
        return grouped((key, (start, end)) for start, end, address in found for key in address_keys(address))

    def _find_address(self, value: str) -> list[Match]:
        if not looks_like_address(value):
            return []
        for key in lookup_keys(value, self.hosts):
            if key in self._addresses:
                return [Match(start, end, "normalized", "url") for start, end in self._addresses[key]]
        return []

    # Dates and times

    @cached_property
    def days(self) -> dict[Day, list[tuple[int, int]]]:
        """The places of the dates, by the day that each may mean."""
        in_figures = in_order(scan_numeric_dates(self.text), self.text, self._day_first)
        named = (
            (self._folded.start_of(self._words.starts[first]), self._folded.end_of(self._words.ends[past - 1]), days)
            for first, past, days in scan_named_dates(self._words, self._places)
        )
        found = grouped((day, (start, end)) for start, end, days in (*in_figures, *named) for day in days)
        return with_begun_ranges(found, self.text)

    @cached_property
    def _dates(self) -> list[tuple[int, int]]:
        """The places of full dates, with the times beside them, and of days with the names of months."""
        whole = (place for day, places in self.days.items() if day[0] and day[2] for place in places)
        short = (place for day, places in self.days.items() if day[2] and not day[0] for place in places)
        found = {*whole, *(place for place in short if any(map(str.isalpha, self.text[slice(*place)])))}
        return sorted({*found, *times_beside(found, self.text)})

    def _is_in_a_date(self, match: Match) -> bool:
        at = bisect_right(self._dates, (match.start, 1 << 62)) - 1
        return at >= 0 and match.end <= self._dates[at][1]

    def _find_moment(self, value: str) -> list[Match]:
        if len(value) > 60 or not any(character.isdecimal() for character in value):
            return []
        seconds = read_time(value)
        if seconds is not None:
            offset = offset_of_time(value)
            places = (one for one in self.times.get(seconds, ()) if offset is None or self._is_of_offset(*one, offset))
            return [Match(start, end, "normalized", "time") for start, end in places]
        moment = read_moment(value) or read_spoken_moment(fold(value).text)
        return [] if moment is None else [match for day in moment.days for match in self._find_day(day, moment)]

    @cached_property
    def times(self) -> dict[int, list[tuple[int, int]]]:
        """The places of the times of day, by their seconds after midnight."""
        found = (*scan_times(self.text, 0, len(self.text)), *scan_asian_times(self.text))
        return grouped((seconds, (start, end)) for start, end, seconds in found)

    def _find_day(self, day: Day, moment: Moment) -> list[Match]:
        matches: list[Match] = []
        for other, later in ((day, 0), *(_days_beside(day) if moment.offset is not None else ())):
            for start, end in self.days.get(other, ()):
                place = self._with_time(start, end, moment, later)
                if place is not None:
                    matches.append(Match(*place, "normalized", "date"))
        if not matches:
            for partly, transform, weak in self._partial_days.find(day):
                place = self._with_time(*partly, moment, 0) or partly
                matches.append(Match(*place, "normalized", transform, weak))
        return matches

    @cached_property
    def _partial_days(self) -> PartialDays:
        return PartialDays(self.text, self.title, self.days)

    def _with_time(self, start: int, end: int, moment: Moment, later: int) -> tuple[int, int] | None:
        """Widen a date's place by the time beside it, the nearest one; a midnight that nobody wrote is a date alone.

        The date is ``later`` days later than the moment's: 01:30+02:00 is 23:30Z of the day before. Where a list says
        one time after another, the one before the date is the record's above.
        """
        if moment.seconds is None:
            return start, end
        over = self._time_over(start)
        beside: list[tuple[int, int, int]] = []
        is_bare = True
        left = bisect_left(self._times, (self._reach(start, -1), 0, 0))
        right = bisect_left(self._times, (self._reach(end, 1), 0, 0))
        for first, last, found in self._times[left:right]:
            if (first < end and last > start) or (first, last) == over[:2] or self._is_of_another(start, end, first):
                continue
            is_bare = False
            if self._is_time_of(moment, first, last, found + later * _DAY):
                beside.append((max(first - end, start - last), min(start, first), max(end, last)))
        if beside:
            return min(beside)[1:]
        is_told_over = is_bare and over[2] >= 0 and self._is_time_of(moment, over[0], over[1], over[2] + later * _DAY)
        return (start, end) if is_told_over or (moment.seconds == 0 and not later) else None

    def _is_of_another(self, start: int, end: int, time: int) -> bool:
        """Tell whether a time stands beyond another date, in another line: it is that one's."""
        first, last = (end, time) if time >= end else (time, start)
        at = bisect_left(self._dates, (first, 0))
        is_beyond = at < len(self._dates) and self._dates[at][0] < last and self._dates[at][0] != time
        return is_beyond and "\n" in self.text[first:last]

    def _is_time_of(self, moment: Moment, start: int, end: int, seconds: int) -> bool:
        ahead = seconds - (moment.seconds or 0)
        return self._is_of_offset(start, end, moment.offset, ahead) if moment.offset is not None else not ahead

    def _time_over(self, place: int) -> tuple[int, int, int]:
        """Give the nearest time above a place and its seconds, if a sentence without a date says it for what follows.

        "Meetings begin at 9:00 am", over a list of days. Where there is none, all is -1.
        """
        at = bisect_left(self._times, (place, 0, 0)) - 1
        start, end, seconds = self._times[at] if at >= 0 else _NO_TIME
        first, last = self.text.rfind("\n", 0, start) + 1, self.text.find("\n", end)
        if at < 0 or not end <= last < place or last - first > _LONGEST_LINE:
            return _NO_TIME
        dated = bisect_left(self._dates, (first, 0))
        is_dated = dated < len(self._dates) and self._dates[dated][0] < last
        is_said = len(WORD.findall(self.text, first, last)) >= _FEWEST_OF_A_SENTENCE
        return (start, end, seconds) if is_said and not is_dated else _NO_TIME

    @cached_property
    def _times(self) -> list[tuple[int, int, int]]:
        """The times of day that readers see, in order: start, end, seconds after midnight."""
        found = sorted((*place, seconds) for seconds, places in self.times.items() for place in places)
        targets = self.link_targets
        at = [bisect_left(targets, (start, 0)) - 1 for start, *_ in found]
        return [time for time, one in zip(found, at, strict=True) if one < 0 or targets[one][1] <= time[0]]

    def _reach(self, place: int, way: int) -> int:
        """Give how far from an end of a date the time beside it may stand: addresses of links between do not count."""
        targets, left = self.link_targets, _NEAR_A_DATE
        at = bisect_left(targets, (place, 0)) - (way < 0)
        while 0 <= at < len(targets):
            start, end = targets[at]
            gap = start - place if way > 0 else place - end
            if gap < 0 or gap > left:
                break
            place, left, at = (end if way > 0 else start), left - gap - 1, at + way
        return place + way * left

    def _is_of_offset(self, start: int, end: int, wanted: int, ahead: int = 0) -> bool:
        """Tell whether a time of day is told with an offset from UTC, in seconds, or the text names one for all.

        One that is so many seconds ``ahead`` of the time meant is it, too, if an offset as far ahead stands behind it.
        """
        stated = offset_behind(self.text, start, end)
        if stated is not None:
            return stated == wanted + ahead
        return is_of_zone(self.text, end, wanted + ahead, self._offsets if not ahead else frozenset())

    @cached_property
    def _offsets(self) -> frozenset[int]:
        return offsets_stated(self.text)

    # Amounts

    def _find_quantity(self, value: str) -> list[Match]:
        quantity = read_amount(value)
        if quantity is None:
            return []
        matches = (
            self._number_match(numeral, number)
            for number in quantity.values
            for numeral in self.numbers.get(number, ())
        )
        return [
            Match(match.start, match.end, "normalized", "money" if quantity.currencies else "number", weak=match.weak)
            for match in matches
            if quantity.fits(self.text, match.start, match.end)
        ]


def _days_beside(day: Day) -> list[tuple[Day, int]]:
    """Give the days before and behind one, each with how much later it is."""
    found: list[tuple[Day, int]] = []
    for later in (-1, 1):
        with suppress(ValueError, OverflowError):
            other = date(*day) + timedelta(days=later)
            found.append(((other.year, other.month, other.day), later))
    return found


def _sorted(matches: Iterable[Match]) -> list[Match]:
    """Sort by place; of the readings of one place the surest stays."""
    best: dict[int, Match] = {}
    for match in matches:
        known = best.get(match.start)
        if known is None or _rank(match) > _rank(known):
            best[match.start] = match
    return [best[start] for start in sorted(best)]


def _rank(match: Match) -> tuple[bool, bool, int]:
    return match.status == "verbatim", not match.weak, match.end
