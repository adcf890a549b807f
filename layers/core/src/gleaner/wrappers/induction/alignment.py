"""Aligning records with a page: the elements, or runs of siblings, that say what the records do, one each."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, groupby, pairwise, repeat
from typing import TypeAlias

from lxml.html import HtmlElement

from gleaner.contracts.ports import JsonValue
from gleaner.html.dom import classes_of
from gleaner.values.dates import is_day
from gleaner.values.scanning import scan
from gleaner.wrappers.boxes import are_nested, common_ancestor, size_of_last
from gleaner.wrappers.container import Container
from gleaner.wrappers.trees import PageTree, text_of

_MOST_TRIES = 5
_SHARED = 0.8
"""A field may stand above groups of records if it has at most this share of different texts."""

_NEAR = 8_000
"""Records stand in page order: the next one's texts within so many characters."""

_MOST_SHIFT = 3
_LONGEST_RUN = 12


def forms_of(value: JsonValue) -> Iterator[str]:
    """Give the texts that a page may write a value as, the likeliest first."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, str):
        if (text := " ".join(value.split())) and not value.startswith(("http://", "https://")):
            yield text
    elif isinstance(value, int | float):
        plain = f"{value:g}" if abs(value) < 1e6 else str(value)
        grouped = f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"
        turned = grouped.translate(str.maketrans(",.", ".,"))
        yield from dict.fromkeys((grouped, turned, plain, plain.replace(".", ","), grouped.replace(",", " ")))
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value[:5]:
            yield from (form for form in forms_of(one) if isinstance(one, str | dict | list))


def _ends_of_lists(values: Sequence[JsonValue]) -> Iterator[tuple[str, list[JsonValue]]]:
    """Give what tells most of the first and of the last item of each list of objects: a record holds both."""
    lists = [[item for item in value if isinstance(item, dict)] if isinstance(value, list) else [] for value in values]
    for name, at in ((" first", 0), (" last", -1)) if any(lists) else ():
        ends = [one[at].values() if one else () for one in lists]
        yield name, [max((text for text in end if isinstance(text, str)), key=len, default=None) for end in ends]


def spoken_text(node: HtmlElement) -> str:
    """Give an element's text, and behind it the texts of its images."""
    said = text_of(node)
    if not len(node) and node.tag != "img":
        return said
    alts = [alt for image in node.iter("img") if (alt := image.get("alt"))]
    return " ".join([said, *alts]) if alts else said


def addressed_text(node: HtmlElement) -> str:
    """Give an element's text, and behind it where its links lead."""
    return " ".join([spoken_text(node), *(str(link.get("href") or "") for link in node.iter("a"))])


def _ends_of_address(value: str) -> Iterator[str]:
    """Give what the page's links to an address end with: its last step, however they write the others."""
    if value.startswith(("http://", "https://")) and (end := value.rstrip("/").rpartition("/")[2]):
        yield end


class Texts(dict[HtmlElement, str]):
    """What elements say; each is read once."""

    def __init__(self, read: Callable[[HtmlElement], str]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, node: HtmlElement) -> str:
        self[node] = said = self._read(node)
        return said


Forms: TypeAlias = tuple[str, ...]
"""The texts that a page may write a value as, of which one is enough."""


