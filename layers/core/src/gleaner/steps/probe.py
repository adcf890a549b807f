"""Probe: find out whether the URL is media or a page, and fetch what needs no browser."""

import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from http import HTTPStatus

from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import (
    ActionFailed,
    DecompressedTooLarge,
    GleanerError,
    PageTooLarge,
    UnsupportedContent,
    raise_for_status,
    status_error,
)
from gleaner.contracts.media import MediaProbe, MediaVerdict, archive_of, classify, sniff, total_size
from gleaner.contracts.models import MediaPayload
from gleaner.contracts.ports import FetchedPage, JsonObject, Services
from gleaner.contracts.text_types import essence_of, is_shown_by_no_browser, is_text, looks_like_html, looks_like_text
from gleaner.html.decoding.truncation import cut_off
from gleaner.html.documents import refresh_target, with_frames, xhtml_as_html
from gleaner.html.links import page_links
from gleaner.html.style_hiding import mark_hidden_by_styles
from gleaner.html.typed.mail import Mail, read_mail
from gleaner.html.typed.typed_data import MAILS, data_as_html, kind_of_data
from gleaner.html.typed.xml_data import is_xml_data
from gleaner.jobs.blob_texts import write_json
from gleaner.jobs.jobs import JobRef, Plan
from gleaner.jobs.pages import Pages, StoredPage, page_id_of
from gleaner.jobs.places import pages_of, plan_of, reached_through
from gleaner.sites.busy_hosts import Patience, asked_wait_s
from gleaner.sites.header_links import with_next_page
from gleaner.sites.unread_frames import unread_frames
from gleaner.sites.walls import wall_of
from gleaner.steps.deadline import before_deadline
from gleaner.steps.media_payload import data_uri

_PDF = "application/pdf"
DOCUMENTS = (_PDF, "application/x-pdf")
"""Types of files that can be read as pages."""

PREFIX = 4_096
"""Bytes of a body that tell what it is."""


def probe_media(event: JsonObject, services: Services) -> JsonObject:
    """Take ``{job}``; give ``{kind}``: what comes next.

    ``media``: stored, and the result; ``document``: stored, to be read as a page; ``snapshot``: a page that was
    fetched without a browser; ``page``: to be rendered.
    """
    plan = plan_of(event, services)
    services = reached_through(plan.request.proxy, services)
    if pages_of(plan, services).exists(plan.page_id):
        return {"kind": "snapshot"}
    for kind in ("media", "document"):
        if services.blobs.exists(plan.ref.key(f"{kind}.json")):
            return {"kind": kind}
    with before_deadline(plan) as ends_at:
        return {"kind": _kind(plan, services, ends_at)}


def _kind(plan: Plan, services: Services, ends_at: float | None) -> str:
    pages = pages_of(plan, services)
    last = pages.latest(plan.page_name) if plan.page_name is not None else None
    is_media, fetched = _look(plan, services, ends_at, last.validators if last is not None else {})
    if last is not None and fetched is not None and fetched.status == HTTPStatus.NOT_MODIFIED:
        pages.store(replace(last, page_id=plan.page_id, timings_ms={}), pages.html(last.page_id))
        return _remembered(plan, services)
    if is_media and plan.actions:
        raise ActionFailed(f"step 1, {plan.actions[0]}: {plan.request.url} is a file, not a page")
    if is_media:
        return _store_media(plan, services, ends_at)
    if plan.request.enable_javascript and fetched is None:
        return "page"
    fetched = fetched or _fetched(str(plan.request.url), services, ends_at)
    store_page(plan.ref, str(plan.request.url), fetched, services, ends_at)
    return _remembered(plan, services)


def _remembered(plan: Plan, services: Services) -> str:
    """Keep the page as the last one of its name, where its next visit can ask whether it has changed."""
    pages = pages_of(plan, services)
    if plan.page_name is not None and pages.read(plan.page_id).validators:
        pages.remember(plan.page_name, plan.page_id)
    return "snapshot"


