"""Code, however a page shows it: a fence with the code alone, and its language (MD-1, MD-2)."""

import pytest
from gleaner.markdown import extract_clean_markdown

LOOP = "for n in range(3):\n    print(n)"
NUMBERED_ROWS = (
    "<table class='code-listing'><tr><td class='num'>1</td><td><code>for n in range(3):</code></td></tr>"
    "<tr><td class='num'>2</td><td><code>    print(n)</code></td></tr></table>"
)
TWO_COLUMNS = (
    "<table><tr><td><pre>7\n8\n</pre></td><td><pre><code class='language-python'>for n in range(3):\n    print(n)\n"
    "</code></pre></td></tr></table>"
)
FILE_VIEW = (
    "<table class='file-view highlight'><tbody><tr><td data-line-number='1'></td><td>for n in range(3):</td></tr>"
    "<tr><td data-line-number='2'></td><td>    print(n)</td></tr></tbody></table>"
)
WEB_EDITOR = (
    "<div class='cm-editor'><div class='cm-gutters'><div class='cm-gutterElement'>1</div><div>2</div></div>"
    "<div class='cm-content' data-language='python'><div class='cm-line'>for n in range(3):</div>"
    "<div class='cm-line'>    <span>print</span>(n)</div></div></div>"
)
PLACED_LINES = (
    "<div class='monaco-editor'><div class='view-lines'><div class='view-line' style='top:18px'>"
    "<span>\xa0\xa0\xa0\xa0print(n)</span></div>"
    "<div class='view-line' style='top:0px'>for\xa0n\xa0in\xa0range(3):</div></div></div>"
)
LINE_PRES = (
    "<div class='CodeMirror'><div class='CodeMirror-code'><div><div class='CodeMirror-linenumber'>1</div>"
    "<pre class='CodeMirror-line'>for n in range(3):</pre></div><div><div class='CodeMirror-linenumber'>2</div>"
    "<pre class='CodeMirror-line'>    print(n)</pre></div></div></div>"
)
NO_PRE = (
    "<div class='codecolorer python'><span class='kw1'>for</span> n <span class='kw1'>in</span> "
    "<span>range</span>(3):<br>"
    "\xa0\xa0\xa0\xa0<span class='kw1'>print</span>(n)</div>"
)
STYLED = "<div style='white-space:pre; font-family: monospace'>for n in range(3):\n    print(n)</div>"
ENDED_LINES = (
    "<pre><code><span class='line'>for n in range(3):</span>\n<span class='line'>    print(n)</span></code></pre>"
)
SPAN_LINES = (
    "<pre><code><span class='line'><span class='nr'>1</span>for n in range(3):</span>"
    "<span class='line'><span class='nr'>2</span>    print(n)</span></code></pre>"
)


@pytest.mark.req("MD-1", "MD-2")
@pytest.mark.parametrize(
    "html",
    [
        NUMBERED_ROWS,
        NUMBERED_ROWS.replace("</code>", "\n</code>"),
        TWO_COLUMNS,
        FILE_VIEW,
        WEB_EDITOR,
        PLACED_LINES,
        LINE_PRES,
        NO_PRE,
        STYLED,
        SPAN_LINES,
        ENDED_LINES,
    ],
    ids=[
        "numbered rows",
        "numbered rows that end their lines",
        "two columns",
        "file view",
        "editor",
        "placed lines",
        "a pre a line",
        "no pre",
        "style",
        "spans",
        "ended",
    ],
)
def test_lines_of_code_become_one_fence_without_their_numbers(html: str) -> None:
    markdown = extract_clean_markdown(f"<p>Print three numbers:</p>{html}<p>That is all of it.</p>")[0]
    before, fence, code, after = markdown.partition("```")[0], *markdown.split("```")[1:3], markdown.split("```")[-1]
    assert fence.partition("\n")[2].strip("\n") == LOOP
    assert (before.strip(), after.strip()) == ("Print three numbers:", "That is all of it.")
    assert code == after