class Anchors:
    """The texts by which each record is known on a page, field by field."""

    def __init__(
        self, page: PageTree, records: Sequence[dict[str, JsonValue]], *, in_any_notation: bool = False
    ) -> None:
        read = addressed_text if in_any_notation else spoken_text
        self.read: Callable[[HtmlElement], str] = lambda node: " ".join(
            filter(None, (page.markers.get(node), read(node)))
        )
        self._stated = self.read(page.root)
        self._days = _days_in(self._stated) if in_any_notation else {}
        self._in_any_notation = in_any_notation
        self.by_field: dict[str, list[Forms]] = {}
        self._places = [*self._find_places(records)]
        names = dict.fromkeys(name for record in records for name in record)
        for name in names:
            values = [record.get(name) for record in records]
            for at, column in (("", values), *_ends_of_lists(values)):
                texts = [*map(self._forms_of, column, self._places)]
                if any(texts):
                    self.by_field[f"{name}{at}"] = texts

    def _find_places(self, records: Sequence[dict[str, JsonValue]]) -> Iterator[int]:
        """Give about where each record stands: where the longest of its texts does, behind the record before it.

        Numbers only where it has no text: they are parts of other numbers.
        """
        cursor = 0
        for record in records:
            texts = [form for value in record.values() if isinstance(value, str) for form in forms_of(value)]
            longest = sorted(texts or forms_of([*record.values()]), key=len, reverse=True)
            found = (self._stated.find(form, cursor, cursor + _NEAR) for form in longest)
            cursor = next((at for at in found if at >= 0), cursor)
            yield cursor

    def _forms_of(self, value: JsonValue, place: int) -> Forms:
        """Give the forms of a value that the page has: near its record, or else anywhere."""
        near = self._stated[max(0, place - _NEAR) : place + _NEAR]
        offered = [*forms_of(value)]
        if self._in_any_notation and isinstance(value, str):
            offered += [*self._days.get(value, ()), *_ends_of_address(value)]
        return tuple(form for form in offered if _has(near, form)) or self._anywhere(offered)

    def _anywhere(self, offered: Sequence[str]) -> Forms:
        return tuple(form for form in offered if _has(self._stated, form))

    def without(self, names: Iterable[str]) -> list[list[Forms]]:
        """Give the texts of each record but for some fields; none of a record that says nothing else."""
        left = {*names}
        columns = [texts for name, texts in self.by_field.items() if name not in left]
        rows = [[*filter(None, row)] for row in zip(*columns, strict=True)]
        return [sorted(row, key=lambda forms: len(forms[0]), reverse=True) for row in rows]

    def may_stand_above(self) -> list[str]:
        """Give the fields of which several records share a text, the fewest texts first: one may head a group."""
        counts = {name: len({*texts}) for name, texts in self.by_field.items()}
        several = [name for name in counts if counts[name] <= _SHARED * len(self.by_field[name])]
        return sorted(several, key=lambda name: counts[name])[:_MOST_TRIES]

    def most_telling(self) -> list[str]:
        """Give the fields that all records have, the most different texts first."""
        whole = [name for name, texts in self.by_field.items() if all(texts)]
        return sorted(whole, key=lambda name: -len({*self.by_field[name]}))[:_MOST_TRIES]


def _days_in(text: str) -> dict[str, list[str]]:
    """Give the dates of a text: how it writes each day."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for mention in scan(text):
        for reading in mention.readings:
            if reading.kind == "date":
                found[str(reading.value)].append(text[mention.start : mention.end])
    return found


def find_containers(
    page: PageTree, records: Sequence[dict[str, JsonValue]], within: Sequence[HtmlElement] = ()
) -> list[Container] | None:
    """Give the container of each record in page order, inside some elements; None when they are not beyond doubt.

    Looked for are elements of one path of tags that say the records' values, one after the other; of several such the
    tightest, widened as far as each holds one record. Where none are, runs of siblings that begin alike. Dates are read
    in any notation only where the records' other texts are not enough.
    """
    if len(records) < 2:
        return None
    found = _containers_by(Anchors(page, records), page, within)
    if found is None and any(
        is_day(value) for record in records for value in record.values() if isinstance(value, str)
    ):
        found = _containers_by(Anchors(page, records, in_any_notation=True), page, within)
    return found


def _containers_by(anchors: Anchors, page: PageTree, within: Sequence[HtmlElement]) -> list[Container] | None:
    if not anchors.by_field:
        return None
    groups = _groups(within or [page.root])
    texts = Texts(anchors.read)
    above = anchors.may_stand_above()
    for dropped in ((), *((name,) for name in above), *combinations(above, 2)):
        wanted = anchors.without(dropped)
        found = _matching(groups, wanted, texts) if wanted and all(wanted) else []
        if found:
            return [Container(page, [one]) for one in _widened(found[0])]
        runs = _find_runs(page, anchors, wanted, groups, texts) if not dropped else None
        if runs is not None:
            return runs
    nested = _find_nested(within or [page.root], anchors.without(()), texts)
    stops = frozenset(nested or ())
    return nested and [Container(page, [one], stops - {one}) for one in nested]


def _find_nested(roots: Sequence[HtmlElement], wanted: Sequence[list[Forms]], texts: Texts) -> list[HtmlElement] | None:
    """Give elements of one tag and class that hold the records, answers inside what they answer.

    An element around several records says what all of them do: so the last record is looked for first.
    """
    groups: defaultdict[tuple[str, str], list[HtmlElement]] = defaultdict(list)
    for node in (one for root in roots for one in root.iter() if isinstance(one.tag, str)):
        for token in classes_of(node) or ("",):
            groups[str(node.tag), token].append(node)
    last_first = wanted[::-1]
    fitting = (nodes[::-1] for nodes in groups.values() if len(nodes) >= len(wanted)) if all(wanted) else ()
    for nodes in fitting:
        found = _in_order(nodes, last_first, texts)
        if found is not None and are_nested(found):
            return found[::-1]
    return None


def _groups(roots: Sequence[HtmlElement]) -> list[list[HtmlElement]]:
    """Give the elements by their paths of tags."""
    numbers: dict[tuple[int, str], int] = {}
    paths: dict[HtmlElement, int] = {}
    groups: defaultdict[int, list[HtmlElement]] = defaultdict(list)
    for node in (one for root in roots for one in root.iter()):
        if not isinstance(node.tag, str):
            continue
        above = node.getparent()
        key = (paths.get(above, -1) if above is not None else -1, node.tag)
        paths[node] = number = numbers.setdefault(key, len(numbers))
        groups[number].append(node)
    return [*groups.values()]


def _matching(
    groups: Sequence[list[HtmlElement]], wanted: Sequence[list[Forms]], texts: Texts
) -> list[list[HtmlElement]]:
    """Give the groups' elements that state the texts, one for each record in order; those that say least first."""
    long_enough = (nodes for nodes in groups if len(nodes) >= len(wanted))
    found = [matched for nodes in long_enough if (matched := _in_order(nodes, wanted, texts)) is not None]
    return sorted(found, key=lambda matched: sum(len(texts[node]) for node in matched))