def _look(
    plan: Plan, services: Services, ends_at: float | None, known: Mapping[str, str]
) -> tuple[bool, FetchedPage | None]:
    """Tell whether the URL gives media; data is fetched here. Status 304: the page is as ``known``.

    Browsers show XML and JSON as their source and have no page for CSV. A picture of it only they can give.
    """
    if not plan.request.enable_javascript:
        with suppress(PageTooLarge, DecompressedTooLarge):  # no page, but it may be media, whose limit is another
            fetched = _fetched(str(plan.request.url), services, ends_at, known)
            verdict = classify(fetched.url, fetched.status, fetched.headers, fetched.body[:PREFIX])
            return _is_file(verdict, fetched.status, fetched.body[:PREFIX], plan), fetched
    with suppress(UnsupportedContent):  # what plain HTTP can't read, a browser may
        url = str(plan.request.url)
        probed = Patience(ends_at).fetched(lambda: services.fetcher.probe(url, ends_at=ends_at, known=known))
        wait_s = asked_wait_s(probed.status, probed.headers, time.time())
        if wait_s is not None and ends_at is not None and time.time() + wait_s >= ends_at:
            raise_for_status(probed.url, probed.status, wait_s)  # a browser would be stopped by the time alone
        if known and probed.status == HTTPStatus.NOT_MODIFIED:
            return False, FetchedPage(probed.url, probed.status, probed.headers, b"", "")
        is_file = _is_file(probed.verdict, probed.status, probed.prefix, plan)
        if plan.actions or plan.session is not None:  # plain HTTP does not see what the browser will
            return is_file, None
        if not is_file and probed.status < HTTPStatus.BAD_REQUEST and archive_of(probed.prefix):
            return False, services.fetcher.fetch(probed.url, ends_at=ends_at)  # a browser would show it as a text
        is_read = probed.is_media or (not plan.request.pictures and _is_data(probed))
        return is_file, services.fetcher.fetch(probed.url, ends_at=ends_at) if is_read and not is_file else None
    return False, None


def _is_file(verdict: MediaVerdict, status: int, prefix: bytes, plan: Plan) -> bool:
    """Tell whether an answer is stored as a file: media, and a PDF whatever its server calls it.

    A text that is sent to be saved is a page to requests that read documents.
    """
    if not verdict.is_media:
        return status < HTTPStatus.BAD_REQUEST and sniff(prefix) == _PDF
    mime = verdict.mime or ""
    is_saved_text = is_text(mime) and not mime.startswith("image/") and looks_like_text(prefix)
    return not (is_saved_text and plan.request.reads_documents)


def _fetched(
    url: str, services: Services, ends_at: float | None, known: Mapping[str, str] | None = None
) -> FetchedPage:
    return Patience(ends_at).fetched(lambda: services.fetcher.fetch(url, ends_at=ends_at, known=known))


def _followed(fetched: FetchedPage, services: Services, ends_at: float | None) -> FetchedPage:
    """Follow a page that sends its visitor on, as browsers do: each hop is checked, and bounded as redirects are."""
    seen = {fetched.url}
    for _ in range(services.settings.limits.max_redirects):
        target = refresh_target(fetched.text, fetched.url) if is_page(fetched) else ""
        if not target or target in seen:
            return fetched
        seen.add(target)
        fetched = services.fetcher.fetch(target, ends_at=ends_at)
    return fetched


def is_page(fetched: FetchedPage) -> bool:
    """Tell whether an answer is a page in HTML."""
    return fetched.status < HTTPStatus.BAD_REQUEST and _is_markup(_mime_of(fetched), fetched.text)


def _frame(url: str, services: Services, ends_at: float | None) -> str:
    """Give the HTML of a frame; "" for one that is refused, fails or is no page."""
    with suppress(GleanerError):
        fetched = services.fetcher.fetch(url, ends_at=ends_at)
        return fetched.text if is_page(fetched) else ""
    return ""


def _is_data(probed: MediaProbe) -> bool:
    content_type = probed.headers.get("content-type", "")
    is_typed = is_shown_by_no_browser(content_type) or bool(kind_of_data(content_type, probed.url))
    is_typed = is_typed or (not is_text(content_type) and looks_like_text(probed.prefix))
    return is_typed or is_xml_data(probed.prefix.decode("utf-8", "replace"))


def _store_media(plan: Plan, services: Services, ends_at: float | None) -> str:
    """Store a file, and what is known of it; tell whether it is the result, or a document to be read."""
    media = services.fetcher.download(str(plan.request.url), ends_at=ends_at)
    is_pdf = sniff(media.body[:PREFIX]) == _PDF and not media.mime.startswith(("image/", "video/", "audio/"))
    mime = _PDF if is_pdf else media.mime
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", media.filename or "media").strip(".")[:100] or "media"
    key = f"media/{plan.ref.tenant}/{plan.page_id}/{name}"
    services.blobs.write(key, media.body, mime)
    payload = MediaPayload(
        screenshot_mime=mime,
        screenshot_base64=data_uri(media.body, mime, services.settings.limits.max_inline_media),
        key=key,
        url=services.blobs.url(key),
        size=len(media.body),
        filename=media.filename,
    )
    described = {"source_url": media.url, "payload": payload.model_dump(mode="json", by_alias=True)}
    kind = "document" if mime in DOCUMENTS and plan.request.reads_documents else "media"
    write_json(services.blobs, plan.ref.key(f"{kind}.json"), described)
    return kind


