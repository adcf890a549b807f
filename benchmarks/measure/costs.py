"""What a page costs beside time: how often its HTML is parsed, and how many of the core's functions run for it.

Both are exact counts of one whole job, from the request to the result with a model that answers right, so that they
are the same on every machine.
"""

import sys
import threading
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import gleaner
from lxml import etree
from selectolax.lexbor import LexborHTMLParser

from measure.answering import Reader
from measure.asking import PAID_TIERS, installation
from measure.cases import Case, attempt, read_cases
from measure.counting import Tally, ratio
from measure.rows import Context, Row

PACKAGE = str(Path(gleaner.__file__).parent)
CORPORA = {"courts": 3, "real_pages": 3, "products": 3, "tables": 3, "layouts": 6, "own": 3}
"""Pages of each corpus whose cost is counted."""

WHOLE = 0.5
"""Share of a page's HTML from which a parsed text counts as the page: fragments and pieces are shorter."""


@dataclass(slots=True)
class Cost:
    """What was counted: parses of texts as long as the page, and the functions of the package that ran."""

    length: int = 0
    parses: int = 0
    functions: set[CodeType] = field(default_factory=set[CodeType])

    def begin(self, length: int) -> None:
        """Count anew, for a page of so many characters of HTML."""
        self.length, self.parses = length, 0
        self.functions.clear()

    def note_parse(self, text: str | bytes, caller: FrameType) -> None:
        """Count a parse if it is one of the whole page and the package's own: the replaying model reads pages, too."""
        self.parses += len(text) >= WHOLE * self.length and caller.f_code.co_filename.startswith(PACKAGE)


@contextmanager
def counted() -> Generator[Cost]:
    """Count what runs in a block, in its thread and in those that start there; older threads tell nothing."""
    cost = Cost()

    def profile(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGE):
            cost.functions.add(frame.f_code)

    class CountedParser(LexborHTMLParser):
        def __init__(self, text: str | bytes, *more: Any, **named: Any) -> None:
            cost.note_parse(text, sys._getframe(1))
            super().__init__(text, *more, **named)

    original: Callable[..., Any] = etree.fromstring

    def fromstring(text: str | bytes, *more: Any, **named: Any) -> Any:
        cost.note_parse(text, sys._getframe(1))
        return original(text, *more, **named)

    homes = [module for name, module in [*sys.modules.items()] if name.startswith("gleaner.")]
    homes = [module for module in homes if vars(module).get("LexborHTMLParser") is LexborHTMLParser]
    etree.fromstring = fromstring  # pyright: ignore[reportAttributeAccessIssue]
    for module in homes:
        vars(module)["LexborHTMLParser"] = CountedParser
    threading.setprofile(profile)
    sys.setprofile(profile)
    try:
        yield cost
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # pyright: ignore[reportArgumentType]
        etree.fromstring = original  # pyright: ignore[reportAttributeAccessIssue]
        for module in homes:
            vars(module)["LexborHTMLParser"] = LexborHTMLParser


def count_cost(case: Case, cost: Cost) -> Tally:
    """Give the counts of a page. One is asked for before it, so that what is imported or cached at first is no cost."""
    with installation() as asked:
        asked.ask(case, Reader(case), PAID_TIERS)
    with installation() as asked:
        cost.begin(len(case.html))
        asked.ask(case, Reader(case), PAID_TIERS)
    return Counter(pages=1, parses=cost.parses, functions=len(cost.functions))


def cases(context: Context) -> Iterator[Case]:
    """Give the pages whose cost is counted: of each corpus the first ones that are asked for data."""
    for corpus, most in CORPORA.items():
        found = (case for case in read_cases(context, corpus) if case.schema is not None and case.part == "develop")
        yield from (case for _, case in zip(range(1 if context.quick else most), found, strict=False))


def measure(context: Context) -> Sequence[Row]:
    """Give the mean number of parses and of functions."""
    tally: Tally = Counter()
    with counted() as cost:
        for case in cases(context):
            tally += (
                attempt(context, f"{case.corpus}/{case.name}", lambda case=case: count_cost(case, cost)) or Counter()
            )
    (parses, parses_of), (functions, functions_of) = (
        ratio(name, "pages", called="pages")(tally) for name in ("parses", "functions")
    )
    return [
        Row("costs.parses", "parses of its HTML a page, mean", parses, "ratio", "lower", 0.2, parses_of),
        Row(
            "costs.functions",
            "functions of the core that run for a page, mean",
            functions,
            "count",
            "lower",
            60,
            functions_of,
        ),
    ]
