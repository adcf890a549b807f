"""Changed copies of a page whose records are known: fewer of them, in another order, with other numbers.

The containers of the records are found by the records' own values, on any page: no marks are needed, no selectors.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

from lxml import html as parser
from lxml.html import HtmlElement

from measure.comparing import squeezed
from measure.page_text import Text, visible_text

Record = dict[str, Any]

_IS_NUMBER = re.compile(r"[^\w]*\d[\d.,\s]*[^\w]*")
_LAST_DIGIT = re.compile(r"\d(?=\D*$)")


@dataclass(frozen=True, slots=True)
class Changed:
    """A changed page, and the records that it shows now."""

    html: str
    records: list[Record]


def parse(html: str) -> HtmlElement:
    """Give the page's tree; ValueError for one that has none."""
    root = parser.document_fromstring(html.encode("utf-8"), parser=parser.HTMLParser(encoding="utf-8"))
    for node in [*root.iter("script", "style", "template", "noscript")]:
        node.drop_tree()
    return root


def find_record_elements(root: HtmlElement, records: Sequence[Record]) -> list[HtmlElement] | None:
    """Give the element of each record, in page order: the largest one that holds it and no other record.

    Elements of one path of tags are tried together, as siblings and cousins are; a record's element states every value
    of the record that the page states anywhere. None when no path has an element for each record: when records are runs
    of siblings, share a value that stands over them, or are not stated.
    """
    texts = {node: squeezed(node.text_content()) for node in root.iter() if isinstance(node.tag, str)}
    stated = texts[root]
    wanted = [[text for text in leaf_texts(record) if text in stated] for record in records]
    if not records or not all(wanted):
        return None
    groups: defaultdict[tuple[str, ...], list[HtmlElement]] = defaultdict(list)
    paths: dict[HtmlElement, tuple[str, ...]] = {}
    for node in texts:
        above = node.getparent()
        paths[node] = (*paths.get(above, ()), node.tag) if above is not None else (node.tag,)
        groups[paths[node]].append(node)
    found = [
        matched
        for nodes in groups.values()
        if len(nodes) >= len(records) and (matched := _in_order(nodes, wanted, texts)) is not None
    ]
    if not found:
        return None
    return _widened(min(found, key=lambda nodes: sum(len(texts[node]) for node in nodes)))


def elements_of_records(root: HtmlElement, records: Sequence[Record]) -> list[HtmlElement]:
    """Give the element of each record; ValueError where there are none, or where a value stands over several records.

    Such a record can't be moved: under another head it would be another one.
    """
    nodes = find_record_elements(root, records)
    if nodes is None:
        raise ValueError(f"no element for each of the {len(records)} records")
    whole = _stated_by(root)
    for node, record in zip(nodes, records, strict=True):
        own = _stated_by(node)
        outside = [name for name, value in record.items() if whole.states(value) and not own.states(value)]
        if outside:
            raise ValueError(f"{outside[0]} stands outside of the element of a record")
    return nodes


def _stated_by(node: HtmlElement) -> Text:
    return Text(visible_text(parser.tostring(node, encoding="unicode", with_tail=False)))


def leaf_texts(value: Any) -> Iterator[str]:
    """Give the texts that a record's values would be written as: texts as they are, numbers plainly."""
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from leaf_texts(one)
    elif isinstance(value, str | int | float) and not isinstance(value, bool) and squeezed(str(value)):
        yield squeezed(str(value))


def _in_order(
    nodes: Sequence[HtmlElement], wanted: Sequence[Sequence[str]], texts: dict[HtmlElement, str]
) -> list[HtmlElement] | None:
    """Give for each record the next element that states all its values; None when the elements run out."""
    rest = iter(nodes)
    matched: list[HtmlElement] = []
    for values in wanted:
        node = next((node for node in rest if all(value in texts[node] for value in values)), None)
        if node is None:
            return None
        matched.append(node)
    return matched


def _widened(nodes: list[HtmlElement]) -> list[HtmlElement]:
    """Give the largest elements around these that still hold one each."""
    while True:
        above = [node.getparent() for node in nodes]
        if len(nodes) < 2 or None in above or len({id(node) for node in above}) < len(nodes):
            return nodes
        nodes = [node for node in above if node is not None]


