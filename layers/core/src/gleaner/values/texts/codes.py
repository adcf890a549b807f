"""Numbers of telephones and books, and e-mail addresses: written in other ways they say the same.

"+49 30 1234567" states "+49301234567", "joe [at] example.com" an address.
"""

import re
from collections.abc import Iterator

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
