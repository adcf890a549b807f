"""The playground's own part, in a real Chromium over an API that answers from memory: what is asked, what is shown."""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from gleaner.api.playground import file_headers, web_file
from gleaner.results.exports import to_csv
from playwright.sync_api import Browser, Page, Route, expect

pytestmark = pytest.mark.req("UI-1")

HOME = "http://playground.example/"
MARKDOWN = "# Clocks 🕰\n\n| Lot | Estimate |\n| --- | --- |\n| Mantel – ساعة | 40 m |\n\nSold by Fenn & Sons.\n"


def where(text: str, *, inside: str = MARKDOWN) -> dict[str, int]:
    """Give the place of a text in the page's Markdown, in characters."""
    return {"start": inside.index(text), "end": inside.index(text) + len(text)}


def proof(pointer: str, text: str, status: str = "verbatim") -> dict[str, Any]:
    return {"pointer": pointer, "status": status, "chunk": 0, **where(text)}


def extraction(**fields: Any) -> dict[str, Any]:
    usage = {"calls": 2, "input_tokens": 1500, "output_tokens": 250, "cache_hits": 1, "usd": 0.0123}
    certificate = {"expected": 1, "returned": 1, "missing": [], "method": "units"}
    plain = {
        "tier": "model",
        "usage": usage,
        "completeness": certificate,
        "errors": [],
        "warnings": [],
        "provenance": [],
    }
    return {**plain, **fields}


CLOCK = extraction(
    data=[{"lot": "Mantel – ساعة", "estimate": "40 m"}],
    provenance=[proof("/0/lot", "Mantel – ساعة"), proof("/0/estimate", "40 m")],
    extraction_id="clocks",
    aggregate_summary="1 unique record from 1 page",
    warnings=["The listing has 9 records in all."],
)
ANSWER = extraction(
    data="Fenn & Sons sold it.",
    completeness={"expected": None, "returned": 0, "missing": [], "method": "unknown"},
    passages=[{"text": "Sold by Fenn & Sons.", **where("Sold by Fenn & Sons.")}],
)


class Api:
    """Answers for one job, and keeps what it was asked."""

    def __init__(self) -> None:
        self.result: dict[str, Any] = {"status": "complete", "format": "markdown", "title": "Clocks"}
        self.jobs: list[dict[str, Any] | int] = []
        """What the job is said to be, time after time; a number is an error's status."""
        self.requests: list[Any] = []
        self.tokens: list[str | None] = []
        self.pages = {"": ("lot\r\nMantel\r\n", "next"), "next": ("Bracket\r\n", None)}
        self.is_down = False

    def __call__(self, route: Route) -> None:
        path = urlsplit(route.request.url).path
        if path.startswith("/v1/"):
            self.tokens.append(route.request.headers.get("authorization"))
            self.answer(route, path)
        elif file := web_file(path):
            route.fulfill(body=file.read_bytes(), headers=file_headers(file))
        else:
            route.fulfill(status=404)

    def answer(self, route: Route, path: str) -> None:
        if self.is_down:
            route.fulfill(status=503, json={"error_type": "store_throttled", "detail": "Try again later."})
        elif path == "/v1/scrape":
            self.requests.append(route.request.post_data_json)
            route.fulfill(status=202, json={"job_id": "j", "status": "queued"})
        elif path.endswith("/result"):
            route.fulfill(json={"job_id": "j", "url": "https://clocks.example/", **self.result})
        elif path.endswith("/markdown"):
            route.fulfill(body=MARKDOWN, content_type="text/markdown; charset=utf-8")
        elif path.startswith("/v1/extractions/"):
            body, following = self.pages[urlsplit(route.request.url).query.partition("cursor=")[2]]
            link = f'<{path}?format=csv&cursor={following}>; rel="next"' if following else ""
            route.fulfill(body=body, content_type="text/csv", headers={"link": link} if link else {})
        else:
            said = self.jobs.pop(0) if self.jobs else {"status": self.result["status"]}
            if isinstance(said, int):
                route.fulfill(status=said)
            else:
                route.fulfill(json={"job_id": "j", **said})


@pytest.fixture
def api() -> Api:
    return Api()


@pytest.fixture
def page(chromium: Browser, api: Api) -> Iterator[Page]:
    with chromium.new_context(accept_downloads=True) as context:
        context.route("**/*", api)
        page = context.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(HOME)
        yield page
        assert errors == []


@pytest.fixture(scope="module")
def one_page(chromium: Browser) -> Iterator[tuple[Page, list[Api]]]:
    """A page that is loaded once, and who answers it: the last one."""
    apis = [Api()]
    with chromium.new_context(accept_downloads=True) as context:
        context.route("**/*", lambda route, request: apis[-1](route))
        page = context.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(HOME)
        yield page, apis
        assert errors == []


