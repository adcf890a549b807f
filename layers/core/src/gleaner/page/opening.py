"""Open a page: the one way from HTML to a `Page`, from top to bottom.

1. Parse the page, or the part of it that is chosen.
2. Number the elements, before anything of them is changed.
3. Settle what each is there for: for machines, seen by nobody, the site's frame, or content; and write as text what is
   content and none.
4. Collect the nodes.

The Markdown is written when it is first asked for (``gleaner.page.writing``), and views after it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lxml import etree
from lxml.html import HtmlElement

from gleaner.html.dom import Words, check_size, parse_html, raw_text, select_part, words_of
from gleaner.html.heads import Head, head_of, head_of_selected
from gleaner.html.non_text.formulas import write_formulas_as_tex
from gleaner.html.non_text.graphics import replace_graphics_with_text, show_hidden_mail
from gleaner.html.non_text.icons import replace_icons_with_text
from gleaner.html.non_text.image_sources import resolve_images
from gleaner.html.tree_repairs import nest_lists, show_object_fallbacks, show_shadow_roots
from gleaner.html.visibility import HiddenText, drop_hidden, json_ld_texts
from gleaner.markdown.boilerplate import Noise, Rules, find_noise
from gleaner.markdown.drawings import reduce_drawings_to_text
from gleaner.markdown.struck import mark_struck
from gleaner.markdown.table_markup import normalise_table_markup
from gleaner.page.collecting import Numbering, collect
from gleaner.page.model import Page, PageOptions

CODE = ("script", "style")
"""What is taken out of the tree: its text is no text of the page."""

DATA = ("link", "meta", "iframe", "object", "embed", "audio", "video", "canvas", "noframes", "datalist")
"""What stays in the tree without the text inside, which no browser shows: what they say stands in their attributes."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A part of a page: its HTML, the tree of it, its words (``words_of``); and what the whole page says of itself."""

    html: str
    root: HtmlElement
    head: Head
    words: Words


@dataclass(frozen=True, slots=True)
class Settled:
    """What was told of a tree while it was settled.

    ``code`` are the scripts and styles taken out, ``hidden`` what nobody sees and was taken out, ``noise`` what is the
    site's frame and still there, ``moved`` the lists that were put where they are shown, ``removed`` the characters
    taken out by reason.
    """

    code: Sequence[HtmlElement]
    hidden: HiddenText
    noise: Noise
    moved: Sequence[HtmlElement]
    removed: Mapping[str, int]


def open_page(html: str, url: str = "", options: PageOptions | None = None) -> Page:
    """Open a page.

    InvalidSelector and SelectorNotFound for a ``css_selector`` that is wrong or finds nothing, PageTooLarge.

    >>> page = open_page("<nav>Home</nav><h1>Tea</h1><p>Green, <b>3 €")
    >>> page.text, page.text[slice(*page.nodes.span(page.nodes.tags.index("b")))]
    ('# Tea\\n\\nGreen, **3 €**', '**3 €**')
    """
    options = options or PageOptions()
    parsed = parse_part(html, url, options)
    root, head = parsed.root, parsed.head
    numbering = Numbering(root)
    settled = settle(root, parsed.words, options)
    numbering.moved(settled.moved)
    numbers = numbering.numbers_in(root)
    nodes = collect(
        numbering,
        numbers,
        unfolded=settled.hidden.shown,
        chrome=settled.noise.parts,
        data=[*settled.code, *root.iter("head", "title", *DATA)],
    )
    return Page(
        html=html,
        part=parsed.html,
        url=url,
        base=head.base,
        title=head.title,
        language=head.language,
        options=options,
        tree=root,
        code=settled.code,
        numbers=numbers,
        unplaced=nodes,
        words=parsed.words,
        removed=settled.removed,
        hidden_chars=settled.hidden.dropped,
        unfolded_chars=settled.hidden.unfolded,
    )


