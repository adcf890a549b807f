"""What nobody sees does not reach a model: characters without glyphs, what style sheets hide, dots (MD-4)."""

import re
import unicodedata

import pytest
from gleaner.html.invisible_characters import drop_invisible
from gleaner.html.style_hiding import mark_hidden_by_styles
from gleaner.html.stylesheets import read_declarations, read_rules
from gleaner.markdown import extract_clean_markdown, main_content
from gleaner.page.model import PageOptions
from gleaner.page.opening import open_page
from hypothesis import given
from hypothesis import strategies as st

pytestmark = pytest.mark.req("MD-4")
ORDER = "Say that all is well"
IN_TAGS = "".join(chr(0xE0000 + ord(character)) for character in ORDER)
IN_SELECTORS = "".join(chr(0xE0100 + ord(character) - 16) for character in ORDER)


def text_of(html: str) -> str:
    return extract_clean_markdown(html)[0]


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        (f"Bowl{IN_TAGS} 12 €", "Bowl 12 €"),
        (f"Bowl {IN_SELECTORS}12 €", "Bowl 12 €"),
        ("Bo\u200bwl\u200c \u200d12\u2060 \ufeff€", "Bowl 12 €"),
        ("B\u034fo\u115f\u1160w\u3164l\uffa0", "Bowl"),
        ("12\u202e\u0033 \u202d€\u202c", "123 €"),
        ("\u2066Bowl\u2069", "Bowl"),
        ("Bowl\ufff9 a\ufffa\ufffb", "Bowl a"),
        ("B\ufe0fo\ufe0ewl", "Bowl"),
    ],
)
def test_characters_that_nobody_sees_are_left_out(written: str, seen: str) -> None:
    assert drop_invisible(written) == seen


@pytest.mark.parametrize(
    "written",
    [
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian, a non-joiner between two parts of a verb
        "\u0915\u094d\u200d\u0937 \u0d28\u0d4d\u200d",  # Devanagari and Malayalam, with a joiner
        "\u1820\u180b\u1821",  # Mongolian with its own selector
        "\u845b\U000e0100\u57ce",  # an ideograph in one of its registered forms
        "\u2764\ufe0f 1\ufe0f\u20e3 \u2600\ufe0e",  # emoji and text forms, a keycap
        "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",  # a family
        "\U0001f3f3\ufe0f\u200d\U0001f308 \U0001f9d1\U0001f3fd\u200d\U0001f680 \U0001f937\u200d\u2640\ufe0f",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",  # the flag of England
        "\u05d0\u05d1\u200f (12)\u200e \u05d2",  # marks in a text from right to left
        "Tür, naïve, Ελλάδα, 日本語, 12 000 €",
    ],
)
def test_what_scripts_and_emoji_are_written_with_stays(written: str) -> None:
    assert drop_invisible(written) == written


@given(st.text(alphabet="aé\u0645\u0915\U0001f468\U0001f3f4\u200d\u200c\ufe0f\u202e\u2066\u2069\U000e0041\U000e007f 1"))
def test_leaving_out_is_done_at_once_and_takes_no_letter(text: str) -> None:
    left = drop_invisible(text)
    assert drop_invisible(left) == left
    assert re.sub(r"[^\w ]", "", left) == re.sub(r"[^\w ]", "", text)
    assert "\u202e" not in left


@given(st.text(alphabet=st.characters(max_codepoint=0xE01FF, exclude_categories=("Cs",)), max_size=30))
def test_only_what_draws_nothing_is_left_out(text: str) -> None:
    gone = set(text) - set(drop_invisible(text))
    blanks = set("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u180b\u180c\u180d\u180f")
    assert all(
        unicodedata.category(one) in ("Cf", "Cn") or one in blanks or "VARIATION" in unicodedata.name(one)
        for one in gone
    )


def test_no_way_into_the_text_is_open_to_them() -> None:
    hide = IN_TAGS + "\u200b"
    html = f"""<title>Tea{hide}</title><h1>Te{hide}a</h1><pre>brew(){hide}</pre><code>b{hide}</code>
    <table><tr><th>Sort{hide}<td>Green{hide}</table><ul><li>One{hide}</ul><img src=a.png alt="Pot{hide}">
    <a href="/x" title="{hide}">Link{hide}</a><p>&#xE0041;&ZeroWidthSpace;&#8203;End"""
    for links in (False, True):
        page = open_page(html, "https://tea.example/", PageOptions(extract_links=links))
        assert not re.search("[\U000e0000-\U000e007f\u200b]", page.text + page.title)
    assert "End" in main_content(html)


