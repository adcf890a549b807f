"""Measures in other units, lengths of time, and numbers whose scale stands further on."""

from typing import Any

import pytest
from gleaner.grounding import prove


def refused(data: Any, text: str) -> set[str]:
    return {entry.pointer for entry in prove(data, f"# Kubo\n\n{text}") if entry.status == "ungrounded"}


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize(
    ("text", "field", "right", "wrong"),
    [
        ("500 g", "weight_kg", 0.5, 500),
        ("1.2 kg", "weight_g", 1200, 1.2),
        ("850 m to the sea", "distance_km", 0.85, 850),
        ("25 000 m²", "area_ha", 2.5, 25),
        ("1 TB SSD", "storage_gb", 1000, 1),
        ("1 TB SSD", "storage_gb", 1024, 10),
        ("Cook: 1 hour", "cook_minutes", 60, 1),
        ("Ready in 1¼ hours", "total_minutes", 75, 125),
        ("Runs 2 hr 4 min", "runtime", 124, 24),
        ("Gesamtzeit: 2 Std. 30 Min.", "gesamtzeit", 150, 230),
        ("Length: 1 h 40 min", "length", 100, 140),
        ("Total Time: 3 hours hours 30 minutes minutes", "total_minutes", 210, 330),
        ("A video of 12:45", "duration_seconds", 765, 7650),
        ("$95–120k a year", "salary_min", 95_000, 9_500),
        ("1万2800円", "price", 12_800, 2_800_000),
        ("6.2 miles", "length_km", 9.98, 6.2),
        ("6.2 miles", "length_km", 10, 9),
        ("a climb of 1,100 ft", "ascent_m", 335.28, 1100),
        ("Weighs 4 lbs", "weight_kg", 1.81, 1.8 - 0.2),
        ("31 km (19 mi)", "length_km", 31, 30.58),
        ("연봉 4,500만원 ~ 6,000만원", "salary_min", 45_000_000, 4_500),
        ("Rp85.000 · 244 hlm", "price", 85_000, 85),
        ("Harga 244 / 2021-8", "rating", 244, 8),
    ],
)
def test_a_measure_in_another_unit_proves_what_it_is_in_the_field_s(
    text: str, field: str, right: float, wrong: float
) -> None:
    assert refused({field: right}, text) == set()
    assert refused({field: wrong}, text) == {f"/{field}"}


@pytest.mark.req("PR-1")
@pytest.mark.parametrize("name", ["draught", "width", "span", "area_of_sail", "height", "length"])
def test_a_label_that_two_fields_have_names_none_of_them_whatever_their_order(name: str) -> None:
    said = name.replace("_", " ").capitalize()
    assert refused({f"{name}_m": 8.2, f"{name}_ft": 27}, f"{said} 8.2 m / 27 ft") == set()
    assert refused({f"{name}_ft": 27, f"{name}_m": 8.2}, f"{said} 8.2 m / 27 ft") == set()


@pytest.mark.req("PR-1", "PR-2")
def test_a_description_may_ask_for_another_unit_than_the_page_gives() -> None:
    schema = {"properties": {"length": {"type": "number", "description": "Length in kilometres"}}}
    said = [prove({"length": value}, "A walk of 6.2 miles", schema=schema)[0].status for value in (9.98, 9.5)]
    assert said == ["normalized", "ungrounded"]


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize("said", ["Laufzeit in Minuten", "durée en minutes", "所要時間(分)", "Running time, minutes"])
def test_a_description_may_name_a_unit_of_time_in_any_language(said: str) -> None:
    schema = {"properties": {"laenge": {"type": "number", "description": said}}}
    found = [prove({"laenge": value}, "Dauer: 2 Std.", schema=schema)[0].status for value in (120, 2, 7200)]
    assert found == ["normalized", "verbatim", "ungrounded"]


@pytest.mark.req("PR-1")
@pytest.mark.parametrize("field", ["minutes", "length"])
def test_a_number_that_is_no_length_of_time_is_refused_however_large(field: str) -> None:
    assert refused({field: 3e306}, "It takes 1 h 30 min.") == {f"/{field}"}
