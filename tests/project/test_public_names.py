"""The names that others build on are where the specification says (LB-3)."""

import asyncio
import inspect
import re
from collections.abc import Callable
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from gleaner import AsyncGleaner, Gleaner
from gleaner.adapters.http.fetch import FetchedPage
from gleaner.contracts.error_types import OF_HTTP, OF_RESULTS, ErrorType
from gleaner.contracts.errors import InvalidRequest, ModelTimeout, error_classes, error_type_of
from gleaner.contracts.media import classify
from gleaner.contracts.models import ExtractionError
from gleaner.contracts.ports import ModelAnswer
from gleaner.extraction import ExtractionSubAgent
from gleaner.jobs.aggregates import ExtractionAggregator
from gleaner.steps.failure import STATES_ERRORS
from gleaner.structured import extract_structured
from pydantic import ValidationError

ROOT = Path(__file__).parents[2]
SPEC = (ROOT / "docs/spec.md").read_text("utf-8")
PARAGRAPH = SPEC[SPEC.index("- LB-3 ") : SPEC.index("## Safety (SS)")]
BESIDE = {
    "gleaner.markdown": ["main_content"],
    "gleaner.content": ["scrape_text_similarity"],
    "gleaner.schemas": ["schema_dict_to_pydantic_model", "is_valid", "violations"],
    "gleaner.addresses": ["ResolvedUrl", "BlockedAddress"],
    "gleaner.adapters.http_fetch": ["FetchedPage", "decode_html"],
    "gleaner.extraction": ["ExtractionResult"],
    "gleaner.parsers": ["ParserRegistry", "DefaultParser", "ContentChunk", "ParsedContent"],
}
"""What the paragraph, or the requirements that it names, put beside a dotted name."""

DOTTED = [name for name in re.findall(r"`(gleaner(?:\.\w+)+)", PARAGRAPH) if name not in BESIDE]
NAMES = [*DOTTED, *(f"{module}.{name}" for module, names in BESIDE.items() for name in names)]
SIGNATURES = {
    "gleaner.markdown.main_content": ["html", "url"],
    "gleaner.media.probe": ["url"],
    "gleaner.addresses.check_url": ["url"],
    "gleaner.adapters.http_fetch.decode_html": ["raw", "content_type"],
    "gleaner.structured.extract_structured": ["html", "url", "schema"],
}


def found(name: str) -> object:
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(module), attribute)


@pytest.mark.req("LB-3")
@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_others_build_on_is_there(name: str) -> None:
    there = found(name)
    if name in SIGNATURES:
        assert [*inspect.signature(there).parameters][: len(SIGNATURES[name])] == SIGNATURES[name]  # type: ignore[arg-type]


@pytest.mark.req("LB-3")
def test_a_fetched_page_has_the_fields_that_the_specification_names() -> None:
    assert [one.name for one in fields(FetchedPage)] == ["url", "status", "headers", "body", "text"]


@pytest.mark.req("EX-5")
def test_the_type_of_an_error_is_one_of_a_closed_list() -> None:
    known = ExtractionError.model_validate({"error_type": "missing_units", "message": "2 of 3"})

    assert known.error_type is ErrorType.MISSING_UNITS
    assert known.model_dump(mode="json")["error_type"] == "missing_units"
    assert ExtractionError.model_json_schema()["$defs"]["ErrorType"]["enum"] == [*map(str, ErrorType)]
    with pytest.raises(ValidationError):
        ExtractionError.model_validate({"error_type": "sunspots", "message": "no"})


@pytest.mark.req("SS-2")
def test_the_list_of_error_types_holds_each_error_and_nothing_that_nobody_says() -> None:
    roots = {"GleanerError", "CallerError", "PageError", "TransientError", "ModelError"}
    raised = [error_type_of(name) for name in error_classes() if name not in roots]
    by_aws = {kind for kind, _ in STATES_ERRORS.values()}

    assert len(raised) == len({*raised})
    assert {*raised, *OF_RESULTS, *OF_HTTP.values(), *by_aws} == {*ErrorType}


def test_an_error_that_a_callers_model_makes_from_ours_has_the_type_of_ours() -> None:
    class ProviderTimeout(ModelTimeout):
        pass

    assert ProviderTimeout("60 s").error_type is ErrorType.MODEL_TIMEOUT


TABLE = {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}
WRONG: dict[str, tuple[Callable[[Any], object], object, type[Exception], str]] = {
    "bytes for a page": (
        lambda html: extract_structured(html, "", TABLE),
        b"<p>x",
        TypeError,
        "bytes; decode_html",
    ),
    "no page": (lambda html: extract_structured(html, "", TABLE), None, TypeError, "not NoneType"),
    "a model without a method": (ExtractionSubAgent, "openai:x", TypeError, "'openai:x' has no such method"),
    "what is no result": (ExtractionAggregator().add, {"data": []}, InvalidRequest, "not dict"),
    "an unknown rule": (lambda rule: ExtractionAggregator(dedupe=rule), "all", InvalidRequest, "exact, keys, none"),
    "keys without names": (lambda rule: ExtractionAggregator(dedupe=rule), "keys", InvalidRequest, "needs dedupe_keys"),
}


@pytest.mark.req("LB-3")
@pytest.mark.parametrize("name", WRONG)
def test_what_a_public_name_can_t_take_is_named_with_what_it_would(name: str) -> None:
    function, given, kind, message = WRONG[name]
    with pytest.raises(kind, match=re.escape(message)):
        function(given)


@pytest.mark.req("LB-2")
@pytest.mark.parametrize("answer", ["a text", None, ModelAnswer(None, 1, 1, "end")])  # type: ignore[arg-type]
def test_a_model_that_gives_no_answer_with_a_text_is_told_what_it_should(answer: object) -> None:
    class Odd:
        def answer(self, request: object) -> Any:
            return answer

    result = asyncio.run(ExtractionSubAgent(Odd(), sleep=lambda _: None).extract("- Oak", "trees", {"type": "array"}))
    assert "answer() gives a ModelAnswer, whose text is a str" in result.errors[0].message


@pytest.mark.req("ME-1")
def test_a_header_without_a_value_says_nothing() -> None:
    assert classify("https://a.example/x", 200, {"Content-Type": None}, b"%PDF-1.7").mime == "application/pdf"


@pytest.mark.req("LB-5")
def test_the_asynchronous_library_has_all_methods_of_the_other_one_with_the_same_keywords() -> None:
    own = {name: one for name, one in inspect.getmembers(Gleaner) if not name.startswith("_")}
    for name, one in own.items():
        if name in ("begin_batch", "begin_crawl"):  # what both are made of
            continue
        assert hasattr(AsyncGleaner, name), name
        if callable(one):
            wanted, given = (set(inspect.signature(each).parameters) for each in (one, getattr(AsyncGleaner, name)))
            assert wanted - given <= {"on_result"}, name  # results come by ``async for``


@pytest.mark.req("LB-1")
def test_every_error_and_every_documented_name_can_be_imported_from_its_public_place() -> None:
    errors, package = import_module("gleaner.errors"), import_module("gleaner")
    ours = {name for name, one in error_classes().items() if one.__module__.startswith("gleaner.")}
    assert ours <= set(errors.__all__)
    documented = set(re.findall(r"`([A-Z]\w+)`", (ROOT / "docs/errors.md").read_text("utf-8")))
    assert documented & set(vars(import_module("gleaner.contracts.errors"))) <= set(errors.__all__)
    assert all(getattr(package, name) for name in package.__all__)
    assert {"HttpStatusError", "NoData", "Suggestion"} <= set(package.__all__)
