"""In which role a page's text says a value: "by Ann", "Photos: Ann" and "from Hale to Ripon" say different things."""

import re
from bisect import bisect_left
from collections.abc import Sequence, Set
from functools import lru_cache, partial

from gleaner.contracts.word_lists import listed
from gleaner.structured.amounts import Span
from gleaner.structured.descriptions import is_known, words_beside
from gleaner.structured.fields import Field
from gleaner.structured.labels import is_plural, words_of
from gleaner.structured.measures import TIMES, unit_named
from gleaner.structured.names import mean_the_same
from gleaner.structured.silence import PROSE, is_called, own_words

_LEADING = frozenset(
    words_of(
        "by in at on the a an of is my our mr mrs ms dr prof von par de di da do door av af bei im am durch del della "
        "der die das le la les el los por per przez fra från"
    )
)
PERSONS = listed("author writer director artist composer editor illustrator translator photographer creator")
_OF_THINGS = listed("in at on")
"""Words that lead to places and days, but not to people."""
_PARTS = re.compile(r"[\n|·•;,–—()\[\]*_#]|(?<=\w{4})\.\s|\s[-/]\s|\\")
_LABEL = re.compile(r"(?:^|[|(·•*_-])\s*([^\W\d_][^:|\n()]{1,30})[:：]\s[^:]*$")
_LABELLED = re.compile(
    r"(?m)^[ \t|*_•-]*([^\W\d_][^:|*\n]{0,30})[*_]{0,2}(?:\s*[:：]|[^\S\n]*\|)[*_|]{0,2}\s*(\S[^\n|]*)"
)
_OF_PLACES = listed("address location venue place contact adresse dirección indirizzo adres visit")
_OF_ANY = listed("count number of date datetime time at on in total value year amount")
"""Words of fields that say nothing of what is counted or dated."""
_FIGURE = re.compile(
    r"\d{1,2}(?:st|nd|rd|th|\.)? (?:de )?[^\W\d_]{3,12}\.?,? (?:de )?\d{4}"
    r"|[^\W\d_]{3,12}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}"
    r"|\d(?:[\d.,:/'’-]*\d)?"
)
_DONE_BY = re.compile(r"([^\W\d_]{3,}) (?:by|par|por|door)\s[^\n.;|:]*,\s*\Z")
BYLINE_WORDS = "von|par|por|door|av|af|di"
"""What "by" is in other languages; each is a part of names, too."""
_BYLINE = re.compile(
    rf"^[*_# ]{{0,8}}(?:by|{BYLINE_WORDS}):? ([^\W\d_][^\W\d_.'’-]*(?: [^\W\d_][^\W\d_.'’-]*){{1,4}})[*_ ]{{0,8}}$",
    re.IGNORECASE | re.MULTILINE,
)
_WORD = re.compile(r"[^\W\d_]+")
_LINE = re.compile(r"[^\n]+")
SCALE_BEFORE = re.compile(r"(?:/|\b(?:out of|of|von|sur|de|su|van|av|af))\s*\Z", re.IGNORECASE)
_LONGEST_PARTICLE = 2
_NEAR = 25
_AND_ANOTHER = re.compile(r"\s*(?:[,/;&]|and\b|or\b|und\b|et\b)\s*([^\W\d_])")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_WRITING = listed("to call or write me please")
"""Words that lead to the only e-mail address of a page."""
_MOST_LEADING = 2
_COLON = re.compile("[:：]")
_NUMERAL = re.compile(r"\d[\d.,]*")
_COUNTED = re.compile(r"(\d[\d.,]*)[^\S\n]+([^\W\d_]+)")


def is_in_its_role(field: Field, text: str, value: str, beside: Set[str] = frozenset()) -> bool:
    """Tell whether one of the places of a text field's value stands alone or is led to by the field's words only.

    ``beside`` are the words of the record's other values: "Oak Hall is at 2 Pier Road" leads to a street.

    >>> from gleaner.structured.fields import read_wanted
    >>> wanted = read_wanted({"type": "object", "properties": {"author": {"type": "string"}}})
    >>> [is_in_its_role(wanted.fields[0], text, "Ann Lo") for text in ("By Ann Lo, May 1", "Photos: Ann Lo")]
    [True, False]
    """
    is_heading = is_called(field, "name") or is_called(field, "title")
    if field.kind != "text" or is_heading or not PROSE.isdisjoint(field.names[0]):
        return True
    if is_a_person(field) and _names_another(text, value):
        return False
    known = own_words(field) | words_beside(field) | beside
    if _EMAIL.findall(text) == [value]:
        known |= _WRITING
    places = [each.start() for each in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text)]
    if _has_twins(text, value):
        places = [at for at in places if not own_words(field).isdisjoint(words_of(_PARTS.split(text[:at])[-1]))]
    return any(
        _leads(_PARTS.split(text[:at])[-1], known, field)
        and _is_under(field, text, at, known)
        and not _is_of_another(text[:at], known)
        for at in places
    )


def is_a_person(field: Field) -> bool:
    """Tell whether the field names who made something."""
    return any(names[-1] in PERSONS for names in field.names)


def _names_another(text: str, person: str) -> bool:
    """Tell whether a line of its own says that the text is by somebody else, too."""
    names = (match[1] for match in _BYLINE.finditer(text))
    return any(person not in name and all(word[0].isupper() for word in name.split()) for name in names)


def _has_twins(text: str, value: str) -> bool:
    """Tell whether a text of figures, such as a time or a telephone number, has others of its form beside it."""
    if value.upper() != value or not any(map(str.isdigit, value)):
        return False
    form = re.sub(r"[A-Z]", "[A-Z]", re.sub(r"\d", r"\\d", re.escape(value)))
    return any(each[0] != value for each in re.finditer(rf"(?<![\w]){form}(?!\w)", text))


