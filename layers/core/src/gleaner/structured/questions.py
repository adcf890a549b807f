"""Whether a question asks for everything that the schema describes. Any word beyond that may be a filter: doubt."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from gleaner.contracts.word_lists import listed
from gleaner.structured.fields import Field, Wanted
from gleaner.structured.labels import Label, Words, is_plural, words_of
from gleaner.structured.names import mean_the_same
from gleaner.structured.phrases import COMPLETE, ORDERS, PHRASES
from gleaner.structured.silence import is_called
from gleaner.structured.translations import in_english
from gleaner.structured.visible import SECTION_WORDS
from gleaner.structured.vocabulary import GENERIC, THINGS

Record = Mapping[str, Any]

_PIECE = re.compile(r"[^\W_]+|[^\s\w]")
_PAUSES = frozenset(",;:.()/&+•|–—*-?!¿¡\n")
_SILENT = re.compile(r"['’]s\b|['’\"“”„‘`_«»]|(?<=\w)-(?=\w)")
_LIST_PRICE = re.compile(r"\blist price\b", re.IGNORECASE)
"""A price of its own, and no list of prices."""
_MOST_PIECES = 60
_LONGEST_NAME = 6
_TELLING_LETTERS = 3
_MARKS = re.compile("[\u0300-\u036f]")
_STEMS = {
    "de": re.compile(r"(?:en|er|[ens])$"),
    "nl": re.compile(r"(?:en|[ens])$"),
    "fr": re.compile(r"[ex]$"),
    "es": re.compile(r"e$"),
    "it": re.compile(r"[aeio]$"),
}
"""The endings of nouns; "s" is taken off every word."""
_SHORTEST_STEM = 3
_NARROWING = listed(
    "top best worst discounted featured sold out expired active inactive upcoming past recent latest new newest "
    "old oldest available unavailable cheap cheapest expensive popular selected recommended missing open closed "
    "free winner winning loser first last only other sale reduced current former future largest smallest "
    "highest lowest biggest finalist semifinalist nominee champion laureate bestseller favorite favourite"
)
_LINKING = listed("of in at on the")
_BETWEEN = frozenset({"a", "the", "of", "in"})
"""What a name neither begins nor ends with."""
_GOODS = listed("product article")
"""Words for what has a price."""


@dataclass(frozen=True, slots=True)
class _Question:
    """What may be said in a question about these records: their names, and the fields' names.

    ``gaps`` are the fields that one of the records found has no value for: to name them may leave that one out.
    """

    wanted: Wanted
    nouns: Collection[Words]
    gaps: Set[str]
    language: str

    def parts(self, pieces: Sequence[str], at: int) -> Iterator[tuple[str, int]]:
        """Give what the phrases that begin at a place may do, and where they end."""
        if pieces[at] in _PAUSES:
            yield "and", at + 1
        for end in range(at + 1, min(at + _LONGEST_NAME, len(pieces)) + 1):
            if not pieces[end - 1][0].isalnum():
                return
            text = " ".join(pieces[at:end])
            words = words_of(text)
            yield from ((part, end) for part in PHRASES[self.language].get(words, ()))
            yield from ((part, end) for part in self._named(words, text))

    def _named(self, words: Words, text: str) -> Iterator[str]:
        ends = (PHRASES[self.language].get(word, frozenset()) for word in (words[:1], words[-1:]))
        if not _BETWEEN.isdisjoint(part for parts in ends for part in parts):
            return
        is_noun = any(self._are_one(words, noun) for noun in self.nouns)
        if is_noun and self.wanted.is_list:
            yield "one" if self.language == "en" and not any(map(is_plural, text.split())) else "thing"
        elif is_noun:
            yield from ("thing", "it")
        elif not self.wanted.is_list and len(words) == 1 and words[0] in THINGS and not self._is_known_as_a_thing():
            yield "it"
        for field in self.wanted.fields:
            if self._names(words, field):
                yield from self._parts_of(field, is_noun)

    def _is_known_as_a_thing(self) -> bool:
        return any(noun[-1] in THINGS for noun in self.nouns)

    def _parts_of(self, field: Field, is_noun: bool) -> tuple[str, ...]:
        if field.kind == "boolean" or "enum" in field.schema or not _NARROWING.isdisjoint(field.names[0]):
            return ("flag",)
        return ("field", "gap" if field.name in self.gaps else "sure", *(() if is_noun else ("other",)))

    def _names(self, words: Words, field: Field) -> bool:
        known = (*field.all_names, *(GENERIC if not {*self.nouns}.isdisjoint(field.names[:1]) else ()))
        return any(
            self._are_one(said, own) or mean_the_same(said, own)
            for each in known
            for said, own in ((words, each), (self._in_english(words), self._in_english(each)))
        )

    def _in_english(self, words: Words) -> Words:
        return next((said for each in (words, self._stem(words)) if (said := self._known(each)) != each), words)

    def _known(self, words: Words) -> Words:
        return in_english(Label("", words), self.language).words

    def _are_one(self, one: Words, other: Words) -> bool:
        return one == other or self._stem(one) == self._stem(other)

    def _stem(self, words: Words) -> Words:
        words = tuple(word for word in words if word not in _LINKING) or words
        ending = _STEMS.get(self.language)
        if ending is None:
            return words
        bare = (_MARKS.sub("", unicodedata.normalize("NFD", word)) for word in words)
        return tuple(ending.sub("", word) if len(word) > _SHORTEST_STEM else word for word in bare)


def asks_for_everything(
    query: str | None, wanted: Wanted, nouns: Sequence[Words], records: Sequence[Record] = (), language: str = ""
) -> bool:
    """Tell whether the question is plain: all records, with fields of the schema, from this page.

    ``nouns`` are the page's own words for its ``records``, ``language`` is the page's.
    """
    if _LIST_PRICE.search(query or ""):
        return False
    pieces = _PIECE.findall(_SILENT.sub(" ", (query or "").casefold()))
    while pieces and pieces[-1] in _PAUSES:
        pieces.pop()
    if len(pieces) > _MOST_PIECES:
        return False
    gaps = {each.name for each in wanted.fields if any(record.get(each.name) is None for record in records)}
    called = {*wanted.nouns, *nouns}.difference(GENERIC)
    called |= {(noun,) for noun in (_GOODS if any(is_called(field, "price") for field in wanted.fields) else ())}
    is_plain = _is_plain(pieces, _Question(wanted, called, gaps, _language_of(pieces, language)))
    return is_plain and not (wanted.is_list and _names_a_record(pieces, records))


def _names_a_record(pieces: Sequence[str], records: Sequence[Record]) -> bool:
    """Tell whether a text of one of the records stands in the question: "Elk mugs" where one is called so."""
    asked, size = " ".join(pieces), range(1, _LONGEST_NAME + 1)
    said = {words_of(" ".join(pieces[at : at + long])) for at in range(len(pieces)) for long in size}
    texts = {value for record in records for value in record.values() if isinstance(value, str)}
    near = (text for text in texts if text[:_TELLING_LETTERS].casefold() in asked)
    return any(words_of(text) in said for text in near if any(map(str.isalnum, text)))


def _language_of(pieces: Sequence[str], language: str) -> str:
    """Give the language that knows most words of the question; of several the page's, then English."""
    words = [words_of(piece) for piece in pieces]
    return max(PHRASES, key=lambda each: (sum(word in PHRASES[each] for word in words), each == language))


