"""What an operator does: tokens, the canary, dead letters, the end of a stack."""

import json
import re
import subprocess
from functools import partial
from pathlib import Path

from tests.cloud.plays.events import state_of
from tests.cloud.plays.stops import execution_of, started
from tests.cloud.stack import ROOT, STACK, Cloud, client, eventually


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


def the_commands_of_the_page_of_operations_do_what_it_says(cloud: Cloud) -> str:
    """Run each command of docs/operations.md, as a person would: with a stopped job, and a dead letter to read."""
    page = (ROOT / "docs/operations.md").read_text("utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    old = json.loads(cloud.gleaner("tokens", "create", "leaving", "--json"))["id"]
    learned = json.loads(cloud.gleaner("strategies", "list", "--json"))
    known = {
        "JOB": stopped_job(cloud), "TENANT": "default", "STRATEGY": learned[0]["id"], "OLD_TOKEN_ID": old,
        "TABLE": cloud.outputs["TableName"], "BUCKET": cloud.outputs["BucketName"],
        "SCHEDULES": cloud.outputs["ScheduleGroup"],
        "MACHINE": cloud.outputs["StateMachine"], "DEAD_LETTERS_URL": cloud.outputs["DeadLettersUrl"],
    }  # fmt: skip
    send_what_nobody_can_use(cloud)
    folder = cloud.scratch / "operations"
    folder.mkdir()
    for block in blocks:
        said = run_in_shell(cloud, f"{blocks[0]}\n{block}", known, folder)
        if "receive-message" in block:
            letter = json.loads(said)["Messages"][0]
            body = json.loads(letter["Body"])
            assert body["requestPayload"] == {"detail-type": "Other"}, body
            assert body["responsePayload"]["errorType"] == "InvalidRequest", body
            (folder / "event.json").write_text(json.dumps(body["requestPayload"]), "utf-8")
            known.update(RECEIPT_HANDLE=letter["ReceiptHandle"], FUNCTION=cloud.functions["start_scrape"])
        elif "start-execution" in block:
            eventually("the end of a job that runs again", partial(is_complete, cloud, known["JOB"]), 120)
    assert old not in cloud.gleaner("tokens", "list", "--json")
    assert known["STRATEGY"] not in cloud.gleaner("strategies", "list", "--json")
    listed = client("s3").list_objects_v2(Bucket=known["BUCKET"], Prefix="jobs/default/")
    assert listed["KeyCount"] == 0, listed
    assert jobs_of(cloud, "default") == []
    return f"{len(blocks)} blocks of commands"


def is_complete(cloud: Cloud, job: str) -> bool:
    """Tell whether a job has its whole result; one that runs again is failed until then."""
    return cloud.ask("GET", f"/v1/jobs/{job}").json()["status"] == "complete"


def stopped_job(cloud: Cloud) -> str:
    """Start a job and stop its execution; give its name once it is closed."""
    job = started(cloud)
    client("stepfunctions").stop_execution(executionArn=execution_of(cloud, job))
    assert cloud.job(job, 90)["status"] == "failed"
    return job


def send_what_nobody_can_use(cloud: Cloud) -> None:
    """Send an event that starts nothing, and wait until it is a dead letter."""
    client("lambda").invoke(
        FunctionName=cloud.functions["start_scrape"],
        InvocationType="Event",
        Payload=json.dumps({"detail-type": "Other"}),
    )
    count = "ApproximateNumberOfMessages"

    def waits() -> bool:
        queue = client("sqs").get_queue_attributes(QueueUrl=cloud.outputs["DeadLettersUrl"], AttributeNames=[count])
        return int(queue["Attributes"][count]) > 0

    eventually("a dead letter", waits, 240)


def run_in_shell(cloud: Cloud, commands: str, known: dict[str, str], folder: Path) -> str:
    """Run commands as they stand on a page; give what they print, AssertionError when one fails."""
    done = subprocess.run(
        ["/bin/bash", "--norc", "-euc", commands], cwd=folder, env={**cloud.environment, **known}, timeout=180,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{commands}\n{done.stdout[-1000:]}\n{done.stderr[-2000:]}"
    return done.stdout


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
