"""The recipes of a tenant, by strategy: versions, layouts, and the history of how they did.

``RECIPE#tenant#strategy / 0007`` holds one version. A strategy keeps a few, for sites that show several layouts;
``RECIPE#tenant / strategy`` counts hits, misses and repairs. ``EXAMPLE#tenant#strategy / page`` holds what was found on
a page that a model read, ``RECIPE-NOTE#tenant / strategy#kind`` why the last page was refused or nothing was learned,
and ``UNSTATED#tenant / strategy`` on which pages a model gave no value for a field.
"""

import json
import logging
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from pydantic import ValidationError

from gleaner.contracts.in_memory_table import MemoryTable
from gleaner.contracts.items import DEFAULT_TENANT, partition, rewrite
from gleaner.contracts.ports import Item, JsonObject, JsonValue, TableStore
from gleaner.page.model import Span
from gleaner.wrappers.cuts import Cut
from gleaner.wrappers.marks import mark_in_words
from gleaner.wrappers.model import RECIPE_FORMAT, BoxSelector, FieldRecipe, ListRecipe, Recipe, Selector
from gleaner.wrappers.places import BARE, LEAD, MARKED, NEXT, OWN, Place
from gleaner.wrappers.trees import MARKER, SPANNING

log = logging.getLogger("gleaner.wrappers")

MOST_LAYOUTS = 5
MOST_EXAMPLES = 5
LARGEST_EXAMPLE = 100_000
"""Bytes of JSON; what is larger is not kept."""

USE_DAYS = 30
PAGES_TO_BELIEVE = 2
"""On so many pages a model must give no value for a field before it counts as one that the layout does not state."""

Note = Literal["refused", "not_learned", "asked_in_part", "dropped"]
"""Why the last page was refused by the recipes, why nothing was learned from the last one, which fields a model was
asked about, and that recipes of an earlier version of Gleaner are gone."""

_LONGEST_REASON = 500
_NOTES: tuple[Note, ...] = ("refused", "not_learned", "asked_in_part", "dropped")
_HISTORY = ("hits", "misses", "repairs", "learned")


@dataclass(frozen=True, slots=True)
class KeptRecipe:
    """A stored recipe: its version, and how often it answered, was refused, and was learned again."""

    version: int
    recipe: Recipe
    hits: int = 0
    misses: int = 0


@dataclass(frozen=True, slots=True)
class KeptExample:
    """A page that a model has read: its snapshot's id, its URL, and the proven data, all of it or its beginning.

    ``proofs`` are the places in the page's text that prove the values, by their JSON Pointers.
    """

    page_id: str
    url: str
    data: JsonValue
    is_whole: bool = True
    proofs: Mapping[str, Span] = field(default_factory=dict[str, Span])


