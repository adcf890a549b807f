"""Rank texts by a query: BM25 over words, relative to the best possible score.

Okapi BM25 (Robertson and Zaragoza, 2009) without any model. Words are compared without case, width and accents, and
without plural, -ing and -ed endings; scripts written without spaces (Chinese, Japanese, Thai, …) go by pairs of
characters. A term weighs by how few of the given texts hold it.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gleaner.chunking import chunk_markdown_by_structure

SATURATION = 0.6
"""BM25's k1: low, as texts are short; one mention gives a term about 0.6 of its weight."""
LENGTH_WEIGHT = 0.5
"""BM25's b: how much a long text must mention more."""
PASSAGE_LENGTH = 800
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
TOKEN = re.compile(rf"[{UNSPACED}\U00020000-\U0003ffff]+|[^\W_{UNSPACED}]+(?:['’][^\W_]+)*")
IN_UNSPACED = re.compile(rf"[{UNSPACED}\U00020000-\U0003ffff]")
ACCENTS = re.compile("[\u0300-\u036f]+")


@dataclass(frozen=True, slots=True)
class Passage:
    """A run of a text, ``text[start:end]``, with its score for a query in [0, 1]."""

    start: int
    end: int
    score: float


def rank(query: str, texts: Sequence[str]) -> list[float]:
    """Give the score of each text for the query, in [0, 1]; 0.0 where no term of the query occurs.

    1.0 would be a text that mentions all terms without end. An empty query gives zeros.

    >>> scores = rank("red shoes", ["a blue shoe", "red shoe, size 9", "about us"])
    >>> scores[1] > scores[0] > scores[2] == 0.0
    True
    """
    terms = Counter(_query_terms(query))
    if not terms or not texts:
        return [0.0] * len(texts)
    words = [words_of(text) for text in texts]
    lengths = [len(of_text) for of_text in words]
    counts = [Counter(filter(terms.__contains__, of_text)) for of_text in words]
    average = sum(lengths) / len(lengths) or 1.0
    weights = {term: times * _weight(term, counts) for term, times in terms.items()}
    most = sum(weights.values())
    return [_score(weights, count, length / average) / most for count, length in zip(counts, lengths, strict=True)]


def passages(query: str, markdown: str, limit: int = 5) -> list[Passage]:
    """Give the best passages of a Markdown text for the query, at most ``limit``, the best first.

    Passages are whole paragraphs, rows or items where these fit ``PASSAGE_LENGTH``; the headings above one count as
    part of it. Text without any term of the query is no passage. ValueError when ``limit`` is negative.
    """
    if limit < 0:
        raise ValueError(f"limit is {limit!r}; it must be at least 0")
    if not query.strip():
        return []
    chunks = chunk_markdown_by_structure(markdown, PASSAGE_LENGTH, 0)
    scores = rank(query, [f"{chunk.structural_context}\n{chunk.content}" for chunk in chunks])
    found = sorted(zip(scores, chunks, strict=True), key=lambda pair: (-pair[0], pair[1].start_char))[:limit]
    return [_passage(chunk.content, chunk.start_char, score) for score, chunk in found if score > 0]


def _passage(content: str, start: int, score: float) -> Passage:
    lead = len(content) - len(content.lstrip())
    return Passage(start + lead, start + len(content.rstrip()), score)


def words_of(text: str) -> list[str]:
    """Give the terms of a text as they are compared.

    >>> words_of("Cafés, running 東京都")
    ['cafe', 'run', '東', '京', '都', '東京', '京都']
    """
    tokens = TOKEN.findall(fold(text))
    if text.isascii():
        return list(map(stem, tokens))
    return [word for token in tokens for word in _words_of_token(token)]


def _words_of_token(token: str) -> list[str]:
    if not IN_UNSPACED.match(token):
        return [stem(token)]
    return [*token, *_pairs(token)]


def _query_terms(query: str) -> Iterator[str]:
    for token in TOKEN.findall(fold(query)):
        if not IN_UNSPACED.match(token):
            yield stem(token)
        elif len(token) == 1:
            yield token
        else:
            yield from _pairs(token)


def _pairs(token: str) -> Iterable[str]:
    return (token[index : index + 2] for index in range(len(token) - 1))


def fold(text: str) -> str:
    """Give the text without case, width and accents.

    >>> fold("ＡÉ ß")
    'ae ss'
    """
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", ACCENTS.sub("", unicodedata.normalize("NFKD", text.casefold())))


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Give the word without a plural, -ing or -ed ending, when enough of it is left.

    >>> [stem(word) for word in ["batteries", "boxes", "prices", "price", "shipping", "glass", "thing"]]
    ['battery', 'box', 'price', 'price', 'ship', 'glass', 'thing']
    """
    word = word.removesuffix("'s").removesuffix("’s")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("xes", "ches", "shes", "sses", "zzes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    for ending in ("ing", "ed"):
        if len(word) > len(ending) + 2 and word.endswith(ending) and re.search("[aeiouy]", word[: -len(ending)]):
            return _undoubled(word[: -len(ending)])
    return word


def _undoubled(root: str) -> str:
    doubled = len(root) > 3 and root[-1] == root[-2] and root[-1] not in "lsz"
    return root[:-1] if doubled else root


def _weight(term: str, counts: Sequence[Counter[str]]) -> float:
    holding = sum(term in count for count in counts)
    return math.log(1 + (len(counts) - holding + 0.5) / (holding + 0.5))


def _score(weights: dict[str, float], count: Counter[str], relative_length: float) -> float:
    base = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * relative_length)
    return sum(weight * count[term] / (count[term] + base) for term, weight in weights.items() if term in count)
