"""``gleaner serve``: the HTTP API, its documentation, the playground and MCP on this machine."""

import signal
import socket
from typing import Annotated, Any

import typer

from gleaner.cli.display import stderr
from gleaner.cli.options import AllowHost, Home, Model
from gleaner.contracts.errors import InvalidRequest, InvalidSettings
from gleaner.contracts.settings import load_settings
from gleaner.wiring import WiredServices

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
GRACE_S = 10


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; any but loopback needs --require-token.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port; 0 chooses a free one.")] = 8080,
    require_token: Annotated[
        bool, typer.Option("--require-token", help="Require a bearer token (see `gleaner tokens create`).")
    ] = False,
    model: Model = None,
    home: Home = None,
    allow_host: AllowHost = None,
) -> int:
    """Serve the HTTP API, the playground and MCP.

    Runs until it is interrupted; running jobs are finished first.
    """
    if host not in LOOPBACK and not require_token:
        raise InvalidRequest(f"--host {host} can be reached from other machines: add --require-token")
    settings = load_settings(model=model, home=home, allow_hosts=allow_host or None)
    with listen(host, port) as listener:
        run(listener, WiredServices(settings), require_token=require_token)
    return 0


def listen(host: str, port: int) -> socket.socket:
    """Take the port; InvalidSettings when it can't be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family)
    except OSError as error:
        reason = (error.strerror or str(error)).partition(" (while ")[0]
        raise InvalidSettings(f"can't listen on {host}:{port}: {reason}; choose another --host or --port") from None
    # Connections take this over. Without it each answer waits 40 ms for the caller's delayed ACK.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def run(listener: socket.socket, services: WiredServices, *, require_token: bool) -> None:
    """Answer on the listener until the process is told to end; then let go of what waits and finish what runs."""
    from gleaner.local.runner import LocalRunner
    from gleaner.local.serve import serving

    runner = LocalRunner(services)
    try:
        with serving(services, runner, require_token=require_token) as front:
            say_start(listener, services, resumed=runner.resume(), has_mcp=front.has_mcp)
            _serve(front, listener)
            stderr.print("stopping: running jobs are finished, waiting jobs resume at the next start")
    finally:
        runner.close()
        services.close()


def _serve(front: Any, listener: socket.socket) -> None:
    import uvicorn

    from gleaner.local.connections import BACKLOG, Connection

    signal.signal(signal.SIGTERM, _interrupt)
    lifespan = "on" if front.has_mcp else "off"
    server = uvicorn.Server(
        uvicorn.Config(
            front,
            log_level="warning",
            access_log=False,
            lifespan=lifespan,
            http=Connection,
            ws="none",
            backlog=BACKLOG,
            timeout_graceful_shutdown=GRACE_S,
        )
    )
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        return


def _interrupt(number: int, _: object) -> None:
    raise KeyboardInterrupt(number)


def say_start(listener: socket.socket, services: WiredServices, *, resumed: int, has_mcp: bool) -> None:
    """Say where to go."""
    address, port = listener.getsockname()[:2]
    url = f"http://{f'[{address}]' if ':' in address else address}:{port}"
    stderr.print(f"Gleaner is running at [bold]{url}[/]   API description at {url}/docs", soft_wrap=True)
    if has_mcp:
        stderr.print(f"  MCP       {url}/mcp")
    stderr.print(f"  model     {services.settings.model}")
    stderr.print(f"  data      {services.settings.home}", soft_wrap=True)
    if resumed:
        stderr.print(f"  resumed   {resumed} unfinished job{'' if resumed == 1 else 's'}")
