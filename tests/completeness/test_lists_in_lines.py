"""A list within a line is counted like any other: its parts are siblings (CM-1)."""

import json
from typing import Any

import pytest
from gleaner.completeness.inner_lists import find_short_lists
from gleaner.completeness.stated_values import StatedValues
from gleaner.judging.judge import judge as prove
from gleaner.page.model import Page
from gleaner.values.texts.text_index import TextIndex

PLAYS = [
    {"title": "Harbour", "guests": ["Lo Ek", "Maj Frisk", "Tor Hav"]},
    {"title": "Stone", "guests": ["Per Hult"]},
    {"title": "Bridge", "guests": ["Siv Ahl", "Ove Dal"]},
    {"title": "Ice", "guests": ["Ida Gran", "Mats Ek", "Ulf Palm", "Eva Kull"]},
]
SHOES = [
    {"model": "Trail", "sizes": [{"size": "EU 41", "stock": 12}, {"size": "EU 42", "stock": 3}]},
    {"model": "Moor", "sizes": [{"size": "EU 38", "stock": 9}, {"size": "EU 46", "stock": 6}]},
    {"model": "Peak", "sizes": [{"size": "EU 40", "stock": 8}, {"size": "EU 44", "stock": 7}]},
    {"model": "Dune", "sizes": [{"size": f"EU {size}", "stock": stock} for size, stock in ((39, 2), (43, 4), (45, 5))]},
]


HEADS = "| name | list | |\n|---|---|---|\n"


def in_cells(play: dict[str, Any]) -> str:
    return f"| {play['title']} | {', '.join(play['guests'])} | 45 min |"


def in_sentences(play: dict[str, Any]) -> str:
    return f"{play['title']} (2019): {'; '.join(play['guests'])}. Of course it is played again this year."


def in_brackets(shoe: dict[str, Any]) -> str:
    return f"**{shoe['model']}**: " + ", ".join(f"{one['size']} ({one['stock']})" for one in shoe["sizes"]) + "."


LINES = [
    {"stop": "Abbey", "times": ["6:05", "6:35", "7:05", "7:35"]},
    {"stop": "Bridge", "times": ["6:11", "6:41", "7:11"]},
    {"stop": "Castle", "times": ["6:20", "6:50", "7:20", "7:50", "8:20"]},
    {"stop": "Docks", "times": ["6:29", "6:59", "7:29"]},
]


def in_one_line(line: dict[str, Any]) -> str:
    return f"{line['stop']}: {' '.join(line['times'])}"


def in_a_row(line: dict[str, Any]) -> str:
    return f"| {line['stop']} | {' | '.join(line['times'])} |" + "  |" * (5 - len(line["times"]))


def lacks(text: str, data: list[Any]) -> list[str]:
    """Give what the lists of an answer are said to lack."""
    page = Page.from_markdown(text)
    entries = prove(data, TextIndex(text), schema=None, spans=spans_of(text, data), page=page, records_at="")
    found = find_short_lists(StatedValues(data, entries, records=(), spans=spans_of(text, data)), page)
    return [missing for short in found for missing in short.texts]


def spans_of(text: str, data: list[Any]) -> list[tuple[int, int]]:
    """Give the lines that begin with each record's name."""
    starts = [text.index(str(next(iter(one.values())))) for one in data]
    return [(start, (text + "\n").index("\n", start)) for start in starts]


@pytest.mark.req("CM-2")
@pytest.mark.parametrize(
    ("write", "whole", "name"),
    [
        (in_cells, PLAYS, "guests"),
        (in_sentences, PLAYS, "guests"),
        (in_brackets, SHOES, "sizes"),
        (in_one_line, LINES, "times"),
        (in_a_row, LINES, "times"),
    ],
)
def test_a_list_within_a_line_is_not_short_in_silence(write: Any, whole: list[Any], name: str) -> None:
    text = HEADS + "\n".join(map(write, whole)) if write in (in_cells, in_a_row) else "\n\n".join(map(write, whole))
    assert lacks(text, whole) == []
    for at, record in enumerate(whole):
        for lost in range(len(record[name])) if len(record[name]) > 1 else ():
            short = json.loads(json.dumps(whole))
            gone = short[at][name].pop(lost)
            found = " ".join(lacks(text, short))
            assert (gone if isinstance(gone, str) else gone["size"]) in found, (at, lost, found)


@pytest.mark.req("CM-2")
@pytest.mark.parametrize(
    "more",
    [
        ", 1998",  # no name: the others have no figures
        ", et al.",
        " and was seen by many",
        ". Later, more came",
        ", who had come by the night train from the far north, played on",
    ],
)
def test_what_stands_behind_a_list_is_no_element_of_it(more: str) -> None:
    lines = [f"{play['title']}: {', '.join(play['guests'])}" for play in PLAYS]
    assert lacks("\n\n".join([*lines[:-1], lines[-1] + more]), PLAYS) == []


@pytest.mark.req("CM-2")
def test_an_element_in_another_s_words_and_one_behind_a_call_s_name_are_missed() -> None:
    tags = [{"name": "Second", "tags": ["HEAD", "HEAD_NEW", "dec-2002"]}, {"name": "First", "tags": ["v1"]}]
    text = "\n\n".join(f"{one['name']}: {', '.join(one['tags'])}" for one in tags)
    assert lacks(text, [{**tags[0], "tags": tags[0]["tags"][1:]}, tags[1]]) == ["HEAD"]
    calls = [{"call": "scores", "given": ["day=1", "month=1", "year=2017"]}]
    text = "client.scores_of_players(day=1, month=1, year=2017)"
    assert lacks(text, [{**calls[0], "given": ["day=1", "year=2017"]}]) == ["month=1"]


@pytest.mark.req("CM-2")
def test_what_stands_before_each_list_and_what_another_field_says_is_no_element() -> None:
    records = [{**play, "place": place} for play, place in zip(PLAYS, ["Oslo", "Lyon", "Gent", "Cork"], strict=True)]
    text = "\n\n".join(f"{one['title']}: {one['place']}, {', '.join(one['guests'])}, live" for one in records)
    assert lacks(text, records) == []


@pytest.mark.req("CM-2")
@pytest.mark.parametrize(
    ("text", "whole", "lost"),
    [
        ("Late work: old,late,50s", [{"a": "Late work", "b": ["old", "late", "50s"]}], "late"),
        ("Clerk: new,50s,students", [{"a": "Clerk", "b": ["new", "50s", "students"]}], "new"),
        ("A: head, v1\n\nB: x-2, y", [{"a": "A", "b": ["head", "v1"]}, {"a": "B", "b": ["x-2", "y"]}], "v1"),
    ],
    ids=["a word of another field", "a mark before a figure", "a figure as in another list"],
)
def test_a_part_amid_others_or_like_those_of_another_list_is_missed(text: str, whole: Any, lost: str) -> None:
    short = [{**whole[0], "b": [one for one in whole[0]["b"] if one != lost]}, *whole[1:]]
    assert lost in lacks(text, short)
    assert lost not in lacks(text, whole)


@pytest.mark.req("CM-2")
def test_elements_stand_together_where_the_page_says_one_of_them_again() -> None:
    text = "| Subjects: | Sound (cs.SD); Vision (cs.CV) |\n|---|---|\n| | (or V2 [cs.SD] for this one) |"
    data = {"first": "cs.SD", "subjects": ["cs.SD", "cs.CV"]}
    page = Page.from_markdown(text)
    entries = prove(data, TextIndex(text), schema=None, page=page)
    assert find_short_lists(StatedValues(data, entries), page) == []
