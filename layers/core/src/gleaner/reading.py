"""What there is to read on a page: the second, more selective filter behind ``main_content``.

Article extractors look for one dense text and so lose threads, product grids and listings. Here the page is followed
from its region down to where the text spreads out; on the way each block beside the main branch is judged by what it
is made of (running text, links, controls), by how it calls itself, and by how much of the page it would take with it.
"""

import re
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from lxml import etree
from lxml.html import HtmlElement

from gleaner.asides import COMMENT_WORDS, TOOL_WORDS, is_aside_heading, is_aside_name
from gleaner.dom import mark_dropped, raw_text, remove_dropped
from gleaner.noise import PRICE, words_of
from gleaner.writing import collapse

PageKind: TypeAlias = Literal["article", "thread", "product", "list", "unknown"]

_TYPE = re.compile(r'"@type"\s*:\s*\[?\s*"([A-Za-z]+)"')
_KINDS: dict[str, PageKind] = {
    **dict.fromkeys(("article", "newsarticle", "blogposting", "reportagenewsarticle", "scholarlyarticle"), "article"),
    **dict.fromkeys(("discussionforumposting", "qapage"), "thread"),
    **dict.fromkeys(("product", "productgroup"), "product"),
    **dict.fromkeys(("itemlist", "collectionpage", "searchresultspage", "offercatalog"), "list"),
}
_LONG_TEXT = 80
_MOST_LEVELS = 80
_TEXT_BLOCKS = ("p", "blockquote", "pre", "li", "dd", "td")
_ALWAYS_OUT = ("nav", "button", "textarea", "select", "form-control")


@dataclass(frozen=True, slots=True)
class _Mass:
    """What a block is made of, in characters."""

    text: int
    linked: int
    links: int
    running: int

    @property
    def link_share(self) -> float:
        return self.linked / self.text if self.text else 0.0

    def weight(self, prose: bool) -> float:
        """Give how much the block counts: by its running text where the page is prose, else by all its text."""
        return self.running + self.text / 100 if prose else float(self.text)


def page_kind(root: HtmlElement) -> PageKind:
    """Give what the page says it is, in its JSON-LD or OpenGraph type; call it before scripts are removed."""
    for script in root.iter("script"):
        if (script.get("type") or "").lower().startswith("application/ld+json"):
            for name in _TYPE.findall(script.text or ""):
                if name.lower() in _KINDS:
                    return _KINDS[name.lower()]
    for meta in root.iter("meta"):
        if meta.get("property") == "og:type":
            value = (meta.get("content") or "").lower()
            return (
                "article"
                if value == "article"
                else "product"
                if value.startswith(("product", "og:product"))
                else "unknown"
            )
    return "unknown"


def keep_main_content(root: HtmlElement, kind: PageKind = "unknown") -> dict[str, int]:
    """Take out what is not the page's own content; give how many characters of text went."""
    body = root.find("body")
    if body is None:
        return {}
    before = len(collapse(raw_text(body)))
    region = _region(body)
    _drop_asides(region, kind)
    _prune(region, kind)
    _isolate(body, region)
    return {"beside the main content": before - len(collapse(raw_text(body)))}


def _mass(element: HtmlElement) -> _Mass:
    text = len(collapse(raw_text(element)))
    linked = links = 0
    if text:
        for link in element.iter("a"):
            links += 1
            linked += len(collapse(raw_text(link)))
    return _Mass(text, min(linked, text), links, _running_text(element))


def _running_text(element: HtmlElement) -> int:
    """Count the characters in blocks of prose: long, and mostly outside of links."""
    total = 0
    blocks = [element] if element.tag in _TEXT_BLOCKS else []
    for block in [*blocks, *element.iterdescendants(*_TEXT_BLOCKS, "div")]:
        if (
            block.tag in ("div", "td", "li")
            and next(block.iterchildren("p", "div", "ul", "ol", "table", "section"), None) is not None
        ):
            own = " ".join([block.text or "", *(child.tail or "" for child in block)])
            size = len(collapse(own))
            total += size if size >= _LONG_TEXT else 0
            continue
        size = len(collapse(raw_text(block)))
        if size >= _LONG_TEXT and sum(len(raw_text(link)) for link in block.iter("a")) < size / 2:
            total += size
    return total


def _region(body: HtmlElement) -> HtmlElement:
    """Give the element that the page itself marks as its main part, if that holds enough; else the body."""
    whole = len(collapse(raw_text(body)))
    marked = [main for main in body.iter("main") if main.get("hidden") is None]
    marked += body.xpath(".//*[@role='main' and not(self::main)]")
    marked += body.xpath(".//*[@itemprop='articleBody']/ancestor::article[1]")
    best = max(marked, key=lambda main: len(collapse(raw_text(main))), default=None)
    if best is not None:
        size = len(collapse(raw_text(best)))
        if size >= 0.25 * whole or size >= 1000:
            return best
    return body


def _drop_asides(region: HtmlElement, kind: PageKind) -> None:
    """Drop what calls itself something beside the content, unless that is where the content is."""
    whole = _mass(region)
    walker: Any = etree.iterwalk(region, events=("start",))
    for _, element in walker:
        if element is region:
            continue
        if element.tag in _ALWAYS_OUT or (_calls_itself_aside(element, kind) and _may_go(element, whole, kind)):
            mark_dropped(element)
            walker.skip_subtree()
    remove_dropped(region)


