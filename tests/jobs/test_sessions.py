"""Sessions: jobs that use one at once do not hurt each other; what is over or deleted stays so."""

from pathlib import Path

import pytest
from gleaner.adapters.local.files import FileBlobs
from gleaner.adapters.local.sealing import KeyFileSealer
from gleaner.contracts.errors import NotFound
from gleaner.contracts.ports import JsonObject
from gleaner.jobs.sessions import SessionStates, merge_states
from hypothesis import given
from hypothesis import strategies as st

pytestmark = pytest.mark.req("AC-4")

DAY_S = 86_400
VALUES = st.dictionaries(st.sampled_from("abc"), st.sampled_from("123"))


def state(cookies: dict[str, str]) -> JsonObject:
    jar = [{"name": name, "domain": "a.example", "path": "/", "value": value} for name, value in cookies.items()]
    return {"cookies": jar, "origins": []}  # type: ignore[dict-item]


def cookies(kept: JsonObject | None) -> dict[str, str]:
    return {cookie["name"]: cookie["value"] for cookie in kept["cookies"]} if kept else {}  # type: ignore[index,union-attr,call-overload]


@pytest.fixture
def states(tmp_path: Path):
    def make(tenant: str = "acme", now: float = 0.0, key: str = "session.key") -> SessionStates:
        sealer = KeyFileSealer(tmp_path / key)
        return SessionStates(FileBlobs(tmp_path / "blobs"), sealer, tenant, 7, lambda: now)

    return make


@given(VALUES, VALUES, VALUES)
def test_what_one_visit_changes_and_what_others_change_is_kept(before, mine, theirs) -> None:
    merged = cookies(merge_states(state(before), state(mine), state(theirs)))
    for name in "abc":
        changed = mine.get(name) != before.get(name)
        assert merged.get(name) == (mine if changed else theirs).get(name)


def test_two_jobs_that_begin_with_the_same_state_keep_both_their_changes(states) -> None:
    states().save("ada", None, state({"user": "ada", "cart": "1"}))
    before = states().find("ada")
    states().save("ada", before, state({"user": "ada", "cart": "2"}))
    states().save("ada", before, state({"user": "ada", "cart": "1", "seen": "yes"}))
    assert cookies(states().find("ada")) == {"user": "ada", "cart": "2", "seen": "yes"}
    assert states("other").find("ada") is None


def test_a_session_has_an_end(states) -> None:
    states().save("ada", None, state({"user": "ada"}))
    assert states(now=7 * DAY_S).find("ada") is not None
    assert states(now=7 * DAY_S + 1).find("ada") is None


def test_a_deleted_session_is_not_brought_back_by_who_still_uses_it(states) -> None:
    states().save("ada", None, state({"user": "ada"}))
    used = states().find("ada")
    states().delete("ada")
    assert states().find("ada") is None
    assert states().save("ada", used, state({"user": "ada", "seen": "yes"})) is False
    assert states().find("ada") is None
    assert states().save("ada", None, state({"user": "new"})) is True


def test_a_session_is_read_with_its_own_key_alone(states, tmp_path: Path) -> None:
    states().save("ada", None, state({"user": "secretlogin"}))
    assert not [file for file in tmp_path.rglob("*") if file.is_file() and b"secretlogin" in file.read_bytes()]
    assert (tmp_path / "session.key").stat().st_mode & 0o777 == 0o600
    with pytest.raises(NotFound, match="log in again"):
        states(key="other.key").find("ada")
