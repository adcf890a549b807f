"""An answer in words against its page (EX-11): which claims have support, and the passages that show it. Pure."""

import heapq
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from gleaner.chunking import chunk_markdown_by_structure
from gleaner.chunking.relevance import PASSAGE_LENGTH, TOKEN, Passage, rank
from gleaner.judging.words.block_words import BlockWords, clause_around, sentence_around
from gleaner.judging.words.claim_support import PageSupport, Span
from gleaner.judging.words.claims import AnswerClaim, find_claims
from gleaner.values.lookups import grouped
from gleaner.values.mentions.money import currencies_at
from gleaner.values.texts.text_index import TextIndex

MOST_PASSAGES = 5
"""How many passages come back at least where the page has them; more where the claims need more."""

_LONGEST_QUESTION = 2_000
_LIST_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)．、])[ \t]+\S")
_SEPARATOR = re.compile(r"[,;،、，；](?!\d)")
_LISTS_BEGIN = re.compile(r"[:：(（–—]")
_COUNTED = range(2, 51)
_PLACED = frozenset(["number", "date", "time"])
"""The kinds whose place must speak of what the answer says of them: names and quotations tell enough by themselves."""

_NEAR_CLAIMS = 8
"""How many claims before and behind one may be of something else that its figure was mixed up with."""

_MOST_TRIED = 200
"""Places of one claim that are looked at; a figure that stands in more of them is believed."""

_CLEAR, _CLEAR_SHARE = 3, 0.5
_OUTDONE = 0.34
"""A block is clearly the one that a sentence speaks of when it has this many, and this share, of its telling words; a
figure from a block with no more than ``_OUTDONE`` of what that one has is then of something else. Measured on 1,282
sentences of 132 real pages (``benchmarks/measure/words.py``): figures exchanged between sentences and believed, 134 of
182 before and 71 after; right sentences doubted, none more."""

Support = Literal["page", "question", "answer", "none"]


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim with what bears it out; ``passage`` is the index of a passage that holds one of its places."""

    claim: AnswerClaim
    support: Support
    passage: int | None = None


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """The claims of an answer in its order, and the passages: those that the claims rest on before all others."""

    claims: tuple[CheckedClaim, ...]
    passages: tuple[Passage, ...]

    @property
    def unsupported(self) -> list[AnswerClaim]:
        """The claims that nothing bears out."""
        return [one.claim for one in self.claims if one.support == "none"]


def check_answer(answer: str, index: TextIndex, query: str | None = None) -> CheckedAnswer:
    """Find the claims of an answer on the page that ``index`` was made of, and choose the passages that state them.

    A claim may also stand in the question, or count the items of the answer itself.

    >>> page = TextIndex("Salt costs 3 €.")
    >>> [claim.text for claim in check_answer("Salt costs 5 €, says Bob.", page).unsupported]
    ['5', 'Bob']
    """
    claims = find_claims(answer)
    page = PageSupport(index)
    asked = PageSupport(TextIndex(query or ""))
    places = _settle(answer, claims, page)
    supports: list[Support] = []
    for claim, found in zip(claims, places, strict=True):
        if found:
            supports.append("page")
        elif asked.places(claim):
            supports.append("question")
        elif _counts_items(answer, claim):
            supports.append("answer")
        else:
            supports.append("none")
    chosen, holding = _choose_passages(f"{query or ''}\n{answer}", index.text, places)
    return CheckedAnswer(
        tuple(
            CheckedClaim(claim, support, holding.get(number))
            for number, (claim, support) in enumerate(zip(claims, supports, strict=True))
        ),
        chosen,
    )


# Places that fit


def _settle(answer: str, claims: Sequence[AnswerClaim], page: PageSupport) -> list[list[Span]]:
    """Give for each claim the places that state it of what the answer says it of.

    A number's place counts when its block, or what stands above that, has one of the words by which the answer's
    sentence can be told on the page. And its clause must not speak of what the answer says another number of, while
    it says nothing of its own: "Anna is 41, Ben 36" does not bear out "Anna is 36, Ben 41".
    """
    blocks = BlockWords(page.text)
    stated = {_key(claim): claim for claim in claims}
    found = {key: page.places(claim) for key, claim in stated.items()}
    subjects = blocks.telling(" ".join(word for word in TOKEN.findall(answer) if not word[0].islower()))
    clauses = [_words(answer, claim, blocks) for claim in claims]
    known: dict[object, list[Span]] = {}
    settled: list[list[Span]] = []
    for number, claim in enumerate(claims):
        key = _key(claim)
        places = found[key]
        money = currencies_at(answer, claim.start, claim.end) if claim.kind == "number" else frozenset[str]()
        if claim.kind in _PLACED and places:
            sentence, own = clauses[number]
            near = (words for _, words in clauses[max(0, number - _NEAR_CLAIMS) : number + _NEAR_CLAIMS + 1])
            subject, others = own & subjects, frozenset(word for words in near for word in words & subjects) - own
            case = key, money, sentence, subject, others
            if case not in known:
                tried = [place for place in places[:_MOST_TRIED] if not _is_other_money(page.text, place, money)]
                fitting = _fitting(tried, sentence, blocks, page.index)
                if subject and others:
                    fitting = [one for one in fitting if not _is_of_another(blocks.clause_words[one], subject, others)]
                known[case] = fitting or (places[:_MOST_TRIED] if len(places) > _MOST_TRIED else [])
            places = known[case]
        settled.append(places)
    return settled


def _fitting(places: list[Span], sentence: frozenset[str], blocks: BlockWords, index: TextIndex) -> list[Span]:
    """Give the places around which the page speaks of what a sentence does."""
    if not sentence or not places:
        return places
    least = _least_said(sentence, blocks, index)
    return [place for place in places if len(blocks.said_around(place[0], sentence, closely=least > 1)) >= least]


def _is_other_money(text: str, place: Span, money: frozenset[str]) -> bool:
    """Tell whether a place is money of another currency than the answer says."""
    stated = currencies_at(text, *place) if money else frozenset[str]()
    return bool(stated) and not stated & money


def _least_said(sentence: frozenset[str], blocks: BlockWords, index: TextIndex) -> int:
    """Give how many of the telling words of a sentence must stand around a place that bears out its figure.

    One is enough, unless another block has most of them and a figure of its own.
    """
    most, home = blocks.most_said(sentence)
    is_clear = home is not None and most >= _CLEAR and most >= _CLEAR_SHARE * len(sentence)
    if home is None or not is_clear or next(iter(index.figures((home.start, home.end))), None) is None:
        return 1
    return 1 + int(most * _OUTDONE)


def _key(claim: AnswerClaim) -> AnswerClaim:
    return replace(claim, start=0, end=0)


def _words(answer: str, claim: AnswerClaim, blocks: BlockWords) -> tuple[frozenset[str], frozenset[str]]:
    """Give the telling words of a claim's sentence, and those of its clause."""
    if claim.kind not in _PLACED:
        return frozenset(), frozenset()
    start, end = sentence_around(answer, claim.start, claim.end)
    around = f"{answer[start : claim.start]} {answer[claim.end : end]}"
    return blocks.telling(around), blocks.telling(clause_around(answer, claim.start, claim.end))


