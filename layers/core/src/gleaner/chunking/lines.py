"""What a line of Markdown can be, by itself (CommonMark 0.31, GFM tables)."""

SEPARATOR_CHARACTERS = "|-: \t\r"


def is_separator(line: str) -> bool:
    """Tell whether a line can be the separator row of a table.

    >>> is_separator("| --- | :-: |"), is_separator("--- | ---"), is_separator("---")
    (True, True, False)
    """
    return "|" in line and "-" in line and not line.strip(SEPARATOR_CHARACTERS)


def heading_level(text: str) -> int:
    """Give the level of an ATX heading, 0 for any other line (``#tag`` is none)."""
    level = len(text) - len(text.lstrip("#"))
    return level if level <= 6 and text[level : level + 1] in ("", " ", "\t", "\r") else 0


def fence_of(text: str) -> tuple[str, int] | None:
    """Give the character and length of the fence that a line (without indentation) opens, or None."""
    mark = text[:1]
    if mark not in ("`", "~"):
        return None
    length = len(text) - len(text.lstrip(mark))
    if length < 3 or (mark == "`" and "`" in text[length:]):
        return None
    return mark, length


def is_item(text: str) -> bool:
    """Tell whether a line (without indentation) starts a list item."""
    if text[:1] in ("-", "*", "+"):
        return text[1:2] in ("", " ", "\t", "\r")
    digits = text[:10].lstrip("0123456789")
    return len(digits) < min(len(text), 10) and digits[:1] in (".", ")") and digits[1:2] in ("", " ", "\t", "\r")


def is_rule(text: str) -> bool:
    """Tell whether a line (without indentation) is a thematic break."""
    marks = text.replace(" ", "").replace("\t", "").rstrip("\r")
    return len(marks) >= 3 and marks[0] in "-*_" and not marks.strip(marks[0])
