"""Dates as pages write them, to RFC 3339. Each function raises ValueError if in doubt: "03/04/2026" has no reading.

The names of months are a table of our own: a general date parser takes 0.3 s to import, guesses missing parts from
today's date, and reads numbers that are no dates.
"""

import re
import unicodedata
from datetime import date

MAX_CHARS = 100

MONTHS = """
january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sep/sept october/oct november/nov december/dec
januar/jänner februar märz/mrz/maerz april mai juni juli august september oktober/okt november dezember/dez
janvier/janv février/févr/fév mars avril/avr mai juin juillet/juil août septembre octobre novembre décembre/déc
enero/ene febrero marzo abril/abr mayo junio julio agosto/ago septiembre/setiembre/set octubre noviembre diciembre/dic
gennaio/gen febbraio marzo aprile maggio/mag giugno/giu luglio/lug agosto settembre/sett ottobre/ott novembre dicembre
janeiro fevereiro/fev março abril maio junho julho agosto setembro outubro/out novembro dezembro
januari februari maart/mrt april mei juni juli augustus september oktober november december
januari februari mars april maj juni juli augusti september oktober november december
januar februar marts april maj juni juli august september oktober november desember/des
tammikuu/tammikuuta helmikuu/helmikuuta maaliskuu/maaliskuuta huhtikuu/huhtikuuta toukokuu/toukokuuta kesäkuu/kesäkuuta heinäkuu/heinäkuuta elokuu/elokuuta syyskuu/syyskuuta lokakuu/lokakuuta marraskuu/marraskuuta joulukuu/joulukuuta
styczeń/stycznia/sty luty/lutego/lut marzec/marca kwiecień/kwietnia/kwi maj/maja czerwiec/czerwca/cze lipiec/lipca/lip sierpień/sierpnia/sie wrzesień/września/wrz październik/października/paź listopad/listopada/lis grudzień/grudnia/gru
leden/ledna únor/února březen/března duben/dubna květen/května červen/června červenec/července srpen/srpna září říjen/října listopad/listopadu prosinec/prosince
январь/января/янв февраль/февраля/фев март/марта/мар апрель/апреля/апр май/мая июнь/июня/июн июль/июля/июл август/августа/авг сентябрь/сентября/сен/сент октябрь/октября/окт ноябрь/ноября/ноя декабрь/декабря/дек
січень/січня лютий/лютого березень/березня квітень/квітня травень/травня червень/червня липень/липня серпень/серпня вересень/вересня жовтень/жовтня листопад/листопада грудень/грудня
ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
ianuarie/ian februarie martie aprilie mai iunie/iun iulie/iul august septembrie octombrie noiembrie decembrie
január február március április május június július augusztus szeptember október november december
januari februari maret april mei juni juli agustus september oktober november desember
يناير فبراير مارس أبريل/إبريل مايو يونيو/يونيه يوليو/يوليه أغسطس سبتمبر أكتوبر نوفمبر ديسمبر
ינואר/בינואר פברואר/בפברואר מרץ/מרס/במרץ אפריל/באפריל מאי/במאי יוני/ביוני יולי/ביולי אוגוסט/באוגוסט ספטמבר/בספטמבר אוקטובר/באוקטובר נובמבר/בנובמבר דצמבר/בדצמבר
ژانویه فوریه مارس آوریل مه ژوئن ژوئیه اوت سپتامبر اکتبر نوامبر دسامبر
януари февруари март април май юни юли август септември октомври ноември декември
јануар фебруар март април мај јун јул август септембар октобар новембар децембар
januar februar marec april maj junij julij avgust september oktober november december
január/januára február/februára marec/marca apríl/apríla máj/mája jún/júna júl/júla august/augusta september/septembra október/októbra november/novembra december/decembra
gener febrer març abril maig juny juliol agost setembre octubre novembre desembre
siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna - studenoga/studenog prosinca
sausio vasario kovo balandžio gegužės birželio liepos rugpjūčio rugsėjo spalio lapkričio gruodžio
jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember
janvāris/janvārī februāris/februārī marts/martā aprīlis/aprīlī maijs/maijā jūnijs/jūnijā jūlijs/jūlijā augusts/augustā septembris/septembrī oktobris/oktobrī novembris/novembrī decembris/decembrī
ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου
"""  # noqa: E501
WEEKDAYS = """
monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so
lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo
lunedì martedì mercoledì giovedì venerdì sabato domenica segunda terça quarta quinta sexta segunda-feira terça-feira
quarta-feira quinta-feira sexta-feira maandag dinsdag woensdag donderdag vrijdag zaterdag zondag måndag tisdag onsdag
torsdag fredag lördag söndag mandag tirsdag lørdag søndag maanantai tiistai keskiviikko torstai perjantai lauantai
sunnuntai poniedziałek wtorek środa czwartek piątek sobota niedziela pondělí úterý středa čtvrtek pátek neděle
понедельник вторник среда четверг пятница суббота воскресенье понеділок вівторок середа четвер пʼятниця субота неділя
pazartesi salı çarşamba perşembe cuma cumartesi pazar
"""
FILLERS = frozenset(["de", "del", "of", "the", "le", "den", "der", "am", "el", "di", "do", "на", "la", "il"])

ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[t ]\d{2}:\d{2}.*)?")
YEAR_FIRST = re.compile(r"(\d{4})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{1,2})\.?")
COMPACT = re.compile(r"((?:1[6-9]|20)\d{2})(\d{2})(\d{2})")
"""Without signs between them, digits are a day only of a year that pages speak of: others are numbers of things."""
YEAR_LAST = re.compile(r"(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{4})\.?")
EAST_ASIAN = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]?(?:\s*[(（].{1,3}[)）])?")
COMMON = re.compile(
    r"(\d{1,2})(?:st|nd|rd|th|\.)? ([a-z]{3,9})\.?,? (\d{4})|([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})",
    re.IGNORECASE | re.ASCII,
)
"""The common ways to name a month, for the sake of speed: all others are read word by word."""
LED = re.compile(r"([^\W\d_]+)\.?,?\s?(\d.*)")
"""What stands before the figures of a day: "Sat, 03.05.2026"."""
YEAR = re.compile(r"\b\d{4}\b")
NAME = re.compile(r"[^\W\d_]+")
ORDINAL = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th|er|re|e|o|a|\.)(?=\s|$)")
CLOCK = re.compile(
    r"(?P<date>.*?[^\s,tT])(?:\s*[tT]\s*|[\s,]+(?:at|um|à|a las|alle|kl\.?|klo|om|в|о)?\s*)"
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?P<fraction>\.\d{1,9})?)?\s*(?P<half>[ap]\.?\s?m\.?)?\s*"
    r"(?P<zone>z|(?:utc|gmt)?\s*[+-]\d{1,2}(?::?\d{2})?|utc|gmt)(?:\s*\([^)]{1,40}\))?",
    re.IGNORECASE,
)


