"""A long page is read by a sample, and where its recipe is in doubt by a second one (RC-3)."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.contracts.models import ExtractionResult
from gleaner.testing import ScriptedModel, TrueRecord
from gleaner.wrappers import same_data

from tests.support.schemas import INTEGER, TEXT, object_of

Record = dict[str, Any]
ITEM: Record = object_of("title", "views", "author", title=TEXT, views=INTEGER, author=TEXT)
SCHEMA: Record = {"type": "array", "items": ITEM}
TIERS = {"tiers": ["recipe", "model"]}
WORDS = ("lantern", "harbor", "teapot", "orchard", "violin", "kettle", "ledger")
TALK = "Who has seen one like it, and where would you put it? " * 6
"""What makes 120 posts too long for one prompt."""

NOTE = f"<small>{TALK}</small>"


def topics(count: int) -> list[Record]:
    return [
        {
            "title": f"On the {WORDS[n % 7]} {n * 37 + 1000}",
            "views": n * 7919 % 4000 + 3,
            "author": f"{WORDS[n % 5]}{n}",
        }
        for n in range(count)
    ]


def post(n: int, one: Record) -> str:
    return (
        f'<div class="thing id-{n * 31} link"><p class="title"><a href="/t/{n}">{one["title"]}</a></p>'
        f'<p>by <b class="author">{one["author"]}</b>, <i class="views">{one["views"]} views</i></p><p>{TALK}</p></div>'
    )


def with_adverts(records: Sequence[Record]) -> str:
    advert = (
        '<div class="thing promoted"><p class="title"><a href="/ad">The best mattress</a></p><p>by sleepco</p></div>'
    )
    return "".join(post(n, one) + advert * (n % 10 == 4) for n, one in enumerate(records))


def with_a_head_in_between(records: Sequence[Record]) -> str:
    posts = [post(n, one) for n, one in enumerate(records)]
    head = '<div class="thing head"><p>Older posts</p><p>of members only</p></div>'
    return "".join([*posts[:60], head, *posts[60:]])


def with_other_authors_later(records: Sequence[Record]) -> str:
    posts = [post(n, one) for n, one in enumerate(records)]
    return "".join(one.replace("</b>", "</b><b class='author'></b>") if n > 60 else one for n, one in enumerate(posts))


def with_a_sponsored_one_later(records: Sequence[Record]) -> str:
    posts = [post(n, one) for n, one in enumerate(records)]
    paid = {"title": "The best mattress", "views": 99, "author": "sleepco"}
    advert = post(999, paid).replace("<p>by", "<p><i>Sponsored</i> by")
    return "".join([*posts[:105], advert, *posts[105:]])


def with_a_total(records: Sequence[Record]) -> str:
    return "<p>1,204 posts</p>" + "".join(post(n, one) for n, one in enumerate(records))


def as_cells_of_a_grid(records: Sequence[Record]) -> str:
    heads = "".join(f"<div class=h>{head}</div>" for head in ("Title", "Author", "Views"))
    cells = (
        f"<div class='c first'>{one['title']} {NOTE}</div><div class=c>{one['author']}</div>"
        f"<div class=c>{one['views']}</div>"
        for one in records
    )
    return f"<div class=grid>{heads}{''.join(cells)}</div>"


def as_rows_of_pieces(records: Sequence[Record]) -> str:
    rows = (
        f"<div class=row><div class=cell><b>Title</b> {one['title']} {NOTE}</div>"
        f"<div class=cell><b>Author</b> {one['author']}</div><div class=cell><b>Views</b> {one['views']}</div></div>"
        for one in records
    )
    return f"<div class=rows>{''.join(rows)}</div>"


def read(make: Callable[..., Gleaner], body: str, records: Sequence[Record]) -> tuple[ExtractionResult, ScriptedModel]:
    model = ScriptedModel([TrueRecord(one, (one["title"],)) for one in records])
    html = f"<html><head><title>Topics</title></head><body><main>{body}</main></body></html>"
    url = "https://board.example/topics"
    found = make(model).extract_html(html, url, output_schema=SCHEMA, config=TIERS).extraction  # type: ignore[arg-type]
    assert found is not None
    return found, model


@pytest.mark.req("RC-3", "CM-1")
@pytest.mark.parametrize(
    ("draw", "most"),
    [
        (with_adverts, 1),
        (with_a_head_in_between, 2),
        (with_other_authors_later, 2),
        (with_a_sponsored_one_later, 2),
        (as_cells_of_a_grid, 1),
        (as_rows_of_pieces, 1),
    ],
)
def test_a_long_page_costs_a_sample_and_one_more_where_it_goes_on_otherwise(
    make: Callable[..., Gleaner], draw: Callable[[Sequence[Record]], str], most: int
) -> None:
    records = topics(120)
    found, model = read(make, draw(records), records)
    assert not found.is_partial
    assert same_data(found.data, [*records])
    assert len(model.requests) == found.usage.calls == most
    assert not any(records[-1]["title"] in one.prompt for one in model.requests)


@pytest.mark.req("RC-3", "CM-1")
def test_a_record_that_the_model_leaves_out_of_a_sample_is_missed(make: Callable[..., Gleaner]) -> None:
    records = topics(8)
    rows = "".join(f"<tr><td>{one['title']}<td>{one['author']}<td>{one['views']}" for one in records)
    notes = "".join(f"<li>Note {n}: {TALK}" for n in range(120))
    page = f"<table><tr><th>Title<th>Author<th>Views{rows}</table><h2>Notes</h2><ul>{notes}</ul>"
    found, _ = read(make, page, [*records[:4], *records[5:]])
    assert found.is_partial
    assert any(str(records[4]["title"]) in one.text for one in found.completeness.missing)


@pytest.mark.req("RC-3", "CM-1")
def test_a_long_page_that_states_more_than_it_shows_says_so_and_costs_a_sample(make: Callable[..., Gleaner]) -> None:
    records = topics(120)
    found, model = read(make, with_a_total(records), records)
    assert found.is_partial
    assert (found.completeness.expected, found.completeness.returned) == (1204, 120)
    assert same_data(found.data, [*records])
    assert len(model.requests) == 1


@pytest.mark.req("RC-3")
def test_a_short_page_of_records_with_many_pieces_is_read_whole(make: Callable[..., Gleaner]) -> None:
    records = [
        {"title": f"{WORDS[n % 7].title()} {n + 100}", "views": n * 31 + 7, "author": f"Ada{n}"} for n in range(30)
    ]
    cards = "".join(
        f'<div class="card"><h3>{one["title"]}</h3><p>{one["views"]} views</p><p>Sale</p>'
        f"<p>Author: {one['author']}</p></div>"
        for one in records
    )
    found, model = read(make, cards, records)
    assert found.data == records
    assert len(model.requests) == 1
    assert all(str(one["title"]) in model.requests[0].prompt for one in records)