def _in_order(nodes: Sequence[HtmlElement], wanted: Sequence[list[Forms]], texts: Texts) -> list[HtmlElement] | None:
    """Give for each record the next element that states all its texts; None when the elements run out."""
    rest = iter(nodes)
    matched: list[HtmlElement] = []
    for values in wanted:
        for node in rest:
            if _states(texts[node], values):
                matched.append(node)
                break
        else:
            return None
    return matched


def _widened(nodes: list[HtmlElement]) -> list[HtmlElement]:
    """Give the largest elements around these that still hold one each."""
    while True:
        above = [node.getparent() for node in nodes]
        if None in above or len({*above}) < len(nodes) or len({one.tag for one in above if one is not None}) > 1:
            return nodes
        nodes = [node for node in above if node is not None]


def _find_runs(
    page: PageTree,
    anchors: Anchors,
    wanted: Sequence[list[Forms]],
    groups: Sequence[list[HtmlElement]],
    texts: Texts,
) -> list[Container] | None:
    """Give runs of siblings, one for each record, that begin alike and say what the records do."""
    for name in anchors.most_telling():
        keys = anchors.by_field[name]
        if len({*keys}) < 2:
            continue
        for found in _matching(groups, [[key] for key in keys], texts)[:_MOST_TRIES]:
            runs = _runs_of(found, wanted, texts)
            if runs is not None:
                return [Container(page, run) for run in runs]
    return None


def _runs_of(
    found: Sequence[HtmlElement], wanted: Sequence[list[Forms]], texts: Texts
) -> list[list[HtmlElement]] | None:
    """Give the runs of siblings that begin at elements, or a few siblings before, and say what the records do.

    All in one element, or where that is no way, each in that which holds what it begins with: terms by their letters.
    """
    around = common_ancestor(found)
    starts = [_child_of(around, node) for node in found] if around is not None else []
    if len({*starts}) < len(found):
        starts = [*found]
    holders = [[*some] for _, some in groupby(starts, HtmlElement.getparent)]
    offered = ([_runs_from(some, shift) for some in holders] for shift in range(_MOST_SHIFT + 1))
    for several in offered:
        runs = [run for some in several for run in some or ()]
        if all(several) and len({run[0].tag for run in runs}) == 1 and all(map(_says, runs, wanted, repeat(texts))):
            return runs
    return None


def _child_of(around: HtmlElement, node: HtmlElement) -> HtmlElement:
    while (above := node.getparent()) is not around and above is not None:
        node = above
    return node


def _runs_from(starts: Sequence[HtmlElement], shift: int) -> list[list[HtmlElement]] | None:
    """Give the runs among the siblings of elements that begin so many before each."""
    around = starts[0].getparent()
    siblings = [one for one in around if isinstance(one.tag, str)] if around is not None else []
    order = {one: at for at, one in enumerate(siblings)}
    places = [order[one] - shift for one in starts]
    if places[0] < 0:
        return None
    sizes = [after - at for at, after in pairwise(places)]
    if max(sizes, default=0) > _LONGEST_RUN:
        return None
    known = [[*siblings[at:end]] for at, end in pairwise(places)]
    last = siblings[places[-1] :]
    return [*known, [*last[: size_of_last(last, known, max(sizes, default=_LONGEST_RUN))]]]


def _says(run: Sequence[HtmlElement], values: Sequence[Forms], texts: Texts) -> bool:
    return _states(" ".join(texts[node] for node in run), values)


def _states(said: str, values: Sequence[Forms]) -> bool:
    """Tell whether a text has a form of each value."""
    return all(any(_has(said, form) for form in forms) for forms in values)


def _has(said: str, form: str) -> bool:
    """Tell whether a text has a form, not as a part of a longer number: "10 projects" says no 0.

    Of other forms none is a part of a number: "10:00" may stand right before "11:30" in another element.
    """
    if not form.isdigit():
        return form in said
    at = said.find(form)
    while at >= 0:
        end = at + len(form)
        if not said[max(0, at - 1) : at].isdigit() and not said[end : end + 1].isdigit():
            return True
        at = said.find(form, at + 1)
    return False
