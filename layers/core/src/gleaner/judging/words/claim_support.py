"""Find where a page supports a claim (EX-11), comparing numbers, dates and times by value,
names by their words, addresses and codes as wholes, quotations word for word but for what "…" leaves out. Pure.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property

from gleaner.chunking.relevance import UNSPACED, fold
from gleaner.judging.origins.regions import line_at
from gleaner.judging.words.claims import VOWEL, AnswerClaim, Day, Reading
from gleaner.values import locales
from gleaner.values.lookups import grouped
from gleaner.values.mentions.numerals import UNSIGNED
from gleaner.values.texts.text_index import TextIndex

Span = tuple[int, int]

_HALF_A_DAY = 43_200
_ELLIPSIS = re.compile(r"(?<!\s)\s*(?:\[?(?:…|\.{3})\]?)\s*")
_WORD = re.compile(rf"[^\W\d_{UNSPACED}]+(?:['’][^\W\d_]+)*")
_DIGITS = re.compile(r"\+?\(?\d[\d()\s./-]{4,30}\d")
_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_LEAST_DIGITS = 7
_INFLECTED = re.compile("[\u0100-\u024f\u0370-\u058f]")
"""Letters of languages that inflect names: Latin Extended (Polish, Czech, Baltic, Turkish), Greek, Cyrillic."""

_SAMPLE, _INFLECTING_SHARE = 20_000, 0.01
_LEAST_STEM, _LONGEST_ENDING = 3, 4
_MIDDLE_NAMES = 1
_MOST_PLACES = 2_000
_PERCENT_AROUND = re.compile(r"[%٪]|per ?cent|prozent", re.I)
_VOWELS = re.compile(VOWEL, re.I)


class PageSupport:
    """A page's index with what claims need besides: its names, its digits, and its percentages."""

    def __init__(self, index: TextIndex) -> None:
        self.index = index
        self.text = index.text

    def places(self, claim: AnswerClaim) -> list[Span]:
        """Give the places of the page that state a claim, in page order; none when nothing does."""
        if claim.kind == "number" and claim.number:
            found = self._number(claim.number, claim)
        elif claim.kind == "date":
            found = self._date(claim)
        elif claim.kind == "time":
            found = self._time(claim)
        elif claim.kind == "quotation":
            found = self._quotation(claim.text)
        elif claim.kind == "address":
            found = self._address(claim.text)
        elif claim.kind == "code":
            found = self._code(claim.text)
        else:
            found = self._name(claim)
        return sorted(set(found))[:_MOST_PLACES]

    # Numbers, dates, times

    def _number(self, number: Reading, claim: AnswerClaim) -> Iterator[Span]:
        if number.is_word:
            yield from self._phrase(claim.text)
        for value in number.values if number.percent is None else (number.percent,):
            yield from self._figures(value, is_word=number.is_word or number.percent is None)
        if number.percent is not None:
            for value in number.values:
                for start, end in self._figures(value, is_word=False):
                    if _PERCENT_AROUND.search(self._row_and_header(start, end)):
                        yield start, end
        for value in number.values:
            if isinstance(value, int) and 1000 <= value <= 2100:
                yield from (span for day in self._days_of_year.get(value, ()) for span in self.index.days[day])

    def _figures(self, value: float, *, is_word: bool) -> Iterator[Span]:
        seen = [(one.start, one.end) for one in self.index.numbers.get(value, ())]
        seen += [(one.start, one.end) for one in self.index.numbers.get(-value, ()) if one.transform not in UNSIGNED]
        yield from seen
        if is_word:
            yield from ((match.start, match.end) for match in self.index.find(value) if match.weak)

    def _row_and_header(self, start: int, end: int) -> str:
        """Give the line of a place, and the two rows at the head of its table."""
        row = self.text[slice(*line_at(self.text, start, end))]
        if not row.startswith("|"):
            return row
        top = self.text.rfind("\n\n", max(0, start - _SAMPLE), start) + 2
        return f"{self.text[top : top + 500]}\n{row}"

    @cached_property
    def _days_of_year(self) -> dict[int, list[Day]]:
        return grouped((day[0], day) for day in self.index.days)

    @cached_property
    def _days_of_month(self) -> dict[int, list[Day]]:
        return grouped((day[1], day) for day in self.index.days)

    def _date(self, claim: AnswerClaim) -> list[Span]:
        found = [self._day(day) for day in claim.days]
        spans = [span for each in found for span in each]
        if claim.is_ambiguous or (all(found) and any(day[2] for day in claim.days)):
            return spans
        return (spans if all(found) else []) + self._phrase(claim.text)

    def _day(self, day: Day) -> list[Span]:
        """Give the places of a day: of dates that say it all, and of those without a year where the page has it."""
        year, month, number = day
        found: list[Span] = []
        for stated in self._days_of_month.get(month, ()):
            fits_year = not year or stated[0] == year or (not stated[0] and self._states_year(year))
            if fits_year and (not number or stated[2] == number):
                found += self.index.days[stated]
        return found

    def _states_year(self, year: int) -> bool:
        return year in self._days_of_year or year in self.index.numbers

    def _time(self, claim: AnswerClaim) -> list[Span]:
        """Give the places of a time; of hours without a half of the day, "9–5", too."""
        found = list(self.index.times.get(claim.seconds, ()))
        half = self.index.times.get((claim.seconds + _HALF_A_DAY) % (2 * _HALF_A_DAY), ())
        found += [span for span in half if not any(map(str.isalpha, self.text[slice(*span)]))]
        if not found and claim.seconds % 3600 == 0:
            hours = {claim.seconds // 3600, (claim.seconds // 3600) % 12 or 12}
            spans = [span for hour in hours for span in self._figures(hour, is_word=True)]
            found = [span for span in spans if span[0] not in self._in_times]
        return found

    @cached_property
    def _in_times(self) -> frozenset[int]:
        return frozenset(start for spans in self.index.times.values() for start, _ in spans)

    # Quotations, addresses, codes

    def _phrase(self, text: str) -> list[Span]:
        return [(match.start, match.end) for match in self.index.find(text)]

    def _quotation(self, text: str) -> list[Span]:
        pieces = [piece.strip(" .,;:!?。、") for piece in _ELLIPSIS.split(text)]
        found = [self._phrase(piece) for piece in pieces if piece]
        if not found or not all(found):
            return []
        if len(found) == 1:
            return found[0]
        limit = 3 * len(text) + 2_000
        for start, end in found[0]:
            reached = end
            for spans in found[1:]:
                at = bisect_left(spans, (reached, 0))
                if at == len(spans):
                    return []
                reached = spans[at][1]
            if reached - start <= limit:
                return [(start, reached)]
        return []

    def _address(self, text: str) -> list[Span]:
        if "@" in text and "://" not in text:
            return self._mails.get(text.casefold(), [])
        return [(match.start, match.end) for match in self.index.find(text)]

    @cached_property
    def _mails(self) -> dict[str, list[Span]]:
        return grouped((match[0].rstrip(".").casefold(), match.span()) for match in _MAIL.finditer(self.text))

    def _code(self, text: str) -> list[Span]:
        if not any(map(str.isalpha, text)):
            return self._digits(re.sub(r"\D", "", text)) or self._phrase(text)
        pieces = re.findall(r"\d+|[^\W\d_]+", text)
        for form in (text, "-".join(pieces), " ".join(pieces), "".join(pieces)):
            if found := self._phrase(form):
                return found
        return []

    def _digits(self, digits: str) -> list[Span]:
        """Give the places of a telephone number; one side may lack the country's code or the leading zero."""
        wanted = digits.lstrip("0")
        if len(wanted) < _LEAST_DIGITS:
            return [span for stated, span in self._digit_runs if stated == digits]
        return [
            span
            for stated, span in self._digit_runs
            if len(stated) >= _LEAST_DIGITS and (stated.endswith(wanted) or digits.endswith(stated.lstrip("0")))
        ]

    @cached_property
    def _digit_runs(self) -> list[tuple[str, Span]]:
        return [(re.sub(r"\D", "", match[0]), match.span()) for match in _DIGITS.finditer(self.text)]

    # Names

    @cached_property
    def _words(self) -> list[re.Match[str]]:
        return list(_WORD.finditer(self.text))

    @cached_property
    def _positions(self) -> dict[str, list[int]]:
        return grouped((_plain(word[0]), position) for position, word in enumerate(self._words))

    @cached_property
    def _by_stem(self) -> dict[str, list[str]]:
        return grouped((form[:_LEAST_STEM], form) for form in self._positions)

    @cached_property
    def _initials(self) -> str:
        return "".join(word[0][0] if word[0][0].isupper() else "." for word in self._words)

    def _word_positions(self, word: str, *, inflects: bool) -> list[int]:
        plain = _plain(word)
        found = list(self._positions.get(plain, ()))
        for form in self._by_stem.get(plain[:_LEAST_STEM], ()):
            if form != plain and _is_form_of(plain, form, inflects=inflects):
                found += self._positions[form]
        return sorted(found)

    def _name(self, claim: AnswerClaim) -> list[Span]:
        words = _WORD.findall(claim.text)
        inflects = self._inflects or bool(_INFLECTED.search(claim.text))
        if all(word.casefold() in locales.weekdays() for word in words):
            return self._phrase(claim.text) or self._weekday(words[0])
        if found := self._phrase(claim.text) or self._together(words, inflects=inflects):
            return found
        if short := self._abbreviation(words):
            return short
        first = words[0]
        is_title = not _VOWELS.search(first)  # "Mr", "Dr"
        may_drop = len(words) > 1 and (is_title or (claim.opens and first.lower() in self._small_words))
        if may_drop:
            return self._together(words[1:], inflects=inflects)
        if len(words) > 2:  # "President Ada Lovelace", of a page that says "Ada Lovelace, the president"
            lead, name = self._word_positions(first, inflects=inflects), self._together(words[1:], inflects=inflects)
            if lead and name:
                return name
        stated = (at for word in words for at in self._word_positions(word, inflects=False)) if claim.is_label else ()
        return [self._words[at].span() for at in stated]

    @cached_property
    def _inflects(self) -> bool:
        sample = self.text[:_SAMPLE]
        return len(_INFLECTED.findall(sample)) > _INFLECTING_SHARE * len(sample)

    @cached_property
    def _small_words(self) -> frozenset[str]:
        return frozenset(word[0] for word in self._words if word[0].islower())

    def _weekday(self, word: str) -> list[Span]:
        """Give the places of a weekday in short, "Mon", or of several that a range may join, "Tue–Fri"."""
        short = [at for length in (2, 3, 4) for at in self._positions.get(_plain(word)[:length], ())]
        known = [at for day in locales.weekdays() for at in self._positions.get(_plain(day), ())]
        named = [at for at in known if self._words[at][0][0].isupper()]
        return [self._words[at].span() for at in short or (named if len(named) > 1 else [])]

    def _together(self, words: Sequence[str], *, inflects: bool) -> list[Span]:
        """Give the places where all words of a name stand together, in any order: "Lovelace, Ada" and middle names."""
        places = [self._word_positions(word, inflects=inflects) for word in words]
        if not all(places):
            return []
        rarest = min(places, key=len)
        side_by_side = len(words) - 1
        found: list[Span] = []
        for position in rarest[:_MOST_PLACES]:
            nearest = [_nearest(positions, position) for positions in places]
            apart = max(nearest) - min(nearest)
            if not side_by_side <= apart <= side_by_side + _MIDDLE_NAMES:
                continue
            start, end = self._words[min(nearest)].start(), self._words[max(nearest)].end()
            if "\n" not in self.text[start:end] and (apart == side_by_side or "|" not in self.text[start:end]):
                found.append((start, end))
        return found

    def _abbreviation(self, words: Sequence[str]) -> list[Span]:
        """Give the places where a name is written in full for its initials, or in initials for the full name."""
        if len(words) == 1 and words[0].isupper() and len(words[0]) > 1:
            at = self._initials.find(words[0])
            return [(self._words[at].start(), self._words[at + len(words[0]) - 1].end())] if at >= 0 else []
        initials = "".join(word[0] for word in words)
        places = self._positions.get(_plain(initials), ()) if len(words) > 1 else ()
        return [self._words[at].span() for at in places if self._words[at][0].isupper()]


def _nearest(positions: Sequence[int], position: int) -> int:
    at = bisect_left(positions, position)
    beside = positions[max(0, at - 1) : at + 1]
    return min(beside, key=lambda one: abs(one - position))


def _plain(word: str) -> str:
    """Give a word without case, accents and possessive or other endings behind an apostrophe."""
    return fold(re.split("['’]", word)[0] if word.rfind("'") > 2 or word.rfind("’") > 2 else word)


def _is_form_of(word: str, form: str, *, inflects: bool) -> bool:
    """Tell whether two words may be forms of one name: an ending added, or in inflecting languages, exchanged."""
    shared = next((at for at, (one, two) in enumerate(zip(word, form, strict=False)) if one != two), None)
    if shared is None:
        added = _LONGEST_ENDING - 1 if inflects else _LONGEST_ENDING - 2
        least = _LEAST_STEM if inflects else _LEAST_STEM + 1
        return min(len(word), len(form)) >= least and abs(len(word) - len(form)) <= added
    longest = max(len(word), len(form))
    return inflects and shared >= max(_LEAST_STEM, (longest + 1) // 2) and longest - shared <= _LONGEST_ENDING
