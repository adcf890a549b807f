"""Mark what a page's own style sheets hide, for pages that no browser has shown (MD-4).

An element is marked when a rule that holds on every screen takes its text out of sight, and no rule of more weight, no
state and no control brings it back: text that one click unfolds is content. Where it can't be told, it stays.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from html import unescape
from itertools import islice

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from gleaner.contracts.errors import InvalidSelector
from gleaner.html.attribute_limit import limit_attributes
from gleaner.html.selecting import Matcher
from gleaner.html.stylesheets import NAMES, Rule, names_needed, read_declarations, read_rules, with_variables
from gleaner.html.typed.xml_data import is_xml_data
from gleaner.html.visibility import HIDDEN_MARK, LOOKED_INTO, colour_of, hides, says_otherwise

_MOST_SELECTORS = 400
"""Selectors that are matched: each is a walk over the page."""
_COLOURED = re.compile(rb"color[^>]{0,40}[:=]|background[^>]{0,40}[:=]")
_PLACES = frozenset(("left", "right", "top", "bottom", "text-indent", "margin-left", "margin-top"))
_HIDERS = frozenset((
    "display", "visibility", "content-visibility", "opacity", "transform", "font-size", *sorted(_PLACES), "clip",
    "clip-path", "width", "height", "max-width", "max-height",
))  # fmt: skip
_MAY_HIDE = re.compile(r"^(?:0|\.\d|1(?:\.[0-4]\d*)?px)|none|hidden|collapse|-\s*\d{4}|rect|inset|scale")
"""What a value has that hides: others need no closer look."""
_MAY_HIDE_SOMETHING = re.compile(
    r"(?:size|opacity|width|height)\s*:\s*(?:0|\.|1)|none|hidden|collapse|-\s*\d{4}|rect|inset|scale|\\"
)
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
_TAG = re.compile(r"[a-zA-Z][\w-]*")
_NAMED = [re.compile(rb"""%b\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""" % name) for name in (b"class", b"id")]
_MAY_COLOUR = re.compile(r"color|background|\\", re.IGNORECASE)
_REFERENCE = re.compile(r"""\s(?:for|href|aria-[a-z]+|data-[\w-]+)\s*=\s*["']?#?([^\s"'>]+)""", re.IGNORECASE)
_ALIKE = 8
"""Steps of 255 by which a text's colour may differ from its ground and still not be seen; the renderer's own limit."""
_WHITE = "#ffffff"
_PLAIN = re.compile("#[0-9a-f]{6}")


def mark_hidden_by_styles(html: str) -> str:
    """Give the page with the renderer's mark on what its style sheets hide; the same text where that is nothing.

    >>> "data-gleaner-hidden" in mark_hidden_by_styles("<style>.x{display:none}</style><p>a<p class=x>b")
    True
    """
    # Of bytes, small letters are those of ASCII, as tags and attributes need them, in a third of the time.
    small = html.encode("utf-8", "surrogatepass").lower()
    if not (b"<style" in small or _COLOURED.search(small)) or HIDDEN_MARK in html or is_xml_data(html):
        return html
    page = _Styled(LexborHTMLParser(limit_attributes(html)), html, small)
    try:
        found = {
            node.mem_id: node for node in (*page.hidden(), *page.hidden_by_variables(), *page.of_its_grounds_colour())
        }
        is_shown_again = page.show_inside()
    except _TooManyRules:
        return html
    for node in found.values():
        node.attrs[HIDDEN_MARK] = "style"  # pyright: ignore[reportIndexIssue]
    return (page.tree.html or html) if found or is_shown_again else html


class _TooManyRules(Exception):
    """More selectors than are matched: what hides may be shown again by one that was not."""


class _Candidates:
    """Rules by the names in their subjects, so that only those are matched that an element may be meant by."""

    def __init__(self, rules: Iterable[Rule], names_in: Callable[[str], list[str]]) -> None:
        self.rules = [*rules]
        self.named: dict[str, list[int]] = {}
        self.others: list[tuple[str, int]] = []
        for at, rule in enumerate(self.rules):
            subject = rule.subject
            for name in (names := names_in(subject)):
                self.named.setdefault(name, []).append(at)
            if not names:
                tag = _TAG.match(subject)
                self.others.append((tag[0].lower() if tag else "", at))

    def by_name(self, names: Iterable[str]) -> Iterator[int]:
        """Give the places of the rules that name an element's class or id."""
        for name in names:
            yield from self.named.get(name, ())

    def without_name(self, tag: str | None) -> Iterator[int]:
        """Give the places of the rules that name none, and may mean an element of this tag."""
        return (at for of, at in self.others if of in ("", tag))


@dataclass
class _Styled:
    """A page with the rules of its style sheets."""

    tree: LexborHTMLParser
    html: str
    small: bytes
    _effort: int = 0
    _matches: dict[str, dict[int, LexborNode]] = field(default_factory=dict[str, "dict[int, LexborNode]"])
    _needed: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    @cached_property
    def written(self) -> list[Rule]:
        """The rules as the style sheets have them."""
        sheets = self.tree.css("style")
        if b"<noscript" in self.small:
            without_scripts = {one.mem_id for one in self.tree.css("noscript style")}
            sheets = [one for one in sheets if one.mem_id not in without_scripts]
        css = "\n".join(one.text(deep=True) for one in sheets if "print" not in (one.attributes.get("media") or ""))
        return [*islice(read_rules(css), 20_000)]

    @cached_property
    def variables(self) -> dict[str, str]:
        return _variables_of(self.written)

    @cached_property
    def rules(self) -> list[Rule]:
        """The rules that may mean an element of the page, maybe in another state, values of variables in place."""
        found = [rule for rule in self.written if self._may_ever_match(rule.selector)]
        blocks = {rule.block for rule in found if rule.block.may_have("var(")}
        resolved = {block: block.resolved(self.variables) for block in blocks}
        return [one._replace(block=resolved[one.block]) if one.block in blocks else one for one in found]

    @cached_property
    def matching_rules(self) -> list[Rule]:
        """Those of the rules that may match now."""
        return [rule for rule in self.rules if self.may_match(rule.selector)]

    @cached_property
    def names(self) -> frozenset[str]:
        """All class names and ids of the page in small letters, as old pages match them, and more that its code has."""
        found = {value for one in _NAMED for value in one.findall(self.small)}
        written = b" ".join(value.strip(b"\"'") for value in found).decode("utf-8", "surrogatepass").lower()
        return frozenset((unescape(written) if "&" in written else written).split())

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

    @cached_property
    def _matcher(self) -> Matcher:
        return Matcher(self.tree)

    @cached_property
    def styled(self) -> list[tuple[LexborNode, dict[str, str | None]]]:
        """The elements that have a style of their own, with their attributes."""
        return [(node, node.attributes) for node in self.tree.css("[style]")]

    def _styled_with(self, word: str) -> list[LexborNode]:
        """Give the elements whose own style has a word."""
        return [node for node, has in self.styled if word in (has["style"] or "")]

    def may_match(self, selector: str) -> bool:
        """Tell whether the page has all names without which a selector matches nothing."""
        return "::" not in selector and self.names.issuperset(self._needed_by(selector))

    def _may_ever_match(self, selector: str) -> bool:
        """Tell whether the page has any of the names in a selector: scripts may give its elements the others."""
        needed = self._needed_by(selector)
        if not needed or not self.names.isdisjoint(needed):
            return True
        has_more = "(" in selector or "[" in selector
        return has_more and not self.names.isdisjoint(NAMES.findall(selector.lower()))

    def _needed_by(self, selector: str) -> list[str]:
        needed = self._needed.get(selector)
        if needed is None:
            needed = self._needed[selector] = names_needed(selector)
        return needed

    def hidden(self) -> Iterator[LexborNode]:
        """Give the elements that a rule hides for good."""
        hiding = dict[str, list[Rule]]()
        for rule in self.matching_rules:
            if rule.is_certain and _MAY_HIDE_SOMETHING.search(rule.block.body):
                for name in _hidden_by(rule):
                    hiding.setdefault(name, []).append(rule)
        for name, rules in hiding.items():
            covered = {key for rule in rules for key in self.matching(rule.selector)}
            if not covered:
                continue
            shown = self._showing(name)
            for rule in rules:
                for node in self.matching(rule.selector).values():
                    if self._is_brought_back(node, name, rule, shown):
                        continue
                    if name in _FOLDING and self._may_be_shown(node, name, covered):
                        continue
                    if name not in _INHERITED or not self._shows_inside(node, name, shown):
                        yield node

    def _showing(self, name: str) -> _Candidates:
        """Give the rules that set a property to what does not hide."""
        names = {name, "font"} if name == "font-size" else {name}
        some = (one for one in self.rules if any(map(one.block.may_have, names)) and names & one.declarations.keys())
        return _Candidates((one for one in some if name not in _hidden_by(one)), NAMES.findall)

    def show_inside(self) -> bool:
        """Take out of style attributes what hides texts that rules show again; tell whether there was any."""
        found = False
        for name in _INHERITED:
            shown: _Candidates | None = None
            for node in self._styled_with(name):
                declared, _ = read_declarations(node.attributes.get("style") or "")
                value = declared.pop(name, "")
                if value and hides(f"{name}:{value}"):
                    shown = shown or self._showing(name)
                    if self._shows_inside(node, name, shown):
                        node.attrs["style"] = ";".join(map(":".join, declared.items()))  # pyright: ignore[reportIndexIssue]
                        found = True
        return found

    def hidden_by_variables(self) -> Iterator[LexborNode]:
        """Give the elements whose own style hides them by a variable's value."""
        for node in self._styled_with("var("):
            declared, _ = read_declarations(node.attributes.get("style") or "")
            if hides(";".join(f"{name}:{value}" for name, value in with_variables(declared, self.variables).items())):
                yield node

    def matching(self, selector: str) -> dict[int, LexborNode]:
        """Give the elements that a selector matches now; none for one that can't be read."""
        known = self._matches.get(selector)
        if known is not None:
            return known
        found: Iterable[LexborNode] = ()
        if self.may_match(selector):
            self._effort += 1
            if self._effort > _MOST_SELECTORS:
                raise _TooManyRules
            with suppress(SelectolaxError, InvalidSelector, UnicodeEncodeError):
                found = self._matcher.every(selector)
        self._matches[selector] = {node.mem_id: node for node in found}
        return self._matches[selector]

    def _is_brought_back(self, node: LexborNode, name: str, hiding: Rule, shown: _Candidates) -> bool:
        """Tell whether a rule shows an element again: now by its weight, or in another state or size of the window."""
        weight = hiding.weight(name)
        for at in shown.by_name(_names_of(node)):
            rule = shown.rules[at]
            is_now = rule.is_certain and node.mem_id in self.matching(rule.selector)
            if not is_now or rule.weight(name) > weight:
                return True
        of_its_tag = (shown.rules[at] for at in shown.without_name(node.tag))
        at_all = (rule for rule in of_its_tag if node.mem_id in self.matching(rule.selector))
        return any(not rule.is_certain or rule.weight(name) > weight for rule in at_all)

    def _shows_inside(self, node: LexborNode, name: str, shown: _Candidates) -> bool:
        """Tell whether a part of an element sets for itself what the element hides of its own text."""
        inside = {one.mem_id: one for one in islice(node.traverse(), 1, LOOKED_INTO)}
        if any(says_otherwise(name, one.attributes.get("style") or "", one.tag) for one in inside.values()):
            return True
        named = {at for one in inside.values() for at in shown.by_name(_names_of(one))}
        places = (*sorted(named), *(at for _, at in shown.others if inside))
        return any(not inside.keys().isdisjoint(self.matching(shown.rules[at].selector)) for at in places)

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
        if any(map(self._is_pointed_at, (node, *islice(node.css("[id]"), 50)))):
            return True
        around = [_beside(node, "prev"), _beside(node, "next")]
        before = around[0]
        if before is not None and (before.tag in _HEADS or before.css_first(_CONTROLS) is not None):
            return True
        classes = set((node.attributes.get("class") or "").split())
        alike = (one for one in around if one is not None and one.mem_id not in covered)
        return any(classes & set((one.attributes.get("class") or "").split()) for one in alike)

    def _is_pointed_at(self, node: LexborNode) -> bool:
        name = node.attributes.get("id") or ""
        return self.html.count(name) != 1 and name in self.references

    # --- colours ------------------------------------------------------------------------------------------------------

    def of_its_grounds_colour(self) -> Iterator[LexborNode]:
        """Give the elements whose text has the colour of what it stands on, as far as the page itself says that."""
        texts, grounds = _Painted(self, "color"), _Painted(self, "background-color", "background")
        may_be = {*grounds.values, *({_WHITE} if self.is_all_here else ())}
        alike = {value for value in texts.values if any(_are_alike(value, ground) for ground in may_be)}
        for node in texts.with_value(alike):
            value = texts.of(node)
            if value is None or value not in alike:
                continue
            ground = grounds.around(node)
            if ground is None and self.is_all_here:
                ground = _WHITE
            if ground is None or not _are_alike(value, ground):
                continue
            if all(one.mem_id == node.mem_id or texts.of(one) is None for one in node.css("*")):
                yield node

    @cached_property
    def is_all_here(self) -> bool:
        """Whether all style sheets of the page are written into it."""
        return self.tree.css_first("link[rel~=stylesheet]") is None and "@import" not in self.html

    @cached_property
    def coloured(self) -> dict[int, tuple[LexborNode, dict[str, str]]]:
        """What elements declare of colours by attributes of their own."""
        found: dict[int, tuple[LexborNode, dict[str, str]]] = {}
        painted = self.tree.css("[bgcolor], font[color]") if b"bgcolor" in self.small or b"<font" in self.small else ()
        for node, has in (*self.styled, *((one, one.attributes) for one in painted)):
            style = has.get("style") or ""
            declared, _ = read_declarations(style) if _MAY_COLOUR.search(style) else ({}, None)
            by_attribute = {"background-color": has.get("bgcolor"), "color": has.get("color")}
            if any(by_attribute.values()) or declared:
                found[node.mem_id] = node, {**{name: value or "" for name, value in by_attribute.items()}, **declared}
        return found


class _Painted:
    """What elements declare of their colour or ground, by style sheet or attribute; the last one counts."""

    def __init__(self, page: _Styled, *names: str) -> None:
        self.page = page
        self._values: dict[int, str | None] = {}
        self._around: dict[int, str | None] = {}
        self._meant: dict[object, list[tuple[Rule, str, str]]] = {}
        self._rules = [
            (rule, name, _value(name, rule.declarations) if rule.is_certain else "")
            for rule in page.matching_rules
            for name in names
            if rule.block.may_have(name) and name in rule.declarations
        ]
        self._own: dict[int, tuple[LexborNode, str]] = {}
        for key, (node, declared) in page.coloured.items():
            for name in names:
                if declared.get(name):
                    self._own[key] = node, _value(name, declared)

    @property
    def values(self) -> set[str]:
        """All colours that are declared."""
        return {value for _, _, value in self._rules} | {value for _, value in self._own.values()}

    def with_value(self, values: Collection[str]) -> list[LexborNode]:
        """Give the elements of which something declares one of some colours."""
        found = {key: node for key, (node, value) in self._own.items() if value in values}
        for rule, _, value in self._rules:
            if value in values:
                found.update(self.page.matching(rule.selector))
        return [*found.values()]

    def of(self, node: LexborNode) -> str | None:
        """Give what counts for an element; "" for no plain colour, None where nothing is declared."""
        key = node.mem_id
        if key not in self._values:
            own = self._own.get(key)
            self._values[key] = self._by_rule(node) if own is None else own[1]
        return self._values[key]

    def around(self, node: LexborNode) -> str | None:
        """Give what counts for an element or else for the nearest one around for which anything is declared."""
        path: list[int] = []
        found: str | None = None
        for one in _line_of(node):
            if one.mem_id in self._around:
                found = self._around[one.mem_id]
                break
            path.append(one.mem_id)
            if (found := self.of(one)) is not None:
                break
        self._around.update(dict.fromkeys(path, found))
        return found

    @cached_property
    def _candidates(self) -> _Candidates:
        return _Candidates((rule for rule, _, _ in self._rules), names_needed)

    def _by_rule(self, node: LexborNode) -> str | None:
        has = node.attributes
        look = node.tag, has.get("class"), has.get("id")
        if look not in self._meant:
            names = (name.lower() for name in _names_of(node))
            places = {*self._candidates.by_name(names), *self._candidates.without_name(node.tag)}
            weighed = ((self._rules[at][0].weight(self._rules[at][1]), at) for at in places)
            self._meant[look] = [self._rules[at] for _, at in sorted(weighed, reverse=True)]
        key = node.mem_id
        heaviest_first = self._meant[look]
        return next((value for rule, _, value in heaviest_first if key in self.page.matching(rule.selector)), None)


def _variables_of(rules: Iterable[Rule]) -> dict[str, str]:
    """Give the variables that have one value wherever they are set, in every state and on every screen."""
    values: dict[str, set[str]] = {}
    for rule in rules:
        for name, value in rule.declarations.items() if rule.block.may_have("--") else ():
            if name.startswith("--"):
                values.setdefault(name, set()).add(value)
    return {name: next(iter(one)) for name, one in values.items() if len(one) == 1}


def _hidden_by(rule: Rule) -> list[str]:
    """Give the declarations of a rule that take text out of sight; ``left`` counts only with what it moves."""
    found: list[str] = []
    for name in rule.declarations.keys() & _HIDERS:
        if _MAY_HIDE.search(rule.declarations[name]):
            together = _TOGETHER.get(name) or re.compile(f"{name}$")
            block = ";".join(f"{key}:{value}" for key, value in rule.declarations.items() if together.match(key))
            if hides(block):
                found.append(name)
    return found


def _names_of(node: LexborNode) -> list[str]:
    """Give an element's classes, and its id."""
    has = node.attributes
    return [*(has.get("class") or "").split(), *filter(None, (has.get("id"),))]


def _value(name: str, declared: dict[str, str]) -> str:
    """Give a colour in its one spelling, "" for what is none or is drawn in another way."""
    value = declared[name]
    if name == "background" and len(value.split()) != 1:
        return ""
    found = colour_of(value)
    drawn = any(word in key for key in declared for word in ("shadow", "clip", "stroke", "fill", "blend", "image"))
    return found if _PLAIN.fullmatch(found) and not drawn else ""


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
