"""Values that their place among others tells, inside a part of the page that has a name: "2018 · Estate · Manual".

A place is taken only where something vouches for the value: its form, if no other text beside it has that, or the
class attribute of its element, if no other element beside it has that, though a build tool made it and the next build
makes another. So where the others change places, or one is missing, the page is doubted.
"""

from collections.abc import Container, Iterator, Sequence
from itertools import islice
from typing import cast

from lxml.html import HtmlElement

from gleaner.contracts.ports import JsonValue
from gleaner.recipes.boxes import Box, text_of
from gleaner.recipes.columns import Wanted, fit_column, read_all
from gleaner.recipes.cuts import fixed_cuts
from gleaner.recipes.drift import figures_of, pattern_of
from gleaner.recipes.finders import finder_of, found_by, steps_of
from gleaner.recipes.locators import anchors_of, may_state, path_between
from gleaner.recipes.model import FieldFigures, FieldRecipe, FieldSelector
from gleaner.recipes.readers import Reader
from gleaner.recipes.strays import form_of

_LEAST_PAGES = 2
_ENOUGH_KNOWN = 4
_MOST_LEVELS = 3
_MOST_PATTERNS = 3
_MOST_PLACES = 12
_LONGEST = 60
_MOST_SELECTORS = 2


def placed_selectors(one: Wanted, boxes: Sequence[Box], base: str) -> list[FieldSelector]:
    """Give the selectors that read the field on all pages by its place in a part; none for one that a page lacks.

    None, too, where nothing could vouch for a value of the next page: neither a form, as texts are other ones on each
    page, nor a class.
    """
    if len(boxes) < _LEAST_PAGES or not all(_is_short(value) for value in one.values):
        return []
    ways = list(dict.fromkeys(_ways(boxes[-1], one.values[-1])))[:_MOST_PLACES]
    fitted = (fit_column(way, texts, one, base, fixed_cuts) for way, texts in read_all(ways, boxes).items())
    found = [with_classes(_counted(each, boxes), boxes) for each in fitted if each is not None]
    return [each for each in found if each.classes or _have_form(one.values)][:_MOST_SELECTORS]


def with_classes(selector: FieldSelector, boxes: Sequence[Box]) -> FieldSelector:
    """Give a selector by place with the class attribute that its element, and no other, has on all pages, if any."""
    if selector.kind != "placed":
        return selector
    own = {_own_classes(selector, box) for box in boxes}
    return selector.model_copy(update={"classes": own.pop() if len(own) == 1 else ""})


def in_these_classes(one: FieldRecipe, boxes: Sequence[Box]) -> FieldRecipe:
    """Give a field, where a place alone tells it by the classes that its element has on these pages."""
    if all(each.kind != "placed" for each in one.selectors):
        return one
    return one.model_copy(update={"selectors": [with_classes(each, boxes) for each in one.selectors]})


def _own_classes(selector: FieldSelector, box: Box) -> str:
    """Give the class attribute of the element at a place; empty where another element of that part has the same."""
    found = found_by(selector, box)
    classes = found[0].get("class", "") if len(found) == 1 else ""
    is_shared = classes and any(
        node.get("class") == classes for node in _part_of(selector, found[0]) if node is not found[0]
    )
    return "" if is_shared else classes


def _part_of(selector: FieldSelector, element: HtmlElement) -> Iterator[HtmlElement]:
    """Give the elements of the part in which the element at a place stands."""
    return [*islice(element.iterancestors(), len(steps_of(selector.tag)))][-1].iter("*")


def _is_short(value: JsonValue) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool) and 0 < len(str(value)) <= _LONGEST


def _have_form(values: Sequence[JsonValue]) -> bool:
    figures = figures_of(values)
    return figures.kind == "number" or _is_figured(figures) or figures.distinct < len(values) or _is_open(figures)


def _ways(box: Box, value: JsonValue) -> Iterator[FieldSelector]:
    """Give the ways to the elements that may say a value: from the start and from the end of their like."""
    for node in box.inside:
        if len(text_of(node)) <= _LONGEST and may_state(node, value):
            around = next(
                (one for one in islice(node.iterancestors(), _MOST_LEVELS) if any(anchors_of(box, one))), None
            )
            for tag, name in anchors_of(box, around) if around is not None else ():
                paths = path_between(box, around, node)
                yield from (FieldSelector(kind="placed", name=tag, value=name, tag=path) for path in paths)


def _counted(selector: FieldSelector, boxes: Sequence[Box]) -> FieldSelector:
    """Note how many siblings each step was found among."""
    steps = steps_of(selector.tag)
    found = [(box, element) for box in boxes for element in finder_of(selector)(box)]
    counts: list[tuple[int, ...]] = []
    for above, step in enumerate(reversed(steps)):
        parents = [(box, [*islice(element.iterancestors(), above + 1)][-1]) for box, element in found]
        counts.insert(0, tuple(sorted({len(step.among(box.level(parent))) for box, parent in parents})))
    return selector.model_copy(update={"counts": tuple(counts)})


def doubt_of_place(one: FieldRecipe, cell: JsonValue, box: Box, news: Container[str]) -> str:
    """Say what makes a value doubtful that its place tells: a form that it never had, or that another text has, too.

    Nothing where the element has the class that it alone had. ``news`` are the page's texts that no page had before: a
    new text of the field is written as no other of them is.
    """
    placed = [selector for selector in one.selectors if selector.kind == "placed"]
    if not placed or cell is None or any(each.classes and _own_classes(each, box) == each.classes for each in placed):
        return ""
    is_new = not _has_form(one.figures, cell)
    if is_new and not (_is_open(one.figures) and _is_written_so(one.figures, cell)):
        return f"{one.name} is {str(cell)[:40]!r}, which it never was, and its place alone tells it"
    for selector in placed:
        reader = Reader(selector)
        for text in _beside(selector, box):
            other = cast(JsonValue, reader.decoded[text])
            could_be = is_new and text in news and _is_written_so(one.figures, other)
            if reader.accepts(text) and (could_be or _has_form(one.figures, other)):
                return f"{one.name} is told by its place alone, and {text[:40]!r} beside it could be it"
    return ""


def _is_open(figures: FieldFigures) -> bool:
    """Tell whether so many texts were a field's, on pages that all had one, that the next page may have another."""
    return figures.kind == "text" and not figures.nulls and figures.distinct >= _ENOUGH_KNOWN


def _is_written_so(figures: FieldFigures, value: JsonValue) -> bool:
    return isinstance(value, str) and form_of(value) in {form_of(text) for text in figures.common}


def _beside(selector: FieldSelector, box: Box) -> Iterator[str]:
    """Give the short texts of the part in which a value stands, without the value's own."""
    for element in found_by(selector, box):
        own = {*element.iter(), *element.iterancestors()}
        yield from (text for node in _part_of(selector, element) if node not in own and (text := text_of(node)))


def _has_form(figures: FieldFigures, value: JsonValue) -> bool:
    """Tell whether a value is like those known: a number of as many figures, a text of a pattern, or one of them."""
    if not isinstance(value, str):
        known = [_figures(end) for end in (figures.low, figures.high) if end is not None]
        return isinstance(value, int | float) and bool(known) and min(known) <= _figures(value) <= max(known)
    return pattern_of(value) in figures.patterns if _is_figured(figures) else value in figures.common


def _is_figured(figures: FieldFigures) -> bool:
    return len(figures.patterns) <= _MOST_PATTERNS and all("9" in one and one != "9" for one in figures.patterns)


def _figures(number: float) -> int:
    return len(str(int(abs(number))))
