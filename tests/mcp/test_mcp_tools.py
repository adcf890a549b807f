"""What the tools give over HTTP, from a real browser on the small shop, held to the shop's own books."""

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
from gleaner.cli.demo import PRODUCTS
from gleaner.contracts.models import ScrapeRequest
from gleaner.mcp.catalogue import TOOLS
from gleaner.mcp.ranges import MAX_CHARS
from gleaner.service.gateway import Gateway
from gleaner.testing import Site

Ask = Callable[..., Any]
pytestmark = pytest.mark.req("MC-1")


def text_of(answer: Any) -> str:
    assert answer.content[0].type == "text"
    return answer.content[0].text


def head_of(answer: Any) -> dict[str, str]:
    lines = text_of(answer).partition("\n\n")[0].split("\n")
    return dict(line.partition(": ")[::2] for line in lines)


NO_SITEMAP = "the site names no sitemap and no feed, and 8 pages were not opened for links (depth is 1)"


def body_of(answer: Any) -> str:
    return text_of(answer).partition("\n\n")[2].partition("\n\n[Cut here.")[0]


def test_scrape_takes_every_field_of_a_request() -> None:
    scrape = next(tool for tool in TOOLS if tool.name == "scrape")
    assert set(scrape.input_schema["properties"]) == {*ScrapeRequest.model_fields, "waitFor"}


def test_a_page_is_its_markdown_after_lines_about_it(ask: Ask, shop: Site) -> None:
    answer = ask("scrape", url=f"{shop.url}/docs/client")
    head = head_of(answer)
    assert not answer.is_error
    assert (head["status"], head["format"]) == ("complete", "markdown")
    assert head["url"] == f"{shop.url}/docs/client"
    assert head["job_id"]
    assert head["page_id"]
    assert "# Client library" in body_of(answer)


def test_a_long_page_is_read_whole_in_pieces_of_bounded_size(ask: Ask, shop: Site, gateway: Gateway) -> None:
    answer = ask("scrape", url=f"{shop.url}/stations", enable_javascript=False)
    job_id = head_of(answer)["job_id"]
    whole = gateway.markdown(job_id)
    start, pieces = 0, []
    while True:
        assert len(text_of(answer)) < MAX_CHARS + 2_000
        pieces.append(body_of(answer))
        start += len(pieces[-1])
        if "read_on" not in head_of(answer):
            break
        call = json.loads(head_of(answer)["read_on"].removeprefix("get_result with "))
        assert call == {"job_id": job_id, "start_from_char": start}
        answer = ask("get_result", **call)
    assert "".join(pieces) == whole


def test_start_from_char_is_counted_on_the_whole_page(ask: Ask, shop: Site, gateway: Gateway) -> None:
    answer = ask("scrape", url=f"{shop.url}/docs/client", start_from_char=100)
    assert head_of(answer)["characters"].startswith("100-")
    assert body_of(answer) == gateway.markdown(head_of(answer)["job_id"])[100:]


def test_links_are_a_line_each(ask: Ask, shop: Site) -> None:
    answer = ask("scrape", url=f"{shop.url}/products", format="links")
    links = body_of(answer).split("\n")
    assert head_of(answer)["links"] == str(len(links))
    assert {shop.url + product["path"] for product in shop.products[:12]} <= set(links)


@pytest.mark.parametrize("kind", ["screenshot", "fullscreenshot"])
def test_a_screenshot_is_image_content(ask: Ask, shop: Site, kind: str) -> None:
    answer = ask("scrape", url=f"{shop.url}/forum/glaze", format=kind)
    image = answer.content[1]
    assert (image.type, image.mime_type) == ("image", "image/png")
    assert base64.b64decode(image.data).startswith(b"\x89PNG")


def test_an_image_is_image_content_whatever_the_format(ask: Ask, shop: Site) -> None:
    answer = ask("scrape", url=f"{shop.url}/files/lamp.png", format="links")
    assert base64.b64decode(answer.content[1].data) == (shop.folder / "lamp.png").read_bytes()
    assert answer.content[1].type == "image"


def test_other_media_are_an_embedded_resource_with_a_blob(ask: Ask, shop: Site) -> None:
    resource = ask("scrape", url=f"{shop.url}/files/price-list.pdf").content[1]
    assert resource.type == "resource"
    assert resource.resource.mime_type == "application/pdf"
    assert resource.resource.uri == f"{shop.url}/files/price-list.pdf"
    assert base64.b64decode(resource.resource.blob) == (shop.folder / "price-list.pdf").read_bytes()


