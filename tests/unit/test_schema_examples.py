"""What a caller plainly means by a schema: an example, a class, a keyword spelt wrong (SC-7)."""

import dataclasses
import datetime as dt
import json
from pathlib import Path
from typing import Any, NotRequired, TypedDict

import pytest
from aws_lambda_powertools.event_handler.http_resolver import MockLambdaContext
from gleaner import Gleaner
from gleaner.api.lambda_app import lambda_app
from gleaner.cli import run
from gleaner.cli.options import read_json_option
from gleaner.contracts.errors import InvalidRequest
from gleaner.contracts.models import parse_request
from gleaner.contracts.schema_input import parse_schema_text
from gleaner.contracts.settings import load_settings
from gleaner.jobs.batches import parse_list
from gleaner.mcp.calls import call_tool
from gleaner.schemas import is_valid, provider_form, record_path, relax, unenforceable
from gleaner.schemas.classes import schema_of_classes
from gleaner.service.gateway import Gateway
from gleaner.testing import FunctionModel
from gleaner.wiring import WiredServices
from pydantic import BaseModel

TEXT, NUMBER = {"type": ["string", "null"]}, {"type": ["number", "null"]}


def fields(**named: Any) -> dict[str, Any]:
    return {"type": "object", "properties": named}


EXAMPLES: list[tuple[Any, Any]] = [
    ({"species": "string", "height": "number"}, fields(species=TEXT, height=NUMBER)),
    ({"species": "Larch", "height": 31.5}, fields(species=TEXT, height=NUMBER)),
    ({"height": 31}, fields(height=NUMBER)),
    (
        {"evergreen": False, "rings": "int"},
        fields(evergreen={"type": ["boolean", "null"]}, rings={"type": ["integer", "null"]}),
    ),
    ({"note": None}, fields(note={"type": ["string", "number", "boolean", "null"]})),
    ([{"species": "str"}], {"type": "array", "items": fields(species=TEXT)}),
    (
        [{"species": "Fir"}, {"species": "Elm", "height": 4}],
        {"type": "array", "items": fields(species=TEXT, height=NUMBER)},
    ),
    (["string"], {"type": "array", "items": {"type": "string"}}),
    ({"trees": [{"species": "..."}]}, fields(trees={"type": ["array", "null"], "items": fields(species=TEXT)})),
    ({"tags": ["text"]}, fields(tags={"type": ["array", "null"], "items": {"type": "string"}})),
    ({"tags": "string[]"}, fields(tags={"type": ["array", "null"], "items": {"type": "string"}})),
    ({"place": {"grove": "string"}}, fields(place={"type": ["object", "null"], "properties": {"grove": TEXT}})),
    ({"planted": "date", "page": "url"}, fields(planted={**TEXT, "format": "date"}, page={**TEXT, "format": "uri"})),
    ({"girth": "number, in metres"}, fields(girth={**NUMBER, "description": "in metres"})),
    ({"keeper": "who looks after it"}, fields(keeper={**TEXT, "description": "who looks after it"})),
    ({"size": "number | string"}, fields(size={"type": ["number", "string", "null"]})),
    ({"age": "integer?"}, fields(age={"type": ["integer", "null"]})),
    # names that are keywords, too
    ({"title": "string", "description": "string"}, fields(title=TEXT, description=TEXT)),
    ({"type": "string", "height": "number"}, fields(type=TEXT, height=NUMBER)),
    ({"format": "string", "pattern": "string"}, fields(format=TEXT, pattern=TEXT)),
    ({"items": [{"name": "string"}]}, fields(items={"type": ["array", "null"], "items": fields(name=TEXT)})),
    ({"item": {"name": "string"}}, fields(item={"type": ["object", "null"], "properties": {"name": TEXT}})),
    ({"properties": [{"rooms": 3}]}, fields(properties={"type": ["array", "null"], "items": fields(rooms=NUMBER)})),
    # halves of a schema
    ({"species": {"type": "string", "minLength": 1}}, fields(species={"type": "string", "minLength": 1})),
    (fields(species="string", height={"type": "number"}), fields(species=TEXT, height={"type": "number"})),
    (fields(place={"grove": "string"}), fields(place={"type": ["object", "null"], "properties": {"grove": TEXT}})),
    (
        {"type": "array", "items": {"species": "string"}},
        {"type": "array", "items": {**fields(species=TEXT), "type": ["object", "null"]}},
    ),
    ({"name": "trees", "strict": True, "schema": fields(a={"type": "string"})}, fields(a={"type": "string"})),
    ({"type": "json_schema", "json_schema": {"name": "t", "schema": fields(a={})}}, fields(a={})),
]


