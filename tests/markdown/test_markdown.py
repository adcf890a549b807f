"""Clean Markdown: what comes through, what is removed, and how it is written (MD-1, MD-3, MD-4, MD-5)."""

import re
from typing import Any

import pytest
from gleaner.contracts.errors import InvalidSelector, PageTooLarge, SelectorNotFound
from gleaner.markdown import extract_clean_markdown, main_content
from gleaner.page.model import PageOptions
from gleaner.page.opening import open_page
from hypothesis import given
from hypothesis import strategies as st


def convert(html: str, url: str = "", **options: object) -> str:
    return extract_clean_markdown(html, url, **options)[0]  # type: ignore[arg-type]


ROWS = "<table><tr><td>Ash</td><td>5</td></tr><tr><td><a href=/b>Birch</a></td><td><a href=/6>six</a></td></tr></table>"


@pytest.mark.req("MD-1")
@pytest.mark.parametrize(
    "name",
    ["no-footer", "mod-no-header-footer", "with-sidebar", "with-nav", "navHidden", "header", "footer", "page-header",
     "nav-open layout", "footer-is-sticky", "has_navigation", "siteheader", "main-menu", "colophon"],
)  # fmt: skip
@pytest.mark.parametrize(
    "inside",
    [
        "<p>Kept: lamps of ash, oiled twice and made in Wales.</p>",
        "<p>Kept <a href=/a>by name</a>, and the text around it.</p>",
        f"<p><a href=/k>Kept</a></p>{ROWS}",
        "<ul><li>Kept</li><li>Ash lamp</li><li>Birch lamp</li></ul>",
    ],
    ids=["text", "text with a link", "table", "list"],
)
@pytest.mark.parametrize("part", ["class", "id"])
def test_a_name_alone_takes_away_no_table_and_no_text(name: str, inside: str, part: str) -> None:
    page = f"<h1>Lamps</h1><p>Some words of the page.</p><div {part}='{name}'>{inside}</div><p>Last.</p>"
    text, stats = extract_clean_markdown(page)
    assert "Kept" in text
    assert sum(stats.removed.values()) == 0


@pytest.mark.req("MD-1")
def test_what_a_name_takes_away_is_counted() -> None:
    links = "".join(f"<li><a href=/{word}>{word}</a></li>" for word in ("Imprint", "Privacy", "Contact"))
    text, stats = extract_clean_markdown(f"<p>Lamps</p><div class=site-footer><ul>{links}</ul></div>")
    assert (text, stats.removed["footer"]) == ("Lamps", len("ImprintPrivacyContact"))


@pytest.mark.req("MD-1")
@pytest.mark.parametrize(
    "noise",
    [
        "<script>var gone = 1</script>",
        "<style>.gone{}</style>",
        "<template><p>gone</p></template>",
        "<nav><ul><li><a href=/a>gone</a><li><a href=/b>gone</a></ul></nav>",
        "<div role=navigation><a href=/a>gone</a></div>",
        "<header class=site-header><a href=/>gone</a></header>",
        "<footer>gone</footer>",
        "<div class='footer'><p>© Lamps <a href=/i>gone and gone</a></p></div>",
        "<div id=onetrust-banner-sdk>We use cookies. gone <button>Accept</button></div>",
        "<div class='cookie-banner'>This site uses cookies. <a href=/p>gone</a> <button>OK</button></div>",
        "<div class=cookie-consent>We use cookies, gone.</div>",
        "<div class=gdpr-notice>Wir verwenden Cookies, gone. <span role=button>Gut</span></div>",
        "<section class=cookies-popup>Używamy ciasteczek, gone. <button>Zgadzam się</button></section>",
        "<div class='ad-banner'>gone</div>",
        "<ins class=adsbygoogle>gone</ins>",
        "<a class=skip-link href='#main'>Skip to gone</a>",
        "<ul class=main-menu><li><a href=/a>gone</a><li><a href=/b>gone</a><li><a href=/c>gone</a></ul>",
        "<iframe>gone</iframe><noscript>gone</noscript>",
    ],
)
def test_certain_noise_is_removed(noise: str) -> None:
    html = f"<body>{noise}<main><h1>Tea</h1><p>Green tea, 3 €, from a small garden in the hills.</p></main></body>"
    assert convert(html) == "# Tea\n\nGreen tea, 3 €, from a small garden in the hills."


