"""Keep each call that IAM denies, so that the check can compare them with none; name schedules by their group, and let
them start what their role may."""

import json
import os
import threading
from functools import wraps
from pathlib import Path
from typing import Any

import ministack.app as app
from ministack.core import iam_actions, iam_evaluator
from ministack.services import eventbridge
from replacing import replace

DENIED = Path(os.environ["CLOUD_CHECK_SCRATCH"]) / "denied.jsonl"
_lock = threading.Lock()


def install() -> None:
    """Follow all decisions, and take each request for one by TLS: the bucket refuses others, and here is none."""
    replace(iam_evaluator, "enforce", _noting)
    replace(iam_actions, "extract_resource_arn", _with_schedule_groups)
    replace(eventbridge, "_invoke_target", _in_its_role)
    replace(app, "pin_request_origin", lambda pin: lambda address, _secure: pin(address, True))


def _noting(enforce: Any) -> Any:
    @wraps(enforce)
    def noting(access_key: str, action: str, *args: Any, **named: Any) -> Any:
        denied = enforce(access_key, action, *args, **named)
        if denied:
            who = getattr(denied, "principal_arn", "") or access_key
            _note(who, action, str(named.get("resource_arn", "*")))
        return denied

    return noting


def _note(who: str, action: str, resource: str) -> None:
    with _lock, DENIED.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"who": who, "action": action, "resource": resource}) + "\n")


def _in_its_role(invoke: Any) -> Any:
    """The emulator starts what a schedule names whatever the role may that the schedule passes."""

    @wraps(invoke)
    def invoked(target: Any, event: Any, *rest: Any) -> Any:
        role = str(target.get("RoleArn") or "")
        if event.get("Source") == "aws.scheduler" and ":stateMachine:" in target["Arn"]:
            account = role.split(":")[4]
            policies = iam_evaluator._gather_role_policies(role.rpartition("/")[2], account)
            asked = iam_evaluator.EvalContext(
                role, "AssumedRole", account, "states:StartExecution", target["Arn"], str(event["Region"])
            )
            if iam_evaluator.evaluate(asked, policies).decision != "Allow":
                _note(role, "states:StartExecution", target["Arn"])
                return None
        return invoke(target, event, *rest)

    return invoked


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
