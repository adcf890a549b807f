"""HTML that breaks off before its end, told from HTML that leaves out what it may."""

import json

import pytest
from gleaner import Gleaner
from gleaner.html.decoding.truncation import cut_off
from gleaner.testing import FunctionModel

from tests.support.schemas import TEXT, records_of

PAGE = (
    "<!doctype html><html><body><main><ul><li><h2>Elm</h2><a href='/elm'>9 €</a></li><li><h2>Oak</h2></li></ul></main>"
    "</body></html>"
)
SCHEMA = records_of(name=TEXT)


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("end", ["<h2>Oa", "<a href='/el", "<li><h2>Oak", "</a></li>", "<ul>"])
def test_a_page_that_ends_in_the_middle_is_known(end: str) -> None:
    assert cut_off(PAGE[: PAGE.index(end) + len(end)])
    assert cut_off("<!doctype html><ul><li>Elm</ul><a href='/oak")


@pytest.mark.req("CM-1")
@pytest.mark.parametrize(
    "html",
    [
        PAGE,
        PAGE.replace("</body></html>", ""),
        "<!doctype html><title>Tea</title><ul><li>Green<li>Black</ul><p>Bye",
        "<!doctype html><html><body><center><font size=2><table><tr><td>Old page",
        "<ul><li><a href='/p'>A part of a pa",
        PAGE + "<!-- served by 7",
        "",
    ],
)
def test_a_page_without_its_last_end_tags_is_whole(html: str) -> None:
    assert not cut_off(html)


@pytest.mark.req("CM-1")
def test_what_a_page_that_breaks_off_gives_is_partial(tmp_path) -> None:
    html = PAGE[: PAGE.index("<h2>Oak")]
    model = FunctionModel(lambda _: json.dumps([{"name": "Elm"}]))
    with Gleaner(model=model, home=tmp_path) as gleaner:
        result = gleaner.extract_html(html, "https://shop.example/", query="all trees", output_schema=SCHEMA)
    assert result.status == "partial"
    assert result.extraction and [error.error_type for error in result.extraction.errors] == ["unsupported_content"]
    assert "breaks off" in result.extraction.errors[0].message
