"""Places in a record's container: ways to name an element or a text that may find it again in the next container.

How likely a kind of place is to survive a change of a layout was learned once from changed pages, and is kept as data.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice, takewhile
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from lxml import etree
from lxml.html import HtmlElement

from gleaner.contracts.json_text import packaged
from gleaner.contracts.word_lists import listed
from gleaner.html.dom import classes_of
from gleaner.values.names import name_words, singular
from gleaner.values.plurals import is_same_word
from gleaner.wrappers.container import EXACTLY, Container, Shape
from gleaner.wrappers.labels import BEHIND
from gleaner.wrappers.readings import has_figure, mask
from gleaner.wrappers.trees import LINE_END, SPANNING, Spot, head_over, is_spanning, label_name, squeeze, text_of

_MADE = re.compile(
    r"(?=.*\d)(?=.*[a-z])[\w-]{4,}|.*[_-]{1,2}(?=[a-zA-Z]*\d)[a-zA-Z0-9]{4,}|.*__?(?=\w*[A-Z])(?=\w*[a-z])\w{5}",
    re.IGNORECASE,
)
_LONGEST_NAME = 200
_LONGEST_VALUE = 60
_LONGEST_LABEL = 60
_LONGEST_LINK = 24
"""Characters of a link that says what it leads to: "Minutes", "Full text (PDF)"."""
_BOXES_FOR_COUNTS = 4
"""So many containers show how many elements of a class each has."""
_FRAMES = frozenset(("html", "head", "body", "main"))
_COMMON = listed("id href src srcset alt title lang width height type rel target role name value align valign")
"""Attributes that say nothing by being there: only with their values do they name an element."""

_FROM_START, _FROM_END = 8, 3
"""Among several elements a place is the number of one of the first, or from the end of one of the last."""

NEXT = "+"
"""As the inner tag of a place: the element, and the siblings of its tag right behind it."""

OWN = "="
"""As the inner tag of a place: what the element says itself, outside the elements inside it."""

BARE = "-"
"""As the inner tag of a place: what the element says without the marks of footnotes inside it."""

MARKED = "#"
"""As the inner tag of a place: the lines of the element in the page's Markdown."""

LEAD = "<"
"""As the inner tag of a place: the first line of what the element says before the elements inside it."""

PARTS = (OWN, BARE, MARKED, LEAD)

OUT = 2
"""Places name an element itself, or as the only one of its tag or class in an element at most so many levels above."""
_MOST_AROUND = 4
_HEADS = ("h1", "h2", "h3", "h4", "h5", "h6")
_LINES_BELOW_A_HEAD = 4
"""So many lines before a group of records are looked at, up to the heading that they stand below."""
_MOST_AROUND_A_SIGN, _MOST_BESIDE_A_SIGN = 2, 8
"""An icon says what its element means, or that around it; of larger elements it is an ornament."""
_MOST_ALIKE = 40
"""Elements of a tag inside another among which one is told by its class."""


class Place(NamedTuple):
    """How to find an element or a text in a container.

    ``kind`` says by what: ``attribute`` (``name``, ``value``), ``class`` (``value``), ``sign`` (the class ``value`` of
    an element without a text inside it: of an icon), ``label`` (``value`` in one number or the other, or with the
    ``name`` `EXACTLY` as it stands), ``column`` (``value`` is its head), ``tag``, ``path``, ``behind`` (the text behind
    a tag of a class), ``above`` (the nearest such element before the container), ``around`` (the nearest around it),
    ``head`` (the cell of the table's first row over it), ``says`` (what says ``value``, with 9 for each number),
    ``word`` (the container, if it says all words of ``value``), ``marks`` (no element: all that the container shows).
    ``tag`` is the element's, "" for any; ``inner`` the tag, or tag and class, of the only element inside it that is
    meant, "" for itself. ``nth`` chooses among several found, from the end when negative;
    None wants one alone. ``of`` is how many there must be for that, 0 for any number.
    """

    kind: str
    value: str = ""
    tag: str = ""
    name: str = ""
    inner: str = ""
    nth: int | None = None
    of: int = 0


def find(place: Place, box: Container) -> Sequence[Spot]:
    """Give all that a place names in a container, before ``nth`` chooses; in page order.

    What depends on tags, classes and known attributes alone is found once for all containers of a shape.
    """
    shape = box.shape
    key = place[:5]
    numbers = None if shape is None else shape.places.get(key)
    if numbers is None:
        if shape is None or not depends_on_shape(place, shape):
            return _found(place, box)
        at = {node: number for number, node in enumerate(box.nodes)}
        numbers = shape.places[key] = tuple(at[one] for one in _found(place, box) if not isinstance(one, str))
    nodes = box.nodes
    return [nodes[number] for number in numbers]


