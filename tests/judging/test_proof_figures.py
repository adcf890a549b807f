"""Figures of a page about one thing: the words beside them tell whose they are, and nothing true is refused."""

from typing import Any

import pytest
from gleaner.judging.judge import judge as prove

LAPTOP = "# Aero 14\n\n£1,249.00\n\nIt has RAM 16 GB, SSD 512 GB, weighs 1.24 kg and runs 18 hours. Warranty 2 years."
COMPANY = (
    "# Brightwell\n\nFounded in 1998, Brightwell employs 2,340 people in 12 offices. Revenue came to 418.6 million."
)
RECIPE = (
    "# Gratin\n\nServes 6. Takes 20 minutes to prepare and 55 minutes to bake at 190 °C. A portion has 412 kcal, "
    "rated by 87 readers."
)
FERRY = "# Line 7\n\nDeparts 06:20 and arrives 07:55. Adult 148 kr, child 74 kr, car 395 kr."
PAPER = "# Soil\n\nReceived 12 November 2024, accepted 3 February 2025. Volume 41, pages 211."
TOWN = "# Vallmora\n\nVallmora liegt auf 642 m. Die Stadt hat 118.455 Einwohner und wurde 1176 gegründet."
TABLE = "# Fund\n\n| Fee | 0.95% |\n| --- | --- |\n| Assets (m) | 812.5 |\n| Return | 12.7% |"
HOME = "# Lindenstraße 14\n\nKaufpreis 385.000 €\n\nZimmer 3,5\n\nWohnfläche 92,4 m²\n\nBaujahr 1972"
RUN = "# Rheinlauf\n\nDie Strecke ist 42,195 km lang, gemeldet haben 8.412 Läufer. Startgeld 85 €."
TEAM = "# FC Vallena\n\n14 wins, 6 draws, 8 losses; 47 goals, 48 points"
CAR_PARK = "# Minster\n\n182 of 420 spaces free\n\n£2.40 per hour, £18.00 per day\n\nEV chargers 8"
STAY = "# Mill House\n\n4 guests, 2 bedrooms\n\n€95 per night, cleaning fee €40, minimum stay 3 nights"
TRUTHS = [
    (HOME, {"price_eur": 385000, "rooms": 3.5, "area_m2": 92.4, "year_built": 1972}),
    (RUN, {"distance_km": 42.195, "runners": 8412, "fee_eur": 85}),
    (TEAM, {"wins": 14, "draws": 6, "losses": 8, "goals_for": 47, "goals_home": 47, "points": 48}),
    (CAR_PARK, {"spaces": 420, "spaces_free": 182, "price_hour": 2.4, "price_day": 18.5 - 0.5, "ev_chargers": 8}),
    (STAY, {"guests": 4, "bedrooms": 2, "price_night": 95, "cleaning_fee": 40, "min_nights": 3}),
    (LAPTOP, {"price": 1249, "ram_gb": 16, "ssd_gb": 512, "weight_kg": 1.24, "battery_hours": 18, "warranty_years": 2}),
    (COMPANY, {"founded": 1998, "employees": 2340, "offices": 12, "revenue_millions": 418.6}),
    (RECIPE, {"servings": 6, "prep_minutes": 20, "oven_celsius": 190, "calories": 412, "reviews": 87}),
    (FERRY, {"departs": "06:20", "arrives": "07:55", "adult_fare": 148, "child_fare": 74, "car_fare": 395}),
    (PAPER, {"received": "2024-11-12", "accepted": "2025-02-03", "volume": 41, "page": 211}),
    (TOWN, {"elevation_m": 642, "population": 118455, "founded": 1176}),
    (TABLE, {"fee_percent": 0.95, "assets_millions": 812.5, "return_percent": 12.7}),
]  # fmt: skip


def unproven(data: dict[str, Any], text: str) -> set[str]:
    schema = {"type": "object", "properties": {name: {"type": _kind(value)} for name, value in data.items()}}
    return {entry.pointer[1:] for entry in prove(data, text, schema=schema) if entry.status == "ungrounded"}


