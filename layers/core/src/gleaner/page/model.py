"""The nouns of a page, which every room that reads one passes on.

``gleaner.page.opening.open_page`` makes a `Page` from a stored snapshot, in ``chunk`` and in ``aggregate``, once each:

- A *node* is an element of the page as the parser gave it, known by its number in document order. `Nodes` has all of
  them, those that nobody sees too.
- A *layer* says what a node is there for. Nothing is cut out of a page: what is no content is marked, and passed over.
- A *span* is a run of characters of ``Page.text``, the Markdown. Each node whose text stands there has one.
- A *unit* is a piece that repeats, and may hold a record: ``gleaner.units`` finds them.
- A *part* is what one call of a model is given. ``chunk`` stores parts, ``extract`` reads nothing else.
"""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from lxml.html import HtmlElement

from gleaner.html.dom import INLINE, MAX_PAGE_SIZE, Words
from gleaner.markdown.stats import ContentStats, stats_of

if TYPE_CHECKING:
    from gleaner.page.continuations import Continuation
    from gleaner.page.head_lines import HeadLine
    from gleaner.page.pairs import Pair
    from gleaner.page.tables import Table

T = TypeVar("T")

Span: TypeAlias = tuple[int, int]
"""A run of characters, half open: of ``Page.text`` unless it is said of what."""

NodeRange: TypeAlias = tuple[int, int]
"""A run of nodes by their numbers, half open: a subtree, or a run of siblings with all that is in them."""

Layer: TypeAlias = Literal["content", "unfolded", "chrome", "hidden", "data"]
"""What a node is there for.

``content``: to be read. ``unfolded``: content that is hidden until one click shows it. ``chrome``: the site's frame,
such as menus, footers, banners. ``hidden``: nobody sees it, or it draws what is said elsewhere. ``data``: for machines,
such as scripts, styles and the head. What lies in a node is of its layer, too, unless it is data.
"""

LAYERS: frozenset[Layer] = frozenset(("content", "unfolded", "chrome", "hidden", "data"))
READ: frozenset[Layer] = frozenset(("content", "unfolded"))
"""The layers whose text the Markdown has."""

UnitKind: TypeAlias = Literal["row", "item", "card", "definition", "entry", "attribute"]
"""row: a table row · item: a list item · card: any other element · definition: dt with its dd · entry: a flat run of
siblings such as h3 p p · attribute: a label with its value, a property of one thing and no record."""


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """All elements of a page in document order; node ``n`` is entry ``n`` of each list. Node 0 is ``<html>``.

    ``tags`` say what a node is: its own tag, but ``tr`` and ``td`` where roles or styles lay out a table, ``s`` where
    style strikes a text out. ``attributes`` are None where there are none; nodes with the same ones share a mapping.
    ``parents`` has the number of the node around, -1 for node 0. ``range(n + 1, ends[n])`` are the nodes inside of
    ``n``.

    ``texts`` are what stands in a node before its first child, ``tails`` what follows it in its parent; as a person
    reads them: stars, ticks, formulas and the like as the words that ``gleaner.html.non_text`` gives them, white space
    as in the source. ``layers`` say what each node is there for. ``starts`` and ``stops`` are its span, -1 for none.
    """

    tags: Sequence[str]
    attributes: Sequence[Mapping[str, str] | None]
    parents: Sequence[int]
    ends: Sequence[int]
    texts: Sequence[str]
    tails: Sequence[str]
    layers: Sequence[Layer]
    starts: Sequence[int]
    stops: Sequence[int]

    def __len__(self) -> int:
        """Give how many nodes there are."""
        return len(self.tags)

    def span(self, node: int) -> Span | None:
        """Give where the Markdown has a node; None for one without a text in it."""
        return (self.starts[node], self.stops[node]) if self.starts[node] >= 0 else None

    def get(self, node: int, name: str) -> str | None:
        """Give an attribute of a node; None where it has none of that name."""
        found = self.attributes[node]
        return found.get(name) if found else None

    def tagged(self, *tags: str) -> Iterator[int]:
        """Give the nodes of some tags, of all layers."""
        return (node for node, tag in enumerate(self.tags) if tag in tags)

    def children(self, node: int) -> Iterator[int]:
        """Give the nodes right inside another, of all layers."""
        at, end = node + 1, self.ends[node]
        while at < end:
            yield at
            at = self.ends[at]

    def ancestors(self, node: int) -> Iterator[int]:
        """Give the nodes around another, from the inside out."""
        while (node := self.parents[node]) >= 0:
            yield node

    def pieces(self, node: int, layers: Collection[Layer] = READ) -> Iterator[str]:
        """Give the texts in a node in their order; what is inside of it and of no such layer is passed over."""
        ends, of = self.ends, self.layers
        around: list[int] = []
        at, end = node, ends[node]
        while at < end:
            while around and at >= ends[around[-1]]:
                yield self.tails[around.pop()]
            if at == node or of[at] in layers:
                yield self.texts[at]
                around.append(at)
                at += 1
            else:
                yield self.tails[at]
                at = ends[at]
        yield from (self.tails[one] for one in reversed(around[1:]))

    def text(self, node: int, layers: Collection[Layer] = READ) -> str:
        """Give all that a node says, white space as in the source."""
        return "".join(self.pieces(node, layers))

    def said(self, node: int, layers: Collection[Layer] = READ) -> str:
        """Give what a node says as a reader gets it: white space collapsed, texts of different elements apart.

        What is inline touches what stands beside it.
        """
        if self.ends[node] == node + 1:
            return " ".join(self.texts[node].split())
        said, around = [self.texts[node]], [node]
        at, end = node + 1, self.ends[node]
        while at < end:
            while at >= self.ends[around[-1]]:
                one = around.pop()
                said += ("" if self.tags[one] in INLINE else " ", self.tails[one])
            if self.layers[at] in layers:
                said += ("" if self.tags[at] in INLINE else " ", self.texts[at])
                around.append(at)
                at += 1
            else:
                said.append(self.tails[at])
                at = self.ends[at]
        for one in reversed(around[1:]):
            said += ("" if self.tags[one] in INLINE else " ", self.tails[one])
        return " ".join("".join(said).split())


