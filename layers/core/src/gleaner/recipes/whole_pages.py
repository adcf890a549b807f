"""Recipes that read a page about one thing anywhere on it: where its values stood, and when one is surely absent."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import chain, repeat

from lxml.html import HtmlElement

from gleaner.coercion.numbers import SYMBOLS
from gleaner.coercion.words import NOTHING, folded, says_nothing
from gleaner.contracts.ports import JsonValue
from gleaner.recipes.absence import Claims, says_something
from gleaner.recipes.asides import direct_text
from gleaner.recipes.boxes import Box, text_of
from gleaner.recipes.field_names import name_words, shares
from gleaner.recipes.finders import finder_of, found_by
from gleaner.recipes.labels import NAME, UNDER, head_over, name_of
from gleaner.recipes.model import FieldRecipe, FieldSelector, Recipe
from gleaner.recipes.novelty import (
    ANYTHING,
    PagePlaces,
    Places,
    find_led,
    find_news,
    ground_of,
    key_of,
    merged,
    short,
    sign_of,
    signs_before,
)
from gleaner.recipes.placed import doubt_of_place
from gleaner.recipes.plurals import end_of
from gleaner.recipes.readers import Reader
from gleaner.recipes.sequences import sequences_of

_LEAST_SHARE = 0.5
_LEAST_PLURAL = 3
_LEAST_NAME = 4
_MOST_UNITS = 4
_MOST_ALIKE = 3
_LONGEST_FLAG = 40
_AMOUNT = re.compile(rf"[${SYMBOLS}]\s?\d|\d\s?[${SYMBOLS}]")
_LONGEST_PRICE = 60
_UNIT = re.compile(r"[^\W\d_]+(?:\^?\d(?![.,]?\d| \d{3}\b))?")
_HEADINGS = frozenset({"h1", "h2", "title"})
_GONE = re.compile(
    r"not (?:be )?found|no longer|(?:does not|doesn.t) exist|unavailable|not available|has expired|been removed|"
    r"\b404\b|\bdenied\b|\bforbidden\b|\bsign(?:ed)? ?in\b|\blog ?in\b|\brobot\b|captcha|before you|\bcookies\b|"
    r"just a moment|something went wrong|nicht gefunden|nicht mehr|introuvable|no encontrad",
    re.IGNORECASE,
)
"""What the headings of pages say that have nothing else to say. A thing of such a name costs a call of the model."""
_WORDS_BEFORE = re.compile(r"(?![A-Z]{3}\b)[^\W\d_].*\w\b:?")
"""The words of a text before a value, without what belongs to its number, such as a currency."""
_LABELLED = frozenset({"beside", "label", "worded"})
_MOST_SECTIONS = 2
_SECTION = "§"
"""Begins what stands for the heading of a section that a labelled value stood in: another one has the same labels."""
_CURRENCY = re.compile(r"[A-Z]{3}")


def with_places(recipe: Recipe, boxes: Sequence[Box]) -> Recipe:
    """Give the recipe with the places of more pages, each of them one box."""
    labels = {one.value for field in recipe.fields for one in field.selectors if one.kind in ("beside", "label")}
    names = set(recipe.name_signs).union(*(signs_before(box, labels) for box in boxes))
    said = [one for field in recipe.fields for one in field.selectors if one.kind == "beside" and one.name]
    befores = (node.getprevious() for one in said for box in boxes for node in _labelled(one, box))
    names |= {short(sign_of(before)) for before in befores if before is not None}
    behind = [one for field in recipe.fields for one in field.selectors if one.kind == "behind"]
    names |= {short(sign_of(marker)) for one in behind for box in boxes for marker in finder_of(one)(box)}
    places: Places = recipe.places
    for box in boxes:
        places = merged(places, PagePlaces(box, names).counted())
    if any(map(_is_unseen_text, recipe.fields)):
        made = ({short(f"+{sequence}"): {ANYTHING: 1} for sequence, _ in sequences_of(box)} for box in boxes)
        places = reduce(merged, made, places)
    named = [(box, _names_on(recipe, box)) for box in boxes]
    fields = [
        one.model_copy(
            update={
                "grounds": sorted({*one.grounds, *(sign for box, said in named for sign in grounds(one, box, said))}),
                "units": sorted({*one.units, *(unit for box, said in named for unit in units_of(one, box, said))}),
                "told": _still_told(recipe, one, boxes),
            }
        )
        for one in recipe.fields
    ]
    return recipe.model_copy(update={"fields": fields, "places": places, "name_signs": sorted(names)})


def _is_unseen_text(one: FieldRecipe) -> bool:
    """Tell whether a field may be any text, and no page showed where it stands."""
    return not one.selectors and not one.types and not one.empty


def _labelled(one: FieldSelector, box: Box) -> Sequence[HtmlElement]:
    """Give the elements beside a selector's label."""
    return elements_of(one.model_copy(update={"tag": one.tag.split("/")[0]}), box)


