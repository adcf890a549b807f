"""The values of JSON Schema's ``format``, checked with the standard library and small grammars.

jsonschema's own checks come from an extra whose packages take about a second to import (an IRI grammar is built at
import) and take any text with an @ for an e-mail address; these take none of that.
"""

import ipaddress
import re
from collections.abc import Callable
from datetime import date
from functools import cache, partial

from jsonschema import FormatChecker

from gleaner.schemas.patterns import PatternError, compile_pattern

TIME = re.compile(
    r"(?P<h>[01][0-9]|2[0-3]):(?P<m>[0-5][0-9]):(?P<s>[0-5][0-9]|60)(?:\.[0-9]+)?"
    r"(?:[zZ]|(?P<sign>[+-])(?P<oh>[01][0-9]|2[0-3]):(?P<om>[0-5][0-9]))"
)
DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
DURATION = re.compile(
    r"P(?:[0-9]+W|(?=[0-9]|T[0-9])(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)?"
    r"(?:T(?=[0-9])(?:[0-9]+H(?:[0-9]+M(?:[0-9]+(?:[.,][0-9]+)?S)?)?|[0-9]+M(?:[0-9]+(?:[.,][0-9]+)?S)?|[0-9]+(?:[.,][0-9]+)?S))?)"
)
LABEL = re.compile(r"(?!-)[A-Za-z0-9-]{1,63}(?<!-)")
ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
LOCAL_PART = re.compile(rf'(?:{ATOM}(?:\.{ATOM})*|"(?:[^"\\\r\n]|\\.)*")')
IDN_ATOM = ATOM.replace("A-Za", "\u00a1-\U0010ffffA-Za")
IDN_LOCAL_PART = rf'(?:{IDN_ATOM}(?:\.{IDN_ATOM})*|"(?:[^"\\\r\n]|\\.)*")'
UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
JSON_POINTER = re.compile(r"(?:/(?:[^~/]|~[01])*)*", re.DOTALL)
RELATIVE_POINTER = re.compile(r"(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^~/]|~[01])*)*)", re.DOTALL)
URI_TEMPLATE = re.compile(
    r"(?:[^\x00-\x20\"'<>%\\^`{|}]|%[0-9A-Fa-f]{2}|\{[+#./;?&=,!@|]?"
    r"(?:[A-Za-z0-9_.]|%[0-9A-Fa-f]{2})+(?::[1-9][0-9]{0,3}|\*)?"
    r"(?:,(?:[A-Za-z0-9_.]|%[0-9A-Fa-f]{2})+(?::[1-9][0-9]{0,3}|\*)?)*\})*"
)


@cache
def _uri_grammar(extra: str) -> re.Pattern[str]:
    """Give RFC 3986's grammar (RFC 3987's with the extra characters); the groups are scheme and IP literal.

    Compiled at first use: the IRI grammar takes longer than the import of this module.
    """
    pchar = rf"(?:[A-Za-z0-9._~!$&'()*+,;=:@{extra}-]|%[0-9A-Fa-f]{{2}})"
    first = rf"(?:[A-Za-z0-9._~!$&'()*+,;=@{extra}-]|%[0-9A-Fa-f]{{2}})"
    user = rf"(?:[A-Za-z0-9._~!$&'()*+,;=:{extra}-]|%[0-9A-Fa-f]{{2}})*"
    name = rf"(?:[A-Za-z0-9._~!$&'()*+,;={extra}-]|%[0-9A-Fa-f]{{2}})*"
    authority = rf"(?:{user}@)?(?:\[(?P<ip>[^\]/?#@]*)\]|{name})(?::[0-9]*)?"
    segments = rf"(?:/{pchar}*)*"
    path = rf"(?://{authority}{segments}|/(?:{pchar}+{segments})?|(?(scheme){pchar}+|{first}+){segments}|)"
    tail = rf"(?:\?(?:{pchar}|[/?])*)?(?:#(?:{pchar}|[/?])*)?"
    return re.compile(rf"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):)?{path}{tail}")


IRI_EXTRA = "\u00a0-\ud7ff\ue000-\U0010fffd"


def is_date(text: str) -> bool:
    """RFC 3339 full-date, a day that exists."""
    if not DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_time(text: str) -> bool:
    """RFC 3339 full-time, with its offset; a leap second only where UTC can have one."""
    match = TIME.fullmatch(text)
    if match is None:
        return False
    if match["s"] != "60":
        return True
    offset = int(match["oh"] or 0) * 60 + int(match["om"] or 0)
    minutes = int(match["h"]) * 60 + int(match["m"])
    utc = minutes - offset if match["sign"] != "-" else minutes + offset
    return utc % 1440 == 23 * 60 + 59


