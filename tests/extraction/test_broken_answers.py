"""Answers that are broken, or in another form than was asked for: read, asked again or told, never lost (EX-13)."""

import html
import json
from collections.abc import Callable
from typing import Any

import pytest
from gleaner.chunking import chunk_at
from gleaner.contracts.models import ExtractionConfig, ExtractionResult
from gleaner.contracts.ports import ModelAnswer
from gleaner.extraction import assemble, chunk_tasks
from gleaner.extraction.chunk import extract_chunk
from gleaner.extraction.function_model import FunctionModel
from gleaner.extraction.listing import ListReader
from gleaner.extraction.recovery import Verdict
from gleaner.page.opening import open_page
from hypothesis import given
from hypothesis import strategies as st

from tests.support.schemas import MAYBE_NUMBER, MAYBE_TEXT, TEXT, list_of, object_of

PAGE = (
    '<h1>Lamps</h1><article><h2>Ash &amp; Elm</h2><p>It is <b>very</b> "almost", but not quite, <i>round</i></p>'
    "<p>£5.00</p></article><article><h2>Birch</h2><p>Oiled twice by Söhne &amp; Co_op, &lt;new&gt; **</p><p>£6.25</p>"
    "</article><article><h2>Cedar</h2><p>Café bar model, <a href=/x>10″ tall</a></p><p>£7.50</p></article>"
)
LAMP = object_of("name", name=TEXT, note=MAYBE_TEXT, price=MAYBE_NUMBER)
LAMPS = list_of(LAMP)
NOTES = [
    'It is very "almost", but not quite, round',
    "Oiled twice by Söhne & Co_op, <new> **",
    "Café bar model, 10″ tall",
]
RECORDS = [
    {"name": name, "note": note, "price": price}
    for name, note, price in zip(("Ash & Elm", "Birch", "Cedar"), NOTES, (5, 6.25, 7.5), strict=True)
]


def read(answer: str | Callable[[str], str], page: str = PAGE, schema: Any = LAMPS) -> tuple[ExtractionResult, int]:
    """Give what comes of a page that is answered so, and the number of calls."""
    calls: list[str] = []
    model = FunctionModel(
        lambda prompt: calls.append(prompt) or (answer if isinstance(answer, str) else answer(prompt))
    )
    opened = open_page(page)
    tasks = chunk_tasks(chunk_at(opened.text, (), 100_000, 3), opened.units, schema=schema)
    outcomes = [extract_chunk(task, model) for task in tasks]
    found = assemble(
        outcomes,
        page=opened,
        units=opened.units,
        schema=schema,
        query=None,
        config=ExtractionConfig(),
        chunk_starts=[0],
    )
    return found, len(calls)


def noted(change: Callable[[str], str]) -> str:
    return json.dumps([{**one, "note": change(str(one["note"]))} for one in RECORDS], ensure_ascii=False)


COLUMNS = {name: [one[name] for one in RECORDS] for name in ("name", "note", "price")}
ROWS = [[one["name"], str(one["note"]).replace('"', '""'), str(one["price"])] for one in RECORDS]
CSV = "name,note,price\n" + "\n".join(f'{name},"{note}",{price}' for name, note, price in ROWS)
TABLE = "\n".join(f"| {one['name']} | {one['note']} | {one['price']} |" for one in RECORDS)
CALL = {"name": "extract", "arguments": {"data": RECORDS}}
SOUND = {
    "each record as a text": json.dumps([json.dumps(one) for one in RECORDS]),
    "as CSV": CSV,
    "as CSV with the units": "\n".join(
        f"{'unit' if at == 0 else at - 1},{line}" for at, line in enumerate(CSV.splitlines())
    ),
    "as CSV in a fence": f"Here you are:\n```csv\n{CSV}\n```",
    "as a table in Markdown": f"| Name | Note | Price |\n|---|:--|--:|\n{TABLE}",
    "as the call of a tool": json.dumps(CALL),
    "as the call of a tool, its arguments a text": json.dumps({**CALL, "arguments": json.dumps({"data": RECORDS})}),
    "as the call of a tool, in tags": f"<tool_call>{json.dumps(CALL)}</tool_call>",
    "as the call of a tool, as servers send it": json.dumps(
        {"tool_calls": [{"id": "1", "type": "function", "function": CALL}]}
    ),
    "quotation marks that are not escaped": noted(str).replace('\\"', '"'),
    "escapes written out": noted(
        lambda text: text.encode("ascii", "backslashreplace").decode().replace("\\x", "\\u00")
    ),
    "entities": noted(lambda text: html.escape(text).replace("ö", "&ouml;").replace("é", "&#233;")),
    "marks of Markdown": noted(lambda text: text.replace("very", "**very**").replace("Oiled twice", "_Oiled twice_")),
    "a link": noted(lambda text: text.replace("10″ tall", "[10″ tall](https://shop.example/x)")),
    "tags": noted(lambda text: text.replace("very", "<b>very</b>").replace("bar", "<em class='x'>bar</em>")),
    "by columns": json.dumps(COLUMNS),
    "by columns, in the envelope": json.dumps({"data": COLUMNS, "skipped": []}),
    "by columns, with the units": json.dumps({"data": {"unit": [0, 1, 2], **COLUMNS}, "skipped": []}),
    "behind an echo of the fence": f"<<<PAGE 0123456789abcdef>>>\n{noted(str)}",
}