def _is_labelled(one: FieldRecipe, box: Box, is_value: Callable[[str], bool]) -> bool:
    """Tell whether a label of a field stands with something: under another heading, or without what is read."""
    for each in one.selectors:
        first, label = each.tag.split("/")[0], each.value.rpartition(UNDER)[2]
        if each.kind == "beside" and (first != each.tag or label != each.value):
            texts = [text_of(node) for node in (*box.beside(first).get(label, ()), *_labelled(each, box))]
            if not all(says_nothing(text) or is_value(text) for text in texts):
                return True
    return False


def _still_told(recipe: Recipe, one: FieldRecipe, boxes: Sequence[Box]) -> list[str]:
    """Give what may have said, on all pages that are known, that a flag is false which was never true."""
    if not one.empty or one.figures.kind != "boolean":
        return []
    told = set[str].intersection(*({*_short_texts(recipe, box)} for box in boxes))
    return sorted(told.intersection(one.told) if recipe.places else told)


def _short_texts(recipe: Recipe, box: Box) -> Iterator[str]:
    """Give the few words that stand alone in their elements and are no field's, with their places, hashed."""
    taken: set[HtmlElement] = set()
    for element in (node for one in recipe.fields for each in one.selectors for node in elements_of(each, box)):
        before = element.getprevious()
        taken.update(element.iter(), () if before is None else before.iter())
    nodes = [node for node in box.inside if node not in taken and not any(map(text_of, node))]
    said = [(sign_of(node), text) for node in nodes if _is_short(text := text_of(node))]
    counts = Counter(sign for sign, _ in said)
    yield from (short(f"{sign} {text}") for sign, text in said if counts[sign] <= _MOST_ALIKE)


def _is_short(text: str) -> bool:
    return says_something(text) and len(text) <= _LONGEST_FLAG and not any(map(str.isdigit, text))


def grounds(one: FieldRecipe, box: Box, said: Sequence[str] = (), *, are_items: bool = False) -> Iterator[str]:
    """Give the signs, hashed, of the places that a field's selectors read on a page: what is around, and the tag.

    Of an element that is known by words around the value also those of all in it: there the value stands. A heading
    that says what else was read (``said``) is the thing's name, or its line below, and names no section. Where a list
    stands, one item and several are no other places, if these ``are_items`` that were told apart.
    """
    for selector in one.selectors:
        found = elements_of(selector, box)
        if selector.kind in _LABELLED:
            heads = {_without_values(head_over(element, name_of(box)), said) for element in found} - {"", NAME}
            yield from (_SECTION + short(head) for head in heads)
        inside = (node for element in found for node in element.iter("*")) if selector.kind == "worded" else found
        signs = {ground_of(element) for element in inside}
        bare = {sign.removesuffix("+") for sign in signs} if one.figures.kind == "list" else set[str]()
        yield from map(short, bare if are_items else signs | bare)


def _without_values(head: str, said: Sequence[str]) -> str:
    return reduce(lambda text, value: text.replace(value, NAME), said, head)


def units_of(one: FieldRecipe, box: Box, others: Sequence[str] = ()) -> Iterator[str]:
    """Give the words beside a number that a field's selectors read on a page, without those of currencies.

    And without what else was read on it: the thing's name, as in "Buy Red Lamp $9".
    """
    for selector in one.selectors if _is_number(one) else ():
        text = Reader(selector).sure_text(box)
        if text is not None:
            yield unit_in(_without(text, others))