@pytest.mark.req("SC-7")
@pytest.mark.parametrize(("given", "meant"), EXAMPLES, ids=lambda value: json.dumps(value)[:60])
def test_an_example_is_taken_for_what_it_plainly_means(given: Any, meant: Any) -> None:
    before = json.dumps(given)
    for form in (given, json.dumps(given)):
        schema = parse_schema_text(form)
        assert schema == meant
        assert unenforceable(schema) is None
        assert parse_schema_text(schema) is schema  # what is meant is a schema, and stays as it is
    assert json.dumps(given) == before


@pytest.mark.req("SC-7", "SC-3")
def test_an_example_keeps_the_order_of_its_fields_and_goes_to_providers() -> None:
    schema = parse_schema_text({"b": "string", "c": 1, "a": [{"z": "string", "y": "string"}]})
    form = provider_form(relax(schema), "openai")
    assert form is not None
    assert list(form["properties"]) == ["b", "c", "a"]
    assert list(form["properties"]["a"]["items"]["properties"]) == ["z", "y"]
    path = record_path(schema)
    assert path is not None
    assert path.pointer == "/a"
    assert is_valid(schema, {"b": None})


SCHEMAS: list[Any] = [
    True,
    {},
    {"type": "string"},
    {"type": ["string", "null"], "title": "Species"},
    {"title": "A tree", "description": "Any tree of the park"},
    {"x-order": 3},
    {"$comment": "anything goes"},
    {"const": {"species": "string"}},
    {"enum": ["string", "number"]},
    {"required": ["species"]},
    {"if": {"unknownWord": 1}, "then": {}, "else": False},
    fields(propertys={"type": "string"}, requierd={"type": "string"}, item={"type": "string"}, typ={}),
    fields(weight={"unit": "kg"}),
    {"type": "object", "requiredXor": ["a", "b"], "enumNames": ["A"], "propertyOrder": 4, "itemsCount": 3},
    {"type": "object", "unit": "kg", "units": "kg", "label": "Tree", "content": {"a": 1}, "order": 1, "formats": 3},
    {"type": "object", "example": {"a": 1}, "nullable": True, "discriminator": {"propertyName": "a"}},
    {"type": "object", "xml": {"name": "t"}, "externalDocs": {"url": "https://docs.example/"}},
    {"type": "string", "tile": "a misspelt remark changes nothing that is enforced"},
    {"$defs": {"item": {"type": "string"}}, "$ref": "#/$defs/item"},
    {"type": "nonsense"},
    {"type": "strng", "description": "a wrong schema, and no example"},
]  # fmt: skip


@pytest.mark.req("SC-7", "SC-1")
@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda value: json.dumps(value)[:60])
def test_a_schema_stays_the_very_one_that_was_given(schema: Any) -> None:
    assert parse_schema_text(schema) is schema


MISSPELT: list[tuple[Any, str, str]] = [
    ({"type": "object", "propertys": {"a": {"type": "string"}}}, "propertys", "properties"),
    ({"propertys": {"a": {"type": "string"}}}, "propertys", "properties"),
    ({"type": "object", "property": {"a": {}}}, "property", "properties"),
    ({"type": "object", "Properties": {"a": {}}}, "Properties", "properties"),
    ({**fields(a={}), "requierd": ["a"]}, "requierd", "required"),
    ({**fields(a={}), "require": ["a"]}, "require", "required"),
    ({"type": "array", "item": {"type": "string"}}, "item", "items"),
    ({"typ": "object", "properties": {"a": {}}}, "typ", "type"),
    (fields(a={"types": "string", "minLength": 2}), "types", "type"),
    (fields(a={"type": "string", "maxLenght": 9}), "maxLenght", "maxLength"),
    (fields(a={"type": "string", "min_length": 9}), "min_length", "minLength"),
    (fields(a={"type": "number", "minimun": 0}), "minimun", "minimum"),
    (fields(a={"type": "string", "patern": "^a"}), "patern", "pattern"),
    (fields(a={"type": "string", "enums": ["a"]}), "enums", "enum"),
    ({**fields(a={}), "additionalProperty": False}, "additionalProperty", "additionalProperties"),
    ({"anyof": [{"type": "string"}], "type": "string"}, "anyof", "anyOf"),
    ({"$defs": {"a": {"type": "array", "itmes": {}}}, "$ref": "#/$defs/a"}, "itmes", "items"),
]


