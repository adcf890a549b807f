"""The walk over a listing's pages, as far as it has come: stored with the job for whoever goes on with it."""

from typing import Any, Literal

from pydantic import BaseModel, Field

from gleaner.contracts.digests import digest_of
from gleaner.contracts.errors import InvalidRequest
from gleaner.contracts.models import Follow, JobError, ScrapeRequest
from gleaner.contracts.ports import BlobStore, JsonObject
from gleaner.jobs.blob_texts import find_text, write_text
from gleaner.jobs.jobs import JobRef, Plan
from gleaner.sites.overlaps import Shown

State = Literal["pending", "read", "empty", "repeat", "failed", "left"]
"""``left``: known, and not read since the walk ended before it."""
End = Literal["whole", "last", "max_pages", "max_records", "loop", "repeat", "empty", "failed", "robots", "budget",
              "deadline", "cancelled", "unfollowed"]  # fmt: skip
NATURAL_ENDS = frozenset({"whole", "last", "repeat", "empty"})
"""How a listing ends whose pages were all read."""

STOPS = frozenset({"cancelled", "deadline", "budget", "failed"})
"""Ends from outside: the same job goes on there."""

LONGEST_OWNER = 60


class WalkedPage(BaseModel):
    """One page of the listing. ``attempt`` counts its jobs; the result of ``kept``, one of them, counts meanwhile.

    ``tries`` and ``sends`` are how often the job's execution has tried the page, and sent this attempt of it. Nothing
    links to a page that is ``made_up``. ``turns`` are the targets that are pressed one after another to turn to it from
    the page at its address, which has no other for it; ``acts`` is True where the request's actions come before them.
    ``check`` is what reading it again has shown.
    """

    number: int
    url: str
    state: State = "pending"
    attempt: int = 0
    tries: int = 0
    sends: int = 0
    kept: int | None = None
    check: Literal["", "same", "moved", "unread"] = ""
    made_up: bool = False
    turns: tuple[str, ...] = ()
    acts: bool = False
    source_url: str = ""
    page_id: str = ""
    records: int = 0
    digest: str = ""
    shown: Shown = Shown()
    error: JobError | None = None

    def read_again(self) -> None:
        """Have the page read once more; this reading counts until then."""
        self.state, self.kept = "pending", self.attempt
        self.attempt, self.tries, self.sends = self.attempt + 1, 0, 0

    def fall_back(self) -> None:
        """Let the reading before count again."""
        if self.kept is not None:
            self.attempt, self.kept, self.state = self.kept, None, "read"


class Walk(BaseModel):
    """All pages that are known so far, in order. ``end`` is why no more are looked for, ``said`` the same in words.

    ``total`` is what the listing said last of its number of records, 0 for nothing. ``descends`` tells whether its
    pages are numbered backwards, from the newest one; None until its first page has led on by numbers. ``stated_pages``
    is how many pages there are from the first one on, as a page said last; 0 for nothing. ``stage`` is how
    far it is known whether the listing has changed meanwhile, by so many ``rounds``; ``has_changed`` that it could not
    be read between two changes. ``dropped`` are the attempts of pages that nothing linked to and that were none.
    """

    pages: list[WalkedPage] = Field(default_factory=list[WalkedPage])
    extraction_id: str | None = None
    end: End | None = None
    said: str = ""
    total: int = 0
    descends: bool | None = None
    stated_pages: int = 0
    stage: Literal["walking", "looking", "extending", "verifying", "done"] = "walking"
    rounds: int = 0
    has_changed: bool = False
    dropped: dict[int, int] = Field(default_factory=dict[int, int])

    def of(self, *states: State) -> list[WalkedPage]:
        """Give the pages in these states."""
        return [page for page in self.pages if page.state in states]

    @property
    def records(self) -> int:
        """How many records the pages that were read gave, overlaps included."""
        return sum(page.records for page in self.of("read"))

    def add(self, url: str, *, made_up: bool) -> None:
        """Add a page to be read."""
        self._add(WalkedPage(number=len(self.pages) + 1, url=url, made_up=made_up))

    def turn(self, target: str) -> None:
        """Add the page that the last one turns to when the target is pressed on it."""
        last = self.pages[-1]
        turns = (*last.turns, target)
        self._add(WalkedPage(number=last.number + 1, url=last.url, turns=turns, acts=last.acts or last.number == 1))

    def _add(self, page: WalkedPage) -> None:
        page.attempt = self.dropped.get(page.number, -1) + 1
        self.pages.append(page)

    def drop(self, page: WalkedPage) -> None:
        """Take out a page that nothing links to, with all behind it: they were no pages of the listing."""
        self.dropped |= {one.number: one.attempt for one in self.pages[page.number - 1 :]}
        del self.pages[page.number - 1 :]

    def finish(self, end: End, said: str = "") -> None:
        """End the walk; pages that are known and were not read stay so. The first reason counts."""
        if self.end is None:
            self.end, self.said = end, said
        for page in self.of("pending"):
            page.fall_back()
            page.state = "left" if page.state == "pending" else page.state

    def reopen(self) -> None:
        """Take a walk up again that something from outside has ended: a stop, a cap of time or money, a failure."""
        if self.end not in STOPS:
            return
        self.end, self.said = None, ""
        for page in self.of("left", "failed"):
            page.attempt += page.state == "failed"
            page.state, page.error, page.tries, page.sends = "pending", None, 0, 0


