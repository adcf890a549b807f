"""Words with which listings state their number of records, and words of other counts (``data/listing_words.json``)."""

from functools import partial

from gleaner.contracts.word_lists import any_word, words_in

_any = partial(any_word, "listing_words")

SEARCH_NOUN = _any("search_nouns")
"""What only a search or a filter gives: no shop has "2,000 results in stock"."""

NOUN = _any("search_nouns", "nouns")
"""What pages call the records of any list."""

SHOWING = _any("showing")
FOUND = _any("found")
FOUND_BEFORE_A_BARE_COUNT = _any("found_before_a_bare_count")
"""What says of a count that it is of what was found, or of all."""

ALL_TOLD = _any("all_told")
OTHERS = _any("others")
ANOTHER = _any("another")
"""What says, behind a number or before it, that it counts what is not shown: "12 more", "another 12"."""

BEFORE = words_in("listing_words", "before")
"""What may stand before a count of a listing's records, in the same breath."""

BEHIND = words_in("listing_words", "behind")
"""What may follow it."""

LEADING_ON = _any("leading_on")
"""What leads from results to where or what they are."""

LOOKED_FOR = _any("looked_for")
PLACE = _any("places")
UP_TO = _any("up_to")
OUT_OF = _any("out_of")
PAGE = _any("pages")

OTHER_COUNT = rf"\b{_any('other_counts')}\b|{_any('other_counts_unspaced')}"
"""Words of counts of reviews, carts, favourites, chosen things, sizes of pages: of no listing."""
