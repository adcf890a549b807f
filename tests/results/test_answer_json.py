"""Repair of what models write, before anything is asked again."""

import contextlib
import json

import pytest
from gleaner.results.answer_json import UnreadableAnswer, read_answer
from gleaner.results.answer_json_syntax import scan
from hypothesis import example, given
from hypothesis import strategies as st

RECORDS = [{"name": "Lamp", "price": 9.5}, {"name": "Mug", "price": None}]

REPAIRED = {
    "plain": ('[{"name": "Lamp", "price": 9.5}, {"name": "Mug", "price": null}]', RECORDS),
    "fence": ('```json\n[{"name": "Lamp", "price": 9.5}, {"name": "Mug", "price": null}]\n```', RECORDS),
    "fence never closed": ('```\n[{"name": "Lamp", "price": 9.5}, {"name": "Mug", "price": null}]', RECORDS),
    "prose around": ('Sure [1]!\n[{"name":"Lamp","price":9.5},{"name":"Mug","price":null}]\nAnything else?', RECORDS),
    "prose with brackets of its own": (
        'In {the page} and [it]: [{"name":"Lamp"},{"name":"Mug"}] {end}',
        [{"name": "Lamp"}, {"name": "Mug"}],
    ),
    "prose with a brace that nobody closes": ('As {the page says it\'s: [{"a": 1}, {"a": 2}].', [{"a": 1}, {"a": 2}]),
    "two fences, the larger counts": ('```\n[]\n```\nor\n```json\n[{"a": 1}]\n```', [{"a": 1}]),
    "trailing commas": ('[{"name":"Lamp","price":9.5,},{"name":"Mug","price":null,},]', RECORDS),
    "Python": ("[{'name': 'Lamp', 'price': 9.5}, {'name': 'Mug', 'price': None}]", RECORDS),
    "Python's booleans": ("{'a': True, 'b': False}", {"a": True, "b": False}),
    "comments": ('{"a": 1, // one\n /* two */ "b": 2, # three\n}', {"a": 1, "b": 2}),
    "comment behind a number": ('{"a": 1 /* one */, "b": 2}', {"a": 1, "b": 2}),
    "addresses are no comments": ('{"a": "http://x.test/a#b", }', {"a": "http://x.test/a#b"}),
    "names without quotes": ("{name: 'Lamp', price_usd: 9.5}", {"name": "Lamp", "price_usd": 9.5}),
    "curly quotes": ("{“name”: “Lamp”}", {"name": "Lamp"}),
    "byte order mark": ('\ufeff{"a": 1}', {"a": 1}),
    "not a number": ('{"a": NaN, "b": Infinity, "c": -Infinity, "d": 1e999}', dict.fromkeys("abcd")),
    "a number beyond all floats": ('{"a": 1' + "0" * 400 + "}", {"a": None}),
    "an answer given twice": ('{"data": {"a": 1}}\n\n{"data": {"a": 1}}', {"data": {"a": 1}}),
    "JSON lines": ('{"a": 1}\n{"a": 2}\n', [{"a": 1}, {"a": 2}]),
    "objects with commas between": ('{"a": 1}, {"a": 2}', [{"a": 1}, {"a": 2}]),
    "lists in a row": ('[{"a": 1}]\n[{"a": 2}]', [{"a": 1}, {"a": 2}]),
    "quotes that were not escaped": ('{"size": "6" pipe", "n": 2}', {"size": '6" pipe', "n": 2}),
    "a quotation before a comma": (
        '{"a": "so-called "lamp", it says", "b": 2}',
        {"a": 'so-called "lamp", it says', "b": 2},
    ),
    "quotations in a row": ('{"a": "not "x", "y" or "z", but", "b": 2}', {"a": 'not "x", "y" or "z", but', "b": 2}),
    "a quotation before a colon": ('{"a": "sizes "S", M: large", "b": 2}', {"a": 'sizes "S", M: large', "b": 2}),
    "a quotation in a list": ('{"a": ["the "big", one", "two"], "b": 2}', {"a": ['the "big", one', "two"], "b": 2}),
    "a quotation at both ends": ('{"a": ""Yes", he said, "no"", "b": 2}', {"a": '"Yes", he said, "no"', "b": 2}),
    "single quotes, a quotation": ("{'a': 'it's 'fine', really', 'b': 2}", {"a": "it's 'fine', really", "b": 2}),
    "names without quotes, a quotation": ('{a: "the "end", so", b: 2}', {"a": 'the "end", so', "b": 2}),
    "apostrophes": ("{'a': 'it\\'s', 'b': 'don't'}", {"a": "it's", "b": "don't"}),
    "line breaks in strings": ('{"a": "one\ntwo"}', {"a": "one\ntwo"}),
    "missing comma": ('{"a": "b" "c": 2}', {"a": "b", "c": 2}),
    "thousands": ('{"price": 1,299.00, "n": 2}', {"price": 1299.0, "n": 2}),
    "money without quotes": ('{"price": $12.50, "n": 2}', {"price": "$12.50", "n": 2}),
    "surrogate pairs": ("{'a': '\\ud83d\\ude00'}", {"a": "😀"}),
    "lone surrogates": ('{"a": "x\\ud83d"}', {"a": "x\ufffd"}),
    "dots for more": ('[{"a": 1}, ...]', [{"a": 1}]),
    "reasoning first": ('<think>[1, 2, 3, 4, 5]</think>\n{"a": 1}', {"a": 1}),
    "a scalar": ("42", 42),
    "wrong bracket at the end": ('{"a": [{"b": 1}}', {"a": [{"b": 1}]}),
}