def _plain(text: str) -> str:
    """Fold case, accents, widths and spaces."""
    if text.isascii():
        return " ".join(text.lower().split())
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(character for character in decomposed if not unicodedata.combining(character))
    return " ".join(unicodedata.normalize("NFC", kept).split())


def month_numbers() -> dict[str, int]:
    """Give the number of each name in MONTHS; ValueError when two languages disagree about one."""
    numbers: dict[str, int] = {}
    for line in MONTHS.strip().splitlines():
        for number, names in enumerate(line.split(), start=1):
            for name in names.split("/") if names != "-" else ():
                numbers.setdefault(name, number)
                if numbers.setdefault(_plain(name), number) != number:
                    raise ValueError(f"{name} is month {number} and month {numbers[_plain(name)]}")
    return numbers


MONTH_NUMBERS = month_numbers()
WEEKDAY_NAMES = frozenset(_plain(WEEKDAYS).split())


def parse_date(text: str, *, day_first: bool | None = None) -> str:
    """Give the day as YYYY-MM-DD; ``day_first`` says how "03/04/2026" is meant, where that is known.

    >>> parse_date("12 Mar 2026"), parse_date("March 12, 2026"), parse_date("12.03.2026"), parse_date("2026年3月12日")
    ('2026-03-12', '2026-03-12', '2026-03-12', '2026-03-12')
    """
    if len(text) > MAX_CHARS:
        raise ValueError(f"longer than {MAX_CHARS} characters")
    if (found := _by_digits(text, day_first)) is not None:
        return found
    if match := COMMON.fullmatch(text):
        day, name, year = (match[1], match[2], match[3]) if match[1] else (match[5], match[4], match[6])
        if month := MONTH_NUMBERS.get(name.lower()):
            return _day(text, year, month, day)
    if not YEAR.search(text):
        raise ValueError(f"not a date: {text[:80]!r}")
    plain = _plain(text)
    if (led := LED.fullmatch(plain)) and led[1] in WEEKDAY_NAMES:
        return _by_digits(led[2], day_first) or _named_month(text, plain)
    if MONTH_NUMBERS.keys().isdisjoint(NAME.findall(plain)):
        raise ValueError(f"not a date: {text[:80]!r}")
    return _named_month(text, plain)


