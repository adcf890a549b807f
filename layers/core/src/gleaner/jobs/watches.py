"""Watches: requests that are run again and again, what each run found, and what has changed since the last (WA-1).

A watch is ``WATCH#tenant / id`` in the table, its runs are ``WATCHRUN#tenant#id / time-run``, for as long as jobs are
kept; the records of the last complete run and the changes of each run are blobs under ``watches/tenant/id/``.
"""

import json
import re
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from gleaner.contracts.digests import digest_of
from gleaner.contracts.errors import InvalidRequest, InvalidSchema, NotFound
from gleaner.contracts.items import DAY_S, every_item, rewrite
from gleaner.contracts.models import Closed, checked_address, parse_request
from gleaner.contracts.ports import Item, ItemPage, JsonObject
from gleaner.jobs.blob_texts import write_json
from gleaner.jobs.jobs import JobRef
from gleaner.jobs.record_changes import KeptRecord, RecordChanges
from gleaner.jobs.tenant_records import TenantRecords

UNITS = {"s": 1, "m": 60, "h": 3_600, "d": DAY_S, "w": 7 * DAY_S}
FORMER_SECRET_S = 7 * DAY_S
"""How long a receiver has to learn of a new secret."""

MOST_KEYS = 20
FieldName = Annotated[str, Field(min_length=1, max_length=200)]
SHORTEST_S, LONGEST_S = 60, 31 * DAY_S
RunStatus = Literal["baseline", "unchanged", "changed", "incomplete", "failed", "skipped", "missed"]
"""``incomplete``: the run has not read all records, and what it has read is as it was."""


def _seconds(value: Any) -> Any:
    """Read "15m", "1h" or "1d" as seconds."""
    if isinstance(value, bool):
        raise ValueError("give a duration, as 15m, 1h or 1d, or seconds")
    if isinstance(value, str):
        found = re.fullmatch(r"\s*(\d{1,7})\s*([smhdw]?)\s*", value)
        if not found:
            raise ValueError(f"give a duration, as 15m, 1h or 1d, or seconds, not {value[:40]!r}")
        return int(found[1]) * UNITS[found[2] or "s"]
    return value


def _whole_minutes(seconds: int) -> int:
    if not SHORTEST_S <= seconds <= LONGEST_S or seconds % 60:
        raise ValueError(f"give whole minutes, from 1m to 31d, not {seconds} seconds")
    return seconds


class Webhook(Closed):
    """Where changes are sent. ``secret`` signs them; one is made where none is given.

    A watch that is created again with another secret signs with the one before, too, for ``FORMER_SECRET_S``.
    """

    url: Annotated[str, AfterValidator(checked_address)]
    secret: str = Field(default_factory=lambda: f"whsec_{secrets.token_urlsafe(24)}", min_length=16, max_length=200)


Interval = Annotated[int, AfterValidator(_whole_minutes), BeforeValidator(_seconds, json_schema_input_type=int | str)]


class WatchOrder(Closed):
    """What to watch: a request that gives records, how often, by which fields records are known again, whom to tell."""

    request: dict[str, Any]
    every: Interval = Field(default=DAY_S, description="Seconds, or a duration: 15m, 1h, 1d")
    keys: list[FieldName] = Field(
        default_factory=list[str], max_length=MOST_KEYS, description="Fields that tell records apart; found if empty"
    )
    webhook: Webhook | None = None
    name: str | None = Field(default=None, pattern=r"^[A-Za-z0-9_-]{1,60}$", description="Becomes the watch's id")

    @classmethod
    def read(cls, fields: Any) -> Self:
        """Read it from any way in; InvalidRequest names the field."""
        order = super().read(fields)
        request = parse_request(order.request)
        if request.output_schema is None:
            raise InvalidRequest("request: a watch compares records: give the request an output_schema")
        check_fields("keys", order.keys, request.output_schema)
        return order


