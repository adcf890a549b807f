"""What one mention of a value on the page means: whether it is the field's, or a twin in another role."""

import re
from bisect import bisect_left
from collections.abc import Sequence, Set
from functools import lru_cache
from itertools import islice

from gleaner.coercion.numbers import CURRENCY
from gleaner.contracts.word_lists import listed
from gleaner.grounding.dates.dates import MONTHS
from gleaner.structured.amounts import NEAR, RANGE, Span
from gleaner.structured.descriptions import is_known, words_beside
from gleaner.structured.fields import Field
from gleaner.structured.labels import words_of
from gleaner.structured.measures import SCALES, TIMES, unit_named
from gleaner.structured.nodes import must_show
from gleaner.structured.roles import (
    SCALE_BEFORE,
    is_a_person,
    is_counted_once,
    is_in_its_role,
    is_labelled_otherwise,
    leads_elsewhere,
)
from gleaner.structured.silence import is_called, own_words
from gleaner.structured.visible import SECTION_WORDS
from gleaner.structured.vocabulary import CODES
from gleaner.units.vocabulary import RELATED_TEXT

_RANGE_BEFORE = re.compile(r"(?<![\d/.,])(?<!/ )\d[\d.,]*\s*(?:[-–—−~]|to|bis|à|til|tot)\s*$", re.IGNORECASE)
_ROUGHLY = re.compile(
    r"(?:\b(?:over|under|about|around|nearly|almost|at least|up to|approx(?:imately)?|circa|ca|(?:more|less) than|"
    r"mehr als|über|rund|etwa|plus de|environ|más de|unos|oltre|più di|meer dan|över|omkring)\.?|[~≈<>])\s*$",
    re.IGNORECASE,
)
_DATE = (
    r"(?P<date>\d{1,2}(?:st|nd|rd|th|\.)?\s+[^\W\d_]{3,12}|[^\W\d_]{3,12}\s+\d{1,2}|\d{4}-\d\d-\d\d"
    r"|\d{1,2}[./]\d{1,2}[./]\d{2,4})"
)
_DAYS = re.compile(r"\d{1,2}\.?\s?[-–—]\s?\d{1,2}\.?\s[^\W\d_]")
_DAY = re.compile(rf"(?<![\w.]){_DATE}")
_ON = frozenset(
    words_of(
        "on the at am le el la il de den del di monday tuesday wednesday thursday friday saturday sunday mon tue wed "
        "thu fri sat sun montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi "
        "vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo"
    )
)
_NEXT_DATE = re.compile(rf"\s*(?:,|;|and|&|or|und|oder|et|y|e)\s*(?:and )?{_DATE}", re.IGNORECASE)
_DATE_BEFORE = re.compile(rf"{_DATE}(?:,? \d{{4}})?\s*(?:,|;|and|&|or|und|oder|et|y|e)\s*$", re.IGNORECASE)
"""Another date before or after one in a list: the thing has several."""
_LASTING = listed("age duration time length period term runtime wait warranty guarantee delivery stay experience")
"""Words of fields that are measured in units of time."""
_PAID = listed(
    "price cost fee fare rent salary amount total value charge rate balance pay wage budget deposit toll revenue "
    "income spend spending turnover sale bid tax tariff premium bill payment donation grant prize "
    "debt loan saving profit"
)
"""Words of fields that are money."""
_LONGEST_SIGN = 4
_NUMBERED = listed("# № no nr nº num number nummer")
_NUMBERS = listed("number id code rank position place")
_COUNTED_NOUN = re.compile(r"\d[\d.,]*[ \u00a0]([a-zà-ÿ]{3,})\b")
_LEADING_WORD = re.compile(r"([^\W\d_]{2,}|[#№])(?:\.?[ \u00a0])?\Z")
_UNIT = re.compile(r"[\d.,]+[ \u00a0]{0,2}([^\W\d_]+)")
_DATE_GROUPS = tuple(
    frozenset(words_of(line))
    for line in (
        "publish published publication posted release released issued",
        "updated update modified modification revised changed edited",
        "created creation added registered founded built opened",
        "start starts from begin begins beginning",
        "end ends until till through expire expires deadline closes closing closed due apply",
        "born birth",
        "died death",
        "tickets sale sales booking bookings registration enrolment enrollment presale",
        "delivery shipped ships shipping",
    )
)
_DENYING = listed(
    "not no instead formerly previously originally was were cancelled canceled postponed moved nicht statt kein pas "
    "non rescheduled verschoben abgesagt reporté annulé aplazado cancelado rinviato annullato uitgesteld afgelast "
    "alternative reserve backup contingency"
)
_MOST_PLACES = 20
_FAR = 300
"""Characters above a heading in which its day may stand."""
_RAIN_DATE = listed("rain date")
_DATES_OF_ANYTHING = frozenset[str]().union(*_DATE_GROUPS)
_CAPITAL = r"[*_\[]{0,3}[A-ZÀ-Þ]"
_SECOND_PERSON = re.compile(
    rf"[*_\])]{{0,4}}(?:\([^)\s]*\))?(?:\s+(?:and|&|und|et|y|e|og|och|en)\s+{_CAPITAL}|,\s+{_CAPITAL}[\w'’-]+\s+[A-ZÀ-Þ])"
)
"""After a name: "and Bo", or a comma and another name of two words."""
_PRICED = re.compile(rf"(?:{CURRENCY})\s?\d[\d.,]*|\d[\d.,]*\s?(?:{CURRENCY})|\]\([^)]*\)")
_OF_CUSTOMERS = frozenset(words_of("customer customers user users guest guests reader review reviews rating ratings"))
_SCALED = re.compile(r"[ \u00a0]?([^\W\d_]+'?)")
_OR_ANOTHER = re.compile(rf"\s+(?:or|oder|ou|o|eller|lub|или)\s+{_CAPITAL}")
_COUNTED = re.compile(r"(\d[\d.,]*)\s+([^\W\d_]+)")
ORDINAL = re.compile(r"\s*\d+[.)]\s")
_SCALE = re.compile(
    r"\s*(?:/|out of|of|von|sur|de|su|van|av|af)\s*\d|\s*[★⭐]"
    r"|\s*\(\d[\d.,]*\s?k?\s*(?:reviews?|ratings?|votes?|Bewertungen|avis|reseñas|opiniones|recensioni)\)",
    re.IGNORECASE,
)
"""What follows a rating: its scale, a star, or how many gave it."""
_RATED = re.compile(rf"(?<![\d.,])(\d(?:[.,]\d{{1,2}})?)(?={_SCALE.pattern})", re.IGNORECASE)
_PARAGRAPH = re.compile(r"(?m)^[^\W_][^\n]{140}")
_LINE_OF_HEADING = re.compile(r"(?m)^#{1,6} +(.*)$")


