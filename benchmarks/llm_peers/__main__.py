"""Gleaner and other tools with one stand-in model, right and with six faults: ``make measure-peers``, three minutes.

    python -m llm_peers [--corpus layouts|courts] [--tools gleaner,crawl4ai]

The pages are lists of ``benchmarks/layouts`` or, where they are at hand, real lists of courts. Their records hold
single values that the page's text states: what some of the tools can't be asked for is in none. A tool gets the HTML,
or, where it takes text, Markdown that html2text makes of it. Each schema has one field more, which no page states:
right answers leave it null. The results are ``results/peers.json``.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from layouts.split import designs_of
from measure.cases import Case, layout_case, read_cases
from measure.comparing import compare, leaves, without_doubles
from measure.rows import ROOT, Context, find_corpus

from llm_peers.stand_in import FAULT_NAMES, INVENTED, StandIn, given_by

PYTHON = ROOT / ".cache/llm-peers/bin/python"
RESULTS = ROOT / "benchmarks/results/peers.json"
TOOLS = ("gleaner", "crawl4ai", "scrapegraphai", "langextract", "instructor")
PAGES = {"layouts": 20, "courts": 10}
SECONDS, SEED = 900, 1
FEWEST, LARGEST = 10, 60_000
"""Records and characters of HTML of a real list: ten of them take as long as the layouts."""
ALIKE = 40
"""Warnings that begin with so many equal characters are of one kind; what follows repeats the answer."""
EXAMPLES = 2
"""Records in the example that langextract wants."""


def find_cases(corpus: str) -> list[Case]:
    """Give a corpus's lists, evenly drawn: from the layouts to develop on, or from real lists of moderate size."""
    if corpus == "layouts":
        found = [layout_case(one, "develop", SEED) for one in designs_of("develop") if one.is_list]
    else:
        whole = [one for one in read_cases(Context(find_corpus()), corpus) if one.is_whole and one.is_list]
        found = [one for one in whole if len(one.records) >= FEWEST and len(one.html) < LARGEST]
    fitting = [one for one in found if is_flat(one) and is_stated(one)]
    fitting = [one for one in fitting if given_by(one, "a neighbour's value") != one.records]
    count = min(PAGES[corpus], len(fitting))
    return [with_invented(fitting[at * len(fitting) // count]) for at in range(count)]


def is_flat(case: Case) -> bool:
    """Tell whether the records hold single values only."""
    return not any(isinstance(value, list | dict) for one in case.records for value in one.values())


def is_stated(case: Case) -> bool:
    """Tell whether the page states all values but flags."""
    return all(case.text.states(value) for _, value in leaves(case.truth) if not isinstance(value, bool))


def with_invented(case: Case) -> Case:
    """Give the case with the field that no page states."""
    properties = {**case.record_schema["properties"], INVENTED: {"type": ["string", "null"]}}
    schema = {"type": "array", "items": {**case.record_schema, "properties": properties}}
    return replace(case, schema=schema, wanted=[{**one, INVENTED: None} for one in case.records])


def tasks_for(tool: str, server: StandIn) -> list[dict[str, Any]]:
    """Give the tasks of a tool, page by page and fault by fault."""
    made: list[dict[str, Any]] = []
    for page, case in enumerate(server.cases):
        shown = [{**one, INVENTED: None} for one in (case.donors or case.records[::-1])[:EXAMPLES]]
        text = "\n".join("; ".join(str(one) for one in record.values() if one is not None) for record in shown)
        common = {
            "html": case.html,
            "url": case.url,
            "schema": case.record_schema,
            "example": {"text": text, "records": shown},
        }
        made += [{**common, "base_url": server.base_url(tool, page, at)} for at in range(len(FAULT_NAMES))]
    return made


def run_tool(tool: str, server: StandIn) -> dict[str, Any]:
    """Give a tool's version and its answers to all tasks; ``failed`` says why there are none."""
    python = Path(sys.executable) if tool == "gleaner" else PYTHON
    tasks = tasks_for(tool, server)
    warm_up = {**tasks[0], "base_url": server.base_url("warm-up", 0, 0)}
    task = json.dumps({"tool": tool, "tasks": tasks, "warm_up": warm_up})
    script = Path(__file__).with_name("tools.py")
    try:
        done = subprocess.run(
            [str(python), str(script)], input=task, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except (subprocess.TimeoutExpired, OSError) as error:
        return {"failed": str(error)[:300]}
    if done.returncode:
        return {"failed": done.stderr.strip()[-300:]}
    return json.loads(done.stdout)


def counts_of(tool: str, found: dict[str, Any], server: StandIn) -> dict[str, dict[str, float]]:
    """Give what was counted, by fault: see ``count``."""
    answers, width = found["answers"], len(FAULT_NAMES)
    sums: dict[str, dict[str, float]] = {}
    for at, fault in enumerate(FAULT_NAMES):
        counted = [
            count(case, answers[page * width + at], answers[page * width]) for page, case in enumerate(server.cases)
        ]
        sums[fault] = {name: round(sum(one[name] for one in counted), 3) for name in counted[0]}
        for name in ("calls", "tokens_in", "tokens_out"):
            sums[fault][name] = sum(server.counts[tool, page, at, name] for page in range(len(server.cases)))
    return sums


def count(case: Case, answer: dict[str, Any], right: dict[str, Any]) -> dict[str, float]:
    """Count a page: what the tool claims, what it lacks and says of it, wrong values and those served without a word.

    A tool has said something when it raised an error, when its result says that it is not whole or marks a value, or
    when it logged a warning that it does not log on the right answer.
    """
    data = [one for one in answer["data"] or () if isinstance(one, dict)]
    fate = compare(case.wanted, data if answer["told"] else without_doubles(data))
    usual = {line[:ALIKE] for line in right["logged"]}
    has_said = bool(answer["said"]) or any(line[:ALIKE] not in usual for line in answer["logged"])
    lacks = fate.missing > 0
    silent = [] if has_said else [one for one in fate.wrong if one not in answer["told"]]
    return {
        "pages": 1,
        "claimed": not has_said,
        "whole": not has_said and not lacks and not fate.lost and not fate.wrong,
        "lacking": lacks,
        "noticed": lacks and has_said,
        "values": fate.values,
        "right": len(fate.kept),
        "wrong": len(fate.wrong),
        "silent": len(silent),
        "seconds": answer["seconds"],
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write; 1 when the other tools or the pages are not there."""
    parser = argparse.ArgumentParser(prog="llm_peers", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--corpus", choices=PAGES, default="layouts", help="whose pages (default layouts)")
    parser.add_argument(
        "--tools", default=",".join(TOOLS), help="names, separated by commas; what the others gave is kept"
    )
    parser.add_argument("--details", type=Path, help="file for every answer")
    given = parser.parse_args(arguments)
    if not PYTHON.exists():
        print("the other tools are not installed: make measure-peers", file=sys.stderr)
        return 1
    result: dict[str, Any] = {"tools": {}}
    details: dict[str, Any] = {}
    cases = find_cases(given.corpus)
    if not cases:
        print(f"there are no pages of {given.corpus} here", file=sys.stderr)
        return 1
    with StandIn(cases) as server:
        result["pages"] = [case.name for case in server.cases]
        for tool in given.tools.split(","):
            found = details[tool] = run_tool(tool, server)
            if "failed" in found:
                result["tools"][tool] = found
                print(f"{tool}: {found['failed']}")
                continue
            faults = counts_of(tool, found, server)
            result["tools"][tool] = {"version": found["version"], "faults": faults}
            print(tool, found["version"], flush=True)
            for fault, counts in faults.items():
                print(f"  {fault:22}", *(f"{name} {value:g}" for name, value in counts.items()), flush=True)
    if given.details:
        given.details.write_text(json.dumps(details, indent=1, ensure_ascii=False), "utf-8")
    else:
        known = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
        before = known.get(given.corpus, {})
        if before.get("pages") == result["pages"]:
            result["tools"] = {**before["tools"], **result["tools"]}
        RESULTS.write_text(json.dumps({**known, given.corpus: result}, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
