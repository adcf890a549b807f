"""Does a text stand in one piece? Where its element has become several, one of them may be the value, and not all."""

from collections.abc import Callable, Iterator, Sequence
from typing import cast

from lxml.html import HtmlElement

from gleaner.html.elements import count_texts
from gleaner.recipes.boxes import Box, squeeze, text_of
from gleaner.recipes.finders import finder_of
from gleaner.recipes.model import FieldRecipe, FieldSelector, Recipe
from gleaner.recipes.novelty import is_boxed, is_parted
from gleaner.recipes.phrases import parts_by
from gleaner.recipes.plurals import end_of
from gleaner.recipes.unreadable import Unreadable

_LOOKED_AT = 40


def with_parts(fields: Sequence[FieldRecipe], boxes: Sequence[Box]) -> list[FieldRecipe]:
    """Note which fields stood in elements with several blocks of text, or with several texts, or in several lists."""
    return [
        one.model_copy(
            update={
                "parted": one.parted or _holds(one, boxes, is_parted) or _stands_in_several(one, boxes),
                "mixed": one.mixed or _holds(one, boxes, says_several),
                "boxed": one.boxed or _holds(one, boxes, is_boxed),
                "joined": one.joined or _is_joined(one, boxes),
            }
        )
        for one in fields
    ]


def newly_parted(recipe: Recipe, boxes: Sequence[Box]) -> Iterator[str]:
    """Notice a text whose element has become several blocks, or says several texts: two prices in place of one.

    Looked at are some of the containers, and one of each way in which they are built.
    """
    alike = {box.build: box for box in boxes if box.build is not None}
    looked_at = [*boxes[:: max(1, len(boxes) // _LOOKED_AT)], *alike.values()]
    for one in recipe.fields:
        if not one.joined and _is_joined(one, looked_at):
            yield f"{one.name} is made of several texts now"
        elif not one.boxed and _holds(one, looked_at, is_boxed):
            yield f"{one.name} stands in a block of its own now"
    for one in recipe.fields if not recipe.places else ():
        if not one.parted and _holds(one, looked_at, is_parted):
            yield f"{one.name} stands in an element that has several blocks of text now"
        elif not one.parted and _stands_in_several(one, looked_at):
            yield f"{one.name} stands in several lists of a record now"
        elif not one.mixed and _holds(one, looked_at, says_several):
            yield f"{one.name} stands in an element that says several texts now"


def says_several(element: HtmlElement) -> bool:
    """Tell whether an element has more than one text, each in an element of its own or beside one.

    >>> from gleaner.recipes.boxes import open_page
    >>> [says_several(open_page(html)) for html in ("<p> <b>$5</b> </p>", "<p><b>$5</b> <s>$9</s></p>")]
    [False, True]
    """
    return len(element) > 0 and count_texts(element) > 1


def _holds(one: FieldRecipe, boxes: Sequence[Box], parts: Callable[[HtmlElement], bool]) -> bool:
    """Tell whether a text without a type stands in an element with several parts in one of the containers."""
    first = one.selectors[0] if one.selectors else None
    if first is None or first.transforms or first.words or first.attribute or first.many or one.figures.kind != "text":
        return False
    find = finder_of(first)
    try:
        return any(parts(element) for box in boxes for element in find(box)[:1])
    except Unreadable:
        return False


def _is_joined(one: FieldRecipe, boxes: Sequence[Box]) -> bool:
    """Tell whether what is cut out between words is made of the texts of several elements in one of the containers."""
    first = one.selectors[0] if one.selectors else None
    is_cut = first is not None and bool(
        first.phrase or ((first.prefix or first.suffix) and not (first.between or first.mark))
    )
    if first is None or not is_cut or first.attribute or first.presence or first.many:
        return False
    find = finder_of(first)
    try:
        return any(not _is_one_text(first, element) for box in boxes for element in find(box)[:1])
    except Unreadable:
        return False


def _is_one_text(selector: FieldSelector, element: HtmlElement) -> bool:
    """Tell whether what stands between a selector's words, or in its slot, is said by one text of the element."""
    if len(element) == 0:
        return True
    if selector.phrase:
        parts = parts_by(selector.phrase, text_of(element))
        value = (parts[selector.slot] if parts else None) or ""
    else:
        said = text_of(element)[len(selector.prefix) :]
        value = said[: len(said) - (end_of(said, selector.suffix) or 0)].strip()
    return any(value in squeeze(cast(str, text)) for text in element.itertext())


def _stands_in_several(one: FieldRecipe, boxes: Sequence[Box]) -> bool:
    """Tell whether the items of a list stand in several lists of one container: one of them may be another thing's."""
    first = one.selectors[0] if one.selectors else None
    if first is None or not first.many or first.tag.rpartition("/")[2] != "li":
        return False
    find = finder_of(first)
    try:
        return any(len({item.getparent() for item in find(box)}) > 1 for box in boxes)
    except Unreadable:
        return False
