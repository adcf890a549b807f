"""What a person can't see is marked in the snapshot, and what a person can see or scroll to never is (MD-4)."""

# ruff: noqa: E501 - a page in one line reads better than one in pieces

import copy
import re

import pytest
from gleaner.contracts.ports import RenderOrder
from lxml.html import HtmlElement, document_fromstring, tostring

HIDDEN = {
    "display none": '<p style="display:none">SECRET</p>',
    "display none by a class": "<style>.x{display:none}</style><p class=x>SECRET</p>",
    "display none on a parent": '<div style="display:none"><div><p>SECRET</p></div></div>',
    "hidden attribute": "<p hidden>SECRET</p>",
    "visibility hidden": '<p style="visibility:hidden">SECRET</p>',
    "visibility collapse": '<p style="visibility:collapse">SECRET</p>',
    "opacity 0": '<p style="opacity:0">SECRET</p>',
    "opacity 0 on a parent": '<div style="opacity:0"><p style="opacity:1">SECRET</p></div>',
    "opacities that add up": '<div style="opacity:.1"><div style="opacity:.1">SECRET</div></div>',
    "filter opacity": '<p style="filter:opacity(0)">SECRET</p>',
    "far left": '<p style="position:absolute;left:-9999px">SECRET</p>',
    "far up": '<p style="position:absolute;top:-9999px">SECRET</p>',
    "fixed outside": '<p style="position:fixed;left:200vw">SECRET</p>',
    "moved by transform": '<p style="transform:translateX(-9999px)">SECRET</p>',
    "pulled by margin": '<p style="margin-left:-9999px;width:500px">SECRET</p>',
    "relative far left": '<p style="position:relative;left:-9999px;width:500px">SECRET</p>',
    "text indent": '<p style="text-indent:-9999px;overflow:hidden">SECRET</p>',
    "scaled to nothing": '<p style="transform:scale(0)">SECRET</p>',
    "one pixel": '<p style="position:absolute;width:1px;height:1px;overflow:hidden">SECRET</p>',
    "clip": '<p style="position:absolute;clip:rect(0 0 0 0)">SECRET</p>',
    "clip-path inset": '<p style="clip-path:inset(50%)">SECRET</p>',
    "clip-path inset 100": '<p style="clip-path:inset(100%)">SECRET</p>',
    "clip-path circle": '<p style="clip-path:circle(0)">SECRET</p>',
    "clip-path polygon": '<p style="clip-path:polygon(0 0, 0 0, 0 0)">SECRET</p>',
    "no height": '<div style="height:0;overflow:hidden"><p>SECRET</p></div>',
    "no width": '<div style="width:0;overflow:hidden"><p>SECRET</p></div>',
    "max height": '<div style="max-height:0;overflow:hidden"><p>SECRET</p></div>',
    "font size 0": '<p style="font-size:0">SECRET</p>',
    "font size 1": '<p style="font-size:1px">SECRET</p>',
    "white on white": '<p style="color:#fff">SECRET</p>',
    "nearly white on white": '<p style="color:#fdfdfd">SECRET</p>',
    "black on black": '<div style="background:#000"><p style="color:#000">SECRET</p></div>',
    "the colour of a layered ground": (
        '<div style="background:#000"><div style="background:rgba(255,255,255,.5)"><p style="color:rgb(128,128,128)">SECRET'
        "</p></div></div>"
    ),
    "oklch on its like": '<div style="background:oklch(0.7 0.1 200)"><p style="color:oklch(0.7 0.1 200)">SECRET</p></div>',
    "transparent": '<p style="color:transparent">SECRET</p>',
    "alpha 0.01": '<p style="color:rgba(0,0,0,.01)">SECRET</p>',
    "text fill": '<p style="-webkit-text-fill-color:transparent">SECRET</p>',
    "in a shadow root": (
        "<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML="
        "'<style>p{display:none}</style><p>SE' + 'CRET</p>'</script>"
    ),
    "not slotted": "<div id=h>SECRET<b>SECRET</b></div><script>h.attachShadow({mode:'open'}).innerHTML='<p>x</p>'</script>",
    "in a hidden frame": '<iframe style="display:none" srcdoc="<p>SECRET</p>"></iframe>',
    "in a tiny frame": '<iframe width=1 height=1 style="border:0" srcdoc="<p>SECRET</p>"></iframe>',
    "in a frame, white": "<iframe srcdoc=\"<p style='color:#fff'>SECRET</p>\"></iframe>",
    "noscript": "<noscript><p>SECRET</p></noscript>",
    "a closed dialog": "<dialog>SECRET</dialog>",
    "content-visibility": '<div style="content-visibility:hidden">SECRET</div>',
    "hidden by a script": "<p id=s>SECRET</p><script>document.getElementById('s').style.opacity = 0</script>",
    "under a blank box": (
        '<div style="position:relative"><p>SECRET</p><div style="position:absolute;inset:0;background:#fff"></div></div>'
    ),
    "under a blank box, far below": (
        '<div style="height:9000px"></div><div style="position:relative"><p>SECRET</p><p>SECRET, of two<br>lines SECRET</p>'
        '<div style="position:absolute;inset:-5px;background:#eee"><b></b></div></div><div style="height:900px"></div>'
    ),
    "under a picture": (
        '<div style="position:relative;height:60px"><p>SECRET</p><img style="position:absolute;inset:0;width:100%;height:100%" '
        'src="data:image/gif;base64,R0lGODlhAgACAIAAAP///////yH5BAAAAAAALAAAAAACAAIAAAICRAoAOw=="></div>'
    ),
    "behind the page": (
        '<div style="background:#fff"><p style="position:absolute;z-index:-1;margin:0">SECRET</p><div style="background:#fff;height:40px">x'
        "</div></div>"
    ),
    "hidden by a late style": (
        "<p id=s>SECRET</p><script>const t = document.createElement('style'); t.textContent = '#s{display:none}';"
        "document.head.append(t)</script>"
    ),
}

