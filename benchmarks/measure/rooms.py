"""Lines of each room of the core beside its budget: lines that are not blank, docstrings included.

The budgets are those of the plan of this phase. Rooms that are new in it stand apart: acting, report and suggest.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from measure.rows import ROOT, Context, Row

PACKAGE = ROOT / "layers/core/src/gleaner"


@dataclass(frozen=True, slots=True)
class Room:
    """Folders and modules that are one room, with the lines that it has when the phase is over.

    What lies in a folder of another room is this one's.
    """

    name: str
    parts: tuple[str, ...]
    goal: int


ROOMS = (
    Room("values", ("values",), 2200),
    Room("html", ("html",), 2700),
    Room("page, units", ("page", "units"), 2900),
    Room("markdown", ("markdown",), 2200),
    Room("schemas, coercion", ("schemas", "coercion"), 2000),
    Room("chunking", ("chunking",), 800),
    Room("judging", ("judging",), 2000),
    Room("completeness", ("completeness",), 900),
    Room("results", ("results",), 900),
    Room("structured", ("structured",), 700),
    Room("wrappers", ("wrappers",), 2400),
    Room("extraction", ("extraction",), 1800),
    Room("tiers", ("tiers",), 600),
    Room("contracts", ("contracts",), 2000),
    Room("documents", ("documents",), 1900),
    Room("addresses, budget", ("addresses.py", "budget"), 600),
    Room("jobs, steps, service", ("jobs", "steps", "service"), 4900),
    Room("adapters", ("adapters",), 4900),
    Room("api, mcp, local, library", ("api", "mcp", "local", "library"), 3800),
    Room("cli", ("cli",), 1500),
    Room("sites", ("sites",), 700),
    Room("parsers", ("parsers",), 450),
    Room("testing", ("testing",), 900),
    Room(
        "acting, sessions, proxies (new)",
        (
            "adapters/browser/acting", "adapters/browser/consent", "adapters/aws/secrets.py",
            "adapters/local/secret_file.py", "adapters/http/upstream_proxy.py", "contracts/actions.py",
            "jobs/secrets.py", "jobs/sessions.py", "page/controls.py", "sites/page_turns.py", "sites/walls.py",
        ),
        1200,
    ),
    Room("report, notebook, spreadsheet (new)", ("reports",), 600),
    Room("suggest (new)", ("structured/suggesting.py",), 300),
)  # fmt: skip
WIRING = "wiring, faces"
GOALS: Mapping[str, int] = {room.name: room.goal for room in ROOMS} | {WIRING: 450}
MODULES = 290


def lines_of(path: Path) -> int:
    """Count the lines of a module that are not blank."""
    return sum(bool(line.strip()) for line in path.read_text("utf-8").splitlines())


def modules(package: Path = PACKAGE) -> Iterator[tuple[str, Path]]:
    """Give each module with the name of its room; what belongs to none is wiring or a face."""
    homes = {part: room.name for room in ROOMS for part in room.parts}
    for path in sorted(package.rglob("*.py")):
        own = path.relative_to(package)
        around = (place.as_posix() for place in (own, *own.parents))  # the innermost first
        yield next((homes[place] for place in around if place in homes), WIRING), path


def count_rooms(package: Path = PACKAGE) -> dict[str, int]:
    """Give the lines of each room."""
    found = dict.fromkeys(GOALS, 0)
    for room, path in modules(package):
        found[room] += lines_of(path)
    return found


def measure(context: Context) -> Sequence[Row]:
    """Give a row for each room, the sum, and the number of modules."""
    del context
    found, whole = count_rooms(), len([*modules()])
    rows = [_row(f"rooms.{room}", f"lines: {room}", lines, GOALS[room]) for room, lines in found.items()]
    rows.append(_row("rooms.all", "lines of the core", sum(found.values()), sum(GOALS.values())))
    return [*rows, _row("rooms.modules", "modules of the core", whole, MODULES)]


def _row(name: str, title: str, value: int, goal: int) -> Row:
    return Row(name, title, float(value), "lines", "lower", 0, f"{goal:,}")
