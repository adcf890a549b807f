"""The tiers without a model: the page's own data, then recipes, and what both leave to it (RC-1 to RC-6)."""

from collections.abc import Callable, Sequence

from gleaner.contracts.models import ExtractionResult
from gleaner.structured import Certified, Declined, Seen, certify, find_answer
from gleaner.tiers.recipe_tier import Tried, answer_from_recipe, answer_in_part, may_be_learned
from gleaner.tiers.remaining_fields import join_the_rest
from gleaner.tiers.samples import answer_from_samples
from gleaner.tiers.single_flight import end_turn, take_turn
from gleaner.tiers.unstated import fields_to_ask
from gleaner.tiers.work import Work


def answer_without_model(work: Work, tried: Tried) -> ExtractionResult | None:
    """Give the answer of the first tier whose answer passes schema, proof and completeness; None when none does.

    What a tier did not read is no fault where the layout does not state it, or no model may be asked: the result names
    it. What the page's own data and recipes read is noted in ``tried``.
    """
    tried.own = _from_structure(work)
    answer = _own_answer(work, tried) or answer_from_recipe(work, tried)
    if answer is not None or work.may_ask_model:
        return answer
    by_recipe = answer_in_part(work, tried)
    if tried.own is None or (by_recipe and len(by_recipe.completeness.unread) < len(tried.own.unread)):
        return by_recipe
    return tried.own.told()


def _own_answer(work: Work, tried: Tried) -> ExtractionResult | None:
    """Give what the page's own data answers, if nothing is left that a model should be asked about."""
    own = tried.own
    return own.told(is_known=True) if own is not None and not fields_to_ask(work, own.unread) else None


def _from_structure(work: Work) -> Certified | None:
    """Give what the page's tables and embedded data say beyond doubt; else note why not (RC-4)."""
    request, content = work.plan.request, work.content
    if work.schema is None or "structured" not in request.config.tiers or request.start_from_char:
        return None
    seen = Seen(work.page, content.placed_units, content.chunk_starts)
    try:
        answer = find_answer(work.page, work.schema, query=request.query)
        return certify(answer, seen, request.config)
    except Declined as reason:
        content.declined["structured"] = str(reason)
        return None


def wait_for_recipe(work: Work, tried: Tried) -> ExtractionResult | None:
    """Begin to ask a model; LayoutBeingRead while another job reads a page from which something may be learned.

    The other job may have ended while the recipes before its own were ``tried``: then its recipe may answer, or what
    it learned of the layout be enough.
    """
    if not may_be_learned(work):
        return None
    take_turn(work)
    answer = _own_answer(work, tried) or answer_from_recipe(work, tried)
    if answer is not None:
        end_turn(work, None)
    return answer


def finish_with_recipe(work: Work, read: Callable[[Work, Sequence[int]], ExtractionResult]) -> ExtractionResult | None:
    """Give what ``read`` gives of the chunks asked, or the whole page's answer from samples; None to ask of more."""
    content = work.content
    if content.remaining is not None:
        joined = join_the_rest(work)
        if joined is None:
            content.spent, content.asked, content.remaining = content.asked, content.remaining.whole, None
            work.store.write(content)
        return joined
    if not content.waiting:
        return read(work, content.asked)
    asked = content.asked
    answer = answer_from_samples(work, [read(work, [index]) for index in asked])
    if answer is not None:
        return answer
    if content.asked == asked:
        content.asked = [*asked, *content.waiting]
        content.waiting = []
    work.store.write(content)
    return None


def release_turn(work: Work, strategy_id: str | None) -> None:
    """End the wait of pages like this one, of which a model was asked."""
    if work.content.asked and may_be_learned(work):
        end_turn(work, strategy_id)