def store_page(
    ref: JobRef,
    url: str,
    fetched: FetchedPage,
    services: Services,
    ends_at: float | None = None,
    *,
    warnings: tuple[str, ...] = (),
) -> str:
    """Store what a job has fetched for a URL as the snapshot of its page, and give that page's id.

    Walled, HttpStatusError or UnsupportedContent when it is no page.
    """
    fetched = _followed(fetched, services, ends_at)
    if wall := wall_of(fetched.url, fetched.status, fetched.headers, fetched.text):
        raise wall
    raise_for_status(fetched.url, fetched.status, asked_wait_s(fetched.status, fetched.headers, time.time()))
    if fetched.status >= HTTPStatus.MULTIPLE_CHOICES and not fetched.body:  # a redirect to nowhere
        raise status_error(fetched.url, fetched.status)
    page, html = page_of(page_id_of(ref, url), url, fetched, lambda frame: _frame(frame, services, ends_at))
    Pages(services.blobs, ref).store(replace(page, warnings=(*warnings, *page.warnings)), html)
    return page.page_id


def page_of(
    page_id: str, url: str, fetched: FetchedPage, read_frame: Callable[[str], str] | None = None
) -> tuple[StoredPage, str]:
    """Give what is known of the page that an answer holds, and its HTML with that of its frames.

    ``read_frame`` gives the HTML of an address, or ""; without it frames stay unread. UnsupportedContent when the
    answer is no page.
    """
    html, mail = _read(fetched)
    whole = with_frames(html, fetched.url, read_frame) if read_frame is not None else html
    is_known = whole == html and fetched.url == url and not cut_off(html)
    names = ("etag", "last-modified") if is_known else ()
    validators = {name: fetched.headers[name] for name in names if fetched.headers.get(name)}
    if mail is None and _is_markup(_mime_of(fetched), fetched.text):
        whole = with_next_page(whole, fetched.url, fetched.headers.get("link", ""))
    html = mark_hidden_by_styles(whole)
    part = _part_of(fetched) or (f"{fetched.url} ends within a part of the mail" if mail and mail.is_cut_off else "")
    page = StoredPage(
        *(page_id, url, fetched.url, fetched.status),
        links=tuple(page_links(html, fetched.url)),
        warnings=(*([part] if part else []), *unread_frames(html, fetched.url), *(mail.warnings if mail else ())),
        cut_short=(ErrorType.UNSUPPORTED_CONTENT, part) if part else None,
        validators={} if part else validators,
    )
    return page, html


def _read(fetched: FetchedPage) -> tuple[str, Mail | None]:
    """Give the HTML of a page, or of a mail, data or text made into one; with what is known of the mail.

    UnsupportedContent when it is none of these.
    """
    mime = _mime_of(fetched)
    if kind := archive_of(fetched.body):
        raise UnsupportedContent(
            f"{fetched.url} is {mime or 'of no known type'} by its header, and its bytes are {kind}; "
            "of files, PDFs and texts are read"
        )
    if not fetched.text and fetched.body and not is_text(mime):
        raise UnsupportedContent(f"{fetched.url} is {mime or 'of no known type'}: neither a page nor media")
    mail = read_mail(fetched.body) if kind_of_data(mime, fetched.url) in MAILS else None
    if mail is not None and not mail.html:
        raise UnsupportedContent(f"{fetched.url} is a mail without a text; {''.join(mail.warnings) or 'it is empty'}")
    is_markup = mail is None and _is_markup(mime, fetched.text)
    html = mail.html if mail else fetched.text if is_markup else _text_as_html(fetched, mime)
    return xhtml_as_html(html) if "xhtml" in mime else html, mail


def _part_of(fetched: FetchedPage) -> str:
    """Say that a server sent a part of a page to a request that asked for all of it; "" where it sent all."""
    size = total_size(fetched.headers) if fetched.status == HTTPStatus.PARTIAL_CONTENT else None
    is_whole = size is None or "content-encoding" in fetched.headers or size <= len(fetched.body)
    return "" if is_whole else f"{fetched.url} was sent in part: {len(fetched.body)} of {size} bytes"


def _is_markup(mime: str, text: str) -> bool:
    if "html" in mime or is_xml_data(text) or ("<html" in text[:2_000] and not kind_of_data(mime, "")):
        return True
    if not mime:  # as browsers look at what names no type
        return text.lstrip("\ufeff \t\r\n").startswith("<")
    return not is_text(mime) and looks_like_html(text)


def _mime_of(fetched: FetchedPage) -> str:
    return essence_of(fetched.headers.get("content-type", ""))


def _text_as_html(fetched: FetchedPage, mime: str) -> str:
    return data_as_html(fetched.text, mime, fetched.url, fetched.headers.get("link", "")) or as_html(fetched.text)


def as_html(text: str) -> str:
    """Wrap plain text so that it reads as a page."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"<!doctype html><html><body><pre>{escaped}</pre></body></html>"
