"""Forms of lists whose right answer is complete, and none of it refused or doubted (CM-1, PR-6)."""

import json
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.contracts.models import ScrapeResult
from gleaner.testing import FunctionModel

DAY = {"type": "string", "format": "date"}
GRID = (
    "<h1>Week 7</h1><table><tr><th></th><th>Monday</th><th>Tuesday</th></tr>"
    "<tr><th>09:00</th><td>Sums<br>Rm 2</td><td></td></tr>"
    "<tr><th>10:00</th><td></td><td rowspan=2>Lab<br>Rm 3</td></tr>"
    "<tr><th>11:00</th><td>Maps<br>Rm 1</td></tr></table>"
)
CLASSES = [
    ("Monday", "09:00", "Sums", "Rm 2"),
    ("Tuesday", "10:00", "Lab", "Rm 3"),
    ("Monday", "11:00", "Maps", "Rm 1"),
]
FAIRS = [("Jazz", "12.–14.6.2026", 12, 14), ("Film", "3.-9.6.2026", 3, 9), ("Wine", "20-21.6.2026", 20, 21)]
PLANS = [("Team", "$19", "✓", "✗"), ("Firm", "$79", "✓", "✓"), ("Solo", "$5", "✗", "✗")]
CALLS = [("List orders", ["limit", "status"]), ("Create an order", ["lines", "note"]), ("Cancel an order", ["id"])]
COURSES = [
    ("MUS 110", "none", []),
    ("MUS 210", "MUS 110", ["MUS 110"]),
    ("MUS 315", "MUS 210 and MUS 220", ["MUS 210", "MUS 220"]),
]
DUMPED = [
    ("fetch", [("url", "Where to read from."), ("timeout", "Seconds to wait.")]),
    ("dump", [("tree", "What to write."), ("path", "The file."), ("indent", "Spaces a level.")]),
]
FORMS: list[tuple[str, str, dict[str, Any], list[dict[str, Any]]]] = [
    (
        "a timetable with a cell over two rows",
        GRID,
        {name: {"type": "string"} for name in ("day", "start", "subject", "room")},
        [dict(zip(("day", "start", "subject", "room"), one, strict=True)) for one in CLASSES],
    ),
    (
        "ranges of days in figures",
        "<h1>Fairs</h1><ul>" + "".join(f"<li><i>{said}</i> <b>{name}</b></li>" for name, said, *_ in FAIRS) + "</ul>",
        {"name": {"type": "string"}, "first": DAY, "last": DAY},
        [{"name": name, "first": f"2026-06-{a:02}", "last": f"2026-06-{z:02}"} for name, _, a, z in FAIRS],
    ),
    (
        "flags in a table that compares records",
        "<table>"
        + "".join(
            f"<tr><th>{head}</th>{''.join(f'<td>{plan[at]}</td>' for plan in PLANS)}</tr>"
            for at, head in enumerate(("", "Monthly price", "Audit log", "Phone support"))
        )
        + "</table>",
        {"plan": {"type": "string"}, "monthly_price": {"type": "number"}, "audit_log": {"type": "boolean"}},
        [{"plan": name, "monthly_price": float(price[1:]), "audit_log": log == "✓"} for name, price, log, _ in PLANS],
    ),
    (
        "sections with tables, and headings of the page below them",
        "<div id=content>"
        + "".join(
            f"<section class=call><h2>{name}</h2><table><tr><th>Name</th><th>Type</th></tr>"
            + "".join(f"<tr><td><code>{one}</code><span class=tag>needed</span></td><td>text</td></tr>" for one in own)
            + "</table></section>"
            for name, own in CALLS
        )
        + "</div><section><h2>Newsletter</h2><p>Ten per cent off your first order.</p></section>",
        {"call": {"type": "string"}, "parameters": {"type": "array", "items": {"type": "string"}}},
        [{"call": name, "parameters": own} for name, own in CALLS],
    ),
    (
        "parameters that the source of a function names before its list does",
        "".join(
            f"<section><div class=name>{name}</div><pre>def {name}({', '.join(one for one, _ in own)}):\n"
            + "".join(f"    :param {one}: {said}\n" for one, said in own)
            + "</pre><h6>Parameters</h6><ul>"
            + "".join(f"<li><b>{one}</b>: {said}</li>" for one, said in own)
            + "</ul></section>"
            for name, own in DUMPED
        ),
        {
            "function": {"type": "string"},
            "parameters": {
                "type": "array",
                "items": {"type": "object", "properties": {"name": {"type": "string"}, "meaning": {"type": "string"}}},
            },
        },
        [
            {"function": name, "parameters": [{"name": one, "meaning": said} for one, said in own]}
            for name, own in DUMPED
        ],
    ),
    (
        "items that a word joins",
        "".join(f"<div class=c><h3>{code}</h3><p>Prerequisites: {said}.</p></div>" for code, said, _ in COURSES),
        {"code": {"type": "string"}, "prerequisites": {"type": "array", "items": {"type": "string"}}},
        [{"code": code, "prerequisites": own} for code, _, own in COURSES],
    ),
]


