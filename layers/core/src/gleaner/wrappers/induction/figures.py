"""What a field's values and the texts behind them were like where a recipe was learned: the guard compares."""

from collections import Counter
from collections.abc import Sequence

from gleaner.contracts.ports import JsonValue
from gleaner.wrappers.container import Container
from gleaner.wrappers.induction.mentions import Wanted
from gleaner.wrappers.model import Figures, Selector
from gleaner.wrappers.readings import (
    MARKS,
    Readers,
    is_typed,
    shape_of,
    words_beside,
)
from gleaner.wrappers.selectors import cut_text, is_in_one_piece, read_said

_TELLING_TEXTS = 5
"""So many texts tell that a number always has the same words beside it."""
_MOST_SHAPES = 40


def figures_of(wanted: Wanted, chosen: Sequence[Selector], boxes: Sequence[Container], readers: Readers) -> Figures:
    """Give what the field's values and the texts behind them were like."""
    known = [value for value in wanted.values if value is not None and value != []]
    plain = [one for one in chosen if one.words is None]
    texts = [cut_text(one, text) for one in plain for box in boxes for text in read_said(one, box, readers)[1]]
    is_whole = all(
        is_in_one_piece(one, text, box) for one in plain for box in boxes for text in read_said(one, box, readers)[1]
    )
    return figures_from(known, texts, len(boxes), is_typed(chosen[0].reading), is_whole)


def figures_from(known: Sequence[JsonValue], texts: Sequence[str], count: int, typed: bool, is_whole: bool) -> Figures:
    """Give the figures of values and the texts that they were read from."""
    numbers = [float(value) for value in known if isinstance(value, int | float) and not isinstance(value, bool)]
    shapes = Counter(map(shape_of, texts)) if typed else Counter[str]()
    beside = {*map(words_beside, texts)} if typed and numbers else set[tuple[str, ...]]()
    return Figures(
        count=count,
        nulls=count - len(known),
        distinct=len({repr(value) for value in known}),
        shapes=tuple(sorted(shape for shape, _ in shapes.most_common(_MOST_SHAPES))),
        longest=max(map(len, texts), default=0),
        lowest=min(numbers, default=None),
        highest=max(numbers, default=None),
        signs="".join(sorted({text[0] for text in texts if text and not text[0].isalnum()})),
        marks="".join(sorted({one for text in texts for one in text if one in MARKS})),
        wordless=any(not any(map(str.isalpha, text)) for text in texts),
        in_pieces=not is_whole,
        words=beside.pop() if len(beside) == 1 and len(texts) >= _TELLING_TEXTS else (),
        share=sum(1 for value in known if value is True) / max(1, count),
    )
