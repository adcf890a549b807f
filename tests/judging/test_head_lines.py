"""A day over its rows proves their dates, whatever its tag, and no other row's."""

import json

import pytest
from gleaner import Gleaner
from gleaner.testing import FunctionModel

DAYS = {"2024-07-05": "July 5, 2024", "2024-06-28": "June 28, 2024", "2024-06-21": "June 21, 2024"}
FORMS = {
    "a paragraph": "<p>{day}</p><table><tr><th>Number<th>Title{rows}</table>",
    "a box with a word more": "<div>Filed: {day}</div><table><tr><th>Number<th>Title{rows}</table>",
    "a caption": "<table><caption>{day}</caption><tr><th>Number<th>Title{rows}</table>",
    "a row over the rows": "<tr><td colspan=2>{day}{rows}",
}
NULLABLE = {"type": ["string", "null"]}
RECORD = {"type": "object", "properties": {"title": {"type": "string"}, "date": {**NULLABLE, "format": "date"}}}
SCHEMA = {"type": "array", "items": {**RECORD, "required": ["title"]}}


def dates_kept(form: str, given: list[str], tmp_path) -> list[str | None]:
    """Give the dates of nine rows that are left of those that a model gave."""
    titles = [f"Smith{at // 3}{at % 3} v. State" for at in range(9)]
    rows = ["".join(f"<tr><td>S-2{day}-{at}<td>{titles[3 * day + at]}" for at in range(3)) for day in range(3)]
    body = "".join(FORMS[form].format(day=day, rows=rows[at]) for at, day in enumerate(DAYS.values()))
    body = f"<table><tr><th>Number<th>Title{body}</table>" if form.startswith("a row") else body
    records = [{"title": title, "date": date} for title, date in zip(titles, given, strict=True)]
    with Gleaner(model=FunctionModel(lambda _: json.dumps(records)), home=tmp_path) as gleaner:
        result = gleaner.extract_html(f"<h1>Opinions</h1>{body}", "https://court.example/", output_schema=SCHEMA)
    assert result.extraction
    return [record["date"] for record in result.extraction.data]


@pytest.mark.req("PR-5")
@pytest.mark.parametrize("form", FORMS)
def test_a_day_over_its_rows_proves_their_dates(form: str, tmp_path) -> None:
    given = [date for date in DAYS for _ in range(3)]
    assert dates_kept(form, given, tmp_path) == given


@pytest.mark.req("PR-5")
@pytest.mark.parametrize("form", FORMS)
def test_a_day_over_other_rows_proves_none(form: str, tmp_path) -> None:
    first, second, third = DAYS
    given = [first, first, second, second, second, third, third, third, third]
    assert [at for at, date in enumerate(dates_kept(form, given, tmp_path)) if date is None] == [2, 5]
