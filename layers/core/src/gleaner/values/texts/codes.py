"""Numbers of telephones and books, e-mail addresses and durations: written in other ways they say the same.

"+49 30 1234567" states "+49301234567", "joe [at] example.com" an address, "1 h 30 min" PT1H30M and 90 minutes.
"""

import re
from collections.abc import Iterator, Sequence

_SEPARATORS = "[ \u00a0()./–-]{0,3}"
_CODE = re.compile(
    r"(?<![\w+])(?:[A-Z]{2}(?=\d\d\s?\w)|(?P<land>[A-Z]{2} )(?=\d))?"
    rf"[+(]{{0,2}}\d(?:{_SEPARATORS}\d){{6,30}}(?:-?X)?(?![^\W_])"
)
_TRUNK_ZERO = "(0)"
_VALUE = re.compile(r"(?:tel:)?(?:[A-Z]{2})?[+(]{0,2}[\d ()./\u00a0–-]{7,50}X?")
_NO_DIGIT = re.compile(r"[^\dA-Z]")
_LEAST_DIGITS = 7

_AT = r"\s*(?:[\[({<]\s*(?:at|ät|@|arroba|chez|AT)\s*[\])}>]|\sAT\s)\s*"
_DOT = r"(?:\.|\s*[\[({<]\s*(?:dot|punkt|punto|point|DOT|\.)\s*[\])}>]\s*|\sDOT\s)"
_OBSCURED = re.compile(rf"(?<![\w.+-])([\w.+-]{{1,64}}){_AT}([\w-]{{1,63}}(?:{_DOT}[\w-]{{1,63}}){{1,5}})")
_ANY_DOT = re.compile(_DOT)
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")

_UNIT_WORDS = {
    86400: "d day days tag tage tagen jour jours día días dia dias giorno giorni dag dagen dagar "
    "dzień dni день дня дней gün",
    3600: "h hr hrs hour hours std stunde stunden heure heures hora horas ora ore uur timmar "
    "godz godzina godziny godzin ч час часа часов saat sa",
    60: "m min mins minute minutes minuten minuto minutos minuti minuter minuut "
    "minuta minuty minut мин минута минуты минут dk dakika",
    1: "s sec secs second seconds sek sekunden seconde secondes segundo segundos secondi sekunder "
    "sekund sekundy сек секунд saniye",
}
_UNSPACED_UNITS = {"時間": 3600, "小时": 3600, "小時": 3600, "시간": 3600, "分钟": 60, "分鐘": 60, "分": 60, "분": 60}
_SECONDS = {word: seconds for seconds, words in _UNIT_WORDS.items() for word in words.split()} | _UNSPACED_UNITS
_WORDS = "|".join(sorted(_SECONDS.keys() - _UNSPACED_UNITS.keys(), key=len, reverse=True))
_UNIT = rf"(?:{_WORDS})\b|{'|'.join(_UNSPACED_UNITS)}"
_NUMBER = r"(?:\d{1,4}(?:[.,]\d{1,2})?\s?[½¼¾]?|[½¼¾])"
_PIECE = rf"{_NUMBER}\s?(?:{_UNIT})\.?(?:\s(?:{_UNIT}))?"  # some pages say it twice, once for those who listen
_SPELLED = re.compile(
    rf"(?<![A-Za-z\d_.,:]){_PIECE}(?:(?:\s?,)?\s?(?:and |und |et |y |e )?{_PIECE}){{0,3}}", re.IGNORECASE
)
_GLUED = re.compile(r"(?<![\w.,:])(\d{1,2})\s?h\s?(\d{2})(?!\w|\s?m)", re.IGNORECASE)
_CLOCKED = re.compile(r"(?<![\d:.])(\d{1,3}):(\d{2}):(\d{2})(?![\d:])")
_ONE_PIECE = re.compile(rf"({_NUMBER})\s?({_UNIT})", re.IGNORECASE)
_PARTS = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_ISO = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.0+)?S)?)?")


def scan_codes(text: str) -> Iterator[tuple[int, int, str]]:
    """Give the telephone numbers and codes of many digits: start, end, what is left without signs between.

    >>> [code for _, _, code in scan_codes("Tel. +49 (0)30 1234567, ISBN 978-3-16-148410-0, 12 345")]
    ['49301234567', '490301234567', '9783161484100']
    """
    for match in _CODE.finditer(text):
        if _TRUNK_ZERO in match[0]:
            yield match.start(), match.end(), code_key(match[0].replace(_TRUNK_ZERO, ""))
        if match["land"]:
            yield match.end("land"), match.end(), code_key(match[0][match.end("land") - match.start() :])
        yield match.start(), match.end(), code_key(match[0])


def code_key(code: str) -> str:
    """Give a code without what parts its digits."""
    return _NO_DIGIT.sub("", code)


def read_code(value: str) -> str:
    """Give the key of a value that is a telephone number or a code of many digits; "" for any other."""
    key = code_key(value.removeprefix("tel:")) if _VALUE.fullmatch(value.strip()) else ""
    return key if len(key) >= _LEAST_DIGITS else ""


def scan_emails(text: str) -> Iterator[tuple[int, int, str]]:
    """Give the e-mail addresses that are written so that machines should not see them.

    >>> [address for _, _, address in scan_emails("joe [at] example (dot) com")]
    ['joe@example.com']
    """
    for match in _OBSCURED.finditer(text):
        yield match.start(), match.end(), f"{match[1]}@{_ANY_DOT.sub('.', match[2])}".casefold()


def is_email(value: str) -> bool:
    """Tell whether a value is an e-mail address."""
    return "@" in value and _EMAIL.fullmatch(value) is not None


def scan_durations(text: str) -> Iterator[tuple[int, int, int]]:
    """Give the lengths of time: start, end, seconds.

    >>> [seconds for _, _, seconds in scan_durations("1 h 30 min; 2 Stunden; 1 ч 5 мин; 2時間28分; 1h05")]
    [5400, 7200, 3900, 8880, 3900]
    >>> [seconds for _, _, seconds in scan_durations("5 km, 2 m, 2h 26min")]
    [120, 8760]
    """
    for match in _SPELLED.finditer(text):
        for pieces in _falling([*_ONE_PIECE.finditer(text, *match.span())]):
            seconds = sum(_read_number(one[1]) * _SECONDS[one[2].casefold()] for one in pieces)
            end = match.end() if pieces[-1].end() + 1 == match.end() else pieces[-1].end()
            yield pieces[0].start(), end, round(seconds)
    for match in _GLUED.finditer(text):
        yield match.start(), match.end(), int(match[1]) * 3600 + int(match[2]) * 60
    for match in _CLOCKED.finditer(text):
        yield match.start(), match.end(), int(match[1]) * 3600 + int(match[2]) * 60 + int(match[3])


def _falling(pieces: Sequence[re.Match[str]]) -> Iterator[list[re.Match[str]]]:
    """Give the runs of pieces in ever smaller units: "900 m, 2 h 5 min" are metres and a length of time."""
    run: list[re.Match[str]] = []
    for piece in pieces:
        if run and _SECONDS[piece[2].casefold()] >= _SECONDS[run[-1][2].casefold()]:
            yield run
            run = []
        run.append(piece)
    if run:
        yield run


def _read_number(text: str) -> float:
    whole = text.rstrip().rstrip("½¼¾").rstrip().replace(",", ".")
    return float(whole or 0) + _PARTS.get(text.rstrip()[-1:], 0)


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
