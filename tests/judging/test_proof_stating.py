"""Values that a text states otherwise than it writes them: names of persons with the last name first."""

import pytest

from tests.support.told import told as prove


def status(field: str, value: str, text: str) -> str:
    schema = {"type": "object", "properties": {field: {"type": "string"}}}
    return prove({field: value}, f"# Some titles\n\n{text}", schema=schema)[0].status


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(
    "text",
    [
        "Roe, Anna",
        "by Roe, Anna; Li, Wei",
        "**Roe, Anna**: Tales",
        "Li, Wei and Roe, Anna",
        "Roe, Anna (1990)",
        "| Roe, Anna | 7 |",
    ],
)
def test_a_name_with_the_last_name_first_is_stated(text: str) -> None:
    assert {status(field, "Anna Roe", text) for field in ("author", "founder")} == {"normalized"}
    assert status("author", "Anna Lind", text) == "ungrounded"


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("author", "Anna Roe", "Tom Roe, Anna Li"),
        ("author", "Li Roe", "Roe, Anna; Li, Wei"),
        ("author", "Ada Oslo", "Born in Oslo, Ada moved"),
        ("colour", "red big", "big, red"),
    ],
)
def test_words_around_a_comma_are_no_name(field: str, value: str, text: str) -> None:
    assert status(field, value, text) == "ungrounded"
