"""One tree from any text (MD-5, MD-6)."""

import time

import pytest
from gleaner.contracts.errors import InvalidSelector, SelectorNotFound
from gleaner.html.dom import MAX_DEPTH, flatten, parse_html, select_part, visible_text
from gleaner.markdown import main_content
from gleaner.page.opening import open_page
from hypothesis import example, given
from hypothesis import strategies as st


def depth_of(html: str) -> int:
    deepest, stack = 0, [(parse_html(html), 1)]
    while stack:
        element, depth = stack.pop()
        deepest = max(deepest, depth)
        stack.extend((child, depth + 1) for child in element)
    return deepest


@pytest.mark.req("MD-6")
@pytest.mark.parametrize("tag", ["div", "ul><li", "b", "blockquote><p", "table><tr><td", "article"])
def test_ten_thousand_levels_keep_all_text_in_a_tree_of_bounded_depth(tag: str) -> None:
    html = f"<{tag}>w" * 10_000 + "<p>end"
    assert visible_text(parse_html(html)).count("w") == 10_000
    assert depth_of(html) <= MAX_DEPTH
    page = open_page(html)
    assert page.text.count("w") == 10_000
    assert page.text.rstrip("*").endswith("end")
    assert len(page.units) < 4 * 10_000


PIECES = (
    *("<div>", "<p>", "<a>", "<b>", "<i>", "<span>", "<table>", "<tr>", "<td>", "<ul>", "<li>", "<font>", "<select>"),
    *("<option>", "<h1>", "<dl>", "<dd>", "<form>", "<nobr>", "<svg>", "<br>", "<img src=x>", '<x-y a=">">'),
    *("</div>", "</p>", "</a>", "</b>", "</td>", "</table>", "</ul>", "</form>", "</br>", "<!-- x -->"),
    *("<!-- <script> -->", "<![CDATA[<script>]]>", "<p title='<b>'>", "<a href='<div>'>", "<!doctype html>"),
    *("<title>a<b></title>", "<script>if (a<b) '</div>'</script>", "<style><!-- </style>"),
)


@pytest.mark.req("MD-6")
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=8), st.sampled_from([1, 40, 130, 400]))
@example(["<!-- <script> -->", *["<div>"] * 6], 60)
@example(["<a>", "<div>", "</a>"], 240)
@example(["<p title='<script>'>", "<ul>", "<li>"], 150)
def test_markup_of_any_depth_loses_no_text_in_a_tree_of_bounded_depth(pieces: list[str], times: int) -> None:
    html = "".join(f"{piece}word " for piece in pieces) * times
    assert "".join(parse_html(html).itertext()).count("word") == len(pieces) * times
    assert depth_of(html) <= MAX_DEPTH


LONG = "word " * 2_100_000


@pytest.mark.req("MD-6")
@pytest.mark.parametrize(
    "html",
    [f"<p>{LONG}", f"<script>{LONG}</script>", f"<!--{LONG}-->", f"<a href='{LONG}'>x</a>", f"<b><p></b>{LONG}"],
    ids=["text", "script", "comment", "attribute", "text in wrong nesting"],
)
def test_ten_million_characters_in_one_piece_do_not_end_the_page(html: str) -> None:
    root = parse_html(f"<p>before</p>{html}<p>after")
    assert [visible_text(part) for part in (root.findall(".//p")[0], root.findall(".//p")[-1])] == ["before", "after"]
    assert "".join(root.itertext()).count("word") == (2_100_000 if "<p" in html or "script" in html else 0)


@pytest.mark.req("MD-6")
@pytest.mark.parametrize(
    "html", ["<a><div></a>word " * 400 + LONG, LONG + "<a><div></a>word " * 400], ids=["deep first", "long first"]
)
def test_a_page_that_is_too_deep_and_has_too_long_a_text_keeps_both_bounds(html: str) -> None:
    assert "".join(parse_html(html).itertext()).count("word") == 2_100_400
    assert depth_of(html) <= MAX_DEPTH


