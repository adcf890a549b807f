"""The guard: what makes a field doubtful on a page although its selectors agree. Each doubt is said in plain words."""

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import date
from itertools import pairwise

from lxml.html import HtmlElement

from gleaner.html.dom import classes_of
from gleaner.values.plurals import are_same_words
from gleaner.wrappers.container import Container
from gleaner.wrappers.cuts import parts_between
from gleaner.wrappers.labels import BEHIND
from gleaner.wrappers.looks import look_of_holder, look_of_text
from gleaner.wrappers.model import FieldRecipe, Figures, Selector
from gleaner.wrappers.places import is_made, names_field, signs_in, words_in, words_of_field
from gleaner.wrappers.readings import (
    MARKS,
    OVER,
    PLACEHOLDERS,
    STRUCTURAL,
    UNREAD,
    Cell,
    Readers,
    as_template,
    has_figure,
    is_figure,
    is_nothing,
    is_typed,
    mask,
    shape_of,
    words_beside,
)
from gleaner.wrappers.selectors import (
    SEVERAL_TEXTS,
    cut_text,
    cut_texts,
    heads_of,
    is_in_parts,
    marked_text,
    reads_a_part,
)
from gleaner.wrappers.tables import Column, Table, items_of
from gleaner.wrappers.trees import LINE_END, Spot, label_form, squeeze

_MANY = 5
"""So many records tell whether values are all different, or a column is empty."""

_FAR = 50
"""Numbers are of another size when most are so many times larger or smaller than any before."""

_SIGNS = "#$€£¥@•+*%&/|"
_SHORT, _LONG = 40, 60
_OFTEN_NULL = 0.3
_MUCH_LONGER = 4
_OTHER_KIND = 0.7
"""Texts are of another kind when the share of those with a figure has changed by so much."""
_TELLING_PAGES = 2
"""So many pages about one thing show that a text always has figures, or more than one word."""
_PAGES_OF_WORDS, _FEW_WORDS = 3, 2
"""So many pages show that a text is always one word: more than so many others are another fact."""
_HALF_A_YEAR = 182
"""Days between neighbours, against the order of the others, below a heading that states their year."""
_CHANCE = 0.02
"""What is less likely than this is taken for a change of the layout."""


def claimed_by(row: int, table: Table) -> list[str]:
    """Give the texts of a container that fields are read from: of long ones, or with several numbers, but a part.

    Not those that can't be read: they may say more than one field. A day or a number that is read from all of a long
    text leaves the rest of it to other fields.
    """
    said = [
        marked_text(column.selector, text)
        if column.selector and (len(text) > _LONG or mask(text).count("9") > 1)
        else text
        for column in table.columns
        if column.cells[row] is not UNREAD
        for text in column.texts[row]
        if len(text) <= _LONG or column.selector is None or not reads_a_part(column.selector)
    ]
    return said + [item.whole_text for items in table.lists for item in items_of(items.one, table.boxes[row])]


def doubt_of_field(one: FieldRecipe, cells: Sequence[Cell], *, is_fallen: bool, is_single: bool) -> str:
    """Say why a field's values are not like those that the recipe was learned from; "" when they are.

    A page about one thing may lack a fact that the few before it had, if the fact went by its name: what else stands
    on the page decides then.
    """
    if not one.selectors or not cells:
        return ""
    known = [cell for cell in cells if cell is not None and cell is not UNREAD and cell != []]
    may_lack = one.blank or one.omitted or one.is_array or one.is_zero
    if one.is_needed and not may_lack and len(known) < len(cells):
        return f"it is missing in {len(cells) - len(known)} of {len(cells)} records, and the schema takes no null"
    if UNREAD in cells:
        return f"what stands in its place can't be read ({len(cells) - cells.count(UNREAD)} of {len(cells)} can)"
    may_be_looked_for = _goes_by_name(one) if is_single else bool(known) and _goes_by_mark(one)
    if one.is_always_there and len(known) < len(cells) and not may_be_looked_for:
        return f"it is missing in {len(cells) - len(known)} of {len(cells)} records, and never was"
    figures = one.figures
    if is_fallen and known and figures.nulls:
        return "only its mere place on the page is left to read it by"
    if known:
        return _doubt_of_values(figures, known)
    was_common = figures.nulls < _OFTEN_NULL * figures.count
    return "it is missing in all records" if was_common and len(cells) >= _MANY else ""


