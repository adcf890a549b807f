"""Which selectors of a field are kept: those that are sure, of several kinds, and one for each copy of the text."""

import re
from collections.abc import Sequence

from lxml.html import HtmlElement

from gleaner.html.elements import is_one_of_pairs
from gleaner.wrappers.container import Container
from gleaner.wrappers.induction.mentions import Wanted
from gleaner.wrappers.labels import BEHIND
from gleaner.wrappers.model import Selector
from gleaner.wrappers.places import LEAD, WEAK, Place, chosen, label_in, names_field, names_whole_field
from gleaner.wrappers.readings import is_figure, is_typed, mask
from gleaner.wrappers.selectors import cut_text, is_composed, is_one_of_parts, reads_a_part, said_by
from gleaner.wrappers.trees import text_of

BY_NAME = ("class", "attribute", "sign")
"""Kinds of places that go by a name in the markup, given for what stands there."""
ENSEMBLE = 4
"""Selectors that are kept of a field."""
_MOST_COPIES = 3
"""So many selectors more are kept for copies of the text elsewhere in each record."""
_PAGES_FOR_CUTS = 3
"""So many pages must have a value that is cut out of a text by words that are not always there, or up to its end."""
_SHORT_WORD = 2
_TELLING_LETTERS = 5
"""A text of one number that has so many letters beside it says by them what it counts: "4 personnes"; a title, too."""
_TELLING_ITEMS = 3
"""A place that names so many items of a list, and nothing else, does so by no chance."""
_MOST_WORDS_OF_A_LEAD = 3
"""A text before an inline element is a label if it has at most so many words: "Offered by <a>…</a>"."""
_COUNTED = re.compile(r"\(\d+\)")
"""How many there are of what a label names: "Comments (2)" says that of no other field."""

_SHOWN = ("", "content", "datetime")
"""Where a part says what it is there for: in its text, or in what stands for that."""


def is_sure(selector: Selector, wanted: Wanted, boxes: Sequence[Container], known: Sequence[int]) -> bool:
    """Tell whether a selector of pages about one thing may be kept: several pages agree, or it names its field.

    Of three pages one with a value is enough, where the others have neither the value nor what it is read by. But not
    for what is cut out of a text by words that don't name the field: of few pages they may be these pages' own. Nor for
    what few pages have first or last of several parts: the next may have others beside it.
    """
    place = selector.place
    if place.nth is not None or (selector.survival < WEAK and place.kind not in BY_NAME):
        return False
    if place.kind == "label":
        is_odd = any(map(str.isdigit, place.value)) and sum(1 for box in boxes if label_in(place, box)) < 2
        if is_odd and not names_whole_field(place, wanted.words):
            return False
    if place.kind in ("label", "says") and any(one in place.value for one in wanted.told):
        return False
    if place.kind == "says" and len(known) < len(boxes):
        # A fixed text says one value: where it, or another number in it, is missing, nothing says so of this one.
        part, _ = _cut_on(selector, boxes[known[0]])
        if mask(part).count("9") < place.value.count("9") or not _has_figures(wanted, known):
            return False
    if wanted.has_twin and not names_whole_field(place, wanted.words):
        return False
    if selector.cuts:
        marks = _marks_of(selector).casefold()
        read = [_cut_on(selector, boxes[at]) for at in known]
        others = (one for one in wanted.told if not any(part and part in one and one in said for part, said in read))
        told = (word for one in others for word in one.split() if len(word) > _SHORT_WORD)
        has_numbers = place.kind != "says" and any(map(str.isdecimal, marks))
        if any(word in marks.split() for word in told) or (len(known) == 1 and has_numbers):
            return False
        is_open = place.kind != "says" and _ends_at_another(selector)
        if len(known) < _PAGES_FOR_CUTS and is_open and _is_of_parts(selector, boxes[known[0]]):
            return False
        if len(known) > 1 and len({repr(wanted.values[at]) for at in known}) == 1:
            return _names_by_cut(selector, wanted)
        if selector.optional and len(known) < _PAGES_FOR_CUTS:
            return _names_by_cut(selector, wanted)
    return len(known) > 1 or len(boxes) > 2 or is_telling(selector, wanted, boxes)


def _cut_on(selector: Selector, box: Container) -> tuple[str, str]:
    """Give what a selector cuts out of a text, and the text, in small letters: another field may say all of it."""
    said = said_by(selector.place, selector.source, box)
    return (cut_text(selector, said).casefold(), said.casefold()) if isinstance(said, str) else ("", "")


