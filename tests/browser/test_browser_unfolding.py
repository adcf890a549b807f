"""Parts of a page that are closed at first, opened before it is read (MD-4)."""

import pytest
from gleaner.markdown import extract_clean_markdown

LATE = "const part = document.getElementById('part'); part.textContent = 'Rinse the rice twice.'; part.hidden = false;"
STYLE = "<style>.shut{display:none}</style>"


@pytest.mark.req("MD-4")
@pytest.mark.parametrize(
    "html",
    [
        f'<button aria-expanded=false aria-controls=part onclick="{LATE}">Method</button><div id=part hidden></div>',
        f'<a href=#part role=tab aria-selected=false onclick="{LATE}">Method</a><div id=part hidden></div>',
        f'<details ontoggle="{LATE}"><summary>Method</summary><div id=part></div></details>',
        f"{STYLE}<button aria-controls=part>Method</button><div id=part class=shut>Rinse the rice twice.</div>",
    ],
    ids=["a button", "a tab", "details", "a control without a state"],
)
def test_what_one_click_brings_is_read(show, html):
    page = show(f"<body><h1>Rice</h1>{html}</body>")
    assert "Rinse the rice twice." in extract_clean_markdown(page.html)[0]


@pytest.mark.req("MD-4")
def test_of_panels_that_close_each_other_all_are_read(show):
    script = (
        "for (const tab of document.querySelectorAll('[role=tab]')) tab.onclick = () => {"
        "for (const panel of document.querySelectorAll('[role=tabpanel]'))"
        "panel.hidden = panel.id !== tab.getAttribute('aria-controls');"
        "for (const each of document.querySelectorAll('[role=tab]')) each.ariaSelected = String(each === tab); };"
    )
    tabs = "".join(f"<b role=tab aria-controls=p{n} aria-selected={n < 2}>T{n}</b>".lower() for n in (1, 2, 3))
    panels = "".join(f"<p role=tabpanel id=p{n} {'hidden' if n > 1 else ''}>Panel number {n}</p>" for n in (1, 2, 3))
    page = show(f"<body><div role=tablist>{tabs}</div>{panels}<script>{script}</script></body>")
    content = extract_clean_markdown(page.html)[0]
    assert [n for n in (1, 2, 3) if f"Panel number {n}" in content] == [1, 2, 3]


@pytest.mark.req("MD-4")
def test_controls_that_do_more_than_unfold_are_left_alone(site, show):
    site.page("/gone", "<p>elsewhere</p>")
    page = show(
        f"{STYLE}<body><p>here</p>"
        "<nav><button aria-expanded=false aria-controls=m onclick=\"document.title='menu'\">Shop</button>"
        "<div id=m class=shut>Shoes</div></nav>"
        "<a href='/gone' aria-expanded=false aria-controls=d>More</a><div id=d class=shut>d</div>"
        "<button aria-haspopup=dialog aria-expanded=false aria-controls=s onclick=\"document.title='dialog'\">Sign"
        "</button><div id=s class=shut>Your name</div><form action='/gone'><button aria-expanded=false aria-controls=f "
        "onclick=\"document.title='sent'\" type=submit>Send</button></form><div id=f class=shut>f</div></body>"
    )
    assert ("<p>here</p>" in page.html, page.title) == (True, "")
    assert [path for path, _ in site.requests if path == "/gone"] == []
