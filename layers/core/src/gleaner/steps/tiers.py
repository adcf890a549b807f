"""The answers that need no model: the page's own data, and a recipe learned from pages like it (RC-1 to RC-4)."""

from gleaner.models import ExtractionResult
from gleaner.steps.recipe_tier import answer_from_recipe, answer_from_sample, may_be_learned
from gleaner.steps.turns import end_turn, take_turn
from gleaner.steps.work import Work
from gleaner.structured import Seen, candidate_answers, certify_answers


def answer_without_model(work: Work) -> ExtractionResult | None:
    """Give the answer of the first tier whose answer passes schema, proof and completeness; None when none does."""
    return _from_structure(work) or answer_from_recipe(work)


def _from_structure(work: Work) -> ExtractionResult | None:
    """Give tier 0's answer: what the page's tables and embedded data say beyond doubt (RC-4)."""
    request, content = work.plan.request, work.content
    if work.schema is None or "structured" not in request.config.tiers or request.start_from_char:
        return None
    url = work.page.source_url
    answers = candidate_answers(work.html, url, work.schema, query=request.query, css_selector=request.css_selector)
    seen = Seen(work.markdown, content.placed_units, work.html, url, content.chunk_starts)
    return certify_answers(answers, seen, request.config)


def wait_for_recipe(work: Work) -> None:
    """Begin to ask a model; LayoutBeingRead while another job reads a page from which a recipe may be learned."""
    if may_be_learned(work):
        take_turn(work)


def finish_with_recipe(work: Work, found: ExtractionResult) -> ExtractionResult | None:
    """Give the whole page's answer from its sample; None when the chunks that wait must be asked about."""
    if not work.content.waiting:
        return found
    learned = answer_from_sample(work, found) if work.content.asked == [0] else None
    if learned is not None:
        return learned
    work.content.asked = [*work.content.asked, *work.content.waiting]
    work.content.waiting = []
    work.store.write(work.content)
    return None


def let_others_begin(work: Work, strategy_id: str | None) -> None:
    """End the wait of pages like this one, of which a model was asked."""
    if work.content.asked and may_be_learned(work):
        end_turn(work, strategy_id)