def _kind(value: object) -> str:
    return "string" if isinstance(value, str) else "integer" if isinstance(value, int) else "number"


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(("text", "truth"), TRUTHS)
def test_what_the_page_says_of_each_field_is_proven(text: str, truth: dict[str, Any]) -> None:
    assert unproven(truth, text) == set()


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize(
    ("text", "names"),
    [
        (LAPTOP, ("ram_gb", "ssd_gb")),
        (LAPTOP, ("battery_hours", "warranty_years")),
        (COMPANY, ("founded", "employees")),
        (RECIPE, ("servings", "prep_minutes")),
        (RECIPE, ("reviews", "prep_minutes")),
        (FERRY, ("departs", "arrives")),
        (FERRY, ("adult_fare", "child_fare")),
        (PAPER, ("received", "accepted")),
        (TOWN, ("elevation_m", "population")),
        (TABLE, ("fee_percent", "assets_millions")),
        (HOME, ("rooms", "area_m2")),
        (HOME, ("price_eur", "year_built")),
        (CAR_PARK, ("price_hour", "price_day")),
        (STAY, ("guests", "min_nights")),
    ],
)
def test_two_exchanged_figures_are_told_by_names_and_units_beside_them(text: str, names: tuple[str, str]) -> None:
    one, other = names
    truth = next(truth for said, truth in TRUTHS if said == text)
    assert unproven({**truth, one: truth[other], other: truth[one]}, text) >= {one, other}


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize(
    ("text", "name", "source"),
    [
        (LAPTOP, "ssd_gb", "ram_gb"),
        (LAPTOP, "battery_hours", "ssd_gb"),
        (LAPTOP, "price", "battery_hours"),
        (COMPANY, "employees", "founded"),
        (COMPANY, "founded", "employees"),
        (COMPANY, "founded", "offices"),
        (RECIPE, "servings", "prep_minutes"),
        (RECIPE, "calories", "oven_celsius"),
        (FERRY, "car_fare", "child_fare"),
        (PAPER, "accepted", "received"),
        (TOWN, "elevation_m", "population"),
        (TABLE, "fee_percent", "assets_millions"),
        (HOME, "year_built", "rooms"),
        (TEAM, "points", "wins"),
        (TEAM, "points", "goals_for"),
        (STAY, "price_night", "min_nights"),
    ],
)
def test_a_figure_that_is_another_fields_proves_no_second_one(text: str, name: str, source: str) -> None:
    truth = next(truth for said, truth in TRUTHS if said == text)
    assert unproven({**truth, name: truth[source]}, text) == {name}


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("5,112 households: 6,120 men and 6,288 women", {"households": 5112, "men": 6120, "women": 6288}),
        ("Bottles of 750 ml. Only 24 bottles left.", {"bottle_ml": 750, "stock": 24}),
        ("RAM 16 GB SSD 512 GB", {"ram_gb": 16, "ssd_gb": 512}),
        ("4 bedrooms 2 bathrooms", {"bedrooms": 4, "bathrooms": 2}),
        ("Works in week 2026-W12", {"week": 12, "year": 2026}),
        ("Total: 12 €", {"price": 12, "total": 12}),
        ("Boats 64.5 × 81.2 cm", {"height_cm": 64.5, "width_cm": 81.2}),
        ("Rating 4.5 out of 5 by 120 people. 3 reviews", {"rating": 4.5, "votes": 120, "reviews": 3}),
        ("Länge (km) 120, Abstand 31 km", {"length_km": 120, "distance": 31}),
    ],
)
def test_a_figure_that_may_be_either_fields_is_left_alone(text: str, data: dict[str, Any]) -> None:
    assert unproven(data, text) == set()


@pytest.mark.req("PR-1")
def test_a_word_between_two_days_that_may_lead_to_either_names_neither() -> None:
    text = "# Heavy saddle\n\nSven Thornton\n\nJanuary 18, 2023 Updated July 28, 2023\n\nThe ledger was classic."
    assert unproven({"published": "2023-01-18", "updated": "2023-07-28"}, text) == set()


