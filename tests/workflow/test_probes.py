"""Pages, schemas and models that nobody built for: each promise is held against them through the public names."""

import json
import re
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.contracts.models import ExtractionResult
from gleaner.testing import FunctionModel

from tests.support.schemas import NUMBER, TEXT, list_of, object_of, records_of

Ask = Callable[..., ExtractionResult]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """Extract from a page with a model that always gives the same answer; the model's tier alone."""
    homes = count()

    def run(html: str, schema: Any, answer: Any, **fields: Any) -> ExtractionResult:
        text = answer if isinstance(answer, str) else json.dumps(answer)
        fields.setdefault("config", {"tiers": ["model"]})
        with Gleaner(model=FunctionModel(lambda _: text), home=tmp_path / str(next(homes))) as gleaner:
            result = gleaner.extract_html(html, "https://probe.example/page", output_schema=schema, **fields)
        assert result.extraction is not None, result.error
        assert (result.status == "partial") == result.extraction.is_partial
        return result.extraction

    return run


REPLY = object_of("user", "text", "replies", user=TEXT, text=TEXT, replies=list_of({"$ref": "#/$defs/reply"}))
THREAD = """<div class=c><b>ann</b><p>First!</p><div class=c><b>bob</b><p>Second, really.</p>
<div class=c><b>cat</b><p>No, third.</p></div></div></div><div class=c><b>dan</b><p>Great read.</p></div>
<div class=c><b>eve</b><p>Thanks for sharing.</p><div class=c><b>fay</b><p>You are welcome.</p></div></div>"""


def said(user: str, text: str, *replies: Any) -> dict[str, Any]:
    return {"user": user, "text": text, "replies": list(replies)}


@pytest.mark.req("SC-1", "PR-1", "EX-6")
@pytest.mark.parametrize("config", [{"tiers": ["model"]}, {}])
def test_a_thread_of_replies_in_a_recursive_schema_comes_back_whole(ask: Ask, config: dict[str, Any]) -> None:
    first = said("ann", "First!", said("bob", "Second, really.", said("cat", "No, third.")))
    thread = [first, said("dan", "Great read."), said("eve", "Thanks for sharing.", said("fay", "You are welcome."))]
    schema = {"$defs": {"reply": REPLY}, "type": "array", "items": {"$ref": "#/$defs/reply"}}
    result = ask(THREAD, schema, thread, config=config)
    assert result.data == thread
    assert (result.is_partial, result.usage.calls) == (False, 1)
    assert {entry.status for entry in result.provenance} == {"verbatim"}


HUTS = """<ul><li><b>Hut A</b>: 3–7 March 2026</li><li><b>Hut B</b>: March 10-12, 2026</li>
<li><b>Hut C</b>: 28 March – 2 April 2026</li></ul>"""


@pytest.mark.req("PR-1", "SC-4")
def test_both_days_of_a_range_are_proven_though_the_month_stands_once(ask: Ask) -> None:
    day = {"type": "string", "format": "date"}
    days = [("A", "2026-03-03", "2026-03-07"), ("B", "2026-03-10", "2026-03-12"), ("C", "2026-03-28", "2026-04-02")]
    truth = [{"hut": f"Hut {hut}", "first": first, "last": last} for hut, first, last in days]
    result = ask(HUTS, records_of(hut=TEXT, first=day, last=day), truth)
    assert (result.data, result.is_partial) == (truth, False)
    assert {entry.status for entry in result.provenance} <= {"verbatim", "normalized"}


PEOPLE = [
    ("Ann Marsh", "Director", "ann@a.example"),
    ("Ben Ode", "Porter", "ben@a.example"),
    ("Cy Lund", "Chef", "cy@a.example"),
]
STAFF = "".join(f"<div><div><b>{name}</b></div><div>{role}</div><div>{mail}</div></div>" for name, role, mail in PEOPLE)
PERSON = {"name": TEXT, "role": TEXT, "email": TEXT}


@pytest.mark.req("PR-2", "CM-1")
def test_a_column_moved_down_by_one_row_is_never_a_complete_result(ask: Ask) -> None:
    moved = [dict(zip(PERSON, (*PEOPLE[n][:2], PEOPLE[(n + 1) % 3][2]), strict=True)) for n in range(3)]
    result = ask(f"<div>{STAFF}</div>", records_of(**PERSON), moved)
    assert result.is_partial
    doubted = {entry.pointer for entry in result.provenance if entry.status == "ungrounded"}
    assert (result.data, doubted, len(result.withheld)) == ([], {"/-/email"}, 3)


def boxed(data: Any) -> Any:
    return {"result": data}


def boxed_twice(data: Any) -> Any:
    return {"data": {"data": data}}


def boxed_with_a_status(data: Any) -> Any:
    return {"status": "ok", "response": {"result": data}}