def _has_figures(wanted: Wanted, known: Sequence[int]) -> bool:
    """Tell whether all values have figures, or are no texts."""
    values = [wanted.values[at] for at in known]
    return all(not isinstance(value, str) or any(map(str.isdigit, value)) for value in values)


def is_own_part(selector: Selector, wanted: Wanted, boxes: Sequence[Container], known: Sequence[int]) -> bool:
    """Tell whether a value is all that a part with a name says, and stands nowhere else on the only page that has it.

    Where nothing names the field, the class of the part has been given for what it says. What it may say beside this
    one value no page has shown, so nothing is cut out of it; and of a flag the page shows one side only.
    """
    is_flag = any(isinstance(value, bool) for value in wanted.values)
    is_named = selector.place.kind in BY_NAME and selector.place.nth is None
    is_whole = (
        is_named
        and selector.place.inner != LEAD
        and not selector.cuts
        and not selector.many
        and selector.source in _SHOWN
    )
    if is_flag or wanted.has_twin or not is_whole or selector.survival < WEAK:
        return False
    box = boxes[known[0]]
    said = said_by(selector.place, selector.source, box)
    return len({_innermost(node) for node in box.nodes if box.text(node) == said}) <= 1


def _ends_at_another(selector: Selector) -> bool:
    """Tell whether a text reaches from or to an end of what it is cut out of, or up to words: another part's label."""
    return any(not cut.before or not cut.after or any(map(str.isalpha, cut.after)) for cut in selector.cuts)


def _is_of_parts(selector: Selector, box: Container) -> bool:
    """Tell whether a text is one of several elements, and cut out of what they say together."""
    return is_composed(selector, box) and is_one_of_parts(selector, box)


def is_cut_by_place(selector: Selector, box: Container) -> bool:
    """Tell whether a text is one of several parts of the page by its mere number: no word beside it says which.

    Or some of a text's words by theirs: the next value may have more.
    """
    if not is_typed(selector.reading) and any(f"{cut.before}{cut.after}".isspace() for cut in selector.cuts):
        return True
    if not _is_of_parts(selector, box):
        return False
    is_counted = any(cut.before.isspace() for cut in selector.cuts)
    is_open = any(not cut.before or not cut.after for cut in selector.cuts)
    return is_counted or (is_open and not any(map(str.isalpha, _marks_of(selector))))


def _marks_of(selector: Selector) -> str:
    return " ".join(f"{cut.before} {cut.after}" for cut in selector.cuts)


def _names_by_cut(selector: Selector, wanted: Wanted) -> bool:
    return names_field(Place("label", _marks_of(selector)), wanted.words)


def is_telling(selector: Selector, wanted: Wanted, boxes: Sequence[Container]) -> bool:
    """Tell whether a selector names its field, or several items of a list, so that one page is enough to trust it."""
    place = selector.place
    if selector.cuts and _names_by_cut(selector, wanted):
        return True
    if selector.many and max(len(value) for value in wanted.values if isinstance(value, list)) >= _TELLING_ITEMS:
        return place.kind in (*BY_NAME, "label", "column")
    if place.kind == "label":
        said = said_by(place, selector.source, boxes[0])
        is_count = isinstance(said, str) and _COUNTED.fullmatch(said) is not None
        return names_field(place, wanted.words) or (not is_count and _is_label(place, boxes))
    if place.kind in BY_NAME:
        return names_field(place, wanted.words)
    if place.kind == "says":
        return sum(map(str.isalpha, place.value)) >= _TELLING_LETTERS
    says_what_it_counts = is_figure(selector.reading) and sum(map(str.isalpha, _marks_of(selector))) >= _TELLING_LETTERS
    is_title = place.kind == "tag" and place.tag in ("h1", "title") and not selector.source
    return is_title and (not selector.cuts or says_what_it_counts)


def _is_label(place: Place, boxes: Sequence[Container]) -> bool:
    """Tell whether a text is a label: by its element, by a colon, as one of several pairs, or as it is on two pages."""
    found = [(box, label) for box in boxes if (label := label_in(place, box)) in box.labelled]
    if len(found) > 1:
        return True
    nodes = [node for box, label in found for node in box.by_label.get(label, ())]
    if any(map(_looks_like_label, nodes)) or (not nodes and len(place.value.split()) <= _MOST_WORDS_OF_A_LEAD):
        return True
    return any(isinstance(spot, str) for box, label in found for spot in box.labelled[label])


