"""Write docs/settings.md from the settings themselves: python scripts/write_settings_reference.py [--check]."""

from collections.abc import Iterator
from pathlib import Path

from gleaner.contracts.settings import GROUPS, PREFIX, Settings, SettingsGroup
from pydantic_core import PydanticUndefined

TARGET = Path(__file__).parent.parent / "docs/settings.md"
HEAD = """# Settings

Each setting is an environment variable and a keyword of `Gleaner(…)`; some are options of the command too. Write lists
with commas, and objects as JSON. An unknown name, or a value out of range, is an error at the start.

This page is generated from the code by `python scripts/write_settings_reference.py`.
"""
TITLES = {
    "": "The installation",
    "browser": "The browser (seed 004, 4.1)",
    "scrape": "From page to content (seed 004, 4.2)",
    "limits": "Hard limits",
    "llm": "Calling the model",
}


def reference() -> str:
    """Give the page."""
    parts = [HEAD, section("", Settings)]
    parts += [section(name, group) for name, group in GROUPS.items()]
    return "\n".join(parts)


def section(name: str, group: type[SettingsGroup]) -> str:
    """Give the table of one group."""
    lines = [f"## {TITLES[name]}", "", "| setting | default | meaning |", "| --- | --- | --- |", *rows(name, group), ""]
    return "\n".join(lines)


def rows(name: str, group: type[SettingsGroup]) -> Iterator[str]:
    """Give a row for each setting of a group."""
    for field_name, field in group.model_fields.items():
        if field_name in GROUPS:
            continue
        variable = PREFIX + "_".join(part for part in (name, field_name) if part).upper()
        yield f"| `{variable}` | {default_of(field)} | {field.description} |"


def default_of(field) -> str:
    """Give how a default reads."""
    if field.default is PydanticUndefined:
        return (
            "`gleaner/` in the XDG data folder"
            if "home" in str(field.description) or "Data folder" in str(field.description)
            else "empty"
        )
    return "none" if field.default is None else f"`{str(field.default).replace('|', chr(92) + '|')}`"


if __name__ == "__main__":
    from generated import keep

    keep(TARGET, reference())
