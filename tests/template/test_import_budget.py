"""What each handler may import is pinned: an import is cold start (design, "Functions on Lambda")."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FUNCTIONS = sorted(path.parent.name for path in (ROOT / "functions").glob("*/handler.py"))
WATCHED = (
    "boto3", "moto", "playwright", "mcp", "mangum", "starlette", "typer", "rich", "hypothesis", "pytest",
    "aws_lambda_powertools.event_handler", "lxml", "selectolax", "markdownify", "jsonschema", "gleaner.cli",
    "gleaner.local", "gleaner.testing", "gleaner.library",
)  # fmt: skip
PAGES = {"lxml", "selectolax", "markdownify", "jsonschema"}
ALLOWED = {
    "aggregate_results": PAGES,
    "begin_watch": {"jsonschema"},
    "chunk_page": PAGES,
    "close_stopped": PAGES,
    "deliver_webhook": {"jsonschema"},
    "extract_chunk": PAGES,
    "finish_watch": {"jsonschema"},
    "follow_listing": PAGES,
    "http_api": PAGES | {"aws_lambda_powertools.event_handler"},
    "map_site": PAGES,
    "mcp_server": PAGES | {"mcp", "mangum", "starlette"},
    "probe_media": PAGES,
    "read_document": PAGES,
    "record_failure": PAGES,
    "start_batch": PAGES,
    "start_scrape": PAGES,
}
"""The others import none of what is watched: they work on keys and records."""
BUDGETS = sorted({tuple(sorted(ALLOWED.get(function, ()))) for function in FUNCTIONS})
PROGRAM = """
import importlib.util, json, sys
seen = {}
for path in sys.argv[2:]:
    spec = importlib.util.spec_from_file_location("handler", path)
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    seen[path] = [name for name in json.loads(sys.argv[1]) if name in sys.modules]
print(json.dumps(seen))
"""


@pytest.mark.parametrize("budget", BUDGETS, ids=lambda budget: ", ".join(budget) or "nothing")
def test_a_handler_imports_no_more_than_it_may(budget: tuple[str, ...]) -> None:
    """Functions that may import the same share a process: none of them can hide behind another's imports."""
    alike = [function for function in FUNCTIONS if ALLOWED.get(function, set()) == {*budget}]
    as_on_lambda = {**os.environ, "AWS_LAMBDA_FUNCTION_NAME": alike[0], "POWERTOOLS_TRACE_DISABLED": "true"}
    paths = [str(ROOT / "functions" / function / "handler.py") for function in alike]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(WATCHED), *paths],
        capture_output=True, text=True, check=False, env=as_on_lambda, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    over = {Path(path).parent.name: {*names} - {*budget} for path, names in json.loads(done.stdout).items()}
    assert not any(over.values()), over
