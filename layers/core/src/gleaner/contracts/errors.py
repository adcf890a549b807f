"""Every error that Gleaner raises on purpose, in one tree.

::

    GleanerError
    ├── CallerError            the caller can mend it: never retried
    │   ├── InvalidRequest
    │   │   ├── InvalidSchema
    │   │   ├── InvalidSelector
    │   │   └── UnsupportedFormat
    │   ├── InvalidSettings
    │   ├── SelectorNotFound
    │   ├── ActionFailed
    │   ├── BlockedAddress
    │   ├── DisallowedByRobots
    │   ├── NotFound
    │   ├── Unauthorized
    │   └── ModelMisconfigured
    ├── PageError              the page can't be had as it is: never retried
    │   ├── HttpStatusError
    │   ├── Walled
    │   ├── UnreachableHost
    │   ├── TooManyRedirects
    │   ├── PageTooLarge
    │   ├── MediaTooLarge
    │   ├── HeadersTooLarge
    │   ├── DecompressedTooLarge
    │   ├── TooManyChunks
    │   ├── UnsupportedContent
    │   ├── LockedDocument
    │   ├── DamagedDocument
    │   ├── NoTextLayer
    │   └── FetchTimeout
    ├── BudgetExceeded         a cap of the request was reached: what was found is kept
    ├── TransientError         the same call may go through later: the state machine retries it
    │   ├── RateLimited
    │   ├── ModelUnavailable
    │   ├── BrowserCrashed
    │   ├── QueueTimeout
    │   ├── ProfileLocked
    │   ├── StoreThrottled
    │   ├── LayoutBeingRead
    │   └── WebhookFailed
    ├── ModelError             one model call gave nothing usable: recovered per chunk
    │   ├── ModelTimeout
    │   ├── PromptTooLong
    │   └── ModelRefused
    ├── StorageFull            a disk has no room: nothing is half written, and the same call goes through with room
    ├── NoData                 a result holds nothing of the class that was asked for (library)
    └── InternalError          ours to mend

The class names are the state machine's ``ErrorEquals`` names. ``error_type`` is what results, problem+json, MCP and
the CLI carry; messages name the value and what would be right.
"""

import re
from collections.abc import Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, ClassVar

from gleaner.contracts.error_types import ErrorType

if TYPE_CHECKING:  # errors alone load no Pydantic
    from gleaner.contracts.actions import ActionOutcome

MAX_MESSAGE = 2_000
"""Characters of a message: some name what a caller has sent, which may be megabytes."""


class GleanerError(Exception):
    """Root of the tree: a message for a person, and an ``error_type`` for a program."""

    http_status: ClassVar[int] = 500
    exit_code: ClassVar[int] = 70
    was_read = False
    """Whether a model's provider has read the prompt all the same, and will want money for it."""

    @property
    def error_type(self) -> ErrorType:
        """The snake_case name of the class, or of the one in this tree that it is made from: ``page_too_large``."""
        own = next(known for known in type(self).__mro__ if known.__module__ == __name__)
        return error_type_of(own.__name__)

    @property
    def message(self) -> str:
        """The text for a person, of bounded length whatever it names."""
        text = str(self)
        return text if len(text) <= MAX_MESSAGE else f"{text[:MAX_MESSAGE]}…"


def error_type_of(class_name: str) -> ErrorType:
    """Give the ``error_type`` of an error class's name, as Lambda reports it in ``errorType``.

    >>> print(error_type_of("PageTooLarge"), error_type_of("KeyError"))
    page_too_large internal_error
    """
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", class_name.rpartition(".")[2])
    return ErrorType.__members__.get(name.upper(), ErrorType.INTERNAL_ERROR)


def error_of(error_type: str, message: str) -> "GleanerError":
    """Give the error that a stored ``error_type`` stands for; InternalError for one that has no class.

    >>> type(error_of("page_too_large", "11 MB")).__name__
    'PageTooLarge'
    """
    named = (known for name, known in error_classes().items() if error_type_of(name) == error_type)
    return next(named, InternalError)(message)


def error_classes() -> dict[str, type["GleanerError"]]:
    """Give every class of the tree by its name."""
    classes: list[type[GleanerError]] = [GleanerError]
    for known in classes:
        classes += known.__subclasses__()
    return {known.__name__: known for known in classes}


class CallerError(GleanerError):
    """The request can't be served as it is; the caller can correct it."""

    http_status = 400
    exit_code = 2


class InvalidRequest(CallerError):
    """A field of the request is unknown, missing or out of range."""

    http_status = 422


class InvalidSchema(InvalidRequest):
    """The output schema is not a valid JSON Schema."""


class InvalidSelector(InvalidRequest):
    """The CSS selector does not parse."""


class UnsupportedFormat(InvalidRequest):
    """Gleaner does not offer this format."""


class InvalidSettings(CallerError):
    """A setting of this installation is unknown or out of range."""

    exit_code = 78


class SelectorNotFound(CallerError):
    """The CSS selector matches nothing on the page."""

    http_status = 422


class ActionFailed(CallerError):
    """An action of the request can't be done, or led where no page is; the message names the step."""

    http_status = 422

    def __init__(self, message: str, outcomes: "Sequence[ActionOutcome]" = (), screenshot: bytes | None = None) -> None:
        super().__init__(message)
        self.outcomes = tuple(outcomes)
        self.screenshot = screenshot


