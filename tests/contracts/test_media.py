"""Media or page: the rules of ME-1 over a table of awkward answers, and file names."""

from collections.abc import Mapping, Sequence

import pytest
from gleaner.contracts.media import (
    MIME_BY_EXTENSION,
    MediaProbe,
    MediaVerdict,
    classify,
    filename_of,
    sanitize_filename,
    sniff,
    total_size,
)
from gleaner.media import probe
from hypothesis import given
from hypothesis import strategies as st

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
HTML = b"<!DOCTYPE html><html>"
PAGE_URL = "https://a.example/x"

MEDIA = (
    (PAGE_URL, {"Content-Type": "image/png"}, b"", "image/png"),
    (PAGE_URL, {"content-type": "IMAGE/PNG"}, b"", "image/png"),
    (PAGE_URL, {"CONTENT-TYPE": "Image/Jpeg; charset=binary"}, b"", "image/jpeg"),
    (PAGE_URL, {"content-type": "  video/mp4 ;codecs=\"avc1\""}, b"", "video/mp4"),
    (PAGE_URL, {"content-type": "audio/mpeg"}, b"", "audio/mpeg"),
    (PAGE_URL, {"content-type": "text/html; charset=utf-8"}, b"\r\n\n%PDF-1.7\n1 0 obj", "application/pdf"),
    (PAGE_URL, {"content-type": "text/plain"}, b"\xef\xbb\xbf%PDF-1.7", "application/pdf"),
    (PAGE_URL, {"content-type": "application/pdf"}, b"", "application/pdf"),
    (PAGE_URL, {"content-type": "Application/PDF;version=1.7"}, HTML, "application/pdf"),
    (PAGE_URL, {"content-type": "image/svg+xml"}, b"", "image/svg+xml"),
    (PAGE_URL, {"content-type": ["text/html", "image/gif"]}, b"", "image/gif"),
    (PAGE_URL, {"content-type": "text/html, image/gif"}, b"", "image/gif"),
    (PAGE_URL, {b"Content-Type": b"image/gif"}, b"", "image/gif"),
    (PAGE_URL, {"content-type": "text/html", "content-disposition": "attachment"}, HTML, "text/html"),
    (PAGE_URL, {"content-disposition": "ATTACHMENT; filename=x.zip"}, b"", "application/octet-stream"),
    (PAGE_URL, {"Content-Disposition": " Attachment ;filename=\"a.bin\""}, PNG, "image/png"),
    (PAGE_URL, {"content-disposition": "filename=\"x.csv\"; attachment", "content-type": "text/csv"}, b"", "text/csv"),
    ("https://a.example/r.pdf", {"content-disposition": "attachment"}, b"", "application/pdf"),
    ("https://a.example/v.mp4", {"content-type": "application/octet-stream"}, b"", "video/mp4"),
    ("https://a.example/V.MP4?x=y.html", {"content-type": "Application/Octet-Stream; x=y"}, b"", "video/mp4"),
    ("https://a.example/a/pic%2Ejpeg#top", {"content-type": "application/octet-stream"}, b"", "image/jpeg"),
    ("https://a.example/p.webp;jsessionid=1", {"content-type": "application/octet-stream"}, b"", "image/webp"),
    ("https://a.example/d.pdf", {"content-type": "binary/octet-stream"}, b"", "application/pdf"),
    ("https://a.example/d.pdf?x=1", {"content-type": "application/octet-stream"}, b"", "application/pdf"),
    (PAGE_URL, {"content-range": "bytes 0-4095/90000"}, b"RIFF\x10\x00\x00\x00WEBPVP8X", "image/webp"),
    (PAGE_URL, {}, PNG, "image/png"),
    (PAGE_URL, {"content-type": ""}, b"%PDF-1.7\n", "application/pdf"),
    (PAGE_URL, {"content-type": "nonsense"}, b"GIF89a..", "image/gif"),
    (PAGE_URL, {"content-type": "unknown/unknown"}, b"\xff\xd8\xff\xe0", "image/jpeg"),
)  # fmt: skip


