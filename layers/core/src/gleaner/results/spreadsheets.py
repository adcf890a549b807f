"""Defuse formulas in CSV cells (OWASP, CSV injection).

A text that a spreadsheet could take for a formula gets one apostrophe in front, which spreadsheets show as text and
``read_cell`` takes off again. Numbers with a sign stay as they are.
"""

import re

from gleaner.html.invisible_characters import SKIPPED_IN_CELLS

_FORMULA = re.compile(f"'*(?:[{SKIPPED_IN_CELLS}]*[=+\\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])")
"""What begins a formula, full-width forms too, behind whatever is not seen, under any number of apostrophes: so taking
one off is always right."""
_NUMBER = re.compile("[+-][0-9 .,\u00a0\u202f]*%?")


def safe_cell(text: str) -> str:
    """Give the text as it may stand in a cell; any other text than a formula stays as it is.

    >>> safe_cell("=HYPERLINK(A1)"), safe_cell("-5"), safe_cell("red")
    ("'=HYPERLINK(A1)", '-5', 'red')
    """
    return f"'{text}" if _is_formula(text) else text


def read_cell(cell: str) -> str:
    """Give the text that ``safe_cell`` was given.

    >>> read_cell("'=HYPERLINK(A1)")
    '=HYPERLINK(A1)'
    """
    return cell[1:] if cell.startswith("'") and _is_formula(cell[1:]) else cell


def _is_formula(text: str) -> bool:
    return _FORMULA.match(text) is not None and _NUMBER.fullmatch(text) is None
