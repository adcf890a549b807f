"""Prove values that only the stored HTML states: in its title, in attributes and embedded data."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import islice, pairwise

from gleaner.html.elements import VOID
from gleaner.schemas.leaves import Leaf
from gleaner.values.name_measures import measure_of
from gleaner.values.texts.targets import looks_like_address
from gleaner.values.texts.text_index import Match, TextIndex, within

Span = tuple[int, int]

_PIECE = re.compile(
    r"<(?:!--.*?(?:-->|\Z)"
    r"|style\b[^>]*>.*?(?:</style\s*>|\Z)"
    r"|script\b(?P<kind>[^>]*)>(?P<body>.*?)(?:</script\s*>|\Z)"
    r"|(?P<close>/?)(?P<tag>[a-zA-Z][a-zA-Z0-9-]*+)(?P<attributes>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>)",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"(?<![\w:.-])([a-zA-Z_:@][\w:.-]*)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'=<>`]+))")
_TELLING = re.compile(
    r"(?:href|src|srcset|content|datetime|value|alt|title|label|placeholder|cite|action|poster|aria-label|aria-valuenow"
    r"|download|data-(?!gleaner).*)$",
    re.IGNORECASE,
)
_ADDRESSES = re.compile(r"(?:href|src|srcset|cite|action|poster|data-.*(?:href|src|url|link))$", re.IGNORECASE)
_CANDIDATE = re.compile(r"[^\s,](?:[^\s,]|,(?=\S))*(?=,?(?:\s|$))")
"""An address of a ``srcset``, or what says how large its picture is."""

_JSON_ADDRESS = re.compile(r'"((?:https?:)?\\?/[^"\s]{1,2000})"')
_JSON_NAMED_ADDRESS = re.compile(
    r'"(?:\w*(?:url|href|src|image|img|logo|link|photo)|thumbnail)"\s*:\s*(?:\[\s*)?"([^"\s:]{1,2000})"', re.IGNORECASE
)
_JSON_MARK = re.compile(r'"(?:[^"\\]|\\.)*"|[{}]', re.DOTALL)
_JSON_ESCAPE = re.compile(r'\\[nrt"]')
_SHORT = 3
_NEAR = 80
_MOST_ANCHORS = 16
_MOST_VALUES = 4
_LEAST_ANCHOR = 4
_NOBODY = -1
_LEAST_SHARING, _MOST_TOGETHER = 2, 200
"""Records that share what an element around them states, and mentions of theirs in it."""


class Snapshot:
    """What the HTML states beside its text, and which stretches of it belong to which record.

    ``records`` are the leaves of each record that the Markdown proves. A record's stretches are the outermost
    elements, or objects of embedded JSON, around a mention of one of its rarest in which none of another record's
    rarest stands, and what stands between two of them that are siblings with none of another's between. Where there
    are several records, only these prove their values, and elements of some of them, most of which have the value, this
    one among them: the day of a calendar with its events. What stands around all records is the page's.
    """

    def __init__(self, html: str, records: Mapping[int, Sequence[Leaf]], hosts: frozenset[str] = frozenset()) -> None:
        self._html = html
        self._hosts = hosts
        self._records = records

    @cached_property
    def _stated(self) -> "_Stated":
        return _stated(self._html, self._hosts)

    def find(self, leaf: Leaf, number: int | None, sharing: Collection[int | None] = ()) -> Match | None:
        """Give the first place that states a leaf of a record, or of the page; a short value only beside its name.

        ``sharing`` are the records with the same value in the same field.
        """
        matches = [match for match in self._stated.index.find(leaf.value) if self._is_enough(leaf, match)]
        if not isinstance(leaf.value, str) and measure_of(leaf.name).is_told:
            matches = [match for match in matches if not self._is_of_address(match)]
        if matches and number is not None and len(self._records) > 1:
            homes = self._homes.get(number, ())
            own = [match for home in homes for match in within(matches, home)]
            near = [] if own or len(sharing) < _LEAST_SHARING else [_last_before(matches, start) for start, _ in homes]
            matches = own or [one for one in near if one is not None and self._is_for_all_around(one, number, sharing)]
        return replace(matches[0], source="snapshot") if matches else None

    def _is_of_address(self, match: Match) -> bool:
        """Tell whether a number is a part of an address: "4471" of "/p/hj-4471" is no price and no count."""
        addresses = self._stated.addresses
        at = bisect_right(addresses, (match.start, len(self._html))) - 1
        return at >= 0 and match.end <= addresses[at][1]

    def _is_enough(self, leaf: Leaf, match: Match) -> bool:
        if len(str(leaf.value)) > _SHORT and not isinstance(leaf.value, bool):
            return True
        names = re.findall(r"[^\W\d_]{3,}", " ".join(leaf.field))
        before = self._html[max(0, match.start - _NEAR) : match.start].casefold()
        return looks_like_address(str(leaf.value)) or any(name.casefold() in before for name in names)

    def _is_for_all_around(self, match: Match, number: int, sharing: Collection[int | None]) -> bool:
        places, group_of = self._anchors
        owners = self._nesting.owners_around(match.start, group_of.get(number), places)
        return 2 * sum(owner in sharing for owner in owners) > len(owners) and len(owners) < self._group_count

    @cached_property
    def _group_count(self) -> int:
        return len({*self._anchors[1].values()})

    @cached_property
    def _nesting(self) -> "_Nesting":
        return _Nesting(self._stated.nested)

    @cached_property
    def _anchors(self) -> tuple[list[tuple[int, int]], dict[int, int]]:
        """Give the mentions of the rarest values in order, each with the group whose it is, and each record's group."""
        everything = self._stated.everything
        uses = Counter(value for own in self._records.values() for value in {leaf.key for leaf in own})
        anchors = {number: _anchor_places(own, everything, uses) for number, own in self._records.items()}
        # Twins have the same anchors: each may take from the places of all of them.
        first_of: dict[tuple[Span, ...], int] = {}
        group_of = {number: first_of.setdefault(tuple(found), number) for number, found in anchors.items()}
        mentions = [(start, end, group_of[number]) for number, found in anchors.items() for start, end in found]
        values = {leaf.key: leaf.value for own in self._records.values() for leaf in own if _may_hold_another(leaf)}
        others = [(match.start, match.end, _NOBODY) for one in values.values() for match in everything.find(one)]
        return [one for one in _uncovered([*mentions, *others]) if one[1] != _NOBODY], group_of

    @cached_property
    def _homes(self) -> dict[int, list[Span]]:
        """Give the stretches of each record, found around the mentions of its rarest value."""
        places, group_of = self._anchors
        homes: dict[int, set[Span]] = {}
        last: tuple[int, Span | None, int] = (-1, None, -1)
        for place, group in places:
            home, parent = self._nesting.widest(place, group, places)
            if home is not None:
                homes.setdefault(group, set()).add(home)
                if last[0] == group and last[1] and last[2] == parent:
                    homes[group].add((last[1][0], home[1]))
            last = group, home, parent
        return {number: sorted(homes.get(group, ())) for number, group in group_of.items()}


