"""Records that no markup sets apart, or in several ways: what a model leaves out of them is noticed all the same."""

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from gleaner.contracts.models import ExtractionConfig
from gleaner.extraction import ExtractionResult, ExtractionSubAgent
from gleaner.page.opening import open_page
from gleaner.testing import FunctionModel
from gleaner.testing.scripted import page_text

from tests.support.schemas import INTEGER, MAYBE_NUMBER, MAYBE_TEXT, NUMBER, TEXT, list_of, object_of

ITEM = object_of("name", "price", name=MAYBE_TEXT, price=MAYBE_NUMBER)
SCHEMA = list_of(ITEM)
NAMES = ["Larch jug", "Alder bowl", "Gorse vase", "Briar tray", "Rowan desk", "Hazel lamp", "Aspen mug", "Elder rug"]
PRICES = {name: 11.5 + 7 * number for number, name in enumerate(NAMES)}
PICTURE = "<a href=/{2}><img src=/{2}.jpg alt='{0} for {1}, {2}'></a>"
INTRO = "<p>All of our things are made by hand, by people who like their work.</p>"

Answer = Callable[[list[str], int], list[str]]


def _parts(template: str, joint: str) -> str:
    return joint.join(template.format(name, f"${PRICES[name]:.2f}", 2001 + at) for at, name in enumerate(NAMES))


def _mixed() -> str:
    looks = [
        "<div><h3>{}</h3><p>{}, {}</p></div>",
        "<section><b>{}</b><br>{} / {}</section>",
        "<p><i>{}</i>: {} ({})</p>",
    ]
    return "".join(looks[at % 3].format(name, f"${PRICES[name]:.2f}", 2001 + at) for at, name in enumerate(NAMES))


def _cells() -> str:
    cells = _parts("<td><b>{}</b><br>{}<br>{}</td>", "\n").split("\n")
    rows = "".join(f"<tr>{''.join(cells[at : at + 2])}</tr>" for at in range(0, len(cells), 2))
    return f"<table>{rows}</table>"


def _two_in_a_row() -> str:
    parts = _parts("<td>{}<td>{}", "\n").split("\n")
    return f"<table>{''.join(f'<tr>{parts[at]}{parts[at + 1]}' for at in range(0, len(parts), 2))}</table>"


def _pairs() -> str:
    template = "<tr><td>{2}.</td><td><a href=/x>{0}</a></td></tr><tr><td></td><td>asks {1} by post</td></tr>"
    return f"<table>{_parts(template, '')}</table>"


def _stories() -> str:
    template = (
        "<tr><td>1.<td><a href=/v></a><td><a href=/x>{0}</a><tr><td colspan=2><td>{1} since {2}<tr style='height:5px'>"
    )
    more = "<tr style='height:9px'><tr><td colspan=2><td><a href=/2>More</a>"
    head = "<tr><td><b><a href=/>The news</a></b> <a href=/new>new</a><td><a href=/login>login</a>"
    return f"<table><tr><td><table>{head}</table><tr><td><table>{_parts(template, '')}{more}</table></table>"


LAYOUTS = {
    "sentences": f"{INTRO}<p>{_parts('The {} costs {} and is made since {}.', ' ')}</p>",
    "an enumeration": f"<p>We sell {_parts('{} ({}, {})', ', ')} and more. Come and see them all some day.</p>",
    "bars": f"{INTRO}<p>{_parts('<a href=/x>{}</a> {} {}', ' | ')}</p>",
    "lines of code": f"<pre>{_parts('{:<14}{:>9} {}', chr(10))}</pre>",
    "a table in text": f"<pre>| what | price | since |\n|---|---|---|\n{_parts('| {} | {} | {} |', chr(10))}</pre>",
    "cells": _cells(),
    "two in a row of cells": _two_in_a_row(),
    "pairs of rows": _pairs(),
    "pairs of rows and a last one": _stories(),
    "titles between rows": f"<table>{_parts('<tr><td colspan=2><b>{}</b><tr><td>{}<td>{}', '')}</table>",
    "titles over rows of facts": "<table>"
    + _parts("<tr><td colspan=2><b>{}</b><tr><td>Price<td>{}<tr><td>Since<td>{}", "")
    + "</table>",
    "rows beside a picture": "<table>"
    + _parts("<tr><td rowspan=3><img src=a.png><td><b>{}</b><tr><td>{}<tr><td>{}", "")
    + "</table>",
    "several looks": f"{INTRO}{_mixed()}",
    "lines of several paragraphs": "".join(
        f"<h3>{place}</h3><p>{lines}</p>"
        for place, lines in zip(
            ("Hall", "Attic", "Yard"),
            ("<br>".join(_parts("{} – {}", "|").split("|")[part]) for part in (slice(3), slice(3, 7), slice(7, 8))),
            strict=True,
        )
    ),
    "a gallery of pictures": f"<div>{_parts(PICTURE, chr(10))}</div>",
    "breaks and rules": f"<div>{_parts('<b>{}</b> {}, {}', '<hr>')}</div>",
}


