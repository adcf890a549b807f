"""What embedded data says of the one thing a schema asks for, beyond the text: hints for a model, yet to be proven.

The visible text wins: a hint holds what the page does not show and does not deny.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from gleaner.html.dom import visible_text
from gleaner.page.model import Page
from gleaner.page.pairs import Pair
from gleaner.structured.labels import plain
from gleaner.structured.nodes import read_singles
from gleaner.structured.reading import Declined, read_wanted
from gleaner.structured.shown import may_be_hint
from gleaner.values.fields import Field

MOST_CHARS = 1_200
"""About 300 tokens, as much as a record of twenty fields takes."""

_LEAST_FIELDS = 2
"""Fields of the schema that an object has to have: a site's own name and address are no product."""


def find_hint(page: Page, schema: Any) -> str:
    """Give JSON of the fields that embedded data states of the page's one thing and the text does not; "" for none.

    The object has two of the schema's fields, and the name that stands in the page's title or heading. A field of which
    two objects say different things, or which the text denies, is left out.

    >>> from gleaner.page.opening import open_page
    >>> data = '<script type="application/ld+json">{"@type": "Product", "name": "Mug", "sku": "M-4711"}</script>'
    >>> schema = {"type": "object", "properties": {"name": {"type": "string"}, "sku": {"type": "string"}}}
    >>> find_hint(open_page(f"<title>Mug</title>{data}<h1>Mug"), schema)
    '{"sku": "M-4711"}'
    """
    try:
        wanted = read_wanted(schema)
    except Declined:
        return ""
    if wanted.is_list:
        return ""
    heads = [head for each in page.tree.iter("h1", "title") if (head := plain(visible_text(each)))]
    records = [
        record
        for name, record in read_singles(page, wanted)
        if len(record) >= _LEAST_FIELDS and (own := plain(name)) and any(own in head or head in own for head in heads)
    ]
    pairs = page.pairs if records else ()
    said = {field.key: [one[field.key] for one in records if field.key in one] for field in wanted.fields}
    hints = {
        field.key: said[field.key][0]
        for field in wanted.fields
        if said[field.key] and _is_hint(field, said[field.key], page.text, pairs)
    }
    text = json.dumps(hints, ensure_ascii=False) if hints else ""
    return text if len(text) <= MOST_CHARS else ""


def _is_hint(field: Field, values: list[Any], markdown: str, pairs: Sequence[Pair]) -> bool:
    first = values[0]
    if any(value != first for value in values) or re.search(rf"(?<!\w){re.escape(str(first))}(?!\w)", markdown):
        return False
    try:
        return may_be_hint(field, first, markdown, pairs)
    except Declined:
        return False
