"""What layouts cost on saved pages of real sites: the longest list of each page, cut into three pages of a third each.

Nobody has said what such a page holds, so the truth is made without Gleaner: the texts of those elements that nearly
each row of the list has just once. Left out are pages that state a total, and those with other rows like these.
Run: ``python benchmarks/saved_pages.py FOLDER --seconds 300 --first 7`` (HTML files in UTF-8, in any depth of folders).
"""

import argparse
import random
import re
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gleaner import Gleaner
from gleaner.contracts.models import ExtractionResult
from gleaner.testing import ScriptedModel, TrueRecord
from lxml import html as markup
from lxml.html import HtmlElement

UNREAD = frozenset(("script", "style", "noscript", "template", "select", "option", "svg", "head", "textarea", "button"))
SITE = frozenset(("nav", "footer", "header", "select"))
MENU = re.compile(r"(?i)menu|\bnav|nav\b")
NO_ROWS = frozenset((*UNREAD, "br", "p", "hr", "img", "a", "span", "b", "input"))
TOTAL = re.compile(r"\d+\s*(?:[-–]|to|bis|à|a|do|až)\s*\d+\s*(?:of|von|sur|de|/|из|z|out of|di)\s*[\d.,]+")
FEWEST_ROWS = 9
PAGES = 3
Row = dict[str, str | None]


@dataclass
class Listing:
    """A list cut into pages: the HTML and the records of each, the schema, the field that tells the records apart."""

    pages: list[tuple[str, list[Row]]]
    schema: dict[str, Any]
    key: str


def parsed(html: str) -> HtmlElement:
    return markup.fromstring(re.sub(r"^\s*<\?xml.*?\?>", "", html.lstrip("\ufeff")))


def said(element: HtmlElement) -> str:
    """Give an element's text; a line break parts words."""
    return " ".join("".join(shown(element)).split())


def shown(element: HtmlElement) -> Iterator[str]:
    yield " " if element.tag == "br" else element.text or ""
    for child in element:
        if isinstance(child.tag, str):
            yield from shown(child)
        yield child.tail or ""


def longest_list(root: HtmlElement, rank: int = 1) -> list[HtmlElement]:
    """Give the rows that say most together: like children of one element, outside of menus and the like.

    With rank 2 those that say most beside the longest list: neither inside of it nor around it.
    """
    found: list[tuple[int, list[HtmlElement]]] = []
    for parent in root.iter():
        if (
            not isinstance(parent.tag, str)
            or parent.tag in UNREAD
            or next(parent.iterancestors(*SITE), None) is not None
            or is_menu(parent)
        ):
            continue
        tags = Counter(child.tag for child in parent if isinstance(child.tag, str))
        tag, count = tags.most_common(1)[0] if tags else ("", 0)
        rows = [child for child in parent if child.tag == tag]
        sizes = (
            [len(text) for row in rows if (text := said(row))] if count >= FEWEST_ROWS and tag not in NO_ROWS else []
        )
        if len(sizes) >= 0.9 * len(rows) and sizes and 25 <= sum(sizes) / len(sizes) <= 1500:
            found.append((sum(min(size, 400) for size in sizes), rows))
    apart: list[list[HtmlElement]] = []
    for _, rows in sorted(found, key=lambda one: -one[0]):
        if len(apart) < rank and not any(is_nested(rows[0], other[0]) for other in apart):
            apart.append(rows)
    return apart[rank - 1] if len(apart) >= rank else []


def is_menu(parent: HtmlElement) -> bool:
    """Tell whether a list or one of the three elements around it calls itself a menu."""
    around = [parent, *parent.iterancestors()][:4]
    return any(MENU.search(f"{each.get('class', '')} {each.get('id', '')}") for each in around)


def is_nested(one: HtmlElement, other: HtmlElement) -> bool:
    """Tell whether one's list stands in the other's, or the other way round."""
    lists = one.getparent(), other.getparent()
    return lists[0] in other.iterancestors() or lists[1] in one.iterancestors()


def is_shown(element: HtmlElement) -> bool:
    for around in (element, *element.iterancestors()):
        style = (around.get("style") or "").replace(" ", "").lower()
        if "display:none" in style or "visibility:hidden" in style or around.get("hidden") is not None:
            return False
        if around.tag in UNREAD or "hidden" in (around.get("class") or "").split():
            return False
    return True


