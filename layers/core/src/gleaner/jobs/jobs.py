"""Jobs: their ids, and where their plan, chunks and result are stored.

A job's item is ``JOB#tenant / id`` in the table; its blobs stand under ``jobs/tenant/id/``. Ids sort by time.
"""

import json
import re
import secrets
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Literal

from gleaner.contracts.actions import Action
from gleaner.contracts.digests import digest_of
from gleaner.contracts.errors import InvalidRequest, NotFound
from gleaner.contracts.items import DAY_S, DEFAULT_TENANT, rewrite
from gleaner.contracts.models import ScrapeRequest, ScrapeResult
from gleaner.contracts.ports import BlobStore, Item, ItemPage, JsonObject, TableStore
from gleaner.jobs.blob_texts import read_json, write_json

JobStatus = Literal["queued", "running", "complete", "partial", "failed", "cancelled"]
ENDED: frozenset[str] = frozenset({"complete", "partial", "failed", "cancelled"})
NAME = re.compile(r"[A-Za-z0-9_-]{1,80}")


def new_job_id() -> str:
    """Give an id that sorts by time and can't be guessed."""
    return f"{int(time.time() * 1000):011x}{secrets.token_hex(8)}"


def job_id_of(execution: str) -> str:
    """Give the job id of an execution's name: the name itself, or what of it an id may hold and a digest of it all.

    Step Functions takes names of 1 to 80 characters with dots, signs and letters of any script; ids stand in keys.

    >>> job_id_of("nightly-1"), job_id_of("prices@2026.01")
    ('nightly-1', 'prices-2026-01-c5920079b19030de')
    """
    if NAME.fullmatch(execution):
        return execution
    digest = digest_of(execution)[:16]
    readable = re.sub(r"[^A-Za-z0-9_-]+", "-", execution).strip("-")[:63]
    return f"{readable}-{digest}" if readable else digest


def tenant_of(value: Mapping[str, Any]) -> str:
    """Give the tenant that an event or a job names; ``default`` only where it names none, since "" is a mistake."""
    named = value.get("tenant")
    return DEFAULT_TENANT if named is None else named


@dataclass(frozen=True, slots=True)
class JobRef:
    """Names one job of one tenant; what the states pass on."""

    job_id: str
    tenant: str = DEFAULT_TENANT

    def __post_init__(self) -> None:
        for name in (self.job_id, self.tenant):
            if not isinstance(name, str) or not NAME.fullmatch(name):
                raise InvalidRequest(f"{name!r} is not a valid name: use letters, digits, _ and -, at most 80")

    @classmethod
    def read(cls, value: Any) -> "JobRef":
        """Read the JSON form; InvalidRequest when it is not one."""
        if not isinstance(value, Mapping) or not isinstance(value.get("job_id"), str):
            raise InvalidRequest(f"a job is {{job_id, tenant}}, not {value!r}")
        return cls(value["job_id"], tenant_of(value))

    def to_json(self) -> JsonObject:
        """Give the JSON form."""
        return {"job_id": self.job_id, "tenant": self.tenant}

    def key(self, name: str) -> str:
        """Give the blob key of a piece of this job."""
        return f"jobs/{self.tenant}/{self.job_id}/{name}"

    def page_key(self, page_id: str, name: str) -> str:
        """Give the blob key of a piece of a page of this tenant."""
        return f"pages/{self.tenant}/{page_id}/{name}"