def _is_of_another(before: str, known: set[str]) -> bool:
    """Tell whether a value stands after a comma behind somebody: "organised by Mud Club, Kirk"."""
    doer = _DONE_BY.search(before)
    return doer is not None and not is_known(doer[1].casefold(), known)


def _is_under(field: Field, text: str, at: int, known: set[str]) -> bool:
    """Tell whether the last label before a place on its line is known, if there is one: "Next stop:" is not.

    Under "Sizes:" several values stand, one of which is no size.
    """
    label = _LABEL.search(text[text.rfind("\n", 0, at) + 1 : at])
    words = words_of(label[1]) if label else ()
    if label and "," in label[0] and is_plural(label[1]) and not is_plural(field.name):
        return False
    return all(word in _LEADING or word in _OF_PLACES or is_known(word, known) for word in words[-1:])


def is_labelled_otherwise(field: Field, text: str, value: str) -> bool:
    """Tell whether a line of the text has the field's own name as a label, and not the value after it.

    >>> from gleaner.structured.fields import read_wanted
    >>> wanted = read_wanted({"type": "object", "properties": {"model": {"type": "string"}}})
    >>> [is_labelled_otherwise(wanted.fields[0], text, "Vole 6") for text in ("Model: Six", "Model: Vole 6")]
    [True, False]
    """
    own = [
        (label, after)
        for label, after in _labelled(text)
        if any(map(partial(mean_the_same, words_of(label)), field.all_names))
    ]
    return bool(own) and not any(
        value in after and not _is_one_of_several(field, label, after, value) for label, after in own
    )


@lru_cache(maxsize=2)
def _labelled(text: str) -> tuple[tuple[str, str], ...]:
    """Give the labels of a text with what stands after them on their lines; every value of a page asks for them."""
    return tuple((match[1], match[2]) for match in _LABELLED.finditer(text))


def _is_one_of_several(field: Field, label: str, said: str, value: str) -> bool:
    """Tell whether others follow the value under its label: "Colours: Black, brown". "Hall, Hale" is one place."""
    other = _AND_ANOTHER.match(said.partition(value)[2])
    return other is not None and (other[1].islower() or (is_plural(label) and not is_plural(field.name)))


def _leads(before: str, known: set[str], field: Field) -> bool:
    words = words_of(before)
    if words and before.rstrip(" \u00a0").endswith((":", "：")):
        said = words_of(_COLON.split(before)[-2])
        label = [word for word in said if word not in _LEADING and not word.isdecimal()][-_MOST_LEADING:]
        if label:
            are_known = all(is_known(word, known) for word in label)
            return are_known and (is_plural(field.name) or not is_plural(before))
    if is_a_person(field) and not _OF_THINGS.isdisjoint(words[-1:]):
        return False
    return all(word in _LEADING or is_known(word, known) for word in words)


def leads_elsewhere(field: Field, markdown: str, mention: Span, part: Span, known: Sequence[Span]) -> bool:
    """Tell whether one of the field's words stands closer to another figure of its line than to the value's.

    ``part`` is where the record is shown, ``known`` are the places that prove values: words may lead to those.

    >>> from gleaner.structured.fields import read_wanted
    >>> wanted = read_wanted({"type": "object", "properties": {"pages": {"type": "integer"}}})
    >>> leads_elsewhere(wanted.fields[0], "212 pages, 1998", (11, 15), (0, 15), [(11, 15)])
    True
    """
    own = {word for word in own_words(field) - _OF_ANY if len(word) > _LONGEST_PARTICLE}
    value = markdown[slice(*mention)]
    for line in _LINE.finditer(markdown, *part):
        words = [
            word.span() for word in _WORD.finditer(markdown, *line.span()) if not own.isdisjoint(words_of(word[0]))
        ]
        if not words:
            continue
        figures = _figures_with_scales(markdown, line.span())
        meant = [each.span() for each in re.finditer(re.escape(value), line[0])]
        meant = [(start + line.start(), end + line.start()) for start, end in meant]
        meant += known[max(0, bisect_left(known, line.span()[:1]) - 1) : bisect_left(known, (line.end(),))]
        for word in words:
            distance, nearest = min(((_distance(each, word), each) for each in figures), default=(_NEAR, word))
            if distance < _NEAR and not any(start < nearest[1] and nearest[0] < end for start, end in meant):
                return True
    return False


def _figures_with_scales(markdown: str, line: Span) -> list[Span]:
    """Give the figures of a line, with the scale that stands behind one as a part of it: "4.5 out of 5"."""
    figures: list[Span] = []
    for figure in _FIGURE.finditer(markdown, *line):
        scale = SCALE_BEFORE.search(markdown, max(line[0], figure.start() - _NEAR), figure.start())
        if scale is None:
            figures.append(figure.span())
        elif figures and not markdown[figures[-1][1] : scale.start()].strip():
            figures[-1] = (figures[-1][0], figure.end())
    return figures


def _distance(one: Span, other: Span) -> int:
    return max(one[0] - other[1], other[0] - one[1])


def is_counted_once(field: Field, text: str, number: str) -> bool:
    """Tell whether no other number stands before the noun that the field's does: "300 pages are slow; 512 in all"."""
    own = {word for word in own_words(field) if field.suffix in (None, *TIMES) or unit_named(word) != field.suffix}
    counted = [(each, noun) for each, noun in _COUNTED.findall(text) if not own.isdisjoint(words_of(noun))]
    said = _NUMERAL.match(number)
    stated = [said is not None and each == said[0] for each, _ in counted]
    return not any(stated) or all(stated)
