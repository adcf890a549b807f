"""Pages in several documents: refresh redirects, framesets; and XHTML."""

import re
from collections.abc import Callable
from html import escape

from lxml.html import HtmlElement

from gleaner.html.dom import parse_html
from gleaner.html.elements import VOID
from gleaner.html.links import absolute_url, base_url_of

LONGEST_DELAY_S = 10.0
"""A page that goes elsewhere after more than this is one to read: a news page that loads itself anew, a notice."""

MOST_FRAMES = 12
_REFRESH = re.compile(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*(?:[;,]\s*|\s)(?:url\s*=\s*)?[\"']?([^\"']*)", re.IGNORECASE)
_SELF_CLOSED = re.compile(r"<([A-Za-z][\w.-]*)((?:\s+[^\s=<>/\"']+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'))?)*)\s*/>")
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_RAW = re.compile(r"<(script|style)\b[^>]*>.*?</\1\s*>", re.DOTALL | re.IGNORECASE)


def refresh_target(html: str, url: str) -> str:
    """Give the URL that a page sends its visitor on to at once, by ``<meta http-equiv=refresh>``; "" where it does not.

    >>> refresh_target('<meta http-equiv="Refresh" content="0; URL=/b">', "https://e.example/a")
    'https://e.example/b'
    """
    if "refresh" not in html.lower():
        return ""
    root = parse_html(html)
    for meta in root.iter("meta"):
        if (meta.get("http-equiv") or "").strip().lower() != "refresh" or _is_fallback(meta):
            continue
        found = _REFRESH.match(meta.get("content") or "")
        target = absolute_url(found[2], base_url_of(root, url)) if found and found[2].strip() else ""
        if (
            found
            and target
            and float(found[1]) <= LONGEST_DELAY_S
            and target.partition("#")[0] != url.partition("#")[0]
        ):
            return target
    return ""


def _is_fallback(element: HtmlElement) -> bool:
    return next(element.iterancestors("noscript", "template"), None) is not None


def with_frames(html: str, url: str, fetch: Callable[[str], str]) -> str:
    """Give a frameset with the text of its frames in their places; ``fetch`` gives the HTML of a URL, "" for none.

    Another page is given as it is.
    """
    if "<frameset" not in html.lower():
        return html
    root = parse_html(html)
    base = base_url_of(root, url)
    sources = (absolute_url(frame.get("src") or "", base) for frame in root.iter("frame"))
    addresses = [source for source in dict.fromkeys(sources) if source][:MOST_FRAMES]
    parts = [(address, fetch(address)) for address in addresses]
    shown = "".join(
        f'<div data-gleaner-frame="{escape(address)}">{_body_of(part)}</div>' for address, part in parts if part
    )
    title = escape(next((one.text or "" for one in root.iter("title")), ""))
    return f"<!doctype html><html><head><title>{title}</title></head><body>{shown}</body></html>" if shown else html


def _body_of(html: str) -> str:
    start = re.search(r"<body\b[^>]*>", html, re.IGNORECASE)
    end = html.lower().rfind("</body")
    return html[start.end() if start else 0 : end if end > 0 else len(html)]


def xhtml_as_html(text: str) -> str:
    """Give XHTML so that an HTML parser reads it as was meant: elements that close themselves, and CDATA sections.

    >>> xhtml_as_html('<script src="a.js"/><p>1 <![CDATA[< 2]]></p><br/>')
    '<script src="a.js"></script><p>1 &lt; 2</p><br/>'
    """
    pieces: list[str] = []
    position = 0
    for raw in _RAW.finditer(text):
        if _SELF_CLOSED.match(text, raw.start()):
            continue
        pieces += [_opened(text[position : raw.start()]), _CDATA.sub(r"\1", raw[0])]
        position = raw.end()
    return "".join([*pieces, _opened(text[position:])])


def _opened(text: str) -> str:
    plain = _CDATA.sub(lambda match: escape(match[1], quote=False), text)
    return _SELF_CLOSED.sub(lambda tag: tag[0] if tag[1].lower() in VOID else f"<{tag[1]}{tag[2]}></{tag[1]}>", plain)
