"""Tries the integrations with the real packages: ``make integrations``. Not part of ``make test``."""

import contextlib
import functools
import http.server
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

from gleaner import Gleaner
from gleaner.errors import HttpStatusError
from gleaner.integrations.langchain import GleanerLoader, gleaner_tool
from gleaner.integrations.llama_index import GleanerReader

PAGE = "<h1>Mugs</h1><table><tr><th>Name<th>Price<tr><td>Tidal<td>18.50<tr><td>Slate<td>21.00</table>"
RECORD = {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "number"}}}
SCHEMA = {"type": "array", "items": RECORD}


def check(gleaner: Gleaner, url: str) -> None:
    options: dict[str, Any] = {"enable_javascript": False, "ignore_robots": True}
    (page,) = GleanerLoader(f"{url}/mugs.html", gleaner=gleaner, **options).load()
    assert page.page_content.startswith("# Mugs")
    assert page.metadata["source"] == f"{url}/mugs.html"
    first, second = GleanerLoader([f"{url}/mugs.html"], gleaner=gleaner, output_schema=SCHEMA, **options).load()
    assert json.loads(first.page_content) == {"name": "Tidal", "price": 18.5}
    assert second.metadata["record"] == 1
    assert {proof["status"] for proof in json.loads(first.metadata["provenance"])} <= {"verbatim", "normalized"}
    assert [*GleanerLoader(f"{url}/none", gleaner=gleaner, continue_on_failure=True, **options).lazy_load()] == []
    try:
        GleanerLoader(f"{url}/none", gleaner=gleaner, **options).load()
        raise AssertionError("a page that is not there raises its error")
    except HttpStatusError:
        pass
    tool = gleaner_tool(gleaner, output_schema=SCHEMA, enable_javascript=False)
    answer = tool.invoke({"url": f"{url}/mugs.html"})
    assert (answer["status"], len(answer["data"])) == ("complete", 2)
    assert set(tool.args) == {"url", "query"}
    documents = GleanerReader(gleaner).load_data(f"{url}/mugs.html", output_schema=SCHEMA, **options)
    assert [json.loads(one.text)["name"] for one in documents] == ["Tidal", "Slate"]


def check_typescript(client: Path, page: str, home: Path) -> None:
    """Run the compiled client of ``client.ts`` against a server of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).parent / "gleaner"), "serve", "--port", str(port), "--home", str(home)]
    allowed = {**os.environ, "GLEANER_ALLOW_HOSTS": page.split("/")[2], "GLEANER_MODEL": "none"}
    server = subprocess.Popen(command, env=allowed, stdout=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/health") as answer:
                assert answer.status == 200
                break
            time.sleep(0.1)
        told = subprocess.run(
            ["node", str(client), f"http://127.0.0.1:{port}", page], capture_output=True, text=True, check=True
        )
    finally:
        server.terminate()
        server.wait(20)
    assert told.stdout.strip() == "complete Tidal,Slate", told


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "mugs.html").write_text(PAGE, "utf-8")
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            host = f"127.0.0.1:{server.server_address[1]}"
            with Gleaner("none", Path(folder) / "home", allow_hosts=[host]) as gleaner:
                check(gleaner, f"http://{host}")
            check_typescript(Path(sys.argv[1]), f"http://{host}/mugs.html", Path(folder) / "served")
            server.shutdown()
    print("LangChain, LlamaIndex and TypeScript: all well")


if __name__ == "__main__":
    main()
