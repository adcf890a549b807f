"""Keep each call that IAM denies, so that the check can compare them with none; name schedules by their group."""

import json
import os
import threading
from functools import wraps
from pathlib import Path
from typing import Any

import ministack.app as app
from ministack.core import iam_actions, iam_evaluator
from replacing import replace

DENIED = Path(os.environ["CLOUD_CHECK_SCRATCH"]) / "denied.jsonl"
_lock = threading.Lock()


def install() -> None:
    """Follow all decisions, and take each request for one by TLS: the bucket refuses others, and here is none."""
    replace(iam_evaluator, "enforce", _noting)
    replace(iam_actions, "extract_resource_arn", _with_schedule_groups)
    replace(app, "pin_request_origin", lambda pin: lambda address, _secure: pin(address, True))


def _noting(enforce: Any) -> Any:
    @wraps(enforce)
    def noting(access_key: str, action: str, *args: Any, **named: Any) -> Any:
        denied = enforce(access_key, action, *args, **named)
        if denied:
            who = getattr(denied, "principal_arn", "") or access_key
            entry = {"who": who, "action": action, "resource": str(named.get("resource_arn", "*"))}
            with _lock, DENIED.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry) + "\n")
        return denied

    return noting


def _with_schedule_groups(extract: Any) -> Any:
    """The emulator takes each schedule for one of the group "default"."""

    @wraps(extract)
    def extracted(service: str, method: str, path: str, headers: Any, body: bytes, query: Any, *where: Any) -> str:
        arn = extract(service, method, path, headers, body, query, *where)
        if service != "scheduler" or ":schedule/default/" not in arn:
            return arn
        asked = query.get("groupName")
        group = (json.loads(body) if body else {}).get("GroupName") or (asked[0] if isinstance(asked, list) else asked)
        return arn.replace(":schedule/default/", f":schedule/{group or 'default'}/")

    return extracted
