"""A page of a site as a map lists it."""

from dataclasses import dataclass
from typing import Any, Literal

Source = Literal["sitemap", "feed", "link", "start"]


@dataclass(slots=True)
class SiteUrl:
    """A page of a site: its address, title and time of the last change (ISO 8601) if known, and where it was found.

    ``page_id`` is its snapshot, where one was stored.
    """

    url: str
    title: str | None = None
    last_modified: str | None = None
    source: Source = "sitemap"
    page_id: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form; what is unknown is null."""
        told = {"url": self.url, "title": self.title, "last_modified": self.last_modified, "source": self.source}
        return told | ({"page_id": self.page_id} if self.page_id else {})
