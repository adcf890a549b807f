"""Units without a wrapper: runs of siblings such as h3 p p, or dt and dd."""

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import chain, groupby
from statistics import mean, median

from gleaner.html.elements import HEADINGS
from gleaner.units.groups import Candidate
from gleaner.units.survey import Survey
from gleaner.units.vocabulary import LABELLED
from gleaner.values.dates import is_day

_Key = tuple[str, frozenset[str]]

_MOST_LEADERS = 4
_NOT_FLAT = frozenset(("table", "thead", "tbody", "tr", "ul", "ol", "p", "a", "select", "svg"))
_LEAST_LABELLED = _FEWEST = 4
_SENTENCE = 4
"""Words that a sentence has at least."""


def run_candidates(survey: Survey, taken: set[int]) -> list[Candidate]:
    """Give the flat runs of the page's elements, and its definition lists; like ones of several sections together."""
    found: list[Candidate] = []
    lists: defaultdict[object, list[list[list[int]]]] = defaultdict(list)
    for place, children in enumerate(survey.children):
        if place in taken:
            continue
        if survey.tags[place] == "dl":
            lists[_key(survey, survey.parents[place]), survey.classes[place]].append(_entries(survey, children))
        elif len(children) >= _FEWEST and survey.tags[place] not in _NOT_FLAT:
            found.extend(_labelled(survey, children) or _flat(survey, children))
    for beside in lists.values():
        runs = [*chain(*beside)]
        for some in [runs] if _begin_otherwise(survey, runs) else beside:
            found.extend(_definitions(survey, some) if len(some) > 1 else ())
    return _joined(survey, found)


def _joined(survey: Survey, found: list[Candidate]) -> list[Candidate]:
    """Join the runs that begin alike in like elements: the firms of each letter, the talks of each day."""
    alike: defaultdict[object, list[Candidate]] = defaultdict(list)
    for one in found:
        first = one.runs[0][0]
        key = one.weight, _key(survey, first), _key(survey, survey.parents[first])
        alike[key if one.kind == "entry" else first].append(one)
    joined: list[Candidate] = []
    for some in alike.values():
        runs = sorted(run for one in some for run in one.runs)
        joined += [replace(some[0], runs=runs)] if len(some) > 1 and _begin_otherwise(survey, runs) else some
    return joined


def _begin_otherwise(survey: Survey, runs: list[list[int]]) -> bool:
    """Tell whether runs of several places begin with texts of their own: labels come round again in each record."""
    texts = [survey.run_text(run[:1], 60) for run in runs]
    return len(texts) - len({*texts}) <= len(texts) // 10


def _entries(survey: Survey, children: list[int]) -> list[list[int]]:
    """Give the entries of a dl: terms with their descriptions."""
    runs: list[list[int]] = []
    for place in children:
        if survey.tags[place] == "dt" and not (runs and survey.tags[runs[-1][-1]] == "dt"):
            runs.append([])
        if runs:
            runs[-1].append(place)
    return [run for run in runs if len(run) > 1]


def _definitions(survey: Survey, runs: list[list[int]]) -> list[Candidate]:
    """Give the entries of one dl, or of several like ones that begin otherwise: terms with their descriptions, or
    records whose labels come round again.

    Where the terms are days, of which some have several descriptions, each of these is an entry of its day.
    """
    rounds = _rounds([survey.run_text(run[:1], 60) for run in runs], runs)
    if rounds:
        return [Candidate("definition", rounds)]
    if any(len(run) > 2 for run in runs) and all(is_day(survey.run_text(run[:1], 60)) for run in runs):
        return [Candidate("definition", [[place] for run in runs for place in run[1:]])]
    plain = _are_attributes(survey, runs)
    return [Candidate("attribute" if plain else "definition", runs, weight=0.3 if plain else 1.0)]


