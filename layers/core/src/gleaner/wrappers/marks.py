"""Marks: what a page about one thing says or shows that may tell yes from no, and what known marks say of a page."""

from collections.abc import Iterator, Mapping
from itertools import islice, pairwise

from lxml.html import HtmlElement

from gleaner.html.dom import classes_of
from gleaner.values.flags import plain_answer
from gleaner.values.plurals import is_same_word
from gleaner.wrappers.container import Container
from gleaner.wrappers.labels import BEHIND, is_made_of_parts
from gleaner.wrappers.places import is_made, words_in
from gleaner.wrappers.readings import MARKS, UNREAD, Cell, mask
from gleaner.wrappers.trees import label_name, text_of

_LONGEST = 60
_MOST_BESIDE = 8
"""Elements without a text among which the icons of a text are looked for."""
_SHOWS = ("alt", "title", "aria-label", "href", "src", "type", "checked", "disabled")
"""Attributes by which an element without a text shows what it is."""
_NAMES = ("alt", "title", "aria-label", "itemprop")
SHOWN = "|"
"""Stands in a mark between a text and what is shown beside it."""
EXACT = "!"
"""Begins marks that hold all that is known of a text: where it stands, what is shown beside it, and how it is drawn."""


def marks_on(box: Container) -> Mapping[str, str]:
    """Give the marks of a page, each with the text of the page that it is read from.

    They are short texts with 9 for each number, and with what is shown beside them, such as a tick; what stands behind
    labels; and the names of classes and attributes, but for those that a build tool made.
    """
    known = box.page.marks
    if known is None:
        known = box.page.marks = dict(_marks(box))
    return known


def _marks(box: Container) -> Iterator[tuple[str, str]]:
    for text, holder in box.pieces:
        if len(text) > _LONGEST:
            continue
        form, outer = _form(text), _outermost(holder, box)
        shown = sorted({token for node in _beside(outer) for token in _shown_by(node)})
        yield from ((f"={part}", text) for part in (form, *_parts(form)))
        yield from ((f"={form}{SHOWN}{token}", text) for token in (*shown, *_stable(outer)))
        around = holder.getparent()
        looks = " ".join(f"{one.tag}.{one.get('class') or ''}" for one in (around, holder) if one is not None)
        yield f"{EXACT}{looks}={form}{SHOWN}{' '.join(shown)}", text
    labelled = ((label, spots[0]) for label, spots in box.labelled.items() if not label.startswith(BEHIND))
    for label, spot in labelled:
        if not isinstance(spot, str) and is_made_of_parts(spot):
            continue
        said = spot if isinstance(spot, str) else box.text(spot)
        if said and len(said) <= _LONGEST:
            yield f"{label}: {_form(said)}", said
        elif not said and not isinstance(spot, str):
            yield from ((f"={label}{SHOWN}{token}", label) for node in _icons(spot) for token in _shown_by(node))
    for node in box.nodes:
        yield from ((f".{token}", "") for token in _stable(node))
        said_there = ((name, node.get(name) or "") for name in _attributes(node))
        yield from ((f"@{name}={_form(said)}", "") for name, said in said_there if 0 < len(said) <= _LONGEST)


def _form(text: str) -> str:
    """Give a text with 9 for each number but 0, which may say no."""
    said = label_name(text)
    return said if any(word.strip("()[].,:") == "0" for word in said.split()) else mask(said)


def _parts(form: str) -> Iterator[str]:
    """Give what stands between the marks of a text that has some, and before its first number.

    >>> [*_parts("9 p., large print")], [*_parts("refundable until 9 may 9")]
    (['9 p.', 'large print'], ['refundable until'])
    """
    sign = next((one for one in MARKS if one in form), "")
    lead = "" if sign else form.partition("9")[0]
    parts = form.split(sign) if sign else [lead] if lead != form else []
    return filter(None, map(str.strip, parts))


def _attributes(node: HtmlElement) -> Iterator[str]:
    return (name for name in map(str, node.attrib) if name in _NAMES or name.startswith("data-"))


def _outermost(node: HtmlElement, box: Container) -> HtmlElement:
    """Give the outermost element that says no more than an element does."""
    said = box.text(node)
    for above in node.iterancestors():
        if above in box.elements or box.text(above) != said:
            break
        node = above
    return node


