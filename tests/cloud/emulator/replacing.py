"""How functions of the emulator are replaced: by name, and loudly when a name is gone."""

from collections.abc import Callable
from importlib.metadata import version
from typing import Any

KNOWN_VERSION = "1.5.33"


def check_version() -> None:
    """Refuse a version of the emulator whose insides were not looked at."""
    found = version("ministack")
    if found != KNOWN_VERSION:
        raise SystemExit(f"ministack {found} is installed; what is replaced here is that of {KNOWN_VERSION}")


def replace(owner: Any, name: str, make: Callable[[Any], Any]) -> None:
    """Put in a function's place what ``make`` makes of it; AttributeError when there is none of that name."""
    setattr(owner, name, make(getattr(owner, name)))
