"""Decide whether a URL is media or a page (ME-1; seed 004, section 3.2)."""

import base64
import contextlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, cast
from urllib.parse import unquote, unquote_to_bytes, urlsplit

from gleaner.contracts.text_types import looks_like_text

HeaderValue: TypeAlias = "str | bytes | Sequence[str] | None"
Headers: TypeAlias = "Mapping[str, HeaderValue] | Mapping[bytes, HeaderValue] | Iterable[tuple[str, HeaderValue]]"
"""Headers as a mapping or as pairs; names in any case, values possibly lists."""

MIME_BY_EXTENSION: Mapping[str, str] = {
    "png": "image/png", "apng": "image/apng", "jpg": "image/jpeg", "jpeg": "image/jpeg", "jpe": "image/jpeg",
    "jfif": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "avif": "image/avif", "bmp": "image/bmp",
    "ico": "image/x-icon", "svg": "image/svg+xml", "tif": "image/tiff", "tiff": "image/tiff", "heic": "image/heic",
    "heif": "image/heif", "jxl": "image/jxl", "jp2": "image/jp2", "psd": "image/vnd.adobe.photoshop",
    "mp4": "video/mp4", "m4v": "video/mp4", "webm": "video/webm", "mkv": "video/x-matroska",
    "mov": "video/quicktime", "avi": "video/x-msvideo", "wmv": "video/x-ms-wmv", "flv": "video/x-flv",
    "mpg": "video/mpeg", "mpeg": "video/mpeg", "m2ts": "video/mp2t", "ts": "video/mp2t", "3gp": "video/3gpp",
    "3g2": "video/3gpp2", "ogv": "video/ogg",
    "mp3": "audio/mpeg", "m4a": "audio/mp4", "aac": "audio/aac", "wav": "audio/wav", "ogg": "audio/ogg",
    "oga": "audio/ogg", "opus": "audio/ogg", "flac": "audio/flac", "weba": "audio/webm", "wma": "audio/x-ms-wma",
    "aif": "audio/aiff", "aiff": "audio/aiff", "mid": "audio/midi", "midi": "audio/midi", "amr": "audio/amr",
    "m4b": "audio/mp4", "mka": "audio/x-matroska", "svgz": "image/svg+xml", "asf": "video/x-ms-asf",
    "pdf": "application/pdf",
}  # fmt: skip
"""Known media extensions, without the dot, and the types that they stand for."""

OCTET_STREAM = "application/octet-stream"
BYTES_OF_ANY_KIND = frozenset((OCTET_STREAM, "binary/octet-stream", "application/x-octet-stream"))
"""Octet-stream, and how S3 and old servers spell it."""

SILENT_TYPES = frozenset(("unknown/unknown", "application/unknown", "*/*"))
"""Types that say nothing: the MIME sniffing standard looks at the bytes for them, too."""

# Patterns of the WHATWG MIME sniffing standard, and the signatures of formats it leaves out.
MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (8, b"WEBPVP", "image/webp"),
    (0, b"\x00\x00\x01\x00", "image/x-icon"),
    (0, b"\x00\x00\x02\x00", "image/x-icon"),
    (0, b"II*\x00", "image/tiff"),
    (0, b"MM\x00*", "image/tiff"),
    (0, b"\x00\x00\x00\x0cJXL \r\n\x87\n", "image/jxl"),
    (0, b"\xff\x0a", "image/jxl"),
    (0, b"\x00\x00\x00\x0cjP  \r\n\x87\n", "image/jp2"),
    (0, b"8BPS\x00", "image/vnd.adobe.photoshop"),
    (0, b"\x1aE\xdf\xa3", "video/webm"),
    (0, b"OggS\x00", "application/ogg"),
    (0, b"ID3\x02", "audio/mpeg"),
    (0, b"ID3\x03", "audio/mpeg"),
    (0, b"ID3\x04", "audio/mpeg"),
    (0, b"fLaC", "audio/flac"),
    (0, b"MThd\x00\x00\x00\x06", "audio/midi"),
    (0, b"FLV\x01", "video/x-flv"),
    (0, b"\x00\x00\x01\xba", "video/mpeg"),
    (0, b"\x00\x00\x01\xb3", "video/mpeg"),
    (0, b"0&\xb2u\x8ef\xcf\x11", "video/x-ms-asf"),
    (0, b"#!AMR", "audio/amr"),
    (8, b"WAVE", "audio/wav"),
    (8, b"AVI ", "video/x-msvideo"),
    (8, b"AIFF", "audio/aiff"),
    (8, b"AIFC", "audio/aiff"),
)
_ARCHIVES: Mapping[str, bytes] = {
    "ZIP": b"PK\x03\x04", "gzip": b"\x1f\x8b\x08", "7-Zip": b"7z\xbc\xaf\x27\x1c", "RAR": b"Rar!\x1a\x07",
    "xz": b"\xfd7zXZ\x00", "Zstandard": b"\x28\xb5\x2f\xfd",
    "RTF": b"{\\rtf1", "PostScript": b"%!PS-Adobe",
    "an Office file of before 2007": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
}  # fmt: skip
"""Archives, and files of programs that write no page, some of them in letters that read as a text."""
_BLANKS = b" \t\r\n\xef\xbb\xbf"
LONGEST_SNIFFED = 1_024
"""Bytes of a body in which a file's signature may begin."""

