"""What is learned of a page is the same in every process: words have other hashes in each."""

from gleaner.wrappers.induction.mentions import common
from gleaner.wrappers.places import Place


def test_hypotheses_keep_the_order_in_which_they_were_found() -> None:
    found = [(Place("class", f"word-{at}", "p", "", ""), "") for at in range(40)]
    assert common([found, [*reversed(found)]]) == found
