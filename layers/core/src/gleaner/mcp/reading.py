"""Read an MCP message from HTTP, and refuse one that gives a name twice.

What stands between a client and this server (a gateway that logs or filters) may take the first of two values, the
protocol's own reader takes the last. Over stdio nothing stands between.
"""

import json
from typing import Any

from mcp_types import INVALID_REQUEST

from gleaner.contracts.json_text import NameGivenTwice, parse_json
from gleaner.service.asgi import Receive


async def read_message(receive: Receive, limit: int) -> tuple[bytes | None, Receive]:
    """Give the body, None when it is over ``limit`` bytes, and a receive that gives what was read once more."""
    read: list[Any] = []
    body = bytearray()
    is_whole = False
    while not is_whole and len(body) <= limit:
        read.append(await receive())
        body += read[-1].get("body", b"")
        is_whole = not read[-1].get("more_body", False)

    async def again() -> Any:
        return read.pop(0) if read else await receive()

    return (bytes(body) if len(body) <= limit else None), again


def refusal_of(body: bytes) -> bytes | None:
    """Give the JSON-RPC error for a message that gives a name twice, None for any other: those the protocol judges.

    >>> refusal_of(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}')
    """
    try:
        parse_json(body.decode())
    except NameGivenTwice as error:
        told = {"code": INVALID_REQUEST, "message": f"the message is ambiguous: {error}"}
        return json.dumps({"jsonrpc": "2.0", "id": None, "error": told}).encode()
    except ValueError:
        pass
    return None
