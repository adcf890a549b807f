"""Measure documents while they arrive, so that none is endless or cut off unnoticed (SS-2).

The debugging protocol is asked, not the filtering proxy: it counts what a document unpacks to, over TLS, too.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import CDPSession
from playwright.async_api import Error as PlaywrightError

from gleaner.adapters.browser.snapshot import declared_closed, evaluate
from gleaner.contracts.errors import DecompressedTooLarge, PageError, PageTooLarge, UnsupportedContent
from gleaner.html.decoding.truncation import cut_off

TEXT_MARKS = ("text/", "html", "xml", "json")
EMPTY_STREAMS = {"gzip": {20, 23}, "deflate": {2, 8}, "br": {1, 2}, "zstd": set(range(9, 14))}
"""Bytes that nothing takes when it is packed: RFC 1952, RFC 1950 and 1951, RFC 7932, RFC 8878."""

BODY_SIZES = """(() => {
    const [entry] = performance.getEntriesByType("navigation");
    return [entry.encodedBodySize, entry.decodedBodySize];
})()"""


@dataclass(slots=True)
class Document:
    """A document on its way: where from, how it says that it is packed, whether it is the page's own, and its bytes.

    ``size`` counts those that came so far unpacked, ``received`` as they came.
    """

    url: str
    coding: str
    is_main: bool
    size: int = 0
    received: int = 0

    @property
    def is_packed(self) -> bool:
        """Whether it is packed, by its headers or, where these were missed, by its bytes."""
        return bool(self.coding) or 0 < self.received < self.size / 2


@dataclass(eq=False)
class DocumentMeter:
    """Listens to one page while its document comes in; calls ``give_up`` with what is wrong with it.

    Afterwards it is off: its events would cost a tenth of the time of a page with many pictures.
    """

    session: CDPSession
    limit: int
    give_up: Callable[[PageError], None]
    main_frame: str = ""
    empty: Document | None = None
    """The page's own document, if it was packed and came in without a byte of text."""

    broken: str = ""
    """How the HTML of the page's own document breaks off, if it does: Chromium takes a cut stream for a whole one."""

    closed_trees: int = 0
    """Closed shadow trees that the HTML of the page's own document declares."""

    is_on: bool = False
    _reading: asyncio.Task[None] | None = None
    documents: dict[str, Document] = field(default_factory=dict[str, Document])

    def __post_init__(self) -> None:
        self.session.on("Network.responseReceived", self._on_response)
        self.session.on("Network.dataReceived", self._on_data)
        self.session.on("Network.loadingFinished", self._on_end)
        self.session.on("Network.loadingFailed", self._on_failure)

    async def start(self) -> None:
        """Listen, before a navigation."""
        self.is_on = True
        with suppress(PlaywrightError):  # the page is gone
            sizes = {"maxTotalBufferSize": self.limit, "maxResourceBufferSize": self.limit}
            await self.session.send("Network.enable", sizes)

    async def resume(self) -> None:
        """Listen again, soon after the page began to go elsewhere: its answer may have come before."""
        if not self.is_on:
            await self.start()
            with suppress(PlaywrightError):
                tree = await self.session.send("Page.getFrameTree")
                frame: dict[str, Any] = tree["frameTree"]["frame"]
                self.documents.setdefault(frame["loaderId"], Document(frame["url"], coding="", is_main=True))

    async def stop(self) -> None:
        """Stop: the document is there."""
        if self.is_on:
            self.is_on = False
            await self.read_to_the_end()
            self.documents.clear()
            with suppress(PlaywrightError):
                await self.session.send("Network.disable")

    async def check_unpacking(self) -> None:
        """Tell an empty page from one that broke off in its packing before the first byte: UnsupportedContent then."""
        if self.empty and is_cut_stream(self.empty.coding, *await evaluate(self.session, BODY_SIZES)):
            raise UnsupportedContent(f"the compressed answer of {self.empty.url} ended early")

    def _on_response(self, event: dict[str, Any]) -> None:
        response: dict[str, Any] = event["response"]
        if event["type"] != "Document" or not any(mark in response["mimeType"] for mark in TEXT_MARKS):
            return
        headers = {str(name).lower(): str(value) for name, value in response["headers"].items()}
        self.main_frame = self.main_frame or event["frameId"]  # the first one is the page's own
        coding = headers.get("content-encoding", "").strip().lower()
        document = Document(response["url"], coding, event["frameId"] == self.main_frame)
        self.documents[event["requestId"]] = document
        stated = headers.get("content-length", "")
        if stated.isdigit() and int(stated) > self.limit:
            self._too_large(document, f"has {stated} bytes; the limit is {self.limit}")

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

    def _on_end(self, event: dict[str, Any]) -> None:
        document = self.documents.get(event["requestId"])
        if document and document.is_main:
            self.empty = document if document.coding and not document.size else None
            self._reading = asyncio.create_task(self._read_end(event["requestId"]))

    async def read_to_the_end(self) -> None:
        """Wait until it is known whether the document breaks off."""
        if self._reading:
            await self._reading

    async def _read_end(self, request: str) -> None:
        self.broken = ""
        with suppress(PlaywrightError):  # the page has gone elsewhere
            body = await self.session.send("Network.getResponseBody", {"requestId": request})
            text = "" if body["base64Encoded"] else body["body"]
            self.broken = cut_off(text)
            self.closed_trees = declared_closed(text)

    def _on_failure(self, event: dict[str, Any]) -> None:
        document = self.documents.pop(event["requestId"], None)
        if document and document.is_main and not event.get("canceled"):
            reason = str(event["errorText"]).removeprefix("net::")
            self.give_up(UnsupportedContent(f"the answer of {document.url} ended early ({reason})"))


def is_cut_stream(coding: str, packed: int, unpacked: int) -> bool:
    """Tell from the sizes of a packed body whether it broke off before its first byte; browsers show nothing then.

    >>> is_cut_stream("gzip", 4_096, 0), is_cut_stream("gzip", 20, 0), is_cut_stream("gzip", 4_096, 9_000)
    (True, False, False)
    """
    return packed > 0 and unpacked == 0 and packed not in EMPTY_STREAMS.get(coding, ())
