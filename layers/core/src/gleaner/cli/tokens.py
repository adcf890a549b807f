"""What an operator does for tenants: ``gleaner tokens``, bearer tokens of the API (AU-1), and ``gleaner erase``."""

import json
from dataclasses import asdict
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from gleaner.cli.display import stderr, stdout
from gleaner.cli.options import AsJson, Home, check_name
from gleaner.cli.places import opened
from gleaner.contracts.errors import InvalidRequest
from gleaner.contracts.items import DEFAULT_TENANT
from gleaner.jobs.erasing import Eraser
from gleaner.jobs.tokens import DEFAULT_RATE, Tokens

app = typer.Typer(help="Bearer tokens of the HTTP API.", no_args_is_help=True)


@app.command("create")
def create(
    tenant: Annotated[str, typer.Argument(help="Tenant whose jobs, extractions and strategies the token may use.")],
    rate: Annotated[int, typer.Option(min=1, help="Requests per minute.")] = DEFAULT_RATE,
    note: Annotated[str, typer.Option(help="Note on what the token is for.")] = "",
    home: Home = None,
    as_json: AsJson = False,
) -> int:
    """Create a token and print it. It can't be printed again."""
    with opened(home) as services:
        token_id, token = Tokens(services.table).create(tenant, rate_per_minute=rate, note=note)
    if as_json:
        typer.echo(json.dumps({"id": token_id, "tenant": tenant, "token": token}))
        return 0
    typer.echo(token)
    stderr.print(f"token {token_id} of {escape(tenant)}: it can't be shown again, so keep it safe")
    return 0


@app.command("list")
def list_all(home: Home = None, as_json: AsJson = False) -> int:
    """List the tokens' ids, tenants, rates and notes."""
    with opened(home) as services:
        found = Tokens(services.table).list()
    if as_json:
        typer.echo(json.dumps(found))
        return 0
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in ("id", "tenant", "rate_per_minute", "note"):
        table.add_column(name)
    for one in found:
        table.add_row(*(escape(str(one.get(name, ""))) for name in ("id", "tenant", "rate_per_minute", "note")))
    stdout.print(table if found else "no tokens; `gleaner tokens create TENANT` creates one")
    return 0


@app.command("revoke")
def revoke(
    token_id: Annotated[str, typer.Argument(help="Token id, as shown by `gleaner tokens list`.")],
    home: Home = None,
    as_json: AsJson = False,
) -> int:
    """Revoke a token at once."""
    with opened(home) as services:
        Tokens(services.table).revoke(token_id)
    if as_json:
        typer.echo(json.dumps({"id": token_id, "revoked": True}))
    else:
        stderr.print(f"token {escape(token_id)} is revoked")
    return 0


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
    what = f"{done.items} items, {done.files} files and {done.schedules} watches"
    whose = f"tenant {tenant}" if site is None else f"{site} (tenant {tenant})"
    said = f"erased {what} of {whose}" if yes else f"{what} of {whose} would be erased; add --yes to erase them"
    stderr.print(escape(said))
    for one in done.left:
        stderr.print(escape(f"not erased: {one}"))
    return 0
