"""The rows of a table whose head names the fields are what is numbered, whatever else looks like records."""

from typing import Any

import pytest
from gleaner.completeness.ledger import number_units
from gleaner.completeness.named_tables import put_first
from gleaner.page.opening import open_page

PARAGRAPH = "<p>Loggers write what a service does, so that somebody can read it later and find out what went wrong.</p>"
SECTIONS = "".join(
    f"<section><h2>{name}</h2>{PARAGRAPH}<p>It came out in {2010 + at}, and is at version {at}.4.</p></section>"
    for at, name in enumerate(("Serilog", "Loguru", "Zap", "Winston", "Logback"), 1)
)
TOOLS = (("Serilog", "services", "JSON"), ("Loguru", "scripts", "text"), ("Zap", "servers", "JSON"))


def table(*heads: str) -> str:
    body = "".join(f"<tr>{''.join(f'<td>{cell}' for cell in row)}</tr>" for row in TOOLS)
    return f"<table><tr>{''.join(f'<th>{head}' for head in heads)}</tr>{body}</table>"


def listing(*names: str) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "object", "properties": {name: {"type": "string"} for name in names}}}


def numbered(html: str, schema: Any) -> list[str]:
    page = open_page(html, "https://blog.example/")
    return [page.text[one.start : one.end].strip() for one in number_units(put_first(page.units, page.text, schema))]


@pytest.mark.req("EX-6")
@pytest.mark.parametrize(
    ("heads", "names"),
    [
        (("Tool", "Use case", "Format"), ("tool", "use_case", "format")),
        (("Tool", "Use case", "Format"), ("tool", "useCase", "licence")),
        (("Tool name", "Used for", "Output format"), ("name", "format")),
        (("Titel", "Preis", "Format"), ("title", "price")),
    ],
)
def test_rows_under_the_fields_names_are_numbered_in_an_article_of_sections(heads: Any, names: Any) -> None:
    rows = [text for text in numbered(f"<h1>Loggers</h1>{SECTIONS}{table(*heads)}", listing(*names)) if text[0] == "|"]
    assert len(rows) == len(TOOLS)
    assert all(row.startswith(f"| {tool} |") for row, (tool, *_) in zip(rows, TOOLS, strict=True))


@pytest.mark.req("EX-6")
@pytest.mark.parametrize(
    "schema",
    [
        listing("tool", "maker", "licence"),
        listing("tool"),
        {"type": "object", "properties": {"tool": {"type": "string"}, "format": {"type": "string"}}},
        {"type": "array", "items": {"$ref": "https://schemas.example/tool.json"}},
        True,
        None,
    ],
)
def test_a_table_that_names_little_of_what_is_asked_for_changes_nothing(schema: Any) -> None:
    page = open_page(f"{SECTIONS}{table('Tool', 'Use case', 'Format')}", "https://blog.example/")
    assert put_first(page.units, page.text, schema) == page.units


@pytest.mark.req("EX-6")
def test_of_two_tables_the_one_that_names_more_fields_is_numbered() -> None:
    html = f"{table('Tool', 'Use case', 'Since')}<h2>Formats</h2>{table('Tool', 'Use case', 'Format')}"
    page = open_page(html, "https://blog.example/")
    units = put_first(page.units, page.text, listing("tool", "use_case", "format"))
    best = max(unit.group_score for unit in units)
    assert all(unit.start > page.text.index("Formats") for unit in units if unit.group_score == best)


@pytest.mark.req("EX-6")
def test_cards_beside_such_a_table_are_still_numbered() -> None:
    """Whoever lists all tools in sections and three of them in a table may be asked for all."""
    texts = numbered(f"{SECTIONS}{table('Name', 'Use case', 'Version')}", listing("name", "version"))
    assert sum(text.startswith("|") for text in texts) == len(TOOLS)
    assert sum("version" in text for text in texts) >= len(SECTIONS.split("<section>")) - 2
