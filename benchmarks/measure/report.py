"""The table, for a terminal and for the documentation."""

from collections.abc import Sequence

from measure.cases import FITTED as FITTED_CORPORA
from measure.cases import TITLES
from measure.rows import Row

_DIGITS = {"%": 1, "per 1,000": 1, "F1": 3, "ratio": 2, "count": 0, "lines": 0, "ms": 1, "s": 2}


def figure(value: float | None, row: Row) -> str:
    """Give a value with its unit; a dash for what could not be measured."""
    if value is None:
        return "–"
    unit = row.unit if row.unit in ("%", "ms", "s") else ""
    return f"{value:.{_DIGITS[row.unit]}f}{' ' if unit else ''}{unit}"


def is_of_corpus(row: Row) -> bool:
    """Tell whether a row is one of a corpus, or one over all of them."""
    return row.id.partition(".")[0] in (*TITLES, "all")


def matrix(rows: Sequence[Row], before: Sequence[Row] = ()) -> str:
    """Give the rows of the corpora as one Markdown table: a line for each figure, a column for each corpus.

    ``before`` are the rows of an earlier measurement, whose figures over all corpora come first; the last column is the
    held-out part of the layouts. "" without any such row.
    """
    known = {tuple(row.id.split(".", 1)): row for row in rows if is_of_corpus(row)}
    if not known:
        return ""
    corpora = [name for name in ("all", *TITLES) if any(corpus == name for corpus, _ in known)]
    titles = {"all": "all", **TITLES}
    heads = [f"{titles[one]}{' *' if one in FITTED_CORPORA else ''}" for one in corpora]
    heads = [*(["version 2, all"] if before else []), *heads, *(["held out"] if "layouts" in corpora else [])]
    lines = [f"| | | {' | '.join(heads)} |", f"|---|---|{'--:|' * len(heads)}"]
    earlier = {row.id: row for row in before}
    for name in dict.fromkeys(figure_name for _, figure_name in known):
        own = [known.get((corpus, name)) for corpus in corpora]
        first = next(row for row in own if row is not None)
        was = earlier.get(f"all.{name}")
        cells = [figure(was.value, was) if was else "–"] if before else []
        cells += ["" if row is None else figure(row.value, row) for row in own]
        cells += [_held_out(known["layouts", name])] if "layouts" in corpora else []
        arrow = "↑" if first.better == "higher" else "↓"
        title = first.title.partition(": ")[2]
        title += ", per 1,000" if first.unit == "per 1,000" and "1,000" not in title else ""
        lines.append(f"| {title} | {arrow} | {' | '.join(cells)} |")
    return "\n".join([*lines, "", FITTED_NOTE]) + "\n"


FITTED_NOTE = "\\* Rules were written or learned with these pages at hand: the figure flatters."


def table(rows: Sequence[Row]) -> str:
    """Give the rows as a Markdown table with aligned columns: what, the figure, the held-out one, what was counted."""
    head = ("", "measured", "held out", "better", "of")
    lines = [head, *((titled(row), figure(row.value, row), _held_out(row), row.better, _of(row)) for row in rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(head) - 1)]
    written = [
        " | ".join([*(cell.ljust(width) for cell, width in zip(line, widths, strict=False)), line[-1]])
        for line in lines
    ]
    rule = "|".join(["-" * (width + 2 - (at == 0)) for at, width in enumerate(widths)] + ["---"])
    return "\n".join([f"| {written[0]} |", f"|-{rule}|", *(f"| {line} |" for line in written[1:])])


def titled(row: Row) -> str:
    """Give a row's title, with a mark where something was learned from what it is measured on."""
    return f"{row.title} (fitted)" if row.is_fitted else row.title


def _held_out(row: Row) -> str:
    return figure(row.check, row) if row.check is not None else ""


def _of(row: Row) -> str:
    counted = f"{row.of}; held out {row.check_of}" if row.check_of else row.of
    return "; ".join(part for part in (counted, row.note) if part).replace("|", "/")


def rooms(rows: Sequence[Row], before: Sequence[Row] = ()) -> str:
    """Give the lines of each room of the core with its goal, and what they were before; "" without any."""
    own = [row for row in rows if row.unit == "lines"]
    known = {row.id: row.value for row in before}
    head = ["", "| lines that are not blank | version 2 | now | goal |", "|---|--:|--:|--:|"]
    lines = [
        f"| {row.title.removeprefix('lines: ')} | {_lines(known.get(row.id))} | {_lines(row.value)} | {row.of} |"
        for row in own
    ]
    return "\n".join([*head, *lines]) if own else ""


def _lines(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}"


def notes(found: Sequence[str]) -> str:
    """Give what was left out, a line each."""
    return "\n".join(["", "Left out or failed:", *(f"- {one}" for one in found)]) if found else ""
