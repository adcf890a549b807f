"""The command, the HTTP API and aggregates say what the result says, to its owner alone."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gleaner.cli import run

from tests.promises.lamps import FORTY, LAMPS, MODEL_ALONE, giving, page_of
from tests.promises.servers import Answer, Pages
from tests.support.asking import Make

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def site() -> Iterator[Pages]:
    """A listing of two pages, of which nothing needs a model."""
    with Pages() as server:
        for number in (1, 2):
            html = page_of(FORTY[number * 10 - 10 : number * 10]).replace("What", "Name")
            html = html.replace("By whom", "Maker").replace("How much", "Price")
            links = "".join(f'<a href="/list?page={one}">{one}</a> ' for one in (1, 2))
            server.page(f"/list?page={number}", f"{html}<nav>{links}</nav>")
        yield server


def scraped(site: Pages, home: Path, *options: str) -> int:
    """Run ``gleaner scrape`` on the listing; give its exit code."""
    schema = ["--schema", json.dumps(LAMPS), "--follow", "5", "--no-javascript"]
    return run(["scrape", f"{site.url}/list?page=1", *schema, "--allow-host", site.host, "--home", str(home), *options])


@pytest.mark.req("CL-1", "FP-1")
@pytest.mark.parametrize("is_lost", [False, True])
def test_the_command_ends_with_a_code_of_its_own_when_something_is_missing(
    site: Pages, tmp_path: Path, capsys: Captured, is_lost: bool
) -> None:
    if is_lost:
        site.answers["/list?page=2"] = Answer(status=500)
    assert scraped(site, tmp_path, "--json") == (3 if is_lost else 0)
    result = json.loads(capsys.readouterr().out)
    assert result["status"] == ("partial" if is_lost else "complete")
    assert result["extraction"]["data"] == FORTY[: 10 if is_lost else 20]
    assert ["page 2" in error["message"] for error in result["extraction"]["errors"]] == ([True] if is_lost else [])


@pytest.mark.req("CL-1", "AG-1")
def test_a_text_of_a_page_is_no_formula_in_a_table_of_cells(site: Pages, tmp_path: Path) -> None:
    formula = "=HYPERLINK(A1)"
    answer = site.answers["/list?page=1"]
    site.answers["/list?page=1"] = Answer(answer.body.replace(b"Arden", formula.encode()))
    assert scraped(site, tmp_path, "--output", str(tmp_path / "lamps.csv")) == 0
    with (tmp_path / "lamps.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["maker"] == f"'{formula}"
    assert [row["maker"] for row in rows[1:]] == [one["maker"] for one in FORTY[1:20]]


@pytest.mark.req("AG-1", "ST-2")
def test_a_page_that_is_read_twice_counts_once(make: Make) -> None:
    gleaner = make(giving(FORTY))
    asked: dict[str, Any] = {"output_schema": LAMPS, "config": MODEL_ALONE, "extraction_id": "lamps"}
    for number in (1, 2, 2, 1):
        html = page_of(FORTY[number * 10 - 10 : number * 10])
        result = gleaner.extract_html(html, f"https://shop.example/lamps?page={number}", **asked)
    assert result.extraction is not None
    assert result.extraction.aggregate_summary == "20 unique records from 2 pages"
    assert gleaner.extraction("lamps").summary == "20 unique records from 2 pages"
