"""The fixture site's live pages through the whole program: late content is there, endless pages end, traps are out."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zstandard
from gleaner import Gleaner
from gleaner.contracts.models import ScrapeResult

LIVE = Path(__file__).parents[1] / "fixtures/site/live"
BIDS = ["Ann bids 10", "Ben bids 12", "Cy bids 15"]


@pytest.fixture(scope="module")
def read(site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], ScrapeResult]]:
    for path in LIVE.glob("*.html"):
        site.page(f"/live/{path.stem}", path.read_text("utf-8"))
    site.hang("/live/never.png")
    site.socket("/live/bids", BIDS, 0.4)
    with Gleaner(None, tmp_path_factory.mktemp("live"), allow_hosts=[f"127.0.0.1:{site.port}"]) as gleaner:

        def scrape(name: str) -> ScrapeResult:
            result = gleaner.scrape(site.url(f"/live/{name}"))
            assert result.status == "complete", result.error
            return result

        yield scrape


WANTED = {
    "static": ["# Opening hours", "Saturday", "13:00"],
    "steps": ["Clay from Bovey", "Ash glaze", "Cane handles", "Kiln shelves", "Packing straw"],
    "ticker": ["The kiln stands at 8", "Firing ends when it reaches 1240."],
    "infinite": ["Shard number 1\n", "Shard number 25\n"],
    "feed": ["Bids as they come in.", *BIDS],
    "never-loads": ["The kiln is behind the drying shed."],
}


@pytest.mark.req("BR-3")
@pytest.mark.parametrize("name", WANTED)
def test_a_live_page_is_read_whole_and_ends(read: Callable[[str], ScrapeResult], name: str) -> None:
    result = read(name)
    text = f"{markdown_of(result)}\n"
    assert [wanted for wanted in WANTED[name] if wanted not in text] == []
    assert not [warning for warning in result.warnings if "stability_max_wait_ms" in warning]


@pytest.mark.req("BR-1", "ME-1")
@pytest.mark.parametrize("header", ["Content-Length: -5", "Content-Length: many", "Content-Encoding: zstd"])
def test_an_answer_that_only_a_browser_can_read_is_a_page(
    read: Callable[[str], ScrapeResult], site, header: str
) -> None:
    body = b"<p>Readable after all.</p>"
    body = zstandard.compress(body) if "zstd" in header else body

    def answer(handler) -> None:
        handler.close_connection = True
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + header.encode() + b"\r\n\r\n" + body)

    site.routes["/live/odd"] = answer
    assert markdown_of(read("odd")).strip() == "Readable after all."


@pytest.mark.req("MD-4")
def test_no_trap_of_the_page_reaches_the_markdown_and_the_stats_say_how_much_was_dropped(
    read: Callable[[str], ScrapeResult],
) -> None:
    result = read("hidden")
    text = markdown_of(result)
    assert "Trap" not in text
    assert [f"Seen {number}" for number in ("one", "two", "three") if f"Seen {number}" not in text] == []
    assert result.content_stats is not None
    assert result.content_stats["hidden_chars"] > 250


def markdown_of(result: ScrapeResult) -> str:
    assert result.markdown is not None
    return result.markdown
