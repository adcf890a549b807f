"""The cases of all corpora: a page, what is asked of it, and the right answer. The yardstick's one reading of cases.

A corpus is a folder of ``GLEANER_CORPUS`` with a folder for each case, the layouts of ``benchmarks/layouts``, or the
small pages of our own. Broken cases are named in the notes and counted nowhere.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from layouts.design import Design, Style, page_of, strip_marks, truth_of
from layouts.split import Part, designs_of
from small_pages import SMALL_PAGES, SmallPage

from measure.comparing import Json, choices, escaped, is_nothing, leaves, record_steps, records_of
from measure.page_text import Text, visible_text, words_of
from measure.rows import Context

Made = TypeVar("Made")
ROWS = 12
"""Records that a list of the layouts is cut to: enough to learn from, few enough for many lists."""

LONGEST_QUICK = 130_000
"""Bytes of HTML of a page in the quick subset."""

_RESERVED = ".example"
"""The end of host names that belong to nobody (RFC 2606)."""


@dataclass(frozen=True)
class Case:
    """A page with its right answer, an instance of the schema; without a schema a text that answers the query.

    ``site`` is what is left out when something is learned from the others. ``wanted`` may hold choices
    (``{"$any": […]}``). ``is_whole`` says that the answer has every record that the page shows. ``others`` are further
    pages of the layout. ``counts_stated`` says that only those values count that the page's visible text states: the
    answer was not made for this page alone. ``donors`` are records of another page, to invent from.
    """

    corpus: str
    name: str
    site: str
    html: str
    url: str
    schema: Json
    query: str | None
    wanted: Json
    part: Part = "develop"
    is_whole: bool = True
    others: tuple["Case", ...] = ()
    counts_stated: bool = False
    donors: Sequence[dict[str, Json]] = ()

    @cached_property
    def text(self) -> Text:
        """What the page states, its addresses included; shut parts, too, where the answer stands in one."""
        text = Text(visible_text(self.html), self.html)
        if any(text.states(one) for _, one in leaves(self.wanted)):
            return text
        return Text(visible_text(self.html, with_shut=True), self.html)

    @cached_property
    def size(self) -> int:
        """Characters of the page's visible text."""
        return len(visible_text(self.html))

    @cached_property
    def truth(self) -> Json:
        """The answer without choices: of several the first that the page states."""
        return self._chosen(self.wanted)

    def _chosen(self, value: Json) -> Json:
        options = choices(value)
        if options != [value]:
            return next((one for one in options if self.text.states(one)), options[0])
        if isinstance(value, dict):
            return {name: self._chosen(one) for name, one in value.items()}
        return [self._chosen(one) for one in value] if isinstance(value, list) else value

    @cached_property
    def records(self) -> list[dict[str, Json]]:
        """The true records: one, for a page about one thing."""
        return records_of(self.truth)

    @cached_property
    def steps(self) -> tuple[str, ...] | None:
        """Where the records stand in the answer; None for a page about one thing."""
        return record_steps(self.truth)

    @property
    def is_list(self) -> bool:
        """Whether the page is asked for a list of records."""
        return self.steps is not None

    def pointer(self, record: int, name: str) -> str:
        """Give the JSON Pointer of a field of a true record."""
        around = "".join(f"/{step}" for step in self.steps or ())
        return f"{around}/{record}/{escaped(name)}" if self.is_list else f"/{escaped(name)}"

    @cached_property
    def record_schema(self) -> dict[str, Json]:
        """The schema of one record."""
        schema = self.schema["properties"][self.steps[0]] if self.steps else self.schema
        return schema["items"] if self.is_list else schema

    @cached_property
    def counted(self) -> frozenset[str]:
        """The pointers of the right values that count."""
        found = dict(leaves(self.truth))
        times = Counter(map(repr, found.values()))
        is_counted = {
            key: not self.counts_stated or self._states(one, times[key]) for one in found.values() if (key := repr(one))
        }
        return frozenset(pointer for pointer, one in found.items() if is_counted[repr(one)])

    def _states(self, value: Json, times: int) -> bool:
        """Tell whether the page states a value; a text that the truth has often must stand there about as often."""
        if times <= MOST_BY_CHANCE or not isinstance(value, str):
            return self.text.states(value)
        return 2 * self.text.count(words_of(value)) >= times


@dataclass(frozen=True, slots=True)
class Corpus:
    """Where cases come from: ``folder`` in the corpus, with how a case is read, or ``make`` for pages made here.

    ``quick`` is how many of them the quick subset has; ``is_fitted`` says that rules were written with them at hand.
    """

    name: str
    title: str
    quick: int
    folder: tuple[str, ...] = ()
    read: "Callable[[str, Path], Case] | None" = None
    make: Callable[[Context], Iterator[Case]] | None = None
    is_fitted: bool = False


