"""Convert a cleaned tree to Markdown with markdownify's rules, in one pass without recursion.

Only elements whose Markdown depends on their whole inner text (links, emphasis, code, headings, cells) get a frame of
their own; everything else streams into the frame around it. So no text is copied once a level, and 10,000 levels cost
what 10,000 elements cost.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from lxml import etree
from lxml.html import HtmlElement
from markdownify import MarkdownConverter

from gleaner.html.dom import raw_text
from gleaner.html.elements import (
    BREAKS,
    CODE,
    HEADINGS,
    LISTS,
    MARKERS,
    MARKS,
    PREFORMATTED,
    UNSEEN,
    Node,
    cuts_a_word,
    field_value,
    is_spaced,
    mark_of_raised,
    parts_numbers,
    parts_tail,
    text_behind,
    touches_neighbour,
)
from gleaner.html.layout import (
    NEXT_ITEM,
    Writer,
    collapse,
    escaped,
    marked,
    part_items,
    parted_from_marks,
    take_out_marks,
)
from gleaner.html.link_targets import LinkResolver, linked_part, with_paired_brackets
from gleaner.html.non_text.image_sources import image_source
from gleaner.html.numbering import in_letters, numbering_of
from gleaner.markdown.code_blocks import LANGUAGE_MARK, fenced
from gleaner.markdown.images import data_image, follows_image, is_a_dot, telling_alt

NOTHING: Mapping[HtmlElement, int] = MappingProxyType({})
_CELLS = frozenset(("td", "th"))
_Way: TypeAlias = "tuple[int, bool, Callable[..., Any] | None, Callable[..., Any] | None]"
"""The break around elements of a tag, whether style may set them apart, and what opens and closes them."""
_LONGEST_PRICE = 20
"""Characters before raised digits that tell whether they are the cents of a price."""

_INLINE_CONTEXT = frozenset({"_inline"})
_NO_CONTEXT: frozenset[str] = frozenset()
_SMALL = re.compile(r"[0-9]{1,9}")
_FOOTNOTE = re.compile(r"[\w*†‡§¶]{1,3}")
_RAISED = re.compile(r"[-−–+]?\d+")
_FRACTION = re.compile(r"\d{1,2}\s?[/⁄]\s?\d")
_ALT = re.compile(r"[\[\]]")
_UNMARKED = re.compile(r"[|#-]|> |\*+(?:\s|\Z)|\d+\. .*\n")
"""What emphasis stands in, not around: tables, headings, quotes, lists; and a star, with which it would be one."""
_LINE_OF_TEXT = re.compile(
    r"^([\s\ue9a0-\ue9ab]*+(?:(?:[->]|\d+\.|#{1,6}) )*+)([^\s|`~].*?)([\ue9a0-\ue9ab]*)$", re.MULTILINE
)
"""A line of a text that is struck out, without what begins an item or a heading; rows and code stay as they are."""
_PLAIN_NODES = {name: Node(name) for name in (*MARKS, *CODE, *HEADINGS, "pre", "hr")}


class PageConverter(MarkdownConverter):
    """markdownify over an lxml tree: its convert functions for single elements; an own walk, own lists and tables."""

    if TYPE_CHECKING:
        get_conv_fn_cached: Callable[[str], Callable[..., str]]
        convert_a: Callable[..., str]
        convert_code: Callable[..., str]
        convert_hN: Callable[..., str]  # noqa: N815
        convert_hr: Callable[..., str]
        convert_img: Callable[..., str]

    def __init__(
        self,
        links: LinkResolver,
        *,
        extract_links: bool = False,
        keep_images: bool = True,
        keep_data_images: bool = False,
    ) -> None:
        super().__init__(
            heading_style="atx",
            bullets="-",
            autolinks=False,
            escape_asterisks=False,
            escape_underscores=False,
            strip_pre=None,
        )
        self._links = links
        self._extract_links = extract_links
        self._keep_images = keep_images
        self._keep_data_images = keep_data_images
        self._writer = Writer()
        self._nodes = NOTHING
        self._depth: dict[str, int] = dict.fromkeys(("**", "*", "~~", "a", "code", "heading"), 0)
        self._containers: list[str] = []
        self._items = 0
        self._lists: list[tuple[str, int, int, str]] = []
        self._rows: list[list[str]] = []
        self._columns = 0
        self._opening = self._opening_handlers()
        self._closing = self._closing_handlers()
        self._ways = dict[str, _Way]()

    def _opening_handlers(self) -> dict[str, Any]:
        handlers: dict[str, Any] = dict.fromkeys(UNSEEN, self._skip)
        handlers |= dict.fromkeys(MARKS, self._open_marked) | dict.fromkeys(CODE, self._open_code)
        handlers |= dict.fromkeys(HEADINGS, self._open_heading)
        handlers |= dict.fromkeys(("td", "th"), self._open_cell)
        handlers |= dict.fromkeys(LISTS, self._open_list)
        handlers |= dict.fromkeys(PREFORMATTED, self._write_code_block)
        handlers |= {"li": self._open_item, "blockquote": self._open_quote, "dd": self._open_definition}
        handlers |= {"a": self._open_link, "img": self._write_image, "hr": self._write_rule}
        handlers |= {"q": self._write_quote_mark}
        handlers |= {"tr": self._open_row, "sup": self._write_superscript, "br": self._write_break}
        handlers |= {"dt": self._open_term, "option": self._write_option_gap, "input": self._write_field}
        return handlers

    def _closing_handlers(self) -> dict[str, Any]:
        handlers: dict[str, Any] = dict.fromkeys(MARKS, self._close_marked)
        handlers |= dict.fromkeys(CODE, self._close_code) | dict.fromkeys(HEADINGS, self._close_heading)
        handlers |= dict.fromkeys(("td", "th"), self._close_cell)
        handlers |= dict.fromkeys(LISTS, self._close_list)
        handlers |= dict.fromkeys(("blockquote", "dd"), self._close_container)
        handlers |= {"li": self._close_item, "dt": self._close_term, "a": self._close_link}
        handlers |= {"q": self._write_quote_mark, "tr": self._close_row, "thead": self._write_header_rule}
        return handlers

    def convert_tree(
        self, root: HtmlElement, nodes: Mapping[HtmlElement, int] = NOTHING
    ) -> tuple[str, Iterator[tuple[int, int, int]]]:
        """Give the Markdown of a tree, and of each of the ``nodes`` with a text in it the number, start and end.

        The Markdown is the same whatever is placed.
        """
        self._nodes = nodes
        self._walk(root, nodes)
        return take_out_marks(self._writer.finish())

    def _walk(self, root: HtmlElement, nodes: Mapping[HtmlElement, int]) -> None:
        writer, ways, places_nodes = self._writer, self._ways, len(nodes) > 0
        walker: Any = etree.iterwalk(root, events=("start", "end"))
        for event, element in walker:
            tag = element.tag
            size, may_touch, opening, closing = ways.get(tag) or self._way_of(tag)
            number = nodes.get(element) if places_nodes and tag not in _CELLS else None
            if event == "start":
                if size and size > writer.top.gap:
                    writer.top.gap = size
                if number is not None:
                    writer.begin_node(number)
                if may_touch:
                    self._set_apart(element)
                if opening is not None and opening(element):
                    walker.skip_subtree()
                elif text := element.text:
                    writer.write(text)
                continue
            if closing is not None:
                closing(element)
            if number is not None:
                writer.end_node(number)
            if size and size > writer.top.gap:
                writer.top.gap = size
            if (tail := element.tail) and element is not root:
                if may_touch and tail[0].isupper() and parts_tail(element):
                    writer.top.space = True
                writer.write(tail)

    def _way_of(self, tag: str) -> "_Way":
        """Give how elements of a tag are written: worked out once for each tag."""
        way = BREAKS.get(tag, 0), is_spaced(tag), self._opening.get(tag), self._closing.get(tag)
        self._ways[tag] = way
        return way

    def _set_apart(self, element: HtmlElement) -> None:
        """Begin an element that style may set apart from what it touches."""
        if self._depth["code"]:
            return
        if parts_numbers(element):
            self._writer.line_break(1)
        elif touches_neighbour(element):
            self._writer.top.space = True

    def _skip(self, _element: HtmlElement) -> bool:
        return True

    # Emphasis and code ---------------------------------------------------------------------------------------------

    def _open_marked(self, element: HtmlElement) -> None:
        marker = MARKS[element.tag]
        self._depth[marker] += 1
        if self._depth[marker] == 1:
            self._writer.open()

    def _close_marked(self, element: HtmlElement) -> None:
        marker = MARKS[element.tag]
        self._depth[marker] -= 1
        if self._depth[marker]:
            return
        writer = self._writer
        frame = writer.close()
        if (
            frame.opening
            or cuts_a_word(frame, self._writer.last_character(), element.tail or "")
            or self._depth["code"]
            or self._depth["heading"]
        ):
            writer.put_frame(frame, frame.text())
            return
        text = frame.text()
        if "\n\n" in text or _UNMARKED.match(parted_from_marks(text)[1]):
            writer.put_frame(frame, _LINE_OF_TEXT.sub(r"\1~~\2~~\3", text) if marker == "~~" else text)
            return
        parts = writer.top.parts
        if not (writer.top.gap or writer.top.space or frame.start_space) and writer.take_back(marker):
            parts += [text, marker]
            writer.top.gap, writer.top.space = frame.gap, frame.space
            return
        if not any(map(str.isalnum, text)):
            writer.put_frame(frame, text)
            return
        converted = self.get_conv_fn_cached(MARKERS[marker])(_PLAIN_NODES[element.tag], text, _NO_CONTEXT)
        writer.put_frame(frame, converted[: -len(marker)])
        parts.append(marker)

    def _open_code(self, _element: HtmlElement) -> None:
        self._depth["code"] += 1
        if self._depth["code"] == 1:
            self._writer.open(inline=True, is_code=True)

    def _close_code(self, _element: HtmlElement) -> None:
        self._depth["code"] -= 1
        if self._depth["code"]:
            return
        frame = self._writer.close()
        converted = self.convert_code(_PLAIN_NODES["code"], frame.text(), _NO_CONTEXT)
        self._writer.put_frame(frame, converted)

    def _write_superscript(self, element: HtmlElement) -> bool | None:
        """Keep ``10<sup>2</sup>``, ``$19<sup>99</sup>``, ``1<sup>1/2</sup>`` from being read as 102, $1999, 11/2.

        The mark of a footnote is put in brackets: ``1995<sup><a href="#n3">3</a></sup>`` is no 19953.
        """
        text = collapse(element.text or "")
        if len(element):
            mark = collapse(raw_text(element))
            links = element.iter("a")
            if self._extract_links or not _FOOTNOTE.fullmatch(mark) or not self._writer.last_character():
                return None
            if not any((link.get("href") or "").startswith("#") for link in links):
                return None
            self._writer.put(f"[{mark}]")
            return True
        if not self._writer.last_character().isdigit():
            return None
        if _FRACTION.match(text + text_behind(element)):
            self._writer.top.space = True
        elif _RAISED.fullmatch(text):
            self._writer.put(mark_of_raised(text, self._writer.last_text(_LONGEST_PRICE), text_behind(element)))
        return None

    def _write_quote_mark(self, element: HtmlElement) -> None:
        self._writer.put('"') if element.text or len(element) else None

    # Headings, lists, quotes ---------------------------------------------------------------------------------------

    def _open_heading(self, _element: HtmlElement) -> None:
        self._depth["heading"] += 1
        self._writer.open(inline=True, is_head=True)

    def _close_heading(self, element: HtmlElement) -> None:
        self._depth["heading"] -= 1
        writer = self._writer
        frame = writer.close()
        context = _INLINE_CONTEXT if writer.top.inline else _NO_CONTEXT
        converted = self.convert_hN(int(element.tag[1]), _PLAIN_NODES[element.tag], frame.text(), context).strip()
        writer.put_frame(frame, converted)

    def _open_list(self, element: HtmlElement) -> None:
        self._writer.line_break(1 if self._items else 2)
        start, is_reversed = element.get("start", ""), element.tag == "ol" and "reversed" in element.attrib
        first = sum(1 for _ in element.iterchildren("li")) if is_reversed else 1
        number, step = int(start) if _SMALL.fullmatch(start) else first, -1 if is_reversed else 1
        self._lists.append((element.tag, number, step, numbering_of(element)))

    def _close_list(self, _element: HtmlElement) -> None:
        self._lists.pop()
        self._writer.line_break(1 if self._items else 2)

    def _open_item(self, element: HtmlElement) -> None:
        self._items += 1
        if self._rows and element.getprevious() is not None and raw_text(element).strip():
            self._writer.write(NEXT_ITEM)
        kind, number, step, numbering = self._lists[-1] if self._lists else ("ul", 1, 1, "")
        if kind != "ol":
            self._containers.append(self._writer.open_container("- ", "  "))
            return
        value = element.get("value", "")
        number = int(value) if _SMALL.fullmatch(value) else number
        said = in_letters(number, numbering_of(element) or numbering)
        bullet = f"- {said}. " if said else f"{number}. "  # Markdown counts in figures alone
        self._containers.append(self._writer.open_container(bullet, " " * (2 if said else len(bullet))))
        self._lists[-1] = (kind, max(0, number + step), step, numbering)

    def _close_item(self, element: HtmlElement) -> None:
        self._items -= 1
        self._close_container(element)

    def _open_quote(self, _element: HtmlElement) -> None:
        self._containers.append(self._writer.open_container("> ", "> "))

    def _open_term(self, element: HtmlElement) -> None:
        previous = element.getprevious()
        self._writer.line_break(1 if previous is not None and previous.tag == "dt" else 2)

    def _close_term(self, _element: HtmlElement) -> None:
        self._writer.line_break(1)

    def _open_definition(self, _element: HtmlElement) -> None:
        self._containers.append(self._writer.open_container(":   ", "    "))

    def _close_container(self, _element: HtmlElement) -> None:
        self._writer.close_container(self._containers.pop())

    # Tables (normalised before, see gleaner.markdown.tables) --------------------------------------------------

    def _open_row(self, _element: HtmlElement) -> None:
        self._rows.append([])

    def _open_cell(self, element: HtmlElement) -> bool:
        number = self._nodes.get(element)
        if len(element) or not self._rows:
            self._writer.open(inline=True)
            if number is not None:
                self._writer.begin_node(number)
            return False
        text = escaped(collapse(element.text or ""), starts_line=True)  # most cells are mere text, and need no frame
        text = text.replace("|", "\\|")
        self._rows[-1].append(marked(text, number) if text and number is not None else text)
        return True

    def _close_cell(self, element: HtmlElement) -> None:
        if not len(element) and self._rows:
            return
        if (number := self._nodes.get(element)) is not None:
            self._writer.end_node(number)
        frame = self._writer.close()
        text = frame.text().replace("|", "\\|")
        if self._rows:
            self._rows[-1].append(part_items(text))
        else:
            self._writer.put_frame(frame, text)

    def _close_row(self, _element: HtmlElement) -> None:
        cells = self._rows.pop()
        if not cells:
            return
        writer = self._writer
        if writer.top.inline:
            if any(cells):
                writer.put(" ".join(filter(None, cells)))
            return
        writer.put("| " + " | ".join(cells) + " |")
        self._columns = len(cells)

    def _write_header_rule(self, _element: HtmlElement) -> None:
        if self._columns and not self._writer.top.inline:
            self._writer.line_break(1)
            self._writer.put("|" + " --- |" * self._columns)

    # Links, images, blocks -------------------------------------------------------------------------------------------

    def _open_link(self, _element: HtmlElement) -> None:
        self._depth["a"] += 1
        if self._extract_links and self._depth["a"] == 1:
            self._writer.open()

    def _close_link(self, element: HtmlElement) -> None:
        self._depth["a"] -= 1
        if not self._extract_links or self._depth["a"]:
            return
        writer = self._writer
        frame = writer.close()
        target = self._links.resolve(element.get("href") or "") if element.get("href") else ""
        text = frame.text()
        if frame.opening or not target or self._depth["code"]:
            writer.put_frame(frame, text)
            return
        node = Node("a", {"href": target})
        start, end = linked_part(text)
        linked = self.convert_a(node, with_paired_brackets(text[start:end]), _NO_CONTEXT)
        if linked and not start and writer.last_character() == "!":
            writer.top.space = True  # "![" begins an image
        writer.put_frame(frame, text[:start] + linked + text[end:])

    def _write_image(self, element: HtmlElement) -> bool:
        if not self._keep_images or is_a_dot(element):
            return True
        if not self._extract_links:
            text = telling_alt(element)
            if text:
                if follows_image(element):
                    self._writer.line_break(1)
                self._writer.write(f" {text} ")
            return True
        text = collapse(element.get("alt") or "")
        source = self._links.resolve(image_source(element))
        if self._keep_data_images:
            source = data_image(element) or source
        if source:
            node = Node("img", {"alt": collapse(_ALT.sub(" ", text)), "src": source})
            self._writer.put(self.convert_img(node, "", _NO_CONTEXT))
        elif text:
            self._writer.write(f" {text} ")
        return True

    def _write_break(self, _element: HtmlElement) -> bool:
        top = self._writer.top
        top.gap = min(2, top.gap + 1)
        return True

    def _write_option_gap(self, element: HtmlElement) -> None:
        if element.getprevious() is not None and not self._writer.top.opening:
            self._writer.write(", ")
        if element.get("selected") is not None and (element.getprevious() is not None or element.getnext() is not None):
            self._writer.write("☑ ")  # as of boxes, which is the one that is chosen

    def _write_field(self, element: HtmlElement) -> None:
        if value := field_value(element):
            self._writer.write(f" {value} ")
        elif element.get("type", "").lower() != "hidden":
            self._writer.top.space = True  # an empty field is a gap

    def _write_rule(self, _element: HtmlElement) -> bool:
        if not self._writer.top.inline:
            self._writer.put(self.convert_hr(_PLAIN_NODES["hr"], "", _NO_CONTEXT).strip())
        return True

    def _write_code_block(self, element: HtmlElement) -> bool:
        text = raw_text(element)
        if not text.strip():
            return True
        if self._writer.top.inline:
            self._writer.write(f" {collapse(text)} ")
            return True
        self._writer.put_lines(fenced(text, element.get(LANGUAGE_MARK) or ""))
        return True