def changed_pages(html: str, records: Sequence[Record], seed: object) -> Iterator[tuple[str, Changed]]:
    """Give the page with some records removed, permuted and renumbered, each with its truth.

    ValueError when the records' elements are not found; a change that would change nothing is left out.
    """
    root = parse(html)
    nodes = elements_of_records(root, records)
    tree = root.getroottree()
    paths = [tree.getpath(node) for node in nodes]
    for name, change in _CHANGES.items():
        copy = deepcopy(root)
        found = [copy.getroottree().xpath(path)[0] for path in paths]
        left = change(found, deepcopy([*records]), Random(f"{seed}/{name}"))
        if left != [*records] or name in _OF_MARKUP:
            yield name, Changed("<!DOCTYPE html>" + parser.tostring(copy, encoding="unicode"), left)


def reworded_pages(html: str, records: Sequence[Record], seed: object, most: int = 8) -> Iterator[tuple[int, str, str]]:
    """Give copies of the page with one text that shows a field of a record reworded: the record, the field, the page.

    The text stands in the same place in each record that has the field, so that it is no chance; where two fields say
    the same there, none can be told to be whose. ValueError when the records' elements are not found.
    """
    root = parse(html)
    nodes = elements_of_records(root, records)
    shown = [
        (row, name, spot)
        for name in dict.fromkeys(name for record in records for name in record)
        for row, spots in _texts_in_the_same_place(nodes, [record.get(name) for record in records])
        for spot in spots
    ]
    times = Counter((part, kind) for _, _, (part, kind) in shown)
    shown = [one for one in shown if times[one[2]] == 1]
    for row, name, (part, kind) in Random(f"{seed}/reworded").sample(shown, min(most, len(shown))):
        said = getattr(part, kind)
        setattr(part, kind, _WORD.sub(lambda word: word[0][::-1], said, count=2))
        if getattr(part, kind) != said:
            yield row, name, "<!DOCTYPE html>" + parser.tostring(root, encoding="unicode")
        setattr(part, kind, said)


_WORD = re.compile(r"[^\W\d_]{3,}")
Spot = tuple[HtmlElement, str]
"""An element, and which text of it: ``text`` or ``tail``."""


def _texts_in_the_same_place(nodes: Sequence[HtmlElement], values: Sequence[Any]) -> list[tuple[int, list[Spot]]]:
    """Give the texts that say exactly a value, in places where all records say theirs."""
    found = [
        (row, {_place_of(node, text): text for text in _texts_that_say(node, value)})
        for row, (node, value) in enumerate(zip(nodes, values, strict=True))
        if isinstance(value, str) and value
    ]
    places = set.intersection(*({*texts} for _, texts in found)) if found else set()
    return [(row, [text for place, text in texts.items() if place in places]) for row, texts in found]


def _texts_that_say(node: HtmlElement, value: str) -> Iterator[Spot]:
    for part in node.iter("*"):
        for kind in ("text", "tail"):
            if not (part is node and kind == "tail") and squeezed(getattr(part, kind) or "") == squeezed(value):
                yield part, kind


def _place_of(node: HtmlElement, text: Spot) -> tuple[str, str]:
    """Give a text's place: the class of its element if no other has that, the way down to it otherwise."""
    part, kind = text
    classes = part.get("class")
    if classes and sum(1 for one in node.iter(str(part.tag)) if one.get("class") == classes) == 1:
        return f"{part.tag}.{classes}", kind
    tree = part.getroottree()
    return tree.getpath(part).removeprefix(tree.getpath(node)), kind


