"""``gleaner demo``: scrape a small local shop with the real state machine and browser, and a scripted model."""

import os
import signal
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.rule import Rule

from gleaner.cli.display import Progress, show_result, stderr, stdout
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
    serve: Annotated[
        bool, typer.Option("--serve", help="Only serve the shop and its model, until you press Ctrl-C.")
    ] = False,
    port: Annotated[
        int,
        typer.Option(min=0, max=65_534, help="With --serve: the shop's port; the model has the next. 0: free ones."),
    ] = 8100,
) -> int:
    """Scrape a small shop on this machine, or serve it for the tutorial.

    The model is a script that knows the shop's products: nothing leaves your machine, and no key is needed.
    """
    folder = project_root() / "tests/fixtures/site"
    if serve:
        return _serve(folder, port)
    data = home or Path("out/demo") / time.strftime("%Y%m%d-%H%M%S")
    with Site(folder) as site, ScriptedModelServer(scripted_shopkeeper(site)) as server:
        settings = {"allow_hosts": [site.host], "openai_base_url": server.openai_base_url}
        stderr.print(f"[bold]A shop[/] at {site.url}, and a scripted model that knows its products at {server.url}")
        statuses = _play(site, data, settings)
    stderr.print(f"\nStored in [bold]{escape(str(data.resolve()))}[/]: gleaner.db, and blobs/ with pages and results.")
    return 0 if all(status == "complete" for status in statuses) else 1


def _serve(folder: Path, port: int) -> int:
    """Serve shop and model until the process is told to end; print the settings that lead to both."""
    try:
        site = Site(folder, port)
    except OSError as error:
        raise InvalidSettings(f"can't listen on port {port}: {error.strerror}; choose another --port") from None
    with site:
        try:
            server = ScriptedModelServer(scripted_shopkeeper(site), port=port and port + 1)
        except OSError as error:
            raise InvalidSettings(f"can't listen on port {port + 1}: {error.strerror}; choose another --port") from None
        with server:
            stderr.print(f"A shop is open at {site.url}. It closes when you press Ctrl-C. In another terminal:\n")
            for name, value in {
                "GLEANER_ALLOW_HOSTS": site.host,
                "GLEANER_MODEL": "openai:scripted",
                "GLEANER_LLM_OPENAI_BASE_URL": server.openai_base_url,
            }.items():
                stdout.print(_setting(name, value), soft_wrap=True, markup=False, highlight=False)
            _wait_to_be_stopped()
    return 0


def _setting(name: str, value: str) -> str:
    """Give the line that sets an environment variable in this system's shell."""
    return f'$env:{name} = "{value}"' if os.name == "nt" else f"export {name}={value}"


def _wait_to_be_stopped() -> None:
    stopped = threading.Event()

    def stop(_number: int, _frame: object) -> None:
        stopped.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    while not stopped.wait(0.5):  # on Windows a wait without an end is not interrupted
        pass


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