@lru_cache(maxsize=2)
def main_part(markdown: str) -> Span:
    """Give the stretch from the first heading to the one that leads to other things."""
    headings = list(_LINE_OF_HEADING.finditer(markdown))
    start = headings[0].start() if headings else 0
    end = next((each.start() for each in headings[1:] if RELATED_TEXT.search(each[1])), len(markdown))
    return start, end


def _is_within_another(mention: Span, known: Sequence[Span]) -> bool:
    return any(start <= mention[0] and mention[1] <= end and (start, end) != mention for start, end in known)


def is_meant(field: Field, markdown: str, mention: Span, known: Sequence[Span]) -> bool:
    """Tell whether the mention is the field's value, on a page about one thing: "3" is on every page, and so are dates.

    ``known`` are the places that prove values.
    """
    if is_labelled_otherwise(field, markdown[slice(*main_part(markdown))], markdown[slice(*mention)]):
        return False
    if field.kind == "number":
        if is_called(field, "price"):
            return not _is_scaled(markdown, mention)
        places = _places_of(markdown, mention)
        return any(not _is_scaled(markdown, at) and _number_is_meant(field, markdown, at, known) for at in places)
    return words_are_meant(field, markdown, mention, known, main_part(markdown))


def _places_of(markdown: str, mention: Span) -> list[Span]:
    """Give the places of a number in the page's main part, the one that proves it first: "10 km" in the "Alder 10k"."""
    number = re.compile(rf"(?<![\d.,]){re.escape(markdown[slice(*mention)])}(?![\d]|[.,]\d)")
    others = islice(number.finditer(markdown, *main_part(markdown)), _MOST_PLACES)
    return list(dict.fromkeys([mention, *(each.span() for each in others)]))


