"""Ends of lines that style keeps are lines of the page, and each may hold a record."""

import pytest
from gleaner.html.dom import parse_html
from gleaner.page.opening import open_page
from lxml.html import tostring


def html_of(markup: str) -> str:
    body = parse_html(f"<body>{markup}</body>").find("body")
    return str(tostring(body, encoding="unicode"))


@pytest.mark.req("MD-1", "CM-1")
@pytest.mark.parametrize(
    ("markup", "shown"),
    [
        ('<div style="white-space: pre-line">A\nB<b>c\nd</b>e\nf</div>', "A<br>B<b>c<br>d</b>e<br>f"),
        ('<p style="color:red;white-space:pre-wrap">A\nB</p>', "A<br>B"),
        ('<p style="white-space:normal;white-space:break-spaces">A\nB</p>', "A<br>B"),
        ('<p style="white-space:pre-line"><i style="white-space:normal">A\nB</i>\n<i>C</i></p>', "A\nB</i>\n<i>C"),
        ('<p style="white-space:nowrap">A\nB</p>', "A\nB"),
        ('<pre style="white-space:pre-wrap">A\nB</pre>', "A\nB"),
        ('<pre><span style="white-space:pre-wrap">A\nB</span></pre>', "A\nB"),
        ('<div style="white-space:pre-line"><pre>A\nB</pre></div>', "A\nB"),
    ],
)
def test_an_end_of_a_line_that_style_keeps_is_a_break(markup: str, shown: str) -> None:
    assert shown in html_of(markup)


@pytest.mark.req("CM-1")
def test_lines_that_style_keeps_are_pieces_of_the_page() -> None:
    markup = '<div style="white-space: pre-line">Ann, 1\nBen, 2\nCyd, 3</div>'
    page = open_page(f"<body>{markup}</body>", "")
    assert "Ben, 2" in {page.text[unit.start : unit.end] for unit in page.units}


@pytest.mark.req("MD-6")
def test_ends_of_many_lines_take_no_more_time_each_than_those_of_few() -> None:
    """Breaks set one by one, each at a place that is counted anew, took minutes."""
    lines = "a\n" * 50_000 + "<b>x</b>a\nb" * 20_000
    assert html_of(f'<div style="white-space: pre-line">{lines}</div>').count("<br>") == 70_000
