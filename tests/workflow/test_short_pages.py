"""Pages that state more records than they show are paid for once, too; and each answer says "N of M"."""

from typing import Any

import pytest
from gleaner.contracts.models import ExtractionResult

from tests.support.asking import Pages
from tests.support.schemas import TEXT, records_of

SCHEMA = records_of(title=TEXT, city=TEXT)
CITIES = ["Lisbon", "Oslo", "Tampa", "Kyoto", "Leeds"]


def ask(pages: Pages, number: int, *, shown: int, stated: int, hidden: int = 0) -> tuple[ExtractionResult, int]:
    """Ask for a page that shows so many jobs and states so many; ``hidden`` ones stand where no recipe looks."""
    jobs: list[Any] = [{"title": f"Cook {number}{n:02}", "city": CITIES[n % 5]} for n in range(shown)]
    items = "".join(
        f'<li class="job"><a class="title" href="/j{n}">{one["title"]}</a><p class="city">{one["city"]}</p></li>'
        for n, one in enumerate(jobs[: shown - hidden])
    )
    others = "".join(f"<p>{one['title']} in {one['city']}</p>" for one in jobs[shown - hidden :])
    html = f"<html><body><main><h1>{stated} jobs found</h1><ul>{items}</ul>{others}</main></body></html>"
    return pages.ask(html, f"https://jobs.example/list?page={number}", SCHEMA, jobs)


@pytest.mark.req("RC-1", "RC-2", "CM-1")
def test_a_recipe_answers_pages_that_show_less_than_they_state_with_the_same_n_of_m(pages: Pages) -> None:
    first, paid = ask(pages, 1, shown=12, stated=240)
    assert (first.tier, first.is_partial, paid) == ("model", True, 1)
    for number, shown in ((2, 12), (3, 9), (4, 15)):
        found, paid = ask(pages, number, shown=shown, stated=20 * shown)
        assert (found.tier, found.is_partial, paid) == ("recipe", True, 0)
        assert (found.completeness.returned, found.completeness.expected) == (shown, 20 * shown)
        assert f"{shown} of {20 * shown} records were extracted." in found.warnings


@pytest.mark.req("RC-2", "CM-1")
def test_a_recipe_of_such_pages_does_not_overlook_a_few_records(pages: Pages) -> None:
    ask(pages, 1, shown=12, stated=240)
    found, paid = ask(pages, 2, shown=12, stated=12, hidden=1)
    assert found.tier == "model"
    assert paid > 0


@pytest.mark.req("RC-2", "CM-1")
def test_a_recipe_of_pages_that_show_all_says_how_many_one_shows_that_shows_less(pages: Pages) -> None:
    assert ask(pages, 1, shown=12, stated=12)[0].is_partial is False
    assert ask(pages, 2, shown=10, stated=10)[0].tier == "recipe"
    found, paid = ask(pages, 3, shown=11, stated=30)
    assert (found.tier, found.is_partial, paid) == ("recipe", True, 0)
    assert "11 of 30 records were extracted." in found.warnings
    found, paid = ask(pages, 4, shown=20, stated=30)  # more than half: the others may stand here, too
    assert (found.tier, found.is_partial, paid > 0) == ("model", True, True)