def fields_of_records(schema: Any) -> list[str]:
    """Give the fields of a schema's records; [] where it can't be enforced or leaves them open."""
    from gleaner.schemas.records import declared_properties, record_path  # loads jsonschema: for orders with keys alone

    with suppress(InvalidSchema):
        path = record_path(schema)
        record = schema if path is None else path.item_schema
        if isinstance(record, dict) and not (record.get("patternProperties") or record.get("additionalProperties")):
            return list(declared_properties(record))
    return []


def check_fields(option: str, names: Sequence[str], schema: Any) -> None:
    """Raise InvalidRequest for a name that is no field of a schema's records, where these are known."""
    fields = fields_of_records(schema) if names else []
    for name in names if fields else ():
        if name not in fields:
            raise InvalidRequest(f"{option}: the records have no field {name!r}; their fields are {', '.join(fields)}")


class WatchRun(BaseModel):
    """One run of a watch, or why there was none."""

    run_id: str
    at: float
    status: RunStatus
    job_id: str | None = None
    job_status: str | None = None
    counts: dict[str, int] = Field(default_factory=dict[str, int])
    records: int = 0
    said: str = ""
    delivery: dict[str, Any] | None = None


class Watches(TenantRecords):
    """The watches of one tenant."""

    kind, noun = "WATCH", "watch"

    def create(self, order: WatchOrder) -> JsonObject:
        """Keep a watch and give its record. One of the same name is replaced; its history stays, and so do the records
        that it knows if it asks the same.
        """
        watch_id = order.name or f"w{digest_of(json.dumps(order.request, sort_keys=True))[:16]}"
        JobRef(watch_id, self._tenant)
        data: JsonObject = {
            "watch_id": watch_id,
            "request": order.request,
            "every_s": order.every,
            "keys": list(order.keys),
            "webhook": order.webhook.model_dump() if order.webhook else None,
        }

        def kept(item: Item) -> Item:
            known = item.data if item.version else {"created_at": time.time(), "running": None, "due_at": time.time()}
            is_same = all(known.get(name) == data[name] for name in ("request", "keys"))
            webhook = _with_former_secret(data["webhook"], known.get("webhook"))
            return replace(
                item, data={**known, **data, "webhook": webhook, "key": known.get("key") if is_same else None}
            )

        made = rewrite(self._table, *self._key(watch_id), kept).data
        return {**made, "webhook": data["webhook"]}

    def all(self) -> Iterator[JsonObject]:
        """Give the records of all watches."""
        return (item.data for item in every_item(lambda after: self.list(limit=500, after=after)))

    def delete(self, watch_id: str) -> None:
        """Forget a watch; its history expires by itself."""
        self.record(watch_id)
        self._table.delete(*self._key(watch_id))

    def begin(self, watch_id: str, run_id: str, job_id: str, is_over: Callable[[str], bool]) -> str:
        """Take the watch for a run: "begun", "busy" while another run of it goes on, or "missed:N" and begun.

        The same run may begin again: it was killed. ``is_over`` tells whether a job has ended.
        """
        now, answer = time.time(), ["begun"]

        def taken(item: Item) -> Item | None:
            running: Any = item.data.get("running")
            answer[0] = "begun"
            if running and running["run_id"] == run_id:
                return None
            if running and not is_over(str(running["job_id"])):
                answer[0] = "busy"
                return None
            every, due_at = float(str(item.data["every_s"])), float(str(item.data["due_at"]))
            is_first = "begun_at" not in item.data  # a schedule has its first run one interval after it was made
            if (missed := int((now - due_at) // every) - is_first) > 0:
                answer[0] = f"missed:{missed}"
            own: JsonObject = {"run_id": run_id, "job_id": job_id, "at": now}
            due = now + every if is_first else max(due_at + every * (max(0, missed) + 1), now + every / 2)
            return replace(item, data={**item.data, "running": own, "due_at": due, "begun_at": now})

        self._change(watch_id, taken)
        return answer[0]

    def end(self, watch_id: str, run_id: str) -> None:
        """Let the next run begin."""

        def freed(item: Item) -> Item | None:
            running: Any = item.data.get("running") if item.version else None
            return (
                replace(item, data={**item.data, "running": None}) if running and running["run_id"] == run_id else None
            )

        rewrite(self._table, *self._key(watch_id), freed)

    def note(self, watch_id: str, run: WatchRun) -> None:
        """Keep what a run found."""
        ttl = int(time.time()) + self._ttl_days * DAY_S
        data: JsonObject = json.loads(run.model_dump_json(exclude_none=True))
        self._table.put(Item(self._runs(watch_id), run.run_id, data, ttl=ttl))

    def run(self, watch_id: str, run_id: str) -> WatchRun | None:
        """Give a run; None when there is none of that id."""
        item = self._table.get(self._runs(watch_id), run_id)
        return WatchRun.model_validate(item.data) if item is not None else None

    def runs(self, watch_id: str, *, limit: int = 50, after: str | None = None) -> ItemPage:
        """Give the runs of a watch, oldest first, page by page."""
        return self._table.query(self._runs(watch_id), limit=limit, after=after)

    def base(self, watch_id: str) -> Sequence[KeptRecord] | None:
        """Give the records as they are known; None before the first run that had all of them."""
        key = self._blob(watch_id, "base.json")
        if not self._blobs.exists(key):
            return None
        return [KeptRecord.model_validate(one) for one in json.loads(self._blobs.read(key))]

    def write_base(self, watch_id: str, records: Sequence[KeptRecord]) -> None:
        """Keep the records as they are known now, for the next run to be compared with."""
        write_json(self._blobs, self._blob(watch_id, "base.json"), [one.model_dump(mode="json") for one in records])

    def changes(self, watch_id: str, run_id: str) -> RecordChanges:
        """Give what has changed in a run; NotFound when there is no such run."""
        if self.run(watch_id, run_id) is None:
            raise NotFound(f"watch {watch_id} has no run {run_id}")
        key = self._blob(watch_id, f"{run_id}.json")
        return RecordChanges.model_validate_json(self._blobs.read(key)) if self._blobs.exists(key) else RecordChanges()

    def write_changes(self, watch_id: str, run_id: str, changes: RecordChanges) -> None:
        """Keep what has changed in a run."""
        write_json(self._blobs, self._blob(watch_id, f"{run_id}.json"), changes.model_dump(mode="json"))

    def _runs(self, watch_id: str) -> str:
        return f"WATCHRUN#{self._tenant}#{JobRef(watch_id, self._tenant).job_id}"

    def _blob(self, watch_id: str, name: str) -> str:
        return f"watches/{self._tenant}/{JobRef(watch_id, self._tenant).job_id}/{name}"


def _with_former_secret(webhook: Any, known: Any) -> Any:
    """Give a webhook with the secret that it had before, if it had another, and until when that one signs, too."""
    if not webhook or not known or webhook["url"] != known["url"]:
        return webhook
    if webhook["secret"] == known["secret"]:
        return {**known, **webhook}
    return {**webhook, "former": {"secret": known["secret"], "until": time.time() + FORMER_SECRET_S}}


def run_id_of(run: str, at: float) -> str:
    """Give the id of a run: it sorts by time, and is the same for the same execution.

    >>> run_id_of("nightly", 1.5)
    '000000005dc-2a3b62b5'
    """
    return f"{int(at * 1000):011x}-{digest_of(run)[:8]}"


def public_watch(record: JsonObject) -> JsonObject:
    """Give a watch as it is shown: without the secret of its webhook."""
    webhook = record.get("webhook")
    shown = {"url": webhook["url"]} if isinstance(webhook, dict) else None
    return {**record, "webhook": shown}
