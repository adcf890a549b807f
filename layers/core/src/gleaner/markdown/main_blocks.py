"""Keep the main content of a page: the stricter filter behind ``main_content``.

Each block of text is given the probability that it is content (``block_features``, ``content_model``). What is kept is
the set of blocks that promises the best F-score of words. A table of data or a listing of code is kept or dropped
whole, a list beside paragraphs goes with them, a heading stays over a text that stays, and so does the heading of the
page.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal, TypeAlias

from lxml.html import HtmlElement

from gleaner.html.elements import LISTS
from gleaner.markdown.block_features import FEATURES, block_features, is_running, main_heading
from gleaner.markdown.content_model import ContentModel, content_model
from gleaner.markdown.text_blocks import TextBlock, remove_blocks, text_blocks

PageKind: TypeAlias = Literal["article", "thread", "product", "list", "unknown"]
KIND_NUMBERS: Mapping[PageKind, int] = {"unknown": 0, "article": 1, "thread": 2, "product": 3, "list": 4}

_TYPE = re.compile(r'"@type"\s*:\s*(?:\[\s*)?"([A-Za-z]+)"')
_KINDS: dict[str, PageKind] = {
    **dict.fromkeys(("article", "newsarticle", "blogposting", "reportagenewsarticle", "scholarlyarticle"), "article"),
    **dict.fromkeys(("discussionforumposting", "qapage"), "thread"),
    **dict.fromkeys(("product", "productgroup"), "product"),
    **dict.fromkeys(("itemlist", "collectionpage", "searchresultspage", "offercatalog"), "list"),
}
_WORD = re.compile(r"\w+")
_DEEPEST = 100
_OF_LINKS = 0.5
_FEWEST_PAGES, _LONGEST_WORD = 3, 12
_LISTS = frozenset({*LISTS, "dl"})
_LIKELY = 0.5
_OF_MENUS = 0.3
"""How much of a list is links at most for it to be no menu."""
_OF_PAGES = 0.05
"""How likely the numbers of pages are content: of 16 such rows on the pages learned from, too few to learn from."""
_WEIGHT_OF_LOSS = 1.5
"""How much more a lost word counts than one too many where a page is no running text: the short lines of listings and
products are told from boilerplate less surely. Swept from 0.5 to 3 on 132 pages of seven kinds, each site left out."""


@dataclass(frozen=True, slots=True)
class JudgedBlock:
    """A block of a page: how likely it is content, whether it is kept, and what speaks most for or against it.

    ``reasons`` are features with what each adds to the log odds beyond its mean over the page, the weightiest first.
    """

    text: str
    likelihood: float
    is_kept: bool
    reasons: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """The blocks of a page, what is known of each, and which are kept."""

    blocks: Sequence[TextBlock]
    features: Sequence[Sequence[float]]
    likelihoods: Sequence[float]
    kept: Sequence[bool]

    def explained(self, most: int = 5) -> list[JudgedBlock]:
        """Give each block with the ``most`` features that decided it."""
        model = content_model()
        shares = [model.shares(row) for row in self.features]
        means = [fmean(some) for some in zip(*shares, strict=True)]
        found: list[JudgedBlock] = []
        for block, own, likelihood, kept in zip(self.blocks, shares, self.likelihoods, self.kept, strict=True):
            beyond = {name: share - mean for name, share, mean in zip(FEATURES, own, means, strict=True)}
            reasons = tuple(
                sorted(((name, round(share, 2)) for name, share in beyond.items()), key=lambda one: -abs(one[1]))
            )
            found.append(JudgedBlock(block.text, round(likelihood, 3), kept, reasons[:most]))
        return found


def page_kind(root: HtmlElement) -> PageKind:
    """Give what the page says it is, in its JSON-LD or OpenGraph type; call it before scripts are removed."""
    for script in root.iter("script"):
        if (script.get("type") or "").lower().startswith("application/ld+json"):
            for name in _TYPE.findall(script.text or ""):
                if name.lower() in _KINDS:
                    return _KINDS[name.lower()]
    for meta in root.iter("meta"):
        if meta.get("property") == "og:type":
            value = (meta.get("content") or "").lower()
            return "article" if value == "article" else "product" if "product" in value else "unknown"
    return "unknown"


def keep_main_content(root: HtmlElement, title: str, kind: PageKind = "unknown") -> Judgement | None:
    """Take out what is not the page's own content; give what was judged, None for a page without text."""
    body = root.find("body")
    blocks = [] if body is None else text_blocks(body)
    if body is None or not blocks:
        return None
    judgement = judge_blocks(body, blocks, title, KIND_NUMBERS[kind], content_model())
    remove_blocks(body, blocks, [number for number, kept in enumerate(judgement.kept) if not kept])
    return judgement


def judge_blocks(
    body: HtmlElement, blocks: Sequence[TextBlock], title: str, kind: int, model: ContentModel
) -> Judgement:
    """Say which blocks of a body are content."""
    rows = block_features(body, blocks, title, kind, model.names)
    judged = model.probabilities(rows)
    alone = [min(one, _OF_PAGES) if _numbers_pages(block) else one for block, one in zip(blocks, judged, strict=True)]
    likelihoods = _settle_wholes(blocks, _join_lists(blocks, alone))
    least, heading = least_share(blocks, likelihoods), main_heading(blocks, title)
    kept = [share >= least or number == heading for number, share in enumerate(likelihoods)]
    return Judgement(blocks, rows, likelihoods, _keep_headings(blocks, kept))