@pytest.mark.req("MD-1", "CM-1")
def test_an_entry_of_a_list_keeps_the_label_that_calls_it_an_advertisement() -> None:
    label = "<span class=sponsored-label>Sponsored</span>"
    rows = "".join(f"<li>{label * (at == 2)}<b>Jug {at}</b> <i>{at + 3} €</i></li>" for at in range(5))
    assert convert(f"<main><ul>{rows}</ul></main>").count("Sponsored") == 1
    slot = rows.replace("<li><b>Jug 3", "<li class=_ad>Sponsored</li><li><b>Jug 3")
    assert convert(f"<main><ul>{slot}</ul></main>").count("Sponsored") == 1
    above = f"<main><p>Tea from the hills.</p><div>{label}</div><p>Green tea.</p></main>"
    assert "Sponsored" not in convert(above)


@pytest.mark.req("MD-1")
@pytest.mark.parametrize(
    "content",
    [
        "<div class=address>kept</div>",
        "<div class=header-row>kept</div>",
        "<button class=add-to-cart>kept</button>",
        "<div class=download>kept</div>",
        "<div class=cookie-shop><h2>Cookies</h2><p>kept: $3 a piece</p></div>",
        "<div class=cookie-bar><p>Our cookie bar: kept</p></div>",
        "<div class=cookie-box><p>We use cookies in this cake, kept:</p><p>3 €</p></div>",
        "<div class=recipe><p>We use cookies in this cake, kept</p></div>",
        "<main class=ad>kept</main>",
        "<article><header>kept</header></article>",
        "<article><p>x</p><footer>kept</footer></article>",
        "<li class=card><footer>kept</footer></li>",
        "<div class=ad><h3>Honda Civic</h3><p>kept, 5,000 €</p></div>",
        "<ul class=menu><li>Soup kept 4 €</li><li>Fish 9 €</li></ul>",
        "<nav><div><h3>Shoe</h3><p>$5</p></div><div><h3>kept</h3><p>$6</p></div></nav>",
        "<nav class=breadcrumb><a href=/>kept</a></nav>",
        "<ul class=nav>" + "<li><h3><a href=/a>one</a></h3><p><a href=/a>kept</a></p>" * 3 + "</ul>",
        "<div class=top-bar><a href=/>Home</a> <span>2019年09月09日 20:52 kept</span></div>",
        "<div id=nav><ul>" + "<li><a href=/a><span>2 May</span><p>kept</p></a>" * 3 + "</ul></div>",
        "<aside><p>kept</p></aside>",
        "<details><summary>More</summary>kept</details>",
        "<dl><dt>Weight</dt><dd>kept</dd></dl>",
        "<img src=a.png alt='Chart of kept values'>",
        "<select><option>S</option><option>kept</option></select>",
        "<header><h1>kept</h1></header>",
        "<h1>Bars</h1><div><header><a href='?view=list'>List</a> <span>1 - 15 of 91, kept</span></header></div>",
        "<p aria-hidden=true>kept</p>",
    ],
)
def test_what_may_be_data_stays(content: str) -> None:
    filler = "<p>Some other text of this page, long enough to stand on its own.</p>"
    assert "kept" in convert(f"<body>{content}{filler}</body>")


@pytest.mark.req("MD-1")
def test_a_wrapper_of_the_whole_page_is_never_removed() -> None:
    for name in ("ad ads advertisement", "nav navbar", "footer", "cookie-consent"):
        assert "kept text" in convert(f"<body class='{name}'><div class='{name}' id=ad><p>kept text</p></div></body>")


@pytest.mark.req("MD-1")
def test_stats_say_what_came_in_was_filtered_and_is_left() -> None:
    html = "<nav><a href=/>Home</a></nav><script>abc</script><p hidden>secret</p><p>text</p>"
    content, stats = extract_clean_markdown(html)
    assert (stats.input_chars, stats.output_chars) == (len(html), len(content))
    assert stats.filtered_chars == stats.input_chars - stats.output_chars
    assert stats.removed["navigation"] == 4
    assert stats.removed["scripts and styles"] == 3
    assert stats.hidden_chars == 6


@pytest.mark.req("MD-1")
def test_noscript_text_is_kept_only_on_an_otherwise_empty_page() -> None:
    assert convert("<noscript>Please read this</noscript>") == "Please read this"
    assert convert("<p>x</p><noscript>Turn on JavaScript</noscript>") == "x"


@pytest.mark.req("MD-1")
def test_strip_chrome_tags_can_be_turned_off() -> None:
    html = "<nav><a href=/a>Home</a></nav><p>text</p><footer>Imprint</footer>"
    assert open_page(html, options=PageOptions(keeps_chrome=True)).text == "Home\n\ntext\n\nImprint"


