"""Targets of links and images, made absolute, harmless and safe in Markdown (MD-3)."""

import re

from gleaner.contracts.web_addresses import clean_reference, resolve_reference

_SCHEMES = frozenset({"http", "https", "mailto", "tel", "ftp", "sms", "geo"})
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.\-]*)\s*:")
_UNSAFE = re.compile(
    '[\x00-\x20\x7f-\xa0"<>()\\[\\]\\\\`{|}^\u2028\u2029\ue000-\uf8ff\ufeff\u200b-\u200f\u202a-\u202e\u2060\xad\ud800-\udfff]'
)
_MOST_REMEMBERED = 50_000

_HEADING_LINE = re.compile(r"^([\s\ue9a0-\ue9ab]*(?:[-*>] )*#{1,6} )(.+)$", re.MULTILINE)
_TEXT_LINE = re.compile(
    r"^([\s\ue9a0-\ue9ab]*(?:(?:[->]|\d+\.) )*+)([^\s|`\ue9a0-\ue9ab].*?)([\ue9a0-\ue9ab]*)$", re.MULTILINE
)


_BRACKET = re.compile(r"(?<!\\)[\[\]]")


class LinkResolver:
    """Resolves the addresses of one page against its base URL."""

    def __init__(self, base: str = "") -> None:
        self._base = base
        self._known: dict[str, str] = {}

    def resolve(self, target: str) -> str:
        """Give the absolute URL, encoded for Markdown; "" for one that runs or carries code or data.

        >>> LinkResolver("https://a.example/b/").resolve("c (1).html")
        'https://a.example/b/c%20%281%29.html'
        >>> LinkResolver("https://a.example/").resolve("java\\tscript:alert(1)")
        ''
        """
        known = self._known.get(target)
        if known is None:
            known = self._resolve(target)
            if len(self._known) < _MOST_REMEMBERED:
                self._known[target] = known
        return known

    def _resolve(self, target: str) -> str:
        cleaned = clean_reference(target.strip("\xa0"))
        scheme = _SCHEME.match(cleaned)
        if not cleaned or (scheme and scheme[1].lower() not in _SCHEMES):
            return ""
        joined = resolve_reference(self._base, cleaned)
        later = _SCHEME.match(joined)
        if later and later[1].lower() not in _SCHEMES:
            return ""
        return _UNSAFE.sub(_percent, joined)


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace"))


def linked_part(text: str) -> tuple[int, int]:
    """Give which part of a link's Markdown to link: its first heading, else all of one line, the first text of several.

    >>> linked_part("### Shoe\\n\\n$5"), linked_part("### Shoe"), linked_part("Shoe, $5")
    ((4, 8), (4, 8), (0, 8))
    """
    line = _HEADING_LINE.search(text)
    if line is None and "\n" not in text:
        return 0, len(text)
    line = line or _TEXT_LINE.search(text)
    return line.span(2) if line else (0, 0)


def with_paired_brackets(text: str) -> str:
    """Give the text of a link with a backslash before what would end it too early or never.

    >>> with_paired_brackets("1] [2]"), with_paired_brackets("[1"), with_paired_brackets("C:\\\\")
    ('1\\\\] [2]', '\\\\[1', 'C:\\\\\\\\')
    """
    if "[" in text or "]" in text:
        opened: list[int] = []
        alone: set[int] = set()
        for found in _BRACKET.finditer(text):
            if found[0] == "[":
                opened.append(found.start())
            elif opened:
                opened.pop()
            else:
                alone.add(found.start())
        alone.update(opened)
        text = _BRACKET.sub(lambda found: "\\" * (found.start() in alone) + found[0], text)
    return f"{text}\\" if (len(text) - len(text.rstrip("\\"))) % 2 else text
