"""What a site sends in place of the page that was asked for, and changes of what its labels and boxes mean.

A page that says nothing of a record comes with no records: whatever a recipe answers for it is wrong.
"""

import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from random import Random
from typing import Any, cast

from lxml import html as parser
from lxml.html import HtmlElement

from layouts.changes import Change, Changed, labels_of, other_dates, translated
from layouts.design import Design, Record, Style, page_of

_ANY: Any = "*"
_SOLID = frozenset({"tr", "td", "th", "li", "dt", "dd", "tbody"})
_SMALLER = {"kg": ("g", 1000), "km": ("m", 1000), "cm": ("mm", 10), "min": ("s", 60), "minutes": ("seconds", 60)}


def _tree(design: Design, records: Sequence[Record]) -> HtmlElement:
    return parser.document_fromstring(page_of(design, records, Style()))


def _text(root: HtmlElement) -> str:
    return "<!DOCTYPE html>" + parser.tostring(root, encoding="unicode")


def _fields(root: HtmlElement) -> list[HtmlElement]:
    return cast(list[HtmlElement], root.xpath("//*[@x-f]"))


def _in_place_of_it(inner: str) -> Change:
    def change(design: Design, records: Sequence[Record], random: Random) -> Changed:
        root = _tree(design, records)
        main = root.get_element_by_id("content")
        main.text = None
        main[:] = parser.fragments_fromstring(inner)
        return _retitled(root, inner), []

    return change


def _retitled(root: HtmlElement, inner: str) -> str:
    for node in cast(list[HtmlElement], root.xpath("//head/title")):
        node.text = re.sub(r"<[^>]*>", " ", inner).strip()[:40]
    for node in cast(list[HtmlElement], root.xpath("//head/meta[@property or @name]")):
        node.drop_tree()
    return _text(root)


def soft_404(design: Design, records: Sequence[Record], random: Random) -> Changed:
    """Send the frame of the page, what stands around its fields included, and say that there is no such thing."""
    root = _tree(design, records)
    fields = _fields(root)
    for node in fields or [*root.get_element_by_id("content")]:
        if node.getparent() is not None and not node.xpath(".//h1") and node.tag != "h1":
            node.drop_tree()
    heading = next(iter(cast(list[HtmlElement], root.xpath("//main//h1"))), None)
    if heading is None:
        heading = parser.fragment_fromstring("<h1></h1>")
        root.get_element_by_id("content").insert(0, heading)
    heading[:] = []
    heading.text = "Page not found"
    return _retitled(root, "Page not found"), []


def kept_shell(design: Design, records: Sequence[Record], random: Random) -> Changed:
    """Send the page with all labels and boxes, and say in its heading that the thing is gone."""
    root = _tree(design, records)
    fields = _fields(root)
    titles = [node for node in fields if node.tag in ("h1", "h2") or node.xpath("ancestor::h1")]
    for node in fields:
        for part in node.iter(_ANY):
            part.text = _without_figures(part.text)
            part.tail = part.tail if part is node else _without_figures(part.tail)
    for node in titles or fields[:1]:
        node.text = "No longer available"
        node[:] = []
    return _retitled(root, "No longer available"), []


def _without_figures(text: str | None) -> str | None:
    return None if text and re.search(r"\d", text) else text


def other_template(design: Design, records: Sequence[Record], random: Random) -> Changed:
    """Send a page of another kind of the same site, with a heading, labels, a date and a price of its own."""
    inner = (
        "<article><h1>Our returns policy</h1><p class='meta'>Updated May 3, 2024</p><table><tr><th>Shipping</th>"
        "<td>$4.99</td></tr><tr><th>Price</th><td>$12.00</td></tr></table><ul><li>Thirty days</li><li>Free</li></ul>"
        "<p>Write to us and we send a label.</p></article>"
    )
    return _in_place_of_it(inner)(design, records, random)


def label_renamed(design: Design, records: Sequence[Record], random: Random) -> Changed:
    """Let the labels say the same in other words."""
    html = page_of(design, records, Style())
    for word in labels_of(design, records):
        html = re.sub(rf"(>[^<]*?){re.escape(word)}(?=[^<]*<)", lambda m, word=word: f"{m[1]}The {word.lower()}", html)
    return html, [*records]


