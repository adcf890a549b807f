"""The boilerplate of generated pages: navigation, filters, footers, cookie banners."""

from generated_pages.layouts import Layout
from generated_pages.values import filler_name, prose


def page_around(layout: Layout, title: str, body: str, *, heading: str = "", stated: str = "") -> str:
    """Give a whole page: the body between what this layout puts before, beside and after it."""
    head = f'<meta charset="utf-8"><title>{title}</title><style>.x{{color:red}}</style><script>var a = 1;</script>'
    main = f"{_trail(layout)}{heading}{_sorting(layout)}{stated}{body}{_pagination(layout)}"
    tag = layout.choose("chrome/main", "main", "div", "section")
    content = f'<{tag} id="content"{layout.css("content")}>{main}</{tag}>{_sidebar(layout)}'
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>{_top(layout)}{_cookies(layout)}'
        f"<div{layout.css('page')}>{content}</div>{_footer(layout)}</body></html>"
    )


def _links(layout: Layout, purpose: str, count: int) -> str:
    random = layout.random(purpose)
    return "".join(f'<li><a href="/{number}">{filler_name(random)}s</a></li>' for number in range(count))


def _top(layout: Layout) -> str:
    if not layout.chance("chrome/top", 0.85):
        return ""
    tag = layout.choose("chrome/toptag", "nav", "header", "div")
    known = layout.css("site-nav") if tag != "div" else ' class="navbar"'
    links = _links(layout, "top", layout.random("top/count").randint(4, 9))
    return f"<{tag}{known}><a href='/'>Home</a><ul>{links}</ul></{tag}>"


def _trail(layout: Layout) -> str:
    if not layout.chance("chrome/trail", 0.4):
        return ""
    return f'<ol class="breadcrumb">{_links(layout, "trail", 3)}</ol>'


def _sorting(layout: Layout) -> str:
    if not layout.chance("chrome/sorting", 0.3):
        return ""
    options = "".join(f"<option>{name}</option>" for name in ("Relevance", "Price, low to high", "Newest", "Rating"))
    return f"<label>Sort by <select>{options}</select></label>"


def _pagination(layout: Layout) -> str:
    if not layout.chance("chrome/pages", 0.4):
        return ""
    numbers = "".join(f'<li><a href="?page={number}">{number}</a></li>' for number in range(1, 7))
    return f'<ul class="pagination">{numbers}<li><a href="?page=2">Next</a></li></ul>'


def _sidebar(layout: Layout) -> str:
    random = layout.random("sidebar")
    form = layout.choose("chrome/side", "none", "none", "filters", "popular", "cloud")
    if form == "filters":
        rows = "".join(
            f"<li><label><input type='checkbox'> {filler_name(random)} ({number + 3})</label></li>"
            for number in range(8)
        )
        return f"<aside{layout.css('filters')}><h4>Filter</h4><ul>{rows}</ul></aside>"
    if form == "popular":
        rows = "".join(
            f"<li><a href='/p'>{prose(random, 1)}</a> <span>{number + 2} min</span></li>" for number in range(4)
        )
        return f"<aside{layout.css('side')}><h4>Popular</h4><ul>{rows}</ul></aside>"
    if form == "cloud":
        words = "".join(f'<a href="/tag/{number}">{filler_name(random)}</a> ' for number in range(14))
        return f'<div class="tagcloud">{words}</div>'
    return ""


def _cookies(layout: Layout) -> str:
    if not layout.chance("chrome/cookies", 0.3):
        return ""
    return '<div class="cookie-banner"><p>We use cookies to make this site work.</p><button>Accept</button></div>'


def _footer(layout: Layout) -> str:
    if not layout.chance("chrome/footer", 0.85):
        return ""
    columns = "".join(
        f"<div><h5>{title}</h5><ul>{_links(layout, title, 4)}</ul></div>" for title in ("Company", "Help", "Legal")
    )
    return f"<footer{layout.css('site-footer')}>{columns}<p>© 2026 Example Ltd.</p></footer>"