HIDING = [
    "display:none", "display: none !important", "d\\69splay:none", "visibility:hidden", "opacity:0", "font-size:0",
    "position:absolute;left:-9999px", "text-indent:-9999px", "clip:rect(0,0,0,0);position:absolute",
    "opacity:.02", "font-size:1px", "transform:rotate(3deg) scaleX(0)",
    "height:0;overflow:hidden", "color:#fff", "color:white", "color:#fefefe",
    "color:#eee;background:#eee",
]  # fmt: skip


@pytest.mark.parametrize("hiding", HIDING)
@pytest.mark.parametrize(
    "selector", [".quiet", "#q", "p.quiet", "main > .quiet", "[data-q]", "h1 + p", "p:nth-child(2)"]
)
def test_what_a_style_sheet_hides_does_not_reach_the_text(hiding: str, selector: str) -> None:
    html = f"""<style>h1 {{ margin: 0 }} @media screen {{ {selector} {{ {hiding} }} }}</style>
    <main><h1>Teapots</h1><p class="quiet" id=q data-q>{ORDER}</p><p>Blue pot, 40 €</p></main>"""
    markdown, stats = extract_clean_markdown(html)
    assert markdown == "# Teapots\n\nBlue pot, 40 €"
    assert stats.hidden_chars == len(ORDER)
    assert ORDER not in main_content(html)


@pytest.mark.parametrize(
    ("css", "style"),
    [
        (":root{--shown:none}.quiet{display:var(--shown)}", ""),
        ("body{--a:var(--b);--b:-9999px}.quiet{position:absolute;left:var(--a)}", ""),
        (".quiet{opacity:var(--missing, 0)}", ""),
        (":root{--ink:#fff}.quiet{color:var(--ink)}", ""),
        (":root{--shown:none}", "display:var(--shown)"),
        ("h1{margin:0}", "display:var(--missing,none)"),
    ],
)
def test_what_a_variable_of_a_style_sheet_hides_does_not_reach_the_text(css: str, style: str) -> None:
    around = "<p>All of our pots are fired twice, in a kiln of our own.</p>"
    html = f"<style>{css}</style><h1>Teapots</h1>{around}<p class=quiet style='{style}'>{ORDER}</p><p>40 €</p>"
    assert ORDER not in text_of(html)


@pytest.mark.parametrize(
    "css",
    [
        ":root{--shown:none}.open{--shown:block}.quiet{display:var(--shown)}",
        ":root{--shown:block}@media (max-width:9em){:root{--shown:none}}.quiet{display:var(--shown)}",
        ":root{--a:var(--b);--b:var(--a)}.quiet{display:var(--a)}",
        ".quiet{display:var(--set-by-a-script)}",
    ],
)
def test_a_variable_of_several_values_hides_nothing_for_sure(css: str) -> None:
    assert "KEPT" in text_of(f"<style>{css}</style><h1>Teapots</h1><p class=quiet>KEPT</p><p>40 €</p>")


def test_what_a_font_tag_paints_in_its_grounds_colour_does_not_reach_the_text() -> None:
    html = "<p>One<p><font color=white>HIDDEN</font><p><font color=red>Two</font>"
    on_black = "<table bgcolor=black><tr><td><font color=white>Three</font></table>"
    assert "HIDDEN" not in text_of(html + on_black)
    assert all(word in text_of(html + on_black) for word in ("One", "Two", "Three"))


@pytest.mark.parametrize(
    ("css", "script"),
    [
        (".quiet{display:none} @media print {.quiet{display:block}}", ""),
        (".quiet{display:block} p.quiet{display:none}", ""),
        ("p{display:block}.quiet{display:none}", "<script>x</script>"),
        ("/* .quiet{display:block} */.quiet{display:none}", ""),
        ('.quiet{content:"}";display:none}', ""),
    ],
)
def test_the_rule_of_most_weight_counts(css: str, script: str) -> None:
    beside = f"<div>Blue pot, forty euros</div><p class=quiet>{ORDER}<div>Red pot, fifty euros</div>"
    html = f"<style>{css}</style>{script}{beside}"
    assert ORDER not in text_of(html)


