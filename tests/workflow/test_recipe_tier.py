"""A layout is paid for once: the next pages, and the rest of a long page, need no model (promise 3)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from generated_pages import GeneratedPage, Layout, generate_page, make_layout, mutate_layout, render_page
from gleaner import Gleaner
from gleaner.contracts.models import ExtractionResult
from gleaner.testing import ScriptedModel, TrueRecord
from gleaner.wrappers import RecipeBook, same_data

Make = Callable[[GeneratedPage], tuple[Gleaner, ScriptedModel]]
TIERS = {"tiers": ["recipe", "model"]}


@pytest.fixture
def make(make: Callable[..., Gleaner]) -> Make:
    def build(page: GeneratedPage) -> tuple[Gleaner, ScriptedModel]:
        name = next(iter(page.records[0]))
        model = ScriptedModel([TrueRecord({**record}, (str(record[name]),)) for record in page.records])
        model.wrap = None if page.is_list else lambda records: records[0] if records else None
        return make(model), model

    return build


def run(make: Make, page: GeneratedPage, **request: Any) -> tuple[ExtractionResult, ScriptedModel]:
    gleaner, model = make(page)
    asked: dict[str, Any] = {"output_schema": page.schema, "config": TIERS, **request}
    result = gleaner.extract_html(page.html, page.url, **asked)
    assert result.extraction is not None
    return result.extraction, model


def is_right(extraction: ExtractionResult, page: GeneratedPage) -> bool:
    if not page.is_list:
        return same_data(extraction.data, page.truth)
    return len(extraction.data) == len(page.records) and all(map(same_data, extraction.data, page.records))


@pytest.mark.req("RC-2", "EX-6")
@pytest.mark.parametrize("count", [12, 120])
@pytest.mark.parametrize("name", ["learn_from", "replay", "misreads"])
def test_a_fault_of_ours_in_learning_or_replaying_loses_no_answer(
    make: Make, monkeypatch: pytest.MonkeyPatch, name: str, count: int
) -> None:
    def fail(*_args: Any, **_options: Any) -> None:
        raise RuntimeError("a page that nobody thought of")

    layout = make_layout(1, "cards")
    assert run(make, render_page(layout, 20))[0].tier == "model"
    for module in ("recipe_tier", "samples"):
        monkeypatch.setattr(f"gleaner.tiers.{module}.{name}", fail, raising=False)
    page = render_page(layout, count, data=2)
    extraction, _ = run(make, page)
    assert is_right(extraction, page)
    assert not extraction.is_partial


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize(("kind", "seed"), [("cards", 1), ("table", 2), ("definition", 4)])
def test_only_the_first_page_of_a_layout_is_paid_for(make: Make, kind: Any, seed: int) -> None:
    layout = make_layout(seed, kind)
    first, _ = run(make, render_page(layout, 20))
    assert first.tier == "model"
    for data in (1, 2):
        page = render_page(layout, 15 + data, data=data)
        after, model = run(make, page)
        assert (after.tier, len(model.requests), after.usage.calls) == ("recipe", 0, 0)
        assert is_right(after, page)
        assert not after.is_partial
        assert after.completeness.expected == len(page.records)
        assert {entry.status for entry in after.provenance} <= {"verbatim", "normalized", "inferred"}
        assert after.extraction_id == first.extraction_id


@pytest.mark.req("RC-2")
def test_a_tier_that_is_not_asked_for_is_not_used(make: Make) -> None:
    layout = make_layout(1, "cards")
    run(make, render_page(layout, 20))
    after, model = run(make, render_page(layout, 20, data=1), config={"tiers": ["model"]})
    assert (after.tier, len(model.requests)) == ("model", 1)


def redesigned(layout: Layout) -> Layout:
    return mutate_layout(layout, "redesign", seed=3)


def with_a_field_less(layout: Layout) -> Layout:
    return mutate_layout(layout, "remove_field")


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("change", [redesigned, with_a_field_less])
def test_drift_goes_to_the_model_and_the_recipe_is_learned_again(
    make: Make, change: Callable[[Layout], Layout]
) -> None:
    layout = make_layout(1, "cards")
    first, _ = run(make, render_page(layout, 20))
    drifted = render_page(change(layout), 20, data=1)
    second, model = run(make, drifted)
    assert (second.tier, len(model.requests)) == ("model", 1)
    assert is_right(second, drifted)
    third_page = render_page(change(layout), 20, data=2)
    third, model = run(make, third_page)
    assert (third.tier, len(model.requests)) == ("recipe", 0)
    assert is_right(third, third_page)
    gleaner, _ = make(third_page)
    history = RecipeBook(gleaner.services.table).history(str(first.extraction_id))
    assert (history["hits"], history["misses"], history["repairs"]) == (1, 1, 1)


@pytest.mark.req("RC-3")
@pytest.mark.parametrize(
    ("kind", "seed", "counts"),
    [("table", 1, (450, 650)), ("cards", 14000, (450,)), ("cards", 84000, (450,)), ("list", 10002, (450,))],
)
def test_a_long_page_costs_one_call_whatever_its_length(
    make: Make, kind: Any, seed: int, counts: tuple[int, ...]
) -> None:
    tokens: list[int] = []
    for count in counts:
        page = generate_page(seed, kind, records=count)
        found, model = run(make, page, query=f"all {count}")
        assert len(model.requests) == 1
        assert is_right(found, page)
        assert not found.is_partial
        assert found.completeness.expected == count
        tokens.append(found.usage.input_tokens + found.usage.output_tokens)
    assert abs(tokens[0] - tokens[-1]) < 0.1 * tokens[0]


@pytest.mark.req("RC-3", "CM-1")
def test_what_the_sample_does_not_explain_is_asked_of_the_model(make: Make) -> None:
    page = generate_page(1, "cards", records=120)
    at = page.html.rindex(str(page.records[60][page.layout.order[0]]))
    box = page.html.rindex("<h", 0, at)
    changed = page.html[:box] + "<h6>New</h6>" + page.html[box:]
    odd = GeneratedPage(changed, page.records, page.schema, page.kind, page.url, page.title, page.layout)
    found, _ = run(make, odd)
    assert is_right(found, odd)
    assert not found.is_partial


@pytest.mark.req("RC-3")
def test_a_short_page_and_a_request_without_recipes_are_read_whole_by_the_model(make: Make) -> None:
    page = generate_page(1, "table", records=120)
    found, model = run(make, page, config={"tiers": ["model"]})
    assert is_right(found, page)
    assert str(page.records[-1][page.layout.order[0]]) in model.requests[0].prompt


@pytest.mark.req("RC-1", "RC-5")
@pytest.mark.parametrize(
    ("kind", "seed", "pages"), [("cards", 7000, 20), ("table", 7001, 7), ("list", 7003, 7), ("definition", 7004, 7)]
)
def test_the_pages_of_one_layout_cost_the_calls_of_one_or_two(make: Make, kind: Any, seed: int, pages: int) -> None:
    layout = make_layout(seed, kind)
    paid = 0
    for data in range(pages):
        page = render_page(layout, 8, data=data)
        found, model = run(make, page)
        paid += len(model.requests)
        assert is_right(found, page)
    assert paid <= 2


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize(("kind", "seed", "most"), [("detail", 7000, 3), ("detail", 7001, 8), ("article", 7000, 2)])
def test_pages_about_one_thing_are_paid_for_until_their_layout_is_known(
    make: Make, kind: Any, seed: int, most: int
) -> None:
    layout = make_layout(seed, kind)
    paid = 0
    for data in range(12):
        page = render_page(layout, data=data)
        found, model = run(make, page)
        paid += len(model.requests)
        assert is_right(found, page)
        assert not found.is_partial
    assert paid <= most


@pytest.mark.req("RC-1")
def test_a_field_that_the_first_page_does_not_have_is_learned_when_a_later_page_has_it(make: Make) -> None:
    layout = make_layout(1, "cards")
    name = layout.order[2]
    bare = replace(layout, order=tuple(one for one in layout.order if one != name))
    run(make, render_page(bare, 20))
    full = render_page(layout, 20, data=1)
    found, model = run(make, full)
    assert (len(model.requests), is_right(found, full)) == (1, True)
    for shown in (layout, bare):
        page = render_page(shown, 20, data=2)
        found, model = run(make, page)
        assert (found.tier, len(model.requests), is_right(found, page)) == ("recipe", 0, True)
