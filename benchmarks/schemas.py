"""Measure schemas and coercion: import time, validation and coercion of records, and what the models accept wrongly.

Prints Markdown tables. Times are the best of several runs; import times come from fresh interpreters.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gleaner.coercion import coerce
from gleaner.schemas import is_valid, record_path, relax, schema_dict_to_pydantic_model, violations
from pydantic import ValidationError

SUITE = Path(__file__).parent.parent / "tests" / "fixtures" / "json_schema_test_suite"
DRAFTS = {
    "draft4": "http://json-schema.org/draft-04/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}
SCHEMA: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 1},
            "price": {"type": ["number", "null"], "minimum": 0},
            "url": {"type": "string", "format": "uri"},
            "in_stock": {"type": "boolean"},
            "released": {"type": "string", "format": "date"},
        },
        "required": ["name"],
        "additionalProperties": False,
    },
}
CLEAN = {"name": "Lamp", "price": 12.5, "url": "https://example.com/a", "in_stock": True, "released": "2026-03-12"}
RAW = {"name": "Lamp", "price": "1.299,00 €", "url": "/a", "in_stock": "Auf Lager", "released": "12. März 2026"}


def best_of(runs: int, work: Callable[[], Any]) -> float:
    def once() -> float:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    return min(once() for _ in range(runs))


def import_time(module: str, runs: int) -> float:
    code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    return min(
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout) for _ in range(runs)
    )


def wrongly_accepted() -> tuple[int, int, int]:
    """Give of the suite's invalid instances: those that a model was made for, those accepted, those without a model."""
    carried = accepted = without = 0
    for path in sorted(SUITE.glob("draft*.json")):
        for name, groups in json.loads(path.read_text("utf-8")).items():
            if name.startswith(("optional/", "format")):
                continue
            for group in groups:
                invalid = [test["data"] for test in group["tests"] if not test["valid"]]
                schema = group["schema"]
                if isinstance(schema, dict):
                    schema = {"$schema": DRAFTS[path.stem], **schema}
                try:
                    model = schema_dict_to_pydantic_model(schema)
                except ValueError:
                    without += len(invalid)
                    continue
                carried += len(invalid)
                accepted += sum(accepts(model, instance) for instance in invalid)
    return carried, accepted, without


def accepts(model: Any, instance: Any) -> bool:
    try:
        model.model_validate(instance)
    except ValidationError:
        return False
    return True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=5_000)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    clean, raw = [dict(CLEAN) for _ in range(options.records)], [dict(RAW) for _ in range(options.records)]
    model = schema_dict_to_pydantic_model(SCHEMA)
    base = "https://example.com/"
    work: dict[str, Callable[[], Any]] = {
        "validate clean records": lambda: is_valid(SCHEMA, clean),
        "list the first 1,000 violations of raw records": lambda: violations(SCHEMA, raw),
        "validate through the Pydantic model": lambda: model.model_validate(clean),
        "coerce clean records (nothing to do)": lambda: coerce(SCHEMA, clean, base_url=base),
        "coerce raw records (four of five fields)": lambda: coerce(SCHEMA, raw, base_url=base),
        "relax the schema": lambda: relax(SCHEMA),
        "find the records in the schema": lambda: record_path(SCHEMA),
        "make the Pydantic model": lambda: schema_dict_to_pydantic_model(SCHEMA),
    }
    print(f"| {options.records} records of five fields | ms |\n|---|---|")
    for name, task in work.items():
        print(f"| {name} | {best_of(options.runs, task) * 1000:.1f} |")
    print("\n| import | ms |\n|---|---|")
    for module in (
        "jsonschema",
        "gleaner.models",
        "gleaner.models, gleaner.schemas",
        "gleaner.models, gleaner.coercion",
    ):
        print(f"| {module} | {import_time(module, options.runs) * 1000:.0f} |")
    carried, accepted, without = wrongly_accepted()
    print(
        f"\nOf the suite's invalid instances: {carried} with a model, {accepted} accepted; {without} refused a model."
    )


if __name__ == "__main__":
    main()
