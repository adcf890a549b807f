"""What controls say that lead on in a listing: "next", "load more", "view all" (``data/paging_words.json``)."""

import re

from gleaner.contracts.word_lists import any_word
from gleaner.units.listing_words import NOUN

_MOST_WORDS = 2
"""Words that may follow "load more": "load more used lamps"."""

_NEXT = re.compile(
    rf"\W{{0,3}}{any_word('paging_words', 'next')}(?:\s+\d{{1,5}}(?:\s+{NOUN})?)?\W{{0,3}}", re.IGNORECASE
)
_MORE = re.compile(rf"{any_word('paging_words', 'more')}(?:\s+\S+){{0,{_MOST_WORDS}}}", re.IGNORECASE)
_ALL = re.compile(rf"{any_word('paging_words', 'all')}(?:\s+\S+){{0,{_MOST_WORDS}}}", re.IGNORECASE)


def says_next(text: str) -> bool:
    """Tell whether a control's text leads to a next page, with at most some signs around it.

    >>> says_next("Next »"), says_next("Nächste Seite"), says_next("Next 10 results"), says_next("Next 7 days")
    (True, True, True, False)
    """
    return _NEXT.fullmatch(text) is not None


def says_more(text: str) -> bool:
    """Tell whether a control's text asks for more of the same.

    >>> says_more("Load more products"), says_more("Mehr anzeigen"), says_more("More about our shop")
    (True, True, False)
    """
    return _MORE.fullmatch(text) is not None


def says_all(text: str) -> bool:
    """Tell whether a control's text leads to all of what the page shows a part of.

    >>> says_all("View all lamps (137)"), says_all("All lamps")
    (True, False)
    """
    return _ALL.fullmatch(text) is not None