SHOWN = {
    "half under a box": (
        '<div style="position:relative"><p>VISIBLE</p><div style="position:absolute;inset:0 auto 0 0;width:25px;background:#fff">'
        "</div></div>"
    ),
    "above a box": '<div style="position:relative"><div style="position:absolute;inset:0;background:#eee"></div><p style="position:relative">VISIBLE</p></div>',
    "above a picture": (
        '<div style="position:relative;height:60px"><img style="position:absolute;inset:0;width:100%;height:100%" '
        'src="data:image/gif;base64,R0lGODlhAgACAIAAAP///////yH5BAAAAAAALAAAAAACAAIAAAICRAoAOw=="><p style="position:absolute">VISIBLE</p></div>'
    ),
    "under a clear box": '<div style="position:relative"><p>VISIBLE</p><a href=/ style="position:absolute;inset:0"></a></div>',
    "under a pale box": '<div style="position:relative"><p>VISIBLE</p><i style="position:absolute;inset:0;background:rgba(0,0,0,.4)"></i></div>',
    "under a sticky bar": '<p>VISIBLE</p><div style="position:fixed;inset:0 0 auto 0;height:90px;background:#fff"></div>',
    "under a dialog": '<p>VISIBLE</p><div style="position:absolute;inset:0;background:#fff"><button>Close</button>Cookies</div>',
    "under a box inside a dialog": '<p>VISIBLE</p><dialog open><div style="position:absolute;inset:0;background:#fff"></div>Cookies</dialog>',
    "under a box that fades": '<div style="position:relative"><p>VISIBLE</p><i style="position:absolute;inset:0;background:#fff;transition:opacity 1s"></i></div>',
    "under a box that is pushed": '<div style="position:relative"><p>VISIBLE</p><i style="position:absolute;inset:0;background:#fff;cursor:pointer"></i></div>',
    "under a box that goes when passed over": (
        "<style>.tile{position:relative}.tile i{position:absolute;inset:0;background:#fff}.tile:hover i{display:none}</style>"
        "<div class=tile><p>VISIBLE</p><i></i></div>"
    ),
    "the next slide": (
        "<style>.slide{position:absolute;top:0;background:#fff;width:300px;height:90px}</style><div style='position:relative;height:90px'>"
        "<div class=slide><p>VISIBLE</p></div><div class=slide></div></div>"
    ),
    "the back of a card": (
        "<style>.card{position:relative}.card>*{position:absolute;inset:0;backface-visibility:hidden}.back{transform:rotateY(180deg)}"
        ".front{background:#aaa}</style><div class=card style='height:80px'><div class=back>VISIBLE</div><div class=front></div></div>"
    ),
    "behind all, on a clear page": '<div style="position:absolute;z-index:-1">VISIBLE</div><p>x</p>',
    "behind a clear section": '<section><p style="position:absolute;z-index:-1;margin:0">VISIBLE</p>text</section>',
    "plain": "<p>VISIBLE</p>",
    "below the fold": '<div style="height:9000px"></div><p>VISIBLE</p>',
    "far right, to be scrolled to": '<div style="width:5000px"><p style="margin-left:4000px">VISIBLE</p></div>',
    "inside a scroller": '<div style="height:50px;overflow:auto"><div style="height:500px"></div><p>VISIBLE</p></div>',
    "closed details": "<details><summary>More</summary><p>VISIBLE</p></details>",
    "content-visibility auto": '<div style="height:9000px"></div><div style="content-visibility:auto">VISIBLE</div>',
    "visible inside a hidden parent": '<div style="visibility:hidden"><p style="visibility:visible">VISIBLE</p></div>',
    "sized inside font size 0": '<div style="font-size:0"><span style="font-size:16px">VISIBLE</span></div>',
    "dark ground of its own": '<div style="color:#fff;background:#333"><p>VISIBLE</p></div>',
    "white on a picture": (
        '<div style="background:linear-gradient(#000,#333)"><p style="color:#fff">VISIBLE</p></div>'
    ),
    "white over an image beside it": (
        '<div style="position:relative;height:200px"><img style="position:absolute;width:100%;height:200px;background:#333"'
        ' alt=x><p style="position:absolute;color:#fff">VISIBLE</p></div>'
    ),
    "white over a placed box": (
        '<div style="position:relative;height:200px"><div style="position:absolute;inset:0;background:#222"></div>'
        '<h1 style="position:relative;color:#fff">VISIBLE</h1></div>'
    ),
    "white on a pseudo element": (
        "<style>.hero{position:relative;color:#fff}.hero::before{content:'';position:absolute;inset:0;background:#000;"
        "z-index:-1}</style><div class=hero><p>VISIBLE</p></div>"
    ),
    "white with a shadow": '<p style="color:#fff;text-shadow:0 0 3px #000">VISIBLE</p>',
    "gradient text": (
        '<p style="background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent">VISIBLE</p>'
    ),
    "grey": '<p style="color:#ddd">VISIBLE</p>',
    "dark page": "<style>body{background:#111;color:#eee}</style><p>VISIBLE</p>",
    "a page without height": "<style>html,body{height:0;overflow:hidden}</style><p style='position:fixed;top:9px'>VISIBLE</p>",
    "scroll lock": "<style>html,body{height:100%;overflow:hidden}</style><div style='height:3000px'></div><p>VISIBLE</p>",
    "placed out of a flat box": (
        '<div style="height:0;overflow:hidden"><p style="position:absolute;top:50px">VISIBLE</p></div>'
    ),
    "display contents": '<div style="display:contents"><p>VISIBLE</p></div>',
    "inset shadow, negative margin": '<p style="margin-left:-20px">VISIBLE</p>',
    "fading in": (
        "<style>@keyframes in{from{opacity:0}to{opacity:1}}.f{animation:in 2s both}</style><p class=f>VISIBLE</p>"
    ),
    "a transition that runs": (
        "<style>p{opacity:0;transition:opacity 3s}p.on{opacity:1}</style><p id=f>VISIBLE</p>"
        "<script>requestAnimationFrame(() => { f.offsetWidth; f.className = 'on' })</script>"
    ),
    "revealed on scroll": (
        "<style>.r{opacity:0;transform:translateY(40px);transition:all .6s}.r.in{opacity:1;transform:none}</style>"
        '<div style="height:3000px"></div><p class=r>VISIBLE</p><script>const o = new IntersectionObserver((es) => es.forEach('
        "(e) => e.isIntersecting && e.target.classList.add('in'))); document.querySelectorAll('.r').forEach((r) => o.observe(r)"
        ")</script>"
    ),
    "waiting slide": (
        "<style>.s{width:400px;float:left}.t{width:4000px;transform:translateX(-400px)}.v{width:400px;overflow:hidden}</style>"
        "<div class=v><div class=t><div class=s>VISIBLE</div><div class=s>now</div><div class=s>next</div></div></div>"
    ),
    "slotted": (
        "<div id=h><p>VISIBLE</p></div><script>h.attachShadow({mode:'open'}).innerHTML='<section><slot></slot></section>'"
        "</script>"
    ),
    "in a frame": '<iframe srcdoc="<p>VISIBLE</p>"></iframe>',
    "in a light frame on a dark page": (
        "<style>body{background:#000;color:#fff}</style><iframe srcdoc=\"<body style='background:#fff'><p>VISIBLE</p>\"></iframe>"
    ),
    "svg text": "<svg width=200 height=40><text y=20>VISIBLE</text></svg>",
    "fixed header": '<header style="position:fixed;top:0">VISIBLE</header>',
    "sticky": '<div style="position:sticky;top:0">VISIBLE</div>',
    "lines clamped": (
        '<p style="overflow:hidden;display:-webkit-box;-webkit-line-clamp:1;-webkit-box-orient:vertical">VISIBLE</p>'
    ),
    "table cells": "<table><tr><td>VISIBLE</td></tr></table>",
    "the print style is not the screen": "<style media=print>p{display:none}</style><p>VISIBLE</p>",
    "flex with zero basis": '<div style="display:flex"><p style="flex:1 1 0;min-width:0">VISIBLE</p></div>',
    "text rendered by a late font": "<style>@font-face{font-family:f;src:url(/never.woff2)}p{font-family:f}</style><p>VISIBLE</p>",
    "a rotated box": '<p style="transform:rotate(45deg)">VISIBLE</p>',
}