def _are_attributes(survey: Survey, runs: list[list[int]]) -> bool:
    """Tell labels with values (Weight: 2 kg) from names with descriptions, as those in sentences are."""
    if median(len(run) for run in runs) > 2 or any(survey.linked[run[0]] for run in runs):
        return False
    labels = [survey.run_text(run[:1], 80) for run in runs[:40]]
    values = [survey.run_text(run[1:], 120) for run in runs[:40]]
    short = median(map(len, labels)) <= 24 and median(map(len, values)) < 40
    numbered = sum(1 for label in labels if any(mark.isdigit() for mark in label))
    labelled = sum(1 for value in values if LABELLED.match(value))
    told = sum(1 for value in values if value.endswith((".", "!", "…", "。")) and len(value.split()) >= _SENTENCE)
    return short and told * 2 < len(values) and numbered * 2 < len(labels) and labelled * 2 < len(labels)


def _labelled(survey: Survey, children: list[int]) -> list[Candidate]:
    """Give the records among siblings with a label each whose labels come round again: Name: A, Price: 1, Name: B."""
    stretches = [list(run) for is_labelled, run in groupby(children, lambda at: bool(survey.label(at))) if is_labelled]
    longest = max(stretches, key=len, default=[])
    if len(longest) < _LEAST_LABELLED or survey.tags[longest[0]] in HEADINGS:
        return []
    rounds = _rounds([survey.label(place) for place in longest], [[place] for place in longest])
    return [Candidate("entry", rounds)] if rounds and max(map(len, rounds)) > 1 else []


def _rounds(labels: list[str], runs: list[list[int]]) -> list[list[int]]:
    """Join the pairs of one record when the first label repeats: Name, Price, Name, Price."""
    if labels.count(labels[0]) < 2 or len(set(labels)) * 2 > len(labels):
        return []
    rounds: list[list[int]] = []
    for label, run in zip(labels, runs, strict=True):
        if label == labels[0]:
            rounds.append([])
        rounds[-1].extend(run)
    return rounds


def _flat(survey: Survey, children: list[int]) -> list[Candidate]:
    keys = [(survey.tags[place], survey.classes[place]) for place in children]
    counts = Counter(keys)
    tried: set[_Key] = set()
    for place, key in zip(children, keys, strict=True):
        if key in tried or counts[key] < 3 or key[0] == "hr" or not survey.text[place]:
            continue
        tried.add(key)
        runs = _segments(survey, children, keys, key)
        if _are_records(survey, runs):
            ahead = _what_stands_ahead(survey, children, runs)
            if not ahead or key[0] in HEADINGS:
                return [Candidate("entry", _begun_with(ahead, runs), weight=0.95)]
        if len(tried) >= _MOST_LEADERS:
            break
    return []


def _segments(survey: Survey, children: list[int], keys: list[_Key], leader: _Key) -> list[list[int]]:
    """Cut the siblings before each leader; what follows the last record and no other is left out, rules too.

    So is what begins with a heading of a higher rank than the leader: the title of a group.
    """
    runs: list[list[int]] = []
    is_open = False
    for place, key in zip(children, keys, strict=True):
        if key == leader:
            runs.append([])
            is_open = True
        elif key[0] in HEADINGS and leader[0] in HEADINGS and key[0] < leader[0]:
            is_open = False
        if is_open:
            runs[-1].append(place)
    seen = Counter(key for run in runs for key in {_key(survey, place) for place in run})
    kept: list[list[int]] = []
    for run in runs:
        end = next((at for at, place in enumerate(run) if seen[_key(survey, place)] * 5 < len(runs)), len(run))
        while end > 1 and not survey.text[run[end - 1]]:
            end -= 1
        kept.append(run[:end])
    return kept


def _key(survey: Survey, place: int) -> _Key:
    return survey.tags[place], survey.classes[place]


