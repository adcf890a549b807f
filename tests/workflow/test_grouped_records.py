"""Records in sections and in pairs of table rows: what is counted are the records, not what holds them (CM-1)."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.asking import answered, bullets
from tests.support.schemas import MAYBE_TEXT, TEXT, list_of, object_of, records_of

JOBS: list[dict[str, Any]] = [
    {"title": f"{name} {number}", "firm": firm, "city": city, "pay": 20_000 + 1_000 * number}
    for number, (name, firm, city) in enumerate(
        [
            ("Welder", "Ostrom", "Bonn"),
            ("Cook", "Hale", "Bonn"),
            ("Nurse", "Vaal", "Bonn"),
            ("Driver", "Hale", "Bonn"),
            ("Clerk", "Ostrom", "Bonn"),
            ("Cook", "Vaal", "Lyon"),
            ("Driver", "Ostrom", "Lyon"),
            ("Nurse", "Hale", "Lyon"),
            ("Welder", "Hale", "Graz"),
            ("Clerk", "Vaal", "Graz"),
            ("Cook", "Ostrom", "Graz"),
            ("Driver", "Vaal", "Graz"),
        ]
    )
]
SCHEMA = list_of(object_of("title", title=TEXT, firm=TEXT, city=TEXT, pay={"type": ["integer", "null"]}))
SECTIONS = "".join(
    f"<h2>{city}</h2><ul>"
    + "".join(f"<li>{job['title']} at {job['firm']} ({job['pay']})</li>" for job in JOBS if job["city"] == city)
    + "</ul>"
    for city in ("Bonn", "Lyon", "Graz")
)
PAIRS = (
    "<table>"
    + "".join(
        f"<tr><td><b>{job['title']}</b></td><td>{job['pay']}</td></tr>"
        f"<tr><td colspan=2>{job['firm']}, {job['city']}</td></tr>"
        for job in JOBS
    )
    + "</table>"
)
PAGES = {"sections of lists": SECTIONS, "two table rows a record": PAIRS}


def extract(home: Path, body: str, first: list[dict[str, Any]], *, later: bool) -> tuple[Any, int]:
    """Give the result of a model that answers ``first``, and what it sees when asked again, or the same if not."""
    seen = (lambda shown: [job for job in JOBS if job["title"] in shown]) if later else first
    result, prompts = answered(home, body, SCHEMA, first, seen, query="all jobs")
    return result, len(prompts)


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("page", PAGES)
def test_an_honest_answer_is_complete_and_counted_by_its_records(tmp_path: Path, page: str):
    result, calls = extract(tmp_path, PAGES[page], JOBS, later=False)
    assert (result.status, calls) == ("complete", 1)
    assert result.extraction.data == JOBS
    assert result.extraction.completeness.expected == len(JOBS)


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("page", PAGES)
def test_a_record_that_is_never_given_is_named(tmp_path: Path, page: str):
    result, _ = extract(tmp_path, PAGES[page], [job for job in JOBS if job["title"] != "Nurse 2"], later=False)
    assert result.status == "partial"
    assert ["Nurse 2" in unit.text for unit in result.extraction.completeness.missing] == [True]


@pytest.mark.req("EX-6")
@pytest.mark.parametrize("page", PAGES)
def test_records_that_are_lost_are_asked_for_and_come_back_right(tmp_path: Path, page: str):
    first = [job for at, job in enumerate(JOBS) if at not in (2, 7, 11)]
    result, _ = extract(tmp_path, PAGES[page], first, later=True)
    assert result.status == "complete"
    assert result.extraction.data == JOBS


@pytest.mark.req("PR-2", "PR-6")
@pytest.mark.parametrize("page", PAGES)
def test_a_field_whose_values_are_the_next_records_is_refused_and_the_result_partial(tmp_path: Path, page: str):
    shifted = [{**job, "pay": after["pay"]} for job, after in zip(JOBS, JOBS[1:] + JOBS[:1], strict=True)]
    result, calls = extract(tmp_path, PAGES[page], shifted, later=True)
    assert (result.status, calls) == ("partial", 1)
    told = {one.pointer for one in result.extraction.provenance if one.status == "ungrounded" or one.doubt}
    assert told >= {f"/{at}/pay" for at in range(len(JOBS))}
    assert [{**one, "pay": None} for one in result.extraction.data] == [{**job, "pay": None} for job in JOBS]
    assert any("/*/pay" in error.message for error in result.extraction.errors)


NAMES = [f"Big item number {number}" for number in range(1, 15)]
LINKS = bullets(*(f'<a href="/p/{name[-2:].strip()}">{name}</a>' for name in NAMES))


def names_given(home: Path, body: str, names: list[str]) -> Any:
    given = [{"name": name} for name in names]
    return answered(home, body, list_of(object_of(name=TEXT)), given, query="all items")[0]


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("count", [1, 2, 13])
def test_a_list_that_looks_like_a_menu_counts_once_a_record_comes_from_it(tmp_path: Path, count: int):
    result = names_given(tmp_path, f"<h1>Our items</h1>{LINKS}", NAMES[:count])
    assert result.status == "partial"
    assert result.extraction.completeness.expected == len(NAMES)


def test_the_trail_to_a_page_is_no_list_of_things_like_the_page(tmp_path: Path):
    trail = '<ul><li><a href="/">Home</a></li><li><a href="/pans">Pans</a></li><li>Iron pan</li></ul>'
    result = names_given(tmp_path, f"{trail}<h1>Iron pan</h1><p>A pan for life.</p>", ["Iron pan"])
    assert result.status == "complete"


BILLS: list[dict[str, Any]] = [
    {"title": f"Lantern Act {100 + 17 * number}", "date": f"2025-05-{day:02}"}
    for number, day in enumerate((9, 8, 8, 6, 4, 4, 4, 2))
]


def below_their_days(bills: list[dict[str, Any]]) -> str:
    days = dict.fromkeys(one["date"] for one in bills)
    rows = {day: "".join(f"<dd><a>{one['title']}</a>, Lords" for one in bills if one["date"] == day) for day in days}
    return f"<dl>{''.join(f'<dt>{int(day[-2:])} May 2025{inside}' for day, inside in rows.items())}</dl>"


@pytest.mark.req("CM-1", "PR-1")
@pytest.mark.parametrize("given", [BILLS, BILLS[:2] + BILLS[3:]])
def test_each_description_of_a_day_is_a_record_of_that_day(tmp_path: Path, given: list[dict[str, Any]]) -> None:
    schema = records_of(title=TEXT, date={**TEXT, "format": "date"})
    result, _ = answered(tmp_path, below_their_days(BILLS), schema, given, query="all bills")
    assert result.status == ("complete" if given == BILLS else "partial")
    assert result.extraction and result.extraction.data == given


@pytest.mark.req("PR-1")
def test_a_day_that_stands_over_other_descriptions_proves_nothing(tmp_path: Path) -> None:
    moved = [{**BILLS[0], "date": BILLS[3]["date"]}, *BILLS[1:]]
    schema = records_of(title=TEXT, date={**MAYBE_TEXT, "format": "date"})
    result, _ = answered(tmp_path, below_their_days(BILLS), schema, moved)
    assert result.extraction and result.extraction.data[0]["date"] is None
