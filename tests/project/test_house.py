"""The house stays one in which a newcomer finds the room."""

from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "layers/core/src/gleaner"
MOST_MODULES = 20


def test_no_folder_has_more_modules_than_one_can_look_over() -> None:
    counts = {folder: len(list(folder.glob("*.py"))) for folder in PACKAGE.rglob("*") if folder.is_dir()}
    assert {folder.name: count for folder, count in counts.items() if count > MOST_MODULES} == {}
