"""Whether pieces of a page are like those that gave records, by what they state and how they are written. Pure."""

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from itertools import filterfalse, takewhile
from statistics import median

from gleaner.judging.origins.regions import Span, Stretches, related_sections
from gleaner.page.blocks import is_title
from gleaner.units.vocabulary import LABELLED
from gleaner.values.money_signs import SIGN

_MOST = 0.8
_FIGURE = r"\d"
_MARKS = tuple(
    re.compile(pattern)
    for pattern in (
        SIGN,
        r"\d\s?%",
        r"\d[:.,]\d\d\b(?!\d)",
        r"\b(?:19|20)\d\d\b",
        _FIGURE,
    )
)
"""Kinds of things that a record states: money, percents, times of day or prices, years, any number."""


_AD = re.compile(
    r"^\W{0,9}(?:sponsored|advertisement|promoted|anzeige|werbung|publicit\w{1,3}|publicidad|reklam\w?|реклама|広告|广告)\b",
    re.IGNORECASE | re.MULTILINE,
)
_SENTENCE_END = re.compile(r"\S[.!?。…]\W{0,3}\Z")
_FEWEST_WORDS = 6
_TIMES_AS_LONG = 2
_TIMES_AS_USUAL = 3
_OPENING = "[(!"
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W_]+")
_SAMPLE = 20
_PARTING = ("\n", ":", ",", ";", "|", "–", "—", "·", "/", "(", "..", "  ")
"""Signs that part the values of a record that is no prose."""

_FEWEST_GIVEN = 3
FEWEST_LISTED = 3
_FEWEST_IN_A_REMARK = 4


def read_alike(groups: Mapping[int, Sequence[Span]], given: Sequence[Span], text: str) -> list[int]:
    """Give those groups that are no listing by their looks, such as paragraphs and lines, and read like the records.

    Each piece states the same kinds of things, more than a bare number, or has as many parts between the same signs. It
    is about as long as the records, and no sentence: below a table of products come others as typed text, but also
    notes on what delivery costs.
    """
    records = [text[start:end] for start, end in given]
    said = kinds_stated(records)[0]
    form = frozenset[tuple[str, int]]().union(*map(_form, records)).intersection(*map(_form, records))
    usual = median(map(len, records))

    def reads_alike(one: str) -> bool:
        is_as_long = usual / _TIMES_AS_USUAL <= len(one) <= usual * _TIMES_AS_USUAL
        is_formed = bool(said - {_FIGURE}) or form <= _form(one)
        return is_as_long and is_formed and said <= kinds_stated([one])[1] and not is_prose(one)

    if not (said - {_FIGURE} or (form and len(given) >= _FEWEST_GIVEN)):
        return []
    alike = {
        group: some
        for group, some in groups.items()
        if len(some) >= FEWEST_LISTED and all(reads_alike(text[slice(*span)]) for span in some)
    }
    return _apart(alike, given, text)


def _form(text: str) -> frozenset[tuple[str, int]]:
    """Give the signs that part the values of a line, with their number."""
    line = text.strip()
    return frozenset((sign, line.count(sign)) for sign in _PARTING if sign in line and "\n" not in line)


def like_given(groups: Mapping[int, Sequence[Span]], given: Sequence[Span], text: str) -> list[int]:
    """Give the groups of units that state the kinds of things that those with a record state, and lie apart from these.

    What stands in a section of related things ("You may also like") is not like the records, and neither is a list of
    which most pieces say nothing of their own: a "Top 3" of the records, facets that differ in nothing but figures.
    """
    said = kinds_stated([text[start:end] for start, end in given])[0] if groups else frozenset[str]()
    alike = {
        group: some
        for group, some in groups.items()
        if said and said <= kinds_stated([text[start:end] for start, end in some])[0]
    }
    return _apart(alike, given, text)


def _apart(groups: Mapping[int, Sequence[Span]], given: Sequence[Span], text: str) -> list[int]:
    """Give those groups that lie apart from the records and from sections of related things, and say something new."""
    if not groups:
        return []
    records = [text[start:end] for start, end in given]
    shut = Stretches([*given, *related_sections(text)])
    return [
        group
        for group, some in groups.items()
        if not any(shut.touch(start, end) for start, end in some)
        and _say_anew([text[start:end] for start, end in some[:_SAMPLE]], records)
    ]


def _say_anew(texts: Sequence[str], records: Sequence[str]) -> bool:
    """Tell whether most texts say what no record does, and differ in more than figures, if the records do.

    >>> _say_anew(["Elm, 2 €", "Fir, 3 €"], ["Oak, 9 €", "Ash, 8 €"]), _say_anew(["To 2 €", "To 3 €"], ["Oak, 9 €"])
    (True, False)
    """
    known = {*map(_words, records)}
    new = [words for words in map(_words, texts) if not any(words <= own for own in known)]
    return 2 * len(new) > len(texts) and (_differ_in_words({*new}) or not _differ_in_words(known))