def words_are_meant(field: Field, markdown: str, mention: Span, known: Sequence[Span], part: Span) -> bool:
    """Tell whether a date or a text of one ``part`` of the page stands there in its role."""
    near = known[max(0, bisect_left(known, part[:1]) - 1) : bisect_left(known, part[1:])]
    if field.kind == "date":
        is_led = leads_elsewhere(field, markdown, mention, part, near)
        is_one = _date_is_meant(field, markdown, mention) and not _is_within_another(mention, near)
        return not is_led and is_one and _is_the_date(field, markdown, mention, part, near)
    after = markdown[mention[1] : mention[1] + NEAR]
    if is_a_person(field) and _SECOND_PERSON.match(after):
        return False
    if not must_show(field):
        return not _is_another_code(field, markdown, mention)
    if field.kind != "text":
        return True
    if _OR_ANOTHER.match(after):
        return False
    others = [span for span in near if span[1] <= mention[0] or span[0] >= mention[1]]
    beside = frozenset(word for span in others for word in words_of(markdown[slice(*span)]))
    return is_in_its_role(field, unproven(part, others, markdown), markdown[slice(*mention)], beside)


def _is_another_code(field: Field, markdown: str, mention: Span) -> bool:
    """Tell whether the word before a code names a code of another kind: "EAN: 4006381333931" is no SKU."""
    said = words_of(markdown[max(0, mention[0] - NEAR) : mention[0]].rpartition("\n")[2])[-1:]
    own = {word for words in field.all_names for word in words}
    return not CODES.isdisjoint(said) and own.isdisjoint(said)


def _is_scaled(markdown: str, mention: Span) -> bool:
    """Tell whether a number is a part of what the page says: "1.2 million"."""
    scale = _SCALED.match(markdown, mention[1])
    return scale is not None and scale[1].casefold().rstrip(".") in SCALES


def _number_is_meant(field: Field, markdown: str, mention: Span, known: Sequence[Span]) -> bool:
    own, said = {word for words in field.all_names for word in words}, markdown[slice(*mention)]
    before, after = markdown[max(0, mention[0] - NEAR) : mention[0]], markdown[mention[1] : mention[1] + NEAR]
    if is_called(field, "rating") and _another_is_rated(markdown, mention):
        return False
    if "count" in own and _another_is_counted(own, markdown, said):
        return False
    if not is_counted_once(field, markdown[slice(*main_part(markdown))], said):
        return False
    if RANGE.match(after) or _RANGE_BEFORE.search(before) or _ROUGHLY.search(before):
        return False
    if _is_under_another_heading(field, markdown, mention) or leads_elsewhere(
        field, markdown, mention, main_part(markdown), known
    ):
        return False
    if _is_led_elsewhere(field, markdown, mention, known):
        return False
    is_led = not own_words(field).isdisjoint(words_of(before)[-1:])
    named = own | own_words(field)
    return is_led or not named.isdisjoint(words_of(before + said + after)) or _SCALE.match(after) is not None


