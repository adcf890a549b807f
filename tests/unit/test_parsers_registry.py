"""Parsers by name and from plugins, and the browse_url answer for success and every failure (PA-1, PA-3)."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.contracts.errors import BlockedAddress, FetchTimeout, GleanerError, InvalidRequest, PageTooLarge
from gleaner.contracts.ports import FetchedPage, RenderedPage
from gleaner.parsers import ContentChunk, DefaultParser, PageParser, ParsedContent, ParserRegistry, browse_page

PLUGIN = Path(__file__).parents[1] / "fixtures/parser_plugin"
URL = "https://example.com/page"
HTML = "<title>Tea</title><main><p>Green tea is a tea.</p></main>"
RECIPE = "<div itemscope itemtype='https://schema.org/Recipe'>soup</div>"
SEED_FIELDS = [
    *("title", "visible_text_chunks", "metadata", "links", "media", "source_url", "timestamp", "parser_used", "error"),
]


@pytest.fixture
def installed_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the plugin where an installed package would be, metadata included."""
    info = tmp_path / "gleaner_recipe_parser-1.0.dist-info"
    info.mkdir()
    shutil.copy(PLUGIN / "gleaner_recipe_parser.py", tmp_path)
    shutil.copy(PLUGIN / "entry_points.txt", info)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: gleaner-recipe-parser\nVersion: 1.0\n", "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))


class ShopParser(PageParser):
    @property
    def name(self) -> str:
        return "ShopParser"

    @property
    def description(self) -> str:
        return "Shop pages"

    def can_parse(self, url: str, html_content: str, mime_type: str | None = None) -> bool:
        return "shop" in url

    def parse(self, url: str, html_content: str, title: str = "", user_query: str | None = None) -> ParsedContent:
        return ParsedContent("A shop", [ContentChunk("goods", 1.0)], source_url=url, parser_used=self.name)


def fetched(url: str) -> FetchedPage:
    return FetchedPage(url, 200, {"content-type": "text/html; charset=utf-8"}, HTML.encode(), HTML)


def failing(error: BaseException) -> Any:
    def fetch(url: str) -> FetchedPage:
        raise error

    return fetch


def assert_is_error(result: dict[str, Any], source_url: str, text: str) -> None:
    assert list(result) == SEED_FIELDS
    assert json.loads(json.dumps(result)) == result
    assert result["title"] == "Error"
    assert text in result["error"]
    assert (result["source_url"], result["parser_used"]) == (source_url, "DefaultParser")
    assert (result["visible_text_chunks"], result["metadata"], result["links"], result["media"]) == ([], {}, [], [])


@pytest.mark.req("PA-1")
def test_the_parser_that_is_registered_last_is_asked_first_and_the_default_one_can_be_replaced() -> None:
    first, last, instead = ShopParser(), ShopParser(), ShopParser()
    registry = ParserRegistry(plugins=False)
    for name, parser in (("first", first), ("last", last), ("default", instead)):
        registry.register_parser(name, parser)
    assert registry.select("https://shop.example/", HTML) is last
    assert registry.select(URL, HTML) is registry.get("default") is instead
    registry.register_parser("first", first)
    assert registry.select("https://shop.example/", HTML) is first
    assert list(registry.list_parsers()) == ["default", "last", "first"]


@pytest.mark.req("PA-1")
def test_a_registered_parser_is_listed_after_the_default_one() -> None:
    registry = ParserRegistry(plugins=False)
    registry.register_parser("shop", ShopParser())
    assert list(registry.list_parsers()) == ["default", "shop"]
    assert registry.list_parsers()["shop"] == "Shop pages"


@pytest.mark.req("PA-1")
def test_a_parser_is_chosen_by_the_page_or_by_name() -> None:
    registry = ParserRegistry(plugins=False)
    registry.register_parser("shop", ShopParser())
    assert registry.select("https://shop.example/", HTML).name == "ShopParser"
    assert registry.select(URL, HTML).name == "DefaultParser"
    assert registry.parse(URL, HTML, parser="shop").title == "A shop"
    assert registry.parse("https://shop.example/", HTML, parser="default").title == "Tea"
    assert registry.get("ShopParser").name == "ShopParser"


@pytest.mark.req("PA-1")
def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(InvalidRequest, match="no parser 'news'; there are: default"):
        ParserRegistry(plugins=False).get("news")


@pytest.mark.req("PA-1")
def test_what_is_no_parser_is_not_registered() -> None:
    registry = ParserRegistry(plugins=False)
    with pytest.raises(TypeError, match="is not a parser"):
        registry.register_parser("shop", "ShopParser")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="is not a valid name"):
        registry.register_parser(" ", ShopParser())


@pytest.mark.req("PA-1")
def test_the_default_parser_can_be_replaced() -> None:
    registry = ParserRegistry(plugins=False)
    registry.register_parser("default", DefaultParser(max_chunks=1))
    parsed = registry.parse(URL, "<p>a</p><p>b</p>")
    assert len(parsed.visible_text_chunks) == 1


@pytest.mark.req("PA-1")
@pytest.mark.usefixtures("installed_plugin")
def test_a_parser_of_another_package_is_found_through_its_entry_point() -> None:
    registry = ParserRegistry()
    assert registry.list_parsers()["recipe"] == "Recipes, by their microdata"
    parsed = registry.parse(URL, RECIPE)
    assert (parsed.parser_used, parsed.visible_text_chunks[0].text) == ("RecipeParser", "a recipe")
    assert registry.parse(URL, HTML).parser_used == "DefaultParser"