def _by_digits(text: str, day_first: bool | None) -> str | None:
    """Give the day of a date that is written in numbers; None for another text."""
    plain = text.strip().lower() if text.isascii() else unicodedata.normalize("NFKC", text).strip().casefold()
    if not plain[:1].isdecimal():
        return None
    if not plain[:4].isdecimal():
        match = YEAR_LAST.fullmatch(plain)
        return _year_last(text, match, day_first) if match else None
    for pattern in (ISO, COMPACT, EAST_ASIAN):
        if match := pattern.fullmatch(plain):
            return _day(text, *match.groups()[:3])
    match = YEAR_FIRST.fullmatch(plain)
    return _day(text, match[1], match[3], match[4]) if match else None


def _day(text: str, year: str, month: str | int, day: str) -> str:
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        raise ValueError(f"no such day: {text[:80]!r}") from None


def _year_last(text: str, match: re.Match[str], day_first: bool | None) -> str:
    """Points mean day first everywhere; with strokes or dashes a number over 12, or the hint, decides."""
    first, mark, second, year = match.groups()
    if mark == "." or int(first) > 12 or first == second:
        return _day(text, year, second, first)
    if int(second) > 12:
        return _day(text, year, first, second)
    if day_first is None:
        raise ValueError(f"day and month can't be told apart: {text[:80]!r}")
    return _day(text, year, second, first) if day_first else _day(text, year, first, second)


def _named_month(text: str, plain: str) -> str:
    plain = ORDINAL.sub(r"\1", plain.replace(",", " "))
    words = [word.strip(".") for word in re.split(r"[\s/]+|(?<=\w)-(?=\w)", plain) if word.strip(".")]
    words = [word for word in words if word not in FILLERS]
    if words and words[0] in WEEKDAY_NAMES:
        words = words[1:]
    if words and words[-1] in ("г", "р"):
        words = words[:-1]
    if len(words) != 3:
        raise ValueError(f"not a date: {text[:80]!r}")
    return _from_words(text, words)


def _from_words(text: str, words: list[str]) -> str:
    named = [index for index, word in enumerate(words) if word in MONTH_NUMBERS]
    numbers = [word for word in words if word.isascii() and word.isdigit()]
    if len(named) != 1 or len(numbers) != 2 or {len(number) > 2 for number in numbers} != {True, False}:
        raise ValueError(f"not a date: {text[:80]!r}")
    year = next(number for number in numbers if len(number) > 2)
    day = next(number for number in numbers if len(number) <= 2)
    if len(year) != 4 or named[0] == 2 or words[1] == year:
        raise ValueError(f"not a date: {text[:80]!r}")
    return _day(text, year, MONTH_NUMBERS[words[named[0]]], day)


def parse_date_time(text: str, *, day_first: bool | None = None) -> str:
    """Give date and time with its offset, as RFC 3339; without an offset in the text ValueError: none is made up.

    >>> parse_date_time("Thu, 12 Mar 2026 14:30:00 +0100"), parse_date_time("2026-03-12 2:30 PM UTC")
    ('2026-03-12T14:30:00+01:00', '2026-03-12T14:30:00Z')
    """
    match = CLOCK.fullmatch(text.strip()) if len(text) <= MAX_CHARS else None
    if match is None:
        raise ValueError(f"not a date with time and offset: {text[:80]!r}")
    day = parse_date(match["date"], day_first=day_first)
    clock = f"{_hour(match):02d}:{match['minute']}:{match['second'] or '00'}{match['fraction'] or ''}"
    if int(match["minute"]) > 59 or int(match["second"] or 0) > 59:
        raise ValueError(f"no such time: {text[:80]!r}")
    return f"{day}T{clock}{_offset(match['zone'])}"


def is_day(text: str) -> bool:
    """Tell whether a text is a day, with or without a time.

    >>> is_day("12 March 2026"), is_day("March")
    (True, False)
    """
    for parse in (parse_date, parse_date_time):
        try:
            parse(text)
        except ValueError:
            continue
        return True
    return False


def _hour(match: re.Match[str]) -> int:
    hour, half = int(match["hour"]), (match["half"] or "").lower()
    if half and not 1 <= hour <= 12:
        raise ValueError(f"no such hour: {match[0][:80]!r}")
    if half:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    if hour > 23:
        raise ValueError(f"no such hour: {match[0][:80]!r}")
    return hour


def _offset(zone: str) -> str:
    match = re.search(r"([+-])(\d{1,2}):?(\d{2})?", zone)
    if match is None:
        return "Z"
    if int(match[2]) > 23 or int(match[3] or 0) > 59:
        raise ValueError(f"no such offset: {zone!r}")
    return f"{match[1]}{int(match[2]):02d}:{match[3] or '00'}"