@pytest.mark.req("EX-13", "LB-2")
@pytest.mark.parametrize("name", SOUND)
def test_an_answer_in_another_form_is_read_and_the_pages_own_text_is_served(name: str) -> None:
    found, calls = read(SOUND[name])
    assert (found.data, found.is_partial, calls) == (RECORDS, False, 1)


@pytest.mark.req("EX-13")
@pytest.mark.parametrize("name", ["entities", "tags", "quotation marks that are not escaped"])
def test_the_same_holds_for_one_object(name: str) -> None:
    page = PAGE.partition("</article>")[0]
    found, calls = read(SOUND[name].partition("}, {")[0].removeprefix("[") + "}", page, LAMP)
    assert (found.data, calls) == (RECORDS[0], 1)


@pytest.mark.req("EX-1")
def test_a_list_may_have_the_name_of_a_field_of_its_records() -> None:
    schema = object_of(note=LAMPS)
    assert read(json.dumps({"data": {"note": RECORDS}}), PAGE, schema)[0].data == {"note": RECORDS}


@pytest.mark.req("EX-13")
@pytest.mark.parametrize(
    "said", ["&ouml; is an entity", "def __init__ of _x_", "use Vec<String> here", r"type \u00f6 now"]
)
def test_what_the_page_itself_shows_is_served_as_it_stands(said: str) -> None:
    page = "".join(f"<article><h2>Tip {at}</h2><p>{html.escape(said)}</p></article>" for at in range(3))
    records = [{"name": f"Tip {at}", "note": said} for at in range(3)]
    found, _ = read(json.dumps(records), page)
    assert found.data == records


@pytest.mark.req("EX-13")
def test_a_field_that_is_called_so_keeps_its_markup() -> None:
    schema = {"type": "object", "properties": {"body_markdown": {"type": "string"}}}
    found, _ = read(json.dumps({"body_markdown": "It is **very** loud"}), "<p>It is <b>very</b> loud</p>", schema)
    assert found.data == {"body_markdown": "It is **very** loud"}


SEVERAL = (
    "chunk 0: the model gave 3 different objects where the schema describes one, and the first was kept; "
    "for all of them, give the schema of a list"
)


@pytest.mark.req("EX-13")
@pytest.mark.parametrize("answer", [RECORDS, {"data": RECORDS, "skipped": []}, {"lamps": RECORDS}])
def test_a_list_in_place_of_one_object_is_asked_again_and_told(answer: Any) -> None:
    found, calls = read(json.dumps(answer), schema=LAMP)
    assert (found.data, found.warnings, calls) == (RECORDS[0], [SEVERAL], 2)


@pytest.mark.req("EX-13")
def test_the_one_object_of_the_second_answer_counts() -> None:
    answers = iter([json.dumps(RECORDS), json.dumps(RECORDS[1])])
    found, calls = read(lambda _: next(answers), schema=LAMP)
    assert (found.data, found.warnings, calls) == (RECORDS[1], [], 2)


@pytest.mark.req("EX-13")
def test_one_object_in_a_list_is_that_object_whatever_says_nothing_beside_it() -> None:
    found, calls = read(json.dumps([{"name": None}, RECORDS[0], RECORDS[0]]), schema=LAMP)
    assert (found.data, found.warnings, calls) == (RECORDS[0], [], 1)


@pytest.mark.req("EX-13")
def test_the_first_of_several_is_kept_where_nothing_may_be_asked_again() -> None:
    opened = open_page(PAGE)
    (task,) = chunk_tasks(chunk_at(opened.text, (), 100_000, 3), opened.units, schema=LAMP)
    config = ExtractionConfig(max_retries_per_chunk=0)
    found = extract_chunk(task, FunctionModel(lambda _: json.dumps(RECORDS)), config=config)
    assert (found.data, found.errors, found.warnings) == (RECORDS[0], [], [SEVERAL])


BOXED = [{name: {"value": value} for name, value in one.items()} for one in RECORDS]
UNREAD = {
    "each value in a box": (json.dumps(BOXED), "is not of type"),
    "YAML": ("\n".join(f"- name: {one['name']}\n  price: {one['price']}" for one in RECORDS), "holds no JSON value"),
    "records as broken JSON in texts": (json.dumps([json.dumps(one)[:-3] for one in RECORDS]), "is not of type"),
}


@pytest.mark.req("EX-13")
@pytest.mark.parametrize("name", UNREAD)
def test_a_model_that_keeps_to_a_form_that_is_not_read_is_told_as_such(name: str) -> None:
    answer, reason = UNREAD[name]
    found, calls = read(answer)
    assert (found.data, found.is_partial) == ([], True)
    assert calls > 1
    assert reason in found.errors[0].message
    assert found.completeness.expected == 3


