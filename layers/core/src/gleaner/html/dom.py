"""Parse any text into an lxml tree of bounded depth, on which everything else works.

libxml2 parses fast but gives up below 256 levels; deeper markup is flattened first, so that no text is lost and nothing
that walks the tree can be driven into deep recursion. CSS selectors go through lexbor, which answers as a browser does.
"""

import re
from collections.abc import Callable, Collection, Iterator
from itertools import accumulate
from typing import Any, Literal, Protocol, TypeAlias, cast

from lxml import etree
from lxml.html import HtmlElement
from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from gleaner.contracts.errors import InvalidSelector, PageTooLarge, SelectorNotFound
from gleaner.contracts.word_lists import listed
from gleaner.html.attribute_limit import limit_attributes
from gleaner.html.elements import VOID
from gleaner.html.line_ends import write_line_ends
from gleaner.html.selecting import first_match
from gleaner.html.tree_repairs import move_content_out_of_void_elements, open_body, part_definitions
from gleaner.html.typed.xml_data import is_xml_data, xml_as_html

Fault: TypeAlias = Literal["none", "nesting", "depth", "size"]

MAX_PAGE_SIZE = 10_000_000
"""Largest page, in bytes of UTF-8, unless the settings say otherwise (MD-6)."""

MAX_DEPTH = 256
"""No tree is deeper than this."""

_KEPT_DEPTH = 200
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_CONTROLS = bytes((*range(9), 11, 12, *range(14, 32), 127))
_SMALL = bytes(range(256)).lower().replace(b"\f", b" ")
_DROPPED_BYTES = _CONTROLS.replace(b"\f", b"")
_FORBIDDEN_REFERENCE = re.compile(
    r"&#(?:0*+(?:\d|1[124-9]|2\d|3[01]|127)(?!\d)|[xX]0*+(?:[0-9a-fA-F]|1[0-9a-fA-F]|7[fF])(?![0-9a-fA-F]));?"
)
_ATTRIBUTES = r"""[^=>]*+(?:=\s*+(?:"[^"]*"|'[^']*')?[^=>]*+)*+>?"""
MARKUP = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))|<[!?][^>]*"
    r"|<((?i:script|style|textarea|title|xmp|iframe|noembed|noframes))(?=[\s/>])"
    + _ATTRIBUTES
    + r"(?:[^<]++|(?!(?i:</\1)[\s/>])<)*+(?i:</\1)?"
    r"|<(/?)([a-zA-Z][^\s/>]*)" + _ATTRIBUTES,
    re.DOTALL,
)
"""A comment, an element of raw text up to its end tag, or any other tag. Each way ends at the latest with the page."""

INLINE = listed("a abbr b bdi bdo cite code em font i kbd mark q s samp small span strike strong sub sup u")
_LONG_SCRIPT, _FEW_TAGS = 500, 2_000
_TOO_LONG = ("Buffer size", "Text node too long")
"""What libxml2 says of a text or an attribute that is longer than its limit."""

_GROWING = {"&nGt;": "\u226b\u20d2", "&nLt;": "\u226a\u20d2"}
_SELF_CLOSING = frozenset(["p", "li", "td", "th", "tr", "dt", "dd", "option", "tbody", "thead", "tfoot"])
_LOOKUP = etree.ElementDefaultClassLookup(element=HtmlElement)  # in C: lxml.html's own asks Python for each element
_SETS = {"set": "http://exslt.org/sets"}
_CLASS_VALUES: Callable[[HtmlElement], list[str]] = cast(
    Any, etree.XPath("set:distinct(descendant-or-self::*/@class)", namespaces=_SETS, smart_strings=False)
)
_UNSEEN = frozenset(["script", "style", "noscript", "template", "head", "title"])
_FRAME_TAG = re.compile(r"<(/?)(script|style|body|html)\b[^<>]*>", re.IGNORECASE)
_FRAME_END = re.compile(r"</(?:body|html)\b", re.IGNORECASE)
_CONTENT = re.compile(r"(?:\s|</(?:body|html)\b[^<>]*>|<!--(?:[^-]|-(?!->))*-->)*+(?=\S)", re.IGNORECASE)
_MARKUP = re.compile(r"<(?:p|br|b|i|strong|em|ul|ol|li|div|span|a|h\d)\b[^<>]{0,200}>", re.IGNORECASE)
_PART_OF_TABLE = {
    "tr": "<table>{}</table>",
    "tbody": "<table>{}</table>",
    "thead": "<table>{}</table>",
    "tfoot": "<table>{}</table>",
    "caption": "<table>{}</table>",
    "td": "<table><tr>{}</tr></table>",
    "th": "<table><tr>{}</tr></table>",
}


