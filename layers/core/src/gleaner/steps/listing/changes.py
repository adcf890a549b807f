"""Whether a listing has changed while its pages were read: some are read again to see it (FP-2).

When the walk has come to the listing's end, its first page is read again, the page before each change of the total, and
each page with a record that a later one shows too. Where one has moved, those around it are read again, until a page is
as it was: so what was read before the change is replaced. Then the first page is looked at once more; a listing that
has changed meanwhile is not complete.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from gleaner.completeness.emptiness import says_it_is_empty
from gleaner.contracts.json_text import canonical
from gleaner.contracts.models import ScrapeResult
from gleaner.contracts.ports import JsonValue, Services
from gleaner.jobs.aggregates import records_of
from gleaner.jobs.content import JobContent
from gleaner.jobs.jobs import Plan
from gleaner.jobs.places import jobs_of
from gleaner.jobs.record_changes import leaves
from gleaner.steps.listing.walk import Walk, WalkedPage, page_ref

MOST_SHARING = 10
"""Of so many pages one that shares a record with a later one is read again, and two of any number: where more do,
equal records are nothing special."""


def read_again(walk: Walk, plan: Plan, services: Services) -> None:
    """Have pages read again, or open the walk's end again where its last page has moved; neither once all is known."""
    pages, due = walk.of("read"), list[WalkedPage]()
    if len(pages) < 2 or plan.request.page_id is not None:
        walk.stage = "done"
    elif walk.stage == "walking":
        walk.stage, due = "looking", [pages[0], *_before_new_totals(pages), *_sharing(pages, plan, services)]
    elif walk.stage == "looking":
        walk.rounds += 1
        moved = [at for at, page in enumerate(pages) if page.check == "moved"]
        around = (page for at in moved for page in pages[max(0, at - 2**walk.rounds) : at + 2**walk.rounds + 1])
        due = [page for page in around if not page.check]
        if not due and pages[-1].check == "moved":
            walk.stage, walk.end = "extending", None
        elif not due:
            walk.stage, due = ("verifying", pages[:1]) if moved else ("done", [])
    elif walk.stage == "extending":
        walk.stage, due = "verifying", pages[:1]
    else:
        walk.stage = "done"
    for page in due:
        if page.state == "read":
            page.read_again()


def replaces(page: WalkedPage, result: ScrapeResult, walk: Walk, plan: Plan, services: Services) -> bool:
    """Tell whether the new reading of a page is to count in place of the one before: only if the page has moved."""
    before, now = (
        _records(page, plan, services, page.kept),
        list(records_of(result.extraction)[0]) if result.extraction else [],
    )
    markdown = _markdown(page, plan, services) if len(now) < len(before) else ""
    is_gone = not now and says_it_is_empty(markdown)
    if len(now) < len(before) and not is_gone and (not now or result.status != "complete"):
        page.check = "unread"
        return False
    if len(now) < len(before) and _shows(markdown, before):
        page.check = "same"  # a recipe that was learned meanwhile passes over what the model has read
        return False
    has_moved = not _are_as_they_were(before, now)
    page.check = "moved" if has_moved or page.check == "moved" else "same"
    walk.has_changed |= has_moved and walk.stage == "verifying"
    return has_moved


def _are_as_they_were(before: Sequence[JsonValue], now: Sequence[JsonValue]) -> bool:
    """Tell whether records stand in the same places: of each at least half of the values are the same."""
    return len(before) == len(now) and all(map(_is_same, before, now))


def _markdown(page: WalkedPage, plan: Plan, services: Services) -> str:
    content = JobContent(services.blobs, page_ref(plan.ref, page))
    return content.markdown() if content.exists() else ""


def _shows(markdown: str, records: Sequence[JsonValue]) -> bool:
    """Tell whether each record's texts still stand on the page: then none of them has gone."""
    shown = _letters(markdown)
    texts = [[text for _, text in leaves(one) if isinstance(text, str)] for one in records]
    return all(own and all(_letters(text) in shown for text in own) for own in texts)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _is_same(before: JsonValue, now: JsonValue) -> bool:
    was, values = dict(leaves(before)), dict(leaves(now))
    same = sum(canonical(was[name]) == canonical(values.get(name)) for name in was)
    return 2 * same >= max(len(was), len(values))


def _before_new_totals(pages: Sequence[WalkedPage]) -> list[WalkedPage]:
    stating = [page for page in pages if page.shown.total]
    return [page for page, behind in pairwise(stating) if page.shown.total != behind.shown.total]


def _sharing(pages: Sequence[WalkedPage], plan: Plan, services: Services) -> list[WalkedPage]:
    """Give the pages with a record that a later page shows too: it may have moved, and another unseen in its place."""
    seen: Counter[str] = Counter()
    sharing: list[WalkedPage] = []
    for page in reversed(pages):
        own = set(map(canonical, _records(page, plan, services, page.attempt)))
        if any(record in seen for record in own):
            sharing.insert(0, page)
        seen.update(own)
    return sharing if len(sharing) <= max(2, len(pages) // MOST_SHARING) else []


def _records(page: WalkedPage, plan: Plan, services: Services, attempt: int | None) -> list[JsonValue]:
    extraction = jobs_of(services).result(page_ref(plan.ref, page, attempt)).extraction
    return list(records_of(extraction)[0]) if extraction is not None else []
