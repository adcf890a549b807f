"""The main job over the small shop, with the real browser: what the demo shows, held to the shop's own books."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from gleaner import Gleaner
from gleaner.cli import run
from gleaner.cli.demo import PRODUCTS, scripted_shopkeeper
from gleaner.contracts.models import MediaPayload
from gleaner.testing import ScriptedModelServer, Site

SITE = Path(__file__).parents[1] / "fixtures/site"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(SITE) as site:
        yield site


@pytest.fixture(scope="module")
def gleaner(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gleaner]:
    home = tmp_path_factory.mktemp("home")
    with (
        ScriptedModelServer(scripted_shopkeeper(site)) as server,
        Gleaner("openai:scripted", home, allow_hosts=[site.host], openai_base_url=server.openai_base_url) as gleaner,
    ):
        yield gleaner


@pytest.mark.req("LO-1", "BR-1", "WF-1", "EX-2")
def test_a_listing_drawn_by_javascript_becomes_the_records_of_the_shops_books(gleaner: Gleaner, site: Site) -> None:
    result = gleaner.scrape(site.url + "/products", output_schema=PRODUCTS)
    assert result.status == "complete"
    assert result.extraction is not None
    books = [(product["name"], float(product["price"])) for product in site.products[:12]]
    assert [(record["name"], record["price"]) for record in result.extraction.data["products"]] == books


@pytest.mark.req("LO-1", "CL-1")
def test_the_demo_shows_the_real_machine_and_browser_at_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["demo", "--home", str(tmp_path)]) == 0
    printed = capsys.readouterr()
    assert printed.err.count("✓ render") == 3  # the listing shows its pages, the last one is a PDF
    for said in ("48 of 48 records", "from 4 pages", "200 of 200 records", "image/png", "application/pdf"):
        assert said in printed.err
    assert "Pebble plate" in printed.out
    assert max(map(len, printed.err.splitlines())) < 250
    assert (tmp_path / "gleaner.db").is_file()


@pytest.mark.req("BR-2")
def test_links_are_absolute_and_each_is_there_once(gleaner: Gleaner, site: Site) -> None:
    links = gleaner.scrape(site.url + "/products", format="links").links
    assert links is not None
    assert len(links) == len(set(links))
    assert all(link.startswith("http://") for link in links)
    assert {site.url + product["path"] for product in site.products[:12]} <= set(links)


@pytest.mark.req("BR-2")
def test_a_screenshot_is_a_png_inline_and_stored(gleaner: Gleaner, site: Site) -> None:
    media = gleaner.scrape(site.url + "/stations", format="fullscreenshot").media
    assert media is not None
    assert media.format == "fullscreenshot"
    assert _height(gleaner, media) > 3_000


@pytest.mark.req("AC-7")
def test_several_formats_come_in_one_result_each_in_its_field(gleaner: Gleaner, site: Site) -> None:
    url, formats = site.url + "/stations", ["links", "screenshot", "fullscreenshot", "markdown"]
    result = gleaner.scrape(url, formats=formats)
    assert (result.status, result.format, result.media) == ("complete", "links", None)
    assert result.markdown
    assert "Station" in result.markdown
    assert result.links
    assert result.screenshot
    assert result.fullscreenshot
    assert _height(gleaner, result.screenshot) == 800
    assert _height(gleaner, result.fullscreenshot) > 3_000
    again = gleaner.scrape(page_id=result.page_id, format="screenshot").media
    assert again
    assert again.key == result.screenshot.key
    assert gleaner.gateway.media(result.job_id, "fullscreenshot").key == result.fullscreenshot.key


def _height(gleaner: Gleaner, media: MediaPayload) -> int:
    assert media.screenshot_base64 is not None
    head, _, body = media.screenshot_base64.partition(",")
    assert head == "data:image/png;base64"
    png = base64.b64decode(body)
    assert png.startswith(b"\x89PNG")
    assert gleaner.services.blobs.read(media.key) == png
    return int.from_bytes(png[20:24], "big")


@pytest.mark.req("ME-1", "ME-2")
@pytest.mark.parametrize(
    ("path", "mime"), [("/files/price-list.pdf", "application/pdf"), ("/files/lamp.png", "image/png")]
)
def test_media_is_handed_on_whatever_the_format(gleaner: Gleaner, site: Site, path: str, mime: str) -> None:
    result = gleaner.scrape(site.url + path, format="links")
    assert result.format == "media"
    assert result.media is not None
    assert result.media.screenshot_mime == mime
    assert str(result.media.screenshot_base64).startswith(f"data:{mime};base64,")
    shown = result.to_json()["media"]
    assert {"format", "screenshotMime", "screenshotBase64", "url"} <= set(shown)


@pytest.mark.req("CL-1")
def test_the_command_gives_a_pages_markdown(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["scrape", site.url + "/docs/client", "--home", str(tmp_path), "--allow-host", site.host])
    assert code == 0
    assert "# Client library" in capsys.readouterr().out


@pytest.mark.req("CL-1")
@pytest.mark.parametrize(
    ("path", "options", "code", "error_type"),
    [
        ("/nowhere", [], 69, "http_status_error"),
        ("/api/products", ["--selector", "#x"], 2, "selector_not_found"),
    ],
)
def test_a_failure_has_its_exit_code_and_its_readable_result(
    site: Site,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    path: str,
    options: list[str],
    code: int,
    error_type: str,
) -> None:
    arguments = ["scrape", site.url + path, "--home", str(tmp_path), "--allow-host", site.host, "--json", *options]
    assert run(arguments) == code
    shown = json.loads(capsys.readouterr().out)
    assert shown["status"] == "failed"
    assert shown["error"]["error_type"] == error_type


@pytest.mark.req("CL-1")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["scrape", "http://e.example", "--nonsense"], "No such option: --nonsense"),
        (["scrape", "http://e.example", "--schema", "/no/such/file.json"], "can't read /no/such/file.json"),
        (["scrape", "http://e.example", "--schema", "{not json"], "is not valid JSON"),
        (["scrape", "file:///etc/passwd"], "http or https"),
        (["scrape", "http://e.example", "--format", "html"], "supported: markdown, links"),
        (["scrape", "http://e.example", "--model", "magic:x"], "model"),
    ],
)
def test_bad_input_is_one_clear_line_and_an_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    code = run([*arguments, "--home", str(tmp_path)] if "--nonsense" not in arguments else arguments)
    errors = capsys.readouterr().err.strip().splitlines()
    assert code in (2, 78)
    assert len(errors) == 1
    assert said in errors[0]
