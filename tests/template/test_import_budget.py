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
PROGRAM = """
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("handler", sys.argv[1])
spec.loader.exec_module(importlib.util.module_from_spec(spec))
print(json.dumps([name for name in json.loads(sys.argv[2]) if name in sys.modules]))
"""


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_handler_imports_no_more_than_it_may(function: str) -> None:
    path = ROOT / "functions" / function / "handler.py"
    as_on_lambda = {**os.environ, "AWS_LAMBDA_FUNCTION_NAME": function, "POWERTOOLS_TRACE_DISABLED": "true"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(path), json.dumps(WATCHED)],
        capture_output=True, text=True, check=False, env=as_on_lambda, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert set(json.loads(done.stdout)) <= ALLOWED.get(function, set())
