"""Counts that a page leaves out where they are 0: they are doubted, served, and paid for once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.contracts.json_pointers import value_at
from gleaner.contracts.models import ExtractionResult
from gleaner.testing import ScriptedModel, TrueRecord

SCHEMA: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "author": {"type": "string"},
            "opened": {"type": "string"},
            "comments": {"type": "integer"},
        },
        "required": ["title", "author", "opened", "comments"],
    },
}

WORDS = ["Violins", "Ledgers", "Turbines", "Kettles"]


class Site:
    """One installation that is asked for page after page of issues."""

    def __init__(self, home: Path) -> None:
        self.model = ScriptedModel([])
        self.gleaner = Gleaner(model=self.model, home=home)

    def ask(self, number: int, form: str = "<i>{}</i>") -> tuple[ExtractionResult, int]:
        """Ask for a page of issues, every third of them without comments; ``form`` is how their number is written."""
        issues = [
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
        self.model.truth = [TrueRecord({**one}, (one["title"],)) for one in issues]
        before = len(self.model.requests)
        result = self.gleaner.extract_html(
            f"<html><body><main><h1>Issues</h1><ul>{items}</ul></main></body></html>",
            f"https://issues.example/list?page={number}",
            output_schema=SCHEMA,
            config={"tiers": ["recipe", "model"]},
        )
        assert result.extraction is not None and result.extraction.data == issues
        return result.extraction, len(self.model.requests) - before


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    made = Site(tmp_path / "home")
    yield made
    made.gleaner.close()


@pytest.mark.req("RC-1", "RC-2", "PR-6")
def test_counts_of_zero_that_the_page_leaves_out_are_doubted_and_paid_for_once(site: Site) -> None:
    first, paid = site.ask(1)
    assert (first.tier, first.is_partial, first.withheld) == ("model", False, []) and paid > 0
    for number in (2, 3):
        found, paid = site.ask(number)
        assert (found.tier, found.is_partial, paid) == ("recipe", False, 0)
        doubted = [entry.pointer for entry in found.provenance if entry.doubt == "nothing states it"]
        assert {value_at(found.data, pointer) for pointer in doubted} == {0}


@pytest.mark.req("RC-2")
def test_counts_that_stand_in_another_place_now_are_not_taken_for_zeros(site: Site) -> None:
    site.ask(1)
    found, paid = site.ask(2, form="<b>{} of 90</b>")
    assert found.tier == "model" and paid > 0