WRITTEN = {
    "headings keep their levels": ("<h1>a</h1><h3>b <b>c</b></h3>", "# a\n\n### b c"),
    "nested lists": ("<ul><li>a<ol><li>b<li>c</ol><li>d</ul>", "- a\n  1. b\n  2. c\n- d"),
    "numbers that count down": ("<ol reversed><li>c<li>b<li>a</ol>", "3. c\n2. b\n1. a"),
    "numbers that count down from one": ("<ol reversed start=2><li>b<li>a<li>none</ol>", "2. b\n1. a\n0. none"),
    "fractions": (
        "1<sup>1</sup>/<sub>2</sub> or 2<sup>3/4</sup> or <sup>1</sup>⁄<sub>3</sub>",
        "1 1/2 or 2 3/4 or 1⁄3",
    ),
    "powers over a unit": ("10<sup>2</sup>/s", "10^2/s"),
    "list numbers": ("<ol start=9><li>a<li value=20>b<li>c</ol>", "9. a\n20. b\n21. c"),
    "list item with paragraphs": ("<ul><li><p>a</p><p>b</p></li></ul>", "- a\n\n  b"),
    "definition list": ("<dl><dt>a<dd>b<dd>c<dt>d<dd>e</dl>", "a\n:   b\n:   c\n\nd\n:   e"),
    "quote": ("<p>x</p><blockquote><p>a</p><p>b</p></blockquote><p>y</p>", "x\n\n> a\n>\n> b\n\ny"),
    "code with language": ("<pre class=language-py><code>a\n  b</code></pre>", "```py\na\n  b\n```"),
    "code keeps whitespace": ("<pre>\ta  b\n\n\n c </pre>", "```\n\ta  b\n\n\n c \n```"),
    "a ruler of signs makes no heading": (
        "<p>Rules:<br>=====<br>Be kind<br>-----</p>",
        "Rules:\n\\=====\nBe kind\n\\-----",
    ),
    "a block within code": (
        "<pre><code>fn f() -> str<div>where\n  T: X</div></code></pre>",
        "```\nfn f() -> str\nwhere\n  T: X\n```",
    ),
    "code in two ways": ("<pre><code class=language-js>a()</code><code>b()</code></pre>", "```js\na()\nb()\n```"),
    "code fence longer than its content": ("<pre>```\nx</pre>", "````\n```\nx\n````"),
    "inline code": ("<p>a <code>b_c*</code> <code>`</code></p>", "a `b_c*` `` ` ``"),
    "emphasis spacing": ("<p>a<b> b </b>c, <i>d</i>.</p>", "a **b** c, *d*."),
    "emphasis never cuts a number": ("<p>$<b>19</b>.99</p>", "$19.99"),
    "adjacent emphasis": ("<b>a</b><b>b</b>", "**ab**"),
    "no escapes inside values": ("<p>snake_case 2*3 $5 [x] #1 a|b</p>", "snake_case 2*3 $5 [x] #1 a|b"),
    "entities decoded once": ("<p>&amp;lt; AT&amp;T</p>", "&lt; AT&T"),
    "no raw HTML": ("<p>&lt;script&gt;</p>", "\\<script>"),
    "no heading from text": ("<p># a</p>", "\\# a"),
    "no link from text": ("<p>[x](javascript:y)</p>", "[x]\\(javascript:y)"),
    "blank lines collapse": ("<p>a</p><br><br><br><p> </p><p>&nbsp;</p><div></div><p>b</p>", "a\n\nb"),
    "line breaks": ("<p>a<br>b<br><br>c</p>", "a\nb\n\nc"),
    "powers": ("<p>8.4 × 10<sup>-16</sup> m<sup>-1</sup></p>", "8.4 × 10^-16 m-1"),
    "cells that style alone sets apart": (
        "".join(f"<i class=c>{x}</i>" for x in ("Ajax", 9, 6, 20)),
        "*Ajax* *9* *6* *20*",
    ),
    "digits of a counter": ("".join(f"<span class=c>{x}</span>" for x in "0426"), "0426"),
    "bars of a chart": (
        "<svg><g><g><text>North</text><text>31%</text></g><g><text>East</text><text>12%</text></g></g></svg>",
        "North 31%\nEast 12%",
    ),
    "an icon in a sentence": ("<p>Save <svg><g><path/></g></svg> now</p>", "Save now"),
    "superscripts": ("<p>10<sup>2</sup>, $19<sup>99</sup>, x<sup>[1]</sup></p>", "10^2, $19.99, x[1]"),
    "whitespace": ("<p> a\n\t b&nbsp;&nbsp;c </p>", "a b c"),
    "right to left and CJK": (
        "<p>مرحبا <b>بالعالم</b></p><p>你好<b>世界</b>。</p>",
        "مرحبا **بالعالم**\n\n你好**世界**。",
    ),
    "controls side by side": ("<button>S</button><button>M</button>", "S M"),
    "a price whose point is an element": ("$<span>12<i>.</i></span><span class=cents>99</span>", "$12.99"),
    "cells by their role": ("<span role=cell>gamma</span><span role=cell>7</span>", "gamma 7"),
    "words for listeners alone": (
        "<input type=radio><label>XS<i class='sr-only no'>Sold out</i></label><input type=radio><label>M</label>",
        "XS *Sold out* M",
    ),
    "links of a cloud of tags": (
        "<span class=t4><a href=/b>birds</a></span><span class=t4><a href=/c>calendar towels</a></span>",
        "birds calendar towels",
    ),
    "labels with a field between": ("<label>Your Name</label><input name=n>(required)", "Your Name (required)"),
    "a hidden field within a word": ("Ex<input type=hidden name=n>ample", "Example"),
    "fields set apart by style": ("<span class=n>Foo</span><span class=p>$5</span>", "Foo $5"),
    "fields within fields set apart by style": (
        "<span>Brand: Foo</span><span><span>Stock</span> <b>Yes</b></span>",
        "Brand: Foo Stock **Yes**",
    ),
    "a label and its number": ("<span>Etage</span><span>2</span>", "Etage 2"),
    "labels around their numbers": (
        "<p><span>Betten<b>6</b></span><span>Bäder<b>5</b></span><span>Lage<b>Stadt</b></span></p>",
        "Betten **6** Bäder **5** Lage **Stadt**",
    ),
    "pairs of a label and a letter": (
        "<div><p><i>DPE</i><i>C</i></p><p><i>Étage</i><i>2</i></p></div>",
        "*DPE* *C*\n\n*Étage* *2*",
    ),
    "a number and an amount": ("<span>1</span><span>1.104,00 €</span>", "1 1.104,00 €"),
    "numbers that a blank would make one": ("<i>2.2 out of 5</i> <b>632,99 €</b>", "*2.2 out of 5*\n**632,99 €**"),
    "numbers of a heading": ("<h2><i>2.2 out of 5</i><b>632,99 €</b></h2>", "## 2.2 out of 5; 632,99 €"),
    "numbers of a cell": (
        "<table><tr><th>Size<tr><td>12<br>345 cm<tr><td>A<br>345</table>",
        "| Size |\n| --- |\n| 12; 345 cm |\n| A 345 |",
    ),
    "a number and its next digits": ("<b>CHF 4'200</b> <i>100%</i>", "**CHF 4'200** *100%*"),
    "letters of what is searched for": ("<ul><li>goo<b>gle</b></li><li>goo<b>ds</b></li></ul>", "- google\n- goods"),
    "cents that are raised before their sign": ("<u>4</u><sup>99</sup><i>€</i>", "4.99€"),
    "emphasis set apart by style": ("<em>CEO</em><a href=/>ada@example.org</a>", "*CEO* ada@example.org"),
    "prices before and now": ("<del>$9</del><ins>$5</ins>", "~~$9~~ $5"),
    "stars by their name": ("<span role=img aria-label='4 of 5 stars'><i></i></span>", "4 of 5 stars"),
    "stars by their title": ("<p title='Rated 4.5'><i></i></p>", "Rated 4.5"),
    "stars by a class": ("<p class='star-rating Three'><i class=icon-star></i></p>", "Rating: 3"),
    "stars by half": ("<div class=stars-4-5></div>", "Rating: 4.5"),
    "stars by their data": ("<p data-rating=2><b class=s></b></p>", "Rating: 2"),
    "steps of a scale": ("<p>x<i class='star star-1'></i><i class='star star-2'></i></p>", "x"),
    "a mark that fills a cell": ("<table><tr><th>a<tr><td><i title=Yes></i></table>", "| a |\n| --- |\n| Yes |"),
    "names of controls": ("x<button><i title='4 items'></i></button><a aria-label='Page 2'></a>", "x"),
    "names of what has text": ("<p title='5 stars'>Lamp</p>", "Lamp"),
    "a mark of one letter behind words": ("<span class=m>3h 41m</span><span class=m>R</span>", "3h 41m R"),
    "letters of one word": ("<span class=m>R</span><span class=m>ead</span>", "Read"),
    "letters in a word": ("<p>W<span>a</span>ter</p>", "Water"),
    "soft hyphens and zero width": ("<p>Do&shy;nau\u200b</p>", "Donau"),
    "how full a bar is": ("<p>Go <progress value=70 max=200></progress> C <meter value=.4></meter>", "Go 35% C 40%"),
    "a bar with a part": ("<p>Go <b role=progressbar aria-valuenow=5 aria-valuemax=20><i></i></b>", "Go 25%"),
    "a bar with words": ("<p>Go <meter value=.4>two of five</meter>", "Go two of five"),
    "a bar of no size": ("<p>Go <meter value=x></meter> C <progress value=3 max=inf></progress>", "Go C"),
    "mail that a script writes": ("<a class=c data-cfemail=5a3b34341a227434362e>[email protected]</a>", "ann@x.nlt"),
    "what is no code of mail": ("<a data-cfemail=5a3b>[email protected]</a>", "[email protected]"),
    "drawing": ("<svg><title>Close</title><text>42%</text></svg>", "42%"),
    "formula": ("<math><mi>x</mi><annotation encoding='application/x-tex'>x^2</annotation></math>", "$x^2$"),
    "formula without its source": (
        "<math><mfrac><mn>1</mn><mn>2</mn></mfrac><msup><mi>b</mi><mn>2</mn></msup></math>",
        "$\\frac{1}{2}b^2$",
    ),
    "formula that is drawn, too": (
        "<span class=katex><span><math><mi>y</mi><annotation encoding='application/x-tex'>y^2</annotation></math>"
        "</span><span class=katex-html aria-hidden=true>y2</span></span>",
        "$y^2$",
    ),
    "details": ("<details><summary>a</summary><p>b</p></details>", "a\n\nb"),
    "rule": ("<p>a</p><hr><p>b</p>", "a\n\n---\n\nb"),
    "an empty row within emphasis and no table": ("<p>a</p><td><b><tr><td>", "a"),
    "deleted price": ("<del>$9</del> <ins>$8</ins>", "~~$9~~ $8"),
    "plain text": ("no markup", "no markup"),
    "empty": ("", ""),
}


