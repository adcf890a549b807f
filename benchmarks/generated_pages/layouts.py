"""How a generated page is built: a Layout is a design without data, and mutations make new Layouts of it."""

import hashlib
from dataclasses import dataclass, replace
from html import escape
from random import Random
from typing import Literal, TypeAlias, get_args

from gleaner.contracts.ports import JsonValue

from generated_pages.values import (
    DOMAINS,
    DateStyle,
    Domain,
    FieldSpec,
    MoneyStyle,
    Record,
    write_date,
    write_money,
)

PageKind: TypeAlias = Literal[
    "table", "cards", "list", "definition", "forum", "flat", "categories", "detail", "article"
]
Mutation: TypeAlias = Literal[
    "rename_classes",
    "add_wrapper",
    "swap_columns",
    "remove_field",
    "reorder_rows",
    "redesign",
    "insert_ads",
    "more_rows",
]

KINDS: tuple[PageKind, ...] = get_args(PageKind)
"""All kinds of pages."""

LIST_KINDS: tuple[PageKind, ...] = tuple(kind for kind in KINDS if kind not in ("detail", "article"))
"""The kinds that list records; the others are about one thing."""

MUTATIONS: tuple[Mutation, ...] = get_args(Mutation)
"""All changes that a site's redesign may bring, from harmless to treacherous."""

_UTILITIES = "flex p-4 mt-2 text-sm font-bold rounded border gap-3 w-full bg-white text-gray-700 items-center grid mb-1"


@dataclass(frozen=True, slots=True)
class Layout:
    """A page design. ``design`` seeds every choice of markup that no field here fixes; equal layouts render alike.

    ``order`` holds the fields that the page shows, in page order. ``class_salt`` decides the hashed class names.
    ``extra_wrappers`` adds boxes around each record, ``ads_every`` puts an advertisement after so many records (0:
    none), ``extra_records`` adds so many records of its own at the end, ``shuffle`` seeds another order of records.
    """

    kind: PageKind
    seed: int
    domain: Domain
    design: str
    order: tuple[str, ...]
    class_style: Literal["semantic", "bem", "hashed", "utility", "none"]
    class_salt: str
    money: MoneyStyle
    date: DateStyle
    links: bool = False
    extra_wrappers: int = 0
    ads_every: int = 0
    extra_records: int = 0
    shuffle: str = ""

    def random(self, purpose: str) -> Random:
        """Give the random source of one decision, the same each time."""
        return Random(f"{self.design}/{purpose}")

    def choose(self, purpose: str, *options: str) -> str:
        """Make one decision of the design."""
        return self.random(purpose).choice(options)

    def chance(self, purpose: str, probability: float) -> bool:
        """Make one yes-or-no decision of the design."""
        return self.random(purpose).random() < probability

    def css(self, role: str, *states: str) -> str:
        """Give the class attribute for a role in this page's style, with a blank before it; or nothing."""
        names = [*self._names(role), *states]
        return f' class="{" ".join(names)}"' if names else ""

    def _names(self, role: str) -> list[str]:
        if self.class_style == "none":
            return []
        if self.class_style == "semantic":
            return [role if not self.class_salt else f"{role}-{self.class_salt}"]
        if self.class_style == "bem":
            block, _, part = role.partition("-")
            return [f"c{self.class_salt}-{block}__{part}" if part else f"c{self.class_salt}-{block}"]
        digest = hashlib.sha256(f"{self.class_salt}/{self.design}/{role}".encode()).hexdigest()
        if self.class_style == "hashed":
            return [f"css-{digest[:6]}", f"sc-{digest[6:10]}"]
        return Random(digest).sample(_UTILITIES.split(), 4)

    def shown_fields(self) -> list[FieldSpec]:
        """Give the fields in page order, the naming field included."""
        return [self.domain.field(name) for name in self.order]

    def write(self, spec: FieldSpec, value: JsonValue) -> str:
        """Write a value as this page shows it, escaped for HTML; nothing for None."""
        if value is None:
            return ""
        return escape(self._text(spec, value), quote=False)

    def _text(self, spec: FieldSpec, value: JsonValue) -> str:
        if spec.kind == "money" and isinstance(value, int | float):
            return write_money(value, self.money)
        if spec.kind == "date":
            return write_date(str(value), self.date)
        if spec.kind == "boolean":
            return spec.words[0] if value else spec.words[1]
        if spec.kind == "rating":
            return f"{value} out of 5"
        return f"{value:g}" if spec.kind == "number" and isinstance(value, float) else str(value)

    def truth(self, record: Record) -> Record:
        """Give the record as this page shows it: fields that the layout leaves out are None."""
        return {name: value if name in self.order or name == "url" else None for name, value in record.items()}


def make_layout(
    seed: int, kind: PageKind, *, domain: str | None = None, links: bool = False, ads_every: int | None = None
) -> Layout:
    """Design a page of a kind. ``links`` puts each record's own URL on the page and into the truth."""
    random = Random(f"layout/{seed}/{kind}")
    names = ["post"] if kind == "forum" else ["product"] if kind == "detail" else [n for n in DOMAINS if n != "post"]
    chosen = DOMAINS[domain or random.choice(names)]
    rest = [spec.name for spec in chosen.fields[1:]]
    random.shuffle(rest)
    ads = random.choice((0, 0, 0, 4, 7)) if kind in ("cards", "list", "forum") else 0
    return Layout(
        kind=kind,
        seed=seed,
        domain=chosen,
        design=f"{seed}/{kind}",
        order=(chosen.fields[0].name, *rest),
        class_style=random.choice(("semantic", "bem", "hashed", "utility", "none")),
        class_salt="",
        money=random.choice(("dollar", "euro", "pound", "code")),
        date=random.choice(("iso", "short", "long", "german")),
        links=links,
        ads_every=ads if ads_every is None else ads_every,
    )


def mutate_layout(layout: Layout, mutation: Mutation, seed: int = 0) -> Layout:
    """Give the layout after one change.

    rename_classes: other class names, same markup · add_wrapper: one more box around each record · swap_columns: two
    fields change places · remove_field: one field is no longer shown · reorder_rows: other order of records ·
    redesign: new markup, same data · insert_ads: advertisements between records · more_rows: records are added.
    """
    random = Random(f"{layout.design}/{mutation}/{seed}")
    if mutation == "rename_classes":
        return replace(layout, class_salt=f"{random.randrange(1000):03d}")
    if mutation == "add_wrapper":
        return replace(layout, extra_wrappers=layout.extra_wrappers + 1)
    if mutation == "swap_columns":
        first, second = random.sample(range(1, len(layout.order)), 2)
        order = list(layout.order)
        order[first], order[second] = order[second], order[first]
        return replace(layout, order=tuple(order))
    if mutation == "remove_field":
        gone = random.choice(layout.order[1:])
        return replace(layout, order=tuple(name for name in layout.order if name != gone))
    if mutation == "reorder_rows":
        return replace(layout, shuffle=f"{random.random()}")
    if mutation == "redesign":
        fresh = make_layout(random.randrange(10**9), layout.kind, domain=layout.domain.name, links=layout.links)
        return replace(fresh, money=layout.money, date=layout.date)
    if mutation == "insert_ads":
        return replace(layout, ads_every=3)
    return replace(layout, extra_records=layout.extra_records + random.randint(3, 12))
