"""robots.txt as RFC 9309 says: the most specific group for a product, the longest rule for a path, ``*`` and ``$``."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote

MAX_TEXT = 512_000
"""Characters that are read; RFC 9309 asks for 500 KiB at least."""
MAX_RULES = 2_000
PRODUCT = "gleaner"


@dataclass(frozen=True, slots=True)
class RobotRules:
    """What a host lets a product do: (allowed, pattern) pairs, and the seconds that it asks for between two pages."""

    rules: tuple[tuple[bool, str], ...] = ()
    crawl_delay_s: float = 0.0

    def allows(self, path: str) -> bool:
        """Tell whether the path, with its query, may be fetched: the longest rule that matches decides.

        >>> parse_robots("User-agent: *\\nDisallow: /private\\nAllow: /private/open").allows("/private/open/1")
        True
        """
        wanted = _canonical(path or "/")
        matching = [(len(pattern), allowed) for allowed, pattern in self.rules if _matches(pattern, wanted)]
        return max(matching)[1] if matching else True


def parse_robots(text: str) -> RobotRules:
    """Read the rules for PRODUCT; the group of ``*`` where none names it. Never raises."""
    own: list[tuple[str, str]] = []
    general: list[tuple[str, str]] = []
    for agents, lines in _groups(text[:MAX_TEXT]):
        if PRODUCT in agents:
            own += lines
        elif "*" in agents:
            general += lines
    lines = own if own else general
    rules = [(name == "allow", _canonical(value)) for name, value in lines if name in ("allow", "disallow") and value]
    delays = [_seconds(value) for name, value in lines if name == "crawl-delay"]
    return RobotRules(tuple(rules[:MAX_RULES]), max(delays, default=0.0))


def _groups(text: str) -> Iterator[tuple[set[str], list[tuple[str, str]]]]:
    agents: set[str] = set()
    lines: list[tuple[str, str]] = []
    for name, value in _lines(text):
        if name == "user-agent":
            if lines:
                yield agents, lines
                agents, lines = set(), []
            agents.add(re.split(r"[/\s]", value.lower(), maxsplit=1)[0])
        elif agents:
            lines.append((name, value))
    yield agents, lines


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in re.split(r"\r\n|\r|\n", text.lstrip("\ufeff")):
        name, colon, value = line.partition("#")[0].partition(":")
        if colon:
            yield name.strip().lower(), value.strip()


def _seconds(value: str) -> float:
    return float(value) if re.fullmatch(r"\d{1,4}(\.\d{1,3})?", value) else 0.0


def _canonical(path: str) -> str:
    """Give a path with its percent-encoding in one form, so that rules and paths can be compared."""
    return quote(unquote(path, errors="surrogateescape").encode("utf-8", "surrogateescape"), safe="/*$?&=:,;@+!~'()-._")


def _matches(pattern: str, path: str) -> bool:
    """Match without backtracking: the parts between ``*`` are found one after the other."""
    anchored = pattern.endswith("$")
    first, *parts = (pattern[:-1] if anchored else pattern).split("*")
    if not path.startswith(first):
        return False
    return _find_parts(parts, path, len(first), anchored=anchored)


def _find_parts(parts: Sequence[str], path: str, place: int, *, anchored: bool) -> bool:
    if not parts:
        return not anchored or place == len(path)
    for part in parts[:-1] if anchored else parts:
        found = path.find(part, place)
        if found < 0:
            return False
        place = found + len(part)
    return not anchored or (path.endswith(parts[-1]) and len(path) - len(parts[-1]) >= place)