@pytest.mark.parametrize("dress", [lambda schema: schema, json.dumps])
def test_a_schema_as_object_or_as_text_gives_the_records_of_the_books(
    ask: Ask, shop: Site, dress: Callable[[Any], Any]
) -> None:
    answer = ask(
        "browser_extract_content", query="all products", url=f"{shop.url}/products", output_schema=dress(PRODUCTS)
    )
    books = [(product["name"], float(product["price"])) for product in shop.products[:12]]
    given = answer.structured_content
    assert [(record["name"], record["price"]) for record in given["data"]["products"]] == books
    assert json.loads(body_of(answer)) == given["data"]
    assert given["completeness"]["missing"] == 0
    assert head_of(answer)["extraction_id"].startswith(given["extraction_id"])


def test_the_next_page_of_a_list_reuses_the_extraction_and_a_page_id_fetches_nothing(ask: Ask, shop: Site) -> None:
    first = ask("scrape", url=f"{shop.url}/products", output_schema=PRODUCTS).structured_content
    second = ask("scrape", url=f"{shop.url}/products?page=2", extraction_id=first["extraction_id"])
    names = [record["name"] for record in second.structured_content["data"]["products"]]
    assert names == [product["name"] for product in shop.products[12:24]]
    assert "aggregate" in head_of(second)
    again = ask("browser_extract_content", query="products", page_id=first["page_id"], output_schema=PRODUCTS)
    assert again.structured_content["data"] == first["data"]


def test_the_proof_of_each_value_can_be_read(ask: Ask, shop: Site, gateway: Gateway) -> None:
    job_id = head_of(ask("scrape", url=f"{shop.url}/products", output_schema=PRODUCTS))["job_id"]
    answer = ask("get_result", job_id=job_id, part="provenance")
    entries = [json.loads(line) for line in body_of(answer).strip().split("\n")]
    first = next(entry for entry in entries if entry["pointer"] == "/products/0/name")
    page = ask("get_result", job_id=job_id, part="markdown")
    assert gateway.markdown(job_id).startswith(body_of(page))
    assert gateway.markdown(job_id)[first["start"] : first["end"]] == shop.products[0]["name"]


def test_browsing_gives_the_overview_of_the_seed(ask: Ask, shop: Site) -> None:
    found = ask("browse_url", url=f"{shop.url}/journal/kiln", query="kiln").structured_content
    fields = {"title", "visible_text_chunks", "metadata", "links", "media", "source_url", "timestamp", "parser_used"}
    assert fields <= set(found)
    assert found["error"] is None
    assert len(json.dumps(found)) < MAX_CHARS + 2_000


def test_the_content_tools_answer_as_their_seed_says(ask: Ask) -> None:
    html = "<html><head><title>Test</title></head><body><h1>Hello</h1><p>World</p></body></html>"
    found = ask("scrape_extract_content", html=html, base_url="https://example.com").structured_content
    assert (found["status"], found["title"], found["word_count"]) == ("ok", "Test", 2)
    assert found["headings"] == [{"level": 1, "text": "Hello"}]
    alike = ask("scrape_text_similarity", text_a="the quick brown fox", text_b="the quick red fox")
    assert alike.structured_content == {"status": "ok", "similarity": 0.6}
    assert json.loads(text_of(alike)) == alike.structured_content


def test_an_outline_of_huge_html_is_bounded_and_says_what_it_leaves_out(ask: Ask) -> None:
    html = "".join(f"<h2>Heading {number}</h2>" for number in range(3_000))
    answer = ask("scrape_extract_content", html=html)
    found = answer.structured_content
    assert len(json.dumps(found)) < MAX_CHARS
    assert len(found["headings"]) + found["omitted"]["headings"] == 3_000