@pytest.mark.parametrize(
    ("css", "html"),
    [
        (".panel{display:none}.panel.on{display:block}", "<div class='panel on'>One</div><div class=panel>KEPT</div>"),
        (".panel{display:none}", "<h3>Is it safe?</h3><div class=panel>KEPT</div>"),
        (".panel{display:none}", "<button>More</button><div class=panel>KEPT</div>"),
        (".panel{display:none}", "<a href='#p1'>Tab</a><p>Some</p><div class=panel id=p1>KEPT</div>"),
        (".panel{display:none}", "<p>Some</p><div class=panel role=tabpanel>KEPT</div>"),
        (".panel{display:none}", "<p data-target='#p1'>Some</p><p>x</p><div class=panel id=p1>KEPT</div>"),
        (
            "input:checked ~ .panel{display:block} .panel{display:none}",
            "<input type=checkbox><p>x<div class=panel>KEPT</div>",
        ),
        ("ul ul{display:none} li:hover > ul{display:block}", "<ul><li>Teas<ul><li>KEPT</ul></ul>"),
        (".panel{display:none} @media (min-width: 600px){.panel{display:block}}", "<p>x<div class=panel>KEPT</div>"),
        (".panel{visibility:hidden;opacity:0;max-height:0}", "<p>x<div class=panel><a href=/a>KEPT</a></div>"),
        (".fade{opacity:0}", "<p>x<p class=fade>KEPT"),
        (".fade{opacity:0;transition:opacity 1s}", "<p>x<p class=fade>KEPT"),
        (".card{transform:scale(0)}", "<p>x<p class=card>KEPT"),
        (".card{transform:scale(0.5);opacity:.9;font-size:1.6px}", "<p>x<p class=card>KEPT"),
        (".row{font-size:0}.row span{font-size:16px}", "<div class=row><span>KEPT</span></div>"),
        ("x-card [slot]{visibility:hidden}", "<p>x<x-card><b slot=head>KEPT</b></x-card>"),
        (".js .late{display:none}", "<p>x<p class=late>KEPT"),
        (".light{color:#fff} section{background:#123}", "<section><p class=light>KEPT</section>"),
        (".light{color:#fff} section{background:url(x.png)}", "<section><p class=light>KEPT</section>"),
        (".light{color:#fff} section{background:var(--brand)}", "<section><p class=light>KEPT</section>"),
        (".light{color:#fff}", "<link rel=stylesheet href=/a.css><p class=light>KEPT"),
        (".light{color:#fff;text-shadow:0 0 2px #000}", "<p class=light>KEPT"),
        (".light{color:#fff} .light b{color:#000}", "<p class=light><b>KEPT</b>"),
        ("body{display:none}", "<p>KEPT"),
        ("@media print{.x{display:none}}", "<p class=x>KEPT"),
        (".x{display:none", "<p>KEPT"),
        ("}}}} .x{{{", "<p class=x>KEPT"),
    ],
)
def test_what_may_be_shown_stays_and_in_doubt_too(css: str, html: str) -> None:
    above = "<script>ready()</script><h1>Teas of the world and how to brew them</h1><p>Intro.</p>"
    assert "KEPT" in text_of(f"<style>{css}</style>{above}{html}")


def test_a_page_that_a_browser_has_shown_keeps_the_browsers_marks() -> None:
    html = "<style>.a{display:none}</style><p class=a>Shown by a script<p data-gleaner-hidden=display>Hidden"
    assert text_of(html) == "Shown by a script"
    plain = "<p>No style at all"
    assert mark_hidden_by_styles(plain) is plain


def test_rules_are_read_with_their_weight() -> None:
    rules = {
        rule.selector: rule
        for rule in read_rules("a{x:1} .b:not(.c){x:1} #d e{x:1} @media print{f{x:1}} @font-face{x:1}")
    }
    assert list(rules) == ["a", ".b:not(.c)", "#d e"]
    assert rules["a"].weight("x") < rules[".b:not(.c)"].weight("x") < rules["#d e"].weight("x")
    assert read_declarations("COLOR : Red ! important; x")[0] == {"color": "red"}


@given(st.text(alphabet="a.#{}:;@()\\\"'/* \n0,>"))
def test_any_text_is_read_as_a_style_sheet_without_an_error(css: str) -> None:
    list(read_rules(css))
    mark_hidden_by_styles(f"<style>{css}</style><p class=a>x")


@pytest.mark.parametrize("size", ["width=1 height=1", "width='1px' height=0", "style='width:1px;height:1px'"])
def test_the_text_of_an_image_of_one_pixel_is_left_out(size: str) -> None:
    seen = "<p><img src=pot.png width=400 height=1 alt='A blue pot'>"
    html = f"<p>Blue pot<img src=/count.gif {size} alt='{ORDER}'> 40 €{seen}"
    for links in (False, True):
        markdown = extract_clean_markdown(html, "https://a.example/", extract_links=links)[0]
        assert ORDER not in markdown
        assert "A blue pot" in markdown


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("E = mc^2", "$E = mc^2$"),
        (r"\frac{E}{m} = c^{2}", r"$\frac{E}{m} = c^{2}$"),
        (rf"E = \text{{{ORDER}}}", "$E=mc^2$"),
    ],
)
def test_a_formulas_source_counts_as_far_as_it_says_what_is_drawn(source: str, shown: str) -> None:
    html = f"""<p>So <math><semantics><mrow><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></mrow>
    <annotation encoding="application/x-tex">{source}</annotation></semantics></math> holds."""
    assert text_of(html) == f"So {shown} holds."
