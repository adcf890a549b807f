"""Whether a question asks for all that the page lists: it does when it says nothing that the page is not named for."""

import json
from collections.abc import Iterable
from functools import cache
from importlib import resources

from gleaner.structured.names import words_of


@cache
def _asking() -> frozenset[str]:
    """Give the words that ask for everything (``data/query_words.json``)."""
    stored = json.loads(resources.files("gleaner").joinpath("data/query_words.json").read_text("utf-8"))
    return frozenset(word for words in stored.values() for each in words for word in words_of(each))


def restricting_words(query: str, known: Iterable[str]) -> list[str]:
    """Give the words of a question that are neither ways to ask for everything nor words of the ``known`` names.

    ``known`` are the schema's names and the page's headers and headings. Whatever else is asked may leave records out.

    >>> restricting_words("List all lamps with their price", ["Lamps", "price"])
    []
    >>> restricting_words("only lamps under $50", ["Lamps", "price"])
    ['only', 'under', '50']
    """
    named = {word for text in known for word in words_of(text)} | _asking()
    return [word for word in words_of(query) if word not in named]
