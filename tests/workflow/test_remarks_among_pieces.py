"""What stands among the records and is written otherwise is no loss: an introduction, a second line in italics."""

from pathlib import Path
from typing import Any

import pytest
from gleaner.contracts.models import ScrapeResult

from tests.support.asking import answered, bullets
from tests.support.schemas import MAYBE_NUMBER, MAYBE_TEXT, list_of, object_of

TALK = [
    {"question": "When did you begin?", "answer": "In the winter of 2023. I had nothing else to do."},
    {"question": "Why bees?", "answer": "Why not bees? They sing in F."},
    {"question": "Who sings the queen?", "answer": "Aino Halla. I wrote the part for her voice."},
    {"question": "What is next?", "answer": "A rest."},
]
DISHES = [
    {"name": "Beetroot soup", "price": 7.5},
    {"name": "Smoked trout", "price": 9},
    {"name": "Barley risotto", "price": 16},
    {"name": "Pike-perch", "price": 21},
    {"name": "Plum cake", "price": 6},
]
BESIDE = {"Beetroot soup": "with horseradish cream", "Smoked trout": "rye, dill", "Barley risotto": "mushrooms"}
TERMS = [
    {"term": "Agreement", "meaning": "this document and its annexes"},
    {"term": "Customer", "meaning": "the person who orders the Service"},
    {"term": "Fee", "meaning": "the amount stated in Annex 1"},
    {"term": "Service", "meaning": "the storage of data as described in section 3"},
]
LINKS = {
    "Maps": ["Sea charts", "Old maps"],
    "Weather": ["Marine forecast", "Ice service", "Tides"],
    "Clubs": ["Rowing"],
}
PAPERS = {
    2025: [
        "Berg, A. and Lind, C.: Ice on inland lakes. J. Limnol. 84, 12.",
        "Lind, C.: A note on snow. Polar Lett. 3, 5.",
    ],
    2024: ["Berg, A., Sund, D. and Lind, C.: Thaw dates since 1900. Clim. Rec. 51, 201."],
    2021: ["Sund, D.: Lake levels. Uppsala 7, 19.", "Berg, A.: Frost and reed. Ann. Bot. 9, 77."],
}


def _dish(name: str, price: float) -> str:
    return f"<b>{name}</b> {price:.2f}" + (f"<br><i>{BESIDE[name]}</i>" if name in BESIDE else "")


def _menu(title: str, dishes: list[Any]) -> str:
    return f"<h2>{title}</h2><p>{'<br>'.join(_dish(**dish) for dish in dishes)}</p>"


PAGES: dict[str, tuple[str, Any, list[Any]]] = {
    "questions in bold": (
        "<h1>Bees in F</h1><p>The composer Ida Falk talks about her new opera.</p>"
        + "".join(f"<p><b>{one['question']}</b></p><p>{one['answer']}</p>" for one in TALK),
        object_of("question", question=MAYBE_TEXT, answer=MAYBE_TEXT),
        TALK,
    ),
    "lines below dishes": (
        f"<h1>Menu</h1>{_menu('Starters', DISHES[:2])}{_menu('Mains', DISHES[2:])}",
        object_of("name", name=MAYBE_TEXT, price=MAYBE_NUMBER),
        DISHES,
    ),
    "terms in quotes": (
        "<h1>Terms</h1><h2>1. Words</h2><p>In this text the following words have the following meanings:</p>"
        + "".join(f"<p>“{one['term']}” means {one['meaning']};</p>" for one in TERMS)
        + "<h2>2. The Service</h2><p>2.1 The provider shall supply the Service.</p><p>2.2 It may change.</p>",
        object_of("meaning", meaning=MAYBE_TEXT, term=MAYBE_TEXT),
        TERMS,
    ),
    "links below topics": (
        "<h1>Addresses</h1><p>Useful addresses, without warranty.</p>"
        + "".join(
            f"<h3>{topic}</h3>{bullets(*(f'<a href=/{at}>{name}</a>' for at, name in enumerate(names)))}"
            for topic, names in LINKS.items()
        ),
        object_of("name", name=MAYBE_TEXT, topic=MAYBE_TEXT),
        [{"name": name, "topic": topic} for topic, names in LINKS.items() for name in names],
    ),
    "papers below years": (
        "<h1>Papers</h1>"
        + "".join(f"<h2>{year}</h2>{''.join(f'<p>{text}</p>' for text in texts)}" for year, texts in PAPERS.items()),
        object_of("title", title=MAYBE_TEXT, year=MAYBE_NUMBER),
        [
            {"title": text.split(": ")[1].split(".")[0], "year": year}
            for year, texts in PAPERS.items()
            for text in texts
        ],
    ),
}


def _ask(home: Path, page: str, left_out: int | None) -> tuple[ScrapeResult, list[str]]:
    html, item, records = PAGES[page]
    given = [one for at, one in enumerate(records) if at != left_out]
    result, prompts = answered(
        home,
        html,
        list_of(item),
        lambda shown: [one for one in given if next(iter(one.values())) in shown],
        config={"tiers": ["model"]},
    )
    assert result.extraction is not None
    assert sorted(map(str, result.extraction.data)) == sorted(map(str, given))
    return result, prompts


@pytest.mark.req("CM-1", "EX-6")
@pytest.mark.parametrize("page", PAGES)
def test_what_is_written_otherwise_is_not_counted_and_not_asked_about(tmp_path: Path, page: str) -> None:
    result, prompts = _ask(tmp_path, page, None)
    assert result.extraction is not None
    assert (result.status, len(prompts), result.extraction.warnings) == ("complete", 1, [])
    assert result.extraction.completeness.expected == len(PAGES[page][2])


@pytest.mark.req("CM-1", "EX-6")
@pytest.mark.parametrize("page", PAGES)
def test_a_record_left_out_among_them_is_missed(tmp_path: Path, page: str) -> None:
    result, _ = _ask(tmp_path, page, 2)
    assert result.extraction is not None
    assert result.status == "partial"
    assert len(result.extraction.completeness.missing) == 1
