"""Units and currencies that a field's name says: what stands in others is no proof."""

from typing import Any

import pytest
from gleaner.grounding import prove


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
        ("price", 30, "Opens 10:30, £3"),
        ("price", 10, "Opens 10:30, £3"),
        ("price", 7.45, "täglich um 7.45 Uhr"),
        ("price", 5, "$25.00, you save $5.00"),
        ("rating", 1002.33, "Lamp $1,002.33, 4.0 out of 5"),
        ("baths", 2195000, "Condo $2,195,000, 1 ba"),
        ("ram_gb", 18, "Laptop with 18 hours"),
        ("battery_hours", 512, "Laptop with 512 GB"),
        ("price", 18, "Laptop with 18 hours, £5"),
        ("reviews", 20, "Gratin in 20 minutes"),
        ("area_m2", 58, "Posesión 58 %, 14 m²"),
        ("price", 20, "Mug 20 % cheaper, $4"),
        ("humidity_percent", 0.81, "Weather: 81 %"),
        ("elevation_m", 1240000, "Hill 1,240 m"),
        ("calories", 190, "Oven at 190 °C, 412 kcal"),
        ("calories", 1725, "Portion 1725 kJ (412 kcal)"),
        ("founded", 2340, "Founded for 2,340 people"),
        ("founded", 642, "Town auf 642 m"),
        ("employees", 1998, "Founded in 1998, Bergen"),
        ("price", 8.7, "Hotel 8.7/10, €129"),
        ("rating", 1204, "Hotel 1,204 reviews"),
        ("prep_minutes", 2, "Gratin\n\n2. Slice the leeks"),
        ("mileage_km", 2019, "Car 06/2019, 84.200 km"),
        ("doors", 6, "Car 06/2019, 5 doors"),
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
        ("fee", 2.5, "Fee 2.5 %"),
        ("fee_percent", 2.5, "Fee 2.5%"),
        ("discount_percent", 20, "-20%"),
        ("year", 2026, "14 de marzo de 2026"),
        ("warranty_months", 24, "Warranty 24 months"),
        ("price", 1.2, "€1.20/100 g"),
        ("width_mm", 195, "Tyre 195/65 R15"),
        ("founded", 1998, "Founded in 1998, Bergen"),
        ("members", 1500, "in 1500 clubs, 1500 members"),
        ("years_open", 5, "open for 5 years"),
        ("power_hp", 132, "97 kW (132 PS)"),
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
        ("price_saving", 5, "$25.00, you save $5.00"),
        ("price", 5, "Saver: £5"),
        ("minutes", 5, "5m read"),
        ("rating", 4.5, "Nopa 4.5 $$ Italian"),
        ("reviews", 120, "Nopa 120 €€ Italian"),
        ("speed_km_h", 90, "up to 90 km/h"),
        ("year", 2016, "Gol 2016 km 82"),
    ],
)
def test_a_number_in_the_fields_own_unit_or_in_none_is_proven(field: str, value: float, text: str) -> None:
    assert statuses({field: value}, text) in (["verbatim"], ["normalized"])


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(
    ("field", "value", "text", "is_stated"),
    [
        ("rating", 5, "4.5/5", False),
        ("rating", 5, "**4.5** out of 5 stars", False),
        ("stars", 5, "4 of 5", False),
        ("review_score", 10, "8,5/10", False),
        ("rating", 4.5, "4.5/5", True),
        ("rating", 5, "5/5", True),
        ("best_rating", 5, "4.5/5", True),
        ("rating_count", 31, "4 of 31 ratings", True),
        ("away_score", 3, "2/3", True),
        ("rating", 5, "Rating of 5", True),
    ],
)
def test_what_a_rating_is_given_out_of_is_no_rating(field: str, value: float, text: str, is_stated: bool) -> None:
    for data, page in (({field: value}, text), ([{field: value, "name": "Oak"}] * 2, f"- Oak {text}\n- Oak {text}\n")):
        found = [one.status for one in prove(data, page) if one.pointer.endswith(field)]
        assert [one != "ungrounded" for one in found] == [is_stated] * len(found)


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        ("min", "max", "$5 – $30"),
        ("min", "max", "5 kg – 30 kg"),
        ("age_min", "age_max", "5 years to 30 years"),
        ("temp_min", "temp_max", "5 °C to 30 °C"),
        ("Min", "Max", "5 € – 30 €"),
    ],
)
def test_the_lower_end_of_a_range_is_no_number_of_minutes(low: str, high: str, text: str) -> None:
    assert statuses({"of": {low: 5, high: 30}}, text) == ["verbatim", "verbatim"]
    assert statuses({"of": {low: 5}}, "5 min") == ["verbatim"]
    number = {"type": ["number", "null"]}
    schema = {"properties": {"of": {"properties": {low: number, high: number}}}}
    assert [one.status for one in prove({"of": {low: 5, high: None}}, text, schema=schema)] == ["verbatim"]


@pytest.mark.req("PR-1")
def test_the_lower_end_of_a_range_is_scaled_as_the_upper_one() -> None:
    assert statuses({"min": 5, "max": 30}, "$5m – $30m") == ["ungrounded", "ungrounded"]
    assert statuses({"min": 5_000_000, "max": 30_000_000}, "$5m – $30m") == ["normalized", "normalized"]


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("value", "highest", "text", "status"),
    [
        (4, 10, "Mug 8.7/10, elsewhere 4/5", "ungrounded"),
        (8.7, 10, "Mug 8.7/10, elsewhere 4/5", "verbatim"),
        (4, 5, "Mug 4/5", "verbatim"),
        (4, 10, "Mug ★★★★", "ungrounded"),
        (4, 5, "Mug ★★★★", "normalized"),
        (4, 10, "Mug rated 4", "verbatim"),
    ],
)
def test_a_rating_out_of_another_number_than_the_highest_is_no_proof(
    value: float, highest: int, text: str, status: str
) -> None:
    schema = {"properties": {"rating": {"type": "number", "maximum": highest}}}
    assert [entry.status for entry in prove({"rating": value}, text, schema=schema)] == [status]


@pytest.mark.req("PR-1")
@pytest.mark.parametrize("said", ["-$6.20", "−6,20 €", "$-6.20"])
def test_money_without_its_minus_sign_is_what_is_taken_off(said: str) -> None:
    text = f"Order. Shipping $5.50. Reduced by {said}. Total $66.20"
    for field, status in (("discount", "normalized"), ("price", "ungrounded"), ("balance", "ungrounded")):
        assert statuses({field: 6.2}, text) == [status], field
    assert statuses({"balance": -6.2}, text) != ["ungrounded"]
