"""Text behind a text: the date of "3 hours ago", the address of "Write to us".

A model can give no more than it is shown, and these are what the page says, in an attribute.
"""

import re
from collections.abc import Iterator
from urllib.parse import unquote

from lxml.html import HtmlElement

from gleaner.html.dom import Words, clean_text, find_attributes, raw_text
from gleaner.html.layout import collapse
from gleaner.html.non_text.graphics import decoded_mail
from gleaner.values.dates import ISO, parse_date

_DATED = find_attributes("datetime")
_TITLED = find_attributes("title")
_LINKED = find_attributes("href")
_EDITS = frozenset(("ins", "del"))
_TIME = re.compile(r"(?<![,\s])[,\s]*(?:(?:at|um|à|alle|kl\.?|o)\s*)?\d{1,2}[:.h]\d{2}.*$", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_NUMBER = re.compile(r"\d+")
_MAIL = re.compile(r"mailto:([^?\s,]+@[^?\s,]+)", re.IGNORECASE)
_PHONE = re.compile(r"(?:tel|sms):(?://)?(\+?[\d\s().%/-]{4,40})", re.IGNORECASE)
_LONGEST = 40
_LONGEST_SHOWN = 80
_LEAST_DIGITS = 4


def append_attribute_texts(root: HtmlElement, words: Words, *, addresses: bool) -> None:
    """Write days, and with ``addresses`` mail addresses and phone numbers, in brackets behind the texts that hide them.

    ``words`` are the page's (`words_of`). A day is told where the text lacks its year or its day of the month.
    """
    told = dict(_days(root, words))
    if addresses:
        told |= dict(_addresses(root, words))
    for element, text in told.items():
        if any(node in told for node in element.iterancestors()):
            continue
        note = element.makeelement("span")
        note.text = f" ({clean_text(text)})"
        element.append(note)


def _days(root: HtmlElement, words: Words) -> Iterator[tuple[HtmlElement, str]]:
    for find in (_TITLED, _DATED):
        for element, text in find(root, words):
            if element.tag not in _EDITS and len(text) <= _LONGEST and _YEAR.search(text) and (day := _day_in(text)):
                shown = collapse(raw_text(element))
                if 0 < len(shown) <= _LONGEST_SHOWN and not _states(shown, day):
                    yield element, collapse(text)


def _day_in(text: str) -> str:
    """Give the day that an attribute states and nothing else, with or without a time; "" for another text.

    >>> _day_in("2026-11-03T10:00:00Z"), _day_in("3 Nov 2026, 10:00 GMT"), _day_in("Report of 2026")
    ('2026-11-03', '2026-11-03', '')
    """
    plain = text.strip()
    for part in (plain[:10] if ISO.fullmatch(plain.lower()) else plain, _TIME.sub("", plain)):
        try:
            return parse_date(part)
        except ValueError:
            continue
    return ""


def _states(shown: str, day: str) -> bool:
    """Tell whether a text has the numbers of a day: its year, in two digits or four, and its day of the month."""
    numbers = {int(number) for number in _NUMBER.findall(shown)}
    year, _, of_month = map(int, day.split("-"))
    return of_month in numbers and not numbers.isdisjoint((year, year % 100))


def _addresses(root: HtmlElement, words: Words) -> Iterator[tuple[HtmlElement, str]]:
    if not any(scheme in words for scheme in (b"mailto:", b"tel:", b"sms:", b"email-protection#")):
        return
    for link, target in _LINKED(root, words):
        if (address := _address_in(target)) and not _shows(raw_text(link), address):
            yield link, address


def _address_in(target: str) -> str:
    """Give the mail address or the phone number that a link leads to, or ""."""
    if match := _MAIL.match(target) or _PHONE.match(target):
        return collapse(unquote(match[1]))
    return decoded_mail(target.rpartition("email-protection#")[2]) if "email-protection#" in target else ""


def _shows(text: str, address: str) -> bool:
    """Tell whether a link shows its address; a phone number may be written in other ways, so its end is enough."""
    if "@" in address:
        return address.lower() in text.lower()
    shown, digits = ("".join(_NUMBER.findall(one)) for one in (text, address))
    return len(shown) >= _LEAST_DIGITS and shown[-_LEAST_DIGITS:] == digits[-_LEAST_DIGITS:]
