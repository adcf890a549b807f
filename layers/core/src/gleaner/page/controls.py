"""What can be pressed and filled in on a page: the targets that actions may name (AC-1)."""

from collections import Counter

from lxml.html import HtmlElement

from gleaner.contracts.actions import ROLES
from gleaner.html.dom import parse_html
from gleaner.html.visibility import HIDDEN_MARK

_MOST_CONTROLS = 60
_LONGEST_NAME = 80
_BY_TAG = {"button": "button", "a": "link", "select": "combobox", "textarea": "textbox", "summary": "button"}
_BY_TYPE = {
    "submit": "button", "button": "button", "reset": "button", "image": "button", "checkbox": "checkbox",
    "radio": "radio", "search": "searchbox", "text": "textbox", "email": "textbox", "tel": "textbox", "url": "textbox",
}  # fmt: skip
_OWN_WORDS = "string(.//text()[normalize-space()][not(ancestor::select or ancestor::textarea)][1])"
_STEPS = {
    "textbox": "fill: {} => ", "searchbox": "fill: {} => ", "combobox": "select: {} => ", "checkbox": "check: {}",
    "radio": "check: {}", "button": "click: {}", "link": "click: {}", "tab": "click: {}", "menuitem": "click: {}",
}  # fmt: skip
"""The step that a control of a role is there for."""


def controls_of(html: str) -> list[str]:
    """Give the visible controls of a snapshot as steps, 60 at the utmost, in page order, links last.

    What two controls are called names neither of them, so both are left out.

    >>> controls_of('<a href="/">Home</a><label>Find <input></label><button>Go</button>')
    ['fill: role=textbox[name=Find] => ', 'click: role=button[name=Go]', 'click: role=link[name=Home]']
    """
    root = parse_html(html)
    labels = {label.get("for"): label for label in root.iter("label")}
    hidden: set[HtmlElement] = set()
    found: Counter[tuple[str, str]] = Counter()
    for element in root.iter():
        if element.get(HIDDEN_MARK) is not None or element.getparent() in hidden:
            hidden.add(element)
        elif (role := _role_of(element)) in _STEPS and (name := _name_of(element, labels)):
            found[role, name] += 1
    alone = sorted((control for control, count in found.items() if count == 1), key=lambda one: one[0] == "link")
    return [_STEPS[role].format(f"role={role}[name={name}]") for role, name in alone[:_MOST_CONTROLS]]


def _role_of(element: HtmlElement) -> str:
    if not isinstance(element.tag, str) or element.get("disabled") is not None:
        return ""
    if (said := (element.get("role") or "").lower()) in ROLES:
        return said
    if element.tag == "input":
        return _BY_TYPE.get((element.get("type") or "text").lower(), "")
    return "" if element.tag == "a" and element.get("href") is None else _BY_TAG.get(element.tag, "")


def _name_of(element: HtmlElement, labels: dict[str | None, HtmlElement]) -> str:
    """Give what a control is called; "" for nothing, and for what is too long for a name."""
    is_field = element.tag in ("input", "select", "textarea")
    label = labels.get(element.get("id")) if element.get("id") else None
    if label is None:
        label = next(element.iterancestors("label"), None)
    pictures = "" if is_field else next((image.get("alt") or "" for image in element.iter("img")), "")
    inside = label.xpath(_OWN_WORDS) if is_field and label is not None else ""
    names = (
        element.get("aria-label"),
        inside if is_field else element.text_content(),
        element.get("value") if _role_of(element) == "button" else "",
        pictures or element.get("placeholder") or element.get("title"),
    )
    name = next((said for one in names if one and (said := " ".join(one.split()))), "")
    return name if len(name) <= _LONGEST_NAME else ""