@pytest.mark.req("ME-1")
@pytest.mark.parametrize(("url", "headers", "prefix", "mime"), MEDIA)
def test_an_answer_is_media(url: str, headers: Mapping[str, str], prefix: bytes, mime: str) -> None:
    for status in (200, 206):
        verdict = classify(url, status, headers, prefix)
        assert verdict and verdict.is_media and verdict.kind == "media"
        assert verdict.mime == mime


PAGES = (
    (PAGE_URL, {"content-type": "text/html"}, b""),
    ("https://a.example/x.pdf", {"content-type": "text/html"}, HTML),
    ("https://a.example/x.png", {"content-type": "text/plain"}, b""),
    (PAGE_URL, {"content-type": "application/xhtml+xml"}, b""),
    (PAGE_URL, {"content-type": "application/json"}, b""),
    (PAGE_URL, {"content-type": "application/pdfx"}, b""),
    (PAGE_URL, {"content-type": "text/image/png"}, b""),
    (PAGE_URL, {"content-type": "application/octet-stream"}, b""),
    (PAGE_URL, {"content-type": "application/octet-stream"}, PNG),
    ("https://a.example/x?file=v.mp4", {"content-type": "application/octet-stream"}, b""),
    ("https://a.example/x#v.mp4", {"content-type": "application/octet-stream"}, b""),
    ("https://a.example/v.mp4/", {"content-type": "application/octet-stream"}, b""),
    ("https://a.example/v.mp4/x", {"content-type": "application/octet-stream"}, b""),
    ("https://v.mp4/", {"content-type": "application/octet-stream"}, b""),
    ("https://a.example/mp4", {"content-type": "application/octet-stream"}, b""),
    ("https://a.example/setup.exe", {"content-type": "application/octet-stream"}, b""),
    ("https://a.example/x.png", {}, b""),
    (PAGE_URL, {}, HTML),
    (PAGE_URL, {}, b"BM is a unit of wood"),
    (PAGE_URL, {"content-type": "text/xml"}, b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><svg/>'),
    (PAGE_URL, {"content-disposition": "inline; filename=attachment.html"}, HTML),
    (PAGE_URL, {"content-disposition": 'inline; filename="a; attachment"', "content-type": "text/html"}, HTML),
    (PAGE_URL, {"content-disposition": 'inline; filename="a; attachment; b"', "content-type": "text/html"}, HTML),
    (PAGE_URL, {"content-disposition": "attachments"}, HTML),
)  # fmt: skip


@pytest.mark.req("ME-1")
@pytest.mark.parametrize(("url", "headers", "prefix"), PAGES)
def test_an_answer_is_a_page(url: str, headers: Mapping[str, str], prefix: bytes) -> None:
    verdict = classify(url, 200, headers, prefix)
    assert not verdict and verdict.kind == "page" and verdict.filename is None
    assert verdict.reason


@pytest.mark.req("ME-1")
@pytest.mark.parametrize("declared", ["text/html", "text/html; charset=utf-8", "text/plain"])
@pytest.mark.parametrize(("prefix", "mime"), [(PNG, "image/png"), (b"%PDF-1.7\n1 0 obj", "application/pdf")])
def test_bytes_that_no_text_has_count_for_more_than_a_declared_text(declared: str, prefix: bytes, mime: str) -> None:
    assert classify(PAGE_URL, 200, {"content-type": declared}, prefix).mime == mime


@pytest.mark.req("ME-1")
@pytest.mark.parametrize("text", [b"BM is a unit of wood", b"ID3 readers", b"<svg><text>a</text></svg>", b"II*"])
def test_a_text_that_begins_as_media_does_is_a_page(text: bytes) -> None:
    assert not classify(PAGE_URL, 200, {"content-type": "text/html"}, text)


@pytest.mark.req("ME-1")
@pytest.mark.parametrize("status", [400, 403, 404, 416, 500, 503, 204])
def test_an_error_status_is_never_media(status: int) -> None:
    headers = {"content-type": "image/png", "content-disposition": "attachment"}
    assert not classify("https://a.example/x.png", status, headers, PNG)


@pytest.mark.req("ME-1")
def test_headers_may_come_as_pairs() -> None:
    pairs: Sequence[tuple[str, str]] = [("Content-Type", "text/html"), ("content-type", "image/png")]
    assert classify(PAGE_URL, 200, pairs).mime == "image/png"


MAGIC = (
    (PNG, "image/png"), (b"\xff\xd8\xff\xdb", "image/jpeg"), (b"GIF87a", "image/gif"),
    (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp"), (b"\x00\x00\x00\x20ftypavif", "image/avif"),
    (b"\x00\x00\x00\x1cftypmif1\x00\x00\x00\x00mif1avifmiaf", "image/avif"), (b"\xff\xf1\x50\x80", "audio/aac"),
    (b"\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00mif1heic", "image/heic"), (b"BMW builds cars in Munich", None),
    (b"\x00\x00\x00\x18ftyphevc", "image/heic"), (b"\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00", "image/heif"),
    (b"\x00\x00\x00\x0cjP  \r\n\x87\n", "image/jp2"), (b"\x00\x00\x01\xbaD", "video/mpeg"), (b"ID3 readers", None),
    (b"BM\x36\x84\x03\x00\x00\x00\x00\x00\x36", "image/bmp"), (b"BM\x00\x00", "image/bmp"),
    (b"\x00\x00\x01\x00\x01", "image/x-icon"), (b"II*\x00", "image/tiff"),
    (b"<svg xmlns='x'>", "image/svg+xml"), (b"<?xml version='1.0'?>\n<!-- x -->\n<svg>", "image/svg+xml"),
    (b"%PDF-1.4", "application/pdf"), (b"\x00\x00\x00\x18ftypisom", "video/mp4"),
    (b"\x00\x00\x00\x14ftypqt  ", "video/quicktime"), (b"\x00\x00\x00\x18ftypM4A ", "audio/mp4"),
    (b"\x1aE\xdf\xa3....webm", "video/webm"), (b"\x1aE\xdf\xa3...matroska", "video/x-matroska"),
    (b"OggS\x00\x02....vorbis", "audio/ogg"), (b"OggS\x00\x02....theora", "video/ogg"), (b"ID3\x03", "audio/mpeg"),
    (b"\xff\xfb\x90\x64", "audio/mpeg"), (b"RIFF\x00\x00\x00\x00WAVEfmt ", "audio/wav"), (b"fLaC\x00", "audio/flac"),
    (HTML, None), (b"", None), (b"PK\x03\x04", None), (b"hello", None), (b"<html><svg>", None),
    (b"\xff\xfe<\x00h\x00", None), (b"xxxxxxxxWAVE", None), (b'{"a": 1}', None),
)  # fmt: skip


@pytest.mark.req("ME-1")
@pytest.mark.parametrize(("prefix", "mime"), MAGIC)
def test_first_bytes_show_the_type(prefix: bytes, mime: str | None) -> None:
    assert sniff(prefix) == mime


FILENAMES = (
    ('attachment; filename="report.pdf"', "report.pdf"),
    ("attachment; filename=report.pdf", "report.pdf"),
    ("attachment; FileName=report.pdf ; x=y", "report.pdf"),
    ("attachment; filename*=UTF-8''na%C3%AFve%20plan.pdf", "naïve plan.pdf"),
    ("attachment; filename=plain.pdf; filename*=utf-8'en'%e2%82%ac.pdf", "€.pdf"),
    ("attachment; filename*=iso-8859-1''gr%FCn.pdf", "grün.pdf"),
    ("attachment; filename*=no-such''x.pdf; filename=kept.pdf", "kept.pdf"),
    ('attachment; filename="a \\"quoted\\" name.pdf"', "a quoted name.pdf"),
    ('attachment; filename="semi;colon.pdf"', "semi;colon.pdf"),
    ("attachment; filename=gr\u00c3\u00bcn.pdf", "grün.pdf"),
    ("attachment; filename=grün.pdf", "grün.pdf"),
    ('attachment; filename="=?UTF-8?B?w7xiZXIucGRm?="', "über.pdf"),
    ("attachment; filename=a%20b.pdf", "a b.pdf"),
    ('attachment; filename="../../etc/passwd"', "passwd"),
    ("attachment; filename=\"C:\\\\temp\\\\evil.exe\"", "evil.exe"),
    ("attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", "passwd"),
    ('attachment; filename=".htaccess"', "htaccess"),
    ('attachment; filename="x\u202efdp.exe"', "xfdp.exe"),
    ("attachment; filename=\"\"", "file.bin"),
    ("attachment; filename=..", "file.bin"),
    ("attachment", "file.bin"),
    ("", "file.bin"),
)  # fmt: skip


@pytest.mark.req("ME-1")
@pytest.mark.parametrize(("disposition", "name"), FILENAMES)
def test_a_file_name_is_read_and_made_safe(disposition: str, name: str) -> None:
    assert filename_of("https://a.example/dir/file.bin?x", disposition) == name


def test_a_url_without_a_name_gives_none() -> None:
    assert filename_of("https://a.example/") is None
    assert filename_of("https://[broken/x.png") is None


def test_a_long_name_keeps_its_extension() -> None:
    assert sanitize_filename("x" * 500 + ".pdf") == "x" * 196 + ".pdf"


@given(st.text())
def test_no_name_leaves_its_folder(name: str) -> None:
    safe = sanitize_filename(name)
    assert len(safe) <= 200 and safe.isprintable()
    assert not set(safe) & set('/\\<>:"|?*') and safe not in (".", "..")


@pytest.mark.req("ME-1")
@given(
    st.text(max_size=60),
    st.integers(0, 999),
    st.dictionaries(st.sampled_from(["Content-Type", "content-disposition", "x"]), st.text(max_size=60)),
    st.binary(max_size=40),
)
def test_no_answer_makes_the_rules_fail(url: str, status: int, headers: dict[str, str], prefix: bytes) -> None:
    verdict = classify(url, status, headers, prefix)
    assert verdict.is_media == (verdict.kind == "media")
    assert not (verdict.is_media and status >= 400)


@pytest.mark.parametrize(
    ("headers", "size"),
    [
        ({"Content-Range": "bytes 0-99/1234", "content-length": "100"}, 1234),
        ({"content-range": "bytes */77"}, 77),
        ({"content-range": "bytes 0-99/*", "content-length": "100"}, None),
        ({"content-length": " 42 "}, 42),
        ({"content-length": "many"}, None),
        ({}, None),
    ],
)
def test_the_whole_size_is_read_from_the_headers(headers: dict[str, str], size: int | None) -> None:
    assert total_size(headers) == size


@pytest.mark.req("LB-3")
def test_a_probe_asks_the_prober_it_is_given() -> None:
    class FixedProber:
        def probe(self, url: str) -> MediaProbe:
            return MediaProbe(url, 200, {}, MediaVerdict(True, "image/png", "fixed", "x.png"))

    seen = probe(PAGE_URL, prober=FixedProber())
    assert seen and seen.is_media and seen.kind == "media"
    assert (seen.url, seen.mime, seen.filename) == (PAGE_URL, "image/png", "x.png")


@pytest.mark.req("ME-1")
def test_each_known_extension_is_media_when_the_type_is_octet_stream() -> None:
    for extension, mime in MIME_BY_EXTENSION.items():
        verdict = classify(
            f"https://a.example/f.{extension.upper()}", 200, {"content-type": "application/octet-stream"}
        )
        assert verdict.mime == mime