def check_is_text(html: object) -> None:
    """Raise TypeError for what is no text: bytes are to be decoded first."""
    if not isinstance(html, str):
        raise TypeError(f"HTML is given as str, not {type(html).__name__}; decode_html reads bytes")


def check_size(html: str, limit: int = MAX_PAGE_SIZE) -> None:
    """Raise PageTooLarge for a page of more than ``limit`` bytes; past its own limit the parser loses text.

    TypeError for what is no text: bytes are to be decoded first, by ``decode_html``.
    """
    check_is_text(html)
    if len(html) * 4 <= limit:
        return
    size = len(html) if html.isascii() else len(html.encode("utf-8", "surrogatepass"))
    if size > limit:
        raise PageTooLarge(f"the page has {size:,} bytes of HTML; max_page_size is {limit:,}")


def parse_html(html: str) -> HtmlElement:
    """Give the tree of a page, from any text: root ``<html>``, at most MAX_DEPTH levels, comments left out.

    Never fails: empty text gives an empty page, plain text a page with that text. Control characters, written as
    references too, and lone surrogates, which no document may hold, are dropped. Data in XML is made a page first.

    >>> parse_html("<p>a<p>b").findtext(".//p")
    'a'
    """
    check_is_text(html)
    html = xml_as_html(html) if is_xml_data(html) else html
    text = limit_attributes(_keep_what_follows_the_end(_FORBIDDEN_REFERENCE.sub(_resolved, clean_text(html))))
    root, fault = _parse_whole(text)
    if fault == "nesting" and _is_cheap_to_mend(text):
        mended = _lexbor_tree(text).html or ""
        if len(mended) <= 2 * len(text) + 1000:
            root, _ = _parse_whole(mended)
    move_content_out_of_void_elements(root)
    part_definitions(root)
    open_body(root)
    write_line_ends(root, text)
    return root


def empty_tree() -> HtmlElement:
    """Give a page with nothing in it, to be filled by ``makeelement`` and ``append``."""
    parser = etree.HTMLParser()
    parser.set_element_class_lookup(_LOOKUP)
    return cast(HtmlElement, parser.makeelement("html"))


def _resolved(reference: re.Match[str]) -> str:
    """Give what a reference to a control character stands for: whitespace, or nothing where a tree refuses it."""
    digits = reference[0][2:].rstrip(";")
    code = int(digits[1:], 16) if digits[0] in "xX" else int(digits)
    return clean_text(chr(code))


def _keep_what_follows_the_end(html: str) -> str:
    """Take out ``</body>`` and ``</html>`` when more follows them: browsers add it to the body, libxml2 drops it."""
    first = _FRAME_END.search(html)
    if first is None or not _CONTENT.match(html, first.start()):
        return html
    ends = list(_page_ends(html))
    if not ends or not _CONTENT.match(html, ends[0].end()):
        return html
    starts = [0, *(end.end() for end in ends)]
    stops = [*(end.start() for end in ends), len(html)]
    return "".join(html[start:stop] for start, stop in zip(starts, stops, strict=True))


def _page_ends(html: str) -> Iterator[re.Match[str]]:
    """Give the end tags of body and html that stand outside of scripts and styles."""
    raw = ""
    for tag in _FRAME_TAG.finditer(html):
        name = tag[2].lower()
        if raw:
            raw = "" if tag[1] and name == raw else raw
        elif name in ("script", "style"):
            raw = "" if tag[1] else name
        elif tag[1]:
            yield tag


