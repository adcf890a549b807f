"""Flags of a page about one thing: what says them by the field's name, or in words that are never anything else."""

from collections.abc import Iterator, Mapping, Sequence

from lxml.html import HtmlElement

from gleaner.coercion.words import ANSWERS, IN_STOCK, OUT_OF_STOCK, folded
from gleaner.contracts.ports import JsonValue
from gleaner.html.elements import HEADINGS
from gleaner.recipes.absence import denies
from gleaner.recipes.boxes import Box, text_of
from gleaner.recipes.columns import Wanted
from gleaner.recipes.decoding import masked
from gleaner.recipes.field_names import is_named, name_words, shares, speaks_of, words_of
from gleaner.recipes.model import Columns, FieldSelector
from gleaner.recipes.novelty import is_parted
from gleaner.recipes.readers import Reader
from gleaner.recipes.whole_pages import elements_of
from gleaner.recipes.wordings import only_where_true
from gleaner.schemas import declared_types

_MOST_WORDS = 6
_LONGEST_WORD = 40
_LONGEST_SAYING = 120
_LONGEST_PARTICLE = 3
_ENOUGH_ANSWERS = 4
_FRAMES = frozenset({"nav", "footer"})
_BY_LABEL = frozenset({"label", "beside", "column"})
_LABELS = frozenset({"dt", "th", "label", "legend", *HEADINGS})
_STOCK_WORDS = IN_STOCK | OUT_OF_STOCK
_STOCK_NAMES = frozenset(
    {"available", "availability", "stock", "instock", "orderable", "buyable"}.union(
        *({word for word in words_of(phrase) if len(word) > _LONGEST_PARTICLE} for phrase in _STOCK_WORDS)
    )
)
_ORDERS = frozenset(
    (
        "add to cart", "add to basket", "add to bag", "add to trolley", "buy now", "in den warenkorb", "jetzt kaufen",
        "ajouter au panier", "añadir al carrito", "añadir a la cesta", "aggiungi al carrello",
        "adicionar ao carrinho", "in winkelwagen", "lägg i varukorgen", "legg i handlekurven", "dodaj do koszyka",
        "do koszyka", "в корзину", "купить",
    )
)  # fmt: skip
"""What the buttons of shops say of things that can be had; beside pages that say of others that they can't."""


def is_flag(one: Wanted) -> bool:
    """Tell whether values of a field are true or false."""
    return any(isinstance(value, bool) for value in one.values)


def flag_places(box: Box, fields: Sequence[Wanted]) -> Iterator[HtmlElement]:
    """Give the elements that have a word of a flag's name: in their short text, label, class, id or marks."""
    flags = [one for one in fields if is_flag(one)]
    names = {word for one in flags for word in name_words(one.steps)}
    for node in box.inside if names else ():
        before = node.getprevious()
        said = [node.get(name) or "" for name in ("class", "id", "itemprop", "title")]
        said += [text_of(each)[:_LONGEST_SAYING] for each in (node, before) if each is not None]
        if node.tag == "button" or shares(names, text := " ".join(said)) or speaks_of(names, text):
            yield node


def flag_selectors(one: Wanted, boxes: Sequence[Box], columns: Columns) -> Iterator[FieldSelector]:
    """Give selectors of what says a flag by the field's name: its few texts, or that it is there at all."""
    if not all(isinstance(value, bool) for value in one.values):
        return
    for selector, texts in columns.items():
        said = [text for text in texts if text is not None]
        if any(text.startswith("\x00") or len(text) > _LONGEST_WORD or ":" in text for text in said):
            continue
        is_inverse = _is_inverse(one, selector, texts)
        is_said = is_inverse or is_named(one, selector, texts) or _says_stock(one, said)
        if not is_said or holds_blocks(selector, boxes):
            continue
        flags = [text is not None for text in texts]
        kinds = [None if text is None else masked(text) for text in texts]
        table = dict(zip(kinds, one.values, strict=True))
        is_told = all(table[kind] == value for kind, value in zip(kinds, one.values, strict=True))
        if all(flags) and is_told and len(table) <= _MOST_WORDS and not _only_names(one, table):
            yield selector.model_copy(update={"words": tuple(table.items())})
        elif (
            flags == one.values and True in flags and not selector.attribute and selector.kind in ("class", "attribute")
        ):
            yield selector.model_copy(update={"presence": True})
        elif is_inverse:
            yield selector.model_copy(update={"presence": True, "inverse": True})


def _only_names(one: Wanted, table: Mapping[str | None, JsonValue]) -> bool:
    """Tell whether texts only name a flag that never was true, and do not deny it: "About this app"."""
    names, name = name_words(one.steps), one.steps[-1] if one.steps else ""
    naming = [text for text in table if text is not None and shares(names, text) and not denies(text, name)]
    return True not in table.values() and bool(naming)


