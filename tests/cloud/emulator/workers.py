"""Functions as Lambda runs them: its own runtime client under Python 3.13, each worker in a place of its own."""

import hashlib
import io
import json
import os
import threading
import time
import zipfile
from collections.abc import Mapping
from functools import cache, wraps
from pathlib import Path
from typing import Any

import ministack.services.lambda_svc as functions
from ministack.core import lambda_runtime, responses
from replacing import replace

SCRATCH = Path(os.environ["CLOUD_CHECK_SCRATCH"])
PLACE = Path(__file__).parent / "place.sh"
MOST_BYTES = 6_291_556
"""Lambda refuses a larger request, and a larger answer of a function."""
MOST_WORKERS = 4
"""Of one function at a time; more calls wait. Two cores are no region."""
START_TIMEOUT_S = 120.0

_unpacking = threading.Lock()
_starting = threading.BoundedSemaphore(2)
_places: dict[str, threading.BoundedSemaphore] = {}


def install() -> None:
    """Run functions so in place of the emulator's own way."""
    lambda_runtime._PROVIDED_INIT_TIMEOUT = START_TIMEOUT_S
    replace(lambda_runtime, "_worker_class_for", lambda _: lambda _config: Worker)
    replace(functions, "_provided_worker_env", lambda _: environment)
    replace(functions, "_provided_runtime_code_dir", lambda _: lambda blob: str(unpacked(blob, "function")))
    replace(functions, "_execute_function_warm", lambda _: execute)
    replace(functions, "_throttle_response", _named_as_step_functions_does)


class Worker(lambda_runtime.ProvidedWorker):
    """A runtime client and the API that it talks to."""

    def _build_handler_class(self, generation: int, pending: Any) -> Any:
        made = super()._build_handler_class(generation, pending)
        # Headers and body in one packet: two would cost 40 ms a call.
        return type("RuntimeApi", (made,), {"wbufsize": 1 << 16, "disable_nagle_algorithm": True})

    def _spawn(self, init_timeout: float | None = None) -> Any:
        with _starting:
            return super()._spawn(init_timeout)


def execute(function: Any, event: Any, request_id: str) -> Any:
    """Call a function within Lambda's bounds."""
    config = function.get("config") or function
    if len(json.dumps(event)) > MOST_BYTES:
        return _failed("RequestEntityTooLargeException", f"a request of over {MOST_BYTES} bytes")
    with _places.setdefault(config.get("FunctionArn", ""), threading.BoundedSemaphore(MOST_WORKERS)):
        answer = functions._execute_function_provided_warm(function, event, request_id)
    body = answer.get("body")
    if not answer.get("error") and len(json.dumps(body)) > MOST_BYTES:
        return _failed("Function.ResponseSizeTooLarge", f"an answer of over {MOST_BYTES} bytes")
    if isinstance(body, dict) and "statusCode" in body and body.get("body") is None:
        body["body"] = ""  # the emulator's API breaks on null
    return answer


def _failed(kind: str, message: str) -> Any:
    return {"body": {"errorType": kind, "errorMessage": message}, "error": True, "log": ""}


def _named_as_step_functions_does(make: Any) -> Any:
    @wraps(make)
    def throttled(*args: Any, **named: Any) -> Any:
        answer = make(*args, **named)
        answer["body"] |= {"errorType": "Lambda.TooManyRequestsException", "errorMessage": answer["body"]["message"]}
        return answer

    return throttled


def unpacked(blob: bytes, kind: str) -> Path:
    """Unpack a package once; of a function, give the folder with ``bootstrap`` beside the ``task``."""
    home = SCRATCH / "packages" / f"{kind}-{hashlib.sha256(blob).hexdigest()[:32]}"
    with _unpacking:
        if not home.is_dir():
            begun = home.with_suffix(".begun")
            inside = begun / "task" if kind == "function" else begun
            inside.mkdir(parents=True)
            with zipfile.ZipFile(io.BytesIO(blob)) as package:
                functions._extract_zip_preserving_mode(package, str(inside))
            if kind == "function":
                start = begun / "bootstrap"
                start.write_text(f"#!/bin/sh\nexec unshare --mount --propagation private /bin/sh {PLACE}\n")
                start.chmod(0o755)
            begun.rename(home)
    return home


@cache
def layer(arn: str) -> str:
    """Give the folder of a layer's version."""
    return str(unpacked(functions._resolve_layer_zip(arn), "layer"))


def environment(config: Mapping[str, Any], code: str, port: int) -> dict[str, str]:
    """Give the variables that Lambda sets, the function's own, and what place.sh reads and takes away."""
    name, runtime = str(config["FunctionName"]), str(config["Runtime"])
    account_and_region = lambda_runtime._account_region_from_function_config(config)
    layers = [layer(one if isinstance(one, str) else one["Arn"]) for one in config.get("Layers") or []]
    endpoint = f"http://127.0.0.1:{os.environ['GATEWAY_PORT']}"
    made = {
        "LANG": "en_US.UTF-8", "TZ": ":UTC", "AWS_EXECUTION_ENV": f"AWS_Lambda_{runtime}",
        "AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand", "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{port}",
        "AWS_REGION": account_and_region[1], "AWS_DEFAULT_REGION": account_and_region[1],
        "AWS_LAMBDA_FUNCTION_NAME": name, "AWS_LAMBDA_FUNCTION_VERSION": str(config.get("Version", "$LATEST")),
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(config.get("MemorySize", 128)),
        "AWS_LAMBDA_LOG_GROUP_NAME": f"/aws/lambda/{name}", "AWS_LAMBDA_LOG_FORMAT": "JSON",
        "AWS_LAMBDA_LOG_STREAM_NAME": time.strftime("%Y/%m/%d/[$LATEST]") + responses.new_uuid().replace("-", ""),
        "AWS_LAMBDA_LOG_LEVEL": "INFO", "LAMBDA_TASK_ROOT": "/var/task", "LAMBDA_RUNTIME_DIR": "/var/runtime",
        "AWS_XRAY_DAEMON_ADDRESS": "127.0.0.1:2000", "AWS_XRAY_CONTEXT_MISSING": "LOG_ERROR",
        "_HANDLER": str(config["Handler"]),
        "PYTHONPATH": "/var/task:/opt/python/lib/python3.13/site-packages:/opt/python:/var/runtime",
        "PATH": "/var/lang/bin:/usr/local/bin:/usr/bin:/bin:/opt/bin",
        "LD_LIBRARY_PATH": "/var/lang/lib:/lib64:/usr/lib64:/var/runtime:/var/task:/var/task/lib:/opt/lib",
        "AWS_ENDPOINT_URL": endpoint, "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": os.environ["CLOUD_CHECK_MODEL"],
        lambda_runtime.HOST_PREFIX_ENV: "true",
        "PLACE_TASK": f"{code}/task", "PLACE_LAYERS": ":".join(reversed(layers)),
        "PLACE_RUNTIME": os.environ["CLOUD_CHECK_RUNTIME"], "PLACE_PYTHON": os.environ["CLOUD_CHECK_PYTHON"],
        "PLACE_ROOT": str(SCRATCH / "root"), "PLACE_PASSWD": str(SCRATCH / "passwd"),
        "PLACE_TMP_MB": str((config.get("EphemeralStorage") or {}).get("Size", 512)),
    }  # fmt: skip
    made |= {key: value for key, value in lambda_runtime.execution_credentials(config).items() if value}
    own = (config.get("Environment") or {}).get("Variables") or {}
    return made | {key: value for key, value in own.items() if key not in lambda_runtime._RESERVED_RUNTIME_ENV_VARS}