AWKWARD = {
    "one line": "<p>" + "word " * 200_000,
    "spaces": "<p>a" + " " * 2_000_000 + "b",
    "one list": "<ul>" + "<li>item" * 2_000,
    "one table": "<table>" + "<tr><td>a<td>b" * 1_250,
    "unclosed": "<div>x" * 6_000,
    "unclosed formatting": "".join(f"<b class={n}><p>x" for n in range(2_500)) + "</i>",
    "rowspan": "<table>" + "<tr><td rowspan=65534>a<td>b" * 800,
    "colspan": "<table>" + "<tr><td colspan=1000>a<td colspan=1000>b" * 750,
    "both spans": "<table><tr>" + "<td rowspan=65534 colspan=1000>a" * 300 + "<tr><td>b" * 1_500,
    "nothing but brackets": "<" * 300_000,
    "comments": "<!--" * 100_000,
    "data image": "<img src='data:image/png;base64," + "A" * 3_000_000 + "'>x",
    "script": "<script>" + "x" * 3_000_000 + "</script>y",
    "hidden pieces": "<p hidden>x</p>y" * 5_000,
    "menus": "<nav><a href=x>y</a></nav>" * 5_000,
    "nested menus": "<nav>some text for 5 $ and 6 $ " * 1_250,
    "nulls and surrogates": "\x00" * 100_000 + "<p>x\ud800y",
}


@pytest.mark.req("MD-6")
@pytest.mark.timeout(60)
@pytest.mark.parametrize("html", AWKWARD.values(), ids=AWKWARD.keys())
def test_awkward_shapes_end_soon_and_small(html: str) -> None:
    page = open_page(html)
    assert len(page.text) < 4 * len(html) + 100
    main_content(html)


@pytest.mark.req("MD-6")
@given(st.binary(max_size=300))
def test_any_bytes_have_a_tree(raw: bytes) -> None:
    assert parse_html(raw.decode("utf-8", "surrogateescape")).tag == "html"
    open_page(raw.decode("latin-1"))


@pytest.mark.req("MD-6")
def test_wrong_nesting_is_mended_as_a_browser_does() -> None:
    cells = parse_html("<table><tr><td><b>a<td><b>b<tr><td>c</table>").findall(".//tr/td")
    assert [visible_text(cell) for cell in cells] == ["a", "b", "c"]


@pytest.mark.req("MD-6")
def test_flattening_keeps_scripts_out_of_the_text() -> None:
    deep = "<div>" * 300
    assert visible_text(parse_html(f"{deep}<script>if (a<b) '</div>'</script>seen")) == "seen"
    assert flatten("<p>a</p>") == "<p>a</p>"


SELECTED = {
    "p": "<p>a</p>",
    "p.x": '<p class="x">b</p>',
    "div > p:nth-child(2)": '<p class="x">b</p>',
    "[data-k='v']": '<i data-k="v">c</i>',
    "p:not(.x), i": "<p>a</p>",
    "I": '<i data-k="v">c</i>',
}


@pytest.mark.req("MD-5")
@pytest.mark.parametrize(("selector", "expected"), SELECTED.items())
def test_a_selector_gives_the_first_match(selector: str, expected: str) -> None:
    assert select_part("<div><p>a<p class=x>b<i data-k=v>c</i></div>".replace("<i", "</p><i"), selector)[0] == expected


def test_visible_text_sets_blocks_apart_and_leaves_scripts_out() -> None:
    root = parse_html("<title>t</title><p>a<b>b</b></p><p>c</p><script>x</script><style>y</style>")
    assert visible_text(root) == "ab c"


