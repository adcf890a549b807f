"""A function and its layers fit into Lambda, where `sam build` has run."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BUILT = Path(__file__).parents[2] / ".aws-sam/build"
LIMIT = 262_144_000
"""Bytes of a function with its layers, unpacked (AWS Lambda quotas)."""


def size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())


def test_no_function_has_more_layers_than_lambda_takes(stack: Any) -> None:
    for function, properties in stack.functions().items():
        assert 1 + len(properties.get("Layers", [])) <= 5, function


def test_every_function_that_sam_built_fits_with_its_layers(stack: Any) -> None:
    shared = [layer["Ref"] for layer in stack.template["Globals"]["Function"]["Layers"]]
    names = {entry["Properties"].get("CodeUri"): name for name, entry in stack.resources.items()}
    sizes: dict[str, int] = {}
    for function, properties in stack.functions().items():
        layers = [*shared, *(layer["Ref"] for layer in properties.get("Layers", []))]
        folders = [BUILT / name for name in (names[f"functions/{function}"], *layers)]
        if all(folder.is_dir() for folder in folders):
            sizes[function] = sum(map(size, folders))
    if not sizes:
        pytest.skip("sam build has not run here")
    too_large = {name: built for name, built in sizes.items() if built > LIMIT}
    assert too_large == {}


def test_the_sizes_in_the_documents_are_those_of_the_build() -> None:
    if not (BUILT / "RenderPageFunction").is_dir() or not list((BUILT / "CoreLayer").rglob("*.cpython-313.pyc")):
        pytest.skip("sam build has not run here, or without python3.13, which adds the bytecode")
    program = Path(__file__).parents[2] / "scripts/write_size_table.py"
    assert subprocess.run([sys.executable, program, "--check"], check=False).returncode == 0
