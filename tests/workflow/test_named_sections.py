"""A question that names a section of the page asks for what stands there: the other sections' pieces are no loss."""

import json
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.contracts.models import ScrapeResult
from gleaner.testing import FunctionModel

TEXT = {"type": ["string", "null"]}
NUMBER = {"type": ["number", "null"]}


def _item(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": [next(iter(fields))]}


def _items(*texts: str) -> str:
    return f"<ul>{''.join(f'<li>{text}</li>' for text in texts)}</ul>"


def _rows(*rows: tuple[str, ...]) -> str:
    head, *body = rows
    cells = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in body)
    return f"<table><tr>{''.join(f'<th>{cell}</th>' for cell in head)}</tr>{cells}</table>"


CV = (
    "<h1>Ines Claes</h1><p>Software engineer in Ghent.</p><h2>Experience</h2>"
    "<div><h3>Lead engineer, Maasdelta</h3><p>2021 – today</p><p>Builds the booking system. Leads a team.</p></div>"
    "<div><h3>Engineer, Kade9</h3><p>2016 – 2021</p><ul><li>Payment service</li><li>On-call duty</li></ul></div>"
    "<div><h3>Junior developer, Wolke</h3><p>2013 – 2016</p></div>"
    "<h2>Education</h2><div><h3>MSc Computer Science, Ghent University</h3><p>2011 – 2013</p></div>"
    "<div><h3>BSc Mathematics, KU Leuven</h3><p>2008 – 2011</p></div>"
    "<div><h3>Diploma, Lyceum Brugge</h3><p>2002 – 2008</p></div>"
)
JOBS = [
    {"company": "Maasdelta", "title": "Lead engineer"},
    {"company": "Kade9", "title": "Engineer"},
    {"company": "Wolke", "title": "Junior developer"},
]
SCHOOLS = [
    {"school": "Ghent University", "degree": "MSc Computer Science"},
    {"school": "KU Leuven", "degree": "BSc Mathematics"},
    {"school": "Lyceum Brugge", "degree": "Diploma"},
]
LEAGUE = (
    "<h1>League</h1><h2>Table</h2>"
    + _rows(("Team", "Played", "Points"), ("Harbour", "22", "51"), ("Old Mill", "22", "47"), ("Rovers", "22", "40"))
    + "<h2>Top scorers</h2>"
    + _rows(
        ("Player", "Club", "Goals"),
        ("Ben Okri", "Old Mill", "19"),
        ("Joao Pires", "Rovers", "14"),
        ("Tim Rask", "Harbour", "13"),
    )
)
SCORERS = [
    {"player": "Ben Okri", "goals": 19},
    {"player": "Joao Pires", "goals": 14},
    {"player": "Tim Rask", "goals": 13},
]
ISLANDS = (
    "<h1>Morasund</h1><p>A group of islands in the north.</p><h2>Islands</h2>"
    + _rows(("Island", "Area", "People"), ("Mora", "12.4", "310"), ("Sant", "8.1", "95"), ("Torsk", "2.9", "14"))
    + "<h2>Lighthouses</h2><p>Three are in use:</p>"
    + _items("North Head, built in 1871", "Grise Point, built in 1902", "Vik Skerry, built in 1934")
)
LIGHTS = [
    {"name": "North Head", "built": 1871},
    {"name": "Grise Point", "built": 1902},
    {"name": "Vik Skerry", "built": 1934},
]
LIBRARY = (
    "<h1>Bibliothèque</h1><h2>Horaires</h2>"
    + _items("Mardi : 14 h – 18 h", "Mercredi : 10 h – 18 h", "Samedi : 10 h – 17 h")
    + "<h2>Accès</h2>"
    + _items("Bus 4, arrêt Mairie", "Tramway A, arrêt Gare")
)
HOURS = [
    {"jour": "Mardi", "heures": "14 h – 18 h"},
    {"jour": "Mercredi", "heures": "10 h – 18 h"},
    {"jour": "Samedi", "heures": "10 h – 17 h"},
]
FEATURES = ["Fast: a million rows in a second", "No dependencies", "Streams, so memory stays small"]
README = (
    f"<h1>tinycsv</h1><h2>Features</h2>{_items(*FEATURES)}<h2>Install</h2><p>pip install tinycsv</p>"
    f"<h2>Roadmap</h2>{_items('[x] Quotes', '[ ] Types', '[ ] Dates')}"
)

