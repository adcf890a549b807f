"""Track unfinished executions in the table, so that another process can resume them.

An execution that somebody waits for in the process that began it (``gleaner scrape``, the library) ends with that
process; one that was started (``serve``, ``mcp``, ``batch``) is resumed by the next.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from gleaner.contracts.items import every_item
from gleaner.contracts.ports import Item, JsonObject, JsonValue, Services


@dataclass(frozen=True, slots=True)
class Execution:
    """One execution: its machine, its input, its name, and whether another process may go on with it."""

    machine: str
    payload: JsonValue
    name: str
    may_go_on: bool = True


class Unfinished:
    """What this process began, and what processes that are gone have left."""

    PARTITION = "STARTED"

    def __init__(self, services: Services) -> None:
        self._services = services

    def note(self, execution: Execution) -> None:
        """Take note of a begin."""
        self._services.table.put(self._item(execution))

    def claim(self, execution: Execution) -> bool:
        """Take note of a begin; False when another process that lives works on it."""
        left = self._services.table.get(self.PARTITION, _key(execution))
        if left is not None and _is_worked_on(left, execution):
            return False
        return self._services.table.put(self._item(execution), if_version=left.version if left else 0)

    def left_by_another(self, machine: str, name: str) -> Execution | None:
        """Give an execution that a process has begun which is gone; None when there is none."""
        item = self._services.table.get(self.PARTITION, f"{machine}#{name}")
        execution = _execution(item) if item else None
        return execution if item and execution and not _is_worked_on(item, execution) else None

    def forget(self, execution: Execution) -> None:
        """Take note of an end."""
        self._services.table.delete(self.PARTITION, _key(execution))

    def take_over(self, *, may_go_on: bool) -> list[Execution]:
        """Give what of this kind no living process works on; from now on it belongs to this one."""
        items = every_item(lambda after: self._services.table.query(self.PARTITION, after=after))
        left = [(_execution(item), item) for item in items]
        return [
            execution
            for execution, item in left
            if execution.may_go_on == may_go_on
            and not _is_worked_on(item, execution)
            and self._services.table.put(self._item(execution), if_version=item.version)
        ]

    def _item(self, execution: Execution) -> Item:
        pid = os.getpid()
        data: JsonObject = {
            "machine": execution.machine,
            "payload": execution.payload,
            "name": execution.name,
            "may_go_on": execution.may_go_on,
            "pid": pid,
            "born": _born(pid),
        }
        return Item(self.PARTITION, _key(execution), data)


def _key(execution: Execution) -> str:
    return f"{execution.machine}#{execution.name}"


def _execution(item: Item) -> Execution:
    data = item.data
    may_go_on = data.get("may_go_on") is not False
    return Execution(str(data["machine"]), data.get("payload"), str(data["name"]), may_go_on)


def _is_worked_on(item: Item, execution: Execution) -> bool:
    """Tell whether the process that holds the item lives, and works on it.

    What this process started and is asked to go on with was left by a runner that was closed.
    """
    pid, born = item.data.get("pid"), item.data.get("born")
    if not isinstance(pid, int) or born != _born(pid):
        return False
    return not execution.may_go_on if pid == os.getpid() else _is_alive(pid)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _born(pid: int) -> str | None:
    """Give when a process began, in the system's own count: an id is given again. None where nobody says so."""
    try:
        after_name = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return None
    return after_name[19] if len(after_name) > 19 else None
