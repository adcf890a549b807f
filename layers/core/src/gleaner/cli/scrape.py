"""``gleaner scrape``: one page."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from gleaner.cli.display import Progress, show_result
from gleaner.cli.exit_codes import PARTIAL
from gleaner.cli.options import AllowHost, AsJson, Home, Model, check_output, read_json_option, write_output
from gleaner.contracts import errors
from gleaner.contracts.models import ScrapeResult, parse_request


def scrape(
    url: Annotated[
        str | None, typer.Argument(metavar="URL", help="The page: an http or https URL. Or give --page-id.")
    ] = None,
    query: Annotated[
        str | None, typer.Option("--query", "-q", metavar="WORDS", help="What to extract, in words.")
    ] = None,
    schema: Annotated[
        str | None,
        typer.Option("--schema", "-s", metavar="FILE|JSON", help="JSON Schema of the answer, or an example of it."),
    ] = None,
    format: Annotated[
        str, typer.Option("--format", "-f", metavar="FORMAT", help="markdown, links, screenshot or fullscreenshot.")
    ] = "markdown",
    page_id: Annotated[
        str | None, typer.Option(metavar="ID", help="Work on a page that an earlier result names, without fetching.")
    ] = None,
    selector: Annotated[
        str | None, typer.Option(metavar="CSS", help="CSS selector: work on its first match only.")
    ] = None,
    extraction_id: Annotated[
        str | None, typer.Option(metavar="ID", help="Reuse an earlier extraction and add to its aggregate.")
    ] = None,
    extract_links: Annotated[bool, typer.Option("--extract-links", help="Keep link targets in the Markdown.")] = False,
    start_from_char: Annotated[
        int | None, typer.Option(metavar="N", help="Start from this offset of the Markdown.")
    ] = None,
    wait_for: Annotated[
        int | None, typer.Option(metavar="MS", help="Fixed wait in ms, in place of the smart wait.")
    ] = None,
    profile: Annotated[
        str | None, typer.Option(metavar="NAME", help="default, or master: the logged-in profile.")
    ] = None,
    javascript: Annotated[bool, typer.Option(help="Use the browser; without it a plain HTTP fetch.")] = True,
    parser: Annotated[
        str | None, typer.Option(metavar="NAME", help="Page parser; without one the page's own Markdown is used.")
    ] = None,
    config: Annotated[str | None, typer.Option(metavar="FILE|JSON", help="ExtractionConfig.")] = None,
    max_tokens: Annotated[int | None, typer.Option(metavar="N", help="Cap on model tokens.")] = None,
    max_usd: Annotated[float | None, typer.Option(metavar="USD", help="Cap on model cost.")] = None,
    deadline: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Neither a page nor a model is waited for longer.")
    ] = None,
    model: Model = None,
    home: Home = None,
    allow_host: AllowHost = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the whole result there, as JSON.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Turn a page into Markdown, links, a screenshot or records.

    With --schema into records that are valid for it, with --query alone into an answer in words.
    """
    check_output("--output", output)
    if (url is None) == (page_id is None):
        raise errors.InvalidRequest("give either a URL or --page-id; see `gleaner scrape --help`")
    budget = _given(max_tokens=max_tokens, max_usd=max_usd, deadline_s=deadline)
    request = _given(
        url=url,
        page_id=page_id,
        query=query,
        output_schema=read_json_option("--schema", schema),
        format=format,
        css_selector=selector,
        extraction_id=extraction_id,
        start_from_char=start_from_char,
        wait_for=wait_for,
        profile=profile,
        parser=parser,
        config=read_json_option("--config", config),
        budget=budget or None,
        extract_links=extract_links or None,
        enable_javascript=None if javascript else False,
    )
    result = run_request(request, silent=as_json, model=model, home=home, allow_hosts=allow_host or None)
    text = json.dumps(result.to_json(), ensure_ascii=False, indent=2)
    if output is not None:
        write_output(output, [text, "\n"])
    if as_json:
        typer.echo(text)
    else:
        show_result(result, [str(output)] if output else [])
    return exit_code_of(result)


def run_request(request: dict[str, Any], *, silent: bool, **settings: Any) -> ScrapeResult:
    """Run one request on this machine, showing its steps."""
    parse_request(request)  # before the engine is loaded, which takes longer than to see what is wrong
    from gleaner.library import Gleaner

    with Progress(silent=silent) as progress, Gleaner(on_step=progress.step, **settings) as gleaner:
        return gleaner.scrape(**request)


def exit_code_of(result: ScrapeResult) -> int:
    """Give the command's exit code for a result."""
    if result.status != "failed":
        return 0 if result.status == "complete" else PARTIAL
    return errors.error_of(result.error.error_type, "").exit_code if result.error else errors.InternalError.exit_code


def _given(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
