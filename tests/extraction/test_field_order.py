"""Whatever way a schema comes in, a model is asked for the fields in the caller's order (SC-3)."""

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner, ModelAnswer
from gleaner.contracts.in_memory_table import MemoryTable
from gleaner.contracts.ports import JsonObject, ModelRequest
from gleaner.contracts.settings import load_settings
from gleaner.extraction.chunk_cache import cache_key
from gleaner.extraction.prompts import Question, build_request
from gleaner.jobs.batches import Batches, Politeness, parse_list
from gleaner.jobs.strategies import ExtractionCache, ExtractionStrategy
from gleaner.mcp.calls import call_tool
from gleaner.page.model import Part
from gleaner.schemas import provider_form, relax
from gleaner.service.events import start_scrape
from gleaner.service.gateway import Gateway
from gleaner.wiring import WiredServices
from pydantic import BaseModel

FIELDS = ["venue", "day", "act", "admission"]
"""In no order of letters, forwards or backwards."""


def schema_of(names: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}}


CONCERT = schema_of(FIELDS)


def order(schema: Any) -> list[str]:
    parsed = json.loads(schema) if isinstance(schema, str) else schema
    return list(parsed["properties"])


@pytest.mark.req("SC-3")
@pytest.mark.parametrize("provider", ["openai", "bedrock"])
@pytest.mark.parametrize("names", [FIELDS, FIELDS[::-1], sorted(FIELDS)])
def test_a_provider_is_sent_the_fields_in_the_callers_order(provider: Any, names: list[str]) -> None:
    form = provider_form(relax(schema_of(names)), provider)
    assert form is not None
    assert order(form) == names
    assert [name for name in names if name in form["required"]] == form["required"]


@pytest.mark.req("SC-3")
def test_fields_of_references_and_of_allof_stand_where_the_caller_reads_them() -> None:
    schema = {
        "$defs": {"Place": {"properties": {"town": {"type": "string"}, "street": {"type": "string"}}}},
        "type": "object",
        "properties": {"when": {"type": "string"}, "place": {"$ref": "#/$defs/Place"}},
        "allOf": [{"properties": {"price": {"type": "number"}, "band": {"type": "string"}}}],
    }
    relaxed = relax(schema)
    assert order(relaxed) == ["when", "place", "price", "band"]
    (place,) = (form for form in relaxed["properties"]["place"]["anyOf"] if form.get("type") == "object")
    assert order(place) == ["town", "street"]


@pytest.mark.req("SC-3", "EX-8")
def test_schemas_in_another_order_are_other_questions_to_a_model() -> None:
    one, other = schema_of(FIELDS), schema_of(FIELDS[::-1])
    assert one == other
    keys = {cache_key(Part("text", schema=schema), "m", "null") for schema in (one, other, dict(one))}
    assert len(keys) == 2
    prompts = [
        build_request(Question("text", schema=schema), max_output_tokens=9, timeout_s=9, nonce=lambda: "n").prompt
        for schema in (one, other)
    ]
    assert prompts[0] != prompts[1]


class _Starts:
    """Keeps what would start an execution."""

    def __init__(self) -> None:
        self.payloads: list[JsonObject] = []

    def start(self, machine: str, payload: JsonObject, name: str) -> None:
        self.payloads.append(payload)

    def steps(self, name: str) -> list[JsonObject]:
        return []


@pytest.fixture
def installation(tmp_path: Path) -> Any:
    services = WiredServices(load_settings({}, home=tmp_path))
    yield services, _Starts()
    services.close()


REQUEST = {"url": "https://concerts.example/", "output_schema": CONCERT}
WAYS: dict[str, Callable[[Gateway], object]] = {
    "the API": lambda gateway: gateway.start_scrape(json.loads(json.dumps(REQUEST))),
    "JSON text": lambda gateway: gateway.start_scrape({**REQUEST, "output_schema": json.dumps(CONCERT)}),
    "MCP": lambda gateway: call_tool(gateway, "scrape", json.loads(json.dumps(REQUEST)), 0),
    "an event": lambda gateway: start_scrape(
        {"detail-type": "ScrapeRequested", "id": "e1", "detail": REQUEST}, gateway.services, gateway.starter
    ),
}


