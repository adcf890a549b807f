"""The yardstick's one replaying model, and what it reads a page with."""

import json
from dataclasses import replace
from typing import Any

import pytest
from measure.answering import Prompt, Reader
from measure.cases import Case
from measure.page_text import Text, has_pager, visible_text

from tests.support.schemas import NUMBER, TEXT, object_of

ITEM = object_of(name=TEXT, day=TEXT, price=NUMBER)
JUGS: list[dict[str, Any]] = [
    {"name": "Larch jug", "day": "2031-05-03", "price": 3.5},
    {"name": "Fir bowl", "day": "2031-05-03", "price": 1299.5},
    {"name": "Fir bowl", "day": "2031-06-04", "price": 4},
]
PAGE = (
    "<h1>Jugs</h1><h2>3 May 2031</h2><p>Larch jug £3.50</p><p>Fir bowl £1,299.50</p>"
    "<h2>4 June 2031</h2><p>Fir bowl £4</p>"
)


def case(truth: Any = JUGS, html: str = PAGE, schema: Any = None) -> Case:
    return Case(
        "own", "jugs", "jugs", html, "https://jugs.example/", schema or {"type": "array", "items": ITEM}, None, truth
    )


def prompt(*pieces: str, before: str = "", number: str = "unit", schema: Any = None, is_part: bool = False) -> str:
    lines = [f"JSON Schema of the data:\n{json.dumps(schema or {'type': 'array', 'items': ITEM})}\n"]
    lines += ["This is one part of a longer page: leave out what it lacks."] if is_part else []
    if pieces:
        lines += [
            "A line [#N] stands before each piece that may hold a record",
            f'Begin each record with "{number}": N',
        ]
    text = before + "".join(f"[#{at + 3}]\n{piece}\n" for at, piece in enumerate(pieces))
    return "\n".join([*lines, f"<<<PAGE ab>>>\n{text}\n<<<END ab>>>"])


def told(model: Reader, asked: str) -> Any:
    return json.loads(model.say(asked))


def test_records_carry_the_number_of_their_piece_and_equal_names_take_theirs_by_their_other_values() -> None:
    answer = told(
        Reader(case()), prompt("3 May 2031", "Larch jug £3.50", "Fir bowl £1,299.50", "4 June", "Fir bowl £4")
    )
    assert [(one["unit"], one["name"], one["price"]) for one in answer["data"]] == [
        (4, "Larch jug", 3.5), (5, "Fir bowl", 1299.5), (7, "Fir bowl", 4),
    ]  # fmt: skip
    assert answer["skipped"] == [3, 6]


def test_a_part_of_the_page_gets_its_own_records_alone_and_fields_that_are_not_asked_for_stay_out() -> None:
    asked = {"type": "array", "items": {"type": "object", "properties": {"price": {"type": "number"}}}}
    answer = told(Reader(case()), prompt("Fir bowl £4", number="n", schema=asked))
    assert answer == {"data": [{"n": 3, "price": 4}], "skipped": []}
    assert told(Reader(case()), prompt(before="Imprint"))["data"] == []


def test_a_record_that_lies_in_several_pieces_is_given_with_the_first() -> None:
    answer = told(Reader(case(JUGS[:1])), prompt("Larch jug", "3 May 2031", "£3.50"))
    assert [one["unit"] for one in answer["data"]] == [3]


def test_what_stands_in_pieces_of_its_own_inside_a_record_is_given_and_not_called_skipped() -> None:
    truth = [{"name": "Gull", "crew": [{"hand": "Ada Quist"}, {"hand": "Bram Holt"}]}]
    html = "<h2>Gull</h2><p>Ada Quist</p><p>Bram Holt</p>"
    crew = {"type": "array", "items": {"type": "object", "properties": {"hand": {"type": "string"}}}}
    schema = {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}, "crew": crew}}}
    answer = told(Reader(case(truth, html, schema)), prompt("Gull", "Ada Quist", "Bram Holt", "Imprint", schema=schema))
    assert answer == {"data": [{"unit": 3, **truth[0]}], "skipped": [6]}