@pytest.fixture
def viewer(one_page: tuple[Page, list[Api]], api: Api) -> Page:
    """The page on which one job is looked at after another."""
    page, apis = one_page
    apis.append(api)
    return page


JOBS = itertools.count()


def shown(page: Page, api: Api, result: dict[str, Any]) -> None:
    """Show a result as the address of its job does."""
    api.result |= result
    page.locator("#summary").evaluate("summary => summary.replaceChildren()")  # of the job before
    page.goto(f"{HOME}#job=j{next(JOBS)}")
    expect(page.locator("#summary [data-status]")).to_have_attribute("data-status", api.result["status"])


def saved(page: Page, button: str) -> str:
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    return Path(download.value.path()).read_text("utf-8")


def test_what_the_form_says_is_what_is_asked(page: Page, api: Api) -> None:
    page.get_by_label("Address of the page").fill("clocks.example/sale")
    page.get_by_label("Start from an example").select_option("No schema")
    page.get_by_label("Question, or what to look for").fill("Who sold it?")
    expect(page.locator("#start")).to_have_text("Ask the page")
    page.get_by_label("Only this part").fill("main")
    page.get_by_label("Collect under").fill("clocks")
    page.get_by_label("Run the page’s JavaScript in a browser").uncheck()
    page.get_by_label("Keep links in the text").check()
    page.get_by_label("Access token").evaluate(
        "field => { field.value = 'gl_x'; field.dispatchEvent(new Event('input')) }"
    )
    page.locator("#query").press("Control+Enter")
    expect(page.locator("#summary [data-status=complete]")).to_be_visible()
    assert api.requests == [
        {
            "url": "https://clocks.example/sale", "query": "Who sold it?", "css_selector": "main",
            "extraction_id": "clocks", "enable_javascript": False, "extract_links": True,
        }
    ]  # fmt: skip
    assert set(api.tokens) == {"Bearer gl_x"}


def test_an_example_fills_in_its_schema(page: Page, api: Api) -> None:
    page.get_by_label("Start from an example").select_option("One article")
    expect(page.locator("#schema-state")).to_have_text("One record: title, author, published, summary")
    page.get_by_label("Address of the page").fill("https://clocks.example/")
    page.get_by_label("Format of the page").select_option("links")
    page.locator("#start").click()
    expect(page.locator("#summary [data-status=complete]")).to_be_visible()
    (asked,) = api.requests
    assert asked["format"] == "links"
    assert asked["output_schema"]["required"] == ["title"]


def test_the_chunks_that_were_read_are_counted_and_a_short_outage_is_borne(page: Page, api: Api) -> None:
    steps = [{"name": "extract_chunk", "status": "running", "started_at": 1}]
    running = {"status": "running", "steps": steps, "chunks_total": 5, "chunks_done": 2}
    api.jobs = [503, *[running] * 4, 429]
    page.goto(f"{HOME}#job=j")
    expect(page.locator("[data-step=extract_chunk]")).to_contain_text("2 of 5 chunks")
    expect(page.locator("#summary [data-status=complete]")).to_be_visible()


def test_the_cost_the_way_and_the_warnings_are_told(viewer: Page, api: Api) -> None:
    shown(viewer, api, {"extraction": CLOCK, "timings_ms": {"total": 2500}})
    summary = viewer.locator("#summary")
    for said in (
        "$0.01",
        "2 model calls, 1,750 tokens",
        "Model",
        "2.5 s",
        "1 unique record",
        "from 1 page under clocks",
    ):
        expect(summary).to_contain_text(said)
    expect(viewer.locator("#notices")).to_contain_text("The listing has 9 records in all.")
    viewer.get_by_role("tab", name="Details").click()
    facts = viewer.get_by_role("tabpanel", name="Details")
    for said in ("Input tokens1,500", "Output tokens250", "From the cache1", "US dollars$0.0123"):
        expect(facts).to_contain_text(said)


@pytest.mark.parametrize(
    ("usage", "said"),
    [
        ({"calls": 0}, "$0no model call"),
        ({"calls": 0, "cache_hits": 2}, "$02 answers from the cache"),
        ({"calls": 1, "usd": None}, "1,750 tokens1 model call, price unknown"),
        ({"calls": 1, "usd": 0.00001}, "under $0.00011 model call"),
    ],
)
def test_a_cost_is_never_made_up(viewer: Page, api: Api, usage: dict[str, Any], said: str) -> None:
    shown(viewer, api, {"extraction": CLOCK | {"usage": CLOCK["usage"] | {"cache_hits": 0} | usage}})
    expect(viewer.locator("#summary")).to_contain_text(said)


