"""Small pages of our own, each of which shows one thing that real pages do: the corpus that is always there."""

from small_pages.design import SmallPage
from small_pages.heads import HEADS
from small_pages.labels import LABELS
from small_pages.lists import LISTS

SMALL_PAGES = (*HEADS, *LABELS, *LISTS)

__all__ = ["SMALL_PAGES", "SmallPage"]
