"""What a rendering gives: HTML with frames and shadow roots, links, screenshots, title, status, errors, timings."""

# ruff: noqa: E501 - a page in one line reads better than one in pieces

import struct

import pytest
from gleaner.adapters.browser.renderer import PlaywrightRenderer
from gleaner.contracts.ports import RenderOrder
from gleaner.markdown import extract_clean_markdown

from tests.browser.conftest import reply


def png_size(body: bytes) -> tuple[int, int]:
    assert body[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", body[16:24])


@pytest.mark.req("BR-1", "BR-2")
def test_a_rendering_says_all_about_the_page(site, show):
    page = show(
        "<!doctype html><title> The title </title><body><p>Text</p><script>console.error('bad', 1); console.log('fine');"
        "setTimeout(() => { throw new Error('late') }, 20)</script>"
    )
    assert (page.url, page.status, page.title) == (site.url("/shown"), 200, "The title")
    assert "<p>Text</p>" in page.html
    assert page.console_errors == ("bad 1", "late")
    assert {"open", "navigate", "wait", "snapshot", "screenshot"} <= set(page.timings)


@pytest.mark.req("BR-2")
def test_links_are_absolute_unique_and_in_page_order(site, show):
    page = show(
        "<base href='/deep/'><body><a href='b'>1</a><a href='/a?x=1#part'>2</a><a href='b'>again</a><a href='b#end'>3</a>"
        "<a href='mailto:a@b.c'>no</a><a href='javascript:void 0'>no</a><a>no</a><a href='https://example.com/é'>4</a>"
        "<div id=h></div><iframe srcdoc=\"<a href='/inside'>5</a>\"></iframe><a href='#top'>6</a>"
        "<script>h.attachShadow({mode:'open'}).innerHTML = '<a href=/shadow>s</a>'</script>"
    )
    root = site.url("")
    assert page.links == (
        f"{root}/deep/b",
        f"{root}/a?x=1#part",
        f"{root}/deep/b#end",
        "https://example.com/%C3%A9",
        f"{root}/shadow",
        f"{root}/inside",
        f"{root}/deep/#top",
    )


@pytest.mark.req("BR-2")
def test_screenshots_show_the_window_or_the_whole_page(show):
    html = "<!doctype html><style>body{margin:0}</style><div style='height:3000px;background:red'></div>"
    taken = show(html, screenshots=("viewport", "full")).screenshots
    assert {part: png_size(picture) for part, picture in taken.items()} == {
        "viewport": (1280, 800),
        "full": (1280, 3000),
    }
    assert show(html).screenshots == {}


@pytest.mark.req("BR-2")
def test_a_screenshot_of_an_endless_page_is_cut_and_says_so(show):
    page = show("<!doctype html><style>body{margin:0}</style><div style='height:40000px'></div>", screenshots=("full",))
    assert png_size(page.screenshots["full"]) == (1280, 16384)
    assert "40000 px" in page.warnings[0]


@pytest.mark.req("BR-2")
def test_text_is_drawn_with_real_fonts(show):
    blank = show("<!doctype html><body style='font-size:40px'>", screenshots=("viewport",)).screenshots["viewport"]
    drawn = show("<!doctype html><body style='font-size:40px'>Words", screenshots=("viewport",)).screenshots["viewport"]
    assert len(drawn) > len(blank)


@pytest.mark.req("BR-2")
def test_open_shadow_roots_are_in_the_snapshot_where_they_are_drawn(show):
    page = show(
        "<my-card><b slot=name>Ada</b>rest</my-card><script>customElements.define('my-card', class extends HTMLElement {"
        "constructor() { super(); this.attachShadow({mode: 'open'}).innerHTML = "
        "'<h2><slot name=name></slot></h2><my-leaf></my-leaf><p><slot></slot></p><slot name=none>fallback</slot>' } });"
        "customElements.define('my-leaf', class extends HTMLElement { connectedCallback() {"
        "this.attachShadow({mode: 'open'}).innerHTML = '<i>leaf</i>' } })</script>"
    )
    card = page.html.partition("<my-card>")[2].partition("</my-card>")[0]
    assert card == (
        '<h2><slot name="name"><b slot="name">Ada</b></slot></h2><my-leaf><i>leaf</i></my-leaf><p><slot>rest</slot></p>'
        '<slot name="none">fallback</slot>'
    )


@pytest.mark.req("MD-1", "BR-2")
def test_words_that_style_draws_are_text_and_icons_are_not(show):
    html = show(
        "<!doctype html><style>.eur::before{content:'\\20ac'}.new::after{content:' (new)'}td::before{content:attr(data-label) ': '}"
        ".icon::before{content:'\\f00c'}.letter::before{content:'e'}.dot::before{content:'\\2022'}.off::after{content:'secret';display:none}"
        ".gone::after{content:'secret';opacity:0}.esc::before{content:'<b>&'}tr::before{content:'row'}q::before{content:open-quote}</style>"
        "<body><p class=eur>19.99</p><p class=new>Blue</p><table><tr><td data-label=Size>3 cm</td></tr></table><p class=icon>a</p>"
        "<p class=letter>b</p><p class=dot>c</p><p class=off>d</p><p class=gone>e</p><p class=esc>f</p><q>g</q><p hidden class=eur>1</p>"
    ).html
    for drawn in (
        "€</span>19.99<",
        'Blue<span data-gleaner-drawn=""> (new)</span>',
        "Size: </span>3 cm",
        "&lt;b&gt;&amp;</span>f",
    ):
        assert drawn in html
    for plain in ('"icon">a<', '"letter">b<', '"dot">c<', '"off">d<', '"gone">e<', "<tr><td", "<q>g<", ">1</p>"):
        assert plain in html
    assert "Size: 3 cm" in extract_clean_markdown(html)[0]
    assert "€19.99" in extract_clean_markdown(html)[0]


@pytest.mark.req("BR-2")
def test_declarative_shadow_roots_are_in_the_snapshot(show):
    html = show(
        "<div><template shadowrootmode=open><p>from the root</p></template></div><template>inert</template>"
    ).html
    assert "<div><p>from the root</p></div>" in html
    assert "inert" not in html


@pytest.mark.req("BR-2")
def test_frames_of_any_origin_are_in_the_snapshot(site, show):
    inner = site.page("/inner", "<body><p>other site</p><a href='rel'>link</a><iframe src='/deepest'></iframe>")
    site.page("/deepest", "<p>deepest</p>")
    site.page("/own", "<p style='display:none'>hidden there</p><p>same origin</p><a href='x'>own</a>")
    site.page("/boxed", "<p>sandboxed</p>")
    other = inner.replace("127.0.0.1", "localhost")
    page = show(
        f"<body><iframe src='/own'></iframe><iframe src='{other}'></iframe><iframe sandbox src='/boxed'></iframe>"
        "<iframe srcdoc='<p>written</p>'></iframe><p>after</p>"
    )
    places = [
        page.html.index(text) for text in ("same origin", "other site", "deepest", "sandboxed", "written", "after")
    ]
    assert places == sorted(places)
    assert f'<div data-gleaner-frame="{other}">' in page.html
    assert '<p style="display:none" data-gleaner-hidden="display">hidden there</p>' in page.html
    assert page.links == (site.url("/x"), other.replace("/inner", "/rel"))


@pytest.mark.req("BR-2")
def test_a_frame_that_never_answers_does_not_keep_the_page(site, show):
    site.hang("/never-frame")
    page = show("<body><p>here</p><iframe src='/never-frame'></iframe>")
    assert "<p>here</p>" in page.html


@pytest.mark.req("MD-4")
def test_a_page_that_breaks_its_own_prototypes_is_read_all_the_same(show):
    html = show(
        "<body><p>kept</p><p style='display:none'>secret</p><script>window.getComputedStyle = () => ({display: 'block'});"
        "Array.prototype.push = () => 0; Array.prototype.join = () => 'broken'; JSON.stringify = () => '{}';"
        "String.prototype.replace = () => 'broken'; Array.prototype[Symbol.iterator] = null; Set.prototype.add = null;"
        "Object.defineProperty(Document.prototype, 'documentElement', {get: () => null});"
        "Element.prototype.getBoundingClientRect = () => { throw 1 }; Map.prototype.get = () => { throw 1 };"
        "</script>"
    ).html
    assert "<p>kept</p>" in html
    assert 'data-gleaner-hidden="display">secret' in html


@pytest.mark.req("BR-2")
def test_a_page_cannot_write_our_marks(show):
    html = show("<body><p data-gleaner-hidden=x>shown</p><gleaner-frame-0>feigned</gleaner-frame-0>").html
    assert "<p>shown</p>" in html


@pytest.mark.req("BR-2")
@pytest.mark.parametrize(
    ("content_type", "body", "expected"),
    [
        ("application/json", '{"a": "<b>"}', '{"a": "&lt;b&gt;"}'),
        ("text/plain", "a < b", "a &lt; b"),
        ("text/plain; charset=iso-8859-1", "plain", "plain"),
        ("application/xhtml+xml", "<html xmlns='http://www.w3.org/1999/xhtml'><body><p>x</p></body></html>", "<p"),
        ("application/xml", "<feed><entry>one &amp; two</entry></feed>", "one &amp;amp; two"),
        ("application/rss+xml", "<rss><channel><title>News</title></channel></rss>", "News"),
        ("image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'><text>drawn</text></svg>", "drawn"),
    ],
)
def test_text_that_is_not_html_is_given_as_the_browser_shows_it(site, renderer, content_type, body, expected):
    url = site.page("/other-type", body, content_type)
    assert expected in renderer.render(RenderOrder(url)).html


@pytest.mark.req("BR-2", "MD-1", "CM-1")
def test_ends_of_lines_that_style_keeps_are_breaks(show):
    html = show(
        "<!doctype html><style>.t{white-space:pre-line}</style><div class=t>Ann, 1\nBen, <b>2\n3</b>"
        "<i style='white-space:normal'>c\nd</i></div><p>e\nf</p><pre class=t>g\nh</pre>"
    ).html
    assert "Ann, 1<br>Ben, <b>2<br>3</b>" in html
    assert html.count("<br>") == 2


@pytest.mark.req("BR-2")
def test_values_survive_being_written_and_read_again(show):
    from lxml import html as lxml_html

    html = show(
        '<body><p title="a &quot;b&quot; <c> &amp;amp;">1 &lt; 2 &amp;lt; &nbsp;|</p><script type="application/json">'
        '{"a": "<!-- <\\/script>"}</script><pre>\n\n two lines</pre><input value="&quot;"><br><textarea>\n&lt;t></textarea>'
        "<svg viewBox='0 0 1 1'><linearGradient/></svg><p @click=x :a=b>odd</p>"
    ).html
    root = lxml_html.document_fromstring(html)
    assert root.find(".//p").get("title") == 'a "b" <c> &amp;'
    assert root.find(".//p").text == "1 < 2 &lt; \xa0|"
    assert root.find(".//script").text == '{"a": "<!-- <\\/script>"}'
    assert "odd" in root.text_content()


@pytest.mark.req("BR-2", "MD-6")
def test_deep_nesting_is_read(show):
    assert "deepest" in show("<body>" + "<div>" * 10_000 + "deepest").html
    page = show(
        "<body><script>let at = document.body; for (let n = 0; n < 2000; n++) at = at.appendChild(document.createElement('i'));"
        "at.textContent = 'deepest'</script>"
    )
    assert "deepest" in page.html


@pytest.mark.req("BR-2")
def test_many_elements_are_read_in_one_pass(show):
    page = show("<body><table>" + "<tr><td>cell <b>x</b></td><td>y</td></tr>" * 4000 + "</table>")
    assert page.html.count("<tr>") == 4000
    assert page.timings["snapshot"] < 5_000


@pytest.mark.req("BR-2", "SS-2")
def test_a_page_over_the_size_limit_is_an_error_that_says_so(site, make_settings):
    from gleaner.contracts.errors import PageTooLarge

    url = site.page("/large", "<body><script>document.body.append('x'.repeat(60000))</script>")
    renderer = PlaywrightRenderer(make_settings(max_page_size=50_000))
    try:
        with pytest.raises(PageTooLarge, match="max_page_size, 50000"):
            renderer.render(RenderOrder(url))
    finally:
        renderer.close()


@pytest.mark.req("MD-6")
@pytest.mark.parametrize("content_type", ["text/html", "text/html; charset=iso-8859-1"])
def test_a_page_in_utf8_without_its_label_reads_as_it_was_written(site, renderer, content_type):
    words = "Café à la carte – 12 € · 東京 · naïve 😀"
    url = site.page("/unlabelled", f"<title>{words}</title><p title='{words}'>{words}</p>", content_type)
    page = renderer.render(RenderOrder(url))
    assert page.title == words
    assert page.html.count(words.replace("\u00a0", "&nbsp;")) == 3


@pytest.mark.req("MD-6")
def test_a_page_in_windows_1252_stays_as_it_is(site, renderer):
    body = "<p>Café à la carte – 12 € · naïve Ångström</p>".encode("cp1252")
    site.routes["/western"] = lambda handler: reply(handler, body, "text/html")
    assert "Café à la carte – 12 € · naïve Ångström" in renderer.render(RenderOrder(site.url("/western"))).html


@pytest.mark.req("BR-2")
def test_the_frames_of_a_frameset_are_in_the_snapshot(site, show):
    site.page("/menu-frame", "<p>Menu of the yard</p>")
    site.page("/main-frame", "<h1>Yard</h1><p>Boats ashore</p>")
    page = show("<html><frameset cols='20%,80%'><frame src='/menu-frame'><frame src='/main-frame'></frameset></html>")
    assert extract_clean_markdown(page.html)[0] == "Menu of the yard\n\n# Yard\n\nBoats ashore"


@pytest.mark.req("BR-2")
@pytest.mark.parametrize("mode", ["open", "closed"])
def test_a_shadow_tree_is_read_whether_it_is_open_or_closed(mode, show):
    by_script = (
        "<x-tide></x-tide><script>document.querySelector('x-tide').attachShadow({mode: 'MODE'})"
        ".innerHTML = '<p>High at nine</p>'</script>"
    )
    with_a_slot = "<x-low><template shadowrootmode=MODE><p>Low at <slot></slot></p></template><b>three</b></x-low>"
    nested = "<x-a><template shadowrootmode=MODE><x-b><template shadowrootmode=closed>Slack</template></x-b></template></x-a>"
    page = show(f"<body><p>Tide</p>{(by_script + with_a_slot + nested).replace('MODE', mode)}</body>")
    text = extract_clean_markdown(page.html)[0].split()
    assert (page.warnings, text) == ((), ["Tide", "High", "at", "nine", "Low", "at", "**three**", "Slack"])


@pytest.mark.req("BR-2")
def test_an_object_that_does_not_load_is_what_stands_in_it_and_one_that_loads_is_not(site, show):
    site.page("/tide-map", "<p>A map</p>")
    page = show(
        "<body><object data=/lost.html type=text/html>High at <b>nine</b></object>"
        "<object data=/tide-map>Get a browser</object>"
        "<object type=application/x-shockwave-flash data=/tide.swf><p>Low at three</p></object>"
        "<object data=/lost.html><object data=/lost-too.html><p>Call us</p></object></object>"
        "<object data=/lost.html style=display:none>Not there</object>"
    )
    assert extract_clean_markdown(page.html)[0] == "High at **nine**\n\nLow at three\n\nCall us"


@pytest.mark.req("BR-2")
def test_a_closed_shadow_tree_of_a_frame_is_said_to_be_missing(show, site):
    script = "document.querySelector('x-tide').attachShadow({mode: 'closed'}).innerHTML = '<p>High at nine</p>'"
    site.page("/tide-frame", f"<x-tide></x-tide><script>{script}</script>")
    page = show("<body><p>Tide</p><iframe src=/tide-frame></iframe>")
    assert page.warnings == ("1 closed shadow tree(s) could not be read; their text is missing",)