@pytest.mark.req("PA-1")
@pytest.mark.usefixtures("installed_plugin")
def test_a_broken_plugin_is_reported_and_harms_nobody() -> None:
    registry = ParserRegistry()
    assert list(registry.list_parsers()) == ["default", "recipe", "broken"]
    assert registry.problems["missing"].startswith("ModuleNotFoundError")
    assert "does not give a PageParser" in registry.problems["nothing"]
    assert registry.problems["broken"] == "RuntimeError: no description"
    registry.select(URL, HTML)
    assert registry.problems["broken"] == "RuntimeError: cannot tell"
    parsed = registry.parse(URL, HTML, parser="broken")
    assert (parsed.title, parsed.parser_used) == ("Tea", "DefaultParser")
    assert parsed.metadata["parser_errors"] == ["broken: RuntimeError: cannot parse"]


@pytest.mark.req("PA-3")
@pytest.mark.parametrize(
    "request_",
    [URL, f"  {URL}\n", {"url": URL}, json.dumps({"url": URL, "query": "tea"}), {"url": URL, "parser": "default"}],
)
def test_browsing_gives_the_json_of_the_seed(request_: Any) -> None:
    result = browse_page(request_, fetched, ParserRegistry(plugins=False))
    assert list(result) == SEED_FIELDS
    assert json.loads(json.dumps(result)) == result
    assert (result["title"], result["source_url"], result["parser_used"]) == ("Tea", URL, "DefaultParser")
    assert result["error"] is None


@pytest.mark.req("PA-3")
def test_a_rendered_page_brings_its_own_title_and_url() -> None:
    page = RenderedPage("https://example.com/end", 200, "Set by a script", HTML)
    result = browse_page({"url": URL, "query": "green"}, lambda url: page, ParserRegistry(plugins=False))
    assert (result["title"], result["source_url"]) == ("Set by a script", "https://example.com/end")
    chunks: Any = result["visible_text_chunks"]
    assert chunks[0]["query_score"] > 0


@pytest.mark.req("PA-3", "MD-6")
@pytest.mark.parametrize(
    ("html", "warning"),
    [
        (HTML, None),
        ("\x02\x84#k&" * 50, "not only, text"),
        ("<!doctype html><main><ul><li>Green tea", "breaks off before its end: <ul> is not closed"),
    ],
)
def test_a_page_that_is_noise_or_half_a_page_is_browsed_with_a_warning(html: str, warning: str | None) -> None:
    page = RenderedPage(URL, 200, "", html)
    metadata: Any = browse_page(URL, lambda url: page, ParserRegistry(plugins=False))["metadata"]
    assert "warnings" not in metadata if warning is None else warning in metadata["warnings"][0]


@pytest.mark.req("PA-3")
@pytest.mark.parametrize(
    "error",
    [
        BlockedAddress("127.0.0.1 is a loopback address"),
        FetchTimeout("no answer within 30 s"),
        PageTooLarge("11 MB, more than max_page_size"),
        GleanerError("something"),
        TimeoutError("timed out"),
        ConnectionResetError("reset"),
        RuntimeError("unforeseen"),
        KeyError("odd"),
    ],
)
def test_what_fetching_raises_becomes_an_error(error: Exception) -> None:
    result = browse_page(URL, failing(error), ParserRegistry(plugins=False))
    assert_is_error(result, URL, str(error))


@pytest.mark.req("PA-3")
@pytest.mark.parametrize(
    ("request_", "source_url", "text"),
    [
        ('{"url": ', "", "not valid JSON"),
        ("[1, 2]", "", "JSON list"),
        ("", "", "must be an http or https URL"),
        ("not a url", "not a url", "must be an http or https URL"),
        ("file:///etc/passwd", "file:///etc/passwd", "must be an http or https URL"),
        ("http://[::1", "http://[::1", "must be an http or https URL"),
        ({}, "", "must be an http or https URL"),
        ({"url": 7}, "", "url is of type int"),
        ({"url": URL, "parser": 7}, URL, "parser is of type int"),
        ({"url": URL, "depth": 2}, URL, "unknown field 'depth'"),
        ({"url": URL, "parser": "news"}, URL, "there is no parser 'news'"),
        (None, "", "of type NoneType"),
        (7, "", "of type int"),
        (b"https://example.com", "", "of type bytes"),
        ("[" * 100_000, "", "not valid JSON"),
    ],
)
def test_a_bad_request_becomes_an_error_and_nothing_is_fetched(request_: Any, source_url: str, text: str) -> None:
    result = browse_page(request_, failing(AssertionError("fetched")), ParserRegistry(plugins=False))
    assert_is_error(result, source_url, text)


@pytest.mark.req("PA-3")
@pytest.mark.parametrize(
    ("status", "content_type", "text"),
    [
        (404, "text/html", "404 Not Found"),
        (500, "text/html", "500 Internal Server Error"),
        (200, "image/png", "image/png, not a page"),
    ],
)
def test_an_answer_that_is_no_page_becomes_an_error(status: int, content_type: str, text: str) -> None:
    page = FetchedPage(URL, status, {"content-type": content_type}, b"", HTML)
    result = browse_page(URL, lambda url: page, ParserRegistry(plugins=False))
    assert_is_error(result, URL, text)


@pytest.mark.req("PA-1")
@pytest.mark.usefixtures("installed_plugin")
def test_a_scrape_reads_what_the_named_parser_gives(tmp_path: Path):
    with Gleaner(model="none", home=tmp_path / "home") as gleaner:
        given = gleaner.extract_html(RECIPE, URL, parser="recipe")
        failing = gleaner.extract_html(HTML, URL, parser="broken")
        usual = gleaner.extract_html(HTML, URL, parser="default")
    assert (given.status, given.markdown) == ("complete", "a recipe")
    assert failing.markdown == usual.markdown == "Green tea is a tea."
    assert any("'broken' failed" in warning for warning in failing.warnings)