def depends_on_shape(place: Place, shape: Shape) -> bool:
    """Tell whether a place names the same elements in all containers of a shape."""
    kind = place.kind
    if place.inner in PARTS:
        return False
    return kind in _OF_SHAPE or (kind == "attribute" and (place.tag, place.name, place.value) in shape.attributes)


def _found(place: Place, box: Container) -> Sequence[Spot]:
    found = _FINDERS[place.kind](place, box)
    if not place.inner or not found:
        return found
    if place.inner in PARTS:
        said = (part_said(node, place.inner, box) for node in found if not isinstance(node, str))
        return [text for text in said if text]
    if place.inner == NEXT:
        return [one for node in found if not isinstance(node, str) for one in (node, *_alike_behind(node))]
    tag, _, token = place.inner.partition(".")
    around = (node for node in found if not isinstance(node, str))
    inside = (one for node in around for one in node.iterdescendants(tag) if not token or token in classes_of(one))
    if not box.stops:
        return [*inside]
    own = {*box.nodes}
    return [one for one in inside if one in own]


def part_said(node: HtmlElement, inner: str, box: Container) -> str:
    """Give the part of what an element says that an inner tag of a place means."""
    if inner == MARKED:
        return box.page.markdown_of(node)
    if inner == LEAD:
        return _first_line(node.text)
    return own_text(node) if inner == OWN else bare_text(node)


def own_text(node: HtmlElement) -> str:
    """Give what an element says itself, before, between and behind the elements inside it, on one line."""
    return squeeze(" ".join(filter(None, (node.text, *(child.tail for child in node)))))


def bare_text(node: HtmlElement) -> str:
    """Give what an element says without the raised links inside it, which lead to footnotes: "[2]"."""
    notes = {one for one in node.iter("sup") if one.find(".//a") is not None}
    if not notes:
        return text_of(node)
    walker: Any = etree.iterwalk(node, events=("start", "end"))
    said: list[str] = []
    for event, one in walker:
        if event == "start" and one in notes:
            walker.skip_subtree()
        elif event == "start":
            said.append(one.text or "")
        elif one is not node:
            said.append(one.tail or "")
    return squeeze("".join(said))


def own_places(node: HtmlElement, box: Container, inner: str) -> Iterator[Place]:
    """Give the places of a part of what an element says."""
    yield from _named(node, inner, box)
    yield from _headed(node, inner, box)
    yield from _numbered(Place("tag", tag=str(node.tag), inner=inner), node, box)


def _alike_behind(node: HtmlElement) -> Iterator[HtmlElement]:
    """Give the siblings right behind an element that have its tag."""
    return takewhile(lambda one: one.tag == node.tag, node.itersiblings())


def chosen(place: Place, box: Container) -> Sequence[Spot]:
    """Give what a place names: all that is found, or the one of it that ``nth`` chooses."""
    found = find(place, box)
    if place.of and len(found) != place.of:
        return []
    return found if place.nth is None else found[place.nth : place.nth + 1 or None]


def counted(place: Place, boxes: Sequence[Container]) -> Place:
    """Give a place that chooses among the elements of a class or attribute with their number, where that is always one.

    Of three numbers of one class the second is another one where the first is gone.
    """
    if place.nth is None or place.kind not in ("class", "attribute"):
        return place
    counts = {count for box in boxes if (count := len(find(place, box)))}
    return place._replace(of=counts.pop()) if len(counts) == 1 and len(boxes) >= _BOXES_FOR_COUNTS else place


def _by_attribute(place: Place, box: Container) -> Sequence[Spot]:
    return _of_tag(box.by_attribute.get((place.name, place.value), ()), place.tag)


def _of_tag(found: Sequence[HtmlElement], tag: str) -> Sequence[Spot]:
    return [node for node in found if node.tag == tag] if tag else found


def _by_label(place: Place, box: Container) -> Sequence[Spot]:
    return box.labelled.get(label_in(place, box), ())


def label_in(place: Place, box: Container) -> str:
    """Give the label of a container that a place goes by, of units behind numbers in any form: "" for none."""
    if place.name == EXACTLY:
        return place.value if place.value in box.labelled else ""
    alike = (
        one for one in box.labelled if one[:2] == BEHIND == place.value[:2] and is_same_word(one[2:], place.value[2:])
    )
    return box.label_names.get(place.value) or next(alike, "")