class _Stated:
    """What the HTML of a page states beside its text, whatever the records are."""

    def __init__(self, html: str, hosts: frozenset[str]) -> None:
        self._html, self._hosts = html, hosts
        self._pieces = list(_PIECE.finditer(html))
        self._evidence = list(_evidence(html, self._pieces))

    @cached_property
    def addresses(self) -> list[Span]:
        """The stretches that are addresses, in order."""
        return sorted(span for span, is_address in self._evidence if is_address)

    @cached_property
    def index(self) -> TextIndex:
        """The attributes and embedded data, made ready for looking values up in them."""
        text = _only(self._html, [span for span, _ in self._evidence])
        return TextIndex(text, targets=[span for span, is_address in self._evidence if is_address], hosts=self._hosts)

    @cached_property
    def everything(self) -> TextIndex:
        """These and the text between the tags."""
        return TextIndex(_only(self._html, list(_all_content(self._html, self._pieces))), hosts=self._hosts)

    @cached_property
    def nested(self) -> list[Span]:
        """The elements, and the objects of embedded JSON."""
        return [*_elements(self._pieces), *_json_objects(self._html, self._pieces)]


@lru_cache(maxsize=1)
def _stated(html: str, hosts: frozenset[str]) -> _Stated:
    """Give what a page states beside its text; kept for proving anew, list by list."""
    return _Stated(html, hosts)