@pytest.mark.req("LB-2")
@pytest.mark.parametrize("dress", [boxed, boxed_twice, boxed_with_a_status])
def test_an_envelope_of_the_models_own_is_opened(ask: Ask, dress: Callable[[Any], Any]) -> None:
    one = {"type": "object", "properties": PERSON, "required": list(PERSON)}
    many = object_of("people", people=records_of(**PERSON))
    records = [dict(zip(PERSON, person, strict=True)) for person in PEOPLE]
    page = f"<div>{STAFF}</div>"
    assert ask(page, many, dress({"people": records})).data == {"people": records}
    assert ask(page, records_of(**PERSON), dress(records)).data == records
    assert ask(f"<p>{' '.join(PEOPLE[0])}</p>", one, dress(records[0])).data == records[0]


LOOSE = {
    "lines": "<h1>Staff</h1><p>{}</p>".format("<br>".join(" - ".join(person) for person in PEOPLE)),
    "blocks": "<h1>Staff</h1><p>{}</p>".format("<br><br>".join("<br>".join(person) for person in PEOPLE)),
    "paragraphs": "<h1>Staff</h1>{}".format("".join(f"<p>{', '.join(person)}</p>" for person in PEOPLE)),
    "plain text": "<h1>Staff</h1><pre>{}</pre>".format("\n".join("   ".join(person) for person in PEOPLE)),
    "sections": "".join(f"<h2>{name}</h2><p>{role}</p><p>{mail}</p>" for name, role, mail in PEOPLE),
}


@pytest.mark.req("EX-6", "CM-1")
@pytest.mark.parametrize("page", LOOSE.values(), ids=LOOSE)
@pytest.mark.parametrize("lost", [None, 0, 1, 2])
def test_records_that_no_element_sets_apart_are_counted_all_the_same(ask: Ask, page: str, lost: int | None) -> None:
    records = [dict(zip(PERSON, person, strict=True)) for person in PEOPLE]
    given = [record for number, record in enumerate(records) if number != lost]
    result = ask(page, records_of(**PERSON), given)
    assert result.data == given
    assert result.is_partial == (lost is not None)
    assert (
        [PEOPLE[lost][0] in unit.text for unit in result.completeness.missing] == [True] if lost is not None else True
    )
    assert result.usage.calls == 1 or lost is not None


@pytest.mark.req("EX-6", "CM-1")
@pytest.mark.parametrize("lost", [None, "Bit", "Dyne", "Gauss"])
def test_a_glossary_of_short_terms_is_counted(ask: Ask, lost: str | None) -> None:
    terms = {"Ampere": "Unit of current.", "Bit": "The smallest amount of information.", "Dyne": "Unit of force."}
    terms |= {"Erg": "Old unit.", "Gauss": "Unit of magnetic flux density."}
    page = "<dl>" + "".join(f"<dt>{term}</dt><dd>{meaning}</dd>" for term, meaning in terms.items()) + "</dl>"
    given = [{"term": term, "meaning": meaning} for term, meaning in terms.items() if term != lost]
    result = ask(page, records_of(term=TEXT, meaning=TEXT), given)
    assert (result.data, result.is_partial) == (given, lost is not None)


LAMPS = [("Larch lamp", 49.5), ("Alder lamp", 120), ("Birch lamp", 35.9), ("Cedar spot", 64), ("Elm pendant", 89.95)]
LAMPS += [("Fir lantern", 22.5), ("Hazel clip", 18), ("Juniper spot", 41.25), ("Maple arc", 210), ("Oak globe", 75.5)]
ROWS = "".join(f"<tr><td>{name}</td><td>${price:.2f}</td><td>Oak</td></tr>" for name, price in LAMPS[:6])
TABLE = f"<table><tr><th>Lamp</th><th>Price</th><th>Wood</th></tr>{ROWS}</table>"
CARDS = "".join(f"<div><h3>{name}</h3><p>Oak</p><b>${price:.2f}</b></div>" for name, price in LAMPS[:6])
MORE = [f"{name}, ${price:.2f}" for name, price in LAMPS[6:]]
FURTHER = {
    "a list below a table": f"{TABLE}<h2>Outdoor</h2><ul>{''.join(f'<li>{one}</li>' for one in MORE)}</ul>",
    "paragraphs below cards": f"<div>{CARDS}</div><h2>Outdoor</h2>{''.join(f'<p>{one}</p>' for one in MORE)}",
    "typed text below a table": f"{TABLE}<h2>Outdoor</h2><pre>\n{chr(10).join(MORE)}\n</pre>",
}
LEFT_ALONE = {
    "the best of the records": "".join(f"<div><b>{name}</b> <i>${price:.2f}</i></div>" for name, price in LAMPS[2:5]),
    "facets": "<ul>{}</ul>".format("".join(f"<li>Up to ${n}.00, {n} lamps</li>" for n in range(10, 90, 20))),
    "what delivery costs": "".join(f"<p>Delivery of {what} costs $9.00 each.</p>" for what in ("one", "two", "three")),
}


