"""What all tests share: where they write, hypothesis profiles and the check of requirement ids."""

import gc
import os
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent.parent
KNOWN = frozenset(re.findall(r"^- ([A-Z]{2}-\d+) ", (ROOT / "docs/spec.md").read_text("utf-8"), re.MULTILINE))

settings.register_profile("quick", max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("deep", max_examples=10_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


MEMORY = Path("/dev/shm")
ROOM = 2_000_000_000
"""Bytes that must be free in memory: five times what a whole run has in it at most, most of it the wheel's folder."""


def pytest_configure() -> None:
    """Keep what tests write in memory where there is room and programs may run: databases wait for disks otherwise.

    Nothing is looked through for rubbish until all tests are known: that takes a third of the time to find them.
    """
    gc.disable()
    has_room = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM
    if has_room and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def pytest_collection_finish() -> None:
    """Leave the tests out of what is looked through for rubbish from here on: they stay to the end."""
    gc.freeze()
    gc.enable()


SLOW = ("template", "browser", "workflow", "adapters")
"""Folders whose files take longest: they come first, so that no worker is left alone with one at the end."""

PATIENT = (*SLOW, "promises", "api", "mcp", "cli", "documents", "project")
"""Folders whose tests wait for processes and servers: a loaded machine may keep them waiting for minutes."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put slow folders first, give them time; refuse marks with ids that the specification does not have."""
    items.sort(key=lambda item: SLOW.index(item.path.parent.name) if item.path.parent.name in SLOW else len(SLOW))
    for item in items:
        is_limited = item.config.getoption("timeout") is not None or item.get_closest_marker("timeout")
        if item.path.parent.name in PATIENT and not is_limited:
            item.add_marker(pytest.mark.timeout(300))
        for mark in item.iter_markers("req"):
            unknown = set(mark.args) - KNOWN
            if unknown or not mark.args:
                raise pytest.UsageError(f"{item.nodeid}: no such requirement in docs/spec.md: {sorted(unknown)}")