class RecipeBook:
    """Saves, gives and forgets recipes, and keeps count of them (RC-1, RC-2)."""

    def __init__(self, table: TableStore | None = None, tenant: str = DEFAULT_TENANT) -> None:
        self._table = table if table is not None else MemoryTable()
        self._tenant = tenant

    def recipes(self, strategy_id: str) -> list[KeptRecipe]:
        """Give the strategy's recipes, the one that answers most often first, newer before older."""
        items = self._items(strategy_id)
        kept = [one for item in items if (one := _read(item)) is not None]
        if len(kept) < len(items):
            self._drop_older(strategy_id, items)
        return sorted(kept, key=lambda one: (one.misses - one.hits, -one.version))

    def _drop_older(self, strategy_id: str, items: Sequence[Item]) -> None:
        """Forget recipes of another format, and say so: the next page is read by a model, and learned from anew."""
        for item in items:
            if _read(item) is None:
                self._table.delete(item.pk, item.sk)
        reason = "recipes of an earlier version of Gleaner were dropped; the next page is learned from anew"
        self.note(strategy_id, "dropped", reason)
        log.warning("strategy %s: %s", strategy_id, reason)

    def save(self, strategy_id: str, recipe: Recipe, *, knows: Collection[str] = ()) -> int:
        """Keep a recipe under the next version and give that; the one that did worst goes when there are too many.

        A recipe that is kept already gives its version again. Those learned last from one of the pages that the new one
        ``knows``, too, go: it reads them all, and knows more.
        """
        stored = self._items(strategy_id)
        data = recipe.model_dump(mode="json", exclude_defaults=True)
        for item in stored:
            if item.data.get("recipe") == data:
                return int(item.sk)
        version = max((int(item.sk) for item in stored), default=self._last_version(strategy_id)) + 1
        while not self._table.put(self._item(strategy_id, version, data), if_version=0):
            version += 1
        older = [one for one in self.recipes(strategy_id) if one.recipe.page_id in knows and one.version != version]
        for one in older:
            self._table.delete(self._partition(strategy_id), f"{one.version:04}")
        repaired = {"repairs": 1} if version > 1 else {}
        self._table.add(self._pk, strategy_id, {"learned": 1, **repaired})
        self._table.delete(self._notes, f"{strategy_id}#not_learned")
        self._forget_worst(strategy_id)
        return version

    def record(self, strategy_id: str, version: int, *, hit: bool, use: str | None = None) -> None:
        """Count one use: it answered, or its checks refused the page. A ``use`` that has a name is counted once."""
        if use is not None:
            mark = Item(
                f"RECIPE-USE#{self._tenant}",
                f"{use}#{strategy_id}#{version:04}",
                {},
                ttl=int(time.time()) + USE_DAYS * 86_400,
            )
            if not self._table.put(mark, if_version=0):
                return
        counter = "hits" if hit else "misses"
        if self._table.get(self._partition(strategy_id), f"{version:04}") is not None:
            self._table.add(self._partition(strategy_id), f"{version:04}", {counter: 1})
        self._table.add(self._pk, strategy_id, {counter: 1})

    def history(self, strategy_id: str) -> JsonObject:
        """Give the counts: ``hits``, ``misses``, ``repairs``, ``learned``, and the ``versions`` that are kept."""
        item = self._table.get(self._pk, strategy_id)
        counts = item.data if item else {}
        versions = [int(kept.sk) for kept in self._items(strategy_id)]
        notes = {note: self._note(strategy_id, note) for note in _NOTES}
        known: JsonObject = {name: text for name, text in notes.items() if text is not None}
        if silent := [name for name, pages in self.unstated(strategy_id).items() if len(pages) >= PAGES_TO_BELIEVE]:
            known["not_stated"] = [*silent]
        return {**{name: counts.get(name, 0) for name in _HISTORY}, "versions": [*versions], **known}

    def note(self, strategy_id: str, note: Note, reason: str) -> None:
        """Keep why the strategy's last page was refused by its recipes, or why nothing was learned from it."""
        self._table.put(Item(self._notes, f"{strategy_id}#{note}", {"reason": reason[:_LONGEST_REASON]}))

    def _note(self, strategy_id: str, note: str) -> JsonValue:
        item = self._table.get(self._notes, f"{strategy_id}#{note}")
        return item.data.get("reason") if item else None

    def unstated(self, strategy_id: str) -> dict[str, frozenset[str]]:
        """Give the fields that a model found no value for, by name with the ids of the pages (RC-6).

        Not those that a page stated where no label led to them.
        """
        item = self._table.get(self._unstated, strategy_id)
        data = item.data if item else {}
        return {name: frozenset(str(page) for page in pages) for name, pages in data.items() if isinstance(pages, list)}

    def note_unstated(self, strategy_id: str, page_id: str, empty: Collection[str], stated: Collection[str]) -> None:
        """Note for which fields a model gave no value on a page, and which the page ``stated`` without a label."""

        def changed(stored: Item) -> Item | None:
            data = dict(stored.data)
            for name in empty:
                pages = data.get(name, [])
                if isinstance(pages, list) and page_id not in pages and len(pages) < PAGES_TO_BELIEVE:
                    data[name] = [*pages, page_id]
            data.update(dict.fromkeys(stated, "stated"))
            return replace(stored, data=data) if data != stored.data else None

        rewrite(self._table, self._unstated, strategy_id, changed)

    def examples(self, strategy_id: str) -> list[KeptExample]:
        """Give the pages that a model has read, oldest first."""
        items = self._table.query(self._examples(strategy_id), limit=10 * MOST_EXAMPLES).items
        ordered = sorted(items, key=lambda item: str(item.data.get("at")))
        return [
            KeptExample(
                item.sk,
                str(item.data.get("url")),
                item.data.get("data"),
                item.data.get("whole") is True,
                _read_proofs(item.data.get("proofs")),
            )
            for item in ordered
        ]

    def remember(self, strategy_id: str, example: KeptExample) -> None:
        """Keep a page to learn from together with later ones; the oldest goes when there are too many."""
        if len(json.dumps(example.data)) > LARGEST_EXAMPLE:
            return
        pk = self._examples(strategy_id)
        data: JsonObject = {"url": example.url, "data": example.data, "whole": example.is_whole}
        data["proofs"] = {pointer: [*span] for pointer, span in example.proofs.items()}
        data["at"] = f"{time.time_ns():020}"
        self._table.put(Item(pk, example.page_id, data))
        for old in self.examples(strategy_id)[:-MOST_EXAMPLES]:
            self._table.delete(pk, old.page_id)

    def delete(self, strategy_id: str) -> bool:
        """Forget the strategy's recipes; False when there were none."""
        items = self._items(strategy_id)
        gone = [self._table.delete(item.pk, item.sk) for item in items]
        for example in self.examples(strategy_id):
            self._table.delete(self._examples(strategy_id), example.page_id)
        for note in _NOTES:
            self._table.delete(self._notes, f"{strategy_id}#{note}")
        self._table.delete(self._unstated, strategy_id)
        return self._table.delete(self._pk, strategy_id) or any(gone)

    def _forget_worst(self, strategy_id: str) -> None:
        for one in self.recipes(strategy_id)[MOST_LAYOUTS:]:
            self._table.delete(self._partition(strategy_id), f"{one.version:04}")

    def _last_version(self, strategy_id: str) -> int:
        learned = self.history(strategy_id)["learned"]
        return learned if isinstance(learned, int) else 0

    def _items(self, strategy_id: str) -> list[Item]:
        return list(self._table.query(self._partition(strategy_id), limit=10 * MOST_LAYOUTS).items)

    def _item(self, strategy_id: str, version: int, data: JsonObject) -> Item:
        return Item(self._partition(strategy_id), f"{version:04}", {"recipe": data, "hits": 0, "misses": 0})

    @property
    def _pk(self) -> str:
        return partition("RECIPE", self._tenant)

    @property
    def _notes(self) -> str:
        return partition("RECIPE-NOTE", self._tenant)

    @property
    def _unstated(self) -> str:
        return partition("UNSTATED", self._tenant)

    def _examples(self, strategy_id: str) -> str:
        return partition("EXAMPLE", self._tenant, strategy_id)

    def _partition(self, strategy_id: str) -> str:
        return partition("RECIPE", self._tenant, strategy_id)


