"""The lease over a profile: two machines share a table, each with a clock."""

import pytest
from gleaner.adapters.sqlite import SqliteTable
from gleaner.errors import ProfileLocked
from gleaner.leases import ProfileLease


@pytest.fixture
def machines(tmp_path):
    """Two machines that look at one table and one clock."""
    now = [1_000_000.0]
    leases = [
        ProfileLease(SqliteTable(tmp_path / "t.db"), "master", holder=name, clock=lambda: now[0]) for name in "ab"
    ]
    return (*leases, now)


@pytest.mark.req("BR-4")
def test_one_machine_holds_the_profile_at_a_time(machines):
    first, second, _ = machines
    assert first.try_acquire()
    assert not second.try_acquire()
    first.release()
    assert second.try_acquire()


@pytest.mark.req("BR-4")
def test_a_holder_that_died_frees_the_profile_when_its_time_is_over(machines):
    first, second, now = machines
    assert first.try_acquire()
    now[0] += first.duration_s - 1
    assert not second.try_acquire()
    now[0] += 2
    assert second.try_acquire()


@pytest.mark.req("BR-4")
def test_a_holder_that_renews_is_not_taken_over(machines):
    first, second, now = machines
    assert first.try_acquire()
    for _ in range(5):
        now[0] += first.duration_s - 1
        first.renew()
        assert not second.try_acquire()


@pytest.mark.req("BR-4", "BR-5")
def test_a_late_holder_can_neither_write_nor_free_the_profile(machines):
    first, second, now = machines
    assert first.try_acquire()
    now[0] += first.duration_s + 1
    assert second.try_acquire()
    second.write_state("profiles/master/new.json")
    for late in (lambda: first.write_state("profiles/master/old.json"), first.renew):
        with pytest.raises(ProfileLocked, match="taken over"):
            late()
    first.release()
    second.renew()
    item = second.table.get("LOCK#profile", "master")
    assert (item.data["state"], item.data["holder"]) == ("profiles/master/new.json", "b")


@pytest.mark.req("BR-5")
def test_the_login_state_outlives_its_holders(machines):
    first, second, _ = machines
    assert first.try_acquire()
    first.write_state("key")
    first.release()
    assert second.try_acquire()
    second.renew()
    assert second.table.get("LOCK#profile", "master").data["state"] == "key"


@pytest.mark.req("BR-4")
def test_of_two_that_try_at_once_one_wins(machines):
    first, second, _ = machines
    held = first.table.get("LOCK#profile", "master")
    assert held is None
    assert [first._write(0, None), second._write(0, None)] == [True, False]
