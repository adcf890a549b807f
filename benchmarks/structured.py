"""Tier 0 on generated pages: how many it answers, and how many answers are wrong (RC-4).

Each listing is tried as it is (its labels are the domain's, its schema the records' own names), with the labels as
aliases, and with JSON-LD of its records, right or spoiled. Then the time for tables of many rows.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from gleaner.html.dom import parse_html
from gleaner.page.opening import open_page
from gleaner.structured import extract_structured, find_answer
from gleaner.testing.pages import KINDS, GeneratedPage, generate_page

ROWS = (100, 1_000, 10_000)


def main() -> None:
    arguments = read_arguments()
    random = Random(arguments.first)
    counts: dict[str, Counter[str]] = {}
    for kind in KINDS:
        for seed in range(arguments.first, arguments.first + arguments.count):
            page = generate_page(seed, kind, random.randint(3, 40), links=random.random() < 0.3)
            for trial, html, schema, truth in trials(page, random):
                counts.setdefault(f"{kind} | {trial}", Counter())[
                    judge(html, page.url, schema, truth, f"{kind} {seed} {trial}")
                ] += 1
    print("| kind | data | pages | answered | wrong |\n|---|---|---:|---:|---:|")
    for name, count in counts.items():
        print(f"| {name} | {count.total()} | {count['right'] / count.total():.0%} | {count['wrong']} |")
    print("\n| rows | parsing | answering | with Markdown, proof and certificate |\n|---:|---:|---:|---:|")
    for rows in ROWS if not arguments.quick else ROWS[:2]:
        print(timing(rows))


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=70_000, help="first seed")
    parser.add_argument("--count", type=int, default=100, help="pages of each kind")
    parser.add_argument("--quick", action="store_true")
    return parser.parse_args()


def trials(page: GeneratedPage, random: Random) -> Iterator[tuple[str, str, Any, Any]]:
    """Give pages with what is asked of them and the truth; None where there must be no answer."""
    yield "as it is", page.html, page.schema, page.truth
    yield "labels as aliases", page.html, with_aliases(page), page.truth
    records: list[Any] = page.records
    yield "JSON-LD", with_data(page, records), page.schema, page.truth
    spoiled = [dict(record) for record in records]
    victim = random.choice(spoiled)
    field = random.choice([name for name, value in victim.items() if value is not None])
    victim[field] = spoil(victim[field])
    yield "JSON-LD, one value wrong", with_data(page, spoiled), page.schema, page.truth
    if page.is_list:
        yield "JSON-LD, one record missing", with_data(page, records[:-1]), page.schema, page.truth
        yield "JSON-LD, one record more", with_data(page, [*records, spoiled[0] | victim]), page.schema, page.truth


def spoil(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 7
    return "2031-05-06" if value[:4].isdigit() and len(value) == 10 else value + " II"


def with_aliases(page: GeneratedPage) -> Any:
    schema = json.loads(json.dumps(page.schema))
    properties = (schema["items"] if page.is_list else schema)["properties"]
    for spec in page.layout.domain.fields:
        if spec.name in properties:
            properties[spec.name]["x-aliases"] = [spec.label]
    return schema


def with_data(page: GeneratedPage, records: list[Any]) -> str:
    nodes = [
        {"@type": "Thing", **{name: value for name, value in record.items() if value is not None}} for record in records
    ]
    script = f'<script type="application/ld+json">{json.dumps(nodes)}</script>'
    return page.html.replace("</head>", script + "</head>", 1) if "</head>" in page.html else script + page.html


def judge(html: str, url: str, schema: Any, truth: Any, name: str) -> str:
    found = extract_structured(html, url, schema)
    if found is None:
        return "none"
    if same(found, truth):
        return "right"
    print(f"WRONG {name}: {json.dumps(found)[:300]}")
    return "wrong"


def same(found: Any, truth: Any) -> bool:
    if isinstance(found, list):
        return len(found) == len(truth) and all(same(one, other) for one, other in zip(found, truth, strict=True))
    return {name: value for name, value in found.items() if value is not None} == {
        name: value for name, value in truth.items() if value is not None
    }


def timing(rows: int) -> str:
    head = "<tr><th>Name</th><th>Price</th><th>Stock</th><th>Added</th><th>Maker</th></tr>"
    body = "".join(
        f"<tr><td><a href='/{at}'>Thing {at}</a></td><td>${at % 900 + 1}.50</td><td>{at % 40}</td>"
        f"<td>2026-01-{at % 28 + 1:02}</td>"
        f"<td>Maker {at % 17}</td></tr>"
        for at in range(rows)
    )
    html = f"<h1>Things</h1><table>{head}{body}</table>"
    text = {"type": "string"}
    fields = {
        "name": text,
        "price": {"type": "number"},
        "stock": {"type": "integer"},
        "added": {**text, "format": "date"},
        "maker": text,
    }
    schema = {"type": "array", "items": {"type": "object", "properties": fields, "required": list(fields)}}
    parsing = best(lambda: parse_html(html))
    answering = best(lambda: find_answer(open_page(html, ""), schema)) - parsing
    whole = best(lambda: extract_structured(html, "", schema), times=1)
    return f"| {rows:,} | {parsing * 1000:.0f} ms | {answering * 1000:.0f} ms | {whole * 1000:.0f} ms |"


def best(work: Any, times: int = 3) -> float:
    spent: list[float] = []
    for _ in range(times):
        started = time.process_time()
        work()
        spent.append(time.process_time() - started)
    return min(spent)


if __name__ == "__main__":
    main()
