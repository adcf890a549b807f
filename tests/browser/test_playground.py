"""The playground in a real Chromium: a page is asked for, its steps watched, its values proven, its records saved."""

import csv
import io
import json
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

import pytest
from gleaner.contracts.settings import Settings
from gleaner.jobs.aggregates import to_csv
from gleaner.local.runner import LocalRunner
from gleaner.local.serve import serving
from gleaner.testing import ScriptedModel, TrueRecord
from gleaner.testing.loopback import LoopbackHandler
from gleaner.wiring import WiredServices
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page, expect

from tests.asgi_server import served
from tests.browser.conftest import Site, reply
from tests.support.schemas import MAYBE_NUMBER, TEXT, list_of, object_of

pytestmark = pytest.mark.req("UI-1")
expect.set_options(timeout=60_000)

TREES = [("Wych elm 🌳", 41.5), ("Black poplar 🌿", 33.25), ("Aspen", 18.0), ("Field maple", 21.75)]
SCHEMA = list_of(object_of("tree", tree=TEXT, height=MAYBE_NUMBER))
FEED = "<!doctype html><title>Trees 🌲</title><main><h1>🌲🌲 Trees of the park</h1><p>{count} trees</p>{cards}</main>"
CARD = "<div class=card><h3>{name}</h3><p>planted by the lake</p><p>height: {height} m</p></div>"


def trees_page() -> str:
    cards = "".join(CARD.format(name=name, height=f"{height:.2f}") for name, height in TREES)
    return FEED.format(count=len(TREES), cards=cards)


def forgetful_forester() -> ScriptedModel:
    """A model that forgets one tree and makes one height up."""
    told = [(name, 77.125 if name == "Aspen" else height, f"{height:.2f}") for name, height in TREES]
    truth = [TrueRecord({"tree": name, "height": said}, (name, text)) for name, said, text in told]
    return ScriptedModel(truth, wrap=lambda records: [one for one in records if one["tree"] != TREES[-1][0]])


@contextmanager
def playground(services: WiredServices, *, require_token: bool = False) -> Iterator[str]:
    with (
        closing(services),
        closing(LocalRunner(services)) as runner,
        serving(services, runner, require_token=require_token) as front,
        served(front) as url,
    ):
        yield f"{url}/"


