"""``gleaner watch``: a page or listing run again and again, and what has changed since."""

import json
import os
import time
from typing import Annotated, Any

import typer

from gleaner import errors
from gleaner.cli.display import plain, stderr, stdout
from gleaner.cli.exit_codes import INTERRUPTED, PARTIAL, Said
from gleaner.cli.options import (
    Action,
    AllowHost,
    AsJson,
    Consent,
    Home,
    Model,
    Proxy,
    Session,
    given,
    read_action_options,
    read_json_option,
)
from gleaner.jobs.record_changes import FieldChange, RecordChanges
from gleaner.jobs.watches import WatchOrder, WatchRun, public_watch

_UNITS = ((86_400, "d"), (3_600, "h"), (60, "m"))


def watch(
    url: Annotated[str, typer.Argument(metavar="URL", help="The page, or the first page of the listing.")],
    schema: Annotated[str, typer.Option("--schema", "-s", metavar="FILE|JSON", help="JSON Schema of the records.")],
    query: Annotated[str | None, typer.Option("--query", "-q", metavar="WORDS", help="What to extract.")] = None,
    follow: Annotated[int | None, typer.Option(metavar="N", help="Read the listing's next pages too.")] = None,
    action: Action = None,
    session: Session = None,
    consent: Consent = None,
    proxy: Proxy = None,
    every: Annotated[str, typer.Option(metavar="TIME", help="How often: 15m, 1h, 1d.")] = "1d",
    key: Annotated[
        list[str] | None, typer.Option(metavar="FIELD", help="Field that tells records apart (repeatable).")
    ] = None,
    webhook: Annotated[str | None, typer.Option(metavar="URL", help="Send changes there, signed.")] = None,
    secret: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            envvar="GLEANER_WEBHOOK_SECRET",
            help="Signs what is sent there. Set the variable: others on this machine can read a command line.",
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="The watch's id; the same name goes on.")] = None,
    once: Annotated[bool, typer.Option("--once", help="Run once and end, for a scheduler of your own.")] = False,
    javascript: Annotated[bool, typer.Option(help="Use the browser; without it a plain HTTP fetch.")] = True,
    model: Model = None,
    home: Home = None,
    allow_host: AllowHost = None,
    as_json: AsJson = False,
) -> int:
    """Watch the records of a page or listing, and say which are new, changed or removed.

    The first run is what later ones are compared with. Ends with Ctrl-C; the same command goes on with the same watch.
    """
    if secret is not None and webhook is None and "GLEANER_WEBHOOK_SECRET" not in os.environ:
        raise errors.InvalidRequest("--secret goes with --webhook")
    order: dict[str, Any] = {
        "request": given(
            url=url, query=query, output_schema=read_json_option("--schema", schema), follow=follow, session=session,
            actions=read_action_options(action), consent=consent, proxy=proxy,
            enable_javascript=None if javascript else False,
        ),
        "every": every,
        "keys": key or [],
        "name": name,
        "webhook": given(url=webhook, secret=secret) if webhook else None,
    }  # fmt: skip
    WatchOrder.read(order)  # before the engine is loaded
    from gleaner.library import Gleaner

    allowed: dict[str, Any] = {"allow_hosts": allow_host} if allow_host else {}  # else the variable's
    with Gleaner(model=model, home=home, **allowed) as gleaner:
        record = gleaner.gateway.create_watch(order)
        watch_id = str(record["watch_id"])
        if not as_json:
            _introduce(record, secret_given=secret is not None, once=once)
        while True:
            run = gleaner.run_watch(watch_id)
            _show(run, gleaner.watch_changes(watch_id, run.run_id), as_json=as_json)
            if once:
                return 0 if run.status in ("baseline", "unchanged", "changed") and not run.said else PARTIAL
            try:
                time.sleep(max(0.0, float(str(gleaner.gateway.watches.record(watch_id)["due_at"])) - time.time()))
            except KeyboardInterrupt:
                return Said(INTERRUPTED)


def _introduce(record: dict[str, Any], *, secret_given: bool, once: bool) -> None:
    shown = public_watch(record)
    pace = "" if once else f", every {_pace(record['every_s'])}; Ctrl-C ends it"
    stderr.print(f"[bold]watch[/] {plain(str(shown['watch_id']))}{pace}")
    if record.get("webhook") and not secret_given:
        stderr.print(f"  secret      {plain(record['webhook']['secret'])} [dim](checks Gleaner-Signature)[/]")


def _pace(every_s: int) -> str:
    """Give a time as --every takes it.

    >>> _pace(86_400), _pace(5_400), _pace(900)
    ('1d', '90m', '15m')
    """
    length, unit = next(((length, unit) for length, unit in _UNITS if every_s % length == 0), (60, "m"))
    return f"{every_s // length}{unit}"


def _show(run: WatchRun, changes: RecordChanges, *, as_json: bool) -> None:
    if as_json:
        shown = {**run.model_dump(mode="json", exclude_none=True), "changes": changes.model_dump(mode="json")}
        typer.echo(json.dumps(shown, ensure_ascii=False))
        return
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(run.at))
    counts = ", ".join(f"{count} {what}" for what, count in run.counts.items() if count)
    said = f": {plain(run.said)}" if run.said else ""
    stderr.print(f"{when}  {run.status}, {run.records} records{f' ({counts})' if counts else ''}{said}")
    for one in changes.new:
        stdout.print(f"[green]+ {plain(_line(one.record))}[/]", soft_wrap=True)
    for one in changes.changed:
        stdout.print(f"[yellow]~ {plain(_line(one.key or one.record))}[/]", soft_wrap=True)
        for field in one.fields:
            stdout.print(f"    {plain(_field(field))}", soft_wrap=True)
    for one in changes.removed:
        stdout.print(f"[red]- {plain(_line(one.record))}[/]", soft_wrap=True)


def _field(change: FieldChange) -> str:
    return f"{change.field.removeprefix('/')}: {_line(change.old)} → {_line(change.new)}"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
