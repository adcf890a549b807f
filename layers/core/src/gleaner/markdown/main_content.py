"""Keep the main content of a page: the stricter filter behind ``main_content``.

Article extractors look for one dense text and so lose threads, product grids and listings. Here the page is followed
from its region down to where the text spreads out; on the way each block beside the main branch is judged by what it
is made of (running text, links, controls), by how it calls itself, and by how much of the page it would take with it.
"""

import re
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from lxml import etree
from lxml.html import HtmlElement

from gleaner.html.dom import mark_dropped, raw_text, remove_dropped
from gleaner.html.elements import HEADINGS
from gleaner.html.layout import collapse
from gleaner.markdown.boilerplate_names import (
    TOOL_WORDS,
    is_aside_heading,
    is_aside_name,
    is_comments_heading,
    is_comments_name,
)
from gleaner.markdown.boilerplate_signs import COOKIE_CHOICE, COOKIE_SPEECH, PRICE, words_of
from gleaner.markdown.repeated_controls import drop_repeated_controls

PageKind: TypeAlias = Literal["article", "thread", "product", "list", "unknown"]

_TYPE = re.compile(r'"@type"\s*:\s*\[?\s*"([A-Za-z]+)"')
_KINDS: dict[str, PageKind] = {
    **dict.fromkeys(("article", "newsarticle", "blogposting", "reportagenewsarticle", "scholarlyarticle"), "article"),
    **dict.fromkeys(("discussionforumposting", "qapage"), "thread"),
    **dict.fromkeys(("product", "productgroup"), "product"),
    **dict.fromkeys(("itemlist", "collectionpage", "searchresultspage", "offercatalog"), "list"),
}
_WORD = re.compile(r"\w+")
_LONG_TEXT = 80
_MOST_CHILDREN = 2000
_LEAST_LEFT = 40
"""Characters that must be left before a large block goes because of its heading alone."""

_CONTENT_BLOCKS = frozenset({"p", "table", "ul", "ol", "dl", "pre"})
_TEXT_BLOCKS = ("p", "blockquote", "pre", "li", "dd", "td")
_BLOCKS_INSIDE = ("p", "div", "ul", "ol", "table", "section")
_ALWAYS_OUT = frozenset({"nav", "button", "textarea", "select"})
_NEVER_ASIDE = frozenset({"body", "html", "main", "article", "h1", "table", "tbody", "tr"})
_NEVER_BESIDE = frozenset({*HEADINGS, "p", "pre", "table"})
_ASIDE_ROLES = frozenset({"complementary", "navigation", "search", "dialog"})
_TITLE_WORDS = frozenset({"title", "headline", "heading"})
_IMPRINT = re.compile(r"©|\(c\)\s*\d{4}|copyright|all rights reserved", re.I)


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
        """Give how much the block counts: by its running text where the page is prose, else by text over links."""
        return self.running + self.text / 100 if prose else self.text - self.linked / 2

    @property
    def is_menu(self) -> bool:
        """Tell whether it is nothing but many short links."""
        return self.links >= 8 and self.link_share > 0.8 and self.linked <= 25 * self.links


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
            return "article" if value == "article" else "product" if "product" in value else "unknown"
    return "unknown"


def keep_main_content(root: HtmlElement, kind: PageKind = "unknown") -> dict[str, int]:
    """Take out what is not the page's own content; give how many characters of text went."""
    body = root.find("body")
    if body is None:
        return {}
    before = _length(body)
    region = _region(body)
    reader = _Reader(region, kind)
    reader.drop_asides()
    drop_repeated_controls(region)
    reader.prune()
    _isolate(body, region)
    return {"beside the main content": before - _length(body)}


def _length(element: HtmlElement) -> int:
    return len(collapse(raw_text(element)))


