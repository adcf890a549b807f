"""What a result lacks without a fault of its tier: fields not read, records on other pages (RC-6, CM-1)."""

from collections.abc import Collection, Mapping
from typing import Final

from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.models import ExtractionError, ExtractionResult

MOST_SHOWN: Final = 0.8
"""Of a listing that states more, a page shows at most this share: a few more could be records that were overlooked."""


def shows_less_than_it_states(result: ExtractionResult) -> bool:
    """Tell whether all that a result is short of is records that the page counts and does not show.

    Each piece of the page has its record, and the page states many more.
    """
    found = result.completeness
    is_by_total = found.method == "stated_total" and not found.missing and not result.errors
    return is_by_total and found.expected is not None and 0 < found.returned <= MOST_SHOWN * found.expected


def is_first_page(result: ExtractionResult) -> bool:
    """Tell whether all that is missing is on other pages of a listing: a model that reads this one would find no more.

    Where the page states a range, its records should all be here; so may be a second half, as cards or in a table.
    """
    found = result.completeness
    is_of_listing = found.expected is not None and found.expected == found.listing_total
    return is_of_listing and shows_less_than_it_states(result) and 2 * found.returned <= (found.expected or 0)


def tell_unread(result: ExtractionResult, unread: Mapping[str, str], labelled: Collection[str] = ()) -> None:
    """Name the fields that were not read, by name with the reason; partial where the page has ``labelled`` some.

    >>> result = ExtractionResult(data={"name": "Mug"})
    >>> tell_unread(result, {"gtin": "the page's own data has no value"}, ["gtin"])
    >>> result.completeness.unread, result.is_partial
    (['gtin'], True)
    """
    if not unread:
        return
    result.completeness.unread = [*unread]
    reasons: dict[str, list[str]] = {}
    for name, why in unread.items():
        reasons.setdefault(why, []).append(name)
    said = "; ".join(f"{', '.join(names)} ({why})" for why, names in reasons.items())
    result.warnings.append(f"Not read: {said}.")
    if labelled:
        named = ", ".join(name for name in unread if name in labelled)
        message = f"the page seems to state {named}, which only a model could read: none was asked"
        error = ExtractionError(error_type=ErrorType.NO_MODEL, message=message, retries_exhausted=True)
        result.errors.append(error)
        result.is_partial = True
