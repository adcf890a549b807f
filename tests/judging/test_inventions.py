"""No invention ends complete, and no right answer of the same pages ends anything else."""

import pytest
from measure.inventions import PAGES, WORDS, WORDS_PAGE, Invention, Page, inventions, outcome, status_in_words


@pytest.mark.req("PR-3", "PR-4", "PR-5")
@pytest.mark.parametrize("invention", inventions(), ids=lambda one: one.name)
def test_an_invention_is_not_served_as_complete(invention: Invention) -> None:
    status, _ = outcome(invention.page, invention.answer())
    assert status == "partial"


@pytest.mark.req("PR-2", "PR-3")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_right_answer_of_a_page_is_complete_and_whole(page: Page) -> None:
    assert outcome(page, page.right) == ("complete", page.right)


@pytest.mark.req("EX-11")
@pytest.mark.parametrize("said", WORDS)
def test_an_invention_in_words_is_not_served_as_complete(said: str) -> None:
    assert status_in_words(WORDS[said]) == "partial"


@pytest.mark.req("EX-11")
def test_the_right_answer_in_words_is_complete() -> None:
    assert status_in_words(WORDS_PAGE.right) == "complete"