@pytest.mark.req("CM-1", "EX-6")
@pytest.mark.parametrize("page", FURTHER.values(), ids=FURTHER)
@pytest.mark.parametrize("given", [6, 10])
def test_a_further_list_of_another_look_is_missing_if_no_record_came_from_it(ask: Ask, page: str, given: int) -> None:
    records = [{"name": name, "price": price} for name, price in LAMPS]
    result = ask(f"<h1>Lamps</h1>{page}", records_of(name=TEXT, price=NUMBER), records[:given])
    assert (result.data, result.is_partial) == (records[:given], given < 10)
    missing = [unit.text.removeprefix("- ") for unit in result.completeness.missing]
    assert missing == (MORE if given < 10 else [])


@pytest.mark.req("CM-1", "EX-6")
@pytest.mark.parametrize("given", [4, 6])
def test_records_of_words_alone_go_on_below_a_list_where_lines_have_the_same_form(ask: Ask, given: int) -> None:
    people = [("Ann Marsh", "Chef"), ("Ben Ode", "Porter"), ("Cy Lund", "Nurse"), ("Dee Roe", "Driver")]
    people += [("Ed Poole", "Cleaner"), ("Fay Hill", "Bursar"), ("Gus Bell", "Gardener")]
    items, lines = "".join(f"<li>{a}, {b}</li>" for a, b in people[:4]), [f"{a}, {b}" for a, b in people[4:]]
    page = f"<h1>Members</h1><h2>Board</h2><ul>{items}</ul><h2>Volunteers</h2><p>{'</p><p>'.join(lines)}</p>"
    records = [{"name": name, "role": role} for name, role in people]
    result = ask(page, records_of(name=TEXT, role=TEXT), records[:given])
    assert (result.data, result.is_partial) == (records[:given], True)
    assert [unit.text for unit in result.completeness.missing] == lines[given - 4 :]
    assert not ask(page, records_of(name=TEXT, role=TEXT), records).is_partial


@pytest.mark.req("CM-1", "EX-6")
@pytest.mark.parametrize("beside", LEFT_ALONE.values(), ids=LEFT_ALONE)
@pytest.mark.parametrize("page", [TABLE, f"<div>{CARDS}</div>"], ids=["table", "cards"])
def test_what_stands_beside_the_records_and_says_nothing_of_its_own_is_not_missing(
    ask: Ask, page: str, beside: str
) -> None:
    records = [{"name": name, "price": price} for name, price in LAMPS[:6]]
    result = ask(f"<h1>Lamps</h1><div>{beside}</div>{page}", records_of(name=TEXT, price=NUMBER), records)
    assert (result.data, result.is_partial, result.usage.calls) == (records, False, 1)


@pytest.mark.req("CM-1", "EX-6")
def test_a_poem_beside_one_record_is_no_loss(ask: Ask) -> None:
    page = "<h1>Ann Marsh</h1><p>Born in Rye<br>Lives in Bath<br>Paints the sea</p>"
    result = ask(page, records_of(name=TEXT, home=TEXT), [{"name": "Ann Marsh", "home": "Bath"}])
    assert (result.is_partial, result.usage.calls) == (False, 1)


@pytest.mark.req("CM-1", "EX-6")
def test_what_stands_with_each_item_of_a_list_is_none_of_its_items(ask: Ask) -> None:
    sizes = ["M", "S", "L", "XS"]
    said = '<span class="visually-hidden">Variant sold out or unavailable</span>'
    labels = "".join(f'<label for="o">{one}{said}</label>' for one in sizes)
    head = '<main><section><div class="a"><h1>Larch coat</h1><p>Quarix</p>'
    page = f"{head}<size-picker><fieldset>{labels}</fieldset></size-picker></div></section></main>"
    one = {"type": "object", "properties": {"title": TEXT, "options": list_of(TEXT)}}
    result = ask(page, one | {"required": ["title", "options"]}, {"title": "Larch coat", "options": sizes})
    assert (result.is_partial, result.usage.calls) == (False, 1)


RELEASES = {"2.1.0": ["Add dark mode", "Fix login"], "2.0.1": ["Fix crash"], "2.0.0": ["New engine", "Drop Python 2"]}


