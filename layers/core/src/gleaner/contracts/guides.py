"""Where a guide of the documentation is: a URL where the package names its repository, else the checkout's file."""

from functools import cache

DISTRIBUTION = "gleaner-extract"


@cache
def guide(name: str) -> str:
    """Give where ``docs/NAME.md`` can be read, at the version that is installed."""
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
