"""The cases of the corpus: a page, its address, the schema asked for, and the truth."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from measure.rows import Context

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Case:
    """A saved page with its truth, an instance of the schema. ``name`` is the folder's, with the set before it."""

    name: str
    html: str
    url: str
    schema: dict[str, Any]
    expected: Any


def read_case(folder: Path) -> Case:
    """Read a case folder; the truth is ``expected.json``, or the data in ``result.json``.

    OSError, ValueError or KeyError when the case is broken.
    """
    truth = folder / "expected.json"
    expected = (
        json.loads(truth.read_text("utf-8"))
        if truth.exists()
        else json.loads((folder / "result.json").read_text("utf-8"))["data"]
    )
    return Case(
        f"{folder.parent.name}/{folder.name}",
        (folder / "page.html").read_bytes().decode("utf-8", "replace"),
        (folder / "url").read_text("utf-8").strip(),
        json.loads((folder / "schema.json").read_text("utf-8")),
        expected,
    )


def read_cases(context: Context, *folders: str, quick: int) -> Iterator[Case]:
    """Give the cases below a folder of the corpus, in a quick run the first ``quick``; broken ones are noted."""
    found = context.cases(*folders)
    for folder in found[:quick] if context.quick else found:
        try:
            yield read_case(folder)
        except (OSError, ValueError, KeyError, TypeError) as error:
            context.note(f"{folder.parent.name}/{folder.name}", error)


def attempt(context: Context, case: str, work: Callable[[], Made]) -> Made | None:
    """Give what a measurement of one case makes; None, with a note, when it fails: the case is then not counted."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - whatever a page does to the product is noted, and measuring goes on
        context.note(case, error)
        return None


def records_of(data: Any) -> list[dict[str, Any]] | None:
    """Give the records of a list: the array itself, or the one array of objects in the object around it."""
    if isinstance(data, dict):
        lists = [value for value in data.values() if isinstance(value, list)]
        data = lists[0] if len(lists) == 1 else None
    if not isinstance(data, list) or not data or not all(isinstance(one, dict) for one in data):
        return None
    return data


def with_records(data: Any, records: list[dict[str, Any]]) -> Any:
    """Give the same data with other records: ``records_of`` the other way round."""
    if isinstance(data, list):
        return records
    return {name: records if isinstance(value, list) else value for name, value in data.items()}
