"""``gleaner map`` lists the URLs of a site; ``gleaner crawl`` scrapes its pages, and resumes when run again."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from gleaner.cli.batch import finish, run_to_end
from gleaner.cli.display import plain, stderr
from gleaner.cli.exit_codes import INTERRUPTED, PARTIAL, Said
from gleaner.cli.options import (
    AllowHost,
    AsJson,
    Consent,
    Home,
    Model,
    Proxy,
    check_output,
    given,
    read_json_option,
    write_output,
)
from gleaner.cli.places import opened
from gleaner.contracts.digests import digest_of
from gleaner.contracts.errors import error_of
from gleaner.jobs.site_maps import CrawlOrder, MapOrder, SiteMap

LEFT_OUT = {
    "robots": "disallowed by robots.txt",
    "other_hosts": "on other hosts",
    "actions": "that change something",
    "views": "that only sort or track",
    "hidden": "in hidden links",
    "credentials": "with a user name or password",
}
"""What the reasons of a map are called here; others are called as they are."""
SiteUrl = Annotated[str, typer.Argument(metavar="URL", help="A page of the site, or a sitemap or feed of it.")]
Include = Annotated[
    list[str] | None, typer.Option(metavar="GLOB", help="Only URLs that match, such as /blog/* (repeatable).")
]
Exclude = Annotated[list[str] | None, typer.Option(metavar="GLOB", help="No URLs that match (repeatable).")]
Depth = Annotated[int, typer.Option(metavar="N", help="Links to follow from the first page; 0: none.")]
MaxSitemaps = Annotated[int, typer.Option(metavar="N", help="Maximum number of sitemaps and feeds.")]
OtherHosts = Annotated[bool, typer.Option("--other-hosts", help="Also list URLs of other hosts.")]
IgnoreRobots = Annotated[bool, typer.Option("--ignore-robots", help="Ignore robots.txt.")]


def map_site(
    url: SiteUrl,
    include: Include = None,
    exclude: Exclude = None,
    depth: Depth = 1,
    max_urls: Annotated[int, typer.Option(metavar="N", help="Maximum number of URLs.")] = 50_000,
    max_sitemaps: MaxSitemaps = 1_000,
    other_hosts: OtherHosts = False,
    ignore_robots: IgnoreRobots = False,
    deadline: Annotated[float | None, typer.Option(metavar="S", help="End after so many seconds.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write the lines there.")] = None,
    home: Home = None,
    allow_host: AllowHost = None,
    as_json: AsJson = False,
) -> int:
    """List the URLs of a site, with title and time of the last change, as JSON lines.

    They come from the sitemaps that robots.txt names, from feeds and from links; no browser is used. If it was
    interrupted or killed, run the same command to resume.
    """
    check_output("--out", out)
    order = MapOrder.read({
        "url": url, "include": include or [], "exclude": exclude or [], "depth": depth, "max_urls": max_urls,
        "max_sitemaps": max_sitemaps, "other_hosts": other_hosts, "ignore_robots": ignore_robots,
        "deadline_s": deadline,
    })  # fmt: skip
    from gleaner.steps.site.mapping import map_at_once  # loads the parser

    with opened(home, allow_hosts=allow_host or None) as services, stderr.status("reading robots.txt") as line:
        found = map_at_once(order, services, lambda site_map: line.update(_progress(site_map)), resumes=True)
    found.raise_for_status()
    if out is not None:
        write_output(out, found.to_ndjson())
    if as_json:
        urls = [one.to_json() for one in found.urls] if out is None else None
        shown = found.summary() | ({"urls": urls} if urls is not None else {"file": str(out)})
        typer.echo(json.dumps(shown, ensure_ascii=False))
    else:
        if out is None:
            for text in found.to_ndjson():
                typer.echo(text, nl=False)
        show_map(found, out)
    if found.was_interrupted:
        return Said(INTERRUPTED)
    return 0 if found.status == "complete" else PARTIAL


def crawl(
    url: SiteUrl,
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
    ignore_robots: IgnoreRobots = False,
    consent: Consent = None,
    proxy: Proxy = None,
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
    asked = given(
        query=query, output_schema=read_json_option("--schema", schema), extraction_id=extraction_id,
        enable_javascript=None if javascript else False, consent=consent, proxy=proxy,
        budget=given(max_usd=max_usd, max_tokens=max_tokens, deadline_s=deadline) or None,
    )  # fmt: skip
    order = CrawlOrder.read({
        "url": url, "include": include or [], "exclude": exclude or [], "depth": depth, "max_pages": max_pages,
        "max_sitemaps": max_sitemaps, "other_hosts": other_hosts, "ignore_robots": ignore_robots,
        "concurrency": concurrency, "per_host": per_host, "delay_ms": delay_ms,
        "request": asked,
    })  # fmt: skip
    with opened(home, model=model, allow_hosts=allow_host or None) as services:
        name = digest_of(json.dumps([order.model_dump(mode="json"), services.settings.model, again], sort_keys=True))
        summary = run_to_end(services, lambda run: run.start_crawl(order, name), out, silent=as_json)
        if summary["status"] == "failed":
            error: Any = summary["error"]
            raise error_of(error["error_type"], error["message"])
        return finish(services, summary, out, out or Path("crawl"), (), as_json=as_json)


def _progress(site_map: SiteMap) -> str:
    parts = [f"{site_map.read[part]} of {count} {part}" for part, count in site_map.found.items() if count]
    return f"read {', '.join(parts)}"


def show_map(found: SiteMap, out: Path | None = None) -> None:
    """Say how many URLs there are, what they are from, and what is missing."""
    colour = "green" if found.status == "complete" else "yellow"
    parts = [f"{count} {part if count > 1 else part[:-1]}" for part, count in found.read.items() if count]
    origin = f" from {', '.join(parts)}" if parts else ""
    where = f", written to {plain(str(out))}" if out is not None else ""
    stderr.print(f"  [bold {colour}]{found.status}[/]: {len(found.urls)} URLs{origin}{where}", soft_wrap=True)
    if found.unopened:
        stderr.print(f"  not opened  {found.unopened} pages, for their links: see --depth", soft_wrap=True)
    left_out = ", ".join(f"{count} {LEFT_OUT.get(why, why)}" for why, count in found.left_out.items())
    if left_out:
        stderr.print(f"  left out    {left_out}", soft_wrap=True)
    for warning in found.warnings:
        stderr.print(f"  [yellow]{plain(warning)}[/]", soft_wrap=True)