def _parse_whole(text: str) -> tuple[HtmlElement, Fault]:
    """Parse; what is over a limit of libxml2, 256 levels or 10 MB between two tags, is flattened and parsed again.

    Gives the fault that the text had as it came.
    """
    root, found = _parse(text)
    fault, ways = found, _flatter_and_flatter(text)
    while fault in ("depth", "size") and (flattened := next(ways, None)) is not None:
        root, fault = _parse(flattened, without_limits=fault == "size")
        fault = "depth" if fault != "size" and _is_too_deep(root) else fault
    return root, found


def _is_too_deep(root: HtmlElement) -> bool:
    depths = accumulate(1 if event == "start" else -1 for event, _ in etree.iterwalk(root, events=("start", "end")))
    return any(depth > MAX_DEPTH for depth in depths)


def _flatter_and_flatter(text: str) -> Iterator[str]:
    """Give the markup flattened, then so that libxml2 can't nest it otherwise, at last without any tag."""
    yield flatten(text)
    if _is_cheap_to_mend(text):
        yield flatten(_lexbor_tree(text).html or "")
    yield flatten(text, 0)


def _parse(text: str, *, without_limits: bool = False) -> tuple[HtmlElement, Fault]:
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=without_limits)
    parser.set_element_class_lookup(_LOOKUP)
    root: HtmlElement | None = None
    if text.strip():
        root = cast(HtmlElement | None, etree.fromstring(text.encode("utf-8"), parser))
    if root is None:
        root = cast(HtmlElement, parser.makeelement("html"))
    elif root.tag != "html":
        page = cast(HtmlElement, parser.makeelement("html"))
        page.append(root)
        root = page
    return root, _worst_fault(parser)


def _worst_fault(parser: etree.HTMLParser) -> Fault:
    names = {entry.type_name: entry.message for entry in parser.error_log}
    if "ERR_RESOURCE_LIMIT" in names:
        return "size" if any(said in names["ERR_RESOURCE_LIMIT"] for said in _TOO_LONG) else "depth"
    return "nesting" if "ERR_TAG_NAME_MISMATCH" in names else "none"


def _lexbor_tree(html: str) -> LexborHTMLParser:
    """Parse by Lexbor, whose buffer for a text is as long as its source.

    The two references that stand for more bytes than they have are written out: many of them overran it, and crashed.
    """
    for reference, character in _GROWING.items():
        html = html.replace(reference, character) if reference in html else html
    return LexborHTMLParser(html)


def _is_cheap_to_mend(html: str) -> bool:
    """Tell whether a browser's way of mending wrong nesting stays linear on this markup.

    It reopens unclosed formatting in every later block, and looks through all open elements at every tag: few tags can
    do little of that.
    """
    if html.count("<") < _FEW_TAGS:
        return True
    depth = reopened = looked_at = formatting = 0
    for end, name, _ in _tags(html):
        if name in VOID or name in _SELF_CLOSING:
            reopened += formatting
            continue
        step = -1 if end else 1
        depth = max(0, depth + step)
        if name in INLINE:
            formatting = max(0, formatting + step)
        elif step > 0:
            reopened += formatting
        looked_at += depth
    return depth < 5_000 and reopened < 1_000_000 and looked_at < 50_000_000


def flatten(html: str, depth: int = _KEPT_DEPTH) -> str:
    """Give the markup without the tags below ``depth`` levels; their text stays, and blocks end in line breaks.

    >>> flatten("<div><div><p>a</p><p>b</p></div></div>", depth=2)
    '<div><div><br>a<br><br>b<br></div></div>'
    """
    return "".join(_flattened(html, depth))


def _flattened(html: str, depth: int) -> Iterator[str]:
    open_tags: list[str] = []
    counts: dict[str, int] = {}
    position = 0
    for end, name, match in _tags(html):
        if name not in VOID and not _step(open_tags, counts, name, bool(end), depth):
            yield html[position : match.start()]
            yield "" if name in INLINE else "<br>"
            position = match.end()
    yield html[position:]


