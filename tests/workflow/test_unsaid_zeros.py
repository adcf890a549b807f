"""Counts that a page leaves out where they are 0: they are doubted, served, and paid for once."""

from typing import Any

import pytest
from gleaner.contracts.json_pointers import value_at
from gleaner.contracts.models import ExtractionResult

from tests.support.asking import Pages
from tests.support.schemas import INTEGER, TEXT, records_of

SCHEMA = records_of(title=TEXT, author=TEXT, opened=TEXT, comments=INTEGER)
WORDS = ["Violins", "Ledgers", "Turbines", "Kettles"]


def ask(pages: Pages, number: int, form: str = "<i>{}</i>") -> tuple[ExtractionResult, int]:
    """Ask for a page of issues, every third of them without comments; ``form`` is how their number is written."""
    issues: list[Any] = [
        {
            "title": f"{WORDS[n % 4]} {number}x{n} of the harbor",
            "author": f"{WORDS[n % 3].lower()}{n}",
            "opened": f"{n + 1} May {2010 + number}",
            "comments": (n + number) % 3 * 7 + (n if (n + number) % 3 else 0),
        }
        for n in range(12)
    ]
    items = "".join(
        f"<li class='issue'><a href='/{n}'>{one['title']}</a>"
        f"<p><b class='by'>{one['author']}</b> on {one['opened']}</p>"
        + (form.format(one["comments"]) if one["comments"] else "")
        + "</li>"
        for n, one in enumerate(issues)
    )
    html = f"<html><body><main><h1>Issues</h1><ul>{items}</ul></main></body></html>"
    found, paid = pages.ask(html, f"https://issues.example/list?page={number}", SCHEMA, issues)
    assert found.data == issues
    return found, paid


@pytest.mark.req("RC-1", "RC-2", "PR-6")
def test_counts_of_zero_that_the_page_leaves_out_are_doubted_and_paid_for_once(pages: Pages) -> None:
    first, paid = ask(pages, 1)
    assert (first.tier, first.is_partial, first.withheld) == ("model", False, []) and paid > 0
    for number in (2, 3):
        found, paid = ask(pages, number)
        assert (found.tier, found.is_partial, paid) == ("recipe", False, 0)
        doubted = [entry.pointer for entry in found.provenance if entry.doubt == "nothing states it"]
        assert {value_at(found.data, pointer) for pointer in doubted} == {0}


@pytest.mark.req("RC-2")
def test_counts_that_stand_in_another_place_now_are_not_taken_for_zeros(pages: Pages) -> None:
    ask(pages, 1)
    found, paid = ask(pages, 2, form="<b>{} of 90</b>")
    assert found.tier == "model" and paid > 0
