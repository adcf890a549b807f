"""Which layouts are developed on, and which are only opened to check: split once, by layout, in ``split.json``.

60 % of the lists and 60 % of the pages about one thing, by the hash of their names, are to develop on. A layout that is
added later is for developing until the file says otherwise: the part to check with is never changed.
"""

import json
from functools import cache
from pathlib import Path
from typing import Literal

from layouts.design import Design

Part = Literal["develop", "check"]

_FILE = Path(__file__).with_name("split.json")


class HeldOut(Exception):
    """A layout of the part to check with was asked for by something else than the measurement."""


@cache
def held_out() -> frozenset[str]:
    """Give the names of the layouts that only the measurement may open."""
    return frozenset(json.loads(_FILE.read_text("utf-8"))["check"])


def designs_of(part: Part, *, is_measurement: bool = False) -> list[Design]:
    """Give the layouts of a part; HeldOut for those to check with, unless this is the measurement (``make measure``)."""
    from layouts import DESIGNS

    if part == "check" and not is_measurement:
        raise HeldOut("the check part of the layouts is opened by `make measure` alone; develop on the other part")
    return [design for design in DESIGNS if (design.name in held_out()) == (part == "check")]


def refuse_held_out(names: list[str]) -> None:
    """Refuse names of layouts that are held out: for commands that take names."""
    if wrong := sorted(set(names) & held_out()):
        raise HeldOut(f"{', '.join(wrong)}: held out to check with, opened by `make measure` alone")