@pytest.mark.req("SC-7")
@pytest.mark.parametrize(("schema", "word", "likely"), MISSPELT, ids=[word for _, word, _ in MISSPELT])
def test_a_misspelt_keyword_is_refused_with_the_likely_one(schema: Any, word: str, likely: str) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        parse_request({"url": "https://trees.example/", "output_schema": schema})
    said = f"output_schema: {word!r} is not a keyword of JSON Schema; did you mean {likely!r}?"
    assert refusal.value.message.startswith(said)


@pytest.mark.req("SC-7")
@pytest.mark.parametrize("given", [[], ["species", "height"], [1, "a"]])
def test_a_list_that_is_no_example_is_refused_with_one(given: Any) -> None:
    with pytest.raises(InvalidRequest, match="a list is an example if it holds one record"):
        parse_request({"url": "https://trees.example/", "output_schema": given})


@pytest.mark.req("SC-7", "SS-2")
def test_a_schema_of_countless_unknown_words_is_compared_with_few_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []
    monkeypatch.setattr("gleaner.contracts.schema_input.keywords.likely_keyword", compared.append)
    parse_schema_text({"type": "object", **{f"word{number}": number for number in range(10_000)}})
    assert len(compared) < 1_000


class Grove(BaseModel):
    """A Pydantic class."""

    name: str
    trees: int | None = None


@dataclasses.dataclass
class Tree:
    """A dataclass with a list of another."""

    species: str
    planted: dt.date | None = None
    groves: list[Grove] = dataclasses.field(default_factory=list)


class Bench(TypedDict):
    """The typing module's own."""

    place: str
    seats: NotRequired[int]


class Park(TypedDict, total=False):
    """One that holds another."""

    benches: list[Bench]
    gate: Bench | None


@pytest.mark.req("SC-7", "LB-1")
@pytest.mark.parametrize(
    ("given", "valid", "wrong"),
    [
        (Grove, {"name": "North"}, {"trees": 4}),
        (list[Grove], [{"name": "North"}], {"name": "North"}),
        ([Grove], [{"name": "North"}], [{"name": 4}]),
        (Tree, {"species": "Fir", "planted": "2026-03-05", "groves": [{"name": "N"}]}, {"planted": "2026-03-05"}),
        (list[Tree], [{"species": "Fir"}], [{"species": None}]),
        (Bench, {"place": "Pond"}, {"seats": 4}),
        (Park, {"benches": [{"place": "Pond", "seats": 3}], "gate": None}, {"benches": [{"seats": 3}]}),
        (list[Bench], [{"place": "Pond"}], [{}]),
        (Grove | Bench, {"place": "Pond"}, {"seats": 1}),
        ({"species": str, "height": float, "planted": dt.date}, {"height": 3.5}, {"height": "tall"}),
        ({"grove": Grove}, {"grove": {"name": "North"}}, {"grove": {"name": 4}}),
        ([{"species": str, "rings": int}], [{"rings": 3}], [{"rings": 3.5}]),
    ],
    ids=str,
)
def test_a_class_is_taken_for_what_it_says(given: Any, valid: Any, wrong: Any) -> None:
    schema = parse_schema_text(schema_of_classes(given))
    assert unenforceable(schema) is None
    assert is_valid(schema, valid)
    assert not is_valid(schema, wrong)


