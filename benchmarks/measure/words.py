"""Answers in words: are right sentences believed, and changed ones not (EX-11)?

Sentences of a page's main text, as a person marked it, are right answers. Changed ones have a digit exchanged, a name
exchanged for one of another page, or the number of another sentence of the page. What the page's Markdown does not
hold, and what claims nothing, is left out.
"""

import json
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from gleaner.judging.words.answers import check_answer
from gleaner.judging.words.claims import find_claims
from gleaner.markdown import extract_clean_markdown
from gleaner.values.texts.text_index import TextIndex

from measure.rows import Context, Row, share

SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
SHORTEST, LONGEST = 30, 400
SENTENCES_A_PAGE = 12
QUICK_PAGES = 12
NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}(?: [A-Z][a-z]{3,})*")
NUMBER = re.compile(r"(?<![\w.,:/-])\d{2,6}(?![\w:/-]|[.,]\d)")

Change = Callable[[str, "Sample"], str | None]


class Sample:
    """The sentences of one page that its Markdown holds, and what to exchange in them."""

    def __init__(self, markdown: str, text: str, foreign: Sequence[str], chance: random.Random) -> None:
        self.markdown, self.chance, self.foreign = markdown, chance, foreign
        self.index = TextIndex(markdown)
        pieces = [piece.strip() for piece in SENTENCE.split(text)]
        fitting = [piece for piece in dict.fromkeys(pieces) if SHORTEST <= len(piece) <= LONGEST and find_claims(piece)]
        chance.shuffle(fitting)
        self.sentences = [piece for piece in fitting if self.index.find(piece)][:SENTENCES_A_PAGE]

    def is_partial(self, sentence: str) -> bool:
        """Tell whether the sentence as an answer has a claim that nothing bears out."""
        return bool(check_answer(sentence, self.index).unsupported)


def with_other_digit(sentence: str, sample: Sample) -> str | None:
    """Exchange a number for one that the page has nowhere."""
    numbers = list(NUMBER.finditer(sentence))
    if not numbers:
        return None
    one = sample.chance.choice(numbers)
    for _ in range(20):
        at = sample.chance.randrange(len(one[0]))
        other = one[0][:at] + sample.chance.choice("123456789") + one[0][at + 1 :]
        if other not in sample.markdown:
            return sentence[: one.start()] + other + sentence[one.end() :]
    return None


def with_other_name(sentence: str, sample: Sample) -> str | None:
    """Exchange a name in the middle of a sentence for one of another page."""
    names = list(NAME.finditer(sentence))
    page = sample.markdown.lower()
    strange = [name for name in sample.foreign if not any(word.lower() in page for word in name.split())]
    if not names or not strange:
        return None
    one = sample.chance.choice(names)
    return sentence[: one.start()] + sample.chance.choice(strange) + sentence[one.end() :]


def with_number_of_another(sentence: str, sample: Sample) -> str | None:
    """Exchange a number for one of another sentence of the page."""
    numbers = list(NUMBER.finditer(sentence))
    others = [found[0] for other in sample.sentences if other != sentence for found in NUMBER.finditer(other)]
    others = [other for other in others if other not in sentence]
    if not numbers or not others:
        return None
    one = sample.chance.choice(numbers)
    return sentence[: one.start()] + sample.chance.choice(others) + sentence[one.end() :]


CHANGES: dict[str, tuple[str, Change]] = {
    "words.changed_digit": ("Sentences with another digit called complete", with_other_digit),
    "words.changed_name": ("Sentences with a strange name called complete", with_other_name),
    "words.swapped_number": ("Sentences with the number of another one called complete", with_number_of_another),
}


def measure(context: Context) -> list[Row]:
    """Give the share of right sentences that are called partial, and of changed ones that are called complete."""
    samples = read_samples(context)
    right = [(sample, sentence) for sample in samples for sentence in sample.sentences]
    wrong = sum(sample.is_partial(sentence) for sample, sentence in right)
    joined = [(sample, rearranged(sample)) for sample in samples if len(sample.sentences) > 1]
    wrong_joined = sum(sample.is_partial(answer) for sample, answer in joined)
    rows = [
        row("words.right_partial", "Right sentences called partial", wrong, len(right)),
        row("words.joined_partial", "Answers of several right sentences called partial", wrong_joined, len(joined)),
    ]
    for name, (title, change) in CHANGES.items():
        changed = [(sample, other) for sample, sentence in right if (other := change(sentence, sample))]
        believed = sum(not sample.is_partial(sentence) for sample, sentence in changed)
        rows.append(row(name, title, believed, len(changed)))
    return rows


def rearranged(sample: Sample) -> str:
    """Give up to four sentences of a page as one answer, each without its last third: as short as answers are."""
    chosen = sample.chance.sample(sample.sentences, min(4, len(sample.sentences)))
    return " ".join(" ".join(one.split()[: max(4, 2 * len(one.split()) // 3)]).rstrip(".,;:") + "." for one in chosen)


def row(name: str, title: str, part: int, whole: int) -> Row:
    """Give a row of which less is better."""
    note = "" if whole else "no corpus: set GLEANER_CORPUS"
    return Row(name, title, share(part, whole), "%", "lower", 1.0, f"{part} of {whole}", note=note)


def read_samples(context: Context) -> list[Sample]:
    """Give the sentences of the pages with a main text that a person marked."""
    chance = random.Random(context.seed)
    folder = context.corpus / "wcxb_dev" if context.corpus else None
    if folder is None or not (folder / "pages.jsonl").is_file():
        return []
    pages = [json.loads(line) for line in (folder / "pages.jsonl").read_text("utf-8").splitlines()]
    pages = pages[:: max(1, len(pages) // QUICK_PAGES)] if context.quick else pages
    names = [(page["id"], match[0]) for page in pages for match in NAME.finditer(page["text"])]
    samples: list[Sample] = []
    for page in pages:
        html = page_file(folder, page["id"])
        if html is None:
            context.note(page["id"], "has no file")
            continue
        markdown = extract_clean_markdown(html.read_text("utf-8", "replace"), page["url"])[0]
        foreign = [name for owner, name in chance.sample(names, min(60, len(names))) if owner != page["id"]]
        samples.append(Sample(markdown, page["text"], foreign, chance))
    return samples


def page_file(folder: Path, name: str) -> Path | None:
    """Give the saved page of an id; None where there is none."""
    return next(iter(sorted((folder / "html").glob(f"{name}*"))), None)