BRANDS: Mapping[bytes, str] = {
    **dict.fromkeys((b"avif", b"avis"), "image/avif"),
    **dict.fromkeys((b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx"), "image/heic"),
    **dict.fromkeys((b"M4A ", b"M4B "), "audio/mp4"),
    b"qt  ": "video/quicktime",
}
"""Brands of ISO media files that are no MP4 video."""

ANY_IMAGE = (b"mif1", b"msf1")
"""Major brands of an image of any coding: the brands that it is compatible with tell which."""

_ESSENCE = re.compile(r"[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+*-]+")
_PARAMETER = re.compile(r";\s*([^\s=;]+)\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^;]*))")
_ENCODED_WORD = re.compile(r"=\?([\w-]+)\?([BbQq])\?([^?]*)\?=")
_SVG = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*|<!DOCTYPE svg[^>]*>\s*)*<svg[\s>]", re.DOTALL
)
MAX_FILENAME = 200


@dataclass(frozen=True, slots=True)
class MediaVerdict:
    """Media or page, the type, why, and the file name if the answer or the path gives one. True when it is media."""

    is_media: bool
    mime: str | None
    reason: str
    filename: str | None = None

    @property
    def kind(self) -> Literal["media", "page"]:
        """The verdict in a word."""
        return "media" if self.is_media else "page"

    def __bool__(self) -> bool:
        return self.is_media


@dataclass(frozen=True, slots=True)
class MediaProbe:
    """What a probe saw: final URL, status, headers, the verdict, the first bytes, and the whole size if stated."""

    url: str
    status: int
    headers: Mapping[str, str]
    verdict: MediaVerdict
    prefix: bytes = b""
    size: int | None = None

    @property
    def is_media(self) -> bool:
        """The verdict."""
        return self.verdict.is_media

    @property
    def kind(self) -> Literal["media", "page"]:
        """The verdict in a word."""
        return self.verdict.kind

    @property
    def mime(self) -> str | None:
        """The type."""
        return self.verdict.mime

    @property
    def filename(self) -> str | None:
        """The file name, if known."""
        return self.verdict.filename

    def __bool__(self) -> bool:
        return self.is_media


class Prober(Protocol):
    """Whatever can look at the beginning of a URL's answer."""

    def probe(self, url: str) -> MediaProbe:
        """Give headers, first bytes and verdict."""
        ...


def classify(url: str, status: int, headers: Headers, body_prefix: bytes = b"") -> MediaVerdict:
    """Say whether an answer is media or a page (ME-1).

    An attachment is media; so are the types image/, video/, audio/ and application/pdf; octet-stream only with a
    media extension in the URL's path. Where the type is missing or says nothing, the first bytes decide. An error
    status is a page.

    >>> classify("https://a.example/x", 200, {"Content-Type": "Image/PNG; q=1"}).mime
    'image/png'
    >>> classify("https://a.example/x.mp4?y=1", 200, {"content-type": "application/octet-stream"}).kind
    'media'
    >>> classify("https://a.example/x?y=1.mp4", 200, {"content-type": "application/octet-stream"}).kind
    'page'
    """
    fields = _lower_names(headers)
    mime = _essence(fields.get("content-type", []))
    disposition = "; ".join(fields.get("content-disposition", []))
    by_path = MIME_BY_EXTENSION.get(_path_extension(url))
    by_bytes = sniff(body_prefix)
    if mime and mime.startswith("text/") and by_bytes and by_bytes != "image/svg+xml" and _is_binary(body_prefix):
        mime = None  # a text has no such bytes: the server does not know what it sends
    found, reason = _decide(status, mime, disposition, by_path, by_bytes)
    if not found:
        return MediaVerdict(False, mime, reason)
    return MediaVerdict(True, found, reason, filename_of(url, disposition))