@pytest.mark.req("LB-2")
@pytest.mark.parametrize("name", REPAIRED)
def test_an_answer_is_read_as_it_is_meant(name: str) -> None:
    text, meant = REPAIRED[name]
    answer = read_answer(text)
    assert answer.value == meant
    assert not answer.cut
    assert not answer.lossy


@pytest.mark.req("LB-2", "EX-13")
@pytest.mark.parametrize(
    "text",
    ['{"a": 1, good, "b": 2}', '{"a": 1 "b" "c"}', '[{"a": 1, "a": 2,}]', '{"a": 1, 2, "b": 3}'],
)
def test_what_is_left_out_is_told(text: str) -> None:
    assert read_answer(text).lossy


CUT = {
    "in a record": ('[{"n": 1}, {"n": 2}, {"n": 3', [{"n": 1}, {"n": 2}]),
    "in a name": ('[{"n": 1}, {"na', [{"n": 1}]),
    "in a string": ('[{"n": "a"}, {"n": "b', [{"n": "a"}]),
    "in the envelope": ('{"data": {"items": [{"n": 1}, {"n"', {"data": {"items": [{"n": 1}]}}),
    "between records": ('[{"n": 1}, ', [{"n": 1}]),
    "in a list within a record": ('[{"n": [1]}, {"n": [1, 2', [{"n": [1]}]),
    "in a number of an object": ('{"a": "x", "b": 12', {"a": "x"}),
    "in a fence": ('```json\n[{"n": 1}, {"n": 2', [{"n": 1}]),
}


@pytest.mark.req("EX-4")
@pytest.mark.parametrize("name", CUT)
def test_a_cut_answer_gives_its_complete_records_and_no_half_one(name: str) -> None:
    text, kept = CUT[name]
    answer = read_answer(text)
    assert answer.value == kept
    assert answer.cut


@pytest.mark.req("LB-2")
@pytest.mark.parametrize("text", ["", "  \n", "\ufeff", "I found nothing.", "[sorry]", "{", "No [data] here"])
def test_text_without_a_value_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableAnswer):
        read_answer(text)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.req("LB-2")
@given(JSON)
@example("</reasoning>")
@example(["the mark </think> in a text"])
def test_sound_json_is_never_changed(value: object) -> None:
    text = json.dumps(value)
    assert read_answer(text).value == json.loads(text)


@pytest.mark.req("LB-2", "EX-4")
@given(st.lists(st.fixed_dictionaries({"name": st.text(), "n": st.integers()}), max_size=6), st.data())
def test_any_cut_of_a_list_gives_the_first_records_of_it(records: list[dict[str, object]], data: st.DataObject) -> None:
    text = json.dumps(records)
    length = data.draw(st.integers(1, len(text)))
    value = read_answer_or_none(text[:length])
    assert value is None or value == json.loads(text)[: len(value)]


def read_answer_or_none(text: str) -> list[object] | None:
    try:
        value = read_answer(text).value
    except UnreadableAnswer:
        return None
    assert isinstance(value, list)
    return value


@pytest.mark.req("LB-2")
@given(st.text(alphabet="[]{}\",:'\\ab1 \n/*#`", max_size=200))
def test_garbage_is_read_or_refused_and_never_breaks(text: str) -> None:
    with contextlib.suppress(UnreadableAnswer):
        json.dumps(read_answer(text).value, allow_nan=False).encode("utf-8")


GARBAGE = ["[", "{", '["', "[1,", '{"a":', "```\n", "<think>", "[}", '{"a" ', "['", "/*", "\\", '"x" ', "[1 "]


@pytest.mark.timeout(90)
@pytest.mark.parametrize("piece", GARBAGE)
def test_long_garbage_is_read_in_one_pass(piece: str) -> None:
    with contextlib.suppress(UnreadableAnswer):
        read_answer(piece * (200_000 // len(piece)))


@pytest.mark.req("LB-2")
def test_values_nested_deeper_than_any_record_are_refused() -> None:
    with pytest.raises(UnreadableAnswer):
        read_answer("[" * 5_000 + "1" + "]" * 5_000)


@pytest.mark.req("LB-2")
def test_a_key_without_a_value_takes_nothing_of_the_next() -> None:
    assert scan('{"a":, "b": 1}').values[0].value == {"a": None, "b": 1}
