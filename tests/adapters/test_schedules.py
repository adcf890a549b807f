"""Watches' schedules at EventBridge Scheduler, over moto (WA-1)."""

import json
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from gleaner.adapters.aws.schedules import EventBridgeSchedules
from gleaner.contracts.errors import GleanerError, InternalError, InvalidSettings, StoreThrottled
from moto import mock_aws

pytestmark = pytest.mark.req("WA-1")

MACHINE = "arn:aws:states:eu-west-1:123456789012:stateMachine:gleaner-watch-run"
ROLE = "arn:aws:iam::123456789012:role/gleaner-schedules"
QUEUE = "arn:aws:sqs:eu-west-1:123456789012:gleaner-dead-letters"


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "x")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "x")
    with mock_aws():
        scheduler: Any = boto3.client("scheduler", region_name="eu-west-1")
        scheduler.create_schedule_group(Name="watches")
        yield scheduler


def schedules_of(client: Any) -> list[Any]:
    names = [one["Name"] for one in client.list_schedules(GroupName="watches")["Schedules"]]
    return [client.get_schedule(Name=name, GroupName="watches") for name in names]


def test_a_watch_has_one_schedule_that_starts_its_run_and_leaves_what_fails_in_the_queue(client: Any) -> None:
    schedules = EventBridgeSchedules(client, "watches", MACHINE, ROLE, QUEUE)
    schedules.put("lamps", "acme", 3_600)
    (schedule,) = schedules_of(client)
    assert schedule["ScheduleExpression"] == "rate(60 minutes)"
    assert (schedule["Target"]["Arn"], schedule["Target"]["RoleArn"]) == (MACHINE, ROLE)
    assert schedule["Target"]["DeadLetterConfig"] == {"Arn": QUEUE}
    started = json.loads(schedule["Target"]["Input"])
    assert started == {"watch": {"watch_id": "lamps", "tenant": "acme"}, "run": "<aws.scheduler.execution-id>"}


def test_a_watch_that_is_put_again_has_its_new_interval_alone(client: Any) -> None:
    schedules = EventBridgeSchedules(client, "watches", MACHINE, ROLE, None)
    schedules.put("lamps", "acme", 3_600)
    schedules.put("lamps", "acme", 60)
    assert [one["ScheduleExpression"] for one in schedules_of(client)] == ["rate(1 minute)"]


def test_who_knows_the_group_alone_can_delete_schedules_and_begin_none(client: Any) -> None:
    EventBridgeSchedules(client, "watches", MACHINE, ROLE, None).put("lamps", "acme", 3_600)
    operator = EventBridgeSchedules(client, "watches", None, None, None)
    operator.delete("lamps", "acme")
    assert schedules_of(client) == []
    with pytest.raises(InvalidSettings, match="watch_state_machine_arn"):
        operator.put("lamps", "acme", 3_600)


def test_tenants_with_watches_of_one_name_have_schedules_of_their_own(client: Any) -> None:
    schedules = EventBridgeSchedules(client, "watches", MACHINE, ROLE, None)
    long = "a-watch-with-a-name-of-nearly-eighty-characters-as-the-shop-calls-its-departments"[:80]
    for tenant in ("acme", "other"):
        schedules.put(long, tenant, 300)
    names = [one["Name"] for one in schedules_of(client)]
    assert len(set(names)) == 2
    assert all(len(name) <= 64 for name in names)
    schedules.delete(long, "acme")
    assert [json.loads(one["Target"]["Input"])["watch"]["tenant"] for one in schedules_of(client)] == ["other"]


def test_a_schedule_that_is_gone_is_deleted_without_complaint(client: Any) -> None:
    EventBridgeSchedules(client, "watches", MACHINE, ROLE, None).delete("never-was", "acme")


class Refusing:
    """A client whose every call is refused."""

    def __init__(self, code: str) -> None:
        self._code = code

    def create_schedule(self, **_schedule: Any) -> None:
        raise ClientError({"Error": {"Code": self._code, "Message": "no"}}, "CreateSchedule")

    def delete_schedule(self, **_schedule: Any) -> None:
        raise ClientError({"Error": {"Code": self._code, "Message": "no"}}, "DeleteSchedule")


@pytest.mark.parametrize(
    ("code", "error"),
    [("ThrottlingException", StoreThrottled), ("ValidationException", InternalError)],
)
def test_a_refusal_says_whether_it_may_go_through_later(code: str, error: type[GleanerError]) -> None:
    schedules = EventBridgeSchedules(Refusing(code), "watches", MACHINE, ROLE, None)
    with pytest.raises(error, match="EventBridge Scheduler refused"):
        schedules.put("lamps", "acme", 60)
    with pytest.raises(error, match="EventBridge Scheduler refused"):
        schedules.delete("lamps", "acme")
