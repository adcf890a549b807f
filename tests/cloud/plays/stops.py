"""What is stopped, called off or killed."""

import os
import signal
from pathlib import Path

from tests.cloud.plays.watches import LAMPS
from tests.cloud.stack import Cloud, client, eventually

SLOW = "http://shop.example/slow"


def a_stopped_execution_is_closed(cloud: Cloud) -> str:
    """Stop an execution as an operator would; close_stopped hears of it and closes the job."""
    job = started(cloud)
    execution = execution_of(cloud, job)
    client("stepfunctions").stop_execution(executionArn=execution, error="Operator", cause="by hand")
    record = cloud.job(job, 90)
    assert (record["status"], record["error"]["error_type"]) == ("failed", "execution_aborted"), record
    return "execution_aborted"


def a_listing_that_is_stopped_keeps_what_it_has_read(cloud: Cloud) -> str:
    """Stop an execution that follows a listing at its third page: the records of the first two are its result."""
    job = started(cloud, url="http://shop.example/shelf/1", output_schema=LAMPS, follow=5)
    eventually("the third page of a listing", lambda: cloud.far.pages.shelves, 120)
    client("stepfunctions").stop_execution(executionArn=execution_of(cloud, job), error="Operator", cause="by hand")
    record = cloud.job(job, 120)
    assert record["status"] == "partial", record
    result = cloud.ask("GET", f"/v1/jobs/{job}/result").json()
    names = [one["name"] for one in result["extraction"]["data"]]
    assert names == [f"Jar {page}{letter}" for page in (1, 2) for letter in "ABCD"], names
    return f"partial, {len(names)} records"


def started(cloud: Cloud, **request: object) -> str:
    """Start a job that takes a while; give its name."""
    begun = cloud.ask("POST", "/v1/scrape?wait=0", {"url": SLOW, "enable_javascript": False, **request})
    assert begun.status_code == 202, begun.text
    return begun.json()["job_id"]


def execution_of(cloud: Cloud, job: str) -> str:
    """Give the running execution of a job, which has its name."""
    arn = cloud.outputs["StateMachine"].replace(":stateMachine:", ":execution:") + f":{job}"

    def running() -> bool:
        return client("stepfunctions").describe_execution(executionArn=arn)["status"] == "RUNNING"

    eventually(f"execution {job} runs", running, 120)
    return arn


def a_job_and_a_batch_are_called_off(cloud: Cloud) -> str:
    """Call off a job that runs, and a batch whose pages run."""
    job = started(cloud)
    execution_of(cloud, job)
    called = cloud.ask("DELETE", f"/v1/jobs/{job}")
    assert called.status_code == 200, called.text
    record = cloud.job(job, 90)
    assert record["status"] == "cancelled", record
    body = {"requests": [SLOW, *(f"http://shop.example/off/{n}" for n in range(8))], "per_host": 1,
            "defaults": {"enable_javascript": False}}  # fmt: skip
    batch = cloud.ask("POST", "/v1/batches", body).json()["batch_id"]
    called = cloud.ask("DELETE", f"/v1/batches/{batch}")
    assert called.status_code == 200, called.text

    def ended() -> object:
        found = cloud.ask("GET", f"/v1/batches/{batch}").json()
        return found["status"] not in ("queued", "running") and found

    found = eventually("the end of a batch that was called off", ended, 120, pause_s=1)
    assert found["status"] == "cancelled", found
    return "both cancelled"


def a_killed_browser_function_is_run_again(cloud: Cloud) -> str:
    """Kill the worker of the browser while it reads a page: the state machine runs the step again."""
    begun = cloud.ask("POST", "/v1/scrape?wait=0", {"url": SLOW, "enable_javascript": True})
    job = begun.json()["job_id"]
    name = cloud.functions["render_page"]
    busy = eventually("a browser that reads a page", lambda: workers_with_a_browser(name), 60, pause_s=0.1)
    os.kill(busy[0], signal.SIGKILL)
    record = cloud.job(job, 180)
    assert record["status"] == "complete", record
    return f"worker {busy[0]} killed, the job complete"


def workers_with_a_browser(function: str) -> list[int]:
    """Give the processes of a function's runtime client that have begun a browser: those whose children are many."""
    wanted = f"AWS_LAMBDA_FUNCTION_NAME={function}".encode()
    found: list[int] = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command, variables = (folder / "cmdline").read_bytes(), (folder / "environ").read_bytes()
            children = "".join(path.read_text() for path in folder.glob("task/*/children"))
        except OSError:  # it has ended meanwhile
            continue
        if b"awslambdaric" in command and wanted in variables.split(b"\0") and children:
            found.append(int(folder.name))
    return found