def _tags(html: str) -> Iterator[tuple[str, str, re.Match[str]]]:
    """Give each tag outside of comments and raw texts: "/" or "", its name in small letters, and where it stands."""
    for match in MARKUP.finditer(html):
        end, name = match.group(2, 3)
        if name:
            yield end, name.lower(), match


def _step(open_tags: list[str], counts: dict[str, int], name: str, closing: bool, depth: int) -> bool:
    """Follow one tag as a parser would, and tell whether it lies within the depth."""
    if not closing:
        open_tags.append(name)
        counts[name] = counts.get(name, 0) + 1
        return len(open_tags) <= depth
    if not counts.get(name):
        return False
    while open_tags:
        last = open_tags.pop()
        counts[last] -= 1
        if last == name:
            break
    return len(open_tags) < depth


def select_part(html: str, selector: str) -> tuple[str, LexborHTMLParser]:
    """Give the outer HTML of the first element that the selector matches, as ``document.querySelector`` (MD-5).

    With it, the tree of the page that it was found in. InvalidSelector when the selector does not parse,
    SelectorNotFound when it matches nothing.

    >>> select_part("<p>a<p class=x>b", "p.x")[0]
    '<p class="x">b</p>'
    """
    html = xml_as_html(html) if is_xml_data(html) else html
    tree = _lexbor_tree(limit_attributes(html if html.isascii() else _FORBIDDEN.sub("", html)))
    if not selector.strip() or "\x00" in selector:
        raise InvalidSelector(f"css_selector {selector!r} is empty; give one like 'main' or '#products .card'")
    try:
        node = first_match(tree, selector)
    except (SelectolaxError, UnicodeEncodeError):
        raise InvalidSelector(
            f"css_selector {selector!r} is not a valid CSS selector; e.g. '#products .card'"
        ) from None
    if node is None:
        raise SelectorNotFound(f"css_selector {selector!r} matches nothing on the page")
    markup = node.html or ""
    return _PART_OF_TABLE.get(str(node.tag), "{}").replace("{}", markup, 1), tree


def text_of_markup(text: str) -> str:
    """Give a text without the HTML in which some sites write the texts of their data.

    >>> text_of_markup("<p>Yes, <b>always</b>.</p>"), text_of_markup("a < b")
    ('Yes, always.', 'a < b')
    """
    return visible_text(parse_html(text)) if "<" in text and _MARKUP.search(text) else text


def visible_text(element: HtmlElement) -> str:
    """Give the text of an element as a reader gets it: whitespace collapsed, scripts and styles left out.

    Texts of different elements are set apart by a space, unless the markup is inline.

    >>> visible_text(parse_html("<ul><li>a<li><b>b</b>c</ul><script>x</script>"))
    'a bc'
    """
    return " ".join("".join(_visible_parts(element)).split())


def _visible_parts(element: HtmlElement) -> Iterator[str]:
    walker = etree.iterwalk(element, events=("start", "end"))
    for event, node in walker:
        if event == "start":
            if node.tag in _UNSEEN and node is not element:
                walker.skip_subtree()
                continue
            if node.tag not in INLINE:
                yield " "
            yield node.text or ""
        else:
            if node.tag not in INLINE:
                yield " "
            if node is not element:
                yield node.tail or ""


_DROPPED = "gleaner-dropped"


def mark_dropped(element: HtmlElement) -> None:
    """Note an element for ``remove_dropped``; taking out many one by one would copy the text after them each time."""
    element.tag = _DROPPED


def is_dropped(element: HtmlElement) -> bool:
    """Tell whether the element, or one that it lies in, is noted for removal."""
    return element.tag == _DROPPED or next(element.iterancestors(_DROPPED), None) is not None


def remove_dropped(root: HtmlElement) -> None:
    """Take all noted elements out of the tree, leaving the text after each where it is."""
    etree.strip_elements(root, _DROPPED, with_tail=False)


