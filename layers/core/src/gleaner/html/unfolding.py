"""Show what is hidden until a click: tabs, accordions, expandable blocks (MD-4).

A hidden block is content where a visible control opens it, or where the page says the same in its own data. So is the
page itself while it waits for a script to show it.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import Any

from lxml.html import HtmlElement

from gleaner.contracts.word_lists import listed
from gleaner.html.dom import Words, find_attributes, raw_text
from gleaner.html.layout import collapse
from gleaner.html.typed.embedded_json import read_json

_IDS = find_attributes("id")
_ROLES, _ONCLICK = find_attributes("role"), find_attributes("onclick")
_CONTROL_TAGS = listed("button a summary label input")
_CONTROL_ROLES = listed("button tab switch checkbox radio treeitem")
_DESCRIBING = listed("id class style title name type value form list headers aria-labelledby aria-describedby for")
_POPS_UP = listed("menu listbox tree grid dialog true")
_NO_CONTENT = listed("menu menubar navigation listbox dialog alertdialog tooltip search banner status")
_CHROME = ("nav", "header", "footer", "dialog")
_TOGGLES_OF_PARTS = re.compile(r"modal|dropdown|offcanvas|tooltip|popover|lightbox", re.IGNORECASE)
_LAID_OVER = re.compile(
    r"(?:^|[-_\s])(?:modal|popup|lightbox|fancybox|offcanvas|drawer|overlay|tooltip|dropdown)(?=$|[-_\s])",
    re.IGNORECASE,
)
_NAMED_TOGGLE = re.compile(
    r"(?:^|[-_\s])(?:tab|toggler?|accordion|collapsed?|expand(?:er)?|more)s?(?=$|[-_\s])", re.IGNORECASE
)
_OPENABLE = ("", "display", "size", "visibility", "opacity", "content-visibility", "clip")
"""What the renderer says of blocks that a click can show; letters in the colour of their ground stay unseen."""

_WORD = re.compile(r"\w+")
_MOST_LINKED = 0.6
"""The part of a block's text in links from which on it is a menu, however it is opened."""

_MOST_STEPS = 3
_LEAST_REPEATED = 0.5
_FEWEST_WORDS = 4
_NEAR = 12


