"""Remove what is certainly boilerplate: menus, site headers and footers, cookie banners, ads (MD-1).

Names alone prove nothing: a class ``ad`` marks a used car on a page of small ads, a ``nav`` may hold the product list.
So each rule has a veto that looks at what would be lost, and in doubt the part stays.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from typing import Any

from lxml import etree
from lxml.html import HtmlElement

from gleaner.html.dom import raw_text
from gleaner.html.elements import count_texts
from gleaner.html.layout import collapse
from gleaner.markdown.boilerplate_signs import (
    AD_LABEL,
    AD_PARTS,
    AD_SPEECH,
    AD_VENDORS,
    AD_WORDS,
    ANCHOR_SIGNS,
    CONTROL_WORDS,
    COOKIE_CHOICE,
    COOKIE_SPEECH,
    COOKIE_VENDORS,
    DAY,
    PRICE,
    SECTIONING,
    Reason,
    boilerplate_reason,
    may_name_noise,
    names_cookie_banner,
    words_of,
)

_SITE_PARTS = frozenset(["navigation", "header", "footer"])
_SITE_TAGS, _SITE_ROLES = ("nav", "header", "footer"), ("navigation", "banner", "contentinfo")
_FEWEST_CELLS = 2
"""Rows of so many cells make a table of data; one row, or one column, places things."""
_FEWEST_TITLES = 3
_FEWEST_ENTRIES = 3
_HIGHEST_ENTRY = 4
_LONGEST_ENTRY = 500
_LONGEST_LABEL = 30
_MOST_LOOKED_AT = 1_000_000
"""Characters of possible noise that are looked at on any page, and more on long ones."""
_LONGEST_LINE = 300
"""Characters of a cookie banner that has nothing to click, or only what scripts make so."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Which rules apply; inside a part that the caller chose, menus, headers and footers are kept."""

    site_parts: bool = True
    banners: bool = True


@dataclass(frozen=True, slots=True)
class Noise:
    """The parts of a page that are certain noise, none in another, and their characters of text by reason."""

    parts: Sequence[HtmlElement]
    sizes: Mapping[str, int]


def find_noise(root: HtmlElement, rules: Rules, names: Collection[str]) -> Noise:
    """Find the certain noise of a tree; nothing is changed. ``names`` are those of the page's attributes and more."""
    survey = _Survey(root, rules, names)
    walker: Any = etree.iterwalk(root, events=("start",))
    for _, element in walker:
        reason = survey.judge(element)
        if reason:
            survey.drop(element, reason)
            walker.skip_subtree()
    survey.keep_something()
    return Noise([element for _, element, _ in survey.dropped], survey.removed)


