"""Our own processes look for garbage seldom."""

import gc

import pytest
from gleaner.cli import main


def test_the_command_looks_for_garbage_seldom_and_still_does():
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)  # as a process starts; another test may have called the command in this one
    try:
        with pytest.raises(SystemExit):
            main(["--version"])
        assert 10_000 < gc.get_threshold()[0] < 1_000_000
        assert gc.get_threshold()[1:] == (10, 10)
    finally:
        gc.set_threshold(*before)