class Jobs:
    """The jobs of one installation."""

    def __init__(self, table: TableStore, blobs: BlobStore, ttl_days: int = 30) -> None:
        self._table = table
        self._blobs = blobs
        self._ttl_days = ttl_days

    def open(self, ref: JobRef, url: str | None, status: JobStatus = "running", **more: Any) -> None:
        """Record that the job exists; a job that is open already stays as it is, one that was queued goes on."""
        item = self._table.get(*_keys(ref))
        data: JsonObject = {"job_id": ref.job_id, "status": status, "url": url, "created_at": time.time(), **more}
        if item is None:
            self._table.put(self._item(ref, data), if_version=0)
        elif item.data.get("status") == "queued":
            self._table.put(self._item(ref, {**item.data, "status": status}), if_version=item.version)

    def status(self, ref: JobRef) -> JsonObject:
        """Give the job's record: job_id, status, url, created_at, error once it failed. NotFound if absent."""
        record = self.find(ref)
        if record is None:
            raise NotFound(f"there is no job {ref.job_id}")
        return record

    def find(self, ref: JobRef) -> JsonObject | None:
        """Give the job's record; None if absent."""
        item = self._table.get(*_keys(ref))
        return item.data if item is not None else None

    def update(self, ref: JobRef, **changes: Any) -> None:
        """Change fields of the record; a job that ended keeps its status."""

        def changed(item: Item) -> Item | None:
            status = item.data.get("status")
            if status == "cancelled" or (status in ENDED and "status" not in changes):
                return None
            begun = changes.get("finished_at", time.time())  # refused before it was opened: it took no time
            known = item.data if item.version else {"job_id": ref.job_id, "created_at": begun}
            return self._item(ref, {**known, **changes})

        rewrite(self._table, *_keys(ref), changed)

    def is_cancelled(self, ref: JobRef) -> bool:
        """Tell whether the job was cancelled."""
        return (self.find(ref) or {}).get("status") == "cancelled"

    def list(self, tenant: str, *, limit: int = 50, after: str | None = None) -> ItemPage:
        """Give the tenant's jobs, oldest first, page by page."""
        return self._table.query(f"JOB#{tenant}", limit=limit, after=after)

    def close(self, ref: JobRef, result: ScrapeResult) -> str:
        """Store the result, then say so in the record; give the result's key."""
        key = ref.key("result.json")
        write_json(self._blobs, key, result.to_json())
        error = result.error.model_dump() if result.error else None
        self.update(ref, status=result.status, result_key=key, finished_at=time.time(), error=error)
        return key

    def result(self, ref: JobRef) -> ScrapeResult:
        """Give the stored result; NotFound while there is none."""
        return ScrapeResult.model_validate(read_json(self._blobs, ref.key("result.json")))

    def find_result(self, ref: JobRef) -> ScrapeResult | None:
        """Give the stored result; None while there is none."""
        with suppress(NotFound):
            return self.result(ref)
        return None

    def write_plan(self, ref: JobRef, request: ScrapeRequest, **more: Any) -> None:
        """Store what the job is to do."""
        plan = {"request": request.model_dump(mode="json", exclude_unset=True), **more}
        write_json(self._blobs, ref.key("plan.json"), plan)

    def plan(self, ref: JobRef) -> "Plan":
        """Give what the job is to do."""
        return _read_plan(ref, self._blobs.read(ref.key("plan.json")))

    def _item(self, ref: JobRef, data: JsonObject) -> Item:
        return Item(*_keys(ref), data, ttl=int(time.time()) + self._ttl_days * DAY_S)


@dataclass(frozen=True, slots=True)
class Plan:
    """A job's request with its strategy applied, and the page it works on. ``started_at`` is in epoch seconds.

    ``listing`` is the job whose listing this page is one of, ``presses`` is how often a "load more" control of the page
    may be pressed. ``spends_from`` is the crawl whose caps the page spends from. ``acts`` is False for further pages of
    a listing that have an address: the first page has led there by its actions, which are not done again. ``turns`` are
    the targets of the clicks that turn to a page without one. ``revisits`` is True for watches and crawls, which ask
    the server whether a page has changed before they read it again.
    """

    ref: JobRef
    request: ScrapeRequest
    page_id: str
    strategy_id: str | None
    started_at: float
    listing: str | None = None
    presses: int = 0
    spends_from: str | None = None
    acts: bool = True
    revisits: bool = False
    turns: tuple[str, ...] = ()

    @property
    def page_name(self) -> str | None:
        """The name under which the page is found by its next visit; None where each visit reads it anew.

        Watches and crawls come again. What actions, a login or a picture show is not known by the document alone.
        """
        request = self.request
        acts = request.actions or self.turns
        is_plain = request.profile == "default" and not (acts or request.pictures or request.session)
        if not self.revisits or not is_plain or request.page_id is not None or self.presses:
            return None
        return (
            f"{request.url}\n{request.enable_javascript}\n{request.wait_for}\n{request.consent_wish}\n{request.proxy}"
        )

    @property
    def actions(self) -> tuple[Action, ...]:
        """What is to be done on this page before it is read."""
        return actions_of(self.request, {"acts": self.acts, "turns": self.turns})

    @property
    def session(self) -> str | None:
        """The session that the browser begins with: the one named, else what the actions of the listing's job left."""
        is_part = self.listing is not None and bool(self.request.actions) and not (self.acts and self.turns)
        return self.request.session or (f"job.{self.listing}" if is_part else None)

    @property
    def budget_owner(self) -> str:
        """The job whose caps this one spends from."""
        return self.spends_from or self.listing or self.ref.job_id

    @property
    def deadline_at(self) -> float | None:
        """The epoch second after which no more work is started; None without a deadline."""
        limit = self.request.budget.deadline_s
        return None if limit is None else self.started_at + limit


def actions_of(request: ScrapeRequest, more: Mapping[str, Any]) -> tuple[Action, ...]:
    """Give what is done on a page: the request's actions if the plan says so, then the clicks that turn to the page."""
    own = request.actions if more.get("acts", True) else ()
    return (*own, *(Action(do="click", target=target) for target in more.get("turns", ())))


def _keys(ref: JobRef) -> tuple[str, str]:
    return f"JOB#{ref.tenant}", ref.job_id


@lru_cache(maxsize=64)
def _read_plan(ref: JobRef, body: bytes) -> Plan:
    """Read a stored plan; each step of a job reads the same one, and neither it nor its request ever changes."""
    stored: dict[str, Any] = json.loads(body)
    known = {one.name: stored[one.name] for one in fields(Plan) if one.name in stored}
    known |= {"request": ScrapeRequest.model_validate(stored["request"]), "turns": tuple(stored.get("turns", ()))}
    return Plan(ref, **known)