def _is_under_another_heading(field: Field, markdown: str, mention: Span) -> bool:
    """Tell whether a number stands under a heading of something else: "Reviews of our shop"."""
    headings = [each for each in _LINE_OF_HEADING.finditer(markdown) if each.start() < mention[0]]
    if len(headings) < 2:
        return False
    known = own_words(field) | words_beside(field) | SECTION_WORDS | set(words_of(headings[0][1])) | _OF_CUSTOMERS
    return not all(is_known(word, known) for word in words_of(headings[-1][1]))


def _date_is_meant(field: Field, markdown: str, mention: Span) -> bool:
    before, after = markdown[max(0, mention[0] - NEAR) : mention[0]], markdown[mention[1] : mention[1] + NEAR]
    said = set(words_of(re.split(r"[\n.;|·]|\d", before)[-1]))
    if _DAYS.match(markdown[mention[0] :]) and own_words(field).isdisjoint(_DATE_GROUPS[3]):
        return False
    if said >= _RAIN_DATE or not _DENYING.isdisjoint(said | set(words_of(re.split(r"[\n.;|·]", after)[0]))):
        return False
    is_one = not _is_a_date(_NEXT_DATE.match(after)) and not _is_a_date(_DATE_BEFORE.search(before))
    return is_one and said.isdisjoint(_DATES_OF_ANYTHING - _date_words(field))


def _is_the_date(field: Field, markdown: str, mention: Span, part: Span, known: Sequence[Span]) -> bool:
    """Tell whether no other day stands there that might be meant: one that the field's words lead to is."""
    days = [each.span("date") for each in _DAY.finditer(markdown, *part) if _is_a_date(each)]
    others = [day for day in days if not any(start < day[1] and day[0] < end for start, end in (*known, mention))]
    if not others:
        return True
    if not own_words(field).isdisjoint(_DATE_GROUPS[0]) and _is_alone_above_the_text(markdown, mention, others):
        return True
    lead = _lead(markdown, mention)
    own = own_words(field) | _date_words(field)
    return not own.isdisjoint(lead) if lead else all(_lead(markdown, each) for each in others)


def _is_alone_above_the_text(markdown: str, mention: Span, others: Sequence[Span]) -> bool:
    """Tell whether a day stands alone around the heading, above the first paragraph: it is that of publication."""
    heading = _LINE_OF_HEADING.search(markdown)
    text = _PARAGRAPH.search(markdown, heading.end()) if heading else None
    if heading is None or text is None:
        return False
    start = max(0, heading.start() - _FAR)
    return start <= mention[0] < text.start() and not any(start <= each[0] < text.start() for each in others)


def _lead(markdown: str, day: Span) -> set[str]:
    """Give the words before a day, back to the last sign or figure."""
    before = re.split(r"[\n.;|·,()]|\d", markdown[max(0, day[0] - NEAR) : day[0]])[-1]
    return {word for word in words_of(before) if word not in _ON and len(word) > 1}


def _is_a_date(match: re.Match[str] | None) -> bool:
    """Tell whether what a list of dates would go on with is one: its word, if it has one, is a month's."""
    words = [] if match is None else words_of(match["date"])
    return bool(words) and all(word.isdecimal() or word in MONTHS for word in words)


def _another_is_counted(own: set[str], markdown: str, stated: str) -> bool:
    """Tell whether the page counts the field's things with another number: "87 ratings, 12 reviews"."""
    start, end = main_part(markdown)
    counted = _COUNTED.findall(markdown, start, end)
    return any(number != stated and not own.isdisjoint(words_of(noun)) for number, noun in counted)


def _another_is_rated(markdown: str, mention: Span) -> bool:
    """Tell whether another rating stands under the same heading: the critics' and the customers'."""
    start = markdown.rfind("\n#", 0, mention[0]) + 1
    end = markdown.find("\n#", mention[1])
    found = _RATED.finditer(markdown, start, end if end >= 0 else len(markdown))
    return any(
        match[1] != markdown[slice(*mention)]
        and not SCALE_BEFORE.search(markdown[max(0, match.start() - NEAR) : match.start()])
        for match in found
    )


