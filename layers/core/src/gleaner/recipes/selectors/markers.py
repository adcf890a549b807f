"""Texts that stand behind a marker: an icon that says nothing itself, or a label without a colon in their own line.

So "3" is the number of beds behind ``<i class="icon-bed"></i>``, whatever stands beside it in the record, and "2 m" the
height in ``<p><b>Height</b> 2 m</p>``. A marker is known by a class, by an attribute, or by its own text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from lxml import etree
from lxml.html import HtmlElement

from gleaner.recipes.model import FieldRecipe
from gleaner.recipes.page.boxes import Box, squeeze, text_of
from gleaner.recipes.page.class_names import telling_classes

OWN_TEXT = "="
"""Begins what names a marker by its own text."""

_ICONS = frozenset(("i", "svg", "use", "span", "img", "em", "b"))
_LABELS = frozenset(("b", "strong", "span", "small", "em", "label", "h2", "h3", "h4", "h5", "h6"))
_TELLING = ("href", "xlink:href", "src", "name", "icon", "title")
_ROLE = re.compile(r"[\w./#:-]{2,80}")
_NUMBERED = re.compile(r"\d")
_LONGEST = 200
_LONGEST_LABEL = 40
_MOST_AROUND = 3


def markers_of(box: Box, node: HtmlElement) -> Iterator[tuple[str, str]]:
    """Give the tag of each marker whose text an element's text may be, and what names it alone in the container.

    They stand in the element, or right before it.
    """
    if len(text_of(node)) > _LONGEST:
        return
    before = node.getprevious()
    inside = [one for one in node.iterdescendants() if is_icon(one)]
    for icon in [*inside, *([before] if before is not None and is_icon(before) else ())]:
        tag = cast(str, icon.tag)
        for name in names_of(icon):
            if len(marked(box, tag, name)) == 1:
                yield tag, name
    for child in node:
        if child.tag in _LABELS and _is_label(child):
            name = OWN_TEXT + text_of(child)
            if len(marked(box, cast(str, child.tag), name)) == 1:
                yield cast(str, child.tag), name


def is_icon(element: HtmlElement) -> bool:
    """Tell whether an element shows no text, but may be told from others."""
    is_graphic = element.tag in _ICONS or "-" in str(element.tag)
    return is_graphic and not text_of(element) and next(names_of(element), None) is not None


def marked(box: Box, tag: str, name: str) -> Sequence[HtmlElement]:
    """Give the elements of a name in a container, in page order: by their own text, an attribute, or a class.

    >>> from gleaner.recipes.page.boxes import open_page
    >>> box = Box([open_page("<p><i class='fa bed'></i> 3 <i class='fa bath'></i> 2</p><p><b>Size</b> 9</p>")])
    >>> [text_behind(marked(box, *name)[0]) for name in (("i", "bed"), ("i", "bath"), ("b", "=Size"))]
    ['3', '2', '9']
    """
    if name.startswith(OWN_TEXT):
        return _by_text(box, tag).get(name, ())
    if name.startswith("["):
        key, _, value = name[1:-1].partition("=")
        return [one for one in box.by_tag.get(tag, ()) if one.get(key) == value]
    return [one for one in box.by_class.get(name, ()) if one.tag == tag]


def _by_text(box: Box, tag: str) -> Mapping[str, list[HtmlElement]]:
    known = box.labelled.get(OWN_TEXT + tag)
    if known is None:
        known = box.labelled[OWN_TEXT + tag] = {}
        for one in box.by_tag.get(tag, ()):
            known.setdefault(OWN_TEXT + text_of(one), []).append(one)
    return known


def icons_of(fields: Sequence[FieldRecipe], box: Box) -> Iterator[str]:
    """Give what tells the icons of a container from each other, of the tags of those that name a field's value."""
    for tag in {each.tag for one in fields for each in one.selectors if each.kind == "behind"}:
        yield from (f"{tag} {name}" for icon in box.by_tag.get(tag, ()) if is_icon(icon) for name in names_of(icon))


def text_behind(marker: HtmlElement) -> str | None:
    """Give what stands behind a marker, up to the next one, in the smallest element that says anything; else None.

    Behind a label it is what stands beside it, in the same element.
    """
    around: Any = marker.getparent()
    own = text_of(marker)
    for _ in range(_MOST_AROUND):
        if own or around is None or text_of(around):
            break
        around = around.getparent()
    if around is None:
        return None
    said: list[str] = []
    is_behind = False
    walker: Any = etree.iterwalk(around, events=("start", "end"))
    for event, node in walker:
        if event == "start":
            if is_behind and (node.tag == marker.tag if own else is_icon(node)):
                break
            said.append(node.text or "" if is_behind else "")
        elif node is not around:
            is_behind = is_behind or node is marker
            said.append(node.tail or "" if is_behind else "")
    return squeeze("".join(said)) or None


def names_of(element: HtmlElement) -> Iterator[str]:
    """Give what may tell an icon from others: its classes, and attributes such as ``data-icon``."""
    yield from telling_classes(element)
    for key, value in element.attrib.items():
        if (key in _TELLING or key.startswith("data-")) and "gleaner" not in key and _ROLE.fullmatch(value):
            yield f"[{key}={value}]"


def _is_label(element: HtmlElement) -> bool:
    """Tell whether an element may be the label of the text right behind it."""
    text = text_of(element)
    is_short = 0 < len(text) <= _LONGEST_LABEL and ":" not in text and _NUMBERED.search(text) is None
    return is_short and bool((element.tail or "").strip())
