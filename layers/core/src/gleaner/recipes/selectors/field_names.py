"""Does a label, a mark or a text have a word of a field's name?"""

import re
from collections.abc import Collection, Sequence
from unicodedata import combining, normalize

from gleaner.recipes.model import FieldSelector
from gleaner.recipes.selectors.columns import Wanted

_WORD = re.compile(r"[^\W\d_]{2,}")
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SAYS_NOTHING = frozenset(
    {"is", "has", "in", "of", "the", "id", "by", "at", "to", "on", "name", "value", "data", "text"}
)
_SAME_LETTERS = 5


def name_words(steps: Sequence[str]) -> set[str]:
    """Give the telling words of a field's name."""
    return set(words_of(steps[-1])) - _SAYS_NOTHING if steps else set()


def is_named(one: Wanted, selector: FieldSelector, texts: Sequence[str | None] = ()) -> bool:
    """Tell whether a selector, or each of its ``texts``, has a word of the field's name."""
    name = name_words(one.steps)
    mark = f"{selector.name} {selector.attribute}" if selector.kind == "attribute" else ""
    said = f"{selector.value} {selector.prefix} {selector.suffix} {mark}"
    spoken = [text for text in texts if text is not None]
    return shares(name, said) or (bool(spoken) and all(shares(name, text) for text in spoken))


def shares(name: Collection[str], text: str) -> bool:
    """Tell whether a text has one of the words, or one that begins with the same five letters."""
    said = words_of(text)
    return any(word == other or word[:_SAME_LETTERS] == other[:_SAME_LETTERS] for word in name for other in said)


def speaks_of(name: Collection[str], text: str) -> bool:
    """Tell whether a longer word of a text holds one of the words, as what says the opposite does.

    >>> speaks_of({"active"}, "Inactive player"), speaks_of({"active"}, "Retired")
    (True, False)
    """
    said = text.lower()
    return any(len(word) >= _SAME_LETTERS and word in said for word in name)


def words_of(text: str) -> list[str]:
    """Give the words of a name or a label, without accents.

    >>> words_of("publishedAt"), words_of("price-old"), words_of("Pages:"), words_of("Signé")
    (['published', 'at'], ['price', 'old'], ['page'], ['signe'])
    """
    if not text.isascii():
        text = "".join(letter for letter in normalize("NFKD", text) if not combining(letter))
    return [word.lower().removesuffix("s") if len(word) > 3 and word.lower() not in ("at",) else word.lower()
            for word in _WORD.findall(_CAPITAL.sub(" ", text))]  # fmt: skip
