"""How a control that turns pages by a script is named, so that a browser finds it again: as the target of an action."""

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

from gleaner.contracts.actions import LONGEST_TARGET
from gleaner.sites.controls import Control

_PLAIN = re.compile(r"[A-Za-z][\w-]*")
_STATES = frozenset(["active", "focus", "focused", "hover", "hovered", "pressed", "ripple"])
_FRAME = "data-gleaner-frame"
"""What the renderer writes in place of a frame: a box that holds the frame's body, and is none in a browser."""

_PRESSED = frozenset(["a", "button", "input"])


def turning_target(control: Control) -> str:
    """Give the CSS target of a control: its id, else its place below the next element with an id, with its classes.

    "" for what no click turns, as an option, for what sends a form that may change something, and for one whose place
    is too long to say. Classes are named so that another element in the same place, on a page that came out otherwise,
    is not pressed in its stead.

    >>> from lxml.html import fromstring
    >>> pager = fromstring('<div id="lamps"><p><button>1</button><button class="btn next">Go</button></p></div>')
    >>> turning_target(Control(pager.find(".//button[@class]"), ("Go",)))
    'css=#lamps > p:nth-of-type(1) > button.btn.next:nth-of-type(2)'
    """
    element = control.element
    if (element.tag not in _PRESSED and element.get("role") not in ("button", "link")) or _posts(element):
        return ""
    target = f"css={' > '.join(reversed([*_steps(element)]))}"
    return target if len(target) <= LONGEST_TARGET else ""


def _posts(element: HtmlElement) -> bool:
    form = next(element.iterancestors("form"), None)
    is_sent = element.tag in ("button", "input") and element.get("type") not in ("button", "reset")
    return is_sent and form is not None and (form.get("method") or "get").lower() == "post"


def _steps(element: HtmlElement) -> Iterator[str]:
    """Give the place of an element, from the inside out."""
    yield _step(element, [*_classes(element)])
    if _has_own_id(element):
        return
    for around in element.iterancestors():
        if around.get(_FRAME) is not None:
            yield "body"
            return
        yield _step(around, [])
        if around.tag == "body" or _has_own_id(around):
            return


def _step(element: HtmlElement, classes: list[str]) -> str:
    if _has_own_id(element):
        return f"#{element.get('id')}"
    before = element.itersiblings(element.tag, preceding=True)
    same = sum(one.get(_FRAME) is None for one in before)
    named = "".join(f".{one}" for one in classes)
    return f"{element.tag}{named}" + (f":nth-of-type({same + 1})" if element.tag not in ("body", "html") else "")


def _has_own_id(element: HtmlElement) -> bool:
    """Tell whether an element has an id that no other has; one with figures in it may be made anew each time."""
    name = element.get("id") or ""
    if not _PLAIN.fullmatch(name) or any(map(str.isdigit, name)):
        return False
    return len(element.getroottree().xpath("//*[@id=$name]", name=name)) == 1


def _classes(element: HtmlElement) -> Iterator[str]:
    words = (element.get("class") or "").split()
    return (one for one in words if _PLAIN.fullmatch(one) and _STATES.isdisjoint(one.split("-")))
