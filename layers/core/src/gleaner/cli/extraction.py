"""``gleaner extraction``: the records that were gathered under an extraction id, from all its pages."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import typer

from gleaner.aggregates import ExtractionAggregator, to_csv, to_ndjson
from gleaner.cli.display import stderr
from gleaner.cli.options import Home, check_output
from gleaner.cli.places import opened
from gleaner.errors import NotFound
from gleaner.jobs import DEFAULT_TENANT

app = typer.Typer(help="Records gathered over pages.", no_args_is_help=True)


@app.callback()
def extraction() -> None:
    """Records gathered over pages."""


@app.command("show")
def show(
    extraction_id: Annotated[str, typer.Argument(help="The id that a scrape's result names.")],
    format: Annotated[Literal["json", "ndjson", "csv"], typer.Option("--format", "-f", help="How to print.")] = "json",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write there in place of printing.")
    ] = None,
    tenant: Annotated[str, typer.Option(help="Whose extraction it is.")] = DEFAULT_TENANT,
    home: Home = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> int:
    """Print the unique records of an extraction's pages."""
    check_output("--output", output)
    with opened(home) as services:
        aggregate = ExtractionAggregator(services.table, extraction_id, tenant)
        if not aggregate.counts()["pages"]:
            raise NotFound(f"there is no extraction {extraction_id}")
        _write(_lines(aggregate, "json" if as_json else format), output)
        stderr.print(aggregate.summary)
    return 0


def _lines(aggregate: ExtractionAggregator, format: str) -> Iterator[str]:
    if format == "csv":
        return to_csv(aggregate.all_records())
    if format == "ndjson":
        return to_ndjson(aggregate.all_records())
    return _json_lines(aggregate)


def _json_lines(aggregate: ExtractionAggregator) -> Iterator[str]:
    """Give a JSON array, a record a line, without holding them all."""
    opening = "["
    for record in aggregate.all_records():
        yield opening + "\n" + json.dumps(record, ensure_ascii=False)
        opening = ","
    yield "\n]\n" if opening == "," else "[]\n"


def _write(lines: Iterator[str], output: Path | None) -> None:
    if output is None:
        sys.stdout.writelines(lines)
        return
    with output.open("w", encoding="utf-8", newline="") as file:
        file.writelines(lines)