def clean_text(text: str) -> str:
    """Give the text without characters that a tree refuses, so that it can be put into one; a form feed is a space.

    Most texts have none, which their bytes tell five times as fast as the pattern does.
    """
    if len(text) < 1000 and text.isascii() and text.isprintable():
        return text
    try:
        raw = text.encode("utf-8")
    except UnicodeEncodeError:
        raw = None
    has_controls = raw is None or len(raw.translate(None, _CONTROLS)) < len(raw)
    if has_controls or "\ufffe" in text or "\uffff" in text:
        return _FORBIDDEN.sub("", text.replace("\f", " "))
    return text


class FindAttributes(Protocol):
    """Gives the elements of a page that have an attribute, with its value, in page order.

    ``words`` are those of the page (`words_of`): what it does not name is not looked for.
    """

    def __call__(self, root: HtmlElement, words: "Words | None" = None) -> Iterator[tuple[HtmlElement, str]]:
        """Find them."""
        ...


class Words(bytes):
    """A page's HTML in small letters, as bytes, that is asked which words it has: each is looked for once.

    ``names`` are those of the page's tags and attributes, ``classes`` what its class attributes say.
    """

    names: frozenset[str]
    classes: Collection[str]

    def __init__(self, _html: bytes) -> None:
        self._known: dict[Any, bool] = {}

    def __contains__(self, word: Any) -> bool:
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = super().__contains__(word)
        return known


def words_of(html: str, root: HtmlElement) -> Words:
    """Give a page's HTML in small letters, and the names of tags and attributes in the tree that is made of it.

    As bytes: text outside of ASCII takes nine times as long to put into small letters. The insides of long scripts are
    left out: half of many a page.

    >>> words = words_of("<P HID\\x00DEN>", parse_html("<P HID\\x00DEN>"))
    >>> words, sorted(words.names)
    (b'<p hidden>', ['body', 'hidden', 'html', 'p'])
    """
    words = Words(b"".join(_beside_scripts(_small(html), root)))
    words.names, words.classes = names_in(root), class_values(root)
    return words


def names_in(root: HtmlElement) -> frozenset[str]:
    """Give the names of a tree's tags and attributes."""
    names: set[str] = set()
    for element in root.iter(etree.Element):
        names.add(element.tag)
        names.update(element.keys())
    return frozenset(names)


def _small(text: str) -> bytes:
    for refused in () if text.isascii() else ("\ufffe", "\uffff"):
        text = text.replace(refused, "") if refused in text else text
    return text.encode("utf-8", "ignore").translate(_SMALL, _DROPPED_BYTES)


def _beside_scripts(raw: bytes, root: HtmlElement) -> Iterator[bytes]:
    """Give the pieces of a page without its long scripts, up to the first that does not stand there as in the tree."""
    start = 0
    for script in root.iter("script"):
        text = script.text or ""
        if len(text) >= _LONG_SCRIPT:
            inside = _small(text)
            at = raw.find(inside, start)
            if at < 0:
                break
            yield raw[start:at]
            start = at + len(inside)
    yield raw[start:]


def class_values(root: HtmlElement) -> set[str]:
    """Give all that class attributes say in a tree, each with its names as it stands."""
    return {*_CLASS_VALUES(root)}


def find_attributes(name: str) -> FindAttributes:
    """Give what finds the elements that have an attribute of this name.

    Without looking at the other elements; the way from several attributes at once would be quadratic.

    >>> [(element.tag, value) for element, value in find_attributes("title")(parse_html("<p title=a>b</p>"))]
    [('p', 'a')]
    """
    find: Callable[[HtmlElement], list[Any]] = cast(Any, etree.XPath(f"//*/@{name}"))

    def found(root: HtmlElement, words: Words | None = None) -> Iterator[tuple[HtmlElement, str]]:
        values = find(root) if words is None or name in words.names else ()
        return ((value.getparent(), str(value)) for value in values)

    return found


def classes_of(element: HtmlElement) -> list[str]:
    """Give the element's classes, in the order in which its attribute names them."""
    names: str = element.get("class") or ""
    return names.split()


def raw_text(element: HtmlElement) -> str:
    """Give all text inside an element, as it stands."""
    if not len(element):
        return element.text or ""
    return str(etree.tostring(element, method="text", encoding="unicode", with_tail=False))
