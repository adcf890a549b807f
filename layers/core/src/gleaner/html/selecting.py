"""Find the first element that a CSS selector matches, in linear time (MD-5).

The parser's own matcher tries each chain of ancestors: ``nope div div div div span`` takes minutes on a page whose
boxes nest forty deep; and it finds the wrong element for some with ``:not()`` or ``:is()`` before a combinator. Here
it matches single steps only, each once, which are joined from the left (Selectors Level 4, "combinators").
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gleaner.contracts.errors import InvalidSelector

MOST_STEPS = 60

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
    found = [matched[0] for steps in joined if (matched := _matched(tree.css, steps))]
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
            return _matched(self._of, alternatives[0])
        found = {node.mem_id: node for steps in alternatives if steps for node in _matched(self._of, steps)}
        return list(found.values())

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


def _matched(css: Callable[[str], list[LexborNode]], steps: list[_Step]) -> list[LexborNode]:
    """Give the elements that a selector without commas matches, in the order of the page."""
    found = css(steps[0].compound)
    for step in steps[1:]:
        if not found:
            return []
        follows = _FOLLOWS[step.joined]({node.mem_id for node in found})
        found = [node for node in css(step.compound) if follows(node)]
    return found


Follows = Callable[[LexborNode], bool]


def _beside(before: Callable[[LexborNode], LexborNode | None]) -> Callable[[set[int]], Follows]:
    """Give a test whether the element before a node (its parent, its sibling) is one of some."""

    def among(some: set[int]) -> Follows:
        def follows(node: LexborNode) -> bool:
            one = before(node)
            return one is not None and one.mem_id in some

        return follows

    return among


def _behind(before: Callable[[LexborNode], LexborNode | None]) -> Callable[[set[int]], Follows]:
    """Give a test whether any of the elements before a node is one of some; each is looked at once."""

    def among(some: set[int]) -> Follows:
        known: dict[int, bool] = {}

        def follows(node: LexborNode) -> bool:
            path: list[int] = []
            one: LexborNode | None = node
            answer = False
            while one is not None:
                if one.mem_id in known:
                    answer = known[one.mem_id]
                    break
                path.append(one.mem_id)
                one = before(one)
                if one is not None and one.mem_id in some:
                    answer = True
                    break
            known.update(dict.fromkeys(path, answer))
            return answer

        return follows

    return among


def _parent(node: LexborNode) -> LexborNode | None:
    return node.parent


def _sibling(node: LexborNode) -> LexborNode | None:
    one = node.prev
    while one is not None and not one.is_element_node:
        one = one.prev
    return one


_FOLLOWS = {" ": _behind(_parent), ">": _beside(_parent), "~": _behind(_sibling), "+": _beside(_sibling)}