def _mass(element: HtmlElement) -> _Mass:
    text = _length(element)
    linked = links = in_links = 0
    if text:
        for link in element.iter("a"):
            links += 1
            linked += _length(link)
            if len(link):
                in_links += sum(map(_prose, link.iterdescendants(*_TEXT_BLOCKS)))
    return _Mass(text, min(linked, text), links, max(0, _running_text(element) - in_links))


def _running_text(element: HtmlElement) -> int:
    """Count the characters in blocks of prose: long, and mostly outside of links."""
    blocks = [element] if element.tag in _TEXT_BLOCKS else []
    return sum(map(_prose, blocks)) + sum(map(_prose, element.iterdescendants(*_TEXT_BLOCKS, "div")))


def _prose(block: HtmlElement) -> int:
    if not len(block):
        text = block.text or ""
        size = len(collapse(text)) if len(text) >= _LONG_TEXT else 0
    elif block.tag in ("div", "td", "li") and next(block.iterchildren(*_BLOCKS_INSIDE), None) is not None:
        size = len(collapse(" ".join([block.text or "", *(child.tail or "" for child in block)])))
    else:
        size = _length(block)
        if size >= _LONG_TEXT and sum(len(raw_text(link)) for link in block.iter("a")) >= size / 2:
            return 0
    return size if size >= _LONG_TEXT else 0


def _region(body: HtmlElement) -> HtmlElement:
    """Give the element that the page itself marks as its main part, if that holds enough; else the body."""
    marked = [*body.iter("main"), *body.xpath(".//*[@role='main' and not(self::main)]")]
    marked += body.xpath(".//*[@itemprop='articleBody']/ancestor::article[1]")
    sizes = [(_length(main), main) for main in marked[:50]]
    size, best = max(sizes, key=lambda pair: pair[0], default=(0, body))
    return best if size >= 1000 or size >= 0.25 * _length(body) else body


