"""A model that answers as it was recorded: for whatever part of a page a prompt shows, the records that stand there."""

import json
import re
from collections.abc import Sequence
from typing import Any

from gleaner import Gleaner
from gleaner.contracts.models import ScrapeResult
from gleaner.testing import FunctionModel

from measure.values import Json, folded, key_of

_PAGE = re.compile(r"<<<PAGE (\w+)>>>\n(.*?)\n?<<<END \1>>>", re.DOTALL)
_MARK = re.compile(r"^(?:\[#(\d+)\]|\[unit (\d+)\]|\[~(\d+)~\]|<#(\d+)#>)(?: |\s*$)", re.MULTILINE)


class Replay:
    """Gives the recorded records whose text is in the prompt; numbered pieces without one are named as skipped.

    ``data`` is the whole recorded answer: an instance of the schema. ``edit`` changes what is given: for models that
    leave records out. ``prompts`` holds what was asked.
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
        marks = [(int(next(group for group in mark.groups() if group)), mark.end()) for mark in _MARK.finditer(page)]
        keys = [key_of(row) for row in here]
        ends = [start for _, start in marks[1:]] + [len(page)] * bool(marks)
        pieces = {number: folded(page[start:end]) for (number, start), end in zip(marks, ends, strict=True)}
        skipped = [number for number, piece in pieces.items() if not any(key in piece for key in keys)]
        given = self.edit(here) if self.edit else here
        data = given if where is None else {**self.data, where: given}
        return json.dumps({"data": data, **({"skipped": skipped} if marks else {})}, ensure_ascii=False)


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
