"""The library as Python people write it: classes in, instances out; in a running loop; with a function as the model."""

import asyncio
import inspect
import json
import logging
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, TypedDict, get_type_hints

import pytest
from gleaner import AsyncGleaner, Gleaner
from gleaner.contracts.errors import GleanerError, InvalidRequest, InvalidSettings, NoData, NotFound, error_classes
from gleaner.contracts.models import (
    Budget,
    ExtractionConfig,
    ExtractionRetryConfig,
    Follow,
    ScrapeRequest,
    ScrapeResult,
)
from gleaner.contracts.settings import GROUPS, Settings
from gleaner.jobs.site_maps import CrawlOrder, MapOrder
from gleaner.library import options
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer
from pydantic import AfterValidator, BaseModel

ROOT = Path(__file__).parents[2]
Make = Callable[..., Gleaner]
URL = "https://shop.example/mugs"


class Mug(BaseModel):
    """One mug of the shop."""

    name: str
    price: float


@dataclass
class PlainMug:
    """The same as a dataclass."""

    name: str
    price: float


class MugDict(TypedDict):
    """The same as a TypedDict."""

    name: str
    price: float


MUGS = (("Tidal mug", 18.5), ("Slate mug", 21.0), ("Kiln mug", 9.75))


def listing(mugs: Any = MUGS) -> str:
    cards = "".join(f"<li class=mug><b>{name}</b> <span>${price:.2f}</span></li>" for name, price in mugs)
    return f"<h1>Mugs</h1><ul>{cards}</ul>"


def one_page(name: str = "Tidal mug", price: float = 18.5) -> str:
    return f"<h1>{name}</h1><p>It was thrown by hand, and costs ${price:.2f} with us.</p>"


def shopkeeper(prompt: str) -> str:
    """Answer from what the prompt shows, as a list or as one object, whichever its schema asks for."""
    shown = prompt.rpartition("<<<PAGE")[2]
    found = [{"name": name, "price": float(price)} for name, price in re.findall(r"(\w+ mug)\W[^$]*\$([\d.]+)", shown)]
    return json.dumps(found if '"type": "array"' in prompt else (found or [None])[0])


class Shop(LoopbackServer):
    """A page a path, which counts its visitors."""

    def __init__(self) -> None:
        self.visits: list[str] = []
        super().__init__(_ShopHandler)


class _ShopHandler(LoopbackHandler):
    owner: Shop

    def do_GET(self) -> None:
        if self.path.startswith("/mug-"):
            self.owner.visits.append(self.path)
            number = int(self.path.removeprefix("/mug-"))
            self.answer(200, "text/html", one_page(f"Mug{number} mug", 10 + number).encode())
        else:
            self.answer(404, "text/plain", b"")


@pytest.fixture
def shop() -> Iterator[Shop]:
    with Shop() as served:
        yield served


@pytest.mark.req("LB-4")
@pytest.mark.parametrize("kind", [Mug, PlainMug, MugDict])
def test_a_class_gives_instances_of_it(make: Make, kind: Any) -> None:
    gleaner = make(shopkeeper)
    listed = gleaner.extract_html(listing(), URL, output_schema=list[kind])
    single = gleaner.extract_html(one_page(), f"{URL}/tidal", output_schema=kind)
    expected = [kind(name=name, price=price) for name, price in MUGS]
    assert (listed.status, listed.data) == ("complete", expected)
    assert single.data == expected[0]
    assert listed.extraction is not None
    assert listed.extraction.data[0] == {"name": "Tidal mug", "price": 18.5}


@pytest.mark.req("LB-4")
def test_what_a_page_does_not_hold_is_an_error_that_says_why_and_never_a_none_of_the_wrong_type(make: Make) -> None:
    result = make().extract_html("<p>Closed today.</p>", URL, output_schema=Mug)
    with pytest.raises(NoData, match="no model is configured"):
        _ = result.data
    assert make().extract_html("<p>Closed today.</p>", URL, output_schema=list[Mug]).data == []
    assert make().extract_html(one_page(), URL).data is None


def _at_least_ten(price: float) -> float:
    if price < 10:
        raise ValueError("too cheap")
    return price


class DearMug(BaseModel):
    """A mug with a rule that no JSON Schema can say."""

    name: str
    price: Annotated[float, AfterValidator(_at_least_ten)]


@pytest.mark.req("LB-4")
def test_a_record_that_the_class_refuses_makes_the_result_partial_and_is_named(
    make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, logger="gleaner"):
        result = make(shopkeeper).extract_html(listing(), URL, output_schema=list[DearMug])
    assert [mug.name for mug in result.data] == ["Tidal mug", "Slate mug"]
    assert result.status == "partial"
    assert result.warnings[-1] == "record 2 of the data is left out: /price (9.75): Value error, too cheap"
    assert len(result.records) == 3
    assert "partial" in caplog.records[-1].getMessage()


@pytest.mark.req("LB-4")
def test_a_schema_that_is_nested_too_deeply_is_refused(make: Make) -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(2000):
        schema = {"type": "object", "properties": {"a": schema}}
    with pytest.raises(InvalidRequest, match="output_schema: it is nested too deeply"):
        make().extract_html(one_page(), URL, output_schema=schema)


