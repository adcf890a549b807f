"""Say what the built layers hold: an SBOM of each in CycloneDX, and one table of all licences.

    python scripts/sbom.py PATH_TO_CYCLONEDX_PY FOLDER

What is written says what was built: run `make sam-build` first. FOLDER gets CoreLayer.cdx.json and its like, and
licences.md. Packages of Python are read from their own metadata, those of npm from their lock file.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
BUILT = ROOT / ".aws-sam/build"


def of_python(tool: Path, packages: Path) -> dict[str, Any]:
    """Give the SBOM of a folder of installed packages."""
    with tempfile.TemporaryDirectory() as folder:
        # The tool asks an interpreter for its path. This one knows the folder alone, and the tool itself never sees it:
        # what is compiled there is for another version of Python.
        interpreter = Path(folder) / "python"
        interpreter.write_text(f'#!/bin/sh\nPYTHONPATH="$LAYER" exec "{sys.executable}" "$@"\n')
        interpreter.chmod(0o700)
        command = [tool, "environment", "-S", "--output-reproducible", "--of", "JSON", interpreter]
        written = subprocess.run(command, env=os.environ | {"LAYER": str(packages)}, check=True, capture_output=True)
    sbom = json.loads(written.stdout)
    stated = {found.name: found.metadata["License"] for found in distributions(path=[str(packages)])}
    for component in sbom["components"]:
        if not component.get("licenses") and stated.get(component["name"]):  # in words that are no SPDX expression
            component["licenses"] = [{"license": {"name": stated[component["name"]]}}]
    return sbom


def of_npm(project: Path) -> dict[str, Any]:
    """Give the SBOM of a lock file."""
    command = ["npm", "sbom", "--package-lock-only", "--sbom-format", "cyclonedx"]
    with tempfile.TemporaryDirectory() as folder:
        for name in ("package.json", "package-lock.json"):  # npm wants a version of what is never published
            described = json.loads((project / name).read_text("utf-8"))
            (Path(folder) / name).write_text(json.dumps({**described, "version": "0.0.0"}), "utf-8")
        return json.loads(subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout)


def licences(component: dict[str, Any]) -> str:
    """Give a component's licences, as SPDX knows them where the package says so."""
    named = [entry.get("expression") or entry["license"].get("id") for entry in component.get("licenses", [])]
    told = [entry["license"]["name"] for entry in component.get("licenses", []) if "name" in entry.get("license", {})]
    known = [name for name in named if name] or [name.rpartition(" :: ")[2] for name in told]
    return ", ".join(sorted(set(known)))


def layers(tool: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give each built layer's name and SBOM."""
    for packages in sorted(BUILT.glob("*Layer/python")):
        yield packages.parent.name, of_python(tool, packages)
    for lock in sorted((ROOT / "layers").glob("*/package-lock.json")):
        yield f"{lock.parent.name.capitalize()}Layer", of_npm(lock.parent)


def main(tool: Path, folder: Path) -> None:
    """Write all files; exit with an error that names packages whose licence nobody states, or if nothing is built."""
    if not any(BUILT.glob("*Layer/python")):
        sys.exit("no layer is built: run `make sam-build` first")
    folder.mkdir(parents=True, exist_ok=True)
    rows, silent = ["| layer | package | version | licence |", "| --- | --- | --- | --- |"], list[str]()
    for name, sbom in layers(tool):
        (folder / f"{name}.cdx.json").write_text(json.dumps(sbom, indent=1) + "\n", "utf-8")
        for component in sorted(sbom["components"], key=lambda one: one["name"].lower()):
            named = licences(component)
            rows.append(f"| {name} | {component['name']} | {component['version']} | {named} |")
            silent += [] if named else [component["name"]]
    (folder / "licences.md").write_text("\n".join(rows) + "\n", "utf-8")
    if silent:
        sys.exit(f"no licence is stated by {', '.join(silent)}: look it up before a release")
    print(f"{folder}: {len(rows) - 2} packages")


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), Path(sys.argv[2]))
