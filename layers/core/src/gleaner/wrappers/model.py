"""What a recipe is: where records stand on a page, and for each field the selectors that read it, or why none does."""

from typing import Final, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from gleaner.wrappers.cuts import Cut
from gleaner.wrappers.opening import TreeForm
from gleaner.wrappers.places import Place

RECIPE_FORMAT: Final = 50
"""Recipes of other formats are dropped, and learned again."""

Scalar: TypeAlias = str | int | float | bool | None


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class Selector(_Frozen):
    """How a field's text is found and becomes its value.

    ``source`` is an attribute, or "" for the text; ``many`` reads all that the place names as a list, or ``parted`` is
    what stands between the items of a list in one text. ``words`` says
    which text has which value, by itself or with 9 for each number: all texts that have one where ``reading`` is "",
    else those that are odd, or stand where there is no value. Other texts are cut by the first of ``cuts`` that fits,
    and read; with ``optional`` there is no value where none fits. ``presence`` is the value where the place names
    anything. ``marks`` say of a page about one thing which answer each goes with; None for what pages without any had.
    ``over`` names what stands over records and says what the text leaves out of a day: its month and year.
    """

    place: Place
    over: Place | None = None
    source: str = ""
    cuts: tuple[Cut, ...] = ()
    reading: str = "string"
    many: bool = False
    parted: str = ""
    words: dict[str, Scalar] = Field(default_factory=dict[str, Scalar])
    presence: bool | None = None
    marks: dict[str, bool | None] = Field(default_factory=dict[str, bool | None])
    optional: bool = False
    survival: float = 0.0
    """How likely it is to survive a change of the layout, by its kind."""

    @property
    def is_plain(self) -> bool:
        """Whether a text is read as it stands."""
        return not self.cuts and not self.words and not self.parted and self.over is None

    @property
    def goes_by_words(self) -> bool:
        """Whether only texts that were seen have a value."""
        return not self.reading


class Figures(_Frozen):
    """What a field's values were like on the pages learned from."""

    count: int = 0
    nulls: int = 0
    distinct: int = 0
    shapes: tuple[str, ...] = ()
    longest: int = 0
    fewest: int = 0
    most: int = 0
    """The words of the text that had the fewest, and of the one that had the most."""
    lowest: float | None = None
    highest: float | None = None
    wordless: bool = False
    """Whether some text had no more letters than figures: a code may have no letter."""
    wordy: bool = True
    """Whether some text had a letter, or there were too few to tell."""
    figured: float | None = None
    """The share of the texts that had a figure; None of too few to tell."""
    words: tuple[str, ...] = ()
    """The words that stood with the number in each text, where these were the same in all."""
    composed: bool = False
    """Whether some text was made of those of several elements."""
    share: float = 0.0
    """The share of the records in which a flag is true."""
    signs: str = ""
    """The signs that texts began with."""
    inner: str = ""
    """The brackets and the like inside parts of texts."""
    remarks: tuple[str, ...] = ()
    """What texts ended with in brackets, with 9 for each number; as far as such remarks were cut off others."""
    marks: str = ""
    """The marks that may part the items of a list, as far as texts had some."""
    heads: tuple[str, ...] = ()
    """The heads of the columns that values stood in, where records are rows of a table."""


class FieldRecipe(_Frozen):
    """A field of the records: the selectors that read it, likeliest to survive first, or why none does."""

    steps: tuple[str, ...]
    selectors: tuple[Selector, ...] = ()
    unread: str = ""
    figures: Figures = Figures()
    omitted: bool = False
    """Whether records leave the property out rather than say null."""
    blank: bool = False
    """Whether records say "" rather than null."""
    is_array: bool = False
    """Whether records say [] rather than null."""
    is_figure: bool = False
    """Whether its values are numbers."""
    is_needed: bool = False
    """Whether the schema takes no null."""
    is_zero: bool = False
    """Whether records say 0 for a count that the page leaves out."""

    @property
    def name(self) -> str:
        """The field's name, with points between its steps."""
        return ".".join(self.steps) or "record"

    @property
    def is_always_there(self) -> bool:
        """Whether each record had a value."""
        return self.figures.count > 0 and not self.figures.nulls


class BoxSelector(_Frozen):
    """Which elements hold the records: by tag, and a class or attribute; inside the element that ``scope`` names.

    ``path`` holds the tags from the scope down to the elements, where they are told by that alone; ``child`` is the
    tag of a child that each has. With ``is_run`` each is the first of a run of siblings.
    """

    tag: str
    by: str = ""
    name: str = ""
    value: str = ""
    scope: tuple[str, str, str] | None = None
    path: str = ""
    child: str = ""
    is_run: bool = False


class ListRecipe(_Frozen):
    """A list of objects inside each record: where its items stand, and how their fields are read.

    An item is the element that ``items`` names, with the siblings behind it up to ``run_length`` elements in all.
    ``longest`` and ``fewest`` are how many items records had.
    """

    steps: tuple[str, ...]
    items: Place
    run_length: int = 1
    fields: tuple[FieldRecipe, ...] = ()
    lists: "tuple[ListRecipe, ...]" = ()
    longest: int = 0
    fewest: int = 0

    @property
    def name(self) -> str:
        """The list's name, with points between its steps."""
        return ".".join(self.steps)


class Recipe(_Frozen):
    """How the data of a page is read without a model.

    ``pointer`` says where the schema keeps its records, None for a page about one thing; ``outer`` and ``outer_lists``
    are the fields around the records. ``noise`` are the texts of records that are no field's, with 9 for each number;
    ``others`` what stands among the records and is none, by tag and classes, and ``looks`` the same of the records;
    ``foreign`` what all that looked like a record and was none had, and no record; ``parts`` the tags and classes
    inside records that have a text, ``own`` those that each record has and nothing else on the page; ``between`` is
    what titles and the like beside the records look like, ``asides`` what pieces of the page say that hold none,
    ``units`` how many pieces a record's container may hold; ``form`` says of what the tree is made; ``unlike`` are
    signs of pages on which it misses records; ``some`` says that each record had some of the fields that not all had;
    ``elsewhere`` is what a page about one thing says beside its texts.
    """

    format: int = RECIPE_FORMAT
    url: str = ""
    page_id: str = ""
    css_selector: str | None = None
    pointer: str | None = None
    form: TreeForm = ""
    boxes: tuple[BoxSelector, ...] = ()
    fields: tuple[FieldRecipe, ...] = ()
    lists: tuple[ListRecipe, ...] = ()
    outer: tuple[FieldRecipe, ...] = ()
    outer_lists: tuple[ListRecipe, ...] = ()
    noise: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    looks: tuple[str, ...] = ()
    between: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    own: tuple[str, ...] | None = None
    run_length: int = 1
    short: bool = False
    units: int = 0
    asides: tuple[str, ...] = ()
    some: bool | None = None
    unlike: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()

    @property
    def has_zeros(self) -> bool:
        """Whether some field is 0 where the page leaves it out."""
        return any(one.is_zero for one in self.fields)
