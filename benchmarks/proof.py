"""How many wrong values the proof lets through, how many right ones it rejects, and how long it takes.

Pages are generated in three layouts and three locales; the answers of an imagined model over them are spoiled in known
ways: invented records, values of neighbouring records, prices shifted by one row over a stretch, changed digits and
changed words. Run: ``python benchmarks/proof.py --seed 7``.
"""

import argparse
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gleaner.grounding import TextIndex, prove, reject_ungrounded
from gleaner.grounding.alignment import align_records

Record = dict[str, Any]
SYLLABLES = [
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "ha",
    "je",
    "ki",
    "lo",
    "mu",
    "na",
    "pe",
    "ri",
    "so",
    "tu",
    "va",
    "we",
    "xi",
    "yo",
    "zu",
    "bran",
    "crel",
    "dorn",
    "fels",
    "grim",
]
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def word(random_source: random.Random) -> str:
    return "".join(random_source.choices(SYLLABLES, k=random_source.randint(2, 3)))


@dataclass
class Page:
    text: str
    spans: list[tuple[int, int]]
    truth: list[Record]


@dataclass
class Tally:
    right: int = 0
    right_rejected: int = 0
    wrong: int = 0
    wrong_served: int = 0
    invented: int = 0
    invented_served: int = 0
    seconds: float = 0.0
    leaks: Counter[str] = field(default_factory=Counter[str])


def make_record(source: random.Random, vocabulary: list[str]) -> Record:
    return {
        "name": f"{source.choice(vocabulary)} {source.choice(vocabulary)} {word(source)}".title(),
        "brand": source.choice(vocabulary[:40]).title(),
        "price": round(source.choice((source.uniform(1, 99), source.uniform(100, 9999))), 2),
        "stock": source.randint(0, 60),
        "added": f"{source.randint(2019, 2026)}-{source.randint(1, 12):02}-{source.randint(1, 28):02}",
        "note": " ".join(source.choices(vocabulary, k=source.randint(4, 14))).capitalize() + ".",
        "currency": "EUR",
    }


def money(locale: str, value: float) -> str:
    english = f"{value:,.2f}"
    if locale == "en":
        return f"€{english}"
    swapped = english.translate(str.maketrans(",.", ".,"))
    return f"{swapped} €" if locale == "de" else f"{swapped.replace('.', chr(0x202F))} €"


def day(locale: str, value: str) -> str:
    year, month, number = value.split("-")
    return {"en": f"{MONTHS[int(month) - 1]} {int(number)}, {year}", "de": f"{number}.{month}.{year}"}.get(
        locale, f"{number}/{month}/{year}"
    )


def row(locale: str, record: Record) -> str:
    cells = (
        record["name"],
        record["brand"],
        money(locale, record["price"]),
        record["stock"],
        day(locale, record["added"]),
    )
    return "| " + " | ".join(str(cell) for cell in (*cells, record["note"])) + " |"


def item(locale: str, record: Record) -> str:
    price, added = money(locale, record["price"]), day(locale, record["added"])
    return f"- **{record['name']}** by {record['brand']}: {price}, {record['stock']} left, {added}. {record['note']}"


def card(locale: str, record: Record) -> str:
    price, added = money(locale, record["price"]), day(locale, record["added"])
    facts = f"{record['stock']} left | {added}"
    return "\n\n".join((f"### {record['name']}", record["brand"], price, facts, record["note"])) + "\n"


LAYOUTS: dict[str, tuple[Callable[[str, Record], str], str]] = {
    "table": (row, "| Name | Brand | Price | Stock | Added | Note |\n|---|---|---|---|---|---|\n"),
    "list": (item, ""),
    "cards": (card, ""),
}


def make_page(source: random.Random, layout: str, locale: str, count: int) -> Page:
    vocabulary = [word(source) for _ in range(1500)]
    truth = [make_record(source, vocabulary) for _ in range(count)]
    draw, head = LAYOUTS[layout]
    text, spans = f"# Shop\n\nShowing 1-{count} of {count * 12}\n\n{head}", []
    for record in truth:
        piece = draw(locale, record)
        spans.append((len(text), len(text) + len(piece)))
        text += piece + "\n"
    return Page(text, spans, truth)


@dataclass
class Answer:
    """What the model says, for each record the true one (None: invented), and how each wrong leaf came about."""

    records: list[Record]
    truth: list[Record | None]
    how: dict[tuple[int, str], str]