def least_share(blocks: Sequence[TextBlock], shares: Sequence[float]) -> float:
    """Give the probability from which blocks are kept: where the F-score of words to be expected is highest.

    With ``k`` words kept, ``c`` of them to be expected among the ``n`` words of content, F1 is ``2c / (k + n)``.
    """
    size = sum(len(block.text) for block in blocks)
    is_prose = sum(len(block.text) for block in blocks if is_running(block)) >= size / 2
    weight = 1.0 if is_prose else _WEIGHT_OF_LOSS
    ranked = sorted(
        ((share, len(_WORD.findall(block.text))) for block, share in zip(blocks, shares, strict=True)), reverse=True
    )
    wanted = sum(share * words for share, words in ranked)
    best, least = -1.0, 0.0
    content = kept = 0.0
    for share, words in ranked:
        content += share * words
        kept += words
        score = content / ((kept + weight * wanted) or 1)
        if score > best:
            best, least = score, share
    return least


def _numbers_pages(block: TextBlock) -> bool:
    """Tell whether a block is a row of links to further pages: all but a few of its words are numbers."""
    words = _WORD.findall(block.text)
    is_of_links = block.links >= _FEWEST_PAGES and block.link_share > _OF_LINKS
    return is_of_links and 2 * sum(map(str.isdigit, words)) > len(words) and max(map(len, words)) <= _LONGEST_WORD


def _keep_headings(blocks: Sequence[TextBlock], kept: Sequence[bool]) -> list[bool]:
    """Keep the headings that stand right over a text that is kept: a teaser's title is a link, and looks like none."""
    levels = [block.level for block in blocks]
    over = [*(not level and is_kept for level, is_kept in zip(levels, kept, strict=True)), False][1:]
    return [is_kept or bool(level and below) for is_kept, level, below in zip(kept, levels, over, strict=True)]


def _settle_wholes(blocks: Sequence[TextBlock], shares: Sequence[float]) -> list[float]:
    """Give all blocks of one table of data, or one listing of code, the mean of theirs, by length.

    Tables that hold others are layout.
    """
    settled = list(shares)
    for whole, numbers in _grouped(blocks, lambda one: one.tag in ("pre", "table")).items():
        if next(whole.iterdescendants("table", "form", "h1"), None) is not None:
            continue
        size = sum(len(blocks[number].text) for number in numbers)
        share = sum(shares[number] * len(blocks[number].text) for number in numbers) / size
        for number in numbers:
            settled[number] = share
    return settled


def _join_lists(blocks: Sequence[TextBlock], shares: Sequence[float]) -> list[float]:
    """Make a list that is no menu as likely as the paragraphs beside it in the same part, where these are content.

    Its items are short, as those of menus are: by themselves they say little. Of two paragraphs the less likely counts.
    """
    paragraphs: defaultdict[HtmlElement, list[int]] = defaultdict(list)
    for number, block in enumerate(blocks):
        parent = block.element.getparent() if block.element.tag == "p" else None
        if parent is not None:
            paragraphs[parent].append(number)
    joined = list(shares)
    lists = _grouped(blocks, lambda one: one.tag in _LISTS and one.getparent() in paragraphs)
    for parent, numbers in ((one.getparent(), numbers) for one, numbers in lists.items()):
        beside = paragraphs[parent]
        at = bisect_left(beside, numbers[0])
        least = min(shares[number] for number in beside[max(0, at - 1) : at + 1])
        linked = sum(blocks[number].linked for number in numbers)
        if least >= _LIKELY and linked <= _OF_MENUS * sum(len(blocks[number].text) for number in numbers):
            for number in numbers:
                joined[number] = max(shares[number], least)
    return joined


def _grouped(
    blocks: Sequence[TextBlock], is_wanted: Callable[[HtmlElement], bool]
) -> Mapping[HtmlElement, Sequence[int]]:
    """Give the elements that are wanted, each with the numbers of the blocks that it is the nearest such one around."""
    groups: defaultdict[HtmlElement, list[int]] = defaultdict(list)
    places: dict[HtmlElement, HtmlElement | None] = {}
    for number, block in enumerate(blocks):
        nearest = _nearest(block.element, places, is_wanted)
        if nearest is not None:
            groups[nearest].append(number)
    return groups


def _nearest(
    element: HtmlElement,
    places: dict[HtmlElement, HtmlElement | None],
    is_wanted: Callable[[HtmlElement], bool],
) -> HtmlElement | None:
    """Give the nearest element that is wanted, from one upwards; ``places`` keeps what was found for others."""
    path: list[HtmlElement] = []
    found: HtmlElement | None = None
    one: HtmlElement | None = element
    while one is not None and len(path) <= _DEEPEST:
        if one in places:
            found = places[one]
            break
        path.append(one)
        if is_wanted(one):
            found = one
            break
        one = one.getparent()
    places.update(dict.fromkeys(path, found))
    return found
