"""Turn XML data (feeds, sitemaps, catalogues) into a page."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from html.entities import html5
from itertools import groupby
from typing import cast

from lxml import etree
from lxml.html import HtmlElement, fragment_fromstring, tostring

from gleaner.contracts.web_addresses import resolve_reference
from gleaner.contracts.word_lists import listed
from gleaner.html.typed.xml_entities import resolve_entities

_PROLOG = re.compile(
    r"\ufeff?\s*+(?P<declared><\?xml\s[^>]{0,400}>)?"
    r"(?:\s++|<!--(?:[^-]|-(?!->))*+-->|<\?[^>]*+>|<![dD][^>\[]*+(?:\[[^\]]*+\]\s*+)?>)*+"
    r"<(?P<name>[A-Za-z_][\w:.-]*+)(?=[\s/>])"
)
_ROOTS = listed("rss feed rdf:RDF RDF urlset sitemapindex opml gpx kml")
"""Roots of data that also come without a declaration."""

_OF_PAGES = listed(
    "html head body div p table ul ol dl section article main header footer nav aside span a form "
    "script style h1 h2 h3 "
    "center font svg math title meta link img br hr b i em strong wml fragment template"
)
_RECORDS = ("item", "entry")
_TITLES = ("title", "name", "label", "headline")
_ADDRESSES = ("href", "url", "src", "resource")
_WORDS = ("term", "label", "text", "value")
_UNSAID = listed("rel isPermaLink")
_OF_SYNTAX = (
    "{http://www.w3.org/XML/1998/namespace}",
    "{http://www.w3.org/2001/XMLSchema-instance}",
    "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}",
)
_TYPE_OF_TEXT = re.compile(r"text|x?html|[\w-]+/[\w.+-]+", re.IGNORECASE)
_REFERENCE = re.compile(r"&amp;(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_MARKUP = re.compile(r"</?[a-zA-Z][a-zA-Z0-9]{0,10}(?:\s[^<>]*)?/?>")
_MOST_COLUMNS, _LONGEST_CELL, _LEAST_ROWS = 9, 120, 2
_DEEPEST_HEADING = 6
_XHTML = "{http://www.w3.org/1999/xhtml}"


def is_xml_data(text: str) -> bool:
    """Tell whether a text is an XML document that is no page: declared as XML, or with the root of a known kind.

    >>> is_xml_data("<?xml version='1.0'?><catalog/>"), is_xml_data("<rss version='2.0'>")
    (True, True)
    >>> is_xml_data("<?xml version='1.0'?><!DOCTYPE html><html>"), is_xml_data("<catalog>")
    (False, False)
    """
    found = _PROLOG.match(text)
    return found is not None and (found["name"] in _ROOTS or bool(found["declared"] and found["name"] not in _OF_PAGES))


def xml_as_html(text: str) -> str:
    """Give an XML document as a page: its lists as tables or articles, each value beside the name of its element.

    What can't be read as XML at all is given back as it is.

    >>> page = xml_as_html("<rss><channel><title>A</title><item><title>B</title><link>/b</link></item></channel></rss>")
    >>> page[page.index("<h1>"):page.index("</main>")]
    '<h1>A</h1><article><h2>B</h2><dl><dt>link</dt><dd><a href="/b">/b</a></dd></dl></article>'
    """
    parser = etree.XMLParser(
        recover=True, resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    declared = _PROLOG.match(text)
    body = resolve_entities(text[declared.end("declared") :] if declared and declared["declared"] else text)
    try:
        root = cast(HtmlElement | None, etree.fromstring(body.lstrip("\ufeff").encode("utf-8", "replace"), parser))
    except (etree.XMLSyntaxError, ValueError):
        return text
    if root is None:
        return text
    if root.tag == f"{_XHTML}html":  # each name with a prefix: a page after all
        for element in root.iter(etree.Element):
            element.tag = _name(element)
        return tostring(root, encoding="unicode")
    language = next((one.text or "" for one in root.iter("{*}language")), "").strip()
    title = next((one for one in map(_text_of, root.iter("{*}title")) if one), "")
    body = "".join(_write(root, 1))
    head = f'<head><meta charset="utf-8"><title>{escape(title)}</title></head>'
    return f'<!doctype html><html lang="{escape(language)}">{head}<body><main>{body}</main></body></html>'


def _write(element: HtmlElement, level: int) -> Iterator[str]:
    """Give the HTML of an element with elements inside: its title, its values, then its lists and parts.

    The root may be a value itself. Text that stands between parts is kept ahead of them.
    """
    children = _children(element)
    is_value = _is_value(element)
    if text := _value(element) if is_value else _plain(_own_text(element)):
        yield f"<p>{text}</p>"
    if is_value and children:
        return
    title = next((one for name in _TITLES for one in children if _name(one) == name and _is_value(one)), None)
    if title is not None and _text_of(title):
        heading = min(level, _DEEPEST_HEADING)
        is_markup = title.get("type") in ("html", "text/html")  # others may name an element: "How to use <div>"
        said = _markup(_text_of(title), title.base) if is_markup else _plain(_text_of(title))
        yield f"<h{heading}>{said}</h{heading}>"
        level += 1
    entries = [(name, value) for name, value in _entries(element, "", title) if value]
    if entries:
        yield "<dl>"
        for name, run in groupby(entries, key=lambda entry: entry[0]):
            yield f"<dt>{escape(name)}</dt>{''.join(f'<dd>{value}</dd>' for _, value in run)}"
        yield "</dl>"
    small = _small_parts(children)
    parts = [one for one in children if not _is_value(one) and one not in small]
    for name, run in groupby(parts, key=_name):
        yield from _write_run(name, list(run), level)


def _write_run(name: str, run: Sequence[HtmlElement], level: int) -> Iterator[str]:
    columns = _columns(run)
    if columns:
        yield f"<table><thead><tr>{''.join(f'<th>{escape(one)}</th>' for one in columns)}</tr></thead><tbody>"
        for row in run:
            cells = dict(_entries(row, "", None))
            yield f"<tr>{''.join(f'<td>{cells.get(one, str())}</td>' for one in columns)}</tr>"
        yield "</tbody></table>"
        return
    tag = "article" if len(run) > 1 or name in _RECORDS else "section"
    for element in run:
        inner = "".join(_write(element, level))
        yield f"<{tag}>{inner}</{tag}>" if tag == "article" else inner


def _columns(run: Sequence[HtmlElement]) -> list[str]:
    """Give the names of the values of a run of elements that a table holds; [] for those that are more than a row."""
    if len(run) < _LEAST_ROWS or any(not _is_value(child) for one in run for child in _children(one)):
        return []
    rows = [_entries(one, "", None) for one in run]
    names = list(dict.fromkeys(name for row in rows for name, _ in row))
    is_flat = all(max(Counter(name for name, _ in row).values(), default=0) <= 1 for row in rows)
    is_short = all(
        len(value) <= _LONGEST_CELL and ("<" not in value or "<a " in value) for row in rows for _, value in row
    )
    return names if is_flat and is_short and 0 < len(names) <= _MOST_COLUMNS else []


def _entries(element: HtmlElement, prefix: str, without: HtmlElement | None) -> list[tuple[str, str]]:
    """Give the names and the HTML of an element's own values: attributes, values inside, those of small parts."""
    own = [(f"{prefix}{_local(name)}", _plain(value.strip())) for name, value in _said_attributes(element)]
    children = _children(element)
    small = set[HtmlElement]() if prefix else _small_parts(children)
    for child in children:
        if child is without:
            continue
        name = f"{prefix}{_name(child)}"
        if _is_value(child):
            own.append((name, _value(child)))
            own += [(f"{name} {one}", said) for one, said in _attributes_beside(child)]
        elif child in small:
            inner = _entries(child, f"{name} ", None)
            own += [(name, inner[0][1])] if len(inner) == 1 else inner
    return own


