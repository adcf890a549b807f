"""``gleaner mcp``: the MCP server over stdin and stdout."""

import os
import signal
from contextlib import closing

from gleaner.cli.display import stderr
from gleaner.cli.exit_codes import INTERRUPTED
from gleaner.cli.options import AllowHost, Home, Model
from gleaner.cli.places import opened


def mcp(
    home: Home = None,
    model: Model = None,
    allow_host: AllowHost = None,
) -> int:
    """Serve MCP over stdio, for a client that starts this command. Messages for people go to stderr."""
    import anyio

    from gleaner.local.runner import LocalRunner
    from gleaner.mcp import serve_stdio
    from gleaner.service.gateway import Gateway

    with (
        opened(home, model=model, allow_hosts=allow_host or None) as services,
        closing(LocalRunner(services)) as runner,
    ):
        signal.signal(signal.SIGINT, _leave)  # not before: a command that can't start has no jobs to resume
        runner.resume()
        anyio.run(serve_stdio, Gateway(services, runner))
    return 0


def _leave(*_: object) -> None:
    """Exit at once: the reader of stdin can't be stopped. The next start resumes running jobs."""
    stderr.print("interrupted: the next start resumes running jobs")
    os._exit(INTERRUPTED)
