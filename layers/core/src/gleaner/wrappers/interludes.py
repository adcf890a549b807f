"""What stands among the records of a page and is none: titles of groups, adverts, parts that only look like records."""

from collections.abc import Sequence
from dataclasses import dataclass

from lxml.html import HtmlElement

from gleaner.page.model import NodeRange
from gleaner.wrappers.boxes import behind_runs, common_ancestor
from gleaner.wrappers.container import Container
from gleaner.wrappers.looks import Looks, look_of, look_of_node, marks_of, part_of
from gleaner.wrappers.model import Recipe
from gleaner.wrappers.tables import Table, rows_of
from gleaner.wrappers.trees import text_of


@dataclass(frozen=True, slots=True)
class Interlude:
    """Something among the records that is none: how many stand before it, what it says and looks like, and where."""

    after: int
    text: str
    look: str
    region: NodeRange | None = None


def find_interludes(boxes: Sequence[Container], known: Looks | None = None) -> list[Interlude]:
    """Give what has a text and stands beside the records, in the elements around them up to the one around all.

    With ``known`` only what looks like one of those.
    """
    firsts = {box.elements[0] for box in boxes}
    around = common_ancestor([*firsts]) if len(firsts) > 1 else None
    if around is None:
        return []
    inside = {element for box in boxes for element in box.elements}
    above = {around}
    for node in firsts:
        parent = node.getparent()
        while parent is not None and parent not in above:
            above.add(parent)
            parent = parent.getparent()
    found: list[Interlude] = []
    count = 0

    def walk(parent: HtmlElement) -> None:
        nonlocal count
        for child in parent:
            count += child in firsts
            if child in above:
                walk(child)
            elif child not in inside and isinstance(child.tag, str) and (known is None or known.may_have(child)):
                said, look = text_of(child), look_of_node(child)
                if said and (known is None or look in known):
                    found.append(Interlude(count, said, look, boxes[0].page.region([child])))

    walk(around)
    return found


def interludes_of(recipe: Recipe, boxes: Sequence[Container], passed: Sequence[Interlude]) -> tuple[Interlude, ...]:
    """Give what is known to be none among the records and beside them; nothing when it is more than the records."""
    known = Looks((*recipe.between, *recipe.others))
    beside = [one for one in find_interludes(boxes, known) if one not in passed] if known else []
    found = sorted([*passed, *beside], key=lambda one: one.after)
    return tuple(found) if len(found) <= len(boxes) else ()


def own_parts(root: HtmlElement, boxes: Sequence[Container]) -> frozenset[str]:
    """Give the parts with classes and a text that each record has, and nothing beside the records."""
    inside = {node for box in boxes for element in box.elements for node in element.iter("*")}
    beside = {part_of(node) for node in root.iter("*") if node not in inside and node.get("class")}
    each = [{part_of(node) for node in box.nodes if node.get("class") and text_of(node)} for box in boxes]
    return frozenset.intersection(*map(frozenset, each)) - beside if each else frozenset()


def doubt_of_strays(recipe: Recipe, root: HtmlElement, boxes: Sequence[Container]) -> str:
    """Say what beside the records has a part that only records had: it may be a record in other markup."""
    if not recipe.own or not boxes:
        return ""
    own, elements = {*recipe.own}, {element for box in boxes for element in box.elements}
    found = (node for node in root.iter("*") if node.get("class") and part_of(node) in own)
    outside = (node for node in found if node not in elements and elements.isdisjoint(node.iterancestors()))
    said = next((said for node in outside if (said := text_of(node))), "")
    return f"beside the records stands what only they had: {said[:60]!r}" if said else ""


def doubt_of_runs(recipe: Recipe, boxes: Sequence[Container]) -> tuple[str, int]:
    """Say what stands behind a run that is as long as any was, and behind which: it may begin another record."""
    if recipe.lists or not any(one.is_run for one in recipe.boxes):
        return "", 0
    known = Looks((*recipe.between, *recipe.others))
    for row, node in behind_runs(boxes):
        if not known.have(node):
            return f"behind a record stands more than behind any before: {text_of(node)[:60]!r}", row
    return "", 0


def without_others(recipe: Recipe, table: Table) -> tuple[Table, list[Interlude], str, int]:
    """Give the table without containers that are no records, those known to be none, which one is strange, and its row.

    None is one that looks like what stood among the records before, and neither is one without any of the values that
    all records have; the latter is strange if nothing looked like it before.
    """
    always = [column for column in table.columns if column.one.is_always_there and column.one.selectors]
    known, foreign = Looks(recipe.others), frozenset(recipe.foreign)
    gone: set[int] = set()
    strange, at = "", 0
    passed: list[Interlude] = []
    for row, box in enumerate(table.boxes):
        is_other = known.have(box.elements[0]) or (bool(foreign) and not foreign.isdisjoint(marks_of(box)))
        is_empty = bool(always) and all(column.cells[row] is None for column in always)
        if is_other:
            passed.append(Interlude(row - len(gone), box.whole_text, look_of(box), box.page.region(box.elements)))
        if is_other or is_empty:
            gone.add(row)
        if is_empty and not is_other and not strange:
            strange, at = f"something among the records has none of their values: {look_of(box)}", row
    if not gone:
        return table, [], "", 0
    return rows_of(table, [row for row in range(len(table.boxes)) if row not in gone]), passed, strange, at
