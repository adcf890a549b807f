"""Runs one tool over many pages, in the tools' own environment: nothing of this project is imported.

Standard input is ``{"tool": name, "tasks": [...], "warm_up": task}``. A task has the page's ``html`` and ``url``, the
``schema`` of one record, an ``example`` (a text and its records), and the model's ``base_url``. Standard output has for
each task ``data`` (a list of records, None for none), ``said`` (what the result or an exception says is wrong),
``logged`` (warnings in the log), ``told`` (pointers of values that the result marks) and ``seconds`` of processor time.
Each tool is called as its documentation shows it, with its defaults but for one thing: two of them have a mode for
servers that do not enforce JSON, as the stand-in does not.
"""

import asyncio
import json
import logging
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

os.environ |= {"SCRAPEGRAPHAI_TELEMETRY_ENABLED": "false", "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
if found := find_spec("litellm"):  # it brings the encodings that tiktoken downloads elsewhere
    os.environ["TIKTOKEN_CACHE_DIR"] = str(Path(found.origin or "").parent / "litellm_core_utils/tokenizers")
INSTRUCTION = "Extract all records of the list on this page."
TYPES = {"string": str, "integer": int, "number": float, "boolean": bool}
Task = dict[str, Any]
Found = dict[str, Any]


def record_model(schema: dict[str, Any]) -> Any:
    """Give the record as a Pydantic class, as all of the tools want it."""
    pydantic = import_module("pydantic")
    fields: dict[str, Any] = {}
    for name, field in schema["properties"].items():
        kinds = [field["type"]] if isinstance(field["type"], str) else field["type"]
        kind: Any = TYPES[kinds[0]]
        about = field.get("description") or field.get("format")
        fields[name] = (kind | None if "null" in kinds else kind, pydantic.Field(description=about))
    return pydantic.create_model("Record", **fields)


def list_model(schema: dict[str, Any]) -> Any:
    """Give an object with a list of records."""
    return import_module("pydantic").create_model("Records", records=(list[record_model(schema)], ...))


def text_of(task: Task) -> str:
    """Give the page as Markdown with its links, as scripts make it for tools that take text."""
    writer = import_module("html2text").HTML2Text(baseurl=task["url"], bodywidth=0)
    return writer.handle(task["html"])


def crawl4ai(task: Task) -> Found:
    """Crawl the HTML without a browser, with the LLM strategy and the schema of one record."""
    lib = import_module("crawl4ai")
    strategy = lib.LLMExtractionStrategy(
        llm_config=lib.LLMConfig(provider="openai/gpt-4o-mini", api_token="none", base_url=task["base_url"]),
        schema=record_model(task["schema"]).model_json_schema(),
        extraction_type="schema",
        instruction=INSTRUCTION,
    )
    config = lib.CrawlerRunConfig(
        extraction_strategy=strategy, base_url=task["url"], cache_mode=lib.CacheMode.BYPASS, verbose=False
    )

    async def run() -> Any:
        http = import_module("crawl4ai.async_crawler_strategy").AsyncHTTPCrawlerStrategy()
        async with lib.AsyncWebCrawler(crawler_strategy=http, verbose=False) as crawler:
            return await crawler.arun(f"raw:{task['html']}", config=config)

    result = asyncio.run(run())
    blocks = json.loads(result.extracted_content or "[]")
    failed = [one for one in blocks if one.get("error")]
    said = [str(one.get("content"))[:200] for one in failed] + ([] if result.success else [str(result.error_message)])
    return {"data": [one for one in blocks if not one.get("error")], "said": said}


def scrapegraphai(task: Task) -> Found:
    """Run the smart scraper over the HTML."""
    graph = import_module("scrapegraphai.graphs").SmartScraperGraph(
        prompt=INSTRUCTION,
        source=task["html"],
        schema=list_model(task["schema"]),
        config={"llm": {"model": "openai/gpt-4o-mini", "api_key": "none", "base_url": task["base_url"]}},
    )
    answer = graph.run()
    said = [str(answer["error"])] if isinstance(answer, dict) and "error" in answer else []
    return {"data": answer.get("records") if isinstance(answer, dict) else None, "said": said}


def langextract(task: Task) -> Found:
    """Extract from the page as Markdown: a class "record" whose attributes are the fields, with one example."""
    lib = import_module("langextract")
    names = [*task["schema"]["properties"]]
    example = lib.data.ExampleData(
        text=task["example"]["text"],
        extractions=[
            lib.data.Extraction("record", str(one[names[0]]), attributes=one) for one in task["example"]["records"]
        ],
    )
    result = lib.extract(
        text_of(task),
        prompt_description=f"{INSTRUCTION} Use exact text for the record's {names[0]}; its attributes are the fields.",
        examples=[example],
        config=import_module("langextract.factory").ModelConfig(
            "gpt-4o-mini", "OpenAILanguageModel", {"api_key": "none", "base_url": task["base_url"]}
        ),
        fence_output=True,  # the server enforces no JSON
        use_schema_constraints=False,
        show_progress=False,
    )
    found = result.extractions or []
    said = [f"not in the text: {one.extraction_text}" for one in found if one.char_interval is None]
    return {"data": [dict(one.attributes or {}) for one in found], "said": said}


def instructor(task: Task) -> Found:
    """Ask once with a plain prompt and the page as Markdown, in the mode for servers that enforce no JSON."""
    lib = import_module("instructor")
    client = lib.from_openai(
        import_module("openai").OpenAI(base_url=task["base_url"], api_key="none"), mode=lib.Mode.MD_JSON
    )
    answer = client.chat.completions.create(
        model="gpt-4o-mini",
        response_model=list_model(task["schema"]),
        messages=[{"role": "user", "content": f"{INSTRUCTION}\n\nPage:\n{text_of(task)}"}],
    )
    return {"data": answer.model_dump()["records"], "said": []}


def gleaner(task: Task) -> Found:
    """Extract from the HTML; of the tiers only the model's, since this is about what becomes of its answers."""
    lib = import_module("gleaner")
    with (
        tempfile.TemporaryDirectory() as home,
        lib.Gleaner("openai:gpt-4o-mini", home, llm={"openai_base_url": task["base_url"]}) as client,
    ):
        result = client.extract_html(
            task["html"],
            task["url"],
            query=INSTRUCTION,
            output_schema={"type": "array", "items": task["schema"]},
            config={"tiers": ["model"]},
        )
    found = result.extraction
    said = [] if result.status == "complete" else [f"status {result.status}", *(found.warnings if found else ())]
    entries = found.provenance if found else ()
    told = [one.pointer for one in entries if one.status == "ungrounded" or one.doubt]
    return {"data": found.data if found else None, "said": said, "told": told}


TOOLS: dict[str, Callable[[Task], Found]] = {
    "crawl4ai": crawl4ai,
    "scrapegraphai": scrapegraphai,
    "langextract": langextract,
    "instructor": instructor,
    "gleaner": gleaner,
}


class Log(logging.Handler):
    """Keeps the warnings that are logged."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line."""
        self.lines.append(f"{record.name}: {record.getMessage()}"[:300])


def listen(log: Log) -> None:
    """Let all loggers that there are tell their warnings, those that pass nothing on, too."""
    for logger in (logging.getLogger(), *(logging.getLogger(name) for name in [*logging.root.manager.loggerDict])):
        is_deaf = logger.parent is None or not logger.propagate
        if is_deaf and log not in logger.handlers:
            logger.addHandler(log)


def run(tool: str, task: Task, log: Log) -> Found:
    """Give what a tool makes of a page."""
    log.lines.clear()
    started = time.process_time()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", UserWarning)
        try:
            found = TOOLS[tool](task)
        except Exception as error:  # noqa: BLE001 - a tool may fail in any way: that it says so is what counts
            found = {"data": None, "said": [f"{type(error).__name__}: {error}"[:300]]}
    seconds = time.process_time() - started
    listen(log)
    logged = [*log.lines, *(str(one.message)[:300] for one in warned)]
    return {"told": [], **found, "logged": logged, "seconds": seconds}


def main() -> None:
    """Answer all tasks; the first one twice, so that what is loaded once costs no page anything."""
    given, log = json.load(sys.stdin), Log()
    answers, sys.stdout = sys.stdout, sys.stderr
    run(given["tool"], given["warm_up"], log)
    found = [run(given["tool"], task, log) for task in given["tasks"]]
    name = "gleaner-extract" if given["tool"] == "gleaner" else given["tool"]
    json.dump({"version": version(name), "answers": found}, answers, default=str)


if __name__ == "__main__":
    main()
