"""Signs that a list goes on where the page does not show it: what they make of a result."""

import json
from collections import Counter
from collections.abc import Iterator

import pytest
from gleaner import Gleaner
from gleaner.contracts.models import Completeness, ExtractionResult
from gleaner.page.continuations import warn_of_more_pages
from gleaner.page.model import Nodes
from gleaner.page.opening import open_page
from gleaner.testing import FunctionModel

from tests.support.schemas import TEXT, records_of

ITEMS = "".join(f"<li><h3>Tree {number}</h3><p>{number + 3} €</p></li>" for number in range(6))
LIST = f"<ul>{ITEMS}</ul>"


def told_of(html: str, *, returned: int = 6, skipped: int = 0, warnings: tuple[str, ...] = ()) -> ExtractionResult:
    completeness = Completeness(expected=returned, returned=returned, skipped=skipped, method="units")
    result = ExtractionResult(completeness=completeness, warnings=list(warnings))
    warn_of_more_pages(result, open_page(html).continuations)
    return result


@pytest.mark.req("CM-1")
@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (LIST + "<button>Load 12 more</button>", 18),
        (f"<ul>{ITEMS}<li>and 12 others</li></ul>", 18),
        (f"<ul>{ITEMS}<li>und 12 weitere</li></ul>", 18),
        (LIST + "<p>+12 more</p>", 18),
        (LIST + "<p>ほか12件</p>", 18),
        (LIST + "<button>Load another 12 products</button>", 18),
        (LIST + "<button>Voir 12 autres annonces</button>", 18),
        (LIST.replace("<li>", "<li aria-setsize=137>"), 137),
        (LIST.replace("<ul>", "<ul data-gleaner-room=6/137>"), 137),
        (f"<table aria-rowcount=137><tr><th>Name</tr>{'<tr><td>x</tr>' * 6}</table>", 136),
        (f"<div role=grid aria-rowcount=137>{'<div role=row><b>x</b></div>' * 6}</div>", 137),
        (
            "<div role=grid aria-rowcount=138><div role=row><i></i><div role=columnheader>Name</div></div>"
            f"{'<div role=row><div role=gridcell>x</div></div>' * 6}</div>",
            137,
        ),
    ],
)
def test_a_number_of_records_that_are_not_shown_makes_the_result_short(html: str, expected: int) -> None:
    result = told_of(html)
    assert result.is_partial
    assert (result.completeness.expected, result.completeness.method) == (expected, "stated_total")
    assert result.warnings[0].startswith(f"6 of {expected} records")


@pytest.mark.req("CM-1")
@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("<p>and 12 more trees</p>", 18), ("<button>Show 12 more</button>", 18),
        ("<button>Load 12 more products</button>", 18), ("<button>Weitere 12 Artikel laden</button>", 18),
        ("<p>and 12 more brands</p>", 6), ("<aside><p>+12 more</p></aside>", 6),
        ("<div class=filters>+12 more</div>", 6),
        ("<footer><a href=/l>Show 12 more languages</a></footer>", 6), ("<h2>Brands</h2><p>Elm</p><p>+12 more</p>", 6),
    ],
)  # fmt: skip
def test_what_is_more_is_records_or_says_of_what(tmp_path, more: str, expected: int) -> None:
    schema = {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}
    model = FunctionModel(lambda _: json.dumps([{"name": f"Tree {number}"} for number in range(6)]))
    with Gleaner(model=model, home=tmp_path) as gleaner:
        page = f"<h1>Trees</h1>{LIST}{more}"
        result = gleaner.extract_html(page, "https://shop.example/", query="all trees", output_schema=schema)
    assert result.extraction
    assert (result.extraction.completeness.expected, result.extraction.is_partial) == (expected, expected > 6)


@pytest.mark.req("CM-1")
@pytest.mark.parametrize(
    "more",
    [
        "<button>Show more</button>", "<a href='#'>Mehr anzeigen</a>",
        "<button aria-label='Load more'><svg></svg></button>",
        "<p>…</p>", "<a href='/all'>View all (137)</a>", "<a href='?p=2'>Next</a>", "<a rel=next href='?p=2'>›</a>",
        "<link rel=next href='?p=2'>", "<a href='?p=2'>次へ</a>",
        "<div role=tabpanel hidden>Elm table 420 €, Fir ladder</div>",
        f"<div role=tabpanel style='display:none'>{LIST}</div>",
    ],
)  # fmt: skip
def test_a_sign_without_a_number_is_a_warning(more: str) -> None:
    result = told_of(LIST + more)
    assert not result.is_partial
    assert len(result.warnings) == 1
    assert "goes on" in result.warnings[0] or "next page" in result.warnings[0] or "not read" in result.warnings[0]