def spoil(source: random.Random, page: Page) -> Answer:
    answer: list[Record] = [dict(record) for record in page.truth]
    how: dict[tuple[int, str], str] = {}
    start = source.randrange(max(1, len(answer) - len(answer) // 20))
    for number in range(start, min(start + len(answer) // 25, len(answer) - 1)):
        answer[number]["price"] = page.truth[number + 1]["price"]
        how[number, "price"] = "shifted"
    for number, record in enumerate(answer):
        for name in ("name", "brand", "price", "stock", "added", "note"):
            if source.random() < 0.05 and (number, name) not in how:
                how[number, name], record[name] = spoil_value(source, page, number, name)
    truth: list[Record | None] = list(page.truth)
    for _ in range(len(answer) // 20):
        place = source.randrange(len(answer) + 1)
        answer.insert(place, make_record(source, [word(source) for _ in range(60)]))
        truth.insert(place, None)
    moved = [number for number, record in enumerate(truth) if record is not None]
    return Answer(answer, truth, {(moved[number], name): kind for (number, name), kind in how.items()})


def spoil_value(source: random.Random, page: Page, number: int, name: str) -> tuple[str, Any]:
    value = page.truth[number][name]
    if source.random() < 0.4:
        neighbour = min(max(number + source.choice((-2, -1, 1, 2)), 0), len(page.truth) - 1)
        return "neighbour's", page.truth[neighbour][name]
    if isinstance(value, str) and not value[0].isdigit():
        words = value.split()
        words[source.randrange(len(words))] = word(source)
        return "changed word", " ".join(words)
    if isinstance(value, str):
        return "changed digit", f"{value[:-2]}{int(value[-2:]) % 28 + 1:02}"
    if isinstance(value, float):
        return "changed digit", round(value + source.choice((1, -1, 10, 100, 0.5)), 2)
    return "changed digit", value + source.randint(1, 9)


def judge(tally: Tally, answer: Answer, page: Page, known: str) -> None:
    began = time.process_time()
    index = TextIndex(page.text)
    spans = None
    if known == "units":
        numbers = align_records(answer.records, index, page.spans)
        spans = [None if number is None else page.spans[number] for number in numbers]
    entries = prove(answer.records, index, spans=spans, units=page.spans if spans else None)
    outcome = reject_ungrounded(answer.records, entries, None)
    tally.seconds += time.process_time() - began
    rejected = {entry.pointer for entry in entries if entry.status == "ungrounded"}
    dropped = {record.pointer for record in outcome.dropped}
    for number, record in enumerate(answer.records):
        true = answer.truth[number]
        if true is None:
            tally.invented += 1
            tally.invented_served += f"/{number}" not in dropped
            continue
        for name, value in record.items():
            is_rejected = f"/{number}/{name}" in rejected or f"/{number}" in dropped
            if value == true[name]:
                tally.right += 1
                tally.right_rejected += is_rejected
            else:
                tally.wrong += 1
                tally.wrong_served += not is_rejected
                if not is_rejected:
                    tally.leaks[f"{answer.how[number, name]} {name}"] += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--records", type=int, default=400)
    parser.add_argument("--large", type=int, default=10_000)
    arguments = parser.parse_args()
    print(
        "| layout | places | right leaves | wrongly rejected | wrong leaves | served | invented records | served | s |"
    )
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|")
    for layout in LAYOUTS:
        for known in ("units", "unknown"):
            tally = Tally()
            for locale in ("en", "de", "fr"):
                source = random.Random(f"{arguments.seed} {layout} {locale}")
                page = make_page(source, layout, locale, arguments.records)
                judge(tally, spoil(source, page), page, known)
            print(line(layout, known, tally))
    source = random.Random(arguments.seed)
    page = make_page(source, "table", "de", arguments.large)
    tally = Tally()
    judge(tally, spoil(source, page), page, "units")
    print(line(f"table, {len(page.text):,} characters", "units", tally))


def line(layout: str, known: str, tally: Tally) -> str:
    shares = (
        tally.right_rejected / tally.right,
        tally.wrong_served / tally.wrong,
        tally.invented_served / tally.invented,
    )
    leaks = ", ".join(f"{count} {kind}" for kind, count in tally.leaks.most_common(4))
    right = f"{tally.right:,} | {shares[0]:.2%}"
    wrong = f"{tally.wrong:,} | {shares[1]:.1%}{f' ({leaks})' if leaks else ''}"
    return f"| {layout} | {known} | {right} | {wrong} | {tally.invented} | {shares[2]:.1%} | {tally.seconds:.1f} |"


if __name__ == "__main__":
    main()
