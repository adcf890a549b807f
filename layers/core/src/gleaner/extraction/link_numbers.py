"""Numbers in place of addresses: prompts show ``[Larch lamp][L12]``, and answers may say ``L12`` (EX-13).

An address is several times as long as the text of its link, a menu has a hundred of them, and a model that writes one
out pays for it once more. Each address of a chunk has one number, whatever part of the chunk a question shows.
"""

import json
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from gleaner.schemas import asks_for_images

_TARGET = r"\((https?://[^()\s]+|/[^()\s]*)\)"
_LINK = re.compile(rf"\]{_TARGET}")
_IMAGE = re.compile(rf"!\[([^\[\]]*)\]{_TARGET}")
_PREFIXES = ("L", "LINK", "REF", "ADDRESS")


@dataclass(frozen=True)
class LinkNumbers:
    """The addresses of a chunk's text by their numbers, from 1 in page order.

    ``prefix`` stands before a number, and before no number of the text. Those of images have one, and are shown, only
    with ``shows_images``.

    >>> links = LinkNumbers.of("[Oak](https://a.example/oak) 5 €", {"properties": {"url": {"type": "string"}}})
    >>> links.show("[Oak](https://a.example/oak) 5 €"), links.resolve('{"url": "L1"}')
    ('[Oak][L1] 5 €', '{"url": "https://a.example/oak"}')
    """

    addresses: tuple[str, ...] = ()
    prefix: str = _PREFIXES[0]
    shows_images: bool = False

    @classmethod
    def of(cls, text: str, schema: Any) -> "LinkNumbers":
        """Number the addresses of a text, for questions about what a schema describes; None: for an answer in words."""
        shows_images = schema is not None and asks_for_images(schema)
        read = text if shows_images else _IMAGE.sub(r"\1", text)
        found = _LINK.findall(read)
        prefix = next((one for one in _PREFIXES if not re.search(rf"\b{one}\d", text)), "ADDRESS_OF_GLEANER_")
        return cls(tuple(dict.fromkeys(found)), prefix, shows_images)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {address: at for at, address in enumerate(self.addresses, 1)}

    @property
    def form(self) -> str:
        """How an address is shown, "" where there is none."""
        return f"[text][{self.prefix}1]" if self.addresses else ""

    def show(self, text: str) -> str:
        """Give a text with numbers in place of its addresses."""
        return _LINK.sub(self._mark, text if self.shows_images else _IMAGE.sub(r"\1", text))

    def _mark(self, found: re.Match[str]) -> str:
        number = self._numbers.get(found[1])
        return found[0] if number is None else f"][{self.prefix}{number}]"

    def resolve(self, answer: str) -> str:
        """Give an answer with addresses in place of their numbers; a link that it repeats is Markdown again."""
        if not self.addresses:
            return answer
        number = rf"{self.prefix}(\d{{1,6}})(?!\w)"
        answer = re.sub(rf"\]\[{number}\]", lambda found: f"]({self._address(found)})", answer)
        return re.sub(rf"\[{number}\]|(?<!\w){number}", self._address, answer)

    def _address(self, found: re.Match[str]) -> str:
        at = int(next(filter(None, found.groups())))
        known = 0 < at <= len(self.addresses)
        return json.dumps(self.addresses[at - 1], ensure_ascii=False)[1:-1] if known else found[0]


NO_LINKS = LinkNumbers()
