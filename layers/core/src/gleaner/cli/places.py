"""Where the command's subcommands keep things: the data folder, or the cloud's table when the settings say so."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from gleaner.settings import load_settings
from gleaner.wiring import WiredServices


@contextmanager
def opened(home: Path | None) -> Generator[WiredServices]:
    """Give the services of an installation, closed at the end."""
    services = WiredServices(load_settings(home=home))
    try:
        yield services
    finally:
        services.close()
