"""A layout is paid for once: by whatever URL its pages come, and when many of them come at once."""

import threading
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.contracts.models import ScrapeResult
from gleaner.local.engine import scaled_retry_waits
from gleaner.testing import ScriptedModel, ScriptedModelServer, TrueRecord
from gleaner.tiers import cascade as tiers
from gleaner.tiers.single_flight import take_turn
from gleaner.tiers.work import Work

from tests.support.schemas import INTEGER, TEXT, records_of

SCHEMA = records_of(plant=TEXT, height=INTEGER)
PLANTS = ("Larch", "Gorse", "Fir", "Rowan", "Hazel", "Sedge", "Thrift", "Yarrow", "Alder", "Broom", "Clover", "Dock")


def rows(page: int) -> list[tuple[str, int]]:
    return [(f"{name} of bed {page}", 10 + (7 * at + 3 * page) % 80) for at, name in enumerate(PLANTS)]


def html(page: int, *, is_plain: bool = False) -> str:
    if is_plain:
        said = ", then ".join(f"{name} with {height} of them" for name, height in rows(page))
        return f"<h1>Bed</h1><p>We planted {said}.</p>"
    cards = "".join(
        f"<li><b>{name}</b> grows to <span class=size>{height}</span> centimetres</li>" for name, height in rows(page)
    )
    return f"<h1>Bed</h1><ul class=bed>{cards}</ul>"


def gardener() -> ScriptedModel:
    truth = [TrueRecord({"plant": name, "height": height}, (name,)) for at in range(9) for name, height in rows(at)]
    return ScriptedModel(truth)


def ask(gleaner: Gleaner, page: int, path: str, schema: Any = SCHEMA, **options: Any) -> ScrapeResult:
    config = {"tiers": ["recipe", "model"]}
    made = html(page, **options)
    return gleaner.extract_html(made, f"https://garden.example{path}", output_schema=schema, config=config)


def told(result: ScrapeResult) -> tuple[str, list[tuple[str, int]]]:
    assert result.extraction is not None
    data: Any = result.extraction.data
    return result.extraction.tier, [(one["plant"], one["height"]) for one in data]


@contextmanager
def slow(model: ScriptedModel, home: Path, **options: Any) -> Generator[Gleaner]:
    """Give an installation whose model takes its time to answer."""
    with (
        ScriptedModelServer(model, latency_s=0.5) as server,
        Gleaner("openai:scripted", home, openai_base_url=server.openai_base_url, **options) as gleaner,
    ):
        yield gleaner


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    with scaled_retry_waits(0.02):
        yield tmp_path / "home"


@pytest.mark.req("RC-2", "ST-2")
@pytest.mark.parametrize(
    "paths",
    [
        ("/beds/red-gate", "/beds/old-wall", "/beds/pond"),
        ("/red-gate", "/old-wall", "/pond-side/"),
        ("/beds/north/first", "/beds/south/second", "/meadow"),
    ],
)
def test_pages_whose_addresses_are_words_share_a_recipe(home: Path, paths: tuple[str, ...]) -> None:
    model = gardener()
    with Gleaner(model, home) as gleaner:
        found = [told(ask(gleaner, at, path)) for at, path in enumerate(paths)]
    assert [tier for tier, _ in found] == ["model", "recipe", "recipe"]
    assert [data for _, data in found] == [rows(at) for at in range(3)]
    assert len(model.requests) == 1


@pytest.mark.req("RC-2", "ST-2")
def test_a_recipe_is_not_used_for_another_question_or_another_site(home: Path) -> None:
    model = gardener()
    other = {**SCHEMA, "title": "Trees"}
    with Gleaner(model, home) as gleaner:
        ask(gleaner, 0, "/beds/red-gate")
        asked = ask(gleaner, 1, "/beds/old-wall", other)
        config = {"tiers": ["recipe", "model"]}
        away = gleaner.extract_html(html(2), "https://other.example/beds/pond", output_schema=SCHEMA, config=config)
    assert told(asked)[0] == "model"
    assert told(away)[0] == "model"


@pytest.mark.req("RC-2", "EX-6")
@pytest.mark.timeout(300)
def test_of_many_pages_of_a_layout_that_come_at_once_one_asks_the_model(home: Path) -> None:
    model = gardener()
    start = threading.Barrier(8)

    def work(at: int) -> ScrapeResult:
        start.wait()
        return ask(gleaner, at, f"/beds/{PLANTS[at].lower()}")

    phases: set[str] = set()

    def note(_function: str, phase: str, _payload: Any) -> None:
        phases.add(phase)

    waits = scaled_retry_waits(0.2)  # a job waits so many times only: on a loaded machine the first one takes seconds
    with waits, slow(model, home, on_step=note) as gleaner, ThreadPoolExecutor(8) as pool:
        found = [told(result) for result in pool.map(work, range(8))]
    assert [data for _, data in found] == [rows(at) for at in range(8)]
    assert sorted(tier for tier, _ in found) == ["model", *["recipe"] * 7]
    assert len(model.requests) == 1
    assert phases == {"started", "waiting", "succeeded"}


@pytest.mark.req("RC-2", "EX-6")
def test_a_recipe_that_came_while_a_page_was_looked_at_answers_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = gardener()
    with Gleaner(model, home) as gleaner, Gleaner(model, home) as other:

        def take_turn_late(work: Work) -> None:
            monkeypatch.setattr(tiers, "take_turn", take_turn)
            assert told(ask(other, 1, "/beds/pond"))[0] == "model"
            take_turn(work)

        monkeypatch.setattr(tiers, "take_turn", take_turn_late)
        found = told(ask(gleaner, 0, "/beds/red-gate"))
        after = told(ask(gleaner, 2, "/beds/old-wall"))
    assert found == ("recipe", rows(0))
    assert after == ("recipe", rows(2))
    assert len(model.requests) == 1


@pytest.mark.req("RC-2", "EX-6")
@pytest.mark.timeout(300)
def test_pages_of_a_layout_that_no_recipe_fits_do_not_wait_for_ever(home: Path) -> None:
    def work(at: int) -> ScrapeResult:
        return ask(gleaner, at, f"/notes/{PLANTS[at]}", is_plain=True)

    with slow(gardener(), home) as gleaner, ThreadPoolExecutor(6) as pool:
        results = list(pool.map(work, range(6)))
    assert {result.status for result in results} <= {"complete", "partial"}
    assert all(sorted(told(result)[1]) == sorted(rows(at)) for at, result in enumerate(results))
