"""Learning one field: candidate selectors from where its values stand, kept if they read every record.

Each place that names a value's element in one container is a hypothesis. What a few containers have in common, their
least general generalisation (anti-unification), is tried on all of them, and the hypotheses likeliest to survive a
change of the layout are kept together.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Any

from lxml.html import HtmlElement

from gleaner.contracts.ports import JsonValue
from gleaner.html.dom import classes_of
from gleaner.wrappers.container import Container
from gleaner.wrappers.cuts import Cut, Way, fit, shared_start
from gleaner.wrappers.model import FieldRecipe, Figures, Scalar, Selector
from gleaner.wrappers.places import (
    OUT,
    WEAK,
    Place,
    chosen_at,
    find,
    names_field,
    names_whole_field,
    places_above,
    places_of,
    survival_of,
    text_places,
    words_in,
    words_of_field,
)
from gleaner.wrappers.readings import (
    UNREAD,
    Readers,
    is_nothing,
    is_text,
    is_typed,
    mask,
    readings_for,
    same,
    shape_of,
    spans_of,
    words_beside,
)
from gleaner.wrappers.selectors import Several, cut_text, is_in_one_piece, read, read_said, said_by, text_at
from gleaner.wrappers.trees import is_one_of_pairs, label_form, squeeze, text_of

ENSEMBLE = 4
"""Selectors that are kept of a field."""

_MOST_COPIES = 3
"""So many selectors more are kept for copies of the text elsewhere in each record."""

_SEEDS = 4
_MOST_TRIED = 160
_MOST_TELLING = 60
"""A value is looked for in so many texts; one that more of them say is told by no place."""

_LONGEST_AROUND = 400
"""A value is looked for in texts of at most so many characters more than its own."""

_LONG = 60
_SURE_OF_LONG = 0.85
"""What is left of a rate for each so many characters of a text that a value is cut out of."""

_PAGES_WITHOUT = 3
"""So many pages about one thing without a value must be known before a field counts as absent."""

_PAGES_FOR_PLACES = 6
"""So many pages about one thing must agree before a value is read by its mere place on them."""

_SHORT_WORD = 2
_MOST_WORDS = 12
_MOST_NOTHINGS = 4
_TELLING_TEXTS = 5
"""So many texts tell that a number always has the same words beside it."""

_MOST_SHAPES = 40
MARKS = ";|,/•·"
"""What may part the items of a list in one text."""

_SIGNS = "#@•·–—-+*›» "
_SAID = ("alt", "title", "aria-label", "content", "datetime", "value", "href", "src")


@dataclass(slots=True)
class Wanted:
    """A field, and its value in each container."""

    steps: tuple[str, ...]
    schema: Any
    values: list[JsonValue]
    is_omitted: bool = False
    told: frozenset[str] = frozenset()
    """What other fields say on pages about one thing, in small letters: no label and no fixed text says that."""
    is_blank: bool = field(init=False, default=False)
    words: frozenset[str] = field(init=False)
    readings: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.is_blank = "" in self.values
        self.values = [None if value == "" else value for value in self.values]
        self.words = words_of_field(self.steps)
        inner = [one for value in self.values for one in (value if isinstance(value, list) else [value])]
        self.readings = readings_for(self.item_schema, inner)

    @property
    def is_figure(self) -> bool:
        """Whether the schema wants a number."""
        return bool({"number", "integer", "quantity"} & {one.partition(":")[0] for one in self.readings})

    @property
    def is_array(self) -> bool:
        """Whether the schema wants a list and takes no null."""
        return isinstance(self.schema, dict) and self.schema.get("type") == "array"

    @property
    def is_list(self) -> bool:
        """Whether values are lists of scalars."""
        return any(isinstance(value, list) for value in self.values)

    @property
    def item_schema(self) -> Any:
        """The schema of a value, or of an item of a list."""
        if self.is_list and isinstance(self.schema, dict):
            return self.schema.get("items", True)
        return self.schema

    @property
    def name(self) -> str:
        """The field's name, with points between its steps."""
        return ".".join(self.steps) or "record"


