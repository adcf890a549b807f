"""What sites do to their layouts. Each change takes a page with its marks and its records, and gives both as they are now."""

import hashlib
import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from random import Random
from typing import Any, cast

from lxml import html as parser
from lxml.html import HtmlElement

from layouts.design import Design, Record, Style, page_of

Changed = tuple[str, list[Record]]
Change = Callable[[Design, Sequence[Record], Random], Changed]
_ANY: Any = "*"
_SOLID = frozenset({"tr", "td", "th", "li", "dt", "dd", "tbody", "figure"})


def _tree(design: Design, records: Sequence[Record], style: Style | None = None) -> HtmlElement:
    return parser.document_fromstring(page_of(design, records, style or Style()))


def _text(root: HtmlElement) -> str:
    return "<!DOCTYPE html>" + parser.tostring(root, encoding="unicode")


def _records(root: HtmlElement) -> list[HtmlElement]:
    return cast(list[HtmlElement], root.xpath("//*[@x-r]"))


def _main(root: HtmlElement) -> HtmlElement:
    return root.get_element_by_id("content")


def rename_classes(design: Design, records: Sequence[Record], random: Random) -> Changed:
    root, salt = _tree(design, records), str(random.random())
    for node in root.iter(_ANY):
        if node.get("class"):
            tokens = node.get("class", "").split()
            node.set("class", " ".join("k" + hashlib.sha256(f"{salt}{t}".encode()).hexdigest()[:6] for t in tokens))
    return _text(root), [*records]


def rename_plainly(design: Design, records: Sequence[Record], random: Random) -> Changed:
    """Give each class another name that a person could have chosen."""
    root = _tree(design, records)
    for node in root.iter(_ANY):
        if node.get("class"):
            node.set("class", " ".join(f"x-{token[::-1]}" for token in node.get("class", "").split()))
    return _text(root), [*records]


def new_deploy(design: Design, records: Sequence[Record], random: Random) -> Changed:
    """Change the class names that the build tool makes, and those only."""
    return page_of(design, records, Style(salt=str(random.random()))), [*records]


def add_wrapper(design: Design, records: Sequence[Record], random: Random) -> Changed:
    """Put all that each record holds into one more box, or the list when that would be no HTML."""
    root = _tree(design, records)
    for record in _records(root) or [_main(root)]:
        if record.tag in ("tr", "dl", "ul", "dt", "h2", "h3"):
            continue
        box = parser.Element("div")
        box.text, record.text = record.text, None
        box.extend(list(record))
        record.append(box)
    main = _main(root)
    outer = parser.Element("section")
    outer.extend(list(main))
    main.append(outer)
    return _text(root), [*records]


def _fields(root: HtmlElement, name: str) -> list[HtmlElement]:
    return cast(list[HtmlElement], root.xpath(f"//*[@x-f='{name}']"))


def _moved(design: Design, root: HtmlElement) -> list[str]:
    """Give the fields that stand in an element of their own, outside those of others."""
    names = [*design.schema["properties"]]  # type: ignore[arg-type]
    return [
        name
        for name in names
        if (found := _fields(root, name))
        and not any(node.xpath("ancestor::*[@x-f] | descendant::*[@x-f]") for node in found)
        and not any(node.get("x-r") is not None for node in found)
    ]


def _may_exchange(one: HtmlElement, other: HtmlElement) -> bool:
    """Tell whether both may stand where the other does."""
    return one.tag == other.tag or not {one.tag, other.tag} & _SOLID


def swap_fields(design: Design, records: Sequence[Record], random: Random) -> Changed:
    """Let two fields change places, with their elements, classes and heads of columns."""
    root = _tree(design, records)
    names = _moved(design, root)
    random.shuffle(names)
    pairs = [(a, b) for n, a in enumerate(names) for b in names[n + 1 :]]
    same = [(a, b) for a, b in pairs if len(_fields(root, a)) == len(_fields(root, b))]
    same = [(a, b) for a, b in same if all(map(_may_exchange, _fields(root, a), _fields(root, b)))]
    same = [(a, b) for a, b in same if [*map(_home, _fields(root, a))] == [*map(_home, _fields(root, b))]]
    for one, other in zip(*(_fields(root, name) for name in same[0]), strict=True) if same else ():
        _exchange(one, other)
    return _text(root), [*records]


