"""Times, days with a time, and ends of ranges are learned from how a page writes them, and from nothing else."""

from collections.abc import Sequence
from typing import Any

import pytest
from gleaner.contracts.ports import JsonValue
from gleaner.recipes import learn, replay
from gleaner.recipes.page.class_names import is_telling_class

URL = "https://fair.example/list"
NAMES = ("Larch fair", "Gorse night", "Fir walk", "Oak day", "Elm talk", "Ash tour")
Told = Sequence[tuple[str, JsonValue]]
DOTTED: Told = [("19.30 Uhr", "19:30"), ("8.15 Uhr", "08:15"), ("20 Uhr", "20:00")]
HALVES: Told = [("7:30 PM", "19:30"), ("11 am", "11:00"), ("12:15 p.m.", "12:15")]
MOMENTS: Told = [
    ("3.5.2026, 19:30 Uhr", "2026-05-03T19:30:00"),
    ("So., 14.6.2026, 8.00 Uhr", "2026-06-14T08:00:00"),
    ("1. Mai 2026, 9 Uhr", "2026-05-01T09:00:00"),
]
BEGUN: Told = [
    ("12.–14. Mai 2026", "2026-05-12"),
    ("28. Dezember – 3. Januar 2026", "2025-12-28"),
    ("1.–2.6.2026", "2026-06-01"),
]
ENDED: Told = [("May 12–14, 2026", "2026-05-14"), ("30 May to 2 June 2026", "2026-06-02"), ("3 May 2026", None)]
SHARED: Told = [("€20–25k", 20000), ("€1.2k – €3k", 1200), ("€50k–60k", 50000)]
HIGH: Told = [("€20–25k", 25000), ("€1.2k – €3k", 3000), ("€50k–60k", 60000)]
OPENING: Told = [("6–8 pm", "18:00"), ("11 am – 1 pm", "11:00"), ("9–10:30 pm", "21:00")]


def page(texts: Sequence[str], markup: str = "<p class=when>{}</p>") -> str:
    items = (f"<li><h3>{name}</h3>{markup.format(text)}</li>" for name, text in zip(NAMES, texts, strict=False))
    return f"<h1>Fairs</h1><ul>{''.join(items)}</ul>"


def schema(field: str, kind: str) -> dict[str, Any]:
    properties = {"name": {"type": "string"}, field: {"type": [kind, "null"]}}
    return {"type": "array", "items": {"type": "object", "properties": properties, "required": [*properties]}}


def replayed(told: Told, text: str, *, field: str = "when") -> Any:
    """Give what a recipe of these texts reads of one more; None where it has a doubt."""
    known = [told[at % len(told)] for at in range(len(NAMES))]
    kind = schema(field, "string" if any(isinstance(value, str) for _, value in told) else "number")
    data: Any = [{"name": name, field: value} for name, (_, value) in zip(NAMES, known, strict=False)]
    recipe = learn(page([text for text, _ in known]), URL, kind, data)
    assert recipe is not None
    after = replay(recipe, page([*(each for each, _ in known[:-1]), text]), URL, kind)
    return after.records[-1][field] if after.holds and isinstance(after.records[-1], dict) else None


@pytest.mark.req("RC-1")
@pytest.mark.parametrize(
    ("told", "text", "value"),
    [
        (DOTTED, "18.45 Uhr", "18:45"),
        (HALVES, "9:05 AM", "09:05"),
        (MOMENTS, "Sa, 5. September 2026, 21 Uhr", "2026-09-05T21:00:00"),
        (BEGUN, "5. Mai – 3. Juni 2026", "2026-05-05"),
        (ENDED, "June 1–5, 2026", "2026-06-05"),
        (SHARED, "€7–9k", 7000),
        (HIGH, "€7–9k", 9000),
        (OPENING, "9:30 am to 4 pm", "09:30"),
    ],
)
def test_times_and_ends_of_ranges_are_read_on_the_next_page(told: Told, text: str, value: JsonValue) -> None:
    assert replayed(told, text) == value


@pytest.mark.req("RC-2")
@pytest.mark.parametrize(
    ("told", "text"),
    [
        (DOTTED, "19.30"),
        (DOTTED, "7.30 pm"),
        (DOTTED, "Einlass 18.30 Uhr"),
        (DOTTED, "18.30–20.00 Uhr"),
        (DOTTED, "25.30 Uhr"),
        (HALVES, "9:05"),
        (MOMENTS, "3.5.2026, 19:30–21:00 Uhr"),
        (MOMENTS, "3.5.2026"),
        (BEGUN, "bis 3. Januar 2026"),
        (BEGUN, "12. und 14. Mai 2026"),
        (BEGUN, "5.5.–7. April 2026"),
        (BEGUN, "14. Mai 2026 – 12. Mai 2026"),
        (ENDED, "May 12–14"),
        (SHARED, "$7–9k"),
        (SHARED, "€900–1.2k"),
        (OPENING, "11–1 pm"),
    ],
)
def test_what_is_written_otherwise_is_a_doubt(told: Told, text: str) -> None:
    assert replayed(told, text) is None


@pytest.mark.req("RC-1")
def test_one_day_is_the_last_of_a_range_only_where_a_page_has_said_so() -> None:
    ranges: Told = [
        ("12.–14. Mai 2026", "2026-05-14"),
        ("1.–2. Juni 2026", "2026-06-02"),
        ("5.–9. Juni 2026", "2026-06-09"),
    ]
    assert replayed(ranges, "12. Mai 2026") is None
    assert replayed([*ranges, ("3. Juni 2026", "2026-06-03")], "12. Mai 2026") == "2026-05-12"


@pytest.mark.req("RC-1")
def test_a_class_of_one_letter_may_name_a_value() -> None:
    assert [is_telling_class(token) for token in ("p", "text", "p-4", "text-sm", "flex")] == [
        *(True, True),
        *(False, False, False),
    ]
