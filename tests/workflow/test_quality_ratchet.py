"""Scores of the whole pipeline on fixed pages with an unkind model: they may only get better.

The stored scores stand in ``tests/golden/quality.json``. When they got better, store them:
``python tests/workflow/test_quality_ratchet.py --raise``. It never stores a worse one.
"""

import json
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from generated_pages import LIST_KINDS, GeneratedPage, PageKind, generate_page
from gleaner import Gleaner
from gleaner.local.engine import scaled_retry_waits
from gleaner.markdown import main_content
from gleaner.page.opening import open_page
from gleaner.testing import Faults, ScriptedModel, truth_of
from gleaner.units import primary_units

STORED = Path(__file__).parents[1] / "golden/quality.json"
GOLDEN = sorted((Path(__file__).parents[1] / "golden/markdown").glob("*/input.html"))
UNKIND = Faults(drop=0.1, invent=0.05, corrupt=0.05, repeat=0.05, cut=0.05, fail=0.05, break_json=0.02, chatter=0.2)
PAGES = ((81_001, 14), (81_002, 40), (81_003, 40), (81_004, 75))
"""Seed and number of records of the pages of each kind."""

LOWER_IS_BETTER = frozenset({"silent_losses", "fabricated", "rejected"})
Scores = dict[str, dict[str, float]]


def leaves(record: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(name, value) for name, value in record.items() if value is not None]


def pair(page: GeneratedPage, data: list[dict[str, Any]]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Join each record of the page with the one of the result that has most of its fields, if it has most."""
    left = list(data)
    pairs: list[tuple[dict[str, Any], dict[str, Any]]] = []
    for record in page.records:
        fits = [sum(one.get(name) == value for name, value in leaves(record)) for one in left]
        best = max(range(len(left)), key=fits.__getitem__, default=None)
        if best is not None and fits[best] * 2 > len(leaves(record)):
            pairs.append((left.pop(best), record))
    return pairs


def judge(gleaner_home: Path, kind: PageKind, seed: int, size: int) -> Counter[str]:
    page = generate_page(seed, kind, size, ads_every=0)
    clean = open_page(page.html, page.url)
    model = ScriptedModel(truth_of(page.records, *page.telling_fields(clean.text)), UNKIND, seed)
    config = {"max_chunk_chars": 5_000, "tiers": ["model"], "max_concurrent_chunks": 1}
    with Gleaner(model, gleaner_home / f"{kind}-{seed}") as gleaner:
        result = gleaner.extract_html(page.html, page.url, output_schema=page.schema, query="all", config=config)
    assert result.extraction is not None, result.error
    data = result.extraction.data or []
    pairs = pair(page, data)
    told = {
        entry.pointer: entry.value
        for entry in result.extraction.provenance
        if entry.status == "ungrounded" or entry.doubt is not None
    }
    places = {id(record): at for at, record in enumerate(data)}
    faults = [
        (f"/{places[id(served)]}/{name}", value)
        for served, record in pairs
        for name, value in leaves(record)
        if served.get(name) != value
    ]
    served_told = sum(f"/{at}/{name}" in told for at, one in enumerate(data) for name, _ in leaves(one))
    right_told = sum(
        f"/{places[id(served)]}/{name}" in told
        for served, record in pairs
        for name, value in leaves(record)
        if served.get(name) == value
    )
    own = sum(served.get(name) == value for served, record in pairs for name, value in leaves(record))
    return Counter(
        pages=1,
        records=len(page.records),
        found=len(pairs),
        silent=int(result.status == "complete" and len(pairs) < len(page.records)),
        leaves=sum(len(leaves(record)) for _, record in pairs),
        own=own,
        told=sum(pointer in told and told[pointer] != value for pointer, value in faults),
        served_told=served_told - right_told,
        served=sum(len(leaves(record)) for record in data),
        exact=int(len(primary_units(clean.units)) == len(page.records)),
    )


def scores_of(kind: PageKind) -> dict[str, float]:
    """Give the scores of one kind of page; shares are rounded to four places.

    ``fabricated`` are wrong values that are served without a word, ``rejected`` right ones that are refused or gone
    without one: a wrong value that is refused or doubted, and so told, is neither.
    """
    with tempfile.TemporaryDirectory() as folder:
        counts = sum((judge(Path(folder), kind, seed, size) for seed, size in PAGES), Counter[str]())
    return {
        "silent_losses": counts["silent"],
        "record_recall": round(counts["found"] / counts["records"], 4),
        "fabricated": round((counts["served"] - counts["own"] - counts["served_told"]) / max(1, counts["served"]), 4),
        "rejected": round((counts["leaves"] - counts["own"] - counts["told"]) / max(1, counts["leaves"]), 4),
        "unit_exactness": round(counts["exact"] / counts["pages"], 4),
    }


def content_scores() -> dict[str, float]:
    """Give the token F1 of the main content of each golden page."""
    return {
        f"{path.parent.name} main_content F1": round(
            token_f1(main_content(path.read_text("utf-8"), "https://site.example/dir/page"), wanted_of(path)), 4
        )
        for path in GOLDEN
    }


def wanted_of(path: Path) -> str:
    return (path.parent / "main.md").read_text("utf-8")


def token_f1(text: str, wanted: str) -> float:
    """Give the F1 of the texts' words, as bags.

    >>> token_f1("a b", "b c")
    0.5
    """
    mine, theirs = Counter(re.findall(r"\w+", text)), Counter(re.findall(r"\w+", wanted))
    shared = sum((mine & theirs).values())
    return 2 * shared / max(1, sum(mine.values()) + sum(theirs.values()))


def better(name: str, value: float, stored: float) -> float:
    return min(value, stored) if name in LOWER_IS_BETTER else max(value, stored)


def stored_scores() -> Scores:
    return json.loads(STORED.read_text("utf-8")) if STORED.exists() else {}


@pytest.mark.req("EX-6", "CM-1", "PR-1")
@pytest.mark.parametrize("kind", LIST_KINDS)
def test_the_scores_of_records_only_rise(kind: PageKind) -> None:
    scores = scores_of(kind)
    stored = stored_scores()[kind]
    assert set(stored) == set(scores)
    worse = {
        name: (value, stored[name]) for name, value in scores.items() if better(name, value, stored[name]) != value
    }
    assert not worse, f"{kind} got worse (now, before): {worse}"


@pytest.mark.req("MD-1")
def test_the_scores_of_content_only_rise() -> None:
    stored = stored_scores()["content"]
    scores = content_scores()
    assert set(stored) <= set(scores), "a golden page went missing"
    worse = {name: (scores[name], value) for name, value in stored.items() if scores[name] < value}
    assert not worse, f"main_content got worse (now, before): {worse}"


def test_a_worse_score_is_told_from_a_better_one() -> None:
    assert better("fabricated", 0.2, 0.1) == 0.1
    assert better("record_recall", 0.9, 1.0) == 1.0
    assert better("record_recall", 1.0, 0.9) == 1.0


def raise_scores() -> None:
    """Store what got better, and what is new; keep the rest."""
    stored = stored_scores()
    with scaled_retry_waits(0):
        measured: Scores = {kind: scores_of(kind) for kind in LIST_KINDS} | {"content": content_scores()}
    raised = {
        group: {name: better(name, value, stored.get(group, {}).get(name, value)) for name, value in scores.items()}
        for group, scores in measured.items()
    }
    STORED.write_text(json.dumps(raised, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--raise"]:
        sys.exit("usage: python tests/workflow/test_quality_ratchet.py --raise")
    raise_scores()
