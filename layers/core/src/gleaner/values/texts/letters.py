"""Words by their letters and figures alone: what a schema writes as a code, as a page spells it."""

from collections.abc import Mapping, Sequence

from gleaner.values.lookups import Remembered, grouped
from gleaner.values.mentions.words import Words
from gleaner.values.names import without_marks

_FEWEST = 3
_BETWEEN = " -_\u00a0\u2010\u2011"


class Letters:
    """The words of a text, found by letters: those of several words, where one sign at most stands between two."""

    def __init__(self, words: Words, places: Mapping[str, Sequence[int]]) -> None:
        self._words, self._places = words, places
        self._forms = grouped((letters[0], (letters, form)) for form in places if (letters := _letters_of(form)))
        self._found = Remembered(self._spelled)

    def find(self, code: str) -> Sequence[tuple[int, int]]:
        """Give the numbers of the first and the last word of each run that spells a code of three letters or more."""
        return self._found[_letters_of(code)]

    def _spelled(self, wanted: str) -> Sequence[tuple[int, int]]:
        if len(wanted) < _FEWEST:
            return ()
        begins = [form for letters, form in self._forms.get(wanted[0], ()) if wanted.startswith(letters)]
        firsts = sorted(place for form in begins for place in self._places[form])
        return [(first, last) for first in firsts if (last := self._end_of(wanted, first)) is not None]

    def _end_of(self, wanted: str, first: int) -> int | None:
        """Give the last of the words from ``first`` on that make up what is wanted; None where they do not."""
        forms, said = self._words.forms, ""
        for place in range(first, min(first + len(wanted), len(forms))):
            said += _letters_of(forms[place])
            if said == wanted:
                return place
            if not wanted.startswith(said) or not self._is_followed(place):
                return None
        return None

    def _is_followed(self, place: int) -> bool:
        """Tell whether a blank or a hyphen, and no more, stands between a word and the next one."""
        if place + 1 == len(self._words.starts):
            return False
        gap = self._words.text[self._words.ends[place] : self._words.starts[place + 1]]
        return len(gap) <= 1 and not gap.strip(_BETWEEN)


def _letters_of(text: str) -> str:
    return "".join(filter(str.isalnum, without_marks(text.casefold())))
