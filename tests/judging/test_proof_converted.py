"""Measures in other units, lengths of time, and numbers whose scale stands further on."""

from typing import Any

import pytest

from tests.support.told import told as prove


def refused(data: Any, text: str) -> set[str]:
    return {entry.pointer for entry in prove(data, f"# Kubo\n\n{text}") if entry.status == "ungrounded"}


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
    assert found == ["normalized", "ungrounded", "ungrounded"]


@pytest.mark.req("PR-1")
@pytest.mark.parametrize("field", ["minutes", "length"])
def test_a_number_that_is_no_length_of_time_is_refused_however_large(field: str) -> None:
    assert refused({field: 3e306}, "It takes 1 h 30 min.") == {f"/{field}"}
