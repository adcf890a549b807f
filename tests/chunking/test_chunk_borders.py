"""Records that nothing wraps stay whole where a page is cut into chunks: a record in two halves is lost (CH-3)."""

import random

import pytest
from gleaner.chunking import chunk_at
from gleaner.extraction import ChunkEnds, chunk_tasks
from gleaner.page.opening import open_page

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
    "cards": "<article><h3>{0}</h3><p>line of it</p><p>since {2}</p><p>${1}.50</p></article>",
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
    page = open_page(f"<main><h1>Our shop</h1>{INTRO}<{box}>{body}</{box}></main>")
    move = ChunkEnds(page.text, page.units)
    tasks = chunk_tasks(chunk_at(page.text, (), most, 0, move=move), page.units)
    assert "".join(task.content for task in tasks) == page.text
    assert max(len(task.content) for task in tasks) <= most
    assert len(tasks) > 1
    for at, name in enumerate(NAMES):
        holding = [task for task in tasks if name in task.content]
        assert [f"${20 + at}.50" in task.content and str(2001 + at) in task.content for task in holding] == [True], name


PIECES = {
    "card with a badge": "<div class=c><p><em>New</em></p><h3>{0}</h3><p>${1}.50, {2}</p></div>",
    "line": "{0} – ${1}.50 – {2}<br>",
    "paragraphs": "<p>{0}</p><p>${1}.50</p><p>since {2}</p>",
    "row": "<tr><td>{0}</td><td>{1}</td><td>{2}</td></tr>",
    "rows": "<tr><th colspan=2>{0}</th></tr><tr><td>{1}</td><td>{2}</td></tr>",
    "item": "<li>{0}<ul><li>${1}</li><li>{2}</li></ul></li>",
    "heading": "<h2>{0}</h2><p>${1}.50, since {2}. It keeps for years. Ask us for more of them.</p>",
    "pair": "<dt>{0}</dt><dd>${1}.50</dd><dd>{2}</dd>",
}
BOXES = {"row": "table", "rows": "table", "item": "ul", "pair": "dl"}


def page_of(draw: random.Random) -> str:
    blocks: list[str] = []
    for name in draw.sample(list(PIECES), 3):
        count = draw.choice([1, 4, 20])
        many = (
            PIECES[name].format(draw.choice(NAMES) + " x" * draw.randint(0, 30), draw.randint(1, 99), at)
            for at in range(count)
        )
        box = BOXES.get(name, "div")
        blocks.append(f"<h2>Our things</h2>{INTRO * draw.randint(0, 2)}<{box}>{''.join(many)}</{box}>")
    return f"<main>{''.join(blocks)}</main>"


@pytest.mark.req("CH-3", "CH-1")
@pytest.mark.parametrize("seed", range(8))
def test_chunks_of_any_page_keep_their_limit_and_cover_it(seed: int) -> None:
    draw = random.Random(seed)
    page = open_page(page_of(draw))
    move = ChunkEnds(page.text, page.units)
    for most in (11, 37, 120, 300, 700, 2000):
        cuts = sorted(draw.sample(range(1, len(page.text)), 2))
        for places in ((), cuts):
            tasks = chunk_tasks(chunk_at(page.text, places, most, 3, move=move), page.units)
            assert "".join(task.content for task in tasks) == page.text
            assert 0 < min(len(task.content) for task in tasks) <= max(len(task.content) for task in tasks) <= most
            assert {*places} <= {task.start_char for task in tasks}


@pytest.mark.req("CH-3")
def test_a_border_between_commas_does_not_part_a_record_that_begins_in_bold() -> None:
    records = [f"<b>{name}</b> ${20 + at}.50, Oslo, 2026-01-{at + 10}" for at, name in enumerate(NAMES)]
    page = open_page(f"<main><h1>Our shop</h1>{INTRO}<p>{' '.join(records)}</p></main>")
    for most in range(180, 420, 20):
        chunks = chunk_at(page.text, (), most, 0, move=ChunkEnds(page.text, page.units))
        assert all(page.text.startswith("**", chunk.start_char) for chunk in chunks[1:])