def _without(text: str, others: Sequence[str]) -> str:
    """Give a text without the others that stand in it, but for those without which it has no number."""
    for other in others:
        rest = text.replace(other, " ")
        text = rest if any(map(str.isdigit, rest)) else text
    return text


def _names_on(recipe: Recipe, box: Box) -> list[str]:
    """Give the texts of a page that were read as values, longest first."""
    first = (one.selectors[0] for one in recipe.fields if one.figures.kind == "text" and one.selectors)
    texts = (Reader(selector).sure_text(box) for selector in first if not selector.presence)
    return sorted({text for text in texts if text and len(text) >= _LEAST_NAME}, key=len, reverse=True)


def _cut_on(recipe: Recipe, box: Box) -> Iterator[tuple[str, str]]:
    """Give the texts of a page of which words around a value were cut off, each with what was left: the value's."""
    cutting = (each for one in recipe.fields for each in one.selectors if each.prefix or each.suffix)
    for selector in (each for each in cutting if not (each.many or each.presence or each.between)):
        said = Reader(selector).sure_text(box) or ""
        rest = said.removeprefix(selector.prefix)
        end = end_of(rest, selector.suffix)
        if end is not None and (value := rest[: len(rest) - end].strip()):
            yield said, value


def unit_in(text: str) -> str:
    """Give the words in a text that has a number, whether it is one or many.

    >>> unit_in("1.2 kg"), unit_in("3 beds"), unit_in("USD 12.50"), unit_in("600 km^2"), unit_in("Size1,420 m2")
    ('kg', 'bed', '', 'km^2', 'size m2')
    >>> unit_in("Terrain1 420 m²")
    'terrain m²'
    """
    words = (word for word in _UNIT.findall(text) if not _CURRENCY.fullmatch(word))
    return " ".join(word.lower().removesuffix("s") if len(word) > _LEAST_PLURAL else word for word in words)


def elements_of(selector: FieldSelector, box: Box) -> Sequence[HtmlElement]:
    """Give the elements that a selector reads on a page, or that say the text that it reads; none if it is torn."""
    if selector.kind in ("label", "typed"):
        text = Reader(selector).sure_text(box)
        return [] if text is None else _stating(text, selector.value, box)
    found = found_by(selector, box)
    return found[:1] if selector.kind in ("tag", "path") and not selector.many else found


def _stating(text: str, label: str, box: Box) -> Sequence[HtmlElement]:
    """Give the elements whose own text says a text: with its label, else those that say nothing else, else all."""
    said = [(node, direct_text(node)) for node in box.inside]
    stating = [(node, own) for node, own in said if text in own]
    labelled = [node for node, _ in stating if label and (label in text_of(node) or _follows(node, label))]
    return labelled or [node for node, own in stating if own == text] or [node for node, _ in stating]


def _news_on(recipe: Recipe, box: Box) -> frozenset[str]:
    """Give the texts of a page that no page had before, if the recipe has a field that a place alone tells."""
    if all(each.kind != "placed" for one in recipe.fields for each in one.selectors):
        return frozenset()
    known = frozenset(chain.from_iterable(recipe.places.values()))
    return frozenset(text for _, text in PagePlaces(box, recipe.name_signs).texts if key_of(text) not in known)


def _follows(node: HtmlElement, label: str) -> bool:
    """Tell whether an element, or one around it that says no more, stands after one that says the label."""
    said = text_of(node)
    for around in (node, *node.iterancestors()):
        if text_of(around) != said:
            return False
        before = around.getprevious()
        if before is not None and (text := text_of(before)):
            return text.rstrip(": ") == label
    return False


