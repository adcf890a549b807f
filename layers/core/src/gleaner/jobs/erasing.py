"""Erase what is stored of a tenant, or of one site for a tenant."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urlsplit

from gleaner.contracts.errors import InvalidRequest, NotFound
from gleaner.contracts.items import every_item
from gleaner.contracts.ports import BlobStore, Schedules, TableStore
from gleaner.jobs.jobs import ENDED, JobRef
from gleaner.jobs.strategies import ExtractionCache
from gleaner.jobs.watches import Watches

FOLDERS = ("jobs", "pages", "screenshots", "media", "batches", "answers", "inbox", "watches", "sessions")
"""Folders of the blob store in which each tenant has one of its own."""

SHARED = frozenset({"TOKEN", "TOKENS", "ROBOTS", "DAY", "BUDGET", "CHUNK"})
"""Kinds of items that are no tenant's: of the operator, of a site, sums, and what is gone within a day."""

_MOST_AT_ONCE = 1_000


@dataclass(slots=True)
class Erasure:
    """What was erased, or would be: items of the table, files, schedules of watches; ``left`` says what was not."""

    items: int = 0
    files: int = 0
    schedules: int = 0
    left: list[str] = field(default_factory=list[str])


class Eraser:
    """Erases data of one tenant; as a trial it counts alone. A second run erases what came meanwhile."""

    def __init__(
        self, table: TableStore, blobs: BlobStore, schedules: Schedules, tenant: str, *, is_trial: bool = False
    ) -> None:
        JobRef("any", tenant)  # InvalidRequest for what is no name of a tenant
        self._table = table
        self._blobs = blobs
        self._schedules = schedules
        self._tenant = tenant
        self._is_trial = is_trial
        self.done = Erasure()
        self._seen: set[tuple[str, str]] = set()

    def everything(self) -> Erasure:
        """Erase all that is the tenant's but its tokens, which are revoked one by one.

        InvalidRequest while a job of it is under way.
        """
        self._refuse_while_under_way(lambda _: True)
        self._stop_watches(lambda _: True)
        for pk, sk in list(self._own_items()):
            self._delete_item(pk, sk)
        for folder in FOLDERS:
            self._delete_files(f"{folder}/{self._tenant}")
        return self.done

    def site(self, host: str) -> Erasure:
        """Erase what is of one host: jobs, pages, strategies with their recipes, watches, maps and aggregates.

        An aggregate with records of other hosts stays whole, and is told in ``left``. InvalidRequest while a job of
        the host is under way.
        """

        def is_there(url: Any) -> bool:
            return isinstance(url, str) and (urlsplit(url).hostname or "") == host.lower()

        self._refuse_while_under_way(is_there)
        self._stop_watches(lambda watch: is_there(watch["request"].get("url")))
        urls: dict[str, list[tuple[str, str, bool]]] = {}
        for pk, sk in list(self._own_items()):
            kind, _, name = pk.partition("#")
            item = self._table.get(pk, sk) if kind in ("JOB", "SITEMAP", "AGG") else None
            if item is None:
                continue
            if kind == "AGG":
                urls.setdefault(name, []).append((pk, sk, "url" not in item.data or is_there(item.data["url"])))
            elif is_there(item.data.get("url")):
                self._delete_item(pk, sk)
                self._delete_files(f"jobs/{self._tenant}/{sk}")
        self._delete_aggregates(urls)
        self._delete_pages(is_there)
        self._delete_strategies(host)
        return self.done

    def _delete_aggregates(self, urls: dict[str, list[tuple[str, str, bool]]]) -> None:
        for name, items in urls.items():
            pages = [is_own for _, sk, is_own in items if sk.startswith("PAGE#")]
            if pages and all(pages):
                for pk, sk, _ in items:
                    self._delete_item(pk, sk)
            elif any(pages):
                extraction = unquote(name.partition("#")[2])
                self.done.left.append(f"extraction {extraction} also has records of other sites: delete it as a whole")

    def _delete_pages(self, is_there: Callable[[Any], bool]) -> None:
        for key in list(self._blobs.keys(f"pages/{self._tenant}")):
            if not key.endswith("/page.json"):
                continue
            try:
                page: Any = json.loads(self._blobs.read(key))
            except NotFound:
                continue
            if is_there(page.get("url")) or is_there(page.get("source_url")):
                page_id = key.split("/")[2]
                self._delete_files(f"pages/{self._tenant}/{page_id}")
                self._delete_files(f"media/{self._tenant}/{page_id}")
                self._delete(f"screenshots/{self._tenant}/{page_id}.png")

    def _delete_strategies(self, host: str) -> None:
        cache = ExtractionCache(self._table, self._tenant)
        for strategy in list(cache.of_host(host)):
            self.done.items += 1
            if not self._is_trial:
                cache.delete(strategy.id)

    def _stop_watches(self, is_wanted: Callable[[Any], bool]) -> None:
        watches = Watches(self._table, self._blobs, self._tenant)
        for watch in [one for one in watches.all() if is_wanted(one)]:
            watch_id = str(watch["watch_id"])
            self.done.schedules += 1
            if not self._is_trial:
                self._schedules.delete(watch_id, self._tenant)
            self._delete_item(f"WATCH#{self._tenant}", watch_id)
            for run in watches.runs(watch_id, limit=100_000).items:
                self._delete_item(run.pk, run.sk)
            self._delete_files(f"watches/{self._tenant}/{watch_id}")

    def _own_items(self) -> Iterator[tuple[str, str]]:
        for pk, sk in self._table.every_key():
            kind, *names = pk.removeprefix("PART#").split("#")
            if names and unquote(names[0]) == self._tenant and kind not in SHARED:
                yield pk, sk

    def _refuse_while_under_way(self, is_wanted: Callable[[Any], bool]) -> None:
        """Raise InvalidRequest while a job goes on: it would write what was just erased."""
        jobs = every_item(lambda after: self._table.query(f"JOB#{self._tenant}", limit=500, after=after))
        under_way = [job.sk for job in jobs if job.data.get("status") not in ENDED and is_wanted(job.data.get("url"))]
        if under_way and not self._is_trial:
            raise InvalidRequest(
                f"{len(under_way)} of its jobs are under way, such as {under_way[0]}: cancel them, or wait"
            )

    def _delete_item(self, pk: str, sk: str) -> None:
        self.done.items += (pk, sk) not in self._seen
        self._seen.add((pk, sk))
        if not self._is_trial:
            self._table.delete(pk, sk)

    def _delete_files(self, folder: str) -> None:
        keys = list(self._blobs.keys(folder))
        self.done.files += sum(("", key) not in self._seen for key in keys)
        self._seen.update(("", key) for key in keys)
        for at in range(0, 0 if self._is_trial else len(keys), _MOST_AT_ONCE):
            self._blobs.delete(keys[at : at + _MOST_AT_ONCE])

    def _delete(self, key: str) -> None:
        if self._blobs.exists(key):
            self.done.files += 1
            if not self._is_trial:
                self._blobs.delete([key])