@pytest.mark.req("CM-1")
@pytest.mark.parametrize(
    "html",
    [
        LIST,
        f"<ul>{ITEMS.replace('</li>', '<i>+3 more</i></li>')}</ul>",
        f"<ul>{ITEMS.replace('</li>', '<i>+3 more</i></li>', 1)}</ul>",
        f"<ul>{ITEMS.replace('</li>', '<a>Show more</a></li>')}</ul>",
        LIST + "<button hidden>Show more</button>",
        LIST + "<script>Show more</script>",
        LIST + "<a aria-disabled=true href='#'>Next</a><a>Next</a><button disabled>Next</button>",
        LIST + "<p>2 more photos</p>",
        LIST + "<div><a>Show more</a></div><p><a>Show more</a></p><section><a>Show more</a></section>",
        LIST + "<ul role=tablist><li aria-setsize=9>a</li></ul>",
        LIST + "<ul><li aria-setsize=90>a</li><li aria-setsize=90>b</li></ul>",
        LIST.replace("<li>", "<li aria-setsize=6>"),
        LIST.replace("<li>", "<li aria-setsize=-1>"),
        LIST + "<div role=tabpanel>An open tab with its text</div>",
    ],
)
def test_what_is_about_one_item_or_leads_nowhere_is_no_sign(html: str) -> None:
    result = told_of(html)
    assert not result.is_partial
    assert result.warnings == []


def test_many_pagers_in_one_place_are_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    count, children, steps = 600, Nodes.children, Counter[int]()

    def counted(nodes: Nodes, node: int) -> Iterator[int]:
        for child in children(nodes, node):
            steps[node] += 1
            yield child

    monkeypatch.setattr(Nodes, "children", counted)
    pagers = "".join(f"<div>{at} <a href='?p={at}'>Next</a></div>" for at in range(count))
    assert not open_page(f"<main>{pagers}</main>").continuations
    assert max(steps.values()) == count


def test_what_the_page_says_of_its_range_says_enough() -> None:
    said = ('The listing has 137 records in all ("1–6 of 137"); this page shows 6.',)
    assert told_of(LIST + "<a href='?p=2'>Next</a>", warnings=said).warnings == list(said)


def test_what_was_passed_over_on_purpose_is_not_expected() -> None:
    assert told_of(LIST.replace("<li>", "<li aria-setsize=137>"), returned=4, skipped=2).completeness.expected == 135


@pytest.mark.req("CM-1", "RC-1")
def test_a_list_that_goes_on_is_partial_and_paid_for_once(tmp_path) -> None:
    schema = records_of(name=TEXT)
    calls: list[str] = []

    def answer(prompt: str) -> str:
        calls.append(prompt)
        return json.dumps([{"name": f"Tree {number}"} for number in range(60) if f"Tree {number}\n" in prompt])

    with Gleaner(model=FunctionModel(answer), home=tmp_path) as gleaner:
        for page in range(3):
            items = "".join(f"<li><h3>Tree {10 * page + at}</h3><p>{at} €</p></li>" for at in range(6))
            html = f"<h1>Trees</h1><ul>{items}</ul><button>Load 12 more</button>"
            url = f"https://shop.example/trees?p={page}"
            result = gleaner.extract_html(html, url, query="all trees", output_schema=schema, extraction_id="trees")
            assert (result.status, result.extraction and result.extraction.completeness.expected) == ("partial", 18)
    assert len(calls) == 1


@pytest.mark.req("CM-1")
@pytest.mark.parametrize(
    ("query", "status", "doubt"),
    [
        ("all navigation links", "partial", True),
        ("all menu entries", "complete", True),
        ("all trees", "complete", False),
    ],
)
def test_a_question_about_what_the_text_leaves_out_is_in_doubt(tmp_path, query: str, status: str, doubt: bool) -> None:
    schema = {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}
    menu = (
        "<nav class=menu>" + "".join(f"<a href='/{name}'>{name}</a> " for name in ("Soup", "Fish", "Cake")) + "</nav>"
    )
    html = f"<html><body>{menu}<main><h1>Trees</h1>{LIST}</main></body></html>"
    model = FunctionModel(lambda _: json.dumps([{"name": f"Tree {number}"} for number in range(6)]))
    with Gleaner(model=model, home=tmp_path) as gleaner:
        result = gleaner.extract_html(html, "https://shop.example/", query=query, output_schema=schema)
    assert result.status == status
    assert result.extraction
    assert ("left out" in str([*result.extraction.warnings, *result.extraction.errors])) is doubt
