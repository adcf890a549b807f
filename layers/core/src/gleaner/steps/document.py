"""Read a document: turn a stored PDF, or a file that is at hand, into a page like any other."""

import time
from http import HTTPStatus
from mimetypes import guess_type
from urllib.parse import urlsplit

from gleaner.contracts.errors import PageTooLarge, UnsupportedContent
from gleaner.contracts.media import file_of, sniff
from gleaner.contracts.models import MediaPayload
from gleaner.contracts.ports import FetchedPage, JsonObject, Services
from gleaner.contracts.settings import LimitSettings
from gleaner.contracts.text_types import is_text, looks_like_text
from gleaner.documents.reading import DocumentLimits, read_document
from gleaner.html.decoding.decode import decode_html
from gleaner.html.links import page_links
from gleaner.jobs.blob_texts import read_json
from gleaner.jobs.pages import StoredPage
from gleaner.jobs.places import pages_of, plan_of
from gleaner.steps.deadline import before_deadline
from gleaner.steps.probe import PREFIX, page_of


def read_stored_document(event: JsonObject, services: Services) -> JsonObject:
    """Take ``{job}``; store the text of its document as a snapshot; give ``{page_id}``. One that is there is kept.

    LockedDocument, DamagedDocument or NoTextLayer end the job.
    """
    plan = plan_of(event, services)
    pages = pages_of(plan, services)
    if pages.exists(plan.page_id):
        return {"page_id": plan.page_id}
    stored = read_json(services.blobs, plan.ref.key("document.json"))
    source_url = str(stored["source_url"])
    body = services.blobs.read(MediaPayload.model_validate(stored["payload"]).key)
    with before_deadline(plan) as ends_at:
        page, html = document_page(body, (plan.page_id, str(plan.request.url), source_url), services, ends_at)
    pages.store(page, html)
    return {"page_id": plan.page_id}


def file_page(body: bytes, names: tuple[str, str, str], services: Services) -> tuple[StoredPage, str]:
    """Read a file as a page: a PDF, or what would be read as a page if a server sent it. Nothing is fetched for it.

    ``names`` are as in `document_page`; the last one's ending says what a text is. A PDF, and all that is named as one,
    raises what that does; anything else PageTooLarge, or UnsupportedContent if it is neither a page nor a text.
    """
    page_id, url, source_url = names
    path = urlsplit(source_url).path
    if file_of(body) == "PDF" or path.lower().endswith(".pdf"):
        return document_page(body, names, services)
    limit = services.settings.limits.max_page_size
    if len(body) > limit:
        raise PageTooLarge(f"{source_url} has {len(body):,} bytes; max_page_size is {limit:,}")
    if not body.strip():
        raise UnsupportedContent(f"{source_url} is empty")
    mime = guess_type(path)[0] or ""
    if not (mime and is_text(mime)) and not looks_like_text(body):
        kind = sniff(body[:PREFIX]) or mime or "of no known type"
        raise UnsupportedContent(f"{source_url} is {kind}; of files, PDFs and texts are read")
    fetched = FetchedPage(source_url, HTTPStatus.OK, {"content-type": mime}, body, decode_html(body))
    return page_of(page_id, url, fetched)


def document_page(
    body: bytes, names: tuple[str, str, str], services: Services, ends_at: float | None = None
) -> tuple[StoredPage, str]:
    """Read a PDF; give what is known of its page, and its HTML.

    ``names`` are the page's id, the URL that was asked for and the one that gave the document.
    """
    page_id, url, source_url = names
    document = read_document(body, source_url, _limits(services.settings.limits, ends_at))
    page = StoredPage(
        page_id=page_id,
        url=url,
        source_url=source_url,
        status=200,
        links=tuple(page_links(document.html, source_url)),
        warnings=(*document.warnings, *([document.cut_short[1]] if document.cut_short else [])),
        cut_short=document.cut_short,
        document_pages=document.pages,
    )
    return page, document.html


def _limits(limits: LimitSettings, ends_at: float | None) -> DocumentLimits:
    seconds = limits.document_timeout_s if ends_at is None else min(limits.document_timeout_s, ends_at - time.time())
    return DocumentLimits(limits.max_document_pages, seconds, limits.max_document_memory, limits.max_page_size)