@pytest.fixture(scope="module")
def address(make_settings: Callable[..., Settings], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    settings = make_settings(home=tmp_path_factory.mktemp("playground"))
    with playground(WiredServices(settings, model=forgetful_forester())) as url:
        yield url


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page that fails the test for anything that it complains of, and for a request to any server but its own."""
    complaints: list[str] = []
    asked: list[SplitResult] = []
    context = chromium.new_context(accept_downloads=True)
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.append(urlsplit(request.url)))
    page.set_default_timeout(20_000)
    yield page
    context.close()
    assert [said for said in complaints if "status of 401" not in said] == []
    assert len({url.netloc for url in asked if url.scheme not in ("data", "blob", "about")}) == 1


def ask(page: Page, address: str, url: str, schema: object = SCHEMA) -> None:
    page.goto(address)
    page.get_by_label("Address of the page").fill(url)
    page.get_by_label("Schema of the answer").fill(json.dumps(schema) if schema is not None else "")
    page.locator("#start").click()


@pytest.fixture(scope="module")
def answer_address(chromium: Browser, address: str, site: Site) -> str:
    """Where the answer about the trees is shown, asked for once."""
    with chromium.new_page() as page:
        ask(page, address, site.page("/trees", trees_page()))
        expect(page.get_by_role("grid")).to_be_visible()
        return page.url


@pytest.fixture
def answered(page: Page, answer_address: str) -> Page:
    page.goto(answer_address)
    expect(page.get_by_role("grid")).to_be_visible()
    return page


def gated_page(site: Site, path: str) -> tuple[threading.Event, str]:
    """Give the URL of the trees' page, which is not answered before the event is set."""
    gate = threading.Event()

    def answer(handler: LoopbackHandler) -> None:
        gate.wait(90)
        reply(handler, trees_page().encode())

    site.routes[path] = answer
    return gate, site.url(path)


def test_the_steps_of_a_job_are_watched_while_it_runs(page: Page, address: str, site: Site) -> None:
    gate, url = gated_page(site, "/slow-trees")
    ask(page, address, url)
    expect(page.locator("[data-step=plan_scrape]")).to_have_attribute("data-state", "done")
    expect(page.locator("[data-step=probe_media]")).to_have_attribute("data-state", "running")
    expect(page.locator("[data-step=aggregate_results]")).to_have_attribute("data-state", "waiting")
    expect(page.get_by_role("status")).to_contain_text("Checking")
    gate.set()
    for step in ("probe_media", "render_page", "chunk_page", "aggregate_results"):
        expect(page.locator(f"[data-step={step}]")).to_have_attribute("data-state", "done")
    expect(page.get_by_role("status")).to_contain_text("3 of 4 records")


def test_the_steps_of_a_listing_are_its_plan_and_its_pages(page: Page, address: str, site: Site) -> None:
    page.goto(address)
    page.get_by_label("Address of the page").fill(site.page("/listed-trees", trees_page()))
    page.get_by_label("Schema of the answer").fill(json.dumps(SCHEMA))
    page.locator("#follow").fill("3")
    page.locator("#start").click()
    expect(page.get_by_role("grid")).to_be_visible()
    expect(page.locator("[data-step]")).to_have_count(2)
    expect(page.locator("[data-step=follow_listing]")).to_have_attribute("data-state", "done")


def test_a_value_is_lit_where_the_page_states_it_by_a_click_by_the_keys_and_by_its_mark(answered: Page) -> None:
    for name, shown in (("Wych elm 🌳", "41.50"), ("Black poplar 🌿", "33.25")):
        row = answered.get_by_role("row").filter(has_text=name)
        row.get_by_role("gridcell").nth(0).click()
        assert answered.locator(".page-text .lit").all_inner_texts() == [name]
        row.get_by_role("gridcell").nth(1).click()
        lit = answered.locator(".page-text .lit")
        assert lit.all_inner_texts() == [shown]
        expect(lit).to_be_in_viewport()
        expect(answered.locator(".proof-card")).to_contain_text(shown)
    answered.get_by_role("gridcell").first.focus()
    answered.keyboard.press("ArrowDown")
    answered.keyboard.press("ArrowRight")
    assert answered.locator(".page-text .lit").all_inner_texts() == ["33.25"]
    expect(answered.locator("td[aria-selected=true]")).to_be_focused()
    expect(answered.locator("td[tabindex='0']")).to_have_count(1)
    answered.locator(".page-text mark").filter(has_text="33.25").click()
    expect(answered.locator("td[aria-selected=true]")).to_have_attribute("data-pointer", "/1/height")


def test_what_the_page_does_not_say_is_struck_out_and_what_is_missing_is_named(answered: Page) -> None:
    expect(answered.locator("[data-completeness].short")).to_have_attribute("data-completeness", "3 of 4")
    expect(answered.locator("[data-status=partial]")).to_be_visible()
    expect(answered.locator("td[data-status=ungrounded] del")).to_have_text("77.125")
    missing = answered.locator(".missing-notice")
    expect(missing).to_contain_text("One record of the page is missing")
    expect(answered.locator(".notice.warn")).to_contain_text("77.125")
    expect(answered.locator(".notice.warn")).to_contain_text("record 3 · height")
    missing.get_by_role("button", name="Field maple").click()
    assert "Field maple" in " ".join(answered.locator(".page-text .lit").all_inner_texts())


def test_a_page_without_records_is_said_to_have_given_none(page: Page, address: str, site: Site) -> None:
    ask(
        page,
        address,
        site.page("/bench", "<!doctype html><title>Bench</title><main><p>A bench, and no more.</p></main>"),
    )
    expect(page.locator("[data-status=complete]")).to_be_visible()
    expect(page.locator("[data-completeness]")).to_have_attribute("data-completeness", "0")


def test_a_job_that_the_address_names_brings_its_schema_along_and_is_there_after_a_reload(answered: Page) -> None:
    assert json.loads(answered.locator("#schema").input_value()) == SCHEMA
    expect(answered.locator("#brief")).to_have_text("A list: tree, height")
    answered.reload()
    expect(answered.get_by_role("gridcell", name="Wych elm")).to_be_visible()


def test_records_are_saved_as_csv_and_as_json(answered: Page, tmp_path: Path) -> None:
    saved = {}
    for kind in ("csv", "json"):
        with answered.expect_download() as download:
            answered.locator(f"[data-save={kind}]").click()
        assert download.value.suggested_filename.endswith(f".{kind}")
        path = tmp_path / kind
        download.value.save_as(path)
        saved[kind] = path.read_text("utf-8")
    records = [{"tree": "Wych elm 🌳", "height": 41.5}, {"tree": "Black poplar 🌿", "height": 33.25}]
    assert json.loads(saved["json"]) == [*records, {"tree": "Aspen", "height": None}]
    rows = list(csv.DictReader(saved["csv"].splitlines()))
    assert rows[:2] == [{name: str(value) for name, value in record.items()} for record in records]
    assert rows[2] == {"tree": "Aspen", "height": ""}


def test_the_markdown_the_screenshot_and_the_cost_have_their_views(answered: Page) -> None:
    answered.get_by_role("tab", name="Markdown").click()
    expect(answered.get_by_role("region", name="The page as Markdown")).to_contain_text("### Field maple")
    answered.get_by_role("tab", name="Screenshot").click()
    answered.get_by_role("button", name="Take a screenshot").click()
    picture = answered.get_by_role("img", name="Screenshot of")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.naturalWidth") > 200
    answered.get_by_role("tab", name="Details").click()
    expect(answered.get_by_role("tabpanel", name="Details")).to_contain_text("Input tokens")


def test_what_pages_say_is_never_markup(page: Page, address: str, site: Site) -> None:
    attack = "&lt;img src=x onerror=alert(1)&gt;&lt;b id=owned&gt;"
    ask(page, address, site.page("/attack", f"<title>{attack}</title><h1>{attack}</h1><p>text {attack}</p>"), None)
    text = page.get_by_role("region", name="The page as Markdown")
    expect(text).to_contain_text("onerror=alert")
    assert page.locator("#owned, img[src=x]").count() == 0


@pytest.mark.parametrize(
    ("url", "schema", "said"),
    [
        ("", "{}", "Give the address"),
        ("ftp://files.example/x", "{}", "Not an http or https address"),
        ("http://e.example", '{"type": "object",\n "properties": }', "line 2, column 16"),
        ("http://e.example", '{"type": "text"}', "“text” is no JSON type"),
        ("http://e.example", "[1]", "A JSON Schema is an object"),
    ],
)
def test_what_is_wrong_in_the_form_is_said_at_its_place(modules: Page, url: str, schema: str, said: str) -> None:
    modules.get_by_label("Address of the page").fill(url)
    modules.get_by_label("Schema of the answer").fill(schema)
    modules.locator("#start").click()
    wrong = modules.locator("[aria-invalid=true]")
    expect(wrong).to_be_focused()
    told = " ".join(
        modules.locator(f"#{name}").inner_text() for name in wrong.get_attribute("aria-describedby").split()
    )
    assert said in told


def test_a_list_by_example_is_taken_as_the_api_takes_it(modules: Page) -> None:
    modules.get_by_label("Schema of the answer").fill('[{"title": "string", "price": "number"}]')
    expect(modules.locator("#schema-state")).to_have_text("A list: title, price")


def test_a_page_that_can_not_be_had_says_why(page: Page, address: str, site: Site) -> None:
    ask(page, address, site.url("/not-there"))
    expect(page.locator("[data-status=failed]")).to_be_visible()
    expect(page.locator(".notice.bad")).to_contain_text("404")
    expect(page.locator(".notice.bad")).to_contain_text("it may have moved, or require a login")


def test_an_answer_that_needs_a_model_says_so_and_is_no_fault(
    page: Page, make_settings: Callable[..., Settings], tmp_path: Path, site: Site
) -> None:
    with playground(WiredServices(make_settings(home=tmp_path))) as address:
        ask(page, address, site.page("/bare", "<p>Nothing in a table.</p>"))
        expect(page.locator("#notices .notice")).to_have_count(2)
        needed, declined = page.locator("#notices .notice").all()
        expect(needed.locator("h2")).to_have_text("This needs a model")
        expect(needed).to_contain_text("GLEANER_MODEL")
        expect(needed).to_have_class("notice warn")
        expect(declined.locator("h2")).to_have_text("Tried without an answer")


def test_a_picture_that_was_asked_for_is_called_by_its_name(page: Page, address: str, site: Site) -> None:
    page.goto(address)
    page.fill("#url", site.page("/seen", "<p>seen</p>"))
    page.fill("#schema", "")
    page.select_option("#format", "screenshot")
    page.click("#start")
    expect(page.locator("#tabs [role=tab]")).to_have_text(["Screenshot", "Details"])


def test_a_token_is_asked_for_and_kept_in_the_tab_only(
    page: Page, make_settings: Callable[..., Settings], site: Site, tmp_path: Path
) -> None:
    services = WiredServices(make_settings(home=tmp_path))
    with playground(services, require_token=True) as address:
        ask(page, address, site.page("/trees", trees_page()), None)
        expect(page.locator("#problem")).to_contain_text("token is needed")
        field = page.get_by_label("Access token")
        expect(field).to_be_focused()
        field.fill("gln_wrong")
        assert page.evaluate("[sessionStorage.length, localStorage.length]") == [1, 0]
        page.goto("about:blank")


def test_every_control_has_a_name_and_the_narrow_page_does_not_scroll_sideways(answered: Page) -> None:
    unnamed = answered.locator("input:visible, textarea:visible, select:visible").evaluate_all(
        "all => all.filter(one => !one.labels?.length).map(one => one.id)"
    )
    assert unnamed == []
    answered.set_viewport_size({"width": 360, "height": 700})
    assert answered.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_job_is_called_off_while_it_runs(page: Page, address: str, site: Site) -> None:
    gate, url = gated_page(site, "/endless-trees")
    ask(page, address, url)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("[data-status=cancelled]")).to_be_visible()
    expect(page.locator("[data-step=render_page]")).to_have_attribute("data-state", "unreached")
    gate.set()
    expect(page.locator("#start")).to_be_enabled()


