"""The table of docs/costs.md is the one that the prices give, and what a page uses is what it is seen to use."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from gleaner.budget.prices import Price
from gleaner.steps.closing import measures_of

ROOT = Path(__file__).parents[2]


def load(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def model() -> ModuleType:
    return load("scripts/write_cost_table.py")


def test_the_table_of_costs_is_what_the_prices_give() -> None:
    program = ROOT / "scripts/write_cost_table.py"
    assert subprocess.run([sys.executable, program, "--check"], check=False).returncode == 0


def test_every_price_says_of_what_it_is_and_where_it_is_from() -> None:
    stored = json.loads((ROOT / "scripts/list_prices.json").read_text("utf-8"))
    for name, price in stored["prices"].items():
        assert price["usd"] > 0, name
        assert price["of"], name
        assert price["source"].startswith("https://aws.amazon.com/"), name
    assert stored["as_of"]


def test_a_thousand_pages_cost_what_a_hand_sums_up(model: ModuleType) -> None:
    prices = dict.fromkeys(model.list_prices(), 0.0)
    column = model.monthly(1_000, {**prices, "state_transition": 0.001, "table_write_unit": 0.01}, Price(1, 5))
    assert column["Step Functions"] == pytest.approx(1_000 * 11 * 0.001 + 50 * 2 * 0.001)
    assert column["DynamoDB"] == pytest.approx(1_000 * 37 * 0.01 + 50 * 7 * 0.01)
    assert column["the model"] == pytest.approx(50 * (9_000 * 1 + 2_500 * 5) / 1_000_000)
    assert column["Lambda"] == column["S3"] == column["CloudWatch"] == 0


def test_nothing_is_paid_for_pages_that_there_are_not(model: ModuleType) -> None:
    column = model.monthly(0, model.list_prices(), Price(1, 5))
    assert {name for name, usd in column.items() if usd} == {"CloudWatch"}


def path_of_a_page(machine: Any) -> list[str]:
    """Give the states of a rendered page that needs no model, as the defaults of the choices lead."""
    name, taken = machine["StartAt"], []
    while name:
        taken.append(name)
        state = machine["States"][name]
        name = state.get("Next") or state.get("Default")
    return taken


def test_transitions_are_the_states_that_a_page_goes_through(model: ModuleType) -> None:
    machine = json.loads((ROOT / "statemachine/scrape_page.asl.json").read_text("utf-8"))
    assert len(path_of_a_page(machine)) == model.TRANSITIONS
    asked = machine["States"]["ExtractChunks"]["ItemProcessor"]
    assert len(["ExtractChunks", asked["StartAt"]]) == model.ASKED_TRANSITIONS


def test_alarms_and_metrics_are_as_many_as_there_are(model: ModuleType, stack: Any) -> None:
    from gleaner.contracts.models import ExtractionResult, ScrapeResult

    kinds = [entry["Type"] for entry in stack.resources.values() if "Condition" not in entry]
    assert kinds.count("AWS::CloudWatch::Alarm") == model.ALARMS
    assert kinds.count("AWS::CloudWatch::Dashboard") == model.DASHBOARDS
    sent = measures_of(ScrapeResult(status="complete", job_id="a", extraction=ExtractionResult()))
    assert len(sent) == model.METRICS


def test_reads_of_a_wait_are_the_looks_that_it_takes(model: ModuleType) -> None:
    from gleaner.service.gateway import pauses_within

    clock = [0.0]
    looks = 1
    for pause in pauses_within(6, lambda: clock[0]):
        clock[0] += pause
        looks += 1
    assert looks == model.WAIT_READS


def test_memory_is_that_of_the_template(model: ModuleType, stack: Any) -> None:
    shared = stack.template["Globals"]["Function"]["MemorySize"]
    seconds = {"plan_scrape": 0.15, "probe_media": 0.6, "render_page": 4.0, "chunk_page": 0.6, "aggregate_results": 0.6}
    for function, one in seconds.items():
        gigabytes = stack.functions()[function].get("MemorySize", shared) / 1024
        assert model.GB_SECONDS[function] == pytest.approx(gigabytes * one), function


def test_calls_of_table_and_bucket_are_those_that_a_page_makes(model: ModuleType) -> None:
    usage = load("benchmarks/page_usage.py")
    found = usage.measure()
    page, asked = found[usage.REPLAYED], found[usage.MODELLED]
    assert page["invocations"] + 2 == model.INVOCATIONS  # and the API with its authorizer
    assert asked["invocations"] - page["invocations"] == model.ASKED_INVOCATIONS
    for name, constant in (
        ("table_writes", model.TABLE_WRITES), ("table_reads", model.TABLE_READS), ("puts", model.PUTS),
        ("gets", model.GETS),
    ):  # fmt: skip
        assert page[name] == pytest.approx(constant, rel=0.25), (
            f"measure again: python benchmarks/page_usage.py ({name})"
        )
