"""``make demo``: scrape a small local shop with the real state machine and browser, and a scripted model."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.rule import Rule

from gleaner.cli.display import Progress, show_result, stderr
from gleaner.contracts.errors import InvalidSettings
from gleaner.library import Gleaner
from gleaner.local.runner import project_root
from gleaner.testing import ScriptedModel, ScriptedModelServer, Site, TrueRecord

PRODUCTS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "products": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "price": {"type": "number", "description": "in pounds"},
                    "rating": {"type": ["number", "null"]},
                    "in_stock": {"type": "boolean"},
                },
                "required": ["name", "price"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["products"],
}
STATIONS: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "station": {"type": "string"},
            "altitude": {"type": "string"},
            "temperature": {"type": "string"},
            "read_on": {"type": "string", "format": "date"},
        },
        "required": ["station", "read_on"],
    },
}


RULE_WIDTH = 80
"""Lines that go to a file are not broken, and a rule would be as long as they may be."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One request of the demo, and what it is to show."""

    title: str
    path: str
    request: dict[str, Any]


SCENES = (
    Scene(
        "A listing of four pages, drawn by JavaScript",
        "/products",
        {"output_schema": PRODUCTS, "query": "all products", "follow": 10},
    ),
    Scene("A table of 200 rows", "/stations", {"output_schema": STATIONS}),
    Scene("An article", "/journal/kiln", {}),
    Scene("A screenshot", "/forum/glaze", {"format": "screenshot"}),
    Scene("A PDF: files are passed through", "/files/price-list.pdf", {}),
)


def demo(
    home: Annotated[Path | None, typer.Option(help="Data folder; by default a new one in out/demo.")] = None,
) -> int:
    """Scrape a small shop on this machine."""
    folder = project_root() / "tests/fixtures/site"
    if not folder.is_dir():
        raise InvalidSettings("the demo needs the source code: run `make demo` in a checkout")
    data = home or Path("out/demo") / time.strftime("%Y%m%d-%H%M%S")
    with Site(folder) as site, ScriptedModelServer(scripted_shopkeeper(site)) as server:
        settings = {"allow_hosts": [site.host], "openai_base_url": server.openai_base_url}
        stderr.print(f"[bold]A shop[/] at {site.url}, and a scripted model that knows its products at {server.url}")
        statuses = _play(site, data, settings)
    stderr.print(f"\nStored in [bold]{escape(str(data.resolve()))}[/]: gleaner.db, and blobs/ with pages and results.")
    return 0 if all(status == "complete" for status in statuses) else 1


def scripted_shopkeeper(site: Site) -> ScriptedModel:
    """Give a model that knows the shop's products, and answers for those that stand in its prompt."""
    truth = [
        TrueRecord(
            {
                "name": product["name"],
                "price": float(product["price"]),
                "rating": float(product["rating"]),
                "in_stock": product["stock"] == "In stock",
            },
            (product["name"], product["price"]),
        )
        for product in site.products
    ]
    return ScriptedModel(truth, wrap=lambda records: {"products": records})


def _play(site: Site, home: Path, settings: dict[str, Any]) -> list[str]:
    statuses: list[str] = []
    with Progress() as progress, Gleaner("openai:scripted", home, on_step=progress.step, **settings) as gleaner:
        for scene in SCENES:
            stderr.print(Rule(f"[bold]{scene.title}[/]", align="left"), width=min(stderr.width, RULE_WIDTH))
            follow = f" --follow {scene.request['follow']}" if "follow" in scene.request else ""
            stderr.print(f"[dim]gleaner scrape {site.url}{scene.path}{follow}[/]")
            result = gleaner.scrape(site.url + scene.path, **scene.request)
            show_result(result, limit=6)
            statuses.append(result.status)
    return statuses
