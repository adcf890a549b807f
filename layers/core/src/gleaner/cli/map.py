"""``gleaner map``: the URLs of a site, as JSON lines."""

import json
from pathlib import Path
from typing import Annotated

import typer

from gleaner.cli.display import plain, stderr
from gleaner.cli.exit_codes import PARTIAL
from gleaner.cli.options import AllowHost, AsJson, Home, check_output, write_output
from gleaner.cli.places import opened
from gleaner.jobs.site_maps import MapOrder, SiteMap

Include = Annotated[
    list[str] | None, typer.Option(metavar="GLOB", help="Only URLs that match, such as /blog/* (repeatable).")
]
Exclude = Annotated[list[str] | None, typer.Option(metavar="GLOB", help="No URLs that match (repeatable).")]
Depth = Annotated[int, typer.Option(metavar="N", help="Links to follow from the first page; 0: none.")]
MaxSitemaps = Annotated[int, typer.Option(metavar="N", help="Maximum number of sitemaps and feeds.")]
OtherHosts = Annotated[bool, typer.Option("--other-hosts", help="Also list URLs of other hosts.")]


def map_site(
    url: Annotated[str, typer.Argument(metavar="URL", help="A page of the site, or a sitemap or feed of it.")],
    include: Include = None,
    exclude: Exclude = None,
    depth: Depth = 1,
    max_urls: Annotated[int, typer.Option(metavar="N", help="Maximum number of URLs.")] = 50_000,
    max_sitemaps: MaxSitemaps = 1_000,
    other_hosts: OtherHosts = False,
    ignore_robots: Annotated[bool, typer.Option("--ignore-robots", help="Ignore robots.txt.")] = False,
    deadline: Annotated[float | None, typer.Option(metavar="S", help="End after so many seconds.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write the lines there.")] = None,
    home: Home = None,
    allow_host: AllowHost = None,
    as_json: AsJson = False,
) -> int:
    """List the URLs of a site, with title and time of the last change, as JSON lines.

    They come from the sitemaps that robots.txt names, from feeds and from links; no browser is used.
    """
    check_output("--out", out)
    order = MapOrder.read({
        "url": url, "include": include or [], "exclude": exclude or [], "depth": depth, "max_urls": max_urls,
        "max_sitemaps": max_sitemaps, "other_hosts": other_hosts, "ignore_robots": ignore_robots,
        "deadline_s": deadline,
    })  # fmt: skip
    from gleaner.steps.site.mapping import map_at_once  # loads the parser

    with opened(home, allow_hosts=allow_host or None) as services, stderr.status("reading robots.txt") as line:
        found = map_at_once(order, services, lambda site_map: line.update(_progress(site_map)))
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
    return 0 if found.status == "complete" else PARTIAL


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
    left_out = ", ".join(f"{count} {why.replace('_', ' ')}" for why, count in found.left_out.items())
    if left_out:
        stderr.print(f"  left out    {left_out}", soft_wrap=True)
    for warning in found.warnings:
        stderr.print(f"  [yellow]{plain(warning)}[/]", soft_wrap=True)
