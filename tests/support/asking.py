"""Pages that are asked about through the library's door, with models whose answers a test writes down."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import pytest
from gleaner import Gleaner
from gleaner.local.engine import scaled_retry_waits
from gleaner.models import ExtractionResult, ScrapeResult
from gleaner.testing import FunctionModel, ScriptedModel, TrueRecord

Make = Callable[..., Gleaner]


def bullets(*texts: str) -> str:
    """Give a list in HTML."""
    return f"<ul>{''.join(f'<li>{text}</li>' for text in texts)}</ul>"


def table(head: Sequence[Any], *rows: Sequence[Any]) -> str:
    """Give a table in HTML, its head first; without a head where that is empty."""
    lines = ["".join(f"<th>{cell}</th>" for cell in head)] if head else []
    lines += ["".join(f"<td>{cell}</td>" for cell in row) for row in rows]
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def answered(home: Path, html: str, schema: Any, *answers: Any, **asked: Any) -> tuple[ScrapeResult, list[str]]:
    """Extract from a page with a model that gives the answers in turn, the last one ever after; give its prompts, too.

    An answer is data, or a function that makes it of what the prompt shows of the page.
    """

    def answer(prompt: str) -> str:
        given = answers[min(len(model.prompts), len(answers)) - 1]
        return json.dumps(given(prompt.rpartition("<<<PAGE")[2]) if callable(given) else given)

    model = FunctionModel(answer)
    url = asked.pop("url", "https://site.example/page")
    with Gleaner(model=model, home=home) as gleaner:
        return gleaner.extract_html(html, url, output_schema=schema, **asked), model.prompts


class Pages:
    """One installation that is asked for page after page, with a model that knows the records of each."""

    def __init__(self, home: Path, model: ScriptedModel | None = None) -> None:
        self.model = model or ScriptedModel([])
        self.gleaner = Gleaner(model=self.model, home=home)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.gleaner.close()

    def ask(
        self, html: str, url: str, schema: Any, records: Sequence[Any], *, by: str = "", mark: str = "{}", **more: Any
    ) -> tuple[ExtractionResult, int]:
        """Give the extraction and the number of calls.

        A record is where its field ``by``, or else its first one, stands on the page, as ``mark`` has it.
        """
        marks = (mark.format(one[by] if by else next(iter(one.values()))) for one in records)
        self.model.truth = [TrueRecord({**one}, (said,)) for one, said in zip(records, marks, strict=True)]
        before = len(self.model.requests)
        more.setdefault("config", {"tiers": ["recipe", "model"]})
        result = self.gleaner.extract_html(html, url, output_schema=schema, **more)
        assert result.extraction is not None
        return result.extraction, len(self.model.requests) - before


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[Pages]:
    with Pages(tmp_path / "home") as made:
        yield made


@pytest.fixture(autouse=True)
def no_waiting() -> Iterator[None]:
    """Let retries not wait."""
    with scaled_retry_waits(0):
        yield


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes a Gleaner with a model and settings; all that a test makes share one data folder, and are closed."""
    with ExitStack() as opened:

        def build(model: Any = None, **options: Any) -> Gleaner:
            return opened.enter_context(Gleaner(model=model, home=tmp_path / "home", **options))

        yield build