def _read(item: Item) -> KeptRecipe | None:
    """Read a stored recipe; None for one that another version of Gleaner wrote."""
    try:
        recipe = Recipe.model_validate(item.data.get("recipe"))
    except ValidationError:
        return None
    if recipe.format != RECIPE_FORMAT:
        return None
    counts = [value if isinstance(value := item.data.get(name), int) else 0 for name in ("hits", "misses")]
    return KeptRecipe(int(item.sk), recipe, *counts)


def _read_proofs(stored: JsonValue) -> dict[str, Span]:
    """Read the places that prove the values of an example."""
    found: dict[str, Span] = {}
    for pointer, span in stored.items() if isinstance(stored, dict) else ():
        match span:
            case [int(start), int(end)]:
                found[pointer] = (start, end)
            case _:
                continue
    return found


def described(book: RecipeBook, strategy_id: str) -> JsonObject:
    """Give a strategy's recipes: the counts of ``history``, and in ``kept`` each one in words, best first."""
    kept = [
        {"version": one.version, "hits": one.hits, "misses": one.misses, **in_words(one.recipe)}
        for one in book.recipes(strategy_id)
    ]
    return {**book.history(strategy_id), "kept": [*kept]}


def in_words(recipe: Recipe) -> JsonObject:
    """Give where the records stand, and for each field its selectors and how sure each is, or why none reads it.

    The fields of a list's items stand under the list's name with "[]".
    """
    fields: JsonObject = {one.name: _field_in_words(one) for one in (*recipe.outer, *recipe.fields)}
    for one in (*recipe.outer_lists, *recipe.lists):
        fields.update(_list_in_words(one))
    return {
        "learned_from": recipe.url,
        "records": [box_in_words(one) for one in recipe.boxes] or ["the page"],
        "fields": fields,
    }


def _list_in_words(one: ListRecipe, prefix: str = "") -> JsonObject:
    name = f"{prefix}{one.name}"
    said: JsonObject = {name: {"selectors": [{"reads": f"a list: each {place_in_words(one.items)}"}]}}
    said.update({f"{name}[].{field.name}": _field_in_words(field) for field in one.fields})
    for inner in one.lists:
        said.update(_list_in_words(inner, f"{name}[]."))
    return said


def _field_in_words(one: FieldRecipe) -> JsonObject:
    if one.unread:
        return {"asked_of_the_model": one.unread}
    if not one.selectors:
        return {"selectors": [], "note": "no page that was learned from had a value: null"}
    return {
        "selectors": [
            {"reads": selector_in_words(each), "survives_a_redesign": f"{each.survival:.0%}"} for each in one.selectors
        ]
    }