@dataclass(frozen=True, slots=True)
class PlacedUnit:
    """A unit: one of the pieces of a page that repeat, at ``Page.text[start:end]``.

    ``group`` is the number of the group that it is one of, ``index`` its number in the group. ``group_score``, 0 to 1,
    says how much the group looks like records rather than like navigation or attributes. ``region`` are its nodes; None
    for what only the lines of the text set apart.
    """

    group: int
    index: int
    start: int
    end: int
    group_score: float
    kind: UnitKind
    region: NodeRange | None = None


@dataclass(frozen=True, slots=True)
class PageOptions:
    """How a page is opened: which part of it, and what its Markdown shows.

    ``css_selector`` names the part, as ``document.querySelector`` finds it. ``extract_links`` shows the addresses of
    links and images. ``keeps_chrome`` leaves menus, headers, footers, banners and ads in the text,
    ``keeps_data_images`` images that are written into the page. ``shows_attributes`` adds days and addresses that only
    attributes tell, as behind "3 hours ago". ``max_size`` is the largest page in bytes.
    """

    css_selector: str | None = None
    extract_links: bool = False
    keeps_chrome: bool = False
    keeps_data_images: bool = False
    shows_attributes: bool = False
    max_size: int = MAX_PAGE_SIZE


@dataclass(frozen=True, slots=True)
class Written:
    """The Markdown of a page, and the span of each node (-1: none).

    ``code`` are the nodes shown as code, whose inside has no spans; ``bars`` what stands beside code and is not shown.
    """

    text: str
    starts: "array[int]"
    stops: "array[int]"
    code: frozenset[int] = frozenset()
    bars: frozenset[int] = frozenset()


