"""robots.txt (RFC 9309), read by Protego: what may be fetched on a host, and how long to wait between two pages."""

import base64
import zlib
from dataclasses import dataclass
from functools import cached_property

from protego import Protego

from gleaner.contracts.ports import JsonObject

MAX_TEXT = 512_000
"""Characters that are read; RFC 9309 asks for 500 KiB at least."""
PRODUCT = "gleaner"
FORBIDS_ALL = "User-agent: *\nDisallow: /"


@dataclass(frozen=True)
class RobotRules:
    """The rules of one host's robots.txt; an empty text allows everything."""

    text: str = ""

    @cached_property
    def _read(self) -> Protego:
        return Protego.parse(self.text[:MAX_TEXT])

    def allows(self, path: str) -> bool:
        """Tell whether the path, with its query, may be fetched: the longest rule that matches decides.

        >>> RobotRules("User-agent: *\\nDisallow: /private\\nAllow: /private/open").allows("/private/open/1")
        True
        """
        return self._read.can_fetch(path or "/", PRODUCT)

    @property
    def crawl_delay_s(self) -> float:
        """The seconds between two pages that the host asks for; 0 where it asks for none."""
        return self._read.crawl_delay(PRODUCT) or 0.0

    @property
    def sitemaps(self) -> list[str]:
        """The sitemaps that the host names, as it writes them.

        >>> RobotRules("Sitemap: https://a.example/sitemap.xml").sitemaps
        ['https://a.example/sitemap.xml']
        """
        return list(dict.fromkeys(self._read.sitemaps))

    def to_json(self) -> JsonObject:
        """Give the text, packed: an item of the table holds 400 KB."""
        return {"robots": base64.b85encode(zlib.compress(self.text[:MAX_TEXT].encode())).decode()}

    @classmethod
    def from_json(cls, stored: JsonObject) -> "RobotRules":
        """Read what ``to_json`` gave."""
        return cls(zlib.decompress(base64.b85decode(str(stored["robots"]))).decode())
