"""Where records begin among siblings of one tag: how a record's first element looks, or the one before it.

For records that nothing wraps and no class names: "Oak", "Jura", "5 €", "Elm", "Mosel", "organic", "7 €", ….
"""

import re
from collections.abc import Iterator, Sequence

from lxml.html import HtmlElement

from gleaner.coercion.dates import parse_date
from gleaner.html.elements import HEADINGS
from gleaner.recipes.boxes import text_of
from gleaner.recipes.class_names import sign_of
from gleaner.recipes.finders import make_of

AT = "at "
AFTER = "after "
ENDING = frozenset((*HEADINGS, "hr"))
"""What no record without anything around it goes beyond."""

NAMING = ("label ", "made ", "named ", "rule", "empty")
"""The looks by which a page itself says where a record begins; others are those of a text."""

_LONGEST = 60
_NUMBER = re.compile(r"\d+(?:[.,'’\u00a0\u202f ]\d+)*")
_WORDS = re.compile(r"[^\W\d_]+(?:[ .'’&-]+[^\W\d_]+)*")
_LABEL = re.compile(r"([^\W\d][^:\d]{0,30}):(?:\s|$)")


def signs_at(element: HtmlElement) -> Iterator[str]:
    """Give the signs by which a record may begin with an element; "after" each look where nothing stands before it."""
    yield from (AT + look for look in looks_of_piece(element))
    before = _looks_before(element)
    yield from (AFTER + look for look in ([""] if before is None else before))


def begun(found: Sequence[HtmlElement], sign: str) -> list[HtmlElement]:
    """Give the elements with which a record begins by the sign: those first of all, too, where it is one before."""
    if sign.startswith(AT):
        look = sign.removeprefix(AT)
        return [one for one in found if look in looks_of_piece(one)]
    look = sign.removeprefix(AFTER)
    before = ((one, _looks_before(one)) for one in found)
    return [one for one, looks in before if looks is None or look in looks]


def is_left_over(runs: Sequence[Sequence[HtmlElement]]) -> bool:
    """Tell whether something like the elements of runs stands between or behind these, and in none of them."""
    inside = {one for run in runs for one in run}
    return any(
        after not in inside and text_of(after)
        for first in {run[0].getparent(): run[0] for run in reversed(runs)}.values()
        for after in first.itersiblings(first.tag)
    )


def _looks_before(element: HtmlElement) -> list[str] | None:
    """Give the looks of what stands right before an element; None where that is nothing, or a title."""
    before = element.getprevious()
    return None if before is None or before.tag in HEADINGS else [*looks_of_piece(before)]


def looks_of_piece(element: HtmlElement) -> Iterator[str]:
    """Give how an element of a record looks: its label, what it is made of, its class, the form of its text.

    >>> from gleaner.recipes.boxes import open_page
    >>> [*looks_of_piece(open_page("<p class=price>from 1,200 €</p>").find(".//p"))]
    ['named p.price', 'form from # €', 'kind a # €']
    """
    if element.tag == "hr":
        yield "rule"
        return
    text = text_of(element)
    if not text:
        yield "empty"
        return
    if label := _LABEL.match(text):
        yield f"label {label[1].casefold()}"
    if len(element):
        yield f"made {_made(element)}"
    if "." in (sign := sign_of(element)):
        yield f"named {sign}"
    if len(text) <= _LONGEST and (form := _NUMBER.sub("#", text)) != text:
        yield f"form {form}"
        if _is_day(text):
            yield "day"
        yield f"kind {_WORDS.sub('a', form)}"


def _made(element: HtmlElement) -> str:
    """Give the tags down to the one that says all of an element's text, or those that say parts of it.

    >>> from gleaner.recipes.boxes import open_page
    >>> _made(open_page("<p><b><a>Oak</a></b></p>").find(".//p")), _made(open_page("<p><b>1</b> of 2</p>").find(".//p"))
    ('b/a', '+b')
    """
    steps: list[str] = []
    while len(element) == 1 and not (element.text or "").strip() and not (element[0].tail or "").strip():
        element = element[0]
        steps.append(str(element.tag))
    return "/".join([*steps, *([f"+{make_of(element)}"] if len(element) else [])])


def _is_day(text: str) -> bool:
    try:
        parse_date(text)
    except ValueError:
        return False
    return True