def test_the_browsers_back_and_a_link_lead_to_the_job_that_they_name(
    page: Page, address: str, answer_address: str, site: Site
) -> None:
    page.goto(answer_address)
    expect(page.get_by_role("grid")).to_be_visible()
    expect(page.get_by_label("Address of the page")).to_have_value(site.url("/trees"))
    page.get_by_label("Address of the page").fill("http://10.0.0.1/")
    page.locator("#start").click()
    expect(page.locator("[data-status=failed]")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("grid")).to_be_visible()
    expect(page.get_by_label("Address of the page")).to_have_value(site.url("/trees"))
    page.get_by_role("link", name="Skip to the results").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#work")).to_be_focused()
    assert page.url == answer_address
    page.goto(address)
    expect(page.get_by_role("heading", name="Ask for a shape")).to_be_visible()


def test_an_answer_without_records_says_so(page: Page, address: str, site: Site) -> None:
    ask(page, address, site.page("/no-trees", "<title>Rocks</title><h1>Rocks</h1><p>No tree stands here.</p>"))
    expect(page.get_by_text("nothing on the page answers what was asked")).to_be_visible()
    expect(page.get_by_role("grid")).to_have_count(0)


@pytest.fixture(scope="module")
def modules(chromium: Browser, address: str) -> Iterator[Page]:
    """A page of the playground whose scripts are called with values."""
    complaints: list[str] = []
    with chromium.new_page() as page:
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        yield page
    assert complaints == []


