"""Serve the playground's files, locally and in the cloud (UI-1)."""

import mimetypes
from pathlib import Path
from urllib.parse import urlsplit

from gleaner.contracts.ports import BlobStore

WEB = Path(__file__).parents[1] / "web"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'{more}; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)


def web_file(path: str) -> Path | None:
    """Give the playground's file for a path, None when there is none.

    >>> web_file("/").name, web_file("/../settings.py")
    ('index.html', None)
    """
    name = path.lstrip("/") or "index.html"
    if "/" in name or name.startswith(".") or not (WEB / name).is_file():
        return None
    return WEB / name


def origin_of_blobs(blobs: BlobStore) -> str:
    """Give where answers that are too large for Lambda are read from: the bucket's origin; "" for files."""
    address = urlsplit(blobs.url("answers/any"))
    return f"{address.scheme}://{address.netloc}" if address.netloc else ""


def file_headers(file: Path, large_answers_from: str = "") -> dict[str, str]:
    """Give the headers of a file of the playground: it may load nothing from elsewhere but large answers."""
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    policy = POLICY.format(more=f" {large_answers_from}" if large_answers_from else "")
    charset = "; charset=utf-8" if kind.startswith("text/") or kind.endswith("javascript") else ""
    return {"content-type": kind + charset, "content-security-policy": policy, "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer"}  # fmt: skip
