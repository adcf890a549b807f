"""The playground as people expect it: at three widths, in two themes, for screen readers, with fields for JSON."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from gleaner.contracts.models import ScrapeResult
from gleaner.reports.document import report_html
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_playground_views import HOME, Api, extraction, shown, where

pytestmark = pytest.mark.req("UI-1")

WIDTHS = (1440, 768, 390)
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")
BOOKS = [
    {"title": f"The Book of Rain, volume {at}", "author": name, "price": price, "in_stock": at % 3 > 0}
    for at, (name, price) in enumerate([("A. Reed", 12.5), ("B. Moss", 8.0), ("C. Fenn", 20.25), ("D. Alder", 9.0)] * 5)
]
MARKDOWN = (
    "# Books\n\nA shop of **quiet** books, see [the list](https://books.example/all).\n\n"
    + "\n".join(
        ["| Title | Author | Price |", "| --- | --- | --- |"]
        + [f"| {book['title']} | {book['author']} | {book['price']} |" for book in BOOKS]
    )
    + "\n\n- first\n- second\n\n```\ncode\n```\n\n> quoted <script>alert(1)</script>\n"
)


class Shop(Api):
    """Answers for a listing of books, and says whether a model is set."""

    has_model = False

    def __init__(self) -> None:
        super().__init__()
        self.watches: list[Any] = []
        self.suggestions: list[Any] = []
        self.request: dict[str, Any] = {}

    def __call__(self, route: Any) -> None:
        path = route.request.url.removeprefix(HOME.rstrip("/"))
        if path == "/health":
            route.fulfill(json={"status": "ok", "has_model": self.has_model})
        elif path == "/v1/watches":
            self.watches.append(route.request.post_data_json)
            route.fulfill(status=201, json={"watch_id": "books"})
        elif path == "/v1/suggest":
            route.fulfill(json={"url": HOME, "page_id": "p", "suggestions": self.suggestions})
        elif path.endswith("/controls"):
            route.fulfill(json={"controls": ["fill: role=searchbox[name=Find] => ", "click: role=button[name=Go]"]})
        elif path.endswith("/request"):
            route.fulfill(json=self.request) if self.request else route.fulfill(status=404, json={"detail": "none"})
        elif path.endswith("/markdown"):
            route.fulfill(body=MARKDOWN, content_type="text/markdown; charset=utf-8")
        else:
            super().__call__(route)


@pytest.fixture
def api() -> Shop:
    made = Shop()
    places = [
        {"pointer": f"/{at}/{name}", "status": status, "chunk": 0, **where(str(book["title"]), inside=MARKDOWN)}
        for at, book in enumerate(BOOKS) for name, status in (("title", "verbatim"), ("author", "normalized"))
    ]  # fmt: skip
    completeness = {"expected": 22, "returned": 20, "method": "stated_total", "missing": []}
    made.result |= {
        "status": "partial",
        "page_id": "p",
        "url": "https://books.example/",
        "extraction": extraction(data=BOOKS, provenance=places, completeness=completeness),
    }
    return made


Open = Callable[..., Page]


@pytest.fixture
def opened(chromium: Browser, api: Shop) -> Iterator[Open]:
    with ExitStack() as stack:

        def open_page(width: int = 1440, theme: Any = "light") -> Page:
            size = {"width": width, "height": 900}
            context = chromium.new_context(viewport=size, color_scheme=theme, accept_downloads=True)
            stack.enter_context(context).route("**/*", api)
            page = context.new_page()
            page.goto(HOME)
            return page

        yield open_page


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_covers_the_table_or_the_downloads_at_any_width(opened: Open, api: Shop, width: int) -> None:
    page = opened(width)
    shown(page, api, {})
    for target in ("button[data-save=csv]", "tbody tr:first-child td", "tbody tr:nth-child(4) td", ".filter"):
        element = page.locator(target).first
        element.scroll_into_view_if_needed()
        is_on_top = """element => {
            const { left, top, width, height } = element.getBoundingClientRect();
            const hit = document.elementFromPoint(left + width / 2, top + Math.min(height, innerHeight) / 2);
            return element === hit || element.contains(hit);
        }"""
        assert element.evaluate(is_on_top), target
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"


@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (768, "dark"), (390, "light")])
def test_axe_finds_no_violation_and_a_picture_is_taken(
    opened: Open, api: Shop, width: int, theme: str, tmp_path: Path
) -> None:
    page = opened(width, theme)
    folder = Path(os.environ.get("GLEANER_SCREENSHOTS") or tmp_path)
    found = violations(page, folder / f"start-{width}-{theme}.png")
    page.get_by_role("button", name="Edit as fields").click()
    page.get_by_text("Copy as curl").click()
    page.get_by_role("button", name="Python", exact=True).click()
    found += violations(page, folder / f"form-{width}-{theme}.png")
    shown(page, api, {})
    expect(page.locator("tbody tr").first).to_be_visible()
    found += violations(page, folder / f"records-{width}-{theme}.png")
    page.get_by_role("tab", name="Markdown").click()
    found += violations(page, folder / f"markdown-{width}-{theme}.png")
    page.get_by_text("Act on the page first").click()
    found += violations(page, folder / f"controls-{width}-{theme}.png")
    page = page.context.new_page()  # without the playground's policy
    page.set_content(report_html(ScrapeResult[Any].model_validate({"job_id": "j", **api.result}), MARKDOWN))
    found += violations(page, folder / f"report-{width}-{theme}.png")
    assert found == []
    assert len(list(folder.glob(f"*-{width}-{theme}.png"))) == 6


def test_the_steps_editor_offers_what_the_page_has(opened: Open, api: Shop) -> None:
    page = opened()
    shown(page, api, {})
    page.get_by_text("Act on the page first").click()
    for name in ("Find", "Go"):
        page.get_by_role("button", name=f"role={'searchbox' if name == 'Find' else 'button'}[name={name}]").click()
    expected = "fill: role=searchbox[name=Find] =>\nclick: role=button[name=Go]"
    expect(page.locator("#steps")).to_have_value(expected)


def violations(page: Page, picture: Path) -> list[str]:
    page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished))")
    page.screenshot(path=picture, full_page=True)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    result = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [f"{one['id']}: {node['html'][:120]}" for one in result["violations"] for node in one["nodes"]]


def test_it_says_at_the_start_when_no_model_is_set_and_how_to_set_one(opened: Open, api: Shop) -> None:
    page = opened()
    expect(page.locator("#no-model")).to_contain_text("GLEANER_MODEL=ollama:qwen3 gleaner serve")
    api.has_model = True
    page.reload()
    expect(page.locator("#no-model")).to_be_hidden()


def test_a_list_is_sorted_and_filtered_and_a_cell_keeps_its_proof(opened: Open, api: Shop) -> None:
    page = opened()
    shown(page, api, {})
    prices = page.locator("tbody td[data-pointer$='/price']")
    page.get_by_role("button", name="price").click()
    assert [float(text) for text in prices.all_inner_texts()] == sorted(float(str(book["price"])) for book in BOOKS)
    page.get_by_role("button", name="price").click()
    assert float(prices.first.inner_text()) == 20.25
    page.get_by_role("searchbox", name="Filter Records").fill("moss")
    assert prices.all_inner_texts() == ["8"] * 5
    expect(page.locator(".grid-title")).to_have_text("Records (5 of 20)")
    page.locator("tbody td").first.click()
    expect(page.locator(".proof-card")).to_contain_text("Record 2 · title")


def test_a_schema_is_made_of_fields(opened: Open, api: Shop) -> None:
    page = opened(390)
    page.locator("#example").select_option("none")
    page.get_by_role("button", name="Edit as fields").click()
    page.get_by_label("Name of field 1").fill("title")
    page.get_by_label("needed").check()
    page.get_by_role("button", name="Add a field").click()
    page.get_by_label("Name of field 2").fill("price")
    page.get_by_label("Type of field 2").select_option("number")
    page.get_by_label("Example or explanation of field 2").fill("12.50")
    page.get_by_role("button", name="Edit as JSON").click()
    price = {"type": ["number", "null"], "description": "12.50"}
    record = {"type": "object", "properties": {"title": {"type": "string"}, "price": price}, "required": ["title"]}
    assert json.loads(page.locator("#schema").input_value()) == {"type": "array", "items": record}
    page.locator("#schema").fill('{"type": "object", "oneOf": []}')
    page.get_by_role("button", name="Edit as fields").click()
    expect(page.locator("#builder")).to_contain_text("Edit it as JSON")


def test_a_schema_is_suggested_without_a_model_and_shown_with_what_it_is_from(opened: Open, api: Shop) -> None:
    page = opened()
    record = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}
    api.suggestions = [{"schema": {"type": "array", "items": record}, "source": "table", "records": 20, "examples": []}]
    expect(page.get_by_label("Schema of the answer", exact=True)).to_have_value("")
    page.get_by_label("Address of the page").fill("127.0.0.1:8000/books")
    page.get_by_role("button", name="Suggest from the page").click()
    expect(page.locator("#schema-state")).to_have_text("A list: title")
    expect(page.locator("#suggested")).to_have_text("From the page’s table: 20 records.")
    page.get_by_role("button", name="Extract records").click()
    expect(page.locator("tbody tr")).to_have_count(20)
    assert (api.requests[0]["url"], api.requests[0]["output_schema"]["items"]) == (
        "http://127.0.0.1:8000/books",
        record,
    )


def test_a_request_is_in_the_form_again_after_a_reload_and_by_a_link(opened: Open, api: Shop) -> None:
    page = opened()
    more = {"budget": {"max_usd": 0.5}, "actions": [{"do": "press", "value": "End"}]}
    api.request = {"url": "https://books.example/all", "query": "all books", "follow": {"max_pages": 4}, **more}
    page.goto(f"{HOME}#job=j")
    expect(page.get_by_label("Question, or what to look for")).to_have_value("all books")
    page.reload()
    expect(page.get_by_label("Question, or what to look for")).to_have_value("all books")
    expect(page.locator("#kept")).to_contain_text('budget {"max_usd":0.5}')
    expect(page.locator("tbody tr")).to_have_count(20)
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.get_by_role("button", name="Ask the page").click()
    expect(page.locator("tbody tr")).to_have_count(20)
    assert api.requests == [{**api.request, "follow": 4}]
    page.get_by_role("button", name="Leave out").click()
    expect(page.locator("#kept")).to_be_hidden()


def test_the_model_suggests_a_schema_from_the_page(opened: Open, api: Shop) -> None:
    page = opened()
    api.result |= {"status": "complete", "extraction": extraction(data={
        "records": "books", "fields": "title:text, price:number; Published on:date, cover:link",
    })}  # fmt: skip
    page.get_by_label("Address of the page").fill("books.example")
    page.get_by_role("button", name="Suggest from the page").click()
    expect(page.locator("#schema-state")).to_have_text("A list of books: title, price, Published_on, cover")
    assert api.requests[0]["url"] == "https://books.example"
    assert all(field["x-derived"] for field in api.requests[0]["output_schema"]["properties"].values())


def test_a_request_is_copied_as_curl_as_python_and_as_a_command_that_run(opened: Open, api: Shop) -> None:
    page = opened()
    page.get_by_label("Address of the page").fill("books.example/it's")
    page.get_by_label("Question, or what to look for").fill('all "books" \\ $HOME')
    page.get_by_label("Run the page’s JavaScript in a browser").uncheck()
    page.get_by_text("Copy as curl").click()
    texts: dict[str, str] = {}
    for name in ("curl", "Python", "Command line"):
        page.get_by_role("button", name=name, exact=True).click()
        texts[name] = page.locator(".copied").inner_text()
    ways = {"curl": "curl", "Command line": "gleaner"}
    for name, command in ways.items():
        told = f'{sys.executable} -c "import json,sys; print(json.dumps(sys.argv[1:]))" "$@"'
        script = f"{command}() {{ {told}; }}\n{texts[name]}"
        words = json.loads(subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout)
        if name == "curl":
            assert json.loads(words[-1])["query"] == 'all "books" \\ $HOME'
            assert words[1] == f"{HOME}v1/scrape?wait=25"
        else:
            assert words[:4] == ["scrape", "https://books.example/it's", "--query", 'all "books" \\ $HOME']
            assert "--no-javascript" in words
    asked: dict[str, Any] = {}
    spoken = texts["Python"].replace("from gleaner import Gleaner", "").replace("Gleaner()", "fake")
    exec(compile(spoken, "copied", "exec"), {"fake": _Recorder(asked), "print": "{} {}".format})
    assert asked["args"] == ("https://books.example/it's",)
    assert (asked["query"], asked["enable_javascript"]) == ('all "books" \\ $HOME', False)
    assert "output_schema" not in asked


class _Recorder:
    """Stands in for the library: keeps what it was asked."""

    status, data = "complete", None

    def __init__(self, asked: dict[str, Any]) -> None:
        self.asked = asked

    def __enter__(self) -> "_Recorder":
        return self

    def __exit__(self, *_: object) -> None: ...

    def scrape(self, *args: Any, **options: Any) -> "_Recorder":
        self.asked.update(options, args=args)
        return self


def test_the_jobs_of_this_browser_are_listed_and_can_be_opened_again(opened: Open, api: Shop) -> None:
    page = opened(768)
    page.get_by_label("Address of the page").fill("books.example")
    page.get_by_role("button", name="Read the page").click()
    expect(page.locator("#summary [data-status]")).to_have_attribute("data-status", "partial")
    page.goto(HOME)
    page.locator("#history summary").click()
    expect(page.locator("#jobs li")).to_contain_text("partial · 20 records")
    page.locator("#jobs a").click()
    expect(page.locator("tbody tr")).to_have_count(20)


def test_the_markdown_is_drawn_beside_its_source_and_brings_no_markup(opened: Open, api: Shop) -> None:
    page = opened()
    shown(page, api, {})
    page.get_by_role("tab", name="Markdown").click()
    drawn = page.locator(".rendered")
    expect(drawn.locator("h3")).to_have_text("Books")
    expect(drawn.locator("tbody tr")).to_have_count(20)
    expect(drawn.locator("li")).to_have_text(["first", "second"])
    expect(drawn.locator("blockquote")).to_have_text("quoted <script>alert(1)</script>")
    expect(drawn.locator("p a")).to_have_attribute("href", "https://books.example/all")
    expect(drawn.locator("pre")).to_have_text("code")
    assert drawn.locator("script").count() == 0


def test_a_whole_listing_is_asked_for_and_watched_from_the_page(opened: Open, api: Shop) -> None:
    page = opened(390)
    page.get_by_label("Address of the page").fill("books.example")
    page.get_by_label("Pages of the listing").fill("many")
    page.locator("#watching summary").click()
    page.get_by_label("Read it again every").select_option("6h")
    page.get_by_role("button", name="Watch", exact=True).click()
    expect(page.locator("#follow-error")).to_have_text("Give a number of pages, 1 to 1000.")
    assert api.watches == []
    page.get_by_label("Pages of the listing").fill("40")
    page.get_by_role("button", name="Watch", exact=True).click()
    expect(page.locator("#watched")).to_contain_text("Watching as books.")
    (asked,) = api.watches
    assert (asked["every"], asked["request"]["follow"], asked["request"]["url"]) == ("6h", 40, "https://books.example")
    page.get_by_role("button", name="Read the page").click()
    expect(page.locator("#work")).to_be_visible()
    assert api.requests[-1]["follow"] == 40
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_steps_and_several_formats_are_asked_for_and_what_was_done_and_doubted_is_shown(
    opened: Open, api: Shop, tmp_path: Path
) -> None:
    page = opened(390, "dark")
    page.get_by_label("Address of the page").fill("books.example")
    page.locator("#acting summary").click()
    page.get_by_label("Steps one a line").fill('shake: it\n{"do": "press", "value": "End"}')
    page.get_by_label("Cookie and consent dialogs").select_option("leave")
    page.get_by_label("Session").fill("ada")
    page.get_by_role("group", name="With it").get_by_label("Links").check()
    page.get_by_role("button", name="Read the page").click()
    expect(page.locator("#steps-error")).to_contain_text("“shake: it” is no step")
    page.get_by_label("Steps one a line").fill('click: text=More\n{"do": "press", "value": "End"}')
    found = api.result["extraction"]
    found["provenance"][0] |= {"doubt": "it stands in a heading", "rival": {"value": "The Book of Snow"}}
    item = {"title": "The Book of Hail", "price": 7}
    found["withheld"] = [{"item": item, "pointer": "/-/author", "reason": "not found on the page"}]
    api.result |= {
        "actions": [{"step": 1, "action": "click: text=More", "met": 'button "More"', "url": f"{HOME}more"}],
        "consent": {"dialog": "didomi", "did": "rejected"},
        "links": ["https://books.example/1"],
        "markdown": MARKDOWN,
    }
    page.get_by_role("button", name="Read the page").click()
    expect(page.locator(".actions-notice")).to_contain_text(f'button "More", now {HOME}more')
    expect(page.locator(".actions-notice")).to_contain_text("Consent dialog of didomi: rejected")
    expect(page.locator(".withheld-notice")).to_contain_text("title: The Book of Hail · price: 7")
    expect(page.locator(".doubt-notice")).to_contain_text(
        "it stands in a heading. The page also says The Book of Snow."
    )
    expect(page.locator("td .doubt")).to_have_count(1)
    expect(page.get_by_role("tab", name="Links (1)")).to_be_visible()
    sent = api.requests[0]
    assert sent["actions"] == ["click: text=More", {"do": "press", "value": "End"}]
    assert (sent["formats"], sent["consent"], sent["session"]) == (["markdown", "links"], "leave", "ada")
    assert violations(page, tmp_path / "acting.png") == []
