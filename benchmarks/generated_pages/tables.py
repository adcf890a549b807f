"""The markup of pages that list records in a table, real or made of boxes."""

from collections.abc import Sequence

from generated_pages.layouts import Layout
from generated_pages.values import FieldSpec, Record, filler_name, write_money


def table_body(layout: Layout, records: Sequence[Record]) -> str:
    """Write records as table rows, with the headers, totals, section titles and gaps that real tables have."""
    if layout.chance("table/boxes", 0.15):
        return _boxes(layout, records)
    rows: list[str] = []
    random = layout.random("table/extras")
    titled, spaced = layout.chance("table/titles", 0.15), layout.chance("table/spacers", 0.1)
    width = len(_headers(layout))
    for number, record in enumerate(records):
        if titled and (number == 0 or random.random() < 0.15):
            rows.append(f'<tr{layout.css("group")}><td colspan="{width}">{filler_name(random)}s</td></tr>')
        elif spaced and random.random() < 0.2:
            rows.append(f'<tr{layout.css("gap")}><td colspan="{width}">&nbsp;</td></tr>')
        rows.append(_row(layout, record, number))
    rows.append(_total(layout, records, width))
    return f"<table{layout.css('table')}>{_head(layout)}{chr(10).join(rows)}{_body_end(layout)}</table>"


def _headers(layout: Layout) -> list[str]:
    names = [spec.label for spec in layout.shown_fields()]
    if layout.chance("table/numbered", 0.2):
        names.insert(0, "#")
    if layout.chance("table/actions", 0.2):
        names.append("")
    return names


def _head(layout: Layout) -> str:
    caption = f"<caption>All {layout.domain.plural}</caption>" if layout.chance("table/caption", 0.2) else ""
    form = layout.choose("table/head", "thead", "thead", "thead", "first", "first", "cells")
    tag = "td" if form == "cells" else "th"
    row = "".join(
        f"<{tag}>{'<b>' if tag == 'td' else ''}{name}{'</b>' if tag == 'td' else ''}</{tag}>"
        for name in _headers(layout)
    )
    head = f"<thead><tr>{row}</tr></thead><tbody>" if form == "thead" else f"<tbody><tr>{row}</tr>"
    return caption + head


def _body_end(layout: Layout) -> str:
    del layout
    return "</tbody>"


def _row(layout: Layout, record: Record, number: int) -> str:
    cells = [_cell(layout, spec, record, position) for position, spec in enumerate(layout.shown_fields())]
    if layout.chance("table/numbered", 0.2):
        cells.insert(0, f"<td>{number + 1}</td>")
    if layout.chance("table/actions", 0.2):
        cells.append("<td><button>View</button></td>")
    zebra = ("odd" if number % 2 else "even",) if layout.chance("table/zebra", 0.3) else ()
    return f"<tr{layout.css('row', *zebra)}>{''.join(cells)}</tr>"


def _cell(layout: Layout, spec: FieldSpec, record: Record, position: int) -> str:
    text = layout.write(spec, record[spec.name])
    if not text:
        text = layout.choose("table/nothing", "", "–", "n/a")
    if position == 0 and (layout.links or layout.chance("table/linked", 0.5)):
        text = f'<a href="{record.get("url") or "/item"}">{text}</a>'
    for _ in range(layout.extra_wrappers):
        text = f"<div{layout.css('wrap')}>{text}</div>"
    tag = "th" if position == 0 and layout.chance("table/rowhead", 0.15) else "td"
    scope = ' scope="row"' if tag == "th" else ""
    return f"<{tag}{scope}{layout.css('cell-' + spec.name)}>{text}</{tag}>"


def _total(layout: Layout, records: Sequence[Record], width: int) -> str:
    money = next((spec for spec in layout.shown_fields() if spec.kind == "money"), None)
    if money is None or not layout.chance("table/total", 0.2):
        return ""
    amounts = [value for record in records if isinstance(value := record[money.name], int | float)]
    return f'<tr><td colspan="{width - 1}">Total</td><td>{write_money(sum(amounts), layout.money)}</td></tr>'


def _boxes(layout: Layout, records: Sequence[Record]) -> str:
    roles = layout.chance("table/roles", 0.5)
    head = "".join(
        f"<div{_role('columnheader', roles)}{layout.css('cell-head')}>{name}</div>" for name in _shown(layout)
    )
    rows = [f"<div{_role('row', roles)}{layout.css('row-header')}>{head}</div>"] if roles else []
    for record in records:
        texts = {spec.name: layout.write(spec, record[spec.name]) or "–" for spec in layout.shown_fields()}
        cell = _role("cell", roles)
        cells = "".join(f"<div{cell}{layout.css('cell-' + name)}>{text}</div>" for name, text in texts.items())
        if layout.links:
            cells += f'<div{_role("cell", roles)}><a href="{record["url"]}">View</a></div>'
        rows.append(f"<div{_role('row', roles)}{layout.css('row')}>{cells}</div>")
    return f"<div{_role('table', roles)}{layout.css('table')}>{chr(10).join(rows)}</div>"


def _role(name: str, roles: bool) -> str:
    return f' role="{name}"' if roles else ""


def _shown(layout: Layout) -> list[str]:
    return [spec.label for spec in layout.shown_fields()] + ([""] if layout.links else [])
