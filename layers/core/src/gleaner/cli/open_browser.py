"""``gleaner open-browser``: show the master profile in a window, for a person to log in (BR-5)."""

import json
from typing import Annotated

import typer

from gleaner.cli.display import stderr
from gleaner.cli.options import Home
from gleaner.cli.places import opened


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
    if as_json:
        typer.echo(json.dumps(session))
        return 0
    how = "the window was closed" if session["ended"] == "closed" else "the time was up"
    saved = f"{session['cookies']} cookies and the storage of {session['origins']} sites are saved"
    stderr.print(f"{how}; {saved} for profile {session['profile_id']}")
    return 0
