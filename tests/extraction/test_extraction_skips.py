"""Pieces that a model says hold nothing: believed where the question leaves some out, or they are built otherwise."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest
from gleaner.extraction import ExtractionResult, ExtractionSubAgent
from gleaner.extraction.skips import find_disputed
from gleaner.page.model import NumberedUnit, Part
from gleaner.page.opening import open_page
from gleaner.testing import FunctionModel

from tests.support.schemas import MAYBE_NUMBER, MAYBE_TEXT, list_of, object_of

ITEM: dict[str, Any] = object_of(name=MAYBE_TEXT, room=MAYBE_TEXT, price=MAYBE_NUMBER)
ROWS = [
    ("Teal mug", "Kitchen", 9.5),
    ("Iron trivet", "Kitchen", 14.0),
    ("Wool throw", "Bedroom", 79.0),
    ("Oak stool", "Living", 65.0),
    ("Linen apron", "Kitchen", 32.0),
    ("Bedside lamp", "Bedroom", 44.0),
]
RECORDS = [dict(zip(("name", "room", "price"), row, strict=True)) for row in ROWS]


def table(more: str = "", heading: str = "New in") -> str:
    rows = "".join(f"<tr><td>{name}</td><td>{room}</td><td>{price:.2f}</td></tr>" for name, room, price in ROWS)
    return f"<h1>{heading}</h1><table><tr><th>Name</th><th>Room</th><th>Price</th></tr>{rows}{more}</table>"


def extract(html: str, schema: Any, answer: Any, skipped: list[int], query: str | None) -> ExtractionResult:
    page = open_page(f"<html><body>{html}</body></html>", "https://site.example/list")
    model = FunctionModel(lambda _: json.dumps({"data": answer, "skipped": skipped}))
    agent = ExtractionSubAgent(model, sleep=lambda _: None)
    return asyncio.run(agent.extract(page.text, query, schema, units=page.units, snapshot=html))


LIST = {"type": "array", "items": ITEM}


@pytest.mark.req("CM-1", "EX-6")
@pytest.mark.parametrize(
    "query",
    [
        "todos os móveis",
        "все товары",
        "모든 상품",
        "bütün ürünler",
        "सभी फसलें",
        "my things",
        "tools and toys",
        "goods in the feed",
        "alle Waren im Shop",
    ],
)
def test_a_question_for_all_leaves_no_row_out_in_any_language(query: str) -> None:
    told = extract(table(), LIST, RECORDS[:2] + RECORDS[3:], [2], query)
    assert [unit.unit for unit in told.completeness.missing] == [2]


@pytest.mark.req("CM-1", "EX-6")
@pytest.mark.parametrize(
    ("query", "heading", "is_partial"),
    [
        ("alle offenen Stellen", "Offene Stellen", True),
        ("todas las ofertas especiales", "Oferta especial", True),
        ("alle roten Stellen", "Offene Stellen", False),
        ("wooden mugs", "Woodland mugs", False),
        ("red mugs", "Reduced mugs", False),
    ],
)
def test_a_word_of_the_question_is_known_with_another_end_than_the_page_gives_it(
    query: str, heading: str, *, is_partial: bool
) -> None:
    assert extract(table(heading=heading), LIST, RECORDS[:2] + RECORDS[3:], [2], query).is_partial is is_partial


def test_a_question_in_a_script_without_spaces_names_what_the_page_lists() -> None:
    page = table(heading="家具一覧")
    assert extract(page, LIST, RECORDS[:2] + RECORDS[3:], [2], "全ての家具").is_partial
    assert not extract(page, LIST, [RECORDS[4]], [0, 1, 2, 3, 5], "赤い家具").is_partial
    assert extract(table(heading="ที่พักแนะนำ"), LIST, RECORDS[:2] + RECORDS[3:], [2], "ที่พักทั้งหมด").is_partial


@pytest.mark.req("CM-1", "EX-6")
def test_a_row_that_says_what_the_question_asks_for_is_not_passed_over() -> None:
    kitchen = [RECORDS[0], RECORDS[1], RECORDS[4]]
    assert not extract(table(), LIST, kitchen, [2, 3, 5], "kitchen products only").is_partial
    told = extract(table(), LIST, kitchen[1:], [0, 2, 3, 5], "kitchen products only")
    assert [unit.unit for unit in told.completeness.missing] == [0]
    assert not extract(table(), LIST, kitchen[1:2], [0, 2, 3, 4, 5], "kitchen products under 20 euros").is_partial


@pytest.mark.req("CM-1", "EX-6")
def test_what_an_objects_list_lacks_is_not_settled_by_saying_that_it_holds_nothing() -> None:
    schema: dict[str, Any] = object_of(title=MAYBE_TEXT, rows=LIST, shipping=MAYBE_NUMBER, notes=list_of(MAYBE_TEXT))
    more = "<tr><td colspan=2>Gift wrap</td><td>4.00</td></tr>"
    whole = {"title": "New in", "rows": RECORDS, "shipping": None, "notes": []}
    assert not extract(table(more), schema, whole, [6], "the whole list").is_partial
    short = {**whole, "rows": RECORDS[:2] + RECORDS[3:]}
    assert extract(table(more), schema, short, [2, 6], "the whole list").is_partial


@pytest.mark.req("CM-1", "EX-6")
def test_a_listing_of_what_the_page_names_is_not_all_passed_over() -> None:
    schema = list_of(object_of(kapitän=MAYBE_TEXT, schiff=MAYBE_TEXT, hafen=MAYBE_TEXT))
    rows = "".join(f"<li><h3>{name} {n}</h3><p>{room}</p></li>" for n, (name, room, _) in enumerate(ROWS * 2))
    html = f"<h1>Unsere Schiffe</h1><ul class=liste>{rows}</ul>"
    fleet = html.replace("Unsere Schiffe", "Unsere Flotte") + "<p>Diese Schiffe fahren das ganze Jahr.</p>"
    others = {"type": "array", "items": {"type": "object", "properties": {"kapitän": MAYBE_TEXT, "hafen": MAYBE_TEXT}}}
    for page, asked in ((html, schema), (fleet, others)):
        told = extract(page, asked, [], list(range(12)), "alle Schiffe")
        assert (told.is_partial, len(told.completeness.missing)) == (True, 12)
    assert not extract(html, schema, [], list(range(12)), "alle Flugzeuge").is_partial
    assert not extract("<p>Keine Treffer</p>" + html, schema, [], list(range(12)), "alle Schiffe").is_partial


@pytest.mark.req("CM-1", "EX-4")
def test_a_record_that_the_schema_refuses_and_no_piece_holds_is_kept_without_the_fault() -> None:
    schema = {"type": "array", "items": {**ITEM, "properties": {**ITEM["properties"], "room": {"type": "integer"}}}}
    rule = "+--------+-------+\n"
    rows = "".join(f"| {name:<12} | {price:>6} |\n" for name, _, price in ROWS)
    given = [{"name": name, "room": 3 if n < 5 else "x", "price": price} for n, (name, _, price) in enumerate(ROWS)]
    told = extract(f"<h1>New</h1><pre>{rule}{rows}{rule}</pre>", schema, given, [], "all things")
    assert isinstance(told.data, list)
    assert [record["name"] for record in told.data] == [name for name, *_ in ROWS]  # type: ignore[index,call-overload]


@pytest.mark.req("CM-1", "EX-4")
@pytest.mark.parametrize(("last", "is_partial"), [("Chalk bag", True), ("Moon boots", False)])
def test_a_record_that_no_piece_holds_and_nothing_can_be_kept_of_is_told_if_the_page_speaks_of_it(
    last: str, is_partial: bool
) -> None:
    rule = "+--------+-------+\n"
    rows = "".join(f"| {name:<12} | {price:>6} |\n" for name, _, price in [*ROWS, ("Chalk bag", "", "dear")])
    given: list[Any] = [{"name": name, "room": room, "price": price} for name, room, price in ROWS]
    page = f"<h1>New</h1><pre>{rule}{rows}{rule}</pre>"
    priced = {**ITEM, "properties": {**ITEM["properties"], "price": {"type": "number"}}, "required": ["price"]}
    schema = {"type": "array", "items": priced}
    told = extract(page, schema, [*given, {"name": last, "room": None, "price": "dear"}], [], "all things")
    assert (len(told.data), told.is_partial) == (len(ROWS), is_partial)  # type: ignore[arg-type]


def rounds(*counts: int, title: str = "Round {}") -> tuple[str, list[dict[str, Any]]]:
    """Give matches by rounds, under a heading each; the first of a count of 1 stands alone."""
    given: list[dict[str, Any]] = []
    html = "<h1>Matches</h1>"
    for at, count in enumerate(counts):
        html += f"<h3>{title.format(at + 1)}</h3>"
        for n in range(count):
            one = {"name": f"{'ABCDEF'[at]}side {n} vs Outer {n}", "room": f"Hall {at}{n}", "price": f"{n + 4} €"}
            given.append(one)
            html += f"<div class=m><b>{one['name']}</b><p>{one['room']}</p><i>{one['price']}</i></div>"
    return html, given


@pytest.mark.req("CM-1", "EX-6")
@pytest.mark.parametrize(("title", "is_partial"), [("Round {}", True), ("May {}, 2026", True), ("Part of all", False)])
def test_a_piece_that_stands_alone_under_a_heading_like_the_others_is_not_passed_over(
    title: str, *, is_partial: bool
) -> None:
    html, given = rounds(1, 5, 4, title=title)
    schema = {"type": "array", "items": ITEM}
    assert extract(html, schema, given[1:], [0], None).is_partial is is_partial


@pytest.mark.req("CM-1", "EX-6")
def test_the_title_of_an_advertisement_among_records_begins_no_section() -> None:
    starred, plain = "### Villa {}\n\n★★\n\nBergen\n\n40 €", "### Villa {}\n\nBergen\n\n40 €"
    texts = [form.format(n) for n, form in enumerate((starred, plain, starred, plain, starred))]
    parts = [*texts[:3], "### Promo Inn\n\nOnly today", *texts[3:]]
    content = "\n\n".join(parts)
    units = [NumberedUnit(n, content.index(text), content.index(text) + len(text), 0, 1.0, "card")
             for n, text in enumerate(texts)]  # fmt: skip
    task = Part(content, units=tuple(units), schema=LIST)
    assert find_disputed(task, {3}, {0, 1, 2, 4}, ITEM) == {3}
    other = replace(task, content=content.replace("### Promo Inn", "## Promo Inn."))
    assert find_disputed(other, {3}, {0, 1, 2, 4}, ITEM) == set()


@pytest.mark.req("CM-1", "EX-6")
def test_a_record_with_a_longer_list_than_another_is_not_passed_over_on_a_models_word() -> None:
    texts = [
        "- **Una Dale**\n  - Vic Ash\n  - Wyn Elm",
        "- **Xan Fir**\n  - Yve\n  - Zed 2\n  - Abe",
        "- About us\n  Since 1998",
    ]
    content = "\n".join(texts)
    units = [NumberedUnit(n, content.index(text), content.index(text) + len(text), 0, 0.3, "item")
             for n, text in enumerate(texts)]  # fmt: skip
    task = Part(content, units=tuple(units), schema=LIST)
    assert find_disputed(task, {1, 2}, {0}, ITEM) == {1}


DAYS = [
    ("3 May", "Breakfast", "4.20"),
    ("4 May", "Ferry", "12.00"),
    ("4 May", "Museum", "9.50"),
    ("6 May", "Books", "31.90"),
]
DAYS_SCHEMA = list_of(object_of(date=MAYBE_TEXT, what=MAYBE_TEXT, amount=MAYBE_NUMBER))
PAID = [{"date": day, "what": what, "amount": float(amount)} for day, what, amount in DAYS]


@pytest.mark.req("CM-1", "EX-6")
@pytest.mark.parametrize(("first", "is_partial"), [("", False), ("2 May", True)])
def test_a_balance_that_is_carried_over_is_passed_over_rightly_and_a_row_with_a_day_is_not(
    first: str, *, is_partial: bool
) -> None:
    rows = [(first, "Last month's balance", "412.16"), *DAYS]
    cells = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    html = f"<h1>May</h1><table><tr><th>Date<th>What<th>Amount</tr>{cells}</table>"
    assert extract(html, DAYS_SCHEMA, PAID, [0], None).is_partial is is_partial


@pytest.mark.req("CM-1", "EX-6")
@pytest.mark.parametrize(("skipped", "is_partial"), [([0, 1, 2, 3, 4], False), ([], True)])
def test_what_was_passed_over_by_its_number_stays_so_when_the_records_come_from_a_table_without_numbers(
    skipped: list[int], *, is_partial: bool
) -> None:
    facts = [("Height", "21 in"), ("Weight", "22 lbs"), ("Capacity", "30 lbs"), ("Price", "$169.99")]
    rows = "".join(f"<tr><td>{name}</td><td>{said}</td></tr>" for name, said in facts)
    reviews = "".join(
        f"<article><img src=/{day}.jpg alt=''><b>{who}</b><time>{day}/02/2024</time><h3><a href=/{day}>{title}</a></h3>"
        f"<p>{title}, I say: it was $169.99 and I bought {day} of them.</p></article>"
        for day, (who, title) in enumerate(
            [("Ann", "Unstable"), ("Lynn", "Stiff"), ("Mark", "Fine"), ("Sue", "Heavy"), ("Ted", "Sturdy")], 10
        )
    )
    html = f"<h1>Desk</h1><div>{reviews}</div><h2>Facts</h2><table><tr><th>Type<th>Value</tr>{rows}</table>"
    schema = {"type": "array", "items": {"type": "object", "properties": {"type": MAYBE_TEXT, "value": MAYBE_TEXT}}}
    records = [{"type": name, "value": said} for name, said in facts]
    assert extract(html, schema, records, skipped, None).is_partial is is_partial


@pytest.mark.req("CM-1", "EX-6")
@pytest.mark.parametrize(
    ("query", "is_partial"),
    [
        ("all mugs listed", True),
        ("all mugs of the thread", True),
        ("all mugs with their glaze", True),  # as the schema describes a field
        ("all mugs with a lid", False),
    ],
)
def test_a_listing_of_what_is_asked_for_is_not_passed_over(query: str, *, is_partial: bool) -> None:
    posts = "".join(
        f"<article class=m><h3>{name} mug</h3><p>From {room}</p><p>{price} euros</p><p>No results found.</p></article>"
        for name, room, price in ROWS
    )
    look = {"look": {**MAYBE_TEXT, "description": "glaze"}}
    described = {
        "type": "array",
        "items": {"type": "object", "properties": {"name": MAYBE_TEXT, "room": MAYBE_TEXT, **look}},
    }
    told = extract(f"<h1>Stoneware</h1>{posts}", described, [], [*range(len(ROWS))], query)
    assert told.is_partial is is_partial


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("balance", ["Balance brought forward", "Saldovortrag", "Solde précédent :", "Saldo anterior"])
@pytest.mark.parametrize("skipped", [[6], []])
def test_a_balance_that_is_carried_over_may_be_a_record_and_need_not(balance: str, skipped: list[int]) -> None:
    row = f"<tr><td>{balance}</td><td></td><td>310.00</td></tr>"
    told = extract(table(row), LIST, RECORDS, skipped, None)
    assert not told.completeness.missing
    told = extract(table(row), LIST, [*RECORDS, {"name": balance, "room": None, "price": 310.0}], [], None)
    assert not told.completeness.missing
    lost = extract(table(row), LIST, RECORDS[:-1], skipped, None)
    assert [unit.unit for unit in lost.completeness.missing] == [5]
