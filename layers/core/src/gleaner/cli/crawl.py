"""``gleaner crawl``: map a site, then scrape its pages politely; resumes when run again."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from gleaner.cli.batch import finish, run_to_end
from gleaner.cli.map import Depth, Exclude, Include, MaxSitemaps, OtherHosts
from gleaner.cli.options import AllowHost, AsJson, Home, Model, check_output, read_json_option
from gleaner.cli.places import opened
from gleaner.contracts.digests import digest_of
from gleaner.contracts.errors import error_of
from gleaner.jobs.site_maps import CrawlOrder


def crawl(
    url: Annotated[str, typer.Argument(metavar="URL", help="A page of the site, or a sitemap or feed of it.")],
    schema: Annotated[
        str | None, typer.Option("--schema", "-s", metavar="FILE|JSON", help="JSON Schema of each page's data.")
    ] = None,
    query: Annotated[str | None, typer.Option("--query", "-q", metavar="WORDS", help="What to extract.")] = None,
    extraction_id: Annotated[
        str | None, typer.Option(metavar="ID", help="Extraction to reuse; new records are added to it.")
    ] = None,
    include: Include = None,
    exclude: Exclude = None,
    depth: Depth = 3,
    max_pages: Annotated[int, typer.Option(metavar="N", help="Maximum number of pages.")] = 1_000,
    max_sitemaps: MaxSitemaps = 1_000,
    other_hosts: OtherHosts = False,
    ignore_robots: Annotated[bool, typer.Option("--ignore-robots", help="Ignore robots.txt.")] = False,
    javascript: Annotated[bool, typer.Option(help="Use the browser, or plain HTTP.")] = True,
    concurrency: Annotated[int, typer.Option(metavar="N", help="Pages at a time, over all hosts.")] = 8,
    per_host: Annotated[int, typer.Option(metavar="N", help="Pages at a time on one host.")] = 2,
    delay_ms: Annotated[int, typer.Option(metavar="MS", help="Pause in ms between two pages of a host.")] = 0,
    max_usd: Annotated[float | None, typer.Option(metavar="USD", help="Maximum cost of the whole crawl.")] = None,
    max_tokens: Annotated[int | None, typer.Option(metavar="N", help="Maximum tokens of the whole crawl.")] = None,
    deadline: Annotated[float | None, typer.Option(metavar="S", help="Begin no page after so many seconds.")] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write each result as a line of JSON; .csv: all records."),
    ] = None,
    again: Annotated[str, typer.Option(metavar="WORD", help="Crawl again; each new word starts a new crawl.")] = "",
    model: Model = None,
    home: Home = None,
    allow_host: AllowHost = None,
    as_json: AsJson = False,
) -> int:
    """Scrape the pages of a site, each once, politely.

    The pages come from sitemaps, feeds and links. If it was interrupted or killed, run the same command to resume.
    """
    check_output("--out", out)
    budget = {"max_usd": max_usd, "max_tokens": max_tokens, "deadline_s": deadline}
    asked: dict[str, Any] = {
        "query": query, "output_schema": read_json_option("--schema", schema), "extraction_id": extraction_id,
        "enable_javascript": None if javascript else False,
        "budget": {name: value for name, value in budget.items() if value is not None} or None,
    }  # fmt: skip
    order = CrawlOrder.read({
        "url": url, "include": include or [], "exclude": exclude or [], "depth": depth, "max_pages": max_pages,
        "max_sitemaps": max_sitemaps, "other_hosts": other_hosts, "ignore_robots": ignore_robots,
        "concurrency": concurrency, "per_host": per_host, "delay_ms": delay_ms,
        "request": {name: value for name, value in asked.items() if value is not None},
    })  # fmt: skip
    with opened(home, model=model, allow_hosts=allow_host or None) as services:
        name = digest_of(json.dumps([order.model_dump(mode="json"), services.settings.model, again], sort_keys=True))
        summary = run_to_end(services, lambda run: run.start_crawl(order, name), out, silent=as_json)
        if summary["status"] == "failed":
            error: Any = summary["error"]
            raise error_of(error["error_type"], error["message"])
        return finish(services, summary, out, out or Path("crawl"), (), as_json=as_json)