class Unfolding:
    """Tells of hidden elements which ones one click shows; ``scripts`` are the page's JSON-LD texts."""

    def __init__(
        self, root: HtmlElement, hidden: Collection[HtmlElement], scripts: Iterable[str], words: Words | None
    ) -> None:
        self._root = root
        self._hidden = hidden
        self._scripts = scripts
        self._words = words
        self._stated: frozenset[str] | None = None
        self._controls: dict[str, list[HtmlElement]] | None = None

    def shows(self, element: HtmlElement) -> bool:
        """Tell whether a hidden element is content that one click, or the page's own script, shows."""
        is_for_good = element.get("data-gleaner-hidden") not in (None, *_OPENABLE)
        if is_for_good or element.tag in ("input", "template", "noscript", "option"):
            return False
        if self._is_page_in_waiting(element):
            return True
        if self._is_chrome(element):
            return False
        return self._is_opened(element) or self._is_stated(element)

    def _is_chrome(self, element: HtmlElement) -> bool:
        """Tell whether a block is a menu, a dialog or a part of the site's frame, or says nothing but links."""
        around = (element, *element.iterancestors())
        if any(one.tag in _CHROME or (one.get("role") or "").lower() in _NO_CONTENT for one in around):
            return True
        is_laid_over = any(_LAID_OVER.search(one.get("class") or "") for one in around[:_MOST_STEPS])
        if is_laid_over or element.get("aria-modal") == "true" or element.get("popover") == "hint":
            return True
        text = len(collapse(raw_text(element)))
        linked = sum(len(collapse(raw_text(link))) for link in element.iter("a"))
        return not text or linked > _MOST_LINKED * text

    def _is_page_in_waiting(self, element: HtmlElement) -> bool:
        """Tell whether an element is what a script will show: most of the page's text, with its heading."""
        if element.get("data-gleaner-hidden") is not None or next(element.iter("main", "h1"), None) is None:
            return False
        body = self._root.find("body")
        everything = len(collapse(raw_text(self._root if body is None else body)))
        return 2 * len(collapse(raw_text(element))) > everything

    # Controls --------------------------------------------------------------------------------------------------------

    def _is_opened(self, element: HtmlElement) -> bool:
        for one in self._named_by(element):
            if any(self._is_seen(control) for control in self._controls_of(one)):
                return True
        return self._stands_behind_a_control(element) or self._is_labelled_by_a_tab(element)

    def _named_by(self, element: HtmlElement) -> Iterator[str]:
        """Give the ids that a control may name to open an element: its own, and those of boxes that hold it alone."""
        node = element
        for _ in range(_MOST_STEPS):
            if identity := node.get("id"):
                yield identity
            parent = node.getparent()
            if parent is None or not _is_alone(node, parent):
                return
            node = parent

    def _controls_of(self, identity: str) -> list[HtmlElement]:
        if self._controls is None:
            self._controls = self._find_controls()
        return self._controls.get(identity, [])

    def _find_controls(self) -> dict[str, list[HtmlElement]]:
        """Give, by id, the controls with an attribute that names it; one walk, and only the ids of hidden blocks."""
        wanted = {identity for element in self._hidden for identity in self._named_by(element)}
        if not wanted:
            return {}
        controls: dict[str, list[HtmlElement]] = {}
        for element in self._all_controls():
            for name, value in element.attrib.items():
                if name in _DESCRIBING or not value or len(value) > 2_000:
                    continue
                for identity in _ids_in(name, value) & wanted:
                    if _only_unfolds(element, name):
                        controls.setdefault(identity, []).append(element)
        return controls

    def _all_controls(self) -> set[HtmlElement]:
        by_role = (one for one, role in _ROLES(self._root, self._words) if role in _CONTROL_ROLES)
        by_script = (one for one, _ in _ONCLICK(self._root, self._words))
        return {*self._root.iter(*_CONTROL_TAGS), *by_role, *by_script}

    def _is_seen(self, control: HtmlElement) -> bool:
        return control not in self._hidden and self._hidden_around(control) is None

    def _hidden_around(self, element: HtmlElement) -> HtmlElement | None:
        return next((one for one in element.iterancestors() if one in self._hidden), None)

    def _stands_behind_a_control(self, element: HtmlElement) -> bool:
        """Tell whether a button that says it is closed, or a checkbox with a label, stands right before an element."""
        before = element.getprevious()
        if before is None:
            return self._is_a_tab_of_radios(element)
        if self._words is None or "aria-expanded" in self._words.names:
            near = (before, *islice(before.iterdescendants(), _NEAR))
            closed = next((one for one in near if one.get("aria-expanded") == "false"), None)
            if closed is not None and not closed.get("aria-controls") and _only_unfolds(closed, "aria-expanded"):
                return self._is_seen(closed)
        return any(map(self._has_label, _boxes_before(element))) or self._is_a_tab_of_radios(element)

    def _is_a_tab_of_radios(self, element: HtmlElement) -> bool:
        """Tell whether an element is one of several in a box that as many radio buttons with labels stand before."""
        holder = element.getparent()
        panes = [] if holder is None else [one for one in islice(holder, _NEAR) if isinstance(one.tag, str)]
        radios = _boxes_before(holder) if holder is not None and len(panes) > 1 else []
        return len(radios) == len(panes) and all(map(self._has_label, radios))

    def _has_label(self, box: HtmlElement) -> bool:
        """Tell whether a checkbox has a label of its own that is seen, which says more than a choice in a form does."""
        identity = box.get("id")
        labels = self._labels.get(identity, ()) if identity else ()
        return any(self._is_seen(label) and next(label.iterancestors("form"), None) is None for label in labels)

    def _is_labelled_by_a_tab(self, element: HtmlElement) -> bool:
        names = (element.get("aria-labelledby") or "").split()
        found = [one for name in names for one in self._by_id.get(name, ())]
        return any(one.get("role") in ("tab", "button") and self._is_seen(one) for one in found)

    @cached_property
    def _labels(self) -> dict[str, list[HtmlElement]]:
        found: dict[str, list[HtmlElement]] = {}
        for label in self._root.iter("label"):
            found.setdefault(label.get("for") or "", []).append(label)
        return found

    @cached_property
    def _by_id(self) -> dict[str, list[HtmlElement]]:
        found: dict[str, list[HtmlElement]] = {}
        for element, value in _IDS(self._root):
            found.setdefault(value, []).append(element)
        return found

    # What the page says in its own data ------------------------------------------------------------------------------

    def _is_stated(self, element: HtmlElement) -> bool:
        """Tell whether the page's JSON-LD repeats at least half of an element's words, in texts of several words."""
        texts = [collapse(text) for text in element.itertext()]
        counted = [len(_WORD.findall(text)) for text in texts]
        if sum(counted) < _FEWEST_WORDS:
            return False
        if self._stated is None:
            self._stated = frozenset(_texts_of(self._scripts))
        if not self._stated:
            return False
        repeated = sum(
            count for text, count in zip(texts, counted, strict=True) if count and _key(text) in self._stated
        )
        if repeated >= _LEAST_REPEATED * sum(counted):
            return True
        return _key(collapse(raw_text(element))) in self._stated


