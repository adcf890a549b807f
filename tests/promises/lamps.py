"""A listing of lamps, and a model that reads it as it is told: what most promises are tried on."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from gleaner import Gleaner
from gleaner.testing import FunctionModel

from tests.support.schemas import MAYBE_NUMBER, MAYBE_TEXT, TEXT, object_of

URL = "https://shop.example/lamps"
MODEL_ALONE = {"tiers": ["model"]}
IN_CHUNKS = {"tiers": ["model"], "max_chunk_chars": 200, "overlap_lines": 0, "max_concurrent_chunks": 40}
"""A config that cuts a page of forty lamps into about eight chunks, all read at a time."""

LAMP: dict[str, Any] = object_of("name", name=TEXT, maker=MAYBE_TEXT, price=MAYBE_NUMBER)
LAMPS = {"type": "array", "items": LAMP}


MAKERS = [
    start + end
    for start in ("Ar", "Be", "Co", "Du", "El")
    for end in ("den", "low", "mar", "ton", "vik", "gar", "nes", "sby")
]


def lamp(number: int) -> dict[str, Any]:
    """Give the truth about one of forty lamps."""
    return {"name": f"Lamp {number:02}", "maker": MAKERS[number], "price": number * 7 + 3.4}


FORTY = [lamp(number) for number in range(40)]


def page_of(lamps: Iterable[Mapping[str, Any]], over: str = "") -> str:
    """Give a page with a table of lamps, its columns not named as the fields are."""
    rows = "".join(
        f"<tr><td>{one['name']}</td><td>{one['maker']}</td><td>${one['price']:.2f}</td></tr>" for one in lamps
    )
    head = "<tr><th>What</th><th>By whom</th><th>How much</th></tr>"
    return f"<title>Lamps</title><h1>Lamps</h1>{over}<table>{head}{rows}</table>"


def giving(records: Iterable[Mapping[str, Any]]) -> FunctionModel:
    """Give a model that answers with the records whose names stand in the prompt, bare and in this order."""
    given = [dict(one) for one in records]
    return FunctionModel(lambda prompt: json.dumps([one for one in given if str(one["name"]) in prompt]))


def read(gleaner: Gleaner, html: str, **request: Any) -> tuple[str, Any]:
    """Extract from HTML by the model alone; give the result's status and its extraction."""
    asked = {"output_schema": LAMPS, "config": MODEL_ALONE, **request}
    result = gleaner.extract_html(html, URL, **asked)
    assert result.extraction is not None
    return result.status, result.extraction
