"""What the page shows around its data: headings, and which unit shows which record."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lxml.html import HtmlElement

from gleaner.contracts.word_lists import listed
from gleaner.html.dom import visible_text
from gleaner.structured.labels import Words, words_of
from gleaner.structured.languages import language_of
from gleaner.units import CLOSE_SCORE, PRIMARY_SCORE, PlacedUnit


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The page's title and headings, and its language, as it declares it or else as its words show it."""

    title: str
    headings: tuple[str, ...]
    language: str
    first_headings: tuple[str, ...] = ()
    declares_language: bool = True

    def nouns(self, captions: Sequence[str] = ()) -> tuple[Words, ...]:
        """Give what the page calls its records: its headings and captions, as a whole and without "all"."""
        return self.subjects((*captions, *self.headings, self.title.split("·")[0]))

    def subjects(self, captions: Sequence[str] = ()) -> tuple[Words, ...]:
        """Give what the page's one heading, or else its title, and the captions of its data speak of."""
        head = self.first_headings if len(self.first_headings) == 1 else (_TITLE_ENDS.split(self.title)[0],)
        return tuple(dict.fromkeys(_nouns([*captions, *head])))

    def is_about(self, names: set[str]) -> bool:
        """Tell whether one of these names (as ``plain`` gives them) is the page's heading."""
        heads = [plain(text) for text in self.first_headings] or [plain(self.title)]
        return len(heads) == 1 and bool(heads[0]) and heads[0] in names

    def is_headed_by_a_name(self) -> bool:
        """Tell whether the page's one heading begins its title and is written like a name: no sentence, no "About us".

        >>> Surroundings("Oak Hall | Shop", (), "en", ("Oak Hall",)).is_headed_by_a_name()
        True
        """
        if len(self.first_headings) != 1 or not plain(self.title).startswith(plain(self.first_headings[0])):
            return False
        said = self.first_headings[0].split()
        names = [word for word in said if word not in _LINKING]
        return (
            0 < len(names) <= _LONGEST_NAME
            and said[0] in names
            and all(word[0].isupper() or word[0].isdecimal() for word in names)
            and not any(mark in self.first_headings[0] for mark in ":?!|…–—")
            and _NO_NAMES.isdisjoint(words_of(self.first_headings[0]))
            and not said[-1].endswith(("s", "ed", "ing"))  # "Lido Reopens", "Pool Closed", "Boat Pricing"
        )


_LONGEST_NAME = 6
_LINKING = listed("of the and & de du des la le les von van der den di del della y e und et for in on")
SECTION_WORDS = frozenset(
    words_of(
        "specifications specs details features technical data information info overview description "
        "characteristics product item key facts at a glance about datasheet sheet dimensions properties "
        "attributes summary general basic more additional the and of this in figures profile quick infobox "
        "metadata technische Daten Eigenschaften Merkmale Produktdetails Angaben caractéristiques fiche technique "
        "características ficha técnica caratteristiche scheda tecnica kenmerken specificaties"
    )
)
"""Words of headings over parts of a page about one thing."""

_NO_NAMES = SECTION_WORDS.union(
    words_of(
        "contact us our your my we you it is are was were be how why what when where who which will can do does get "
        "gets has have had new news welcome home page site website order account review results report company team "
        "directory list listing catalogue catalog index über uns kontakt impressum unser unsere wir nous notre à "
        "propos sobre nosotros chi siamo over ons again now today here still not no best top all every more most "
        "confirmation invoice booking member user record description property student patient flight customer "
        "employee statistic stat dashboard setting form application status receipt ticket statement certificate "
        "schedule calendar plan map gallery help support login register cart checkout term privacy career job blog "
        "event shipping delivery payment return warranty size guide policy sale time hour price rate fee opening "
        "weather forecast hotel room vehicle car service person people search history archive release version "
        "update notice rule law test case study example number code name title date day week month year"
    )
).difference(_LINKING)
"""Words of headings that are no names: of sections, of pages, of sentences."""


def _nouns(texts: Sequence[str]) -> Iterator[Words]:
    """Give texts as nouns, with what is said of them and without: "Tall towers of Wales", "tall tower", "tower"."""
    for text in texts:
        bare = _SAID_OF_IT.sub("", text)
        for said in (text,) if bare == text or _JOINED.search(text) else (text, bare):
            words = words_of(said)
            words = words[1:] if words[:1] in (("all",), ("our",), ("the",)) else words
            if 0 < len(words) <= _LONGEST_NOUN:
                yield words
            if len(words) == 2 and len(said.split()) == 2 and said.replace(" ", "").isalpha():
                yield words[1:]