def spans_days(text: str) -> bool:
    """Tell whether a text has several days in one, of which one alone proves a date: "18–20 July 2025"."""
    return _DAYS.search(text) is not None


def _date_words(field: Field) -> set[str]:
    """Give the words that lead to the field's date, and those that lead to any."""
    own = own_words(field) | (_DATE_GROUPS[0] if field.names[0] == ("date",) else frozenset[str]())
    return own.union(*(group for group in _DATE_GROUPS if not group.isdisjoint(own)))


def number_is_meant_in(field: Field, markdown: str, mention: Span, place: Span, known: Sequence[Span]) -> bool:
    """Tell whether a number of one record is the field's: it has no other beside it, or the field's words or scale."""
    if _is_scaled(markdown, mention) or leads_elsewhere(field, markdown, mention, place, known):
        return False
    near = known[max(0, bisect_left(known, place[:1]) - 1) : bisect_left(known, place[1:])]
    free = _PRICED.sub(" ", ORDINAL.sub(" ", unproven(place, near, markdown)))
    own = {word for word in own_words(field) if len(word) > 1}
    around = markdown[max(place[0], mention[0] - NEAR) : min(place[1], mention[1] + NEAR)]
    is_named = not own.isdisjoint(words_of(around)) or _SCALE.match(markdown, mention[1]) is not None
    return is_named or not (any(map(str.isdigit, free)) or _is_of_another_kind(field, markdown, mention, near))


def _is_of_another_kind(field: Field, markdown: str, mention: Span, known: Sequence[Span]) -> bool:
    """Tell whether a number is money, time or what the words beside it say, and the field speaks of none of these."""
    own = own_words(field) | words_beside(field)
    if _is_led_elsewhere(field, markdown, mention, known):
        return True
    if _is_money(markdown, mention):
        return own.isdisjoint(_PAID)
    counted = _COUNTED_NOUN.match(markdown, mention[0])
    if counted is not None and not unit_named(counted[1]) and not is_known(words_of(counted[1])[0], own):
        return True
    return _is_time(markdown, mention) and not _asks_for_time(field, own)


def _is_led_elsewhere(field: Field, markdown: str, mention: Span, known: Sequence[Span]) -> bool:
    """Tell whether the word right before a number is none of the field's: "Delivery 3 days"."""
    lead = _LEADING_WORD.search(markdown, max(0, mention[0] - NEAR), mention[0])
    if lead is None or unit_named(lead[1]) is not None:
        return False
    if any(start <= lead.start(1) < end for start, end in known):  # another value: "Kōdo 4.0 out of 5"
        return False
    own = own_words(field) | words_beside(field)
    if lead[1].casefold() in _NUMBERED:
        return own.isdisjoint(_NUMBERS)
    return not is_known(words_of(lead[1])[0], own)


def _is_money(markdown: str, mention: Span) -> bool:
    start = max(0, mention[0] - _LONGEST_SIGN)
    found = _PRICED.finditer(markdown, start, mention[1] + _LONGEST_SIGN)
    return any(each.start() <= mention[0] < each.end() for each in found)


def _is_time(markdown: str, mention: Span) -> bool:
    unit = _UNIT.match(markdown, mention[0])
    return unit is not None and unit_named(unit[1]) in TIMES


def _asks_for_time(field: Field, own: Set[str]) -> bool:
    asked = {*field.units, field.suffix, *(unit_named(word) for words in field.names for word in words)}
    return not asked.isdisjoint(TIMES) or not own.isdisjoint(_LASTING)


def unproven(place: Span, known: Sequence[Span], markdown: str) -> str:
    """Give the text of a place without what proves values."""
    parts: list[str] = []
    position = place[0]
    for start, end in known[bisect_left(known, place[:1]) :]:
        if start >= place[1]:
            break
        parts.append(markdown[position : max(start, position)])
        position = max(position, end)
    return " ".join([*parts, markdown[position : place[1]]])
