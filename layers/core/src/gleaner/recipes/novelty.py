"""What a page about one thing has that pages before it did not: a value that seems absent may stand there.

A page's places go by signs: an element's tag, id, classes and marks, and its parent's. A place is *open* when its texts
are another one on most pages, as in prose; in all others a text that is new may say something new.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from hashlib import blake2b
from itertools import islice
from typing import Any

from lxml import etree
from lxml.html import HtmlElement

from gleaner.html.dom import classes_of
from gleaner.html.elements import HEADINGS
from gleaner.recipes.boxes import Box, squeeze, text_of
from gleaner.recipes.class_names import is_hashed, stem_of
from gleaner.recipes.decoding import masked
from gleaner.recipes.labels import name_of, without_name
from gleaner.recipes.leads import leads_in
from gleaner.recipes.markers import is_icon, names_of
from gleaner.recipes.pieces import Cutter

Places = dict[str, dict[str, int]]
"""For each sign of a place, and each text that stood there (both as short hashes), on how many pages it did."""

ANYTHING = ""
"""Stands for the place itself among its texts."""

ANY_LABEL = "*"
"""Stands for all labels of a place."""

_LEADS = ">>"
"""Ends the signs of places whose texts lead to others."""

_AGAIN = " (again)"

_COUNTING, BARE = "9", "#"
"""Begin the hashes of a text with numbers, and of the same with any numbers."""

_SAID = ("aria-label", "title", "alt")
_MARKS = ("itemprop", "property", "name", "role", "rel")
_NAMING = frozenset({"dt", "th", "legend", "caption", *HEADINGS})
_RAISED = frozenset({"sup", "sub"})
_BLOCKS = frozenset({"p", "div", "li", "dd", "dt", "td", "tr", "section", "article", *(f"h{n}" for n in range(1, 7))})
_TITLES = frozenset(HEADINGS[1:])
_MOST_TEXTS = 40
_MOST_SIGNS = 2000
_LONGEST_NAME = 40
_LENGTH = 8
_OPEN_FROM = 2
_MOST_AROUND = 3
_ONCE_FOR_EACH = 3
_MANY_NUMBERS = 4
_DIGITS = re.compile(r"\d+")


def sign_of(element: HtmlElement) -> str:
    """Give the sign of an element's place.

    >>> from gleaner.recipes.boxes import open_page
    >>> sign_of(open_page("<p class=price><b>5</b></p>").find(".//b"))
    'p.price>b'
    """
    parent = element.getparent()
    return f"{'' if parent is None else _own(parent)}>{_own(element)}"


def ground_of(element: HtmlElement) -> str:
    """Give what an element stands in: its parent's sign, with what stays of class names of build tools, and its tag.

    With a "+" when it holds several blocks of text: a value is one of them, or all, and nobody knows which.
    """
    parent = element.getparent()
    return f"{'' if parent is None else _own(parent, hashed=False)}>{element.tag}{'+' * is_parted(element)}"


def is_boxed(element: HtmlElement) -> bool:
    """Tell whether what an element says stands in a block inside it: another thing may have been put there.

    >>> from gleaner.recipes.boxes import open_page
    >>> page = open_page("<dl><dt>a <b>b</b></dt><dd><p>a</p></dd></dl>")
    >>> is_boxed(page.find(".//dt")), is_boxed(page.find(".//dd"))
    (False, True)
    """
    return next(element.iterdescendants(*_BLOCKS), None) is not None


def is_parted(element: HtmlElement) -> bool:
    """Tell whether an element has more than one block or line of text, or a word glued to another element's.

    >>> from gleaner.recipes.boxes import open_page
    >>> [is_parted(open_page(html)) for html in ("<p>a <b>b</b></p>", "<p>a<br>b</p>", "<div><p>a</p><p>b</p></div>")]
    [False, True, True]
    >>> [is_parted(open_page(html)) for html in ("<p><b>a</b><i>b</i></p>", "<p><b>a</b><sup>2</sup></p>")]
    [True, False]
    """
    is_begun = is_ended = is_closed = False
    said = ""
    walker: Any = etree.iterwalk(element, events=("start", "end"))
    for event, node in walker:
        if node is not element and (node.tag in _BLOCKS or node.tag == "br"):
            is_ended = is_begun
        text = node.text if event == "start" else node.tail if node is not element else None
        if text and not text.isspace():
            is_beside = is_closed and event == "start" and node.tag not in _RAISED
            is_glued = is_beside and said[-1:].isalnum() and text[0].isalnum()
            if is_ended or is_glued:
                return True
            is_begun = True
        is_closed = not text and (is_closed or event == "end")
        said = text or said
    return False


def _own(element: HtmlElement, *, hashed: bool = True) -> str:
    classes = classes_of(element)
    tokens = sorted({token if hashed or not is_hashed(token) else stem_of(token) for token in classes} - {""})
    name = element.get("id") or ""
    marks = [f"[{name}={value}]" for name in _MARKS if (value := element.get(name))]
    parts = [f"#{name}" if name and (hashed or not is_hashed(name)) else "", *(f".{token}" for token in tokens), *marks]
    return str(element.tag) + _DIGITS.sub("0", "".join(parts))


def short(text: str) -> str:
    """Give a hash of a text, of eight letters."""
    return blake2b(text.encode(errors="replace"), digest_size=4).hexdigest()


def key_of(text: str) -> str:
    """Give the hash that a text is known by in its place."""
    return _keys_of(text)[0]


def bare_key_of(text: str) -> str:
    """Give the hash that a text is known by whatever its numbers are."""
    return _keys_of(text)[1]


def _keys_of(text: str) -> tuple[str, str]:
    bare = masked(text)
    return (short(text), short(text)) if bare == text else (_COUNTING + short(text), BARE + short(bare))


class PagePlaces:
    """The places of a page, with the names (labels, headings) and the other texts that stand in each.

    ``name_signs`` are signs of elements that are known to hold labels, ``wholes`` the texts that labels were cut from,
    ``labelling`` the place of the label in the element before, for each place that has one, ``linked`` the places of
    links to other pages, ``leads`` what leads to which text: its place, the words, and the text.
    """

    def __init__(self, box: Box, name_signs: Iterable[str] = ()) -> None:
        self.name_signs = frozenset(name_signs)
        self.names: list[tuple[str, str]] = []
        self.wholes: dict[str, str] = {}
        self.texts: list[tuple[str, str]] = []
        self.grounds: dict[str, set[str]] = {}
        self.signs: dict[str, None] = {}
        self.labelling: dict[str, str] = {}
        self.linked: set[str] = set()
        self.leads = [*_leads_of(box)]
        self._title = name_of(box)
        for element in box.inside:
            sign = sign_of(element)
            self.signs.setdefault(sign)
            self.grounds.setdefault(sign.partition("=")[0], set()).add(short(ground_of(element)))
            self._add(element, sign, box.captions)
            if element.tag == "a" and (element.get("href") or "#")[0] != "#":
                self.linked.add(sign)

    def _add(self, element: HtmlElement, sign: str, cutter: Cutter) -> None:
        if _is_title_of_another(element):
            return
        strings = [element.text, *(child.tail for child in element)]
        said = [text for text in map(squeeze, filter(None, strings)) if text]
        said += [text for name in _SAID if (text := squeeze(element.get(name) or ""))]
        is_name = _is_naming(element) or short(sign) in self.name_signs
        self.names += [(sign, name) for name in names_of(element)] if is_name and is_icon(element) else []
        before = self._name_before(element)
        for text in said:
            name = without_name(text.rstrip(": "), self._title)
            if len(name) <= _LONGEST_NAME and (is_name or text.endswith(":")):
                self.names.append((sign, name))
                continue
            kind, pieces = cutter[text]
            labels = cutter.labels((kind,))
            self.names += [(f"{sign}:", label) for label in labels if label]
            self.wholes.update(dict.fromkeys(labels, text))
            self.texts += [(_of(sign, label or before), piece) for label, piece in zip(labels, pieces, strict=True)]
            if before:
                self.labelling[_of(sign, before)] = sign_of(element.getprevious())

    def _name_before(self, element: HtmlElement) -> str:
        """Give the label that stands in the element before; "" when none does, or it is the title of another page."""
        before = element.getprevious()
        if before is None or _is_title_of_another(before):
            return ""
        is_name = (before.tag in _NAMING and before.tag != "h1") or short(sign_of(before)) in self.name_signs
        text = text_of(before) if is_name or len(before) == 0 else ""
        is_said = is_name or text.endswith(":")
        return without_name(text.rstrip(": "), self._title) if is_said and len(text) <= _LONGEST_NAME else ""

    def _labelled(self) -> Iterator[tuple[str, str]]:
        """Give the texts with a label in the element before them, with their places."""
        return ((sign.partition("=")[0], text) for sign, text in self.texts if sign in self.labelling)

    def counted(self) -> Places:
        """Give the places with each text counted once."""
        found: Places = {short(sign): {ANYTHING: 1} for sign in self.signs}
        labelled = [(_of(place, ANY_LABEL), text) for place, text in self._labelled()]
        leads = [(place, words) for place, words, _ in self.leads]
        led = [(_of(place, words), text) for place, words, text in self.leads]
        for sign, text in (*self.names, *self.texts, *labelled, *leads, *led):
            held = found.setdefault(short(sign), {ANYTHING: 1})
            if len(held) <= _MOST_TEXTS:
                held |= dict.fromkeys(_keys_of(text), 1)
        return found


def _leads_of(box: Box) -> Iterator[tuple[str, str, str]]:
    """Give the place of what leads to a text, the words, and the text; words that lead again are set apart."""
    seen: set[tuple[str, str]] = set()
    for one in leads_in(box.inside):
        lead = f"{sign_of(one.element)}{_LEADS}", one.words
        yield lead[0], f"{one.words}{_AGAIN if lead in seen else ''}", one.text
        seen.add(lead)


def _is_naming(element: HtmlElement) -> bool:
    """Tell whether an element, or one around it that says no more, is one that names things."""
    for around in islice((element, *element.iterancestors()), _MOST_AROUND):
        if around.tag in _NAMING:
            return around is element or around.tag != HEADINGS[0]
        if text_of(around) != text_of(element):
            return False
    return False


def _is_title_of_another(element: HtmlElement) -> bool:
    """Tell whether a heading leads to another page: it names what that is about, and says nothing of this one."""
    linked = element if element.tag in _TITLES else element.getparent() if element.tag == "a" else None
    if linked is None or linked.tag not in _TITLES:
        return False
    links = [*linked.iter("a"), *linked.iterancestors("a")]
    return any((one.get("href") or "#")[0] != "#" for one in links)


def _of(sign: str, label: str) -> str:
    """Give the sign of a place for the texts of one label: those of another say nothing of it."""
    return f"{sign}={label}" if label else sign


def merged(known: Places, more: Places) -> Places:
    """Give the places of both, with how many pages had each text."""
    found = {sign: dict(texts) for sign, texts in known.items()}
    for sign, texts in more.items():
        held = found.setdefault(sign, {})
        for text, count in texts.items():
            if text in held or len(held) <= _MOST_TEXTS:
                held[text] = held.get(text, 0) + count
    return dict(list(found.items())[:_MOST_SIGNS])


def is_open(texts: Mapping[str, int], *, bare: bool = False) -> bool:
    """Tell whether a place says something else on most pages; if ``bare``, other texts than with other numbers.

    >>> is_open({"": 2, "a": 1, "b": 1}), is_open({"": 2, "a": 2, "b": 1}), is_open({"": 1, "a": 1})
    (True, False, False)
    """
    ignored = _COUNTING if bare else BARE
    counts = [count for text, count in texts.items() if text != ANYTHING and not begins(text, ignored)]
    once = sum(count == 1 for count in counts)
    return texts.get(ANYTHING, 0) >= _OPEN_FROM and once * 2 > len(counts)


def begins(key: str, mark: str) -> bool:
    """Tell whether the hash of a text begins with a mark that says what it is of."""
    return len(key) > _LENGTH and key.startswith(mark)


def has_sentences(page: PagePlaces, sign: str, known: Places) -> bool:
    """Tell whether what looks like names in a place is the beginnings of sentences: few of them recur.

    Where a recipe has taken labels, they are labels: a page in another language has none of those before.
    """
    held = {text: count for text, count in known.get(short(sign), {}).items() if not begins(text, BARE)}
    once = sum(count == 1 for text, count in held.items() if text != ANYTHING)
    recurring = len(held) - once - (ANYTHING in held)
    return short(sign) not in page.name_signs and is_open(held) and once > _ONCE_FOR_EACH * recurring


def _is_about_another(page: PagePlaces, sign: str, known: Places) -> bool:
    """Tell whether what stands before a text is no label but another one each time: the title of a thing that it is of.

    Its place must be one of texts that change, too.
    """
    before = page.labelling.get(sign)
    place = _of(sign.partition("=")[0], ANY_LABEL)
    return before is not None and has_sentences(page, before, known) and is_open(known.get(short(place), {}))


def _is_in_a_title(page: PagePlaces, sign: str, known: Places) -> bool:
    """Tell whether what looks like a label begins a link's text, in a place whose texts are other ones each time."""
    place = sign.removesuffix(":")
    return sign != place and place in page.linked and is_open(known.get(short(place), {}), bare=True)


