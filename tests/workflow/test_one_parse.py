"""A page is read by a parser once in ``chunk``, at most once in ``aggregate``, and nowhere else."""

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from generated_pages import GeneratedPage, make_layout, render_page
from gleaner import Gleaner
from gleaner.html import dom
from gleaner.testing import FunctionModel, ScriptedModel, TrueRecord

from tests.support.schemas import NUMBER, list_of

STATIONS = (Path(__file__).parents[1] / "fixtures/site/stations.html").read_text("utf-8")
FIELDS: dict[str, Any] = {"station": {"type": "string"}, "altitude": NUMBER, "temperature": NUMBER}
ROWS: dict[str, Any] = list_of({"type": "object", "properties": FIELDS, "required": [*FIELDS]})
PAGE, PART = "parse_html", "select_part"
Readings = Counter[tuple[str, str]]


class Reader:
    """Notes by which function, and how, a page's HTML is made a tree; snippets of it do not count."""

    def __init__(self) -> None:
        self.function, self.calls = "", list[tuple[str, str, int]]()

    def on_step(self, name: str, phase: str, _payload: Any) -> None:
        if name in ("chunk_page", "extract_chunk", "aggregate_results"):
            self.function = name if phase == "started" else ""

    def counted(self, name: str, parse: Callable[..., Any]) -> Callable[..., Any]:
        def call(html: str, *more: Any) -> Any:
            self.calls.append((self.function, name, len(html)))
            return parse(html, *more)

        return call

    def of(self, html: str) -> Readings:
        return Counter((of, name) for of, name, size in self.calls if of and size * 2 > len(html))


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    made = Reader()
    for name in (PAGE, PART):
        original = getattr(dom, name)
        for module in [one for key, one in sys.modules.items() if key.startswith("gleaner")]:
            if vars(module).get(name) is original:
                monkeypatch.setattr(module, name, made.counted(name, original))
    return made


Make = Callable[..., Gleaner]
ONCE = Counter({("chunk_page", PAGE): 1, ("aggregate_results", PAGE): 1})


@pytest.mark.req("WF-1", "RC-4")
@pytest.mark.parametrize("selector", [None, "body"])
def test_a_table_or_a_part_of_a_page_is_read_once_to_answer_it_and_once_to_prove_the_answer(
    make: Make, reader: Reader, selector: str | None
) -> None:
    gleaner = make(FunctionModel(lambda _: "[]"), on_step=reader.on_step)
    result = gleaner.extract_html(STATIONS, "https://w.example/", output_schema=ROWS, css_selector=selector)
    assert result.extraction is not None
    assert result.extraction.tier == "structured"
    assert reader.of(STATIONS)["chunk_page", PAGE] == 1
    assert reader.of(STATIONS)["chunk_page", PART] == (selector is not None)
    assert max(reader.of(STATIONS).values()) == 1


@pytest.mark.req("WF-1", "RC-2")
def test_a_page_that_a_recipe_answers_is_read_as_often_as_the_one_it_was_learned_from(
    make: Make, reader: Reader
) -> None:
    layout = make_layout(1, "cards")
    for data, tier in enumerate(("model", "recipe")):
        page = render_page(layout, 12 + data, data=data)
        reader.calls.clear()
        assert answered(make, reader, page, ["recipe", "model"]).tier == tier
        assert reader.of(page.html) <= ONCE
        assert reader.of(page.html)["chunk_page", PAGE] == 1


def answered(make: Make, reader: Reader, page: GeneratedPage, tiers: list[str]) -> Any:
    name = next(iter(page.records[0]))
    model = ScriptedModel([TrueRecord({**record}, (str(record[name]),)) for record in page.records])
    gleaner = make(model, on_step=reader.on_step)
    result = gleaner.extract_html(page.html, page.url, output_schema=page.schema, config={"tiers": tiers})
    assert result.extraction is not None
    assert len(result.extraction.data) == len(page.records)
    return result.extraction


@pytest.mark.req("WF-1", "MD-1")
def test_a_page_of_which_nothing_is_asked_is_read_once(make: Make, reader: Reader) -> None:
    assert make(on_step=reader.on_step).extract_html(STATIONS, "https://w.example/").markdown
    assert reader.of(STATIONS) == Counter({("chunk_page", PAGE): 1})