def _said_attributes(element: HtmlElement) -> Iterable[tuple[str, str]]:
    """Give the attributes that say something of what an element is about.

    Those that XML, its schemas and RDF have for any element, the version of a document and the type of a text or a file
    do not.
    """
    for name, value in ((str(name), str(value)) for name, value in element.attrib.items()):
        of_text = name == "type" and ((element.text or "").strip() or _TYPE_OF_TEXT.fullmatch(value))
        of_document = name == "version" and element.getparent() is None
        if name not in _UNSAID and not name.startswith(_OF_SYNTAX) and not of_text and not of_document:
            yield name, value


def _attributes_beside(element: HtmlElement) -> list[tuple[str, str]]:
    """Give the attributes of a value that say more than its text, such as the currency of a price; a link has none."""
    main = "" if _text_of(element) else _main_attribute(element)
    said = [] if main in _ADDRESSES else _said_attributes(element)
    return [(_local(name), _plain(value.strip())) for name, value in said if _local(name) != main]


def _main_attribute(element: HtmlElement) -> str:
    """Give the name of the attribute that stands for an element without text: an address, a word, or its only one."""
    present = {_local(str(name)) for name, value in element.attrib.items() if value}
    said = [_local(name) for name, _ in _said_attributes(element)]
    named = next((name for name in (*_ADDRESSES, *_WORDS) if name in present), "")
    return named or (said[0] if len(said) == 1 else "")


