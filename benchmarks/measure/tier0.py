"""Tier 0: what the pages' own tables and embedded data answer without a model, and how much of it is wrong."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any
from urllib.parse import urljoin

from gleaner.html.dom import parse_html
from gleaner.page.opening import open_page
from gleaner.structured import extract_structured
from gleaner.structured.embedded import read_json_ld, read_meta, read_microdata, read_rdfa
from gleaner.testing.pages import KINDS, GeneratedPage, generate_page

from measure.cases import Case, attempt, read_cases, records_of
from measure.matching import judge_fields, named_values, same_value, squeezed
from measure.rows import Context, Row, share

_NO_CORPUS = "the corpus is not there"


def measure(context: Context) -> Sequence[Row]:
    """Give the rows of tier 0: real tables, real pages about one thing, embedded data, generated pages."""
    return [*_tables(context), *_pages(context), _embedded(context), *_generated(context)]


def _tables(context: Context) -> Iterator[Row]:
    """Ask for real tables in the words of their own headers."""
    seen: Counter[str] = Counter()
    for case in read_cases(context, "records", "tables", quick=12):
        found = attempt(context, case.name, lambda case=case: [extract_structured(case.html, case.url, case.schema)])
        if found is not None:
            right = found[0] is not None and same_value(found[0], case.expected)
            if found[0] is not None and not right:
                given, wanted = len(records_of(found[0]) or []), len(records_of(case.expected) or [])
                context.note(case.name, f"answered, and not as the truth: {given} rows, {wanted} in the truth")
            seen["none" if found[0] is None else "right" if right else "wrong"] += 1
    note = "" if seen else _NO_CORPUS
    count = f"{seen['right']} of {seen.total()} tables"
    yield Row(
        "tier0.tables",
        "real tables answered right without a model",
        share(seen["right"], seen.total()),
        "%",
        "higher",
        1.0,
        count,
        note=note,
    )
    wrong = float(seen["wrong"]) if seen else None
    yield Row(
        "tier0.tables_wrong",
        "real tables answered wrong without a model",
        wrong,
        "count",
        "lower",
        0,
        f"{seen['right'] + seen['wrong']} tables answered",
        note=note,
    )


def _pages(context: Context) -> Iterator[Row]:
    """Ask pages about one thing for what their embedded data states: those whose data has each required field."""
    seen: Counter[str] = Counter()
    cases = (one for folder in ("products", "recipes") for one in read_cases(context, "records", folder, quick=8))
    for case in cases:
        seen["pages"] += 1
        found = attempt(context, case.name, lambda case=case: [extract_structured(case.html, case.url, case.schema)])
        fits = attempt(context, case.name, lambda case=case: embedded_data_fits(case))
        if found is None or fits is None:
            continue
        seen["fitting"] += fits
        if isinstance(found[0], dict):
            right, wrong, _ = judge_fields(found[0], case.expected)
            seen.update(answered=1, fitting_answered=fits, right=right, wrong=wrong)
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


def embedded_data_fits(case: Case) -> bool:
    """Tell whether the truth of every required field stands somewhere in the page's JSON-LD or microdata.

    Read without the product's own code: this says what could be answered. Case and notation of numbers do not count.
    """
    stated = set(map(_plain, _embedded_texts(case.html)))
    required = [name for name in case.schema.get("required", ()) if case.expected.get(name) not in (None, [])]
    values = [case.expected[name] for name in required]
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
    for case in read_cases(context, "records", "embedded", quick=22):
        wanted = Counter(named_values(_in_known_syntax(case.expected)))
        if not wanted:
            context.note(case.name, "no JSON-LD, microdata, RDFa or Open Graph in its truth")
            continue
        given = attempt(context, case.name, lambda case=case: Counter(_read_values(case)))
        if given is None:
            continue
        read += _read_of(wanted, given, case.url)
        whole += wanted.total()
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


def _read_values(case: Case) -> Iterator[tuple[str, str]]:
    page = open_page(case.html, case.url)
    root = page.tree
    readers = read_json_ld(page.code), read_microdata(root, case.url), read_rdfa(root, case.url), read_meta(root)
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
                right = found is not None and same_value(found, page.truth)
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