@pytest.mark.req("MD-1")
@pytest.mark.parametrize(("html", "expected"), WRITTEN.values(), ids=WRITTEN.keys())
def test_markdown_is_written_like_this(html: str, expected: str) -> None:
    assert convert(html) == expected


@pytest.mark.req("MD-3")
def test_links_lose_their_targets_unless_asked_for() -> None:
    html = "<p><a href=/x>Tea</a></p>"
    assert convert(html, "https://e.example/") == "Tea"
    assert convert(html, "https://e.example/", extract_links=True) == "[Tea](https://e.example/x)"


LINKS = {
    "b": "https://e.example/a/b",
    "//c.example/d": "https://c.example/d",
    "?q=1": "https://e.example/a/?q=1",
    "#top": "https://e.example/a/#top",
    "https://d.example/x y(1)|2": "https://d.example/x%20y%281%29%7C2",
    "mailto:a@b.example": "mailto:a@b.example",
    " \n/trim\n": "https://e.example/trim",
    "HTTPS://d.example/": "https://d.example/",
    "MailTo:a@b.example": "MailTo:a@b.example",
}


@pytest.mark.req("MD-3")
@pytest.mark.parametrize(("target", "absolute"), LINKS.items())
def test_link_targets_are_absolute_and_encoded(target: str, absolute: str) -> None:
    assert convert(f'<a href="{target}">x</a>', "https://e.example/a/", extract_links=True) == f"[x]({absolute})"


