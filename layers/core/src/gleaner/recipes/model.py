"""What a recipe says: selectors, cuts and figures as plain data. Nothing in it is ever run as code (RC-1)."""

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from gleaner.html.elements import HEADINGS

RECIPE_FORMAT = 3

LocatorKind = Literal[
    "self", "attribute", "class", "column", "beside", "within", "tag", "path", "label", "typed", "rest", "template",
    "worded", "heading", "linked", "placed", "behind",
]  # fmt: skip
"""attribute, class: a mark of the element · column: a table column by its header, with a ``tag`` ("span.date") the only
such element in its cell, or all of it by all headers of its table · beside: the element after a label, with a ``name``
one as ``recipes/labels.py`` writes it, or in the part that it names ("div #buyer") · within: a child of an element
with a class · tag: the only one, or the first of a telling tag · path: child by child · label, typed, rest: a piece of
the record's text by the label before it, as the only one of its type, or by its rank among what is left · template: a
slot of the sentence that is all of the record's text · worded: the element of a tag whose text (or attribute) has
fixed words around the value, or a link that says just ``value`` · heading: what a group of records stands under, the
last such element before what is ``nth`` levels around the record · linked: the link whose address ends so, or has such
a scheme, all links whose address begins so · placed: child by child inside an element with a class, as all that has
the form of the field's values there · behind: the text after an icon or a label without a colon, as
``recipes/markers.py`` names them"""

STRONG: frozenset[str] = frozenset(
    {
        "self", "attribute", "class", "column", "beside", "within", "label", "typed", "worded", "heading", "linked",
        "behind",
    }
)  # fmt: skip
"""Locators that go by what the page says of the value, not by where the value stands."""


