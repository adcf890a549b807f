"""The emulator and the stack on it: started, deployed by ``sam deploy``, asked."""

import json
import os
import subprocess
import time
import urllib.request
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import boto3
import httpx
from botocore.config import Config

from tests.cloud.far_side import FarSide

ROOT = Path(__file__).parents[2]
CACHE = ROOT / ".cache"
STACK, REGION, PORT = "gleaner-check", "eu-central-1", 4566
ENDPOINT = f"http://127.0.0.1:{PORT}"
PARAMETERS = {
    "RenderConcurrency": "2",
    "CanaryUrl": "http://shop.example/canary",
    "CanaryExpression": "rate(1 minute)",
}
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": REGION}
DEPLOY_S, START_S = 600, 90


@contextmanager
def emulator(scratch: Path, python: Path, far: FarSide) -> Generator[None]:
    """Run the emulator, with the roles' policies in force, until the end of the context."""
    (scratch / "root").mkdir()
    (scratch / "passwd").write_text("worker:x:993:990::/tmp:/bin/sh\nroot:x:0:0::/:/bin/sh\n", "utf-8")
    prefix = subprocess.check_output([python, "-c", "import sys; print(sys.base_prefix)"], text=True).strip()
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(scratch), "LANG": "C.UTF-8", "BIND_HOST": "127.0.0.1",
        "GATEWAY_PORT": str(PORT), "MINISTACK_HOST": "127.0.0.1", "AUTH": "true", "PERSIST_STATE": "0",
        "STATE_DIR": str(scratch / "state"), "TMPDIR": str(scratch), "IOT_MTLS_ENABLED": "0", "SFTP_ENABLED": "0",
        "MINISTACK_WORKER_THREADS": "256", "CLOUD_CHECK_SCRATCH": str(scratch), "CLOUD_CHECK_PYTHON": prefix,
        "CLOUD_CHECK_RUNTIME": str(CACHE / "lambda"), "CLOUD_CHECK_MODEL": far.model.bedrock_endpoint_url,
        **{name: CREDENTIALS[name] for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")},
    }  # fmt: skip
    command = [CACHE / "emulator/bin/python", Path(__file__).parent / "emulator/launch.py"]
    with (scratch / "emulator.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=scratch, env=environment, stdout=log, stderr=log)
    try:
        eventually("the emulator answers", lambda: process.poll() is None and _answers(), START_S)
        yield
    finally:
        process.terminate()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _answers() -> bool:
    try:
        with urllib.request.urlopen(f"{ENDPOINT}/_ministack/health", timeout=5) as answer:
            return answer.status == 200
    except OSError:
        return False


def deploy(scratch: Path) -> None:
    """Deploy the build as docs/deploy.md says, without the question."""
    command = [
        CACHE / "sam/bin/sam", "deploy", "--stack-name", STACK, "--no-confirm-changeset", "--region", REGION,
        "--parameter-overrides", *(f'{name}="{value}"' for name, value in PARAMETERS.items()),
    ]  # fmt: skip
    with (scratch / "deploy.log").open("wb") as log:
        done = subprocess.run(
            command, cwd=ROOT, env=cloud_environment(), stdout=log, stderr=log, timeout=DEPLOY_S, check=False
        )
    if done.returncode:
        raise AssertionError(f"sam deploy: {done.returncode}\n{(scratch / 'deploy.log').read_text('utf-8')[-3000:]}")


def cloud_environment(**more: str) -> dict[str, str]:
    """Give the variables of a shell that works with the stack."""
    kept = {name: os.environ[name] for name in ("HOME", "TERM") if name in os.environ}
    path = f"{ROOT / 'tests/cloud/emulator/bin'}{os.pathsep}{os.environ['PATH']}"  # aws, gleaner
    return {
        **kept,
        "PATH": path,
        "LANG": "C.UTF-8",
        "SAM_CLI_TELEMETRY": "0",
        "AWS_ENDPOINT_URL": ENDPOINT,
        **CREDENTIALS,
        **more,
    }


def eventually(what: str, probe: Callable[[], Any], seconds: float, pause_s: float = 0.5) -> Any:
    """Ask until the answer is true, and give it; AssertionError when it is not in time."""
    end = time.monotonic() + seconds
    while not (found := probe()):
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds:.0f} s: {what}")
        time.sleep(pause_s)
    return found


def client(service: str) -> Any:
    """Give a client of the emulator that waits for slow functions and asks once."""
    config = Config(retries={"max_attempts": 1}, read_timeout=330, connect_timeout=10)
    make: Any = boto3.client
    return make(
        service, endpoint_url=ENDPOINT, region_name=REGION, config=config,
        aws_access_key_id="test", aws_secret_access_key="test",
    )  # fmt: skip


