"""A lease over a shared thing, held in the table: one holder at a time over all machines, freed when the holder dies.

Each write of the lease raises the item's version, which is the fencing token: whoever writes with an old one is
refused. So a holder that slept past its lease can't do harm when it wakes (design, "Data": ``LOCK#profile``).
"""

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

from gleaner.errors import ProfileLocked
from gleaner.ports import Item, JsonObject, TableStore

PROFILE_LOCK = "LOCK#profile"
LEASE_S = 120.0


@dataclass
class ProfileLease:
    """The lease over one profile. ``holder`` names this one among all who want it; ``token`` is 0 when not held."""

    table: TableStore
    profile_id: str
    holder: str = field(default_factory=lambda: uuid.uuid4().hex)
    duration_s: float = LEASE_S
    clock: Callable[[], float] = time.time
    token: int = 0

    def try_acquire(self) -> bool:
        """Take the lease if nobody has it or its time is over; tell whether it is held now."""
        item = self.table.get(PROFILE_LOCK, self.profile_id)
        if item and item.data.get("holder") and _number(item.data.get("expires_at")) > self.clock():
            return False
        return self._write(item.version if item else 0, state_of(item))

    def renew(self) -> None:
        """Hold on for another ``duration_s``; ProfileLocked when somebody else has taken over."""
        self.write_state(state_of(self.table.get(PROFILE_LOCK, self.profile_id)))

    def write_state(self, key: str | None) -> None:
        """Put the key of the profile's login state into the lease; ProfileLocked when this holder is too late."""
        if not self.token or not self._write(self.token, key):
            self.token = 0
            raise ProfileLocked(
                f"profile {self.profile_id!r} was taken over by another holder after {self.duration_s:g} s without a "
                "sign of life; its login state was not saved"
            )

    def release(self) -> None:
        """Free the lease, if it is still ours."""
        if self.token:
            item = self.table.get(PROFILE_LOCK, self.profile_id)
            self._write(self.token, state_of(item), holder="")
            self.token = 0

    def _write(self, version: int, state: str | None, holder: str | None = None) -> bool:
        data: JsonObject = {
            "holder": self.holder if holder is None else holder,
            "expires_at": self.clock() + self.duration_s,
            "state": state,
        }
        if not self.table.put(Item(PROFILE_LOCK, self.profile_id, data), if_version=version):
            return False
        self.token = version + 1
        return True


def state_of(item: Item | None) -> str | None:
    """Give the key of the login state that the lease item names."""
    key = item.data.get("state") if item else None
    return key if isinstance(key, str) else None


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
