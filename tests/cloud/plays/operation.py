"""What an operator does: tokens, the canary, dead letters, the end of a stack."""

import json

from tests.cloud.plays.events import state_of
from tests.cloud.stack import STACK, Cloud, client, eventually


def tokens_are_made_by_the_command(cloud: Cloud) -> str:
    """Make a token for two tenants, and one that is revoked."""
    for name, tenant in (("default", "default"), ("other", "other"), ("revoked", "default")):
        made = json.loads(cloud.gleaner("tokens", "create", tenant, "--rate", "100000", "--json"))
        cloud.tokens[name] = made["token"]
    cloud.gleaner("tokens", "revoke", made["id"])
    eventually("the API answers", lambda: cloud.ask("GET", "/v1/jobs").status_code == 200, 60)
    return f"{len(cloud.tokens)} made, one of them revoked"


def the_canary_was_scraped(cloud: Cloud) -> str:
    """Find the job that the template's own schedule has started."""
    names = eventually("a job of the canary", lambda: jobs_of(cloud, "canary"), 90)
    ends = {state_of(cloud, "canary", name) for name in names}
    assert ends == {"complete"}, ends
    return f"{len(names)} complete"


def jobs_of(cloud: Cloud, tenant: str) -> list[str]:
    """Give the names of a tenant's jobs, from the table."""
    found = client("dynamodb").query(
        TableName=cloud.outputs["TableName"], KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": {"S": f"JOB#{tenant}"}},
    )  # fmt: skip
    return [item["sk"]["S"] for item in found["Items"]]


def an_event_that_nobody_can_use_is_a_dead_letter(cloud: Cloud) -> str:
    """Send an event that starts nothing: after its retries it waits in the queue, with the error."""
    client("lambda").invoke(
        FunctionName=cloud.functions["start_scrape"],
        InvocationType="Event",
        Payload=json.dumps({"detail-type": "Other"}),
    )
    queue = cloud.outputs["DeadLettersUrl"]

    def letter() -> object:
        return client("sqs").receive_message(QueueUrl=queue, WaitTimeSeconds=1).get("Messages")

    found = eventually("a dead letter", letter, 240)[0]
    body = json.loads(found["Body"])
    assert body["requestPayload"] == {"detail-type": "Other"}, body
    assert body["responsePayload"]["errorType"] == "InvalidRequest", body
    client("sqs").delete_message(QueueUrl=queue, ReceiptHandle=found["ReceiptHandle"])
    return body["responsePayload"]["errorType"]


def table_and_bucket_stay_when_the_stack_is_deleted(cloud: Cloud) -> str:
    """Delete the stack: what holds data stays, and everything else is gone."""
    client("cloudformation").delete_stack(StackName=STACK)

    def gone() -> bool:
        stacks = client("cloudformation").list_stacks()["StackSummaries"]
        return all(one["StackStatus"] == "DELETE_COMPLETE" for one in stacks if one["StackName"] == STACK)

    eventually("the end of the stack", gone, 60)
    assert client("dynamodb").describe_table(TableName=cloud.outputs["TableName"])
    client("s3").head_bucket(Bucket=cloud.outputs["BucketName"])
    functions = {one["FunctionName"] for one in client("lambda").list_functions()["Functions"]}
    assert not functions & set(cloud.functions.values()), functions
    return "table and bucket kept"
