"""Mark what a page's own style sheets hide, for pages that no browser has shown (MD-4).

An element is marked when a rule that holds on every screen takes its text out of sight, and no rule of more weight, no
state and no control brings it back: text that one click unfolds is content. Where it can't be told, it stays.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from gleaner.contracts.errors import InvalidSelector
from gleaner.html.attribute_limit import limit_attributes
from gleaner.html.selecting import every_match
from gleaner.html.stylesheets import NAMES, Rule, read_declarations, read_rules, with_variables
from gleaner.html.typed.xml_data import is_xml_data
from gleaner.html.visibility import HIDDEN_MARK, colour_of, hides

_MOST_SELECTORS = 400
"""Selectors that are matched: each is a walk over the page."""
_TELLING = re.compile(r"<style\b|(?:background|bgcolor|color)[^>]{0,40}[:=]", re.IGNORECASE)
_PLACES = frozenset(("left", "right", "top", "bottom", "text-indent", "margin-left", "margin-top"))
_HIDERS = (
    "display", "visibility", "content-visibility", "opacity", "transform", "font-size", *sorted(_PLACES), "clip",
    "clip-path", "width", "height", "max-width", "max-height",
)  # fmt: skip
_TOGETHER = {
    "opacity": re.compile("opacity|transform|transition|animation|translate|will-change"),
    "transform": re.compile("transform|transition|animation|will-change"),
    **dict.fromkeys(("width", "max-width"), re.compile("(?:max-)?width|overflow|padding")),
    **dict.fromkeys(("height", "max-height"), re.compile("(?:max-)?height|overflow|padding")),
}
"""What else of a rule says whether a declaration hides."""
_INHERITED = frozenset(("visibility", "font-size", "text-indent"))
_FOLDING = frozenset((
    "display", "visibility", "content-visibility", "opacity", "transform", "width", "height", "max-width", "max-height",
))  # fmt: skip
"""What scripts and states change when something is unfolded."""
_CONTROLS = "a, button, summary, label, input, select, [onclick], [role], [tabindex], [aria-expanded], [aria-controls]"
_MADE_TO_BE_SHOWN = "a, button, form, img, input, select, iframe, video, svg, picture, canvas, ul, ol, table"
"""What sliders, menus, dialogs and panels are built of, which scripts show."""
_BUILT = frozenset(_MADE_TO_BE_SHOWN.split(", "))
_HEADS = frozenset(("a", "button", "summary", "label", "input", "dt", "legend", "h1", "h2", "h3", "h4", "h5", "h6"))
_REFERENCE = re.compile(r"""\s(?:for|href|aria-[a-z]+|data-[\w-]+)\s*=\s*["']?#?([^\s"'>]+)""", re.IGNORECASE)
_ALIKE = 8
"""Steps of 255 by which a text's colour may differ from its ground and still not be seen; the renderer's own limit."""
_WHITE = "#ffffff"


def mark_hidden_by_styles(html: str) -> str:
    """Give the page with the renderer's mark on what its style sheets hide; the same text where that is nothing.

    >>> "data-gleaner-hidden" in mark_hidden_by_styles("<style>.x{display:none}</style><p>a<p class=x>b")
    True
    """
    if HIDDEN_MARK in html or not _TELLING.search(html) or is_xml_data(html):
        return html
    page = _Styled(LexborHTMLParser(limit_attributes(html)), html)
    try:
        found = {
            node.mem_id: node for node in (*page.hidden(), *page.hidden_by_variables(), *page.of_its_grounds_colour())
        }
    except _TooManyRules:
        return html
    for node in found.values():
        node.attrs[HIDDEN_MARK] = "style"  # pyright: ignore[reportIndexIssue]
    return (page.tree.html or html) if found else html


class _TooManyRules(Exception):
    """More selectors than are matched: what hides may be shown again by one that was not."""


@dataclass(slots=True)
class _Declared:
    """One declaration of a rule, and whether it takes text out of sight."""

    rule: Rule
    name: str
    is_hiding: bool


@dataclass
class _Styled:
    """A page with the rules of its style sheets."""

    tree: LexborHTMLParser
    html: str
    _effort: int = 0
    _matches: dict[str, dict[int, LexborNode]] = field(default_factory=dict[str, "dict[int, LexborNode]"])

    @cached_property
    def written(self) -> list[Rule]:
        """The rules as the style sheets have them."""
        without_scripts = {one.mem_id for one in self.tree.css("noscript style")}
        every = (one for one in self.tree.css("style") if one.mem_id not in without_scripts)
        sheets = (one for one in every if "print" not in (one.attributes.get("media") or ""))
        return [*islice(read_rules("\n".join(one.text(deep=True) for one in sheets)), 20_000)]

    @cached_property
    def variables(self) -> dict[str, str]:
        return _variables_of(self.written)

    @cached_property
    def rules(self) -> list[Rule]:
        """The rules with the values of their variables in place."""
        return [
            replace(rule, declarations=with_variables(rule.declarations, self.variables))
            if any("var(" in value for value in rule.declarations.values())
            else rule
            for rule in self.written
        ]

    @cached_property
    def has_scripts(self) -> bool:
        kinds = (one.attributes.get("type") or "" for one in self.tree.css("script"))
        return any("json" not in kind and "template" not in kind for kind in kinds)

    @cached_property
    def references(self) -> frozenset[str]:
        """What attributes point at: ids of what controls show."""
        return frozenset(_REFERENCE.findall(self.html))

    @cached_property
    def length(self) -> int:
        return len(self.tree.body.text(deep=True)) if self.tree.body else 0

    def hidden(self) -> Iterator[LexborNode]:
        """Give the elements that a rule hides for good."""
        declared = [one for rule in self.rules for one in _declared(rule)]
        for name in dict.fromkeys(one.name for one in declared if one.is_hiding and one.rule.is_certain):
            same = [one for one in declared if one.name == name]
            shown = [one for one in same if not one.is_hiding]
            hiding = [one for one in same if one.is_hiding and one.rule.is_certain]
            covered = {key for one in hiding for key in self.matching(one.rule.selector)}
            for one in hiding:
                for node in self.matching(one.rule.selector).values():
                    if any(self._brings_back(other, one, node) for other in shown):
                        continue
                    if name in _FOLDING and self._may_be_shown(node, name, covered):
                        continue
                    if name not in _INHERITED or not self._shows_inside(node, shown):
                        yield node

    def hidden_by_variables(self) -> Iterator[LexborNode]:
        """Give the elements whose own style hides them by a variable's value."""
        for node in self.tree.css("[style*='var(']"):
            declared, _ = read_declarations(node.attributes.get("style") or "")
            if hides(";".join(f"{name}:{value}" for name, value in with_variables(declared, self.variables).items())):
                yield node

    def matching(self, selector: str) -> dict[int, LexborNode]:
        """Give the elements that a selector matches now; none for one that can't be read."""
        if selector not in self._matches:
            is_there = all(name in self.html for name in NAMES.findall(selector))
            found: Iterable[LexborNode] = ()
            if is_there and "::" not in selector:
                self._effort += 1
                if self._effort > _MOST_SELECTORS:
                    raise _TooManyRules
                try:
                    found = every_match(self.tree, selector)
                except (SelectolaxError, InvalidSelector, UnicodeEncodeError):
                    found = ()
            self._matches[selector] = {node.mem_id: node for node in found}
        return self._matches[selector]

    def _brings_back(self, shown: _Declared, hiding: _Declared, node: LexborNode) -> bool:
        """Tell whether a rule shows an element again: now by its weight, or in another state or size of the window."""
        own = {*(node.attributes.get("class") or "").split(), node.attributes.get("id")}
        named = NAMES.findall(shown.rule.subject)
        if named and own.isdisjoint(named):
            return False
        if node.mem_id in self.matching(shown.rule.selector):
            is_stronger = shown.rule.weight(shown.name) > hiding.rule.weight(hiding.name)
            return is_stronger or not shown.rule.is_certain
        return bool(named)

    def _shows_inside(self, node: LexborNode, shown: list[_Declared]) -> bool:
        """Tell whether a part of an element sets for itself what the element hides of its own text."""
        inside = {one.mem_id for one in node.css("*")} - {node.mem_id}
        return bool(inside) and any(not inside.isdisjoint(self.matching(one.rule.selector)) for one in shown)

    def _may_be_shown(self, node: LexborNode, name: str, covered: set[int]) -> bool:
        """Tell whether a script may unfold an element: something points at it or stands before it to be clicked."""
        if node.tag in ("html", "body", "main") or len(node.text(deep=True)) * 2 > self.length:
            return True
        if not self.has_scripts:
            return False
        if name in ("opacity", "transform") or node.tag in _BUILT or node.css_first(_MADE_TO_BE_SHOWN) is not None:
            return True
        if any("-" in str(one.tag) for one in _line_of(node)):  # a part of what a script defines
            return True
        if "role" in node.attributes or any(key.startswith("aria-") for key in node.attributes):
            return True
        if any(one.attributes.get("id") in self.references for one in (node, *islice(node.css("[id]"), 50))):
            return True
        around = [_beside(node, "prev"), _beside(node, "next")]
        before = around[0]
        if before is not None and (before.tag in _HEADS or before.css_first(_CONTROLS) is not None):
            return True
        classes = set((node.attributes.get("class") or "").split())
        alike = (one for one in around if one is not None and one.mem_id not in covered)
        return any(classes & set((one.attributes.get("class") or "").split()) for one in alike)

    # --- colours ------------------------------------------------------------------------------------------------------

    def of_its_grounds_colour(self) -> Iterator[LexborNode]:
        """Give the elements whose text has the colour of what it stands on, as far as the page itself says that."""
        colours, grounds = self._painted("color"), self._painted("background-color", "background")
        for key, (node, value) in colours.items():
            ground = self._ground(node, grounds)
            if ground is None or not _are_alike(value, ground):
                continue
            if all(one.mem_id == key or one.mem_id not in colours for one in node.css("*")):
                yield node

    def _painted(self, *names: str) -> dict[int, tuple[LexborNode, str]]:
        """Give what each element declares of its colour or ground, by style sheet or attribute; the last one counts."""
        found: dict[int, tuple[tuple[int, ...], LexborNode, str]] = {}
        for rule in self.rules:
            for name in names:
                if name in rule.declarations:
                    value = _value(name, rule.declarations) if rule.is_certain else ""
                    for key, node in self.matching(rule.selector).items():
                        if key not in found or rule.weight(name) >= found[key][0]:
                            found[key] = (rule.weight(name), node, value)
        for node in self.tree.css("[style], [bgcolor], font[color]"):
            declared, _ = read_declarations(node.attributes.get("style") or "")
            by_attribute = {"background-color": node.attributes.get("bgcolor"), "color": node.attributes.get("color")}
            declared = {**{name: value or "" for name, value in by_attribute.items()}, **declared}
            for name in names:
                if declared.get(name):
                    found[node.mem_id] = ((0, 9), node, _value(name, declared))
        return {key: (node, value) for key, (_, node, value) in found.items()}

    def _ground(self, node: LexborNode, grounds: dict[int, tuple[LexborNode, str]]) -> str | None:
        """Give the colour behind an element; None where it is a picture, or set where this page does not say."""
        for one in _line_of(node):
            if one.mem_id in grounds:
                return grounds[one.mem_id][1] or None
        is_all_here = self.tree.css_first("link[rel~=stylesheet]") is None and "@import" not in self.html
        return _WHITE if is_all_here else None


def _variables_of(rules: Iterable[Rule]) -> dict[str, str]:
    """Give the variables that have one value wherever they are set, in every state and on every screen."""
    values: dict[str, set[str]] = {}
    for rule in rules:
        for name, value in rule.declarations.items():
            if name.startswith("--"):
                values.setdefault(name, set()).add(value)
    return {name: next(iter(one)) for name, one in values.items() if len(one) == 1}


def _declared(rule: Rule) -> Iterator[_Declared]:
    """Give what a rule says of being seen; ``left`` counts only with a position that it moves."""
    for name in _HIDERS:
        if name in rule.declarations:
            together = _TOGETHER.get(name, re.compile(f"{name}$"))
            block = ";".join(f"{key}:{value}" for key, value in rule.declarations.items() if together.match(key))
            yield _Declared(rule, name, hides(block))


def _value(name: str, declared: dict[str, str]) -> str:
    """Give a colour in its one spelling, "" for what is none or is drawn in another way."""
    drawn = any(word in key for key in declared for word in ("shadow", "clip", "stroke", "fill", "blend", "image"))
    value = declared[name]
    found = colour_of(value.split()[0]) if name == "background" and value else colour_of(value)
    plain = name != "background" or len(value.split()) == 1
    return found if plain and not drawn and re.fullmatch("#[0-9a-f]{6}", found) else ""


def _are_alike(one: str, other: str) -> bool:
    if not one or not other:
        return False
    pairs = zip(bytes.fromhex(one[1:]), bytes.fromhex(other[1:]), strict=True)
    return all(abs(first - second) <= _ALIKE for first, second in pairs)


def _line_of(node: LexborNode) -> Iterator[LexborNode]:
    """Give an element and those that it lies in."""
    one: LexborNode | None = node
    while one is not None and one.is_element_node:
        yield one
        one = one.parent


def _beside(node: LexborNode, way: str) -> LexborNode | None:
    one: LexborNode | None = getattr(node, way)
    while one is not None and not one.is_element_node:
        one = getattr(one, way)
    return one
