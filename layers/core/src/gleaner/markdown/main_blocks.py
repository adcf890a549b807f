"""Keep the main content of a page: the stricter filter behind ``main_content``.

Each block of text is given the probability that it is content (``block_features``, ``content_model``). What is kept is
the set of blocks that promises the best F-score of words. A table of data or a listing of code is kept or dropped
whole, and the page's heading always stays.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import islice
from statistics import fmean
from typing import Literal, TypeAlias

from lxml.html import HtmlElement

from gleaner.markdown.block_features import block_features, is_running, main_heading, signature
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
_MOST_ALIKE = 200
"""Blocks of one kind that are judged one by one: a table of 30,000 cells takes 0.3 s then, and not 12."""


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


def keep_main_content(root: HtmlElement, title: str, kind: PageKind = "unknown") -> dict[str, int]:
    """Take out what is not the page's own content; give how many characters of text went."""
    body = root.find("body")
    if body is None:
        return {}
    blocks = text_blocks(body)
    if not blocks:
        return {}
    model = content_model()
    features = block_features(body, blocks, title, KIND_NUMBERS[kind], model.names)
    shares = _settle_wholes(blocks, _judge(model, blocks, features))
    least = least_share(blocks, shares)
    heading = main_heading(blocks, title)
    dropped = [number for number, share in enumerate(shares) if share < least and number != heading]
    remove_blocks(body, blocks, dropped)
    return {"beside the main content": sum(len(blocks[number].text) for number in dropped)}


def least_share(blocks: Sequence[TextBlock], shares: Sequence[float]) -> float:
    """Give the probability from which blocks are kept: where the F-score of words to be expected is highest.

    With ``k`` words kept, ``c`` of them to be expected among the ``n`` words of content, F1 is ``2c / (k + n)``. Where
    the page is no running text, F1.5 is taken, to which a lost word means more than one too many: the short lines of
    listings and products are told from boilerplate less surely.
    """
    size = sum(len(block.text) for block in blocks)
    is_prose = sum(len(block.text) for block in blocks if is_running(block)) >= size / 2
    weight = 1.0 if is_prose else 1.5**2
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


def _judge(model: ContentModel, blocks: Sequence[TextBlock], features: Sequence[Sequence[float]]) -> list[float]:
    """Give each block's probability; of many blocks in elements of one kind the later take the mean of the first."""
    alike: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, block in enumerate(blocks):
        alike[signature(block.element)].append(number)
    judged = sorted(number for numbers in alike.values() for number in numbers[:_MOST_ALIKE])
    known = dict(zip(judged, model.probabilities([features[number] for number in judged]), strict=True))
    for numbers in alike.values():
        if len(numbers) > _MOST_ALIKE:
            mean = fmean(known[number] for number in numbers[:_MOST_ALIKE])
            known.update(dict.fromkeys(numbers[_MOST_ALIKE:], mean))
    return [known[number] for number in range(len(blocks))]


def _settle_wholes(blocks: Sequence[TextBlock], shares: Sequence[float]) -> list[float]:
    """Give all blocks of one table of data, or one listing of code, the mean of theirs, by length."""
    settled = list(shares)
    wholes: defaultdict[HtmlElement, list[int]] = defaultdict(list)
    places: dict[HtmlElement, HtmlElement | None] = {}
    for number, block in enumerate(blocks):
        whole = _whole_around(block.element, places)
        if whole is not None:
            wholes[whole].append(number)
    for numbers in wholes.values():
        size = sum(len(blocks[number].text) for number in numbers)
        share = sum(shares[number] * len(blocks[number].text) for number in numbers) / size
        for number in numbers:
            settled[number] = share
    return settled


def _whole_around(element: HtmlElement, places: dict[HtmlElement, HtmlElement | None]) -> HtmlElement | None:
    """Give the listing of code or the table of data that an element lies in; tables that hold others are layout."""
    path: list[HtmlElement] = []
    whole: HtmlElement | None = None
    for one in (element, *islice(element.iterancestors(), _DEEPEST)):
        if one in places:
            whole = places[one]
            break
        path.append(one)
        if one.tag in ("pre", "table"):
            is_layout = next(one.iterdescendants("table", "form", "h1"), None) is not None
            whole = None if is_layout else one
            break
    places.update(dict.fromkeys(path, whole))
    return whole
