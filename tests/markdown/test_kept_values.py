"""Values that the full view keeps although their surroundings look like what is thrown away (MD-1)."""

import re

import pytest
from gleaner.markdown import extract_clean_markdown

TEXT = "Some words that tell more about the thing and what it is good for in daily life. "
AROUND = (
    "<header class=site-header><a href=/>Shop</a><nav><a href=/a>Home</a></nav></header>{}"
    "<footer class=footer><a href=/p>Privacy</a> © 2025 Shop</footer>"
)


def series(count: int, piece: str) -> str:
    return "".join(piece.replace("#", str(number)) for number in range(count))


KEPT = {
    "small ads": "<div class=advertisements>" + series(5, "<div class=advert><h3>v#a</h3><p>v#b</p></div>") + "</div>",
    "an ad for a car": "<div class=ads><div class=ad-banner>v1a 5,000 €</div></div>",
    "shares and their prices": "<table class=share-prices>"
    + series(4, "<tr class=share><td>v#a<td class=share-price>v#b") + "</table>",
    "a price in the footer of a box": "<div class=box><p>v1a</p><div class=footer>v2a 12 €</div></div>",
    "recipes for cookies": series(4, "<div class=cookie-box><h2>Cookie v#a</h2><p>v#b butter, accept none</p></div>"),
    "a study's consent": f"<div class=consent><p>Study v1a. All agree by letter.</p></div><p>{TEXT * 8}</p>",
    "a header that is no site's": f"<header class=page-header><h2>v1a</h2><p>v2a</p></header><p>{TEXT * 5}</p>",
    "a phone number in the header": "<header><div class=phone>v1a</div></header><p>text</p>",
    "products in a nav": "<nav class=products>" + series(6, "<a href=/#>v#a</a> <b>#.99 €</b> ") + "</nav>",
    "people in a nav": "<nav>" + series(6, "<div>v#a Person, phone v#b</div>") + "</nav><p>x</p>",
    "tags of the page in a nav": f"<p>{TEXT}</p><aside><nav><ul class=tags>"
    + series(3, "<li><a href=/t# rel=tag>v#a</a>")
    + "</ul></nav></aside>",
    "a page that is a menu": "<ul class=menu>" + series(8, "<li class=menu-item><a href=/d#>v#a</a></li>") + "</ul>",
    "a dish list": "<div class=menu>" + series(6, "<div class=menu-item><b>v#a</b> <i>v#b</i></div>") + "</div>",
    "related products alone": "<div class=related>" + series(6, "<div><a href=/#>v#a</a> $5</div>") + "</div>",
    "a thread": "<div id=comments>" + series(5, f"<div class=comment><b>v#a</b><p>v#b {TEXT}</p></div>") + "</div>",
    "specifications aside": f"<p>{TEXT * 4}</p><aside class='sidebar specs'><dl><dt>Size<dd>v1a</dl></aside>",
    "a table for browsers without scripts": "<p>Loading…</p>"
    "<noscript><table><tr><th>Name<th>Price<tr><td>v1a<td>v2a</table></noscript>",
    "a declared shadow": "<div>v1a<template shadowrootmode=open><p>v2a</p></template></div>",
    "objects that no browser loads": "<object data=v.swf type=application/x-java-applet><embed src=v.swf>v1a</object>"
    "<object classid=clsid:d27cdb6e><param name=movie value=v.swf><p>v2a</p></object><object><b>v3a</b></object>",
    "fields that are filled": "<table><tr><td>Total<td><input readonly value=v1a></table><textarea>v2a</textarea>",
    "details": series(3, "<details><summary>v#a</summary><p>v#b</p></details>"),
    "text to be found": "<div hidden=until-found>v1a</div><p>x</p>",
    "own elements": "<x-card><x-title>v1a</x-title><x-price slot=price>v2a</x-price></x-card>",
    "tables in a table": "<table><tr><td>v1a<table><tr><td>v2a<td>v3a</table><td>v4a<tr><td>v5a<td>v6a</table>",
    "choices with prices": series(4, "<label><input type=radio name=x> v#a <b>v#b €</b></label>"),
    "right to left": "<div dir=rtl><h1>قهوة v1a</h1><ul><li>سعر v2a ر.س</ul></div>",
}  # fmt: skip


@pytest.mark.req("MD-1")
@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT.keys())
def test_values_stay_whatever_the_parts_around_them_are_called(body: str) -> None:
    for html in (body, AROUND.format(body)):
        text = extract_clean_markdown(html)[0]
        assert [value for value in re.findall(r"v\d[ab]", html) if value not in text] == []


@pytest.mark.req("MD-1")
def test_an_address_in_the_footer_stays_where_the_page_has_nothing_else() -> None:
    assert "Mill Street 12" in extract_clean_markdown(AROUND.format("").replace("Privacy", "Mill Street 12"))[0]


@pytest.mark.req("MD-1")
def test_a_call_to_turn_on_scripts_and_a_banner_are_not_kept() -> None:
    banner = "<div class=cookie-box>We use cookies. <button>Accept</button></div>"
    html = f"<p>Short text</p>{banner}<noscript>Please enable JavaScript to use this site.</noscript>"
    assert extract_clean_markdown(html)[0] == "Short text"