@pytest.mark.req("PR-2", "CM-1", "EX-6")
@pytest.mark.parametrize("borrowed", [{}, {"2.0.1": "2.0.0"}, {"2.1.0": "2.0.1", "2.0.1": "2.0.0", "2.0.0": "2.1.0"}])
def test_a_record_never_takes_in_the_lists_of_its_neighbour(ask: Ask, borrowed: dict[str, str]) -> None:
    def one(name: str) -> str:
        return f"<h2>{name}</h2><ul>{''.join(f'<li>{change}</li>' for change in RELEASES[name])}</ul>"

    page = "<h1>Changes</h1>" + "".join(one(name) for name in RELEASES)
    given = [{"version": name, "changes": RELEASES[borrowed.get(name, name)]} for name in RELEASES]
    result = ask(page, records_of(version=TEXT, changes=list_of(TEXT)), given)
    doubted = any(entry.status == "ungrounded" for entry in result.provenance)
    assert result.is_partial or doubted if borrowed else (result.data == given and not result.is_partial)
    for record in result.data:
        assert set(record["changes"]) <= set(RELEASES[record["version"]]) or result.is_partial


TABLES = """<h2>Winners</h2><table><tr><th>Name</th><th>Score</th></tr><tr><td>Ida</td><td>91</td></tr>
<tr><td>Jon</td><td>88</td></tr><tr><td>Kim</td><td>85</td></tr></table><h2>Prizes</h2><table>
<tr><th>Place</th><th>Prize</th></tr><tr><td>1</td><td>Bicycle</td></tr><tr><td>2</td><td>Lamp</td></tr>
<tr><td>3</td><td>Mug</td></tr></table>"""
WHOLE = {"type": "integer"}
TWO_LISTS = object_of(
    "winners", "prizes", winners=records_of(name=TEXT, score=WHOLE), prizes=records_of(place=WHOLE, prize=TEXT)
)


@pytest.mark.req("EX-6", "CM-1")
@pytest.mark.parametrize("lost", [None, ("winners", 0), ("winners", 2), ("prizes", 0), ("prizes", 1)])
def test_a_loss_from_either_list_of_a_schema_is_seen(ask: Ask, lost: tuple[str, int] | None) -> None:
    given: dict[str, list[Any]] = {
        "winners": [{"name": "Ida", "score": 91}, {"name": "Jon", "score": 88}, {"name": "Kim", "score": 85}],
        "prizes": [{"place": 1, "prize": "Bicycle"}, {"place": 2, "prize": "Lamp"}, {"place": 3, "prize": "Mug"}],
    }
    if lost:
        del given[lost[0]][lost[1]]
    result = ask(TABLES, TWO_LISTS, given)
    assert result.data == given
    assert result.is_partial == (lost is not None)


@pytest.mark.req("PR-2", "SC-4")
def test_a_code_that_lost_its_zeros_is_not_taken_for_the_code(ask: Ask) -> None:
    rows = "".join(f"<tr><td>{code}</td><td>{name}</td></tr>" for code, name in [("007", "Bond"), ("0042", "Dent")])
    page = f"<table><tr><th>Code</th><th>Name</th></tr>{rows}</table>"
    schema = records_of(code=TEXT, name=TEXT)
    assert not ask(page, schema, [{"code": "007", "name": "Bond"}, {"code": "0042", "name": "Dent"}]).is_partial
    short = ask(page, schema, [{"code": 7, "name": "Bond"}, {"code": 42, "name": "Dent"}])
    doubted = {entry.pointer for entry in short.provenance if entry.status == "ungrounded"}
    assert (short.data, doubted, len(short.withheld)) == ([], {"/-/code"}, 2)


@pytest.mark.req("CM-1", "MG-2")
@pytest.mark.parametrize("size", [200, 400, 10_000])
def test_two_listings_on_one_page_are_whole_at_any_chunk_size(tmp_path: Path, size: int) -> None:
    rows = "".join(f"<tr><td>Part {n}</td><td>${n}.50</td></tr>" for n in range(1, 11))
    items = "".join(f"<li><b>Part {n}</b> <i>${n}.50</i> <span>x</span></li>" for n in range(20, 32))
    page = f"<h2>A</h2><table><tr><th>Part</th><th>Price</th></tr>{rows}</table><h2>B</h2><ul>{items}</ul>"

    def read(prompt: str) -> str:
        found = re.findall(r"(Part \d+)\W+(\d+\.50)", prompt[prompt.index("<<<PAGE") :])
        return json.dumps([{"part": part, "price": float(price)} for part, price in found])

    with Gleaner(model=FunctionModel(read), home=tmp_path) as gleaner:
        config = {"tiers": ["model"], "max_chunk_chars": size}
        schema = records_of(part=TEXT, price=NUMBER)
        result = gleaner.extract_html(page, "https://probe.example/parts", output_schema=schema, config=config)
    assert result.extraction is not None
    assert [record["part"] for record in result.extraction.data] == [
        f"Part {n}" for n in (*range(1, 11), *range(20, 32))
    ]
    assert (result.status, result.extraction.completeness.missing) == ("complete", [])