@pytest.mark.req("MD-3")
def test_links_are_resolved_against_the_base_of_the_page_even_below_a_selector() -> None:
    html = "<head><base href='/shop/'></head><div id=x><a href=p1>P</a></div>"
    assert (
        convert(html, "https://e.example/q", extract_links=True, css_selector="#x") == "[P](https://e.example/shop/p1)"
    )


@pytest.mark.req("MD-3")
@pytest.mark.parametrize(
    "target",
    ["javascript:alert(1)", "JaVaScRiPt:x", "java\nscript:x", "\x01javascript:x", " javascript:x", "data:text/html,x",
     "vbscript:x", "javascript&colon;x", "blob:x", "&#106;avascript:x"],
)  # fmt: skip
def test_targets_that_run_code_never_come_through(target: str) -> None:
    html = f'<a href="{target}">x</a><img src="{target}" alt=i><base href="{target}">'
    assert re.sub(r"\s", "", convert(html, "https://e.example/", extract_links=True)) in ("xi", "x")


@pytest.mark.req("MD-3")
def test_a_link_around_a_card_stands_on_its_heading() -> None:
    html = "<a href=/p><h3>Shoe</h3><p>$5</p></a>"
    assert convert(html, "https://e.example/", extract_links=True) == "### [Shoe](https://e.example/p)\n\n$5"
    html = "<ul><li><a href=/p><h3>Shoe</h3></a> $5</li></ul><a href=/q># 5</a>"
    found = convert(html, "https://e.example/", extract_links=True)
    assert found == "- ### [Shoe](https://e.example/p)\n\n  $5\n\n[\\# 5](https://e.example/q)"