def _looks_like_label(node: HtmlElement) -> bool:
    classes = (node.get("class") or "").casefold()
    is_marked = node.tag in ("dt", "th", "label") or "label" in classes or "name" in classes
    return is_marked or text_of(node).endswith((":", "：")) or is_one_of_pairs(node)


def without_neighbours(found: Sequence[Selector], wanted: Wanted) -> Sequence[Selector]:
    """Leave out texts behind the value that don't name its field, where others read it: they may be values themselves.

    The column of a field that is gone was read as the one that now stands before "Actions".
    """
    kept = [
        one
        for one in found
        if one.place.kind != "label" or not one.place.value.startswith(BEHIND) or names_field(one.place, wanted.words)
    ]
    return kept if any(one.survival >= WEAK for one in kept) else found


def without_wider(found: Sequence[Selector], box: Container) -> list[Selector]:
    """Leave out what reads a number or a day from all of a text, where another reads it from a part of that alone."""
    said = [said_by(one.place, one.source, box) for one in found]
    sure = [text for one, text in zip(found, said, strict=True) if one.survival >= WEAK and not one.source]
    least = min((text for text in sure if isinstance(text, str)), key=len, default="")
    return [
        one
        for one, text in zip(found, said, strict=True)
        if not (least and isinstance(text, str) and text != least and least in text and reads_a_part(one))
    ]


def ensemble(found: Sequence[Selector], box: Container) -> list[Selector]:
    """Give the best selectors, each by another kind of place first, then the best of the rest.

    A text that stands in several elements of each record has a selector for each of them, so that a change of one alone
    is noticed; not one that a label or the head of a column names, for the same text elsewhere may be another fact. The
    words beside a number may be no more than its unit: they tell it only where nothing else does.
    """
    ranked = sorted(without_wider(found, box), key=_rank)
    if any(one.survival >= WEAK and one.place.kind != "says" for one in ranked):
        ranked = [one for one in ranked if one.place.kind != "says" or one.place.tag or one.presence is not None]
    alone = {one.place for one in ranked if one.place.nth is None}
    ranked = [one for one in ranked if one.place.nth is None or one.place._replace(nth=None) not in alone]
    kinds: dict[tuple[str, str], Selector] = {}
    for one in ranked:
        kinds.setdefault((one.place.kind, one.source), one)
    first = [*kinds.values()][:ENSEMBLE]
    rest = [one for one in ranked if one not in first and one.place.kind not in ("path", "tag")]
    kept = [*first, *rest[: max(0, ENSEMBLE - len(first))]]
    if not any(one.place.kind in ("label", "column") for one in kept):
        copies = _of_copies(ranked, kept, box)
        kept = [one for one in kept if one.place not in {each.place for each in copies}] + copies
    return sorted(kept, key=lambda one: -one.survival)


def _rank(one: Selector) -> tuple[object, ...]:
    """Give what selectors are ordered by, the best first: of equal ones what names the element itself."""
    place = one.place
    return -one.survival, bool(one.cuts), place.nth is not None, bool(place.inner), place


def _of_copies(ranked: Sequence[Selector], chosen: Sequence[Selector], box: Container) -> list[Selector]:
    """Give the best selector of each other element that shows what the chosen ones read.

    Where only attributes would be read, the text that readers see has a say even if it is told by its mere place.
    """
    sure = [one for one in chosen if one.survival >= WEAK]
    seen = {holder for one in sure for holder in _holders(one, box)}
    least = WEAK if seen or not sure else 0.0
    copies: list[Selector] = []
    for one in ranked:
        holders = _holders(one, box) if one.survival >= least else set[HtmlElement]()
        if not holders <= seen and len(copies) < _MOST_COPIES:
            copies.append(one.model_copy(update={"survival": max(one.survival, WEAK)}))
            seen |= holders
    return copies


def _holders(selector: Selector, box: Container) -> set[HtmlElement]:
    """Give the innermost elements whose whole text a selector reads."""
    if selector.source or selector.many or selector.cuts:
        return set()
    return {_innermost(one) for one in chosen(selector.place, box) if not isinstance(one, str)}


def _innermost(node: HtmlElement) -> HtmlElement:
    """Give the only element inside that says all that an element does, or the element itself."""
    said = text_of(node)
    inner = [child for child in node if isinstance(child.tag, str) and text_of(child) == said] if said else []
    return _innermost(inner[0]) if len(inner) == 1 else node