@pytest.mark.req("SC-3", "WF-1")
@pytest.mark.parametrize("way", WAYS)
def test_an_execution_is_given_the_schema_as_text_which_nothing_reorders(installation: Any, way: str) -> None:
    services, starts = installation
    WAYS[way](Gateway(services, starts))
    (payload,) = starts.payloads
    sent = payload["request"]["output_schema"]  # type: ignore[index,call-overload]
    assert isinstance(sent, str)
    assert order(sent) == FIELDS


@pytest.mark.req("SC-3", "WF-2")
def test_each_page_of_a_batch_is_given_the_schema_as_text(installation: Any) -> None:
    services, _ = installation
    listed = parse_list(b"https://concerts.example/1\nhttps://concerts.example/2", defaults={"output_schema": CONCERT})
    batches = Batches(services.table, services.blobs, "default")
    (lane,) = batches.prepare("b1", listed, Politeness())["lanes"]  # type: ignore[misc,union-attr]
    items = json.loads(services.blobs.read(lane["key"]))  # type: ignore[index,call-overload]
    assert [order(item["request"]["output_schema"]) for item in items] == [FIELDS, FIELDS]


@pytest.mark.req("SC-3")
def test_a_schema_that_is_too_long_as_text_goes_on_as_an_object(installation: Any) -> None:
    services, starts = installation
    long = {"properties": {f'"{number}"': {} for number in range(15_000)}}
    Gateway(services, starts).start_scrape({"url": "https://concerts.example/", "output_schema": long})
    assert starts.payloads[0]["request"]["output_schema"] == long  # type: ignore[index,call-overload]


class Concert(BaseModel):
    """Its fields in FIELDS' order."""

    venue: str | None = None
    day: str | None = None
    act: str | None = None
    admission: str | None = None


class _Listener:
    """A model that keeps the order it was asked in, in the schema and in the prompt."""

    name = "own:listener"

    def __init__(self) -> None:
        self.orders: list[list[str]] = []
        self.prompted: list[list[str]] = []
        self._lock = threading.Lock()

    def answer(self, request: ModelRequest) -> ModelAnswer:
        assert request.schema is not None
        data: Any = request.schema["properties"]
        shown = next(line for line in request.prompt.splitlines() if line.startswith("{"))
        with self._lock:
            self.orders.append(order(data["data"]))
            self.prompted.append(order(shown))
        return ModelAnswer('{"data": {"venue": "Old Mill", "day": "Friday", "act": "Wren", "admission": "free"}}')


PAGE = "<h1>Wren</h1><p>Friday at the Old Mill, admission free.</p>"


@pytest.mark.req("SC-3", "LB-1", "ST-2")
@pytest.mark.parametrize("given", [CONCERT, json.dumps(CONCERT), Concert], ids=["object", "text", "class"])
def test_a_model_is_asked_in_the_callers_order_also_when_the_strategy_is_used_again(given: Any, tmp_path: Path) -> None:
    model = _Listener()
    only_model = {"tiers": ["model"]}
    with Gleaner(model, home=tmp_path) as gleaner:
        first = gleaner.extract_html(PAGE, "https://concerts.example/1", output_schema=given, config=only_model)
        assert first.extraction is not None
        again = {"extraction_id": first.extraction.extraction_id, "config": only_model}
        gleaner.extract_html(PAGE.replace("Friday", "Monday"), "https://concerts.example/2", **again)
    assert model.orders == model.prompted == [FIELDS] * len(model.orders)
    assert len(model.orders) >= 2


@pytest.mark.req("SC-3", "ST-1")
def test_a_strategy_keeps_its_id_in_any_order_and_the_order_it_was_given_last() -> None:
    cache = ExtractionCache(MemoryTable())
    ids = set()
    for names in (FIELDS, FIELDS[::-1]):
        strategy = ExtractionStrategy(url_pattern="https://concerts.example/*", output_schema=schema_of(names))
        ids.add(cache.register(strategy))
        (known,) = cache.find_matching("https://concerts.example/1")
        assert order(known.output_schema) == names
    assert len(ids) == 1
