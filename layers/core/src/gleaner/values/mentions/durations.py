"""Lengths of time in a text: in figures, "1 h 30 min", and in words, "half an hour", "anderthalb Stunden", ساعتان."""

import re
from collections.abc import Iterator
from string import ascii_letters
from typing import NamedTuple

from gleaner.values import locales
from gleaner.values.locales import time_words
from gleaner.values.mentions.number_words import value_of_word
from gleaner.values.name_measures import seconds_of_unit

_NUMBER = r"(?:\d{1,4}(?:[.,]\d{1,2})?\s?[½¼¾]?|[½¼¾])"
_PIECE = re.compile(rf"(?<![\d.,:])({_NUMBER})\s?([^\W\d_]{{1,20}})\.?")
_BETWEEN = re.compile(r"(?:\s?,)?\s?(?:and |und |et |y |e )?")
_AGAIN = re.compile(r"\s([^\W\d_]{1,20})")
_GLUED = re.compile(r"(?<![\w.,:])(\d{1,2})\s?h\s?(\d{2})(?!\w|\s?m)", re.IGNORECASE)
_CLOCKED = re.compile(r"(?<![\d:.])(\d{1,3}):(\d{2}):(\d{2})(?![\d:])")
_PARTS = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_ISO = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.0+)?S)?)?")
_MOST_PIECES = 4
_LONGEST_UNSPACED = 4

_SPOKEN = "|".join(
    sorted((word for word, unit in time_words().items() if unit in ("hour", "minute") and len(word) > 2), reverse=True)
)
_UNIT = rf"(?P<unit>{_SPOKEN})(?![^\W_])"
_AND_A_HALF = (
    "and a half|und (?:eine )?halbe?|et demie?|y media|e mezz[ao]|e meia|en een half|och en halv|og en halv"
    "|с половиной|i pół"
)
_SAID = re.compile(
    rf"(?<![^\W_])(?:(?P<word>[^\W\d_]{{3,10}})|(?P<figure>\d{{1,2}}))\s(?P<half>(?:{_AND_A_HALF})\s)?{_UNIT}"
    rf"(?P<more>\s(?:{_AND_A_HALF})\b)?",
    re.IGNORECASE,
)
_HALVES = re.compile(
    r"(?<![^\W_])(?:(?P<one>anderthalb|eineinhalb|anderhalf|anderhalve|полтора|półtorej|bir buçuk|πάμιση)"
    rf"|(?P<many>[^\W\d_]{{3,6}})einhalb|(?P<turkish>[^\W\d_]{{2,5}}) buçuk)\s{_UNIT}",
    re.IGNORECASE,
)
_ALONE = re.compile(
    r"(?:[:：(|]|(?<![^\W_])(?:for|takes|about|lasts|ca\.|etwa|circa|environ|unos|около|ok\.))[*_\s]{1,4}"
    r"(?P<said>(?:an|one|eine|une|una|uma|een|en|jedna|один|bir|1)\s"
    r"(?:hour|stunde|heure|hora|ora|uur|timme|time|godzina|час|saat)|un['’]ora|ساعة(?:\sواحدة)?)(?![^\W_])",
    re.IGNORECASE,
)
_SECONDS = {said.casefold(): seconds for said, seconds in locales.meanings("spoken_durations").items()}
_SPACED = "|".join(re.escape(said) for said in sorted(_SECONDS, key=len, reverse=True) if said[0] < "\u2e80")
_UNSPACED = "|".join(re.escape(said) for said in sorted(_SECONDS, key=len, reverse=True) if said[0] >= "\u2e80")
_FIXED = re.compile(rf"(?<![^\W_])(?:{_SPACED})(?![^\W_])|{_UNSPACED}", re.IGNORECASE)
_HALF_AFTER = re.compile(r"(?<![\d.])(\d{1,2})(?:時間|个?小?时|個?小?時|시간\s?)(?:半|반)")
_HOURS = 3600


