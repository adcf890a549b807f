"""Preformatted code: its text exactly as written, its language, and a fence that it can't break out of."""

import re

from lxml import etree
from lxml.html import HtmlElement

from gleaner.invisible import drop_invisible

_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight-source|highlight-text|brush)[-:]\s*([\w+#.-]{1,20})", re.I)
_SECOND_CLASS = re.compile(r"(?:^|\s)(?:sourceCode|highlight|prettyprint|hljs)\s+([a-zA-Z][\w+#.-]{0,19})(?:\s|$)")
_NO_LANGUAGE = frozenset(
    {"none", "text", "plaintext", "plain", "txt", "nohighlight", "default", "notranslate", "linenums"}
)
_LINE_BLOCKS = frozenset({"div", "p", "li", "tr"})
_LEFT_OUT = frozenset({"script", "style", "button"})
_GUTTERS = re.compile(r"(?:^|[\s_-])(?:line-?numbers?|linenos?|gutter|lineno)(?:$|[\s_-])", re.I)
_BACKTICKS = re.compile("`{3,}")
_DROPPED = re.compile("[\x00-\x08\x0b-\x1f\x7f\ue9a0-\ue9ab\ud800-\udfff]")


def code_text(element: HtmlElement) -> str:
    """Give the text of a ``<pre>`` with its whitespace; ``<br>``, blocks and codes end lines, gutters are left out."""
    inner = element[0] if len(element) == 1 and element[0].tag == "code" else element
    if not len(inner):
        return _trim(_tidy(_direct_text(element)))
    parts: list[str] = []
    walker = etree.iterwalk(element, events=("start", "end"))
    for event, node in walker:
        if event == "end":
            if node is not element:
                if node.tag in _LINE_BLOCKS or _touches_code(node):
                    _end_line(parts)
                parts += [node.tail] if node.tail else []
            continue
        if node is not element and (node.tag in _LEFT_OUT or _GUTTERS.search(node.get("class") or "")):
            walker.skip_subtree()
            continue
        if node.tag == "br":
            parts.append("\n")
        elif node.tag in _LINE_BLOCKS:
            _end_line(parts)
        parts += [node.text] if node.text else []
    return _trim(_tidy("".join(parts)))


def _end_line(parts: list[str]) -> None:
    if parts and not parts[-1].endswith("\n"):
        parts.append("\n")


def _touches_code(node: HtmlElement) -> bool:
    """Tell whether another ``<code>`` follows at once: a block's lines, or the same program in two ways."""
    after = node.getnext() if node.tag == "code" and not node.tail else None
    return after is not None and after.tag == "code"


def _direct_text(element: HtmlElement) -> str:
    return "".join([element.text or "", *(text for child in element for text in (child.text, child.tail) if text)])


def _tidy(text: str) -> str:
    return drop_invisible(_DROPPED.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))


def _trim(text: str) -> str:
    lines = text.split("\n")
    start, end = 0, len(lines)
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    return "\n".join(lines[start:end])


def code_language(element: HtmlElement) -> str:
    """Give the language that the classes of the block, of its only child or of its wrappers name; "" when none does."""
    candidates = [element, *element.iterchildren("code")][:2]
    node = element
    for _ in range(2):
        parent = node.getparent()
        if parent is None or not _is_nearly_alone(node):
            break
        candidates.append(parent)
        node = parent
    for candidate in candidates:
        named = _named_language(candidate)
        if named and named.lower() not in _NO_LANGUAGE:
            return named.lower()
    return ""


def _is_nearly_alone(element: HtmlElement) -> bool:
    """Tell whether an element has no more than one sibling on either side; counting them all would cost too much."""
    before, after = element.getprevious(), element.getnext()
    return (before is None or before.getprevious() is None) and (after is None or after.getnext() is None)


def _named_language(element: HtmlElement) -> str:
    for name in ("data-lang", "data-language"):
        value = element.get(name) or ""
        if re.fullmatch(r"[\w+#.-]{1,20}", value):
            return value
    classes = element.get("class") or ""
    match = _LANGUAGE.search(classes) or _SECOND_CLASS.search(classes)
    return match[1] if match else ""


def fenced(text: str, language: str = "") -> str:
    """Give a code block whose fence is longer than any run of backticks in it.

    >>> fenced("a = 1", "python")
    '```python\\na = 1\\n```'
    """
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
