"""Numbers, lengths of time and years that a page says in words (PR-1)."""

from typing import Any

import pytest

from tests.support.told import told as prove

SAID: list[tuple[str, dict[str, Any]]] = [
    ("A cottage with three bedrooms and two bathrooms.", {"bedrooms": 3, "bathrooms": 2}),
    ("Ein Haus mit drei Schlafzimmern.", {"bedrooms": 3}),
    ("Une maison de trois chambres.", {"chambres": 3}),
    ("Casa con tre camere e due bagni.", {"camere": 3, "bagni": 2}),
    ("Twenty-three players.", {"players": 23}),
    ("Bake for half an hour.", {"bake_minutes": 30}),
    ("Backzeit: anderthalb Stunden", {"bake_minutes": 90}),
    ("Cuisson : 2 heures et demie", {"cook_minutes": 150}),
    ("调理: 两小时", {"cook_minutes": 120}),
    ("وقت الطهي: ساعتان", {"cook_minutes": 120}),
    ("الضمان: سنتان، وحمامان", {"warranty_years": 2}),
    ("Duration: two hours", {"duration_hours": 2}),
    ("A cottage that sleeps six.", {"sleeps": 6}),
    ("Backzeit: eine halbe Stunde", {"backzeit_minuten": 30}),
    ("Founded: 753 BC", {"founded": -753}),
    ("Gegründet: 753 v. Chr.", {"founded": -753}),
    ("Born in 100 and died in 44 до н. э.", {"died": -44}),
    ("Cast: MCMLXXXVII", {"cast": 1987}),
]
UNSAID: list[tuple[str, dict[str, Any]]] = [
    ("A cottage with three bedrooms and two bathrooms.", {"bedrooms": 2}),
    ("A cottage with three bedrooms and two bathrooms.", {"bathrooms": 3}),
    ("One of the best, in three parts.", {"rating": 3}),
    ("Tickets: £20 an hour, half an hour on foot.", {"duration_minutes": 60}),
    ("Casa con tre camere e due bagni.", {"camere": 2}),
    ("Founded: 753 BC", {"founded": 753}),
    ("Founded: AD 753", {"founded": -753}),
    ("以前2020年", {"founded": -2020}),
]


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(("text", "data"), SAID, ids=[text for text, _ in SAID])
def test_what_is_said_in_words_is_stated(text: str, data: dict[str, Any]) -> None:
    assert [entry.status for entry in prove(data, f"# Page\n\n{text}\n")] == ["normalized"] * len(data)


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(("text", "data"), UNSAID, ids=[text for text, _ in UNSAID])
def test_words_say_nothing_of_what_they_do_not_count(text: str, data: dict[str, Any]) -> None:
    assert [entry.status for entry in prove(data, f"# Page\n\n{text}\n")] == ["ungrounded"]