def test_wrong_and_missing_records_come_in_the_place_of_the_true_ones_and_the_first_call_may_lack_some() -> None:
    wrong = [None, {**JUGS[1], "price": 9}, JUGS[2]]
    assert [one["price"] for one in told(Reader(case(), given=wrong), prompt(before=visible_text(PAGE)))["data"]] == [
        9,
        4,
    ]
    late = Reader(case(), given_first=[None, None, JUGS[2]])
    late.prompts.append("the first")
    assert len(told(late, prompt(before=visible_text(PAGE)))["data"]) == 1
    late.prompts.append("the second")
    assert len(told(late, prompt(before=visible_text(PAGE)))["data"]) == 3


def test_of_one_thing_a_part_gets_what_it_states_and_the_whole_gets_all() -> None:
    truth = {"title": "Leek pie", "steps": ["Peel the leeks", "Bake it"], "vegan": False}
    schema = {"type": "object", "properties": {name: {} for name in truth}}
    html = "<h1>Leek pie</h1><ul><li>Peel the leeks</li><li>Bake it</li></ul>"
    model = Reader(case(truth, html, schema))
    assert told(model, prompt(before=visible_text(html), schema=schema)) == {"data": truth}
    part = told(model, prompt("Bake it", "Imprint", schema=schema, is_part=True))
    assert part == {"data": {"steps": ["Bake it"], "vegan": False}, "skipped": [4]}


def test_an_answer_in_words_is_the_truth_itself() -> None:
    model = Reader(replace(case(), schema=None, wanted="It opens at nine."))
    assert model.say("Task: when?\n<<<PAGE ab>>>\nOpen at nine.\n<<<END ab>>>") == "It opens at nine."


def test_the_text_of_a_prompt_is_told_from_its_marks() -> None:
    asked = Prompt(prompt("Larch jug", "Fir bowl", before="Jugs\n"))
    assert [(piece.numbers, piece.text.words) for piece in asked.pieces] == [
        ((3,), " larch jug "),
        ((4,), " fir bowl "),
    ]
    assert (asked.before, asked.number_name, asked.is_part) == ("Jugs\n", "unit", False)
    assert not asked.shown.states(3)


@pytest.mark.parametrize(
    ("value", "is_stated"),
    [
        ("Larch Jug", True),
        ("jug", True),
        ("ug", False),
        (1299.5, True),
        ("1.299,50", True),
        (1299, False),
        (True, False),
        ("2031-05-03", True),
        ("2031-05-04", False),
        ("https://jugs.example/a/larch%20jug.pdf", True),
        (["jug", "Larch"], True),
        (["jug", "Fir"], False),
        ("詳細", True),
        ("詳解", False),
    ],
)
def test_what_a_text_states_is_words_numbers_days_and_addresses(value: Any, is_stated: bool) -> None:
    text = Text("| **Larch** jug | $1,299.50 | May 3, 2031 | [PDF](/a/larch jug.pdf) | 店舗詳細へ |")
    assert text.states(value) is is_stated


def test_the_visible_text_of_a_page_leaves_out_what_its_tags_hide() -> None:
    page = "<p>a<b>b</b> c</p><div style='display: none'>x<p>y</p></div>tail<script>z</script><p hidden>h</p>after<br>d"
    assert visible_text(page) == "ab c\ntail\nafter\nd"
    assert visible_text(" ") == ""
    assert visible_text("<p><i class='material-icons'>check</i> Lift</p>") == "Lift"


@pytest.mark.parametrize(
    ("html", "has_one"),
    [
        ("<p><a href=/a>Jugs</a></p>", False),
        ("<a href=?p=2>Next</a>", True),
        ("<a href=?p=2>2</a> <a href=?p=3>3</a>", True),
        ("<link rel=next href=/2>", True),
        ("<button>Load more</button>", True),
        ("<ul class=pagination></ul>", True),
        ("<a href=/jobs>View our roles</a>", False),
    ],
)
def test_a_pager_is_known_generously(html: str, has_one: bool) -> None:
    assert has_pager(f"<body>{html}</body>") is has_one