def _is_inverse(one: Wanted, selector: FieldSelector, texts: Sequence[str | None]) -> bool:
    """Tell whether an element whose text has the flag's name in it is there where the flag is false, and only there."""
    said = [text for text in texts if text is not None]
    is_mark = selector.kind in ("class", "attribute") and not selector.attribute
    is_there = [text is None for text in texts] == one.values and 0 < len(said) < len(texts)
    return is_mark and is_there and all(speaks_of(name_words(one.steps), text) for text in said)


def holds_blocks(selector: FieldSelector, boxes: Sequence[Box]) -> bool:
    """Tell whether a selector's text is that of several blocks on a page: the flag's, and other fields'."""
    return any(is_parted(element) for box in boxes for element in elements_of(selector, box))


def said_where_true(one: Wanted, boxes: Sequence[Box]) -> list[FieldSelector]:
    """Give selectors of short texts with a word of the field's name that stand only where it is true.

    None where the flag may be null: a page without the text may say nothing of it.
    """
    if one.is_omitted or "null" in declared_types(one.schema):
        return []
    return [*_said_where_true(one, boxes)]


def _said_where_true(one: Wanted, boxes: Sequence[Box]) -> Iterator[FieldSelector]:
    said = [
        {(str(node.tag), text_of(node)) for node in flag_places(box, [one]) if not any(map(text_of, node))}
        for box in boxes
    ]
    for tag, text in only_where_true(said, one.values):
        is_plain = len(text) <= _LONGEST_SAYING and masked(text) == text and ":" not in text and tag not in _LABELS
        if is_plain and shares(name_words(one.steps), text):
            yield FieldSelector(kind="worded", tag=tag, prefix=text, presence=True)


def telling(one: Wanted, found: Sequence[FieldSelector], boxes: Sequence[Box]) -> list[FieldSelector]:
    """Give the selectors that say the flag, or words of nothing else ("In stock"); else what says or labels it.

    A text with the flag's name that stands before another one may be a label: then both must stay as they are.
    """
    own = [selector for selector in found if selector.kind != "self" and not _is_in_frame(selector, boxes)]
    texts = [(selector, [Reader(selector).sure_text(box) for box in boxes]) for selector in own]
    saying = [each for each, said in texts if each.presence or _says(one, said) or _says_by_label(one, each, said)]
    named = [selector for selector, _ in texts if is_named(one, selector) and not selector.tag.startswith("li")]
    badges = [] if saying else said_where_true(one, boxes)
    return saying or ([*badges[:1], *named[:2]] if badges else named)


def _is_in_frame(selector: FieldSelector, boxes: Sequence[Box]) -> bool:
    """Tell whether an element belongs to what a site puts around all its pages: its name says nothing of one thing."""
    return any(
        node.tag in _FRAMES or (node.tag == "a" and node.get("href") == "/")
        for box in boxes
        for element in elements_of(selector, box)
        for node in (element, *element.iterancestors())
    )


def _says(one: Wanted, texts: Sequence[str | None]) -> bool:
    """Tell whether all texts have a word of the flag's name, or say whether a thing is in stock.

    Or that they answered yes and no on several pages, which two pages may do by chance.
    """
    said = [text for text in texts if text is not None]
    answers = [ANSWERS.get(_folded(text)) for text in said]
    are_both = None not in answers and True in answers and False in answers and len(answers) >= _ENOUGH_ANSWERS
    return _says_stock(one, said) or are_both or _share(one, said)


def _says_by_label(one: Wanted, selector: FieldSelector, texts: Sequence[str | None]) -> bool:
    """Tell whether behind one label each page has its answer, with the flag's name just where it is so.

    "Status: Sold out", "Status: Tickets available"; another answer than those that were seen is a doubt later.
    """
    pairs = [(text is not None and _share(one, [text]), value) for text, value in zip(texts, one.values, strict=True)]
    is_labelled = selector.kind in _BY_LABEL and not selector.name and selector.words is not None
    return is_labelled and None not in texts and {(True, True), (False, False)} == set(pairs)


def _says_stock(one: Wanted, said: Sequence[str]) -> bool:
    """Tell whether texts say, of a field that asks so, whether a thing is in stock; or what its button says."""
    words = {_folded(text) for text in said}
    is_asked = not _STOCK_NAMES.isdisjoint(name_words(one.steps))
    return is_asked and not words.isdisjoint(_STOCK_WORDS) and words <= _STOCK_WORDS | _ORDERS


def _folded(text: str) -> str:
    return folded(text).strip(" .!")


def _share(one: Wanted, said: Sequence[str]) -> bool:
    return bool(said) and all(shares(name_words(one.steps), text) for text in said)
