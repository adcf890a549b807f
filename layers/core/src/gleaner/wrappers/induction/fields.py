"""Learning one field: candidate selectors from where its values stand, kept if they read every record.

The hypotheses likeliest to survive a change of the layout are kept together.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from gleaner.contracts.ports import JsonValue
from gleaner.values.texts.partial_days import days_over
from gleaner.wrappers.container import Container
from gleaner.wrappers.cuts import MOST_WAYS, Way, fit, part_of_text, slips_in
from gleaner.wrappers.guard import cuts_remarks, remark_of
from gleaner.wrappers.induction.ensembles import (
    BY_NAME,
    ensemble,
    is_cut_by_place,
    is_own_part,
    is_sure,
    is_telling,
    without_neighbours,
)
from gleaner.wrappers.induction.flags import marked_selectors, presence_selectors, shows_both, worded_selectors
from gleaner.wrappers.induction.item_lists import list_selectors
from gleaner.wrappers.induction.mentions import (
    MOST_NOTHINGS,
    MOST_TRIED,
    MOST_WORDS,
    SEEDS,
    Hypothesis,
    Wanted,
    common,
    holds,
    mentions,
    says,
    seeds_of,
)
from gleaner.wrappers.model import FieldRecipe, Figures, Scalar, Selector
from gleaner.wrappers.places import (
    MARKED,
    WEAK,
    Place,
    counted,
    kind_of,
    names_whole_field,
    places_of,
    survival_of,
    text_places,
    texts_above,
)
from gleaner.wrappers.readings import (
    BELOW,
    MARKS,
    OVER,
    PLACEHOLDERS,
    STRUCTURAL,
    UNREAD,
    Readers,
    has_figure,
    is_typed,
    mask,
    shape_of,
    words_beside,
)
from gleaner.wrappers.selectors import Several, cut_texts, heads_of, is_in_parts, read_said, said_by, said_with_over
from gleaner.wrappers.trees import squeeze

_TELL_A_PLACE = 16
"""So many records show where their fields stand, if by a number of elements alone: the samples of generated long pages
have 20 to 143, and what they teach is tried on the rest; of 8 records with one value another text was taken for it."""

_LONG_CUT = 60
_OVER = ("h1", "h2", "h3", "caption", "title", "body")
"""Tags of what may state the month and year of all that stands below it, however far above."""
_LONGEST_TOLD = 300
"""A text of more characters is not looked at for why a field is not read."""
_STRICT = ((0, False), (1, False))
_TOLERANT = ((0, True), (1, True), (MOST_WAYS, True))
"""How many cuts a text may need, and whether some may be odd: the plainest first. A sample shows too few odd ones."""
_SILENT = frozenset(("class", "class+made", "tag", "path", "self", "says", "behind"))
"""Kinds of places that don't say what stands there: away from where a value is proven its text may be anything."""
_MOST_OF_A_KIND = 6
"""Of one kind so many selectors are enough to choose an ensemble from."""
_LEAST_OF_LONG = 0.5
_SURE_OF_LONG = 0.85
"""What is left of a rate for each so many characters of a text that a value is cut out of."""
_TELLING_TEXTS = 3
"""So many texts tell that a number always has the same words beside it."""
_TEXTS_FOR_SIGNS = 5
"""So many texts without a letter tell that a field is no text."""
_MOST_SHAPES = 40
_PAGES_FOR_PLACES = 3
"""So many pages about one thing must agree before a value is read by its mere place on them."""