def _is_open_to(sign: str, text: str, known: Places) -> bool:
    """Tell whether a place says something else on most pages: texts like this one, if only its numbers change.

    Or many numbers, all written like this one, of which some may recur: years, ratings.
    """
    held = known.get(short(sign), {})
    forms = [key for key in held if begins(key, BARE)]
    if forms == [bare_key_of(text)] and sum(begins(key, _COUNTING) for key in held) >= _MANY_NUMBERS:
        return True
    return is_open(held) and (is_open(held, bare=True) or bare_key_of(text) in held)


def find_news(
    page: PagePlaces,
    known: Places,
    is_value: Callable[[str], bool],
    matters: Callable[[str], bool],
    watched: Mapping[str, bool],
) -> Iterator[str]:
    """Give what is new on a page: places and names that pages before had not, and new texts for which ``matters``.

    A text that ``is_value`` is one that was read, or says nothing; on ``watched`` grounds any other new one counts,
    or any with a digit.
    """
    yield from (f"an element {sign}" for sign in page.signs if short(sign) not in known)
    for sign, name in page.names:
        held = known.get(short(sign))
        is_new = held is None or (key_of(name) not in held and not has_sentences(page, sign, known))
        is_new = is_new and not _is_in_a_title(page, sign, known)
        if is_new and not is_value(name) and not is_value(page.wholes.get(name, name)):
            yield f"the name {name!r}"
    for sign, text in page.texts:
        held = known.get(short(sign))
        is_new = held is None or key_of(text) not in held
        place, _, label = sign.partition("=")
        has_digit = any(map(str.isdigit, text))
        is_watched = any(has_digit or not watched[each] for each in page.grounds[place] if each in watched)
        is_prose = _is_open_to(sign, text, known) or (bool(label) and has_sentences(page, f"{place}:", known))
        is_prose = (
            is_prose
            or _is_about_another(page, sign, known)
            or (bool(label) and _is_in_a_title(page, f"{place}:", known))
        )
        if is_new and (is_watched or (not is_prose and matters(text))) and not is_value(text):
            yield f"the text {text[:60]!r}"