def _is_plain(pieces: Sequence[str], question: _Question) -> bool:
    reached: list[set[str]] = [{"start"}, *(set[str]() for _ in pieces)]
    for at, states in enumerate(reached[:-1]):
        for part, end in question.parts(pieces, at) if states else ():
            reached[end] |= {ORDERS[state, part] for state in states if (state, part) in ORDERS}
    return not COMPLETE.isdisjoint(reached[-1])


_OF_ONE = re.compile(
    r"^\s*(?:(?:represents|describes|holds|contains|(?:information|info|details|data) (?:about|of|on|for)) )?"
    r"(?:an?|one|the) (?:single )?",
    re.IGNORECASE,
)
"""What a remark on one record begins with."""


def remarks_are_plain(wanted: Wanted, nouns: Sequence[Words]) -> bool:
    """Tell whether what the schema says of its records as a whole narrows nothing down."""
    return all(asks_for_everything(_OF_ONE.sub("", remark), wanted, nouns) for remark in wanted.remarks)


_GENERAL = listed(
    "list record item row entry data result response table page info information detail model schema collection "
    "set output extraction extracted extract scraped catalog catalogue listing all object array content "
    "container root document product thing element overview summary index directory our"
)
_SPECIFIC = listed(
    "player team club company organization employee person people student country city town station airport "
    "hotel restaurant museum park lake river mountain bridge building tower castle ship vessel aircraft car "
    "vehicle dish recipe language species plant animal bird planet star school university bank event job film "
    "movie book song album course project man men woman women boy girl adult child junior senior"
)


def names_are_plain(wanted: Wanted, nouns: Sequence[Words], page_words: Set[str], cell_words: Set[str]) -> bool:
    """Tell whether what the schema calls its records is what the page shows: "players", not "best players".

    ``nouns`` are the page's headings and captions, ``page_words`` all its words; ``cell_words`` are those that stand
    alone in cells of tables: "red_bulbs" asks for the rows with "red" in them.
    """
    headed = {word for noun in nouns for word in noun}
    called = [_without_general(noun) for noun in wanted.nouns]
    if any(word in _NARROWING and word not in headed for noun in called for word in noun):
        return False
    if any(word not in page_words and word not in _GENERAL for noun in called for word in noun[:-1]):
        return False
    if any(word in cell_words and word not in headed for noun in called for word in noun):
        return False
    things = {noun[-1] for noun in called if noun} & _SPECIFIC
    others = {noun[-1] for noun in nouns} & _SPECIFIC
    return not things or not others or bool(things & (headed | page_words))


def wrapper_is_plain(wanted: Wanted, nouns: Sequence[Words]) -> bool:
    """Tell whether the properties around the one object name a thing, and no part of it: "product", not "lid".

    ``nouns`` are the page's headings.
    """
    known = THINGS | _GENERAL | _SPECIFIC | SECTION_WORDS | {word for noun in nouns for word in noun}
    return all(words_of(step)[-1:] == () or words_of(step)[-1] in known for step in wanted.steps)


def _without_general(noun: Words) -> Words:
    while len(noun) > 1 and noun[-1] in _GENERAL:
        noun = noun[:-1]
    return noun