def test_an_answer_in_words_stands_beside_the_passages_that_it_rests_on(viewer: Page, api: Api) -> None:
    shown(viewer, api, {"extraction": ANSWER})
    expect(viewer.get_by_role("region", name="Answer")).to_have_text("Fenn & Sons sold it.")
    viewer.get_by_role("button", name="Sold by Fenn & Sons.").click()
    assert viewer.locator(".page-text .lit").all_inner_texts() == ["Sold by Fenn & Sons."]


@pytest.mark.req("EX-11")
def test_what_an_answer_says_without_support_is_marked_in_it(viewer: Page, api: Api) -> None:
    text = "Sold 🕰 by Bob.\n\nIn 1871."
    claims = [
        {"text": said, "kind": kind, "start": text.index(said), "end": text.index(said) + len(said), "support": support}
        for said, kind, support in (("Bob", "name", "none"), ("1871", "number", "page"))
    ]
    shown(viewer, api, {"extraction": ANSWER | {"data": text, "claims": claims}})
    answer = viewer.get_by_role("region", name="Answer")
    expect(answer.locator("mark")).to_have_text("Bob")
    expect(answer.locator("p")).to_have_text(["Sold 🕰 by Bob.", "In 1871."])


def test_a_proof_is_quoted_and_no_value_is_drawn_within_another_whichever_way_it_is_written(
    viewer: Page, api: Api
) -> None:
    shown(viewer, api, {"extraction": CLOCK})
    viewer.get_by_role("gridcell", name="40 m").click()
    expect(viewer.locator(".proof-card q")).to_have_text("40 m")
    code = "(mark) => { const it = mark.getBoundingClientRect(); return [it.left, it.right]; }"
    (_, name_ends), (begins, ends) = (
        viewer.locator(".page-text mark").filter(has_text=text).evaluate(code) for text in ("Mantel", "40 m")
    )
    digits = (
        viewer.locator(".page-text mark")
        .filter(has_text="40 m")
        .evaluate(
            "mark => { const it = document.createRange(); it.selectNodeContents(mark); it.setEnd(mark.firstChild, 2);"
            " return it.getBoundingClientRect().left; }"
        )
    )
    assert name_ends <= begins <= digits < ends


def test_a_part_that_failed_is_told_and_a_proof_in_the_pages_data_is_not_looked_for_in_its_text(
    viewer: Page, api: Api
) -> None:
    embedded = {"pointer": "/0/lot", "status": "verbatim", "source": "snapshot", "start": 2, "end": 8}
    failed = {"error_type": "model_timeout", "message": "no answer in 60 s", "chunk_index": 3}
    proofs = [embedded, proof("/0/estimate", "40 m")]
    shown(viewer, api, {"status": "partial", "extraction": CLOCK | {"provenance": proofs, "errors": [failed]}})
    expect(viewer.locator("#summary [data-status]")).to_have_text("Partial")
    expect(viewer.locator(".notice.bad")).to_contain_text("A part failed")
    expect(viewer.locator(".notice.bad")).to_contain_text("model_timeout in chunk 4: no answer in 60 s")
    assert viewer.locator(".page-text mark").all_inner_texts() == ["40 m"]
    viewer.get_by_role("gridcell", name="Mantel").click()
    expect(viewer.locator(".proof-card")).to_contain_text("embedded in the page’s HTML, characters 2–8")
    expect(viewer.locator(".proof-card q")).to_have_count(0)


def test_a_picture_of_the_first_screen_or_of_the_whole_page_is_taken(page: Page, api: Api) -> None:
    page.get_by_label("Format of the page").select_option(label="Screenshot of the whole page")
    expect(page.get_by_label("Format of the page")).to_have_value("fullscreenshot")
    dot = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
    shown(page, api, {"extraction": CLOCK})
    api.result |= {"media": {"screenshotMime": "image/gif", "size": 1, "screenshotBase64": dot}}
    page.get_by_role("tab", name="Screenshot").click()
    for button in ("Take a screenshot", "Of the whole page"):
        page.get_by_role("button", name=button).click()
        expect(page.get_by_role("img", name="Screenshot of https://clocks.example/")).to_be_visible()
        page.locator(".stage").evaluate("stage => stage.replaceChildren()")
    assert [asked["format"] for asked in api.requests] == ["screenshot", "fullscreenshot"]