def doubt_of_whole_page(recipe: Recipe, box: Box, cells: Sequence[JsonValue], claims: Claims) -> str:
    """Say what makes a page doubtful that was read anywhere: a value in a strange place, or one that may be there.

    A value is absent if nothing on the page is new that could be it: no kind of place, no label or heading, no text of
    its type (or, where nobody knows how its texts look, no text) in a place whose texts do not change anyway.
    """
    said = _names_on(recipe, box)
    if doubt := next(filter(None, map(_doubt_of_grounds, recipe.fields, cells, repeat(box), repeat(said))), ""):
        return doubt
    for one, cell in zip(recipe.fields, cells, strict=True):
        if (
            isinstance(cell, str)
            and _GONE.search(cell)
            and any(selector.tag in _HEADINGS for selector in one.selectors)
        ):
            return f"{one.name} is {cell[:40]!r}, as on pages that are not there"
        known = one.units if cell is not None and len(one.units) <= _MOST_UNITS else ()
        if known and (strange := set(units_of(one, box, said)) - {*known}):
            return f"{one.name} is said in {sorted(strange)[0]!r}, where it was in {known[0]!r}"
    placed = (
        doubt_of_place(one, cell, box, _news_on(recipe, box)) for one, cell in zip(recipe.fields, cells, strict=True)
    )
    if doubt := next(filter(None, placed), ""):
        return doubt
    absent = [at for at, (one, cell) in enumerate(zip(recipe.fields, cells, strict=True)) if is_absent(one, cell)]
    if not absent:
        return ""
    always = [at for at, one in enumerate(recipe.fields) if one.selectors and not one.figures.nulls and not one.empty]
    lost = [at for at in absent if at in always]
    if lost and len(always) - len(lost) < max(2, _LEAST_SHARE * len(always)):
        return f"{recipe.fields[lost[0]].name} and other values are absent that were always there"

    def matters(text: str) -> bool:
        return any(_could_be(recipe.fields[at], at, text, claims) for at in absent)

    def is_of_type(text: str) -> bool:
        figures = [at for at in absent if claims.goes_by_type(at) and recipe.fields[at].figures.kind != "boolean"]
        return any(_could_be(recipe.fields[at], at, text, claims) for at in figures)

    absent = [at for at in absent if not _is_said_to_be_absent(recipe.fields[at], box)]
    if not absent:
        return ""
    page = PagePlaces(box, recipe.name_signs)
    doubtful = [one for at, one in enumerate(recipe.fields) if at in absent and _may_still_be_there(one)]
    watched = {
        ground: _is_number(one) for one in sorted(doubtful, key=_is_number, reverse=True) for ground in one.grounds
    }
    is_value = claims.claimed(cells)
    cut = [*_cut_on(recipe, box)]

    def is_no_news(text: str) -> bool:
        is_read = is_value(text) or any(value in text and text in said for said, value in cut)
        return is_read or not says_something(text) or folded(text) in NOTHING

    news = next(find_news(page, recipe.places, is_no_news, matters, watched), "")
    news = news or next(find_led(page, recipe.places, is_no_news, is_of_type), "")
    if any(_is_unseen_text(recipe.fields[at]) for at in absent):
        placed = ((text, short(f"+{sequence}") in recipe.places) for sequence, text in sequences_of(box))
        strange = (text for text, is_known in placed if not is_known and not is_no_news(text))
        news = news or next((f"the place of {text[:60]!r}" for text in strange), "")
    news = news or next(_flags_said([recipe.fields[at] for at in absent], page, recipe.places), "")
    if news:
        return f"{recipe.fields[absent[0]].name} is absent, and {news} is new"
    unread = next((one for at in absent if _is_labelled(one := recipe.fields[at], box, is_value)), None)
    if unread:
        return f"{unread.name} is absent, and its label stands there"
    told = [recipe.fields[at] for at in absent if recipe.fields[at].told]
    said = {*_short_texts(recipe, box)} if told else set[str]()
    unsaid = next((one for one in told if not said.issuperset(one.told)), None)
    return f"{unsaid.name} was never true, and a text that may have said so is gone" if unsaid else ""