def learn_field(wanted: Wanted, boxes: Sequence[Container], readers: Readers, *, is_single: bool) -> FieldRecipe:
    """Give the recipe of a field: its best selectors, or why it has none.

    With ``is_single`` the containers are whole pages, of which few are known: only what names the field counts until
    several pages agree.
    """
    known = [at for at, value in enumerate(wanted.values) if value is not None and value != []]
    made = FieldRecipe(steps=wanted.steps, figures=Figures(count=len(boxes), nulls=len(boxes) - len(known)))
    made = made.model_copy(
        update={
            "is_figure": wanted.is_figure,
            "omitted": wanted.is_omitted,
            "blank": wanted.is_blank,
            "is_array": wanted.is_array,
        }
    )
    if not known:
        silent = tuple(_silent_selectors(wanted, boxes))
        if is_single and len(boxes) < _PAGES_WITHOUT and not silent:
            return made.model_copy(update={"unread": "it has no value on the pages read so far"})
        return made.model_copy(update={"selectors": silent})
    is_flag = all(isinstance(wanted.values[at], bool) for at in known)
    if wanted.is_list:
        found = [*_list_selectors(wanted, boxes, known, readers)]
    else:
        found = [*_plain_selectors(wanted, boxes, known, readers, is_single=is_single)]
        if is_flag or (not found and _are_few(wanted, known)):
            found += _worded_selectors(wanted, boxes, known, is_single=is_single)
        if is_flag:
            found += _presence_selectors(wanted, boxes)
            found = found or [*_named_signs(wanted, boxes, known)]
    if not found:
        found = [*_heading_selectors(wanted, boxes, known, readers)] if not is_single and not wanted.is_list else []
    if is_single:
        sure = [one for one in found if _is_sure(one, wanted, boxes, known)]
        found = sure or (found if len(known) == len(boxes) >= _PAGES_FOR_PLACES else [])
    if not found and not wanted.is_list and 0 in [wanted.values[at] for at in known] and _are_counts(wanted, known):
        wanted.values = [value or None for value in wanted.values]
        return learn_field(wanted, boxes, readers, is_single=is_single).model_copy(update={"is_zero": True})
    if not found:
        return made.model_copy(update={"unread": _why(wanted, boxes, known, is_single=is_single)})
    chosen = _ensemble(found, boxes[known[0]])
    return made.model_copy(update={"selectors": tuple(chosen), "figures": figures_of(wanted, chosen, boxes, readers)})


def _silent_selectors(wanted: Wanted, boxes: Sequence[Container]) -> Iterator[Selector]:
    """Give selectors of what names a field that has no value on any page: other texts there put it in doubt."""
    named = [
        place
        for node in (_named_nodes(boxes[0], wanted.words) if boxes else ())
        if 0 < len(boxes[0].text(node)) <= 60
        for place in places_of(node, boxes[0])
        if place.kind in ("label", "class", "attribute")
        and place.nth is None
        and names_whole_field(place, wanted.words)
    ]
    count = 0
    for place in dict.fromkeys(named):
        said = [said_by(place, "", box) for box in boxes]
        words: dict[str, Scalar] = {mask(text): None for text in said if isinstance(text, str)}
        if any(isinstance(text, Several) for text in said) or not words or len(words) > _MOST_NOTHINGS:
            continue
        if len(boxes) == 1 and not all(map(is_nothing, words)):
            continue
        count += 1
        yield Selector(place=place, words=words, survival=1.0)
        if count == ENSEMBLE:
            return


def _named_nodes(box: Container, words: frozenset[str]) -> list[HtmlElement]:
    """Give the elements that a label, a class or an attribute names by all words, and those right inside them."""
    found = [nodes for token, nodes in box.by_class.items() if words.issubset(words_in(token))]
    found += [nodes for (name, value), nodes in box.by_attribute.items() if words.issubset(words_in(f"{name} {value}"))]
    found += [
        [spot for spot in spots if not isinstance(spot, str)]
        for label, spots in box.labelled.items()
        if words.issubset(words_in(label))
    ]
    named = {node for nodes in found for node in nodes}
    for _ in range(OUT):
        named |= {child for node in named for child in node}
    return [node for node in box.nodes if node in named] if words else []