def _is_of_another(said: frozenset[str], own: frozenset[str], others: frozenset[str]) -> bool:
    """Tell whether the clause of a place names what the answer says other figures of, and nothing of this one's."""
    return bool(said & others) and not said & own


def _counts_items(answer: str, claim: AnswerClaim) -> bool:
    """Tell whether a number says how many items follow it in the answer: "three reasons:" before a list of three."""
    reading = claim.number
    if reading is None or reading.percent is not None or reading.is_scaled:
        return False
    wanted = {value for value in reading.values if value in _COUNTED}
    if not wanted:
        return False
    end = sentence_around(answer, claim.start, claim.end)[1]
    rest = answer[claim.end : end]
    opening = _LISTS_BEGIN.search(rest)
    if opening:
        commas = len(_SEPARATOR.findall(rest, opening.end()))
        if wanted & {commas + 1, commas + 2} and commas:
            return True
    return bool(wanted & set(_list_lengths(answer[claim.end :])))


def _list_lengths(text: str) -> Iterable[int]:
    """Give the lengths of the first list of a text, as a whole and without the items inside others."""
    lines: list[str] = []
    for line in text.split("\n")[1:]:
        if _LIST_ITEM.match(line):
            lines.append(line)
        elif lines and line.strip() and not line.startswith((" ", "\t")):
            break
    least = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    return len(lines), sum(len(line) - len(line.lstrip()) == least for line in lines)


# Passages


def _choose_passages(
    question: str, text: str, places: Sequence[Sequence[Span]]
) -> tuple[tuple[Passage, ...], Mapping[int, int]]:
    """Give the passages, and for each claim that has places the index of the passage that holds one.

    A greedy cover: the passage that holds most claims not yet covered comes first; what is relevant fills up.
    """
    chunks = chunk_markdown_by_structure(text, PASSAGE_LENGTH, 0)
    scores = rank(question[:_LONGEST_QUESTION], [f"{one.structural_context}\n{one.content}" for one in chunks])
    holders = _holders([chunk.start_char for chunk in chunks], places)
    covered: dict[int, int] = {}
    order: list[int] = []
    waiting = {chunk: set(claims) for chunk, claims in holders.items()}
    by_claim = grouped((claim, chunk) for chunk, held in holders.items() for claim in held)
    queue = [(-len(held), -scores[chunk], chunk) for chunk, held in waiting.items()]
    heapq.heapify(queue)
    while queue:
        gain, score, best = heapq.heappop(queue)
        left = waiting[best]
        if len(left) < -gain:  # others were covered since
            if left:
                heapq.heappush(queue, (-len(left), score, best))
            continue
        for claim in sorted(left):
            covered[claim] = len(order)
            for chunk in by_claim[claim]:
                if chunk != best:
                    waiting[chunk].discard(claim)
        order.append(best)
    relevant = sorted(range(len(chunks)), key=lambda one: (-scores[one], one))
    rest = [one for one in relevant[: MOST_PASSAGES + len(order)] if scores[one] > 0 and one not in set(order)]
    order += rest[: max(0, MOST_PASSAGES - len(order))]
    return tuple(_passage(chunks[one].content, chunks[one].start_char, scores[one]) for one in order), covered


def _holders(starts: Sequence[int], places: Sequence[Sequence[Span]]) -> dict[int, set[int]]:
    """Give for each passage the claims that it holds a place of."""
    held = ((bisect_right(starts, start) - 1, claim) for claim, spans in enumerate(places) for start, _ in spans)
    return {passage: set(claims) for passage, claims in grouped(held).items()}


def _passage(content: str, start: int, score: float) -> Passage:
    lead = len(content) - len(content.lstrip())
    return Passage(start + lead, start + len(content.rstrip()), score)
