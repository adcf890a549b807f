"""An ASGI app on real HTTP: uvicorn in a thread, on a free port of loopback."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from gleaner.cli.serve import listen
from gleaner.local.connections import Connection
from gleaner.service.asgi import App


@contextmanager
def served(app: App) -> Iterator[str]:
    """Serve the app for as long as the context is open; give its URL, without a slash at the end."""
    with listen("127.0.0.1", 0) as listener:
        config = uvicorn.Config(app, log_level="error", access_log=False, http=Connection, ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(60)
