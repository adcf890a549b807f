"""An answer that a server sends as it is written: server-sent events (OpenAI's protocol), or a line each (Ollama's).

Put together it reads like an answer that came at once, so nothing that reads answers knows of streams.
"""

import json
import re
from typing import Any

STREAMS = ("text/event-stream", "application/x-ndjson")
STREAM_ROOM = 8
"""How many times the size of a plain answer a stream may have: each of its tokens comes with 200 bytes around it."""
FIRST_RECORD = re.compile(r'\[\s*\{\s*("(?:[^"\\]|\\.)*"\s*):')


class StreamedAnswer:
    """What has been written so far. One thread feeds it; others may read its counts."""

    def __init__(self) -> None:
        self.is_going = True
        self.tokens = 0
        """Pieces of text so far: servers send a token at a time."""
        self._line: list[bytes] = []
        self._texts: list[str] = []
        self._refusals: list[str] = []
        self._last: dict[str, Any] = {}
        self._is_whole = self._is_broken = False

    @property
    def records(self) -> int:
        """How often the first key of the first record of a list has been written."""
        text = "".join(self._texts)
        first = FIRST_RECORD.search(text)
        return len(re.findall(r"\{\s*" + re.escape(first[1]), text)) if first else 0

    def feed(self, part: bytes) -> None:
        """Take the next bytes."""
        *ended, rest = part.split(b"\n")
        for line in ended:
            self._read(b"".join([*self._line, line]))
            self._line.clear()
        self._line.append(rest)

    def body(self) -> str | None:
        """Give the answer as it would have come at once; None for a stream that did not come to its end."""
        self._read(b"".join(self._line))
        self._line.clear()
        if self._last.get("error"):
            return json.dumps(self._last)
        if self._is_broken or not self._is_whole:
            return None
        message = {"role": "assistant", "content": "".join(self._texts), "refusal": "".join(self._refusals) or None}
        choice = {"message": message, "finish_reason": self._last.get("finish_reason")}
        return json.dumps({**self._last, "choices": [choice], "message": message})

    def _read(self, line: bytes) -> None:
        data = line.strip().removeprefix(b"data:").strip()
        if data == b"[DONE]":
            self._is_whole = True
        elif data.startswith((b"{", b"[")):
            try:
                self._take(json.loads(data))
            except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
                self._is_broken = True

    def _take(self, event: Any) -> None:
        if event.get("error"):
            self._last = {"error": event["error"]}
            return
        choice = (event.get("choices") or [{}])[0]
        message = event.get("message") or choice.get("delta") or {}
        reason = choice.get("finish_reason")
        self._last |= {name: value for name, value in event.items() if value is not None}
        self._last |= {"finish_reason": reason} if reason else {}
        self._is_whole = self._is_whole or bool(reason or event.get("done"))
        said, refusal = message.get("content") or "", message.get("refusal") or ""
        thought = message.get("reasoning_content") or message.get("reasoning") or message.get("thinking")
        self.tokens += bool(said or refusal or thought)
        self._texts.append(said if isinstance(said, str) else "".join(part.get("text") or "" for part in said))
        self._refusals.append(refusal)
