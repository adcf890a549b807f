"""The API on real HTTP, with and without tokens."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from gleaner.contracts.settings import load_settings
from gleaner.jobs.tokens import Tokens
from gleaner.local.runner import LocalRunner
from gleaner.local.serve import serving
from gleaner.testing import FunctionModel, Site
from gleaner.wiring import WiredServices

from tests.asgi_server import served

SITE = Path(__file__).parents[1] / "fixtures/site"


class GateModel(FunctionModel):
    """A model that answers when its gate is opened, so that a job stays running for as long as a test wants."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.asked = threading.Event()
        super().__init__(self._wait)

    def _wait(self, prompt: str) -> str:
        if "slow" in prompt:
            self.asked.set()
            self.gate.wait(90)
        return json.dumps({"headline": "Firing the kiln"})


@dataclass
class Server:
    """A running server and what stands behind it."""

    url: str
    services: WiredServices
    runner: LocalRunner
    model: GateModel

    def client(self, token: str | None = None, **options: Any) -> httpx.Client:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return httpx.Client(base_url=self.url, headers=headers, timeout=90, verify=False, **options)

    def token(self, tenant: str, **options: Any) -> tuple[str, str]:
        return Tokens(self.services.table).create(tenant, **options)


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    with Site(SITE) as site:
        yield site


@contextmanager
def running(home: Path, site: Site, *, require_token: bool = False) -> Iterator[Server]:
    model = GateModel()
    services = WiredServices(load_settings({}, home=home, allow_hosts=[site.host]), model=model)
    runner = LocalRunner(services)
    with ExitStack() as stack:
        stack.callback(services.close)
        stack.callback(runner.close)
        stack.callback(model.gate.set)
        front = stack.enter_context(serving(services, runner, require_token=require_token))
        yield Server(stack.enter_context(served(front)), services, runner, model)


@pytest.fixture(scope="module")
def server(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("home"), site) as server:
        yield server


@pytest.fixture(scope="module")
def guarded(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("guarded"), site, require_token=True) as server:
        yield server


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with server.client() as client:
        yield client


@pytest.fixture
def wait_for(http: httpx.Client) -> Callable[[str], dict[str, Any]]:
    """Wait for a job's end by the API's own waiting: the result's route answers once it is there."""

    def wait(job_id: str) -> dict[str, Any]:
        for _ in range(12_000):
            answer = http.get(f"/v1/jobs/{job_id}")
            if answer.json()["status"] in ("complete", "partial", "failed", "cancelled"):
                return answer.json()
            threading.Event().wait(0.01)
        raise AssertionError(f"job {job_id} does not end")

    return wait
