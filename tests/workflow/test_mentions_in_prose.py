"""Things that an article mentions are no list of its paragraphs: right answers are complete, whatever else it says."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from gleaner.contracts.models import ScrapeResult

from tests.support.asking import answered, table
from tests.support.schemas import MAYBE_TEXT, TEXT, list_of, object_of

FIRM = object_of("firm", firm=TEXT, town=MAYBE_TEXT)
PERSON = object_of("name", name=TEXT, role=MAYBE_TEXT)

SECTIONS = {
    "The plan": [
        "The harbour council voted on Tuesday to move half of its freight to the railway. The vote ended a dispute "
        "that began when the old quay was closed, and few in the hall seemed glad of it.",
        "Work is to start in spring. The line would be laid by Calder Freight of Leeds, which has built two like it. "
        "The ground is soft there, and nobody has said what happens if it gives way.",
        "For years the lorries have queued through the old town. Residents counted them from their windows and sent "
        "the lists to the mayor, who kept every one in a drawer.",
    ],
    "Who pays": [
        "The money comes from a fee on each container. Two shippers, Brink & Daughters in Leiden and Halden Paper in "
        "Halden, have said that they will pay it. A third one has not made up its mind.",
        "“We would have paid more for a quiet street,” said Ada Moor, who runs the bakery at the gate. Others are less "
        "sure. They fear that the fee will drive the smaller ships away, as it did once before.",
    ],
    "What comes next": [
        "The council meets again in June. Until then the engineers of Ostrava Steelworks, based in Ostrava, will "
        "measure the bridge, whose rails are older than anyone who votes on them.",
        "Ben Vance, the head of the port, hopes for an early start. He has waited long enough, he said, and so has the "
        "town.",
    ],
}
FIRMS = [
    {"firm": "Calder Freight", "town": "Leeds"},
    {"firm": "Brink & Daughters", "town": "Leiden"},
    {"firm": "Halden Paper", "town": "Halden"},
    {"firm": "Ostrava Steelworks", "town": "Ostrava"},
]
PEOPLE = [
    {"name": "Ada Moor", "role": "runs the bakery"},
    {"name": "Ben Vance", "role": "head of the port"},
]


def _paragraphs(texts: Sequence[str]) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


def _article(write: Callable[[str, list[str]], str]) -> str:
    return f"<h1>Freight on rails</h1>{''.join(write(title, texts) for title, texts in SECTIONS.items())}"


ARTICLES = {
    "paragraphs": _article(lambda title, texts: _paragraphs(texts)),
    "one paragraph": f"<h1>Freight on rails</h1><p>{' '.join(map(' '.join, SECTIONS.values()))}</p>",
    "headings": _article(lambda title, texts: f"<h2>{title}</h2>{_paragraphs(texts)}"),
    "sections": _article(lambda title, texts: f"<section><h2>{title}</h2>{_paragraphs(texts)}</section>"),
    "a paragraph a heading": _article(lambda title, texts: f"<h2>{title}</h2><p>{' '.join(texts)}</p>"),
    "boxes": _article(lambda title, texts: "".join(f"<div>{text}</div>" for text in texts)),
}


def _ask(home: Path, body: str, item: Any, records: list[Any], query: str) -> tuple[ScrapeResult, list[str]]:
    said = lambda shown: [one for one in records if next(iter(one.values())) in shown]  # noqa: E731
    config = {"tiers": ["model"]}
    return answered(home, f"<article>{body}</article>", list_of(item), said, query=query, config=config)


@pytest.mark.req("CM-1", "EX-6")
@pytest.mark.parametrize("article", ARTICLES)
@pytest.mark.parametrize(
    ("item", "records", "query"), [(FIRM, FIRMS, "firms that take part"), (PERSON, PEOPLE, "people who are quoted")]
)
def test_paragraphs_that_only_mention_records_are_not_counted_and_not_asked_about(
    tmp_path: Path, article: str, item: Any, records: list[Any], query: str
) -> None:
    result, prompts = _ask(tmp_path, ARTICLES[article], item, records, query)
    assert result.extraction is not None
    assert result.extraction.data == records
    assert (result.status, len(prompts)) == ("complete", 1)
    assert result.extraction.completeness.method == "unknown"
    assert result.extraction.completeness.missing == []


@pytest.mark.req("CM-1", "EX-6")
def test_paragraphs_of_prose_that_begin_with_their_record_are_counted(tmp_path: Path) -> None:
    said = [
        "builds railways, and has done so since the first quay was laid.",
        "is a shipper of the third generation, whose barges everybody knows.",
        "makes paper out of spruce, most of which comes by the river.",
        "sends its engineers wherever a bridge is older than its rails.",
    ]
    texts = [f"{one['firm']} of {one['town']} {more}" for one, more in zip(FIRMS, said, strict=True)]
    given = [one for one in FIRMS if one["firm"] != "Halden Paper"]
    result, _ = _ask(tmp_path, f"<h1>Our members</h1>{_paragraphs(texts)}", FIRM, given, "all members")
    assert result.extraction is not None
    assert (result.status, result.extraction.data) == ("partial", given)
    assert [one.text[:12] for one in result.extraction.completeness.missing] == ["Halden Paper"]


@pytest.mark.req("EX-6")
def test_a_record_that_names_another_ones_unit_gets_the_one_that_is_left(tmp_path: Path) -> None:
    rows = [
        ("Starter pack with 2 lessons", "$80"),
        ("2 lessons", "$80"),
        ("5 lessons", "$190"),
        ("10 lessons", "$345"),
    ]
    schema = list_of(object_of("pack", "fee", pack=MAYBE_TEXT, fee=MAYBE_TEXT))
    units = [0, 0, 2, 3]
    answer = [{"unit": unit, "pack": name, "fee": fee} for unit, (name, fee) in zip(units, rows, strict=True)]
    html = f"<h1>Lessons</h1>{table(('Pack', 'Fee'), *rows)}"
    result, prompts = answered(tmp_path, html, schema, answer, config={"tiers": ["model"]})
    assert result.extraction is not None
    assert result.extraction.data == [{"pack": name, "fee": fee} for name, fee in rows]
    assert (result.status, len(prompts)) == ("complete", 1)
