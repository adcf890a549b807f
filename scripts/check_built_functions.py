"""Run each function that `sam build` made under Lambda's own runtime client, against a stand-in for the runtime API.

    python scripts/check_built_functions.py PYTHON

PYTHON is a python3.13 that has awslambdaric and boto3, as the Lambda runtime does. Each function starts in a process of
its own with its layers and nothing else of this project, gets one event that needs no AWS, and must answer as said.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

BUILT = Path(__file__).parents[1] / ".aws-sam/build"
HTTP = {"version": "2.0", "routeKey": "$default", "rawQueryString": "", "isBase64Encoded": False}
CONTEXT = {"stage": "$default", "requestId": "r", "authorizer": {"lambda": {"tenant": "default"}}}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
NO_JOB = ({"job": {}}, "InvalidRequest")


def http_event(method: str, path: str, body: Any = None) -> dict[str, Any]:
    """Make an event of payload format 2.0."""
    headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    request = {"method": method, "path": path, "sourceIp": "192.0.2.1", "protocol": "HTTP/1.1"}
    text = None if body is None else json.dumps(body)
    return {**HTTP, "rawPath": path, "headers": headers, "requestContext": {**CONTEXT, "http": request}, "body": text}


EVENTS: Mapping[str, tuple[Any, str]] = {
    "PlanScrape": ({"input": {"url": 5}, "execution": "e"}, "InvalidRequest"),
    "ProbeMedia": NO_JOB,
    "RenderPage": NO_JOB,
    "ChunkPage": NO_JOB,
    "ExtractChunk": NO_JOB,
    "AggregateResults": NO_JOB,
    "RecordFailure": ({"job": {}, "chunk": {}, "failure": {}}, "InvalidRequest"),
    "CloseStopped": ({"detail": {}}, "InvalidRequest"),
    "AdmitPage": ({"item": 5}, "InvalidRequest"),
    "SummarizeBatch": ({"batch": 5}, "InvalidRequest"),
    "StartScrape": ({"detail-type": "Other"}, "InvalidRequest"),
    "StartBatch": ({"detail-type": "Other"}, "InvalidRequest"),
    "Authorize": ({"headers": {}}, '"isAuthorized": false'),
    "HttpApi": (http_event("GET", "/health"), '"statusCode": 200'),
    "McpServer": (http_event("POST", "/mcp", LIST), "browser_extract_content"),
}


class RuntimeApi(ThreadingHTTPServer):
    """Gives one event, and keeps what comes back."""

    def __init__(self, event: Any) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.event = json.dumps(event).encode()
        self.given = False
        self.done = threading.Event()
        self.answer = ""

    def handle_error(self, *_: Any) -> None:
        """Say nothing: the function's process is ended while it waits for its next event."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: RuntimeApi

    def do_GET(self) -> None:
        if self.server.given:
            self.server.done.wait(20)
            return
        self.server.given = True
        self.send_response(200)
        self.send_header("Lambda-Runtime-Aws-Request-Id", "request-1")
        self.send_header("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:eu-central-1:123456789012:function:f")
        self.send_header("Lambda-Runtime-Deadline-Ms", str(int(time.time() * 1000) + 60_000))
        self.send_header("Content-Length", str(len(self.server.event)))
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(self.server.event)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.answer = f"{self.path.rsplit('/', 1)[-1]} {body.decode()}"
        self.send_response(202)
        self.send_header("Content-Length", "0")
        self.end_headers()
        self.server.done.set()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def run(python: str, name: str, event: Any, scratch: str) -> tuple[str, float]:
    """Give what a function answers, and the seconds from its start until then."""
    layers = ["CoreLayer", *{"McpServer": ["McpLayer"], "RenderPage": ["PlaywrightLayer"]}.get(name, [])]
    with RuntimeApi(event) as api:
        threading.Thread(target=api.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        environment = {
            "PATH": os.environ["PATH"], "HOME": scratch, "LAMBDA_TASK_ROOT": str(BUILT / f"{name}Function"),
            "PYTHONPATH": os.pathsep.join(str(BUILT / layer / "python") for layer in layers),
            "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{api.server_address[1]}", "AWS_LAMBDA_FUNCTION_NAME": name,
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "1024", "AWS_LAMBDA_LOG_FORMAT": "JSON",
            "AWS_DEFAULT_REGION": "eu-central-1",
            "AWS_ACCESS_KEY_ID": "none", "AWS_SECRET_ACCESS_KEY": "none", "POWERTOOLS_TRACE_DISABLED": "true",
            "GLEANER_CLOUD": "true", "GLEANER_TABLE_NAME": "t", "GLEANER_BUCKET_NAME": "b", "GLEANER_HOME": scratch,
            "GLEANER_SCRAPE_STATE_MACHINE_ARN": "arn:aws:states:eu-central-1:123456789012:stateMachine:s",
            "GLEANER_BATCH_STATE_MACHINE_ARN": "arn:aws:states:eu-central-1:123456789012:stateMachine:b",
        }  # fmt: skip
        started = time.perf_counter()
        command = [python, "-m", "awslambdaric", "handler.handler"]
        process = subprocess.Popen(
            command, cwd=BUILT / f"{name}Function", env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        answered = api.done.wait(20)
        took = time.perf_counter() - started
        process.kill()
        output = process.communicate()[0].decode(errors="replace")
        api.shutdown()
    return (api.answer if answered else f"no answer: {output[-2000:]}"), took


def main(python: str) -> int:
    """Check all functions; give how many did not answer as said."""
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        for name, (event, expected) in EVENTS.items():
            answer, took = run(python, name, event, scratch)
            right = expected in answer
            wrong += not right
            print(f"{name:18} {took * 1000:6.0f} ms  {'ok' if right else answer[:1500]}", flush=True)
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