def _by_column(place: Place, box: Container) -> Sequence[Spot]:
    return box.columns.get(place.value, ())


def _by_tag(place: Place, box: Container) -> Sequence[Spot]:
    return box.by_tag.get(place.tag, ())


def _by_path(place: Place, box: Container) -> Sequence[Spot]:
    found = box.follow(place.value)
    return [] if found is None else [found]


def _behind(place: Place, box: Container) -> Sequence[Spot]:
    named = Place("class", place.value, place.tag) if place.value else Place("tag", tag=place.tag)
    texts = (_first_line(node.tail) for node in find(named, box) if not isinstance(node, str))
    return [text for text in texts if text]


def _first_line(text: str | None) -> str:
    """Give the first line of a text between tags that is not blank."""
    return next(filter(None, map(squeeze, (text or "").split(LINE_END))), "")


def _by_words(place: Place, box: Container) -> Sequence[Spot]:
    of_nodes, of_pieces = box.templates
    found = of_nodes.get(place.value, ())
    if place.tag:
        return [one for one in found if not isinstance(one, str) and one.tag == place.tag]
    return found or of_pieces.get(place.value, ())


def _above(place: Place, box: Container) -> Sequence[Spot]:
    """Give the nearest element of the tag and class that stands before the container."""
    node = box.page.nearest_before(box.elements[0], place.tag, place.value)
    return [] if node is None else [node]


def _around(place: Place, box: Container) -> Sequence[Spot]:
    """Give the nearest element of the tag and class around the container."""
    above = (
        one for one in box.elements[0].iterancestors(place.tag) if not place.value or place.value in classes_of(one)
    )
    return [*islice(above, 1)]


def _over(_: Place, box: Container) -> Sequence[Spot]:
    head = head_over(box.elements[0])
    return [] if head is None else [head]


def signs_in(node: HtmlElement) -> Iterator[HtmlElement]:
    """Give the elements without a text that stand beside the text of an element, such as icons."""
    inside = (one for one in islice(node.iterdescendants("*"), _MOST_BESIDE_A_SIGN) if one.get("class"))
    return (one for one in inside if _signed_by(one) is node)


def _signed_by(sign: HtmlElement) -> HtmlElement | None:
    """Give the element that an icon says the meaning of: the nearest around it that has a text."""
    if text_of(sign):
        return None
    return next((one for one in islice(sign.iterancestors(), _MOST_AROUND_A_SIGN) if text_of(one)), None)


def _by_sign(place: Place, box: Container) -> Sequence[Spot]:
    found = (_signed_by(one) for one in box.by_class.get(place.value, ()))
    return [*dict.fromkeys(one for one in found if one is not None and one.tag == place.tag)]


def _nowhere(*_: object) -> Sequence[Spot]:
    return ()


_FINDERS: dict[str, Callable[[Place, Container], Sequence[Spot]]] = {
    "attribute": _by_attribute,
    "class": lambda place, box: _of_tag(box.by_class.get(place.value, ()), place.tag),
    "label": _by_label,
    "column": _by_column,
    "sign": _by_sign,
    "tag": _by_tag,
    "path": _by_path,
    "behind": _behind,
    "above": _above,
    "around": _around,
    "head": _over,
    "says": _by_words,
    "word": lambda place, box: box.elements[:1] if {*place.value.split()} <= {*words_in(box.whole_text)} else [],
    "marks": _nowhere,
}


_OF_SHAPE = frozenset(("class", "tag", "path"))
"""Kinds of places that name the same elements in all containers of a shape."""


def is_made(token: str) -> bool:
    """Tell whether a class was probably made by a build tool, and changes with each.

    >>> [is_made(one) for one in ("css-1x2y3z", "price__a8Bc9", "product-price", "col-md-2", "h2")]
    [True, True, False, False, False]
    """
    return _MADE.fullmatch(token[:_LONGEST_NAME]) is not None and sum(one.isdigit() for one in token) > 1


def places_of(node: HtmlElement, box: Container) -> Iterator[Place]:
    """Give the places that name an element of a container."""
    target, inner = node, ""
    for level in range(OUT + 1):
        yield from _named(target, inner, box)
        yield from _headed(target, inner, box)
        above = target.getparent()
        if level == OUT or target in box.elements or above is None:
            break
        inner = _only_in(above, node)
        if not inner:
            break
        target = above
    yield from _numbered(Place("tag", tag=str(node.tag)), node, box)
    steps = box.steps_to(node)
    if steps is not None:
        yield Place("path", steps)
    yield from _template(box.text(node), box)


