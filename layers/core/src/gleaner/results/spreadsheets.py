"""Defuse formulas in CSV cells (OWASP, CSV injection).

A text that a spreadsheet could take for a formula gets one apostrophe in front, which spreadsheets show as text and
``read_cell`` takes off again. Numbers with a sign stay as they are. Where the list separator of the system is a
semicolon or a tab, a spreadsheet parts cells there, whatever the quotes say: what calls something behind one gets an
apostrophe, too.
"""

import re

from gleaner.html.invisible_characters import SKIPPED_IN_CELLS

_FORMULA = re.compile(f"'*(?:[{SKIPPED_IN_CELLS}]*[=+\\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])")
"""What begins a formula, full-width forms too, behind whatever is not seen, under any number of apostrophes: so taking
one off is always right."""
_CALL = re.compile(f"'*[\"{SKIPPED_IN_CELLS}]*[=+\\-@\uff1d\uff0b\uff0d\uff20][^(|!]*[(|!]")
"""The same of a part of a cell, as far as it can do harm: a function, another program (DDE), another sheet."""
_BORDERS = re.compile("([;\t\r\n])")
_NUMBER = re.compile("[+-][0-9 .,\u00a0\u202f]*%?")


def safe_cell(text: str) -> str:
    """Give the text as it may stand in a cell; any other text than a formula stays as it is.

    >>> safe_cell("=HYPERLINK(A1)"), safe_cell("-5"), safe_cell("red")
    ("'=HYPERLINK(A1)", '-5', 'red')
    >>> safe_cell("red;=HYPERLINK(A1);- or blue")
    "red;'=HYPERLINK(A1);- or blue"
    """
    first, *more = _BORDERS.split(text)
    for at in range(1, len(more), 2):
        more[at] = f"'{more[at]}" if _CALL.match(more[at]) else more[at]
    return ("'" if _is_formula(text) else "") + first + "".join(more)


def read_cell(cell: str) -> str:
    """Give the text that ``safe_cell`` was given.

    >>> read_cell("'=HYPERLINK(A1)")
    '=HYPERLINK(A1)'
    """
    first, *more = _BORDERS.split(cell)
    for at in range(1, len(more), 2):
        more[at] = more[at].removeprefix("'") if _CALL.match(more[at]) else more[at]
    text = first + "".join(more)
    return text[1:] if text.startswith("'") and _is_formula(text[1:]) else text


def _is_formula(text: str) -> bool:
    return _FORMULA.match(text) is not None and _NUMBER.fullmatch(text) is None
