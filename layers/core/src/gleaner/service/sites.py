"""What every way in can do with a whole site: map it, and crawl it (MP-1, MP-2)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gleaner.contracts.errors import InvalidRequest
from gleaner.contracts.ports import JsonObject
from gleaner.jobs.batches import UNDER_WAY, ParsedList, Politeness
from gleaner.jobs.jobs import ENDED, JobRef
from gleaner.jobs.site_maps import CrawlOrder, MapOrder, SiteMap, SiteMaps, site_map_of
from gleaner.service.idempotency import earlier, ref_of_key, request_digest
from gleaner.steps.site.mapping import site_maps_of

if TYPE_CHECKING:
    from gleaner.service.gateway import Gateway


@dataclass(frozen=True, slots=True)
class Sites:
    """The maps and crawls of one tenant, by its gateway."""

    gateway: "Gateway"

    @property
    def maps(self) -> SiteMaps:
        """The tenant's maps."""
        return site_maps_of(self.gateway.services, self.gateway.tenant)

    def start_map(self, order: Any, *, idempotency_key: str | None = None) -> JsonObject:
        """Start a map and give its record. The same key with the same order gives the map that was started before.

        InvalidRequest names what is wrong, or says that the key was used for another order.
        """
        read = MapOrder.read(order)
        ref, digest = ref_of_key(self.gateway.tenant, idempotency_key), request_digest(read.model_dump(mode="json"))
        known = earlier("order", lambda: self.maps.record(ref.job_id), digest) if idempotency_key else None
        if known is None:
            known = self.maps.open(ref.job_id, read, request_digest=digest)
        if known["status"] == "running":
            self._start(ref)
        return self.view(ref.job_id)

    def start_crawl(self, order: Any, *, idempotency_key: str | None = None) -> JsonObject:
        """Start a crawl and give its record, that of a batch whose pages are looked for first.

        The same key with the same order gives the crawl that was started before. InvalidRequest names what is wrong.
        """
        read, batches = CrawlOrder.read(order), self.gateway.batches
        ref, digest = ref_of_key(self.gateway.tenant, idempotency_key), request_digest(read.model_dump(mode="json"))
        known = earlier("order", lambda: batches.record(ref.job_id), digest) if idempotency_key else None
        if known is None:
            self.maps.open(ref.job_id, read, is_crawl=True)
            more: JsonObject = {"request_digest": digest, "url": read.url}
            politeness = Politeness.read(read.politeness).at_most(self.gateway.services.settings.batch_concurrency)
            batches.open(ref.job_id, ParsedList((), ()), politeness, more, status="mapping")
            known = batches.record(ref.job_id)
        if known["status"] in UNDER_WAY:
            self._start(ref)
        return batches.view(ref.job_id)

    def site_map(self, map_id: str) -> SiteMap:
        """Give a map with its URLs, that of a crawl too; what has not ended yet has those that were stored."""
        return site_map_of(self.maps.record(map_id), self.maps.urls(map_id))

    def map(self, order: Any, *, wait_s: float, idempotency_key: str | None = None) -> JsonObject:
        """Start a map and wait for its end for a while; give its record, whose status may be "running" then."""
        record = self.start_map(order, idempotency_key=idempotency_key)
        return self.wait(str(record["map_id"]), wait_s)

    def wait(self, map_id: str, wait_s: float) -> JsonObject:
        """Give a map's record as soon as it has ended, or as it is when the time is over."""
        ref = JobRef(map_id, self.gateway.tenant)
        self.gateway.wait_until(lambda: self.maps.record(map_id)["status"] in ENDED, ref, wait_s)
        return self.view(map_id)

    def view(self, map_id: str) -> JsonObject:
        """Give a map's record; NotFound when this tenant has none of that id."""
        return public_map(self.maps.record(map_id))

    def urls(self, map_id: str, *, limit: int, after: str | None = None) -> tuple[list[str], str | None]:
        """Give so many URLs of a map, each as a line of JSON, and where to go on; None at the end."""
        start = read_place(after)
        lines = self.maps.urls(map_id)
        following = start + limit
        return lines[start:following], str(following) if following < len(lines) else None

    def cancel_map(self, map_id: str) -> JsonObject:
        """End a map with what it has found; one that has ended stays as it is."""
        if self.maps.record(map_id)["status"] not in ENDED:
            self.maps.update(map_id, status="cancelled")
        return self.view(map_id)

    def _start(self, ref: JobRef) -> None:
        self.gateway.starter.start("crawl_site", {"site": ref.to_json()}, ref.job_id)


def public_map(record: JsonObject) -> JsonObject:
    """Give what of a map's record its caller sees."""
    return {name: value for name, value in record.items() if name not in ("request_digest", "was_stopped")}


def read_place(after: str | None) -> int:
    """Read where to go on; InvalidRequest for what is no such place."""
    if after is None:
        return 0
    if not after.isdecimal() or len(after) > 9:
        raise InvalidRequest(f"after: give the next of an earlier answer, not {after[:40]!r}")
    return int(after)
