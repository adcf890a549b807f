"""One object from labels with values: definition lists, tables of two columns, "Label: value" items."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from lxml.html import HtmlElement

from gleaner.html.dom import visible_text
from gleaner.html.elements import HEADINGS
from gleaner.structured.columns import match_columns
from gleaner.structured.fields import Field, Wanted
from gleaner.structured.grids import Cell, read_cell
from gleaner.structured.labels import Label, read_label, words_of
from gleaner.structured.nodes import bears_its_name, find_in_nodes
from gleaner.structured.readings import ABSENT, Manner, decimal_mark, read_column
from gleaner.structured.tables import Found
from gleaner.structured.visible import SECTION_WORDS, Surroundings, plain
from gleaner.structured.vocabulary import GENERIC

_LONGEST_LABEL = 60
_INLINE = ("a", "b", "strong", "span", "em", "i")
_LINE = re.compile(r"([^\W\d_][^:：]{0,40})[:：] ?(.{1,200})")
_FEWEST_LABELS = 2
Pair = tuple[Label, Cell]
_Placed = tuple[HtmlElement, Label, Cell]


def find_in_pairs(root: HtmlElement, url: str, wanted: Wanted, around: Surroundings) -> Iterator[Found]:
    """Give the object whose fields are labels on the page, each of them once; the page's data may have the rest."""
    if wanted.is_list:
        return
    record, rest = _read_labels(root, url, wanted, around)
    if not record:
        return
    if not rest:
        yield Found([record], (), "pairs")
        return
    named = [field for field in rest if not GENERIC.isdisjoint(field.names)]
    if named and not bears_its_name(root, url, around):
        return
    if len(rest) == 1 and _is_in_the_heading(rest[0], record):
        yield Found([{rest[0].name: around.first_headings[0], **record}], (), "pairs")
    yield from _with_data(root, url, wanted, around, record)


def _with_data(
    root: HtmlElement, url: str, wanted: Wanted, around: Surroundings, labelled: Mapping[str, Any]
) -> Iterator[Found]:
    """Give the object that labels and embedded data make together, where the data says nothing else than a label."""
    fields = (replace(field, is_required=field.is_required and field.name not in labelled) for field in wanted.fields)
    for found in find_in_nodes(root, url, replace(wanted, fields=tuple(fields)), around):
        (said,) = found.records
        if all(said.get(name) in (None, value) for name, value in labelled.items()):
            yield Found([{**said, **labelled}], (), found.source, found.nouns)


def _read_labels(
    root: HtmlElement, url: str, wanted: Wanted, around: Surroundings
) -> tuple[dict[str, Any], list[Field]]:
    """Give the values of the fields that are labels, and the other fields; no values where one is in doubt."""
    fields = [field for field in wanted.fields if field.kind != "texts"]
    placed = _distinct(_placed_pairs(root, url, with_bare_tables=len(fields) > 1))
    pairs = [(label, cell) for _, label, cell in placed]
    columns = match_columns(
        replace(wanted, fields=tuple(fields)), [label for label, _ in pairs], around.nouns(), language=around.language
    )
    columns = _of_one_list(columns or {}, [container for container, *_ in placed])
    if not columns or not _speaks_of_the_page(root, placed[next(iter(columns.values()))][0], wanted, around):
        return {}, []
    texts = (cell.text for _, cell in pairs)
    manner = Manner(decimal_mark(texts, around.language, is_declared=around.declares_language), url)
    record: dict[str, Any] = {}
    for field in fields:
        if field.name not in columns:
            continue
        label, cell = pairs[columns[field.name]]
        read = read_column(field, label, [cell], manner)
        # A name that any thing may have must be the one that stands over the page.
        if not read or (not GENERIC.isdisjoint(field.names) and not around.is_about({plain(cell.text)})):
            return {}, []
        if read[0] is not ABSENT:
            record[field.name] = read[0]
    return record, [field for field in wanted.fields if field.name not in columns]


def _is_in_the_heading(field: Field, labelled: Mapping[str, Any]) -> bool:
    """Tell whether the heading may be the field's value: a plain text called name or title, beside labelled fields."""
    return field.kind == "text" and field.names[0] in GENERIC and len(labelled) >= _FEWEST_LABELS