@pytest.mark.req("MD-4")
@pytest.mark.parametrize(
    "attributes",
    ["data-gleaner-hidden", "hidden", "style='display:none'", "style='color:red; visibility : hidden'",
     "style='opacity:0'", "style='font-size:0px'", "style='position:absolute;left:-9999px'", "popover",
     "style='color:#fff;background:#fff'", "style='display:none !important'",
     "style='color:White;background-color:#FFFFFF'", "style='background: rgb(255, 255, 255); color: #fff'",
     "style='color:transparent'", "style='width:0;height:0;overflow:hidden'", "style='max-height:0px; overflow : clip'",
     "style='width:1px;height:1px;overflow:hidden;position:absolute'"],
)  # fmt: skip
def test_text_that_nobody_sees_is_dropped_and_counted(attributes: str) -> None:
    content, stats = extract_clean_markdown(f"<p>seen</p><div {attributes}>not <b>seen</b></div>")
    assert (content, stats.hidden_chars) == ("seen", len("not seen"))


@pytest.mark.req("MD-4")
@pytest.mark.parametrize(
    "style",
    ["opacity:0.5", "opacity:0;transform:translateY(8px)", "font-size:10px", "left:-10px", "height:0",
     "height:0;padding-bottom:56%;overflow:hidden", "max-width:10px;overflow:hidden", "min-height:0;overflow:hidden",
     "color:#fff;background:#000", "color:transparent;background-image:linear-gradient(red,blue);background-clip:text",
     "color:transparent;text-shadow:0 0 1px red", "width:100px;height:20px;overflow:hidden"],
)  # fmt: skip
def test_text_that_is_shown_sooner_or_later_stays(style: str) -> None:
    assert convert(f"<p style='{style}'>seen</p>") == "seen"


@pytest.mark.req("MD-4")
def test_data_images_are_dropped_unless_the_setting_says_otherwise() -> None:
    html = "<img src='data:image/png;base64,AAAA' alt='red dot'>"
    assert open_page(html, options=PageOptions(extract_links=True)).text == "red dot"
    kept = open_page(html, options=PageOptions(extract_links=True, keeps_data_images=True)).text
    assert kept == "![red dot](data:image/png;base64,AAAA)"


@pytest.mark.req("MD-6")
@pytest.mark.parametrize("html", [b"<p>x</p>", None, 5])
def test_what_is_no_text_is_told_with_what_would_be_right(html: Any) -> None:
    with pytest.raises(TypeError, match=r"HTML is given as str, not (bytes|NoneType|int); .*decode_html"):
        extract_clean_markdown(html)


@pytest.mark.req("MD-5")
def test_a_selector_narrows_to_its_first_match() -> None:
    html = "<div class=c>one</div><div class=c>two</div><table><tr id=r><td>a<td>b</table>"
    assert convert(html, css_selector=".c") == "one"
    assert convert(html, css_selector="#r") == "| a | b |\n| --- | --- |"
    assert convert("<p>x</p><footer>chosen <nav>too</nav></footer>", css_selector="footer") == "chosen\n\ntoo"


@pytest.mark.req("MD-5")
@pytest.mark.parametrize("selector", ["p[", "", "::x", "p,,q", ":nope(", "1a"])
def test_an_invalid_selector_is_named(selector: str) -> None:
    with pytest.raises(InvalidSelector, match="css_selector"):
        convert("<p>x</p>", css_selector=selector)


@pytest.mark.req("MD-5")
def test_a_selector_without_a_match_is_an_error_and_not_the_page() -> None:
    with pytest.raises(SelectorNotFound, match="#nope"):
        convert("<p>x</p>", css_selector="#nope")


@pytest.mark.req("MD-6")
def test_a_page_over_the_limit_is_refused_by_its_bytes() -> None:
    with pytest.raises(PageTooLarge, match="max_page_size"):
        open_page("é" * 60, options=PageOptions(max_size=100))
    assert open_page("e" * 60, options=PageOptions(max_size=100)).text == "e" * 60


