"""Whether a question asks for everything that the schema describes. Any word beyond that may be a filter: doubt."""

import re
from collections.abc import Iterable, Sequence, Set

from gleaner.structured.fields import Wanted
from gleaner.structured.labels import Words, words_of
from gleaner.structured.visible import SECTION_WORDS
from gleaner.structured.vocabulary import GENERIC, THINGS
from gleaner.word_lists import listed

_VERBS = listed(
    "extract get list give return find collect read scrape show fetch take pull want need please me us i "
    "represent represents describe describes hold holds contain contains extracted"
)
_ALL = listed(
    "all every each the a an of these those full complete entire whole list listing table data row record entry item "
    "everything information info detail for about schema model"
)
_SAID_OF_THINGS = listed("information info detail data record item entry list listing model schema")
"""What may follow the name of a thing without another meaning: "product information"."""
_AS = (("as", "json"), ("in", "json"), ("in", "json", "format"), ("as", "a", "list"), ("as", "structured", "data"))
_WITH = listed("with including and their its along plus together")
_PLACES = listed(
    "from on in at of this that the current page table website site list catalogue catalog below above here listed "
    "shown found"
)
_WHAT_IS = re.compile(r"^\s*(?:what|which|who) (?:is|are) ([^?]*)\?\s*$", re.IGNORECASE)
_OF_THIS = re.compile(
    rf"\b(?:of|for|about|from) (?:this(?: [^\W\d_]+){{1,2}}|(?:the|an?) (?:{'|'.join(sorted(THINGS))}))\W*$",
    re.IGNORECASE,
)
"""On a page about one thing, "this recipe" is that thing."""
_OF_EACH = [[of, each] for of in ("of", "for") for each in ("each", "every", "all", "the")]
_ENDS_OF_PLACES = listed("page table website site list catalogue catalog below above here listed shown found")


def asks_for_everything(query: str | None, wanted: Wanted, nouns: Sequence[Words]) -> bool:
    """Tell whether the question is plain: all records, with fields of the schema, from this page.

    ``nouns`` are the page's own words for its records (headings, captions).
    """
    asked = _WHAT_IS.sub(r"\1", query or "")
    words = [word for word in words_of(asked if wanted.is_list else _OF_THIS.sub("", asked)) if word]
    if not words:
        return True
    if any(word.isdigit() for word in words) or "?" in asked or len(words) > 40:
        return False
    words = _without_each(words, [*wanted.nouns, *nouns])
    things = () if wanted.is_list else tuple((thing,) for thing in THINGS)
    rest = _without_nouns(words, [*wanted.nouns, *nouns, *things])
    return _names_fields_only(rest, wanted, nouns)


def _without_each(words: list[str], nouns: Sequence[Words]) -> list[str]:
    """Give the question without "for each lamp" before it or "of every lamp" after it."""
    for noun in nouns:
        size = len(noun) + 2
        if words[0] == "for" and words[1:2] in (["each"], ["every"]) and tuple(words[2:size]) == noun:
            return words[size:]
        if words[-size : -len(noun)] in _OF_EACH and tuple(words[-len(noun) :]) == noun:
            return words[:-size]
    return words


def _without_nouns(words: list[str], nouns: Iterable[Words]) -> list[str]:
    """Give what follows "extract all products"."""
    at = 0
    while at < len(words) and words[at] in _VERBS:
        at += 1
    while at < len(words) and words[at] in _ALL:
        at += 1
    longest = max((noun for noun in nouns if tuple(words[at : at + len(noun)]) == noun), key=len, default=())
    at += len(longest)
    while longest and at < len(words) and words[at] in _SAID_OF_THINGS:
        at += 1
    form = next((form for form in _AS if tuple(words[-len(form) :]) == form), ())
    return words[at : len(words) - len(form)]


def _names_fields_only(words: list[str], wanted: Wanted, nouns: Sequence[Words]) -> bool:
    """Tell whether the words list fields. One that not all records have may be a filter: "products with a rating"."""
    usable = [field for field in wanted.fields if field.kind != "boolean" and "enum" not in field.schema]
    named = {own for field in usable for own in field.all_names}
    is_named_as_a_thing = any(field.names[0] in (*wanted.nouns, *nouns) and field.kind == "text" for field in usable)
    names = sorted(named | (GENERIC if is_named_as_a_thing else frozenset[Words]()), key=len, reverse=True)
    at, may_name, count = 0, True, 0
    while at < len(words):
        place = _place_ends(words, at)
        if place > at:
            at, may_name = place, False
            continue
        if words[at] in _WITH:
            at, may_name = at + 1, True
            continue
        named = next((own for own in names if tuple(words[at : at + len(own)]) == own), None)
        if named is None or not may_name:
            if may_name and words[at] in ("the", "field", "column"):
                at += 1
                continue
            return False
        at, count = at + len(named), count + 1
    return count != 1 or all(field.is_required and not field.is_nullable for field in usable)


def _place_ends(words: list[str], at: int) -> int:
    """Give where a phrase like "from this page" ends, that begins here; ``at`` when none begins."""
    if words[at] not in ("from", "on", "in", "of", "listed", "shown", "found"):
        return at
    end = at
    while end < len(words) and words[end] in _PLACES:
        end += 1
    return end if words[end - 1] in _ENDS_OF_PLACES else at


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
_NARROWING = listed(
    "top best worst discounted featured sold out expired active inactive upcoming past recent latest new newest "
    "old oldest available unavailable cheap cheapest expensive popular selected recommended missing open closed "
    "free winner winning loser first last only other sale reduced current former future largest smallest "
    "highest lowest biggest"
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
