"""Let one of several pages of a layout ask the model, while the others wait for its recipe (RC-2).

Without it every page of a layout that is in work before the first recipe would be paid for. Nobody waits for ever: a
turn ends with its job or its time, each job waits a number of times only, and when some jobs in a row had no recipe
to show for it, nobody waits any more for a while.
"""

import time
from typing import Final

from gleaner.contracts.digests import digest_of
from gleaner.contracts.errors import LayoutBeingRead
from gleaner.contracts.items import count_of
from gleaner.contracts.json_text import canonical
from gleaner.contracts.ports import Item, JsonObject, TableStore
from gleaner.jobs.url_globs import host_of
from gleaner.tiers.work import Work
from gleaner.wrappers import RecipeBook

TURN_S: Final = 120
"""How long a turn lasts that nobody ends: its job died, or its model takes longer than others should wait."""

MOST_TURNS: Final = 3
"""So many jobs may end without a recipe before nobody waits; some layouts show only on a third page what varies."""

MOST_WAITS: Final = 20
"""How often a job is put off; the state machine says how long each wait is."""

REST_S: Final = 600
"""How long it is remembered that a question brought no recipe."""


def take_turn(work: Work) -> None:
    """Begin to ask a model, or put it off: LayoutBeingRead while another job asks the same of a page of this host."""
    table, pk, sk = work.services.table, _partition(work), _question(work)
    item = table.get(pk, sk)
    turn = item.data if item else {}
    job, now = work.plan.ref.job_id, time.time()
    turns = count_of(turn, "turns")
    if turn.get("job") == job:
        return
    is_taken = bool(turn.get("job")) and count_of(turn, "until") > now
    if not is_taken and turns >= MOST_TURNS:
        return
    taken: JsonObject = {"job": job, "until": int(now) + TURN_S, "turns": turns + 1}
    mine = Item(pk, sk, taken, ttl=int(now) + REST_S)
    has_begun = not is_taken and table.put(mine, if_version=item.version if item else 0)
    if not has_begun and not _is_pressed(work, now):
        _put_off(table, pk, f"{sk}#{job}")


def _is_pressed(work: Work, now: float) -> bool:
    """Tell whether a quarter of the request's time is over."""
    limit = work.plan.request.budget.deadline_s
    return limit is not None and now - work.plan.started_at > limit / 4


def _put_off(table: TableStore, pk: str, sk: str) -> None:
    known = table.get(pk, sk)
    waits = count_of(known.data, "waits") if known else 0
    if waits < MOST_WAITS:
        table.put(Item(pk, sk, {"waits": waits + 1}, ttl=int(time.time()) + REST_S))
        raise LayoutBeingRead("another job is reading a similar page; its recipe may answer this one")


def end_turn(work: Work, strategy_id: str | None) -> None:
    """End this job's turn, if it has it; with a recipe of the strategy the count of turns begins anew."""
    table, pk, sk = work.services.table, _partition(work), _question(work)
    item = table.get(pk, sk)
    if item is None or item.data.get("job") != work.plan.ref.job_id:
        return
    if strategy_id and RecipeBook(table, work.plan.ref.tenant).recipes(strategy_id):
        table.delete(pk, sk)
    else:
        table.put(Item(pk, sk, {**item.data, "job": ""}, ttl=item.ttl), if_version=item.version)


def _partition(work: Work) -> str:
    return f"TURN#{work.plan.ref.tenant}"


def _question(work: Work) -> str:
    """Give a name for what is asked, and of which pages: those of an extraction, or of a host."""
    request = work.plan.request
    asked = [request.output_schema, request.css_selector, request.query]
    pages = request.extraction_id or host_of(work.stored.url)
    return digest_of(canonical([pages, *asked]))
