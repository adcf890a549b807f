"""Find the first element that a CSS selector matches, in linear time (MD-5).

The parser's own matcher tries each chain of ancestors: ``nope div div div div span`` takes minutes on a page whose
boxes nest forty deep; and it finds the wrong element for some with ``:not()`` or ``:is()`` before a combinator. Here
it matches single steps only, each once, which are joined from the left (Selectors Level 4, "combinators").
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gleaner.contracts.errors import InvalidSelector

MOST_STEPS = 60
_NONE = -1
"""In the place of an element where there is none."""

_TOKEN = re.compile(
    r"""(?P<comment>/\*.*?(?:\*/|\Z))|(?P<open>[(\[])|(?P<close>[)\]])|(?P<comma>,)
    |(?P<between>[ \t\r\n\f]*[>+~][ \t\r\n\f]*|[ \t\r\n\f]+)
    |(?P<text>\\(?:[0-9a-fA-F]{1,6}[ \t\r\n\f]?|.)|"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|.)""",
    re.DOTALL | re.VERBOSE,
)

_JOINED = re.compile(r"[\s>+~,/]")
_ODD = re.compile(r"[>+~,]\s*(?:[>+~,]|$)|^\s*[>+~,]|[\"'\\/]")
"""What may be wrong with a selector though each of its steps parses."""


@dataclass(slots=True)
class _Step:
    """One compound selector, and how it is joined to the one before: " ", ">", "+" or "~"."""

    joined: str
    compound: str = ""


def first_match(tree: LexborHTMLParser, selector: str) -> LexborNode | None:
    """Give the first element of the tree that the selector matches; SelectolaxError when it does not parse."""
    LexborHTMLParser("").css_first(selector)
    alternatives = _alternatives(selector)
    single = ", ".join(steps[0].compound for steps in alternatives if len(steps) == 1)
    joined = [steps for steps in alternatives if len(steps) > 1]
    if sum(map(len, joined)) > MOST_STEPS:
        raise InvalidSelector(f"css_selector {selector[:100]!r} has more than {MOST_STEPS} steps; take fewer of them")
    matcher = Matcher(tree)
    found = [matched[0] for steps in joined if (matched := matcher.matched(steps))]
    alone = tree.css_first(single) if single else None
    found += [] if alone is None else [alone]
    if len(found) < 2:
        return found[0] if found else None
    order = {node.mem_id: place for place, node in enumerate(tree.css("*"))}
    return min(found, key=lambda node: order[node.mem_id])


class Matcher:
    """Finds all elements of a tree that selectors match; what one of their steps matches is looked for once."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        self.tree = tree
        self._steps: dict[str, list[LexborNode]] = {}

    def every(self, selector: str) -> list[LexborNode]:
        """Give the elements that a selector matches, in no order; SelectolaxError when it does not parse."""
        if _ODD.search(selector):
            LexborHTMLParser("").css_first(selector)
        alternatives = _alternatives(selector) if _JOINED.search(selector) else [[_Step(" ", selector.strip())]]
        if sum(map(len, alternatives)) > MOST_STEPS:
            raise InvalidSelector(f"the selector {selector[:100]!r} has more than {MOST_STEPS} steps")
        if len(alternatives) == 1 and alternatives[0]:
            return self.matched(alternatives[0])
        found = {node.mem_id: node for steps in alternatives if steps for node in self.matched(steps)}
        return list(found.values())

    def matched(self, steps: list[_Step]) -> list[LexborNode]:
        """Give the elements that a selector without commas matches, in the order of the page."""
        found = self._of(steps[0].compound)
        for step in steps[1:]:
            if not found:
                return []
            before = self.parents if step.joined in " >" else self.previous
            follows = _any_before if step.joined in " ~" else _right_before
            found = follows(self._of(step.compound), {node.mem_id for node in found}, before)
        return found

    @cached_property
    def parents(self) -> Mapping[int, int]:
        """The element around each element, by their places in memory; the page stands around the outermost."""
        return {node.mem_id: above.mem_id for node in self.tree.css("*") if (above := node.parent) is not None}

    @cached_property
    def previous(self) -> Mapping[int, int]:
        """The element before each one that has one before it in the same parent."""
        last, found = dict[int, int](), dict[int, int]()
        for one, above in self.parents.items():
            if above in last:
                found[one] = last[above]
            last[above] = one
        return found

    def _of(self, compound: str) -> list[LexborNode]:
        if compound not in self._steps:
            self._steps[compound] = self.tree.css(compound)
        return self._steps[compound]


def _alternatives(selector: str) -> list[list[_Step]]:
    """Take a selector that parses apart: at its commas, and each part at its combinators."""
    alternatives, depth = [[_Step(" ")]], 0
    for token in _TOKEN.finditer(selector.strip(" \t\r\n\f")):
        kind, steps = token.lastgroup, alternatives[-1]
        depth += (kind == "open") - (kind == "close")
        if kind == "comma" and not depth:
            alternatives.append([_Step(" ")])
        elif kind == "between" and not depth:
            joined = token[0].strip(" \t\r\n\f") or " "
            if steps[-1].compound:
                steps.append(_Step(joined))
            elif joined != " ":
                steps[-1].joined = joined
        elif kind != "comment":
            steps[-1].compound += token[0]
    return [[step for step in steps if step.compound] for steps in alternatives]


def _right_before(nodes: list[LexborNode], some: set[int], before: Mapping[int, int]) -> list[LexborNode]:
    """Give the nodes before which one of some stands: as their parent, or as their sibling."""
    return [node for node in nodes if before.get(node.mem_id) in some]


def _any_before(nodes: list[LexborNode], some: set[int], before: Mapping[int, int]) -> list[LexborNode]:
    """Give the nodes that have one of some anywhere before them; each element is passed once."""
    is_behind = {_NONE: False, **dict.fromkeys(some, True)}
    found: list[LexborNode] = []
    for node in nodes:
        first = one = before.get(node.mem_id, _NONE)
        path: list[int] = []
        while one not in is_behind:
            path.append(one)
            one = before.get(one, _NONE)
        if one != first:
            is_behind.update(dict.fromkeys(path, is_behind[one]))
        if is_behind[one]:
            found.append(node)
    return found