def _goes_by_mark(one: FieldRecipe) -> bool:
    """Tell whether a field of a list is read by a class, label or column that stands for it, and may lack."""
    return any(each.place.kind in ("class", "label", "column", "attribute") for each in one.selectors)


def _goes_by_name(one: FieldRecipe) -> bool:
    words = words_of_field(one.steps)
    if any(isinstance(value, bool) for each in one.selectors for value in each.words.values()):
        return False
    return any(
        each.place.kind in ("label", "column", "sign") or names_field(each.place, words) for each in one.selectors
    )


def _doubt_of_values(figures: Figures, known: Sequence[object]) -> str:
    are_all_different = figures.distinct >= _MANY and figures.distinct == figures.count - figures.nulls
    if are_all_different and len(known) >= _MANY and len({repr(value) for value in known}) == 1:
        return "all records have the same value, and no two had"
    numbers = sorted(float(value) for value in known if isinstance(value, int | float) and not isinstance(value, bool))
    if numbers and figures.lowest is not None and figures.highest is not None and len(numbers) >= 2:
        middle = abs(numbers[len(numbers) // 2])
        low, high = sorted((abs(figures.lowest), abs(figures.highest)))
        if middle > max(1.0, high) * _FAR or (low > 0 and middle * _FAR < low):
            return "its numbers are of another size than before"
    return ""


def doubt_of_shares(one: FieldRecipe, selector: Selector, cells: Sequence[Cell]) -> str:
    """Say that no record has what made a flag true or false, or a value absent, when many had it."""
    figures = one.figures
    if not figures.count or (selector.presence is None and None not in selector.words.values()):
        return ""
    share = figures.share if selector.presence else 1 - figures.share
    share = share if selector.presence is not None else figures.nulls / figures.count
    is_gone = selector.presence not in cells and (1 - share) ** len(cells) < _CHANCE
    return f"no record has what {share:.0%} of the records had where it is {selector.presence}" if is_gone else ""


def doubt_of_texts(
    one: FieldRecipe, selector: Selector, said: Sequence[Sequence[str]], elsewhere: Collection[str] | None = None
) -> str:
    """Say what is strange about the texts that a selector reads of a field in each record; "" when nothing is.

    ``elsewhere`` is what a page about one thing says beside the texts of its fields.
    """
    figures = one.figures
    if selector.goes_by_words or selector.presence is not None or not figures.longest:
        return ""
    told = (text for texts in said for text in texts if text not in selector.words)
    cut = cut_texts(selector, (text for text in told if text not in PLACEHOLDERS))
    if is_typed(selector.reading):
        has_words = bool(figures.words) and is_figure(selector.reading)
        odd = next((text for text in cut if has_words and not are_same_words(words_beside(text), figures.words)), None)
        if odd is not None:
            return f"its number is of something else: {odd[:60]!r}, without {' '.join(figures.words)!r}"
        strange = next((text for text in cut if figures.shapes and shape_of(text) not in figures.shapes), None)
        return "" if strange is None else f"it is written otherwise: {strange[:60]!r}"
    if selector.source:
        return ""
    is_labelled = selector.place.kind == "label" and not selector.cuts
    if elsewhere is not None and (odd := _doubt_of_one_text(figures, cut, elsewhere, is_labelled=is_labelled)):
        return odd
    if figures.figured == 1 and figures.count - figures.nulls >= _MANY:
        odd = next((text for text in cut if not has_figure(text)), None)
        if odd is not None:
            return f"it had figures and has none now: {odd[:60]!r}"
    share = sum(map(has_figure, cut)) / max(1, len(cut))
    if figures.figured is not None and len(cut) >= _MANY and abs(share - figures.figured) > _OTHER_KIND:
        return f"texts with figures were {figures.figured:.0%} of all, and now are {share:.0%}"
    alone = [cut_text(selector, texts[0]) for texts in said if len(texts) == 1 and "\n" not in texts[0]]
    if (selector.many or selector.parted) and (
        odd := next((text for text in alone if _looks_like_several(text, figures)), "")
    ):
        return f"an item looks like several: {odd[:60]!r}"
    return next(
        (f"{why}: {text[:60]!r}" for why, is_odd in _odd_texts(figures, selector) for text in cut if is_odd(text)), ""
    )


def doubt_of_order(selector: Selector, cells: Sequence[Cell], said: Sequence[Sequence[str]]) -> str:
    """Say that days which leave their year to one heading may be of two: January stands below December of it."""
    if selector.over is None:
        return ""
    read = [
        (cell, texts[0].partition(OVER)[2]) for cell, texts in zip(cells, said, strict=True) if isinstance(cell, str)
    ]
    days = [(date.fromisoformat(cell[:10]), over) for cell, over in read]
    steps = [(after - day).days for (day, over), (after, other) in pairwise(days) if over == other]
    falling = sum(1 if step < 0 else -1 for step in steps if 0 < abs(step) <= _HALF_A_YEAR)
    is_turned = any(step > _HALF_A_YEAR if falling > 0 else step < -_HALF_A_YEAR for step in steps)
    return "its days go back by more than half a year below one heading" if is_turned else ""


def _doubt_of_one_text(figures: Figures, texts: Sequence[str], elsewhere: Collection[str], *, is_labelled: bool) -> str:
    """Say why a text of a page about one thing may be another field's: there is no column to compare it with.

    How many words it has tells nothing where it is all that a label names.
    """
    is_told = figures.count - figures.nulls >= _TELLING_PAGES
    for text in texts:
        letters, digits = sum(map(str.isalpha, text)), sum(map(str.isdigit, text))
        template = as_template(text)
        if template in elsewhere or any(template.startswith(one[:-1]) for one in elsewhere if one.endswith("*")):
            return f"it says what stood elsewhere: {text[:60]!r}"
        if not figures.wordless and digits > 1 and digits >= 2 * letters:
            return f"it was a text and is a number now: {text[:60]!r}"
        if is_told and figures.figured == 1 and figures.most <= _FEW_WORDS and not digits:
            return f"it had figures and has none now: {text[:60]!r}"
        if is_told and figures.fewest > _FEW_WORDS and len(text.split()) == 1 and not is_labelled:
            return f"it is a single word, and all were several: {text[:60]!r}"
        was_word = figures.count - figures.nulls >= _PAGES_OF_WORDS and figures.most == 1 and not is_labelled
        if was_word and len(text.split()) > _FEW_WORDS:
            return f"it has several words, and none had: {text[:60]!r}"
    return ""


def _looks_like_several(text: str, figures: Figures) -> bool:
    """Tell whether the one text of a list has what may part items, or several words: no list learned from had that."""
    has_words = figures.most == 1 and len(text.split()) > 1
    return has_words or any(one in MARKS and one not in figures.marks for one in text)


def _odd_texts(figures: Figures, selector: Selector) -> Iterator[tuple[str, Callable[[str], bool]]]:
    """Give what may be strange about a text, in words, and what tells it."""
    if not figures.wordy:
        yield "it was no text and is one now", lambda text: sum(map(str.isalpha, text)) > sum(map(str.isdigit, text))
    if not figures.wordless:
        yield "it was a text and is none now", lambda text: not any(map(str.isalpha, text))
    if selector.cuts:
        yield (
            "a part of a text has a sign that none had",
            lambda text: any(one in STRUCTURAL and one not in figures.inner for one in text),
        )
    if cuts_remarks(selector):
        yield (
            "it ends with a remark that none had",
            lambda text: bool(said := remark_of(text)) and mask(said) not in figures.remarks,
        )
    yield "it begins otherwise", lambda text: text[0] in _SIGNS and text[0] not in figures.signs
    yield "it is much longer than before", lambda text: len(text) > _MUCH_LONGER * figures.longest + 80


def cuts_remarks(selector: Selector) -> bool:
    """Tell whether a selector cuts remarks in brackets off some texts."""
    return any("(" in mark or "[" in mark for cut in selector.cuts for mark in (cut.before, cut.after))


def remark_of(text: str) -> str:
    """Give what a text ends with in brackets; "" for nothing.

    >>> remark_of("Ashton v. Roe (Davis, J. dissenting)"), remark_of("(Re) Ashton")
    ('(Davis, J. dissenting)', '')
    """
    return text[max(text.rfind("("), text.rfind("[")) :] if text.endswith((")", "]")) and len(text) > 1 else ""


def unclaimed_part(row: int, column: Column, table: Table, noise: Collection[str]) -> str:
    """Give the part of a record's text that no field reads, where the text may lack a part: it may be the value."""
    sign = next((cut.sign for each in column.one.selectors for cut in each.cuts if cut.sign), "")
    others = [other for other in table.columns if other is not column and other.cells[row] is not None]
    for text in column.texts[row] if sign else ():
        elsewhere = {said for other in others for said in other.texts[row] if said != text}
        here = (each for other in others if text in other.texts[row] for each in other.one.selectors)
        read = [found for each in here for cut in each.cuts if (found := cut.find(text)) is not None]
        for start, end in parts_between(sign, text):
            is_read = any(first < end and start < last for _, first, last, _ in read)
            if start < end and not is_read and text[start:end] not in elsewhere and text[start:end] not in noise:
                return text[start:end]
    return ""


class PageGuard:
    """Judges absent values by what else the records of a page say; ``labels`` are those that fields are read by."""

    def __init__(
        self,
        noise: Collection[str],
        *,
        is_single: bool,
        is_open: bool = True,
        labels: Collection[str] = (),
        elsewhere: Collection[str] = (),
    ) -> None:
        self._noise = frozenset(noise)
        self._labels = frozenset(labels)
        self.is_single = is_single
        self.elsewhere = frozenset(elsewhere) if is_single else None
        self._is_open = is_open
        """Whether a record's other texts are looked at."""
        self._lines_new = _NewLines(self._noise)
        self._free: dict[int, list[tuple[str, bool]]] = {}

    def doubt_of_absence(self, column: Column, table: Table, readers: Readers) -> str:
        """Say why a value that seems absent may be there: a text that no field claims could be it."""
        one, known = column.one, column.cells
        if self.is_single and any(column.texts):
            return ""
        missing = [row for row, cell in enumerate(known) if cell is None or cell == []]
        is_common = len(missing) < len(known) or self.is_single or bool(one.figures.nulls)
        if not self._is_open or not is_common:
            return ""
        if self.is_single:
            return self._doubt_of_page(one, table, readers) if missing else ""
        for row in missing:
            if part := unclaimed_part(row, column, table, self._noise):
                return f"it seems absent from a record that says {part[:60]!r}"
            for text, is_usual in self._free_texts(row, table):
                is_like = shape_of(text) in one.figures.shapes if is_usual else could_be(one, text, readers)
                if is_like or (not is_usual and one.is_zero and any(map(str.isdigit, text))):
                    return f"it seems absent from a record that says {text[:60]!r}"
        return ""

    def _free_texts(self, row: int, table: Table) -> list[tuple[str, bool]]:
        """Give the texts of a record that no field claims and no record had, and whether others stood in such parts."""
        known = self._free.get(row)
        if known is None:
            claimed = claimed_by(row, table)
            exact = frozenset(claimed)
            known = self._free[row] = [
                (line, look_of_holder(holder) in self._noise)
                for text, holder in table.boxes[row].strings()
                for line in self._lines_new[text]
                if line not in exact and not is_claimed(line, claimed)
            ]
        return known

    def _doubt_of_page(self, one: FieldRecipe, table: Table, readers: Readers) -> str:
        """Say why the value may be on a page about one thing: by a name, in a new part, or behind a new label."""
        box, claimed, words = table.boxes[0], claimed_by(0, table), words_of_field(one.steps)
        named = (
            name
            for name in names_on(box)
            if name not in self._noise and words & {*words_in(name)} and not _is_no_name(name)
        )
        new = next((name for name in named if not is_nothing(name.rpartition(" ")[2])), "")
        if new:
            return f"it seems absent, and the page has {new!r}"
        return (
            _said_otherwise(one, box)
            or self._news(one, box, claimed, readers)
            or self._behind_new_label(one, box, claimed, readers)
        )

    def _behind_new_label(self, one: FieldRecipe, box: Container, claimed: Sequence[str], readers: Readers) -> str:
        """Say what of no field stands behind a label that no page had: it may be what seems absent.

        Where the labels of fields are known, only what looks like one of them is a label.
        """
        goes_behind = any(each.place.value.startswith(BEHIND) for each in one.selectors)
        looks, words = self._looks_of_labels(box, BEHIND if goes_behind else ""), words_of_field(one.steps)
        is_of_type = bool(one.selectors) and is_typed(one.selectors[0].reading)
        for label, spots in box.labelled.items():
            is_its = not words.isdisjoint(words_in(label)) and len(label) <= _SHORT
            is_behind = label.startswith(BEHIND) and not goes_behind
            is_known = is_behind or label in self._noise or any(map(str.isdigit, label))
            if (is_known or (looks and label.removeprefix(BEHIND) not in looks)) and not is_its:
                continue
            for spot in spots:
                said = spot if isinstance(spot, str) else box.text(spot)
                is_figure = one.is_figure and any(map(str.isdigit, said))
                is_new = len(said) <= _SHORT and label_form(said) not in self._noise
                could = could_be(one, said, readers) or _has_source(one, spot)
                is_one = is_new and (is_figure or ((looks or is_its or is_of_type) and could))
                if is_one and not is_claimed(said, claimed):
                    new = "" if is_known else ", which is new"
                    return f"it seems absent, and {said!r} stands behind {label!r}{new}"
        return ""

    def _looks_of_labels(self, box: Container, side: str) -> frozenset[str]:
        """Give the texts of the elements that look like the labels on a side of the values by which fields are read."""
        labels = [one.removeprefix(BEHIND) for one in self._labels if one.startswith(BEHIND) == bool(side)]
        looks = {
            look_of_holder(node) for label in labels for node in box.by_label.get(box.label_names.get(label, label), ())
        }
        said = box.by_label.items() if looks else ()
        return frozenset(label for label, nodes in said if any(look_of_holder(node) in looks for node in nodes))

    def _news(self, one: FieldRecipe, box: Container, claimed: Sequence[str], readers: Readers) -> str:
        """Say what on a page about one thing stands in a part that no page had, and could be the value."""
        said = [(node.get(each.source), node, each) for each in one.selectors[:1] for node in box.nodes if each.source]
        for text, node, each in said:
            is_new = text and look_of_text(text, node) not in self._noise and not is_claimed(text, claimed)
            if is_new and is_typed(each.reading) and readers.of(each.reading)[text] not in (None, UNREAD):
                return f"it seems absent, and {text[:60]!r} stands in a part that is new"
        for text, holder in box.pieces:
            is_new = look_of_text(text, holder) not in self._noise or self._has_new_sign(holder)
            is_new = is_new and not is_claimed(text, claimed)
            if is_new and (could_be(one, text, readers) or (one.is_figure and any(map(str.isdigit, text)))):
                return f"it seems absent, and {text[:60]!r} stands in a part that is new"
        return ""

    def _has_new_sign(self, holder: HtmlElement) -> bool:
        """Tell whether an icon that no page had stands beside a text."""
        around = holder.getparent()
        signs = (sign for node in (holder, around) if node is not None for sign in signs_in(node))
        return any(token not in self._noise for sign in signs for token in classes_of(sign) if len(token) <= _SHORT)


def _doubt_of_head(column: Column, table: Table) -> str:
    """Say that a column has another head than it had, and the field's place may be another's now.

    That is so where another field had this head, and where most of the table's heads are others.
    """
    mine = {*column.one.figures.heads}
    here = heads_of([column.selector], table.boxes[0]) if column.selector and mine and table.boxes else set[str]()
    if not here or here & mine:
        return ""
    had = [{*other.one.figures.heads} for other in table.columns if other.one.figures.heads]
    is_other = 2 * sum(1 for heads in had if heads & {*table.boxes[0].columns}) < len(had)
    return f"it stands under another head: {min(here)[:60]!r}" if is_other or here & set[str]().union(*had) else ""


def judge(table: Table, guard: PageGuard, readers: Readers) -> None:
    """Put fields in doubt whose values are not as they were where the recipe was learned."""
    kinds = [*{box.shape: box for box in reversed(table.boxes)}.values()]
    for column in table.columns:
        one, selector = column.one, column.selector
        column.doubt = column.doubt or doubt_of_field(
            one, column.cells, is_fallen=column.is_fallen, is_single=guard.is_single
        )
        if selector is not None and not column.doubt:
            column.doubt = doubt_of_shares(one, selector, column.cells) or doubt_of_texts(
                one, selector, column.texts, guard.elsewhere
            )
            column.doubt = column.doubt or doubt_of_order(selector, column.cells, column.texts)
            column.doubt = column.doubt or _doubt_of_head(column, table)
            if not (column.doubt or one.figures.composed) and any(is_in_parts(selector, box) for box in kinds):
                column.doubt = "it stood in one part, and now there are several in its place"
        column.doubt = column.doubt or guard.doubt_of_absence(column, table, readers)
    if guard.is_single and any(SEVERAL_TEXTS in said for column in table.columns for said in column.texts):
        for column in table.columns:
            column.doubt = column.doubt or _doubt_of_home(column)
    for items in table.lists:
        if 0 in items.counts and (items.one.fewest or is_made(items.one.items.value)):
            items.doubt = items.doubt or "it has no items, and always had some"
        judge(items.table, PageGuard((), is_single=False, is_open=False), readers)
        broken = next((column for column in items.table.columns if column.doubt and not column.one.unread), None)
        if broken is not None:
            items.doubt = items.doubt or f"{broken.one.name} of its items: {broken.doubt}"


def _doubt_of_home(column: Column) -> str:
    """Say that a value may be another thing's on a page that has a part of its one thing twice.

    What each page learned from had once, and this one has once, is the thing's own.
    """
    one, selector = column.one, column.selector
    may_lack = one.figures.nulls or (selector and (selector.many or selector.parted or selector.presence is not None))
    return "it may be a second thing's, of which the page shows parts" if may_lack and selector else ""


class _NewLines(dict[str, tuple[str, ...]]):
    """The lines of each text that are not blank, and not known as noise."""

    def __init__(self, noise: frozenset[str]) -> None:
        super().__init__()
        self._noise = noise

    def __missing__(self, text: str) -> tuple[str, ...]:
        lines = (squeeze(part) for part in text.split(LINE_END))
        self[text] = found = tuple(line for line in lines if line and mask(line) not in self._noise)
        return found


def doubt_of_new_parts(boxes: Sequence[Container], noise: Collection[str]) -> tuple[str, int]:
    """Say which text stands in a part that no record had, and in which record; "" when there is none such.

    In most records at once it is something that the site shows now; in a few, those may be something else than records.
    """
    found, count = ("", 0), 0
    for row, box in enumerate(boxes):
        for at in box.shape.strange if box.shape else ():
            said = box.nodes[at].text
            if said and not said.isspace() and mask(squeeze(said)) not in noise:
                count += 1
                found = found if found[0] else (f"a record says {squeeze(said)[:60]!r} in a part that none had", row)
                break
        if 2 * count > len(boxes):
            return "", 0
    return found


def is_claimed(text: str, claimed: Sequence[str]) -> bool:
    """Tell whether a piece of text is a part of what some field is read from, or holds it."""
    return any(text in said or (len(said) > 2 and said in text) for said in claimed)


def names_on(box: Container) -> Iterator[str]:
    """Give what names parts of a page: labels, classes and ids."""
    yield from box.labelled
    yield from box.by_class
    yield from (value for name, value in box.by_attribute if name in ("id", "itemprop", "property") and value)


def _is_no_name(name: str) -> bool:
    """Tell whether what seems to name a part is a sentence, or a value that stands before a text."""
    return len(name) > _SHORT or (name.startswith(BEHIND) and has_figure(name))


def _said_otherwise(one: FieldRecipe, box: Container) -> str:
    """Say which text has the words of one that a field was read by, with another sign or number of figures."""
    words = {words_beside(each.place.value) for each in one.selectors if each.place.kind == "says"} - {()}
    said = (box.text(node) for node in box.nodes if words)
    short = (text for text in said if len(text) <= _LONG and has_figure(text))
    text = next((text for text in short if words_beside(text) in words), "")
    return f"it seems absent, and the page says {text[:60]!r}" if text else ""


def _has_source(one: FieldRecipe, spot: Spot) -> bool:
    """Tell whether what stands behind a label has the attribute that a field is read from."""
    sources = {each.source for each in one.selectors if each.source}
    return not isinstance(spot, str) and any(node.get(source) for source in sources for node in spot.iter("*"))


def could_be(one: FieldRecipe, text: str, readers: Readers) -> bool:
    """Tell whether a text could be a value of a field: what says that there is none is no value."""
    if is_nothing(text):
        return False
    if not one.selectors:
        return any(map(str.isdigit if one.is_figure else str.isalnum, text))
    selector = one.selectors[0]
    if selector.goes_by_words or selector.presence is not None or selector.source:
        return False
    if is_typed(selector.reading):
        said = {text, *(cut_text(each, text) for each in one.selectors)}
        values = [readers.of(selector.reading)[each] for each in said]
        return any(value is not None and value is not UNREAD for value in values)
    is_code = (one.figures.wordless or not one.figures.wordy) and has_figure(text)
    return is_code or (one.figures.wordy and any(map(str.isalpha, text)))