def answered(html: str, fields: dict[str, Any], records: list[dict[str, Any]], home: Path) -> ScrapeResult:
    item = {"type": "object", "properties": fields, "required": [*fields], "additionalProperties": False}
    answer = json.dumps({"data": records})
    with Gleaner(model=FunctionModel(lambda _: answer), home=home) as gleaner:
        page = f"<html><body>{html}</body></html>"
        schema = {"type": "array", "items": item}
        return gleaner.extract_html(page, "https://site.example/", output_schema=schema, config={"tiers": ["model"]})


@pytest.mark.req("CM-1", "PR-6")
@pytest.mark.parametrize(("form", "html", "fields", "records"), FORMS, ids=[one[0] for one in FORMS])
def test_a_right_list_is_complete_and_none_of_it_is_doubted(
    form: str, html: str, fields: dict[str, Any], records: list[dict[str, Any]], tmp_path: Path
) -> None:
    del form
    result = answered(html, fields, records, tmp_path)
    assert (result.status, result.extraction.data) == ("complete", records)
    assert not [one for one in result.extraction.provenance if one.doubt]


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("left_out", range(3))
def test_a_cell_of_a_timetable_that_is_left_out_is_named_once(left_out: int, tmp_path: Path) -> None:
    _, html, fields, records = FORMS[0]
    result = answered(html, fields, [one for at, one in enumerate(records) if at != left_out], tmp_path)
    missing = result.extraction.completeness.missing
    subject = CLASSES[left_out][2]
    assert (result.status, [subject in one.text for one in missing]) == ("partial", [True])


@pytest.mark.req("CM-1", "PR-6")
def test_a_category_in_breadcrumbs_and_flags_in_one_line_are_right_as_they_are(tmp_path: Path) -> None:
    page = (
        "<nav class=shop-breadcrumb><a href=/>Home</a> / <a href=/l>Lamps</a> / Larch lamp</nav><h1>Larch lamp</h1>"
        "<p>Regular price $29.00</p><p>Contains ads In-app purchases</p><h2>You may also like</h2><p>Elm lamp $9.00</p>"
    )
    flag = {"type": "boolean"}
    kinds = {"price": {"type": "number"}, "ads": flag, "in_app": flag}
    schema = {"type": "object", "properties": {"categories": {"type": "array", "items": {"type": "string"}}, **kinds}}
    data = {"categories": ["Lamps"], "price": 29.0, "ads": True, "in_app": True}
    with Gleaner(model=FunctionModel(lambda _: json.dumps({"data": data})), home=tmp_path) as gleaner:
        result = gleaner.extract_html(page, "https://site.example/", output_schema=schema, config={"tiers": ["model"]})
    assert (result.status, result.extraction.data) == ("complete", data)
    assert [one.pointer for one in result.extraction.provenance if one.doubt] == []