def _home(node: HtmlElement) -> HtmlElement | None:
    """Give the record that an element stands in, if one is marked around it."""
    return next((above for above in node.iterancestors() if above.get("x-r") is not None), None)


def _exchange(one: HtmlElement, other: HtmlElement) -> None:
    first, second = deepcopy(one), deepcopy(other)
    first.tail, second.tail = other.tail, one.tail
    cast(HtmlElement, one.getparent()).replace(one, second)
    cast(HtmlElement, other.getparent()).replace(other, first)


def swap_contents(design: Design, records: Sequence[Record], random: Random) -> Changed:
    """Let two fields change places, contents only: the elements, their classes and heads stay (and say the other)."""
    root = _tree(design, records)
    names = _moved(design, root)
    random.shuffle(names)
    pairs = [(a, b) for n, a in enumerate(names) for b in names[n + 1 :]]
    same = [
        (a, b)
        for a, b in pairs
        if [*map(_home, _fields(root, a))] == [*map(_home, _fields(root, b))]
        and {type(r[a]) for r in records} != {type(r[b]) for r in records}
    ]
    for one, other in zip(*(_fields(root, name) for name in same[0]), strict=True) if same else ():
        if one.tag != "th" or one.getparent() is None or one.getparent().find("td") is not None:  # type: ignore[union-attr]
            held = one.text, list(one)
            one.text = other.text
            one[:] = list(other)
            other.text = held[0]
            other[:] = held[1]
    return _text(root), [*records]


def remove_field(design: Design, records: Sequence[Record], random: Random) -> Changed:
    """Show one field no more that the schema lets be absent; none when there is no such field."""
    root = _tree(design, records)
    names = _moved(design, root)
    optional = [name for name in names if _is_nullable(design, name)]
    if not optional:
        return _text(root), [*records]
    gone = random.choice(optional)
    for node in _fields(root, gone):
        node.drop_tree()
    empty = [] if isinstance(records[0][gone], list) else None
    return _text(root), [{**one, gone: empty} for one in records]


def _is_nullable(design: Design, name: str) -> bool:
    kind = cast(Any, design.schema)["properties"][name].get("type")
    return kind == "array" or (isinstance(kind, list) and "null" in kind)


def reorder_rows(design: Design, records: Sequence[Record], random: Random) -> Changed:
    mixed = random.sample(records, len(records))
    if design.sorted_by:
        mixed = sorted(mixed, key=lambda one: one[design.sorted_by], reverse=True)
    return page_of(design, mixed, Style()), mixed


def banner(design: Design, records: Sequence[Record], random: Random) -> Changed:
    """Put a notice above the content, and a box with a price and a date among the things in it."""
    root = _tree(design, records)
    main = _main(root)
    main.insert(
        0,
        parser.fragment_fromstring(
            '<div class="notice"><b>Summer sale</b>: until August 31, 2026 from $9.99, 40 points each</div>'
        ),
    )
    return _text(root), [*records]


def new_field(design: Design, records: Sequence[Record], random: Random) -> Changed:
    """Show one thing more in each record, written like one of the fields: another number, day or name."""
    root = _tree(design, records)
    names = _moved(design, root)
    if not names:
        return _text(root), [*records]
    like = random.choice(names)
    for number, node in enumerate(_fields(root, like)):
        twin = deepcopy(node)
        twin.tail = None
        for part in twin.iter(_ANY):
            part.set("class", "fresh")
            part.attrib.pop("x-f", None)
            for name in ("text", "tail"):
                setattr(part, name, _shifted(getattr(part, name), number + 3))
        node.addnext(twin)
        twin.tail, node.tail = node.tail, None
    return _text(root), [*records]


def _shifted(text: str | None, by: int) -> str | None:
    """Give other figures, or where there are none, the words in another order: what says the same is no other thing."""
    if text and not re.search(r"\d", text):
        words = text.split()
        return " ".join([*words[1:], *words[:1]])
    return re.sub(r"\d", lambda digit: str((int(digit[0]) + by) % 10), text) if text else text


def other_money(design: Design, records: Sequence[Record], random: Random) -> Changed:
    """Write amounts in another currency, with a decimal comma."""
    return page_of(design, records, Style(currency="EUR")), [*records]


