"""The data that a page embeds for machines: five syntaxes, one shape."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

from gleaner.page.data.json_ld import read_json_ld
from gleaner.page.data.meta_tags import read_meta
from gleaner.page.data.microdata import read_microdata
from gleaner.page.data.properties import Node
from gleaner.page.data.rdfa import read_rdfa
from gleaner.page.data.states import read_states
from gleaner.page.model import Page

Source: TypeAlias = Literal["json-ld", "microdata", "rdfa", "meta", "state"]

_READERS: dict[Source, Callable[[Page], Sequence[Any]]] = {
    "json-ld": lambda page: read_json_ld(page.code),
    "microdata": lambda page: read_microdata(page.tree, page.base),
    "rdfa": lambda page: read_rdfa(page.tree, page.base),
    "meta": lambda page: read_meta(page.tree),
    "state": lambda page: [*read_states(page.code)],
}


def data_of(page: Page, source: Source) -> Sequence[Node]:
    """Give the objects that a page has in one syntax, read once; of ``state`` any JSON, lists among it.

    >>> from gleaner.page.opening import open_page
    >>> data_of(open_page("<p itemscope itemtype=//schema.org/Tea><b itemprop=name>Sencha</b>"), "microdata")
    [{'@type': ['Tea'], 'name': 'Sencha'}]
    """
    return page.once(("data", source), lambda: _READERS[source](page))