@pytest.mark.req("SC-7", "LB-1")
@pytest.mark.parametrize("given", [list[object()], type("Odd", (), {}), {"tree": list[Tree]}])  # type: ignore[misc]
def test_a_class_that_json_can_not_say_is_refused_by_name(given: Any, tmp_path: Path) -> None:
    with Gleaner("none", home=tmp_path) as gleaner, pytest.raises(InvalidRequest, match=r"^output_schema: "):
        gleaner.extract_html("<p>Fir</p>", "https://trees.example/", output_schema=given)


PAGE = "<h1>Larch</h1><p>Height: 31.5 m</p>"
ANSWER = '{"data": {"species": "Larch", "height": 31.5}}'
SAID = fields(species=TEXT, height=NUMBER)


@pytest.mark.req("SC-7", "LB-1")
def test_the_library_gives_the_data_of_an_example_and_the_schema_that_was_used(tmp_path: Path) -> None:
    with Gleaner(FunctionModel(lambda _: ANSWER), home=tmp_path) as gleaner:
        result = gleaner.extract_html(
            PAGE,
            "https://trees.example/1",
            output_schema={"species": "string", "height": "number"},
            config={"tiers": ["model"]},
        )
        assert result.status == "complete"
        assert result.extraction is not None
        assert result.extraction.data == {"species": "Larch", "height": 31.5}
        assert result.extraction.schema_used == SAID
        assert gleaner.extract_html(PAGE, "https://trees.example/2", output_schema=SAID, config={"tiers": ["model"]})
        assert len(gleaner.services.table.query("STRATEGY#default", limit=9).items) == 1  # the same one


class _Starts:
    """Keeps what would start an execution."""

    def __init__(self) -> None:
        self.schemas: list[Any] = []

    def start(self, machine: str, payload: Any, name: str) -> None:
        self.schemas.append(parse_request(payload["request"]).output_schema)

    def steps(self, name: str) -> list[Any]:
        return []


def posted(request: Any) -> dict[str, Any]:
    """Give API Gateway's event for a POST to /v1/scrape."""
    return {
        "version": "2.0",
        "rawPath": "/v1/scrape",
        "rawQueryString": "wait=0",
        "queryStringParameters": {"wait": "0"},
        "headers": {"content-type": "application/json"},
        "requestContext": {
            "http": {"method": "POST", "path": "/v1/scrape"},
            "stage": "$default",
            "authorizer": {"lambda": {"tenant": "default"}},
        },
        "body": json.dumps(request),
        "isBase64Encoded": False,
    }


@pytest.mark.req("SC-7", "AP-1", "MC-1")
@pytest.mark.parametrize("given", [{"species": "string", "height": "number"}, [{"species": "string"}]])
def test_an_example_may_come_in_by_the_api_by_mcp_and_in_a_batch(given: Any, tmp_path: Path) -> None:
    services, starts = WiredServices(load_settings({}, home=tmp_path)), _Starts()
    request = {"url": "https://trees.example/", "output_schema": given}
    answer: Any = lambda_app(services, starter=starts).resolve(posted(request), MockLambdaContext())  # type: ignore[arg-type]
    assert answer["statusCode"] == 202, answer
    call_tool(Gateway(services, starts), "scrape", request, 0)
    call_tool(Gateway(services, starts), "browser_extract_content", {**request, "query": "the trees"}, 0)
    ((_, listed),) = parse_list(json.dumps([request]).encode()).requests
    assert [*starts.schemas, listed["output_schema"]] == [parse_schema_text(given)] * 4
    services.close()


@pytest.mark.req("SC-7", "CL-1")
def test_the_command_takes_an_example_from_a_file_and_refuses_a_misspelt_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "trees.json"
    file.write_text('{"species": "string", "height": "number"}', "utf-8")
    request = {"url": "https://trees.example/", "output_schema": read_json_option("--schema", str(file))}
    assert parse_request(request).output_schema == SAID
    wrong = '{"type": "object", "propertys": {"species": {"type": "string"}}}'
    assert run(["scrape", "https://trees.example/", "--schema", wrong, "--home", str(tmp_path)]) == 2
    assert "did you mean 'properties'?" in " ".join(capsys.readouterr().err.split())