@pytest.mark.req("LB-4", "LB-2")
def test_a_function_is_a_model_and_so_is_a_coroutine_function(make: Make) -> None:
    async def slow(prompt: str) -> str:
        await asyncio.sleep(0)
        return shopkeeper(prompt)

    for model in (shopkeeper, slow):
        result = make(model).extract_html(listing(), URL, output_schema=list[Mug], config={"tiers": ["model"]})
        assert len(result.data) == 3
    with pytest.raises(InvalidSettings, match="a function, or an object with answer"):
        Gleaner(3)  # type: ignore[call-overload]


@pytest.mark.req("LB-4")
def test_every_field_and_every_setting_is_a_named_keyword() -> None:
    fields = set(ScrapeRequest.model_fields)
    for method in (Gleaner.scrape, AsyncGleaner.scrape):
        assert fields <= set(inspect.signature(method).parameters)
    assert fields - {"url", "output_schema"} == set(get_type_hints(options.RequestOptions))
    for model, shown in (
        (ExtractionConfig, options.ConfigOptions), (Budget, options.BudgetOptions), (Follow, options.FollowOptions),
        (ExtractionRetryConfig, options.RetryOptions),
    ):  # fmt: skip
        assert set(model.model_fields) == set(get_type_hints(shown))
    assert set(MapOrder.model_fields) - {"url"} == set(get_type_hints(options.MapOptions))
    assert set(CrawlOrder.model_fields) - {"url", "request"} == set(get_type_hints(options.CrawlOrderOptions))
    settings = set(get_type_hints(options.SettingOptions))
    own = {name for group in GROUPS.values() for name in group.model_fields}
    assert set(Settings.model_fields) - {"home", "model"} <= settings <= set(Settings.model_fields) | own
    for group, shown in zip(GROUPS.values(), ("Browser", "Scrape", "Limit", "Model"), strict=True):
        assert set(group.model_fields) == set(get_type_hints(getattr(options, f"{shown}Options")))


@pytest.mark.req("LB-4")
def test_a_misspelt_field_is_refused_with_the_one_that_was_meant(make: Make) -> None:
    with pytest.raises(InvalidRequest, match=r"css_selektor: unknown field; did you mean css_selector\?"):
        make().scrape(URL, css_selektor="main")  # type: ignore[call-overload]
    with pytest.raises(InvalidRequest, match=r"deadline_s: unknown field; did you mean budget\.deadline_s\?"):
        make().scrape(URL, deadline_s=3)  # type: ignore[call-overload]
    with pytest.raises(InvalidRequest, match=r"max_page: unknown field; did you mean max_pages\?"):
        make().crawl(URL, max_page=3)  # type: ignore[call-overload]


SCRIPT = """
import asyncio
from pydantic import BaseModel
from gleaner import AsyncGleaner, Gleaner, GleanerError, ScrapeResult

class Product(BaseModel):
    name: str
    price: float

def model(prompt: str) -> str:
    return prompt

def read(url: str) -> list[str]:
    with Gleaner(model, allow_hosts=["127.0.0.1:80"], max_page_size=1000) as gleaner:
        try:
            one: ScrapeResult[Product] = gleaner.scrape(url, output_schema=Product).raise_for_status()
        except GleanerError as error:
            return [error.message]
        many = gleaner.scrape(url, output_schema=list[Product], query="all", config={"max_retries_per_chunk": 1})
        pages = gleaner.batch([url], output_schema=Product, per_host=1)
        total: float = one.data.price + sum(product.price for product in many.data)
        plain = gleaner.scrape(url, output_schema={"title": "string"})
        return [str(total), str(plain.data), *(page.data.name for page in pages)]

async def read_async(url: str) -> float:
    async with AsyncGleaner("ollama:qwen3") as gleaner:
        result = await gleaner.scrape(url, output_schema=list[Product])
        async for page in gleaner.batch([url], output_schema=Product):
            print(page.data.price)
        return result.data[0].price

asyncio.run(read_async(read("https://shop.example")[0]))
"""
WRONG = (
    "gleaner.scrape(url, css_selektor='main')",
    "gleaner.scrape(url, format='pdf')",
    "gleaner.scrape(url, config={'max_retry': 1})",
    "gleaner.scrape(url, output_schema=Product).data.prize",
    "Gleaner(model, max_page_sise=3)",
    "gleaner.batch([url], output_schema=list[Product])[0].data.name",
)


