"""Each requirement of the specification has a test, or stands on the list of those not yet built."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SPEC = ROOT / "docs/spec.md"
NOT_BUILT = ROOT / "tests/not_yet_built.txt"


def ids_in_spec(text: str) -> set[str]:
    return set(re.findall(r"^- ([A-Z]{2}-\d+) ", text, re.MULTILINE))


def ids_with_a_test() -> set[str]:
    marks = (
        re.findall(r"mark\.req\(([^)]*)\)", path.read_text("utf-8")) for path in (ROOT / "tests").rglob("test_*.py")
    )
    return {name for found in marks for arguments in found for name in re.findall(r"[A-Z]{2}-\d+", arguments)}


def listed_as_not_built() -> set[str]:
    return set(NOT_BUILT.read_text("utf-8").split())


def test_every_requirement_has_a_test_or_is_listed_as_not_built() -> None:
    missing = ids_in_spec(SPEC.read_text("utf-8")) - ids_with_a_test() - listed_as_not_built()
    assert not missing, f"no test is marked with {sorted(missing)}"


def test_the_list_of_what_is_not_built_only_names_what_has_no_test() -> None:
    stale = listed_as_not_built() & ids_with_a_test()
    assert not stale, f"{sorted(stale)} have tests now: take them off {NOT_BUILT.name}"


def test_the_specification_is_the_one_that_the_team_shares() -> None:
    shared = ROOT.parent / "shared/spec.md"
    if shared.exists():
        assert ids_in_spec(shared.read_text("utf-8")) == ids_in_spec(SPEC.read_text("utf-8"))
