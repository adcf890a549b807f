"""The label or column head of each value, to notice shifted and swapped values.

A label belongs to the field that it names ("Net:" to ``net``), else to the field whose values stand by it in most
records. What stands by another field's label is no proof.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from gleaner.grounding.evidence.flags import name_of
from gleaner.grounding.evidence.label_forms import (
    MOST_WORDS,
    Said,
    asked_beside,
    forms_of,
    is_named_as_its_record,
    is_said,
    is_unit,
    last_words,
    without_unit,
)
from gleaner.grounding.evidence.table_heads import ASIDE, CELL, TableHeads, full_words
from gleaner.grounding.evidence.votes import LEAST_VOTES, elect
from gleaner.grounding.leaves import Leaf, SchemaViews
from gleaner.grounding.regions import Span
from gleaner.grounding.text.spellings import Field, Label, is_counted_before_colon, label_words, spellings
from gleaner.grounding.text.text_index import Match, TextIndex, within
from gleaner.values.flags import answers
from gleaner.values.mentions.dates import read_moment

_LONGEST = 80
_PAIR = 4  # parts of a row of two cells, cut at its borders
_WORD = re.compile(r"[^\W_]+")
_BRACKETS = re.compile(r"[(\[][^()\[\]]*[)\]]")
_BORDER = re.compile(r"[;|\n•·]|~~|[,.!?]\s|\s[-–—/]\s|^[ \t]*(?:[-*+]|\d{1,3}[.)])\s")
_LABELLED = re.compile(r"^[ \t]*+(?:[-*+][ \t]++)?\**+([^|:：\n*]{2,40}?)\**+[ \t]*+[:：]", re.MULTILINE)


def _unbracketed(label: Label) -> Label:
    return tuple(word for word in label if not word.startswith(ASIDE))


def named_field(label: Label, names: Iterable[str]) -> str | None:
    """Give the one name, of several, that a label is; None when it is none of them.

    >>> named_field(label_words("Passed on"), ["title", "passed_on"])
    'passed_on'
    """
    found = [name for name in names if label and "".join(label_words(name)) == "".join(label)]
    return found[0] if len(found) == 1 else None


def labels_in(text: str) -> list[Label]:
    """Give the labels of a piece of text: a table's heads, else what stands before a colon at the start of a line."""
    heads = text.split("\n", 1)[0].strip().strip("|").split("|") if text.startswith("|") else []
    return [label_words(found) for found in heads or (match[1] for match in _LABELLED.finditer(text))]


