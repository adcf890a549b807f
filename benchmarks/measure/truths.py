"""A page whose right answer the model gives: what is lost of it, at what cost; then what comes without a model."""

import math
import re
from collections import Counter

from gleaner.results.settling import shows_less_than_it_states

from measure.answering import Reader
from measure.asking import PAID_TIERS, Asked, Installation, fate_of, installation
from measure.cases import Case
from measure.comparing import is_right
from measure.counting import Figure, Tally, Value, count, ratio, share
from measure.page_text import has_pager, tokens

PROMPT_TOKENS = 8_000
"""Tokens of a prompt that a page fills before it needs another one."""
_SAYS_MORE = re.compile(r"next page|more pages|other pages|goes on behind what|tab that is not open")
"""What a warning says of a listing that goes on elsewhere."""


def _refused(tally: Tally) -> Value:
    value, of = share("refused", "given", of=1000)(tally)
    return value, f"{of}, {tally['marked']:,} of them kept and marked" if tally["marked"] else of


TRUTHS = (
    Figure("refused", "right values refused", "per 1,000", "lower", 1.0, _refused),
    Figure(
        "in_silence", "right values refused in a complete result", "per 1,000", "lower", 1.0,
        share("refused_complete", "given", of=1000),
    ),
    Figure("doubted", "right values doubted", "per 1,000", "lower", 5.0, share("doubted", "given", of=1000)),
    Figure(
        "unshown", "right values that no prompt shows", "per 1,000", "lower", 1.0, share("unshown", "values", of=1000)
    ),
    Figure(
        "spoilt", "wrong values in results of right answers", "per 1,000", "lower", 1.0,
        share("spoilt", "given", of=1000),
    ),
    Figure("partial", "right answers called partial", "%", "lower", 1.0, share("partial", "whole", called="pages")),
    Figure("calls", "calls per call needed", "ratio", "lower", 0.05, ratio("calls", "needed", called="calls")),
    Figure(
        "tokens", "prompt tokens per token of visible text", "ratio", "lower", 0.05,
        ratio("prompt_tokens", "text_tokens", called="tokens"),
    ),
    Figure(
        "paging", "pages without a pager that get a paging warning", "count", "lower", 0, count("paging", "unpaged"),
        "sum",
    ),
    Figure("cpu", "processor time a page", "s", "lower", 1.0, ratio("ms", "pages_1000", called="ms")),
    Figure("tier0", "answered right by tier 0", "%", "higher", 1.0, share("tier0_right", "asked", called="pages")),
    Figure("tier0_wrong", "answered wrong by tier 0", "count", "lower", 0, count("tier0_wrong", "asked"), "sum"),
    Figure(
        "recipe_same", "the recipe answers the page it was learned from", "%", "higher", 1.0,
        share("same_right", "same", called="pages"),
    ),
    Figure(
        "recipe_next", "the recipe answers another page of the layout", "%", "higher", 1.0,
        share("next_right", "next", called="pages"),
    ),
    Figure(
        "recipe_wrong", "recipes that answer wrong", "count", "lower", 0, count("recipe_wrong", "replayed"), "sum"
    ),
)  # fmt: skip


def count_truth(case: Case) -> Tally:
    """Give the counts of a page whose model answers right: of the result, of tier 0, of the recipe that is learned."""
    with installation() as asked:
        reader = Reader(case)
        tally = _of_result(case, reader, asked.ask(case, reader, PAID_TIERS))
        if case.schema is not None:
            tally += _without_model(case, asked)
    return tally


def _of_result(case: Case, reader: Reader, result: Asked) -> Tally:
    fate = fate_of(case, result)
    unshown = sum(not _was_shown(case, pointer, reader) for pointer in fate.lost)
    refused = len(fate.lost) - unshown
    tally: Tally = Counter(
        pages=1,
        pages_1000=1000,
        ms=round(1000 * result.seconds),
        values=fate.values,
        unshown=unshown,
        given=fate.values - unshown,
        refused=refused,
        marked=sum(pointer in fate.marked for pointer in fate.lost),
        doubted=len({*fate.kept.values()} & result.doubted()),
        spoilt=len(fate.wrong),
        prompt_tokens=sum(map(tokens, result.prompts)),
        text_tokens=case.size // 4,
    )
    tally["refused_complete"] += refused * result.is_complete
    if case.is_list and not has_pager(case.html):
        tally.update(unpaged=1, paging=any(map(_SAYS_MORE.search, result.found.warnings)))
    if case.is_whole:
        needed = max(1, math.ceil(case.size / 4 / PROMPT_TOKENS))
        tally.update(whole=1, partial=not result.is_complete, calls=len(result.prompts), needed=needed)
    return tally


def _was_shown(case: Case, pointer: str, reader: Reader) -> bool:
    """Tell whether any prompt showed the record of a value, so that the model gave it."""
    around = "".join(f"/{step}" for step in case.steps or ())
    place = pointer.removeprefix(f"{around}/").split("/")[0] if pointer.startswith(f"{around}/") else ""
    return not case.is_list or not place.isdigit() or int(place) in reader.found


def _without_model(case: Case, asked: Installation) -> Tally:
    """Ask for the page without a model, then for it and for others of its layout by the recipe that was learned."""
    found = asked.ask(case, tiers=["structured"])
    right = is_right(case.wanted, found.data)
    tally: Tally = Counter(asked=1, tier0_right=found.is_complete and right, tier0_wrong=found.is_wrong(case.wanted))
    return tally + _replayed(case, asked) if case.is_whole else tally


def _replayed(case: Case, asked: Installation) -> Tally:
    tally: Tally = Counter()
    pages = [("same", case), *(("next", other) for other in case.others if other.is_whole)]
    for name, page in pages:
        result = asked.ask(page, tiers=["recipe"])
        right = is_right(page.truth, result.data)
        is_whole = result.is_complete or shows_less_than_it_states(result.found)  # the rest is on other pages
        tally.update({name: 1, "replayed": 1, f"{name}_right": is_whole and right})
        tally["recipe_wrong"] += result.is_wrong(page.truth)
    return tally