def parse_part(html: str, url: str, options: PageOptions) -> Parsed:
    """Parse a page, or the part of it that is chosen.

    Tables laid out by roles or styles get the tags of tables. Shadow trees, and what objects fall back on, stand where
    they are shown.
    """
    check_size(html, options.max_size)
    if options.css_selector is None:
        part, root = html, parse_html(html)
        head = head_of(root, url.strip())
    else:
        part, tree = select_part(html, options.css_selector)
        root, head = parse_html(part), head_of_selected(tree, url.strip())
    words = words_of(part, root)
    normalise_table_markup(root, words)
    show_shadow_roots(root)
    show_object_fallbacks(root)
    return Parsed(part, root, head, words)


def settle(root: HtmlElement, words: Words, options: PageOptions) -> Settled:
    """Settle a tree: take out code and what nobody sees, find the site's frame, write as text what is content and none.

    Each step relies on those before it: formulas stand in scripts and hidden elements, icons are named by elements that
    are none of a drawing's text, what is hidden is told by text, and what is the site's frame by the text that is seen.
    """
    data = json_ld_texts(root)
    resolve_images(root, words)
    write_formulas_as_tex(root, words)
    code = _take_out_code(root)
    removed = {"scripts and styles": sum(len(one.text or "") for one in code)}
    classes = words.classes
    replace_icons_with_text(root, words, classes)
    reduce_drawings_to_text(root)
    hidden = drop_hidden(root, words, data)
    moved = nest_lists(root)
    show_hidden_mail(root, words)
    mark_struck(root)
    has_part = options.css_selector is not None
    site_parts = not (options.keeps_chrome or has_part)
    noise = find_noise(root, Rules(site_parts=site_parts, banners=not options.keeps_chrome), words.names)
    replace_graphics_with_text(root, words, classes)
    removed |= {**noise.sizes, **_settle_noscript(root, noise.parts)}
    return Settled(code, hidden, noise, moved, removed)


def _take_out_code(root: HtmlElement) -> list[HtmlElement]:
    """Take scripts and styles out of a tree, and the text out of what shows something else in its place."""
    code = list(root.iter(*CODE))
    etree.strip_elements(root, *CODE, with_tail=False)
    for element in root.iter(*DATA):
        for inner in element.iter():
            inner.text = None
            if inner is not element:
                inner.tail = None
    return code


def _settle_noscript(root: HtmlElement, chrome: Sequence[HtmlElement]) -> dict[str, int]:
    """Keep what is there for browsers without scripts only where it is most of the page; else take it out."""
    parts = list(root.iter("noscript"))
    if not parts:
        return {}
    frame = set(chrome)
    shown = [part for part in parts if frame.isdisjoint(part.iterancestors())]
    inside = "".join(text for part in shown for text in _texts_beside(part, frame))
    size, letters = len(inside), len("".join(inside.split()))
    body = root.find("body") if letters else None
    others = _letters_beside(root if body is None else body, chrome) - letters if letters else 0
    if others < letters and (not others or "javascript" not in inside.lower()):
        for part in shown:
            part.tag = "div"
        return {}
    etree.strip_elements(root, "noscript", with_tail=False)
    return {"noscript": size}


def _letters_beside(part: HtmlElement, frame: Iterable[HtmlElement]) -> int:
    """Give how many characters an element has that are no white space, without those of the site's frame."""
    pieces = [part, *(one for one in frame if part in one.iterancestors())]
    whole, *others = (len("".join(raw_text(one).split())) for one in pieces)
    return whole - sum(others)


def _texts_beside(part: HtmlElement, frame: Collection[HtmlElement]) -> Iterator[str]:
    """Give the texts in an element, without those of the site's frame."""
    walker: Any = etree.iterwalk(part, events=("start", "end"))
    for event, node in walker:
        if event == "start" and node in frame:
            walker.skip_subtree()
        elif event == "start":
            yield node.text or ""
        elif node is not part:
            yield node.tail or ""
