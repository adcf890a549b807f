"""Whole pages: each folder of tests/golden/markdown holds input.html and output.md.

Its main.md is what a person would read there; the quality ratchet says how near the main content comes to it.
"""

from pathlib import Path

import pytest
from gleaner.markdown import extract_clean_markdown

CASES = sorted(Path(__file__).parent.parent.glob("golden/markdown/*/input.html"))
URL = "https://site.example/dir/page"


@pytest.mark.req("MD-1", "MD-2")
@pytest.mark.parametrize("case", CASES, ids=lambda path: path.parent.name)
def test_the_full_view_of_a_page(case: Path) -> None:
    assert extract_clean_markdown(case.read_text("utf-8"), URL)[0] + "\n" == (case.parent / "output.md").read_text(
        "utf-8"
    )
