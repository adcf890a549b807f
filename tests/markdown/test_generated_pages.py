"""The generated pages that tests and benchmarks stand on: repeatable, true to their ground truth, changeable."""

import pytest
from generated_pages import (
    KINDS,
    LIST_KINDS,
    MUTATIONS,
    Mutation,
    PageKind,
    generate_page,
    make_layout,
    mutate_layout,
    render_page,
)
from gleaner.schemas import is_valid
from lxml import html


def text_of(markup: str) -> str:
    return " ".join(html.document_fromstring(markup).text_content().split())


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_page(kind: PageKind) -> None:
    assert generate_page(3, kind, 8).html == generate_page(3, kind, 8).html
    assert generate_page(3, kind, 8).html != generate_page(4, kind, 8).html


@pytest.mark.parametrize("kind", KINDS)
def test_the_truth_obeys_the_schema_and_is_on_the_page(kind: PageKind) -> None:
    for seed in range(10):
        page = generate_page(seed, kind, 6, links=seed % 2 == 0)
        text = text_of(page.html)
        assert is_valid(page.schema, page.truth)
        assert all(str(next(iter(record.values()))) in text for record in page.records)


@pytest.mark.parametrize("kind", LIST_KINDS)
def test_as_many_records_as_asked_for(kind: PageKind) -> None:
    assert len(generate_page(1, kind, 17, twins=2).records) == 17


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_each_mutation_changes_the_page_and_keeps_the_schema(mutation: Mutation) -> None:
    layout = make_layout(5, "cards")
    before, after = render_page(layout, 9), render_page(mutate_layout(layout, mutation), 9)
    unclassed = layout.class_style in ("none",) and mutation == "rename_classes"
    assert unclassed or before.html != after.html
    assert before.schema == after.schema
    assert is_valid(after.schema, after.truth)


def test_a_removed_field_is_null_in_the_truth() -> None:
    layout = make_layout(5, "table")
    after = mutate_layout(layout, "remove_field")
    gone = set(layout.order) - set(after.order)
    assert len(gone) == 1
    assert all(record[gone.copy().pop()] is None for record in render_page(after, 9).records)


def test_added_rows_are_in_the_truth() -> None:
    layout = make_layout(5, "list")
    assert len(render_page(mutate_layout(layout, "more_rows"), 9).records) > 9


def test_twins_are_equal_in_every_field() -> None:
    records = [tuple(record.values()) for record in generate_page(2, "table", 10, twins=3).records]
    assert len(set(records)) == 7
