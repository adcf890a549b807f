"""The table, for a terminal and for the documentation."""

from collections.abc import Sequence

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


def matrix(rows: Sequence[Row]) -> str:
    """Give the rows of the corpora as one Markdown table: a line for each figure, a column for each corpus.

    The last column is the held-out part of the layouts. "" without any such row.
    """
    known = {tuple(row.id.split(".", 1)): row for row in rows if is_of_corpus(row)}
    if not known:
        return ""
    corpora = [name for name in ("all", *TITLES) if any(corpus == name for corpus, _ in known)]
    is_fitted = {corpus: any(row.is_fitted for (own, _), row in known.items() if own == corpus) for corpus in corpora}
    titles = {"all": "all", **TITLES}
    heads = [f"{titles[one]}{' *' if is_fitted[one] else ''}" for one in corpora]
    held_out = "layouts" in corpora
    lines = [f"| | | {' | '.join(heads)} |{' held out |' * held_out}", f"|---|---|{'--:|' * (len(corpora) + held_out)}"]
    for name in dict.fromkeys(figure_name for _, figure_name in known):
        own = [known.get((corpus, name)) for corpus in corpora]
        first = next(row for row in own if row is not None)
        cells = ["" if row is None else figure(row.value, row) for row in own]
        layouts = known.get(("layouts", name))
        cells += [_held_out(layouts) if layouts else ""] if held_out else []
        arrow = "↑" if first.better == "higher" else "↓"
        lines.append(f"| {first.title.partition(': ')[2]} | {arrow} | {' | '.join(cells)} |")
    return "\n".join([*lines, "", FITTED]) + "\n"


FITTED = "\\* Rules were written or learned with these pages at hand: the figure flatters."


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


def notes(found: Sequence[str]) -> str:
    """Give what was left out, a line each."""
    return "\n".join(["", "Left out or failed:", *(f"- {one}" for one in found)]) if found else ""