def _why(wanted: Wanted, boxes: Sequence[Container], known: Sequence[int], *, is_single: bool) -> str:
    """Say in plain words why no selector reads a field."""
    seen = 0
    for at in known:
        forms = wanted.values[at] if isinstance(wanted.values[at], list) else [wanted.values[at]]
        seen += all(isinstance(one, str) and " ".join(one.split()) in boxes[at].whole_text for one in forms)  # type: ignore[union-attr]
    what = "page" if is_single else "record"
    if isinstance(wanted.values[known[0]], str | list) and not seen:
        return f"no text of a {what} says it as it was given"
    if is_single:
        return "nothing on the page names it; a second page may show where it stands"
    return f"no selector reads it in every {what} ({len(known)} of {len(boxes)} have it)"


def _are_counts(wanted: Wanted, known: Sequence[int]) -> bool:
    """Tell whether all values are whole numbers, and some are not 0: pages leave counts of 0 out."""
    values = [wanted.values[at] for at in known]
    return all(type(value) is int for value in values) and any(values) and len(known) == len(wanted.values)


def _are_few(wanted: Wanted, known: Sequence[int]) -> bool:
    values = {repr(wanted.values[at]) for at in known}
    return len(values) <= _MOST_WORDS and len(known) >= 2 * len(values)


