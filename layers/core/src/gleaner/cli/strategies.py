"""``gleaner strategies``: stored extractions, their recipes and success rates (ST-1)."""

import json
from collections.abc import Iterator, Sequence
from textwrap import shorten
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from gleaner.cli.display import plain, stdout
from gleaner.cli.options import AsJson, Home, check_name, say_outcome
from gleaner.cli.places import opened
from gleaner.contracts.errors import NotFound
from gleaner.contracts.items import DEFAULT_TENANT, every_item
from gleaner.contracts.ports import JsonObject
from gleaner.jobs.strategies import ExtractionCache, ExtractionStrategy
from gleaner.wrappers import RecipeBook
from gleaner.wrappers.book import described

MOST_SHOWN = 60
"""Characters of a query in the list; `strategies show` prints it whole."""

app = typer.Typer(help="Strategies: stored extractions with their recipes.", no_args_is_help=True)
Tenant = Annotated[str, typer.Option(metavar="NAME", help="Tenant that owns the strategies.", callback=check_name)]
StrategyId = Annotated[
    str, typer.Argument(metavar="ID", help="Strategy id, as shown by `gleaner strategies list`.", callback=check_name)
]


@app.command("list")
def list_all(
    url: Annotated[
        str | None, typer.Option(metavar="URL", help="Only strategies that fit this page, best first.")
    ] = None,
    tenant: Tenant = DEFAULT_TENANT,
    home: Home = None,
    as_json: AsJson = False,
) -> int:
    """List the strategies with their pages and success rates."""
    with opened(home) as services:
        cache = ExtractionCache(services.table, tenant)
        found = list(_all(cache)) if url is None else cache.find_matching(url)
        book = RecipeBook(services.table, tenant)
        histories = [book.history(strategy.id) for strategy in found]
    if as_json:
        pairs = zip(found, histories, strict=True)
        typer.echo(
            json.dumps([{**strategy.model_dump(mode="json"), "recipes": history} for strategy, history in pairs])
        )
        return 0
    none = "no strategies yet; a scrape with a schema creates one" if url is None else "no strategy fits this page"
    stdout.print(_table(found, histories) if found else none)
    return 0


@app.command("show")
def show(
    strategy_id: StrategyId,
    tenant: Tenant = DEFAULT_TENANT,
    home: Home = None,
    recipe: Annotated[
        int | None, typer.Option(metavar="VERSION", help="Print this version of its recipe in full.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Print one strategy as JSON, with a description and the history of its recipes."""
    with opened(home) as services:
        strategy = ExtractionCache(services.table, tenant).get(strategy_id)
        book = RecipeBook(services.table, tenant)
        recipes = described(book, strategy_id)
        kept = {one.version: one.recipe for one in book.recipes(strategy_id)}
    if strategy is None:
        raise NotFound(f"there is no strategy {strategy_id}; `gleaner strategies list` shows them")
    if recipe is not None and recipe not in kept:
        raise NotFound(f"there is no recipe {recipe} of {strategy_id}; there are {', '.join(map(str, kept)) or 'none'}")
    shown = {**strategy.model_dump(mode="json"), "recipes": recipes}
    if recipe is not None:
        shown = kept[recipe].model_dump(mode="json", exclude_defaults=True)
    typer.echo(json.dumps(shown, ensure_ascii=False, indent=None if as_json else 2))
    return 0


@app.command("delete")
def delete(
    strategy_id: StrategyId,
    tenant: Tenant = DEFAULT_TENANT,
    home: Home = None,
    recipes_only: Annotated[
        bool, typer.Option("--recipes", help="Delete only its recipes; keep the strategy.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Delete a strategy and its recipes, or only its recipes."""
    with opened(home) as services:
        book, cache = RecipeBook(services.table, tenant), ExtractionCache(services.table, tenant)
        gone = book.delete(strategy_id) if recipes_only else cache.delete(strategy_id)
    what = "recipe of the strategy" if recipes_only else "strategy"
    if not gone:
        raise NotFound(f"there is no {what} {strategy_id}; `gleaner strategies list` shows them")
    text = f"{'the recipes of ' if recipes_only else ''}strategy {plain(strategy_id)} deleted"
    return say_outcome({"id": strategy_id, "deleted": True}, text, as_json=as_json)


def _table(found: Sequence[ExtractionStrategy], histories: Sequence[JsonObject]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("id", no_wrap=True)  # to be copied in one piece
    for name in ("pages", "asks for", "success", "recipe"):
        table.add_column(name, overflow="fold")
    for strategy, history in zip(found, histories, strict=True):
        used = strategy.success_count + strategy.failure_count
        asks = shorten(strategy.query_template or "", MOST_SHOWN, placeholder="…") or "a schema"
        rate = f"{strategy.success_count / used:.0%} of {used}" if used else "–"
        table.add_row(plain(strategy.id), plain(strategy.url_pattern), plain(asks), rate, _recipes(history))
    return table


def _recipes(history: JsonObject) -> str:
    """Say how often its recipes answered, were refused, and were learned again."""
    words = {"hits": "hit", "misses": "miss", "repairs": "repair"}
    counts = [f"{history[many]} {one if history[many] == 1 else many}" for many, one in words.items() if history[many]]
    return ", ".join(counts or ["learned"]) if history["learned"] else "–"


def _all(cache: ExtractionCache) -> Iterator[ExtractionStrategy]:
    return (ExtractionStrategy.model_validate(item.data) for item in every_item(lambda after: cache.list(after=after)))
