"""A lease on a profile and its login: one holder over all machines, freed when the holder dies.

One blob holds both, ``profiles/{id}/lease.json``, and every write of it names the version that it replaces: whoever
slept past the lease names an old one and is refused, so a late holder can't do harm when it wakes. The lease's age is
told by the store, so machines need no common clock. The store is the bucket, and not the table, since the render
function has no rights over that (SS-3).
"""

import json
import threading
import uuid
from dataclasses import asdict, dataclass, field, replace

from gleaner.contracts.errors import ProfileLocked
from gleaner.contracts.ports import BlobStore, JsonValue, StoredBlob

LEASE_S = 30.0
"""How long a lease lasts without a sign of life; holders renew it three times as often."""


@dataclass(frozen=True, slots=True)
class LeaseNote:
    """What the blob says. ``token`` counts the holders so far (fencing); ``holder`` is "" when nobody has it."""

    token: int = 0
    holder: str = ""
    lasts_s: float = 0.0
    state: JsonValue = None


@dataclass
class ProfileLease:
    """The lease over one profile. ``holder`` names this one among all who want it; ``token`` is 0 when not held.

    Who comes back under the name of a holder takes the lease at once: make sure by a lock on the machine that a name
    is used once at a time.
    """

    blobs: BlobStore
    profile_id: str
    holder: str = field(default_factory=lambda: uuid.uuid4().hex)
    lasts_s: float = LEASE_S
    token: int = 0
    state: JsonValue = None
    _tag: str | None = None
    _writing: threading.Lock = field(default_factory=threading.Lock)

    @property
    def key(self) -> str:
        """Give the key of the lease's blob."""
        return f"profiles/{self.profile_id}/lease.json"

    def try_acquire(self) -> bool:
        """Take the lease if nobody has it or its time is over; tell whether it is held now. ``state`` is read then."""
        found = self.blobs.find(self.key)
        note = read_note(found)
        if found and note.holder not in ("", self.holder) and found.age_s < note.lasts_s:
            return False
        with self._writing:
            self._tag, self.state = found.tag if found else None, note.state
            self.token = note.token + 1
            if not self._write(self._note()):
                self.token = 0
            return self.token > 0

    def renew(self) -> None:
        """Hold on for another ``lasts_s``; ProfileLocked when somebody else has taken over."""
        self._keep(self.state)

    def save(self, state: JsonValue) -> None:
        """Save the login state; ProfileLocked, and nothing changed for readers, when this holder is too late."""
        self._keep(state)

    def release(self) -> None:
        """Free the lease, if it is still ours."""
        with self._writing:
            if self.token:
                self._write(replace(self._note(), holder=""))
                self.token = 0

    def _note(self) -> LeaseNote:
        return LeaseNote(self.token, self.holder, self.lasts_s, self.state)

    def _keep(self, state: JsonValue) -> None:
        with self._writing:
            if not self.token or not self._write(replace(self._note(), state=state)):
                self.token = 0
                raise ProfileLocked(
                    f"profile {self.profile_id!r} was taken over by another holder after {self.lasts_s:g} s without a "
                    "sign of life; its login state was not saved"
                )
            self.state = state

    def _write(self, note: LeaseNote) -> bool:
        body = json.dumps(asdict(note), ensure_ascii=False).encode()
        tag = self.blobs.write_if(self.key, body, self._tag)
        if tag is None:  # refused, or written by a first try whose answer was lost
            found = self.blobs.find(self.key)
            tag = found.tag if found and found.body == body else None
        self._tag = tag
        return tag is not None


def read_note(found: StoredBlob | None) -> LeaseNote:
    """Read the blob; one that is absent or spoilt stands for a profile that nobody has or was logged in with."""
    try:
        return LeaseNote(**json.loads(found.body)) if found else LeaseNote()
    except (ValueError, TypeError):
        return LeaseNote()
