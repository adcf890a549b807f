"""That the check would see a right that is missing."""

import json
from collections.abc import Generator
from contextlib import contextmanager

from tests.cloud.plays.watches import PAGE
from tests.cloud.stack import STACK, Cloud, client, eventually


def a_right_that_is_taken_away_is_missed(cloud: Cloud) -> str:
    """Take the index from the API's role: the route that reads it fails, and the refusal is noted. Give it back."""
    path = "/v1/strategies?url=http://kiln.example/products"
    assert cloud.ask("GET", path).status_code == 200
    earlier = len(cloud.denied())
    with without_right(cloud, "http_api", "/index/"):
        failed = eventually("a missing right", lambda: cloud.ask("GET", path).status_code == 500, 20)
        noted = cloud.denied()[earlier:]
    assert failed and {one["action"] for one in noted} == {"dynamodb:Query"}, noted
    assert STACK in noted[0]["who"], noted
    cloud.take_back(noted)
    assert cloud.ask("GET", path).status_code == 200
    return "dynamodb:Query on by_host"


def a_schedule_whose_role_may_start_nothing_is_missed(cloud: Cloud) -> str:
    """Take the watches' state machine from the role of their schedules: the run that is due is refused, and noted."""
    group = {"GroupName": f"{STACK}-watches"}
    order = {"request": PAGE, "every": "1m", "name": "unlit"}
    assert cloud.ask("POST", "/v1/watches", order).status_code == 201
    names = [one["Name"] for one in client("scheduler").list_schedules(**group)["Schedules"]]
    schedule = next(name for name in names if name.startswith("unlit"))
    role = client("scheduler").get_schedule(Name=schedule, **group)["Target"]["RoleArn"]
    earlier = len(cloud.denied())
    with without(role.rpartition("/")[2], ":stateMachine:"):
        noted = eventually("a schedule that may start nothing", lambda: cloud.denied()[earlier:], 100)
    assert {(one["who"], one["action"]) for one in noted} == {(role, "states:StartExecution")}, noted
    cloud.take_back(noted)
    assert cloud.ask("GET", "/v1/watches/unlit/runs").json()["runs"] == []
    assert cloud.ask("DELETE", "/v1/watches/unlit").status_code == 200
    return "states:StartExecution of the schedules' role"


@contextmanager
def without(role: str, resource: str) -> Generator[None]:
    """Take from a role what its policies allow on resources whose ARN has these words; give it back at the end."""
    iam = client("iam")
    before = {
        name: iam.get_role_policy(RoleName=role, PolicyName=name)["PolicyDocument"]
        for name in iam.list_role_policies(RoleName=role)["PolicyNames"]
    }
    for name, policy in before.items():
        kept = [one for one in policy["Statement"] if resource not in json.dumps(one["Resource"])]
        if len(kept) < len(policy["Statement"]):
            iam.put_role_policy(
                RoleName=role, PolicyName=name, PolicyDocument=json.dumps({**policy, "Statement": kept})
            )
    try:
        yield
    finally:
        for name, policy in before.items():
            iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=json.dumps(policy))


@contextmanager
def without_right(cloud: Cloud, function: str, resource: str) -> Generator[None]:
    """Take from a function's role what it may do with resources that are named so; give it back at the end."""
    configured = client("lambda").get_function_configuration(FunctionName=cloud.functions[function])
    with without(configured["Role"].rpartition("/")[2], resource):
        yield