def _decide(
    status: int, mime: str | None, disposition: str, by_path: str | None, by_bytes: str | None
) -> tuple[str | None, str]:
    if status >= 400 or status in (204, 205, 304):
        return None, f"status {status}"
    is_bytes = mime in BYTES_OF_ANY_KIND
    if _is_attachment(disposition):
        named = None if is_bytes else mime
        return named or by_path or by_bytes or OCTET_STREAM, "Content-Disposition: attachment"
    if mime is None:
        return by_bytes, "first bytes" if by_bytes else "no Content-Type, and no media in the first bytes"
    if mime.startswith(("image/", "video/", "audio/")) or mime == "application/pdf":
        return mime, f"Content-Type: {mime}"
    if is_bytes and by_path:
        return by_path, "octet-stream with a media extension"
    return None, f"Content-Type: {mime}"


def _lower_names(headers: Headers) -> dict[str, list[str]]:
    pairs = cast(
        "Iterable[tuple[str | bytes, HeaderValue]]", headers.items() if isinstance(headers, Mapping) else headers
    )
    fields: dict[str, list[str]] = {}
    for name, value in pairs:
        if value is None:  # a header that some clients list without one
            continue
        values = [value] if isinstance(value, str | bytes) else value
        texts = [_text(part) for part in values]
        fields.setdefault(_text(name).strip().lower(), []).extend(texts)
    return fields


def _text(part: str | bytes) -> str:
    return part.decode("latin-1") if isinstance(part, bytes) else str(part)


def _essence(values: Sequence[str]) -> str | None:
    # Several Content-Type values: the last valid one counts (WHATWG fetch, "extract a MIME type").
    for part in reversed(",".join(values).split(",")):
        essence = part.partition(";")[0].strip().lower()
        if _ESSENCE.fullmatch(essence) and essence not in SILENT_TYPES:
            return essence
    return None


def _is_attachment(disposition: str) -> bool:
    outside_quotes = re.sub(r'"(?:[^"\\]|\\.)*"?', "", disposition)
    return any(part.strip().lower() == "attachment" for part in re.split("[;,]", outside_quotes))


def _path_extension(url: str) -> str:
    name = _last_segment(url)
    return name.rpartition(".")[2].lower() if "." in name else ""


def _last_segment(url: str) -> str:
    try:
        path = urlsplit(url).path
    except ValueError:
        return ""
    return unquote(path.rpartition("/")[2].partition(";")[0])


def sniff(prefix: bytes) -> str | None:
    """Give the media type that the first bytes show, or None.

    >>> sniff(b"%PDF-1.7"), sniff(b"\\r\\n%PDF-1.7"), sniff(b"<html>")
    ('application/pdf', 'application/pdf', None)
    """
    if _begins_as_pdf(prefix):
        return "application/pdf"
    if prefix[4:8] == b"ftyp":
        return _of_brand(prefix)
    if prefix[:2] == b"BM" and not prefix[6:10].strip(b"\0"):  # reserved bytes: a text may begin so, too
        return "image/bmp"
    for offset, pattern, mime in MAGIC:
        if prefix.startswith(pattern, offset) and (offset == 0 or prefix[:4] in (b"RIFF", b"FORM")):
            return _refine(mime, prefix)
    if len(prefix) > 3 and prefix[0] == 0xFF and prefix[1] & 0xE6 == 0xE2 and prefix[2] >> 4 not in (0, 15):
        return "audio/mpeg"  # an MPEG audio frame, layer III
    if len(prefix) > 3 and prefix[0] == 0xFF and prefix[1] & 0xF6 == 0xF0:
        return "audio/aac"  # an ADTS frame
    return "image/svg+xml" if _SVG.match(prefix[:4_096]) else None


def _is_binary(prefix: bytes) -> bool:
    return _begins_as_pdf(prefix) or not looks_like_text(prefix)


def _begins_as_pdf(prefix: bytes) -> bool:
    """Tell whether a PDF begins here; some servers send blank lines or a mark of byte order ahead of it."""
    return prefix[:LONGEST_SNIFFED].lstrip(_BLANKS).startswith(b"%PDF-")


def file_of(prefix: bytes) -> str | None:
    """Give the kind of a file that begins in what is said to be text, a PDF or what `archive_of` knows, or None.

    >>> file_of(b"\\n\\n%PDF-1.7 ..."), file_of(b"<p>How to read %PDF-1.7")
    ('PDF', None)
    """
    return "PDF" if _begins_as_pdf(prefix) else archive_of(prefix)


