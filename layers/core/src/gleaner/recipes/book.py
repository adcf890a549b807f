"""The recipes of a tenant, by strategy: versions, layouts, and the history of how they did.

``RECIPE#tenant#strategy / 0007`` holds one version. A strategy keeps a few, for sites that show several layouts;
``RECIPE#tenant / strategy`` counts hits, misses and repairs. ``EXAMPLE#tenant#strategy / page`` holds what was found on
a page that a model read, ``RECIPE-NOTE#tenant / strategy#kind`` why the last page was refused or nothing was learned.
"""

import json
import time
from dataclasses import dataclass
from typing import Literal

from pydantic import ValidationError

from gleaner.contracts.in_memory_table import MemoryTable
from gleaner.contracts.items import DEFAULT_TENANT, partition
from gleaner.contracts.ports import Item, JsonObject, JsonValue, TableStore
from gleaner.recipes.model import RECIPE_FORMAT, Recipe

MOST_LAYOUTS = 5
MOST_EXAMPLES = 5
LARGEST_EXAMPLE = 100_000
"""Bytes of JSON; what is larger is not kept."""

USE_DAYS = 30

Note = Literal["refused", "not_learned"]
"""Why the last page was refused by the recipes, why nothing was learned from the last one."""

_LONGEST_REASON = 500
_NOTES: tuple[Note, ...] = ("refused", "not_learned")
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
    """A page that a model has read: its snapshot's id, its URL, and the proven data, all of it or its beginning."""

    page_id: str
    url: str
    data: JsonValue
    is_whole: bool = True


class RecipeBook:
    """Saves, gives and forgets recipes, and keeps count of them (RC-1, RC-2)."""

    def __init__(self, table: TableStore | None = None, tenant: str = DEFAULT_TENANT) -> None:
        self._table = table if table is not None else MemoryTable()
        self._tenant = tenant

    def recipes(self, strategy_id: str) -> list[KeptRecipe]:
        """Give the strategy's recipes, the one that answers most often first, newer before older."""
        kept = [one for item in self._items(strategy_id) if (one := _read(item)) is not None]
        return sorted(kept, key=lambda one: (one.misses - one.hits, -one.version))

    def save(self, strategy_id: str, recipe: Recipe) -> int:
        """Keep a recipe under the next version and give that; the one that did worst goes when there are too many.

        A recipe that is kept already gives its version again.
        """
        stored = self._items(strategy_id)
        data = recipe.model_dump(mode="json", exclude_defaults=True)
        for item in stored:
            if item.data.get("recipe") == data:
                return int(item.sk)
        version = max((int(item.sk) for item in stored), default=self._last_version(strategy_id)) + 1
        while not self._table.put(self._item(strategy_id, version, data), if_version=0):
            version += 1
        repaired = {"repairs": 1} if version > 1 else {}
        self._table.add(self._pk, strategy_id, {"learned": 1, **repaired})
        self._table.delete(self._notes, f"{strategy_id}#not_learned")
        self._forget_worst(strategy_id)
        return version

    def replace(self, strategy_id: str, version: int, recipe: Recipe) -> bool:
        """Keep a recipe with new figures in the place of its older self; False when that is gone."""
        item = self._table.get(self._partition(strategy_id), f"{version:04}")
        if item is None:
            return False
        data: JsonObject = {**item.data, "recipe": recipe.model_dump(mode="json", exclude_defaults=True)}
        return self._table.put(Item(item.pk, item.sk, data), if_version=item.version)

    def record(self, strategy_id: str, version: int, *, hit: bool, use: str | None = None) -> None:
        """Count one use: it answered, or its checks refused the page. A ``use`` that has a name is counted once."""
        if use is not None:
            mark = Item(f"RECIPE-USE#{self._tenant}", f"{use}#{strategy_id}#{version:04}", {}, ttl=_in_days(USE_DAYS))
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
        return {**{name: counts.get(name, 0) for name in _HISTORY}, "versions": [*versions], **known}

    def note(self, strategy_id: str, note: Note, reason: str) -> None:
        """Keep why the strategy's last page was refused by its recipes, or why nothing was learned from it."""
        self._table.put(Item(self._notes, f"{strategy_id}#{note}", {"reason": reason[:_LONGEST_REASON]}))

    def _note(self, strategy_id: str, note: str) -> JsonValue:
        item = self._table.get(self._notes, f"{strategy_id}#{note}")
        return item.data.get("reason") if item else None

    def examples(self, strategy_id: str) -> list[KeptExample]:
        """Give the pages that a model has read, oldest first."""
        items = self._table.query(self._examples(strategy_id), limit=10 * MOST_EXAMPLES).items
        ordered = sorted(items, key=lambda item: str(item.data.get("at")))
        return [
            KeptExample(item.sk, str(item.data.get("url")), item.data.get("data"), item.data.get("whole") is True)
            for item in ordered
        ]

    def remember(self, strategy_id: str, example: KeptExample) -> None:
        """Keep a page to learn from together with later ones; the oldest goes when there are too many."""
        if len(json.dumps(example.data)) > LARGEST_EXAMPLE:
            return
        pk = self._examples(strategy_id)
        data: JsonObject = {"url": example.url, "data": example.data, "whole": example.is_whole}
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
        return self._table.delete(self._pk, strategy_id) or any(gone)

    def _forget_worst(self, strategy_id: str) -> None:
        for item in self._items(strategy_id):
            if _read(item) is None:
                self._table.delete(item.pk, item.sk)
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

    def _examples(self, strategy_id: str) -> str:
        return partition("EXAMPLE", self._tenant, strategy_id)

    def _partition(self, strategy_id: str) -> str:
        return partition("RECIPE", self._tenant, strategy_id)


def _in_days(days: int) -> int:
    return int(time.time()) + days * 86_400


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
