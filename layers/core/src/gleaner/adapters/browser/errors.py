"""Map Chromium's network errors to Gleaner's error tree."""

import re

from gleaner.contracts.errors import (
    BlockedAddress,
    BrowserCrashed,
    FetchTimeout,
    GleanerError,
    HeadersTooLarge,
    InvalidSettings,
    TooManyRedirects,
    UnreachableHost,
    UnsupportedContent,
)

MEANINGS: tuple[tuple[str, type[GleanerError], str], ...] = (
    ("NAME_NOT_RESOLVED", UnreachableHost, "the host name does not resolve"),
    ("TOO_MANY_REDIRECTS", TooManyRedirects, "it redirects too often"),
    ("RESPONSE_HEADERS_TOO_BIG", HeadersTooLarge, "the answer's headers are over the limit"),
    ("TIMED_OUT", FetchTimeout, "the server did not answer in time"),
    ("ABORTED", UnsupportedContent, "the answer is a download or empty, not a page"),
    ("INVALID_RESPONSE", UnreachableHost, "the server's answer is not HTTP"),
    ("INVALID_HTTP_RESPONSE", UnreachableHost, "the server's answer is not HTTP"),
    ("CONTENT_DECODING_FAILED", UnsupportedContent, "the answer can't be unpacked"),
    ("UNKNOWN_URL_SCHEME", BlockedAddress, "it leads to a URL that is not http or https"),
    ("DISALLOWED_URL_SCHEME", BlockedAddress, "it leads to a URL that is not http or https"),
    ("UNSAFE_REDIRECT", BlockedAddress, "it redirects to a URL that is not http or https"),
    ("UNSAFE_PORT", BlockedAddress, "browsers refuse this port"),
    ("BLOCKED_BY", BlockedAddress, "the page is blocked"),
    ("CERT_", UnreachableHost, "the server's certificate is not valid"),
    ("SSL_", UnreachableHost, "no secure connection could be made"),
    ("CONNECTION_REFUSED", UnreachableHost, "nothing answers there"),
    ("EMPTY_RESPONSE", UnreachableHost, "the server closed the connection without an answer"),
    ("INSUFFICIENT_RESOURCES", BrowserCrashed, "the browser ran out of resources"),
)


REFUSED_SETTINGS = ("Invalid timezone ID", "Invalid locale name")


def refused_setting(message: str) -> InvalidSettings | None:
    """Give the error of a page's settings that the browser does not take; None when it is about something else.

    >>> refused_setting("BrowserContext.new_page: Invalid timezone ID: Mars/Base")
    InvalidSettings('browser_timezone_id, browser_locale: the browser reports Invalid timezone ID: Mars/Base')
    """
    for refusal in REFUSED_SETTINGS:
        if refusal in message:
            said = message[message.index(refusal) :].splitlines()[0]
            return InvalidSettings(f"browser_timezone_id, browser_locale: the browser reports {said[:200]}")
    return None


def explain_failed_page(message: str, url: str) -> GleanerError:
    """Give the error of a page that a browser could not open or show: a setting that it refuses, else a crash."""
    return refused_setting(message) or BrowserCrashed(f"the browser failed on {url}: {message[:300]}")


def explain_navigation_error(message: str, url: str) -> GleanerError:
    """Give the error of a navigation that failed, from Playwright's message.

    >>> explain_navigation_error("Page.goto: net::ERR_CONNECTION_REFUSED at http://a.example/", "http://a.example/")
    UnreachableHost("http://a.example/ can't be reached: nothing answers there (ERR_CONNECTION_REFUSED)")
    """
    if "Download is starting" in message:
        return UnsupportedContent(f"{url} is a download, not a page")
    found = re.search(r"net::ERR_([A-Z0-9_]+)", message)
    if not found:
        return explain_other_error(message, url)
    code = found[1]
    for prefix, error, meaning in MEANINGS:
        if code.startswith(prefix) or (prefix == "TIMED_OUT" and code.endswith(prefix)):
            return error(f"{url} can't be reached: {meaning} (ERR_{code})")
    return UnreachableHost(f"{url} can't be reached (ERR_{code})")


def explain_other_error(message: str, url: str) -> GleanerError:
    """Give the error for a message of Playwright that names no network error."""
    first_line = message.strip().splitlines()[0][:300] if message.strip() else "no message"
    if "interrupted by another navigation" in message:
        return UnreachableHost(f"{url} keeps navigating elsewhere: {first_line}")
    if "invalid url" in message.lower():
        return UnsupportedContent(f"{url} is not a URL that a browser opens")
    return BrowserCrashed(f"the browser failed on {url}: {first_line}")
