"""Find code on a page, its language, and a fence that it can't break out of.

Pages show code in ``<pre>``, in tables of lines, in lines of an editor, in ``<code>`` with line breaks, or in blocks
that only a highlighter's classes tell. ``normalise_code`` makes one ``<pre>`` of each, with the text alone.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, cast

from lxml import etree
from lxml.etree import SubElement
from lxml.html import HtmlElement

from gleaner.contracts.word_lists import listed
from gleaner.html.dom import Words, find_attributes, is_dropped, mark_dropped, raw_text, remove_dropped
from gleaner.html.link_targets import LinkResolver
from gleaner.markdown.code_lines import LINE, PREFORMATTED, beside_code, is_control, is_gutter, read_code

LANGUAGE_MARK = "data-gleaner-language"
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight-source|highlight-text|brush)[-:]\s*([\w+#.-]{1,20})", re.I)
_SECOND_CLASS = re.compile(
    r"(?:^|\s)(?:sourceCode|highlight|prettyprint|hljs|syntaxhighlighter)\s+([a-zA-Z][a-z0-9_+#.-]{0,19}|[A-Z]{2,10})(?=\s|$)"
)
_NO_LANGUAGE = listed("none text plaintext plain txt nohighlight default notranslate linenums line-numbers copy")
_LANGUAGE_NAME = re.compile(r"[A-Za-z][\w+#-]{0,19}")
_LABEL = re.compile(r"\S{1,80}")
_BACKTICKS = re.compile("`{3,}")
_CODE_WORDS = re.compile(
    r"(?:^|[\s_-])(?:code|source-?code|code-?(?:block|box|area|view|snippet|listing|content|wrapper|container)|hljs|"
    r"highlight(?:er)?|syntaxhighlighter|shiki|prism|codehilite|codecolorer|crayon|enlighter|codemirror|monaco|ace|cm|"
    r"blob|lntable|rouge|geshi)(?=$|[\s_-])"
)
_CODE_SIGNS = re.compile(r"[{}()\[\];=<>\"'_$|\\]|//|--|^\s*[#@/.]")
_BAR_WORDS = re.compile(
    r"(?:^|[\s_-])(?:lang(?:uage)?|toolbar|header|title|file-?name|file|bar|label|caption|name)(?=$|[\s_-])",
    re.IGNORECASE,
)
_MONOSPACE = re.compile(r"monospace|courier|consolas|menlo|monaco", re.IGNORECASE)
_NO_CODE = ("h1", "h2", "h3", "h4", "h5", "h6", "img", "th", "article", "section", "dl", "form", "iframe")
_LINE_TAGS = ("br", "div", "li", "p", "tr")
_CLASSES, _STYLES = find_attributes("class"), find_attributes("style")
_WITH_CLASS: Callable[..., list[HtmlElement]] = cast(Any, etree.XPath("//*[@class=$value]", smart_strings=False))
_FEW = 12
_TAGS_OF_CODE = ("pre", "code", "listing", "xmp", "plaintext")
_MOST_STEPS = 3
_LONGEST_BAR = 80
_LEAST_LINES = 2
_LEAST_TOKENS = 0.3
"""The part of a block's text that a highlighter has put into elements of its own; comments and names may stand bare."""


def normalise_code(
    root: HtmlElement, words: Words, classes: Collection[str]
) -> tuple[set[HtmlElement], set[HtmlElement]]:
    """Make each piece of code one ``<pre>`` of its text, with its language in an attribute, and drop its bars.

    Gives these pieces, and the bars.
    """
    done: set[HtmlElement] = set()
    dropped: set[HtmlElement] = set()
    for block in list(_blocks(root, words, classes)):
        if block in done or not done.isdisjoint(block.iterancestors()) or is_dropped(block):
            continue
        done.add(block)
        language = _language_of(block)
        bars = list(_bars(block))
        language = language or next((name for bar in bars if (name := _language_named(bar))), "")
        text = read_code(block)
        tail = block.tail
        block.clear()
        block.tag, block.text, block.tail = "pre", text, tail
        block.set(LANGUAGE_MARK, language)
        for bar in bars:
            mark_dropped(bar)
        dropped.update(bars)
    if done:
        remove_dropped(root)
    return done, dropped


