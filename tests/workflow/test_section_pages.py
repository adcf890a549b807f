"""Records that are sections under headings, with lists in sections of their own: paid for once, none swallowed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.contracts.models import ExtractionResult
from gleaner.testing import ScriptedModel, TrueRecord

TEXTS = {"type": "array", "items": {"type": "string"}}
PROPERTIES: dict[str, Any] = {"version": {"type": "string"}, "added": TEXTS, "fixed": TEXTS}
SCHEMA: dict[str, Any] = {
    "type": "array",
    "items": {"type": "object", "properties": PROPERTIES, "required": [*PROPERTIES]},
}
Release = dict[str, Any]


def releases(page: int) -> list[Release]:
    return [
        {
            "version": f"{page}.{n}.{7 * n % 5}",
            "added": [f"Command {page}{n}{k} takes a file." for k in range((n + page) % 3)],
            "fixed": [f"The list {page}{n}{k} was short." for k in range((2 * n + page) % 3)],
        }
        for n in range(12)
    ]


def section(one: Release, level: str) -> str:
    parts = (("Added", one["added"]), ("Fixed", one["fixed"]))
    lists = "".join(
        f"<h3>{title}</h3><ul>{''.join(f'<li>{text}</li>' for text in texts)}</ul>" for title, texts in parts if texts
    )
    return f"<{level}>Version {one['version']}</{level}>{lists}"


class Site:
    """One installation that is asked for page after page of a changelog."""

    def __init__(self, home: Path) -> None:
        self.model = ScriptedModel([])
        self.gleaner = Gleaner(model=self.model, home=home)

    def ask(self, page: int, *, odd: int = -1) -> tuple[ExtractionResult, int]:
        """Ask for a page on which the heading of the ``odd`` release is of the level of those inside."""
        found = releases(page)
        body = "".join(section(one, "h3" if n == odd else "h2") for n, one in enumerate(found))
        html = f"<html><body><main><h1>Changes</h1>{body}</main></body></html>"
        self.model.truth = [TrueRecord({**one}, (f"Version {one['version']}",)) for one in found]
        before = len(self.model.requests)
        config = {"tiers": ["recipe", "model"]}
        result = self.gleaner.extract_html(html, f"https://log.example/{page}", output_schema=SCHEMA, config=config)
        assert result.extraction is not None
        return result.extraction, len(self.model.requests) - before


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    made = Site(tmp_path / "home")
    yield made
    made.gleaner.close()


@pytest.mark.req("RC-2", "CM-1")
@pytest.mark.parametrize("odd", [3, 7, 11])
def test_a_section_that_swallows_the_next_record_is_not_served(site: Site, odd: int) -> None:
    for page in (1, 2):
        site.ask(page)
    found, paid = site.ask(3, odd=odd)
    assert found.tier == "model"
    assert paid > 0
