"""One figure above all: the harm that a user has of 1,000 values that a good model gives.

Of 1,000 such values about 975 are right, 8 are nowhere on the page, 5 are another record's, 7 another field's, 3 cut
and 2 misread: the mix is what recorded answers of capable models show. Harm is 10 for each right value that is refused
or withheld, 1 for each right one that is doubted, 5 for each wrong one that is served without a word, and 1 for each
wrong one that is reported. So 25 is the least, and 125 is what it costs to refuse and to doubt nothing.
"""

from measure.counting import Figure, Tally, Value
from measure.fault_pages import served_by_kind
from measure.faults import MIX

RIGHT = 975
REFUSED, DOUBTED, SERVED, REPORTED = 10, 1, 5, 1


def harm(tally: Tally) -> Value:
    """Give the expected harm per 1,000 values; kinds of faults that a corpus has no room for count as the others do.

    >>> harm(Tally({"given": 100, "refused": 1, "tried/cut_text": 2, "served/cut_text": 1}))
    (172.5, '97.5 of right values, 75.0 of wrong ones')
    """
    served = served_by_kind(tally)
    if not tally["given"] or not served:
        return None, ""
    bad = REFUSED * tally["refused"] + DOUBTED * tally["doubted"] + SERVED * tally["spoilt"]
    of_right = RIGHT * bad / tally["given"]
    each = {kind: SERVED * part / 100 + REPORTED * (1 - part / 100) for kind, part in served.items()}
    of_wrong = sum(MIX.values()) * sum(MIX[kind] * one for kind, one in each.items()) / sum(MIX[kind] for kind in each)
    return of_right + of_wrong, f"{of_right:.1f} of right values, {of_wrong:.1f} of wrong ones"


HARM = Figure("harm", "harm per 1,000 values", "per 1,000", "lower", 8.0, harm, is_drawn=True)
