"""What pages about one thing cost on saved pages of real sites: those pages of a site that share a layout, in turns.

Nobody has said what such a page holds, so the truth is made without Gleaner: the title is the element that says what
the page's `<title>` says, other fields are the elements that stand once on nearly each page and differ from page to
page. What the page says of itself for machines (JSON-LD, meta elements, microdata) is taken out.
Run: ``python benchmarks/saved_details.py FOLDER --first 7`` (HTML files in UTF-8; a site is a folder, or "name-1.html",
"name-2.html" and so on).
"""

import argparse
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gleaner.testing import ScriptedModel, TrueRecord
from lxml import html as markup
from lxml.html import HtmlElement
from saved_pages import SITE, UNREAD, answers, is_shown, parsed, said

FEWEST_PAGES = 3
OTHERS = 4
TITLES = frozenset(("h1", "h2", "h3"))
INSIDE = frozenset(("wbr", "br", "b", "em", "i", "strong", "code", "sup", "a"))
Values = dict[str, str | None]


@dataclass
class Site:
    """Pages of one site about one thing each: HTML and what it says, and the schema."""

    pages: list[tuple[str, Values]]
    schema: dict[str, Any]


def way_to(node: HtmlElement) -> str:
    """Give the way to an element from the nearest one with an id that names a part: tags and first classes."""
    steps: list[str] = []
    for each in (node, *node.iterancestors()):
        name = each.get("id") or ""
        if name and not re.search(r"\d", name):
            return "/".join([f"#{name}", *reversed(steps)])
        steps.append(".".join([str(each.tag), *sorted((each.get("class") or "").split())[:1]]))
    return "/".join(reversed(steps))


def texts_of(root: HtmlElement) -> dict[str, str]:
    """Give the texts that a way leads to alone, outside of menus, forms and what is hidden."""
    found: dict[str, list[str]] = defaultdict(list)
    for node in root.iter():
        if not isinstance(node.tag, str) or node.tag in UNREAD or not is_plain(node):
            continue
        if (text := said(node)) and is_shown(node) and next(node.iterancestors(*SITE, "form"), None) is None:
            found[way_to(node)].append(text)
    return {way: texts[0] for way, texts in found.items() if len(texts) == 1 and 1 < len(texts[0]) <= 300}


def is_plain(node: HtmlElement) -> bool:
    """Tell whether nothing but phrases stands in an element, and not it alone in a phrase."""
    inside = all(child.tag in INSIDE for child in node.iterdescendants() if isinstance(child.tag, str))
    around = node.getparent()
    return inside and (node.tag != "wbr") and (around is None or around.tag not in INSIDE or not is_plain(around))


def is_title(way: str, text: str, root: HtmlElement) -> bool:
    head = " ".join((root.findtext(".//title") or "").split()).casefold()
    steps = {step.split(".")[0] for step in way.split("/")[-3:]}
    return not steps.isdisjoint(TITLES) and len(text) > 2 and text.casefold() in head


def site_of(htmls: Sequence[str]) -> Site | None:
    """Give those pages of a site that share a layout of two fields at least; None if they are fewer than three."""
    roots = [parsed(html) for html in htmls]
    texts = [texts_of(root) for root in roots]
    titled: dict[str, list[int]] = defaultdict(list)
    for at, (root, one) in enumerate(zip(roots, texts, strict=True)):
        for way, text in one.items():
            if is_title(way, text, root):
                titled[way].append(at)
    unlike = {way: list({texts[at][way]: at for at in ats}.values()) for way, ats in titled.items()}
    title, kept = max(unlike.items(), key=lambda one: len(one[1]), default=("", []))
    if len(kept) < FEWEST_PAGES:
        return None
    counts = {way: [texts[at][way] for at in kept if way in texts[at]] for at in kept for way in texts[at]}
    others = [
        way
        for way, said_there in counts.items()
        if way != title and len(said_there) >= 0.7 * len(kept) and len(set(said_there)) >= max(3, len(said_there) / 2)
    ]
    others.sort(key=lambda way: (-len(counts[way]), -len(set(counts[way])), way))
    unlike_others = {tuple(texts[at].get(way) for at in kept): way for way in [*reversed(others), title]}
    others = [way for way in others if way in unlike_others.values()]
    if not others:
        return None
    names = {way: name_of(way, at) for at, way in enumerate([title, *others[:OTHERS]])}
    schema = {
        "type": "object",
        "properties": {name: {"type": ["string", "null"]} for name in names.values()},
        "required": [*names.values()],
    }
    return Site([(without_data(roots[at]), {n: texts[at].get(way) for way, n in names.items()}) for at in kept], schema)


def name_of(way: str, at: int) -> str:
    """Give a field's name from the last step that tells one."""
    steps = [step for step in way.split("/") if "." in step or "#" in step] or [way]
    return "title" if not at else f"{re.sub('[^a-z]+', '_', steps[-1].lower()).strip('_')}_{at}"


def without_data(root: HtmlElement) -> str:
    """Give a page without what it says for machines."""
    for node in [*root.iter("script", "meta", "title")]:
        node.drop_tree()
    for node in root.iter():
        for name in [name for name in node.attrib if str(name).startswith(("item", "property", "typeof", "vocab"))]:
            del node.attrib[name]
    return markup.tostring(root, encoding="unicode", doctype="<!DOCTYPE html>")


def ask(site: Site) -> Iterator[str]:
    """Ask for page after page; give for each its calls and tier, and what is wrong: "0 recipe"."""
    model = ScriptedModel([], wrap=lambda records: records[0] if records else None)

    def known(record: dict[str, Any]) -> list[TrueRecord]:
        return [TrueRecord({**record}, (str(record["title"]),))]

    for truth, found, calls in answers(site.pages, "https://site.example/pages/", site.schema, model, known):
        data = found.data if found is not None and isinstance(found.data, dict) else {}
        wrong = [
            f"{name}={data[name]!r} for {truth[name]!r}" for name in truth if data.get(name) not in (None, truth[name])
        ]
        lost = [name for name in truth if truth[name] is not None and data.get(name) is None]
        marks = f"{f' WRONG {wrong}' if wrong else ''}{f' lost {lost}' if lost else ''}"
        marks += " partial" if found is None or found.is_partial else ""
        yield f"{calls} {found.tier if found else 'none'}{marks}"


def sites_in(folder: Path) -> dict[str, list[Path]]:
    """Give the pages of each site: "shop.example-3.html" is of shop.example, "news/4.html" of news."""
    sites: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(folder.rglob("*.htm*")):
        numbered = re.fullmatch(r"(.+)-\d+", path.stem)
        sites[str(path.parent.relative_to(folder)) + (f"/{numbered[1]}" if numbered else "")].append(path)
    return sites


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="saved pages")
    parser.add_argument("--only", default="", help="sites whose name holds this")
    parser.add_argument("--first", type=int, default=0, help="seed of the order of a site's pages")
    parser.add_argument("--most", type=int, default=10, help="pages of one site")
    chosen = parser.parse_args()
    for name, paths in sites_in(chosen.folder).items():
        if len(paths) < FEWEST_PAGES or chosen.only not in name:
            continue
        random.Random(chosen.first).shuffle(paths)
        htmls = [text for path in paths[: 3 * chosen.most] if "<" in (text := path.read_text("utf-8", "replace"))]
        site = site_of(htmls)
        if site is not None:
            site.pages = site.pages[: chosen.most]
            print(f"{name} {[*site.schema['properties']]} · {' · '.join(ask(site))}", flush=True)


if __name__ == "__main__":
    main()
