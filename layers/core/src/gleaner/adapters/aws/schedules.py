"""Watches in their time, by EventBridge Scheduler: a schedule each, which starts the watch_run state machine."""

import json
from typing import Any

from botocore.exceptions import ClientError

from gleaner.adapters.aws.errors import code_of, may_go_through_later
from gleaner.contracts.digests import digest_of
from gleaner.contracts.errors import GleanerError, InternalError, InvalidSettings, StoreThrottled


class EventBridgeSchedules:
    """Schedules over one group of EventBridge Scheduler; without a machine and a role they can be deleted alone."""

    def __init__(
        self, client: Any, group: str, machine_arn: str | None, role_arn: str | None, dead_letter_arn: str | None
    ) -> None:
        self._client, self._group = client, group
        self._can_start = bool(machine_arn and role_arn)
        self._target: dict[str, Any] = {
            "Arn": machine_arn,
            "RoleArn": role_arn,
            "RetryPolicy": {"MaximumRetryAttempts": 5, "MaximumEventAgeInSeconds": 3600},
            **({"DeadLetterConfig": {"Arn": dead_letter_arn}} if dead_letter_arn else {}),
        }

    def put(self, watch_id: str, tenant: str, every_s: int) -> None:
        """Run a watch every so many seconds, whole minutes; in place of its schedule before.

        InvalidSettings without a machine to start and a role to start it in.
        """
        if not self._can_start:
            raise InvalidSettings("schedules need watch_state_machine_arn and schedule_role_arn")
        started = {
            "watch": {"watch_id": watch_id, "tenant": tenant},
            "run": "<aws.scheduler.execution-id>",
        }
        minutes = every_s // 60
        schedule: dict[str, Any] = {
            "Name": _name(watch_id, tenant),
            "GroupName": self._group,
            "ScheduleExpression": f"rate({minutes} minute{'' if minutes == 1 else 's'})",
            "FlexibleTimeWindow": {"Mode": "OFF"},
            "Target": {**self._target, "Input": json.dumps(started)},
        }
        try:
            self._client.create_schedule(**schedule)
        except ClientError as error:
            if code_of(error) != "ConflictException":
                raise _refusal(error) from error
            self._update(schedule)

    def _update(self, schedule: dict[str, Any]) -> None:
        try:
            self._client.update_schedule(**schedule)
        except ClientError as error:
            raise _refusal(error) from error

    def delete(self, watch_id: str, tenant: str) -> None:
        """Run it no more."""
        try:
            self._client.delete_schedule(Name=_name(watch_id, tenant), GroupName=self._group)
        except ClientError as error:
            if code_of(error) != "ResourceNotFoundException":
                raise _refusal(error) from error


def _name(watch_id: str, tenant: str) -> str:
    """Give a schedule's name, 64 characters at the most: names of watches and tenants may be longer together."""
    return f"{watch_id[:40]}-{digest_of(f'{tenant}/{watch_id}')[:16]}"


def _refusal(error: ClientError) -> GleanerError:
    kind = StoreThrottled if may_go_through_later(code_of(error)) else InternalError
    return kind(f"EventBridge Scheduler refused a watch's schedule: {error}")