def test_a_long_list_is_turned_by_pages_and_a_mark_leads_to_the_right_one(viewer: Page, api: Api) -> None:
    rows = [{"lot": f"Lot {number}"} for number in range(1, 251)]
    shown(viewer, api, {"extraction": CLOCK | {"data": rows, "provenance": [proof("/249/lot", "Mantel")]}})
    assert viewer.locator("tbody tr").count() == 100
    viewer.get_by_role("button", name="Next").click()
    expect(viewer.locator(".pager")).to_contain_text("101–200 of 250")
    expect(viewer.locator("tbody tr").first).to_contain_text("Lot 101")
    viewer.locator(".page-text mark").filter(has_text="Mantel").click()
    expect(viewer.locator("td[aria-selected=true]")).to_have_text("Lot 250 (word for word)")


def test_a_value_of_a_record_within_a_record_has_its_own_proof(viewer: Page, api: Api) -> None:
    data = {"seller": {"name": "Fenn & Sons"}, "lots": [{"lot": "Mantel"}, {"lot": ["Sold", "40 m"]}]}
    proofs = [proof("/seller/name", "Fenn & Sons"), proof("/lots/0/lot", "Mantel")]
    proofs += [proof("/lots/1/lot/0", "Sold"), proof("/lots/1/lot/1", "40 m")]
    shown(viewer, api, {"extraction": CLOCK | {"data": data, "provenance": proofs}})
    viewer.get_by_role("gridcell", name="Fenn").click()
    assert viewer.locator(".page-text .lit").all_inner_texts() == ["Fenn & Sons"]
    viewer.get_by_role("gridcell", name="Sold, 40 m").click()
    assert viewer.locator(".page-text .lit").all_inner_texts() == ["40 m", "Sold"]


def test_links_are_links_only_where_they_lead_to_the_web(viewer: Page, api: Api) -> None:
    shown(viewer, api, {"format": "links", "links": ["https://clocks.example/a", "javascript:alert(1)"]})
    panel = viewer.get_by_role("tabpanel", name="Links (2)")
    expect(panel.get_by_role("listitem")).to_have_text(["https://clocks.example/a", "javascript:alert(1)"])
    assert panel.get_by_role("link").evaluate_all("all => all.map(one => one.href)") == ["https://clocks.example/a"]


def test_media_is_shown_or_offered(viewer: Page, api: Api) -> None:
    media = {"screenshotMime": "application/pdf", "size": 7, "filename": "list.pdf"}
    shown(
        viewer,
        api,
        {"format": "media", "media": {**media, "screenshotBase64": "data:application/pdf;base64,JVBERi0xLjQ="}},
    )
    expect(viewer.get_by_role("tabpanel", name="Media")).to_contain_text("list.pdf: application/pdf, 7 bytes")
    with viewer.expect_download() as download:
        viewer.get_by_role("button", name="Download", exact=True).click()
    assert download.value.suggested_filename == "list.pdf"


def test_all_that_was_found_is_saved(viewer: Page, api: Api) -> None:
    shown(viewer, api, {"extraction": CLOCK})
    viewer.get_by_role("tab", name="Markdown").click()
    assert saved(viewer, "Download Markdown") == MARKDOWN
    viewer.get_by_role("tab", name="Details").click()
    assert json.loads(saved(viewer, "Download the whole result"))["extraction"] == CLOCK
    assert saved(viewer, "Download all as CSV") == "lot\nMantel\nBracket\n"
    api.is_down = True
    viewer.get_by_role("button", name="Download all as CSV").click()
    expect(viewer.get_by_role("alert").filter(has_text="Try again later.")).to_be_visible()


@pytest.mark.parametrize(("field", "key"), [("#start", "Enter"), ("#query", "Control+Enter")])
def test_the_keyboards_place_goes_on_from_the_request_to_its_results(
    page: Page, api: Api, field: str, key: str
) -> None:
    page.get_by_label("Address of the page").fill("https://clocks.example/")
    api.result |= {"extraction": CLOCK}
    page.locator(field).press(key)
    expect(page.get_by_role("grid")).to_be_visible()
    expect(page.locator("#work")).to_be_focused()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.role") == "tab":
            break
    expect(page.get_by_role("tab", name="Records")).to_be_focused()


def test_the_keyboards_place_is_at_the_form_again_when_the_request_is_refused(page: Page, api: Api) -> None:
    api.is_down = True
    page.get_by_label("Address of the page").fill("https://clocks.example/")
    page.locator("#start").press("Enter")
    expect(page.get_by_role("alert").filter(has_text="Try again later.")).to_be_visible()
    expect(page.locator("#start")).to_be_focused()


