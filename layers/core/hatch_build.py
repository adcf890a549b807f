"""A wheel holds what the library runs besides its own code: the functions' handlers and the state machines."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class DeployedFiles(BuildHookInterface):
    """Puts them beside the package; an editable installation finds them in the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name them for the builder."""
        if version != "editable":
            build_data["force_include"] |= {
                f"../../{name}": f"gleaner/deployed/{name}" for name in ("functions", "statemachine")
            }
