"""Records that nothing wraps stay whole where a page is cut into chunks: a record in two halves is lost (CH-3)."""

import pytest
from gleaner.chunking import chunk_markdown_by_structure
from gleaner.extraction.tasks import chunk_tasks
from gleaner.markdown import clean_page

NAMES = [
    f"{wood} {thing}" for thing in ("jug", "bowl", "vase") for wood in ("Larch", "Alder", "Gorse", "Briar", "Rowan")
]
INTRO = "<p>All that we make is made by hand, in our own shop.</p>"

LOOKS = {
    "paragraphs": "<p>{0}</p><p>${1}.50</p><p>since {2}</p>",
    "paragraphs between rules": "<p>{0}</p><p>${1}.50</p><p>since {2}</p><hr>",
    "lines": "{0}<br>${1}.50<br>since {2}<br>",
    "items": "<li>{0}</li><li>${1}.50</li><li>{2}</li>",
    "paragraphs that begin with a date": "<p>{2}</p><p><b>{0}</b></p><p>${1}.50</p>",
    "rows under titles": "<tr><th colspan=2>{0}</th></tr><tr><td>${1}.50</td><td>{2}</td></tr>",
    "boxes in boxes": "<div><div>{0}</div><div><div>${1}.50</div><div>in stock</div></div><div>{2}</div></div>",
    "paragraphs and a remark now and then": "<p>{0}</p>{3}<p>${1}.50</p><p>since {2}</p>",
}


@pytest.mark.req("CH-3")
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("most", [200, 260, 330])
def test_a_border_never_parts_a_record_that_nothing_wraps(look: str, most: int) -> None:
    remarks = ["<p>Our choice of the month</p>" if at % 3 == 1 else "" for at in range(len(NAMES))]
    records = [LOOKS[look].format(name, 20 + at, 2001 + at, remarks[at]) for at, name in enumerate(NAMES)]
    body = "".join(records)
    box = {"items": "ul", "lines": "p", "rows under titles": "table"}.get(look, "div")
    page = clean_page(f"<main><h1>Our shop</h1>{INTRO}<{box}>{body}</{box}></main>")
    tasks = chunk_tasks(chunk_markdown_by_structure(page.markdown, most, 0), page.units)
    assert "".join(task.content for task in tasks) == page.markdown
    assert len(tasks) > 1
    for at, name in enumerate(NAMES):
        holding = [task for task in tasks if name in task.content]
        assert [f"${20 + at}.50" in task.content and str(2001 + at) in task.content for task in holding] == [True], name
