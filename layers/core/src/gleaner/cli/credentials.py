"""``gleaner tokens``, the bearer tokens of the API (AU-1), and ``gleaner secrets``, which actions fill in (AC-2)."""

import json
import sys
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from gleaner.cli.display import stderr, stdout
from gleaner.cli.options import AsJson, Home, say_outcome
from gleaner.cli.places import opened
from gleaner.contracts.errors import InvalidRequest, NotFound
from gleaner.contracts.items import DEFAULT_TENANT
from gleaner.jobs.secrets import read_secret
from gleaner.jobs.tokens import DEFAULT_RATE, Tokens
from gleaner.wiring import secret_file

tokens = typer.Typer(help="Bearer tokens of the HTTP API.", no_args_is_help=True)


@tokens.command("create")
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


@tokens.command("list")
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


@tokens.command("revoke")
def revoke(
    token_id: Annotated[str, typer.Argument(help="Token id, as shown by `gleaner tokens list`.")],
    home: Home = None,
    as_json: AsJson = False,
) -> int:
    """Revoke a token at once."""
    with opened(home) as services:
        Tokens(services.table).revoke(token_id)
    return say_outcome({"id": token_id, "revoked": True}, f"token {escape(token_id)} is revoked", as_json=as_json)


secrets = typer.Typer(help="Secrets that actions fill in by name.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(help="Name of the secret, such as shop-password.")]
Tenant = Annotated[str, typer.Option(help="Tenant whose requests may use it.")]


@secrets.command("set")
def set_secret(
    name: Name,
    host: Annotated[
        list[str],
        typer.Option(metavar="HOST", help="Host that may see it: shop.example, *.shop.example (repeatable)."),
    ],
    tenant: Tenant = DEFAULT_TENANT,
    home: Home = None,
) -> int:
    """Store a secret. Its value is asked for, or read from the standard input; it is never an argument."""
    value = str(typer.prompt(name, hide_input=True)) if sys.stdin.isatty() else sys.stdin.read().strip("\r\n")
    if not value:
        raise InvalidRequest(f"the value of {name} is empty: write it to the standard input")
    with opened(home) as services:
        secret_file(services.settings).put(tenant, read_secret(name, {"value": value, "hosts": host}))
    stderr.print(f"{name} is stored; a step fills it in: fill: TARGET => " + json.dumps({"secret": name}))
    return 0


@secrets.command("list")
def list_secrets(tenant: Tenant = DEFAULT_TENANT, home: Home = None, as_json: AsJson = False) -> int:
    """List the names of the secrets and the hosts that may see them; no values."""
    with opened(home) as services:
        found = secret_file(services.settings).names(tenant)
    if as_json:
        typer.echo(json.dumps(found))
    for name, hosts in found.items() if not as_json else ():
        typer.echo(f"{name}  {', '.join(hosts)}")
    return 0


@secrets.command("delete")
def delete_secret(name: Name, tenant: Tenant = DEFAULT_TENANT, home: Home = None) -> int:
    """Forget a secret."""
    with opened(home) as services:
        if not secret_file(services.settings).delete(tenant, name):
            raise NotFound(f"tenant {tenant} has no secret {name}")
    stderr.print(f"{name} is forgotten")
    return 0
