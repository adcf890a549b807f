"""Tier 0: what embedded data answers without a model, and how much of it is wrong.

What it answers of the corpora's pages as they are asked is a row of each corpus (``truths.py``).
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urljoin

from generated_pages import KINDS, GeneratedPage, generate_page
from gleaner.html.dom import parse_html
from gleaner.page.data import read_json_ld, read_meta, read_microdata, read_rdfa
from gleaner.structured import extract_structured

from measure.cases import Case, attempt, read_cases
from measure.comparing import is_nothing, is_right, same, squeezed
from measure.rows import Context, Row, share

_NO_CORPUS = "the corpus is not there"


def measure(context: Context) -> Sequence[Row]:
    """Give the rows of tier 0: real pages about one thing, embedded data, generated pages."""
    return [*_pages(context), _embedded(context), *_generated(context)]


def _pages(context: Context) -> Iterator[Row]:
    """Ask pages about one thing for what their embedded data states: those whose data has each required field."""
    seen: Counter[str] = Counter()
    for case in read_cases(context, "products", "recipes"):
        seen["pages"] += 1
        found = attempt(context, case.name, lambda case=case: [extract_structured(case.html, case.url, case.schema)])
        fits = attempt(context, case.name, lambda case=case: embedded_data_fits(case))
        if found is None or fits is None:
            continue
        seen["fitting"] += fits
        if isinstance(found[0], dict):
            seen.update(answered=1, fitting_answered=fits)
            seen.update("wrong" if is_wrong else "right" for is_wrong in wrong_values(case.wanted, found[0]))
    note = "" if seen["pages"] else _NO_CORPUS
    yield Row(
        "tier0.pages",
        "pages whose embedded data has the required fields, answered without a model",
        share(seen["fitting_answered"], seen["fitting"]),
        "%",
        "higher",
        1.0,
        f"{seen['fitting_answered']} of {seen['fitting']} fitting pages; {seen['answered']} of {seen['pages']} in all",
        note=note,
    )
    yield Row(
        "tier0.pages_wrong",
        "wrong values in these answers",
        float(seen["wrong"]) if seen["pages"] else None,
        "count",
        "lower",
        0,
        f"{seen['right'] + seen['wrong']} values answered that have truth",
        note=note,
    )


def wrong_values(wanted: dict[str, Any], given: dict[str, Any]) -> Iterator[bool]:
    """Tell of each field that an answer gives and the truth knows whether it is wrong."""
    for name, value in wanted.items():
        if not is_nothing(value) and not is_nothing(given.get(name)):
            yield not same(given[name], value)


def embedded_data_fits(case: Case) -> bool:
    """Tell whether the truth of every required field stands somewhere in the page's JSON-LD or microdata.

    Read without the product's own code: this says what could be answered. Case and notation of numbers do not count.
    """
    stated = set(map(_plain, _embedded_texts(case.html)))
    required = [name for name in case.schema.get("required", ()) if case.truth.get(name) not in (None, [])]
    values = [case.truth[name] for name in required]
    texts = [str(one) for value in values for one in (value if isinstance(value, list) else [value])]
    return bool(texts) and all(_plain(text) in stated for text in texts)


def _embedded_texts(html: str) -> Iterator[str]:
    root = parse_html(html)
    for script in root.xpath("//script[contains(@type, 'ld+json')]"):
        try:
            yield from _texts(json.loads(script.text_content(), strict=False))
        except ValueError:
            continue
    for node in root.xpath("//*[@itemprop]"):
        yield node.get("content") or node.get("href") or node.text_content()


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, dict | list):
        for one in data.values() if isinstance(data, dict) else data:
            yield from _texts(one)
    elif data is not None:
        yield str(data)


def _plain(text: str) -> str:
    """Give a text for comparing: a number without trailing zeros, a schema.org address as its last part."""
    text = re.sub(r"^https?://schema\.org/", "", squeezed(text)).casefold()
    return repr(float(text)) if re.fullmatch(r"\d+(\.\d+)?", text) else text


def _embedded(context: Context) -> Row:
    """Compare what the product's readers of embedded data give with what the pages' data says, value by value.

    The cases have no schema: so this measures the readers below tier 0, by property and text, and not its answers.
    """
    read = whole = 0
    for folder in context.cases("records", "embedded"):
        found = attempt(context, f"embedded/{folder.name}", lambda folder=folder: _of_embedded(folder))
        if found is not None and not found[1]:
            context.note(f"embedded/{folder.name}", "no JSON-LD, microdata, RDFa or Open Graph in its truth")
        read, whole = read + (found or (0, 0))[0], whole + (found or (0, 0))[1]
    note = "Dublin Core and microformats are left out: no reader claims them" if whole else _NO_CORPUS
    return Row(
        "tier0.embedded",
        "values of embedded data read right (no schema)",
        share(read, whole),
        "%",
        "higher",
        0.5,
        f"{read} of {whole} values",
        note=note,
    )


def _of_embedded(folder: Path) -> tuple[int, int]:
    """Count the values of a page's embedded data that are read, and all that its truth names."""
    html = (folder / "page.html").read_bytes().decode("utf-8", "replace")
    url = (folder / "url").read_text("utf-8").strip()
    wanted = Counter(named_values(_in_known_syntax(json.loads((folder / "expected.json").read_text("utf-8")))))
    return _read_of(wanted, Counter(_read_values(html, url)), url), wanted.total()


