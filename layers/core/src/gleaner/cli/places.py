"""Choose the stores of a subcommand: the data folder, or the cloud if the settings say so."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gleaner.contracts.settings import load_settings
from gleaner.wiring import WiredServices


@contextmanager
def opened(home: Path | None, **settings: Any) -> Generator[WiredServices]:
    """Give the services of an installation, closed at the end; ``settings`` override those of the environment."""
    services = WiredServices(load_settings(home=home, **settings))
    try:
        yield services
    finally:
        services.close()
