"""Every way to ask, derived from what the program says of itself: its API's description, its tools, its requests.

A route, parameter, tool or field that is added is asked with here too, or the plays fail for want of a sample of it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any
from urllib.parse import urlencode

from gleaner.contracts.models import ScrapeRequest
from gleaner.contracts.ports import JsonObject
from gleaner.mcp.catalogue import TOOLS

Samples = Mapping[str, list[Any]]
"""Values to ask with, by the name of the parameter, argument or field."""


@dataclass(frozen=True, slots=True)
class Call:
    """One request of the HTTP API."""

    method: str
    path: str
    route: str
    headers: dict[str, str] = field(default_factory=dict[str, str])
    body: Any = None


def api_calls(description: Any, samples: Samples, bodies: Mapping[str, list[Any]]) -> Iterator[Call]:
    """Give each route with each combination of its parameters, whatever deletes last."""
    operations = [
        (path, method, one) for path, methods in description["paths"].items() for method, one in methods.items()
    ]
    for path, method, operation in sorted(operations, key=lambda one: one[1] == "delete"):
        parameters = operation.get("parameters", [])
        for chosen in combinations(parameters, samples):
            placed = {place: {one["name"]: chosen[one["name"]] for one in parameters if is_in(one, place, chosen)}
                      for place in ("path", "query", "header")}  # fmt: skip
            asked = path.format(**placed["path"]) + (f"?{urlencode(placed['query'])}" if placed["query"] else "")
            for body in bodies[path] if method == "post" else [None]:
                yield Call(method.upper(), asked, f"{method} {path}", placed["header"], body)


def is_in(parameter: Any, place: str, chosen: Mapping[str, str]) -> bool:
    """Tell whether a parameter is given, and in that place."""
    return parameter["in"] == place and parameter["name"] in chosen


def combinations(parameters: list[Any], samples: Samples) -> Iterator[dict[str, str]]:
    """Give each choice of values for parameters; one that is not required is left out, too."""
    choices = [
        [*([] if one.get("required") else [None]), *values(one["name"], one["schema"], samples)] for one in parameters
    ]
    for chosen in product(*choices):
        yield {one["name"]: str(value) for one, value in zip(parameters, chosen, strict=True) if value is not None}


def values(name: str, schema: Any, samples: Samples) -> list[Any]:
    """Give what to ask with for a parameter: the samples of its name, else what its schema lists or allows."""
    forms = [schema, *schema.get("anyOf", [])]
    listed = [value for form in forms for value in form.get("enum", [])]
    if name in samples:
        return samples[name]
    if listed:
        return listed
    if any(form.get("type") == "boolean" for form in forms):
        return [True, False]
    numbers = [form for form in forms if form.get("type") in ("integer", "number")]
    if numbers:
        return [numbers[0].get("minimum", numbers[0].get("default") or 1)]
    raise KeyError(f"tests/template/plays.py has no sample for {name!r}")


def tool_calls(samples: Samples) -> Iterator[tuple[str, JsonObject]]:
    """Give each MCP tool with each sample of what it needs: alone, and with each value of each further argument."""
    for tool in TOOLS:
        properties: Any = tool.input_schema["properties"]
        needed = tool.input_schema.get("required") or ["url"]
        for chosen in product(*(values(name, properties[name], samples) for name in needed)):
            least = dict(zip(needed, chosen, strict=True))
            yield tool.name, least
            for name, schema in properties.items():
                for value in values(name, schema, samples) if name not in needed else []:
                    yield tool.name, {**least, name: value}


def requests(samples: Samples) -> Iterator[JsonObject]:
    """Give a ScrapeRequest for each value of each field; of ``config`` and ``budget``, values of all fields at once."""
    schema = ScrapeRequest.model_json_schema()
    for name, described in schema["properties"].items():
        if "$ref" not in described:
            yield from ({name: value} for value in values(name, described, samples))
            continue
        inner = schema["$defs"][described["$ref"].rpartition("/")[2]]["properties"]
        choices = {part: values(part, shape, samples) for part, shape in inner.items() if "$ref" not in shape}
        for turn in range(max(map(len, choices.values()))):
            yield {name: {part: given[turn % len(given)] for part, given in choices.items()}}
