"""What comes of a page, over all corpora: harm, right values lost, wrong ones served, losses, calls, what is free.

``python -m measure pages:courts`` measures one corpus, ``pages`` all of them.
"""

from collections.abc import Sequence

from measure.cases import CORPORA, Case, read_cases
from measure.counting import Figure, Tally, rows_of, tallies
from measure.fault_pages import FAULT_FIGURES, count_faults
from measure.harm import HARM
from measure.losses import LOSSES, count_losses
from measure.rows import Context, Row
from measure.truths import TRUTHS, count_truth

FIGURES: tuple[Figure, ...] = (HARM, *TRUTHS, *FAULT_FIGURES, *LOSSES)
FAULTY = 4
"""Faulty answers to a page; in a quick run one."""


def count_page(case: Case, context: Context) -> Tally:
    """Give all counts of a page: a right answer, faulty ones, and ones that leave something out."""
    tally = count_truth(case) + count_faults(case, context.seed, 1 if context.quick else FAULTY)
    return tally + count_losses(case, context.seed)


def measure(context: Context, *corpora: str) -> Sequence[Row]:
    """Give the rows of the corpora of these names, by default of all."""
    chosen = [one.name for one in CORPORA if not corpora or one.name in corpora]
    sums = tallies(context, read_cases(context, *chosen), lambda case: count_page(case, context))
    return [*rows_of(FIGURES, sums, chosen, quick=context.quick)]