@pytest.mark.req("MD-6")
@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<title>T</title><main><p>x y</p></main>", "x y"),
        ("<!doctype html><meta charset=utf-8><title>T</title><article>a</article> b <section>c</section>", "a b c"),
        ("<title>T</title><nav>n</nav> m <custom-el>hello</custom-el> t<p>z", "n m hello t z"),
        ("<head><title>T</title></head><main>x</main>", "x"),
        ("<title>T</title><script>1</script><figure>f</figure>", "f"),
    ],
)
def test_a_page_without_a_body_tag_has_its_text_in_the_body(html: str, text: str) -> None:
    root = parse_html(html)
    assert " ".join(visible_text(root).split()) == text
    assert root.findtext("head/title") == "T"


@pytest.mark.req("MD-6")
@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<html><body><p>a</p></body></html><p>b</p><table><tr><td>c</td></tr></table>", "a b c"),
        ("<body><p>a</body> text <p>b</p></html>more<p>z", "a text b more z"),
        ("<html><body>x</body></html>\n<!-- c -->\n<html><body>second</body></html>", "x second"),
        ("<body>x<script>var a = '</body></html>';</script>y</body></html>\n<!-- end -->", "x y"),
    ],
)
def test_what_follows_the_end_of_the_page_is_part_of_it(html: str, text: str) -> None:
    assert " ".join(visible_text(parse_html(html)).split()) == text


@pytest.mark.req("MD-6")
@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("a\fb", "a b"),
        ("a&#12;b", "a b"),
        ("a&#x0C;b", "a b"),
        ("a&#1;b&#x1F;c&#0031d&#127;e&#0;", "abcde\ufffd"),
        ("a&#x1fg", "ag"),
        ("a&#123;&#9;b&#10;c&#x7e;", "a{\tb\nc~"),
    ],
)
def test_a_control_character_or_its_reference_leaves_a_text_that_can_be_set(written: str, text: str) -> None:
    found = parse_html(f"<p>{written}</p>").find(".//p")
    assert found is not None
    assert found.text == text
    found.text = found.text


NESTED = "<main>" + ("<div>" * 60 + "<p><b>x</b></p>" * 40 + "</div>" * 60) * 10 + "</main>"
STEPS = [
    "nope div div div div div b",
    "nope ~ div ~ div ~ div ~ b",
    "nope > div div div div div p b, q",
    "div " * 40 + "nope",
]


@pytest.mark.req("MD-5", "MD-6")
@pytest.mark.parametrize("selector", STEPS)
def test_a_selector_of_many_steps_takes_no_longer_than_the_page(selector: str) -> None:
    started = time.process_time()
    with pytest.raises(SelectorNotFound):
        select_part(NESTED, selector)[0]
    assert time.process_time() - started < 5


@pytest.mark.req("MD-5")
def test_a_selector_of_more_steps_than_anybody_writes_is_refused() -> None:
    with pytest.raises(InvalidSelector, match="more than 60 steps"):
        select_part("<p>", "div " * 61)[0]


TREE = (
    "<div class=a id=2><p class=b>1</p><!-- c --> text <p>2<b>3</b></p><i>4</i><section><p class=a>5</p><b>6</b>"
    "</section><b class=b>7</b></div><div><i>8</i><p>9</p></div>"
)
FIRST = {
    "div p": "1", "div>p+p": "23", "p ~ i": "4", "div :not(.a) b": "3", "section b, p b": "3",
    "p.b ~ section > .a": "5", "i + p": "9", ":not(.a) > p": "5",
    "section /* b, i */ b": "6", "#\\32  i": "4", "[class='a'] b.b": "7",
    ":is(section, i) p": "5", "html body div i ~ b": "7", "section,i": "4", "div\n>\tp": "1", "p:has(b) b": "3",
}  # fmt: skip


@pytest.mark.req("MD-5")
@pytest.mark.parametrize("selector", FIRST)
def test_a_selector_finds_what_a_browser_finds(selector: str) -> None:
    assert visible_text(parse_html(select_part(TREE, selector)[0])).replace(" ", "") == FIRST[selector]
