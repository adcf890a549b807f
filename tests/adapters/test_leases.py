"""The lease over a profile: two machines are two clients of one store, and the store tells the lease's age."""

import pytest
from gleaner.adapters.browser.leases import ProfileLease
from gleaner.contracts.errors import ProfileLocked, StoreThrottled
from gleaner.contracts.ports import BlobStore

pytestmark = pytest.mark.req("BR-4")
KEY = "profiles/master/lease.json"
OLD, NEW = {"cookies": ["old"]}, {"cookies": ["new"]}


def lease(blobs: BlobStore, holder: str, lasts_s: float = 1_000) -> ProfileLease:
    return ProfileLease(blobs, "master", holder, lasts_s)


@pytest.fixture
def machines(clients: tuple[BlobStore, ...]) -> tuple[ProfileLease, ProfileLease]:
    return lease(clients[0], "a"), lease(clients[1], "b")


Machines = tuple[ProfileLease, ProfileLease]


def test_one_machine_holds_the_profile_at_a_time(machines: Machines) -> None:
    first, second = machines
    assert first.try_acquire()
    assert not second.try_acquire()
    first.renew()
    assert not second.try_acquire()
    first.release()
    assert second.try_acquire()
    assert not first.try_acquire()


def test_a_holder_that_died_frees_the_profile_when_its_time_is_over(clients: tuple[BlobStore, ...]) -> None:
    dead, next_holder = lease(clients[0], "a", lasts_s=0), lease(clients[1], "b")
    assert dead.try_acquire()
    assert next_holder.try_acquire()
    assert next_holder.token == dead.token + 1


def test_the_same_place_takes_its_own_lease_up_again(clients: tuple[BlobStore, ...]) -> None:
    assert lease(clients[0], "a").try_acquire()
    again = lease(clients[0], "a")
    assert again.try_acquire()
    assert again.token == 2


@pytest.mark.req("BR-5")
def test_a_late_holder_can_neither_write_nor_free_the_profile(clients: tuple[BlobStore, ...]) -> None:
    late, next_holder = lease(clients[0], "a", lasts_s=0), lease(clients[1], "b")
    assert late.try_acquire()
    late.save(OLD)
    assert next_holder.try_acquire()
    for write in (lambda: late.save({"cookies": ["forged"]}), late.renew):
        with pytest.raises(ProfileLocked, match="taken over"):
            write()
    late.release()
    assert not lease(clients[0], "c").try_acquire()
    assert next_holder.state == OLD
    next_holder.save(NEW)
    next_holder.release()
    reader = lease(clients[0], "c")
    assert reader.try_acquire()
    assert reader.state == NEW


def test_a_late_release_leaves_the_next_holder_alone(clients: tuple[BlobStore, ...]) -> None:
    late, next_holder = lease(clients[0], "a", lasts_s=0), lease(clients[1], "b")
    assert late.try_acquire()
    assert next_holder.try_acquire()
    late.release()
    next_holder.save(NEW)
    assert not lease(clients[0], "c").try_acquire()


def test_of_two_that_saw_the_same_free_lease_one_takes_it(machines: Machines) -> None:
    first, second = machines
    seen = first.blobs.find(KEY)
    second.blobs = Delayed(second.blobs, seen)  # type: ignore[assignment]
    assert first.try_acquire()
    assert not second.try_acquire()


class Delayed:
    """A store as one machine sees it whose first look is older than the other's write."""

    def __init__(self, blobs: BlobStore, seen: object) -> None:
        self.blobs, self.seen = blobs, [seen]

    def find(self, key: str) -> object:
        return self.seen.pop() if self.seen else self.blobs.find(key)

    def write_if(self, key: str, body: bytes, tag: str | None) -> str | None:
        return self.blobs.write_if(key, body, tag)


class Forgetful(Delayed):
    """A store whose client sends each write twice, since the answer to the first one was lost."""

    def write_if(self, key: str, body: bytes, tag: str | None) -> str | None:
        self.blobs.write_if(key, body, tag)
        return self.blobs.write_if(key, body, tag)


def test_a_write_whose_answer_was_lost_is_no_lost_lease(blobs: BlobStore) -> None:
    holder = lease(blobs, "a")
    holder.blobs = Forgetful(blobs, None)  # type: ignore[assignment]
    assert holder.try_acquire()
    holder.save(NEW)
    holder.renew()
    holder.release()
    assert lease(blobs, "b").try_acquire()


class Throttled(Delayed):
    """A store that asks to slow down."""

    def write_if(self, key: str, body: bytes, tag: str | None) -> str | None:
        raise StoreThrottled("slow down")


def test_a_store_that_throttles_costs_no_lease(blobs: BlobStore) -> None:
    holder = lease(blobs, "a")
    assert holder.try_acquire()
    holder.blobs = Throttled(blobs, None)  # type: ignore[assignment]
    with pytest.raises(StoreThrottled):
        holder.save(NEW)
    holder.blobs = blobs
    holder.save(NEW)
    assert holder.state == NEW


@pytest.mark.parametrize("spoilt", [b"", b"{", b"[1]", b'{"x": 1}', b"\xff"])
def test_a_spoilt_note_is_replaced(blobs: BlobStore, spoilt: bytes) -> None:
    blobs.write(KEY, spoilt)
    assert lease(blobs, "a").try_acquire()
    assert not lease(blobs, "b").try_acquire()
