"""Markdown's own signs, as a page writes them: rendered, the text says what the page said."""

import pytest
from gleaner.markdown import extract_clean_markdown
from markdown_it import MarkdownIt

pytestmark = pytest.mark.req("MD-1")


def markdown_of(html: str) -> str:
    return extract_clean_markdown(html, "https://a.example/", extract_links=True)[0]


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        (r"<p>Use <code>\alpha</code>, <code>\\server\share</code>", r"Use `\alpha`, `\\server\share`"),
        (r"<p><code># 1</code>, <code>\# 1</code>, <code>----</code>", r"`# 1`, `\# 1`, `----`"),
        (r"<p><code>\&lt;b></code>, <code>[a](b)</code>", r"`\<b>`, `[a](b)`"),
        (r"<h2>\alpha and <code>\beta</code></h2>", r"## \alpha and `\beta`"),
        ("<h2># 1</h2>", "## # 1"),
    ],
)
def test_code_and_headings_keep_the_backslashes_that_are_theirs(html: str, markdown: str) -> None:
    assert markdown_of(html) == markdown


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>New!<a href=/x>Read more</a>", "Read more"),
        ("<p><a href=/x>1]</a>", "1]"),
        ("<p><a href=/x>][</a>", "]["),
        ("<p><a href=/x>c[iao</a>", "c[iao"),
        (r"<p><a href=/x>C:\</a>", "C:\\"),
        ("<p><a href=/x>Lamps [2] of <b>[ash]</b></a>", "Lamps [2] of <strong>[ash]</strong>"),
    ],
)
def test_a_link_is_read_as_a_link_whatever_stands_in_it_or_before_it(html: str, text: str) -> None:
    rendered = MarkdownIt().render(markdown_of(html))
    assert f'<a href="https://a.example/x">{text}</a>' in rendered
    assert "<img" not in rendered


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<p>Needed <em>*</em> and <strong>**</strong>", "Needed * and **"),
        ("<p><strong>* Required</strong>", "* Required"),
        ("<b><ol><li>One<li>Two</ol></b>", "1. One\n2. Two"),
        ("<em><blockquote>Said</blockquote></em>", "> Said"),
        ("<b>1. Introduction</b>", "**1. Introduction**"),
        ("sort(<em>*</em>, <em>key</em>)", "sort(*, *key*)"),
        ("<em><strong>Both</strong></em>", "***Both***"),
        ("<b>Width</b><b>:</b> 5", "**Width:** 5"),
        ("<p><b>>> More</b>", "**>> More**"),
    ],
)
def test_emphasis_joins_no_signs_to_those_of_the_page(html: str, markdown: str) -> None:
    assert markdown_of(html) == markdown


def test_a_link_around_a_table_in_a_quote_leaves_both_as_they_are() -> None:
    html = "<a href=/x><blockquote><table><tr><td>A<td>B</table></blockquote></a>"
    assert markdown_of(html) == "> | A | B |\n> | --- | --- |"


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<del><p>Was 50 €<p>No longer sold</del>", "~~Was 50 €~~\n\n~~No longer sold~~"),
        ("<s><ul><li>Larch<li>Ash</ul></s>", "- ~~Larch~~\n- ~~Ash~~"),
        ("<del><h2>Old</h2><p>Text <b>here</b></del><p>New", "## ~~Old~~\n\n~~Text **here**~~\n\nNew"),
        ("<del>Was 50 €</del>", "~~Was 50 €~~"),
        ("<del><table><tr><td>a<td>b</table></del>", "| a | b |\n| --- | --- |"),
    ],
)
def test_what_is_struck_out_is_marked_in_each_of_its_lines(html: str, markdown: str) -> None:
    assert markdown_of(html) == markdown
