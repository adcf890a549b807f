"""Days and addresses that only attributes tell are shown to a model, which can give no more than that."""

import json
from pathlib import Path

import pytest
from gleaner import Gleaner
from gleaner.markdown import extract_clean_markdown
from gleaner.page.model import PageOptions
from gleaner.page.opening import open_page
from gleaner.testing import FunctionModel

from tests.support.schemas import TEXT, records_of

TOLD = {
    "time ago": ("<time datetime='2026-11-03T10:00:00Z'>20 days ago</time>", "20 days ago (2026-11-03T10:00:00Z)"),
    "a day without its year": ("<time datetime=2026-11-03>3 Nov</time>", "3 Nov (2026-11-03)"),
    "a title": ("<span title='2026-11-03 10:00:00'>last week</span>", "last week (2026-11-03 10:00:00)"),
    "a title in words": (
        "<abbr title='Tuesday, 3 November 2026 at 10:05'>20d</abbr>",
        "20d (Tuesday, 3 November 2026 at 10:05)",
    ),
    "one of two": (
        "<b title='3 Nov 2026'><time datetime=2026-11-03>now</time></b>",
        "**now (3 Nov 2026)**",
    ),
    "mail": ("<a href='mailto:ann@x.example?subject=Hi'>Write</a>", "Write (ann@x.example)"),
    "a phone": ("<a href='tel:+43%201%20234'>Call</a>", "Call (+43 1 234)"),
    "mail that a script writes": (
        "<a href='/cdn-cgi/l/email-protection#5a3b34341a227434362e'>Write</a>",
        "Write (ann@x.nlt)",
    ),
    "a day that is shown": ("<time datetime=2026-11-03>November 3, 2026</time>", "November 3, 2026"),
    "a day with a short year": ("<time datetime=2026-11-03>03/11/26</time>", "03/11/26"),
    "a duration": ("<time datetime=PT30M>half an hour</time>", "half an hour"),
    "an hour": ("<time datetime=18:00>at six</time>", "at six"),
    "an edit": ("<ins datetime=2026-11-03>new</ins>", "new"),
    "a title of a work": ("<a href=/r title='Report of 3 May 2026'>Report</a>", "Report"),
    "an empty time": ("<p>x<time datetime=2026-11-03></time>", "x"),
    "mail that is shown": ("<a href='mailto:Ann@x.example'>ann@X.example</a>", "ann@X.example"),
    "a phone in other groups": ("<a href='tel:+431234567'>(01) 23 45 67</a>", "(01) 23 45 67"),
    "a number that is none": ("<a href='tel:reception'>Call</a>", "Call"),
}


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(("html", "shown"), TOLD.values(), ids=TOLD)
def test_what_stands_behind_a_text_is_told(html: str, shown: str) -> None:
    page = f"<body><h1>A</h1><p>{html}</p></body>"
    assert open_page(page, options=PageOptions(shows_attributes=True)).text.removeprefix("# A").strip() == shown
    assert "(20" not in extract_clean_markdown(page)[0], "the page's own Markdown holds what people see"


@pytest.mark.req("PR-1")
def test_a_day_behind_time_ago_reaches_the_model_and_is_proven(tmp_path: Path) -> None:
    days = {"Alba": 3, "Brio": 5, "Cira": 9}
    posts = "".join(
        f"<li><b>{name}</b> <time datetime='2026-11-{day:02}T10:00Z'>{23 - day} days ago</time></li>"
        for name, day in days.items()
    )
    schema = records_of(name=TEXT, date={"type": ["string", "null"], "format": "date"})
    asked: list[str] = []

    def model(prompt: str) -> str:
        asked.append(prompt)
        return json.dumps([{"name": name, "date": f"2026-11-{day:02}"} for name, day in days.items()])

    with Gleaner(model=FunctionModel(model), home=tmp_path) as gleaner:
        result = gleaner.extract_html(
            f"<body><h1>Posts</h1><ul>{posts}</ul>", "https://x.example/", output_schema=schema
        )
    assert "Alba** 20 days ago (2026-11-03T10:00Z)" in asked[0]
    assert result.extraction is not None
    assert {one.source for one in result.extraction.provenance} == {"markdown"}
    assert result.status == "complete"