def write_links_in_lists(root: HtmlElement, links: LinkResolver) -> None:
    """Write the targets of links in ``<pre>`` that is no code, as Markdown does: of a block the text alone is kept."""
    for block in root.iter("pre"):
        if _language_of(block) or _names_code(block) or next(block.iter("code"), None) is not None:
            continue
        for link in block.iter("a"):
            target = links.resolve(link.get("href") or "") if link.get("href") else ""
            if target and raw_text(link).strip():
                link.text = f"[{link.text or ''}"
                end = SubElement(link, "span")
                end.text = f"]({target})"


def _blocks(root: HtmlElement, words: Words, classes: Collection[str]) -> Iterator[HtmlElement]:
    """Give the elements that are pieces of code, an outer one before those inside of it."""
    may_be_named = _has_code_word("\n".join(classes))
    named = [value for value in classes if _has_code_word(value)] if may_be_named else []
    has_tags = not words.names.isdisjoint(_TAGS_OF_CODE)
    if named or has_tags or b"line-number" in words:
        yield from filter(_is_table_of_lines, root.iter("table"))
    if named:
        yield from _editors(root, [value for value in classes if LINE.search(value)])
        yield from sorted(filter(_is_highlighted, _with_classes(root, named)), key=_depth)
    if b"white-space" in words and b"mono" in words:
        yield from (element for element, style in _STYLES(root, words) if _is_styled_as_code(element, style))
    if has_tags:
        for element in root.iter(*PREFORMATTED, "code"):
            if element.tag != "code" or _is_block_of_code(element):
                yield element


def _has_code_word(classes: str) -> bool:
    """Tell whether names in class attributes have a word for code; small letters are searched in half of the time."""
    return _CODE_WORDS.search(classes.lower()) is not None


def _with_classes(root: HtmlElement, values: Sequence[str]) -> Iterator[HtmlElement]:
    """Give the elements whose class attribute is one of the values; a walk in C for each, as they are few."""
    if len(values) > _FEW:
        wanted = frozenset(values)
        yield from (element for element, value in _CLASSES(root) if value in wanted)
        return
    for value in values:
        yield from _WITH_CLASS(root, value=value)


def _depth(element: HtmlElement) -> int:
    return sum(1 for _ in element.iterancestors())


def _is_table_of_lines(table: HtmlElement) -> bool:
    """Tell whether a table has line numbers in one column and code in another one, and nothing else."""
    if next(table.iter("th"), None) is not None or not (_names_code(table) or _holds_code(table)):
        return False
    rows = [[cell for cell in row if cell.tag == "td"] for row in table.iter("tr")]
    rows = [row for row in rows if row]
    gutters = [[is_gutter(cell) or _is_count(cell) for cell in row] for row in rows]
    if not any(map(any, gutters)):
        return False
    return all(len(row) - sum(found) <= 1 for row, found in zip(rows, gutters, strict=True)) and any(
        not all(found) for found in gutters
    )


def _is_count(cell: HtmlElement) -> bool:
    """Tell whether an element says nothing but numbers that count on."""
    texts = raw_text(cell).split()
    return (
        bool(texts)
        and all(text.isascii() and text.isdigit() and len(text) < 7 for text in texts)
        and int(texts[-1]) - int(texts[0]) == len(texts) - 1
    )


def _names_code(element: HtmlElement) -> bool:
    node: HtmlElement | None = element
    for _ in range(_MOST_STEPS):
        if node is None:
            return False
        if _has_code_word(node.get("class") or ""):
            return True
        node = node.getparent()
    return False


def _holds_code(table: HtmlElement) -> bool:
    return next(table.iter("pre", "code"), None) is not None