REACHES_OUT = re.compile(r"<(?:style|script|iframe|dialog)|position:fixed|z-index:-1|height:9000px")
"""Markup that may change what is beside it, or whose place on the page counts: it has a page of its own."""


@pytest.fixture(scope="module")
def seen(site, renderer) -> dict[str, HtmlElement]:
    """Each way's section as the browser has marked it; those that leave others alone share a page."""
    sections = {
        way: f'<section data-way="{way}"><h1>Heading</h1>{html}<p>After.</p></section>'
        for way, html in {**HIDDEN, **SHOWN}.items()
    }
    alone = [section for section in sections.values() if REACHES_OUT.search(section)]
    shared = "".join(section for section in sections.values() if section not in alone)
    found: dict[str, HtmlElement] = {}
    for body in (*alone, shared):
        page = renderer.render(RenderOrder(site.page("/seen", f"<!doctype html><title>t</title><body>{body}")))
        found |= {one.get("data-way"): one for one in document_fromstring(page.html).xpath("//section[@data-way]")}
    return found


def visible_text(section: HtmlElement) -> str:
    """Drop what is marked, as the Markdown does, and give the rest's text."""
    rest = copy.deepcopy(section)
    for element in rest.xpath(".//*[@data-gleaner-hidden] | .//script | .//style"):
        element.drop_tree()
    return rest.text_content()