@dataclass(frozen=True, eq=False)
class Page:
    """A page that is open: what it says, and where. Nothing of it changes; what is asked of it is worked out once.

    ``html`` is the snapshot, ``part`` the HTML of the part of it that is read, by default all of it. ``url`` is its
    address, ``base`` what its relative addresses are resolved against, ``title`` what it calls itself, ``language`` the
    language that it says it is in.

    ``tree`` is for the rooms that still walk lxml: scripts and styles are taken out of it (they are ``code``), and what
    nobody sees; menus are there, and pictures, formulas and the like as text. Whoever changes it takes a copy.
    ``numbers`` has the node of each element of the tree in document order; -1 for what opening the page put in.
    ``unplaced`` are the nodes as they are before the Markdown is written, ``words`` the HTML in small letters.
    ``removed`` are the characters of text taken out of the tree by reason, ``hidden_chars`` those that nobody sees,
    ``unfolded_chars`` those kept that one click shows. ``given`` is what is written of a page that has a text alone.
    ``known`` is its text where that is stored, or is what a parser made of the page.
    """

    html: str
    part: str
    url: str
    base: str
    title: str
    language: str
    options: PageOptions
    tree: HtmlElement
    code: Sequence[HtmlElement]
    numbers: Sequence[int]
    unplaced: Nodes
    words: Words
    removed: Mapping[str, int]
    hidden_chars: int = 0
    unfolded_chars: int = 0
    given: Written | None = None
    known: str | None = None
    _once: dict[object, Any] = field(default_factory=dict[object, Any], init=False)

    @classmethod
    def from_markdown(cls, text: str, url: str = "") -> "Page":
        """Give a page of which only the text is known."""
        from gleaner.page.from_markdown import page_of_markdown

        return page_of_markdown(text, url)

    @cached_property
    def written(self) -> Written:
        """The Markdown that the page's tree makes, with its places."""
        from gleaner.page.writing import write_page

        return self.given or write_page(self)

    @property
    def text(self) -> str:
        """The Markdown, which models read and proofs point into."""
        return self.written.text if self.known is None else self.known

    @cached_property
    def is_written(self) -> bool:
        """Whether the text is the Markdown of the page's elements, and not a parser's, nor all that is known."""
        return self.given is None and self.known in (None, self.written.text)

    @cached_property
    def nodes(self) -> Nodes:
        """The elements of the page, with their spans; without any where its text is a parser's."""
        if self.known not in (None, self.written.text):
            return self.unplaced
        return replace(self.unplaced, starts=self.written.starts, stops=self.written.stops)

    def once(self, name: object, work: Callable[[], T]) -> T:
        """Give what a room works out of the page, kept under a name of its own: for what is no view yet."""
        if name not in self._once:
            self._once[name] = work()
        return self._once[name]

    @cached_property
    def tables(self) -> tuple["Table", ...]:
        """The tables of the page."""
        from gleaner.page.tables import find_tables

        return find_tables(self.unplaced)

    @cached_property
    def pairs(self) -> tuple["Pair", ...]:
        """The labels of the page with their values."""
        from gleaner.page.pairs import find_pairs

        return find_pairs(self.unplaced, self.base)

    @cached_property
    def units(self) -> tuple[PlacedUnit, ...]:
        """What repeats on the page and may hold records (CM-1): groups of elements first, then runs of lines."""
        from gleaner.units.placing import find_units

        return find_units(self)

    @cached_property
    def repeated(self) -> tuple[PlacedUnit, ...]:
        """The first of the ``units``: those that elements of the page are, and all of a page without elements."""
        from gleaner.units.placing import find_repeated

        return find_repeated(self)

    @cached_property
    def head_lines(self) -> tuple["HeadLine", ...]:
        """The lines over the runs of each group of units."""
        from gleaner.page.head_lines import find_head_lines

        return find_head_lines(self.nodes, self.repeated)

    @cached_property
    def _starts(self) -> list[int]:
        return sorted(self.nodes.starts)

    def is_copy(self, cell: Span) -> bool:
        """Tell whether a cell of the text repeats one that spans it: elements stand in its row, none in it."""
        line = self.text.rfind("\n", 0, cell[0]) + 1, self.text.find("\n", cell[0]) % (len(self.text) + 1)
        in_cell, in_row = (
            bisect_left(self._starts, end) - bisect_left(self._starts, start) for start, end in (cell, line)
        )
        return self.is_written and self.text.startswith("|", line[0]) and in_row > 0 and not in_cell

    @cached_property
    def continuations(self) -> tuple["Continuation", ...]:
        """The signs of the page that its lists go on elsewhere."""
        from gleaner.page.continuations import find_continuations

        return find_continuations(self.nodes)

    @property
    def stats(self) -> ContentStats:
        """How much of the page its text has."""
        return stats_of(self.html, self.text, self.hidden_chars, self.unfolded_chars, self.removed)


@dataclass(frozen=True, slots=True)
class NumberedUnit:
    """A unit that a model is told the number of: its position among all units of the page, from 0."""

    number: int
    start: int
    end: int
    group: int
    score: float
    kind: str


@dataclass(frozen=True, slots=True)
class Part:
    """What one call of a model is given: a chunk of the page's text, and what is asked of it.

    ``content`` is ``Page.text[start_char:end_char]``, ``overlap_prefix`` the lines before it that say where it goes on,
    ``structural_context`` the headings around it. ``units`` begin inside the chunk; their offsets are the page's.
    ``spare`` are pieces that are no units by their looks; they become the units when records come from them alone.
    ``query`` and ``schema`` are the request's, ``base_url`` what the page's relative addresses are resolved against.
    ``hint`` is what the page's embedded data says beyond its text, as JSON; "" for nothing. ``known`` are spans of the
    page's text, in order, that say what was read already: they are not shown.
    """

    content: str
    overlap_prefix: str = ""
    structural_context: str = ""
    chunk_index: int = 0
    total_chunks: int = 1
    start_char: int = 0
    units: tuple[NumberedUnit, ...] = ()
    query: str | None = None
    schema: dict[str, Any] | bool | None = None
    spare: tuple[NumberedUnit, ...] = ()
    base_url: str | None = None
    hint: str = ""
    known: tuple[Span, ...] = ()

    @property
    def end_char(self) -> int:
        """Where the chunk ends in the page's text."""
        return self.start_char + len(self.content)