def _remove(nodes: Sequence[HtmlElement], records: list[Record], random: Random) -> list[Record]:
    """Take a third of the records away, but leave two."""
    gone = {*random.sample(range(len(nodes)), min(len(nodes) // 3 or 1, max(0, len(nodes) - 2)))}
    for number in gone:
        nodes[number].drop_tree()
    return [record for number, record in enumerate(records) if number not in gone]


def _permute(nodes: Sequence[HtmlElement], records: list[Record], random: Random) -> list[Record]:
    """Let the records change places; what stands between their elements stays where it is."""
    order = random.sample(range(len(nodes)), len(nodes))
    places: list[HtmlElement] = []
    for node in nodes:
        place = parser.Element("i")
        place.tail, node.tail = node.tail, None
        node.getparent().replace(node, place)  # type: ignore[union-attr]
        places.append(place)
    for place, number in zip(places, order, strict=True):
        node = nodes[number]
        node.tail = place.tail
        place.getparent().replace(place, node)  # type: ignore[union-attr]
    return [records[number] for number in order]


def _renumber(nodes: Sequence[HtmlElement], records: list[Record], random: Random) -> list[Record]:
    """Give each number of a record another last digit, where it stands in one place of the record's element alone."""
    return [_with_numbers(node, record, random) for node, record in zip(nodes, records, strict=True)]


def _with_numbers(node: HtmlElement, record: Record, random: Random) -> Record:
    made = dict(record)
    for name, value in record.items():
        text = str(value)
        if isinstance(value, bool) or not isinstance(value, str | int | float) or not _IS_NUMBER.fullmatch(text):
            continue
        alone = re.compile(rf"(?<![\d.,]){re.escape(text)}(?!\d|[.,]\d)")
        is_said_again = sum(alone.search(str(other)) is not None for other in record.values()) > 1
        if is_said_again or len(re.findall(r"\d", text)) < 2:
            continue
        last = text[_LAST_DIGIT.search(text).start()]  # type: ignore[union-attr]
        changed = _LAST_DIGIT.sub(random.choice([digit for digit in "123456789" if digit != last]), text)
        if _rewrite(node, text, changed):
            made[name] = type(value)(changed)
    return made


def _rewrite(node: HtmlElement, text: str, changed: str) -> bool:
    """Write a number anew where its digits stand; False, and nothing done, unless that is one text of the element."""
    digits = re.search(r"\d(?:[\d.,\s]*\d)?", text)[0]  # type: ignore[index]
    new = re.search(r"\d(?:[\d.,\s]*\d)?", changed)[0]  # type: ignore[index]
    whole = re.compile(rf"(?<![\d.,]){re.escape(digits)}(?![\d]|[.,]\d)")
    if any(whole.search(value) for part in node.iter() for value in part.attrib.values()):
        return False
    places = [
        (part, kind)
        for part in node.iter()
        for kind in ("text", "tail")
        if not (part is node and kind == "tail") and whole.search(getattr(part, kind) or "")
    ]
    if len(places) != 1:
        return False
    part, kind = places[0]
    written = getattr(part, kind)
    if len(whole.findall(written)) != 1:
        return False
    setattr(part, kind, whole.sub(new, written))
    return True


def _add(nodes: Sequence[HtmlElement], records: list[Record], random: Random) -> list[Record]:
    """Show two of the records once more, at the end."""
    chosen = random.sample(range(len(nodes)), min(2, len(nodes)))
    last = nodes[-1]
    for number in chosen:
        copy = deepcopy(nodes[number])
        copy.tail = None
        last.addnext(copy)
        last = copy
    return [*records, *(records[number] for number in chosen)]


def _promote(nodes: Sequence[HtmlElement], records: list[Record], random: Random) -> list[Record]:
    """Put something with another class and other contents among the records, that is none."""
    node = nodes[random.randrange(1, len(nodes))]
    made = parser.Element(str(node.tag))
    made.set("class", "promoted-item")
    inner = parser.fragment_fromstring("<b>Best offer: only this week</b>")
    if node.tag == "tr":
        cell = parser.Element("td")
        cell.set("colspan", "9")
        cell.append(inner)
        inner = cell
    made.append(inner)
    node.addprevious(made)
    return records


def _rename(nodes: Sequence[HtmlElement], records: list[Record], random: Random) -> list[Record]:
    """Give each class of the page another name."""
    salt = str(random.random())
    for node in nodes[0].getroottree().iter():
        if isinstance(node.tag, str) and node.get("class"):
            tokens = node.get("class", "").split()
            node.set("class", " ".join(f"k{Random(salt + token).randrange(10**6)}" for token in tokens))
    return records


def _wrap(nodes: Sequence[HtmlElement], records: list[Record], _random: Random) -> list[Record]:
    """Put one more box around all that the body holds, and around what each record holds where HTML allows that."""
    body = next(nodes[0].iterancestors("body"))
    outer = parser.Element("div")
    outer.text, body.text = body.text, None
    outer.extend([*body])
    body.append(outer)
    for node in nodes:
        if node.tag not in ("tr", "dl", "ul", "ol", "table", "tbody"):
            box = parser.Element("div")
            box.text, node.text = node.text, None
            box.extend([*node])
            node.append(box)
    return records


_CHANGES = {
    "removed": _remove,
    "permuted": _permute,
    "renumbered": _renumber,
    "added": _add,
    "promoted": _promote,
    "renamed": _rename,
    "wrapped": _wrap,
}
_OF_MARKUP = frozenset(("promoted", "renamed", "wrapped"))
"""Changes that leave the records as they are."""

CHANGES_OF_LISTS = tuple(_CHANGES)
"""The names of the changes of real lists."""
