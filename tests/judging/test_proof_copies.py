"""Texts of a page about one thing that are another field's: its heading, and what stands behind that field's label."""

import pytest
from gleaner.judging.judge import judge as prove

RELEASE = "# Rubrum\n\nA tool by Ines Okafor, Lisbon.\n\nLicence: MPL"
TABLE = "# Waterlicht\n\n| Sector | Installatie |\n| --- | --- |\n| Directie | Femke Dijkstra |"
SHOP = "# Acme\n\nWelcome to Acme.\n\nBrand: Acme\n\nSeller: Bo Lund"


def unproven(data: dict[str, str], text: str) -> set[str]:
    return {entry.pointer[1:] for entry in prove(data, text) if entry.status == "ungrounded"}


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize(
    ("text", "truth", "lies"),
    [
        (RELEASE, {"name": "Rubrum", "author": "Ines Okafor", "city": "Lisbon"}, {"author": "Rubrum"}),
        (RELEASE, {"name": "Rubrum", "author": "Ines Okafor", "city": "Lisbon"}, {"name": "Lisbon"}),
        (RELEASE, {"titel": "Rubrum", "autor": "Ines Okafor"}, {"titel": "Ines Okafor", "autor": "Rubrum"}),
        (TABLE, {"naam": "Waterlicht", "sector": "Installatie", "leider": "Femke Dijkstra"}, {"leider": "Installatie"}),
    ],
)
def test_a_text_that_is_surely_another_fields_is_refused(
    text: str, truth: dict[str, str], lies: dict[str, str]
) -> None:
    assert unproven(truth, text) == set()
    assert unproven({**truth, **lies}, text) == {*lies}


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("text", "data"),
    [
        (SHOP, {"name": "Acme", "brand": "Acme", "company": "Acme"}),
        (SHOP, {"name": "Acme", "manufacturer": "Acme"}),
        ("# Welcome\n\nAcme, Oslo", {"name": "Acme", "city": "Oslo"}),
        ("# Ada's blog\n\n## On lakes\n\nby Ada Lund", {"title": "On lakes", "author": "Ada Lund"}),
        ("# Ada Lund\n\n## On lakes\n\nTen lakes.", {"title": "On lakes", "author": "Ada Lund"}),
        ("# Oslo\n\nTown: Oslo", {"name": "Oslo", "town_name": "Oslo", "capital": "Oslo"}),
        ("# Weezer\n\nAn album by Weezer", {"title": "Weezer", "artist": "Weezer"}),
    ],
)
def test_a_text_that_two_fields_may_share_is_left_alone(text: str, data: dict[str, str]) -> None:
    assert unproven(data, text) == set()
