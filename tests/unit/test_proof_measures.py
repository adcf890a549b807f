"""Units and currencies that a field's name says: what stands in others is no proof."""

from typing import Any

import pytest
from gleaner.proof import prove


def statuses(data: dict[str, Any], text: str) -> list[str]:
    return [entry.status for entry in prove(data, text)]


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("length_km", 19, "Length 31 km (19 mi)"),
        ("area_km2", 43.4, "Area: 112.4 km2 (43.4 sq mi)"),
        ("max_depth_m", 243, "Depth 74 m (243 ft)"),
        ("weight_g", 1.2, "Weight 1.2 kg"),
        ("usd", 1185, "US$ 1,290 / €1,185"),
        ("price_eur", 1290, "US$ 1,290 / €1,185"),
        ("km", 38900, "R$ 38.900, 82.000 km, 2016"),
        ("preco", 82000, "R$ 38.900, 82.000 km, 2016"),
        ("ano", 38900, "R$ 38.900, 82.000 km, 2016"),
        ("ano", 82000, "R$ 38.900, 82.000 km, 2016"),
        ("price", 7, "Fjord cruise, 7 days, $1,290"),
    ],
)
def test_a_number_in_another_unit_than_the_fields_is_no_proof(field: str, value: float, text: str) -> None:
    assert statuses({"name": text.split(maxsplit=1)[0], field: value}, text)[1:] == ["ungrounded"]


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("length_km", 31, "Length 31 km (19 mi)"),
        ("length_km", 31, "Length: 31"),
        ("area_m2", 120, "89 € 120 m²"),
        ("area_sqft", 900, "900 sq. ft."),
        ("size_sq_ft", 3979, "SIZE\n\n:   3,979 sq ft"),
        ("bedrooms", 8, "Bedrooms 8 USD 887,982.00"),
        ("usd", 1290, "US$ 1,290 / €1,185"),
        ("usd", 5, "A mug, 5 dollars"),
        ("price_per_km", 2.4, "2,40 € per km"),
        ("price", 35754, "35754元/㎡"),
        ("price", 12.4, "Sold for 12.4 m"),
        ("price", 80, "$80 night Reserve"),
        ("day_ticket", 12, "Day ticket: €12"),
        ("minutes", 5, "5m read"),
        ("speed_km_h", 90, "up to 90 km/h"),
        ("year", 2016, "Gol 2016 km 82"),
    ],
)
def test_a_number_in_the_fields_own_unit_or_in_none_is_proven(field: str, value: float, text: str) -> None:
    assert statuses({field: value}, text) in (["verbatim"], ["normalized"])
