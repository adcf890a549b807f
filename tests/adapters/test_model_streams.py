"""Answers of a local model as they are written: told while they grow, taken only when whole, and never a must."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from gleaner.adapters.models import streaming
from gleaner.adapters.models.openai_compatible import OpenAICompatibleModel
from gleaner.adapters.models.streaming import StreamedAnswer
from gleaner.contracts.errors import GleanerError, ModelMisconfigured, ModelUnavailable, PromptTooLong
from gleaner.contracts.ports import ModelAnswer, ModelRequest, Writing
from gleaner.contracts.settings import load_settings
from gleaner.testing import Faults, ScriptedModel, ScriptedModelServer, truth_of
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer
from gleaner.testing.server import chat_answer, chat_stream

ANSWER = ModelAnswer('{"data": [{"name": "Tidal mug"}, {"name": "Slate \\"bowl\\" ü"}]}', 120, 17)
RECORDS: dict[str, Any] = {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}
SCHEMA = {"type": "object", "properties": {"data": RECORDS}}
REQUEST = ModelRequest("You extract.", "The page: Tidal mug, Slate bowl", SCHEMA, timeout_s=5)
OLLAMA = [
    *({"message": {"role": "assistant", "content": "", "thinking": word}, "done": False} for word in ("Well", " then")),
    *({"message": {"role": "assistant", "content": letter}, "done": False} for letter in ANSWER.text),
    {"message": {"content": ""}, "done": True, "done_reason": "stop", "prompt_eval_count": 120, "eval_count": 17},
]


@contextmanager
def model_at(url: str) -> Iterator[tuple[OpenAICompatibleModel, list[Writing]]]:
    written: list[Writing] = []
    model = OpenAICompatibleModel("m", load_settings({}, openai_base_url=url), on_writing=written.append)
    try:
        yield model, written
    finally:
        model.close()


class Says(LoopbackServer):
    """Answers a streamed question so, and any other one with the whole answer."""

    def __init__(self, status: int, kind: str, body: bytes) -> None:
        self.said = (status, kind, body)
        self.bodies: list[dict[str, Any]] = []
        super().__init__(_Handler)


class _Handler(LoopbackHandler):
    owner: Says

    def do_POST(self) -> None:
        body = json.loads(self.read_body())
        self.owner.bodies.append(body)
        whole = (200, "application/json", json.dumps(chat_answer(ANSWER)).encode())
        self.answer(*(self.owner.said if body.get("stream") else whole))


def lines(events: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(event) + "\n" for event in events).encode()


@pytest.mark.req("EX-2")
@pytest.mark.parametrize("faults", [Faults(), Faults(cut=1)])
def test_a_streamed_answer_is_the_plain_one(faults: Faults) -> None:
    truth = truth_of([{"name": "Tidal mug"}, {"name": "Slate bowl"}])
    with ScriptedModelServer(ScriptedModel(truth, faults)) as server, model_at(server.openai_base_url) as (model, told):
        streamed = model.answer(REQUEST)
    with ScriptedModelServer(ScriptedModel(truth, faults)) as plain:
        unwatched = OpenAICompatibleModel("m", load_settings({}, openai_base_url=plain.openai_base_url))
        assert unwatched.answer(REQUEST) == streamed
        unwatched.close()
    assert streamed.output_tokens
    assert [body.get("stream") for body in server.bodies + plain.bodies] == [True, None]
    assert [(one.records, one.tokens > 3, one.is_going) for one in told] == [(1 if faults.cut else 2, True, False)]


@pytest.mark.req("EX-2")
def test_ollama_is_heard_by_its_own_protocol() -> None:
    with Says(200, "application/x-ndjson", lines(OLLAMA)) as server, model_at(server.url) as (model, told):
        model.speaks_ollama = True
        assert model.answer(REQUEST) == ANSWER
    assert "stream_options" not in server.bodies[0]
    assert told[0].tokens == len(ANSWER.text) + 2


@pytest.mark.req("EX-2")
@pytest.mark.parametrize(
    ("status", "said"),
    [(400, "stream is not supported"), (422, "extra fields not permitted: stream_options"), (501, "no streaming here")],
)
def test_a_server_that_refuses_to_stream_is_asked_plainly_from_then_on(status: int, said: str) -> None:
    body = json.dumps({"error": {"message": said}}).encode()
    with Says(status, "application/json", body) as server, model_at(server.url) as (model, told):
        assert [model.answer(REQUEST), model.answer(REQUEST)] == [ANSWER, ANSWER]
    assert ["stream" in body for body in server.bodies] == [True, False, False]
    assert [one.is_going for one in told] == [False]


@pytest.mark.req("EX-2")
def test_a_server_that_takes_no_notice_of_the_wish_answers_at_once() -> None:
    body = json.dumps(chat_answer(ANSWER)).encode()
    with Says(200, "application/json", body) as server, model_at(server.url) as (model, _):
        assert model.answer(REQUEST) == ANSWER


WHOLE = chat_stream(ANSWER)
EVENTS = WHOLE.split(b"\n\n")


@pytest.mark.req("EX-2")
@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"\n\n".join(EVENTS[:9]) + b"\n\n", ModelUnavailable),  # its connection closed between two events
        (WHOLE[:700], ModelUnavailable),  # within one
        (b"", ModelUnavailable),
        (b"\n\n".join([*EVENTS[:3], b'data: {"choices": [{"delta": 7}]}', *EVENTS[3:]]), ModelUnavailable),
        (b"\n\n".join([*EVENTS[:3], b"data: {" + b"[" * 100_000, *EVENTS[3:]]), ModelUnavailable),
        (b"\n\n".join([*EVENTS[:3], b'data: {"error": {"message": "out of memory"}}', *EVENTS[3:]]), ModelUnavailable),
        (
            b'data: {"error": {"message": "exceeds the available context size (512 tokens)", "code": 400}}',
            PromptTooLong,
        ),
    ],
)
def test_a_stream_that_breaks_gives_no_part_of_an_answer(body: bytes, error: type[GleanerError]) -> None:
    with Says(200, "text/event-stream; charset=utf-8", body) as server, model_at(server.url) as (model, told):
        with pytest.raises(error):
            model.answer(REQUEST)
        assert len(server.bodies) == 1 or error is PromptTooLong  # whoever retries is the state machine
    assert not any(one.is_going for one in told)


@pytest.mark.req("EX-2")
def test_a_stream_without_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gleaner.adapters.models.endpoint.MAX_ANSWER_BYTES", len(WHOLE) // streaming.STREAM_ROOM - 1)
    with (
        Says(200, "text/event-stream", WHOLE) as server,
        model_at(server.url) as (model, _),
        pytest.raises(ModelUnavailable, match="answered more than"),
    ):
        model.answer(REQUEST)


@pytest.mark.req("EX-2")
def test_a_hosted_model_is_asked_plainly_and_a_refusal_of_another_kind_stays_one() -> None:
    hosted = OpenAICompatibleModel("m", load_settings({}, openai_base_url="https://a.example/v1"), on_writing=print)
    assert hosted._on_writing is None
    body = json.dumps({"error": {"message": "no such route in the upstream"}}).encode()
    with Says(404, "application/json", body) as server, model_at(server.url) as (model, _):
        with pytest.raises(ModelMisconfigured):
            model.answer(REQUEST)
        assert len(server.bodies) == 1


@pytest.mark.req("EX-2")
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_the_counts_do_not_depend_on_how_the_bytes_arrive(size: int) -> None:
    answer = StreamedAnswer()
    body = chat_stream(
        replace(ANSWER, text='{"data": {"n": {"k": 1}, "rows": [{ "a b": 1, "k": {}}, {\n"a b": 2}, {"a')
    )
    for at in range(0, len(body), size):
        answer.feed(body[at : at + size])
    assert answer.body()
    assert answer.records == 2
