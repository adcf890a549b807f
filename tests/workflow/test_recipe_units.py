"""A recipe's answer holds on pages whose pieces are finer or coarser than their records."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.contracts.models import ExtractionResult
from gleaner.testing import ScriptedModel, TrueRecord

from tests.support.asking import Pages
from tests.support.schemas import MAYBE_TEXT, TEXT, object_of, records_of

Record = dict[str, Any]
NAMES = ["ada", "bo", "cy", "di", "eve", "flo", "gus", "hal", "ivy", "jo", "kit", "lou"]
WORDS = ["lamp", "kettle", "drill", "boat", "violin", "tent", "clock"]
TIERS = {"tiers": ["recipe", "model"]}


def posts(page: int) -> list[Record]:
    return [
        {
            "author": f"{name}{page}",
            "text": f"The {WORDS[(at + page) % 7]} of {name} is {at * page + 3} years old, and {WORDS[at % 7]} is not.",
        }
        for at, name in enumerate(NAMES)
    ]


def nested_thread(records: Sequence[Record], page: int) -> str:
    """Posts in posts, without a class; every answer quotes the post above it."""
    html, depth, above = "", -1, [""] * 4
    for at, one in enumerate(records):
        own = 0 if at == 0 else min((at * 5 + page) % 3, depth + 1)
        html += "</div>" * (depth - own + 1)
        quote = f"<blockquote>{above[own - 1]}</blockquote>" if own else ""
        html += f"<div><p><b>{one['author']}</b></p>{quote}<p>{one['text']}</p><p><a href='#r'>reply</a></p>"
        above[own], depth = f"{one['author']} wrote: {one['text']}", own
    return f"<h1>Thread</h1>{html}{'</div>' * (depth + 1)}"


def labelled_paragraphs(records: Sequence[Record], page: int) -> str:
    """Every record a heading and paragraphs, each of which looks like a piece of a list."""
    each = "<div class='well'><h4>{author}</h4><p><b>Says:</b> {text}</p><p><b>Page:</b> {page}</p></div><hr>"
    return "".join(each.format(page=page, **one) for one in records)


def heads_in_lists(records: Sequence[Record], page: int) -> str:
    """Two lists, each with a head built like its rows."""
    row = "<li class='row'><dl><dt>{author}</dt><dd>{text}</dd></dl></li>"
    head = "<ul><li class='header'><dl><dt>{}</dt><dd>Text</dd></dl></li></ul>"
    rows = [row.format(**one) for one in records]
    cut = 3 + page % 2
    return f"{head.format('Pinned')}<ul>{''.join(rows[:cut])}</ul>{head.format('Topics')}<ul>{''.join(rows[cut:])}</ul>"


def pairs_of_rows(records: Sequence[Record], page: int, *, without_class: int = -1) -> str:
    """Two rows of a table for each record, with nothing around them; and one row that leads on."""
    row = "<tr{}><td>{at}.</td><td><b>{author}</b></td></tr><tr><td></td><td>{text}</td></tr><tr class='gap'></tr>"
    classes = ["" if at == without_class else " class='post'" for at in range(len(records))]
    rows = [row.format(css, at=at + 1, **one) for at, (css, one) in enumerate(zip(classes, records, strict=True))]
    more = f"<tr><td></td><td><a href='?page={page + 1}'>More</a></td></tr>"
    return f"<table>{''.join(rows)}{more}</table>"


def sections_with_tables(records: Sequence[Record], page: int) -> str:
    """Every record a section with what it counts and a table of its own, longer on later pages."""
    each = (
        "<div class='forum'><h2>{author}</h2><div class='counts'>{text}</div><p>Total posts: 1,9{at}2</p>{table}</div>"
    )
    row = "<tr><td><a href='#s'>Section {at} of {n}</a></td><td>{n}{at}</td><td>{at} days ago by kargiver</td></tr>"
    tables = ["".join(row.format(at=at, n=n) for n in range(3 + page + at % 3)) for at in range(len(records))]
    heads = "<tr><th>Section</th><th>Posts</th><th>Latest</th></tr>"
    parts = [f"<table>{heads}{table}</table>" for table in tables]
    return "".join(each.format(at=at, table=parts[at], **one) for at, one in enumerate(records))


def ask(home: Path, body: str, page: int, records: Sequence[Record]) -> tuple[ExtractionResult, int]:
    with Pages(home) as pages:
        html = f"<html><body><main>{body}</main><footer>© Board</footer></body></html>"
        schema = records_of(**dict.fromkeys(records[0], TEXT))
        return pages.ask(html, f"https://board.example/list?page={page}", schema, records, by="text")


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize("write", [nested_thread, labelled_paragraphs, heads_in_lists, pairs_of_rows])
def test_only_the_first_page_is_paid_for_whatever_its_pieces_are(
    write: Callable[[Sequence[Record], int], str], tmp_path: Path
) -> None:
    for page in (1, 2, 3):
        found, calls = ask(tmp_path, write(posts(page), page), page, posts(page))
        assert found.data == posts(page)
        assert (found.tier, calls) == (("model", 1) if page == 1 else ("recipe", 0))


@pytest.mark.req("RC-2", "CM-1")
def test_containers_may_hold_more_pieces_where_none_can_hold_two_records(tmp_path: Path) -> None:
    for page in (1, 2, 3):
        found, calls = ask(tmp_path, sections_with_tables(posts(page), page), page, posts(page))
        assert found.data == posts(page)
        assert (found.completeness.expected, found.completeness.returned, found.warnings) == (12, 12, [])
        assert calls == (page == 1)


@pytest.mark.req("RC-2")
def test_a_record_that_has_slipped_into_the_container_of_another_is_not_lost(tmp_path: Path) -> None:
    ask(tmp_path, labelled_paragraphs(posts(1), 1), 1, posts(1))
    body = labelled_paragraphs(posts(2), 2).replace("</div><hr><div class='well'><h4>cy2", "<h4>cy2")
    found, _ = ask(tmp_path, body, 2, posts(2))
    assert found.data == posts(2) or found.is_partial
    assert found.tier == "model"


@pytest.mark.req("RC-2")
def test_a_record_outside_of_all_containers_is_not_lost(tmp_path: Path) -> None:
    ask(tmp_path, heads_in_lists(posts(1), 1), 1, posts(1))
    body = heads_in_lists(posts(2), 2).replace("<li class='row'><dl><dt>cy2", "<li class='fresh'><dl><dt>cy2")
    found, _ = ask(tmp_path, body, 2, posts(2))
    assert found.data == posts(2)


@pytest.mark.req("RC-2", "CM-1")
@pytest.mark.parametrize("lost", [1, 6, 11])
def test_a_record_that_does_not_begin_as_others_do_is_not_taken_for_a_part_of_the_one_before(
    tmp_path: Path, lost: int
) -> None:
    ask(tmp_path, pairs_of_rows(posts(1), 1), 1, posts(1))
    known, calls = ask(tmp_path, pairs_of_rows(posts(2), 2), 2, posts(2))
    assert (known.tier, calls) == ("recipe", 0)
    found, _ = ask(tmp_path, pairs_of_rows(posts(3), 3, without_class=lost), 3, posts(3))
    assert found.tier == "model" and found.data == posts(3)


def told(name: str, prose: str) -> str:
    return f"<main><h1>{name}</h1><dl><dt>Stuff</dt><dd>oak {name[:2]}</dd></dl><p>{prose}</p></main>"


@pytest.mark.req("RC-1", "RC-2")
def test_a_recipe_that_would_misread_a_page_which_a_model_has_read_is_not_kept(make: Callable[..., Gleaner]) -> None:
    schema = object_of("name", "stuff", "person", name=TEXT, stuff=TEXT, person=MAYBE_TEXT)
    tiers: list[str] = []
    prose = (
        "Bo drew Ada Roe, Ada Roe drew Bo.",
        "It is for rain.",
        "Two fit a van.",
        "We like it a lot.",
        "Not for days of wind.",
    )
    for at, (name, text) in enumerate(zip(("Fern", "Gorse", "Larch", "Rowan", "Hazel"), prose, strict=True)):
        person = "Ada Roe" if "Ada" in text else None
        model = ScriptedModel([TrueRecord({"name": name, "stuff": f"oak {name[:2]}", "person": person}, (name,))])
        model.wrap = lambda records: records[0]
        asked: dict[str, Any] = {"output_schema": schema, "config": TIERS}
        result = make(model).extract_html(told(name, text), f"https://shop.example/{at}", **asked)
        assert result.extraction is not None
        tiers.append(result.extraction.tier)
    assert tiers == ["model"] * 5