class _Survey:
    """What one pass knows: how much text there is, how much of it was dropped, how much was looked at."""

    def __init__(self, root: HtmlElement, rules: Rules, names: Collection[str]) -> None:
        self.root = root
        self.rules = rules
        self.has_roles, self.has_labels = "role" in names, "aria-label" in names
        self.removed: dict[str, int] = {}
        self.looked_at = 0
        self.has_title = False
        self.dropped: list[tuple[int, HtmlElement, Reason]] = []
        self.is_dropped: set[HtmlElement] = set()

    @cached_property
    def total(self) -> int:
        """Characters of text in all."""
        return len(_text_of(self.root))

    def judge(self, element: HtmlElement) -> Reason | None:
        tag = element.tag
        if tag == "a":
            return "skip link" if _is_skip_link(element) else None
        if tag == "h1":
            self.has_title = self.has_title or bool(_text_of(element))
        if tag == "button":
            return "control" if _is_control(element) else None
        if tag == "select":
            return "control" if self._is_plain_choice(element) else None
        classes, identity = element.get("class", ""), element.get("id", "")
        role = element.get("role", "") if self.has_roles else ""
        label = (element.get("aria-label") or "").lower()[:40] if self.has_labels else ""
        is_named = (classes and may_name_noise(classes)) or (identity and may_name_noise(identity))
        if not is_named and not role and tag not in _SITE_TAGS and (label != AD_LABEL or not (classes or identity)):
            return None
        names = f"{classes} {identity}" if identity else classes
        reason = boilerplate_reason(tag, names, role.lower(), label)
        if reason is None or element is self.root or not self._applies(reason):
            return None
        return reason if self._is_noise(element, reason, names) else None

    def drop(self, element: HtmlElement, reason: Reason) -> None:
        size = len(_text_of(element))
        self.removed[reason] = self.removed.get(reason, 0) + size
        self.dropped.append((size, element, reason))
        self.is_dropped.add(element)

    def keep_something(self) -> None:
        """Put the largest part back where nothing else is left to read: then it was what the page is there for."""
        if not self.dropped or self._leaves_enough():
            return
        if self.total - sum(self.removed.values()) > len(self.dropped):  # they are parted by at most one space each
            return
        kept = max(self.dropped, key=lambda part: (part[2] != "cookies", part[0]))
        self.dropped.remove(kept)
        self.removed[kept[2]] -= kept[0]

    def _leaves_enough(self) -> bool:
        """Tell at little cost whether the first texts beside what is dropped are more than the spaces around it."""
        left = 0
        walker: Any = etree.iterwalk(self.root, events=("start",))
        for _, element in walker:
            if element in self.is_dropped:
                walker.skip_subtree()
                continue
            left += len(collapse(element.text or ""))
            if left > len(self.dropped):
                return True
        return False

    def _applies(self, reason: Reason) -> bool:
        return self.rules.banners if reason in ("cookies", "advertising") else self.rules.site_parts

    def _is_noise(self, element: HtmlElement, reason: Reason, names: str) -> bool:
        if self._is_tired() or next(element.iter("h1", "main"), None) is not None:
            return False
        text = _text_of(element)
        self.looked_at += len(text)
        if not text:
            return next(element.iter("img"), None) is None or reason != "header"
        if reason == "control":
            return len(text) < 40
        is_named = reason in _SITE_PARTS and not _is_by_its_kind(element)
        if is_named and _holds_content(element, text):
            return False
        checks: Mapping[str, Any] = {
            "navigation": self._is_menu,
            "footer": self._is_site_footer,
            "header": self._is_site_header,
            "cookies": self._is_cookie_banner,
            "advertising": self._is_advertising,
        }
        return checks[reason](element, text, names)

    def _is_tired(self) -> bool:
        """Tell whether so much was looked at that more would be quadratic."""
        return self.looked_at > _MOST_LOOKED_AT and self.looked_at > _MOST_LOOKED_AT + 30 * self.total

    def _is_menu(self, element: HtmlElement, text: str, _names: str) -> bool:
        if next(element.iter("article", "table"), None) is not None or len(PRICE.findall(text)) >= 2:
            return False
        if any("tag" in link.get("rel", "").split() for link in element.iter("a")):
            return False  # tags of the very page
        linked = [_text_of(link) for link in element.iter("a", "button")]
        share = sum(map(len, linked)) / len(text)
        if share < 0.2 and len(text) > 60:
            return False
        longest_menu = sum(map(len, linked)) <= 45 * max(1, len(linked))
        if element.tag != "nav" and element.get("role") != "navigation":
            are_links = share >= 0.8 and len(linked) >= 3 and longest_menu
            return are_links and not _in_table_or_item(element) and not _links_to_entries(element)
        if len(text) > 300 and (share < 0.4 or not longest_menu):
            return False
        return len(text) <= 1500 or len(text) < 0.7 * self.total

    def _is_site_footer(self, element: HtmlElement, text: str, _names: str) -> bool:
        if any(ancestor.tag in SECTIONING for ancestor in element.iterancestors()):
            return False
        prices = len(PRICE.findall(text))
        if prices >= 3 or (prices and _is_unlinked(element)) or next(element.iter("article", "main"), None) is not None:
            return False
        return len(text) <= 1000 or len(text) < 0.5 * self.total

    def _is_site_header(self, element: HtmlElement, text: str, _names: str) -> bool:
        if any(ancestor.tag in SECTIONING for ancestor in element.iterancestors()):
            return False
        if next(element.iter("article", "table", "pre", "dl"), None) is not None or len(PRICE.findall(text)) >= 2:
            return False
        if self.has_title and element.tag == "header":  # the head of a part, as of the results below the page's heading
            return False
        if DAY.search(text):  # a bar that stays in sight may hold all that is said of an article's day
            return False
        if _is_unlinked(element) and (
            PRICE.search(text) or next(element.iter("h2", "h3", "p", "div"), None) is not None
        ):
            return False
        if any(len(_text_of(paragraph)) > 120 for paragraph in element.iter("p")):
            return False
        return len(text) <= 400 or len(text) < 0.4 * self.total

    def _is_cookie_banner(self, element: HtmlElement, text: str, names: str) -> bool:
        if not (COOKIE_SPEECH.search(text) and COOKIE_CHOICE.search(text)) or PRICE.search(text):
            return False
        words = words_of(names)
        is_a_line = len(text) <= _LONGEST_LINE and names_cookie_banner(words)
        if (_is_unlinked(element) and not is_a_line) or _has_twins(element):
            return False
        if words & COOKIE_VENDORS:
            return len(text) < 0.9 * self.total
        return len(text) <= 800 or (len(text) <= 5000 and len(text) < 0.4 * self.total)

    def _is_advertising(self, element: HtmlElement, text: str, names: str) -> bool:
        words = words_of(names)
        if words & AD_VENDORS:
            return len(text) < 0.5 * self.total
        if _labels_an_entry(element, text, self.is_dropped):
            return False
        speaks = bool(AD_SPEECH.search(text[:150]))
        if (PRICE.search(text) and not (speaks and len(text) <= 150 and words & AD_PARTS)) or _has_twins(element):
            return False
        if next(element.iter("h1", "h2", "table"), None) is not None or _holds_series(element):
            return False
        if not speaks and next(element.iter("h3", "h4"), None) is not None:
            return False
        if words & AD_WORDS or (words & {"ad", "ads"} and words & AD_PARTS):
            return len(text) <= (600 if speaks else 150)
        return speaks and len(text) <= 200

    def _is_plain_choice(self, element: HtmlElement) -> bool:
        """Tell whether a select is a mere control: many options, or numbers in a row."""
        options = [_text_of(option) for option in element.iter("option")]
        texts = [text for text in options if text]
        size = sum(map(len, texts))
        return len(texts) > 25 or size > 500 or len(texts) < 2 or all(text.isdigit() for text in texts)


