"""What is stored: ``gleaner extraction``, records collected under an id from all its pages, and ``gleaner erase``."""

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.markup import escape

from gleaner.cli.display import plain, stderr
from gleaner.cli.options import AsJson, Home, check_name, check_output, say_outcome, write_output
from gleaner.cli.places import opened
from gleaner.contracts.errors import InvalidRequest, NotFound
from gleaner.contracts.items import DEFAULT_TENANT
from gleaner.contracts.ports import JsonValue, Services
from gleaner.jobs.aggregates import ExtractionAggregator
from gleaner.jobs.erasing import Eraser
from gleaner.results.exports import to_csv, to_json_array, to_ndjson

app = typer.Typer(help="Records collected from several pages.", no_args_is_help=True)
Tenant = Annotated[str, typer.Option(metavar="NAME", help="Tenant that owns the extraction.", callback=check_name)]
ExtractionId = Annotated[
    str, typer.Argument(metavar="ID", help="Extraction id, as shown in a scrape's result.", callback=check_name)
]
Format = Annotated[Literal["json", "ndjson", "csv"], typer.Option("--format", "-f", help="Output format.")]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to this file instead of printing.")
]


@app.command("show")
def show(
    extraction_id: ExtractionId,
    format: Format = "json",
    output: Output = None,
    pages: Annotated[bool, typer.Option("--pages", help="Add to each record the pages where it was found.")] = False,
    tenant: Tenant = DEFAULT_TENANT,
    home: Home = None,
    as_json: Annotated[bool, typer.Option("--json", help="Same as --format json.")] = False,
) -> int:
    """Print the unique records of an extraction from all its pages."""
    check_output("--output", output)
    chosen = "json" if as_json else format
    if pages and chosen == "csv":
        raise InvalidRequest("--pages needs --format json or ndjson: a CSV cell can't hold a list of pages")
    with opened(home) as services:
        aggregate = _aggregate(services, extraction_id, tenant)
        records: Iterable[JsonValue] = aggregate.all_items() if pages else aggregate.exported_records()
        lines = to_csv(records, aggregate.columns) if chosen == "csv" else _as_json(records, chosen)
        if output is None:
            sys.stdout.writelines(lines)
        else:
            write_output(output, lines)
        stderr.print(plain(aggregate.summary))
    return 0


@app.command("delete")
def delete(
    extraction_id: ExtractionId, tenant: Tenant = DEFAULT_TENANT, home: Home = None, as_json: AsJson = False
) -> int:
    """Delete the records of an extraction. Its strategy stays; `gleaner strategies delete` removes that."""
    with opened(home) as services:
        aggregate = _aggregate(services, extraction_id, tenant)
        summary = aggregate.summary
        aggregate.delete()
    return say_outcome({"id": extraction_id, "deleted": True}, f"{plain(summary)} deleted", as_json=as_json)


def _aggregate(services: Services, extraction_id: str, tenant: str) -> ExtractionAggregator:
    aggregate = ExtractionAggregator(services.table, extraction_id, tenant)
    if not aggregate.counts()["pages"]:
        raise NotFound(f"there is no extraction {extraction_id}; `gleaner strategies list` shows all ids")
    return aggregate


def _as_json(records: Iterable[JsonValue], format: str) -> Iterator[str]:
    return to_ndjson(records) if format == "ndjson" else to_json_array(records)


def erase(
    tenant: Annotated[
        str, typer.Option(metavar="NAME", help="Tenant whose data is erased.", callback=check_name)
    ] = DEFAULT_TENANT,
    site: Annotated[
        str | None, typer.Option(metavar="HOST", help="Only what is of this host, such as shop.example.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Erase. Without it only what would be erased is counted.")] = False,
    home: Home = None,
    as_json: AsJson = False,
) -> int:
    """Erase jobs, pages, records, recipes and watches of a tenant, or what is of one site."""
    if site is not None and ("/" in site or ":" in site or not site.strip()):
        raise InvalidRequest(f"--site takes a host such as shop.example, not {site!r}")
    with opened(home) as services:
        eraser = Eraser(services.table, services.blobs, services.schedules, tenant, is_trial=not yes)
        done = eraser.everything() if site is None else eraser.site(site.strip())
    if as_json:
        typer.echo(json.dumps({**asdict(done), "tenant": tenant, "site": site, "erased": yes}))
        return 0
    counts = ((done.items, "item", "items"), (done.files, "file", "files"), (done.schedules, "watch", "watches"))
    items, files, watches = (f"{count} {one if count == 1 else more}" for count, one, more in counts)
    what = f"{items}, {files} and {watches}"
    whose = f"tenant {tenant}" if site is None else f"{site} (tenant {tenant})"
    said = f"erased {what} of {whose}" if yes else f"{what} of {whose} would be erased; add --yes to erase them"
    stderr.print(escape(said))
    for one in done.left:
        stderr.print(escape(f"not erased: {one}"))
    return 0
