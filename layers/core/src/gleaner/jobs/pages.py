"""Pages: one URL fetched once, and its stored snapshot."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from gleaner.contracts.actions import Action, ActionOutcome, ConsentOutcome
from gleaner.contracts.digests import digest_of
from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import NotFound
from gleaner.contracts.ports import BlobStore
from gleaner.jobs.blob_texts import read_json, read_text, write_json, write_text
from gleaner.jobs.jobs import JobRef


@dataclass(frozen=True, slots=True)
class StoredPage:
    """What is known of a fetched page besides its HTML. ``timings_ms`` are of the browser's steps.

    ``screenshots`` are the blob keys of its pictures by their format. ``validators`` are its ``etag`` and
    ``last-modified``, by which the server tells whether it is unchanged.

    ``cut_short`` is an ``error_type`` and its message when the page was still loading and may not be whole.
    ``document_pages`` is how many pages a document has; 0 for pages of the web. ``actions`` says what came of each.
    """

    page_id: str
    url: str
    source_url: str
    status: int
    title: str = ""
    links: tuple[str, ...] = ()
    screenshots: dict[str, str] = field(default_factory=dict[str, str])
    console_errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    timings_ms: dict[str, float] = field(default_factory=dict[str, float])
    cut_short: tuple[ErrorType, str] | None = None
    document_pages: int = 0
    actions: tuple[ActionOutcome, ...] = ()
    consent: ConsentOutcome | None = None
    validators: dict[str, str] = field(default_factory=dict[str, str])


def page_id_of(ref: JobRef, url: str, actions: Sequence[Action] = ()) -> str:
    """Give the id of the page that this job fetches, and acts on: the same on each retry."""
    named = "".join(f"\n{action.model_dump_json()}" for action in actions)
    return digest_of(f"{ref.tenant}\n{ref.job_id}\n{url}{named}")[:32]


class Pages:
    """The stored pages of one tenant."""

    def __init__(self, blobs: BlobStore, ref: JobRef) -> None:
        self._blobs = blobs
        self._ref = ref

    def store(self, page: StoredPage, html: str) -> None:
        """Store the snapshot, then what is known of it: a page that can be read is whole."""
        write_text(self._blobs, self._ref.page_key(page.page_id, "snapshot.html"), html, "text/html; charset=utf-8")
        actions = [outcome.model_dump(mode="json") for outcome in page.actions]
        consent = page.consent.model_dump(mode="json") if page.consent else None
        described = asdict(replace(page, actions=(), consent=None)) | {"actions": actions, "consent": consent}
        write_json(self._blobs, self._ref.page_key(page.page_id, "page.json"), described)

    def exists(self, page_id: str) -> bool:
        """Tell whether this tenant has the page."""
        return self._blobs.exists(self._ref.page_key(page_id, "page.json"))

    def read(self, page_id: str) -> StoredPage:
        """Give what is known of the page; NotFound when this tenant has none of that id."""
        try:
            stored: dict[str, Any] = read_json(self._blobs, self._ref.page_key(page_id, "page.json"))
        except NotFound:
            raise NotFound(f"there is no page {page_id}") from None
        for name in ("links", "console_errors", "warnings"):
            stored[name] = tuple(stored[name])
        stored["actions"] = tuple(map(ActionOutcome.model_validate, stored.get("actions", ())))
        stored["consent"] = ConsentOutcome.model_validate(stored["consent"]) if stored.get("consent") else None
        return StoredPage(**stored)

    def remember(self, name: str, page_id: str) -> None:
        """Keep which page was the last of a name: of a URL that is visited again."""
        self._blobs.write(self._ref.page_key(digest_of(name)[:32], "latest.json"), page_id.encode(), "application/json")

    def latest(self, name: str) -> StoredPage | None:
        """Give the last page of a name; None where there is none, or it has expired."""
        try:
            page_id = self._blobs.read(self._ref.page_key(digest_of(name)[:32], "latest.json")).decode()
            return self.read(page_id)
        except NotFound:
            return None

    def html(self, page_id: str) -> str:
        """Give the stored snapshot."""
        return read_text(self._blobs, self._ref.page_key(page_id, "snapshot.html"))