def texts_of(row: HtmlElement) -> dict[str, list[str]]:
    """Give the texts of the innermost elements, by their way from the row: tags, first classes, columns of tables.

    Where a way leads to more than that (a long text, elements within) nothing plain stands: [""] twice.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for node in row.iter():
        if not isinstance(node.tag, str) or node is row or not (text := said(node)) or not is_shown(node):
            continue
        is_plain = len(text) <= 300 and not any(isinstance(child.tag, str) and child.tag != "br" for child in node)
        above = [node, *node.iterancestors()]
        way = above[: above.index(row)]
        steps = [".".join([str(each.tag), *sorted((each.get("class") or "").split())[:1]]) for each in reversed(way)]
        column = f"{row.index(way[-1])}:" if row.tag == "tr" and way else ""
        found[column + "/".join(steps)] += [text] if is_plain else ["", ""]
    return found


def with_others(root: HtmlElement, rows: Sequence[HtmlElement]) -> list[HtmlElement]:
    """Give the rows and those built alike elsewhere, in page order; none where it is not plain what is a record.

    So it is where rows stand in rows, or elements of their class among others: they might be records, too.
    """
    kinds = {kind_of(row) for row in rows}
    named = Counter((row.tag, row.get("class")) for row in rows).most_common(1)[0][0]
    known = set(rows)
    every = [node for node in root.iter(named[0]) if node in known or kind_of(node) in kinds]
    known.update(every)
    if any(known.intersection(row.iterancestors()) for row in every) or len(every) > 3 * len(rows):
        return []
    if named[1] and any(node.get("class") == named[1] for node in root.iter(named[0]) if node not in known):
        return []
    return every


def kind_of(element: HtmlElement) -> tuple[Any, ...]:
    return tuple((each.tag, each.get("class")) for each in [element, *element.iterancestors()][:3])


def listing_of(html: str, rank: int = 1) -> Listing | None:
    """Give the page's longest list (or that of a rank) in three pages; None where no list has a plain truth."""
    root = parsed(html)
    rows = longest_list(root, rank)
    rows = with_others(root, rows) if rows and not TOTAL.search(said(root)) else []
    if not rows:
        return None
    texts = [texts_of(row) for row in rows]
    counts = Counter(way for one in texts for way in one)
    different = {way: len({one[way][0] for one in texts if way in one}) for way in counts}
    once = [
        way for way in counts if counts[way] >= 0.7 * len(rows) and all(len(one.get(way, "1")) == 1 for one in texts)
    ]
    telling = [
        way
        for way in once
        if counts[way] >= 0.9 * len(rows)
        and different[way] == counts[way]
        and all(len(one[way][0]) > 3 for one in texts if way in one)
    ]
    if not telling:
        return None
    key = max(telling, key=lambda way: sum(len(one[way][0]) for one in texts if way in one))
    unlike = {tuple(one.get(way, [""])[0] for one in texts): way for way in [*reversed(once), key]}
    others = [way for way in once if way != key and different[way] >= 3 and way in unlike.values()]
    others = sorted(others, key=lambda way: -different[way])[:3]
    if not others:
        return None
    names = {
        way: f"{re.sub('[^a-z]+', '_', way.split('/')[-1].lower()).strip('_')}_{at}"
        for at, way in enumerate([key, *others])
    }
    records = {at: {names[way]: one.get(way, [None])[0] for way in names} for at, one in enumerate(texts) if key in one}
    fields: dict[str, Any] = {name: {"type": ["string", "null"]} for name in names.values()}
    fields[names[key]] = {"type": "string"}
    schema = {"type": "array", "items": {"type": "object", "properties": fields, "required": [*fields]}}
    known = list(records)
    parts = [known[len(known) * at // PAGES : len(known) * (at + 1) // PAGES] for at in range(PAGES)]
    return Listing([(with_rows(root, rows, part), [records[at] for at in part]) for part in parts], schema, names[key])


def with_rows(root: HtmlElement, rows: Sequence[HtmlElement], kept: Sequence[int]) -> str:
    """Give the page with some of the rows."""
    tree = root.getroottree()
    places = [tree.getpath(row) for at, row in enumerate(rows) if at not in kept]
    copy = deepcopy(root)
    for row in [found[0] for place in places if (found := copy.getroottree().xpath(place))]:
        row.drop_tree()
    return markup.tostring(copy, encoding="unicode", doctype="<!DOCTYPE html>")


def answers(
    pages: Sequence[tuple[str, Any]],
    url: str,
    schema: Any,
    model: ScriptedModel,
    known: Callable[[Any], list[TrueRecord]],
) -> Iterator[tuple[Any, ExtractionResult | None, int]]:
    """Ask for page after page below a URL; give what is true of each, what was extracted, and the calls.

    ``known`` makes of the truth what the model knows.
    """
    with tempfile.TemporaryDirectory() as home, Gleaner(model=model, home=home) as gleaner:
        for number, (html, truth) in enumerate(pages):
            model.truth = known(truth)
            before = len(model.requests)
            config = {"tiers": ["recipe", "model"]}
            result = gleaner.extract_html(html, f"{url}{number}", output_schema=schema, config=config)
            yield truth, result.extraction, len(model.requests) - before


def ask(listing: Listing) -> Iterator[str]:
    """Ask for page after page; give for each its records, calls and tier, and what is wrong: "7: 0 recipe"."""

    def known(rows: Sequence[Row]) -> list[TrueRecord]:
        return [TrueRecord({**one}, (str(one[listing.key]),)) for one in rows]

    asked = answers(listing.pages, "https://site.example/list?page=", listing.schema, ScriptedModel([]), known)
    for truth, found, calls in asked:
        data = found.data if found is not None and isinstance(found.data, list) else []
        wrong = sum(one not in truth for one in data)
        lost = sum(one not in data for one in truth)
        marks = f"{f' WRONG {wrong}' if wrong else ''}{f' lost {lost}' if lost else ''}"
        marks += " partial" if found is None or found.is_partial else ""
        yield f"{len(truth)}: {calls} {found.tier if found else 'none'}{marks}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="saved pages")
    parser.add_argument("--seconds", type=float, default=300, help="when no further page is begun")
    parser.add_argument("--first", type=int, default=0, help="seed of the order in which files are taken")
    parser.add_argument("--rank", type=int, default=1, help="2: the longest list beside the longest one")
    chosen = parser.parse_args()
    files = sorted(path for path in chosen.folder.rglob("*.htm*") if path.is_file())
    random.Random(chosen.first).shuffle(files)
    end = time.monotonic() + chosen.seconds
    for path in files:
        if time.monotonic() > end:
            break
        text = path.read_text(encoding="utf-8", errors="replace")
        listing = listing_of(text, chosen.rank) if "<" in text else None
        if listing is not None:
            print(f"{path.relative_to(chosen.folder)} · {' · '.join(ask(listing))}", flush=True)


if __name__ == "__main__":
    main()