def _json(path: Path) -> Json:
    return json.loads(path.read_text("utf-8"))


def _page(folder: Path, number: str = "") -> tuple[str, str]:
    """Give a saved page and its address."""
    url = (folder / f"url{number}").read_text("utf-8").strip() or folder.name
    html = (folder / f"page{number}.html").read_bytes().decode("utf-8", "replace")
    return html, url if "://" in url else f"https://{url}"


def _asked(folder: Path) -> tuple[Json, str | None]:
    """Give the schema and the question of a case; either may be missing."""
    schema, query = folder / "schema.json", folder / "query"
    asked = _json(schema) if schema.exists() else None
    return asked, query.read_text("utf-8").strip() or None if query.exists() else None


def _court(corpus: str, folder: Path) -> Case:
    meta = _json(folder / "meta.json")
    following = sorted(one for one in (folder / "next").glob("*") if one.is_dir())
    case = Case(
        corpus, folder.name, meta["group"], *_page(folder), *_asked(folder), _json(folder / "truth.json"),
        is_whole=meta["whole"],
    )  # fmt: skip
    return replace(case, others=tuple(at_host_of(case, _court(corpus, one)) for one in following))


def at_host_of(case: Case, other: Case) -> Case:
    """Give a further page of a site at the host of the first: where its own was not saved, a reserved name stands.

    Its address and the addresses in its truth were made absolute with that name, so they change together.
    """
    saved, host = urlsplit(other.url).netloc, urlsplit(case.url).netloc
    if other.site != case.site or not saved.endswith(_RESERVED):
        return other
    wanted = json.loads(json.dumps(other.wanted).replace(f"https://{saved}/", f"https://{host}/"))
    return replace(other, url=other.url.replace(saved, host, 1), wanted=wanted)


def _real_page(corpus: str, folder: Path) -> Case:
    """Read a page with its truth, and a second page of its layout where there is one."""
    pages = [number for number in ("", "2") if (folder / f"page{number}.html").exists()]
    asked = _asked(folder)
    first, *others = (
        Case(
            corpus,
            f"{folder.name}{number}",
            urlsplit(url).netloc,
            html,
            url,
            *asked,
            _json(folder / f"truth{number}.json"),
        )
        for number in pages
        for html, url in [_page(folder, number)]
    )
    return replace(first, others=tuple(others))


def _answered(corpus: str, folder: Path) -> Case:
    """Read a page that a capable model answered; what became of it is ``result.json``, judged right by reading."""
    result, (html, url) = folder / "result.json", _page(folder)
    answer = _json(result)["data"] if result.exists() and "lists" in corpus else fullest_answer(folder)
    site = urlsplit(url).netloc
    return Case(corpus, folder.name, site, html, url, *_asked(folder), answer, counts_stated=True)


def fullest_answer(folder: Path) -> Json:
    """Give the recorded answer with the most records: later ones repeat it in part."""
    answers = [json_in(one.read_text("utf-8"))["data"] for one in sorted(folder.glob("call-*.answer.txt"))]
    return max(answers, key=lambda answer: len(records_of(answer)))


def json_in(text: str) -> Json:
    """Read the JSON of a recorded answer, in a fence or not; ValueError when there is none."""
    start = min((at for at in (text.find("{"), text.find("[")) if at >= 0), default=-1)
    if start < 0:
        raise ValueError("the recorded answer holds no JSON")
    return json.JSONDecoder().raw_decode(text[start:])[0]


def _saved(corpus: str, folder: Path) -> Case:
    """Read a page whose truth was made for another purpose: what the page does not state is not asked for."""
    schema, (html, url) = _json(folder / "schema.json"), _page(folder)
    case = Case(corpus, folder.name, urlsplit(url).netloc, html, url, schema, None, _json(folder / "expected.json"))
    kept = case.wanted
    if not case.is_list and isinstance(kept, dict):
        kept = {name: value for name, value in kept.items() if _is_answerable(case, name, case.truth[name])}
        kept = {**dict.fromkeys(schema["properties"]), **kept}
    is_whole = all(not is_nothing(record.get(name)) for record in case.records for name in _due(case.record_schema))
    return replace(case, wanted=kept, counts_stated=True, is_whole=is_whole)


def _due(schema: dict[str, Json]) -> Iterator[str]:
    """Give the fields that must hold a value: an answer without one is never complete, however right it is."""
    for name in schema.get("required", ()):
        if "null" not in schema["properties"].get(name, {}).get("type", ["null"]):
            yield name