class BlockedAddress(CallerError):
    """The URL leads to an address that Gleaner may not reach (SS-1)."""

    http_status = 403
    exit_code = 77


class DisallowedByRobots(CallerError):
    """The host's robots.txt forbids this page, and the batch respects it."""

    http_status = 403
    exit_code = 77


class NotFound(CallerError):
    """No such job, page, strategy or extraction for this tenant."""

    http_status = 404


class Unauthorized(CallerError):
    """The token is missing, unknown, revoked or over its rate."""

    http_status = 401
    exit_code = 77


class ModelMisconfigured(CallerError):
    """The provider refuses the model's name, credentials or endpoint."""

    http_status = 424
    exit_code = 78


class PageError(GleanerError):
    """The page can't be fetched as it is."""

    http_status = 502
    exit_code = 69


class HttpStatusError(PageError):
    """The server answered with an error status; ``retry_after`` is the seconds that it asks to wait, if it says so."""

    retry_after: float | None = None


class Walled(PageError):
    """A bot protection answered in place of the page; the message says whose, and what was seen."""


NO_PAGE = (HTTPStatus.NO_CONTENT, HTTPStatus.RESET_CONTENT)


def status_error(url: str, status: int, retry_after: float | None = None) -> PageError:
    """Give the error for an error status, or for one that comes without a page, with the status's name.

    ``retry_after`` is the seconds after which the server wants to be asked again.

    >>> str(status_error("https://e.example/", 404))
    'https://e.example/ answered 404 Not Found'
    """
    name = HTTPStatus(status).phrase if status in {known.value for known in HTTPStatus} else ""
    if status in NO_PAGE:
        return UnsupportedContent(f"{url} answered {status} {name}".rstrip())
    asked = f"; it asks to be left alone for {retry_after:.0f} s" if retry_after else ""
    error = HttpStatusError(f"{url} answered {status} {name}".rstrip() + asked)
    error.retry_after = retry_after
    return error


def raise_for_status(url: str, status: int, retry_after: float | None = None) -> None:
    """Raise HttpStatusError for an error status (400 and up), UnsupportedContent for one that comes without a page."""
    if status >= HTTPStatus.BAD_REQUEST or status in NO_PAGE:
        raise status_error(url, status, retry_after)


class UnreachableHost(PageError):
    """The host name does not resolve, or the host does not answer."""


class TooManyRedirects(PageError):
    """The URL redirects more often than the limit."""


class PageTooLarge(PageError):
    """The page is larger than ``max_page_size``."""


class MediaTooLarge(PageError):
    """The file is larger than ``max_media_size``."""


class HeadersTooLarge(PageError):
    """The answer's headers are larger than the limit."""


class DecompressedTooLarge(PageError):
    """The decompressed answer is larger than the limit."""


class TooManyChunks(PageError):
    """The page needs more chunks than ``max_chunks``."""


class UnsupportedContent(PageError):
    """The answer is neither a page nor media."""


class LockedDocument(PageError):
    """The document opens only with a password."""


class DamagedDocument(PageError):
    """The document is damaged, or is not of the type that it claims."""


class NoTextLayer(PageError):
    """The document has no text: it is a scan, or holds drawings alone."""


class FetchTimeout(PageError):
    """The server, or the page in the browser, took longer than the limit."""

    http_status = 504


class BudgetExceeded(GleanerError):
    """A limit of the request's budget was reached."""

    http_status = 402
    exit_code = 75


class TransientError(GleanerError):
    """The same call may succeed later."""

    http_status = 503
    exit_code = 75


class RateLimited(TransientError):
    """The provider asks for fewer requests; ``retry_after`` is the seconds to wait, if it says so."""

    http_status = 429

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ModelUnavailable(TransientError):
    """The provider is down or answers with a server error; ``was_read`` if it has read the prompt."""

    def __init__(self, message: str, *, was_read: bool = False) -> None:
        super().__init__(message)
        self.was_read = was_read


class BrowserCrashed(TransientError):
    """The browser crashed or hangs; a new one may succeed."""


class QueueTimeout(TransientError):
    """No browser worker was free in time."""


class ProfileLocked(TransientError):
    """The master profile is in use."""


class StoreThrottled(TransientError):
    """The table, the blob store or another AWS service asks for fewer requests."""


class LayoutBeingRead(TransientError):
    """Another job is reading a page of this layout; its recipe may answer this page."""


class WebhookFailed(TransientError):
    """A webhook was not accepted: no answer, or another status than 200 to 299."""


class StorageFull(GleanerError):
    """The disk that data, a file or the browser's folder is written to is full."""

    http_status = 507
    exit_code = 74


class ModelError(GleanerError):
    """One model call gave no usable answer."""

    http_status = 502
    exit_code = 69
    was_read = True


class ModelTimeout(ModelError):
    """The model did not answer in time."""


class PromptTooLong(ModelError):
    """The prompt is longer than the model, or its server, takes: it is asked about in parts."""

    was_read = False


class ModelRefused(ModelError):
    """The model declined to answer."""


class NoData(GleanerError):
    """The result holds no object of the class that was asked for; the message says why."""

    http_status = 502
    exit_code = 69


class InternalError(GleanerError):
    """There is a bug in Gleaner."""