def _differ_in_words(pieces: Collection[frozenset[str]]) -> bool:
    return 2 * len({frozenset(filterfalse(str.isdecimal, words)) for words in pieces}) > len(pieces)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def kinds_stated(texts: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Give the kinds of things (money, times, numbers; by their patterns) that most of the texts state, and any does.

    >>> [len(kinds) for kinds in kinds_stated(["2 eggs", "300 g flour", "salt"])]
    [0, 1]
    """
    shares = {mark.pattern: _share(mark, texts) for mark in _MARKS}
    most = frozenset(mark for mark, share in shares.items() if share >= _MOST)
    return most, frozenset(mark for mark, share in shares.items() if share)


def calls_itself_an_ad(text: str) -> bool:
    """Tell whether a line of a piece begins with the label of an advertisement.

    >>> calls_itself_an_ad("**Sponsored** Best lamps"), calls_itself_an_ad("Advert desk")
    (True, False)
    """
    return _AD.search(text) is not None


def is_unlike(text: str, given: Sequence[str]) -> bool:
    """Tell whether a piece is something else than those that gave records: an introduction, a remark between them.

    It states none of the kinds of things that these state, and is of another size, or running text; a bare number
    counts only where these state nothing else. Or all of these begin with the same signs, of a list, of bold type or a
    quotation, and it does not. Or it has no letter, as a day without an appointment, or is a heading among pieces that
    have none. Or it is a sentence, or stands in brackets, without any of the signs that part the values of all of
    these, of which none is a sentence. Only for pieces that are no listing by their own looks.

    >>> is_unlike("All of our lamps are made by hand.", ["Larch lamp, 12 €", "Ash lamp, 9 €"])
    True
    """
    said, says = kinds_stated(given)[0], kinds_stated([text])[1]
    if (
        _begins_otherwise(text, given)
        or _is_remark_among(text, given)
        or (given and not _LETTER.search(text) and all(map(_LETTER.search, given)))
    ):
        return True
    if given and is_title(text.strip()) and not any(is_title(one.strip()) for one in given):
        return True
    if not given or (said - {_FIGURE} or said) & says or _have_labels_in_common([text, *given]):
        return False
    if said and _is_of_another_size(text, given):
        return True
    return is_prose(text) and (bool(said) or not any(map(is_prose, given)))


def _have_labels_in_common(texts: Sequence[str]) -> bool:
    """Tell whether a line of each of these texts has the same label: "Decision: …"."""
    labels = ({label[1].casefold() for line in text.splitlines() if (label := LABELLED.match(line))} for text in texts)
    return len(texts) >= _FEWEST_GIVEN and bool(set.intersection(*labels))


def _begins_otherwise(text: str, given: Sequence[str]) -> bool:
    """Tell whether some records all begin with the same signs, and no line of a piece does.

    >>> _begins_otherwise("*rye, dill*", ["**Trout** 9", "**Soup** 7", "**Plum cake** 6"])
    True
    """
    signs = {*map(_first_signs, given)} if len(given) >= _FEWEST_GIVEN else {""}
    return len(signs) == 1 and signs.isdisjoint({"", *map(_first_signs, text.splitlines())})


def _first_signs(text: str) -> str:
    """Give the punctuation that a text begins with; none where that belongs to a link, an aside or a number."""
    said = text.strip()
    signs = "".join(takewhile(_is_sign, said))
    return "" if said[len(signs) : len(signs) + 1].isdecimal() else signs


def _is_sign(letter: str) -> bool:
    return unicodedata.category(letter).startswith("P") and letter not in _OPENING


def _is_remark_among(text: str, given: Sequence[str]) -> bool:
    """Tell whether a piece is a sentence, or stands in brackets, among records that are not, and parts no values."""
    if len(given) < _FEWEST_GIVEN or not is_aside(text) or any(map(is_aside, given)):
        return False
    parting = [sign for sign in _PARTING if all(sign in one.strip() for one in given)]
    return bool(parting) and not any(sign in text.strip("( \n") for sign in parting)


def is_aside(text: str) -> bool:
    """Tell whether a text is a sentence, or stands in brackets.

    >>> is_aside("Ask for Box 9 at Rs 990."), is_aside("Box 9, Rs 990")
    (True, False)
    """
    said = text.strip()
    is_sentence = _SENTENCE_END.search(said) is not None and len(said.split()) >= _FEWEST_IN_A_REMARK
    return is_sentence or (said.startswith("(") and said.find(")") == len(said) - 1)


def is_prose(text: str) -> bool:
    """Tell whether a piece ends as running text does: with the end of a sentence of some words.

    >>> is_prose("The line is laid by a firm of Leeds."), is_prose("Calder Freight, Leeds")
    (True, False)
    """
    return _SENTENCE_END.search(text.strip()) is not None and len(text.split()) >= _FEWEST_WORDS


def _is_of_another_size(text: str, given: Sequence[str]) -> bool:
    lines = {one.strip().count("\n") for one in given}
    sizes = [len(one) for one in given]
    is_as_long = min(sizes) / _TIMES_AS_LONG <= len(text) <= max(sizes) * _TIMES_AS_LONG
    return text.strip().count("\n") not in lines or not is_as_long


def _share(mark: re.Pattern[str], texts: Sequence[str]) -> float:
    return sum(mark.search(text) is not None for text in texts) / max(1, len(texts))
