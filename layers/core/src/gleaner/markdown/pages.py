"""Convert HTML to clean Markdown in one pass: the full page, and its main content (MD)."""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from lxml import etree
from lxml.html import HtmlElement

from gleaner.html.dom import MAX_PAGE_SIZE, check_size, class_values, parse_html, raw_text, select_outer_html, words_of
from gleaner.html.element_numbers import ElementNumbers
from gleaner.html.layout import collapse
from gleaner.html.link_targets import LinkResolver
from gleaner.html.links import base_url_of
from gleaner.html.non_text.attribute_text import append_attribute_texts
from gleaner.html.non_text.formulas import write_formulas_as_tex
from gleaner.html.non_text.graphics import replace_graphics_with_text, show_hidden_mail
from gleaner.html.non_text.icons import replace_icons_with_text
from gleaner.html.non_text.image_sources import resolve_images
from gleaner.html.style_hiding import mark_hidden_by_styles
from gleaner.html.tree_repairs import nest_lists
from gleaner.html.visibility import HiddenText, drop_hidden, json_ld_texts
from gleaner.markdown.boilerplate import Rules, drop_noise
from gleaner.markdown.code_blocks import normalise_code, write_links_in_lists
from gleaner.markdown.conversion import PageConverter
from gleaner.markdown.drawings import reduce_drawings_to_text
from gleaner.markdown.main_content import keep_main_content, page_kind
from gleaner.markdown.pagination_signals import Continuation, find_continuations
from gleaner.markdown.table_markup import normalise_table_markup
from gleaner.markdown.tables import normalise_tables
from gleaner.units import PlacedUnit, UnitGroup, container_groups, find_unit_groups, line_units

_MANY_UNITS = 100_000
"""Where the tree shows so many pieces, lines that could be records too are not looked for."""