class _Reader:
    """One reading of one page: its region, what that is made of, and how much more may be looked at."""

    def __init__(self, region: HtmlElement, kind: PageKind) -> None:
        self.region = region
        self.kind: PageKind = kind
        self.whole = _mass(region)
        self.left = self.whole.text
        self.comments_in_posts = sum(_holds_comments(element) for element in region.xpath(".//*[@class]")) >= 3
        heading = _main_heading(region)
        self.heading_path = frozenset([heading, *heading.iterancestors()] if heading is not None else [])
        self.effort = 25 * self.whole.text + 100_000

    def mass(self, element: HtmlElement) -> _Mass:
        mass = _mass(element)
        self.effort -= mass.text + 20
        return mass

    def drop_asides(self) -> None:
        """Drop what calls itself something beside the content, unless that is where the content is."""
        walker: Any = etree.iterwalk(self.region, events=("start",))
        for _, element in walker:
            if element is self.region:
                continue
            if element.tag in _ALWAYS_OUT or (self._calls_itself_aside(element) and self._may_go(element)):
                mark_dropped(self._sign_up_block(element) if element.tag == "form" else element)
                walker.skip_subtree()
        remove_dropped(self.region)

    def _sign_up_block(self, form: HtmlElement) -> HtmlElement:
        """Give the small block around a form that asks for an address: its heading and its promises go with it."""
        if not any(field.get("type") in ("email", "password") for field in form.iter("input")):
            return form
        block = form
        for parent in form.iterancestors("div", "section", "aside"):
            if parent is self.region or next(parent.iter("h1"), None) is not None or _length(parent) > 300:
                break
            block = parent
        return block

    def _calls_itself_aside(self, element: HtmlElement) -> bool:
        tag = element.tag
        if tag == "aside" or element.get("role") in _ASIDE_ROLES:
            return True
        if tag == "form":
            return next(element.iter("table", "article", "h1"), None) is None
        names = " ".join(filter(None, (element.get("class"), element.get("id"))))
        if not names:
            return False
        if tag == "p" and _prose(element):
            return False
        if is_aside_name(names) or (tag != "p" and _is_tool_row(element, names)):
            return True
        return self.kind != "thread" and is_comments_name(names) and not self.comments_in_posts

    def _may_go(self, element: HtmlElement) -> bool:
        if self.effort < 0 or element.tag in _NEVER_ASIDE or element in self.heading_path:
            return False
        if next(element.iter("main"), None) is not None:
            return False
        mass = self.mass(element)
        if is_comments_name(f"{element.get('class', '')} {element.get('id', '')}"):
            return self._comments_may_go(mass)
        if self.whole.running >= 500 and mass.running > 0.35 * self.whole.running:
            return False
        return mass.text <= 200 or mass.text < 0.4 * self.whole.text

    def _comments_may_go(self, mass: _Mass) -> bool:
        """Tell whether enough is left to read without these comments; below a short post they are the content."""
        enough = max(200, mass.running) if self.kind == "article" else 600
        return self.whole.running - mass.running >= enough or mass.running == 0

    def prune(self) -> None:
        """Follow the main branches down from the region, dropping blocks beside them that are not content."""
        self.whole = _mass(self.region)
        self.left = self.whole.text
        prose = self.kind == "article" or self.whole.running >= max(400, 0.45 * (self.whole.text - self.whole.linked))
        nodes = [self.region]
        while nodes and self.effort > 0:
            nodes += self._prune_children(nodes.pop(), prose)

    def _prune_children(self, node: HtmlElement, prose: bool) -> list[HtmlElement]:
        """Judge the children of a node on the main branch, and give those that the branch goes on with."""
        children = list(node)
        if len(children) == 1:
            return children
        if not children or len(children) > _MOST_CHILDREN or node.tag in _CONTENT_BLOCKS:
            return []
        masses = {child: self.mass(child) for child in children}
        weights = {child: masses[child].weight(prose) for child in children}
        main = max(children, key=weights.__getitem__)
        headed = next((child for child in children if child in self.heading_path), None)
        if headed is not None and not prose and weights[headed] >= 0.15 * weights[main]:
            main = headed
        above = headed is main
        for child in children:
            if child is main:
                above = False
            elif self._is_beside(child, masses[child], prose) or (above and _is_page_top(masses[child])):
                self.left -= masses[child].text
                mark_dropped(child)
        self._drop_flat_sections(children, masses)
        remove_dropped(node)
        kept = [child for child in children if child.getparent() is node]
        least = 0.4 * sum(weights[child] for child in kept)
        return [child for child in kept if weights[child] >= least > 0]

    def _is_beside(self, element: HtmlElement, mass: _Mass, prose: bool) -> bool:
        """Tell whether a block next to the main branch is no content."""
        if not mass.text or element.tag in _NEVER_BESIDE or element in self.heading_path:
            return False
        share = mass.text / (self.whole.text or 1)
        title = _first_heading(element)
        if is_aside_heading(title) and (share < 0.4 or self.left - mass.text >= _LEAST_LEFT):
            return True
        if self.kind != "thread" and is_comments_heading(title) and self._comments_may_go(mass):
            return True
        inputs = sum(1 for _ in element.iter("input"))
        if inputs and self._is_form(element, mass, inputs):
            return True
        if mass.text < 800 and share < 0.3 and element.getnext() is None and _IMPRINT.search(raw_text(element)):
            return True
        if mass.text < 1000 and share < 0.3 and _speaks_of_cookies(element):
            return True
        if mass.running >= 0.5 * mass.text:
            return False
        if prose:
            many = mass.links >= 2 and mass.link_share > 0.5 and (share < 0.4 or mass.running < 0.1 * mass.text)
            return many or (mass.links == 1 and mass.link_share > 0.8 and mass.text < 60 and not _is_title(element))
        menu = mass.is_menu or (share < 0.15 and mass.link_share > 0.75 and mass.links >= 3)
        return menu and not PRICE.search(raw_text(element))

    def _is_form(self, element: HtmlElement, mass: _Mass, inputs: int) -> bool:
        """Tell a form or a filter from results with a box to tick each, which have more text than labels."""
        if inputs >= 4:
            return mass.text < max(60 * inputs, 400) and mass.text < 0.5 * self.whole.text
        near = (element.getprevious(), element.getnext())
        alike = [
            one
            for one in near
            if one is not None and one.tag == element.tag and next(one.iter("input"), None) is not None
        ]
        return not alike and mass.text < 400 and mass.running < 150

    def _drop_flat_sections(self, children: list[HtmlElement], masses: dict[HtmlElement, _Mass]) -> None:
        """Drop a heading such as "Related articles" with the blocks after it, up to the next heading."""
        sections: list[list[HtmlElement]] = [[]]
        for child in children:
            if child.tag in HEADINGS:
                sections.append([])
            sections[-1].append(child)
        for section in sections[1:]:
            size = sum(masses[child].text for child in section)
            running = sum(masses[child].running for child in section)
            title = collapse(raw_text(section[0]))
            small = size < 0.3 * self.whole.text and running <= 0.5 * size and is_aside_heading(title)
            comments = is_comments_heading(title) and self._comments_may_go(_Mass(size, 0, 0, running))
            if section[0].tag != "h1" and (small or (comments and self.kind != "thread")):
                for child in section:
                    mark_dropped(child)


