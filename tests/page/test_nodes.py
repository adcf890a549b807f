"""The nodes of a page: their numbers, layers, texts, and their places in the Markdown."""

from pathlib import Path

import pytest
from gleaner.page.model import READ, Nodes, Page, PageOptions
from gleaner.page.opening import open_page
from hypothesis import given
from hypothesis import strategies as st

GOLDEN = sorted((Path(__file__).parents[1] / "golden").rglob("*.html"))
TAGS = (
    "<div>", "</div>", "<p>", "</p>", "<b>", "</b>", "<em>", "</em>", "<s>", "<a href=/x>", "</a>", "<h2>", "</h2>",
    "<ul>", "</ul>", "<ol>", "</ol>", "<li>", "<table>", "</table>", "<caption>", "<thead>", "<tbody>", "<tfoot>",
    "<tr>", "<th>", "<td>", "<td_colspan=2>", "<td_rowspan=2>", "<dl>", "<dt>", "<dd>", "<pre>", "</pre>", "<code>",
    "</code>", "<br>", "<blockquote>", "</blockquote>", "<sup>", "</sup>", "<nav>", "</nav>", "<p_hidden>", "<q>",
    "</q>", "<hr>", "<img_alt=Oak>", "<input_value=7>", "<select>", "<option>", "</select>", "<script>3</script>",
    "Larch jug", "$5", "12", "#", "-", "|", "**",
)  # fmt: skip


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def read_nodes(page: Page) -> list[int]:
    """Give the nodes that are read, but for what stands inside of code, which is one text."""
    nodes, written = page.nodes, page.written
    inside = {one for code in written.code for one in range(code + 1, nodes.ends[code])}
    beside = {one for bar in written.bars for one in range(bar, nodes.ends[bar])}
    return [at for at in range(len(nodes)) if nodes.layers[at] in READ and at not in inside | beside]


def check_places(page: Page) -> None:
    """Check that each span holds the text of its node, and lies in the span of the node around."""
    nodes = page.nodes
    for at in read_nodes(page):
        span = nodes.span(at)
        if span is None:
            continue
        start, end = span
        assert 0 <= start <= end <= len(page.text)
        if nodes.ends[at] == at + 1:
            assert letters(nodes.texts[at]) in letters(page.text[start:end]), (nodes.tags[at], nodes.texts[at])
        around = nodes.span(nodes.parents[at]) if at else span
        assert around is not None
        assert around[0] <= start
        assert end <= around[1]


@pytest.mark.req("EX-6", "CM-1")
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_each_span_holds_the_text_of_its_node_and_lies_in_the_one_around(path: Path) -> None:
    options = PageOptions(extract_links=True, shows_attributes=True)
    check_places(open_page(path.read_text("utf-8"), "https://site.example/", options))


@given(st.lists(st.sampled_from(TAGS), max_size=50))
def test_spans_hold_on_any_markup_and_the_markdown_does_not_depend_on_them(pieces: list[str]) -> None:
    markup = " ".join(pieces).replace("_", " ")
    page = open_page(markup, options=PageOptions(extract_links=True))
    check_places(page)
    check_structure(page.nodes)


def check_structure(nodes: Nodes) -> None:
    """Check that the numbers are those of document order: a node's descendants follow it, and no others."""
    for at in range(1, len(nodes)):
        up = nodes.parents[at]
        assert up < at < nodes.ends[at] <= nodes.ends[up]
    assert nodes.ends[0] == len(nodes)


def test_a_layer_says_what_each_node_is_there_for() -> None:
    page = open_page(
        "<title>Jugs</title><script>var a</script><nav><a href=/>Home</a></nav><h1>Jugs</h1><p hidden>Old</p>"
        "<button aria-expanded=false aria-controls=more>Details</button><div id=more hidden>Larch, by hand.</div>"
        "<p>Oak<img alt='' src=a.png></p>"
    )
    nodes = page.nodes
    found = {nodes.tags[at]: nodes.layers[at] for at in range(len(nodes))}
    assert found["title"] == found["script"] == found["head"] == "data"
    assert found["nav"] == found["a"] == "chrome"
    assert found["h1"] == found["img"] == found["button"] == "content"
    assert found["div"] == "unfolded"
    assert [nodes.layers[at] for at, tag in enumerate(nodes.tags) if tag == "p"] == ["hidden", "content"]
    hidden = nodes.tags.index("p")
    assert nodes.text(hidden) == "Old"
    assert [*filter(None, nodes.pieces(0))] == ["Jugs", "Details", "Larch, by hand.", "Oak"]


def test_what_a_person_sees_is_the_text_of_a_node() -> None:
    page = open_page(
        "<table><tr><td>Oak<td><i class='fa fa-check'></i><tr><td>Elm<td><i class='fa fa-times'></i></table>"
    )
    assert [page.nodes.text(at).strip() for at, tag in enumerate(page.nodes.tags) if tag == "td"] == [
        "Oak",
        "✓",
        "Elm",
        "✗",
    ]


def test_rows_that_roles_lay_out_are_rows() -> None:
    row = "<div role=row><span role=cell>{}</span><span role=cell>{}</span></div>"
    page = open_page(f"<div role=table>{row.format('Oak', 5)}{row.format('Elm', 7)}</div>")
    assert [tag for tag in page.nodes.tags if tag in ("table", "tr", "td")] == ["table", *("tr", "td", "td") * 2]


def test_a_list_between_the_items_of_another_one_lies_in_the_item_before() -> None:
    nodes = open_page("<ul><li>Oak<ul><li>Low</ul><li>Elm</li><ul><li>High</ul></ul>").nodes
    check_structure(nodes)
    last = len(nodes) - 1
    assert nodes.tags[nodes.parents[nodes.parents[last]]] == "li"
    assert [*filter(str.strip, nodes.pieces(nodes.parents[nodes.parents[last]]))] == ["Elm", "High"]


@pytest.mark.parametrize("selector", ["#a", "main > ul"])
def test_a_part_is_opened_with_the_head_of_its_page(selector: str) -> None:
    html = (
        "<html lang=en><title>Jugs</title><base href=/shop/><main><p>Menu</p><ul id=a><li><a href=x>Oak</a></ul></main>"
    )
    page = open_page(html, "https://a.example/", PageOptions(css_selector=selector, extract_links=True))
    assert (page.title, page.language, page.base) == ("Jugs", "en", "https://a.example/shop/")
    assert page.text == "- [Oak](https://a.example/shop/x)"