def test_an_extraction_is_used_for_the_next_page(page: Page, api: Api) -> None:
    shown(page, api, {"extraction": CLOCK})
    page.get_by_role("tab", name="Details").click()
    page.get_by_role("button", name="Use it for another page").click()
    expect(page.get_by_label("Address of the page")).to_be_focused()
    page.keyboard.type("https://clocks.example/2")
    page.keyboard.press("Enter")
    expect(page.locator("#start")).to_be_enabled()
    assert api.requests == [{"url": "https://clocks.example/2", "extraction_id": "clocks"}]


def test_tabs_and_the_theme_are_turned_from_the_keyboard(page: Page, api: Api) -> None:
    shown(page, api, {"extraction": CLOCK})
    page.get_by_role("tab", name="Records").press("ArrowRight")
    expect(page.get_by_role("tab", name="Markdown")).to_be_focused()
    expect(page.get_by_role("tabpanel")).to_have_count(1)
    expect(page.get_by_role("region", name="The page as Markdown")).to_be_visible()
    paper = "getComputedStyle(document.body).backgroundColor"
    colours = []
    for _ in range(3):
        page.get_by_role("button", name="Theme").press("Enter")
        colours.append(page.evaluate(paper))
    assert len(set(colours)) == 2
    page.reload()
    expect(page.get_by_role("button", name="Theme")).to_contain_text("system")


HOSTILE = {
    "blanks in a code block": "```\n|" + " " * 100_000 + "x\n```",
    "blanks under a row": "a | b\n|" + " " * 100_000 + "x",
    "marks of a rule": "a | b\n" + "- " * 50_000 + "x",
    "quotes in quotes": "> " * 3_000 + "deep",
    "lists in lists": "\n".join("  " * depth + "- deep" for depth in range(400)),
    "beginnings of links": "[a](" * 25_000,
    "open brackets": "[" * 100_000,
    "open images": "![" * 50_000,
    "open addresses": "<https:" * 14_000,
    "backticks": "x " + "`" * 3_000 + "a" * 100_000,
    "stars": "*a **b " * 14_000,
    "links in a line": "[a](b) " * 14_000,
}


@pytest.fixture(scope="module")
def modules(chromium: Browser) -> Iterator[Page]:
    """A page of the playground whose scripts are called with texts."""
    with chromium.new_page() as page:
        page.route("**/*", Api())
        page.goto(HOME)
        yield page


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_of_a_page_stops_the_tab(modules: Page, name: str) -> None:
    """With a pattern that takes more than linear time, each takes minutes, and the test is stopped."""
    drawn = modules.evaluate(
        """async (text) => {
            document.body.replaceChildren();
            const { rendered } = await import("/rendered-markdown.js");
            const { PageText } = await import("/page-text.js");
            const place = document.body.appendChild(document.createElement("div"));
            place.append(...rendered(text));
            const length = place.textContent.length;
            const view = new PageText(document.body.appendChild(document.createElement("div")), () => {});
            view.show(text, []);
            view.blocks.forEach((block) => view.draw(block));
            return [length, view.scroller.textContent.replaceAll("\\n", "").length];
        }""",
        HOSTILE[name],
    )
    assert drawn[0] > 0
    assert drawn[1] == len(HOSTILE[name].replace("\n", ""))


def test_markdown_reads_as_it_did(modules: Page) -> None:
    text = 'a | b\n:-- | --\n1 | `2`\n\n> > quoted **bold [x](https://a.example "t")**\n\n1. one\n   - two ![p](q) <https://b.example>'
    html = modules.evaluate(
        """async (text) => {
            const { rendered } = await import("/rendered-markdown.js");
            return rendered(text).map((block) => block.outerHTML).join("")
                .replaceAll(/ (class|target|rel|tabindex|role|aria-label|scope)="[^"]*"/g, "");
        }""",
        text,
    )
    assert html == (
        "<div><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><code>2</code></td></tr></tbody>"
        '</table></div><blockquote><blockquote><p>quoted <strong>bold <a href="https://a.example">x</a></strong></p>'
        "</blockquote></blockquote><ol><li>one<ul><li>two <span>[image: p]</span> "
        '<a href="https://b.example">https://b.example</a></li></ul></li></ol>'
    )


def test_what_calls_something_behind_a_semicolon_is_kept_a_text(modules: Page) -> None:
    rows = [{"a": "red;=HYPERLINK(A1);- or blue", "b": "=1", "c": "x\n\t @SUM(A1)"}]
    written = modules.evaluate('async (rows) => (await import("/records.js")).csvOf(rows)', rows)
    assert written == "".join(to_csv(rows))
