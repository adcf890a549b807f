"""The OpenAPI description: it is the committed one, and what the server answers is what it says."""

import importlib.util
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.api.conftest import Server

ROOT = Path(__file__).parents[2]
DESCRIPTION = json.loads((ROOT / "docs/openapi.json").read_text("utf-8"))
OPERATIONS = [(method, path) for path, methods in DESCRIPTION["paths"].items() for method in methods]


def described_by_the_code() -> str:
    spec = importlib.util.spec_from_file_location("openapi_script", ROOT / "scripts/openapi.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.described()


@pytest.mark.req("AP-1")
def test_the_committed_description_is_the_codes_own(http: httpx.Client) -> None:
    committed = (ROOT / "docs/openapi.json").read_text("utf-8")
    assert described_by_the_code() == committed, "write it anew: python scripts/openapi.py"
    assert http.get("/openapi.json").json() == json.loads(committed)


@pytest.mark.req("AP-1")
def test_each_reference_leads_somewhere() -> None:
    known = {f"#/components/schemas/{name}" for name in DESCRIPTION["components"]["schemas"]}
    assert set(re.findall(r'"\$ref": "([^"]+)"', json.dumps(DESCRIPTION))) <= known


@pytest.mark.req("AP-1")
def test_each_route_of_the_specification_is_described() -> None:
    named = re.findall(r"`(GET|POST|DELETE) (/[a-z0-9{}/_]+)", (ROOT / "docs/spec.md").read_text("utf-8"))
    shapes = {(method.upper(), re.sub(r"\{\w+\}", "{}", path)) for method, path in OPERATIONS}
    for method, path in named:
        if path != "/docs":
            assert (method, re.sub(r"\{\w+\}", "{}", path)) in shapes, (method, path)


@pytest.mark.req("AP-1")
def test_what_is_no_content_has_none_in_the_description() -> None:
    answers = [DESCRIPTION["paths"][path][method]["responses"].get("204", {}) for method, path in OPERATIONS]
    assert [answer for answer in answers if answer] == [{"description": "Deleted"}] * 3


@pytest.mark.req("AP-1", "AU-1")
def test_what_needs_a_token_says_so() -> None:
    assert DESCRIPTION["security"] == [{"bearer": []}]
    assert DESCRIPTION["components"]["securitySchemes"]["bearer"]["scheme"] == "bearer"
    assert DESCRIPTION["paths"]["/health"]["get"]["security"] == [{}]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
NAMES = [*DESCRIPTION["components"]["schemas"]["ScrapeBody"]["properties"], "html", "text_a", "text_b", "requests"]
URLS = ["http://127.0.0.1:1/", "http://169.254.169.254/", "https://", "http://[::1", "x", "http://\ud800/", "data:,"]
BODIES = JSON | st.dictionaries(st.sampled_from(NAMES), JSON | st.sampled_from(URLS), max_size=4).map(
    lambda fields: {"url": URLS[0], **fields}
)
IDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=90) | st.from_regex(
    r"[A-Za-z0-9_-]{1,90}", fullmatch=True
)
VALUES = st.text(max_size=30) | st.integers().map(str) | st.sampled_from(["json", "csv", "ndjson", "nan", "1e9", ""])


DOTS = ("", ".", "..")
"""What a client takes out of a path before it asks (RFC 3986, 5.2.4): that is another path."""


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[httpx.Client]:
    with server.client() as client:
        yield client


@pytest.mark.req("AP-1", "SS-2")
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_no_request_brings_an_answer_that_is_not_described(client: httpx.Client, method: str, path: str) -> None:
    @settings(max_examples=25 if method == "post" else 8)  # what has no body has few forms
    @given(data=st.data())
    def ask(data: st.DataObject) -> None:
        check_answer(client, method, path, data)

    ask()


def check_answer(client: httpx.Client, method: str, path: str, data: st.DataObject) -> None:
    operation = DESCRIPTION["paths"][path][method]
    filled = re.sub(r"\{\w+\}", lambda _: quote(data.draw(IDS.filter(lambda name: name not in DOTS)), safe=""), path)
    names = [one["name"] for one in operation.get("parameters", []) if one["in"] == "query"]
    query = data.draw(st.dictionaries(st.sampled_from(names), VALUES)) if names else {}
    if path == "/v1/scrape":
        query["wait"] = "0"
    body = {"content": data.draw(json_texts()), "headers": {"content-type": "application/json"}}
    answer = client.request(method, filled, params=query, **(body if method == "post" else {}))
    assert answer.status_code != 500, answer.text
    assert str(answer.status_code) in operation["responses"], (answer.status_code, answer.text)
    kind = answer.headers.get("content-type", "").partition(";")[0]
    if answer.status_code >= 400:
        assert kind == "application/problem+json"
        assert answer.json()["status"] == answer.status_code
    elif kind == "application/json":
        check_shape(answer.json(), operation["responses"][str(answer.status_code)])


@st.composite
def json_texts(draw: st.DrawFn) -> str:
    return (
        json.dumps(draw(BODIES))
        if draw(st.integers(0, 9))
        else draw(st.text(max_size=40)).encode("utf-8", "replace").decode()
    )


def check_shape(body: Any, response: dict[str, Any]) -> None:
    from jsonschema import Draft202012Validator

    schema = response.get("content", {}).get("application/json", {}).get("schema", {})
    Draft202012Validator({**schema, "components": DESCRIPTION["components"]}).validate(body)