PAGES: dict[str, tuple[str, Any, list[Any], str]] = {
    "jobs": (CV, _item(company=TEXT, title=TEXT), JOBS, "work experience"),
    "schools": (CV, _item(school=TEXT, degree=TEXT), SCHOOLS, "education"),
    "scorers": (LEAGUE, _item(player=TEXT, goals=NUMBER), SCORERS, "top scorers"),
    "lighthouses": (ISLANDS, _item(name=TEXT, built=NUMBER), LIGHTS, "all lighthouses"),
    "hours": (LIBRARY, _item(jour=TEXT, heures=TEXT), HOURS, "horaires d'ouverture"),
    "features": (README, {"type": "string"}, FEATURES, "features"),
}


def _ask(home: Path, html: str, schema: Any, answer: Any, query: str | None) -> tuple[ScrapeResult, list[str]]:
    model = FunctionModel(lambda prompt: json.dumps(answer(prompt) if callable(answer) else answer))
    with Gleaner(model=model, home=home) as gleaner:
        url = "https://site.example/page"
        result = gleaner.extract_html(html, url, output_schema=schema, query=query, config={"tiers": ["model"]})
    return result, model.prompts


def _in(prompt: str, records: list[Any]) -> list[Any]:
    return [one for one in records if (one if isinstance(one, str) else next(iter(one.values()))) in prompt]


@pytest.mark.req("CM-1", "EX-6")
@pytest.mark.parametrize("page", PAGES)
def test_pieces_outside_of_the_section_that_was_asked_for_are_not_counted_and_not_asked_about(
    tmp_path: Path, page: str
) -> None:
    html, item, records, query = PAGES[page]
    schema = {"type": "array", "items": item}
    result, prompts = _ask(tmp_path, html, schema, lambda prompt: _in(prompt, records), query)
    assert result.extraction is not None
    assert result.extraction.data == records
    assert (result.status, len(prompts)) == ("complete", 1)
    assert result.extraction.completeness.missing == []


@pytest.mark.req("CM-1", "EX-6")
@pytest.mark.parametrize("page", PAGES)
def test_a_piece_within_the_section_that_was_asked_for_is_missed(tmp_path: Path, page: str) -> None:
    html, item, records, query = PAGES[page]
    given = [records[0], records[2]]
    schema = {"type": "array", "items": item}
    result, _ = _ask(tmp_path, html, schema, lambda prompt: _in(prompt, given), query)
    assert result.extraction is not None
    assert (result.status, result.extraction.data) == ("partial", given)
    assert len(result.extraction.completeness.missing) == 1


@pytest.mark.req("CM-1", "EX-6")
def test_the_name_of_the_list_in_the_schema_names_its_section(tmp_path: Path) -> None:
    jobs = {"type": "array", "items": _item(company=TEXT, title=TEXT)}
    schema = {"type": "object", "properties": {"name": TEXT, "experience": jobs}}
    answer = {"name": "Ines Claes", "experience": JOBS}
    result, prompts = _ask(tmp_path, CV, schema, answer, None)
    assert result.extraction is not None
    assert (result.status, len(prompts), result.extraction.data) == ("complete", 1, answer)


@pytest.mark.req("CM-1", "EX-6")
@pytest.mark.parametrize("query", [None, "everything in the curriculum", "schools and jobs"])
def test_a_section_left_out_is_missed_where_the_question_names_none(tmp_path: Path, query: str | None) -> None:
    schema = {"type": "array", "items": _item(company=TEXT, title=TEXT)}
    result, _ = _ask(tmp_path, CV, schema, lambda prompt: _in(prompt, JOBS), query)
    assert result.extraction is not None
    assert result.status == "partial"
    assert len(result.extraction.completeness.missing) == len(SCHOOLS)


@pytest.mark.req("CM-1", "EX-6")
def test_a_section_that_the_model_passed_over_is_so_piece_by_piece(tmp_path: Path) -> None:
    asked = ["A degree in geology", "Fluent Norwegian", "A driving licence", "Boots of one's own"]
    sections = {
        "What you will do": ["Plan and carry out surveys", "Write reports", "Train the summer staff"],
        "What you bring": asked,
        "What we offer": ["25 days of holiday", "A pension plan", "A house by the sea"],
    }
    html = f"<h1>Geologist</h1>{''.join(f'<h2>{name}</h2>{_items(*texts)}' for name, texts in sections.items())}"
    answer = {"data": asked, "skipped": [0, 2]}
    schema = {"type": "array", "items": {"type": "string"}}
    result, prompts = _ask(tmp_path, html, schema, answer, "what is required")
    assert result.extraction is not None
    assert (result.status, len(prompts), result.extraction.data) == ("complete", 1, asked)
    assert result.extraction.completeness.missing == []
