"""An answer in which a value or two were refused teaches what its other records say (promise 3)."""

from collections.abc import Callable, Collection
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.testing import ScriptedModel, TrueRecord

PROPERTIES: dict[str, Any] = {"name": {"type": "string"}, "rating": {"type": ["number", "null"]}}
SCHEMA = {"type": "array", "items": {"type": "object", "properties": PROPERTIES, "required": ["name", "rating"]}}
NAMES = tuple(f"{tree} {what}" for tree in ("Larch", "Gorse", "Fir", "Oak", "Elm", "Ash") for what in ("jug", "bowl"))
FIRST = [(name, None if at % 4 == 3 else (at + 11) / 10) for at, name in enumerate(NAMES)]
SECOND = [(name[::-1].title(), rating and round(5.9 - rating, 1)) for name, rating in FIRST]
Rows = list[tuple[str, float | None]]


def page(rows: Rows) -> str:
    items = (f"<li><h3>{name}</h3>{f'<p>Rated {rating}</p>' if rating else ''}</li>" for name, rating in rows)
    return f"<main><h1>Jugs</h1><ul>{''.join(items)}</ul></main>"


def tiers(make: Callable[..., Gleaner], invented: Collection[int], first: Rows = FIRST) -> tuple[str, str, Any]:
    """Give who answered the first and the second page, and the second answer; a model invents some of the first's."""
    told = [{"name": name, "rating": 77 if at in invented else rating} for at, (name, rating) in enumerate(first)]
    after = [{"name": name, "rating": rating} for name, rating in SECOND]
    gleaner = make(ScriptedModel([TrueRecord({**one}, (str(one["name"]),)) for one in [*after, *told]]))
    found: list[Any] = []
    for number, rows in enumerate((first, SECOND)):
        asked: dict[str, Any] = {"output_schema": SCHEMA, "query": "all", "config": {"tiers": ["recipe", "model"]}}
        given = {"extraction_id": found[0].extraction_id} if found else {}
        result = gleaner.extract_html(page(rows), f"https://jugs.example/{number}", **asked, **given)
        found.append(result.extraction)
    return found[0].tier, found[1].tier, found[1].data


@pytest.mark.req("RC-1", "PR-2")
@pytest.mark.parametrize("invented", [{0}, {3}, {5, 11}])
def test_records_without_a_refused_value_teach_the_layout(make: Callable[..., Gleaner], invented: set[int]) -> None:
    wanted = [{"name": name, "rating": rating} for name, rating in SECOND]
    assert tiers(make, invented) == ("model", "recipe", wanted)


@pytest.mark.req("RC-1", "PR-2")
def test_a_field_of_which_nothing_was_proven_is_not_learned_as_absent(make: Callable[..., Gleaner]) -> None:
    bare: Rows = [(name, 4.5 if at == 2 else None) for at, (name, _) in enumerate(FIRST)]
    assert tiers(make, {2}, bare)[1] == "model"
