"""Sessions: the cookies and storage that pages left in a browser, kept for further pages (AC-4).

A session is a blob of the tenant, sealed; an item of the table says that it is there and when it was last used. The
further pages of a job find what its actions left under the job's own name, ``job.ID``, which no request can name.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from gleaner.contracts.items import DAY_S, partition
from gleaner.contracts.ports import BlobStore, Item, ItemPage, JsonObject, Sealer, StoredBlob, TableStore

MOST_WRITES = 10
"""How often a state is merged with what another job wrote meanwhile, before it is left."""

DELETED = b""
"""What the blob of a deleted session holds: who still uses it must not bring it back."""


@dataclass(frozen=True, slots=True)
class SessionStates:
    """The states of a tenant's sessions, which are gone ``ttl_days`` after they were last written."""

    blobs: BlobStore
    sealer: Sealer
    tenant: str
    ttl_days: int
    clock: Callable[[], float] = time.time

    def find(self, name: str) -> JsonObject | None:
        """Give the state of a session, as Playwright has it; None where there is none, or it has expired."""
        return self._opened(self.blobs.find(self._key(name)))

    def save(self, name: str, before: JsonObject | None, now: JsonObject) -> bool:
        """Keep what a visit changed, beside what others changed meanwhile; False for a session deleted meanwhile."""
        for _ in range(MOST_WRITES):
            stored = self.blobs.find(self._key(name))
            if before is not None and stored is not None and stored.body == DELETED:
                return False
            theirs = self._opened(stored) or {}
            merged = merge_states(before or {}, now, theirs)
            body = self.sealer.seal(json.dumps({"saved_at": self.clock(), "state": merged}).encode())
            if self.blobs.write_if(self._key(name), body, stored.tag if stored is not None else None) is not None:
                return True
        return False

    def delete(self, name: str) -> None:
        """Forget a session's state."""
        self.blobs.write(self._key(name), DELETED)

    def _opened(self, stored: StoredBlob | None) -> JsonObject | None:
        if stored is None or stored.body == DELETED:
            return None
        kept: Any = json.loads(self.sealer.open(stored.body))
        is_over = self.clock() > kept["saved_at"] + self.ttl_days * DAY_S
        return None if is_over else kept["state"]

    def _key(self, name: str) -> str:
        return f"sessions/{self.tenant}/{name}.json"


@dataclass(frozen=True, slots=True)
class SessionList:
    """Which sessions a tenant has."""

    table: TableStore
    tenant: str
    ttl_days: int
    clock: Callable[[], float] = time.time

    def note(self, name: str) -> None:
        """Take note that a session is used."""
        known, now = self.table.get(self._pk, name), self.clock()
        created_at = known.data["created_at"] if known is not None else now
        data: JsonObject = {"name": name, "created_at": created_at, "used_at": now}
        expires_at = now + self.ttl_days * DAY_S
        self.table.put(Item(self._pk, name, {**data, "expires_at": expires_at}, ttl=int(expires_at)))

    def list(self, *, limit: int = 100, after: str | None = None) -> ItemPage:
        """Give the sessions page by page: name, created_at, used_at, expires_at in epoch seconds."""
        return self.table.query(self._pk, limit=limit, after=after)

    def delete(self, name: str) -> bool:
        """Forget a session; False when there was none."""
        return self.table.delete(self._pk, name)

    @property
    def _pk(self) -> str:
        return partition("SESSION", self.tenant)


def merge_states(before: JsonObject, mine: JsonObject, theirs: JsonObject) -> JsonObject:
    """Give a state with what one visit changed and what others did; of what both changed, the visit's.

    >>> cookie = {"name": "user", "domain": "a.example", "path": "/"}
    >>> def state(value): return {"cookies": [{**cookie, "value": value}], "origins": []}
    >>> merge_states(state("none"), state("none"), state("ada"))["cookies"][0]["value"]
    'ada'
    """
    return {
        "cookies": [*_merged(*(dict(_cookies(state)) for state in (before, mine, theirs)))],
        "origins": [*_merged(*(dict(_origins(state)) for state in (before, mine, theirs)))],
    }


def _merged(before: Mapping[Any, Any], mine: Mapping[Any, Any], theirs: Mapping[Any, Any]) -> Iterator[Any]:
    for key in {**theirs, **mine}:
        value = theirs.get(key) if mine.get(key) == before.get(key) else mine.get(key)
        if value is not None:
            yield value


def _cookies(state: JsonObject) -> Iterator[tuple[Any, Any]]:
    for cookie in cast("list[dict[str, Any]]", state.get("cookies") or []):
        yield (cookie.get("name"), cookie.get("domain"), cookie.get("path")), cookie


def _origins(state: JsonObject) -> Iterator[tuple[Any, Any]]:
    for origin in cast("list[dict[str, Any]]", state.get("origins") or []):
        yield origin.get("origin"), origin
