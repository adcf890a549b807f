"""Tier 0 on hand-made pages: each folder of tests/golden/structured has page.html and case.json.

``expected`` is what tier 0 answers, null where it leaves the page to the next tier. One page stands for each mechanism.
"""

import json
from pathlib import Path

import pytest
from gleaner.structured import extract_structured

CASES = sorted(Path(__file__).parent.parent.glob("golden/structured/*/case.json"))


@pytest.mark.req("RC-4")
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.parent.name)
def test_a_page_is_answered_right_or_left_alone(path: Path) -> None:
    case = json.loads(path.read_text("utf-8"))
    html = (path.parent / "page.html").read_text("utf-8")
    assert extract_structured(html, case["url"], case["schema"]) == case["expected"]


def test_there_are_at_most_150_pages_one_for_each_mechanism() -> None:
    assert 50 < len(CASES) <= 150