def _editors(root: HtmlElement, values: Sequence[str]) -> Iterator[HtmlElement]:
    """Give what holds lines by their class ("line", "cm-line"), within an element whose class speaks of code."""
    seen: set[HtmlElement] = set()
    for line in _with_classes(root, values):
        parent = line.getparent()
        if parent is None or parent in seen:
            continue
        seen.add(parent)
        if next(parent.iterancestors(*PREFORMATTED), None) is not None or parent.tag in PREFORMATTED:
            continue
        around = (parent, *parent.iterancestors())
        holder = next((one for one in around if _has_code_word(one.get("class") or "")), None)
        if holder is None or holder.tag in ("body", "html") or _has_content(holder):
            continue
        if sum(1 for _ in _lines_in(holder)) >= _LEAST_LINES and _reads_as_code(holder):
            yield _lines_only(parent, holder)


def _lines_in(element: HtmlElement) -> Iterator[HtmlElement]:
    return (child for child in element.iterdescendants() if LINE.search(child.get("class") or ""))


def _lines_only(parent: HtmlElement, holder: HtmlElement) -> HtmlElement:
    """Give the smallest element with all the lines of an editor: each line may be alone in its parent."""
    total = sum(1 for _ in _lines_in(holder))
    node = parent
    while node is not holder and sum(1 for _ in _lines_in(node)) < total:
        above = node.getparent()
        if above is None:
            return holder
        node = above
    return node


def _has_content(element: HtmlElement) -> bool:
    return next(element.iter(*_NO_CODE), None) is not None


def _is_highlighted(element: HtmlElement) -> bool:
    """Tell whether an element without ``<pre>`` holds lines of code: most of its text in a highlighter's elements."""
    if element.tag not in ("div", "span", "figure", "ol", "ul") or next(element.iter(*PREFORMATTED), None) is not None:
        return False
    if (
        next(element.iter(*_LINE_TAGS), None) is None
        or _has_content(element)
        or next(element.iter("a"), None) is not None
    ):
        return False
    text = len("".join(raw_text(element).split()))
    tokens = 0
    for node in element.iter("code", "span"):
        is_token = node.tag == "code" or node.get("class") or node.get("style")
        around = node.getparent()
        if is_token and (around is None or around.tag != node.tag):
            tokens += len("".join(raw_text(node).split()))
    return 0 < text <= tokens / _LEAST_TOKENS and _reads_as_code(element)


def _reads_as_code(element: HtmlElement) -> bool:
    """Tell whether half of an element's lines have a sign that programs are full of: "highlight" names much else."""
    lines = [line for line in read_code(element).split("\n") if line.strip()]
    return 2 * sum(_CODE_SIGNS.search(line) is not None for line in lines) >= len(lines) > 1


def _is_styled_as_code(element: HtmlElement, style: str) -> bool:
    """Tell whether an element's own style keeps white space and asks for letters of one width, over several lines."""
    if not re.search(r"white-space\s*:\s*pre", style) or not _MONOSPACE.search(style) or _has_content(element):
        return False
    return "\n" in raw_text(element).strip() or next(element.iterdescendants(*_LINE_TAGS), None) is not None


def _is_block_of_code(code: HtmlElement) -> bool:
    """Tell whether a ``<code>`` outside of ``<pre>`` has several lines."""
    if next(code.iterancestors(*PREFORMATTED), None) is not None or _has_content(code):
        return False
    if next(code.iterdescendants(*_LINE_TAGS), None) is not None:
        return True
    style, text = code.get("style") or "", raw_text(code).strip()
    return "\n" in text and ("white-space" in style or bool(_LANGUAGE.search(code.get("class") or "")))


