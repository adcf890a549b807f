"""Whether a question asks for everything that the schema describes. Any word beyond that may be a filter: doubt."""

from collections.abc import Iterable, Sequence

from gleaner.structured.fields import Wanted
from gleaner.structured.labels import Words, words_of
from gleaner.structured.measures import listed

_VERBS = listed("extract get list give return find collect read scrape show fetch take pull want need please me us i")
_ALL = listed(
    "all every each the a an of these those full complete entire whole list listing table data row record entry item"
)
_WITH = listed("with including and their its along plus together")
_PLACES = listed("from on in at of this that the current page table website site list below above here listed shown")


def asks_for_everything(query: str | None, wanted: Wanted, nouns: Sequence[Words]) -> bool:
    """Tell whether the question is plain: all records, with fields of the schema, from this page.

    ``nouns`` are the page's own words for its records (headings, captions).
    """
    words = [word for word in words_of(query or "") if word]
    if not words:
        return True
    if any(word.isdigit() for word in words) or "?" in (query or "") or len(words) > 40:
        return False
    rest = _without_nouns(words, [*wanted.nouns, *nouns])
    return _names_fields_only(rest, wanted)


def _without_nouns(words: list[str], nouns: Iterable[Words]) -> list[str]:
    """Give what follows "extract all products"."""
    at = 0
    while at < len(words) and words[at] in _VERBS:
        at += 1
    while at < len(words) and words[at] in _ALL:
        at += 1
    longest = max((noun for noun in nouns if tuple(words[at : at + len(noun)]) == noun), key=len, default=())
    return words[at + len(longest) :]


def _names_fields_only(words: list[str], wanted: Wanted) -> bool:
    """Tell whether the words list fields. One that not all records have may be a filter: "products with a rating"."""
    usable = [field for field in wanted.fields if field.kind != "boolean" and "enum" not in field.schema]
    names = sorted({own for field in usable for own in field.names}, key=len, reverse=True)
    at, may_name, count = 0, True, 0
    while at < len(words):
        place = _place_ends(words, at)
        if place > at:
            at, may_name = place, False
            continue
        if words[at] in _WITH:
            at, may_name = at + 1, True
            continue
        named = next((own for own in names if tuple(words[at : at + len(own)]) == own), None)
        if named is None or not may_name:
            if may_name and words[at] in ("the", "field", "column"):
                at += 1
                continue
            return False
        at, count = at + len(named), count + 1
    return count != 1 or all(field.is_required and not field.is_nullable for field in usable)


def _place_ends(words: list[str], at: int) -> int:
    """Give where a phrase like "from this page" ends, that begins here; ``at`` when none begins."""
    if words[at] not in ("from", "on", "in", "of", "listed", "shown"):
        return at
    end = at
    while end < len(words) and words[end] in _PLACES:
        end += 1
    return end if words[end - 1] in ("page", "table", "website", "site", "list", "below", "above", "here") else at


def remarks_are_plain(wanted: Wanted, nouns: Sequence[Words]) -> bool:
    """Tell whether what the schema says of its records as a whole narrows nothing down."""
    return all(asks_for_everything(remark, wanted, nouns) for remark in wanted.remarks)