def unit_changed(design: Design, records: Sequence[Record], random: Random) -> Changed:
    """Write amounts in a smaller unit, and some in units that say something else."""

    def smaller(found: re.Match[str]) -> str:
        unit, factor = _SMALLER[found[2]]
        return f"{float(found[1].replace(',', '')) * factor:g} {unit}"

    def rewritten(text: str) -> str:
        return re.sub(rf"(\d[\d.,]*) ({'|'.join(_SMALLER)})\b", smaller, text)

    texts = [{name: rewritten(v) if isinstance(v, str) else v for name, v in one.items()} for one in records]
    return rewritten(page_of(design, records, Style())), texts


def other_language(design: Design, records: Sequence[Record], random: Random) -> Changed:
    """Send the page in another language: labels, days, and the words around."""
    if random.random() < 0.5:
        html, _ = translated(design, records, random)
        return html.replace("<html lang=en>", "<html lang=de>"), [*records]
    return other_dates(design, records, random)


def field_moved(design: Design, records: Sequence[Record], random: Random) -> Changed:
    """Move one field with its element into a box of its own below all others: of the page, or of each record in a list."""
    root = _tree(design, records)
    found = [
        node
        for node in _fields(root)
        if node.tag not in _SOLID and node.getparent() is not None and not node.xpath(".//*[@x-f]")
    ]
    homes = [cast(list[HtmlElement], node.xpath("ancestor::*[@x-r][1]")) for node in found]
    if design.is_list:
        found = [node for node, home in zip(found, homes, strict=True) if home and home[0].tag not in ("tr", "dl")]
    if not found:
        return _text(root), [*records]
    chosen = random.choice(found)
    for node in [one for one in found if design.is_list and one.get("x-f") == chosen.get("x-f")] or [chosen]:
        home = next(iter(cast(list[HtmlElement], node.xpath("ancestor::*[@x-r][1]"))), None) if design.is_list else None
        box = parser.fragment_fromstring("<div class='extra'></div>")
        moved = deepcopy(node)
        moved.tail = None
        node.drop_tree()
        box.append(moved)
        (root.get_element_by_id("content") if home is None else home).append(box)
    return _text(root), [*records]


def other_above(design: Design, records: Sequence[Record], random: Random) -> Changed:
    """Put another thing's box, written with the same elements and classes, above the one that the page is about."""
    other = design.draw(Random(f"other/{random.random()}"))
    box = parser.fragment_fromstring("<section class='promo'><h2>Try this instead</h2></section>")
    for node in _fields(_tree(design, [other])):
        if node.tag in _SOLID or node.xpath("ancestor::*[@x-f]") or node.tag == "h1" or node.xpath("ancestor::h1"):
            continue
        copy = deepcopy(node)
        copy.tail = None
        box.append(copy)
    root = _tree(design, records)
    root.get_element_by_id("content").insert(0, box)
    return _text(root), [*records]


OTHER_PAGES: dict[str, Callable[[Design, Sequence[Record], Random], Changed]] = {
    "cookie_wall": _in_place_of_it(
        "<div class='consent'><h1>Before you go on</h1><p>We use cookies.</p><button>Accept all</button></div>"
    ),
    "login_page": _in_place_of_it(
        "<h1>Sign in</h1><form><p><label>Name</label> <input name='name'></p><p><label>Password</label> "
        "<input type='password'></p><button name='add'>Sign in</button></form><p>New here? Join for $5 a month.</p>"
    ),
    "captcha": _in_place_of_it("<h1>Are you a robot?</h1><p>Checking your browser. Ray 8f3a21, 2026-03-01 10:00</p>"),
    "soft_404": soft_404,
    "kept_shell": kept_shell,
    "other_template": other_template,
    "label_renamed": label_renamed,
    "unit_changed": unit_changed,
    "other_language": other_language,
    "field_moved": field_moved,
    "other_above": other_above,
}
