"""Remove controls that every item repeats: "Reply", "Add to cart", page numbers."""

import re
from collections import Counter

from lxml.html import HtmlElement

from gleaner.html.dom import mark_dropped, raw_text, remove_dropped
from gleaner.html.layout import collapse

_LONGEST = 24
_FEWEST = 3
_PAGE_LINK = re.compile(
    r"\d{1,4}|[«‹<←→>›»…\s]*(?:prev(?:ious)?|next|first|last|older|newer|zurück|weiter|précédent|suivant|anterior|siguiente)?"
    r"(?: page| posts| post)?[«‹<←→>›»…\s]*",
    re.I,
)


def drop_repeated_controls(root: HtmlElement) -> None:
    """Take out links that say the same in many places and lead elsewhere each time, or nowhere; and pagers.

    An author or a category that is linked often leads to one place, and times or prices have digits: both stay.
    """
    texts: Counter[str] = Counter()
    targets: dict[str, set[str]] = {}
    links = [(link, collapse(raw_text(link))) for link in root.iter("a")]
    for link, text in links:
        if text and len(text) <= _LONGEST and not any(map(str.isdigit, text)):
            texts[text] += 1
            targets.setdefault(text, set()).add(link.get("href") or "")
    repeated = {text for text, count in texts.items() if count >= _FEWEST and _lead_apart(targets[text], count)}
    for link, text in links:
        if text in repeated:
            mark_dropped(link)
    for block in {link.getparent() for link, text in links if text.isdigit()}:
        if block is not None and (pager := _pager_around(block)) is not None and pager is not root:
            mark_dropped(pager)
    remove_dropped(root)


def _lead_apart(targets: set[str], count: int) -> bool:
    """Tell whether links of one text are controls: nowhere to go, or a place of its own for each."""
    return len(targets) == count or all(
        target[:1] in ("", "#") or target.startswith("javascript:") for target in targets
    )


def _pager_around(block: HtmlElement) -> HtmlElement | None:
    """Give the list or box that holds nothing but links to pages, None when the block is no part of one."""
    found = None
    for box in (block, *list(block.iterancestors())[:2]):
        text = collapse(raw_text(box))
        if len(text) > 120 or box.tag in ("body", "main", "table", "tr", "td"):
            break
        linked = [collapse(raw_text(link)) for link in box.iter("a")]
        if (
            len(linked) >= 2
            and all(_PAGE_LINK.fullmatch(one) for one in linked)
            and len(text) <= sum(map(len, linked)) + 40
        ):
            found = box
    return found