@pytest.mark.req("PR-1")
def test_whole_numbers_tell_how_the_page_groups_the_others() -> None:
    said = "42.195 km, 8,412 runners"
    assert unproven({"distance_km": 42195.5 - 0.5, "runners": 8412}, said) == {"distance_km"}
    assert unproven({"distance_km": 42195.5 - 0.5, "runners": 8412}, RUN) == {"distance_km"}
    assert unproven({"distance_km": 42.195, "runners": 8412}, said) == set()
    assert unproven({"distance_km": 42195.5 - 0.5, "runners": 12}, "42,195 km, 12 runners") == set()


@pytest.mark.req("PR-1")
def test_a_number_that_its_own_name_counts_in_brackets_leads_to_another_fields_text() -> None:
    reviews = [
        ("Nell B.", 5, "Sturdy and well made."),
        ("Tom R.", 3, "Came late but works."),
        ("Ida K.", 4, "Good value."),
    ]
    text = "\n\n".join(f"{author} ({stars} stars): {said}" for author, stars, said in reviews)
    data: Any = [{"author": author, "stars": stars, "text": said} for author, stars, said in reviews]
    assert {entry.status for entry in prove(data, text)} == {"verbatim"}


LEAFLET = "# Calmidol\n\nPack of 24 tablets, each of 500 mg.\n\nFor adults and children over 12 years."
OSTERIA = "# Al Faro\n\nVia Roma 12, Camogli\n\n40 coperti. Voto 8,9 su 612 recensioni. Dal 1987."
KONZERT = "# Sinfonie\n\nEintritt 38 €, ermäßigt 22 €"
FLAT_PT = "# Casa\n\n- 78 m²\n- 3 quartos\n- 1 vaga\n- 9º andar"
SPIRIT = "# Rubrum\n\n2,917 stars, 3.4 MB and 12 forks"


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize(
    ("text", "truth", "name", "lie"),
    [
        (LEAFLET, {"tablets": 24, "strength_mg": 500, "min_age_years": 12}, "tablets", 12),
        (OSTERIA, {"indirizzo": "Via Roma 12", "coperti": 40, "recensioni": 612, "anno": 1987}, "coperti", 12),
        (OSTERIA, {"coperti": 40, "recensioni": 612, "anno": 1987}, "recensioni", 1987),
        (KONZERT, {"preis": 38, "ermaessigt": 22}, "ermaessigt", 38),
        (KONZERT, {"preis": 38, "ermaessigt": 22}, "preis", 22),
        (FLAT_PT, {"area_m2": 78.0, "quartos": 3, "vagas": 1}, "vagas", 78),
        (SPIRIT, {"stars": 2917, "size_mb": 3.4}, "size_mb", 2917),
    ],
)
def test_a_figure_in_another_fields_unit_or_text_is_refused_where_the_own_name_stands_elsewhere(
    text: str, truth: dict[str, Any], name: str, lie: float
) -> None:
    assert unproven(truth, text) == set()
    assert name in unproven({**truth, name: lie}, text)


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("# عيادة\n\nالخبرة: 14 سنة\n\n318 تقييماً", {"years_experience": 14, "reviews": 318}),
        ("# आम\n\nरेटिंग: 41\n\nसमीक्षा: 318", {"rating": 41, "reviews": 318}),
        ("# โรงแรม\n\nคะแนน 87\n\n356 รีวิว", {"rating": 87, "reviews": 356}),
        ("# ספר\n\n312 עמודים\n\nיצא ב 2022", {"pages": 312, "released": 2022}),
    ],
)
def test_words_of_other_languages_say_whose_a_figure_is(text: str, truth: dict[str, Any]) -> None:
    one, other = truth
    assert unproven(truth, text) == set()
    assert one in unproven({**truth, one: truth[other]}, text)