class Labels:
    """The labels of the fields, by their names and by the values that stand by them in the records' places."""

    def __init__(
        self,
        leaves: Sequence[Leaf],
        by_record: Mapping[int, Sequence[Leaf]],
        spans: Sequence[Span | None],
        index: TextIndex,
        views: SchemaViews | None = None,
    ) -> None:
        self._text = index.text
        self._index = index
        self._leaves = by_record
        self.heads = TableHeads(index.text, spans)
        self._others = [leaf for leaf in leaves if not any(isinstance(step, int) for step in leaf.steps)]
        # The name of a flag is what the page says where it is so ("In stock"), and no label of what follows.
        self._said = {leaf.field for leaf in leaves if leaf.field and not isinstance(leaf.value, bool)}
        self._by_name: dict[str, list[Field]] = {}
        fields = sorted(self._said | asked_beside({leaf.field for leaf in leaves if leaf.field}, views))
        for field in fields:
            self._by_name.setdefault("".join(label_words(field[-1])), []).append(field)
        whole = frozenset(self._by_name)
        for name, field in [(name, one) for one in fields for name in spellings(one)[1:]]:
            if (bare := "".join(label_words(name))) not in whole:
                self._by_name.setdefault(bare, []).append(field)
        self._named: dict[Label, list[Field]] = {}
        self._records: dict[int | None, Said] = {}
        self._found: dict[tuple[Span, int], Label | None] = {}
        self._labelled: dict[tuple[Span, Field], bool] = {}
        self._number_of = {own: number for number, own in enumerate(spans) if own is not None}
        self._alike = self._labels_alike()
        self._label_of, self._voted = self._learn(spans)

    def fitting(self, leaf: Leaf, number: int | None, own: Span, matches: Sequence[Match]) -> Sequence[Match]:
        """Give the matches by the field's own label; all when there is none, but for those by another field's."""
        if (of_flag := self.in_column_of_flag(leaf, own, matches)) is not None:
            return of_flag
        names = _names_of_flag(leaf)
        above = [self._line_above(match) for match in matches]
        labels = [self.label(own, match) or line for line, match in zip(above, matches, strict=True)]
        fitting = [
            match
            for label, line, match in zip(labels, above, matches, strict=True)
            if any(
                self._is_own(one, leaf.field) or self._is_of_two(one, leaf, number) or "".join(one) in names
                for one in (label, line)
                if one
            )
            or is_counted_before_colon(self._text, match.end, leaf.field)
        ]
        if fitting or (matches and (self._is_labelled(own, leaf.field) or self._has_figure_in_column(leaf, own))):
            return fitting
        return [
            match
            for label, match in zip(labels, matches, strict=True)
            if not (label and self._is_anothers(label, leaf, number)) or self._has_room(label, leaf, number, own, match)
        ]

    def is_by_own(self, field: Field, own: Span, match: Match) -> bool:
        """Tell whether a field's own label, of those that name it or most of its values, leads to a place."""
        label = self.label(own, match)
        return label is not None and (self._is_own(label, field) or label == label_words(field[-1]))

    def times_labelled(self, field: Field) -> int:
        """Give how often the page has a field's own name before a colon at the start of a line."""
        return sum(self._is_own(label_words(one[1])[-MOST_WORDS:], field) for one in _LABELLED.finditer(self._text))

    def states_another(self, field: Field, own: Span) -> bool:
        """Tell whether something stands by a field's own label in a place: in its column, or behind a colon."""
        text = self._text[slice(*own)]
        if text.lstrip().startswith("|"):
            return self._states_in_column(field, own, text.strip())
        labelled = _LABELLED.finditer(text)
        return any(
            self._is_own(label_words(one[1])[-MOST_WORDS:], field)
            for one in labelled
            if is_said(text[one.end() :].split("\n", 1)[0])
        )

    def _has_figure_in_column(self, leaf: Leaf, own: Span) -> bool:
        """Tell whether a number's field has a column of its very name in the row, with a figure: the number's place."""
        is_number = isinstance(leaf.value, int | float) and not isinstance(leaf.value, bool)
        cells = self._cells(own, self._text[slice(*own)].strip()) if is_number else ()
        return any(self._names(label) == leaf.field and any(map(str.isdigit, cell)) for label, cell in cells if label)

    def in_column_of_flag(self, leaf: Leaf, own: Span, matches: Iterable[Match]) -> list[Match] | None:
        """Give the matches in the one column of a row that has a flag's name; None where no column has.

        There, and nowhere else in the row, it is said whether the flag is so.
        """
        names = _names_of_flag(leaf)
        if not names:
            return None
        cells = self._cells(own, self._text[slice(*own)].strip())
        found = [label for label, _ in cells if label and "".join(_unbracketed(label)) in names]
        return [match for match in matches if self.label(own, match) == found[0]] if len(found) == 1 else None

    def _states_in_column(self, field: Field, own: Span, row: str) -> bool:
        cells = self._cells(own, row)
        return any(label and self._is_own(label, field) and is_said(cell) for label, cell in cells)

    def _cells(self, own: Span, row: str) -> Iterable[tuple[Label, str]]:
        """Give the cells of a row with the heads of their columns; none for what is no row below a head."""
        head = self.heads.over(own[0]) if "\n" not in row else None
        cells = CELL.split(row) if head is not None else []
        return zip(head.labels, cells, strict=True) if head is not None and len(cells) == len(head.labels) else ()

    def field_before(self, own: Span, match: Match, beside: Field) -> Field | None:
        """Give the field, of those beside one, that the label of a place names; None where it names none."""
        label = self.label(own, match)
        return self._names(label, beside) if label else None

    def _is_own(self, label: Label, field: Field) -> bool:
        """Tell whether a label is a field's, or that of the object that the field is a part of: "Seller: Ada, Oslo"."""
        is_of_object = label == label_words("".join(field[-2:-1])) and self._names(label) in (None, field[:-1])
        return is_of_object or label == self._label_of.get(field) or self._names(label, field) == field

    def _is_of_two(self, label: Label, leaf: Leaf, number: int | None) -> bool:
        """Tell whether a label names a field and another one that says the same: "Height and width 50 cm"."""
        parts = ((label[:at], label[at:]) for at in range(1, len(label)))
        return any(
            leaf.value in self._record(number).values.get(other, ())
            for part in parts
            for one, rest in (part, part[::-1])
            if self._names(one, leaf.field) == leaf.field and (other := self._names(rest, leaf.field))
            if other != leaf.field
        )

    def _is_labelled(self, own: Span, field: Field) -> bool:
        if (own, field) not in self._labelled:
            self._labelled[own, field] = self._is_labelled_in(own, field)
        return self._labelled[own, field]

    def _is_labelled_in(self, own: Span, field: Field) -> bool:
        """Tell whether a field's own name stands before a colon in a place, or before the one other cell of its row.

        Its value stands behind it then. Not as the end of another field's: "List price:" is no label of a ``price``
        beside a ``list_price``.
        """
        if not (names := spellings(field)) or is_named_as_its_record(field, self._said):
            return False
        named, row = forms_of(names)
        place = self._text[slice(*own)]
        found = named.finditer(place) if ":" in place or "：" in place else ()
        if any(self._names(self._words_up_to(own[0] + one.end()), field) in (None, field) for one in found):
            return True
        return any(self._is_of_one_thing(own, own[0] + one.start()) for one in row.finditer(place) if "|" in place)

    def _is_of_one_thing(self, own: Span, line: int) -> bool:
        """Tell whether all of the table that a row stands in is a place's own."""
        head = self.heads.over(line)
        return head is not None and own[0] <= head.start < own[1]

    def _words_up_to(self, end: int) -> Label:
        """Give the words of a line before a place, as a label."""
        line = self._text.rfind("\n", max(0, end - _LONGEST), end) + 1
        return last_words(_BORDER.split(self._text[max(line, end - _LONGEST) : end])[-1])

    def _is_anothers(self, label: Label, leaf: Leaf, number: int | None) -> bool:
        """Tell whether a label belongs to another field.

        By its name it does when the page has the field's own name, too, or the other field says another value; a field
        that has no value may have lost it, but "Sale price" may be that of a ``price``. What is a value itself is no
        label: "Living room 7 m2".
        """
        owner = self._names(label, leaf.field)
        if label in self._record(number).labels:
            return False
        if owner is not None and owner != leaf.field and owner[:-1] == leaf.field[:-1]:
            has_label = leaf.field in self._label_of or any(map(self._index.find, spellings(leaf.field)))
            if owner not in self._said:
                return has_label and not set(label_words(leaf.field[-1])).issubset(label)
            return has_label or self._says_otherwise(owner, leaf, number)
        return leaf.field in self._label_of and any(field != leaf.field for field in self._voted.get(label, ()))

    def _has_room(self, label: Label | None, leaf: Leaf, number: int | None, own: Span, match: Match) -> bool:
        """Tell whether the field that a label names has its value elsewhere by it, or by another label of its name.

        One cell may hold two values ("3 May 2023, Oslo"). Of a field that only the end names it is enough that no other
        field's label is before its value: a "Botanical name" is no ``name``. A day needs none, "From $12" is no such.
        """
        owner = self._names(label, leaf.field) if label else None
        if label is None or owner is None:
            return False
        is_whole = "".join(_unbracketed(label)) in {"".join(label_words(name)) for name in spellings(owner)}
        values = self._record(number).values.get(owner, ())
        found = ((value, place) for value in values for place in within(self._index.find(value), own))
        for value, place in found:
            if place.end <= match.start or match.end <= place.start:
                labels = filter(None, (self.label(own, place), self._line_above(place)))
                named = {self._names(one, owner) for one in labels}
                is_day = isinstance(leaf.value, int | float) and read_moment(str(value)) is not None
                is_counted = is_counted_before_colon(self._text, place.end, owner)
                if owner in named or is_day or is_counted or not (is_whole or named - {None}):
                    return True
        return False

    def _record(self, number: int | None) -> Said:
        """Give what is said of a record; of the page's one thing for None."""
        if number not in self._records:
            self._records[number] = Said.of(self._others if number is None else self._leaves.get(number, ()))
        return self._records[number]

    def _says_otherwise(self, owner: Field, leaf: Leaf, number: int | None) -> bool:
        return any(value != leaf.value for value in self._record(number).values.get(owner, ()))

    def _names(self, label: Label, beside: Field | None = None) -> Field | None:
        """Give the field that a label, or the end of it, names; None when no one field is named.

        Of several, the one ``beside`` another field: an order's "total" is not that of its lines. An end that is a
        label itself on the page names nothing: "Price per unit" beside "Unit".
        """
        if label not in self._named:
            words = _unbracketed(label)
            if words != label and self._alike.get(words) != {label}:
                words = tuple(word.removeprefix(ASIDE) for word in label)
                ends: Iterable[Label] = (words,)
            else:
                ends = (words[at:] for at in range(len(words)) if not at or words[at:] not in self._alike)
            self._named[label] = next((found for end in ends if (found := self._by_name.get("".join(end)))), [])
        named = self._named[label]
        if len(named) > 1 and beside is not None:
            named = [field for field in named if field[:-1] == beside[:-1]]
        return named[0] if len(named) == 1 else None

    def _labels_alike(self) -> dict[Label, set[Label]]:
        """Give the labels of the page by their words outside of brackets: "Price", "Price (incl. VAT)"."""
        lines = (full_words(match[1]) for match in _LABELLED.finditer(self._text))
        alike: dict[Label, set[Label]] = {}
        for label in (*lines, *(label for head in self.heads.heads for label in head.labels)):
            alike.setdefault(_unbracketed(label), set()).add(label)
        return alike

    def _learn(self, spans: Sequence[Span | None]) -> tuple[dict[Field, Label], dict[Label, set[Field]]]:
        votes: dict[Field, Counter[Label]] = {}
        for number, own in ((number, own) for number, own in enumerate(spans) if own is not None):
            for leaf in self._leaves.get(number, ()):
                labels = {self.label(own, match) for match in within(self._index.find(leaf.value), own)}
                if len(labels) == 1 and (label := labels.pop()):
                    votes.setdefault(leaf.field, Counter())[label] += 1
        named = {
            field: label for voter, counts in votes.items() for label in counts if (field := self._names(label, voter))
        }
        elected = {
            field: label
            for field, label in elect(votes)
            if votes[field].total() >= LEAST_VOTES or self._names(label, field) in (None, field)
        }
        voted: dict[Label, set[Field]] = {}
        for field, label in elected.items():
            if self._names(label, field) in (None, field):
                voted.setdefault(label, set()).add(field)
        mine = {
            field: label
            for field, label in elected.items()
            if (owner := self._names(label, field)) in (None, field) or elected.get(owner) == label
        }
        return mine | named, voted

    def label(self, own: Span, match: Match) -> Label | None:
        """Give the label of a place: what stands before it in its line, else its column, else the term above."""
        key = own, match.start
        if key not in self._found:
            self._found[key] = self._label_before(own, match)
        return self._found[key]

    def _label_before(self, own: Span, match: Match) -> Label | None:
        line = self._text.rfind("\n", 0, match.start) + 1
        before = self._text[max(line, match.start - _LONGEST) : match.start]
        before = _BRACKETS.sub(_without_borders, before) if "(" in before or "[" in before else before
        before = without_unit(before)
        if self._text.startswith("|", line):
            words = last_words(piece := _BORDER.split(CELL.split(before)[-1])[-1])
            column = self._of_column(own, line, match.start)
            # What leads to the value of a column with a field's name is no other label: "From £12.50", "ab 12,50 €".
            is_lead = ":" not in piece and column is not None and self._names(column) is not None
            is_label = words and not ((is_unit(piece) or is_lead) and self._names(words) is None)
            return words if is_label else column
        piece = _BORDER.split(before)[-1]
        words = last_words(piece)
        if words and self._names(words) is None:
            words = self._after_a_value(piece, own) or words
        if not words and before.lstrip(" \t>").startswith(":"):
            above = self._text.rfind("\n", 0, max(0, line - 1)) + 1
            is_term = not self._text[above:line].lstrip(" \t>").startswith(":")
            words = label_words(self._text[above:line])[-MOST_WORDS:] if is_term else ()
        return words or None

    def _after_a_value(self, piece: str, own: Span) -> Label | None:
        """Give the label of the page, or a field's name, that ends a text behind a value of the same record.

        So "Norvik Price:" is the label of a price, with a brand before it, and "Unit price:" a label of its own.
        """
        words = _WORD.findall(piece)
        said = self._record(self._number_of.get(own)).labels
        for at in range(1, len(words)):
            label = label_words(" ".join(words[at:]))
            is_one = label in self._alike or self._names(label) is not None
            before = (" ".join(words[start:at]) for start in range(at))
            if is_one and any(text.casefold() in answers() or label_words(text) in said for text in before):
                return label
        return None

    def _line_above(self, match: Match) -> Label | None:
        """Give the label that is all of the line above a value's line, up to its colon."""
        start = self._text.rfind("\n", max(0, match.start - 2 * _LONGEST), match.start)
        if start < 1:
            return None
        end = start - 1 if self._text[start - 1] == "\n" else start
        above = self._text.rfind("\n", max(0, end - _LONGEST), end) + 1
        found = _LABELLED.fullmatch(self._text[above:end].rstrip("*_ "))
        return label_words(found[1])[-MOST_WORDS:] if found else None

    def _of_column(self, own: Span, line: int, position: int) -> Label | None:
        """Give the head of a row's column, with the row's number in a place of several rows; else the column's number.

        In a table of two columns that is one record, the first cell of a row is its label.
        """
        text = self._text
        stop = text.find("\n", line)
        cells = CELL.split(text[line : stop if stop >= 0 else len(text)].strip())
        column = len(CELL.findall(text, line, position))
        others = {cell.strip(" *_") for cell in (*cells[1:column], *cells[column + 1 : -1])}
        if len(cells) > _PAIR and len(others) == 1 and (spanning := label_words(others.pop())):
            return spanning  # A cell over all columns but one: "| Total | Total | 12 |".
        head = self.heads.over(line)
        if head is not None and (own[0] <= head.start < own[1] or line == head.start):
            return label_words(cells[1]) if len(cells) == _PAIR and column > 1 else None
        row = text.count("\n", own[0], line)
        ahead = (f"#{row}",) if row or text.find("\n", *own) >= 0 else ()
        if head is None:
            return (*ahead, f"#{column}")
        if len(cells) != len(head.labels):
            return None
        return (*ahead, *(head.labels[column] or (f"#{column}",)))


def _names_of_flag(leaf: Leaf) -> set[str]:
    """Give the names of a flag, without and with its "is", as labels without blanks; none of other values."""
    is_flag = isinstance(leaf.value, bool) and leaf.field
    return {"".join(label_words(name)) for name in (leaf.field[-1], name_of(leaf))} if is_flag else set()


def _without_borders(brackets: re.Match[str]) -> str:
    return f"({' '.join(_WORD.findall(brackets[0]))})"