def test_the_title_comes_from_title_then_open_graph_then_the_first_heading() -> None:
    assert open_page("<svg><title>Icon</title></svg><title> A  b </title><h1>c</h1>").title == "A b"
    assert open_page("<meta property='og:title' content='O'><h1>c</h1>").title == "O"
    assert open_page("<h1>c <b>d</b></h1>").title == "c d"
    assert open_page("<p>x</p>").title == ""


LISTING = "<h1>Shop</h1><ul>" + "".join(
    f"<li class=card><a href=/p{n}><h3>Shoe {n}</h3></a><p>${n}.00</p></li>" for n in range(1, 8)
) + "</ul><table><tr><th>A<th>B" + "".join(f"<tr><td>{n}<td>x{n}" for n in range(1, 8)) + "</table>"  # fmt: skip


@pytest.mark.req("MD-1", "EX-6")
def test_units_are_placed_exactly_and_leave_no_trace() -> None:
    for links in (False, True):
        page = open_page(LISTING, "https://e.example/", PageOptions(extract_links=links))
        plain = open_page(LISTING, "https://e.example/", PageOptions(extract_links=links))
        assert page.text == plain.text
        rows = [page.text[unit.start : unit.end] for unit in page.units if unit.kind == "row"]
        assert [f"| {n} | x{n} |" for n in range(1, 8)] == rows[-7:]
        cards = [page.text[unit.start : unit.end] for unit in page.units if unit.kind not in ("row", "entry")]
        assert all(f"Shoe {n}" in card and f"${n}.00" in card for n, card in enumerate(cards, 1))
        assert len(cards) == 7


def test_unit_marks_of_the_page_itself_are_dropped() -> None:
    assert open_page("<ul>" + "<li>a\ue9a0\ue9a2b&#xe9a1;</li>" * 5 + "</ul>").text == "\n".join(["- ab"] * 5)


TAGS = re.findall(
    r"\w+",
    """
    div p span b i a ul ol li table tr td th h2 pre code blockquote dl dt dd br img nav footer select option q sup
""",
)
ANY_TEXT = st.text(max_size=12)
PIECES = st.one_of(
    ANY_TEXT,
    st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS]),
    st.sampled_from(
        ["<a href='javascript:x'>", "<td rowspan=9 colspan=3>", "<!--", "-->", "<script>", "&nbsp;", "&#0;", "<"]
    ),
)


@pytest.mark.req("MD-6")
@given(st.lists(PIECES, max_size=40))
def test_any_soup_gives_tidy_markdown(pieces: list[str]) -> None:
    html = "".join(pieces)
    page = open_page(html, "https://e.example/", PageOptions(extract_links=True))
    assert page.text == open_page(html, "https://e.example/", PageOptions(extract_links=True)).text
    assert "javascript:x" not in page.text
    assert page.text == page.text.strip("\n")
    outside = re.sub(r"(?ms)^[> :\-\d.]*(`{3,}).*?^[> ]*\1$", "", page.text)
    assert "```" in page.text or not re.search(r"\n[ >]*\n[ >]*\n", outside)
    assert all(0 <= unit.start < unit.end <= len(page.text) for unit in page.units)
    page.text.encode("utf-8")
    main_content(html)


WORDS = st.text(alphabet="abcdefghij ", min_size=1, max_size=20)


@pytest.mark.req("MD-1")
@given(
    st.recursive(WORDS, lambda inner: st.tuples(st.sampled_from(TAGS[:11]), st.lists(inner, max_size=4)), max_leaves=25)
)
def test_no_text_is_lost_in_conversion(tree: object) -> None:
    def render(node: object) -> str:
        if isinstance(node, tuple):
            return f"<{node[0]}>{''.join(map(render, node[1]))}</{node[0]}>"
        return str(node)

    html = render(tree)
    letters = re.sub(r"[^a-j]", "", re.sub(r"<[^>]*>", "", html))
    found = re.sub(r"[^a-j]", "", open_page(html).text)
    assert sorted(found) == sorted(letters)


@pytest.mark.req("MD-1")
def test_elements_of_a_page_s_own_and_texts_with_a_picture_between_are_set_apart() -> None:
    card = "<x-card><x-name>Larch jug</x-name><x-price>$5.00</x-price><x-meta>Graz</x-meta></x-card>"
    assert convert(f"<main><h1>Tea</h1><div>{card}</div></main>") == "# Tea\n\nLarch jug $5.00 Graz"
    badge = (
        "<article><span class=badge>Sale</span><img src=a.jpg alt=''><strong class=name>Larch jug</strong></article>"
    )
    assert convert(f"<main><h1>Tea</h1>{badge}</main>") == "# Tea\n\nSale **Larch jug**"


