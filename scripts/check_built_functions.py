"""Run each function that `sam build` made under Lambda's own runtime client and the emulator of its runtime interface.

    python scripts/check_built_functions.py RUNTIME SAM

RUNTIME is a virtual environment that has awslambdaric and boto3, as the Lambda runtime does; where it is not of the
runtime's Python 3.13, it also holds, in CoreLayer/python and McpLayer/python, the packages of these layers for its own.
SAM is the one of aws-sam-cli, which ships the emulator. Each function starts in a process of its own with its layers
and nothing else of this project, gets one event that needs no AWS, and must answer as said. `make sam-check`
does it all.
"""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
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
    "ReadDocument": NO_JOB,
    "ChunkPage": NO_JOB,
    "FollowListing": NO_JOB,
    "ExtractChunk": NO_JOB,
    "AggregateResults": NO_JOB,
    "RecordFailure": ({"job": {}, "chunk": {}, "failure": {}}, "InvalidRequest"),
    "CloseStopped": ({"detail": {}}, "InvalidRequest"),
    "AdmitPage": ({"item": 5}, "InvalidRequest"),
    "SummarizeBatch": ({"batch": 5}, "InvalidRequest"),
    "BeginWatch": ({"watch": 5}, "InvalidRequest"),
    "FinishWatch": ({"watch": 5}, "InvalidRequest"),
    "DeliverWebhook": ({"watch": 5}, "InvalidRequest"),
    "MapSite": ({"site": 5}, "InvalidRequest"),
    "StartScrape": ({"detail-type": "Other"}, "InvalidRequest"),
    "StartBatch": ({"detail-type": "Other"}, "InvalidRequest"),
    "Authorize": ({"headers": {}}, '"isAuthorized": false'),
    "HttpApi": (http_event("GET", "/health"), '"statusCode": 200'),
    "McpServer": (http_event("POST", "/mcp", LIST), "browser_extract_content"),
}


def free_ports() -> tuple[int, int]:
    """Give two ports that nobody listens on; held at the same time, so that they are not the same one."""
    with socket.socket() as one, socket.socket() as other:
        for probe in (one, other):
            probe.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]


def invoke(port: int, event: Any) -> str:
    """Send an event to the emulator once it listens; give the function's answer."""
    for _ in range(200):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        try:
            connection.request("POST", "/2015-03-31/functions/function/invocations", json.dumps(event))
            return connection.getresponse().read().decode()
        except ConnectionRefusedError:
            time.sleep(0.05)
        finally:
            connection.close()
    return ""


def layer_paths(name: str, runtime: Path) -> str:
    """Give where a function's packages are: those that fit the interpreter before those that were built."""
    layers = ["CoreLayer", *{"McpServer": ["McpLayer"], "RenderPage": ["PlaywrightLayer"]}.get(name, [])]
    return os.pathsep.join(str(root / layer / "python") for root in (runtime, BUILT) for layer in layers)


def run(runtime: Path, emulator: Path, name: str, scratch: str) -> tuple[str, float]:
    """Give what a function answers, and the seconds from its start until then.

    Between our look for free ports and the emulator's listening, another process can take one of them: then it is tried
    again with others.
    """
    for _ in range(5):
        answer, took = run_once(runtime, emulator, name, scratch)
        if "address already in use" not in answer:
            break
    return answer, took


def run_once(runtime: Path, emulator: Path, name: str, scratch: str) -> tuple[str, float]:
    """Give what a function answers at two free ports, and the seconds from its start until then."""
    environment = {
        "PATH": os.environ["PATH"], "HOME": scratch, "LAMBDA_TASK_ROOT": str(BUILT / f"{name}Function"),
        "PYTHONPATH": layer_paths(name, runtime),
        "AWS_LAMBDA_FUNCTION_NAME": name, "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "1024", "AWS_LAMBDA_LOG_FORMAT": "JSON",
        "AWS_DEFAULT_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "none", "AWS_SECRET_ACCESS_KEY": "none",
        "POWERTOOLS_TRACE_DISABLED": "true", "GLEANER_CLOUD": "true", "GLEANER_TABLE_NAME": "t",
        "GLEANER_BUCKET_NAME": "b", "GLEANER_HOME": scratch,
        "GLEANER_SCRAPE_STATE_MACHINE_ARN": "arn:aws:states:eu-central-1:123456789012:stateMachine:s",
        "GLEANER_BATCH_STATE_MACHINE_ARN": "arn:aws:states:eu-central-1:123456789012:stateMachine:b",
    }  # fmt: skip
    port, api_port = free_ports()
    interface, api = f"127.0.0.1:{port}", f"127.0.0.1:{api_port}"
    command = [
        str(emulator), "--runtime-interface-emulator-address", interface, "--runtime-api-address", api,
        str(runtime / "bin/python"), "-m", "awslambdaric", "handler.handler",
    ]  # fmt: skip
    started = time.perf_counter()
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            command, cwd=BUILT / f"{name}Function", env=environment, stdout=log, stderr=log, start_new_session=True
        )
        try:
            answer = invoke(port, EVENTS[name][0])
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        took = time.perf_counter() - started
        log.seek(0)
        return answer or f"no answer: {log.read().decode(errors='replace')[-2000:]}", took


def main(runtime: str, sam: str) -> int:
    """Check all functions; give how many did not answer as said."""
    emulator = next(Path(sam).resolve().glob("lib/python*/site-packages/samcli/local/rapid/aws-lambda-rie-x86_64"))
    built = {path.name.removesuffix("Function") for path in BUILT.glob("*Function")}
    wrong = len(built ^ set(EVENTS))
    for name in sorted(built ^ set(EVENTS)):
        print(f"{name:18} is {'not tried here: give it an event' if name in built else 'not built'}")
    with tempfile.TemporaryDirectory() as scratch:
        for name in sorted(built & set(EVENTS)):
            answer, took = run(Path(runtime).absolute(), emulator, name, scratch)
            right = EVENTS[name][1] in answer
            wrong += not right
            print(f"{name:18} {took * 1000:6.0f} ms  {'ok' if right else answer[:1500]}", flush=True)
    return wrong


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