@pytest.mark.req("LB-4")
def test_a_strict_type_checker_accepts_a_users_script_and_refuses_what_is_misspelt(tmp_path: Path) -> None:
    lines = "".join(f"    {code}\n" for code in WRONG)
    wrong = SCRIPT.partition("def read(")[0] + f"def wrong(gleaner: Gleaner, url: str) -> None:\n{lines}"
    for name, text in (("right.py", SCRIPT), ("wrong.py", wrong)):
        (tmp_path / name).write_text(text)
    config = {"typeCheckingMode": "strict", "venvPath": str(ROOT), "venv": ".venv", "reportUnusedExpression": False}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(config))
    command = [str(Path(sys.executable).parent / "pyright"), "--outputjson", "-p", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    errors = [one for one in json.loads(done.stdout)["generalDiagnostics"] if one["severity"] == "error"]
    assert [one["message"] for one in errors if one["file"].endswith("right.py")] == []
    refused = {one["range"]["start"]["line"] for one in errors if one["file"].endswith("wrong.py")}
    assert [code for at, code in enumerate(wrong.splitlines()) if code.strip() in WRONG and at not in refused] == []


@pytest.mark.req("LB-4", "WF-2")
def test_a_batch_gives_typed_results_in_order_and_fetches_no_page_twice(make: Make, shop: Shop) -> None:
    urls = [f"{shop.url}/mug-{number}" for number in (3, 1, 3, 2)]
    told: list[str] = []
    gleaner = make(shopkeeper, allow_hosts=[shop.host])
    found = gleaner.batch(
        [urls[0], {"url": urls[1]}, *urls[2:]], output_schema=Mug, enable_javascript=False, ignore_robots=True,
        on_result=lambda result: told.append(result.data.name),
    )  # fmt: skip
    assert [result.data.price for result in found] == [13, 11, 13, 12]
    assert sorted(told) == ["Mug1 mug", "Mug2 mug", "Mug3 mug"]
    assert {shop.visits.count(f"/mug-{number}") for number in (1, 2, 3)} <= {1, 2}  # a look, and the fetch
    with pytest.raises(InvalidRequest, match=r"page 2 of the batch: .*not a url"):
        gleaner.batch([urls[0], "not a url"])


@pytest.mark.req("LB-5")
def test_the_same_methods_work_in_a_running_loop_with_progress(tmp_path: Path, shop: Shop) -> None:
    steps: list[str] = []

    async def work() -> tuple[Any, list[float], list[str]]:
        def note(function: str, phase: str, payload: Any) -> None:
            del payload
            assert asyncio.get_running_loop()
            steps.append(f"{function} {phase}")

        async with AsyncGleaner(shopkeeper, tmp_path, on_step=note, allow_hosts=[shop.host]) as gleaner:
            pair = await asyncio.gather(
                *(gleaner.extract_html(listing(), f"{URL}/{at}", output_schema=list[Mug]) for at in range(2))
            )
            urls = [f"{shop.url}/mug-{number}" for number in (1, 2)]
            batch = gleaner.batch(urls, output_schema=Mug, enable_javascript=False, ignore_robots=True)
            prices = [page.data.price async for page in batch]
            whole = await gleaner.batch(urls, output_schema=Mug, enable_javascript=False, ignore_robots=True)
            with pytest.raises(NotFound):
                await gleaner.extraction("nobody")
            return pair, prices, [page.data.name for page in whole]

    pair, prices, names = asyncio.run(work())
    assert [len(result.data) for result in pair] == [3, 3]
    assert (sorted(prices), names) == ([11, 12], ["Mug1 mug", "Mug2 mug"])
    assert "aggregate_results succeeded" in steps


@pytest.mark.req("LB-5")
def test_a_batch_tells_its_steps_in_the_loop_that_awaits_it(tmp_path: Path, shop: Shop) -> None:
    steps: list[str] = []

    async def work() -> None:
        gleaner = AsyncGleaner(
            shopkeeper, tmp_path, on_step=lambda function, phase, _: steps.append(f"{function} {phase}"),
            allow_hosts=[shop.host],
        )  # fmt: skip
        await gleaner.batch([f"{shop.url}/mug-1"], output_schema=Mug, enable_javascript=False, ignore_robots=True)
        await gleaner.close()

    asyncio.run(work())
    assert "aggregate_results succeeded" in steps


@pytest.mark.req("LB-5")
def test_results_are_logged_under_the_name_of_the_package(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="gleaner"):
        make(shopkeeper).extract_html(listing(), URL, output_schema=list[Mug])
        make().extract_html(one_page(), URL, output_schema=Mug)
    lines = [(record.levelname, record.getMessage()) for record in caplog.records if record.name == "gleaner"]
    assert lines[0] == ("INFO", f"{URL} complete, 3 records, 1 model calls")
    assert lines[1][0] == "WARNING"
    assert "no model is configured" in lines[1][1]


@pytest.mark.req("LB-4")
def test_records_become_a_table_of_pandas_where_it_is_installed(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    result = make(shopkeeper).extract_html(
        listing(), URL, output_schema={"mugs": [{"name": "string", "price": "number"}]}
    )
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        result.to_pandas()
    pandas: Any = ModuleType("pandas")
    pandas.DataFrame = list
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    assert result.to_pandas() == result.records


@pytest.mark.req("LB-4")
def test_a_failed_result_raises_an_error_of_the_one_tree() -> None:
    for name, kind in error_classes().items():
        assert issubclass(kind, GleanerError), name
    error = {"error_type": "unreachable_host", "message": "nobody is there"}
    failed = ScrapeResult[Any].model_validate({"status": "failed", "job_id": "j", "error": error})
    with pytest.raises(error_classes()["UnreachableHost"], match="nobody is there"):
        failed.raise_for_status()
