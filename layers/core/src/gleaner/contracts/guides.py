"""What the installed package says of itself: its version, and where its guides can be read."""

from functools import cache

DISTRIBUTION = "gleaner-extract"


@cache
def installed_version() -> str:
    """Give the version of the package; "0" where it is run without having been installed, as on Lambda."""
    from importlib import metadata

    try:
        return metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return "0"


@cache
def guide(name: str) -> str:
    """Give where ``docs/NAME.md`` can be read: a URL if the package names its repository, else a path."""
    from importlib import metadata  # takes 10 ms, and only messages ask

    try:
        about = metadata.metadata(DISTRIBUTION)
    except metadata.PackageNotFoundError:  # on Lambda the package is a folder
        return f"docs/{name}.md"
    for line in about.get_all("Project-URL") or ():
        label, _, url = line.partition(", ")
        if label == "Source":
            return f"{url}/blob/v{about['Version']}/docs/{name}.md"
    return f"docs/{name}.md"
