"""Values that their place among others tells, inside a part of the page that has a name: "2018 · Estate · Manual".

A place is taken only where the value's form vouches for it: among all that stands beside it no other text has the form.
So where the others change places, or one is missing, another form stands there, and the page is doubted.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import cast

from gleaner.ports import JsonValue
from gleaner.recipes.boxes import Box, text_of
from gleaner.recipes.columns import Wanted, fit_column, read_all
from gleaner.recipes.cuts import fixed_cuts
from gleaner.recipes.drift import figures_of, pattern_of
from gleaner.recipes.finders import finder_of, found_by, steps_of
from gleaner.recipes.locators import anchors_of, may_state, path_between
from gleaner.recipes.model import FieldFigures, FieldRecipe, FieldSelector
from gleaner.recipes.readers import Reader

_LEAST_PAGES = 2
_MOST_LEVELS = 3
_MOST_PATTERNS = 3
_MOST_PLACES = 12
_LONGEST = 60
_MOST_SELECTORS = 2


def placed_selectors(one: Wanted, boxes: Sequence[Box], base: str) -> list[FieldSelector]:
    """Give the selectors that read the field on all pages by its place in a part; none for one that a page lacks.

    None, too, where no form could vouch for a value of the next page: for texts that are other ones on each page.
    """
    if len(boxes) < _LEAST_PAGES or not all(_is_short(value) for value in one.values) or not _have_form(one.values):
        return []
    ways = list(dict.fromkeys(_ways(boxes[-1], one.values[-1])))[:_MOST_PLACES]
    fitted = (fit_column(way, texts, one, base, fixed_cuts) for way, texts in read_all(ways, boxes).items())
    return [_counted(each, boxes) for each in fitted if each is not None][:_MOST_SELECTORS]


def _is_short(value: JsonValue) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool) and 0 < len(str(value)) <= _LONGEST


def _have_form(values: Sequence[JsonValue]) -> bool:
    figures = figures_of(values)
    return figures.kind == "number" or _is_figured(figures) or figures.distinct < len(values)


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


def doubt_of_place(one: FieldRecipe, cell: JsonValue, box: Box) -> str:
    """Say what makes a value doubtful that its place tells: a form that it never had, or that another text has, too."""
    placed = [selector for selector in one.selectors if selector.kind == "placed"]
    if not placed or cell is None:
        return ""
    if not _has_form(one.figures, cell):
        return f"{one.name} is {str(cell)[:40]!r}, which it never was, and its place alone tells it"
    for selector in placed:
        reader = Reader(selector)
        for text in _beside(selector, box):
            other = reader.decoded[text]
            if reader.accepts(text) and _has_form(one.figures, cast(JsonValue, other)):
                return f"{one.name} is told by its place alone, and {text[:40]!r} beside it could be it"
    return ""


def _beside(selector: FieldSelector, box: Box) -> Iterator[str]:
    """Give the short texts of the part in which a value stands, without the value's own."""
    for element in found_by(selector, box):
        top = [*islice(element.iterancestors(), len(steps_of(selector.tag)))][-1]
        own = {*element.iter(), *element.iterancestors()}
        yield from (text for node in top.iter("*") if node not in own and (text := text_of(node)))


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
