"""Write a page as Markdown: with the span of each node, or the Markdown alone for those who ask for nothing else."""

from array import array
from collections.abc import Iterable, Mapping
from copy import deepcopy

from lxml import etree
from lxml.html import HtmlElement

from gleaner.html.dom import Words, check_size, mark_dropped, remove_dropped
from gleaner.html.link_targets import LinkResolver
from gleaner.html.non_text.attribute_text import append_attribute_texts
from gleaner.html.style_hiding import mark_hidden_by_styles
from gleaner.markdown.code_blocks import normalise_code, write_links_in_lists
from gleaner.markdown.conversion import NOTHING, PageConverter
from gleaner.markdown.main_blocks import JudgedBlock, PageKind, keep_main_content, page_kind
from gleaner.markdown.stats import ContentStats, stats_of
from gleaner.markdown.tables import normalise_tables
from gleaner.page.model import Nodes, Page, PageOptions, Written
from gleaner.page.opening import DATA, Parsed, parse_part, settle


def extract_clean_markdown(
    html: str, url: str = "", *, extract_links: bool = False, css_selector: str | None = None
) -> tuple[str, ContentStats]:
    """Give the page as Markdown, with only certain noise removed, and what was removed (MD-1 to MD-6).

    Targets of links are dropped, or absolute with ``extract_links``. InvalidSelector, SelectorNotFound, PageTooLarge.

    >>> extract_clean_markdown("<nav>Home</nav><h1>Tea</h1><p>Green, 3 €")[0]
    '# Tea\\n\\nGreen, 3 €'
    """
    options = PageOptions(css_selector=css_selector, extract_links=extract_links)
    check_size(html)
    parsed = parse_part(mark_hidden_by_styles(html), url, options)
    settled = settle(parsed.root, parsed.words, options)
    reduce_to_text(parsed.root, settled.noise.parts, parsed.words, options, parsed.head.base)
    text, _ = convert(parsed.root, parsed.head.base, options)
    return text, stats_of(html, text, settled.hidden.dropped, settled.hidden.unfolded, settled.removed)


def main_content(html: str, url: str = "") -> str:
    """Give what there is to read on the page as Markdown: its article, or its posts, products, entries.

    Navigation, sidebars, teasers and other boilerplate are left out; links keep their texts only.
    """
    parsed, kind = read_for_main_content(html, url)
    keep_main_content(parsed.root, parsed.head.title, kind)
    return convert(parsed.root, parsed.head.base, PageOptions(), keep_images=False)[0]


def judged_blocks(html: str, url: str = "") -> list[JudgedBlock]:
    """Give the blocks of a page as ``main_content`` judges them, in their order: kept or not, and why.

    >>> [block.is_kept for block in judged_blocks("<h1>Tea</h1><p>It is grown on hills, and picked by hand in spring.")]
    [True, True]
    """
    parsed, kind = read_for_main_content(html, url)
    judgement = keep_main_content(parsed.root, parsed.head.title, kind)
    return judgement.explained() if judgement else []


def read_for_main_content(html: str, url: str) -> tuple[Parsed, PageKind]:
    """Give a page with its tree without its certain noise, and what it says it is."""
    check_size(html)
    options = PageOptions()
    parsed = parse_part(mark_hidden_by_styles(html), url, options)
    kind = page_kind(parsed.root)
    settled = settle(parsed.root, parsed.words, options)
    reduce_to_text(parsed.root, settled.noise.parts, parsed.words, options, parsed.head.base)
    return parsed, kind


def write_page(page: Page) -> Written:
    """Give the Markdown of a page and the places of its nodes in it; the page's tree stays as it is."""
    root, nodes = deepcopy(page.tree), page.unplaced
    numbers = {one: at for one, at in zip(root.iter(etree.Element), page.numbers, strict=True) if at >= 0}
    chrome = [one for one, at in numbers.items() if nodes.layers[at] == "chrome" != nodes.layers[nodes.parents[at]]]
    code, bars = reduce_to_text(root, chrome, page.words, page.options, page.base)
    text, places = convert(root, page.base, page.options, numbers)
    starts, stops = array("i", (-1,)) * len(nodes), array("i", (-1,)) * len(nodes)
    for number, start, stop in places:
        starts[number], stops[number] = start, stop
    _spread(nodes, starts, stops)
    code, bars = (frozenset(numbers[one] for one in some if one in numbers) for some in (code, bars))
    return Written(text, starts, stops, code, bars)


def reduce_to_text(
    root: HtmlElement, chrome: Iterable[HtmlElement], words: Words, options: PageOptions, base: str
) -> tuple[set[HtmlElement], set[HtmlElement]]:
    """Take out of a settled tree what its text does not show; give the pieces of code, each with one text, and their
    bars.

    Code is read before the frame goes: the button that copies it tells that it is code.
    """
    etree.strip_elements(root, *DATA, with_tail=False)
    if options.extract_links:
        write_links_in_lists(root, LinkResolver(base))
    code, bars = normalise_code(root, words, words.classes)
    for part in chrome:
        mark_dropped(part)
    remove_dropped(root)
    if options.shows_attributes:
        append_attribute_texts(root, words, addresses=not options.extract_links)
    return code, bars


def convert(
    root: HtmlElement,
    base: str,
    options: PageOptions,
    nodes: Mapping[HtmlElement, int] = NOTHING,
    *,
    keep_images: bool = True,
) -> tuple[str, Iterable[tuple[int, int, int]]]:
    """Give the Markdown of a tree that is reduced to its text, and number, start and end of the nodes in it."""
    normalise_tables(root)
    converter = PageConverter(
        LinkResolver(base),
        extract_links=options.extract_links,
        keep_images=keep_images,
        keep_data_images=options.keeps_data_images,
    )
    return converter.convert_tree(root, nodes)


def _spread(nodes: Nodes, starts: "array[int]", stops: "array[int]") -> None:
    """Widen the span of each node to those inside: a caption stands before its table, and has no place in it."""
    parents = nodes.parents
    for at in range(len(nodes) - 1, 0, -1):
        if (start := starts[at]) >= 0:
            up = parents[at]
            if not 0 <= starts[up] <= start:
                starts[up] = start
            stops[up] = max(stops[up], stops[at])