def call(page: Page, module: str, code: str, value: object) -> Any:
    return page.evaluate(f"async value => {{ const it = await import('./{module}'); return {code}; }}", value)


ROWS: list[Any] = [
    [],
    [{"a": 1, "b": None}, {"b": "x", "c": [1, {"d": "é"}]}],
    [{"a": 'say "no", then\r\ngo', "b": True}],
    ["one", 2, None],
    [{"=a": "=1+1", "b": -1.5, "c": {"d": ["🌳"]}}],
    ["-5", "-5%", "+44 20 7946", "-x", "'=a", "'a", " @a", "\tb", "\r=c", "＝d", "\u00a0+e", "''-6", "a=b", ""],
]


@pytest.mark.parametrize("rows", ROWS)
def test_the_csv_is_the_one_that_the_api_gives(modules: Page, rows: list[Any]) -> None:
    told = list(csv.reader(io.StringIO(call(modules, "records.js", "it.csvOf(value)", rows), newline="")))
    wanted = list(csv.reader(io.StringIO("".join(to_csv(rows)), newline="")))
    assert [[compact(cell) for cell in row] for row in told] == [[compact(cell) for cell in row] for row in wanted]


def compact(cell: str) -> str:
    """JSON in a cell may be spaced in any way."""
    return json.dumps(json.loads(cell)) if cell[:1] in "[{" and cell else cell


