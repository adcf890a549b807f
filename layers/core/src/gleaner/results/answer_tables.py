"""Tables that a model answers with in place of JSON: Markdown, CSV and TSV, under the names of the schema's fields."""

import csv
import re
from collections.abc import Collection
from contextlib import suppress

from gleaner.contracts.ports import JsonObject
from gleaner.page.tables import is_rule

_FENCED = re.compile(r"```[\w-]{0,20}[ \t]*\n(.*?)(?:\n```|\Z)", re.DOTALL)
_PIPE = re.compile(r"(?<!\\)\|")
_SIGNS = ",;\t"


def read_table_answer(text: str, fields: Collection[str]) -> list[JsonObject] | None:
    """Give a record for each row of a text that is one table; None for any other text.

    It is one where each column is named by another one of ``fields``, in any case, and each row has a cell for each
    column. Empty cells are null, all others text: coercion makes numbers of them.

    >>> read_table_answer("name,price\\nFern,9.5", ["name", "price"])
    [{'name': 'Fern', 'price': '9.5'}]
    >>> read_table_answer("Sorry, none.\\nThe page, it is empty", ["name", "price"]) is None
    True
    """
    fenced = _FENCED.findall(text)
    lines = (fenced[0] if len(fenced) == 1 else text).strip().splitlines()
    if len(lines) > 1 and "|" in lines[0]:
        bare = (line.strip().removeprefix("|").removesuffix("|") for line in lines if not is_rule(line.strip()))
        return _records([[cell.strip().replace("\\|", "|") for cell in _PIPE.split(line)] for line in bare], fields)
    for sign in _SIGNS:
        with suppress(csv.Error):
            rows = csv.reader([f"{line}\n" for line in lines], delimiter=sign, skipinitialspace=True, strict=True)
            if (found := _records([row for row in rows if row], fields)) is not None:
                return found
    return None


def _records(rows: list[list[str]], fields: Collection[str]) -> list[JsonObject] | None:
    known = {name.casefold(): name for name in fields}
    names = [known.get(cell.strip().casefold(), "") for cell in rows[0]] if rows else []
    is_named = len(names) > 1 and all(names) and len(set(names)) == len(names) == len(set(known.values()) & set(names))
    if not is_named or len(rows) < 2 or any(len(row) != len(names) for row in rows):
        return None
    return [{name: cell.strip() or None for name, cell in zip(names, row, strict=True)} for row in rows[1:]]
