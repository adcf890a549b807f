"""What the tests of the promises share: retries that do not wait, and Gleaners that are closed at the end."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.local.engine import scaled_retry_waits

Make = Callable[..., Gleaner]


@pytest.fixture(autouse=True)
def no_waiting() -> Iterator[None]:
    with scaled_retry_waits(0):
        yield


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes a Gleaner with a model and settings; all that a test makes share one data folder."""
    with ExitStack() as opened:

        def build(model: Any = None, **options: Any) -> Gleaner:
            return opened.enter_context(Gleaner(model=model, home=tmp_path / "home", **options))

        yield build