def is_date_time(text: str) -> bool:
    """RFC 3339 date-time."""
    return len(text) > 10 and text[10] in "Tt" and is_date(text[:10]) and is_time(text[11:])


def is_ipv4(text: str) -> bool:
    """RFC 2673 dotted quad."""
    try:
        ipaddress.IPv4Address(text)
    except ValueError:
        return False
    return text.isascii()


def is_ipv6(text: str) -> bool:
    """RFC 4291 address without a zone."""
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return text.isascii() and "%" not in text


def is_hostname(text: str) -> bool:
    """RFC 1123 host name, with the internationalised labels of RFC 5890 checked."""
    labels = text.split(".")
    if len(text) > 253 or not all(LABEL.fullmatch(label) for label in labels):
        return False
    return not any(label[2:4] == "--" for label in labels) or is_idn_hostname(text)


def is_idn_hostname(text: str) -> bool:
    """RFC 5890 host name."""
    import idna

    try:
        idna.encode(text)
    except (idna.IDNAError, UnicodeError):
        return False
    return True


def is_email(text: str) -> bool:
    """RFC 5321 mailbox."""
    local, _, domain = text.rpartition("@")
    return len(local) <= 64 and LOCAL_PART.fullmatch(local) is not None and _is_mail_domain(domain, is_hostname)


def is_idn_email(text: str) -> bool:
    """RFC 6531 mailbox."""
    local, _, domain = text.rpartition("@")
    return re.fullmatch(IDN_LOCAL_PART, local) is not None and _is_mail_domain(domain, is_idn_hostname)


def _is_mail_domain(domain: str, is_name: Callable[[str], bool]) -> bool:
    if domain.startswith("[") and domain.endswith("]"):
        address = domain[1:-1]
        return is_ipv6(address[5:]) if address.lower().startswith("ipv6:") else is_ipv4(address)
    return is_name(domain)


def matches_uri(text: str, *, extra: str = "", is_absolute: bool) -> bool:
    """RFC 3986 URI or relative reference; with the extra characters RFC 3987 IRI."""
    match = _uri_grammar(extra).fullmatch(text)
    if match is None or (is_absolute and match["scheme"] is None):
        return False
    literal = match["ip"]
    return (
        literal is None
        or is_ipv6(literal)
        or re.fullmatch(r"[vV][0-9a-fA-F]+\.[\w.~!$&'()*+,;=:-]+", literal) is not None
    )


def is_regex(text: str) -> bool:
    """ECMA-262 pattern."""
    try:
        compile_pattern(text)
    except PatternError:
        return False
    return True


FORMATS: dict[str, Callable[[str], bool]] = {
    "date": is_date,
    "date-time": is_date_time,
    "time": is_time,
    "duration": lambda text: DURATION.fullmatch(text) is not None,
    "email": is_email,
    "idn-email": is_idn_email,
    "hostname": is_hostname,
    "idn-hostname": is_idn_hostname,
    "ipv4": is_ipv4,
    "ipv6": is_ipv6,
    "uri": partial(matches_uri, is_absolute=True),
    "uri-reference": partial(matches_uri, is_absolute=False),
    "iri": partial(matches_uri, extra=IRI_EXTRA, is_absolute=True),
    "iri-reference": partial(matches_uri, extra=IRI_EXTRA, is_absolute=False),
    "uri-template": lambda text: URI_TEMPLATE.fullmatch(text) is not None,
    "uuid": lambda text: UUID.fullmatch(text) is not None,
    "json-pointer": lambda text: JSON_POINTER.fullmatch(text) is not None,
    "relative-json-pointer": lambda text: RELATIVE_POINTER.fullmatch(text) is not None,
    "regex": is_regex,
}
"""What each format asks of a text; formats of other names are annotations, as the standard has it."""


def matches_format(name: str, value: object) -> bool:
    """Tell whether the value meets the format; values that are no text meet every format, as the standard has it."""
    check = FORMATS.get(name)
    return check is None or not isinstance(value, str) or check(value)


def format_checker() -> FormatChecker:
    """Give a checker of all FORMATS for a jsonschema validator."""
    checker = FormatChecker(formats=())
    for name, check in FORMATS.items():
        checker.checks(name)(_of_texts(check))
    return checker


def _of_texts(check: Callable[[str], bool]) -> Callable[[object], bool]:
    def conforms(value: object) -> bool:
        return not isinstance(value, str) or check(value)

    return conforms
