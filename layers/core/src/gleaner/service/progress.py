"""A job's progress, read from what its steps have stored.

What is stored has no times, and a failure leaves nothing of the step that failed: steps without a trace are left out.
"""

import json
from bisect import bisect_left
from dataclasses import dataclass
from typing import Any

from gleaner.contracts.errors import NotFound
from gleaner.contracts.ports import BlobStore, JsonObject
from gleaner.jobs.jobs import ENDED, JobRef
from gleaner.jobs.pages import Pages
from gleaner.jobs.places import has_ended
from gleaner.steps.listing.walk import WalkStore


@dataclass(frozen=True, slots=True)
class Progress:
    """The steps of a job in their order, and how many of its chunks are done, about: they end in any order."""

    steps: tuple[JsonObject, ...]
    chunks_done: int = 0
    chunks_total: int = 0


def stored_progress(ref: JobRef, status: str, blobs: BlobStore) -> Progress:
    """Give the progress of a job that has this status, with some ten reads however many chunks it has."""
    plan = _read(blobs, ref.key("plan.json"))
    if plan and plan["request"].get("follow") is not None:
        return _followed(ref, status, blobs)
    names = _before_chunks(plan, ref, blobs) if plan else []
    asked = _asked(ref, blobs) if "chunk_page" in names else []
    done = _count_done(ref, asked, blobs) if status not in ENDED else len(asked)
    if asked and done == len(asked):
        names.append("extract_chunk")
    is_unread = names == ["plan_scrape", "probe_media"] and blobs.exists(ref.key("document.json"))
    following = "read_document" if is_unread else _following(names, plan, asked, done)
    following = None if status in (ENDED | {"queued"}) else following
    if status in ("complete", "partial"):
        names.append("aggregate_results")
    steps = [_step(name, "succeeded") for name in names] + ([_step(following, "running")] if following else [])
    return Progress(tuple(steps), done, len(asked))


def _followed(ref: JobRef, status: str, blobs: BlobStore) -> Progress:
    """Give the progress of a listing: its pages are what is counted."""
    walk = WalkStore(blobs, ref).read()
    read, known = (len(walk.of("read", "failed")), len(walk.pages)) if walk else (0, 0)
    state = "succeeded" if status in ENDED else "running"
    return Progress((_step("plan_scrape", "succeeded"), _step("follow_listing", state)), read, known)


def _before_chunks(plan: Any, ref: JobRef, blobs: BlobStore) -> list[str]:
    if blobs.exists(ref.key("media.json")):
        return ["plan_scrape", "probe_media"]
    request = plan["request"]
    if not Pages(blobs, ref).exists(plan["page_id"]):
        return ["plan_scrape", "probe_media"] if blobs.exists(ref.key("document.json")) else ["plan_scrape"]
    fetching = [] if request.get("page_id") else ["probe_media"]
    is_document = blobs.exists(ref.key("document.json"))
    rendering = ["read_document"] if is_document else ["render_page"]
    rendering = rendering if fetching and (is_document or request.get("enable_javascript", True)) else []
    reading = ["chunk_page"] if blobs.exists(ref.key("content.json")) else []
    return ["plan_scrape", *fetching, *rendering, *reading]


def _following(names: list[str], plan: Any, asked: list[int], done: int) -> str:
    if not names:
        return "plan_scrape"
    if names[-1] == "plan_scrape" and not plan["request"].get("page_id"):
        return "probe_media"
    if asked and done < len(asked):
        return "extract_chunk"
    request = plan["request"]
    formats = request.get("formats") or [request.get("format", "markdown")]
    wants_text = "markdown" in formats or request.get("query") or request.get("output_schema")
    is_fetched = bool({"render_page", "read_document"} & set(names)) or not request.get("enable_javascript", True)
    is_page = is_fetched or "probe_media" not in names
    return "chunk_page" if "chunk_page" not in names and wants_text and is_page else "aggregate_results"


def _asked(ref: JobRef, blobs: BlobStore) -> list[int]:
    content = _read(blobs, ref.key("content.json"))
    return sorted(content.get("asked", [])) if content else []


def _count_done(ref: JobRef, asked: list[int], blobs: BlobStore) -> int:
    """Count the chunks up to the first that has left nothing; they are begun in their order."""
    return bisect_left(asked, True, key=lambda index: not has_ended(ref, index, blobs))


def _read(blobs: BlobStore, key: str) -> Any:
    try:
        return json.loads(blobs.read(key))
    except NotFound:
        return None


def _step(name: str, status: str) -> JsonObject:
    return {"name": name, "status": status, "started_at": None, "ended_at": None}