@pytest.mark.req("MD-1")
@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<p><code>apt update<br>apt upgrade</code></p>", "```\napt update\napt upgrade\n```"),
        ("<code class='language-sh'>cd docs\nmake</code>", "```sh\ncd docs\nmake\n```"),
        ("<code><div>let a = 1</div><div>let b = 2</div></code>", "```\nlet a = 1\nlet b = 2\n```"),
        ("<p>Type <code>make\n docs</code> here.</p>", "Type `make docs` here."),
    ],
    ids=["line breaks", "class of a language", "blocks", "one command on two lines of markup"],
)
def test_code_outside_of_pre_keeps_its_lines_when_it_has_some(html: str, markdown: str) -> None:
    assert extract_clean_markdown(html)[0] == markdown


@pytest.mark.req("MD-1")
@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<pre><div>go</div><button>Copy</button><code>x := 1</code></pre>", "```go\nx := 1\n```"),
        (
            "<div class='code-block'><div class='bar'><span>rust</span><button>Copy code</button></div>"
            "<pre><code>let x = 1;</code></pre></div>",
            "```rust\nlet x = 1;\n```",
        ),
        (
            "<div class='highlight'><span class='filename'>src/main.go</span>"
            "<pre><code class='lang-go'>x := 1</code></pre></div>",
            "```go\nx := 1\n```",
        ),
        ("<pre><code>ls -l</code><span class='copied'>Copied!</span></pre>", "```\nls -l\n```"),
        (
            "<pre class='sourceCode lineAnchors'><code class='sourceCode haskell'>x = 1</code></pre>",
            "```haskell\nx = 1\n```",
        ),
        (
            "<figure class='highlight yaml'><table><tr><td class='gutter'><pre>1\n2</pre></td>"
            "<td class='code'><pre>a: 1\nb: 2</pre></td></tr></table></figure>",
            "```yaml\na: 1\nb: 2\n```",
        ),
    ],
    ids=["inside pre", "bar above", "file name", "copied", "classes of numbering", "figure with a table"],
)
def test_bars_and_buttons_around_code_go_and_name_its_language(html: str, markdown: str) -> None:
    assert extract_clean_markdown(html)[0] == markdown


@pytest.mark.req("MD-1")
@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td>1</td><td>Anna Weber</td></tr><tr><td>2</td><td>Bert Noll</td></tr></table>",
        "<div class='highlight'><div><span class='name'>Larch bench</span></div>"
        "<div><span class='price'>90 EUR</span></div></div>",
        "<div class='promo code'><div class='line'>Enter it there</div><div class='line'>for ten percent</div></div>",
        "<div class='example'><p>Output</p><pre>3</pre></div>",
        "<figure><figcaption>Listing 2: how a pump is primed</figcaption><pre>prime()</pre></figure>",
        "<pre>Set <code>debug</code> to 1\nand read the log</pre>",
    ],
    ids=["ranks", "highlighted offer", "promotion", "heading of an example", "caption", "pre with words of its own"],
)
def test_what_only_looks_like_code_keeps_all_of_its_words(html: str) -> None:
    markdown = extract_clean_markdown(html)[0]
    text = html
    for tag in ("<", ">"):
        text = text.replace(tag, f"\n{tag}" if tag == "<" else f"{tag}\n")
    words = [word for line in text.split("\n") if line and not line.startswith("<") for word in line.split()]
    assert [word for word in words if word not in markdown] == []


@pytest.mark.req("MD-1")
def test_numbers_that_do_not_count_the_lines_are_code() -> None:
    html = "<pre><div><b>10</b> x</div><div><b>20</b> y</div><div><b>5</b> z</div></pre>"
    assert extract_clean_markdown(html)[0] == "```\n10 x\n20 y\n5 z\n```"


@pytest.mark.req("MD-1")
def test_a_line_of_code_without_text_stays() -> None:
    html = (
        "<pre><code><span class='line'>a</span>\n<span class='line'></span>\n<span class='line'>b</span></code></pre>"
    )
    assert extract_clean_markdown(html)[0] == "```\na\n\nb\n```"
