"""That the check would see a right that is missing."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

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


@contextmanager
def without_right(cloud: Cloud, function: str, resource: str) -> Iterator[None]:
    """Take from a function's role, until the end of the context, what it may do with resources that are named so."""
    configured = client("lambda").get_function_configuration(FunctionName=cloud.functions[function])
    role = configured["Role"].rpartition("/")[2]
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