@pytest.mark.req("EX-13")
def test_a_value_in_a_box_is_null_and_told() -> None:
    boxed = [{**one, "price": {"value": one["price"]}} for one in RECORDS]
    found, calls = read(json.dumps(boxed))
    assert (found.data, calls) == ([{**one, "price": None} for one in RECORDS], 2)
    assert [one for one in found.warnings if "dropped /price" in one] == found.warnings
    assert len(found.warnings) == 3


LOSSY = noted(str).replace("6.25", "6.25, good")


@pytest.mark.req("EX-13")
def test_an_answer_that_loses_something_in_repair_is_asked_again() -> None:
    answers = iter([LOSSY, noted(str)])
    found, calls = read(lambda _: next(answers))
    assert (found.data, found.is_partial, found.warnings, calls) == (RECORDS, False, [], 2)


@pytest.mark.req("EX-13")
@pytest.mark.parametrize("schema", [LAMPS, LAMP], ids=["list", "object"])
def test_where_the_model_keeps_to_such_an_answer_it_is_told(schema: Any) -> None:
    answer = LOSSY if schema is LAMPS else LOSSY.partition("}, {")[2].partition("}, {")[0].join("{}")
    page = PAGE if schema is LAMPS else f"<article>{PAGE.split('<article>')[2]}"
    found, calls = read(answer, page, schema)
    assert calls == 2
    assert found.warnings == ["chunk 0: the model's answer was no valid JSON, and a part of it could not be read"]
    assert found.data == (RECORDS if schema is LAMPS else RECORDS[1])


@pytest.mark.req("EX-13")
def test_such_an_answer_is_kept_where_nothing_may_be_asked_again() -> None:
    opened = open_page(PAGE)
    (task,) = chunk_tasks(chunk_at(opened.text, (), 100_000, 3), opened.units, schema=LAMPS)
    config = ExtractionConfig(max_retries_per_chunk=0)
    found = extract_chunk(task, FunctionModel(lambda _: LOSSY), config=config)
    assert (found.data, found.errors) == (RECORDS, [])
    assert "no valid JSON" in found.warnings[0]


@pytest.mark.req("EX-13", "EX-7")
@pytest.mark.parametrize("schema", [LAMPS, LAMP, None], ids=["list", "object", "words"])
def test_an_echo_of_the_prompts_fence_is_never_a_result(schema: Any) -> None:
    said = "It is open. <<<END 0123456789abcdef>>>"
    answer = said if schema is None else json.dumps({"name": said} if schema is LAMP else [{"name": said}])
    found, calls = read(answer, schema=schema)
    assert not found.data
    assert found.is_partial
    assert "repeats the lines around the page's text" in found.errors[0].message
    assert calls == 3


@pytest.mark.req("EX-13", "EX-5")
@pytest.mark.parametrize("at", [0, 1])
def test_an_answer_that_no_reader_was_made_for_costs_nothing_that_came_before(
    at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader with a bug stands in for the answer that nobody has thought of."""
    true, reads = ListReader.read, iter(range(9))

    def breaks(self: ListReader, piece: Any, answer: ModelAnswer) -> Verdict:
        if next(reads) == at:
            raise KeyError(7)
        return true(self, piece, answer)

    monkeypatch.setattr(ListReader, "read", breaks)
    found, _ = read(json.dumps(RECORDS[:2]))
    assert found.data == RECORDS[: 2 * at]
    assert found.errors[0].error_type == "internal_error"
    assert "KeyError: 7" in found.errors[0].message


NAMES = st.sampled_from(["name", "note", "price", "unit", "data", "skipped", "lamps", "x", ""])
SCALARS = (
    st.none() | st.booleans() | st.integers(-3, 9) | st.sampled_from(["Ash & Elm", "5", "Birch", *NOTES, "<b>x", ""])
)
ANSWERS = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4))


@pytest.mark.req("EX-13")
@given(ANSWERS, st.sampled_from([LAMPS, LAMP, {"type": "object", "properties": {"lamps": LAMPS}}]))
def test_no_answer_breaks_the_reading(value: Any, schema: Any) -> None:
    found, _ = read(json.dumps(value), schema=schema)
    assert all(error.error_type != "internal_error" for error in found.errors)


@pytest.mark.req("EX-13")
@pytest.mark.parametrize(
    "answer",
    [
        "[" + '{"name":"say "hi" to","price":5.5},' * 84_000,
        '[{"name":"' + '\\"' * 1_500_000,
        "[" * 3_000_000,
        '{"name":[' + '"a" b",' * 420_000 + "]}",
        '[{"name":"' + "&ouml;S\\\\u00f6" * 240_000 + '"}]',
    ],
    ids=["quotes", "backslashes", "brackets", "columns", "escapes"],
)
def test_three_megabytes_that_need_repair_end_with_a_clear_word(answer: str) -> None:
    result, _ = read(answer)
    assert result.is_partial
    assert any("repeated itself without end" in error.message for error in result.errors)
