"""The table, for a terminal and for the documentation."""

from collections.abc import Sequence

from measure.rows import Row

_DIGITS = {"%": 1, "F1": 3, "ratio": 2, "count": 0, "ms": 1, "s": 2}


def figure(value: float | None, row: Row) -> str:
    """Give a value with its unit; a dash for what could not be measured."""
    if value is None:
        return "–"
    unit = row.unit if row.unit in ("%", "ms", "s") else ""
    return f"{value:.{_DIGITS[row.unit]}f}{' ' if unit else ''}{unit}"


def table(rows: Sequence[Row]) -> str:
    """Give the rows as a Markdown table with aligned columns: what, the figure, the held-out one, what was counted."""
    head = ("", "measured", "held out", "better", "of")
    lines = [head, *((row.title, figure(row.value, row), _held_out(row), row.better, _of(row)) for row in rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(head) - 1)]
    written = [
        " | ".join([*(cell.ljust(width) for cell, width in zip(line, widths, strict=False)), line[-1]])
        for line in lines
    ]
    rule = "|".join(["-" * (width + 2 - (at == 0)) for at, width in enumerate(widths)] + ["---"])
    return "\n".join([f"| {written[0]} |", f"|-{rule}|", *(f"| {line} |" for line in written[1:])])


def _held_out(row: Row) -> str:
    return figure(row.check, row) if row.check is not None else ""


def _of(row: Row) -> str:
    counted = f"{row.of}; held out {row.check_of}" if row.check_of else row.of
    return "; ".join(part for part in (counted, row.note) if part).replace("|", "/")


def notes(found: Sequence[str]) -> str:
    """Give what was left out, a line each."""
    return "\n".join(["", "Left out or failed:", *(f"- {one}" for one in found)]) if found else ""