@pytest.mark.parametrize(
    ("tool", "arguments", "error_type", "said"),
    [
        ("scrape", {"url": "https://e.example", "format": "html"}, "unsupported_format", "supported: markdown, links"),
        ("scrape", {}, "invalid_request", "either url or page_id"),
        ("scrape", {"url": "file:///etc/passwd"}, "invalid_request", "http or https"),
        ("scrape", {"url": "https://e.example", "output_schema": "{not json"}, "invalid_request", "not valid JSON"),
        ("scrape", {"url": "https://e.example", "budget": "{no"}, "invalid_request", "budget is not valid JSON"),
        ("scrape", {"url": "https://e.example", "colour": "red"}, "invalid_request", "no argument 'colour'"),
        ("scrape", {"url": "http://169.254.169.254/latest"}, "blocked_address", "169.254.169.254"),
        ("scrape", {"page_id": "0" * 32}, "not_found", "no page"),
        ("browser_extract_content", {"url": "https://e.example"}, "invalid_request", "needs query"),
        ("browser_extract_content", {"url": "https://e.example", "query": " "}, "invalid_request", "needs query"),
        ("get_result", {}, "invalid_request", "needs job_id"),
        ("get_result", {"job_id": "nonesuch"}, "not_found", "no job nonesuch"),
        ("get_result", {"job_id": "../x"}, "invalid_request", "not a valid name"),
        ("get_result", {"job_id": "x", "start_from_char": -1}, "invalid_request", "0 or more"),
        ("get_result", {"job_id": "x", "start_from_record": "9" * 5_000}, "invalid_request", "0 or more"),
        ("get_result", {"job_id": "x", "part": "all"}, "invalid_request", "result, markdown, links or provenance"),
        ("scrape_extract_content", {"html": 5}, None, "must be a string"),
        ("scrape_text_similarity", {"text_a": "a", "text_b": ["b"]}, None, "must be a string"),
        ("browse_url", {"url": "ftp://e.example"}, None, "http or https"),
    ],
)
def test_what_is_wrong_is_a_tool_error_that_says_what_would_be_right(
    ask: Ask, tool: str, arguments: dict[str, Any], error_type: str | None, said: str
) -> None:
    answer = ask(tool, **arguments)
    assert answer.is_error
    assert answer.structured_content.get("error_type") == error_type
    assert said in text_of(answer)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("get_result", {"job_id": "x" * 99_000}),
        ("get_result", {"job_id": "x", "part": "x" * 99_000}),
        ("browse_url", {"url": "x" * 99_000}),
        ("browse_url", {"url": "https://e.example", "parser": "x" * 99_000}),
        ("scrape", {"url": f"https://e.example/{'x' * 99_000}"}),
        ("scrape", {"x" * 99_000: 1}),
    ],
)
def test_an_answer_does_not_repeat_all_that_was_sent(ask: Ask, tool: str, arguments: dict[str, Any]) -> None:
    answer = ask(tool, **arguments)
    assert answer.is_error
    assert len(answer.model_dump_json()) < 25_000


def test_a_page_that_can_not_be_had_is_a_tool_error_with_its_job(ask: Ask, shop: Site) -> None:
    answer = ask("scrape", url=f"{shop.url}/nowhere")
    assert answer.is_error
    assert answer.structured_content["error_type"] == "http_status_error"
    assert "404" in text_of(answer)
    again = ask("get_result", job_id=answer.structured_content["job_id"])
    assert again.is_error
    assert text_of(again) == text_of(answer)


def test_reading_beyond_the_end_says_how_long_the_text_is(ask: Ask, shop: Site) -> None:
    job_id = head_of(ask("scrape", url=f"{shop.url}/docs/client"))["job_id"]
    answer = ask("get_result", job_id=job_id, start_from_char=10_000_000)
    assert answer.is_error
    assert "the text has" in text_of(answer)


def test_null_arguments_are_as_good_as_none(ask: Ask, shop: Site) -> None:
    answer = ask("scrape", url=f"{shop.url}/docs/client", page_id=None, config=None, output_schema=None)
    assert not answer.is_error


@pytest.mark.req("MP-1")
def test_a_site_is_mapped_and_a_long_map_is_read_on(ask: Ask, shop: Site) -> None:
    found = json.loads(text_of(ask("map", url=f"{shop.url}/")))
    assert (found["status"], found["warnings"]) == ("complete", [f"{NO_SITEMAP}: a larger depth may find more"])
    assert {"/", "/products", "/journal/kiln"} <= {one["url"].removeprefix(shop.url) for one in found["urls"]}
    rest = json.loads(text_of(ask("map", map_id=found["map_id"], start_from_url=2)))
    assert rest["urls"] == found["urls"][2:]
    failed = ask("map", url=f"{shop.url}/nowhere")
    assert failed.is_error
    assert "answered 404 Not Found" in text_of(failed)
    assert "give url, or the map_id" in text_of(ask("map", url=shop.url, map_id=found["map_id"]))


@pytest.mark.req("MP-2")
def test_a_site_is_crawled_and_its_pages_are_read(ask: Ask, shop: Site) -> None:
    begun = json.loads(text_of(ask("crawl", url=f"{shop.url}/", include=["/docs/*", "/journal/*"], depth=1,
                                   enable_javascript=False)))  # fmt: skip
    assert begun["status"] in ("mapping", "running", "complete")
    done = json.loads(text_of(ask("crawl", crawl_id=begun["crawl_id"])))
    assert (done["status"], done["counts"]["complete"]) == ("complete", 2)
    assert {one["url"].removeprefix(shop.url) for one in done["pages"]} == {"/docs/client", "/journal/kiln"}
    page = ask("get_result", job_id=done["pages"][0]["job_id"], part="markdown")
    assert not page.is_error
    assert "give url, or the crawl_id" in text_of(ask("crawl", url=shop.url, crawl_id=begun["crawl_id"]))