def _beside(node: HtmlElement) -> Iterator[HtmlElement]:
    """Give the elements without a text in and beside an element: its icons."""
    yield from _icons(node)
    for other in (node.getprevious(), node.getnext()):
        if other is not None and isinstance(other.tag, str) and not text_of(other):
            yield from _icons(other)


def _icons(node: HtmlElement) -> Iterator[HtmlElement]:
    inside = islice(node.iter("*"), _MOST_BESIDE)
    return (one for one in inside if not text_of(one))


def _shown_by(node: HtmlElement) -> Iterator[str]:
    yield from _stable(node)
    for name in _SHOWS:
        said = node.get(name)
        if said is not None:
            yield f"{name}={mask(said.rpartition('/')[2])}"


def _stable(node: HtmlElement) -> Iterator[str]:
    return (mask(one) for one in classes_of(node) if not is_made(one))


def names_flag(mark: str, words: frozenset[str]) -> bool:
    """Tell whether a mark has all words of a flag's name, or has them as one.

    >>> names_flag("=not on view", frozenset(("on", "view"))), names_flag("=wi-fi|dot", frozenset(("wifi",)))
    (True, True)
    >>> names_flag("=view map", frozenset(("on", "view")))
    False
    """
    said = words_in(mark)
    if not words or all(any(is_same_word(one, word) for one in said) for word in words):
        return bool(words)
    return len(words) == 1 and any(first + second in words for first, second in pairwise(said))


def start_of(mark: str) -> str:
    """Give what a mark is about: the label, or the text with icons; "" for one that is a whole text.

    >>> start_of("enrollment: 9 (actual)"), start_of("=wi-fi|dot"), start_of("=sold out")
    ('enrollment: ', '=wi-fi|', '')
    """
    sign = SHOWN if SHOWN in mark else ": " if mark[0] not in "=@." else ""
    return mark[: mark.find(sign) + len(sign)] if sign else ""


def is_answer(mark: str) -> bool:
    """Tell whether a mark is a label with a yes or a no behind it.

    >>> is_answer("division into lots: no"), is_answer("colour: red"), is_answer("=no")
    (True, False, False)
    """
    start = start_of(mark)
    return start.endswith(": ") and plain_answer(mark.removeprefix(start)) is not None


def mark_in_words(mark: str) -> str:
    """Say a mark as a person reads it.

    >>> mark_in_words("=wi-fi|tick"), mark_in_words("!p. b.note=free parking|"), mark_in_words(".sold-out")
    ("'wi-fi' with 'tick'", "'free parking'", "the class 'sold-out'")
    """
    if mark[0] == ".":
        return f"the class {mark[1:]!r}"
    if mark[0] == "@":
        name, _, value = mark[1:].partition("=")
        return f"the attribute {name} {value!r}"
    text = mark.partition("=")[2] if mark[0] in ("=", EXACT) else mark
    said, _, shown = text.partition(SHOWN)
    return f"{said!r} with {shown!r}" if shown else repr(said)


def read_marks(
    marks: Mapping[str, bool | None], words: frozenset[str], box: Container, *, may_lack: bool
) -> tuple[Cell, tuple[str, ...]]:
    """Give what the known marks of a flag say of a page, with the texts that say so.

    All marks of one answer must be there, and none of the other. Where no marks of an answer are known, that is the
    answer of a page with none of the other's; where all are, and a page ``may_lack`` them, there is none. But not where
    something new names the flag, or what stood behind a label stands elsewhere.
    """
    found = marks_on(box)
    here = {mark: value for mark, value in marks.items() if value is not None and mark in found}
    values = {*here.values()}
    wanted = {value: sum(1 for one in marks.values() if one is value) for value in (True, False)}
    texts = tuple(dict.fromkeys(filter(None, (found[mark] for mark in here))))
    if len(values) == 1:
        value = values.pop()
        return (value, texts) if len(here) == wanted[value] else (UNREAD, texts)
    if values:
        return UNREAD, texts
    silent = [value for value, count in wanted.items() if not count]
    about = {start_of(mark) for mark in marks} - {""}
    is_new = any(
        mark not in marks and (names_flag(mark, words) or start_of(mark) in about)
        for mark in found
        if not mark.startswith(EXACT)
    )
    has_moved = any(f"={mark.removeprefix(start_of(mark))}" in found for mark in marks if start_of(mark)[-2:] == ": ")
    if is_new or has_moved or EXACT in {mark[0] for mark in marks} or not (silent or may_lack):
        return UNREAD, ()
    return (silent[0] if silent else None), ()
