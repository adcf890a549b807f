"""What makes a wheel of the checkout: the files that the library runs besides its own code, and the first page.

A wheel holds below ``gleaner/deployed`` what ``gleaner.local.runner.project_root`` finds in a checkout: the functions'
handlers, the state machines, the demo's shop, and what installs the pinned browser.
"""

import os
import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

ROOT = Path(__file__).resolve().parent.parent.parent
DEPLOYED = (
    "functions/*/handler.py",
    "statemachine/*.asl.json",
    "tests/fixtures/site/*.*",
    "layers/chromium/package*.json",
    "layers/chromium/unpack.mjs",
    "layers/chromium/fonts.conf",
    "LICENSE",
)
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?://|#)([^)\s]+)\)")


class DeployedFiles(BuildHookInterface):
    """Puts them beside the package; an editable installation finds them in the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name them for the builder."""
        if version != "editable":
            build_data["force_include"] |= {
                str(file): f"gleaner/deployed/{file.relative_to(ROOT).as_posix()}"
                for pattern in DEPLOYED
                for file in sorted(ROOT.glob(pattern))
            }


class FirstPage(MetadataHookInterface):
    """Gives the README, its links as URLs of the repository that ``GLEANER_REPOSITORY_URL`` names.

    Without the variable links lead nowhere outside of a checkout, so that only their words stay.
    """

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in what is dynamic in pyproject.toml."""
        repository = os.environ.get("GLEANER_REPOSITORY_URL", "").rstrip("/")
        metadata["urls"] = {"Source": repository} if repository else {}
        text = (ROOT / "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": with_urls(text, repository, metadata["version"])}


def with_urls(text: str, repository: str, version: str) -> str:
    """Write links to files as URLs of a release; pictures too, and without a repository both go."""

    def written(found: re.Match[str]) -> str:
        mark, words, target = found.groups()
        if not repository:
            return "" if mark else words
        return f"{mark}[{words}]({repository}/{'raw' if mark else 'blob'}/v{version}/{target})"

    return LINK.sub(written, text)