def find_led(
    page: PagePlaces, known: Places, is_value: Callable[[str], bool], matters: Callable[[str], bool]
) -> Iterator[str]:
    """Give the texts that are new for what leads to them: "$5" after "Revenue", where a line stood on earlier pages.

    Neither they nor what leads to them ``is_value``, one that was read.

    Where other words lead to a text on most pages, they are no labels, but for those that most pages have; where they
    recur, other ones than ever may be those of a new fact.
    """
    for place, words, text in page.leads:
        leading, held = known.get(short(place), {}), known.get(short(_of(place, words)), {})
        recurs = leading.get(key_of(words), 0) * 2 > leading.get(ANYTHING, 0)
        is_named = bool(leading) and (recurs or not is_open(leading))
        is_new = key_of(text) not in held and not _is_open_to(_of(place, words), text, known)
        if is_named and is_new and matters(text) and not (is_value(text) or is_value(words)):
            yield f"the text {text[:60]!r} after {words!r}"


def signs_before(box: Box, labels: Collection[str]) -> set[str]:
    """Give the signs, hashed, of a page's places that say one of the labels: as first words, or before an element."""
    found = {short(sign) for sign, name in PagePlaces(box).names if name in labels}
    for node in box.inside:
        before = node.getprevious()
        if before is not None and text_of(before).rstrip(": ") in labels:
            found.update(short(sign_of(each)) for each in before.iter("*") if text_of(each) == text_of(before))
    return found