def _distinct(pairs: Iterable[_Placed]) -> list[_Placed]:
    found: dict[Pair, HtmlElement] = {}
    for container, label, cell in pairs:
        found.setdefault((label, cell), container)
    return [(container, *pair) for pair, container in found.items()]


def _of_one_list(columns: Mapping[str, int], containers: Sequence[HtmlElement]) -> dict[str, int]:
    """Give the fields whose labels stand in the one list that has most of them; what others say, the data must have."""
    counts = Counter(containers[at] for at in columns.values())
    best = max(counts, key=lambda each: counts[each], default=None)
    return {name: at for name, at in columns.items() if containers[at] is best}


def _speaks_of_the_page(root: HtmlElement, container: HtmlElement, wanted: Wanted, around: Surroundings) -> bool:
    """Tell whether a list of labels stands under the page's name, and under no heading of something else.

    The weight of a lid, the place of a seller and the author of a review stand under headings of their own.
    """
    plain_words = SECTION_WORDS.union(*(words_of(text) for text in around.first_headings), *wanted.nouns)
    return set(words_of(_heading_over(root, container))) <= plain_words


def _heading_over(root: HtmlElement, element: HtmlElement) -> str:
    heading = ""
    for each in root.iter():
        if each is element:
            return heading
        if each.tag in HEADINGS:
            heading = visible_text(each)
    return heading


def _placed_pairs(root: HtmlElement, url: str, *, with_bare_tables: bool = True) -> Iterator[_Placed]:
    """Give the labels of a page with their values and what lists them; a label with several values gives each.

    ``with_bare_tables``: rows of two plain cells count too, the first of which may be a header in disguise.
    """
    for element in root.iter("dl", "tr", "li", "p"):
        if element.tag == "dl":
            yield from ((element, *pair) for pair in _definitions(element, url))
        elif element.tag == "tr":
            table = next(element.iterancestors("table"), element)
            cells = [each for each in element if each.tag in ("th", "td")]
            is_bare = bool(cells) and cells[0].tag == "td" and not visible_text(cells[0]).endswith(":")
            if len(cells) == 2 and _is_spec_row(element, cells) and (with_bare_tables or not is_bare):
                yield from ((table, *pair) for pair in _pair(visible_text(cells[0]), cells[1], url))
        else:
            parent = element.getparent()
            is_broken = any(each.tag == "br" for each in element)
            pairs = _lines(element) if is_broken or not len(element) else _labelled(element)
            yield from ((element if parent is None else parent, *pair) for pair in pairs)


def _is_spec_row(row: HtmlElement, cells: list[HtmlElement]) -> bool:
    return cells[1].tag == "td" and (row.getparent() is None or getattr(row.getparent(), "tag", "") != "thead")


def _definitions(listing: HtmlElement, url: str) -> Iterator[Pair]:
    label = ""
    for each in listing.iter("dt", "dd"):
        if each.tag == "dt":
            label = visible_text(each)
        else:
            yield from _pair(label, each, url)


def _labelled(element: HtmlElement) -> Iterator[Pair]:
    """Read ``<li><b>Label:</b> value</li>``; the value is the text after the mark."""
    if len(element) != 1 or (element.text or "").strip() or element[0].tag not in ("b", "strong", "span"):
        return
    label, value = visible_text(element[0]), " ".join((element[0].tail or "").split())
    if value.startswith(":"):
        label, value = label + ":", value[1:].strip()
    if label.endswith((":", "：")) and value and len(label) < _LONGEST_LABEL:
        yield read_label(label), Cell(value)


def _lines(element: HtmlElement) -> Iterator[Pair]:
    """Read the lines of an element with line breaks, those that begin with a short label and a colon."""
    lines = [element.text or ""]
    for each in element:
        if each.tag == "br":
            lines.append(each.tail or "")
        elif each.tag in _INLINE and not len(each):
            lines[-1] += f"{each.text or ''}{each.tail or ''}"
        else:
            return
    pieces = [_LINE.fullmatch(" ".join(line.split())) for line in lines]
    yield from ((read_label(match[1]), Cell(match[2])) for match in pieces if match)


def _pair(label: str, value: HtmlElement, url: str) -> Iterator[Pair]:
    if 0 < len(label) < _LONGEST_LABEL:
        yield read_label(label), read_cell(value, url)