def _boxes_before(element: HtmlElement) -> list[HtmlElement]:
    """Give the checkboxes and radio buttons among the elements right before one."""
    near = islice(element.itersiblings(preceding=True), 2 * _NEAR)
    return [one for one in near if one.tag == "input" and (one.get("type") or "").lower() in ("checkbox", "radio")]


def _is_alone(node: HtmlElement, parent: HtmlElement) -> bool:
    """Tell whether an element is all that its parent says; many empty neighbours are not looked through."""
    if (parent.text or "").strip() or (node.tail or "").strip():
        return False
    beside = [*islice(node.itersiblings(), _NEAR), *islice(node.itersiblings(preceding=True), _NEAR)]
    return len(beside) < _NEAR and not any(
        (one.tail or "").strip() or (isinstance(one.tag, str) and raw_text(one).strip()) for one in beside
    )


def _ids_in(name: str, value: str) -> set[str]:
    """Give the ids that an attribute may name: "one two", "#one", "show('one')"."""
    if name.startswith("on"):
        return set(re.findall(r"[\"'#]([\w-]+)[\"'.\s]", value))
    return {part.removeprefix("#") for part in value.split()} if name != "href" or value[:1] == "#" else set()


def _only_unfolds(control: HtmlElement, name: str) -> bool:
    """Tell whether a control shows a part of the page, and no menu or dialog; a mere link to a part is none."""
    if (control.get("aria-haspopup") or "").lower() in _POPS_UP:
        return False
    toggles = " ".join(value for key, value in control.attrib.items() if key.startswith("data-") and "toggle" in key)
    if _TOGGLES_OF_PARTS.search(toggles):
        return False
    if name != "href" or toggles or control.get("role") in _CONTROL_ROLES or "aria-expanded" in control.attrib:
        return True
    if _NAMED_TOGGLE.search(control.get("class") or "") or "onclick" in control.attrib:
        return True
    return _is_one_of_tabs(control)


def _is_one_of_tabs(link: HtmlElement) -> bool:
    """Tell whether a link to a part stands in a list of nothing but such links, of which no two lead to one part."""
    holder = next(link.iterancestors("ul", "ol", "div"), None)
    links = [] if holder is None else list(islice(holder.iter("a"), 20))
    targets = [one.get("href") or "" for one in links]
    said = "" if holder is None else "".join(raw_text(holder).split())
    is_all = said == "".join("".join(map(raw_text, links)).split())
    return 1 < len(set(targets)) == len(targets) and is_all and all(re.fullmatch(r"#[\w-]+", one) for one in targets)


def _texts_of(scripts: Iterable[str]) -> Iterator[str]:
    for script in scripts:
        pending: list[Any] = [read_json(script)]
        while pending:
            value = pending.pop()
            if isinstance(value, dict):
                pending.extend(value.values())
            elif isinstance(value, list):
                pending.extend(value)
            elif isinstance(value, str) and len(value) > 2:
                yield _key(collapse(re.sub(r"<[^<>]{1,200}>", " ", value)))
                yield from (_key(collapse(line)) for line in re.split(r"<[^<>]{1,200}>|\n", value))


def _key(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