class Declared(BaseModel):
    """Base of all parts of a recipe."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class FieldSelector(Declared):
    """How one value is read in a record's container.

    The element or piece of text that ``kind``, ``tag``, ``name``, ``value`` and ``nth`` name; of it the ``attribute``
    or the text; of that what stands between ``prefix`` and ``suffix``; read by the first of ``transforms`` that can
    (with ``decimal`` and ``day_first``), or looked up in ``words``. ``units`` are what may stand
    beside a number, if not anything may. ``many`` gives all matches, or the parts between
    each ``separator``. ``counts`` are, for each step of a path, how many siblings of that tag there may be, and 1 for
    a tag that stood in a container once at most, ``classes`` the very class attribute of an element whose place alone
    names it, where no other of its part had that. With a ``mark`` the value is what stands on that ``side`` of the one
    mark for which it can be read, and the other side by one of the transforms ``beyond``; with a ``part`` the one of
    that number (from 0) of as many as marks part the text into. ``nothing`` are texts that stand where there is no
    value ("Free delivery"), ``zeros`` those for 0 ("No comments"). With ``presence`` the value
    is whether the element is there at all, with ``inverse`` whether it is not.
    ``aside`` are signs of elements inside the named one that are no part of the text: it is what stands before them.
    With a ``phrase`` (``recipes/phrases.py``) the value is the ``slot`` of that number in a text made so, and the
    one of ``words`` for an empty text where the slot is missing.
    ``between`` when prefix and suffix need not begin and end the text (a line break stands for its ends, a tab for any
    digits): where the prefix is not, there is no value.
    """

    kind: LocatorKind
    tag: str = ""
    name: str = ""
    value: str = ""
    nth: int = 0
    counts: tuple[tuple[int, ...], ...] = ()
    classes: str = ""
    attribute: str = ""
    aside: tuple[str, ...] = ()
    prefix: str = ""
    suffix: str = ""
    between: bool = False
    transforms: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    decimal: Literal[",", "."] | None = None
    day_first: bool | None = None
    words: tuple[tuple[str, bool | str], ...] | None = None
    many: bool = False
    separator: str = ""
    mark: str = ""
    side: Literal["", "before", "after"] = ""
    part: tuple[int, int] | None = None
    beyond: tuple[str, ...] = ()
    nothing: tuple[str, ...] = ()
    zeros: tuple[str, ...] = ()
    presence: bool = False
    inverse: bool = False
    phrase: str = ""
    slot: int = 0

    @property
    def is_strong(self) -> bool:
        """Whether it goes by what the page says of the value."""
        return self.kind in STRONG or (self.kind == "tag" and self.tag in TELLING_TAGS | NAMING_TAGS and not self.many)


TELLING_TAGS = frozenset({*HEADINGS, "a", "time", "img", "data", "address", "meter"})

NAMING_TAGS = frozenset({"th", "dt"})
"""Tags that say, where a container has one alone, that it names what follows."""


Columns = Mapping[FieldSelector, list[str | None]]
"""The texts that selectors read in each container; None where they find nothing."""


class FieldFigures(Declared):
    """What the values of a field looked like where the recipe was learned.

    ``fresh`` counts the texts that pages had of which the first one, or those known before, had none.
    """

    count: int
    nulls: int
    kind: Literal["text", "number", "boolean", "list", "none"] = "none"
    patterns: list[str] = Field(default_factory=list[str])
    shortest: int = 0
    longest: int = 0
    low: float | None = None
    high: float | None = None
    middle: float | None = None
    distinct: int = 0
    fresh: int = 0
    common: list[str] = Field(default_factory=list[str])


class FieldRecipe(Declared):
    """One field of a record: its steps from the record, its selectors in order of trust, its figures.

    ``loose`` where records hold other texts that could be its value: then its absence can't be told from a text that
    the selectors do not know. ``omitted`` where records leave the field out rather than say null, ``zero`` where they
    say 0. ``types`` are the transforms that may read a field that was never seen. ``elsewhere``, on a page about one
    thing, is how many texts beside the part that is read could be its value by their type; None for a field of any
    text. ``empty`` for a list that was empty in every record, or a flag that was true in none. ``grounds`` are the
    signs (hashed, see ``recipes/novelty.py``) of the places that it stood in, ``units`` the words that stood beside a
    number ("kg"), ``parted`` whether an element that held it had several blocks of text, ``mixed`` whether it said
    several texts, ``joined`` whether what words stand around was made of several, ``boxed`` whether it stood in a block
    inside its element, ``shares`` whether another field was read from all of its text, ``ahead`` and ``behind`` the
    labels, and the numbers of the rivals, of what stood before and after a text that others leave. ``told`` are, of a
    flag that was never true, the texts with their places (hashed) of which one may have said so: where one is gone, it
    may be true.
    ``hints`` are the sentences (hashed) with a number beside the field's name on pages that lack it, ``said`` the texts
    (hashed) of the mark of a flag on pages about one thing for which it is true.
    """

    steps: tuple[str, ...]
    selectors: list[FieldSelector]
    figures: FieldFigures
    loose: bool = False
    omitted: bool = False
    zero: bool = False
    types: tuple[str, ...] = ()
    elsewhere: int | None = None
    empty: bool = False
    grounds: list[str] = Field(default_factory=list[str])
    units: list[str] = Field(default_factory=list[str])
    parted: bool = False
    mixed: bool = False
    joined: bool = False
    boxed: bool = False
    shares: bool = False
    ahead: list[str] = Field(default_factory=list[str])
    behind: list[str] = Field(default_factory=list[str])
    told: list[str] = Field(default_factory=list[str])
    hints: list[str] = Field(default_factory=list[str])
    said: list[str] = Field(default_factory=list[str])

    @property
    def name(self) -> str:
        """The field's steps as one text for messages."""
        return "/".join(self.steps) or "record"


class RecordSelector(Declared):
    """Where the records stand: elements, or runs of siblings that each begin with a leader element.

    By attribute, class, tags from the root, one place, or the tags of its head (first child by first child); only
    inside the first element of the page that has the ``scope`` (an id or a class of that tag, or a place), and not
    those that have one of the classes ``without``, say just one of the texts ``unless`` ("Parent Directory"), or have
    a piece of text that is the ``label`` of an advertisement. The last run, after which the page goes on, ends with the
    element of the sign ``end`` that ends all others (``recipes/closings.py``). Of siblings only those with which a
    record begins by the sign ``begun`` (``recipes/beginnings.py``).
    """

    kind: Literal["page", "element", "run"]
    by: Literal["attribute", "class", "path", "place", "head"] = "path"
    tag: str = ""
    name: str = ""
    value: str = ""
    scope: tuple[str, str, str] | None = None
    without: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    label: str = ""
    end: str = ""
    begun: str = ""