def learn_field(wanted: Wanted, boxes: Sequence[Container], readers: Readers, *, is_single: bool) -> FieldRecipe:
    """Give the recipe of a field: its best selectors, or why it has none.

    With ``is_single`` the containers are whole pages, of which few are known: only what names the field counts until
    several pages agree.
    """
    known = [at for at, value in enumerate(wanted.values) if value is not None and value != []]
    figures = Figures(count=len(boxes), nulls=len(boxes) - len(known))
    made = FieldRecipe(steps=wanted.steps, figures=figures, is_figure=wanted.is_figure, is_array=wanted.is_array)
    made = made.model_copy(update={"omitted": wanted.is_omitted, "blank": wanted.is_blank})
    if not known:
        return made
    is_flag = all(isinstance(wanted.values[at], bool) for at in known)
    if wanted.is_list:
        found = [*list_selectors(wanted, boxes, known, readers)]
        found = found or [*_parted_selectors(wanted, boxes, known, readers, is_single=is_single)]
    else:
        found = [*_plain_selectors(wanted, boxes, known, readers, is_single=is_single)]
        if is_flag and is_single and not shows_both(wanted):
            found = [one for one in found if names_whole_field(one.place, wanted.words)]
        if is_flag or (not found and _are_few(wanted, known)):
            found += worded_selectors(wanted, boxes, known, is_single=is_single)
        if is_flag:
            found += marked_selectors(wanted, boxes) if is_single else presence_selectors(wanted, boxes)
    if wanted.has_lines:
        found = [one for one in found if one.place.inner == MARKED] or found
    if not found:
        is_column = not is_single and not wanted.is_list
        found = [*_heading_selectors(wanted, boxes, known, readers)] if is_column else []
        found = found or ([*_selectors_with_over(wanted, boxes, known, readers)] if is_column else [])
    by_words = [one for one in found if not is_cut_by_place(one, boxes[known[0]])]
    found = by_words if is_single else by_words or found
    found = _trusted(found, wanted, boxes, known) if is_single else found
    if not found and not wanted.is_list and 0 in [wanted.values[at] for at in known] and _are_counts(wanted, known):
        wanted.values = [value or None for value in wanted.values]
        return learn_field(wanted, boxes, readers, is_single=is_single).model_copy(update={"is_zero": True})
    is_short = not is_single and len(boxes) < _TELL_A_PLACE
    if is_short and len(known) == 1 < len(boxes):
        found = [one for one in found if one.place.kind in (*BY_NAME, "column") or is_telling(one, wanted, boxes)]
    is_placed = not any(one.survival >= WEAK or one.over or is_typed(one.reading) for one in found)
    if is_short and figures.nulls and is_placed:
        found = []  # where records differ, a number of elements is no place
    if not found:
        return made.model_copy(update={"unread": _why(wanted, boxes, known, readers, is_single=is_single)})
    chosen = ensemble(found if is_single else without_neighbours(found, wanted), boxes[known[0]])
    chosen = [one.model_copy(update={"place": counted(one.place, boxes)}) for one in chosen]
    figures = _figures_of(wanted, chosen, boxes, readers, is_single=is_single)
    return made.model_copy(update={"selectors": tuple(chosen), "figures": figures})


def _trusted(found: list[Selector], wanted: Wanted, boxes: Sequence[Container], known: Sequence[int]) -> list[Selector]:
    """Give the selectors of a page about one thing that may be kept: what is sure, or what is the field's own part."""
    sure = [one for one in found if is_sure(one, wanted, boxes, known)]
    # Where pages lack the value, its number among others is no place.
    agreed = found if len(known) == len(boxes) else [one for one in found if one.place.nth is None and not one.cuts]
    is_agreed = len(known) > 1 and len(boxes) >= _PAGES_FOR_PLACES and len({one.place.kind for one in agreed}) > 1
    kept = sure or (agreed if is_agreed else [])
    if all(one.place.kind == "says" for one in kept):  # its words may be the value's own
        kept = [*kept, *(one for one in found if is_own_part(one, wanted, boxes, known))]
    return kept


def _why(wanted: Wanted, boxes: Sequence[Container], known: Sequence[int], readers: Readers, *, is_single: bool) -> str:
    """Say in plain words what stands where a field was given, and why no selector reads it."""
    later = "; a second page may show where it stands" if is_single else ""
    if all(isinstance(wanted.values[at], bool) for at in known):
        what = "on the page" if is_single else "in a record"
        return f"nothing {what} tells yes from no{later}"
    said = ""
    for at in seeds_of(known):
        value = wanted.values[at]
        for one in value if isinstance(value, list) else [value]:
            found = _shortest_saying(one, wanted, boxes[at], readers)
            if not found:
                what = "the page" if is_single else f"record {at + 1}"
                return f"no text of {what} says {_shown(one)}: it may be put together from several, or in other words"
            said = said or found
    if is_single:
        return f"{_shown(said)} says it, but nothing on the page names it{later}"
    return f"{_shown(said)} says it in a record, but no class, label or place does in all {len(known)} that have it"


def _shortest_saying(value: JsonValue, wanted: Wanted, box: Container, readers: Readers) -> str:
    """Give the shortest text that holds a value, as it stands or written in another way; "" for none."""
    texts = sorted(
        {text for text in box.every_text if 0 < len(text) <= _LONGEST_TOLD}, key=lambda text: (len(text), text)
    )
    return next(
        (text for text in texts if says(value, text, wanted, readers) or holds(value, text, wanted, readers)), ""
    )


