"""A model that answers as it was recorded: for whatever part of a page a prompt shows, the records that stand there."""

import json
import re
from collections.abc import Sequence
from typing import Any

from gleaner import Gleaner
from gleaner.contracts.models import ScrapeResult
from gleaner.testing import FunctionModel

from measure.values import Json, folded, key_of, leaves

_PAGE = re.compile(r"<<<PAGE (\w+)>>>\n(.*?)\n?<<<END \1>>>", re.DOTALL)
_MARK = re.compile(r"^(?:\[#(\d+)\]|\[unit (\d+)\]|\[~(\d+)~\]|<#(\d+)#>)(?: |\s*$)", re.MULTILINE)


_NAME = re.compile(r'Begin each record with "(\w+)": N')


class Replay:
    """Gives the recorded records whose text is in the prompt; numbered pieces without one are named as skipped.

    Asked for the number of each record's piece it gives it as models do: mostly right, for one record in ten not at
    all, and for one in twenty a wrong one. ``data`` is the whole recorded answer: an instance of the schema. ``edit``
    changes what is given: for models that leave records out. ``prompts`` holds what was asked.
    """

    def __init__(self, data: Json, edit: Any = None) -> None:
        self.data = data
        self.edit = edit
        self.prompts: list[str] = []

    def __call__(self, prompt: str) -> str:
        """Answer a prompt."""
        self.prompts.append(prompt)
        found = _PAGE.search(prompt)
        page = found[2] if found else prompt
        where = _list_at(self.data)
        if where == "" or not self.data:
            return json.dumps({"data": self.data}, ensure_ascii=False)
        rows: Sequence[Json] = self.data if where is None else self.data[where]
        shown = folded(page)
        here = [row for row in rows if key_of(row) and key_of(row) in shown]
        pieces = _pieces_of(page)
        homes = {id(row): _home(row, pieces) for row in here}
        given = self.edit(here) if self.edit else here
        named = _NAME.search(prompt)
        numbered = [_numbered(row, named[1], homes[id(row)], at) for at, row in enumerate(given)] if named else given
        data = numbered if where is None else {**self.data, where: numbered}
        skipped = [number for number in pieces if number not in homes.values()]
        return json.dumps({"data": data, **({"skipped": skipped} if pieces else {})}, ensure_ascii=False)


def _pieces_of(page: str) -> dict[int, str]:
    """Give the text of each numbered piece."""
    marks = [(int(next(group for group in mark.groups() if group)), mark.end()) for mark in _MARK.finditer(page)]
    ends = [start for _, start in marks[1:]] + [len(page)] * bool(marks)
    return {number: folded(page[start:end]) for (number, start), end in zip(marks, ends, strict=True)}


def _home(row: Json, pieces: dict[int, str]) -> int | None:
    """Give the piece with a record's key that states most of its values."""
    values = {folded(str(value)) for _, value in leaves(row)} - {""}
    own = [number for number, text in pieces.items() if key_of(row) in text]
    return max(own, key=lambda number: sum(value in pieces[number] for value in values), default=None)


def _numbered(row: Json, name: str, home: int | None, at: int) -> Json:
    if at % 10 == 7 or not isinstance(row, dict):
        return row
    return {name: home + 1 if home is not None and at % 20 == 12 else home, **row}


def _list_at(data: Json) -> str | None:
    """Give the name of an object's list of records; None where the data is the list, "" where there is none."""
    if isinstance(data, list):
        return None
    lists = {name: one for name, one in data.items() if isinstance(one, list) and one and isinstance(one[0], dict)}
    return max(lists, key=lambda name: len(lists[name]), default="")


def ask(home: str, html: str, url: str, schema: Json, model: Any, **request: Any) -> ScrapeResult:
    """Extract from a page with a model, as a user of the library would; a new installation in ``home``."""
    asked = FunctionModel(model) if not hasattr(model, "answer") else model
    with Gleaner(model=asked, home=home) as gleaner:
        return gleaner.extract_html(html, url, output_schema=schema, **request)


def json_in(text: str) -> Json:
    """Read the JSON of a recorded answer, in a fence or not; ValueError when there is none."""
    start = min((at for at in (text.find("{"), text.find("[")) if at >= 0), default=-1)
    if start < 0:
        raise ValueError("the recorded answer holds no JSON")
    return json.JSONDecoder().raw_decode(text[start:])[0]