@dataclass
class Cloud:
    """The deployed stack."""

    scratch: Path
    far: FarSide
    outputs: dict[str, str] = field(default_factory=dict[str, str])
    functions: dict[str, str] = field(default_factory=dict[str, str])
    tokens: dict[str, str] = field(default_factory=dict[str, str])
    known: dict[str, str] = field(default_factory=dict[str, str])
    """What a play leaves for those after it: names of jobs, batches and extractions."""

    def look_up(self) -> None:
        """Read the stack's outputs, its functions by their folder's name, and the API's id."""
        described = client("cloudformation").describe_stacks(StackName=STACK)["Stacks"][0]
        if described["StackStatus"] != "CREATE_COMPLETE":
            raise AssertionError(f"the stack is {described['StackStatus']}")
        self.outputs = {one["OutputKey"]: one["OutputValue"] for one in described["Outputs"]}
        for one in client("cloudformation").list_stack_resources(StackName=STACK)["StackResourceSummaries"]:
            if one["ResourceType"] == "AWS::Lambda::Function":
                name = one["LogicalResourceId"].removesuffix("Function")
                folder = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
                self.functions[folder] = one["PhysicalResourceId"]

    @property
    def environment(self) -> dict[str, str]:
        """Variables for the project's own command, as docs/deploy.md says."""
        names = {
            "GLEANER_TABLE_NAME": "TableName",
            "GLEANER_BUCKET_NAME": "BucketName",
            "GLEANER_SCHEDULE_GROUP": "ScheduleGroup",
        }
        return cloud_environment(GLEANER_CLOUD="true", **{key: self.outputs[name] for key, name in names.items()})

    def gleaner(self, *arguments: str) -> str:
        """Run the project's command; give what it prints."""
        command = [ROOT / ".venv/bin/gleaner", *arguments]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=120, check=False)
        if done.returncode:
            raise AssertionError(f"gleaner {' '.join(arguments)}: {done.returncode}\n{done.stderr[-2000:]}")
        return done.stdout.strip()

    def ask(
        self, method: str, path: str, body: Any = None, token: str | None = "default", **headers: str
    ) -> httpx.Response:
        """Send a request to the HTTP API with a tenant's token, or any text as a token, or none."""
        host = self.outputs["ApiUrl"].removeprefix("https://").partition(".")[0]
        sent = {
            "host": f"{host}.execute-api.127.0.0.1:{PORT}",
            "accept": "application/json, text/event-stream",
            **headers,
        }
        if token is not None:
            sent["authorization"] = f"Bearer {self.tokens.get(token, token)}"
        return httpx.request(method, ENDPOINT + path, json=body, headers=sent, timeout=60)

    def invoke(self, function: str, event: Any) -> Any:
        """Call a function; AssertionError when it raises."""
        answer = client("lambda").invoke(FunctionName=self.functions[function], Payload=json.dumps(event))
        said = json.loads(answer["Payload"].read())
        if answer.get("FunctionError"):
            raise AssertionError(f"{function} raised {json.dumps(said)[:1500]}")
        return said

    def job(self, job_id: str, seconds: float = 120, token: str = "default") -> dict[str, Any]:
        """Give a job's record once it has ended."""

        def ended() -> Any:
            record = self.ask("GET", f"/v1/jobs/{job_id}", token=token)
            return record.status_code == 200 and record.json()["status"] not in ("queued", "running") and record.json()

        return eventually(f"the end of job {job_id}", ended, seconds)

    def scrape(self, url: str, seconds: float = 120, **request: Any) -> dict[str, Any]:
        """Scrape a page by the API; give its result."""
        begun = self.ask("POST", "/v1/scrape?wait=20", {"url": url, **request})
        if begun.status_code not in (200, 202, 303):
            raise AssertionError(f"POST /v1/scrape: {begun.status_code} {begun.text[:800]}")
        if begun.status_code == 200:
            return begun.json()
        if begun.status_code == 202:
            self.job(begun.json()["job_id"], seconds)
            begun = self.ask("GET", f"/v1/jobs/{begun.json()['job_id']}/result")
        return begun.json() if begun.status_code == 200 else httpx.get(begun.headers["location"], timeout=60).json()

    def denied(self) -> list[dict[str, str]]:
        """Give the calls that IAM has refused so far."""
        path = self.scratch / "denied.jsonl"
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []

    def take_back(self, refused: list[dict[str, str]]) -> None:
        """Forget refusals that a play has brought about on purpose."""
        kept = [one for one in self.denied() if one not in refused]
        (self.scratch / "denied.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in kept), "utf-8")
