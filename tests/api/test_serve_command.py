"""``gleaner serve`` as a process: it says where it is, answers, and ends cleanly when told to."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from gleaner.contracts.ports import Item
from gleaner.contracts.settings import load_settings
from gleaner.local.unfinished import Unfinished
from gleaner.wiring import WiredServices

COMMAND = [sys.executable, "-c", "from gleaner.cli import main; main()", "serve", "--port", "0"]


@pytest.mark.req("CL-1", "AP-1", "LO-1")
@pytest.mark.parametrize(
    ("ending", "options", "status"), [(signal.SIGTERM, ["--require-token"], 401), (signal.SIGINT, [], 200)]
)
def test_it_says_where_it_is_asks_for_a_token_when_told_and_ends_cleanly(
    tmp_path: Path, ending: signal.Signals, options: list[str], status: int
) -> None:
    services = WiredServices(load_settings({}, home=tmp_path))
    left = {
        "machine": "scrape_page",
        "payload": {"url": "http://127.0.0.1:9/"},
        "name": "left",
        "pid": 1,
        "born": "then",
    }
    services.table.put(Item(Unfinished.PARTITION, "scrape_page#left", left))
    services.close()
    process = subprocess.Popen([*COMMAND, "--home", str(tmp_path), *options], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        said = ""
        while "resumed" not in said:
            line = process.stderr.readline()
            assert line, said
            said += line
        assert re.search(r"model +none\n", said)
        assert "1 unfinished job" in said
        url = re.search(r"http://127\.0\.0\.1:\d+", said)
        assert url is not None
        assert httpx.get(f"{url[0]}/health", timeout=90).json() == {"status": "ok", "has_model": False}
        page = httpx.get(f"{url[0]}/", timeout=90)
        policy = [part.split() for part in page.headers["content-security-policy"].split(";")]
        assert policy[0] == ["default-src", "'none'"]
        assert [sources for name, *sources in policy if name == "script-src"] == [["'self'"]]
        assert httpx.get(f"{url[0]}/v1/jobs", timeout=90).status_code == status
        process.send_signal(ending)
        _, rest = process.communicate(timeout=90)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0, rest
    assert "Traceback" not in rest
