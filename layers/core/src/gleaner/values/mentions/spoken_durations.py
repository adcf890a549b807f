"""Lengths of time that are said in words: "half an hour", "anderthalb Stunden", "two and a half hours", ساعتان."""

import re
from collections.abc import Iterator

from gleaner.values import locales
from gleaner.values.mentions.number_words import value_of_word

_HOUR = (
    "hours?|hrs?|stunden?|heures?|horas?|or[ae]|uur|uren|timm(?:e|ar)|timer?|godzin[yaęe]?|час(?:а|ов)?|"
    "годин[аиу]?|saat"
    "|ώρ(?:α|ες)|óra|tuntia?|hodin[ayu]?"
)
_MINUTE = (
    "minutes?|minuten?|minutos?|minut[oi]|minuter|minut[ay]?|минут[аы]?|хвилин[аи]?|dakika|λεπτ[όά]|perc|minuuttia?"
)
_UNIT = rf"(?:(?P<hour>{_HOUR})|(?P<minute>{_MINUTE}))\b"
_WORD = r"(?P<word>[^\W\d_]{3,10})"
_AND_A_HALF = (
    "and a half|und (?:eine )?halbe?|et demie?|y media|e mezz[ao]|e meia|en een half|och en halv|og en halv"
    "|с половиной|i pół"
)
_SAID = re.compile(
    rf"(?<![^\W_])(?:{_WORD}|(?P<figure>\d{{1,2}}))\s(?P<half>(?:{_AND_A_HALF})\s)?{_UNIT}(?P<more>\s(?:{_AND_A_HALF})\b)?",
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
_HOURS, _MINUTES = 3600, 60


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
    return _HOURS if match["hour"] else _MINUTES