def _are_records(survey: Survey, runs: list[list[int]]) -> bool:
    """Tell runs of short, like parts from the sections of a text, and from headings over lists of records."""
    if len(runs) < 3 or median(len(run) for run in runs) < 2:
        return False
    if survey.tags[runs[0][0]] not in HEADINGS and any(survey.tags[run[-1]] in HEADINGS for run in runs[:-1]):
        return False  # a heading begins what follows it
    sets = [frozenset(_key(survey, place) for place in run) for run in runs]
    counts = Counter(key for keys in sets for key in keys)
    typical = {key for key, count in counts.items() if count * 2 >= len(sets)}
    if mean(len(keys & typical) / len(keys | typical) for keys in sets) < 0.6:
        return False
    if any(len(run) > 2 and _holds_records(survey, run) for run in runs[:5]):
        return False
    return not _is_prose(survey, runs)


def _what_stands_ahead(survey: Survey, children: list[int], runs: list[list[int]]) -> list[int]:
    """Give what stands before the first run and ends each run but the last: runs begin within a record then.

    So does a line above each heading, if each run but the last ends with one, and nothing else of a record is like it:
    another element, or a text of other signs, as "Oslo" is among "Tel. 555 0101".
    """
    first, last = ([_key(survey, place) for place in run] for run in (runs[0], runs[-1]))
    lacking = first[len(last) :]
    before = [place for place in children if place < runs[0][0]][-len(lacking) :] if lacking else []
    if first[: len(last)] != last or [_key(survey, place) for place in before] != lacking:
        return []
    if survey.tags[runs[0][0]] in HEADINGS:
        ends = ([_key(survey, place) for place in run[-len(lacking) :]] for run in runs[:-1])
        is_own = not set(lacking).intersection(last) or _are_of_one_form(survey, before, runs)
        return before if is_own and all(end == lacking for end in ends) else []
    return before


def _are_of_one_form(survey: Survey, before: list[int], runs: list[list[int]]) -> bool:
    """Tell whether one text before the first run has the signs that the last ones of all runs but the last have, and
    no other text in the runs.
    """
    tails = [run[-1] for run in runs[:-1]]
    others = [place for run in runs for place in run[1:] if place not in tails]
    forms = {_form(survey.run_text([place], 80)) for place in (*before, *tails)}
    return len(before) == len(forms) == 1 and not any(_form(survey.run_text([place], 80)) in forms for place in others)


def _form(text: str) -> tuple[bool, ...]:
    """Give what signs a text has: figures, a label's colon, a sentence's end."""
    return any(map(str.isdigit, text)), ":" in text, text.endswith((".", "!", "?", "…", "。"))


def _begun_with(ahead: list[int], runs: list[list[int]]) -> list[list[int]]:
    """Give the runs, each begun with what stands ahead of it, at the end of the one before."""
    if not ahead:
        return runs
    size = len(ahead)
    parts = [ahead, *(run[-size:] for run in runs[:-1])]
    rests = [*(run[:-size] for run in runs[:-1]), runs[-1]]
    return [part + rest for part, rest in zip(parts, rests, strict=True)]


def _holds_records(survey: Survey, run: list[int]) -> bool:
    """Tell whether what follows the leader are several rich siblings of one sort: records of their own."""
    rich = Counter(_key(survey, place) for place in run[1:] if survey.leaves[place] >= 3)
    return any(count >= 2 for count in rich.values())


def _is_prose(survey: Survey, runs: list[list[int]]) -> bool:
    """Tell a text's sections by their long paragraphs, unless each has labels or numbers where prose has none."""
    bodies = [place for run in runs[:40] for place in run[1:] if survey.text[place]]
    if not bodies:
        return True
    texts = [survey.run_text([place], 200) for place in bodies]
    labelled = sum(1 for text in texts if LABELLED.match(text)) / len(texts)
    numbered = sum(1 for text in texts if any(mark.isdigit() for mark in text)) / len(texts)
    sentences = sum(1 for text in texts if len(text) > 60 and text.rstrip().endswith((".", "!", "…"))) / len(texts)
    if labelled >= 0.5 or (numbered >= 0.5 and sentences < 0.5):
        return False
    questions = sum(1 for run in runs if survey.run_text(run[:1], 200).rstrip().endswith("?")) / len(runs)
    return sentences >= 0.3 and questions < 0.6
