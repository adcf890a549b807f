"""The commands that the documents show are run, in their order, against a page on this machine and a scripted model.

Whatever host a document names stands for that page. Commands that serve until they are stopped, open a window or deploy
have tests of their own; here they are parsed (test_docs), and what curl sends is held to the API's description.
"""

import io
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from gleaner import wiring
from gleaner.adapters.browser.renderer import PlaywrightRenderer
from gleaner.cli import run
from gleaner.contracts.models import parse_request
from gleaner.contracts.settings import load_settings
from gleaner.testing import ScriptedModel, ScriptedModelServer, TrueRecord
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer

from tests.documents import made
from tests.project.test_docs import ALL, ROOT, Block, commands
from tests.support.kept_browser import KeptBrowser

RECORDS = [{"name": f"Larch jug {number}", "price": 90.5 + number} for number in range(6)]
ROWS = "".join(f"<tr><td>{record['name']}</td><td>£{record['price']}</td></tr>" for record in RECORDS)
FORM = "<form><label>Find <input id=q name=q></label> <button>Search</button></form>"
LOGIN = (
    "<form><label>User <input name=user></label> <label>Password <input type=password></label> "
    "<button>Log in</button></form>"
)
PAGE = f"<title>Jugs</title>{FORM}{LOGIN}<h1>Jugs</h1><table><tr><th>Name</th><th>Price</th></tr>{ROWS}</table>"
FIELDS = {"name": {"type": "string"}, "price": {"type": "number"}}
SCHEMA = {"type": "array", "items": {"type": "object", "properties": FIELDS, "required": ["name", "price"]}}
RUN = (
    "scrape",
    "batch",
    "map",
    "crawl",
    "strategies",
    "extraction",
    "tokens",
    "secrets",
    "sessions",
    "doctor",
    "install-browser",
)
BY_THE_CLOUD_CHECK = "operations.md"
"""Its commands work on a deployed stack: `make cloud-check` runs them."""
BY_THE_WHEEL = "tutorial.md"
"""Its commands are run as printed, with the wheel and the demo's shop (tests/project/test_wheel.py)."""
SHELL = [
    block for block in ALL
    if block.language in ("sh", "bash", "console") and block.document.name not in (BY_THE_CLOUD_CHECK, BY_THE_WHEEL)
]  # fmt: skip
DOCUMENTED = sorted({
    block.document.name for block in SHELL for words in commands(block) if words[0] == "gleaner" and words[1] in RUN
})  # fmt: skip
COMPLETE, PARTIAL = 0, 3


class Page(LoopbackHandler):
    """One page under every path, and no robots.txt."""

    def do_GET(self) -> None:
        body = b"" if self.path == "/robots.txt" else PAGE.encode()
        self.answer(200 if body else 404, "text/html; charset=utf-8", body)


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    with LoopbackServer(Page) as server:
        yield server.host


OWN_BROWSER = ("profiles.md",)
"""Documents whose commands start a browser each, as a reader's do; the Python of the first page does, too."""


@pytest.fixture(scope="module")
def kept(host: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[KeptBrowser]:
    renderer = PlaywrightRenderer(load_settings({}, home=tmp_path_factory.mktemp("browser"), allow_hosts=[host]))
    yield KeptBrowser(renderer)
    renderer.close()


class Typed(io.StringIO):
    """What is typed each time that a command asks."""

    def read(self, size: int | None = -1, /) -> str:
        self.seek(0)
        return super().read(size)


@pytest.fixture
def here(tmp_path: Path, host: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the files that the documents speak of, and the settings that lead to page and model."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", Typed("ada:correct horse"))
    for name in ("schema.json", "jugs.json", "orders.json", "lamp.json", "lamps.json", "articles.json", "invoice.json"):
        (tmp_path / name).write_text(json.dumps(SCHEMA), "utf-8")
    (tmp_path / "invoice.pdf").write_bytes(made.MADE["invoice"]())
    (tmp_path / "pages.csv").write_text(f"url\nhttp://{host}/1\nhttp://{host}/2\n", "utf-8")
    truth = [TrueRecord(record, (str(record["name"]),)) for record in RECORDS]
    with ScriptedModelServer(ScriptedModel(truth)) as model:
        for name, value in {
            "GLEANER_HOME": str(tmp_path / "home"), "GLEANER_ALLOW_HOSTS": host, "GLEANER_MODEL": "openai:scripted",
            "GLEANER_LLM_OPENAI_BASE_URL": model.openai_base_url, "GLEANER_LLM_API_KEY": "none",
        }.items():  # fmt: skip
            monkeypatch.setenv(name, value)
        yield tmp_path


def placed(words: list[str], host: str, known: str) -> list[str]:
    """Give a command's words, its hosts led to the page on this machine, its example ids to one that is known."""
    url = f"http://{host}"
    led = [re.sub(r"^https?://[a-z.]*example(\.com)?", url, url if word == "URL" else word) for word in words[1:]]
    led = [url if word == "shop.example" else word for word in led]  # whose secrets it may see
    return [known if re.fullmatch(r"ex_[0-9a-f]{20}", word) else word for word in led]


@pytest.mark.req("CL-1")
@pytest.mark.parametrize("name", DOCUMENTED)
@pytest.mark.timeout(600)
def test_the_commands_of_a_document_do_what_they_are_shown_for(
    name: str,
    here: Path,
    host: str,
    kept: KeptBrowser,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if name not in OWN_BROWSER:
        monkeypatch.setattr(wiring, "_make_renderer", lambda *_: kept)
    shown = [words for block in SHELL if block.document.name == name for words in commands(block)]
    known = ""
    for words in shown:
        if words[0] != "gleaner" or words[1] not in RUN or "--proxy" in words:  # test_proxies.py has real ones
            continue
        code = run(placed(words, host, known))
        told = capsys.readouterr()
        assert code in (COMPLETE, PARTIAL), (shlex.join(words), told.out[-1500:], told.err[-1500:])
        known = next(iter(re.findall(r"ex_[0-9a-f]{20}", told.out + told.err)), known)


def curls(block: Block) -> list[list[str]]:
    return [words for words in commands(block) if words[0] == "curl"]


@pytest.mark.req("AP-1")
@pytest.mark.parametrize("block", [block for block in SHELL if curls(block)], ids=str)
def test_what_curl_sends_is_what_the_api_describes(block: Block) -> None:
    paths = json.loads((ROOT / "docs/openapi.json").read_text("utf-8"))["paths"]
    for words in curls(block):
        address = next(word for word in words[1:] if "/v1/" in word)
        path = "/" + urlsplit(f"http://{address.removeprefix('http://')}").path.lstrip("/")
        body = words[words.index("-d") + 1] if "-d" in words else None
        assert ("get" if body is None else "post") in paths[path], words
        if body is not None and path == "/v1/scrape":
            parse_request(json.loads(body))


@pytest.mark.req("LB-1")
def test_the_python_of_the_first_page_runs(here: Path, host: str) -> None:
    (block,) = [one for one in ALL if one.document.name == "README.md" and one.language == "python"]
    text = block.text.replace("https://example.com", f"http://{host}").replace(
        "bedrock:global.anthropic.claude-haiku-4-5-20251001-v1:0", "openai:scripted"
    )
    namespace: dict[str, Any] = {"schema": SCHEMA}
    exec(compile(text, str(block), "exec"), namespace)
    result = namespace["result"]
    assert (result.status, result.extraction.data) == ("complete", RECORDS)
    assert result.extraction.extraction_id
