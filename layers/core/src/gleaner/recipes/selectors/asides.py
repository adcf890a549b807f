"""A text before other elements inside its own: a title before a badge, a name before the mark of a footnote."""

from collections.abc import Iterator, Sequence

from lxml.html import HtmlElement

from gleaner.recipes.page.boxes import Box, squeeze, text_of
from gleaner.recipes.page.class_names import sign_of, steady_classes
from gleaner.recipes.selectors.finders import Find
from gleaner.recipes.texts.unreadable import Unreadable

STRUCK = "~~"
"""In place of the signs of asides: all that is struck out, wherever it stands."""

_STRUCK = frozenset(("del", "s", "strike"))
_MOST_SIGNS = 3
_LONGEST = 20


def own_text(element: HtmlElement, asides: Sequence[str]) -> str | None:
    """Give what an element says before the elements inside it; Unreadable where one of these is not of the asides.

    >>> from gleaner.recipes.page.boxes import open_page
    >>> own_text(open_page("<h2>Larch jug <b class=new>New</b></h2>").find(".//h2"), ["b.new"])
    'Larch jug'
    """
    if STRUCK in asides:
        return squeeze("".join(_unstruck(element))) or None
    if not has_own_text(element) and len(element):
        raise Unreadable(f"text between the elements in {element.tag}")
    if strange := next((sign for sign in map(_sign, element) if sign not in asides), None):
        raise Unreadable(f"{strange} in {element.tag}")
    return squeeze(element.text or "") or None


def says_more_than_struck(element: HtmlElement) -> bool:
    """Tell whether some of what an element says is struck out, and some is not: "~~$50~~ $40"."""
    is_struck = any(text_of(node) for node in element.iterdescendants(*_STRUCK))
    return is_struck and bool("".join(_unstruck(element)).strip())


def _unstruck(element: HtmlElement) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag not in _STRUCK:
            yield from _unstruck(child)
        yield child.tail or ""


def direct_text(element: HtmlElement) -> str:
    """Give what an element says outside of the elements inside it."""
    return squeeze(" ".join(filter(None, (element.text, *(child.tail for child in element)))))


def has_own_text(element: HtmlElement) -> bool:
    """Tell whether an element says something before the elements inside it, and nothing after any of them."""
    is_said = bool((element.text or "").strip()) and len(element) > 0
    return is_said and not any((child.tail or "").strip() for child in element)


def asides_of(find: Find, boxes: Sequence[Box], *, of_all: bool = False) -> tuple[str, ...]:
    """Give the signs of what stands behind the texts that a selector finds; none where it is many things, or a text.

    Of the first text in each container, or ``of_all``.
    """
    signs: set[str] = set()
    for box in boxes:
        try:
            found = find(box)[: None if of_all else 1]
        except Unreadable:
            return ()
        if not all(has_own_text(element) or not len(element) for element in found):
            return ()
        signs |= {_sign(child) for element in found for child in element}
    return tuple(sorted(signs)) if len(signs) <= _MOST_SIGNS and all(signs) else ()


def _sign(element: HtmlElement) -> str:
    """Give an element's tag and classes; of one without a telling class also what it says; "" if that is long."""
    said = "" if steady_classes(element) else f"={text_of(element)}"
    return sign_of(element) + said if len(said) <= _LONGEST else ""