def scan_durations(text: str) -> Iterator[tuple[int, int, int]]:
    """Give the lengths of time in figures: start, end, seconds.

    >>> [seconds for _, _, seconds in scan_durations("1 h 30 min; 2 Stunden; 1 ч 5 мин; 2時間28分; 1h05")]
    [5400, 7200, 3900, 8880, 3900]
    >>> [seconds for _, _, seconds in scan_durations("5 km, 2 m, 2h 26min")]
    [120, 8760]
    """
    run: list[_Piece] = []
    for piece in (*_pieces(text), None):
        is_next = bool(run) and piece is not None and piece.size < run[-1].size and len(run) < _MOST_PIECES
        if piece and is_next and _BETWEEN.fullmatch(text, run[-1].end, piece.start):
            run.append(piece)
            continue
        if run and text[run[-1].end : run[-1].end + 1].isdigit():
            run.pop()  # "1h05"
        if run:
            yield run[0].start, run[-1].end, round(sum(one.seconds for one in run))
        is_joined = piece is not None and (text[piece.start - 1 : piece.start] or " ") in _JOINED
        run = [piece] if piece is not None and not is_joined else []
    for match in _GLUED.finditer(text):
        yield match.start(), match.end(), int(match[1]) * 3600 + int(match[2]) * 60
    for match in _CLOCKED.finditer(text):
        yield match.start(), match.end(), int(match[1]) * 3600 + int(match[2]) * 60 + int(match[3])


class _Piece(NamedTuple):
    start: int
    end: int
    size: int
    seconds: float


_JOINED = frozenset(f"{ascii_letters}_")


def _pieces(text: str) -> Iterator[_Piece]:
    """Give each number with a unit of time; some pages say the unit twice, once for those who listen."""
    for match in _PIECE.finditer(text):
        word = word_of_time(match[2])
        size = seconds_of_unit(time_words()[word]) if word else 0
        if not size:
            continue
        whole = match[1].rstrip().rstrip("½¼¾").rstrip().replace(",", ".")
        value = float(whole or 0) + _PARTS.get(match[1].rstrip()[-1:], 0)
        again = _AGAIN.match(text, match.end())
        end = match.end() if len(word) == len(match[2]) else match.start(2) + len(word)
        yield _Piece(match.start(), again.end() if again and again[1] == match[2] else end, size, value * size)


def word_of_time(said: str) -> str:
    """Give the word for a unit of time that letters behind a figure are, or begin with in a script without blanks.

    >>> word_of_time("Stunden"), word_of_time("時間です"), word_of_time("dogs")
    ('stunden', '時間', '')
    """
    known, folded = time_words(), said.casefold()
    if folded in known or folded < "\u2e80":
        return folded if folded in known else ""
    return next((folded[:at] for at in range(_LONGEST_UNSPACED, 0, -1) if folded[:at] in known), "")


def read_duration(value: str) -> int | None:
    """Read a duration of ISO 8601 in days, hours, minutes and seconds; None for anything else.

    >>> read_duration("PT1H30M"), read_duration("P1M"), read_duration("PT")
    (5400, None, None)
    """
    match = _ISO.fullmatch(value)
    if match is None or not any(match.groups()):
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return days * 86400 + hours * 3600 + minutes * 60 + seconds


def scan_spoken_durations(text: str) -> Iterator[tuple[int, int, int]]:
    """Give the lengths of time that are said in words, with the halves of those in figures: start, end, seconds.

    An hour alone is one only behind a colon, "for" and the like: "20 € an hour" is none.

    >>> text = "half an hour; two hours; zweieinhalb Stunden; 2 heures et demie; 1時間半; £20 an hour; takes an hour"
    >>> sorted(seconds // 60 for _, _, seconds in scan_spoken_durations(text))
    [30, 60, 90, 120, 150, 150]
    """
    for match in _FIXED.finditer(text):
        yield *match.span(), _SECONDS[match[0].casefold()]
    for match in _ALONE.finditer(text):
        yield *match.span("said"), _HOURS
    for match in _HALF_AFTER.finditer(text):
        yield *match.span(), int(match[1]) * _HOURS + _HOURS // 2
    for match in _HALVES.finditer(text):
        value = 1 if match["one"] else value_of_word(match["many"] or match["turkish"])
        if value:
            yield *match.span(), round((value + 0.5) * _unit(match))
    for match in _SAID.finditer(text):
        value = int(match["figure"]) if match["figure"] else value_of_word(match["word"])
        is_half = bool(match["half"] or match["more"])
        if value and (match["word"] or is_half):
            yield *match.span(), round((value + is_half / 2) * _unit(match))


def _unit(match: re.Match[str]) -> int:
    return seconds_of_unit(time_words()[match["unit"].casefold()])