def _is_answerable(case: Case, name: str, value: Json) -> bool:
    """Tell whether a model that read the page would give the value: the page states it, or it must be given."""
    items = value if isinstance(value, list) else [value]
    is_stated = 2 * sum(map(case.text.states, items)) >= len(items) > 0
    return not is_nothing(value) and (is_stated or name in _due(case.schema))


def layout_case(design: Design, part: Part, seed: object, number: int = 0) -> Case:
    """Give a page of a layout, with the next one of it and the records of the one after that to invent from."""
    this, following = (_of_layout(design, part, seed, at) for at in (number, number + 1))
    donors = [truth_of(design, one) for one in design.records(seed, number + 2)[:ROWS]]
    return replace(this, others=(following,), donors=donors)


def _of_layout(design: Design, part: Part, seed: object, number: int) -> Case:
    records = design.records(seed, number)[:ROWS]
    html = strip_marks(page_of(design, records, Style()))
    truths = [truth_of(design, one) for one in records]
    wanted = truths if design.is_list else truths[0]
    return Case("layouts", design.name, design.name, html, design.url(number), design.whole_schema, None, wanted, part)


def _layouts(context: Context) -> Iterator[Case]:
    parts: tuple[Part, ...] = ("develop",) if context.develops else ("develop", "check")
    for part in parts:
        designs = designs_of(part, is_measurement=part == "check")
        for design in designs[:: max(1, len(designs) // LAYOUTS_QUICK)] if context.quick else designs:
            yield layout_case(design, part, context.seed)


def _small_pages(context: Context) -> Iterator[Case]:
    pages: Sequence[SmallPage] = SMALL_PAGES
    for page in pages[::2] if context.quick else pages:
        url = f"https://small.example/{page.name.replace(' ', '-')}"
        yield Case("own", page.name, page.name, page.html, url, page.schema, page.query, page.truth)


LAYOUTS_QUICK = 8
MOST_BY_CHANCE = 3
"""Times that a truth may have a text which its page states once."""

CORPORA = (
    Corpus("courts", "court lists", 8, ("courts",), _court),
    Corpus("real_pages", "real pages", 5, ("real_pages",), _real_page),
    Corpus("answered_lists", "recorded lists", 2, ("answered_lists",), _answered, is_fitted=True),
    Corpus("answered_pages", "recorded things", 4, ("answered_pages",), _answered, is_fitted=True),
    Corpus("products", "product pages", 6, ("records", "products"), _saved, is_fitted=True),
    Corpus("recipes", "recipe pages", 5, ("records", "recipes"), _saved, is_fitted=True),
    Corpus("tables", "tables", 5, ("records", "tables"), _saved, is_fitted=True),
    Corpus("layouts", "generated layouts", 0, make=_layouts, is_fitted=True),
    Corpus("own", "small pages of our own", 0, make=_small_pages),
)
TITLES = {one.name: one.title for one in CORPORA}
OVER_ALL = tuple(one.name for one in CORPORA if one.name != "own")
"""The corpora that rows over all of them are made of: each small page of our own is there because something failed."""

FITTED = frozenset(one.name for one in CORPORA if one.is_fitted)


def read_cases(context: Context, *names: str) -> Iterator[Case]:
    """Give the cases of the corpora of these names, by default of all; in a quick run some of each."""
    for corpus in CORPORA:
        if names and corpus.name not in names:
            continue
        if corpus.make is not None:
            yield from corpus.make(context)
        elif corpus.read is not None:
            yield from _read_folders(context, corpus.name, corpus.read, folders_of(context, corpus))


def folders_of(context: Context, corpus: Corpus) -> list[Path]:
    """Give the case folders of a corpus, in a quick run some of those with a short page."""
    found = context.cases(*corpus.folder)
    if not context.quick:
        return found
    short = [one for one in found if (one / "page.html").is_file() and _size(one) <= LONGEST_QUICK]
    return short[:: max(1, len(short) // corpus.quick)][: corpus.quick]


def _size(folder: Path) -> int:
    return (folder / "page.html").stat().st_size


def _read_folders(
    context: Context, corpus: str, read: Callable[[str, Path], Case], folders: Sequence[Path]
) -> Iterator[Case]:
    for folder in folders:
        case = attempt(context, f"{corpus}/{folder.name}", lambda folder=folder: read(corpus, folder))
        if case is not None:
            yield case


def attempt(context: Context, case: str, work: Callable[[], Made]) -> Made | None:
    """Give what a measurement of one case makes; None, with a note, when it fails: the case is then not counted."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - whatever a page does to the product is noted, and measuring goes on
        context.note(case, error)
        return None
