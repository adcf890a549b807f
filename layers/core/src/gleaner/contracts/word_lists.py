"""Lists of words: short ones of code, and those of languages, which are data (``data/*_words.json``).

Such a file has lists by name, and in each the words by language; "" and "code" hold what belongs to none. A word may
be a pattern: "results?".
"""

from collections.abc import Mapping
from functools import cache

from gleaner.contracts.json_text import packaged

_table = cache(packaged)


def listed(text: str) -> frozenset[str]:
    """Give the words of a list that is written with blanks between them.

    >>> sorted(listed("nav menu footer"))
    ['footer', 'menu', 'nav']
    """
    return frozenset(text.split())


def words_by_language(table: str, name: str) -> Mapping[str, list[str]]:
    """Give the words of one of a file's lists, by language."""
    return _table(table)[name]


@cache
def words_in(table: str, *names: str) -> frozenset[str]:
    """Give the words of some of a file's lists, in all languages.

    >>> "ergebnisse" in words_in("listing_words", "before"), "insgesamt" in words_in("listing_words", "before")
    (False, True)
    """
    return frozenset(word for name in names for words in words_by_language(table, name).values() for word in words)


@cache
def any_word(table: str, *names: str) -> str:
    """Give a pattern of all words of some of a file's lists; a longer one is looked for first.

    >>> any_word("paging_words", "records").startswith("(?:offset|")
    True
    """
    return f"(?:{'|'.join(sorted(words_in(table, *names), key=lambda word: (-len(word), word)))})"
