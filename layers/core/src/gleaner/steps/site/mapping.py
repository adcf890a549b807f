"""Map: the state that maps a site, in slices that a function has time for (MP-1)."""

import json
import time
from collections.abc import Callable
from typing import Any

from gleaner.contracts.digests import digest_of
from gleaner.contracts.ports import JsonObject, Services
from gleaner.jobs.blob_texts import find_text, write_json
from gleaner.jobs.jobs import JobRef
from gleaner.jobs.site_maps import MapOrder, SiteMap, SiteMaps, order_of
from gleaner.steps.site.crawling import begin_pages, close_stopped_crawl, keeper_of
from gleaner.steps.site.walk import SiteWalk

SLICE_S = 180.0
"""Seconds after which a walk is stored and gone on with by the next call: a function has 300."""

STORE_S = 30.0
"""Seconds of walking that a function that is killed loses at the most."""


def site_maps_of(services: Services, tenant: str) -> SiteMaps:
    """Give the maps of a tenant."""
    return SiteMaps(services.table, services.blobs, tenant, services.settings.job_ttl_days)


def map_site(
    event: JsonObject,
    services: Services,
    *,
    sleep: Callable[[float], None] = time.sleep,
    slice_s: float = SLICE_S,
) -> JsonObject:
    """Take ``{site: {job_id, tenant}}``; map for a while; give ``{status}``: "running" is to be called again.
    A crawl whose map has ended gives ``{status: "mapped", batch}``.

    With ``failure`` nothing more is read: what was found is the map, and says that it is not whole. A map that has
    ended is found again; one that was stopped is gone on with.
    """
    ref = JobRef.read(event.get("site"))
    maps = site_maps_of(services, ref.tenant)
    record = maps.record(ref.job_id)
    if "finished_at" in record and not record.get("was_stopped"):
        return _go_on(ref, maps, services, is_stopped=event.get("failure") is not None)
    order, failure = order_of(record), event.get("failure")
    walk = SiteWalk(order, services, sleep=sleep, keep=keeper_of(ref, order, services))
    store = _WalkStore(ref, services, lambda walk: maps.update(ref.job_id, url_count=len(walk.urls)))
    store.take_up(walk)

    def heed(walk: SiteWalk) -> bool:
        store.write_now_and_then(walk)
        return maps.record(ref.job_id)["status"] != "cancelled"

    if failure is not None:
        walk.end("stopped")
    elif not walk.run(time.time() + slice_s, heed):
        store.write(walk)
        return {"status": "running"}
    site_map = walk.result()
    maps.write(ref.job_id, site_map)
    maps.update(ref.job_id, **_ended(site_map), was_stopped=failure is not None)
    return _go_on(ref, maps, services, is_stopped=failure is not None)


def _go_on(ref: JobRef, maps: SiteMaps, services: Services, *, is_stopped: bool) -> JsonObject:
    """Give the answer for a map that has ended: of a crawl, the batch to scrape now."""
    record = maps.record(ref.job_id)
    if not record.get("is_crawl"):
        return {"status": record["status"]}
    if is_stopped:
        return close_stopped_crawl(ref, record, services)
    return begin_pages(ref, record, maps, services)


def _ended(site_map: SiteMap) -> dict[str, Any]:
    """Give the fields of the record of a map that has ended."""
    error = site_map.error
    return {**site_map.summary(), "finished_at": time.time(), "error": error.model_dump() if error else None}


class _WalkStore:
    """Where a walk is stored while it goes on, so that it can be gone on with."""

    def __init__(self, ref: JobRef, services: Services, on_write: Callable[[SiteWalk], object]) -> None:
        self._blobs, self._key, self._on_write = services.blobs, ref.key("walk.json"), on_write
        self._stored_at = time.monotonic()

    def take_up(self, walk: SiteWalk) -> None:
        if stored := find_text(self._blobs, self._key):
            walk.take_up(json.loads(stored))

    def write(self, walk: SiteWalk) -> None:
        write_json(self._blobs, self._key, walk.to_json())
        self._on_write(walk)
        self._stored_at = time.monotonic()

    def write_now_and_then(self, walk: SiteWalk) -> None:
        if time.monotonic() - self._stored_at > STORE_S:
            self.write(walk)

    def clear(self) -> None:
        if self._blobs.exists(self._key):
            self._blobs.write(self._key, b"", "application/json")


def map_at_once(
    order: MapOrder,
    services: Services,
    on_progress: Callable[[SiteMap], object] | None = None,
    *,
    resumes: bool = False,
) -> SiteMap:
    """Map a site in this call. ``on_progress`` is called between requests, with the counts so far and no URLs yet.

    With ``resumes`` a map of the same order goes on where it was stopped or killed, and KeyboardInterrupt ends it with
    what was found by then.
    """
    walk = SiteWalk(order, services)
    ref = JobRef(f"map-{digest_of(order.model_dump_json(exclude_unset=True))[:32]}")
    store = _WalkStore(ref, services, lambda _: None)

    def heed(walk: SiteWalk) -> bool:
        if on_progress is not None:
            on_progress(walk.site_map)
        if resumes:
            store.write_now_and_then(walk)
        return True

    if not resumes:
        walk.run(heed=heed)
        return walk.result()
    try:
        store.take_up(walk)
        walk.run(heed=heed)
        store.clear()
    except KeyboardInterrupt:
        store.write(walk)
        walk.end("interrupted")
    return walk.result()