def other_dates(design: Design, records: Sequence[Record], random: Random) -> Changed:
    return page_of(design, records, Style(dates="german")), [*records]


def sponsored(design: Design, records: Sequence[Record], random: Random) -> Changed:
    """Mix in offers that are no records: other markup, and something like a title and a price."""
    root = _tree(design, records)
    for number, node in enumerate(_records(root)[2::5]):
        parent = cast(HtmlElement, node.getparent())
        tag = node.tag if node.tag in _SOLID else "div"
        inner = f"<h3>Best offer {number}</h3><p>Only $ {number + 3}.99 this week</p>"
        if tag == "tr":
            inner = f"<td colspan=9>{inner}</td>"
        made = parser.fragment_fromstring(
            f"<table><{tag} class='sponsored-item'>{inner}</{tag}></table>"
            if tag == "tr"
            else f"<{tag} class='sponsored-item'>{inner}</{tag}>"
        )
        if tag == "tr":
            made = made.xpath(".//tr")[0]
        made.tail = None
        parent.insert(parent.index(node), made)
    return _text(root), [*records]


def translated(design: Design, records: Sequence[Record], random: Random) -> Changed:
    """Translate the labels, not the values."""
    html = page_of(design, records, Style())
    for word, other in labels_of(design, records).items():
        before = r"(?<![^\W\d_])" if word[0].isalpha() else ""
        whole = before + re.escape(word) + (r"(?!\w)" if word[-1].isalpha() else "")
        html = re.sub(rf"(>[^<]*?){whole}(?=[^<]*<)", lambda m, other=other: m[1] + other, html)
    return html, [*records]


def labels_of(design: Design, records: Sequence[Record]) -> dict[str, str]:
    """Give the words of a design that no value of the records has, with their translations."""
    said = str([[*one.values()] for one in records]).casefold()
    return {word: other for word, other in design.words.items() if word.casefold().strip(": ") not in said}


def redesign(design: Design, records: Sequence[Record], random: Random) -> Changed:
    """Show the same elements' contents in a new design: plain cards, the fields the other way round."""
    root = _tree(design, records)
    found = _records(root)
    if (
        not found
        or any(node.tag in ("dt", "h2", "h3") for node in found)
        or design.name in ("hacker_news", "thread_of_quotes", "blog_comments")
    ):
        return rename_classes(design, records, random)
    cards = "".join(_card(node) for node in found)
    main = _main(root)
    main[:] = [parser.fragment_fromstring(f"<section class='board'>{cards}</section>")]
    return _text(root), [*records]


def _card(node: HtmlElement) -> str:
    kept = cast(list[HtmlElement], node.xpath("descendant-or-self::*[@x-f and not(ancestor::*[@x-f])]"))
    parts: list[str] = []
    for one in reversed(kept):
        inner = (one.text or "") + "".join(parser.tostring(child, encoding="unicode") for child in one)
        if one.tag in ("a", "img", "time", "source", "i", "relative-time"):
            bare = deepcopy(one)
            bare.tail = None
            inner = parser.tostring(bare, encoding="unicode")
        parts.append(f"<div class='tile-{one.get('x-f', '')[::-1]}'>{inner}</div>")
    return f"<article class='tile'>{''.join(parts)}{_rest(node)}</article>"


def _rest(node: HtmlElement) -> str:
    """Give what stands in a record beside its fields."""
    copy = deepcopy(node)
    for one in cast(list[HtmlElement], copy.xpath("descendant::*[@x-f and not(ancestor::*[@x-f])]")):
        one.drop_tree()
    return "<div class='rest'>" + "".join(parser.tostring(child, encoding="unicode") for child in copy) + "</div>"


CHANGES: dict[str, Change] = {
    "rename_classes": rename_classes,
    "rename_plainly": rename_plainly,
    "new_deploy": new_deploy,
    "add_wrapper": add_wrapper,
    "swap_fields": swap_fields,
    "swap_contents": swap_contents,
    "remove_field": remove_field,
    "reorder_rows": reorder_rows,
    "banner": banner,
    "new_field": new_field,
    "other_money": other_money,
    "other_dates": other_dates,
    "sponsored": sponsored,
    "translated": translated,
    "redesign": redesign,
}