def _language_of(block: HtmlElement) -> str:
    """Give the language that the block's ``<code>``, the block or its wrappers name; "" when none does."""
    candidates = [*(code for _, code in zip(range(2), block.iter("code"), strict=False) if code is not block), block]
    candidates += [one for one in block.iter("div", "span", "pre") if one.get("data-language") or one.get("data-lang")][
        :1
    ]
    node = block
    for _ in range(_MOST_STEPS):
        parent = node.getparent()
        if parent is None or not _is_nearly_alone(node):
            break
        candidates.append(parent)
        node = parent
    named = (_named_language(candidate) for candidate in candidates)
    return next((name.lower() for name in named if name and name.lower() not in _NO_LANGUAGE), "") or next(
        (name for one in beside_code(block) if (name := _language_named(one))), ""
    )


def _is_nearly_alone(element: HtmlElement) -> bool:
    """Tell whether an element has no more than one sibling on either side; counting them all would cost too much."""
    before, after = element.getprevious(), element.getnext()
    return (before is None or before.getprevious() is None) and (after is None or after.getnext() is None)


def _named_language(element: HtmlElement) -> str:
    for name in ("data-lang", "data-language", "data-code-lang", "data-syntax"):
        value = element.get(name) or ""
        if re.fullmatch(r"[\w+#.-]{1,20}", value):
            return value
    classes = element.get("class") or ""
    match = _LANGUAGE.search(classes) or _SECOND_CLASS.search(classes)
    return match[1] if match else ""


def _language_named(bar: HtmlElement) -> str:
    """Give the language that the bar of a block says: its one word; "" for a file name or a notice."""
    if is_control(bar):
        return ""
    said = [
        text.strip()
        for node in (bar, *bar.iterdescendants())
        if not _in_control(node, bar)
        for text in (node.text,)
        if text
    ]
    said = [text for text in said if text]
    return said[0].lower() if len(said) == 1 and _LANGUAGE_NAME.fullmatch(said[0]) else ""


def _in_control(node: HtmlElement, top: HtmlElement) -> bool:
    while node is not top:
        if is_control(node):
            return True
        parent = node.getparent()
        if parent is None:
            return False
        node = parent
    return is_control(top)


def _bars(block: HtmlElement) -> Iterator[HtmlElement]:
    """Give the bars around a block: what little stands beside it in a frame that has a control, or speaks of code."""
    node = block
    found: list[HtmlElement] = []
    for _ in range(_MOST_STEPS):
        parent = node.getparent()
        if parent is None or parent.tag not in ("div", "figure", "span", "section", "pre") or len(parent) > 4:
            return
        others = [one for one in parent if one is not node]
        gutters = [one for one in others if is_gutter(one) or _is_count(one)]
        found += [one for one in others if one not in gutters]
        if sum(len(raw_text(one)) for one in found) > _LONGEST_BAR:
            return
        if any(map(_said, (parent.text, *(one.tail for one in parent)))):
            return
        is_frame = _has_code_word(parent.get("class") or "") or any(
            is_control(inner) for one in found for inner in (one, *one.iterdescendants())
        )
        if is_frame:
            yield from gutters
            yield from (one for one in found if _is_bar(one))
            found = []
        node = parent


def _said(text: str | None) -> bool:
    return bool(text) and not text.isspace()


def _is_bar(element: HtmlElement) -> bool:
    """Tell whether a piece beside code says no more than a language, a file name or what a click does."""
    if element.tag not in ("div", "span", "figcaption", "button", "header", "a", "small"):
        return is_control(element)
    if next(element.iter("pre", "code", "table", "ul", "ol", "img", "p"), None) is not None:
        return False
    if is_control(element):
        return True
    texts = [
        text
        for node in (element, *element.iterdescendants())
        if not _in_control(node, element)
        for text in (node.text,)
    ]
    said = " ".join(" ".join(filter(None, texts)).split())
    return not said or _LABEL.fullmatch(said) is not None or _BAR_WORDS.search(element.get("class") or "") is not None


def fenced(text: str, language: str = "") -> str:
    """Give a code block whose fence is longer than any run of backticks in it.

    >>> fenced("a = 1", "python")
    '```python\\na = 1\\n```'
    """
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
