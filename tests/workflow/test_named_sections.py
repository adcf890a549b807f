"""A question that names a section of the page asks for what stands there: the other sections' pieces are no loss."""

from pathlib import Path
from typing import Any

import pytest
from gleaner.contracts.models import ScrapeResult

from tests.support.asking import answered, bullets
from tests.support.schemas import MAYBE_TEXT, TEXT, list_of, object_of

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


def _ask(home: Path, html: str, schema: Any, answer: Any, query: str | None) -> tuple[ScrapeResult, list[str]]:
    return answered(home, html, schema, answer, query=query, config={"tiers": ["model"]})


@pytest.mark.req("CM-1", "EX-6")
@pytest.mark.parametrize("query", [None, "everything in the curriculum", "schools and jobs"])
def test_a_section_left_out_is_missed_where_the_question_names_none(tmp_path: Path, query: str | None) -> None:
    schema = list_of(object_of("company", company=MAYBE_TEXT, title=MAYBE_TEXT))
    result, _ = _ask(tmp_path, CV, schema, lambda shown: [one for one in JOBS if one["company"] in shown], query)
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
    html = f"<h1>Geologist</h1>{''.join(f'<h2>{name}</h2>{bullets(*texts)}' for name, texts in sections.items())}"
    answer = {"data": asked, "skipped": [0, 2]}
    result, prompts = _ask(tmp_path, html, list_of(TEXT), answer, "what is required")
    assert result.extraction is not None
    assert (result.status, len(prompts), result.extraction.data) == ("complete", 1, asked)
    assert result.extraction.completeness.missing == []
