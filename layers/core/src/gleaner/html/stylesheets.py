"""The rules of a page's own style sheets: selectors, declarations and their weight (CSS 2.1).

No full reader of CSS: a linear scan over blocks, which gives for each rule what it says and when it holds. What it does
not understand it passes over.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import NamedTuple

MAX_CSS = 1_000_000
"""Characters of style sheets that are read; measured at 0.15 s."""

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_PIECE = re.compile(r"""((?:[^"'{}\\]++|"(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?|\\.)*+)([{}]?)""", re.DOTALL)
"""What stands before a brace that is none of a string's, and that brace."""
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})[ \t\r\n\f]?|(.))", re.DOTALL)
_IMPORTANT = re.compile(r"!\s*important\s*$", re.IGNORECASE)
_ALWAYS = re.compile(r"@(?:layer\b|media\s*(?:all|screen|only screen)?\s*$)", re.IGNORECASE)
_GROUPS = re.compile(r"@(?:media|supports|layer|container|scope|document)\b", re.IGNORECASE)
_PRINTED = re.compile(r"@media\s*(?:only\s*)?(?:print|speech)\b", re.IGNORECASE)
STATES = re.compile(
    r":(?:hover|focus(?:-within|-visible)?|active|target(?:-within)?|checked|open|popover-open)(?![\w-])", re.I
)
"""Pseudo-classes that a person's click or pointer gives an element."""
_IDS, _CLASSES = re.compile(r"#[\w-]"), re.compile(r"\.[\w-]|\[|(?<!:):(?!:|not|is|where|has)[\w-]")
_TYPES = re.compile(r"(?:^|[\s>+~(,])[a-zA-Z]|::")
_COMBINATOR = re.compile(r"[\s>+~]+(?![^(\[]*[)\]])")
_LONGEST_SELECTOR = 1_000
"""Characters at the end of a selector in which the element that it is about is looked for."""

_APART = re.compile(r"\[[^\[\]]*\]|\([^()]*\)")
"""What a selector says in brackets: of attributes, or of what an element is not, is one of, or has."""
_COMMA = re.compile(r""",(?![^(]*\))""")
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")
_MOST_STEPS = 8
"""Variables that are put in place of one value: one may name another."""
NAMES = re.compile(r"[.#]([\w\-\x80-\U0010ffff]+)")
"""Class names and ids in a selector."""

Weight = tuple[int, int, int, int, int]


class Block:
    """What the rules of some selectors declare; taken apart when it is asked for."""

    def __init__(self, body: str) -> None:
        self.body = body.lower()

    def may_have(self, word: str) -> bool:
        """Tell whether a word in small letters may stand in the block."""
        return word in self.body or "\\" in self.body

    @cached_property
    def read(self) -> tuple[dict[str, str], frozenset[str]]:
        """What it declares, and what of it is important."""
        return read_declarations(self.body)

    def resolved(self, known: Mapping[str, str]) -> "Block":
        """Give the block with the values of variables in place."""
        declared = with_variables(self.read[0], known)
        made = Block(";".join(map(":".join, declared.items())))
        made.read = declared, self.read[1]
        return made


class Rule(NamedTuple):
    """One selector and what it declares; ``is_certain`` when it holds on every screen and in every state."""

    selector: str
    block: Block
    is_certain: bool
    order: int

    @property
    def declarations(self) -> dict[str, str]:
        """What the rule declares, in small letters."""
        return self.block.read[0]

    def weight(self, name: str) -> Weight:
        """Give how much a declaration counts beside others: importance, specificity, order (CSS 2.1, 6.4)."""
        return int(name in self.block.read[1]), *_specificity(self.selector), self.order

    @property
    def subject(self) -> str:
        """The part of the selector that names the element itself, not what is around it."""
        return _COMBINATOR.split(self.selector.strip()[-_LONGEST_SELECTOR:])[-1]


@lru_cache(4096)
def _specificity(selector: str) -> tuple[int, int, int]:
    ids, classes, types = (len(one.findall(selector)) for one in (_IDS, _CLASSES, _TYPES))
    return ids, classes, types


