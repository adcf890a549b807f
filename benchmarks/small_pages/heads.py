"""Runs of records under a line that all of them share: in whatever element the line stands, it is theirs."""

from collections.abc import Callable, Sequence

from small_pages.design import DAY, TEXT, WORDS, SmallPage, page, records

_SAILINGS = (
    ("14 May 2027", "2027-05-14", (("Northern Gull", "Pier 3"), ("Amber Tern", "Pier 1"), ("Old Skua", "Pier 7"))),
    ("15 May 2027", "2027-05-15", (("Silver Heron", "Pier 2"), ("Little Auk", "Pier 9"))),
    ("17 May 2027", "2027-05-17", (("Grey Petrel", "Pier 4"), ("Red Knot", "Pier 6"), ("Wild Eider", "Pier 5"))),
)
_TRUTH = [{"ship": ship, "pier": pier, "sails": day} for _, day, run in _SAILINGS for ship, pier in run]
_SCHEMA = records(ship=TEXT, pier=WORDS, sails=DAY)
Run = Sequence[tuple[str, str]]


def _runs(one: Callable[[str, Run], str], around: str = "{}") -> str:
    return page("<h1>Sailings</h1>" + around.format("".join(one(line, run) for line, _, run in _SAILINGS)))


def _cards(run: Run) -> str:
    return "".join(f"<div class=card><p>{ship}</p><p>{pier}</p></div>" for ship, pier in run)


def _rows(run: Run) -> str:
    return "".join(f"<tr><td>{ship}</td><td>{pier}</td></tr>" for ship, pier in run)


def _items(run: Run) -> str:
    return f"<ul>{''.join(f'<li>{ship} ({pier})</li>' for ship, pier in run)}</ul>"


_HEAD_ROW = "<tr><th>Ship</th><th>Pier</th></tr>"
_FORMS: dict[str, str] = {
    "heading": _runs(lambda line, run: f"<h3>{line}</h3>{_cards(run)}"),
    "division": _runs(lambda line, run: f"<div class=day>{line}</div>{_cards(run)}"),
    "paragraph": _runs(lambda line, run: f"<p>{line}</p><table>{_HEAD_ROW}{_rows(run)}</table>"),
    "paragraph with a label": _runs(lambda line, run: f"<p>Sails: {line}</p><table>{_HEAD_ROW}{_rows(run)}</table>"),
    "bold line": _runs(lambda line, run: f"<p><b>{line}</b></p>{_cards(run)}"),
    "caption": _runs(lambda line, run: f"<table><caption>{line}</caption>{_HEAD_ROW}{_rows(run)}</table>"),
    "spanning cell": _runs(
        lambda line, run: f"<tr><td colspan=2>{line}</td></tr>{_rows(run)}", f"<table>{_HEAD_ROW}{{}}</table>"
    ),
    "spanning head": _runs(lambda line, run: f"<tr><th colspan=2>{line}</th></tr>{_rows(run)}", "<table>{}</table>"),
    "item over an inner list": _runs(lambda line, run: f"<li>{line}{_items(run)}</li>", "<ul>{}</ul>"),
    "heading in an item": _runs(lambda line, run: f"<li><h3>{line}</h3>{_items(run)}</li>", "<ol>{}</ol>"),
    "summary": _runs(lambda line, run: f"<details open><summary>{line}</summary>{_cards(run)}</details>"),
    "legend": _runs(lambda line, run: f"<fieldset><legend>{line}</legend>{_cards(run)}</fieldset>"),
    "time element": _runs(lambda line, run: f"<time>{line}</time>{_cards(run)}"),
    "term": _runs(
        lambda line, run: f"<dt>{line}</dt>{''.join(f'<dd>{ship}<br>{pier}</dd>' for ship, pier in run)}",
        "<dl>{}</dl>",
    ),
}

HEADS = tuple(SmallPage(f"day in a {form}", html, _SCHEMA, _TRUTH) for form, html in _FORMS.items())