@pytest.mark.req("MD-6")
@pytest.mark.parametrize(
    "part",
    [
        "<i data-rating=1></i>",
        "<i title=Yes></i>",
        "<i class=star-1></i>",
        "<i title=3></i>",
        "<i class=fa-check></i>",
        "<i class=star></i><i class='star o'></i><br>",
    ],
)
def test_graphics_side_by_side_are_each_looked_at_once(part: str) -> None:
    shown = extract_clean_markdown(f"<table><tr><td>Mug<td>{part * (8_000 // part.count('<i'))}</table>")[0]
    assert "Mug" in shown


@pytest.mark.req("MD-1")
@pytest.mark.parametrize(
    ("html", "lines"),
    [
        ("<ol type=A><li>one<li>two</ol>", ["- A. one", "- B. two"]),
        ("<ol type=i start=3><li>one<li>two</ol>", ["- iii. one", "- iv. two"]),
        ("<ol style='list-style: lower-latin inside' start=26><li>one<li>two</ol>", ["- z. one", "- aa. two"]),
        ("<ol style='list-style-type:upper-roman' reversed><li>one<li>two</ol>", ["- II. one", "- I. two"]),
        ("<ol><li>one<li type=a>two</ol>", ["1. one", "- b. two"]),
        ("<ol type=a><li value=5>one<li>two</ol>", ["- e. one", "- f. two"]),
        ("<ol type=1><li>one<li>two</ol>", ["1. one", "2. two"]),
        ("<ol type=I start=0><li>one<li>two</ol>", ["0. one", "- I. two"]),
        ("<ol type=A><li>one<ol type=i><li><p>two<p>more</ol></ol>", ["- A. one", "", "  - i. two", "", "    more"]),
    ],
)
def test_items_count_as_a_reader_sees_them(html: str, lines: list[str]) -> None:
    assert extract_clean_markdown(html)[0].splitlines() == lines


@pytest.mark.req("MD-1")
@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>Colour: <select><option>Red<option selected>Blue</select></p>", "Red, ☑ Blue"),
        ("<select multiple><option selected>A<option>B<option selected>C</select>", "☑ A, B, ☑ C"),
        ("<select><option>Red<option>Blue</select>", "Red, Blue"),
        ("<label><input type=radio name=s> S</label> <label><input type=radio name=s checked> L</label>", "☐ S ☑ L"),
        ("<label><input type=checkbox name=s> S</label> <label><input type=checkbox name=s> L</label>", "S L"),
        ("<input type=checkbox name=a checked> Oil <input type=checkbox name=b> Wax", "☑ Oil Wax"),
        ("<u role=checkbox aria-checked=false></u> Buy <u role=checkbox aria-checked=true></u> Oil", "☐ Buy ☑ Oil"),
        (
            "<input type=radio name=t checked><input type=radio name=t>Tools",
            "Tools",
        ),  # what it chooses stands elsewhere
        ("<b role=radio aria-checked=true>Matt</b> <b role=radio aria-checked=false>Gloss</b>", "☑ Matt ☐ Gloss"),
        ("<b role=switch aria-checked=false>Matt</b> <b role=switch aria-checked=false>Gloss</b>", "Matt Gloss"),
    ],
)
def test_what_is_chosen_is_told_apart(html: str, text: str) -> None:
    assert text in extract_clean_markdown(html)[0].replace("**", "")


@pytest.mark.req("MD-3")
def test_links_in_preformatted_text_keep_their_targets_and_code_stays_code() -> None:
    page = (
        "<pre><a href=/1.pdf>1.pdf</a>   Smith v. <a href='/b'><b>Boyd</b></a>\n   No. <a>24</a></pre>"
        "<pre class=language-go>func <a href=/f>F</a></pre>"
    )
    code = "```go\nfunc F\n```"
    with_links = extract_clean_markdown(page, "https://c.example/x/", extract_links=True)[0]
    first = "[1.pdf](https://c.example/1.pdf)   Smith v. [Boyd](https://c.example/b)"
    assert with_links == f"```\n{first}\n   No. 24\n```\n\n{code}"
    assert extract_clean_markdown(page)[0] == f"```\n1.pdf   Smith v. Boyd\n   No. 24\n```\n\n{code}"
