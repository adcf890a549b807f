"""``gleaner extraction``: the records collected under an extraction id, from all its pages."""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Literal

import typer

from gleaner.cli.display import plain, stderr
from gleaner.cli.options import AsJson, Home, check_name, check_output, write_output
from gleaner.cli.places import opened
from gleaner.contracts.errors import InvalidRequest, NotFound
from gleaner.contracts.items import DEFAULT_TENANT
from gleaner.contracts.ports import JsonValue, Services
from gleaner.jobs.aggregates import ExtractionAggregator
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
    if as_json:
        typer.echo(json.dumps({"id": extraction_id, "deleted": True}))
    else:
        stderr.print(f"{plain(summary)} deleted")
    return 0


def _aggregate(services: Services, extraction_id: str, tenant: str) -> ExtractionAggregator:
    aggregate = ExtractionAggregator(services.table, extraction_id, tenant)
    if not aggregate.counts()["pages"]:
        raise NotFound(f"there is no extraction {extraction_id}; `gleaner strategies list` shows all ids")
    return aggregate


def _as_json(records: Iterable[JsonValue], format: str) -> Iterator[str]:
    return to_ndjson(records) if format == "ndjson" else to_json_array(records)