def places_of_link(node: HtmlElement, box: Container) -> Iterator[Place]:
    """Give the place of a link by the words that say where it leads."""
    said = label_name(box.text(node)) if node.tag == "a" else ""
    if 0 < len(said) <= _LONGEST_LINK and not has_figure(said):
        yield Place("says", said, "a")


def _only_in(around: HtmlElement, node: HtmlElement) -> str:
    """Give the tag of an element that is the only one of its tag in another, else tag and class; "" where none tell."""
    tag = str(node.tag)
    alike = [*islice(around.iterdescendants(tag), _MOST_ALIKE)]
    if len(alike) == 1:
        return tag
    tokens = classes_of(node) if len(alike) < _MOST_ALIKE else ()
    return next((f"{tag}.{one}" for one in tokens if sum(one in classes_of(other) for other in alike) == 1), "")


def _template(text: str, box: Container) -> Iterator[Place]:
    """Give the place of a text on a whole page by the words beside its numbers: "Serves 4"."""
    said = mask(label_name(text)) if box.elements == [box.page.root] else ""
    if "9" in said and any(map(str.isalpha, said)) and len(said) <= _LONGEST_LABEL:
        yield Place("says", said)


def places_of_items(node: HtmlElement, box: Container) -> Iterator[Place]:
    """Give the places that may name all items of a list: those of one item's element, or of one around and its tag."""
    for place in places_of(node, box):
        if place.kind in ("class", "attribute", "tag", "column") and not place.inner:
            yield place._replace(nth=None)
        elif place.kind == "label" and not place.inner and not place.value.startswith(BEHIND):
            yield place._replace(inner=NEXT, nth=None)
    for above in islice(node.iterancestors(), OUT + 1):
        for place in places_of(above, box):
            if not place.inner and place.nth is None:
                yield place._replace(inner=str(node.tag))
        if above in box.elements:
            return


def _named(target: HtmlElement, inner: str, box: Container) -> Iterator[Place]:
    tag = str(target.tag)
    if tag in _FRAMES:
        return
    for name, value in target.items():
        if name in ("class", "style"):
            continue
        if value and len(value) <= _LONGEST_VALUE and "/" not in value:
            yield from _numbered(Place("attribute", value, tag, name, inner), target, box)
        if name not in _COMMON:
            yield from _numbered(Place("attribute", "", tag, name, inner), target, box)
    for token in dict.fromkeys(classes_of(target)):
        yield from _numbered(Place("class", token, "", "", inner), target, box)
        yield from _numbered(Place("class", token, tag, "", inner), target, box)
    if any(len(box.by_class.get(token, ())) == 1 for token in classes_of(target)):
        return
    for token in dict.fromkeys(token for sign in signs_in(target) for token in classes_of(sign)):
        yield from _numbered(Place("sign", token, tag, "", inner), target, box)


def _headed(target: HtmlElement, inner: str, box: Container) -> Iterator[Place]:
    if target.tag in ("td", "th"):
        for head, cells in box.columns.items():
            if target in cells:
                yield Place("column", head, "", "", inner, None if len(cells) == 1 else cells.index(target))
    for label, how, nth in box.labels_of.get(target, ()):
        yield Place("label", label, "", how, inner, nth)


def _numbered(place: Place, node: HtmlElement, box: Container) -> Iterator[Place]:
    """Give a place, or where it names several elements the number of this one among them, from both ends."""
    found = _FINDERS[place.kind](place, box)
    if len(found) == 1:
        yield place
        yield place._replace(nth=0)
        yield place._replace(nth=-1)
        return
    at = next((at for at, one in enumerate(found[:_FROM_START]) if one is node), None)
    if at is not None:
        yield place._replace(nth=at)
    at = next((at for at, one in enumerate(found[: -_FROM_END - 1 : -1], 1) if one is node), None)
    if at is not None:
        yield place._replace(nth=-at)


def text_places(text_holder: HtmlElement, text: str, box: Container) -> Iterator[Place]:
    """Give the places that name a text which is not all that an element says."""
    yield from _template(text, box)
    if _first_line(text_holder.text) == text:
        yield from own_places(text_holder, box, LEAD)
    for child in text_holder:
        if isinstance(child.tag, str) and _first_line(child.tail) == text:
            for token in ("", *classes_of(child)):
                place = Place("behind", token, str(child.tag))
                found = _behind(place, box)
                if found.count(text) == 1:
                    yield place if len(found) == 1 else place._replace(nth=found.index(text))
    for label, how, nth in box.labels_of.get(text, ()):
        yield Place("label", label, "", how, nth=nth)