@pytest.mark.req("MD-4")
@pytest.mark.parametrize("way", HIDDEN)
def test_text_that_a_person_cannot_see_is_marked(seen, way):
    text = visible_text(seen[way])
    assert "SECRET" not in text
    assert "Heading" in text
    assert "After." in text
    assert way in {"not slotted", "in a frame, white"} or "SECRET" in tostring(seen[way]).decode()  # marked, not gone


@pytest.mark.req("MD-4")
@pytest.mark.parametrize("way", SHOWN)
def test_text_that_a_person_can_see_is_never_marked(seen, way):
    assert "VISIBLE" in visible_text(seen[way]), tostring(seen[way]).decode()


@pytest.mark.req("MD-4")
def test_the_page_itself_is_not_changed_by_being_read(show):
    script = "<script>new MutationObserver((all) => all.forEach((one) => console.error(one.attributeName, one.type)))"
    script += ".observe(document, {attributes: true, childList: true, characterData: true, subtree: true})</script>"
    page = show(f"<body><p style='display:none'>x</p><p>y</p>{script}</body>", screenshots=("full",))
    assert "data-gleaner-hidden" in page.html
    assert [error for error in page.console_errors if "childList" not in error] == []


@pytest.mark.req("MD-4")
@pytest.mark.req("PR-1")
def test_text_that_style_strikes_out_says_so(show):
    style = "<style>.old{text-decoration:line-through}.old b{display:inline-block}</style>"
    svg = "<svg class=old><text y=20>32</text></svg>"
    page = show(f"<body>{style}<p class=old>30 <i>31</i><b>now 25</b></p><del class=old>33</del>{svg}")
    assert re.findall(r"<s>(.*?)</s>", page.html) == ["30 ", "31"]