_SCRIPTS = ("script", "style", "link", "meta")
_EMBEDDED = ("iframe", "object", "embed", "canvas", "audio", "noframes", "datalist")
_STRUCK = re.compile(r"text-decoration(?:-line)?\s*:[^;]*line-through", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ContentStats:
    """How much of a page came in, was filtered, and is left; all in characters.

    ``input_chars`` counts the HTML, ``output_chars`` the Markdown, ``filtered_chars`` what lies between. ``removed``
    splits up the text (and code) that was taken out on purpose, by reason; ``hidden_chars`` is text that a person
    can't see, ``unfolded_chars`` text that was kept although it is hidden at first: one click on a control shows it.
    """

    input_chars: int
    filtered_chars: int
    output_chars: int
    hidden_chars: int = 0
    unfolded_chars: int = 0
    removed: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class CleanPage:
    """A page's Markdown, where it came from in numbers, its title, and the places of its repeated units."""

    markdown: str
    stats: ContentStats
    title: str = ""
    units: tuple[PlacedUnit, ...] = ()
    continuations: tuple[Continuation, ...] = ()


def extract_clean_markdown(
    html: str, url: str = "", *, extract_links: bool = False, css_selector: str | None = None
) -> tuple[str, ContentStats]:
    """Give the page as Markdown, with only certain noise removed, and what was removed (MD-1 to MD-6).

    Targets of links are dropped, or absolute with ``extract_links``. InvalidSelector, SelectorNotFound, PageTooLarge.

    >>> extract_clean_markdown("<nav>Home</nav><h1>Tea</h1><p>Green, 3 €")[0]
    '# Tea\\n\\nGreen, 3 €'
    """
    seen = mark_hidden_by_styles(checked(html))
    page = clean_page(seen, url, extract_links=extract_links, css_selector=css_selector, place_units=False)
    return page.markdown, page.stats


def main_content(html: str, url: str = "") -> str:
    """Give what there is to read on the page as Markdown: its article, or its posts, products, entries.

    Navigation, sidebars, teasers and other boilerplate are left out; links keep their texts only.
    """
    seen = mark_hidden_by_styles(checked(html))
    return clean_page(seen, url, main_content_only=True, place_units=False).markdown


def checked(html: str) -> str:
    """Give the HTML; TypeError when it is no text, PageTooLarge when it is over the limit."""
    check_size(html)
    return html


def clean_page(
    html: str,
    url: str = "",
    *,
    extract_links: bool = False,
    css_selector: str | None = None,
    main_content_only: bool = False,
    strip_chrome_tags: bool = True,
    remove_base64_images: bool = True,
    place_units: bool = True,
    tell_behind: bool = False,
    max_page_size: int = MAX_PAGE_SIZE,
) -> CleanPage:
    """Give the page's Markdown with its title, numbers and units.

    ``strip_chrome_tags=False`` keeps menus, headers, footers, banners and ads (seed 004). The Markdown does not depend
    on ``place_units``. ``tell_behind`` adds days and addresses that texts stand for (``behind.py``). ``max_page_size``
    is in bytes. PageTooLarge also where units are to be placed and the page has more than can be accounted for.
    """
    check_size(html, max_page_size)
    whole = parse_html(html)
    title = page_title(whole)
    links = LinkResolver(base_url_of(whole, url.strip()))
    part = html if css_selector is None else select_outer_html(html, css_selector)
    root = whole if css_selector is None else parse_html(part)
    numbers = ElementNumbers(root) if place_units else None
    has_chrome = strip_chrome_tags and css_selector is None
    rules = Rules(site_parts=has_chrome, banners=strip_chrome_tags, by_name=main_content_only)
    kind = page_kind(whole)
    continuations = find_continuations(root) if place_units else ()
    words = words_of(part)
    hidden, removed = _clean(root, rules, words, links if extract_links and not main_content_only else None)
    if tell_behind:
        append_attribute_texts(root, words, addresses=not extract_links)
    if main_content_only:
        removed |= keep_main_content(root, title, kind)
    # before a table without a header gets its first row as one
    groups = (*find_unit_groups(root), *container_groups(root)) if place_units else ()
    normalise_tables(root)
    converter = PageConverter(
        links, extract_links=extract_links, keep_images=not main_content_only, keep_data_images=not remove_base64_images
    )
    markdown, units = _convert(root, converter, groups, numbers)
    if place_units and len(units) < _MANY_UNITS:
        units += line_units(markdown, len(groups), units)
    stats = ContentStats(
        len(html), max(0, len(html) - len(markdown)), len(markdown), hidden.dropped, hidden.unfolded, removed
    )
    return CleanPage(markdown, stats, title, units, continuations)


def _convert(
    root: HtmlElement, converter: PageConverter, groups: Sequence[UnitGroup], numbers: ElementNumbers | None
) -> tuple[str, tuple[PlacedUnit, ...]]:
    """Give the Markdown of a tree, and the places of the groups' units that left text, in it and in the DOM."""
    numbered = [(at, index, group) for at, group in enumerate(groups) for index in range(len(group.elements))]
    runs = [group.elements[index] for _, index, group in numbered]
    markdown, places = converter.convert_tree(root, runs)
    units = tuple(
        PlacedUnit(
            at, index, *places[number], group.score, group.kind, numbers.region(runs[number]) if numbers else None
        )
        for number, (at, index, group) in enumerate(numbered)
        if number in places
    )
    return markdown, _to_line_ends(units, markdown)


def _to_line_ends(units: tuple[PlacedUnit, ...], markdown: str) -> tuple[PlacedUnit, ...]:
    """Give runs of inline elements the text that follows them on their last line, up to the next unit there."""
    starts = sorted({unit.start for unit in units})
    return tuple(replace(unit, end=_line_end(unit, starts, markdown)) for unit in units)


def _line_end(unit: PlacedUnit, starts: list[int], markdown: str) -> int:
    if unit.kind != "entry" or markdown.startswith("|", unit.start):
        return unit.end
    at = bisect_left(starts, unit.end)
    line_end = markdown.find("\n", unit.end)
    ends = [len(markdown) if line_end < 0 else line_end, *starts[at : at + 1]]
    return max(unit.end, min(ends))


def _clean(
    root: HtmlElement, rules: Rules, words: bytes, links: LinkResolver | None
) -> tuple[HiddenText, dict[str, int]]:
    """Drop code, hidden text and noise; ``noscript`` text is kept only where it is most of what there is.

    ``links`` are given where their targets are wanted.
    """
    data = json_ld_texts(root, words)
    if links is not None:  # the places of images cost a look at each attribute
        resolve_images(root, words)
    normalise_table_markup(root, words)
    write_formulas_as_tex(root, words)
    removed = {"scripts and styles": sum(len(code.text or "") for code in root.iter("script", "style"))}
    etree.strip_elements(root, *_SCRIPTS, *_EMBEDDED, with_tail=False)
    classes = class_values(root)
    replace_icons_with_text(root, words, classes)
    reduce_drawings_to_text(root)
    for shadow in list(root.iter("template")):
        if shadow.get("shadowrootmode") in ("open", "closed"):
            shadow.tag = "div"  # shown by browsers in the place of the element around it
    hidden = drop_hidden(root, words, data)
    nest_lists(root)
    show_hidden_mail(root, words)
    if links is not None:
        write_links_in_lists(root, links)
    normalise_code(root, words, classes)
    _mark_struck(root, words)
    removed |= drop_noise(root, rules)
    replace_graphics_with_text(root, words, classes)
    _settle_noscript(root, removed)
    return hidden, removed


def _mark_struck(root: HtmlElement, words: bytes) -> None:
    """Make ``<s>`` of a span that its own style strikes out: what a thing cost before says so in the Markdown, too."""
    if b"line-through" not in words:
        return
    for span in root.iter("span"):
        if _STRUCK.search(span.get("style") or ""):
            span.tag = "s"


def _settle_noscript(root: HtmlElement, removed: dict[str, int]) -> None:
    parts = list(root.iter("noscript"))
    if not parts:
        return
    size = sum(len(raw_text(part)) for part in parts)
    body = root.find("body")
    everything = len("".join(raw_text(root if body is None else body).split()))
    inside = sum(len("".join(raw_text(part).split())) for part in parts)
    if everything - inside < inside and (everything == inside or not any(map(_asks_for_scripts, parts))):
        for part in parts:
            part.tag = "div"
    else:
        removed["noscript"] = size
        etree.strip_elements(root, "noscript", with_tail=False)


def _asks_for_scripts(part: HtmlElement) -> bool:
    return "javascript" in raw_text(part).lower()


def page_title(root: HtmlElement) -> str:
    """Give the title of a page: ``<title>``, else ``og:title``, else the first ``<h1>``; "" when it has none."""
    for title in root.iter("title"):
        if next(title.iterancestors("svg"), None) is None and (text := collapse(title.text or "")):
            return text
    for meta in root.iter("meta"):
        if (meta.get("property") or meta.get("name")) == "og:title" and (text := collapse(meta.get("content") or "")):
            return text
    heading = next(root.iter("h1"), None)
    return collapse(raw_text(heading)) if heading is not None else ""