class Recipe(Declared):
    """How to read the records of pages of one layout, and by what to notice that a page is of another.

    ``transferable`` is false where two fields can't be told apart but by their place: such a recipe is good for the
    page that it was learned from only. ``looks`` are the classes that the records' own elements had, ``badges`` the
    labels of advertisements that records had, ``forerunners`` the signs of what stood before records that are runs of
    siblings, ``apart`` whether such runs stood in several parts of a page, ``interludes`` how what stood among the
    records and was none looked, each with the length of the longest text. ``lists`` are lists of
    objects in each record, ``outer_lists`` those of the page beside the records (or of a page about one thing).
    ``units`` is how many of the pieces of the page that may hold a record one container had at most, ``asides`` the
    letters of such pieces outside of all containers, which are no records. ``places`` is what a page about one thing
    has where, if all of it is read: each sign of a place with its texts (hashed) and on how many pages it had them;
    ``name_signs`` are the signs of places that hold labels. ``icons`` are what told the icons of the records from
    each other, where one of them names a value. ``short`` where pages state more records than they show. ``accounted``
    where each text of a record was a value, or one that many have.
    """

    format: int = RECIPE_FORMAT
    pointer: str | None
    record: list[RecordSelector]
    fields: list[FieldRecipe]
    rivals: list[FieldSelector] = Field(default_factory=list[FieldSelector])
    orders: list[tuple[int, int]] = Field(default_factory=list[tuple[int, int]])
    lists: list["ListRecipe"] = Field(default_factory=list["ListRecipe"])
    outer: list[FieldRecipe] = Field(default_factory=list[FieldRecipe])
    outer_lists: list["ListRecipe"] = Field(default_factory=list["ListRecipe"])
    captions: list[str] = Field(default_factory=list[str])
    labels: list[str] = Field(default_factory=list[str])
    noise: list[str] = Field(default_factory=list[str])
    shapes: list[str] = Field(default_factory=list[str])
    looks: list[str] = Field(default_factory=list[str])
    badges: list[str] = Field(default_factory=list[str])
    forerunners: list[str] = Field(default_factory=list[str])
    apart: bool = False
    interludes: dict[str, int] = Field(default_factory=dict[str, int])
    units: int = 0
    asides: list[str] = Field(default_factory=list[str])
    places: dict[str, dict[str, int]] = Field(default_factory=dict[str, dict[str, int]])
    name_signs: list[str] = Field(default_factory=list[str])
    icons: list[str] = Field(default_factory=list[str])
    records: int = 0
    transferable: bool = True
    css_selector: str | None = None
    url: str = ""
    page_id: str = ""
    short: bool = False
    accounted: bool = False

    @property
    def is_unwrapped(self) -> bool:
        """Whether nothing stands around its records, and no class names their first elements."""
        return any(one.begun for one in self.record)


class ListRecipe(Declared):
    """One field whose value is a list of objects: its steps, and the recipe of its items in a container.

    The record selectors of ``items`` select inside the container; when there are several, all must select the same.
    ``figures`` count the lists: ``nulls`` empty ones, ``shortest`` and ``longest`` by their items. ``places`` are the
    tags from the container to an item, ``together`` whether all items of a list had one parent. ``texts`` is where
    other texts stood around the items, ``loose`` the fields of items that such texts could be values of. ``omitted`` as
    in a field.
    """

    steps: tuple[str, ...]
    items: Recipe
    figures: FieldFigures
    places: list[str]
    together: bool = True
    texts: list[str] = Field(default_factory=list[str])
    loose: list[int] = Field(default_factory=list[int])
    omitted: bool = False


Recipe.model_rebuild()