def test_offsets_in_characters_become_offsets_of_the_browsers_strings(modules: Page) -> None:
    draw = random.Random(7)
    for _ in range(20):
        text = "".join(draw.choice("a\né€🌳𝔸👩‍🚀\ufeff") for _ in range(draw.randrange(60)))
        places = [sorted(draw.choices(range(len(text) + 1), k=2)) for _ in range(10)]
        code = "(([text, places]) => { const o = new it.Offsets(text);"
        code += " return places.map(([s, e]) => text.slice(o.toUnits(s), o.toUnits(e))); })(value)"
        assert call(modules, "offsets.js", code, [text, places]) == [text[start:end] for start, end in places]


@pytest.mark.parametrize(
    ("data", "shapes"),
    [
        ([{"a": 1}, {"b": {"c": 2}}], [["list", 2, ["/a", "/b/c"]]]),
        ({"items": [{"a": 1}], "total": 3}, [["single", 1, ["/total"]], ["list", 1, ["/a"]]]),
        ({"products": []}, [["list", 0, []]]),
        ({"title": "t", "tags": ["x"]}, [["single", 1, ["/title", "/tags"]]]),
        ({"a/b": {"c~d": 1}}, [["single", 1, ["/a~1b/c~0d"]]]),
        (["x", "y"], [["list", 2, [""]]]),
        ([{"a": None}, {"a": {"b": 1}}], [["list", 2, ["/a/b"]]]),
        ("words", [["text", 0, []]]),
        (7, [["single", 1, [""]]]),
        (None, []),
    ],
)
def test_an_answer_of_any_shape_becomes_tables(modules: Page, data: object, shapes: object) -> None:
    code = "it.tablesOf(value).map(t => [t.kind, t.rows.length, t.columns.map(c => c.key)])"
    assert call(modules, "records.js", code, data) == shapes


@given(st.lists(st.text(alphabet='{}[]",:\\ \n1.e-truefalsn', max_size=30), min_size=5, max_size=10))
@settings(max_examples=20, deadline=None)
def test_a_schemas_json_is_wrong_where_and_only_where_the_browser_says_so(modules: Page, texts: list[str]) -> None:
    is_json = "(() => { try { JSON.parse(text); return true; } catch { return false; } })()"
    judged = call(modules, "json-place.js", f"value.map((text) => [it.jsonProblem(text), {is_json}])", texts)
    assert [problem is None for problem, _ in judged] == [is_json for _, is_json in judged]
