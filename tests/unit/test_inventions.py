"""No invention ends complete, and no right answer of the same pages ends anything else."""

import pytest
from measure.inventions import PAGES, Invention, Page, inventions, outcome


@pytest.mark.req("PR-3", "PR-4", "PR-5")
@pytest.mark.parametrize("invention", inventions(), ids=lambda one: one.name)
def test_an_invention_is_not_served_as_complete(invention: Invention) -> None:
    status, _ = outcome(invention.page, invention.answer())
    assert status == "partial"


@pytest.mark.req("PR-2", "PR-3")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_right_answer_of_a_page_is_complete_and_whole(page: Page) -> None:
    assert outcome(page, page.right) == ("complete", page.right)