def _is_by_its_kind(element: HtmlElement) -> bool:
    """Tell whether an element says by its tag or role what it is; a class may name what is not there: "no-footer"."""
    return element.tag in _SITE_TAGS or element.get("role", "").lower() in _SITE_ROLES


def _holds_content(element: HtmlElement, text: str) -> bool:
    """Tell whether an element holds a table of data, or more text than links."""
    linked = sum(len(_text_of(link)) for link in element.iter("a", "button"))
    return 2 * linked < len(text) or any(_is_data_table(table) for table in element.iter("table"))


def _is_data_table(table: HtmlElement) -> bool:
    rows = [sum(cell.tag in ("td", "th") for cell in row) for row in table.iter("tr")]
    return sum(cells >= _FEWEST_CELLS for cells in rows) >= _FEWEST_CELLS


def _text_of(element: HtmlElement) -> str:
    return collapse(raw_text(element))


def _is_skip_link(element: HtmlElement) -> bool:
    target = element.get("href") or ""
    if "#" not in target:
        return False
    if len(element) <= 1 and _text_of(element) in ANCHOR_SIGNS:
        return True
    if target[0] != "#":
        return False
    if "skip" in element.get("class", "").lower():
        return True
    return len(element) <= 1 and _text_of(element)[:8].lower() in ("skip to ", "jump to ")


def _links_to_entries(element: HtmlElement) -> bool:
    """Tell whether most links say several things, a title and a day, or few stand under a heading each.

    That is a list of entries, whatever it is called; a heading of a menu stands over many links.
    """
    links = [link for link in element.iter("a") if _text_of(link)]
    entries = [link for link in links if count_texts(link) > 1]
    titles = [title for title in element.iter("h2", "h3", "h4", "h5") if _text_of(title)]
    return 2 * len(entries) > len(links) or (len(titles) >= _FEWEST_TITLES and 3 * len(titles) > len(links))


def _is_unlinked(element: HtmlElement) -> bool:
    """Tell whether there is nothing to click: banners, site headers and footers always have something."""
    return next(element.iter("a", "button", "input", "select"), None) is None


def _holds_series(element: HtmlElement) -> bool:
    """Tell whether a child has siblings of its class on both sides: small ads, and no one ad."""
    return any(_has_twins(child) and _has_twins(following) for child, following in pairwise(element))


def _is_control(element: HtmlElement) -> bool:
    return len(text := _text_of(element)) <= 24 and text.lower() in CONTROL_WORDS


def _in_table_or_item(element: HtmlElement) -> bool:
    return any(ancestor.tag in ("article", "td", "li") for ancestor in element.iterancestors())


def _labels_an_entry(element: HtmlElement, text: str, dropped: Collection[HtmlElement]) -> bool:
    """Tell whether an element does no more than say of an entry in a list that it is an advertisement.

    Without that word a reader would take the entry for one like the others.
    """
    if len(text) > _LONGEST_LABEL or not AD_SPEECH.search(text) or _is_an_entry(element, dropped):
        return False
    around = islice(element.iterancestors(), _HIGHEST_ENTRY)
    return any(len(text) < len(_text_of(one)) <= _LONGEST_ENTRY and _is_one_of_several(one, dropped) for one in around)


def _is_an_entry(element: HtmlElement, dropped: Collection[HtmlElement]) -> bool:
    """Tell whether an element is in the place of an entry: an item of a list, or one of several that say much more."""
    alike = [each for each in _alike(element, dropped) if each is not element]
    is_much = sum(len(_text_of(each)) for each in alike) > _LONGEST_LABEL * len(alike)
    return element.tag in ("li", "tr", "article", "section") or (len(alike) > 1 and is_much)


def _is_one_of_several(element: HtmlElement, dropped: Collection[HtmlElement]) -> bool:
    return len(_alike(element, dropped)) >= _FEWEST_ENTRIES


def _alike(element: HtmlElement, dropped: Collection[HtmlElement]) -> list[HtmlElement]:
    """Give an element and its siblings of the same tag, but for those that are dropped."""
    parent = element.getparent()
    return [] if parent is None else [each for each in parent if each.tag == element.tag and each not in dropped]


def _has_twins(element: HtmlElement) -> bool:
    """Tell whether a sibling carries the same class: a series of small ads is content."""
    names = element.get("class")
    near = (element.getprevious(), element.getnext())
    return bool(names) and any(twin is not None and twin.get("class") == names for twin in near)