def texts_above(box: Container) -> Iterator[tuple[str, Place]]:
    """Give what stands over a container and perhaps over others, each text with a place that names it."""
    named = [*places_above(box)]
    yield from ((box.text(node), place) for node, place in named)
    yield from (
        (said, place._replace(inner=OWN)) for node, place in named if (said := own_text(node)) != box.text(node)
    )
    if (head := head_over(box.elements[0])) is not None:
        yield box.text(head), Place("head")
    for node in islice(box.elements[0].iterancestors(), _MOST_AROUND):
        said = _first_line(node.text)
        for token in ("", *classes_of(node)) if said else ():
            yield said, Place("around", token, str(node.tag), inner=LEAD)


def places_above(box: Container) -> Iterator[tuple[HtmlElement, Place]]:
    """Give elements before a container that may head it and others, each with the places that name it."""
    node = box.elements[0]
    for _ in range(4):
        lines = 0
        for before in node.itersiblings(preceding=True):
            if not isinstance(before.tag, str):
                continue
            for one in (before, *before.iterdescendants()):
                if isinstance(one.tag, str) and (one is before or len(before) < 12):
                    spans = [SPANNING] if is_spanning(one) else []
                    for token in ("", *spans, *classes_of(one)):
                        place = Place("above", token, str(one.tag))
                        if one in _above(place, box):
                            yield one, place
            lines += sum(1 for _ in before.iterdescendants()) < 12 and before.tag != node.tag
            if lines == _LINES_BELOW_A_HEAD or (lines and before.tag in _HEADS):
                break
        above = node.getparent()
        if above is None or above.tag == "body":
            return
        node = above


_LETTERS = re.compile(r"[^\W\d_]+")


def words_of_field(steps: Sequence[str]) -> frozenset[str]:
    """Give the words of a field's name, without case and ends of plurals."""
    return frozenset(word for step in steps[-1:] for word in words_in(step))


@lru_cache(8192)
def words_in(text: str) -> tuple[str, ...]:
    """Give the words of a name, without case and ends of plurals: those between signs, and of camel case."""
    parts = (part for word in name_words(text) for part in _LETTERS.findall(word))
    return tuple(singular(part) for part in parts if len(part) > 1)


def names_field(place: Place, words: frozenset[str]) -> bool:
    """Tell whether what a place goes by has a word of the field's name."""
    return not words.isdisjoint(_words_of_place(place))


def names_whole_field(place: Place, words: frozenset[str]) -> bool:
    """Tell whether what a place goes by has all words of the field's name."""
    return bool(words) and words.issubset(_words_of_place(place))


def _words_of_place(place: Place) -> tuple[str, ...]:
    return words_in(place.value if place.kind != "attribute" else f"{place.name} {place.value}")


WEAK: Final = 0.5
"""Selectors less likely than this to find their value after a change decide only where no others find anything."""

_CUT = 0.9
_CHOSEN = 0.93
"""What a cut inside the text, and a choice among several elements found, leave of a rate."""


@cache
def rates() -> Mapping[str, float]:
    """Give the rate of each kind of place: how often it still read the right value after a change."""
    return MappingProxyType(packaged("selector_survival")["rates"])


def kind_of(place: Place, words: frozenset[str]) -> str:
    """Give the kind of a place for its rate: what it goes by, and whether that has a word of the field's name.

    >>> kind_of(Place("class", "product-price"), frozenset(("price",)))
    'class+named'
    """
    kind = {"around": "above", "head": "above", "sign": "class"}.get(place.kind, place.kind)
    if kind == "tag" and place.tag == "h1" and place.nth is None:
        return "h1"
    if kind == "class" and is_made(place.value):
        return "class+made"
    if kind == "path" and not place.value:
        return "self"
    if kind == "attribute" and place.name == "id":
        kind = "id"
    if kind == "attribute" and not place.value:
        kind = "attribute name"
    return (
        f"{kind}+named"
        if kind in ("class", "attribute", "id", "label", "column") and names_field(place, words)
        else kind
    )


def survival_of(place: Place, words: frozenset[str], is_cut: bool) -> float:
    """Give how likely a selector is to read its field after a change of the layout."""
    rate = rates().get(kind_of(place, words), 0.3)
    if place.nth is not None:
        rate *= _CHOSEN
    return round(rate * (_CUT if is_cut else 1.0), 4)
