"""The stand-in for a model: it reads the page's text in whatever prompt it gets, and answers by the page's truth.

Served as an OpenAI-compatible server on loopback. The path names the tool, the page and the fault, so that one server
serves all and counts what each was asked. It ignores ``response_format``, as many servers do.
"""

import json
import re
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from gleaner.contracts.ports import ModelAnswer
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer
from gleaner.testing.server import chat_answer
from measure.answering import Answer, Places, Prompt, Reader, shown_of
from measure.cases import Case
from measure.faults import FAULTS, Truth

FAULT_NAMES = (
    "right",
    "one left out",
    "last three left out",
    "a neighbour's value",
    "an invented field",
    "cut off",
    "prose around",
)
INVENTED = "barcode"
"""A field that each schema has and no page states."""
CUT_AT = 0.6
"""Where an answer ends that is cut off: at this share of the characters of the page's whole answer. The limit is one of
characters of an answer, as a real model's is of tokens, so that parts of a page may fit."""
_PAGE_IN = (
    re.compile(r"<url_content>\n(.*)\n</url_content>", re.DOTALL),  # crawl4ai
    re.compile(r"(?:WEBSITE CONTENT:|Content of \d+:)(.*)", re.DOTALL),  # ScrapeGraphAI
    re.compile(r".*\nQ: (.*)\nA: ", re.DOTALL),  # langextract: the last question, behind the examples
    re.compile(r"\nPage:\n(.*)", re.DOTALL),  # the plain prompt
)
CRAWL4AI, _, LANGEXTRACT, _ = range(len(_PAGE_IN))


def given_by(case: Case, fault: str) -> Answer:
    """Give what the model gives for each true record; None for a record that it leaves out."""
    records, middle = case.records, len(case.records) // 2
    if fault == "one left out":
        return [None if at == middle else one for at, one in enumerate(records)]
    if fault == "last three left out":
        return [None if at >= len(records) - 3 else one for at, one in enumerate(records)]
    if fault == "a neighbour's value":
        spoil = next(one.spoil for one in FAULTS if one.name == "neighbours_value")
        change = spoil(Truth(records, case.record_schema), middle, Random(case.name))
        return change.applied(records) if change else records
    if fault == "an invented field":
        random = Random(case.name)
        return [{**one, INVENTED: f"{random.randrange(10**12, 10**13)}"} for one in records]
    return records


def answer_to(case: Case, given: Answer, prompt: str) -> str:
    """Give the answer in the form that the prompt asks for; values that it does not show are null."""
    if "<<<PAGE " in prompt:
        return Reader(case, given=given).say(prompt)
    form, shown = next(
        ((at, found[1]) for at, one in enumerate(_PAGE_IN) if (found := one.search(prompt))), (-1, prompt)
    )
    part = Prompt(shown.replace("\\n", "\n"))  # as a model reads a text that stands there as a literal of a program
    homes = sorted(Places(case).find(part))
    records = [
        {name: shown_of(value, case, part) for name, value in record.items()}
        for at in homes
        if (record := given[at]) is not None
    ]
    if form == CRAWL4AI:
        return f"<blocks>{json.dumps(records, ensure_ascii=False)}</blocks>"
    if form == LANGEXTRACT:
        first = next(iter(case.record_schema["properties"]))
        made = [{"record": str(one[first]), "record_attributes": one} for one in records if one[first] is not None]
        return json.dumps({"extractions": made}, ensure_ascii=False)
    return json.dumps({"records": records}, ensure_ascii=False)


def reply(case: Case, fault: str, prompt: str) -> ModelAnswer:
    """Answer one call with the fault."""
    said, reason = answer_to(case, given_by(case, fault), prompt), "stop"
    if fault == "cut off":
        most = int(CUT_AT * len(json.dumps(case.records, ensure_ascii=False)))
        said, reason = said[:most], "length" if len(said) > most else "stop"
    if fault == "prose around":
        inner = said if said.startswith("<") else f"```json\n{said}\n```"
        said = f"Here is the data that you asked for:\n\n{inner}\n\nLet me know if you need anything else!"
    return ModelAnswer(said, len(prompt) // 4, len(said) // 4, "length" if reason == "length" else "end")


class StandIn(LoopbackServer):
    """Serves the stand-in for these pages; ``counts`` has calls and tokens by tool, page and fault."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self.cases = cases
        self.counts: Counter[tuple[str, int, int, str]] = Counter()
        self.lock = threading.Lock()
        super().__init__(_Handler)

    def base_url(self, tool: str, page: int, fault: int) -> str:
        """Give the base of the OpenAI protocol for one run of a tool; page and fault by their places."""
        return f"{self.url}/{tool}/{page}/{fault}/v1"


class _Handler(LoopbackHandler):
    owner: StandIn

    def do_POST(self) -> None:
        """Answer one call; calls that warm a tool up are not counted."""
        body: Mapping[str, Any] = json.loads(self.read_body())
        tool, page, fault, *_ = self.path.strip("/").split("/")
        texts = (one["content"] for one in body["messages"] if one["role"] in ("system", "user"))
        prompt = "\n".join(text if isinstance(text, str) else "".join(part["text"] for part in text) for text in texts)
        made = reply(self.owner.cases[int(page)], FAULT_NAMES[int(fault)], prompt)
        with self.owner.lock:
            run = (tool, int(page), int(fault))
            self.owner.counts[*run, "calls"] += 1
            self.owner.counts[*run, "tokens_in"] += made.input_tokens
            self.owner.counts[*run, "tokens_out"] += made.output_tokens
        self.answer(200, "application/json", json.dumps(chat_answer(made)).encode())