def _model(choose: Answer) -> FunctionModel:
    calls: list[str] = []

    def answer(prompt: str) -> str:
        text = page_text(prompt)
        calls.append(text)
        shown = [name for name in NAMES if name in text]
        return json.dumps([{"name": name, "price": PRICES[name]} for name in choose(shown, len(calls))])

    return FunctionModel(answer)


def _read(html: str, model: FunctionModel, schema: Any = SCHEMA, query: str | None = "all", **more: Any) -> Any:
    page, agent = open_page(html), ExtractionSubAgent(model, sleep=lambda _: None)
    return asyncio.run(agent.extract(page.text, query, schema, units=page.units, **more))


def _extract(html: str, choose: Answer) -> tuple[ExtractionResult, FunctionModel]:
    model = _model(choose)
    return _read(html, model), model


def _names(result: ExtractionResult) -> set[str]:
    return {record["name"] for record in result.data}


@pytest.mark.req("EX-6", "CM-1")
@pytest.mark.parametrize("lost", [NAMES[3:5], NAMES[:1], NAMES[-1:]], ids=["inner", "first", "last"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_left_out_is_named_whatever_sets_the_records_apart(layout: str, lost: list[str]) -> None:
    result, _ = _extract(LAYOUTS[layout], lambda shown, _: [name for name in shown if name not in lost])
    assert _names(result) == {*NAMES} - {*lost}
    assert result.is_partial
    assert all(any(name in unit.text for unit in result.completeness.missing) for name in lost)


@pytest.mark.req("EX-6")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_kind_answer_is_complete_and_takes_one_call_whatever_sets_the_records_apart(layout: str) -> None:
    result, model = _extract(LAYOUTS[layout], lambda shown, _: shown)
    assert (_names(result), result.is_partial, len(model.prompts)) == ({*NAMES}, False, 1)


@pytest.mark.req("EX-6")
def test_a_second_list_of_another_look_is_counted_once_it_gave_a_record_and_named_if_it_gave_none() -> None:
    first = "".join(f"<tr><td>{name}</td><td>${PRICES[name]:.2f}</td><td>2001</td></tr>" for name in NAMES[:4])
    second = "".join(f"<li>{name}, ${PRICES[name]:.2f}, since 2004</li>" for name in NAMES[4:])
    html = f"<h2>In stock</h2><table>{first}</table><h2>To order</h2><ul>{second}</ul>"
    result, _ = _extract(html, lambda shown, call: shown[:5] if call == 1 else shown)
    assert (_names(result), result.is_partial) == ({*NAMES}, False)
    result, _ = _extract(html, lambda shown, _: [name for name in shown if name in NAMES[:5]])
    assert (result.is_partial, len(result.completeness.missing)) == (True, 3)
    result, model = _extract(html, lambda shown, _: [name for name in shown if name in NAMES[:4]])
    assert (result.is_partial, len(model.prompts)) == (True, 1)
    assert [NAMES[4] in unit.text for unit in result.completeness.missing] == [True, *[False] * (len(NAMES) - 5)]


@pytest.mark.req("EX-6")
def test_what_calls_itself_an_advertisement_is_asked_about_and_then_left_alone() -> None:
    cards = [f"<div class=k><h3>{name}</h3><p>${PRICES[name]:.2f}</p></div>" for name in NAMES]
    cards.insert(3, "<div class=k><h3>Sponsored: Mega mug</h3><p>$99.00</p></div>")
    result, model = _extract(f"<div>{''.join(cards)}</div>", lambda shown, _: shown)
    assert (result.is_partial, result.completeness.skipped, len(model.prompts)) == (False, 1, 2)


@pytest.mark.req("EX-4", "EX-6")
@pytest.mark.parametrize("fields", [{"name": None, "price": None}, {"title": "Larch jug", "cost": 11.5}])
def test_records_of_nothing_but_nulls_answer_for_no_unit(fields: dict[str, object]) -> None:
    rows = "".join(f"<tr><td>{name}</td><td>${PRICES[name]:.2f}</td></tr>" for name in NAMES)
    for html in (f"<table>{rows}</table>", "<p>" + "<br>".join(f"{name} {PRICES[name]}" for name in NAMES) + "</p>"):
        result = _read(html, FunctionModel(lambda _: json.dumps([fields] * len(NAMES))))
        assert (result.data, result.is_partial) == ([], True)


@pytest.mark.req("EX-4")
def test_after_a_cut_answer_the_text_behind_the_last_unit_is_read_too() -> None:
    rows = "".join(f"| {name} | ${PRICES[name]:.2f} | 2001 |\n" for name in NAMES[:4])
    rest = "\n\n".join(f"And then there is the {name}, which is {PRICES[name]} dollars." for name in NAMES[4:])
    calls: list[str] = []

    def answer(prompt: str) -> str:
        calls.append(prompt)
        shown = [name for name in NAMES if name in page_text(prompt)]
        text = json.dumps([{"name": name, "price": PRICES[name]} for name in shown])
        return text[: text.index(NAMES[4]) - 10] if len(calls) == 1 else text

    agent = ExtractionSubAgent(FunctionModel(answer), sleep=lambda _: None)
    content = f"| what | price | since |\n|---|---|---|\n{rows}\n{rest}\n"
    result = asyncio.run(agent.extract(content, "all things", SCHEMA, config=ExtractionConfig()))
    assert (_names(result), result.is_partial) == ({*NAMES}, False)


@pytest.mark.req("PR-1", "PR-2")
def test_a_section_of_one_record_gives_it_its_heading_as_those_of_several_do() -> None:
    schema = list_of(object_of(name=TEXT, city=MAYBE_TEXT))
    places = {"Graz": NAMES[:3], "Oslo": NAMES[3:4], "Cork": NAMES[4:6], "Turin": NAMES[6:]}
    html = "".join(
        f"<h2>{city}</h2><ul>{''.join(f'<li>{name}, ${PRICES[name]}</li>' for name in names)}</ul>"
        for city, names in places.items()
    )
    truth = [{"name": name, "city": city} for city, names in places.items() for name in names]
    result = _read(html, FunctionModel(lambda _: json.dumps(truth)), schema)
    assert (result.data, result.is_partial) == (truth, False)


@pytest.mark.req("EX-6", "CM-1")
def test_a_section_that_gave_one_of_its_two_records_is_short_of_one() -> None:
    sections = {"Graz": NAMES[:2], "Oslo": NAMES[2:3], "Cork": NAMES[3:5], "Turin": NAMES[5:]}
    items = {
        city: "".join(f"<li>{name}, 2001, ${PRICES[name]:.2f}</li>" for name in names)
        for city, names in sections.items()
    }
    html = f"<ul>{''.join(f'<li>{city}<ul>{inner}</ul></li>' for city, inner in items.items())}</ul>"
    result, _ = _extract(html, lambda shown, _: [name for name in shown if name != NAMES[1]])
    assert result.is_partial
    assert [NAMES[1] in unit.text for unit in result.completeness.missing] == [True]


@pytest.mark.req("EX-6", "PR-2")
def test_records_of_one_section_are_told_apart_though_a_value_of_theirs_is_wrong() -> None:
    lines = [f"<p>{name}: ${PRICES[name]}</p>" for name in NAMES]
    html = "".join(
        f"<section><h2>Room {at}</h2>{''.join(lines[at : at + 2])}</section>" for at in range(0, len(NAMES), 2)
    )
    answer = json.dumps([{"name": name, "price": PRICES[name] + 1000} for name in NAMES])
    result = _read(html, FunctionModel(lambda _: answer))
    assert (_names(result), {record["price"] for record in result.data}) == ({*NAMES}, {None})


@pytest.mark.req("EX-6", "CM-1", "CH-3")
@pytest.mark.parametrize("joint", [" ", " | ", "</p><p>"])
def test_records_in_prose_of_many_chunks_are_neither_cut_nor_lost(joint: str) -> None:
    names = [f"Thing {number:03}" for number in range(120)]
    html = (
        "<p>" + joint.join(f"The {name} is made by hand since 2001 and costs $19.50 each." for name in names) + "</p>"
    )
    schema = list_of(object_of("name", name=TEXT, price=NUMBER, year=INTEGER))

    def extract(left_out: set[str]) -> ExtractionResult:
        def answer(prompt: str) -> str:
            shown = re.findall(r"The (Thing \d+) is made by hand since 2001 and costs \$19.50 each", page_text(prompt))
            return json.dumps([{"name": name, "price": 19.5, "year": 2001} for name in shown if name not in left_out])

        return _read(html, FunctionModel(answer), schema, config=ExtractionConfig(max_chunk_chars=1_000))

    result = extract(set())
    assert ([record["name"] for record in result.data], result.is_partial) == (names, False)
    result = extract({names[60]})
    assert result.is_partial
    assert [names[60] in unit.text for unit in result.completeness.missing] == [True]


@pytest.mark.req("CM-1")
def test_a_table_that_compares_its_records_in_columns_is_counted_by_these() -> None:
    rows = {
        "Model": NAMES[:4],
        "Price": [f"${PRICES[name]:.2f}" for name in NAMES[:4]],
        "City": ["Graz", "Oslo", "Cork", "Turin"],
        "Since": ["2001", "2002", "2003", "2004"],
        "Weight": ["1.2 kg", "1.9 kg", "2.4 kg", "3.1 kg"],
    }
    cells = "".join(
        f"<tr><th>{label}</th>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for label, row in rows.items()
    )
    html = f"<h1>Compare</h1><table>{cells}</table>"
    result, _ = _extract(html, lambda shown, _: shown)
    assert (_names(result), result.is_partial) == ({*NAMES[:4]}, False)
    result, _ = _extract(html, lambda shown, _: [name for name in shown if name != NAMES[2]])
    assert result.is_partial
    assert [unit.text for unit in result.completeness.missing] == [NAMES[2]]
    assert result.completeness.expected == 4


@pytest.mark.req("EX-6")
def test_headings_that_read_like_facts_are_no_further_records() -> None:
    day = {"type": "string", "format": "date"}
    schema = list_of(object_of(title=TEXT, number=TEXT, place=TEXT, closes=day, value=MAYBE_NUMBER))
    truth = [
        {"title": f"{name} supply {2015 + at}", "number": f"T-{311 + at}/{19 + at % 3}", "place": f"Harbour {name[:3]}"}
        | {"closes": f"2021-06-{3 + at:02}", "value": PRICES[name] if at % 3 else None}
        for at, name in enumerate(NAMES)
    ]
    html = "".join(
        f"<h3>{one['title']}</h3><dl><dt>Number</dt><dd>{one['number']}</dd><dt>Place</dt><dd>{one['place']}</dd>"
        f"<dt>Closes</dt><dd>{3 + at} June 2021</dd>"
        f"{f'<dt>Value</dt><dd>${value}</dd>' if (value := one['value']) else ''}</dl>"
        for at, one in enumerate(truth)
    )
    model = FunctionModel(lambda _: json.dumps(truth))
    result = _read(f"<h1>Tenders</h1><div>{html}</div>", model, schema, "all tenders")
    assert (result.data, result.is_partial, len(model.prompts)) == (truth, False, 1)


@pytest.mark.req("CM-1")
def test_the_first_cell_of_a_row_of_cells_is_a_record_like_the_others() -> None:
    cells = "".join(
        f"<td><b>{name}</b><br>${PRICES[name]:.2f}<br>{2001 + at}</td>" for at, name in enumerate(NAMES[:3])
    )
    records = [{"name": name, "price": PRICES[name]} for name in NAMES[1:3]]
    model = FunctionModel(lambda _: json.dumps({"data": records}))
    result = _read(f"<main>{INTRO}<table><tr>{cells}</tr></table></main>", model, query=None)
    assert NAMES[0] in " ".join(unit.text for unit in result.completeness.missing)


def _gathered(html: str, records: list[dict[str, object]], item: dict[str, object]) -> ExtractionResult:
    schema, name = (
        list_of(object_of(**{name: {"type": [kind, "null"]} for name, kind in item.items()})),
        next(iter(item)),
    )

    def answer(prompt: str) -> str:
        text = page_text(prompt)
        return json.dumps([record for record in records if str(record[name]) in text])

    return _read(f"<main><h1>What we have</h1>{html}</main>", FunctionModel(answer), schema, None)


DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
CLASSES = {
    "09:00": ("Yoga", "", "Spin", "", "Boxing"),
    "11:00": ("", "Pilates", "Closed", "Stretch", "Aqua fit"),
    "18:30": ("Zumba", "Rowing", "", "Barre", "Closed"),
}
TIMETABLE = (
    f"<table><tr><th></th>{''.join(f'<th>{day}</th>' for day in DAYS)}</tr>"
    + "".join(f"<tr><th>{at}</th>{''.join(f'<td>{x}</td>' for x in held)}</tr>" for at, held in CLASSES.items())
    + "</table>"
)
"""Each class stands in a cell of its own; what many cells say is none."""


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("lost", [[], ["Yoga"], ["Rowing", "Barre"], ["Boxing"]], ids=str)
def test_each_filled_cell_of_a_timetable_is_a_record(lost: list[str]) -> None:
    records: list[dict[str, object]] = [
        {"class": name, "day": day, "time": at}
        for at, held in CLASSES.items()
        for day, name in zip(DAYS, held, strict=True)
        if name not in ("", "Closed", *lost)
    ]
    result = _gathered(TIMETABLE, records, {"class": "string", "day": "string", "time": "string"})
    assert (result.data, result.is_partial) == (records, bool(lost))
    assert [unit.text for unit in result.completeness.missing] == lost


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("links", [False, True])
def test_columns_of_a_comparison_are_counted_when_half_of_them_are_lost(*, links: bool) -> None:
    models = [
        ("Aero 13", 1.1, '13.3"', 14, 999),
        ("Aero 15", 1.6, '15.6"', 11, 1249),
        ("Brick 14", 1.9, '14.0"', 9, 749),
        ("Slate Pro", 1.4, '16.1"', 16, 1899),
        ("Slate Mini", 0.9, '11.6"', 12, 649),
    ]
    rows = [
        ("Weight", "{1} kg"),
        ("Screen", "{2}"),
        ("Battery life", "{3} h"),
        ("Price", "${4}"),
        *([("", "<a href=/b>Buy</a>")] if links else []),
    ]
    cells = "".join(
        f"<tr><th>{name}</th>{''.join(f'<td>{said.format(*one)}</td>' for one in models)}</tr>" for name, said in rows
    )
    html = f"<table><tr><th></th>{''.join(f'<th>{one[0]}</th>' for one in models)}</tr>{cells}</table>"
    records: list[dict[str, object]] = [
        dict(zip(("model", "weight_kg", "screen", "hours", "price"), one, strict=True)) for one in models
    ]
    item = {"model": "string", "weight_kg": "number", "screen": "string", "hours": "number", "price": "number"}
    assert not _gathered(html, records, item).is_partial
    result = _gathered(html, [records[0], *records[3:]], item)
    assert (result.data, result.is_partial) == ([records[0], *records[3:]], True)
    assert [unit.text for unit in result.completeness.missing] == ["Aero 15", "Brick 14"]


@pytest.mark.req("CM-1")
def test_days_of_a_calendar_without_an_event_are_no_records() -> None:
    events = {3: "Choir", 5: "Chess club", 9: "Book swap", 14: "Flea market", 15: "Guided walk", 21: "Poetry slam"}
    days = "".join(
        f"<div><b>{day}</b>{f'<div>{events[day]}</div>' if day in events else ''}</div>" for day in range(1, 31)
    )
    records: list[dict[str, object]] = [{"event": event, "day": day} for day, event in events.items()]
    assert not _gathered(f"<div>{days}</div>", records, {"event": "string", "day": "number"}).is_partial
    assert _gathered(f"<div>{days}</div>", records[:3] + records[4:], {"event": "string", "day": "number"}).is_partial


@pytest.mark.req("EX-6", "CM-1")
def test_cards_below_a_table_that_no_answer_spoke_of_are_named() -> None:
    rows = "".join(f"<tr><td>{name}</td><td>${PRICES[name]:.2f}</td><td>2001</td></tr>" for name in NAMES[:4])
    cards = "".join(f"<div class=k><h3>{name}</h3><p>${PRICES[name]:.2f}</p>since 2004</div>" for name in NAMES[4:])
    html = f"<h2>In stock</h2><table>{rows}</table><h2>To order</h2><div>{cards}</div>"
    result, model = _extract(html, lambda shown, _: [name for name in shown if name in NAMES[:4]])
    missing = " ".join(unit.text for unit in result.completeness.missing)
    assert (result.is_partial, len(model.prompts), result.completeness.expected) == (True, 1, len(NAMES))
    assert all(name in missing for name in NAMES[4:])
    also = html.replace("To order", "You may also like")
    result, model = _extract(also, lambda shown, _: [name for name in shown if name in NAMES[:4]])
    assert (result.is_partial, len(model.prompts)) == (False, 1)


@pytest.mark.req("EX-6", "CM-1")
@pytest.mark.parametrize("layout", ["lines of code", "bars", "sentences"])
def test_a_model_that_repeats_two_records_of_a_text_is_asked_for_the_others(layout: str) -> None:
    result, _ = _extract(LAYOUTS[layout], lambda shown, call: shown[:2] * 8 if call == 1 else shown)
    assert (_names(result), result.is_partial) == ({*NAMES}, False)
    result, _ = _extract(LAYOUTS[layout], lambda shown, _: [name for name in shown if name in NAMES[:2]] * 8)
    assert result.is_partial


@pytest.mark.req("CM-1")
def test_amounts_of_other_years_in_the_rows_of_a_table_are_named() -> None:
    sums = {"Arts": (120, 135, 150), "Sport": (90, 88, 97), "Heritage": (60, 75, 72)}
    years = (2023, 2024, 2025)
    html = (
        f"<table><tr><th>Fund</th>{''.join(f'<th>{year}</th>' for year in years)}</tr>"
        + "".join(f"<tr><td>{fund}</td>{''.join(f'<td>{one}</td>' for one in own)}</tr>" for fund, own in sums.items())
        + "</table>"
    )
    records: list[dict[str, object]] = [
        {"fund": fund, "year": year, "sum": one}
        for fund, own in sums.items()
        for year, one in zip(years, own, strict=True)
    ]
    item: dict[str, object] = {"fund": "string", "year": "integer", "sum": "integer"}
    whole, first = _gathered(html, records, item), _gathered(html, records[::3], item)
    assert (whole.data, whole.is_partial) == (records, False)
    assert {unit.text for unit in first.completeness.missing} == {"135", "150", "88", "97", "75", "72"}


@pytest.mark.req("EX-6")
def test_classes_of_one_name_at_one_hour_are_all_kept_and_counted() -> None:
    html = (
        "<table><tr><th></th><th>Mon</th><th>Tue</th><th>Wed</th></tr>"
        "<tr><th>07:00</th><td>Yoga</td><td>Pilates</td><td>Yoga</td></tr>"
        "<tr><th>12:30</th><td>Spin</td><td></td><td>Barre</td></tr>"
        "<tr><th>18:00</th><td></td><td>Boxing</td><td>Spin</td></tr></table>"
    )
    classes = (
        "Mon 07:00 Yoga, Tue 07:00 Pilates, Wed 07:00 Yoga, Mon 12:30 Spin, Wed 12:30 Barre, "
        "Tue 18:00 Boxing, Wed 18:00 Spin"
    )
    records: list[dict[str, object]] = [
        dict(zip(("day", "time", "name"), one.split(), strict=True)) for one in classes.split(", ")
    ]
    item: dict[str, object] = {"name": "string", "day": "string", "time": "string"}
    result = _gathered(html, records, item)
    assert (sorted(result.data, key=str), result.is_partial) == (sorted(records, key=str), False)
    assert _gathered(html, [*records[:2], *records[3:]], item).is_partial
