"""The replaying model beside the recorded one: does it say what a capable model said to the same prompts?

Each recorded prompt is given to the model that the yardstick replays answers with (``answering.py``). It must give the
records that the recorded answer gives, and pass over the same pieces; else what other suites measure is its doing.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from measure.answering import Prompt, Reader
from measure.cases import CORPORA, Case, attempt, folders_of, fullest_answer, json_in
from measure.comparing import compare
from measure.counting import Tally, share
from measure.rows import Context, Row

NAMES = ("answered_lists", "answered_pages")


def measure(context: Context) -> Sequence[Row]:
    """Give two rows: records of the recorded answers that are given, and pieces that both pass over."""
    tally: Tally = Counter()
    for corpus in (one for one in CORPORA if one.name in NAMES):
        for folder in folders_of(context, corpus):
            case = corpus.read(corpus.name, folder) if corpus.read else None
            found = attempt(context, f"{corpus.name}/{folder.name}", lambda one=case, at=folder: count_answers(one, at))
            tally += found or Counter()
    note = "" if tally else "the corpus is not there"
    rows: list[Row] = []
    for name, title, part, whole in (
        ("records", "values of recorded answers that it gives", "kept", "values"),
        ("pieces", "pieces passed over as recorded", "alike", "pieces"),
    ):
        value, of = share(part, whole, called=whole)(tally)
        rows.append(Row(f"recorded.{name}", f"replaying model: {title}", value, "%", "higher", 0.5, of, note=note))
    return rows


def count_answers(case: Case | None, folder: Path) -> Tally:
    """Count for each recorded prompt what the replaying model gives of the recorded answer."""
    tally: Tally = Counter()
    if case is None:
        return tally
    model = Reader(replace(case, wanted=fullest_answer(folder)))
    for path in sorted(folder.glob("call-*.prompt.txt")):
        asked = path.read_text("utf-8").partition("=== user\n")[2]
        answer = json_in(path.with_name(path.name.replace("prompt", "answer")).read_text("utf-8"))
        given = json_in(model.say(asked))
        fate = compare(answer["data"], given["data"])
        numbers = {number for piece in Prompt(asked).pieces for number in piece.numbers}
        apart = {*answer.get("skipped", ())} ^ {*given.get("skipped", ())}
        tally.update(values=fate.values, kept=len(fate.kept), pieces=len(numbers), alike=len(numbers - apart))
    return tally
