"""Helpers of table items: read in pages, claim first, count up."""

from collections.abc import Callable, Iterator, Mapping

from gleaner.contracts.ports import Item, ItemPage, JsonObject, TableStore

DEFAULT_TENANT = "default"
"""The tenant of whoever names none: this machine, or an API without tokens."""

DAY_S = 86_400
"""A day in seconds, in which times to live are counted."""


def partition(kind: str, *names: str) -> str:
    """Give the key of a partition. No name reaches into another one's part, whatever its letters.

    >>> partition("AGG", "acme", "shoes"), partition("AGG", "a#b", "c") == partition("AGG", "a", "b#c")
    ('AGG#acme#shoes', False)
    """
    return "#".join((kind, *(name.replace("%", "%25").replace("#", "%23") for name in names)))


def every_item(read: Callable[[str | None], ItemPage], after: str | None = None) -> Iterator[Item]:
    """Give the items of a query behind ``after``, page by page; ``read`` gives the page that follows a place."""
    while True:
        page = read(after)
        yield from page.items
        after = page.next
        if after is None:
            return


def rewrite(table: TableStore, pk: str, sk: str, change: Callable[[Item], Item | None]) -> Item:
    """Change an item and give it; where another writer was first, ``change`` is asked again with what that one wrote.

    ``change`` gets the stored item, one of version 0 without data where none is, and gives the new one, or None to
    leave it as it is.
    """
    while True:
        stored = table.get(pk, sk) or Item(pk, sk, {})
        changed = change(stored)
        if changed is None:
            return stored
        if table.put(changed, if_version=stored.version):
            return changed


def count_of(data: JsonObject, name: str) -> int:
    """Give a whole number of an item's data; 0 where there is none.

    >>> count_of({"hits": 3}, "hits"), count_of({}, "hits")
    (3, 0)
    """
    value = data.get(name)
    return value if isinstance(value, int) else 0


def added(data: JsonObject, amounts: Mapping[str, int], ceilings: Mapping[str, int] | None = None) -> JsonObject | None:
    """Give the data with the amounts added to its counts; None when one would pass its ceiling.

    >>> added({"calls": 1, "day": "Monday"}, {"calls": 2}), added({}, {"calls": 3}, {"calls": 2})
    ({'calls': 3, 'day': 'Monday'}, None)
    """
    sums: JsonObject = {**data, **{name: count_of(data, name) + more for name, more in amounts.items()}}
    return None if any(count_of(sums, name) > most for name, most in (ceilings or {}).items()) else sums