class WalkStore:
    """Reads and writes the walk of one job."""

    def __init__(self, blobs: BlobStore, ref: JobRef) -> None:
        self._blobs, self._key = blobs, ref.key("walk.json")

    def read(self) -> Walk | None:
        """Give the walk; None when it has not begun."""
        stored = find_text(self._blobs, self._key)
        return Walk.model_validate_json(stored) if stored else None

    def write(self, walk: Walk) -> None:
        """Store the walk."""
        write_text(self._blobs, self._key, walk.model_dump_json())


def page_ref(owner: JobRef, page: WalkedPage, attempt: int | None = None) -> JobRef:
    """Give the job that reads a page of an owner's listing, in its last attempt or another one.

    >>> page_ref(JobRef("lamps"), WalkedPage(number=3, url="https://a.example/")).job_id
    'page-0003-0-of-lamps'
    """
    name = owner.job_id if len(owner.job_id) <= LONGEST_OWNER else digest_of(owner.job_id)[:32]
    return JobRef(f"page-{page.number:04}-{page.attempt if attempt is None else attempt}-of-{name}", owner.tenant)


def page_input(owner: JobRef, page: WalkedPage) -> JsonObject:
    """Give the input of the execution that reads a page: the plan finds its request with the owner's walk."""
    return {
        "job": page_ref(owner, page).to_json(),
        "listing": {"job_id": owner.job_id, "number": page.number},
    }


def listing_of(payload: Any) -> tuple[str, int] | None:
    """Read whose listing an execution's input is a page of, and which; None for a job of its own."""
    listing = payload.get("listing") if isinstance(payload, dict) else None
    if listing is None:
        return None
    if not isinstance(listing, dict) or not isinstance(listing.get("number"), int):
        raise InvalidRequest(f"listing is {{job_id, number}}, not {str(listing)[:200]}")
    return str(listing.get("job_id")), listing["number"]


def page_request(owner: Plan, number: int, blobs: BlobStore) -> tuple[ScrapeRequest, WalkedPage]:
    """Give the request for a page of a listing, the owner's at the page's address, and what the walk knows of it."""
    walk = WalkStore(blobs, owner.ref).read()
    page = next((page for page in walk.pages if page.number == number), None) if walk else None
    if walk is None or page is None:
        raise InvalidRequest(f"the listing of job {owner.ref.job_id} has no page {number}")
    changes: dict[str, Any] = {"follow": None}
    if number > 1:
        changes |= {"url": page.url, "page_id": None, "start_from_char": 0}
        changes |= {"extraction_id": walk.extraction_id or owner.request.extraction_id}
    return owner.request.model_copy(update=changes), page


def follow_of(plan: Plan) -> Follow:
    """Give how far a job is to follow."""
    return plan.request.follow or Follow()