def archive_of(prefix: bytes) -> str | None:
    """Give the kind of archive, or of file that no page is made of, that the first bytes show, or None.

    >>> archive_of(b"PK\\x03\\x04..."), archive_of(b"\\n\\n\\x1f\\x8b\\x08..."), archive_of(b"PK of the week")
    ('ZIP', 'gzip', None)
    """
    begun = prefix[:LONGEST_SNIFFED].lstrip(_BLANKS)
    return next((kind for kind, pattern in _ARCHIVES.items() if begun.startswith(pattern)), None)


def _of_brand(prefix: bytes) -> str:
    """Give the type of an ISO media file by its brands; the box that begins it says how far they reach."""
    major, end = prefix[8:12], min(int.from_bytes(prefix[:4], "big"), 256)
    if major in ANY_IMAGE:
        others = (prefix[at : at + 4] for at in range(16, end, 4))
        return next((BRANDS[one] for one in others if one in BRANDS), "image/heif")
    return BRANDS.get(major, "video/mp4")


def _refine(mime: str, prefix: bytes) -> str:
    if mime == "application/ogg":
        return "video/ogg" if b"theora" in prefix[:512] else "audio/ogg"
    if mime == "video/webm" and b"matroska" in prefix[:64]:
        return "video/x-matroska"
    return mime


def filename_of(url: str, disposition: str = "") -> str | None:
    """Give a safe file name: ``filename*``, else ``filename`` of Content-Disposition, else the path's (RFC 6266).

    >>> filename_of("https://a.example/x/y.pdf", "attachment; filename*=UTF-8''na%C3%AFve%20plan.pdf")
    'naïve plan.pdf'
    """
    parameters = {name.lower(): quoted or plain for name, quoted, plain in _PARAMETER.findall(";" + disposition)}
    candidates = (
        _decode_extended(parameters.get("filename*", "")),
        _decode_plain(parameters.get("filename", "")),
        _last_segment(url),
    )
    return next((safe for name in candidates if (safe := sanitize_filename(name))), None)


def _decode_extended(value: str) -> str:
    charset, _, rest = value.strip().strip('"').partition("'")
    encoded = rest.partition("'")[2]
    try:
        return unquote_to_bytes(encoded).decode(charset or "utf-8", "replace")
    except (LookupError, UnicodeError):
        return ""


def _decode_plain(value: str) -> str:
    text = re.sub(r"\\(.)", r"\1", value.strip())
    with contextlib.suppress(UnicodeError):
        text = text.encode("latin-1").decode("utf-8")  # headers are bytes; servers write UTF-8 into them
    text = _ENCODED_WORD.sub(_decode_word, text)
    return unquote(text) if re.search("%[0-9A-Fa-f]{2}", text) else text


def _decode_word(word: re.Match[str]) -> str:
    import quopri

    charset, kind, text = word.groups()
    try:
        raw = base64.b64decode(text) if kind in "Bb" else quopri.decodestring(text.replace("_", " "))
        return raw.decode(charset, "replace")
    except (LookupError, ValueError):
        return word[0]


def sanitize_filename(name: str) -> str:
    """Give the last part of a path without what file systems and terminals take badly; "" when nothing is left.

    >>> sanitize_filename("../../etc/pass\\x00wd")
    'passwd'
    """
    base = re.split(r"[/\\]", name)[-1]
    kept = "".join(character for character in base if character.isprintable() and character not in '<>:"|?*')
    kept = kept.strip().strip(".").strip()
    if len(kept) <= MAX_FILENAME:
        return kept
    stem, dot, extension = kept.rpartition(".")
    return (
        stem[: MAX_FILENAME - len(extension) - 1] + dot + extension
        if dot and len(extension) < 20
        else kept[:MAX_FILENAME]
    )


def total_size(headers: Headers) -> int | None:
    """Give the size of the whole body that Content-Range or Content-Length states, in bytes; None when neither does."""
    fields = _lower_names(headers)
    ranged = re.fullmatch(r"\s*bytes\s+(?:\d+-\d+|\*)/(\d{1,18})\s*", "".join(fields.get("content-range", [])))
    if ranged:
        return int(ranged[1])
    length = re.fullmatch(r"\s*(\d{1,18})\s*", "".join(fields.get("content-length", [])))
    return int(length[1]) if length and "content-range" not in fields else None