def _in_known_syntax(expected: Any) -> Any:
    """Give the parts of a truth that are JSON-LD, microdata, RDFa or Open Graph."""
    if isinstance(expected, dict):
        named = [expected[name] for name in ("items", "microdata", "json-ld") if name in expected]
        return [_in_known_syntax(one) for one in named] if named else _in_known_syntax([expected])
    known: list[Any] = []
    for one in expected:
        if isinstance(one, list):
            known.append(_in_known_syntax(one))
        elif isinstance(one, dict):
            types = one.get("type")
            is_microformat = isinstance(types, list) and any(str(kind).startswith("h-") for kind in types)
            known += [] if is_microformat or "elements" in one else [one]
    return known


def _read_values(html: str, url: str) -> Iterator[tuple[str, str]]:
    root = parse_html(html)
    readers = read_json_ld(root.iter("script")), read_microdata(root, url), read_rdfa(root, url), read_meta(root)
    for nodes in readers:
        yield from named_values(nodes)


def _read_of(wanted: Counter[tuple[str, str]], given: Counter[tuple[str, str]], url: str) -> int:
    """Count the wanted pairs that were given, as they are or with their address made absolute."""
    read = 0
    for (name, text), count in wanted.items():
        as_it_is = min(count, given[name, text])
        absolute = min(count - as_it_is, given[name, urljoin(url, text)]) if urljoin(url, text) != text else 0
        read += as_it_is + absolute
    return read


def _generated(context: Context) -> Iterator[Row]:
    """Ask generated pages: lists by their labels as aliases, all by JSON-LD of their records, whole or spoiled."""
    seen: Counter[str] = Counter()
    for kind in KINDS:
        for number in range(2 if context.quick else 6):
            page = generate_page(7_000 * context.seed + number, kind, 3 + 6 * number)
            for trial, html, schema in _trials(page, Random(f"{kind}/{number}")):
                found = extract_structured(html, page.url, schema)
                right = found is not None and is_right(page.truth, found)
                seen[f"{trial}, {'none' if found is None else 'right' if right else 'wrong'}"] += 1
    asked = sum(count for name, count in seen.items() if name.startswith("plain"))
    yield Row(
        "tier0.generated",
        "generated pages with labels or data that fit, answered right",
        share(seen["plain, right"], asked),
        "%",
        "higher",
        1.0,
        f"{seen['plain, right']} of {asked} pages",
    )
    wrong = seen["plain, wrong"] + seen["spoiled, wrong"]
    yield Row(
        "tier0.generated_wrong",
        "generated pages answered wrong, those with spoiled JSON-LD among them",
        float(wrong),
        "count",
        "lower",
        0,
        f"{seen.total()} pages",
    )


def _trials(page: GeneratedPage, random: Random) -> Iterator[tuple[str, str, Any]]:
    records: list[Any] = page.records
    schema = json.loads(json.dumps(page.schema))
    properties = (schema["items"] if page.is_list else schema)["properties"]
    for spec in page.layout.domain.fields:
        if spec.name in properties:
            properties[spec.name]["x-aliases"] = [spec.label]
    yield "plain", page.html, schema
    yield "plain", _with_json_ld(page, records), page.schema
    spoiled = [dict(record) for record in records]
    victim = random.choice(spoiled)
    field = random.choice([name for name, value in victim.items() if isinstance(value, str | int | float)])
    victim[field] = victim[field] + (" II" if isinstance(victim[field], str) else 7)
    yield "spoiled", _with_json_ld(page, spoiled), page.schema


def _with_json_ld(page: GeneratedPage, records: list[Any]) -> str:
    nodes = [{"@type": "Thing", **{name: value for name, value in one.items() if value is not None}} for one in records]
    script = f'<script type="application/ld+json">{json.dumps(nodes)}</script>'
    return page.html.replace("</head>", script + "</head>", 1) if "</head>" in page.html else script + page.html


def named_values(data: Any) -> Iterator[tuple[str, str]]:
    """Give the (property, text) pairs of embedded data, nested ones too: JSON-LD, microdata and lists of properties."""
    if isinstance(data, list):
        for one in data:
            yield from named_values(one)
    elif isinstance(data, dict):
        properties = data.get("properties", data)
        pairs = properties.items() if isinstance(properties, dict) else map(tuple, properties)
        for name, value in pairs:
            if not name.startswith("@"):
                yield from _leaves(re.split(r"[:/#.]", name)[-1], value)


def _leaves(name: str, value: Any) -> Iterator[tuple[str, str]]:
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, dict):
            yield from _leaves(name, one["@value"]) if "@value" in one else named_values(one)
        elif one is not None and (text := squeezed(str(one))):
            yield name, text
