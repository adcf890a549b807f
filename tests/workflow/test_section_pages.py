"""Records that are sections under headings, with lists in sections of their own: paid for once, none swallowed."""

from typing import Any

import pytest

from tests.support.asking import Pages
from tests.support.schemas import TEXT, list_of, records_of

SCHEMA = records_of(version=TEXT, added=list_of(TEXT), fixed=list_of(TEXT))
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


def changelog(page: int, odd: int = -1) -> str:
    """Give a page on which the heading of the ``odd`` release is of the level of those inside."""
    body = "".join(section(one, "h3" if n == odd else "h2") for n, one in enumerate(releases(page)))
    return f"<html><body><main><h1>Changes</h1>{body}</main></body></html>"


@pytest.mark.req("RC-2", "CM-1")
@pytest.mark.parametrize("odd", [3, 7, 11])
def test_a_section_that_swallows_the_next_record_is_not_served(pages: Pages, odd: int) -> None:
    for page, html in ((1, changelog(1)), (2, changelog(2)), (3, changelog(3, odd))):
        found, paid = pages.ask(html, f"https://log.example/{page}", SCHEMA, releases(page), mark="Version {}")
    assert found.tier == "model"
    assert paid > 0