def names_needed(selector: str) -> list[str]:
    """Give class names and ids without which a selector matches nothing, in small letters; not all of them.

    >>> names_needed("#Top .menu > li:not(.open)"), names_needed(r".md\\:block")
    (['top', 'menu'], [])
    """
    if "\\" in selector:
        return []
    plain = _APART.sub("", selector) if "(" in selector or "[" in selector else selector
    return [] if "(" in plain or "[" in plain else NAMES.findall(plain.lower())


def read_rules(css: str) -> Iterator[Rule]:
    """Give the rules of a style sheet in order, one for each of their selectors; those of print are left out.

    >>> [(rule.selector, rule.declarations) for rule in read_rules("p, .a { COLOR: red }")]
    [('p', {'color': 'red'}), ('.a', {'color': 'red'})]
    """
    around: list[str] = []
    holding = [(True, True)]
    for piece in _PIECE.finditer(_COMMENT.sub(" ", css[:MAX_CSS])):
        text, brace = piece.groups()
        if brace == "{":
            around.append(text.rpartition(";")[2].strip())
            holding.append(_holding_in(around[-1], *holding[-1]))
        elif brace and around:
            prelude, _ = around.pop(), holding.pop()
            is_read, is_certain = holding[-1]
            if is_read and prelude and ":" in text and not prelude.startswith("@") and "&" not in prelude:
                yield from _rules_of(prelude, Block(text), is_certain, piece.end())


def _holding_in(group: str, is_read: bool, is_certain: bool) -> tuple[bool, bool]:
    """Tell whether rules inside a group (``@media``) are read, and hold on every screen, by what it stands in."""
    if not group.startswith("@") or not _GROUPS.match(group) or _PRINTED.match(group):
        return False, False
    return is_read, is_certain and _ALWAYS.match(group) is not None


def _rules_of(prelude: str, block: Block, is_certain: bool, order: int) -> Iterator[Rule]:
    for selector in _COMMA.split(prelude) if ")" in prelude else prelude.split(","):
        if stripped := selector.strip():
            has_state = ":" in stripped and STATES.search(stripped) is not None
            lasting = STATES.sub("", stripped).strip() or "*" if has_state else stripped
            yield Rule(lasting, block, is_certain and not has_state, order)


def read_declarations(body: str) -> tuple[dict[str, str], frozenset[str]]:
    """Give what a block or a style attribute declares, in small letters, escapes resolved; and what is important.

    >>> read_declarations("d\\\\69splay: NONE !important")
    ({'display': 'none'}, frozenset({'display'}))
    """
    found: dict[str, str] = {}
    important: set[str] = set()
    for part in body.split(";"):
        name, colon, value = part.partition(":")
        if colon:
            if "\\" in part:
                name, value = (_ESCAPE.sub(_unescaped, one) for one in (name, value))
            name, value = name.strip().lower(), value.strip().lower()
            plain = _IMPORTANT.sub("", value).strip() if "!" in value else value
            found[name] = plain
            if plain != value:
                important.add(name)
    return found, frozenset(important)


def with_variables(declarations: dict[str, str], known: Mapping[str, str]) -> dict[str, str]:
    """Give declarations with the values of their variables in place (CSS Custom Properties 1, 3); unknown ones stay.

    >>> with_variables({"display": "var(--a)", "color": "var(--b, red)"}, {"--a": "none"})
    {'display': 'none', 'color': 'red'}
    """
    return {name: _resolved(value, known) if "var(" in value else value for name, value in declarations.items()}


def _resolved(value: str, known: Mapping[str, str]) -> str:
    for _ in range(_MOST_STEPS):
        found = _VARIABLE.search(value)
        put = known.get(found[1], found[2]) if found else None
        if found is None or put is None:
            break
        value = f"{value[: found.start()]}{put.strip()}{value[found.end() :]}"
    return value


def _unescaped(escape: re.Match[str]) -> str:
    digits = escape[1]
    code = int(digits, 16) if digits else 0
    return escape[2] or (chr(code) if 0 < code < 0x110000 and not 0xD800 <= code <= 0xDFFF else "\ufffd")