def _calls_itself_aside(element: HtmlElement, kind: PageKind) -> bool:
    names = f"{element.get('class', '')} {element.get('id', '')}"
    if element.tag == "aside" or element.get("role") in ("complementary", "navigation", "search", "dialog"):
        return True
    if element.tag in ("div", "ul", "span", "p") and _is_tool_row(element):
        return True
    if element.tag == "form":
        return next(element.iter("table", "article", "h1"), None) is None
    return bool(names.strip()) and _named_aside(names, kind)


def _is_tool_row(element: HtmlElement) -> bool:
    """Tell whether the element holds the "Quote Report Share" of a post."""
    if not words_of(element.get("class") or "") & TOOL_WORDS or len(text := raw_text(element)) > 200:
        return False
    return sum(len(raw_text(link)) for link in element.iter("a", "button")) >= 0.6 * len(collapse(text))


def _named_aside(names: str, kind: PageKind) -> bool:
    return is_aside_name(names) or (kind != "thread" and bool(words_of(names) & COMMENT_WORDS))


def _may_go(element: HtmlElement, whole: _Mass, kind: PageKind) -> bool:
    if element.tag in ("body", "html", "main", "article", "h1", "table", "tbody", "tr"):
        return False
    if next(element.iter("h1", "main"), None) is not None:
        return False
    mass = _mass(element)
    if _is_comments(element):
        enough = max(200, mass.running) if kind == "article" else 600
        return whole.running - mass.running >= enough or mass.running == 0
    if whole.running >= 500 and mass.running > 0.35 * whole.running:
        return False
    return mass.text <= 200 or mass.text < 0.4 * whole.text


def _is_comments(element: HtmlElement) -> bool:
    return bool(words_of(f"{element.get('class', '')} {element.get('id', '')}") & COMMENT_WORDS)


def _prune(region: HtmlElement, kind: PageKind) -> None:
    """Follow the main branch down from the region, dropping blocks beside it that are not content."""
    node, levels = region, 0
    whole = _mass(region)
    prose = kind == "article" or whole.running >= max(400, 0.45 * whole.text)
    while levels < _MOST_LEVELS:
        children = [child for child in node if isinstance(child.tag, str)]
        if not children:
            return
        masses = {child: _mass(child) for child in children}
        weights = {child: masses[child].weight(prose) for child in children}
        main = max(children, key=weights.__getitem__)
        dominant = weights[main] >= 0.6 * (sum(weights.values()) or 1)
        for child in children:
            if child is not main and _is_beside(child, masses[child], whole, prose):
                mark_dropped(child)
        _drop_flat_sections(children, masses, whole)
        remove_dropped(node)
        if not dominant or main.tag in ("p", "table", "ul", "ol", "pre"):
            return
        node, levels = main, levels + 1


def _is_beside(element: HtmlElement, mass: _Mass, whole: _Mass, prose: bool) -> bool:
    """Tell whether a block next to the main branch is no content."""
    if next(element.iter("h1"), None) is not None or element.tag in (
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "p",
        "pre",
        "table",
    ):
        return False
    if not mass.text:
        return False
    heading = _first_heading(element)
    if heading and is_aside_heading(heading) and mass.text < 0.4 * whole.text:
        return True
    if next(element.iter("input"), None) is not None and mass.text < 400 and mass.running < 150:
        return True
    if mass.running >= 0.5 * mass.text:
        return False
    if prose:
        return (mass.links >= 2 and mass.link_share > 0.5 and mass.text < 0.4 * whole.text) or (
            mass.links == 1 and mass.link_share > 0.8 and mass.text < 60
        )
    few = mass.text < 0.15 * whole.text
    return few and mass.link_share > 0.75 and mass.links >= 3 and not PRICE.search(raw_text(element))


def _first_heading(element: HtmlElement) -> str:
    heading = next(element.iter("h1", "h2", "h3", "h4", "h5", "h6", "legend", "summary"), None)
    if heading is not None:
        return collapse(raw_text(heading))
    first = next(
        (child for child in element.iter("strong", "b", "p", "div", "span") if collapse(child.text or "")), None
    )
    text = collapse(first.text or "") if first is not None else ""
    return text if len(text) <= 40 else ""


def _drop_flat_sections(children: list[HtmlElement], masses: dict[HtmlElement, _Mass], whole: _Mass) -> None:
    """Drop a heading such as "Related articles" with the blocks after it, up to the next heading."""
    dropping = ""
    for child in children:
        if child.tag in ("h2", "h3", "h4", "h5", "h6"):
            dropping = child.tag if is_aside_heading(collapse(raw_text(child))) else ""
            if dropping and not _section_is_small(child, children, masses, whole):
                dropping = ""
        if dropping:
            mark_dropped(child)


def _section_is_small(
    heading: HtmlElement, children: list[HtmlElement], masses: dict[HtmlElement, _Mass], whole: _Mass
) -> bool:
    size = running = 0
    for child in children[children.index(heading) + 1 :]:
        if child.tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            break
        size += masses[child].text
        running += masses[child].running
    return size < 0.3 * whole.text and running <= 0.5 * size


def _isolate(body: HtmlElement, region: HtmlElement) -> None:
    """Leave only the region in the body, and the page's heading if that stood outside."""
    if region is body:
        return
    heading = next((h1 for h1 in body.iter("h1") if collapse(raw_text(h1))), None)
    inside = heading is None or any(ancestor is region for ancestor in heading.iterancestors())
    kept = [region] if inside or heading is None else [heading, region]
    for element in kept:
        element.tail = None
    body.text = None
    body[:] = kept