_LONGEST_NOUN = 6
_TITLE_ENDS = re.compile(r"\s[|·–—-]\s|\s*[|·]\s*")
_SAID_OF_IT = re.compile(
    r"(?:\s+\d[\w.]*|\s+(?:of|in|at|on|for|from|by|near|der|des|dem|den|an|am|im|in|aus|auf|von|du|de|d|en|à|au|aux|dans|del|do|da|"
    r"dos|das|em|no|na|di|della|dei|delle|a|van|op|uit)\b.*)$",
    re.IGNORECASE,
)
_JOINED = re.compile(r"[,;:&+/]|\b(?:and|or|und|oder|et|ou|y|e|ed)\b", re.IGNORECASE)


def read_surroundings(root: HtmlElement) -> Surroundings:
    """Read what stands around the data."""
    title = next((" ".join((each.text or "").split()) for each in root.iter("title")), "")
    headings = tuple(text for each in root.iter("h1", "h2") if (text := visible_text(each)))
    declared = (root.get("lang") or "").split("-")[0].lower()
    language = declared or language_of(_WORD.findall(visible_text(root)[:_MOST_CHARS].lower()))
    first = tuple(dict.fromkeys(text for each in root.iter("h1") if (text := visible_text(each))))
    return Surroundings(title, headings[:20], language, first, bool(declared))


Span = tuple[int, int]

_FEWEST = 2
_MOST_CHARS = 20_000
_WORD = re.compile(r"[^\W\d_]+")


def units_showing(texts: Sequence[Sequence[str]], markdown: str, units: Sequence[PlacedUnit]) -> list[int] | None:
    """Give for each record the position of the unit that shows its texts; None when no group shows them one by one.

    A group shows the records when it has as many units and each holds the texts of its record, in any order. A group
    with more units that shows them all as well, such as the rows within those units, means that records are missing.
    """
    groups: dict[int, list[int]] = {}
    for position, unit in enumerate(units):
        if unit.kind != "attribute":
            groups.setdefault(unit.group, []).append(position)
    plainly = [[plain(each) for each in wanted] for wanted in texts]
    exact = (at for at in groups.values() if len(at) == len(texts) and _show_all(plainly, at, markdown, units))
    found = next(exact, None)
    if found is None:
        return None
    larger = (at for at in groups.values() if len(at) > len(texts) and units[at[0]].group_score >= PRIMARY_SCORE)
    return None if any(_show_all(plainly, positions, markdown, units) for positions in larger) else found


def _show_all(
    texts: Sequence[Sequence[str]], positions: Sequence[int], markdown: str, units: Sequence[PlacedUnit]
) -> bool:
    """Tell whether units show the records in their order, each record in a unit of its own."""
    shown = (plain(markdown[units[at].start : units[at].end]) for at in positions)
    return all(any(_holds(text, wanted) for text in shown) for wanted in texts)


def has_another_listing(shown: Sequence[int], units: Sequence[PlacedUnit]) -> bool:
    """Tell whether the page has another list that may hold records: cards or items, half as many as ``shown`` or more.

    ``shown`` are the positions of the records' units. Other tables were looked at column by column. A small table has
    a low score; then a list with nearly its score counts, too.
    """
    known = {units[at].group for at in shown}
    least = min([PRIMARY_SCORE, *(CLOSE_SCORE * units[at].group_score for at in shown)])
    spans = sorted((units[at].start, units[at].end) for at in shown)
    counts = Counter(
        unit.group
        for unit in units
        if unit.group not in known
        and unit.kind not in ("row", "attribute")
        and unit.group_score >= least
        and not _is_within(unit, spans)
    )
    return any(count >= max(_FEWEST, len(shown) / 2) for count in counts.values())


def _is_within(unit: PlacedUnit, spans: Sequence[Span]) -> bool:
    """Tell whether the unit lies in one of the places, or around one."""
    at = bisect_right(spans, (unit.start, 10**12)) - 1
    inside = at >= 0 and unit.end <= spans[at][1]
    return inside or (at + 1 < len(spans) and spans[at + 1][1] <= unit.end)


def _holds(text: str, wanted: Sequence[str]) -> bool:
    return all(each in text for each in wanted)


_SIGNS = re.compile(r"[\W_]+")


def plain(text: str) -> str:
    """Give letters and digits alone, in lower case: Markdown escapes and spaces differ from the page's own text."""
    return _SIGNS.sub("", text.casefold())
