"""Say which frames of a page are not in it: without a browser nobody loads them."""

from lxml.html import HtmlElement

from gleaner.html.dom import parse_html
from gleaner.html.links import absolute_url, base_url_of
from gleaner.html.visibility import is_hidden

_MOST_NAMED = 3
_NO_SIZES = ("0", "1", "0px", "1px")
_NEVER_SHOWN = ("noscript", "template")


def unread_frames(html: str, url: str) -> list[str]:
    """Give a warning that names the frames of a page which a person sees and which were not read; [] for none.

    >>> unread_frames('<iframe src="/inner"></iframe><iframe src="/pixel" height=0></iframe>', "https://a.example/")
    ['without a browser 1 frame was not read: https://a.example/inner']
    """
    if "<iframe" not in html.lower():
        return []
    root = parse_html(html)
    base = base_url_of(root, url)
    addresses = [absolute_url(one.get("src") or "", base) for one in root.iter("iframe") if _is_shown(one)]
    shown = [one for one in dict.fromkeys(addresses) if one.startswith(("http://", "https://"))]
    many = f"{len(shown)} frames were" if len(shown) > 1 else "1 frame was"
    named = ", ".join(shown[:_MOST_NAMED]) + (", …" if len(shown) > _MOST_NAMED else "")
    return [f"without a browser {many} not read: {named}"] if shown else []


def _is_shown(frame: HtmlElement) -> bool:
    around = [frame, *frame.iterancestors()]
    has_no_size = any((frame.get(name) or "").strip() in _NO_SIZES for name in ("width", "height"))
    return not (has_no_size or any(one.tag in _NEVER_SHOWN or is_hidden(one) for one in around))
