"""The index of letters that a listing is cut up by: "A B C … Z", each a link to another part of one list (FP-3)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from lxml.html import HtmlElement

from gleaner.contracts.word_lists import listed
from gleaner.html.dom import raw_text
from gleaner.sites.addresses import same_page
from gleaner.sites.controls import LEVELS, Control, controls_of

_LEAST = 5
"""Letters in a row that make an index; sizes of clothes are S, M, L, and grades of schools A to D."""

_LEAST_RECORDS = 3
_LONGEST = 600
_STRESSED = listed("b strong em mark")


@dataclass(frozen=True, slots=True)
class LetterIndex:
    """The letters that lead to other pages, in their order, and the letter of the open page; "" for none to be seen."""

    letters: tuple[str, ...]
    open: str

    def other_parts(self, initials: str) -> tuple[str, ...]:
        """Give the letters of the parts that the open page does not show; () where it may show the whole list.

        ``initials`` are the letters that its records begin with. Without an open letter the page is one part if all
        are one letter of the index, of three records at least.

        >>> LetterIndex(tuple("ABCDE"), "").other_parts("CCC"), LetterIndex(tuple("ABCDE"), "").other_parts("ACC")
        (('A', 'B', 'D', 'E'), ())
        """
        said, known = initials.casefold(), {one.casefold() for one in self.letters}
        is_one = len(said) >= _LEAST_RECORDS and len({*said}) == 1 and said[0] in known
        shown = self.open.casefold() or (said[0] if is_one else "")
        if not shown:
            return ()
        return tuple(one for one in self.letters if one.casefold() != shown)


def find_letter_index(root: HtmlElement, url: str) -> LetterIndex | None:
    """Give the index of letters of a page at ``url``; None where it has none, or its letters lead to places on it.

    >>> from gleaner.html.dom import parse_html
    >>> links = "".join(f'<a href="?part={one}">{one}</a>' for one in "BCDEF")
    >>> find_letter_index(parse_html(f"<p><b>A</b>{links}</p>"), "https://a.example/list")
    LetterIndex(letters=('B', 'C', 'D', 'E', 'F'), open='A')
    """
    named = [(one.names[0], one) for one in controls_of(root, url) if one is not None and one.names and one.url]
    lettered = [(name, one) for name, one in named if len(name) == 1 and name.isalpha() and not one.is_text]
    run = max(_ascending(lettered), key=len, default=[])
    here = same_page(url)
    leading = [name for name, one in run if same_page(one.url) != here]
    if len(leading) < _LEAST or len({same_page(one.url) for _, one in run}) < len(run):
        return None
    marked = [name for name, one in run if same_page(one.url) == here or one.is_marked]
    return LetterIndex(tuple(leading), next(iter(marked), "") or _stressed(run))


def _ascending(lettered: Sequence[tuple[str, Control]]) -> Iterator[list[tuple[str, Control]]]:
    run = [*lettered[:1]]
    for before, one in pairwise(lettered):
        if one[0].casefold() <= before[0].casefold():
            yield run
            run = []
        run.append(one)
    yield run


def _stressed(run: Sequence[tuple[str, Control]]) -> str:
    """Give the letter beside the links that is set apart from them; "" for none, or several."""
    linked = {name.casefold() for name, _ in run}
    for around in list(run[0][1].element.iterancestors())[:LEVELS]:
        if len(raw_text(around)) > _LONGEST:
            break
        found = [
            text
            for one in around.iter()
            if isinstance(one.tag, str) and len(text := raw_text(one).strip()) == 1 and text.isalpha()
            if one.tag in _STRESSED or Control(one, (text,)).is_marked
            if text.casefold() not in linked
        ]
        if found:
            return found[0] if len({*found}) == 1 else ""
    return ""
