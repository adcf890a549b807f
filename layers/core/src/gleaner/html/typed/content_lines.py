"""Read calendars and contact cards (iCalendar, RFC 5545; vCard, RFC 6350) as the records that they hold."""

import re
from contextlib import suppress
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from gleaner.contracts.word_lists import listed

_FOLD = re.compile(r"\r?\n[ \t]")
_LINE = re.compile(r'([\w.-]+)((?:;[\w-]+(?:=(?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)?)*):(.*)', re.DOTALL)
_PARAMETER = re.compile(r';([\w-]+)=?((?:"[^"]*"|[^";])*)')
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_COMMA, _SEMICOLON = re.compile(r"(?<!\\),"), re.compile(r"(?<!\\);")
_DAY = r"(\d{4})(\d\d)(\d\d)"
_MOMENT = re.compile(rf"{_DAY}T(\d\d)(\d\d)(\d\d)(Z?)")
_NO_RECORDS = listed("VTIMEZONE VALARM")
"""What says how clocks and bells are set: nothing that a person reads."""
_DAYS = listed("DTSTART DTEND DUE EXDATE RDATE RECURRENCE-ID BDAY ANNIVERSARY")
_LISTS = listed("CATEGORIES RESOURCES EXDATE RDATE NICKNAME")
_STRUCTURED = listed("N ADR ORG GEO")
_SAID = {
    **{"dtstart": "start", "dtend": "end", "dtstamp": "stamp", "fn": "name", "n": "name parts"},
    **{"x-wr-calname": "calendar", "x-wr-caldesc": "about", "x-wr-timezone": "time zone"},
}
_DEEPEST = 8

_Component = dict[str, Any]


def records_of(text: str) -> list[_Component]:
    r"""Give each calendar or card as its values and the lists of its parts; [] for another text.

    Times say how far they are ahead of UTC, if their zone is a known one; the ``end`` of an all-day event is the day
    after its last, as calendars have it.

    >>> records_of("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20270301\nSUMMARY:Tea\\, cakes\nEND:VEVENT\n")
    [{'events': [{'start': '2027-03-01', 'summary': 'Tea, cakes'}]}]
    """
    if not text.lstrip().upper().startswith("BEGIN:V"):
        return []
    root: _Component = {}
    inside = [root]
    last: tuple[str, str, list[str]] = ("", "", [])
    for line in [*re.split(r"\r\n|\n|\r", _FOLD.sub("", text)), "END:VCALENDAR"]:
        found = _LINE.fullmatch(line)
        if not found:
            last[2].append(line)  # of a value that was not folded as it should be
            continue
        if last[0]:
            _put(inside[-1], last[0], last[1], "\n".join(last[2]).rstrip())
        last = ("", "", [])
        name, parameters, value = found[1].rpartition(".")[2].upper(), found[2], found[3]
        if name == "BEGIN":
            part: _Component = {}
            kind = value.strip().upper()
            if kind not in _NO_RECORDS and len(inside) < _DEEPEST:
                _add(inside[-1], f"{kind.removeprefix('V').lower()}s", [part])
            inside.append(part)
        elif name == "END":
            inside[1:] = inside[1:-1]
        elif name not in ("VERSION", "PRODID"):
            last = name, parameters, [value]
    return [one for one in (*root.get("calendars", ()), *root.get("cards", ())) if one]


def _add(part: _Component, key: str, values: list[Any]) -> None:
    if key in part or isinstance(values[0], dict):
        part[key] = [part[key]] if isinstance(part.get(key), str) else part.get(key, [])
        part[key] += values
    else:
        part[key] = values[0] if len(values) == 1 else values


def _put(part: _Component, name: str, parameters: str, value: str) -> None:
    """Put a value among those of its name; files written into the text are left out."""
    named = [(key.upper(), said.strip('"')) for key, said in _PARAMETER.findall(parameters)]
    known = dict(named)
    if known.get("ENCODING", "").upper() in ("B", "BASE64") or value.startswith("data:"):
        return
    parts = _COMMA.split(value) if name in _LISTS else [value]
    texts = [said for one in parts if (said := _text_of(name, known, one))]
    kinds = " ".join(said or key for key, said in named if key == "TYPE" or not said).lower().replace(",", " ")
    if "TZID" in known:
        part.setdefault("time zone", known["TZID"])
    key = " ".join(filter(None, (_SAID.get(name.lower(), name.lower().replace("-", " ")), kinds)))
    if texts:
        _add(part, key, texts)


def _text_of(name: str, known: dict[str, str], value: str) -> str:
    """Give a value as a person writes it: times and days with their signs, the names of who has an address first."""
    if moment := _MOMENT.fullmatch(value.strip()):
        local = "{}-{}-{}T{}:{}:{}".format(*moment.groups())
        return local + (moment[7] or _offset(local, known.get("TZID", "")))
    day = re.fullmatch(_DAY, value.strip()) if name in _DAYS or known.get("VALUE") == "DATE" else None
    if day:
        return "-".join(day.groups())
    parts = _SEMICOLON.split(value) if name in _STRUCTURED else [value]
    said = ", ".join(filter(None, (_ESCAPED.sub(_unescaped, one).strip() for one in parts)))
    if "CN" in known:
        said = f"{known['CN']} ({said.removeprefix('mailto:').removeprefix('MAILTO:')})"
    return said


def _offset(local: str, zone: str) -> str:
    """Give how far a zone is ahead of UTC at a local time, as times state it; "" for a zone of a calendar's own."""
    with suppress(ValueError, KeyError, OSError):
        return datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone.lstrip("/"))).isoformat()[len(local) :]
    return ""


def _unescaped(found: re.Match[str]) -> str:
    return "\n" if found[1] in "nN" else found[1]
