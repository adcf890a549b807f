"""How a page's documents come in, so that none grows without end or breaks off unnoticed (SS-2).

The debugging protocol is asked, not the filtering proxy: it counts what a document unpacks to, over TLS, too.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import CDPSession
from playwright.async_api import Error as PlaywrightError

from gleaner.errors import DecompressedTooLarge, PageError, PageTooLarge, UnsupportedContent

TEXT_MARKS = ("text/", "html", "xml", "json")


@dataclass(slots=True)
class Document:
    """A document on its way: where from, whether said to be packed, whether it is the page's own, and its bytes so far.

    ``size`` counts them unpacked, ``received`` as they came.
    """

    url: str
    says_packed: bool
    is_main: bool
    size: int = 0
    received: int = 0

    @property
    def is_packed(self) -> bool:
        """Whether it is packed, by its headers or, where these were missed, by its bytes."""
        return self.says_packed or 0 < self.received < self.size / 2


@dataclass(eq=False)
class DocumentMeter:
    """Listens to one page while its document comes in; calls ``give_up`` with what is wrong with it.

    Afterwards it is off: its events would cost a tenth of the time of a page with many pictures.
    """

    session: CDPSession
    limit: int
    give_up: Callable[[PageError], None]
    main_frame: str = ""
    is_on: bool = False
    documents: dict[str, Document] = field(default_factory=dict[str, Document])

    def __post_init__(self) -> None:
        self.session.on("Network.responseReceived", self._on_response)
        self.session.on("Network.dataReceived", self._on_data)
        self.session.on("Network.loadingFailed", self._on_failure)

    async def start(self) -> None:
        """Listen, before a navigation."""
        self.is_on = True
        with suppress(PlaywrightError):  # the page is gone
            await self.session.send("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0})

    async def resume(self) -> None:
        """Listen again, soon after the page began to go elsewhere: its answer may have come before."""
        if not self.is_on:
            await self.start()
            with suppress(PlaywrightError):
                tree = await self.session.send("Page.getFrameTree")
                frame: dict[str, Any] = tree["frameTree"]["frame"]
                self.documents.setdefault(frame["loaderId"], Document(frame["url"], says_packed=False, is_main=True))

    async def stop(self) -> None:
        """Stop: the document is there."""
        if self.is_on:
            self.is_on = False
            self.documents.clear()
            with suppress(PlaywrightError):
                await self.session.send("Network.disable")

    def _on_response(self, event: dict[str, Any]) -> None:
        response: dict[str, Any] = event["response"]
        if event["type"] != "Document" or not any(mark in response["mimeType"] for mark in TEXT_MARKS):
            return
        headers = {str(name).lower(): str(value) for name, value in response["headers"].items()}
        self.main_frame = self.main_frame or event["frameId"]  # the first one is the page's own
        document = Document(response["url"], "content-encoding" in headers, event["frameId"] == self.main_frame)
        self.documents[event["requestId"]] = document
        stated = headers.get("content-length", "")
        if stated.isdigit() and int(stated) > self.limit:
            self._too_large(document, f"has {stated} bytes, the limit is {self.limit}")

    def _on_data(self, event: dict[str, Any]) -> None:
        document = self.documents.get(event["requestId"])
        if document:
            document.size += event["dataLength"]
            document.received += event["encodedDataLength"]
            if document.size > self.limit:
                does = "unpacks to" if document.is_packed else "has"
                self._too_large(document, f"{does} more than {self.limit} bytes")

    def _too_large(self, document: Document, what: str) -> None:
        error = DecompressedTooLarge if document.is_packed else PageTooLarge
        self.give_up(error(f"{document.url} {what} (max_page_size)"))

    def _on_failure(self, event: dict[str, Any]) -> None:
        document = self.documents.pop(event["requestId"], None)
        if document and document.is_main and not event.get("canceled"):
            reason = str(event["errorText"]).removeprefix("net::")
            self.give_up(UnsupportedContent(f"the answer of {document.url} broke off before its end ({reason})"))