def _doubt_of_grounds(one: FieldRecipe, cell: JsonValue, box: Box, said: Sequence[str]) -> str:
    """Say whether a value stands where it never stood: in another place, or under the heading of another section.

    Headings that were others on each of several pages name none.
    """
    are_items = isinstance(cell, list) and len(cell) > 1
    found = grounds(one, box, said, are_items=are_items) if not is_absent(one, cell) else ()
    strange = {*found}.difference(one.grounds)
    sections = [ground for ground in one.grounds if ground.startswith(_SECTION)]
    seen = one.figures.count - one.figures.nulls
    if not 0 < len(sections) <= _MOST_SECTIONS or 1 < seen <= len(sections):
        strange = {ground for ground in strange if not ground.startswith(_SECTION)}
    return f"{one.name} stands in a place where it never stood ({len(strange)})" if strange else ""


def _is_said_to_be_absent(one: FieldRecipe, box: Box) -> bool:
    """Tell whether something stands in the field's place that says that there is no value: "Callsign: -"."""
    named = (selector for selector in one.selectors if selector.is_strong and selector.kind != "typed")
    texts = (
        (selector, Reader(selector).sure_text(box)) for selector in named if not (selector.many or selector.presence)
    )
    if any(text is not None and (says_nothing(text) or text in selector.nothing) for selector, text in texts):
        return True
    worded = (selector for selector in one.selectors if selector.kind == "worded" and not selector.attribute)
    return any(_says_nothing_after(_WORDS_BEFORE.search(each.prefix), box.by_tag.get(each.tag, ())) for each in worded)


def _says_nothing_after(words: re.Match[str] | None, elements: Sequence[HtmlElement]) -> bool:
    """Tell whether words that lead to a value are followed by a sign for none: "Budget -", where "Budget $5" stood."""
    texts = (text_of(element) for element in elements) if words else ()
    said = (text.removeprefix(words[0]).strip() for text in texts if words and text.startswith(words[0]))
    return any(rest and says_nothing(rest) for rest in said)


def _flags_said(absent: Sequence[FieldRecipe], page: PagePlaces, known: Places) -> Iterator[str]:
    """Give the short texts with a word of an absent flag's name that did not stand there before, wherever it is."""
    names = {word for one in absent if _is_told_by_its_text(one) for word in name_words(one.steps)}
    for sign, text in (*page.names, *page.texts) if names else ():
        if len(text) <= _LONGEST_FLAG and key_of(text) not in known.get(short(sign), {}) and shares(names, text):
            yield f"the text {text!r}"


def _is_told_by_its_text(one: FieldRecipe) -> bool:
    """Tell whether a flag is false because no text says it: none ever did, or the one that did is not there."""
    return one.figures.kind == "boolean" and (one.empty or any(each.kind == "worded" for each in one.selectors))


def _may_still_be_there(one: FieldRecipe) -> bool:
    """Tell whether the value may stand where it stood: no page was without it, or only its type or words named it."""
    is_named_by_words = all(selector.kind in ("typed", "worded") for selector in one.selectors)
    return not _is_told_by_its_text(one) and (not one.figures.nulls or is_named_by_words)


def _is_number(one: FieldRecipe) -> bool:
    return one.figures.kind == "number"


def _could_be(one: FieldRecipe, at: int, text: str, claims: Claims) -> bool:
    """Tell whether a text could be the value of an absent field; not where pages lacked it before.

    For a number that no page had, a price with words around it is enough: "From $80.14".
    """
    if one.figures.kind == "boolean":
        return _is_told_by_its_text(one) and says_something(text)
    if claims.goes_by_type(at):
        may_be_price = not one.selectors and "money" in one.types and len(text) <= _LONGEST_PRICE
        return claims.accepts(at, text) or (may_be_price and _AMOUNT.search(text) is not None)
    return not (one.selectors and one.figures.nulls) and says_something(text)


def is_absent(one: FieldRecipe, cell: JsonValue) -> bool:
    """Tell whether a page has no value of a field: nothing, an empty list, or a flag whose mark is not there."""
    is_unmarked = any(selector.presence and cell is selector.inverse for selector in one.selectors)
    return cell is None or cell == [] or is_unmarked or (cell is False and one.empty)


def never_seen(one: FieldRecipe) -> JsonValue:
    """Give the value of a field that no page showed: no list, no flag, nothing."""
    return None if not one.empty else False if one.figures.kind == "boolean" else []