def _last_before(matches: Sequence[Match], place: int) -> Match | None:
    at = bisect_left(matches, place, key=lambda match: match.start) - 1
    return matches[at] if at >= 0 else None


def _may_hold_another(leaf: Leaf) -> bool:
    """Tell whether a value is words, of which some may be another record's value ("Massive" in "Massive Group")."""
    return isinstance(leaf.value, str) and " " in leaf.value


def _uncovered(mentions: Iterable[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """Give the place and owner of each mention that does not lie inside a longer one ("Utrecht" in a fair's name)."""
    kept: list[tuple[int, int]] = []
    reached = -1
    for start, end, group in sorted(set(mentions), key=lambda one: (one[0], -one[1], one[2] == _NOBODY, one[2])):
        if end > reached:
            kept.append((start, group))
        reached = max(reached, end)
    return kept


def _anchor_places(leaves: Sequence[Leaf], index: TextIndex, uses: Mapping[tuple[type, object], int]) -> list[Span]:
    """Give where the values stand that the fewest records have; of these the few that are stated least often."""
    stated = [(leaf, found) for leaf in leaves if (found := index.find(leaf.value))]
    long = [pair for pair in stated if min(match.end - match.start for match in pair[1]) >= _LEAST_ANCHOR] or stated
    fewest = min((uses[leaf.key] for leaf, _ in long), default=0)
    telling = [(leaf, found) for leaf, found in long if uses[leaf.key] == fewest]
    telling.sort(key=lambda pair: (len(pair[1]), -len(str(pair[0].value))))
    return sorted({(match.start, match.end) for _, found in telling[:_MOST_VALUES] for match in found[:_MOST_ANCHORS]})


class _Nesting:
    """Nested stretches, found from the inside out."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._spans = sorted(spans, key=lambda span: (span[0], -span[1]))
        self._starts = [start for start, _ in self._spans]
        self._parents = _parents(self._spans)

    def widest(self, place: int, group: int, anchors: Sequence[tuple[int, int]]) -> tuple[Span | None, int]:
        """Give the widest stretch around a place that holds anchors of no other group, and the number of its parent."""
        best: Span | None = None
        for current in self._around(place):
            if any(owner != group for _, owner in anchors[slice(*_between(anchors, self._spans[current]))]):
                return best, current
            best = self._spans[current]
        return best, -1

    def owners_around(self, place: int, group: int | None, anchors: Sequence[tuple[int, int]]) -> set[int]:
        """Give the groups with an anchor in the least stretch around a place that has one of a given group.

        None where that holds more anchors than a part of a list does.
        """
        for current in self._around(place):
            low, high = _between(anchors, self._spans[current])
            if high - low > _MOST_TOGETHER:
                break
            if group in (owners := {owner for _, owner in anchors[low:high]}):
                return owners
        return set()

    def _around(self, place: int) -> Iterator[int]:
        """Give the numbers of the stretches around a place, from the inside out."""
        current = bisect_right(self._starts, place) - 1
        while current >= 0:
            if place < self._spans[current][1]:
                yield current
            current = self._parents[current]


def _between(anchors: Sequence[tuple[int, int]], span: Span) -> tuple[int, int]:
    """Give the numbers of the first anchor in a stretch, and of the first one behind it."""
    low, high = (bisect_right(anchors, (place, -1)) for place in span)
    return low, high


def _parents(spans: Sequence[Span]) -> list[int]:
    parents: list[int] = []
    around: list[int] = []
    for number, (start, _) in enumerate(spans):
        while around and spans[around[-1]][1] <= start:
            around.pop()
        parents.append(around[-1] if around else -1)
        around.append(number)
    return parents


def _elements(pieces: Iterable[re.Match[str]]) -> Iterator[Span]:
    """Give the elements; one whose end tag is missing ends where its parent does."""
    around: list[tuple[str, int]] = []
    open_count: dict[str, int] = {}
    for match in pieces:
        name = (match["tag"] or "").lower()
        if not name or name in VOID:
            continue
        if not match["close"]:
            around.append((name, match.start()))
            open_count[name] = open_count.get(name, 0) + 1
        while match["close"] and open_count.get(name):
            inner, start = around.pop()
            open_count[inner] -= 1
            yield start, match.end()
            if inner == name:
                break


def _json_objects(html: str, pieces: Iterable[re.Match[str]]) -> Iterator[Span]:
    for match in pieces:
        if match["body"] is None or not _is_data(match):
            continue
        starts: list[int] = []
        for mark in _JSON_MARK.finditer(html, *match.span("body")):
            if mark[0] == "{":
                starts.append(mark.start())
            elif mark[0] == "}" and starts:
                yield starts.pop(), mark.end()


def _is_data(script: re.Match[str]) -> bool:
    body = script["body"].lstrip()
    return "json" in script["kind"].lower() or body[:1] in ("{", "[") or body.startswith(("window.", "self.", "var "))


def _evidence(html: str, pieces: Sequence[re.Match[str]]) -> Iterator[tuple[Span, bool]]:
    """Give the stretches that state values beside the text: with True for an address."""
    titles = (pair for pair in pairwise(pieces) if (pair[0]["tag"] or "").lower() == "title" and not pair[0]["close"])
    for opening, closing in islice(titles, 1):
        yield (opening.end(), closing.start()), False
    for match in pieces:
        if match["body"] is not None and _is_data(match):
            yield match.span("body"), False
            for found in _JSON_ADDRESS.finditer(html, *match.span("body")):
                yield found.span(1), True
            for found in _JSON_NAMED_ADDRESS.finditer(html, *match.span("body")):
                yield found.span(1), True
        elif match["attributes"]:
            for name, span in _attributes(html, match.span("attributes")):
                yield span, False
                if name.lower().endswith("srcset"):
                    yield from ((found.span(), True) for found in _CANDIDATE.finditer(html, *span))
                elif _ADDRESSES.match(name) or (name.lower() == "content" and looks_like_address(html[slice(*span)])):
                    yield span, True


def _attributes(html: str, span: Span) -> Iterator[tuple[str, Span]]:
    for match in _ATTRIBUTE.finditer(html, *span):
        if _TELLING.match(match[1]):
            yield match[1], match.span(match.lastindex or 0)


def _all_content(html: str, pieces: Sequence[re.Match[str]]) -> Iterator[Span]:
    """Give the evidence and the text between tags."""
    yield from (span for span, _ in _evidence(html, pieces))
    position = 0
    for match in pieces:
        yield position, match.start()
        position = match.end()
    yield position, len(html)


def _only(html: str, spans: Sequence[Span]) -> str:
    """Give a text of the same length with line breaks wherever none of the stretches is: offsets stay the HTML's."""
    parts: list[str] = []
    position = 0
    for start, end in sorted(spans):
        if end > position:
            begin = max(start, position)
            parts.append("\n" * (begin - position))
            parts.append(_JSON_ESCAPE.sub("  ", html[begin:end]))
            position = end
    parts.append("\n" * (len(html) - position))
    return "".join(parts)
