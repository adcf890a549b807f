"""Lengths of time that are said in words: "half an hour", "anderthalb Stunden", "two and a half hours", ساعتان."""

import re
from collections.abc import Iterator

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
_PHRASES = {
    1800: "half an hour;half hour;half-hour;eine halbe Stunde;einer halben Stunde;halbe Stunde;une "
    "demi-heure;demi-heure;"
    "media hora;mezz'ora;mezz’ora;mezza ora;meia hora;een half uur;half uur;en halv timme;halvtimme;en "
    "halv time;pół godziny;"
    "полчаса;пів години;yarım saat;μισή ώρα;fél óra;puoli tuntia;půl hodiny;"
    "نصف ساعة;חצי שעה;半小时;半小時;半時間;nửa giờ;"
    "setengah jam;jumătate de oră;pola sata;половин час;आधा घंटा",
    900: "quarter of an hour;a quarter hour;eine Viertelstunde;Viertelstunde;un quart d'heure;un quart d’heure;"
    "un cuarto de hora;un quarto d'ora;un quarto d’ora;een kwartier;kwartier;en kvart;kwadrans;четверть "
    "часа;ربع ساعة;רבע שעה",
    2700: "three quarters of an hour;three-quarters of an hour;eine Dreiviertelstunde;Dreiviertelstunde;"
    "trois quarts d'heure;trois quarts d’heure;tres cuartos de hora;tre quarti d'ora;tre quarti d’ora;driekwartier;"
    "trzy kwadranse;ثلاثة أرباع الساعة",
    5400: "an hour and a half;one hour and a half;une heure et demie;una hora y media;un'ora e mezza;un’ora e mezza;"
    "uma hora e meia;een uur en een half;półtorej godziny;полтора часа;"
    "ساعة ونصف;שעה וחצי;一个半小时;一個半小時;một tiếng rưỡi",
    7200: "ساعتان;ساعتين;שעתיים;两小时;兩小時;两个小时;兩個小時",
    120: "دقيقتان;دقيقتين",
    172800: "يومان;يومين;יומיים;两天",
}
_SECONDS = {said.casefold(): seconds for seconds, phrases in _PHRASES.items() for said in phrases.split(";")}
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