def _shown(value: JsonValue) -> str:
    shown = repr(value)
    return shown if len(shown) <= _LONG_CUT else f"{shown[: _LONG_CUT - 1]}…"


def _are_counts(wanted: Wanted, known: Sequence[int]) -> bool:
    """Tell whether all values are whole numbers, and some are not 0: pages leave counts of 0 out."""
    values = [wanted.values[at] for at in known]
    return all(type(value) is int for value in values) and any(values) and len(known) == len(wanted.values)


def _are_few(wanted: Wanted, known: Sequence[int]) -> bool:
    values = {repr(wanted.values[at]) for at in known}
    return len(values) <= MOST_WORDS and len(known) >= 2 * len(values)


@dataclass(slots=True)
class _Fitting:
    """What selectors of one field are fitted with. ``ways`` remembers the way of texts that several places name."""

    wanted: Wanted
    boxes: Sequence[Container]
    readers: Readers
    ways: dict[tuple[object, ...], Way | None] = field(default_factory=dict[tuple[object, ...], "Way | None"])

    def selector_of(
        self, place: Place, source: str, ways: int = 0, *, is_tolerant: bool = False, over: Place | None = None
    ) -> Selector | None:
        """Give the selector of a place if it reads each container's value, and nothing where there is none."""
        pairs: list[tuple[str, JsonValue]] = []
        empty: list[str] = []
        for value, box in zip(self.wanted.values, self.boxes, strict=True):
            said = said_with_over(place, over, source, box)
            if isinstance(said, Several) or (said is None and value is not None):
                return None
            if value is not None:
                pairs.append((said or "", value))
            elif said is not None:
                empty.append(said)
        texts = tuple(text for text, _ in pairs), tuple(empty), ways, is_tolerant
        if texts not in self.ways:
            readings = self.wanted.readings if over is None else _readings_below(self.wanted)
            self.ways[texts] = fit(pairs, readings, self.readers, ways=ways, is_tolerant=is_tolerant, empty=empty)
        way = self.ways[texts]
        if way is None:
            return None
        valued = {text for text, _ in pairs}
        slips = slips_in(len(valued)) - len(way.odd) if is_tolerant else 0
        nothing = _nothings(empty, way, valued, self.readers, slips)
        if nothing is None:
            return None
        survival = survival_of(place, self.wanted.words, bool(way.cuts))
        if way.cuts:
            survival *= max(_LEAST_OF_LONG, _SURE_OF_LONG ** (sum(map(len, texts[0])) // (_LONG_CUT * len(pairs))))
        return Selector(
            place=place,
            over=over,
            source=source,
            cuts=way.cuts,
            reading=way.reading,
            words={text: value for text, value in way.odd.items() if not isinstance(value, dict | list)}
            | dict[str, Scalar].fromkeys(nothing),
            optional=bool(way.cuts) and any(part_of_text(way.cuts, text) is None for text in empty),
            survival=round(survival, 4),
        )


def _plain_selectors(
    wanted: Wanted, boxes: Sequence[Container], known: Sequence[int], readers: Readers, *, is_single: bool
) -> Iterator[Selector]:
    """Give the selectors by which every container's text is its value; if none will do, those by which it holds it.

    Places are looked for where the values are proven; on all of the page only if nothing there reads them all, or by
    what says what the text is. Of lists a few values may be odd where no selector reads all.
    """
    # A page may say 0 in words, which no reading finds.
    figured = [at for at in known if isinstance(value := wanted.values[at], bool) or value != 0]
    seeds = seeds_of(figured or known)
    fitting = _Fitting(wanted, boxes, readers)
    offered: dict[tuple[bool, bool], list[list[Hypothesis]]] = {}
    exact = is_read = False
    proofs = {True: wanted.proven, False: [None] * len(boxes)}
    by_proofs = (True, False) if any(wanted.proven[at] is not None for at in seeds) else (False,)
    groups = [_STRICT] if is_single or wanted.is_sampled else [_STRICT, _TOLERANT]
    stages = ((by_proof, *one) for group in groups for by_proof in by_proofs for one in group)
    for by_proof, ways, is_tolerant in stages:
        is_elsewhere = is_read and not by_proof and True in by_proofs
        if exact or (is_elsewhere and not is_single):
            return
        in_part = ways > 0
        if (by_proof, in_part) not in offered:
            seen = ((wanted.values[at], boxes[at], proofs[by_proof][at]) for at in seeds)
            offered[by_proof, in_part] = [
                [*mentions(value, wanted, box, readers, in_part=in_part, proof=proof)] for value, box, proof in seen
            ]
        shared = common(offered[by_proof, in_part], missing=int(is_tolerant and len(seeds) == SEEDS))
        if is_elsewhere:
            shared = [one for one in shared if kind_of(one[0], wanted.words) not in _SILENT]
        ranked = sorted(shared, key=lambda one: (-survival_of(one[0], wanted.words, in_part), len(one[0].value)))
        kinds: Counter[tuple[str, str, bool]] = Counter()
        alone: set[Hypothesis] = set()
        for place, source in ranked[:MOST_TRIED]:
            is_told = place.nth is not None and (place._replace(nth=None), source) in alone
            kind = place.kind, source, place.inner == MARKED
            if is_told or kinds[kind] == _MOST_OF_A_KIND:
                continue
            selector = fitting.selector_of(place, source, ways, is_tolerant=is_tolerant)
            if selector is not None:
                kinds[kind] += 1
                alone.add((place, source))
                exact = exact or not is_single or is_sure(selector, wanted, boxes, known)
                exact = exact or is_own_part(selector, wanted, boxes, known)
                is_read = is_read or not is_single or place.nth is None
                yield selector


def _parted_selectors(
    wanted: Wanted, boxes: Sequence[Container], known: Sequence[int], readers: Readers, *, is_single: bool
) -> Iterator[Selector]:
    """Give the selectors of lists whose items stand in one text, parted by one mark."""
    lists = [[*value] if isinstance(value, list) else [] for value in wanted.values]
    items = [one for value in lists for one in value]
    are_numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in items)
    if not (are_numbers or all(isinstance(one, str) for one in items)) or len(items) == len(known):
        return
    longest = max(known, key=lambda at: len(lists[at]))
    marks = (around for sign in MARKS for around in (f"{sign} ", f" {sign} ", sign))
    for mark in (*marks, " " if are_numbers else "\n"):
        said = [mark.join(map(str, value)) or None for value in lists]
        if any(mark in str(one) for one in items) or squeeze(str(said[longest])) not in boxes[longest].whole_text:
            continue
        joined = replace(wanted, values=[*said], schema={"type": "string"})
        for one in _plain_selectors(joined, boxes, known, readers, is_single=is_single):
            if mark != "\n" or one.place.inner == MARKED:
                reading = "number" if are_numbers else one.reading
                yield one.model_copy(update={"parted": mark.strip(" ") or mark, "reading": reading})
        return


def _nothings(texts: Sequence[str], way: Way, valued: set[str], readers: Readers, slips: int) -> list[str] | None:
    """Give the texts that stand for no value; None when one of them would be read as a value too."""
    reader = readers.of(way.reading)
    odd: dict[str, None] = {}
    is_wrong = False
    for text in texts:
        part = part_of_text(way.cuts, text)
        value = None if part is None else reader[part]
        if value is None:
            continue
        is_wrong = is_wrong or text in valued or (value is not UNREAD and is_typed(way.reading))
        odd[text] = None
    are_alike = len(odd) <= MOST_NOTHINGS and not any(one.isdigit() for text in odd for one in text)
    are_words = are_alike and not is_wrong and (not odd or len(texts) > len(odd) or len(odd) == 1)
    return [*odd] if are_words or (len(odd) <= slips and valued.isdisjoint(odd)) else None


def _heading_selectors(
    wanted: Wanted, boxes: Sequence[Container], known: Sequence[int], readers: Readers
) -> Iterator[Selector]:
    """Give selectors of what stands over several records: the day of a group, the name of a section."""
    if len(known) < len(boxes):
        return
    found: list[list[Hypothesis]] = []
    for at in seeds_of(known):
        value, above = wanted.values[at], texts_above(boxes[at])
        found.append([(place, "") for text, place in above if _tells(value, text, wanted, readers)])
    fitting = _Fitting(wanted, boxes, readers)
    for ways in (0, 1):
        selectors = [fitting.selector_of(place, source, ways) for place, source in common(found)[:MOST_TRIED]]
        if any(selectors):
            yield from filter(None, selectors)
            return


def _selectors_with_over(
    wanted: Wanted, boxes: Sequence[Container], known: Sequence[int], readers: Readers
) -> Iterator[Selector]:
    """Give selectors of days and times of which something over the records states a part: "28" under "March 2026"."""
    readings = _readings_below(wanted)
    found: list[list[tuple[Place, Place]]] = []
    for at in seeds_of(known) if readings else ():
        value, box = wanted.values[at], boxes[at]
        above = [*texts_above(box)]
        short = ((node, box.text(node)) for node in box.nodes)
        own = [(place, text) for node, text in short if _is_short(text) for place in places_of(node, box)]
        own += [(place, text) for text, node in box.pieces if _is_short(text) for place in text_places(node, text, box)]
        own += [(place, text) for text, place in above if _is_short(text)]
        tags = (Place("above", tag=tag) for tag in _OVER)
        over = [*above, *((said, place) for place in tags if isinstance(said := said_by(place, "", box), str))]
        added = {place: adds for text, place in over if (adds := days_over(text))}
        found.append(
            [
                (place, other)
                for place, text in own
                for other, adds in added.items()
                if any(readers.of(one)[f"{text}{OVER}{adds}"] == value for one in readings)
            ]
        )
    fitting = _Fitting(wanted, boxes, readers)
    pairs = common(found)[:MOST_TRIED]
    yield from filter(None, (fitting.selector_of(place, "", over=other) for place, other in pairs))


def _tells(value: JsonValue, text: str, wanted: Wanted, readers: Readers) -> bool:
    return holds(value, text, wanted, readers) or says(value, text, wanted, readers)


def _readings_below(wanted: Wanted) -> list[str]:
    return [BELOW[one] for one in wanted.readings if one in BELOW]


def _is_short(text: str) -> bool:
    return 0 < len(text) <= _LONG_CUT


def _texts_of(one: Selector, boxes: Sequence[Container], readers: Readers) -> Iterator[str]:
    """Give the texts that a selector reads."""
    if one.many:
        yield from (text for box in boxes for text in read_said(one, box, readers)[1])
    elif one.presence is None:
        found = (said_with_over(one.place, one.over, one.source, box) for box in boxes)
        yield from (said for said in found if isinstance(said, str))


def _figures_of(
    wanted: Wanted, chosen: Sequence[Selector], boxes: Sequence[Container], readers: Readers, *, is_single: bool
) -> Figures:
    """Give what the field's values and the texts behind them were like: the guard compares."""
    known = [value for value in wanted.values if value is not None and value != []]
    plain = [one for one in chosen if not one.goes_by_words]
    said = ((one, _texts_of(one, boxes, readers)) for one in plain)
    texts = [
        text for one, all_said in said for text in cut_texts(one, (each for each in all_said if each not in one.words))
    ]
    filled = [text for text in texts if text not in PLACEHOLDERS]  # as the guard compares them
    typed = is_typed(chosen[0].reading)
    numbers = [float(value) for value in known if isinstance(value, int | float) and not isinstance(value, bool)]
    shapes = Counter(map(shape_of, texts)) if typed else Counter[str]()
    beside = {*map(words_beside, texts)} if typed and numbers else set[tuple[str, ...]]()
    # A field of a page about one thing has no column to be compared with: what one page shows must do.
    telling, signs = (1, 1) if is_single else (_TELLING_TEXTS, _TEXTS_FOR_SIGNS)
    return Figures(
        count=len(boxes),
        nulls=len(boxes) - len(known),
        distinct=len({repr(value) for value in known}),
        shapes=tuple(sorted(shape for shape, _ in shapes.most_common(_MOST_SHAPES))),
        longest=max(map(len, texts), default=0),
        fewest=min((len(text.split()) for text in texts), default=0),
        most=max((len(text.split()) for text in texts), default=0),
        lowest=min(numbers, default=None),
        highest=max(numbers, default=None),
        signs="".join(sorted({text[0] for text in texts if text and not text[0].isalnum()})),
        marks="".join(sorted({one for text in texts for one in text if one in MARKS})),
        inner="".join(sorted({one for text in texts for one in text if one in STRUCTURAL})),
        wordy=len(texts) < _TEXTS_FOR_SIGNS or any(map(str.isalpha, "".join(texts))),
        figured=sum(map(has_figure, filled)) / len(filled) if len(filled) >= signs else None,
        wordless=any(sum(map(str.isalpha, text)) <= sum(map(str.isdigit, text)) for text in texts),
        words=beside.pop() if len(beside) == 1 and len(texts) >= telling else (),
        composed=any(is_in_parts(one, box) for one in chosen for box in boxes),
        remarks=tuple(sorted({mask(said) for text in texts if (said := remark_of(text))}))[:_MOST_SHAPES]
        if any(map(cuts_remarks, chosen))
        else (),
        share=sum(1 for value in known if value is True) / max(1, len(boxes)),
        heads=tuple(sorted(set[str]().union(*(heads_of(chosen, box) for box in boxes)))),
    )