def _seeds(known: Sequence[int]) -> list[int]:
    """Give some of the containers that have a value, from all over the page."""
    step = max(1, len(known) // _SEEDS)
    return [*known[::step]][:_SEEDS]


Hypothesis = tuple[Place, str]
"""A place, and the attribute read there, "" for the text."""


def _mentions(
    value: JsonValue, wanted: Wanted, box: Container, readers: Readers, *, in_part: bool
) -> Iterator[Hypothesis]:
    """Give the places and sources whose text is the value, or with ``in_part`` holds it."""
    texts = ((node, text) for node in box.nodes if (text := box.text(node)))
    telling = [
        *islice((node for node, text in texts if _tells(value, text, wanted, readers, in_part=in_part)), _MOST_TELLING)
    ]
    yield from ((place, "") for node in telling for place in places_of(node, box))
    for node, name, said in box.attribute_texts:
        if _tells(value, said, wanted, readers, in_part=in_part and name in _SAID):
            yield from ((place, name) for place in places_of(node, box))
    if len(telling) == _MOST_TELLING:
        return
    for text, holder in box.pieces:
        if text != box.text(holder) and _tells(value, text, wanted, readers, in_part=in_part):
            yield from ((place, "") for place in text_places(holder, text, box))
    for spot in box.labels_of:
        if isinstance(spot, str) and _tells(value, spot, wanted, readers, in_part=in_part):
            yield from ((Place("label", label, nth=nth), "") for label, nth in box.labels_of[spot])


def _tells(value: JsonValue, text: str, wanted: Wanted, readers: Readers, *, in_part: bool) -> bool:
    """Tell whether a text says a value."""
    if not in_part:
        return _says(value, text, wanted, readers)
    if isinstance(value, str):
        if value in text:
            return len(text) <= len(value) + _LONGEST_AROUND
        if "date" not in wanted.readings:
            return False
    if len(text) > _LONGEST_AROUND:
        return False
    return next(spans_of(value, text, wanted.readings, readers), None) is not None


def _says(value: JsonValue, text: str, wanted: Wanted, readers: Readers) -> bool:
    if isinstance(value, str) and same(text, value):
        return True
    return any(
        same(read, value)
        for name in wanted.readings
        if not is_text(name) and (read := readers.of(name)[text]) is not UNREAD and read is not None
    )


def _common(found: Iterable[Iterable[Hypothesis]]) -> list[Hypothesis]:
    """Give the hypotheses that most seeds share, those shared by all first."""
    counts: Counter[Hypothesis] = Counter()
    total = 0
    for one in found:
        counts.update({*one})
        total += 1
    return [one for one, count in counts.items() if count == total]


def _plain_selectors(
    wanted: Wanted, boxes: Sequence[Container], known: Sequence[int], readers: Readers, *, is_single: bool
) -> Iterator[Selector]:
    """Give the selectors by which every container's text is its value; if none will do, those by which it holds it."""
    seeds = _seeds(known)
    exact = False
    for in_part in (False, True):
        shared = _common([*_mentions(wanted.values[at], wanted, boxes[at], readers, in_part=in_part)] for at in seeds)
        ranked = sorted(shared, key=lambda one: (-survival_of(one[0], wanted.words, in_part), len(one[0].value)))
        for place, source in ranked[:_MOST_TRIED]:
            selector = _fitted(place, source, wanted, boxes, readers, is_cut=in_part)
            if selector is not None:
                exact = exact or not is_single or _is_sure(selector, wanted, boxes, known)
                yield selector
        if exact:
            return


def _fitted(
    place: Place, source: str, wanted: Wanted, boxes: Sequence[Container], readers: Readers, *, is_cut: bool
) -> Selector | None:
    """Give the selector of a place if it reads each container's value, and nothing where there is none."""
    pairs: list[tuple[str, JsonValue]] = []
    nothing: list[str] = []
    for value, box in zip(wanted.values, boxes, strict=True):
        said = said_by(place, source, box)
        if value is None:
            if isinstance(said, Several):
                return None
            if said is not None:
                nothing.append(said)
        elif said is None or isinstance(said, Several):
            return None
        else:
            pairs.append((said, value))
    way = fit(pairs, wanted.readings, readers, plain=not is_cut)
    if way is None:
        return None
    optional = way.cut is not None and any(way.cut.of(text) is None for text in nothing)
    if optional and way.cut is not None:
        nothing = [text for text in nothing if way.cut.of(text) is not None]
    silent = _nothings(nothing, way, {text for text, _ in pairs}, readers)
    if silent is None:
        return None
    survival = survival_of(place, wanted.words, way.cut is not None)
    if way.cut is not None:
        survival *= _SURE_OF_LONG ** (sum(len(text) for text, _ in pairs) // (_LONG * len(pairs)))
    return Selector(
        place=place,
        source=source,
        cut=way.cut,
        reading=way.reading,
        nothing=tuple(silent),
        optional=optional,
        survival=round(survival, 4),
    )


def _nothings(texts: Sequence[str], way: Way, valued: set[str], readers: Readers) -> list[str] | None:
    """Give the texts that stand for no value; None when one of them would be read as a value too."""
    reader = readers.of(way.reading)
    odd: dict[str, None] = {}
    for text in texts:
        said = text if way.cut is None else way.cut.of(text)
        value = UNREAD if said is None else reader[said]
        if value is None:
            continue
        if text in valued or (value is not UNREAD and is_typed(way.reading)):
            return None
        odd[text] = None
    are_alike = len(odd) <= _MOST_NOTHINGS and not any(one.isdigit() for text in odd for one in text)
    return [*odd] if are_alike and (not odd or len(texts) > len(odd) or len(odd) == 1) else None


def _worded_selectors(
    wanted: Wanted, boxes: Sequence[Container], known: Sequence[int], *, is_single: bool
) -> Iterator[Selector]:
    """Give selectors of texts or classes that have a value each: "Sold out" is false, ``label-warning`` true."""
    values = [wanted.values[at] for at in known]
    if len({repr(value) for value in values}) < 2 or len(known) < len(boxes):
        return
    shared = _common(_every_place(boxes[at]) for at in _seeds(known))
    for place, source in shared[: 2 * _MOST_TRIED]:
        words: dict[str, Scalar] = {}
        for value, box in zip(wanted.values, boxes, strict=True):
            said = said_by(place, source, box)
            if not isinstance(said, str):
                break
            said = mask(said)
            if said in words and not same(words[said], value):
                break
            words[said] = value if isinstance(value, str | int | float) else None
            if len(words) > _MOST_WORDS:
                break
        else:
            is_named = names_field(place, wanted.words) or not wanted.words.isdisjoint(words_in(" ".join(words)))
            if (1 if is_single and is_named else 2) * len(words) < len(boxes):
                survival = survival_of(place, wanted.words, True)
                yield Selector(place=place, source=source, words=words, reading="string", survival=survival)


def _every_place(box: Container) -> Iterator[Hypothesis]:
    for node in box.nodes[:200]:
        if node in box.elements and len(box.elements) == 1:
            yield Place("self"), "class"
        for place in places_of(node, box):
            if place.kind in ("path", "tag") or place.inner:
                continue
            if 0 < len(box.text(node)) <= 60:
                yield place, ""
            if node.get("class"):
                yield place, "class"


def _presence_selectors(wanted: Wanted, boxes: Sequence[Container]) -> Iterator[Selector]:
    """Give what all records of which a flag is true have, and none of the others; or the other way round.

    Such a sign knows two values only: it says nothing where some records have neither.
    """
    if None in wanted.values:
        return
    features = [_features(box) for box in boxes]
    for presence in (True, False):
        having = [one for one, value in zip(features, wanted.values, strict=True) if value is presence]
        others = [one for one, value in zip(features, wanted.values, strict=True) if value is not presence]
        if len(having) < 2 or not others:
            continue
        found = frozenset.intersection(*having) - frozenset[Place]().union(*others)
        is_seen = len(others) > 1
        for place in sorted(one for one in found if is_seen or names_whole_field(one, wanted.words)):
            yield Selector(place=place, presence=presence, survival=survival_of(place, wanted.words, False))


def _named_signs(wanted: Wanted, boxes: Sequence[Container], known: Sequence[int]) -> Iterator[Selector]:
    """Give what stands for a flag that was the same everywhere: a sign of its name that says the same each time.

    Where the sign is missing, or says something else, the flag can't be read: no page has shown what that means.
    """
    if len(known) < max(2, len(boxes)) or len({wanted.values[at] for at in known}) > 1:  # type: ignore[misc]
        return
    shared = frozenset.intersection(*(_features(box) for box in boxes))
    for place in sorted(one for one in shared if one.kind != "says" and names_whole_field(one, wanted.words)):
        said = {mask(text) if isinstance(text := said_by(place, "", box), str) else None for box in boxes}
        text = said.pop() if len(said) == 1 else None
        if text is not None and len(text) <= _LONG:
            flag = bool(wanted.values[known[0]])
            yield Selector(place=place, words={text: flag}, survival=survival_of(place, wanted.words, False))


def _features(box: Container) -> frozenset[Place]:
    found: set[Place] = {Place("class", token) for token in box.by_class}
    found.update(Place("attribute", value, "", name) for name, value in box.by_attribute if value and len(value) <= 60)
    said = (label_form(box.text(node)) for node in box.nodes)
    found.update(Place("says", text) for text in said if text and len(text) <= 40)
    return frozenset(found)


def _heading_selectors(
    wanted: Wanted, boxes: Sequence[Container], known: Sequence[int], readers: Readers
) -> Iterator[Selector]:
    """Give selectors of what stands over several records: the day of a group, the name of a section."""
    if len(known) < len(boxes):
        return
    found: list[list[Hypothesis]] = []
    for at in _seeds(known):
        value = wanted.values[at]
        above = places_above(boxes[at])
        found.append([(place, "") for node, place in above if _says(value, boxes[at].text(node), wanted, readers)])
    for place, source in _common(found)[:_MOST_TRIED]:
        selector = _fitted(place, source, wanted, boxes, readers, is_cut=False)
        if selector is not None:
            yield selector


def _list_selectors(
    wanted: Wanted, boxes: Sequence[Container], known: Sequence[int], readers: Readers
) -> Iterator[Selector]:
    """Give selectors of lists of scalars: elements that are an item each, or one text that marks part."""
    seeds = sorted(known, key=lambda at: -len(wanted.values[at]))[:_SEEDS]  # type: ignore[arg-type]
    shared = _common(_item_places(wanted.values[at], wanted, boxes[at], readers) for at in seeds)  # type: ignore[arg-type]
    for place, source in sorted(shared, key=lambda one: -survival_of(one[0], wanted.words, False))[:_MOST_TRIED]:
        for cut, reading in product(_cuts_of_items(place, source, boxes, seeds), wanted.readings):
            nothing = _texts_of_nothing(place, source, wanted, boxes)
            selector = Selector(place=place, source=source, cut=cut, reading=reading, many=True, nothing=nothing)
            if _reads_all(selector, wanted, boxes, readers):
                yield selector.model_copy(update={"survival": survival_of(place, wanted.words, False)})
                break
    yield from _parted_selectors(wanted, boxes, seeds, readers)


def _texts_of_nothing(place: Place, source: str, wanted: Wanted, boxes: Sequence[Container]) -> tuple[str, ...]:
    """Give the texts that stand where a list is empty, each alone."""
    found: dict[str, None] = {}
    for value, box in zip(wanted.values, boxes, strict=True):
        spots = [] if value else find(place, box)
        if len(spots) == 1 and (text := text_at(spots[0], source, box)):
            found[text] = None
    return tuple(found) if len(found) <= _MOST_NOTHINGS else ()


def _cuts_of_items(place: Place, source: str, boxes: Sequence[Container], seeds: Sequence[int]) -> list[Cut | None]:
    """Give the signs that all items begin with, to be cut off, after no cut: "#python"."""
    spots = [spot for at in seeds for spot in find(place, boxes[at])]
    texts = [text for spot in spots if (text := text_at(spot, source, boxes[0]))]
    lead = shared_start(texts)
    signs = lead[: len(lead) - len(lead.lstrip(_SIGNS))]
    return [None, Cut(signs, "")] if signs else [None]


def _reads_all(selector: Selector, wanted: Wanted, boxes: Sequence[Container], readers: Readers) -> bool:
    for value, box in zip(wanted.values, boxes, strict=True):
        got = read(selector, box, readers)
        if got is UNREAD or not same(got or [], value or []):
            return False
    return True


def _item_places(items: list[JsonValue], wanted: Wanted, box: Container, readers: Readers) -> Iterator[Hypothesis]:
    """Give the places that may name the elements of all items: those of the first item's element, without a number."""
    first, last = items[0], items[-1]
    for node in box.nodes:
        for source in ("", *(name for name in map(str, node.keys()) if name in _SAID)):
            said = box.text(node) if not source else squeeze(node.get(source) or "")
            if not said or not any(
                _says(one, text, wanted, readers) for one in (first, last) for text in (said, said.lstrip(_SIGNS))
            ):
                continue
            above = node.getparent()
            for place in places_of(node, box):
                if place.kind in ("class", "attribute", "tag", "column") and not place.inner:
                    yield place._replace(nth=None), source
            for _ in range(3):
                if above is None:
                    break
                for place in places_of(above, box):
                    if not place.inner and place.nth is None:
                        yield place._replace(inner=str(node.tag)), source
                if above in box.elements:
                    break
                above = above.getparent()


def _parted_selectors(
    wanted: Wanted, boxes: Sequence[Container], seeds: Sequence[int], readers: Readers
) -> Iterator[Selector]:
    """Give selectors of one text that holds all items of a list with the same mark between them."""
    longest = wanted.values[seeds[0]]
    if not isinstance(longest, list) or len(longest) < 2 or not all(isinstance(one, str) for one in longest):
        return
    box = boxes[seeds[0]]
    first, second = str(longest[0]), str(longest[1])
    for node in box.nodes:
        text = box.text(node)
        if not (first in text and second in text) or len(text) > _LONGEST_AROUND + sum(
            len(str(one)) for one in longest
        ):
            continue
        start = text.find(first) + len(first)
        mark = text[start : text.find(second, start)]
        if not mark or len(mark) > 4 or mark.isspace():
            continue
        lead = text[: text.find(first)]
        cut = Cut(lead, "") if lead else None
        for place in places_of(node, box):
            nothing = _texts_of_nothing(place, "", wanted, boxes)
            selector = Selector(place=place, separator=mark, cut=cut, nothing=nothing)
            if _reads_all(selector, wanted, boxes, readers):
                yield selector.model_copy(update={"survival": survival_of(place, wanted.words, True)})


def _is_sure(selector: Selector, wanted: Wanted, boxes: Sequence[Container], known: Sequence[int]) -> bool:
    """Tell whether a selector of pages about one thing may be kept: several pages agree, or it names its field."""
    place = selector.place
    if place.nth is not None or (selector.survival < WEAK and place.kind not in ("class", "attribute")):
        return False
    if place.kind == "label":
        if any(map(str.isdigit, place.value)) and sum(1 for box in boxes if place.value in box.labelled) < 2:
            return False
        if any(one in place.value for one in wanted.told):
            return False
    if selector.cut is not None:
        marks = f"{selector.cut.before} {selector.cut.after}".casefold().split()
        if any(len(word) > _SHORT_WORD and word in marks for one in wanted.told for word in one.split()):
            return False
    return len(known) > 1 or _is_telling(selector, wanted, boxes)


def _is_telling(selector: Selector, wanted: Wanted, boxes: Sequence[Container]) -> bool:
    """Tell whether a selector names its field, so that one page is enough to trust it."""
    place = selector.place
    if selector.cut is not None and names_field(
        Place("label", f"{selector.cut.before} {selector.cut.after}"), wanted.words
    ):
        return True
    if place.kind == "label":
        return names_field(place, wanted.words) or _is_label(place.value, boxes)
    if place.kind in ("class", "attribute"):
        return place.nth is None and names_field(place, wanted.words)
    if place.kind == "tag":
        return place.tag in ("h1", "title") and selector.cut is None
    return False


def _is_label(label: str, boxes: Sequence[Container]) -> bool:
    """Tell whether a text is a label: by its element, by a colon, as one of several pairs, or as it is on two pages."""
    if sum(1 for box in boxes if label in box.labelled) > 1:
        return True
    for box in boxes:
        for node in box.by_label_text.get(label, ()):
            text = box.text(node)
            if node.tag in ("dt", "th", "label") or text.rstrip().endswith((":", "：")):
                return True
            if any("label" in token.casefold() or "name" in token.casefold() for token in classes_of(node)):
                return True
            if is_one_of_pairs(node):
                return True
        if any(isinstance(spot, str) for spot in box.labelled.get(label, ())):
            return True
    return False


def _ensemble(found: Sequence[Selector], box: Container) -> list[Selector]:
    """Give the best selectors, each by another kind of place first, then the best of the rest.

    A text that stands in several elements of each record has a selector for each of them, so that a change of one alone
    is noticed; not one that a label or the head of a column names, for the same text elsewhere may be another fact.
    """
    ranked = sorted(found, key=lambda one: (-one.survival, one.cut is not None, one.place.nth is not None, one.place))
    alone = {one.place for one in ranked if one.place.nth is None}
    ranked = [one for one in ranked if one.place.nth is None or one.place._replace(nth=None) not in alone]
    kinds: dict[tuple[str, str], Selector] = {}
    for one in ranked:
        kinds.setdefault((one.place.kind, one.source), one)
    first = [*kinds.values()][:ENSEMBLE]
    rest = [one for one in ranked if one not in first and one.place.kind not in ("path", "piece", "tag")]
    chosen = [*first, *rest[: max(0, ENSEMBLE - len(first))]]
    if not any(one.place.kind in ("label", "column") for one in chosen):
        copies = _of_copies(ranked, chosen, box)
        chosen = [one for one in chosen if one.place not in {each.place for each in copies}] + copies
    return sorted(chosen, key=lambda one: -one.survival)


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
    if selector.source or selector.many or selector.cut is not None:
        return set()
    spot = chosen_at(selector.place, box)
    spots = find(selector.place, box) if spot is None else [spot]
    return {_innermost(one) for one in spots if not isinstance(one, str)}


def _innermost(node: HtmlElement) -> HtmlElement:
    """Give the only element inside that says all that an element does, or the element itself."""
    said = text_of(node)
    inner = [child for child in node if isinstance(child.tag, str) and text_of(child) == said] if said else []
    return _innermost(inner[0]) if len(inner) == 1 else node


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
