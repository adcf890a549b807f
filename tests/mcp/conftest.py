"""Gleaner behind MCP on this machine, over HTTP and as a command, and the shop that it reads."""

import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import anyio
import pytest
from gleaner.cli.demo import scripted_shopkeeper
from gleaner.contracts.settings import load_settings
from gleaner.local.runner import LocalRunner
from gleaner.mcp import asgi_app
from gleaner.service.gateway import Gateway
from gleaner.testing import ScriptedModelServer, Site
from gleaner.wiring import WiredServices
from mcp import Client, StdioServerParameters

from tests.asgi_server import served

SITE = Path(__file__).parents[1] / "fixtures/site"
Settings = dict[str, Any]
Talk = Callable[[Client], Awaitable[Any]]


@pytest.fixture(scope="session")
def shop() -> Iterator[Site]:
    with Site(SITE) as site:
        yield site


@pytest.fixture(scope="session")
def shopkeeper(shop: Site) -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer(scripted_shopkeeper(shop)) as server:
        yield server


@pytest.fixture(scope="session")
def gateway(shop: Site, shopkeeper: ScriptedModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    settings = load_settings(
        {},
        home=tmp_path_factory.mktemp("home"),
        model="openai:scripted",
        allow_hosts=[shop.host],
        openai_base_url=shopkeeper.openai_base_url,
    )
    services = WiredServices(settings)
    runner = LocalRunner(services)
    yield Gateway(services, runner)
    runner.close()
    services.close()


@pytest.fixture(scope="session")
def http_url(gateway: Gateway) -> Iterator[str]:
    with served(asgi_app(lambda _: gateway)) as url:
        yield f"{url}/mcp"


@pytest.fixture(scope="session")
def command(shop: Site, shopkeeper: ScriptedModelServer, tmp_path_factory: pytest.TempPathFactory) -> Any:
    environment: Mapping[str, str] = {
        "GLEANER_HOME": str(tmp_path_factory.mktemp("home")),
        "GLEANER_LLM_OPENAI_BASE_URL": shopkeeper.openai_base_url,
    }
    arguments = ["mcp", "--model", "openai:scripted", "--allow-host", shop.host]
    return StdioServerParameters(
        command=sys.executable, args=["-c", "from gleaner.cli import main; main()", *arguments], env=dict(environment)
    )


def talk(server: Any, conversation: Talk, mode: str = "auto") -> Any:
    """Hold a conversation with the SDK's own client and give what it returns."""

    async def hold() -> Any:
        async with Client(server, mode=mode, read_timeout_seconds=60) as client:
            return await conversation(client)

    return anyio.run(hold)


@pytest.fixture
def ask(http_url: str) -> Callable[..., Any]:
    """Call a tool over HTTP."""

    def call(tool: str, /, **arguments: Any) -> Any:
        return talk(http_url, lambda client: client.call_tool(tool, arguments))

    return call