def box_in_words(one: BoxSelector) -> str:
    """Say which elements hold the records.

    >>> box_in_words(BoxSelector(tag="div", by="class", value="card", scope=("ul", "id", "shop")))
    'each div of class card, inside the ul of id shop'
    >>> box_in_words(BoxSelector(tag="p", by="attribute", name="id", value="post9"))
    'each p with id=post<number>'
    """
    value = _with_numbers(one.value)
    named = {"class": f" of class {value}", "attribute": f" with {one.name}{'=' if value else ''}{value}"}
    place = named.get(one.by, f" at {one.path}" if one.path else "")
    scope = one.scope
    words = {
        "id": "of id {}",
        "class": "of class {}",
        "heads": "with the columns {}",
        "nth": "number {}",
    }
    inside = f", inside the {scope[0]} {words.get(scope[1], '').format(scope[2])}".rstrip() if scope else ""
    return f"each {one.tag}{place}{inside}{', with what follows it' if one.is_run else ''}"


def _with_numbers(text: str) -> str:
    """Give a text in which 9 stands for any number as people read that."""
    return text.replace("9", "<number>")


def selector_in_words(one: Selector) -> str:
    """Say how a value is found and read.

    >>> selector_in_words(Selector(place=Place("class", "price", "span"), reading="money"))
    'the span of class price, as money'
    """
    what = place_in_words(one.place)
    source = "number before the item" if one.source == MARKER else one.source
    what = f"the {source} of {what}" if source else what
    what = f"{what} with {place_in_words(one.over)}" if one.over else what
    cuts: list[str] = []
    ways = [cut_in_words(cut) for cut in one.cuts]
    cuts += [" or ".join(ways)] if ways else []
    cuts += ["by its presence"] if one.presence is not None else []
    cuts += [f"by the words {', '.join(one.words)}"] if one.goes_by_words and one.words else []
    told = [mark_in_words(mark) for mark, value in one.marks.items() if value is not None]
    cuts += [f"by {', '.join(dict.fromkeys(told))}"] if told else []
    cuts += [f"parted at {one.parted!r}"] if one.parted else []
    is_plain = one.presence is not None or one.reading in ("", "string", "literal")
    is_address = one.reading.startswith("resolve")
    read = [] if is_plain else ["as a whole address"] if is_address else [f"as {one.reading.replace('_', ' ')}"]
    return ", ".join([f"all of {what}" if one.many else what, *cuts, *read])


def cut_in_words(cut: Cut) -> str:
    """Say which part of a text a cut gives.

    >>> cut_in_words(Cut("by ", ", 9"))
    "after 'by ' and before ', <number>'"
    >>> cut_in_words(Cut("Beds ", "", 0, "|")), cut_in_words(Cut("", "", -1, ","))
    ("after 'Beds ' in a part between '|'", "part 1 from the end between ','")
    """
    marks = (("after", _with_numbers(cut.before)), ("before", _with_numbers(cut.after)))
    said = " and ".join(f"{where} {mark!r}" for where, mark in marks if mark)
    if not cut.sign:
        return said or "all of it"
    part = "a part" if said else f"part {cut.nth + 1}" if cut.nth >= 0 else f"part {-cut.nth} from the end"
    return f"{said}{' in ' if said else ''}{part} between {cut.sign!r}"


def place_in_words(place: Place) -> str:
    """Say which element or text a place names.

    >>> place_in_words(Place("label", "price")), place_in_words(Place("class", "card", inner="a", nth=-1))
    ("what the label 'price' names", 'the a in the element of class card, number 1 from the end')
    """
    tag = place.tag or "element"
    said = {
        "attribute": f"the {tag} with {place.name}{'=' if place.value else ''}{place.value}",
        "class": f"the {tag} of class {place.value}",
        "sign": f"the {tag} that holds a sign of class {place.value}",
        "label": f"what the label {place.value!r} names",
        "column": f"the cell of the column {place.value!r}",
        "tag": f"the {tag}",
        "path": f"the element at {place.value}" if place.value else "the record itself",
        "behind": f"the text behind the {tag}{' of class ' if place.value else ''}{place.value}",
        "above": f"the {tag}{' of class ' if place.value else ''}{place.value} above the record".replace(
            f"of class {SPANNING}", "that is all of its row"
        ),
        "around": f"the {tag}{' of class ' if place.value else ''}{place.value} around the record",
        "head": "the head of the record's column",
        "says": f"the {'link' if place.tag else 'element'} that says {place.value!r}",
        "word": f"the words {place.value!r} in the record",
        "marks": "what the page shows",
    }[place.kind]
    inner = {
        OWN: "the own text of",
        BARE: "without footnotes",
        MARKED: "all lines of",
        NEXT: "what follows",
        LEAD: "the first text of",
    }.get(place.inner, f"the {place.inner} in")
    said = f"{said} {inner}" if place.inner == BARE else f"{inner} {said}" if place.inner else said
    nth = place.nth
    if nth is None:
        return said
    of = f" of {place.of}" if place.of else ""
    return f"{said}, number {nth + 1}{of}" if nth >= 0 else f"{said}, number {-nth}{of} from the end"