def _holds_comments(element: HtmlElement) -> bool:
    """Tell whether comments stand here: one place of them is below an article, several are in a thread's posts."""
    inner = any(is_comments_name(parent.get("class", "")) for parent in element.iterancestors())
    return is_comments_name(element.get("class", "")) and len(raw_text(element)) >= _LONG_TEXT and not inner


def _main_heading(region: HtmlElement) -> HtmlElement | None:
    """Give the h1 that shares most words with the page's title, or most text by it: the first is often the site's."""
    headings = [h1 for h1 in region.iter("h1") if collapse(raw_text(h1))][:20]
    if len(headings) < 2:
        return headings[0] if headings else None
    title = next((set(_WORD.findall(raw_text(title))) for title in region.getroottree().iter("title")), set[str]())

    def rank(heading: HtmlElement) -> tuple[int, int]:
        parent = heading.getparent()
        return len(title.intersection(_WORD.findall(raw_text(heading)))), 0 if parent is None else _running_text(parent)

    return max(headings, key=rank)


def _is_title(element: HtmlElement) -> bool:
    """Tell whether a block is the linked title of an entry: it has a heading, or is called so."""
    names = f"{element.get('class', '')} {element.get('id', '')}"
    return bool(words_of(names) & _TITLE_WORDS) or next(element.iter(*HEADINGS), None) is not None


def _is_page_top(mass: _Mass) -> bool:
    """Tell whether a block above the one with the heading is no content: a trail, a menu, the weather."""
    return not mass.running and (mass.links >= 2 or mass.text >= 150)


def _speaks_of_cookies(element: HtmlElement) -> bool:
    text = raw_text(element)
    return "cookie" in text.lower() and bool(COOKIE_SPEECH.search(text) and COOKIE_CHOICE.search(text))


def _is_tool_row(element: HtmlElement, names: str) -> bool:
    """Tell whether the element holds the "Quote Report Share" of a post."""
    if not words_of(names) & TOOL_WORDS or len(text := raw_text(element)) > 200:
        return False
    return sum(len(raw_text(link)) for link in element.iter("a", "button")) >= 0.6 * len(collapse(text))


def _first_heading(element: HtmlElement) -> str:
    heading = next(element.iter(*HEADINGS, "legend", "summary"), None)
    if heading is not None:
        return collapse(raw_text(heading))
    candidates = element.iter("strong", "b", "p", "div", "span")
    first = next((text for child in candidates if (text := collapse(child.text or ""))), "")
    return first if len(first) <= 40 else ""


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