def _small_parts(children: Sequence[HtmlElement]) -> set[HtmlElement]:
    """Give the parts that hold values alone and are the only ones of their name: an author with a name."""
    counts = Counter(map(_name, children))
    return {
        one
        for one in children
        if len(children) > 1 and counts[_name(one)] == 1 and _name(one) not in _RECORDS and not _is_value(one)
        if all(map(_is_value, _children(one)))
    }


def _is_value(element: HtmlElement) -> bool:
    """Tell whether an element is a value: a text, with parts inside that are of XHTML or short; or what an attribute
    says. One that has attributes alone, and none that stands for it, is a row of them.
    """
    children = _children(element)
    if all(child.tag.startswith(_XHTML) for child in children):
        is_row = not children and not _text_of(element) and any(_said_attributes(element))
        return not is_row or bool(_main_attribute(element))
    return bool(_own_text(element)) and not any(_children(inner) for child in children for inner in _children(child))


def _own_text(element: HtmlElement) -> str:
    """Give the text that stands in an element beside its parts; "" where it is signs alone."""
    text = " ".join(" ".join([element.text or "", *(child.tail or "" for child in element)]).split())
    return text if any(map(str.isalnum, text)) else ""


def _value(element: HtmlElement) -> str:
    if any(child.tag.startswith(_XHTML) for child in _children(element)):
        parts = (etree.tostring(child, encoding="unicode", with_tail=True) for child in _children(element))
        return "".join([_plain((element.text or "").strip()), *(_markup(part, element.base) for part in parts)])
    text = _text_of(element)
    if not text:
        main = _main_attribute(element)
        said = next((str(value) for name, value in element.attrib.items() if _local(str(name)) == main), "")
        return _link(said, element.base) if main in _ADDRESSES else _plain(said)
    if _MARKUP.search(text):
        return _markup(text, element.base)
    is_address = _name(element) in ("link", "loc", "url", "comments") or text.startswith(("http://", "https://"))
    return _link(text, element.base) if is_address and " " not in text else _plain(text)


def _markup(text: str, base: str | None) -> str:
    """Give the HTML that a text is; its addresses begin where ``xml:base`` says, if it does (RFC 4287, 2)."""
    try:
        part = fragment_fromstring(text, create_parent="div")
        if base:
            part.make_links_absolute(base, handle_failures="ignore")
        return str(tostring(part, encoding="unicode"))
    except (etree.LxmlError, ValueError):
        return _plain(text)


def _link(address: str, base: str | None) -> str:
    return f'<a href="{escape(resolve_reference(base, address) if base else address)}">{escape(address)}</a>'


def _plain(text: str) -> str:
    """Give a text as HTML; one with references of HTML in it ("R&amp;amp;D") as these mean it."""
    return _REFERENCE.sub(_meant, escape(text, quote=False))


def _meant(found: re.Match[str]) -> str:
    return f"&{found[1]};" if found[1][0] == "#" or f"{found[1]};" in html5 else found[0]


def _children(element: HtmlElement) -> list[HtmlElement]:
    return [child for child in element if isinstance(child.tag, str)]


def _name(element: HtmlElement) -> str:
    return _local(str(element.tag))


def _local(name: str) -> str:
    """Give a name without its namespace, or the prefix of one that nobody declared."""
    return name.rpartition("}")[2].rpartition(":")[2]


def _text_of(element: HtmlElement) -> str:
    return (
        " ".join("".join(map(str, element.itertext())).split())
        if not _MARKUP.search(element.text or "")
        else (element.text or "")
    )
